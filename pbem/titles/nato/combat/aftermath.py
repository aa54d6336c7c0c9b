"""25.7, 25.8 The windows after a battle: retreat and advance.

25.7    FallBack: steps given up instead of retreating hexes, and the path of each unit
25.7.1  stand: They Shall Not Pass!
25.8    GoForward: consolidation or exploitation
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import msgspec

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say, say_n, several
from pbem.titles.nato.board import Unit
from pbem.titles.nato.combat.advance import (
    advance_objections,
    may_advance,
    second_hexes,
    stacking_objections,
)
from pbem.titles.nato.combat.losses import next_losses
from pbem.titles.nato.combat.retreat import legal_ways
from pbem.titles.nato.combat.strength import ground_of
from pbem.titles.nato.map.grid import HexId, distance, is_hex
from pbem.titles.nato.player.deciding import Window
from pbem.titles.nato.player.orders import Advance, Retreat
from pbem.titles.nato.player.standing_orders import Clause, StandingOrders
from pbem.titles.nato.supply.headquarters import headquarters, superior
from pbem.titles.nato.zones.stacking import maneuver_steps, room


class RetreatAbout(msgspec.Struct, frozen=True):
    """25.7 The number of hexes to retreat, after the reduction by terrain."""

    hexes: int


class FallBack(Window[Retreat], kind="retreat", rule="25.7"):
    """25.7 The defender's choice between giving up steps and retreating, and the paths of retreat."""

    Answer = Retreat
    About = RetreatAbout
    nothing = Retreat()
    topics = ("stand", "trade", "retreat")

    @cached_property
    def units(self) -> list[Unit]:
        """The remaining defenders, except those on a train, which do not retreat (13.4.4)."""
        return [unit for unit in self.board.at(self.battle.objective, self.side) if not unit.piece.train]

    @cached_property
    def steps(self) -> int:
        return sum(unit.steps for unit in self.units)

    def staying(self, trade: Sequence[str]) -> list[Unit]:
        """The units that remain after steps have been given up."""
        lost = {unit.id: trade.count(unit.id) for unit in self.units}
        return [unit for unit in self.units if unit.steps > lost[unit.id]]

    # --- answers ---------------------------------------------------------------------------------------------

    def silence(self) -> Retreat:
        return self.fall_back(0)

    def fall_back(self, trade: int, towards: HexId = "") -> Retreat:
        """Give up a number of steps, then retreat all units together towards a hex, by default their headquarters."""
        given = self.cheapest_steps(min(trade, self.about.hexes))
        left = self.about.hexes - len(given)
        units = self.staying(given)
        ways = legal_ways(self.board, units, left) if units and left else []
        if not ways:
            return Retreat(trade=given)
        goal = towards or self.home(units)
        best = min(ways, key=lambda way: (way.price, distance(way.path[-1], goal) if goal else 0, way.path))
        return Retreat(trade=given, paths={unit.id: best.path for unit in units})

    def home(self, units: Sequence[Unit]) -> HexId:
        """Return the hex of the nearest superior headquarters."""
        hqs = [hq for hq in headquarters(self.board, self.side) if superior(self.board, units[0], hq.card)]
        return min((hq.at for hq in hqs), key=lambda hex: (distance(units[0].at, hex), hex), default="")

    def cheapest_steps(self, number: int) -> tuple[str, ...]:
        """25.7 The steps to give up, in the order of 25.6.3, weakest first."""
        given: list[str] = []
        while len(given) < number:
            able = next_losses(self.staying(given), self.battle)
            if not able:
                break
            given.append(min(able, key=lambda unit: (unit.attack + unit.defense, unit.id)).id)
        return tuple(given)

    def options(self) -> Iterator[Retreat]:
        """Yield retreats of all units together: every legal path, after every possible number of steps given up."""
        for number in range(self.about.hexes + 1):
            given = self.cheapest_steps(number)
            if len(given) < number:
                return
            left, units = self.about.hexes - number, self.staying(given)
            ways = legal_ways(self.board, units, left) if units and left else []
            for way in ways:
                yield Retreat(trade=given, paths={unit.id: way.path for unit in units})
            if not ways:
                yield Retreat(trade=given)

    # --- words -----------------------------------------------------------------------------------------------

    def words_of(self, answer: Retreat) -> list[str]:
        """Return the answer in words: `trade` and the steps given up, then each unit with its path."""
        paths = [word for id, path in sorted(answer.paths.items()) for word in (id, *path)]
        return [*(("trade", *answer.trade) if answer.trade else ()), *paths]

    def from_words(self, words: list[str]) -> Any:
        names = {unit.id.lower(): unit.id for unit in self.units}
        trade, paths = split_paths(words, names)
        return {"trade": trade, "paths": paths}

    # --- objections ------------------------------------------------------------------------------------------

    def objections(self, answer: Retreat) -> Iterator[Objection]:
        yield from self.trade_objections(answer.trade)
        if any(self.trade_objections(answer.trade)):
            return
        left, units = self.about.hexes - len(answer.trade), self.staying(answer.trade)
        if not left and answer.paths:
            yield Objection("25.7", say("the steps you give up cancel the whole retreat, so no path is needed"))
        elif left:
            yield from self.path_objections(units, left, answer.paths)

    def trade_objections(self, trade: Sequence[str]) -> Iterator[Objection]:
        """25.7, 25.6.3 Object unless steps are given up in the order of the loss classes, at most one for each hex
        of retreat.
        """
        if len(trade) > self.about.hexes:
            yield Objection(
                "25.7",
                say_n("at most {n} step can be given up", "at most {n} steps can be given up", n=self.about.hexes),
            )
        for number, id in enumerate(trade):
            able = [unit.id for unit in next_losses(self.staying(trade[:number]), self.battle)]
            if id not in able:
                yield Objection(
                    "25.6.3",
                    say("the next step must come from {able}", able=several(able, "or"))
                    if able
                    else say("no step is left to give up"),
                )

    def path_objections(
        self, units: Sequence[Unit], left: int, paths: Mapping[str, Sequence[HexId]]
    ) -> Iterator[Objection]:
        """25.7.3, 25.7.4 Object unless every unit retreats along one of the paths that violate the priorities
        least.
        """
        for id in sorted(set(paths) - {unit.id for unit in units}):
            yield Objection("25.7", say("{id} does not retreat", id=id))
        ends: dict[HexId, list[Unit]] = {}
        for group in self.groups(units, paths):
            ways = legal_ways(self.board, group, left, ends)
            path = tuple(paths.get(group[0].id, ()))
            ends.setdefault(path[-1] if path else self.battle.objective, []).extend(group)
            if path not in [way.path for way in ways] and (ways or path):
                names = several(unit.id for unit in group)
                legal = several((" ".join(way.path) for way in ways[:4]), "or")
                yield Objection(
                    "25.7.4",
                    say("{names} must retreat to {legal}", names=names, legal=legal)
                    if ways
                    else say("{names} cannot retreat", names=names),
                )

    def groups(self, units: Sequence[Unit], paths: Mapping[str, Sequence[HexId]]) -> list[list[Unit]]:
        """25.7.3 The units that retreat together: those with the same path."""
        found: dict[tuple[HexId, ...], list[Unit]] = {}
        for unit in units:
            found.setdefault(tuple(paths.get(unit.id, ())), []).append(unit)
        return list(found.values())

    # --- clauses ---------------------------------------------------------------------------------------------

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[Retreat]:
        """Answer by a clause: `stand` and `trade` set the steps to give up, `retreat` sets the hex to retreat
        towards.
        """
        goal = next((hex for other in orders.on("retreat") for hex in other.hexes), "")
        named = clause.choice != "never" and clause.covers(self.battle.objective, self.ground)
        if clause.topic == "stand" and named and self.steps >= self.about.hexes:
            yield self.fall_back(self.about.hexes)
        elif clause.topic == "trade" and named and self.steps > clause.number:
            yield self.fall_back(clause.number, goal)
        elif clause.topic == "retreat":
            yield self.fall_back(0, goal)


def split_paths(words: Sequence[str], names: Mapping[str, str]) -> tuple[list[str], dict[str, list[HexId]]]:
    """Return the units named without hexes, and the paths of those followed by hexes."""
    alone: list[str] = []
    paths: dict[str, list[HexId]] = {}
    last = ""
    for word in words:
        if is_hex(word) and last:
            if alone and alone[-1] == last:
                alone.pop()
            paths.setdefault(last, []).append(word)
        elif word != "trade":
            last = names.get(word.lower(), word)
            alone.append(last)
    return alone, paths


class GoForward(Window[Advance], kind="advance", rule="25.8"):
    """25.8 The choice of the attackers that advance, and how far they go."""

    Answer = Advance
    nothing = Advance()
    grade = "detail"
    topics = ("advance",)

    @cached_property
    def able(self) -> list[Unit]:
        """The committed units that could enter the objective, strongest defense first."""
        units = [self.board.units[id] for id in self.battle.attackers if id in self.board.units]
        found = [unit for unit in units if may_advance(self.board, unit, self.battle)]
        return sorted(found, key=lambda unit: (unit.piece.disrupted, -unit.defense, unit.id))

    def silence(self) -> Advance:
        return self.consolidate()

    def consolidate(self) -> Advance:
        """25.8.1 Advance one unit into the objective, if possible from a hex that stays occupied."""
        fits = [unit for unit in self.able if unit.steps <= room(self.board, self.battle.objective, self.side)]
        if not fits:
            return Advance()
        left = {unit.id: maneuver_steps(self.board.at(unit.at, self.side)) - unit.steps for unit in fits}
        best = max(fits, key=lambda unit: (left[unit.id] > 0, not unit.piece.disrupted, unit.defense, unit.id))
        return Advance({best.id: (self.battle.objective,)})

    def exploit(self) -> Iterator[Advance]:
        """25.8.2 Exploit with the strongest unit that can, into the hex farthest from its starting hex."""
        for unit in self.able:
            seconds = second_hexes(self.board, unit, self.battle)
            far = sorted(seconds, key=lambda hex: (-distance(unit.at, hex), hex))
            yield from (Advance({unit.id: (self.battle.objective, hex)}) for hex in far)

    def options(self) -> Iterator[Advance]:
        """Yield the choice of no advance, then advances of one or two units into the objective, then exploitations
        by one unit.
        """
        yield Advance()
        objective = self.battle.objective
        for one, other in product(self.able, self.able):
            if one.id <= other.id:
                found = Advance({one.id: (objective,), other.id: (objective,)})
                if not any(self.objections(found)):
                    yield found
        yield from (found for found in self.exploit() if not any(self.objections(found)))

    def objections(self, answer: Advance) -> Iterator[Objection]:
        units = {id: self.board.units.get(id) for id in answer.paths}
        for id, unit in units.items():
            if unit is None:
                yield Objection("25.8", say("{id} is not in play", id=id))
            else:
                yield from advance_objections(self.board, unit, self.battle, answer.paths[id])
        if all(units.values()):
            yield from stacking_objections(self.board, self.battle, answer.paths)

    def words_of(self, answer: Advance) -> list[str]:
        return [word for id, path in sorted(answer.paths.items()) for word in (id, *path)]

    def from_words(self, words: list[str]) -> Any:
        names = {unit.id.lower(): unit.id for unit in self.able}
        return {"paths": split_paths(words, names)[1]}

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[Advance]:
        if clause.choice == "never":
            yield Advance()
        elif clause.choice == "exploit" and ground_of(self.board, self.battle.objective).exploitation:
            yield from self.exploit()
        elif clause.choice == "consolidate":
            yield self.consolidate()
