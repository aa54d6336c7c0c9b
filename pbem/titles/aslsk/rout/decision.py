"""3.6 The decision of a routing unit's owner: to stay, to rout along a path, or to crawl."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from lark import Tree

from pbem.engine.rules.decision import Said
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words
from pbem.engine.text.messages import say
from pbem.titles.aslsk.orders import Clause, RoutOrder
from pbem.titles.aslsk.player.decision import AslskDecision
from pbem.titles.aslsk.player.reading import Reader, rout_order
from pbem.titles.aslsk.player.wording import remarks, rout_line
from pbem.titles.aslsk.rout.interdiction import is_interdicted, must_rout
from pbem.titles.aslsk.rout.paths import Reached, Search, path_objections
from pbem.titles.aslsk.state import orders_of

MOST_SHOWN = 12


class Rout(AslskDecision[RoutOrder | None], kind="rout", rule="3.6"):
    """3.6 The choice of where a broken unit routs; None means that it stays where it is."""

    Answer = RoutOrder | None
    start = "rout_line"

    @cached_property
    def unit(self) -> Any:
        return self.view.units[self.ask.subject]

    @cached_property
    def forced(self) -> str:
        return must_rout(self.situation, self.unit)

    @cached_property
    def search(self) -> Search:
        return Search(self.situation, self.unit)

    def with_leader(self, id: str) -> Search:
        return Search(self.situation, self.unit, self.view.units[id]) if id else self.search

    def leaders(self) -> Iterator[str]:
        """3.6/leader-rout The unbroken, unpinned leaders who may rout along with the unit; each may accompany only
        one.
        """
        for leader in self.situation.leaders_with(self.unit):
            if not leader.routed:
                yield leader.id

    def usual(self) -> RoutOrder | None:
        """11 G6 The usual answer: stay in cover, or take the path with the fewest Interdictions; crawl if all are
        interdicted.
        """
        if not self.forced and self.situation.ground.cover(self.unit.at):
            return None
        ways = sorted(self.search.ways.values(), key=self.dread)
        if not ways:
            crawl = next(iter(self.search.crawl_steps), "")
            return RoutOrder(self.unit.id, (crawl,), crawl=True) if crawl and self.forced else None
        best = ways[0]
        step = best.path[1]
        if self.interdictions(best) and step in self.search.crawl_steps:
            return RoutOrder(self.unit.id, (step,), crawl=True)
        return RoutOrder(self.unit.id, best.path[1:])

    def dread(self, way: Reached) -> tuple[int, int, int, int]:
        """The sort key of a path: fewest Interdictions, then ending in cover, then far from enemies, then cheap."""
        end, ground = way.path[-1], self.situation.ground
        away = min((ground.distance(end, enemy) for enemy in self.search.enemies), default=99)
        return self.interdictions(way), not ground.cover(end), -away, way.cost

    def interdictions(self, way: Reached) -> int:
        pairs = zip(way.path, way.path[1:], strict=False)
        return sum(is_interdicted(self.situation, self.unit, end, start) for start, end in pairs)

    def options(self) -> Iterator[RoutOrder | None]:
        if not self.forced or not (self.search.ways or self.search.crawl_steps):
            yield None
        for way in self.search.ways.values():
            yield RoutOrder(self.unit.id, way.path[1:])
        for leader in self.leaders():
            for way in self.with_leader(leader).ways.values():
                yield RoutOrder(self.unit.id, way.path[1:], leader=leader)
        for hex in self.search.crawl_steps:
            yield RoutOrder(self.unit.id, (hex,), crawl=True)

    def objections(self, answer: RoutOrder | None) -> Iterator[Objection]:
        if answer is None:
            if self.forced and (self.search.ways or self.search.crawl_steps):
                yield Objection(
                    "3.6/must-rout", say("{unit} must rout: {forced}", unit=self.unit.id, forced=self.forced)
                )
            return
        if answer.unit != self.unit.id:
            yield Objection(
                "3.6", say("you were asked about {unit}, not {unit2}", unit=self.unit.id, unit2=answer.unit)
            )
            return
        if answer.leader and answer.leader not in self.leaders():
            yield Objection(
                "3.6/leader-rout", say("{leader} cannot rout with {unit}", leader=answer.leader, unit=self.unit.id)
            )
            return
        if not answer.path and not self.forced:
            return
        yield from path_objections(self.with_leader(answer.leader), answer.path, crawl=answer.crawl)

    def canonical(self, answer: RoutOrder | None) -> RoutOrder | None:
        return None if answer is not None and not answer.path else answer

    def sealed_answers(self) -> Iterator[tuple[RoutOrder | None, str]]:
        for order in orders_of(self.view, self.seat).routs:
            if order.unit == self.unit.id:
                yield (order if order.path else None), f"rout {order.unit}"

    def by_clause(self, clause: Clause, clauses: Sequence[Clause]) -> Iterator[RoutOrder | None]:
        """Answer by a clause: `rout stay` stays if the unit may; `rout crawl` and `rout run` do so if it is legal."""
        if clause.do != "rout":
            return
        if clause.how == "stay" and not self.forced:
            yield None
        elif clause.how == "crawl":
            first = next(iter(self.search.crawl_steps), "")
            if first:
                yield RoutOrder(self.unit.id, (first,), crawl=True)
        elif clause.how == "run":
            ways = sorted(self.search.ways.values(), key=self.dread)
            if ways:
                yield RoutOrder(self.unit.id, ways[0].path[1:])

    def read(self, words: Words, said: Said) -> None:
        inner = words.children[0]
        assert isinstance(inner, Tree)
        if inner.data == "stay_put":
            said.put((), None)
            return
        order = rout_order(Reader(self.data.ground, self.view, self.seat), inner)
        said.put((), self.plain(order) if order.path else None)

    def form(self) -> Iterator[FormLine]:
        yield from self.sentence(self.default())
        for option in islice(self.options(), MOST_SHOWN):
            yield from (rest for line in self.sentence(option) for rest in remarks(line))

    def sentence(self, answer: RoutOrder | None) -> Iterator[str]:
        yield "stay" if answer is None else rout_line(answer)
