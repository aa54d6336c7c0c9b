"""How bots plan: they order what they have tried out, and no front leaves its cities to another."""

from __future__ import annotations

from titles.nato.builders import a_board, a_data, a_state

from pbem.titles.nato.bots.goals import Outlook
from pbem.titles.nato.bots.moves import plan_moves
from pbem.titles.nato.bots.transport import transport_moves
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.movement.rehearsal import Rehearsal

SIX_FRONT = "16GT 21 94G E8 207 35 12GT 25T 32GT E1 10GT E9T"
"""Twelve divisions of one front."""


def test_a_crowded_railway_station_does_not_keep_the_rest_of_the_army_from_moving() -> None:
    """9.1.3: three divisions wait in one hex for their trains; a fourth far behind still gets its orders."""
    state = a_state({"3108": "16GT 21 207", "3101": "P4", "3016": "7/1A", "3403": "P5T"})
    for id in ("16GT", "21", "207"):
        state.pieces[id].train = "entrained"
    trial = Rehearsal(a_data("rail"), state, Side.WP)
    units = list(trial.board.of(Side.WP))
    moves = transport_moves(trial, units, Outlook(trial.board, Side.WP), bold=True)
    ordered = {move.unit for move in moves}
    changed = {id for id, piece in trial.board.state.pieces.items() if piece != state.pieces[id]}
    assert changed <= ordered


def test_what_a_bot_has_tried_out_it_orders() -> None:
    state = a_state({"3108": "16GT 21", "3110": "NEGF", "3101": "P4", "3216": "7/1A", "2906": "34N"})
    trial = Rehearsal(a_data("rail"), state, Side.WP)
    ordered = {move.unit for move in plan_moves(trial, list(trial.board.of(Side.WP)), bold=True)}
    went = {id for id, piece in trial.board.state.pieces.items() if piece.at != state.pieces[id].at}
    assert went <= ordered and {"P4", "34N"} <= ordered


def test_the_divisions_of_a_front_aim_at_several_cities() -> None:
    board = a_board({"2913": SIX_FRONT})
    aims = Outlook(board, Side.WP).aims
    assert set(aims) == set(SIX_FRONT.split()) and len(set(aims.values())) > 2


def test_the_garrison_of_west_berlin_stays_in_the_city() -> None:
    """31.1.1, 34.2: outside the city it finds no supply, and an empty city is easily taken."""
    units = {"3007": "US-Berlin UK-Berlin", "3008": "16GT 21", "3107": "94G E8", "2514": "P5T 25T"}
    trial = Rehearsal(a_data(), a_state(units, side=Side.NATO), Side.NATO)
    assert plan_moves(trial, list(trial.board.of(Side.NATO)), bold=False) == []
