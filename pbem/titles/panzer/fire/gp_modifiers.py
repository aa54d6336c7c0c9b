"""6.5.4.3 GP fire modifiers: the modifiers to a GP roll, and their conditions.

    6.5.4          GpAttack: one fire, with all the firer's data for the chart; Case: one roll for it
    6.2.1.1.3      counter_of, is_moving, is_known_to_move; 6.6.4.3 is_crawling
    6.5.4.3        CONDITIONS, modifiers_that_apply, gp_modifiers; modifiers_finding for every chart of modifiers
    7.1.5          is_hesitating, is_broken

A declaration of GP fire describes it in a `GpAttack`; everything else is read from the state. Fire is resolved in
`gp_fire`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

import msgspec

from pbem.engine.geometry.hexes import Hex, distance
from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.cards.basic_rows import Cover, RangeFactor
from pbem.titles.panzer.cards.chart_rows import AdvancedModifier, TargetType
from pbem.titles.panzer.command.dischargers import count_in_own_smoke
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.turrets import OPEN
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.rulings import ruling_finding
from pbem.titles.panzer.sighting.terrain import (
    cover_of,
    hindrances,
    is_entrenched,
    overhead_cover,
    protecting_sides,
    sun_blinds,
)
from pbem.titles.panzer.situation import Situated, Situation
from pbem.titles.panzer.state import MOVING, AircraftState, Battery, Command, Marker, PanzerState, Unit

GpKind = Literal["df", "ow", "if", "barrage", "air", "overrun", "crash"]
"""Direct, overwatch or indirect fire; a barrage that attacks a unit moving into it; aircraft; overrun; a crash."""

CHART_KINDS: Final[dict[GpKind, str]] = {
    "df": "direct",
    "ow": "direct",
    "if": "indirect",
    "barrage": "indirect",
    "air": "air",
    "overrun": "overrun",
    "crash": "crash",
}
"""6.5.4.3 The kinds of attack in the chart of modifiers."""
OPTICS: Final = "optics-damaged"
"""7.23.1 The flag of a vehicle with damaged optics."""
DIRECT: Final[tuple[GpKind, ...]] = ("df", "ow")
FROM_ABOVE: Final[tuple[GpKind, ...]] = ("if", "barrage", "air", "crash")
"""6.5.4.3 Only overhead cover protects against these."""


@dataclass(frozen=True, kw_only=True)
class GpAttack:
    """6.5.4 One GP attack by one firer: on a unit (`target`), or all units in a pattern (`hexes` around `point`).

    `column` is the GP range factor and `effectiveness` the highest number of the printed range, 0 for small arms.
    `more` are rows of other charts to add, each with the number of times it applies (6.7.3.5).
    """

    kind: GpKind
    factor: int
    column: RangeFactor = "P"
    small_arms: bool = False
    effectiveness: int = 0
    rule: str = "6.5.4"
    firer: str = ""
    """A unit, battery or aircraft; empty for a crash."""
    start: Hex | None = None
    """The origin of the fire; the firer's hex by default."""
    target: str = ""
    point: Hex | None = None
    hexes: tuple[Hex, ...] = ()
    passengers_only: bool = False
    """5.1.3.4 Only the passengers are attacked: AP fire attacks the vehicle itself."""

    limited: bool = False
    """5.16 Whether the ammo limit has taken effect."""
    dual: Literal["", "same", "other"] = ""
    """5.14 The dual-fire modifier for this weapon: for the same or another target."""
    adjust: bool = False
    """4.4.2 Overwatch fire of a vehicle outside its front (or rear) field of fire."""
    planned: bool = False
    """6.5.1.11 Planned indirect fire."""
    voluntary: bool = False
    """6.6.6 The target moves within a barrage of its own accord."""
    open_sheaf: bool = False
    """6.5.4.3 A battery fires an open sheaf."""
    graded: bool = True
    """6.7.3.5 Whether the firer's grade applies; it does not for bombs."""
    pinning: bool = False
    """7.18 Fire that only pins."""
    hollow_charge: bool = False
    """7.15 A hand-held hollow charge against infantry in the open."""
    sure: bool = False
    """6.7.4.2.1 Effective against every vehicle, regardless of GP defence."""
    asked: bool = False
    """6.5.4.3 The owner has already been asked whether to show that the target is moving."""
    more: tuple[tuple[AdvancedModifier, int], ...] = ()


@dataclass(frozen=True)
class Case(Situated):
    """6.5.4.4 One roll: an attack, and the unit or terrain (`unit` is None) that it is rolled against."""

    situation: Situation
    attack: GpAttack
    hex: Hex
    unit: Unit | None = None

    @cached_property
    def firer(self) -> Unit | None:
        """The firing unit, if it is a ground unit."""
        return self.state.vehicles.get(self.attack.firer)

    @property
    def battery(self) -> Battery | None:
        """7.28.2 The firing battery, if the firer is a battery."""
        return self.state.batteries.get(self.attack.firer)

    @cached_property
    def aircraft(self) -> AircraftState | None:
        """The attacking aircraft, if the firer is an aircraft."""
        return self.state.aircraft.get(self.attack.firer)

    @cached_property
    def start(self) -> Hex | None:
        """The origin of the fire, if it is on the map."""
        return self.attack.start or (self.firer.hex if self.firer else None)

    @cached_property
    def range(self) -> int:
        return distance(self.start, self.hex) if self.start else 0

    @property
    def vehicle(self) -> Unit | None:
        """The target, if it is a vehicle."""
        return self.unit if self.unit is not None and self.unit.kind == "vehicle" else None

    @property
    def on_foot(self) -> Unit | None:
        """The target, if it is a dismounted leg unit or an unlimbered gun."""
        return self.unit if self.unit is not None and self.unit.kind != "vehicle" and not self.unit.aboard else None

    @cached_property
    def type(self) -> TargetType:
        """6.5.2.3, 6.5.4.2.2 The target's type; everything other than a vehicle is soft."""
        if self.vehicle is None:
            return "S"
        printed = self.data.vehicle(self.vehicle).type
        return "open" if printed == "A" and OPEN in self.vehicle.flags else printed  # 7.8.3

    @cached_property
    def cover(self) -> Cover:
        """6.5.4.3 A vehicle's cover; against fire from above only overhead cover counts."""
        if self.vehicle is None:
            return Cover.NONE
        if self.attack.kind in FROM_ABOVE:
            return overhead_cover(self.situation, self.vehicle)
        return cover_of(self.situation, self.vehicle, "gp")

    @cached_property
    def on_the_line(self) -> list[str]:
        """5.11 The hindrances on the line of fire; for an overrun, only those in the target's hex (6.6.10.1)."""
        start = self.hex if self.attack.kind == "overrun" else self.start
        if start is None:
            return []
        return [hindrance.kind for hindrance in hindrances(self.situation, start, self.hex)]

    @cached_property
    def shelter(self) -> str:
        """6.1.4.3.2 The wall or defilade between the firer and a leg or towed target; only one applies."""
        if self.on_foot is None or self.start is None:
            return ""
        return max((kind for _, kind in protecting_sides(self.data, self.hex, self.start)), default="")


# --- 4.2, 6.2.1.1.3 the counter that commands a unit -----------------------------------------------------------


def counter_of(state: PanzerState, unit: Unit) -> Unit:
    """6.2.1.1.3, 6.6.7 The unit whose counter commands this one: its carrier, or the counter's owner."""
    holder = state.vehicles[unit.aboard] if unit.aboard else unit
    return state.vehicles[holder.shares] if holder.shares else holder


def is_moving(state: PanzerState, unit: Unit) -> bool:
    """6.5.4.2.2 Whether the unit has a Move or Short Halt command and is not crawling (6.6.4.3)."""
    return counter_of(state, unit).command in MOVING and not is_crawling(state, unit)


def is_crawling(state: PanzerState, unit: Unit) -> bool:
    """6.6.4.3 Whether a leg unit in full cover has a Move: it then counts as crawling all turn (A36)."""
    lies_low = unit.kind == "leg" and unit.full_cover and not unit.aboard
    return unit.crawling or (lies_low and counter_of(state, unit).command is Command.MOVE)


def is_known_to_move(state: PanzerState, unit: Unit) -> bool:
    """6.5.4.3 Whether the unit's Move or Short Halt is face up or has been shown."""
    counter = counter_of(state, unit)
    seen = unit.revealed or unit.shown or counter.revealed or counter.shown
    return seen and counter.command in MOVING


# --- 6.5.4.3 modifiers -----------------------------------------------------------------------------------------

Holds = Callable[[Case], int]
CONDITIONS: dict[str, tuple[str, Holds]] = {}
"""For each `when` of the chart, its paragraph and its condition."""


def condition(paragraph: str) -> Callable[[Holds], Holds]:
    """Register the condition of the chart row whose `when` is the function's name."""

    def register(holds: Holds) -> Holds:
        CONDITIONS[holds.__name__] = (paragraph, holds)
        return holds

    return register


@condition("6.5.4.3/target-vehicle-moving")
def target_vehicle_moving(case: Case) -> int:
    """The row does not apply to planned fire, or to a vehicle that moves within a barrage (L2821)."""
    if case.vehicle is None or case.attack.planned or case.attack.voluntary:
        return False
    switch, kind = case.data.charts.switch, case.attack.kind
    if kind == "if" and switch("moving_in_point_hex_only") and case.hex != case.attack.point:  # house/2016-A38
        return False
    twice = kind == "air" and switch("aircraft_as_indirect")  # house/A15
    return is_known_to_move(case.state, case.vehicle) * (2 if twice else 1)


@condition("6.5.4.3/p-or-a-type")
def target_protected(case: Case) -> int:
    return case.type == "P"


@condition("6.5.4.3/p-or-a-type")
def target_armoured(case: Case) -> int:
    return case.type == "A"


@condition("6.5.4.3/vehicle-cover")
def target_vehicle_medium_cover(case: Case) -> int:
    return case.cover is Cover.MEDIUM


@condition("6.5.4.3/vehicle-cover")
def target_vehicle_heavy_cover(case: Case) -> int:
    return case.cover is Cover.HEAVY


@condition("6.5.4.3/target-cavalry")
def target_cavalry(case: Case) -> int:
    unit = case.on_foot
    return unit is not None and unit.kind == "leg" and case.data.leg(unit).mount == "cavalry"


@condition("6.5.4.3/leg-crawling")
def target_crawling(case: Case) -> int:
    return case.on_foot is not None and is_crawling(case.state, case.on_foot)


@condition("6.5.4.3/defilade-wall")
def target_behind_wall(case: Case) -> int:
    return case.shelter == "wall"


@condition("6.5.4.3/defilade-wall")
def target_behind_defilade(case: Case) -> int:
    return case.shelter == "defilade"


@condition("6.5.4.3/railroad-track")
def target_on_railroad(case: Case) -> int:
    return case.on_foot is not None and "railroad" in case.data.board.terrain(case.hex)


@condition("6.5.4.3/short-halt")
def short_halt(case: Case) -> int:
    """6.6.7.2 The row does not apply to passengers."""
    firer = case.firer
    return firer is not None and not firer.aboard and counter_of(case.state, firer).command is Command.SHORT_HALT


@condition("6.5.4.3/shooter-damaged")
def firer_damaged(case: Case) -> int:
    hit = (case.aircraft and case.aircraft.damaged) or (case.battery and case.battery.damaged)
    return bool((case.firer and case.firer.turret_damaged) or hit)


@condition("6.5.4.3/shooter-hesitating")
def firer_hesitating(case: Case) -> int:
    return case.firer is not None and is_hesitating(case.firer)


@condition("6.5.4.3/shooter-suppressed")
def firer_suppressed(case: Case) -> int:
    others = (case.aircraft, case.battery)  # 7.28.2
    shaken = any(other is not None and other.suppression is not Marker.NONE for other in others)
    return shaken or (case.firer is not None and case.firer.suppressed)


@condition("6.5.4.3/shooter-broken")
def firer_broken(case: Case) -> int:
    return case.firer is not None and is_broken(case.firer)


@condition("6.5.4.3/on-fire")
def on_fire(case: Case) -> int:
    return case.on_the_line.count("on_fire")


@condition("6.5.4.3/brew-up-smoke")
def brew_up_smoke(case: Case) -> int:
    return case.on_the_line.count("brew_up_smoke")


@condition("6.5.4.3/smoke")
def smoke_open(case: Case) -> int:
    return case.on_the_line.count("smoke_open")


@condition("6.5.4.3/smoke")
def smoke_closed(case: Case) -> int:
    return case.on_the_line.count("smoke_closed")


@condition("6.5.4.3/barrage")
def barrage_open(case: Case) -> int:
    return case.on_the_line.count("barrage_open")


@condition("6.5.4.3/barrage")
def barrage_closed(case: Case) -> int:
    return case.on_the_line.count("barrage_closed")


@condition("6.5.4.3/dust")
def dust(case: Case) -> int:
    return case.on_the_line.count("dust")


@condition("6.5.4.3/if-open-sheaf")
def open_sheaf(case: Case) -> int:
    """The row never applies to fire by units on the map."""
    return case.attack.open_sheaf and case.firer is None


@condition("6.5.4.3/overwatch")
def overwatch(case: Case) -> int:
    return case.attack.kind == "ow" and not overwatch_adjust(case)


@condition("6.5.4.3/overwatch-adjust")
def overwatch_adjust(case: Case) -> int:
    """The row applies instead of the `overwatch` row, and only to vehicles (L2903)."""
    return case.attack.kind == "ow" and case.attack.adjust and case.firer is not None and case.firer.kind == "vehicle"


@condition("6.5.4.3/ammo-limit")
def ammo_limit(case: Case) -> int:
    return case.attack.limited


@condition("6.5.4.3/heat-haze")
def heat_haze(case: Case) -> int:
    """The row depends on the target's size; passengers have their vehicle's size."""
    return case.data.scenario.heat_haze and case.range >= case.data.advanced.number(f"heat_haze_{_size(case)}")


def _size(case: Case) -> str:
    """6.1.3 V, L or S. Terrain counts as a vehicle."""
    if case.on_foot is None:
        return "V"
    return "S" if case.on_foot.kind == "leg" else case.data.towed(case.on_foot).size.value


@condition("6.5.4.3/sun-blinding")
def sun_blinding(case: Case) -> int:
    sun = case.data.scenario.sun
    return sun.gp if sun and case.start and sun_blinds(case.data, case.start, case.hex) else 0


@condition("6.5.4.3/transported-fire")
def transported_fire(case: Case) -> int:
    return case.firer is not None and bool(case.firer.aboard)


@condition("6.5.4.3/overrun")
def overrun(case: Case) -> int:
    return case.attack.kind == "overrun"


@condition("6.5.4.3/dual-fire")
def dual_fire_same_target(case: Case) -> int:
    return case.attack.dual == "same"


@condition("6.5.4.3/dual-fire")
def dual_fire_other_target(case: Case) -> int:
    return case.attack.dual == "other"


@condition("6.5.4.3/pinning-fire")
def pinning_fire(case: Case) -> int:
    return case.attack.pinning and case.attack.small_arms


@condition("6.5.4.3/hasty-entrenchment")
def target_entrenched(case: Case) -> int:
    return case.on_foot is not None and is_entrenched(case.situation, case.on_foot)


@condition("6.5.4.3/ce-ammo")
def hollow_charge(case: Case) -> int:
    return case.attack.hollow_charge


@condition("6.5.4.3/coax-mg")
def coaxial_machine_gun(case: Case) -> int:
    """The row applies at point-blank range, against everything except armour (house/A18)."""
    firer = case.firer
    if firer is None or firer.kind != "vehicle" or case.unit is None or "coax-damaged" in firer.flags:
        return False
    near = case.attack.column == "P" or (case.vehicle is not None and case.data.charts.switch("coax_at_any_range"))
    return near and case.type in ("P", "S") and case.data.vehicle(firer).has("coax")


@condition("6.5.4.3/unit-grade")
def unit_grade(case: Case) -> int:
    firer = case.firer or case.aircraft
    if firer is None or not case.attack.graded:
        return 0
    return case.data.advanced.grades[firer.grade].gp.at(case.attack.column)


@condition("7.9")
def dischargers(case: Case) -> int:
    return count_in_own_smoke(case.state, case.firer, case.unit)


@condition("7.23.1")
def optics_damaged(case: Case) -> int:
    return case.firer is not None and OPTICS in case.firer.flags


def is_hesitating(unit: Unit) -> bool:
    """7.1.5.1 Whether the unit has a hesitation counter, either side up."""
    return "hesitating-on" in unit.flags or "hesitating-off" in unit.flags


def is_broken(unit: Unit) -> bool:
    """7.1.5.2 Whether the unit has a break counter, either side up."""
    return "broken-on" in unit.flags or "broken-off" in unit.flags


def modifiers_that_apply(case: Case) -> list[tuple[AdvancedModifier, int]]:
    """6.5.4.3 The chart's rows that apply, in order, with the number of times each applies."""
    rows = case.data.advanced.modifiers_for("gp", CHART_KINDS[case.attack.kind])
    counted = [(row, int(CONDITIONS[row.when][1](case))) for row in rows]
    return [*((row, times) for row, times in counted if times), *case.attack.more]


def gp_modifiers(case: Case) -> Finding:
    """6.5.4.3 Every row that applies; all are cumulative, and the result is their sum."""
    found = modifiers_finding("6.5.4.3", case.data, modifiers_that_apply(case), CONDITIONS)
    rulings = tuple(ruling_finding(case.data, reading) for reading in disputed_readings(case))
    return msgspec.structs.replace(found, children=(*found.children, *rulings))


def disputed_readings(case: Case) -> Iterator[str]:
    """house/… The disputed readings of the chart that would make a difference to this roll."""
    moving = case.vehicle is not None and is_known_to_move(case.state, case.vehicle)
    if moving and case.attack.kind == "air":
        yield "aircraft_as_indirect"
    if moving and case.attack.kind == "if" and case.hex != case.attack.point and not case.attack.planned:
        yield "moving_in_point_hex_only"
    firer = case.firer
    gun = firer is not None and firer.kind == "vehicle" and case.data.vehicle(firer).has("coax")
    if gun and case.vehicle is not None and case.type in ("P", "S") and case.attack.column != "P":
        yield "coax_at_any_range"


def modifiers_finding(
    rule: str,
    data: PanzerData,
    applying: Iterable[tuple[AdvancedModifier, int]],
    conditions: Mapping[str, tuple[str, Any]],
) -> Finding:
    """5.12 The sum of the rows, each under its paragraph; rows of other charts under their own rule."""
    shown = [(row, times, msgspec.to_builtins(row) | {"times": times}) for row, times in applying]
    children = tuple(
        Finding(
            ledger_row(data.edition, conditions[row.when][0]) if row.rule == rule else row.rule,
            modifiers=(as_shown,),
            result=row.value * times,
        )
        for row, times, as_shown in shown
    )
    net = sum(row.value * times for row, times, _ in shown)
    return Finding(rule, modifiers=tuple(as_shown for _, _, as_shown in shown), result=net, children=children)
