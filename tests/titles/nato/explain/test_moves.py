"""8.1, 11.8, 12, 13, 35 Explanations of moves: the modes available, and the cost of each part of a path."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board, a_data, unit

from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.explain.moves import mode_reasons, way_reasons


@pytest.mark.rule("8.1.1", "11.8", "11.8.1", "11.8.2", "12.2.1", "12.0/one-mode")
def test_8_1_1_modes_that_are_open() -> None:
    quiet = a_board({"3303": "16GT"})
    found = list(mode_reasons(quiet, unit(quiet, "16GT")))
    assert_rule(found, "11.8.1", result=["tactical", "march", "rail"])
    assert_rule(found, "11.8", result="friendly")
    assert_rule(found, "12.2.1", result=[])
    assert_rule(found, "12.0/one-mode", result=["tactical", "march", "rail"])
    unit(quiet, "16GT").piece.moved = True
    assert_rule(mode_reasons(quiet, unit(quiet, "16GT")), "12.0/one-mode", result=[])
    near = a_board({"3116": "16GT", "3118": "7/1A", "3114": "NEGF"})
    found = list(mode_reasons(near, unit(near, "16GT")))
    assert_rule(found, "11.8.2", inputs={"airspace": "contested"}, result=["tactical"])
    beside = a_board({"3118": "16GT", "3119": "7/1A"})
    assert_rule(mode_reasons(beside, unit(beside, "16GT")), "8.1.1", result=["tactical"])
    assert_rule(mode_reasons(beside, unit(beside, "16GT")), "12.2.1", result=["12.4", "12.4"])


@pytest.mark.rule("35.4")
def test_35_4_refugees_keep_nato_from_marching_in_west_germany() -> None:
    for turn, so in ((3, True), (4, False)):
        board = a_board({"3223": "27LL"}, a_data("refugees"), side=Side.NATO, turn=turn)
        rules = [found.rule for found in mode_reasons(board, unit(board, "27LL"))]
        assert ("35.4" in rules) is so
    board = a_board({"3223": "27LL"}, a_data("refugees"), side=Side.NATO, turn=1)
    assert_rule(mode_reasons(board, unit(board, "27LL")), "35.4", result=False)


@pytest.mark.rule("12.1", "12.3.1", "8.1.2", "12.2", "24.2.1", "12.3.2")
def test_12_3_the_example_of_the_panzer_brigade() -> None:
    """L1770: 3321 costs 1 point, 3320 costs 2 and 3319 costs 3, the brigade's whole allowance of six."""
    board = a_board({"3322": "2/1PZ", "3219": "16GT", "3318": "21"}, side=Side.NATO)
    found = list(way_reasons(board, unit(board, "2/1PZ"), ["3321", "3320", "3319"], "tactical"))
    assert_rule(found, "12.1", inputs={"hex": "3321"}, result={"clear": 1})
    assert_rule(found, "12.1", inputs={"hex": "3320"}, result={"forest": 1, "entering an enemy zone of control": 1})
    assert_rule(found, "12.2", result=6)
    assert_rule(found, "12.3.1", inputs={"hex": "3319"}, result="goes on")
    assert_rule(found, "8.1.2", inputs={"hex": "3320"}, result=True)
    two = a_board({"3218": "34N", "3219": "7/1A", "3319": "12/1A", "3318": "21"})
    assert_rule(way_reasons(two, unit(two, "34N"), ["3318"], "minimum"), "24.2.1", result=True)
    soft = a_board({"3220": "WG-63", "3219": "16GT", "3319": "21"}, side=Side.NATO)
    assert_rule(way_reasons(soft, unit(soft, "WG-63"), ["3320"], "minimum"), "12.3.2", result=False)
    assert_rule(way_reasons(soft, unit(soft, "WG-63"), ["3120"], "minimum"), "12.3.2", result=True)


@pytest.mark.rule("35.6", "12.8", "25.9.3", "8.1.6", "28.2.3")
def test_35_6_border_troops_the_ferry_and_breakthrough_zones() -> None:
    border = a_board({"2814": "16GT"}, a_data("border"), turn=1)
    assert_rule(way_reasons(border, unit(border, "16GT"), ["2815"], "tactical"), "35.6", result=1)
    later = a_board({"2814": "16GT"}, a_data("border"), turn=2)
    assert "35.6" not in [one.rule for one in way_reasons(later, unit(later, "16GT"), ["2815"], "tactical")]
    ferry = a_board({"1513": "1/Zee"}, side=Side.NATO)
    assert_rule(way_reasons(ferry, unit(ferry, "1/Zee"), ["1514"], "minimum"), "12.8", result=True)
    hole = a_board({"2919": "E8", "3022": "7/1A"}, breakthrough=["2921"])
    unit(hole, "E8").piece.reserve = True
    found = list(way_reasons(hole, unit(hole, "E8"), ["2920", "2921", "2922"], "tactical", reserve=True))
    assert_rule(found, "25.9.3", inputs={"hex": "2922"}, result=True)
    assert_rule(found, "8.1.6", inputs={"hex": "2922"}, result=True)
    assert_rule(found, "28.2.3", result="2922")
