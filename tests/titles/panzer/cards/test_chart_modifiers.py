"""The charts of the advanced game: modifiers, terrain, air and optional rules, and the files themselves."""

import pytest
from titles.panzer.cards.chart_files import NA, OLD, cells, grades_of, smooth, table, values

from pbem.titles.data_files import DataError
from pbem.titles.panzer.cards.advanced_charts import (
    ADVANCED_FILES,
    read_advanced_charts,
)
from pbem.titles.panzer.cards.basic_rows import PROHIBITED, Cover
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.cards.files import packaged


@pytest.mark.rule("6.5.2.4", effect=True)
def test_6_5_2_4_ap_modifiers():
    """L2571-2651: every AP modifier has the value that the book gives."""
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
    """L2815-2967: every GP modifier is as printed; a vehicle moving in a barrage gets double the modifier."""
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
    """L3125, L3139, L3795, L3813: the modifiers of the examples total -10, -20, -35 and +30."""
    direct, overrun = values(both.modifiers_for("gp", "direct")), values(both.modifiers_for("gp", "overrun"))
    assert direct["target_protected"] == -10
    assert direct["firer_suppressed"] == -20
    assert direct["target_vehicle_moving"] + direct["target_armoured"] + direct["overwatch"] == -35
    assert overrun["coaxial_machine_gun"] + overrun["overrun"] == 30


@pytest.mark.rule("6.5.1.12.1", effect=True)
def test_6_5_1_12_1_response_modifiers(both):
    """L2297-2351: every response modifier has the value that the book gives."""
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
    """L3205-3281, L3357-3415: the modifiers, the worked assault (+20) and the three worked rounds are right."""
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
    """L3189-3195: the factors of close assault are as printed."""
    sizes = ("squad", "half_squad", "section")
    assert [both.number(f"close_assault_{size}") for size in sizes] == [8, 4, 2]
    assert both.number("close_assault_defence") == 5


@pytest.mark.rule("6.1.3", effect=True)
def test_6_1_3_spotting_modifiers(both):
    """L1622-1646, 2016:L1804-1806: every spotting modifier has the value that the book gives."""
    assert {
        "target_spot_fire_small_arms": 1,
        "spotter_suppressed": -2,
        "target_full_cover": -2,
        "spotter_full_cover": -4,
    }.items() <= values(both.modifiers["spotting"]).items()


def test_6_8_3_1_recovery_of_the_worked_example(both):
    """L4121-4130: 29 + 30 exceeds the 50 of Regulars, so the squad does not recover."""
    total = 29 + sum(row.value for row in both.modifiers["recovery"])
    assert total == 59 > both.grades["regulars"].recovery.value


def test_6_7_air_modifiers(both):
    """2016:L4031-4039, L4047-4053: the modifiers of attacks by and at aircraft are as printed."""
    assert values(both.modifiers["aircraft"]) == {"low": 20, "medium": 10, "fast": -20}
    assert values(both.modifiers["anti_aircraft"]) == {"fast": -10, "high": -10, "low": 10, "weapon": 1}


def test_7_1_4_morale_of_the_worked_example(both):
    """2016:L4372-4390: a suppressed Veteran command unit has +30 for a forced check; with 66 it hesitates."""
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
    """L3513-3515: of the walls only brick is quoted; a point of defence is worth five (L3507: 2 makes +10)."""
    assert (both.buildings["brick"].hit.value, both.buildings["brick"].track.value) == (65, 65)
    assert smooth([both.buildings[kind].hit.value for kind in ("wood", "brick", "stone")], 0)
    assert both.number("building_defence") * 2 == 10


def test_7_35_1_fires(both):
    """2016:L5014: GP factor 8 sets a brick building on fire on a roll of up to 10."""
    assert both.fire_range("brick", 8) == 10
    for kind in both.buildings:
        assert smooth([both.fire_range(kind, factor) for factor in range(1, 16)], 1)
    for factor in range(1, 16):
        row = [both.fire_range(kind, factor) for kind in ("wood", "brick", "stone")]
        assert row == sorted(row, reverse=True)


def test_6_7_flight_distances(both):
    """L3911: a fast aircraft at low altitude acquires in 10 hexes; L4011: at medium altitude it is tracked in 6."""
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
    """L3943, 2016:L3984: trees mask this many hexes behind them from aircraft."""
    assert both.masked_hexes(altitude, height) == hexes


def test_6_7_3_patterns(both):
    """L3947-3973: strafing covers 2 or 3 hexes, bombs 1, 2 or 4."""
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


@pytest.mark.rule("4.5.1.1.2", effect=True)
def test_4_5_1_1_2_every_terrain_and_hexside_has_its_advanced_columns(both):
    basic = charts(both.edition)
    assert both.terrains.keys() == basic.terrains.keys()
    assert both.hexsides.keys() == basic.hexsides.keys()
    assert all(set(row.sources) >= {"L", "gp", "hull_down", "bog"} for row in both.terrains.values())


def test_6_5_4_2_2_quoted_covers(both):
    """Covers quoted in L2767, L3135, L2771-2775, 2016:L2842."""
    covers = {name: row.gp.value for name, row in both.terrains.items()}
    assert covers["clear"] is covers["brush"] is covers["sand"] is Cover.NONE
    assert covers["scrub"] is covers["crops"] is covers["ditch"] is Cover.LIGHT
    assert covers["medium_grove"] is covers["woods"] is Cover.MEDIUM
    assert both.gp_cover(("railroad", "scrub")) is Cover.LIGHT
    assert both.gp_cover(("brush", "woods")) is Cover.MEDIUM


def test_6_5_4_2_2_inside_a_building_and_under_it(both):
    """L2765, L2829-2831, L1712-1738: cover inside a building, and overhead cover."""
    combat = [both.interiors[f"{kind}_building"].combat.value for kind in ("wood", "brick", "stone")]
    overhead = [both.interiors[f"{kind}_building"].overhead.value for kind in ("wood", "brick", "stone")]
    assert combat == [Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY]
    assert overhead == [Cover.NONE, Cover.MEDIUM, Cover.HEAVY]
    assert [row.hull_down.value for row in both.interiors.values()] == [False, True, True]
    assert {row.spotting.value for row in both.interiors.values()} == {Cover.HEAVY}
    assert smooth([row.defence.value for row in both.interiors.values()], 0)
    assert smooth([row.T.value for row in both.interiors.values()], 0)
    assert all(row.rubble in both.features for row in both.interiors.values())


@pytest.mark.rule("6.1.4.3", effect=True)
def test_6_1_4_3_quoted_features(both):
    """Features quoted in L1758, L1790, L1814, L1847, L1772, L1818-1841."""
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


@pytest.mark.rule("6.1.4.1", effect=True)
def test_6_1_4_1_what_makes_a_vehicle_hull_down_without_a_search(both):
    """L1740-1750, L1786-1796: walls and improved positions make a vehicle hull down; 2016:L1824: a railroad makes it
    partially hull down."""
    assert {name for name, row in both.hexsides.items() if row.hull_down.value} == {"wall", "defilade"}
    assert {name for name, row in both.features.items() if row.hull_down.value} == {"improved_position"}
    assert {name for name, row in both.terrains.items() if row.partial.value} == {"railroad"}


def test_6_1_4_3_both_books_have_the_rows_of_all_features():
    """Dust and roofs are from the 2024 book, but a 2016 scenario may switch them on."""
    assert NA.features.keys() == OLD.features.keys() >= {"dust", "rooftop"}


def test_6_1_4_2_no_full_cover_on_bridges_fords_and_streams(both):
    """L1688-1704: bridges, fords and streams never give full cover."""
    closed = {name for name, row in both.terrains.items() if not row.full_cover.value}
    assert {"bridge", "ford", "stream"} <= closed and "clear" not in closed


def test_6_6_4_2_where_a_quickmarch_may_go():
    """L3555 lists the terrain open to a quickmarch; 2016:L3610-3622 adds brush and crops."""
    for edition, terrains in (("2024", {"clear"}), ("2016", {"clear", "brush", "crops"})):
        allowed = {name for name, row in NA.terrains.items() if edition in row.quickmarch.value}
        assert allowed == terrains


@pytest.mark.rule("6.1.4.3.12", effect=True)
def test_6_1_4_3_12_what_raises_dust(both):
    """L1849-1871: these activities and kinds of terrain raise dust."""
    assert {name for name, row in both.terrains.items() if row.dust.value} == {"clear", "brush", "scrub"}


def test_6_7_3_1_1_trees_hide_targets_from_aircraft_without_an_observer(both):
    """L3921, 2016:L3944-3964: a target among trees is acquired only with the help of an observer."""
    assert {name for name, row in both.terrains.items() if row.observer.value} == {
        "light_grove",
        "medium_grove",
        "light_woods",
        "woods",
        "heavy_woods",
    }


def test_6_6_5_guns_never_go_where_men_cannot(both):
    """A manhandled gun never moves better than its crew on foot; walls stop it (L3598), and in 2016
    hedgerows stop it too."""
    for row in both.terrains.values():
        assert row.L.value != PROHIBITED or row.towed.value == PROHIBITED
        if row.towed.value != PROHIBITED:
            assert row.towed.value >= row.L.value
    closed = {name for name, row in both.hexsides.items() if row.towed.value == PROHIBITED}
    assert closed == {"cliff", "wall", "defilade", *(["hedgerow"] if both.edition == "2016" else [])}


def test_7_29_rough_ground_of_the_worked_example(both):
    """2016:L4883: with -5, a Tiger II bogs down on a roll of 35 or less."""
    assert both.terrains["rough"].bog.value == 30 == 35 - 5


# --- 7 optional rules ----------------------------------------------------------------------------------------


def chapters(charts):
    """Return the rules that can be chosen, by chapter and second number: 7.1.1.1 is part of 7.1."""
    return list(dict.fromkeys(".".join(row.rule.split(".")[:2]) for row in charts.optional.rule))


def test_7_0_which_rules_there_are():
    """All of 7.1 to 7.37, 7.42 and 7.52 exist, as do rules they need; 7.34 and the row of 7.39 are only in 2016."""
    wanted = [f"7.{number}" for number in (*range(1, 38), 39, 42, 52)]
    assert chapters(OLD) == wanted
    both = chapters(NA)
    assert both == [rule for rule in wanted if rule not in ("7.34", "7.39")]
    names = {row.id for row in OLD.optional.rule}
    assert len(names) == len(OLD.optional.rule) and all(row.needs in names for row in OLD.optional.rule if row.needs)


def test_7_1_1_1_cohesion_of_the_worked_example(both):
    """2016:L4220-4226: 63 - 20 + 10 is a Good level; 17 units have 9 Cohesion Points, and 24 units have 13."""
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
    """2016:L4230-4234: Excellent may become anything from Outstanding to Adequate, or from Superior to Poor."""
    first, others = both.optional.cohesion_limit
    assert (first.up.value, first.down.value, others.up.value) == (2, 2, 1)
    assert "german" in first.nations and "soviet" in others.nations


@pytest.mark.parametrize(
    ("penetration", "rolls", "change"),
    [(27, (10, 4), 2), (18, (1, 2), -3), (18, (5, 6), 0), (27, (10, 10), 4), (90, (1, 1), -11)],
)
def test_7_12_variable_penetration(both, penetration, rolls, change):
    """2016:L4627-4629: the quoted rows are right; beyond the table, the last row applies."""
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
    """2016:L4940: at defence 5 a hasty field damages on a roll of up to 10 and hits a track on up to 50."""
    rows = {row.defence: row for row in both.optional.minefield}
    assert (rows[5].hasty_damaged.value, rows[5].hasty_track.value) == (10, 50)
    assert both.number("mines_leg_deliberate") == 70 > both.number("mines_leg_hasty")
    for name in ("hasty_damaged", "hasty_track", "deliberate_damaged", "deliberate_track"):
        assert smooth([getattr(rows[defence], name).value for defence in range(1, 11)], 5), name
    for row in rows.values():
        assert row.hasty_damaged.value < row.hasty_track.value < row.deliberate_track.value


def test_7_22_2_smoke_limits(both):
    """2016:L4719-4725: the smoke limits of each nation's infantry are as printed."""
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
    assert grades_of(both, "smoke_limit") == [2, 1, 0, 0, -1]


def test_7_28_2_and_7_52(both):
    """2016:L4838-4861, L5138-5170: the tables of 7.28.2 and 7.52."""
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
    """Collect every source in a file: the last item of each cell, and the value of every `source` key."""
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
    """Each cell names its source as rulebook, inferred, public or house."""
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
