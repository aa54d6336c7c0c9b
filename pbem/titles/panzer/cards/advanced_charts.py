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

Read from the files in `ADVANCED_FILES` in the same way as `charts`, which has the charts of the basic game. Rows keep
the form they have in the file, so that a value can be shown with its source; the rules use the methods.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, Literal, Protocol, TypeVar

import msgspec

from pbem.titles.data_files import DataError
from pbem.titles.panzer.cards.basic_rows import (
    Cover,
    Edition,
    RangeFactor,
)
from pbem.titles.panzer.cards.chart_rows import (
    GRADES,
    AdvancedDamage,
    AdvancedDamageFile,
    AdvancedHexside,
    AdvancedModifier,
    AdvancedModifierFile,
    AdvancedTerrain,
    AdvancedTerrainFile,
    Altitude,
    Angle,
    Attachment,
    BailOutFile,
    BailOutRow,
    Building,
    BuildingsFile,
    CallsRow,
    CommandsFile,
    EffectsFile,
    EffectsRow,
    Feature,
    GpEffect,
    GpResult,
    Grade,
    GradeRow,
    GradesFile,
    HitsFile,
    HitsRow,
    IndirectFile,
    Interior,
    LimitsCell,
    Location,
    LocationFile,
    Number,
    NumbersFile,
    Observer,
    Part,
    Place,
    RateOfFire,
    ResponseRow,
    ResultsFile,
    ScatterRow,
    SheafRow,
    Shot,
    Speed,
    TargetType,
    WeaponKind,
)
from pbem.titles.panzer.cards.charts import best_cover, clamp
from pbem.titles.panzer.cards.files import Mistake, convert, packaged, read_toml
from pbem.titles.panzer.cards.optional_rows import AirFile, Cohesion, OptionalFile

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
"""6.1.4.3 The counters with a movement cost of their own, and the rule that gives it."""

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


# --- the charts used by the rules ----------------------------------------------------------------------------------


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
        """A single number from a rule."""
        return self.numbers[number_id].value

    def number_of_hits(self, hit_number: int, rate: RateOfFire, roll: int) -> int:
        """6.5.2.1 The number of hits for one d100 roll; where ranges meet, the larger number applies."""
        if roll > hit_number:
            return 0
        if rate == "N":
            return 1
        row = self.hits[clamp(hit_number, self.hits)]
        ranges = {"Q": (row.Q2.value, 0), "R": (row.R2.value, row.R3.value), "F": (row.F2.value, row.F3.value)}
        two, three = ranges[rate]
        return 3 if roll <= three else 2 if roll <= two else 1

    def place(self, angle: Angle, tens: int, shot: Shot = Shot.LEVEL) -> Place:
        """6.5.2.2 The location for the tens digit (1 to 10); 6.5.2.2.2 a falling shot with a 1 hits the deck."""
        if shot is Shot.FALLING and tens == 1:
            return Place(Location.DK, marked=False)
        return self.places[angle][tens - 1]

    def available_commands(self, grade: Grade, active: int) -> int:
        """6.2.1.1.1 The commands that are available.

        Each full ten active units use the last column, and the remainder uses its own; there is at least one command.
        """
        tens, units = divmod(active, 10)
        row = self.commands[grade]
        commands = tens * row[9] + (row[units - 1] if units else 0)
        return max(self.number("commands_at_least"), commands)

    def response_factor(self, observer: Observer, attachment: Attachment) -> int:
        """6.5.1.12 The lowest modified d10 roll with which a called unit responds."""
        row = self.responses[observer]
        cells = {"attached": row.attached, "organic": row.organic, "unattached": row.unattached}
        return cells[attachment].value

    def fire_sources(self, observer: Observer, nation: str) -> int:
        """6.5.1.1 How many sources of fire an observer of a nation may call at once."""
        return next(row.calls.value for row in self.calls if row.observer == observer and row.nation in ("", nation))

    def gp_limits(self, factor: int, defence: int) -> LimitsCell:
        """6.5.4.4 The cell for a GP factor (15 if above 15) and a GP defence (1 to 10)."""
        return self.limits[clamp(defence, self.limits)][min(factor, self.number("factor_at_most")) - 1]

    def gp_result(self, factor: int, defence: int, total: int) -> GpResult:
        """6.5.4.4 The result of a final total."""
        cell = self.gp_limits(factor, defence)
        return "none" if total <= cell.no_effect else "suppressed" if total <= cell.suppressed else "effective"

    def gp_effect(self, weapon: WeaponKind, result: GpResult, target: TargetType, factor: RangeFactor) -> GpEffect:
        """6.5.4.4.2 The effect of a result on a vehicle."""
        if result == "none":
            return "none"
        return next(row for row in self.effects if (row.weapon, row.result) == (weapon, result)).at(target, factor)

    def gp_cover(self, terrain_ids: Iterable[str]) -> Cover:
        """6.5.4.2.2 The cover for GP defence that is best for the target; ids as returned by `Charts.rows`."""
        return best_cover(self.terrains[terrain_id].gp.value for terrain_id in terrain_ids)

    def modifiers_for(self, chart: str, kind: str) -> tuple[AdvancedModifier, ...]:
        """A chart's rows for one kind of attack or one party, in rule order."""
        return tuple(row for row in self.modifiers[chart] if not row.kinds or kind in row.kinds)

    def flight_hexes(self, what: Literal["acquire", "track"], altitude: Altitude, speed: Speed) -> int:
        """6.7.3.1.1, 6.7.4.1.1 Hexes to fly before a target is acquired or an aircraft is tracked."""
        row = next(row for row in self.air.spotting if row.altitude == altitude)
        cells = {
            ("acquire", "slow"): row.acquire_slow,
            ("acquire", "fast"): row.acquire_fast,
            ("track", "slow"): row.track_slow,
            ("track", "fast"): row.track_fast,
        }
        return cells[what, speed].value

    def masked_hexes(self, altitude: Altitude, height: int) -> int:
        """6.7.3.1.3 Hexes behind an obstacle of this height that an aircraft cannot see."""
        base = next(row.height.value for row in self.air.masking if row.altitude == altitude)
        return max(0, height - base + 1)

    def cohesion_level(self, total: int) -> Cohesion:
        """7.1.1.1 The best cohesion level that a total reaches."""
        return next(row for row in self.optional.cohesion if total >= row.lowest.value)

    def cohesion_points(self, level: Cohesion, units: int) -> int:
        """7.1.1.1 The rate per unit, truncated for full tens and rounded half up for the rest; at least one point."""
        tens, rest = divmod(units, 10)
        column = (level.rate.value * rest + 50) // 100
        return max(1, tens * level.rate.value // 10 + column)

    def variation(self, penetration: int, rolls: Sequence[int]) -> int:
        """7.12 The change to a penetration factor from two d10 rolls."""
        rows = {row.penetration: row for row in self.optional.penetration}
        row = rows[clamp(penetration, rows)]
        steps = (row.one.value, row.two.value, row.three.value, row.four.value, 0)
        total = sum(-steps[roll - 1] if roll <= 5 else steps[10 - roll] for roll in rolls)
        return max(-row.most.value, min(row.most.value, total))

    def fire_range(self, building: str, factor: int) -> int:
        """7.35.1 The highest d100 roll that sets a building alight."""
        return self.buildings[building].fire[min(factor, self.number("factor_at_most")) - 1].value


# --- reading -------------------------------------------------------------------------------------------------------

T = TypeVar("T")


class HasEditions(Protocol):
    """A row that only some editions have."""

    @property
    def editions(self) -> tuple[Edition, ...]: ...


E = TypeVar("E", bound=HasEditions)


@cache
def advanced_charts(edition: Edition) -> AdvancedCharts:
    """An edition's packaged advanced charts."""
    return read_advanced_charts({name: packaged(name) for name in ADVANCED_FILES}, edition)


def read_advanced_charts(files: Mapping[str, bytes], edition: Edition) -> AdvancedCharts:
    """Read an edition's advanced charts from the bytes of all `ADVANCED_FILES`; DataError lists the mistakes."""
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
        hexsides={row.id: row for row in _of(terrain.hexside, edition)},
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
    """The rows of one edition."""
    return tuple(row for row in rows if edition in row.editions)


def _complete(file: str, wanted: Iterable[str], rows: Iterable[str]) -> None:
    """Check that every row the rules look up is present."""
    if missing := sorted(set(wanted) - set(rows)):
        raise DataError(file, [Mistake(name, "this row is missing.") for name in missing])
