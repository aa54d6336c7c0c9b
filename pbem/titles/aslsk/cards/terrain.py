"""1.1.1 The terrain chart: the cost of entering a hex and the cover it gives.

    1.1.1        TerrainChart, TerrainRow, read_terrain, terrain_chart
    1.1.1.6      TerrainChart.in_season

Costs are in half movement points. `data/terrain.toml` gives the rule and the source of each row.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from pbem.titles.aslsk.cards.files import Mistake, convert, packaged, read_toml
from pbem.titles.data_files import DataError

FILE = "terrain.toml"
KINDS = ("open", "stone building", "wooden building", "woods", "orchard", "grain", "brush")


class TerrainRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """1.1.1 The costs and the TEM of one kind of terrain."""

    kind: str
    name: str
    infantry: int
    tracked: int | Literal["half", "half or all"]
    car: int | Literal["all", "no"]
    tem: int
    rule: str
    source: str
    bog: bool = False


class RoadRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """1.1.1.3 The cost of entering a hex across a road hexside."""

    infantry: int
    exposed: int
    buttoned: int
    rule: str
    source: str


class UphillRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """1.1.1.10/crest-cost The cost of entering a higher hex."""

    infantry: int
    vehicle: int
    vehicle_road: int
    rule: str
    source: str


class SeasonRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """1.1.1.6, 1.1.1.8 The first and last month of a season."""

    orchard: tuple[int, int]
    grain: tuple[int, int]
    rule: str
    source: str


class TerrainFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `terrain.toml`."""

    terrain: tuple[TerrainRow, ...]
    road: RoadRow
    uphill: UphillRow
    season: SeasonRow


class TerrainChart(msgspec.Struct, frozen=True):
    """1.1.1 The rows by kind of terrain, and the costs of crossing roads and crest lines."""

    rows: dict[str, TerrainRow]
    road: RoadRow
    uphill: UphillRow
    season: SeasonRow

    def in_season(self, kind: Literal["orchard", "grain"], month: int) -> bool:
        """1.1.1.6, 1.1.1.8 Whether orchards or grain are in season in a month."""
        first, last = self.season.orchard if kind == "orchard" else self.season.grain
        return first <= month <= last


def read_terrain(data: bytes | str, file: str = FILE) -> TerrainChart:
    """1.1.1 Read the chart from a file; DataError lists every mistake."""
    tables = convert(read_toml(data, file, "1.1.1"), TerrainFile, file, "1.1.1")
    rows = {row.kind: row for row in tables.terrain}
    missing = [kind for kind in KINDS if kind not in rows]
    strange = [kind for kind in rows if kind not in KINDS]
    mistakes = [Mistake("terrain", f"there is no row for {kind}.", rule="1.1.1") for kind in missing]
    mistakes += [Mistake(kind, "the rules have no such terrain.", rule="1.1.1") for kind in strange]
    if mistakes:
        raise DataError(file, mistakes)
    return TerrainChart(rows, tables.road, tables.uphill, tables.season)


@cache
def terrain_chart() -> TerrainChart:
    """1.1.1 The packaged chart."""
    return read_terrain(packaged(FILE))
