"""1.1 The ground of a match: hexes by name, terrain in its month, roads, levels, costs and cover.

    1.1          Ground, Place: names, neighbours, range, edges of the map, boards
    1.1.1        Ground.infantry_cost, vehicle_cost, tem, cover, is_open
    3.2.1        Ground.sight, sees, smoke_hexes, vehicle_hexes, road_cover: see `line_of_sight`
    3.2.4        Ground.in_arc, arcs_to, entry_sides

A hex is identified by its name: K5, or aK5 where boards are joined. A Ground never changes, apart from the lines of
sight that it remembers; two grounds with the same digest are the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Final, Literal, get_args

import msgspec

from pbem.engine.rules.refusals import Objection
from pbem.titles.aslsk.cards.terrain import TerrainChart, terrain_chart
from pbem.titles.aslsk.ground import lattice
from pbem.titles.aslsk.ground.board import RoadKind, TerrainKind
from pbem.titles.aslsk.ground.joining import Joined
from pbem.titles.aslsk.ground.lattice import Axial
from pbem.titles.aslsk.ground.line_of_sight import Sights
from pbem.titles.aslsk.ground.spans import Polygon

Edge = Literal["north", "east", "south", "west"]
EDGES: Final[tuple[Edge, ...]] = get_args(Edge)


class Place(msgspec.Struct, frozen=True):
    """1.1 A hex of the map with its terrain, level, building and roads."""

    id: str
    hex: Axial
    level: int
    terrain: TerrainKind
    """The terrain in effect in the month of the scenario."""
    printed: TerrainKind
    """The printed terrain, regardless of the month."""
    stone: bool
    building: str
    road: bool
    paved: bool
    half: bool
    names: tuple[str, ...]
    boards: tuple[str, ...]
    """1.3 The boards that the hex counts for in victory conditions and set-up areas."""
    roads: tuple[RoadKind, ...]
    art: dict[str, tuple[Polygon, ...]]


class VehicleCost(msgspec.Struct, frozen=True):
    """1.1.1 The cost for a vehicle to enter a hex."""

    halves: int
    """The cost in half MP, including crest lines; if `share` is given, the cost on top of that share."""
    share: Literal["", "half", "all", "half or all"] = ""
    """The share of the vehicle's printed MP allowance that it pays, instead of a fixed number of MP."""
    bog: bool = False
    prohibited: bool = False
    road: bool = False
    buttoned: bool = False
    """Whether the vehicle may enter only while buttoned up."""


class Ground:
    """1.1 The map of a match, in the month of its scenario."""

    def __init__(
        self,
        name: str,
        joined: Joined,
        month: int,
        chart: TerrainChart | None = None,
        only: Iterable[str] | None = None,
    ) -> None:
        self.name, self.month = name, month
        self.chart = chart or terrain_chart()
        self.orchards_in_season = self.chart.in_season("orchard", month)
        self.grain_in_season = self.chart.in_season("grain", month)
        kept = None if only is None else set(only)
        self.hexes: dict[str, Place] = {}
        self._by_axial: dict[Axial, str] = {}
        for axial, cell in joined.cells.items():
            if kept is not None and not kept.intersection(cell.names):
                continue
            terrain = "open" if cell.terrain == "grain" and not self.grain_in_season else cell.terrain
            self.hexes[cell.names[0]] = Place(
                id=cell.names[0],
                hex=axial,
                level=cell.level,
                terrain=terrain,
                printed=cell.terrain,
                stone=cell.stone,
                building=cell.building,
                road=any(cell.roads),
                paved="paved" in cell.roads,
                half=cell.half,
                names=cell.names,
                boards=cell.boards,
                roads=cell.roads,
                art=cell.art,
            )
            self._by_axial[axial] = cell.names[0]
        self.hills = joined.hills
        self.sights = Sights(self.hexes, self.hills, self.orchards_in_season)
        self.sees = self.sights.sees
        self.hindrance = self.sights.hindrance
        self.smoke_hexes = self.sights.smoke_hexes
        self.vehicle_hexes = self.sights.vehicle_hexes
        self.sight = self.sights.sight
        self.within = lru_cache(maxsize=8192)(self._within)
        self.axial = {id: (place.hex[0], place.hex[1]) for id, place in self.hexes.items()}
        self.arcs_to = lru_cache(maxsize=65536)(self._arcs_to)
        self.entry_sides = lru_cache(maxsize=65536)(self._entry_sides)
        self.road_cover = lru_cache(maxsize=65536)(self._road_cover)
        self.road_kind = lru_cache(maxsize=16384)(self._road_kind)
        self.infantry_cost = lru_cache(maxsize=16384)(self._infantry_cost)
        self.vehicle_cost = lru_cache(maxsize=16384)(self._vehicle_cost)

    def __contains__(self, hex: str) -> bool:
        return hex in self.hexes

    def __getitem__(self, hex: str) -> Place:
        return self.hexes[hex]

    def __len__(self) -> int:
        return len(self.hexes)

    @cached_property
    def digest(self) -> str:
        """A hash of all map data that affects the rules."""
        return hashlib.sha256(
            msgspec.json.encode([self.month, self.hills, list(self.hexes.values())], order="sorted")
        ).hexdigest()

    # --- 1.1 names and neighbours ------------------------------------------------------------------------------

    @cached_property
    def _by_name(self) -> Mapping[str, str]:
        return {name.casefold(): place.id for place in self.hexes.values() for name in reversed(place.names)}

    def find(self, text: str) -> str | None:
        """1.1 Find a hex by name, in upper or lower case; a half hex shared by two boards has two names."""
        return self._by_name.get(text.strip().casefold())

    def step(self, hex: str, side: int) -> str | None:
        """1.1/lattice The neighbour across a hexside, if it is on the map."""
        return self._by_axial.get(lattice.step(self.hexes[hex].hex, side))

    @cached_property
    def _neighbours(self) -> dict[str, tuple[str, ...]]:
        return {
            hex: tuple(found for side in range(6) if (found := self.step(hex, side)) is not None)
            for hex in self.hexes
        }

    def neighbours(self, hex: str) -> tuple[str, ...]:
        """1.1/lattice The neighbours on the map, in the order of the hexsides."""
        return self._neighbours[hex]

    def side(self, a: str, b: str) -> int | None:
        """1.1/lattice The hexside that hex a shares with hex b; None if they are not neighbours."""
        return lattice.side_to(self.hexes[a].hex, self.hexes[b].hex)

    def distance(self, a: str, b: str) -> int:
        """1.1/lattice The range between two hexes."""
        q, z = self.axial[a]
        to_q, to_z = self.axial[b]
        q, z = to_q - q, to_z - z
        return max(abs(q), abs(z), abs(q + z))

    def adjacent(self, a: str, b: str) -> bool:
        """1.1/lattice Whether two hexes are neighbours."""
        return b in self._neighbours[a]

    def _within(self, hex: str, radius: int) -> tuple[str, ...]:
        """1.1/lattice The hexes within a range. The hex itself comes first; the others are sorted by range, then in
        map order.
        """
        centre = self.hexes[hex].hex
        ranges = {id: lattice.distance(centre, place.hex) for id, place in self.hexes.items()}
        return tuple(sorted((id for id in ranges if ranges[id] <= radius), key=ranges.__getitem__))

    @cached_property
    def _bounds(self) -> tuple[int, int, int, int]:
        """The first and last column of the map, and twice its first and last row as drawn."""
        offsets = [lattice.to_offset(place.hex) for place in self.hexes.values()]
        heights = [2 * row + (column % 2 == 0) for column, row in offsets]
        columns = [column for column, _ in offsets]
        return min(columns), max(columns), min(heights), max(heights)

    @cached_property
    def _edges(self) -> Mapping[str, tuple[Edge, ...]]:
        return {hex: self._edges_of(hex) for hex in self.hexes}

    def edges(self, hex: str) -> tuple[Edge, ...]:
        """1.1 The map edges that a hex borders, where units can leave and enter."""
        return self._edges[hex]

    def _edges_of(self, hex: str) -> tuple[Edge, ...]:
        column, row = lattice.to_offset(self.hexes[hex].hex)
        height = 2 * row + (column % 2 == 0)
        west, east, north, south = self._bounds
        touched: dict[Edge, bool] = {
            "north": height <= north + 1,
            "east": column == east,
            "south": height >= south - 1,
            "west": column == west,
        }
        return tuple(edge for edge in EDGES if touched[edge])

    def edge_hexes(self, edge: Edge) -> tuple[str, ...]:
        """1.1 The hexes along an edge of the map."""
        return tuple(hex for hex in self.hexes if edge in self.edges(hex))

    @cached_property
    def buildings(self) -> Mapping[str, tuple[str, ...]]:
        """1.1.1.2 The hexes of each building."""
        found: dict[str, tuple[str, ...]] = {}
        for place in self.hexes.values():
            if place.building:
                found[place.building] = (*found.get(place.building, ()), place.id)
        return found

    def building_hexes(self, building: str) -> tuple[str, ...]:
        """1.1.1.2 The hexes of a building."""
        return self.buildings[building]

    def boards(self, hex: str) -> tuple[str, ...]:
        """1.3 The boards that a hex counts for."""
        return self.hexes[hex].boards

    def board_hexes(self, board: str) -> tuple[str, ...]:
        """1.3 The hexes that count for a board."""
        return tuple(hex for hex, place in self.hexes.items() if board in place.boards)

    # --- 3.2.4 arcs --------------------------------------------------------------------------------------------

    def in_arc(self, hex: str, spine: int, target: str) -> bool:
        """3.2.4/arc-arithmetic Whether a hex lies in the covered arc of a counter that faces a hexspine."""
        return lattice.in_arc(self.hexes[hex].hex, spine, self.hexes[target].hex)

    def _arcs_to(self, hex: str, target: str) -> tuple[int, ...]:
        """3.2.4/arc-arithmetic The facings whose covered arc contains a hex."""
        return lattice.arcs_to(self.hexes[hex].hex, self.hexes[target].hex)

    def arc_objections(self, hex: str, spine: int, target: str) -> list[Objection]:
        """3.2.4/arc-arithmetic The reasons why a counter that faces a hexspine cannot fire at a hex without
        turning.
        """
        if self.in_arc(hex, spine, target):
            return []
        facings = " or ".join(lattice.SPINES[facing] for facing in self.arcs_to(hex, target))
        outside = f"{target} is outside the covered arc of a counter in {hex} that faces {lattice.SPINES[spine]}"
        return [Objection("3.2.4/arc-arithmetic", outside + (f": it must face {facings}" if facings else ""))]

    def _entry_sides(self, start: str, target: str) -> tuple[int, ...]:
        """3.2.4/facing-arithmetic The hexsides through which an LOS enters the target hex."""
        return lattice.entry_sides(self.hexes[start].hex, self.hexes[target].hex)

    # --- 1.1.1 roads, levels, costs and cover ------------------------------------------------------------------

    def _road_kind(self, a: str, b: str) -> RoadKind:
        """1.1.1.3 The kind of road across the hexside between two neighbours; empty unless both hexes have the
        road.
        """
        side = self.side(a, b)
        if side is None or not self.hexes[b].roads[lattice.opposite(side)]:
            return ""
        return self.hexes[a].roads[side]

    def road_between(self, a: str, b: str) -> bool:
        """1.1.1.3 Whether a road crosses the hexside between two neighbours."""
        return self.road_kind(a, b) != ""

    def roads(self, hex: str) -> tuple[int, ...]:
        """1.1.1.3 The road hexsides of a hex."""
        return tuple(side for side in range(6) if self.hexes[hex].roads[side])

    def uphill(self, a: str, b: str) -> bool:
        """1.1.1.10/crest-cost Whether a step crosses a crest line to higher ground."""
        return self.hexes[b].level > self.hexes[a].level

    def row_of(self, hex: str) -> str:
        """1.1.1 The row of the terrain chart for a hex."""
        place = self.hexes[hex]
        if place.terrain != "building":
            return place.terrain
        return "stone building" if place.stone else "wooden building"

    def _infantry_cost(self, a: str, b: str, road: bool = False) -> int:
        """1.1.1 The cost in half MF for Infantry to enter hex b from hex a, without Smoke."""
        if road and self.road_between(a, b):
            cost = self.chart.road.infantry
        else:
            cost = self.chart.rows[self.row_of(b)].infantry
        return cost * self.chart.uphill.infantry if self.uphill(a, b) else cost

    def _vehicle_cost(self, a: str, b: str, tracked: bool, exposed: bool) -> VehicleCost:
        """1.1.1 Return the cost for a vehicle to enter hex b from hex a, without Smoke, wrecks and other vehicles."""
        uphill = self.uphill(a, b)
        if self.road_between(a, b):
            cost = self.chart.road.exposed if exposed else self.chart.road.buttoned
            return VehicleCost(cost + uphill * self.chart.uphill.vehicle_road, road=True)
        row = self.chart.rows[self.row_of(b)]
        climb = uphill * self.chart.uphill.vehicle
        cost_or_share = row.tracked if tracked else row.car
        if cost_or_share == "no":
            return VehicleCost(0, prohibited=True)
        if isinstance(cost_or_share, int):
            return VehicleCost(cost_or_share + climb, bog=row.bog)
        return VehicleCost(climb, cost_or_share, row.bog, buttoned=row.kind.endswith("building"))

    def tem(self, hex: str) -> int:
        """1.1.1 The terrain effects modifier of a hex."""
        return self.chart.rows[self.row_of(hex)].tem

    def cover(self, hex: str) -> bool:
        """3.1/f-rally Whether a hex is woods or a building, which counts as cover."""
        return self.hexes[hex].terrain in ("woods", "building")

    def is_open(self, hex: str) -> bool:
        """1.1.1.1 Whether a hex is Open Ground."""
        return self.hexes[hex].terrain == "open"

    # --- 3.2.1 line of sight -----------------------------------------------------------------------------------

    def _road_cover(self, a: str, b: str) -> bool:
        """3.2.1/road-cover Whether the line of sight from hex a stays on the road inside hex b."""
        return self.sights.road_cover(a, b, b)
