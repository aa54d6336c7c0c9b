// Orders for many units: choose companies, single units or a box on the map, pick an order, and the server proposes
// whole lines. The order text is the single source of truth; everything here is counted from it.
"use strict";

const IDLE = ["", "hold", "stay", "no-command", "none"];
const AIMED = ["fire", "shoot", "attack", "short-halt"];
const SENT = ["move", "advance", "attack", "blitz"]; // orders that need a goal

// The order text by unit: the units at the head of a line, also by their weapons, share the order that follows; `rest` is for all others.
class OrderText {
  constructor(area, units) {
    this.area = area;
    const carried = [...document.querySelectorAll("[data-carries]")].flatMap(({ dataset }) => dataset.carries.split(" ").map((name) => [name.toLowerCase(), dataset.row]));
    this.known = new Map([...carried, ...units.map((unit) => [unit.toLowerCase(), unit])]);
  }

  read(line) {
    const said = line.split("#")[0].trim();
    const words = said.split(/[\s,+:]+/).filter(Boolean);
    const units = [];
    while (words.length && this.known.has(words[0].toLowerCase())) units.push(this.known.get(words.shift().toLowerCase()));
    if (!units.length && words.length) units.push(...words.map((word) => this.known.get(word.toLowerCase())).filter(Boolean));
    return { units, order: words.join(" ") };
  }

  orders() {
    const found = new Map();
    let rest = "";
    for (const line of this.area.value.split("\n")) {
      const { units, order } = this.read(line);
      for (const unit of units) found.set(unit, order);
      if (/^rest\s/i.test(order)) rest = order.slice(5);
    }
    return { of: (unit) => found.get(unit) ?? rest };
  }

  // The units that can get an order; passengers, for instance, go where they are carried.
  able(units) {
    const listed = new Set([...document.querySelectorAll("[data-row]")].map((row) => row.dataset.row));
    return listed.size ? units.filter((unit) => listed.has(unit)) : units;
  }

  idle(units) {
    const orders = this.orders();
    return this.able(units).filter((unit) => IDLE.includes(orders.of(unit).toLowerCase()));
  }

  // Remove the lines of units that do nothing: the line for the rest covers them.
  drop_idle() {
    const idle = ({ units, order }) => units.length && IDLE.includes(order.toLowerCase());
    this.area.value = this.area.value.split("\n").filter((line) => /^\s*#/.test(line) || !idle(this.read(line))).join("\n");
  }

  // Proposed lines replace the lines of the same units.
  put(lines) {
    const told = new Set(lines.flatMap((line) => this.read(line).units));
    const kept = [];
    let place = -1;
    for (const line of this.area.value.split("\n")) {
      const { units, order } = this.read(line);
      const gone = !/^\s*#/.test(line) && (units.some((unit) => told.has(unit)) || order.toLowerCase() === "none");
      if (gone && place < 0) place = kept.length;
      if (!gone) kept.push(line);
    }
    if (place < 0) { while (kept.length && !kept.at(-1).trim()) kept.pop(); place = kept.length; }
    const others = [...told].reduce(leave_group, kept);
    others.splice(place, 0, ...lines);
    this.area.value = `${others.join("\n").replace(/\n*$/, "")}\n`;
    this.area.dispatchEvent(new Event("input"));
  }
}

class Many {
  constructor(box, area, form) {
    Object.assign(this, { box, area, form, map: null, desk: null, asking: null });
    this.rows = [...box.querySelectorAll("[data-formation]")];
    this.all = [...new Set(this.rows.flatMap((row) => this.units_in(row)))];
    this.text = new OrderText(area, this.all);
    this.chosen = new Set();
    this.bar = box.querySelector("[data-bar]");
  }

  units_in(row) { return row.dataset.units.split(" "); }

  find(name) { return this.box.querySelector(`[data-${name}]`); }

  begin() {
    this.box.hidden = false;
    for (const row of this.rows) row.querySelector("[data-company]").addEventListener("click", (event) => this.choose_company(row, event));
    for (const pick of this.box.querySelectorAll("[data-pick]")) pick.addEventListener("click", () => this.choose([pick.dataset.pick], { add: true }));
    for (const verb of this.box.querySelectorAll("[data-verb]")) verb.addEventListener("click", () => this.press(verb.dataset.verb));
    this.find("idle").addEventListener("click", () => this.choose(this.text.idle(this.all)));
    this.find("none").addEventListener("click", () => this.choose([]));
    this.find("box").addEventListener("click", () => this.box_mode(!this.map?.boxing));
    this.find("go").addEventListener("click", () => this.answer(this.find("where").value.trim()));
    this.find("where").addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); this.answer(event.target.value.trim()); } });
    this.area.addEventListener("input", () => this.count());
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("checked", (event) => this.limits(event.detail));
    this.count();
    this.show();
  }

  // Called when the live map is loaded: clicks and boxes on it then choose units.
  meet({ map, desk }) {
    this.map = map;
    this.desk = desk;
    map.on_box = (units) => { this.box_mode(false); this.choose(units.filter((unit) => this.all.includes(unit)), { add: true }); };
    this.find("box").hidden = false;
    this.show();
  }

  // Whether a click on the map is for an order to many units: the requested target or goal, or one more unit.
  takes(group, hex, event) {
    if (this.asking) {
      const own = group?.dataset.own !== undefined;
      if (this.asking === "target") { if (!group || own) return false; this.answer(group.dataset.unit); return true; }
      this.answer(hex ?? group?.dataset.at ?? group?.dataset.unit ?? "");
      return true;
    }
    // The map may have zoomed in after the first click of two, so the second counts for the same unit wherever it falls.
    if (event?.detail !== 2) this.clicked = group?.dataset.own === undefined ? "" : group.dataset.unit;
    if (!this.clicked) return false;
    if (event?.detail === 2) { this.choose_company(this.rows.find((row) => this.units_in(row).includes(this.clicked)) ?? null, event); return true; }
    if (event?.shiftKey || event?.long) { this.choose([group.dataset.unit], { add: true }); return true; }
    this.choose([group.dataset.unit], { quiet: true });
    return false;
  }

  choose(units, { add = false, quiet = false } = {}) {
    if (!add) this.chosen = new Set(units);
    else if (units.length === 1 && this.chosen.has(units[0])) this.chosen.delete(units[0]);
    else for (const unit of units) this.chosen.add(unit);
    this.asking = null;
    if (!quiet && this.desk?.sheet) this.desk.close();
    this.show(quiet);
  }

  choose_company(row, event) {
    if (!row) return;
    const units = this.units_in(row);
    const whole = units.every((unit) => this.chosen.has(unit));
    if (event?.shiftKey || !whole) this.choose(units, { add: Boolean(event?.shiftKey) });
    else this.choose([]);
  }

  box_mode(on) {
    if (!this.map) return;
    this.map.boxing = on;
    this.map.window.classList.toggle("boxing", on);
    this.find("box").setAttribute("aria-pressed", String(on));
    if (on) this.map.figure.scrollIntoView({ block: "nearest" });
  }

  show(quiet = false) {
    const { size } = this.chosen;
    this.find("chosen").textContent = size ? message_n("{n} unit chosen", "{n} units chosen", size) : message("Choose a formation, or units on the map");
    this.bar.classList.toggle("active", size > 0 && !quiet);
    document.body.classList.toggle("bar-open", size > 0 && !quiet);
    for (const button of this.bar.querySelectorAll("[data-verb], [data-none]")) button.disabled = !size;
    for (const row of this.rows) row.querySelector("[data-company]").setAttribute("aria-pressed", String(this.units_in(row).every((unit) => this.chosen.has(unit))));
    for (const pick of this.box.querySelectorAll("[data-pick]")) pick.setAttribute("aria-pressed", String(this.chosen.has(pick.dataset.pick)));
    for (const group of this.map?.units ?? []) group.classList.toggle("picked", size > 1 && this.chosen.has(group.dataset.unit));
    this.find("asking").hidden = !this.asking;
    this.map?.window.classList.toggle("asking", Boolean(this.asking));
  }

  press(verb) {
    this.verb = verb;
    if (SENT.includes(verb) || AIMED.includes(verb)) {
      this.asking = AIMED.includes(verb) ? (verb === "attack" ? "goal" : "target") : "goal";
      this.find("question").textContent = this.asking === "target" ? message("At which target? Click an enemy, or name it:") : message("Where to? Click the map, or name a place:");
      this.find("where").value = "";
      this.show();
      this.map?.figure.scrollIntoView({ block: "nearest" });
    } else this.propose("");
  }

  answer(where) {
    if (!where || !this.asking) return;
    this.asking = null;
    this.show();
    this.propose(where).catch(() => this.say(message("The server could not be reached.")));
  }

  say(words) { this.find("proposed").textContent = words; }

  // A sentence begins with a capital, unless it begins with the name of a unit.
  sentence(words) {
    const [first] = words.split(/[\s:,]/, 1);
    return this.text.known.has(first.toLowerCase()) ? words : `${words[0].toUpperCase()}${words.slice(1)}`;
  }

  async propose(where) {
    const body = new FormData(this.form);
    const aim = AIMED.includes(this.verb) ? { target: where, goal: "" } : { goal: where, target: "" };
    const wish = { units: [...this.chosen].join(" "), verb: this.verb, shape: this.find("shape").value, ...aim };
    for (const [name, value] of Object.entries(wish)) body.set(name, value);
    this.say("…");
    const answer = await fetch(this.box.dataset.address, { method: "POST", body, credentials: "same-origin" }).catch(() => null);
    if (!answer) { this.say(message("The server cannot be reached. Your orders are unchanged; try again in a moment.")); return; }
    if (!answer.ok) { this.say(message("The server could not propose any orders for that.")); return; }
    const { lines = [], left_out = [], remarks = [], objections = [] } = await answer.json();
    if (lines.length) this.text.put(lines);
    const why = [...remarks, ...objections.map(({ why, rule }) => `${why} (${rule})`)].join("; ");
    const done = this.chosen.size - left_out.length;
    const given = this.verb === "hold" ? message_n("{done} of {n} unit holds.", "{done} of {n} units hold.", this.chosen.size, { done }) : message_n("{order}: {done} of {n} unit has its order.", "{order}: {done} of {n} units have their order.", this.chosen.size, { order: `${this.verb} ${where}`.trim(), done });
    this.say([given, ...(left_out.length && !why ? [message("Left out: {units}.", { units: left_out.join(", ") })] : []), ...(why ? [`${this.sentence(why)}.`] : [])].join(" "));
  }

  key(event) {
    if (event.target.closest?.("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && (this.asking || this.map?.boxing)) { this.asking = null; this.box_mode(false); this.show(); return; }
    const verb = [...this.box.querySelectorAll("[data-verb]")].find(({ dataset }) => dataset.verb[0] === event.key.toLowerCase());
    if (verb && this.chosen.size > 1) { event.preventDefault(); this.press(verb.dataset.verb); }
  }

  count() {
    const idle = new Set(this.text.idle(this.all));
    for (const row of this.rows) {
      const able = this.text.able(this.units_in(row));
      const without = able.filter((unit) => idle.has(unit)).length;
      row.querySelector("[data-count]").textContent = !able.length ? message("no unit to order now") : without ? message("{idle} of {all} without an order", { idle: without, all: able.length }) : message("all {all} have an order", { all: able.length });
      row.classList.toggle("idle", without > 0);
      for (const pick of row.querySelectorAll("[data-pick]")) pick.classList.toggle("idle", idle.has(pick.dataset.pick));
    }
    this.find("idle").textContent = idle.size ? message("{idle} of {all} without an order", { idle: idle.size, all: this.text.able(this.all).length }) : message("Every unit has an order");
    this.find("idle").disabled = !idle.size;
  }

  // Commands used by each formation, as the server has counted them; a refusal that names a formation marks it.
  limits({ spent = {}, refusals = [] }) {
    const against = refusals.flatMap(({ objections }) => objections.map(({ why }) => why)).join(" ");
    for (const row of this.rows) {
      const { limit, formation } = row.dataset;
      const place = row.querySelector("[data-spent]");
      if (limit === undefined || !place) continue;
      const over = Boolean(against) && against.includes(row.dataset.name);
      const used = spent[formation];
      if (over) place.textContent = message_n("more than {n} command", "more than {n} commands", Number(limit));
      else if (used === undefined) place.textContent = message_n("{n} command", "{n} commands", Number(limit));
      else place.textContent = message_n("{used} / {n} command", "{used} / {n} commands", Number(limit), { used });
      row.classList.toggle("over", over);
    }
  }
}

// --- the review before sealing, and which button stands out

class Review {
  constructor(form, area, units) {
    Object.assign(this, { form, area, units, text: new OrderText(area, units), sure: false });
    this.dialog = document.querySelector("[data-review]");
    const verbs = form.dataset.verbs.split(" ").filter(Boolean);
    this.acting = verbs.length > 0; // not a set-up
    this.quiet = this.acting && !verbs.includes("move"); // most units need no order in this phase
  }

  begin() {
    this.area.addEventListener("input", () => this.weigh());
    this.weigh();
    if (!this.dialog) return;
    this.form.addEventListener("submit", (event) => this.stop(event));
    this.dialog.querySelector("[data-back]").addEventListener("click", () => this.dialog.close());
    for (const seal of this.dialog.querySelectorAll("[data-seal]")) seal.addEventListener("click", () => { this.dialog.close(); this.seal(); });
  }

  weigh() {
    const idle = !this.quiet && this.text.idle(this.units).length > 0;
    const [submit, final] = ["submit", "final"].map((value) => this.form.querySelector(`button[value=${value}]`));
    final?.classList.toggle("loud", !idle);
    submit?.classList.toggle("loud", idle);
  }

  // Ask the server for its review of the orders; if there is none, seal them at once.
  stop(event) {
    const button = event.submitter;
    if (this.sure || !["submit", "final"].includes(button?.value)) return;
    event.preventDefault();
    if (this.looking) return; // pressed twice
    this.button = button;
    this.looking = true;
    this.look().finally(() => { this.looking = false; });
  }

  seal() {
    this.form.elements.reviewed.value = "1";
    this.sure = true;
    this.form.requestSubmit(this.button);
    this.sure = false;
  }

  async look() {
    const body = new FormData(this.form, this.button);
    const answer = await fetch(this.form.dataset.address, { method: "POST", body, credentials: "same-origin" }).catch(() => null);
    const { review = [] } = answer?.ok ? await answer.json() : {};
    if (!answer) document.querySelector("[data-check]").replaceChildren(make("p", { className: "refusal", textContent: this.dialog.dataset.lost }));
    else if (review.length) this.open(review);
    else this.seal(); // the page says what is wrong with the orders
  }

  open(points) {
    const near = this.beside_enemies();
    if (near.length) points.push(this.dialog.dataset.near.replace("{units}", near.join(", ")));
    this.dialog.querySelector("[data-points]").replaceChildren(...points.map((words) => make("li", { textContent: words })));
    for (const seal of this.dialog.querySelectorAll("[data-seal]")) seal.hidden = seal.dataset.seal !== this.button.value;
    this.dialog.showModal();
  }

  beside_enemies() {
    const { map } = this;
    const hex = map?.svg.querySelector("[data-hex]")?.getBBox();
    if (!hex) return [];
    const orders = this.text.orders();
    const enemies = map.units.filter((group) => group.dataset.own === undefined && group.dataset.unit).map((group) => map.centre_of(group.dataset.unit));
    return this.units.filter((unit) => {
      const goal = /\b(?:move|road|enter)\s+([a-z]+\d+)/i.exec(orders.of(unit))?.[1];
      const at = goal && map.centre_of(map.hex_named(goal));
      return at && enemies.some((enemy) => enemy && Math.hypot(enemy.x - at.x, enemy.y - at.y) < 1.2 * Math.max(hex.width, hex.height));
    });
  }
}

{
  const box = document.querySelector("[data-formations]");
  const area = document.querySelector("#lines");
  const form = document.querySelector("[data-orders]");
  const rows = [...document.querySelectorAll("[data-row]")].map((row) => row.dataset.row);
  if (area && form) {
    const many = box ? new Many(box, area, form) : null;
    const units = many?.all.length ? many.all : rows;
    const review = units.length ? new Review(form, area, units) : null;
    many?.begin();
    review?.begin();
    document.addEventListener("desk", ({ detail }) => {
      many?.meet(detail);
      if (review) review.map = detail.map;
      detail.desk.many = many;
    });
  }
}
