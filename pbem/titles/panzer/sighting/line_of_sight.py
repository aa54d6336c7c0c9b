"""4.1.4 Line of sight: whether the straight line between two hex centres is open, and why.

    4.1.4          line_of_sight (explained), LineOfSightTable.sees (yes or no, remembered), sight_table
    4.1.4.1        Relief: everything on a map that is high enough to block; Obstacle
    4.1.4.1.3, .7  opened_by_road: a road or path through buildings and trees (A-07)
    4.1.4.1.5.1    continuous_slope (A-09)
    4.1.4.1.6      gully_case (A-10)
    4.1.4.2        obstacles, judge
    4.4.3.2.2      smoke_hexes (A-24)

Both queries use `gully_case`, `obstacles` and `judge`: the quick one stops at the first blocking obstacle, the other
makes a finding for each. Every pair of hexes is examined from its left (or upper) end, so a line is the same in both
directions by construction.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple, Self

from pbem.engine.geometry.hexes import (
    Hex,
    Side,
    direction_to,
    distance,
    hex_name,
    hexside,
    line,
    neighbour,
    opposite,
    side_hexes,
)
from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.charts import Charts, Terrain
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sighting.known_lines import empty_rows, known_rows
from pbem.titles.panzer.sighting.ways import (
    DIRECTION_OF_STEP,
    Way,
    is_met,
    number_of,
    side_number,
    sides_to,
    way_to,
)
from pbem.titles.panzer.state import Wreck

OPEN: Final = "open"
BLOCKED: Final = "blocked"
KNOWN_BLOCKED: Final = 1
KNOWN_OPEN: Final = 2

HEXSIDE_RULES: Final = {"crest": "4.1.4.1.5", "hedgerow": "4.1.4.1.10"}


def smoke_hexes(a: Hex, b: Hex) -> tuple[Hex, ...]:
    """4.4.3.2.2 Where smoke matters between a and b: both hexes, and all that the line crosses or follows (A-24)."""
    return (a,) if a == b else (a, *line(a, b).hexes, b)


# --- 4.1.4.1 terrain features --------------------------------------------------------------------------------


class Obstacle(NamedTuple):
    """4.1.4.1 An obstacle in a hex or on a hexside, above height 0."""

    rule: str
    """The paragraph that describes the obstacle."""
    what: str
    place: tuple[Hex, ...]
    """The hex, or the two hexes of the hexside."""
    ground: int
    adds: int
    """4.1.4.1 The height of the terrain above its ground."""
    opened: str = ""
    """4.1.4.1.3, 4.1.4.1.7 The rule by which a road opens buildings or trees; only the ground remains."""
    exempt: str = ""
    """The rule that exempts the obstacle from blocking this line, if any."""

    @property
    def height(self) -> int:
        return self.ground + self.adds


class Relief:
    """4.1.4.1 The heights of a map: its ground, and everything on it that can block.

    After a change of terrain only the changed hexes are recomputed (6.1.4.3).
    """

    grounds: dict[int, int]
    out_of_gully: frozenset[int]
    raised: dict[int, Obstacle]
    barriers: dict[int, Obstacle]
    slopes: frozenset[int]

    def __init__(self, board: Board, charts: Charts, before: "Relief | None" = None) -> None:
        self.board = board
        self.charts = charts
        self.changed: frozenset[int] = frozenset(number_of(*hex) for hex in board.changed_hexes() if before)
        if before is None:
            self._survey(board, charts)
        else:
            self._change(board, charts, before)
        self.tops = {place: obstacle.height for place, obstacle in self.raised.items()}

    def _change(self, board: Board, charts: Charts, before: "Relief") -> None:
        hexes = board.changed_hexes()
        self.grounds = {**before.grounds, **{number_of(*hex): board.ground(hex) for hex in hexes}}
        banks = frozenset(number_of(*hex) for hex in hexes if not board.along_gully(hex))
        self.out_of_gully = (before.out_of_gully - self.changed) | banks
        standing = {number_of(*hex): found for hex in hexes if (found := raised_hex(board, charts, hex))}
        self.raised = {place: one for place, one in before.raised.items() if place not in self.changed} | standing
        self.barriers, self.slopes = before.barriers, before.slopes

    def _survey(self, board: Board, charts: Charts) -> None:
        self.grounds = {number_of(*hex): board.ground(hex) for hex in board.hexes}
        self.out_of_gully = frozenset(number_of(*hex) for hex in board.hexes if not board.along_gully(hex))
        self.raised = {number_of(*hex): found for hex in board.hexes if (found := raised_hex(board, charts, hex))}
        sides = [hexside(hex, direction) for hex in board.hexes for direction in (1, 2, 3)]
        self.barriers = {side_number(side): found for side in sides if (found := barrier(board, charts, side))}
        self.slopes = frozenset(side_number(side) for side in sides if "slope" in board.features(side))


def raised_hex(board: Board, charts: Charts, hex: Hex) -> Obstacle | None:
    """4.1.4.1 A hex's ground plus its tallest terrain; None at height 0 or below, which never blocks (4.1.4.1.1)."""
    ground, adds = board.ground(hex), charts.inherent_height(board.terrain(hex), board.storeys(hex))
    if ground + adds <= 0:
        return None
    if not adds:
        return Obstacle("4.1.4.1.4", "hill", (hex,), ground, adds)
    tallest = next(row for row in charts.rows(board.terrain(hex)) if _height(row, board.storeys(hex)) == adds)
    return Obstacle(terrain_rule(tallest), tallest.id, (hex,), ground, adds)


def _height(terrain: Terrain, storeys: int) -> int:
    return terrain.height * (storeys if terrain.per_storey else 1)


def terrain_rule(terrain: Terrain) -> str:
    """4.1.4.1 The paragraph for terrain that rises above its ground: buildings, or groves and woods."""
    return "4.1.4.1.3" if terrain.per_storey else "4.1.4.1.7"


def barrier(board: Board, charts: Charts, side: Side) -> Obstacle | None:
    """4.1.4.1.5, 4.1.4.1.10 A crest or hedgerow, at the higher of the two ground levels (A-08)."""
    blocking = [row for row in map(charts.hexside, board.features(side)) if row.blocks]
    if not blocking:
        return None
    tallest = max(blocking, key=lambda row: row.height)
    place = side_hexes(side)
    rule = HEXSIDE_RULES.get(tallest.id, "4.1.4.1.2")
    return Obstacle(rule, tallest.id, place, max(map(board.level, place)), tallest.height)


class Ends(NamedTuple):
    """4.1.4.2 The two units on a line: their hexes, distance and heights."""

    a: Hex
    b: Hex
    range: int
    heights: tuple[int, int]
    """The heights of the units in a and b."""
    higher: Hex

    @property
    def low(self) -> int:
        return min(self.heights)

    @property
    def high(self) -> int:
        return max(self.heights)

    @property
    def way(self) -> Way:
        return way_to(self.b.x - self.a.x, self.b.y - self.a.y)

    @property
    def sides(self) -> tuple[int, ...]:
        return sides_to(self.b.x - self.a.x, self.b.y - self.a.y)


Up = tuple[int, int]
"""6.1.4.3.1 How many levels above the ground of their hexes two units in buildings are."""
ON_THE_GROUND: Final[Up] = (0, 0)


def ends_of(board: Board, a: Hex, b: Hex, up: Up = ON_THE_GROUND) -> Ends:
    """4.1.4.2 The ends of a line: a unit is on the ground of its hex, one level down in a gully, never up in trees.

    Only leg units of the advanced game go `up` in a building.
    """
    if b < a:
        a, b, up = b, a, (up[1], up[0])
    heights = board.ground(a) + up[0], board.ground(b) + up[1]
    return Ends(a, b, distance(a, b), heights, b if heights[0] < heights[1] else a)


# --- 4.1.4.1.6 gullies ---------------------------------------------------------------------------------------


class Gully(NamedTuple):
    """4.1.4.1.6 The effect of a gully on a line: the case of A-10, and in case b a height.

    Obstacles up to that height are ignored.
    """

    case: str = ""
    blocks: bool = False
    limit: int = 0


NO_GULLY: Final = Gully()


def gully_case(relief: Relief, ends: Ends) -> Gully:
    """4.1.4.1.6 The case for lines into, out of and along gullies, fords, streams and ditches (A-10)."""
    sunken = [relief.board.is_sunken(hex) for hex in (ends.a, ends.b)]
    if not any(sunken) or ends.range == 0:
        return NO_GULLY
    if all(sunken):
        base = number_of(*ends.a)
        return Gully("c", any(base + hex in relief.out_of_gully for hex in ends.way.hexes))
    depth, other = ends.heights if sunken[0] else ends.heights[::-1]
    if other <= depth + 1:
        return Gully("a", ends.range > 1)
    return Gully("b", limit=depth + 1)


# --- 4.1.4.2 obstacles on the line ---------------------------------------------------------------------------


def obstacles(relief: Relief, ends: Ends, gully: Gully) -> Iterator[Obstacle]:
    """4.1.4.2 Everything above height 0 on the line except the terrain of the two end hexes (4.1.4.2.5).

    An obstacle may be met in any part of its hex or followed along one of its sides, and a hexside also at its end
    (4.1.4.2.6). Hexsides of the end hexes count. Nothing exists off the map.
    """
    base = number_of(*ends.a)
    slope = continuous_slope(relief, ends)
    for hex in ends.way.hexes:
        if obstacle := relief.raised.get(base + hex):
            yield in_this_line(relief, ends, gully, obstacle, on_slope=base + hex in slope)
    if relief.barriers:
        for side in ends.sides:
            if obstacle := relief.barriers.get(4 * base + side):
                yield obstacle


def at_a_glance(relief: Relief, a: Hex, b: Hex) -> bool | None:
    """4.1.4.2 Whether the line between two units on the ground is open; None if an exception could matter.

    Exceptions only lower or remove an obstacle, so one no higher than the lower unit never blocks (4.1.4.2.3). An
    obstacle as high as both units blocks (4.1.4.2.1, 4.1.4.2.2) unless a gully or a straight road leads there; a
    continuous slope is below the higher unit.
    """
    base = number_of(*a)
    heights = relief.grounds[base], relief.grounds[number_of(*b)]
    low, high = min(heights), max(heights)
    if relief.board.is_sunken(a) or relief.board.is_sunken(b):
        return None
    tops, is_clear = relief.tops, True
    for hex in way_to(b.x - a.x, b.y - a.y).hexes:
        top = tops.get(base + hex, 0)
        if top > low:
            is_clear = False
            if top >= high and direction_to(a, b) is None:
                return False
    met = is_clear and relief.barriers and sides_to(b.x - a.x, b.y - a.y)
    return True if is_clear and not any(4 * base + side in relief.barriers for side in met or ()) else None


def in_this_line(relief: Relief, ends: Ends, gully: Gully, obstacle: Obstacle, *, on_slope: bool) -> Obstacle:
    """4.1.4.1 The obstacle of a raised hex on this line: lower where a road or gully leads through, or exempt."""
    hex = obstacle.place[0]
    if obstacle.adds and opened_by_road(relief.board, ends, hex):
        obstacle = Obstacle("4.1.4.1.4", "hill", obstacle.place, obstacle.ground, adds=0, opened=obstacle.rule)
    if gully.case == "c" and relief.board.is_bridge(hex):  # a bridge counts as gully here
        obstacle = obstacle._replace(ground=obstacle.ground - 1)
    if obstacle.height <= 0:
        return obstacle._replace(exempt="4.1.4.1.1")
    if on_slope and not obstacle.adds:
        return obstacle._replace(exempt="4.1.4.1.5.1")
    if gully.case == "b" and obstacle.height <= gully.limit:
        return obstacle._replace(exempt="4.1.4.1.6")
    return obstacle


def opened_by_road(board: Board, ends: Ends, hex: Hex) -> bool:
    """4.1.4.1.3, 4.1.4.1.7 Whether a road or path runs through the hex straight along the line (A-07)."""
    ahead = direction_to(ends.a, ends.b)
    return ahead is not None and all(board.link(hex, neighbour(hex, way)) for way in (ahead, opposite(ahead)))


def continuous_slope(relief: Relief, ends: Ends) -> frozenset[int]:
    """4.1.4.1.5.1 The hexes down which the line runs from the higher unit on a continuous slope (A-09)."""
    if ends.low == ends.high or not relief.charts.switch("continuous_slope"):
        return frozenset()
    slope: list[int] = []
    above = [number_of(*ends.higher)]
    for hexes in _rings_from_higher(ends):
        below = [hex for hex in hexes if hex in relief.grounds]
        if not below or not all(_descends(relief, above, hex) for hex in below):
            break
        slope += below
        above = below
    return frozenset(slope)


def _rings_from_higher(ends: Ends) -> Iterator[list[int]]:
    """The hexes on the line, grouped by range from the higher unit, one or two at each."""
    base = number_of(*ends.a)
    hexes, ranges = ends.way
    if ends.higher != ends.a:
        hexes, ranges = hexes[::-1], ranges[::-1]
    for _, ring in groupby(zip(ranges, hexes, strict=True), key=itemgetter(0)):
        yield [base + hex for _, hex in ring]


def _descends(relief: Relief, above: Iterable[int], hex: int) -> bool:
    """4.1.4.1.5.1 Whether a hex is at least 1 lower than each adjacent hex above it, across a slope hexside."""
    touched = [upper for upper in above if hex - upper in DIRECTION_OF_STEP]
    return bool(touched) and all(
        relief.grounds[hex] < relief.grounds[upper] and _side_number_between(upper, hex) in relief.slopes
        for upper in touched
    )


def _side_number_between(a: int, b: int) -> int:
    direction = DIRECTION_OF_STEP[b - a]
    return 4 * a + direction if direction <= 3 else 4 * b + opposite(direction)


class Judgement(NamedTuple):
    """4.1.4.2 Whether an obstacle blocks a line, and by which rule."""

    rule: str
    blocks: bool
    below: int = 0
    """4.1.4.2.4 Levels from the higher unit down to the obstacle."""
    distance: int = 0
    """4.1.4.2.4 Hexes from the higher unit to the obstacle."""
    zone: int = 0
    """4.1.4.2.4 Hexes hidden behind the obstacle."""


def judge(charts: Charts, ends: Ends, obstacle: Obstacle) -> Judgement:
    """4.1.4.2 Compare the obstacle with the heights of both units."""
    height = obstacle.height
    if height > ends.high:
        return Judgement("4.1.4.2.1", True)
    if height <= ends.low:
        return Judgement("4.1.4.2.3", False)
    if height == ends.high:
        return Judgement("4.1.4.2.2", True)
    below = ends.high - height
    away = min(distance(ends.higher, hex) for hex in obstacle.place)  # the near side of a hexside
    zone = charts.blind_zone(below, away, ends.low)
    return Judgement("4.1.4.2.4", ends.range <= away + zone, below, away, zone)


# --- 4.1.4 yes or no -----------------------------------------------------------------------------------------


def is_open(relief: Relief, a: Hex, b: Hex, up: Up = ON_THE_GROUND) -> bool:
    """4.1.4 Whether the line is unblocked."""
    if b < a:
        a, b, up = b, a, (up[1], up[0])
    if up == ON_THE_GROUND and (seen := at_a_glance(relief, a, b)) is not None:
        return seen
    ends = ends_of(relief.board, a, b, up)
    gully = gully_case(relief, ends)
    return not gully.blocks and not any(
        judge(relief.charts, ends, obstacle).blocks
        for obstacle in obstacles(relief, ends, gully)
        if not obstacle.exempt
    )


class LineOfSightTable:
    """4.1.4 Lines of sight on a map, computed on first use and cached; `known` loads those of a packaged map.

    There is one row of bytes for each viewing hex: 0 if unknown, otherwise KNOWN_BLOCKED or KNOWN_OPEN. After a
    change of terrain, lines that meet none of the changed hexes are those of the previous map. Smoke, fires and
    wrecks never block.
    """

    sees: Callable[[Hex, Hex], bool]
    """4.1.4 Whether units in two hexes have a line of sight to each other."""

    def __init__(self, board: Board, charts: Charts, before: "Self | None" = None, known: bool = True) -> None:
        self.board, self.charts, self.before = board, charts, before
        self.places = {hex: place for place, hex in enumerate(board.hexes)}
        self._rows = known_rows(board, charts) if known and before is None else empty_rows(board)
        self._from_above: dict[tuple[Hex, Hex, Up], bool] = {}
        rows, places, find = self._rows, self.places, self._find
        self.sees = lambda a, b: known == 2 if (known := rows[a][places[b]]) else find(a, b)  # queried most of all

    @cached_property
    def relief(self) -> Relief:
        """4.1.4.1 The heights of the map, needed only for lines that are not known yet."""
        return Relief(self.board, self.charts, self.before.relief if self.before else None)

    def seen_from(self, a: Hex) -> Callable[[Hex], bool]:
        """4.1.4 A function that returns whether there is a line of sight from this hex to another."""
        row, places, find = self._rows[a], self.places, self._find
        return lambda b: known == 2 if (known := row[places[b]]) else find(a, b)

    def row_of(self, a: Hex) -> tuple[Sequence[int], Mapping[Hex, int]]:
        """4.1.4 The row of known lines from this hex, and the place of every other hex in it."""
        return self._rows[a], self.places

    def _find(self, a: Hex, b: Hex) -> bool:
        found = self._is_open(a, b)
        self._rows[a][self.places[b]] = self._rows[b][self.places[a]] = KNOWN_OPEN if found else KNOWN_BLOCKED
        return found

    def sees_from_above(self, a: Hex, b: Hex, up: Up) -> bool:
        """6.1.4.3.1 Whether units in two hexes see each other, if one or both are up in a building."""
        known = self._from_above.get((a, b, up))
        if known is None:
            known = self._from_above[a, b, up] = is_open(self.relief, a, b, up)
        return known

    def _is_open(self, a: Hex, b: Hex) -> bool:
        """4.1.4 Whether the line is open: as on the previous map if nothing has changed on it, otherwise computed."""
        if self.before is None or is_met(self.relief.changed, a, b):
            return is_open(self.relief, a, b)
        return self.before.sees(a, b)


TABLES_KEPT: Final = 32
_tables: dict[tuple[str, int], LineOfSightTable] = {}


def sight_table(board: Board, charts: Charts) -> LineOfSightTable:
    """4.1.4 The shared table of a map under these charts."""
    key = board.digest, id(charts)  # charts live as long as their table
    table = _tables.get(key)
    if table is None:
        if len(_tables) >= TABLES_KEPT:
            _tables.pop(next(iter(_tables)), None)  # another thread may have been faster
        before = sight_table(board.before, charts) if board.before else None
        table = _tables.setdefault(key, LineOfSightTable(board, charts, before))
    return table


# --- 4.1.4 explained -----------------------------------------------------------------------------------------


def line_of_sight(
    board: Board,
    charts: Charts,
    a: Hex,
    b: Hex,
    wrecks: Mapping[str, Wreck] | None = None,
    up: Up = ON_THE_GROUND,
) -> Finding:
    """4.1.4 Whether the line is open, with everything examined along it from a to b."""
    relief = sight_table(board, charts).relief
    ends = ends_of(board, a, b, up)
    gully = gully_case(relief, ends)
    children = list(_explain_gully(relief, ends, gully))
    if not gully.blocks and ends.range:
        met = sorted(obstacles(relief, ends, gully), key=lambda obstacle: _nearest_to(a, obstacle))
        children.append(_explain_features(relief, a, b, met, wrecks or {}))
        children += _explain_end_hexes(relief, ends)
        children.append(_explain_obstacles(charts, ends, [obstacle for obstacle in met if not obstacle.exempt]))
    heights = [board.ground(a) + up[0], board.ground(b) + up[1]]
    inputs = {"from": hex_name(a), "to": hex_name(b), "range": ends.range, "heights": heights}
    return Finding(rule="4.1.4", inputs=inputs, result=_worst(children), children=tuple(children))


def _nearest_to(a: Hex, obstacle: Obstacle) -> int:
    return min(distance(a, hex) for hex in obstacle.place)


def _worst(findings: Iterable[Finding]) -> str:
    return BLOCKED if any(finding.result == BLOCKED for finding in findings) else OPEN


def _place_name(obstacle: Obstacle) -> str:
    """`C3`, or `C3/C4` for the hexside between them."""
    return "/".join(hex_name(hex) for hex in sorted(obstacle.place))


def _explain_gully(relief: Relief, ends: Ends, gully: Gully) -> Iterator[Finding]:
    """4.1.4.1.6 Explain which of the three cases applies."""
    if not gully.case:
        return
    rule = {"a": "4.1.4.1.6", "b": "4.1.4.1.6/two-levels-above", "c": "4.1.4.1.6/along"}[gully.case]
    sunken = [hex_name(hex) for hex in (ends.a, ends.b) if relief.board.is_sunken(hex)]
    inputs = {"case": gully.case, "sunken": sunken, "range": ends.range}
    if gully.case == "b":
        inputs["ignored_up_to"] = gully.limit
    yield Finding(
        rule=ledger_row(relief.charts.edition, rule), inputs=inputs, result=BLOCKED if gully.blocks else OPEN
    )


def _explain_features(relief: Relief, a: Hex, b: Hex, met: list[Obstacle], wrecks: Mapping[str, Wreck]) -> Finding:
    """4.1.4.1 Everything on the line: features that can block, that never do, and that are exempt on this line."""
    raised_hexes = {obstacle.place[0] for obstacle in met if len(obstacle.place) == 1}
    flat = [hex_name(hex) for hex in line(a, b).hexes if relief.board.is_on_map(hex) and hex not in raised_hexes]
    standing = [_place_name(obstacle) for obstacle in met if not obstacle.exempt]
    children = []
    if flat:
        children.append(Finding(rule="4.1.4.1.1", inputs={"hexes": flat}, result=OPEN))
    if standing:
        children.append(Finding(rule="4.1.4.1.2", inputs={"places": standing}, result="may block"))
    for obstacle in met:
        children += _explain_exemption(relief.charts, obstacle)
    for hex in filter(relief.board.is_on_map, smoke_hexes(a, b)):
        if wreck := wrecks.get(hex_name(hex)):
            children += _explain_wreck(relief.charts, hex, wreck)
    return Finding(rule="4.1.4.1", result=standing, children=tuple(children))


def _explain_exemption(charts: Charts, obstacle: Obstacle) -> Iterator[Finding]:
    """4.1.4.1 Why terrain that could block is ignored or lower on this line."""
    inputs = {"where": _place_name(obstacle), "height": obstacle.height}
    if obstacle.opened:
        rule = ledger_row(charts.edition, f"{obstacle.opened}/road-exception")
        yield Finding(rule=rule, inputs=inputs, result=OPEN)
    if obstacle.exempt:
        yield Finding(rule=obstacle.exempt, inputs=inputs, result=OPEN)


def _explain_wreck(charts: Charts, hex: Hex, wreck: Wreck) -> Iterator[Finding]:
    """4.1.4.1.8, 4.1.4.1.9 Neither wrecks nor their smoke block; smoke is a modifier of AP fire."""
    yield Finding(rule="4.1.4.1.8", inputs={"hex": hex_name(hex), "height": 0}, result=OPEN)
    if wreck.brewed_up:
        inputs = {"hex": hex_name(hex), "height": charts.smoke.height}
        yield Finding(rule="4.1.4.1.9", inputs=inputs, result=OPEN)


def _explain_end_hexes(relief: Relief, ends: Ends) -> Iterator[Finding]:
    """4.1.4.2.5 Explain that end hexes are not obstacles: units see one hex into and out of blocking terrain."""
    sheltered = [hex_name(hex) for hex in (ends.a, ends.b) if number_of(*hex) in relief.raised]
    if sheltered or ends.range == 1:
        yield Finding(rule="4.1.4.2.5", inputs={"hexes": sheltered, "adjacent": ends.range == 1}, result=OPEN)


def _explain_obstacles(charts: Charts, ends: Ends, standing: list[Obstacle]) -> Finding:
    """4.1.4.2 Judge each obstacle separately; one obstacle that blocks is enough."""
    followed = frozenset(line(ends.a, ends.b).followed)
    children = tuple(_explain_obstacle(charts, ends, obstacle, followed) for obstacle in standing)
    inputs = {"low": ends.low, "high": ends.high}
    return Finding(rule="4.1.4.2", inputs=inputs, result=_worst(children), children=children)


def _explain_obstacle(charts: Charts, ends: Ends, obstacle: Obstacle, followed: frozenset[Hex]) -> Finding:
    judgement = judge(charts, ends, obstacle)
    inputs = {"where": _place_name(obstacle), "what": obstacle.what, "height": obstacle.height}
    if judgement.zone:
        inputs |= {"distance": judgement.distance, "zone": judgement.zone, "range": ends.range}
    return Finding(
        rule=judgement.rule,
        inputs=inputs,
        result=BLOCKED if judgement.blocks else OPEN,
        children=(
            _explain_height(charts, obstacle),
            Finding(rule="4.1.4.2.6", inputs={"where": _place_name(obstacle)}, result=_how_met(obstacle, followed)),
            *_explain_blind_zone(charts, ends, judgement),
        ),
    )


def _how_met(obstacle: Obstacle, followed: frozenset[Hex]) -> str:
    """4.1.4.2.6 Whether the line crosses the obstacle, runs along its side, or meets it as a hexside."""
    if len(obstacle.place) == 2:
        return "hexside"
    return "followed" if obstacle.place[0] in followed else "crossed"


def _explain_height(charts: Charts, obstacle: Obstacle) -> Finding:
    """4.1.4.1 The sum of ground and terrain."""
    flat_roofs = obstacle.rule == "4.1.4.1.3" and charts.switch("desert_buildings")
    return Finding(
        rule=obstacle.rule,
        inputs={"what": obstacle.what, "ground": obstacle.ground, "adds": obstacle.adds},
        result=obstacle.height,
        children=(Finding(rule="4.1.4.1.3.1", result=obstacle.height),) if flat_roofs else (),
    )


def _explain_blind_zone(charts: Charts, ends: Ends, judgement: Judgement) -> Iterator[Finding]:
    """4.1.4.2.4 The row of the blind zone table, and how the lower unit's height changes the zone."""
    if judgement.rule != "4.1.4.2.4":
        return
    row = min(judgement.below, charts.blind_zone_numbers.fixed_from)
    inputs = {"below": judgement.below, "distance": judgement.distance}
    uncorrected = charts.blind_zone(judgement.below, judgement.distance, 0)
    rule = ledger_row(charts.edition, f"4.1.4.2.4/{row}-lower")
    yield Finding(rule=rule, inputs=inputs, cell=row, result=uncorrected)
    if ends.low and charts.switch("blind_zone_correction"):
        yield Finding(rule="4.1.4.2.4.1", inputs={**inputs, "lower_unit": ends.low}, result=judgement.zone)
