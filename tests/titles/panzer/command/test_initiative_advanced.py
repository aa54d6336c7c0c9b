"""6.3 Initiative in the advanced game."""

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, an_advanced_table
from titles.panzer.builders import run_step

from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.command.initiative import initiative_phase
from pbem.titles.panzer.sequence import SEQUENCE

both_editions = pytest.mark.parametrize("edition", EDITIONS)
UNITS = (a_leg("g1", "C3", "german_rifle_squad"), a_leg("s1", "C9", "soviet_rifle_squad"))


def initiative(german: str, soviet: str, *dice: int, answers=(), edition="2024", **scenario):
    grades = {"german": german, "soviet": soviet}
    given = {"force_grades": grades, **scenario}
    table = an_advanced_table(*UNITS, dice=dice, edition=edition, stage=2, scenario=given)
    return table, run_step(table, initiative_phase(table), answers)


@both_editions
@pytest.mark.rule("6.3", "6.3.1", "6.3.2", "5.8.1")
@pytest.mark.parametrize(
    ("grade", "value"), [("elite", 40), ("veteran", 20), ("seasoned", 0), ("regulars", -20), ("green", -40)]
)
def test_6_3_2_the_force_grade_is_added_to_the_roll(edition, grade, value):
    """L2015-2035: the modifiers are +40, +20, 0, -20 and -40; the total may be below 1 or above 100."""
    table, played = initiative(grade, "seasoned", 70, 60, edition=edition)

    assert table.state.first == ("german" if 70 + value > 60 else "soviet")
    assert table.state.previous_first == table.state.first, "7.9 asks for it in the next turn"
    assert_rule(played.findings, "6.3", inputs={"turn": 1}, result=table.state.first)
    assert_rule(played.findings, "6.3.1", inputs={"choice": "first"}, result=table.state.first)
    found = assert_rule(played.findings, "6.3.2", inputs={"side": "german"}, result=70 + value)
    assert found.modifiers[0]["value"] == value
    assert_rule(played.findings, "5.8.1", inputs={"side": "german"}, result=grade)
    assert table.state.next.name == SEQUENCE[3].step == "air_phase"


@pytest.mark.rule("6.3.1", effect=True)
def test_6_3_1_a_total_may_exceed_100_and_fall_below_0():
    table, played = initiative("elite", "green", 90, 5)
    totals = [found.result for found in played.findings[0].children[0].children]
    assert totals == [130, -35]
    assert table.state.first == "german"


@pytest.mark.rule("6.3.1", effect=True)
@both_editions
def test_6_3_1_a_tie_of_totals_is_rolled_again_unless_the_scenario_gives_it_away(edition):
    table, _ = initiative("veteran", "seasoned", 30, 50, 10, 60, edition=edition)
    assert table.state.first == "soviet"
    table, _ = initiative("veteran", "seasoned", 30, 50, edition=edition, initiative_tie="german")
    assert table.state.first == "german"


@pytest.mark.rule("6.3.1", "6.3", effect=True)
def test_6_3_1_the_winner_may_choose_to_be_second():
    """A-18: the winner may choose to be second; a scenario may take the choice away."""
    table, played = initiative("seasoned", "seasoned", 80, 20, answers={"initiative": "second"})
    assert table.state.first == "soviet"
    assert [(ask.seat, ask.kind, ask.silence) for ask in played.asks] == [("german", "initiative", "first")]
    table, played = initiative("seasoned", "seasoned", 80, 20, initiative_winner="first")
    assert (table.state.first, played.asks) == ("german", [])


@pytest.mark.rule("4.3", "6.3.1", effect=True)
@both_editions
@pytest.mark.rule("6.0")
def test_6_0_fire_goes_first_second_and_movement_second_first(edition):
    """Chapter 40: the sequence of play as reconstructed, from spotting to adjustment."""
    _, played = initiative("seasoned", "seasoned", 20, 80, edition=edition)

    steps = assert_rule(played.findings, "6.0", inputs={"turn": 1}).result
    assert [step for step in steps if step[0] == "direct_fire_step"] == [
        ["direct_fire_step", "soviet"],
        ["direct_fire_step", "german"],
    ]
    assert [side for step, side in steps if step == "movement_step"] == ["german", "soviet"]
    names = list(dict.fromkeys(step for step, _ in steps))
    assert names == [
        "spotting_phase",
        "place_commands",
        "initiative_phase",
        "air_phase",
        "indirect_fire_step",
        "direct_fire_step",
        "overwatch_step",
        "close_combat_step",
        "movement_step",
        "adjustment_phase",
    ]
