"""6.5.2 AP fire of the advanced game: hits, spreading, angles and locations."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import (
    a_gun,
    a_tank,
    advanced_data,
    an_advanced_state,
    both_editions,
)
from titles.panzer.ap.advanced_shots import a_shot, a_table_of, angles, duel, fired, on_a_line, spreading
from titles.panzer.builders import a_board, a_hex

from pbem.engine.geometry.hexes import disc, distance, hex_name
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Unreadable
from pbem.titles.panzer.ap.ap_damage import check_angle, digits, is_covered
from pbem.titles.panzer.ap.ap_fire import (
    check_spread,
    preview_ap,
    spread_options,
    spread_targets,
)
from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot
from pbem.titles.panzer.cards.chart_rows import Angle, Location
from pbem.titles.panzer.cards.chart_rows import Shot as Slope
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, HullDown

# --- 6.5.2.1 number of hits ------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.2.1", effect=True)
@pytest.mark.parametrize("edition", ["2024", "2016"])
def test_6_5_2_1_rates_of_fire_of_the_cards(edition):
    """L2421-2422, 2016:L2556: the Panzerjaeger I and the SU-76M fire at rate N, the 8.8cm FlaK 36 at rate Q."""
    data = advanced_data(edition=edition)
    assert weapons_of(data, a_tank("g1", "A1", "pzjgr1"))[0].rate == "N"
    assert weapons_of(data, a_tank("s1", "A1", "su76m"))[0].rate == "N"
    assert weapons_of(data, a_gun("g2", "A1", "flak36"))[0].rate == "Q"


@pytest.mark.rule("6.5.2.1", effect=True)
@pytest.mark.parametrize(("roll", "hits"), [(1, 3), (11, 3), (12, 2), (22, 2), (23, 1), (56, 1), (57, 0)])
def test_6_5_2_1_hit_number_56_at_rate_f(roll, hits):
    """L2440: a roll of 01-11 gives three hits, 12-22 two and 23-56 one; 57 and above misses."""
    assert advanced_data().advanced.number_of_hits(56, "F", roll) == hits


@both_editions("6.5.2", "6.5.2.1", "6.5.2.1/n-rate")
def test_6_5_2_1_rate_n_hits_once_however_low_the_roll(edition):
    data, state = duel(edition=edition)
    table = a_table_of(data, state, 1, 61, 99)
    found = fired(table, a_shot(data, state)).result

    assert_rule(found, "6.5.2", inputs={"firer": "b1", "target": "g1", "how": "ap"})
    assert_rule(found, "6.5.2.1", result=1, inputs={"rate": "N"})
    assert_rule(found, ledger_row(edition, "6.5.2.1/n-rate"), dice=(1,), result=1)


@pytest.mark.rule("6.5.2.1", effect=True)
@both_editions("6.5.2.1/qrf-rates", "6.5.2.2")
def test_6_5_2_1_rate_q_may_hit_twice_and_each_hit_is_rolled_for_itself(edition):
    """L2406: a towed gun fires AP too; the to-hit roll also gives the number of hits."""
    gun, tank = a_gun("g1", "C3", "pak38", facing=4), a_tank("b1", "C5", "crusader1")
    state = an_advanced_state(gun, tank, sides=("german", "british"))
    data = advanced_data(edition=edition, sides=state.sides)
    shot = an_ap_shot(Situation(data, state), gun, weapons_of(data, gun)[0], "ap", tank)
    table = a_table_of(data, state, 2, 5, 5, 99, 99, 99)
    found = fired(table, shot).result

    assert_rule(found, ledger_row(edition, "6.5.2.1/qrf-rates"), dice=(2,), result=2)
    assert_rule(found, "6.5.2.2", dice=(5,), result="TK")
    assert len([one for one in every(found) if one.rule == "6.5.2.2" and one.dice == (5,)]) == 2


@pytest.mark.rule("6.5.2.4", effect=True)
@pytest.mark.rule("6.5.2.1")
def test_6_5_2_4_an_ammo_limit_leaves_one_hit_and_costs_3():
    gun, tank = a_gun("g1", "C3", "pak38", facing=4), a_tank("b1", "C5", "crusader1")
    state = an_advanced_state(gun, tank)
    data = advanced_data(sides=state.sides)
    shot = an_ap_shot(Situation(data, state), gun, weapons_of(data, gun)[0], "ap", tank)
    short = replace(shot, short=1, rate="N")
    found = fired(a_table_of(data, state, 2, 5, 99), short).result

    assert_rule(found, "6.5.2.1", result=1)
    assert short.net == shot.net - 3


@pytest.mark.rule("6.5.2.1", effect=True)
@pytest.mark.parametrize(
    ("grade", "near"),
    [("elite", 2), ("veteran", 1), ("seasoned", 1), ("regulars", 0), ("green", 0)],
)
def test_6_5_2_1_how_far_hits_are_spread_goes_by_the_grade_of_the_firer(grade, near):
    """L2448-2450: Veterans can spread hits to A1 and A2, Elite units also to A4, and lower grades
    only within the hex.
    """
    _, state, shot = spreading(grade)
    places = {id: state.vehicles[id].hex for id in ("b1", "b2", "b4")}
    wanted = [id for id, hex in places.items() if distance(hex, state.vehicles["b3"].hex) <= near]

    assert [unit.id for unit in spread_targets(shot, lambda other: True)] == wanted
    assert spread_targets(shot, lambda other: other.id != "b1") == [state.vehicles[id] for id in wanted if id != "b1"]


@pytest.mark.rule("6.5.2.1", effect=True)
def test_6_5_2_1_regulars_may_spread_within_the_hex_of_the_target():
    """A0 is in the target's own hex: a command range of 0 means the same hex."""
    _, state, shot = spreading("regulars", b1={})
    state.vehicles["b1"].hex = state.vehicles["b3"].hex

    assert [unit.id for unit in spread_targets(shot, lambda other: True)] == ["b1"]


@pytest.mark.rule("6.5.2.1", effect=True)
def test_6_5_2_1_the_hit_number_decides_in_2024_and_the_range_factor_in_2016():
    """Switch 21: A1 is known to be moving, so it is harder to hit, but its range factor does not change."""
    moving = {"command": Command.MOVE, "revealed": True}
    _, _, new = spreading("veteran", b1=moving)
    _, _, old = spreading("veteran", "2016", b1=moving)

    assert "b1" not in [unit.id for unit in spread_targets(new, lambda other: True)]
    assert "b1" in [unit.id for unit in spread_targets(old, lambda other: True)]


@pytest.mark.rule("6.5.2.1", effect=True)
@both_editions("6.5.2.1/spread-hits")
def test_6_5_2_1_the_first_hit_stays_and_extra_ones_go_where_the_firer_says(edition):
    data, state, shot = spreading("elite", edition)
    near = [unit.id for unit in spread_targets(shot, lambda other: True)]
    table = a_table_of(data, state, 1, 5, 5, 99, 99, 99, 99)
    played = fired(table, shot, answers={"spread": [[near[0]]]})

    assert played.asked("spread")[0].about["targets"] == near
    assert played.asked("spread")[0].about["extra"] == 1, "the first of two hits stays where it is"
    assert_rule(played.result, "6.5.2.1/spread-hits", result=["b3", near[0]])
    assert state.vehicles["b3"].track_hit and state.vehicles[near[0]].track_hit


@pytest.mark.rule("6.5.2.1/spread-hits")
def test_6_5_2_1_a_move_that_is_shown_takes_the_spread_hit_back():
    """The owner of A2 may show that it is moving and so avoid the hit; in 2016 this does not
    change the range factor.
    """
    data, state, shot = spreading("veteran", b1={"command": Command.MOVE})
    table = a_table_of(data, state, 1, 5, 5, 99, 99)
    played = fired(table, shot, answers={"spread": [["b1"]], "show": True})

    assert [ask.subject for ask in played.asked("show")] == ["b1"]
    assert_rule(played.result, "6.5.2.1/spread-hits", result="harder-to-hit")
    assert not state.vehicles["b1"].track_hit

    data, state, shot = spreading("veteran", "2016", b1={"command": Command.MOVE})
    played = fired(a_table_of(data, state, 1, 5, 5, 99, 99, 99), shot, answers={"spread": [["b1"]], "show": True})
    assert not played.asked("show") and state.vehicles["b1"].track_hit


@pytest.mark.rule("6.5.2.1/spread-hits")
def test_6_5_2_1_answers_to_spread():
    data, state, _ = spreading("elite")
    ask = Ask("german", "spread", "6.5.2.1", about={"targets": ["b1", "b2"], "extra": 1})

    assert check_spread(Situation(data, state), ask, ["b1"]) == ["b1"]
    assert list(spread_options(Situation(data, state), ask)) == [[], ["b1"], ["b2"]]
    with pytest.raises(Unreadable):
        check_spread(Situation(data, state), ask, "b1!")
    with pytest.raises(Illegal) as refused:
        check_spread(Situation(data, state), ask, ["b1", "b2"])
    assert_rule(refused.value, "6.5.2.1/spread-hits")
    with pytest.raises(Illegal):
        check_spread(Situation(data, state), ask, ["b4"])


@pytest.mark.rule("6.5.2.2", effect=True)
def test_6_5_2_2_six_angles_around_a_vehicle():
    """M14: the angles are 60-degree sectors bounded by rays through the corners; if a shot falls on a ray, both
    angles are possible."""
    centre = a_hex("H8")
    ring = [hex_name(hex) for hex in disc(centre, 3) if distance(hex, centre) == 3]
    seen = {hex: angles(hex, 1) for hex in ring}
    mirrored = {hex: angles(hex, 4) for hex in ring}

    assert {len(found) for found in seen.values()} == {1}  # lines of odd length divide no angles
    turned = {"front": "rear", "front_side": "rear_side", "rear_side": "front_side", "rear": "front"}
    for hex, found in seen.items():
        assert sorted(turned[angle] for angle in found) == sorted(mirrored[hex])
    count = [found[0] for found in seen.values()]
    assert {angle: count.count(angle) for angle in set(count)}.keys() == {"front", "front_side", "rear_side", "rear"}


@pytest.mark.rule("6.5.2.2", effect=True)
def test_6_5_2_2_straight_ahead_and_behind():
    assert angles("H5", 1) == ["front"]
    assert angles("H11", 1) == ["rear"]
    assert angles("H5", 4) == ["rear"]


@pytest.mark.rule("6.5.2.2", "6.5.2.2/dividing-line", effect=True)
@pytest.mark.parametrize("divided", [("front", "front_side"), ("front_side", "rear_side"), ("rear_side", "rear")])
@both_editions("6.5.2.2/dividing-line")
def test_6_5_2_2_on_a_dividing_line_the_owner_of_the_target_chooses(edition, divided):
    """L2471: if the shot falls exactly on a dividing line, the target's owner chooses the angle."""
    start = on_a_line(divided)
    state = an_advanced_state(a_tank("b1", start, "crusader1"), a_tank("g1", "H8", "pz3j", facing=1))
    data = advanced_data(edition=edition, sides=state.sides)
    table = a_table_of(data, state, 1, 5, 99)
    played = fired(table, a_shot(data, state), answers={"angle": divided[1]})

    ask = played.asked("angle")[0]
    assert (ask.seat, ask.silence, ask.about["angles"]) == ("german", divided[0], list(divided))
    assert_rule(played.result, ledger_row(edition, "6.5.2.2/dividing-line"), result=divided[1])
    assert check_angle(Situation(data, state), ask, divided[0]) == divided[0]
    with pytest.raises(Illegal):
        check_angle(Situation(data, state), ask, "front" if "front" not in divided else "rear")


@pytest.mark.rule("6.5.2.2", effect=True)
@pytest.mark.parametrize(("roll", "tens", "units"), [(76, 7, 6), (5, 10, 5), (100, 10, 10), (10, 1, 10), (99, 9, 9)])
def test_6_5_2_2_tens_and_units_run_from_1_to_10(roll, tens, units):
    assert digits(roll) == (tens, units)


@pytest.mark.rule("6.5.2.2")
def test_6_5_2_2_front_side_roll_76_hits_the_hull_side():
    """L2475, 2016:L2602: the tens digit 7 hits HS; the 6 is kept for the damage."""
    place = advanced_data().advanced.place(Angle.FRONT_SIDE, 7)
    assert place.location is Location.HS
    start = next(
        hex_name(hex)
        for hex in disc(a_hex("H8"), 3)
        if hex != a_hex("H8") and angles(hex_name(hex), 1) == ["front_side"]
    )
    state = an_advanced_state(a_tank("b1", start, "crusader1"), a_tank("g1", "H8", "pz3j", facing=1))
    data = advanced_data(sides=state.sides)
    found = fired(a_table_of(data, state, 1, 76, 99), a_shot(data, state)).result
    assert_rule(found, "6.5.2.2", cell=["front_side", 7], dice=(76,), result="HS", inputs={"damage_die": 6})


SLOPE_BOARD = a_board(levels="\n".join(["2" * 20] * 4 + ["0" * 20] * 16))
"""Rows 1 to 4 are 2 levels above the rest."""


@both_editions("6.5.2.2.2", "6.5.2.3.1")
def test_6_5_2_2_2_falling_shot_with_tens_1_hits_the_deck(edition):
    """L2501, 2016:L2630: a level shot would hit TS, but a falling shot hits the deck; the 4 is
    kept for the damage.
    """
    charts = advanced_data(edition=edition).advanced
    assert charts.place(Angle.REAR_SIDE, 1).location is Location.TS
    assert charts.place(Angle.REAR_SIDE, 1, Slope.FALLING).location is Location.DK

    data, state = duel(edition=edition, board=SLOPE_BOARD, target={"facing": 5})
    found = fired(a_table_of(data, state, 1, 14, 99, 99), a_shot(data, state)).result
    assert_rule(found, "6.5.2.2.2", dice=(14,), result="DK", inputs={"damage_die": 4, "slope": "falling"})
    assert_rule(found, "6.5.2.3.1", result="falling")


@pytest.mark.parametrize(
    ("status", "missed"), [(HullDown.HD, [5, 6, 7, 8, 9, 10]), (HullDown.PHD, [6, 8, 9, 10]), (HullDown.NONE, [])]
)
def test_6_5_2_2_3_what_a_hull_down_position_covers_from_front_and_side(status, missed):
    """L2509, L2513, 2016:L2638, L2642: hull-down positions cover the printed locations from front and front/side."""
    charts = advanced_data().advanced
    covered = [tens for tens in range(1, 11) if is_covered(charts.place(Angle.FRONT_SIDE, tens), status)]
    assert covered == missed


@both_editions("6.5.2.2.3")
def test_6_5_2_2_3_a_hit_on_the_covered_hull_does_nothing(edition):
    """A hit on the covered hull causes no damage and no bail-out check; the turret can be hit as usual."""
    data, state = duel(edition=edition, target={"hull_down": HullDown.HD, "facing": 1})
    found = fired(a_table_of(data, state, 1, 64), a_shot(data, state)).result
    assert_rule(found, "6.5.2.2.3", result="miss", inputs={"status": "hd", "location": "HF"})
    assert found.result == "no-effect" and not [one for one in every(found) if one.rule == "5.15"]

    data, state = duel(edition=edition, target={"hull_down": HullDown.HD, "facing": 1})
    found = fired(a_table_of(data, state, 1, 14, 99), a_shot(data, state)).result
    assert not [one for one in every(found) if one.rule == "6.5.2.2.3"]


@both_editions("6.5.2.2.1", "6.5.2.2.1/ignored-repeat")
def test_6_5_2_2_1_a_track_hit_takes_effect_at_once_and_only_once(edition):
    """L2479: a track hit needs no penetration; L2693: the crew does not check again for a further track hit."""
    data, state = duel(edition=edition)
    found = fired(a_table_of(data, state, 1, 5, 99), a_shot(data, state)).result
    assert_rule(found, "6.5.2.2.1", result="track")
    assert state.vehicles["g1"].track_hit and not [one for one in every(found) if one.rule == "6.5.2.3"]

    found = fired(a_table_of(data, state, 1, 5), a_shot(data, state)).result
    assert_rule(found, ledger_row(edition, "6.5.2.2.1/ignored-repeat"), result="ignored")


@pytest.mark.rule("4.4.3.2.2/short-halt", "4.4.3.2.2/target-moving")
@both_editions("6.5.2.2.1/still-moving")
def test_6_5_2_2_1_in_its_turn_a_track_hit_vehicle_counts_as_moving(edition):
    """L2489, L2491, 2016:L2618: a vehicle on Short Halt still has that modifier, and one on Move
    is a moving target.
    """
    rule = ledger_row(edition, "6.5.2.2.1/still-moving")
    data, state = duel(edition=edition, firer={"command": Command.SHORT_HALT, "revealed": True, "track_hit": True})
    shot = a_shot(data, state)
    assert_rule(preview_ap(shot), rule, result="short-halt", inputs={"unit": "b1"})
    assert_rule(preview_ap(shot), "4.4.3.2.2/short-halt", result=-4)

    data, state = duel(edition=edition, target={"command": Command.MOVE, "shown": True, "track_hit": True})
    assert_rule(preview_ap(a_shot(data, state)), rule, result="moving-target", inputs={"unit": "g1"})
    assert_rule(preview_ap(a_shot(data, state)), "4.4.3.2.2/target-moving", result=-2)
