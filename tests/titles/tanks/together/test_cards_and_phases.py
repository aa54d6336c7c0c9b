"""Cards that meet criticals, keywords and each other in every phase; each answer was worked out from the rules."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.tanks.builders import a_piece, a_table, a_tank, opened, run_step, shoot

from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.table import Table
from pbem.titles.tanks.cards.criticals import capacity, full
from pbem.titles.tanks.command.phase import command_phase
from pbem.titles.tanks.data_set import Objective
from pbem.titles.tanks.ground.sighting import targets
from pbem.titles.tanks.movement.moves import order_objections
from pbem.titles.tanks.phases.initiative import in_sequence
from pbem.titles.tanks.player.orders import Move, MoveOrder
from pbem.titles.tanks.shooting.phase import suffer
from pbem.titles.tanks.shooting.shots import attack_changes, defence_dice, shot_at
from pbem.titles.tanks.state import Holding, Status, Tank, TanksState

FAR, NEAR = (1000, 5000, 90), (4700, 5000, 90)
"""Places of a shooter that faces b1 at 6000: far away, and within one arrow."""


def dice_of(table: Table[TanksState], shooter: Tank, target: Tank) -> tuple[int, int]:
    """Return the attack dice and the defence dice of a shot."""
    shot = shot_at(table, shooter, target)
    more = sum(int(row["value"]) for row in attack_changes(table, shot))
    return table.data.models[shooter.model].attack + more, defence_dice(table.data, shot)


# --- T5.3, T2.3 a token that is gone -------------------------------------------------------------------------------


@pytest.mark.parametrize(("speed", "again", "legal"), [(2, [0, 1], True), (1, [0], True), (1, [0, 1], False)])
def test_T2_2_krysov_counts_the_moves_although_lost_bearings_has_taken_the_token(
    speed: int, again: list[int], legal: bool
):
    """One defence die is rerolled for each move made; the token only shows their number.

    There are two dice, one for the T-34/85 and one for the Panther.
    """
    krysov = a_tank("a1", 1000, 5000, 90, "t-34-85", cards=["krysov"], speed=speed, moved=True)
    table = a_table(krysov, a_tank("b1", 6000, 5000, 270, "panther", speed=1, moved=True), dice=[1] * 30)
    table.state.drawn.append("lost-bearings")
    run_step(table, suffer(table, krysov, "lost-bearings"))
    assert krysov.speed == 0 and krysov.moves == speed
    given = {"save": [{"by": "krysov", "dice": again}]}
    if legal:
        played = shoot(table, "b1", "a1", given)
        assert_rule(played.findings, "T2.2", inputs={"card": "krysov", "dice": again}, result="rolled again")
    else:
        with pytest.raises(Refusal):
            shoot(table, "b1", "a1", given)


def test_T8_4_the_moves_of_a_turn_are_forgotten_with_its_tokens():
    tank = a_tank("a1", 1000, 5000, 90, "t-34-85", speed=0, moved=True, taken=2)
    table = a_table(tank, a_tank("b1", 6000, 5000, 270))
    run_step(table, command_phase(table))
    assert (tank.moves, tank.stationary) == (0, True)


@pytest.mark.parametrize(
    ("more", "converts"), [({}, True), ({"speed": 1, "moved": True}, False), ({"moved": True}, False)]
)
def test_T2_2_oskin_needs_a_tank_that_has_not_moved_with_or_without_its_token(more: dict[str, Any], converts: bool):
    is2 = a_tank("a1", *FAR, "is-2", cards=["oskin"], **more)
    table = a_table(is2, a_tank("b1", 6000, 5000, 270, "jagdpanther"), dice=[4, 4, 1, 1, 1, 1] + [1] * 12)
    given = {"convert": [["oskin"]], "reroll": [None]}
    if converts:
        played = shoot(table, "a1", "b1", given)
        assert_rule(played.findings, "T2.2", inputs={"card": "oskin"}, result={"hits": 0, "criticals": 2})
    else:
        with pytest.raises(Refusal):
            shoot(table, "a1", "b1", given)


# --- T7.4, T7.6 cards, criticals and range in one sum ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "criticals", "attack"),
    [(FAR, [], 6), (FAR, ["injured-crew"], 5), (FAR, ["injured-crew", "injured-crew"], 4), (NEAR, [], 6)],
)
def test_T7_4_wittmann_and_injured_crews_add_up(place: tuple[int, int, int], criticals: list[str], attack: int):
    """A Panther has 5, Wittmann adds 1 at any range, and each injured crew that stays takes 1 off."""
    wittmann = opened(a_tank("b1", *place, "panther", cards=["wittmann"], criticals=criticals))
    table = a_table(a_tank("a1", 6000, 5000, 270), wittmann)
    assert dice_of(table, wittmann, table.state.tanks["a1"])[0] == attack


@pytest.mark.parametrize(
    ("place", "more", "dice"),
    [
        (FAR, {}, 3),
        (NEAR, {}, 3),
        (NEAR, {"speed": 1, "moved": True}, 3),
        (FAR, {"speed": 1, "moved": True}, 3),
        (NEAR, {"criticals": ["shell-shocked"]}, 2),
    ],
)
def test_T7_6_biermeyer_and_camouflage_help_in_turn(place: tuple[int, int, int], more: dict[str, Any], dice: int):
    """A Panther has 2 defence dice, +1 camouflaged if stationary, +1 with Biermeyer and -1 at close range.

    Far and still it has 2 + 1; near and still 2 + 1 + 1 - 1; near and moving 2 + 1 (token) + 1 - 1; far and moving 2
    + 1.
    """
    panther = opened(a_tank("b1", 6000, 5000, 270, "panther", cards=["biermeyer", "camouflage"], **more))
    table = a_table(a_tank("a1", *place), panther)
    assert dice_of(table, table.state.tanks["a1"], panther)[1] == dice


def test_T7_6_radley_walters_takes_a_die_from_a_target_that_has_none_to_give():
    """A Sherman 75 has 1 defence die; close range, the side shot and Radley-Walters take 1 off each, not below 0."""
    comet = opened(a_tank("a1", *NEAR, "comet", cards=["radley-walters"]))
    table = a_table(comet, a_tank("b1", 6000, 5000, 90, "panzer-iv"))
    assert dice_of(table, comet, table.state.tanks["b1"])[1] == 0


@pytest.mark.parametrize(("speed", "dice"), [(0, 1), (1, 1), (2, 2), (3, 3)])
def test_T9_5_gung_ho_takes_one_off_a_token_of_any_size(speed: int, dice: int):
    """Gung Ho takes one off the speed of US tanks of speed 0 to 3 that shoot at a Panzer IV of defence 1."""
    sherman = a_tank("a1", *FAR, speed=speed, moved=speed > 0)
    table = a_table(sherman, a_tank("b1", 6000, 5000, 270))
    assert dice_of(table, sherman, table.state.tanks["b1"])[1] == dice


# --- T8.1, T8.2 the Command Phase -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("up", "used", "status"), [(True, False, "live"), (False, True, "live"), (False, False, "wreck")]
)
def test_T8_1_improvised_armour_holds_a_tank_together_once_it_is_face_up(up: bool, used: bool, status: str):
    """The tank has hull 5 and 5 damage: face-up armour counts at once, face-down armour must be used in time."""
    tank = a_tank("b1", 6000, 5000, 270, cards=["improvised-armour"], damage=5)
    tank.cards[0].up = up
    table = a_table(a_tank("a1", *FAR), tank, scenario={"turns": 10})
    assert full(table.data, tank) is not up
    run_step(table, command_phase(table), {"hold-out": [["improvised-armour"]] if used else []})
    assert tank.status is Status(status)
    assert capacity(table.data, tank) == (6 if status == "live" else 5)


def test_T2_2_a_fire_in_the_command_phase_burns_the_nets_too():
    """Camouflage is lost with the first damage, whatever causes it, and is then known to all players."""
    tank = a_tank("b1", 6000, 5000, 270, cards=["camouflage"], criticals=["engine-fire"])
    table = a_table(a_tank("a1", *FAR), tank, dice=[1])
    run_step(table, command_phase(table))
    assert tank.damage == 1 and tank.cards[0].gone
    assert_rule(table.findings, "T2.4", inputs={"tank": "b1", "card": "camouflage"}, result="face-up")
    assert dice_of(table, table.state.tanks["a1"], tank)[1] == 1


def test_T8_2_a_tank_that_is_destroyed_first_holds_no_objective_any_more():
    """T1.4: destruction comes before victory; by then the defender's last tank near the objective is a wreck."""
    objective = Objective(id="bridge", at=(500, 500), hold=1)
    attacker, defender = a_tank("a1", 4500, 5000, 90), a_tank("b1", 5600, 5000, 270, damage=5)
    table = a_table(
        attacker, defender, a_tank("b2", 1000, 1000), scenario={"objective": (objective,)},
        holdings={"bridge": Holding()},
    )  # fmt: skip
    run_step(table, command_phase(table))
    assert defender.status is Status.WRECK
    assert table.state.holdings["bridge"].seat == "alpha"
    assert_rule(table.findings, "T8.2", inputs={"why": "bridge is held"}, result="alpha")


def test_T1_4_nobody_repairs_or_moves_once_the_match_is_decided():
    """Victory comes before repairs: once the last enemy is gone, a burning tank rolls no die."""
    winner = a_tank("b1", 6000, 5000, 270, criticals=["stunned-crew"])
    table = a_table(a_tank("a1", *FAR, damage=6), winner)
    played = run_step(table, command_phase(table), {"command bravo": [{"b1": {"move": {"way": 0}}}]})
    assert not played.asked("command") and winner.criticals == ["stunned-crew"]
    assert_rule(played.findings, "T8.2", result="bravo")


# --- T9 keywords and criticals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "criticals", "seen"),
    [
        ("panther", [], ["a1", "a2"]),
        ("panther", ["jammed-turret"], ["a1"]),
        ("jagdpanther", [], ["a1"]),
        ("jagdpanther", ["jammed-turret"], ["a1"]),
        ("panther", ["jammed-turret", "busted-track"], ["a1"]),
        ("panther", ["stunned-crew"], []),
    ],
)
def test_T7_3_a_jammed_turret_makes_a_tank_an_assault_gun_and_an_assault_gun_no_worse(
    model: str, criticals: list[str], seen: list[str]
):
    """With a jammed turret the tank can shoot at a1 ahead of it, but not at a2 behind it."""
    gun = a_tank("b1", 5000, 5000, 270, model, criticals=criticals)
    table = a_table(a_tank("a1", 2000, 5000), a_tank("a2", 8000, 5000), gun)
    assert sorted(targets(table, gun)) == seen


@pytest.mark.parametrize(("x", "coordinated"), [(3000, True), (3200, False)])
def test_T9_3_coordinated_fire_counts_from_hull_to_hull_and_for_a_friend_that_is_done_for(x: int, coordinated: bool):
    """Final Fury: a friend with full damage has still shot. Hulls are some 600 long, and the arrow is 1500."""
    friend = a_tank("a2", 1000, 5000, 90, "t-34", damage=5)
    shooter = a_tank("a1", x, 5000, 90, "t-34")
    table = a_table(friend, shooter, a_tank("b1", 8000, 3000, 270), shots=[("a2", "b1")])
    assert dice_of(table, shooter, table.state.tanks["b1"])[0] == (5 if coordinated else 4)


def test_T2_2_woll_in_an_assault_gun_turns_his_second_attack_only_ahead():
    """Woll's second target b2 is within an arrow of the first, but behind the gun's front."""
    woll = a_tank("b1", 5000, 5000, 270, "jagdpanther", cards=["woll"])
    ahead, behind = a_tank("a1", 4000, 5000, 90), a_tank("a2", 5200, 4200, 0)
    table = a_table(ahead, behind, woll, dice=[4, 1, 1, 1, 1, 1] + [1] * 10)
    with pytest.raises(Refusal):
        shoot(table, "b1", "a1", {"again": ["a2"], "reroll": [None]})


def test_T2_2_a_big_gun_and_a_dead_eye_gunner_make_two_criticals_of_two_hits():
    isu = a_tank("a1", *FAR, "isu-152", cards=["dead-eye-gunner"])
    table = a_table(isu, a_tank("b1", 6000, 5000, 270), dice=[4, 5, 1, 1, 1] + [1, 1, 1] + [1] * 6)
    played = shoot(table, "a1", "b1", {"convert": [["dead-eye-gunner", "big-gun"]], "reroll": [None]})
    assert_rule(played.findings, "T7.11", inputs={"hits": 0, "criticals": 2})


# --- T1.2 initiative ------------------------------------------------------------------------------------------------


def test_T1_2_add_on_armour_and_a_racing_driver_each_cost_a_step_when_shooting_and_part_when_moving():
    """A Panzer IV has 5; when it shoots, each card takes 1 off, which leaves 3.

    When it moves, Racing adds 2 and Add-on takes 1 off, which makes 6: a tie, in which the
    attacker's Sherman is higher.
    """
    panzer = opened(a_tank("b1", 6000, 5000, 270, cards=["racing-driver", "add-on-armour"]))
    table = a_table(a_tank("a1", *FAR), panzer)
    assert [tank.id for tank in in_sequence(table, "moving", table.state.live)] == ["b1", "a1"]
    assert [tank.id for tank in in_sequence(table, "shooting", table.state.live)] == ["a1", "b1"]


def test_T5_2_a_supercharger_does_nothing_for_a_tank_with_armour_that_is_never_fast():
    """The Supercharger is not wasted: an order that needs the card is refused, and an order with two
    moves does not use it."""
    tank = a_tank("a1", 4500, 6000, 0, cards=["supercharger", "improvised-armour"])
    table = a_table(tank, a_tank("b1", 6000, 1000, 270))
    three = MoveOrder(moves=[Move(0), Move(90), Move(0)], use=["supercharger"])
    assert_rule(list(order_objections(table, tank, three)), "T9.4")
    tank.cards[1].gone = True
    assert not list(order_objections(table, tank, three))


def test_T6_4_a_tank_that_was_destroyed_this_turn_hides_those_behind_it_in_the_next():
    """T7.2: tanks block sight whether live or destroyed."""
    wreck, behind = a_tank("b1", 5000, 5000, 0, damage=9), a_tank("b2", 7000, 5000, 270)
    shooter = a_tank("a1", *FAR)
    table = a_table(shooter, wreck, behind, pieces=[a_piece("building-1", 5000, 8000)])
    before = targets(table, shooter)
    run_step(table, command_phase(table))
    assert wreck.status is Status.WRECK
    assert "b1" not in targets(table, shooter)
    assert ("b2" in before) == ("b2" in targets(table, shooter))
