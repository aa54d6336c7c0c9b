"""T6, T7 Terrain and shooting: worked examples with their arithmetic. Lengths are in tenths of a millimetre."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.tanks.builders import (
    a_data,
    a_piece,
    a_state,
    a_table,
    a_tank,
    check,
    from_plan,
    from_standing_orders,
    run_step,
    shoot,
)

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.tanks.bots.prospects import best_targets
from pbem.titles.tanks.ground.sighting import can_see, target_objections, targets
from pbem.titles.tanks.movement.moves import make_move
from pbem.titles.tanks.player.orders import Move
from pbem.titles.tanks.shooting.phase import shoot_next, shooting_phase, target_for
from pbem.titles.tanks.shooting.shots import defence_dice, shot_at
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Status

ASK = Ask("alpha", "shooting", "T1.2")
SHOOTER = (1000, 5000, 90)
TARGET = (5000, 5000, 270)


def facing(*pieces, a=None, b=None, **more):
    """Put a Sherman at 1000/5000 and a Panzer IV at 5000/5000, nose to nose.

    The Panzer's hull covers x 4705 to 5295, y 4855 to 5145.
    """
    return a_state(a_tank("a1", *SHOOTER, **(a or {})), a_tank("b1", *TARGET, **(b or {})), pieces=pieces, **more)


def objections(state):
    return list(target_objections(Situation(a_data(), state), state.tanks["a1"], state.tanks["b1"]))


def the_shot(state):
    return shot_at(Situation(a_data(), state), state.tanks["a1"], state.tanks["b1"])


# --- T7.1 to T7.3 --------------------------------------------------------------------------------------------


@pytest.mark.rule("T7.1")
def test_T7_1_any_enemy_in_sight_at_any_range():
    """The tanks are in opposite corners of the table; a friendly tank is not a target."""
    table = a_table(a_tank("a1", 400, 400, 90), a_tank("a2", 400, 4000), a_tank("b1", 8600, 8600, 270), dice=[1] * 5)
    assert targets(table, table.state.tanks["a1"]) == ["b1"]
    played = shoot(table, "a1", "b1")
    assert_rule(played.findings, "T7.1", inputs={"shooter": "a1", "target": "b1"}, result="target")
    with pytest.raises(Refusal) as refused:
        check(table.data, table.state, ASK, {"orders": {"a1": [{"targets": ["a2"]}]}})
    assert_rule(refused.value, "T7.1", why="the target is not an enemy")


@pytest.mark.rule("T7.2", "T6.1")
def test_T7_2_a_building_blocks_sight_and_the_refusal_says_which():
    """The building at 3000/5000 covers x 2750 to 3250 and y 4700 to 5300.

    The lines from 1000/5000 to the Panzer's corners are at most 145 x 1750 / 3705 = 68 off the middle at its face,
    well within 300.
    """
    state = facing(a_piece("building-1", 3000, 5000))
    found = objections(state)
    assert_rule(found, "T7.2", why="no part of the target can be seen")
    assert_rule(found, "T6.1", why="building-1 blocks the line of sight")
    with pytest.raises(Refusal) as refused:
        check(a_data(), state, ASK, {"orders": {"a1": [{"targets": ["b1"]}]}})
    assert refused.value.instead == ("a1: hold",)


@pytest.mark.rule("T7.2")
def test_T7_2_a_slit_that_shows_only_the_middle_is_enough():
    """The Panzer stands across (x 4855 to 5145, y 4705 to 5295), and two buildings at x 3000 leave y 4900 to 5100
    open.

    To its near corners the lines are 295 x 1750 / 3855 = 134 off the middle at x 2750, so they are blocked; to its
    far corners they are 295 x 2250 / 4145 = 160 off at x 3250, and blocked too. Straight ahead the middle of its side
    is seen, so it is a target in full cover.
    """
    state = a_state(
        a_tank("a1", *SHOOTER),
        a_tank("b1", 5000, 5000, 0),
        pieces=[a_piece("building-1", 3000, 4600), a_piece("building-2", 3000, 5400)],
    )
    assert objections(state) == []
    assert the_shot(state).hidden == [0, 1, 2, 3]
    table = a_table(*state.tanks.values(), pieces=state.pieces, dice=[1] * 6)
    assert_rule(shoot(table, "a1", "b1").findings, "T7.2", inputs={"front": False}, result="seen")


def test_T7_2_a_line_that_only_touches_a_corner_is_not_blocked():
    """The building's south side is at y 4855, level with the Panzer's hull, so all of the hull is seen."""
    state = facing(a_piece("building-1", 3000, 4555))
    assert the_shot(state).hidden == []


def test_T7_2_another_tank_blocks_sight_whoever_owns_it():
    """A friendly tank across the line (x 3000, heading 0: y 4710 to 5290) hides the Panzer as a building would."""
    state = facing()
    state.tanks["a2"] = a_tank("a2", 3000, 5000, 0)
    assert [objection.english for objection in objections(state)] == [
        "no part of the target can be seen",
        "a2 blocks the line of sight",
    ]


@pytest.mark.rule("T6.2")
def test_T6_2_a_wood_blocks_sight_through_it_but_not_into_or_out_of_it():
    """A wood at 3000/5000 covers x 2600 to 3400 and hides a tank behind it.

    With the wood at x 4600 (4200 to 5000) the Panzer is in it and is seen; with the wood at 1300 (900 to 1700) the
    Sherman is in it and sees out.
    """
    blocked = facing(a_piece("wood-1", 3000, 5000))
    assert_rule(objections(blocked), "T6.2", why="wood-1 blocks the line of sight")
    assert objections(facing(a_piece("wood-1", 4600, 5000))) == []
    assert objections(facing(a_piece("wood-1", 1300, 5000))) == []


@pytest.mark.rule("T6.2", "T7.7")
def test_T6_2_a_tank_in_a_wood_has_cover():
    """A wood behind the Panzer begins at x 5200, so only its two far corners (x 5295) are in it and hidden.

    It still has cover, because part of it is in the wood, so it has one more die.
    """
    state = facing(a_piece("wood-1", 5600, 5000))
    table = a_table(*state.tanks.values(), pieces=state.pieces, dice=[1] * 6)
    played = shoot(table, "a1", "b1")
    assert_rule(played.findings, "T6.2", inputs={"tank": "b1"}, result="cover")
    assert_rule(played.findings, "T7.7", inputs={"hidden": 2}, result=True)
    assert_rule(played.findings, "T7.6", result=2)


@pytest.mark.rule("T6.2")
@pytest.mark.parametrize("x, cover", [(5695, True), (5696, False)])
def test_T6_2_a_tank_at_the_edge_of_a_wood_has_cover(x, cover):
    """The Panzer's rear is at x 5295, and a wood extends 400: with the wood at 5695 they touch, but at
    5696 they do not."""
    state = facing(a_piece("wood-1", x, 5000))
    assert the_shot(state).cover is cover and the_shot(state).hidden == []
    table = a_table(*state.tanks.values(), pieces=state.pieces, dice=[1] * 6)
    played = shoot(table, "a1", "b1")
    assert_rule(played.findings, "T7.6", result=2 if cover else 1)
    blocked = facing(a_piece("wood-1", 3000, 5000))
    assert_rule(objections(blocked), "T6.2", why="wood-1 blocks the line of sight")


@pytest.mark.rule("T6.3")
def test_T6_3_impassable_ground_hides_nothing_and_lets_nobody_in():
    """Sight passes over impassable ground; a move of b1 stops with its centre at x 3300 (its east side) + 295."""
    state = facing(a_piece("impassable-1", 3000, 5000))
    assert objections(state) == [] and the_shot(state).hidden == []
    table = a_table(*state.tanks.values(), pieces=state.pieces)
    make_move(table, table.state.tanks["b1"], Move(270))
    assert table.state.tanks["b1"].at.x == 3595
    assert_rule(table.findings, "T6.3", result="impassable")


@pytest.mark.rule("T6.4", "T6.1")
def test_T6_4_a_wreck_blocks_and_gives_cover_like_a_building():
    """A wrecked Sherman across the line at x 3000 (y 4710 to 5290) blocks sight.

    Farther south, with its north end at y 4936, it hides both southern corners and the far northern one, whose line
    is 145 x 1870 / 4295 = 63 north of the middle at its west side x 2870, that is at y 4937. For the near corner the
    line is 145 x 1870 / 3705 = 73 north, at y 4927.
    """
    across = facing()
    across.tanks["a2"] = a_tank("a2", 3000, 5000, 0, status=Status.WRECK)
    assert_rule(objections(across), "T6.4", why="a2 blocks the line of sight")
    assert_rule(objections(facing(a_piece("building-1", 3000, 5000))), "T6.1")
    across.tanks["a2"].at = Point(3000, 4936 + 290)
    assert objections(across) == [] and len(the_shot(across).hidden) == 3 and the_shot(across).cover


@pytest.mark.rule("T7.3", "T9.1")
@pytest.mark.parametrize("y, legal", [(5014, True), (5015, False)])
def test_T7_3_an_assault_gun_shoots_only_ahead_of_its_hull_front(y, legal):
    """A StuG at 5000/5000 heads north, so the line of its front is y 5000 - 275 = 4725.

    A Sherman heading north at y 5014 has its front corners at 4724, just ahead of the line; at 5015 they are on the
    line, and no part of the Sherman is ahead of it.
    """
    state = a_state(a_tank("a1", 2000, y, 0), a_tank("b1", 5000, 5000, 0, "stug-g"))
    found = list(target_objections(Situation(a_data(), state), state.tanks["b1"], state.tanks["a1"]))
    assert (not found) is legal
    aside = a_state(a_tank("a1", 2000, 6000), a_tank("b1", 5000, 5000, 0, "stug-g"))
    refused = list(target_objections(Situation(a_data(), aside), aside.tanks["b1"], aside.tanks["a1"]))
    assert_rule(refused, "T7.3")
    assert_rule(refused, "T9.1")


def test_T7_3_a_turret_shoots_to_the_rear_and_a_jammed_one_does_not():
    for criticals, legal in (([], True), (["jammed-turret"], False)):
        state = a_state(a_tank("a1", 5000, 5000, 90, criticals=criticals), a_tank("b1", 2000, 5000))
        assert (not objections(state)) is legal


@pytest.mark.rule("T7.2", "T9.1")
def test_T7_2_an_assault_gun_looks_from_its_front():
    """A StuG at 1000/5000 heading east sees from the point 1000 + 275 = 1275/5000."""
    table = a_table(a_tank("a1", 6000, 5000, 270), a_tank("b1", 1000, 5000, 90, "stug-g"), dice=[1] * 5)
    played = shoot(table, "b1", "a1")
    assert_rule(played.findings, "T7.2", inputs={"from": [1275, 5000], "front": True}, result="seen")
    assert_rule(played.findings, "T9.1", inputs={"tank": "b1"}, result="forward arc")


# --- T7.4, T7.5 attack dice ----------------------------------------------------------------------------------


@pytest.mark.rule("T7.4")
def test_T7_4_fours_and_fives_hit_sixes_are_critical():
    """Attack 4 with dice 4 5 6 3 gives two hits and one critical; the Panzer's one die, a 2, saves nothing.

    The critical draws card 19 of 28: 3 tracks, 2 engines, 2 turrets, 2 fires, 2 injured, 2 bailed, 2 shocked and 2
    stunned are 17, so card 19 is Spalling, which is 1 damage. That is three damage in all.
    """
    table = a_table(*facing().tanks.values(), dice=[4, 5, 6, 3, 2, 19])
    played = shoot(table, "a1", "b1")
    assert_rule(played.findings, "T7.4", inputs={"attack": 4}, result=4)
    assert_rule(played.findings, "T7.4", dice=(4, 5, 6, 3), result={"hits": 2, "criticals": 1})
    assert table.state.tanks["b1"].damage == 3


@pytest.mark.rule("T7.4")
def test_T7_4_cards_and_criticals_change_the_dice():
    """Attack 4 with Injured Crew (-1) gives three dice."""
    table = a_table(*facing(a={"criticals": ["injured-crew"]}).tanks.values(), dice=[1] * 4)
    played = shoot(table, "a1", "b1")
    assert_rule(
        played.findings, "T7.4", inputs={"attack": 4}, modifiers=({"text": "criticals", "value": -1},), result=3
    )


@pytest.mark.rule("T7.4")
def test_T7_4_there_is_never_less_than_no_die():
    """Attack 4 with five Injured Crew cards gives no dice and no hits."""
    table = a_table(*facing(a={"criticals": ["injured-crew"] * 5}).tanks.values(), dice=[1] * 4)
    played = shoot(table, "a1", "b1")
    assert_rule(played.findings, "T7.4", inputs={"attack": 4}, modifiers=({"value": -5},), result=0)
    assert_rule(played.findings, "T7.4", dice=(), result={"hits": 0, "criticals": 0})


@pytest.mark.rule("T7.5")
def test_T7_5_a_stationary_shooter_may_roll_all_dice_again():
    """The roll 1 2 3 6 becomes 5 5 5 1: three hits, but the critical is lost with its die."""
    table = a_table(*facing().tanks.values(), dice=[1, 2, 3, 6, 5, 5, 5, 1, 1])
    played = shoot(table, "a1", "b1", {"reroll": [{"by": "stationary", "dice": [0, 1, 2, 3], "keeps": 0}]})
    assert_rule(played.findings, "T7.5", inputs={"tank": "a1", "dice": [0, 1, 2, 3]}, result="rolled again")
    assert_rule(played.findings, "T7.4", dice=(5, 5, 5, 1), result={"hits": 3, "criticals": 0})
    assert table.state.tanks["b1"].damage == 3


@pytest.mark.rule("T7.5")
@pytest.mark.parametrize(
    "speed, again, dice, why",
    [
        (1, False, [0, 1, 2, 3], "the tank has moved this turn"),
        (0, True, [0, 1, 2, 3], "the tank has already rerolled"),
        (0, False, [0, 1], "reroll all dice or none"),
    ],
)
def test_T7_5_not_after_a_move_not_twice_and_all_or_none(speed, again, dice, why):
    state = facing(a={"speed": speed})
    ask = Ask("alpha", "reroll", "T7.5", subject="a1", about={"dice": [1, 2, 3, 4], "again": again, "fours": 4})
    with pytest.raises(Refusal) as refused:
        check(a_data(), state, ask, {"by": "stationary", "dice": dice})
    assert_rule(refused.value, "T7.5", why=why)


@pytest.mark.rule("T7.5")
def test_T7_5_a_tank_that_lost_its_speed_token_has_moved_all_the_same():
    """Lost Bearings (card 28) takes a1's token before its own shot: a1 has no speed, but is not stationary."""
    table = a_table(*facing(a={"speed": 1, "moved": True}).tanks.values(), dice=[6, 1, 1, 1, 1, 1, 28])
    shoot(table, "b1", "a1")
    shooter = table.state.tanks["a1"]
    assert (shooter.speed, shooter.stationary) == (0, False)
    ask = Ask("alpha", "reroll", "T7.5", subject="a1", about={"dice": [1] * 4, "again": False, "fours": 4})
    with pytest.raises(Refusal) as refused:
        check(table.data, table.state, ask, {"by": "stationary", "dice": [0, 1, 2, 3]})
    assert_rule(refused.value, "T7.5", why="the tank has moved this turn")


# --- T7.6 defence dice ---------------------------------------------------------------------------------------


@pytest.mark.rule("T7.6")
def test_T7_6_every_row_of_the_defence_dice():
    """A Panther (b1) that moved twice shoots at a Sherman that moved once: 1 + 2 + 1 = 4 dice.

    There is no cover, and the shot is at long range and front to front.
    """
    table = a_table(a_tank("a1", *SHOOTER, speed=1), a_tank("b1", *TARGET[:2], 270, "panther", speed=2), dice=[1] * 9)
    played = shoot(table, "b1", "a1")
    rows = ({"text": "shooter's speed", "value": 2}, {"text": "target's speed", "value": 1})
    assert_rule(played.findings, "T7.6", inputs={"defence": 1}, modifiers=rows, result=4)


@pytest.mark.rule("T7.6")
@pytest.mark.parametrize(
    "shooter, target, close, dice",
    [(3, 3, False, 6), (0, 0, True, 0)],
)
def test_T7_6_never_more_than_six_and_never_below_none(shooter, target, close, dice):
    """Speeds 3 and 3 with defence 1 would give seven dice, so six are rolled; 1 - 1 - 1 gives none."""
    x, heading = (2500, 90) if close else (5000, 270)
    state = a_state(
        a_tank("a1", *SHOOTER, "cromwell" if not close else "sherman-v", speed=shooter),
        a_tank("b1", x, 5000, heading, speed=target),
    )
    assert defence_dice(a_data(), the_shot(state)) == dice
    table = a_table(*state.tanks.values(), dice=[1] * 20)
    assert_rule(shoot(table, "a1", "b1").findings, "T7.6", inputs={"most": 6}, result=dice)


# --- T7.7 to T7.9 --------------------------------------------------------------------------------------------


@pytest.mark.rule("T7.7")
@pytest.mark.parametrize("top, hidden, cover", [(4936, 3, True), (4950, 2, False)])
def test_T7_7_three_hidden_corners_are_cover_two_are_not(top, hidden, cover):
    """A building from x 2750 to 3250, whose north side is `top`, hides both southern corners.

    The line to the far northern corner (5295/4855) is 145 x 1750 / 4295 = 59 north of the middle at x 2750, that is
    at y 4941. The line to the near corner (4705/4855) is 145 x 1750 / 3705 = 68 north, at y 4932. With the north side
    at 4936 only the near northern corner is seen; at 4950 both are.
    """
    table = a_table(*facing().tanks.values(), pieces=[a_piece("building-1", 3000, top + 300)], dice=[1] * 6)
    played = shoot(table, "a1", "b1")
    assert_rule(played.findings, "T7.7", inputs={"hidden": hidden}, result=cover)
    assert_rule(played.findings, "T7.6", result=2 if cover else 1)


@pytest.mark.rule("T7.7")
@pytest.mark.parametrize("x, hidden", [(890, 0), (891, 4)])
def test_T7_7_only_the_wood_directly_under_the_shooter_is_left_out(x, hidden):
    """The Sherman's hull ends at x 1290; a wood at x 890 extends 400, so it ends there too and hides nothing.

    With its centre at 891 the wood goes on a tenth beyond the hull, and that tenth hides all corners.
    """
    table = a_table(*facing().tanks.values(), pieces=[a_piece("wood-1", x, 5000)], dice=[1] * 6)
    played = shoot(table, "a1", "b1")
    assert_rule(played.findings, "T7.7", inputs={"hidden": hidden}, result=hidden >= 3)


@pytest.mark.rule("T7.8")
@pytest.mark.parametrize("x, close", [(3085, True), (3086, False)])
def test_T7_8_within_one_arrow(x, close):
    """A Sherman at 1000 heading east has its front at 1290, a Panzer at 3085 heading west at 2790: 1500 apart."""
    table = a_table(a_tank("a1", 1000, 5000, 90), a_tank("b1", x, 5000, 270), dice=[1] * 6)
    played = shoot(table, "a1", "b1")
    assert_rule(played.findings, "T7.8", inputs={"arrow": 1500}, result=close)
    assert_rule(played.findings, "T7.6", result=0 if close else 1)


@pytest.mark.rule("T7.9")
@pytest.mark.parametrize("y, side", [(4575, False), (4576, True)])
def test_T7_9_any_part_of_the_shooter_behind_the_line_of_the_targets_front(y, side):
    """The Panzer at 5000/5000 heads north, so the line of its front is y 4705.

    A Sherman heading east extends 130 to its side: at y 4575 its south side is on the line, and at 4576 it is a tenth
    behind the line.
    """
    table = a_table(a_tank("a1", 2000, y, 90), a_tank("b1", 5000, 5000, 0), dice=[1] * 6)
    played = shoot(table, "a1", "b1")
    assert_rule(played.findings, "T7.9", result=side)
    assert_rule(played.findings, "T7.6", result=0 if side else 1)


def test_T7_9_a_heavy_tank_has_no_weak_side():
    state = a_state(a_tank("a1", 2000, 5000, 180, "is-2"), a_tank("b1", 5000, 5000, 0))
    assert not shot_at(Situation(a_data(), state), state.tanks["b1"], state.tanks["a1"]).side
    state.tanks["a1"].model = "t-34"
    assert shot_at(Situation(a_data(), state), state.tanks["b1"], state.tanks["a1"]).side


# --- T7.10 to T7.12 ------------------------------------------------------------------------------------------


@pytest.mark.rule("T7.10")
def test_T7_10_fours_are_the_shooters_choice_sixes_the_targets():
    """Attack 4 6 6 5 (two hits, two criticals) meets defence 5 6; speed 1 gives the second die.

    For the 5 the shooter gives up a hit, for the 6 the target cancels a critical. A hit and a critical are left.
    """
    table = a_table(*facing(b={"speed": 1}).tanks.values(), dice=[4, 6, 6, 5, 5, 6, 19])
    played = shoot(table, "a1", "b1")
    assert_rule(played.findings, "T7.10", inputs={"by": "a1"}, result={"hits": 1, "criticals": 0})
    assert_rule(played.findings, "T7.10", inputs={"by": "b1"}, result={"hits": 0, "criticals": 1})
    assert_rule(played.findings, "T7.10", inputs={"target": "b1"}, result={"hits": 1, "criticals": 1})


@pytest.mark.rule("T7.10")
def test_T7_10_the_choice_can_be_made_otherwise():
    """With the same dice the shooter gives up a critical; of 2 hits and 1 critical the target cancels a hit."""
    table = a_table(*facing(b={"speed": 1}).tanks.values(), dice=[4, 6, 6, 5, 5, 6, 19])
    answers = {"cancel a1": [{"hits": 0, "criticals": 1}], "cancel b1": [{"hits": 1, "criticals": 0}]}
    played = shoot(table, "a1", "b1", answers)
    assert_rule(played.findings, "T7.10", inputs={"target": "b1"}, result={"hits": 1, "criticals": 1})
    ask = Ask("alpha", "cancel", "T7.10", about={"cancel": 1, "hits": 2, "criticals": 0})
    with pytest.raises(Refusal) as refused:
        check(a_data(), a_state(), ask, {"hits": 2, "criticals": 0})
    assert_rule(refused.value, "T7.10", why="cancel exactly 1 of the hits and criticals")


@pytest.mark.rule("T7.11", "T2.3")
def test_T7_11_a_hit_is_one_damage_a_critical_draws_a_card():
    """The roll 4 6 1 1 against a 1 causes one damage; card 1 of 28 is a Busted Track, which stays with the tank."""
    table = a_table(*facing().tanks.values(), dice=[4, 6, 1, 1, 1, 1])
    played = shoot(table, "a1", "b1")
    assert_rule(played.findings, "T7.11", inputs={"hits": 1, "criticals": 1}, result=1)
    assert_rule(played.findings, "T7.11", inputs={"critical": "busted-track"}, result="drawn")
    assert_rule(played.findings, "T2.3", result={"damage": 0, "stays": True})
    target = table.state.tanks["b1"]
    assert (target.damage, target.criticals) == (1, ["busted-track"])
    assert table.chance.rolled[-1] == ("T7.11", ("b1",))
    assert len(table.state.deck) == 27


def test_T7_11_an_empty_deck_takes_the_discards_back():
    table = a_table(*facing().tanks.values(), dice=[6, 1, 1, 1, 1, 1])
    table.state.deck, table.state.discards = [], ["spalling"]
    shoot(table, "a1", "b1")
    assert (table.state.deck, table.state.discards, table.state.tanks["b1"].damage) == ([], ["spalling"], 1)


@pytest.mark.rule("T7.12")
def test_T7_12_a_tank_with_full_damage_still_shoots():
    table = a_table(
        *facing(a={"damage": 6}).tanks.values(),
        dice=[1] * 5,
        orders={"alpha": {"orders": {"a1": [{"targets": ["b1"]}]}}},
    )
    played = run_step(table, shoot_next(table))
    assert_rule(played.findings, "T7.12", inputs={"tank": "a1", "damage": 6}, result="still shoots")
    assert_rule(played.findings, "T7.1", inputs={"shooter": "a1"}, result="target")


@pytest.mark.rule("T7.12")
def test_T7_12_unless_an_effect_forbids_it():
    assert_rule(objections(facing(a={"damage": 6, "criticals": ["stunned-crew"]})), "T7.12")


def test_T7_12_a_tank_shot_full_is_out_only_at_the_end_of_the_turn():
    """A Panzer IV with five damage stays in play until the end of the turn."""
    table = a_table(*facing(b={"damage": 4}).tanks.values(), dice=[4, 1, 1, 1, 1])
    played = shoot(table, "a1", "b1")
    assert table.state.tanks["b1"].live
    assert played.findings[-1].rule == "T7.12"


# --- orders --------------------------------------------------------------------------------------------------


def test_T7_1_the_first_target_on_the_list_that_is_not_out_already():
    """b1 is full of damage when a1's turn comes, so the shot goes to b2."""
    tanks = (a_tank("a1", *SHOOTER), a_tank("b1", *TARGET, damage=5), a_tank("b2", 5000, 7000, 270))
    table = a_table(*tanks, dice=[1] * 5, orders={"alpha": {"orders": {"a1": [{"targets": ["b1", "b2"]}]}}})
    run_step(table, shoot_next(table))
    assert table.state.shots == [("a1", "b2")]


def test_T7_1_a_list_that_has_become_impossible_is_announced_and_asked_again():
    """a1's turret was jammed after the orders were given, so it cannot shoot at b1 behind it, only at b2 ahead."""
    tanks = (
        a_tank("a1", 5000, 5000, 90, criticals=["jammed-turret"]),
        a_tank("b1", 2000, 5000),
        a_tank("b2", 8000, 5000),
    )
    table = a_table(*tanks, dice=[1] * 5, orders={"alpha": {"orders": {"a1": [{"targets": ["b1"]}]}}})
    played = run_step(table, shoot_next(table), {"shoot": ["b2"]})
    assert [(ask.kind, ask.grade == "order") for ask in played.asks if ask.grade == "order"] == [("shoot", True)]
    assert table.state.shots == [("a1", "b2")]


def test_T7_1_the_best_target_is_found_when_the_tanks_turn_comes():
    """a2 finishes b1 first (its last hull point); a1, told to shoot at the best target, then shoots at b2."""
    tanks = (
        a_tank("a1", 1000, 5000, 90),
        a_tank("a2", 1000, 6000, 90, "sherman-76"),
        a_tank("b1", 5000, 5000, 270, damage=4),
        a_tank("b2", 5000, 7000, 270),
    )
    state = a_state(*tanks)
    assert best_targets(Situation(a_data(), state), state.tanks["a1"], "best") == ["b1", "b2"]
    form = {"orders": {"a1": [{"targets": ["best"]}], "a2": [{"targets": ["b1", "best"]}]}, "sequence": ["a2", "a1"]}
    table = a_table(*tanks, dice=[5, 5, 1, 1, 1, 1, *[1] * 9], orders={"alpha": form})
    run_step(table, shoot_next(table))
    state.tanks["b1"].damage = 5
    (ask,) = run_step(table, target_for(table, table.state.tanks["a1"])).asked("shoot")
    assert (ask.about, ask.default, ask.grade == "order") == ({"sealed": "best"}, None, False)
    assert [reply.answer for reply in from_plan(table.data, table.state, ask)] == ["b2"]


def test_T7_1_a_sealed_target_is_not_overruled_by_standing_orders():
    table = a_table(
        a_tank("a1", 1000, 5000, 90),
        a_tank("b1", 5000, 5000, 270, damage=4),
        a_tank("b2", 5000, 7000, 270),
        orders={"alpha": {"orders": {"a1": [{"targets": ["b2"]}]}}},
    )
    (ask,) = run_step(table, target_for(table, table.state.tanks["a1"])).asked("shoot")
    assert list(from_standing_orders(table.data, table.state, ask, ("shoot: weakest",))) == []
    assert (ask.default, ask.grade == "order") == ("b2", False)


def test_T1_2_orders_are_asked_for_once_and_together():
    table = a_table(*facing().tanks.values())
    played = run_step(table, shooting_phase(table))
    assert [(ask.kind, ask.seat, ask.grade == "order") for ask in played.asks] == [
        ("shooting", "alpha", True),
        ("shooting", "bravo", True),
        ("initiative", "alpha", False),
        ("initiative", "bravo", False),
    ]


@pytest.mark.parametrize("model, seen", [("stug-g", True), ("panzer-iv", False)])
def test_T7_2_the_eye_of_an_assault_gun_looks_around_a_corner(model, seen):
    """b1 at 3000/4000 heads east, and a building to its south covers x 2850 to 3350 from y 4180 onwards.

    The Sherman's nearest side is y 8210, from x 4870 to 5130. To pass the building's corner 3350/4180 a line must
    gain 350 in 180 from the middle of the hull, so 8186 in 4210, which is too far east. From the StuG's front
    (3275/4000) it must gain 75 in 180, so 1754 in 4210, and everything east of x 5029 is seen.
    """
    state = a_state(
        a_tank("a1", 5000, 8500), a_tank("b1", 3000, 4000, 90, model), pieces=[a_piece("building-1", 3100, 4480)]
    )
    assert can_see(Situation(a_data(), state), state.tanks["b1"], state.tanks["a1"]) is seen
