// The page of a match: a live map, orders by clicking, and news without reloading. Everything works without it too.
"use strict";

const page = document.querySelector("[data-match]");
const lines = document.querySelector("#lines");

// --- the map: fetched once more as a document, so that its units can be pointed at -------------------------------

const MOST = 8; // how far in one can zoom
const SMALL = 700; // a window this narrow begins where the units are

class LiveMap {
  constructor(figure, svg) {
    this.figure = figure;
    this.svg = svg;
    this.window = figure.querySelector(".map-window");
    const box = (text) => { const [x, y, width, height] = text.split(" ").map(Number); return { x, y, width, height }; };
    this.picture = box(svg.getAttribute("viewBox"));
    this.whole = box(svg.dataset.map ?? svg.getAttribute("viewBox")); // without the key below it
    this.start = this.window.clientWidth < SMALL && svg.dataset.focus ? box(svg.dataset.focus) : this.whole;
    this.shown = this.start;
    this.pointers = new Map();
    this.moved = 0;
    this.key = "map " + location.pathname;
  }

  begin() {
    for (const name of ["width", "height"]) this.svg.removeAttribute(name);
    this.svg.setAttribute("role", "group");
    this.window.replaceChildren(this.svg);
    this.window.classList.add("live");
    this.window.tabIndex = 0;
    this.window.setAttribute("aria-label", "Map: arrow keys move it, plus and minus zoom, 0 shows all of it");
    this.addButtons();
    this.addCard();
    this.window.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.window.addEventListener("keydown", (event) => this.press(event));
    this.window.addEventListener("pointerdown", (event) => this.hold(event));
    this.window.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.window.addEventListener(end, (event) => this.let_go(event));
    this.recall();
  }

  addButtons() {
    const box = document.createElement("div");
    box.className = "map-buttons";
    for (const [sign, name, act] of [["+", "Zoom in", () => this.zoom(1.5)], ["−", "Zoom out", () => this.zoom(1 / 1.5)], ["▢", "Show the whole map", () => this.show(this.whole)]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.title = name;
      button.setAttribute("aria-label", name);
      button.addEventListener("click", act);
      box.append(button);
    }
    this.figure.append(box);
  }

  addCard() {
    this.card = document.createElement("div");
    this.card.className = "map-card";
    this.card.hidden = true;
    this.window.append(this.card);
  }

  // Screen distance to map distance; the picture is fitted into the window and keeps its shape.
  get scale() {
    return Math.max(this.shown.width / this.window.clientWidth, this.shown.height / this.window.clientHeight);
  }

  show({ x, y, width, height }) {
    this.shown = { x, y, width, height };
    this.svg.setAttribute("viewBox", [x, y, width, height].map((n) => Math.round(n * 10) / 10).join(" "));
    try { sessionStorage.setItem(this.key, JSON.stringify(this.shown)); } catch { /* a private window remembers nothing */ }
  }

  recall() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.key) ?? "null");
      this.show(kept && Object.values(kept).every(Number.isFinite) ? kept : this.start);
    } catch { this.show(this.start); }
  }

  at(event) {
    const point = new DOMPoint(event.clientX, event.clientY);
    return point.matrixTransform(this.svg.getScreenCTM().inverse());
  }

  zoom(by, at = null) {
    const { x, y, width, height } = this.shown;
    const wanted = Math.min(Math.max(width / by, this.whole.width / MOST), this.picture.width * 1.3);
    const factor = width / wanted;
    const middle = at ?? { x: x + width / 2, y: y + height / 2 };
    this.show({ x: middle.x - (middle.x - x) / factor, y: middle.y - (middle.y - y) / factor, width: width / factor, height: height / factor });
  }

  move(dx, dy) {
    this.show({ ...this.shown, x: this.shown.x + dx, y: this.shown.y + dy });
  }

  wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / (event.deltaMode ? 20 : 500)), this.at(event));
  }

  press(event) {
    if (event.target !== this.window && !["+", "-", "0"].includes(event.key)) return;
    const step = this.shown.width / 8;
    const acts = {
      ArrowLeft: () => this.move(-step, 0), ArrowRight: () => this.move(step, 0),
      ArrowUp: () => this.move(0, -step), ArrowDown: () => this.move(0, step),
      "+": () => this.zoom(1.3), "=": () => this.zoom(1.3), "-": () => this.zoom(1 / 1.3), 0: () => this.show(this.whole),
    };
    if (acts[event.key]) { event.preventDefault(); acts[event.key](); }
  }

  hold(event) {
    if (event.target.closest("button")) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.moved = 0;
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    this.moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
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

  let_go(event) {
    this.pointers.delete(event.pointerId);
    this.window.classList.remove("held");
  }

  tell(text) {
    this.card.textContent = text ?? "";
    this.card.hidden = !text;
  }
}

// --- orders by clicking: a unit, then what it shall do ------------------------------------------------------------

class OrderDesk {
  // `verbs` are patterns such as "hold" or "fire {unit}" or "move {hex}", which the map brings along.
  constructor(map, verbs) {
    this.map = map;
    this.verbs = verbs;
    this.bar = document.createElement("div"); // at the map, where the pointer is
    this.bar.className = "verbs";
    this.bar.hidden = true;
    map.window.after(this.bar);
    this.unit = null;
    this.verb = null;
    this.pressed = null;
  }

  begin() {
    for (const group of this.map.svg.querySelectorAll("[data-unit]")) {
      const words = group.querySelector("title")?.textContent ?? group.dataset.unit;
      group.querySelector("title")?.remove(); // the card says it, and at once
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "button");
      group.setAttribute("aria-label", words);
      for (const come of ["pointerenter", "focus"]) group.addEventListener(come, () => this.look(group, words));
      for (const leave of ["pointerleave", "blur"]) group.addEventListener(leave, () => this.look(null));
      group.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.click_unit(group); }
      });
    }
    this.map.svg.addEventListener("click", (event) => {
      if (this.map.moved > 6) return;
      const group = event.target.closest("[data-unit]");
      const hex = event.target.closest("[data-hex]");
      if (group) this.click_unit(group);
      else if (hex) this.click_hex(hex.dataset.hex);
    });
  }

  look(group, words = "") {
    this.map.tell(words);
    const spots = (group?.dataset.spots ?? "").split(" ").filter(Boolean);
    for (const other of this.map.svg.querySelectorAll("[data-unit]")) {
      other.classList.toggle("spotted", spots.includes(other.dataset.unit));
    }
  }

  click_unit(group) {
    const name = group.dataset.unit;
    if (this.wanted() === "unit" && group.dataset.own === undefined) this.fill(name);
    else if (this.wanted() === "hex") this.fill(group.dataset.at);
    else if (group.dataset.own !== undefined && lines) this.choose(group);
  }

  click_hex(hex) {
    if (this.wanted() === "hex") this.fill(hex);
  }

  // What the chosen verb waits for: a unit, a hex, or nothing more.
  wanted() {
    return /\{(unit|hex)\}/.exec(this.verb ?? "")?.[1] ?? null;
  }

  fill(name) {
    this.say(this.verb.replace(/\{(unit|hex)\}/, name));
  }

  choose(group) {
    this.map.svg.querySelector(".chosen")?.classList.remove("chosen");
    group.classList.add("chosen");
    this.unit = group.dataset.unit;
    this.verb = this.pressed = null;
    this.select(this.line_of(this.unit) ?? this.append(`${this.unit} `));
    this.offer();
  }

  offer() {
    this.bar.hidden = false;
    const name = document.createElement("strong");
    const place = this.line_of(this.unit);
    name.textContent = place ? lines.value.slice(place.from, place.to).trim() : this.unit;
    this.bar.replaceChildren(name, ...this.verbs.map((verb) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "quiet";
      button.textContent = verb.replace(/\{(unit|hex)\}/g, "…");
      button.setAttribute("aria-pressed", String(verb === this.pressed));
      button.addEventListener("click", () => { this.pressed = verb; this.say(verb); });
      return button;
    }));
    if (this.wanted()) {
      const hint = document.createElement("span");
      hint.setAttribute("role", "status");
      hint.textContent = this.wanted() === "unit" ? "now click the target" : "now click the hex";
      this.bar.append(hint);
    }
  }

  say(verb) {
    this.verb = verb;
    if (!this.wanted()) this.write(verb);
    this.offer();
  }

  write(order) {
    const place = this.line_of(this.unit) ?? this.append(`${this.unit} `);
    const line = `${this.unit} ${order}`;
    lines.setRangeText(line, place.from, place.to, "end");
    lines.dispatchEvent(new Event("input"));
    this.verb = this.pressed = null;
    this.select(this.line_of(this.unit));
  }

  // Where the order of a unit stands, without the remark behind it.
  line_of(unit) {
    const name = unit.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const found = new RegExp(`^[ \\t]*${name}(?![\\w-])[^#\\n]*`, "im").exec(lines.value);
    return found && { from: found.index, to: found.index + found[0].trimEnd().length };
  }

  append(text) {
    const gap = lines.value && !lines.value.endsWith("\n") ? "\n" : "";
    const from = lines.value.length + gap.length;
    lines.value += gap + text + "\n";
    return { from, to: from + text.trimEnd().length };
  }

  select(place) {
    if (!place) return;
    if (matchMedia("(pointer: fine)").matches) lines.focus({ preventScroll: true }); // a telephone would open its keyboard
    lines.setSelectionRange(place.from, place.to);
    const row = lines.value.slice(0, place.from).split("\n").length;
    lines.scrollTop = (row - 3) * (lines.scrollHeight / lines.value.split("\n").length);
  }
}

async function upgrade(figure) {
  const image = figure.querySelector("img");
  const answer = await fetch(image.currentSrc || image.src, { credentials: "same-origin" });
  if (!answer.ok) return;
  const parsed = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  const svg = document.importNode(parsed.documentElement, true);
  if (svg.localName !== "svg") return;
  const map = new LiveMap(figure, svg);
  map.begin();
  new OrderDesk(map, (svg.dataset.verbs ?? "").split(";").filter(Boolean)).begin();
  figure.dataset.ready = "";
}

for (const figure of document.querySelectorAll("[data-map]")) upgrade(figure).catch(() => { /* the picture stays */ });

// --- the nearest legal orders become buttons ----------------------------------------------------------------------

for (const code of document.querySelectorAll("[data-instead][data-line]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = code.textContent;
  button.addEventListener("click", () => {
    const line = code.dataset.line;
    const from = lines ? lines.value.indexOf(line) : -1;
    if (from < 0) return;
    lines.setRangeText(code.dataset.instead, from, from + line.length, "select");
    lines.focus();
  });
  code.replaceWith(button);
}

// --- news: ask now and then whether the match has moved on --------------------------------------------------------

if (page) {
  let tag = null;
  let first = null;
  let touched = false;
  lines?.addEventListener("input", () => { touched = true; });
  if (location.pathname !== new URL(page.dataset.url, location.href).pathname) history.replaceState(null, "", page.dataset.url);

  const ask = async () => {
    if (document.hidden) return;
    const answer = await fetch(page.dataset.status, { headers: tag ? { "If-None-Match": tag } : {}, credentials: "same-origin", cache: "no-store" });
    if (answer.status !== 200) return;
    tag = answer.headers.get("ETag");
    const now = await answer.json();
    if (first === null) { first = now; return; }
    if (now.view === first.view && now.exchange === first.exchange && now.state === first.state) return;
    if (touched) page.querySelector("[data-news]").hidden = false;
    else location.assign(page.dataset.url);
  };
  ask().catch(() => {});
  setInterval(() => ask().catch(() => {}), 15000);
}
