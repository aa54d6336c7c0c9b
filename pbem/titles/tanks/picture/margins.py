"""T3 The margins of the picture: axes in centimetres, a compass rose in degrees, and cover by direction.

    axes      centimetres from the north-west corner, along all four edges
    rose      bearings: 0 is north, 90 east
    cover     T7.7 the directions from which a tank has cover, is in the open, or cannot be seen

One unit is a millimetre.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from pbem.engine.geometry.plane import Point
from pbem.titles.tanks.ground.arrow import Course
from pbem.titles.tanks.ground.geometry import unit
from pbem.titles.tanks.ground.line_of_sight import blockers, hidden_corners, in_wood, sees_any_part
from pbem.titles.tanks.ground.terrain import hull, screens
from pbem.titles.tanks.player.words import mm
from pbem.titles.tanks.shooting.shots import COVER_CORNERS
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank

MARGIN: Final = 28
"""Room for the axes around the table."""
INK: Final = "#4a3d26"
DIRECTIONS: Final = tuple(range(0, 360, 20))
"""T7.7 The directions for which cover is shown."""
RING: Final = 52
"""The radius of the cover ring drawn around a tank."""
STYLE: Final = {
    "open": 'stroke="#a3140a" stroke-width="3"',
    "cover": 'stroke="#2f6b1f" stroke-width="7"',
    "unseen": 'stroke="#6b5c3e" stroke-width="2" stroke-dasharray="2 4"',
}
"""Line styles that differ in more than colour: cover is thick, open is thin, unseen is dashed."""


def axes(size: int) -> Iterator[str]:
    """T3.1 Axes in centimetres along every edge, with a tick every five and a number every ten."""
    ticks = "".join(
        f"M{at} 0v-{long}M{at} {size}v{long}M0 {at}h-{long}M{size} {at}h{long}"
        for at in range(0, size + 1, 50)
        for long in (9 if at % 100 == 0 else 5,)
    )
    yield f'<g data-axes=""><path d="{ticks}" stroke="{INK}" fill="none"/>'
    for at in range(0, size + 1, 100):
        places = ((at, -12, "middle"), (at, size + 24, "middle"), (-11, at + 5, "end"), (size + 11, at + 5, "start"))
        for x, y, anchor in places:
            words = f"{at // 10}" if at else "0 cm" if y < 0 else "0"
            yield f'<text x="{x}" y="{y}" font-size="14" text-anchor="{anchor}" fill="{INK}">{words}</text>'
    yield "</g>"


def rose(x: int, y: int, reach: int) -> Iterator[str]:
    """T5.1 A rose of bearings in degrees around a point."""
    yield f'<g data-rose="" transform="translate({x} {y})"><circle r="{reach}" fill="none" stroke="{INK}"/>'
    names = {0: "N", 90: "E", 180: "S", 270: "W"}
    for bearing in range(0, 360, 15):
        inner = around(bearing, 10 * (reach - (9 if bearing % 45 == 0 else 4)))
        outer = around(bearing, 10 * reach)
        yield f'<path d="M{mm_of(inner.x)} {mm_of(inner.y)}L{mm_of(outer.x)} {mm_of(outer.y)}" stroke="{INK}"/>'
        if bearing % 45 == 0:
            at = around(bearing, 10 * (reach + 13))
            words = f"{bearing}° {names[bearing]}" if bearing in names else f"{bearing}°"
            style = f'font-size="10" text-anchor="middle" fill="{INK}"'
            yield f'<text x="{mm_of(at.x)}" y="{mm_of(at.y + 35)}" {style}>{words}</text>'
    yield "</g>"


def around(bearing: int, reach: int) -> Point:
    """The point that is this distance from the centre in the direction of a bearing."""
    return Course(Point(0, 0), bearing).at(Fraction(reach))


def mm_of(tenths: int) -> str:
    """A coordinate in millimetres, which may be negative."""
    return mm(tenths) if tenths >= 0 else f"-{mm(-tenths)}"


def cover(situation: Situation, tank: Tank) -> Iterator[str]:
    """T7.7 A ring of arcs around a tank: how much of it a shooter two arrows away in each direction would see."""
    place = f'transform="translate({mm(tank.at.x)} {mm(tank.at.y)})"'
    yield f'<g data-cover="{tank.id}" display="none" fill="none" {place}>'
    for bearing, how in zip(DIRECTIONS, cover_by_direction(situation, tank), strict=True):
        start, end = (around(bearing + turn, 10 * RING) for turn in (-9, 9))
        way = f"M{mm_of(start.x)} {mm_of(start.y)}A{RING} {RING} 0 0 1 {mm_of(end.x)} {mm_of(end.y)}"
        yield f'<path d="{way}" {STYLE[how]}/>'
    yield "</g>"


def cover_by_direction(situation: Situation, tank: Tank) -> Iterator[str]:
    """T7.2, T7.7, T6.2 Yield `open`, `cover` or `unseen` for each direction, clockwise from north."""
    body, between = hull(situation.data, tank), screens(situation, tank.id)
    wood, reach = in_wood(body, between), 2 * situation.data.scenario.arrow
    for bearing in DIRECTIONS:
        step = unit(bearing)
        eye = Point(tank.at.x + step.x * reach // 10**6, tank.at.y + step.y * reach // 10**6)
        spot = (eye, Point(eye.x + 1, eye.y), Point(eye.x + 1, eye.y + 1), Point(eye.x, eye.y + 1))
        if not sees_any_part(eye, body, blockers(between, spot, body)):
            yield "unseen"
        elif wood or len(hidden_corners(eye, spot, body, between)) >= COVER_CORNERS:
            yield "cover"
        else:
            yield "open"
