"""2.0 Preparation for play: the state before the first turn, and the placing of units in set-up areas.

    2.0 R-02     initial_state: vehicles at their places, in areas yet to be placed, or in reserve
    2.0 R-02     deployment_step: side after side, each seeing what was placed before
    2.0 R-02     placing_objections, check_deploy, deploy_options; default_place
    3.6 R-03     objectives at the start

Reinforcements enter in the Movement Step (`movement`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, hex_name, parse_hex
from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.state import NextStep
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards import Card
from pbem.titles.panzer.charts import PROHIBITED
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.scenario import Scenario, Unit
from pbem.titles.panzer.state import Objective, PanzerState, Status, Vehicle
from pbem.titles.panzer.victory import note_occupants

FACINGS: Final = range(1, 7)
DEPLOYMENT: Final = "deployment"
"""The phase before the first turn."""
CHOICES: Final = 100
"""How many of the countless ways to place a side are listed."""


# --- 2.0 the state before the first turn ---------------------------------------------------------------------


def initial_state(data: PanzerData, switches: tuple[str, ...] = ()) -> PanzerState:
    """2.0 Every unit as the scenario says; no markers, no damage unless it says so (R-02)."""
    scenario = data.scenario
    units = sorted(scenario.units, key=lambda unit: unit.id)
    return PanzerState(
        vehicles={unit.id: vehicle_of(unit) for unit in units},
        objectives={row.id: Objective(controller=row.controller) for row in scenario.objectives},
        sides=tuple(side.id for side in scenario.sides),
        switches=switches,
        phase=DEPLOYMENT,
        next=NextStep("deployment_step", {"side": scenario.sides[0].id}),
    )


def vehicle_of(unit: Unit) -> Vehicle:
    """R-02 On the map if its place is fixed, otherwise held back until it is placed or enters."""
    waits = unit.hex is None or bool(unit.area)
    return Vehicle(
        id=unit.id,
        side=unit.side,
        card=unit.card,
        name=unit.name,
        hex=None if waits else unit.hex,
        facing=unit.facing or 1,
        status=Status.RESERVE if waits else Status.ON_MAP,
        entry_turn=unit.turn,
        damaged=unit.damaged,
    )


# --- 2.0 placing units in areas ------------------------------------------------------------------------------


def deployment_step(table: Table[PanzerState], side: str) -> Step:
    """2.0 One side places its units; those it does not name stand where the scenario has them (R-02)."""
    units = to_place(table.data.scenario, side)
    if units:
        answer = yield Ask(side, "deploy", "2.0", default={}, grade="order")
        place_units(table, units, answer)
    order = list(table.state.sides)
    later = order[order.index(side) + 1 :]
    if later:
        table.then("deployment_step", side=later[0])
        return
    note_occupants(table.data, table.state)  # set up there counts for turn 1
    table.then("spotting_phase")


def to_place(scenario: Scenario, side: str) -> list[Unit]:
    """R-02 The units that have a set-up area, in the order of their ids."""
    return sorted((unit for unit in scenario.units if unit.side == side and unit.area), key=lambda unit: unit.id)


def place_units(table: Table[PanzerState], units: list[Unit], answer: Mapping[str, Any]) -> None:
    """R-02 Chosen places first, so that nobody's default stands in the way."""
    for unit in units:
        if unit.id in answer:
            name, facing = answer[unit.id]
            place(table, unit, parse_hex(name), facing)
    for unit in units:
        if unit.id not in answer:
            place(table, unit, default_place(table.data, table.state, unit), unit.facing)


def place(table: Table[PanzerState], unit: Unit, hex: Hex, facing: int) -> None:
    vehicle = table.state.vehicles[unit.id]
    vehicle.hex, vehicle.facing, vehicle.status = hex, facing, Status.ON_MAP
    table.find("2.0", inputs={"unit": unit.id, "area": unit.area, "facing": facing}, result=hex_name(hex))


def default_place(data: PanzerData, view: PanzerState, unit: Unit) -> Hex:
    """R-02 Its place in the scenario, or the nearest legal hex of its area if an enemy was placed there."""
    assert unit.hex is not None
    home = unit.hex
    area = sorted(data.scenario.areas[unit.area].hexes, key=lambda hex: distance(home, hex))
    return next((hex for hex in area if not any(placing_objections(data, view, unit, hex))), home)


def placing_objections(data: PanzerData, view: PanzerState, unit: Unit, hex: Hex) -> Iterator[Objection]:
    """2.0 Everything against placing a unit in a hex (R-02)."""
    if hex not in data.scenario.areas[unit.area].hexes:
        yield Objection("2.0", f"{hex_name(hex)} is not in its area, {unit.area}")
    elif not can_stand(data, data.cards[unit.card], hex):
        yield Objection("4.5.1.1.2", f"the terrain in {hex_name(hex)} is closed to it")
    elif any(vehicle.side != unit.side for vehicle in view.at(hex)):
        yield Objection("4.5.1.1.10", f"there is an enemy in {hex_name(hex)}")


def can_stand(data: PanzerData, card: Card, hex: Hex) -> bool:
    """4.5.1.1.2 Open to its traction, or on a path or road (R-14)."""
    cost = data.charts.entry_cost(data.board.terrain(hex), card.traction)
    return cost != PROHIBITED or bool(data.board.links(hex))


# --- answers -------------------------------------------------------------------------------------------------


def check_deploy(data: PanzerData, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """2.0 The places by unit, or a refusal of every one that is not legal."""
    try:
        places = msgspec.convert(answer, dict[str, tuple[str, int]])
    except msgspec.ValidationError as error:
        why = Objection("2.0", f"a set-up gives each unit a hex and a facing: {error}")
        raise Unreadable("deploy", [why], ['{"g1": ["C4", 3]}']) from error
    units = {unit.id: unit for unit in to_place(data.scenario, ask.seat)}
    refusals = [
        refusal for id in sorted(places) for refusal in refused(data, view, units, id, places[id][0], places[id][1])
    ]
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return {id: [places[id][0].strip().upper(), places[id][1]] for id in sorted(places)}


def refused(
    data: PanzerData, view: PanzerState, units: Mapping[str, Unit], id: str, name: str, facing: int
) -> Iterator[Refusal]:
    """2.0 Why one unit cannot be placed like this, and where it could be."""
    unit = units.get(id)
    if unit is None:
        yield Illegal(id, [Objection("2.0", "it is not a unit of yours that can be placed")], list(units))
        return
    try:
        objections = list(placing_objections(data, view, unit, parse_hex(name)))
    except ValueError as error:
        yield Unreadable(f"{id} {name}", [Objection("1.2", str(error))], [hex_name(default_place(data, view, unit))])
        return
    if facing not in FACINGS:
        objections.append(Objection("3.3", f"a vehicle faces one of six hexsides, 1 to 6, not {facing}"))
    if objections:
        yield Illegal(f"{id} {name}", objections, [hex_name(default_place(data, view, unit))])


def deploy_options(data: PanzerData, view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """2.0 The scenario's places, then a fair choice of others."""
    yield {}
    units = to_place(data.scenario, ask.seat)
    legal = {
        unit.id: [
            hex for hex in data.scenario.areas[unit.area].hexes if not any(placing_objections(data, view, unit, hex))
        ]
        for unit in units
    }
    for number in range(CHOICES if all(legal.values()) else 0):
        choice = Choice("deploy", ask.seat, number)
        yield {id: [hex_name(choice.one_of(hexes)), choice.one_of(FACINGS)] for id, hexes in legal.items()}
