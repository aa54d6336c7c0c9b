"""4.1.4 Every line of sight on the packaged maps, computed beforehand: a new process need not work them out.

A file holds one byte for each pair of hexes (1 blocked, 2 open), row by row in the order of the map, compressed. Its
name is the digest of everything that decides a line, so a changed map or chart has no file, and its lines
are computed on demand. `python tests/titles/panzer/sighting/test_known_lines.py` writes the files.
"""

from __future__ import annotations

import hashlib
import zlib

import msgspec

from pbem.engine.geometry.hexes import Hex
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.charts import Charts
from pbem.titles.panzer.cards.files import packaged

FOLDER = "sight"


def name_of(board: Board, charts: Charts) -> str:
    """The file of a map's lines under these charts, named by its terrain and all numbers that affect a line."""
    decides = (charts.edition, charts.terrains, charts.hexsides, charts.blind_zone_numbers, charts.switches)
    content = msgspec.json.encode((board.digest, decides))
    return f"{FOLDER}/{hashlib.sha256(content).hexdigest()[:16]}.z"


def empty_rows(board: Board) -> dict[Hex, bytearray]:
    """A row for each hex, with no line known."""
    return {hex: bytearray(len(board.hexes)) for hex in board.hexes}


def known_rows(board: Board, charts: Charts) -> dict[Hex, bytearray]:
    """The rows of a packaged map; for any other map, rows with no line known."""
    try:
        content = packaged(name_of(board, charts))
    except FileNotFoundError:
        return empty_rows(board)
    every, width = zlib.decompress(content), len(board.hexes)
    return {hex: bytearray(every[place * width : (place + 1) * width]) for place, hex in enumerate(board.hexes)}
