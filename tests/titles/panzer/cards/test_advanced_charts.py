"""The charts of the advanced game: hits, damage, grades, commands and results. Every quoted cell is checked."""

import pytest
from titles.panzer.cards.chart_files import NA, OLD, cells, grades_of, smooth, table

from pbem.titles.panzer.cards.basic_rows import RANGE_FACTORS
from pbem.titles.panzer.cards.chart_rows import GRADES, Angle, Location, Place, Shot

# --- 6.5.2.1 number of hits ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("roll", "hits"), [(1, 3), (11, 3), (12, 2), (22, 2), (23, 1), (56, 1), (57, 0)])
def test_6_5_2_1_hit_number_56_at_rate_f(both, roll, hits):
    """L2440, 2016:L2572: 01-11 gives three hits, 12-22 gives two and 23-56 gives one; a roll above 56 misses."""
    assert both.number_of_hits(56, "F", roll) == hits


def test_6_5_2_1_the_quoted_cells_say_so():
    row = table("ap_number_of_hits.toml")["row"][55]
    assert (row["hit"], row["F3"], row["F2"]) == (56, [11, "rulebook L2440"], [22, "rulebook L2440"])


def test_6_5_2_1_rate_n_never_gives_more_than_one(both):
    """L2432: a weapon with rate N never scores more than one hit."""
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


@pytest.mark.rule("6.5.2.2", effect=True)
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
    """Hit locations quoted in L2475, L2501, L2715, L2719; 2016:L2804, L4552."""
    assert both.place(angle, tens).location == Location(location)


def test_6_5_2_2_1_ten_is_the_track_from_every_side(both):
    """L2479: a 10 hits the track from every angle."""
    assert all(both.place(angle, 10) == Place(Location.TK, marked=False) for angle in Angle)


def test_6_5_2_2_2_a_falling_shot_with_1_hits_the_deck(both):
    """L2499, L2501: a falling shot with a 1 hits the deck even where the table shows a turret location."""
    for angle in Angle:
        assert both.place(angle, 1, Shot.FALLING).location is Location.DK
        assert both.place(angle, 1, Shot.RISING).location is not Location.DK


def test_6_5_2_2_3_what_a_hull_down_position_covers(both):
    """L2509, L2513: from the front/side, hull down covers locations 5 to 10, partial hull down 6, 8, 9 and 10."""
    row = {tens: both.place(Angle.FRONT_SIDE, tens) for tens in range(1, 11)}
    track = [tens for tens, place in row.items() if place.location is Location.TK]
    assert [tens for tens, place in row.items() if place.hull] + track == [5, 6, 7, 8, 9, 10]
    assert [tens for tens, place in row.items() if place.marked] + track == [6, 8, 9, 10]


def test_6_5_2_3_2_front_and_rear_never_show_a_side(both):
    """L2547: from straight ahead or behind no side location can be hit, and only hull locations are marked."""
    for angle in Angle:
        places = [both.place(angle, tens) for tens in range(1, 11)]
        assert all(place.hull for place in places if place.marked)
        if angle in (Angle.FRONT, Angle.REAR):
            assert not {Location.TS, Location.HS} & {place.location for place in places}


@pytest.mark.rule("6.5.2.2", effect=True)
def test_6_5_2_2_six_angles_left_and_right_alike(both):
    """L2454, L2467: there are six angles, and left and right use the same columns."""
    assert list(both.angles) == ["front", "front_right", "rear_right", "rear", "rear_left", "front_left"]
    assert both.angles["front_right"] is both.angles["front_left"] is Angle.FRONT_SIDE
    assert both.angles["rear_right"] is both.angles["rear_left"] is Angle.REAR_SIDE


# --- 6.5.2.5, 6.5.2.6 damage and bail-out --------------------------------------------------------------------


@pytest.mark.rule("6.5.2.5/nd", "6.5.2.5/dm", effect=True)
def test_6_5_2_5_quoted_digits_of_the_damage_line(both):
    """L2715, 2016:L2800: 3 and 4 damage; L2719, 2016:L2804, L4615: 7 knocks out and 9 brews up."""
    line = dict(enumerate(both.damage_line, start=1))
    assert (line[3], line[4], line[7], line[9]) == ("damaged", "damaged", "ko", "bu")
    order = ("none", "damaged", "ko", "bu")
    assert list(both.damage_line) == sorted(both.damage_line, key=order.index)
    assert both.number("soft_target_die") == -2


def test_6_5_2_2_4_deck_counts_as_turret(both):
    """L2667-2671: damage to the deck counts as turret damage."""
    assert {location for location, part in both.parts.items() if part == "turret"} == {"TF", "TS", "TR", "DK"}
    assert {location for location, part in both.parts.items() if part == "hull"} == {"HF", "HS", "HR"}


@pytest.mark.rule("6.5.2.6", effect=True)
def test_6_5_2_6_quoted_rows_of_the_bail_out_table(both):
    """Rows of the bail-out table quoted in L2687, L2699, L2707, L2717, L1532."""
    rows = {name: cells(row) for name, row in both.bail_out.items()}
    assert rows["track"]["crew"] == rows["damaged"]["crew"] == 30
    assert rows["no_damage"]["passengers"] == 50
    assert rows["ko"] == {"leg": 21, "towed": 61}
    assert rows["suppressed_direct"] == {"passengers": 20}


@pytest.mark.rule("6.5.2.6", effect=True)
def test_6_5_2_6_worse_hits_are_left_by_more(both):
    """A damaged vehicle is abandoned sooner than an undamaged one, and passengers survive a fire less often."""
    rows = {name: cells(row) for name, row in both.bail_out.items()}
    assert rows["no_damage"]["crew"] <= rows["damaged"]["crew"]
    assert rows["no_damage"]["passengers"] <= rows["damaged"]["passengers"]
    assert all(rows["ko"][who] < rows["bu"][who] for who in ("leg", "towed"))
    assert all(row["leg"] < row["towed"] for row in (rows["ko"], rows["bu"]))


def test_5_8_complete_columns(both):
    """Columns printed in full: L2015-2035, L1925-1939, L2689, L3706-3724, 2016:L2480-2490, 2016:L4269-4333."""
    assert grades_of(both, "initiative") == [40, 20, 0, -20, -40]
    assert grades_of(both, "command_range") == [2, 1, 1, 0, 0]
    assert grades_of(both, "bail_out") == [5, 0, 0, 0, -5]
    assert grades_of(both, "hull_down") == [-10, -5, 0, 5, 10]
    assert grades_of(both, "response") == [2, 1, 0, -1, -2]
    assert grades_of(both, "morale") == [20, 10, 0, -10, -20]


def test_5_8_quoted_cells(both):
    """Cells quoted in L2651, L2967, L3456, L3281, L3559-3565, L4125, L3125, L3139, L3808; 2016:L4220, L4516."""
    veteran, regulars = both.grades["veteran"], both.grades["regulars"]
    assert regulars.ap.at("M") == -2
    assert [veteran.gp.at(factor) for factor in ("P", "S", "L")] == [0, 0, 5]
    assert regulars.gp.at("P") == 0
    assert (veteran.close_combat.value, regulars.close_combat.value) == (10, -10)
    assert (veteran.quickmarch.value, regulars.recovery.value) == (40, 50)
    assert (veteran.cohesion.value, veteran.spot_far.value) == (10, 60)


def test_5_8_seasoned_is_the_baseline(both):
    """L2651: Seasoned units have no modifier."""
    seasoned = both.grades["seasoned"]
    assert all(seasoned.ap.at(factor) == seasoned.gp.at(factor) == 0 for factor in RANGE_FACTORS)
    assert seasoned.close_combat.value == 0


def test_5_8_a_better_grade_is_never_worse_and_steps_are_even(both):
    for name in ("close_combat", "recovery", "cohesion", "spot_near", "spot_far", "spot_most", "quickmarch"):
        assert smooth(grades_of(both, name), 0), name
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


@pytest.mark.rule("6.2.1.1.1", effect=True)
@pytest.mark.parametrize(
    ("grade", "active", "commands"),
    [("regulars", 7, 3), ("veteran", 12, 8), ("seasoned", 27, 16), ("seasoned", 17, 10), ("green", 1, 1)],
)
def test_6_2_1_1_1_worked_numbers(both, grade, active, commands):
    """2016:L2052, L2054, L2056, L5148: a formation never has fewer than one command."""
    assert both.available_commands(grade, active) == commands


@pytest.mark.rule("6.2.1.1.1", effect=True)
def test_6_2_1_1_1_the_table_is_smooth_both_ways(both):
    for grade in GRADES:
        assert smooth(both.commands[grade], 1)
    for units in range(10):
        assert smooth([both.commands[grade][units] for grade in GRADES], 1)


# --- 6.5.1 indirect fire -------------------------------------------------------------------------------------


def test_6_5_1_12_response_factors(both):
    """L2365-2402: an FO needs 2 for an attached battery and 4 for an organic one; other observers
    and batteries need more.
    """
    assert both.response_factor("fo", "attached") == 2
    assert both.response_factor("fo", "organic") == 4
    ties = ("attached", "organic", "unattached")
    for observer in both.responses:
        assert smooth([both.response_factor(observer, tie) for tie in ties], 0)
    for tie in ties:
        assert smooth([both.response_factor(observer, tie) for observer in ("fo", "bhq", "chq", "recon")], 0)
        assert both.response_factor("rhq", tie) == both.response_factor("bhq", tie)


@pytest.mark.rule("6.5.1.1", effect=True)
def test_6_5_1_1_how_many_sources_an_observer_calls():
    """L2085-2107: the number of sources depends on the observer; 2016:L2210: a US observer calls four."""
    assert (NA.fire_sources("fo", "us"), OLD.fire_sources("fo", "us")) == (2, 4)
    assert OLD.fire_sources("fo", "german") == 2
    assert NA.fire_sources("recon", "british") == NA.fire_sources("chq", "us") == 1


def test_6_5_1_5_sheafs_cover_as_many_hexes_as_their_shape(both):
    """L2157-2187: the sheafs cover 1, 7, 19 and 7 hexes."""
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
    """2016:L4798-4816: every possible roll has a scatter result."""
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
    """Cells quoted in L2391, L2400, L2973, L3129, L3143, L3323, L3798, L3813; 2016:L3214, L3392, L3845."""
    cell = both.gp_limits(factor, defence)
    assert (cell.no_effect, cell.suppressed) == limits
    assert cell.source.startswith("rulebook")


@pytest.mark.parametrize(
    ("factor", "defence", "total", "result"),
    [(7, 5, 60, "suppressed"), (2, 9, 109, "effective"), (15, 2, -1, "none"), (40, 2, -1, "none")],
)
def test_6_5_4_4_results_of_the_boundary_examples(both, factor, defence, total, result):
    """L3031, L3033, L3035: results at the limits of a cell; factors above 15 use column 15 (L3756)."""
    assert both.gp_result(factor, defence, total) == result


def test_6_5_4_4_the_table_is_smooth_both_ways(both):
    assert sorted(both.limits) == list(range(1, 11))
    for part in ("no_effect", "suppressed"):
        for defence in range(1, 11):
            assert smooth([getattr(cell, part) for cell in both.limits[defence]], 0)
        for factor in range(1, 16):
            assert smooth([getattr(both.gp_limits(factor, defence), part) for defence in range(1, 11)], 1)


def test_6_5_4_4_2_small_arms_by_type_and_range(both):
    """L2997-3071: small arms at most suppress an A-type, and damage a P-type only at range P."""
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
    """L3021-3043: shells whose effectiveness is too low do not damage armour."""
    assert {both.gp_effect("other", "effective", kind, "E") for kind in ("A", "P", "open")} == {"test"}
    assert both.gp_effect("other", "effective", "S", "E") == "resolve"


def test_7_8_3_an_open_turret_is_damaged_at_point_blank(both):
    """2016:L4554-4565: small arms damage an open turret at point-blank range."""
    assert both.gp_effect("small_arms", "effective", "open", "P") == "damaged"


def test_6_5_4_2_numbers_of_gp_defence(both):
    """L2761, L2775, L2785: GP defence is worked out with these numbers."""
    names = ("moving_defence", "full_cover_leg", "defence_at_least", "defence_at_most", "passenger_defence")
    assert [both.number(name) for name in names] == [-2, 2, 1, 10, 1]
    assert both.number("passenger_defence_under_cover") == 3
