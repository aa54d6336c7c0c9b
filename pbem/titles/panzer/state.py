"""The state of a Panzer match: vehicles, wrecks, the spotting matrix, objectives.

Engine state per unit follows 3.4; what is hidden from whom is said in `view`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from pbem.engine.geometry.hexes import Hex
from pbem.engine.rules.state import State


class Command(StrEnum):
    """4.2 The five commands, in the book's order."""

    FIRE = "fire"
    MOVE = "move"
    SHORT_HALT = "short-halt"
    OVERWATCH = "overwatch"
    NO_COMMAND = "no-command"


class Spot(StrEnum):
    """4.1.3 Spot markers."""

    NONE = ""
    FIRE = "fire"
    MOVE = "move"


class Status(StrEnum):
    """Where a vehicle is in its life. Only vehicles on the map act and are acted upon."""

    RESERVE = "reserve"
    ON_MAP = "on-map"
    EXITED = "exited"
    ELIMINATED = "eliminated"


class Vehicle(msgspec.Struct, kw_only=True):
    """3.4 One vehicle. `command` is hidden from the enemy until `revealed`, or `shown` to claim 4.4.3.2.2.

    `spot` is the marker of earlier turns, `pending` the one placed in this turn (4.4.1, A-04).
    """

    id: str
    side: str
    card: str
    name: str = ""
    hex: Hex | None = None
    facing: int = 1
    status: Status = Status.ON_MAP
    entry_turn: int = 0
    damaged: bool = False
    command: Command | None = None
    revealed: bool = False
    shown: bool = False
    fired: bool = False
    moved: bool = False
    spot: Spot = Spot.NONE
    pending: Spot = Spot.NONE
    exit_edge: str = ""

    @property
    def alive(self) -> bool:
        return self.status is Status.ON_MAP

    @property
    def lost(self) -> bool:
        """R-04 It counts as eliminated."""
        return self.status is Status.ELIMINATED

    @property
    def marker(self) -> Spot:
        """The marker that counts for overwatch and any spotting later in the turn (A-04 b)."""
        return self.pending if self.pending is not Spot.NONE else self.spot

    @property
    def face_down(self) -> bool:
        """4.2.1 It has a counter whose type the enemy does not know."""
        return self.command is not None and not self.revealed


class Wreck(msgspec.Struct):
    """4.1.4.1.8 At most one a hex. A brewed-up one smokes, but not in the step that made it (A-24)."""

    brewed_up: bool
    fresh: bool = True


class Objective(msgspec.Struct):
    """3.6, R-03 Who controls it, and which side stood there when the turn began."""

    controller: str = ""
    held_at_start: str = ""


class PanzerState(State, kw_only=True):
    """`spotted` is the matrix of the Spotting Phase: for each vehicle the enemies that it spotted (4.1)."""

    vehicles: dict[str, Vehicle]
    wrecks: dict[str, Wreck] = msgspec.field(default_factory=dict)
    spotted: dict[str, list[str]] = msgspec.field(default_factory=dict)
    objectives: dict[str, Objective] = msgspec.field(default_factory=dict)
    sides: tuple[str, ...] = ()
    first: str = ""
    phase: str = ""

    def of(self, side: str) -> Iterator[Vehicle]:
        """The side's vehicles on the map, in the order of their ids."""
        return (vehicle for vehicle in self.vehicles.values() if vehicle.side == side and vehicle.alive)

    def at(self, hex: Hex) -> list[Vehicle]:
        return [vehicle for vehicle in self.vehicles.values() if vehicle.alive and vehicle.hex == hex]

    def enemy(self, side: str) -> str:
        return next(other for other in self.sides if other != side)

    @property
    def second(self) -> str:
        return self.enemy(self.first)
