"""4.2.1 What each viewer may know: everything on the map, and the own command counters.

    4.1      all vehicles, markers, wrecks and the spotting matrix are public
    4.2.1    hides: the type of a face-down counter is its owner's secret (R-08)
    4.4.3.2.2  a counter shown to claim the target-moving modifier has been seen
    R-10     the order of an eliminated vehicle is never shown

A view is itself a `PanzerState`, so that every question about legality can be put to a view.
"""

from __future__ import annotations

from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.state import copy
from pbem.titles.panzer.state import Command, PanzerState, Status, Vehicle


def view_of(state: PanzerState, viewer: str) -> PanzerState:
    """4.2.1 The state as a side, the public or the game master may know it."""
    seen = copy(state)
    if viewer != MASTER:
        for vehicle in seen.vehicles.values():
            hide(vehicle, viewer)
    return seen


def hide(vehicle: Vehicle, viewer: str) -> None:
    """4.2.1, R-08 Turn the counter face down; R-10 a vehicle that left play has none."""
    if vehicle.status in (Status.ELIMINATED, Status.EXITED):
        vehicle.command, vehicle.shown = None, False
    elif vehicle.command is not None and not knows_command(vehicle, viewer):
        vehicle.command = Command.NO_COMMAND


def knows_command(vehicle: Vehicle, viewer: str) -> bool:
    """4.2.1 Its owner knows a counter, and everybody one that was revealed or shown."""
    return viewer in (vehicle.side, MASTER) or vehicle.revealed or vehicle.shown
