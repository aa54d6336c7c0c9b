"""7.8, 3.3.2.2 The limits on a vehicle that has fired, for the rest of the player turn."""

from __future__ import annotations

from pbem.titles.aslsk.fire.components import Component
from pbem.titles.aslsk.state import Vehicle
from pbem.titles.aslsk.tabletop import AslskTable


def note_vehicle_fire(table: AslskTable, one: Component) -> None:
    """7.8, 3.3.2.2 Record a vehicle's fire: its first weapon to fire fixes the phase for all, and in its own MPh
    also the hex.
    """
    vehicle = one.unit
    if not isinstance(vehicle, Vehicle):
        return
    vehicle.fired_in = vehicle.fired_in or table.state.phase
    if table.state.phase == "movement" and vehicle.going is not None:
        vehicle.fired_from = vehicle.fired_from or vehicle.at
        if table.situation.is_main(one.weapon):
            vehicle.going.fired_at = vehicle.going.spent
