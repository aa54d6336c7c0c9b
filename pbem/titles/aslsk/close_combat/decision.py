"""3.8/sequence-infantry The decision of a side in one close combat hex: its attacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec
from lark import Tree

from pbem.engine.rules.decision import Said
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words
from pbem.engine.text.messages import say
from pbem.titles.aslsk.close_combat.attacks import able_to_attack, combat_objections, fighters, total_strength
from pbem.titles.aslsk.close_combat.stacks import groups, stacked
from pbem.titles.aslsk.close_combat.vehicles import defence_of, has_close_defence, value_of, vehicle_strength
from pbem.titles.aslsk.orders import Assault, Clause, CombatOrder
from pbem.titles.aslsk.player.decision import AslskDecision
from pbem.titles.aslsk.player.reading import Reader, combat_order
from pbem.titles.aslsk.player.wording import combat_lines, remarks
from pbem.titles.aslsk.state import Unit, Vehicle, orders_of, units_at


class CloseCombat(AslskDecision[CombatOrder], kind="close_combat", rule="3.8/attacks"):
    """3.8/attacks The choice of which units attack which enemies in a hex."""

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
        return able_to_attack(self.situation, self.hex, self.seat, self.spent)

    @cached_property
    def enemies(self) -> list[Unit]:
        return [unit for unit in self.situation.enemies_at(self.hex, self.seat) if unit.id not in self.attacked]

    @cached_property
    def own_groups(self) -> list[list[Unit]]:
        """3.8/attacks The units that can attack, each with the leaders stacked on it."""
        return groups(self.own, stacked(self.situation, self.hex, self.seat))

    @cached_property
    def enemy_groups(self) -> list[list[Unit]]:
        """3.8/attacks The enemies that can be attacked, each with the leaders stacked on it."""
        return groups(self.enemies, stacked(self.situation, self.hex, self.situation.other(self.seat)))

    @cached_property
    def force(self) -> list[Unit]:
        """3.8/attacks The units that can make one attack together: all MMC with their leaders, or leaders alone."""
        led = [group for group in self.own_groups if self.situation.is_mmc(group[0])]
        return [unit for group in (led or self.own_groups[:1]) for unit in group]

    def against_vehicle(self) -> CombatOrder | None:
        """3.8/vs-vehicle An attack on an enemy vehicle by the strongest unit and its best leader."""
        foes = self.situation.enemy_vehicles(self.hex, self.seat)
        if not foes or not self.own_groups:
            return None
        below = stacked(self.situation, self.hex, self.seat)
        first, *others = max(
            self.own_groups, key=lambda group: (value_of(self.situation, group[0]), -self.leadership_in(group))
        )
        helpers = [unit for unit in others if below[unit.id] == first.id]
        best = [first, *sorted(helpers, key=self.situation.leadership)[:1]]
        return CombatOrder(self.hex, (Assault(tuple(unit.id for unit in best), (foes[0].id,)),))

    def leadership_in(self, group: Sequence[Unit]) -> int:
        """3.8/drm The best leadership DRM in a group; 1 if it has no leader."""
        return min((self.situation.leadership(unit) for unit in group if self.situation.is_leader(unit)), default=1)

    def by_vehicle(self) -> CombatOrder | None:
        """3.8/vehicle-attack, 11 G7 An attack by the vehicle: by close defence if no friend is in the hex,
        otherwise with all MG at the strongest enemy.
        """
        mine = self.situation.vehicles_at(self.hex, self.seat)
        alone = not units_at(self.view, self.hex, self.seat) and bool(self.situation.enemies_at(self.hex, self.seat))
        for one in mine:
            if alone and has_close_defence(self.situation, one, self.spent) and self.may_defend((one.id,)):
                return CombatOrder(self.hex, (Assault((one.id,), how="sn"),))
        armed = [one for one in mine if vehicle_strength(self.situation, one, self.spent)]
        if not armed or not self.enemies:
            return None
        strongest = max(
            self.enemy_groups, key=lambda group: (not group[0].broken, value_of(self.situation, group[0]))
        )
        return CombatOrder(self.hex, (Assault((armed[0].id,), tuple(unit.id for unit in strongest)),))

    def sequential(self) -> CombatOrder:
        """3.8/sequence-vehicle The next attack: against a vehicle first, then by a vehicle, then by Infantry
        against Infantry.
        """
        for found in (self.against_vehicle(), self.by_vehicle()):
            if found is not None:
                return found
        return self.everything() if self.own and self.enemies else CombatOrder(self.hex)

    def everything(self) -> CombatOrder:
        """One attack by all units on all enemies, except leaders who fight alone."""
        if not self.own or not self.enemies:
            return CombatOrder(self.hex)
        attack = Assault(tuple(unit.id for unit in self.force), tuple(unit.id for unit in self.enemies))
        return CombatOrder(self.hex, (attack,))

    def concentrate(self) -> CombatOrder:
        """One attack by all units on the weakest enemies that can be attacked on their own."""
        if not self.enemies or not self.own:
            return CombatOrder(self.hex)
        weakest = min(self.enemy_groups, key=lambda group: total_strength(self.situation, group, attacks=False))
        attack = Assault(tuple(unit.id for unit in self.force), tuple(unit.id for unit in weakest))
        return CombatOrder(self.hex, (attack,))

    def usual(self) -> CombatOrder:
        """11 G7 The usual answer: all units attack all enemies if that can succeed, otherwise the weakest enemies."""
        if self.ask.about.get("sequential"):
            return self.sequential()
        whole = self.everything()
        if not whole.attacks:
            return whole
        attack = total_strength(self.situation, self.force, attacks=True)
        defence = total_strength(self.situation, self.enemies, attacks=False)
        return whole if attack * 2 >= defence else self.concentrate()

    def options(self) -> Iterator[CombatOrder]:
        yield self.usual()
        yield CombatOrder(self.hex)
        for option in (self.everything(), self.concentrate(), self.spread()):
            if option.attacks and not any(self.objections(option)):
                yield option

    def spread(self) -> CombatOrder:
        """Attacks in which each MMC with its leaders, and each lone leader, attacks one enemy group."""
        return CombatOrder(
            self.hex,
            tuple(
                Assault(tuple(unit.id for unit in one), tuple(unit.id for unit in two))
                for one, two in zip(self.own_groups, self.enemy_groups, strict=False)
            ),
        )

    def objections(self, answer: CombatOrder) -> Iterator[Objection]:
        if answer.hex != self.hex:
            yield Objection("3.8", say("you were asked about {hex}, not {hex2}", hex=self.hex, hex2=answer.hex))
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
        """3.8/vehicle-attack Whether a vehicle still has the weapon with which it is to attack."""
        if how == "sn":
            return defence_of(vehicle) not in self.spent
        spent = set(self.spent) & {weapon.id for weapon in self.situation.weapons(vehicle)}
        return not spent or bool(vehicle_strength(self.situation, vehicle, self.spent))

    def may_defend(self, units: Sequence[str]) -> bool:
        """3.8/close-defence Whether the AFV may use close defence: it may after an attack on it, or if its side has
        ambushed the other.
        """
        return self.ask.about.get("ambusher") == self.seat or bool(set(units) & set(self.attacked))

    def sealed_answers(self) -> Iterator[tuple[CombatOrder, str]]:
        for order in orders_of(self.view, self.seat).combats:
            if order.hex != self.hex:
                continue
            order = CombatOrder(order.hex, tuple(map(self.at_whole_stacks, order.attacks)))
            if self.ask.about.get("sequential"):  # 3.8/sequence-vehicle one attack at a time, then pass
                for attack in order.attacks:
                    yield CombatOrder(self.hex, (attack,)), f"combat {order.hex}"
                yield CombatOrder(self.hex), f"combat {order.hex}"
            else:
                yield order, f"combat {order.hex}"

    def at_whole_stacks(self, attack: Assault) -> Assault:
        """3.8/attacks Extend a sealed attack on a unit to the leaders that the enemy has stacked on it."""
        more = [unit.id for group in self.enemy_groups if group[0].id in attack.targets for unit in group]
        return msgspec.structs.replace(attack, targets=tuple(dict.fromkeys((*attack.targets, *more))))

    def by_clause(self, clause: Clause, clauses: Sequence[Clause]) -> Iterator[CombatOrder]:
        """Answer by a clause: `cc all`, `cc concentrate`, `cc spread` or `cc none`."""
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
        for seat in (self.seat, self.situation.other(self.seat)):
            below = stacked(self.situation, self.hex, seat)
            for leader in filter(self.situation.is_leader, fighters(self.situation, self.hex, seat)):
                if leader.id in below:
                    yield from remarks(say("{unit} fights with {other}", unit=leader.id, other=below[leader.id]))
                else:
                    yield from remarks(say("{unit} fights alone", unit=leader.id))
        for option in self.options():
            yield from (rest for line in self.sentence(option) for rest in remarks(line))

    def sentence(self, answer: CombatOrder) -> Iterator[str]:
        yield from combat_lines(answer)
