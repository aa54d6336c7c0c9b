"""5.8-6.8, 7 The charts of the advanced game and of the optional rules, every value with its source.

    5.8         GRADES, Grade, AdvancedCharts.grades (the Unit Grade Modifiers Table and all other lists by grade)
    6.1.4.3     AdvancedCharts.terrains, hexsides, level_changes, interiors, features
    6.2.1.1.1   AdvancedCharts.available_commands
    6.5.1       AdvancedCharts.response_factor, fire_sources, sheafs, scatter; Observer, Attachment
    6.5.2.1     AdvancedCharts.number_of_hits; RateOfFire
    6.5.2.2     AdvancedCharts.place; ANGLES, Angle, Location, Place, Shot
    6.5.2.5     AdvancedCharts.damage_line, parts
    6.5.2.6     AdvancedCharts.bail_out
    6.5.4.2.2   AdvancedCharts.gp_cover
    6.5.4.4     AdvancedCharts.gp_limits, gp_result, gp_effect
    6.6.3       AdvancedCharts.buildings
    6.7         AdvancedCharts.flight_hexes, masked_hexes, air
    7           AdvancedCharts.cohesion_level, cohesion_points, variation, fire_range, optional
    everywhere  AdvancedCharts.modifiers (by chart, in the order of the rule), modifiers_for, number

Read from the files of `ADVANCED_FILES` in the manner of `charts`, which has the charts of the basic game. Rows
stay as the file has them, so that whoever shows a value can show its source; the methods answer what the rules ask.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Annotated, Final, Literal, Protocol, TypeVar

import msgspec

from pbem.titles.panzer.cards.charts import (
    EDITIONS,
    RANGE_FACTORS,
    Cost,
    CostCell,
    Cover,
    CoverCell,
    DataError,
    Edition,
    FlagCell,
    IntCell,
    Mistake,
    Modifier,
    RangeFactor,
    Row,
    best_cover,
    clamp,
    convert,
    packaged,
    read_toml,
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
COUNTER_RULES: Final[Mapping[str, str]] = {
    "block": "6.1.4.3.3",
    "ditch": "6.1.4.3.4",
    "on_fire": "6.1.4.3.5",
    "wire": "6.1.4.3.11",
    "wood_rubble": "6.1.4.3.9",
    "brick_rubble": "6.1.4.3.9",
    "stone_rubble": "6.1.4.3.9",
    "bridge_rubble": "6.1.4.3.9",
    "position_rubble": "6.1.4.3.9",
}
"""6.1.4.3 The counters that have a price of their own, and the rule that names it."""
OTHER: Final = "other"

ADVANCED_FILES: Final = (
    "ap_number_of_hits.toml",
    "ap_hit_location.toml",
    "advanced_damage.toml",
    "bail_out.toml",
    "unit_grades.toml",
    "available_commands.toml",
    "indirect_fire.toml",
    "gp_results.toml",
    "gp_effects.toml",
    "advanced_modifiers.toml",
    "advanced_numbers.toml",
    "advanced_terrain.toml",
    "buildings.toml",
    "air.toml",
    "optional.toml",
)


class Angle(StrEnum):
    """6.5.2.2 A row of the AP Hit Location Table."""

    FRONT = "front"
    FRONT_SIDE = "front_side"
    REAR_SIDE = "rear_side"
    REAR = "rear"


class Location(StrEnum):
    """6.5.2.2 Where a vehicle is hit: turret or hull, front, side or rear; track; deck."""

    TF = "TF"
    TS = "TS"
    TR = "TR"
    HF = "HF"
    HS = "HS"
    HR = "HR"
    TK = "TK"
    DK = "DK"


class Shot(StrEnum):
    """6.5.2.3.1 From the same height, from below, from above."""

    LEVEL = "level"
    RISING = "rising"
    FALLING = "falling"


class Place(msgspec.Struct, frozen=True):
    """6.5.2.2 A cell of the table; `marked`: a partial hull down position covers it (6.5.2.2.3)."""

    location: Location
    marked: bool

    @property
    def hull(self) -> bool:
        """6.5.2.2.3 A hull location, covered by a hull down position."""
        return self.location in (Location.HF, Location.HS, Location.HR)


# --- the rows of the files ---------------------------------------------------------------------------------------


class EditionRow(Row, frozen=True):
    """A row that not all editions need have."""

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
    """ap_number_of_hits.toml"""

    row: tuple[HitsRow, ...]


class PlaceCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A location, perhaps with the mark, and where it comes from."""

    value: Literal["TF", "TS", "TR", "HF", "HS", "HR", "HF*", "HS*", "HR*", "TK"]
    source: str

    @property
    def place(self) -> Place:
        return Place(Location(self.value.rstrip("*")), self.value.endswith("*"))


TenPlaces = Annotated[tuple[PlaceCell, ...], msgspec.Meta(min_length=10, max_length=10)]
TenCells = Annotated[tuple[IntCell, ...], msgspec.Meta(min_length=10, max_length=10)]
FifteenCells = Annotated[tuple[IntCell, ...], msgspec.Meta(min_length=15, max_length=15)]


class AngleRow(Row, frozen=True):
    """6.5.2.2 One of the six angles and the row that it reads."""

    id: str
    row: Angle


class PlacesRow(Row, frozen=True):
    """6.5.2.2 A row of the AP Hit Location Table."""

    angle: Angle
    cells: TenPlaces


class LocationFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """ap_hit_location.toml"""

    angle: tuple[AngleRow, ...]
    row: tuple[PlacesRow, ...]


class DamageCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A result of the damage line and where it comes from."""

    value: AdvancedDamage
    source: str


class PartCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Turret or hull and where it comes from."""

    value: Part
    source: str


class PartRow(Row, frozen=True):
    """6.5.2.2.4 What a damaging hit on a location affects."""

    location: Location
    damages: PartCell


class AdvancedDamageFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """advanced_damage.toml"""

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
    """bail_out.toml"""

    row: tuple[BailOutRow, ...]


class FactorCells(Row, frozen=True):
    """A value in each range factor."""

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
    """5.8 Everything that a grade is worth; unit_grades.toml says which rule reads which column."""

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
    """unit_grades.toml"""

    grade: tuple[GradeRow, ...]


class CommandsRow(Row, frozen=True):
    """6.2.1.1.1 A row of the Available Commands Table."""

    grade: Grade
    cells: TenCells


class CommandsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """available_commands.toml"""

    row: tuple[CommandsRow, ...]


class ResponseRow(Row, frozen=True):
    """6.5.1.12 A row of the Indirect Fire Response Table."""

    observer: Observer
    attached: IntCell
    organic: IntCell
    unattached: IntCell


class CallsRow(EditionRow, frozen=True, kw_only=True):
    """6.5.1.1 How many sources of fire an observer calls at once; `nation` empty: of any nation."""

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
    """7.26 How far a range of rolls of 10 shifts the target point."""

    first: int
    last: int
    hexes: IntCell


class IndirectFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """indirect_fire.toml"""

    response: tuple[ResponseRow, ...]
    calls: tuple[CallsRow, ...]
    sheaf: tuple[SheafRow, ...]
    scatter: tuple[ScatterRow, ...]


class LimitsCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """6.5.4.4 The last total without effect, the last that suppresses, and where they come from."""

    no_effect: int
    suppressed: int
    source: str


class LimitsRow(Row, frozen=True):
    """6.5.4.4 A row of the GP Combat Results Table: GP factors 1 to 15."""

    defence: int
    cells: Annotated[tuple[LimitsCell, ...], msgspec.Meta(min_length=15, max_length=15)]


class ResultsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """gp_results.toml"""

    row: tuple[LimitsRow, ...]


FiveEffects = tuple[GpEffect, GpEffect, GpEffect, GpEffect, GpEffect]


class EffectsRow(Row, frozen=True):
    """6.5.4.4.2 What a result of a kind of weapon does, by type of target and range factor."""

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
    """gp_effects.toml"""

    row: tuple[EffectsRow, ...]


class AdvancedModifier(Modifier, frozen=True):
    """A row of a modifier chart; `kinds` empty: for every kind of attack."""

    editions: tuple[Edition, ...] = EDITIONS
    tier: Tier = "advanced"
    kinds: tuple[str, ...] = ()


class AdvancedModifierFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """advanced_modifiers.toml"""

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
    """A single number of a rule."""

    id: str
    value: int
    rule: str
    source: str
    text: str
    editions: tuple[Edition, ...] = EDITIONS


class NumbersFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """advanced_numbers.toml"""

    number: tuple[Number, ...]


class EditionsCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The editions that allow something, and where that comes from."""

    value: tuple[Edition, ...]
    source: str


class FeatureCostCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A movement cost or `OTHER`, and where it comes from."""

    value: Cost | Literal["other"]
    source: str


class DefenceCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A GP defence, 0 for none, or the scenario's, and where it comes from."""

    value: int | Literal["scenario"]
    source: str


class AdvancedTerrain(Row, frozen=True):
    """4.5.1.1.2 The advanced columns of a terrain type of `charts`."""

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
    """4.5.1.1.2 The advanced columns of a hexside."""

    id: str
    L: CostCell
    towed: CostCell
    riders: FlagCell
    hull_down: FlagCell = FlagCell(False, "house")


class LegLevel(Row, frozen=True):
    """4.5.1.1.2 What a change of level costs leg units."""

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
    """6.1.4.3 What a counter brings into a hex."""

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
    """advanced_terrain.toml"""

    terrain: tuple[AdvancedTerrain, ...]
    hexside: tuple[AdvancedHexside, ...]
    level_change: tuple[LegLevel, ...]
    interior: tuple[Interior, ...]
    feature: tuple[Feature, ...]


class Building(Row, frozen=True):
    """6.6.3, 7.35.1 A row of the Building Effects Table; `fire` is for the GP factors 1 to 15."""

    id: str
    hit: IntCell
    track: IntCell
    fire: FifteenCells


class BuildingsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """buildings.toml"""

    building: tuple[Building, ...]


class FlightRow(Row, frozen=True):
    """6.7.3.1.1, 6.7.4.1.1 A row of the AA/Aircraft Spotting Table."""

    altitude: Altitude
    acquire_slow: IntCell
    acquire_fast: IntCell
    track_slow: IntCell
    track_fast: IntCell


class MaskingRow(Row, frozen=True):
    """6.7.3.1.3 A row of the Aircraft Line-of-Sight Table."""

    altitude: Altitude
    height: IntCell


class Pattern(Row, frozen=True):
    """6.7.3.2-6.7.3.4 The hexes that an attack from the air hits."""

    attack: str
    altitudes: tuple[Altitude, ...]
    speeds: tuple[Speed, ...]
    ahead: IntCell
    beside: IntCell


class BombScatterRow(Row, frozen=True):
    """7.26 Up to which roll bombs scatter after a result of fire at the aircraft."""

    result: str
    upto: IntCell


class AirFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """air.toml"""

    spotting: tuple[FlightRow, ...]
    masking: tuple[MaskingRow, ...]
    pattern: tuple[Pattern, ...]
    bomb_scatter: tuple[BombScatterRow, ...]


class OptionalRule(EditionRow, frozen=True, kw_only=True):
    """7.0 An optional rule and what it depends on."""

    rule: str
    id: str
    text: str
    needs: str = ""


class BreakPoint(Row, frozen=True):
    """7.1.4 A row of the Break Point Table."""

    nation: str
    breaks: IntCell
    hesitates: IntCell


class Cohesion(Row, frozen=True):
    """7.1.1.1 A level of cohesion; `rate` in hundredths per combat unit."""

    level: int
    name: str
    lowest: IntCell
    rate: IntCell


class CohesionLimit(Row, frozen=True):
    """7.1.1.1 How far a determined level may be from the printed one."""

    nations: tuple[str, ...]
    up: IntCell
    down: IntCell


class VariationRow(Row, frozen=True):
    """7.12 A row of the AP Penetration Table."""

    penetration: int
    one: IntCell
    two: IntCell
    three: IntCell
    four: IntCell
    most: IntCell


class Minefield(Row, frozen=True):
    """7.31.2.1 A column of the Minefield Effects Table."""

    defence: int
    hasty_damaged: IntCell
    hasty_track: IntCell
    deliberate_damaged: IntCell
    deliberate_track: IntCell


class SmokeLimit(Row, frozen=True):
    """7.22.2 Smoke limit of a nation's infantry."""

    nation: str
    limit: IntCell


class Collateral(Row, frozen=True):
    """7.23 One kind of collateral damage."""

    locations: tuple[Location, ...]
    roll: int
    effect: str
    source: str
    otherwise: str = ""


class CounterBattery(Row, frozen=True):
    """7.28.2 What a roll up to `upto` does to a located battery."""

    upto: int
    result: Literal["suppressed", "damaged", "ko"]
    source: str


class CommandSpan(Row, frozen=True):
    """7.52 The span of a level of headquarters."""

    level: Observer
    hexes: IntCell


class OptionalFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """optional.toml"""

    rule: tuple[OptionalRule, ...]
    break_point: tuple[BreakPoint, ...]
    cohesion: tuple[Cohesion, ...]
    cohesion_limit: tuple[CohesionLimit, ...]
    penetration: tuple[VariationRow, ...]
    minefield: tuple[Minefield, ...]
    smoke_limit: tuple[SmokeLimit, ...]
    collateral: tuple[Collateral, ...]
    counter_battery: tuple[CounterBattery, ...]
    command_span: tuple[CommandSpan, ...]


# --- the charts as the rules use them ------------------------------------------------------------------------------


class AdvancedCharts(msgspec.Struct, frozen=True):
    """The advanced and optional charts of one edition."""

    edition: Edition
    hits: dict[int, HitsRow]
    angles: dict[str, Angle]
    places: dict[Angle, tuple[Place, ...]]
    damage_line: tuple[AdvancedDamage, ...]
    parts: dict[Location, Part]
    bail_out: dict[str, BailOutRow]
    grades: dict[Grade, GradeRow]
    commands: dict[Grade, tuple[int, ...]]
    responses: dict[Observer, ResponseRow]
    calls: tuple[CallsRow, ...]
    sheafs: dict[str, SheafRow]
    scatter: tuple[ScatterRow, ...]
    limits: dict[int, tuple[LimitsCell, ...]]
    effects: tuple[EffectsRow, ...]
    modifiers: dict[str, tuple[AdvancedModifier, ...]]
    numbers: dict[str, Number]
    terrains: dict[str, AdvancedTerrain]
    hexsides: dict[str, AdvancedHexside]
    level_changes: dict[int, int]
    interiors: dict[str, Interior]
    features: dict[str, Feature]
    buildings: dict[str, Building]
    air: AirFile
    optional: OptionalFile

    def number(self, number_id: str) -> int:
        """A single number of a rule."""
        return self.numbers[number_id].value

    def number_of_hits(self, hit_number: int, rate: RateOfFire, roll: int) -> int:
        """6.5.2.1 Hits of one roll of 100; the larger number wins where ranges meet."""
        if roll > hit_number:
            return 0
        if rate == "N":
            return 1
        row = self.hits[clamp(hit_number, self.hits)]
        ranges = {"Q": (row.Q2.value, 0), "R": (row.R2.value, row.R3.value), "F": (row.F2.value, row.F3.value)}
        two, three = ranges[rate]
        return 3 if roll <= three else 2 if roll <= two else 1

    def place(self, angle: Angle, tens: int, shot: Shot = Shot.LEVEL) -> Place:
        """6.5.2.2 Where the tens digit (1 to 10) hits; 6.5.2.2.2 a falling shot with 1 hits the deck."""
        if shot is Shot.FALLING and tens == 1:
            return Place(Location.DK, marked=False)
        return self.places[angle][tens - 1]

    def available_commands(self, grade: Grade, active: int) -> int:
        """6.2.1.1.1 Tens of active units count the last column each, the rest its own; at least one."""
        tens, units = divmod(active, 10)
        row = self.commands[grade]
        commands = tens * row[9] + (row[units - 1] if units else 0)
        return max(self.number("commands_at_least"), commands)

    def response_factor(self, observer: Observer, attachment: Attachment) -> int:
        """6.5.1.12 The lowest modified roll of 10 with which a called unit answers."""
        row = self.responses[observer]
        cells = {"attached": row.attached, "organic": row.organic, "unattached": row.unattached}
        return cells[attachment].value

    def fire_sources(self, observer: Observer, nation: str) -> int:
        """6.5.1.1 How many sources of fire an observer of a nation may call at once."""
        return next(row.calls.value for row in self.calls if row.observer == observer and row.nation in ("", nation))

    def gp_limits(self, factor: int, defence: int) -> LimitsCell:
        """6.5.4.4 The cell of a GP factor (above 15 as 15) and a GP defence (1 to 10)."""
        return self.limits[clamp(defence, self.limits)][min(factor, self.number("factor_at_most")) - 1]

    def gp_result(self, factor: int, defence: int, total: int) -> GpResult:
        """6.5.4.4 What a final total does."""
        cell = self.gp_limits(factor, defence)
        return "none" if total <= cell.no_effect else "suppressed" if total <= cell.suppressed else "effective"

    def gp_effect(self, weapon: WeaponKind, result: GpResult, target: TargetType, factor: RangeFactor) -> GpEffect:
        """6.5.4.4.2 What a result means for a vehicle."""
        if result == "none":
            return "none"
        return next(row for row in self.effects if (row.weapon, row.result) == (weapon, result)).at(target, factor)

    def gp_cover(self, terrain_ids: Iterable[str]) -> Cover:
        """6.5.4.2.2 The cover that counts for GP defence, best for the target; ids as `Charts.rows` leaves them."""
        return best_cover(self.terrains[terrain_id].gp.value for terrain_id in terrain_ids)

    def modifiers_for(self, chart: str, kind: str) -> tuple[AdvancedModifier, ...]:
        """The rows of a chart that are for a kind of attack or for a party, in the order of the rule."""
        return tuple(row for row in self.modifiers[chart] if not row.kinds or kind in row.kinds)

    def flight_hexes(self, what: Literal["acquire", "track"], altitude: Altitude, speed: Speed) -> int:
        """6.7.3.1.1, 6.7.4.1.1 Hexes to fly before a target is acquired or an aircraft tracked."""
        row = next(row for row in self.air.spotting if row.altitude == altitude)
        cells = {
            ("acquire", "slow"): row.acquire_slow,
            ("acquire", "fast"): row.acquire_fast,
            ("track", "slow"): row.track_slow,
            ("track", "fast"): row.track_fast,
        }
        return cells[what, speed].value

    def masked_hexes(self, altitude: Altitude, height: int) -> int:
        """6.7.3.1.3 Hexes behind an obstacle of this height that an aircraft does not see."""
        base = next(row.height.value for row in self.air.masking if row.altitude == altitude)
        return max(0, height - base + 1)

    def cohesion_level(self, total: int) -> Cohesion:
        """7.1.1.1 The level of a total, best level first."""
        return next(row for row in self.optional.cohesion if total >= row.lowest.value)

    def cohesion_points(self, level: Cohesion, units: int) -> int:
        """7.1.1.1 Tens of units count ten rates each, the rest its column, rounded half up; the sum is cut off."""
        tens, rest = divmod(units, 10)
        column = (level.rate.value * rest + 50) // 100
        return max(1, tens * level.rate.value // 10 + column)

    def variation(self, penetration: int, rolls: Sequence[int]) -> int:
        """7.12 What two rolls of 10 add to a penetration factor."""
        rows = {row.penetration: row for row in self.optional.penetration}
        row = rows[clamp(penetration, rows)]
        steps = (row.one.value, row.two.value, row.three.value, row.four.value, 0)
        total = sum(-steps[roll - 1] if roll <= 5 else steps[10 - roll] for roll in rolls)
        return max(-row.most.value, min(row.most.value, total))

    def fire_range(self, building: str, factor: int) -> int:
        """7.35.1 The highest roll of 100 that sets a building alight."""
        return self.buildings[building].fire[min(factor, self.number("factor_at_most")) - 1].value


# --- reading -------------------------------------------------------------------------------------------------------

T = TypeVar("T")


class HasEditions(Protocol):
    """A row that some editions have."""

    @property
    def editions(self) -> tuple[Edition, ...]: ...


E = TypeVar("E", bound=HasEditions)


@cache
def advanced_charts(edition: Edition) -> AdvancedCharts:
    """The advanced charts of an edition as packaged."""
    return read_advanced_charts({name: packaged(name) for name in ADVANCED_FILES}, edition)


def read_advanced_charts(files: Mapping[str, bytes], edition: Edition) -> AdvancedCharts:
    """The advanced charts of an edition from the bytes of all `ADVANCED_FILES`; DataError names what is wrong."""
    location = _read("ap_hit_location.toml", files, LocationFile)
    damage = _read("advanced_damage.toml", files, AdvancedDamageFile)
    indirect = _read("indirect_fire.toml", files, IndirectFile)
    terrain = _read("advanced_terrain.toml", files, AdvancedTerrainFile)
    modifiers = _read("advanced_modifiers.toml", files, AdvancedModifierFile)
    optional = _read("optional.toml", files, OptionalFile)
    grades = {row.id: row for row in _read("unit_grades.toml", files, GradesFile).grade}
    commands = {row.grade: row for row in _read("available_commands.toml", files, CommandsFile).row}
    for name, rows in (("unit_grades.toml", grades), ("available_commands.toml", commands)):
        _complete(name, GRADES, rows)
    return AdvancedCharts(
        edition=edition,
        hits={row.hit: row for row in _read("ap_number_of_hits.toml", files, HitsFile).row},
        angles={row.id: row.row for row in location.angle},
        places={row.angle: tuple(cell.place for cell in row.cells) for row in location.row},
        damage_line=tuple(cell.value for cell in damage.line),
        parts={row.location: row.damages.value for row in damage.part},
        bail_out={row.id: row for row in _read("bail_out.toml", files, BailOutFile).row},
        grades=grades,
        commands={grade: tuple(cell.value for cell in row.cells) for grade, row in commands.items()},
        responses={row.observer: row for row in indirect.response},
        calls=_of(indirect.calls, edition),
        sheafs={row.id: row for row in indirect.sheaf},
        scatter=indirect.scatter,
        limits={row.defence: row.cells for row in _read("gp_results.toml", files, ResultsFile).row},
        effects=_read("gp_effects.toml", files, EffectsFile).row,
        modifiers={chart: _of(getattr(modifiers, chart), edition) for chart in modifiers.__struct_fields__},
        numbers={row.id: row for row in _of(_read("advanced_numbers.toml", files, NumbersFile).number, edition)},
        terrains={row.id: row for row in terrain.terrain},
        hexsides={row.id: row for row in terrain.hexside},
        level_changes={row.levels: row.L.value for row in terrain.level_change},
        interiors={row.id: row for row in terrain.interior},
        features={row.id: row for row in _of(terrain.feature, edition)},
        buildings={row.id: row for row in _read("buildings.toml", files, BuildingsFile).building},
        air=_read("air.toml", files, AirFile),
        optional=msgspec.structs.replace(optional, rule=_of(optional.rule, edition)),
    )


def _read(name: str, files: Mapping[str, bytes], shape: type[T]) -> T:
    return convert(read_toml(files[name], name), shape, name)


def _of(rows: Sequence[E], edition: Edition) -> tuple[E, ...]:
    """The rows that an edition has."""
    return tuple(row for row in rows if edition in row.editions)


def _complete(file: str, wanted: Iterable[str], rows: Iterable[str]) -> None:
    """Every row that the rules look up must be there."""
    if missing := sorted(set(wanted) - set(rows)):
        raise DataError(file, [Mistake(name, "this row is missing.") for name in missing])
