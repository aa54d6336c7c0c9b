"""6.8.3.1.2, 7.1.2 A unit comes under attack: the only place that records it, for recovery and for morale.

6.5.4.4.2    damage_by_die: turret or hull
6.8.3.1.2    AP and GP fire, aircraft, overruns and close assaults count as fire; hand-to-hand combat does not
7.1.2        each of them makes a unit of a breaking formation check its morale; mines do neither
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.damage.effects import damage_vehicle
from pbem.titles.panzer.state import Damage, PanzerState, Unit

Means = Literal["fire", "overrun", "close-assault", "hand-to-hand"]
ATTACKED: Final = "attacked"
"""7.1.2 The note listing the units attacked in the current event; absent outside an event."""


def come_under_attack(state: PanzerState, unit: Unit, means: Means = "fire") -> None:
    """6.8.3.1.2, 7.1.2 Record the consequences of any attack, whether or not it has an effect."""
    if means != "hand-to-hand":
        unit.under_fire = True
    if ATTACKED in state.notes:
        state.notes[ATTACKED][unit.id] = state.turn


def open_event(state: PanzerState) -> tuple[str, ...]:
    """7.1.2 Start a new event for attacks. Return the units attacked in the event it interrupts."""
    before = tuple(state.notes.get(ATTACKED, {}))
    state.notes[ATTACKED] = {}
    return before


def close_event(state: PanzerState, before: tuple[str, ...], nested: bool) -> list[Unit]:
    """7.1.2 End the event. Return the units attacked in it."""
    attacked = [state.vehicles[id] for id in state.notes.pop(ATTACKED, {}) if id in state.vehicles]
    if nested:
        state.notes[ATTACKED] = dict.fromkeys(before, state.turn)
    return attacked


def damage_by_die(table: Table[PanzerState], unit: Unit, rule: str) -> Finding:
    """6.5.4.4.2, 6.6.3 Roll a d10: results up to a given number damage the turret, higher ones the hull."""
    limit, roll = table.data.advanced.number("turret_damaged"), table.roll(10, rule, unit.id)
    found = damage_vehicle(table, unit, Damage.TURRET if roll <= limit else Damage.HULL)
    return msgspec.structs.replace(found, inputs={**found.inputs, "turret_upto": limit}, dice=(roll,))
