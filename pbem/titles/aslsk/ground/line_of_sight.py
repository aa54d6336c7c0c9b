"""3.2.1 Lines of sight over the terrain of one map, remembered for all pairs of hexes.

    3.2.1/algorithm    Sights.sees, hindrance, sight, values
    3.2.1/road-cover   Sights.road_cover
    1.2.5, 7.4.1       Sights.smoke_hexes, vehicle_hexes: where Smoke and vehicles would hinder
    all pairs          Sights.find_all

For each pair of hexes a map remembers one byte: blocked, or the hindrance of the terrain. `find_all` computes them
all at once; otherwise each is computed when it is first needed. Explanations (`sight`) are computed on request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.titles.aslsk.ground.art import Art, beside, meet, on_road, shared_art
from pbem.titles.aslsk.ground.explained_sight import (
    OBSTACLE_RULES,
    Hindered,
    HindranceKind,
    Obstacle,
    ObstacleKind,
    Sight,
    Thread,
    hindrance_by,
)
from pbem.titles.aslsk.ground.lattice import Axial, centre, step
from pbem.titles.aslsk.ground.shapes import HEXAGON, contains
from pbem.titles.aslsk.ground.spans import BITS, WHOLE, Polygon, Span, Spans, covers, overlap, union, within
from pbem.titles.aslsk.ground.trace import ORIGIN, Met, Trace, trace

if TYPE_CHECKING:
    from pbem.titles.aslsk.ground.terrain import Place

UNKNOWN: Final = 255
BLOCKED: Final = 254
BETWEEN_LEVELS: Final = 2
"""The index of the obstacle list for two hexes on different levels; 0 and 1 are for hexes on the same level."""


class Mass(NamedTuple):
    """3.2.1/algorithm An obstacle in a hex, with its outline on the map."""

    kind: ObstacleKind
    art: Art


class Growth(NamedTuple):
    """3.2.1/algorithm Grain or brush in a hex, with its outline on the map."""

    kind: HindranceKind
    art: Art


class Beside(NamedTuple):
    """3.2.1/depiction-test The art of one obstacle on either side of the line."""

    kind: ObstacleKind
    hex: Axial | None
    """None if the obstacle is a hill outline rather than art in a hex."""
    left: Spans
    right: Spans


class Sights:
    """3.2.1 The lines of sight on one map; `hexes` holds its hexes by name, in map order."""

    def __init__(self, hexes: Mapping[str, Place], hills: tuple[Polygon, ...], orchards_in_season: bool) -> None:
        self.orchards_in_season = orchards_in_season
        self.ids = tuple(hexes)
        self.index = {id: index for index, id in enumerate(self.ids)}
        self.places = tuple(hexes.values())
        self.hex = tuple(place.hex for place in self.places)
        self.at: dict[tuple[int, int], int] = {place.hex: index for index, place in enumerate(self.places)}
        self.level = tuple(place.level for place in self.places)
        self.orchard = tuple(place.terrain == "orchard" for place in self.places)
        self.growth = tuple(_growth(place) for place in self.places)
        self.masses = tuple(tuple(tuple(_masses(place, case)) for place in self.places) for case in range(3))
        self.reaching = tuple(self._reaching(case) for case in range(3))
        outlines = tuple(shared_art((outline,)) for outline in hills)
        self.outlines = (outlines, (), outlines)
        self.count = len(self.ids)
        self.memory = bytearray([UNKNOWN]) * (self.count * self.count)
        self.row = {id: index * self.count for index, id in enumerate(self.ids)}
        self.sight = lru_cache(maxsize=8192)(self._sight)
        self.values = lru_cache(maxsize=16384)(self._hindrance_values)
        self.smoke_hexes = lru_cache(maxsize=16384)(self._smoke_hexes)
        self.vehicle_hexes = lru_cache(maxsize=16384)(self._vehicle_hexes)

    def _reaching(self, case: int) -> dict[Axial, tuple[Mass, ...]]:
        """Obstacles that extend beyond their hex, so that lines through neighbouring hexes meet them too."""
        found: dict[Axial, tuple[Mass, ...]] = {}
        for hex, masses in zip(self.hex, self.masses[case], strict=True):
            if reaching := tuple(mass for mass in masses if mass.art.reaches_out):
                found[hex] = reaching
        return found

    # --- answers ---------------------------------------------------------------------------------------------

    def sees(self, a: str, b: str) -> bool:
        """3.2.1 Whether the line of sight is clear."""
        value = self.memory[self.row[a] + self.index[b]]
        return value != BLOCKED if value != UNKNOWN else self._value(self.index[a], self.index[b]) != BLOCKED

    def hindrance(self, a: str, b: str) -> int:
        """3.2.1 The hindrance from terrain; 0 if the line is blocked."""
        value = self._value(self.index[a], self.index[b])
        return 0 if value == BLOCKED else value

    def find_all(self) -> None:
        """3.2.1 Compute the results for all pairs of hexes; lines of the same direction and length are handled
        together.
        """
        pairs: dict[tuple[int, int], list[int]] = {}
        for first, (q, z) in enumerate(self.hex):
            for second in range(first, self.count):
                to_q, to_z = self.hex[second]
                pairs.setdefault((to_q - q, to_z - z), []).append(first)
        for (q, z), starts in pairs.items():
            for first in starts:
                from_q, from_z = self.hex[first]
                self._value(first, self.at[(from_q + q, from_z + z)])

    def _value(self, first: int, second: int) -> int:
        value = self.memory[first * self.count + second]
        if value == UNKNOWN:
            value = self._found(min(first, second), max(first, second))
            self.memory[first * self.count + second] = value
            self.memory[second * self.count + first] = value
        return value

    def _found(self, first: int, second: int) -> int:
        """3.2.1/algorithm The result for a pair of hexes, as one byte."""
        if first == second:
            return 0
        line = self._trace(first, second)
        case = self._case(first, second)
        start = self.hex[first]
        if self._is_blocked(start, line, case) or next(self._orchards(start, line, case), None) is not None:
            return BLOCKED
        return sum(max(value for _, value in group.values()) for group in self._values(first, second, line))

    def _trace(self, first: int, second: int) -> Trace:
        (q, z), (to_q, to_z) = self.hex[first], self.hex[second]
        return trace(to_q - q, to_z - z)

    def _case(self, first: int, second: int) -> int:
        level, other = self.level[first], self.level[second]
        return level if level == other else BETWEEN_LEVELS  # 1.1.1.10

    # --- 3.2.1/algorithm 3: obstacles ------------------------------------------------------------------------

    def _is_blocked(self, start: Axial, line: Trace, case: int) -> bool:
        """3.2.1/algorithm Whether obstacles are visible on both sides of the line."""
        if line.start >= line.end:
            return False
        masses, at = self.masses[case], self.at
        left: list[Span] = []
        right: list[Span] = []
        for met in line.met:
            index = at.get((start[0] + met.hex[0], start[1] + met.hex[1]))
            if index is None or not masses[index]:
                continue
            for mass in masses[index]:
                if mass.art.whole and met.manner == "crossed":
                    return True
                on_left, on_right = beside(mass.art, met.hex, line.step)
                left += on_left
                right += on_right
        for part in self._farther(start, line, case):
            left += part.left
            right += part.right
        if not left or not right:
            return False
        between = ((line.start, line.end),)
        return bool(overlap(overlap(union(left), between), union(right)))

    def _farther(self, start: Axial, line: Trace, case: int) -> Iterator[Beside]:
        """3.2.1/algorithm The polygons that extend from neighbours into the traced hexes, and hill outlines."""
        q, z = start
        if reaching := self.reaching[case]:
            traced = {met.hex for met in line.met}
            for hex in _fringe(line.step[0], line.step[1]):
                for mass in reaching.get(Axial(q + hex.q, z + hex.z), ()):
                    if hex not in traced:
                        yield Beside(mass.kind, hex, *beside(mass.art, hex, line.step))
        for outline in self.outlines[case]:
            yield Beside("hill", None, *beside(outline, Axial(-q, -z), line.step))

    def _orchards(self, start: Axial, line: Trace, case: int) -> Iterator[int]:
        """3.2.1/algorithm Orchards in season that block a line between levels."""
        if case == BETWEEN_LEVELS and self.orchards_in_season:
            for met in line.met:
                index = self._index(start, met.hex)
                if index is not None and self.orchard[index] and not self._on_road(start, line, met):
                    yield index

    def _index(self, start: Axial, hex: Axial) -> int | None:
        return self.at.get((start.q + hex.q, start.z + hex.z))

    # --- 3.2.1/algorithm 5: hindrances -----------------------------------------------------------------------

    def _hindrance_values(self, a: str, b: str) -> list[dict[str, tuple[HindranceKind, int]]]:
        """3.2.1/algorithm The terrain hindrance of each hex on the line; the two hexes along a hexside count
        together.
        """
        first, second = self.index[a], self.index[b]
        return [
            {self.ids[index]: value for index, value in group.items()}
            for group in self._values(first, second, self._trace(first, second))
        ]

    def _values(self, first: int, second: int, line: Trace) -> list[dict[int, tuple[HindranceKind, int]]]:
        start, case = self.hex[first], self._case(first, second)
        found: list[dict[int, tuple[HindranceKind, int]]] = []
        for group in line.groups:
            values: dict[int, tuple[HindranceKind, int]] = {}
            for met in group:
                index = self._index(start, met.hex)
                if index is None:
                    continue
                if self.orchard[index]:
                    if self._orchard_hinders(start, line, met, index, case):
                        values[index] = ("orchard", 1)
                elif (growth := self.growth[index]) is not None and self._grows(start, line, group, met, case):
                    values[index] = (growth.kind, 1)
            if values:
                found.append(values)
        return found

    def _orchard_hinders(self, start: Axial, line: Trace, met: Met, index: int, case: int) -> bool:
        """1.1.1.6 Whether an orchard hinders: both hexes are on its level or, out of season, on different levels."""
        applies = not self.orchards_in_season if case == BETWEEN_LEVELS else self.level[index] == case
        return applies and not self._on_road(start, line, met)

    def _grows(self, start: Axial, line: Trace, group: tuple[Met, ...], met: Met, case: int) -> bool:
        """3.2.1/algorithm Whether grain or brush is on both sides of the line inside a hex, or in both hexes of a
        hexside.
        """
        index = self._index(start, met.hex)
        if met.manner == "vertex" or index is None or self.level[index] != case:
            return False
        left: list[Span] = []
        right: list[Span] = []
        for met in group:
            index = self._index(start, met.hex)
            growth = None if index is None else self.growth[index]
            if growth is not None and index is not None and self.level[index] == case:
                on_left, on_right = beside(growth.art, met.hex, line.step)
                left += on_left
                right += on_right
        inside = ((group[0].enter, group[0].leave),)
        return bool(overlap(overlap(union(left), inside), union(right)))

    # --- 3.2.1/road-cover --------------------------------------------------------------------------------------

    def road_cover(self, a: str, b: str, hex: str) -> bool:
        """3.2.1/road-cover Whether the line from a to b stays on the road inside a hex on it."""
        first, second = self.index[a], self.index[b]
        start, place = self.hex[first], self.hex[self.index[hex]]
        if first == second:
            return any(contains(road, (0, 0)) for road in self.places[first].art.get("road", ()))
        line = self._trace(first, second)
        if hex == a:
            return self._on_road(start, line, Met(ORIGIN, "crossed", 0, line.start, 0))
        if hex == b:
            return self._on_road(start, line, Met(line.step, "crossed", line.end, WHOLE, 0))
        inside = Axial(place.q - start.q, place.z - start.z)
        return any(self._on_road(start, line, met) for met in line.met if met.hex == inside)

    def _on_road(self, start: Axial, line: Trace, met: Met) -> bool:
        """3.2.1/road-cover Whether roads of the hex and its neighbours cover all of the line inside the hex."""
        spans: list[Span] = []
        for hex in (met.hex, *(step(met.hex, side) for side in range(6))):
            index = self._index(start, hex)
            roads = () if index is None else self.places[index].art.get("road", ())
            spans += on_road(roads, hex, line.step)
            if met.manner == "vertex" and any(met.enter in meet(road, hex, line.step).touches for road in roads):
                return True
        return covers(union(spans), met.enter, met.leave)

    # --- 1.2.5, 7.4.1 Smoke and vehicles -----------------------------------------------------------------------

    def _smoke_hexes(self, a: str, b: str) -> tuple[tuple[str, ...], ...]:
        """1.2.5 The hexes in between that the line crosses, follows or touches."""
        first, second = self.index[a], self.index[b]
        return tuple(self._named(self.hex[first], self._trace(first, second).groups))

    def _named(self, start: Axial, groups: tuple[tuple[Met, ...], ...]) -> Iterator[tuple[str, ...]]:
        for group in groups:
            indexes = [self._index(start, met.hex) for met in group]
            if ids := tuple(self.ids[index] for index in indexes if index is not None):
                yield ids

    def _vehicle_hexes(self, a: str, b: str) -> tuple[tuple[str, ...], ...]:
        """7.4.1 The hexes in between, on the level of both ends and seen from both, that the line crosses or
        follows.
        """
        first, second = self.index[a], self.index[b]
        if first == second or self.level[first] != self.level[second]:
            return ()
        found: list[tuple[str, ...]] = []
        for group in self._named(self.hex[first], self._trace(first, second).groups):
            hexes = tuple(hex for hex in group if self._shows_vehicle(a, b, hex))
            if hexes:
                found.append(hexes)
        touched = {self._id(first, met) for met in self._trace(first, second).met if met.manner == "vertex"}
        return tuple(group for group in found if not touched & set(group))

    def _id(self, first: int, met: Met) -> str:
        index = self._index(self.hex[first], met.hex)
        return "" if index is None else self.ids[index]

    def _shows_vehicle(self, a: str, b: str, hex: str) -> bool:
        return self.level[self.index[hex]] == self.level[self.index[a]] and self.sees(a, hex) and self.sees(b, hex)

    # --- explanations ------------------------------------------------------------------------------------------

    def _sight(self, a: str, b: str) -> Sight:
        """3.2.1 The line of sight over terrain alone, with its explanation."""
        first, second = self.index[a], self.index[b]
        start, end = centre(self.hex[first]), centre(self.hex[second])
        if first == second:
            return Sight(a, b, True, 0, 0, (), (), Thread(start, end))
        line = self._trace(first, second)
        hexes = tuple(hex for group in self._named(self.hex[first], line.groups) for hex in group)
        on_road = tuple(self._orchard_roads(self.hex[first], line))
        if not self.sees(a, b):
            obstacles, stop = self._obstacles(first, second, line)
            return Sight(a, b, False, 0, 0, obstacles, (), Thread(start, end, hexes, stop), on_road)
        hindrances = tuple(self._hindrances(a, b))
        total = sum(part.value for part in hindrances)
        return Sight(a, b, True, total, 0, (), hindrances, Thread(start, end, hexes), on_road)

    def _orchard_roads(self, start: Axial, line: Trace) -> Iterator[str]:
        """1.1.1.7 The orchards that the line passes along a road."""
        for met in line.met:
            index = self._index(start, met.hex)
            if index is not None and self.orchard[index] and self._on_road(start, line, met):
                yield self.ids[index]

    def _hindrances(self, a: str, b: str) -> Iterator[Hindered]:
        for group in self.values(a, b):
            kind, value = max(group.values(), key=lambda part: part[1])
            yield hindrance_by(tuple(hex for hex, part in group.items() if part == (kind, value)), kind, value)

    def _obstacles(self, first: int, second: int, line: Trace) -> tuple[tuple[Obstacle, ...], int]:
        """3.2.1 All obstacles, in order along the line, and where the line is first blocked, in thousandths."""
        start, case = self.hex[first], self._case(first, second)
        found: dict[tuple[int, ObstacleKind, tuple[str, ...]], None] = {}
        sides = [*self._beside(start, line, case)]
        left = union(span for part in sides for span in part.left)
        right = union(span for part in sides for span in part.right)
        for span in overlap(left, right):
            for kind in OBSTACLE_RULES:
                hexes = tuple(self._hexes_showing(start, line, sides, span, kind))
                if hexes:
                    found[(span[0], kind, hexes)] = None
        for index in self._orchards(start, line, case):
            met = next(met for met in line.met if self._index(start, met.hex) == index)
            found[(met.enter, "orchard", (self.ids[index],))] = None
        ordered = sorted(found)
        obstacles = {_obstacle(hexes, kind, case): None for _, kind, hexes in ordered}
        return tuple(obstacles), (ordered[0][0] * 1000 + WHOLE // 2) >> BITS

    def _beside(self, start: Axial, line: Trace, case: int) -> Iterator[Beside]:
        """3.2.1/depiction-test Find all obstacles beside the line, between the two hexes."""
        parts = [*self._farther(start, line, case)]
        for met in line.met:
            index = self._index(start, met.hex)
            for mass in () if index is None else self.masses[case][index]:
                parts.append(Beside(mass.kind, met.hex, *beside(mass.art, met.hex, line.step)))
        for part in parts:
            left, right = within(part.left, line.start, line.end), within(part.right, line.start, line.end)
            if left or right:
                yield part._replace(left=left, right=right)

    def _hexes_showing(
        self, start: Axial, line: Trace, sides: list[Beside], span: Span, kind: ObstacleKind
    ) -> Iterator[str]:
        """The hexes that show an obstacle of a kind along a blocked part of the line."""
        seen: dict[str, None] = {}
        for part in sides:
            if part.kind == kind and (overlap(part.left, (span,)) or overlap(part.right, (span,))):
                hexes = [part.hex] if part.hex is not None else self._under(start, line, span)
                for hex in hexes:
                    if (index := self._index(start, hex)) is not None:
                        seen[self.ids[index]] = None
        yield from seen

    def _under(self, start: Axial, line: Trace, span: Span) -> list[Axial]:
        """The hex in which a hill outline first blocks the line."""
        return [met.hex for met in line.met if met.enter <= span[0] < met.leave][:1]


@lru_cache(maxsize=4096)
def _fringe(q: int, z: int) -> tuple[Axial, ...]:
    """3.2.1/algorithm The traced hexes, both ends included, and their neighbours."""
    line = trace(q, z)
    traced = [ORIGIN, *(met.hex for met in line.met), line.step]
    return tuple(dict.fromkeys([*traced, *(step(hex, side) for hex in traced for side in range(6))]))


def _masses(place: Place, case: int) -> Iterator[Mass]:
    """3.2.1/algorithm The obstacles in a hex for two units on level 0, two on level 1, or one on each."""
    for kind in ("building", "woods"):
        if kind in place.art and case in (place.level, BETWEEN_LEVELS):
            roads = place.art.get("road", ()) if kind == "woods" else ()
            yield Mass("building" if kind == "building" else "woods", shared_art(place.art[kind], roads))
    if "hill" in place.art and case != 1:  # 1.1.1.10
        yield Mass("hill", shared_art(place.art["hill"]))


def _growth(place: Place) -> Growth | None:
    """3.2.1/algorithm The brush, or grain in season, in a hex; None if there is neither."""
    roads = place.art.get("road", ())
    if place.terrain == "grain":
        return Growth("grain", shared_art(place.art.get("grain", (HEXAGON,)), roads))
    if place.terrain == "brush":
        return Growth("brush", shared_art(place.art.get("brush", (HEXAGON,)), roads))
    return None


def _obstacle(hexes: tuple[str, ...], kind: ObstacleKind, case: int) -> Obstacle:
    """3.2.1 Describe an obstacle."""
    where = " and ".join(hexes)
    if kind == "hill":
        what = f"a crest line at {where}" if case == BETWEEN_LEVELS else f"the hill at {where}"
        return Obstacle(hexes, kind, "3.2.1" if case == BETWEEN_LEVELS else OBSTACLE_RULES[kind], what)
    what = "an orchard in leaf" if kind == "orchard" else "a building" if kind == "building" else "woods"
    return Obstacle(hexes, kind, OBSTACLE_RULES[kind], f"{what} in {where}")
