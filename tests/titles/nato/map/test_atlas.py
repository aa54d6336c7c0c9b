"""2.2 The indexes of the atlas, compared with a plain second reading of the map files."""

import csv
import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.titles.nato.cards.files import packaged
from pbem.titles.nato.map import grid
from pbem.titles.nato.map.atlas import WEST_BERLIN, Atlas
from pbem.titles.nato.map.ground import Side, Water
from pbem.titles.nato.map.reading import atlas as packaged_atlas
from pbem.titles.nato.map.reading import expand

ATLAS = packaged_atlas()
HEXES = st.sampled_from(sorted(ATLAS))


def rows(name: str) -> Iterator[dict[str, str]]:
    """Return the rows of a map file, read independently of the program."""
    lines = packaged(f"map/{name}").decode().splitlines()
    return csv.DictReader(line for line in lines if line and not line.startswith("#"))


def test_2_2_1_hexes_that_no_correction_names_are_those_of_the_base_file() -> None:
    corrections = tomllib.loads(packaged("map/corrections.toml").decode())
    named = {hex for change in corrections["hex"] for hex in change["hexes"].split()}
    for row in rows("hexes.csv"):
        place = ATLAS[row["hex"]]
        if row["hex"] not in named:
            assert (place.water, place.terrain, place.origin) == (row["water"], row["terrain"], row["origin"])
            assert (place.country or "") == row["country"]
        assert (place.city, place.port) == (row["city"], int(row["port"] or 0))


def test_2_2_1_corrections_win_over_the_base_and_later_ones_over_earlier_ones() -> None:
    corrections = tomllib.loads(packaged("map/corrections.toml").decode())["hex"]
    last: dict[tuple[str, str], str] = {}
    for change in corrections:
        assert change["why"]
        for hex in change["hexes"].split():
            for field in ("terrain", "water", "country"):
                if field in change:
                    last[hex, field] = change[field]
    for (hex, field), value in last.items():
        assert getattr(ATLAS[hex], field) == value, (hex, field)


@pytest.mark.rule("6.0/all-sea-hexside", effect=True)
def test_2_2_1_every_hexside_of_the_files_has_its_feature() -> None:
    for row in rows("hexsides.csv"):
        side = ATLAS.hexside(row["a"], row["b"])
        assert side == ATLAS.hexside(row["b"], row["a"]) and side.name == row["name"]
        causeway, ferry = row["feature"] in ("causeway", "afsluitdijk"), row["feature"] == "ferry"
        assert (side.causeway, side.ferry, side.pass_) == (causeway, ferry, row["feature"] == "pass")
        assert side.closed == (row["feature"] in ("all_sea", "blocked", "ferry"))


@given(HEXES)
def test_12_1_1_ground_steps_lead_both_ways_and_stay_on_land(hex: str) -> None:
    if ATLAS[hex].is_sea:
        assert hex not in ATLAS.ground
        return
    for near, side in ATLAS.ground[hex]:
        assert ATLAS[near].is_land and not side.closed and side == ATLAS.hexside(hex, near)
        assert (hex, side) in ATLAS.ground[near]
    shut = set(ATLAS.neighbours[hex]) - {near for near, _ in ATLAS.ground[hex]}
    assert all(ATLAS[near].is_sea or ATLAS.hexside(hex, near).closed for near in shut)


@given(HEXES)
def test_14_2_2_sea_steps_lead_both_ways_and_stay_wet(hex: str) -> None:
    if ATLAS[hex].water is Water.INLAND:
        assert hex not in ATLAS.sea
        return
    for near in ATLAS.sea[hex]:
        assert ATLAS[near].water is not Water.INLAND and hex in ATLAS.sea[near]


CURTAIN = [
    hex for side, feature in ATLAS.sides.items() if feature.iron_curtain and WEST_BERLIN not in side for hex in side
]


@given(HEXES)
def test_35_3_6_the_distance_to_the_iron_curtain_is_the_least_to_any_of_its_hexes(hex: str) -> None:
    assert ATLAS.curtain[hex] == min(grid.distance(hex, other) for other in CURTAIN)


@given(HEXES)
def test_2_2_the_atlas_finds_a_hex_by_its_number_and_a_city_by_its_name(hex: str) -> None:
    assert ATLAS.find(hex) == hex
    if ATLAS[hex].city:
        assert ATLAS.find(ATLAS[hex].city.upper()) == hex
        assert ATLAS.name(hex) == f"{ATLAS[hex].city} {hex}"


def test_2_2_city_names_are_unique() -> None:
    names = [place.city for place in ATLAS.places.values() if place.city]
    assert len(set(names)) == len(names)


def test_30_1_every_city_belongs_to_a_side() -> None:
    owners = [ATLAS[hex].side for hex in ATLAS.cities]
    assert set(owners) == set(Side)


@given(st.sets(HEXES, min_size=1, max_size=40))
def test_2_2_a_part_of_the_map_is_a_map(hexes: set[str]) -> None:
    part: Atlas = ATLAS.cut(hexes)
    assert set(part) == hexes
    for hex in part:
        assert part[hex] == ATLAS[hex]
        assert set(part.neighbours[hex]) == set(ATLAS.neighbours[hex]) & hexes
    assert all(a in hexes and b in hexes for a, b in part.sides)


def test_lists_of_hexes_may_have_ranges_within_a_row() -> None:
    assert expand("3621-3623 4001") == {"3621", "3622", "3623", "4001"}
