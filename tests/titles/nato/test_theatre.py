"""10.8, 12.8, 32 to 35 The theatre: supply points, surrender, Reforger, activation, turn 0."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, a_state, a_table, board_on, on, played, unit

from pbem.engine.rules.refusals import Objection, Refusal
from pbem.titles.nato.air.points import spend_tactical
from pbem.titles.nato.air.strike_decisions import points_objections
from pbem.titles.nato.board import board_of
from pbem.titles.nato.cards.scenario import Arrival, SupplyPlan
from pbem.titles.nato.cards.scenario_files import packaged_scenario
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.command import commander
from pbem.titles.nato.combat.orders import Fight
from pbem.titles.nato.data_set import NatoData, Options
from pbem.titles.nato.movement.entering import enter_site
from pbem.titles.nato.movement.moves import walk
from pbem.titles.nato.movement.orders import MovePhase
from pbem.titles.nato.movement.positions import gdp_objections
from pbem.titles.nato.movement.rehearsal import untangle
from pbem.titles.nato.player.orders import AirStrike, Move, MoveOrders
from pbem.titles.nato.reinforcements.activation import activate_due, activate_invaded, activate_nation
from pbem.titles.nato.reinforcements.reforger import call_up, overrun_sites
from pbem.titles.nato.sequence import gdp, joint_turn, movement, turn_end, turn_zero
from pbem.titles.nato.supply.points import income, pay, sea_supply
from pbem.titles.nato.surrender import apply_surrender, judge_recovery, judge_surrender
from pbem.titles.nato.title import NatoRules

DANISH = ("0616", "1015", "1310", "1415", "1420")


@pytest.mark.rule("32.1", "32.2.1", "32.3")
def test_32_denmark_surrenders_and_is_restored() -> None:
    """L3672: four small cities, or two and Copenhagen, are worth the four points that make Denmark surrender."""
    data = a_data("surrender")
    taken = dict.fromkeys(("0616", "1015", "1415", "1420"), Side.WP)
    table = a_table({"1310": "2/Zee LZ", "1411": "7/1A"}, data=data, conquered=dict(taken), awaited=["JBG"])
    board = board_on(table)
    judge_surrender(table, board)
    assert_rule(table.findings, "32.1", inputs={"points": 4, "needed": 4})
    apply_surrender(table, board)

    assert_rule(table.findings, "32.2.1", inputs={"country": "DK"}, result=["2/Zee", "LZ"])
    assert table.state.surrendered == ["DK"] and board.controller("1310") is Side.WP
    assert table.state.awaited == [] and "7/1A" in board.units
    board.conquer("1310", Side.NATO)
    assert not board.free_city("1310", Side.NATO)
    for hex in DANISH:
        board.conquer(hex, Side.NATO)
    judge_recovery(table, board)
    assert_rule(table.findings, "32.3", result="restored")
    assert board.free_city("1310", Side.NATO)


@pytest.mark.rule("33.3.1", "33.3.2")
def test_33_3_reforger_sites_are_activated_or_overrun() -> None:
    data = on(a_data("reforger"), reforger_steps={2: 2})
    table = a_table({"3527": "16GT"}, data=data, sites={"3ACR": "3626", "1/2A": "3728", "2/2A": "3527"})
    board = board_on(table)
    overrun_sites(table, board)
    assert_rule(table.findings, "33.3.2", inputs={"unit": "2/2A"})
    call_up(table, board, ("3ACR",))

    assert_rule(table.findings, "33.3.1", inputs={"unit": "3ACR"}, result="3626")
    assert table.state.sites == {"1/2A": "3728"} and unit(board, "3ACR").steps == 2


@pytest.mark.rule("35.2", "35.2.1")
def test_35_2_activation_by_schedule_by_attack_and_by_invasion() -> None:
    """L3962: an attack in West Berlin does not activate France, but Warsaw Pact troops in France do."""
    data = on(a_data("activation"), activation={"FR": 3})
    table = a_table({"4833": "10DB", "3007": "FR-Berlin"}, data=data)
    board = board_on(table)
    unit(board, "10DB").piece.active = False
    activate_nation(table, board, "3007", Side.WP)
    activate_due(table, board)
    assert not unit(board, "10DB").piece.active
    board.state.pieces["10DB"].active = False
    activate_nation(table, board, "5028", Side.WP)
    assert_rule(table.findings, "35.2.1", result=["10DB"])

    later = a_table({"4833": "10DB", "5028": "97"}, data=data, turn=3)
    enter_site(later, board_on(later), unit(board_on(later), "97"), "5028")
    unit(board_on(later), "10DB").piece.active = False
    activate_invaded(later, board_on(later), Side.NATO)
    assert unit(board_on(later), "10DB").piece.active
    unit(board_on(later), "10DB").piece.active = False
    activate_due(later, board_on(later))
    assert_rule(later.findings, "35.2", result=["10DB"])


@pytest.mark.rule("35.3.3", "35.3.6", "35.3.4", "35.3.2", "35.3.1")
def test_35_3_an_army_moves_to_its_positions_with_one_die() -> None:
    units = {"3223": "4/3A BR-I", "3216": "1/1PZ", "3323": "19/7PZ"}
    table = a_table(units, dice=[4], data=a_data("gdp", "border", "activation"), turn=0, side=Side.NATO)
    for piece in table.state.pieces.values():
        piece.active = False
    played(table, gdp(table, 0), gdp=MoveOrders((Move("19/7PZ", ("3322", "3321")),)))

    assert_rule(table.findings, "35.3.1")
    assert_rule(table.findings, "35.3.3", inputs={"army": "WG"}, dice=(4,))
    assert table.state.pieces["19/7PZ"].at == "3321" and table.state.gdp_army == ""
    board = a_board(units, a_data("gdp"), turn=0, gdp_army="WG", gdp_limit=2)

    def against(id: str, *path: str, mode: str = "tactical") -> list[Objection]:
        return list(gdp_objections(board, unit(board, id), path, mode))

    assert_rule(against("19/7PZ", "3324"), "35.3.6")
    assert_rule(against("4/3A", "3222"), "35.3.4")
    assert_rule(against("19/7PZ", "3322", mode="march"), "35.3.2")
    assert walk(board, unit(board, "19/7PZ"), ["3322", "3321", "3320"], "tactical").objections


@pytest.mark.rule("35.3.7")
def test_35_3_7_three_sixes_give_no_points() -> None:
    """L4009: three sixes give NATO no victory points."""
    from pbem.titles.nato.movement.deployment import gdp_points

    table = a_table({}, gdp_dice={"WG": 6, "US": 6, "UK": 6})
    gdp_points(table)
    assert_rule(table.findings, "35.3.7", dice=(6, 6, 6), result=0)


@pytest.mark.rule("35.3")
def test_35_3_before_the_war_nobody_leaves_his_territory() -> None:
    table = a_table({"3113": "16GT"}, data=a_data("border", "gdp"), turn=0)
    board = board_on(table)

    assert_rule(walk(board, unit(board, "16GT"), ["3114"], "tactical").objections, "35.3")
    played(table, turn_zero(table), move=MoveOrders((Move("16GT", ("3112",)),)))
    assert table.state.next is not None and table.state.next.name == "gdp"


def test_35_6_border_troops_cost_a_point_on_the_first_turn() -> None:
    data = a_data("border")
    first, later = a_board({"3113": "16GT"}, data, turn=1), a_board({"3113": "16GT"}, data, turn=2)

    assert walk(first, unit(first, "16GT"), ["3114"], "tactical").spent == 2
    assert walk(later, unit(later, "16GT"), ["3114"], "tactical").spent == 1


@pytest.mark.rule("4.3.3", effect=True)
@pytest.mark.rule("10.8.1", "10.8.2")
def test_10_8_supply_points_are_received_and_spent() -> None:
    """L2484: one point is lost to deep interdiction; from turn 8 a front without a point is unsupplied."""
    data = on(a_data("supply_points"), supply=SupplyPlan(automatic_until=7, income=2))
    table = a_table({"3107": "NEGF", "3605": "SEGF", "3110": "16GT", "3108": "21"}, data=data, turn=8, deep=1)
    board = board_on(table)
    income(table, board)
    assert_rule(table.findings, "10.8.1", inputs={"base": 2}, result=1)
    played(table, pay(table, board))

    assert_rule(table.findings, "10.8.2", result=["NEGF"])
    assert not unit(board, "SEGF").piece.supplied and unit(board, "SEGF").piece.unpaid
    assert unit(board, "NEGF").piece.supplied and table.state.supply_points == 0


@pytest.mark.rule("29.6.2", effect=True)
@pytest.mark.rule("10.9.2")
def test_10_9_2_the_baltic_corps_is_supplied_by_sea() -> None:
    """L1649: the value is 5 in a zone of control; dice of 3 and 5, less 1, make 7, which exceeds 5."""
    table = a_table({"1209": "BC P7", "1310": "2/Zee"}, dice=[3, 5], turn=3)
    board = board_on(table)
    unit(board, "BC").piece.supplied = False
    sea_supply(table, board)

    assert_rule(table.findings, "10.9.2", inputs={"value": 5, "zone": 1}, dice=(3, 5), result="supplied")


@pytest.mark.rule("12.8", effect=True)
def test_12_8_one_unit_crosses_the_danish_ferry_in_each_direction() -> None:
    """L1817: one unit may cross the Danish ferry in each direction."""
    table = a_table({"1513": "1/Zee 2/Zee", "1514": "1/Jut"}, side=Side.NATO)
    board = board_of(table.data, table.state)
    assert walk(board, unit(board, "1/Zee"), ["1514"], "minimum").objections == []
    moves = MoveOrders((Move("1/Zee", ("1514",), "minimum"), Move("1/Jut", ("1513",), "minimum")))
    played(table, movement(table, Side.NATO), move=moves)

    assert (table.state.pieces["1/Zee"].at, table.state.pieces["1/Jut"].at) == ("1514", "1513")
    board = board_of(table.data, table.state)
    unit(board, "2/Zee").piece.moved = False
    assert walk(board, unit(board, "2/Zee"), ["1514"], "minimum").objections


def test_13_6_rail_reinforcements_wait_entrained_in_a_box() -> None:
    data = on(a_data("rail"), arrivals=(Arrival(2, "POF", "RR"),))
    table = a_table({}, dice=[3], data=data, awaited=["POF"])
    played(table, joint_turn(table), joint={"boxes": {"POF": "sector5"}})

    assert (table.state.pieces["POF"].at, table.state.pieces["POF"].train) == ("sector5", "entrained")


@pytest.mark.rule("34.1.2.3")
def test_32_1_3_a_nato_division_in_prague_ends_the_war() -> None:
    table = a_table({"4203": "1DB", "4204": "FR-I"}, conquered={"4203": Side.NATO})
    played(table, turn_end(table))

    assert_rule(table.findings, "34.1.2.3", result=Side.NATO)


@pytest.mark.rule("23.1.7")
def test_36_a_scenario_may_fix_withdraw_and_lend_an_air_point() -> None:
    """Baltic Approaches: the front headquarters cannot move and leaves on turn 4; one extra air point
    arrives, on one turn only."""
    data = on(a_data(), fixed=("NEGF",), withdrawals={"NEGF": 4})
    table = a_table({"2409": "NEGF"}, dice=[3], data=data, turn=4, air_bonus={Side.WP: 1}, tactical={Side.WP: 1})
    board = board_on(table)
    assert any(found.rule == "36" for found in walk(board, unit(board, "NEGF"), ["2408"], "tactical").objections)
    strikes = [AirStrike("2416")] * 3
    assert not list(points_objections(table.state, Side.WP, strikes[:2]))
    assert_rule(points_objections(table.state, Side.WP, strikes), "23.1.7")
    spend_tactical(table.state, Side.WP, 2)
    assert (table.state.tactical, table.state.air_bonus) == ({Side.WP: 0}, {Side.WP: 0})
    played(table, joint_turn(table))
    assert "NEGF" not in board_on(table).units


@pytest.mark.rule("35.8")
def test_35_8_every_seat_orders_its_own_formations() -> None:
    data = NatoData(a_data().atlas, a_data().units, a_data().charts, packaged_scenario("leine"), Options("commands"))
    state = a_state({"3116": "16GT 21", "3114": "NEGF", "3316": "E8", "3218": "22/1A"}, tactical={Side.WP: 2})
    rules = NatoRules(data)
    front, army = data.seat_of(Side.WP), next(seat for seat in data.seats_of(Side.WP) if seat != "front")

    assert (front, army) == ("front", "army") and data.seats_of(Side.WP) == ("army", "front")
    with pytest.raises(Refusal) as refused:
        rules.check(state, MovePhase.make_ask(army), {"moves": [{"unit": "NEGF", "path": ["3214"]}]})
    assert_rule(refused.value, "35.8")
    with pytest.raises(Refusal) as refused:
        rules.check(state, Fight.make_ask(army), {"air": [{"hex": "3218"}]})
    assert_rule(refused.value, "23.1.7")
    assert commander(board_of(data, state), a_battle(board_of(data, state), "3117", "16GT"), Side.WP) == "army"


def test_35_8_where_two_seats_fill_a_hex_the_last_one_stays_away() -> None:
    state = a_state({"3110": "16GT", "3111": "21", "3112": "94G"})
    moves = [Move("16GT", ("3210",)), Move("21", ("3210",)), Move("94G", ("3211", "3210"))]

    assert [move.unit for move in untangle(a_data(), state, Side.WP, moves)] == ["16GT", "21"]
