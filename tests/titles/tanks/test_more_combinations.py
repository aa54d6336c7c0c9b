"""More combinations: cards, damage, terrain, the order of tanks, objectives, the last turn and ties.

Each answer was worked out from the rules before the test was run.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.tanks.builders import a_data, a_piece, a_table, a_tank, check, opened, read, run_step, shoot

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.tanks.cards.criticals import capacity, full
from pbem.titles.tanks.command.phase import command_phase
from pbem.titles.tanks.data_set import Objective
from pbem.titles.tanks.movement.moves import allowance
from pbem.titles.tanks.phases.initiative import in_sequence
from pbem.titles.tanks.shooting.shots import attack_changes, defence_dice, shot_at
from pbem.titles.tanks.state import Holding, Status


def dice_of(shooter: Any, target: Any, **more: Any) -> tuple[int, int]:
    """Return the attack and defence dice of a shot."""
    table = a_table(shooter, target, **more)
    shot = shot_at(table, shooter, target)
    attack = table.data.models[shooter.model].attack
    return (
        attack + sum(row["value"] for row in attack_changes(table, shot)),
        defence_dice(table.data, shot),
    )


# --- dice: speed, cover, range, side and criticals ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("shooter", "target", "defence"),
    [
        ({}, {}, 1),  # Panzer IV: 1
        ({}, {"speed": 2}, 3),
        ({"speed": 2}, {"speed": 2}, 4),  # Gung Ho counts its own two as one
        ({"speed": 1}, {}, 1),  # and its own one as none
        ({}, {"speed": 2, "criticals": ["shell-shocked"]}, 2),
        ({}, {"criticals": ["shell-shocked", "shell-shocked"]}, 0),  # never below none
        ({}, {"cards": ["camouflage"]}, 2),
        ({}, {"cards": ["camouflage"], "speed": 1}, 2),  # moving: the token, not the card
        ({}, {"heading": 90}, 0),  # shown its back
    ],
)
def test_T7_6_speed_criticals_cards_and_sides_add_up(shooter: Any, target: Any, defence: int):
    given = {"heading": 270, **target}
    heading = given.pop("heading")
    b1 = opened(a_tank("b1", 6000, 5000, heading, **given))
    assert dice_of(a_tank("a1", 1000, 5000, 90, **shooter), b1)[1] == defence


def test_T7_6_six_dice_at_most_however_fast_and_covered():
    """A Panther (2) of speed 3, shot at by a Comet (no Gung Ho) of speed 3, would roll 8 dice, so it rolls 6."""
    comet = a_tank("a1", 1000, 5000, 90, "comet", speed=3)
    assert dice_of(comet, a_tank("b1", 6000, 5000, 270, "panther", speed=3))[1] == 6


def test_T7_6_the_limit_of_six_comes_after_close_range_and_not_before():
    """The limit of six comes last: 2 + 3 + 3 - 1 = 7, so six dice are rolled, not five."""
    comet = a_tank("a1", 1000, 5000, 90, "comet", speed=3)
    assert dice_of(comet, a_tank("b1", 2600, 5000, 270, "panther", speed=3))[1] == 6


def test_T7_4_an_injured_crew_and_bloodthirsty_gunner_cancel_out_at_close_range():
    def gunner(x: int) -> tuple[int, int]:
        a1 = opened(a_tank("a1", x, 5000, 90, cards=["bloodthirsty-gunner"], criticals=["injured-crew"]))
        return dice_of(a1, a_tank("b1", 6000, 5000, 270))

    assert (gunner(1000)[0], gunner(4500)[0]) == (3, 4)


def test_T9_5_gung_ho_helps_only_the_shooter_and_not_the_target():
    """Gung Ho does not help a Sherman that is shot at: with speed 2 it rolls 1 + 2 dice."""
    b1 = a_tank("b1", 6000, 5000, 270)
    assert dice_of(b1, a_tank("a1", 1000, 5000, 90, speed=2))[1] == 3


def test_T6_4_a_wreck_between_them_gives_cover_and_a_tank_off_the_table_none():
    a1, b1 = a_tank("a1", 1000, 5000, 90), a_tank("b1", 6000, 5000, 270)
    wreck = a_tank("b2", 5400, 5000, 0, status=Status.WRECK)
    gone = a_tank("b2", 5400, 5000, 0, status=Status.RESERVE)
    seen = []
    for other in (wreck, gone):
        table = a_table(a1, b1, other)
        seen.append(shot_at(table, a1, b1).cover)
    assert seen == [True, False]


def test_T6_2_a_target_in_a_wood_has_cover_also_at_close_range_and_in_the_side():
    """Defence 1, cover +1, close range -1 and side shot -1 leave no dice."""
    a1, b1 = a_tank("a1", 4700, 5000, 90), a_tank("b1", 6000, 5000, 90)
    table = a_table(a1, b1, pieces=[a_piece("wood-1", 6000, 5000)])
    shot = shot_at(table, a1, b1)
    assert (shot.cover, shot.close, shot.side, defence_dice(table.data, shot)) == (True, True, True, 0)


# --- damage -------------------------------------------------------------------------------------------------------


def test_T7_12_a_full_tank_shoots_unless_a_critical_forbids_it():
    for criticals, shots in (([], 1), (["stunned-crew"], 0), (["bailed-out"], 0), (["busted-track"], 1)):
        a1 = a_tank("a1", 1000, 5000, 90, damage=6, criticals=criticals)
        table = a_table(a1, a_tank("b1", 6000, 5000, 270), dice=[1] * 10)
        ask = Ask("alpha", "shooting", "T1.2", default={}, grade="order")
        try:
            read(table.data, table.state, ask, "a1: shoot b1")
            legal = 1
        except Refusal:
            legal = 0
        assert full(table.data, a1) and legal == shots, criticals


def test_T8_1_T8_3_a_wreck_repairs_nothing_and_its_criticals_go_back_into_the_deck():
    b1 = a_tank("b1", 6000, 5000, 270, damage=5, criticals=["busted-track", "stunned-crew"])
    table = a_table(a_tank("a1", 1000, 5000, 90), b1, a_tank("b2", 6000, 1000, 270))
    before = len(table.state.deck)
    played = run_step(table, command_phase(table), {"command bravo": [{}]})
    assert b1.status is Status.WRECK and b1.criticals == [] and not played.asked("mend")
    assert len(table.state.deck) == before + 2 and not table.state.discards


def test_T8_1_fire_that_fills_a_tank_destroys_it_before_it_could_be_put_out():
    """A fire that fills a tank destroys it, because repairs come after destruction (T1.4)."""
    b1 = a_tank("b1", 6000, 5000, 270, damage=4, criticals=["engine-fire"])
    table = a_table(a_tank("a1", 1000, 5000, 90), b1, a_tank("b2", 6000, 1000, 270))
    run_step(table, command_phase(table))
    assert b1.status is Status.WRECK and b1.criticals == []
    ask = Ask("bravo", "command", "T8.3", default={}, grade="order")
    with pytest.raises(Refusal):
        read(table.data, table.state, ask, "b1: repair engine fire")


def test_T8_3_two_fires_burn_for_two_and_one_repair_puts_out_one():
    b1 = a_tank("b1", 6000, 5000, 270, criticals=["engine-fire", "engine-fire"])
    table = a_table(a_tank("a1", 1000, 5000, 90), b1, dice=[4])
    run_step(table, command_phase(table), {"command bravo": [{"b1": {"repair": "engine-fire"}}]})
    assert (b1.damage, b1.criticals) == (2, ["engine-fire"])


def test_T8_3_a_repair_takes_away_the_effect_and_not_the_damage():
    a1 = a_tank("a1", 1000, 5000, 90, damage=1, criticals=["injured-crew"])
    table = a_table(a1, a_tank("b1", 6000, 5000, 270), dice=[4])
    run_step(table, command_phase(table), {"command alpha": [{"a1": {"repair": "injured-crew"}}]})
    assert (a1.damage, a1.criticals) == (1, [])


def test_T2_2_improvised_armour_on_a_tank_that_is_full_makes_room_for_one():
    b1 = opened(a_tank("b1", 6000, 5000, 270, cards=["improvised-armour"], damage=5))
    table = a_table(a_tank("a1", 1000, 5000, 90), b1)
    assert capacity(table.data, b1) == 6 and not full(table.data, b1)


def test_T7_11_hits_on_a_tank_that_is_full_already_change_nothing_at_the_end_of_the_turn():
    """Damage beyond the capacity makes just one wreck, and the other tank of its side fights on."""
    b1 = a_tank("b1", 6000, 5000, 270, damage=5)
    table = a_table(a_tank("a1", 1000, 5000, 90), b1, a_tank("b2", 6000, 1000, 270), dice=[4, 4, 4, 4, 1])
    shoot(table, "a1", "b1")
    run_step(table, command_phase(table))
    assert b1.status is Status.WRECK and table.state.outcome is None


# --- the order of tanks and ties ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("attacker", "first"), [("alpha", "b1"), ("bravo", "a1")])
def test_T1_3_the_attacker_moves_later_and_shoots_earlier_on_a_tie(attacker: str, first: str):
    """A Panther and a Sherman with a Cunning Driver tie at 7 when moving; without it the Sherman has 6."""
    a1 = opened(a_tank("a1", 1000, 5000, 90, cards=["cunning-commander"]))
    table = a_table(a1, a_tank("b1", 6000, 5000, 270, "panther"), attacker=attacker)
    moving = [tank.id for tank in in_sequence(table, "moving", table.state.live)]
    shooting = [tank.id for tank in in_sequence(table, "shooting", table.state.live)]
    assert moving[0] == first and shooting[0] == "b1", "the card is only for moving"


def test_T1_3_a_tie_made_by_a_card_for_shooting_is_the_attackers_too():
    a1 = opened(a_tank("a1", 1000, 5000, 90, cards=["aggressive-commander"]))
    for attacker, first in (("alpha", "a1"), ("bravo", "b1")):
        table = a_table(a1, a_tank("b1", 6000, 5000, 270, "panther"), attacker=attacker)
        order = [tank.id for tank in in_sequence(table, "shooting", table.state.live)]
        assert order[0] == first


def test_T1_2_a_wreck_has_no_place_in_the_order():
    table = a_table(a_tank("a1", 1000, 5000, 90), a_tank("b1", 6000, 5000, 270, status=Status.WRECK))
    assert [tank.id for tank in in_sequence(table, "shooting", table.state.live)] == ["a1"]


# --- moves --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "cards", "criticals", "moves"),
    [
        ("cromwell", [], [], 3),
        ("cromwell", ["improvised-armour"], [], 2),
        ("cromwell", ["concrete-armour"], ["damaged-engine"], 1),
        ("cromwell", [], ["busted-track", "damaged-engine"], 0),
        ("cromwell", [], ["bailed-out"], 0),
        ("sherman-75", [], ["jammed-turret", "injured-crew"], 2),
    ],
)
def test_T5_2_what_is_left_of_a_tanks_moves(model: str, cards: list[str], criticals: list[str], moves: int):
    a1 = opened(a_tank("a1", 1000, 5000, 90, model, cards=cards, criticals=criticals))
    assert allowance(a_data(), a1) == moves


# --- objectives, the last turn, ties ------------------------------------------------------------------------------


def field(*tanks: Any, turn: int = 1, held: int = 0, hold: int = 2, turns: int = 10, **more: Any) -> Any:
    """An objective is in the middle of the table; alpha attacks and has held it for some turns."""
    scenario = {"objective": (Objective(id="well", at=(450, 450), hold=hold),), "turns": turns}
    holdings = {"well": Holding("alpha" if held else "", held)}
    return a_table(*tanks, scenario=scenario, holdings=holdings, turn=turn, **more)


def decided(table: Any) -> Any:
    run_step(table, command_phase(table))
    return None if table.state.outcome is None else (table.state.outcome.winner, table.state.outcome.rule)


def test_T8_2_an_attacker_that_was_destroyed_this_turn_holds_nothing():
    table = field(a_tank("a1", 4500, 4500, damage=6), a_tank("a2", 500, 8500), a_tank("b1", 8500, 500), held=1)
    assert decided(table) is None and table.state.holdings["well"].turns == 0


def test_T8_2_a_crew_that_bailed_out_still_holds_and_a_full_enemy_beside_it_does_not_dispute_it():
    a1 = a_tank("a1", 4500, 4500, criticals=["bailed-out"])
    table = field(a1, a_tank("b1", 4500, 5400, damage=5), a_tank("b2", 8500, 500), held=1, dice=[1])
    assert decided(table) == ("alpha", "T8.2")


def test_T8_2_a_live_enemy_within_an_arrow_disputes_it_and_the_count_begins_anew():
    table = field(a_tank("a1", 4500, 4500), a_tank("b1", 4500, 5600), held=1)
    assert decided(table) is None and table.state.holdings["well"] == Holding("", 0)


def test_T8_2_the_defender_wins_nothing_by_holding_it():
    table = field(a_tank("a1", 500, 8500), a_tank("b1", 4500, 4500), hold=1)
    assert decided(table) is None and table.state.holdings["well"].seat == "bravo"


def test_T8_2_the_objective_counts_in_the_last_turn_before_points_do():
    """Alpha has lost a tank, but takes the objective in the last turn."""
    lost = a_tank("a2", 500, 8500, status=Status.WRECK)
    table = field(a_tank("a1", 4500, 4500), lost, a_tank("b1", 8500, 500), turn=10, hold=1)
    assert decided(table) == ("alpha", "T8.2")


def test_T8_2_both_last_tanks_destroyed_in_the_last_turn_are_a_draw_although_the_objective_was_held():
    table = field(a_tank("a1", 4500, 4500, damage=6), a_tank("b1", 8500, 500, damage=5), turn=10, held=1)
    assert decided(table) == (None, "T8.2")


def test_T8_2_the_last_tank_wins_even_if_it_burns_itself_next_turn():
    a1 = a_tank("a1", 500, 8500, damage=4, criticals=["engine-fire"])
    table = field(a1, a_tank("b1", 8500, 500, damage=5))
    assert decided(table) == ("alpha", "T8.2") and a1.damage == 5


def test_T8_2_an_equal_last_turn_is_a_draw_or_the_defenders_as_the_scenario_says():
    table = field(a_tank("a1", 500, 8500), a_tank("b1", 8500, 500), turn=10)
    outcome = decided(table)
    assert outcome is not None and outcome[0] in (None, "bravo")
    found = assert_rule(table.findings, "T8.2", result=outcome[0] or "draw")
    assert found.inputs["left"] == {"alpha": 1, "bravo": 1}


# --- dice again ---------------------------------------------------------------------------------------------------


def test_T7_5_a_shooter_with_no_token_left_that_has_moved_rolls_once():
    """A tank that lost its token by Lost Bearings has still moved (T5.3), so it rolls only once."""
    about = {"target": "b1", "dice": [1, 1, 1, 1], "again": False, "fours": 4}
    ask, again = Ask("alpha", "reroll", "T7.5", "a1", about=about), {"dice": [0, 1, 2, 3]}
    still, moved = (
        a_table(a_tank("a1", 1000, 5000, 90, moved=gone), a_tank("b1", 6000, 5000)) for gone in (False, True)
    )
    assert check(still.data, still.state, ask, again)
    with pytest.raises(Refusal):
        check(moved.data, moved.state, ask, again)


def test_T9_3_coordinated_fire_counts_shots_of_this_phase_at_the_same_target_by_a_near_friend():
    near, far = a_tank("a2", 1700, 5000, 90, "t-34"), a_tank("a2", 1000, 500, 90, "t-34")
    found = []
    for friend, shots in ((near, [("a2", "b1")]), (near, [("a2", "b2")]), (far, [("a2", "b1")]), (near, [])):
        a1 = a_tank("a1", 1000, 5000, 90, "t-34")
        table = a_table(a1, friend, a_tank("b1", 6000, 5000, 270), a_tank("b2", 6000, 7000, 270), shots=shots)
        shot = shot_at(table, a1, table.state.tanks["b1"])
        found.append(sum(row["value"] for row in attack_changes(table, shot)))
    assert found == [1, 0, 0, 0]


def test_T9_2_blitzkrieg_in_the_turn_in_which_the_enemy_is_gone_is_not_made():
    """A Blitzkrieg move is not made once the enemy is gone, because victory comes before repairs (T1.4)."""
    b1 = a_tank("b1", 6000, 5000, 270)
    table = a_table(a_tank("a1", 1000, 5000, 90, damage=6), b1)
    at = b1.at
    run_step(table, command_phase(table), {"command bravo": [{"b1": {"move": {"way": 0}}}]})
    assert table.state.outcome is not None and b1.at == at
