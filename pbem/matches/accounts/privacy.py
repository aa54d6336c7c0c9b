"""Privacy requests: export everything stored about an account, or erase it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from eventstore import Event, Transaction
from pbem.matches.accounts import accounts, api_tokens, preferences, sessions, traces
from pbem.matches.accounts.accounts import account, stream_of
from pbem.matches.events import OrderSealed, SeatLeft, SeatTaken, content_as, each
from pbem.matches.exchange.seats import leave_seat, seats_of
from pbem.matches.film import looks
from pbem.matches.history.replay import SERVER, record_of
from pbem.matches.history.replay import stream_of as stream_of_match
from pbem.matches.players import drafts, press
from pbem.matches.post import inbox, outbox
from pbem.matches.server import Server

# Everything stored --------------------------------------------------------------------------------------------


def own_data(server: Server, id: str) -> dict[str, Any]:
    """Everything stored about an account, as plain data."""
    known = account(server, id)
    events = server.store.read(stream_of(id))
    return {
        "account": {"id": id, "name": known.name, "addresses": list(known.addresses), "muted": known.muted},
        "preferences": msgspec.to_builtins(preferences.profile(server, id)),
        "password": preferences.has_password(server, id),
        "sessions": msgspec.to_builtins(sessions.of_account(server, id)),
        "tokens": msgspec.to_builtins(api_tokens.of_account(server, id)),
        "events": [_describe_event(server, event) for event in events],
        "drafts": drafts.of_account(server, id),
        "draft_fates": drafts.fates_of_account(server, id),
        "looks": looks.of_account(server, id),
        "seats": [
            {"match": match, "seat": seat, "orders": orders} for match, seat, orders in _seats_played(server, id)
        ],
        "addresses_returning": [msgspec.to_builtins(marked) for marked in inbox.returning(server, id)],
        "mails_received": [_describe_email(mail) for mail in inbox.of_account(server, id)],
        "mails_owed": [
            {"kind": owed.kind, "match": owed.match, "queued_at": owed.queued_at, "sent_at": owed.sent_at}
            for owed in outbox.of_account(server, id)
        ],
    }


def _describe_event(server: Server, event: Event) -> dict[str, Any]:
    shown = [ref for ref in event.parts if ref.audience != SERVER]
    found = server.store.parts(ref.commitment for ref in shown)
    parts = {ref.name: msgspec.json.decode(found[ref.commitment].content) for ref in shown if ref.commitment in found}
    return {"type": event.type, "at": event.recorded_at, "payload": event.payload, "parts": parts}


def _seats_played(server: Server, id: str) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Every seat that the account has taken, with the orders it sealed there."""
    for match in traces.matches_of(server, id):
        sitting: dict[str, list[dict[str, Any]]] = {}
        taken: dict[str, str] = {}
        for event, what in each(record_of(server, match).events, SeatTaken, SeatLeft, OrderSealed):
            if isinstance(what, OrderSealed):
                if taken.get(what.seat) == id:
                    sitting[what.seat].append(_describe_order(server, event))
            elif isinstance(what, SeatTaken):
                taken[what.seat] = what.account
                if what.account == id:
                    sitting.setdefault(what.seat, [])
            elif isinstance(what, SeatLeft):
                taken.pop(what.seat, None)
        yield from ((match, seat, orders) for seat, orders in sitting.items())


def _describe_order(server: Server, event: Event) -> dict[str, Any]:
    """An order with its text, and how it arrived."""
    found = server.store.parts(ref.commitment for ref in event.parts)
    told: dict[str, Any] = {"exchange": content_as(event, OrderSealed).exchange, "sealed_at": event.recorded_at}
    for ref in event.parts:
        content = msgspec.json.decode(found[ref.commitment].content) if ref.commitment in found else {}
        told |= {"text": content.get("text", "")} if ref.name == "order" else content
    return told


def _describe_email(mail: inbox.Inbound) -> dict[str, Any]:
    raw = base64.b64encode(mail.raw).decode()
    return {"received_at": mail.received_at, "match": mail.match, "state": mail.state, "raw_base64": raw}


# Deletion ----------------------------------------------------------------------------------------------------


def delete(server: Server, id: str) -> None:
    """Take the account out of all seats and erase its identity; every chain still verifies."""
    for match in traces.matches_of(server, id):
        if not record_of(server, match).ended:
            for seat in seats_of(server, match, id):
                leave_seat(server, match, seat, "the account was deleted")
    forget(server, id)


FORGETTERS: list[Callable[[Server, Transaction, str], None]] = []
"""Callbacks of other packages that erase their data when an account is erased."""


def forget(server: Server, id: str) -> None:
    """Erase the account's identity and the emails it wrote. Its moves stay on record under its id."""
    own, addresses = list(_own_parts(server, id)), account(server, id).addresses

    def erase(transaction: Transaction) -> None:
        for module in (outbox, inbox, preferences, sessions, api_tokens, drafts, looks):
            module.erase(transaction, id)
        traces.erase(server, transaction, addresses)
        for erase_more in FORGETTERS:
            erase_more(server, transaction, id)
        for commitment in own:
            transaction.erase(commitment)

    accounts.forget(server, id, erase)


def _own_parts(server: Server, id: str) -> Iterator[str]:
    """Yield the commitments of an account's own parts in matches: letters, invitations, how its orders arrived."""
    for match in traces.matches_of(server, id):
        events = list(server.store.read(stream_of_match(match)))
        yield from (ref.commitment for event in events for ref in event.parts if ref.audience == id)
        yield from press.written_by(server, events, id)
    for address in account(server, id).addresses:
        for match in traces.invitations_of(server, address):
            yield from preferences.parts_with(server, stream_of_match(match), address)
