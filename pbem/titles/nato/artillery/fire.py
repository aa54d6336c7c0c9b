"""24 Artillery strikes: each unit spends one point on an adjacent hex.

24.1.1   battery_objections: the unit must be in combat supply, stacked with a maneuver unit of its front
24.1.3   only units of one front may strike the same hex
24.1.4   hexsides that block fire; column 0 for a unit that is suppressed or in a strike hex
10.6     combat supply is tested after firing
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.ask import Step
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.nato.air.resolution import strike
from pbem.titles.nato.air.sites import column_of
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.eligibility import across_objections
from pbem.titles.nato.commands.powers import commander_of
from pbem.titles.nato.map.grid import HexId, adjacent, neighbours
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.supply.headquarters import BALTIC_FRONT, front, in_baltap
from pbem.titles.nato.supply.units import combat_source


def battery_objections(board: Board, unit: Unit) -> Iterator[Objection]:
    """24.1.1, 24.2.5, 24.2.6 Yield the reasons why an artillery unit cannot strike at all."""
    if not unit.card.artillery:
        yield Objection("24.1", say("the unit is not an artillery unit"))
        return
    if unit.piece.cs_out:
        yield Objection("24.2.5", say("the unit is out of combat supply"))
    if unit.piece.train:
        yield Objection("24.2.6", say("the unit is on a train"))
    if not unit.piece.active:
        yield Objection("35.2", say("the unit is not activated"))
    escort = [other for other in board.at(unit.at, unit.side) if other.maneuver]
    if not any(same_front(board, unit, other) for other in escort):
        yield Objection("24.1.1", say("no maneuver unit of the same front is stacked with the unit"))


def fire_objections(
    board: Board, unit: Unit, hex: HexId, fired: Sequence[tuple[str, HexId]], struck: Sequence[str] = ()
) -> Iterator[Objection]:
    """24.1.1, 24.1.3, 24.1.4 Yield the reasons why an artillery unit cannot strike a hex."""
    yield from battery_objections(board, unit)
    if unit.at not in board.atlas.places or hex not in board.atlas.places or not adjacent(unit.at, hex):
        yield Objection("24.1", say("{hex} is not adjacent to the unit", hex=hex))
        return
    yield from across_objections(board, unit.at, hex)
    if any(id == unit.id for id, _ in fired):
        yield Objection("24.1.1", say("the unit has already struck"))
    others = [id for id, where in fired if where == hex and id in board.units]
    if any(not same_front(board, unit, board.units[id]) for id in others):
        yield Objection("24.1.3", say("artillery of another front has struck {hex}", hex=hex))
    targets = [target for target in board.at(hex) if target.side is not unit.side and not target.card.hq]
    site = any(where == hex and id not in struck for id, where in board.state.sites.items())
    if not targets and not site:  # 24.1.5
        yield Objection("24.1", say("there is no combat unit or Reforger site to strike in {hex}", hex=hex))
    elif not site and all(target.id in struck for target in targets):
        yield Objection("20.0", say("artillery has struck every unit in {hex} in this segment", hex=hex))


def same_front(board: Board, unit: Unit, other: Unit) -> bool:
    """24.1.1, 24.1.3 Return whether two units share a front; independent units have none outside the BALTAP zone."""
    return bool(possible_fronts(board, unit) & possible_fronts(board, other))


def possible_fronts(board: Board, unit: Unit) -> set[str]:
    """29.5.3 Return the fronts that a unit may count as: its own and, in the BALTAP zone, the Baltic Front."""
    merged = board.data.merges_baltap and in_baltap(board, unit.at)
    return ({front(board, unit.card)} - {""}) | ({BALTIC_FRONT} if merged else set())


def fire(table: Table[NatoState], board: Board, unit: Unit, targets: Sequence[Unit]) -> Step:
    """24.1.1 Make one artillery strike, then test the unit's combat supply."""
    seat, column = commander_of(board, unit.card), column_of(board, unit)
    yield from strike(table, board, Side.WP, targets, rule="24.1", column=column, by=unit.id, seat=seat)
    after_firing(table, board, unit)


def after_firing(table: Table[NatoState], board: Board, unit: Unit) -> None:
    """10.6, 24.2.5 Test an artillery unit's combat supply as soon as it has fired."""
    if not combat_source(board, unit):
        unit.piece.cs_out = True
        table.find("10.6", inputs={"units": [unit.id]}, result="out of combat supply")


def targets_near(board: Board, unit: Unit, struck: Sequence[str] = ()) -> list[HexId]:
    """24.1 Return the hexes that an artillery unit could strike."""
    return [
        hex
        for hex in neighbours(unit.at)
        if hex in board.atlas.places and not any(fire_objections(board, unit, hex, (), struck))
    ]
