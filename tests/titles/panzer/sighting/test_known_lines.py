"""4.1.4 The lines of sight of packaged maps are precomputed, and agree with the routine.

Run this file as a program to write them: `python tests/titles/panzer/sighting/test_known_lines.py`.
"""

import zlib
from pathlib import Path
from random import Random

import msgspec

from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.charts import Charts
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.sighting import known_lines
from pbem.titles.panzer.sighting.known_lines import empty_rows, known_rows
from pbem.titles.panzer.sighting.line_of_sight import LineOfSightTable, Relief, is_open
from pbem.titles.registry import TITLES

DATA = Path(known_lines.__file__).parents[1] / "data"


def packaged_maps() -> dict[str, PanzerData]:
    """Return the data of one packaged scenario for each map file."""
    title = TITLES["panzer"]
    found: dict[str, PanzerData] = {}
    for scenario in title.scenarios:
        data: PanzerData = title.rules(title.freeze(scenario, {})).data
        found.setdefault(known_lines.name_of(data.board, data.charts), data)
    return found


def all_lines(board: Board, charts: Charts) -> bytes:
    """Return the visibility of every pair of hexes, one byte for each."""
    relief, hexes = Relief(board, charts), board.hexes
    rows = [bytearray(len(hexes)) for _ in hexes]
    for i, a in enumerate(hexes):
        for j in range(i, len(hexes)):
            rows[i][j] = rows[j][i] = 2 if is_open(relief, a, hexes[j]) else 1
    return b"".join(rows)


def write() -> None:
    """Write the precomputed lines of every packaged map."""
    for file in (DATA / known_lines.FOLDER).glob("*.z"):
        file.unlink()
    for name, data in packaged_maps().items():
        path = DATA / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(zlib.compress(all_lines(data.board, data.charts), 9))
        print(name, data.board.name, path.stat().st_size)


def test_4_1_4_every_line_of_a_packaged_map_is_known_and_is_what_the_routine_says() -> None:
    """Every precomputed line agrees with the routine; if a map or chart changes, run this file as a program."""
    chance = Random(4)
    for name, data in packaged_maps().items():
        rows, relief = known_rows(data.board, data.charts), Relief(data.board, data.charts)
        assert {byte for row in rows.values() for byte in row} == {1, 2}, name
        table = LineOfSightTable(data.board, data.charts)
        for _ in range(60):
            a, b = chance.choices(data.board.hexes, k=2)
            assert table.sees(a, b) == table.seen_from(a)(b) == is_open(relief, a, b), (name, a, b)
        assert "relief" not in vars(table)  # nothing had to be worked out


def test_4_1_4_under_other_charts_nothing_is_known_beforehand() -> None:
    data = next(iter(packaged_maps().values()))
    charts = msgspec.structs.replace(data.charts, switches={**data.charts.switches, "another": True})
    assert known_rows(data.board, charts) == empty_rows(data.board)


if __name__ == "__main__":
    write()
