"""Exact geometry on a table without hexes: points in whole tenths of a millimetre, never rounded twice.

x grows to the right and y downwards, as on the hex maps; angles are whole degrees from the x axis towards the y axis,
so they turn clockwise on the table. A polygon is convex and lists its corners in either sense of rotation. Distances
are compared squared; a distance in tenths is explicitly rounded down or up.

    points         plus, minus, cross, dot, orientation
    meeting        segments_meet, segment_meets_polygon, polygons_meet, overlap, clip, where
    distance       squared_distance, squared_distance_to_segment, squared_gap, within, nearer,
                   root_down, root_up
    turning        UNIT, rotate, place, outline
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from fractions import Fraction
from math import ceil, isqrt
from typing import Final, NamedTuple


class Point(NamedTuple):
    """A point, or the step from one point to another."""

    x: int
    y: int


Polygon = Sequence[Point]
"""The corners of a convex polygon, in order, in either sense of rotation."""

ORIGIN: Final = Point(0, 0)


class Meeting(Enum):
    """The relation of two figures; a partly shared edge counts as a touch."""

    APART = "apart"
    TOUCHING = "touching"
    CROSSING = "crossing"


class Place(Enum):
    """The position of a point relative to a polygon."""

    INSIDE = "inside"
    EDGE = "edge"
    OUTSIDE = "outside"


# --- points ------------------------------------------------------------------------------------------


def plus(a: Point, b: Point) -> Point:
    """The point a moved by the step b."""
    return Point(a.x + b.x, a.y + b.y)


def minus(a: Point, b: Point) -> Point:
    """The step from b to a."""
    return Point(a.x - b.x, a.y - b.y)


def cross(a: Point, b: Point) -> int:
    """Cross product of two steps: positive if b points clockwise of a, 0 if they are parallel."""
    return a.x * b.y - a.y * b.x


def dot(a: Point, b: Point) -> int:
    """Dot product of two steps: positive if they point the same way, 0 if perpendicular."""
    return a.x * b.x + a.y * b.y


def orientation(a: Point, b: Point, c: Point) -> int:
    """1 if c is to the right of the line from a to b, -1 to the left, 0 on it."""
    return _sign(cross(minus(b, a), minus(c, a)))


# --- meeting -----------------------------------------------------------------------------------------


def segments_meet(a: Point, b: Point, c: Point, d: Point) -> Meeting:
    """The relation of the segments a-b and c-d: crossing means that each passes through the other."""
    of_c, of_d = orientation(a, b, c), orientation(a, b, d)
    of_a, of_b = orientation(c, d, a), orientation(c, d, b)
    if of_c * of_d < 0 and of_a * of_b < 0:
        return Meeting.CROSSING
    touches = (
        (of_c == 0 and _in_box(c, a, b))
        or (of_d == 0 and _in_box(d, a, b))
        or (of_a == 0 and _in_box(a, c, d))
        or (of_b == 0 and _in_box(b, c, d))
    )
    return Meeting.TOUCHING if touches else Meeting.APART


def where(point: Point, polygon: Polygon) -> Place:
    """Whether a point is inside a polygon, on its edge or outside."""
    match polygons_meet((point,), polygon):
        case Meeting.CROSSING:
            return Place.INSIDE
        case Meeting.TOUCHING:
            return Place.EDGE
        case Meeting.APART:
            return Place.OUTSIDE


def segment_meets_polygon(a: Point, b: Point, polygon: Polygon) -> Meeting:
    """The relation of a segment to a polygon: crossing means that part of it is strictly inside."""
    return polygons_meet((a, b), polygon)


def overlap(first: Polygon, second: Polygon, *, touching: bool = False) -> bool:
    """Whether two polygons share some area; with `touching` a shared point is enough."""
    meeting = polygons_meet(first, second)
    return meeting is Meeting.CROSSING or (touching and meeting is Meeting.TOUCHING)


def polygons_meet(first: Polygon, second: Polygon) -> Meeting:
    """The relation of two polygons; one of them may be a segment or a single point.

    Two convex figures are apart exactly if one of their edges, extended, separates them; so it is enough to compare
    their projections perpendicular to every edge.
    """
    meeting = Meeting.CROSSING
    for edge in (*_edges(first), *_edges(second)):
        if edge == ORIGIN:  # a figure shrunk to a point has no edge
            continue
        low, high = _shadow(first, edge)
        other_low, other_high = _shadow(second, edge)
        if high < other_low or other_high < low:
            return Meeting.APART
        if high == other_low or other_high == low:
            meeting = Meeting.TOUCHING
    return meeting


def clip(a: Point, b: Point, polygon: Polygon) -> tuple[Fraction, Fraction] | None:
    """The part of the segment from a (0) to b (1) that is in a polygon, including its edge."""
    enter, leave = Fraction(0), Fraction(1)
    step = minus(b, a)
    sense = _sense(polygon)
    for corner, edge in zip(polygon, _edges(polygon), strict=True):
        depth = sense * cross(edge, minus(a, corner))  # negative while a is outside this edge
        gain = sense * cross(edge, step)
        if gain > 0:
            enter = max(enter, Fraction(-depth, gain))
        elif gain < 0:
            leave = min(leave, Fraction(depth, -gain))
        elif depth < 0:
            return None
    return (enter, leave) if enter <= leave else None


# --- distance ----------------------------------------------------------------------------------------


def squared_distance(a: Point, b: Point) -> int:
    """The square of the distance between two points."""
    return (a.x - b.x) ** 2 + (a.y - b.y) ** 2


def squared_distance_to_segment(point: Point, a: Point, b: Point) -> Fraction:
    """The square of the distance from a point to the nearest point of a segment."""
    step, offset = minus(b, a), minus(point, a)
    length, along = dot(step, step), dot(offset, step)
    if along <= 0:
        return Fraction(squared_distance(point, a))
    if along >= length:
        return Fraction(squared_distance(point, b))
    return Fraction(cross(step, offset) ** 2, length)


def squared_gap(first: Polygon, second: Polygon) -> Fraction:
    """The square of the distance between the nearest points of two polygons; 0 if they meet."""
    if overlap(first, second, touching=True):
        return Fraction(0)
    return min(
        squared_distance_to_segment(point, corner, plus(corner, edge))
        for points, figure in ((first, second), (second, first))
        for point in points
        for corner, edge in zip(figure, _edges(figure), strict=True)
    )


def within(squared: int | Fraction, reach: int) -> bool:
    """Whether a squared distance is within a reach."""
    return squared <= reach * reach


def nearer(origin: Point, a: Point, b: Point) -> bool:
    """Whether a is strictly nearer to the origin than b."""
    return squared_distance(origin, a) < squared_distance(origin, b)


def root_down(squared: int | Fraction) -> int:
    """The distance for a squared distance, rounded down."""
    return isqrt(int(squared))


def root_up(squared: int | Fraction) -> int:
    """The distance for a squared distance, rounded up."""
    whole = ceil(squared)
    return isqrt(whole - 1) + 1 if whole else 0


# --- turning -----------------------------------------------------------------------------------------

SCALE: Final = 10**6

# Cosine and sine of 0 to 45 degrees in millionths, rounded to the nearest; five degrees a line.
_EIGHTH_OF_A_CIRCLE: Final = (
    (1000000, 0),
    (999848, 17452),
    (999391, 34899),
    (998630, 52336),
    (997564, 69756),
    (996195, 87156),
    (994522, 104528),
    (992546, 121869),
    (990268, 139173),
    (987688, 156434),
    (984808, 173648),
    (981627, 190809),
    (978148, 207912),
    (974370, 224951),
    (970296, 241922),
    (965926, 258819),
    (961262, 275637),
    (956305, 292372),
    (951057, 309017),
    (945519, 325568),
    (939693, 342020),
    (933580, 358368),
    (927184, 374607),
    (920505, 390731),
    (913545, 406737),
    (906308, 422618),
    (898794, 438371),
    (891007, 453990),
    (882948, 469472),
    (874620, 484810),
    (866025, 500000),
    (857167, 515038),
    (848048, 529919),
    (838671, 544639),
    (829038, 559193),
    (819152, 573576),
    (809017, 587785),
    (798636, 601815),
    (788011, 615661),
    (777146, 629320),
    (766044, 642788),
    (754710, 656059),
    (743145, 669131),
    (731354, 681998),
    (719340, 694658),
    (707107, 707107),
)


def _unit_vectors() -> Iterator[Point]:
    """The vectors for all whole degrees, made from the first eighth of the circle by mirroring and turning."""
    eighth = [Point(x, y) for x, y in _EIGHTH_OF_A_CIRCLE]
    quarter = eighth + [Point(y, x) for x, y in reversed(eighth[1:-1])]
    for _ in range(4):
        yield from quarter
        quarter = [Point(-y, x) for x, y in quarter]


UNIT: Final = tuple(_unit_vectors())
"""The step of length one million in the direction of each whole degree from 0 to 359."""


def rotate(point: Point, degrees: int, about: Point = ORIGIN) -> Point:
    """The point rotated clockwise about another, rounded once to whole tenths, halves away from zero."""
    return place(about, degrees, minus(point, about))


def place(centre: Point, heading: int, offset: Point) -> Point:
    """The position of a point of a piece: offset is measured from its centre, x ahead and y to its right."""
    unit = UNIT[heading % 360]
    return Point(
        centre.x + _round_to(offset.x * unit.x - offset.y * unit.y),
        centre.y + _round_to(offset.x * unit.y + offset.y * unit.x),
    )


def outline(centre: Point, heading: int, offsets: Polygon) -> tuple[Point, ...]:
    """The corners of a piece on the table."""
    return tuple(place(centre, heading, offset) for offset in offsets)


# --- helpers -----------------------------------------------------------------------------------------


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _round_to(scaled: int) -> int:
    return _sign(scaled) * ((2 * abs(scaled) + SCALE) // (2 * SCALE))


def _in_box(point: Point, a: Point, b: Point) -> bool:
    return min(a.x, b.x) <= point.x <= max(a.x, b.x) and min(a.y, b.y) <= point.y <= max(a.y, b.y)


def _edges(polygon: Polygon) -> Iterator[Point]:
    """The steps from each corner to the next."""
    for index, corner in enumerate(polygon):
        yield minus(polygon[(index + 1) % len(polygon)], corner)


def _shadow(polygon: Polygon, edge: Point) -> tuple[int, int]:
    """The extent of a polygon perpendicular to an edge."""
    extent = [cross(edge, corner) for corner in polygon]
    return min(extent), max(extent)


def _sense(polygon: Polygon) -> int:
    """1 if the corners run clockwise on the table, -1 if not."""
    return _sign(sum(cross(polygon[index - 1], corner) for index, corner in enumerate(polygon)))
