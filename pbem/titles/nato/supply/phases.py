"""10.4, 10.5, 7.2 II.C The phases in which supply is determined.

10.4     hq_supply: marks every headquarters for a whole player turn
10.5.1   movement_supply: places MS-out markers, which happens at no other time
10.5.2   recovery: removes markers
"""

from __future__ import annotations

from pbem.engine.rules.table import Table
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.phases import begins
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.supply.headquarters import headquarters, hq_traces
from pbem.titles.nato.supply.resupply import use_marker
from pbem.titles.nato.supply.units import combat_source, movement_source


def hq_supply(table: Table[NatoState], board: Board, side: Side) -> None:
    """7.2 II.A Mark every headquarters of a side as supplied or unsupplied."""
    changed = []
    for hq in headquarters(board, side):
        traces = hq_traces(board, hq)
        if traces != hq.piece.supplied:
            changed.append(hq.id)
        hq.piece.supplied, hq.piece.unpaid = traces, False
        if not traces:
            leave_train(board, hq)
    board.forget_facts()  # 11.6.2
    if changed:
        found = {id: board.units[id].piece.supplied for id in changed}
        table.find("10.4", inputs={"side": side}, result=found)
    out = [hq.id for hq in headquarters(board, side) if not hq.piece.supplied]
    begins(table, "hq supply", side, {"unsupplied": out})


def movement_supply(table: Table[NatoState], board: Board, side: Side) -> None:
    """10.5.1 Mark every combat unit of a side that cannot trace movement supply."""
    out, back = [], []
    for unit in board.on_map(side):
        if unit.card.hq:
            continue
        supplied = bool(movement_source(board, unit))
        if supplied and unit.piece.ms_out:
            back.append(unit.id)
        elif not supplied and not unit.piece.ms_out:
            out.append(unit.id)
        unit.piece.ms_out = not supplied  # 4.2.5
    for unit_id in out:
        leave_train(board, board.units[unit_id])  # 13.5
    if out:
        table.find("10.5.1", inputs={"side": side, "units": out}, result="out of movement supply")
    if back:
        table.find("10.5.1", inputs={"side": side, "units": back}, result="in movement supply")
    begins(table, "movement supply", side, {"out": sum(unit.piece.ms_out for unit in board.on_map(side))})


def leave_train(board: Board, unit: Unit) -> None:
    """13.5 Remove the Train marker of a unit without supply."""
    if unit.piece.train:
        unit.piece.train = ""
        board.refresh(unit)


def recovery(table: Table[NatoState], board: Board, side: Side) -> None:
    """7.2 II.C Remove Disrupted markers, and the out-of-supply markers of units that can trace again."""
    recovered, supplied = [], []
    for unit in board.of(side):
        piece = unit.piece
        if piece.disrupted and unit.maneuver:
            piece.disrupted = False
            recovered.append(unit.id)
        if piece.ms_out and movement_source(board, unit):
            piece.ms_out = False
            supplied.append(unit.id)
        if piece.cs_out and combat_source(board, unit):
            piece.cs_out = False
            supplied.append(unit.id)
    use_marker(table, board, side)
    if recovered:
        table.find("4.2.1", inputs={"side": side}, result=recovered)
    if supplied:
        table.find("10.5.2", inputs={"side": side}, result=sorted(set(supplied)))
    left = [unit for unit in board.of(side) if unit.piece.ms_out or unit.piece.cs_out]
    for rule, marked in (
        ("10.5.5", [unit.id for unit in left if unit.piece.ms_out]),
        ("10.6.2", [unit.id for unit in left if unit.piece.cs_out]),
    ):
        if marked:
            table.find(rule, inputs={"side": side}, result=marked)
    begins(table, "recovery", side, {"recovered": len(recovered), "in supply again": len(set(supplied))})


def suppression_removal(table: Table[NatoState], board: Board, side: Side) -> None:
    """7.2 II.H Remove Suppressed markers from artillery and headquarters."""
    freed = [unit for unit in board.of(side) if unit.piece.disrupted and not unit.maneuver]
    for unit in freed:
        unit.piece.disrupted = False
    if freed:
        table.find("4.2.2", inputs={"side": side}, result=[unit.id for unit in freed])
        begins(table, "suppression", side, len(freed))
