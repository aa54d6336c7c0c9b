"""23.1 Air points: how many a side receives in a turn, and how many it can spend.

23.1.2   received_reasons: tactical points less the losses from surrender and nuclear war
23.1.7   tactical_points, spend_tactical: the points of the turn, then a scenario's one-time bonus
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board
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


def received_reasons(board: Board, side: Side, points: int) -> Iterator[Finding]:
    """23.1.2, 21.3, 21.5, 32.2.3 Yield the deductions from the tactical points of a turn, and the remainder."""
    state, floor = board.state, board.data.charts.number("tactical_floor")
    surrender = int(side is Side.NATO and {"DK", "NL"} <= set(state.surrendered_ever))  # 32.2.3
    dispersal = int(bool(state.first_nuclear) and state.turn > state.first_nuclear)  # 21.5
    base, struck = points - surrender, state.airfields.get(side, 0)
    if surrender:
        yield Finding("32.2.3", inputs={"side": side}, result=-surrender)
    if dispersal:
        yield Finding("21.5", inputs={"side": side}, result=-dispersal)
    if struck:
        yield Finding("21.3", inputs={"side": side}, result=-struck)
    left = max(min(base, floor), base - struck - dispersal)  # 23.1.2
    yield Finding("23.1.2", inputs={"side": side, "table": points}, result=left)
