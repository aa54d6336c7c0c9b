"""5.0 The part of an advanced match that each viewer may see.

    4.2.1       the viewer's own command counters; sharing of counters is public (6.2.1.1.3)
    6.5.1.4     registered points: their owner's secret
    6.5.1.11    planned fire: secret until it arrives, then revealed turn by turn
    6.7.1       the load of an aircraft: secret until it is used
    6.1.4.3.8   features known only to their owner, such as mines
    7.2         the enemy cannot see hidden units at all
    R-10        the order of an eliminated unit is never visible

A view is itself a `PanzerState`, so that legality can be checked against a view. The public sees what both sides see.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.state import copy
from pbem.titles.panzer.sighting.camouflage import CAMOUFLAGED, DECLARED, finders_of, note_finders
from pbem.titles.panzer.state import (
    AircraftState,
    Battery,
    Command,
    Feature,
    Flight,
    PanzerState,
    PlannedFire,
    Status,
    Unit,
)


def view_of(state: PanzerState, viewer: str) -> PanzerState:
    """5.0 The state as seen by a side, the public or the game master."""
    seen = copy(state)
    if viewer == MASTER:
        return seen
    for unit in seen.vehicles.values():
        hide(unit, viewer)  # 4.2.1
        hide_camouflage(unit, viewer)  # 7.24
    for battery in seen.batteries.values():
        hide_battery(battery, viewer)
    for aircraft in seen.aircraft.values():
        hide_load(aircraft, viewer)
    seen.planned = {
        id: visible_plan(plan, state.turn, viewer) for id, plan in seen.planned.items() if knows(plan, viewer)
    }
    seen.features = {
        id: feature for id, feature in seen.features.items() if knows_feature(feature, viewer, state.sides)
    }
    remove_hidden(seen, viewer)
    hide_counters(seen, viewer)
    return seen


def hide_camouflage(unit: Unit, viewer: str) -> None:
    """7.24 Hide that a unit is camouflaged, and which enemies have found it, until its owner has declared it."""
    if viewer != unit.side and CAMOUFLAGED in unit.flags and DECLARED not in unit.flags:
        unit.flags = tuple(flag for flag in unit.flags if flag != CAMOUFLAGED)
        note_finders(unit, ())


def hide_battery(battery: Battery, viewer: str) -> None:
    """6.5.1.4, 6.5.1.11.1 Hide a battery's registered points, and until which turn planned fire commits it."""
    if viewer != battery.side:
        battery.registered, battery.available_from = (), 1


def hide_load(aircraft: AircraftState, viewer: str) -> None:
    """6.7.1 Hide an aircraft's load until it is used."""
    if viewer != aircraft.side and not aircraft.load_seen:
        aircraft.load = ""


def knows(plan: PlannedFire, viewer: str) -> bool:
    """6.5.1.11.2 Whether the viewer knows of planned fire; the enemy learns of it when it arrives."""
    return viewer == plan.side or plan.arrived > 0


def visible_plan(plan: PlannedFire, turn: int, viewer: str) -> PlannedFire:
    """6.5.1.11.1 The enemy sees where planned fire has landed, but not where it will, nor when it was planned for."""
    if viewer == plan.side:
        return plan
    fallen = plan.legs[: turn - plan.arrived + 1]
    return msgspec.structs.replace(plan, legs=fallen, turn=plan.arrived)


def knows_feature(feature: Feature, viewer: str, sides: tuple[str, ...]) -> bool:
    """6.1.4.3.8 Whether a viewer knows a feature: a side, if it found or laid it; the public, if both sides know it.

    Features made in play are public.
    """
    if not feature.known:
        return True
    return viewer in feature.known or (viewer not in sides and set(sides) <= set(feature.known))


def is_hidden(unit: Unit, viewer: str) -> bool:
    """7.2 Whether this viewer cannot see the unit at all."""
    return unit.hidden and viewer != unit.side


def remove_hidden(seen: PanzerState, viewer: str) -> None:
    """7.2 Remove every trace of the enemy's hidden units: on the map, in the matrix, in positions or as observers."""
    gone = {id for id, unit in seen.vehicles.items() if is_hidden(unit, viewer)}
    if gone:
        remove_units(seen, gone)
    for unit in seen.vehicles.values():
        if unit.position not in seen.features:
            unit.position = ""


def remove_units(seen: PanzerState, gone: Collection[str]) -> None:
    """7.2 Remove every trace of these units."""
    seen.vehicles = {id: unit for id, unit in seen.vehicles.items() if id not in gone}
    if seen.acting:
        seen.acting = tuple(id for id in seen.acting if id not in gone) or ("hidden",)
    seen.spotted = {
        spotter: [target for target in targets if target not in gone]
        for spotter, targets in seen.spotted.items()
        if spotter not in gone
    }
    for unit in seen.vehicles.values():
        note_finders(unit, (finder for finder in finders_of(unit) if finder not in gone))
        if unit.shares in gone:
            unit.shares = ""
    for feature in seen.features.values():
        if feature.holder in gone:
            feature.holder = ""
    for mission in seen.missions.values():
        if mission.observer in gone:
            mission.observer = ""
        mission.firers = tuple(firer for firer in mission.firers if firer not in gone)
        mission.landed = tuple(
            msgspec.structs.replace(landed, firer="") if landed.firer in gone else landed for landed in mission.landed
        )
    for aircraft in seen.aircraft.values():
        if aircraft.flight is not None:
            forget_trackers(aircraft.flight, gone)


def forget_trackers(flight: Flight, gone: Collection[str]) -> None:
    """6.7.4.1.1, 7.2 Hide that a hidden gun is tracking an aircraft."""
    flight.tracked = {id: hexes for id, hexes in flight.tracked.items() if id not in gone}
    suppressed = flight.trackers_suppressed_at
    flight.trackers_suppressed_at = {id: hexes for id, hexes in suppressed.items() if id not in gone}


def hide_counters(seen: PanzerState, viewer: str) -> None:
    """7.2.2 Show a hidden counter, but not the units under it, nor how many commands their formations have."""
    for counter in seen.hidden_counters.values():
        if viewer != counter.side:
            counter.units = ()
    sides = {counter.side for counter in seen.hidden_counters.values() if counter.side != viewer}
    if sides:
        own = {unit.formation for unit in seen.vehicles.values() if unit.side not in sides}
        seen.available = {name: number for name, number in seen.available.items() if name in own}


def hide(vehicle: Unit, viewer: str) -> None:
    """4.2.1, R-08 Turn the counter face down; R-10 remove it from a vehicle that has left play."""
    if vehicle.status in (Status.ELIMINATED, Status.EXITED):
        vehicle.command, vehicle.shown = None, False
    elif vehicle.command is not None and not knows_command(vehicle, viewer):
        vehicle.command = Command.NO_COMMAND


def knows_command(vehicle: Unit, viewer: str) -> bool:
    """4.2.1 Whether the viewer knows a command: its owner always, others once it is revealed or shown."""
    return viewer in (vehicle.side, MASTER) or vehicle.revealed or vehicle.shown
