"""4.1.4 Hexes and hexsides as numbers, and those on a straight line between two hexes.

A hex is one number, and so is the difference between two hexes. The hexes on a line are therefore those on a line of
the same length and direction from the origin, each added to the first hex. Hexsides work in the same way; their
numbers are four times as large, to leave room for the direction. Lines are cached by difference, for all maps.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from pbem.engine.geometry.hexes import DIRECTIONS, ORIGIN, Hex, Side, distance, hexes_between, line

COLUMN: Final = 1 << 12


def number_of(x: int, y: int) -> int:
    return x * COLUMN + y


def side_number(side: Side) -> int:
    return 4 * number_of(*side.hex) + side.direction


DIRECTION_OF_STEP: Final = {number_of(*step): direction for direction, step in enumerate(DIRECTIONS, start=1)}


class Way(NamedTuple):
    """The hexes that a line from the origin crosses, in order, as numbers."""

    hexes: tuple[int, ...]
    ranges: tuple[int, ...]
    """The range of each hex from the origin; from the other end it is the remaining distance."""


@lru_cache(maxsize=8192)
def way_to(dx: int, dy: int) -> Way:
    met = hexes_between(dx, dy)
    return Way(
        tuple([x * COLUMN + y for x, y in met]),
        tuple([distance(ORIGIN, hex) for hex in met]),
    )


@lru_cache(maxsize=8192)
def sides_to(dx: int, dy: int) -> tuple[int, ...]:
    """The hexsides that a line from the origin meets, in order, as numbers."""
    return tuple([side_number(side) for side in line(ORIGIN, Hex(dx, dy)).sides])


def is_met(places: frozenset[int], a: Hex, b: Hex) -> bool:
    """4.1.4 Whether a line starts in, ends in or passes through one of these hexes."""
    if b < a:
        a, b = b, a
    base = number_of(*a)
    return (
        base in places
        or number_of(*b) in places
        or any(base + hex in places for hex in way_to(b.x - a.x, b.y - a.y).hexes)
    )
