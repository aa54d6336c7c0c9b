"""T8 Command Phase: destroy, victory, repair, reset."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.tanks.builders import a_data, a_state, a_table, a_tank, check, run_step

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.tanks.cards.criticals import new_deck
from pbem.titles.tanks.command.phase import command_phase
from pbem.titles.tanks.data_set import Objective
from pbem.titles.tanks.state import Holding, Status


def two(a=None, b=None):
    return a_tank("a1", 4500, 8000, **(a or {})), a_tank("b1", 4500, 1000, 180, **(b or {}))


@pytest.mark.rule("T8.1", "T6.4", "T2.5")
def test_T8_1_a_full_tank_becomes_a_wreck_and_its_criticals_go():
    """A Sherman (hull 6) has 6 damage and a Busted Track; a2, with 5, survives."""
    table = a_table(*two(a={"damage": 6, "criticals": ["busted-track"]}), a_tank("a2", 2000, 8000, damage=5))
    table.state.deck.remove("busted-track")
    played = run_step(table, command_phase(table))
    assert_rule(played.findings, "T8.1", inputs={"tank": "a1", "damage": 6}, result="wreck")
    assert_rule(played.findings, "T6.4", inputs={"tank": "a1"}, result="impassable")
    assert_rule(played.findings, "T2.5", inputs={"token": "destroyed"}, result="a1")
    tanks = table.state.tanks
    assert (tanks["a1"].status, tanks["a1"].criticals, tanks["a2"].status) == (Status.WRECK, [], Status.LIVE)
    assert sorted(table.state.deck) == sorted(new_deck(a_data()))


def test_T8_1_improvised_armour_turned_up_in_time_saves_the_tank():
    """With hull 5 + 1, a tank with five damage is not destroyed."""
    table = a_table(*two(b={"damage": 5}), a_tank("b2", 2000, 1000, cards=["improvised-armour"], damage=5))
    run_step(table, command_phase(table), {"hold-out b2": [["improvised-armour"]]})
    assert table.state.tanks["b1"].status is Status.WRECK
    assert table.state.tanks["b2"].live


def test_T2_3_a_tank_on_fire_burns_before_it_is_asked_whether_it_is_destroyed():
    """With four damage and a fire, the tank takes its fifth damage and becomes a wreck."""
    table = a_table(*two(b={"damage": 4, "criticals": ["engine-fire"]}))
    table.state.deck.remove("engine-fire")
    run_step(table, command_phase(table))
    assert table.state.tanks["b1"].status is Status.WRECK


@pytest.mark.rule("T8.2")
@pytest.mark.parametrize("a, b, winner", [(6, 0, "bravo"), (0, 5, "alpha"), (6, 5, None)])
def test_T8_2_who_has_no_tank_left_loses_and_both_at_once_is_a_draw(a, b, winner):
    table = a_table(*two(a={"damage": a}, b={"damage": b}))
    played = run_step(table, command_phase(table))
    assert_rule(played.findings, "T8.2", result=winner or "draw")
    assert (table.state.outcome.rule, table.state.outcome.winner, table.state.next) == ("T8.2", winner, None)


@pytest.mark.rule("T8.2")
def test_T8_2_an_objective_held_alone_for_two_turns_wins():
    """The token is at 450/400 mm; the Sherman at 4500/5700 (front at 5410) is 1410 from it, within an arrow."""
    objective = Objective(id="crossing", at=(450, 400), hold=2)
    table = a_table(
        a_tank("a1", 4500, 5700), two()[1], scenario={"objective": (objective,)}, holdings={"crossing": Holding()}
    )
    played = run_step(table, command_phase(table))
    assert_rule(played.findings, "T8.2", inputs={"objective": "crossing", "turns": 1, "needed": 2}, result="alpha")
    assert table.state.outcome is None
    run_step(table, command_phase(table))
    assert (table.state.outcome.winner, table.state.outcome.why) == ("alpha", "crossing is held")


@pytest.mark.rule("T8.2")
@pytest.mark.parametrize(
    "a, b, holder, turns",
    [
        ((4500, 5790), (4500, 1000), "alpha", 1),  # its front at 5500 is 1500 from the token
        ((4500, 5791), (4500, 1000), "nobody", 0),  # a tenth too far
        ((4500, 5700), (4500, 2300), "nobody", 0),  # both sides are near, so it is contested
        ((4500, 8000), (4500, 2300), "bravo", 1),  # the defender does, and that wins nothing
    ],
)
def test_T8_2_an_objective_is_held_by_who_alone_is_within_an_arrow(a, b, holder, turns):
    """An objective is held by the side that alone is within an arrow of its token, here at 4500/4000."""
    objective = Objective(id="crossing", at=(450, 400), hold=1)
    tanks = a_tank("a1", *a), a_tank("b1", *b, 180)
    table = a_table(*tanks, scenario={"objective": (objective,)}, holdings={"crossing": Holding("alpha", 0)})
    played = run_step(table, command_phase(table))
    assert_rule(played.findings, "T8.2", inputs={"objective": "crossing", "turns": turns}, result=holder)
    assert (table.state.outcome is not None) is (holder == "alpha")


@pytest.mark.rule("T8.2")
def test_T8_2_an_objective_lost_in_between_is_counted_anew():
    """An objective held once, then contested, then held again has been held for one turn, not two."""
    objective = Objective(id="crossing", at=(450, 400), hold=2)
    table = a_table(*two(), scenario={"objective": (objective,)}, holdings={"crossing": Holding()})
    for y, turns in ((5700, 1), (8000, 0), (5700, 1)):
        table.state.tanks["a1"].at = Point(4500, y)
        table.findings.clear()
        run_step(table, command_phase(table))
        assert_rule(table.findings, "T8.2", inputs={"objective": "crossing", "turns": turns})
    assert table.state.outcome is None


def test_T8_2_after_the_last_turn_an_objective_not_taken_is_lost():
    objective = Objective(id="crossing", at=(450, 400), hold=2)
    holdings = {"crossing": Holding()}
    table = a_table(*two(), scenario={"objective": (objective,)}, holdings=holdings, turn=10)
    run_step(table, command_phase(table))
    assert (table.state.outcome.winner, table.state.outcome.why) == ("bravo", "the objective was not taken in time")


def test_T8_2_after_the_last_turn_the_dearer_losses_lose():
    """On turn 10 of 10 alpha has lost a Sherman of 20 points with a card of 2, and bravo nothing, so bravo wins."""
    wreck = a_tank("a2", 2000, 8000, status=Status.WRECK, cards=["superb-commander"])
    table = a_table(*two(), wreck, turn=10)
    run_step(table, command_phase(table))
    assert (table.state.outcome.winner, table.state.outcome.why) == ("bravo", "points lost: 22 and 0")


@pytest.mark.rule("T8.3")
@pytest.mark.parametrize("die, left", [(3, ["injured-crew"]), (4, [])])
def test_T8_3_four_or_more_repairs_one_card_and_damage_stays(die, left):
    table = a_table(*two(a={"damage": 1, "criticals": ["injured-crew"]}), dice=[die])
    table.state.deck.remove("injured-crew")
    played = run_step(table, command_phase(table))
    result = "not repaired" if left else "repaired"
    assert_rule(played.findings, "T8.3", inputs={"critical": "injured-crew", "needed": 4}, dice=(die,), result=result)
    assert (table.state.tanks["a1"].criticals, table.state.tanks["a1"].damage) == (left, 1)


@pytest.mark.rule("T8.3")
def test_T8_3_one_card_a_turn_chosen_by_the_owner():
    """There are two cards and one die: the owner repairs the turret, although the default would be the track."""
    table = a_table(*two(a={"criticals": ["busted-track", "jammed-turret"]}), dice=[6])
    played = run_step(table, command_phase(table), {"command alpha": [{"a1": {"repair": "jammed-turret"}}]})
    assert_rule(played.findings, "T8.3", inputs={"critical": "jammed-turret"}, result="repaired")
    assert table.state.tanks["a1"].criticals == ["busted-track"]
    with pytest.raises(Refusal) as refused:
        check(a_data(), a_state(*two()), Ask("alpha", "command", "T8.3"), {"a1": {"repair": "engine-fire"}})
    assert_rule(refused.value, "T8.3", why="a1 has no engine-fire to repair")


def test_T2_2_a_tool_kit_rolls_a_failed_repair_again():
    table = a_table(*two(a={"criticals": ["busted-track"]}), dice=[1, 5])
    table.state.tanks["a1"].cards = a_tank("a9", 0, 0, cards=["tool-kit"]).cards
    run_step(table, command_phase(table), {"mend": [["tool-kit"]]})
    assert table.state.tanks["a1"].criticals == []


def test_T2_2_oktyabrskaya_repairs_a_track_whatever_she_rolls():
    table = a_table(
        a_tank("a1", 4500, 8000, 0, "t-34", cards=["oktyabrskaya"], criticals=["busted-track"]), two()[1], dice=[1]
    )
    run_step(table, command_phase(table))
    assert table.state.tanks["a1"].criticals == [] and table.state.tanks["a1"].cards[0].up


@pytest.mark.rule("T8.4")
def test_T8_4_tokens_off_and_discards_back_into_the_deck():
    table = a_table(*two(a={"speed": 2}), discards=["spalling", "spalling"])
    for _ in "xx":
        table.state.deck.remove("spalling")
    played = run_step(table, command_phase(table))
    assert_rule(played.findings, "T8.4", inputs={"speed": ["a1"], "shuffled": 2}, result=28)
    assert (table.state.discards, table.state.tanks["a1"].speed) == ([], 0)
    assert sorted(table.state.deck) == sorted(new_deck(a_data()))
