"""14, 16 Routes through the air and over the sea: whether one leads from a start to an end.

connected_parts  the parts of the map that a mode of transport can travel between, for the whole map at once
flies            the same for one flight, which seldom needs the whole map
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush

from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import HexId, distance

PROBED = 60
"""16.1.2 The number of hexes judged one by one before the whole map is."""


def connected_parts(
    board: Board,
    key: str,
    side: Side,
    allowed: Callable[[], frozenset[HexId]],
    steps: Mapping[HexId, tuple[HexId, ...]],
) -> dict[HexId, int]:
    """16.1.2 For each hex, the number of the connected part of the map in which a mode of transport can travel."""
    return board.fact((key, side), lambda: _parts(allowed(), steps))


def _parts(allowed: frozenset[HexId], steps: Mapping[HexId, tuple[HexId, ...]]) -> dict[HexId, int]:
    found: dict[HexId, int] = {}
    for number, hex in enumerate(sorted(allowed)):
        if hex in found:
            continue
        waiting = [hex]
        found[hex] = number
        while waiting:
            for near in steps.get(waiting.pop(), ()):
                if near in allowed and near not in found:
                    found[near] = number
                    waiting.append(near)
    return found


def reaches(parts: Mapping[HexId, int], starts: list[HexId], end: HexId) -> bool:
    return end in parts and any(parts.get(start) == parts[end] for start in starts)


def air_starts(board: Board, unit: Unit) -> list[HexId]:
    """14.1, 16.1.2 Return the starting hexes of a flight: the unit's hex, or any edge hex of a friendly sector."""
    if unit.at in board.atlas.places:
        return [unit.at]
    sectors = (1, 2) if unit.side is Side.NATO else (3, 4, 5)
    return [hex for sector in sectors for hex in board.atlas.sectors.get(sector, ())]


def flies(
    board: Board,
    key: str,
    unit: Unit,
    end: HexId,
    free: Callable[[HexId], bool],
    allowed: Callable[[], frozenset[HexId]],
) -> bool:
    """14.1.2, 16.1.2 Return whether a route through free hexes leads to the end of a flight.

    Most routes are nearly straight, so that only the hexes beside them need to be judged; the whole map is judged
    only if none of the first hexes leads on.
    """
    starts = air_starts(board, unit)
    found = None if (key, unit.side) in board.facts else nearly_straight(board, starts, end, free)
    return (
        found
        if found is not None
        else reaches(connected_parts(board, key, unit.side, allowed, board.atlas.neighbours), starts, end)
    )


def nearly_straight(board: Board, starts: Sequence[HexId], end: HexId, free: Callable[[HexId], bool]) -> bool | None:
    """16.1.2 Search for a route towards the end, nearest hexes first; None if it is not found soon."""
    if not free(end):
        return False
    waiting = [(distance(hex, end), hex) for hex in starts]
    heapify(waiting)
    seen = set(starts)
    for _ in range(PROBED):
        if not waiting:
            return False
        _, hex = heappop(waiting)
        if not free(hex):
            continue
        if hex == end:
            return True
        for near in board.atlas.neighbours.get(hex, ()):
            if near not in seen:
                seen.add(near)
                heappush(waiting, (distance(near, end), near))
    return None
