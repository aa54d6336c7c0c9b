"""Substitutes: who stands by to take a seat, and how a seat changes hands while a match goes on.

With the seat go its view, its plans and its doctrine. What the last occupant had sealed for the open exchange falls,
and his codes do not count any more.
"""

from __future__ import annotations

from eventstore import NewEvent
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.matches import unit_of_work
from pbem.matches.exchange.checks import LOOKED, check_blind
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.server import Server

NAMED, GONE = "substitute.named", "substitute.gone"


def stand_by(server: Server, match: str, account: str) -> None:
    """Be ready to take any seat of a match whose occupant drops out."""

    def act() -> None:
        record = record_of(server, match)
        if record.ended:
            raise _refuse("the match is over")
        if account in standing_by(record) or account in _seated(record):
            raise _refuse("you sit in this match or stand by already")
        check_blind(record, account)
        unit_of_work.append(server, record, [NewEvent(NAMED, {"account": account})], "substitute")

    unit_of_work.retry(act)


def stand_down(server: Server, match: str, account: str) -> None:
    """Be ready no longer."""

    def act() -> None:
        record = record_of(server, match)
        if account not in standing_by(record):
            raise _refuse("you do not stand by for this match")
        unit_of_work.append(server, record, [NewEvent(GONE, {"account": account})], "substitute")

    unit_of_work.retry(act)


def standing_by(record: Record) -> list[str]:
    """The accounts that are ready, first come first; not who has a seat meanwhile, or has seen too much."""
    ready: dict[str, None] = {}
    for event in record.events:
        if event.type == NAMED:
            ready[event.payload["account"]] = None
        elif event.type in (GONE, "seat.taken", LOOKED):
            ready.pop(event.payload["by" if event.type == LOOKED else "account"], None)
    return list(ready)


def changed_hands(record: Record, seat: str, account: str, why: str, *, by: str = "") -> list[NewEvent]:
    """Give a seat to another account. `by` is the occupant who hands it over, if they do so themselves."""
    if seat not in record.seats:
        raise Unreadable(seat, [_objection("there is no such seat")], record.seats)
    check_blind(record, account)
    said = {"seat": seat, "why": why, **({"by": by} if by else {})}
    left = [NewEvent("seat.left", said)] if seat in record.occupants else []
    return [*left, NewEvent("seat.taken", {"seat": seat, "account": account})]


def hand_over(server: Server, match: str, seat: str, to: str, *, by: str) -> None:
    """The occupant lets somebody who stands by have his seat."""

    def act() -> None:
        record = record_of(server, match)
        if record.occupants.get(seat, {}).get("account") != by:
            raise _refuse("you do not sit there")
        if to not in standing_by(record) or record.ended:
            raise _refuse("only somebody who stands by for this match can take it")
        unit_of_work.append(server, record, changed_hands(record, seat, to, "handed over", by=by), "seat")

    unit_of_work.retry(act)


def _seated(record: Record) -> list[str]:
    return [taken["account"] for taken in record.occupants.values()]


def _refuse(why: str) -> Illegal:
    return Illegal("substitute", [_objection(why)])


def _objection(why: str) -> Objection:
    return Objection("pbem/substitute", why)
