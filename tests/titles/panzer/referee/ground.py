"""The referee's own map: hexes, heights, lines and tables, taken straight from the books and the data files.

Nothing here uses the rules of the program. A hex is a pair (x, y) with y in half hexes, so that the hex below (x, y)
is (x, y + 2). On paper its centre is at (3x, y) and its corners at (±2, 0) and (±1, ±1) from it: all whole numbers.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from itertools import combinations
from math import atan2, degrees, sqrt
from typing import Any

Place = tuple[int, int]
STEPS = {1: (0, -2), 2: (1, -1), 3: (1, 1), 4: (0, 2), 5: (-1, 1), 6: (-1, -1)}
COVER = ("none", "light", "medium", "heavy")
RUBBLE = ("wood_rubble", "brick_rubble", "stone_rubble")


@cache
def toml(name: str) -> dict[str, Any]:
    return tomllib.loads(files("pbem.titles.panzer").joinpath(f"data/{name}.toml").read_text())


@cache
def rows(name: str, kind: str) -> dict[str, dict[str, Any]]:
    """Return the rows of a table by their ids, each cell without its source."""
    return {row["id"]: {key: plain(cell) for key, cell in row.items()} for row in toml(name)[kind]}


def plain(cell: Any) -> Any:
    sourced = isinstance(cell, list) and len(cell) == 2 and isinstance(cell[1], str)
    return cell[0] if sourced else cell


def step(place: Place, direction: int) -> Place:
    return place[0] + STEPS[direction][0], place[1] + STEPS[direction][1]


def apart(a: Place, b: Place) -> int:
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    return dx + max(0, dy - dx) // 2


def corners(place: Place) -> list[tuple[int, int]]:
    u, v = 3 * place[0], place[1]
    return [(u + du, v + dv) for du, dv in ((2, 0), (-2, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))]


def beside(a: Place, b: Place, point: tuple[int, int]) -> int:
    """Return on which side of the line from a to b a point lies."""
    ua, va, ub, vb = 3 * a[0], a[1], 3 * b[0], b[1]
    return (ub - ua) * (point[1] - va) - (vb - va) * (point[0] - ua)


def on_line(a: Place, b: Place, places: Any) -> list[Place]:
    """Return the hexes strictly between two others that the line crosses or follows along a side."""
    found = []
    for place in places:
        if not (1 <= apart(a, place) < apart(a, b) and 1 <= apart(b, place) < apart(a, b)):
            continue
        signs = [beside(a, b, corner) for corner in corners(place)]
        if min(signs) < 0 < max(signs) or signs.count(0) == 2:
            found.append(place)
    return found


def touches(a: Place, b: Place, one: Place, other: Place) -> bool:
    """Return whether the line crosses, follows or ends at the hexside between two neighbours."""
    shared = [corner for corner in corners(one) if corner in corners(other)]
    first, second = (beside(a, b, corner) for corner in shared)
    return first * second <= 0


def off_ahead(here: Place, there: Place, facing: int) -> float:
    """Return the angle in degrees between a facing and the direction to a hex."""
    du, dv = 3 * (there[0] - here[0]) / 2, (there[1] - here[1]) * sqrt(3) / 2
    bearing = degrees(atan2(du, -dv)) % 360
    off = abs(bearing - 60 * (facing - 1)) % 360
    return min(off, 360 - off)


class Map:
    """1.2, 6.1.4.3 The current map: the drawn terrain with the counters that have changed it."""

    def __init__(self, board: Any, features: dict[str, Any], desert: bool, edition: str = "2024") -> None:
        self.desert, self.edition = desert, edition
        self.features = list(features.values())
        self.levels = {(hex.x, hex.y): board.level(hex) for hex in board.hexes}
        self.storeys = {(hex.x, hex.y): board.storeys(hex) for hex in board.hexes}
        self.terrain = {(hex.x, hex.y): list(board.terrain(hex)) for hex in board.hexes}
        self.sides: dict[frozenset[Place], tuple[str, ...]] = {}
        self.links: dict[frozenset[Place], str] = {}
        for hex in board.hexes:
            for other in (type(hex)(*step((hex.x, hex.y), way)) for way in STEPS):
                key = frozenset(((hex.x, hex.y), (other.x, other.y)))
                if board.is_on_map(other):
                    self.sides[key] = board.side(hex, other)
                if link := board.link(hex, other):
                    self.links[key] = link
        table = rows("terrain", "terrain")
        for feature in self.features:
            place = tuple(feature["hex"])
            if feature["type"] in RUBBLE:
                self.terrain[place] = [n for n in self.terrain[place] if not table[n].get("storeys")] or ["clear"]
            elif feature["type"] == "bridge_rubble":
                self.terrain[place] = [n for n in self.terrain[place] if n != "bridge"] or ["clear"]
            elif feature["type"] == "ditch":
                self.terrain[place] = [*self.terrain[place], "ditch"]

    def sunken(self, place: Place) -> bool:
        table = rows("terrain", "terrain")
        low = any(table[name]["height"] < 0 for name in self.terrain[place])
        return low and "bridge" not in self.terrain[place]

    def in_gully(self, place: Place) -> bool:
        return any(rows("terrain", "terrain")[name]["height"] < 0 for name in self.terrain[place])

    def ground(self, place: Place) -> int:
        return self.levels[place] - self.sunken(place)

    def built(self, place: Place) -> str:
        return next((name for name in self.terrain[place] if name.endswith("_building")), "")

    def height_above(self, place: Place) -> int:
        table = rows("terrain", "terrain")
        heights = [0]
        for name in self.terrain[place]:
            times = self.storeys[place] if name.endswith("_building") else 1
            heights.append(table[name]["height"] * times)
        return max(heights)

    def opens(self, a: Place, b: Place) -> bool:
        return frozenset((a, b)) in self.links


def sees(land: Map, a: Place, b: Place, up_a: int = 0, up_b: int = 0) -> bool:
    """4.1.4 Return whether there is a line of sight, by the procedure as printed."""
    if a == b:
        return True
    reach, high_a, high_b = apart(a, b), land.ground(a) + up_a, land.ground(b) + up_b
    low, high = sorted((high_a, high_b))
    higher = a if high_a == high else b
    met = on_line(a, b, land.terrain)
    rim = 0
    if land.sunken(a) or land.sunken(b):  # 4.1.4.1.6, A-10
        if land.sunken(a) and land.sunken(b):
            if any(not land.in_gully(place) for place in met):
                return False
        else:
            depth, other = (high_a, high_b) if land.sunken(a) else (high_b, high_a)
            if other <= depth + 1 and reach > 1:
                return False
            rim = depth + 1
    sloping = low != high and land.edition == "2024"  # 4.1.4.1.5.1 is not in the 2016 book
    free = slope_down(land, met, higher) if sloping else []
    found: list[tuple[int, int]] = []
    row = next((way for way in STEPS if is_row(a, b, way)), 0)
    for place in met:
        adds, ground = land.height_above(place), land.ground(place)
        if row and land.opens(place, step(place, row)) and land.opens(place, step(place, (row + 2) % 6 + 1)):
            adds = 0  # 4.1.4.1.3, A-07
        if land.sunken(a) and land.sunken(b) and "bridge" in land.terrain[place]:
            ground -= 1
        if ground + adds > max(0, rim) and not (place in free and not adds):
            found.append((ground + adds, apart(higher, place)))
    for one, other in combinations([a, *met, b], 2):
        standing = {"crest", "hedgerow"} & set(land.sides.get(frozenset((one, other)), ()))
        if apart(one, other) == 1 and standing and touches(a, b, one, other):
            top = max(land.levels[one], land.levels[other]) + 1
            found.append((top, min(apart(higher, one), apart(higher, other))))
    depth = low if land.edition == "2024" else 0
    return not any(blocks(top, away, low, high, reach, depth) for top, away in found)


def is_row(a: Place, b: Place, way: int) -> bool:
    here = a
    for _ in range(apart(a, b)):
        here = step(here, way)
    return here == b


def blocks(top: int, away: int, low: int, high: int, reach: int, corrected: int) -> bool:
    """4.1.4.2.1-4 Return whether one obstacle blocks the line.

    4.1.4.2.4.1 The 2024 book adds the height of the lower unit to the divisor; the 2016 book does not.
    """
    if top <= low:
        return False
    if top >= high:
        return True
    fixed = {1: 2, 2: 4, 3: 8}.get(high - top)
    zone = 1 if fixed is None else max(1, away // max(2, fixed + corrected))
    return reach <= away + zone


def slope_down(land: Map, met: list[Place], higher: Place) -> list[Place]:
    """4.1.4.1.5.1, A-09 Return the hexes of a continuous slope down from the higher unit."""
    free: list[Place] = []
    above = [higher]
    for away in range(1, 99):
        ring = [place for place in met if apart(higher, place) == away]
        pairs = [(upper, place) for place in ring for upper in above if apart(upper, place) == 1]
        if not ring or not pairs or any(not goes_down(land, upper, place) for upper, place in pairs):
            return free
        if any(not [one for one in above if apart(one, place) == 1] for place in ring):
            return free
        free, above = [*free, *ring], ring
    return free


def goes_down(land: Map, upper: Place, place: Place) -> bool:
    return land.ground(place) < land.ground(upper) and "slope" in land.sides[frozenset((upper, place))]
