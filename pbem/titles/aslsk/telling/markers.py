"""11 C The markers of units and vehicles: their names in films, and their wording."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final

from pbem.engine.text.messages import Message, say
from pbem.titles.aslsk.state import AslskState, Piece, Unit, Vehicle

UNIT: Final = ("broken", "dm", "pinned", "cx", "wounded")
VEHICLE: Final = ("ce", "motion", "bogged", "immobilized", "shock", "stun", "shaken", "recalled", "low_ammo")
MARKERS: Final = (*UNIT, *VEHICLE)
"""11 C The markers that films show, with their names on the pieces."""

of_unit, of_vehicle = attrgetter(*UNIT), attrgetter(*VEHICLE)
NO_UNIT, NO_VEHICLE = (False,) * len(UNIT), (False,) * len(VEHICLE)


def public_markers(state: AslskState) -> dict[str, tuple[Any, ...]]:
    """11 C The markers that all players can see on each piece on the map, in the order of `MARKERS`."""
    units = {unit.id: of_unit(unit) + NO_VEHICLE for unit in state.units.values() if unit.at and not unit.hidden}
    return units | {one.id: NO_UNIT + of_vehicle(one) for one in state.vehicles.values() if one.at}


def marks_of(piece: Piece) -> Iterator[tuple[tuple[str, str], Any]]:
    """11 C The markers that are on a unit or vehicle, named as in `Change`."""
    for what in UNIT if isinstance(piece, Unit) else VEHICLE:
        if now := getattr(piece, what):
            yield (piece.id, what), now


WORDS: Final = {
    "dm": (say("DM"), say("no longer DM")),
    "cx": (say("CX"), say("no longer CX")),
    "broken": (say("broken"), say("rallied")),
    "ce": (say("crew exposed"), say("buttoned up")),
    "motion": (say("in Motion"), say("stopped")),
    "bogged": (say("bogged"), say("no longer bogged")),
    "shock": (say("shocked"), say("no longer shocked")),
    "stun": (say("stunned"), say("no longer stunned")),
    "shaken": (say("+1 for the stun"), say("no longer +1 for the stun")),
    "recalled": (say("recalled"), say("no longer recalled")),
    "low_ammo": (say("low on ammunition"), say("no longer low on ammunition")),
}
"""11 C The words for markers received and lost."""


def change_in_words(what: str, now: Any) -> Message | None:
    """11 C The words for a marker that a piece has received or lost; None if the marker has no words."""
    if (what, now) == ("bogged", "mired"):
        return say("mired")
    if (what, now) == ("shock", "uk"):
        return say("Unconfirmed Kill")
    if what == "name":
        return say("replaced by a {name}", name=now)
    return WORDS[what][not now] if what in WORDS else None


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
