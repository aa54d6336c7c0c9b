"""3.4, 5.0 The state of a match: units of all kinds, wrecks, the spotting matrix, objectives, missions, aircraft.

What each side can see is defined in `view`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, Literal

import msgspec

from pbem.engine.geometry.hexes import Hex
from pbem.engine.rules.state import State
from pbem.titles.panzer.cards.card_rows import Label
from pbem.titles.panzer.cards.chart_rows import Altitude, Attachment, Grade, Speed


class Command(StrEnum):
    """4.2 The five commands, in the book's order."""

    FIRE = "fire"
    MOVE = "move"
    SHORT_HALT = "short-halt"
    OVERWATCH = "overwatch"
    NO_COMMAND = "no-command"


MOVING: Final = (Command.MOVE, Command.SHORT_HALT)
"""4.4.3.2.2 The commands that make a unit a moving target."""
FIRING: Final = (Command.FIRE, Command.SHORT_HALT)
"""4.4.1 The commands with which a unit fires in its side's Direct Fire Step."""


BOUND: Final = "bound"
"""6.6.11 The note in the state that records the target of the units under a counter this turn: `holder target`."""


class Spot(StrEnum):
    """4.1.3 Spot markers."""

    NONE = ""
    FIRE = "fire"
    MOVE = "move"


class Status(StrEnum):
    """A vehicle's status. Only vehicles on the map can act or be affected."""

    RESERVE = "reserve"
    ON_MAP = "on-map"
    EXITED = "exited"
    ELIMINATED = "eliminated"


Kind = Literal["vehicle", "towed", "leg"]
Sheaf = Literal["on_map", "open", "closed", "closed_linear"]
"""6.5.1.5 The fire patterns, by their names in `indirect_fire.toml`."""
FireType = Literal["gp", "smoke", "illumination"]


class Marker(StrEnum):
    """5.10 A two-sided marker: On becomes Off in 6.8.4, and only Off can be removed by a roll."""

    NONE = ""
    ON = "on"
    OFF = "off"


class Damage(StrEnum):
    """6.5.2.2.4 The damaged part. The 2016 book has only `whole`, which has both effects."""

    NONE = ""
    TURRET = "turret"
    HULL = "hull"
    WHOLE = "whole"


class HullDown(StrEnum):
    """6.1.4.1 The hull-down position that a vehicle has found by searching."""

    NONE = ""
    HD = "hd"
    PHD = "phd"


class Inside(StrEnum):
    """6.1.4.3.1 A unit's position in a building hex; leg units are inside without a marker."""

    NO = ""
    BUILDING = "building"
    UP = "up"


class Unit(msgspec.Struct, kw_only=True):
    """3.4, 5.1, 5.2 One ground unit. `kind` says whether `card` is that of a vehicle, a towed gun or a leg unit.

    `command` is hidden from the enemy until `revealed`, or `shown` to claim 4.4.3.2.2. `spot` is the marker of
    earlier turns, `pending` the one placed in this turn (4.4.1, A-04). A passenger has its carrier's id in `aboard`,
    no command of its own, and the carrier's hex (6.6.7). `shares` is the owner of the counter it shares (6.2.1.1.3),
    empty if it has its own.
    """

    id: str
    side: str
    card: str
    name: str = ""
    hex: Hex | None = None
    facing: int = 1
    status: Status = Status.ON_MAP
    entry_turn: int = 0
    command: Command | None = None
    revealed: bool = False
    shown: bool = False
    fired: bool = False
    moved: bool = False
    faced: bool = False
    """6.6.4.1 Whether the last step of the unit's move this turn was a change of facing."""
    spot: Spot = Spot.NONE
    pending: Spot = Spot.NONE
    exit_edge: str = ""
    kind: Kind = "vehicle"
    grade: Grade = "seasoned"
    formation: str = ""
    labels: tuple[Label, ...] = ()
    weapons: tuple[str, ...] = ()
    """5.1.3 Crew-served weapons of a leg unit; the place of one that was lost (7.17) stays, and is empty."""
    transport: str = ""
    """5.16.2.4 The unit's own transport vehicle."""
    dump: Hex | None = None
    """5.16.2.4 The hex in which the unit started deployed."""

    aboard: str = ""
    shares: str = ""
    small_arms: bool = False
    """5.7 Whether the `spot` marker of earlier turns is Spot/Fire SA."""
    pending_small_arms: bool = False
    suppression: Marker = Marker.NONE
    damage: Damage = Damage.NONE
    track_hit: bool = False
    bailed_out: bool = False
    under_fire: bool = False
    """6.8.3.1.2 Whether the unit was attacked this turn."""
    full_cover: bool = False
    crawling: bool = False
    hull_down: HullDown = HullDown.NONE
    turret: int = 0
    """7.8 How many hexsides the turret is turned from the hull, clockwise."""
    inside: Inside = Inside.NO
    position: str = ""
    """6.1.4.3.6, 6.1.4.3.7 The id of the entrenchment or improved position that the unit occupies."""
    open_angle: int = 0
    """6.1.4.3.7 The open hexside of a vehicle's improved position, fixed when it took the position."""
    spent: int = 0
    """6.6 Movement spent this turn."""
    assaulted: bool = False
    """6.6.1 Whether the unit has fought in close combat this turn."""
    attacking: str = ""
    """6.6.1.1, 6.6.11 The unit that this one was declared to attack this turn, in close combat or by an overrun."""
    air_target: str = ""
    """6.7.3.1.2 The unit that this FO spots for aircraft this turn, which uses up its command."""
    used_up: int = 0
    """6.5.1, 6.5.1.7 The turn in which the command was used up without fire: by observing, or by no response."""
    checked_in: int = 0
    """6.5.1.9 The turn in which one of its missions was checked; it cannot fire in another mission that turn."""
    entered_map: bool = False
    loads: dict[str, int] = msgspec.field(default_factory=dict)
    """Counts that few units have: the place on a narrow road (`narrow_roads`), the card of a portee (`transport`)."""
    flags: tuple[str, ...] = ()
    """Flags that optional rules set on a unit, such as `hesitating-on` or `bogged`."""
    found_by: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """7.24 The enemies that have found this camouflaged unit, if any have."""

    @property
    def alive(self) -> bool:
        return self.status is Status.ON_MAP

    @property
    def attached(self) -> tuple[str, ...]:
        """5.1.3 The crew-served weapons that a leg unit still has."""
        return tuple(filter(None, self.weapons))

    @property
    def marker(self) -> Spot:
        """The Spot marker for overwatch and any spotting later in the turn (A-04 b)."""
        return self.pending if self.pending is not Spot.NONE else self.spot

    @property
    def face_down(self) -> bool:
        """4.2.1 Whether the unit has a command counter whose type the enemy does not know."""
        return self.command is not None and not self.revealed

    @property
    def damaged(self) -> bool:
        """4.4.3.2.6 Whether any part of the vehicle is damaged."""
        return self.damage is not Damage.NONE

    @property
    def lost(self) -> bool:
        """R-04 Whether the unit is eliminated, or abandoned by its crew."""
        return self.status is Status.ELIMINATED or self.bailed_out

    @property
    def hidden(self) -> bool:
        """7.2 Whether the enemy cannot see the unit at all."""
        return "hidden" in self.flags

    @property
    def audience(self) -> tuple[str, ...] | None:
        """7.2 The sides that may see what happens to the unit: None for all, or its own side while it is hidden."""
        return (self.side,) if self.hidden else None

    @property
    def dismounted(self) -> bool:
        """6.6.7 Whether the unit is on the ground and not a passenger; always true of vehicles."""
        return not self.aboard

    @property
    def suppressed(self) -> bool:
        """5.10 Whether the unit is suppressed; On and Off have the same effects."""
        return self.suppression is not Marker.NONE

    @property
    def turret_damaged(self) -> bool:
        """6.5.2.2.4 Whether the modifiers for a damaged shooter apply."""
        return self.damage in (Damage.TURRET, Damage.WHOLE)

    @property
    def hull_damaged(self) -> bool:
        """6.5.2.2.4 Whether the vehicle's movement is halved."""
        return self.damage in (Damage.HULL, Damage.WHOLE)


class Wreck(msgspec.Struct):
    """4.1.4.1.8 A wreck, at most one per hex; a brewed-up one smokes, but not in the step that created it (A-24)."""

    brewed_up: bool
    fresh: bool = True


class Objective(msgspec.Struct):
    """3.6, R-03 An objective's controller, and the side that held it at the start of the turn."""

    controller: str = ""
    held_at_start: str = ""


class Feature(msgspec.Struct, kw_only=True):
    """6.1.4.3 A terrain counter in a hex: block, ditch, fire, entrenchment, position, mines, rubble, wire.

    `holder` is the unit in an entrenchment or improved position; `stage` counts the digging (6.6.8), 4 is complete.
    `known` are the sides that know of it; a feature known only to its owner is hidden (6.1.4.3.8).
    """

    id: str
    type: str
    hex: Hex
    side: str = ""
    holder: str = ""
    capacity: int = 1
    stage: int = 0
    turn: int = 0
    facing: int = 1
    of: str = ""
    """6.1.4.3.9 The terrain that became rubble; for mines, their kind."""
    known: tuple[str, ...] = ()
    defence: int = 0
    """6.5.4.2.5 The GP defence that the scenario gives a block, bridge or wire; 0 means it cannot be attacked."""
    fresh: bool = False
    """6.1.4.3.5 Whether this is a fire that began in the current step and has no effect yet."""


class Cloud(msgspec.Struct, kw_only=True):
    """6.1.4.3.10, 6.1.4.3.12 Smoke, barrage or dust. One cloud counts once, however many hexes it covers.

    It takes effect at the end of the step in which it was made (`fresh`). `marker` is its On/Off side.
    """

    id: str
    type: Literal["smoke", "barrage", "dust", "light"]
    hexes: tuple[Hex, ...]
    open: bool = False
    """Whether the cloud comes from an open sheaf."""
    marker: Marker = Marker.ON
    fresh: bool = True
    owner: str = ""
    mission: str = ""


class HiddenCounter(msgspec.Struct, kw_only=True):
    """7.2.1 A Hidden Unit counter. The units under it are in its hex; without units it is a dummy."""

    id: str
    side: str
    hex: Hex
    units: tuple[str, ...] = ()
    """7.2.2 The units under the counter, the owner's secret; passengers are not listed, as they are with carriers."""
    marker: bool = False
    """7.2.2.2 Whether the counter has a Spot/Move marker."""
    fast: bool = False
    """7.2.2.2 Whether the counter has moved as only vehicles can."""


class Battery(msgspec.Struct, kw_only=True):
    """5.3 A side's off-map battery. `attached` are the formations it is attached to, by level."""

    id: str
    name: str
    side: str
    card: str
    formation: str = ""
    attachment: Attachment = "attached"
    registered: tuple[str, ...] = ()
    """6.5.1.4 The hexes on which the battery is registered, which are secret."""
    available_from: int = 1
    """6.5.1.11.1 The turn from which the battery may be used again."""
    fired_in: int = 0
    """The last turn in which the battery was used or failed to respond."""
    landed_in: int = 0
    """7.28.1 The last turn in which the battery's fire landed."""
    same_mission: int = 0
    """7.28.2 For how many turns the battery has fired the same mission."""
    counter: bool = False
    """7.28 Whether the battery fires only at enemy batteries."""
    self_propelled: bool = False
    suppression: Marker = Marker.NONE
    damaged: bool = False
    knocked_out: bool = False


class Landed(msgspec.Struct, kw_only=True):
    """6.5.1.13 One firer's landed fire: the data that 6.6.6 needs to attack units moving into it."""

    firer: str
    point: Hex
    hexes: tuple[Hex, ...]
    factor: int
    column: str
    open: bool = False
    small_arms: bool = False
    effectiveness: int = 0
    limited: bool | msgspec.UnsetType = msgspec.UNSET
    """5.16.2.1 Set if the firer's ammunition ran short this turn, which affects every attack of this fire."""
    attacked: tuple[str, ...] = ()
    """6.6.6 The units that this fire has attacked in their present move."""


class Mission(msgspec.Struct, kw_only=True):
    """6.5.1 An indirect fire mission."""

    id: str
    side: str
    planned: bool = False
    observer: str = ""
    firers: tuple[str, ...] = ()
    """The on-map units and batteries that have responded."""
    point: Hex
    sheaf: Sheaf = "on_map"
    direction: int = 0
    type: FireType = "gp"
    started: int = 0
    reconnaissance: bool = False
    """7.37 Whether this is fire at a hex without a spotted target, which cannot be continued or adjusted."""
    danger_close: bool = False
    """6.5.1.10 Whether the fire was directed onto friendly units; the mission is then checked in the next turn."""
    done_in: int = 0
    """The last turn in which the mission was fired, continued, adjusted or checked."""
    landed: tuple[Landed, ...] = ()


class Leg(msgspec.Struct, frozen=True):
    """6.5.1.11.1 One turn of a planned mission."""

    point: Hex
    type: FireType
    sheaf: Sheaf
    direction: int = 0


class PlannedFire(msgspec.Struct, kw_only=True):
    """6.5.1.11.1 A plotted mission, secret until it arrives."""

    id: str
    side: str
    battery: str
    turn: int
    legs: tuple[Leg, ...]
    arrived: int = 0


class Flight(msgspec.Struct, kw_only=True):
    """6.7.2 An aircraft over the map.

    `target` is the unit being acquired and `count` the hexes flown with it in field and sight. `tracked` are the
    hexes for which each gun has had the aircraft in sight. The last two fields give the count at which the aircraft,
    or a gun, was suppressed: after that it takes longer (6.7.3.1.1, 6.7.4.1.1).
    """

    hex: Hex
    facing: int
    altitude: Altitude
    speed: Speed
    flown: int = 0
    turned: bool = False
    dived: bool = False
    target: str = ""
    count: int = 0
    acquired: bool = False
    tracked: dict[str, int] = msgspec.field(default_factory=dict)
    fired_on: list[tuple[Hex, str]] = msgspec.field(default_factory=list)
    """7.26 The hexes where the aircraft was fired at, with the results."""
    suppressed_at: int = 0
    trackers_suppressed_at: dict[str, int] = msgspec.field(default_factory=dict)


class AircraftState(msgspec.Struct, kw_only=True):
    """5.4, 6.7 An aircraft; it is on the map only during a step."""

    id: str
    name: str
    side: str
    card: str
    grade: Grade = "seasoned"
    load: Literal["", "bombs", "rockets"] = ""
    """6.7.1 The load chosen before play, secret until the aircraft uses it."""
    load_seen: bool = False
    first_turn: int = 0
    """6.7.2.1 The turn in which the aircraft first appeared; 0 if it has not."""
    last_turn: int = 0
    exit_edge: str = ""
    suppression: Marker = Marker.NONE
    damaged: bool = False
    shot_down: bool = False
    spent: dict[str, int] = msgspec.field(default_factory=dict)
    """5.16.2.6 The number of attacks made with each weapon."""
    flight: Flight | None = None
    """6.7.2 The flight under way."""


class PanzerState(State, kw_only=True):
    """4.0, 5.0 The state. `spotted` is the matrix of the Spotting Phase: the enemies each unit spotted (4.1)."""

    vehicles: dict[str, Unit]
    wrecks: dict[str, Wreck] = msgspec.field(default_factory=dict)
    spotted: dict[str, list[str]] = msgspec.field(default_factory=dict)
    objectives: dict[str, Objective] = msgspec.field(default_factory=dict)
    sides: tuple[str, ...] = ()
    first: str = ""
    phase: str = ""
    previous_first: str = ""
    """7.9 The First Player of the last turn."""
    stage: int = 0
    """6.0 The current stage in the sequence of play (`sequence`)."""
    features: dict[str, Feature] = msgspec.field(default_factory=dict)
    clouds: dict[str, Cloud] = msgspec.field(default_factory=dict)
    batteries: dict[str, Battery] = msgspec.field(default_factory=dict)
    missions: dict[str, Mission] = msgspec.field(default_factory=dict)
    planned: dict[str, PlannedFire] = msgspec.field(default_factory=dict)
    aircraft: dict[str, AircraftState] = msgspec.field(default_factory=dict)
    hidden_counters: dict[str, HiddenCounter] = msgspec.field(default_factory=dict)
    """7.2 The hidden unit counters, including dummies."""
    available: dict[str, int] = msgspec.field(default_factory=dict)
    """6.2.1 The unique commands that each formation has this turn."""
    acting: tuple[str, ...] = ()
    """7.42 The units of the formation that fires or moves now; empty if all units may."""
    counters: int = 0
    """The number of missions, clouds and features created so far, so that ids are never reused."""
    notes: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    """Values that optional rules keep per formation or side, such as cohesion points."""

    def of(self, side: str) -> Iterator[Unit]:
        """A side's units on the map, including passengers, ordered by id."""
        on_map = Status.ON_MAP  # called millions of times, so no `alive` here
        return (unit for unit in self.vehicles.values() if unit.side == side and unit.status is on_map)

    def on_the_ground(self, hex: Hex) -> list[Unit]:
        """6.6.7 The units in a hex that are not passengers."""
        return [unit for unit in self.vehicles.values() if unit.hex == hex and not unit.aboard and unit.alive]

    def passengers(self, carrier: Unit) -> list[Unit]:
        """6.6.7 The units aboard a vehicle."""
        return [unit for unit in self.vehicles.values() if unit.aboard == carrier.id and unit.alive]

    def order_of(self, unit: Unit) -> Command | None:
        """6.6.7 The command under which a unit acts; a passenger has its carrier's."""
        return self.vehicles[unit.aboard].command if unit.aboard else unit.command

    def new_id(self, letter: str) -> str:
        """The id of a new mission, cloud or feature; those that the scenario gives to its works are left out."""
        self.counters += 1
        id = f"{letter}{self.counters}"
        return self.new_id(letter) if id in self.features else id

    def at(self, hex: Hex) -> list[Unit]:
        return [vehicle for vehicle in self.vehicles.values() if vehicle.alive and vehicle.hex == hex]

    def enemy(self, side: str) -> str:
        return next(other for other in self.sides if other != side)

    @property
    def second(self) -> str:
        return self.enemy(self.first)


WORD_OF: Final = {
    Command.FIRE: "fire",
    Command.MOVE: "move",
    Command.SHORT_HALT: "short-halt",
    Command.OVERWATCH: "overwatch",
    Command.NO_COMMAND: "hold",
}
"""4.2 The word for each command in the order language."""
