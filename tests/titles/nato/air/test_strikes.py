"""20, 23, 24 Strikes from the air and by artillery, with the worked examples."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board, a_data, a_table, board_on, done, on, played, unit

from pbem.titles.nato.air.resolution import strike
from pbem.titles.nato.air.strike_decisions import hex_objections, points_objections, reach_objections
from pbem.titles.nato.air.strikes import modifiers_on, strike_modifiers, target_objections, target_sets
from pbem.titles.nato.artillery.fire import fire, fire_objections, targets_near
from pbem.titles.nato.cards.charts import AirPoints
from pbem.titles.nato.cards.scenario import AirPlan
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.player.orders import AirStrike, FightOrders
from pbem.titles.nato.sequence import air_points, air_strikes, artillery

NEUTRAL = {"3223": "BR-I 4/3A", "3114": "NEGF 32GT"}
"""Units of both sides, near enough for the airspace between them to be contested."""


@pytest.mark.rule("23.3", "23.3.2")
def test_23_airstrike_1_two_points_on_a_forest_hex() -> None:
    """L2462: a 6 less 1 flips the division and disrupts it, and a 3 less 1 disrupts the other unit."""
    table = a_table({**NEUTRAL, "3318": "21 E9T*"}, dice=[6, 3], side=Side.NATO)
    board = board_on(table)
    done(strike(table, board, Side.NATO, [unit(board, "21")], rule="23.3"))
    done(strike(table, board, Side.NATO, [unit(board, "E9T")], rule="23.3"))

    assert_rule(table.findings, "23.3", cell=[1, 5], result="D1")
    assert_rule(table.findings, "23.3.2", inputs={"unit": "21"}, result="reduced")
    assert_rule(table.findings, "23.3", cell=[1, 2], result="*")
    assert unit(board, "21").piece.disrupted and unit(board, "E9T").piece.disrupted


def test_23_airstrike_2_of_two_targets_the_worse_modifiers_count() -> None:
    """L2464: of a Dutch brigade and an entraining British one in a small city, the worse modifiers count."""
    board = a_board({"3530": "NL-11/1 49/2"})
    train, dutch = unit(board, "49/2"), unit(board, "NL-11/1")
    train.piece.train = "entraining"

    assert sum(value for _, value in modifiers_on(board, train, Side.WP, air=True)) == 0
    assert sum(value for _, value in strike_modifiers(board, [train, dutch], Side.WP, air=True)) == -2


def test_24_strike_air_hq_is_suppressed_and_gets_no_terrain_modifier() -> None:
    """L2538: British I Corps headquarters in the forest of 2822 gets no terrain modifier, and a 3 suppresses it."""
    table = a_table({"2822": "BR-I 7/1A", "2817": "16GT NEGF"}, dice=[3])
    board = board_on(table)
    done(strike(table, board, Side.WP, [unit(board, "BR-I")], rule="23.3"))

    assert unit(board, "BR-I").piece.disrupted
    assert list(modifiers_on(board, unit(board, "BR-I"), Side.WP, air=False)) == []


def test_23_5_a_headquarters_is_never_eliminated_from_the_air() -> None:
    table = a_table({"2822": "BR-I"}, dice=[6])
    board = board_on(table)
    done(strike(table, board, Side.WP, [unit(board, "BR-I")], rule="23.3"))

    assert unit(board, "BR-I").piece.disrupted and unit(board, "BR-I").at == "2822"


@pytest.mark.rule("23.2.7", effect=True)
@pytest.mark.rule("23.1.5", "20.0", "23.5")
def test_23_1_5_two_steps_in_one_hex_for_each_point() -> None:
    board = a_board({"3118": "16GT 21 NEGF", "3218": "1/1PZ 2/1PZ 3/1PZ"})
    of = board.units

    assert not list(target_objections(board, "3218", [of["1/1PZ"], of["2/1PZ"]], Side.WP, ()))
    assert_rule(target_objections(board, "3118", [of["16GT"], of["21"]], Side.NATO, ()), "23.1.5")
    assert_rule(target_objections(board, "3218", [of["1/1PZ"]], Side.WP, ("1/1PZ",)), "20.0")
    assert_rule(target_objections(board, "3118", [of["NEGF"], of["21"]], Side.NATO, ()), "23.5")
    assert_rule(hex_objections(board, Side.WP, "3218", [AirStrike("3218")] * 3), "23.1.5")
    assert not list(hex_objections(board, Side.WP, "3218", [AirStrike("3218")] * 2))
    assert_rule(hex_objections(a_board({"3218": "1/1PZ"}), Side.WP, "3218", [AirStrike("3218")] * 2), "23.1.5")
    assert all(sum(one.steps for one in units) <= 2 for units in target_sets(board, "3118", Side.NATO, ()))


@pytest.mark.rule("23.1.3", "23.1.7")
def test_23_1_3_tactical_points_do_not_reach_enemy_airspace() -> None:
    board = a_board({"4233": "7/1A", "3114": "NEGF"}, tactical={Side.WP: 1}, operational={Side.WP: 0})

    assert_rule(reach_objections(board, Side.WP, AirStrike("4233")), "23.1.3")
    assert not list(reach_objections(board, Side.WP, AirStrike("4233", operational=True)))
    assert_rule(points_objections(board.state, Side.WP, [AirStrike("3218")] * 2), "23.1.7")


@pytest.mark.rule("4.3.1", effect=True)
@pytest.mark.rule("23.1.1")
def test_23_1_1_one_die_sets_the_air_points_of_both_sides() -> None:
    """L2406: in the Extended Buildup of 1988, turn 3, a 3 plus 1 gives 5/1 and 8/2 air points."""
    data = on(a_data(), air=AirPlan(table="extended", die=1))
    table = a_table({}, dice=[3], data=data, turn=3)
    air_points(table, board_on(table))

    assert_rule(table.findings, "23.1.1", dice=(3,))
    assert (table.state.tactical, table.state.operational) == ({Side.WP: 5, Side.NATO: 8}, {Side.WP: 1, Side.NATO: 2})


def test_23_1_1_a_scenario_may_fix_the_points() -> None:
    table = a_table({}, data=on(a_data(), air=AirPlan(fixed=AirPoints(2, 0, 3, 0))))
    air_points(table, board_on(table))

    assert table.state.tactical == {Side.WP: 2, Side.NATO: 3}


@pytest.mark.rule("23.8", "25.9.1")
def test_23_8_25_9_1_interdiction_and_a_hex_that_is_struck_empty() -> None:
    """L2546: strikes that eliminate the last unit in a marked hex open a breakthrough."""
    units = {**NEUTRAL, "3118": "16GT 21", "3119": "7/1A"}
    table = a_table(units, dice=[6], tactical={Side.WP: 2}, operational={Side.WP: 0}, battles=["3119"])
    orders = FightOrders(marks=("3119",), air=(AirStrike("3119"),), interdict=(AirStrike("3120"),))
    strikers = {"air": ["wp"], "interdict": ["wp"]}
    played(table, air_strikes(table, board_on(table), orders, strikers))

    assert_rule(table.findings, "23.8", result="3120")
    assert_rule(table.findings, "25.9.1", result="3119")
    assert table.state.cleared == ["3119"] and table.state.battles == [] and table.state.tactical[Side.WP] == 0


@pytest.mark.rule("24.1", "24.1.1", "24.2.5", "24.1.3")
def test_24_1_artillery_strikes_an_adjacent_hex_with_its_front() -> None:
    """L2546: on clear ground a 6 eliminates the unit."""
    table = a_table({"3114": "NEGF", "2918": "34N 21 34S", "2919": "3/1PZ"}, dice=[6])
    board = board_on(table)
    gun = unit(board, "34N")

    assert targets_near(board, gun) == ["2919"]
    assert_rule(fire_objections(board, unit(board, "34S"), "2919", ()), "24.1.1")
    assert_rule(fire_objections(board, gun, "2917", ()), "24.1")
    assert_rule(fire_objections(board, gun, "2919", [("34S", "2919")]), "24.1.3")
    gun.piece.cs_out = True
    assert_rule(fire_objections(board, gun, "2919", ()), "24.2.5")
    gun.piece.cs_out = False
    done(fire(table, board, gun, [unit(board, "3/1PZ")]))
    assert_rule(table.findings, "24.1", inputs={"column": 1, "by": "34N"}, result="D1")
    assert "3/1PZ" not in board.units


def test_24_1_4_suppressed_artillery_strikes_on_column_0() -> None:
    table = a_table({"3114": "NEGF", "2918": "34N! 21", "2919": "3/1PZ"}, dice=[5])
    board = board_on(table)
    done(fire(table, board, unit(board, "34N"), [unit(board, "3/1PZ")]))

    assert table.findings[0].inputs["column"] == 0 and table.findings[0].result == "*"


@pytest.mark.rule("24.1", effect=True)
def test_24_1_the_artillery_segment_asks_for_one_strike_at_a_time() -> None:
    table = a_table({"3114": "NEGF", "2918": "34N 21", "2919": "3/1PZ"}, dice=[2])
    played(table, artillery(table), gun={"unit": "34N", "hex": "2919"})

    assert [finding.rule for finding in table.findings] == ["7.2/II.E.4", "24.1", "25.6.4"]
