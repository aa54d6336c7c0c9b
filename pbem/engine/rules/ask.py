"""Asks: the decisions that the rules require from a seat."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

import msgspec

Answer: TypeAlias = Any
"""The decision as JSON. An option is named by its id and decoded in the current state."""

Grade: TypeAlias = Literal["order", "reaction", "detail", "note"]
"""What an ask interrupts: nothing (a turn's own orders), the opponent's move, or the seat's own move.

A note never waits: it decides nothing, and is the last chance to report orders that failed (`unfulfilled_orders`).
"""

GRADES: Final[frozenset[Grade]] = frozenset({"order", "reaction", "detail"})
"""The grades that can wait for a person."""

MODES: Final[Mapping[str, frozenset[Grade]]] = {"plan": frozenset({"order"}), "ask": GRADES}
"""The modes of a title that does not define its own: which grades wait for a person, by the match's `reactions`."""


class Later:
    """A default answer that is computed only when it is first wanted, because plans and records seldom need it.

    While an ask is open the state does not change, so the answer is the one that the step would have computed.
    """

    def __init__(self, work_out: Callable[[], Answer]) -> None:
        self._work_out = work_out

    @cached_property
    def answer(self) -> Answer:
        return self._work_out()


class Ask(msgspec.Struct, frozen=True, omit_defaults=True):
    """One decision of one seat.

    `about` and `subject` describe the decision in terms that the seat may know. Only the `grade` and the match's mode
    decide whether the rules wait for a person, never hidden state. The other asks are answered at once, from plan,
    standing orders or default.
    """

    seat: str
    kind: str
    rule: str
    subject: str = ""
    about: dict[str, Any] = {}
    default: Answer | Later = None
    grade: Grade = "reaction"

    @property
    def silence(self) -> Answer:
        """The default answer."""
        return self.default.answer if isinstance(self.default, Later) else self.default


class Awaited(Ask, frozen=True, omit_defaults=True):
    """An ask answered by a match, not by a person: a battle that was called in an earlier step.

    `seat` is the name of the battle. This name appears among the seats of an exchange, and the match's result is the
    answer. The call is data of the state; the server creates the match after the exchange is resolved.
    """

    grade: Grade = "order"


class Together(msgspec.Struct, frozen=True):
    """Asks of several seats at once, sealed from each other."""

    asks: tuple[Ask, ...]


Step: TypeAlias = Generator[Ask | Together, Any, Any]
"""The shortest stretch of the rules without live locals: it yields asks and receives legal answers."""
