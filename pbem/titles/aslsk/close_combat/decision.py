"""3.8/sequence-infantry The decision of a side in one close combat hex: its attacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import msgspec
from lark import Tree

from pbem.engine.rules.decision import Said
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words
from pbem.engine.text.messages import say
from pbem.titles.aslsk.close_combat.attacks import combat_objections, fighters, pairs, total_strength
from pbem.titles.aslsk.close_combat.vehicles import defence_of, has_close_defence, value_of, vehicle_strength
from pbem.titles.aslsk.orders import Assault, Clause, CombatOrder
from pbem.titles.aslsk.player.decision import AslskDecision
from pbem.titles.aslsk.player.reading import Reader, combat_order
from pbem.titles.aslsk.player.wording import combat_lines, remarks
from pbem.titles.aslsk.state import Unit, Vehicle, orders_of, units_at


class CloseCombat(AslskDecision[CombatOrder], kind="close_combat", rule="3.8/attacks"):
    """3.8/attacks Which units attack which enemies in a hex."""

    Answer = CombatOrder
    start = "combat_line"

    @cached_property
    def hex(self) -> str:
        return self.ask.subject

    @cached_property
    def spent(self) -> list[str]:
        """3.8/sequence-vehicle The side's units that have already attacked in this hex."""
        return list(self.ask.about.get("used", []))

    @cached_property
    def attacked(self) -> list[str]:
        """3.8/sequence-vehicle The units that have already been attacked in this hex."""
        return list(self.ask.about.get("attacked", []))

    @cached_property
    def own(self) -> list[Unit]:
        return [unit for unit in fighters(self.situation, self.hex, self.seat) if unit.id not in self.spent]

    @cached_property
    def enemies(self) -> list[Unit]:
        return [unit for unit in self.situation.enemies_at(self.hex, self.seat) if unit.id not in self.attacked]

    def against_vehicle(self) -> CombatOrder | None:
        """3.8/vs-vehicle The strongest unit, with a leader, attacks an enemy vehicle."""
        foes = self.situation.enemy_vehicles(self.hex, self.seat)
        squads = [unit for unit in self.own if self.situation.is_mmc(unit)]
        leaders = [unit for unit in self.own if self.situation.is_leader(unit)]
        if not foes or not (squads or leaders):
            return None
        best = [max(squads, key=lambda unit: value_of(self.situation, unit))] if squads else []
        best += sorted(leaders, key=self.situation.leadership)[:1]
        return CombatOrder(self.hex, (Assault(tuple(unit.id for unit in best), (foes[0].id,)),))

    def by_vehicle(self) -> CombatOrder | None:
        """3.8/vehicle-attack, 11 G7 Close defence if no friend is there; otherwise all MG attack the strongest
        enemy.
        """
        mine = self.situation.vehicles_at(self.hex, self.seat)
        alone = not units_at(self.view, self.hex, self.seat) and bool(self.situation.enemies_at(self.hex, self.seat))
        for one in mine:
            if alone and has_close_defence(self.situation, one, self.spent) and self.may_defend((one.id,)):
                return CombatOrder(self.hex, (Assault((one.id,), how="sn"),))
        armed = [one for one in mine if vehicle_strength(self.situation, one, self.spent)]
        if not armed or not self.enemies:
            return None
        strongest = max(self.enemies, key=lambda unit: (not unit.broken, value_of(self.situation, unit)))
        return CombatOrder(self.hex, (Assault((armed[0].id,), (strongest.id,)),))

    def sequential(self) -> CombatOrder:
        """3.8/sequence-vehicle The next attack: against a vehicle first, then by a vehicle, then Infantry against
        Infantry.
        """
        for found in (self.against_vehicle(), self.by_vehicle()):
            if found is not None:
                return found
        return self.everything() if self.own and self.enemies else CombatOrder(self.hex)

    def everything(self) -> CombatOrder:
        """All units attack all enemies in one attack."""
        if not self.own or not self.enemies:
            return CombatOrder(self.hex)
        attack = Assault(tuple(unit.id for unit in self.own), tuple(unit.id for unit in self.enemies))
        return CombatOrder(self.hex, (attack,))

    def concentrate(self) -> CombatOrder:
        """All units attack the weakest enemies that can be attacked on their own."""
        theirs = pairs(self.situation, self.hex, self.situation.other(self.seat))
        groups = [[unit] for unit in self.enemies if unit.id not in theirs and unit.id not in theirs.values()]
        by_id = {unit.id: unit for unit in self.enemies}
        groups += [[by_id[one] for one in pair] for pair in theirs.items() if by_id.keys() >= set(pair)]
        if not groups or not self.own:
            return CombatOrder(self.hex)
        weakest = min(groups, key=lambda group: total_strength(self.situation, group, attacks=False))
        attack = Assault(tuple(unit.id for unit in self.own), tuple(unit.id for unit in weakest))
        return CombatOrder(self.hex, (attack,))

    def usual(self) -> CombatOrder:
        """11 G7 One attack by all against all if it has a chance, otherwise all against the weakest."""
        if self.ask.about.get("sequential"):
            return self.sequential()
        whole = self.everything()
        if not whole.attacks:
            return whole
        attack = total_strength(self.situation, self.own, attacks=True)
        defence = total_strength(self.situation, self.enemies, attacks=False)
        return whole if attack * 2 >= defence else self.concentrate()

    def options(self) -> Iterator[CombatOrder]:
        yield self.usual()
        yield CombatOrder(self.hex)
        for option in (self.everything(), self.concentrate(), self.spread()):
            if option.attacks and not any(self.objections(option)):
                yield option

    def spread(self) -> CombatOrder:
        """Each MMC, with its leader, attacks one enemy group."""
        mine = pairs(self.situation, self.hex, self.seat)
        theirs = pairs(self.situation, self.hex, self.situation.other(self.seat))
        ours = [
            [unit.id, *(leader for leader, other in mine.items() if other == unit.id)]
            for unit in self.own
            if unit.id not in mine
        ]
        foes = [
            [unit.id, *(leader for leader, other in theirs.items() if other == unit.id)]
            for unit in self.enemies
            if unit.id not in theirs
        ]
        attacks = tuple(Assault(tuple(one), tuple(two)) for one, two in zip(ours, foes, strict=False))
        return CombatOrder(self.hex, attacks)

    def objections(self, answer: CombatOrder) -> Iterator[Objection]:
        if answer.hex != self.hex:
            yield Objection("3.8", say("the question was about {hex}, not {hex2}", hex=self.hex, hex2=answer.hex))
            return
        yield from combat_objections(self.situation, self.hex, self.seat, answer.attacks)
        rule = "3.8/sequence-vehicle"
        for attack in answer.attacks[:1]:
            for id in sorted(set(attack.units) & set(self.spent)):
                yield Objection(rule, say("{id} has already attacked in this hex", id=id))
            for id in attack.units:
                vehicle = self.view.vehicles.get(id)
                if vehicle is not None and not self.is_left(vehicle, attack.how):
                    yield Objection(rule, say("{id} has already attacked in this hex", id=id))
            for id in sorted(set(attack.targets) & set(self.attacked) & set(self.view.units)):
                yield Objection(rule, say("{id} has already been attacked in this hex", id=id))
            if attack.how == "sn" and not self.may_defend(attack.units):
                yield Objection("3.8/close-defence", say("the vehicle has not been attacked in this phase"))

    def is_left(self, vehicle: Vehicle, how: str) -> bool:
        """3.8/vehicle-attack Whether a vehicle still has the weapon it wants to attack with."""
        if how == "sn":
            return defence_of(vehicle) not in self.spent
        spent = set(self.spent) & {weapon.id for weapon in self.situation.weapons(vehicle)}
        return not spent or bool(vehicle_strength(self.situation, vehicle, self.spent))

    def may_defend(self, units: Sequence[str]) -> bool:
        """3.8/close-defence Whether the AFV has been attacked or its side has ambushed."""
        return self.ask.about.get("ambusher") == self.seat or bool(set(units) & set(self.attacked))

    def sealed_answers(self) -> Iterator[tuple[CombatOrder, str]]:
        for order in orders_of(self.view, self.seat).combats:
            if order.hex != self.hex:
                continue
            if self.ask.about.get("sequential"):  # 3.8/sequence-vehicle one after the other, then no more
                for attack in order.attacks:
                    yield CombatOrder(self.hex, (attack,)), f"combat {order.hex}"
                yield CombatOrder(self.hex), f"combat {order.hex}"
            else:
                yield order, f"combat {order.hex}"

    def by_clause(self, clause: Clause, clauses: Sequence[Clause]) -> Iterator[CombatOrder]:
        """Read a clause: `cc all`, `cc concentrate`, `cc spread` or `cc none`."""
        if clause.do != "cc":
            return
        if self.ask.about.get("sequential"):
            yield CombatOrder(self.hex) if clause.how == "none" else self.sequential()
            return
        choices = {"all": self.everything, "concentrate": self.concentrate, "spread": self.spread}
        yield choices[clause.how]() if clause.how in choices else CombatOrder(self.hex)

    def read(self, words: Words, said: Said) -> None:
        inner = words.children[0]
        assert isinstance(inner, Tree)
        order = combat_order(Reader(self.data.ground, self.view, self.seat), inner)
        said.put(("hex",), order.hex)
        for attack in order.attacks:
            said.add(("attacks",), msgspec.to_builtins(attack))

    def form(self) -> Iterator[FormLine]:
        yield from self.sentence(self.default())
        for option in self.options():
            yield from (rest for line in self.sentence(option) for rest in remarks(line))

    def sentence(self, answer: CombatOrder) -> Iterator[str]:
        yield from combat_lines(answer)


def chance_to_kill(situation: Any, own: list[Unit], enemies: list[Unit]) -> Fraction:
    """The fraction of the 36 rolls that eliminates the enemies outright."""
    attack, defence = total_strength(situation, own, attacks=True), total_strength(situation, enemies, attacks=False)
    kill = situation.data.combat_table.kill_number(attack, defence)
    return Fraction(sum(1 for a in range(1, 7) for b in range(1, 7) if a + b < kill), 36)
