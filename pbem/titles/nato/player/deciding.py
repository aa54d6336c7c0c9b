"""The base of all decisions of NATO: board, side, battle, and clauses for the windows.

NatoDecision   an ask with its board
Window         a small ask within a battle cycle, with choices that can be listed
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from pbem.engine.rules.decision import Decision, Said
from pbem.engine.rules.title import Plan
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words, tokens
from pbem.engine.text.messages import Message, say
from pbem.titles.nato.board import Board, board_of
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.odds import Odds, odds_of
from pbem.titles.nato.combat.strength import ground_of
from pbem.titles.nato.commands.ceasefire import open_proposal
from pbem.titles.nato.commands.pools import describe_shares
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.player.language import LANGUAGE
from pbem.titles.nato.player.orders import read_plan
from pbem.titles.nato.player.standing_orders import STOCK_ORDERS, Clause, StandingOrders, compile_orders
from pbem.titles.nato.state import ENEMY, Battle, NatoState

A = TypeVar("A")
WIDTH = 38


class NatoDecision(Decision[A]):
    """A question (ask) of NATO; all seats see the whole board."""

    data: NatoData
    view: NatoState
    language = LANGUAGE

    @cached_property
    def board(self) -> Board:
        return board_of(self.data, self.view)

    @cached_property
    def side(self) -> Side:
        return self.data.side_of(self.seat)

    @property
    def enemy(self) -> Side:
        return ENEMY[self.side]

    def from_plan(self, plan: Plan) -> Iterator[tuple[A, str]]:
        """Yield the answers that the clauses in the plan for this player turn give."""
        said = read_plan(plan)
        if said.clauses:
            yield from self.from_standing_orders(compile_orders(said.clauses))

    def notices(self) -> Iterator[FormLine]:
        """35.1.2, 35.8.1 Yield remarks on the seat's share of its side's points and on any proposed ceasefire."""
        for said in (describe_shares(self.board, self.seat), open_proposal(self.board, self.side)):
            yield from self.remark(said) if said else ()

    def remark(self, said: Message) -> list[FormLine]:
        """Return a comment; it is put into words when the form is sent."""
        return [said]


class Choosing(NatoDecision[A]):
    """A small ask that is answered on one line: with names of units and hexes, a number, or `none`."""

    def words_of(self, answer: A) -> list[str]:
        """Return the words that express an answer; an empty list for an empty answer."""
        if answer is None:
            return []
        return [answer] if isinstance(answer, str) else [str(word) for word in answer]  # type: ignore[attr-defined]

    def from_words(self, words: list[str]) -> Any:
        """Return, as data, the answer that these words express: the option with exactly these words.

        Other words are taken as names of units, so that a refusal can say why those units cannot be chosen.
        """
        said = [word.lower() for word in words]
        for option in self.options():
            if [word.lower() for word in self.words_of(option)] == said:
                return self.plain(option)
        ids = {id.lower(): id for id in self.view.pieces}
        named = [ids.get(word, word) for word in said]
        return named if len(named) != 1 else named[0]

    def read(self, words: Words, said: Said) -> None:
        """Read one line: the number of a choice, words, or `none`."""
        number = tokens(words, "NUMBER") if words.data == "number" else []
        named = bool(number) and any(self.words_of(option) == number for option in self.options())
        if named or words.data == "words":  # a unit may be called 21
            said.put((), self.from_words(tokens(words, "TRADE", "NAME", "NUMBER", "SUPPORT", "HELICOPTERS")))
        elif words.data == "none" and self.may_pass():
            said.put((), self.plain(self.nothing))
        else:
            super().read(words, said)

    def may_pass(self) -> bool:
        """Return whether `none` is a choice of its own here, and not just the default answer."""
        return any(not self.words_of(option) for option in self.options())

    def sentence(self, answer: A) -> Iterator[str]:
        yield " ".join(self.words_of(answer)) or "none"

    def form(self) -> Iterator[FormLine]:
        yield from self.remark(
            say("{about}. Answer with one of these lines, or its number:", about=f"{self.kind} {self.ask.subject}")
        )
        for number, option in enumerate(self.choices(), start=1):
            yield from self.remark(
                say("{number}: {order}", number=number, order=" ".join(self.words_of(self.decode(option))) or "none")
            )
        yield " ".join(self.words_of(self.default())) or "none"


class Window(Choosing[A]):
    """A small decision within a battle cycle, which the clauses of standing orders can answer."""

    topics: ClassVar[tuple[str, ...]] = ()
    """The topics of the clauses that can answer this window."""

    @cached_property
    def battle(self) -> Battle:
        assert self.view.battle is not None
        return self.view.battle

    @cached_property
    def odds(self) -> Odds:
        """25.1.5 The current odds."""
        return odds_of(self.board, self.battle)

    @cached_property
    def ground(self) -> str:
        """2.2.1 Return the terrain of the objective."""
        return ground_of(self.board, self.battle.objective).key

    def from_standing_orders(self, orders: StandingOrders) -> Iterator[tuple[A, str]]:
        """Yield the answers of clauses on this window's topics whose condition holds, in the player's order."""
        for clause in orders.clauses:
            if clause.topic in self.topics and clause.at_odds(self.odds.final):
                for answer in self.by_clause(clause, orders):
                    yield answer, clause.text

    def default(self) -> A:
        """Return the answer of the stock standing orders if it is legal, otherwise the answer for a silent seat."""
        for answer, _ in self.from_standing_orders(STOCK_ORDERS):
            if not any(self.objections(answer)):
                return answer
        return self.silence()

    def silence(self) -> A:
        """The answer for a seat without any orders."""
        answer: A = self.nothing
        return answer

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[A]:
        """Yield the answers that one clause gives; nothing if it does not apply here."""
        yield from ()
