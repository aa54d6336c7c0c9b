"""4.4.3.2 AP fire: moving targets, hit numbers, angles, penetration, damage and previews."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule, every
from titles.panzer.ap.ap_shots import both_editions, one_shot, seen
from titles.panzer.basic import a_shot, aim_objections, fire_group, resolve_shot
from titles.panzer.builders import (
    a_board,
    a_card,
    a_data_set,
    a_state,
    a_table,
    a_vehicle,
    brewed_up,
    knocked_out,
    run_step,
    shoot,
)

from pbem.engine.geometry.hexes import Hex, distance, parse_hex, ring
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Unreadable
from pbem.titles.panzer.ap.ap_damage import angle_options, check_angle
from pbem.titles.panzer.ap.shot_basics import aspect_of, check_show, show_options
from pbem.titles.panzer.cards.basic_rows import EDITIONS, RANGE_FACTORS
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Spot, Status, Wreck
from pbem.titles.panzer.view import view_of

# --- 4.4.3.2.2 target moving -----------------------------------------------------------------------------------


def shown_group(command: Command, answers: Any, roll: int = 91, edition: Any = "2024", **more: Any) -> Any:
    """A T-34 fires at a German vehicle under a command; its owner decides whether to show the counter."""
    target = a_vehicle("g1", "E2", facing=4, command=command, **more)
    table = a_table(a_vehicle("s1", "E5", command=Command.FIRE), target, dice=[roll], edition=edition)
    return table, target, run_step(table, fire_group(table, "4.4.1", shoot("g1", "s1")), answers)


@pytest.mark.rule("4.4.3.2.2", effect=True)
@pytest.mark.rule("4.4.3.2.2/target-moving")
@pytest.mark.parametrize("command", [Command.MOVE, Command.SHORT_HALT])
@both_editions
def test_4_4_3_2_2_the_owner_shows_a_move_or_short_halt_and_it_stays_face_down(edition, command):
    """L919-979: the owner shows the command to get the modifier and hides it again; it is not carried out yet."""
    table, target, played = shown_group(command, [True], 72, edition)

    assert_rule(played.findings, "4.4.3.2.2/target-moving", inputs={"unit": "g1"}, result=command.value)
    assert_rule(played.findings, "4.4.3.2.2/target-moving", result=-2)
    assert (target.shown, target.revealed, target.face_down) == (True, False, True)
    assert view_of(table.state, "soviet").vehicles["g1"].command is command


@pytest.mark.rule("4.4.3.2.2", effect=True)
@pytest.mark.rule("4.4.3.2.2/target-moving")
@pytest.mark.parametrize("command", list(Command))
def test_4_4_3_2_2_a_declined_claim_looks_like_nothing_to_claim(command):
    """L919-979: the answer `no effect` is the same for every command, so a declined claim reveals nothing."""
    _, target, played = shown_group(command, [False])

    assert (len(played.asked("show", "german")), target.shown) == (1, False)
    assert assert_rule(played.findings, "4.4.3.2.2/target-moving", result="no-effect")
    reference = shown_group(Command.NO_COMMAND, [False])[2]
    assert played.findings == reference.findings
    assert [ask.about for ask in played.asks] == [ask.about for ask in reference.asks]


@pytest.mark.rule("4.4.3.2.2/target-moving", effect=True)
@pytest.mark.parametrize("command", list(Command))
def test_r_05_the_modifier_is_claimed_whenever_it_lowers_a_hit_number(command):
    """R-05: the moving target's modifier lowers the hit number from 90 to 72, so the modifier is
    claimed by default."""
    default = command in (Command.MOVE, Command.SHORT_HALT)
    _, target, played = shown_group(command, [])

    assert [(ask.silence, ask.about["hit_numbers"]) for ask in played.asked("show")] == [(default, [[90, 72]])]
    assert target.shown is default


@pytest.mark.rule("4.4.3.2.2/target-moving", effect=True)
def test_r_05_the_modifier_is_not_claimed_where_it_changes_nothing():
    """R-05: at a net -10 or worse the last row already applies, so the modifier is not claimed by default."""
    target = a_vehicle("g1", "E10", command=Command.MOVE)
    smoke = {f"E{row}": brewed_up() for row in range(5, 11)}
    table = a_table(a_vehicle("s1", "E5", command=Command.FIRE), target, wrecks=smoke, dice=[2])

    played = run_step(table, fire_group(table, "4.4.1", shoot("g1", "s1")))

    assert played.asked("show")[0].about["hit_numbers"] == [[1, 1]]
    assert not target.shown


@pytest.mark.rule("4.4.3.2.2", effect=True)
@pytest.mark.rule("4.4.3.2.2/target-moving")
def test_4_4_3_2_2_nothing_is_asked_once_shown_or_revealed():
    """L919-979: an order once shown applies to all later fire of the turn; a revealed order always applies."""
    for known in ({"shown": True}, {"revealed": True}):
        _, _, played = shown_group(Command.MOVE, [], **known)
        assert played.asks == []
        assert assert_rule(played.findings, "4.4.3.2.2/target-moving", result=-2)
    _, _, played = shown_group(Command.FIRE, [], revealed=True)
    assert played.asks == []


@pytest.mark.rule("4.4.3.2.2", effect=True)
@pytest.mark.rule("4.4.3.2.2/target-moving")
@both_editions
def test_4_4_3_2_2_only_move_and_short_halt_can_be_shown(edition):
    table, _, _ = shown_group(Command.OVERWATCH, [False], edition=edition)
    ask = Ask("german", "show", "4.4.3.2.2", subject="g1")

    assert list(show_options(table.state, ask)) == [False]
    with pytest.raises(Illegal) as caught:
        check_show(table.state, ask, True)
    assert_rule(caught.value, "4.4.3.2.2/target-moving")
    with pytest.raises(Unreadable):
        check_show(table.state, ask, "yes")
    table.state.vehicles["g1"].command = Command.SHORT_HALT
    assert [check_show(table.state, ask, option) for option in show_options(table.state, ask)] == [True, False]


def test_4_4_3_2_2_a_hidden_move_changes_no_preview():
    """4.2.1: the odds must not reveal a face-down command."""
    numbers = set()
    for command in Command:
        table = a_table(a_vehicle("s1", "E5", command=Command.FIRE), a_vehicle("g1", "E2", command=command))
        numbers.add(seen(table, "s1", "g1").result)
    assert numbers == {90}


# --- 4.4.3.2.3 hit number --------------------------------------------------------------------------------------


def extreme(edition: Any, card: str = "pz4h", **more: Any) -> Any:
    """A damaged T-70 on Short Halt fires at extreme range at a target in medium cover: net -10
    before the target's size.
    """
    target = a_vehicle("g1", "B14", card, **more)
    firer = a_vehicle("s1", "B2", "t70", damaged=True, command=Command.SHORT_HALT)
    return a_table(firer, target, board=a_board(signs={"B14": "m"}), dice=[1], edition=edition)


@pytest.mark.rule("4.4.3.2.3")
@both_editions
def test_4_4_3_2_3_no_attack_at_extreme_range_with_minus_10(edition):
    """2016:L1151, A-22: cover -3, Short Halt -4 and damage -3 make -10; at range E no attack is then possible."""
    table = extreme(edition)
    firer, target = table.state.vehicles["s1"], table.state.vehicles["g1"]

    found = list(aim_objections(table.data, table.state, firer, 0, target))

    assert_rule(found, "4.4.3.2.3", why="no attack is possible at extreme range with a net modifier of -10")
    assert_rule(seen(table, "s1", "g1"), "4.4.3.2.3", cell=["E", -10], result=0)


@pytest.mark.rule("4.4.3.2", effect=True)
@pytest.mark.rule("4.4.3.2.3")
@both_editions
def test_4_4_3_2_3_a_claim_that_leaves_no_attack_makes_the_declared_shot_miss(edition):
    """A-22: if the claim leaves no attack, the declared shot counts as fired, but no die is rolled."""
    table = extreme(edition, "tiger1", command=Command.MOVE)
    assert seen(table, "s1", "g1").result == 1

    played = run_step(table, fire_group(table, "4.4.1", shoot("g1", "s1")), {"show": True})

    assert_rule(played.findings, "4.4.3.2.3", inputs={"hit_number": 0}, dice=(), result="miss")
    assert table.state.vehicles["s1"].fired
    assert table.chance.rolled == []


@pytest.mark.rule("4.4.3.2.3")
@pytest.mark.parametrize(("roll", "result"), [(90, "hit"), (91, "miss"), (1, "hit"), (100, "miss")])
def test_4_4_3_2_3_up_to_the_hit_number_is_a_hit(roll, result):
    """L981-989: a roll equal to the hit number still hits."""
    table = a_table(a_vehicle("s1", "E5"), a_vehicle("g1", "E2"), dice=[roll])

    assert assert_rule(one_shot(table, "s1", "g1"), "4.4.3.2.3", result=result)


@given(
    st.sampled_from(EDITIONS),
    st.sampled_from(RANGE_FACTORS),
    st.sampled_from(RANGE_FACTORS),
    st.integers(-15, 10),
    st.integers(-15, 10),
)
def test_4_4_3_2_3_a_better_net_or_range_never_hits_less(edition, factor, other, net, more):
    table = charts(edition)
    if RANGE_FACTORS.index(factor) <= RANGE_FACTORS.index(other) and net >= more:
        assert table.hit_number(factor, net) >= table.hit_number(other, more)
    assert 0 <= table.hit_number(factor, net) <= 100


# --- 4.4.3.2.4 hit angle ---------------------------------------------------------------------------------------


@pytest.mark.rule("4.4.3.2.4")
@both_editions
def test_4_4_3_2_4_the_owner_chooses_on_the_dividing_hexside(edition):
    """L991-997: exactly abeam, the target's owner chooses front or rear; the default is the stronger armour."""

    def fire(answers: Any) -> Any:
        table = a_table(
            a_vehicle("s1", "D5"), a_vehicle("g1", "F5", facing=1, command=Command.FIRE), dice=[1], edition=edition
        )
        shot = a_shot(table.data, table.state, table.state.vehicles["s1"], 0, table.state.vehicles["g1"])
        return run_step(table, resolve_shot(table, shot), answers)

    played = fire(["rear"])
    ask = played.asked("angle")[0]
    assert (ask.seat, ask.subject, ask.silence) == ("german", "g1", "front")
    assert ask.about == {
        "firer": "s1", "weapon": "76.2mm L43", "how": "ap", "target": "g1", "roll": [1], "penetration": 19,
        "front": 18, "rear": 6, "angles": ["front", "rear"],
    }  # fmt: skip
    assert_rule(played.result, "4.4.3.2.4", inputs={"chosen_by": "german"}, result="rear")
    assert played.result.result == "bu"
    assert fire([]).result.result == "damaged"


@pytest.mark.rule("4.4.3.2.4")
def test_4_4_3_2_4_a_stronger_rear_is_the_default():
    """R-05: the default is the rear if its armour is stronger than the front's."""
    odd = a_card("odd", front=2, rear=30)
    target = a_vehicle("g1", "F5", "odd", side="german", facing=1)
    table = a_table(a_vehicle("s1", "D5"), target, cards=[odd], dice=[1])

    assert assert_rule(one_shot(table, "s1", "g1"), "4.4.3.2.4", result="rear")


@pytest.mark.rule("4.4.3.2.4")
def test_4_4_3_2_4_a_choice_is_front_or_rear():
    data, view = a_data_set(), a_state()
    ask = Ask("german", "angle", "4.4.3.2.4", about={"angles": ["front", "rear"]})
    assert [
        check_angle(Situation(data, view), ask, option) for option in angle_options(Situation(data, view), ask)
    ] == ["front", "rear"]
    with pytest.raises(Illegal) as caught:
        check_angle(Situation(data, view), ask, "side")
    assert_rule(caught.value, "4.4.3.2.4")


@given(st.integers(1, 6), st.integers(1, 8), st.integers(0, 47))
def test_4_4_3_2_4_front_and_rear_are_halves_and_the_line_between_needs_an_even_range(facing, radius, place):
    """L991-997: turning the vehicle round swaps front and rear; a shot comes from exactly abeam
    only at even ranges.
    """
    around = ring(parse_hex("J10"), radius)
    firer = a_vehicle("s1", around[place % len(around)])
    aspects = []
    for way in (facing, (facing + 2) % 6 + 1):
        table = a_table(firer, a_vehicle("g1", "J10", facing=way))
        aspects.append(aspect_of(a_shot(table.data, table.state, firer, 0, table.state.vehicles["g1"])))
    if None in aspects:
        assert aspects == [None, None] and radius % 2 == 0
    else:
        assert sorted(aspects) == ["front", "rear"]


# --- 4.4.3.2.5 penetration, 4.4.3.2.6 damage -------------------------------------------------------------------


def damaged_by(difference: int, edition: Any = "2024", **target: Any) -> Any:
    """Resolve a hit whose penetration exceeds the armour by this much."""
    card = a_card("target", front=19 - difference)
    vehicle = a_vehicle("g1", "E2", "target", side="german", facing=4, **target)
    table = a_table(a_vehicle("s1", "E5"), vehicle, cards=[card], dice=[1], edition=edition)
    return table, vehicle, one_shot(table, "s1", "g1")


@pytest.mark.rule("4.4.3.2.5", "4.4.3.2.6")
@pytest.mark.parametrize(
    ("difference", "effect"),
    [(-1, "no-effect"), (0, "damaged"), (1, "damaged"), (3, "damaged"), (4, "ko"), (9, "ko"), (10, "bu"), (17, "bu")],
)
@both_editions
def test_4_4_3_2_6_penetration_minus_armour(edition, difference, effect):
    """L999-1054, 2016:L1189: a difference of 0 to 3 damages (A-23), 4 to 9 knocks out, and 10 or more brews up."""
    _, _, finding = damaged_by(difference, edition)

    assert_rule(finding, "4.4.3.2.5", result=difference >= 0)
    assert_rule(finding, "4.4.3.2.6", inputs={"difference": difference}, result=effect)
    assert finding.result == effect


@pytest.mark.rule("4.4.3.2.6/damaged")
@pytest.mark.parametrize("difference", range(4))
@both_editions
def test_4_4_3_2_6_a_second_damaged_result_is_a_ko(edition, difference):
    """L1013-1054: a vehicle that is damaged twice is knocked out."""
    table, vehicle, finding = damaged_by(difference, edition, damaged=True)

    assert_rule(finding, "4.4.3.2.6/damaged", inputs={"damaged_before": True}, result="ko")
    assert (vehicle.status, table.state.wrecks["E2"].brewed_up) == (Status.ELIMINATED, False)


@pytest.mark.rule("4.4.3.2.6/bu", "4.4.3.2.6/ko")
@both_editions
def test_4_4_3_2_6_one_wreck_a_hex_and_bu_replaces_ko(edition):
    """L1013-1054, A-14: a KO adds nothing to a BU wreck; a BU on a KO wreck is a new source of smoke."""

    def kill(card: str, before: Wreck | None) -> tuple[Any, Any]:
        table = a_table(
            a_vehicle("s1", "E5", "su100", facing=1), a_vehicle("g1", "E2", card, facing=4),
            wrecks={"E2": before} if before else {}, dice=[1], edition=edition,
        )  # fmt: skip
        return one_shot(table, "s1", "g1"), table.state.wrecks["E2"]

    finding, wreck = kill("opel", None)
    assert_rule(finding, "4.4.3.2.6/bu", inputs={"unit": "g1", "hex": "E2"}, result="bu-wreck")
    assert wreck == Wreck(brewed_up=True, fresh=True)
    assert kill("opel", knocked_out())[1] == Wreck(brewed_up=True, fresh=True)
    assert kill("opel", brewed_up())[1] == Wreck(brewed_up=True, fresh=False)

    tough = a_card("tough", front=40)
    table = a_table(
        a_vehicle("s1", "E5", "su100", facing=1), a_vehicle("g1", "E2", "tough", side="german", facing=4),
        cards=[tough], wrecks={"E2": brewed_up()}, dice=[1], edition=edition,
    )  # fmt: skip
    assert_rule(one_shot(table, "s1", "g1"), "4.4.3.2.6/ko", result="bu-wreck")
    assert table.state.wrecks["E2"] == Wreck(brewed_up=True, fresh=False)


def test_r_10_the_command_of_an_eliminated_vehicle_is_never_shown():
    """R-10: the vehicle's counter is removed face down, and the findings do not depend on its command."""
    findings = []
    for command in Command:
        target = a_vehicle("g1", "E2", "opel", facing=4, command=command, spot=Spot.MOVE)
        table = a_table(a_vehicle("s1", "E5", command=Command.FIRE), target, dice=[1])
        findings.append(run_step(table, fire_group(table, "4.4.1", shoot("g1", "s1")), {"show": False}).findings)
        assert (target.command, target.marker, target.revealed) == (None, Spot.NONE, False)
    assert all(found == findings[0] for found in findings)


def test_4_4_3_2_6_damage_leaves_command_marker_and_place_alone():
    """L1013-1054: a damaged vehicle keeps its command, its marker and its hex."""
    _, vehicle, _ = damaged_by(1, command=Command.MOVE, spot=Spot.FIRE)

    assert (vehicle.command, vehicle.spot, vehicle.alive, vehicle.damaged) == (Command.MOVE, Spot.FIRE, True, True)


@given(
    rolls=st.lists(st.integers(1, 100), min_size=6, max_size=6),
    cards=st.lists(st.sampled_from(["t34_76", "su76m", "t70", "su85"]), min_size=6, max_size=6),
    place=st.integers(0, 35),
    facing=st.integers(1, 6),
)
def test_4_4_3_2_6_shots_only_ever_make_things_worse(rolls, cards, place, facing):
    """A vehicle goes from sound to damaged to eliminated and never back; a second damage result eliminates it."""
    hex: Hex = ring(parse_hex("J10"), 6)[place]
    target = a_vehicle("g1", "J10", facing=facing)
    firers = [a_vehicle(f"s{i}", hex, card, command=Command.FIRE) for i, card in enumerate(cards)]
    table = a_table(target, *firers, dice=rolls)
    assert distance(hex, parse_hex("J10")) == 6

    played = run_step(table, fire_group(table, "4.4.1", shoot("g1", *[firer.id for firer in firers])))

    effects = [finding.result for finding in every(played.findings) if finding.rule == "4.4.3.2.6"]
    assert effects.count("damaged") <= 1
    assert ("ko" in effects or "bu" in effects) == (target.status is Status.ELIMINATED)
    assert all(effect in ("ko", "bu") for effect in effects[-1:]) or target.alive
    assert all(firer.fired and firer.pending is Spot.FIRE for firer in firers)


# --- previews --------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.4.3.2", "4.4.3.2.3", "4.4.3.2.4", "4.4.3.2.6")
@both_editions
def test_4_4_3_2_a_preview_tells_the_odds_and_what_a_hit_would_do(edition):
    """A preview tells the odds and the effect of a hit without rolling dice or changing the state."""
    table = a_table(a_vehicle("s1", "E5"), a_vehicle("g1", "E2", facing=4, damaged=True), edition=edition)

    finding = seen(table, "s1", "g1", Command.SHORT_HALT)

    assert_rule(finding, "4.4.3.2", inputs={"firer": "s1", "weapon": "76.2mm L43", "target": "g1"}, result=54)
    assert_rule(finding, "4.4.3.2.3", cell=["P", -4], result=54)
    assert_rule(finding, "4.4.3.2.4", result="front")
    assert_rule(finding, "4.4.3.2.6", result="ko")
    assert table.chance.rolled == []


@pytest.mark.rule("4.4.3.2", effect=True)
@pytest.mark.rule("4.4.3.2.5", "4.4.3.2.6")
@both_editions
@pytest.mark.parametrize(
    ("facing", "aspect", "armour", "effect"), [(4, "front", 18, "no-effect"), (1, "rear", 12, "damaged")]
)
def test_4_4_3_2_a_preview_goes_by_the_side_that_will_be_hit(edition, facing, aspect, armour, effect):
    """L1023-1054: a shot stopped by the T-34's front penetrates its rear."""
    target = a_vehicle("s1", "E2", "t34_76", facing=facing)
    finding = seen(a_table(a_vehicle("g1", "E5", "pz3j_lang"), target, edition=edition), "g1", "s1")

    assert_rule(finding, "4.4.3.2.5", inputs={"aspect": aspect, "armour": armour})
    assert_rule(finding, "4.4.3.2.6", result=effect)


@pytest.mark.rule("4.4.3.2", effect=True)
@pytest.mark.rule("4.4.3.2.1")
def test_4_4_3_2_a_preview_out_of_range_is_no_attack():
    table = a_table(a_vehicle("s1", "E1"), a_vehicle("g1", "E20"))

    assert seen(table, "s1", "g1").result == 0
    assert assert_rule(seen(table, "s1", "g1"), "4.4.3.2.1", result=None)


def test_a_81_each_weapon_has_its_own_odds():
    """A-81: a unit fires one weapon per fire action, chosen by its owner."""
    table = a_table(a_vehicle("b1", "E8", "grant", facing=1), a_vehicle("g1", "E5", facing=4))

    assert [seen(table, "b1", "g1", weapon=weapon).result for weapon in (0, 1)] == [90, 70]
