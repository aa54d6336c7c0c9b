"""3.2.4/vtt To Hit numbers and DRM against a vehicle, and the DRM of a firing vehicle.

3.2.4/vtt             point_blank, target_modifiers, firing_vehicle_modifiers
3.2.4/known-th-drm    No. 13, 14, 16 (firing vehicles), 22, 24 (vehicles fired at)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.titles.aslsk.chance import Dice
from pbem.titles.aslsk.fire.components import Attack, Component
from pbem.titles.aslsk.fire.drm import Modifier
from pbem.titles.aslsk.fire.modifiers import firer_modifiers, sight_modifiers
from pbem.titles.aslsk.ordnance.arcs import mount_of
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Vehicle

MP: Final = 2
"""The number of half MP in one MP."""
IN_SIGHT: Final = "in sight"
"""The last words in the text of a DRM for MP spent in sight."""
ALWAYS: Final = 999
"""Stands for more than 3 MP: the vehicle has been in sight since before its MPh."""


def sight_points(situation: Situation, vehicle: Vehicle, hex: str) -> int:
    """3.2.4/known-th-drm How many half MP a vehicle has spent in continuous sight of a hex in this MPh."""
    going = vehicle.going
    if going is None:
        return ALWAYS
    points = 0
    for place, spent in reversed(going.trail):
        if not place or not situation.sees(hex, place):
            return points
        points += spent
    return ALWAYS


def in_motion(vehicle: Vehicle) -> bool:
    """3.3.2/motion Whether the vehicle is Non-Stopped in its MPh, or has a Motion marker."""
    return not vehicle.stopped


def point_blank(situation: Situation, one: Component, target: Vehicle | None) -> bool:
    """3.2.4/th-numbers Whether point blank applies at ranges 1 and 2: neither firer nor target may be in motion."""
    firer = one.unit if isinstance(one.unit, Vehicle) else None
    return not any(vehicle is not None and in_motion(vehicle) for vehicle in (firer, target))


def moving_modifier(situation: Situation, one: Component, vehicle: Vehicle) -> Modifier | None:
    """3.2.4/known-th-drm The DRM against a moving target (No. 24); in Defensive First Fire it depends on the MP
    spent in sight.
    """
    charts, state = situation.data.charts, situation.state
    if not vehicle.moving and not vehicle.motion:  # def/moving-target
        return None
    mover = state.mover
    row, rule = charts.modifier("moving vehicle"), "3.3.2/motion"
    if state.phase == "movement" and mover is not None and vehicle.id in mover.stack:
        points = sight_points(situation, vehicle, one.hex)
        if points <= 3 * MP:
            band = "1 MP or less" if points <= 1 * MP else "1.5 to 3 MP"
            row, rule = charts.modifier(f"moving vehicle, {band} in LOS"), "3.2.4/continuous-los"
    return Modifier(rule, "moving target", row.first)


def vehicle_terrain(situation: Situation, vehicle: Vehicle, hex: str, *, high: bool = True) -> Modifier | None:
    """1.1.1.5, 11/one-tem The TEM of a vehicle (in a woods-road hex only through the woods), or height advantage
    (if `high`).
    """
    ground, place = situation.ground, situation.ground[vehicle.at]
    tem = ground.tem(vehicle.at)
    by_road = hex != vehicle.at and place.terrain == "woods" and place.road
    if tem and by_road and ground.road_cover(hex, vehicle.at):
        tem = 0
    if tem:
        rule = "1.1.1.2" if place.terrain == "building" else "1.1.1.4"
        return Modifier(rule, f"{'stone ' if place.stone else ''}{place.terrain}", tem)
    if not high or ground[hex].level >= place.level:
        return None
    going = vehicle.going
    if going is not None and going.climbed and going.came_from:
        side = ground.side(vehicle.at, going.came_from)
        if side in ground.entry_sides(hex, vehicle.at):
            return None
    return Modifier("1.1.1.10/height-advantage", "height advantage", 1)


def target_modifiers(situation: Situation, one: Component, vehicle: Vehicle) -> Iterator[Modifier]:
    """3.2.4/known-th-drm The target's DRM: hindrances, TEM, size, and a moving target."""
    yield from sight_modifiers(situation, vehicle.at, [one.hex])
    tem = vehicle_terrain(situation, vehicle, one.hex)
    if tem is not None:
        yield tem
    size = situation.vehicle_card(vehicle).size  # def/target-size
    if size:  # def/target-size
        yield Modifier("7.3", "target size", size)
    moving = moving_modifier(situation, one, vehicle)
    if moving is not None:
        yield moving


def bounding_modifier(situation: Situation, one: Component, vehicle: Vehicle, at: str) -> Iterator[Modifier]:
    """3.2.4/known-th-drm The DRM for fire on the move (No. 14 and 16); in its own MPh, by the MP spent in sight of
    the target.
    """
    charts, phase = situation.data.charts, situation.state.phase
    assert one.weapon is not None
    turretless = mount_of(situation, one.weapon) == "NT"
    row = charts.modifier("bounding fire, no turret" if turretless else "bounding fire, turret")
    if situation.is_attacker(vehicle) and phase == "movement":
        yield Modifier("3.3.2.2", "Bounding First Fire", row.first, True)  # def/bounding-first-fire
        points = sight_points(situation, vehicle, at)
        if points <= 2 * MP:
            extra = charts.modifier("bounding first fire, 2 MP or less in LOS").first
            yield Modifier("3.3.2.2", f"2 MP or less {IN_SIGHT}", extra, True)
        elif points <= 3 * MP:
            extra = charts.modifier("bounding first fire, 2.5 or 3 MP in LOS").first
            yield Modifier("3.3.2.2", f"3 MP or less {IN_SIGHT}", extra, True)
    elif phase == "advancing" and (vehicle.new_hex or in_motion(vehicle)):
        yield Modifier("3.5/vehicles", "Bounding Fire", row.first, True)  # def/bounding-fire
    elif phase == "advancing":
        yield Modifier("3.5", "Advancing Fire", charts.modifier("advancing fire").first, True)
    elif in_motion(vehicle):
        yield Modifier("def/motion-fire", "Motion fire", row.first, True)


def firing_vehicle_modifiers(situation: Situation, one: Component, vehicle: Vehicle, at: str) -> Iterator[Modifier]:
    """3.2.4/known-th-drm The DRM of a firing vehicle: BU, fire on the move, and a shaken crew."""
    charts = situation.data.charts
    if not vehicle.ce and situation.is_main(one.weapon):  # def/bu
        yield Modifier("7.7", "BU", charts.modifier("buttoned up").first, True)
    yield from bounding_modifier(situation, one, vehicle, at)
    if vehicle.shaken:
        yield Modifier("7.10/stun", "shaken crew", charts.modifier("stunned or recalled").first, True)


def rolled_on_the_move(one: Component, dice: Dice) -> int:
    """3.2.4/known-th-drm The To Hit roll of a firer in motion, with the lower die doubled (No. 16)."""
    return dice.total + (min(dice.white, dice.coloured) if is_on_the_move(one) else 0)


def is_on_the_move(one: Component) -> bool:
    """3.2.4/known-th-drm Whether the firer is a vehicle in motion (No. 16)."""
    return isinstance(one.unit, Vehicle) and in_motion(one.unit)


def leader_modifiers(situation: Situation, one: Component, attack: Attack) -> Iterator[Modifier]:
    """3.2.2/leader-direction, 3.3.1/cx The DRM of Infantry firing a support weapon."""
    if not isinstance(one.unit, Vehicle):
        yield from firer_modifiers(situation, attack, [one])
