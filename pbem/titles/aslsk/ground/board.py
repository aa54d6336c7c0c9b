"""1.1 A board as a data file: terrain and levels drawn as text, roads, buildings and polygons.

    1.1/map-data   Board, BoardHex, read_board

A board is a TOML file:

    id = "a"                            a short name in small letters: the prefix of its hexes where boards are joined
    name = "Saint-Aubin"
    terrain = '''                       a character for each hex; a line for each row; _ where there is no hex
     0  _._._                           . open ground   w woods   o orchard   g grain   b brush
     1  ..w..                           s stone building   t wooden (timber) building
    '''
    levels = '''                        the same hexes; 1 on the hill, . below; may be left out
    [roads]
    dirt = ["A5-B5-C5", "N-Q1-Q2"]      chains of neighbours; N, NE, SE, S, SW or NW leads across that hexside,
    paved = []                          off the board or into a dead end
    [buildings]
    church = ["K5-K6"]                  a building of several hexes, joined where it is drawn across a hexside
    [[art]]                             polygons in place of the default shapes, relative to the centre of the hex
    hexes = ["K5"]
    kind = "building"                   building, woods, grain, brush, road, hill
    points = [[-20, 0], [20, -20], [20, 20]]
    [[outline]]                         hills as polygons of the whole board, in its own plane
    kind = "hill"
    points = [[480, 480], ...]

Building hexes that no chain names are one-hex buildings, named after their hex. Columns B, D, F sit half
a hex lower; a board with straight edges has a row 0 in these columns only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, get_args

import msgspec

from pbem.titles.aslsk.cards.files import Mistake, convert, read_toml
from pbem.titles.aslsk.ground import shapes
from pbem.titles.aslsk.ground.lattice import (
    SIDES,
    Axial,
    centre,
    from_offset,
    name,
    opposite,
    parse,
    side_to,
    to_offset,
)
from pbem.titles.aslsk.ground.spans import Polygon
from pbem.titles.data_files import DataError, nearest

TerrainKind = Literal["open", "building", "woods", "orchard", "grain", "brush"]
RoadKind = Literal["", "dirt", "paved"]
ArtKind = Literal["building", "woods", "grain", "brush", "road", "hill"]
ART_KINDS: Final[tuple[ArtKind, ...]] = get_args(ArtKind)

SIGNS: Final[dict[str, tuple[TerrainKind, bool]]] = {
    ".": ("open", False),
    "w": ("woods", False),
    "o": ("orchard", False),
    "g": ("grain", False),
    "b": ("brush", False),
    "s": ("building", True),
    "t": ("building", False),
}
"""The terrain of each sign and, for buildings, whether they are stone."""
NO_HEX: Final = "_"
RULE: Final = "1.1/map-data"


class BoardHex(msgspec.Struct, frozen=True):
    """1.1/map-data One hex of a board."""

    hex: Axial
    terrain: TerrainKind
    level: int
    stone: bool = False
    building: str = ""
    half: bool = False
    roads: tuple[RoadKind, ...] = ("",) * 6
    """The kind of road across each hexside."""
    spans: tuple[int, ...] = ()
    """The hexsides across which the building is drawn."""
    art: dict[str, tuple[Polygon, ...]] = {}
    """Polygons by kind, replacing the default shapes."""


class Board(msgspec.Struct, frozen=True):
    """1.1 A board: its hexes by axial coordinates, and its hill outlines."""

    id: str
    name: str
    columns: int
    rows: int
    hexes: dict[Axial, BoardHex]
    outlines: tuple[Polygon, ...] = ()


# --- the shape of the file -------------------------------------------------------------------------------------


class Roads(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The [roads] table of a board file."""

    dirt: tuple[str, ...] = ()
    paved: tuple[str, ...] = ()


class Art(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An [[art]] table of a board file."""

    hexes: tuple[str, ...]
    kind: ArtKind
    points: tuple[tuple[int, int], ...]


class Outline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An [[outline]] table of a board file."""

    kind: Literal["hill"]
    points: tuple[tuple[int, int], ...]


class BoardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as written in its file."""

    id: str
    name: str
    terrain: str
    levels: str = ""
    source: str = "house"
    roads: Roads = Roads()
    buildings: dict[str, tuple[str, ...]] = {}
    art: tuple[Art, ...] = ()
    outline: tuple[Outline, ...] = ()


@lru_cache(maxsize=32)
def read_board(data: bytes | str, file: str = "board") -> Board:
    """1.1/map-data Read the board in a file; DataError lists every mistake."""
    return _Reader(convert(read_toml(data, file, RULE), BoardFile, file, RULE), file).board()


class _Reader:
    """Reads one board file and collects its mistakes."""

    def __init__(self, tables: BoardFile, file: str) -> None:
        self.tables, self.file = tables, file
        self.mistakes: list[Mistake] = []
        self.signs = self.drawing("terrain", tables.terrain)
        self.roads: dict[Axial, list[RoadKind]] = {hex: [""] * 6 for hex in self.signs}
        self.building: dict[Axial, str] = {}
        self.spans: dict[Axial, set[int]] = {}
        self.art: dict[Axial, dict[str, tuple[Polygon, ...]]] = {}

    def board(self) -> Board:
        levels = self.levels()
        self.read_roads()
        self.read_buildings()
        self.read_art()
        outlines = tuple(self.outlines())
        hexes = {hex: self.hex(hex, sign, levels.get(hex, 0)) for hex, sign in self.signs.items()}
        self.check(hexes, outlines)
        if self.mistakes:
            raise DataError(self.file, self.mistakes)
        columns, rows = zip(*(to_offset(hex) for hex in hexes), strict=True)
        return Board(self.tables.id, self.tables.name, max(columns), max(rows), hexes, outlines)

    def wrong(self, where: str, what: str, instead: str = "", rule: str = RULE) -> None:
        self.mistakes.append(Mistake(where, what, instead, rule))

    # --- drawings

    def drawing(self, key: str, text: str) -> dict[Axial, str]:
        """The character drawn for each hex."""
        found: dict[Axial, str] = {}
        for line in text.strip("\n").splitlines():
            match = re.fullmatch(r"\s*(\d+)\s+(\S+)\s*", line)
            if match is None:
                if line.strip():
                    self.wrong(
                        key, f"'{line.strip()}' is not a row: write the row number, then a character for each column."
                    )
                continue
            for column, sign in enumerate(match[2], start=1):
                if sign != NO_HEX:
                    found[from_offset(column, int(match[1]))] = sign
        if not found:
            self.wrong(key, "the drawing has no hexes.")
        for hex, sign in found.items():
            if key == "terrain" and sign not in SIGNS:
                self.wrong(name(hex), f"'{sign}' is not a terrain sign; the signs are {' '.join(SIGNS)}.")
        return found

    def levels(self) -> dict[Axial, int]:
        """1.1/map-data The level of each hex: 0 or 1."""
        if not self.tables.levels.strip():
            return {}
        signs = self.drawing("levels", self.tables.levels)
        for hex in signs.keys() ^ self.signs.keys():
            self.wrong(name(hex), "this hex is in only one of the two drawings, terrain and levels.")
        for hex, sign in signs.items():
            if sign not in ".01":
                self.wrong(name(hex), f"level '{sign}' does not exist: write . or 1.", rule="3.2.1")
        return {hex: int(sign == "1") for hex, sign in signs.items()}

    # --- roads and buildings

    def chain(self, where: str, text: str) -> list[Axial | int]:
        """Read the hexes of a chain and the compass words at its ends."""
        found: list[Axial | int] = []
        for word in text.replace(" ", "").split("-"):
            if word in SIDES:
                found.append(SIDES.index(word))
                continue
            try:
                hex = parse(word)
            except ValueError as error:
                self.wrong(where, f"{error}.", rule="1.1/lattice")
                return []
            if hex not in self.signs:
                known = [name(hex) for hex in self.signs]
                self.wrong(where, f"hex {word} is not on the board.", nearest(word, known))
                return []
            found.append(hex)
        if any(isinstance(item, int) for item in found[1:-1]) or all(isinstance(item, int) for item in found):
            self.wrong(where, f"'{text}': a compass word can only begin or end a chain of hexes.")
            return []
        return found

    def links(self, where: str, text: str) -> Iterator[tuple[Axial, int]]:
        """The hexsides that a chain crosses, numbered from each of its hexes."""
        chain = self.chain(where, text)
        for here, there in pairwise(chain):
            if isinstance(here, int):
                assert not isinstance(there, int)  # `chain` has checked both hexes
                yield there, here
            elif isinstance(there, int):
                yield here, there
            elif (side := side_to(here, there)) is None:
                self.wrong(where, f"{name(here)} and {name(there)} are not neighbours.", rule="1.1/hex-geometry")
            else:
                yield here, side
                yield there, opposite(side)

    def read_roads(self) -> None:
        kinds: tuple[tuple[RoadKind, tuple[str, ...]], ...] = (
            ("dirt", self.tables.roads.dirt),
            ("paved", self.tables.roads.paved),
        )
        for kind, chains in kinds:
            for text in chains:
                for hex, side in self.links(f"roads, {kind}", text):
                    self.roads[hex][side] = kind

    def read_buildings(self) -> None:
        for id, chains in self.tables.buildings.items():
            for text in chains:
                where = f"buildings, {id}"
                for item in self.chain(where, text):
                    if isinstance(item, int):
                        self.wrong(where, f"'{text}': compass words are only for roads, not for buildings.")
                    elif self.signs[item] not in "st":
                        self.wrong(where, f"{name(item)} is not a building hex.")
                    elif self.building.setdefault(item, id) != id:
                        self.wrong(where, f"{name(item)} already belongs to {self.building[item]}.")
                for hex, side in self.links(where, text):
                    self.spans.setdefault(hex, set()).add(side)

    # --- polygons

    def read_art(self) -> None:
        for art in self.tables.art:
            self.check_polygon(f"art, {art.kind} in {', '.join(art.hexes)}", art.points)
            for word in art.hexes:
                chain = self.chain(f"art, {art.kind}", word)
                if len(chain) == 1 and not isinstance(chain[0], int):
                    kinds = self.art.setdefault(chain[0], {})
                    kinds[art.kind] = (*kinds.get(art.kind, ()), art.points)

    def outlines(self) -> Iterator[Polygon]:
        for outline in self.tables.outline:
            self.check_polygon("outline, hill", outline.points)
            yield outline.points

    def check_polygon(self, where: str, points: Polygon) -> None:
        if not shapes.is_simple(points):
            self.wrong(where, "a polygon has three corners or more and must not cross or touch itself.")

    # --- hexes

    def hex(self, hex: Axial, sign: str, level: int) -> BoardHex:
        terrain, stone = SIGNS.get(sign, ("open", False))
        default = name(hex) if terrain == "building" else ""
        return BoardHex(
            hex=hex,
            terrain=terrain,
            level=level,
            stone=stone,
            building=self.building.get(hex, default),
            half=self.is_half(hex),
            roads=tuple(self.roads[hex]),
            spans=tuple(sorted(self.spans.get(hex, ()))),
            art=self.art.get(hex, {}),
        )

    def is_half(self, hex: Axial) -> bool:
        """1.1/hex-geometry Whether a hex is a half hex: in the first or last column, or at either end of an even
        column.
        """
        column, row = to_offset(hex)
        columns, rows = zip(*(to_offset(hex) for hex in self.signs), strict=True)
        return column in (1, max(columns)) or (column % 2 == 0 and row in (min(rows), max(rows)))

    def check(self, hexes: Mapping[Axial, BoardHex], outlines: tuple[Polygon, ...]) -> None:
        for hex, found in hexes.items():
            if found.terrain == "building" and any(found.roads):
                self.wrong(name(hex), "a building hex cannot have a road.")
            for kind in found.art:
                if kind not in ("road", "hill", found.terrain):
                    self.wrong(name(hex), f"it has {kind} art, but its terrain is {found.terrain}.")
                if kind == "road" and not any(found.roads):
                    self.wrong(name(hex), "it has road art, but no road crosses its hexsides.")
        self.check_hills(hexes, outlines)

    def check_hills(self, hexes: Mapping[Axial, BoardHex], outlines: tuple[Polygon, ...]) -> None:
        """1.1/map-data Check that hill outlines contain the centres of exactly the level-1 hexes."""
        for hex, found in hexes.items():
            drawn = any(shapes.contains(outline, centre(hex)) for outline in outlines)
            own = found.art.get("hill", ())
            drawn = drawn or any(shapes.contains(polygon, (0, 0)) for polygon in own)
            if (outlines or own) and drawn != bool(found.level):
                where = "inside" if drawn else "outside"
                self.wrong(
                    name(hex), f"its centre lies {where} the outlines of hills, but its level is {found.level}."
                )


def art_of(found: BoardHex) -> dict[str, tuple[Polygon, ...]]:
    """1.1/default-shapes Everything drawn in a hex, by kind: its own polygons, or the default shapes."""
    sides = tuple(side for side in range(6) if found.roads[side])
    drawn: dict[str, tuple[Polygon, ...]] = {}
    if found.terrain in ("woods", "grain", "brush"):
        drawn[found.terrain] = (shapes.HEXAGON,)
    elif found.terrain == "building":
        drawn["building"] = shapes.building(found.spans)
    if sides:
        drawn["road"] = shapes.road(sides)
    return {**drawn, **found.art}
