"""35.8.4 Transfers between seats of a side: points, Lift Commands and units; deputies and precedence.

Dispositions              one seat's orders about the commands of its side
disposition_objections    objections to such orders
carry_out_dispositions    after the exchange, for every seat of a side
35.8.4                    end_loans: a loan with a term ends automatically
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from pbem.engine.rules.refusals import Objection, locate_objections
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.engine.text.messages import several as listed
from pbem.titles.nato.board import Board
from pbem.titles.nato.commands.ceasefire import ceasefire_objections, propose
from pbem.titles.nato.commands.pools import KINDS, purse, settle, total
from pbem.titles.nato.commands.powers import commander_of, several, theatre
from pbem.titles.nato.player.orders import Dispositions, Gift, Lending
from pbem.titles.nato.state import Loan, NatoState

NOTHING = Dispositions()


def disposition_objections(board: Board, seat: str, given: Dispositions) -> Iterator[Objection]:
    """35.8.4 Yield the objections to a seat's dispositions."""
    yield from locate_objections(("command", "ceasefire"), ceasefire_objections(board, seat, given.ceasefire))
    if msgspec.structs.replace(given, ceasefire="") == NOTHING:
        return
    if not several(board, board.data.side_of(seat)):
        yield Objection(
            "35.8", say("you are the only seat of your side, so there is no other seat to deal with"), ("command",)
        )
        return
    for number, gift in enumerate(given.give):
        against = gift_objections(board, seat, gift, given.give[:number])
        yield from locate_objections(("command", "give", number), against)
    for number, loan in enumerate(given.lend):
        yield from locate_objections(("command", "lend", number), loan_objections(board, seat, loan))
        if loan.unit in [other.unit for other in given.lend[:number]]:
            at = ("command", "lend", number)
            yield Objection("35.8.4", say("{unit} can be lent to one seat only", unit=loan.unit), at)
    for number, id in enumerate(given.recall):
        yield from locate_objections(("command", "recall", number), recall_objections(board, seat, id))
    yield from locate_objections(("command",), rank_objections(board, seat, given))


def rank_objections(board: Board, seat: str, given: Dispositions) -> Iterator[Objection]:
    """35.8 Yield the objections to deputies and to the order of the seats, which the theatre command sets."""
    if (given.deputies or given.priority) and not theatre(board, seat):
        yield Objection("35.8", say("only the theatre command names deputies and sets the order of the seats"))
    named = [*given.deputies, *given.deputies.values(), *given.priority]
    yield from (objection for other in named for objection in seat_objections(board, seat, other))
    if any(one == deputy for one, deputy in given.deputies.items()):
        yield Objection("35.8", say("a seat cannot be its own deputy"))
    if (
        len(set(given.priority)) < len(given.priority)
        or board.data.seat_of(board.data.side_of(seat)) in given.priority
    ):
        yield Objection("35.8", say("name each seat once, and not the theatre command, which always comes last"))


def seat_objections(board: Board, seat: str, other: str) -> Iterator[Objection]:
    """35.8 Yield an objection if the other seat does not belong to the same side."""
    own = board.data.seats_of(board.data.side_of(seat))
    if other not in own:
        yield Objection(
            "35.8", say("{other} is not a seat of your side: {own}", other=other, own=listed(own, "unit"))
        )


def gift_objections(board: Board, seat: str, gift: Gift, earlier: Sequence[Gift] = ()) -> Iterator[Objection]:
    """35.8.4 Yield the reasons why a seat cannot give points, such as too few left after earlier gifts."""
    strange = list(seat_objections(board, seat, gift.seat))
    yield from strange
    if not strange and (gift.seat == seat or theatre(board, gift.seat)):
        yield Objection(
            "35.8.4", say("{seat} cannot receive a share: name another seat of your side", seat=gift.seat)
        )
    if gift.kind not in KINDS:
        yield Objection(
            "35.8.4",
            say("“{kind}” cannot be given away; you can give {kinds}", kind=gift.kind, kinds=listed(KINDS, "unit")),
        )
        return
    if gift.number < 0:
        yield Objection("35.8.4", say("you cannot give a negative number"))
        return
    have = purse(board, seat, gift.kind)
    given = gift.number + sum(other.number for other in earlier if other.kind == gift.kind)
    if not theatre(board, seat) and given > have:
        yield Objection("35.8.4", say("you have {have} {kind} to give", have=have, kind=gift.kind))
    if theatre(board, seat) and given > (most := total(board.state, board.data.side_of(seat), gift.kind)):
        yield Objection("35.8.4", say("your side has {most} {kind}", most=most, kind=gift.kind))
    if theatre(board, seat) and (gift.seat, gift.kind) in [(other.seat, other.kind) for other in earlier]:
        yield Objection("35.8.4", say("set the share of a seat only once"))


def loan_objections(board: Board, seat: str, loan: Lending) -> Iterator[Objection]:
    """35.8.4 Yield the reasons why a seat cannot lend a unit: it must command the unit, which must not be on loan
    already.
    """
    yield from seat_objections(board, seat, loan.seat)
    if loan.seat == seat:
        yield Objection("35.8.4", say("name another seat of your side"))
    card = board.data.units.get(loan.unit)
    if card is None or board.data.commander_of(card) != seat:
        yield Objection("35.8.4", say("{unit} is not yours to lend", unit=loan.unit))
    elif commander_of(board, card) != seat:
        yield Objection(
            "35.8.4",
            say(
                "{unit} is on loan to {commander_of}; recall it first",
                unit=loan.unit,
                commander_of=commander_of(board, card),
            ),
        )
    if loan.until and loan.until < board.state.turn:
        yield Objection("35.8.4", say("turn {until} has already passed", until=loan.until))
    if loan.until > (last := board.data.scenario.turns):
        yield Objection("35.8.4", say("turn {last} is the last one", last=last))


def recall_objections(board: Board, seat: str, id: str) -> Iterator[Objection]:
    """35.8.4 Yield the reasons why a seat cannot recall a unit: a loan with a fixed term runs until it expires."""
    card, loan = board.data.units.get(id), board.state.lent.get(id)
    if loan is None or card is None or board.data.commander_of(card) != seat:
        yield Objection("35.8.4", say("{id} is not on loan from you", id=id))
    elif loan.until >= board.state.turn:
        yield Objection("35.8.4", say("{id} is on loan until turn {until}", id=id, until=loan.until))


# --- carrying out --------------------------------------------------------------------------------------------


def carry_out_dispositions(
    table: Table[NatoState], board: Board, seats: Sequence[str], given: Sequence[Dispositions]
) -> None:
    """35.8.4 Carry out the dispositions of all seats of a side after an exchange, in seat order."""
    state = table.state
    propose(table, board, board.data.side_of(seats[0]), given)
    for seat, orders in zip(seats, given, strict=True):
        for gift in orders.give:
            hand_over(table, board, seat, gift)
        for loan in orders.lend:
            if not any(loan_objections(board, seat, loan)):
                state.lent[loan.unit] = Loan(seat=loan.seat, until=loan.until)
                inputs = {"unit": loan.unit, "from": seat, "until": loan.until}
                table.find("35.8.4", inputs=inputs, result=loan.seat)
        for id in orders.recall:
            if state.lent.pop(id, None) is not None:
                table.find("35.8.4", inputs={"unit": id, "from": seat}, result=seat)
        if orders.deputies:
            state.deputies = {**state.deputies, **orders.deputies}
            table.find("35.8", inputs={"seat": seat}, result=dict(orders.deputies))
        if orders.priority:
            state.precedence = [*orders.priority, *(one for one in state.precedence if one not in orders.priority)]
            table.find("35.8", inputs={"seat": seat}, result=list(orders.priority))


def hand_over(table: Table[NatoState], board: Board, seat: str, gift: Gift) -> None:
    """35.8.4 Hand over points: the theatre command sets a share from now on; any other seat gives points of its
    own.
    """
    state, side = table.state, board.data.side_of(seat)
    pool = state.pools.setdefault(gift.seat, {})
    if theatre(board, seat):
        state.shares.setdefault(gift.seat, {})[gift.kind] = gift.number
        pool[gift.kind] = gift.number
    else:
        number = min(gift.number, purse(board, seat, gift.kind))
        own = state.pools.setdefault(seat, {})
        own[gift.kind] = own.get(gift.kind, 0) - number
        pool[gift.kind] = pool.get(gift.kind, 0) + number
    settle(board, side, gift.kind, first=gift.seat)
    inputs = {"from": seat, "kind": gift.kind, "number": gift.number}
    table.find("35.8.4", inputs={**inputs, "to": gift.seat}, result=pool[gift.kind])


def end_loans(table: Table[NatoState]) -> None:
    """35.8.4 End loans after their last turn, and loans of eliminated units."""
    state = table.state
    over = [id for id, loan in sorted(state.lent.items()) if 0 < loan.until < state.turn or id in state.lost]
    for id in over:
        loan = state.lent.pop(id)
        if id in state.lost:
            continue
        table.find("35.8.4", inputs={"unit": id, "until": loan.until}, result="returned")
