"""4.3 Initiative Phase: the rolls, ties, the winner's choice, and the resulting player order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.builders import a_table, a_vehicle, run_step, run_steps, shoot

from pbem.engine.rules.refusals import Unreadable
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.command.initiative import check_initiative, initiative_options, initiative_phase, own_roll
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.state import Command, Status

both_editions = pytest.mark.parametrize("edition", EDITIONS)
SIDES = ("german", "soviet")


@pytest.mark.rule("4.3", "4.3.1", "4.3.2", "3.1")
@both_editions
def test_4_3_1_the_higher_roll_wins_and_without_a_choice_is_first_player(edition):
    """L790-796, A-18: a winner who makes no choice is First Player."""
    table = a_table(sides=SIDES, dice=[41, 73], edition=edition)

    played = run_step(table, initiative_phase(table))

    assert played.sequence == [("soviet", "initiative")]
    assert (table.state.first, table.state.second) == ("soviet", "german")
    assert table.chance.rolled == [("4.3.1", ("german",)), ("4.3.1", ("soviet",))]
    assert_rule(played.findings, "4.3", result="soviet")
    assert_rule(played.findings, "4.3.1", inputs={"choice": "first"}, result="soviet")
    assert_rule(played.findings, "3.1", inputs={"side": "german"}, dice=(41,))
    assert_rule(played.findings, "4.3.2", inputs={"fire": ["soviet", "german"], "movement": ["german", "soviet"]})
    assert (table.state.next.name, table.state.next.args) == ("direct_fire_step", {"side": "soviet"})


@pytest.mark.rule("4.3.1", "4.3", effect=True)
@both_editions
def test_4_3_1_the_winner_may_choose_to_be_second_player(edition):
    """A-18, 2016:L955, L1418: the higher roller may choose to be Second Player, who moves first."""
    table = a_table(sides=SIDES, dice=[73, 41], edition=edition)

    run_step(table, initiative_phase(table), ["second"])

    assert table.state.first == "soviet"


@pytest.mark.rule("4.3.1", effect=True)
def test_4_3_1_a_scenario_may_make_the_higher_roller_first_player_without_a_choice():
    table = a_table(sides=SIDES, dice=[73, 41], scenario={"initiative_winner": "first"})

    assert run_step(table, initiative_phase(table)).asks == []
    assert table.state.first == "german"


@pytest.mark.rule("4.3", effect=True)
@pytest.mark.rule("4.3.1")
@both_editions
def test_4_3_1_a_tie_is_rolled_again(edition):
    """L790-796: if the initiative rolls are equal, both sides roll again."""
    table = a_table(sides=SIDES, dice=[50, 50, 7, 7, 8, 9], edition=edition)

    played = run_step(table, initiative_phase(table))

    determined = assert_rule(played.findings, "4.3.1", result="soviet")
    assert [child.result for child in determined.children] == [50, 50, 7, 7, 8, 9]


@pytest.mark.rule("4.3.1", effect=True)
def test_4_3_1_a_scenario_may_give_the_tie_to_a_side():
    """L790-796: a special condition may decide ties instead of a second roll."""
    table = a_table(sides=SIDES, dice=[50, 50], scenario={"initiative_tie": "soviet"})

    run_step(table, initiative_phase(table))

    assert table.state.first == "soviet"


@pytest.mark.rule("3.2")
@pytest.mark.parametrize(("die", "tens", "units"), [(27, 2, 7), (1, 0, 1), (100, 0, 0), (30, 3, 0)])
def test_3_2_both_dice_of_a_roll_are_kept(die, tens, units):
    """L396, 2016:L551: 2 and 7 are read as 27, 0 and 1 as 1, and 0 and 0 as 100."""
    assert_rule(own_roll("german", die), "3.2", inputs={"tens": tens, "units": units}, result=die)


@pytest.mark.rule("4.3.1")
def test_4_3_1_the_choice_is_first_or_second():
    assert [check_initiative(option) for option in initiative_options()] == ["first", "second"]
    with pytest.raises(Unreadable) as caught:
        check_initiative("german")
    assert_rule(caught.value, "4.3.1")


@pytest.mark.rule("4.3.2", "4.4.3.2.6/ko")
@both_editions
def test_4_3_2_a_vehicle_knocked_out_by_the_first_player_never_fires(edition):
    """L802, 2016:L965: a vehicle knocked out before it fires loses its Fire command."""
    first = a_vehicle("g1", "E5", facing=4, command=Command.FIRE)
    second = a_vehicle("s1", "E8", facing=1, command=Command.FIRE)
    table = a_table(first, second, sides=SIDES, dice=[90, 10, 1], edition=edition)

    findings = run_step(table, initiative_phase(table)).findings
    played = run_steps(table, {"direct_fire_step": direct_fire_step}, {("german", "fire"): [shoot("s1", "g1")]})

    assert_rule(findings, "4.3.2")
    assert_rule(played.findings, "4.4.3.2.6/ko", inputs={"unit": "s1"})
    assert second.status is Status.ELIMINATED
    assert not second.fired
    assert [ask.silence for ask in played.asked("fire", "soviet")] == [None]


@given(st.integers(1, 100), st.integers(1, 100), st.sampled_from(["first", "second"]))
def test_4_3_1_the_loser_never_decides(german, soviet, choice):
    if german == soviet:
        return
    table = a_table(sides=SIDES, dice=[german, soviet])
    winner, loser = ("german", "soviet") if german > soviet else ("soviet", "german")

    played = run_step(table, initiative_phase(table), [choice])

    assert [ask.seat for ask in played.asks] == [winner]
    assert table.state.first == (winner if choice == "first" else loser)
