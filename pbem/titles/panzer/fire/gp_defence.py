"""6.5.4.2 Protection against GP fire: vehicles, leg units and guns, passengers, aircraft, terrain.

6.5.4.2        gp_defence: 6.5.4.2.1 vehicles, 6.5.4.2.2 leg and towed units, 6.5.4.2.3 passengers
6.5.4.2.4      aircraft_defence
6.5.4.2.5      Ground, vulnerable_terrain, occupied_terrain
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex
from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.cards.basic_rows import Cover
from pbem.titles.panzer.damage.effects import (
    is_under_cover,
)
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.gp_modifiers import GpAttack as GpAttack
from pbem.titles.panzer.fire.gp_modifiers import is_moving
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.minefields import can_be_cleared
from pbem.titles.panzer.setup.mine_laying import MINES
from pbem.titles.panzer.sighting.terrain import (
    board_now,
    explain_cover,
    features_in,
    interior_of,
    is_inside,
    place_of,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    AircraftState,
    Feature,
    Unit,
)


class Ground(NamedTuple):
    """6.5.4.2.5 Terrain that can be destroyed: a counter, or the buildings in a hex."""

    hex: Hex
    type: str
    defence: int
    feature: Feature | None = None


# --- 6.5.4.2 GP defence ----------------------------------------------------------------------------------------


def gp_defence(situation: Situation, unit: Unit) -> Finding:
    """6.5.4.2 A ground unit's GP defence; its type is among the inputs."""
    found = _defence(situation, unit)
    return Finding("6.5.4.2", inputs={"unit": unit.id, **found.inputs}, result=found.result, children=(found,))


def _defence(situation: Situation, unit: Unit) -> Finding:
    if unit.kind == "vehicle":
        card = situation.data.vehicle(unit)
        return Finding("6.5.4.2.1", inputs={"type": card.type}, result=card.defence)
    if unit.aboard:
        return passenger_defence(situation, unit)
    return leg_defence(situation, unit)


def passenger_defence(situation: Situation, unit: Unit) -> Finding:
    """6.5.4.2.3 A passenger's defence depends only on its vehicle, not on terrain or movement."""
    covered = is_under_cover(situation, unit)
    value = situation.data.advanced.number("passenger_defence_under_cover" if covered else "passenger_defence")
    inputs = {"type": "S", "carrier": unit.aboard, "under_cover": covered}
    return Finding(ledger_row(situation.data.edition, "6.5.4.2.3/values"), inputs=inputs, result=value)


def leg_defence(situation: Situation, unit: Unit) -> Finding:
    """6.5.4.2.2 A leg or towed unit's defence by cover.

    Full cover adds to it and movement subtracts from it, but it stays within 1 to 10.
    """
    data = situation.data
    card = data.leg(unit) if unit.kind == "leg" else data.towed(unit)
    cover = explain_cover(situation, unit, "gp")
    printed = card.defence.at(cover.result)
    changes = list(_changes(situation, unit, card.full_cover.value))
    total = printed + sum(int(change.result) for change in changes)
    least, most = data.advanced.number("defence_at_least"), data.advanced.number("defence_at_most")
    return Finding(
        "6.5.4.2.2",
        inputs={"type": "S", "cover": Cover(cover.result).value, "printed": printed},
        result=max(least, min(most, total)),
        children=(*_cover_findings(situation, unit, cover), *changes),
    )


def _cover_findings(situation: Situation, unit: Unit, cover: Finding) -> Iterator[Finding]:
    """6.5.4.2.2 The source of the cover: the best of several terrain types, which may differ from spotting cover."""
    data = situation.data
    yield msgspec.structs.replace(cover, result=Cover(cover.result).value)
    terrain = list(board_now(situation).terrain(place_of(unit)))
    inputs = {"unit": unit.id, "terrain": terrain}
    if len(terrain) > 1:
        rule = ledger_row(data.edition, "6.5.4.2.2/several-terrains")
        yield Finding(rule, inputs=inputs, result=Cover(cover.result).value)
    spotting = data.charts.spotting_cover(terrain)
    if any(name in data.advanced.interiors for name in terrain) or spotting is not cover.result:
        rule = ledger_row(data.edition, "6.5.4.2.2/cover-exceptions")
        yield Finding(rule, inputs={**inputs, "spotting": spotting.value}, result=Cover(cover.result).value)


def _changes(situation: Situation, unit: Unit, full_cover: int) -> Iterator[Finding]:
    """6.5.4.2.2 Full cover and movement; the -2 for moving is a penalty, so the counter need not be shown (A13)."""
    data = situation.data
    if unit.full_cover:
        rule = ledger_row(data.edition, "6.5.4.2.2/full-cover")
        yield Finding(rule, inputs={"unit": unit.id}, result=full_cover)
    if is_moving(situation.state, unit):
        rule = ledger_row(data.edition, "6.5.4.2.2/moving")
        yield Finding(rule, inputs={"unit": unit.id}, result=data.advanced.number("moving_defence"))


def aircraft_defence(data: PanzerData, aircraft: AircraftState) -> Finding:
    """6.5.4.2.4 The printed defence; aircraft are soft."""
    value = data.book.aircraft[aircraft.card].defence.value
    return Finding("6.5.4.2.4", inputs={"aircraft": aircraft.id, "type": "S"}, result=value)


# --- 6.5.4.2.5 terrain as a target -----------------------------------------------------------------------------


def vulnerable_terrain(situation: Situation, hex: Hex) -> list[Ground]:
    """6.5.4.2.5 Destructible terrain in a hex: counters with a GP defence, and intact buildings."""
    data = situation.data
    found = [
        Ground(hex, feature.type, defence, feature)
        for feature in features_in(situation.state, hex)
        if (defence := _terrain_defence(data, feature)) and can_be_cleared(situation, feature)
    ]
    interior = interior_of(situation, hex)
    return [*found, Ground(hex, interior.id, interior.defence.value)] if interior else found


def _terrain_defence(data: PanzerData, feature: Feature) -> int:
    """6.5.4.2.5 The value in the table or the scenario; without one the terrain cannot be attacked."""
    row = data.advanced.features.get(feature.type)
    if row is None:
        return 0
    return feature.defence if row.defence.value == "scenario" else feature.defence or row.defence.value


def occupied_terrain(situation: Situation, unit: Unit) -> list[Ground]:
    """6.5.4.2.5 Vulnerable terrain that a unit occupies; direct fire at the unit attacks it too."""
    return [
        ground
        for ground in vulnerable_terrain(situation, place_of(unit))
        if _occupies(situation, unit, ground.feature)
    ]


def _occupies(situation: Situation, unit: Unit, feature: Feature | None) -> bool:
    """6.5.4.2.5 Whether the unit is in the building or position; other terrain is occupied by any unit in the hex."""
    if feature is None:
        return is_inside(situation, unit)
    if feature.type in MINES and situation.data.plays("minefields"):
        return False  # 7.31.3: direct fire does not reach them
    return unit.position == feature.id if feature.type == "improved_position" else True
