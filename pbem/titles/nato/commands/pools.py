"""35.8.1, 35.8.2.4 Points and Lift Commands of a side, shared among its seats.

35.8.1   allot: equal shares each turn, remainders to the north, unless the theatre command says otherwise
35.8.4   purse: the points that a seat may spend now
35.8     spend: points that a seat spends come out of its share; the rest goes to the theatre command
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.rules.table import Table
from pbem.engine.text.messages import Message, say, term
from pbem.engine.text.messages import several as listed
from pbem.titles.nato.air.points import tactical_points
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.commands.powers import commander_of, in_precedence, several, theatre
from pbem.titles.nato.state import NatoState

LIFTS: Final = ("air", "helicopter", "sea")
KINDS: Final = ("tactical", "operational", "chemical", *LIFTS)
"""35.8.1 Game points and Lift Commands that are shared; Supply Points are spent by the theatre command."""


def total(state: NatoState, side: Side, kind: str) -> int:
    """35.8.1 Return a whole side's present total of one kind of point or Lift Command."""
    if kind == "tactical":
        return tactical_points(state, side)
    if kind == "operational":
        return state.operational.get(side, 0)
    if kind == "chemical":
        return state.chemical_points.get(side, 0)
    return state.lift_ready.get(side, {}).get(kind, 0)


def shares(board: Board, side: Side, kind: str) -> dict[str, int]:
    """35.8.1 Return the share of each seat but the theatre's: as ordered, or equal shares, with any remainder going
    to the first seats.
    """
    seats = [seat for seat in in_precedence(board, side) if not theatre(board, seat)]
    have = left = total(board.state, side, kind)
    found: dict[str, int] = {}
    ordered = {seat: board.state.shares[seat][kind] for seat in seats if kind in board.state.shares.get(seat, {})}
    for place, seat in enumerate(seats):
        equal = have // len(seats) + (place < have % len(seats))
        wanted = ordered.get(seat, 0) if ordered else equal
        found[seat] = min(wanted, left)
        left -= found[seat]
    return found


def allot(table: Table[NatoState], board: Board) -> None:
    """35.8.1 Give every seat its shares in the Joint Reinforcement Phase."""
    for side in Side:
        if not several(board, side):
            continue
        for kind in KINDS:
            for seat, number in shares(board, side, kind).items():
                table.state.pools.setdefault(seat, {})[kind] = number
        seats = [seat for seat in board.data.seats_of(side) if not theatre(board, seat)]
        found = {seat: dict(table.state.pools[seat]) for seat in seats}
        rule = "35.8.1" if side is Side.WP else "35.8.2.4"
        table.find(rule, inputs={"side": side, "ordered": sorted(table.state.shares)}, result=found)


def purse(board: Board, seat: str, kind: str, *, last: bool = False) -> int:
    """35.8.1 Return what a seat may spend: its share or, for the theatre, the unshared rest (if `last`,
    everything).
    """
    side = board.data.side_of(seat)
    have = total(board.state, side, kind)
    if not several(board, side) or (last and theatre(board, seat)):
        return have
    if not theatre(board, seat):
        return min(have, board.state.pools.get(seat, {}).get(kind, 0))
    return max(0, have - sum(pool.get(kind, 0) for pool in others(board, seat)))


def describe_shares(board: Board, seat: str) -> Message | None:
    """35.8.1 Describe what a seat may spend; None if it is the only seat of its side."""
    side = board.data.side_of(seat)
    if not several(board, side):
        return None
    found = {kind: purse(board, seat, kind) for kind in KINDS}
    has = [say("{number} {kind}", number=number, kind=kind) for kind, number in found.items() if number]
    share = listed(has, "unit") if has else term("value", "nothing")
    return say("Your share: {share}. {examples}", share=share, examples=". ".join(examples(board, seat)))


def examples(board: Board, seat: str) -> Iterator[str]:
    """35.8.4 Yield example lines with which a seat can hand something over."""
    side = board.data.side_of(seat)
    mates = [other for other in board.data.seats_of(side) if other != seat]
    unit = next((unit.id for unit in board.of(side) if commander_of(board, unit.card) == seat), "")
    yield from (f"To share points: give {mate} 2 tactical" for mate in mates[:1] if not theatre(board, mate))
    yield from (f"To lend a unit: lend {unit} to {mate}" for mate in mates[:1] if unit)


def others(board: Board, seat: str) -> list[dict[str, int]]:
    """35.8 Return the pools of the other seats on a seat's side."""
    side = board.data.side_of(seat)
    return [board.state.pools.get(other, {}) for other in board.data.seats_of(side) if other != seat]


def spend(board: Board, seat: str, kind: str, number: int) -> None:
    """35.8.1 Take points out of a seat's share; shares never exceed the side's total."""
    side, state = board.data.side_of(seat), board.state
    if not several(board, side) or not number:
        return
    if not theatre(board, seat):
        pool = state.pools.setdefault(seat, {})
        pool[kind] = max(0, pool.get(kind, 0) - number)
    settle(board, side, kind)


def settle(board: Board, side: Side, kind: str, first: str = "") -> None:
    """35.8 Cut shares that the side can no longer cover, starting with the last seat; the seat `first` is cut
    last.
    """
    left = total(board.state, side, kind)
    for seat in sorted(in_precedence(board, side), key=lambda seat: seat != first):
        pool = board.state.pools.get(seat, {})
        if not theatre(board, seat) and kind in pool:
            pool[kind] = min(pool[kind], left)
            left -= pool[kind]


def settle_all(board: Board, side: Side) -> None:
    """35.8 Cut the shares of all kinds to the points that the side still has."""
    for kind in KINDS:
        settle(board, side, kind)
