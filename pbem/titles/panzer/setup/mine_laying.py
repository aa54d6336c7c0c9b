"""7.31, 7.31.1 Laying mines: the kinds of mines, and where a minefield may be placed.

7.31      MINES (deliberate or hasty), MINE_KINDS (against vehicles, personnel, or both)
7.31.1    mine_objections, is_contiguous
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pbem.engine.geometry.hexes import Hex, distance, hex_name
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.board import Board

MINES: Final = ("deliberate_mines", "hasty_mines")
"""7.31 The two ways of laying mines, the more dangerous first."""
MINE_KINDS: Final = ("both", "personnel", "vehicles")
CLOSED_TERRAIN: Final = (
    "bridge",
    "wood_building",
    "brick_building",
    "stone_building",
    "ditch",
    "ford",
    "gully",
    "shellhole",
    "stream",
    "water",
)
"""7.31.1 Terrain where mines cannot be laid; a building hex is closed including its alleys."""
CLOSED_FEATURES: Final = (
    "improved_position",
    "ditch",
    "wood_rubble",
    "brick_rubble",
    "stone_rubble",
    "bridge_rubble",
    "position_rubble",
)


def mine_objections(board: Board, features: Iterable[tuple[str, Hex]], hex: Hex) -> Iterator[Objection]:
    """7.31.1 Every objection to laying mines in a hex; roads and paths are allowed."""
    closed = [name for name in board.terrain(hex) if name in CLOSED_TERRAIN]
    closed += [type for type, place in features if place == hex and type in CLOSED_FEATURES]
    if board.is_bridge(hex) and "bridge" not in closed:
        closed.append("bridge")
    if closed:
        what = closed[0].replace("_", " ")
        yield Objection(
            "7.31.1", say("mines cannot be laid in {hex} (terrain: {what})", hex=hex_name(hex), what=what)
        )


def is_contiguous(hexes: Iterable[Hex]) -> bool:
    """7.31.1 Whether each hex of a field can be reached from the first through the others."""
    rest = sorted(set(hexes))
    found = rest[:1]
    for hex in found:
        near = [other for other in rest if other not in found and distance(hex, other) == 1]
        found += near
    return len(found) == len(rest)
