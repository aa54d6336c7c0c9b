"""6.6 The only functions that put a unit into a hex, each with all its consequences.

    6.6           put: the unit with its passengers in a hex; the things it gives up (6.1.4.2, 6.1.4.3.6, 6.6.9)
    6.6           drive_to: the same in the course of a move, with wire, dischargers, queues and long guns
    6.1.4.3.11    crush_wire
    6.6.7         carry: a passenger is where its carrier is
    4.5.1.1.9     leave_map
    4.5.1.1       way_shown: a step of a move on the map, for replays
    4.5.1.1.5     passed_by: abandoned vehicles on a road

Attacks on a unit in its new hex are in `arrivals`.
"""

from __future__ import annotations

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Happening, Move
from pbem.engine.rules.table import Table
from pbem.titles.panzer.command.dischargers import blow_away
from pbem.titles.panzer.damage.damage_detail import comes_up
from pbem.titles.panzer.damage.effects import leave_position, pass_on_counter
from pbem.titles.panzer.fire.turrets import straighten
from pbem.titles.panzer.movement.steps.acts import Enter, acts_of
from pbem.titles.panzer.movement.steps.driving import Progress
from pbem.titles.panzer.obstacles.narrow_roads import enter_narrow
from pbem.titles.panzer.sighting.terrain import board_now
from pbem.titles.panzer.state import HullDown, Inside, Marker, PanzerState, Spot, Status, Unit


def put(
    state: PanzerState, unit: Unit, hex: Hex | None, *, facing: int | None = None, inside: Inside = Inside.NO
) -> Finding | None:
    """6.6 Put a unit in a hex, by default on the ground floor; in a new hex it gives up its position.

    It gives up its full cover, unless it crawls (6.6.4.3), its position, and a hull-down position that it has found.
    Return the finding for the position left.
    """
    left = None
    if hex != unit.hex:
        left = leave_position(state, unit)
        unit.full_cover = unit.full_cover and unit.crawling
        unit.hull_down, unit.open_angle = HullDown.NONE, 0
    unit.hex, unit.inside = hex, inside
    unit.facing = unit.facing if facing is None else facing
    for passenger in aboard_of(state, unit):
        carry(passenger, unit)
    return left


def aboard_of(state: PanzerState, carrier: Unit) -> list[Unit]:
    """6.6.7 A vehicle's passengers, wherever it is; lost ones are not included."""
    gone = (Status.ELIMINATED, Status.EXITED)
    return [unit for unit in state.vehicles.values() if unit.aboard == carrier.id and unit.status not in gone]


def carry(passenger: Unit, carrier: Unit) -> None:
    """6.6.7 Move a passenger to its carrier's hex, with the same facing."""
    passenger.aboard, passenger.hex, passenger.facing = carrier.id, carrier.hex, carrier.facing
    passenger.status = carrier.status


def drive_to(
    table: Table[PanzerState],
    unit: Unit,
    hex: Hex | None,
    *,
    facing: int | None = None,
    inside: Inside = Inside.NO,
    way: int = 0,
    by_road: bool = False,
) -> list[Finding]:
    """6.6 Carry out one step of a move: move or turn the unit; handle what it leaves, crushes and takes along."""
    data, state = table.data, table.state
    moved, facing = unit.hex != hex, unit.facing if facing is None else facing
    comes_up(table, unit, hex)  # 7.13.1
    if moved or unit.facing != facing or unit.inside is not inside:
        blow_away(unit)  # 7.9
    unit.status = Status.ON_MAP
    found = [put(state, unit, hex, facing=facing, inside=inside)]
    if moved and hex is not None:
        found += crush_wire(state, unit)
        found.append(enter_narrow(data, board_now(table), state, unit, way))  # 7.30
        found.append(straighten(table, unit, by_road))  # 7.20
    return [finding for finding in found if finding]


def crush_wire(state: PanzerState, unit: Unit) -> list[Finding]:
    """6.1.4.3.11 A vehicle that enters wire destroys it; only tracked vehicles can enter."""
    wires = [feature for feature in state.features.values() if feature.type == "wire" and feature.hex == unit.hex]
    if unit.kind != "vehicle":
        return []
    for wire in wires:
        del state.features[wire.id]
    inputs = {"unit": unit.id}
    return [Finding("6.1.4.3.11", inputs=inputs | {"hex": hex_name(wire.hex)}, result="removed") for wire in wires]


def leave_map(state: PanzerState, unit: Unit, edge: str) -> None:
    """4.5.1.1.9 Remove a unit and its passengers for good, not as eliminated; a shared counter stays (6.2.1.1.3)."""
    passengers = aboard_of(state, unit)
    pass_on_counter(state, unit)
    put(state, unit, None)
    for one in (unit, *passengers):
        one.status, one.exit_edge = Status.EXITED, edge
        one.spot = one.pending = Spot.NONE
        one.small_arms = one.pending_small_arms = False
        one.command, one.shares, one.revealed, one.shown = None, "", False, False
        one.suppression = Marker.NONE


def send_back(state: PanzerState, unit: Unit) -> None:
    """2.0 A unit that has only just entered waits off the map again, with its passengers."""
    passengers = aboard_of(state, unit)
    put(state, unit, None)
    for one in (unit, *passengers):
        one.status, one.pending = Status.RESERVE, Spot.NONE


def way_shown(state: PanzerState, unit: Unit, before: Progress, after: Progress) -> list[Happening]:
    """4.5.1.1 One step on the map by a vehicle with its passengers; entering and leaving the map are not steps.

    4.5.1.1.9: a unit that leaves the map from the hex where it has just come in is shown there.
    """
    if before.hex is None or after.hex is None:
        return []
    if after.exit and before.entered <= 1 and any(acts_of(Enter, before.steps)):
        stay = ((hex_name(before.hex), before.facing),)
        return [Move(one.id, stay) for one in (unit, *aboard_of(state, unit))]
    if after.exit or not unit.alive:
        return []
    way = ((hex_name(before.hex), before.facing), (hex_name(after.hex), after.facing))
    if way[0] == way[1]:
        return []
    return [Move(one.id, way) for one in (unit, *aboard_of(state, unit))]


def passed_by(table: Table[PanzerState], unit: Unit, march: Progress) -> list[Finding]:
    """4.5.1.1.5 In the 2016 book abandoned friendly vehicles do not deny the road rate: list those passed."""
    state, hex = table.state, march.hex
    if march.mode != "road" or hex is None or table.data.charts.switch("abandoned_denies_road_rate"):
        return []
    left = [other.id for other in state.on_the_ground(hex) if other.bailed_out]
    inputs = {"unit": unit.id, "hex": hex_name(hex)}
    return [Finding("4.5.1.1.5/abandoned-vehicles", inputs=inputs, result=left)] if left else []
