"""T9 Keywords: worked examples. T9.1 is tested in `test_shooting`, with the arc."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.tanks.builders import a_data, a_state, a_table, a_tank, check, run_step, shoot

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.tanks.command.phase import command_phase
from pbem.titles.tanks.movement.moves import allowance, carry_out
from pbem.titles.tanks.player.orders import Move, MoveOrder

COMMAND = Ask("bravo", "command", "T8.3")


@pytest.mark.rule("T9.1")
def test_T9_1_a_shot_of_an_assault_gun_says_so():
    table = a_table(a_tank("a1", 6000, 5000, 270), a_tank("b1", 1000, 5000, 90, "jagdpanther"), dice=[1] * 7)
    assert_rule(shoot(table, "b1", "a1").findings, "T9.1", result="forward arc")


@pytest.mark.rule("T9.2")
def test_T9_2_blitzkrieg_moves_instead_of_a_repair():
    """A Panzer IV (295 by 145 from its centre) heads south at 4500/1000 and moves 295 + 1500 + 295 = 2090.

    Its turret stays jammed, and no die is rolled.
    """
    table = a_table(a_tank("a1", 4500, 8000), a_tank("b1", 4500, 1000, 180, criticals=["jammed-turret"]))
    played = run_step(table, command_phase(table), {"command bravo": [{"b1": {"move": {"way": 180}}}]})
    assert_rule(played.findings, "T9.2", inputs={"tank": "b1"}, result="moves instead of a repair")
    tank = table.state.tanks["b1"]
    assert (tuple(tank.at), tank.speed, tank.criticals) == ((4500, 3090), 0, ["jammed-turret"])


@pytest.mark.rule("T9.2")
def test_T9_2_only_with_the_keyword_and_not_both():
    state = a_state(a_tank("a1", 4500, 8000), a_tank("b1", 4500, 1000, 180, criticals=["jammed-turret"]))
    for ask, order, why in (
        (
            Ask("alpha", "command", "T8.3"),
            {"a1": {"move": {"way": 0}}},
            "only a tank with Blitzkrieg can move in the Command Phase",
        ),
        (COMMAND, {"b1": {"move": {"way": 180}, "repair": "jammed-turret"}}, "a tank can move or repair, not both"),
    ):
        with pytest.raises(Refusal) as refused:
            check(a_data(), state, ask, order)
        assert_rule(refused.value, "T9.2", why=why)


def test_T9_2_the_command_phase_waits_only_where_somebody_may_use_blitzkrieg():
    """The wait for Blitzkrieg reveals nothing, because the keyword and the criticals are public."""
    for model, criticals, waits in (
        ("panzer-iv", [], True),
        ("panzer-iv", ["busted-track"], False),
        ("t-34", [], False),
    ):
        table = a_table(a_tank("a1", 4500, 8000), a_tank("b1", 4500, 1000, 180, model, criticals=criticals), dice=[1])
        played = run_step(table, command_phase(table))
        assert {ask.grade == "order" for ask in played.asked("command")} == {waits}


@pytest.mark.rule("T9.3")
@pytest.mark.parametrize("y, gain", [(6760, 1), (6761, 0)])
def test_T9_3_one_die_more_if_a_friend_within_an_arrow_shot_at_the_target(y, gain):
    """A friend helps from within an arrow: the gap from 5110 to y - 150 is 1500 when the second T-34 is at y 6760."""
    table = a_table(
        a_tank("a1", 1000, 4960, 90, "t-34"),
        a_tank("a2", 1000, y, 90, "t-34"),
        a_tank("b1", 6000, 5000, 270),
        dice=[1] * 24,
        shots=[("a1", "b1")],
    )
    played = shoot(table, "a2", "b1")
    rolled = [finding.dice for finding in played.findings if finding.rule == "T7.4" and finding.dice]
    assert len(rolled[0]) == 4 + gain
    table.state.tanks["a2"].at = Point(1000, 6760)
    table.findings.clear()
    played = shoot(table, "a2", "b1")
    assert_rule(played.findings, "T9.3", inputs={"text": "coordinated with a1"}, result=1)


def test_T9_3_not_for_another_target_and_not_without_the_keyword():
    """The first shot of a hero's own tank does not help its second attack."""
    for model, by, at in (("t-34", "a1", "b2"), ("sherman-75", "a1", "b1"), ("t-34", "a2", "b1")):
        table = a_table(
            a_tank("a1", 1000, 5000, 90, model),
            a_tank("a2", 1000, 6000, 90, model),
            a_tank("b1", 6000, 5000, 270),
            a_tank("b2", 6000, 7000, 270),
            dice=[1] * 12,
            shots=[(by, at)],
        )
        played = shoot(table, "a2", "b1")
        assert not any(finding.rule == "T9.3" for parent in played.findings for finding in parent.children)


@pytest.mark.rule("T9.4")
def test_T9_4_a_fast_tank_makes_three_moves():
    """A T-34 moves north from y 8500 by 3 x (295 + 1500 + 295) = 6270, to y 2230, with speed 3."""
    table = a_table(a_tank("a1", 4500, 8500, 0, "t-34"))
    carry_out(table, table.state.tanks["a1"], MoveOrder([Move(0)] * 3))
    assert_rule(table.findings, "T9.4", inputs={"tank": "a1"}, result=3)
    assert (table.state.tanks["a1"].at.y, table.state.tanks["a1"].speed) == (2230, 3)


@pytest.mark.rule("T9.4")
def test_T9_4_not_without_the_keyword_nor_under_improvised_armour():
    assert allowance(a_data(), a_tank("a1", 0, 0, model="t-34", cards=["improvised-armour"])) == 2
    state = a_state(a_tank("a1", 4500, 8000))
    with pytest.raises(Refusal) as refused:
        check(a_data(), state, Ask("alpha", "movement", "T1.1"), {"orders": {"a1": [{"moves": [{"way": 0}] * 3}]}})
    assert_rule(refused.value, "T9.4", why="only a Fast tank can make three moves")


@pytest.mark.rule("T9.5")
@pytest.mark.parametrize("speed, dice", [(0, 1), (1, 1), (2, 2)])
def test_T9_5_gung_ho_takes_one_off_the_shooters_own_speed(speed, dice):
    """A Panzer IV (defence 1) against a Sherman with speed 0, 1 or 2 rolls 1 + 0, 1 + 0 or 1 + 1 dice."""
    table = a_table(a_tank("a1", 1000, 5000, 90, speed=speed), a_tank("b1", 6000, 5000, 270), dice=[1] * 8)
    played = shoot(table, "a1", "b1")
    assert_rule(played.findings, "T7.6", result=dice)
    moved = a_table(a_tank("a1", 1000, 5000, 90, speed=2), a_tank("b1", 6000, 5000, 270), dice=[1] * 8)
    assert_rule(shoot(moved, "a1", "b1").findings, "T9.5", inputs={"speed": 2, "counted": 1}, result=1)


@pytest.mark.rule("T9.5")
def test_T9_5_only_with_the_keyword_and_only_for_the_shooter():
    """A Panzer IV that has moved counts its speed in full, 1 + 2; so does a Sherman that is shot at."""
    moved = {"speed": 2}
    table = a_table(a_tank("a1", 1000, 5000, 90), a_tank("b1", 6000, 5000, 270, **moved), dice=[1] * 8)
    played = shoot(table, "b1", "a1")
    assert_rule(played.findings, "T7.6", result=3)
    assert not any(finding.rule == "T9.5" for finding in every(played.findings))
    target = a_table(a_tank("a1", 1000, 5000, 90, **moved), a_tank("b1", 6000, 5000, 270), dice=[1] * 20)
    assert_rule(shoot(target, "b1", "a1").findings, "T7.6", result=3)
    still = a_table(a_tank("a1", 1000, 5000, 90), a_tank("b1", 6000, 5000, 270), dice=[1] * 8)
    assert not any(finding.rule == "T9.5" for finding in every(shoot(still, "a1", "b1").findings))
    assert_rule(shoot(target, "a1", "b1").findings, "T9.5", result=1)


@pytest.mark.rule("T9.6")
def test_T9_6_semi_indirect_fire_keeps_one_die():
    """A Sherman V rolls 6 1 1 1 and keeps the six; the other three become 5 5 1, which makes two hits and a critical.

    The Panzer's 4 makes the shooter give up a hit; card 19 is Spalling: 1 + 1 damage.
    """
    table = a_table(
        a_tank("a1", 1000, 5000, 90, "sherman-v"), a_tank("b1", 6000, 5000, 270), dice=[6, 1, 1, 1, 5, 5, 1, 4, 19]
    )
    played = shoot(table, "a1", "b1", {"reroll": [{"by": "stationary", "dice": [1, 2, 3], "keeps": 1}]})
    assert_rule(played.findings, "T9.6", inputs={"kept": 1, "dice": [1, 2, 3]}, result="rolled again")
    assert table.state.tanks["b1"].damage == 2


@pytest.mark.rule("T9.6")
def test_T9_6_keeps_one_and_no_more_unless_ekins_is_aboard():
    about = {"dice": [6, 6, 1, 1], "again": False, "fours": 4}
    ask = Ask("alpha", "reroll", "T7.5", subject="a1", about=about)
    wish = {"by": "stationary", "dice": [2, 3]}
    with pytest.raises(Refusal) as refused:
        check(a_data(), a_state(a_tank("a1", 1000, 5000, 90, "sherman-v")), ask, wish)
    assert_rule(refused.value, "T9.6", why="the tank may keep at most 1 of its dice")
    aboard = a_state(a_tank("a1", 1000, 5000, 90, "sherman-v", cards=["ekins"]))
    assert check(a_data(), aboard, ask, wish)["keeps"] == 2


def test_server_a_big_gun_turns_one_hit_into_a_critical():
    """An ISU-152 (attack 5) turns its one hit into a critical; card 28 is Lost Bearings: 1 damage, no speed token."""
    table = a_table(
        a_tank("a1", 1000, 5000, 90, "isu-152"),
        a_tank("b1", 6000, 5000, 270, speed=1),
        dice=[4, 1, 1, 1, 1, 1, 1, 28],
    )
    shoot(table, "a1", "b1", {"convert": [["big-gun"]]})
    assert (table.state.tanks["b1"].damage, table.state.tanks["b1"].speed) == (1, 0)
