"""1.2 The map: the terrain of each hex and hexside, and the hexes joined by roads or paths.

    1.2          Board, read_board, Board.hexes, is_on_map, terrain, place_of, places
    4.1.4.1      Board.level, ground, storeys, is_sunken
    4.1.4.1.5    Board.side, features: slope, crest, cliff, wall, defilade, hedgerow
    4.1.4.1.6    Board.is_bridge, along_gully
    4.5.1.1.5    Board.link, links, linked
    4.5.1.1.9    Board.edge, edge_hexes
    4.5.1.1.11   Board.with_tracks
    6.1.4.3      Board.with_terrain
    1.3          level_map and the like, for `overlays`
    notation     expand_hexes, on_map, sides_of_chain

A map is a TOML file with its hexes drawn as text, one character per hex, one line per row:

    terrain = '''
     0  ._.          row number, then columns A, B, C …; _ means no hex
     1  .l.
    '''

Columns A, C, E … sit half a hex lower, so a map with straight edges has a row 0 in these columns only; the half hexes
at its edges can be entered like any other. `levels` is a second drawing of digits, `.` for 0. Hexsides are written as
hex and directions: `C3:45` for sides 4 and 5 of C3 (1 is the top, then clockwise). Roads and paths are chains of
neighbours, `off5-A5-B5-C5`; `off5` leaves the map through side 5 of its neighbour in the chain. The same bytes always
give an equal board: `digest` is their hash.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Final, Literal, get_args

import msgspec

from pbem.engine.geometry.hexes import (
    Hex,
    Side,
    distance,
    from_offset,
    hex_name,
    hexside,
    neighbour,
    neighbours,
    opposite,
    parse_hex,
    side_between,
    side_hexes,
    to_offset,
)
from pbem.titles.data_files import DataError, nearest
from pbem.titles.panzer.cards.basic_rows import EDITIONS, LinkKind
from pbem.titles.panzer.cards.charts import Charts, charts
from pbem.titles.panzer.cards.files import Mistake, convert, read_toml
from pbem.titles.panzer.numbering import ledger_row

Edge = Literal["north", "east", "south", "west"]
EDGES: Final[tuple[Edge, ...]] = get_args(Edge)
NO_HEX: Final = "_"
STEEPEST_SLOPE: Final = 2
"""4.5.1.1.2 The most levels a vehicle can cross at once; a higher hill edge is a cliff unless drawn otherwise."""


@dataclass(frozen=True)
class Board:
    """1.2 An immutable map. Two boards from the same bytes are equal."""

    name: str = field(compare=False)
    digest: str
    hexes: tuple[Hex, ...] = field(compare=False, repr=False)
    """All hexes, column by column from the left, each from top to bottom."""
    places: Mapping[str, tuple[Hex, ...]] = field(compare=False, repr=False)
    """1.2 Named places, such as villages and hills, with their hexes."""
    _terrain: Mapping[Hex, tuple[str, ...]] = field(compare=False, repr=False)
    _levels: Mapping[Hex, int] = field(compare=False, repr=False)
    _grounds: Mapping[Hex, int] = field(compare=False, repr=False)
    _gullies: frozenset[Hex] = field(compare=False, repr=False)
    _storeys: Mapping[Hex, int] = field(compare=False, repr=False)
    _features: Mapping[Side, tuple[str, ...]] = field(compare=False, repr=False)
    _links: Mapping[Side, LinkKind] = field(compare=False, repr=False)
    before: "Board | None" = field(default=None, compare=False, repr=False)
    """6.1.4.3 The map before terrain changed in some of its hexes; everything else is unchanged."""

    def is_on_map(self, hex: Hex) -> bool:
        """1.2 Whether the hex is on the map; off the map there is nothing, and nothing blocks."""
        return hex in self._levels

    def terrain(self, hex: Hex) -> tuple[str, ...]:
        """1.2 The terrain types in a hex, by id in the Terrain Effects Table."""
        return self._terrain[hex]

    def level(self, hex: Hex) -> int:
        """4.1.4.1.4 The hill level of a hex; for a gully, that of the ground around it."""
        return self._levels[hex]

    def ground(self, hex: Hex) -> int:
        """4.1.4.2 The height of a unit on the ground of a hex: its level, one less in sunken ground."""
        return self._grounds[hex]

    def storeys(self, hex: Hex) -> int:
        """4.1.4.1.3 How many storeys the buildings of a hex have."""
        return self._storeys.get(hex, 1)

    def is_sunken(self, hex: Hex) -> bool:
        """4.1.4.1.6 Whether a unit in the hex is down in a gully, ditch, ford or stream (not on a bridge)."""
        return self._grounds[hex] < self._levels[hex]

    def is_bridge(self, hex: Hex) -> bool:
        """4.5.1.1.6 Whether the hex is a bridge."""
        return "bridge" in self._terrain[hex]

    def along_gully(self, hex: Hex) -> bool:
        """4.1.4.1.6 Whether a line along a gully stays open here: it does in sunken ground or on a bridge (A-10)."""
        return hex in self._gullies

    def side(self, a: Hex, b: Hex) -> tuple[str, ...]:
        """4.1.4.1.5 The features on the hexside between two neighbours, including cliffs."""
        return self._features.get(side_between(a, b), ())

    def features(self, side: Side) -> tuple[str, ...]:
        """4.1.4.1.5 The features on a hexside, including cliffs."""
        return self._features.get(side, ())

    def link(self, a: Hex, b: Hex) -> LinkKind | None:
        """4.5.1.1.5 The link between two neighbours; b may be off the map where a road leaves it."""
        return self._links.get(side_between(a, b))

    def linked(self, side: Side) -> bool:
        """4.5.1.1.5 Whether a road, path or track crosses a hexside."""
        return side in self._links

    def links(self, hex: Hex) -> tuple[tuple[int, LinkKind], ...]:
        """4.5.1.1.5 The directions in which roads, paths and tracks leave a hex, from the top clockwise."""
        return self._links_from.get(hex, ())

    @cached_property
    def _links_from(self) -> Mapping[Hex, tuple[tuple[int, LinkKind], ...]]:
        """4.5.1.1.5 The links by the hexes they join, including hexes beyond the edge."""
        found: dict[Hex, list[tuple[int, LinkKind]]] = {}
        for side, kind in self._links.items():
            for hex, direction in zip(side_hexes(side), (side.direction, opposite(side.direction)), strict=True):
                found.setdefault(hex, []).append((direction, kind))
        return {hex: tuple(sorted(links)) for hex, links in found.items()}

    @cached_property
    def rim(self) -> frozenset[Hex]:
        """4.5.1.1.9 The hexes from which a step can lead off the map."""
        return frozenset(hex for hex in self.hexes if not all(map(self.is_on_map, neighbours(hex))))

    def edge(self, hex: Hex, direction: int) -> Edge | None:
        """4.5.1.1.9 The map edge crossed by a step in this direction, or None."""
        beyond = neighbour(hex, direction)
        if self.is_on_map(beyond):
            return None
        if beyond.x < self.hexes[0].x:
            return "west"
        if beyond.x > self.hexes[-1].x:
            return "east"
        return "north" if beyond.y < hex.y else "south"

    def edge_hexes(self, edge: Edge) -> tuple[Hex, ...]:
        """4.5.1.1.9 The hexes from which a unit can leave by an edge."""
        return tuple(hex for hex in self.hexes if any(self.edge(hex, way) == edge for way in range(1, 7)))

    def place_of(self, hex: Hex) -> str:
        """1.2 The name of the place a hex belongs to, or an empty string."""
        return next((name for name, hexes in self.places.items() if hex in hexes), "")

    def with_tracks(self, sides: Iterable[Side]) -> "Board":
        """4.5.1.1.11 The map with these paths or roads declared as tracks."""
        tracks: dict[Side, LinkKind] = dict.fromkeys(sides, "track")
        return replace(
            self,
            digest=digest_of(self.digest, "tracks", sorted(tracks)),
            _links={**self._links, **tracks},
            before=None,
        )

    def with_storeys(self, storeys: Mapping[Hex, int]) -> "Board":
        """4.1.4.1.3 The map with this many storeys in these building hexes."""
        return replace(
            self,
            digest=digest_of(self.digest, "storeys", sorted(storeys.items())),
            _storeys={**self._storeys, **storeys},
        )

    def with_terrain(self, terrain: Mapping[Hex, tuple[str, ...]], table: Charts) -> "Board":
        """6.1.4.3 The map with other terrain in these hexes, such as dug ditches or destroyed buildings."""
        sunken = {hex: any(table.terrain(name).sunken for name in types) for hex, types in terrain.items()}
        dug = {hex for hex, types in terrain.items() if sunken[hex] and "bridge" not in types}
        return replace(
            self,
            digest=digest_of(self.digest, "terrain", sorted(terrain.items())),
            _terrain={**self._terrain, **terrain},
            _grounds={**self._grounds, **{hex: self._levels[hex] - (hex in dug) for hex in terrain}},
            _gullies=(self._gullies - terrain.keys()) | {hex for hex in terrain if sunken[hex]},
            before=self,
        )

    @property
    def level_map(self) -> Mapping[Hex, int]:
        """4.1.4.1.4 The hill levels of all hexes."""
        return self._levels

    @property
    def storey_map(self) -> Mapping[Hex, int]:
        """4.1.4.1.3 The buildings that have more than one storey."""
        return self._storeys

    @property
    def feature_map(self) -> Mapping[Side, tuple[str, ...]]:
        """4.1.4.1.5 All hexsides that have features."""
        return self._features

    @property
    def link_map(self) -> Mapping[Side, LinkKind]:
        """4.5.1.1.5 All hexsides crossed by a road, path or track."""
        return self._links

    def changed_hexes(self) -> frozenset[Hex]:
        """6.1.4.3 The hexes that differ from the map before the change."""
        old = self.before
        if old is None:
            return frozenset()
        return frozenset(
            hex
            for hex in self.hexes
            if self._terrain[hex] != old._terrain[hex]
            or self._grounds[hex] != old._grounds[hex]
            or (hex in self._gullies) != (hex in old._gullies)
        )


# --- reading -------------------------------------------------------------------------------------------------


class MapFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map, as in its file."""

    name: str
    terrain: str
    levels: str = ""
    hill_edges: Literal["slope", "cliff"] = "cliff"
    """4.1.4.1.5 The default for a hexside between two levels unless `hexsides` says otherwise."""
    legend: dict[str, list[str]] = {}
    """Signs of this map in addition to those of the Terrain Effects Table, e.g. `"=" = ["gully", "bridge"]`."""
    storeys: dict[str, int] = {}
    places: dict[str, list[str]] = {}
    hexsides: dict[str, list[str]] = {}
    links: dict[str, list[str]] = {}


def read_board(data: bytes | str, file: str = "map", table: Charts | None = None) -> Board:
    """1.2 Read the board from a map file; DataError lists every mistake, its place and the nearest legal value.

    `table` gives the terrain types and their map symbols; they are the same in both editions.
    """
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    map = convert(read_toml(data, file, "1.2"), MapFile, file, "1.2")
    return _Reader(map, file, digest_of(text), table or charts(EDITIONS[0])).board()


class _Reader:
    """Reads one map file and collects its mistakes."""

    def __init__(self, map: MapFile, file: str, digest: str, table: Charts) -> None:
        self.map = map
        self.table = table
        self.file = file
        self.digest = digest
        self.mistakes: list[Mistake] = []
        self.levels: dict[Hex, int] = {}

    def board(self) -> Board:
        terrain = self.read_terrain()
        self.levels = self.read_levels(terrain)
        self.stop_at_mistakes()  # the rest needs the hexes
        storeys = self.read_storeys(terrain)
        places = {name: self.hexes(f"places, {name}", names) for name, names in self.map.places.items()}
        features = self.read_hexsides()
        links = self.read_links()
        self.stop_at_mistakes()  # a broken road also breaks bridges
        self.check_bridges(terrain, links)
        self.stop_at_mistakes()
        return Board(
            name=self.map.name,
            digest=self.digest,
            hexes=tuple(sorted(terrain)),
            places=places,
            _terrain=terrain,
            _levels=self.levels,
            _grounds={hex: self.levels[hex] - self.depth(types) for hex, types in terrain.items()},
            _gullies=frozenset(hex for hex, types in terrain.items() if self.sunken(types)),
            _storeys=storeys,
            _features=features,
            _links=links,
        )

    def sunken(self, types: tuple[str, ...]) -> bool:
        """4.1.4.1.6 Whether one of these types is below the surrounding ground."""
        return any(self.table.terrain(name).sunken for name in types)

    def depth(self, types: tuple[str, ...]) -> int:
        """4.1.4.1.6 How far a hex is below the surrounding ground: 1 in sunken ground, 0 on a bridge over it."""
        return 1 if self.sunken(types) and "bridge" not in types else 0

    def mistake(self, where: str, what: str, instead: str = "") -> None:
        self.mistakes.append(Mistake(where, what, instead, "1.2"))

    def stop_at_mistakes(self) -> None:
        if self.mistakes:
            raise DataError(self.file, self.mistakes)

    def read_terrain(self) -> dict[Hex, tuple[str, ...]]:
        """1.2 The drawing of the terrain."""
        legend = self.read_legend()
        terrain = {}
        for hex, sign in self.read_drawing("terrain", self.map.terrain).items():
            terrain[hex] = legend.get(sign, ())
            if not terrain[hex]:
                known = ", ".join(f"{sign} {' and '.join(types)}" for sign, types in legend.items())
                what = f"the sign '{sign}' stands for nothing. Known: {known}."
                rule = ledger_row(self.table.edition, "terrain-key")
                self.mistakes.append(Mistake(f"terrain, {hex_name(hex)}", what, rule=rule))
        if not terrain:
            self.mistake("terrain", "the map has no hexes.")
        return terrain

    def read_legend(self) -> dict[str, tuple[str, ...]]:
        """The map symbol of every terrain type, and the symbols that this map adds."""
        legal = list(self.table.terrains)
        legend: dict[str, tuple[str, ...]] = {row.symbol: (row.id,) for row in self.table.terrains.values()}
        for sign, types in self.map.legend.items():
            if len(sign) != 1 or sign.isspace() or sign == NO_HEX:
                self.mistake(f"legend, {sign}", f"a sign must be one character other than a space and {NO_HEX}.")
            for name in types:
                if name not in legal:
                    self.mistake(f"legend, {sign}", f"there is no terrain '{name}'.", nearest(name, legal))
            legend[sign] = tuple(types)
        return legend

    def read_levels(self, terrain: Mapping[Hex, object]) -> dict[Hex, int]:
        """4.1.4.1.4 The drawing of the hill levels; without one the map is flat."""
        drawn = self.read_drawing("levels", self.map.levels)
        if drawn:
            for hex in sorted(terrain.keys() ^ drawn.keys()):
                lacking = "levels" if hex in terrain else "terrain"
                self.mistake(f"{lacking}, {hex_name(hex)}", "the hex is in only one of the two drawings.")
        for hex, sign in drawn.items():
            if sign != "." and not sign.isdecimal():
                self.mistake(f"levels, {hex_name(hex)}", f"'{sign}' is not a level; write a digit, or . for 0.")
        return {hex: int(drawn[hex]) if drawn.get(hex, ".").isdecimal() else 0 for hex in sorted(terrain)}

    def read_drawing(self, key: str, text: str) -> dict[Hex, str]:
        """The characters of a drawing by hex; every row has a number and all rows have the same length."""
        signs: dict[Hex, str] = {}
        expected_row: int | None = None
        width = 0
        for line in filter(str.strip, text.splitlines()):
            number, *row = line.split()
            if not number.isdecimal() or len(row) != 1:
                self.mistake(key, f"'{line.strip()}' is not a row; write its number, a space and its signs.")
                continue
            if expected_row is not None and int(number) != expected_row:
                self.mistake(f"{key}, row {number}", f"row {expected_row} is expected here.")
            expected_row = int(number) + 1
            width = width or len(row[0])
            if len(row[0]) != width:
                self.mistake(f"{key}, row {number}", f"{len(row[0])} signs; the rows above have {width}.")
            for column, sign in enumerate(row[0], start=1):
                if sign != NO_HEX:
                    signs[from_offset(column, int(number))] = sign
        return signs

    def read_storeys(self, terrain: Mapping[Hex, tuple[str, ...]]) -> dict[Hex, int]:
        """4.1.4.1.3 Storeys of buildings that have more than one."""
        storeys = {}
        for name, count in self.map.storeys.items():
            for hex in self.hexes("storeys", [name]):
                if not any(self.table.terrain(type).per_storey for type in terrain[hex]):
                    self.mistake(f"storeys, {name}", f"there is no building in this hex, only {terrain[hex][0]}.")
                storeys[hex] = count
        return storeys

    def hexes(self, where: str, names: Iterable[str]) -> tuple[Hex, ...]:
        """The hexes in a list of names and blocks."""
        try:
            return expand_hexes(names, self.levels)
        except ValueError as error:
            self.mistake(where, str(error))
            return ()

    # --- hexsides

    def read_hexsides(self) -> dict[Side, tuple[str, ...]]:
        """4.1.4.1.5 Everything on hexsides; hill edges left out default to `hill_edges`."""
        kinds = list(self.table.hexsides)
        drawn: dict[Side, list[str]] = {}
        for kind, entries in self.map.hexsides.items():
            if kind not in kinds:
                self.mistake(f"hexsides, {kind}", "there is no such hexside.", nearest(kind, kinds))
                continue
            for entry in entries:
                for side in self.read_sides(f"hexsides, {kind}", entry):
                    self.check_hill_edge(f"hexsides, {kind}, {entry}", kind, side)
                    drawn.setdefault(side, []).append(kind)
        for side in self.undrawn_hill_edges(drawn):
            drawn.setdefault(side, []).append(self.hill_edge(side))
        return {side: tuple(sorted(set(drawn[side]), key=kinds.index)) for side in sorted(drawn)}

    def read_sides(self, where: str, entry: str) -> list[Side]:
        """The hexsides of an entry like `C3:45`."""
        match = re.fullmatch(r"\s*(\w+):([1-6]+)\s*", entry)
        if match is None:
            self.mistake(where, f"'{entry}' is not a hexside; write a hex and directions, e.g. C3:45.")
            return []
        sides = []
        for hex in self.hexes(where, [match[1]]):
            for direction in map(int, match[2]):
                if neighbour(hex, direction) in self.levels:
                    sides.append(hexside(hex, direction))
                else:
                    self.mistake(where, f"{entry}: beyond side {direction} of {match[1]} there is no hex.")
        return sides

    def check_hill_edge(self, where: str, kind: str, side: Side) -> None:
        """4.1.4.1.5 Check that slopes and cliffs are edges between levels."""
        a, b = side_hexes(side)
        if kind in ("slope", "cliff") and self.levels[a] == self.levels[b]:
            self.mistake(
                where, f"{hex_name(a)} and {hex_name(b)} are at the same level, so there can be no {kind}.", "crest"
            )

    def undrawn_hill_edges(self, drawn: Mapping[Side, list[str]]) -> list[Side]:
        """4.1.4.1.5 The sides between two levels on which no slope, crest or cliff is drawn."""
        edges = ("slope", "crest", "cliff")
        return [
            side
            for hex in self.levels
            for side in (hexside(hex, direction) for direction in (1, 2, 3))
            if (other := side_hexes(side)[1]) in self.levels
            and self.levels[other] != self.levels[hex]
            and not any(kind in edges for kind in drawn.get(side, ()))
        ]

    def hill_edge(self, side: Side) -> str:
        """4.1.4.1.5 The kind of hill edge on a side where the map draws none."""
        a, b = side_hexes(side)
        gentle = abs(self.levels[a] - self.levels[b]) <= STEEPEST_SLOPE
        return "slope" if gentle and self.map.hill_edges == "slope" else "cliff"

    # --- roads and paths

    def read_links(self) -> dict[Side, LinkKind]:
        """4.5.1.1.5 Roads and paths; tracks are declared by scenarios (4.5.1.1.11)."""
        links: dict[Side, LinkKind] = {}
        kinds: dict[str, LinkKind] = {"road": "road", "path": "path"}
        for name, chains in self.map.links.items():
            if name not in kinds:
                hint = (
                    "tracks are declared by scenarios, not by maps." if name == "track" else "there is no such link."
                )
                self.mistake(f"links, {name}", hint, nearest(name, kinds) or "path")
                continue
            for chain in chains:
                for side in self.read_chain(f"links, {name}", chain):
                    if links.setdefault(side, kinds[name]) != name:
                        a, b = (hex_name(hex) for hex in side_hexes(side))
                        self.mistake(f"links, {name}", f"{a} and {b} are already joined by a {links[side]}.")
        return links

    def read_chain(self, where: str, chain: str) -> list[Side]:
        try:
            return sides_of_chain(chain, self.levels)
        except ValueError as error:
            self.mistake(where, str(error))
            return []

    def check_bridges(self, terrain: Mapping[Hex, tuple[str, ...]], links: Mapping[Side, LinkKind]) -> None:
        """4.5.1.1.6 Check that a bridge continues a road or path on both sides."""
        for hex, types in terrain.items():
            joined = sum(hexside(hex, direction) in links for direction in range(1, 7))
            if "bridge" in types and joined < 2:
                self.mistake(
                    f"terrain, {hex_name(hex)}", f"a bridge needs two road or path links, but this one has {joined}."
                )


# --- notation ------------------------------------------------------------------------------------------------


class OffMap(ValueError):
    """A hex that is not on the map; `near` is the nearest hex that is."""

    def __init__(self, name: str, near: Hex) -> None:
        self.near = near
        super().__init__(f"{name} is outside the map. The nearest hex is {hex_name(near)}.")


def on_map(name: str, hexes: Mapping[Hex, object]) -> Hex:
    """The hex with this name; if it is off the map, OffMap names the nearest hex on it."""
    hex = parse_hex(name)
    if hex not in hexes:
        raise OffMap(name, min(sorted(hexes), key=lambda other: distance(hex, other)))
    return hex


def expand_hexes(names: Iterable[str], hexes: Mapping[Hex, object]) -> tuple[Hex, ...]:
    """Hexes from names and blocks: `C3`, or `A1..D8` for all hexes in columns A to D and rows 1 to 8."""
    found: dict[Hex, None] = {}
    for name in names:
        first, block, last = name.partition("..")
        if not block:
            found[on_map(name, hexes)] = None
            continue
        (left, top), (right, bottom) = (to_offset(parse_hex(corner)) for corner in (first, last))
        inside = [hex for hex in sorted(hexes) if _within(to_offset(hex), left, top, right, bottom)]
        if not inside:
            raise ValueError(f"{name} contains no hex of the map; write the upper-left and the lower-right hex.")
        found.update(dict.fromkeys(inside))
    return tuple(found)


def sides_of_chain(chain: str, hexes: Mapping[Hex, object]) -> list[Side]:
    """The hexsides crossed by a chain like `off5-A5-B5-C5`; ValueError says which step is impossible."""
    steps = [step.strip() for step in chain.split("-")]
    if len(steps) < 2:
        raise ValueError(f"'{chain}' joins nothing; write at least two adjacent hexes, e.g. C3-D3.")
    sides = []
    for here, there in pairwise(steps):
        if here.startswith("off") or there.startswith("off"):
            off, name = (here, there) if here.startswith("off") else (there, here)
            sides.append(_side_off_map(chain, off, on_map(name, hexes), hexes))
        else:
            sides.append(_side_of_step(chain, on_map(here, hexes), on_map(there, hexes), hexes))
    return sides


def _side_off_map(chain: str, off: str, hex: Hex, hexes: Mapping[Hex, object]) -> Side:
    ways = [str(way) for way in range(1, 7) if neighbour(hex, way) not in hexes]
    if off.removeprefix("off") not in ways:
        choice = " or ".join(f"off{way}" for way in ways)
        hint = f"Write {choice}." if ways else "This hex is not at the edge of the map."
        raise ValueError(f"{chain}: '{off}' does not leave the map from {hex_name(hex)}. {hint}")
    return hexside(hex, int(off.removeprefix("off")))


def _side_of_step(chain: str, here: Hex, there: Hex, hexes: Mapping[Hex, object]) -> Side:
    if distance(here, there) != 1:
        near = min((hex for hex in neighbours(here) if hex in hexes), key=lambda hex: distance(hex, there))
        raise ValueError(
            f"{chain}: {hex_name(here)} and {hex_name(there)} are not adjacent. "
            f"From {hex_name(here)} the nearest step is {hex_name(near)}."
        )
    return side_between(here, there)


def _within(place: tuple[int, int], left: int, top: int, right: int, bottom: int) -> bool:
    column, row = place
    return left <= column <= right and top <= row <= bottom


def digest_of(*parts: object) -> str:
    """A digest of everything a board is made from."""
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()
