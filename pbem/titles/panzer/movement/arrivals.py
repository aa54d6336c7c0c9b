"""6.6.6, 7.2.2.1, 7.31.2 The effects on a unit of entering a hex by any means.

    7.31.2      mines attack the unit first
    6.6.6       then every barrage with a pattern it has entered
    7.2.2.1     enemies that now see each other reveal hidden counters

A move, an advance to attack or after combat, a vehicle stopped at a wall, and passengers that dismount in another hex
all end here. Units that are put back (4.5.1.1.10, 6.6.10.1), bail out or dismount in their carrier's hex are not
attacked by barrages.
"""

from __future__ import annotations

from pbem.engine.geometry.hexes import Hex
from pbem.engine.rules.ask import Step
from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery.barrage import barrage_attacks, reset_barrage_attacks
from pbem.titles.panzer.movement.placing import put
from pbem.titles.panzer.obstacles.minefield_combat import enter_mines
from pbem.titles.panzer.sighting.hidden_units import look_around
from pbem.titles.panzer.state import PanzerState, Unit


def arrive(table: Table[PanzerState], unit: Unit, *, quick: bool = False) -> Step:
    """6.6.6, 7.31.2 Handle a unit's arrival in a new hex.

    Return whether its owner may reconsider the move (R-17), because it was attacked or a hidden counter was revealed.
    """
    attacked = False
    if unit.alive and unit.hex is not None:
        attacked = yield from enter_mines(table, unit, quick=quick)  # 7.31.2
    if unit.alive and unit.hex is not None:
        attacked = (yield from barrage_attacks(table, unit)) or attacked  # 6.6.6
    return bool((yield from look_around(table))) or attacked  # 7.2.2.1


def run_to(table: Table[PanzerState], unit: Unit, hex: Hex) -> Step:
    """6.6.6 Bring a unit to the vehicle that it boards; a barrage there attacks it, mines do not (7.31.2)."""
    if unit.hex != hex:
        put(table.state, unit, hex)
        yield from barrage_attacks(table, unit)
        reset_barrage_attacks(table.state, unit)
