"""3.6/rout-movement Where a routing unit may go.

3.6/rout-restrictions    legal steps
3.6/rout-movement        Search: the nearest woods or building hex, and hexes that may be ignored
3.6/low-crawl            crawl_steps
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise, takewhile
from typing import NamedTuple

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.movement.allowance import ROUT_MF, WOUNDED_MF, cost_of
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit

Known = frozenset[str]
"""The hexes of the enemies that the unit has seen during its rout."""


class Reached(NamedTuple):
    """A path to a hex: its cost, its hexes, and the enemies seen on it."""

    cost: int
    path: tuple[str, ...]
    known: Known


class Search:
    """3.6/rout-movement The search for all hexes that one unit may reach in a Rout Phase."""

    def __init__(self, situation: Situation, unit: Unit, leader: Unit | None = None) -> None:
        self.situation, self.unit, self.start = situation, unit, unit.at
        self.began = unit.rout_from or unit.at
        self.together = [unit] + ([leader] if leader is not None else [])
        self.mf = min(self.allowance(one) for one in self.together) - unit.rout_spent
        known = [one for one in situation.state.units.values() if one.seat != unit.seat and one.at and not one.hidden]
        armour = {one.at for one in situation.state.vehicles.values() if one.seat != unit.seat and one.at}
        self.enemies = sorted({one.at for one in known} | armour)
        self.unbroken = {one.at for one in known if not one.broken} | armour
        self._seen: dict[str, Known] = {}
        self._room: dict[str, bool] = {}

    def allowance(self, unit: Unit) -> int:
        """3.6/rout-movement The MF of a routing unit: 6, or 3 for a wounded leader; nothing increases them."""
        return WOUNDED_MF if unit.wounded else ROUT_MF

    def seen_from(self, hex: str) -> Known:
        if hex not in self._seen:
            self._seen[hex] = frozenset(enemy for enemy in self.enemies if self.situation.sees(hex, enemy))
        return self._seen[hex]

    @cached_property
    def known(self) -> Known:
        """3.6/rout-restrictions The enemies seen so far, also before the unit met a hidden Gun (6.4)."""
        return self.seen_from(self.start) | {enemy for enemy in self.unit.rout_seen if enemy in self.enemies}

    def has_room(self, hex: str) -> bool:
        """3.3.1/stacking Whether the routing units fit in a hex."""
        if hex not in self._room:
            self._room[hex] = self.situation.has_room(hex, self.unit.seat, self.together)
        return self._room[hex]

    def step_is_legal(self, start: str, end: str, known: Known) -> bool:
        """3.6/rout-restrictions Whether a step is legal: not nearer to a seen enemy, not from one hex adjacent to
        an enemy to another adjacent to the same enemy, and not into an enemy's hex.
        """
        ground = self.situation.ground
        if end in self.enemies or not self.has_room(end):
            return False
        if any(ground.distance(end, enemy) < ground.distance(start, enemy) for enemy in known):
            return False
        return not any(
            ground.adjacent(start, enemy) and ground.adjacent(end, enemy) for enemy in self.enemies if enemy != start
        )

    def cost(self, start: str, end: str) -> int:
        return cost_of(self.situation, start, end)

    @cached_property
    def reached(self) -> list[Reached]:
        """The cheapest path to every hex (for each set of enemies seen along it), cheapest first."""
        return self.explore(Reached(0, (self.start,), self.known))

    def explore(self, first: Reached) -> list[Reached]:
        """Yield the cheapest continuations of a path."""
        heap, done = [first], dict[tuple[str, Known], Reached]()
        while heap:
            at = heapq.heappop(heap)
            key = (at.path[-1], at.known)
            if key in done:
                continue
            done[key] = at
            for hex in self.situation.ground.neighbours(at.path[-1]):
                cost = at.cost + self.cost(at.path[-1], hex)
                if cost <= self.mf and hex not in at.path and self.step_is_legal(at.path[-1], hex, at.known):
                    heapq.heappush(heap, Reached(cost, (*at.path, hex), at.known | self.seen_from(hex)))
        return [found for found in done.values() if len(found.path) > 1]

    def may_end(self, hex: str) -> bool:
        """3.6/must-rout Whether a unit may end its rout in a hex, which must not hold or adjoin an unbroken enemy."""
        return not any(self.situation.ground.distance(hex, enemy) <= 1 for enemy in self.unbroken)

    @cached_property
    def candidates(self) -> dict[str, Reached]:
        """3.6/rout-movement The woods and building hexes within reach, each with its cheapest path."""
        found: dict[str, Reached] = {}
        for one in self.reached:
            hex = one.path[-1]
            if hex not in found and hex != self.began and self.situation.ground.cover(hex) and self.may_end(hex):
                found[hex] = one
        return found

    def may_ignore(self, hex: str, known: Known) -> bool:
        """3.6/rout-movement Whether a hex may be ignored: it is no farther from some Known enemy than the start,
        or in the start's building.
        """
        ground = self.situation.ground
        building = ground[self.began].building
        if building and ground[hex].building == building:
            return True
        return any(ground.distance(hex, enemy) <= ground.distance(self.began, enemy) for enemy in known)

    @cached_property
    def limit(self) -> int | None:
        """The cost of the nearest cover that may not be ignored; None if all may be ignored."""
        binding = [one.cost for hex, one in self.candidates.items() if not self.may_ignore(hex, one.known)]
        return min(binding, default=None)

    @cached_property
    def ways(self) -> dict[str, Reached]:
        """3.6/rout-movement One allowed path to each hex where the unit may end its rout."""
        found: dict[str, Reached] = {}
        for hex, one in self.candidates.items():
            if self.limit is None or one.cost <= self.limit:
                found[hex] = one
                self.go_on(one, found)
        if self.limit is None:
            for one in self.reached:
                if self.may_end(one.path[-1]):
                    found.setdefault(one.path[-1], one)
        return found

    def go_on(self, one: Reached, found: dict[str, Reached]) -> None:
        """3.6/rout-movement Add the hexes to which a unit may continue from cover: adjacent cover or, next to an
        enemy, any hex.
        """
        ground = self.situation.ground
        if self.is_beside(one.path[-1]):
            for further in self.explore(one):
                if self.may_end(further.path[-1]):
                    found.setdefault(further.path[-1], further)
            return
        for hex in ground.neighbours(one.path[-1]):
            cost = one.cost + self.cost(one.path[-1], hex)
            if cost > self.mf or hex in one.path or not self.step_is_legal(one.path[-1], hex, one.known):
                continue
            if ground.cover(hex) and hex not in found:
                further = Reached(cost, (*one.path, hex), one.known | self.seen_from(hex))
                if self.may_end(hex):
                    found[hex] = further
                self.go_on(further, found)

    @cached_property
    def crawl_steps(self) -> dict[str, Reached]:
        """3.6/low-crawl The hexes a unit may crawl into: the first hexes of allowed paths or, if no cover is
        binding, any legal step that it has the MF for.
        """
        found: dict[str, Reached] = {}
        if self.unit.rout_spent:  # 6.4 it has met a hidden Gun
            return found
        known = self.seen_from(self.start)
        for hex in self.situation.ground.neighbours(self.start):
            legal = self.cost(self.start, hex) <= self.mf and self.step_is_legal(self.start, hex, known)
            if legal and self.begins_a_way(hex) and self.may_end(hex):
                found[hex] = Reached(self.mf, (self.start, hex), known | self.seen_from(hex))
        return found

    def begins_a_way(self, hex: str) -> bool:
        """3.6/low-crawl Whether this step begins a cheapest path to cover that may not be ignored."""
        if self.limit is None:
            return True
        cost = self.cost(self.start, hex)
        first = Reached(cost, (self.start, hex), self.seen_from(self.start) | self.seen_from(hex))
        ways = self.explore(first)
        return any(self.is_nearest(one.path[-1], one.cost) for one in ways)

    def is_nearest(self, hex: str, cost: int) -> bool:
        """3.6/rout-movement Whether a hex is cover that the unit may choose, and this is the lowest cost to reach
        it.
        """
        found = self.candidates.get(hex)
        return found is not None and cost == found.cost and (self.limit is None or cost <= self.limit)

    def leads_to_nearest(self, path: tuple[str, ...]) -> bool:
        """3.6/rout-movement Whether a path leads to the nearest cover first and then continues only as `go_on`
        allows.
        """
        cost, ground = 0, self.situation.ground
        for place, (start, end) in enumerate(pairwise(path), start=1):
            cost += self.cost(start, end)
            covered = tuple(takewhile(ground.cover, path[place:]))
            free = covered == path[place:] or any(map(self.is_beside, covered))
            if free and self.is_nearest(end, cost):
                return True
        return False

    def is_beside(self, hex: str) -> bool:
        """Whether an enemy, even a broken one, is in a hex or adjacent to it."""
        return any(self.situation.ground.distance(hex, enemy) <= 1 for enemy in self.enemies)


def path_objections(search: Search, path: tuple[str, ...], *, crawl: bool) -> Iterator[Objection]:
    """3.6 The objections to a rout along these hexes, which do not include the starting hex."""
    rule = "3.6/rout-movement"
    if not path:
        yield Objection(rule, say("a rout must name each hex of its path"))
    elif crawl:
        if len(path) > 1 or path[0] not in search.crawl_steps:
            yield Objection("3.6/low-crawl", say("Low Crawl moves one hex along an allowed route"))
    else:
        yield from way_objections(search, (search.start, *path))


def way_objections(search: Search, path: tuple[str, ...]) -> Iterator[Objection]:
    """3.6/rout-movement Object unless every step is legal, the MF suffice, and the end is allowed at this path's
    cost.
    """
    cost, known = 0, search.known
    ground = search.situation.ground
    for start, end in pairwise(path):
        if end not in ground or not ground.adjacent(start, end):
            yield Objection("3.6/rout-movement", say("{end} is not adjacent to {start}", end=end, start=start))
            return
        if not search.step_is_legal(start, end, known):
            yield Objection(
                "3.6/rout-restrictions",
                say("{unit} may not rout from {start} to {end}", unit=search.unit.id, start=start, end=end),
            )
            return
        cost, known = cost + search.cost(start, end), known | search.seen_from(end)
    if cost > search.mf:
        yield Objection("3.6/rout-movement", say("this path costs more than {mf} MF", mf=search.mf // 2))
    elif path[-1] not in search.ways:
        nearest = min(search.ways, key=lambda hex: search.ways[hex].cost, default="")
        yield Objection(
            "3.6/rout-movement",
            say("the rout must end in an allowed hex{nearest}", nearest=f", such as {nearest}" if nearest else ""),
        )
    elif search.limit is not None and not search.leads_to_nearest(path):
        yield Objection(
            "3.6/rout-movement",
            say("the rout must follow one of the cheapest paths to the nearest woods or building"),
        )
