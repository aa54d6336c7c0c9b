"""3.0, 11 The state of a match: units, weapons, markers and the sealed orders of a player turn.

    1.2     Unit, Weapon: counters in play with the markers on them
    3.3     Going: what a unit has done in the Movement Phase so far; Mover: the stack that moves now
    1.2.5   Smoke
    ----    AslskState

A view is itself an `AslskState`, so that every question about legality can be put to a view.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from pbem.engine.rules.state import State
from pbem.titles.aslsk.orders import NO_ORDERS, Orders

Marker: TypeAlias = Literal["", "prep", "first", "final", "intensive"]
"""11 B The fire marker on a unit or weapon."""
Phase: TypeAlias = Literal[
    "setup", "rally", "prep", "movement", "defensive", "advancing", "rout", "advance", "close_combat"
]
OFF_BOARD = ""


class Going(msgspec.Struct, omit_defaults=True):
    """3.3.1 One unit's Movement Phase so far. Amounts are half MF."""

    allowance: int
    basic: int
    spent: int = 0
    here: int = 0  # spent in its present hex
    hexes: int = 0
    assault: bool = False
    double: bool = False
    by_road: bool = True  # every hexside crossed so far was a road hexside
    road_rate: bool = False  # 1.1.1.5 entered its present hex at road rate
    came_from: str = ""
    climbed: bool = False  # 1.1.1.10 entered its present hex uphill
    smoke_tried: bool = False
    done: bool = False


class Unit(msgspec.Struct, omit_defaults=True, kw_only=True):
    """1.2 A squad, half-squad, crew or leader with its markers."""

    id: str
    seat: str
    card: str
    group: str = ""
    at: str = OFF_BOARD
    broken: bool = False
    dm: bool = False
    pinned: bool = False
    was_pinned: bool = False
    cx: bool = False
    no_double: bool = False
    wounded: bool = False
    fired: Marker = ""
    moved: bool = False
    acted: bool = False
    routed: bool = False
    advanced: bool = False
    in_cc: bool = False
    used: list[str] = []  # 4.0 weapons fired in this player turn
    gave_up: bool = False  # 4.0 its inherent FP is given up for two weapons
    directed: list[str] = []  # 3.2.2 components that this leader has directed in this player turn
    hazard: bool = False  # 6.5 Hazardous Movement: it has pushed a Gun in this player turn
    going: Going | None = None


class Weapon(msgspec.Struct, omit_defaults=True, kw_only=True):
    """1.2.4 A support weapon: possessed by a unit, or lying in a hex."""

    id: str
    card: str
    holder: str = ""
    at: str = OFF_BOARD
    malfunctioned: bool = False
    fired: Marker = ""
    carried: bool = False  # 4.0 it has been moved in this Movement Phase
    frozen: bool = False  # 3.1 recovered in this phase: not transferred in it
    acquired: str = ""
    acquisition: int = 0
    facing: int = -1  # 3.2.4/covered-arc the hexspine that a Gun faces; -1 for support weapons
    emplaced: bool = False  # 6.3
    turned: bool = False  # 3.2.4/rof-reduction it has changed its CA in this phase
    area: bool = False  # 3.2.4/att it has fired in this phase, or with the area target type
    depleted: list[str] = []  # 6.2


class Smoke(msgspec.Struct, frozen=True, omit_defaults=True):
    """1.2.5 One smoke counter."""

    kind: Literal["grenade", "full", "dispersed", "wp", "wp_dispersed"]
    seat: str


class Mover(msgspec.Struct, omit_defaults=True):
    """3.3.1 The stack that moves now: who still moves, who began with it, and which order line moves it."""

    units: list[str]
    stack: list[str]
    line: int
    at: str
    leg: int = 0
    branch: int = 0  # the branch that it follows now, from 1
    expenditures: int = 0
    leader: str = ""


class Charge(msgspec.Struct, frozen=True, omit_defaults=True):
    """4.3 A demolition charge set in a hex."""

    weapon: str
    at: str
    placed_from: str
    cx: bool = False
    limit: int = 12


class AslskState(State, kw_only=True):
    """All of a match between two steps."""

    phase: Phase = "setup"
    attacker: str = ""
    units: dict[str, Unit] = msgspec.field(default_factory=dict)
    weapons: dict[str, Weapon] = msgspec.field(default_factory=dict)
    lost: list[str] = msgspec.field(default_factory=list)
    exited: list[str] = msgspec.field(default_factory=list)
    control: dict[str, str] = msgspec.field(default_factory=dict)
    melee: list[str] = msgspec.field(default_factory=list)
    smoke: dict[str, list[Smoke]] = msgspec.field(default_factory=dict)
    residual: dict[str, int] = msgspec.field(default_factory=dict)
    residual_against: dict[str, int] = msgspec.field(default_factory=dict)
    shots: dict[str, int] = msgspec.field(default_factory=dict)
    mover: Mover | None = None
    charges: list[Charge] = msgspec.field(default_factory=list)
    sealed: dict[str, Orders] = msgspec.field(default_factory=dict)
    fired_in_phase: list[str] = msgspec.field(default_factory=list)
    pf_left: dict[str, int] = msgspec.field(default_factory=dict)
    created: int = 0


def units_at(state: AslskState, hex: str, seat: str = "") -> list[Unit]:
    """The units in a hex, of one seat if it is named, in their fixed order."""
    return [unit for unit in state.units.values() if unit.at == hex and seat in ("", unit.seat)]


def of_seat(state: AslskState, seat: str) -> list[Unit]:
    return [unit for unit in state.units.values() if unit.seat == seat]


def enemies_at(state: AslskState, hex: str, seat: str) -> list[Unit]:
    return [unit for unit in state.units.values() if unit.at == hex and unit.seat != seat]


def weapons_of(state: AslskState, unit: str) -> list[Weapon]:
    return [weapon for weapon in state.weapons.values() if weapon.holder == unit]


def in_melee(state: AslskState, unit: Unit) -> bool:
    """3.8/melee Whether a unit is held in Melee."""
    return bool(unit.at) and unit.at in state.melee


def good_order(state: AslskState, unit: Unit) -> bool:
    """2 def/good-order A unit that is neither broken nor held in Melee."""
    return not unit.broken and not in_melee(state, unit)


def by_id(units: Iterable[Unit]) -> list[str]:
    return [unit.id for unit in units]


def orders_of(state: AslskState, seat: str) -> Orders:
    """The orders that a seat has sealed for this player turn, as far as the viewer may know them."""
    return state.sealed.get(seat, NO_ORDERS)
