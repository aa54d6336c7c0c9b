// The guided game: one step at a time, each pointing at its part of the page. Without this script all steps are listed.
"use strict";

{
  const card = document.querySelector("[data-lesson]");
  const PARTS = {
    stand: ".stand", map: ".map-side", units: "[data-units]", sheet: "[data-panel]:not([hidden]), [data-units]", many: "[data-formations]",
    lines: "#lines", check: "[data-check]:not(:empty), #lines", submit: "button[value=final]", summary: ".turn-card", film: ".turn-card", talk: "#talk",
  };
  const key = card && `lesson ${document.querySelector("[data-match]").dataset.url} ${card.dataset.lesson}`;
  const steps = card ? [...card.querySelectorAll("[data-step]")] : [];
  let at = 0;

  const part_of = (step) => PARTS[step.dataset.step].split(", ").map((selector) => document.querySelector(selector)).find(Boolean);

  // After a turn its summary is read first: then nothing but the summary is scrolled to before a button is pressed.
  const waits = () => card.dataset.afterTurn !== undefined && !["summary", "film"].includes(steps[at].dataset.step);

  const show = (number, { pressed = true } = {}) => {
    at = Math.min(Math.max(number, 0), steps.length - 1);
    for (const [index, step] of steps.entries()) step.hidden = index !== at;
    for (const old of document.querySelectorAll(".pointed")) old.classList.remove("pointed");
    const part = part_of(steps[at]);
    for (let around = part; around; around = around.parentElement) if (around.localName === "details") around.open = true;
    part?.classList.add("pointed");
    if (pressed || !waits()) part?.scrollIntoView({ block: "nearest" });
    if (pressed && part?.getBoundingClientRect().bottom > innerHeight) part.scrollIntoView({ block: "center" }); // hidden behind the sticky bar
    card.querySelector("[data-where]").textContent = message("Step {step} of {all}", { step: at + 1, all: steps.length });
    card.querySelector("[data-before]").disabled = at === 0;
    card.querySelector("[data-next]").disabled = at === steps.length - 1;
    try { sessionStorage.setItem(key, String(at)); } catch { /* a private window keeps nothing */ }
  };

  const write = (line) => {
    const [unit, ...order] = line.split(" ");
    const lines = document.querySelector("#lines");
    if (!lines) return;
    if (unit === "rest") new OrderText(lines, [...document.querySelectorAll("[data-row]")].map((row) => row.dataset.row)).drop_idle();
    new Orders(lines).write(unit, order.join(" "));
  };

  if (steps.length) {
    if (matchMedia("(max-width: 59.99rem)").matches) document.querySelector(".map-side").before(card); // it comes first on a phone
    card.querySelector("[data-steps-bar]").hidden = steps.length < 2;
    card.querySelector("[data-before]").addEventListener("click", () => show(at - 1));
    card.querySelector("[data-next]").addEventListener("click", () => show(at + 1));
    for (const button of card.querySelectorAll("[data-write]")) { button.hidden = false; button.addEventListener("click", () => write(button.dataset.write)); }
    let kept = 0;
    try { kept = Number(sessionStorage.getItem(key) ?? 0); } catch { /* as above */ }
    document.addEventListener("desk", () => show(at, { pressed: false }), { once: true }); // the map has its size now
    show(kept, { pressed: false });
  }
}
