"""A turn drawn on its map: arrows, shots, losses and failed orders, for pictures, emails and pages without scripts.

The places come from the picture itself: hexes carry their names (`data-hex`), a table its scale (`data-scale`). The
viewer's own side is solid and blue, the other broken and red, so that colour is never the only distinction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from pbem.engine.rules.happenings import (
    Appear,
    Area,
    Battle,
    Change,
    Control,
    Fail,
    Happening,
    Lose,
    Move,
    Place,
    Shot,
)
from pbem.engine.rules.title import Rules
from pbem.engine.text.messages import ENGLISH, Name, Translator, Value, as_value, say, term
from pbem.engine.text.sentences import why_failed
from pbem.matches.film.scenes import Scene, is_silent, last_changes
from pbem.matches.film.turns import Film
from pbem.matches.film.wording import TOO_LATE, result_of

HEX = re.compile(r'<path data-hex="([^"]+)" d="([^"]+)"')
STEP = re.compile(r"([MLlHhVvz])|(-?\d+(?:\.\d+)?)")
LATEST = re.compile(r'<g class="latest">.*?</g>', re.DOTALL)
"""Finds the marks of the last actions in a title's own picture; no groups are nested in them."""
MOST_BADGES = 3
"""The most badges above or below one place."""
SCALE = re.compile(r'data-scale="([\d.]+)"')
Point = tuple[float, float]

OWN, FOE, INK = "#0b3f77", "#a3140a", "#17130c"


class Paper:
    """The positions of a picture's hexes and points."""

    def __init__(self, svg: str) -> None:
        self._hexes: dict[str, str] = dict(HEX.findall(svg))
        scale = SCALE.search(svg)
        self.scale = float(scale[1]) if scale else 1.0
        self.size = 0.6 if scale else 1.0

    def at(self, place: Place | None) -> Point | None:
        if place is None:
            return None
        if isinstance(place, str):
            return middle(self._hexes[place]) if place in self._hexes else None
        return place[0] * self.scale, place[1] * self.scale


def middle(path: str) -> Point:
    """The centre of a figure made of straight lines."""
    corners = list(corners_of(path))
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def corners_of(path: str) -> Iterator[Point]:
    """Yield the corners of a path made of the commands M, L, H and V, in upper or lower case."""
    x, y, command, numbers = 0.0, 0.0, "M", list[float]()
    for letter, number in STEP.findall(path):
        if letter:
            command, numbers = letter, []
            continue
        numbers.append(float(number))
        if command in "Hh":
            x = numbers.pop() + (x if command == "h" else 0)
        elif command in "Vv":
            y = numbers.pop() + (y if command == "v" else 0)
        elif len(numbers) == 2:
            (dx, dy), numbers = numbers, []
            x, y = (x + dx, y + dy) if command == "l" else (dx, dy)
        else:
            continue
        yield x, y


def solid_side(film: Film) -> str:
    """The side whose moves are solid and blue: the viewer's own side, or the first side if the viewer has none."""
    sides = {stand.side for stand in (*film.before, *film.after)}
    return film.summary.mine or min(sides, default="")


class Pencil:
    """Draws happenings on a map picture for one viewer, in the viewer's language."""

    def __init__(self, paper: Paper, film: Film, rules: Rules, speak: Translator = ENGLISH) -> None:
        self.paper, self.rules, self.speak = paper, rules, speak
        self.sides = {stand.id: stand.side for stand in (*film.before, *film.after)}
        self.mine = solid_side(film)
        self.names = film.summary.names
        self.places: dict[str, Any] = {stand.id: stand.at for stand in film.before}
        self.known = frozenset(self.places)
        self.badges: dict[tuple[Point, bool], list[str]] = {}
        """The badges above and below each point: no badge covers another."""

    def scene(self, scene: Scene, *, whole: bool = False) -> list[str]:
        """Draw everything that a scene shows; for the `whole` turn, only what matters at a glance."""
        if not whole:
            self.badges = {}
        lasting = last_changes(scene)
        passing = [shown for shown in scene.shows if isinstance(shown, Change) and shown not in lasting]
        found = [mark for shown in scene.shows if shown not in passing for mark in self.marks(shown, whole=whole)]
        for shown in scene.shows:
            if isinstance(shown, Move):
                self.places[shown.who] = shown.path[-1][0]
            elif isinstance(shown, Appear):
                self.places[shown.who] = shown.place
        return found

    def marks(self, shown: Happening, *, whole: bool) -> Iterator[str]:
        match shown:
            case Move():
                yield from self.arrow(shown)
            case Shot() if shown.result != TOO_LATE:
                yield from self.shot(shown, whole=whole)
            case Battle():
                yield from self.battle(shown, whole=whole)
            case Lose():
                yield from self.cross(
                    self.paper.at(shown.place if shown.place is not None else self.place(shown.who))
                )
            case Fail() if not why_failed(shown)[1]:
                yield from self.badge(self.place_at(shown.who), term("badge", "failed"), FOE, below=True)
            case Area() if not whole and not is_silent(shown):
                for place in shown.places:
                    yield from self.ring(self.paper.at(place))
            case Control():
                yield from self.badge(self.paper.at(shown.what), self.holder(shown.side), INK)
            case Change() if not whole and not is_silent(shown, self.known):
                now = as_value(self.rules.change_in_words(shown.what, shown.now))
                yield from self.badge(self.place_at(shown.who), now, INK, below=True)
            case Appear() if not whole:
                yield from self.ring(self.paper.at(shown.place))

    def holder(self, side: str) -> Value:
        if not side:
            return say("nobody holds it")
        return say("the {side} side holds it", side=self.names.get(side, side))

    def place(self, unit: str) -> Any:
        return self.places.get(unit)

    def place_at(self, unit: str) -> Point | None:
        return self.paper.at(self.place(unit))

    def colour(self, unit: str) -> tuple[str, str]:
        """The colour and the dash pattern for a unit's side."""
        own = self.sides.get(unit, "") == self.mine
        return (OWN, "") if own else (FOE, ' stroke-dasharray="16 9"')

    def arrow(self, move: Move) -> Iterator[str]:
        points = [point for place, _ in move.path if (point := self.paper.at(place)) is not None]
        points = [point for number, point in enumerate(points) if number == 0 or point != points[number - 1]]
        if len(points) < 2:
            return
        colour, dashes = self.colour(move.who)
        line = "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points)
        width = 7 * self.paper.size
        stroke = f'<path d="{line}" fill="none" stroke-linejoin="round"'
        yield f'{stroke} stroke="#fff" stroke-opacity=".8" stroke-width="{width + 5:.1f}"/>'
        yield f'{stroke} stroke="{colour}" stroke-width="{width:.1f}"{dashes}/>'
        yield head(points[-2], points[-1], colour, self.paper.size)

    def shot(self, shot: Shot, *, whole: bool) -> Iterator[str]:
        start = self.paper.at(shot.origin) or self.place_at(shot.who)
        end = self.paper.at(shot.goal) or self.place_at(shot.at)
        deadly = shot.result in ("ko", "bu", "eliminated", "destroyed")
        if start is None or end is None or (whole and not deadly):
            return
        colour, _ = self.colour(shot.who)
        missed = (
            ' stroke-dasharray="2 10" stroke-linecap="round"'
            if str(result_of(shot)) in ("missed", "no effect")
            else ""
        )
        yield from self.fire_line(start, end, colour, missed)
        if not whole:
            yield from self.badge(end, result_of(shot), colour)

    def fire_line(self, start: Point, end: Point, colour: str, style: str = "") -> Iterator[str]:
        """Draw a line of fire with a pale edge, which sets it off from a dark map."""
        stroke = f'<path d="M{start[0]:.0f} {start[1]:.0f}L{end[0]:.0f} {end[1]:.0f}" fill="none"{style}'
        yield f'{stroke} stroke="#fff" stroke-opacity=".8" stroke-width="{7 * self.paper.size:.1f}"/>'
        yield f'{stroke} stroke="{colour}" stroke-width="{4 * self.paper.size:.1f}"/>'

    def battle(self, battle: Battle, *, whole: bool) -> Iterator[str]:
        """Draw a line from each attacking hex, and the odds and the result above the attacked place."""
        end = self.paper.at(battle.place)
        if end is None:
            return
        colour, _ = self.colour(battle.units[0] if battle.units else "")
        starts = dict.fromkeys(point for unit in battle.units if (point := self.place_at(unit)) not in (None, end))
        for start in starts:
            yield from self.fire_line(start, end, colour)
        if not whole:
            yield from self.badge(end, Name(battle.odds), colour)

    def cross(self, at: Point | None) -> Iterator[str]:
        if at is not None:
            x, y, arm = *at, 26 * self.paper.size
            long = f"{2 * arm:.0f}"
            path = f"M{x - arm:.0f} {y - arm:.0f}l{long} {long}m0 -{long}l-{long} {long}"
            yield f'<path d="{path}" stroke="#fff" stroke-width="14" stroke-linecap="round"/>'
            yield f'<path d="{path}" stroke="{INK}" stroke-width="7" stroke-linecap="round"/>'

    def ring(self, at: Point | None) -> Iterator[str]:
        if at is not None:
            x, y = at
            style = f'fill="none" stroke="{FOE}" stroke-width="5" stroke-dasharray="5 7"'
            yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{36 * self.paper.size:.0f}" {style}/>'

    def badge(self, at: Point | None, said: Value, colour: str, *, below: bool = False) -> Iterator[str]:
        """Draw text in a box above or below a place, beyond the boxes already there, but the same text only once."""
        words = self.speak(said)
        there = self.badges.setdefault((at, below), []) if at is not None else [words]
        if at is None or words in there or len(there) == MOST_BADGES:
            return
        size = 17 * self.paper.size**0.5
        width, x, beyond = len(words) * size * 0.56 + 14, at[0], len(there) * (size + 12)
        y = at[1] + (40 * self.paper.size + beyond if below else -52 * self.paper.size - beyond)
        there.append(words)
        yield (
            f'<rect x="{x - width / 2:.0f}" y="{y:.0f}" width="{width:.0f}" height="{size + 9:.0f}" rx="5" '
            f'fill="#fffdf5" stroke="{colour}" stroke-width="2"/>'
            f'<text x="{x:.0f}" y="{y + size + 1:.0f}" font-size="{size:.0f}" font-weight="700" text-anchor="middle" '
            f'fill="{colour}">{escape(words)}</text>'
        )


def head(before: Point, end: Point, colour: str, size: float) -> str:
    """The head of an arrow."""
    dx, dy = end[0] - before[0], end[1] - before[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1
    ux, uy = dx / length, dy / length
    back, half = 24 * size, 15 * size
    base = end[0] - ux * back, end[1] - uy * back
    corners = [end, (base[0] - uy * half, base[1] + ux * half), (base[0] + uy * half, base[1] - ux * half)]
    points = " ".join(f"{x:.0f},{y:.0f}" for x, y in corners)
    return f'<polygon points="{points}" fill="{colour}" stroke="#fff" stroke-width="2"/>'


def drawn_turn(svg: str, film: Film, rules: Rules, speak: Translator) -> str:
    """The picture after a turn, with the important happenings of the turn in place of the title's latest marks."""
    inside, end, after = LATEST.sub("", svg).rpartition("</svg>")
    return f"{inside}{marks_of_turn(svg, film, rules, speak)}{end}{after}"


def marks_of_turn(svg: str, film: Film, rules: Rules, speak: Translator) -> str:
    """The important happenings of a turn as one SVG group to overlay on the picture."""
    pencil = Pencil(Paper(svg), film, rules, speak)
    drawn = (mark for scene in film.scenes for mark in pencil.scene(scene, whole=True))
    marks = "".join(dict.fromkeys(drawn))  # units that moved together have the same arrow
    return f'<g data-turn="{film.turn}" pointer-events="none">{marks}</g>'


def marks_by_scene(svg: str, film: Film, rules: Rules, speak: Translator) -> Mapping[int, str]:
    """The marks of each scene, to overlay on the picture."""
    pencil = Pencil(Paper(svg), film, rules, speak)
    return {scene.number: "".join(pencil.scene(scene)) for scene in film.scenes}
