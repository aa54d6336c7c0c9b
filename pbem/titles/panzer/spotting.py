"""4.1 Spotting: who spots whom, and the Spotting Phase.

    4.1       spotting_phase, spots (explained), spots_now (yes or no), spotters_of
    4.1.1     can_spot
    4.1.3     Target, target_of, spotting_range, spotting_modifiers, explain_range
    4.1.5     remove_marker

Everything here is public and without chance: a unit is spotted if an enemy able to spot has it within range and
in its line of sight (`line_of_sight`). The Spotting Phase keeps its result in `state.spotted`, which alone
decides about Fire and Short Halt in this turn; later in the turn spotting is worked out anew (R-06).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, hex_name
from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards import Card
from pbem.titles.panzer.charts import Charts, Cover, Modifier
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.line_of_sight import OPEN, line_of_sight, sees
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.stacking import is_overstacked, stacking
from pbem.titles.panzer.state import PanzerState, Spot, Vehicle

Markers = Literal["earlier", "current"]
"""A-04 Which markers count: those of earlier turns in the Spotting Phase, the present ones ever after."""


# --- 4.1.1 who can spot --------------------------------------------------------------------------------------


def can_spot(cards: Mapping[str, Card], vehicle: Vehicle) -> bool:
    """4.1.1 Combat vehicles on the map, in any direction (4.1.2); unarmed ones never."""
    return vehicle.alive and cards[vehicle.card].armed


# --- 4.1.3 spotting range ------------------------------------------------------------------------------------


class Target(NamedTuple):
    """4.1.3 All that the spotting range depends on."""

    cover: Cover
    marker: Spot


CONDITIONS: Final[Mapping[str, Callable[[Target], bool]]] = {
    "target_light_cover": lambda target: target.cover is Cover.LIGHT,
    "target_medium_cover": lambda target: target.cover is Cover.MEDIUM,
    "target_heavy_cover": lambda target: target.cover is Cover.HEAVY,
    "target_spot_move": lambda target: target.marker is Spot.MOVE,
    "target_spot_fire": lambda target: target.marker is Spot.FIRE,
}


def target_of(data: PanzerData, state: PanzerState, vehicle: Vehicle, markers: Markers = "current") -> Target:
    """4.1.3 The cover of the target's hex at this moment, and its marker."""
    hex = place_of(vehicle)
    cover = data.charts.spotting_cover(data.board.terrain(hex))
    if cover is not Cover.NONE and is_overstacked(state, data.charts, hex):  # 4.1.3.2
        cover = Cover.NONE
    return Target(cover, vehicle.spot if markers == "earlier" else vehicle.marker)


def place_of(vehicle: Vehicle) -> Hex:
    """The hex of a vehicle on the map."""
    assert vehicle.hex is not None, f"{vehicle.id} is not on the map"
    return vehicle.hex


def spotting_modifiers(charts: Charts, target: Target) -> list[Modifier]:
    """4.1.3 Every modifier that applies, in the order of the chart; size is none of them (4.1.3.1)."""
    return [modifier for modifier in charts.spotting_modifiers if CONDITIONS[modifier.when](target)]


def spotting_range(charts: Charts, target: Target) -> int:
    """4.1.3 How far away the target can be spotted, in hexes."""
    return charts.spotting_range(sum(modifier.value for modifier in spotting_modifiers(charts, target)))


# --- 4.1 yes or no -------------------------------------------------------------------------------------------


def spots_now(
    data: PanzerData, state: PanzerState, spotter: Vehicle, target: Vehicle, markers: Markers = "current"
) -> bool:
    """4.1 Whether this vehicle spots that one at this moment (R-06)."""
    return (
        target.alive
        and can_spot(data.cards, spotter)
        and _within_range_and_sight(data, spotter, target, _range_of(data, state, target, markers))
    )


def spotters_of(data: PanzerData, state: PanzerState, target: Vehicle, markers: Markers = "current") -> list[Vehicle]:
    """4.1 The enemies that spot this vehicle at this moment, in the order of their ids."""
    if not target.alive:
        return []
    reach = _range_of(data, state, target, markers)
    return sorted(
        (
            enemy
            for enemy in state.of(state.enemy(target.side))
            if can_spot(data.cards, enemy) and _within_range_and_sight(data, enemy, target, reach)
        ),
        key=lambda enemy: enemy.id,
    )


def _range_of(data: PanzerData, state: PanzerState, target: Vehicle, markers: Markers) -> int:
    return spotting_range(data.charts, target_of(data, state, target, markers))


def _within_range_and_sight(data: PanzerData, spotter: Vehicle, target: Vehicle, reach: int) -> bool:
    here, there = place_of(spotter), place_of(target)
    return distance(here, there) <= reach and sees(data.board, data.charts, here, there)


# --- 4.1 explained -------------------------------------------------------------------------------------------


def spots(
    data: PanzerData, state: PanzerState, spotter: Vehicle, target: Vehicle, markers: Markers = "current"
) -> Finding:
    """4.1 Whether this vehicle spots that one, and why: ability, direction, range and line of sight."""
    inputs = {"spotter": spotter.id, "target": target.id}
    able = Finding(rule="4.1.1", inputs={"spotter": spotter.id}, result=can_spot(data.cards, spotter))
    if not (spotter.alive and target.alive):
        return Finding(rule="4.1", inputs=inputs, result=False, children=(able,))
    here, there = place_of(spotter), place_of(target)
    all_round = Finding(rule="4.1.2", inputs={"facing": spotter.facing}, result="all round")
    reach = explain_range(data, state, target, markers)
    line = line_of_sight(data.board, data.charts, here, there, state.wrecks)
    spotted = able.result and distance(here, there) <= reach.result and line.result == OPEN
    friends = () if spotted else _explain_friends(data, state, target, markers)
    return Finding(
        rule="4.1",
        inputs={**inputs, "range": distance(here, there), "limit": reach.result},
        result=spotted,
        children=(able, all_round, reach, line, *friends),
    )


def _explain_friends(data: PanzerData, state: PanzerState, target: Vehicle, markers: Markers) -> Iterator[Finding]:
    """4.1.1 What friends spot stays spotted, but whoever fires at it must spot it himself."""
    if friends := [friend.id for friend in spotters_of(data, state, target, markers)]:
        yield Finding(rule=numbered(data.edition, "4.1.1/individual"), inputs={"spotted_by": friends}, result=False)


def explain_range(data: PanzerData, state: PanzerState, vehicle: Vehicle, markers: Markers = "current") -> Finding:
    """4.1.3 The spotting range of a target, with the rows that make it."""
    target = target_of(data, state, vehicle, markers)
    modifiers = spotting_modifiers(data.charts, target)
    return Finding(
        rule="4.1.3",
        inputs={"target": vehicle.id, "cover": target.cover.value, "marker": target.marker.value},
        modifiers=tuple(msgspec.to_builtins(modifier) for modifier in modifiers),
        cell=["V", sum(modifier.value for modifier in modifiers)],
        result=spotting_range(data.charts, target),
        children=(*_explain_cover(data, state, vehicle), *_explain_marker(modifiers), _explain_size(data, vehicle)),
    )


def _explain_cover(data: PanzerData, state: PanzerState, vehicle: Vehicle) -> Iterator[Finding]:
    """4.1.3 The cover of the hex, where it comes from, and that it is lost in a crowd (4.1.3.2)."""
    hex = place_of(vehicle)
    rows = data.charts.rows(data.board.terrain(hex))
    cover = data.charts.spotting_cover(data.board.terrain(hex))
    inputs = {"hex": hex_name(hex), "terrain": {row.id: row.spotting_cover.value for row in rows}}
    yield Finding(rule=numbered(data.edition, "4.1.3/cover"), inputs=inputs, result=cover.value)
    if data.board.links(hex) or any(row.spotting_cover is Cover.OTHER for row in rows):
        yield Finding(rule=numbered(data.edition, "4.1.3/other-cover"), inputs=inputs, result=cover.value)
    if len(rows) > 1:
        rule = numbered(data.edition, "4.1.3/several-terrain-types")
        yield Finding(rule=rule, inputs=inputs, result=cover.value)
    if is_overstacked(state, data.charts, hex):
        crowd = stacking(state, data.charts, hex)
        yield Finding(rule="4.1.3.2", inputs=crowd.inputs, result=Cover.NONE.value, children=(crowd,))


def _explain_marker(modifiers: list[Modifier]) -> Iterator[Finding]:
    """4.1.3 What the Spot marker adds."""
    rules = {"target_spot_move": "4.1.3/spot-move", "target_spot_fire": "4.1.3/spot-fire"}
    for modifier in modifiers:
        if modifier.when in rules:
            yield Finding(rule=rules[modifier.when], result=modifier.value)


def _explain_size(data: PanzerData, vehicle: Vehicle) -> Finding:
    """4.1.3.1 The size of the vehicle has no part in it."""
    return Finding(rule="4.1.3.1", inputs={"size": data.cards[vehicle.card].size}, result=0)


# --- 4.1 the phase -------------------------------------------------------------------------------------------


def spotting_phase(table: Table[PanzerState]) -> Step:
    """4.1 Who spots whom with the markers of earlier turns; then markers of unspotted vehicles go (4.1.5)."""
    state = table.state
    state.phase = "spotting"
    before = frozenset(target for targets in state.spotted.values() for target in targets)
    on_map = sorted((vehicle for vehicle in state.vehicles.values() if vehicle.alive), key=lambda vehicle: vehicle.id)
    spotters = {target.id: spotters_of(table.data, state, target, "earlier") for target in on_map}
    state.spotted = {vehicle.id: [] for vehicle in on_map}
    for target in on_map:
        for spotter in spotters[target.id]:
            state.spotted[spotter.id].append(target.id)
    for target in on_map:  # all pairs are known before any marker goes
        report_spotting(table, target, spotters[target.id], before)
        if not spotters[target.id]:
            remove_marker(table, target)
    table.then("place_commands")
    return
    yield


def report_spotting(
    table: Table[PanzerState], target: Vehicle, spotters: list[Vehicle], before: frozenset[str]
) -> None:
    """4.1 One finding for each vehicle that becomes, stays or ceases to be spotted; none for the unseen."""
    data = table.data
    if not spotters:
        if target.id in before:
            table.find(numbered(data.edition, "4.1.1/continuous"), inputs={"target": target.id}, result="lost")
        return
    still = target.id in before
    reach = explain_range(data, table.state, target, "earlier")
    table.find(
        numbered(data.edition, "4.1.1/continuous") if still else "4.1",
        inputs={"target": target.id, "by": [spotter.id for spotter in spotters], "limit": reach.result},
        modifiers=reach.modifiers,
        cell=reach.cell,
        result="still spotted" if still else "spotted",
    )


def remove_marker(table: Table[PanzerState], vehicle: Vehicle) -> None:
    """4.1.5 A vehicle that no enemy spots loses its Spot marker."""
    if vehicle.spot is not Spot.NONE:
        table.find("4.1.5", inputs={"vehicle": vehicle.id, "marker": vehicle.spot.value}, result="removed")
        vehicle.spot = Spot.NONE
