"""T3.1 Room for the terrain that is still to come: players alternate until all pieces are placed.

    layout           places for the remaining pieces, or nothing if no layout is found
    room_for_rest    whether a wished place leaves room for them

The search for a layout goes row by row from each corner of the table, along and across: every piece takes the first
legal place next to the margin or to another piece. Once the first piece of a layout is placed, the rest of it
is still available, so a layout once found is never lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from pbem.engine.geometry.plane import Point
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.ground.geometry import Corners, box, near
from pbem.titles.tanks.ground.terrain import card_corners, piece_corners
from pbem.titles.tanks.setup.placing import Spot
from pbem.titles.tanks.situation import Situation

APART: Final = 10
"""How much further apart than one arrow the pieces of a layout are, in tenths of a millimetre."""


class Turned(NamedTuple):
    """A piece at a possible place: its position, heading and outline."""

    spot: Spot
    corners: Corners


Sweep = Callable[[Spot], tuple[int, int, int]]
SWEEPS: Final[tuple[Sweep, ...]] = tuple(
    sweep
    for across in (1, -1)
    for along in (1, -1)
    for sweep in (
        lambda spot, across=across, along=along: (along * spot[1], across * spot[0], spot[2]),
        lambda spot, across=across, along=along: (across * spot[0], along * spot[1], spot[2]),
    )
)
"""The orders in which places are tried: by rows and by columns, from each of the four corners."""


def layout(situation: Situation, kinds: Sequence[str]) -> list[Spot] | None:
    """T3.1 Places for pieces of these kinds, in this order, in addition to the pieces already on the table."""
    data = situation.data
    lying = [piece_corners(data, piece) for piece in situation.state.pieces]
    found = (place_all(data, lying, kinds, sweep) for sweep in SWEEPS)
    return next((spots for spots in found if spots is not None), None)


def room_for_rest(situation: Situation, kind: str, spot: Spot, rest: Sequence[str]) -> bool:
    """T3.1 Whether there is room for all remaining pieces after one more is placed at this spot."""
    data = situation.data
    card = card_corners(data, kind, Point(spot[0], spot[1]), spot[2])
    lying = [*(piece_corners(data, piece) for piece in situation.state.pieces), card]
    return not rest or any(place_all(data, lying, rest, sweep) is not None for sweep in SWEEPS)


def place_all(data: TanksData, lying: Sequence[Corners], kinds: Sequence[str], sweep: Sweep) -> list[Spot] | None:
    """T3.1 Put every piece at its first legal place in the order of the sweep; return None if one does not fit."""
    on_table, spots = list(lying), []
    for kind in kinds:
        places = sorted(set(candidates(data, kind, on_table)), key=sweep)
        legal = next((place for place in map(turner(data, kind), places) if fits(data, place, on_table)), None)
        if legal is None:
            return None
        on_table.append(legal.corners)
        spots.append(legal.spot)
    return spots


def turner(data: TanksData, kind: str) -> Callable[[Spot], Turned]:
    return lambda spot: Turned(spot, card_corners(data, kind, Point(spot[0], spot[1]), spot[2]))


def candidates(data: TanksData, kind: str, lying: Sequence[Corners]) -> Iterator[Spot]:
    """T3.1 Places slightly more than one arrow from the table edge, or from the box around another piece."""
    row, arrow, table = data.kinds[kind], data.scenario.arrow + APART, data.scenario.table
    boxes = [(0, 0, 0, 0), (table, table, table, table), *(box(corners) for corners in lying)]
    for heading, across, along in ((0, 5 * row.width, 5 * row.length), (90, 5 * row.length, 5 * row.width)):
        rows = {y for _, top, _, bottom in boxes for y in (top - arrow - along, bottom + arrow + along)}
        columns = {x for left, _, right, _ in boxes for x in (left - arrow - across, right + arrow + across)}
        inner = range(arrow, table - arrow)
        yield from (
            (x, y, heading)
            for x in sorted(columns)
            for y in sorted(rows)
            if x - across in inner and x + across in inner and y - along in inner and y + along in inner
        )


def fits(data: TanksData, place: Turned, lying: Sequence[Corners]) -> bool:
    return not any(near(place.corners, other, data.scenario.arrow) for other in lying)
