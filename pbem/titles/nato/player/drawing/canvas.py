"""Coordinates in the picture: pointy-topped hexes, 96 units wide, in whole numbers."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from pbem.titles.nato.map import grid
from pbem.titles.nato.map.grid import Compass, HexId

HALF: Final = 48
"""Half the width of a hex."""
TIP: Final = 56
"""The distance from the centre to the upper and lower corners."""
SHOULDER: Final = 28
"""The vertical distance from the centre to the four other corners."""
PITCH: Final = TIP + SHOULDER
"""The distance between rows."""
MARGIN: Final = 24
LAST: Final = 35
"""The column just beyond the western edge, where x is 0."""
FONT: Final = "Liberation Sans,Arimo,Arial,Helvetica,DejaVu Sans,sans-serif"
INK: Final = "#1b1a17"


class Point(NamedTuple):
    """A point in the picture."""

    x: int
    y: int


CORNERS: Final = ((0, -TIP), (HALF, -SHOULDER), (HALF, SHOULDER), (0, TIP), (-HALF, SHOULDER), (-HALF, -SHOULDER))
SIDES: Final[dict[Compass, tuple[int, int]]] = {
    "NE": (0, 1),
    "E": (1, 2),
    "SE": (2, 3),
    "SW": (3, 4),
    "W": (4, 5),
    "NW": (5, 0),
}
"""The two corners that each hexside joins."""


def centre(hex: HexId) -> Point:
    """The centre of a hex."""
    row = grid.row(hex)
    return Point((LAST - grid.column(hex)) * 2 * HALF + (HALF if row % 2 else 0), row * PITCH)


def outline(hex: HexId) -> str:
    """The border of a hex as a path."""
    x, y = centre(hex)
    return f"M{x} {y - TIP}l{HALF} {SHOULDER}v{2 * SHOULDER}l-{HALF} {SHOULDER}-{HALF}-{SHOULDER}v-{2 * SHOULDER}z"


def outlines(hexes: Iterable[HexId]) -> str:
    """The borders of several hexes as one path."""
    return "".join(outline(hex) for hex in hexes)


def ends(a: HexId, b: HexId) -> tuple[Point, Point]:
    """The two corners of the hexside between two neighbours, clockwise as seen from the first."""
    x, y = centre(a)
    direction = grid.bearing(a, b)
    assert direction is not None
    first, second = (CORNERS[corner] for corner in SIDES[direction])
    return Point(x + first[0], y + first[1]), Point(x + second[0], y + second[1])


def middle(a: Point, b: Point) -> Point:
    """The midpoint between two points."""
    return Point((a.x + b.x) // 2, (a.y + b.y) // 2)


def frame(hexes: Iterable[HexId]) -> tuple[int, int, int, int]:
    """The smallest box around some hexes: left, top, width and height."""
    points = [centre(hex) for hex in hexes]
    left, right = min(at.x for at in points) - HALF - MARGIN, max(at.x for at in points) + HALF + MARGIN
    top, bottom = min(at.y for at in points) - TIP - MARGIN, max(at.y for at in points) + TIP + MARGIN
    return left, top, right - left, bottom - top


def chains(sides: Iterable[tuple[Point, Point]]) -> Iterator[list[Point]]:
    """Join hexsides into the longest possible lines: open ones from end to end, then closed ones."""
    joined: dict[Point, list[Point]] = {}
    for a, b in sides:
        joined.setdefault(a, []).append(b)
        joined.setdefault(b, []).append(a)
    starts = [point for point in joined if len(joined[point]) != 2]
    for point in (*starts, *joined):
        while joined[point]:
            yield follow(point, joined)


def follow(start: Point, joined: dict[Point, list[Point]]) -> list[Point]:
    """Follow hexsides not yet used from a corner, until the line forks or ends."""
    line = [start]
    while joined[line[-1]]:
        here = line[-1]
        after = joined[here].pop()
        joined[after].remove(here)
        line.append(after)
        if len(joined[after]) != 1:
            break
    return line


def smooth(line: Sequence[Point]) -> str:
    """A path that follows corners with rounded bends."""
    closed = line[0] == line[-1]
    corners = [*line, line[1]] if closed else list(line)
    first = before(corners[1], corners[0]) if closed else corners[0]
    path = [f"M{first.x} {first.y}"]
    for earlier, corner, later in zip(corners, corners[1:], corners[2:], strict=False):
        near, far = before(earlier, corner), before(later, corner)
        path.append(f"L{near.x} {near.y}Q{corner.x} {corner.y} {far.x} {far.y}")
    if not closed:
        path.append(f"L{line[-1].x} {line[-1].y}")
    return "".join(path)


def before(start: Point, corner: Point) -> Point:
    """The point on the way to a corner at which a third of the distance is left."""
    return Point(corner.x + (start.x - corner.x) // 3, corner.y + (start.y - corner.y) // 3)


def straight(line: Sequence[Point]) -> str:
    """A path that joins corners with straight lines."""
    return "M" + "L".join(f"{point.x} {point.y}" for point in line)
