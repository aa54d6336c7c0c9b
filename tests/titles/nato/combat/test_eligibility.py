"""25.1.1, 25.1.2, 25.2, 25.4 Eligibility for attack, response and support."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, unit

from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.eligibility import (
    attacker_objections,
    commit_objections,
    objective_objections,
    possible_attackers,
    possible_responses,
    possible_support,
    response_objections,
    support_objections,
)


def responders(board: Board, objective: str, side: Side = Side.WP) -> list[str]:
    return [one.id for one in possible_responses(board, a_battle(board, objective, side=side))]


@pytest.mark.rule("25.1.2.1", "25.1.2.5")
def test_25_1_2_the_nato_response_example() -> None:
    """L2606: 2819 is attacked, and only one of the two brigades in 2919 may respond."""
    units = {
        "2819": "3/1PZ",
        "2720": "1/3A 2/3A",
        "2820": "2/1PZ",
        "2919": "7/3PZ 8/3PZ",
        "2920": "35G",
        "2818": "16GT",
    }
    board = a_board(units)
    battle = a_battle(board, "2819", "16GT")

    assert responders(board, "2819") == ["7/3PZ", "8/3PZ"]
    assert_rule(response_objections(board, unit(board, "1/3A"), battle), "25.1.2.1")
    assert_rule(response_objections(board, unit(board, "2/1PZ"), battle), "25.1.2.5")
    shot_down = a_board({hex: ids for hex, ids in units.items() if hex != "2920"})
    assert "2/1PZ" in responders(shot_down, "2819")


@pytest.mark.rule("25.1.2.4")
def test_25_1_2_4_the_warsaw_pact_response_example() -> None:
    """L2620: NATO attacks E8 in 3318; the reduced 21st in 3317 may respond, because it belongs to the
    same front and is outside NATO's zones.
    """
    board = a_board({"3318": "E8", "3317": "21*", "3218": "94G", "3119": "12/1A", "3419": "7/1A"}, side=Side.NATO)
    battle = a_battle(board, "3318", "7/1A", side=Side.NATO)

    assert responders(board, "3318", Side.NATO) == ["21"]
    assert_rule(response_objections(board, unit(board, "94G"), battle), "25.1.2.4")


@pytest.mark.rule("4.2.3", "25.1.2.2", effect=True)
@pytest.mark.rule("25.1.2", "25.1.2.7", "25.1.2.9")
def test_25_1_2_markers_that_keep_a_unit_from_responding() -> None:
    board = a_board({"2919": "3/1PZ", "2920": "2/1PZ 7/3PZ WG-I"})
    battle = a_battle(board, "2919")
    brigade = unit(board, "2/1PZ")
    brigade.piece.disrupted = True
    assert_rule(response_objections(board, brigade, battle), "25.1.2", why="the unit is disrupted")
    brigade.piece.disrupted, brigade.piece.engaged = False, True
    assert_rule(response_objections(board, brigade, battle), "25.1.2.7")
    assert_rule(response_objections(board, unit(board, "WG-I"), battle), "25.1.2.9")
    assert [one.id for one in possible_responses(board, battle)] == ["7/3PZ"]


@pytest.mark.rule("25.1.2.3")
def test_25_1_2_3_only_a_unit_of_the_nation_responds_into_an_empty_city() -> None:
    board = a_board({"3118": "2/1PZ 7/1A", "3116": "16GT"})
    battle = a_battle(board, "3117", "16GT")

    assert [one.id for one in possible_responses(board, battle)] == ["2/1PZ"]
    assert_rule(response_objections(board, unit(board, "7/1A"), battle), "25.1.2.3")


def test_25_1_2_2_nobody_responds_into_a_hole_that_strikes_have_torn() -> None:
    board = a_board({"2820": "2/1PZ"}, cleared=["2919"])

    assert responders(board, "2919") == []


@pytest.mark.rule("24.2.4", effect=True)
@pytest.mark.rule("25.2", "25.2.4", "13.4.2", "28.1.1")
def test_25_2_who_may_attack() -> None:
    board = a_board({"3118": "16GT 21 34N 94G", "3218": "1/1PZ", "2420": "E8", "3114": "207"})
    unit(board, "21").piece.train, unit(board, "94G").piece.reserve = "entraining", True

    def against(id: str, objective: str = "3218") -> list[object]:
        return list(attacker_objections(board, unit(board, id), objective, Side.WP))

    assert against("16GT") == []
    assert_rule(against("34N"), "25.2", why="only maneuver units can attack")
    assert_rule(against("207"), "25.2", why="the unit is not adjacent to 3218")
    assert_rule(against("21"), "13.4.2")
    assert_rule(against("94G"), "28.1.1")
    assert_rule(against("E8", "2421"), "25.2.4")
    unit(board, "16GT").piece.fought = True
    assert_rule(against("16GT"), "25.2", why="the unit has already fought in this phase")


@pytest.mark.rule("25.1.1", "25.2.2")
def test_25_1_1_objectives_and_lone_units_without_attack_strength() -> None:
    board = a_board({"3716": "Gr1", "3717": "7/1A", "3118": "16GT", "3218": "1/1PZ"}, battles=["3717"])

    assert_rule(objective_objections(board, "2919", Side.WP), "25.1.1", why="there is nothing to attack in 2919")
    assert_rule(commit_objections(board, Side.WP, "3717", [unit(board, "Gr1")]), "25.2.2")
    assert_rule(commit_objections(board, Side.WP, "3218", [unit(board, "16GT")]), "25.1.1")
    assert [one.id for one in possible_attackers(board, "3218", Side.WP)] == ["16GT"]


@pytest.mark.rule("27.3.1")
def test_27_3_1_all_assaulting_units_must_attack() -> None:
    board = a_board({"2521": "108 119 3/1PZ", "2520": "94G"}, battles=["2521"], assaults=["108", "119"])

    assert_rule(commit_objections(board, Side.WP, "2521", [unit(board, "94G"), unit(board, "108")]), "27.3.1")


@pytest.mark.rule("25.4", "25.4.1", "25.4.3")
def test_25_4_offensive_support() -> None:
    board = a_board({"3114": "NEGF", "3118": "16GT 97", "3119": "11GT", "3605": "12GT", "3220": "BR-I 7/1A"})
    hq, of = unit(board, "NEGF"), board.units

    assert possible_support(board, Side.WP, [of["16GT"], of["97"]]) == [hq]
    assert_rule(
        support_objections(board, hq, [of["12GT"]]),
        "25.4",
        why="no subordinate unit in the battle is within range of NEGF",
    )
    assert_rule(support_objections(board, hq, [of["16GT"], of["11GT"]]), "25.4.1")
    assert_rule(support_objections(board, of["BR-I"], [of["7/1A"]]), "25.4", why="BR-I cannot give Offensive Support")
    hq.piece.disrupted = True
    assert_rule(support_objections(board, hq, [of["16GT"]]), "25.4.3")
