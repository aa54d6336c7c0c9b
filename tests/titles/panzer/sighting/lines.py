"""Lines of sight over small boards, for tests."""

from typing import Any

import pytest
from titles.panzer.builders import a_board

from pbem.engine.geometry.hexes import (
    parse_hex,
)
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.sighting.line_of_sight import line_of_sight, sight_table

both_editions = pytest.mark.parametrize("edition", EDITIONS)


def sees(board, table, a, b):
    """Return whether two hexes of a map have a line of sight."""
    return sight_table(board, table).sees(a, b)


def look(board: Board, a: str, b: str, edition="2024", **more: Any):
    """Return the finding for the line from a to b; the quick answer and the line from b to a must agree with it."""
    here, there = parse_hex(a), parse_hex(b)
    finding = line_of_sight(board, charts(edition), here, there, **more)
    assert finding.result == line_of_sight(board, charts(edition), there, here, **more).result
    assert (finding.result == "open") is sees(board, charts(edition), here, there)
    return finding


def a_column(signs: str, levels: str = "", **tables: Any) -> Board:
    """Build a map of one column: A1, A2, A3 … Hill edges are cliffs by default, so no slope is continuous."""
    if levels:
        tables["levels"] = "\n".join(levels)
    return a_board("\n".join(signs), **tables)
