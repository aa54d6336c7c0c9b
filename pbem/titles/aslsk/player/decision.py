"""Decisions of this title: answers from sealed orders, standing orders and defaults.

AslskDecision    a decision with its situation; answered by the player turn's sealed orders if possible, then by
                 standing orders, then by the usual answer
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TypeVar

from pbem.engine.rules.decision import Decision
from pbem.engine.rules.refusals import Objection, Path
from pbem.titles.aslsk.orders import Clause
from pbem.titles.aslsk.player.language import LANGUAGE
from pbem.titles.aslsk.situation import Situation

A = TypeVar("A")


class AslskDecision(Decision[A]):
    """The base of all decisions in this title, bound to a seat's view."""

    language = LANGUAGE

    @cached_property
    def situation(self) -> Situation:
        return Situation(self.data, self.view)

    def sealed_answers(self) -> Iterator[tuple[A, str]]:
        """Yield the answers from the seat's sealed orders, best first, each with its line."""
        yield from ()

    def by_clause(self, clause: Clause, clauses: Sequence[Clause]) -> Iterator[A]:
        """Yield the answers that one clause gives, taking all clauses into account."""
        yield from ()

    def usual(self) -> A:
        """Return the answer for a seat that has given no orders."""
        raise NotImplementedError

    def default(self) -> A:
        """Return the first legal answer from the sealed orders, or otherwise the usual one."""
        for answer, _ in self.sealed_answers():
            if not any(self.objections(answer)):
                return answer
        return self.usual()

    def from_standing_orders(self, orders: Sequence[Clause]) -> Iterator[tuple[A, str]]:
        """Yield the answers from the sealed orders and then the standing orders, clause by clause."""
        yield from self.sealed_answers()
        for clause in orders:
            for answer in self.by_clause(clause, orders):
                yield answer, clause.text

    def instead(self, at: Path, answer: A) -> Sequence[str]:
        """Return the first line of the usual answer."""
        return [*self.sentence(self.usual())][:1]

    def is_legal(self, answer: A) -> bool:
        found: Objection | None = next(iter(self.objections(answer)), None)
        return found is None
