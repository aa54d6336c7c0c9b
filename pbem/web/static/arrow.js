// Orders on a table without hexes: click a tank, then the direction of its measuring arrow, or its target.
// The server measures: where each move ends and what stops it comes from the rules themselves (`preview`). Until the
// answer is there a grey outline shows a rough guess. As everywhere, the order text is the single source of truth.
"use strict";

const PAUSE = 120; // milliseconds that the pointer must rest before the server is asked
const KEPT = 400; // the most answers kept
const INK = matchMedia("(prefers-color-scheme: dark)").matches ? { known: "#9ccbff", guessed: "#c9c3b5", wrong: "#ff8f7d" } : { known: "#0f4a86", guessed: "#6b6b6b", wrong: "#a3140a" };
const MOVING = ["movement", "command"]; // phases in which units move
const SNAP = 5; // the arrow snaps to multiples of this many degrees; with the shift key, to whole degrees
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
    this.answers = new Map(); // previews from the server, by order line
    this.preview_address = document.querySelector("[data-orders]")?.dataset.address?.replace(/check$/, "preview");
    this.aim = this.map.svg.appendChild(draw("g", { "pointer-events": "none" }));
    super.begin();
    this.map.window.addEventListener("pointermove", (event) => this.point(event));
    this.map.window.addEventListener("pointerleave", () => { clearTimeout(this.resting); this.aim.replaceChildren(); });
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
    if (choice.line.includes("{x}")) this.render(); // the place has not been pointed at yet
    else this.say(choice.line.replace("{unit}", unit));
  }

  order_of(unit) {
    return this.said(unit) || this.orders.of(unit);
  }

  order_line() {
    if (!this.sheet.own || !lines || !this.sheet.choices?.length) return null;
    const { unit } = this.sheet;
    const order = make("p", { className: "order-line" }, make("code", { textContent: this.place_of(unit) ? `${unit} ${this.orders.of(unit)}` : `${unit}: ${this.said()}` }), " ", this.next_button() ?? "");
    const { said = [], refused = [] } = this.foreseen(unit) ?? {};
    if (!said.length && !refused.length) return order;
    const told = [...said, ...refused.map((why) => message("Not possible: {why}.", { why }))].map((line) => make("li", { textContent: line }));
    return make("div", {}, order, make("ul", { className: "plain small", attributes: { "aria-label": message("As things stand") } }, ...told));
  }

  // --- the server's previews

  line_of(unit) {
    return MOVING.includes(this.phase) && this.leg_words(unit).length ? `${unit}: ${this.said(unit)}` : "";
  }

  foreseen(unit) {
    const line = this.line_of(unit);
    return line ? this.answer_to(line, () => { if (this.line_of(unit) === line) this.show_answer(); }) : null;
  }

  show_answer() {
    if (this.sheet) this.render();
    else this.redraw(); // no tank is chosen: only the map changes
  }

  // Return the stored answer to a line; if there is none, ask the server, and call `then` when the answer comes.
  answer_to(line, then) {
    if (this.answers.has(line)) return this.answers.get(line);
    this.answers.set(line, null);
    if (this.answers.size > KEPT) this.answers.delete(this.answers.keys().next().value);
    this.ask_server(line).then((answer) => { this.answers.set(line, answer); then(answer); }).catch(() => this.answers.delete(line));
    return null;
  }

  async ask_server(line) {
    const body = new FormData(document.querySelector("[data-orders]"));
    for (const name of ["orders", "act"]) body.delete(name);
    body.set("line", line);
    const answer = await fetch(this.preview_address, { method: "POST", body, credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  }

  // The moves of a tank as the server works them out, as positions that can be drawn.
  legs_of(unit, answer) {
    const { length, width } = this.stand_of(unit);
    const place = ([x, y]) => ({ x: Number(x), y: Number(y) });
    return (answer?.tanks?.[unit] ?? []).map((leg) => ({ ...leg, at: place(leg.at), tail: place(leg.tail), tip: place(leg.tip), length, width, known: true }));
  }

  // Do nothing: there are no hexes to shade.
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

  // Whether the chosen tank is the player's own and can be given an order now.
  told() {
    return Boolean(this.sheet?.own && lines && this.sheet.choices?.length);
  }

  click_table(event) {
    const { x, y } = this.map.at(event);
    if (this.many?.asking === "goal") this.many.answer(`${Math.round(x)} ${Math.round(y)}`);
    else if (this.told() && this.placing()) this.place(this.map.at(event));
    else if (this.told() && this.phase === "movement") this.add_leg(String(this.snapped(event)));
    else if (this.sheet) this.close();
  }

  // --- set-up: a tank that is not on the table yet is placed where the player points

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

  // Add an arrow; after the last move that the tank may make, start over.
  add_leg(way) {
    const legs = this.leg_words(this.sheet.unit);
    const most = Number(this.map.group_of(this.sheet.unit).dataset.moves);
    this.say([...(legs.length < most ? legs : []), `move ${way}`].join(" then "));
  }

  // The moves of an order, without its condition and the word for Blitzkrieg.
  leg_words(unit) {
    return this.said(unit).replace(/^if [^:]*:\s*/, "").replace(/^blitz\s+(?=move )/, "").split(/\s+then\s+/).filter((leg) => leg.startsWith("move "));
  }

  // --- facing

  facing_list() {
    const legs = this.leg_words(this.sheet.unit);
    if (this.phase !== "movement" || !legs.length || !this.told()) return null;
    const last = legs.at(-1).replace(/ face .*$/, "");
    const buttons = Object.entries(TURNS).map(([side, turn]) => this.button(side, () => this.say([...legs.slice(0, -1), `${last} face ${side}`].join(" then ")), { pressed: this.turn_of(legs.at(-1)) === turn, focus: `face ${side}` }));
    return make("div", { className: "choices", attributes: { role: "group", "aria-label": message("Facing") } }, make("span", { className: "dim", textContent: message("Facing, measured from the arrow:") }), ...buttons);
  }

  turn_of(leg) {
    const word = / face (\w+)/.exec(leg)?.[1] ?? "ahead";
    const way = Number(/^move (\d+)/.exec(leg)?.[1] ?? 0);
    return TURNS[word] ?? (Math.round(((Number(word) - way + 360) % 360) / 90) % 4 * 90 || 0); // a number is a bearing
  }

  choice_list() {
    if (!this.told()) return [];
    if (this.placing()) return [make("p", { className: "hint", textContent: message("Click where to place it.") })];
    const hints = { movement: message("Click where the arrow should point; click again for the next move. Click an enemy to point at it."), shooting: message("Click the targets, best first.") };
    return [make("p", { className: "hint", textContent: hints[this.phase] ?? "" }), ...super.choice_list()];
  }

  // --- measuring

  stand_of(unit) {
    const { heading, half } = this.map.group_of(unit).dataset;
    const [length, width] = half.split(" ").map(Number);
    return { at: this.map.centre_of(unit), heading: Number(heading), length, width };
  }

  // T5.1 From the hull's edge an arrow's length on, and half a hull; the server finds what is in the way.
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
    const known = this.legs_of(unit, this.foreseen(unit));
    if (known.length) return [this.stand_of(unit), ...known];
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
    clearTimeout(this.resting);
    this.aim.replaceChildren();
    if (!this.told() || this.phase !== "movement" || event.target.closest("[data-unit]")) return;
    const start = this.from(), way = this.snapped(event), there = this.map.at(event);
    const away = message("pointer at {distance} cm", { distance: (Math.hypot(there.x - start.at.x, there.y - start.at.y) / 10).toFixed(1) });
    this.draw_aim(this.moved(start, way, 0), `${way}° · ${away}`);
    const { unit } = this.sheet, line = `${unit}: ${[...this.legs_before(unit), `move ${way}`].join(" then ")}`;
    const show = (answer) => {
      const leg = this.legs_of(unit, answer).at(-1);
      if (leg) this.draw_aim(leg, `${way}° · ${leg.off ? message("off the table") : leg.stopped ? message("stopped by {obstacle}", { obstacle: leg.stopped }) : away}`);
    };
    if (this.answers.get(line)) show(this.answers.get(line));
    else this.resting = setTimeout(() => this.answer_to(line, show), PAUSE);
  }

  // The moves before the one that the player is pointing at.
  legs_before(unit) {
    const legs = this.leg_words(unit);
    return legs.length < Number(this.map.group_of(unit).dataset.moves) ? legs : [];
  }

  draw_aim(after, words) {
    this.aim.replaceChildren();
    this.draw_move(this.aim, after, ".6");
    const { x, y } = after.tip, size = Number(this.map.svg.dataset.map.split(" ")[2]);
    this.aim.append(draw("text", { x: Math.min(Math.max(x, 90), size - 90), y: Math.max(y - 12, 16), "font-size": 15, "text-anchor": "middle", fill: this.ink(after), stroke: "var(--sheet)", "stroke-width": 4, "paint-order": "stroke" }, words));
  }

  ink({ known, off }) {
    return off ? INK.wrong : known ? INK.known : INK.guessed;
  }

  draw_move(group, after, opacity) {
    const { tail, tip, at, heading, length, width, stopped, off } = after, ink = this.ink(after);
    const back = bearing_to(tip, tail);
    const [left, right] = [step_from(tip, back - 25, 14), step_from(tip, back + 25, 14)];
    const line = `M${tail.x} ${tail.y}L${tip.x} ${tip.y}M${left.x} ${left.y}L${tip.x} ${tip.y}L${right.x} ${right.y}`;
    const turned = `translate(${at.x} ${at.y})rotate(${heading})`;
    group.append(
      draw("path", { d: line, fill: "none", stroke: ink, "stroke-width": 3.5, "stroke-opacity": opacity }),
      draw("path", { d: `M${-width} ${-length}h${2 * width}v${2 * length}h${-2 * width}zM0 0V${-length}`, transform: turned, fill: "#fdfaf1", "fill-opacity": 0.4, stroke: ink, "stroke-width": 2, "stroke-dasharray": "6 4" }),
    );
    if (stopped || off) group.append(draw("path", { d: `M${at.x - 9} ${at.y - 9}l18 18m0 -18l-18 18`, stroke: INK.wrong, "stroke-width": 3.5, fill: "none" }));
  }

  // Bearings around the place from which the next arrow is laid.
  draw_rose(at) {
    const reach = this.arrow * 0.62;
    const ticks = Array.from({ length: 24 }, (_, number) => 15 * number).map((way) => {
      const [from, to] = [step_from(at, way, reach - (way % 45 ? 5 : 11)), step_from(at, way, reach)];
      return `M${from.x} ${from.y}L${to.x} ${to.y}`;
    });
    this.map.marks.append(draw("path", { class: "ticks", d: ticks.join(""), "stroke-width": 1.2, fill: "none", "pointer-events": "none" }));
    for (const way of Object.values(COMPASS)) {
      const { x, y } = step_from(at, way, reach + 13);
      this.map.marks.append(draw("text", { class: "sign", x, y: y + 5, "font-size": 14, "pointer-events": "none" }, `${way}°`));
    }
  }

  // Half the length and half the width of a tank that is not on the table yet.
  hull_of(unit) {
    const said = (this.map.svg.dataset.reserves ?? "").split(";").map((one) => one.split(" ")).find(([id]) => id === unit);
    return said ? said.slice(1).map(Number) : [25, 20];
  }

  // A tank during set-up, drawn where it would stand.
  draw_place(unit) {
    const place = this.map.group_of(unit) ? null : this.place_of(unit);
    if (!place) return;
    const { x, y, heading } = place;
    const [length, width] = this.hull_of(unit);
    const d = `M${-width} ${-length}h${2 * width}v${2 * length}h${-2 * width}z`;
    this.map.planned.push({ x, y });
    this.map.marks.append(
      draw("path", { class: "ghost", d, transform: `translate(${x} ${y})rotate(${heading})` }),
      draw("text", { class: "ghost-name", x, y: y + 6 }, unit),
    );
    const [front, tip] = [step_from(place, heading, length - 9), step_from(place, heading, length + 9)];
    this.map.marks.append(draw("path", { class: "way", d: `M${front.x} ${front.y}L${tip.x} ${tip.y}` }));
  }

  // --- orders on the map

  redraw() {
    super.redraw();
    const chosen = this.sheet?.unit;
    for (const unit of this.rows.keys()) this.draw_place(unit);
    for (const lines_of of this.map.svg.querySelectorAll("[data-sight]")) lines_of.setAttribute("display", lines_of.dataset.sight.split(" ")[0] === chosen ? "inline" : "none");
    for (const ring of this.map.svg.querySelectorAll("[data-cover]")) ring.setAttribute("display", ring.dataset.cover === chosen ? "inline" : "none");
    if (this.told() && this.phase === "movement" && this.map.group_of(chosen)) this.draw_rose(this.from().at);
    for (const { dataset } of this.map.units.filter((group) => group.dataset.own !== undefined)) {
      if (MOVING.includes(this.phase)) for (const after of this.stands_of(dataset.unit).slice(1)) this.draw_move(this.map.marks, after, "1");
      const target = /^shoot (\w+)/.exec(this.said(dataset.unit))?.[1];
      if (target && this.map.group_of(target)) this.stroke([this.map.centre_of(dataset.unit), this.map.centre_of(target)], "shot");
    }
  }
};
