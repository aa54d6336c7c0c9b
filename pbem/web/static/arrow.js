// The desk of a table without hexes: click a tank, then where its measuring arrow shall point, or whom it shall shoot at.
// Places are only drawn here; the server measures. As everywhere, the order text is the one truth.
"use strict";

const SNAP = 5; // degrees the arrow snaps to; with the shift key it takes every one
const TURNS = { ahead: 0, right: 90, back: 180, left: 270 };
const COMPASS = { n: 0, ne: 45, e: 90, se: 135, s: 180, sw: 225, w: 270, nw: 315 };

const step_from = ({ x, y }, bearing, length) => {
  const angle = (bearing * Math.PI) / 180;
  return { x: x + length * Math.sin(angle), y: y - length * Math.cos(angle) };
};
const bearing_to = (from, to) => ((Math.atan2(to.x - from.x, from.y - to.y) * 180) / Math.PI + 360) % 360;

const arrow_desk = (Desk) => class extends Desk {
  begin() {
    this.arrow = Number(this.map.svg.dataset.arrow);
    this.phase = this.map.svg.dataset.phase;
    this.aim = this.map.svg.appendChild(draw("g", { "pointer-events": "none" }));
    super.begin();
    this.map.window.addEventListener("pointermove", (event) => this.point(event));
    this.map.window.addEventListener("pointerleave", () => this.aim.replaceChildren());
    this.map.window.addEventListener("click", (event) => {
      if (this.map.moved <= 6 && !event.target.closest("[data-unit], button, .overview")) this.click_table(event);
    });
  }

  // --- the order of the chosen tank: its line begins with the name and a colon

  said(unit = this.sheet.unit) {
    return this.orders.of(`${unit}:`);
  }

  say(order) {
    this.orders.write(`${this.sheet.unit}:`, order);
    this.announcer.textContent = `${this.sheet.unit}: ${order}`;
    this.render();
  }

  pick(choice, { unit = "" } = {}) {
    this.picked = { choice, unit };
    if (choice.line.includes("{x}")) this.render(); // the place is still to be pointed at
    else this.say(choice.line.replace("{unit}", unit));
  }

  order_of(unit) {
    return this.said(unit) || this.orders.of(unit);
  }

  order_line() {
    if (!this.sheet.own || !lines || !this.sheet.choices?.length) return null;
    const { unit } = this.sheet;
    return make("p", { className: "order-line" }, make("code", { textContent: this.place_of(unit) ? `${unit} ${this.orders.of(unit)}` : `${unit}: ${this.said()}` }), " ", this.next_button() ?? "");
  }

  // There are no hexes to be shaded.
  shading_list() {
    return null;
  }

  // --- clicks

  click_unit(group) {
    const { unit, own } = group.dataset;
    const told = this.told() && own === undefined;
    if (told && this.phase === "shooting") this.shoot(unit);
    else if (told && this.phase === "movement") this.add_leg(`toward ${unit}`);
    else this.open(unit, { focus: document.activeElement === group });
  }

  shoot(target) {
    const before = /^shoot (.*)$/.exec(this.said())?.[1].split(/[\s,]+/) ?? [];
    const wished = before.includes(target) ? before.filter((other) => other !== target) : [...before, target];
    this.say(wished.length ? `shoot ${wished.join(", ")}` : "hold");
  }

  // Whether the chosen tank is one's own and can be told something now.
  told() {
    return Boolean(this.sheet?.own && lines && this.sheet.choices?.length);
  }

  click_table(event) {
    if (this.told() && this.placing()) this.place(this.map.at(event));
    else if (this.told() && this.phase === "movement") this.add_leg(String(this.snapped(event)));
    else if (this.sheet) this.close();
  }

  // --- set-up: a tank that is not on the table yet stands where one points

  placing() {
    return this.sheet.choices.find((choice) => choice.line?.includes("{x}"));
  }

  place({ x, y }) {
    const line = this.placing().line.replace("{x}", Math.round(x)).replace("{y}", Math.round(y));
    this.orders.write(this.sheet.unit, line);
    this.announcer.textContent = `${this.sheet.unit} ${line}`;
    this.render();
  }

  // Where the order text places a tank.
  place_of(unit) {
    const found = /^at ([\d.]+)[ ,/]+([\d.]+)(?: face (\d+))?/.exec(this.orders.of(unit));
    return found && { x: Number(found[1]), y: Number(found[2]), heading: Number(found[3] ?? 0) };
  }

  // One more arrow; after the last that the tank may make, it begins anew.
  add_leg(way) {
    const legs = this.leg_words(this.sheet.unit);
    const most = Number(this.map.group_of(this.sheet.unit).dataset.moves);
    this.say([...(legs.length < most ? legs : []), `move ${way}`].join(" then "));
  }

  leg_words(unit) {
    return this.said(unit).split(/\s+then\s+/).filter((leg) => leg.startsWith("move "));
  }

  // --- facing

  facing_list() {
    const legs = this.leg_words(this.sheet.unit);
    if (this.phase !== "movement" || !legs.length || !this.told()) return null;
    const last = legs.at(-1).replace(/ face .*$/, "");
    const buttons = Object.entries(TURNS).map(([side, turn]) => this.button(side, () => this.say([...legs.slice(0, -1), `${last} face ${side}`].join(" then ")), { pressed: this.turn_of(legs.at(-1)) === turn, focus: `face ${side}` }));
    return make("div", { className: "choices", attributes: { role: "group", "aria-label": "Facing" } }, make("span", { className: "dim", textContent: "Facing, from the arrow:" }), ...buttons);
  }

  turn_of(leg) {
    const word = / face (\w+)/.exec(leg)?.[1] ?? "ahead";
    const way = Number(/^move (\d+)/.exec(leg)?.[1] ?? 0);
    return TURNS[word] ?? (Math.round(((Number(word) - way + 360) % 360) / 90) % 4 * 90 || 0); // a number is a bearing
  }

  choice_list() {
    if (!this.told()) return [];
    if (this.placing()) return [make("p", { className: "hint", textContent: "Click where it shall stand." })];
    const hints = { movement: "Click where the arrow shall point; again for the next move. A click on an enemy points at it.", shooting: "Click the targets, the best first." };
    return [make("p", { className: "hint", textContent: hints[this.phase] ?? "" }), ...super.choice_list()];
  }

  // --- measuring

  stand_of(unit) {
    const { heading, half } = this.map.group_of(unit).dataset;
    const [length, width] = half.split(" ").map(Number);
    return { at: this.map.centre_of(unit), heading: Number(heading), length, width };
  }

  // T5.1 From the hull's edge an arrow's length on, and half a hull; what stands in the way is left to the server.
  moved(stand, way, turn) {
    const angle = ((way - stand.heading) * Math.PI) / 180;
    const edge = Math.min(stand.length / Math.abs(Math.cos(angle)), stand.width / Math.abs(Math.sin(angle)));
    const half = turn % 180 ? stand.width : stand.length;
    return { ...stand, at: step_from(stand.at, way, edge + this.arrow + half), heading: way + turn, tail: step_from(stand.at, way, edge), tip: step_from(stand.at, way, edge + this.arrow) };
  }

  way_of(stand, leg) {
    const word = /^move (?:toward )?(\S+)/.exec(leg)?.[1] ?? "0";
    const goal = this.map.group_of(word) && this.map.centre_of(word);
    return goal ? Math.round(bearing_to(stand.at, goal)) : COMPASS[word] ?? (Number(word) || 0);
  }

  stands_of(unit) {
    const stands = [this.stand_of(unit)];
    for (const leg of this.leg_words(unit)) {
      const before = stands.at(-1);
      stands.push(this.moved(before, this.way_of(before, leg), this.turn_of(leg)));
    }
    return stands;
  }

  from() {
    const stands = this.stands_of(this.sheet.unit);
    return stands.length > Number(this.map.group_of(this.sheet.unit).dataset.moves) ? stands[0] : stands.at(-1);
  }

  snapped(event) {
    const by = event.shiftKey ? 1 : SNAP;
    return (Math.round(bearing_to(this.from().at, this.map.at(event)) / by) * by) % 360;
  }

  point(event) {
    this.aim.replaceChildren();
    if (!this.told() || this.phase !== "movement" || event.target.closest("[data-unit]")) return;
    const start = this.from(), way = this.snapped(event), there = this.map.at(event);
    const after = this.moved(start, way, 0);
    this.draw_move(this.aim, after, ".55");
    const away = Math.round(Math.hypot(there.x - start.at.x, there.y - start.at.y));
    this.aim.append(draw("text", { x: after.tip.x, y: after.tip.y - 10, "font-size": 15, "text-anchor": "middle", fill: "#0f4a86", stroke: "#fff", "stroke-width": 4, "paint-order": "stroke" }, `${way}° · pointer ${away} mm`));
  }

  draw_move(group, { tail, tip, at, heading, length, width }, opacity) {
    const back = bearing_to(tip, tail);
    const [left, right] = [step_from(tip, back - 25, 14), step_from(tip, back + 25, 14)];
    const line = `M${tail.x} ${tail.y}L${tip.x} ${tip.y}M${left.x} ${left.y}L${tip.x} ${tip.y}L${right.x} ${right.y}`;
    const turned = `translate(${at.x} ${at.y})rotate(${heading})`;
    group.append(
      draw("path", { d: line, fill: "none", stroke: "#0f4a86", "stroke-width": 3.5, "stroke-opacity": opacity }),
      draw("path", { d: `M${-width} ${-length}h${2 * width}v${2 * length}h${-2 * width}zM0 0V${-length}`, transform: turned, fill: "#fdfaf1", "fill-opacity": 0.4, stroke: "#0f4a86", "stroke-width": 2, "stroke-dasharray": "6 4" }),
    );
  }

  // A tank that is to be set up, where it would stand.
  draw_place(unit) {
    const place = this.map.group_of(unit) ? null : this.place_of(unit);
    if (!place) return;
    this.ghost(unit, place);
    const tip = step_from(place, place.heading, 34);
    this.map.marks.append(draw("path", { class: "way", d: `M${place.x} ${place.y}L${tip.x} ${tip.y}` }));
  }

  // --- what the map shows of the orders

  redraw() {
    super.redraw();
    const chosen = this.sheet?.unit;
    for (const unit of this.rows.keys()) this.draw_place(unit);
    for (const lines_of of this.map.svg.querySelectorAll("[data-sight]")) lines_of.setAttribute("display", lines_of.dataset.sight.split(" ")[0] === chosen ? "inline" : "none");
    for (const { dataset } of this.map.units.filter((group) => group.dataset.own !== undefined)) {
      if (this.phase === "movement") for (const after of this.stands_of(dataset.unit).slice(1)) this.draw_move(this.map.marks, after, "1");
      const target = /^shoot (\w+)/.exec(this.said(dataset.unit))?.[1];
      if (target && this.map.group_of(target)) this.stroke(this.map.centre_of(dataset.unit), this.map.centre_of(target), "shot");
    }
  }
};
