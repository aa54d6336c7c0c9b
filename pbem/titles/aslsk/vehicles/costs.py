"""3.3.2/mp-costs The movement costs of vehicles in half MP: hexes, turns, vehicles and Smoke; and the DRM of bog
checks.

3.3.2/mp-costs    entry_cost, turn_cost
3.3.2/vca         ahead, facing_towards
7.6               bog_modifiers
"""

from __future__ import annotations

from typing import Final

import msgspec

from pbem.titles.aslsk.cards.vehicles import VehicleCard
from pbem.titles.aslsk.fire.drm import Modifier
from pbem.titles.aslsk.ground.lattice import front_sides, spines_turned
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Vehicle

MP: Final = 2
START = STOP = 1 * MP
CROWDED, CROWDED_ROAD, CROWDED_WOODS_ROAD = 1 * MP, 2 * MP, 4 * MP
CAR_OPEN, TRACKED_OPEN = 3 * MP, 1 * MP


class EntryCost(msgspec.Struct, frozen=True):
    """3.3.2/mp-costs The cost for a vehicle to enter a hex."""

    halves: int
    bog: bool = False
    road: bool = False
    prohibited: bool = False
    buttoned: bool = False
    whole: bool = False  # all MP
    half: bool = False  # woods or building for half of the MP


def allowance_of(card: VehicleCard) -> int:
    return card.mp * MP


def entry_cost(situation: Situation, vehicle: Vehicle, to: str, *, whole: bool = False) -> EntryCost:
    """3.3.2/mp-costs The cost of entering a hex: terrain, crest, Smoke, and each vehicle or wreck in it."""
    card, ground = situation.vehicle_card(vehicle), situation.ground
    if not vehicle.at and ground[to].road:
        base = 1 if vehicle.ce else MP
        return EntryCost(base + extras(situation, vehicle, to, road=True), road=True)
    found = ground.vehicle_cost(vehicle.at or to, to, card.tracked, vehicle.ce)
    if found.prohibited:
        return EntryCost(0, prohibited=True)
    extra = extras(situation, vehicle, to, road=found.road)
    if found.share == "all" or (found.share == "half or all" and whole):
        more = found.halves + extra  # 1.1.1 nothing is left to pay for a crest, Smoke or wrecks: only a minimum move
        return EntryCost(allowance_of(card) + more, found.bog, buttoned=found.buttoned, whole=not more)
    if found.share:
        halves = allowance_of(card) // 2 + found.halves + extra
        return EntryCost(halves, found.bog, buttoned=found.buttoned, half=True)
    return EntryCost(found.halves + extra, found.bog, found.road, buttoned=found.buttoned)


def extras(situation: Situation, vehicle: Vehicle, to: str, *, road: bool) -> int:
    """3.3.2/mp-costs The additional costs: +1 for Smoke; for each other vehicle or wreck +1, by road +2, on a road
    through woods +4.
    """
    others = sum(one.at == to and one.id != vehicle.id for one in situation.state.vehicles.values())
    others += sum(wreck.at == to for wreck in situation.state.wrecks)
    woods = situation.ground[to].terrain == "woods"
    each = (CROWDED_WOODS_ROAD if woods else CROWDED_ROAD) if road else CROWDED
    return others * each + (MP if situation.state.smoke.get(to) else 0)


def is_rough(situation: Situation, hex: str) -> bool:
    """3.3.2/mp-costs Whether a hex is woods without a road, or a building; turning there costs double and may bog
    the vehicle.
    """
    place = situation.ground[hex]
    return place.terrain == "building" or (place.terrain == "woods" and not place.road)


def turn_cost(situation: Situation, vehicle: Vehicle, facing: int) -> int:
    """3.3.2/mp-costs The cost of a turn: 1 MP for each hexspine, or 2 in woods or a building."""
    each = 2 * MP if is_rough(situation, vehicle.at) else MP
    return each * spines_turned(vehicle.vca, facing)


def ahead(situation: Situation, vehicle: Vehicle) -> list[str]:
    """3.3.2/vca The two hexes in front of a vehicle."""
    found = [situation.ground.step(vehicle.at, side) for side in front_sides(vehicle.vca)]
    return [hex for hex in found if hex is not None]


def facing_towards(situation: Situation, vehicle: Vehicle, to: str, after: str = "") -> int:
    """3.3.2/vca The facing that allows a vehicle to enter a hex with the smallest turn, preferably one that suits
    the next hex too.
    """
    side = situation.ground.side(vehicle.at, to)
    fitting = [spine for spine in range(6) if side in front_sides(spine)]
    further = situation.ground.side(to, after) if after and after in situation.ground else None

    def key(spine: int) -> tuple[int, int, int]:
        suits = further is None or further in front_sides(spine)
        return spines_turned(vehicle.vca, spine), 0 if suits else 1, spine

    return min(fitting, key=key)


def bog_modifiers(situation: Situation, vehicle: Vehicle, to: str, cost: EntryCost | None) -> list[Modifier]:
    """7.6 The DRM of a bog check: ground pressure, woods at half MP, wheels, and going uphill into woods."""
    card, charts = situation.vehicle_card(vehicle), situation.data.charts
    found: list[Modifier] = []
    if card.ground_pressure != "low":
        id = f"{card.ground_pressure} ground pressure"
        found.append(Modifier("7.6", id, charts.bog(id)))
    woods = situation.ground[to].terrain == "woods"
    if cost is not None and cost.half and woods:
        found.append(Modifier("7.6", "woods at half MP", charts.bog("woods for half of its MP")))
    if not card.tracked:
        found.append(Modifier("7.6", "not fully tracked", charts.bog("not fully tracked")))
    if cost is not None and woods and vehicle.at and situation.ground.uphill(vehicle.at, to):
        found.append(Modifier("7.6", "uphill into woods", charts.bog("uphill into woods")))
    return found
