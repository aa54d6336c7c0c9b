"""Builders for small test maps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from pbem.titles.aslsk.ground.board import Board, read_board
from pbem.titles.aslsk.ground.joining import Placed, join_boards
from pbem.titles.aslsk.ground.lattice import from_offset, name
from pbem.titles.aslsk.ground.terrain import Ground

SIGN = {"open": ".", "woods": "w", "orchard": "o", "grain": "g", "brush": "b", "stone": "s", "wooden": "t"}
JULY, DECEMBER = 7, 12


def board_text(
    terrain: Mapping[str, str],
    hills: Iterable[str] = (),
    roads: Iterable[str] = (),
    buildings: Mapping[str, list[str]] | None = None,
    more: str = "",
    columns: int = 21,
    rows: int = 12,
) -> str:
    """Write a board file with this terrain, and open ground elsewhere."""
    signs = {place: SIGN[kind] for kind, places in terrain.items() for place in places.split()}
    raised = set(hills)

    def drawn(sign_of: Mapping[str, str]) -> str:
        lines = []
        for row in range(rows + 1):
            line = "".join(
                "_" if row == 0 and column % 2 else sign_of.get(name(from_offset(column, row)), ".")
                for column in range(1, columns + 1)
            )
            lines.append(f"{row:3} {line}")
        return "\n".join(lines)

    chains = "".join(f"{building} = {chains}\n" for building, chains in (buildings or {}).items())
    return (
        'id = "t"\nname = "test"\n'
        f"terrain = '''\n{drawn(signs)}\n'''\nlevels = '''\n{drawn(dict.fromkeys(raised, '1'))}\n'''\n"
        f"[roads]\ndirt = {list(roads)}\n[buildings]\n{chains}\n{more}\n"
    )


def a_ground(
    terrain: Mapping[str, str] | None = None,
    hills: Iterable[str] = (),
    roads: Iterable[str] = (),
    buildings: Mapping[str, list[str]] | None = None,
    more: str = "",
    month: int = JULY,
) -> Ground:
    """Build a map with this terrain, and open ground elsewhere."""
    return ground_of(read_board(board_text(terrain or {}, hills, roads, buildings, more)), month)


def ground_of(board: Board, month: int = JULY) -> Ground:
    """Return one board as a map."""
    return Ground(board.name, join_boards([Placed(board)]), month)


ART = {
    "woods": ([[-40, 60], [60, -20], [10, -10], [-20, -60], [-50, 10]], [[0, 10], [50, 20], [20, 45]]),
    "building": ([[-45, 20], [-10, -30], [40, -40], [30, 5], [5, 0], [0, 40]], [[-20, -20], [50, -10], [20, 70]]),
    "grain": ([[-30, 60], [0, 10], [70, -30], [10, -60], [-60, 0]],),
    "brush": ([[-15, 50], [45, 5], [0, -50]],),
    "road": ([[-80, 40], [-70, 20], [80, -40], [70, -20]],),
}
"""Polygons that are not convex, reach beyond their hex, or cut across it."""


def a_random_board(seed: int, columns: int = 13, rows: int = 8, art: bool = True) -> str:
    """Write a board file with every kind of terrain, different for each seed."""
    random = Random(seed)
    places = [
        name(from_offset(column, row))
        for column in range(1, columns + 1)
        for row in range(1 if column % 2 else 0, rows + 1)
    ]
    weights = random.choice(
        [(12, 1, 1, 2, 2, 1, 1), (20, 3, 0, 1, 0, 0, 0), (20, 1, 3, 0, 0, 1, 1), (9, 0, 1, 4, 2, 1, 0)]
    )
    kinds = dict(zip(places, random.choices(list(SIGN), weights, k=len(places)), strict=True))
    hills = [place for place in places if random.random() < random.choice((0, 0.15, 0.4))]
    chains = [chain for chain in (_walk(random, kinds, columns, rows) for _ in range(6)) if chain]
    more = "\n".join(_polygons(random, kinds, chains)) if art else ""
    terrain = {kind: " ".join(place for place in places if kinds[place] == kind) for kind in SIGN}
    return board_text(terrain, hills, chains, _buildings(kinds, columns, rows), more, columns, rows)


def _walk(random: Random, kinds: Mapping[str, str], columns: int, rows: int) -> str:
    """Return a road from hex to hex that avoids buildings."""
    column, row = random.randint(1, columns), random.randint(1, rows)
    chain: list[str] = []
    for _ in range(8):
        place = name(from_offset(column, row))
        if kinds.get(place, "stone") in ("stone", "wooden") or place in chain:
            break
        chain.append(place)
        if random.random() < 0.5:
            row += 1
        else:
            row += 0 if column % 2 == 0 else random.choice((0, -1))
            column += 1
        if not (1 <= column <= columns and 1 <= row <= rows):
            break
    return "-".join(chain) if len(chain) > 1 else ""


def _buildings(kinds: Mapping[str, str], columns: int, rows: int) -> dict[str, list[str]]:
    """Return buildings of two hexes, one above the other, joined in every second column."""
    found: dict[str, list[str]] = {}
    taken: set[str] = set()
    for column in range(1, columns + 1, 2):
        for row in range(1, rows):
            pair = [name(from_offset(column, row)), name(from_offset(column, row + 1))]
            if all(kinds[place] in ("stone", "wooden") for place in pair) and not taken & set(pair):
                found[f"row{column}x{row}"] = ["-".join(pair)]
                taken |= set(pair)
    return found


def _polygons(random: Random, kinds: Mapping[str, str], chains: Iterable[str]) -> Iterable[str]:
    road_hexes = {place for chain in chains for place in chain.split("-")}
    for place, kind in kinds.items():
        drawn = {"stone": "building", "wooden": "building"}.get(kind, kind)
        if drawn in ART and random.random() < 0.5:
            for points in ART[drawn]:
                yield f'[[art]]\nhexes = ["{place}"]\nkind = "{drawn}"\npoints = {points}'
        if place in road_hexes and random.random() < 0.2:
            yield f'[[art]]\nhexes = ["{place}"]\nkind = "road"\npoints = {ART["road"][0]}'
