"""2.2 The grid: hex numbers, neighbours and distance.

A hex is written `RRCC`: two digits for the row, counted from north to south, and two for the place in the row,
counted from east to west. The hexes of a row form a straight line from west to east; even rows are half a hex further
west than odd rows. The engine's flat-topped grid is this one turned on its side; `to_hex` and `from_hex` convert.

Everything here works on the bare grid. The atlas knows which hexes exist.
"""

from functools import lru_cache
from typing import Final, Literal

from pbem.engine.geometry import hexes as engine
from pbem.engine.geometry.hexes import Hex

HexId = str
"""A hex by its number, such as `3218`."""

Compass = Literal["E", "SE", "SW", "W", "NW", "NE"]
COMPASS: Final[tuple[Compass, ...]] = ("E", "SE", "SW", "W", "NW", "NE")

STEPS: Final[dict[Compass, tuple[int, int]]] = {
    "E": (0, 2),
    "SE": (1, 1),
    "SW": (1, -1),
    "W": (0, -2),
    "NW": (-1, -1),
    "NE": (-1, 1),
}
"""Each direction as a step in the engine's coordinates: rows, then half hexes towards the east."""


def is_hex(text: str) -> bool:
    """Whether a text has the form of a hex number."""
    return len(text) == 4 and text.isascii() and text.isdigit()


def is_number(text: str) -> bool:
    """Whether a text is a number as orders use them: up to three digits."""
    return len(text) <= 3 and text.isascii() and text.isdigit()


def hex_id(row: int, column: int) -> HexId:
    """The number of the hex in this row and column."""
    return f"{row:02}{column:02}"


def row(hex: HexId) -> int:
    """The row of a hex, counted from the north."""
    return int(hex[:2])


def column(hex: HexId) -> int:
    """The column of a hex: its place in the row, counted from the east."""
    return int(hex[2:])


@lru_cache(maxsize=8192)
def to_hex(hex: HexId) -> Hex:
    """The hex in the engine's coordinates."""
    if not is_hex(hex):
        raise ValueError(f"'{hex}' is not a hex: write four digits, two of row and two of place, like 3218")
    return Hex(row(hex), -2 * column(hex) + row(hex) % 2)  # 2.2/hex-grid


def from_hex(hex: Hex) -> HexId:
    """The number of a hex in the engine's grid, or an empty string beyond the numbered hexes."""
    place = (hex.x % 2 - hex.y) // 2
    return hex_id(hex.x, place) if 0 <= hex.x <= 99 and 0 <= place <= 99 else ""


@lru_cache(maxsize=8192)
def neighbours(hex: HexId) -> tuple[HexId, ...]:
    """The adjacent hexes in the order of `COMPASS`; hexes without a number are left out."""
    here = to_hex(hex)
    around = (from_hex(Hex(here.x + dx, here.y + dy)) for dx, dy in STEPS.values())
    return tuple(each for each in around if each)


def step(hex: HexId, direction: Compass) -> HexId:
    """The neighbour in a direction, or an empty string beyond the numbered hexes."""
    here = to_hex(hex)
    dx, dy = STEPS[direction]
    return from_hex(Hex(here.x + dx, here.y + dy))


def bearing(a: HexId, b: HexId) -> Compass | None:
    """The direction from a hex to a neighbour; None if the hexes are not adjacent."""
    return next((direction for direction in COMPASS if step(a, direction) == b), None)


def distance(a: HexId, b: HexId) -> int:
    """3.4.2, 10.4.2 The range from hex a to hex b, counting b but not a."""
    return engine.distance(to_hex(a), to_hex(b))


def adjacent(a: HexId, b: HexId) -> bool:
    """Whether two hexes share a hexside."""
    return b in neighbours(a)


@lru_cache(maxsize=8192)
def within(hex: HexId, radius: int) -> tuple[HexId, ...]:
    """All numbered hexes within this range, beginning with the hex itself."""
    numbered = (from_hex(each) for each in engine.disc(to_hex(hex), radius))
    return tuple(each for each in numbered if each)
