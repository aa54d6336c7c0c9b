"""The charts of the advanced game and the optional rules: every quoted cell, and the shape of the completed ones."""

import tomllib
from itertools import pairwise

import pytest

from pbem.titles.panzer.cards.advanced_charts import (
    ADVANCED_FILES,
    AdvancedCharts,
    advanced_charts,
    read_advanced_charts,
)
from pbem.titles.panzer.cards.basic_rows import EDITIONS, PROHIBITED, RANGE_FACTORS, Cover
from pbem.titles.panzer.cards.chart_rows import GRADES, Angle, Location, Place, Shot
from pbem.titles.panzer.cards.charts import DataError, charts, packaged

NA = advanced_charts("2024")
OLD = advanced_charts("2016")


@pytest.fixture(params=EDITIONS)
def both(request: pytest.FixtureRequest) -> AdvancedCharts:
    return advanced_charts(request.param)


def table(name):
    return tomllib.loads(packaged(name).decode())


def steps(values):
    return [after - before for before, after in pairwise(values)]


def bends(values):
    """Second differences."""
    return steps(steps(values))


def smooth(values, bound):
    """Monotonic, with no second difference beyond the bound."""
    listed = list(values)
    one_way = listed in (sorted(listed), sorted(listed, reverse=True))
    return one_way and all(abs(bend) <= bound for bend in bends(listed))


# --- 6.5.2.1 number of hits ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("roll", "hits"), [(1, 3), (11, 3), (12, 2), (22, 2), (23, 1), (56, 1), (57, 0)])
def test_6_5_2_1_hit_number_56_at_rate_f(both, roll, hits):
    """L2440, 2016:L2572: 01-11 three hits, 12-22 two, 23 and more one, above 56 none."""
    assert both.number_of_hits(56, "F", roll) == hits


def test_6_5_2_1_the_quoted_cells_say_so():
    row = table("ap_number_of_hits.toml")["row"][55]
    assert (row["hit"], row["F3"], row["F2"]) == (56, [11, "rulebook L2440"], [22, "rulebook L2440"])


def test_6_5_2_1_rate_n_never_gives_more_than_one(both):
    """L2432."""
    assert {both.number_of_hits(100, "N", roll) for roll in range(1, 101)} == {1}


def test_6_5_2_1_every_column_is_smooth_and_faster_guns_hit_more(both):
    assert sorted(both.hits) == list(range(1, 101))
    for column in ("Q2", "R3", "R2", "F3", "F2"):
        assert smooth([getattr(both.hits[hit], column).value for hit in range(1, 101)], 1), column
    for row in both.hits.values():
        assert row.Q2.value <= row.R2.value <= row.F2.value <= row.hit
        assert row.R3.value <= row.F3.value <= row.F2.value and row.R3.value <= row.R2.value


def test_6_5_2_1_a_higher_roll_never_gives_more_hits(both):
    for hit_number in (1, 9, 35, 56, 100):
        for rate in ("N", "Q", "R", "F"):
            hits = [both.number_of_hits(hit_number, rate, roll) for roll in range(1, 101)]
            assert hits == sorted(hits, reverse=True)


# --- 6.5.2.2 hit location ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("angle", "tens", "location"),
    [
        (Angle.FRONT, 3, "TF"),
        (Angle.FRONT, 4, "TF"),
        (Angle.FRONT, 6, "HF"),
        (Angle.FRONT_SIDE, 7, "HS"),
        (Angle.REAR_SIDE, 1, "TS"),
        (Angle.REAR_SIDE, 3, "TR"),
        (Angle.REAR_SIDE, 5, "HS"),
        (Angle.REAR, 3, "TR"),
    ],
)
def test_6_5_2_2_quoted_locations(both, angle, tens, location):
    """L2475, L2501, L2715, L2719; 2016:L2804, L4552."""
    assert both.place(angle, tens).location == Location(location)


def test_6_5_2_2_1_ten_is_the_track_from_every_side(both):
    """L2479."""
    assert all(both.place(angle, 10) == Place(Location.TK, marked=False) for angle in Angle)


def test_6_5_2_2_2_a_falling_shot_with_1_hits_the_deck(both):
    """L2499, L2501: also where the table shows the turret."""
    for angle in Angle:
        assert both.place(angle, 1, Shot.FALLING).location is Location.DK
        assert both.place(angle, 1, Shot.RISING).location is not Location.DK


def test_6_5_2_2_3_what_a_hull_down_position_covers(both):
    """L2509, L2513: front/side, hull down 5 to 10, partial hull down 6, 8, 9 and 10."""
    row = {tens: both.place(Angle.FRONT_SIDE, tens) for tens in range(1, 11)}
    track = [tens for tens, place in row.items() if place.location is Location.TK]
    assert [tens for tens, place in row.items() if place.hull] + track == [5, 6, 7, 8, 9, 10]
    assert [tens for tens, place in row.items() if place.marked] + track == [6, 8, 9, 10]


def test_6_5_2_3_2_front_and_rear_never_show_a_side(both):
    """L2547; and only hull locations are marked."""
    for angle in Angle:
        places = [both.place(angle, tens) for tens in range(1, 11)]
        assert all(place.hull for place in places if place.marked)
        if angle in (Angle.FRONT, Angle.REAR):
            assert not {Location.TS, Location.HS} & {place.location for place in places}


def test_6_5_2_2_six_angles_left_and_right_alike(both):
    """L2454, L2467."""
    assert list(both.angles) == ["front", "front_right", "rear_right", "rear", "rear_left", "front_left"]
    assert both.angles["front_right"] is both.angles["front_left"] is Angle.FRONT_SIDE
    assert both.angles["rear_right"] is both.angles["rear_left"] is Angle.REAR_SIDE


# --- 6.5.2.5, 6.5.2.6 damage and bail-out --------------------------------------------------------------------


def test_6_5_2_5_quoted_digits_of_the_damage_line(both):
    """L2715: 4 damages; L2719, 2016:L2804, L4615: 7 knocks out; 2016:L2800: 3 damages; 2016:L4615: 9 brews up."""
    line = dict(enumerate(both.damage_line, start=1))
    assert (line[3], line[4], line[7], line[9]) == ("damaged", "damaged", "ko", "bu")
    order = ("none", "damaged", "ko", "bu")
    assert list(both.damage_line) == sorted(both.damage_line, key=order.index)
    assert both.number("soft_target_die") == -2


def test_6_5_2_2_4_deck_counts_as_turret(both):
    """L2667-2671."""
    assert {location for location, part in both.parts.items() if part == "turret"} == {"TF", "TS", "TR", "DK"}
    assert {location for location, part in both.parts.items() if part == "hull"} == {"HF", "HS", "HR"}


def cells(row):
    return {name: getattr(row, name).value for name in row.sources}


def test_6_5_2_6_quoted_rows_of_the_bail_out_table(both):
    """L2687, L2699, L2707, L2717, L1532."""
    rows = {name: cells(row) for name, row in both.bail_out.items()}
    assert rows["track"]["crew"] == rows["damaged"]["crew"] == 30
    assert rows["no_damage"]["passengers"] == 50
    assert rows["ko"] == {"leg": 21, "towed": 61}
    assert rows["suppressed_direct"] == {"passengers": 20}


def test_6_5_2_6_worse_hits_are_left_by_more(both):
    """A damaged vehicle is abandoned sooner than an undamaged one, and a burning one survived less often."""
    rows = {name: cells(row) for name, row in both.bail_out.items()}
    assert rows["no_damage"]["crew"] <= rows["damaged"]["crew"]
    assert rows["no_damage"]["passengers"] <= rows["damaged"]["passengers"]
    assert all(rows["ko"][who] < rows["bu"][who] for who in ("leg", "towed"))
    assert all(row["leg"] < row["towed"] for row in (rows["ko"], rows["bu"]))


# --- 5.8 grades ----------------------------------------------------------------------------------------------


def column(book, name):
    return [getattr(book.grades[grade], name).value for grade in GRADES]


def test_5_8_complete_columns(both):
    """L2015-2035, L1925-1939, L2689, L3706-3724, 2016:L2480-2490, 2016:L4269-4333."""
    assert column(both, "initiative") == [40, 20, 0, -20, -40]
    assert column(both, "command_range") == [2, 1, 1, 0, 0]
    assert column(both, "bail_out") == [5, 0, 0, 0, -5]
    assert column(both, "hull_down") == [-10, -5, 0, 5, 10]
    assert column(both, "response") == [2, 1, 0, -1, -2]
    assert column(both, "morale") == [20, 10, 0, -10, -20]


def test_5_8_quoted_cells(both):
    """L2651, L2967, L3456, L3281, L3559-3565, L4125, 2016:L4220, 2016:L4516; the examples L3125, L3139, L3808."""
    veteran, regulars = both.grades["veteran"], both.grades["regulars"]
    assert regulars.ap.at("M") == -2
    assert [veteran.gp.at(factor) for factor in ("P", "S", "L")] == [0, 0, 5]
    assert regulars.gp.at("P") == 0
    assert (veteran.close_combat.value, regulars.close_combat.value) == (10, -10)
    assert (veteran.quickmarch.value, regulars.recovery.value) == (40, 50)
    assert (veteran.cohesion.value, veteran.spot_far.value) == (10, 60)


def test_5_8_seasoned_is_the_baseline(both):
    """L2651."""
    seasoned = both.grades["seasoned"]
    assert all(seasoned.ap.at(factor) == seasoned.gp.at(factor) == 0 for factor in RANGE_FACTORS)
    assert seasoned.close_combat.value == 0


def test_5_8_a_better_grade_is_never_worse_and_steps_are_even(both):
    for name in ("close_combat", "recovery", "cohesion", "spot_near", "spot_far", "spot_most", "quickmarch"):
        assert smooth(column(both, name), 0), name
    for factor in RANGE_FACTORS:
        assert smooth([both.grades[grade].ap.at(factor) for grade in GRADES], 2)
        assert smooth([both.grades[grade].gp.at(factor) for grade in GRADES], 5)


def test_5_8_a_grade_counts_more_the_further_away(both):
    for grade in GRADES:
        row = both.grades[grade]
        assert smooth([row.ap.at(factor) for factor in RANGE_FACTORS], 2), grade
        assert smooth([row.gp.at(factor) for factor in RANGE_FACTORS], 10), grade


def test_5_8_grades_mirror_each_other(both):
    for better, worse in (("elite", "green"), ("veteran", "regulars")):
        for factor in RANGE_FACTORS:
            assert both.grades[better].ap.at(factor) == -both.grades[worse].ap.at(factor)
            assert both.grades[better].gp.at(factor) == -both.grades[worse].gp.at(factor)


# --- 6.2.1.1.1 available commands ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("grade", "active", "commands"),
    [("regulars", 7, 3), ("veteran", 12, 8), ("seasoned", 27, 16), ("seasoned", 17, 10), ("green", 1, 1)],
)
def test_6_2_1_1_1_worked_numbers(both, grade, active, commands):
    """2016:L2052, L2054, L2056, L5148; never fewer than one."""
    assert both.available_commands(grade, active) == commands


def test_6_2_1_1_1_the_table_is_smooth_both_ways(both):
    for grade in GRADES:
        assert smooth(both.commands[grade], 1)
    for units in range(10):
        assert smooth([both.commands[grade][units] for grade in GRADES], 1)


# --- 6.5.1 indirect fire -------------------------------------------------------------------------------------


def test_6_5_1_12_response_factors(both):
    """L2365-2402: FO 2 attached, 4 organic; worse observers and looser ties need more."""
    assert both.response_factor("fo", "attached") == 2
    assert both.response_factor("fo", "organic") == 4
    ties = ("attached", "organic", "unattached")
    for observer in both.responses:
        assert smooth([both.response_factor(observer, tie) for tie in ties], 0)
    for tie in ties:
        assert smooth([both.response_factor(observer, tie) for observer in ("fo", "bhq", "chq", "recon")], 0)
        assert both.response_factor("rhq", tie) == both.response_factor("bhq", tie)


def test_6_5_1_1_how_many_sources_an_observer_calls():
    """L2085-2107; 2016:L2210: four for a US observer."""
    assert (NA.fire_sources("fo", "us"), OLD.fire_sources("fo", "us")) == (2, 4)
    assert OLD.fire_sources("fo", "german") == 2
    assert NA.fire_sources("recon", "british") == NA.fire_sources("chq", "us") == 1


def test_6_5_1_5_sheafs_cover_as_many_hexes_as_their_shape(both):
    """L2157-2187: 1, 7, 19 and 7 hexes."""
    for sheaf in both.sheafs.values():
        radius, line = sheaf.radius.value, sheaf.line.value
        assert sheaf.hexes == 3 * radius * (radius + 1) + 1 + line
    assert {name: sheaf.hexes for name, sheaf in both.sheafs.items()} == {
        "on_map": 1,
        "closed": 7,
        "open": 19,
        "closed_linear": 7,
    }


def test_7_26_scatter_covers_every_roll(both):
    """2016:L4798-4816."""
    hexes = {roll: row.hexes.value for row in both.scatter for roll in range(row.first, row.last + 1)}
    assert hexes == {roll: 1 if roll <= 6 else 2 for roll in range(1, 11)}


# --- 6.5.4.4 GP results --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factor", "defence", "limits"),
    [
        (6, 1, (30, 60)),
        (7, 2, (31, 62)),
        (8, 2, (27, 59)),
        (5, 3, (43, 72)),
        (6, 3, (39, 69)),
        (8, 3, (31, 63)),
        (3, 4, (56, 83)),
        (5, 4, (48, 77)),
        (8, 4, (36, 68)),
        (8, 5, (40, 72)),
        (6, 8, (62, 92)),
    ],
)
def test_6_5_4_4_quoted_cells(both, factor, defence, limits):
    """L2391, L2400, L2973, L3129, L3143, L3323, L3798, L3813; 2016:L3214, L3392, L3845."""
    cell = both.gp_limits(factor, defence)
    assert (cell.no_effect, cell.suppressed) == limits
    assert cell.source.startswith("rulebook")


@pytest.mark.parametrize(
    ("factor", "defence", "total", "result"),
    [(7, 5, 60, "suppressed"), (2, 9, 109, "effective"), (15, 2, -1, "none"), (40, 2, -1, "none")],
)
def test_6_5_4_4_results_of_the_boundary_examples(both, factor, defence, total, result):
    """L3031, L3033, L3035; factors beyond 15 use column 15 (L3756)."""
    assert both.gp_result(factor, defence, total) == result


def test_6_5_4_4_the_table_is_smooth_both_ways(both):
    assert sorted(both.limits) == list(range(1, 11))
    for part in ("no_effect", "suppressed"):
        for defence in range(1, 11):
            assert smooth([getattr(cell, part) for cell in both.limits[defence]], 0)
        for factor in range(1, 16):
            assert smooth([getattr(both.gp_limits(factor, defence), part) for defence in range(1, 11)], 1)


def test_6_5_4_4_2_small_arms_by_type_and_range(both):
    """L2997-3071: an A-type is never more than suppressed, a P-type damaged only at P."""
    assert [both.gp_effect("small_arms", "effective", "A", factor) for factor in RANGE_FACTORS] == [
        "suppressed",
        "suppressed",
        "none",
        "none",
        "none",
    ]
    assert [both.gp_effect("small_arms", "effective", "P", factor) for factor in RANGE_FACTORS] == [
        "damaged",
        "suppressed",
        "none",
        "none",
        "none",
    ]
    assert both.gp_effect("small_arms", "suppressed", "A", "S") == "none"
    assert both.gp_effect("small_arms", "suppressed", "P", "S") == "suppressed"
    assert {both.gp_effect("small_arms", "effective", "S", factor) for factor in RANGE_FACTORS} == {"resolve"}
    assert both.gp_effect("small_arms", "none", "S", "P") == "none"


def test_6_5_4_4_2_shells_must_be_effective_enough_against_armour(both):
    """L3021-3043."""
    assert {both.gp_effect("other", "effective", kind, "E") for kind in ("A", "P", "open")} == {"test"}
    assert both.gp_effect("other", "effective", "S", "E") == "resolve"


def test_7_8_3_an_open_turret_is_damaged_at_point_blank(both):
    """2016:L4554-4565."""
    assert both.gp_effect("small_arms", "effective", "open", "P") == "damaged"


def test_6_5_4_2_numbers_of_gp_defence(both):
    """L2761, L2775, L2785."""
    names = ("moving_defence", "full_cover_leg", "defence_at_least", "defence_at_most", "passenger_defence")
    assert [both.number(name) for name in names] == [-2, 2, 1, 10, 1]
    assert both.number("passenger_defence_under_cover") == 3


# --- modifiers -----------------------------------------------------------------------------------------------


def values(rows):
    return {row.when: row.value for row in rows}


def test_6_5_2_4_ap_modifiers():
    """L2571-2651."""
    rows = values(NA.modifiers["ap"])
    quoted = {
        "firer_suppressed": -5,
        "smoke_open": -3,
        "smoke_closed": -5,
        "barrage_open": -1,
        "barrage_closed": -3,
        "dust": -1,
        "on_fire": -5,
        "ammo_limit": -3,
        "transported_fire": -2,
        "heat_haze": -3,
        "dual_fire_same_target": -1,
        "dual_fire_other_target": -3,
        "firer_hesitating": -3,
        "firer_broken": -5,
    }
    assert quoted.items() <= rows.items()


def test_6_5_4_3_gp_modifiers():
    """L2815-2967; a vehicle moving in a barrage is twice as hard to hit."""
    direct, indirect = values(NA.modifiers_for("gp", "direct")), values(NA.modifiers_for("gp", "indirect"))
    quoted = {
        "target_vehicle_moving": -10,
        "target_protected": -10,
        "target_armoured": -20,
        "target_vehicle_medium_cover": -10,
        "target_vehicle_heavy_cover": -20,
        "target_crawling": 10,
        "target_behind_wall": -10,
        "target_behind_defilade": -10,
        "short_halt": -15,
        "firer_damaged": -10,
        "firer_suppressed": -20,
        "on_fire": -20,
        "brew_up_smoke": -10,
        "smoke_open": -10,
        "smoke_closed": -20,
        "barrage_open": -5,
        "barrage_closed": -10,
        "dust": -5,
        "overwatch": -5,
        "overwatch_adjust": -10,
        "ammo_limit": -10,
        "heat_haze": -10,
        "transported_fire": -10,
        "dual_fire_same_target": -5,
        "dual_fire_other_target": -10,
        "target_entrenched": -10,
        "coaxial_machine_gun": 10,
        "pinning_fire": 20,
    }
    assert quoted.items() <= direct.items()
    assert (indirect["target_vehicle_moving"], indirect["open_sheaf"]) == (-20, -20)
    assert not {"smoke_open", "overwatch", "short_halt", "unit_grade", "target_behind_wall"} & indirect.keys()
    assert values(NA.modifiers_for("gp", "overrun"))["overrun"] == 20


def test_6_5_4_3_what_one_book_alone_has_counts_wherever_a_scenario_or_a_map_brings_it():
    """Dust, defilade and sun are from the 2024 book, cavalry and railroads from the 2016 book."""
    here, there = values(NA.modifiers["gp"]), values(OLD.modifiers["gp"])
    assert here == there
    assert (here["dust"], here["target_behind_defilade"]) == (-5, -10)
    assert (there["target_cavalry"], there["target_on_railroad"]) == (10, -5)


def test_6_5_4_3_the_modifiers_of_the_worked_examples(both):
    """L3125: -10; L3139: -20; L3795: -35; L3813: +30."""
    direct, overrun = values(both.modifiers_for("gp", "direct")), values(both.modifiers_for("gp", "overrun"))
    assert direct["target_protected"] == -10
    assert direct["firer_suppressed"] == -20
    assert direct["target_vehicle_moving"] + direct["target_armoured"] + direct["overwatch"] == -35
    assert overrun["coaxial_machine_gun"] + overrun["overrun"] == 30


def test_6_5_1_12_1_response_modifiers(both):
    """L2297-2351."""
    assert {
        "pre_registered": 2,
        "command_recon_observer": 1,
        "adjusted_fire": 1,
        "observer_suppressed": -2,
        "observer_damaged": -2,
        "observer_hindered": -1,
        "heat_haze": -1,
    }.items() <= values(both.modifiers["response"]).items()


def test_6_6_1_close_combat_modifiers(both):
    """L3205-3281 and the sum of the worked assault, +20; L3357-3415 and the three worked rounds."""
    assault = values(both.modifiers["close_assault"])
    grade = both.grades["regulars"].close_combat.value
    names = ("target_moving", "target_c_indicator", "target_suppressed")
    assert sum(assault[name] for name in names) + grade == 20
    attacker = values(both.modifiers_for("hand_to_hand", "attacker"))
    defender = values(both.modifiers_for("hand_to_hand", "defender"))
    veteran = both.grades["veteran"].close_combat.value
    assert attacker["squad"] + attacker["more_half_squads"] + veteran == 20
    assert attacker["half_squad"] + attacker["more_half_squads"] + veteran == -5
    assert defender["half_squad"] + grade == -35
    assert "towed" in defender and "towed" not in attacker


def test_6_6_1_1_1_close_assault_factors(both):
    """L3189-3195."""
    sizes = ("squad", "half_squad", "section")
    assert [both.number(f"close_assault_{size}") for size in sizes] == [8, 4, 2]
    assert both.number("close_assault_defence") == 5


def test_6_1_3_spotting_modifiers(both):
    """L1622-1646, 2016:L1804-1806."""
    assert {
        "target_spot_fire_small_arms": 1,
        "spotter_suppressed": -2,
        "target_full_cover": -2,
        "spotter_full_cover": -4,
    }.items() <= values(both.modifiers["spotting"]).items()


def test_6_8_3_1_recovery_of_the_worked_example(both):
    """L4121-4130: 29 + 30 is above the 50 of Regulars."""
    total = 29 + sum(row.value for row in both.modifiers["recovery"])
    assert total == 59 > both.grades["regulars"].recovery.value


def test_6_7_air_modifiers(both):
    """2016:L4031-4039; L4047-4053."""
    assert values(both.modifiers["aircraft"]) == {"low": 20, "medium": 10, "fast": -20}
    assert values(both.modifiers["anti_aircraft"]) == {"fast": -10, "high": -10, "low": 10, "weapon": 1}


def test_7_1_4_morale_of_the_worked_example(both):
    """2016:L4372-4390: Veteran, suppressed, command unit, forced: +30; 36 makes 66, a German unit hesitates."""
    rows = values(both.modifiers["morale"])
    net = sum(rows[name] for name in ("suppressed_or_damaged", "command_unit_near", "forced"))
    total = 36 + net + both.grades["veteran"].morale.value
    german = next(row for row in both.optional.break_point if row.nation == "german")
    assert total == 66
    assert german.breaks.value < total <= german.hesitates.value == 70


def test_every_modifier_says_its_rule_and_text(both):
    for rows in both.modifiers.values():
        assert all(row.rule and row.text and row.source for row in rows)
    assert all(number.rule and number.text for number in both.numbers.values())


# --- 6.6.3 buildings, 6.7 air --------------------------------------------------------------------------------


def test_6_6_3_brick_is_quoted_and_the_others_lie_around_it(both):
    """L3513-3515; five per point of defence (L3507: 2 makes +10)."""
    assert (both.buildings["brick"].hit.value, both.buildings["brick"].track.value) == (65, 65)
    assert smooth([both.buildings[kind].hit.value for kind in ("wood", "brick", "stone")], 0)
    assert both.number("building_defence") * 2 == 10


def test_7_35_1_fires(both):
    """2016:L5014: factor 8 in brick up to 10."""
    assert both.fire_range("brick", 8) == 10
    for kind in both.buildings:
        assert smooth([both.fire_range(kind, factor) for factor in range(1, 16)], 1)
    for factor in range(1, 16):
        row = [both.fire_range(kind, factor) for kind in ("wood", "brick", "stone")]
        assert row == sorted(row, reverse=True)


def test_6_7_flight_distances(both):
    """L3911: low and fast acquires in 10; L4011: medium and fast is tracked in 6."""
    assert both.flight_hexes("acquire", "low", "fast") == 10
    assert both.flight_hexes("track", "medium", "fast") == 6
    for what in ("acquire", "track"):
        for speed in ("slow", "fast"):
            heights = [both.flight_hexes(what, altitude, speed) for altitude in ("low", "medium", "high")]
            assert smooth(heights, 0)
            assert min(heights) >= 1
    for altitude in ("low", "medium", "high"):
        assert both.flight_hexes("acquire", altitude, "slow") < both.flight_hexes("acquire", altitude, "fast")


@pytest.mark.parametrize(
    ("altitude", "height", "hexes"), [("low", 3, 2), ("low", 4, 3), ("medium", 4, 1), ("medium", 3, 0)]
)
def test_6_7_3_1_3_what_trees_hide_from_aircraft(both, altitude, height, hexes):
    """L3943, 2016:L3984."""
    assert both.masked_hexes(altitude, height) == hexes


def test_6_7_3_patterns(both):
    """L3947-3973: strafing 2 or 3 hexes, bombs 1, 2 and 4."""
    hexes = {
        (row.attack, row.altitudes[0], row.speeds[-1]): row.ahead.value + row.beside.value for row in both.air.pattern
    }
    assert hexes == {
        ("strafing", "low", "slow"): 2,
        ("strafing", "low", "fast"): 3,
        ("dive_bombing", "low", "slow"): 1,
        ("bombing", "medium", "fast"): 2,
        ("bombing", "high", "fast"): 4,
        ("rockets", "low", "fast"): 1,
    }


# --- 6.1.4.3 terrain -----------------------------------------------------------------------------------------


def test_4_5_1_1_2_every_terrain_and_hexside_has_its_advanced_columns(both):
    basic = charts(both.edition)
    assert both.terrains.keys() == basic.terrains.keys()
    assert both.hexsides.keys() == basic.hexsides.keys()
    assert all(set(row.sources) >= {"L", "gp", "hull_down", "bog"} for row in both.terrains.values())


def test_6_5_4_2_2_quoted_covers(both):
    """L2767, L3135, L2771-2775, 2016:L2842."""
    covers = {name: row.gp.value for name, row in both.terrains.items()}
    assert covers["clear"] is covers["brush"] is covers["sand"] is Cover.NONE
    assert covers["scrub"] is covers["crops"] is covers["ditch"] is Cover.LIGHT
    assert covers["medium_grove"] is covers["woods"] is Cover.MEDIUM
    assert both.gp_cover(("railroad", "scrub")) is Cover.LIGHT
    assert both.gp_cover(("brush", "woods")) is Cover.MEDIUM


def test_6_5_4_2_2_inside_a_building_and_under_it(both):
    """L2765, L2829-2831, L1712-1738."""
    combat = [both.interiors[f"{kind}_building"].combat.value for kind in ("wood", "brick", "stone")]
    overhead = [both.interiors[f"{kind}_building"].overhead.value for kind in ("wood", "brick", "stone")]
    assert combat == [Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY]
    assert overhead == [Cover.NONE, Cover.MEDIUM, Cover.HEAVY]
    assert [row.hull_down.value for row in both.interiors.values()] == [False, True, True]
    assert {row.spotting.value for row in both.interiors.values()} == {Cover.HEAVY}
    assert smooth([row.defence.value for row in both.interiors.values()], 0)
    assert smooth([row.T.value for row in both.interiors.values()], 0)
    assert all(row.rubble in both.features for row in both.interiors.values())


def test_6_1_4_3_quoted_features(both):
    """L1758, L1790, L1814, L1847, L1772, L1818-1841."""
    features = both.features
    assert features["block"].combat.value is Cover.LIGHT and features["block"].T.value == PROHIBITED
    assert features["improved_position"].combat.value is features["improved_position"].spotting.value is Cover.HEAVY
    assert [features["wire"].H.value, features["wire"].W.value, features["wire"].L.value] == [PROHIBITED] * 3
    assert features["wire"].T.value == "other"
    rubble = [features[f"{kind}_rubble"] for kind in ("wood", "brick", "stone")]
    assert [row.combat.value for row in rubble] == [Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY]
    assert all(row.H.value == row.W.value == row.towed.value == PROHIBITED for row in rubble)
    assert (features["on_fire"].height.value, features["smoke"].height.value) == (5, 4)
    assert (features["hasty_mines"].defence.value, features["deliberate_mines"].defence.value) == (3, 6)
    assert (features["hasty_mines"].rolls, features["improved_position"].rolls) == (1, 2)
    assert all(row.becomes in features for row in features.values() if row.becomes)


def test_6_1_4_1_what_makes_a_vehicle_hull_down_without_a_search(both):
    """L1740-1750, L1786-1796; 2016:L1824 a railroad, partially."""
    assert {name for name, row in both.hexsides.items() if row.hull_down.value} == {"wall", "defilade"}
    assert {name for name, row in both.features.items() if row.hull_down.value} == {"improved_position"}
    assert {name for name, row in both.terrains.items() if row.partial.value} == {"railroad"}


def test_6_1_4_3_both_books_have_the_rows_of_all_features():
    """Dust and roofs are from the 2024 book; a scenario of the other may switch them on."""
    assert NA.features.keys() == OLD.features.keys() >= {"dust", "rooftop"}


def test_6_1_4_2_no_full_cover_on_bridges_fords_and_streams(both):
    """L1688-1704."""
    closed = {name for name, row in both.terrains.items() if not row.full_cover.value}
    assert {"bridge", "ford", "stream"} <= closed and "clear" not in closed


def test_6_6_4_2_where_a_quickmarch_may_go():
    """L3555; 2016:L3610-3622 adds brush and crops."""
    for edition, terrains in (("2024", {"clear"}), ("2016", {"clear", "brush", "crops"})):
        allowed = {name for name, row in NA.terrains.items() if edition in row.quickmarch.value}
        assert allowed == terrains


def test_6_1_4_3_12_what_raises_dust(both):
    """L1849-1871."""
    assert {name for name, row in both.terrains.items() if row.dust.value} == {"clear", "brush", "scrub"}


def test_6_7_3_1_1_trees_hide_targets_from_aircraft_without_an_observer(both):
    """L3921, 2016:L3944-3964."""
    assert {name for name, row in both.terrains.items() if row.observer.value} == {
        "light_grove",
        "medium_grove",
        "light_woods",
        "woods",
        "heavy_woods",
    }


def test_6_6_5_guns_never_go_where_men_cannot(both):
    """A manhandled gun is never better off than its crew on foot, and walls stop it (L3598)."""
    for row in both.terrains.values():
        assert row.L.value != PROHIBITED or row.towed.value == PROHIBITED
        if row.towed.value != PROHIBITED:
            assert row.towed.value >= row.L.value
    assert {name for name, row in both.hexsides.items() if row.towed.value == PROHIBITED} == {
        "cliff",
        "wall",
        "defilade",
        "hedgerow",
    }


def test_7_29_rough_ground_of_the_worked_example(both):
    """2016:L4883: with -5 a Tiger II bogs down on 35 or less."""
    assert both.terrains["rough"].bog.value == 30 == 35 - 5


# --- 7 optional rules ----------------------------------------------------------------------------------------


def chapters(charts):
    """The rules that can be chosen, by chapter and second number: 7.1.1.1 is part of 7.1."""
    return list(dict.fromkeys(".".join(row.rule.split(".")[:2]) for row in charts.optional.rule))


def test_7_0_which_rules_there_are():
    """All of 7.1 to 7.37, 7.42 and 7.52; 7.34 and the row of 7.39 in the 2016 book only; needed rules exist."""
    wanted = [f"7.{number}" for number in (*range(1, 38), 39, 42, 52)]
    assert chapters(OLD) == wanted
    both = chapters(NA)
    assert both == [rule for rule in wanted if rule not in ("7.34", "7.39")]
    names = {row.id for row in OLD.optional.rule}
    assert len(names) == len(OLD.optional.rule) and all(row.needs in names for row in OLD.optional.rule if row.needs)


def test_7_1_1_1_cohesion_of_the_worked_example(both):
    """2016:L4220-4226: 63 - 20 + 10 is Good; 17 units make 9, 24 make 13."""
    level = both.cohesion_level(63 - 20 + both.grades["veteran"].cohesion.value)
    assert level.name == "Good"
    assert [both.cohesion_points(level, units) for units in (10, 17, 24)] == [5, 9, 13]


def test_7_1_1_1_levels_are_evenly_spaced(both):
    levels = both.optional.cohesion
    assert [row.level for row in levels] == list(range(9, 0, -1))
    assert smooth([row.lowest.value for row in levels[:-1]], 0)
    assert smooth([row.rate.value for row in levels], 0)
    assert [row.name for row in levels[:6]] == [
        "Superb",
        "Outstanding",
        "Superior",
        "Excellent",
        "Good",
        "Adequate",
    ]
    assert both.cohesion_level(-300).name == "Poor"


def test_7_1_1_1_limits_of_a_changed_level(both):
    """2016:L4230-4234: Excellent to Outstanding and Adequate, or to Superior and Poor."""
    first, others = both.optional.cohesion_limit
    assert (first.up.value, first.down.value, others.up.value) == (2, 2, 1)
    assert "german" in first.nations and "soviet" in others.nations


@pytest.mark.parametrize(
    ("penetration", "rolls", "change"),
    [(27, (10, 4), 2), (18, (1, 2), -3), (18, (5, 6), 0), (27, (10, 10), 4), (90, (1, 1), -11)],
)
def test_7_12_variable_penetration(both, penetration, rolls, change):
    """2016:L4627-4629; beyond the last row as the last row."""
    assert both.variation(penetration, rolls) == change


def test_7_12_the_table_is_smooth_both_ways(both):
    rows = both.optional.penetration
    assert [row.penetration for row in rows] == list(range(1, 71))
    for name in ("one", "two", "three", "four", "most"):
        assert smooth([getattr(row, name).value for row in rows], 1), name
    for row in rows:
        assert row.one.value >= row.two.value >= row.three.value >= row.four.value
    by_penetration = {row.penetration: row for row in rows}
    assert cells(by_penetration[18]) == {"one": 2, "two": 2, "three": 1, "four": 1, "most": 3}
    assert (by_penetration[27].one.value, by_penetration[27].four.value) == (3, 1)


def test_7_31_2_minefields(both):
    """2016:L4940: defence 5, hasty: damaged to 10, track to 50; 2016:L4950: 70 against personnel, deliberate."""
    rows = {row.defence: row for row in both.optional.minefield}
    assert (rows[5].hasty_damaged.value, rows[5].hasty_track.value) == (10, 50)
    assert both.number("mines_leg_deliberate") == 70 > both.number("mines_leg_hasty")
    for name in ("hasty_damaged", "hasty_track", "deliberate_damaged", "deliberate_track"):
        assert smooth([getattr(rows[defence], name).value for defence in range(1, 11)], 5), name
    for row in rows.values():
        assert row.hasty_damaged.value < row.hasty_track.value < row.deliberate_track.value


def test_7_22_2_smoke_limits(both):
    """2016:L4719-4725."""
    limits = {row.nation: row.limit.value for row in both.optional.smoke_limit}
    assert limits == {
        "german": 5,
        "soviet": 2,
        "us": 5,
        "british": 4,
        "french": 3,
        "french_1944": 5,
        "italian": 3,
        "other": 3,
    }
    assert column(both, "smoke_limit") == [2, 1, 0, 0, -1]


def test_7_28_2_and_7_52(both):
    """2016:L4838-4861, L5138-5170."""
    assert [(row.upto, row.result) for row in both.optional.counter_battery] == [
        (50, "suppressed"),
        (80, "damaged"),
        (100, "ko"),
    ]
    assert {row.level: row.hexes.value for row in both.optional.command_span} == {"chq": 10, "bhq": 20, "rhq": 20}


# --- files ---------------------------------------------------------------------------------------------------


KINDS = ("rulebook", "inferred", "public", "house")
NAMES = ("editions", "kinds", "altitudes", "speeds", "nations", "locations")


def sources_in(part):
    """Every source in a file: the end of each cell, and every key `source`."""
    if isinstance(part, dict) and "source" in part:
        yield part["source"]
    elif isinstance(part, dict):
        for key, inner in part.items():
            yield from sources_in(inner) if key not in NAMES else ()
    elif isinstance(part, list) and isinstance(part[-1], str):
        yield part[-1]
    elif isinstance(part, list):
        for inner in part:
            yield from sources_in(inner)


def test_every_value_has_a_source_of_a_known_kind():
    """Each cell says rulebook, inferred, public or house."""
    sources = [source for name in ADVANCED_FILES for source in sources_in(table(name))]
    assert len(sources) > 1900
    assert not {source for source in sources if source.split()[0].strip(",;") not in KINDS}


def test_charts_of_an_owner_replace_ours():
    files = {name: packaged(name) for name in ADVANCED_FILES}
    files["buildings.toml"] = files["buildings.toml"].replace(b'hit = [45, "house"]', b'hit = [50, "own card"]')
    assert read_advanced_charts(files, "2024").buildings["wood"].hit.value == 50


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("ap_hit_location.toml", '["TS", "house"]', '["XX", "house"]', r"location\.toml: .*Invalid enum value"),
        ("unit_grades.toml", 'id = "elite"', 'id = "veteran"', r"unit_grades\.toml: elite: this row is missing"),
        ("gp_results.toml", '[50, 75, "inferred"],', "", r"gp_results\.toml: .*length"),
        ("air.toml", "masking = [", "maskin = [", r"maskin: this key has no meaning here\. Did you mean masking\?"),
        ("optional.toml", 'lowest = [86, "house"]', 'lowest = ["x", "house"]', r"optional\.toml: .*int"),
    ],
)
def test_a_slip_in_a_chart_is_named(name, old, new, message):
    files = {file: packaged(file) for file in ADVANCED_FILES}
    assert old.encode() in files[name]
    files[name] = files[name].replace(old.encode(), new.encode(), 1)
    with pytest.raises(DataError, match=message):
        read_advanced_charts(files, "2024")
