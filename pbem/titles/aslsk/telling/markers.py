"""11 C The markers of a vehicle in words, and all markers that films show."""

from __future__ import annotations

from typing import Any, Final

from pbem.titles.aslsk.state import AslskState, Vehicle

OF_UNITS: Final = ("broken", "dm", "pinned", "wounded", "cx")
OF_VEHICLES: Final = ("ce", "motion", "immobilized", "stun", "recalled", "low_ammo")


def vehicle_markers(vehicle: Vehicle) -> tuple[str, ...]:
    """11 C The markers of a vehicle."""
    rows = (
        ("CE", vehicle.ce),
        ("Motion", vehicle.motion),
        ("Bogged" if vehicle.bogged == "bogged" else "Mired", bool(vehicle.bogged)),
        ("Immobilized", vehicle.immobilized),
        ("Shock" if vehicle.shock == "shock" else "UK", bool(vehicle.shock)),
        (vehicle.stun.capitalize() if vehicle.stun == "stun" else "STUN", bool(vehicle.stun)),
        ("+1", vehicle.shaken),
        ("Recall", vehicle.recalled),
        ("Low Ammo", vehicle.low_ammo),
        ("Moving", vehicle.moving and not vehicle.motion),
    )
    return tuple(word for word, on in rows if on)


def shown_markers(view: AslskState) -> dict[tuple[str, str], Any]:
    """11 C The markers whose changes are shown, by unit or vehicle and marker."""
    found: dict[tuple[str, str], Any] = {}
    for unit in view.units.values():
        found |= {(unit.id, what): True for what in OF_UNITS if getattr(unit, what)}
    for vehicle in view.vehicles.values():
        found |= {(vehicle.id, what): now for what in OF_VEHICLES if (now := getattr(vehicle, what))}
        found |= {(vehicle.id, "bogged"): True} if vehicle.bogged else {}
        found |= {(vehicle.id, "shock"): True if vehicle.shock == "shock" else vehicle.shock} if vehicle.shock else {}
    return found
