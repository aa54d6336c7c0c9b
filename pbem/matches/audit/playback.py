"""The map of a match as a film without a server: one picture after each exchange, and buttons to step through them.

The pictures of a match are nearly alike, so their common beginning and end are stored once.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import msgspec

from pbem.matches.history.record import Record
from pbem.matches.history.replay import load
from pbem.matches.server import Server

MOST_FRAMES = 400

STYLE = (
    "#film svg{max-width:100%;height:auto}#film-map{overflow:auto;max-height:80vh}@media print{#film p{display:none}}"
)

SCRIPT = """
const film = JSON.parse(document.querySelector("#film-data").textContent);
const field = (name) => document.querySelector(`#film-${name}`);
let timer = 0;
const show = (at) => {
  const number = Math.max(0, Math.min(film.frames.length - 1, at));
  field("map").innerHTML = film.start + film.frames[number].picture + film.end;
  field("at").value = String(number);
  field("label").textContent = film.frames[number].label;
};
const stop = () => { clearInterval(timer); timer = 0; field("play").textContent = "Play"; };
field("at").addEventListener("input", (event) => { stop(); show(Number(event.target.value)); });
field("back").addEventListener("click", () => { stop(); show(Number(field("at").value) - 1); });
field("on").addEventListener("click", () => { stop(); show(Number(field("at").value) + 1); });
field("play").addEventListener("click", () => {
  if (timer) return stop();
  field("play").textContent = "Stop";
  timer = setInterval(() => {
    const next = Number(field("at").value) + 1;
    if (next >= film.frames.length) stop(); else show(next);
  }, 1000);
});
show(film.frames.length - 1);
"""


class Frame(msgspec.Struct, frozen=True):
    """The map after an exchange."""

    label: str
    picture: str


def frames(server: Server, record: Record, viewer: str) -> list[Frame]:
    """Draw the map after each valid exchange as the viewer knew it; empty for a title without a map."""
    match = record.stream.removeprefix("match/")
    found = []
    for entry in record.resolved[-MOST_FRAMES:]:
        assert entry.resolved is not None
        here = load(server, match, upto=entry.resolved.version)
        picture = here.rules.picture(here.run.view(viewer), viewer)
        if not picture:
            return []
        found.append(Frame(f"Turn {entry.result.turn}, after exchange {entry.exchange}", picture))
    return found


def _common_start(texts: Sequence[str]) -> str:
    """Return the common beginning of these texts."""
    low, high = min(texts), max(texts)
    return low[: next((n for n, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))]


def as_section(found: Sequence[Frame]) -> str:
    """Return the film as a section of a page, with its script; empty if there is nothing to show."""
    if not found:
        return ""
    pictures = [frame.picture for frame in found]
    start = _common_start(pictures)
    rest = [picture[len(start) :] for picture in pictures]
    end = _common_start([picture[::-1] for picture in rest])[::-1]
    cut = [picture[: len(picture) - len(end)] for picture in rest]
    listed = [{"label": frame.label, "picture": one} for frame, one in zip(found, cut, strict=True)]
    data = msgspec.json.encode({"start": start, "end": end, "frames": listed}).decode().replace("<", "\\u003c")
    last = len(found) - 1
    return (
        '<section id="film"><h2>The map</h2><p><button id="film-back">Back</button> '
        '<button id="film-play">Play</button> <button id="film-on">On</button> '
        f'<input id="film-at" type="range" min="0" max="{last}" value="{last}" '
        f'aria-label="Exchange"> <span id="film-label">{escape(found[-1].label)}</span></p>'
        f'<div id="film-map">{found[-1].picture}</div>'
        f'<script type="application/json" id="film-data">{data}</script><script>{SCRIPT}</script></section>'
    )
