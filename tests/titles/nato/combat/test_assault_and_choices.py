"""25.6.2.1, 25.7, 27 Choices and limits that are easy to overlook: assaults, counterattacks, retreats, strikes."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, a_table, board_on, on, played, unit

from pbem.titles.nato.air.resolution import strike
from pbem.titles.nato.cards.charts import CombatResult
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import battle_cycle, combat_supply_segment
from pbem.titles.nato.combat.eligibility import attacker_objections, commit_objections
from pbem.titles.nato.combat.odds import odds_of
from pbem.titles.nato.combat.results import advance_segment, attacker_results, counterattacks, go_back
from pbem.titles.nato.combat.retreat import legal_ways, way_of, ways_back
from pbem.titles.nato.combat.strength import defense_rows, ground_of, is_fortified
from pbem.titles.nato.map.atlas import WEST_BERLIN
from pbem.titles.nato.player.orders import Commit
from pbem.titles.nato.sequence import after_strikes, mark_cleared_hex, take_forts
from pbem.titles.nato.zones.coordination import attack_objections


@pytest.mark.rule("27.3.1")
def test_27_3_1_assaulting_units_attack_their_hex_and_nothing_else() -> None:
    board = a_board({"2521": "97 31/11PG", "2520": "108"}, assaults=["97"], battles=["2521", "2621"])

    assert_rule(attacker_objections(board, unit(board, "97"), "2621", Side.WP), "27.3.1")
    assert not list(attacker_objections(board, unit(board, "97"), "2521", Side.WP))
    held_back = commit_objections(board, Side.WP, "2521", [unit(board, "108")])
    assert_rule(held_back, "27.3.1", why="all your units that are assaulting the hex must take part in the attack")


@pytest.mark.rule("3.1", effect=True)
def test_27_1_1_the_baltic_corps_headquarters_does_not_bar_the_assault() -> None:
    board = a_board({"1209": "BC P7 LZ"}, assaults=["BC", "P7"], battles=["1209"])

    assert not list(commit_objections(board, Side.WP, "1209", [unit(board, "P7")]))


@pytest.mark.rule("26.2.8")
def test_26_2_8_a_nato_assault_is_of_one_nation() -> None:
    board = a_board({"3215": "27LL 16GT", "3216": "7/1A"}, side=Side.NATO, assaults=["27LL"], battles=["3215"])
    both = [unit(board, "27LL"), unit(board, "7/1A")]

    assert_rule(commit_objections(board, Side.NATO, "3215", both), "26.2.8")
    assert not list(commit_objections(board, Side.NATO, "3215", both[:1]))


@pytest.mark.rule("25.6.2", effect=True)
@pytest.mark.rule("25.6.2.1")
def test_25_6_2_1_nato_chooses_the_nation_that_counterattacks() -> None:
    """NATO chooses the West Germans to counterattack, who disrupt on a 3; the British would need a 4."""
    for chosen, die in ((("1/1PZ",), 3), (("7/1A",), 4)):
        table = a_table({"3218": "1/1PZ 7/1A", "3118": "16GT"}, dice=[die])
        board = board_on(table)
        table.state.battle = a_battle(board, "3218", "16GT")
        played(table, counterattacks(table, board, table.state.battle), counterattackers=chosen)

        assert_rule(table.findings, "25.6.2.1", result=list(chosen))
        assert unit(board, "16GT").piece.disrupted


def test_25_6_2_1_without_a_word_the_better_nation_counterattacks() -> None:
    table = a_table({"3218": "1/1PZ 7/1A", "3118": "16GT"}, dice=[3])
    board = board_on(table)
    table.state.battle = a_battle(board, "3218", "16GT")
    found = played(table, counterattacks(table, board, table.state.battle))

    assert [one.inputs["unit"] for one in found if one.rule == "25.6.2"] == ["1/1PZ"]
    assert unit(board, "16GT").piece.disrupted


@pytest.mark.rule("23.3.2")
def test_23_3_2_the_striker_picks_which_of_two_brigades_is_lost() -> None:
    table = a_table({"3218": "22/1A 7/1A", "3118": "16GT"}, dice=[6])
    board = board_on(table)
    played(
        table,
        strike(table, board, Side.WP, [unit(board, "22/1A"), unit(board, "7/1A")], rule="24.1"),
        strike_loss="7/1A",
    )

    assert_rule(table.findings, "23.3.2", inputs={"unit": "7/1A"}, result="eliminated")
    assert unit(board, "22/1A").piece.disrupted


def test_25_7_3_a_retreat_of_one_hex_may_go_past_a_friend() -> None:
    """A hex that would stop a longer retreat has no priority in a retreat of one hex."""
    board = a_board({"2919": "3/1PZ", "2818": "16GT", "2920": "2/1PZ"})
    ends = {way.path for way in legal_ways(board, [unit(board, "3/1PZ")], 1)}

    assert ("2920",) in ends and len(ends) > 1


def test_25_7_4_2_a_way_that_costs_fewer_steps_may_always_be_taken() -> None:
    """The only full retreat leads through two zones of control; a dead end that costs one step is legal too."""
    board = a_board({"2919": "3/1PZ", "2818": "16GT", "3018": "21", "2820": "94G", "3020": "35"})
    brigade = unit(board, "3/1PZ")
    every = [way_of(board, [brigade], path, 2) for path in ways_back(board, Side.NATO, [brigade], "2919", 2)]
    legal = legal_ways(board, [brigade], 2)

    assert min(way.price for way in legal) == min(way.price for way in every)


@pytest.mark.rule("25.6.4")
def test_21_1_3_soft_units_retreat_on_until_the_nuclear_hexes_end() -> None:
    around = ("2920", "3020", "2820", "3019")
    board = a_board({"2919": "27LL", "2818": "16GT", "2918": "21", "3018": "94G"}, nuclear=list(around))
    ways = legal_ways(board, [unit(board, "27LL")], 1)

    assert ways and all(way.path[-1] not in around and len(way.path) > 1 for way in ways)
    table = a_table({"2919": "27LL"}, nuclear=["2920"])
    go_back(table, board_on(table), unit(board_on(table), "27LL"), ["2920", "2921"])
    assert_rule(table.findings, "25.6.4", inputs={"units": ["27LL"]}, result="disrupted")


@pytest.mark.rule("22.3.1", effect=True)
def test_22_3_1_a_unit_that_only_passes_a_chemical_hex_is_not_disrupted() -> None:
    for path, hurt in ((["2920", "2921"], False), (["2920"], True)):
        table = a_table({"2919": "27LL"}, chemical={"2920": {Side.WP: False}})
        go_back(table, board_on(table), unit(board_on(table), "27LL"), path)
        assert unit(board_on(table), "27LL").piece.disrupted is hurt


@pytest.mark.rule("25.7.8")
def test_25_7_8_a_headquarters_driven_out_of_its_area_is_free() -> None:
    table = a_table({"2516": "LJ"})
    go_back(table, board_on(table), unit(board_on(table), "LJ"), ["2616"])

    assert_rule(table.findings, "25.7.8", inputs={"unit": "LJ", "at": "2616"})
    assert unit(board_on(table), "LJ").piece.freed


def test_25_2_7_an_engaged_headquarters_adds_nothing() -> None:
    board = a_board({"3120": "BR-I", "3119": "16GT"})
    battle = a_battle(board, "3120", "16GT")
    assert [row.who for row in defense_rows(board, battle)] == ["Minden", "BR-I"]
    unit(board, "BR-I").piece.engaged = True
    assert [row.who for row in defense_rows(board, battle)] == ["Minden"]


@pytest.mark.rule("25.9.2")
def test_25_9_2_a_hex_cleared_by_a_lost_attacker_is_a_breakthrough_all_the_same() -> None:
    table = a_table({"2921": "3/1PZ", "2920": "97"}, dice=[], battles=["2921"])
    board = board_on(table)
    battle = table.state.battle = a_battle(board, "2921", "97")
    board.remove(unit(board, "3/1PZ"))
    result = CombatResult("A1/D1R1", 1, False, False, 1, False, 1)
    step = attacker_results(table, board, battle, result, 1)
    with pytest.raises(StopIteration) as end:
        next(step)
    assert end.value.value is True and "97" not in board.units

    played(table, advance_segment(table, board, battle))
    assert_rule(table.findings, "25.9.2", inputs={"objective": "2921"})


@pytest.mark.rule("26.1.3")
def test_26_1_7_a_unit_in_baltap_is_of_its_front_or_of_the_baltic_front_and_no_other() -> None:
    data = a_data()
    board = a_board({"2214": "16GT", "2316": "138T", "2614": "C1T", "2514": "21"}, data)
    north, baltic, czech = (unit(board, id) for id in ("16GT", "138T", "C1T"))

    assert not list(attack_objections(board, Side.WP, [north, baltic]))
    assert_rule(attack_objections(board, Side.WP, [north, czech]), "26.1.3")


@pytest.mark.rule("10.6")
def test_35_7_combat_supply_comes_back_only_in_natos_next_recovery_phase() -> None:
    data = a_data("surprise")
    for turn, side, lasts in ((1, Side.WP, True), (1, Side.NATO, True), (2, Side.WP, True), (2, Side.NATO, False)):
        table = a_table({"3218": "1/1PZ", "3223": "WG-I", "3118": "16GT"}, data=data, turn=turn, side=side)
        board = board_on(table)
        brigade = unit(board, "1/1PZ")
        brigade.piece.cs_out = True
        battle = a_battle(board, "3218", "16GT") if side is Side.WP else a_battle(board, "3118", "1/1PZ", side=side)
        combat_supply_segment(table, board, battle)
        assert brigade.piece.cs_out is lasts
    assert_rule(table.findings, "10.6", inputs={"units": ["1/1PZ"]}, result="in combat supply")


def test_25_9_1_a_strike_on_an_empty_hex_tears_no_hole() -> None:
    table = a_table({"3118": "1/1PZ", "3116": "16GT"}, side=Side.NATO)
    after_strikes(table, board_on(table), [])
    assert table.state.breakthrough == []
    board_on(table).remove(unit(board_on(table), "16GT"))
    mark_cleared_hex(table, board_on(table), "3116")
    assert table.state.breakthrough == ["3116"]


@pytest.mark.rule("38.4.3.4", "7.2/I.A.6")
def test_38_4_3_4_fortified_hexes_hold_until_they_are_taken_or_struck() -> None:
    data = a_data("extended_buildup")
    fort = WEST_BERLIN
    board = a_board({fort: "16GT"}, data)

    assert ground_of(board, fort).key == "fortified" and ground_of(board, fort).soft_doubled
    assert ground_of(board, fort).retreat >= 1 and not ground_of(board, fort).exploitation
    assert not is_fortified(a_board({}), fort) and not is_fortified(a_board({}, data, nuclear=[fort]), fort)
    table = a_table({fort: "16GT"}, data=data)
    take_forts(table, board_on(table))
    assert_rule(table.findings, "38.4.3.4", result=[fort])
    assert_rule(table.findings, "7.2/I.A.6", result=[fort])
    assert not is_fortified(board_on(table), fort)


@pytest.mark.rule("25.3.4.6")
def test_25_3_4_6_maximum_concentration_on_the_first_three_turns_of_extended_buildup() -> None:
    data = a_data("extended_buildup")
    for turn, shifts in ((3, 1), (4, 0)):
        board = a_board({"2919": "3/1PZ", "2918": "16GT"}, data, turn=turn)
        found = [
            shift for shift in odds_of(board, a_battle(board, "2919", "16GT")).shifts if shift.rule == "25.3.4.6"
        ]
        assert len(found) == shifts
    table = a_table({"2919": "3/1PZ", "2918": "16GT"}, dice=[6, 1], data=data, turn=1, battles=["2919"])
    played(table, battle_cycle(table, Commit("2919", ("16GT",))))
    assert_rule(table.findings, "25.3.4.6", result=1)


def test_35_2_1_an_attack_activates_a_nation_only_after_it() -> None:
    """A unit that is activated by the attack cannot respond to it."""
    data = on(a_data("activation"), activation={})
    table = a_table({"5028": "10DB", "5027": "16GT", "5128": "7DB"}, dice=[1], data=data, battles=["5028"])
    board = board_on(table)
    for id in ("10DB", "7DB"):
        unit(board, id).piece.active = False
    played(table, battle_cycle(table, Commit("5028", ("16GT",))))

    assert not any(found.rule == "25.1.2" for found in table.findings)
    assert unit(board, "7DB").piece.active
