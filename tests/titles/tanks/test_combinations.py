"""Cards, criticals, movement and dice in combinations that no single rule mentions.

The answers follow from the rules and the text of the cards; see the rulings in NOTES.md.
"""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.tanks.builders import (
    MOVEMENT,
    SHOOTING,
    a_data,
    a_piece,
    a_state,
    a_table,
    a_tank,
    check,
    from_plan,
    from_standing_orders,
    lines_refused,
    opened,
    read,
    restate,
    run_movement,
    run_phase,
    run_step,
    shoot,
)

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal, each
from pbem.titles.tanks.cards.crew_and_upgrades import usable
from pbem.titles.tanks.cards.criticals import capacity, full
from pbem.titles.tanks.command.phase import command_phase
from pbem.titles.tanks.movement.moves import allowance
from pbem.titles.tanks.movement.phase import movement_phase
from pbem.titles.tanks.phases.initiative import in_sequence
from pbem.titles.tanks.player.plan import check_plan
from pbem.titles.tanks.shooting.phase import shooting_phase, suffer
from pbem.titles.tanks.shooting.shots import defence_dice, shot_at
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Status


def duel(a_cards=(), b_cards=(), dice=(), model="sherman-76", **more):
    """Put a1 (Sherman 76, five attack dice) and b1 (Panzer IV, defence 1, hull 5) 5000 apart and face to face."""
    shooter = a_tank("a1", 1000, 5000, 90, model, cards=a_cards)
    return a_table(shooter, a_tank("b1", 6000, 5000, 270, cards=b_cards, **more), dice=dice)


def refused(table, ask, answer):
    with pytest.raises(Refusal) as caught:
        check(table.data, table.state, ask, answer)
    return [objection.rule for one in each(caught.value) for objection in one.objections]


def rolls(table, rule="T7.4"):
    return [finding.dice for finding in table.findings if finding.rule == rule and finding.dice]


# --- dice that are rolled again ----------------------------------------------------------------------------------


def test_T2_2_extra_ammunition_is_for_all_dice_and_not_for_those_that_missed():
    """The card says "Re-roll all attack dice", so it cannot be used for three of five."""
    table = duel(["extra-ammunition"])
    about = {"target": "b1", "dice": [5, 5, 1, 1, 1], "again": False, "fours": 4}
    ask = Ask("alpha", "reroll", "T7.5", "a1", about=about)
    table.state.tanks["a1"].speed = 1
    assert refused(table, ask, {"by": "extra-ammunition", "dice": [2, 3, 4]}) == ["T2.2"]
    assert check(table.data, table.state, ask, {"by": "extra-ammunition", "dice": [0, 1, 2, 3, 4]})


def test_T2_2_sandbags_are_for_all_defence_dice():
    table = duel(b_cards=["sandbags"])
    ask = Ask("bravo", "save", "T2.4", "b1", about={"dice": [6, 1, 1], "threats": 3})
    assert refused(table, ask, {"by": "sandbags", "dice": [1, 2]}) == ["T2.2"]
    assert check(table.data, table.state, ask, {"by": "sandbags", "dice": [0, 1, 2]})


def test_T2_2_add_on_armour_may_still_choose_its_one_die():
    table = duel(b_cards=["add-on-armour"])
    ask = Ask("bravo", "save", "T2.4", "b1", about={"dice": [6, 1, 1], "threats": 3})
    assert check(table.data, table.state, ask, {"by": "add-on-armour", "dice": [2]})
    assert refused(table, ask, {"by": "add-on-armour", "dice": [1, 2]}) == ["T2.2"]


def test_T7_5_a_precise_loader_and_standing_still_both_roll_again_and_each_only_once():
    """The stationary tank rerolls all five dice, then one die by the card, which works once a turn."""
    dice = [1, 1, 1, 1, 1, 5, 1, 1, 1, 1, 5, 1]
    table = duel(["precise-loader"], dice=dice)
    again = [
        {"by": "stationary", "dice": [0, 1, 2, 3, 4]},
        {"by": "precise-loader", "dice": [1]},
    ]
    shoot(table, "a1", "b1", {"reroll": again})
    assert rolls(table)[-1] == (5, 5, 1, 1, 1)
    assert usable(table, table.state.tanks["a1"], "reroll", {}) == []


def test_T2_2_two_ones_after_a_roll_spoil_tungsten_although_the_first_roll_had_none():
    panther = a_tank("b1", 6000, 5000, 270, "panther", cards=["tungsten"])
    table = a_table(a_tank("a1", 1000, 5000, 90), panther, dice=[5, 5, 5, 5, 5, 5, 1, 1, 6, 6, 6, 6, 1])
    answers = {"aim": [["tungsten"]], "reroll": [{"by": "stationary", "dice": [0, 1, 2, 3, 4, 5]}]}
    shoot(table, "b1", "a1", answers)
    assert table.state.tanks["a1"].damage == 0


def test_T9_6_ekins_keeps_two_sixes_and_is_turned_up_by_it():
    firefly = a_tank("a1", 1000, 5000, 90, "firefly", cards=["ekins"])
    table = a_table(firefly, a_tank("b1", 6000, 5000, 270), dice=[6, 6, 1, 1, 1, 1, 1, 1, 1, 19, 19])
    shoot(table, "a1", "b1", {"reroll": [{"by": "stationary", "dice": [2, 3, 4]}]})
    assert rolls(table)[-1] == (6, 6, 1, 1, 1) and table.state.tanks["a1"].cards[0].up


# --- ammunition ----------------------------------------------------------------------------------------------


def test_T2_2_a_clever_loader_keeps_extra_ammunition_that_hit_nothing():
    """Extra Ammunition is an ammo card as well: the dice rerolled with it still hit nothing, so it is kept."""
    table = duel(["extra-ammunition", "clever-loader"], dice=[1] * 11)
    table.state.tanks["a1"].speed = 1
    table.state.tanks["a1"].moved = True
    shoot(table, "a1", "b1", {"reroll": [{"by": "extra-ammunition", "dice": [0, 1, 2, 3, 4]}]})
    kept = table.state.tanks["a1"].cards[0]
    assert (kept.up, kept.gone) == (True, False)


def test_T2_2_rounds_that_hit_in_the_first_attack_are_not_kept_for_a_miss_in_the_second():
    panther = a_tank("b1", 6000, 5000, 270, "panther", cards=["woll", "tungsten", "clever-loader"])
    friends = a_tank("a1", 1000, 5000, 90), a_tank("a2", 1000, 5760, 90)
    table = a_table(*friends, panther, dice=[5, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1])
    shoot(table, "b1", "a1", {"aim": [["tungsten"]], "again": ["a2"]})
    assert panther.cards[1].gone


def test_T2_2_cards_for_more_dice_are_no_use_in_an_attack_of_three_dice():
    """Woll's second attack has three dice, whatever cards are aboard."""
    panther = a_tank("b1", 6000, 5000, 270, "panther", cards=["woll", "tungsten"])
    table = a_table(a_tank("a1", 1000, 5000, 90), a_tank("a2", 1000, 5760, 90), panther, dice=[5] + [1] * 9)
    played = shoot(table, "b1", "a1", {"again": ["a2"]})
    second = played.asked("aim")[1]
    assert list(from_standing_orders(table.data, table.state, second, ["cards: always"])) == []
    assert refused(table, second, ["tungsten"]) == ["T2.4"]


def test_T2_2_one_special_round_a_turn_also_with_a_resourceful_loader():
    cards = ["tungsten", "tungsten", "resourceful-loader", "barkmann"]
    panther = a_tank("b1", 6000, 5000, 270, "panther", cards=cards)
    table = a_table(a_tank("a1", 1000, 5000, 90), panther, dice=[1] * 40)
    played = shoot(table, "b1", "a1", {"aim": [["tungsten"]], "again": ["a1"]})
    assert refused(table, played.asked("aim")[1], ["tungsten"]) == ["T2.4"]
    assert [held.gone for held in panther.cards[:2]] == [True, False]


# --- second attacks ----------------------------------------------------------------------------------------------


def test_T7_4_an_attack_whose_hits_are_all_cancelled_has_hit_all_the_same():
    """T7.4: a 4 or 5 is a hit, even if it is cancelled later.

    Barkmann attacks again after an attack without hits, Woll after an attack with hits.
    """
    for hero, usable_now in (("barkmann", []), ("woll", ["woll"])):
        panther = a_tank("b1", 6000, 5000, 270, "panther", cards=[hero])
        table = a_table(a_tank("a1", 1000, 5000, 90), panther, dice=[5, 1, 1, 1, 1, 4])
        played = shoot(table, "b1", "a1")
        (again,) = played.asked("again")
        assert usable(table, panther, "again", again.about) == usable_now


def test_T7_12_a_finished_tank_makes_its_second_attack_too():
    panther = a_tank("b1", 6000, 5000, 270, "panther", cards=["barkmann"], damage=6)
    table = a_table(a_tank("a1", 1000, 5000, 90), panther, dice=[1] * 12)
    played = shoot(table, "b1", "a1", {"again": ["a1"]})
    assert len(played.asked("aim")) == 2
    assert_rule(played.findings, "T7.12", inputs={"tank": "b1"}, result="still shoots")


# --- criticals and what stops them ---------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["medical-kit", "pool"])
def test_T2_3_a_critical_that_is_cancelled_does_no_damage(card):
    """The card says "Ignore the first Injured Crew", so neither its damage nor its effect applies."""
    tank = a_tank("a1", 1000, 5000, 90, cards=[card])
    table = a_table(tank, drawn=["injured-crew"])
    table.state.deck.remove("injured-crew")
    run_step(table, suffer(table, tank, "injured-crew"), {"cure": [[card]]})
    assert (tank.damage, tank.criticals, table.state.discards) == (0, [], ["injured-crew"])


def test_T2_2_pool_ignores_the_first_injured_crew_only():
    tank = opened(a_tank("a1", 1000, 5000, 90, cards=["pool"]))
    table = a_table(tank, drawn=["injured-crew", "injured-crew"])
    table.state.deck = [card for card in table.state.deck if card != "injured-crew"]
    for _ in range(2):
        run_step(table, suffer(table, tank, "injured-crew"), {"cure": [["pool"]] if tank.cards[0].used == 0 else []})
        table.state.turn += 1
    assert (tank.damage, tank.criticals) == (1, ["injured-crew"])


def test_T2_2_one_card_is_enough_to_cancel_a_critical():
    table = a_table(a_tank("a1", 1000, 5000, 90, cards=["pool", "medical-kit"]))
    ask = Ask("alpha", "cure", "T2.4", "a1", about={"critical": "injured-crew"}, default=[])
    assert refused(table, ask, ["pool", "medical-kit"]) == ["T2.2"]
    (reply, *_) = from_standing_orders(table.data, table.state, ask, ["cards: always"])
    assert len(reply.answer) == 1
    (reply, *_) = from_plan(table.data, table.state, ask, {"use": {"a1": ["pool", "medical-kit"]}})
    assert len(reply.answer) == 1


def test_T2_2_concrete_and_a_second_critical_card_have_nothing_to_do_without_a_critical():
    table = duel(["sharpshooter"], ["concrete-armour"])
    stop = Ask("bravo", "stop", "T2.4", "b1", about={"shooter": "a1", "hits": 2, "criticals": 0}, default=[])
    sharpen = Ask("alpha", "sharpen", "T2.4", "a1", about={"target": "b1", "criticals": 0}, default=[])
    assert refused(table, stop, ["concrete-armour"]) == ["T2.4"]
    assert refused(table, sharpen, ["sharpshooter"]) == ["T2.4"]


def test_T2_2_two_cards_for_a_critical_draw_two_cards_more():
    """Harris and a Sharpshooter each draw one extra card, and each time the shooter discards one."""
    comet = a_tank("a1", 1000, 5000, 90, "comet", cards=["harris", "sharpshooter"])
    table = a_table(comet, a_tank("b1", 6000, 5000, 270), dice=[6, 1, 1, 1, 1, 1, 20, 20, 20])
    played = shoot(table, "a1", "b1", {"sharpen": [["harris", "sharpshooter"]]})
    assert len(played.asked("pick")) == 2 and all(held.up for held in comet.cards)
    assert len(table.state.deck) == 25 and len(table.state.discards) + len(table.state.tanks["b1"].criticals) == 3


def test_T2_2_extra_ammunition_that_is_open_makes_the_first_hit_worse_and_says_so():
    table = duel(b_cards=["extra-ammunition"], dice=[5, 1, 1, 1, 1, 1, 25])
    opened(table.state.tanks["b1"])
    shoot(table, "a1", "b1")
    assert_rule(
        table.findings, "T2.2", inputs={"card": "extra-ammunition", "tank": "b1"}, result={"hits": 0, "criticals": 1}
    )


def test_T2_2_concrete_stops_the_critical_that_extra_ammunition_made_before_it_was_dropped():
    """A Dead-Eye Gunner makes the critical, and the armour stops it before a card is drawn."""
    table = duel(["dead-eye-gunner"], ["concrete-armour"], dice=[5, 1, 1, 1, 1, 1])
    shoot(table, "a1", "b1", {"convert": [["dead-eye-gunner"]], "stop": [["concrete-armour"]]})
    assert table.state.tanks["b1"].damage == 0 and table.chance.left == []


def test_T7_11_damage_of_a_critical_that_fills_the_tank_leaves_the_next_critical_to_be_drawn():
    """Two criticals hit a Panzer IV with 4 damage: both cards are drawn, and the card with a lasting
    effect stays with it."""
    table = duel(dice=[6, 6, 1, 1, 1, 1, 19, 1], damage=4)
    shoot(table, "a1", "b1")
    b1 = table.state.tanks["b1"]
    assert full(table.data, b1) and len(table.state.deck) == 26 and b1.criticals


# --- repairs -----------------------------------------------------------------------------------------------------


def test_T8_3_two_cards_for_failed_repairs_give_two_more_rolls():
    """With Mason and a Tool Kit, the first roll is 1, the kit's 2 and Mason's 4."""
    sherman = a_tank("a1", 4500, 8000, cards=["mason", "tool-kit"], criticals=["busted-track"])
    table = a_table(sherman, a_tank("b1", 4500, 1000, 180), dice=[1, 2, 4])
    played = run_step(table, command_phase(table), {"mend": [["tool-kit"], ["mason"]]})
    assert sherman.criticals == [] and len(played.asked("mend")) == 2


def test_T8_3_the_same_card_is_not_used_twice_for_one_repair():
    sherman = a_tank("a1", 4500, 8000, cards=["tool-kit"], criticals=["busted-track"])
    table = a_table(sherman, a_tank("b1", 4500, 1000, 180), dice=[1, 2])
    played = run_step(table, command_phase(table), {"mend": [["tool-kit"]]})
    assert sherman.criticals == ["busted-track"]
    assert refused(table, played.asked("mend")[-1], ["tool-kit"]) == ["T2.4"]


def test_T9_2_a_busted_track_keeps_barkmann_from_blitzkrieg_but_not_from_repairing():
    panther = a_tank(
        "b1", 4500, 1000, 180, "panther", cards=["barkmann"], criticals=["busted-track", "jammed-turret"]
    )
    table = a_table(a_tank("a1", 4500, 8000), panther, dice=[4])
    ask = Ask("bravo", "command", "T8.3", default={}, grade="order")
    assert "T2.3" in refused(table, ask, {"b1": {"move": {"way": 180}, "repair": "busted-track"}})
    run_step(table, command_phase(table), {"command bravo": [{"b1": {"repair": "jammed-turret"}}]})
    assert panther.criticals == ["busted-track"]


def test_T8_1_improvised_armour_saves_a_burning_tank_for_a_turn_and_not_for_two():
    tank = a_tank("a1", 4500, 8000, cards=["improvised-armour"], damage=5, criticals=["engine-fire"])
    table = a_table(tank, a_tank("b1", 4500, 1000, 180), dice=[1])
    run_step(table, command_phase(table), {"hold-out": [["improvised-armour"]]})
    assert tank.status is Status.LIVE and (tank.damage, capacity(table.data, tank)) == (6, 7)
    run_step(table, command_phase(table))
    assert tank.status is Status.WRECK and tank.criticals == []


# --- initiative ------------------------------------------------------------------------------------------------


def initiatives(table, answers):
    run_phase(table, shooting_phase, {}, answers)
    return [tank.id for tank in in_sequence(table, "shooting", table.state.live)]


def test_T1_2_a_coordinated_tank_shoots_at_the_initiative_of_the_coordinator_whatever_else_it_turns_up():
    """A Super Pershing (4, Aggressive Commander 5) is lent a Sherman's 6, so it shoots at 6, after a Comet (7)."""
    sherman = a_tank("a1", 1000, 8000, cards=["coordinator"])
    super_pershing = a_tank("a2", 4000, 8000, 0, "super-pershing", cards=["aggressive-commander"])
    table = a_table(sherman, super_pershing, a_tank("b1", 4000, 1000, 180, "panther"), attacker="bravo")
    uses = [["a1", "coordinator", "a2"], ["a2", "aggressive-commander"]]
    assert initiatives(table, {"initiative alpha": [uses]})[0] == "b1"
    assert table.state.lent == {"a2": 1}


def test_T1_2_the_coordinator_lends_the_initiative_that_was_lent_to_him():
    """Storozhenko (T-34, 4 + 2) lends one to an SU-85 (3 + 1). That coordinates an SU-100 (1), which shoots at 4."""
    storozhenko = a_tank("a1", 1000, 8000, 0, "t-34", cards=["storozhenko"])
    su_85 = a_tank("a2", 1700, 8000, 0, "su-85", cards=["coordinator"])
    table = a_table(storozhenko, su_85, a_tank("a3", 7000, 8000, 0, "su-100"), a_tank("b1", 4000, 1000, 180))
    uses = [["a1", "storozhenko", "a2"], ["a2", "coordinator", "a3"]]
    run_phase(table, shooting_phase, {}, {"initiative alpha": [uses]})
    assert table.state.lent == {"a2": 1, "a3": 3}


def test_T1_1_a_hasty_loader_shows_himself_when_moving_and_helps_when_shooting():
    table = duel(["hasty-loader"])
    run_phase(table, movement_phase, {}, {})
    assert table.state.tanks["a1"].cards[0].up
    assert_rule(table.findings, "T1.1", inputs={"initiative": {"a1": 5, "b1": 5}})


# --- movement -----------------------------------------------------------------------------------------------------


def test_T9_4_armour_beats_a_supercharger_and_a_damaged_engine_beats_both():
    data = a_data()
    assert allowance(data, a_tank("a1", 0, 0, model="comet", cards=["concrete-armour"]), charged=True) == 2
    assert allowance(data, a_tank("a1", 0, 0, model="comet", criticals=["damaged-engine"]), charged=True) == 1
    spent = a_tank("a1", 0, 0, model="comet", cards=["concrete-armour"])
    spent.cards[0].gone = True
    assert allowance(data, spent) == 3


def test_T7_5_richards_alone_leaves_the_tank_stationary_and_camouflaged():
    sherman = a_tank("a1", 4500, 6000, 0, cards=["richards", "camouflage"])
    table = a_table(sherman, a_tank("b1", 4500, 1000, 180))
    form = {"early": {"a1": {"way": 90, "face": 270}}, "orders": {"a1": [{"moves": []}]}}
    run_movement(table, {"movement alpha": [form]})
    assert sherman.stationary and sherman.at.x > 4500
    shot = shot_at(table, table.state.tanks["b1"], opened(sherman))
    assert defence_dice(table.data, shot) == 2


def test_T5_3_a_tank_that_lost_its_token_has_moved_for_oktyabrskaya_too():
    """The tank has defence 2 while moving; its token is gone, but it did move."""
    t_34 = opened(a_tank("a1", 1000, 5000, 90, "t-34", cards=["oktyabrskaya"], speed=0, moved=True))
    table = a_table(t_34, a_tank("b1", 6000, 5000, 270))
    assert defence_dice(table.data, shot_at(table, table.state.tanks["b1"], t_34)) == 2


def test_T5_4_a_move_at_the_table_edge_is_illegal_also_when_it_would_be_stopped_by_a_house_beyond():
    """The building stops the tank in time, and the end of the move matters, not the direction of the arrow."""
    tank = a_tank("a1", 4500, 2000, 0)
    free, blocked = a_state(tank), a_state(tank, pieces=[a_piece("building-1", 4500, 900)])
    order = {"orders": {"a1": [{"moves": [{"way": 0}]}]}}
    with pytest.raises(Refusal):
        check(a_data(), free, MOVEMENT, order)
    assert check(a_data(), blocked, MOVEMENT, order)


def test_T5_3_a_supercharged_tank_that_is_stopped_at_once_has_the_speed_of_its_real_moves():
    tank = a_tank("a1", 1000, 5000, 90, cards=["supercharger"])
    table = a_table(tank, a_tank("b1", 1585, 5000, 90))
    order = {"moves": [{"way": 90}, {"way": 0}, {"way": 0}], "use": ["supercharger"]}
    form = {"orders": {"a1": [order]}}
    run_movement(table, {"movement alpha": [form]})
    assert tank.speed == 2 and tank.cards[0].gone


# --- orders without an effect ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ask, line, cards",
    [
        (MOVEMENT, "a1: use supercharger", ["supercharger"]),
        (MOVEMENT, "a1: use clever loader", ["clever-loader"]),
        (MOVEMENT, "a1: use richards", ["richards"]),
        (SHOOTING, "a1: use cunning commander", ["cunning-commander"]),
        (SHOOTING, "a1: use supercharger", ["supercharger"]),
        (SHOOTING, "a1: again b1", ["sandbags"]),
        (SHOOTING, "a1: shoot best, b1", []),
        (SHOOTING, "a1: use sandbags for a2", ["sandbags"]),
    ],
)
def test_T2_4_an_order_that_could_change_nothing_is_refused(ask, line, cards):
    tanks = a_tank("a1", 4500, 8000, cards=cards), a_tank("a2", 6000, 8000), a_tank("b1", 4500, 1000, 180)
    assert lines_refused(a_table(*tanks), ask, line)


def test_T2_4_a_card_that_is_open_and_counts_anyway_need_not_be_ordered():
    boggs = opened(a_tank("a1", 4500, 8000, cards=["boggs"]))
    assert "applies" in lines_refused(a_table(boggs, a_tank("b1", 4500, 1000, 180)), SHOOTING, "a1: use boggs")


@pytest.mark.parametrize(
    "plan",
    [
        {"lend": {"a1": ["coordinator"]}},
        {"lend": {"a1": {"coordinator": "b1"}}},
        {"lend": {"a1": {"coordinator": "a1"}}},
        {"lend": {"a1": {"tungsten": "a2"}}},
        {"repair": {"a1": "nonsense"}},
    ],
)
def test_T2_4_a_plan_that_cannot_be_restated_is_refused(plan):
    state = a_state(a_tank("a1", 4500, 8000, cards=["coordinator"]), a_tank("a2", 6000, 8000), a_tank("b1", 1, 1))
    with pytest.raises(Refusal):
        check_plan(Situation(a_data(), state), "alpha", plan)


def test_T2_4_a_plan_for_a_friend_reads_back():
    tanks = a_tank("a1", 4500, 8000, cards=["coordinator"]), a_tank("a2", 6000, 8000), a_tank("b1", 4500, 1000, 180)
    submission = read(a_data(), a_state(*tanks), SHOOTING, "a1: use coordinator for a2")
    assert "a1: use coordinator for a2" in restate(a_data(), SHOOTING, submission)
