"""Invariants: what can never be true of a match, whatever the players do and the dice say."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.geometry.hexes import hex_name, parse_hex
from pbem.titles.panzer.ap_fire import MOVING
from pbem.titles.panzer.commands import commandable
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.state import Command, PanzerState, Status, Vehicle
from pbem.titles.panzer.victory import score

FIRES = (Command.FIRE, Command.SHORT_HALT, Command.OVERWATCH)
BETWEEN_MOVES = ("spotting", "command", "initiative", "combat", "adjustment")
"""4.5.1.1.10 The phases in which no vehicle is on its way through a hex."""
UNDER_COMMAND = ("initiative", "combat", "movement")
"""4.2.1 The phases in which every vehicle has its counter."""


def flaws(data: PanzerData, state: PanzerState) -> Iterator[str]:
    """Every invariant that a state breaks."""
    if list(state.vehicles) != sorted(unit.id for unit in data.scenario.units):
        yield "2.0 the vehicles are not those of the scenario, in the order of their ids"
        return
    for vehicle in state.vehicles.values():
        yield from vehicle_flaws(data, state, vehicle)
    yield from stacking_flaws(state)
    yield from matrix_flaws(state)
    yield from wreck_flaws(data, state)
    yield from turn_flaws(data, state)


def invariants() -> list[str]:
    """What is looked at, each with its rules."""
    looked = (vehicle_flaws, stacking_flaws, matrix_flaws, wreck_flaws, turn_flaws)
    return [(look.__doc__ or "").strip() for look in looked]


def vehicle_flaws(data: PanzerData, state: PanzerState, vehicle: Vehicle) -> Iterator[str]:
    """3.3, 3.4 Place, facing, counter and markers of one vehicle."""
    if vehicle.alive and (vehicle.hex is None or not data.board.is_on_map(vehicle.hex)):
        yield f"{vehicle.id} is on the map, but in no hex of it"
    if vehicle.status in (Status.RESERVE, Status.EXITED) and vehicle.hex is not None:
        yield f"{vehicle.id} is {vehicle.status.value}, but in {hex_name(vehicle.hex)}"
    if not 1 <= vehicle.facing <= 6:
        yield f"3.3 {vehicle.id} faces {vehicle.facing}"
    if vehicle.status is Status.ELIMINATED and vehicle.command is not None:
        yield f"4.4.3.2.6 {vehicle.id} is eliminated, but has a command"
    if vehicle.status is Status.ON_MAP and vehicle.entry_turn > state.turn:
        yield f"2.0 {vehicle.id} is on the map before its turn of entry"
    if vehicle.fired and vehicle.alive and not (vehicle.revealed and vehicle.command in FIRES):
        yield f"4.4.1 {vehicle.id} has fired without a revealed command to fire"
    if vehicle.moved and vehicle.alive and not (vehicle.revealed and vehicle.command in MOVING):
        yield f"4.5.1 {vehicle.id} has moved without a revealed command to move"
    if vehicle.shown and vehicle.command not in MOVING:
        yield f"4.4.3.2.2 {vehicle.id} has shown a command that gives no modifier"
    if vehicle.status is Status.EXITED and not vehicle.exit_edge:
        yield f"4.5.1.1.9 {vehicle.id} has left by no edge"


def stacking_flaws(state: PanzerState) -> Iterator[str]:
    """4.5.1.1.10 Outside the Movement Phase no hex holds vehicles of both sides."""
    if state.phase not in BETWEEN_MOVES:
        return
    holder: dict[str, Vehicle] = {}
    for vehicle in state.vehicles.values():
        if vehicle.alive and vehicle.hex is not None:
            other = holder.setdefault(hex_name(vehicle.hex), vehicle)
            if other.side != vehicle.side:
                yield f"4.5.1.1.10 {other.id} and {vehicle.id} share {hex_name(vehicle.hex)}"


def matrix_flaws(state: PanzerState) -> Iterator[str]:
    """4.1 The matrix names enemies only."""
    for spotter, targets in state.spotted.items():
        for target in targets:
            if state.vehicles[target].side == state.vehicles[spotter].side:
                yield f"4.1 {spotter} has spotted its friend {target}"


def wreck_flaws(data: PanzerData, state: PanzerState) -> Iterator[str]:
    """4.1.4.1.8 Wrecks lie where vehicles were eliminated, and nowhere else."""
    lost = {
        hex_name(vehicle.hex)
        for vehicle in state.vehicles.values()
        if vehicle.status is Status.ELIMINATED and vehicle.hex is not None
    }
    for name in sorted(lost ^ set(state.wrecks)):
        yield f"4.1.4.1.8 {name} has {'no wreck' if name in lost else 'a wreck of nobody'}"
    for name in state.wrecks:
        if not data.board.is_on_map(parse_hex(name)):
            yield f"4.1.4.1.8 a wreck lies off the map in {name}"


def turn_flaws(data: PanzerData, state: PanzerState) -> Iterator[str]:
    """4.0, 3.6 Turn, players, counters, objectives and points."""
    if not 1 <= state.turn <= data.scenario.turns:
        yield f"4.6.2 there is no turn {state.turn}"
    if state.first not in ("", *state.sides):
        yield f"4.3.1 {state.first} is no side"
    for side in state.sides:
        uncommanded = [vehicle.id for vehicle in commandable(state, side) if vehicle.command is None]
        if uncommanded and state.phase in UNDER_COMMAND:
            yield f"R-08 {', '.join(uncommanded)} have no counter"
        most = sum(unit.vp for unit in data.scenario.units if unit.side != side)
        if score(data, state, side).eliminated > most:
            yield f"R-04 {side} has more points than there are enemies"
    for id, objective in state.objectives.items():
        if objective.controller not in ("", *state.sides):
            yield f"3.6 {objective.controller} controls {id} but is no side"
