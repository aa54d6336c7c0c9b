"""20 to 27, 30 to 35 The effects of one segment on the next, and of one marker on another."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_data, a_table, board_on, on, played, unit

from pbem.titles.nato.artillery.fire import fire_objections
from pbem.titles.nato.cards.scenario import Chemical as Limits
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.combat.eligibility import response_objections
from pbem.titles.nato.movement.entering import enter
from pbem.titles.nato.movement.phase import make_moves
from pbem.titles.nato.player.orders import AirStrike, Chemical, Commit, FightOrders, Move
from pbem.titles.nato.sequence import fighting

DANISH = ("0616", "1015", "1310", "1415", "1420")
TAKEN = {"3117": Side.WP, "3115": Side.WP}
"""Hannover and Braunschweig, so that the Warsaw Pact has airspace over the Leine."""


@pytest.mark.rule("23.2.6")
def test_22_2_3_gas_leaves_the_air_strike_on_the_same_hex_without_a_target() -> None:
    """20.1: chemical strikes come first; the air point on the emptied hex is spent without a choice of targets."""
    limits = {Side.WP: Limits(start=3, tactical=3), Side.NATO: Limits()}
    data = on(a_data("chemical"), chemical=limits)
    units = {"3118": "16GT", "3114": "NEGF", "3218": "22/1A*"}
    points = {"tactical": {Side.WP: 2}, "chemical_points": {Side.WP: 3}, "first_use": 1}
    table = a_table(units, [6], data, conquered=TAKEN, **points)
    orders = FightOrders(chemical=(Chemical("3218"),), air=(AirStrike("3218"),))
    played(table, fighting(table), fight=orders, defend=FightOrders())

    assert_rule(table.findings, "23.2.6", inputs={"hex": "3218"}, result=[])
    assert table.state.tactical[Side.WP] == 1


@pytest.mark.rule("24.1.5", effect=True)
@pytest.mark.rule("20.0")
def test_24_1_3_a_second_division_of_the_front_needs_a_target_of_its_own() -> None:
    board = board_on(a_table({"3118": "16GT 34N", "3218": "22/1A"}))
    gun = unit(board, "34N")
    assert not list(fire_objections(board, gun, "3218", ()))
    assert_rule(list(fire_objections(board, gun, "3218", [("35N", "3218")], ["22/1A"])), "20.0")


@pytest.mark.rule("26.2.7")
def test_26_2_7_an_attack_out_of_west_berlin_uses_up_no_multinational_attack() -> None:
    table = a_table({"3007": "US-Berlin UK-Berlin FR-Berlin", "3006": "Gr20"}, [1], side=Side.NATO)
    commit = Commit("3006", ("US-Berlin", "UK-Berlin", "FR-Berlin"))
    played(table, battle_cycle(table, commit))

    assert_rule(table.findings, "26.2.7", result=["FR", "UK", "US"])
    assert table.state.multinational == []


@pytest.mark.rule("25.7.8")
def test_25_7_8_a_territorial_unit_that_a_retreat_has_freed_responds_abroad() -> None:
    table = a_table({"3019": "7/1A", "3118": "E8", "3218": "Gr20"}, [3], side=Side.NATO)
    board = board_on(table)
    guard, battle = unit(board, "Gr20"), a_battle(board, "3118", "7/1A", side=Side.NATO)
    assert [found.rule for found in response_objections(board, guard, battle)] == ["3.2.5.1"]
    guard.piece.freed = True
    assert not list(response_objections(board, guard, battle))
    played(table, battle_cycle(table, Commit("3118", ("7/1A",))), respond="Gr20")
    assert_rule(table.findings, "25.7.8", inputs={"unit": "Gr20"}, result="responds abroad")


@pytest.mark.rule("32.2.1")
def test_32_2_1_a_city_of_a_surrendered_country_stays_conquered_when_nato_takes_it_back() -> None:
    """30.3.2: NATO's recapture changes only the control marker of a surrendered country's city, as
    the record says.
    """
    conquered = dict.fromkeys(DANISH, Side.WP)
    table = a_table({"1411": "7/1A"}, surrendered=["DK"], conquered=conquered)
    board = board_on(table)
    enter(table, board, unit(board, "7/1A"), "1310")

    found = assert_rule(table.findings, "32.2.1", inputs={"hex": "1310", "side": Side.NATO}, result="conquered")
    assert found and board.controller("1310") is Side.NATO and not board.free_city("1310", Side.NATO)


@pytest.mark.rule("15.2")
def test_15_2_air_lifts_and_helicopters_near_each_other_are_declared_together() -> None:
    """A drop and a helicopter insertion two hexes apart, in different segments, count as one cluster."""
    moves = [Move("97", ("2920",), "drop"), Move("83", ("2922",), "fly"), Move("108", ("4420",), "drop")]
    table = a_table({})
    make_moves(table, board_on(table), moves)
    assert_rule(table.findings, "15.2", result=["97", "83"])
