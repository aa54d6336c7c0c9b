"""13, 14, 16, 18, 28 Limits of trains, ships, aircraft and helicopters that are easy to overlook."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board, a_data, a_state, a_table, board_on, on, unit

from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.scenario import Arrival
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.movement.airmobile import extraction_objections, insertion_objections, pick_up
from pbem.titles.nato.movement.costs import area_objections, entry_objections, stop_objections
from pbem.titles.nato.movement.lift import (
    landing_objections,
    sea_ferry_objections,
    sea_lift_objections,
    section,
    use_port,
    withdrawal_objections,
)
from pbem.titles.nato.movement.moves import walk
from pbem.titles.nato.movement.phase import enforce_stacking, make_moves
from pbem.titles.nato.movement.positions import gdp_objections
from pbem.titles.nato.movement.rail import flip_trains, rail_objections
from pbem.titles.nato.movement.rehearsal import Rehearsal
from pbem.titles.nato.movement.segments import land
from pbem.titles.nato.player.orders import Move
from pbem.titles.nato.reinforcements.arrivals import convoy_losses, hq_places

EVERYTHING = ("rail", "ferry", "lift", "helicopters")


def lifted(board: Board, **ready: int) -> Board:
    board.state.lift_ready = {side: dict(ready) for side in Side}
    return board


@pytest.mark.rule("13.1")
def test_13_3_trains_ordered_to_move_are_made_up_first() -> None:
    """For eight steps without an order, markers are flipped in order of name; an ordered unit comes first."""
    board = a_board({"3303": "16GT 21", "3403": "94G 35", "3503": "207"}, a_data("rail"))
    for one in board.of(Side.WP):
        one.piece.train = "entraining"
    assert "94G" in flip_trains(board, Side.WP, ["94G"])
    again = a_board({"3303": "16GT 21", "3403": "94G 35", "3503": "207"}, a_data("rail"))
    for one in again.of(Side.WP):
        one.piece.train = "entraining"
    assert "94G" not in flip_trains(again, Side.WP)
    table = a_table({"3303": "16GT"}, data=a_data("rail"))
    unit(board_on(table), "16GT").piece.train = "entraining"
    make_moves(table, board_on(table), [])
    assert_rule(table.findings, "13.1", inputs={"units": ["16GT"]}, result="entrained")


@pytest.mark.rule("29.5.1", "29.7", "12.7")
def test_29_5_1_area_limits_hold_by_rail_and_by_sea_too() -> None:
    board = a_board({"2412": "NEGF", "2111": "BAF", "2117": "LJ", "2723": "WG-62"}, a_data(*EVERYTHING))
    places = board.atlas.places

    assert_rule(entry_objections(board, unit(board, "NEGF"), "2315", "tactical"), "29.5.1")
    board.state.surrendered = ["DK"]
    assert_rule(area_objections(board, unit(board, "NEGF"), places["2315"]), "29.5.1")
    assert not list(area_objections(board, unit(board, "BAF"), places["3118"]))
    board.state.surrendered = []
    assert_rule(area_objections(board, unit(board, "BAF"), places["3118"]), "29.5.1")
    assert_rule(area_objections(board, unit(board, "LJ"), places["2616"]), "29.7")
    assert_rule(area_objections(board, unit(board, "LJ"), places["3212"]), "29.7")
    assert not list(area_objections(board, unit(board, "LJ"), places["2412"]))
    unit(board, "WG-62").piece.train = "entrained"
    assert_rule(rail_objections(board, unit(board, "WG-62"), "2826"), "12.7")


def test_14_2_3_port_use_counts_sea_steps_in_one_segment_only() -> None:
    table = a_table({"3232": "5Para"}, data=a_data(*EVERYTHING), side=Side.NATO)
    board = board_on(table)
    use_port(board, unit(board, "5Para"), "3030", "ferry")
    assert board.port_use == {}  # by air it uses no port
    board.port_use["3232"] = 99
    make_moves(table, board, [])
    assert board.port_use == {}


@pytest.mark.rule("16.2.3")
def test_16_2_3_a_withdrawal_starts_on_the_coast() -> None:
    board = lifted(a_board({"3212": "336G"}, a_data(*EVERYTHING)), sea=2)

    assert_rule(withdrawal_objections(board, unit(board, "336G"), "2111"), "16.2.3", why="3212 is not a coastal hex")


@pytest.mark.rule("16.2.1")
def test_16_2_1_a_sea_lift_starts_where_the_unit_can_trace() -> None:
    board = lifted(a_board({"1611": "336G"}, a_data(*EVERYTHING)), sea=2)

    assert_rule(
        sea_lift_objections(board, unit(board, "336G"), "2111"),
        "16.2.1",
        why="the unit cannot trace movement supply from 1611",
    )


@pytest.mark.rule("16.2.4")
def test_16_2_4_the_baltic_corps_is_supplied_in_the_turn_in_which_it_lands() -> None:
    table = a_table({"srb": "BC", "1209": "P7"}, data=a_data(*EVERYTHING))
    board = lifted(board_on(table), sea=2)
    hq = unit(board, "BC")
    hq.piece.supplied = False

    assert not list(landing_objections(board, hq, "1209"))
    land(table, board, hq, Move("BC", ("1209",), "land"), "srb")
    assert_rule(table.findings, "16.2.4", inputs={"unit": "BC"}, result="supplied")
    assert hq.piece.supplied
    hq.piece.supplied, hq.piece.moved = False, False
    board.place(hq, "2111")
    assert_rule(sea_ferry_objections(board, hq, "2504"), "10.5.3")


def test_17_1_1_a_drop_over_contested_airspace_all_the_way_is_intercepted_there() -> None:
    near = a_board({"srb": "97", "2519": "16GT", "2520": "21", "2616": "NEGF"}, a_data("lift"))
    near_hq = a_board({"srb": "97"}, a_data("lift"))

    assert section(near_hq, unit(near_hq, "97"), "3224", "drop") == "enemy"
    assert section(near, unit(near, "97"), "2521", "drop") == "contested"


@pytest.mark.rule("18.2.2", effect=True)
@pytest.mark.rule("18.1.4", "18.1.8")
def test_18_1_4_helicopters_start_for_an_extraction_from_a_base_of_their_own() -> None:
    """L2210: the helicopters fly from 2110 to 1410 and back to Rostock."""
    board = lifted(
        a_board({"1410": "97", "1310": "1/Zee", "2211": "138T", "srb": "108"}, a_data(*EVERYTHING)), helicopter=2
    )
    passenger = unit(board, "97")

    assert not list(extraction_objections(board, passenger, ("2110", "2111")))
    assert not list(extraction_objections(board, passenger, ("2111",)))
    way = pick_up(board, passenger, ("2110", "2111"))
    assert way is not None and way[-1] == "1410" and len(way) == 7
    assert_rule(extraction_objections(board, passenger, ("3212", "2111")), "18.1.4")
    assert_rule(insertion_objections(board, unit(board, "108"), "2111"), "18.1.8")


@pytest.mark.rule("28.2.1", "7.2")
def test_28_2_2_a_reserve_may_both_walk_and_fly_in_either_order() -> None:
    on_foot, by_air = Move("97", ("2618",), "tactical"), Move("97", ("2619",), "fly")
    for orders, end in (([on_foot, by_air], "2619"), ([by_air, Move("97", ("2620",), "tactical")], "2620")):
        table = a_table({"2617": "97", "2616": "NEGF"}, data=a_data(*EVERYTHING), conquered={"2621": Side.WP})
        board = lifted(board_on(table), helicopter=1)
        unit(board, "97").piece.reserve = True
        make_moves(table, board, orders, reserve=True)

        assert_rule(table.findings, "28.2.1", inputs={"unit": "97"})
        assert unit(board, "97").at == end
        make_moves(table, board, [by_air], reserve=True)
        assert_rule(table.findings, "7.2", inputs={"unit": "97"}, result="passed over")


@pytest.mark.rule("9.1.3")
def test_9_1_3_only_the_steps_in_excess_are_lost() -> None:
    table = a_table({"3303": "16GT 21 E8*"})
    enforce_stacking(table, board_on(table), Side.WP)
    assert_rule(table.findings, "9.1.3", inputs={"why": "overstacked"})
    assert sum(one.steps for one in board_on(table).of(Side.WP)) == 4


@pytest.mark.rule("35.3.2")
def test_35_3_2_no_reserves_before_the_war() -> None:
    board = a_board({"3218": "1/1PZ"}, a_data("gdp"), turn=0, gdp_army="WG", gdp_limit=3)

    assert_rule(gdp_objections(board, unit(board, "1/1PZ"), (), "tactical", reserve=True), "35.3.2")


@pytest.mark.rule("22.3.1", "12.3")
def test_22_3_1_a_unit_stops_in_a_chemical_hex_and_a_soft_one_in_a_zone() -> None:
    board = a_board({"3218": "27LL 1/1PZ", "3118": "16GT"}, side=Side.NATO, chemical={"3219": {Side.WP: True}})

    assert_rule(stop_objections(board, unit(board, "1/1PZ"), "3219"), "22.3.1")
    assert_rule(stop_objections(board, unit(board, "27LL"), "3119"), "12.3")
    assert not list(stop_objections(board, unit(board, "1/1PZ"), "3119"))
    assert_rule(walk(board, unit(board, "1/1PZ"), ["3219", "3220"], "tactical").objections, "22.3.1")


@pytest.mark.rule("33.2.6")
def test_33_2_6_convoys_from_the_united_states_are_intercepted() -> None:
    """Convoys from the United States use the ferry section and the Strategic Surprise column in every scenario."""
    data = on(a_data(), interception="nerves")
    value = data.charts.interception(Side.NATO, "friendly", "surprise", 2)
    table = a_table({}, dice=[1, 1] if value is not None else [], data=data)
    lost = convoy_losses(table, board_on(table), Arrival(2, "US-1/1", "S"))
    if value is None:
        assert lost == 0
        table = a_table({}, dice=[1, 1], data=data, turn=1)
        lost = convoy_losses(table, board_on(table), Arrival(1, "US-1/1", "S"))
    assert lost == 1
    assert_rule(table.findings, "33.2.6", inputs={"unit": "US-1/1"}, result="intercepted")
    british = a_table({}, data=data)
    assert convoy_losses(british, board_on(british), Arrival(2, "UK-1", "S")) == 0


def test_29_8_landjut_comes_back_in_the_baltap_zone() -> None:
    board = a_board({"3223": "WG-I"})

    assert all(hex in board.atlas.baltap for hex in hq_places(board, board.data.units["LJ"]))
    assert any(hex not in board.atlas.baltap for hex in hq_places(board, board.data.units["WG-I"]))


def test_12_a_rehearsal_knows_the_trains_that_are_to_move() -> None:
    trial = Rehearsal(a_data("rail"), a_state({"3303": "16GT"}), Side.WP)
    trial.by_rail = ["16GT"]
    assert trial.make(0, Move("16GT", ("3303",), "rail"))[1]
