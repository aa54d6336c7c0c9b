"""Write the lines of sight of every packaged Panzer map: `cd tests && python -m programs.known_lines`."""

import zlib
from pathlib import Path

from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.charts import Charts
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.sighting import known_lines
from pbem.titles.panzer.sighting.line_of_sight import Relief, is_open
from pbem.titles.registry import TITLES

DATA = Path(known_lines.__file__).parents[1] / "data"


def packaged_maps() -> dict[str, PanzerData]:
    """The data of one packaged scenario for each file."""
    title = TITLES["panzer"]
    found: dict[str, PanzerData] = {}
    for scenario in title.scenarios:
        data: PanzerData = title.rules(title.freeze(scenario, {})).data
        found.setdefault(known_lines.name_of(data.board, data.charts), data)
    return found


def all_lines(board: Board, charts: Charts) -> bytes:
    """One byte for each pair of hexes."""
    relief, hexes = Relief(board, charts), board.hexes
    rows = [bytearray(len(hexes)) for _ in hexes]
    for i, a in enumerate(hexes):
        for j in range(i, len(hexes)):
            rows[i][j] = rows[j][i] = 2 if is_open(relief, a, hexes[j]) else 1
    return b"".join(rows)


if __name__ == "__main__":
    for file in (DATA / known_lines.FOLDER).glob("*.z"):
        file.unlink()
    for name, data in packaged_maps().items():
        path = DATA / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(zlib.compress(all_lines(data.board, data.charts), 9))
        print(name, data.board.name, path.stat().st_size)
