"""A second, slow and simple line-of-sight routine for comparison: fractions, clipping and points inside polygons.

Apart from reading boards, it shares no code with the title's routine. Each step of the rule is taken literally: clip
the line against the edges of a hexagon, collect every place where it meets an outline, and look at the middle of each
piece.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from pbem.titles.aslsk.ground.terrain import Ground

F = Fraction
XY = tuple[Fraction | int, Fraction | int]
VERTEX = [(80, -40), (40, -80), (-40, -40), (-80, 40), (-40, 80), (40, 40)]
NEAR = [(1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0)]


class Piece(NamedTuple):
    """A piece of the line inside (in), or along the edge of (left, right), a polygon."""

    start: Fraction
    end: Fraction
    where: str


class Answer(NamedTuple):
    """The referee's verdict: whether the line is clear, and its hindrance."""

    clear: bool
    hindrance: int


def cross(a: XY, b: XY) -> Fraction | int:
    return a[0] * b[1] - a[1] * b[0]


class Referee:
    """One map, without Smoke and vehicles unless they are given."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.at = {(place.hex.q, place.hex.z): place for place in ground.hexes.values()}

    # --- geometry ------------------------------------------------------------------------------------------

    def clip(self, a: XY, b: XY, h: tuple[int, int]) -> tuple[Fraction, Fraction] | None:
        """Return the part of the line inside the closed hexagon of h, found by half planes."""
        low, high = F(0), F(1)
        centre = (120 * h[0], 120 * h[1])
        for k in range(6):
            p = (centre[0] + VERTEX[k][0], centre[1] + VERTEX[k][1])
            n = VERTEX[(k + 1) % 6]
            edge = (centre[0] + n[0] - p[0], centre[1] + n[1] - p[1])
            inner = cross(edge, (centre[0] - p[0], centre[1] - p[1]))
            sign = 1 if inner > 0 else -1
            at_a = sign * cross(edge, (a[0] - p[0], a[1] - p[1]))
            at_b = sign * cross(edge, (b[0] - p[0], b[1] - p[1]))
            if at_a < 0 and at_b < 0:
                return None
            if at_a < 0 or at_b < 0:
                t = F(at_a, at_a - at_b)
                low, high = (max(low, t), high) if at_a < 0 else (low, min(high, t))
        return (low, high) if low <= high else None

    def manner(self, a: XY, b: XY, h: tuple[int, int], low: Fraction, high: Fraction) -> str:
        if low == high:
            return "vertex"
        t = (low + high) / 2
        x = (a[0] + t * (b[0] - a[0]) - 120 * h[0], a[1] + t * (b[1] - a[1]) - 120 * h[1])
        for k in range(6):
            p, n = VERTEX[k], VERTEX[(k + 1) % 6]
            if cross((n[0] - p[0], n[1] - p[1]), (x[0] - p[0], x[1] - p[1])) == 0:
                return "edge"
        return "crossed"

    def pieces(self, a: XY, b: XY, polygon: list[XY], low: Fraction, high: Fraction) -> Iterator[Piece]:
        """Return every elementary piece of the line between low and high that is inside or on the edge
        of a polygon.
        """
        way = (b[0] - a[0], b[1] - a[1])
        sides = [cross(way, (p[0] - a[0], p[1] - a[1])) for p in polygon]
        if min(sides) > 0 or max(sides) < 0:
            return
        cuts = {low, high}
        for i, p in enumerate(polygon):
            n = polygon[(i + 1) % len(polygon)]
            edge = (n[0] - p[0], n[1] - p[1])
            to = (p[0] - a[0], p[1] - a[1])
            slope = F(cross(way, edge))
            if slope != 0:
                t, u = cross(to, edge) / slope, cross(to, way) / slope
                if 0 <= u <= 1:
                    cuts.add(t)
            elif cross(to, way) == 0:
                for end in (p, n):
                    index = 0 if way[0] != 0 else 1
                    cuts.add(F(end[index] - a[index], way[index]))
        places = sorted(t for t in cuts if low <= t <= high)
        for start, end in pairwise(places):
            t = (start + end) / 2
            where = self.where((a[0] + t * way[0], a[1] + t * way[1]), way, polygon)
            if where:
                yield Piece(start, end, where)

    def where(self, x: XY, way: XY, polygon: list[XY]) -> str:
        """Return whether a point is `in` a polygon, or on its edge with the polygon to the `left` or `right`."""
        area = sum(cross(polygon[i - 1], polygon[i]) for i in range(len(polygon)))
        crossings = 0
        for i, p in enumerate(polygon):
            n = polygon[(i + 1) % len(polygon)]
            edge, to = (n[0] - p[0], n[1] - p[1]), (x[0] - p[0], x[1] - p[1])
            if (
                cross(edge, to) == 0
                and min(p[0], n[0]) <= x[0] <= max(p[0], n[0])
                and (min(p[1], n[1]) <= x[1] <= max(p[1], n[1]))
            ):
                along = edge[0] * way[0] + edge[1] * way[1] > 0
                return "left" if along != (area > 0) else "right"
            if (p[1] > x[1]) != (n[1] > x[1]):
                crossings += x[0] < p[0] + (x[1] - p[1]) * edge[0] / edge[1]
        return "in" if crossings % 2 else ""

    # --- the map -------------------------------------------------------------------------------------------

    def polygons(self, h: tuple[int, int], kind: str) -> list[list[XY]]:
        place = self.at.get(h)
        if place is None:
            return []
        return [[(120 * h[0] + q, 120 * h[1] + z) for q, z in polygon] for polygon in place.art.get(kind, ())]

    def shown(self, a: XY, b: XY, h: tuple[int, int], kind: str, low: Fraction, high: Fraction) -> list[Piece]:
        """Return the pieces with art of a kind, without the roads of the same hex."""
        found = [piece for polygon in self.polygons(h, kind) for piece in self.pieces(a, b, polygon, low, high)]
        if kind in ("building", "hill"):
            return found
        roads = [piece for polygon in self.polygons(h, "road") for piece in self.pieces(a, b, polygon, low, high)]
        cuts = sorted({t for piece in (*found, *roads) for t in piece[:2]})
        kept = []
        for piece in found:
            for start, end in pairwise(cuts):
                on_road = any(road.start <= start and end <= road.end for road in roads)
                if piece.start <= start and end <= piece.end and not on_road:
                    kept.append(Piece(start, end, piece.where))
        return kept

    def both_sides(self, pieces: list[Piece]) -> bool:
        if any(piece.where == "in" for piece in pieces):
            return True
        left = [piece for piece in pieces if piece.where == "left"]
        right = [piece for piece in pieces if piece.where == "right"]
        return any(max(one.start, two.start) < min(one.end, two.end) for one in left for two in right)

    def road_cover(self, a: XY, b: XY, h: tuple[int, int], low: Fraction, high: Fraction) -> bool:
        hexes = [h, *((h[0] + q, h[1] + z) for q, z in NEAR)]
        roads = [polygon for near in hexes for polygon in self.polygons(near, "road")]
        if low == high:
            x = (a[0] + low * (b[0] - a[0]), a[1] + low * (b[1] - a[1]))
            return any(self.where(x, (b[0] - a[0], b[1] - a[1]), road) for road in roads)
        reached = low
        for piece in sorted(piece for road in roads for piece in self.pieces(a, b, road, low, high)):
            if piece.start <= reached:
                reached = max(reached, piece.end)
        return reached >= high

    # --- the rule ------------------------------------------------------------------------------------------

    def answer(
        self, first: str, second: str, smoke: Mapping[str, int] | None = None, vehicles: Collection[str] = ()
    ) -> Answer:
        smoke = smoke or {}
        one, two = self.ground[first], self.ground[second]
        if first == second:
            return Answer(True, smoke.get(first, 0))
        ha, hb = tuple(one.hex), tuple(two.hex)
        a, b = (120 * ha[0], 120 * ha[1]), (120 * hb[0], 120 * hb[1])
        met = self.met(ha, hb, a, b)
        if self.blocked(one.level, two.level, ha, hb, a, b, met):
            return Answer(False, 0)
        if one.level != two.level and self.ground.orchards_in_season:
            for h, (_, low, high) in met.items():
                if self.is_orchard(h) and h not in (ha, hb) and not self.road_cover(a, b, h, low, high):
                    return Answer(False, 0)
        total = 0
        between = [h for h in met if h not in (ha, hb)]
        for group in self.groups(between, met):
            total += max(self.value(first, second, a, b, group, h, met, vehicles) for h in group)
            total += max(smoke.get(self.at[h].id, 0) if h in self.at else 0 for h in group)
        total += smoke.get(second, 0)
        total += smoke[first] + 1 if smoke.get(first) else 0
        return Answer(True, total)

    def met(self, ha: tuple[int, ...], hb: tuple[int, ...], a: XY, b: XY) -> dict[tuple[int, int], tuple[str, F, F]]:
        found = {}
        for q in range(min(ha[0], hb[0]) - 2, max(ha[0], hb[0]) + 3):
            for z in range(min(ha[1], hb[1]) - 2, max(ha[1], hb[1]) + 3):
                inside = self.clip(a, b, (q, z))
                if inside is not None:
                    found[(q, z)] = (self.manner(a, b, (q, z), *inside), *inside)
        return found

    def groups(self, between: list[tuple[int, int]], met: Mapping[tuple[int, int], tuple[str, F, F]]):
        done: set[tuple[int, int]] = set()
        for h in between:
            if h in done:
                continue
            group = [h]
            if met[h][0] == "edge":
                group += [g for g in between if g != h and met[g] == met[h]]
            done |= set(group)
            yield group

    def blocked(self, la, lb, ha, hb, a: XY, b: XY, met) -> bool:
        low, high = met[ha][2], met[hb][1]
        if low >= high:
            return False
        near = {(h[0] + q, h[1] + z) for h in met for q, z in (*NEAR, (0, 0))}
        pieces: list[Piece] = []
        for h in sorted(near):
            place = self.at.get(h)
            if place is None:
                continue
            if la != lb or place.level == la:
                pieces += self.shown(a, b, h, "building", low, high)
                pieces += self.shown(a, b, h, "woods", low, high)
            if la == 0 or lb == 0:
                pieces += self.shown(a, b, h, "hill", low, high)
        if la == 0 or lb == 0:
            for outline in self.ground.hills:
                pieces += self.pieces(a, b, [(q, z) for q, z in outline], low, high)
        return self.both_sides(pieces)

    def is_orchard(self, h: tuple[int, int]) -> bool:
        return h in self.at and self.at[h].terrain == "orchard"

    def value(self, first, second, a: XY, b: XY, group, h, met, vehicles) -> int:
        if h not in self.at:
            return 0
        la, lb = self.ground[first].level, self.ground[second].level
        place, (manner, low, high) = self.at[h], met[h]
        value = 0
        hinders = la == lb == place.level or (la != lb and not self.ground.orchards_in_season)
        if place.terrain == "orchard" and hinders and not self.road_cover(a, b, h, low, high):
            value += 1
        if place.terrain in ("grain", "brush") and la == lb == place.level and manner != "vertex":
            pieces = [
                piece
                for g in group
                if g in self.at and self.at[g].level == la and self.at[g].terrain in ("grain", "brush")
                for piece in self.shown(a, b, g, self.at[g].terrain, low, high)
            ]
            value += self.both_sides(pieces)
        if place.id in vehicles and la == lb == place.level and manner != "vertex":
            value += self.unblocked(first, place.id) and self.unblocked(second, place.id)
        return value

    def unblocked(self, first: str, second: str) -> bool:
        one, two = self.ground[first], self.ground[second]
        ha, hb = tuple(one.hex), tuple(two.hex)
        a, b = (120 * ha[0], 120 * ha[1]), (120 * hb[0], 120 * hb[1])
        return not self.blocked(one.level, two.level, ha, hb, a, b, self.met(ha, hb, a, b))
