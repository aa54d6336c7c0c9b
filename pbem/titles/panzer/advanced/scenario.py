"""2.0, 5.8 Scenarios of the advanced game: formations, grades, labels, attached weapons, passengers, support."""

from __future__ import annotations

import msgspec

from pbem.engine.hexes import Hex
from pbem.titles.panzer.advanced_cards import Force, Label
from pbem.titles.panzer.advanced_charts import Attachment, Grade
from pbem.titles.panzer.scenario import Scenario, Unit


class FormationRow(msgspec.Struct, frozen=True):
    """5.8.2 A formation of a side: for command control and morale. `parent` is the formation above it."""

    id: str
    name: str
    side: str
    nation: Force
    grade: Grade
    parent: str = ""
    cohesion: int = 0
    """7.1.1 Printed cohesion points; 0: by the number of its units."""


class AdvancedUnit(Unit, frozen=True, kw_only=True):
    """5.0 A unit of an advanced scenario."""

    formation: str
    grade: Grade
    labels: tuple[Label, ...] = ()
    weapons: tuple[str, ...] = ()
    aboard: str = ""
    transport: str = ""
    full_cover: bool = False
    hull_down: str = ""
    inside: bool = False
    position: str = ""
    suppressed: bool = False
    hidden: bool = False


class BatteryRow(msgspec.Struct, frozen=True):
    """5.3 A battery of a side."""

    id: str
    name: str
    side: str
    card: str
    formation: str
    attachment: Attachment
    registered_points: int = 0
    """6.5.1.4 How many points its owner may register."""
    planned_turns: int = 0
    """6.5.1.11 How many turns of planned fire its owner may plot."""


class AircraftRow(msgspec.Struct, frozen=True):
    """5.4 An aircraft of the side with air superiority."""

    id: str
    name: str
    side: str
    card: str
    grade: Grade
    earliest: int = 1


class FeatureRow(msgspec.Struct, frozen=True):
    """6.1.4.3 A terrain counter at the start."""

    id: str
    type: str
    hex: Hex
    side: str = ""
    of: str = ""
    hidden: bool = False
    defence: int = 0
    """6.5.4.2.5 The GP defence of a block, bridge or wire; 0: it cannot be attacked."""


class Sun(msgspec.Struct, frozen=True):
    """6.1.4.3.13 Sun blinding: the edge towards which one looks, and what it costs."""

    edge: str
    ap: int
    gp: int


class AdvancedScenario(Scenario, frozen=True, kw_only=True):
    """2.0 A set-up of the advanced game."""

    units: tuple[AdvancedUnit, ...]
    formations: dict[str, FormationRow]
    batteries: tuple[BatteryRow, ...] = ()
    aircraft: tuple[AircraftRow, ...] = ()
    features: tuple[FeatureRow, ...] = ()
    force_grades: dict[str, Grade] = msgspec.field(default_factory=dict)
    """5.8.1 By side, for initiative only."""
    rules: tuple[str, ...] = ()
    """AG, 7.0 The advanced and optional rules in use, by their ids (`advanced_rules`, `optional.toml`)."""
    heat_haze: bool = False
    dust: bool = False
    sun: Sun | None = None
    desert_buildings: bool = False
    date: str = ""
    """5.16.1 The month of the action, as 1942-06."""
