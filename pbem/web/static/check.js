// The check: a moment after the last change the server reads the orders; its objections appear below them.
"use strict";

{
  const PAUSE = 600; // milliseconds without a change
  const form = document.querySelector("[data-orders]");
  const lines = document.querySelector("#lines");
  const place = document.querySelector("[data-check]");
  let asked = 0;
  let timer = null;

  // A legal alternative is either a whole line or another word for the refused part.
  const put_instead = (line, part, other) => {
    const from = lines ? lines.value.indexOf(line) : -1;
    if (from < 0) return;
    const first = (text) => text.trim().split(/\s+/)[0];
    const whole = first(other) === first(line) || !line.includes(part) ? other : line.replace(part, other);
    lines.setRangeText(whole, from, from + line.length, "select");
    lines.dispatchEvent(new Event("input"));
    lines.focus();
  };

  // Where no single line is at fault, the alternative is an order for the unit that it names.
  const put = (line, part, other) => {
    const [unit, ...order] = other.split(" ");
    if (line) put_instead(line, part, other);
    else if (lines) new Orders(lines).write(unit, order.join(" "));
  };

  const offer = (line, part, other) => {
    const button = make("button", { type: "button", className: "quiet", textContent: other });
    button.addEventListener("click", () => put(line, part, other));
    return button;
  };

  const objection = ({ why, rule }) => make("li", {}, why, " ", ...(rule.startsWith("pbem/") ? [] : [make("span", { className: "rule", textContent: rule })]));

  const refusal = ({ line, part, objections, instead }) => {
    const parts = [make("code", { textContent: line || part }), make("ul", { className: "why" }, ...objections.map(objection))];
    if (instead.length) parts.push(make("p", { className: "instead" }, message("You could send:"), " ", ...instead.flatMap((other) => [offer(line, part, other), " "])));
    return make("li", {}, ...parts);
  };

  const show = ({ refusals, reading, spent }) => {
    document.dispatchEvent(new CustomEvent("checked", { detail: { refusals, spent } }));
    const good = make("details", { className: "flash" }, make("summary", { textContent: message("These orders can be carried out. Nothing is sealed yet.") }), make("pre", { textContent: reading }));
    const bad = make("div", { className: "refusal" }, make("ul", {}, ...refusals.map(refusal)));
    place.replaceChildren(refusals.length ? bad : good);
    document.activeElement?.closest(".buttons")?.scrollIntoView({ block: "nearest" }); // keep the focused element in sight
  };

  const check = async () => {
    const mine = ++asked;
    const answer = await fetch(form.dataset.address, { method: "POST", body: new FormData(form), credentials: "same-origin" });
    if (mine !== asked) return; // the orders have changed meanwhile
    if (answer.ok) show(await answer.json());
    else place.replaceChildren();
  };

  if (form && place) lines.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => check().catch(() => {}), PAUSE);
  });

  // The nearest legal orders of a refusal that came with the page become buttons too.
  for (const code of document.querySelectorAll("[data-instead][data-line]")) code.replaceWith(offer(code.dataset.line, code.dataset.part, code.dataset.instead));
}
