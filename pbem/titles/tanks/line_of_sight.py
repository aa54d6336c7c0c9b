"""T7.2, T7.3, T7.7 to T7.9 What a shooter sees of its target, and how they lie to each other.

    T7.2    eye, blockers, sees_any_part
    T7.3    in_front
    T7.7    hidden_corners, in_cover
    T7.8    close_range
    T7.9    side_shot

Sight runs from one point: the middle of the hull for a turret, the middle of the hull's front for an Assault Gun. A
line that only touches an edge or a corner is not blocked. The hulls of shooter and target hide nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise

from pbem.engine.plane import Meeting, Point, clip, cross, minus, overlap, plus, segment_meets_polygon
from pbem.titles.tanks.geometry import Body, Corners, ahead_of, front_middle, near
from pbem.titles.tanks.terrain import Screen

FAR = 40000
"""Longer than any sight line on a table, in tenths of a millimetre."""


# --- T7.2 line of sight --------------------------------------------------------------------------------------


def eye(body: Body, at: Point, heading: int, *, from_front: bool) -> Point:
    """T7.2 Where sight starts: the turret, or the hull's front where the barrel crosses it."""
    return front_middle(body, at, heading) if from_front else at


def blockers(screens: Iterable[Screen], shooter: Corners, target: Corners) -> list[Screen]:
    """T7.2, T6.2 What can block sight: a wood only if neither tank is in it or at its edge."""
    return [
        screen
        for screen in screens
        if not (
            screen.wood
            and (
                overlap(shooter, screen.corners, touching=True) or overlap(target, screen.corners, touching=True)
            )
        )
    ]


def sees_any_part(origin: Point, target: Corners, blocking: Sequence[Screen]) -> bool:
    """T7.2 Whether some part of the target can be seen.

    What is seen changes only in the directions of corners. So it is enough to look at the target's own corners and
    between every two neighbouring directions of corners.
    """
    between = [screen for screen in blocking if _between(origin, target, screen.corners)]
    if any(not _any_blocks(origin, corner, between) for corner in target):
        return True
    return any(_ray_reaches(origin, way, target, between) for way in _ways_between(origin, target, between))


def _between(origin: Point, target: Corners, screen: Corners) -> bool:
    """A quick look: whether a screen lies in the box around sight at all."""
    xs = [origin.x, *(corner.x for corner in target)]
    ys = [origin.y, *(corner.y for corner in target)]
    return (
        max(corner.x for corner in screen) >= min(xs)
        and min(corner.x for corner in screen) <= max(xs)
        and max(corner.y for corner in screen) >= min(ys)
        and min(corner.y for corner in screen) <= max(ys)
    )


def _any_blocks(origin: Point, point: Point, screens: Iterable[Screen]) -> bool:
    return any(segment_meets_polygon(origin, point, screen.corners) is Meeting.CROSSING for screen in screens)


def _ways_between(origin: Point, target: Corners, screens: Iterable[Screen]) -> Iterator[Point]:
    """A direction between every two neighbouring corners within the target's width."""

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
    """Whether sight in a direction comes to the target before anything else."""
    times = FAR // max(abs(way.x), abs(way.y)) + 1
    tip = Point(origin.x + times * way.x, origin.y + times * way.y)
    met = clip(origin, tip, target)
    if met is None:
        return False
    for screen in screens:
        crossed = clip(origin, tip, screen.corners)
        if crossed is not None and crossed[0] < min(crossed[1], met[0]):
            return False
    return True


def blocking_names(origin: Point, target: Corners, blocking: Iterable[Screen]) -> list[Screen]:
    """T7.2 The screens that stand in the way to some corner, for the explanation."""
    return [screen for screen in blocking if any(_any_blocks(origin, corner, [screen]) for corner in target)]


# --- T7.3 arc ------------------------------------------------------------------------------------------------


def in_front(shooter: Corners, target: Corners) -> bool:
    """T7.3 Some part of the target's hull lies ahead of the line through the shooter's hull front."""
    return any(ahead_of(shooter, corner) > 0 for corner in target)


# --- T7.7 cover ----------------------------------------------------------------------------------------------


def hidden_corners(origin: Point, shooter: Corners, target: Corners, screens: Sequence[Screen]) -> list[int]:
    """T7.7 The corners of the target's hull that cannot be seen, by number."""
    return [number for number, corner in enumerate(target) if _hidden(origin, corner, shooter, screens)]


def _hidden(origin: Point, corner: Point, shooter: Corners, screens: Iterable[Screen]) -> bool:
    return any(_hides(origin, corner, shooter, screen) for screen in screens)


def _hides(origin: Point, corner: Point, shooter: Corners, screen: Screen) -> bool:
    """T7.7 Whether a screen hides a corner; what lies directly under the shooter is left out."""
    if segment_meets_polygon(origin, corner, screen.corners) is not Meeting.CROSSING:
        return False
    if not screen.wood or not overlap(shooter, screen.corners):
        return True
    crossed = clip(origin, corner, screen.corners)
    under = clip(origin, corner, shooter)
    assert crossed is not None
    return crossed[1] > max(crossed[0], under[1] if under is not None else Fraction(0))


def in_wood(target: Corners, screens: Iterable[Screen]) -> bool:
    """T6.2 A tank inside a wood or partly in it has cover."""
    return any(screen.wood and overlap(target, screen.corners) for screen in screens)


# --- T7.8, T7.9 ----------------------------------------------------------------------------------------------


def close_range(shooter: Corners, target: Corners, arrow: int) -> bool:
    """T7.8 The shooter is within one arrow of the target."""
    return near(shooter, target, arrow)


def side_shot(shooter: Corners, target: Corners) -> bool:
    """T7.9 Some part of the shooter's hull is behind the line of the target's front."""
    return any(ahead_of(target, corner) < 0 for corner in shooter)
