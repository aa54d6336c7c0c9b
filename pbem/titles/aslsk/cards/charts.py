"""3.2.4, 7.9 The ordnance charts: To Hit numbers, To Kill numbers and the small lists that go with them.

    3.2.4/th-numbers      Charts.to_hit, gun_change, critical
    3.2.4/known-th-drm    Charts.modifier
    3.2.4/effects         Charts.he_column
    7.9                   Charts.basic_kill, kill_range_change
    7.6, 6.5, 4.3         Charts.bog, manhandling, charge, charge_position

The rulebook does not print these charts. `data/to_hit.toml` and `data/to_kill.toml` say for each row whether it is
quoted in a worked example or comes from public material.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, Literal

import msgspec

from pbem.titles.aslsk.cards.files import Mistake, convert, packaged, read_toml
from pbem.titles.data_files import DataError

Target = Literal["infantry", "vehicle", "area"]
Shell = Literal["AP", "A", "D", "H", "HE"]
CHART_FILES: Final = ("to_hit.toml", "to_kill.toml")


class NumberRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """3.2.4 The To Hit numbers of one target type in one colour."""

    target: Target
    colour: Literal["black", "red"]
    numbers: tuple[int, ...]
    rule: str
    source: str


class PointBlankRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """3.2.4/th-numbers The point-blank additions at ranges 0, 1 and 2."""

    changes: tuple[int, int, int]
    rule: str
    source: str


class ChangeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """3.2.4/th-numbers A change to the To Hit number because of the gun or the ammunition."""

    when: str
    numbers: tuple[int, ...]
    source: str


class ModifierRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """3.2.4/known-th-drm A row of the To Hit DRM chart: the DRM, and what each further hexspine adds to it."""

    id: str
    first: int
    rule: str
    source: str
    case: int = 0
    further: int = 0


class ToHitFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `to_hit.toml`."""

    last: tuple[int, ...]
    number: tuple[NumberRow, ...]
    point_blank: PointBlankRow
    change: tuple[ChangeRow, ...]
    modifier: tuple[ModifierRow, ...]


class KillRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """7.9 A basic To Kill number and the guns it is for, limited to certain nations if any are named."""

    number: int
    guns: tuple[str, ...]
    source: str
    nations: tuple[str, ...] = ()


class StepRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number for each minimum calibre."""

    calibres: tuple[int, ...]
    source: str
    numbers: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()


class RangeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """7.9 The changes by range for calibres up to `most`."""

    ammunition: Literal["AP", "A", "D"]
    most: int
    last: tuple[int, ...]
    numbers: tuple[int, ...]
    source: str


class ValueRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A DRM of one of the small charts, with its source."""

    number: int
    source: str
    id: str = ""
    rule: str = ""


class PositionRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """4.3/vs-afv A possible position of a demolition charge."""

    optimal: int
    normal: int
    crew: int
    rule: str
    source: str


class ToKillFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `to_kill.toml`."""

    ap: tuple[KillRow, ...]
    apcr: tuple[KillRow, ...]
    apds: tuple[KillRow, ...]
    heat: tuple[KillRow, ...]
    he: StepRow
    range: tuple[RangeRow, ...]
    he_columns: StepRow
    rear: ValueRow
    bog: tuple[ValueRow, ...]
    manhandling: tuple[ValueRow, ...]
    charge: tuple[ValueRow, ...]
    charge_position: PositionRow


class Charts(msgspec.Struct, frozen=True):
    """3.2.4, 7.9 All ordnance charts, with functions that look up their values."""

    hit: ToHitFile
    kill: ToKillFile

    # --- 3.2.4 To Hit

    def to_hit(self, target: Target, red: bool, range_: int, *, point_blank: bool = True) -> int:
        """3.2.4/th-numbers The basic To Hit number; there is no point-blank bonus if the firer or the target is in
        motion.
        """
        colour = "red" if red or target == "area" else "black"
        row = next(row for row in self.hit.number if (row.target, row.colour) == (target, colour))
        number = row.numbers[self._column(range_)]
        close = point_blank and target != "area" and range_ < len(self.hit.point_blank.changes)
        return number + (self.hit.point_blank.changes[range_] if close else 0)

    def _column(self, range_: int) -> int:
        return bisect_left(self.hit.last, range_)

    def gun_change(self, calibre: int, length: str, shell: str, range_: int) -> int:
        """3.2.4/th-numbers Sum the changes that barrel, calibre and ammunition make to the To Hit number."""
        applies = {
            "*": length == "*",
            "L": length == "L",
            "LL": length == "LL",
            "APCR or APDS": shell in ("A", "D"),
            "smoke": shell in ("s", "WP"),
            "57 mm or less": calibre <= 57,
            "40 mm or less": calibre <= 40,
        }
        return sum(row.numbers[self._column(range_)] for row in self.hit.change if applies[row.when])

    def critical(self, number: int) -> int:
        """3.2.4/th-numbers The critical hit number against infantry: the highest number below half the To Hit
        number.
        """
        return (number - 1) // 2

    def modifier(self, id: str) -> ModifierRow:
        """3.2.4/known-th-drm A To Hit DRM by its id."""
        return next(row for row in self.hit.modifier if row.id == id)

    # --- 7.9 To Kill

    def basic_kill(self, shell: Shell, calibre: int, length: str, nation: str = "", weapon: str = "") -> int | None:
        """7.9 The basic To Kill number, or None if the gun has no such ammunition; `weapon` is set for an MG or
        ATR.
        """
        if shell == "HE":
            index = bisect_right(self.kill.he.calibres, calibre)
            return self.kill.he.numbers[index - 1] if index else None
        rows = {"AP": self.kill.ap, "A": self.kill.apcr, "D": self.kill.apds, "H": self.kill.heat}[shell]
        gun = weapon or (str(calibre) if shell == "H" else f"{calibre}{length}")
        fitting = [row for row in rows if gun in row.guns and nation in (row.nations or (nation,))]
        return min(fitting, key=lambda row: not row.nations).number if fitting else None

    def kill_range_change(self, shell: Shell, calibre: int, range_: int) -> int | None:
        """7.9 Return the change to the To Kill number by range, or None if the shot cannot penetrate."""
        rows = [row for row in self.kill.range if row.ammunition == shell and calibre <= row.most]
        if not rows:
            return 0  # HE, HEAT
        row = min(rows, key=lambda row: row.most)
        column = bisect_left(row.last, range_)
        return row.numbers[column] if column < len(row.numbers) else None

    def he_column(self, calibre: int) -> int:
        """3.2.4/effects The firepower of an HE shell on the Infantry Fire Table; 0 below 20 mm."""
        index = bisect_right(self.kill.he_columns.calibres, calibre)
        return self.kill.he_columns.columns[index - 1] if index else 0

    # --- 7.6, 6.5, 4.3

    def bog(self, id: str) -> int:
        """7.6 A bog DRM by its id."""
        return _value(self.kill.bog, id)

    def manhandling(self, id: str) -> int:
        """6.5 A manhandling DRM by its id."""
        return _value(self.kill.manhandling, id)

    def charge(self, id: str) -> int:
        """4.3/vs-afv A DRM to the positioning of a demolition charge, by its id."""
        return _value(self.kill.charge, id)

    def charge_position(self, roll: int) -> Literal["optimal", "normal", "crew", "none"]:
        """4.3/vs-afv The position of a charge for a Final DR."""
        row = self.kill.charge_position
        return (
            "optimal"
            if roll <= row.optimal
            else "normal"
            if roll <= row.normal
            else "crew"
            if roll <= row.crew
            else "none"
        )


def _value(rows: Sequence[ValueRow], id: str) -> int:
    return next(row.number for row in rows if row.id == id)


def read_charts(files: Mapping[str, bytes]) -> Charts:
    """3.2.4, 7.9 Read the charts from files named as in `CHART_FILES`; DataError lists every mistake."""
    hit = convert(read_toml(files["to_hit.toml"], "to_hit.toml", "3.2.4"), ToHitFile, "to_hit.toml", "3.2.4")
    kill = convert(read_toml(files["to_kill.toml"], "to_kill.toml", "7.9"), ToKillFile, "to_kill.toml", "7.9")
    if mistakes := [*_mistakes(hit, kill)]:
        raise DataError("charts", mistakes)
    return Charts(hit, kill)


def _mistakes(hit: ToHitFile, kill: ToKillFile) -> Iterator[Mistake]:
    """3.2.4, 7.9 Yield a mistake for each row with too few or too many numbers for its columns."""
    width = len(hit.last) + 1
    lengths = {f"{row.target}, {row.colour}": len(row.numbers) for row in hit.number}
    lengths |= {row.when: len(row.numbers) for row in hit.change}
    for where, length in lengths.items():
        if length != width:
            yield Mistake(where, f"it has {length} numbers for {width} columns.", rule="3.2.4/th-numbers")
    for range_row in kill.range:
        if len(range_row.last) != len(range_row.numbers):
            yield Mistake(f"range, {range_row.ammunition}", "it needs a number for each range.", rule="7.9")
    if len(kill.he.calibres) != len(kill.he.numbers):
        yield Mistake("he", "it needs a number for each calibre.", rule="7.9")
    if len(kill.he_columns.calibres) != len(kill.he_columns.columns):
        yield Mistake("he_columns", "it needs a column for each calibre.", rule="3.2.4/effects")


@cache
def charts() -> Charts:
    """3.2.4, 7.9 The packaged charts."""
    return read_charts({file: packaged(file) for file in CHART_FILES})
