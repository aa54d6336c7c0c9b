"""3.2.1/trace The hexes that a line of sight meets, and how it meets each of them.

    trace    the hexes between two centres: crossed, followed along a hexside, or touched at a vertex

A trace depends only on the relative position of the two hexes. It is computed once for each and then moved to where
it is needed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from pbem.titles.aslsk.ground.lattice import STEP, Axial, distance
from pbem.titles.aslsk.ground.shapes import HEXAGON
from pbem.titles.aslsk.ground.spans import WHOLE, crossing

Manner = Literal["crossed", "edge", "vertex"]
ORIGIN = Axial(0, 0)


class Met(NamedTuple):
    """3.2.1/trace One hex on the line, relative to the first hex: how the line meets it, and from where to where."""

    hex: Axial
    manner: Manner
    enter: int
    leave: int
    side: int
    """For manner `edge`, 1 if the hex is left of the line and -1 if it is right of it. Otherwise 0."""


class Trace(NamedTuple):
    """3.2.1/trace The hexes on the line between two centres, without the two end hexes."""

    step: Axial
    met: tuple[Met, ...]
    """The hexes in order along the line, left before right."""
    groups: tuple[tuple[Met, ...], ...]
    """The same hexes, with the two hexes on either side of a hexside that the line follows grouped together."""
    start: int
    """Where the line leaves the first hex."""
    end: int
    """Where the line enters the last hex. Terrain is an obstacle only between start and end."""


@lru_cache(maxsize=8192)
def trace(q: int, z: int) -> Trace:
    """3.2.1/trace Trace the line from the origin to the hex (q, z)."""
    target = Axial(q, z)
    length = distance(ORIGIN, target)
    found = [met for hex in _candidates(target, length) if (met := _meeting(hex, target)) is not None]
    ends = {met.hex: met for met in found}
    between = tuple(
        sorted(
            (met for met in found if met.hex not in (ORIGIN, target)),
            key=lambda met: (met.enter, met.leave, -met.side, met.hex),
        )
    )
    start = ends[ORIGIN].leave if length else WHOLE
    end = ends[target].enter if length else 0
    return Trace(target, between, _group(between), start, end)


def _candidates(target: Axial, length: int) -> list[Axial]:
    """3.2.1/trace The hexes that the line could meet, which are those through which a path to the target is at most
    one step longer.
    """
    q, z = target
    return [
        hex
        for column in range(min(0, q) - 1, max(0, q) + 2)
        for row in range(min(0, z) - 1, max(0, z) + 2)
        if distance(ORIGIN, hex := Axial(column, row)) + distance(hex, target) <= length + 1
    ]


def _meeting(hex: Axial, target: Axial) -> Met | None:
    """3.2.1/trace How the line meets a hex, or None if it does not."""
    if target == ORIGIN:
        return None
    placed = tuple((STEP * hex.q + q, STEP * hex.z + z) for q, z in HEXAGON)
    met = crossing(placed, 0, 0, STEP * target.q, STEP * target.z)
    if met.left and met.right:
        enter, leave = max(0, met.left[0][0]), min(WHOLE, met.left[0][1])
        return Met(hex, "crossed", enter, leave, 0) if enter < leave else None
    if met.left or met.right:
        ((enter, leave),) = met.left or met.right
        enter, leave = max(0, enter), min(WHOLE, leave)
        return Met(hex, "edge", enter, leave, 1 if met.left else -1) if enter < leave else None
    if met.touches and 0 <= met.touches[0] <= WHOLE:
        return Met(hex, "vertex", met.touches[0], met.touches[0], 0)
    return None


def _group(met: tuple[Met, ...]) -> tuple[tuple[Met, ...], ...]:
    """3.2.1/trace Group the hexes on the line, pairing the two hexes of a followed hexside."""
    groups: list[tuple[Met, ...]] = []
    for item in met:
        last = groups[-1][-1] if groups else None
        if item.manner == "edge" and last is not None and last.manner == "edge" and last.enter == item.enter:
            groups[-1] = (*groups[-1], item)
        else:
            groups.append((item,))
    return tuple(groups)
