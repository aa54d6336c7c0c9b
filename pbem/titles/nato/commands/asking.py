"""35.8 Asking all seats of a side for their moves."""

from __future__ import annotations

from pbem.engine.rules.ask import Step, Together
from pbem.engine.rules.table import Table
from pbem.titles.nato.board import board_of
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.commands.ceasefire import RULE
from pbem.titles.nato.commands.dispositions import carry_out_dispositions
from pbem.titles.nato.commands.merging import merged_moves, pass_over
from pbem.titles.nato.commands.powers import orderers
from pbem.titles.nato.movement.orders import Moving
from pbem.titles.nato.player.orders import OVER, MoveOrders
from pbem.titles.nato.state import NatoState


def orders_of(table: Table[NatoState], decision: type[Moving], side: Side, subject: str = "") -> Step:
    """35.8 Collect the orders of all seats of a side and merge them."""
    seats = table.data.seats_of(side)
    if len(seats) == 1:
        orders: MoveOrders = yield decision.make_ask(seats[0], subject=subject)
        carry_out_dispositions(table, board_of(table.data, table.state), seats, [orders.command])
    else:
        given = yield Together(tuple(decision.make_ask(seat, subject=subject) for seat in seats))
        orders = merged_moves(table, board_of(table.data, table.state), side, given, reserve=decision.reserve)
    if table.state.outcome is not None:  # 35.1.2
        board = board_of(table.data, table.state)
        for move in orders.moves:
            pass_over(table, orderers(board, board.data.units[move.unit]), move, OVER.why, RULE)
    return orders
