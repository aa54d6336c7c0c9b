"""2.0, 5.8 Scenarios of the advanced game: formations, grades, labels, attached weapons, passengers, support.

    5.8.2       FormationRow            5.3     BatteryRow          6.1.4.3     FeatureRow
    5.0         AdvancedUnit            5.4     AircraftRow         7.0         Conditions
    2.0         AdvancedScenario

`scenario_reader` reads them from files; `data/SCENARIOS.md` explains to players how to write one.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from pbem.engine.geometry.hexes import Hex
from pbem.titles.panzer.cards.card_rows import Force, Label
from pbem.titles.panzer.cards.chart_rows import Attachment, Grade
from pbem.titles.panzer.setup.scenario_file import Scenario, Unit

COHESION_LEVELS: Final = (
    "Superb",
    "Outstanding",
    "Superior",
    "Excellent",
    "Good",
    "Adequate",
    "Level 3",
    "Level 2",
    "Poor",
)
"""7.1.1 The levels of cohesion, best first; two have no name of their own."""


class FormationRow(msgspec.Struct, frozen=True):
    """5.8.2 A side's formation, for command control and morale. `parent` is the formation above it."""

    id: str
    name: str
    side: str
    nation: Force
    grade: Grade
    parent: str = ""
    cohesion: int = 0
    """7.1.1 Printed cohesion points; 0 means they depend on the number of units."""
    level: str = ""
    """7.1.1 The printed level of cohesion, e.g. Excellent; empty means it is rolled for."""
    cohesion_modifier: int | None = None
    """7.1.1.1 The modifier to that roll for nation and deployment, if it differs from the usual one."""


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
    inside: str = ""
    """6.1.4.3.1 `building`, or `up` for the top floor or the roof."""
    position: str = ""
    """6.1.4.3.6, 6.1.4.3.7 The id of the entrenchment or improved position the unit occupies."""
    suppressed: bool = False
    hidden: bool = False
    """7.2 Whether it starts hidden."""
    camouflaged: bool = False
    """7.24 Whether it starts camouflaged."""
    platoon: str = ""
    """7.3 The platoon, troop or section within the formation."""


class BatteryRow(msgspec.Struct, frozen=True):
    """5.3 A side's off-map battery."""

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
    counter: bool = False
    """7.28 Whether the battery fires only at enemy batteries."""
    self_propelled: bool = False
    vp: int = 0
    """7.28.2 The points the other side gets for knocking the battery out."""


class AircraftRow(msgspec.Struct, frozen=True):
    """5.4 An aircraft of the side with air superiority."""

    id: str
    name: str
    side: str
    card: str
    grade: Grade
    earliest: int = 1
    """6.7.2.1 The first turn in which the aircraft may appear."""


class FeatureRow(msgspec.Struct, frozen=True):
    """6.1.4.3 A terrain counter on the map at the start."""

    id: str
    type: str
    hex: Hex
    side: str = ""
    of: str = ""
    """6.1.4.3.9 The terrain that was destroyed; 7.31 `personnel`, `vehicles` or `both` for mines."""
    hidden: bool = False
    defence: int = 0
    """6.5.4.2.5 The GP defence of a block, bridge or wire; 0 means it cannot be attacked."""
    facing: int = 1
    capacity: int = 1
    """6.1.4.3.6, 6.1.4.3.7 How many units the position holds."""
    area: str = ""
    """R-02 The area in which the owner may place the counter instead."""
    field: str = ""
    """7.31.1 The minefield this hex belongs to."""
    scattered: bool = False
    """7.31.1 Whether the minefield need not be contiguous."""


class Conditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """7.0 The scenario's settings for optional rules."""

    spotting: int = 0
    """7.36.1 The number of rows to shift on the spotting table, e.g. -2."""
    caution: Literal["none", "limited", "extreme"] = "none"
    """7.36.2 How far visibility is limited, for cautious movement."""
    ground: Literal["", "snow", "mud"] = ""
    """7.36.3 The ground conditions."""
    ground_terrain: tuple[str, ...] = ()
    """7.36.3 The terrain, road or path with snow or mud; empty means all terrain, but no road or path."""
    ground_hexes: tuple[str, ...] = ()
    """7.36.3 The part of the map with this weather; empty means all of it."""
    streams: Literal["", "frozen", "flooded", "impassable"] = ""
    """7.32, 7.36.3 Frozen streams bear units up to a weight; flooded ones can be swum; impassable ones are closed."""
    ice: int = 0
    """7.32 How many tons the ice bears; 0 for no limit."""
    bridges: int = 0
    """7.32 How many tons a bridge bears; 0 for no limit."""
    bridge_limits: dict[str, int] = {}
    """7.32 The weight limits of individual bridges in tons, by hex."""
    hull_down: dict[str, int] = {}
    """6.6.9 The scenario's own Hull Dn ranges, by terrain."""
    bog: dict[str, int] = {}
    """7.29 The scenario's own bog ranges, by terrain."""
    own_mines: bool = False
    """7.31.2 Whether mines also attack units of the side that laid them."""
    narrow: tuple[Literal["buildings", "woods", "bridges"], ...] = ()
    """7.30 Where roads and paths are narrow."""
    narrow_hexes: tuple[str, ...] = ()
    """7.30 Individual hexes with narrow roads or paths."""
    sunken_roads: tuple[str, ...] = ()
    """7.30 Hexes with a road or path one level below the hex; it is also narrow."""
    tungsten: Literal["off", "+1", "+2", "banned"] = "off"
    """5.16.2.7 The German shortage of tungsten."""
    counter_battery: dict[str, int] = {}
    """7.28 Counter-battery assets by side."""
    hidden_counters: dict[str, int] = {}
    """7.2.2 The maximum number of hidden unit counters on the map, by side, including dummies."""
    command_span: dict[str, dict[str, int]] = {}
    """7.52 Command spans by side and label, where they differ from the rule, e.g. {soviet = {chq = 8}}."""
    burning_woods: dict[str, str] = {}
    """7.35.4 The building type that each kind of woods counts as when it burns."""
    burning_woods_modifier: int = 0


class Sun(msgspec.Struct, frozen=True):
    """6.1.4.3.13 Sun blinding: the edge where the sun is, and the modifiers."""

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
    """5.8.1 The force grades by side, used only for initiative."""
    rules: tuple[str, ...] = ()
    """AG, 7.0 The advanced and optional rules in use, by their ids (`rules_in_use`, `optional.toml`)."""
    heat_haze: bool = False
    dust: bool = False
    sun: Sun | None = None
    desert_buildings: bool = False
    air_superiority: str = ""
    """6.7 The side with air superiority, which alone has aircraft; empty for neither."""
    conditions: Conditions = Conditions()
    date: str = ""
    """5.16.1 The month of the action, e.g. 1942-06."""


def as_advanced(scenario: Scenario) -> AdvancedScenario:
    """4.0 Convert a basic scenario into an advanced one: no rules of chapters 5 to 7, and all units are vehicles."""
    units = tuple(
        AdvancedUnit(**msgspec.structs.asdict(unit), formation="", grade="seasoned") for unit in scenario.units
    )
    return AdvancedScenario(**{**_fields(scenario), "units": units}, formations={})


def _fields(scenario: Scenario) -> dict[str, Any]:
    return {name: getattr(scenario, name) for name in Scenario.__struct_fields__}
