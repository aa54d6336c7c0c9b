"""Hulls on the table, exact in tenths of a millimetre.

    pieces     corners, walls, on_table, shares_ground, touches, chord
    lines      Stance, ahead_of: the line of a hull's front, from the exact bearing
    distance   gap, near

Moves by the arrow are in `arrow`. A bearing is in whole degrees clockwise from north; `plane` counts from east.
Every placement rounds once; all later tests are exact, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from pbem.engine.geometry.plane import SCALE, UNIT, Point, Polygon, cross, dot, minus, outline, overlap, squared_gap

Corners = tuple[Point, ...]


class Body(NamedTuple):
    """Half the length and half the width of a rectangle."""

    length: int
    width: int


class Stance(NamedTuple):
    """The exact position of a hull on the table, before its corners are rounded."""

    body: Body
    at: Point
    heading: int


# --- pieces --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=65536)
def corners(body: Body, at: Point, heading: int) -> Corners:
    """The corners of a rectangle on the table: front left, front right, rear right, rear left."""
    half_length, half_width = body
    offsets = (
        Point(half_length, -half_width),
        Point(half_length, half_width),
        Point(-half_length, half_width),
        Point(-half_length, -half_width),
    )
    return outline(at, heading - 90, offsets)


def ahead_of(front: Stance, other: Stance) -> tuple[int, int]:
    """How far the rearmost and the foremost corner of another hull are ahead of this hull's front line.

    A negative distance is behind the line, and 0 is on it. The line follows the bearing itself: corners are rounded
    to a tenth of a millimetre, and a line through two of them would be off by millimetres at the other end of the
    table.
    """
    facing, their = unit(front.heading), unit(other.heading)
    line = SCALE * dot(minus(other.at, front.at), facing) - front.body.length * dot(facing, facing)
    half = other.body.length * abs(dot(their, facing)) + other.body.width * abs(cross(their, facing))
    return line - half, line + half


def front_middle(body: Body, at: Point, heading: int) -> Point:
    """The middle of a hull's front."""
    return outline(at, heading - 90, (Point(body.length, 0),))[0]


def on_table(hull: Polygon, table: int) -> bool:
    return all(0 <= corner.x <= table and 0 <= corner.y <= table for corner in hull)


@lru_cache(maxsize=65536)
def box(polygon: Corners) -> tuple[int, int, int, int]:
    """The smallest rectangle, parallel to the table's edges, around an outline: left, top, right, bottom."""
    xs, ys = [corner.x for corner in polygon], [corner.y for corner in polygon]
    return min(xs), min(ys), max(xs), max(ys)


@lru_cache(maxsize=65536)
def walls(polygon: Corners) -> tuple[tuple[int, int, int], ...]:
    """Every edge of an outline as the coefficients (a, b, c) of a line, with ax + by + c positive on the inside."""
    sense = 1 if sum(cross(polygon[index - 1], corner) for index, corner in enumerate(polygon)) > 0 else -1
    return tuple(
        (-sense * edge.y, sense * edge.x, -sense * cross(edge, corner))
        for corner, edge in zip(polygon, edges_of(polygon), strict=True)
    )


def chord(a: Point, b: Point, polygon: Corners) -> tuple[Fraction, Fraction] | None:
    """The part of the segment from a (0) to b (1) that is inside an outline or on its edge.

    The ends are kept as numerators and denominators; they become fractions only in the result.
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
    """The smallest overlap of two outlines along any edge: negative if they are apart, 0 if they only touch.

    Two convex figures that do not meet are separated by the line of an edge of one of them.
    """
    depths = []
    for own, other in ((first, second), (second, first)):
        for a, b, c in walls(own):
            depth = max([a * x + b * y for x, y in other]) + c
            if depth < 0:
                return depth
            depths.append(depth)
    return min(depths)


def grazes(first: Corners, second: Corners, tenths: int) -> bool:
    """Whether moving one of two outlines by at most this many tenths of a millimetre would separate them."""
    return any(
        max([a * x + b * y for x, y in other]) + c <= tenths * isqrt(a * a + b * b)
        for own, other in ((first, second), (second, first))
        for a, b, c in walls(own)
    )


def shares_ground(first: Corners, second: Corners) -> bool:
    """Whether two outlines share some area. Most cases are ruled out quickly by their boxes."""
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
    """Whether two outlines are within this distance of each other. Boxes quickly rule out distant ones."""
    own, other = box(first), box(second)
    if max(own[0] - other[2], other[0] - own[2], own[1] - other[3], other[1] - own[3]) > reach:
        return False
    return any(
        _point_near_edge(point, corner, edge, reach)
        for points, figure in ((first, second), (second, first))
        for corner, edge in zip(figure, edges_of(figure), strict=True)
        for point in points
    ) or overlap(first, second)


def edges_of(polygon: Corners) -> Iterator[Point]:
    for index, corner in enumerate(polygon):
        yield minus(polygon[(index + 1) % len(polygon)], corner)


def _point_near_edge(point: Point, corner: Point, edge: Point, reach: int) -> bool:
    """Whether a point is within this distance of an edge, given by the corner where it starts and its vector."""
    x, y = point.x - corner.x, point.y - corner.y
    length, along_it = edge.x * edge.x + edge.y * edge.y, x * edge.x + y * edge.y
    if along_it <= 0:
        return x * x + y * y <= reach * reach
    if along_it >= length:
        return (x - edge.x) ** 2 + (y - edge.y) ** 2 <= reach * reach
    return (edge.x * y - edge.y * x) ** 2 <= reach * reach * length


# --- bearings -----------------------------------------------------------------------------------------------


def unit(bearing: int) -> Point:
    """A vector of a million tenths of a millimetre in the direction of a bearing."""
    return UNIT[(bearing - 90) % 360]


def is_bearing(degree: int) -> bool:
    return 0 <= degree < len(UNIT)


@lru_cache(maxsize=16384)
def bearing_to(origin: Point, goal: Point) -> int:
    """The direction from one point to another, to the nearest whole degree; if two are equally near, the lower."""
    step = minus(goal, origin)

    def likeness(degree: int) -> tuple[int, int]:
        way = unit(degree)
        return way.x * step.x + way.y * step.y, -degree

    rough = max(range(0, 360, 10), key=likeness)
    return max(sorted(degree % 360 for degree in range(rough - 12, rough + 13)), key=likeness)
