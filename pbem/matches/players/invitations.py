"""Invitations: a seat is offered to an address, and the reader of that mailbox may take it."""

from __future__ import annotations

import msgspec

from eventstore import Erased, Event
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.accounts.accounts import Account, by_address, clean_address, clean_name, open_account, rename
from pbem.matches.events import SeatDeclined, SeatInvited, each
from pbem.matches.exchange.checks import free_seats
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.post import outbox, reply_tokens
from pbem.matches.server import Server
from pbem.matches.unit_of_work import retrying


class Invitation(msgspec.Struct, frozen=True):
    """An invitation. `state` is `open`, `accepted`, `declined`, or `taken` if another player has the seat."""

    match: str
    seat: str
    number: int
    address: str
    state: str
    token: str
    by: str = ""


def invite(server: Server, match: str, seat: str, address: str, *, by: str = "") -> Invitation:
    """Offer a free seat to an address, and queue an email to it. `by` is the inviting account."""
    return invitation(server, match, _invite(server, match, seat, clean_address(address), by))


@retrying
def _invite(server: Server, match: str, seat: str, address: str, by: str) -> int:
    record = record_of(server, match)
    if seat not in record.seats:
        raise Unreadable(seat, [Objection("pbem/seat", say("no seat has that name"))], record.seats)
    if seat in record.occupants:
        raise Illegal(seat, [Objection("pbem/seat", say("that seat is taken"))], free_seats(record))
    number = len(_invitations_in(record)) + 1
    with server.change(record, "invite") as change:
        # A separate audience: the end of the match opens the players' parts, but not this one.
        kept = change.part("address", f"invited/{number}", address)
        recorded = change.append(SeatInvited(seat, number, by).new(kept))[0]
        at, about = recorded.recorded_at, {"number": number}
        outbox.queue(change.transaction, "invitation", at=at, key=str(number), match=match, seat=seat, about=about)
    return number


def invitation(server: Server, match: str, number: int) -> Invitation:
    record = record_of(server, match)
    event, invited = next(
        ((event, one) for event, one in _invitations_in(record) if one.number == number), (None, None)
    )
    if event is None or invited is None:
        raise reply_tokens.NotValid
    try:
        address = msgspec.json.decode(server.store.part(event.parts[0].commitment).content, type=str)
    except Erased:
        raise reply_tokens.NotValid from None  # the invited player has erased it
    seat = invited.seat
    return Invitation(
        match=match,
        seat=seat,
        number=number,
        address=address,
        state=_state(server, record, seat, number, address),
        token=reply_tokens.make(server, use="invitation", match=match, number=number, seat=seat),
        by=invited.by,
    )


def read(server: Server, token: str) -> Invitation:
    """Return the invitation that a token refers to."""
    said = reply_tokens.expect(server, token, "invitation")
    return invitation(server, said.match, said.number)


def accept(server: Server, token: str, name: str = "") -> tuple[str, str, Account]:
    """Take the seat for the account of the invited address; a non-empty `name` becomes the account's display name.

    Accepting twice changes nothing.
    """
    offered = read(server, token)
    if offered.state not in ("open", "accepted"):
        raise Illegal(
            offered.seat, [Objection("pbem/seat", say("this invitation has been {state}", state=offered.state))]
        )
    account = open_account(server, offered.address, name)
    if offered.state == "open":
        if clean_name(name) not in ("", account.name):
            account = rename(server, account.id, name)
        take_seat(server, offered.match, offered.seat, account.id)
    return offered.match, offered.seat, account


def decline(server: Server, token: str) -> Invitation:
    """Decline an invitation. The seat stays free for others."""
    offered = read(server, token)
    if offered.state == "open":
        _decline(server, offered)
    return read(server, token)


@retrying
def _decline(server: Server, offered: Invitation) -> None:
    with server.change(record_of(server, offered.match), "decline") as change:
        change.append(SeatDeclined(offered.seat, offered.number))


def _invitations_in(record: Record) -> list[tuple[Event, SeatInvited]]:
    return list(each(record.events, SeatInvited))


def _state(server: Server, record: Record, seat: str, number: int, address: str) -> str:
    occupant = record.occupants.get(seat)
    if occupant is not None:
        known = by_address(server, address)
        return "accepted" if known is not None and known.id == occupant["account"] else "taken"
    declined = any(declined.number == number for _, declined in each(record.events, SeatDeclined))
    return "declined" if declined else "open"
