"""3.6/interdiction Which enemies could fire at a routing unit in the open.

3.6/interdiction    interdictors, is_interdicted
3.6/must-rout       must_rout
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.titles.aslsk.ordnance.arcs import covers
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Piece, Unit, Vehicle

FAR = 16
FARTHEST = 17
"""3.6/interdiction How far ordnance interdicts."""


def can_interdict(situation: Situation, enemy: Unit, hex: str) -> bool:
    """3.6/interdiction An unbroken, unpinned, rested unit with unhalved FP in normal range, free to fire out."""
    if enemy.broken or enemy.pinned or enemy.cx or situation.in_melee(enemy) or not enemy.at:
        return False
    if situation.enemies_at(enemy.at, enemy.seat) or situation.enemy_vehicles(enemy.at, enemy.seat):
        return False
    distance, card = situation.ground.distance(enemy.at, hex), situation.card(enemy)
    if situation.is_leader(enemy):
        return False  # a lone leader's MG is halved
    if card.fp >= 1 and distance <= card.range:
        return True
    gun = situation.gun_of(enemy)
    if gun is not None and not gun.malfunctioned and card.kind == "crew":
        least = situation.weapon_card(gun).min_range
        covered = situation.ground.in_arc(enemy.at, gun.facing, hex)
        if covered and least <= distance <= min(FARTHEST, situation.weapon_card(gun).range):
            return True
    return any(
        situation.is_machine_gun(weapon)
        and not weapon.malfunctioned
        and not situation.captured(weapon)
        and distance <= min(FAR, situation.weapon_card(weapon).range)
        for weapon in situation.weapons(enemy)
    )


def lies_open(situation: Situation, enemy: Piece, hex: str, came_from: str = "") -> bool:
    """3.6/interdiction Whether FFMO could apply to a unit entering the hex: no hindrance, cover or height."""
    ground = situation.ground
    if situation.sight(enemy.at, hex).hindrance:
        return False
    place = ground[hex]
    by_road = bool(came_from) and ground.road_between(came_from, hex)
    exposed_road = by_road and place.terrain in ("woods", "orchard") and ground.road_cover(enemy.at, hex)
    if not ground.is_open(hex) and not exposed_road:
        return False
    if ground[enemy.at].level >= place.level:
        return True
    climbed = bool(came_from) and ground.uphill(came_from, hex)
    return climbed and ground.side(hex, came_from) in ground.entry_sides(enemy.at, hex)


def vehicle_interdicts(situation: Situation, vehicle: Vehicle, hex: str) -> bool:
    """3.6/interdiction A stopped AFV in action: an MG in normal range, or CE its armament, in its arc."""
    idle = vehicle.shock or vehicle.stun or vehicle.shaken or not vehicle.stopped
    if idle or not vehicle.at or situation.enemies_at(vehicle.at, vehicle.seat):
        return False
    distance = situation.ground.distance(vehicle.at, hex)
    for weapon in situation.weapons(vehicle):
        main, card = weapon.card.endswith(":ma"), situation.weapon_card(weapon)
        reach = FARTHEST if main else card.range
        if weapon.malfunctioned or distance > reach or not covers(situation, weapon, vehicle.at, hex):
            continue
        if vehicle.ce or not (main or weapon.card.endswith(":aamg")):
            return True
    return False


def interdictors(situation: Situation, unit: Unit, hex: str, came_from: str = "") -> Iterator[Piece]:
    """3.6/interdiction The Known enemies that interdict a unit in a hex."""
    for enemy in situation.known_enemies(unit, hex):
        if can_interdict(situation, enemy, hex) and lies_open(situation, enemy, hex, came_from):
            yield enemy
    for vehicle in situation.state.vehicles.values():
        if vehicle.seat == unit.seat or not vehicle.at or not situation.sees(vehicle.at, hex):
            continue
        if vehicle_interdicts(situation, vehicle, hex) and lies_open(situation, vehicle, hex, came_from):
            yield vehicle


def is_interdicted(situation: Situation, unit: Unit, hex: str, came_from: str = "") -> bool:
    return next(interdictors(situation, unit, hex, came_from), None) is not None


def must_rout(situation: Situation, unit: Unit) -> str:
    """3.6/must-rout Why a broken unit must rout: an unbroken enemy beside it, or Interdiction; else ""."""
    if not unit.broken or not unit.at or situation.in_melee(unit):
        return ""
    if situation.near_known_enemy(unit, unbroken=True):
        return "an unbroken enemy is adjacent"
    if is_interdicted(situation, unit, unit.at):
        return "it lies in the open under fire"
    return ""
