// Orders on the map: click a unit, then its order. The order text is the single source of truth; everything else is drawn from it.
"use strict";

const FACINGS = ["", "↑", "↗", "↘", "↓", "↙", "↖"];
const lines = document.querySelector("#lines");

// The order text, line by line, unit by unit.
// A unit that gets an order of its own leaves the group named on its line; the next unit then heads that line.
const leave_group = (lines, unit) => {
  let heir = "";
  return lines.map((line) => {
    const [, own, leader, order] = /^\s*(\S+)\s+with\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (leader?.toLowerCase() !== unit.toLowerCase()) return line;
    const shared = heir ? `with ${heir} ` : "";
    heir ||= own;
    return `${own} ${shared}${order}`;
  });
};

class Orders {
  constructor(area) {
    this.area = area;
  }

  // Find the order of a unit, without its comment.
  place_of(unit) {
    const name = unit.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const found = new RegExp(`^[ \\t]*${name}(?![\\w-])[^#\\n]*`, "im").exec(this.area?.value ?? "");
    return found && { from: found.index, to: found.index + found[0].trimEnd().length };
  }

  of(unit) {
    const place = this.place_of(unit);
    return place ? this.area.value.slice(place.from, place.to).trim().slice(unit.length).trim() : "";
  }

  write(unit, order) {
    this.area.value = this.area.value.replace(/^[ \t]*none[ \t]*\n?/im, ""); // `none` stands for a form without orders
    if (this.of(unit).split(" ")[0] !== order.split(" ")[0]) this.area.value = leave_group(this.area.value.split("\n"), unit).join("\n");
    const place = this.place_of(unit) ?? this.append(unit);
    this.area.setRangeText(`${unit} ${order}`, place.from, place.to, "end");
    this.area.dispatchEvent(new Event("input"));
    this.scroll_to(unit);
  }

  append(unit) {
    const gap = this.area.value && !this.area.value.endsWith("\n") ? "\n" : "";
    const from = this.area.value.length + gap.length;
    this.area.value += `${gap}${unit}\n`;
    return { from, to: from + unit.length };
  }

  scroll_to(unit) {
    const place = this.place_of(unit);
    if (!place) return;
    this.area.setSelectionRange(place.from, place.to);
    const row = this.area.value.slice(0, place.from).split("\n").length;
    this.area.scrollTop = (row - 3) * (this.area.scrollHeight / this.area.value.split("\n").length);
  }
}

class Desk {
  constructor(map, page) {
    this.map = map;
    this.page = page;
    this.orders = new Orders(lines);
    this.panel = page.querySelector("[data-panel]");
    this.rows = new Map([...page.querySelectorAll("[data-row]")].map((row) => [row.dataset.row, row]));
    this.advised = page.dataset.sheets !== undefined;
    this.sights = page.dataset.sights !== undefined;
    this.sheet = null;
    this.picked = {}; // the parts of the current order so far: {choice, unit, hex}
    this.shading = "reach";
    this.line_from = null;
    this.kept = new Map(); // sheets fetched, by unit
    this.announcer = page.querySelector("[data-said]");
  }

  begin() {
    this.map.on_unit = (group, event, hex) => { if (!this.many?.takes(group, hex, event)) this.click_unit(group); };
    this.map.on_hex = (hex, event) => { if (!this.many?.takes(null, hex, event)) this.click_hex(hex); };
    this.page.addEventListener("keydown", (event) => { if (event.key === "Escape" && !this.panel.hidden) this.close(); });
    for (const [unit, row] of this.rows) row.addEventListener("click", () => this.open(unit, { focus: true }));
    this.page.querySelector("[data-units]")?.removeAttribute("hidden");
    this.add_sight_button();
    lines?.addEventListener("input", () => this.redraw());
    this.redraw();
    if (this.map.planned.length && !this.map.remembered) this.map.show(this.map.first());
  }

  address(path, query = {}) {
    const address = new URL(`${this.page.dataset.base}/${path}`, location.href);
    const seat = new URL(this.page.dataset.url, location.href).searchParams.get("seat");
    for (const [name, value] of Object.entries({ ...query, ...(seat ? { seat } : {}) })) address.searchParams.set(name, value);
    return address;
  }

  async fetched(path, query) {
    const answer = await fetch(this.address(path, query), { credentials: "same-origin", cache: "no-cache" });
    return answer.ok ? answer.json() : null;
  }

  // --- clicks on the map

  click_unit(group) {
    const unit = group.dataset.unit;
    if (this.line_from !== null) { this.explain_line(group.dataset.at); return; }
    if (this.sheet?.own && group.dataset.own === undefined && this.target(unit)) return;
    const asking = this.picked.choice?.hexes && !this.picked.hex; // the player is asked for a goal
    if (this.sheet?.own && asking && unit !== this.sheet.unit && this.goal(group.dataset.at)) return;
    this.open(unit, { focus: document.activeElement === group });
  }

  click_hex(hex) {
    if (this.line_from !== null) this.explain_line(hex);
    else if (!this.goal(hex)) this.close();
  }

  // Whether the chosen unit can be told to do something with this enemy, and does.
  target(unit) {
    const usable = (choice) => choice.units && unit in choice.units;
    const choice = this.picked.choice && usable(this.picked.choice) ? this.picked.choice : this.sheet.choices?.find(usable);
    if (!choice) return false;
    this.pick(choice, { unit, hex: "" });
    return true;
  }

  // Whether the chosen unit can be told to do something with this hex, and does.
  goal(hex) {
    const usable = (choice) => choice.hexes && hex in choice.hexes;
    const pressed = this.picked.choice;
    if (pressed && usable(pressed) && (!pressed.units || this.picked.unit)) {
      this.pick(pressed, { unit: this.picked.unit, hex });
      return true;
    }
    const choice = this.sheet?.choices?.find((each) => usable(each) && !each.units);
    if (!choice) return false;
    this.pick(choice, { hex });
    return true;
  }

  // --- one unit

  async open(unit, { focus = false } = {}) {
    const sheet = this.kept.get(unit) ?? (this.advised ? await this.fetched(`units/${encodeURIComponent(unit)}.json`) : this.by_verbs(unit));
    if (!sheet) return;
    this.kept.set(unit, sheet);
    this.sheet = sheet;
    this.picked = {};
    this.line_from = null;
    this.shading = sheet.own ? "reach" : "range";
    for (const group of this.map.units) {
      group.classList.toggle("chosen", group.dataset.unit === unit);
      group.setAttribute("aria-pressed", String(group.dataset.unit === unit));
    }
    for (const [name, row] of this.rows) row.setAttribute("aria-pressed", String(name === unit));
    this.map.fan(unit);
    this.map.reveal(this.map.centre_of(unit));
    this.render();
    if (lines && sheet.own) this.orders.scroll_to(unit);
    if (matchMedia("(max-width: 59.99rem)").matches) this.map.figure.scrollIntoView({ block: "start" }); // the sheet is below the map
    if (focus) this.panel.querySelector("h2").focus({ preventScroll: true });
  }

  close() {
    const unit = this.sheet?.unit;
    this.sheet = null;
    this.picked = {};
    this.line_from = null;
    this.sight_button?.setAttribute("aria-pressed", "false");
    const had_focus = this.panel.contains(document.activeElement);
    this.map.fold();
    this.lay_out(false);
    for (const group of this.map.units) { group.classList.remove("chosen"); group.removeAttribute("aria-pressed"); }
    for (const row of this.rows.values()) row.setAttribute("aria-pressed", "false");
    this.redraw();
    if (had_focus && unit) (this.rows.get(unit) ?? this.map.group_of(unit))?.focus();
  }

  // On a small screen the sheet covers the foot of the page, so the page is lengthened by its height.
  lay_out(shown) {
    this.panel.hidden = !shown;
    document.body.classList.toggle("panel-open", shown);
  }

  // A title without unit sheets still has orders to click.
  by_verbs(unit) {
    const verbs = (this.map.svg.dataset.verbs ?? "").split(";").filter(Boolean);
    if (this.map.group_of(unit)?.dataset.own === undefined || !lines) return null;
    return { unit, name: "", side: "", own: true, choices: verbs.map((verb) => ({ name: verb, line: verb })) };
  }

  press(choice) {
    const same = this.picked.choice === choice;
    this.picked = same ? {} : { choice };
    if (!same && !choice.units && !choice.hexes) this.pick(choice, {});
    else this.render();
  }

  // Take a clicked unit or hex; the order is written as soon as it is complete.
  pick(choice, { unit = "", hex = "", facing = null }) {
    this.picked = { choice, unit, hex };
    const missing = (choice.units && !unit) || (choice.hexes && !hex && !choice.units);
    if (!missing) {
      const face = facing ?? (hex ? choice.facing ?? 0 : 0);
      const way = choice.ways?.[hex] ?? hex;
      const order = choice.line.replace("{unit}", unit).replace(", move {hex}", hex ? `, move ${way}` : "").replace("{hex}", way);
      const who = choice.who ?? this.sheet.unit;
      this.orders.write(who, order + (hex && face ? ` face ${face}` : ""));
      this.announcer.textContent = `${who} ${this.orders.of(who)}`;
    }
    this.render();
  }

  render() {
    const { sheet } = this;
    const focused = document.activeElement?.dataset?.focus;
    const parts = [this.header(), this.stack(), this.order_line(), ...this.choice_list(), this.facing_list(), this.shading_list(), this.fact_list(), this.threat_list(), this.reason_list()];
    this.panel.replaceChildren(...parts.filter(Boolean));
    this.panel.setAttribute("aria-label", message("Unit {unit}", { unit: sheet.unit }));
    this.lay_out(true);
    if (focused) this.panel.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
    this.redraw();
  }

  button(text, act, { pressed = null, focus = text, quiet = true, label = null } = {}) {
    const button = make("button", { type: "button", className: quiet ? "quiet" : "", textContent: text });
    button.dataset.focus = focus;
    if (pressed !== null) button.setAttribute("aria-pressed", String(pressed));
    if (label) button.setAttribute("aria-label", label);
    button.addEventListener("click", act);
    return button;
  }

  header() {
    const { sheet } = this;
    const close = this.button("×", () => this.close(), { focus: "close", label: message("Close") });
    return make("div", { className: "panel-head" }, make("h2", { tabIndex: -1 }, make("strong", { textContent: sheet.unit }), ` ${sheet.name}`, sheet.at ? make("span", { className: "dim", textContent: ` ${sheet.at}` }) : ""), close);
  }

  // Buttons that open the other units in the same hex.
  stack() {
    const others = this.map.stack_of(this.sheet.unit).sort((one, other) => one.dataset.unit.localeCompare(other.dataset.unit, "en", { numeric: true }));
    if (others.length < 2) return null;
    const buttons = others.map(({ dataset }) => this.button(dataset.unit, () => this.open(dataset.unit), { pressed: dataset.unit === this.sheet.unit, focus: `stack ${dataset.unit}` }));
    return make("div", { className: "choices", attributes: { role: "group", "aria-label": message("Units in this hex") } }, make("span", { className: "dim", textContent: message("In this hex:") }), ...buttons);
  }

  order_line() {
    if (!this.sheet.own || !lines || !this.sheet.choices?.length) return null;
    return make("p", { className: "order-line" }, make("code", { textContent: `${this.sheet.unit} ${this.orders.of(this.sheet.unit)}`.trim() }), " ", this.next_button() ?? "");
  }

  next_button() {
    const names = [...this.rows.keys()];
    const after = names[(names.indexOf(this.sheet.unit) + 1) % names.length];
    return names.length > 1 ? this.button(message("Next: {unit}", { unit: after }), () => this.open(after, { focus: true }), { focus: "next" }) : null;
  }

  choice_list() {
    if (!lines || !this.sheet.choices) return [];
    const open = this.sheet.choices.filter((choice) => !choice.against);
    const closed = this.sheet.choices.filter((choice) => choice.against);
    const buttons = open.map((choice) => this.button(choice.name.replaceAll("-", " "), () => this.press(choice), { pressed: this.picked.choice === choice, focus: `choice ${choice.name}` }));
    const parts = [make("div", { className: "choices", attributes: { role: "group", "aria-label": message("Orders") } }, ...buttons)];
    const { choice } = this.picked;
    if (choice?.units) parts.push(this.unit_list(choice));
    if (choice?.hexes && (!choice.units || this.picked.unit)) parts.push(this.hex_field(choice));
    if (closed.length) parts.push(this.closed_list(closed));
    return parts;
  }

  unit_list(choice) {
    const rows = Object.entries(choice.units).map(([unit, said]) => make("li", {}, this.button(`${unit} · ${said}`, () => this.pick(choice, { unit }), { pressed: this.picked.unit === unit, focus: `unit ${unit}` })));
    return make("div", {}, make("p", { className: "hint", textContent: message("At which target? Click one on the map or here.") }), make("ul", { className: "targets" }, ...rows));
  }

  hex_field(choice) {
    const names = Object.keys(choice.hexes);
    const select = make("select", { id: "goal" }, make("option", { value: "", textContent: "…" }), ...names.map((name) => make("option", { value: name, textContent: name, selected: name === this.picked.hex })));
    select.dataset.focus = "goal";
    select.addEventListener("change", () => { if (select.value) this.pick(choice, { unit: this.picked.unit, hex: select.value }); });
    return make("p", { className: "hint" }, make("label", { htmlFor: "goal", textContent: `${message("Where to? Click a marked hex, or choose:")} ` }), select);
  }

  closed_list(closed) {
    const rows = closed.map(({ name, against }) => make("li", {}, make("strong", { textContent: name.replaceAll("-", " ") }), ": ", ...against.flatMap(({ why, rule }, index) => [index ? "; " : "", why, " ", make("span", { className: "rule", textContent: rule })])));
    return make("details", { className: "why-not" }, make("summary", { textContent: message("Why not {orders}?", { orders: closed.map(({ name }) => name.replaceAll("-", " ")).join(", ") }) }), make("ul", { className: "plain" }, ...rows));
  }

  // The facing of the unit at its destination.
  facing_list() {
    const { choice, hex, unit } = this.picked;
    const possible = hex ? choice?.hexes?.[hex] : null;
    if (!possible?.length) return null;
    const now = Number(/ face (\d)/.exec(this.orders.of(this.sheet.unit))?.[1] ?? 0);
    const ways = [...(choice.facing ? [] : [0]), ...[...possible].sort()];
    const buttons = ways.map((way) => this.button(way ? `${FACINGS[way]} ${way}` : message("any"), () => this.pick(choice, { unit, hex, facing: way }), { pressed: now === way, focus: `face ${way}`, label: way ? message("Facing {way}", { way }) : message("Any facing") }));
    return make("div", { className: "choices", attributes: { role: "group", "aria-label": message("Facing") } }, make("span", { className: "dim", textContent: message("Facing:") }), ...buttons);
  }

  shading_list() {
    const { sheet } = this;
    if (!sheet.at || !sheet.facts) return null;
    const reach = sheet.choices?.some((choice) => choice.hexes && choice.line.startsWith("move"));
    const kinds = [...(reach ? [["reach", message("Reach")]] : []), ...(sheet.bands ? [["range", message("Range bands")]] : []), ...(this.sights ? [["sight", message("Sight")]] : [])];
    if (!kinds.length) return null;
    const buttons = kinds.map(([kind, name]) => this.button(name, () => this.shade(kind), { pressed: this.shading === kind, focus: `shade ${kind}` }));
    const box = make("div", { className: "choices", attributes: { role: "group", "aria-label": message("Show on the map") } }, make("span", { className: "dim", textContent: message("Show:") }), ...buttons);
    if (this.shading === "range" && sheet.bands) box.append(make("p", { className: "bands" }, ...sheet.band_names.map((name, index) => make("span", { className: `band band-${index}`, textContent: name }))));
    return box;
  }

  async shade(kind) {
    this.shading = this.shading === kind ? "" : kind;
    this.line_from = null;
    if (this.shading === "sight") await this.sight_from(this.sheet.at);
    else this.render();
  }

  fact_list() {
    return this.sheet.facts ? make("ul", { className: "facts" }, ...this.sheet.facts.map((fact) => make("li", { textContent: fact }))) : null;
  }

  reason_list() {
    const { reasons } = this.sheet;
    return reasons ? make("details", {}, make("summary", { textContent: message("The rules behind this") }), make("ul", { className: "facts" }, ...reasons.map((reason) => make("li", { textContent: reason })))) : null;
  }

  threat_list() {
    const threats = Object.entries(this.sheet.threats ?? {});
    if (!threats.length) return null;
    const words = this.sheet.own ? message("Enemies that could fire at it") : message("Your shots at it");
    return make("div", {}, make("h3", { textContent: words }), make("ul", { className: "facts" }, ...threats.map(([unit, said]) => make("li", { textContent: `${unit}: ${said}` }))));
  }

  // --- lines of sight

  add_sight_button() {
    if (!this.advised || !this.sights || !this.map.svg.querySelector("[data-hex]")) return;
    const name = message("Line of sight: from one hex to another");
    this.sight_button = this.map.add_button("M2 12q10-11 20 0q-10 11-20 0zM12 9.500a2.500 2.500 0 1 0 .01 0", name, () => this.start_sight());
    this.sight_button.setAttribute("aria-pressed", "false");
  }

  start_sight() {
    const on = this.sight_button.getAttribute("aria-pressed") !== "true";
    this.close();
    if (!on) return;
    this.sight_button.setAttribute("aria-pressed", "true");
    this.line_from = "";
    this.say_sight(message("Line of sight"), [message("Click a hex: everything that cannot be seen from it turns dark. Then click another hex to learn why it can or cannot be seen.")]);
  }

  say_sight(title, sentences) {
    const close = this.button("×", () => this.close(), { focus: "close", label: message("Close") });
    this.panel.replaceChildren(make("div", { className: "panel-head" }, make("h2", { tabIndex: -1, textContent: title }), close), this.sight_form(), ...sentences.map((line) => make("p", { className: `depth-${Math.min(3, (line.length - line.trimStart().length) / 2)}`, textContent: line.trim() })));
    this.panel.setAttribute("aria-label", message("Line of sight"));
    this.lay_out(true);
  }

  // The same by keyboard: a form for the names of two hexes.
  sight_form() {
    const field = (id, words, value) => make("label", {}, `${words} `, make("input", { id, value, size: 4, autocomplete: "off" }));
    const form = make("form", { className: "sight-form" }, field("sight-from", message("From"), this.line_from ?? ""), field("sight-to", message("to"), this.line_to ?? ""), make("button", { className: "quiet", textContent: message("Show") }));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const [from, to] = [...form.querySelectorAll("input")].map((input) => this.map.hex_named(input.value.trim()));
      if (!from) return;
      await this.sight_from(from);
      if (to) await this.explain_line(to);
    });
    return form;
  }

  async sight_from(hex) {
    const seen = await this.fetched(`sight/${encodeURIComponent(hex)}.json`);
    if (!seen) { this.say_sight(message("Line of sight"), [message("No lines of sight can be shown from {hex}: there is no such hex, or this match keeps lines of sight secret until a shot is fired.", { hex })]); return; }
    this.shading = "sight";
    this.line_from = seen.start;
    this.line_to = "";
    const sight = new Set([...seen.seen, seen.start]);
    this.unseen = Object.fromEntries([...this.map.svg.querySelectorAll("[data-hex]")].filter((path) => !sight.has(path.dataset.hex)).map((path) => [path.dataset.hex, "unseen"]));
    if (this.sheet) this.render();
    else this.say_sight(message("From {hex}", { hex: seen.start }), [message_n("{n} hex can be seen. Click any hex to learn why it can or cannot be seen.", "{n} hexes can be seen. Click any hex to learn why it can or cannot be seen.", seen.seen.length)]);
    this.redraw();
  }

  async explain_line(hex) {
    if (!this.line_from) { await this.sight_from(hex); return; }
    const line = await this.fetched(`sight/${encodeURIComponent(this.line_from)}.json`, { to: hex });
    if (!line) return;
    this.line_to = line.end;
    const from = this.line_from;
    this.say_sight(line.clear ? message("{from} to {to}: clear", { from, to: line.end }) : message("{from} to {to}: blocked", { from, to: line.end }), line.why ?? []);
    this.sheet = null;
    this.redraw();
    this.stroke([this.map.centre_of(from), this.map.centre_of(line.end)], line.clear ? "sight-open" : "sight-blocked");
  }

  // The order text of a unit: its own line, or one that begins with several units or weapons including it.
  order_of(unit) {
    const own = this.orders.of(unit);
    if (own || !this.orders.area) return own;
    const names = new Map([...this.rows].flatMap(([name, row]) => [name, ...(row.dataset.carries ?? "").split(" ")].map((word) => [word.toLowerCase(), name])));
    for (const line of this.orders.area.value.split("\n")) {
      const words = line.replace(/#.*/, "").trim().split(/[\s+]+/);
      const end = words.findIndex((word) => !names.has(word.toLowerCase()));
      if (words.slice(0, end).some((word) => names.get(word.toLowerCase()) === unit)) return words.slice(end).join(" ");
    }
    return "";
  }

  // The hexes that an order names, leg by leg: those on the way, and those fired at.
  places_in(order) {
    const way = [];
    const shots = [];
    for (const leg of order.split(";")[0].split(",")) {
      const words = leg.trim().split(/\s+/);
      const hexes = words.filter((word) => /^[a-z]+\d+$/i.test(word) && !this.map.group_of(word) && this.map.centre_of(this.map.hex_named(word))).map((word) => this.map.hex_named(word));
      if (words.includes("fire")) shots.push(...hexes.slice(0, 1));
      else if (!/^(smoke|place|recover|drop|device)$/.test(words[0])) way.push(...hexes);
    }
    return { way, shots };
  }

  // --- orders on the map

  redraw() {
    this.map.marks.replaceChildren();
    this.map.planned = [];
    this.map.paint(this.colours());
    this.ends = new Map(); // how many units are sent to each hex
    for (const [unit, row] of this.rows) this.draw_order(unit, row);
    for (const [hex, count] of this.ends) if (count > 1) this.label(hex, `×${count}`);
    if (!this.sheet?.own) return;
    const firing = this.picked.choice?.units ? this.picked.choice : this.sheet.choices?.find((choice) => choice.units);
    for (const [target, said] of Object.entries(firing?.units ?? {})) this.label(target, /hit (\d+)/.exec(said)?.[1] ?? "");
  }

  colours() {
    if (this.line_from) return this.unseen ?? {};
    if (!this.sheet) return {};
    if (this.shading === "sight") return this.unseen ?? {};
    if (this.shading === "range") return Object.fromEntries(Object.entries(this.sheet.bands ?? {}).map(([hex, band]) => [hex, `band-${band}`]));
    if (this.shading !== "reach" || !lines) return {};
    const going = this.picked.choice?.hexes ? this.picked.choice : this.sheet.choices?.find((choice) => choice.hexes && !choice.units);
    return Object.fromEntries(Object.keys(going?.hexes ?? {}).map((hex) => [hex, "reach"]));
  }

  // An order on the map: a line to the target, an arrow to the goal.
  draw_order(unit, row) {
    const order = this.order_of(unit);
    row.querySelector("[data-order]").textContent = order || this.orders.of("rest") || message("no order");
    const words = order.split(/[\s,]+/);
    const enemy = words.find((word) => this.map.group_of(word) && this.map.group_of(word).dataset.own === undefined);
    const { way, shots } = this.places_in(order);
    const from = this.map.centre_of(unit);
    if (enemy && from && /fire|halt/.test(order)) this.stroke([from, this.map.centre_of(enemy)], "shot");
    for (const hex of shots) this.stroke([from, this.map.centre_of(hex)], "shot");
    if (way.length) {
      const goal = way.at(-1);
      const to = this.map.centre_of(goal);
      this.ends.set(goal, (this.ends.get(goal) ?? 0) + 1);
      if (from) this.stroke([from, ...way.map((hex) => this.map.centre_of(hex))], "way");
      else this.ghost(unit, to);
    }
  }

  stroke(points, kind) {
    if (points.includes(null) || points.includes(undefined)) return;
    const to = points.at(-1);
    this.map.marks.append(draw("path", { class: kind, d: `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}` }));
    if (kind === "way") this.map.marks.append(draw("circle", { class: "way-end", cx: to.x, cy: to.y, r: 11 }));
  }

  // A unit during set-up, drawn where it would stand.
  ghost(unit, { x, y }) {
    this.map.planned.push({ x, y });
    this.map.marks.append(draw("rect", { class: "ghost", x: x - 25, y: y - 20, width: 50, height: 40, rx: 4 }), draw("text", { class: "ghost-name", x, y: y + 6 }, unit));
  }

  label(unit, text) {
    const at = this.map.centre_of(unit);
    if (!at || !text) return;
    this.map.marks.append(draw("circle", { class: "hit", cx: at.x, cy: at.y - 40, r: 19 }), draw("text", { class: "hit-number", x: at.x, y: at.y - 34 }, text));
  }
}

(async () => {
  const page = document.querySelector("[data-match]");
  for (const figure of document.querySelectorAll("[data-map]")) {
    const map = await live_map(figure).catch(() => null);
    if (map && page) {
      const desk = new (map.svg.dataset.arrow ? arrow_desk(Desk) : Desk)(map, page);
      desk.begin();
      document.dispatchEvent(new CustomEvent("desk", { detail: { map, desk } }));
    }
    if (map) figure.dataset.ready = "";
  }
})();
