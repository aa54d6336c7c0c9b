"""7.24 Camouflage: units on the map that must be found before they are spotted.

    7.24         pierce: a roll for each enemy that would spot the unit; has_found
    7.24/lost    lose_camouflage: by moving, or by firing under the eyes of the enemy

That a unit is camouflaged is its owner's secret until somebody looks for it (`view`).
"""

from __future__ import annotations

from typing import Final

from pbem.engine.findings import Finding
from pbem.engine.hexes import distance
from pbem.engine.table import Table
from pbem.titles.panzer.advanced.data_set import AdvancedData
from pbem.titles.panzer.advanced.state import AdvancedState, Unit
from pbem.titles.panzer.advanced.terrain import place_of

CAMOUFLAGED: Final = "camouflaged"
"""The flag of a camouflaged unit."""
FOUND: Final = "found by "
"""What is counted for a unit: who has found it."""
CERTAIN: Final = 10
"""7.24 A spotting range of so many hexes finds the unit without a roll."""


def is_camouflaged(data: AdvancedData, unit: Unit) -> bool:
    """7.24 Whether a unit is camouflaged still."""
    return CAMOUFLAGED in unit.flags and data.plays("camouflage")


def has_found(data: AdvancedData, spotter: Unit, target: Unit) -> bool:
    """7.24 Whether an enemy within normal spotting range knows where it is: adjacent, or by an earlier roll."""
    if not is_camouflaged(data, target):
        return True
    return distance(place_of(spotter), place_of(target)) <= 1 or f"{FOUND}{spotter.id}" in target.loads


def pierce(
    table: Table[AdvancedState], spotters: dict[str, list[str]], ranges: dict[tuple[str, str], int]
) -> dict[str, list[str]]:
    """7.24 Of those who would spot a camouflaged unit the ones who find it; who lost sight of it starts anew.

    `ranges` is how far each of them spots it.
    """
    state, data = table.state, table.data
    found: dict[str, list[str]] = {}
    for id, by in spotters.items():
        target = state.vehicles[id]
        if not is_camouflaged(data, target):
            found[id] = by
            continue
        kept = [word for word in target.loads if not word.startswith(FOUND) or word.removeprefix(FOUND) in by]
        target.loads = {word: target.loads[word] for word in kept}
        found[id] = [spotter for spotter in by if finds(table, state.vehicles[spotter], target, ranges[spotter, id])]
    return found


def finds(table: Table[AdvancedState], spotter: Unit, target: Unit, reach: int) -> bool:
    """7.24 A roll of 10 up to the spotting range; a success holds as long as range and sight do."""
    if has_found(table.data, spotter, target):
        return True
    inputs = {"spotter": spotter.id, "target": target.id, "range": reach}
    if reach >= CERTAIN:
        table.find("7.24", inputs=inputs, result="found")
        return True
    die = table.roll(10, "7.24", spotter.id, target.id)
    if die <= reach:
        target.loads = {**target.loads, f"{FOUND}{spotter.id}": 1}
    table.find("7.24", inputs=inputs, dice=(die,), result="found" if die <= reach else "overlooked")
    return die <= reach


def lose_camouflage(data: AdvancedData, unit: Unit, why: str) -> Finding | None:
    """7.24 Lost for ever by a Move or Short Halt, and by fire within normal spotting range of an enemy."""
    if not is_camouflaged(data, unit):
        return None
    unit.flags = tuple(flag for flag in unit.flags if flag != CAMOUFLAGED)
    unit.loads = {word: count for word, count in unit.loads.items() if not word.startswith(FOUND)}
    return Finding("7.24/lost", inputs={"unit": unit.id, "why": why}, result="lost")
