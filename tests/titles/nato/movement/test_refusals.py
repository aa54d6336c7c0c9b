"""10, 12 to 18, 27, 28 Refused moves, each with the rule that forbids it."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board, a_data, a_state, a_table, board_on, on, played, unit

from pbem.engine.rules.refusals import Objection, Refusal
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.scenario import Arrival
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.movement.moves import reserve_objections, walk
from pbem.titles.nato.movement.orders import MovePhase
from pbem.titles.nato.movement.phase import make_moves
from pbem.titles.nato.movement.rehearsal import Rehearsal
from pbem.titles.nato.movement.segments import order_objections
from pbem.titles.nato.nuclear.atomic import nuclear_objections
from pbem.titles.nato.player.orders import Move, MoveOrders
from pbem.titles.nato.reinforcements.joint import JointAbout, JointChoice
from pbem.titles.nato.sequence import joint_turn, movement, turn_end
from pbem.titles.nato.supply.phases import recovery
from pbem.titles.nato.supply.resupply import resupply_objections
from pbem.titles.nato.title import NatoRules

ALL = a_data("rail", "ferry", "lift", "helicopters", "nuclear")


def ready() -> dict[str, Any]:
    return {"lift_ready": {side: {"air": 3, "helicopter": 2, "sea": 3} for side in Side}}


def against(board: Board, id: str, end: str, mode: str, *, reserve: bool = False) -> list[Objection]:
    move = Move(id, (end,) if end else (), mode)
    return list(order_objections(board, unit(board, id), move, reserve=reserve))


@pytest.mark.rule("12.0", "7.2", "12.2.2", "28.2", "12.6")
def test_12_0_who_may_move_at_all() -> None:
    board = a_board({"3110": "21 16GT E8", "3017": "7/1A", "3018": "94G"})
    unit(board, "21").piece.moved, unit(board, "16GT").piece.train = True, "entraining"

    assert_rule(walk(board, unit(board, "21"), ["3111"], "tactical").objections, "7.2")
    assert_rule(walk(board, unit(board, "16GT"), ["3111"], "tactical").objections, "12.0")
    assert_rule(walk(board, unit(board, "E8"), ["3111"], "tactical", reserve=True).objections, "28.2")
    assert_rule(walk(board, unit(board, "E8"), ["3111"], "march", reserve=True).objections, "12.2.2")
    assert_rule(reserve_objections(board, unit(board, "94G"), "3018", "tactical", 0), "12.6")
    trial = Rehearsal(a_data(), a_state({"3110": "21"}), Side.WP)
    assert_rule(trial.make(0, Move("7/1A", ("3111",)))[1], "12.0")


@pytest.mark.rule("13.0", "13.7", "13.6")
def test_13_trains_from_the_reserve_box_and_where_there_are_none() -> None:
    board = a_board({"srb": "P6", "3204": "21"}, ALL)
    unit(board, "P6").piece.train = "entrained"

    assert_rule(against(board, "P6", "3204", "rail"), "13.7")
    assert against(board, "P6", "sector4", "rail") == []
    assert_rule(against(a_board({"3204": "21"}), "21", "", "entrain"), "13.0")
    data = on(a_data("rail"), arrivals=(Arrival(2, "POF", "RR"),))
    with pytest.raises(Refusal) as refused:
        ask = JointChoice.make_ask("wp", about=JointAbout(arriving=("POF",)))
        NatoRules(data).check(a_state({}), ask, {"boxes": {"POF": "sector1"}})
    assert_rule(refused.value, "13.6")
    table = a_table({}, dice=[3], data=data, awaited=["POF"])
    played(table, joint_turn(table))
    assert table.state.pieces["POF"].train == "entrained"


@pytest.mark.rule("14.1.1", "14.1.2", "14.2.1", "14.2.2", "10.5.3")
def test_14_what_keeps_a_unit_off_a_ferry() -> None:
    board = a_board({"3122": "27LL!", "3833": "5Para", "3632": "49/2"}, ALL)

    assert_rule(against(board, "27LL", "3833", "ferry"), "14.1.1")
    unit(board, "5Para").piece.ms_out = True
    assert_rule(against(board, "5Para", "3122", "ferry"), "10.5.3")
    fresh = a_board({"3833": "5Para", "3632": "49/2", "2321": "P7", "2621": "NEGF"}, ALL, conquered={"2621": Side.WP})
    assert_rule(against(fresh, "49/2", "2420", "ferry"), "14.2.1")
    assert_rule(against(fresh, "49/2", "2111", "ferry"), "14.2.2")
    table = a_table({"3833": "5Para"}, dice=[6, 6], data=ALL, side=Side.NATO)
    make_moves(table, board_on(table), [Move("5Para", ("3122",), "ferry")])
    assert_rule(table.findings, "14.1.2", inputs={"unit": "5Para"}, result="3122")


@pytest.mark.rule("16.1.1", effect=True)
@pytest.mark.rule("15.0", "16.1", "16.1.2", "16.2", "16.2.1.1", "16.2.2", "16.2.5")
def test_16_what_keeps_a_unit_from_being_lifted() -> None:
    assert_rule(against(a_board({"3006": "97"}), "97", "3116", "lift"), "15.0")
    board = a_board({"3010": "97", "3006": "37", "2111": "P7", "2504": "336G"}, ALL, **ready())
    assert_rule(against(board, "97", "3011", "lift"), "16.1")
    assert_rule(against(board, "37", "4233", "lift"), "16.1.2")
    assert_rule(against(board, "P7", "2412", "lift"), "16.2")
    assert_rule(against(board, "P7", "1209", "lift"), "16.2.2")
    assert_rule(against(board, "P7", "2321", "land"), "16.2.5")
    watched = a_board({"2504": "336G", "2404": "7/1A"}, ALL, **ready())
    assert_rule(against(watched, "336G", "2010", "land"), "16.2.1.1")
    table = a_table({"3006": "97"}, dice=[6, 6], data=ALL, **ready())
    make_moves(table, board_on(table), [Move("97", ("3010",), "lift")])
    assert_rule(table.findings, "16.1.2", inputs={"unit": "97"}, result="3010")


@pytest.mark.rule("18.0", "18.1.7", "18.2.1", "18.3", "27.2")
def test_18_what_keeps_helicopters_on_the_ground() -> None:
    board = a_board({"3110": "38G", "3218": "7/1A", "3006": "37!"}, ALL, **ready())

    assert_rule(against(a_board({"3110": "38G"}), "38G", "3111", "fly"), "18.0")
    assert_rule(against(board, "37", "3007", "fly"), "18.2.1")
    assert_rule(against(board, "38G", "3111", "fly", reserve=True), "18.3")
    assert_rule(against(board, "38G", "3219", "extract"), "18.1.7")
    assault = a_board({"2521": "108 3/1PZ"}, ALL, assaults=["108"])
    assert_rule(nuclear_objections(assault, Side.WP, "2521", ()), "27.2")


@pytest.mark.rule("19.1.3.1", "19.1.3.2")
def test_19_1_3_who_is_lost_with_the_helicopters() -> None:
    units = {"2817": "38G NEGF", "2818": "16GT", "2819": "3/1PZ", "2820": "2/1PZ"}
    held = {"conquered": {"3117": Side.WP, "3115": Side.WP}}
    table = a_table(units, dice=[1, 6], data=ALL, **held, **ready())
    make_moves(table, board_on(table), [Move("38G", ("2818", "2919", "2920"), "fly")])
    assert_rule(table.findings, "19.1.3.1", inputs={"unit": "38G"}, result="lost")

    fetched = a_table({"1410": "97", "1310": "2/Zee"}, dice=[1, 6], data=ALL, **ready())
    make_moves(fetched, board_on(fetched), [Move("97", ("2111",), "extract")])
    assert_rule(fetched.findings, "19.1.3.2", inputs={"unit": "97"})
    assert "97" in board_on(fetched).units and fetched.state.lift_ready[Side.WP]["helicopter"] == 1


@pytest.mark.rule("7.2", effect=True)
@pytest.mark.rule("10.7", "10.7.2", "10.5.2", "10.1.4", "33.2.1.2")
def test_10_markers_are_removed_and_ports_and_sites_change_hands() -> None:
    assert_rule(resupply_objections(a_board({}), Side.WP, "2919"), "10.7")
    table = a_table({"3020": "21", "3208": "16GT"}, resupply="3020")
    board = board_on(table)
    unit(board, "21").piece.cs_out = unit(board, "16GT").piece.ms_out = True
    recovery(table, board, Side.WP)
    assert_rule(table.findings, "10.7.2", inputs={"units": ["21"]})
    assert_rule(table.findings, "10.5.2", result=["16GT"])

    raid = a_table({"2625": "16GT", "2527": "21", "2824": "94G"})
    moves = MoveOrders((Move("21", ("2526",)), Move("94G", ("2924",))))
    played(raid, movement(raid, Side.WP), move=moves)
    assert_rule(raid.findings, "10.1.4", inputs={"hex": "2526"}, result=Side.WP)
    assert_rule(raid.findings, "33.2.1.2", inputs={"hex": "2924"}, result="destroyed")


@pytest.mark.rule("34.1.2.2", "34.3.3")
def test_34_the_relief_of_berlin_and_points_for_chemical_warfare() -> None:
    relief = a_table({"3007": "US-Berlin", "3010": "BR-I"})
    played(relief, turn_end(relief))
    assert_rule(relief.findings, "34.1.2.2", result=Side.NATO)
    gas = a_table({}, dice=[3], first_use=1, points={Side.NATO: 0})
    played(gas, joint_turn(gas))
    assert_rule(gas.findings, "34.3.3", result=1)


def test_7_2_an_order_that_has_become_impossible_is_passed_over() -> None:
    table = a_table({"3110": "21", "3116": "7/1A"})
    make_moves(table, board_on(table), [Move("21", ("3111", "3116"), "tactical")])

    assert table.findings[1].rule == "7.2" and table.state.pieces["21"].at == "3110"
    assert MovePhase.kind == "move"
