"""Worked examples of the books that appear in no other test, most of them on fire and close combat.

Tests named after a rule cite the line of the example that they play. This file has those that only read a chart
or card, and `EXAMPLES`, which lists the test for every example of chapters 5 to 7.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state, both_editions
from titles.panzer.builders import a_board

from pbem.engine.geometry.hexes import parse_hex
from pbem.titles.panzer.air.air_attacks import hexes_to_acquire
from pbem.titles.panzer.air.anti_aircraft import hexes_to_track as tracked_after
from pbem.titles.panzer.ap.ap_damage import is_covered
from pbem.titles.panzer.ap.ap_fire import preview_ap
from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot
from pbem.titles.panzer.artillery.planned_fire import plot_objections
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.cards.chart_rows import Angle
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.close_combat.close_assault import Fight, assault_modifiers
from pbem.titles.panzer.fire.gp_fire import brew_up_limit
from pbem.titles.panzer.fire.gp_modifiers import Case, GpAttack, gp_modifiers
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import AircraftState, Command, Damage, Flight, HullDown, Leg, Unit

TESTS = Path(__file__).parents[1]
both = pytest.mark.parametrize("edition", ["2024", "2016"])


def net_of(edition: Edition, firer: Unit, target: Unit, **attack: Any) -> Any:
    """Return the GP modifiers of one unit's fire at another."""
    state = an_advanced_state(firer, target)
    assert target.hex is not None
    given: dict[str, Any] = {"kind": "df", "factor": 6, "firer": firer.id, "target": target.id, **attack}
    data = advanced_data(a_board(), edition=edition, sides=state.sides)
    return gp_modifiers(Case(Situation(data, state), GpAttack(**given), target.hex, target))


# --- 5.12 ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("5.12", effect=True)
@both_editions("6.5.4.3")
def test_5_12_gp_modifiers_are_added_up(edition):
    """L1480, 2016:L1640-1642: GP modifiers of +10 and -20 make -10."""
    tank = a_tank("g1", "C3", "pz3j", suppression="on")
    found = net_of(edition, tank, a_leg("b1", "C4", "british_rifle_squad"), column="P")
    assert_rule(found, "6.5.4.3", result=-10)  # coaxial machine gun +10, suppressed -20
    assert sorted(row["value"] for row in found.modifiers) == [-20, 10]


@pytest.mark.rule("5.12", effect=True)
@both
@pytest.mark.parametrize(("factor", "half"), [(1, 1), (5, 2)])
def test_5_12_half_a_gp_factor_is_rounded_down_but_half_of_1_is_1(edition: Edition, factor: int, half: int) -> None:
    """L1482, 2016:L1642-1644: half a GP factor is rounded down, but never below 1."""
    truck = a_tank("b1", "C4", "bedford")
    state = an_advanced_state(truck)
    attack = GpAttack(kind="df", factor=factor, small_arms=True, target="b1")
    case = Case(Situation(advanced_data(edition=edition, sides=state.sides), state), attack, parse_hex("C4"), truck)
    assert brew_up_limit(case) == half


# --- 6.5.1 -----------------------------------------------------------------------------------------------------


@both
def test_6_5_1_2_cards_of_units_that_fire_indirectly(edition: Edition) -> None:
    """L2117, L2121: batteries are on G-7A, I-7A and B-7A, and mortars are on G-8B, I-8B and B-8B."""
    book = advanced_data(edition=edition).book
    batteries = {battery.row.nation: battery.row.reference for battery in book.batteries.values()}
    mortars = {row.nation: row.reference for row in book.attached.values() if row.indirect}
    for nation, letter in (("german", "G"), ("italian", "I"), ("british", "B")):
        if nation in batteries:
            assert (batteries[nation], mortars[nation]) == (f"{letter}-7A", f"{letter}-8B")


@both_editions("6.5.1.11.1")
def test_6_5_1_11_1_the_plot_of_the_example_is_legal_and_a_longer_one_is_not(edition):
    """L2269, 2016:L2396-2402: the plot of two, one and two turns fills the five turns that are allowed."""
    data, point = advanced_data(edition=edition, turns=12), parse_hex("L6")
    rows = [("gp", "closed")] * 2 + [("smoke", "open")] + [("gp", "open")] * 2
    legs = [Leg(point, type, sheaf) for type, sheaf in rows]
    assert (len(legs), list(plot_objections(data, "gb1", 6, legs))) == (5, [])
    assert_rule(plot_objections(data, "gb1", 6, [*legs, legs[0]]), "6.5.1.11.1")


# --- 6.5.2 -----------------------------------------------------------------------------------------------------


@both
def test_6_5_2_2_3_partial_hull_down_from_front_and_side_6_8_9_and_10_miss(edition: Edition) -> None:
    """L2513, 2016:L2642: hits on 6, 8, 9 and 10 strike the cover instead of the vehicle."""
    charts = advanced_data(edition=edition).advanced
    places = {tens: charts.place(Angle.FRONT_SIDE, tens) for tens in range(1, 11)}
    assert [tens for tens, place in places.items() if is_covered(place, HullDown.PHD)] == [6, 8, 9, 10]


@pytest.mark.rule("6.5.2.4/unit-grade", effect=True)
@both_editions("6.5.2.4/unit-grade")
def test_6_5_2_4_regulars_at_medium_range_have_minus_2(edition):
    """L2651, 2016:L2740: the modifier depends on the firer's grade and its AP range factor."""
    firer, target = a_tank("g1", "C3", "pzjgr1", facing=4, grade="regulars"), a_tank("b1", "C12", "crusader1")
    state = an_advanced_state(firer, target)
    data = advanced_data(edition=edition, sides=state.sides)
    shot = an_ap_shot(Situation(data, state), firer, weapons_of(data, firer)[0], "ap", target)
    assert shot.factor == "M"
    assert_rule(preview_ap(shot), "6.5.2.4/unit-grade", result=-2)


# --- 6.5.4 -----------------------------------------------------------------------------------------------------


@both_editions("6.5.4.3/unit-grade", "6.5.4.3/coax-mg")
def test_6_5_4_3_a_veteran_at_long_range_and_the_machine_gun_of_a_panzer_iii(edition):
    """L2957, L2967: Veterans have +5 in column L; the coaxial machine gun of the PzKpfw III gives +10 at P."""
    squad = a_leg("b1", "C5", "british_rifle_squad")
    tank = a_tank("g1", "C4", "pz3j", grade="veteran")
    assert_rule(net_of(edition, tank, squad, column="L"), "6.5.4.3/unit-grade", result=5)
    assert_rule(net_of(edition, tank, squad, column="P"), "6.5.4.3/coax-mg", result=10)


@both
def test_6_5_4_4_15_against_2_with_minus_1_has_no_effect(edition: Edition) -> None:
    """L3035, 2016:L3056: factor 15 against defence 2 has no effect with a total of -1."""
    assert advanced_data(edition=edition).advanced.gp_result(15, 2, -1) == "none"
    assert advanced_data(edition=edition).advanced.gp_result(15, 2, 0) == "suppressed"


# --- 6.6.1 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "card"), [("2024", "semovente"), ("2016", "su85")])
def test_6_6_1_1_2_the_c_indicator_and_regulars(edition: Edition, card: str) -> None:
    """L3231, L3281, 2016:L3306, L3358: the Semovente M40/41 is 2AC, and Regulars have -10."""
    attacker = a_leg("g1", "C3", "german_rifle_squad", grade="regulars", command=Command.MOVE)
    vehicle = a_tank("s1", "C4", card)
    state = an_advanced_state(attacker, vehicle)
    data = advanced_data(edition=edition, sides=state.sides)
    found = assault_modifiers(Fight(Situation(data, state), attacker, (), vehicle))
    assert {row["when"]: row["value"] * row["times"] for row in found.modifiers} == {
        "target_c_indicator": 20,
        "unit_grade": -10,
    }
    if edition == "2024":
        assert (data.vehicle(vehicle).defence, data.vehicle(vehicle).type) == (2, "A")


# --- 6.7 -------------------------------------------------------------------------------------------------------


@both
def test_6_7_flight_distances_of_the_examples(edition: Edition) -> None:
    """L3911, L4011, 2016:L3954, L4057: a fast aircraft acquires in 10 hexes at low altitude and is
    tracked in 6 at medium altitude."""
    data = advanced_data(edition=edition)
    aircraft = AircraftState(id="a1", name="a1", side="soviet", card="il2")
    low = Flight(hex=parse_hex("C3"), facing=4, altitude="low", speed="fast")
    medium = Flight(hex=parse_hex("C3"), facing=4, altitude="medium", speed="fast")
    gun = a_tank("g1", "C9", "pz3m")
    assert hexes_to_acquire(data, aircraft, low) == 10
    assert tracked_after(Situation(data, an_advanced_state(gun)), medium, gun) == 6


@both
def test_6_7_2_2_the_ju_87_is_slow_and_dives(edition: Edition) -> None:
    """L3867, L3891: a Ju 87 can dive, and flies only at slow speed; the 2016 book has no such limit."""
    card = advanced_data(edition=edition).book.aircraft["ju87b"]
    speeds = ("slow",) if edition == "2024" else ("slow", "fast")
    assert (card.speeds.value, card.dive.value) == (speeds, True)


@pytest.mark.parametrize("edition", ["2016"])
def test_6_7_4_2_the_machine_gun_of_a_panzer_iii_m_has_a_number_of_its_own(edition: Edition) -> None:
    """2016:L4089: the value is missing from the text, so any value on the card will do; the value is
    marked as our own."""
    data = advanced_data(edition=edition)
    [row] = [arm.aa for arm in weapons_of(data, a_tank("g1", "C3", "pz3m")) if arm.aa]
    assert row.modifier.source.startswith("house")


@pytest.mark.rule("5.12", effect=True)
@both
def test_5_12_shooter_damaged_and_an_armoured_target(edition: Edition) -> None:
    """L2811, 2016:L2884: an armoured target at -20 and a damaged shooter at -10 make -30."""
    firer = a_tank("g1", "C3", "pz4h", damage=Damage.TURRET)
    assert net_of(edition, firer, a_tank("b1", "C6", "crusader1"), column="S").result == -30


# --- where every example is played -------------------------------------------------------------------------------

EXAMPLES: dict[str, dict[str, str]] = {
    "2024": {
        "EX-5.11-fire-and-barrage": "test_terrain.test_5_11_of_fire_and_barrage_in_one_hex_only_the_fire_counts",
        "EX-5.12-gp-net": "test_worked_examples.test_5_12_gp_modifiers_are_added_up",
        "EX-5.12-half-factor": "test_worked_examples.test_5_12_half_a_gp_factor_is_rounded_down_but_half_of_1_is_1",
        "EX-5.14-morris-cs9": "test_weapons.test_5_14_only_the_weapon_in_reverse_print_is_modified",
        "EX-5.16.2-codes": "test_ammunition.test_5_16_2_limits_of_the_cards",
        "EX-5.16.2.2-apcr": "test_ammunition.test_5_16_2_2_short_of_special_ammunition_it_fires_basic_ammunition",
        "EX-6.5.1.3-gf2": "test_observers.test_6_5_1_3_an_attached_battery_serves_its_own_battalion",
        "EX-6.5.1.3-bf5": "test_observers.test_6_5_1_3_2_organic_batteries_serve_all_of_the_brigade",
        "EX-6.5.1.11.1-plan": (
            "test_worked_examples.test_6_5_1_11_1_the_plot_of_the_example_is_legal_and_a_longer_one_is_not"
        ),
        "EX-6.5.1.13-response-medium": "test_indirect_fire.test_6_5_1_13_an_fo_calls_two_batteries",
        "EX-6.5.1.13-response-heavy": "test_indirect_fire.test_6_5_1_13_an_fo_calls_two_batteries",
        "EX-6.5.1.13-attack-atg": "test_indirect_fire.test_6_5_1_13_an_fo_calls_two_batteries",
        "EX-6.5.1.13-attack-matilda": "test_indirect_fire.test_6_5_1_13_an_fo_calls_two_batteries",
        "EX-5.1.1-italian-types": "test_weapons.test_5_1_1_italian_squads_come_in_three_types",
        "EX-5.1.3-crew-served-cards": "test_weapons.test_5_1_3_crew_served_weapons_stand_on_their_cards",
        "EX-5.7-small-arms": "test_weapons.test_5_7_small_arms_by_card",
        "EX-6.5.1.2-unit-cards": "test_worked_examples.test_6_5_1_2_cards_of_units_that_fire_indirectly",
        "ap-rof-cards": "test_ap_fire_advanced.test_6_5_2_1_rates_of_fire_of_the_cards",
        "ap-number-of-hits-f56": "test_ap_fire_advanced.test_6_5_2_1_hit_number_56_at_rate_f",
        "ap-spread-hits": "test_ap_fire_advanced.test_6_5_2_1_how_far_hits_are_spread_goes_by_the_grade_of_the_firer",
        "ap-location-frontside-76": "test_ap_fire_advanced.test_6_5_2_2_front_side_roll_76_hits_the_hull_side",
        "track-hit-short-halt-still-moving": (
            "test_ap_fire_advanced.test_6_5_2_2_1_in_its_turn_a_track_hit_vehicle_counts_as_moving"
        ),
        "track-hit-move-indirect": (
            "test_ap_fire_advanced.test_6_5_2_2_1_in_its_turn_a_track_hit_vehicle_counts_as_moving"
        ),
        "deck-hit-falling": "test_ap_fire_advanced.test_6_5_2_2_2_falling_shot_with_tens_1_hits_the_deck",
        "hull-down-frontside": (
            "test_ap_fire_advanced.test_6_5_2_2_3_what_a_hull_down_position_covers_from_front_and_side"
        ),
        "vehicle-type-panzerjaeger": "test_ap_armour_advanced.test_6_5_2_3_types_of_vehicles",
        "armour-grant-front-rising": "test_ap_armour_advanced.test_6_5_2_3_printed_armour_factors",
        "armour-grant-frontside-level": "test_ap_armour_advanced.test_6_5_2_3_printed_armour_factors",
        "ap-dual-fire-atr": (
            "test_ap_armour_advanced.test_6_5_2_4_a_second_weapon_costs_1_at_the_same_target_and_3_at_another"
        ),
        "ap-unit-grade-regulars-m": "test_worked_examples.test_6_5_2_4_regulars_at_medium_range_have_minus_2",
        "bail-out-table-values": "test_bail_out.test_6_5_2_6_quoted_cells_of_the_bail_out_table",
        "ap-advanced-duel-2": "test_ap_armour_advanced.test_6_5_2_5_the_duel_second_shot_knocks_out",
        "gpd-under-cover-indicator": "test_gp_fire.test_6_5_4_2_3_passengers_have_3_under_cover_and_1_otherwise",
        "gpd-leg-improved-position-full-cover": (
            "test_gp_fire.test_6_5_4_2_2_the_defence_of_leg_units_by_cover_full_cover_and_movement"
        ),
        "gp-coax-indicator": (
            "test_worked_examples.test_6_5_4_3_a_veteran_at_long_range_and_the_machine_gun_of_a_panzer_iii"
        ),
        "gp-unit-grade-veteran-l": (
            "test_worked_examples.test_6_5_4_3_a_veteran_at_long_range_and_the_machine_gun_of_a_panzer_iii"
        ),
        "gp-table-5-3": "test_gp_results.test_6_5_4_4_quoted_results",
        "gp-result-7-5-60": "test_gp_results.test_6_5_4_4_quoted_results",
        "gp-result-2-9-109": "test_gp_results.test_6_5_4_4_quoted_results",
        "gp-duel-rifle-vs-panzerjaeger": "test_gp_results.test_6_5_4_situation",
        "gp-duel-panzerjaeger-vs-rifle": "test_gp_results.test_6_5_4_situation",
        "ca-grade-regulars": "test_worked_examples.test_6_6_1_1_2_the_c_indicator_and_regulars",
        "ca-c-indicator": "test_worked_examples.test_6_6_1_1_2_the_c_indicator_and_regulars",
        "ca-situation": "test_close_combat.test_6_6_1_1_situation",
        "hth-situation": "test_close_combat.test_6_6_1_2_situation",
        "overrun-overwatch": "test_gp_results.test_6_6_10_overwatch_of_the_overrun_situation",
        "overrun-suppressed-what-if": (
            "test_movement_advanced.test_6_6_2_suppressed_on_the_way_what_is_left_is_halved"
        ),
        "overrun-combat": "test_overrun.test_6_6_10_situation",
        "shared-command-close-combat": (
            "test_close_combat_declared.test_6_6_11_units_that_share_a_move_attack_the_same_target"
        ),
        "aircraft-ju87-slow-dive": "test_worked_examples.test_6_7_2_2_the_ju_87_is_slow_and_dives",
        "aircraft-acquire-low-fast": "test_air.test_6_7_3_1_1_low_and_fast_takes_ten_hexes",
        "aircraft-los-low-grove": "test_air.test_6_7_3_1_3_a_grove_masks_two_hexes_from_a_low_aircraft",
        "aa-track-medium-fast": "test_fire_at_aircraft.test_6_7_4_1_1_medium_and_fast_is_tracked_for_six_hexes",
        "aa-flak36-modifier": "test_fire_at_aircraft.test_6_7_4_2_the_88_has_20_of_its_own",
        "EX-6.1.3-flak-size": "test_spotting_advanced.test_6_1_3_the_88_is_large_and_leg_units_are_small",
        "EX-6.1.4.1.3-automatic-phd": (
            "test_terrain.test_6_1_4_1_3_a_higher_target_is_partial_hull_down_at_close_range"
        ),
        "EX-6.1.4.3.1-enter-building": "test_positions.test_6_6_3_who_may_go_into_a_building",
        "EX-6.1.4.3.2-wall": "test_terrain.test_6_1_4_3_2_both_vehicles_at_a_wall_are_hull_down_against_each_other",
        "EX-6.1.4.3.9-rubble": "test_terrain.test_6_1_4_3_9_rubble_gives_the_cover_of_its_building_and_no_height",
        "EX-6.1.4.3.10-smoke-timing": (
            "test_terrain.test_6_1_4_3_10_smoke_counts_from_the_end_of_the_step_that_made_it"
        ),
        "EX-6.1.4.3.10-smoke-capable": "test_advanced_cards.test_1_6_quoted_notes",
        "EX-6.1.4.3.12-dust": "test_positions.test_6_1_4_3_12_dust_lies_where_the_vehicle_was",
        "EX-6.2.1.1-unit-count": "test_command_control.test_6_2_1_1_the_notation_counts_units_with_and_without_recon",
        "EX-6.2.1.1.1-regulars-7": "test_command_control.test_6_2_1_1_1_tens_count_column_ten_and_units_their_own",
        "EX-6.2.1.1.1-veteran-12": "test_command_control.test_6_2_1_1_1_tens_count_column_ten_and_units_their_own",
        "EX-6.2.1.1.3-sharing": "test_command_control.test_6_2_1_1_3_all_who_share_must_be_in_range_of_each_other",
        "EX-6.2.1.1.4-shared-fire": (
            "test_command_control.test_6_2_1_1_4_targets_of_a_shared_command_are_within_range_of_each_other"
        ),
        "EX-6.2.1.1.4-shared-move": (
            "test_movement_together.test_6_2_1_1_4_regulars_who_share_a_move_end_in_the_same_hex"
        ),
        "building-entry-modifier": "test_positions.test_6_6_3_five_for_each_point_of_gp_defence",
        "leg-movement-factor": "test_on_foot.test_6_6_4_1_leg_movement_factor",
        "transport-capacity-sdkfz10": "test_transport.test_6_6_7_1_capacities_of_the_cards",
        "suppression-recovery-regulars": (
            "test_adjustment_advanced.test_6_8_3_a_regulars_squad_that_fired_under_fire_does_not_recover_with_29"
        ),
    },
    "2016": {
        "section-movement": "test_weapons.test_5_1_2_sections_have_two_movement_factors",
        "crew-weapon-cards": "test_weapons.test_5_1_3_crew_served_weapons_of_2016",
        "handheld-gp-factors": "test_weapons.test_5_1_3_4_fixed_gp_factors",
        "gp-modifier-sum": "test_worked_examples.test_5_12_gp_modifiers_are_added_up",
        "gp-half-of-one": "test_worked_examples.test_5_12_half_a_gp_factor_is_rounded_down_but_half_of_1_is_1",
        "bail-crew-auto-towed": "test_bail_out.test_6_5_2_6_1_a_crew_that_bails_out_takes_its_passengers_along",
        "special-ammo-date": "test_ammunition.test_5_16_1_special_ammunition_comes_with_its_date",
        "ammo-limit-values": "test_ammunition.test_5_16_2_limits_of_the_cards",
        "ammo-limit-hvap": "test_ammunition.test_5_16_2_2_short_of_special_ammunition_it_fires_basic_ammunition",
        "indirect-capable": "test_advanced_cards.test_5_2_quoted_towed_guns",
        "attachment-levels": "test_observers.test_6_5_1_3_an_attached_battery_serves_its_own_battalion",
        "planned-fire-plot": (
            "test_worked_examples.test_6_5_1_11_1_the_plot_of_the_example_is_legal_and_a_longer_one_is_not"
        ),
        "rof-quoted": "test_ap_fire_advanced.test_6_5_2_1_rates_of_fire_of_the_cards",
        "hit-location-76": "test_ap_fire_advanced.test_6_5_2_2_front_side_roll_76_hits_the_hull_side",
        "track-hit-short-halt-still-moving": (
            "test_ap_fire_advanced.test_6_5_2_2_1_in_its_turn_a_track_hit_vehicle_counts_as_moving"
        ),
        "track-hit-move-still-moving": (
            "test_ap_fire_advanced.test_6_5_2_2_1_in_its_turn_a_track_hit_vehicle_counts_as_moving"
        ),
        "deck-hit-14": "test_ap_fire_advanced.test_6_5_2_2_2_falling_shot_with_tens_1_hits_the_deck",
        "hull-down-front-side": (
            "test_ap_fire_advanced.test_6_5_2_2_3_what_a_hull_down_position_covers_from_front_and_side"
        ),
        "partial-hull-down-front-side": (
            "test_worked_examples.test_6_5_2_2_3_partial_hull_down_from_front_and_side_6_8_9_and_10_miss"
        ),
        "vehicle-type-su76": "test_ap_armour_advanced.test_6_5_2_3_types_of_vehicles",
        "armor-su76-front-rising-hf": "test_ap_armour_advanced.test_6_5_2_3_printed_armour_factors",
        "smoke-same-sheaf": "test_ap_armour_advanced.test_6_5_2_4_smoke_barrages_and_fire_on_the_line",
        "dual-fire-panzerfaust": (
            "test_ap_armour_advanced.test_6_5_2_4_a_second_weapon_costs_1_at_the_same_target_and_3_at_another"
        ),
        "ap-grade-regulars-m": "test_worked_examples.test_6_5_2_4_regulars_at_medium_range_have_minus_2",
        "bail-row-tk-crew": "test_bail_out.test_6_5_2_6_quoted_cells_of_the_bail_out_table",
        "bail-row-ko-towed": "test_bail_out.test_6_5_2_6_quoted_cells_of_the_bail_out_table",
        "ap-adv-t34-vs-pz4": "test_ap_armour_advanced.test_6_5_2_5_the_duel_of_2016",
        "gp-factor-quoted": "test_gp_fire.test_6_5_4_1_the_factor_below_the_first_range_not_below_the_distance",
        "gp-defense-leg-woods-moving": (
            "test_gp_fire.test_6_5_4_2_2_the_defence_of_leg_units_by_cover_full_cover_and_movement"
        ),
        "gp-defense-leg-ip-fc": (
            "test_gp_fire.test_6_5_4_2_2_the_defence_of_leg_units_by_cover_full_cover_and_movement"
        ),
        "gp-modifier-a-type-damaged": "test_gp_fire.test_6_5_4_3_modifiers_are_cumulative",
        "gp-crt-2-9": "test_gp_results.test_6_5_4_4_quoted_results",
        "gp-crt-15-2": "test_worked_examples.test_6_5_4_4_15_against_2_with_minus_1_has_no_effect",
        "rule-5-10-endings": "test_gp_results.test_6_5_4_4_2_the_rule_of_5s_and_10s",
        "gp-su76-1": "test_gp_results.test_6_5_4_situation",
        "gp-su76-2": "test_gp_results.test_6_5_4_situation",
        "ca-c-indicator": "test_worked_examples.test_6_6_1_1_2_the_c_indicator_and_regulars",
        "ca-regulars": "test_worked_examples.test_6_6_1_1_2_the_c_indicator_and_regulars",
        "ca-stug": "test_close_combat.test_6_6_1_1_situation",
        "hth-1": "test_close_combat.test_6_6_1_2_situation",
        "hth-2": "test_close_combat.test_6_6_1_2_situation",
        "hth-3": "test_close_combat.test_6_6_1_2_situation",
        "overrun-ow": "test_gp_results.test_6_6_10_overwatch_of_the_overrun_situation",
        "aircraft-acquire": "test_air.test_6_7_3_1_1_low_and_fast_takes_ten_hexes",
        "aircraft-los": "test_air.test_6_7_3_1_3_a_grove_masks_two_hexes_from_a_low_aircraft",
        "aa-track": "test_worked_examples.test_6_7_flight_distances_of_the_examples",
        "aa-card-modifier": (
            "test_worked_examples.test_6_7_4_2_the_machine_gun_of_a_panzer_iii_m_has_a_number_of_its_own"
        ),
        "spot-cover-best-terrain": (
            "test_terrain.test_6_1_4_3_7_an_improved_position_covers_heavily_and_hides_all_but_one_angle"
        ),
        "towed-size-flak36": "test_spotting_advanced.test_6_1_3_the_88_is_large_and_leg_units_are_small",
        "auto-partial-hd": "test_terrain.test_6_1_4_1_3_a_higher_target_is_partial_hull_down_at_close_range",
        "building-entry": "test_positions.test_6_1_4_3_1_vehicles_of_2016_that_may_and_may_not_enter",
        "wall-hull-down": "test_terrain.test_6_1_4_3_2_both_vehicles_at_a_wall_are_hull_down_against_each_other",
        "smoke-capable": "test_advanced_cards.test_1_6_quoted_notes",
        "smoke-timing": "test_terrain.test_6_1_4_3_10_smoke_counts_from_the_end_of_the_step_that_made_it",
        "formation-count-notation": (
            "test_command_control.test_6_2_1_1_the_notation_counts_units_with_and_without_recon"
        ),
        "available-commands-regulars": (
            "test_command_control.test_6_2_1_1_1_tens_count_column_ten_and_units_their_own"
        ),
        "available-commands-veteran": "test_command_control.test_6_2_1_1_1_tens_count_column_ten_and_units_their_own",
        "command-sharing": "test_command_control.test_6_2_1_1_3_all_who_share_must_be_in_range_of_each_other",
        "shared-fire-targets": (
            "test_command_control.test_6_2_1_1_4_targets_of_a_shared_command_are_within_range_of_each_other"
        ),
        "leg-mf-notation": "test_on_foot.test_6_6_4_1_leg_movement_factor",
        "transport-sdkfz10": "test_transport.test_6_6_7_1_capacities_of_the_cards",
        "passenger-section": "test_transport.test_6_6_7_1_capacities_of_the_cards",
        "passenger-flak36": "test_transport.test_6_6_7_1_capacities_of_the_cards",
        "recovery-1": (
            "test_adjustment_advanced.test_6_8_3_a_regulars_squad_that_fired_under_fire_does_not_recover_with_29"
        ),
        "cohesion-17": "test_optional_morale.test_7_1_1_1_veterans_of_early_1942_are_good",
        "cohesion-24": "test_optional_morale.test_7_1_1_1_veterans_of_early_1942_are_good",
        "cohesion-limits-german": "test_optional_morale.test_7_1_1_1_a_level_stays_near_the_printed_one",
        "cohesion-limits-other": "test_optional_morale.test_7_1_1_1_a_level_stays_near_the_printed_one",
        "chain-of-command": "test_optional_morale.test_7_1_3_a_lost_command_unit_forces_those_whom_it_commanded",
        "morale-1": "test_optional_morale.test_7_1_4_an_overrun_squad_hesitates",
        "hidden-spotting-type": (
            "test_optional_hidden.test_7_2_2_1_a_counter_is_seen_as_the_unit_that_is_seen_most_easily"
        ),
        "platoon-sharing": "test_optional_command.test_7_3_only_a_platoon_shares_a_counter_and_its_own_headquarters",
        "no-radio": "test_optional_command.test_7_4_3_nobody_calls_fire_or_aircraft_without_a_radio",
        "ce-armor": "test_optional_damage.test_7_10_1_skirts_count_three_times_against_hollow_charges",
        "bu-ap": "test_optional_damage.test_7_11_vehicles_that_burn_easily",
        "varpen-27": "test_optional_damage.test_7_12_every_hit_varies_in_strength",
        "varpen-18": "test_optional_damage.test_7_12_every_hit_varies_in_strength",
        "lower-hull": "test_optional_damage.test_7_13_the_lower_hull",
        "platform-mount": "test_optional_fire.test_7_16_guns_on_platforms_fire_all_round_and_turn",
        "track-variable": "test_optional_damage.test_7_21_weak_guns_do_not_break_tracks",
        "camouflage-woods": "test_optional_camouflage.test_7_24_a_vehicle_among_trees_is_found_on_seven_or_less",
        "bog-tiger2-rough": "test_optional_bogging.test_7_29_a_tiger_ii_in_rough_ground_bogs_on_a_natural_35",
        "minefield-contiguous": "test_optional_mines.test_7_31_1_the_four_hexes_of_the_book_are_one_field",
        "mines-vehicle": "test_optional_mines.test_7_31_2_1_a_vehicle_of_defence_5_in_a_hasty_field",
        "mines-leg": "test_optional_mines.test_7_31_2_2_men_in_a_deliberate_field",
        "command-span": (
            "test_optional_initiative.test_7_52_a_company_with_a_unit_out_of_span_moves_with_half_of_its_commands"
        ),
    },
}
"""For each worked example of chapters 5 to 7, by its name in the collection, the test that plays it."""


def known_tests() -> set[str]:
    found = set()
    for file in TESTS.rglob("test_*.py"):
        functions = (node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.FunctionDef))
        found |= {f"{file.stem}.{node.name}" for node in functions if node.name.startswith("test_")}
    return found


@both
def test_every_worked_example_is_played(edition: Edition) -> None:
    """Every worked example names the test that plays it; if that test is renamed, its entry must be updated."""
    known = known_tests()
    assert {id: test for id, test in EXAMPLES[edition].items() if test not in known} == {}
