"""6.1, 6.8 The enemy's positions, and how units turn towards them and take cover, for standing orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.engine.geometry.hexes import Hex, distance, within_30
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.gp_modifiers import counter_of
from pbem.titles.panzer.fire.turrets import has_turret, offset_to
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import MOVING, Command, PanzerState, Unit

FACED: Final = 20
"""6.8.1 The maximum distance at which an enemy makes a unit turn."""


def armour_of(data: PanzerData, unit: Unit) -> int:
    """Return the front armour of a vehicle; leg units and guns have none."""
    return data.cards[unit.card].front if unit.kind == "vehicle" else 0


def enemies_of(view: PanzerState, seat: str) -> list[Hex]:
    """6.1 The hexes of the enemies the side has spotted this turn."""
    return [place_of(unit) for unit in view.of(view.enemy(seat)) if not unit.aboard and is_spotted(view, seat, unit)]


def is_spotted(view: PanzerState, seat: str, enemy: Unit) -> bool:
    """6.1 Whether any unit of the side has spotted this enemy this turn."""
    return any(enemy.id in view.spotted.get(unit.id, ()) for unit in view.of(seat))


def facing_to(unit: Unit, enemies: Sequence[Hex]) -> int:
    """5.5 The hexside towards the nearest enemy; 0 if none is near."""
    here = place_of(unit)
    near = sorted((distance(here, hex), hex) for hex in enemies)
    if not near or not 0 < near[0][0] <= FACED:
        return 0
    if within_30(here, near[0][1], unit.facing):
        return unit.facing
    return next(way for way in range(1, 7) if within_30(here, near[0][1], way))


def turrets_to(situation: Situation, seat: str, enemies: Sequence[Hex]) -> dict[str, int]:
    """7.8.1 Turn turrets towards the nearest enemy, as far as they can."""
    data = situation.data
    found: dict[str, int] = {}
    for unit in situation.state.of(seat) if enemies else ():
        if has_turret(data, unit):
            here = place_of(unit)
            offset = offset_to(situation, unit, min(enemies, key=lambda hex: (distance(here, hex), hex)))
            if offset is not None and offset != unit.turret:
                found[unit.id] = offset
    return found


def wants_cover(view: PanzerState, unit: Unit, clause: str) -> bool:
    """6.8.2 Whether a unit that did not move enters full cover."""
    if unit.moved or unit.assaulted or counter_of(view, unit).command in MOVING:
        return False
    match clause:
        case "always":
            return True
        case "hold":
            return counter_of(view, unit).command is Command.NO_COMMAND
        case "under fire":
            return unit.under_fire or unit.suppressed
    return False
