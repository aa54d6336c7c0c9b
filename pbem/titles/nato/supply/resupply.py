"""10.7 The resupply operation: supply by air for one hex.

10.7     resupply_objections
10.7.1   interception_value, resupply
10.7.2   use_marker: combat supply from the marker
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.nerves.markers import interception_table
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.zones.airspace import airspace


def resupply_objections(board: Board, side: Side, hex: HexId) -> Iterator[Objection]:
    """10.7 Object unless the target is a hex with friendly combat units."""
    if not any(not unit.card.hq for unit in board.at(hex, side)):
        yield Objection("10.7", say("none of your combat units is in {hex}", hex=hex))


def interception_value(board: Board, side: Side, hex: HexId) -> int | None:
    """17.1 Return the highest roll of two dice that intercepts; None if interception is impossible."""
    if not board.state.turn:
        return None  # 39: no interception in peace
    section = airspace(board, hex, side)
    return board.data.charts.interception(side, section, interception_table(board, side), board.state.turn)


def resupply(table: Table[NatoState], board: Board, side: Side, hex: HexId) -> None:
    """10.7.1 Fly the operation; unless it is intercepted, it puts all combat units in the hex in movement supply."""
    value, zone = interception_value(board, side, hex), int(board.ezoc(hex, side))
    dice = [table.roll(6, "10.7.1", side, hex) for _ in range(2)]
    through = value is None or sum(dice) - zone > value
    inputs = {"side": side, "hex": hex, "airspace": airspace(board, hex, side), "value": value, "zone": zone}
    others = [unit.id for unit in board.at(hex, side) if unit.card.hq]
    limit = [Finding("10.7.3", inputs={"hex": hex}, result={"not": others or ["cities", "other hexes"]})]
    result = "supplied" if through else "intercepted"
    table.find("10.7.1", inputs=inputs, dice=dice, result=result, children=limit)
    if through:
        table.state.resupply = hex  # 4.1.8
        for unit in board.at(hex, side):
            unit.piece.ms_out = False


def use_marker(table: Table[NatoState], board: Board, side: Side) -> None:
    """10.7.2 Use the marker in the Recovery Phase to remove CS-out from units in its hex that cannot trace supply."""
    hex = table.state.resupply
    out = [unit for unit in board.at(hex, side) if unit.piece.cs_out] if hex else []
    if out and not (board.surprise() and side is Side.NATO):  # 35.7
        for unit in out:
            unit.piece.cs_out = False
        table.state.resupply = ""
        table.find("10.7.2", inputs={"hex": hex, "units": [unit.id for unit in out]}, result="in combat supply")
