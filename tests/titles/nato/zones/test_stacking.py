"""9 Stacking limits, and when they are tested."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board, a_table, board_on

from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.movement.phase import enforce_stacking
from pbem.titles.nato.zones.stacking import room, stack_objections


@pytest.mark.rule("9.1.1")
def test_9_1_1_four_maneuver_steps_one_artillery_and_one_headquarters_fit() -> None:
    """L1356: four NATO brigades or two full divisions fit, with one unit of each of the other kinds."""
    full = a_board({"3116": "16GT 21 34N NEGF", "3220": "12/1A 22/1A 7/1A 11/4A BR-I"})

    assert not list(stack_objections(full, "3116", Side.WP)) and not list(stack_objections(full, "3220", Side.NATO))
    assert room(full, "3116", Side.WP) == 0
    assert_rule(stack_objections(a_board({"3116": "16GT 21 221T"}), "3116", Side.WP), "9.1.1")
    assert_rule(stack_objections(a_board({"3116": "34N 34S"}), "3116", Side.WP), "9.1.1")


@pytest.mark.rule("29.1")
def test_29_1_two_headquarters_do_not_stack() -> None:
    assert_rule(stack_objections(a_board({"3116": "NEGF SEGF"}), "3116", Side.WP), "29.1")


@pytest.mark.rule("9.1.3")
def test_9_1_3_what_still_exceeds_the_limit_at_the_end_of_the_movement_phase_is_eliminated() -> None:
    table = a_table({"3220": "12/1A 22/1A 7/1A 11/4A 6/3A"}, side=Side.NATO)
    enforce_stacking(table, board_on(table), Side.NATO)

    assert_rule(table.findings, "9.1.3", inputs={"unit": "6/3A"}, result="eliminated")
    assert room(board_on(table), "3220", Side.NATO) == 0
