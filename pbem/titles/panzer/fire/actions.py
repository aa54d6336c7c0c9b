"""4.4.1, 6.5.1, 6.6.7.2 The functions that record that a unit uses its fire or its command; nothing else does.

4.4.1    spend_fire: the unit has fired this turn; passengers also use their carrier's command (4.6.1)
6.1.3    mark_fire: Spot/Fire, or Spot/Fire SA; for passengers on their carrier
6.5.1    spend_command: observing, no response and anti-aircraft fire end a unit's turn
"""

from __future__ import annotations

from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.sighting.spotting import marker_of
from pbem.titles.panzer.state import PanzerState, Spot, Unit


def spend_fire(state: PanzerState, unit: Unit) -> None:
    """4.4.1 Record that the unit has fired this turn, under its own counter or its carrier's (6.6.7.2)."""
    unit.fired = True
    if unit.aboard:
        spend_command(state, state.vehicles[unit.aboard])


def spend_command(state: PanzerState, unit: Unit) -> None:
    """6.5.1, 6.5.1.7 Use up the unit's command for this turn."""
    unit.used_up = state.turn


def seen_firing(state: PanzerState, unit: Unit) -> Unit:
    """6.6.7.2 The unit that gets the marker for fire; for a passenger this is its carrier."""
    return state.vehicles[unit.aboard] if unit.aboard else unit


def mark_fire(state: PanzerState, unit: Unit, *, small_arms: bool) -> Finding:
    """4.4.1, 6.1.3 The firer gets Spot/Fire, or Spot/Fire SA if it has fired only small arms."""
    marked = seen_firing(state, unit)
    replaced = marked.marker.value
    only = small_arms and not (marked.pending is Spot.FIRE and not marked.pending_small_arms)
    marked.pending, marked.pending_small_arms = Spot.FIRE, only
    inputs = {"unit": marked.id, "replaces": replaced}
    return Finding("6.1.3", inputs=inputs, result="fire-sa" if marker_of(marked, "current")[1] else "fire")


def mark_move(unit: Unit) -> None:
    """6.1.3 Place Spot/Move, unless the unit or its passengers already have this turn's Spot/Fire."""
    if unit.pending is not Spot.FIRE:
        unit.pending, unit.pending_small_arms = Spot.MOVE, False
