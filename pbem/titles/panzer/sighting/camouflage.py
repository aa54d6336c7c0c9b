"""7.24 Camouflage: units on the map that must be found before they are spotted.

    7.24         find_camouflaged: a roll for each enemy that would spot the unit; hand_over, found_on_overwatch,
                 has_found; finders_of, note_finders: the enemies that have found it
    7.24/lost    lose_camouflage: by moving, by dismounting, or by firing in view of the enemy

A unit's camouflage is its owner's secret until an enemy searches for it (`view`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from pbem.engine.geometry.hexes import distance
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.command.radios import can_hand_over
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.state import PanzerState, Unit

CAMOUFLAGED: Final = "camouflaged"
"""The flag of a camouflaged unit."""
DECLARED: Final = "camouflage-declared"
"""The flag of a camouflaged unit that its owner has had to declare because an enemy in the open searched for it."""
CERTAIN: Final = 10
"""7.24 The spotting range in hexes from which a unit is found without a roll."""


def is_camouflaged(data: PanzerData, unit: Unit) -> bool:
    """7.24 Whether a unit is still camouflaged."""
    return CAMOUFLAGED in unit.flags and data.plays("camouflage")


def finders_of(target: Unit) -> tuple[str, ...]:
    """7.24 The enemies that have found a camouflaged unit, ordered by id."""
    return target.found_by or ()


def note_finders(target: Unit, finders: Iterable[str]) -> None:
    """7.24 Note which enemies have found a camouflaged unit."""
    target.found_by = tuple(sorted(set(finders))) or msgspec.UNSET


def has_found(data: PanzerData, spotter: Unit, target: Unit) -> bool:
    """7.24 Whether an enemy within normal spotting range has found the unit: adjacent, or by an earlier roll."""
    if not is_camouflaged(data, target):
        return True
    return distance(place_of(spotter), place_of(target)) <= 1 or spotter.id in finders_of(target)


def find_camouflaged(
    table: Table[PanzerState], spotters: dict[str, list[str]], ranges: dict[tuple[str, str], int]
) -> dict[str, list[str]]:
    """7.24 The enemies that find each camouflaged unit; any that have lost sight of it must find it again.

    `ranges` is how far each of them spots it.
    """
    state, data = table.state, table.data
    found: dict[str, list[str]] = {}
    for id, by in spotters.items():
        target = state.vehicles[id]
        if not is_camouflaged(data, target):
            found[id] = by
            continue
        note_finders(target, (finder for finder in finders_of(target) if finder in by))
        units = [state.vehicles[spotter] for spotter in by]
        finders = [unit for unit in units if finds(table, unit, target, ranges[unit.id, id])]
        found[id] = hand_over(table, finders, units, target)
    return found


def hand_over(table: Table[PanzerState], finders: Sequence[Unit], units: Sequence[Unit], target: Unit) -> list[str]:
    """7.24 Finders point the unit out to friends at the same or shorter range.

    Hidden units do so only to each other.
    """
    there = place_of(target)
    shown = [
        unit
        for unit in units
        if unit not in finders
        and any(
            finder.hidden is unit.hidden
            and distance(place_of(unit), there) <= distance(place_of(finder), there)
            and can_hand_over(table.data, finder, unit)  # 7.4.1
            for finder in finders
        )
    ]
    for unit in shown:
        note_finders(target, (*finders_of(target), unit.id))
        inputs = {"spotter": unit.id, "target": target.id}
        table.find("7.24", to=unit.audience, inputs=inputs, result="shown")
    return [unit.id for unit in units if unit in finders or unit in shown]


def found_on_overwatch(
    table: Table[PanzerState], firers: Sequence[Unit], target: Unit, reach: Callable[[Unit], int]
) -> list[Unit]:
    """7.24 The units firing on overwatch that find a camouflaged target, each by a roll."""
    if not is_camouflaged(table.data, target):
        return list(firers)
    return [firer for firer in firers if finds(table, firer, target, reach(firer))]


def finds(table: Table[PanzerState], spotter: Unit, target: Unit, reach: int) -> bool:
    """7.24 Whether a spotter finds a unit: on a d10 roll up to its spotting range, unless it has found it before."""
    if has_found(table.data, spotter, target):
        return True
    inputs = {"spotter": spotter.id, "target": target.id, "range": reach}
    dice = () if reach >= CERTAIN else (table.roll(10, "7.24", spotter.id, target.id, secret=spotter.hidden),)
    found = not dice or dice[0] <= reach
    if found:
        note_finders(target, (*finders_of(target), spotter.id))
    if not spotter.hidden and DECLARED not in target.flags:
        target.flags = (*target.flags, DECLARED)
    result = "found" if found else "overlooked"
    table.find("7.24", to=spotter.audience, inputs=inputs, dice=dice, result=result)  # 7.2
    return found


def lose_camouflage(data: PanzerData, unit: Unit, why: str) -> Finding | None:
    """7.24 Camouflage is lost for good by a Move or Short Halt, or by firing in an enemy's normal spotting range."""
    if not is_camouflaged(data, unit):
        return None
    unit.flags = tuple(flag for flag in unit.flags if flag not in (CAMOUFLAGED, DECLARED))
    note_finders(unit, ())
    # If no enemy has searched for the unit, its camouflage was never public.
    return Finding("7.24/lost", to=(unit.side,), inputs={"unit": unit.id, "why": why}, result="lost")
