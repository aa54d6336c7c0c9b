"""3.2.3 The Infantry Fire Table: columns, cells and their meaning.

3.2.3    FireTable: column_of, shift_left, cell; Cell
3.3.5    residual_of: half of a column
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, Literal

import msgspec

from pbem.engine.text.toml_text import parse_toml

RESIDUALS: Final = (1, 2, 4, 6, 8, 12)
"""3.3.5 The strengths of a Residual FP counter."""
Kind = Literal["none", "ptc", "mc", "k", "kia"]
RANK: Final[dict[Kind, int]] = {"none": 0, "ptc": 1, "mc": 2, "k": 3, "kia": 4}


class Cell(msgspec.Struct, frozen=True):
    """3.2.3 A result: its kind and its number (`K/2` is kind k with 2, `NMC` is kind mc with 0)."""

    kind: Kind
    number: int = 0

    def __str__(self) -> str:
        if self.kind == "mc":
            return f"{self.number}MC" if self.number else "NMC"
        return {"none": "no effect", "ptc": "PTC", "k": f"K/{self.number}", "kia": f"{self.number}KIA"}[self.kind]

    @property
    def checks(self) -> bool:
        """3.2.3/dm-placement Whether the result is at least an NMC."""
        return RANK[self.kind] >= RANK["mc"]


NOTHING: Final = Cell("none")


class FireTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """3.2.3 The table as read from its file."""

    source: str
    columns: tuple[int, ...]
    calibres: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]

    def column_of(self, fp: Fraction | int) -> int:
        """3.2.3 The rightmost column that does not exceed the FP, or 0 if the FP is below the first column."""
        return max((column for column in self.columns if column <= fp), default=0)

    def shift_left(self, column: int, left: int) -> int:
        """3.2.2/cowering The column this many columns to the left; 0 if that is off the table."""
        place = self.columns.index(column) - left if column else -1
        return self.columns[place] if place >= 0 else 0

    def cell(self, column: int, final: int) -> Cell:
        """3.2.3 The result in a column; a Final DR below 0 or above 15 uses the first or last row."""
        if not column:
            return NOTHING
        return parse_cell(self.rows[min(max(final, 0), len(self.rows) - 1)][self.columns.index(column)])

    def calibre_column(self, millimetres: int) -> int:
        """3.2.4 The column for HE of a given calibre."""
        fitting = [column for column, mm in zip(self.columns, self.calibres, strict=True) if mm <= millimetres]
        return max(fitting, default=0)


def parse_cell(text: str) -> Cell:
    """3.2.3 Parse a cell as printed."""
    if text == "-":
        return NOTHING
    if text == "PTC":
        return Cell("ptc")
    if text == "NMC":
        return Cell("mc")
    if text.startswith("K/"):
        return Cell("k", int(text[2:]))
    return Cell("kia", int(text[:-3])) if text.endswith("KIA") else Cell("mc", int(text[:-2]))


def read_fire_table(content: bytes) -> FireTable:
    return msgspec.convert(parse_toml(content.decode()), FireTable)


def residual_of(column: int) -> int:
    """3.3.5 Half of a column, rounded down to a Residual FP strength, at most 12."""
    return max((strength for strength in RESIDUALS if strength <= column // 2), default=0)


def step_residual(residual: int, steps: int) -> int:
    """3.3.5 A Residual FP strength raised or lowered by this many steps; 0 if it falls below 1."""
    if not residual:
        return 0
    place = RESIDUALS.index(residual) + steps
    return RESIDUALS[min(place, len(RESIDUALS) - 1)] if place >= 0 else 0
