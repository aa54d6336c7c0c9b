"""25.1 The windows of a battle cycle that offer a simple choice.

25.1.2   Respond
25.1.4   Brigade: attack helicopters
26.1.5   Defenders: which front or nations defend
25.6.2.1 Counterattackers: which nation counterattacks
25.6.2   Counterattack: the target of a counterattacking step
25.6.3   Loss: which step of the enemy is lost
25.7     OwnLoss: which friendly step is given up
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar

import msgspec

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say, several
from pbem.titles.nato.air.helicopters import brigade_objections, possible_brigades
from pbem.titles.nato.board import Unit
from pbem.titles.nato.cards.charts import ODDS
from pbem.titles.nato.combat.eligibility import possible_responses, response_objections
from pbem.titles.nato.combat.prospects import defender_groups, odds_with
from pbem.titles.nato.player.deciding import Window
from pbem.titles.nato.player.standing_orders import Clause, StandingOrders
from pbem.titles.nato.zones.coordination import counterattack_groups


def may_counterattack(unit: Unit) -> bool:
    """25.6.2 Return whether a defender may counterattack."""
    piece = unit.piece
    return unit.attack > 0 and not (piece.disrupted or piece.ms_out or piece.cs_out or piece.engaged or piece.train)


class Respond(Window[str | None], kind="respond", rule="25.1.2"):
    """25.1.2 The choice of the unit that moves into the objective, or of none."""

    Answer = str | None
    topics = ("respond",)

    @cached_property
    def possible(self) -> list[Unit]:
        return possible_responses(self.board, self.battle)

    def options(self) -> Iterator[str | None]:
        yield None
        yield from (unit.id for unit in self.possible)

    def objections(self, answer: str | None) -> Iterator[Objection]:
        if answer is None:
            return
        unit = self.board.units.get(answer)
        if unit is None:
            yield Objection("25.1.2", say("no such unit is in play"))
        else:
            yield from response_objections(self.board, unit, self.battle)

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[str | None]:
        """Answer by a clause: `best` sends the unit that lowers the odds most, `never` sends none, and names send
        the first unit that can go.
        """
        kept = [hex for other in orders.on("respond") if other.choice == "never" for hex in other.hexes]
        able = [unit for unit in self.possible if unit.at not in kept]
        if clause.choice == "never":
            yield from () if clause.hexes else (None,)
        elif not clause.covers(self.battle.objective, self.ground):
            return
        elif clause.choice == "units":
            named = {unit.id.lower(): unit.id for unit in able}
            yield from (named[word] for word in clause.units if word in named)
        elif able:
            best = min(able, key=lambda unit: (ODDS.index(odds_with(self.board, self.battle, unit).final), unit.id))
            if ODDS.index(odds_with(self.board, self.battle, best).final) < ODDS.index(self.odds.final):
                yield best.id


class Brigade(Window[str | None], kind="helicopters", rule="25.1.4"):
    """25.1.4 The choice of the HQ that sends its attack helicopter brigade, or of none."""

    Answer = str | None
    topics = ("helicopters",)

    def options(self) -> Iterator[str | None]:
        yield None
        yield from possible_brigades(self.board, self.battle, self.side)

    def default(self) -> str | None:
        """Return the HQ that the attacker named when committing; for the defender, the answer of the standing
        orders.
        """
        if self.side is not self.battle.side:
            return super().default()
        wanted = self.battle.wanted
        return wanted if wanted and not any(self.objections(wanted)) else None

    def objections(self, answer: str | None) -> Iterator[Objection]:
        if answer is not None:
            yield from brigade_objections(self.board, answer, self.battle, self.side)

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[str | None]:
        if self.side is self.battle.side:  # the commitment decides
            return
        if clause.choice == "never":
            yield None
        elif clause.covers(self.battle.objective, self.ground):
            yield from possible_brigades(self.board, self.battle, self.side)


class Defenders(Window[tuple[str, ...]], kind="defenders", rule="26.2.5"):
    """26.1.5, 26.2.5 The choice of the group of units that defends a hex together."""

    Answer = tuple[str, ...]
    grade = "detail"
    topics = ("defend with",)

    def options(self) -> Iterator[tuple[str, ...]]:
        groups = defender_groups(self.board, self.battle.objective, self.side)
        yield from (tuple(unit.id for unit in group) for group in groups)

    def silence(self) -> tuple[str, ...]:
        return next(self.options())

    def objections(self, answer: tuple[str, ...]) -> Iterator[Objection]:
        if answer not in list(self.options()):
            yield Objection(self.rule, say("these units cannot defend together"))

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[tuple[str, ...]]:
        """Yield the group that best matches the nations or fronts in the player's order of preference."""
        wish = [word.upper() for word in clause.units]

        def rank(group: tuple[str, ...]) -> list[bool]:
            cards = [self.data.units[id] for id in group]
            here = {str(card.nation).upper() for card in cards} | {card.formation.upper() for card in cards}
            return [word not in here for word in wish]

        yield min(self.options(), key=rank)


class Counterattackers(Defenders, kind="counterattackers", rule="25.6.2.1"):
    """25.6.2.1, 25.6.2.2 The choice of the nation or front that counterattacks, if several are in the hex."""

    def options(self) -> Iterator[tuple[str, ...]]:
        """Yield the groups, in descending order of expected hits."""
        units = [self.board.units[id] for id in self.battle.defenders if id in self.board.units]
        groups = counterattack_groups(self.board, self.side, [unit for unit in units if may_counterattack(unit)])
        ranked = sorted(groups, key=lambda group: (-self.promise(group), [unit.id for unit in group]))
        yield from (tuple(unit.id for unit in group) for group in ranked)

    def promise(self, group: list[Unit]) -> int:
        """Return the expected hits of a group's steps, in sixths of a hit."""
        return sum(unit.steps * (7 - self.data.charts.counterattack(unit.card.nation)) for unit in group)


class Counterattack(Window[str], kind="counterattack", rule="25.6.2"):
    """25.6.2 The choice of the attacker that one counterattacking step strikes."""

    Answer = str
    grade = "detail"
    topics = ("counterattack",)

    @cached_property
    def targets(self) -> list[Unit]:
        """Return the committed units, undisrupted ones first and then by strength."""
        units = [self.board.units[id] for id in self.battle.attackers if id in self.board.units]
        return sorted(units, key=lambda unit: (unit.piece.disrupted, -unit.attack, unit.id))

    def options(self) -> Iterator[str]:
        yield from (unit.id for unit in self.targets)

    def silence(self) -> str:
        return self.targets[0].id

    def objections(self, answer: str) -> Iterator[Objection]:
        if answer not in [unit.id for unit in self.targets]:
            yield Objection("25.6.2", say("only a committed unit can be counterattacked"))

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[str]:
        fresh = [unit for unit in self.targets if not unit.piece.disrupted]
        if fresh:
            weakest = min(fresh, key=lambda unit: (unit.attack, unit.id))
            yield weakest.id if clause.choice == "spread" else fresh[0].id


class LossAbout(msgspec.Struct, frozen=True):
    """25.6.3 The units from which a step may be lost."""

    units: tuple[str, ...]
    why: str


class Loss(Window[str], kind="loss", rule="25.6.3"):
    """25.6.3 The choice of the enemy step that is lost."""

    Answer = str
    About = LossAbout
    grade = "detail"
    topics: ClassVar[tuple[str, ...]] = ("lose",)

    def candidates(self) -> list[Unit]:
        return [self.board.units[id] for id in self.about.units if id in self.board.units]

    def options(self) -> Iterator[str]:
        yield from (unit.id for unit in self.candidates())

    def silence(self) -> str:
        """Return the default loss: full divisions first, then armor, then the strongest."""
        return min(self.candidates(), key=worth).id

    def objections(self, answer: str) -> Iterator[Objection]:
        if answer not in self.about.units:
            yield Objection(
                self.rule, say("the step must be lost by one of {units}", units=several(self.about.units, "or"))
            )

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[str]:
        units = self.candidates()
        if clause.choice == "armor":
            units = [unit for unit in units if unit.card.armor] or units
        if clause.choice == "weakest":
            yield min(units, key=lambda unit: (unit.steps, unit.attack + unit.defense, unit.id)).id
        elif clause.choice == "strongest":
            yield min(units, key=lambda unit: (-unit.attack - unit.defense, unit.id)).id
        else:
            yield min(units, key=worth).id


def worth(unit: Unit) -> tuple[int, bool, int, str]:
    """Return a sort key for the loss that hurts the enemy most: a full division, then armor, then strength."""
    return -unit.steps, not unit.card.armor, -unit.attack - unit.defense, unit.id


class OwnLoss(Loss, kind="own loss", rule="25.7.4.1"):
    """25.7.4.1 The choice of the side's own step that pays for a retreat."""

    topics: ClassVar[tuple[str, ...]] = ()

    def silence(self) -> str:
        """Return the least valuable of the steps that can be lost."""
        return max(self.candidates(), key=lambda unit: (-unit.attack - unit.defense, unit.id)).id
