"""3.2.1/depiction-test Finding the terrain art on either side of a line of sight.

Art, shared_art   the polygons of one kind in a hex, with its roads cut out
beside            the parts of a line with such art just left and just right of it
on_road           3.2.1/road-cover: the parts of a line that run on road polygons
"""

from __future__ import annotations

from functools import lru_cache

from pbem.titles.aslsk.ground.lattice import STEP, Axial
from pbem.titles.aslsk.ground.shapes import HEXAGON, contains
from pbem.titles.aslsk.ground.spans import Crossing, Polygon, Span, Spans, crossing, union, without


class Art:
    """3.2.1/depiction-test The polygons of one kind in a hex; hexes that are drawn alike share one Art."""

    __slots__ = ("polygons", "reaches_out", "roads", "whole")

    def __init__(self, polygons: tuple[Polygon, ...], roads: tuple[Polygon, ...] = ()) -> None:
        self.polygons, self.roads = polygons, roads
        self.whole = HEXAGON in polygons and not roads
        """Whether the art fills its hex, so that every line across the hex crosses it."""
        self.reaches_out = any(not contains(HEXAGON, point) for polygon in polygons for point in polygon)


@lru_cache(maxsize=4096)
def shared_art(polygons: tuple[Polygon, ...], roads: tuple[Polygon, ...] = ()) -> Art:
    """Return the Art shared by all hexes that are drawn alike."""
    return Art(polygons, roads)


@lru_cache(maxsize=16384)
def beside(art: Art, hex: Axial, way: Axial) -> tuple[Spans, Spans]:
    """3.2.1/depiction-test The parts of the line from the origin along `way` that have art just to the left or
    right.
    """
    left: list[Span] = []
    right: list[Span] = []
    for polygon in art.polygons:
        met = meet(polygon, hex, way)
        left += met.left
        right += met.right
    road = on_road(art.roads, hex, way) if art.roads and (left or right) else ()
    return without(union(left), road), without(union(right), road)


def on_road(roads: tuple[Polygon, ...], hex: Axial, way: Axial) -> Spans:
    """3.2.1/road-cover The parts of a line that lie on closed road polygons."""
    found: list[Span] = []
    for polygon in roads:
        met = meet(polygon, hex, way)
        found += met.left
        found += met.right
    return union(found)


def meet(polygon: Polygon, hex: Axial, way: Axial) -> Crossing:
    """Where the line from the origin along `way` meets a polygon that belongs to a hex."""
    return crossing(polygon, -STEP * hex[0], -STEP * hex[1], STEP * way[0], STEP * way[1])
