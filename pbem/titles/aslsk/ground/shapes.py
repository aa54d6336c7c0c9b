"""1.1/default-shapes The shapes drawn in hexes for which a board gives no polygons.

    hexagon                     the closed hexagon: hills, woods, grain, brush, inherent terrain
    building                    a smaller hexagon, with an arm across each hexside that the building spans
    road                        a small hexagon at the centre, with a strip to each road hexside
    is_simple, contains         checks for polygons that a board defines

All points are relative to the centre of the hex; all are whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from pbem.titles.aslsk.ground.lattice import MIDPOINTS, VERTICES
from pbem.titles.aslsk.ground.spans import Polygon

HEXAGON: Final[Polygon] = tuple((q, z) for q, z in VERTICES)
"""The closed hexagon of a hex."""


def _vertex(k: int, part: int, whole: int) -> tuple[int, int]:
    q, z = VERTICES[k % 6]
    return part * q // whole, part * z // whole


def _along(side: int) -> tuple[int, int]:
    """The vector along a hexside, from its first vertex to its second."""
    (q, z), (end_q, end_z) = VERTICES[side], VERTICES[(side + 1) % 6]
    return end_q - q, end_z - z


@cache
def building(spans: tuple[int, ...]) -> tuple[Polygon, ...]:
    """1.1/default-shapes A building hex, with arms across the hexsides that the building spans."""
    core: Polygon = tuple(_vertex(k, 3, 5) for k in range(6))
    return (core, *(_arm(side) for side in spans))


def _arm(side: int) -> Polygon:
    q, z = VERTICES[side]
    along_q, along_z = _along(side)
    return (
        _vertex(side, 3, 5),
        _vertex(side + 1, 3, 5),
        (q + 4 * along_q // 5, z + 4 * along_z // 5),
        (q + along_q // 5, z + along_z // 5),
    )


@cache
def road(sides: tuple[int, ...]) -> tuple[Polygon, ...]:
    """1.1/default-shapes A road hex, with strips to its road hexsides."""
    core: Polygon = tuple(_vertex(k, 1, 8) for k in range(6))
    return (core, *(_strip(side) for side in sides))


def _strip(side: int) -> Polygon:
    q, z = MIDPOINTS[side]
    along_q, along_z = _along(side)
    half_q, half_z = along_q // 8, along_z // 8
    return ((-half_q, -half_z), (half_q, half_z), (q + half_q, z + half_z), (q - half_q, z - half_z))


def turn_round(polygon: Iterable[tuple[int, int]]) -> Polygon:
    """A polygon rotated by 180 degrees about the centre of its hex."""
    return tuple((-q, -z) for q, z in polygon)


# --- checks ----------------------------------------------------------------------------------------------------


def _side_of(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
    """Which side of the line from a to b the point c is on: positive, negative, or zero on the line."""
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (area > 0) - (area < 0)


def _between(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    """Whether c, which is known to be on the line through a and b, is between them."""
    return min(a[0], b[0]) <= c[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= c[1] <= max(a[1], b[1])


def _meet(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int], d: tuple[int, int]) -> bool:
    """Whether the closed segments from a to b and from c to d have a point in common."""
    one, two, three, four = _side_of(a, b, c), _side_of(a, b, d), _side_of(c, d, a), _side_of(c, d, b)
    if one != two and three != four and 0 not in (one, two, three, four):
        return True
    return (
        (one == 0 and _between(a, b, c))
        or (two == 0 and _between(a, b, d))
        or (three == 0 and _between(c, d, a))
        or (four == 0 and _between(c, d, b))
    )


def is_simple(polygon: Polygon) -> bool:
    """1.1/map-data Whether a polygon has at least three corners and never touches or crosses itself."""
    count = len(polygon)
    if count < 3 or len(set(polygon)) < count:
        return False
    edges = [(polygon[i], polygon[(i + 1) % count]) for i in range(count)]
    for i in range(count):
        a, b = edges[i]
        c = edges[(i + 1) % count][1]
        if _side_of(a, b, c) == 0 and _between(a, b, c):  # the outline turns back on itself
            return False
        for j in range(i + 2, count):
            if (i, j) != (0, count - 1) and _meet(*edges[i], *edges[j]):
                return False
    return True


def contains(polygon: Polygon, point: tuple[int, int]) -> bool:
    """Whether a point is inside a polygon or on its outline."""
    inside = False
    q, z = point
    a = polygon[-1]
    for b in polygon:
        if _side_of(a, b, point) == 0 and _between(a, b, point):
            return True
        if (a[1] > z) != (b[1] > z):
            area = (b[0] - a[0]) * (z - a[1]) - (b[1] - a[1]) * (q - a[0])
            inside ^= (area > 0) == (b[1] > a[1])
        a = b
    return inside
