"""Invariants: checks for states that must never occur, whatever the players do and the dice show."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.titles.aslsk.situation import LEADERS_PER_HEX, SQUADS_PER_HEX, Situation
from pbem.titles.aslsk.state import Unit, Vehicle, piece_of, units_at, vehicles_at


def broken_invariants(situation: Situation) -> Iterator[str]:
    """All the ways in which a state breaks the invariants."""
    state = situation.state
    for unit in state.units.values():
        yield from unit_flaws(situation, unit)
    for vehicle in state.vehicles.values():
        yield from vehicle_flaws(situation, vehicle)
    yield from place_flaws(situation)
    yield from weapon_flaws(situation)
    yield from phase_flaws(situation)


def unit_flaws(situation: Situation, unit: Unit) -> Iterator[str]:
    """1.2 Report invalid markers on one unit."""
    if unit.card not in situation.data.deck.units:
        yield f"1.2 {unit.id} has no card {unit.card}"
        return
    if unit.seat not in situation.data.seats:
        yield f"{unit.id} does not belong to a seat"
    if unit.at and unit.at not in situation.ground:
        yield f"1.1 {unit.id} is in {unit.at}, off the map"
    if unit.dm and not unit.broken:
        yield f"3.2.3 {unit.id} is under DM and not broken"
    if unit.broken and (unit.pinned or unit.cx):
        yield f"3.2.3 {unit.id} is broken with Pin or CX"
    if unit.wounded and not situation.is_leader(unit):
        yield f"3.2.3/wounds {unit.id} is wounded and not a leader"
    if unit.going is not None and unit.going.spent > unit.going.allowance + 2:
        yield f"3.3.1 {unit.id} has spent {unit.going.spent} of {unit.going.allowance}"


def vehicle_flaws(situation: Situation, vehicle: Vehicle) -> Iterator[str]:
    """7 Report invalid markers on one vehicle."""
    if vehicle.card not in situation.data.deck.vehicles:
        yield f"7.0 {vehicle.id} has no card {vehicle.card}"
        return
    if vehicle.at and vehicle.at not in situation.ground:
        yield f"1.1 {vehicle.id} is in {vehicle.at}, off the map"
    if not (0 <= vehicle.vca <= 5 and 0 <= vehicle.tca <= 5):
        yield f"3.2.4/covered-arc {vehicle.id} faces no hexspine"
    if vehicle.ce and (vehicle.shock or vehicle.stun):
        yield f"7.10 {vehicle.id} is CE and out of action"
    if vehicle.motion and vehicle.at and (vehicle.shock or vehicle.stun or vehicle.bogged or vehicle.immobilized):
        yield f"3.3.2/motion {vehicle.id} is in Motion and cannot move"
    if vehicle.going is not None and vehicle.going.spent > vehicle.going.allowance + 8:
        yield f"3.3.2 {vehicle.id} has spent {vehicle.going.spent} of {vehicle.going.allowance}"
    same = situation.vehicles_at(vehicle.at, vehicle.seat) if vehicle.at else []
    if len(same) > 1 and situation.state.phase not in ("setup", "movement"):
        yield f"3.3.2/stacking {vehicle.seat} has two vehicles in {vehicle.at}"


def place_flaws(situation: Situation) -> Iterator[str]:
    """3.3.1/stacking, 3.8 Check stacking limits and the hexes that both sides share."""
    state = situation.state
    stacks: dict[str, list[Unit]] = {}
    for unit in state.units.values():
        if unit.at:
            stacks.setdefault(unit.at, []).append(unit)
    for hex, stack in sorted(stacks.items()):
        sides = []
        for seat in situation.data.seats:
            units = [unit for unit in stack if unit.seat == seat]
            sides += [seat] if units else []
            created = sum("x" in unit.id[1:] for unit in units)
            if situation.squad_equivalents(units) > SQUADS_PER_HEX:
                yield f"3.3.1/stacking {seat} has too many units in {hex}"
            if sum(situation.is_leader(unit) for unit in units) > LEADERS_PER_HEX + created:
                yield f"3.3.1/stacking {seat} has too many leaders in {hex}"
        shared = len(sides) > 1 and hex not in state.melee and not any(unit.hidden for unit in stack)
        if shared and any(is_out_of_place(situation, unit) for unit in stack):
            yield f"3.8/melee both sides are in {hex} outside Melee"
    for hex in state.melee:
        standing = {vehicle.seat for vehicle in vehicles_at(state, hex)}
        if len({unit.seat for unit in units_at(state, hex)} | standing) < 2:
            yield f"3.8/melee there is only one side in {hex}"


def is_out_of_place(situation: Situation, unit: Unit) -> bool:
    """3.7, 3.8/melee Whether a unit may not share a hex with enemies outside Melee.

    From the Advance Phase on, any unit may. If a close combat leaves only broken units of both sides, they are
    released: they may rally in the next Rally Phase, and nobody routs into the hex.
    """
    phase = situation.state.phase
    if phase in ("advance", "close_combat"):
        return False
    if phase == "rout":
        return unit.routed
    rallied = unit.acted and not unit.busy
    return not unit.broken and not rallied


def weapon_flaws(situation: Situation) -> Iterator[str]:
    """4.0 Check that each weapon is possessed or lies on the map."""
    charged = {charge.weapon for charge in situation.state.charges}
    for weapon in situation.state.weapons.values():
        if weapon.holder and piece_of(situation.state, weapon.holder) is None:
            yield f"4.0 {weapon.id} is held by {weapon.holder}, who is gone"
        if weapon.holder and weapon.at:
            yield f"4.0 {weapon.id} is held and lies in {weapon.at}"
        if not weapon.holder and not weapon.at and weapon.id not in charged and situation.state.phase != "setup":
            yield f"4.0 {weapon.id} is nowhere"


def phase_flaws(situation: Situation) -> Iterator[str]:
    """3.3.5, 1.2.5 Check that Residual FP and a mover exist only in the Movement Phase."""
    state = situation.state
    if state.phase != "movement" and (state.residual or state.mover is not None):
        yield f"3.3.5 Residual FP or a mover in the {state.phase} phase"
    if state.turn > situation.data.scenario.turns:
        yield f"3.9 turn {state.turn} is after the end"
