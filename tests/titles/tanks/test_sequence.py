"""T1 The turn: when tanks move, shoot and have their Command Phase."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.tanks.builders import a_table, a_tank, opened, run_movement, run_phase, run_step

from pbem.titles.tanks.command.phase import command_phase
from pbem.titles.tanks.phases.initiative import announce, in_sequence
from pbem.titles.tanks.shooting.phase import shoot_next, shooting_phase


def three() -> tuple:
    """Put a1 (Sherman, initiative 6), b1 (Panzer IV, 5) and b2 (StuG, 3) far from each other on an empty table."""
    return a_tank("a1", 1000, 8000), a_tank("b1", 4000, 1000, 180), a_tank("b2", 7000, 1000, 180, "stug-g")


@pytest.mark.rule("T1.1")
def test_T1_1_the_lowest_initiative_moves_first():
    """The StuG (3), the Panzer IV (5) and the Sherman (6) move in this order, one at a time."""
    table = a_table(*three())
    played = run_movement(table)
    assert_rule(played.findings, "T1.1", result=["b2", "b1", "a1"])
    moved = [finding.inputs["tank"] for finding in played.findings if finding.rule == "T5.3"]
    assert moved == ["b2", "b1", "a1"]
    assert table.state.next.name == "shooting_phase"


@pytest.mark.rule("T1.2")
def test_T1_2_the_highest_initiative_shoots_first():
    table = a_table(*three(), dice=[1] * 60)
    played = run_phase(
        table,
        shooting_phase,
        {"shoot_next": shoot_next},
        {
            "shooting alpha": [{"orders": {"a1": [{"targets": ["b1"]}]}}],
            "shooting bravo": [{"orders": {"b1": [{"targets": ["a1"]}], "b2": [{"targets": ["a1"]}]}}],
        },
    )
    assert_rule(played.findings, "T1.2", result=["a1", "b1", "b2"])
    shots = [finding.inputs["shooter"] for finding in played.findings if finding.rule == "T7.1"]
    assert shots == ["a1", "b1", "b2"]
    assert table.state.next.name == "command_phase"


@pytest.mark.rule("T1.3")
@pytest.mark.parametrize("attacker, moves, shoots", [("alpha", "bravo", "alpha"), ("bravo", "alpha", "bravo")])
def test_T1_3_the_attackers_tank_counts_as_the_higher(attacker, moves, shoots):
    """A Sherman and a Jagdpanther both have 6: the attacker moves later and shoots earlier."""
    table = a_table(a_tank("a1", 1000, 8000), a_tank("b1", 4000, 1000, 180, "jagdpanther"), attacker=attacker)
    state = table.state
    assert in_sequence(table, "moving", state.live)[0].seat == moves
    assert in_sequence(table, "shooting", state.live)[0].seat == shoots
    announce(table, "moving")
    assert_rule(table.findings, "T1.3", inputs={"initiative": 6}, result="attacker counts as the higher")


@pytest.mark.rule("T1.3")
def test_T1_3_inside_a_side_the_owner_chooses():
    """Two Shermans at 6 act in the order of their tokens unless ordered otherwise; the order `a2, a1`
    holds in both phases."""
    table = a_table(a_tank("a1", 1000, 8000), a_tank("a2", 3000, 8000), orders={"alpha": {"sequence": ["a2", "a1"]}})
    state = table.state
    for phase in ("moving", "shooting"):
        assert [tank.id for tank in in_sequence(table, phase, state.live)] == ["a2", "a1"]
    announce(table, "moving")
    assert_rule(table.findings, "T1.3", inputs={"tanks": ["a2", "a1"]}, result="the owner chooses")


@pytest.mark.rule("T1.4")
def test_T1_4_destroy_then_victory_then_repair_then_reset():
    """A full tank is destroyed before victory is checked; then repairs are rolled, and tokens go last."""
    table = a_table(
        a_tank("a1", 1000, 8000, criticals=["busted-track"], speed=1),
        a_tank("a2", 3000, 8000, damage=6),
        a_tank("b1", 4000, 1000, 180),
        dice=[4],
    )
    table.state.deck.remove("busted-track")
    played = run_step(table, command_phase(table))
    assert_rule(played.findings, "T1.4", result=["destroy", "victory", "repair", "reset"])
    order = [finding.rule for finding in played.findings if finding.rule.startswith("T8")]
    assert order == ["T8.1", "T8.2", "T8.3", "T8.4"]
    assert table.state.turn == 2 and table.state.next.name == "movement_phase"


@pytest.mark.rule("T1.1")
def test_T1_1_an_open_card_changes_when_a_tank_moves():
    """A Racing Driver (+2 moving) takes the StuG from 3 to 5, still below the Panther with 7."""
    table = a_table(
        a_tank("b1", 4000, 1000, 180, "panther"),
        opened(a_tank("b2", 7000, 1000, 180, "stug-g", cards=["racing-driver"])),
    )
    announce(table, "moving")
    assert_rule(table.findings, "T1.1", inputs={"initiative": {"b2": 5, "b1": 7}}, result=["b2", "b1"])


@pytest.mark.rule("T1.2")
def test_T1_2_a_coordinator_lends_his_initiative():
    """A Panther (7) has a Coordinator, so the StuG (3) shoots at 7 in this phase, ahead of the Sherman's 6."""
    table = a_table(
        a_tank("a1", 1000, 8000),
        a_tank("b1", 4000, 1000, 180, "panther", cards=["coordinator"]),
        a_tank("b2", 7000, 1000, 180, "stug-g"),
    )
    played = run_phase(table, shooting_phase, {}, {"initiative bravo": [[["b1", "coordinator", "b2"]]]})
    assert_rule(played.findings, "T1.2", inputs={"tank": "b2", "from": "b1"}, result=4)
    assert_rule(played.findings, "T1.2", result=["b1", "b2", "a1"])
