"""Orders for many tanks at once: whole lines for a platoon, each accepted without changes."""

from __future__ import annotations

import pytest
from titles.tanks.builders import COMMAND, MOVEMENT, SHOOTING, a_data, a_state, a_tank, read

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Proposal, Wish
from pbem.matches.players.many import expand
from pbem.titles.tanks.title import TanksRules


def table():
    """Three Shermans at the south edge, one with a Busted Track, and two Panzers at the north edge."""
    return a_state(
        a_tank("a1", 2000, 8000),
        a_tank("a2", 3000, 8000, model="sherman-76"),
        a_tank("a3", 4000, 8000, criticals=["busted-track"]),
        a_tank("b1", 2000, 1000, 180),
        a_tank("b2", 8000, 1000, 180, criticals=["jammed-turret", "engine-fire"]),
    )


def proposal(ask: Ask, verb: str, where: str = "", shape: str = "formation") -> Proposal:
    own = ("a1", "a2", "a3") if ask.seat == "alpha" else ("b1", "b2")
    found = TanksRules(a_data()).propose(table(), ask, Wish(own, verb, goal=where, shape=shape))
    if found.lines:
        read(a_data(), table(), ask, "\n".join(found.lines))
    return found


def test_T5_1_a_formation_moves_by_the_same_arrows_and_leaves_out_who_cannot():
    found = proposal(MOVEMENT, "move", "north")
    assert found.lines == ("a1: move 0 then move 0", "a2: move 0 then move 0")
    assert found.left_out == ("a3",) and "a3" in str(found.remarks[0])


def test_T5_1_a_formation_does_not_go_past_its_goal():
    """A formation stops at its goal: its middle goes from 3000/8000 by one arrow and a hull to about 3000/5920."""
    assert proposal(MOVEMENT, "move", "300 590").lines == ("a1: move 0", "a2: move 0")


def test_T5_1_to_one_place_each_tank_goes_its_own_way():
    assert proposal(MOVEMENT, "move", "b1", "hex").lines[0] == "a1: move toward b1 then move toward b1"


def test_T5_4_at_the_edge_a_formation_makes_no_move_that_would_leave_the_table():
    found = proposal(MOVEMENT, "move", "south")
    assert found.lines == () and found.left_out == ("a1", "a2", "a3")


def test_T1_1_tactics_and_targets_for_many():
    assert proposal(MOVEMENT, "hunt", "b1").lines == ("a1: hunt b1", "a2: hunt b1", "a3: hunt b1")
    assert proposal(MOVEMENT, "stay").lines[0] == "a1: stay"
    assert proposal(SHOOTING, "shoot", "b2").lines[0] == "a1: shoot b2"
    assert proposal(SHOOTING, "shoot", "best").lines[2] == "a3: shoot best"


def test_T8_3_the_worst_critical_is_repaired_and_blitzkrieg_goes_by_a_goal():
    found = proposal(COMMAND, "repair")
    assert found.lines == ("b2: repair engine-fire",) and found.left_out == ("b1",)
    assert proposal(COMMAND, "blitz", "south").lines == ("b1: blitz move 180", "b2: blitz move 180")


def test_what_cannot_be_read_is_an_objection_and_nothing_is_proposed():
    found = proposal(MOVEMENT, "move", "nowhere")
    assert found.lines == () and found.objections
    assert proposal(MOVEMENT, "shoot", "b1").left_out == ("a1", "a2", "a3")


def test_a_line_for_the_platoon_leaves_the_orders_of_single_tanks_alone():
    rules = TanksRules(a_data())
    text = expand(rules, table(), MOVEMENT, "a1: stay\ncompany platoon hunt b1")
    assert text.splitlines() == ["a1: stay", "a2: hunt b1", "a3: hunt b1"]
    assert expand(rules, table(), MOVEMENT, "company sherman 75 move north") == "a1: move 0 then move 0"
    with pytest.raises(Refusal):
        expand(rules, table(), MOVEMENT, "company platoon dance")


def test_formations_are_the_platoon_and_models_of_which_there_are_several():
    found = TanksRules(a_data()).formations(table(), "alpha")
    assert [(one.name, one.units) for one in found] == [
        ("Your platoon", ("a1", "a2", "a3")),
        ("Sherman 75", ("a1", "a3")),
    ]
