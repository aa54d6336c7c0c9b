"""Sheets: a player's questions about one unit, answered as data that any page or program can show.

A title that has them offers these methods in addition to those of `Rules` (see `Advising`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

import msgspec

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import Message


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order that a unit may be given, or the objections to it.

    `line` is the order without the unit's name. Its placeholder `{unit}` stands for one of `units` (each with the
    expected result), and `{hex}` for one of `hexes` (each with the possible facings). `facing` is used if the player
    names none. `who` is named if the order is not the unit's own but that of one of its weapons; `ways` gives the
    words for each hex, such as the whole path, if its name is not enough.
    """

    name: str | Message
    line: str = ""
    units: Mapping[str, str | Message] = {}
    hexes: dict[str, tuple[int, ...]] = {}
    facing: int = 0
    against: tuple[Objection, ...] = ()
    who: str = ""
    ways: Mapping[str, str] = {}

    def lines(self, unit: str) -> Iterator[str]:
        """Yield the whole order line for each target and hex, as the page writes it."""
        for target in self.units or ("",):
            for hex in self.hexes or ("",):
                line = self.line.replace("{unit}", target).replace("{hex}", self.ways.get(hex, hex))
                yield f"{self.who or unit} {line}"


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """One unit as a viewer may see it.

    `threats` are the enemies that could fire at it, each with the prospects; `bands` gives the range band of each hex
    within its range, counted from the nearest, and `band_names` their names; `reasons` are the rules behind them.
    """

    unit: str
    name: str
    side: str
    at: str = ""
    own: bool = False
    facts: tuple[str | Message, ...] = ()
    choices: tuple[Choice, ...] = ()
    threats: Mapping[str, str | Message] = {}
    bands: dict[str, int] = {}
    band_names: tuple[str | Message, ...] = ()
    reasons: tuple[str | Message, ...] = ()


class Sight(msgspec.Struct, frozen=True, omit_defaults=True):
    """The hexes visible from a hex; if another hex was named, whether it is visible, and why in sentences."""

    start: str
    seen: tuple[str, ...]
    end: str = ""
    clear: bool = False
    why: tuple[str | Message, ...] = ()


@runtime_checkable
class Advising(Protocol):
    """Rules that answer a deciding player's questions, from the player's view only."""

    def roll_call(self, view: Any, ask: Ask) -> dict[str, str]:
        """The units that can be ordered in answer to this ask, with their names, in a fixed order."""
        ...

    def sheet(self, view: Any, viewer: str, ask: Ask | None, unit: str) -> Sheet | None:
        """One unit, with its orders if the viewer may give it any now."""
        ...

    def sight(self, view: Any, start: str, end: str = "") -> Sight | None:
        """The places visible from a place, and why another one is or is not."""
        ...
