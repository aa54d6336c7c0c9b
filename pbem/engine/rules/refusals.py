"""Refusals: which order is not accepted, why, and what would be accepted instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from pbem.engine.text.messages import Message, Several, as_message, say, several

Path: TypeAlias = tuple[str | int, ...]
"""A place in an answer: `("orders", "a1", 0)` is the first order for a1."""


class Objection(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reason, with the rule it comes from and the part of the answer it concerns."""

    rule: str
    why: Message | str
    at: Path = ()

    @property
    def english(self) -> str:
        """The reason in English, for the log, for programs and for tests."""
        return str(self.why)

    @property
    def message(self) -> Message:
        """The reason with its rule, for a reader."""
        return say("{why} ({rule})", why=as_message(self.why), rule=self.rule)

    def __str__(self) -> str:
        return f"{self.why} ({self.rule})"


class Refusal(Exception):
    """An order that was not accepted. Nothing has changed.

    `part` is the refused part (a unit, a line, a word), `instead` the nearest legal alternatives.
    """

    def __init__(
        self,
        part: str = "",
        objections: Sequence[Objection] = (),
        instead: Sequence[str] = (),
        line: str = "",
    ) -> None:
        super().__init__(part, tuple(objections), tuple(instead), line)
        self.part, self.line = part, line
        self.objections, self.instead = tuple(objections), tuple(instead)

    @property
    def message(self) -> Message | Several:
        """The whole refusal, for a reader."""
        why = several((objection.message for objection in self.objections), "clauses") if self.objections else ""
        text = say("{part}: {why}", part=self.part, why=why) if self.part else why
        if self.instead:
            return say("{text}. You could send: {lines}.", text=text, lines=several(self.instead, "unit"))
        return say("{text}.", text=text)

    @property
    def in_brief(self) -> Message | Several:
        """The refusal with its first reason only and without alternatives."""
        return type(self)(self.part, self.objections[:1]).message

    def __str__(self) -> str:
        return str(self.message)


class Unreadable(Refusal):
    """The order could not be read."""


class Ambiguous(Refusal):
    """The order is ambiguous."""


class Illegal(Refusal):
    """The order was understood, but the rules do not allow it."""


class Refusals(Refusal):
    """Several refusals at once, so that a player learns of all mistakes in one answer."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__(objections=[o for refusal in refusals for o in refusal.objections])
        self.refusals = tuple(refusals)

    @property
    def message(self) -> Message | Several:
        return several((refusal.message for refusal in self.refusals), "lines")

    @property
    def in_brief(self) -> Message | Several:
        return self.refusals[0].in_brief


def locate_objections(at: Path, objections: Iterable[Objection]) -> Iterator[Objection]:
    """Yield objections to one part of a composite answer."""
    for objection in objections:
        yield msgspec.structs.replace(objection, at=(*at, *objection.at))


def reasons(objections: Iterable[Objection]) -> Several:
    """The reasons of these objections, without their rules."""
    return several((as_message(objection.why) for objection in objections), "clauses")


def raise_all(refusals: Sequence[Refusal]) -> None:
    """Raise all these refusals as one, if there are any."""
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)


def each(refusal: Refusal) -> tuple[Refusal, ...]:
    """The single refusals that this one consists of."""
    return refusal.refusals if isinstance(refusal, Refusals) else (refusal,)
