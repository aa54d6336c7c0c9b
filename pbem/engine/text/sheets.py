"""Sheets: what a player asks at the table about one unit, as data that any page or program can show.

A title that has them offers these methods beside those of `Rules` (see `Advising`).
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import msgspec

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Objection


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order that a unit may be given, or what is against it.

    `line` is the order without the unit, with `{unit}` and `{hex}` for what is still to be pointed at: one of
    `units`, each with what is to be expected there, and one of `hexes`, each with the facings that are possible
    there. `facing` is the one to write if the player names none.
    """

    name: str
    line: str = ""
    units: dict[str, str] = {}
    hexes: dict[str, tuple[int, ...]] = {}
    facing: int = 0
    against: tuple[Objection, ...] = ()


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """One unit as a viewer may know it.

    `threats` are the enemies that could fire at it, each with the prospects; `bands` gives hexes that it can fire
    into the number of their range band, from the nearest, and `band_names` says what these are called.
    """

    unit: str
    name: str
    side: str
    at: str = ""
    own: bool = False
    facts: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    threats: dict[str, str] = {}
    bands: dict[str, int] = {}
    band_names: tuple[str, ...] = ()


class Sight(msgspec.Struct, frozen=True, omit_defaults=True):
    """What can be seen from a hex; if another hex was named, whether it can, and the judgement in sentences."""

    start: str
    seen: tuple[str, ...]
    end: str = ""
    clear: bool = False
    why: tuple[str, ...] = ()


@runtime_checkable
class Advising(Protocol):
    """Rules that answer questions of a player who makes up his mind, from his view alone."""

    def roll_call(self, view: Any, ask: Ask) -> dict[str, str]:
        """The units that may be told something in answer to this ask, with their names, in a fixed order."""
        ...

    def sheet(self, view: Any, viewer: str, ask: Ask | None, unit: str) -> Sheet | None:
        """One unit, with its orders if the viewer may give it any now."""
        ...

    def sight(self, view: Any, start: str, end: str = "") -> Sight | None:
        """What can be seen from a place, and why another one can or cannot."""
        ...
