"""Put accounts into seats and free them."""

from __future__ import annotations

from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.accounts.accounts import Account, account
from pbem.matches.events import SeatLeft, SeatTaken
from pbem.matches.exchange import advancing
from pbem.matches.exchange.checks import check_blind, free_seats
from pbem.matches.history.replay import record_of
from pbem.matches.post.notifications import catch_up
from pbem.matches.server import Server
from pbem.matches.unit_of_work import retrying


def take_seat(server: Server, match: str, seat: str, account: str) -> None:
    """Put an account into a free seat; when the last one is filled, the match starts and forms are queued."""
    _sit_down(server, match, seat, account)
    catch_up(server)
    advancing.go_on(server, match)


@retrying
def _sit_down(server: Server, match: str, seat: str, account: str) -> None:
    record = record_of(server, match)
    if seat not in record.seats:
        raise Unreadable(seat, [Objection("pbem/seat", say("no seat has that name"))], record.seats)
    if seat in record.occupants:
        raise Illegal(seat, [Objection("pbem/seat", say("that seat is taken"))], free_seats(record))
    check_blind(record, account)
    with server.change(record, "seat") as change:
        change.append(SeatTaken(seat, account))


@retrying
def leave_seat(server: Server, match: str, seat: str, why: str) -> None:
    """Free a seat. Orders that its occupant had sealed for the open exchange are void."""
    record = record_of(server, match)
    if seat not in record.occupants:
        raise Illegal(seat, [Objection("pbem/seat", say("that seat is empty"))], sorted(record.occupants))
    with server.change(record, "seat") as change:
        change.append(SeatLeft(seat, why, record.occupants[seat]["account"]))


def occupant(server: Server, match: str, seat: str) -> Account | None:
    """The account in a seat."""
    taken = record_of(server, match).occupants.get(seat)
    return None if taken is None else account(server, taken["account"])


def seats_of(server: Server, match: str, account: str) -> list[str]:
    """The seats that an account occupies."""
    return [s for s, taken in sorted(record_of(server, match).occupants.items()) if taken["account"] == account]
