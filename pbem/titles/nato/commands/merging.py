"""35.8 The orders of several seats of a side, merged into one.

merged_moves     12, 28: by precedence; a unit follows its commander, or the deputy if the commander is silent
merged_strikes   20 to 23: the seats within their shares, then the theatre command with the rest
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import Message, say
from pbem.titles.nato.air.orders import strike_objections
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.eligibility import possible_attackers
from pbem.titles.nato.commands.dispositions import carry_out_dispositions
from pbem.titles.nato.commands.powers import acting, fights_with, in_precedence, orderers, theatre
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.movement.rehearsal import untangle
from pbem.titles.nato.player.orders import AirStrike, FightOrders, Move, MoveOrders, write_strikes
from pbem.titles.nato.state import NatoState

KINDS = ("nuclear", "chemical", "air", "interdict")
"""20.1 The kinds of strikes, in the order in which they are made."""


def merged_moves(
    table: Table[NatoState], board: Board, side: Side, given: Sequence[MoveOrders], *, reserve: bool
) -> MoveOrders:
    """35.8 Merge the moves of all seats of a side and carry out their dispositions."""
    seats = board.data.seats_of(side)
    orders = dict(zip(seats, given, strict=True))
    present = {seat: one.present or bool(one.moves) for seat, one in orders.items()}
    moves: list[Move] = []
    for seat in in_precedence(board, side):
        for move in orders[seat].moves:
            if acting(board, seat, board.data.units[move.unit], present):
                moves.append(move)
            else:
                pass_over(
                    table, [seat], move, say("the seat that commands the unit has given orders of its own"), "35.8"
                )
    kept = untangle(table.data, table.state, side, moves, reserve=reserve)
    for move in moves:
        if move not in kept:
            told = orderers(board, board.data.units[move.unit])
            pass_over(table, told, move, say("units ordered by another seat have filled the hex"), "9.1.1")
    carry_out_dispositions(table, board, seats, [one.command for one in given])
    return MoveOrders(tuple(kept), next((one.resupply for one in given if one.resupply), ""))


def pass_over(table: Table[NatoState], seats: Sequence[str], move: Move, why: Message | str, rule: str) -> None:
    """7.2 Tell these seats why a move is not made; where it was to lead stays secret from the enemy."""
    failed = [Fail(move.unit, " ".join(move.path), why, rule)]
    told = "35.8" if rule == "35.8" else "7.2"
    table.find(told, to=seats, inputs={"unit": move.unit, "why": [why]}, result="passed over", shows=failed)


def merged_strikes(
    table: Table[NatoState], board: Board, side: Side, given: Sequence[FightOrders]
) -> tuple[FightOrders, dict[str, list[str]]]:
    """35.8 Return the strikes of all seats that the side can afford together, and for each kind of strike the
    seats that ordered them.
    """
    seats = board.data.seats_of(side)
    orders = dict(zip(seats, given, strict=True))
    if len(seats) > 1:
        table.state.silent = [seat for seat, one in orders.items() if one == FightOrders()]
    whole, strikers = FightOrders(marks=merged_marks(table, board, side, orders)), dict[str, list[str]]()
    for seat in in_precedence(board, side):
        for name, one in strikes_of(orders[seat], last=theatre(board, seat)):
            tried = with_strike(whole, name, one)
            if len(seats) > 1 and any(strike_objections(board, side, tried)):
                pass_over_strike(table, seat, name, one, list(strike_objections(board, side, tried)))
                continue
            whole = tried
            strikers.setdefault(name, []).append(seat)
    return whole, strikers


def merged_marks(
    table: Table[NatoState], board: Board, side: Side, orders: Mapping[str, FightOrders]
) -> tuple[HexId, ...]:
    """25.0, 35.8 Return the Battle markers of all seats; a seat marks hexes for its own units and those of silent
    seats.
    """
    marks: dict[HexId, None] = {}
    for seat, one in orders.items():
        for hex in one.marks:
            able = possible_attackers(board, hex, side)
            if any(unit.attack and fights_with(board, seat, unit.card) for unit in able):
                marks[hex] = None
            else:
                against = Objection(
                    "35.8", say("the seats whose units could attack the hex have given orders of their own")
                )
                told = {"seat": seat, "kind": "mark", "why": [against.message]}
                table.find("35.8", inputs=told, result="passed over")
                tell_seat(table, seat, f"mark {hex}", against)
    return tuple(marks)


def pass_over_strike(
    table: Table[NatoState], seat: str, name: str, strike: object, against: Sequence[Objection]
) -> None:
    """35.8 Record why a strike is not made; only the seat that ordered it learns where it was to be."""
    why = [objection.message for objection in against]
    table.find("35.8", inputs={"seat": seat, "kind": name, "why": why}, result="passed over")
    for line in write_strikes(with_strike(FightOrders(), name, strike)):
        tell_seat(table, seat, line, against[0])


def tell_seat(table: Table[NatoState], seat: str, line: str, against: Objection) -> None:
    """7.2 Tell a seat which of its orders is not carried out, and why."""
    target = line.split()[1]
    told, fail = {"unit": target, "why": [against.message]}, Fail(target, line, against.why, against.rule)
    table.find("7.2", to=(seat,), inputs=told, result="passed over", shows=[fail])


def strikes_of(orders: FightOrders, *, last: bool) -> Iterator[tuple[str, object]]:
    """20.1 Yield the strikes of one seat, kind by kind."""
    for name in KINDS:
        yield from ((name, one) for one in getattr(orders, name))
    if last and orders.deep:
        yield "deep", orders.deep


def with_strike(orders: FightOrders, name: str, one: object) -> FightOrders:
    """Return the orders with one more strike."""
    more = one if name == "deep" else (*getattr(orders, name), one)
    return msgspec.structs.replace(orders, **{name: more})


def points_of(strike: AirStrike) -> str:
    """23.1 Return the kind of point that a strike costs."""
    return "operational" if strike.operational else "tactical"
