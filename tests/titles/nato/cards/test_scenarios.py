"""35.9 Every packaged scenario can be played unchanged, and a mistake in a scenario is explained."""

from collections import Counter

import pytest
from support.rules import assert_rule

from pbem.engine.rules.refusals import Refusal
from pbem.titles.data_files import DataError
from pbem.titles.nato.cards.charts import AirPoints
from pbem.titles.nato.cards.files import packaged
from pbem.titles.nato.cards.scenario import BOXES, TABLES, Scenario, halves
from pbem.titles.nato.cards.scenario_files import (
    describe,
    load_scenario,
    packaged_scenario,
    packaged_scenarios,
    scenario_format,
)
from pbem.titles.nato.cards.units import roster
from pbem.titles.nato.map import grid
from pbem.titles.nato.map.atlas import Atlas
from pbem.titles.nato.map.ground import CityClass, Country, Side
from pbem.titles.nato.map.reading import MAP_FILES, atlas, read_atlas
from pbem.titles.nato.title import Nato

IDS = packaged_scenarios()


def at(scenario: Scenario, unit: str) -> str:
    """Return where a unit begins."""
    return next(place.at for place in scenario.placements if place.unit == unit)


def arrival(scenario: Scenario, unit: str) -> tuple[int, str]:
    """Return when and how a unit arrives."""
    return next((each.turn, each.code) for each in scenario.arrivals if each.unit == unit)


def test_35_9_the_packaged_scenarios() -> None:
    assert IDS == ("baltap", "leine", "nerves", "northag", "theatre", "theatre_1988")


@pytest.mark.parametrize("id", IDS)
def test_35_9_every_unit_starts_in_friendly_country_or_where_the_war_has_brought_it(id: str) -> None:
    scenario = packaged_scenario(id)
    units, area = roster(scenario.year), scenario.play_area(atlas())
    for place in scenario.placements:
        if place.at not in BOXES:
            side = area[place.at].side
            assert side is units[place.unit].side or id == "leine", place


@pytest.mark.parametrize("id", IDS)
def test_33_2_1_reserves_of_the_long_scenarios_appear_at_their_sites(id: str) -> None:
    for each in packaged_scenario(id).arrivals:
        if each.kind == "RS" and id != "leine":
            assert atlas()[each.hex].reserve_site or each.unit == "US-III"


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("table", TABLES)
def test_35_8_every_unit_has_a_seat_of_its_side(id: str, table: str) -> None:
    scenario = packaged_scenario(id)
    units = roster(scenario.year)
    seats = {seat.id: seat for seat in scenario.seats(table)}  # type: ignore[arg-type]
    if table not in scenario.tables:
        assert seats == {}
        return
    used = Counter[str]()
    for unit in [place.unit for place in scenario.placements] + [each.unit for each in scenario.arrivals]:
        seat = scenario.seat_of(units[unit], table)  # type: ignore[arg-type]
        assert seats[seat].side is units[unit].side
        used[seat] += 1
    assert set(used) == set(seats)


@pytest.mark.parametrize("id", IDS)
def test_34_0_the_levels_run_from_a_pact_victory_to_a_nato_victory(id: str) -> None:
    victory = packaged_scenario(id).victory
    assert victory.level(999).winner is Side.WP and victory.level(999).level == "decisive"
    assert victory.level(-999).winner is Side.NATO and victory.level(-999).level == "decisive"
    assert any(level.winner is None for level in victory.levels)


def test_the_leine() -> None:
    scenario = packaged_scenario("leine")
    area = scenario.play_area(atlas())
    assert (scenario.turns, len(area), scenario.turn_zero) == (4, 105, False)
    assert scenario.conquered == {"3115": Side.WP}
    assert scenario.air.fixed == AirPoints(2, 0, 3, 0)
    assert area.sectors[1] == tuple(f"{row}25" for row in range(29, 36))
    assert area.sectors[4] == tuple(f"{row}11" for row in range(29, 36))
    british = [place.at for place in scenario.placements if roster(1983)[place.unit].side is Side.NATO]
    assert all(grid.distance(hex, at(scenario, "BR-I")) <= 3 for hex in british)
    assert grid.distance(at(scenario, "NEGF"), "3218") <= 5
    assert [scenario.victory.level(margin).level for margin in (7, 5, 4, 3, 2, 1, 0, -1)] == [
        *("decisive", "decisive", "tactical", "marginal", "draw", "marginal", "tactical", "decisive")
    ]


def test_baltic_approaches() -> None:
    scenario = packaged_scenario("baltap")
    area = scenario.play_area(atlas())
    assert "1310" in area and "2417" in area and "2111" in area and "2418" not in area and "2615" not in area
    assert area.sectors[5] and all(area[hex].is_land for hex in area.sectors[5])
    assert {area[hex].country for hex in area if area[hex].is_land} == {Country.DK, Country.WG, Country.EG}
    assert scenario.withdrawals == {"NEGF": 4} and scenario.fixed == ("NEGF",) and scenario.air.bonus == 1
    assert (scenario.lift[Side.WP].sea, scenario.lift[Side.NATO].sea) == (3, 2)
    worth = {CityClass.SMALL: 1, CityClass.MAJOR: 2, CityClass.KEY: 3}
    total = sum(worth[kind] for hex in area.cities if area[hex].side is Side.NATO and (kind := area[hex].city_class))
    assert total == 15 and scenario.victory.levels[0].margin < total


def test_northern_army_group() -> None:
    scenario = packaged_scenario("northag")
    area = scenario.play_area(atlas())
    assert {grid.row(hex) for hex in area} == set(range(23, 37))
    assert "2416" not in area and "2420" in area and "3007" in area
    assert not any(place.country is Country.DK for place in area.places.values())
    assert all(area.sectors[sector] for sector in (1, 4, 5)) and not area.sectors[3]
    assert (at(scenario, "BE-I"), at(scenario, "BE-17/16")) == ("3524", "3521")
    assert arrival(scenario, "BE-7/1") == (1, "G1") and arrival(scenario, "US-III") == (2, "RS3626")
    assert scenario.air.halved and halves(AirPoints(11, 3, 2, 0)) == AirPoints(6, 1, 1, 0)


def test_strategic_surprise_1983() -> None:
    scenario = packaged_scenario("theatre")
    assert (scenario.turns, scenario.turn_zero, scenario.area) == (14, True, ())
    assert at(scenario, "16GT") == "2508" and at(scenario, "11ACR") == "4017" and at(scenario, "97") == "srb"
    assert at(scenario, "P5T") == "3303"
    assert [place.at for place in scenario.placements if place.unit == "3ACR" and place.reforger] == ["3626"]
    assert sum(scenario.reforger_steps.values()) == 11
    sites = [place.unit for place in scenario.placements if place.reforger]
    assert sum(roster(1983)[unit].steps for unit in sites) == 11
    assert arrival(scenario, "1T") == (14, "RR") and arrival(scenario, "UK-1") == (3, "S")
    assert scenario.active_from(roster(1983)["1DB"]) == 3 and scenario.active_from(roster(1983)["16GT"]) == 0
    assert scenario.active_from(roster(1983)["FR-Berlin"]) == 1
    assert len(scenario.arrivals_on(2)) == 18


def test_35_8_the_theatre_can_be_shared_by_commands_or_by_nations() -> None:
    scenario, units = packaged_scenario("theatre"), roster(1983)
    assert scenario.tables == TABLES and packaged_scenario("northag").tables == ("two", "commands")
    assert (
        scenario.seat_of(units["WG-61"], "commands") == "northag"
        and scenario.seat_of(units["WG-61"], "nations") == "german"
    )
    assert (
        scenario.seat_of(units["2/Jut"], "commands") == "baltap"
        and scenario.seat_of(units["2/Jut"], "nations") == "danish"
    )
    assert (
        scenario.seat_of(units["16GT"], "commands") == "north"
        and scenario.seat_of(units["97"], "commands") == "theatre"
    )
    assert (
        scenario.seat_of(units["104"], "commands") == "south"
        and scenario.seat_of(units["4CMBG"], "nations") == "american"
    )


def test_strategic_surprise_1988() -> None:
    scenario = packaged_scenario("theatre_1988")
    assert at(scenario, "90GT") == "2806" and at(scenario, "83") == "srb" and arrival(scenario, "6G") == (9, "G5")
    assert scenario.air.die == 1 and scenario.ahb_defense[Side.NATO] == 3
    assert sum(scenario.reforger_steps.values()) == 15
    assert scenario.victory.levels[0].margin == packaged_scenario("theatre").victory.levels[0].margin - 6


@pytest.mark.rule("35.9", effect=True)
@pytest.mark.parametrize("id", IDS)
def test_35_9_a_scenario_is_described_in_lines(id: str) -> None:
    scenario = packaged_scenario(id)
    lines = describe(scenario, roster(scenario.year), scenario.play_area(atlas()))
    assert lines[0].startswith(scenario.name) and lines[1].startswith("WP: ") and lines[2].startswith("NATO: ")


def test_35_9_the_format_explains_every_key_and_rule() -> None:
    from pbem.titles.nato.cards.scenario import RULES
    from pbem.titles.nato.cards.scenario_files import ScenarioFile

    text = scenario_format()
    assert [key for key in (*ScenarioFile.__struct_fields__, *RULES) if key not in text] == []


@pytest.mark.rule("35.9", effect=True)
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("turns = 4", "turns = 40", "a game lasts 1 to 14 turns, not 40"),
        ("turns = 4", "turns = four", "syntax"),
        ("year = 1983", "year = 1985", "1983 or 1988"),
        ("year = 1983", "yaer = 1983", "Did you mean year"),
        ('"interdiction"', '"interdicton"', "Did you mean interdiction"),
        ('3218 = "22/1A"', '3218 = "22/1X"', "Did you mean 22/1A"),
        ('3218 = "22/1A"', '3218 = "1/1"', "Did you mean BE-1/1 or US-1/1"),
        ('3218 = "22/1A"', '3218 = "22/1A 7/1A"', "7/1A: it comes into play 2 times"),
        ('3218 = "22/1A"', '3228 = "22/1A"', "3228 is not a hex of the play area"),
        ('3116 = "16GT 21"', '3116 = "16GT 21 E4"', "6 maneuver steps begin here; the limit is 4"),
        ('3116 = "16GT 21"', '3218 = "16GT 21"', "Cannot overwrite a value"),
        ('3320 = "33/4A"', '3320 = "33/4A E4"', "both sides begin in this hex"),
        ('3320 = "33/4A"', 'sector4 = "33/4A"', "sector4 belongs to the enemy"),
        ('3320 = "33/4A"', '3320 = "33/4A Gr20"', "not in its home country"),
        ('"G4 E1"', '"G1 E1"', "sector 1 belongs to the enemy"),
        ('"G4 E1"', '"G3 E1"', "sector 3 has no edge"),
        ('"G4 E1"', '"A E1"', "only airborne and airmobile"),
        ('"G4 E1"', '"X E1"', "a code is A, S, RR"),
        ('"RS3223 27LL"', '"RS3213 27LL"', "enemy country"),
        ('3115 = "wp"', '3116 = "wp"', "no city in this hex"),
        ('attack_helicopters = ["NEGF"]', 'attack_helicopters = ["NEFG"]', "Did you mean NEGF"),
        ('attack_helicopters = ["NEGF"]', 'attack_helicopters = ["16GT"]', "this is not an HQ"),
        ("margin = 4", "margin = 9", "margins must fall"),
        ('level = "draw"', 'level = "marginal"', "needs a winner"),
        ('id = "army"', 'id = "front"', "2 seats have this id"),
        ('units = "16GT 21 94G"', 'units = "16GT 21 94X"', "Did you mean 94G"),
        ('units = "11/4A 20/4A', 'units = "22/1A 20/4A', "2 seats command it"),
        ("theatre = true", "theatre = false", "exactly one seat"),
        ('side = "wp"', 'side = "east"', "east"),
    ],
)
def test_35_9_a_mistake_in_a_scenario_is_explained(old: str, new: str, said: str) -> None:
    text = packaged("scenarios/leine.toml").decode()
    assert old in text
    with pytest.raises(DataError) as refusal:
        load_scenario(text.replace(old, new, 1).encode())
    assert said in str(refusal.value)


def test_35_9_all_mistakes_are_named_at_once() -> None:
    text = packaged("scenarios/leine.toml").decode()
    wrong = text.replace("22/1A 7/1A", "22/1A 7/9A").replace("turns = 4", "turns = 44").replace('"G4 E1"', '"G3 E1"')
    with pytest.raises(DataError) as refusal:
        load_scenario(wrong.encode())
    assert len(refusal.value.mistakes) == 3


def linked(area: Atlas, start: str, goals: set[str], limit: int) -> bool:
    """10.2 Return whether a path over land of at most this length leads to one of the goals."""
    ring, seen = {start}, {start}
    for _ in range(limit + 1):
        if ring & goals:
            return True
        ring = {near for hex in ring for near, _ in area.ground[hex]} - seen
        seen |= ring
    return False


@pytest.mark.parametrize("id", IDS)
def test_10_0_every_unit_begins_in_movement_supply(id: str) -> None:
    """Every unit is supplied by a city within 10 hexes in a friendly country, or by an HQ of its nation or front."""
    scenario = packaged_scenario(id)
    units, area = roster(scenario.year), scenario.play_area(atlas())
    hqs = {place.unit: place.at for place in scenario.placements if units[place.unit].hq and place.at in area}
    cities = {side: {hex for hex in area.cities if area[hex].side is side} - set(scenario.conquered) for side in Side}
    for place in scenario.placements:
        unit = units[place.unit]
        if place.at not in area or unit.hq or place.reforger:
            continue
        near = {
            hex
            for hq, hex in hqs.items()
            if units[hq].nation is unit.nation or hq == unit.formation or unit.independent
        }
        ranges = [units[hq].support_range for hq, hex in hqs.items() if hex in near]
        at_home = area[place.at].side is unit.side and linked(area, place.at, cities[unit.side], 10)
        assert at_home or linked(area, place.at, near, max(ranges, default=0)), place


def test_2_2_matches_of_a_scenario_share_one_map() -> None:
    files = {name: packaged(f"map/{name}") for name in MAP_FILES}
    first, second = read_atlas(files), read_atlas(dict(files))
    assert first is second
    scenario = packaged_scenario("leine")
    again = load_scenario(packaged("scenarios/leine.toml"), "leine")
    assert scenario.play_area(first) is again.play_area(second)


def test_35_9_the_title_checks_scenarios_for_both_years() -> None:
    title = Nato()
    setup = packaged("scenarios/leine.toml")
    assert title.check_scenario(setup, {})[0] == "The Leine, 1983: 4 turns on 105 hexes"
    assert title.check_scenario(setup, {}, "1988")[0] == "The Leine, 1988: 4 turns on 105 hexes"
    assert title.scenario_format().startswith("# How to write a scenario for NATO")
    with pytest.raises(DataError, match="1983 or 1988"):
        title.check_scenario(setup, {}, "2016")
    with pytest.raises(DataError, match="no unit of 1988 has this id"):
        title.check_scenario(setup.replace(b"33/4A", b"4DB"), {}, "1988")


@pytest.mark.rule("35.8")
def test_35_8_a_table_that_a_scenario_does_not_have_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        Nato().freeze("leine", {"table": "nations"})
    assert_rule(refused.value, "35.8")
    theatre = Nato().rules(Nato().freeze("theatre", {"table": "nations"}))
    assert {"polish", "czech", "danish", "french"} <= set(theatre.seats)
    assert set(Nato().choices["table"]) == {"two", "commands", "nations"}


def test_35_8_a_scenario_offers_only_tables_that_it_has_seats_for() -> None:
    title = Nato()
    offered = {scenario: set(title.choices_for(scenario)["table"]) for scenario in title.scenarios}
    assert offered["leine"] == {"two", "commands"} and offered["theatre"] == {"two", "commands", "nations"}
    assert all(tables == set(packaged_scenario(scenario).tables) for scenario, tables in offered.items())
