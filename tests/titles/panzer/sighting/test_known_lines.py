"""4.1.4 The lines of sight of packaged maps are known beforehand, and are what the routine says."""

from random import Random

import msgspec
from programs.known_lines import packaged_maps

from pbem.titles.panzer.sighting.known_lines import empty_rows, known_rows
from pbem.titles.panzer.sighting.line_of_sight import LineOfSightTable, Relief, is_open


def test_4_1_4_every_line_of_a_packaged_map_is_known_and_is_what_the_routine_says() -> None:
    """If this fails after a change of a map or a chart: `cd tests && python -m programs.known_lines`."""
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
