"""1.1 Joining boards side by side, each possibly rotated by 180 degrees, into one grid with one name for every hex.

    1.1       Placed, Cell, join_boards
    1.3       Cell.boards: the boards that a hex counts for
    1.1       misfits: where two boards that share an edge do not match

Boards join along long or short edges. Two half hexes that coincide are one hex: the board listed first is on
top and gives the hex its terrain and name; roads and parts of buildings come from both. Where only one board is used,
hexes have no prefix.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from pbem.titles.aslsk.ground.board import Board, BoardHex, RoadKind, TerrainKind, art_of
from pbem.titles.aslsk.ground.lattice import STEP, Axial, from_offset, name, opposite, step, to_offset
from pbem.titles.aslsk.ground.shapes import HEXAGON, turn_round
from pbem.titles.aslsk.ground.spans import Polygon


class Placed(msgspec.Struct, frozen=True):
    """1.1 A board in a layout: its position, counted in boards across and down, and whether it is rotated by 180
    degrees.
    """

    board: Board
    across: int = 0
    down: int = 0
    turned: bool = False


class Cell(msgspec.Struct, frozen=True):
    """1.1 A hex of the joined map."""

    hex: Axial
    names: tuple[str, ...]
    """All names of the hex, starting with its name on the top board."""
    terrain: TerrainKind
    level: int
    stone: bool
    building: str
    half: bool
    """Whether the hex is a half hex at the edge of the map."""
    roads: tuple[RoadKind, ...]
    art: dict[str, tuple[Polygon, ...]]
    boards: tuple[str, ...]
    """1.3 The boards that the hex counts for; a hex shared by two boards counts for neither."""
    owners: tuple[str, ...]
    """All boards that the hex is printed on."""


class Joined(msgspec.Struct, frozen=True):
    """1.1 Several boards as one map."""

    cells: dict[Axial, Cell]
    hills: tuple[Polygon, ...]
    """Hill outlines in map coordinates."""


def joined_hex(placed: Placed, hex: Axial) -> Axial:
    """1.1 The place of a board's hex on the joined map."""
    column, row = to_offset(hex)
    board = placed.board
    if placed.turned:
        row = (board.rows + 1 if column % 2 else board.rows) - row
        column = board.columns + 1 - column
    return from_offset(column + placed.across * (board.columns - 1), row + placed.down * board.rows)


def join_boards(layout: Sequence[Placed]) -> Joined:
    """1.1 Join the boards of a layout into one map."""
    found: dict[Axial, list[tuple[Placed, BoardHex]]] = {}
    for placed in layout:
        for hex, board_hex in placed.board.hexes.items():
            found.setdefault(joined_hex(placed, hex), []).append((placed, board_hex))
    prefix = len(layout) > 1
    order = sorted(found, key=lambda hex: (to_offset(hex)[0], to_offset(hex)[1]))
    cells = {hex: _cell(hex, found[hex], prefix) for hex in order}
    return Joined(cells, tuple(outline for placed in layout for outline in _outlines(placed)))


def _cell(hex: Axial, parts: Sequence[tuple[Placed, BoardHex]], prefix: bool) -> Cell:
    placed, top = parts[0]
    roads: list[RoadKind] = [""] * 6
    for part_placed, part in reversed(parts):
        for side, kind in enumerate(part.roads):
            if kind:
                roads[opposite(side) if part_placed.turned else side] = kind
    sides = tuple(opposite(side) if placed.turned else side for side in top.spans)
    merged = msgspec.structs.replace(
        top, roads=tuple(roads), spans=tuple(sorted(sides)), art=_turned_art(placed, top)
    )
    art = art_of(merged)
    if top.level and not placed.board.outlines and "hill" not in art:
        art["hill"] = (HEXAGON,)
    mark = placed.board.id if prefix else ""
    return Cell(
        hex=hex,
        names=tuple((part_placed.board.id if prefix else "") + name(part.hex) for part_placed, part in parts),
        terrain=top.terrain,
        level=top.level,
        stone=top.stone,
        building=mark + top.building if top.building else "",
        half=all(part.half for _, part in parts) and len(parts) == 1,
        roads=merged.roads,
        art=art,
        boards=(placed.board.id,) if len(parts) == 1 else (),
        owners=tuple(part_placed.board.id for part_placed, _ in parts),
    )


def _turned_art(placed: Placed, found: BoardHex) -> dict[str, tuple[Polygon, ...]]:
    if not placed.turned:
        return dict(found.art)
    return {kind: tuple(turn_round(polygon) for polygon in polygons) for kind, polygons in found.art.items()}


def _outlines(placed: Placed) -> Iterator[Polygon]:
    """The hill outlines of a board at its position on the map."""
    anchor = next(iter(placed.board.hexes))
    to_q, to_z = joined_hex(placed, anchor)
    for outline in placed.board.outlines:
        if placed.turned:
            yield tuple((STEP * (anchor.q + to_q) - q, STEP * (anchor.z + to_z) - z) for q, z in outline)
        else:
            yield tuple((q + STEP * (to_q - anchor.q), z + STEP * (to_z - anchor.z)) for q, z in outline)


def misfits(layout: Sequence[Placed]) -> list[str]:
    """1.1 Report where the boards of a layout do not match: shared hexes of different terrain or level, and roads
    that stop at the seam.
    """
    return [*_shared_misfits(layout), *_road_misfits(layout)]


def _shared_misfits(layout: Sequence[Placed]) -> Iterator[str]:
    found: dict[Axial, tuple[str, BoardHex]] = {}
    for placed in layout:
        for hex, part in placed.board.hexes.items():
            label = placed.board.id + name(hex)
            other_label, other = found.setdefault(joined_hex(placed, hex), (label, part))
            if (part.terrain, part.stone, part.level) != (other.terrain, other.stone, other.level):
                yield f"{other_label} and {label} are one hex, but their terrain differs"


def _road_misfits(layout: Sequence[Placed]) -> Iterator[str]:
    """Report each road that leaves a board across a seam and does not continue on the other board."""
    cells = join_boards(layout).cells
    for hex, cell in cells.items():
        for side in range(3):
            other = cells.get(step(hex, side))
            if other is None or set(cell.owners) & set(other.owners):
                continue
            if cell.roads[side] != other.roads[opposite(side)]:
                yield f"the road between {cell.names[0]} and {other.names[0]} stops at the seam"
