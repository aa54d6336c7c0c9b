"""2.3 The charts and tables, with the origin of every cell.

    2.2.1     Charts.terrain, hexside, city, primary; TerrainRow, HexsideRow, CityRow
    17.1      Charts.interception
    20-24     Charts.nuclear, strike, chemical, airfield, deep_interdiction, modifier
    23.1.1    Charts.air_points; AirPoints
    25.5.2    Charts.combat; ODDS, CombatResult
    25.6.2    Charts.counterattack
    25.7.5    Charts.rear
    numbers   Charts.number
    origins   Charts.origin: `rulebook` with its line or rule, `public`, or `house`

The rulebook does not print these charts. A cell that follows from one of its examples is marked with the line; other
cells come from public material or are our own. The owner of a game may replace any of the files.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, Final, Literal, TypeVar

import msgspec

from pbem.engine.text.messages import Message, Name, say
from pbem.titles.data_files import DataError, nearest
from pbem.titles.nato.cards.files import Mistake, convert, packaged, read_toml
from pbem.titles.nato.cards.units import Nation
from pbem.titles.nato.map.grid import Compass
from pbem.titles.nato.map.ground import CityClass, Side, Zone

CHART_FILES: Final = ("combat.toml", "terrain.toml", "air.toml", "strikes.toml", "numbers.toml")

ODDS: Final = ("1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1", "9:1", "10:1")
"""25.3.3 The columns of the Combat Results Table."""

AirTable = Literal["surprise", "nerves", "extended"]
AIR_TABLES: Final[tuple[AirTable, ...]] = ("surprise", "nerves", "extended")
Section = Literal["friendly", "contested", "enemy"]
SECTIONS: Final[tuple[Section, ...]] = ("friendly", "contested", "enemy")
StrikeResult = Literal["", "*", "D1", "D"]
NOT_POSSIBLE: Final = -1
T = TypeVar("T")

GROUNDS: Final = ("major_city", "small_city", "mountain", "rough", "forest", "marsh", "clear")
"""2.2.1 The rows of the Terrain Effects Chart that a hex can have."""


# --- rows as the rules see them ------------------------------------------------------------------------------------


class CombatResult(msgspec.Struct, frozen=True):
    """25.5.2 A result from the Combat Results Table, split into its parts."""

    text: str
    attacker_steps: int
    attacker_disrupted: bool
    counterattack: bool
    defender_steps: int
    defender_disrupted: bool
    retreat: int

    def __str__(self) -> str:
        return self.text


RESULTS: Final = {
    "A1*/-": say("the attacker loses a step and is disrupted"),
    "A1/-": say("the attacker loses a step"),
    "A1/R1": say("the attacker loses a step; the defender retreats one hex"),
    "A1/D1R1": say("the attacker loses a step; the defender loses a step and retreats one hex"),
    "-/CA D1R1": say("the defender counterattacks, loses a step and retreats one hex"),
    "-/D1R1": say("the defender loses a step and retreats one hex"),
    "-/D1R2": say("the defender loses a step and retreats two hexes"),
    "-/D1*R2": say("the defender loses a step, is disrupted and retreats two hexes"),
    "A1/D2*R2": say("the attacker loses a step; the defender loses two steps, is disrupted and retreats two hexes"),
    "-/D2*R2": say("the defender loses two steps, is disrupted and retreats two hexes"),
}
"""25.6 The results of the packaged Combat Results Table in words."""


def result_in_words(code: str) -> Message | Name:
    """25.6 Return a result in words; a result that occurs only in a replaced table is returned as its code."""
    return RESULTS.get(code) or Name(code)


def city_result_in_words(result: CombatResult) -> Message:
    """30.4.7, 25.6.3.1 Return in words what a result means for a free city without units and for its attackers."""
    if result.defender_steps > 1 or (result.defender_steps and not result.attacker_steps):
        return say("the city falls")
    if result.defender_steps:
        return say("the attacker loses a step; the city falls")
    if result.attacker_steps and result.attacker_disrupted:
        return say("the attacker loses a step and is disrupted; the city holds")
    return say("the attacker loses a step; the city holds") if result.attacker_steps else say("the city holds")


class TerrainRow(msgspec.Struct, frozen=True):
    """2.2.1 The effects of one kind of terrain."""

    key: str
    priority: int
    move: int
    shift: int
    retreat: int
    soft_doubled: bool
    armor_halved: bool
    strike: int
    nuclear: int
    exploitation: bool


class HexsideRow(msgspec.Struct, frozen=True):
    """2.2.1 The effects of one kind of hexside; `attack` is None if no attack can cross it."""

    key: str
    move: int
    attack: Fraction | None
    response: bool
    advance: bool
    exploitation: bool


class CityRow(msgspec.Struct, frozen=True):
    """30.0 The victory points and the intrinsic defense of a class of city."""

    vp: int
    intrinsic: int


class AirPoints(msgspec.Struct, frozen=True):
    """23.1.1 The air points of a turn."""

    wp_tactical: int
    wp_operational: int
    nato_tactical: int
    nato_operational: int

    def of(self, side: Side) -> tuple[int, int]:
        """The tactical and operational points of a side."""
        if side is Side.WP:
            return self.wp_tactical, self.wp_operational
        return self.nato_tactical, self.nato_operational


# --- the shape of the files ----------------------------------------------------------------------------------------

IntCell = tuple[int, str]
BoolCell = tuple[bool, str]
TextCell = tuple[str, str]


class CombatFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `combat.toml`."""

    results: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    origin: str
    origins: dict[str, str]
    counterattack: dict[Nation, int]
    counterattack_origins: dict[Nation, str]


class TerrainCells(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the chart in `terrain.toml`."""

    priority: IntCell
    move: IntCell
    shift: IntCell
    retreat: IntCell
    soft_doubled: BoolCell
    armor_halved: BoolCell
    strike: IntCell
    nuclear: IntCell
    exploitation: BoolCell


class HexsideCells(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of hexside in `terrain.toml`."""

    move: IntCell
    attack: TextCell
    response: BoolCell
    advance: BoolCell
    exploitation: BoolCell


class CityCells(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A class of city in `terrain.toml`."""

    vp: IntCell
    intrinsic: IntCell


class TerrainFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `terrain.toml`."""

    terrain: dict[str, TerrainCells]
    hexside: dict[str, HexsideCells]
    city: dict[CityClass, CityCells]


class Points(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A cell of the Air Campaign Table."""

    wp_tactical: int
    wp_operational: int
    nato_tactical: int
    nato_operational: int


class DeepRows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """23.7 The Deep Interdiction Table."""

    rows: tuple[tuple[int, int, int], ...]


class AirFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `air.toml`."""

    turns: tuple[int, ...]
    origin: str
    campaign: dict[AirTable, tuple[tuple[Points, ...], ...]]
    origins: dict[str, str]
    interception: dict[Side, dict[Section, dict[AirTable, tuple[int, ...]]]]
    interception_origins: dict[str, str]
    deep_interdiction: DeepRows
    deep_interdiction_origins: dict[str, str]


class StrikeRows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A strike table: the die roll of its first row, and one cell for each column."""

    first: int
    rows: tuple[tuple[StrikeResult, ...], ...]


class LossRows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """22.4 The Airfield Chemical Strike Table."""

    first: int
    rows: tuple[tuple[int, ...], ...]


class StrikeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `strikes.toml`."""

    origin: str
    nuclear: StrikeRows
    strike: StrikeRows
    chemical: StrikeRows
    airfield: LossRows
    origins: dict[str, str]


class NumberFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `numbers.toml`."""

    modifier: dict[str, IntCell]
    number: dict[str, IntCell]
    rear: dict[str, tuple[Compass, ...]]


# --- the charts ----------------------------------------------------------------------------------------------------


class Charts(msgspec.Struct, frozen=True, dict=True):
    """2.3 All charts of a match."""

    combat_file: CombatFile
    terrain_file: TerrainFile
    air_file: AirFile
    strike_file: StrikeFile
    number_file: NumberFile
    terrain_rows: dict[str, TerrainRow]
    hexside_rows: dict[str, HexsideRow]
    results: tuple[CombatResult, ...]

    def combat(self, column: str, die: int) -> CombatResult:
        """25.5.2 The result for a die roll in a column of the Combat Results Table."""
        return self.results[self.combat_file.rows[die - 1][ODDS.index(column)] - 1]

    def counterattack(self, nation: Nation) -> int:
        """25.6.2 The lowest die roll with which a counterattacking step of this nation disrupts its target."""
        return self.combat_file.counterattack[nation]

    def terrain(self, key: str) -> TerrainRow:
        """2.2.1 A row of the Terrain Effects Chart."""
        return self.terrain_rows[key]

    def primary(self, keys: Iterable[str]) -> str:
        """2.2.1 The primary terrain among several: the one with the best priority."""
        return min(keys, key=lambda key: self.terrain_rows[key].priority)

    def hexside(self, key: str) -> HexsideRow:
        """2.2.1 The effects of a hexside, or of a bridge."""
        return self.hexside_rows[key]

    def city(self, kind: CityClass) -> CityRow:
        """30.0 The victory points and the intrinsic defense of a class of city."""
        cells = self.terrain_file.city[kind]
        return CityRow(cells.vp[0], cells.intrinsic[0])

    def _range(self, turn: int) -> int:
        """23.1.1, 17.1 The range of turns that a turn belongs to."""
        return max(i for i, first in enumerate(self.air_file.turns) if first <= max(1, turn))

    def air_points(self, table: AirTable, turn: int, die: int) -> AirPoints:
        """23.1.1 The air points of both sides for a modified die roll."""
        rows = self.air_file.campaign[table]
        cell = rows[min(max(die, 1), len(rows)) - 1][self._range(turn)]
        return AirPoints(cell.wp_tactical, cell.wp_operational, cell.nato_tactical, cell.nato_operational)

    def interception(self, side: Side, section: Section, table: AirTable, turn: int) -> int | None:
        """17.1 The highest 2d6 roll that intercepts a moving side, or None if it cannot be intercepted."""
        value = self.air_file.interception[side][section][table][self._range(turn)]
        return None if value == NOT_POSSIBLE else value

    def deep_interdiction(self, points: int, die: int) -> int:
        """23.7 The Supply Points that the Warsaw Pact loses to a deep interdiction strike."""
        return self.air_file.deep_interdiction.rows[die - 1][points - 1]

    def nuclear(self, die: int) -> StrikeResult:
        """21.1.1 The result of a nuclear strike on a step."""
        return _cell(self.strike_file.nuclear, die, 0)

    def strike(self, column: int, die: int) -> StrikeResult:
        """23.3, 24.1 The result of an air or artillery strike; column 0 is for suppressed artillery and units in
        strike hexes.
        """
        return _cell(self.strike_file.strike, die, column)

    def chemical(self, turn_of_use: int, die: int) -> StrikeResult:
        """22.2.3 The result of a chemical strike, by the number of the turn of chemical warfare and the die roll."""
        return _cell(self.strike_file.chemical, die, min(turn_of_use, 4) - 1)

    def airfield(self, turn_of_use: int, die: int) -> int:
        """22.4 The tactical air points that NATO loses to a chemical strike on its airfields."""
        table = self.strike_file.airfield
        return table.rows[_row(table.first, len(table.rows), die)][min(turn_of_use, 4) - 1]

    def modifier(self, name: str) -> int:
        """11.8.4, 13.4.5, 35.7 A modifier of a strike or interception die."""
        return self.number_file.modifier[name][0]

    def number(self, name: str) -> int:
        """A single number of the rules by its name in `numbers.toml`."""
        return self.number_file.number[name][0]

    def rear(self, side: Side, zone: Zone) -> tuple[Compass, ...]:
        """25.7.5 The directions that lead towards a side's rear from a hex in this zone."""
        return self.number_file.rear[f"{side}_baltap" if zone is Zone.BALTAP else str(side)]

    def origin(self, table: str, *cell: object) -> str:
        """The source of a cell, as in `origin("combat", "6:1", 1)` or `origin("terrain", "forest", "shift")`."""
        return _ORIGINS[table](self, "/".join(map(str, cell)))


def _row(first: int, rows: int, die: int) -> int:
    return min(max(die - first, 0), rows - 1)


def _cell(table: StrikeRows, die: int, column: int) -> StrikeResult:
    return table.rows[_row(table.first, len(table.rows), die)][column]


def _cell_origin(cells: Mapping[Any, Any], key: str) -> str:
    row, _, field = key.partition("/")
    return str(getattr(cells[row], field)[1])


_ORIGINS: Final[dict[str, Callable[[Charts, str], str]]] = {
    "combat": lambda charts, key: charts.combat_file.origins.get(key, charts.combat_file.origin),
    "counterattack": lambda charts, key: charts.combat_file.counterattack_origins[Nation(key)],
    "terrain": lambda charts, key: _cell_origin(charts.terrain_file.terrain, key),
    "hexside": lambda charts, key: _cell_origin(charts.terrain_file.hexside, key),
    "city": lambda charts, key: _cell_origin(charts.terrain_file.city, key),
    "air": lambda charts, key: charts.air_file.origins.get(key, charts.air_file.origin),
    "interception": lambda charts, key: charts.air_file.interception_origins.get(key, charts.air_file.origin),
    "deep": lambda charts, key: charts.air_file.deep_interdiction_origins.get(key, charts.air_file.origin),
    "strike": lambda charts, key: charts.strike_file.origins.get(key, charts.strike_file.origin),
    "modifier": lambda charts, key: charts.number_file.modifier[key][1],
    "number": lambda charts, key: charts.number_file.number[key][1],
}


# --- reading -------------------------------------------------------------------------------------------------------


@cache
def charts() -> Charts:
    """The packaged charts."""
    return read_charts({name: packaged(f"charts/{name}") for name in CHART_FILES})


def read_charts(files: Mapping[str, bytes]) -> Charts:
    """2.3 Read the charts from these files; DataError lists every mistake."""
    combat = _load(files, "combat.toml", CombatFile)
    terrain = _load(files, "terrain.toml", TerrainFile)
    air = _load(files, "air.toml", AirFile)
    strikes = _load(files, "strikes.toml", StrikeFile)
    numbers = _load(files, "numbers.toml", NumberFile)
    check_combat(combat)
    check_terrain(terrain)
    check_air(air)
    return Charts(
        combat,
        terrain,
        air,
        strikes,
        numbers,
        {key: _terrain_row(key, cells) for key, cells in terrain.terrain.items()},
        {key: _hexside_row(key, cells) for key, cells in terrain.hexside.items()},
        tuple(combat_result(text) for text in combat.results),
    )


def _load(files: Mapping[str, bytes], name: str, shape: type[T]) -> T:
    return convert(read_toml(files[name], name), shape, name)


def _terrain_row(key: str, cells: TerrainCells) -> TerrainRow:
    values = {field: getattr(cells, field)[0] for field in cells.__struct_fields__}
    return TerrainRow(key, **values)


def _hexside_row(key: str, cells: HexsideCells) -> HexsideRow:
    part = cells.attack[0]
    return HexsideRow(
        key,
        cells.move[0],
        None if part == "none" else Fraction(part),
        cells.response[0],
        cells.advance[0],
        cells.exploitation[0],
    )


RESULT: Final = re.compile(r"(?:-|A(\d)(\*?))/(?:-|(CA )?(?:D(\d)(\*?))?(?:R(\d))?)")


def combat_result(text: str) -> CombatResult:
    """25.5.2 Split a printed result such as `A1/D2*R2` into its parts."""
    match = RESULT.fullmatch(text)
    if match is None:
        what = "a result looks like A1/D2*R2 or -/CA D1R1"
        raise DataError("combat.toml", [Mistake(text, what, rule="25.5.2")])
    lost, disrupted, counterattack, killed, shaken, retreat = match.groups()
    return CombatResult(
        text,
        int(lost or 0),
        disrupted == "*",
        bool(counterattack),
        int(killed or 0),
        shaken == "*",
        int(retreat or 0),
    )


def check_combat(file: CombatFile) -> None:
    """25.5.2 Check that the table has 13 columns and a row for each die roll, and that every cell holds a known
    result.
    """
    mistakes = []
    if file.columns != ODDS:
        mistakes.append(Mistake("columns", f"the columns are {', '.join(ODDS)}", rule="25.3.3"))
    if len(file.rows) != 6 or any(len(row) != len(ODDS) for row in file.rows):
        mistakes.append(Mistake("rows", "there are 6 rows of 13 cells", rule="25.5.2"))
    if any(not 1 <= cell <= len(file.results) for row in file.rows for cell in row):
        mistakes.append(Mistake("rows", f"a cell is a number from 1 to {len(file.results)}", rule="25.5.2"))
    for nation in Nation:
        if nation not in file.counterattack or nation not in file.counterattack_origins:
            mistakes.append(Mistake(f"counterattack.{nation}", "a value or its origin is missing", rule="25.6.2"))
    if mistakes:
        raise DataError("combat.toml", mistakes)


def check_terrain(file: TerrainFile) -> None:
    """2.2.1 Check that every kind of terrain and hexside has a row."""
    hexsides = (
        *("none", "minor_river", "major_river", "pass", "causeway", "afsluitdijk"),
        *("blocked", "all_sea", "ferry", "bridge"),
    )
    mistakes = _rows_missing("terrain", file.terrain, (*GROUNDS, "fortified"))
    mistakes += _rows_missing("hexside", file.hexside, hexsides)
    mistakes += _rows_missing("city", file.city, tuple(CityClass))
    if mistakes:
        raise DataError("terrain.toml", mistakes)


def _rows_missing(table: str, found: Iterable[str], wanted: tuple[str, ...]) -> list[Mistake]:
    known = list(found)
    unknown = [key for key in known if key not in wanted]
    missing = [key for key in wanted if key not in known]
    return [
        *(Mistake(f"{table}.{key}", "this row has no meaning.", nearest(key, wanted), "2.2.1") for key in unknown),
        *(Mistake(f"{table}.{key}", "this row is missing", rule="2.2.1") for key in missing),
    ]


def check_air(file: AirFile) -> None:
    """23.1.1, 17.1 Check that every table has all its cells."""
    wide = len(file.turns)
    mistakes = []
    for table in AIR_TABLES:
        rows = file.campaign.get(table, ())
        if len(rows) != 7 or any(len(row) != wide for row in rows):
            mistakes.append(Mistake(f"campaign.{table}", f"it needs 7 rows of {wide} cells", rule="23.1.1"))
        for side in Side:
            for section in SECTIONS:
                cells = file.interception.get(side, {}).get(section, {}).get(table, ())
                if len(cells) != wide:
                    where = f"interception.{side}.{section}.{table}"
                    mistakes.append(Mistake(where, f"it needs {wide} values", rule="17.1"))
    if len(file.deep_interdiction.rows) != 6:
        mistakes.append(Mistake("deep_interdiction.rows", "it needs 6 rows", rule="23.7"))
    if mistakes:
        raise DataError("air.toml", mistakes)
