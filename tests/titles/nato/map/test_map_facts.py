"""2.2 The map keeps every fact that the rulebook reveals: hexes, hexsides, cities, areas."""

from collections.abc import Callable, Iterable

import pytest

from pbem.titles.nato.map import grid
from pbem.titles.nato.map.atlas import COPENHAGEN, FERRY, PRAGUE, WEST_BERLIN, Atlas, pair
from pbem.titles.nato.map.ground import CityClass, Country, Side, Terrain, Zone
from pbem.titles.nato.map.reading import atlas as packaged_atlas


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    return packaged_atlas()


def reach(start: str, goals: Iterable[str], steps: Callable[[str], Iterable[str]], limit: int) -> int | None:
    """Return the length of the shortest path, found independently of the program's own searches."""
    wanted = set(goals)
    ring, seen = {start}, {start}
    for length in range(limit + 1):
        if ring & wanted:
            return length
        ring = {near for hex in ring for near in steps(hex)} - seen
        seen |= ring
    return None


# --- hexes of the text -------------------------------------------------------------------------------------------

COUNTRIES = {
    "1209 1210 1310 1410 1411 1512 1513 1514 1415 1420": Country.DK,
    "2110 2111 2412 2814": Country.EG,
    "2317 2416 2417 2420 2516 2521 2615 2621 2720 2819 3007 3115 3117 3120 3215 3220 5312 5313": Country.WG,
    "2714 2715 2815": Country.WG,
    "2526 2626 2729 2730": Country.NL,
    "2504 3303": Country.PL,
    "4203 4901 5002": Country.CS,
}

TERRAIN = {
    "1410 2521 2919 3215 3319 3321": Terrain.CLEAR,
    "2619 2819 2820 2922": Terrain.CLEAR,
    "2825 3318 3320 2717 2822 3219": Terrain.FOREST,
    "2921 2419 2617 2618 2920": Terrain.MARSH,
    "3218 3217 3317": Terrain.ROUGH,
}

LAND = str.split("""
1209 1210 1310 1410 1411 1512 1513 1514 2110 2317 2321 2419 2421 2516 2521 2522 2617 2618 2619 2717 2729 2730 2814
2817 2818 2819 2820 2822 2825 2918 2919 2920 2921 2922 3017 3116 3118 3217 3219 3303 3317 3626
""")


def test_2_2_every_hex_named_in_the_text_is_land(atlas: Atlas) -> None:
    assert [hex for hex in LAND if hex not in atlas or atlas[hex].is_sea] == []


@pytest.mark.parametrize("hexes", COUNTRIES)
def test_2_2_hexes_of_the_text_lie_in_their_country(atlas: Atlas, hexes: str) -> None:
    assert {hex: atlas[hex].country for hex in hexes.split()} == dict.fromkeys(hexes.split(), COUNTRIES[hexes])


@pytest.mark.parametrize("hexes", TERRAIN)
def test_2_2_1_hexes_of_the_text_have_their_terrain(atlas: Atlas, hexes: str) -> None:
    assert {hex: atlas[hex].terrain for hex in hexes.split()} == dict.fromkeys(hexes.split(), TERRAIN[hexes])


def test_2_2_3_coastal_hexes_of_the_text(atlas: Atlas) -> None:
    assert all(atlas[hex].is_coastal for hex in ("1209", "1310", "1415", "1420", "2321", "2420", "2421"))
    assert atlas["1209"].sea_area == "baltic"
    assert atlas["2321"].sea_area == "north_sea"


def test_16_1_3_a_drop_on_1410_is_possible_and_2522_can_be_dropped_on(atlas: Atlas) -> None:
    assert atlas["1410"].ground in ("clear", "marsh")
    assert atlas["2522"].ground in ("clear", "marsh")


def test_25_8_2_the_hexes_behind_3215_can_be_exploited_into(atlas: Atlas) -> None:
    """L3019: 3215 and at least two hexes behind it are clear."""
    behind = [grid.step("3215", "W"), grid.step("3215", "NW"), grid.step("3215", "SW")]
    assert atlas["3215"].ground == "clear"
    assert sum(atlas[hex].ground == "clear" for hex in behind) >= 2


# --- hexsides ----------------------------------------------------------------------------------------------------

MAJOR = str.split("2818|2819 2719|2819 2720|2819 2918|2919 2818|2919 2919|3018 2520|2521 2521|2620 2420|2521")
MINOR = str.split("3118|3218 3317|3318 3217|3318")
NO_RIVER = str.split("3120|3219 3320|3321 3319|3320 3120|3220 3220|3320 2919|2920 2920|2921 2921|2922")


@pytest.mark.parametrize("side", MAJOR)
def test_12_1_published_hexsides_of_the_weser_are_major_rivers(atlas: Atlas, side: str) -> None:
    assert atlas.hexside(*side.split("|")).river == "major"


@pytest.mark.parametrize("side", MINOR)
def test_25_3_1_1_published_hexsides_of_the_leine_are_minor_rivers(atlas: Atlas, side: str) -> None:
    assert atlas.hexside(*side.split("|")).river == "minor"


@pytest.mark.parametrize("side", NO_RIVER)
def test_12_3_the_movement_examples_cross_no_river(atlas: Atlas, side: str) -> None:
    a, b = side.split("|")
    assert grid.adjacent(a, b)
    assert atlas.hexside(a, b).river == ""


def test_12_8_the_danish_ferry(atlas: Atlas) -> None:
    side = atlas.hexside(*FERRY)
    assert side.ferry and side.barrier == "all_sea" and side.closed


@pytest.mark.rule("6.0/prohibited-terrain", effect=True)
def test_25_2_4_the_afsluitdijk_can_be_crossed_but_not_attacked_across(atlas: Atlas) -> None:
    side = atlas.hexside("2729", "2730")
    assert side.causeway and side.no_attack and not side.closed
    assert "2730" in [near for near, _ in atlas.ground["2729"]]


def test_8_4_blocked_and_all_sea_hexsides_around_bremerhaven(atlas: Atlas) -> None:
    assert atlas.hexside("2420", "2421").barrier == "blocked"
    assert atlas.hexside("2421", "2422").barrier == "blocked"
    assert atlas.hexside("2321", "2421").barrier == "all_sea"


def test_12_1_the_little_belt_is_a_causeway(atlas: Atlas) -> None:
    assert atlas.hexside("1416", "1417").causeway


def test_35_5_the_iron_curtain_follows_the_border_and_rings_west_berlin(atlas: Atlas) -> None:
    for hex in atlas:
        for near in atlas.neighbours[hex]:
            countries = {atlas[hex].country, atlas[near].country}
            border = Country.WG in countries and bool(countries & {Country.EG, Country.CS})
            assert atlas.hexside(hex, near).iron_curtain == border
    assert all(atlas.hexside(WEST_BERLIN, near).iron_curtain for near in grid.neighbours(WEST_BERLIN))


# --- cities, ports and sites -------------------------------------------------------------------------------------

CITIES = """
DK: 0616s1 1015s1 1310m2 1415s1 1420s1
WG: 1818s 2116s1 2214s1 2416k 2417k4 2420s4 2615s 2621s 2720k2 3007m 3115s 3117m 3120s 3122s 3220s 3223s 3424s 3425s
WG: 3524k 3525k 3526k 3618s 3624s 3625k 3626s 3725s 3825k 3827s 3925s 4125s 4220m 4322s 4416s 4420s 4421s 4613m 4620m
WG: 4623s 4726s 4821s 4910s 5019m 5117s 5214m 5312m 5313m 5424s
NL: 2626s 3030m4 3031s 3126s 3128s 3130s 3133m 3228s 3230s 3232k4 3329s 3430s 3530s
BE: 3632k4 3833k 3930m 4033s
LU: 4528s
FR: 4332s 4828s 4833s 5023m 5028m 5325s 5525m 5729s 5732m
EG: 2111s2 2412s 3006m 3108s 3212s 3511s 3609m 3706m 3813s 3908m 3909s
PL: 2504m1 3301s
CS: 4203m 4406s 4903s
"""
PORTS_ONLY = {"0520": 1, "2422": 1, "2525": 1, "2526": 1, "2731": 1}
LETTERS = {CityClass.SMALL: "s", CityClass.MAJOR: "m", CityClass.KEY: "k"}
VALUES = {CityClass.SMALL: 1, CityClass.MAJOR: 2, CityClass.KEY: 3}


def value(atlas: Atlas, hex: str) -> int:
    """Return the victory points of a city hex."""
    kind = atlas[hex].city_class
    assert kind is not None
    return VALUES[kind]


def test_30_0_the_cities_are_exactly_those_of_the_list(atlas: Atlas) -> None:
    wanted = {word[:4]: (line[:2], word[4:]) for line in CITIES.split("\n") if line for word in line[4:].split()}
    found = {}
    for hex in atlas.cities:
        place = atlas[hex]
        kind = place.city_class
        assert place.country is not None and kind is not None
        found[hex] = (place.country.value, LETTERS[kind] + (str(place.port) if place.port else ""))
    assert found == wanted


def test_14_2_3_ports_without_a_city(atlas: Atlas) -> None:
    assert {hex: atlas[hex].port for hex in atlas.ports if not atlas[hex].is_city} == PORTS_ONLY


def test_32_1_the_cities_of_denmark_and_the_netherlands_are_worth_6_and_17(atlas: Atlas) -> None:
    assert sum(value(atlas, hex) for hex in atlas.cities_of(Country.DK)) == 6
    assert sum(value(atlas, hex) for hex in atlas.cities_of(Country.NL)) == 17


def test_34_3_1_the_warsaw_pact_has_no_key_city(atlas: Atlas) -> None:
    assert all(atlas[hex].city_class is not CityClass.KEY for hex in atlas.cities if atlas[hex].side is Side.WP)


def test_10_3_3_2_all_danish_cities_are_ports_on_the_coast(atlas: Atlas) -> None:
    assert all(atlas[hex].port and atlas[hex].is_coastal for hex in atlas.cities_of(Country.DK))


def test_16_2_1_1_only_four_ports_need_a_river_and_only_three_are_inland(atlas: Atlas) -> None:
    assert {hex for hex in atlas.ports if atlas[hex].inland_port} == {"2417", "2504", "2720"}
    assert set(atlas.routes) == {"2417", "2504", "2720", "3632"}


def test_33_2_1_reserve_sites_are_land_of_their_country(atlas: Atlas) -> None:
    assert len(atlas.reserve_sites) == 9 + 13 + 5 + 3 + 7 + 5 + 4
    for hex in str.split("1210 1512 1611 0918 1918 2115 2924 3028 3132 3730 4330 2408 3504 4104 4701 4904 3828 3625"):
        assert atlas[hex].reserve_site and atlas[hex].is_land


# --- areas -------------------------------------------------------------------------------------------------------


def test_2_2_2_every_sector_has_an_edge_of_land_on_its_side_of_the_map(atlas: Atlas) -> None:
    assert {n: len(hexes) for n, hexes in atlas.sectors.items()} == {1: 12, 2: 17, 3: 13, 4: 8, 5: 9}
    assert atlas["3534"].sector == 1 and atlas["4734"].sector == 2
    assert (atlas["4301"].sector, atlas["3301"].sector, atlas["2501"].sector) == (3, 4, 5)
    for number, hexes in atlas.sectors.items():
        assert {atlas[hex].side for hex in hexes} == {Side.NATO if number < 3 else Side.WP}


def test_2_2_3_every_coastal_and_all_sea_hex_belongs_to_one_sea(atlas: Atlas) -> None:
    for place in atlas.places.values():
        assert (place.sea_area is None) == (place.is_land and not place.is_coastal)
    assert atlas[COPENHAGEN].sea_area == atlas["2111"].sea_area == "baltic"
    assert atlas["1420"].sea_area == atlas["3030"].sea_area == "north_sea"


def test_25_7_5_the_baltap_zone_is_denmark_and_west_germany_north_of_the_elbe(atlas: Atlas) -> None:
    elbe = set(atlas.rivers["Elbe"])
    west = {hex for hex, place in atlas.places.items() if place.country is Country.WG and hex != WEST_BERLIN}
    baltap = {hex for hex in west if atlas[hex].zone is Zone.BALTAP}
    for hex in sorted(west):
        for near in set(grid.neighbours(hex)) & west:
            across = pair(hex, near) in elbe
            assert across == ((hex in baltap) != (near in baltap)), (hex, near)
    assert {"2416", "2417", "2214", "2116"} <= baltap and "2615" not in baltap and "2420" not in baltap
    assert all(place.zone is Zone.BALTAP for place in atlas.places.values() if place.country is Country.DK)


def test_2_2_7_the_line_between_northag_and_centag(atlas: Atlas) -> None:
    assert {atlas[hex].zone for hex in ("3117", "3524", "3825", "3930")} == {Zone.NORTHAG, Zone.CENTAG} - {
        Zone.CENTAG
    }
    assert {atlas[hex].zone for hex in ("3618", "4220", "5313", "5023")} == {Zone.CENTAG}


def test_10_3_3_6_the_islands(atlas: Atlas) -> None:
    assert sum(place.island == "Zealand" for place in atlas.places.values()) == 21
    assert sum(place.island == "Lolland" for place in atlas.places.values()) == 7
    assert atlas[COPENHAGEN].island == "Zealand" and atlas["1415"].island == "Fyn"


def test_2_2_4_the_deployment_bands_lie_two_hexes_deep_along_the_curtain(atlas: Atlas) -> None:
    for hex, place in atlas.places.items():
        near = (
            atlas.curtain[hex] <= 1 and place.country in (Country.WG, Country.EG, Country.CS) and hex != WEST_BERLIN
        )
        assert bool(place.band) == near, hex
    bands = {place.band for place in atlas.places.values()} - {""}
    assert bands == {
        *("LJ", "NE-I", "WG-I", "BR-I", "BE-I", "WG-III", "US-V", "US-VII", "FR-I", "WG-II"),
        *("BAF", "NEGF", "POF", "SEGF", "CAF", "CZF"),
    }


def test_32_1_3_prague(atlas: Atlas) -> None:
    assert atlas.name(PRAGUE) == "Prague 4203"
    assert atlas.find("prague") == PRAGUE and atlas.find("Koeln") == atlas.find("Köln") == "3825"
    assert atlas.find("3825") == "3825" and atlas.find("0101") is None and atlas.find("nowhere") is None


def test_2_2_every_hex_and_hexside_names_its_origin(atlas: Atlas) -> None:
    origins = {place.origin for place in atlas.places.values()} | {side.origin for side in atlas.sides.values()}
    assert origins == {"published", "public", "house"}
    assert atlas["3218"].origin == "published" and atlas.hexside("2818", "2819").origin == "public"
    assert {atlas.hexside(*side.split("|")).origin for side in MINOR} == {"published"}
