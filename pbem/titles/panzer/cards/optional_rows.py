"""6.7, 7.0 The charts of the air phases and of the optional rules in file form."""

from typing import Literal

import msgspec

from pbem.titles.panzer.cards.basic_rows import (
    IntCell,
    Row,
)
from pbem.titles.panzer.cards.chart_rows import Altitude, EditionRow, Location, Observer, Speed


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
    """6.7.3.2-6.7.3.4 The hexes hit by an attack from the air."""

    attack: str
    altitudes: tuple[Altitude, ...]
    speeds: tuple[Speed, ...]
    ahead: IntCell
    beside: IntCell


class BombScatterRow(Row, frozen=True):
    """7.26 The highest roll at which bombs scatter after this result of fire at the aircraft."""

    result: str
    upto: IntCell


class AirFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of air.toml."""

    spotting: tuple[FlightRow, ...]
    masking: tuple[MaskingRow, ...]
    pattern: tuple[Pattern, ...]
    bomb_scatter: tuple[BombScatterRow, ...]


class OptionalRule(EditionRow, frozen=True, kw_only=True):
    """7.0 An optional rule and its dependencies."""

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
    """7.1.1.1 A level of cohesion; `rate` is in hundredths per combat unit."""

    level: int
    name: str
    lowest: IntCell
    rate: IntCell


class CohesionLimit(Row, frozen=True):
    """7.1.1.1 How far a determined level may differ from the printed one."""

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
    """7.22.2 The smoke limit of a nation's infantry."""

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
    """7.28.2 The effect on a located battery of a roll up to `upto`."""

    upto: int
    result: Literal["suppressed", "damaged", "ko"]
    source: str


class CommandSpan(Row, frozen=True):
    """7.52 The span of a level of headquarters."""

    level: Observer
    hexes: IntCell


class OptionalFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of optional.toml."""

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
