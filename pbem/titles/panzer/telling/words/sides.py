"""3.1 The names that players read for the sides of a match."""

from __future__ import annotations

from typing import Final

from pbem.engine.text.messages import Name, Value, term

SIDES: Final = {
    "allied": term("panzer side", "Allied"),
    "axis": term("panzer side", "Axis"),
    "british": term("panzer side", "British"),
    "french": term("panzer side", "French"),
    "german": term("panzer side", "German"),
    "italian": term("panzer side", "Italian"),
    "soviet": term("panzer side", "Soviet"),
    "us": term("panzer side", "U.S."),
}
"""The display names of sides as translatable terms, used as adjectives in sentences."""


def display_name(side: str) -> str:
    """Return the name that players read for a side: German, British, U.S."""
    return SIDES[side].text if side in SIDES else side[:1].upper() + side[1:]


def side_term(side: str) -> Value:
    return SIDES.get(side) or Name(display_name(side))
