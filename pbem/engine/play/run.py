"""Running the rules: a state, the step in progress and the asks it waits for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec

from pbem.engine.play.dice import Chance
from pbem.engine.rules.ask import Answer, Ask, Awaited, Step, Together
from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.state import State, as_data, from_bytes, in_order, sort_dicts, to_bytes
from pbem.engine.rules.table import Facts, Table
from pbem.engine.rules.title import Rules


class Mark(msgspec.Struct, frozen=True):
    """The start of a step, from which a run can be resumed. It is only a cache, because the log decides.

    `ordinals` counts the rolls of each name so far in the exchange, and `used` the answers consumed so far.
    """

    state: bytes
    ordinals: dict[str, int]
    used: int


class NoChance:
    """The source of rolls between exchanges: it refuses all of them."""

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        raise RuntimeError(f"{rule} rolled outside an exchange")


class Run:
    """The rules at work on a match that is at a `yield` of the step in progress, has not yet begun, or is over."""

    strict: ClassVar[bool] = False
    """Whether every step works on a state that was serialised and read back."""

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.table: Table[Any] = Table(state, NoChance(), rules.data)
        self.on_step: Callable[[bytes], None] | None = None
        self.moved: tuple[str, ...] | None = None
        self.begun = False
        self._step: Step | None = None
        self._pending: Ask | Together | None = None
        self._seen: dict[str, Any] = {}

    @classmethod
    def resume(cls, rules: Rules, mark: Mark) -> Run:
        run = cls(rules, from_bytes(mark.state, rules.state_type))
        run.begun = True
        return run

    @property
    def state(self) -> Any:
        return self.table.state

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The open asks; empty when the match is over or has not begun."""
        if isinstance(self._pending, Together):
            return self._pending.asks
        return () if self._pending is None else (self._pending,)

    @property
    def over(self) -> bool:
        return self.begun and self._pending is None

    def ask_of(self, seat: str) -> Ask | None:
        return next((ask for ask in self.asks if ask.seat == seat), None)

    def view(self, viewer: str) -> Any:
        return self.rules.view(self.state, viewer)

    def cached_view(self, seat: str) -> Any:
        """The seat's read-only view for automatic answers, built once each time the rules stop.

        Where nothing is hidden, the view is the state itself. Seats that share their orders get the same view.
        """
        if self.rules.is_open:
            return self.state
        whose = self.rules.sides.get(seat, seat) if self.rules.shares_orders else seat
        if whose not in self._seen:
            self._seen[whose] = self.view(seat)
        return self._seen[whose]

    def viewers(self) -> tuple[str, ...]:
        """All viewers: the seats, the public, the game master."""
        return (*self.rules.seats, PUBLIC, MASTER)

    def deal(self, chance: Chance) -> None:
        """Give the table the dice for the exchange."""
        self.table.chance = chance

    def proceed(self, answers: Mapping[str, Answer] | None = None) -> None:
        """Continue with the answers to the open asks, until the rules ask again or the match is over."""
        value = self._value(answers or {})
        self.begun = True
        self._seen.clear()
        while True:
            if self._step is None:
                if not self._start_step():
                    return
                value = None
            assert self._step is not None
            try:
                self._pending = self._step.send(value)
                self._check_asks()
                return
            except StopIteration:
                self._step, self._pending = None, None

    def _check_asks(self) -> None:
        """Check that every ask goes to a seat or awaits a match, and that no seat has two at once."""
        seats = [ask.seat for ask in self.asks]
        lost = [ask.seat for ask in self.asks if isinstance(ask, Awaited) == (ask.seat in self.rules.seats)]
        if not seats or len(seats) != len(set(seats)) or lost:
            raise RuntimeError(f"the rules ask {seats or 'nobody'} at once")

    def _value(self, answers: Mapping[str, Answer]) -> Any:
        """The value that the `yield` returns: one answer, or one for each ask in order."""
        if isinstance(self._pending, Together):
            return tuple(self.rules.decode_answer(ask, answers[ask.seat]) for ask in self._pending.asks)
        return None if self._pending is None else self.rules.decode_answer(self._pending, answers[self._pending.seat])

    def _start_step(self) -> bool:
        """Begin the next step, if there is one; changed switches take effect only here.

        An uninterrupted run must iterate in the same order as one that was resumed here. Titles that keep insertion
        order get that from the mark, and for all other titles every step begins with its dicts sorted. In `strict`
        runs every step works on a state that was serialised and read back.
        """
        state, step = self.state, self.state.next
        if step is None:
            return False
        if self.moved is not None:
            state.switches, self.moved = self.moved, None
        if self.on_step is not None:
            self.on_step(self._content(state))
        if self.strict:
            self.table.state = from_bytes(self._content(state), self.rules.state_type)
        elif not self.rules.keeps_order:
            sort_dicts(state)
        self.table.facts = Facts()
        self.table.state.next = None
        self._step = self.rules.steps[step.name](self.table, **as_data(step.args))
        return True

    def _content(self, state: State) -> bytes:
        """A step start as bytes, with its dicts in the order in which the step finds them."""
        return in_order(state) if self.rules.keeps_order else to_bytes(state)
