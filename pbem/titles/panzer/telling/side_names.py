"""3.1 The names that players read for the sides of a match."""

from __future__ import annotations

from typing import Final

SIDE_NAMES: Final = {"us": "U.S."}
"""Sides whose name is more than a capitalised id."""


def display_name(side: str) -> str:
    """Return the name that players read for a side: German, British, U.S."""
    return SIDE_NAMES.get(side, side[:1].upper() + side[1:])
