"""1.1 The hex lattice in whole numbers: names, range, hexsides, hexspines and arcs.

    1.1/lattice               Axial, parse, name, distance, D (hexsides), V (hexspines), centre
    3.2.4/arc-arithmetic      in_arc, arcs_to, spines_turned
    3.2.4/facing-arithmetic   entry_sides, facing_of

Hexes have two horizontal sides. Columns run A to Z, AA to ZZ and so on; the even columns B, D, F sit half a hex
lower. Hexsides are numbered 0 to 5 anticlockwise from the north-east, hexspines 0 to 5 anticlockwise from the east;
hexside j lies between hexspines j and j + 1. One step from hex to hex measures 120 units, so that the corners of
hexes and of everything drawn inside them have whole coordinates in the same oblique plane. Straight lines, the sides
of a line and the order of points along it are the same as on the drawn map.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

STEP: Final = 120
"""1.1/lattice The distance from the centre of a hex to that of its neighbour, in units of the plane."""


class Axial(NamedTuple):
    """1.1/lattice A hex by column and oblique row, or a step between hexes."""

    q: int
    z: int


class Point(NamedTuple):
    """A point in the plane that hexes and polygons share."""

    q: int
    z: int


SIDES: Final = ("NE", "N", "NW", "SW", "S", "SE")
"""The compass names of hexsides 0 to 5."""
SPINES: Final = ("east", "north-east", "north-west", "west", "south-west", "south-east")
"""The compass names of hexspines 0 to 5."""
D: Final = (Axial(1, -1), Axial(0, -1), Axial(-1, 0), Axial(-1, 1), Axial(0, 1), Axial(1, 0))
"""1.1/lattice The step to the neighbour across each hexside."""
V: Final = (Axial(2, -1), Axial(1, -2), Axial(-1, -1), Axial(-2, 1), Axial(-1, 2), Axial(1, 1))
"""1.1/lattice The corners of a hex, in thirds of a step from its centre."""
VERTICES: Final = tuple(Point(STEP // 3 * q, STEP // 3 * z) for q, z in V)
"""1.1/lattice The corners of a hex in units from its centre."""
MIDPOINTS: Final = tuple(Point(STEP // 2 * q, STEP // 2 * z) for q, z in D)
"""1.1/lattice The midpoints of the hexsides in units from the centre."""

Facing = Literal["front", "side", "rear"]


@lru_cache(maxsize=8192)
def parse(text: str) -> Axial:
    """1.1/lattice Read a hex name such as K5 or AA10; ValueError says what is wrong with it."""
    match = re.fullmatch(r"([A-Z]+)([0-9]{1,3})", text.strip().upper(), re.ASCII)
    if match is None:
        raise ValueError(f"'{text}' is not a hex: write column letters and a row number, such as K5 or AA10")
    letters, row = match.groups()
    if len(set(letters)) > 1:
        raise ValueError(f"'{text}' is not a hex: column Z is followed by AA, BB, CC")
    return from_offset(ord(letters[0]) - ord("A") + 1 + 26 * (len(letters) - 1), int(row))


@lru_cache(maxsize=8192)
def name(hex: Axial) -> str:
    """1.1/lattice The printed name of a hex."""
    column, row = to_offset(hex)
    if column < 1 or row < 0:
        raise ValueError(f"column {column}, row {row} has no name")
    repeats, letter = divmod(column - 1, 26)
    return chr(ord("A") + letter) * (repeats + 1) + str(row)


def from_offset(column: int, row: int) -> Axial:
    """1.1/lattice The hex in a column (A is 1) and row."""
    q = column - 1
    return Axial(q, row - (q - q % 2) // 2)


def to_offset(hex: Axial) -> tuple[int, int]:
    """1.1/lattice The column (A is 1) and row of a hex."""
    q, z = hex
    return q + 1, z + (q - q % 2) // 2


def distance(a: Axial, b: Axial) -> int:
    """1.1/lattice The range between two hexes."""
    q, z = b[0] - a[0], b[1] - a[1]
    return max(abs(q), abs(z), abs(q + z))


def step(hex: Axial, side: int) -> Axial:
    """1.1/lattice The neighbour across a hexside."""
    q, z = D[side]
    return Axial(hex[0] + q, hex[1] + z)


def side_to(a: Axial, b: Axial) -> int | None:
    """1.1/lattice The number of the hexside that hex a shares with hex b; None if they are not neighbours."""
    way = (b[0] - a[0], b[1] - a[1])
    return D.index(Axial(*way)) if way in D else None


def opposite(side: int) -> int:
    """The number of the same hexside as seen from the hex on its other side."""
    return (side + 3) % 6


def centre(hex: Axial) -> Point:
    """1.1/lattice The centre dot of a hex."""
    return Point(STEP * hex[0], STEP * hex[1])


def turn(a: tuple[int, int], b: tuple[int, int]) -> int:
    """1.1/lattice Positive if direction b points left of direction a, 0 if they are parallel."""
    return a[1] * b[0] - a[0] * b[1]


# --- 3.2.4 arcs ----------------------------------------------------------------------------------------------


def in_arc(origin: Axial, spine: int, target: Axial) -> bool:
    """3.2.4/arc-arithmetic Whether a hex lies in the covered arc of a counter that faces a hexspine."""
    way = (target[0] - origin[0], target[1] - origin[1])
    right, left = D[spine - 1], D[spine]
    return way != (0, 0) and turn(way, left) >= 0 and turn(right, way) >= 0


def arcs_to(origin: Axial, target: Axial) -> tuple[int, ...]:
    """3.2.4/arc-arithmetic The facings whose covered arc contains a hex: there is one, or two if the hex lies on a
    straight hex row.
    """
    return tuple(spine for spine in range(6) if in_arc(origin, spine, target))


def spines_turned(before: int, after: int) -> int:
    """3.2.4/arc-arithmetic How many hexspines a counter turns in the shorter direction: 0 to 3."""
    left = (after - before) % 6
    return min(left, 6 - left)


def front_sides(spine: int) -> tuple[int, int]:
    """3.2.4/arc-arithmetic The two hexsides in front of a facing."""
    return (spine - 1) % 6, spine


def entry_sides(start: Axial, target: Axial) -> tuple[int, ...]:
    """3.2.4/facing-arithmetic The hexsides through which an LOS enters the target hex; there are two if it enters at
    a vertex.
    """
    way = (start[0] - target[0], start[1] - target[1])
    if way == (0, 0):
        return ()
    return tuple(side for side in range(6) if turn(V[side], way) >= 0 and turn(way, V[(side + 1) % 6]) >= 0)


def facing_of(side: int, spine: int) -> Facing:
    """3.2.4/facing-arithmetic The facing that a vehicle (or turret) aligned with a hexspine presents to a hexside."""
    match (side - spine) % 6:
        case 0 | 5:
            return "front"
        case 1 | 4:
            return "side"
    return "rear"
