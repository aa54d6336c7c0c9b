"""4.1-4.6 The charts of the basic game in their file format.

The lookups that the rules use are in `charts`.
"""

from enum import StrEnum
from typing import Final, Literal

import msgspec

Edition = Literal["2024", "2016"]
EDITIONS: Final[tuple[Edition, ...]] = ("2024", "2016")

Traction = Literal["T", "H", "W"]
TRACTIONS: Final[tuple[Traction, ...]] = ("T", "H", "W")

RangeFactor = Literal["P", "S", "M", "L", "E"]
RANGE_FACTORS: Final[tuple[RangeFactor, ...]] = ("P", "S", "M", "L", "E")

SpottingColumn = Literal["V", "L", "S"]
Damage = Literal["damaged", "ko", "bu"]
LinkKind = Literal["road", "path", "track"]

PROHIBITED: Final = "P"
WHOLE: Final = "whole"
Cost = int | Literal["P", "whole"]
"""Movement points, `PROHIBITED`, or `WHOLE`: the whole allowance, as the first and only hex entered (R-14)."""


class Cover(StrEnum):
    """4.1.3 The cover in a hex, weakest first; OTHER defers to the other terrain in the hex."""

    NONE = "none"
    LIGHT = "light"
    MEDIUM = "medium"
    HEAVY = "heavy"
    OTHER = "other"


COVER_ORDER: Final = (Cover.NONE, Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY)


# --- file schemas --------------------------------------------------------------------------------------------


class IntCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A number and its source."""

    value: int
    source: str


class FlagCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A yes/no value and its source."""

    value: bool
    source: str


class CoverCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A cover class and its source."""

    value: Cover
    source: str


class CostCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A movement cost and its source."""

    value: Cost
    source: str


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The common base of all rows; `sources` gives the source of each cell by name."""

    @property
    def sources(self) -> dict[str, str]:
        """The source of each value in the row."""
        cells = ((field, getattr(self, field)) for field in self.__struct_fields__)
        return {field: cell.source for field, cell in cells if hasattr(cell, "source")}


class TerrainRow(Row, frozen=True):
    """A line of the Terrain Effects Table in its file format."""

    id: str
    name: str
    symbol: str
    editions: tuple[Edition, ...]
    height: IntCell
    spotting: CoverCell
    ap: CoverCell
    T: CostCell
    H: CostCell
    W: CostCell
    turn: CostCell
    storeys: bool = False
    counterpart: str = ""


class HexsideRow(Row, frozen=True):
    """A hexside of the Terrain Effects Table in its file format."""

    id: str
    name: str
    editions: tuple[Edition, ...]
    height: IntCell
    blocks: FlagCell
    T: CostCell
    H: CostCell
    W: CostCell
    level_only: bool = False


class LevelRow(Row, frozen=True):
    """The cost of one change of level in its file format."""

    levels: int
    T: CostCell
    H: CostCell
    W: CostCell


class LinkRow(Row, frozen=True):
    """A kind of link (path, road or track) in its file format."""

    id: LinkKind
    name: str
    editions: tuple[Edition, ...]
    cost: IntCell
    turn: IntCell
    less: IntCell


class SmokeRow(Row, frozen=True):
    """The effects of brew-up smoke in their file format."""

    enter: IntCell
    turn: IntCell
    height: IntCell


class TerrainFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of terrain.toml."""

    terrain: tuple[TerrainRow, ...]
    hexside: tuple[HexsideRow, ...]
    level_change: tuple[LevelRow, ...]
    link: tuple[LinkRow, ...]
    brew_up_smoke: SmokeRow


class SpottingRow(Row, frozen=True):
    """A row of the Spotting Range Table in its file format."""

    net: int
    V: IntCell
    L: IntCell
    S: IntCell


class Modifier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row of a modifier chart; `when` names the condition that says how many times the row applies."""

    when: str
    value: int
    rule: str
    source: str
    text: str


class SpottingFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of spotting.toml."""

    row: tuple[SpottingRow, ...]
    modifier: tuple[Modifier, ...]


class HitRow(Row, frozen=True):
    """A row of the AP Hit Table in its file format."""

    net: int
    P: IntCell
    S: IntCell
    M: IntCell
    L: IntCell
    E: IntCell


class HitFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of ap_hit.toml."""

    row: tuple[HitRow, ...]


class ModifierFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of ap_hit_modifiers.toml."""

    modifier: tuple[Modifier, ...]


class DamageRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"first": "from", "last": "to"}):
    """4.4.3.2.6 A range of differences between penetration and armour, and its effect."""

    first: int
    result: Damage
    source: str
    last: int | None = None


class DamageFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of ap_damage.toml."""

    row: tuple[DamageRow, ...]


class StackingRow(Row, frozen=True):
    """3.8 The stacking limit in its file format."""

    overstacked_from: IntCell


class DivisorRow(Row, frozen=True):
    """4.1.4.2.4 One divisor in its file format."""

    below: int
    divisor: IntCell


class BlindZoneRow(Row, frozen=True):
    """4.1.4.2.4 The blind zone in its file format."""

    divisor: tuple[DivisorRow, ...]
    minimum: IntCell
    fixed_from: IntCell
    fixed: IntCell
    smallest_divisor: IntCell


class GeneralFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of general.toml."""

    stacking: StackingRow
    blind_zone: BlindZoneRow


class Switch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule that only some editions have."""

    id: str
    number: int
    tier: str
    editions: tuple[Edition, ...]
    rule: str
    text: str


class EditionsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of editions.toml."""

    switch: tuple[Switch, ...]
