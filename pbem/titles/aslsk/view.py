"""11 F What each player may see: everything except hidden enemy Guns (6.4) and the other player's sealed orders."""

from __future__ import annotations

import msgspec

from pbem.engine.rules.findings import MASTER
from pbem.titles.aslsk.state import AslskState


def view_of(state: AslskState, viewer: str) -> AslskState:
    """11 F The state as a viewer may see it; views are read-only, so they share all public parts."""
    if viewer == MASTER:
        return state
    sealed = {seat: orders for seat, orders in state.sealed.items() if seat == viewer}
    hidden = {unit.id for unit in state.units.values() if unit.hidden and unit.seat != viewer}
    if not hidden:
        return msgspec.structs.replace(state, sealed=sealed)
    units = {id: unit for id, unit in state.units.items() if id not in hidden}
    weapons = {id: weapon for id, weapon in state.weapons.items() if weapon.holder not in hidden}
    return msgspec.structs.replace(state, sealed=sealed, units=units, weapons=weapons)
