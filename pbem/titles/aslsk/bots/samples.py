"""Random legal orders, all about equally likely, for tests and for bots without judgement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pbem.engine.play.choice import Choice
from pbem.titles.aslsk.bots.handling import (
    charge_legs,
    sample_burdens,
    sample_gifts,
    sample_rally,
    sample_turns,
    sample_weapons,
)
from pbem.titles.aslsk.fire.components import component, components
from pbem.titles.aslsk.fire.firepower import range_of
from pbem.titles.aslsk.movement.allowance import allowance_of, may_double
from pbem.titles.aslsk.orders import (
    AdvanceOrder,
    Attempt,
    Branch,
    Clause,
    FireOrder,
    Hatch,
    Leg,
    MoveOrder,
    Orders,
    RallyOrders,
)
from pbem.titles.aslsk.player.checks import move_objections, path_cost
from pbem.titles.aslsk.player.idle_words import uses_shells
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, Vehicle, of_seat, piece_of, pieces, units_at

SECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "orders": ("rally", "prep", "moves"),
    "rally_prep": ("rally", "prep"),
    "rally_choices": ("rally",),
    "defence": ("rally", "plan"),
    "final_fire": ("final",),
    "advancing_fire": ("advancing",),
    "close": ("advances", "hatches", "gifts", "stacks"),
    "close_defence": ("stacks",),
    "wave": ("moves",),
    "go_on": ("moves",),
    "wave_defence": ("plan",),
}
"""The sections of the orders that are drawn at random, for each kind of ask."""


def sample_orders(situation: Situation, seat: str, kind: str, sections: Sequence[str], choice: Choice) -> Orders:
    """Draw random orders for the sections that belong to this exchange."""
    wanted = SECTIONS.get(kind, ())
    found: dict[str, object] = {}
    fired: set[str] = set()
    for name in (one for one in wanted if one in sections):
        if name in ("prep", "final", "advancing"):
            orders = sample_fire(situation, seat, choice)
            fired = {
                situation.state.weapons[id].holder if id in situation.state.weapons else id
                for order in orders
                for id in order.components
            }
            fired |= {id for order in orders for id in order.leaders}
            found[name] = orders
        elif name == "moves":
            found[name] = sample_moves(situation, seat, choice, fired)
        elif name == "plan":
            found[name] = sample_plan(situation, seat, choice)
        elif name == "advances":
            found[name] = sample_advances(situation, seat, choice)
        elif name == "rally" and (rally := sample_rally(situation, seat, choice)) != RallyOrders():
            found[name] = rally
        elif name == "stacks":
            found[name] = tuple(sample_stacks(situation, seat, choice))
        elif name == "gifts":
            found[name] = tuple(sample_gifts(situation, seat, choice))
        elif name == "hatches":
            found[name] = tuple(
                Hatch(one.id, bool(choice.below(2)))
                for one in situation.state.vehicles.values()
                if one.seat == seat and one.at and not choice.below(3)
            )
    return Orders(**found)  # type: ignore[arg-type]


def stacks(situation: Situation, seat: str) -> dict[str, list[Unit]]:
    """The unbroken units of a seat, by hex."""
    found: dict[str, list[Unit]] = {}
    for unit in of_seat(situation.state, seat):
        if not unit.broken and not situation.in_melee(unit):
            found.setdefault(unit.at, []).append(unit)
    return found


def sample_fire(situation: Situation, seat: str, choice: Choice) -> tuple[FireOrder, ...]:
    """Let about half of the stacks with a target in range fire at one."""
    enemies = sorted({unit.at for unit in situation.state.units.values() if unit.seat != seat and unit.at})
    orders: list[FireOrder] = [*sample_vehicle_fire(situation, seat, choice, enemies)]
    orders += sample_weapons(situation, seat, choice, enemies)
    turns = [*sample_turns(situation, seat, choice, enemies)]
    for hex, units in stacks(situation, seat).items():
        if not hex or not enemies or choice.below(2):
            continue
        for unit in units:
            if (gun := situation.gun_of(unit)) is not None and not choice.below(2):
                how = choice.one_of(["", "", "area", "smoke", "WP"])
                orders.append(FireOrder((gun.id,), (choice.one_of(enemies),), how=how, intensive=not choice.below(2)))
        ids = [unit.id for unit in units if situation.is_mmc(unit) and situation.gun_of(unit) is None]
        ids += [weapon.id for unit in units for weapon in situation.weapons(unit) if situation.is_machine_gun(weapon)]
        near = [
            at
            for at in enemies
            if all(
                situation.ground.distance(hex, at) <= 2 * range_of(situation, one)
                for one in components(situation, ids)
            )
        ]
        if ids and near:
            leaders = tuple(unit.id for unit in units if situation.is_leader(unit) and choice.below(2))[:1]
            orders.append(FireOrder(tuple(ids), (choice.one_of(near),), leaders))
        orders += sample_suspicion(situation, seat, choice, ids)
    return tuple(orders + turns)


def sample_suspicion(situation: Situation, seat: str, choice: Choice, ids: Sequence[str]) -> Iterator[FireOrder]:
    """6.4 Occasionally fire at a hex where the scenario proposes to set up an enemy Gun, whether or not the Gun is
    seen.
    """
    groups = [group for group in situation.data.scenario.groups if group.side != seat]
    hexes = sorted({gun.at for group in groups for gun in group.guns if gun.at})
    if ids and hexes and not choice.below(3):
        yield FireOrder(tuple(ids), (choice.one_of(hexes),), anyway=True)


def sample_vehicle_fire(
    situation: Situation, seat: str, choice: Choice, enemies: Sequence[str]
) -> Iterator[FireOrder]:
    """Fire vehicle weapons, Guns and Panzerfausts at vehicles and hexes, in any manner that might be legal."""
    prey = [one.id for one in situation.state.vehicles.values() if one.seat != seat and one.at]
    for weapon in situation.state.weapons.values():
        holder = piece_of(situation.state, weapon.holder)
        if holder is None or holder.seat != seat or not holder.at or holder.broken or choice.below(2):
            continue
        if prey and (isinstance(holder, Vehicle) or situation.gun_card(weapon) is not None or not choice.below(2)):
            one = component(situation, weapon.id)
            shells = one is not None and uses_shells(situation, one)
            how = choice.one_of(["", "", "HE", "H", "A", "area"]) if shells else ""
            if how == "area":
                yield FireOrder((weapon.id,), (situation.state.vehicles[choice.one_of(prey)].at,), how=how)
            else:
                yield FireOrder(
                    (weapon.id,),
                    (),
                    how=how,
                    against=(choice.one_of(prey),),
                    intensive=shells and not choice.below(3),
                )
        elif isinstance(holder, Vehicle) and enemies:
            direct = bool(situation.ife_of(weapon)) and not choice.below(2)
            yield FireOrder((f"{weapon.id}ife" if direct else weapon.id,), (choice.one_of(list(enemies)),))
    for unit in of_seat(situation.state, seat):
        able = bool(unit.at) and not unit.broken and bool(prey)
        if able and situation.state.pf_left.get(seat) and not choice.below(6):
            yield FireOrder((unit.id,), (), how="pf", against=(choice.one_of(prey),), blast=not choice.below(2))


def sample_drives(situation: Situation, seat: str, choice: Choice, fired: set[str]) -> Iterator[MoveOrder]:
    """Let vehicles drive at random, turn, wait, fire, make smoke, and open or close their hatches."""
    for vehicle in situation.state.vehicles.values():
        if vehicle.seat != seat or vehicle.id in fired or vehicle.moved or (vehicle.at and not choice.below(4)):
            continue
        if not vehicle.at and not situation.data.may_enter(vehicle, situation.state.turn):
            continue
        legs: list[Leg] = [Leg("unbog")] if vehicle.bogged else []
        if vehicle.at and not choice.below(3):
            legs.append(Leg(choice.one_of(["open", "close"])))
        at = vehicle.at
        for _ in range(1 + choice.below(6)):
            near = situation.ground.neighbours(at) if at else situation.data.entry_hexes(vehicle)
            at = choice.one_of(towards(situation, seat, near) if choice.below(2) else list(near))
            legs.append(Leg("enter", at, whole=not choice.below(4), extra=2 * choice.below(2)))
            more = choice.below(9)
            if more == 0:
                legs.append(Leg("turret", number=choice.below(6)))
            elif more == 1:
                legs.append(Leg("device"))
            elif more == 2:
                legs += [Leg("stop"), Leg("delay", number=1)]
            elif more == 3:
                legs += bounding(situation, vehicle, choice)
        if not choice.below(3):
            legs.append(Leg("motion"))
        yield MoveOrder((vehicle.id,), tuple(legs))


def bounding(situation: Situation, vehicle: Vehicle, choice: Choice) -> list[Leg]:
    """3.3.2.2 Order one weapon of a moving vehicle to fire at a random enemy."""
    arms = [weapon.id for weapon in situation.weapons(vehicle)]
    foes = sorted(
        {one.at for one in pieces(situation.state) if one.seat != vehicle.seat and one.at and not one.hidden}
    )
    prey = [one.id for one in situation.state.vehicles.values() if one.seat != vehicle.seat and one.at]
    if not arms or not foes:
        return []
    if prey and choice.below(2):
        return [Leg("fire", by=(arms[0],), target=choice.one_of(prey))]
    return [Leg("fire", choice.one_of(foes), by=(choice.one_of(arms),))]


def sample_moves(situation: Situation, seat: str, choice: Choice, fired: set[str]) -> tuple[MoveOrder, ...]:
    """Let some stacks walk at random as far as their MF allow, sometimes by Assault Movement or Double Time."""
    orders: list[MoveOrder] = []
    for hex, units in stacks(situation, seat).items():
        able = [unit for unit in units if unit.id not in fired and not unit.moved]
        crews = [unit for unit in able if situation.gun_of(unit) is not None]
        able = [unit for unit in able if unit not in crews]
        orders += [random_push(situation, unit, choice) for unit in crews if hex and not choice.below(3)]
        if not hex:
            able = [unit for unit in able if situation.data.may_enter(unit, situation.state.turn)]
        if not able or (hex and not choice.below(3)):
            continue
        if not hex:
            orders += [random_walk(situation, able[place : place + 3], choice) for place in range(0, len(able), 3)]
            continue
        if len(able) > 1 and choice.below(2):
            able = able[: 1 + choice.below(len(able))]
        orders.append(random_walk(situation, able, choice))
    orders += sample_drives(situation, seat, choice, fired)
    return tuple(order for order in orders if order.legs and not any(move_objections(situation, seat, order, set())))


def random_push(situation: Situation, unit: Unit, choice: Choice) -> MoveOrder:
    """Let a crew try to push its Gun one hex."""
    gun = situation.gun_of(unit)
    assert gun is not None
    near = [hex for hex in situation.ground.neighbours(unit.at) if not situation.enemies_at(hex, unit.seat)]
    legs = (Leg("push", choice.one_of(near), weapon=gun.id),) if near else ()
    return MoveOrder((unit.id,), legs)


def random_walk(situation: Situation, units: list[Unit], choice: Choice) -> MoveOrder:
    """A random path through hexes free of enemies; sometimes with smoke first, sometimes with a branch."""
    assault = bool(units[0].at) and not choice.below(4)
    double = not assault and not choice.below(4) and all(may_double(unit) for unit in units)
    allowance = min(allowance_of(situation, unit, units, double=double) for unit in units)
    legs: list[Leg] = []
    at = units[0].at
    if at and choice.below(2):
        carried = [(unit, weapon) for unit in units for weapon in situation.weapons(unit)]
        charges = [one for one in carried if situation.weapon_card(one[1]).kind == "dc"]
        legs += [leg for unit, weapon in charges for leg in charge_legs(situation, unit, weapon, at, choice)]
    if at and any(situation.card(unit).smoke for unit in units) and not choice.below(3):
        legs.append(Leg("smoke", choice.one_of([at, *situation.ground.neighbours(at)])))
    for _ in range(1 if assault else 1 + choice.below(6)):
        near = situation.ground.neighbours(at) if at else situation.data.entry_hexes(units[0])
        free = [hex for hex in near if not situation.enemies_at(hex, units[0].seat)]
        if not free:
            break
        hex = choice.one_of(towards(situation, units[0].seat, free) if choice.below(2) else list(free))
        road = bool(at) and situation.ground.road_between(at, hex)
        leg = Leg("enter", hex, cover=road and not choice.below(3))
        cost, _ = path_cost(situation, units[0].at, [*legs, leg])
        if cost + assault > allowance:
            break
        legs.append(leg)
        at = leg.hex
    if at:
        legs += affordable(situation, units, legs, sample_burdens(situation, units, at, choice), allowance)
    branches = (Branch("hurt", then="stop"),) if not choice.below(3) else ()
    return MoveOrder(tuple(unit.id for unit in units), tuple(legs), assault=assault, double=double, branches=branches)


def towards(situation: Situation, seat: str, hexes: Sequence[str]) -> list[str]:
    """Return those of the given hexes that are nearest to an enemy."""
    foes = {one.at for one in pieces(situation.state) if one.seat != seat and one.at}
    ranges = {hex: min((situation.ground.distance(hex, foe) for foe in foes), default=0) for hex in hexes}
    return [hex for hex in hexes if ranges[hex] == min(ranges.values())]


def affordable(
    situation: Situation, units: Sequence[Unit], legs: Sequence[Leg], more: Sequence[Leg], allowance: int
) -> list[Leg]:
    """The additional legs that a stack can afford at the end of its path."""
    kept: list[Leg] = []
    for leg in more:
        cost, _ = path_cost(situation, units[0].at, [*legs, *kept, leg])
        kept += [leg] if cost <= allowance else []
    return kept


def sample_plan(situation: Situation, seat: str, choice: Choice) -> tuple[Clause, ...]:
    """A fire plan that fires at anything near, with or without second fire."""
    clauses = [Clause("fire", within=choice.one_of([2, 4, 6, 8]), column=choice.one_of([0, 2, 4]))]
    if choice.below(2):
        clauses.append(Clause("sff"))
    if choice.below(2):
        clauses.append(Clause("fpf"))
    for do in ("motion", "device", "reaction"):
        if choice.below(2):
            clauses.append(Clause(do))
    if not choice.below(4):
        clauses.append(Clause("hold", within=choice.one_of([1, 3, 5])))
    return tuple(clauses)


def sample_advances(situation: Situation, seat: str, choice: Choice) -> tuple[AdvanceOrder, ...]:
    """Let some units advance into an adjacent hex, whether or not it holds enemies."""
    orders: list[AdvanceOrder] = []
    for unit in of_seat(situation.state, seat):
        if unit.broken or unit.pinned or situation.in_melee(unit) or choice.below(2):
            continue
        near = situation.ground.neighbours(unit.at) if unit.at else situation.data.entry_hexes(unit)
        foes = [hex for hex in near if situation.enemies_at(hex, seat) or situation.enemy_vehicles(hex, seat)]
        if unit.at or situation.data.may_enter(unit, situation.state.turn):
            orders.append(AdvanceOrder((unit.id,), choice.one_of(list(foes or near))))
    return tuple(orders)


def sample_stacks(situation: Situation, seat: str, choice: Choice) -> Iterator[Attempt]:
    """3.8/sequence-infantry Let some leaders near enemies fight alone, or with another unit in their hex."""
    for leader in of_seat(situation.state, seat):
        if not situation.is_leader(leader) or leader.broken or not leader.at:
            continue
        near = (leader.at, *situation.ground.neighbours(leader.at))
        if any(situation.enemies_at(hex, seat) for hex in near) and not choice.below(3):
            beside = [unit.id for unit in units_at(situation.state, leader.at, seat) if situation.is_mmc(unit)]
            yield Attempt(leader.id, choice.one_of(["", *beside]))
