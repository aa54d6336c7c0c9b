"""6.5.2.3-6.5.2.5 AP fire of the advanced game: armour, modifiers and damage."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import (
    a_leg,
    a_tank,
    advanced_data,
    an_advanced_state,
    both_editions,
)
from titles.panzer.ap.advanced_shots import a_shot, a_table_of, angles, duel, fired, on_a_line, spreading
from titles.panzer.builders import a_board, a_hex, brewed_up, run_step

from pbem.engine.geometry.hexes import disc, distance, hex_name
from pbem.titles.panzer.ap.ap_damage import resolve_hit
from pbem.titles.panzer.ap.ap_fire import (
    claim_target_moving,
    preview_ap,
    spread_targets,
)
from pbem.titles.panzer.ap.ap_modifiers import CONDITIONS, an_ap_shot
from pbem.titles.panzer.cards.chart_rows import Angle, Location
from pbem.titles.panzer.cards.chart_rows import Shot as Slope
from pbem.titles.panzer.cards.charts import with_switches
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.movement.shared_moves import group_findings
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.setup.scenario import Sun
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Cloud, Command, Damage, Feature, HullDown, Marker, Status, Unit

# --- 6.5.2.3 armour --------------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.2.3", effect=True)
def test_6_5_2_3_types_of_vehicles():
    """L2537: the Panzerjaeger I is of type 1P; 2016:L2652: the SU-76M is of type 2P."""
    book = advanced_data().book.vehicles
    assert (book["pzjgr1"].defence, book["pzjgr1"].type) == (1, "P")
    assert (book["su76m"].defence, book["su76m"].type) == (2, "P")


@pytest.mark.rule("6.5.2.3", effect=True)
@pytest.mark.parametrize(
    ("card", "angle", "slope", "location", "armour"),
    [
        ("grant", Angle.FRONT, Slope.RISING, Location.HF, 16),  # L2549
        ("grant", Angle.FRONT_SIDE, Slope.LEVEL, Location.HF, 19),  # L2555
        ("su76m", Angle.FRONT, Slope.RISING, Location.HF, 18),  # 2016:L2662
        ("pz3j", Angle.FRONT, Slope.LEVEL, Location.HF, 10),  # L2715
        ("crusader1", Angle.REAR_SIDE, Slope.LEVEL, Location.HS, 5),  # L2719
    ],
)
def test_6_5_2_3_printed_armour_factors(card, angle, slope, location, armour):
    assert advanced_data().book.vehicles[card].armour_at(angle, slope, location) == armour


@pytest.mark.rule("6.5.2.3.1", effect=True)
@both_editions("6.5.2.3", "6.5.2.3.1", "6.5.2.3.2", "6.5.2.3.4")
def test_6_5_2_3_armour_by_angle_location_and_slope(edition):
    """A shot from below uses the rising row; from the front only TF, TR, HF and HR can be hit."""
    data, state = duel(edition=edition, board=a_board(levels="\n".join(["0" * 20] * 4 + ["2" * 20] * 16)))
    found = fired(a_table_of(data, state, 1, 51, 99), a_shot(data, state)).result
    armour = data.book.vehicles["pz3j"].armour_at(Angle.FRONT, Slope.RISING, Location.HF)
    assert_rule(found, "6.5.2.3", result=armour, inputs={"type": "A", "location": "HF"})
    assert_rule(found, "6.5.2.3.1", result="rising")
    assert_rule(found, "6.5.2.3.2", result=armour)
    assert_rule(found, "6.5.2.3.4", result="KE")


@both_editions("6.5.2.3.3", "6.5.2.3.4")
def test_6_5_2_3_3_from_the_sides_another_row_is_read_and_ce_meets_the_same_armour(edition):
    start = next(
        hex_name(hex)
        for hex in disc(a_hex("H8"), 3)
        if hex != a_hex("H8") and angles(hex_name(hex), 1) == ["front_side"]
    )
    state = an_advanced_state(a_tank("g1", start, "pz4h"), a_tank("s1", "H8", "t34_76", facing=1))
    data = advanced_data(edition=edition, sides=state.sides)
    shot = a_shot(data, state, "ap:HEAT")
    found = run_step(t := a_table_of(data, state, 55, 99), resolve_hit(t, shot, preview_ap(shot))).result.finding
    armour = data.book.vehicles["t34_76"].armour_at(Angle.FRONT_SIDE, Slope.LEVEL, Location.HF)
    assert_rule(found, "6.5.2.3.3", result=armour)
    assert_rule(found, "6.5.2.3.4", result="CE")


@pytest.mark.rule("6.5.2.3")
@both_editions("6.5.2.5/s-type", "6.5.2.5/nd")
def test_6_5_2_5_against_a_soft_vehicle_the_damage_die_falls_by_2(edition):
    """L2535: a soft vehicle has no armour anywhere; L2659: the damage die cannot fall below 1, which is no damage."""
    state = an_advanced_state(a_tank("b1", "C3", "crusader1"), a_tank("g1", "C6", "opel"))
    data = advanced_data(edition=edition, sides=state.sides)
    found = fired(a_table_of(data, state, 1, 62, 99), a_shot(data, state)).result
    assert_rule(found, ledger_row(edition, "6.5.2.5/s-type"), inputs={"die": 2}, result=1)
    assert_rule(found, "6.5.2.5/nd", result="no-damage")
    assert_rule(found, "6.5.2.3", result=0, inputs={"type": "S"})


# --- 6.5.2.4 modifiers -----------------------------------------------------------------------------------------


def test_every_row_of_both_charts_has_its_condition():
    for edition in ("2024", "2016"):
        data = advanced_data(edition=edition)
        for row in (*data.charts.ap_hit_modifiers, *data.advanced.modifiers["ap"]):
            assert row.when in CONDITIONS


def only(found: Any, rule: str) -> int:
    return assert_rule(found, rule).result


def smoke(type: str, *hexes: str, open: bool = False, fresh: bool = False) -> dict[str, Cloud]:
    return {"c1": Cloud(id="c1", type=type, hexes=tuple(map(a_hex, hexes)), open=open, fresh=fresh)}


@pytest.mark.rule("4.4.3.2.1")
@both_editions(
    "6.5.2.4",
    "6.5.2.4/shooter-suppressed",
    "6.5.2.4/unit-grade",
    "6.5.2.4/transported-fire",
    "6.5.2.4/shooter-hesitating",
    "6.5.2.4/shooter-broken",
    "6.5.2.4/ammo-limit",
)
def test_6_5_2_4_what_hinders_the_shooter(edition):
    """Suppression, hesitation, broken morale, an ammo limit and low grade add up: L2571, L2605, L2609, L2637-2651."""
    firer = {"suppression": Marker.OFF, "flags": ("hesitating-on", "broken-off"), "grade": "regulars"}
    data, state = duel(edition=edition, firer=firer)
    state.vehicles["b1"].hex = a_hex("C11")
    found = preview_ap(replace(a_shot(data, state), short=2))
    assert_rule(found, "6.5.2.4", result=-5 - 3 - 5 - 6 - 2)
    assert only(found, "6.5.2.4/shooter-suppressed") == -5
    assert only(found, ledger_row(edition, "6.5.2.4/shooter-hesitating")) == -3
    assert only(found, ledger_row(edition, "6.5.2.4/shooter-broken")) == -5
    assert only(found, "6.5.2.4/ammo-limit") == -6
    assert_rule(found, "4.4.3.2.1", result="M")
    assert only(found, "6.5.2.4/unit-grade") == -2

    rifle = a_leg("b2", "C3", "british_rifle_squad", weapons=("british_boys",), aboard="b1")
    state = an_advanced_state(a_tank("b1", "C3", "carrier"), rifle, a_tank("g1", "C5", "pz3j"))
    data = advanced_data(edition=edition, sides=state.sides)
    shot = an_ap_shot(Situation(data, state), rifle, weapons_of(data, rifle)[1], "ap", state.vehicles["g1"])
    assert only(preview_ap(shot), "6.5.2.4/transported-fire") == -2


@pytest.mark.rule("6.5.2.4")
@both_editions("6.5.2.4/smoke", "6.5.2.4/barrage", "6.5.2.4/on-fire", "5.11")
def test_6_5_2_4_smoke_barrages_and_fire_on_the_line(edition):
    """L2575-2601: each source of smoke counts once, not once per hex; within one hex only the
    largest counts (5.11).
    """

    def net(clouds: dict[str, Cloud], **features: Any) -> Any:
        data, state = duel(edition=edition)
        state.clouds, state.features = clouds, features
        return preview_ap(a_shot(data, state))

    both_in_it = smoke("smoke", "C3", "C4", "C5", "C6", open=True)
    assert only(net(both_in_it), "6.5.2.4/smoke") == -3  # L2587, 2016:L2694
    assert only(net(smoke("smoke", "C4")), "6.5.2.4/smoke") == -5
    assert only(net(smoke("barrage", "C4", open=True)), "6.5.2.4/barrage") == -1
    assert only(net(smoke("barrage", "C4")), "6.5.2.4/barrage") == -3
    assert net(smoke("smoke", "C4", fresh=True)).children[3].result == 0
    fire = Feature(id="f1", type="on_fire", hex=a_hex("C4"))
    burning = net(smoke("barrage", "C4"), f1=fire)
    assert only(burning, "6.5.2.4/on-fire") == -5
    assert_rule(burning, "5.11", result=["on_fire"])
    assert_rule(burning, "6.5.2.4", result=-5)


@pytest.mark.rule("6.5.2.4", effect=True)
@pytest.mark.rule("6.5.2.4/dust", "6.5.2.4/sun-blinding", editions=("2024",))
def test_6_5_2_4_dust_and_sun_where_the_scenario_has_them():
    """L2591-2595: every dusty hex counts; L2625: the scenario's sun modifier applies to lines of
    fire into the sun.
    """
    clouds = smoke("dust", "C4", "C5")
    data, state = duel(sun=Sun("south", ap=-2, gp=-10))
    state.clouds = clouds
    found = preview_ap(a_shot(data, state))
    assert only(found, "6.5.2.4/dust") == -2
    assert only(found, "6.5.2.4/sun-blinding") == -2
    data, state = duel(sun=Sun("north", ap=-2, gp=-10))
    behind = preview_ap(a_shot(data, state))
    assert "6.5.2.4/sun-blinding" not in [one.rule for one in every(behind)], "the sun is behind the firer"
    data, state = duel()
    assert "6.5.2.4/sun-blinding" not in [one.rule for one in every(preview_ap(a_shot(data, state)))]

    data, state = duel(edition="2016")
    assert preview_ap(a_shot(data, state)).children[3].result == 0


@pytest.mark.rule("6.5.2.4", effect=True)
@both_editions("6.5.2.4/heat-haze")
def test_6_5_2_4_heat_haze_from_8_hexes_on_if_the_scenario_has_it(edition):
    data, state = duel(edition=edition, heat_haze=True)
    state.vehicles["b1"].hex, state.vehicles["g1"].hex = a_hex("C3"), a_hex("C11")
    assert only(preview_ap(a_shot(data, state)), "6.5.2.4/heat-haze") == -3
    state.vehicles["g1"].hex = a_hex("C10")
    assert preview_ap(a_shot(data, state)).children[3].result == 0
    data, state = duel(edition=edition)
    state.vehicles["g1"].hex = a_hex("C11")
    assert preview_ap(a_shot(data, state)).children[3].result == 0


@pytest.mark.rule("6.5.2.4", effect=True)
@both_editions("6.5.2.4/dual-fire")
def test_6_5_2_4_a_second_weapon_costs_1_at_the_same_target_and_3_at_another(edition):
    """L2633, 2016:L2724: the second weapon has -1 against the same target and -3 against another."""
    data, state = duel(edition=edition)
    assert only(preview_ap(a_shot(data, state, beside="same")), "6.5.2.4/dual-fire") == -1
    assert only(preview_ap(a_shot(data, state, beside="other")), "6.5.2.4/dual-fire") == -3


@pytest.mark.rule("6.5.2.4", effect=True)
def test_6_5_2_4_turret_damage_brew_up_smoke_and_overwatch_of_the_basic_list():
    """6.5.2.2.4: hull damage has no modifier; leg and towed units never adjust."""
    data, state = duel(firer={"damage": Damage.HULL})
    assert a_shot(data, state).net == 0
    data, state = duel(firer={"damage": Damage.TURRET})
    state.wrecks["C4"] = brewed_up()
    assert a_shot(data, state).net == -3 - 2
    assert a_shot(data, state, command=Command.OVERWATCH).net == -3 - 2 - 3  # it faces away
    state.vehicles["b1"].facing = 4
    assert a_shot(data, state, command=Command.OVERWATCH).net == -3 - 2 - 1
    leg = a_leg("g1", "C3", "german_rifle_squad", weapons=("german_panzerfaust",))
    state = an_advanced_state(leg, a_tank("s1", "C4", "t34_76"))
    shot = a_shot(advanced_data(edition="2016", sides=state.sides), state, weapon=1, command=Command.OVERWATCH)
    assert shot.net == -1


# --- 6.5.2.5 damage --------------------------------------------------------------------------------------------


@pytest.mark.rule("4.4.3.2.5", "6.5.2.2")
@both_editions("6.5.2.5", "6.5.2.5/dm", "6.5.2.2.4", "6.5.2.6", "6.5.2.6.1", "5.15")
def test_6_5_2_5_the_duel_first_shot_damages_the_hull_and_the_crew_stays(edition):
    """L2715-2717: from the front a 64 hits HF, 12 beats 10, and a 4 damages the hull; the crew
    stays on 57 (over 30).
    """
    data, state = duel(edition=edition, target={"facing": 1})
    found = fired(a_table_of(data, state, 12, 64, 57), a_shot(data, state)).result
    damage = {"2024": "hull", "2016": "whole"}[edition]

    assert_rule(found, "6.5.2.2", dice=(64,), result="HF", cell=["front", 6])
    assert_rule(found, "4.4.3.2.5", inputs={"penetration": 12, "armour": 10}, result=True)
    assert_rule(found, "6.5.2.5", cell=4, result="damaged")
    assert_rule(found, "6.5.2.5/dm", result="damaged")
    assert "7.11" not in [one.rule for one in every(found)], "only a knock-out can become a brew-up"
    assert_rule(found, ledger_row(edition, "6.5.2.2.4"), inputs={"part": damage})
    assert_rule(found, "6.5.2.6", result=[])
    assert_rule(found, "6.5.2.6.1", cell="damaged", inputs={"number": 30}, dice=(57,), result="stays")
    assert_rule(found, "5.15", inputs={"causes": ["damaged"]})
    hit = state.vehicles["g1"]
    assert (hit.hull_damaged, hit.turret_damaged) == (True, edition == "2016")


@pytest.mark.rule("4.4.3.2.5", "6.5.2.2")
@both_editions("6.5.2.5/ko")
def test_6_5_2_5_the_duel_second_shot_knocks_out(edition):
    """L2719: from the rear/side a 57 hits HS, 11 beats 5, and a 7 knocks out the target."""
    start = next(
        hex_name(hex)
        for hex in disc(a_hex("H8"), 3)
        if distance(hex, a_hex("H8")) == 3 and angles(hex_name(hex), 1) == ["rear_side"]
    )
    tanks = a_tank("b1", start, "pz3j", side="german"), a_tank("g1", "H8", "crusader1", side="british")
    state = an_advanced_state(*tanks)
    data = advanced_data(edition=edition, sides=state.sides)
    found = fired(a_table_of(data, state, 1, 57), a_shot(data, state)).result
    assert_rule(found, "6.5.2.2", cell=["rear_side", 5], result="HS")
    assert_rule(found, "4.4.3.2.5", inputs={"penetration": 11, "armour": 5})
    assert_rule(found, "6.5.2.5/ko", result="ko")
    assert state.vehicles["g1"].status is Status.ELIMINATED and "H8" in state.wrecks


@pytest.mark.rule("4.4.3.2.5", "6.5.2.2", "6.5.2.6.1")
def test_6_5_2_5_the_duel_of_2016():
    """2016:L2798-2804: a 63 hits HF, 19 equals 19, a 3 damages the hull and on 57 the crew stays.

    Then a 47 hits TF, 25 beats 18, and a 7 knocks out the target.
    """
    state = an_advanced_state(
        a_tank("g1", "C6", "pz4h", facing=1), a_tank("s1", "C3", "t34_76", facing=4), sides=("soviet", "german")
    )
    data = advanced_data(edition="2016", sides=state.sides)
    german, soviet = state.vehicles["g1"], state.vehicles["s1"]
    first = an_ap_shot(Situation(data, state), soviet, weapons_of(data, soviet)[0], "ap", german)
    found = fired(a_table_of(data, state, 1, 63, 57), first).result
    assert_rule(found, "4.4.3.2.5", inputs={"penetration": 19, "armour": 19}, result=True)
    assert_rule(found, "6.5.2.6.1", result="stays")
    assert german.damage is Damage.WHOLE

    second = an_ap_shot(Situation(data, state), german, weapons_of(data, german)[0], "ap", soviet)
    found = fired(a_table_of(data, state, 1, 47), second).result
    assert_rule(found, "6.5.2.2", cell=["front", 4], result="TF")
    assert_rule(found, "4.4.3.2.5", inputs={"penetration": 25, "armour": 18}, result=True)
    assert found.result == "ko"


@both_editions("6.5.2.2.4/second-damage")
def test_6_5_2_2_4_a_second_damage_of_any_kind_knocks_out(edition):
    """L2523: the turret is damaged first; hull damage then knocks out the vehicle."""
    data, state = duel(edition=edition, target={"damage": Damage.TURRET, "facing": 1})
    found = fired(a_table_of(data, state, 1, 64), a_shot(data, state)).result
    assert_rule(found, ledger_row(edition, "6.5.2.2.4/second-damage"), result="ko")
    assert not state.vehicles["g1"].alive and found.result == "ko"


@pytest.mark.parametrize(("roll", "part"), [(14, Damage.TURRET), (64, Damage.HULL)])
def test_6_5_2_2_4_the_location_says_what_is_damaged(roll, part):
    """L2667-2671: the location that was hit decides which part is damaged; the gun here penetrates every plate."""
    state = an_advanced_state(a_tank("g1", "C6", "tiger1", facing=1), a_tank("s1", "C3", "t34_76", facing=4))
    data = advanced_data(sides=state.sides)
    fired(a_table_of(data, state, 1, roll, 99), a_shot(data, state))
    assert state.vehicles["s1"].damage is part


@both_editions("6.5.2.5/bu", "5.10")
def test_6_5_2_5_a_brew_up_suppresses_friends_in_the_hex(edition):
    """L2679-2681: a brewed-up vehicle suppresses friendly units in its hex."""
    tanks = [a_tank("b1", "C3", "crusader1"), a_tank("g1", "C6", "pz3j", facing=1), a_tank("g2", "C6", "pz3j")]
    state = an_advanced_state(*tanks, a_leg("g3", "C6", "german_rifle_squad"), a_tank("g4", "C7", "pz3j"))
    data = advanced_data(edition=edition, sides=state.sides)
    found = fired(a_table_of(data, state, 1, 69), a_shot(data, state)).result
    assert_rule(found, "6.5.2.5/bu", result="bu")
    assert_rule(found, "5.10", result="on", inputs={"unit": "g2"})
    assert [state.vehicles[id].suppressed for id in ("g2", "g3", "g4")] == [True, True, False]


@pytest.mark.rule("6.5.2", effect=True)
def test_6_5_2_a_destroyed_target_loses_the_other_hits_but_a_spread_one_stays():
    """Hits are applied in turn: hits left over on a destroyed target are lost, but a hit spread to another counts."""
    data, state, shot = spreading("elite")
    near = spread_targets(shot, lambda other: True)[0].id
    table = a_table_of(data, state, 1, 57, 5, 99)
    played = fired(table, shot, answers={"spread": [[near]]})
    assert not state.vehicles["b3"].alive and state.vehicles[near].track_hit
    data, state, shot = spreading("elite")
    table = a_table_of(data, state, 1, 57)
    played = fired(table, shot)
    assert played.result.result == "ko" and not table.chance.left


@pytest.mark.rule("6.5.2", effect=True)
@pytest.mark.rule("4.4.3.2.5")
def test_6_5_2_without_hit_locations_hits_are_those_of_the_basic_game():
    """Introduction to the advanced game: its rules are modular, so hit locations may be left out."""
    data, state = duel(rules=("gp_fire", "bail_out"), target={"facing": 1})
    played = fired(a_table_of(data, state, 12, 99), a_shot(data, state))
    assert_rule(played.result, "4.4.3.2.5", inputs={"penetration": 12, "armour": 11})
    assert state.vehicles["g1"].damage is Damage.WHOLE
    abeam = on_a_line(("front_side", "rear_side"))
    state = an_advanced_state(a_tank("b1", abeam, "crusader1"), a_tank("g1", "H8", "pz3j", facing=1))
    played = fired(a_table_of(data, state, 1), a_shot(data, state), answers={"angle": "rear"})
    assert played.asked("angle")[0].about["angles"] == ["front", "rear"]
    assert not state.vehicles["g1"].alive


@pytest.mark.rule("6.5.2", effect=True)
def test_6_5_2_under_fire_is_remembered_for_recovery():
    """6.8.3.1.2: a unit that was under fire recovers less easily, so fire is recorded."""
    data, state = duel()
    fired(a_table_of(data, state, 100), a_shot(data, state))
    assert state.vehicles["g1"].under_fire


def test_a_unit_of_the_advanced_game_is_what_its_shots_are_made_of():
    data, state = duel()
    shot = a_shot(data, state)
    assert isinstance(shot.firer, Unit) and shot.energy == "KE" and shot.hit_number == 70


@both_editions("6.5.2.2.1/shared-command", "6.5.2.2.4/shared-command")
def test_6_5_2_2_1_a_group_leaves_behind_who_cannot_keep_up(edition):
    """L2493, L2525-2527: damaged vehicles are left behind, and only the others must stay in command range."""
    more = {"command": Command.MOVE}
    units = [
        a_tank("b1", "C3", "crusader1", **more),
        a_tank("b2", "C3", "crusader1", shares="b1", **more),
        a_tank("b3", "C9", "crusader1", shares="b1", track_hit=True, **more),
        a_tank("b4", "C8", "crusader1", shares="b1", damage=Damage.HULL, **more),
    ]
    state = an_advanced_state(*units, a_tank("g1", "K6", "pz3j"))
    found = list(group_findings(Situation(advanced_data(edition=edition, sides=state.sides), state), "british"))
    assert_rule(found, ledger_row(edition, "6.5.2.2.1/shared-command"), inputs={"unit": "b3"}, result="left-behind")
    assert_rule(found, ledger_row(edition, "6.5.2.2.4/shared-command"), inputs={"unit": "b4"}, result="left-behind")
    assert_rule(found, ledger_row(edition, "6.2.1.1.4/movement"), inputs={"apart": 0}, result=True)


@pytest.mark.rule("6.6.9/loss")
def test_6_6_9_a_shared_move_that_is_shown_costs_all_who_share_it_their_positions():
    """6.2.1.1.3: once the shared Move is shown, every unit that shares it loses the position it had found."""
    holder = a_tank("b1", "C6", "crusader1", command=Command.MOVE)
    target = a_tank("b2", "D6", "crusader1", command=Command.MOVE, shares="b1", hull_down=HullDown.HD)
    state = an_advanced_state(a_tank("g1", "C3", "pz3j", facing=4), holder, target, sides=("german", "british"))
    data = advanced_data(sides=state.sides)
    shot = an_ap_shot(
        Situation(data, state), state.vehicles["g1"], weapons_of(data, state.vehicles["g1"])[0], "ap", target
    )
    table = a_table_of(data, state)
    played = run_step(table, claim_target_moving(table, target, [shot], []), {"show": [True]})
    assert_rule(played.result, "6.6.9/loss", inputs={"unit": "b2"})
    assert target.hull_down is HullDown.NONE and holder.shown and target.shown


@pytest.mark.rule("6.5.2.1", effect=True)
@pytest.mark.parametrize("edition", ["2024", "2016"])
def test_6_5_2_1_a_scenario_may_choose_how_extra_hits_spread(edition):
    """Row 21 of the comparison of the books: a scenario may choose either edition's rule for spreading hits."""
    data, state, shot = spreading("veteran", edition, b1={"full_cover": True})
    moving = msgspec.structs.replace(state.vehicles["b1"], command=Command.MOVE, revealed=True)
    state.vehicles["b1"] = moving  # harder to hit, at the same range factor
    for by_factor in (True, False):
        charts = with_switches(data.charts, {"spread_by_range_factor": by_factor})
        chosen = replace(shot, situation=Situation(replace(data, charts=charts), shot.state))
        assert (moving in spread_targets(chosen, lambda other: True)) is by_factor
