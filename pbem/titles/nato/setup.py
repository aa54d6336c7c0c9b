"""35.9 Set-up: the state before the first step."""

from __future__ import annotations

import msgspec

from pbem.engine.rules.state import NextStep
from pbem.titles.nato.air.helicopters import READY
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.state import NatoState, Piece


def initial_state(data: NatoData, switches: tuple[str, ...]) -> NatoState:
    """35.9 Units where the scenario puts them, markers and points at their starting values."""
    scenario = data.scenario
    pieces = {placed.unit: Piece(id=placed.unit, at=placed.at) for placed in scenario.placements}
    return NatoState(
        pieces=dict(sorted(pieces.items())),
        conquered=dict(scenario.conquered),
        brigades=dict.fromkeys(sorted(scenario.attack_helicopters), READY),
        awaited=[arrival.unit for arrival in scenario.arrivals],
        lift_ready={side: msgspec.to_builtins(lift) for side, lift in scenario.lift.items()},
        points={Side.WP: 0, Side.NATO: 0},
        switches=switches,
        next=NextStep("joint_turn"),
    )
