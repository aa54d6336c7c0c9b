"""1.1 Where points of the lattice lie in a picture, and small helpers for SVG.

Numbers are written to a tenth of a pixel at most. Styles are attributes, never CSS, so that the same bytes work on a
page with a strict content policy, in an image file and in an email.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html import escape
from typing import Final, NamedTuple

from pbem.titles.aslsk.cards.files import packaged
from pbem.titles.aslsk.ground.lattice import VERTICES, Axial, centre
from pbem.titles.aslsk.ground.spans import Polygon

COLUMN: Final = 78
"""Pixels between columns."""
ROW: Final = 90
"""Pixels between rows; 45/26 approximates the square root of three to one part in a thousand."""
FONT: Final = "Liberation Sans,Arimo,Arial,Helvetica,DejaVu Sans,sans-serif"
INK: Final = "#1d1a16"


class Spot(NamedTuple):
    """A point in the picture, in tenths of a pixel."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"{tenths(self.x)} {tenths(self.y)}"

    def moved(self, x: int, y: int) -> Spot:
        """The point that is x and y pixels away."""
        return Spot(self.x + 10 * x, self.y + 10 * y)


def tenths(value: int) -> str:
    """A number of tenths as an SVG decimal."""
    whole, part = divmod(abs(value), 10)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{part}" if part else f"{sign}{whole}"


def spot(q: int, z: int) -> Spot:
    """The point in the picture at which a lattice point lies."""
    return Spot(q * COLUMN * 10 // 120, (2 * z + q) * ROW * 10 // 240)


def spot_of(hex: Axial) -> Spot:
    """The point in the picture at which a hex's centre dot lies."""
    return spot(*centre(hex))


def polygon_path(polygon: Polygon, hex: Axial | None = None) -> str:
    """A polygon of a hex, or of the whole map, as an SVG path."""
    q, z = centre(hex) if hex is not None else (0, 0)
    return "M" + "L".join(str(spot(q + p, z + r)) for p, r in polygon) + "z"


def hexagon_path(hex: Axial) -> str:
    """The outline of a hex as an SVG path."""
    return polygon_path(tuple((point.q, point.z) for point in VERTICES), hex)


def text(at: Spot, words: str, more: str = "") -> str:
    """An SVG text element at a point."""
    return f'<text x="{tenths(at.x)}" y="{tenths(at.y)}"{more}>{escape(words)}</text>'


def use(symbol: str, more: str = "") -> str:
    """An SVG reference to one of the predefined symbols."""
    return f'<use href="#{symbol}"{more}/>'


def at(place: Spot, scale: str = "") -> str:
    """A transform that moves an element to a point."""
    return f'transform="translate({place}){f"scale({scale})" if scale else ""}"'


def numbers(values: Iterable[int]) -> str:
    """Numbers formatted for an attribute that a page reads."""
    return " ".join(map(str, values))


@cache
def symbols() -> str:
    """The definitions of all symbols."""
    drawn = packaged("symbols.svg").decode()
    return drawn[drawn.index("<defs>") : drawn.index("</defs>") + len("</defs>")].replace("\n", "")
