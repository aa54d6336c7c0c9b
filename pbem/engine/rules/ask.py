"""Asks: the decisions that the rules want from a seat."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec

Answer: TypeAlias = Any
"""JSON: what was decided. An option is named by its id and decoded in the state at hand."""

Grade: TypeAlias = Literal["order", "reaction", "detail", "note"]
"""What an ask interrupts: nothing (a turn's own orders), the opponent's move, or the seat's own move. A note
waits in no mode: it decides nothing, and is the last chance to say what did not come true (`unfulfilled`)."""

GRADES: Final[frozenset[Grade]] = frozenset({"order", "reaction", "detail"})
"""The grades that can wait for a person."""

MODES: Final[Mapping[str, frozenset[Grade]]] = {"plan": frozenset({"order"}), "ask": GRADES}
"""The modes of a title that names none: which grades wait for a person, by the match's `reactions`."""


class Ask(msgspec.Struct, frozen=True, omit_defaults=True):
    """One decision of one seat.

    `about` and `subject` say what the decision is about, in terms that the seat may know. The `grade` and the mode of
    the match alone decide whether the rules wait for a person; never anything hidden. The other asks are answered at
    once, from plan, standing orders or default.
    """

    seat: str
    kind: str
    rule: str
    subject: str = ""
    about: dict[str, Any] = {}
    default: Answer = None
    grade: Grade = "reaction"


class Awaited(Ask, frozen=True, omit_defaults=True):
    """An ask that a match answers, and no person: a battle that was called in an earlier step.

    `seat` is the name of the battle. It stands among the seats of an exchange, and what the match brought is the
    answer. The call is data of the state; whoever keeps the matches makes this one after the exchange is resolved.
    """

    grade: Grade = "order"


class Together(msgspec.Struct, frozen=True):
    """Asks of several seats at once, sealed from each other."""

    asks: tuple[Ask, ...]


Step: TypeAlias = Generator[Ask | Together, Any, Any]
"""The shortest stretch of the rules without live locals: it yields asks and receives legal answers."""
