// The turn that was played last, drawn on the match map until the player begins to give orders.
"use strict";

document.addEventListener("desk", async ({ detail: { map } }) => {
  const line = document.querySelector("[data-on-map]");
  if (!line) return;
  const answer = await fetch(line.dataset.onMap, { credentials: "same-origin" }).catch(() => null);
  if (!answer?.ok) return;
  const parsed = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  const marks = parsed.querySelector("[data-turn]");
  if (!marks?.childElementCount) return;
  const drawn = map.svg.appendChild(document.importNode(marks, true));
  const box = line.querySelector("input");
  const show = () => { drawn.style.display = box.checked ? "" : "none"; };
  const clear = () => { box.checked = false; show(); };
  line.hidden = false;
  show();
  box.addEventListener("change", show);
  document.querySelector("#lines")?.addEventListener("input", clear, { once: true });
  const panel = document.querySelector("[data-panel]");
  if (panel) new MutationObserver((_, watch) => { if (!panel.hidden) { clear(); watch.disconnect(); } }).observe(panel, { attributeFilter: ["hidden"] });
});
