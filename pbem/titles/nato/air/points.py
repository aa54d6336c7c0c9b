"""23.1.7 Tactical air points that can be spent: those of the turn, then a bonus that a scenario gives once."""

from __future__ import annotations

from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.state import NatoState


def tactical_points(state: NatoState, side: Side) -> int:
    """23.1.3 The tactical points that a side can spend now."""
    return state.tactical.get(side, 0) + state.air_bonus.get(side, 0)


def spend_tactical(state: NatoState, side: Side, number: int) -> None:
    """23.1.7 Spend tactical points, drawing on the bonus last."""
    have = state.tactical.get(side, 0)
    state.tactical[side] = max(0, have - number)
    if number > have:
        state.air_bonus[side] = state.air_bonus.get(side, 0) - (number - have)
