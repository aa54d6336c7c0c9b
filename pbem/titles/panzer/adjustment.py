"""4.6 Adjustment Phase: the rest of the counters is turned up, and the turn ends.

4.6      adjustment_phase
4.6.1    reveal_all, mark_unused (A-38), take_in: markers and counters
4.6.2    end_turn: objectives, victory, the next turn
"""

from __future__ import annotations

from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.ap_fire import settle_smoke
from pbem.titles.panzer.commands import commandable
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.state import Command, PanzerState, Spot, Vehicle
from pbem.titles.panzer.victory import end_match, is_over, note_occupants, update_control


def adjustment_phase(table: Table[PanzerState]) -> Step:
    """4.6 Nobody decides anything here."""
    state = table.state
    state.phase = "adjustment"
    table.find("4.6", inputs={"turn": state.turn})
    adjust_counters(table)  # 4.6.1
    end_turn(table)  # 4.6.2
    return
    yield


# --- 4.6.1 counters ------------------------------------------------------------------------------------------


def adjust_counters(table: Table[PanzerState]) -> None:
    """4.6.1 All hidden counters are revealed at once, unused commands leave their marker, all are taken in.

    Also those of reinforcements that have not entered (R-02), which get no marker off the map.
    """
    state = table.state
    in_order = [vehicle for side in (state.first, state.second) for vehicle in commandable(state, side)]
    revealed = [reveal_hidden(vehicle) for vehicle in in_order if vehicle.face_down]
    unused = [mark_unused(table.data, vehicle) for vehicle in in_order if vehicle.alive and is_unused(vehicle)]
    table.find("4.6.1", result="revealed", children=[*revealed, *unused])
    for vehicle in state.vehicles.values():
        take_in(vehicle)
    settle_smoke(state)


def reveal_hidden(vehicle: Vehicle) -> Finding:
    """4.6.1 What a counter was; those of eliminated vehicles are gone and stay secret (R-10)."""
    assert vehicle.command is not None
    return Finding(rule="4.6.1", inputs={"unit": vehicle.id}, result=vehicle.command.value)


def is_unused(vehicle: Vehicle) -> bool:
    """4.6.1 A command that was not carried out; here only a Fire without a target left (A-38)."""
    if vehicle.command is Command.FIRE:
        return not vehicle.fired
    if vehicle.command is Command.MOVE:
        return not vehicle.moved
    return vehicle.command is Command.SHORT_HALT and not vehicle.fired and not vehicle.moved


def mark_unused(data: PanzerData, vehicle: Vehicle) -> Finding:
    """4.6.1 Unused Fire and Short Halt get Spot/Fire, an unused Move gets Spot/Move."""
    assert vehicle.command is not None
    vehicle.pending = Spot.MOVE if vehicle.command is Command.MOVE else Spot.FIRE
    inputs = {"unit": vehicle.id, "command": vehicle.command.value}
    return Finding(rule=numbered(data.edition, "4.6.1/unused"), inputs=inputs, result=vehicle.pending.value)


def take_in(vehicle: Vehicle) -> None:
    """4.6.1 The counter is removed; a marker placed in this turn becomes a normal one (A-04)."""
    vehicle.spot, vehicle.pending = vehicle.marker, Spot.NONE
    vehicle.command = None
    vehicle.revealed = vehicle.shown = vehicle.fired = vehicle.moved = False


# --- 4.6.2 the end of the turn -------------------------------------------------------------------------------


def end_turn(table: Table[PanzerState]) -> None:
    """4.6.2 Control of objectives, then victory after the last turn, or the next turn."""
    state = table.state
    update_control(table)  # 3.6, R-03
    if is_over(table.data, state):
        end_match(table)
        return
    state.turn += 1
    state.first = ""  # void until the next Initiative Phase
    note_occupants(table.data, state)
    table.find("4.6.2", inputs={"turn": state.turn}, result="next-turn")
    table.then("spotting_phase")
