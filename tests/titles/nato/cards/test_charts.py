"""2.3 The charts reproduce every cell that the rulebook's text and examples give, and have no gaps."""

from fractions import Fraction
from itertools import pairwise

import pytest

from pbem.titles.data_files import DataError
from pbem.titles.nato.cards.charts import (
    AIR_TABLES,
    CHART_FILES,
    GROUNDS,
    ODDS,
    SECTIONS,
    Charts,
    charts,
    combat_result,
    read_charts,
)
from pbem.titles.nato.cards.files import packaged
from pbem.titles.nato.cards.units import Nation
from pbem.titles.nato.map.ground import CityClass, Side, Zone


@pytest.fixture(scope="module")
def cards() -> Charts:
    return charts()


# --- combat --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "die", "text"), [("6:1", 1, "A1/D1R1"), ("4:1", 4, "-/CA D1R1"), ("2:1", 6, "-/CA D1R1")]
)
def test_25_5_2_published_cells_of_the_combat_results_table(cards: Charts, column: str, die: int, text: str) -> None:
    assert cards.combat(column, die).text == text
    assert cards.origin("combat", column, die).startswith("rulebook")


def test_25_5_2_a_result_is_taken_apart() -> None:
    assert combat_result("A1/D2*R2").__struct_fields__[0] == "text"
    result = combat_result("A1/D2*R2")
    assert (result.attacker_steps, result.attacker_disrupted, result.counterattack) == (1, False, False)
    assert (result.defender_steps, result.defender_disrupted, result.retreat) == (2, True, 2)
    lost = combat_result("A1*/-")
    assert (lost.attacker_steps, lost.attacker_disrupted, lost.retreat) == (1, True, 0)
    assert combat_result("-/CA D1R1").counterattack
    with pytest.raises(DataError, match="a result looks like"):
        combat_result("A1D2")


def test_25_5_2_structural_facts_of_the_text(cards: Charts) -> None:
    """No retreat exceeds 2; R2 and a disrupted defender occur only with a step loss; R1 occurs without
    a step loss."""
    found = [cards.combat(column, die) for column in ODDS for die in range(1, 7)]
    assert max(result.retreat for result in found) == 2
    assert all(result.defender_steps for result in found if result.retreat == 2 or result.defender_disrupted)
    assert any(result.retreat == 1 and not result.defender_steps for result in found)
    assert {"-/D1R2", "A1/D2*R2"} <= {result.text for result in found}


def test_25_5_2_a_better_die_or_better_odds_never_helps_the_defender(cards: Charts) -> None:
    rank = {result.text: place for place, result in enumerate(cards.results)}
    grid = [[rank[cards.combat(column, die).text] for column in ODDS] for die in range(1, 7)]
    for row in grid:
        assert row == sorted(row)
    for upper, lower in pairwise(grid):
        assert all(a <= b for a, b in zip(upper, lower, strict=True))


def test_25_6_2_the_counterattack_table(cards: Charts) -> None:
    """L3145: West Germans disrupt on a 3; L3123: other NATO nations need a 4."""
    values = {nation: cards.counterattack(nation) for nation in Nation}
    assert values[Nation.WG] == 3
    assert {values[nation] for nation in (Nation.US, Nation.UK, Nation.FR, Nation.NL, Nation.BE, Nation.DK)} == {4}
    assert (values[Nation.SU], values[Nation.EG], values[Nation.CS], values[Nation.PL]) == (4, 5, 5, 5)
    assert cards.origin("counterattack", "WG") == "rulebook L3145"


# --- terrain -------------------------------------------------------------------------------------------------------

TERRAIN = {
    "major_city": (1, -2, 2, True, True, -2, -1, False),
    "small_city": (1, -1, 1, True, True, -1, 0, False),
    "mountain": (3, -1, 2, True, True, -1, 0, False),
    "rough": (2, -1, 1, True, False, -1, 0, False),
    "forest": (1, -1, 0, True, False, -1, 0, False),
    "marsh": (1, 0, 0, False, False, 0, 0, False),
    "clear": (1, 0, 0, False, False, 0, 0, True),
}


@pytest.mark.parametrize("key", TERRAIN)
def test_2_2_1_every_row_of_the_terrain_effects_chart(cards: Charts, key: str) -> None:
    row = cards.terrain(key)
    found = (row.move, row.shift, row.retreat, row.soft_doubled, row.armor_halved, row.strike, row.nuclear)
    assert (*found, row.exploitation) == TERRAIN[key]


def test_2_2_1_a_small_city_comes_before_a_forest(cards: Charts) -> None:
    """25.3.4.1: the small city with priority 2 comes before the forest with priority 5."""
    assert cards.primary(["forest", "small_city"]) == "small_city"
    assert (cards.terrain("small_city").priority, cards.terrain("forest").priority) == (2, 5)
    assert len({cards.terrain(key).priority for key in GROUNDS}) == len(GROUNDS)


def test_25_7_2_a_fortified_hex_shortens_retreats_by_one(cards: Charts) -> None:
    row = cards.terrain("fortified")
    assert (row.retreat, row.soft_doubled, row.exploitation, row.strike) == (1, True, False, -2)


HEXSIDES = {
    "none": (0, Fraction(1), True, True, True),
    "minor_river": (0, Fraction(3, 4), True, True, False),
    "major_river": (1, Fraction(1, 2), False, True, False),
    "pass": (0, Fraction(1), False, True, False),
    "causeway": (0, Fraction(1, 2), False, True, False),
    "afsluitdijk": (0, None, False, False, False),
    "blocked": (0, None, False, False, False),
    "all_sea": (0, None, False, False, False),
    "ferry": (0, None, False, False, False),
    "bridge": (0, Fraction(1, 2), True, True, False),
}


@pytest.mark.parametrize("key", HEXSIDES)
def test_25_3_1_1_every_hexside(cards: Charts, key: str) -> None:
    row = cards.hexside(key)
    assert (row.move, row.attack, row.response, row.advance, row.exploitation) == HEXSIDES[key]


def test_12_1_crossing_a_major_river_into_a_forest_costs_2(cards: Charts) -> None:
    """L1732: a major river into a forest costs 1 + 1, or 4 if both hexes are in enemy zones of control."""
    cost = cards.terrain("forest").move + cards.hexside("major_river").move
    assert cost == 2
    assert cost + cards.number("ezoc_enter") + cards.number("ezoc_leave") == 4


def test_30_0_cities(cards: Charts) -> None:
    values = {kind: (cards.city(kind).vp, cards.city(kind).intrinsic) for kind in CityClass}
    assert values == {CityClass.SMALL: (1, 1), CityClass.MAJOR: (2, 2), CityClass.KEY: (3, 2)}


# --- strikes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "result"), [(1, ""), (2, "*"), (3, "*"), (5, "D1"), (6, "D1")])
def test_23_3_published_cells_of_the_strike_table(cards: Charts, die: int, result: str) -> None:
    assert cards.strike(1, die) == result
    assert cards.origin("strike", "strike", 1, die).startswith("rulebook")


@pytest.mark.parametrize(("die", "result"), [(1, ""), (3, "*"), (4, "*")])
def test_22_2_3_published_cells_of_the_chemical_table_on_the_second_turn(
    cards: Charts, die: int, result: str
) -> None:
    assert cards.chemical(2, die) == result
    assert cards.origin("strike", "chemical", 2, die).startswith("rulebook")


SEVERITY = {"": 0, "*": 1, "D1": 2, "D": 2}


def test_20_0_a_higher_die_never_does_less_and_the_tables_are_closed(cards: Charts) -> None:
    tables = [
        cards.nuclear,
        *(lambda die, column=column: cards.strike(column, die) for column in (0, 1)),
        *(lambda die, turn=turn: cards.chemical(turn, die) for turn in (1, 2, 3, 4, 5)),
    ]
    for table in tables:
        found = [SEVERITY[table(die)] for die in range(-4, 12)]
        assert found == sorted(found)


def test_22_2_4_chemicals_wear_off_and_the_fourth_turn_counts_for_all_later_ones(cards: Charts) -> None:
    for die in range(9):
        found = [SEVERITY[cards.chemical(turn, die)] for turn in (1, 2, 3, 4)]
        assert found == sorted(found, reverse=True)
        assert cards.chemical(4, die) == cards.chemical(9, die)
        losses = [cards.airfield(turn, die) for turn in (1, 2, 3, 4, 9)]
        assert losses == sorted(losses, reverse=True)
    assert (cards.airfield(1, 1), cards.airfield(1, 7), cards.airfield(4, -3)) == (1, 4, 0)


def test_11_8_4_modifiers(cards: Charts) -> None:
    assert cards.modifier("train") == cards.modifier("friendly_airspace") == cards.modifier("surprise") == 1
    assert cards.modifier("enemy_airspace") == cards.modifier("interception_ezoc") == -1


# --- air -----------------------------------------------------------------------------------------------------------


def test_23_1_1_the_published_cell_of_the_air_campaign_table(cards: Charts) -> None:
    """In the Extended Buildup, turns 2-7, a 4 gives the Warsaw Pact 5 and 1 points, NATO 8 and 2."""
    for turn in range(2, 8):
        points = cards.air_points("extended", turn, 4)
        assert (points.of(Side.WP), points.of(Side.NATO)) == ((5, 1), (8, 2))
    assert cards.origin("air", "extended", 2, 4).startswith("rulebook")
    assert cards.origin("air", "extended", 2, 5) == "house"


def test_23_1_1_a_higher_die_favours_nato(cards: Charts) -> None:
    for table in AIR_TABLES:
        for turn in (1, 5, 12):
            lead = []
            for die in range(1, 8):
                points = cards.air_points(table, turn, die)
                lead.append(
                    points.nato_tactical + points.nato_operational - points.wp_tactical - points.wp_operational
                )
            assert lead == sorted(lead)
            assert cards.air_points(table, turn, 8) == cards.air_points(table, turn, 7)


@pytest.mark.parametrize(
    ("section", "table", "turn", "value"),
    [("enemy", "surprise", 1, 4), ("enemy", "surprise", 3, 5), ("contested", "nerves", 4, 5)],
)
def test_17_1_published_cells_of_the_wp_interception_table(
    cards: Charts, section: str, table: str, turn: int, value: int
) -> None:
    assert cards.interception(Side.WP, section, table, turn) == value  # type: ignore[arg-type]
    first = 1 if turn == 1 else 2
    assert cards.origin("interception", "wp", section, table, first).startswith("rulebook")


def test_17_1_hostile_air_is_never_safer(cards: Charts) -> None:
    for side in Side:
        for table in AIR_TABLES:
            for turn in (1, 2, 8, 14):
                values = [cards.interception(side, section, table, turn) or 0 for section in SECTIONS]
                assert values == sorted(values)
    assert cards.interception(Side.WP, "friendly", "surprise", 1) is None
    assert cards.interception(Side.NATO, "friendly", "surprise", 1) == 4


def test_23_7_the_deep_interdiction_table(cards: Charts) -> None:
    assert cards.deep_interdiction(2, 4) == 1
    assert cards.origin("deep", 2, 4).startswith("rulebook")
    for die in range(1, 7):
        found = [cards.deep_interdiction(points, die) for points in (1, 2, 3)]
        assert found == sorted(found)


# --- numbers -------------------------------------------------------------------------------------------------------

NUMBERS = {"stack": 4, "link": 10, "airspace": 5, "rail": 20, "rail_wp": 8, "rail_nato": 10, "helicopter": 10}
NUMBERS |= {"reserve_helicopter": 5, "ahb_range": 5, "shift_limit": 2, "flak": 1, "flak_city": 2, "mountain_pass": 2}
NUMBERS |= {"ahb_defense_us_1983": 2, "ahb_defense_us_1988": 3, "helicopter_defense_wp": 2, "nuclear_enter": 2}
NUMBERS |= {"surrender_DK": 4, "surrender_NL": 5, "tactical_floor": 2, "supply_income": 2, "automatic_supply": 7}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_of_the_rules(cards: Charts, name: str) -> None:
    assert cards.number(name) == NUMBERS[name]
    assert cards.origin("number", name)


def test_25_7_5_the_rear(cards: Charts) -> None:
    assert cards.rear(Side.NATO, Zone.CENTAG) == ("W", "NW", "SW")
    assert cards.rear(Side.WP, Zone.NORTHAG) == ("E", "NE", "SE")
    assert cards.rear(Side.NATO, Zone.BALTAP) == ("NW", "NE", "W")
    assert cards.rear(Side.WP, Zone.BALTAP) == ("SE", "SW", "E")


# --- origins and mistakes ------------------------------------------------------------------------------------------


def test_2_3_every_cell_names_its_origin(cards: Charts) -> None:
    origins = [cards.origin("combat", column, die) for column in ODDS for die in range(1, 7)]
    origins += [cards.origin("counterattack", nation) for nation in Nation]
    for key in (*GROUNDS, "fortified"):
        fields = ("priority", "move", "shift", "retreat", "soft_doubled", "armor_halved", "strike", "nuclear")
        origins += [cards.origin("terrain", key, field) for field in (*fields, "exploitation")]
    for key in HEXSIDES:
        origins += [cards.origin("hexside", key, field) for field in ("move", "attack", "response", "advance")]
    origins += [cards.origin("city", kind, "vp") for kind in CityClass]
    assert all(origin in ("public", "house") or origin.startswith("rulebook ") for origin in origins)


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("combat.toml", "[1, 1, 1, 1, 2, 2,", "[1, 1, 1, 1, 2,", "6 rows of 13 cells"),
        ("combat.toml", "9, 10],", "9, 11],", "a number from 1 to 10"),
        ("combat.toml", '"-/D1R1"', '"-/D1X1"', "a result looks like"),
        ("combat.toml", "PL = 5", "", "counterattack.PL"),
        ("terrain.toml", "[terrain.forest]", "[terrain.forrest]", "Did you mean forest"),
        ("terrain.toml", "[hexside.ferry]", "[hexside.fery]", "hexside.ferry: this row is missing"),
        ("terrain.toml", 'move = [1, "public"]', "move = 1", "terrain"),
        ("air.toml", "surprise = [3, 4, 5]", "surprise = [3, 4]", "it needs 3 values"),
        ("numbers.toml", '"W", "NW"', '"W", "N"', "N"),
    ],
)
def test_2_3_a_mistake_in_a_chart_is_named(name: str, old: str, new: str, said: str) -> None:
    files = {each: packaged(f"charts/{each}") for each in CHART_FILES}
    text = files[name].decode()
    assert old in text
    with pytest.raises(DataError, match=said):
        read_charts(files | {name: text.replace(old, new, 1).encode()})
