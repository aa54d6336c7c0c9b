"""6.6 The Movement Step of the advanced game: player order, allowances, roads, barrages and where moves end."""

import msgspec
import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, both_editions
from titles.panzer.advanced.marching import (
    CYCLISTS,
    SQUAD,
    a_field,
    an_answer,
    ask_of,
    moves,
    refused,
    tried,
    where,
)
from titles.panzer.builders import run_step, run_steps
from titles.panzer.movement.columns import MOVEMENT, RIFLES, STEPS
from titles.panzer.obstacles.test_transport import a_barrage

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import happenings_in
from pbem.engine.rules.happenings import Appear, Move, Vanish
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.movement.move_execution import slow_down
from pbem.titles.panzer.movement.movement_step import (
    check_move,
    check_reroute,
    movement_step,
    reroute_options,
)
from pbem.titles.panzer.movement.steps.route_following import follow
from pbem.titles.panzer.movement.steps.unit_steps import mover_of, start, unit_allowances
from pbem.titles.panzer.movement.unfinished import why_ended
from pbem.titles.panzer.setup.scenario import AdvancedUnit
from pbem.titles.panzer.state import Command, Damage, Marker, Spot, Status
from pbem.titles.panzer.telling.watching import Watch


def with_entry(*units, hex: str, **more):
    """A table with reinforcements that may enter through a hex."""
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
    """L3149-3153, 4.5: the Second Player moves first; a unit on Move that gets no orders stays in place."""
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
        check_move(table, ask_of(table), an_answer("s99"))
    assert_rule(refusal.value, "3.1")
    with pytest.raises(Refusal):
        check_move(table, ask_of(table), {"unit": "g1", "paces": 3})
    fresh = a_field(edition=edition)
    run_step(fresh, movement_step(fresh, side="german"), {})
    assert_rule(fresh.findings, "6.6", result="movement")


# --- 6.6.2 suppression and damage --------------------------------------------------------------------------------


@both_editions("6.6.2")
def test_6_6_2_each_condition_halves_down_to_one(edition):
    """L3493: Short Halt, suppression and hull damage leave a half, a quarter and an eighth, but at least 1."""
    whole = Damage.HULL if edition == "2024" else Damage.WHOLE
    for fields, cross, road in (
        ({}, 4, 9),
        ({"suppression": Marker.OFF}, 2, 4),
        ({"suppression": Marker.ON, "damage": whole}, 1, 2),
        ({"suppression": Marker.ON, "damage": whole, "command": Command.SHORT_HALT}, 1, 1),
    ):
        table = a_field(a_tank("g1", "C9", "pz4h", **fields), edition=edition)
        usable = unit_allowances(table, table.state.vehicles["g1"])
        assert (usable.cross, usable.road) == (cross, road)
        played = moves(table, "g1")
        if fields:
            assert_rule(played.findings, "6.6.2", result={"cross": cross, "path": usable.path, "road": road})


def test_6_6_2_turret_damage_does_not_slow_a_vehicle():
    """6.5.2.2.4: only hull damage reduces movement."""
    table = a_field(a_tank("g1", "C9", "pz4h", damage=Damage.TURRET))

    assert unit_allowances(table, table.state.vehicles["g1"]).cross == 4


@both_editions("6.6.2")
def test_6_6_2_suppressed_on_the_way_what_is_left_is_halved(edition):
    """L3804, 2016:L3847: of 3 points 1 is spent; suppression halves the other 2 to 1, too little for scrub."""
    watcher = a_leg("s1", "C6", RIFLES, facing=4, command=Command.OVERWATCH)
    table = a_field(
        a_tank("g1", "C9", "sherman3", side="german"),
        watcher,
        signs={"C7": ";"},
        dice=[],
        edition=edition,
    )
    mover = mover_of(table, table.state.vehicles["g1"])
    march = follow(mover, start(mover, "cross"), ["f"]).strides[-1].progress
    assert (march.spent, march.left) == (1, 2)

    unit = table.state.vehicles["g1"]
    unit.suppression = Marker.ON
    after = slow_down(table, unit, march)
    assert after.left == 1
    assert_rule(table.findings, "6.6.2", inputs={"halved_for": "Suppressed", "left": 2}, result=1)
    assert follow(mover_of(table, unit), after, ["f"]).objections
    assert slow_down(table, unit, after) == after  # once only


# --- roads -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1.5", "4.5.1.1.5/obstructed", editions=("2016",))
@pytest.mark.rule("4.5.1.1.5/abandoned-vehicles", editions=("2016",))
def test_4_5_1_1_5_an_abandoned_vehicle_denies_the_road_rate_in_2024_alone():
    """Edition switch 7: in 2016 the road stays open, and the move reports the abandoned vehicle it passes."""
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
    """5.13: vehicles and guns can overstack a road hex and deny the road rate, but leg units cannot."""
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
    """R-12, R-17: leg movement opens windows exactly as vehicle movement does."""
    watcher = a_leg("s1", "C4", "soviet_rifle_squad", facing=4, command=Command.OVERWATCH)
    table = a_field(a_leg("g1", "C8", SQUAD), watcher, dice=[1] * 4)
    shot = {"target": "g1", "firers": [["s1", 0, "gp"]]}

    played = moves(table, "g1", "1 1", answers={"overwatch": [None, shot], "reroute": [{"steps": []}]})

    assert where(table, "g1") == "C7"
    assert played.asked("reroute")[0].subject == "g1"
    assert isinstance(played.asked("reroute")[0].about["progress"], dict)


def test_4_5_1_1_5_a_reroute_is_checked_against_what_was_spent():
    table = a_field(a_leg("g1", "C8", SQUAD))
    mover = mover_of(table, table.state.vehicles["g1"])
    table.state.vehicles["g1"].hex = parse_hex("C7")
    march = follow(mover, start(mover, "cross"), ["1"]).strides[-1].progress
    about = {"progress": msgspec.to_builtins(march), "rest": []}
    ask = Ask("german", "reroute", "4.5.1.1.5", subject="g1", about=about)

    assert check_reroute(table, ask, {"steps": ["1"]}) == {"steps": ["1"]}
    assert check_reroute(table, ask, None) is None
    for wrong in ({"steps": ["1", "1"]}, {"way": "home"}):
        with pytest.raises(Refusal):
            check_reroute(table, ask, wrong)
    for option in reroute_options(table, ask):
        assert check_reroute(table, ask, option) == option


@pytest.mark.rule("6.5.2.2.1")
def test_6_5_2_2_1_with_a_track_hit_nothing_moves_or_turns():
    """L2487: a track-hit vehicle can neither move nor turn, but its passengers may still dismount."""
    table = a_field(a_tank("g1", "C9", "spw251", track_hit=True), a_leg("g2", "C9", SQUAD, aboard="g1"))

    assert_rule(refused(table, "g1", "f"), "6.5.2.2.1")
    assert_rule(refused(table, "g1", "l"), "6.5.2.2.1")
    march = msgspec.structs.replace(tried(table, "g1"), over="4.5.1.1")
    assert why_ended(table.state.vehicles["g1"], march).rule == "6.5.2.2.1"
    assert why_ended(table.state.vehicles["s99"], march).rule != "6.5.2.2.1"
    assert tried(table, "g1", "dismount:g2:C9:1").spent == 2


# --- 6.6.6 barrages ----------------------------------------------------------------------------------------------


def test_6_6_6_a_new_hex_of_a_barrage_attacks_before_the_window_once_in_a_move():
    """L3604-3608: the barrage attacks first, then overwatch fire; turning or staying draws no attack."""
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
    """Ruling on 6.6.10: a vehicle may pass through leg and towed enemy units, but not stop in their hex."""
    table = a_field(a_tank("g1", "C9", "pz4h"), a_leg("s1", "C8", RIFLES), a_gun("s2", "C7", "gun_76mm"))

    assert_rule(refused(table, "g1", "f"), "4.5.1.1.10/end")
    assert_rule(refused(table, "g1", "f f"), "4.5.1.1.10/end")
    assert tried(table, "g1", "f f f").spent == 3


@pytest.mark.rule("4.5.1.1.10")
def test_4_5_1_1_10_stopped_with_an_enemy_it_goes_back_the_way_it_came():
    """A-33: a vehicle that gets a track hit in an enemy's hex is moved back."""
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
    """L1232-1238: the refusal of a step over the map edge tells the player how to exit for good."""
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


@pytest.mark.rule("2.0", effect=True)
@pytest.mark.rule("4.5.1.1.9")
def test_2_0_units_of_all_kinds_come_in_and_go_out():
    """2.0, 4.5.1.1.9: vehicles, leg units and guns can all enter and exit the map."""
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


@pytest.mark.rule("4.5.1.1.9")
def test_4_5_1_1_9_a_unit_that_comes_in_and_leaves_at_once_is_shown_where_it_was():
    """4.2.1: the fate of every order is told, even if the unit is off the map before and after its move."""
    table = with_entry(a_leg("g1", None, SQUAD), hex="A9")
    watch = Watch(table)
    played = moves(table, "g1", "enter:A9 exit:5")
    assert_rule(played.findings, "4.5.1.1.9", inputs={"unit": "g1", "edge": "west"})
    watch.tell(all_of_it=True)
    assert [type(one) for one in happenings_in(table.findings)] == [Appear, Move, Vanish]
