"""7.8 Turrets: where the gun points, and whether the hatches are open. 7.20 Long guns.

    7.8          has_turret, direction_of, points_at; turrets_step: before the first turn
    7.8.1        rating, rotation_objections, adjust_turrets; the step `turret:OFFSET` of a move
    7.8.2        turret_location: a hit on the turret depends on the way it is turned
    7.8.3        is_open, hatch_objections, prepare_hatches
    7.8.4        can_turn_to, turn_for_overwatch
    7.20         straighten, is_confined

The turret's facing is kept as an offset from the hull's, so that it turns with the hull: 0 is ahead, 3 astern.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pbem.engine.geometry.hexes import Hex, turn, turns_between, within_30
from pbem.engine.rules.ask import Ask, Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.chart_rows import Angle, Location, Place
from pbem.titles.panzer.cards.weapons import TURRETS
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.sequence import begin
from pbem.titles.panzer.sighting.terrain import board_now, interior_of, is_inside, place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Unit

OPEN: Final = "turret-open"
SHUT: Final = "buttoned-up"
LOCKED: Final = "turret-locked"
CONFINED: Final = ("woods", "light_woods", "heavy_woods", "light_grove", "medium_grove")
"""7.20 Among these trees a long gun points ahead or astern; the 2024 book says groves instead of woods."""
OFFSETS: Final = range(6)
TURRET_PLACES: Final = {
    Angle.FRONT: Location.TF,
    Angle.FRONT_SIDE: Location.TS,
    Angle.REAR_SIDE: Location.TS,
    Angle.REAR: Location.TR,
}
"""7.8.2 The location of a turret hit, by angle, if the table gives a hull location in that row."""


# --- 7.8 direction -------------------------------------------------------------------------------------------


def has_turret(data: PanzerData, unit: Unit) -> bool:
    """7.8 Whether the vehicle has a turret with its own facing; pivot mounts and fixed guns do not."""
    if unit.kind != "vehicle" or not data.plays("turrets"):
        return False
    return any(mount.weapon.turret in TURRETS for mount in data.vehicle(unit).mounts)


def direction_of(unit: Unit) -> int:
    """7.8 The hexside the turret faces."""
    return turn(unit.facing, unit.turret)


def points_at(unit: Unit, there: Hex) -> bool:
    """7.8 Whether a hex is in the turret's present field of fire."""
    return place_of(unit) != there and within_30(place_of(unit), there, direction_of(unit))


def locked_direction(data: PanzerData, unit: Unit, index: int) -> int | None:
    """7.23.2 Where a weapon in a locked turret points: ahead or, with 7.8, in the direction where it was locked."""
    if unit.kind != "vehicle" or LOCKED not in unit.flags:
        return None
    return direction_of(unit) if data.vehicle(unit).mounts[index].weapon.turret in TURRETS else None


# --- 7.8.1 turning -------------------------------------------------------------------------------------------


def rating(data: PanzerData, unit: Unit) -> int:
    """7.8.1 How many hexsides the turret turns at once: as printed, 1 with turret damage, 0 if locked."""
    if LOCKED in unit.flags:
        return 0
    printed = max(mount.weapon.turret for mount in data.vehicle(unit).mounts if mount.weapon.turret in TURRETS)
    return 1 if unit.turret_damaged else printed


def rating_finding(data: PanzerData, unit: Unit) -> Finding:
    """7.8.1 The rating, and the effect of damage on it."""
    damaged = [Finding("7.8.1/damage", inputs={"unit": unit.id}, result=1)] if unit.turret_damaged else []
    return Finding("7.8.1", inputs={"unit": unit.id}, result=rating(data, unit), children=tuple(damaged))


def rotation_objections(situation: Situation, unit: Unit, offset: int, moving: bool = False) -> Iterator[Objection]:
    """7.8.1 Reasons why a turret cannot turn to an offset; 7.20 a long gun among trees while the vehicle moves."""
    if not has_turret(situation.data, unit):
        yield Objection("7.8", say("the vehicle has no turret to turn"))
        return
    if offset not in OFFSETS:
        yield Objection("7.8.1", say("give the turret's offset from the hull, 0 to 5 hexsides clockwise"))
        return
    if unit.bailed_out:
        yield Objection("5.15", say("the unit's crew has bailed out"))
    most = rating(situation.data, unit)
    if turns_between(direction_of(unit), turn(unit.facing, offset)) > most:
        rule = "7.8.1/damage" if unit.turret_damaged else "7.8.1"
        yield Objection(rule, say("the vehicle's turret can turn by at most {most} hexsides", most=most))
    if moving and offset not in (0, 3) and is_confined(situation, unit, place_of(unit)):
        yield Objection("7.20", say("a long gun can only point ahead or to the rear here"))


def turn_turret(data: PanzerData, unit: Unit, offset: int, rule: str) -> Finding:
    """7.8.1 Turn the turret."""
    before, unit.turret = unit.turret, offset
    inputs = {"unit": unit.id, "from": before, "facing": direction_of(unit)}
    return Finding(rule, inputs=inputs, result=offset, children=(rating_finding(data, unit),))


def adjust_turrets(table: Table[PanzerState], answers: Mapping[str, Any]) -> None:
    """7.8.1, 7.8.3 The Adjust Turret and Visualization Step: turn turrets, and set hatches for the next turn."""
    data, state = table.data, table.state
    for side in (state.first, state.second):
        for id, offset in sorted(answers[side].get("turret", {}).items()):
            found = turn_turret(data, state.vehicles[id], offset, "7.8.1")
            table.find("7.8", inputs={"unit": id}, result=offset, children=[found])
        for id, shut in sorted(answers[side].get("hatch", {}).items()):
            set_hatch(table, state.vehicles[id], shut)


def turrets_step(table: Table[PanzerState]) -> Step:
    """7.8 During set-up, each owner sets turrets and hatches freely."""
    data, state = table.data, table.state
    asks = tuple(Ask(side, "adjust", "7.8", about={"start": True}, default={}, grade="order") for side in state.sides)
    answers = dict(zip(state.sides, (yield Together(asks)), strict=True))
    for side in state.sides:
        for id, offset in sorted(answers[side].get("turret", {}).items()):
            unit = state.vehicles[id]
            unit.turret = offset
            table.find("7.8", to=unit.audience, inputs={"unit": id, "facing": direction_of(unit)}, result=offset)
        for id, shut in sorted(answers[side].get("hatch", {}).items()):
            set_hatch(table, state.vehicles[id], shut)
    prepare_hatches(table)
    if data.plays("hidden_units"):
        table.then("hiding_step")  # 7.2.2
        return
    begin(table)


def setting_objections(data: PanzerData, unit: Unit, offset: int) -> Iterator[Objection]:
    """7.8 Yield the objections to a turret's offset before the first turn, when a turret can take any."""
    if not has_turret(data, unit):
        yield Objection("7.8", say("the vehicle has no turret to turn"))
    elif offset not in OFFSETS:
        yield Objection("7.8.1", say("give the turret's offset from the hull, 0 to 5 hexsides clockwise"))


def offset_to(situation: Situation, unit: Unit, there: Hex) -> int | None:
    """7.8.1 The offset of the smallest rotation towards a hex, as far as the turret can turn; None if it stays."""
    if not has_turret(situation.data, unit) or unit.bailed_out or place_of(unit) == there or points_at(unit, there):
        return None
    return min(
        (offset for offset in OFFSETS if not any(rotation_objections(situation, unit, offset))),
        key=lambda offset: (_away(unit, there, offset), turns_between(direction_of(unit), turn(unit.facing, offset))),
        default=None,
    )


def _away(unit: Unit, there: Hex, offset: int) -> int:
    """7.8 How many hexsides a turret at this offset would still have to turn to face a hex."""
    ways = [way for way in range(1, 7) if within_30(place_of(unit), there, way)]
    return min(turns_between(turn(unit.facing, offset), way) for way in ways)


# --- 7.8.2 hits ----------------------------------------------------------------------------------------------


def turret_location(
    place: Place, angle: Angle, turret_angle: Angle, there: Place
) -> tuple[Place, Angle, Finding] | None:
    """7.8.2 The location of a turret hit: the same die roll in the row for the turret's own angle.

    `there` is the table entry in that row; None if the hit is not on the turret or both angles agree.
    """
    if place.hull or place.location in (Location.TK, Location.DK) or turret_angle is angle:
        return None
    turreted = there if not there.hull and there.location is not Location.TK else None
    found = turreted or Place(TURRET_PLACES[turret_angle], marked=False)
    inputs = {"hull": angle.value, "turret": turret_angle.value, "printed": place.location.value}
    return found, turret_angle, Finding("7.8.2", inputs=inputs, result=found.location.value)


# --- 7.8.3 hatches -------------------------------------------------------------------------------------------


def has_hatches(data: PanzerData, unit: Unit) -> bool:
    """7.8.3 Whether the vehicle can be open or buttoned up: armoured vehicles only, with or without a turret."""
    return unit.kind == "vehicle" and data.plays("turrets") and data.vehicle(unit).type == "A"


def prepare_hatches(table: Table[PanzerState]) -> None:
    """7.8.3 Open the hatches unless their owner has chosen otherwise."""
    for unit in table.state.vehicles.values():
        if has_hatches(table.data, unit) and OPEN not in unit.flags and SHUT not in unit.flags:
            unit.flags = (*unit.flags, OPEN)


def set_hatch(table: Table[PanzerState], unit: Unit, shut: bool) -> None:
    """7.8.3 Open the hatches, or button up, for the whole of the next turn."""
    kept = tuple(flag for flag in unit.flags if flag not in (OPEN, SHUT))
    unit.flags = (*kept, SHUT if shut else OPEN)
    table.find("7.8.3", to=unit.audience, inputs={"unit": unit.id}, result=SHUT if shut else OPEN)


def hatch_objections(data: PanzerData, unit: Unit) -> Iterator[Objection]:
    """7.8.3 Object unless the unit is an armoured vehicle with a crew, which has hatches to set."""
    if not has_hatches(data, unit):
        yield Objection("7.8.3", say("the vehicle has no hatches to open or shut"))
    if unit.bailed_out:
        yield Objection("5.15", say("the unit's crew has bailed out"))


# --- 7.8.4 overwatch -----------------------------------------------------------------------------------------


def can_turn_to(situation: Situation, unit: Unit, there: Hex) -> int | None:
    """7.8.4 The offset of the smallest rotation that brings a hex into the field of fire, or None."""
    most = rating(situation.data, unit)
    confined = is_confined(situation, unit, place_of(unit)) and unit.moved
    for steps in sorted(range(-most, most + 1), key=lambda steps: (abs(steps), steps)):
        offset = (unit.turret + steps) % 6
        fits = within_30(place_of(unit), there, turn(unit.facing, offset))
        if fits and not (confined and offset not in (0, 3)):
            return offset
    return None


def turn_for_overwatch(situation: Situation, unit: Unit, there: Hex) -> Finding | None:
    """7.8.4 Overwatch fire outside the field of fire leaves the turret turned to its target."""
    if not has_turret(situation.data, unit) or points_at(unit, there):
        return None
    offset = can_turn_to(situation, unit, there)
    return None if offset is None else turn_turret(situation.data, unit, offset, "7.8.4")


# --- 7.20 long guns ------------------------------------------------------------------------------------------


def is_confined(situation: Situation, unit: Unit, hex: Hex) -> bool:
    """7.20 Whether a long gun cannot swing here; it cannot among trees, or in an alley of a building hex."""
    if not situation.data.plays("long_guns") or not situation.data.vehicle(unit).has("long_gun"):
        return False
    terrain = board_now(situation).terrain(hex)
    alley = interior_of(situation, hex) is not None and not is_inside(situation, unit)
    return alley or any(type in CONFINED for type in terrain)


def straighten(situation: Situation, unit: Unit, by_road: bool) -> Finding | None:
    """7.20 Among trees or houses, turn a long gun to point ahead or astern, free of charge, unless on a road."""
    if not has_turret(situation.data, unit) or by_road or unit.turret in (0, 3):
        return None
    if not is_confined(situation, unit, place_of(unit)):
        return None
    before = unit.turret
    unit.turret = 0 if before in (1, 5) else 3
    return Finding("7.20", inputs={"unit": unit.id, "from": before}, result=unit.turret)
