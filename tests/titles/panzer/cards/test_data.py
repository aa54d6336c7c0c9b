"""The charts, cards and ledger of the Panzer title: every cell the rulebooks quote, and the shape of the rest."""

import csv
import re
import tomllib
from collections import Counter
from importlib import resources

import pytest
from support.rules import assert_rule

from pbem.titles.data_files import DataError
from pbem.titles.panzer.cards.basic_rows import EDITIONS, PROHIBITED, RANGE_FACTORS, TRACTIONS, WHOLE, Cover
from pbem.titles.panzer.cards.cards import Weapon, cards, read_cards
from pbem.titles.panzer.cards.charts import CHART_FILES, Charts, charts, dearest, read_charts, with_switches
from pbem.titles.panzer.cards.files import packaged

NA = charts("2024")
OLD = charts("2016")


@pytest.fixture(params=EDITIONS)
def both(request: pytest.FixtureRequest) -> Charts:
    return charts(request.param)


# --- 4.4.3.2.3 AP Hit Table ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factor", "net", "number", "place"),
    [
        ("S", -2, 56, "L987"),
        ("P", -6, 36, "L987"),
        ("S", -7, 21, "L1071"),
        ("S", -5, 35, "L1092"),
        ("P", -5, 45, "2016:L1252"),
        ("P", -7, 27, "2016:L1237"),
        ("E", -10, 0, "L981-989"),
    ],
)
def test_4_4_3_2_3_quoted_hit_numbers(both, factor, net, number, place):
    """Every cell of the AP Hit Table that a book quotes is right in both editions, and its source says so."""
    assert both.hit_number(factor, net) == number
    rows = tomllib.loads(packaged("ap_hit.toml").decode())["row"]
    assert next(row for row in rows if row["net"] == net)[factor][1] == f"rulebook {place}"


def test_4_4_3_2_3_table_follows_its_own_rule(both):
    """A cell is base x (10 + net) / 10, at most 100; in row -10 the value is always 1, except at range E."""
    bases = {"P": 90, "S": 70, "M": 50, "L": 30, "E": 10}
    for net in range(-9, 6):
        for factor, base in bases.items():
            assert both.hit_number(factor, net) == min(100, base * (10 + net) // 10)
    assert [both.hit_number(factor, -10) for factor in RANGE_FACTORS] == [1, 1, 1, 1, 0]


def test_4_4_3_2_3_net_modifiers_beyond_the_table_use_its_ends(both):
    """L981-989: a net modifier above +5 counts as +5, and a net modifier below -10 counts as -10."""
    for factor in RANGE_FACTORS:
        assert both.hit_number(factor, 9) == both.hit_number(factor, 5)
        assert both.hit_number(factor, -14) == both.hit_number(factor, -10)


def test_4_4_3_2_3_never_easier_further_away_or_with_a_worse_modifier(both):
    for net in range(-10, 6):
        row = [both.hit_number(factor, net) for factor in RANGE_FACTORS]
        assert row == sorted(row, reverse=True)
        if net > -10:
            assert all(both.hit_number(factor, net) >= both.hit_number(factor, net - 1) for factor in RANGE_FACTORS)


# --- 4.1.3 Spotting ------------------------------------------------------------------------------------------


@pytest.mark.rule("4.1.3", "4.1.3/spot-fire", "4.1.3/spot-move", effect=True)
@pytest.mark.parametrize(
    ("column", "net", "hexes"),
    [("V", 1, 30), ("V", 0, 20), ("V", -2, 7), ("L", 0, 15), ("S", 0, 10), ("S", 1, 15), ("S", -1, 5)],
)
def test_4_1_3_quoted_spotting_ranges(both, column, net, hexes):
    """Spotting ranges quoted in L502, L526, L530, L1630, L2379, L3135 and their 2016 counterparts."""
    assert both.spotting_range(net, column) == hexes


@pytest.mark.rule("4.1.3", effect=True)
def test_4_1_3_rows_run_from_plus_2_to_minus_5_and_only_shrink(both):
    for column in ("V", "L", "S"):
        ranges = [both.spotting_range(net, column) for net in range(2, -6, -1)]
        assert ranges == sorted(ranges, reverse=True)
        assert both.spotting_range(7, column) == ranges[0]
        assert both.spotting_range(-9, column) == ranges[-1]
    assert sorted(both.spotting_ranges) == list(range(-5, 3))


def values(modifiers):
    return {modifier.when: modifier.value for modifier in modifiers}


@pytest.mark.rule("4.1.3", effect=True)
def test_4_1_3_modifiers(both):
    """L518-544: a moved vehicle in a medium grove is seen at 20 hexes (L536), and a vehicle that has
    fired is seen at 30 (L502)."""
    rows = values(both.spotting_modifiers)
    assert rows == {
        "target_light_cover": -1,
        "target_medium_cover": -2,
        "target_heavy_cover": -3,
        "target_spot_move": 2,
        "target_spot_fire": 3,
    }
    assert both.spotting_range(rows["target_medium_cover"] + rows["target_spot_move"]) == 20
    assert both.spotting_range(rows["target_medium_cover"] + rows["target_spot_fire"]) == 30


# --- 4.4.3.2.2, 4.4.3.2.6 ------------------------------------------------------------------------------------


@pytest.mark.rule("4.4.3.2.2/overwatch-adjust", effect=True)
def test_4_4_3_2_2_modifiers(both):
    """L919-979: all AP modifiers of the basic game are in the chart, in the book's order."""
    assert [(row.when, row.value) for row in both.ap_hit_modifiers] == [
        ("target_size", 1),
        ("target_moving", -2),
        ("target_light_cover", -1),
        ("target_medium_cover", -3),
        ("target_heavy_cover", -5),
        ("short_halt", -4),
        ("firer_damaged", -3),
        ("brew_up_smoke", -2),
        ("overwatch", -1),
        ("overwatch_adjust", -3),
    ]
    assert all(row.rule == "4.4.3.2.2" and row.source and row.text for row in both.ap_hit_modifiers)


@pytest.mark.parametrize(
    ("difference", "result"),
    [(-1, None), (0, "damaged"), (3, "damaged"), (4, "ko"), (9, "ko"), (10, "bu"), (30, "bu")],
)
def test_4_4_3_2_6_damage_by_difference(both, difference, result):
    """L1013-1054, A-23: penetration equal to the armour damages the target."""
    assert both.damage(difference) == result


# --- 4.5.1.1.2 Terrain Effects Table -------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1.2", effect=True)
@pytest.mark.parametrize(
    ("terrain", "traction", "cost"),
    [
        ("clear", "T", 1),
        ("rough", "T", 4),
        ("scrub", "T", 2),
        ("water", "T", PROHIBITED),
        ("heavy_woods", "W", PROHIBITED),
        ("heavy_woods", "T", PROHIBITED),
    ],
)
def test_4_5_1_1_2_quoted_costs(both, terrain, traction, cost):
    """Movement costs quoted in L1158, L1160, L1168, 2016:L1324, 2016:L793."""
    assert both.entry_cost((terrain,), traction) == cost


@pytest.mark.rule("4.5.1.1.2", "4.5.1.1.2/level-limit", effect=True)
def test_4_5_1_1_2_slopes_cost_by_level(both):
    """L1166: one level is +1 and two are +2; T and H climb two levels at most, and W climbs one; scrub
    up a slope costs 3 (L1168)."""
    assert [both.level_change_cost(levels, "T") for levels in range(4)] == [0, 1, 2, PROHIBITED]
    assert [both.level_change_cost(levels, "H") for levels in range(4)] == [0, 1, 2, PROHIBITED]
    assert [both.level_change_cost(levels, "W") for levels in range(4)] == [0, 1, PROHIBITED, PROHIBITED]
    assert both.entry_cost(("scrub",), "T") + both.level_change_cost(1, "T") == 3


@pytest.mark.rule("4.5.1.1.2", "4.5.1.1.2/wall", effect=True)
def test_4_5_1_1_2_walls_stop_half_tracks_and_hedgerows_take_everything(both):
    """L1162, L1172, 2016:L1338: a hedgerow takes the whole allowance; a hill edge without slope is closed."""
    assert both.hexside("wall").crossing["T"] not in (PROHIBITED, WHOLE)
    assert both.hexside("wall").crossing["H"] == both.hexside("wall").crossing["W"] == PROHIBITED
    assert both.hexside("hedgerow").crossing == {"T": WHOLE, "H": PROHIBITED, "W": PROHIBITED}
    assert set(both.hexside("cliff").crossing.values()) == {PROHIBITED}


@pytest.mark.rule("4.5.1.1.4", effect=True)
def test_4_5_1_1_4_entering_a_grove_and_turning_in_it_costs_5(both):
    """L1194 with A-27, 2016:L1362: entering a grove and turning in it costs 5."""
    for terrain in ("medium_grove", "woods"):
        assert both.entry_cost((terrain,), "T") + both.turn_cost((terrain,)) == 5


@pytest.mark.rule("4.5.1.1.2", effect=True)
def test_4_5_1_1_2_brew_up_smoke(both):
    """L1176, L658: a hex with brew-up smoke costs more to enter."""
    assert (both.smoke.enter, both.smoke.turn, both.smoke.height) == (1, 1, 2)


@pytest.mark.rule("4.5.1.1.5", effect=True)
def test_4_5_1_1_5_links_cost_1_and_ease_a_level(both):
    """L1200, L1214, L1252: a road, path or track costs 1 and counts as one level less: two levels add 1 (L1218)."""
    assert [both.links[kind].cost for kind in ("road", "path", "track")] == [1, 1, 1]
    assert both.level_change_cost(2, "T") - both.links["road"].less == 1


@pytest.mark.rule("4.1.4.1", effect=True)
def test_4_1_4_1_quoted_heights(both):
    """Heights quoted in L570, L582, L630, L642, 2016:L781, L793, L795."""
    heights = {row.id: row.height for row in both.terrains.values()}
    assert all(heights[name] == 0 for name in ("clear", "rough", "scrub", "brush", "shellhole", "bridge"))
    assert all(both.terrain(name).sunken for name in ("gully", "ford", "stream", "ditch"))
    assert all(both.terrain(name).height == 3 for name in ("light_grove", "medium_grove", "light_woods", "woods"))
    assert heights["heavy_woods"] == 4
    assert both.inherent_height(("brick_building",)) == 1
    assert both.inherent_height(("brick_building",), storeys=2) == 2
    assert both.inherent_height(("gully",)) == 0


@pytest.mark.rule("4.1.4.1.5", effect=True)
def test_4_1_4_1_5_only_crests_and_hedgerows_block_by_themselves(both):
    """L614, L662: of all hexsides, only crests and hedgerows block the line of sight on their own."""
    assert {row.id for row in both.hexsides.values() if row.blocks} == {"crest", "hedgerow"}
    assert {both.hexside(name).height for name in ("slope", "crest", "hedgerow")} == {1}


@pytest.mark.rule("4.1.3", "4.1.3/cover", effect=True)
@pytest.mark.parametrize(
    ("terrain", "spotting", "ap"),
    [
        (("clear",), Cover.NONE, Cover.NONE),
        (("brush",), Cover.LIGHT, Cover.NONE),
        (("sand",), Cover.LIGHT, Cover.NONE),
        (("scrub",), Cover.LIGHT, Cover.LIGHT),
        (("medium_grove",), Cover.MEDIUM, Cover.MEDIUM),
        (("woods",), Cover.MEDIUM, Cover.MEDIUM),
        (("crops",), Cover.MEDIUM, Cover.LIGHT),
        (("scrub", "woods"), Cover.MEDIUM, Cover.MEDIUM),
        (("railroad", "scrub"), Cover.LIGHT, Cover.LIGHT),
        (("railroad",), Cover.NONE, Cover.NONE),
        (("gully", "bridge"), Cover.NONE, Cover.NONE),
    ],
)
def test_4_1_3_cover_is_the_best_in_the_hex_and_other_looks_beside_it(both, terrain, spotting, ap):
    """L530, L544, L2767, L3135, 2016:L697, L703, L2842: the best cover counts, but a bridge hides its gully."""
    assert both.spotting_cover(terrain) is spotting
    assert both.ap_cover(terrain) is ap


def test_r_14_the_most_expensive_terrain_counts():
    assert NA.entry_cost(("scrub", "rough"), "T") == 4
    assert NA.entry_cost(("clear", "water"), "T") == PROHIBITED
    assert dearest([3, WHOLE]) == WHOLE
    assert dearest([PROHIBITED, WHOLE, 3]) == PROHIBITED


def test_4_5_1_1_2_wheels_are_never_better_off_than_tracks():
    ranked = {PROHIBITED: 1000, WHOLE: 999}
    for row in NA.terrains.values():
        costs = [ranked.get(row.entry[traction], row.entry[traction]) for traction in TRACTIONS]
        assert costs == sorted(costs), row.id


def sources_in(table):
    """Collect every [value, source] pair and every `source` key of a file, however deep."""
    if isinstance(table, dict):
        yield from ([table["source"]] if "source" in table else [])
        for inner in table.values():
            yield from sources_in(inner)
    elif isinstance(table, list):
        is_cell = len(table) == 2 and isinstance(table[1], str) and table != ["2024", "2016"]
        yield from [table[1]] if is_cell else (source for inner in table for source in sources_in(inner))


def test_every_value_has_a_source_of_a_known_kind():
    """Each cell names its source as rulebook, inferred, public or house."""
    sources = []
    for name in CHART_FILES:
        sources += sources_in(tomllib.loads(packaged(name).decode()))
    for row in (*NA.terrains.values(), *NA.hexsides.values(), *NA.links.values()):
        assert row.sources
    for card in cards().values():
        sources += card.sources.values()
        sources += [source for weapon in card.weapons for source in weapon.sources.values()]
    assert len(sources) > 500
    assert all(source.split()[0].strip(",;") in ("rulebook", "inferred", "public", "house") for source in sources)


# --- editions ------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.1.4.2.4", effect=True)
def test_4_1_4_2_4_blind_zones_of_the_worked_figures(both):
    """L699, L705, L711, L717: the hexes hidden behind the obstacle are 15-21, 17-20, 19-20 and 20."""
    assert [both.blind_zone(below, far, 0) for below, far in ((1, 14), (2, 16), (3, 18), (4, 19), (7, 19))] == [
        7,
        4,
        2,
        1,
        1,
    ]
    assert both.blind_zone(3, 2, 0) == 1


@pytest.mark.rule("4.1.4.2.4.1", effect=True)
def test_4_1_4_2_4_1_only_2024_corrects_the_divisor():
    """L721: the divisors are 3, 5, 9 for a lower unit at height 1, and 2, 3, 7 at -1; in 2016 the
    divisors stay 2, 4, 8."""
    far = 630
    assert [far // NA.blind_zone(below, far, 1) for below in (1, 2, 3)] == [3, 5, 9]
    assert [far // NA.blind_zone(below, far, -1) for below in (1, 2, 3)] == [2, 3, 7]
    assert [OLD.blind_zone(below, 64, height) for height in (-1, 1, 2) for below in (1, 2, 3)] == [32, 16, 8] * 3


@pytest.mark.parametrize(
    ("switch", "editions"),
    [
        ("continuous_slope", ("2024",)),
        ("blind_zone_correction", ("2024",)),
        ("abandoned_denies_road_rate", ("2024",)),
        ("tracks", ("2024",)),
        ("split_damage", ("2024",)),
        ("spread_by_range_factor", ("2016",)),
        ("soviet_observer_limits", ("2016",)),
    ],
)
def test_editions_switch_what_the_books_play_differently(switch, editions):
    assert tuple(edition for edition in EDITIONS if charts(edition).switch(switch)) == editions


@pytest.mark.rule("4.1.4.1.3.1", effect=True)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("switch", ["desert_buildings", "dust", "sun_blinding"])
def test_4_1_4_1_3_1_what_only_a_scenario_brings_into_play_is_off_without_it(edition, switch):
    """L590: some terrain, such as desert buildings, is in play only if the scenario says so."""
    assert not charts(edition).switch(switch)
    assert with_switches(charts(edition), {switch: True}).switch(switch)


def test_a_scenario_may_set_a_switch_for_itself():
    changed = with_switches(NA, {"blind_zone_correction": False})
    assert changed.blind_zone(1, 14, 1) == 7
    assert NA.blind_zone(1, 14, 1) == 4


def test_4_1_4_1_7_each_edition_reads_the_others_trees_in_its_own_words():
    assert NA.terrain("woods").name == "Medium grove"
    assert OLD.terrain("medium_grove").name == "Woods"
    assert OLD.terrain("light_grove").name == "Light woods"
    assert NA.terrain("heavy_woods").name == "Heavy woods"
    assert OLD.terrain("medium_grove").id == "medium_grove"


@pytest.mark.rule("3.8", effect=True)
def test_3_8_six_vehicles_overstack(both):
    """L462-466: six vehicles in one hex are overstacked."""
    assert both.overstacked_from == 6


def test_charts_of_an_owner_replace_ours():
    """Owners may supply their own charts: a changed cell changes the result."""
    files = {name: packaged(name) for name in CHART_FILES}
    files["ap_hit.toml"] = files["ap_hit.toml"].replace(b'S = [56, "rulebook L987"]', b'S = [57, "own card"]')
    assert read_charts(files, "2024").hit_number("S", -2) == 57


@pytest.mark.rule("1.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_1_4_a_slip_in_a_chart_is_named(edition):
    """L247-251: a wrong value in a chart is reported with the file and the key."""
    files = {name: packaged(name) for name in CHART_FILES}
    files["terrain.toml"] = files["terrain.toml"].replace(b'["none", "house"]', b'["non", "house"]', 1)
    with pytest.raises(DataError, match=r"terrain\.toml: .*terrain.*Invalid enum value 'non'") as caught:
        read_charts(files, edition)
    assert_rule(caught.value, "1.4")


def test_an_unknown_key_in_a_chart_names_the_nearest():
    files = {name: packaged(name) for name in CHART_FILES}
    files["ap_hit_modifiers.toml"] = b"modifyer = []"
    with pytest.raises(DataError, match=r"modifyer: this key has no meaning here\. Did you mean modifier\?"):
        read_charts(files, "2024")


# --- 1.6 cards -----------------------------------------------------------------------------------------------


@pytest.mark.rule("1.6", "3.5.2", effect=True)
def test_1_6_the_panzerjaeger_of_the_rulebook():
    """L434, L917, L1005, L1009, L1136: every value that the book quotes for the Panzerjaeger I."""
    card = cards()["pzjgr1"]
    gun = card.weapons[0]
    assert (card.cross_country, card.traction, card.path, card.road) == (4, "T", 6, 9)
    assert (card.front, card.rear, card.size, card.open_topped) == (3, 2, -1, True)
    assert (gun.maximum_range, gun.range_factor(9), gun.penetration_at("M"), gun.field) == (14, "M", 10, "front")
    assert gun.range_factor(15) is None


@pytest.mark.rule("1.6", effect=True)
def test_1_6_the_duellists_of_the_worked_example():
    """L1056-1098: at range S the Crusader I penetrates 12 against 11, and the PzKpfw IIIJ penetrates 11
    against 7; both have size 0."""
    crusader, panzer = cards()["crusader1"], cards()["pz3j"]
    assert [card.weapons[0].range_factor(3) for card in (crusader, panzer)] == ["S", "S"]
    assert crusader.weapons[0].penetration_at("S") - panzer.front == 1
    assert panzer.weapons[0].penetration_at("S") - crusader.rear == 4
    assert crusader.size == panzer.size == 0
    assert cards()["pz3j_lang"].cross_country == 4


@pytest.mark.rule("1.6", effect=True)
def test_1_6_the_vehicles_of_the_2016_examples():
    """2016:L1049, L1083, L1173, L1179, L1222-1256: three cards agree with the worked examples."""
    su76, t34, pz4 = cards()["su76m"], cards()["t34_76"], cards()["pz4h"]
    assert (su76.cross_country, su76.path, su76.road, su76.size) == (5, 6, 10, -1)
    assert (su76.front, su76.rear, su76.open_topped, su76.weapons[0].field) == (11, 3, True, "front")
    assert (su76.weapons[0].range_factor(9), su76.weapons[0].penetration_at("M")) == ("M", 15)
    assert (t34.weapons[0].range_factor(3), t34.weapons[0].penetration_at("P")) == ("P", 19)
    assert (pz4.weapons[0].range_factor(3), pz4.weapons[0].penetration_at("P"), pz4.front) == ("P", 25, 18)
    assert NA.damage(t34.weapons[0].penetration_at("P") - pz4.front) == "damaged"
    assert NA.damage(pz4.weapons[0].penetration_at("P") - t34.front) == "ko"
    assert cards()["is2m"].cross_country == 4


@pytest.mark.rule("1.6", effect=True)
def test_1_6_soviet_cards_are_the_public_ones():
    listed = {
        card.id: (card.points, card.cross_country, card.path, card.road, card.size, card.front, card.rear)
        for card in cards().values()
        if card.nation == "soviet" and card.armed
    }
    assert listed == {
        "t70": (40, 4, 6, 10, -1, 12, 7),
        "t34_76": (66, 5, 8, 12, 0, 18, 12),
        "t34_85": (76, 5, 8, 12, 0, 20, 13),
        "kv1s": (64, 5, 6, 10, 1, 18, 14),
        "is2m": (106, 4, 5, 8, 1, 37, 20),
        "su76m": (43, 5, 6, 10, -1, 11, 3),
        "su85": (64, 5, 7, 11, 0, 18, 12),
        "su100": (74, 5, 7, 11, 0, 18, 12),
        "su152": (67, 4, 6, 10, 0, 19, 14),
    }


@pytest.mark.rule("1.6", effect=True)
def test_1_6_every_card_holds_together():
    """Range limits increase, penetration never does; turrets fire all round; vehicles are faster on better ground."""
    assert len(cards()) >= 14
    assert {card.nation for card in cards().values()} == {"german", "italian", "british", "soviet"}
    for card in cards().values():
        assert card.cross_country <= card.path <= card.road
        assert -2 <= card.size <= 2 and card.points > 0 and card.front >= card.rear >= 0
        for weapon in card.ap_weapons:
            assert list(weapon.ranges) == sorted(set(weapon.ranges)) and len(weapon.ranges) == 5
            assert list(weapon.penetration) == sorted(weapon.penetration, reverse=True)
            assert weapon.turreted == (weapon.field == "all")


@pytest.mark.rule("4.1.1", effect=True)
def test_4_1_1_and_r_07_who_is_armed_and_who_may_fire():
    """A truck is not a combat vehicle; a half-track with a machine gun is one, but has nothing to fire here."""
    truck, halftrack, tank = cards()["opel"], cards()["spw251"], cards()["pz3j"]
    assert [card.armed for card in (truck, halftrack, tank)] == [False, True, True]
    assert [card.fires_ap for card in (truck, halftrack, tank)] == [False, False, True]
    assert halftrack.weapons[0].range_factor(1) is None and halftrack.weapons[0].maximum_range == 0


def test_4_4_3_2_1_the_first_range_not_below_the_distance():
    gun = Weapon(name="gun", turret=1, field="all", ranges=(2, 4, 8, 11, 13), penetration=(10, 9, 8, 7, 6))
    assert [gun.range_factor(hexes) for hexes in (1, 2, 3, 8, 9, 13, 14)] == ["P", "P", "S", "M", "L", "E", None]


def refused_cards(old: str, new: str) -> DataError:
    text = packaged("cards.toml").decode()
    assert old in text
    with pytest.raises(DataError) as caught:
        read_cards(text.replace(old, new, 1))
    return caught.value


@pytest.mark.rule("1.6")
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('gun = "2-pdr"', 'gun = "2-pdrr"', r"crusader1, weapons: there is no gun '2-pdrr'\. Did you mean 2-pdr\?"),
        ('id = "opel"', 'id = "pz3j"', r"card pz3j: this id already belongs to PzKpfw IIIJ"),
        ('nation = "soviet"', 'nation = "soviets"', r"Invalid enum value 'soviets'"),
        ('id = "opel"', "id = opel", r"Invalid value"),
    ],
)
def test_1_6_mistakes_in_cards_are_named(old, new, message):
    """L253-261: a mistake in a card is reported by name, because all unit data come from the cards."""
    assert re.search(message, assert_rule(refused_cards(old, new), "1.6").english)


@pytest.mark.rule("1.5")
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"4T 6-9", "rulebook', '"4X 6-9", "rulebook', r"card pzjgr1, movement: '4X 6-9' is not a movement factor"),
        ("[[2, 4, 8, 11, 13]", "[[2, 8, 4, 11, 13]", r"gun 45mm L46: ranges must increase"),
        ('[0, "public A-"], field = "front"', '[2, "public A-"], field = "front"', r"card su85.*fixed mount"),
        ('size = [1, "public A-"]', 'size = [3, "public A-"]', r"card kv1s, size: 3 is outside"),
    ],
)
def test_1_5_cards_are_written_as_their_key_explains(old, new, message):
    """L253-261: cards give movement factor, ranges, mount and size in the book's notation."""
    assert re.search(message, assert_rule(refused_cards(old, new), "1.5").english)


# --- ledger --------------------------------------------------------------------------------------------------


def test_the_ledger_has_every_rule_once_for_each_edition():
    """The ledger has 579 rows of the 2024 book and 634 of the 2016 book; omitted rules give a reason."""
    text = resources.files("pbem.titles.panzer").joinpath("ledger.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert list(rows[0]) == ["id", "title", "tier", "edition", "engine", "status", "reason"]
    assert Counter(row["edition"] for row in rows) == {"2024": 579, "2016": 634}
    assert max(Counter((row["id"], row["edition"]) for row in rows).values()) == 1
    assert all(row["reason"] for row in rows if row["status"] == "out")
    assert all(row["status"] == "out" for row in rows if row["engine"] == "no")
