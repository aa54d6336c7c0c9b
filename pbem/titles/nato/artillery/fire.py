"""24 Artillery strikes: one point at an adjacent hex.

24.1.1   battery_objections: stacked with a maneuver unit of its front, in combat supply
24.1.3   one front for each target hex
24.1.4   hexsides; column 0 when suppressed or in a strike hex
10.6     combat supply is tested after firing
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.titles.nato.air.strikes import strike
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.eligibility import across_objections
from pbem.titles.nato.map.grid import HexId, adjacent, neighbours
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.supply.headquarters import front
from pbem.titles.nato.supply.units import combat_source


def battery_objections(board: Board, unit: Unit) -> Iterator[Objection]:
    """24.1.1, 24.2.5, 24.2.6 Yield what keeps an artillery unit from striking at all."""
    if not unit.card.artillery:
        yield Objection("24.1", "it is not an artillery unit")
        return
    if unit.piece.cs_out:
        yield Objection("24.2.5", "it is out of combat supply")
    if unit.piece.train:
        yield Objection("24.2.6", "it is on a train")
    if not unit.piece.active:
        yield Objection("35.2", "it is not activated")
    own = front(board, unit.card)
    if not any(other.maneuver and front(board, other.card) == own for other in board.at(unit.at, unit.side)):
        yield Objection("24.1.1", "no maneuver unit of its front is stacked with it")


def fire_objections(board: Board, unit: Unit, hex: HexId, fired: Sequence[tuple[str, HexId]]) -> Iterator[Objection]:
    """24.1.1, 24.1.3, 24.1.4 Yield what keeps an artillery unit from striking a hex."""
    yield from battery_objections(board, unit)
    if unit.at not in board.atlas.places or hex not in board.atlas.places or not adjacent(unit.at, hex):
        yield Objection("24.1", f"{hex} is not adjacent to it")
        return
    yield from across_objections(board, unit.at, hex)
    if any(id == unit.id for id, _ in fired):
        yield Objection("24.1.1", "it has struck already")
    others = [id for id, where in fired if where == hex and id in board.units]
    if any(front(board, board.units[id].card) != front(board, unit.card) for id in others):
        yield Objection("24.1.3", f"artillery of another front has struck {hex}")
    if not any(not target.card.hq for target in board.at(hex) if target.side is not unit.side):
        yield Objection("24.1", f"there is no combat unit to strike in {hex}")


def fire(table: Table[NatoState], board: Board, unit: Unit, targets: Sequence[Unit]) -> None:
    """24.1.1 One artillery strike; then the unit's combat supply is tested."""
    weak = unit.piece.disrupted or board.contaminated(unit.at)  # 24.1.4
    strike(table, board, Side.WP, targets, rule="24.1", column=0 if weak else 1, by=unit.id)
    if not combat_source(board, unit):
        unit.piece.cs_out = True
        table.find("10.6", inputs={"units": [unit.id]}, result="out of combat supply")


def targets_near(board: Board, unit: Unit) -> list[HexId]:
    """24.1 Return the hexes that an artillery unit could strike."""
    return [
        hex
        for hex in neighbours(unit.at)
        if hex in board.atlas.places and not any(fire_objections(board, unit, hex, ()))
    ]
