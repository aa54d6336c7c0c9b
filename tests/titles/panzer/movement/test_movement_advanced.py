"""6.6 The Movement Step of the advanced game: frame, allowances, roads, barrages, overruns, shared commands."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, both_editions
from titles.panzer.advanced.marching import (
    CYCLISTS,
    SECTION,
    SQUAD,
    a_feature,
    a_field,
    an_answer,
    ask_of,
    moves,
    refused,
    rule,
    tried,
    where,
)
from titles.panzer.builders import run_step, run_steps
from titles.panzer.obstacles.test_transport import a_barrage

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.fire.overwatch import overwatch_options
from pbem.titles.panzer.movement.march import March, mover_of, start, unit_allowances
from pbem.titles.panzer.movement.move_execution import slow_down
from pbem.titles.panzer.movement.movement import (
    check_move,
    check_reroute,
    move_options,
    movement_step,
    no_move_step,
    reroute_options,
)
from pbem.titles.panzer.movement.movement_progress import follow
from pbem.titles.panzer.movement.unfinished import why_ended
from pbem.titles.panzer.sequence import SEQUENCE
from pbem.titles.panzer.setup.scenario import AdvancedUnit
from pbem.titles.panzer.state import BOUND, Command, Damage, Inside, Marker, Spot, Status

RIFLES = "soviet_rifle_half_squad"
STEPS = {"movement_step": movement_step, "no_move_step": no_move_step}
MOVEMENT = next(number for number, stage in enumerate(SEQUENCE) if stage.step == "movement_step")


def with_entry(*units, hex: str, **more):
    """A table with reinforcements that may come in by a hex."""
    rows = tuple(
        AdvancedUnit(
            id=unit.id,
            name=unit.id,
            side=unit.side,
            seat=unit.side,
            card=unit.card,
            vp=0,
            formation=unit.side,
            grade="seasoned",
            entry=(parse_hex(hex),),
        )
        for unit in units
    )
    return a_field(*units, scenario={"units": rows}, **more)


# --- 6.6 the step ------------------------------------------------------------------------------------------------


@both_editions("6.6")
def test_6_6_the_second_player_moves_then_the_first(edition):
    """L3149-3153, 4.5: movement goes Second, First; every Move that is left over is a no-move."""
    table = a_field(
        a_tank("g1", "C9", "pz4h"),
        a_leg("g2", "E9", SQUAD),
        a_leg("g3", "F9", SQUAD, full_cover=True),
        edition=edition,
    )
    table.state.stage = MOVEMENT
    table.then("movement_step", side="german")

    played = run_steps(table, STEPS, {("german", "move"): [an_answer("g1", "f"), None]})

    assert_rule(played.findings, "6.6", inputs={"side": "german", "player": "second"}, result="movement")
    assert [ask.seat for ask in played.asked("move")] == ["german", "german", "soviet"]
    assert [table.state.vehicles[id].moved for id in ("g1", "g2", "g3")] == [True] * 3
    assert table.state.vehicles["g2"].pending is Spot.MOVE
    assert table.state.vehicles["g3"].pending is Spot.NONE  # it crawls, on the spot
    assert table.state.next.name == "air_phase"


@pytest.mark.rule("3.1", "4.5.1", "4.5.1.1", "5.15", "6.6.1.1")
@both_editions("6.6")
def test_6_6_an_answer_names_a_unit_of_ones_own_that_has_yet_to_move(edition):
    table = a_field(
        a_tank("g1", "C9", "pz4h", moved=True),
        a_leg("g2", "C9", SQUAD, assaulted=True),
        a_tank("g3", "C9", "pz4h", command=Command.FIRE),
        a_tank("g4", "C9", "pz4h", bailed_out=True),
        edition=edition,
    )
    for unit, number in (("g1", "4.5.1.1"), ("g2", "6.6.1.1"), ("g3", "4.5.1"), ("g4", "5.15"), ("s99", "4.5.1")):
        assert_rule(refused(table, unit), number)
    with pytest.raises(Refusal) as refusal:
        check_move(table.data, table.state, ask_of(table), an_answer("s99"))
    assert_rule(refusal.value, "3.1")
    with pytest.raises(Refusal):
        check_move(table.data, table.state, ask_of(table), {"unit": "g1", "paces": 3})
    fresh = a_field(edition=edition)
    run_step(fresh, movement_step(fresh, side="german"), {})
    assert_rule(fresh.findings, "6.6", result="movement")


# --- 6.6.2 suppression and damage --------------------------------------------------------------------------------


@both_editions("6.6.2")
def test_6_6_2_each_condition_halves_down_to_one(edition):
    """L3493: Short Halt, suppression and hull damage: a half, a quarter, an eighth, never below 1."""
    whole = Damage.HULL if edition == "2024" else Damage.WHOLE
    for fields, cross, road in (
        ({}, 4, 9),
        ({"suppression": Marker.OFF}, 2, 4),
        ({"suppression": Marker.ON, "damage": whole}, 1, 2),
        ({"suppression": Marker.ON, "damage": whole, "command": Command.SHORT_HALT}, 1, 1),
    ):
        table = a_field(a_tank("g1", "C9", "pz4h", **fields), edition=edition)
        usable = unit_allowances(table.data, table.state, table.state.vehicles["g1"])
        assert (usable.cross, usable.road) == (cross, road)
        played = moves(table, "g1")
        if fields:
            assert_rule(played.findings, "6.6.2", result={"cross": cross, "path": usable.path, "road": road})


def test_6_6_2_turret_damage_does_not_slow_a_vehicle():
    """6.5.2.2.4."""
    table = a_field(a_tank("g1", "C9", "pz4h", damage=Damage.TURRET))

    assert unit_allowances(table.data, table.state, table.state.vehicles["g1"]).cross == 4


@both_editions("6.6.2")
def test_6_6_2_suppressed_on_the_way_what_is_left_is_halved(edition):
    """L3804, 2016:L3847: 3 points, 1 spent, 2 left, suppressed: 1 left, too little for scrub."""
    watcher = a_leg("s1", "C6", RIFLES, facing=4, command=Command.OVERWATCH)
    table = a_field(
        a_tank("g1", "C9", "sherman3", side="german"),
        watcher,
        signs={"C7": ";"},
        dice=[],
        edition=edition,
    )
    mover = mover_of(table.data, table.state, table.state.vehicles["g1"])
    march = follow(mover, start(mover, "cross"), ["f"]).strides[-1].progress
    assert (march.spent, march.left) == (1, 2)

    unit = table.state.vehicles["g1"]
    unit.suppression = Marker.ON
    after = slow_down(table, unit, march)
    assert after.left == 1
    assert_rule(table.findings, "6.6.2", inputs={"halved_for": "Suppressed", "left": 2}, result=1)
    assert follow(mover_of(table.data, table.state, unit), after, ["f"]).objections
    assert slow_down(table, unit, after) == after  # once only


# --- roads -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1.5", "4.5.1.1.5/obstructed", editions=("2016",))
@pytest.mark.rule("4.5.1.1.5/abandoned-vehicles", editions=("2016",))
def test_4_5_1_1_5_an_abandoned_vehicle_denies_the_road_rate_in_2024_alone():
    """Edition switch 7: in 2016 the road stays open, and the move reports the vehicle that was passed."""
    road = {"links": {"road": ["C9-C8-C7-C6"]}}
    left = a_tank("g2", "C8", "pz4h", bailed_out=True)

    assert_rule(
        refused(a_field(a_tank("g1", "C9", "pz4h"), left, board=road), "g1", "f f", "road"), "4.5.1.1.5/obstructed"
    )
    old = a_field(a_tank("g1", "C9", "pz4h"), left, board=road, edition="2016")
    assert tried(old, "g1", "f f f", "road").spent == 3
    played = moves(old, "g1", "f f f", "road")
    assert_rule(played.findings, "4.5.1.1.5/abandoned-vehicles", inputs={"unit": "g1", "hex": "C8"}, result=["g2"])
    open_road = a_field(a_tank("g1", "C9", "pz4h"), board=road, edition="2016")
    assert "4.5.1.1.5/abandoned-vehicles" not in [found.rule for found in every(moves(open_road, "g1", "f").findings)]
    enemy = a_field(a_tank("g1", "C9", "pz4h"), a_tank("s1", "C8", bailed_out=True), board=road, edition="2016")
    assert_rule(refused(enemy, "g1", "f f", "road"), "4.5.1.1.5")


@pytest.mark.rule("5.13")
def test_5_13_guns_count_for_overstacking_on_the_road_men_do_not():
    """5.13."""
    road = {"links": {"road": ["C9-C8-C7-C6"]}}
    tanks = [a_tank(f"g{number}", "C8", "pz4h") for number in range(2, 7)]
    men = [a_leg(f"g{number}", "C8", SQUAD) for number in range(2, 9)]

    assert_rule(refused(a_field(a_tank("g1", "C9", "pz4h"), *tanks, board=road), "g1", "f f", "road"), "5.13")
    assert tried(a_field(a_tank("g1", "C9", "pz4h"), *men, board=road), "g1", "f f", "road").spent == 2


@pytest.mark.rule("6.6.4.1")
def test_6_6_4_1_path_is_another_word_for_the_road_rate():
    road = {"links": {"path": ["C9-C8-C7-C6-C5-C4"]}}
    table = a_field(a_tank("g1", "C9", "pz4h"), a_leg("g2", "C9", SQUAD), board=road)

    moves(table, "g1", "f f f f f", "path")
    assert where(table, "g1") == "C4"
    assert_rule(refused(table, "g2", "1", "road"), "6.6.4.1")


# --- windows and reroutes ----------------------------------------------------------------------------------------


def test_4_5_1_1_every_hex_is_a_window_and_fire_lets_the_owner_think_again():
    """R-12, R-17: leg movement opens windows exactly like vehicle movement."""
    watcher = a_leg("s1", "C4", "soviet_rifle_squad", facing=4, command=Command.OVERWATCH)
    table = a_field(a_leg("g1", "C8", SQUAD), watcher, dice=[1] * 4)
    shot = {"target": "g1", "firers": [["s1", 0, "gp"]]}

    played = moves(table, "g1", "1 1", answers={"overwatch": [None, shot], "reroute": [{"steps": []}]})

    assert where(table, "g1") == "C7"
    assert played.asked("reroute")[0].subject == "g1"
    assert isinstance(played.asked("reroute")[0].about["progress"], dict)


def test_4_5_1_1_5_a_reroute_is_checked_against_what_was_spent():
    table = a_field(a_leg("g1", "C8", SQUAD))
    mover = mover_of(table.data, table.state, table.state.vehicles["g1"])
    table.state.vehicles["g1"].hex = parse_hex("C7")
    march = follow(mover, start(mover, "cross"), ["1"]).strides[-1].progress
    about = {"progress": msgspec.to_builtins(march), "rest": []}
    ask = Ask("german", "reroute", "4.5.1.1.5", subject="g1", about=about)

    assert check_reroute(table.data, table.state, ask, {"steps": ["1"]}) == {"steps": ["1"]}
    assert check_reroute(table.data, table.state, ask, None) is None
    for wrong in ({"steps": ["1", "1"]}, {"way": "home"}):
        with pytest.raises(Refusal):
            check_reroute(table.data, table.state, ask, wrong)
    for option in reroute_options(table.data, table.state, ask):
        assert check_reroute(table.data, table.state, ask, option) == option


@pytest.mark.rule("6.5.2.2.1")
def test_6_5_2_2_1_with_a_track_hit_nothing_moves_or_turns():
    """L2487: its passengers may still dismount."""
    table = a_field(a_tank("g1", "C9", "spw251", track_hit=True), a_leg("g2", "C9", SQUAD, aboard="g1"))

    assert_rule(refused(table, "g1", "f"), "6.5.2.2.1")
    assert_rule(refused(table, "g1", "l"), "6.5.2.2.1")
    march = msgspec.structs.replace(tried(table, "g1"), over="4.5.1.1")
    assert why_ended(table.state.vehicles["g1"], march).rule == "6.5.2.2.1"
    assert why_ended(table.state.vehicles["s99"], march).rule != "6.5.2.2.1"
    assert tried(table, "g1", "dismount:g2:C9:1").spent == 2


# --- 6.6.6 barrages ----------------------------------------------------------------------------------------------


def test_6_6_6_a_new_hex_of_a_barrage_attacks_before_the_window_once_in_a_move():
    """L3604-3608: first the barrage, then overwatch; turning and staying cost nothing."""
    watcher = a_tank("s1", "C3", "t34_76", facing=4, command=Command.OVERWATCH)

    def field():
        return a_field(
            a_tank("g1", "C9", "pz4h"), watcher, dice=[1] * 4, missions={"m1": a_barrage("C9", "C8", "C7")}
        )

    played = moves(field(), "g1", "f f")
    assert len([finding for finding in played.findings if finding.rule == "6.6.6"]) == 1
    quiet = moves(field(), "g1", "l r")
    assert not [finding for finding in quiet.findings if finding.rule == "6.6.6"]


# --- where moves end ---------------------------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1.10/end")
def test_4_5_1_1_10_no_vehicle_ends_with_an_enemy_of_any_kind():
    """Ruling of 6.6.10: through leg and towed units, but not to stop there."""
    table = a_field(a_tank("g1", "C9", "pz4h"), a_leg("s1", "C8", RIFLES), a_gun("s2", "C7", "gun_76mm"))

    assert_rule(refused(table, "g1", "f"), "4.5.1.1.10/end")
    assert_rule(refused(table, "g1", "f f"), "4.5.1.1.10/end")
    assert tried(table, "g1", "f f f").spent == 3


@pytest.mark.rule("4.5.1.1.10")
def test_4_5_1_1_10_stopped_with_an_enemy_it_goes_back_the_way_it_came():
    """A-33: a track hit in the enemy's hex."""
    watcher = a_tank("s2", "C3", "t34_76", facing=4, command=Command.OVERWATCH)
    table = a_field(a_tank("g1", "C9", "pz4h"), a_leg("s1", "C8", RIFLES), watcher)

    def stop(ask):
        table.state.vehicles["g1"].track_hit = table.state.vehicles["g1"].hex == parse_hex("C8")
        return

    played = moves(table, "g1", "f f", answers={"overwatch": stop})

    assert where(table, "g1") == "C9"
    assert_rule(played.findings, "4.5.1.1.10", inputs={"unit": "g1", "hex": "C8"}, result="C9")


@both_editions("4.5.1.1.9")
def test_4_5_1_1_9_a_step_off_the_map_is_refused_with_the_way_to_leave_it(edition):
    """L1232-1238: a unit that drives, backs, rides or walks over the edge is told how to leave for good."""
    for unit, step, way in (
        (a_tank("g1", "C1", "pz4h", facing=1), "f", "exit"),
        (a_tank("g1", "C1", "pz4h", facing=4), "b", "exit-b"),
        (a_leg("g1", "C1", CYCLISTS, facing=1), "f", "exit"),
        (a_leg("g1", "C1", SQUAD), "1", "exit:1"),
        (a_gun("g1", "C1", "pak38"), "1", "exit:1"),
    ):
        refusal = refused(a_field(unit, edition=edition), "g1", step)
        assert_rule(refusal, "4.5.1.1.9")
        assert f"use {way} to leave for good" in str(refusal)


@pytest.mark.rule("4.5.1.1.9")
def test_2_0_units_of_all_kinds_come_in_and_go_out():
    """2.0, 4.5.1.1.9."""
    table = with_entry(a_leg("g1", None, SQUAD), a_gun("g2", None, "pak38"), a_leg("g3", None, CYCLISTS), hex="A9")
    moves(table, "g1", "enter:A9 2")
    moves(table, "g2", "enter:A9:3")
    moves(table, "g3", "enter:A9 f")
    assert (where(table, "g1"), where(table, "g2"), where(table, "g3")) == ("B9", "A9", "B9")

    out = a_field(a_leg("g1", "A9", SQUAD))
    assert_rule(refused(out, "g1", "exit"), "4.5.1.1.9")
    assert_rule(refused(out, "g1", "exit:2"), "4.5.1.1.9")
    moves(out, "g1", "exit:5")
    assert (out.state.vehicles["g1"].status, out.state.vehicles["g1"].exit_edge) == (Status.EXITED, "west")


# --- 6.6.10 overruns ---------------------------------------------------------------------------------------------


def an_overrun(dice=(), edition="2024", card="sherman3", target=RIFLES, **more):
    """L3778-3817: two hexes apart, scrub in the target's hex."""
    return a_field(
        a_tank("g1", "C9", card, side="german", grade="veteran"),
        a_leg("s1", "C7", target, facing=4, **more),
        signs={"C7": ";"},
        dice=dice,
        edition=edition,
    )


@both_editions("6.6.10", "6.6.10/declaration", "6.6.10/overwatch")
def test_6_6_10_a_vehicle_drives_over_a_half_squad_and_stays(edition):
    """L3806-3817: clear 1, scrub 2; 49 + 30 = 79: eliminated; it stays, with Spot/Move."""
    table = an_overrun(dice=[49], edition=edition, target="german_rifle_half_squad")

    played = moves(table, "g1", "f overrun:s1")

    unit = table.state.vehicles["g1"]
    assert table.state.vehicles["s1"].status is Status.ELIMINATED
    assert (where(table, "g1"), unit.pending, unit.spent) == ("C7", Spot.MOVE, 3)
    declared = rule(table, "6.6.10/declaration")
    assert_rule(played.findings, declared, inputs={"target": "s1", "vehicles": ["g1"]}, result="declared")
    assert_rule(played.findings, "6.6.10", inputs={"vehicle": "g1", "target": "s1"}, result="eliminated")
    assert_rule(played.findings, rule(table, "6.6.10/overwatch"), result="no-window")


@pytest.mark.rule("6.5.4.4")
def test_6_6_10_overwatch_before_it_enters_and_never_in_the_hex():
    """L3752, L3778-3802: the half-squad fires when the vehicle comes next to it; 71 - 35 = 36 has no effect."""
    table = an_overrun(dice=[71, 49], command=Command.OVERWATCH, target="german_rifle_half_squad")
    shot = {"target": "g1", "firers": [["s1", 0, "gp"]]}

    played = moves(table, "g1", "f overrun:s1", answers={"overwatch": [None, shot]})

    windows = [ask for ask in played.asked("overwatch", "soviet") if ask.about["targets"] == ["g1"]]
    assert len(windows) == 2  # revealed, C8; none in C7
    assert_rule(played.findings, "6.5.4.4", result="none")
    assert table.state.vehicles["s1"].status is Status.ELIMINATED


@both_editions("6.6.10.1/put-back")
def test_6_6_10_1_a_vehicle_that_cannot_go_on_is_put_back(edition):
    """L3762: no movement left and the target still there: back to the hex from which it came."""
    table = an_overrun(dice=[1], edition=edition)

    played = moves(table, "g1", "f overrun:s1")

    assert where(table, "g1") == "C8"
    assert_rule(played.findings, rule(table, "6.6.10.1/put-back"), inputs={"vehicle": "g1"}, result="C8")


@both_editions("6.6.10.1")
def test_6_6_10_1_with_movement_left_it_drives_on(edition):
    """L3762."""
    table = an_overrun(dice=[1], edition=edition, card="pz4h")

    played = moves(table, "g1", "f overrun:s1 f", answers={"reroute": [None]})

    assert where(table, "g1") == "C6"
    assert played.asked("reroute")  # the owner knows the result now
    assert_rule(played.findings, "6.6.10.1")


@both_editions("6.6.10")
def test_6_6_10_who_may_overrun_and_how(edition):
    """L3740-3746: a Move, sufficient movement, a spotted unit on the ground since the turn began, one overrun."""
    halting = a_field(
        a_tank("g1", "C8", "pz4h", command=Command.SHORT_HALT), a_leg("s1", "C7", RIFLES), edition=edition
    )
    assert_rule(refused(halting, "g1", "overrun:s1"), "6.6.10")
    late = a_field(a_tank("g1", "C8", "pz4h"), a_leg("s1", "C7", RIFLES), edition=edition)
    late.state.vehicles["s1"].command = None
    assert_rule(refused(late, "g1", "overrun:s1"), "6.6.10")
    truck = a_field(a_tank("g1", "C8", "opel"), a_leg("s1", "C7", RIFLES), edition=edition)
    assert_rule(refused(truck, "g1", "overrun:s1"), "6.6.10")
    dear = a_field(
        a_tank("g1", "C9", "sherman3", side="german"), a_leg("s1", "C7", RIFLES), signs={"C7": "^"}, edition=edition
    )
    assert_rule(refused(dear, "g1", "f overrun:s1"), "6.6.10")
    first = a_field(
        a_tank("g1", "C8", "sherman3", side="german"), a_leg("s1", "C7", RIFLES), signs={"C7": "^"}, edition=edition
    )
    assert_rule(refused(first, "g1", "overrun:s1"), "6.6.10")  # the one-hex exception does not help
    two = a_field(a_tank("g1", "C9", "pz4h"), a_leg("s1", "C8", RIFLES), a_leg("s2", "C7", RIFLES), edition=edition)
    assert_rule(refused(two, "g1", "overrun:s1 overrun:s2"), "6.6.10")
    shaken = a_field(
        a_tank("g1", "C9", "pz4h", suppression=Marker.ON), a_leg("s1", "C8", RIFLES), edition=edition, dice=[1, 1]
    )
    moves(shaken, "g1", "overrun:s1")  # L3495
    riders = a_field(a_leg("g1", "C9", CYCLISTS), a_leg("s1", "C8", RIFLES), edition=edition)
    assert refused(riders, "g1", "overrun:s1")


@both_editions("6.1.4.3.7", "6.1.4.3.3")
def test_6_6_10_not_against_improved_positions_or_into_a_block(edition):
    """A-53, L3746."""
    dug_in = a_field(
        a_tank("g1", "C9", "pz4h"),
        a_leg("s1", "C8", RIFLES, position="f-improved_position-C8"),
        features=[a_feature("improved_position", "C8", holder="s1")],
        edition=edition,
    )
    blocked = a_field(
        a_tank("g1", "C9", "pz4h"), a_leg("s1", "C8", RIFLES), features=[a_feature("block", "C8")], edition=edition
    )

    assert_rule(refused(dug_in, "g1", "overrun:s1"), "6.1.4.3.7")
    assert_rule(refused(blocked, "g1", "overrun:s1"), "6.1.4.3.3")


@both_editions("6.6.10/declaration")
def test_6_6_10_all_overruns_of_a_unit_are_declared_together_and_follow_each_other(edition):
    """L3742-3744: named with the first; when the target is gone they move, but overrun no other unit."""
    table = a_field(
        a_tank("g1", "C9", "pz4h"),
        a_tank("g2", "D9", "pz4h", facing=6),
        a_tank("g3", "B9", "pz4h", facing=2),
        a_leg("s1", "C8", "german_rifle_half_squad"),
        a_leg("s2", "C7", RIFLES),
        dice=[99],
        edition=edition,
    )
    declared = rule(table, "6.6.10/declaration")

    played = moves(table, "g1", "overrun:s1", **{"with": ["g2"]})
    assert_rule(played.findings, declared, inputs={"target": "s1", "vehicles": ["g1", "g2"]})
    assert table.state.next.args["following"] == ["g2"]
    assert not table.state.vehicles["s1"].alive
    following = ask_of(table, next=["g2"])
    with pytest.raises(Refusal) as refusal:
        check_move(table.data, table.state, following, an_answer("g3", "f"))
    assert_rule(refusal.value, declared)
    assert {option["unit"] for option in move_options(table.data, table.state, following) if option} == {"g2"}
    with pytest.raises(Refusal) as refusal:
        check_move(table.data, table.state, following, an_answer("g2", "f r overrun:s2"))
    assert_rule(refusal.value, declared)
    check_move(table.data, table.state, following, an_answer("g2", "f"))

    late = a_field(
        a_tank("g1", "C9", "pz4h", attacking="s1", moved=True),
        a_tank("g3", "B9", "pz4h", facing=2),
        a_leg("s1", "C8", RIFLES),
        edition=edition,
    )
    assert_rule(refused(late, "g3", "overrun:s1"), declared)


@both_editions("6.6.10/building")
def test_6_6_10_a_target_inside_a_building_is_overrun_inside(edition):
    """L3748: the vehicle goes in first; a track hit stops it outside, and there is no overrun."""

    def house(*dice):
        return a_field(
            a_tank("g1", "C9", "pz4h"), a_leg("s1", "C8", RIFLES), signs={"C8": "b"}, dice=dice, edition=edition
        )

    inside = house(99, 99)
    played = moves(inside, "g1", "overrun:s1")
    assert_rule(played.findings, rule(inside, "6.6.10/building"), result="through")
    assert (where(inside, "g1"), inside.state.vehicles["g1"].inside) == ("C8", Inside.BUILDING)
    outside = house(1, 1)
    played = moves(outside, "g1", "overrun:s1")
    assert_rule(played.findings, rule(outside, "6.6.10/building"), result="stopped")
    assert outside.state.vehicles["s1"].alive
    assert where(outside, "g1") == "C9"  # no room with the enemy in the alley


# --- 6.2.1.1.4, 6.6.11 shared commands ---------------------------------------------------------------------------


def a_group(*hexes: str, grade="regulars", edition="2024", **more):
    """Tanks that share the counter of g1."""
    tanks = [
        a_tank(f"g{number}", hex, "pz4h", shares="g1" if number > 1 else "", command=Command.MOVE)
        for number, hex in enumerate(hexes, start=1)
    ]
    return a_field(*tanks, edition=edition, scenario={"grades": {"german": grade}}, **more)


@both_editions("6.2.1.1.4", "6.2.1.1.4/movement")
def test_6_2_1_1_4_regulars_who_share_a_move_end_in_the_same_hex(edition):
    """L2005."""
    table = a_group("C9", "C9", "C9", edition=edition)
    number = rule(table, "6.2.1.1.4/movement")
    table.state.stage = MOVEMENT

    moves(table, "g1", "f f")
    assert_rule(refused(table, "g2", "f"), number)
    moves(table, "g2", "f f")
    with pytest.raises(Refusal) as refusal:
        check_move(table.data, table.state, ask_of(table), None)
    assert_rule(refusal.value, number)
    assert None not in list(move_options(table.data, table.state, ask_of(table)))
    table.then("movement_step", side="german", begun=True)
    played = run_steps(table, STEPS)  # the default brings the last one up

    assert [where(table, id) for id in ("g1", "g2", "g3")] == ["C7"] * 3
    assert_rule(played.findings, number, inputs={"range": 0, "apart": 0}, result=True)
    assert_rule(played.findings, "6.2.1.1.4", inputs={"counter": "g1"}, result="move")


@both_editions("6.2.1.1.4/movement")
def test_6_2_1_1_4_a_unit_leaves_the_others_a_way_and_losses_are_no_fault(edition):
    """A-87, 6.5.2.2.1: units cannot outrun a slow squad; a vehicle with a track hit is left behind."""
    table = a_field(
        a_tank("g1", "C9", "t34_76", side="german"),
        a_leg("g2", "C9", SQUAD, shares="g1"),
        edition=edition,
        scenario={"grades": {"german": "veteran"}},
    )
    assert_rule(refused(table, "g1", "f f f f f"), rule(table, "6.2.1.1.4/movement"))
    assert tried(table, "g1", "f f f f").spent == 4
    apart = a_field(a_leg("g1", "C9", SQUAD), a_leg("g2", "C19", SQUAD, shares="g1", moved=True), edition=edition)
    check_move(apart.data, apart.state, ask_of(apart), an_answer("g1", "1 1"))  # nothing can help it
    stuck = a_group("C9", "C9", edition=edition)
    stuck.state.vehicles["g2"].track_hit = True
    check_move(stuck.data, stuck.state, ask_of(stuck), an_answer("g1", "f f f f"))
    check_move(stuck.data, stuck.state, ask_of(stuck), None)


@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_2_2_4_a_group_does_what_it_can_to_keep_up_with_who_is_slowed(edition):
    """L2525-2527: damaged or bogged is not a track hit; units that can end within range of it must."""
    for slowed in ({"damage": Damage.HULL}, {"flags": ("bogged",)}):
        table = a_field(
            a_tank("g1", "C9", "pz4h"),
            a_tank("g2", "C9", "pz4h", shares="g1", moved=True, **slowed),
            edition=edition,
        )
        assert_rule(refused(table, "g1", "f f f"), rule(table, "6.2.1.1.4/movement"))
        assert tried(table, "g1", "f").entered == 1
        behind = a_tank("g2", "C19", "pz4h", shares="g1", moved=True, **slowed)
        ahead = a_field(a_tank("g1", "C1", "pz4h"), behind, edition=edition)
        check_move(ahead.data, ahead.state, ask_of(ahead), an_answer("g1", "l"))  # nothing can help it
    waiting = a_field(
        a_tank("g1", "C19", "pz4h"),
        a_tank("g2", "C19", "pz4h", shares="g1", damage=Damage.HULL, suppression=Marker.ON),
        board={"links": {"road": [f"C{row + 1}-C{row}" for row in range(18, 8, -1)]}},
        edition=edition,
    )
    assert_rule(refused(waiting, "g1", "f f f f f f", "road"), rule(waiting, "6.2.1.1.4/movement"))


def test_6_2_1_1_3_a_column_on_a_road_keeps_its_order_instead():
    """L1955-1959: regardless of command range, each next to the one ahead."""
    road = {"links": {"road": ["C15-C14-C13-C12-C11-C10-C9-C8-C7-C6-C5-C4-C3"]}}
    table = a_group("C11", "C12", "C13", board=road)

    moves(table, "g1", "f f f f f f", "road")
    assert refused(table, "g2", "f f f f f f f f", "road")  # it would overtake
    moves(table, "g2", "f f f f f f", "road")
    assert refused(table, "g3", "f f", "road")
    moves(table, "g3", "f f f f f f", "road")
    assert [where(table, id) for id in ("g1", "g2", "g3")] == ["C5", "C6", "C7"]


@both_editions("6.6.11")
def test_6_6_11_units_that_share_a_move_attack_the_same_target(edition):
    """L3821-3823: the others may come along without fighting."""
    table = a_field(
        a_tank("g1", "C9", "pz4h"),
        a_tank("g2", "D9", "pz4h", facing=6, shares="g1"),
        a_leg("s1", "C8", RIFLES),
        a_leg("s2", "C7", RIFLES),
        dice=[99],
        edition=edition,
    )
    table.state.notes = {BOUND: {"g1 s2": 1}}

    assert_rule(refused(table, "g2", "overrun:s1"), "6.6.11")
    check_move(table.data, table.state, ask_of(table), an_answer("g2", "l f"))


# --- options -----------------------------------------------------------------------------------------------------


def a_muddle(edition="2024", signs=None, s1_hex="E6", watching=False, **more):
    """A mixture of everything."""
    command = Command.OVERWATCH if watching else Command.NO_COMMAND
    return a_field(
        a_tank("g1", "C9", "spw251", facing=2),
        a_leg("g2", "C9", SECTION, aboard="g1"),
        a_leg("g3", "D9", SQUAD),
        a_gun("g4", "B9", "pak38"),
        a_leg("g5", "E9", SQUAD, full_cover=True),
        a_leg("g6", "F9", CYCLISTS),
        a_tank("g7", "C10", "pz4h"),
        a_tank("g8", "D10", "opel", command=Command.OVERWATCH),
        a_leg("s1", s1_hex, RIFLES, facing=4, command=command),
        a_tank("s2", "G6", "t34_76", facing=5, command=command),
        signs={"B8": "B", "D8": ";", "E8": "^", **(signs or {})},
        board={"links": {"road": ["C12-C11-C10-C9-C8-C7-C6"]}},
        edition=edition,
        **more,
    )


@settings(max_examples=5, deadline=None)
@given(data=st.data(), edition=st.sampled_from(["2024", "2016"]))
def test_6_6_every_option_is_legal_and_can_be_carried_out(data, edition):
    """6.6: every listed move passes its check unchanged, and carrying it out leaves every unit somewhere."""
    table = a_muddle(edition, dice=data.draw(st.lists(st.integers(1, 10), min_size=40, max_size=40)))
    ask = ask_of(table)
    listed = list(move_options(table.data, table.state, ask))
    assert listed[-1] is None
    assert {option["unit"] for option in listed if option} == {f"g{number}" for number in (1, 3, 4, 5, 6, 7, 8)}
    answer = data.draw(st.sampled_from(listed))
    assert check_move(table.data, table.state, ask, answer) == answer

    run_step(table, movement_step(table, side="german", begun=True), {"move": [answer]})

    for unit in table.state.vehicles.values():
        assert (unit.hex is None) == (unit.status is Status.EXITED)
        assert not unit.aboard or unit.hex == table.state.vehicles[unit.aboard].hex
        others = [other for other in table.state.vehicles.values() if other.side != unit.side and other.alive]
        assert not unit.alive or all(other.hex != unit.hex for other in others)


def test_6_6_all_options_pass_their_check():
    for edition in ("2024", "2016"):
        table = a_muddle(edition)
        for option in move_options(table.data, table.state, ask_of(table)):
            assert check_move(table.data, table.state, ask_of(table), option) == option


@settings(max_examples=25, deadline=None)
@given(steps=st.lists(st.sampled_from("fblr"), max_size=7), suppressed=st.booleans())
def test_6_6_costs_add_up_step_by_step(steps, suppressed):
    """4.5.1.1: the points spent are the sum of the steps' costs, whatever is on the way."""
    table = a_muddle()
    unit = table.state.vehicles["g7"]
    unit.suppression = Marker.ON if suppressed else Marker.NONE
    mover = mover_of(table.data, table.state, unit)
    strides, _ = follow(mover, start(mover, "cross"), steps)

    assert sum(int(stride.price.total) for stride in strides) == (strides[-1].progress.spent if strides else 0)
    assert all(isinstance(stride.progress, March) for stride in strides)
    assert not strides or strides[-1].progress.spent <= max(strides[-1].progress.limit, int(strides[0].price.total))


WORDS = (
    *("f", "b", "l", "r", "in", "out", "f-in", "up", "down"),
    *("1", "2", "3", "4", "5", "6", "face:4"),
    *("mount:g3", "mount:g4", "dismount:g2:C9:3", "dismount:g2:D9:3", "bail:g2:1"),
    *("search:hd:2", "search:phd:5:b", "overrun:s1", "exit", "exit:5"),
)


@settings(max_examples=30, deadline=None)
@given(
    unit=st.sampled_from(["g1", "g3", "g4", "g5", "g6", "g7"]),
    mode=st.sampled_from(["cross", "cross", "road", "quick", "crawl"]),
    choices=st.lists(st.integers(0, 200), min_size=1, max_size=6),
    edition=st.sampled_from(["2024", "2016"]),
    dice=st.lists(st.integers(1, 10), min_size=60, max_size=60),
)
def test_6_6_what_passes_its_check_can_be_carried_out_under_fire(unit, mode, choices, edition, dice):
    """6.6: any sequence of legal steps, with enemy fire where possible, ends with every unit somewhere."""
    table = a_muddle(edition, dice=dice, s1_hex="D8", watching=True)
    mover = mover_of(table.data, table.state, table.state.vehicles[unit], mode == "quick")
    march = start(mover, mode, ("overrun:s1",))
    steps: list[str] = []
    for choice in choices:
        legal = [word for word in WORDS if not isinstance(mover.advance(march, word), list)]
        if legal:
            steps.append(legal[choice % len(legal)])
            march = mover.advance(march, steps[-1]).progress
    try:
        answer = check_move(table.data, table.state, ask_of(table), {"unit": unit, "mode": mode, "steps": steps})
    except Refusal:
        return
    fire = {"overwatch": lambda ask: list(overwatch_options(table.data, table.state, ask))[-1]}

    run_step(table, movement_step(table, side="german", begun=True), {"move": [answer], **fire})

    for one in table.state.vehicles.values():
        assert (one.hex is None) == (one.status is Status.EXITED)
        enemies = [other for other in table.state.vehicles.values() if other.side != one.side and other.alive]
        assert not one.alive or all(other.hex != one.hex for other in enemies)
