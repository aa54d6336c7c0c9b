"""Questions of this title for `pbem bench`: lines of sight, compared with the usual few lines of plain Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.engine.geometry.hexes import Hex, distance
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.sighting.sight import unused_table
from pbem.titles.panzer.sighting.ways import sides_to, way_to

LINES = 3000
Pair = tuple[Hex, Hex]
Question = Callable[[], object]


class PlainSight:
    """Line of sight as most programs compute it: points along the line are rounded to hexes and heights compared.

    It ignores hexsides, roads, gullies, slopes and blind zones, so it is often wrong under these rules.
    """

    def __init__(self, data: PanzerData) -> None:
        board, charts = data.board, data.charts
        self.grounds = {hex: board.ground(hex) for hex in board.hexes}
        self.tops = {
            hex: board.ground(hex) + charts.inherent_height(board.terrain(hex), board.storeys(hex))
            for hex in board.hexes
        }

    def sees(self, a: Hex, b: Hex) -> bool:
        steps = distance(a, b)
        low, high = sorted((self.grounds[a], self.grounds[b]))
        (ax, ay), (bx, by) = a, b
        whole = 2 * steps
        for step in range(1, steps):
            across, down = ax * steps + (bx - ax) * step, ay * steps + (by - ay) * step
            q, r = 2 * across, down - across
            column, row, third = (q + steps) // whole, (r + steps) // whole, (-q - r + steps) // whole
            off, off_row, off_third = abs(column * whole - q), abs(row * whole - r), abs(third * whole + q + r)
            if off > off_row and off > off_third:
                column = -row - third
            elif off_row > off_third:
                row = -column - third
            top = self.tops.get(Hex(column, 2 * row + column), 0)
            if top > low and top >= high:
                return False
        return True


def contests(data: PanzerData) -> Mapping[str, tuple[Question, Question]]:
    """Return benchmark pairs, plain and ours: the same lines asked again, on a new map, and in a new process.

    A new map is one that is not packaged. A new process loads the lines of a packaged map.
    """
    hexes = data.board.hexes
    pairs = [(hexes[37 * n % len(hexes)], hexes[(101 * n + n // 7) % len(hexes)]) for n in range(LINES)]
    known, plain = unused_table(data), PlainSight(data)

    def asked(sees: Callable[[Hex, Hex], bool]) -> Question:
        return lambda: [sees(a, b) for a, b in pairs]

    def new_map() -> None:
        asked(unused_table(data, known=False).sees)()

    def new_process() -> None:
        asked(unused_table(data).sees)()

    def new_map_in_a_new_process() -> None:
        way_to.cache_clear()
        sides_to.cache_clear()
        new_map()

    asked(known.sees)()
    return {
        "sight_against_plain_again": (asked(plain.sees), asked(known.sees)),
        "sight_against_plain_new_map": (asked(plain.sees), new_map),
        "sight_against_plain_new_process": (asked(plain.sees), new_process),
        "sight_against_plain_new_map_in_a_new_process": (asked(plain.sees), new_map_in_a_new_process),
    }
