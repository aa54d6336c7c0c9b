"""3.8 Close combat: the worked examples, odds and Melee."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.aslsk.builders import a_table
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.attacks import combat_objections
from pbem.titles.aslsk.close_combat.phase import combat_hex
from pbem.titles.aslsk.orders import Assault, CombatOrder


def run(table, *answers):
    """Fight the close combat of one hex with these answers, in the order in which they are asked."""
    step, given_answers = combat_hex(table, [table.state.units["g1"].at]), iter(answers)
    ask = next(step)
    try:
        while True:
            ask = step.send(next(given_answers))
    except StopIteration:
        return ask


def against(hex, units, targets):
    return CombatOrder(hex, (Assault(units, targets),))


def in_building(hex, units, dice, **more):
    return a_table(
        units,
        ground=a_ground({"wooden": hex}),
        phase="close_combat",
        dice=dice,
        states={"g1": {"in_cc": True}},
        **more,
    )


@pytest.mark.rule("3.8/ambush", "3.8/attacks", "3.8/melee", "3.2.3/casualty-reduction")
def test_3_8_a_squad_against_conscripts_as_in_the_example():
    """cc-1: there is no ambush (4 against 2); a 5 at 1:1 reduces the conscripts, who still fight at full strength.

    Melee follows.
    """
    table = in_building(
        "F5", {"g1": ("467", "F5"), "r1": ("426", "F5")}, {"3.8/ambush": [2, 3], "3.8/attacks": [2, 3, 4, 5]}
    )
    run(table, against("F5", ("g1",), ("r1",)), against("F5", ("r1",), ("g1",)))
    assert_rule(table.findings, "3.8/ambush", inputs={"finals": {"german": 2, "russian": 4}}, result="no ambush")
    assert_rule(table.findings, "3.8/attacks", inputs={"units": ["g1"], "odds": "1:1"}, cell=5, result="casualties")
    assert_rule(table.findings, "3.8/attacks", inputs={"units": ["r1"], "odds": "1:1"}, result="no effect")
    assert_rule(table.findings, "3.2.3/casualty-reduction", inputs={"unit": "r1"}, result="2-2-6")
    assert_rule(table.findings, "3.8/melee", inputs={"at": "F5"}, result="Melee")


@pytest.mark.rule("3.8/ambush", "3.8/attacks")
def test_3_8_an_ambush_as_in_the_example():
    """cc-5: 4 against 1 is an ambush; the ambusher first reduces the squad, which then fights at 1:2 with +1."""
    table = in_building(
        "I4", {"g1": ("467", "I4"), "r1": ("447", "I4")}, {"3.8/ambush": [4, 1], "3.8/attacks": [2, 4, 2, 3]}
    )
    run(table, against("I4", ("r1",), ("g1",)), against("I4", ("g1",), ("r1",)))
    assert_rule(table.findings, "3.8/ambush", result="russian")
    assert_rule(table.findings, "3.8/attacks", inputs={"units": ["r1"], "odds": "1:1"}, result="casualties")
    assert_rule(table.findings, "3.8/attacks", inputs={"units": ["g1"], "odds": "1:2"}, cell=4, result="no effect")
    assert table.state.melee == ["I4"] and table.situation.name(table.state.units["g1"]) == "2-4-7"


def test_3_8_in_the_open_there_is_no_ambush_and_losses_are_simultaneous():
    table = a_table(
        {"g1": ("467", "F5"), "r1": ("447", "F5")},
        phase="close_combat",
        states={"g1": {"in_cc": True}},
        dice={"3.8/attacks": [1, 2, 1, 3]},
    )
    run(table, against("F5", ("g1",), ("r1",)), against("F5", ("r1",), ("g1",)))
    assert not table.state.units and not table.state.melee


@pytest.mark.rule("3.8/sequence-infantry", effect=True)
@pytest.mark.rule("3.8/attacks")
def test_3_8_nobody_attacks_twice_and_leaders_fight_with_their_squad():
    table = a_table(
        {"g1": ("467", "F5"), "g2": ("467", "F5"), "r1": ("447", "F5"), "rl": ("r 8-1", "F5")}, phase="close_combat"
    )

    def objections(*attacks):
        return list(combat_objections(table.situation, "F5", "german", attacks))

    twice = (Assault(("g1",), ("r1", "rl")), Assault(("g1", "g2"), ("r1", "rl")))
    assert_rule(objections(*twice), "3.8/attacks", why="g1 can attack or be attacked only once")
    assert_rule(objections(Assault(("g1",), ("r1",))), "3.8/attacks", why="rl must defend together with r1")
    assert not objections(Assault(("g1", "g2"), ("r1", "rl")))


@pytest.mark.parametrize(
    ("attack", "defence", "odds"),
    [
        (9, 5, "3:2"),
        (4, 6, "1:2"),
        (5, 4, "1:1"),
        (4, 5, "1:2"),
        (6, 4, "3:2"),
        (1, 9, "less than 1:8"),
        (21, 2, "more than 10:1"),
    ],
)
def test_3_8_odds_are_rounded_in_the_defenders_favour(attack, defence, odds):
    table = a_table({}).situation.data.combat_table
    assert table.write_odds(Fraction(attack), Fraction(defence)) == odds


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 10))
def test_3_8_more_attackers_never_lower_the_kill_number(attack, defence, more):
    table = a_table({}).situation.data.combat_table
    kill = table.kill_number(Fraction(attack), Fraction(defence))
    assert table.kill_number(Fraction(attack + more), Fraction(defence)) >= kill
    assert table.kill_number(Fraction(attack), Fraction(defence + more)) <= kill


@pytest.mark.rule("5.3", "3.8/drm", "3.8/field-promotion-in-cc")
def test_3_8_a_two_may_create_a_leader_who_counts_at_once():
    """In the rulebook's example, a 1:2 attack with a 2 is recomputed with the new leader."""
    table = a_table(
        {"g1": ("467", "F5"), "g2": ("467", "F5"), "r1": ("447", "F5")},
        phase="close_combat",
        attacker="russian",
        dice={"3.8/attacks": [1, 1, 6, 5], "5.3": [1]},
        states={"g1": {"cx": True}},
    )
    table.state.melee = ["F5"]
    run(table, against("F5", ("r1",), ("g1", "g2")), against("F5", ("g1", "g2"), ("r1",)))
    assert_rule(table.findings, "5.3", inputs={"unit": "r1"}, result="8-0")
    found = assert_rule(table.findings, "3.8/attacks", inputs={"units": ["r1", "rx1"], "odds": "1:2"})
    assert [row["text"] for row in found.modifiers] == ["CX target"]
    assert_rule(table.findings, "3.8/attacks", inputs={"targets": ["r1", "rx1"]})
    assert_rule(table.findings, "3.8/drm", result=-1)
    assert_rule(table.findings, "3.8/field-promotion-in-cc", inputs={"unit": "rx1"})
