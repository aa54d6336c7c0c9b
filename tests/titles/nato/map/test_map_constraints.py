"""2.2 The map as a whole agrees with the worked examples: supply, sea routes, rivers and distances."""

from collections import deque
from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest

from pbem.engine.geometry.hexes import side_between, side_corners
from pbem.titles.data_files import DataError
from pbem.titles.nato.cards.files import packaged
from pbem.titles.nato.map import grid
from pbem.titles.nato.map.atlas import COPENHAGEN, FERRY, WEST_BERLIN, Atlas
from pbem.titles.nato.map.ground import Country, Side, Terrain
from pbem.titles.nato.map.reading import MAP_FILES, read_atlas
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


def by_land(atlas: Atlas) -> Callable[[str], list[str]]:
    """12.1.1 Return the steps over land from a hex."""
    return lambda hex: [near for near, _ in atlas.ground[hex]]


def pieces(atlas: Atlas) -> list[set[str]]:
    """Return the parts of the land that no ground unit can leave."""
    left, found = set(atlas.ground), []
    while left:
        waiting, piece = deque([min(left)]), set[str]()
        while waiting:
            hex = waiting.popleft()
            if hex not in piece:
                piece.add(hex)
                waiting.extend(near for near, _ in atlas.ground[hex])
        found.append(piece)
        left -= piece
    return found


def test_11_3_every_hex_lies_within_5_hexes_of_a_city(atlas: Atlas) -> None:
    near = {hex for city in atlas.cities for hex in grid.within(city, 5)}
    assert [hex for hex in atlas if hex not in near] == []


def test_2_2_the_map_has_the_expected_size(atlas: Atlas) -> None:
    assert len(atlas) == 1442
    assert {grid.row(hex) for hex in atlas} == set(range(1, 58))
    assert max(grid.column(hex) for hex in atlas) == 34


def test_2_2_every_land_hex_has_a_country_and_every_sea_hex_has_none(atlas: Atlas) -> None:
    for place in atlas.places.values():
        assert (place.country is None) == place.is_sea == (place.terrain is Terrain.SEA)


def test_2_2_3_a_land_hex_beside_an_all_sea_hex_is_coastal(atlas: Atlas) -> None:
    for hex, place in atlas.places.items():
        if place.is_land and any(atlas[near].is_sea for near in atlas.neighbours[hex]):
            assert place.is_coastal, hex


def test_10_2_4_the_land_has_two_pieces_joined_by_the_ferry(atlas: Atlas) -> None:
    """L1647: the ferry is the only way between Zealand and Fyn."""
    found = pieces(atlas)
    assert len(found) == 2
    islands = next(piece for piece in found if COPENHAGEN in piece)
    assert {atlas[hex].island for hex in islands} == {"Zealand", "Lolland"}
    assert FERRY[0] in islands and FERRY[1] not in islands
    assert "1513" in by_land(atlas)("1512")


def test_10_3_3_6_copenhagen_reaches_zealand_and_lolland_within_10_hexes(atlas: Atlas) -> None:
    for hex, place in atlas.places.items():
        if place.island in ("Zealand", "Lolland"):
            assert reach(COPENHAGEN, [hex], by_land(atlas), 10) is not None, hex


def test_10_3_3_1_every_city_but_copenhagen_links_with_another_of_its_side(atlas: Atlas) -> None:
    for city in atlas.cities:
        others = [hex for hex in atlas.cities if atlas[hex].side is atlas[city].side and hex != city]
        linked = reach(city, others, by_land(atlas), 10) is not None
        assert linked == (city != COPENHAGEN), city


def test_10_2_2_the_links_of_the_first_supply_example(atlas: Atlas) -> None:
    """L1628: the links run from Oldenburg to Lüneburg to Schwerin, each at most 10 hexes."""
    assert reach("2621", ["2615"], by_land(atlas), 10) is not None
    assert reach("2615", ["2412"], by_land(atlas), 10) is not None


def test_10_3_2_1_delfzijl_lies_within_10_hexes_of_the_west_bank_of_the_weser(atlas: Atlas) -> None:
    """L1626: the British HQ, within support range of the Weser line, reaches the port."""
    assert grid.distance("2822", "2526") == 5
    assert reach("2822", ["2526"], by_land(atlas), 10) is not None


# --- the sea -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("port", sorted(packaged_atlas().ports))
def test_10_3_3_2_every_port_on_the_coast_reaches_open_sea(port: str) -> None:
    atlas = packaged_atlas()
    if atlas[port].is_coastal and port not in atlas.routes:
        assert reach(port, atlas.open_sea, lambda hex: atlas.sea[hex], 10) is not None


def test_10_3_3_2_bremerhaven_is_closed_by_a_zone_of_control_from_2321(atlas: Atlas) -> None:
    """L1630: every path to open sea leaves through 2320, 2321 or 2421."""
    shut = {"2320", "2321", "2421"}
    assert reach("2420", atlas.open_sea, lambda hex: atlas.sea[hex], 10) is not None
    assert reach("2420", atlas.open_sea, lambda hex: set(atlas.sea[hex]) - shut, 40) is None
    assert shut <= set(grid.neighbours("2321")) | {"2321"}


def test_10_3_3_2_odense_and_copenhagen_reach_open_sea(atlas: Atlas) -> None:
    assert reach("1415", atlas.open_sea, lambda hex: atlas.sea[hex], 10) is not None
    assert reach("1310", atlas.open_sea, lambda hex: atlas.sea[hex], 10) is not None
    around = set(grid.neighbours("1310"))
    covered = {hex for unit in ("1209", "1210", "1410") for hex in (unit, *grid.neighbours(unit))}
    assert around <= covered


def test_10_3_3_2_open_sea_touches_no_coast(atlas: Atlas) -> None:
    assert len(atlas.open_sea) > 40
    for hex in atlas.open_sea:
        assert atlas[hex].is_sea and not any(atlas[near].is_coastal for near in atlas.neighbours[hex])


def test_14_2_2_ships_can_go_from_every_coastal_port_to_every_other(atlas: Atlas) -> None:
    """Ships can pass Jutland too, because Bremerhaven, Hanstholm and Kiel are on one sea.

    Antwerp has its own way down the Schelde.
    """
    ports = [hex for hex in atlas.ports if atlas[hex].is_coastal and hex not in atlas.routes]
    for port in ports:
        assert reach("2420", {port}, lambda hex: atlas.sea[hex], 99) is not None, port


@pytest.mark.rule("14.2.4", effect=True)
def test_14_2_4_ships_appear_at_the_outer_edge_of_their_sea_and_never_in_an_enemy_country(atlas: Atlas) -> None:
    friends = {"north_sea": Side.NATO, "baltic": Side.WP}
    for area, side in friends.items():
        edge = atlas.sea_edge[area]  # type: ignore[index]
        assert len(edge) > 8 and all(hex in atlas.sea for hex in edge)
        assert {atlas[hex].side for hex in edge} <= {None, side}
    assert COPENHAGEN not in atlas.sea_edge["baltic"]


def test_18_1_helicopters_can_fly_from_2110_to_1410_clear_of_danish_zones(atlas: Atlas) -> None:
    """L2210: the flight takes at most 10 hexes and enters no hex next to Danish land except 1410 and its
    neighbours.
    """
    danish = {hex for hex, place in atlas.places.items() if place.country is Country.DK}
    allowed = set(grid.within("1410", 1))

    def fly(hex: str) -> list[str]:
        return [near for near in atlas.neighbours[hex] if near in allowed or near not in danish]

    assert reach("2110", ["1410"], fly, 10) is not None


# --- rivers ------------------------------------------------------------------------------------------------------


def corners(side: tuple[str, str]) -> set[object]:
    """Return the two ends of a hexside."""
    return set(side_corners(side_between(grid.to_hex(side[0]), grid.to_hex(side[1]))))


@pytest.mark.parametrize("river", sorted(packaged_atlas().rivers))
def test_2_2_1_every_river_is_one_unbroken_line_without_repetition(river: str) -> None:
    course = packaged_atlas().rivers[river]
    assert len(set(course)) == len(course)
    for a, b in pairwise(course):
        assert len(corners(a) & corners(b)) == 1, (a, b)


def test_34_1_1_rhine_and_waal_part_the_map_in_two(atlas: Atlas) -> None:
    """The hexes west of the Rhine and south of the Waal are bordered by these two major rivers."""
    for hex, place in atlas.places.items():
        for near in atlas.neighbours[hex]:
            if place.west_of_rhine and not atlas[near].west_of_rhine and place.is_land and atlas[near].is_land:
                assert atlas.hexside(hex, near).river == "major", (hex, near)
                assert atlas.hexside(hex, near).name in ("Rhine", "Waal")
    assert not any(atlas[hex].west_of_rhine for hex in ("3526", "3625", "4322", "4620", "5424", "3228"))
    assert all(atlas[hex].west_of_rhine for hex in ("3626", "3825", "3925", "4125", "4421", "5023", "3329"))


@pytest.mark.parametrize("river", ["Rhine", "Waal", "Elbe", "Weser", "Oder", "Danube"])
def test_5_10_the_great_rivers_are_major_all_along(atlas: Atlas, river: str) -> None:
    assert all(atlas.hexside(*side).river == "major" for side in atlas.rivers[river])


def test_5_10_rhine_and_waal_run_from_basel_to_the_sea_and_the_elbe_from_bohemia(atlas: Atlas) -> None:
    assert corners(atlas.rivers["Rhine"][-1]) & corners(atlas.rivers["Waal"][0])
    assert grid.row(atlas.rivers["Rhine"][0][0]) >= 56
    assert any(atlas[hex].is_coastal for hex in atlas.rivers["Waal"][-1])
    assert any(atlas[hex].country is Country.CS for hex in atlas.rivers["Elbe"][0])
    assert any(atlas[hex].is_coastal for hex in atlas.rivers["Elbe"][-1])


def test_29_7_the_elbe_parts_the_land_from_bohemia_to_the_north_sea(atlas: Atlas) -> None:
    north = {hex for hex in atlas.north_of_elbe if atlas[hex].is_land}
    for hex in ["1310", "2116", "2416", "2417", "2111", "2412", "3006", "3007", "3108", "2504", "3301"]:
        assert hex in north, hex
    for hex in ["2615", "2420", "2720", "3117", "3212", "3511", "3609", "4406", "4220", "5313"]:
        assert hex not in north, hex
    line = {*atlas.rivers["Elbe"], *atlas.rivers["Upper Elbe"]}
    for hex in north:
        for near in atlas.neighbours[hex]:
            if atlas[near].is_land:
                assert (near in north) != ((min(hex, near), max(hex, near)) in line), (hex, near)
    assert {hex for hex in atlas.baltap if atlas[hex].is_land} == {
        hex for hex in north if atlas[hex].country in (Country.DK, Country.WG) and hex != WEST_BERLIN
    }


@pytest.mark.parametrize("port", ["2417", "2504", "2720", "3632"])
def test_16_2_1_1_river_routes_lead_from_the_port_to_the_coast_along_a_major_river(atlas: Atlas, port: str) -> None:
    route = atlas.routes[port]
    assert route.hexes[0] == port and atlas[route.hexes[-1]].is_coastal
    assert all(grid.adjacent(a, b) for a, b in pairwise(route.hexes))
    assert all(atlas.hexside(*side).river == "major" for side in route.downstream)
    assert reach(route.hexes[-1], atlas.open_sea, lambda hex: atlas.sea[hex], 10) is not None


def test_25_8_2_no_exploitation_across_the_weser(atlas: Atlas) -> None:
    west, east = ("2521", "2819", "2919"), ("2420", "2520", "2620", "2720", "2719", "2818", "2918", "3018")
    for hex in west:
        for near in set(grid.neighbours(hex)) & set(east):
            assert atlas.hexside(hex, near).river == "major"


def test_12_1_every_pass_leads_into_mountains(atlas: Atlas) -> None:
    passes = [side for side, feature in atlas.sides.items() if feature.pass_]
    assert len(passes) > 20
    for a, b in passes:
        assert Terrain.MOUNTAIN in (atlas[a].terrain, atlas[b].terrain), (a, b)


def test_2_2_bridges_and_names_lie_on_land(atlas: Atlas) -> None:
    assert all(place.is_land for place in atlas.places.values() if place.bridge or place.name or place.city)


# --- what people know of Germany ---------------------------------------------------------------------------------


def test_2_2_1_well_known_mountains_and_gaps(atlas: Atlas) -> None:
    mountains = {"Harz": "3315 3414 3415", "Thuringian Forest": "3915 3916 4015", "Bohemian Forest": "4806 4807 4906"}
    mountains |= {"Ore Mountains": "4007 4008 4108", "Black Forest": "5222 5322 5423", "Vosges": "5225 5326"}
    for name, hexes in mountains.items():
        assert {atlas[hex].terrain for hex in hexes.split()} == {Terrain.MOUNTAIN}, name
    for name, hexes in {
        "Fulda Gap": "4017 4018 4118 3918 3919",
        "Hof Gap": "4111 4210 4211",
        "Furth": "4708",
    }.items():
        assert {atlas[hex].terrain for hex in hexes.split()} == {Terrain.CLEAR}, name


def test_2_2_1_cities_lie_on_their_rivers(atlas: Atlas) -> None:
    banks = {"3825": "Rhine", "2416": "Elbe", "3706": "Elbe", "3212": "Elbe", "2720": "Weser", "4910": "Danube"}
    banks |= {"5117": "Danube", "4125": "Rhine", "4220": "Main", "4416": "Main", "5019": "Neckar", "5313": "Isar"}
    banks |= {"3930": "Maas", "2504": "Oder", "4203": "Vltava"}
    for hex, river in banks.items():
        assert any(hex in side for side in atlas.rivers[river]), (hex, river)


# --- mistakes in the files ---------------------------------------------------------------------------------------


def read_with(name: str, old: str, new: str) -> None:
    """Read the map with one file changed."""
    files = {each: packaged(f"map/{each}") for each in MAP_FILES}
    text = files[name].decode()
    assert old in text
    read_atlas(files | {name: text.replace(old, new, 1).encode()})


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("hexes.csv", "3218,inland,WG", "3218,dry,WG", "3218: 'dry'"),
        ("hexes.csv", "hex,water", "hex,wet", "the columns water are missing"),
        ("rivers.toml", "2818|2819", "2818|2829", "two adjacent hexes"),
        ("hexsides.csv", "2421,2422,blocked", "2421,2422,blokked", "Did you mean blocked"),
        ("corrections.toml", '"1410 2521', '"0101 2521', "no such hex"),
        ("corrections.toml", 'terrain = "clear"', 'terrain = "lava"', "lava"),
        ("areas.toml", "[sector]", "[sectors]", "sectors"),
    ],
)
def test_2_2_a_mistake_in_a_map_file_is_named(name: str, old: str, new: str, said: str) -> None:
    with pytest.raises(DataError, match=said.replace("'", ".").replace("(", ".")):
        read_with(name, old, new)


def test_2_2_part_of_the_map_keeps_its_hexsides(atlas: Atlas) -> None:
    part = atlas.cut(hex for hex in atlas if 29 <= grid.row(hex) <= 35 and 11 <= grid.column(hex) <= 25)
    assert len(part) == 105
    assert part.hexside("3118", "3218") == atlas.hexside("3118", "3218")
    assert set(part.neighbours["2925"]) < set(atlas.neighbours["2925"])
    assert part.routes == {}
