"""6.6.10, 6.2.1.1.4, 6.6.11 Overruns, shared commands, and every option of a move."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule
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
from titles.panzer.movement.columns import MOVEMENT, RIFLES, STEPS

from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.fire.overwatch import overwatch_options
from pbem.titles.panzer.movement.movement_step import (
    check_move,
    move_options,
    movement_step,
)
from pbem.titles.panzer.movement.steps.route_following import follow
from pbem.titles.panzer.movement.steps.unit_steps import March, mover_of, start
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import BOUND, Command, Damage, Inside, Marker, Spot, Status

# --- 6.6.10 overruns ---------------------------------------------------------------------------------------------


def an_overrun(dice=(), edition="2024", card="sherman3", target=RIFLES, **more):
    """L3778-3817: a vehicle and its target two hexes apart, with scrub in the target's hex."""
    return a_field(
        a_tank("g1", "C9", card, side="german", grade="veteran"),
        a_leg("s1", "C7", target, facing=4, **more),
        signs={"C7": ";"},
        dice=dice,
        edition=edition,
    )


@both_editions("6.6.10", "6.6.10/declaration", "6.6.10/overwatch")
def test_6_6_10_a_vehicle_drives_over_a_half_squad_and_stays(edition):
    """L3806-3817: clear costs 1 and scrub 2; 49 + 30 = 79 eliminates the target, and the vehicle stays there."""
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
    """L3752, L3778-3802: the half-squad fires as the vehicle becomes adjacent; 71 - 35 = 36 has no effect."""
    table = an_overrun(dice=[71, 49], command=Command.OVERWATCH, target="german_rifle_half_squad")
    shot = {"target": "g1", "firers": [["s1", 0, "gp"]]}

    played = moves(table, "g1", "f overrun:s1", answers={"overwatch": [None, shot]})

    windows = [ask for ask in played.asked("overwatch", "soviet") if ask.about["targets"] == ["g1"]]
    assert len(windows) == 2  # revealed, C8; none in C7
    assert_rule(played.findings, "6.5.4.4", result="none")
    assert table.state.vehicles["s1"].status is Status.ELIMINATED


@both_editions("6.6.10.1/put-back")
def test_6_6_10_1_a_vehicle_that_cannot_go_on_is_put_back(edition):
    """L3762: with no movement left and the target still there, the vehicle returns to the hex from which it came."""
    table = an_overrun(dice=[1], edition=edition)

    played = moves(table, "g1", "f overrun:s1")

    assert where(table, "g1") == "C8"
    assert_rule(played.findings, rule(table, "6.6.10.1/put-back"), inputs={"vehicle": "g1"}, result="C8")


@both_editions("6.6.10.1")
def test_6_6_10_1_with_movement_left_it_drives_on(edition):
    """L3762: a vehicle that has movement left may continue its move."""
    table = an_overrun(dice=[1], edition=edition, card="pz4h")

    played = moves(table, "g1", "f overrun:s1 f", answers={"reroute": [None]})

    assert where(table, "g1") == "C6"
    assert played.asked("reroute")  # the owner knows the result now
    assert_rule(played.findings, "6.6.10.1")


@both_editions("6.6.10")
def test_6_6_10_who_may_overrun_and_how(edition):
    """L3740-3746: a vehicle needs a Move, enough movement, and a spotted unit on the ground as the turn began.

    A vehicle may overrun only once.
    """
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
    """A-53, L3746: units in improved positions cannot be overrun, nor can a vehicle overrun into a road block."""
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
    """L3742-3744: all overruns of a target are declared with the first; if the target is gone, the
    other units may only move."""
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
        check_move(table, following, an_answer("g3", "f"))
    assert_rule(refusal.value, declared)
    assert {option["unit"] for option in move_options(table, following) if option} == {"g2"}
    with pytest.raises(Refusal) as refusal:
        check_move(table, following, an_answer("g2", "f r overrun:s2"))
    assert_rule(refusal.value, declared)
    check_move(table, following, an_answer("g2", "f"))

    late = a_field(
        a_tank("g1", "C9", "pz4h", attacking="s1", moved=True),
        a_tank("g3", "B9", "pz4h", facing=2),
        a_leg("s1", "C8", RIFLES),
        edition=edition,
    )
    assert_rule(refused(late, "g3", "overrun:s1"), declared)


@both_editions("6.6.10/building")
def test_6_6_10_a_target_inside_a_building_is_overrun_inside(edition):
    """L3748: the vehicle has to enter the building first; a track hit stops it outside, without an overrun."""

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
    """Build tanks that share the counter of g1."""
    tanks = [
        a_tank(f"g{number}", hex, "pz4h", shares="g1" if number > 1 else "", command=Command.MOVE)
        for number, hex in enumerate(hexes, start=1)
    ]
    return a_field(*tanks, edition=edition, scenario={"grades": {"german": grade}}, **more)


@both_editions("6.2.1.1.4", "6.2.1.1.4/movement")
def test_6_2_1_1_4_regulars_who_share_a_move_end_in_the_same_hex(edition):
    """L2005: the command range of Regulars is 0, so those that share a Move end in the same hex."""
    table = a_group("C9", "C9", "C9", edition=edition)
    number = rule(table, "6.2.1.1.4/movement")
    table.state.stage = MOVEMENT

    moves(table, "g1", "f f")
    assert_rule(refused(table, "g2", "f"), number)
    moves(table, "g2", "f f")
    with pytest.raises(Refusal) as refusal:
        check_move(table, ask_of(table), None)
    assert_rule(refusal.value, number)
    assert None not in list(move_options(table, ask_of(table)))
    table.then("movement_step", side="german", begun=True)
    played = run_steps(table, STEPS)  # the default brings the last one up

    assert [where(table, id) for id in ("g1", "g2", "g3")] == ["C7"] * 3
    assert_rule(played.findings, number, inputs={"range": 0, "apart": 0}, result=True)
    assert_rule(played.findings, "6.2.1.1.4", inputs={"counter": "g1"}, result="move")


@both_editions("6.2.1.1.4/movement")
def test_6_2_1_1_4_a_unit_leaves_the_others_a_way_and_losses_are_no_fault(edition):
    """A-87, 6.5.2.2.1: units may not outrun a slow squad of their group, but a track-hit vehicle is left behind."""
    table = a_field(
        a_tank("g1", "C9", "t34_76", side="german"),
        a_leg("g2", "C9", SQUAD, shares="g1"),
        edition=edition,
        scenario={"grades": {"german": "veteran"}},
    )
    assert_rule(refused(table, "g1", "f f f f f"), rule(table, "6.2.1.1.4/movement"))
    assert tried(table, "g1", "f f f f").spent == 4
    apart = a_field(a_leg("g1", "C9", SQUAD), a_leg("g2", "C19", SQUAD, shares="g1", moved=True), edition=edition)
    check_move(Situation(apart.data, apart.state), ask_of(apart), an_answer("g1", "1 1"))  # nothing can help it
    stuck = a_group("C9", "C9", edition=edition)
    stuck.state.vehicles["g2"].track_hit = True
    check_move(Situation(stuck.data, stuck.state), ask_of(stuck), an_answer("g1", "f f f f"))
    check_move(Situation(stuck.data, stuck.state), ask_of(stuck), None)


@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_2_2_4_a_group_does_what_it_can_to_keep_up_with_who_is_slowed(edition):
    """L2525-2527: units that can end within range of a damaged or bogged vehicle of their group must do so."""
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
        check_move(Situation(ahead.data, ahead.state), ask_of(ahead), an_answer("g1", "l"))  # nothing can help it
    waiting = a_field(
        a_tank("g1", "C19", "pz4h"),
        a_tank("g2", "C19", "pz4h", shares="g1", damage=Damage.HULL, suppression=Marker.ON),
        board={"links": {"road": [f"C{row + 1}-C{row}" for row in range(18, 8, -1)]}},
        edition=edition,
    )
    assert_rule(refused(waiting, "g1", "f f f f f f", "road"), rule(waiting, "6.2.1.1.4/movement"))


def test_6_2_1_1_3_a_column_on_a_road_keeps_its_order_instead():
    """L1955-1959: in a road column each vehicle must end next to the one ahead, whatever the command range."""
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
    """L3821-3823: the other units that share the Move may come along without attacking."""
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
    check_move(table, ask_of(table), an_answer("g2", "l f"))


# --- options -----------------------------------------------------------------------------------------------------


def a_muddle(edition="2024", signs=None, s1_hex="E6", watching=False, **more):
    """Build a position in which units of every kind meet."""
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
    """6.6: every move offered passes its check unchanged, and after it every unit still has a place."""
    table = a_muddle(edition, dice=data.draw(st.lists(st.integers(1, 10), min_size=40, max_size=40)))
    ask = ask_of(table)
    listed = list(move_options(table, ask))
    assert listed[-1] is None
    assert {option["unit"] for option in listed if option} == {f"g{number}" for number in (1, 3, 4, 5, 6, 7, 8)}
    answer = data.draw(st.sampled_from(listed))
    assert check_move(table, ask, answer) == answer

    run_step(table, movement_step(table, side="german", begun=True), {"move": [answer]})

    for unit in table.state.vehicles.values():
        assert (unit.hex is None) == (unit.status is Status.EXITED)
        assert not unit.aboard or unit.hex == table.state.vehicles[unit.aboard].hex
        others = [other for other in table.state.vehicles.values() if other.side != unit.side and other.alive]
        assert not unit.alive or all(other.hex != unit.hex for other in others)


def test_6_6_all_options_pass_their_check():
    for edition in ("2024", "2016"):
        table = a_muddle(edition)
        for option in move_options(table, ask_of(table)):
            assert check_move(table, ask_of(table), option) == option


@settings(max_examples=25, deadline=None)
@given(steps=st.lists(st.sampled_from("fblr"), max_size=7), suppressed=st.booleans())
def test_6_6_costs_add_up_step_by_step(steps, suppressed):
    """4.5.1.1: the points spent are the sum of the steps' costs, whatever obstacles are on the way."""
    table = a_muddle()
    unit = table.state.vehicles["g7"]
    unit.suppression = Marker.ON if suppressed else Marker.NONE
    mover = mover_of(table, unit)
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
    """6.6: after any sequence of legal steps, with enemy fire where possible, every unit still has a place."""
    table = a_muddle(edition, dice=dice, s1_hex="D8", watching=True)
    mover = mover_of(table, table.state.vehicles[unit], mode == "quick")
    march = start(mover, mode, ("overrun:s1",))
    steps: list[str] = []
    for choice in choices:
        legal = [word for word in WORDS if not isinstance(mover.advance(march, word), list)]
        if legal:
            steps.append(legal[choice % len(legal)])
            march = mover.advance(march, steps[-1]).progress
    try:
        answer = check_move(table, ask_of(table), {"unit": unit, "mode": mode, "steps": steps})
    except Refusal:
        return
    fire = {"overwatch": lambda ask: list(overwatch_options(table, ask))[-1]}

    run_step(table, movement_step(table, side="german", begun=True), {"move": [answer], **fire})

    for one in table.state.vehicles.values():
        assert (one.hex is None) == (one.status is Status.EXITED)
        enemies = [other for other in table.state.vehicles.values() if other.side != one.side and other.alive]
        assert not one.alive or all(other.hex != one.hex for other in enemies)
