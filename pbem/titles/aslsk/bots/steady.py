"""A bot that plays to win: it takes good shots, advances on its goals under cover, and holds what it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from pbem.engine.play.bots import Bot
from pbem.engine.play.choice import Choice
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Rules, Submission
from pbem.titles.aslsk.bots.eyes import costs_to, looks_clear
from pbem.titles.aslsk.bots.samples import stacks
from pbem.titles.aslsk.bots.tanks import tank_moves, tank_shots
from pbem.titles.aslsk.bots.watching import best_attack
from pbem.titles.aslsk.close_combat.attacks import total_strength
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.firepower import shares, total
from pbem.titles.aslsk.movement.allowance import allowance_of, cost_of
from pbem.titles.aslsk.movement.eligibility import OFF_MAP
from pbem.titles.aslsk.movement.first_fire_window import Window
from pbem.titles.aslsk.orders import NO_ORDERS, AdvanceOrder, Branch, FireOrder, Leg, MoveOrder, Orders
from pbem.titles.aslsk.player.checks import section_objections
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit

GOOD_COLUMN = 8
FAIR_COLUMN = 2
SMOKE_DANGER = 4
SMOKE_HALVES = 6
"""3.3.1/smoke-grenades The cost in half MF: 2 MF to throw into an adjacent hex, 1 more to enter it."""


def steady_bot(seed: object) -> Bot:
    """Return a bot that answers every ask with a sound plan; the seed only breaks ties."""

    def answer(rules: Rules, view: Any, ask: Ask) -> Submission:
        decision = rules.decide(view, ask)  # type: ignore[attr-defined]
        if isinstance(decision, Window):
            return Submission(decision.plain(best_attack(decision)))
        if ask.kind not in MAKERS:
            return Submission(decision.plain(decision.default()))
        choice = Choice(seed, ask.seat, ask.kind, ask.subject, view.turn)
        mind = Mind(decision.situation, ask.seat, choice)
        orders = MAKERS[ask.kind](mind)
        found = legal(decision.situation, ask.seat, ask.kind, orders)
        return Submission(rules.check(view, ask, decision.plain(found)))

    return answer


def legal(situation: Situation, seat: str, kind: str, orders: Orders) -> Orders:
    """The orders without the lines that would be refused."""
    kept: dict[str, Any] = {}

    def alone(name: str, item: Any) -> Orders:
        return msgspec.structs.replace(NO_ORDERS, **{name: (item,)})

    for name in orders.__struct_fields__:
        value = getattr(orders, name)
        if isinstance(value, tuple):
            value = tuple(
                item for item in value if not any(section_objections(situation, seat, kind, alone(name, item)))
            )
        kept[name] = value
    return Orders(**kept)


class Mind:
    """A situation with the bot's assessment of it."""

    def __init__(self, situation: Situation, seat: str, choice: Choice) -> None:
        self.situation, self.seat, self.choice = situation, seat, choice
        self.state, self.ground = situation.state, situation.ground
        self.enemies = [unit for unit in self.state.units.values() if unit.seat != seat and unit.at]
        self.enemy_hexes = sorted({unit.at for unit in self.enemies})
        vehicles = self.state.vehicles.values()
        self.armour_hexes = sorted({one.at for one in vehicles if one.seat != seat and one.at})
        turns, attacks = situation.data.scenario.turns, any(g.side == seat for g in situation.data.scenario.victory)
        self.risk = 1 if attacks and 2 * self.state.turn > turns else 2  # time runs out for the side with a goal
        self.parked: list[str] = []  # where vehicles end their moves
        self.taken: dict[str, int] = {}  # how many units are already on their way to a hex

    # --- goals ---------------------------------------------------------------------------------------------------

    def goals(self) -> list[str]:
        """1.3 The hexes that the seat needs: goals not yet controlled, the exit, or otherwise the enemy's hexes."""
        wanted: list[str] = []
        for goal in self.situation.data.scenario.victory:
            if goal.side != self.seat:
                continue
            for place in (*goal.buildings, *goal.hexes):
                if self.state.control.get(place) != self.seat:
                    wanted += self.ground.building_hexes(place) if place in self.ground.buildings else (place,)
            if goal.kind == "exit":
                wanted += self.situation.data.exit_hexes(self.seat)
        attacks = any(goal.side == self.seat for goal in self.situation.data.scenario.victory)
        return wanted or (self.enemy_hexes if attacks else [])

    # --- fire ----------------------------------------------------------------------------------------------------

    def firepower_of(self, units: list[Unit], at: str) -> tuple[tuple[str, ...], int]:
        """The ids of the components that reach a hex within normal range, and their column on the fire table."""
        ids: list[str] = []
        for unit in units:
            distance = self.ground.distance(unit.at, at)
            arms = [weapon for weapon in self.situation.weapons(unit) if self.usable(unit, weapon.id, distance)]
            arms.sort(key=lambda weapon: -self.situation.weapon_card(weapon).fp)
            card = self.situation.card(unit)
            if self.situation.gun_of(unit) is not None:
                continue  # it mans a Gun, which fires instead
            if self.situation.is_squad(unit):
                ids += [unit.id] if distance <= 2 * card.range else []
                ids += [weapon.id for weapon in arms[:1]]
            elif self.situation.is_mmc(unit):
                ids += [arms[0].id] if arms else [unit.id] if distance <= 2 * card.range else []
        attack = Attack(tuple(ids), at)
        return tuple(ids), self.situation.data.fire_table.column_of(
            total(shares(self.situation, attack))
        ) if ids else 0

    def usable(self, unit: Unit, weapon: str, distance: int) -> bool:
        found = self.state.weapons[weapon]
        card = self.situation.weapon_card(found)
        return self.situation.is_machine_gun(found) and not found.malfunctioned and distance <= card.range

    def cover_of(self, hex: str) -> int:
        return self.ground.tem(hex)

    def best_shot(self, units: list[Unit], phase: str) -> tuple[FireOrder | None, int]:
        """The shot with the highest value (column less the target's cover), and that value."""
        best: FireOrder | None = None
        worth = 0
        for at in self.enemy_hexes:
            unbroken = any(unit.at == at and not unit.broken for unit in self.enemies)
            if at in self.state.melee or not units or not looks_clear(self.situation, units[0].at, at):
                continue
            ids, column = self.firepower_of(units, at)
            value = column - 3 * self.cover_of(at) + (2 if unbroken else -6)
            if phase == "advancing":
                value += 2
            if ids and column >= FAIR_COLUMN and (best is None or value > worth):
                leaders = [
                    unit for unit in units if self.situation.leads(unit) and self.situation.leadership(unit) <= 0
                ]
                leaders.sort(key=self.situation.leadership)
                best, worth = FireOrder(ids, (at,), tuple(unit.id for unit in leaders[:1])), value
        return best, worth

    def ordnance_shots(self, skip: Iterable[str]) -> Iterator[FireOrder]:
        """3.2.4 Let every mortar and Gun fire at the enemy with the least cover in its range that it seems to see."""
        for weapon in self.state.weapons.values():
            unit = self.state.units.get(weapon.holder)
            card = self.situation.weapon_card(weapon)
            if unit is None or unit.seat != self.seat or unit.broken or unit.id in skip or weapon.malfunctioned:
                continue
            if card.kind not in ("mortar", "gun") or not unit.at:
                continue
            near = [
                at
                for at in self.enemy_hexes
                if max(1, card.min_range) <= self.ground.distance(unit.at, at) <= card.range
                and at not in self.state.melee
                and looks_clear(self.situation, unit.at, at)
            ]
            near.sort(key=lambda at: (self.cover_of(at), self.ground.distance(unit.at, at), at))
            if near:
                yield FireOrder((weapon.id,), tuple(near[:2]), unbroken=True)

    def shots(self, phase: str, least: int, skip: Iterable[str] = ()) -> tuple[FireOrder, ...]:
        found: list[FireOrder] = []
        for hex, units in stacks(self.situation, self.seat).items():
            able = [unit for unit in units if unit.id not in skip]
            if not hex or not able:
                continue
            order, worth = self.best_shot(able, phase)
            if order is not None and worth >= least:
                found.append(order)
        against = tank_shots(self, phase, skip)
        hunting = {id for order in against for id in order.components}
        others = [order for order in self.ordnance_shots(skip) if order.components[0] not in hunting]
        return (*against, *others, *found)

    # --- movement ------------------------------------------------------------------------------------------------

    def danger(self, hex: str) -> int:
        """The danger in a hex: twice the number of unbroken enemies that could fire into it, less twice its cover."""
        near = [
            unit
            for unit in self.enemies
            if not unit.broken
            and self.situation.is_mmc(unit)
            and self.ground.distance(unit.at, hex) <= self.situation.card(unit).range
            and looks_clear(self.situation, unit.at, hex)
        ]
        return max(0, len(near) * 2 - 2 * self.cover_of(hex))

    def moves(self, skip: Iterable[str]) -> tuple[MoveOrder, ...]:
        goals = self.goals()
        if not goals:
            return self.entries(self.enemy_hexes or list(self.ground.hexes)[:1], skip)
        costs = costs_to(self.situation, goals)
        found: list[MoveOrder] = []
        for hex, units in stacks(self.situation, self.seat).items():
            able = [unit for unit in units if unit.id not in skip and self.situation.gun_of(unit) is None]
            if not able or (hex and hex in goals):
                continue
            for part in [able] if hex else self.waves(able):
                order = self.walk(part, costs)
                if order is not None:
                    found.append(order)
        return tuple(found)

    def waves(self, units: list[Unit]) -> list[list[Unit]]:
        """3.3/entry-exit The entering units in groups of two MMC, with the leaders distributed among the first
        groups.
        """
        ready = [unit for unit in units if self.situation.data.may_enter(unit, self.state.turn)]
        leaders = [unit for unit in ready if self.situation.is_leader(unit)]
        others = [unit for unit in ready if unit not in leaders]
        parts = [others[place : place + 2] for place in range(0, len(others), 2)]
        for number, leader in enumerate(leaders):
            if parts:
                parts[number % len(parts)].append(leader)
        return parts or ([leaders] if leaders else [])

    def entries(self, goals: list[str], skip: Iterable[str]) -> tuple[MoveOrder, ...]:
        """3.3/entry-exit Move units that are off the map onto it; if there is no goal, move only those that must
        enter.
        """
        costs = costs_to(self.situation, goals)
        waiting = [unit for unit in stacks(self.situation, self.seat).get("", []) if unit.id not in skip]
        found = [self.walk(part, costs) for part in self.waves(waiting)]
        return tuple(order for order in found if order is not None)

    def walk(self, units: list[Unit], costs: Any) -> MoveOrder | None:
        """3.3.1 Move as near to the goal as the MF allow, and end in the safest of the nearest hexes."""
        allowance = min(allowance_of(self.situation, unit, units) for unit in units)
        start = units[0].at
        reach: dict[str, tuple[int, tuple[str, ...]]] = {start: (0, ())} if start else {}
        if not start:
            for hex in self.situation.data.entry_hexes(units[0]):
                if not self.blocked(hex):
                    reach[hex] = (cost_of(self.situation, hex, hex), (hex,))
        self.explore(reach, allowance)
        ends = {hex: way for hex, way in reach.items() if way[1] and not self.blocked(hex)}
        if not ends:
            return None

        def value(hex: str) -> tuple[int, int, str]:
            beside = any(self.ground.adjacent(hex, enemy) for enemy in self.enemy_hexes)
            risk = self.danger(hex) * self.risk + (2 * self.risk if beside and not self.ground.cover(hex) else 0)
            return costs.get(hex, 999) + risk + 4 * self.taken.get(hex, 0), reach[hex][0], hex

        best = min(ends, key=value)
        if start and value(best)[0] >= costs.get(start, 999) + self.danger(start) * self.risk:
            return None
        path = reach[best][1]
        self.taken[best] = self.taken.get(best, 0) + len(units)
        legs = tuple(Leg("enter", hex) for hex in path)
        if best in self.situation.data.exit_hexes(self.seat) and reach[best][0] + 2 <= allowance:
            legs = (*legs, Leg("enter", OFF_MAP))
        assault = bool(start) and len(path) == 1 and reach[best][0] < allowance and legs[-1].hex != OFF_MAP
        if start and self.needs_smoke(units, path[0]) and reach[best][0] + SMOKE_HALVES < allowance:
            legs = (Leg("smoke", path[0]), *legs)
        branches = (Branch("broken", then="stop"),) if len(units) > 1 else ()
        return MoveOrder(tuple(unit.id for unit in units), legs, assault=assault, branches=branches)

    def needs_smoke(self, units: list[Unit], hex: str) -> bool:
        """3.3.1/smoke-grenades Whether a stack that can throw smoke would step into the view of several enemies."""
        able = any(self.situation.card(unit).smoke for unit in units)
        return able and self.danger(hex) >= SMOKE_DANGER and not self.state.smoke.get(hex)

    def blocked(self, hex: str) -> bool:
        return hex in self.enemy_hexes or hex in self.armour_hexes

    def explore(self, reach: dict[str, tuple[int, tuple[str, ...]]], allowance: int) -> None:
        """Find the cheapest path to every hex within reach."""
        queue = sorted(reach, key=lambda hex: reach[hex][0])
        while queue:
            hex = min(queue, key=lambda one: (reach[one][0], one))
            queue.remove(hex)
            cost, path = reach[hex]
            for near in self.ground.neighbours(hex):
                total_cost = cost + cost_of(self.situation, hex, near)
                if total_cost <= allowance and not self.blocked(near) and total_cost < reach.get(near, (99, ()))[0]:
                    reach[near] = (total_cost, (*path, near))
                    queue.append(near)

    # --- close combat --------------------------------------------------------------------------------------------

    def advances(self) -> tuple[AdvanceOrder, ...]:
        """3.7 Let units advance into close combat at good odds, otherwise into cover towards the goal."""
        goals = self.goals()
        costs = costs_to(self.situation, goals) if goals else {}
        found: list[AdvanceOrder] = []
        for hex, units in stacks(self.situation, self.seat).items():
            able = [unit for unit in units if not unit.pinned and not unit.cx and self.situation.gun_of(unit) is None]
            if not hex:
                continue
            target = self.combat_target(able, hex)
            if target:
                found.append(AdvanceOrder(tuple(unit.id for unit in able), target))
                continue
            near = [one for one in self.ground.neighbours(hex) if not self.blocked(one)]
            better = [one for one in near if costs and costs.get(one, 999) < costs.get(hex, 999)]
            safe = [one for one in better if self.ground.cover(one) or self.danger(one) <= self.danger(hex)]
            if safe and able and hex not in goals:
                best = min(safe, key=lambda one: (self.danger(one), costs.get(one, 999), one))
                found += [AdvanceOrder((unit.id,), best, "empty") for unit in able]
        entering = stacks(self.situation, self.seat).get("", [])
        for unit in entering:
            free = [one for one in self.situation.data.entry_hexes(unit) if not self.blocked(one)]
            if free and self.situation.data.may_enter(unit, self.state.turn):
                found.append(AdvanceOrder((unit.id,), self.choice.one_of(free)))
        return tuple(found)

    def combat_target(self, units: list[Unit], hex: str) -> str:
        """3.8 An adjacent hex with enemies that are clearly weaker, or broken."""
        own = total_strength(self.situation, units, attacks=True)
        for near in self.ground.neighbours(hex):
            foes = [unit for unit in self.enemies if unit.at == near]
            if foes and units:
                strength = total_strength(self.situation, foes, attacks=False)
                broken = all(unit.broken for unit in foes)
                if broken or own * 2 >= strength * 3:
                    return near
        return ""


def turn_orders(mind: Mind) -> Orders:
    state = mind.state
    early = state.phase == "rally"  # with `tempo = 4` Prep Fire is already over
    prep = mind.shots("prep", GOOD_COLUMN + (4 if mind.risk == 1 else 0)) if early else ()
    fired = {state.weapons[id].holder if id in state.weapons else id for order in prep for id in order.components}
    fired |= {id for order in prep for id in order.leaders}
    return Orders(prep=prep, moves=(*tank_moves(mind, fired), *mind.moves(fired)))


MAKERS: dict[str, Any] = {
    "orders": turn_orders,
    "defence": lambda mind: Orders(),  # the stock standing orders decide its fire
    "rally_prep": lambda mind: Orders(prep=mind.shots("prep", GOOD_COLUMN)),
    "rally_choices": lambda mind: Orders(),
    "final_fire": lambda mind: Orders(final=mind.shots("final", -4)),
    "advancing_fire": lambda mind: Orders(advancing=mind.shots("advancing", -4)),
    "close": lambda mind: Orders(advances=mind.advances()),
    "close_defence": lambda mind: Orders(),
}
