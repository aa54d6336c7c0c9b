// The live map: the picture as a document, so that it can be moved, zoomed and pointed at. Without scripts it is a picture.
"use strict";

const MOST = 8; // the closest zoom
const LEGIBLE = { wide: 0.8, small: 0.72 }; // pixels for one unit of the picture at which counters can be read
const CLOSEST = 1.3; // the first view of a map with few units is not enlarged further than this
const SMALL = 700; // a window narrower than this is a phone's
const LONG = 550; // milliseconds of a long press
const SVG = "http://www.w3.org/2000/svg";

const make = (name, properties = {}, ...children) => {
  const element = document.createElement(name);
  const { attributes = {}, ...others } = properties;
  Object.assign(element, others);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const draw = (name, attributes = {}, text = "") => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
};
const box = (text) => {
  const [x, y, width, height] = text.split(" ").map(Number);
  return { x, y, width, height };
};

class LiveMap {
  constructor(figure, svg) {
    this.figure = figure;
    this.svg = svg;
    this.window = figure.querySelector(".map-window");
    this.whole = box(svg.dataset.map ?? svg.getAttribute("viewBox")); // without the key below it
    this.pointers = new Map();
    this.moved = 0;
    this.key = `map ${location.pathname} ${figure.dataset.map}`; // each exchange starts with a view of the units
    this.centres = new Map();
    this.planned = []; // where units that are not on the map yet will stand
    this.on_unit = () => {}; // handler of clicks
    this.on_hex = () => {};
    this.on_box = null; // handler of boxes around own units
    this.boxing = false;
  }

  begin() {
    const address = this.window.querySelector("img").src;
    for (const name of ["width", "height"]) this.svg.removeAttribute(name);
    this.svg.setAttribute("role", "group");
    this.window.replaceChildren(this.svg);
    this.window.classList.add("live");
    this.window.tabIndex = 0;
    this.window.setAttribute("role", "region");
    this.window.setAttribute("aria-label", message("Map: arrow keys move it, plus and minus zoom, 0 shows all of it"));
    this.take_out_key();
    this.gather_ground();
    this.signs = this.svg.appendChild(draw("g", { class: "signs", "pointer-events": "none", "aria-hidden": "true" }));
    this.marks = this.svg.appendChild(draw("g", { class: "marks", "pointer-events": "none" }));
    this.add_buttons();
    this.add_overview(address);
    this.card = this.window.appendChild(make("div", { className: "map-card", hidden: true }));
    this.upgrade_units();
    this.labels = new Labels(this);
    this.window.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.window.addEventListener("keydown", (event) => this.press(event));
    this.window.addEventListener("pointerdown", (event) => this.hold(event));
    this.window.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.window.addEventListener(end, (event) => this.let_go(event));
    this.svg.addEventListener("click", (event) => this.click(event));
    this.recall();
    addEventListener("resize", () => this.show(this.shown));
  }

  // In the picture the key is below the map; here it unfolds separately and is never cut off.
  take_out_key() {
    const key = this.svg.querySelector("[data-key]");
    if (!key) return;
    const own = draw("svg", { viewBox: key.dataset.key, role: "img", "aria-label": message("Key to the map") });
    own.append(key);
    this.figure.after(make("details", { className: "key" }, make("summary", { textContent: message("Key to the map") }), make("div", { className: "key-sheet", tabIndex: 0 }, own)));
  }

  add_buttons() {
    this.buttons = this.figure.appendChild(make("div", { className: "map-buttons" }));
    this.add_button("M12 5v14M5 12h14", message("Zoom in"), () => this.zoom(1.5));
    this.add_button("M5 12h14", message("Zoom out"), () => this.zoom(1 / 1.5));
    this.add_button("M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5", message("Show the whole map"), () => this.show(this.whole));
    this.add_button("M5 8h8v8H5zM9 4v2M9 18v2M17 6l3 3M17 18l3-3", message("Back to the units"), () => this.show(this.first()));
  }

  add_button(path, name, act) {
    const icon = draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
    icon.append(draw("path", { d: path }));
    const button = make("button", { type: "button", title: name, attributes: { "aria-label": name } }, icon);
    button.addEventListener("click", act);
    this.buttons.append(button);
    return button;
  }

  // A small map of the whole, with a frame around what is shown. It is shown only while part of the map is out of view.
  add_overview(address) {
    const picture = draw("svg", { viewBox: Object.values(this.whole).join(" "), "aria-hidden": "true" });
    this.extent = draw("rect", { class: "extent" });
    const image = draw("image", { href: address, ...this.whole });
    const { x, y, width, height } = box(this.svg.getAttribute("viewBox"));
    for (const [name, value] of Object.entries({ x, y, width, height })) image.setAttribute(name, value);
    picture.append(image, this.extent);
    this.overview = this.window.appendChild(make("div", { className: "overview" }, picture));
    picture.addEventListener("click", (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
      this.centre(at);
      event.stopPropagation();
    });
  }

  // --- units: one tab stop for all of them; the arrow keys move from one to the next

  upgrade_units() {
    this.units = [...this.svg.querySelectorAll("[data-unit]")];
    for (const [index, group] of this.units.entries()) {
      const words = group.querySelector("title")?.textContent ?? group.dataset.unit;
      group.querySelector("title")?.remove(); // the card shows it, without a delay
      group.setAttribute("tabindex", index ? "-1" : "0");
      group.setAttribute("role", "button");
      group.setAttribute("aria-label", words.replaceAll("\n", "; "));
      for (const come of ["pointerenter", "focus"]) group.addEventListener(come, () => this.look(group, words));
      for (const leave of ["pointerleave", "blur"]) group.addEventListener(leave, () => this.look(null));
      group.addEventListener("focus", () => this.reveal(this.centre_of(group.dataset.unit)));
      group.addEventListener("keydown", (event) => this.step(event, group));
    }
  }

  step(event, group) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.on_unit(group, event);
      return;
    }
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!ways[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    const [dx, dy] = ways[event.key];
    const here = this.centre_of(group.dataset.unit);
    const far = (other) => {
      const there = this.centre_of(other.dataset.unit);
      const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
      const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
      return along > 1 ? along + 2 * aside : Infinity;
    };
    const next = this.units.reduce((best, other) => (far(other) < far(best) ? other : best), group);
    if (next !== group) this.focus(next);
  }

  focus(group) {
    for (const other of this.units) other.setAttribute("tabindex", other === group ? "0" : "-1");
    group.focus({ preventScroll: true });
  }

  look(group, words = "") {
    this.card.textContent = words;
    this.card.hidden = !words;
    const spots = (group?.dataset.spots ?? "").split(" ").filter(Boolean);
    for (const other of this.units) other.classList.toggle("spotted", spots.includes(other.dataset.unit));
  }

  click(event) {
    if (this.moved > 6) return;
    const under = document.elementsFromPoint(event.clientX, event.clientY); // the topmost element may be only a marker
    const found = (kind) => under.map((one) => one.closest(kind)).find((one) => one && this.svg.contains(one));
    const group = event.target.closest("[data-unit]") ?? found("[data-unit]");
    const hex = found("[data-hex]")?.dataset.hex;
    if (group) this.on_unit(group, event, hex);
    else if (hex) this.on_hex(hex, event);
  }

  // Everything below the first unit is ground: in the dark it is drawn in dark colours, counters are not.
  gather_ground() {
    const children = [...this.svg.children];
    const first = children.findIndex((one) => one.matches("[data-unit]") || one.querySelector("[data-unit]"));
    const below = (first < 0 ? children : children.slice(0, first)).filter((one) => !["title", "desc", "defs", "clipPath"].includes(one.localName));
    const ground = draw("g", { class: "ground" });
    (first < 0 ? below.at(-1)?.nextSibling : children[first])?.before(ground);
    if (!ground.parentNode) this.svg.append(ground);
    ground.append(...below.filter((one) => !one.querySelector("[data-hex]")));
    for (const one of below.filter((each) => each.querySelector("[data-hex]"))) ground.after(one);
    this.ground = ground;
  }

  // The units of an opened stack are shown side by side until another unit is chosen.
  fan(unit) {
    this.fold();
    const stack = this.stack_of(unit);
    const middle = stack.length > 1 && this.centre_of(stack[0].dataset.at);
    if (!middle) return;
    const columns = Math.min(stack.length, 4), rows = Math.ceil(stack.length / columns);
    for (const [index, group] of stack.entries()) {
      group.dataset.home = group.getAttribute("transform");
      const column = index % columns, row = Math.floor(index / columns);
      group.setAttribute("transform", `translate(${middle.x + (column - (columns - 1) / 2) * 72} ${middle.y + (row - (rows - 1) / 2) * 72})scale(1.1)`);
      group.classList.add("fanned");
      this.svg.insertBefore(group, this.signs);
    }
    for (const badge of this.svg.querySelectorAll(`[data-badge="${CSS.escape(stack[0].dataset.at)}"]`)) badge.classList.add("put-away");
  }

  fold() {
    for (const group of this.svg.querySelectorAll(".fanned")) {
      group.setAttribute("transform", group.dataset.home);
      group.classList.remove("fanned");
    }
    for (const badge of this.svg.querySelectorAll(".put-away")) {
      badge.classList.remove("put-away");
      this.svg.insertBefore(badge, this.signs); // the restacked counters are drawn above its old place
    }
  }

  group_of(unit) {
    return this.units.find((group) => group.dataset.unit === unit);
  }

  stack_of(unit) {
    const at = this.group_of(unit)?.dataset.at;
    return at ? this.units.filter((group) => group.dataset.at === at) : [];
  }

  // The middle of a unit or a hex, in the picture's units.
  // Find a hex whatever its capitals: "ap4" is aP4 where the map has two boards.
  hex_named(word) {
    this.hexes ??= new Map([...this.svg.querySelectorAll("[data-hex]")].map((path) => [path.dataset.hex.toLowerCase(), path.dataset.hex]));
    return this.hexes.get(word.toLowerCase()) ?? word.toUpperCase();
  }

  centre_of(name) {
    if (!this.centres.has(name)) {
      const group = this.group_of(name);
      const shift = /translate\((-?[\d.]+)[ ,](-?[\d.]+)\)/.exec(group?.getAttribute("transform") ?? "");
      const hex = this.svg.querySelector(`[data-hex="${CSS.escape(name)}"]`);
      const around = hex?.getBBox();
      if (shift) this.centres.set(name, { x: Number(shift[1]), y: Number(shift[2]) });
      else if (around) this.centres.set(name, { x: around.x + around.width / 2, y: around.y + around.height / 2 });
    }
    return this.centres.get(name);
  }

  // Colour hexes by class, and clear the earlier colours.
  paint(classes) {
    for (const hex of this.painted ?? []) hex.removeAttribute("class");
    this.painted = [];
    for (const [name, kind] of Object.entries(classes)) {
      const hex = this.svg.querySelector(`[data-hex="${CSS.escape(name)}"]`);
      if (!hex) continue;
      hex.setAttribute("class", kind);
      this.painted.push(hex);
    }
  }

  // --- the visible part of the map

  // Screen distance to map distance; the picture is fitted into the window and keeps its shape.
  get scale() {
    return Math.max(this.shown.width / this.window.clientWidth, this.shown.height / this.window.clientHeight);
  }

  // The first view: all units if their counters are readable, otherwise the player's own and their surroundings.
  first() {
    const centres = (groups) => groups.map((group) => this.centre_of(group.dataset.unit)).filter(Boolean);
    const all = this.around([...centres(this.units), ...this.planned]);
    if (!all || this.svg.dataset.arrow) return this.whole; // a table without hexes is seen whole
    const mine = [...centres(this.units.filter((group) => group.dataset.own !== undefined)), ...this.planned];
    const aside = getComputedStyle(this.buttons).position === "absolute" ? this.buttons.offsetWidth + 12 : 0;
    const width = this.window.clientWidth - aside, height = this.window.clientHeight;
    const legible = width < SMALL ? LEGIBLE.small : LEGIBLE.wide;
    const fit = Math.min(width / all.width, height / all.height);
    const scale = Math.max(Math.min(fit, CLOSEST), legible);
    const seen = { x: width / scale, y: height / scale };
    const own = this.around(this.together(mine, seen)) ?? all;
    // Centre on all units, but shift back far enough to keep the player's own in view.
    const middle = (axis, length) => {
      const wanted = all[axis] + all[length] / 2, home = own[axis] + own[length] / 2;
      const spare = Math.max(0, (seen[axis] - own[length]) / 2);
      return Math.min(Math.max(wanted, home - spare), home + spare);
    };
    const shown = { width: this.window.clientWidth / scale, height: height / scale };
    return this.inside({ x: middle("x", "width") - seen.x / 2, y: middle("y", "height") - seen.y / 2, ...shown });
  }

  // The places that can be seen at once: all, or as many as fit around one of them.
  together(places, seen) {
    const room = { x: seen.x - 150, y: seen.y - 150 };
    const beside = (place) => places.filter((other) => Math.abs(other.x - place.x) <= room.x / 2 && Math.abs(other.y - place.y) <= room.y / 2);
    const all = this.around(places);
    if (!all || (all.width <= seen.x && all.height <= seen.y)) return places;
    return places.map(beside).reduce((best, others) => (others.length > best.length ? others : best), []);
  }

  around(places) {
    if (!places.length) return null;
    const xs = places.map((place) => place.x), ys = places.map((place) => place.y);
    const margin = 75;
    return { x: Math.min(...xs) - margin, y: Math.min(...ys) - margin, width: Math.max(...xs) - Math.min(...xs) + 2 * margin, height: Math.max(...ys) - Math.min(...ys) + 2 * margin };
  }

  // The same part, moved so that as little as possible of it lies outside the map.
  inside({ x, y, width, height }) {
    const within = (at, length, from, whole) => (length >= whole ? from + (whole - length) / 2 : Math.min(Math.max(at, from), from + whole - length));
    return { x: within(x, width, this.whole.x, this.whole.width), y: within(y, height, this.whole.y, this.whole.height), width, height };
  }

  show({ x, y, width, height }) {
    if (!this.window.clientWidth) return; // not laid out yet
    this.shown = { x, y, width, height };
    this.svg.setAttribute("viewBox", [x, y, width, height].map((n) => Math.round(n * 10) / 10).join(" "));
    const scale = this.scale;
    const seen = { width: this.window.clientWidth * scale, height: this.window.clientHeight * scale };
    for (const [name, value] of Object.entries({ x: x + width / 2 - seen.width / 2, y: y + height / 2 - seen.height / 2, ...seen })) this.extent.setAttribute(name, value);
    this.overview.hidden = seen.width * seen.height > 0.7 * this.whole.width * this.whole.height;
    this.step_aside(x, y, width, height);
    this.labels?.fit(1 / scale);
    try { sessionStorage.setItem(this.key, JSON.stringify(this.shown)); } catch { /* a private window remembers nothing */ }
  }

  // The small map goes into the lower corner that covers fewer units.
  step_aside(x, y, width, height) {
    const low = (this.units ?? []).map((group) => this.centre_of(group.dataset.unit)).filter((at) => at && at.y > y + height * 0.7 && at.y < y + height);
    const right = low.filter((at) => at.x > x + width * 0.65 && at.x < x + width).length;
    const left = low.filter((at) => at.x > x && at.x < x + width * 0.35).length;
    this.overview.classList.toggle("aside", right > left);
  }

  recall() {
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem(this.key) ?? "null"); } catch { /* as above */ }
    this.remembered = Boolean(kept && Object.values(kept).every(Number.isFinite));
    this.show(this.remembered ? kept : this.first());
  }

  centre(at) {
    this.show(this.inside({ ...this.shown, x: at.x - this.shown.width / 2, y: at.y - this.shown.height / 2 }));
  }

  // Bring a place into view if it is outside.
  reveal(at) {
    if (!at) return;
    const edge = 50;
    const { x, y, width, height } = this.shown;
    if (at.x < x + edge || at.x > x + width - edge || at.y < y + edge || at.y > y + height - edge) this.centre(at);
  }

  at(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  zoom(by, at = null) {
    const { x, y, width, height } = this.shown;
    const wanted = Math.min(Math.max(width / by, this.whole.width / MOST), this.whole.width * 1.3);
    const factor = width / wanted;
    const middle = at ?? { x: x + width / 2, y: y + height / 2 };
    this.show({ x: middle.x - (middle.x - x) / factor, y: middle.y - (middle.y - y) / factor, width: width / factor, height: height / factor });
  }

  move(dx, dy) {
    const { x, y, width, height } = this.whole; // the middle stays on the map
    const within = (at, from, length) => Math.min(Math.max(at, from), from + length);
    const half = { x: this.shown.width / 2, y: this.shown.height / 2 };
    this.show({ ...this.shown, x: within(this.shown.x + dx + half.x, x, width) - half.x, y: within(this.shown.y + dy + half.y, y, height) - half.y });
  }

  wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / (event.deltaMode ? 20 : 500)), this.at(event));
  }

  press(event) {
    const step = this.shown.width / 8;
    const acts = {
      ArrowLeft: () => this.move(-step, 0), ArrowRight: () => this.move(step, 0),
      ArrowUp: () => this.move(0, -step), ArrowDown: () => this.move(0, step),
      "+": () => this.zoom(1.3), "=": () => this.zoom(1.3), "-": () => this.zoom(1 / 1.3), 0: () => this.show(this.whole),
    };
    if (acts[event.key]) { event.preventDefault(); acts[event.key](); }
  }

  hold(event) {
    if (event.target.closest("button, .overview")) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.moved = 0;
    this.corner = null;
    if (!this.on_box || this.pointers.size > 1) return;
    if (this.boxing || (event.shiftKey && event.pointerType === "mouse")) this.begin_box(event);
    else if (event.pointerType === "touch") this.pressed = setTimeout(() => this.long_press(event), LONG);
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    this.moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (this.moved > 6) clearTimeout(this.pressed);
    if (this.corner) { this.pointers.set(event.pointerId, now); this.draw_box(event); return; }
    if (this.moved > 6 && !this.window.hasPointerCapture(event.pointerId)) {
      this.window.setPointerCapture(event.pointerId);
      this.window.classList.add("held");
    }
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    if (others.length) {
      const [other] = others;
      const apart = (place) => Math.hypot(place.x - other.x, place.y - other.y) || 1;
      this.zoom(apart(now) / apart(before), this.at({ clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 }));
    } else if (this.moved > 6) {
      this.move((before.x - now.x) * this.scale, (before.y - now.y) * this.scale);
    }
    this.pointers.set(event.pointerId, now);
  }

  // --- a box around units: with the shift key, by the button, or after a long press

  begin_box(event) {
    this.corner = this.at(event);
    this.frame = this.marks.parentNode.appendChild(draw("rect", { class: "box-frame", x: this.corner.x, y: this.corner.y, width: 0, height: 0 }));
  }

  long_press(event) {
    const group = event.target.closest?.("[data-unit]");
    this.moved = 7; // the release is not a click
    if (group) this.on_unit(group, { long: true });
    else this.begin_box(event);
  }

  draw_box(event) {
    const to = this.at(event);
    const area = { x: Math.min(to.x, this.corner.x), y: Math.min(to.y, this.corner.y), width: Math.abs(to.x - this.corner.x), height: Math.abs(to.y - this.corner.y) };
    for (const [name, value] of Object.entries(area)) this.frame.setAttribute(name, value);
    this.area = area;
  }

  end_box() {
    const { x, y, width, height } = this.area ?? { x: 0, y: 0, width: 0, height: 0 };
    this.frame?.remove();
    this.corner = this.frame = this.area = null;
    const inside = (at) => at && at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height;
    const own = this.units.filter((group) => group.dataset.own !== undefined && inside(this.centre_of(group.dataset.unit)));
    this.on_box(own.map((group) => group.dataset.unit));
  }

  let_go(event) {
    clearTimeout(this.pressed);
    if (this.corner && this.pointers.has(event.pointerId)) this.end_box();
    this.pointers.delete(event.pointerId);
    this.window.classList.remove("held");
  }
}

// Names on the map stay legible at every zoom: place names grow as the map shrinks and make way for counters and
// for each other; hex names too small to read are left out, and units get a label with their name beside them.
const LEAST = 8; // the size of the smallest name that can be read, in pixels

class Labels {
  constructor(map) {
    this.map = map;
    const hexes = map.svg.querySelectorAll("[data-hex]").length;
    const texts = (group) => [...group.children].filter((one) => one.localName === "text");
    this.grids = [...map.ground.querySelectorAll("g")].filter((group) => hexes && texts(group).length > hexes / 2);
    const in_grid = new Set(this.grids.flatMap(texts));
    const readable = (text) => !in_grid.has(text) && /[^\W\d]{3}/u.test(text.textContent) && Number(text.getAttribute("fill-opacity") ?? 1) > 0.3 && text.hasAttribute("x");
    const words = [...map.ground.querySelectorAll("text"), ...map.svg.querySelectorAll(":scope > .names > text")].filter(readable);
    const often = (text) => words.filter((other) => other.textContent === text.textContent).length > 2;
    this.notes = words.filter(often); // labels of things in many hexes, such as dust; far away their pattern must do
    const above = texts(map.svg).filter(readable); // names of objectives, over the counters
    for (const text of above) text.classList.add("objective-name");
    const named = (text, first) => ({ text, first, x: Number(text.getAttribute("x")), y: Number(text.getAttribute("y")), size: parseFloat(getComputedStyle(text).fontSize) || 14, anchor: getComputedStyle(text).textAnchor });
    this.names = [...above.map((text) => named(text, true)), ...words.filter((text) => !often(text)).map((text) => named(text, false))]
      .sort((one, other) => other.first - one.first || other.size - one.size);
    this.axes = [...map.svg.querySelectorAll("[data-axes] text")]; // the margin has room for this much
    this.moving = Boolean(map.figure.closest("[data-film]")); // in a film units move, and its scenes name them
    this.stacks = this.gather();
    this.zoom = 0;
  }

  // The positions of the units, stack by stack; units are not named while they move.
  stand(stacks) {
    this.moving = stacks === null;
    this.stacks = stacks ?? this.stacks;
    if (this.moving) this.map.signs.replaceChildren();
    else this.redraw();
  }

  // The units by hex, for one label each; the player's own hexes come first.
  gather() {
    const found = new Map();
    for (const group of this.map.units) {
      const at = this.map.centre_of(group.dataset.unit);
      if (!at) continue;
      const key = group.dataset.at ?? group.dataset.unit;
      found.set(key, [...(found.get(key) ?? []), { unit: group.dataset.unit, own: group.dataset.own !== undefined, ...at }]);
    }
    return [...found.values()].sort((one, other) => other[0].own - one[0].own);
  }

  // `zoom` is pixels for one unit of the picture; very small changes are ignored.
  fit(zoom) {
    if (Math.abs(Math.log(zoom / (this.zoom || 1e-9))) < 0.12) return;
    this.zoom = zoom;
    this.redraw();
  }

  redraw() {
    const { zoom } = this;
    for (const one of [...this.grids, ...this.notes]) one.style.display = zoom < 0.5 ? "none" : "";
    for (const text of this.axes) text.style.fontSize = `${Math.min(Math.max(14, 10 / zoom), text.getAttribute("text-anchor") === "middle" ? 24 : 17)}px`;
    const taken = this.counters(zoom);
    const said = [];
    for (const name of this.names) {
      const again = zoom < 0.5 && said.some((words) => words.includes(name.text.textContent)); // the objective's label already has this name
      if (again) name.text.style.display = "none";
      else if (this.place(name, zoom, taken)) said.push(name.text.textContent);
    }
    this.map.signs.replaceChildren(...(zoom < 0.5 && !this.moving ? this.signs(zoom, taken) : []));
  }

  counters(zoom) {
    return this.stacks.flat().map(({ x, y }) => ({ x: x - 29, y: y - 29, width: 58, height: 58 }));
  }

  clear(box, taken) {
    return taken.every((other) => box.x + box.width < other.x || other.x + other.width < box.x || box.y + box.height < other.y || other.y + other.height < box.y);
  }

  box(x, y, size, words, anchor = "middle") {
    const width = words.length * size * 0.56;
    return { x: anchor === "middle" ? x - width / 2 : anchor === "end" ? x - width : x, y: y - size * 0.8, width, height: size };
  }

  // How far aside a name must go so that the edge of the map cuts nothing off.
  inward({ x, width }) {
    const { x: left, width: across } = this.map.whole;
    return width > across ? 0 : Math.max(left - x, 0) + Math.min(left + across - x - width, 0);
  }

  on_the_map({ y, height }) {
    return y >= this.map.whole.y && y + height <= this.map.whole.y + this.map.whole.height;
  }

  // Whether a name at this point is at its own place: nearer to it than to any other place with a name.
  own(name, x, y) {
    const away = (other) => Math.hypot(other.x - x, other.y - y);
    return this.names.every((other) => away(name) <= away(other) || other.text.textContent.includes(name.text.textContent));
  }

  // Put a name in this place if there is room; return whether there was.
  place(name, zoom, taken) {
    const { text, x, y, size, anchor } = name;
    const now = Math.max(size, Math.min(12 / zoom, size * 9));
    const step = Math.max(now, 30);
    const tries = [[0, 0], [0, -step], [0, step], [0, -2 * step], [0, 2 * step], [-2 * step, 0], [2 * step, 0], [-step, -step], [step, -step], [-step, step], [step, step]];
    const candidates = tries.map(([aside, dy]) => {
      const dx = aside + this.inward(this.box(x + aside, y + dy, now, text.textContent, anchor));
      return { dx, dy, box: this.box(x + dx, y + dy, now, text.textContent, anchor) };
    });
    const free = now * zoom < LEAST ? undefined : candidates.find(({ dx, dy, box }) => this.clear(box, taken) && this.on_the_map(box) && this.own(name, x + dx, y + dy));
    text.style.fontSize = `${now}px`;
    text.style.display = free || zoom >= 0.5 ? "" : "none"; // far away there is no room for all names
    text.setAttribute("x", x + (free?.dx ?? 0));
    text.setAttribute("y", y + (free?.dy ?? 0));
    if (free || zoom >= 0.5) taken.push(free?.box ?? this.box(x, y, now, text.textContent, anchor));
    return free || zoom >= 0.5;
  }

  signs(zoom, taken) {
    const size = 11 / zoom;
    return this.stacks.flatMap((stack) => {
      const words = stack.length > 1 ? `${stack[0].unit} +${stack.length - 1}` : stack[0].unit;
      const { x, y } = stack[0];
      const others = taken.filter((box) => Math.abs(box.x + box.width / 2 - x) > 1 || Math.abs(box.y + box.height / 2 - y) > 1);
      const free = [[0, -34], [0, 34 + size * 0.8], [34 + size, size * 0.3], [-34 - size, size * 0.3]].map(([dx, dy]) => ({ x: x + dx, y: y + dy })).find((at) => this.clear(this.box(at.x, at.y, size, words), others));
      if (!free) return [];
      taken.push(this.box(free.x, free.y, size, words));
      return [draw("text", { class: stack[0].own ? "sign own" : "sign", x: free.x, y: free.y, "font-size": size }, words)];
    });
  }
}

// Turn the picture of a figure into a live map; if it cannot be loaded, return nothing and leave the picture.
async function live_map(figure) {
  const image = figure.querySelector("img");
  const answer = await fetch(image.currentSrc || image.src, { credentials: "same-origin" });
  if (!answer.ok) return null;
  const parsed = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  const svg = document.importNode(parsed.documentElement, true);
  if (svg.localName !== "svg") return null;
  const map = new LiveMap(figure, svg);
  map.begin();
  return map;
}
