"""Invitations: a seat is offered to an address, and taken by whoever reads the mail there."""

from __future__ import annotations

import msgspec

from eventstore import Erased, Event, NewEvent
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.matches import unit_of_work
from pbem.matches.accounts.accounts import Account, by_address, clean_address, clean_name, open_account, rename
from pbem.matches.exchange.checks import free_seats
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.post import outbox, reply_tokens
from pbem.matches.server import Server


class Invitation(msgspec.Struct, frozen=True):
    """`state` is `open`, `accepted`, `declined`, or `taken` when somebody else sits there."""

    match: str
    seat: str
    number: int
    address: str
    state: str
    token: str
    by: str = ""


def invite(server: Server, match: str, seat: str, address: str, *, by: str = "") -> Invitation:
    """Offer a free seat to an address, and owe it a mail. `by` is the account that invites."""
    wanted = clean_address(address)

    def act() -> int:
        record = record_of(server, match)
        if seat not in record.seats:
            raise Unreadable(seat, [Objection("pbem/seat", "there is no such seat")], record.seats)
        if seat in record.occupants:
            raise Illegal(seat, [Objection("pbem/seat", "it is taken")], free_seats(record))
        number = len(_invited(record)) + 1
        # An audience of its own: the end of the match, which opens what was played, does not open this.
        kept = unit_of_work.part(server, match, record.version + 1, "address", f"invited/{number}", wanted)
        with server.store.transaction("invite") as transaction:
            said = {"seat": seat, "number": number} | ({"by": by} if by else {})
            event = NewEvent("seat.invited", said, parts=(kept,))
            recorded = transaction.append(record.stream, [event], expected=record.version)[0]
            at, about = recorded.recorded_at, {"number": number}
            outbox.queue(transaction, "invitation", at=at, key=str(number), match=match, seat=seat, about=about)
        return number

    return invitation(server, match, unit_of_work.retry(act))


def invitation(server: Server, match: str, number: int) -> Invitation:
    record = record_of(server, match)
    event = next((event for event in _invited(record) if event.payload["number"] == number), None)
    if event is None:
        raise reply_tokens.NotValid
    try:
        address = msgspec.json.decode(server.store.part(event.parts[0].commitment).content, type=str)
    except Erased:
        raise reply_tokens.NotValid from None  # whoever was invited has had it deleted
    seat = event.payload["seat"]
    return Invitation(
        match=match,
        seat=seat,
        number=number,
        address=address,
        state=_state(server, record, seat, number, address),
        token=reply_tokens.make(server, use="invitation", match=match, number=number, seat=seat),
        by=event.payload.get("by", ""),
    )


def read(server: Server, token: str) -> Invitation:
    """The invitation that a token stands for."""
    said = reply_tokens.expect(server, token, "invitation")
    return invitation(server, said.match, said.number)


def accept(server: Server, token: str, name: str = "") -> tuple[str, str, Account]:
    """Take the seat, for the account of the invited address, which is called so from now on if there is a name.

    Accepting twice changes nothing.
    """
    offered = read(server, token)
    if offered.state not in ("open", "accepted"):
        raise Illegal(offered.seat, [Objection("pbem/seat", f"this invitation is {offered.state}")])
    account = open_account(server, offered.address, name)
    if offered.state == "open":
        if clean_name(name) not in ("", account.name):
            account = rename(server, account.id, name)
        take_seat(server, offered.match, offered.seat, account.id)
    return offered.match, offered.seat, account


def decline(server: Server, token: str) -> Invitation:
    """Say no. The seat stays free for others."""
    offered = read(server, token)

    def act() -> None:
        record = record_of(server, offered.match)
        event = NewEvent("seat.declined", {"seat": offered.seat, "number": offered.number})
        unit_of_work.append(server, record, [event], "decline")

    if offered.state == "open":
        unit_of_work.retry(act)
    return read(server, token)


def _invited(record: Record) -> list[Event]:
    return [event for event in record.events if event.type == "seat.invited"]


def _state(server: Server, record: Record, seat: str, number: int, address: str) -> str:
    occupant = record.occupants.get(seat)
    if occupant is not None:
        known = by_address(server, address)
        return "accepted" if known is not None and known.id == occupant["account"] else "taken"
    declined = any(e.type == "seat.declined" and e.payload["number"] == number for e in record.events)
    return "declined" if declined else "open"
