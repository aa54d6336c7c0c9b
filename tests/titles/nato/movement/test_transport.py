"""13 to 19, 27 Rail, ferries, lifts, helicopters and assaults, with the worked examples."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board, a_data, a_table, board_on, played, unit

from pbem.engine.rules.refusals import Objection
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.movement.phase import make_moves
from pbem.titles.nato.movement.rail import capacity, flip_trains
from pbem.titles.nato.movement.segments import order_objections
from pbem.titles.nato.player.orders import Advance, Commit, Move
from pbem.titles.nato.sequence import movement

ALL = a_data("rail", "ferry", "lift", "helicopters")


def ready() -> dict[str, Any]:
    """Return a pool with all Lift Commands in the Ready box."""
    return {"lift_ready": {side: {"air": 3, "helicopter": 2, "sea": 3} for side in Side}}


def against(board: Board, id: str, end: str, mode: str) -> list[Objection]:
    return list(order_objections(board, unit(board, id), Move(id, (end,) if end else (), mode)))


@pytest.mark.rule("13.1", "13.2", "13.5")
def test_13_a_unit_entrains_for_a_turn_and_then_goes_twenty_hexes() -> None:
    table = a_table({"3204": "21", "3116": "16GT", "3117": "7/1A"}, data=ALL, conquered={"3117": Side.NATO})
    board = board_on(table)
    make_moves(table, board, [Move("21", (), "entrain")])
    assert_rule(table.findings, "13.1", inputs={"unit": "21"})
    assert unit(board, "21").piece.train == "entraining" and board.zone(unit(board, "21")) == ()

    assert_rule(against(board, "16GT", "", "entrain"), "13.1")
    unit(board, "21").piece.moved = False
    make_moves(table, board, [Move("21", ("3609",), "rail")])
    assert_rule(table.findings, "13.2", inputs={"unit": "21"}, result="3609")
    assert_rule(against(board, "21", "3117", "rail"), "13.2")
    make_moves(table, board, [Move("21", (), "detrain")])
    assert_rule(table.findings, "13.5", inputs={"unit": "21"})
    assert_rule(against(board, "21", "", "detrain"), "13.5")


def test_13_3_the_railways_carry_eight_and_ten_steps() -> None:
    board = a_board({"3204": "21 94G", "3205": "207 35", "3206": "16GT"}, ALL)
    for id in ("21", "94G", "207", "35", "16GT"):
        unit(board, id).piece.train = "entraining"

    assert capacity(board, Side.WP) == 8 and capacity(board, Side.NATO) == 10
    assert len(flip_trains(board, Side.WP)) == 4


@pytest.mark.rule("3.8", effect=True)
@pytest.mark.rule("17.1.2", "16.2.3", "16.1.3", "16.2.1", "16.2.4")
def test_17_1_the_landing_and_the_drop_near_copenhagen() -> None:
    """L2077, L2083: the 336th rolls a 3 and the 97th rolls a 5 less 1, and neither exceeds the value of
    4; the other regiments arrive."""
    units = {"srb": "P7 BC 336G 97 108 119", "1310": "2/Zee", "2111": "138T"}
    dice = [3, 3, 4, 4, 1, 2, 2, 3, 4, 4, 4, 4]
    table = a_table(units, dice=dice, data=ALL, turn=1, **ready())
    board = board_on(table)
    assert_rule(against(board, "138T", "1209", "land"), "16.2.1")
    assert_rule(against(board, "BC", "1209", "land"), "16.2.4")
    moves = [
        Move("P7", ("1209",), "land"),
        Move("BC", ("1209",), "land"),
        Move("336G", ("1209",), "land"),
        Move("97", ("1410",), "drop"),
        Move("108", ("1410",), "drop"),
        Move("119", ("1410",), "drop"),
    ]
    make_moves(table, board, moves)

    assert_rule(table.findings, "16.2.3", inputs={"unit": "P7"}, result="1209")
    assert_rule(table.findings, "17.1.2", inputs={"unit": "336G", "value": 4}, dice=(1, 2), result="intercepted")
    assert_rule(
        table.findings, "17.1.2", inputs={"unit": "97", "zone": 1, "value": 4}, dice=(2, 3), result="intercepted"
    )
    assert_rule(table.findings, "16.1.3", inputs={"unit": "108"}, result="1410")
    assert "336G" not in board.units and "97" not in board.units and unit(board, "BC").at == "1209"
    assert table.state.lift_ready[Side.WP] == {"air": 0, "helicopter": 2, "sea": 0}
    assert table.state.lift_used[Side.WP] == {"sea": 2, "air": 2}


@pytest.mark.rule("16.1.3", "16.1.1", "15.1", "30.1.1")
def test_16_1_what_keeps_a_unit_from_flying() -> None:
    board = a_board({"srb": "97 37", "3006": "16GT", "3116": "38G"}, ALL, **ready())

    assert_rule(against(board, "97", "3120", "drop"), "30.1.1")
    assert_rule(against(board, "97", "3218", "drop"), "16.1.3")
    assert_rule(against(board, "16GT", "3116", "lift"), "16.1.1")
    empty = a_board({"srb": "97"}, ALL)
    assert_rule(against(empty, "97", "2919", "drop"), "15.1")


@pytest.mark.rule("14.1.1", effect=True)
@pytest.mark.rule("14.1", "14.2", "14.2.3", "14.0")
def test_14_ferries_go_from_city_to_city_and_from_port_to_port() -> None:
    board = a_board({"srb": "5Para 49/2 UK-1", "3122": "27LL"}, ALL)

    assert against(board, "5Para", "3833", "ferry") == []
    assert_rule(against(board, "27LL", "3121", "ferry"), "14.1")
    assert against(board, "49/2", "3232", "ferry") == []
    assert_rule(against(board, "49/2", "3126", "ferry"), "14.2")
    board.port_use["2526"] = 1
    assert_rule(against(board, "UK-1", "2526", "ferry"), "14.2.3")
    assert_rule(against(a_board({"srb": "5Para"}), "5Para", "3833", "ferry"), "14.0")


@pytest.mark.rule("18.1.3", "19.1")
def test_19_1_the_insertion_example() -> None:
    """L2204: no die is rolled over 2818; a 2 is rolled over 2919, and a 1 and a 2 are rolled over 2920,
    so the brigade lands."""
    data = a_data("helicopters", year=1988)
    units = {"2817": "83 NEGF", "2818": "16GT", "2819": "3/1PZ", "2820": "2/1PZ"}
    table = a_table(units, dice=[2, 1, 2], data=data, conquered={"3117": Side.WP, "3115": Side.WP}, **ready())
    board = board_on(table)
    make_moves(table, board, [Move("83", ("2818", "2919", "2920"), "fly")])

    assert_rule(table.findings, "18.1.3", inputs={"unit": "83"}, result="2920")
    assert_rule(table.findings, "19.1", inputs={"hex": "2920"}, dice=(1, 2), result="hit")
    assert table.state.lift_used == {Side.WP: {"helicopter": 1}} and unit(board, "83").at == "2920"


@pytest.mark.rule("18.1.2", "19.1.3.2", effect=True)
@pytest.mark.rule("18.1.4")
def test_19_1_the_extraction_example() -> None:
    """L2210: the last airborne unit is flown from 1410 to Rostock, and a 2 misses it."""
    table = a_table({"1410": "97", "1310": "2/Zee"}, dice=[2], data=ALL, **ready())
    board = board_on(table)
    make_moves(table, board, [Move("97", ("2111",), "extract")])

    assert_rule(table.findings, "18.1.4", inputs={"unit": "97"}, result="2111")
    assert table.state.lift_used[Side.WP] == {"helicopter": 1}


@pytest.mark.rule("18.1.5", "18.2", "18.1.6")
def test_18_1_what_keeps_a_unit_from_being_flown() -> None:
    board = a_board({"3110": "38G 16GT"}, ALL, **ready())

    assert_rule(against(board, "38G", "3825", "fly"), "18.1.6")
    assert_rule(against(board, "38G", "3824", "fly"), "18.1.5")
    assert_rule(against(board, "16GT", "3111", "fly"), "18.2")


@pytest.mark.rule("27.1", "26.2.8", "27.3.5")
def test_27_an_assault_is_launched_and_fails_while_a_defender_is_left() -> None:
    """Two regiments drop on a brigade; the battle does not clear the hex, so both regiments are eliminated."""
    units = {"srb": "108 119", "2521": "3/1PZ 2/1PZ 7/3PZ", "2520": "94G", "2621": "NEGF"}
    table = a_table(units, dice=[6, 6, 6, 6, 1], data=ALL, conquered={"2621": Side.WP}, **ready())
    board = board_on(table)
    make_moves(table, board, [Move("108", ("2521",), "drop"), Move("119", ("2521",), "drop")])
    assert_rule(table.findings, "27.1", inputs={"unit": "108"}, result="2521")
    assert table.state.battles == ["2521"] and board.zone(unit(board, "108")) == ()

    played(table, battle_cycle(table, Commit("2521", ("108", "119", "94G"))))
    assert_rule(table.findings, "27.3.5", inputs={"objective": "2521"})
    assert "119" not in board.units and table.state.assaults == []
    mixed = a_board({"2521": "16GT UK-1", "3122": "27LL"}, ALL, **ready())
    mixed.assault(frozenset({"UK-1"}))
    assert_rule(against(mixed, "27LL", "2521", "fly"), "26.2.8")


def test_27_3_7_assaulting_units_hold_the_hex_that_they_clear() -> None:
    """L3329: a 1 at 6:1 is A1/D1R1; the 119th is lost and the 94th consolidates, so that three steps are left."""
    units = {"2520": "94G 21", "2620": "16GT!", "2521": "108 119 3/1PZ", "2621": "NEGF"}
    held = {"conquered": {"2621": Side.WP}, "battles": ["2521"], "assaults": ["108", "119"]}
    table = a_table(units, dice=[1], data=ALL, **held)
    attackers = ("108", "119", "16GT", "21", "94G")
    played(
        table,
        battle_cycle(table, Commit("2521", attackers)),
        loss="119",
        advance=Advance({"94G": ("2521",)}),
    )
    board = board_on(table)

    assert sorted(one.id for one in board.at("2521")) == ["108", "94G"]
    assert sum(one.steps for one in board.at("2521")) == 3 and board.zone(unit(board, "108"))


@pytest.mark.rule("10.6.2", effect=True)
def test_7_2_the_segments_follow_each_other_whatever_the_order_of_the_lines() -> None:
    table = a_table({"3204": "21", "3205": "94G"}, data=ALL)
    moves = {"moves": [{"unit": "94G", "path": ["3206"]}, {"unit": "21", "mode": "entrain"}]}
    played(table, movement(table, Side.WP), move=moves)

    assert [found.rule for found in table.findings if not found.rule.startswith("7.2")] == ["13.1", "12.2"]
