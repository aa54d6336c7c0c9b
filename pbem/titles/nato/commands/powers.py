"""35.8 Which seat orders which units: as the scenario assigns them, by loans, and for a silent seat.

35.8.4   commander_of: the seat that commands a unit now, including loans
35.8     deputy_of: the seat that may answer for one that sends nothing
35.8     orderers: the seats that may name a unit in their orders
35.8     in_precedence: the seats in the order in which their wishes are met
35.8     acting: which of several orders for a unit counts
35.8     fights_with: the seat that decides on battles, artillery fire and Battle markers
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side, UnitType


def several(board: Board, side: Side) -> bool:
    """35.8 Return whether a side has more than one seat."""
    return len(board.data.seats_of(side)) > 1


def theatre(board: Board, seat: str) -> bool:
    """35.8 Return whether a seat is the theatre command of its side."""
    return seat == board.data.seat_of(board.data.side_of(seat))


def commander_of(board: Board, card: UnitType) -> str:
    """35.8.1, 35.8.2, 35.8.4 Return the seat that commands a unit: the seat it is lent to, otherwise its own seat."""
    loan = board.state.lent.get(card.id)
    return loan.seat if loan is not None else board.data.commander_of(card)


def commands(board: Board, seat: str, card: UnitType) -> bool:
    """35.8 Return whether a seat commands a unit now."""
    return commander_of(board, card) == seat


def deputy_of(board: Board, seat: str) -> str:
    """35.8 Return the deputy that answers for a seat that sends nothing: the theatre command by default."""
    return board.state.deputies.get(seat) or board.data.seat_of(board.data.side_of(seat))


def may_order(board: Board, seat: str, card: UnitType) -> bool:
    """35.8 Return whether a seat may name a unit in its orders: as its commander or as the commander's deputy."""
    commander = commander_of(board, card)
    return commander == seat or (card.side is board.data.side_of(seat) and deputy_of(board, commander) == seat)


def orderers(board: Board, card: UnitType) -> list[str]:
    """35.8 Return the seats that may order a unit; they learn why an order for it was not carried out."""
    return [seat for seat in board.data.seats_of(card.side) if may_order(board, seat, card)]


def in_precedence(board: Board, side: Side) -> list[str]:
    """35.8 Return the seats of a side in the order that the theatre command has set; that command itself comes
    last.
    """
    seats = board.data.seats_of(side)
    wanted = [seat for seat in board.state.precedence if seat in seats]
    return sorted(seats, key=lambda seat: (theatre(board, seat), *rank(wanted, seat)))


def rank(wanted: Sequence[str], seat: str) -> tuple[int, int]:
    """35.8 Return the rank of a seat: those named come first, in that order, then the others from north to south."""
    return (0, wanted.index(seat)) if seat in wanted else (1, 0)


def fights_with(board: Board, seat: str, card: UnitType) -> bool:
    """35.8 Return whether a seat decides if a unit fights, because it is the unit's commander or deputizes for a
    silent one.
    """
    silent = commander_of(board, card) in (board.state.silent or ())
    return commands(board, seat, card) or (silent and may_order(board, seat, card))


def acting(board: Board, seat: str, card: UnitType, present: Mapping[str, bool]) -> bool:
    """35.8 Return whether a seat's order for a unit counts, because it is the unit's commander or deputizes for a
    silent one.
    """
    commander = commander_of(board, card)
    return commander == seat or not present.get(commander, False)
