"""T2.5 The state of a match: tanks with their tokens and cards, terrain, and the critical deck.

Points are tenths of a millimetre from the north-west corner of the table, x to the east and y to the south. A heading
is a bearing: 0 is north, 90 east. Hidden information is in `view`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, ClassVar, Final

import msgspec

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.state import State
from pbem.engine.rules.table import Table
from pbem.titles.tanks.data_set import OTHER

HAPPENINGS: Final = "tanks/2026-11-happenings"
"""Findings include what they change on the table, and every failed order has a reason.

Matches begun without this switch keep the findings they have.
"""

UNUSED: Final = "tanks/2026-11-unused"
"""At the end of a turn, reasons are also given for lines about cards, dice and repairs that were not needed."""


def explaining_numbers(table: Table[TanksState], **numbers: Any) -> dict[str, Any]:
    """Return numbers that a finding needs so that its result can be recomputed.

    Matches that were begun without `HAPPENINGS` get no such numbers, so that their findings stay the same.
    """
    return numbers if table.shows_happenings else {}


class Status(StrEnum):
    """The status of a tank: in reserve, in play, or a wreck."""

    RESERVE = "reserve"
    LIVE = "live"
    WRECK = "wreck"


class Held(msgspec.Struct):
    """T2.4 A crew or upgrade card of a tank. Until it is `up`, the enemy sees only the points on its back."""

    id: str
    points: int
    up: bool = False
    gone: bool = False
    used: int = 0
    """The turn in which the card was last used, for effects that work once a turn."""


class Tank(msgspec.Struct, kw_only=True):
    """T2.5 One tank: `id` is its identification token, `speed` and `damage` are its other tokens."""

    id: str
    seat: str
    model: str
    at: Point = Point(0, 0)
    heading: int = 0
    status: Status = Status.RESERVE
    speed: int = 0
    moved: bool = False
    """Whether the tank has moved this turn, even if its speed token is gone. Moves by cards do not count."""
    taken: int | msgspec.UnsetType = msgspec.UNSET
    """T5.3 The speed token that a critical has taken away this turn: the tank has made that many moves."""
    damage: int = 0
    criticals: list[str] = []
    cards: list[Held] = []
    acted: bool = False
    """Whether the tank's turn in this phase is over."""

    @property
    def live(self) -> bool:
        return self.status is Status.LIVE

    @property
    def stationary(self) -> bool:
        """T5.3 Whether the tank has not moved and has no speed token."""
        return self.speed == 0 and not self.moved

    @property
    def moves(self) -> int:
        """T5.3 How many moves the tank has made this turn, whether or not it still has its speed token."""
        return self.speed or self.taken or 0


class Piece(msgspec.Struct, frozen=True):
    """T6 A piece of terrain."""

    id: str
    kind: str
    at: Point
    heading: int


class Holding(msgspec.Struct):
    """T8.2 The seat that alone holds an objective, and for how many consecutive turns."""

    seat: str = ""
    turns: int = 0


class TanksState(State, kw_only=True):
    """The state of a match: `orders` are the sealed forms of the phase, `shots` its pairs of shooter and target."""

    happenings: ClassVar[str] = HAPPENINGS
    phase: str = "set-up"
    attacker: str = ""
    edges: dict[str, str] = msgspec.field(default_factory=dict)
    tanks: dict[str, Tank] = msgspec.field(default_factory=dict)
    pieces: list[Piece] = msgspec.field(default_factory=list)
    deck: list[str] = msgspec.field(default_factory=list)
    discards: list[str] = msgspec.field(default_factory=list)
    drawn: list[str] = msgspec.field(default_factory=list)
    """T7.11 Critical cards that have been drawn but have not taken effect yet."""
    orders: dict[str, Any] = msgspec.field(default_factory=dict)
    shots: list[tuple[str, str]] = msgspec.field(default_factory=list)
    lent: dict[str, int] = msgspec.field(default_factory=dict)
    """T1.1, T1.2 Initiative that cards lend to other tanks in this phase."""
    holdings: dict[str, Holding] = msgspec.field(default_factory=dict)

    def of(self, seat: str) -> Iterator[Tank]:
        """The seat's live tanks, in the order of their tokens."""
        return (tank for tank in self.tanks.values() if tank.seat == seat and tank.live)

    def enemies(self, seat: str) -> Iterator[Tank]:
        return self.of(OTHER[seat])

    @property
    def live(self) -> list[Tank]:
        return [tank for tank in self.tanks.values() if tank.live]
