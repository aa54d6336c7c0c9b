"""2.2 Reading the map: the base files, the corrections laid over them, and the areas drawn on top.

    hexes.csv          every hex: water, country, terrain, city, port
    rivers.toml        the course of each river along hexsides, from its source to its mouth
    hexsides.csv       straits, causeways, blocked hexsides and passes
    corrections.toml   single hexes and hexsides corrected by hand, each with the reason
    areas.toml         sectors, sea areas, zones, islands, bands, reserve sites, bridges, river routes, names

The Iron Curtain follows from the countries: it runs along every hexside between West Germany and East Germany
or Czechoslovakia (35.5), and around West Berlin.
"""

from collections import deque
from collections.abc import Container, Iterable, Mapping
from functools import cache, lru_cache
from typing import Final

import msgspec

from pbem.titles.data_files import DataError, nearest
from pbem.titles.nato.cards.files import Mistake, convert, packaged, read_csv, read_toml
from pbem.titles.nato.map import grid
from pbem.titles.nato.map.atlas import COPENHAGEN, Atlas, Pair, pair
from pbem.titles.nato.map.grid import Compass, HexId
from pbem.titles.nato.map.ground import (
    Barrier,
    CityClass,
    Country,
    Hexside,
    Place,
    River,
    RiverRoute,
    SeaArea,
    Terrain,
    Water,
    Zone,
)

MAP_FILES: Final = ("hexes.csv", "rivers.toml", "hexsides.csv", "corrections.toml", "areas.toml")
CLASSES: Final = {"": None, "s": CityClass.SMALL, "m": CityClass.MAJOR, "k": CityClass.KEY}
FEATURES: Final = ("all_sea", "blocked", "causeway", "afsluitdijk", "ferry", "pass", "none")
ELBE: Final = ("Elbe", "Upper Elbe")
EASTERN: Final = (Country.EG, Country.CS)


class Draft(msgspec.Struct):
    """One hex while the files are being read."""

    hex: HexId
    water: Water
    terrain: Terrain
    country: Country | None
    city: str
    city_class: CityClass | None
    port: int
    origin: str


class Course(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A river: its hexsides from the source to the mouth."""

    name: str
    size: River
    course: str
    origin: str = "house"
    published: str = ""
    """Hexsides of this river that are given in the rulebook."""
    public: str = ""
    """Hexsides of this river that are given in public material."""


class HexChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A correction to some hexes."""

    hexes: str
    why: str
    terrain: Terrain | None = None
    water: Water | None = None
    country: Country | None = None
    origin: str = "house"


class SideChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A correction to some hexsides."""

    sides: str
    why: str
    feature: str
    name: str = ""
    origin: str = "house"


class Corrections(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `corrections.toml`: hexes and hexsides that were corrected by hand."""

    hex: tuple[HexChange, ...] = ()
    hexside: tuple[SideChange, ...] = ()


class Rows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A range of rows and columns."""

    rows: tuple[int, int]
    columns: tuple[int, int] = (1, 99)

    def __contains__(self, hex: HexId) -> bool:
        return (
            self.rows[0] <= grid.row(hex) <= self.rows[1] and self.columns[0] <= grid.column(hex) <= self.columns[1]
        )


class SectorShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """2.2.2 The edge of a reinforcement sector: the outermost land hex of each row."""

    edge: str
    rows: tuple[int, int]


class RouteShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """14.2.2 The route from a river port to the sea."""

    hexes: str
    downstream: str


class Areas(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `areas.toml`: everything that is drawn over the terrain."""

    sector: dict[str, SectorShape]
    sea_area: dict[SeaArea, tuple[Rows, ...]]
    zone: dict[Zone, str]
    island: dict[str, str]
    west_of_rhine: dict[str, int]
    reserve_sites: dict[str, str]
    bridges: str
    fortified: str
    route: dict[HexId, RouteShape]
    band: dict[str, str]
    names: dict[HexId, str]
    sea_edge: dict[SeaArea, SectorShape] = {}


@cache
def atlas() -> Atlas:
    """The packaged map."""
    return read_atlas({name: packaged(f"map/{name}") for name in MAP_FILES})


def read_atlas(files: Mapping[str, bytes]) -> Atlas:
    """2.2 Read the map from these files; DataError lists every mistake. Matches with the same files share the map."""
    return _read_atlas(tuple(files[name] for name in MAP_FILES))


@lru_cache(maxsize=4)
def _read_atlas(contents: tuple[bytes, ...]) -> Atlas:
    files = dict(zip(MAP_FILES, contents, strict=True))
    drafts = read_hexes(files["hexes.csv"])
    rivers = read_rivers(files["rivers.toml"])
    corrections = convert(read_toml(files["corrections.toml"], "corrections.toml"), Corrections, "corrections.toml")
    areas = convert(read_toml(files["areas.toml"], "areas.toml"), Areas, "areas.toml")
    correct_hexes(drafts, corrections)
    sides = draw_rivers(rivers)
    for features in (read_hexsides(files["hexsides.csv"]), corrections.hexside):
        draw_features(sides, features)
    north = beyond_elbe(drafts, rivers)
    places = {hex: place_of(drafts[hex], areas, drafts, north) for hex in sorted(drafts)}
    draw_curtain(sides, places)
    check_sides(sides, places)
    routes = {
        hex: RiverRoute(tuple(route.hexes.split()), tuple(parse_sides(route.downstream, "areas.toml")))
        for hex, route in areas.route.items()
    }
    ordered = {side: sides[side] for side in sorted(sides)}
    courses = {river.name: tuple(parse_sides(river.course, "rivers.toml")) for river in rivers}
    return Atlas(places, ordered, courses, routes)


# --- hexes -------------------------------------------------------------------------------------------------------


def read_hexes(data: bytes) -> dict[HexId, Draft]:
    """2.2.1 Read the hexes of the base file."""
    columns = ("hex", "water", "country", "terrain", "city", "class", "port", "origin")
    drafts: dict[HexId, Draft] = {}
    mistakes = []
    for row in read_csv(data, "hexes.csv", columns):
        try:
            draft = Draft(
                row["hex"],
                Water(row["water"]),
                Terrain(row["terrain"] or "sea"),
                Country(row["country"]) if row["country"] else None,
                row["city"],
                CLASSES[row["class"]],
                int(row["port"] or 0),
                row["origin"],
            )
        except (ValueError, KeyError) as error:
            mistakes.append(Mistake(row["hex"], f"{error} cannot be read", rule="2.2.1"))
            continue
        if not grid.is_hex(draft.hex) or draft.hex in drafts:
            mistakes.append(Mistake(row["hex"], "a hex is four digits and is listed once", rule="2.2.1"))
        drafts[draft.hex] = draft
    if mistakes:
        raise DataError("hexes.csv", mistakes)
    return drafts


def correct_hexes(drafts: dict[HexId, Draft], corrections: Corrections) -> None:
    """Apply the hex corrections to the base hexes."""
    mistakes = []
    for change in corrections.hex:
        for hex in change.hexes.split():
            draft = drafts.get(hex)
            if draft is None:
                mistakes.append(Mistake(hex, f"there is no such hex ({change.why})", rule="2.2.1"))
                continue
            draft.terrain = change.terrain or draft.terrain
            draft.water = change.water or draft.water
            draft.country = change.country or draft.country
            draft.origin = change.origin
            if draft.water is Water.SEA:
                draft.terrain, draft.country = Terrain.SEA, None
    if mistakes:
        raise DataError("corrections.toml", mistakes)


def place_of(draft: Draft, areas: Areas, drafts: Mapping[HexId, Draft], north: Container[HexId]) -> Place:
    """2.2 Build one hex with all its features and areas."""
    hex = draft.hex
    wet = draft.water is not Water.INLAND
    zone = zone_of(hex, areas)
    return Place(
        hex=hex,
        water=draft.water,
        terrain=draft.terrain,
        zone=zone,
        country=draft.country,
        city=draft.city,
        city_class=draft.city_class,
        port=draft.port,
        name=areas.names.get(hex, ""),
        reserve_site=any(hex in expand(sites) for sites in areas.reserve_sites.values()),
        bridge=hex in expand(areas.bridges),
        fortified=hex in expand(areas.fortified),
        sea_area=sea_area_of(hex, areas) if wet else None,
        north_of_elbe=hex in north or (draft.water is Water.SEA and zone is Zone.BALTAP),
        sea_edge=wet and on_sea_edge(hex, areas, drafts),
        sector=sector_of(draft, areas, drafts),
        island=next((name for name, hexes in areas.island.items() if hex in expand(hexes)), ""),
        west_of_rhine=grid.column(hex) >= areas.west_of_rhine.get(hex[:2], 99),
        band=next((name for name, hexes in areas.band.items() if hex in expand(hexes)), ""),
        origin=draft.origin,
    )


def beyond_elbe(drafts: Mapping[HexId, Draft], rivers: Iterable[Course]) -> frozenset[HexId]:
    """29.7 The land on Denmark's side of the Elbe: all hexes that can be reached without crossing the river."""
    river = {side for each in rivers if each.name in ELBE for side in parse_sides(each.course, "rivers.toml")}
    found = {COPENHAGEN}
    waiting = deque(found)
    while waiting:
        hex = waiting.popleft()
        for near in grid.neighbours(hex):
            dry = near in drafts and drafts[near].water is not Water.SEA
            if dry and near not in found and pair(hex, near) not in river:
                found.add(near)
                waiting.append(near)
    return frozenset(found)


def zone_of(hex: HexId, areas: Areas) -> Zone:
    """2.2.7 The command zone of a hex: the first zone that lists it, or CENTAG."""
    return next((zone for zone, text in areas.zone.items() if hex in expand(text)), Zone.CENTAG)


def sea_area_of(hex: HexId, areas: Areas) -> SeaArea | None:
    """2.2.3 The sea area of a coastal or all-sea hex."""
    return next((area for area, ranges in areas.sea_area.items() if any(hex in rows for rows in ranges)), None)


def on_sea_edge(hex: HexId, areas: Areas, drafts: Mapping[HexId, Draft]) -> bool:
    """14.2.4 Whether a sea or coastal hex is on the outer edge of its sea, where the map ends."""
    area = sea_area_of(hex, areas)
    shape = areas.sea_edge.get(area) if area is not None else None
    if shape is None or not shape.rows[0] <= grid.row(hex) <= shape.rows[1]:
        return False
    ways: tuple[Compass, ...] = ("E", "NE", "SE") if shape.edge == "east" else ("W", "NW", "SW")
    return any(grid.step(hex, way) not in drafts for way in ways)


def sector_of(draft: Draft, areas: Areas, drafts: Mapping[HexId, Draft]) -> int:
    """2.2.2 The sector whose edge includes this hex (the outermost land hex of its row); 0 if there is no such
    sector.
    """
    if draft.water is Water.SEA:
        return 0
    row = grid.row(draft.hex)
    for number, shape in areas.sector.items():
        if shape.rows[0] <= row <= shape.rows[1]:
            beyond = (
                range(1, grid.column(draft.hex)) if shape.edge == "east" else range(grid.column(draft.hex) + 1, 99)
            )
            outside = (drafts.get(grid.hex_id(row, column)) for column in beyond)
            if all(other is None or other.water is Water.SEA for other in outside):
                return int(number)
    return 0


@cache
def expand(text: str) -> frozenset[HexId]:
    """Expand a text to hexes: single numbers, and ranges within a row such as `3621-3633`."""
    found: list[HexId] = []
    for word in text.split():
        first, _, last = word.partition("-")
        found += [
            grid.hex_id(grid.row(first), column)
            for column in range(grid.column(first), grid.column(last or first) + 1)
        ]
    return frozenset(found)


# --- hexsides ----------------------------------------------------------------------------------------------------


def parse_sides(text: str, file: str) -> list[Pair]:
    """Parse the hexsides in a text, such as `2818|2819 2719|2819`, in the order given."""
    found = []
    for word in text.split():
        a, bar, b = word.partition("|")
        if not (bar and grid.is_hex(a) and grid.is_hex(b) and grid.adjacent(a, b)):
            raise DataError(file, [Mistake(word, "a hexside is two adjacent hexes, such as 2818|2819", rule="2.2.1")])
        found.append(pair(a, b))
    return found


def read_rivers(data: bytes) -> tuple[Course, ...]:
    """2.2.1 Read the rivers of the map."""
    return tuple(convert(each, Course, "rivers.toml") for each in read_toml(data, "rivers.toml").get("river", ()))


def draw_rivers(rivers: Iterable[Course]) -> dict[Pair, Hexside]:
    """2.2.1 The hexsides along rivers; where two rivers share a hexside, the major one counts."""
    sides: dict[Pair, Hexside] = {}
    for river in rivers:
        origins = dict.fromkeys(parse_sides(river.public, "rivers.toml"), "public")
        origins |= dict.fromkeys(parse_sides(river.published, "rivers.toml"), "published")
        for side in parse_sides(river.course, "rivers.toml"):
            if sides.get(side, Hexside()).river != "major":
                origin = origins.get(side, river.origin)
                sides[side] = Hexside(river=river.size, name=river.name, origin=origin)
    return sides


def read_hexsides(data: bytes) -> tuple[SideChange, ...]:
    """2.2.1 Read straits, causeways, blocked hexsides and passes."""
    rows = read_csv(data, "hexsides.csv", ("a", "b", "feature", "name", "origin"))
    return tuple(
        SideChange(f"{row['a']}|{row['b']}", "hexsides.csv", row["feature"], row["name"], row["origin"])
        for row in rows
    )


def draw_features(sides: dict[Pair, Hexside], features: Iterable[SideChange]) -> None:
    """2.2.1 Put features on their hexsides; `none` clears a hexside."""
    for change in features:
        if change.feature not in FEATURES:
            near = nearest(change.feature, FEATURES)
            raise DataError("hexsides", [Mistake(change.sides, f"'{change.feature}' is unknown.", near, "2.2.1")])
        for side in parse_sides(change.sides, "hexsides"):
            if change.feature == "none":
                sides.pop(side, None)
            else:
                sides[side] = add_feature(sides.get(side, Hexside()), change)


def add_feature(side: Hexside, change: SideChange) -> Hexside:
    """2.2.1 Return a hexside with one more feature."""
    shut: dict[str, Barrier] = {"blocked": "blocked", "all_sea": "all_sea"}
    barrier: Barrier = shut.get(change.feature, "all_sea")
    name = change.name or side.name
    if change.feature == "pass":
        return msgspec.structs.replace(side, pass_=True, name=name, origin=change.origin)
    return Hexside(
        river=side.river,
        name=name,
        barrier=barrier,
        causeway=change.feature in ("causeway", "afsluitdijk"),
        no_attack=change.feature == "afsluitdijk",
        ferry=change.feature == "ferry",
        origin=change.origin,
    )


def draw_curtain(sides: dict[Pair, Hexside], places: Mapping[HexId, Place]) -> None:
    """35.5 Draw the Iron Curtain: every hexside between West Germany and East Germany or Czechoslovakia."""
    for hex, place in places.items():
        for near in grid.neighbours(hex):
            if place.country is Country.WG and near in places and places[near].country in EASTERN:
                side = pair(hex, near)
                sides[side] = msgspec.structs.replace(sides.get(side, Hexside()), iron_curtain=True)


def check_sides(sides: Mapping[Pair, Hexside], places: Mapping[HexId, Place]) -> None:
    """2.2.1 Check that every feature lies between two hexes of the map."""
    lost = [side for side in sides if side[0] not in places or side[1] not in places]
    if lost:
        what = "one of its hexes is not on the map"
        raise DataError("hexsides", [Mistake("|".join(side), what, rule="2.2.1") for side in lost])
