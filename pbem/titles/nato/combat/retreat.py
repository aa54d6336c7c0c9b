"""25.7 Retreat: its length, its direction and its cost.

25.7.2   net_retreat: terrain shortens the retreat
25.7.3   ways_back: every path of the length required, with the mandatory stop
25.7.4   violations: the priorities, in order
25.7.4   legal_ways: the paths that a group may take
25.7.5   rear: the directions of the friendly rear
25.7.8   within_area: units that are bound to an area
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.strength import ground_of
from pbem.titles.nato.map.grid import HexId, adjacent, bearing
from pbem.titles.nato.movement.costs import area_objections
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.zones.stacking import maneuver_steps, room

FARTHEST = 6
"""21.1.3 The maximum length of the search for a hex without a Nuclear Strike marker."""


Ends: TypeAlias = Mapping[HexId, Sequence[Unit]]
"""25.7.3 The hexes where other groups of the same force end their retreat."""
NOBODY: Final[Ends] = {}


class Way(msgspec.Struct, frozen=True, order=True):
    """25.7.3 A retreat path and its cost; paths are sorted by their violations of 25.7.4 first."""

    violations: tuple[int, ...]
    price: int
    """Steps lost for enemy zones of control entered and for hexes not retreated."""
    path: tuple[HexId, ...]


def net_retreat(board: Board, objective: HexId, result: int) -> int:
    """25.7.2 The number of hexes to retreat, after the reduction by terrain."""
    return max(0, result - ground_of(board, objective).retreat)  # 30.4.2, 30.4.4


def legal_ways(board: Board, group: Sequence[Unit], length: int, others: Ends = NOBODY) -> list[Way]:
    """25.7.4 The paths open to units that retreat together: those that violate the priorities least."""
    start, side = group[0].at, group[0].side
    found = [way_of(board, group, path, length, others) for path in ways_back(board, side, group, start, length)]
    found = within_area(board, group, found, length)
    if not found:
        return []
    longest = max(path_length(board, side, way.path, length) for way in found)
    full = [way for way in found if path_length(board, side, way.path, length) == longest]
    least = min(way.violations for way in full)
    best = [way for way in full if way.violations == least]
    price = min(way.price for way in best)
    return sorted([*best, *(way for way in found if way.price < price)])  # 25.7.4.2


def within_area(board: Board, group: Sequence[Unit], ways: Sequence[Way], length: int) -> list[Way]:
    """25.7.8 The retreat paths within the area that units are bound to, or all paths if leaving it saves a step."""
    bound = [way for way in ways if not leaves_area(board, group, way.path)]
    at_home = min((way.price for way in bound), default=length)
    return [*ways] if any(way.price < at_home for way in ways) else bound


def onward(board: Board, group: Sequence[Unit], path: tuple[HexId, ...]) -> Iterator[tuple[HexId, ...]]:
    """21.1.3 Extend a path that ends in a nuclear strike hex to the first hex without one, unless all units are
    hard.
    """
    if path[-1] not in board.state.nuclear or all(unit.card.hard for unit in group):
        yield path
    elif len(path) < FARTHEST:
        for near in next_steps(board, group[0].side, path[-1]):
            if near != group[0].at and near not in path:
                yield from onward(board, group, (*path, near))


def path_length(board: Board, side: Side, path: Sequence[HexId], length: int) -> int:
    """25.7.3 The number of hexes a path counts for; a path that must stop in its first hex counts as full length."""
    return length if stops_in(board, side, path[0]) else min(len(path), length)


def ways_back(
    board: Board, side: Side, group: Sequence[Unit], start: HexId, length: int
) -> Iterator[tuple[HexId, ...]]:
    """25.7.3 Yield every path of the full length from the objective, and the shorter ones that are blocked."""
    for hex in next_steps(board, side, start):
        if length == 1 or stops_in(board, side, hex):
            yield from onward(board, group, (hex,))
            continue
        near = [further for further in next_steps(board, side, hex) if further != start]
        second = [further for further in near if not adjacent(further, start)]
        if not second:
            yield from onward(board, group, (hex,))
        for further in second:
            yield from onward(board, group, (hex, further))


def next_steps(board: Board, side: Side, hex: HexId) -> Iterator[HexId]:
    """25.7.4 Yield the next possible hexes, except enemy-occupied hexes, enemy-controlled cities and prohibited
    terrain.
    """
    enemy = ENEMY[side]
    for near, _ in board.atlas.ground.get(hex, ()):
        assaulted = all(unit.id in board.assaulting for unit in board.at(near, enemy))
        if (assaulted or not board.holds(near, enemy)) and board.controller(near) is not enemy:
            yield near


def stops_in(board: Board, side: Side, hex: HexId) -> bool:
    """25.7.3 Return whether a friendly unit, or terrain that reduces retreats, ends the retreat in the first hex."""
    return board.holds(hex, side) or ground_of(board, hex).retreat > 0


def way_of(board: Board, group: Sequence[Unit], path: tuple[HexId, ...], length: int, others: Ends = NOBODY) -> Way:
    """25.7.4 Return a path with its violations of the six priorities and its cost in steps."""
    broken = violations(board, group, path, others.get(path[-1], ()))
    return Way(broken, way_price(board, group[0].side, path, length), path)


def way_price(board: Board, side: Side, path: Sequence[HexId], length: int) -> int:
    """25.7.3, 25.7.4.1 The cost of a path: one step for each enemy zone of control entered and for each hex not
    retreated.
    """
    if not path:
        return length
    return closed_hexes(board, side, path) + length - path_length(board, side, path, length)


def closed_hexes(board: Board, side: Side, path: Sequence[HexId]) -> int:
    """25.7.4.1 Return the number of hexes on a path with an enemy zone of control that is not negated."""
    return sum(board.closed(hex, side) for hex in path)


def violations(
    board: Board, group: Sequence[Unit], path: tuple[HexId, ...], beside: Sequence[Unit]
) -> tuple[int, ...]:
    """25.7.4 Return how often a path violates each of the six priorities."""
    start, side, last = group[0].at, group[0].side, path[-1]
    steps = list(zip((start, *path), path, strict=False))
    rear = board.data.charts.rear(side, board.atlas.places[start].zone)
    crowd = [*group, *beside]
    crowded = maneuver_steps(crowd) > room(board, last, side) or would_double(board, crowd, last)  # 25.7.6
    return (
        closed_hexes(board, side, path),
        sum(board.adjacent_enemy(hex, side) for hex in path),
        sum(board.is_contaminated(hex) for hex in path),
        sum(bearing(here, there) not in rear for here, there in steps),
        int(crowded),
        sum(hard_going(board, here, there) for here, there in steps),
    )


def would_double(board: Board, group: Sequence[Unit], hex: HexId) -> bool:
    """9.1.1 Return whether a hex would hold two artillery units or two headquarters."""
    here = [*group, *board.at(hex, group[0].side)]
    return sum(unit.card.artillery for unit in here) > 1 or sum(unit.card.hq for unit in here) > 1


def hard_going(board: Board, start: HexId, end: HexId) -> bool:
    """25.7.4 item 6 Return whether a step enters a mountain hex or crosses a major river."""
    return board.atlas.places[end].ground == "mountain" or board.atlas.hexside(start, end).river == "major"


def leaves_area(board: Board, group: Sequence[Unit], path: Sequence[HexId]) -> bool:
    """25.7.8 Return whether a path takes a unit out of the area that it is bound to."""
    places = [board.atlas.places[hex] for hex in path]
    bound = [unit for unit in group if not unit.piece.freed]
    return any(any(area_objections(board, unit, place)) for unit in bound for place in places)
