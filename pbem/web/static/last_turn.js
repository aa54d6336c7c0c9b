// The last turn played, drawn on the match map until the player begins to give orders.
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
  const whole_turn = () => {
    if (map.svg.dataset.arrow) return map.whole; // a table without hexes is seen whole
    const { x, y, width, height } = drawn.getBBox();
    const units = map.units.map((group) => map.centre_of(group.dataset.unit)).filter(Boolean);
    return map.inside(map.around([{ x, y }, { x: x + width, y: y + height }, ...units]));
  };
  const key = `turn ${map.key}`;
  let before = null; // the part of the map that was in view before the whole turn was shown
  let whole = null;
  const look_once = () => {
    try { if (sessionStorage.getItem(key)) return; sessionStorage.setItem(key, "seen"); } catch { return; }
    before = map.shown;
    map.show(whole_turn());
    whole = map.shown;
  };
  const clear = () => {
    box.checked = false;
    show();
    if (before && map.shown === whole) map.show(before);
    before = null;
  };
  line.hidden = false;
  show();
  look_once();
  box.addEventListener("change", show);
  document.querySelector("#lines")?.addEventListener("input", clear, { once: true });
  const panel = document.querySelector("[data-panel]");
  if (panel) new MutationObserver((_, watch) => { if (!panel.hidden) { clear(); watch.disconnect(); } }).observe(panel, { attributeFilter: ["hidden"] });
});
