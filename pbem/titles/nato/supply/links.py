"""10.2 Lines of supply: links of hexes, and obstacles to them.

    10.2.3   may_pass: whether a link may run through a hex
    10.2.1   distances: the length of the shortest link from every hex to a set of hexes
    10.2.2   is_chained: whether links from city to city lead to one of a set of hexes

A link is traced from the unit to its source. Its first hex is never tested; its last one is. All searches here
run the other way, from the sources outwards: one search then serves every unit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.state import ENEMY


def may_pass(board: Board, hex: HexId, side: Side) -> bool:
    """10.2.3 Return whether a link of a side may enter a hex."""
    enemy = ENEMY[side]
    if board.holds(hex, enemy) or board.controller(hex) is enemy:  # 30.1.2
        return False
    return not board.closed(hex, side)


class Open(dict[HexId, bool]):
    """10.2.3 Whether links of a side may enter each hex, computed when a hex is first looked up.

    Only units, cities and zones of control can close a hex; most hexes have none.
    """

    def __init__(self, board: Board, side: Side) -> None:
        self.board, self.side = board, side
        self.perhaps_closed = {*board.stacks, *board.atlas.cities, *board.zones[ENEMY[side]]}

    def __missing__(self, hex: HexId) -> bool:
        found = self[hex] = hex not in self.perhaps_closed or may_pass(self.board, hex, self.side)
        return found


def open_hexes(board: Board, side: Side) -> Open:
    """10.2.3 The hexes that links of a side may enter, cached until the position changes."""
    return board.fact(("open", side), lambda: Open(board, side))


def steps_of(board: Board, side: Side) -> Mapping[HexId, tuple[HexId, ...]]:
    """10.2.3, 10.2.4 The hexes that a link could enter from each hex, considering hexsides only."""
    return board.data.ferry_steps if ferry_open(board, side) else board.data.ground_steps


def ferry_open(board: Board, side: Side) -> bool:
    """10.2.4 Return whether a side may use the Danish ferry: NATO may use it until Denmark surrenders, and then the
    Warsaw Pact may.
    """
    return (side is Side.NATO) != ("DK" in board.state.surrendered)


def distances(board: Board, side: Side, ends: Iterable[HexId], limit: int) -> dict[HexId, int]:
    """10.1.2, 10.2, 10.2.1 The length of the shortest link from every hex to one of these hexes, up to a limit."""
    found = dict.fromkeys(ends, 0)
    passes, steps = open_hexes(board, side), steps_of(board, side)
    edge = [hex for hex in found if passes[hex]]
    for length in range(1, limit + 1):
        further: list[HexId] = []
        for hex in edge:
            for near in steps[hex]:
                if near not in found:
                    found[near] = length
                    if passes[near]:
                        further.append(near)
        if not further:
            break
        edge = further
    return found


def within_link(board: Board, side: Side, start: HexId, ends: Collection[HexId], limit: int) -> list[HexId]:
    """10.2.1 Return those of the end hexes that a single link from the start can reach, nearest first."""
    found = [start] if start in ends else []
    seen, edge = {start}, [start]
    passes, steps = open_hexes(board, side), steps_of(board, side)
    for _ in range(limit):
        further = []
        for hex in edge:
            for near in steps[hex]:
                if near not in seen:
                    seen.add(near)
                    if passes[near]:
                        further.append(near)
                        if near in ends:
                            found.append(near)
        edge = further
    return found


def linked(board: Board, side: Side, start: HexId, ends: Collection[HexId], limit: int) -> bool:
    """10.2.1 Return whether one link from a hex reaches any of these hexes other than itself."""
    seen, edge = {start}, [start]
    passes, steps = open_hexes(board, side), steps_of(board, side)
    for _ in range(limit):
        further = []
        for hex in edge:
            for near in steps[hex]:
                if near not in seen:
                    seen.add(near)
                    if passes[near]:
                        if near in ends:
                            return True
                        further.append(near)
        edge = further
    return False


def is_chained(board: Board, side: Side, start: HexId, ends: Collection[HexId], limit: int) -> bool:
    """10.2.2 Return whether links of limited length over controlled cities lead to one of these hexes."""
    if start in ends:
        return True
    anchors = {hex for hex in board.atlas.cities if board.controller(hex) is side}
    stops = anchors | set(ends)
    done, waiting = {start}, [start]
    while waiting:
        for stop in within_link(board, side, waiting.pop(0), stops, limit):
            if stop in ends:
                return True
            if stop not in done:
                done.add(stop)
                waiting.append(stop)
    return False
