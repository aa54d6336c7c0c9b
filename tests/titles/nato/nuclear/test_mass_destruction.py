"""21, 22 Nuclear and chemical warfare."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, a_state, a_table, board_on, on, played, unit

from pbem.engine.rules.refusals import Refusal
from pbem.titles.nato.air.sites import site_objections, strike_site
from pbem.titles.nato.board import board_of
from pbem.titles.nato.cards.scenario import Chemical as Delivery
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.movement.moves import walk
from pbem.titles.nato.nuclear.atomic import nuclear_objections, strike_target
from pbem.titles.nato.nuclear.chemicals import chemical_objections, chemical_segment, warfare_turn
from pbem.titles.nato.nuclear.defense_decision import NuclearDefense
from pbem.titles.nato.player.orders import AirStrike, Chemical, Commit, FightOrders
from pbem.titles.nato.sequence import fighting, points_received
from pbem.titles.nato.title import NatoRules

WAR = a_data("nuclear", "chemical")
LIMITS = {Side.WP: Delivery(tactical=2, operational=1), Side.NATO: Delivery(tactical=1, artillery=1)}
GAS = on(WAR, chemical=LIMITS)


@pytest.mark.rule("30.4.3", effect=True)
@pytest.mark.rule("21.1.1", "21.2", "34.4")
def test_21_1_every_step_is_rolled_for_and_the_striker_tempts_fate() -> None:
    """A 1 disrupts and a 3 eliminates; then one die is rolled for Armageddon after one strike, and a 2 is safe."""
    table = a_table({"3117": "7/1A 12/1A"}, dice=[4, 1, 2], data=WAR, points={Side.NATO: 0})
    board = board_on(table)

    assert strike_target(table, board, Side.WP, "3117")
    assert_rule(table.findings, "21.1.1", result="3117")
    assert_rule(table.findings, "21.2", inputs={"strikes": 1}, dice=(2,), result="no Armageddon")
    assert_rule(table.findings, "34.4", inputs={"side": Side.NATO}, result=2)
    assert "12/1A" not in board.units and not unit(board, "7/1A").piece.disrupted
    assert table.state.nuclear == ["3117"] and not board.free_city("3117", Side.NATO)


@pytest.mark.rule("34.1.3", effect=True)
@pytest.mark.rule("21.2", "21.2.1")
def test_21_2_armageddon_and_tit_for_tat() -> None:
    table = a_table({}, dice=[1], data=WAR)
    assert not strike_target(table, board_on(table), Side.WP, "2919")
    assert_rule(table.findings, "21.2", dice=(1,), result="Armageddon")
    assert table.state.outcome is not None and table.state.outcome.winner is Side.NATO

    even = a_table({}, data=WAR, nuclear_count={Side.WP: 1}, first_nuclear=2)
    assert strike_target(even, board_on(even), Side.NATO, "2919")
    assert_rule(even.findings, "21.2.1", result="no roll")


@pytest.mark.rule("21.3", "21.4", "21.0")
def test_21_3_21_4_airfields_and_the_vistula() -> None:
    table = a_table({}, dice=[6, 6], data=WAR)
    board = board_on(table)
    assert strike_target(table, board, Side.NATO, "airfield")
    assert_rule(table.findings, "21.3", result=1)
    assert_rule(nuclear_objections(board, Side.WP, "airfield", ()), "21.3")
    assert strike_target(table, board, Side.NATO, "vistula")
    assert_rule(table.findings, "21.4")
    assert table.state.nuclear_count == {Side.NATO: 4}
    assert_rule(nuclear_objections(board, Side.NATO, "vistula", ()), "21.4")
    assert_rule(nuclear_objections(a_board({}), Side.NATO, "2919", ()), "21.0")


def test_23_1_2_nuclear_effects_stop_at_two_points() -> None:
    board = a_board({}, WAR, turn=4, first_nuclear=3, airfields={Side.WP: 3})

    assert [points_received(board, Side.WP, points) for points in (8, 5, 3, 1)] == [4, 2, 2, 1]
    assert points_received(board, Side.NATO, 5) == 4


@pytest.mark.rule("21.1.3", "12.5.1")
def test_21_1_3_only_hard_units_enter_a_nuclear_hex_for_two_more_points() -> None:
    board = a_board({"3011": "16GT", "3222": "WG-62"}, WAR, nuclear=["3010", "3222"])

    plain = a_board({"3011": "16GT"}, WAR)
    costs = [walk(each, unit(each, "16GT"), ["3010"], "tactical").spent for each in (plain, board)]
    assert costs[1] == costs[0] + 2
    soft = a_board({"3222": "WG-63"}, WAR, nuclear=["3221"])
    assert_rule(walk(soft, unit(soft, "WG-63"), ["3221"], "tactical").objections, "21.1.3")
    assert_rule(walk(board, unit(board, "WG-62"), ["3221"], "tactical").objections, "12.5.1")


@pytest.mark.rule("22.0", "22.2.3")
def test_22_2_the_chemical_example() -> None:
    """L2532: on the second turn a 4 disrupts the 7th Armoured, and a 1 has no effect on the PRG."""
    table = a_table({"2819": "7/1A PRG"}, dice=[4, 1], data=GAS, turn=3, first_use=2, chemical_points={Side.WP: 1})
    board = board_on(table)
    chemical_segment(table, board, Side.WP, [Chemical("2819")])

    assert warfare_turn(table.state) == 2
    assert_rule(table.findings, "22.2.3", result="2819")
    assert unit(board, "7/1A").piece.disrupted and not unit(board, "PRG").piece.disrupted
    assert table.state.chemical_points == {Side.WP: 0} and table.state.gassed == ["2819"]
    first = a_table({}, data=GAS, chemical_points={Side.WP: 1}, points={})
    chemical_segment(first, board_on(first), Side.WP, [Chemical("2819")])
    assert_rule(first.findings, "22.0", result=2)
    assert first.state.points == {Side.NATO: 1}


@pytest.mark.rule("4.1.3", effect=True)
@pytest.mark.rule("22.2.5")
def test_22_2_5_markers_go_at_once_or_on_a_1() -> None:
    markers = {"2819": {Side.WP: False}, "2919": {Side.WP: True}, "3019": {Side.WP: True}}
    table = a_table({}, dice=[1, 2], data=GAS, first_use=1, chemical=markers)
    chemical_segment(table, board_on(table), Side.WP, [])

    assert_rule(table.findings, "22.2.5", inputs={"hex": "2919"}, dice=(1,))
    assert table.state.chemical == {"3019": {Side.WP: True}}


@pytest.mark.rule("22.4")
def test_22_4_airfields_lose_points_but_never_below_two() -> None:
    """L2388: airfields lose air points, but NATO keeps at least two."""
    table = a_table({}, dice=[6], data=GAS, first_use=2, chemical_points={Side.WP: 2}, tactical={Side.NATO: 2})
    chemical_segment(table, board_on(table), Side.WP, [Chemical("airfield", "operational")])

    assert_rule(table.findings, "22.4", result=0)
    assert table.state.tactical == {Side.NATO: 2}


@pytest.mark.rule("22.0", "22.1", "22.2", "22.2.1", "22.2.2")
def test_22_2_limits_of_chemical_strikes() -> None:
    board = a_board({"3114": "NEGF", "3218": "7/1A", "3118": "16GT"}, GAS, chemical_points={Side.WP: 2, Side.NATO: 2})

    def against(side: Side, *orders: Chemical) -> list[object]:
        return list(chemical_objections(board, side, orders))

    assert against(Side.WP, Chemical("3218")) == []
    assert_rule(against(Side.NATO, Chemical("3118")), "22.0")
    assert_rule(against(Side.WP, *[Chemical("3218"), Chemical("3219"), Chemical("3220")]), "22.1")
    assert_rule(against(Side.WP, Chemical("3218", "operational"), Chemical("3219", "operational")), "22.2")
    assert_rule(against(Side.WP, Chemical("4233")), "22.2.1")
    board.state.first_use = 1
    assert_rule(against(Side.NATO, Chemical("3118", "artillery")), "22.2.2")


def test_22_3_2_a_unit_that_responds_into_a_fresh_strike_is_struck() -> None:
    units = {"3114": "NEGF", "3118": "16GT 21", "3219": "1/1PZ", "3220": "2/1PZ"}
    struck = {"chemical": {"3219": {Side.WP: False}}, "gassed": ["3219"], "first_use": 2, "battles": ["3219"]}
    table = a_table(units, dice=[3, 1], data=GAS, **struck)
    played(table, battle_cycle(table, Commit("3219", ("16GT", "21"))), respond="2/1PZ", loss="21")

    assert any(finding.rule == "22.2.3/unit" and finding.inputs["unit"] == "2/1PZ" for finding in table.findings)


@pytest.mark.rule("20.1", effect=True)
@pytest.mark.rule("23.7")
def test_23_7_deep_interdiction() -> None:
    """L2484: two air points and a die of 4 cost one Supply Point."""
    table = a_table({"3220": "7/1A BR-I"}, dice=[4], data=WAR, side=Side.NATO, operational={Side.NATO: 2})
    played(table, fighting(table), fight=FightOrders(deep=2))

    assert_rule(table.findings, "23.7", inputs={"points": 2}, dice=(4,), result=1)
    assert table.state.deep == 1 and table.state.operational[Side.NATO] == 0


@pytest.mark.rule("25.1.3")
def test_25_1_3_nato_strikes_the_attackers_and_may_end_the_world() -> None:
    units = {"3114": "NEGF", "3118": "16GT 21", "3218": "1/1PZ"}
    table = a_table(units, dice=[6, 6, 6, 6, 6], data=WAR, battles=["3218"], points={})
    played(table, battle_cycle(table, Commit("3218", ("16GT", "21"))), nuclear_defense=[("3118",)])
    assert table.state.nuclear == ["3118"] and not board_on(table).at("3118")

    last = a_table(units, dice=[1, 1, 1, 1, 1], data=WAR, battles=["3218"], points={})
    played(last, battle_cycle(last, Commit("3218", ("16GT", "21"))), nuclear_defense=[("3118",)])
    assert last.state.outcome is not None and last.state.outcome.winner is Side.WP
    ask = NuclearDefense.make_ask("nato", subject="3218")
    state = a_state(units)
    state.battle = a_battle(board_of(WAR, state), "3218", "16GT")
    with pytest.raises(Refusal) as refused:
        NatoRules(WAR).check(state, ask, ["3218"])
    assert_rule(refused.value, "25.1.3")


@pytest.mark.rule("33.3.5", effect=True)
@pytest.mark.rule("33.3.3.1")
def test_33_3_3_1_sites_are_damaged_and_destroyed() -> None:
    """A second hit destroys a site; the 3rd Armored Cavalry loses a step first."""
    table = a_table({}, dice=[3, 3, 6], data=a_data("reforger"), sites={"1/2A": "3626", "3ACR": "3626"})
    board = board_on(table)
    strike_site(table, board, "1/2A")
    assert table.state.damaged == [] or table.state.damaged == ["1/2A"]
    table.state.damaged = ["1/2A"]
    strike_site(table, board, "1/2A")
    strike_site(table, board, "3ACR")

    assert_rule(table.findings, "33.3.3.1", inputs={"unit": "3ACR"})
    good = AirStrike("3626", operational=True, targets=("3ACR",))
    assert not list(site_objections(board, Side.WP, [good]))
    assert_rule(site_objections(board, Side.NATO, [good]), "33.3.3.1")
    assert_rule(site_objections(board, Side.WP, [AirStrike("3118", targets=("3ACR",))]), "33.3.3.1")
