"""T7.2, T7.3, T7.7 to T7.9 The parts of a target that a shooter sees, and their relative positions.

    T7.2    eye, blockers, sees_any_part
    T7.3    in_front
    T7.7    hidden_corners, in_wood
    T7.8    close_range
    T7.9    side_shot

Sight runs from one point: the middle of the hull for a turret, the middle of the hull's front for an Assault Gun. A
line that only touches an edge or a corner is not blocked. The hulls of shooter and target do not block sight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cmp_to_key
from itertools import pairwise

from pbem.engine.geometry.plane import Point, cross, minus, plus
from pbem.titles.tanks.ground.geometry import (
    Body,
    Corners,
    Stance,
    ahead_of,
    box,
    chord,
    front_middle,
    near,
    touches,
    walls,
)
from pbem.titles.tanks.ground.terrain import Screen

FAR = 40000
"""Longer than any sight line on a table, in tenths of a millimetre."""


# --- T7.2 line of sight --------------------------------------------------------------------------------------


def eye(body: Body, at: Point, heading: int, *, from_front: bool) -> Point:
    """T7.2 The point where sight starts: the turret, or for an Assault Gun the middle of the hull's front."""
    return front_middle(body, at, heading) if from_front else at


def blockers(screens: Iterable[Screen], shooter: Corners, target: Corners) -> list[Screen]:
    """T7.2, T6.2 The screens that can block sight; a wood can only if neither tank is in it or at its edge."""
    return [
        screen
        for screen in screens
        if not (screen.wood and (touches(shooter, screen.corners) or touches(target, screen.corners)))
    ]


def sees_any_part(origin: Point, target: Corners, blocking: Sequence[Screen]) -> bool:
    """T7.2 Whether some part of the target can be seen.

    The shadow of a convex screen is convex: one that hides all corners hides the whole target. Otherwise the
    visible part changes only in the directions of corners, so it is enough to look at the target's own corners and
    between every two neighbouring directions of corners.
    """
    between = in_between(origin, target, blocking)
    if not all(_any_blocks(origin, corner, between) for corner in target):
        return True
    if any(all(crosses(origin, corner, screen.corners) for corner in target) for screen in between):
        return False
    return any(_ray_reaches(origin, way, target, between) for way in _ways_between(origin, target, between))


def in_between(origin: Point, target: Corners, screens: Iterable[Screen]) -> list[Screen]:
    """Quickly preselect the screens whose boxes overlap the box around the origin and the target."""
    left, top, right, bottom = box(target)
    x, y = origin
    left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
    return [
        screen
        for screen in screens
        if (around := box(screen.corners))[2] > left and around[0] < right and around[3] > top and around[1] < bottom
    ]


def crosses(origin: Point, point: Point, screen: Corners) -> bool:
    """Whether a line passes through a screen; merely touching it does not count.

    It passes through unless the whole screen is on one side of the line, or the whole line is outside one of the
    screen's edges.
    """
    x, y = origin
    to_x, to_y = point
    left, top, right, bottom = box(screen)
    if (x <= left and to_x <= left) or (x >= right and to_x >= right):
        return False
    if (y <= top and to_y <= top) or (y >= bottom and to_y >= bottom):
        return False
    dx, dy = to_x - x, to_y - y
    sides = [dx * (corner_y - y) - dy * (corner_x - x) for corner_x, corner_y in screen]
    if min(sides) >= 0 or max(sides) <= 0:
        return False
    return all(a * x + b * y + c > 0 or a * to_x + b * to_y + c > 0 for a, b, c in walls(screen))


def _any_blocks(origin: Point, point: Point, screens: Iterable[Screen]) -> bool:
    return any(crosses(origin, point, screen.corners) for screen in screens)


def _ways_between(origin: Point, target: Corners, screens: Iterable[Screen]) -> Iterator[Point]:
    """Yield one direction between every two neighbouring corners that are within the target's width."""

    def turning(first: Point, second: Point) -> int:
        return (cross(second, first) > 0) - (cross(second, first) < 0)

    clockwise = cmp_to_key(turning)
    own = sorted((minus(corner, origin) for corner in target), key=clockwise)
    left, right = own[0], own[-1]
    ways = own + [
        way
        for screen in screens
        for corner in screen.corners
        if cross(left, way := minus(corner, origin)) > 0 and cross(way, right) > 0
    ]
    ways.sort(key=clockwise)
    for first, second in pairwise(ways):
        if cross(first, second) != 0:
            yield plus(first, second)


def _ray_reaches(origin: Point, way: Point, target: Corners, screens: Iterable[Screen]) -> bool:
    """Whether a line of sight in this direction reaches the target before it meets any screen."""
    times = FAR // max(abs(way.x), abs(way.y)) + 1
    tip = Point(origin.x + times * way.x, origin.y + times * way.y)
    met = chord(origin, tip, target)
    if met is None:
        return False
    for screen in screens:
        crossed = chord(origin, tip, screen.corners)
        if crossed is not None and crossed[0] < min(crossed[1], met[0]):
            return False
    return True


def blocking_names(origin: Point, target: Corners, blocking: Iterable[Screen]) -> list[Screen]:
    """T7.2 The names of the screens that block the line to at least one corner, for the explanation."""
    return [screen for screen in blocking if any(_any_blocks(origin, corner, [screen]) for corner in target)]


# --- T7.3 arc ------------------------------------------------------------------------------------------------


def in_front(shooter: Stance, target: Stance) -> bool:
    """T7.3 Whether some part of the target's hull is ahead of the shooter's front line."""
    return ahead_of(shooter, target)[1] > 0


# --- T7.7 cover ----------------------------------------------------------------------------------------------


def hidden_corners(origin: Point, shooter: Corners, target: Corners, screens: Sequence[Screen]) -> list[int]:
    """T7.7 The numbers of those corners of the target's hull that cannot be seen."""
    between = in_between(origin, target, screens)
    return [number for number, corner in enumerate(target) if _hidden(origin, corner, shooter, between)]


def _hidden(origin: Point, corner: Point, shooter: Corners, screens: Iterable[Screen]) -> bool:
    return any(_hides(origin, corner, shooter, screen) for screen in screens)


def _hides(origin: Point, corner: Point, shooter: Corners, screen: Screen) -> bool:
    """T7.7 Whether a screen hides a corner; terrain directly under the shooter is ignored."""
    if not crosses(origin, corner, screen.corners):
        return False
    if not screen.wood:
        return True
    crossed, under = chord(origin, corner, screen.corners), chord(origin, corner, shooter)
    assert crossed is not None
    return under is None or crossed[1] > under[1]


def in_wood(target: Corners, screens: Iterable[Screen]) -> bool:
    """T6.2 Whether a tank is inside a wood or at its edge, which gives cover."""
    return any(screen.wood and touches(target, screen.corners) for screen in screens)


# --- T7.8, T7.9 ----------------------------------------------------------------------------------------------


def close_range(shooter: Corners, target: Corners, arrow: int) -> bool:
    """T7.8 Whether the shooter is within one arrow of the target."""
    return near(shooter, target, arrow)


def side_shot(shooter: Stance, target: Stance) -> bool:
    """T7.9 Whether some part of the shooter's hull is behind the target's front line."""
    return ahead_of(target, shooter)[0] < 0
