"""Hulls and moves on the table, exact in tenths of a millimetre.

    pieces     corners, walls, reach_to_edge, ahead_of, on_table, shares_ground, touches, chord
    T5.1       along, advance: a move by the arrow, shortened by what stands in the way
    distance   gap, near

A bearing is whole degrees clockwise from north; `plane` counts from east. Every placement rounds once; every test
after it is exact on whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import NamedTuple

from pbem.engine.geometry.plane import SCALE, UNIT, Point, Polygon, cross, minus, outline, overlap, plus, squared_gap

Corners = tuple[Point, ...]


class Body(NamedTuple):
    """Half the length and half the width of a rectangle."""

    length: int
    width: int


class Obstacle(NamedTuple):
    """Something that a move stops at: its name, the rule that makes it so, its outline."""

    name: str
    rule: str
    corners: Corners


class Arrival(NamedTuple):
    """T5.1 Where a move ends, and what stopped it, if anything did."""

    at: Point
    heading: int
    stopped: Obstacle | None


# --- pieces --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=65536)
def corners(body: Body, at: Point, heading: int) -> Corners:
    """Front left, front right, rear right, rear left of a rectangle on the table."""
    half_length, half_width = body
    offsets = (
        Point(half_length, -half_width),
        Point(half_length, half_width),
        Point(-half_length, half_width),
        Point(-half_length, -half_width),
    )
    return outline(at, heading - 90, offsets)


def ahead_of(hull: Corners, point: Point) -> int:
    """Positive if a point lies ahead of the line of a hull's front, negative behind it, 0 on it."""
    a, b, c = walls(hull)[0]  # the line of its front, positive in the hull
    return -(a * point.x + b * point.y + c)


def front_middle(body: Body, at: Point, heading: int) -> Point:
    """The middle of a hull's front."""
    return outline(at, heading - 90, (Point(body.length, 0),))[0]


def on_table(hull: Polygon, table: int) -> bool:
    return all(0 <= corner.x <= table and 0 <= corner.y <= table for corner in hull)


@lru_cache(maxsize=65536)
def box(polygon: Corners) -> tuple[int, int, int, int]:
    """The least upright rectangle around an outline: left, top, right, bottom."""
    xs, ys = [corner.x for corner in polygon], [corner.y for corner in polygon]
    return min(xs), min(ys), max(xs), max(ys)


@lru_cache(maxsize=65536)
def walls(polygon: Corners) -> tuple[tuple[int, int, int], ...]:
    """Every edge of an outline as a line: a, b, c with ax + by + c positive on the side of the outline."""
    sense = 1 if sum(cross(polygon[index - 1], corner) for index, corner in enumerate(polygon)) > 0 else -1
    return tuple(
        (-sense * edge.y, sense * edge.x, -sense * cross(edge, corner))
        for corner, edge in zip(polygon, _edges(polygon), strict=True)
    )


def chord(a: Point, b: Point, polygon: Corners) -> tuple[Fraction, Fraction] | None:
    """The part of the segment from a (0) to b (1) that lies in an outline, its edge included.

    The ends are kept as numerators and denominators until they are known.
    """
    enter, by_enter, leave, by_leave = 0, 1, 1, 1
    for wall_x, wall_y, wall in walls(polygon):
        depth = wall_x * a.x + wall_y * a.y + wall  # negative while a is outside this edge
        gain = wall_x * (b.x - a.x) + wall_y * (b.y - a.y)
        if gain > 0:
            if -depth * by_enter > enter * gain:
                enter, by_enter = -depth, gain
        elif gain < 0:
            if depth * by_leave < leave * -gain:
                leave, by_leave = depth, -gain
        elif depth < 0:
            return None
    if enter * by_leave > leave * by_enter:
        return None
    return Fraction(enter, by_enter), Fraction(leave, by_leave)


def _deepest(first: Corners, second: Corners) -> int:
    """How deep the shallower of two outlines reaches behind the walls of the other: negative if they are apart, 0 if
    they only touch. Two convex figures that share nothing have an edge of one of them between them."""
    depths = []
    for own, other in ((first, second), (second, first)):
        for a, b, c in walls(own):
            depth = max([a * x + b * y for x, y in other]) + c
            if depth < 0:
                return depth
            depths.append(depth)
    return min(depths)


def shares_ground(first: Corners, second: Corners) -> bool:
    """Whether two outlines share some area. Most are told apart by their boxes."""
    own, other = box(first), box(second)
    if own[0] >= other[2] or other[0] >= own[2] or own[1] >= other[3] or other[1] >= own[3]:
        return False
    return _deepest(first, second) > 0


def touches(first: Corners, second: Corners) -> bool:
    """Whether two outlines share at least a point."""
    own, other = box(first), box(second)
    if own[0] > other[2] or other[0] > own[2] or own[1] > other[3] or other[1] > own[3]:
        return False
    return _deepest(first, second) >= 0


def gap(first: Polygon, second: Polygon) -> Fraction:
    """The squared distance between two outlines."""
    return squared_gap(first, second)


@lru_cache(maxsize=65536)
def near(first: Corners, second: Corners, reach: int) -> bool:
    """Whether two outlines are within a reach of each other. Far ones are told apart by their boxes."""
    own, other = box(first), box(second)
    if max(own[0] - other[2], other[0] - own[2], own[1] - other[3], other[1] - own[3]) > reach:
        return False
    return any(
        _point_near_edge(point, corner, edge, reach)
        for points, figure in ((first, second), (second, first))
        for corner, edge in zip(figure, _edges(figure), strict=True)
        for point in points
    ) or overlap(first, second)


def _point_near_edge(point: Point, corner: Point, edge: Point, reach: int) -> bool:
    """Whether a point is within a reach of the edge that begins at a corner."""
    x, y = point.x - corner.x, point.y - corner.y
    length, along_it = edge.x * edge.x + edge.y * edge.y, x * edge.x + y * edge.y
    if along_it <= 0:
        return x * x + y * y <= reach * reach
    if along_it >= length:
        return (x - edge.x) ** 2 + (y - edge.y) ** 2 <= reach * reach
    return (edge.x * y - edge.y * x) ** 2 <= reach * reach * length


# --- T5.1 a move ---------------------------------------------------------------------------------------------


def unit(bearing: int) -> Point:
    """A million tenths in the direction of a bearing."""
    return UNIT[(bearing - 90) % 360]


def along(at: Point, bearing: int, distance: Fraction) -> Point:
    """The point so far away in a direction, rounded once, halves away from zero."""
    step = unit(bearing)
    far, scale = distance.numerator, distance.denominator * SCALE
    return Point(at.x + _rounded(step.x * far, scale), at.y + _rounded(step.y * far, scale))


def _rounded(scaled: int, scale: int) -> int:
    whole = (2 * abs(scaled) + scale) // (2 * scale)
    return whole if scaled >= 0 else -whole


def reach_to_edge(body: Body, relative: int) -> Fraction:
    """From the centre of a rectangle to its edge, in a direction measured from its own heading."""
    ahead, aside = UNIT[relative % 360]
    ways = [Fraction(half * SCALE, abs(part)) for half, part in ((body.length, ahead), (body.width, aside)) if part]
    return min(ways)


def half_extent(body: Body, turn: int) -> int:
    """T5.1 From a tank's centre to its edge along the arrow, when it stands square to it."""
    return body.length if turn % 180 == 0 else body.width


def advance(
    body: Body, at: Point, heading: int, way: int, turn: int, arrow: int, obstacles: Sequence[Obstacle]
) -> Arrival:
    """T5.1, T5.4 The arrow lies from the tank's edge in the direction `way`; the tank is set down at its end.

    `turn` is the new facing measured from the arrow: 0, 90, 180 or 270. The tank stops where the arrow reaches an
    obstacle, and is set down short of anything that it would stand in. If there is no room it stays as it is.
    """
    start, extent, facing = reach_to_edge(body, way - heading), half_extent(body, turn), (way + turn) % 360
    whole = start + arrow + extent
    shape = corners(body, Point(0, 0), facing)
    end = along(at, way, whole)
    close = [obstacle for obstacle in obstacles if _may_matter(obstacle, body, at, end)]
    limit, stopped = _where_arrow_stops(at, way, start, start + arrow, extent, close)
    distance, stopper = _set_down(shape, at, way, min(whole, limit), close)
    stopped = stopper or (stopped if limit < whole else None)
    place = along(at, way, distance) if distance > 0 else at
    if place == at:
        return Arrival(at, heading, stopped)
    return Arrival(place, facing, stopped)


def _may_matter(obstacle: Obstacle, body: Body, start: Point, end: Point) -> bool:
    """A quick look: whether an obstacle lies in the box around a move at all."""
    left, top, right, bottom = box(obstacle.corners)
    reach = body.length + body.width
    return (
        right >= min(start.x, end.x) - reach
        and left <= max(start.x, end.x) + reach
        and bottom >= min(start.y, end.y) - reach
        and top <= max(start.y, end.y) + reach
    )


def _where_arrow_stops(
    at: Point, way: int, begin: Fraction, end: Fraction, extent: int, obstacles: Iterable[Obstacle]
) -> tuple[Fraction, Obstacle | None]:
    """T5.4 How far the centre may go before its leading edge passes what the arrow crosses."""
    limit, stopper = end + extent, None
    step = unit(way)
    tip = Point(at.x + step.x, at.y + step.y)
    for obstacle in obstacles:
        crossed = None if _along_edge(at, tip, obstacle.corners) else chord(at, tip, obstacle.corners)
        if crossed is None:
            continue
        enter, leave = crossed[0] * SCALE, crossed[1] * SCALE
        through = enter < leave and enter < end and leave > begin
        if through and enter - extent < limit:
            limit, stopper = enter - extent, obstacle
    return limit, stopper


def _along_edge(a: Point, b: Point, polygon: Corners) -> bool:
    """Whether the line from a to b only touches a polygon, having it all on one side."""
    sides = [cross(minus(b, a), minus(corner, a)) for corner in polygon]
    return min(sides) >= 0 or max(sides) <= 0


def _set_down(
    shape: Corners, at: Point, way: int, distance: Fraction, obstacles: Sequence[Obstacle]
) -> tuple[Fraction, Obstacle | None]:
    """T5.4 The furthest place, back along the arrow, where a hull stands in nothing."""
    spans = [(span, obstacle) for obstacle in obstacles if (span := overlapping(shape, at, way, obstacle.corners))]
    stopper: Obstacle | None = None
    while distance >= 0:
        inside = next(((span, obstacle) for span, obstacle in spans if span[0] < distance < span[1]), None)
        if inside is not None:
            distance, stopper = Fraction(floor(inside[0][0])), inside[1]
            continue
        centre = along(at, way, distance)
        hull = tuple(plus(centre, corner) for corner in shape)
        met = next((obstacle for obstacle in obstacles if shares_ground(hull, obstacle.corners)), None)
        if met is None:
            break
        distance, stopper = Fraction(floor(distance) - 1), met  # a tenth of rounding
    return distance, stopper


def overlapping(shape: Corners, at: Point, way: int, other: Corners) -> tuple[Fraction, Fraction] | None:
    """The open span of distances at which a shape, carried from a point in a direction, shares area with another.

    Two convex figures share area exactly while their shadows overlap square to every edge of either.
    """
    low, by_low, high, by_high = -(10**9), 1, 10**9, 1
    step = unit(way)
    for edge in (*_edges(shape), *_edges(other)):
        speed = cross(edge, step)
        own = [edge.x * (at.y + corner.y) - edge.y * (at.x + corner.x) for corner in shape]
        their = [edge.x * corner.y - edge.y * corner.x for corner in other]
        ways = (min(their) - max(own)) * SCALE, (max(their) - min(own)) * SCALE
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


def _edges(polygon: Corners) -> Iterator[Point]:
    for index, corner in enumerate(polygon):
        yield minus(polygon[(index + 1) % len(polygon)], corner)


@lru_cache(maxsize=16384)
def bearing_to(origin: Point, goal: Point) -> int:
    """The whole degree that points most nearly from one point to another; the lower of two equals."""
    step = minus(goal, origin)

    def likeness(degree: int) -> tuple[int, int]:
        way = unit(degree)
        return way.x * step.x + way.y * step.y, -degree

    rough = max(range(0, 360, 10), key=likeness)
    return max(sorted(degree % 360 for degree in range(rough - 12, rough + 13)), key=likeness)
