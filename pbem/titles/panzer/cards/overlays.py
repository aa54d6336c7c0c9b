"""1.3 Terrain overlays: pieces of terrain that a scenario places on the map before anything else.

    1.3          Overlay, placements, read_overlay, lay
    4.1.4.1.4    hills: an overlay may raise its hexes; 4.1.4.1.5 their edges are slopes or cliffs

A scenario describes its overlays and their positions in the book's notation:

    [special]
    overlays = ["LG2 O4(6)"]               the ID hex of LG2 on O4, its arrow towards direction 6

    [overlay.LG2]
    terrain = {id = ["light_grove"], 1 = ["light_grove"], 12 = ["light_grove"]}
    levels = {id = 1}                      hill levels of its hexes; by default the map's
    hexsides = {crest = ["id:45"]}         as in map files, counted from the ID hex
    hill_edges = "slope"                   the default for undrawn edges between levels

A hex of an overlay is named by the path to it from the ID hex with the arrow pointing up: `id` is the ID hex, `1` the
hex above it, `12` one more towards 2. With the arrow in another direction everything is rotated accordingly. Only
these hexes change: features of neighbouring hexes under the paper stay in force, and roads end at its edge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, Literal, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, Side, hex_name, hexside, neighbour, parse_hex, side_hexes, turn
from pbem.titles.data_files import nearest
from pbem.titles.panzer.cards.board import STEEPEST_SLOPE, Board, digest_of
from pbem.titles.panzer.cards.charts import Charts

ID_HEX: Final = "id"
EDGES: Final = ("slope", "crest", "cliff")
"""4.1.4.1.5 The features that form the edges of hills."""
SEA_LEVEL: Final = 0


class Overlay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """1.3 An overlay as described, with its arrow pointing in direction 1."""

    terrain: dict[str, tuple[str, ...]]
    levels: dict[str, int] = {}
    hexsides: dict[str, tuple[str, ...]] = {}
    hill_edges: Literal["slope", "cliff"] = "slope"


class Placement(NamedTuple):
    """1.3 An overlay, its position, and the direction of its arrow."""

    overlay: str
    hex: Hex
    arrow: int


def read_placement(text: str) -> Placement:
    """1.3 Read `LG2 O4(6)`; ValueError for any other form."""
    match = re.fullmatch(r"\s*(\S+)\s+([A-Za-z]+\d+)\s*\(([1-6])\)\s*", text)
    if match is None:
        raise ValueError(f"'{text}' does not place an overlay; write its name, a hex and the arrow, e.g. LG2 O4(6).")
    return Placement(match[1], parse_hex(match[2]), int(match[3]))


def hex_at(placed: Placement, way: str) -> Hex:
    """1.3 The map hex under a hex of the overlay; ValueError if the path is not made of directions."""
    if way != ID_HEX and not re.fullmatch(r"[1-6]+", way):
        raise ValueError(f"'{way}' is not a path from the ID hex; write id, or directions such as 12.")
    hex = placed.hex
    for direction in () if way == ID_HEX else map(int, way):
        hex = neighbour(hex, turn(direction, placed.arrow - 1))
    return hex


def sides_at(placed: Placement, entry: str) -> list[Side]:
    """1.3 The hexsides of an entry like `id:45`, rotated with the overlay."""
    way, _, directions = entry.partition(":")
    if not re.fullmatch(r"[1-6]+", directions):
        raise ValueError(f"'{entry}' is not a hexside; write the path to a hex and directions, e.g. id:45.")
    hex = hex_at(placed, way)
    return [hexside(hex, turn(int(direction), placed.arrow - 1)) for direction in directions]


def overlay_mistakes(board: Board, charts: Charts, overlay: Overlay, placed: Placement) -> Iterator[tuple[str, str]]:
    """1.3 The mistakes in an overlay at its position, each with the nearest valid name if there is one."""
    ways = (*overlay.terrain, *overlay.levels)
    sides = [entry for entries in overlay.hexsides.values() for entry in entries]
    try:
        hexes = {way: hex_at(placed, way) for way in ways}
        touched = {side for entry in sides for side in sides_at(placed, entry)}
    except ValueError as error:
        yield str(error), ""
        return
    for way, hex in hexes.items():
        if not board.is_on_map(hex):
            yield f"its hex {way} would be {hex_name(hex)}, outside the map.", ""
    if any(not board.is_on_map(hex) for side in touched for hex in side_hexes(side)):
        yield "one of its hexsides would be at the edge of the map.", ""
    for name in sorted({name for types in overlay.terrain.values() for name in types} - set(charts.terrains)):
        yield f"there is no terrain '{name}'.", nearest(name, list(charts.terrains))
    for name in sorted(set(overlay.hexsides) - set(charts.hexsides)):
        yield f"there is no hexside '{name}'.", nearest(name, list(charts.hexsides))
    if any(level < SEA_LEVEL for level in overlay.levels.values()):
        yield "a hill cannot have a level below 0.", ""


def lay(board: Board, charts: Charts, overlay: Overlay, placed: Placement) -> Board:
    """1.3 The map with an overlay: its terrain, levels and hexsides replace those it covers."""
    terrain = {hex_at(placed, way): tuple(types) for way, types in overlay.terrain.items()}
    levels = {hex_at(placed, way): level for way, level in overlay.levels.items()}
    covered = terrain.keys() | levels.keys()
    drawn: dict[Side, list[str]] = {}
    for kind, entries in overlay.hexsides.items():
        for side in (side for entry in entries for side in sides_at(placed, entry)):
            drawn.setdefault(side, []).append(kind)
    heights = {**board.level_map, **levels}
    features = with_edges(board, heights, covered, drawn, overlay.hill_edges)
    links = {side: kind for side, kind in board.link_map.items() if not covered & set(side_hexes(side))}
    types = {**{hex: board.terrain(hex) for hex in board.hexes}, **terrain}
    sunken = {hex for hex, names in types.items() if any(charts.terrain(name).sunken for name in names)}
    storeys = {hex: count for hex, count in board.storey_map.items() if hex not in terrain}
    return replace(
        board,
        digest=digest_of(board.digest, "overlay", placed, sorted(terrain.items()), sorted(levels.items()), features),
        _terrain=types,
        _levels=heights,
        _grounds={hex: heights[hex] - (hex in sunken and "bridge" not in types[hex]) for hex in types},
        _gullies=frozenset(sunken),
        _storeys=storeys,
        _features=features,
        _links=links,
        before=None,
    )


def with_edges(
    board: Board,
    levels: Mapping[Hex, int],
    covered: Iterable[Hex],
    drawn: Mapping[Side, Iterable[str]],
    usual: Literal["slope", "cliff"],
) -> dict[Side, tuple[str, ...]]:
    """4.1.4.1.5 The map's hexside features; around covered hexes, those drawn on the overlay and hill edges."""
    changed = {hexside(hex, direction) for hex in covered for direction in range(1, 7)}
    found = {side: kinds for side, kinds in board.feature_map.items() if side not in changed}
    for side in sorted(changed):
        a, b = side_hexes(side)
        if not (board.is_on_map(a) and board.is_on_map(b)):
            continue
        kinds = [*drawn.get(side, ())]
        apart = abs(levels[a] - levels[b])
        if apart and not any(kind in EDGES for kind in kinds):
            kinds.append(usual if apart <= STEEPEST_SLOPE else "cliff")
        if kinds:
            found[side] = tuple(sorted(set(kinds)))
    return found
