"""26 Coordination: which units may attack or defend a hex together."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board

from pbem.engine.rules.refusals import Objection
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.zones.coordination import attack_objections, counterattack_groups, defending_groups, joins


def against(board: Board, side: Side, *ids: str) -> list[Objection]:
    return list(attack_objections(board, side, [board.units[id] for id in ids]))


@pytest.mark.rule("26.1.3")
def test_26_1_3_one_front_and_independents_attack_together() -> None:
    board = a_board({"3116": "16GT 97", "3216": "11GT"})

    assert against(board, Side.WP, "16GT", "97") == []
    assert_rule(against(board, Side.WP, "16GT", "11GT"), "26.1.3")


def test_26_1_7_all_coordinate_in_the_baltap_zone() -> None:
    board = a_board({"2216": "16GT", "2116": "11GT"})

    assert against(board, Side.WP, "16GT", "11GT") == []


@pytest.mark.rule("26.2.1", "26.2.3")
def test_26_2_1_two_nations_at_most_and_one_for_each_hexside() -> None:
    """L3229: at most two of the West German, British and US units around 2919 attack it, each
    through its own hexside.
    """
    board = a_board({"2918": "2/1PZ 1/3A", "2819": "7/1A"})

    assert against(board, Side.NATO, "2/1PZ", "7/1A") == []
    assert_rule(against(board, Side.NATO, "2/1PZ", "7/1A", "1/3A"), "26.2.1")
    assert_rule(against(board, Side.NATO, "2/1PZ", "1/3A"), "26.2.3")


@pytest.mark.rule("26.2.2")
def test_26_2_2_a_nation_takes_part_in_one_multinational_attack_a_turn() -> None:
    """L3199: British attack with Belgians, and West Germans with Americans; none of these units may do so again."""
    board = a_board({"2918": "2/1PZ", "2819": "7/1A", "2820": "US-1/1"}, multinational=["UK", "BE"])

    assert against(board, Side.NATO, "2/1PZ") == []
    assert_rule(against(board, Side.NATO, "2/1PZ", "7/1A"), "26.2.2")


def test_26_2_7_the_berlin_brigades_attack_together() -> None:
    board = a_board({"3007": "US-Berlin UK-Berlin FR-Berlin"})

    assert against(board, Side.NATO, "US-Berlin", "UK-Berlin", "FR-Berlin") == []


def test_26_1_5_one_front_defends_with_the_independents() -> None:
    board = a_board({"3116": "16GT 97 119T"})
    groups = defending_groups(board, Side.WP, board.at("3116"))

    assert [sorted(unit.id for unit in group) for group in groups] == [["16GT", "97"], ["119T", "97"]]


def test_26_2_5_two_nations_defend_and_25_6_2_1_one_counterattacks() -> None:
    board = a_board({"3116": "2/1PZ 7/1A 1/3A"})
    groups = defending_groups(board, Side.NATO, board.at("3116"))

    assert len(groups) == 3 and all(len(group) == 2 for group in groups)
    assert all(len(group) == 1 for group in counterattack_groups(board, Side.NATO, board.at("3116")))


def test_26_1_6_26_2_9_a_unit_joins_only_those_beside_whom_it_fights() -> None:
    board = a_board({"3116": "16GT", "3117": "11GT", "3216": "97", "3220": "7/1A", "3120": "2/1PZ", "3119": "12/1A"})
    of = board.units

    assert joins(board, of["97"], [of["16GT"]]) and not joins(board, of["11GT"], [of["16GT"]])
    assert joins(board, of["12/1A"], [of["7/1A"]]) and not joins(board, of["2/1PZ"], [of["7/1A"]])
