"""Compare a log with the receipts and signed heads that its players have kept.

A server that holds the key can write a consistent log of something else. It cannot deny what it has signed: one
receipt or one head from any inbox shows the difference. The given receipts count as the complete set that their
seat got in that exchange, so an order that was replaced or withdrawn without a receipt is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eventstore import Event, commitment
from pbem.matches.audit.problems import Problem
from pbem.matches.history import moves
from pbem.matches.history.export import Export
from pbem.matches.history.receipts import Receipt, SignedHead, unhex

FALLS = ("exchange.voided", "ruling.reopened", "ruling.recomputed", "ruling.corrected")
"""Events after which the sealed orders of every seat are void."""


def problems(
    export: Export, heads: Sequence[SignedHead], receipts: Sequence[Receipt], trusted: str = ""
) -> Iterator[Problem]:
    """Yield the problems: every receipt and head that players have kept must be in the log, and must have counted."""
    by_hash = {event.hash: event for event in export.events}
    latest: dict[tuple[str, int], Event] = {}
    for receipt in receipts:
        event = by_hash.get(receipt.event)
        found = list(_receipt_problems(export, receipt, event, trusted))
        yield from found
        if event is not None and not found:
            place = (receipt.seat, receipt.exchange)
            latest[place] = max(latest.get(place, event), event, key=lambda one: one.version)
    for event in latest.values():
        yield from _passed_over(export, event)
    for head in heads:
        event = by_hash.get(head.event)
        if head.server != _in_charge(export, event) or head.match != export.match or not head.genuine(trusted):
            yield Problem(0, f"the head of exchange {head.exchange} is not signed by this server", "head")
        elif event is None or _exchange_of(event) not in (None, head.exchange):
            yield _missing(export, "exchange.resolved", head.exchange, "head")


def _in_charge(export: Export, event: Event | None) -> str:
    """The server that may sign for an event, because a match can move and each server signs for its own time."""
    return moves.server_at(export.events, event.version) if event is not None else export.server


def facts(export: Export, heads: Sequence[SignedHead]) -> Iterator[str]:
    """Say how much of the log the given heads cover."""
    versions = [event.version for event in export.events if event.hash in {head.event for head in heads}]
    if versions and (rest := len(export.events) - max(versions)):
        yield f"the last {rest} events are later than the newest signed head that was given"


def _receipt_problems(export: Export, receipt: Receipt, event: Event | None, trusted: str) -> Iterator[Problem]:
    who = f"the receipt of {receipt.seat} in exchange {receipt.exchange}"
    if receipt.server != _in_charge(export, event) or receipt.match != export.match or not receipt.genuine(trusted):
        yield Problem(0, f"{who} is not signed by this server", "receipt")
    elif event is None or event.type != "order.sealed":
        yield _missing(export, "order.sealed", receipt.exchange, "receipt", receipt.seat)
    elif event.parts[0].commitment != receipt.commitment:
        yield Problem(event.version, "the sealed order is not the one on the receipt", "receipt")
    elif receipt.commitment != commitment(unhex(receipt.salt), receipt.content()):
        yield Problem(
            event.version, "the orders restated on the receipt differ from those that it commits to", "receipt"
        )
    elif receipt.deadline is not None and receipt.deadline != _deadline_at(export, event):
        yield Problem(
            event.version,
            "the receipt names a different deadline from the one announced in the log",
            "receipt-deadline",
        )


def _deadline_at(export: Export, sealed: Event) -> int | None:
    """The deadline of the exchange as it was announced when this order was sealed."""
    for event in reversed(export.events[: sealed.version - 1]):
        if event.type == "deadline.set" and event.payload["exchange"] == sealed.payload["exchange"]:
            return int(event.payload["at"])
    return None


def _passed_over(export: Export, sealed: Event) -> Iterator[Problem]:
    """Check that the last order for which a seat has a receipt counts until its exchange closes."""
    seat, exchange = sealed.payload["seat"], sealed.payload["exchange"]
    for event in export.events[sealed.version :]:
        same = event.payload.get("seat") == seat
        if event.type in FALLS or (event.type == "seat.left" and same):
            return
        if event.type == "order.sealed" and same:
            what = f"it replaces the order of {seat} for which there is a receipt, and no receipt for it was given"
            yield Problem(event.version, what, "receipt-replaced")
            return
        if event.type == "order.withdrawn" and same:
            what = f"it withdraws the order of {seat} for which there is a receipt; did {seat} do that?"
            yield Problem(event.version, what, "receipt-withdrawn")
            return
        if event.type == "exchange.closed" and event.payload["exchange"] == exchange:
            if event.payload["counts"].get(seat) != sealed.version:
                yield Problem(event.version, f"the order of {seat} on the receipt was left out", "receipt-ignored")
            return


def _exchange_of(event: Event) -> int | None:
    """The exchange that an event names; a head may also cover an event that names none."""
    found = event.payload.get("exchange")
    return found if event.type in ("exchange.resolved", "exchange.recomputed", "match.ended") else None


def _missing(export: Export, type: str, exchange: int, code: str, seat: str = "") -> Problem:
    """Locate the event that the log has in place of the signed one."""
    for event in export.events:
        same = event.type == type and event.payload.get("exchange") == exchange
        if same and event.payload.get("seat", "") == seat:
            return Problem(event.version, f"this {type} is not the one that the server signed", code)
    who = f" of {seat}" if seat else ""
    what = f"the log does not hold the {type}{who} in exchange {exchange} that the server signed"
    return Problem(0, what, code)
