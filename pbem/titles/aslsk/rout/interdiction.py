"""3.6/interdiction Which enemies could fire at a routing unit in the open.

3.6/interdiction    interdictors, is_interdicted
3.6/must-rout       must_rout
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.titles.aslsk.ordnance.arcs import covers
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Piece, Unit, Vehicle, Weapon
from pbem.titles.aslsk.vehicles.declaring import RESTRICTED

FAR = 16
FARTHEST = 17
"""3.6/interdiction The maximum range at which ordnance interdicts."""


def can_interdict(situation: Situation, enemy: Unit, hex: str) -> bool:
    """3.6/interdiction Whether a unit can interdict a hex: it must be unbroken, unpinned and not CX, with no
    enemies in its hex, and have unhalved FP at normal range.
    """
    if enemy.broken or enemy.pinned or enemy.cx or situation.in_melee(enemy) or not enemy.at:
        return False
    if situation.enemies_at(enemy.at, enemy.seat) or situation.enemy_vehicles(enemy.at, enemy.seat):
        return False
    distance, card = situation.ground.distance(enemy.at, hex), situation.card(enemy)
    if card.kind != "leader" and card.fp >= 1 and distance <= card.range:
        return True
    return any(weapon_reaches(situation, enemy, weapon, hex, distance) for weapon in situation.weapons(enemy))


def weapon_reaches(situation: Situation, enemy: Unit, weapon: Weapon, hex: str, distance: int) -> bool:
    """3.6/interdiction Whether a working MG, ATR, mortar or Gun that is not captured could fire at the hex now."""
    card, gun = situation.weapon_card(weapon), situation.gun_card(weapon)
    if weapon.malfunctioned or situation.is_captured(weapon):
        return False
    if card.kind == "mortar" and situation.ground[enemy.at].terrain == "building":
        return False  # 6.9
    if gun is not None:
        covered = situation.ground.in_arc(enemy.at, weapon.facing, hex)
        reach = min(FARTHEST, card.range or FARTHEST)
        return covered and situation.card(enemy).kind == "crew" and card.min_range <= distance <= reach
    if card.kind == "mortar":
        return max(1, card.min_range) <= distance <= min(FARTHEST, card.range)
    halved = situation.is_machine_gun(weapon) and situation.is_leader(enemy) and not has_help(situation, enemy)
    fires = situation.is_machine_gun(weapon) or card.kind == "atr"
    return fires and not halved and distance <= min(FAR, card.range)  # 4.1 a lone leader's MG is halved


def has_help(situation: Situation, leader: Unit) -> bool:
    """4.1 Whether another leader in the hex who is not CX helps a leader to fire an MG at full FP."""
    return any(not other.cx for other in situation.leaders_with(leader))


def lies_open(situation: Situation, enemy: Piece, hex: str, came_from: str = "") -> bool:
    """3.6/interdiction Whether FFMO could apply to a unit entering the hex: there is no hindrance, cover or height
    advantage.
    """
    ground = situation.ground
    if situation.sight(enemy.at, hex).hindrance or hex in situation.standing():  # 7.4
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
    """3.6/interdiction Whether a stopped AFV in action has an MG (or, if CE, its armament) in normal range and
    arc.
    """
    idle = vehicle.shock or vehicle.stun or vehicle.shaken or not vehicle.stopped
    beside = situation.enemies_at(vehicle.at, vehicle.seat) or situation.enemy_vehicles(vehicle.at, vehicle.seat)
    if idle or not vehicle.at or beside:
        return False
    distance = situation.ground.distance(vehicle.at, hex)
    for weapon in situation.weapons(vehicle):
        reach = FARTHEST if weapon.card.endswith(":ma") else situation.weapon_card(weapon).range
        if weapon.malfunctioned or distance > reach or not covers(situation, weapon, vehicle.at, hex):
            continue
        kind = weapon.card.rpartition(":")[2]
        if vehicle.ce and kind in ("ma", "cmg") and situation.vehicle_card(vehicle).turret in RESTRICTED:
            continue  # 7.2
        direct = kind == "ma" and situation.ife_of(weapon) > 0 and distance <= FAR  # 6.8 BU is a To Hit DRM only
        if vehicle.ce or direct or kind not in ("ma", "aamg"):
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
    """3.6/must-rout The reason why a broken unit must rout: an enemy in its hex, an unbroken enemy adjacent, or
    Interdiction; "" if it need not.
    """
    if not unit.broken or not unit.at or situation.in_melee(unit):
        return ""
    if situation.near_known_enemy(unit, unbroken=True):
        return "an unbroken enemy is adjacent"
    if situation.enemies_at(unit.at, unit.seat):  # 3.8/melee broken units of both sides are released and must rout
        return "broken enemies share its hex"
    if is_interdicted(situation, unit, unit.at):
        return "it lies in the open under fire"
    return ""
