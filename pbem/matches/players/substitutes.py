"""Substitutes: players ready to take a seat, and how a seat changes hands during a match.

The seat's view, plans and standing orders go with it. Orders that the last occupant had sealed for the open exchange
are void, and that occupant's reply codes are no longer valid.
"""

from __future__ import annotations

from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import Message, say
from pbem.matches.events import MasterLooked, SeatLeft, SeatTaken, SubstituteGone, SubstituteNamed, each
from pbem.matches.exchange.checks import check_blind
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.server import Server
from pbem.matches.unit_of_work import retrying


@retrying
def stand_by(server: Server, match: str, account: str) -> None:
    """Volunteer to take any seat that becomes free in a match."""
    record = record_of(server, match)
    if record.ended:
        raise _refuse(say("the match is over"))
    if account in standing_by(record) or account in _seated_accounts(record):
        raise _refuse(say("you already have a seat in this match or are on its list of substitutes"))
    check_blind(record, account)
    with server.change(record, "substitute") as change:
        change.append(SubstituteNamed(account))


@retrying
def stand_down(server: Server, match: str, account: str) -> None:
    """Withdraw from a match's list of substitutes."""
    record = record_of(server, match)
    if account not in standing_by(record):
        raise _refuse(say("you are not on this match's list of substitutes"))
    with server.change(record, "substitute") as change:
        change.append(SubstituteGone(account))


def standing_by(record: Record) -> list[str]:
    """The available substitutes in the order of volunteering, without those who have a seat or saw hidden states."""
    ready: dict[str, None] = {}
    for _, what in each(record.events, SubstituteNamed, SubstituteGone, SeatTaken, MasterLooked):
        if isinstance(what, SubstituteNamed):
            ready[what.account] = None
        elif isinstance(what, MasterLooked):
            ready.pop(what.by, None)
        elif isinstance(what, SubstituteGone | SeatTaken):
            ready.pop(what.account, None)
    return list(ready)


def change_hands(record: Record, seat: str, account: str, why: str, *, by: str = "") -> list[SeatLeft | SeatTaken]:
    """Give a seat to another account. `by` is the occupant, if they hand it over themselves."""
    if seat not in record.seats:
        raise Unreadable(seat, [_objection(say("no seat has that name"))], record.seats)
    check_blind(record, account)
    left = [SeatLeft(seat, why, by)] if seat in record.occupants else []
    return [*left, SeatTaken(seat, account)]


@retrying
def hand_over(server: Server, match: str, seat: str, to: str, *, by: str) -> None:
    """Hand your seat to a substitute."""
    record = record_of(server, match)
    if record.occupants.get(seat, {}).get("account") != by:
        raise _refuse(say("that is not your seat"))
    if to not in standing_by(record) or record.ended:
        raise _refuse(say("only a player on this match's list of substitutes can take the seat"))
    with server.change(record, "seat") as change:
        change.append(*change_hands(record, seat, to, "handed over", by=by))


def _seated_accounts(record: Record) -> list[str]:
    return [taken["account"] for taken in record.occupants.values()]


def _refuse(why: Message | str) -> Illegal:
    return Illegal("substitute", [_objection(why)])


def _objection(why: Message | str) -> Objection:
    return Objection("pbem/substitute", why)
