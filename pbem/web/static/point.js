// Corrections by pointing: a unit, one of its states, a value; a click on the map fills them in. Each becomes a line of
// the form below, which works without this script as well.
const form = document.querySelector("#pointing");
const things = JSON.parse(form.dataset.things);
const field = (name) => document.querySelector(`#point-${name}`);
const lines = document.querySelector("#changes");
const PLACES = ["hex", "at"];

const chosen = () => things[Number(field("unit").value)];
const named = (thing) => (things.filter((one) => one.id === thing.id).length > 1 ? `${thing.group} ${thing.id}` : thing.id);

const show_states = () => {
  const before = field("state").value;
  field("state").replaceChildren(...Object.keys(chosen().states).map((name) => new Option(name.replaceAll("_", " "), name)));
  if (before in chosen().states) field("state").value = before;
  show_value();
};
const show_value = () => {
  const name = field("state").value;
  field("value").value = chosen().states[name] ?? "";
  document.querySelector("#point-values").replaceChildren(...(chosen().choices[name] ?? []).map((one) => new Option(one)));
};
const add = (line) => { lines.value = [...lines.value.split("\n").filter(Boolean), line].join("\n"); };

field("unit").addEventListener("change", show_states);
field("state").addEventListener("change", show_value);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  add(`${named(chosen())} ${field("state").value} ${field("value").value.trim() || "nothing"}`);
});
field("remove").addEventListener("click", () => add(`remove ${named(chosen())}`));
document.querySelector("figure.map")?.addEventListener("click", (event) => {
  const unit = event.target.closest("[data-unit]")?.dataset.unit, hex = event.target.closest("[data-hex]")?.dataset.hex;
  const index = things.findIndex((one) => one.id === unit);
  if (index >= 0) { field("unit").value = String(index); show_states(); }
  else if (hex) {
    const place = PLACES.find((name) => name in chosen().states);
    if (place) { field("state").value = place; show_value(); field("value").value = hex; }
  }
});
show_states();
