// The film of a turn as one viewer knows it, scene by scene, on the map as it was before the turn. Each scene starts from the
// sum of all scenes before it, so the viewer can jump to any of them. Without scripts the page shows the whole turn at once.
"use strict";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const wide = matchMedia("(min-width: 60rem)");
const STACK = [[0, 0], [14, -12], [-14, 12], [24, 10], [-24, -10], [0, 22], [0, -22], [28, -4], [-28, 4]];

// The last scene watched: stored on the server for an account, and in this browser for other visitors.
class Look {
  constructor(address) {
    Object.assign(this, { address, seen: 0, saving: 0, key: `film ${location.pathname}${location.search}` });
    addEventListener("pagehide", () => { if (this.saving) this.save(); });
  }

  async load() {
    try {
      this.seen = this.address ? (await (await fetch(this.address, { credentials: "same-origin", cache: "no-store" })).json()).scene : Number(localStorage.getItem(this.key) ?? 0);
    } catch { /* a lost connection and a private window remember nothing */ }
    return this;
  }

  note(number) {
    if (number <= this.seen) return;
    this.seen = number;
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.save(), 500);
  }

  save() {
    clearTimeout(this.saving);
    this.saving = 0;
    if (this.address) {
      const body = new URLSearchParams({ scene: this.seen, csrf_token: document.querySelector("[name=csrf_token]").value });
      fetch(this.address, { method: "POST", body, credentials: "same-origin", keepalive: true }).catch(() => {});
    } else {
      try { localStorage.setItem(this.key, this.seen); } catch { /* as above */ }
    }
  }
}

class Film {
  constructor(page, map, film, later, look) {
    Object.assign(this, { page, map, film, later, look });
    this.player = page.querySelector("[data-player]");
    this.caption = page.querySelector("[data-caption]");
    this.items = [...page.querySelectorAll("[data-number]")];
    this.turn = Number(page.dataset.turn);
    this.now = 0; // 0: the whole turn
    this.playing = 0;
    this.scale = Number(map.svg.dataset.scale ?? 1);
    this.homes = new Map(map.units.map((group) => [group.dataset.unit, group.getAttribute("transform") ?? ""]));
  }

  begin() {
    this.trails = this.map.svg.appendChild(draw("g", { "pointer-events": "none" }));
    this.player.hidden = false;
    const acts = {
      first: () => { this.now = 0; this.show(this.near(1)); }, back: () => this.show(this.near(-1)), next: () => this.show(this.near(1)), play: () => this.toggle(),
      loss: () => this.show(this.next_loss()), whole: () => this.whole(), since: () => { this.show(this.unseen); this.play(); }, all: () => this.only(""),
    };
    for (const button of this.page.querySelectorAll("[data-act]")) button.addEventListener("click", () => acts[button.dataset.act]());
    for (const item of this.items) item.addEventListener("click", (event) => { if (!event.target.closest("details, summary")) { event.preventDefault(); this.show(Number(item.dataset.number)); } });
    for (const link of this.page.querySelectorAll("a[data-scene]")) link.addEventListener("click", (event) => { event.preventDefault(); this.show(Number(link.dataset.scene)); });
    for (const one of this.page.querySelectorAll("[data-rules]")) one.addEventListener("toggle", () => this.unfold(one), { once: true });
    this.map.on_unit = (group) => this.only(group.dataset.unit);
    addEventListener("keydown", (event) => this.press(event, acts));
    addEventListener("hashchange", () => this.from_address());
    this.offer_the_rest();
    this.page.querySelector("[data-act=loss]").disabled = !this.losses.length;
    this.page.querySelector("[data-highlights]").disabled = !this.scenes.some((scene) => scene.weight > 1);
    if (!this.from_address()) this.whole();
  }

  // The rules and dice of a scene are fetched when the reader unfolds them.
  async unfold(one) {
    const answer = await fetch(one.dataset.rules, { credentials: "same-origin" }).catch(() => null);
    if (!answer?.ok) return; // the plain link stays
    const story = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-story]");
    if (story) one.querySelector("p").replaceWith(document.importNode(story, true));
  }

  get scenes() {
    return this.film.scenes;
  }

  // A turn that was watched to the end is no longer new.
  offer_the_rest() {
    this.unseen = this.look.seen + 1;
    this.page.querySelector("[data-act=since]").hidden = !this.look.seen || this.look.seen >= this.scenes.length;
  }

  press(event, acts) {
    if (event.target.closest("input, select, textarea, .map-window") || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = { " ": "play", ArrowRight: "next", ArrowLeft: "back", n: "loss", Home: "first", End: "whole" };
    if (event.key === " " && event.target.closest("button, summary, a")) return;
    if (keys[event.key]) { event.preventDefault(); acts[keys[event.key]](); }
  }

  from_address() {
    if (location.hash === "#play") {
      this.show(this.near(1));
      if (!calm.matches) this.play();
      if (!wide.matches) this.player.scrollIntoView({ block: "start" });
      return true;
    }
    const found = new RegExp(`^#turn-${this.turn}\\.(\\d+)`).exec(location.hash);
    const number = Number(found?.[1] ?? 0);
    if (number < 1 || number > this.scenes.length) return false;
    if (number !== this.now) this.show(number);
    if (!wide.matches) this.player.scrollIntoView({ block: "start" }); // the browser went to the sentence, below the map
    return true;
  }

  wanted(scene) {
    return !this.page.querySelector("[data-highlights]").checked || scene.weight > 1;
  }

  near(step) {
    for (let number = this.now + step; number >= 1 && number <= this.scenes.length; number += step) if (this.wanted(this.scenes[number - 1])) return number;
    return this.now || (step > 0 ? 1 : this.scenes.length);
  }

  get losses() {
    return this.scenes.filter((scene) => scene.shows.some((shown) => shown.type === "lose"));
  }

  next_loss() {
    const { losses } = this;
    return (losses.find((scene) => scene.number > this.now) ?? losses[0])?.number ?? this.now;
  }

  // --- the fold: the position of each unit before a scene

  fold(upto) {
    const at = new Map(Object.entries(this.film.before));
    for (const scene of this.scenes.slice(0, upto)) {
      for (const shown of scene.shows) {
        if (shown.type === "move") at.set(shown.who, shown.path.at(-1));
        else if (shown.type === "appear") at.set(shown.who, [shown.place, shown.facing ?? null]);
        else if (shown.type === "lose" || shown.type === "vanish") at.delete(shown.who);
      }
    }
    return at;
  }

  point(place) {
    return Array.isArray(place) ? { x: place[0] * this.scale, y: place[1] * this.scale } : this.map.centre_of(place);
  }

  group_of(unit) {
    let group = this.map.group_of(unit);
    if (!group) {
      const other = this.later.querySelector(`[data-unit="${CSS.escape(unit)}"]`);
      if (!other) return null;
      group = document.importNode(other, true);
      this.trails.before(group);
      this.map.units.push(group);
      this.homes.set(unit, group.getAttribute("transform") ?? "");
    }
    return group;
  }

  place(at, free = new Map()) {
    const crowds = new Map();
    for (const unit of new Set([...this.homes.keys(), ...at.keys()])) {
      const group = this.group_of(unit);
      if (!group) continue;
      const [place] = at.get(unit) ?? [];
      group.setAttribute("visibility", place || free.has(unit) ? "visible" : "hidden");
      const point = free.get(unit) ?? (place && this.point(place));
      if (!point) continue;
      const crowd = crowds.get(String(place)) ?? 0;
      if (!free.has(unit)) crowds.set(String(place), crowd + 1);
      const [dx, dy] = free.has(unit) || Array.isArray(place) ? [0, 0] : STACK[crowd % STACK.length];
      const rest = this.homes.get(unit).replace(/^translate\([^)]*\)/, "");
      const facing = point.facing ?? at.get(unit)?.[1];
      const turned = Array.isArray(place) && facing !== null && facing !== undefined ? rest.replace(/^rotate\([^)]*\)/, `rotate(${facing})`) : rest;
      group.setAttribute("transform", `translate(${point.x + dx} ${point.y + dy})${turned}`);
    }
  }

  // --- showing

  // The units after a scene, each where it ends; where counters are too small to read, names appear beside them.
  settle(number) {
    const at = this.fold(number);
    this.place(at);
    const stacks = new Map();
    for (const [unit, [place]] of at) {
      const group = this.map.group_of(unit), point = place && this.point(place);
      if (group && point) stacks.set(String(place), [...(stacks.get(String(place)) ?? []), { unit, own: group.dataset.own !== undefined, ...point }]);
    }
    this.map.labels.stand([...stacks.values()]);
  }

  whole() {
    this.stop();
    this.now = 0;
    if (location.hash.startsWith("#turn-")) history.replaceState(null, "", location.pathname + location.search); // the address no longer names a scene
    this.settle(this.scenes.length);
    this.trails.innerHTML = this.scenes.filter((scene) => scene.weight > 2 || scene.kind === "move" || scene.kind === "fail").map((scene) => scene.marks).join("");
    this.caption.textContent = message("The whole turn.");
    this.mark_item();
    this.map.show(this.map.whole);
  }

  show(number) {
    const scene = this.scenes[number - 1];
    if (!scene) return;
    cancelAnimationFrame(this.frame);
    this.now = number;
    this.trails.innerHTML = scene.marks;
    this.caption.textContent = `${this.turn}.${number} ${scene.say}`;
    if (this.page.querySelector("[data-follow]").checked) this.follow(scene);
    this.mark_item();
    history.replaceState(null, "", `#turn-${this.turn}.${number}`);
    this.look.note(number);
    const moves = scene.shows.filter((shown) => shown.type === "move");
    if (calm.matches || !moves.length) this.settle(number);
    else this.animate(number, moves, scene.seconds * 600 / this.speed);
  }

  animate(number, moves, length) {
    const before = this.fold(number - 1);
    const start = performance.now();
    const step = (time) => {
      const part = Math.min(Math.max((time - start) / length, 0), 1);
      this.place(before, new Map(moves.map((move) => [move.who, this.along(move.path, part)]).filter(([, point]) => point)));
      if (part < 1) this.frame = requestAnimationFrame(step);
      else this.settle(number);
    };
    this.map.labels.stand(null);
    this.frame = requestAnimationFrame(step);
  }

  along(path, part) {
    const points = path.map(([place, facing]) => ({ ...this.point(place), facing })).filter((point) => point.x !== undefined);
    if (!points.length) return null;
    const at = part * (points.length - 1);
    const [from, to] = [points[Math.floor(at)], points[Math.ceil(at)]];
    return { x: from.x + (to.x - from.x) * (at % 1), y: from.y + (to.y - from.y) * (at % 1), facing: to.facing };
  }

  follow(scene) {
    const places = scene.shows.flatMap((shown) => [shown.place, shown.origin, shown.goal, ...(shown.path ?? []).map(([place]) => place), ...(shown.places ?? [])]);
    const known = this.fold(scene.number - 1);
    const units = scene.units.map((unit) => known.get(unit)?.[0]);
    const points = [...places, ...units].filter(Boolean).map((place) => this.point(place)).filter(Boolean);
    const around = this.map.around(points);
    if (!around) return;
    const least = Math.min(this.map.whole.width / 3, this.map.window.clientWidth / 0.8); // no closer than is needed to read the counters
    const middle = { x: around.x + around.width / 2, y: around.y + around.height / 2 };
    const enough = (axis) => Math.min(Math.max(around[axis], least), this.map.whole[axis]);
    const size = { width: enough("width"), height: enough("height") };
    this.map.show(this.map.inside({ x: middle.x - size.width / 2, y: middle.y - size.height / 2, ...size }));
  }

  mark_item() {
    for (const item of this.items) {
      const here = Number(item.dataset.number) === this.now;
      item.classList.toggle("now", here);
      if (here) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
      if (here && wide.matches) item.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" }); // on a narrow screen this would scroll the map out of sight
    }
    this.page.querySelector("[data-act=whole]").setAttribute("aria-pressed", String(this.now === 0));
    for (const group of this.map.units) group.classList.toggle("chosen", this.now > 0 && this.scenes[this.now - 1].units.includes(group.dataset.unit));
  }

  only(unit) {
    for (const item of this.items) item.hidden = Boolean(unit) && !item.dataset.units.split(" ").includes(unit);
    this.page.querySelector("[data-filter]").hidden = !unit;
    this.page.querySelector("[data-filter-unit]").textContent = unit;
  }

  // --- playing

  get speed() {
    return Number(this.page.querySelector("[data-speed]").value);
  }

  toggle() {
    if (this.playing) this.stop();
    else { if (this.near(1) <= this.now) this.now = 0; /* after the last scene, from the beginning */ this.show(this.near(1)); this.play(); }
  }

  play() {
    clearTimeout(this.playing);
    this.page.querySelector("[data-act=play]").textContent = message("Stop");
    const scene = this.scenes[this.now - 1];
    this.playing = setTimeout(() => {
      const next = this.near(1);
      if (next === this.now) { this.stop(); return; }
      this.show(next);
      this.play();
    }, (scene?.seconds ?? 1) * 1000 / this.speed);
  }

  stop() {
    clearTimeout(this.playing);
    this.playing = 0;
    cancelAnimationFrame(this.frame);
    this.page.querySelector("[data-act=play]").textContent = message("Play");
  }
}

const svg_of = async (address) => {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(address);
  return document.importNode(new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement, true);
};

(async () => {
  const page = document.querySelector("[data-film]");
  const figure = page?.querySelector("[data-stage]");
  if (!figure) return;
  const [look, film, before, after] = await Promise.all([new Look(page.dataset.look).load(), fetch(page.dataset.film, { credentials: "same-origin" }).then((answer) => answer.json()), svg_of(page.dataset.before), svg_of(page.dataset.after)]);
  const map = new LiveMap(figure, before);
  map.begin();
  new Film(page, map, film, after, look).begin();
  figure.dataset.ready = "";
})();
