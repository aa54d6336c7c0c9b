"""How a bot uses vehicles, anti-tank weapons and smoke: it fires where a kill is likely, and drives towards its
goals.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from pbem.titles.aslsk.bots.eyes import looks_clear
from pbem.titles.aslsk.fire.components import Attack, Component, component
from pbem.titles.aslsk.movement.eligibility import OFF_MAP
from pbem.titles.aslsk.orders import FireOrder, Leg, MoveOrder
from pbem.titles.aslsk.ordnance.to_hit import is_ordnance
from pbem.titles.aslsk.player.checks import too_far
from pbem.titles.aslsk.state import Vehicle
from pbem.titles.aslsk.vehicles.costs import MP, allowance_of, entry_cost
from pbem.titles.aslsk.vehicles.prospects import hit_chance, kill_chance

if TYPE_CHECKING:
    from pbem.titles.aslsk.bots.steady import Mind

GOOD_KILL, FAIR_KILL, FAIR_HIT = 10, 3, 25
NEAR = 4
"""A tank that does not have to leave the map drives no nearer to enemy Infantry than this."""


def mine(mind: Mind) -> list[Vehicle]:
    return [one for one in mind.state.vehicles.values() if one.seat == mind.seat]


def foes(mind: Mind) -> list[Vehicle]:
    return [one for one in mind.state.vehicles.values() if one.seat != mind.seat and one.at]


def guns_of(mind: Mind) -> Iterator[Component]:
    """All of the seat's weapons that can fire at a vehicle."""
    for weapon in mind.state.weapons.values():
        one = component(mind.situation, weapon.id)
        if one is None or one.unit.seat != mind.seat or one.unit.broken or weapon.malfunctioned or weapon.fired:
            continue
        kind = mind.situation.weapon_card(weapon).kind
        if is_ordnance(mind.situation, one, "any") and kind not in ("mortar", "lmg", "bmg", "cmg", "aamg"):
            yield one


def best_prey(mind: Mind, one: Component) -> tuple[int, str]:
    """The enemy vehicle that a weapon is most likely to destroy, with the chance that it does."""
    best = (0, "")
    for enemy in foes(mind):
        if too_far(mind.situation, one, enemy.at) or not looks_clear(mind.situation, one.hex, enemy.at):
            continue
        chance = kill_chance(mind.situation, one, Attack((one.id,), enemy.at, target=enemy.id))
        best = max(best, (chance, enemy.id))
    return best


def hunting_shots(mind: Mind, skip: Iterable[str], least: int) -> Iterator[FireOrder]:
    """3.2.4/vtt Let every weapon that can destroy a vehicle fire at its best target."""
    for one in guns_of(mind):
        if one.unit.id in skip:
            continue
        chance, prey = best_prey(mind, one)
        if prey and chance >= least:
            yield FireOrder((one.id,), (), against=(prey,), intensive=chance >= 2 * GOOD_KILL)


def support_shots(mind: Mind, skip: Iterable[str], taken: Iterable[str]) -> Iterator[FireOrder]:
    """7.8 Fire main armament without a vehicle target, and all MG, at the Infantry that is easiest to hit."""
    for vehicle in mine(mind):
        if not vehicle.at or vehicle.id in skip or not mind.situation.good_order(vehicle):
            continue
        near = [
            at
            for at in mind.enemy_hexes
            if at not in mind.state.melee
            and mind.ground.distance(vehicle.at, at) <= 16
            and looks_clear(mind.situation, vehicle.at, at)
        ]
        near.sort(key=lambda at: (mind.cover_of(at), mind.ground.distance(vehicle.at, at), at))
        if not near:
            continue
        for weapon in mind.situation.weapons(vehicle):
            one = component(mind.situation, weapon.id)
            if one is None or weapon.malfunctioned or weapon.id in taken:
                continue
            main = weapon.card.endswith(":ma")
            if main and hit_chance(mind.situation, one, Attack((one.id,), near[0])) >= FAIR_HIT:
                yield FireOrder((one.id,), (near[0],), unbroken=True)
        guns = tuple(
            weapon.id
            for weapon in mind.situation.weapons(vehicle)
            if weapon.card.endswith("mg")
            and not weapon.malfunctioned
            and (vehicle.ce or not weapon.card.endswith("aamg"))
            and mind.ground.distance(vehicle.at, near[0]) <= 8
        )
        if guns:
            yield FireOrder(guns, (near[0],))


def tank_shots(mind: Mind, phase: str, skip: Iterable[str] = ()) -> tuple[FireOrder, ...]:
    """The shots of a fire phase that involve vehicles of either side."""
    least = GOOD_KILL if phase == "prep" else FAIR_KILL
    found = list(hunting_shots(mind, skip, least))
    taken = {order.components[0] for order in found}
    if phase != "prep" or not mind.goals():
        found += support_shots(mind, skip, taken)
    return tuple(found)


def drive_costs(mind: Mind, vehicle: Vehicle, goals: Iterable[str]) -> Mapping[str, int]:
    """3.3.2/mp-costs The cost in half MP from every hex to the nearest goal."""
    found: dict[str, int] = {}
    ghost = type(vehicle)(id=vehicle.id, seat=vehicle.seat, card=vehicle.card, at="")
    heap = [(0, hex) for hex in sorted(set(goals))]
    while heap:
        cost, hex = heapq.heappop(heap)
        if hex in found:
            continue
        found[hex] = cost
        for near in mind.ground.neighbours(hex):
            if near in found:
                continue
            ghost.at = near
            step = entry_cost(mind.situation, ghost, hex)
            if not step.prohibited:
                heapq.heappush(heap, (cost + min(step.halves, 40), near))
    return found


def tank_moves(mind: Mind, skip: Iterable[str]) -> tuple[MoveOrder, ...]:
    """3.3.2 Drive each vehicle towards a goal and away from Infantry, or off the map if it should leave."""
    goals = mind.goals()
    exits = set(mind.situation.data.exit_hexes(mind.seat))
    found: list[MoveOrder] = []
    for vehicle in mine(mind):
        if vehicle.id in skip or vehicle.recalled or vehicle.shock or vehicle.stun or vehicle.immobilized:
            continue
        if vehicle.bogged:
            found.append(MoveOrder((vehicle.id,), (Leg("unbog"),)))
            continue
        waits = not vehicle.at and not mind.situation.data.may_enter(vehicle, mind.state.turn)
        wanted = goals or (mind.enemy_hexes if not vehicle.at else [])
        if waits or not wanted:
            continue
        order = route(mind, vehicle, drive_costs(mind, vehicle, wanted), exits if exits & set(wanted) else set())
        if order is not None:
            found.append(order)
    return tuple(found)


def route(mind: Mind, vehicle: Vehicle, costs: Mapping[str, int], exits: set[str]) -> MoveOrder | None:
    """3.3.2 Drive as near to the goal as the MP allow, counting 1 MP for each change of direction."""
    allowance = allowance_of(mind.situation.vehicle_card(vehicle)) - (0 if vehicle.motion else 2 * MP)
    taken = {one.at for one in mine(mind) if one.id != vehicle.id} | set(mind.parked)
    at, path, spent = vehicle.at, list[str](), 0
    ghost = type(vehicle)(id=vehicle.id, seat=vehicle.seat, card=vehicle.card, at=at)
    while len(path) < 14:
        near = mind.ground.neighbours(at) if at else mind.situation.data.entry_hexes(vehicle)
        steps = []
        for hex in near:
            ghost.at = at
            cost = entry_cost(mind.situation, ghost, hex)
            if cost.prohibited or cost.whole or cost.half or mind.situation.enemy_vehicles(hex, mind.seat):
                continue
            if hex in mind.enemy_hexes or (not exits and is_close(mind, hex) and at and not is_close(mind, at)):
                continue
            steps.append((costs.get(hex, 999) + (3 if hex in taken else 0), cost.halves, hex))
        if not steps:
            break
        rest, cost_, hex = min(steps)
        if (at and rest >= costs.get(at, 999)) or spent + cost_ + MP > allowance:
            break
        path.append(hex)
        spent += cost_ + (MP if len(path) > 1 and len(path) % 2 else 0)
        at = hex
    while path and path[-1] in taken and path[-1] not in exits:
        path.pop()
    if not path:
        return leaves(vehicle, exits)
    mind.parked.append(path[-1])
    legs = tuple(Leg("enter", hex) for hex in path)
    if path[-1] in exits:
        return MoveOrder((vehicle.id,), (*legs, Leg("enter", OFF_MAP)))
    return MoveOrder((vehicle.id,), legs)


def leaves(vehicle: Vehicle, exits: set[str]) -> MoveOrder | None:
    """3.3/entry-exit Whether a vehicle is on an edge where it may leave the map."""
    return MoveOrder((vehicle.id,), (Leg("enter", OFF_MAP),)) if vehicle.at in exits else None


def is_close(mind: Mind, hex: str) -> bool:
    """Whether unbroken enemy Infantry is near enough to attack a tank in close combat or with a Panzerfaust."""
    return any(
        not unit.broken and mind.ground.distance(unit.at, hex) < NEAR - 1
        for unit in mind.enemies
        if mind.situation.is_mmc(unit)
    )
