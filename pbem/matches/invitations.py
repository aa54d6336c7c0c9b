"""Invitations: a seat is offered to an address, and taken by whoever reads the mail there."""

from __future__ import annotations

import msgspec

from eventstore import Erased, Event, NewEvent
from pbem.engine.refusals import Illegal, Objection, Unreadable
from pbem.matches import acts, desk, outbox, tokens
from pbem.matches.accounts import Account, by_address, clean_address, clean_name, open_account, rename
from pbem.matches.house import House
from pbem.matches.record import Record


class Invitation(msgspec.Struct, frozen=True):
    """`state` is `open`, `accepted`, `declined`, or `taken` when somebody else sits there."""

    match: str
    seat: str
    number: int
    address: str
    state: str
    token: str


def invite(house: House, match: str, seat: str, address: str) -> Invitation:
    """Offer a free seat to an address, and owe it a mail."""
    wanted = clean_address(address)

    def act() -> int:
        record = acts.read(house, match)
        if seat not in record.seats:
            raise Unreadable(seat, [Objection("pbem/seat", "there is no such seat")], record.seats)
        if seat in record.occupants:
            raise Illegal(seat, [Objection("pbem/seat", "it is taken")], acts.free_seats(record))
        number = len(_invited(record)) + 1
        # An audience of its own: the end of the match, which opens what was played, does not open this.
        kept = acts.part(house, match, record.version + 1, "address", f"invited/{number}", wanted)
        with house.store.transaction("invite") as transaction:
            event = NewEvent("seat.invited", {"seat": seat, "number": number}, parts=(kept,))
            recorded = transaction.append(record.stream, [event], expected=record.version)[0]
            at, about = recorded.recorded_at, {"number": number}
            outbox.queue(transaction, "invitation", at=at, key=str(number), match=match, seat=seat, about=about)
        return number

    return invitation(house, match, acts.retry(act))


def invitation(house: House, match: str, number: int) -> Invitation:
    record = acts.read(house, match)
    event = next((event for event in _invited(record) if event.payload["number"] == number), None)
    if event is None:
        raise tokens.NotValid
    try:
        address = msgspec.json.decode(house.store.part(event.parts[0].commitment).content, type=str)
    except Erased:
        raise tokens.NotValid from None  # whoever was invited has had it deleted
    seat = event.payload["seat"]
    return Invitation(
        match=match,
        seat=seat,
        number=number,
        address=address,
        state=_state(house, record, seat, number, address),
        token=tokens.make(house, use="invitation", match=match, number=number, seat=seat),
    )


def read(house: House, token: str) -> Invitation:
    """The invitation that a token stands for."""
    said = tokens.expect(house, token, "invitation")
    return invitation(house, said.match, said.number)


def accept(house: House, token: str, name: str = "") -> tuple[str, str, Account]:
    """Take the seat, for the account of the invited address, which is called so from now on if there is a name.

    Accepting twice changes nothing.
    """
    offered = read(house, token)
    if offered.state not in ("open", "accepted"):
        raise Illegal(offered.seat, [Objection("pbem/seat", f"this invitation is {offered.state}")])
    account = open_account(house, offered.address, name)
    if offered.state == "open":
        if clean_name(name) not in ("", account.name):
            account = rename(house, account.id, name)
        desk.take_seat(house, offered.match, offered.seat, account.id)
    return offered.match, offered.seat, account


def decline(house: House, token: str) -> Invitation:
    """Say no. The seat stays free for others."""
    offered = read(house, token)

    def act() -> None:
        record = acts.read(house, offered.match)
        event = NewEvent("seat.declined", {"seat": offered.seat, "number": offered.number})
        acts.append(house, record, [event], "decline")

    if offered.state == "open":
        acts.retry(act)
    return read(house, token)


def _invited(record: Record) -> list[Event]:
    return [event for event in record.events if event.type == "seat.invited"]


def _state(house: House, record: Record, seat: str, number: int, address: str) -> str:
    occupant = record.occupants.get(seat)
    if occupant is not None:
        known = by_address(house, address)
        return "accepted" if known is not None and known.id == occupant["account"] else "taken"
    declined = any(e.type == "seat.declined" and e.payload["number"] == number for e in record.events)
    return "declined" if declined else "open"
