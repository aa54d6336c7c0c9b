"""5.8-6.8, 7.0 The charts of chapters 5 to 7 in file form: one class for each kind of row.

The lookups that the rules use are in `advanced_charts`.
"""

from enum import StrEnum
from typing import Annotated, Final, Literal

import msgspec

from pbem.titles.panzer.cards.basic_rows import (
    EDITIONS,
    RANGE_FACTORS,
    Cost,
    CostCell,
    CoverCell,
    Edition,
    FlagCell,
    IntCell,
    Modifier,
    RangeFactor,
    Row,
)

Grade = Literal["elite", "veteran", "seasoned", "regulars", "green"]
GRADES: Final[tuple[Grade, ...]] = ("elite", "veteran", "seasoned", "regulars", "green")
"""5.8 The grades, best first."""

RateOfFire = Literal["N", "Q", "R", "F"]
TargetType = Literal["A", "open", "P", "S"]
"""6.5.2.3 Armoured, armoured with an open turret (7.8.3 only), protected, soft."""
WeaponKind = Literal["other", "small_arms"]
GpResult = Literal["none", "suppressed", "effective"]
GpEffect = Literal["none", "suppressed", "damaged", "test", "resolve"]
AdvancedDamage = Literal["none", "damaged", "ko", "bu"]
Part = Literal["turret", "hull"]
Observer = Literal["fo", "rhq", "bhq", "chq", "recon"]
Attachment = Literal["attached", "organic", "unattached"]
Altitude = Literal["low", "medium", "high"]
Speed = Literal["slow", "fast"]
Tier = Literal["advanced", "optional", "scenario"]
OTHER: Final = "other"


class Angle(StrEnum):
    """6.5.2.2 A row of the AP Hit Location Table."""

    FRONT = "front"
    FRONT_SIDE = "front_side"
    REAR_SIDE = "rear_side"
    REAR = "rear"


class Location(StrEnum):
    """6.5.2.2 A hit location: turret or hull, front, side or rear; track; deck."""

    TF = "TF"
    TS = "TS"
    TR = "TR"
    HF = "HF"
    HS = "HS"
    HR = "HR"
    TK = "TK"
    DK = "DK"


class Shot(StrEnum):
    """6.5.2.3.1 A shot from the same height, from below, or from above."""

    LEVEL = "level"
    RISING = "rising"
    FALLING = "falling"


class Place(msgspec.Struct, frozen=True):
    """6.5.2.2 A cell of the table; `marked` means that it is covered by a partial hull-down position (6.5.2.2.3)."""

    location: Location
    marked: bool

    @property
    def hull(self) -> bool:
        """6.5.2.2.3 Whether this is a hull location, covered by a hull-down position."""
        return self.location in (Location.HF, Location.HS, Location.HR)


# --- the rows of the files ---------------------------------------------------------------------------------------


class EditionRow(Row, frozen=True):
    """A row that some editions may lack."""

    editions: tuple[Edition, ...] = EDITIONS


class HitsRow(Row, frozen=True):
    """6.5.2.1 A row of the AP Number of Hits Table."""

    hit: int
    Q2: IntCell
    R3: IntCell
    R2: IntCell
    F3: IntCell
    F2: IntCell


class HitsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of ap_number_of_hits.toml."""

    row: tuple[HitsRow, ...]


class PlaceCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A location, possibly marked, and its source."""

    value: Literal["TF", "TS", "TR", "HF", "HS", "HR", "HF*", "HS*", "HR*", "TK"]
    source: str

    @property
    def place(self) -> Place:
        return Place(Location(self.value.rstrip("*")), self.value.endswith("*"))


TenPlaces = Annotated[tuple[PlaceCell, ...], msgspec.Meta(min_length=10, max_length=10)]
TenCells = Annotated[tuple[IntCell, ...], msgspec.Meta(min_length=10, max_length=10)]
FifteenCells = Annotated[tuple[IntCell, ...], msgspec.Meta(min_length=15, max_length=15)]


class AngleRow(Row, frozen=True):
    """6.5.2.2 One of the six angles and the table row to read."""

    id: str
    row: Angle


class PlacesRow(Row, frozen=True):
    """6.5.2.2 A row of the AP Hit Location Table."""

    angle: Angle
    cells: TenPlaces


class LocationFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of ap_hit_location.toml."""

    angle: tuple[AngleRow, ...]
    row: tuple[PlacesRow, ...]


class DamageCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A result on the damage line and its source."""

    value: AdvancedDamage
    source: str


class PartCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Turret or hull, and its source."""

    value: Part
    source: str


class PartRow(Row, frozen=True):
    """6.5.2.2.4 The part affected by a damaging hit on a location."""

    location: Location
    damages: PartCell


class AdvancedDamageFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of advanced_damage.toml."""

    line: Annotated[tuple[DamageCell, ...], msgspec.Meta(min_length=10, max_length=10)]
    part: tuple[PartRow, ...]


class BailOutRow(Row, frozen=True):
    """5.15 A row of the Bail Out Table."""

    id: str
    crew: IntCell | None = None
    passengers: IntCell | None = None
    leg: IntCell | None = None
    towed: IntCell | None = None


class BailOutFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of bail_out.toml."""

    row: tuple[BailOutRow, ...]


class FactorCells(Row, frozen=True):
    """A value for each range factor."""

    P: IntCell
    S: IntCell
    M: IntCell
    L: IntCell
    E: IntCell

    def at(self, factor: RangeFactor) -> int:
        """The value in a column."""
        cells = {"P": self.P, "S": self.S, "M": self.M, "L": self.L, "E": self.E}
        return cells[factor].value


class GradeRow(Row, frozen=True):
    """5.8 All values of a grade; unit_grades.toml documents which rule uses which column."""

    id: Grade
    ap: FactorCells
    gp: FactorCells
    close_combat: IntCell
    quickmarch: IntCell
    recovery: IntCell
    response: IntCell
    bail_out: IntCell
    hull_down: IntCell
    initiative: IntCell
    command_range: IntCell
    morale: IntCell
    cohesion: IntCell
    spot_near: IntCell
    spot_far: IntCell
    spot_most: IntCell
    bomb_scatter: IntCell
    smoke_limit: IntCell


class GradesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of unit_grades.toml."""

    grade: tuple[GradeRow, ...]


class CommandsRow(Row, frozen=True):
    """6.2.1.1.1 A row of the Available Commands Table."""

    grade: Grade
    cells: TenCells


class CommandsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of available_commands.toml."""

    row: tuple[CommandsRow, ...]


class ResponseRow(Row, frozen=True):
    """6.5.1.12 A row of the Indirect Fire Response Table."""

    observer: Observer
    attached: IntCell
    organic: IntCell
    unattached: IntCell


class CallsRow(EditionRow, frozen=True, kw_only=True):
    """6.5.1.1 How many sources of fire an observer may call at once; an empty `nation` means any."""

    observer: Observer
    calls: IntCell
    nation: str = ""


class SheafRow(Row, frozen=True):
    """6.5.1.5 A sheaf pattern."""

    id: str
    battery: bool
    radius: IntCell
    line: IntCell
    hexes: int


class ScatterRow(Row, frozen=True, rename={"first": "from", "last": "to"}):
    """7.26 How far a range of d10 rolls shifts the target point."""

    first: int
    last: int
    hexes: IntCell


class IndirectFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of indirect_fire.toml."""

    response: tuple[ResponseRow, ...]
    calls: tuple[CallsRow, ...]
    sheaf: tuple[SheafRow, ...]
    scatter: tuple[ScatterRow, ...]


class LimitsCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """6.5.4.4 The highest total without effect, the highest that suppresses, and their source."""

    no_effect: int
    suppressed: int
    source: str


class LimitsRow(Row, frozen=True):
    """6.5.4.4 A row of the GP Combat Results Table: GP factors 1 to 15."""

    defence: int
    cells: Annotated[tuple[LimitsCell, ...], msgspec.Meta(min_length=15, max_length=15)]


class ResultsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of gp_results.toml."""

    row: tuple[LimitsRow, ...]


FiveEffects = tuple[GpEffect, GpEffect, GpEffect, GpEffect, GpEffect]


class EffectsRow(Row, frozen=True):
    """6.5.4.4.2 The effect of a result for a kind of weapon, by target type and range factor."""

    weapon: WeaponKind
    result: GpResult
    source: str
    A: FiveEffects
    open: FiveEffects
    P: FiveEffects
    S: FiveEffects

    def at(self, target: TargetType, factor: RangeFactor) -> GpEffect:
        """The effect on a type of target in a column."""
        rows = {"A": self.A, "open": self.open, "P": self.P, "S": self.S}
        return rows[target][RANGE_FACTORS.index(factor)]


class EffectsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of gp_effects.toml."""

    row: tuple[EffectsRow, ...]


class AdvancedModifier(Modifier, frozen=True):
    """A row of a modifier chart; empty `kinds` means every kind of attack."""

    editions: tuple[Edition, ...] = EDITIONS
    tier: Tier = "advanced"
    kinds: tuple[str, ...] = ()


class AdvancedModifierFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of advanced_modifiers.toml."""

    spotting: tuple[AdvancedModifier, ...]
    ap: tuple[AdvancedModifier, ...]
    gp: tuple[AdvancedModifier, ...]
    response: tuple[AdvancedModifier, ...]
    close_assault: tuple[AdvancedModifier, ...]
    hand_to_hand: tuple[AdvancedModifier, ...]
    quickmarch: tuple[AdvancedModifier, ...]
    hull_down: tuple[AdvancedModifier, ...]
    aircraft: tuple[AdvancedModifier, ...]
    anti_aircraft: tuple[AdvancedModifier, ...]
    recovery: tuple[AdvancedModifier, ...]
    bail_out: tuple[AdvancedModifier, ...]
    morale: tuple[AdvancedModifier, ...]
    counter_battery: tuple[AdvancedModifier, ...]
    bog: tuple[AdvancedModifier, ...]
    infantry_smoke: tuple[AdvancedModifier, ...]


class Number(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A single number from a rule."""

    id: str
    value: int
    rule: str
    source: str
    text: str
    editions: tuple[Edition, ...] = EDITIONS


class NumbersFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of advanced_numbers.toml."""

    number: tuple[Number, ...]


class EditionsCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The editions that allow something, and the source."""

    value: tuple[Edition, ...]
    source: str


class FeatureCostCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A movement cost or `OTHER`, and its source."""

    value: Cost | Literal["other"]
    source: str


class DefenceCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A GP defence, 0 for no defence, or the scenario's value, and its source."""

    value: int | Literal["scenario"]
    source: str


class AdvancedTerrain(Row, frozen=True):
    """4.5.1.1.2 The advanced columns for a terrain type of `charts`."""

    id: str
    L: CostCell
    towed: CostCell
    gp: CoverCell
    hull_down: IntCell
    support: FlagCell
    bog: IntCell
    quickmarch: EditionsCell
    dust: FlagCell
    full_cover: FlagCell
    observer: FlagCell
    partial: FlagCell = FlagCell(False, "house")


class AdvancedHexside(Row, frozen=True):
    """4.5.1.1.2 The advanced columns for a hexside."""

    id: str
    L: CostCell
    towed: CostCell
    riders: FlagCell
    hull_down: FlagCell = FlagCell(False, "house")
    editions: tuple[Edition, ...] = EDITIONS


class LegLevel(Row, frozen=True):
    """4.5.1.1.2 The cost of a change of level for leg units."""

    levels: int
    L: IntCell


class Interior(Row, frozen=True):
    """6.1.4.3.1 The inside of a building."""

    id: str
    spotting: CoverCell
    combat: CoverCell
    overhead: CoverCell
    hull_down: FlagCell
    defence: IntCell
    T: CostCell
    H: CostCell
    W: CostCell
    L: CostCell
    turn: CostCell
    rubble: str


class Feature(EditionRow, frozen=True, kw_only=True):
    """6.1.4.3 The effects of a counter in a hex."""

    id: str
    name: str
    height: IntCell
    spotting: CoverCell
    combat: CoverCell
    T: FeatureCostCell
    H: FeatureCostCell
    W: FeatureCostCell
    L: FeatureCostCell
    towed: FeatureCostCell
    turn: FeatureCostCell
    defence: DefenceCell
    support: FlagCell
    bog: IntCell | None = None
    hull_down: FlagCell = FlagCell(False, "house")
    rolls: int = 2
    becomes: str = ""
    kills: bool = False
    holds: int = 0
    hinders: bool = False


class AdvancedTerrainFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of advanced_terrain.toml."""

    terrain: tuple[AdvancedTerrain, ...]
    hexside: tuple[AdvancedHexside, ...]
    level_change: tuple[LegLevel, ...]
    interior: tuple[Interior, ...]
    feature: tuple[Feature, ...]


class Building(Row, frozen=True):
    """6.6.3, 7.35.1 A row of the Building Effects Table; `fire` applies to GP factors 1 to 15."""

    id: str
    hit: IntCell
    track: IntCell
    fire: FifteenCells


class BuildingsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of buildings.toml."""

    building: tuple[Building, ...]
