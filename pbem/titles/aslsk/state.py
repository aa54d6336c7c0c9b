"""3.0, 11 The state of a match: units, weapons, markers and the sealed orders of a player turn.

    1.2     Unit, Weapon: counters in play with the markers on them
    3.3     Going: a unit's Movement Phase so far; Mover: the stack that is moving now
    7.0     Vehicle, Driving, Wreck
    1.2.5   Smoke
    ----    AslskState

A view is itself an `AslskState`, so that legality can also be checked on a view.
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
    """3.3.1 One unit's Movement Phase so far. Amounts are in half MF."""

    allowance: int
    basic: int
    printed: int = 0  # 5.4 the printed MF when it started: inexperience is judged only then
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
    trail: list[tuple[str, int]] = []  # the hexes of this MPh with the half MF spent in each


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
    busy: bool = False  # 3.1 it has recovered or repaired in this RPh
    routed: bool = False
    rout_spent: int = 0  # 6.4 half MF spent in a rout that met a hidden Gun
    rout_from: str = ""  # 6.4 the hex in which that rout began
    rout_seen: list[str] = []  # 6.4 the hexes of the enemies seen in it
    advanced: bool = False
    in_cc: bool = False
    below: str | None = None  # 3.8/sequence-infantry the unit below a leader in close combat; "" if alone
    used: list[str] = []  # 4.0 weapons fired in this player turn
    gave_up: bool = False  # 4.0 its inherent FP is given up for two weapons
    directed: list[str] = []  # 3.2.2 components that this leader has directed in this player turn
    hidden: bool = False  # 6.4 set up in secret with its Gun
    hazard: bool = False  # 6.5 Hazardous Movement: it has pushed a Gun in this player turn
    going: Going | None = None


class Weapon(msgspec.Struct, omit_defaults=True, kw_only=True):
    """1.2.4 A support weapon: possessed by a unit, or unpossessed in a hex."""

    id: str
    card: str
    holder: str = ""
    at: str = OFF_BOARD
    malfunctioned: bool = False
    fired: Marker = ""
    carried: bool = False  # 4.0 it has been moved in this Movement Phase
    frozen: bool = False  # 3.1 recovered in this phase, so it cannot be transferred
    acquired: str = ""  # 6.10 the hex of its acquisition marker
    acquisition: int = 0
    quarry: list[str] = []  # 6.10 the units that carry the marker along
    zone: bool = False  # 6.11 a marker of area fire, which stays on its hex
    facing: int = -1  # 3.2.4/covered-arc the hexspine that a Gun faces; -1 for support weapons
    emplaced: bool = False  # 6.3
    turned: bool = False  # 3.2.4/rof-reduction it has changed its CA in this phase
    area: bool = False  # 3.2.4/att it has fired in this phase
    swept: bool = False  # 3.2.4/att it has fired at an area in this player turn
    laid_down: bool = False  # 4.0/drop-recover recovered after a move in this MPh: it stays here
    depleted: list[str] = []  # 6.2

    def lose_target(self) -> None:
        """6.10 Remove the weapon's acquired target."""
        self.acquired, self.acquisition, self.quarry, self.zone = "", 0, [], False


class Driving(msgspec.Struct, omit_defaults=True):
    """3.3.2 One vehicle's Movement Phase so far. Amounts are in half MP."""

    allowance: int
    spent: int = 0
    here: int = 0  # spent in its present hex
    entered: int = -1  # the total spent when it had entered that hex
    hexes: int = 0
    stopped: bool = True  # 3.3.2/motion False: Non-Stopped
    started: bool = False  # it has been Non-Stopped in this MPh
    trail: list[tuple[str, int]] = []  # the hexes of this MPh with the half MP spent in each; "" is off the board
    road_rate: bool = False
    came_from: str = ""
    climbed: bool = False
    changed: bool = False  # 7.7 CE or BU in this phase
    fired_at: int = -1  # 3.3.2.2 the half MP spent when the main armament fired last
    turret_at: int = -1  # 3.3.2/mp-costs the half MP spent when the turret turned last
    must_leave: bool = False  # 3.3.2/enemy-afv-hex
    stuck: bool = False  # 7.6/unbog the attempt failed: no movement MP in this MPh
    over: bool = False


class Vehicle(msgspec.Struct, omit_defaults=True, kw_only=True):
    """7.0 An AFV with its markers. The weapons that it holds are of type `Weapon`."""

    id: str
    seat: str
    card: str
    group: str = ""
    at: str = OFF_BOARD
    vca: int = 0
    tca: int = 0
    ce: bool = False
    motion: bool = False
    bogged: Literal["", "bogged", "mired"] = ""
    immobilized: bool = False
    shock: Literal["", "shock", "uk"] = ""
    stun: Literal["", "stun", "STUN"] = ""
    shaken: bool = False  # 7.10/stun the +1 marker
    recalled: bool = False
    low_ammo: bool = False
    moving: bool = False  # def/moving-target in this player turn
    moved: bool = False
    new_hex: bool = False  # 3.5/vehicles it has entered a new hex in this player turn
    buttoned: bool = False  # 3.2.3/pin BU for the rest of the player turn
    no_ce: bool = False  # 7.10/stun a one-man turret stays BU
    fired: Marker = ""
    fired_in: str = ""  # 7.8 the phase in which its weapons fire in this player turn
    fired_from: str = ""  # 3.3.2.2 the hex from which they fire
    used: list[str] = []
    turret_turned: int = 0  # 7.8 hexspines that its turret was turned to fire in this phase
    hull_turned: int = 0
    directed: list[str] = []
    gave_up: bool = False
    device_tried: bool = False  # 7.5
    motion_tried: bool = False  # 3.3.2.1
    acted: bool = False
    going: Driving | None = None

    @property
    def broken(self) -> bool:
        """Always False, because a vehicle's crew never breaks."""
        return False

    @property
    def pinned(self) -> bool:
        """3.2.3/pin Always False, because vehicles are never pinned."""
        return False

    @property
    def cx(self) -> bool:
        return False

    @property
    def hidden(self) -> bool:
        return False

    @property
    def hazard(self) -> bool:
        return False

    @property
    def stopped(self) -> bool:
        """3.3.2/motion Whether the vehicle is neither in Motion nor Non-Stopped."""
        return self.going.stopped if self.going is not None else not self.motion

    @property
    def immobile(self) -> bool:
        """def/immobilized Whether the vehicle cannot enter another hex, change its VCA or start."""
        return self.immobilized or bool(self.bogged) or bool(self.shock) or bool(self.stun)


class Wreck(msgspec.Struct, frozen=True, omit_defaults=True):
    """7.4 A destroyed vehicle; `moved` means that it gives no cover yet because it moved in this player turn."""

    id: str
    card: str
    seat: str
    at: str
    moved: bool = False


Piece: TypeAlias = Unit | Vehicle
"""A unit or vehicle: anything that fires and can be fired at."""


class Smoke(msgspec.Struct, frozen=True, omit_defaults=True):
    """1.2.5 A Smoke counter: its kind, and the side that placed it."""

    kind: Literal["grenade", "full", "dispersed", "wp", "wp_dispersed"]
    seat: str


class Mover(msgspec.Struct, omit_defaults=True):
    """3.3.1 The moving stack: the units still moving, those that started, and their order line."""

    units: list[str]
    stack: list[str]
    line: int
    at: str
    leg: int = 0
    branch: int = 0  # the branch that it follows now, from 1
    expenditures: int = 0
    leader: str = ""
    drives: bool = False  # a vehicle


class Charge(msgspec.Struct, frozen=True, omit_defaults=True):
    """4.3 A demolition charge set in a hex."""

    weapon: str
    at: str
    placed_from: str
    cx: bool = False
    limit: int = 12
    vehicle: str = ""  # 4.3/vs-afv set against this AFV
    vca: int = 0  # which faced these hexspines at that moment
    tca: int = 0


class AslskState(State, kw_only=True):
    """The complete state of a match between two steps."""

    phase: Phase = "setup"
    attacker: str = ""
    units: dict[str, Unit] = msgspec.field(default_factory=dict)
    weapons: dict[str, Weapon] = msgspec.field(default_factory=dict)
    vehicles: dict[str, Vehicle] = msgspec.field(default_factory=dict)
    wrecks: list[Wreck] = msgspec.field(default_factory=list)
    seen_at_start: dict[str, list[str]] = msgspec.field(default_factory=dict)
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
    wave: int = 0  # by-mail how many waves of movers have been announced in this MPh
    wave_ends: int = 0  # the line of the movement orders at which the next wave begins


def units_at(state: AslskState, hex: str, seat: str = "") -> list[Unit]:
    """The units in a hex, of one seat if one is given, in their fixed order."""
    return [unit for unit in state.units.values() if unit.at == hex and seat in ("", unit.seat)]


def of_seat(state: AslskState, seat: str) -> list[Unit]:
    return [unit for unit in state.units.values() if unit.seat == seat]


def enemies_at(state: AslskState, hex: str, seat: str) -> list[Unit]:
    """The enemies of a seat in a hex, except hidden ones (6.4)."""
    return [unit for unit in state.units.values() if unit.at == hex and unit.seat != seat and not unit.hidden]


def hidden_at(state: AslskState, hex: str, seat: str) -> list[Unit]:
    """6.4 The hidden enemies of a seat in a hex."""
    return [unit for unit in state.units.values() if unit.hidden and unit.at == hex and unit.seat != seat]


def open_units_at(state: AslskState, hex: str) -> list[Unit]:
    """6.4 Every unit in a hex except hidden ones."""
    return [unit for unit in state.units.values() if unit.at == hex and not unit.hidden]


def weapons_of(state: AslskState, unit: str) -> list[Weapon]:
    return [weapon for weapon in state.weapons.values() if weapon.holder == unit]


def vehicles_at(state: AslskState, hex: str, seat: str = "") -> list[Vehicle]:
    """The vehicles in a hex, of one seat if one is given, not counting wrecks."""
    return [one for one in state.vehicles.values() if one.at == hex and seat in ("", one.seat)]


def enemy_vehicles(state: AslskState, hex: str, seat: str) -> list[Vehicle]:
    return [one for one in state.vehicles.values() if one.at == hex and one.seat != seat]


def pieces(state: AslskState) -> list[Piece]:
    """All units and vehicles."""
    return [*state.units.values(), *state.vehicles.values()]


def piece_of(state: AslskState, id: str) -> Piece | None:
    """A unit or vehicle by its id."""
    return state.units.get(id) or state.vehicles.get(id)


def in_melee(state: AslskState, unit: Piece) -> bool:
    """3.8/melee Whether a unit is held in Melee; vehicles never are."""
    return isinstance(unit, Unit) and bool(unit.at) and unit.at in state.melee


def good_order(state: AslskState, unit: Piece) -> bool:
    """2 def/good-order Whether a unit is neither broken nor in Melee, or a vehicle's crew is neither Shocked nor
    Stunned.
    """
    if isinstance(unit, Vehicle):
        return not unit.shock and not unit.stun
    return not unit.broken and not in_melee(state, unit)


def by_id(units: Iterable[Unit]) -> list[str]:
    return [unit.id for unit in units]


def orders_of(state: AslskState, seat: str) -> Orders:
    """The orders that a seat has sealed for this player turn, if the viewer may see them."""
    return state.sealed.get(seat, NO_ORDERS)
