"""35.9 Set-up: the state before the first step."""

from __future__ import annotations

import msgspec

from pbem.engine.rules.state import NextStep
from pbem.titles.nato.air.helicopters import READY
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.state import NatoState, Piece


def initial_state(data: NatoData, switches: tuple[str, ...]) -> NatoState:
    """35.9 Return the starting state: units placed by the scenario, markers and points at their starting values."""
    scenario = data.scenario
    first = 0 if scenario.turn_zero or data.plays("nerves") else 1
    waits = {placed.unit: scenario.active_from(data.units[placed.unit]) > first for placed in scenario.placements}
    calm = data.plays("nerves")  # 39: no unit is activated in peace
    active = {unit: not calm and not (wait and data.plays("activation")) for unit, wait in waits.items()}
    pieces = {
        placed.unit: Piece(id=placed.unit, at=placed.at, active=active[placed.unit])
        for placed in scenario.placements
        if not placed.reforger
    }
    return NatoState(
        pieces=dict(sorted(pieces.items())),
        conquered=dict(scenario.conquered),
        brigades=dict.fromkeys(sorted(scenario.attack_helicopters), READY),
        awaited=[arrival.unit for arrival in scenario.arrivals],
        lift_ready={side: msgspec.to_builtins(lift) for side, lift in scenario.lift.items()},
        air_bonus=dict.fromkeys(Side, scenario.air.bonus) if scenario.air.bonus else {},
        points={Side.WP: 0, Side.NATO: 0},
        switches=switches,
        sites={placed.unit: placed.at for placed in scenario.placements if placed.reforger},
        chemical_points={side: chemical.start for side, chemical in scenario.chemical.items()},
        supply_points=scenario.supply.start,
        turn=first,
        alert=int(data.plays("nerves")),
        next=NextStep("peace_turn" if data.plays("nerves") else "turn_zero" if scenario.turn_zero else "joint_turn"),
    )
