"""11 C The markers of a vehicle in words."""

from __future__ import annotations

from pbem.titles.aslsk.state import Vehicle


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
