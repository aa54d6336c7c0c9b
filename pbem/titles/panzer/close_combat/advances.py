"""6.6.1.1 The advancing attack: one hex, under the eyes of overwatch, and then the attack.

    6.6.1.1    readiness_objections, entry_objections, advance_cost
    6.6.1.1    advance: the unit goes there, through mines (7.31.2) and barrages (6.6.6)

Used by `close_combat`, and by engineers who attack terrain (`demolition`, 7.19).
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.geometry.hexes import Hex, distance, hex_name, neighbours
from pbem.engine.rules.ask import Step
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery.barrage import barrage_attacks
from pbem.titles.panzer.cards.charts import PROHIBITED
from pbem.titles.panzer.close_combat.close_assault import size_of
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.effects import leave_position
from pbem.titles.panzer.fire.overwatch import overwatch_window
from pbem.titles.panzer.movement.ground import ground_of, movement_of
from pbem.titles.panzer.obstacles.minefield_combat import enter_mines
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.state import Inside, PanzerState, Spot, Unit


def readiness_objections(data: PanzerData, unit: Unit, rule: str) -> Iterator[Objection]:
    """6.6.1.1 Not from full cover, not for a section with a weapon."""
    if unit.full_cover:
        yield Objection("6.1.4.2", "it is in full cover: it attacks adjacent units only")
    if size_of(data, unit) == "section" and unit.weapons:
        yield Objection(rule, "a section with an attached weapon does not advance to attack")


def entry_objections(data: PanzerData, view: PanzerState, unit: Unit, hex: Hex, rule: str) -> Iterator[Objection]:
    """6.6.1.1, 6.6.4.1 What keeps a unit out of a neighbouring hex; the price does not matter (A24)."""
    here = place_of(unit)
    if not data.board.is_on_map(hex) or distance(here, hex) != 1:
        yield Objection(rule, f"{hex_name(hex)} is not next to it")
        return
    price = ground_of(data, view, unit).entering(here, neighbours(here).index(hex) + 1)
    if price.total == PROHIBITED:
        closed = next((item.rule for item in price.items if item.cost == PROHIBITED), rule)
        yield Objection(closed, f"it may not enter {hex_name(hex)}")
    if any(other.side != unit.side for other in view.on_the_ground(hex)):
        yield Objection(rule, f"there are enemy units in {hex_name(hex)}")


def advance(table: Table[PanzerState], unit: Unit, hex: Hex, rule: str, window: str) -> Step:
    """6.6.1.1 One hex, to become adjacent; overwatch fire at the unit comes before the assault."""
    if not unit.alive or unit.suppressed:
        return
    start = place_of(unit)
    unit.spent += advance_cost(table.data, unit)
    go_to(table.state, unit, hex)
    unit.moved = True
    mark_move(unit)
    inputs = {"unit": unit.id, "from": hex_name(start), "cost": unit.spent}
    table.find(rule, inputs=inputs, result=hex_name(hex))
    yield from enter_mines(table, unit)  # 7.31.2
    yield from barrage_attacks(table, unit)  # 6.6.6
    if unit.alive:
        table.find(window, inputs={"unit": unit.id}, result="window")
        yield from overwatch_window(table, unit)


def advance_cost(data: PanzerData, unit: Unit) -> int:
    """6.6.1.1, 6.6.4.4 One movement point whatever the ground (A24); riders spend half of theirs."""
    return 1 if data.leg(unit).mount == "foot" else max(1, movement_of(data, unit).cross_country // 2)


def go_to(state: PanzerState, unit: Unit, hex: Hex) -> None:
    """6.1.4.2, 6.1.4.3.6 A unit that changes its hex leaves its cover, position and floor behind."""
    leave_position(state, unit)
    unit.hex, unit.full_cover, unit.inside = hex, False, Inside.NO


def mark_move(unit: Unit) -> None:
    """6.1.3 Spot/Move, unless it has fired in this turn as a passenger."""
    if unit.pending is not Spot.FIRE:
        unit.pending, unit.pending_small_arms = Spot.MOVE, False
