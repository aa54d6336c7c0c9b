"""T5.1, T5.4 A move along the arrow: where the arrow lies, how far it reaches, and where the hull is placed.

    T5.1    Course, reach_to_edge, half_shadow, half_breadth, along
    T5.4    advance, overlapping

The arrow may start anywhere on the hull's outline from which it points away from the hull, and its far end may touch
any point of the edge that faces it when the hull is set down. Both points are given in tenths of a millimetre to the
right of the middle, seen along the arrow; to the left they are negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import floor
from typing import Final, NamedTuple

from pbem.engine.geometry.plane import SCALE, UNIT, Point, cross, dot, minus, plus
from pbem.titles.tanks.ground.geometry import (
    Body,
    Corners,
    box,
    chord,
    corners,
    edges_of,
    grazes,
    shares_ground,
    unit,
)

NUDGE: Final = 2
"""T5.4 A hull that would only graze something is set down next to it, at most this many tenths of a mm away."""
GRAZE: Final = SCALE
"""T5.4 An arrow that cuts off less than a tenth of a millimetre of a corner does not count as crossing it."""


LEAST: Final = 1
"""T5.3 An arrow shorter than a tenth of a millimetre has no length."""


class Obstacle(NamedTuple):
    """Something that stops a move: its name, the rule and its outline."""

    name: str
    rule: str
    corners: Corners


class Arrival(NamedTuple):
    """T5.1 The end of a move, and the obstacle that stopped it, if any."""

    at: Point
    heading: int
    stopped: Obstacle | None


class Course(NamedTuple):
    """T5.1 A straight course from a point in a direction, shifted sideways by `aside`."""

    origin: Point
    way: int
    aside: int = 0

    def at(self, distance: Fraction) -> Point:
        """The point at this distance along the course, rounded once; halves are rounded away from zero."""
        x, y, scale = self.exact(distance)
        return Point(self.origin.x + _round(x, scale), self.origin.y + _round(y, scale))

    def exact(self, distance: Fraction) -> tuple[int, int, int]:
        """The exact vector from the origin to the point at this distance: two numerators and their denominator."""
        step, right = unit(self.way), unit(self.way + 90)
        far, by, scale = distance.numerator, distance.denominator, distance.denominator * SCALE
        return step.x * far + right.x * self.aside * by, step.y * far + right.y * self.aside * by, scale


def along(at: Point, bearing: int, distance: Fraction) -> Point:
    """The point that is this distance from `at` in the direction of a bearing."""
    return Course(at, bearing).at(distance)


def _round(scaled: int, scale: int) -> int:
    whole = (2 * abs(scaled) + scale) // (2 * scale)
    return whole if scaled >= 0 else -whole


# --- T5.1 where the arrow touches the hull -------------------------------------------------------------------


def reach_to_edge(body: Body, relative: int, aside: int = 0) -> Fraction:
    """T5.1 The distance from the hull's centre to where an arrow in the direction `relative` leaves the hull."""
    ahead, across = UNIT[relative % 360]
    halves = ((body.length, ahead, -across), (body.width, across, ahead))  # its step to the right is (-across, ahead)
    return min(
        Fraction(half * SCALE - (aside * drift if part > 0 else -aside * drift), abs(part))
        for half, part, drift in halves
        if part
    )


def half_shadow(body: Body, relative: int) -> int:
    """T5.1 How far to either side of the centre an arrow in this direction can lie and still touch the hull."""
    ahead, across = UNIT[relative % 360]
    return SCALE * (body.length * abs(across) + body.width * abs(ahead)) // (ahead * ahead + across * across)


def half_extent(body: Body, turn: int) -> int:
    """T5.1 The distance along the arrow from a tank's centre to its edge, when the tank is square to the arrow."""
    return body.length if turn % 180 == 0 else body.width


def half_breadth(body: Body, turn: int) -> int:
    """T5.1 The distance across the arrow from a tank's centre to its edge, when the tank is square to the arrow."""
    return body.width if turn % 180 == 0 else body.length


# --- T5.4 where the tank ends --------------------------------------------------------------------------------


def advance(
    body: Body,
    at: Point,
    heading: int,
    way: int,
    turn: int,
    arrow: int,
    obstacles: Sequence[Obstacle],
    touch: tuple[int, int] = (0, 0),
) -> Arrival:
    """T5.1, T5.4 Lay the arrow from the tank's edge in the direction `way`, and set the tank down at the arrow's end.

    `turn` is the new facing measured from the arrow: 0, 90, 180 or 270. `touch` says how far right of the middle of
    the hull the arrow begins, and how far right of the arrow the middle of the hull ends. The tank stops where the
    arrow reaches an obstacle, and is set down short of anything that it would overlap. If there is no room, or the
    arrow would have no length, the tank stays where it is.
    """
    leave, shift = touch
    start, extent, facing = reach_to_edge(body, way - heading, leave), half_extent(body, turn), (way + turn) % 360
    whole = start + arrow + extent
    course = Course(at, way, leave + shift)
    close = [obstacle for obstacle in obstacles if _may_matter(obstacle, body, at, course.at(whole))]
    limit, stopped = _where_arrow_stops(Course(at, way, leave), start, start + arrow, extent, close)
    least = max(Fraction(0), start - extent) + LEAST  # T5.3 the leading edge passes the arrow's beginning
    place, stopper = _set_down(corners(body, Point(0, 0), facing), course, min(whole, limit), least, close)
    stopped = stopper or (stopped if limit < whole else None)
    if place is None or place == at:
        return Arrival(at, heading, stopped)
    return Arrival(place, facing, stopped)


def _may_matter(obstacle: Obstacle, body: Body, start: Point, end: Point) -> bool:
    """Quickly check whether an obstacle is near enough to a move to matter, by comparing their boxes."""
    left, top, right, bottom = box(obstacle.corners)
    reach = body.length + body.width
    return (
        right >= min(start.x, end.x) - reach
        and left <= max(start.x, end.x) + reach
        and bottom >= min(start.y, end.y) - reach
        and top <= max(start.y, end.y) + reach
    )


def _where_arrow_stops(
    course: Course, begin: Fraction, end: Fraction, extent: int, obstacles: Iterable[Obstacle]
) -> tuple[Fraction, Obstacle | None]:
    """T5.4 How far the centre can go before the tank's leading edge passes an obstacle that the arrow crosses."""
    limit, stopper = end + extent, None
    for obstacle in obstacles:
        crossed = _chord_of(course, obstacle.corners)
        if crossed is None:
            continue
        enter, leave = crossed
        through = enter < leave and enter < end and leave > begin
        if through and enter - extent < limit:
            limit, stopper = enter - extent, obstacle
    return limit, stopper


def _chord_of(course: Course, polygon: Corners) -> tuple[Fraction, Fraction] | None:
    """T5.4 The distances at which the arrow's line enters and leaves an outline; None if it only grazes it."""
    step, right = unit(course.way), unit(course.way + 90)
    sides = [
        cross(step, minus(corner, course.origin)) * SCALE - cross(step, right) * course.aside for corner in polygon
    ]
    if min(sides) >= -GRAZE * SCALE or max(sides) <= GRAZE * SCALE:
        return None
    scale = SCALE if course.aside else 1  # a line off the middle begins between two whole tenths
    x, y = course.origin
    start = Point(x * scale + right.x * course.aside, y * scale + right.y * course.aside)
    figure = tuple(Point(corner.x * scale, corner.y * scale) for corner in polygon) if course.aside else polygon
    met = chord(start, Point(start.x + step.x * scale, start.y + step.y * scale), figure)
    return None if met is None else (met[0] * SCALE, met[1] * SCALE)


def _set_down(
    shape: Corners, course: Course, distance: Fraction, least: Fraction, obstacles: Sequence[Obstacle]
) -> tuple[Point | None, Obstacle | None]:
    """T5.4 The furthest place along the arrow where a hull overlaps nothing (or None), and what stopped it.

    T5.3 A place nearer than `least` does not count.
    """
    spans = [(span, obstacle) for obstacle in obstacles if (span := overlapping(shape, course, obstacle.corners))]
    stopper: Obstacle | None = None
    while distance >= least:
        inside = next(((span, obstacle) for span, obstacle in spans if span[0] < distance < span[1]), None)
        place = course.at(distance)
        met = inside[1] if inside is not None else _stands_in(shape, place, obstacles)
        if met is None:
            return place, stopper
        if grazes(_shift(shape, place), met.corners, NUDGE):
            beside = next(
                (spot for spot in _spots_around(course, distance) if not _stands_in(shape, spot, obstacles)), None
            )
            if beside is not None:
                return beside, stopper
        distance = Fraction(floor(inside[0][0]) if inside is not None else floor(distance) - 1)
        stopper = met
    return None, stopper


def _shift(shape: Corners, to: Point) -> Corners:
    return tuple(plus(to, corner) for corner in shape)


def _stands_in(shape: Corners, place: Point, obstacles: Iterable[Obstacle]) -> Obstacle | None:
    """T5.4 The obstacle that a hull would overlap at a place, if any."""
    hull = _shift(shape, place)
    return next((obstacle for obstacle in obstacles if shares_ground(hull, obstacle.corners)), None)


def _spots_around(course: Course, distance: Fraction) -> Iterator[Point]:
    """T5.4 The points in whole tenths around the exact point, nearest first; among equals, those on the line."""
    x, y, scale = course.exact(distance)
    middle, step = course.at(distance), unit(course.way)

    def away(spot: Point) -> tuple[int, int, int]:
        off = Point((spot.x - course.origin.x) * scale - x, (spot.y - course.origin.y) * scale - y)
        return dot(off, off), abs(cross(step, off)), dot(step, off)

    around = range(-NUDGE, NUDGE + 1)
    yield from sorted((plus(middle, Point(dx, dy)) for dx in around for dy in around), key=away)


def overlapping(shape: Corners, course: Course, other: Corners) -> tuple[Fraction, Fraction] | None:
    """The open interval of distances at which a shape moved along a course shares area with another shape.

    Two convex figures share area exactly while their projections, square to every edge of either figure, overlap.
    """
    low, by_low, high, by_high = -(10**9), 1, 10**9, 1
    step, right, at = unit(course.way), unit(course.way + 90), course.origin
    for edge in (*edges_of(shape), *edges_of(other)):
        speed, aside = cross(edge, step), cross(edge, right) * course.aside
        own = [edge.x * (at.y + corner.y) - edge.y * (at.x + corner.x) for corner in shape]
        their = [edge.x * corner.y - edge.y * corner.x for corner in other]
        ways = (min(their) - max(own)) * SCALE - aside, (max(their) - min(own)) * SCALE - aside
        if speed == 0:
            if ways[0] >= 0 or ways[1] <= 0:
                return None
            continue
        to_enter, to_leave = ways if speed > 0 else (-ways[1], -ways[0])
        speed = abs(speed)
        if to_enter * by_low > low * speed:
            low, by_low = to_enter, speed
        if to_leave * by_high < high * speed:
            high, by_high = to_leave, speed
        if low * by_high >= high * by_low:
            return None
    return Fraction(low, by_low), Fraction(high, by_high)
