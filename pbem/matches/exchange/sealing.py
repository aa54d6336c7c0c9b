"""Seal orders until the exchange closes, make them final, take them back, and set standing orders.

Sealing commutes: on a version conflict the act is tried again on what is there now, and a player never sees it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import msgspec

from eventstore import Event, NewEvent, NewPart, Transaction
from pbem.engine.rules.title import Submission
from pbem.matches import unit_of_work
from pbem.matches.clock.deadlines import deadline_of, is_late
from pbem.matches.exchange.checks import NotOpen, check_open
from pbem.matches.history.receipts import Receipt
from pbem.matches.history.record import Record, side_audience
from pbem.matches.history.replay import (
    Position,
    load,
    record_of,
)
from pbem.matches.server import Server


class Sent(msgspec.Struct, frozen=True):
    """How orders came in: by which way, and the raw mail if it was one. Kept for disputes, for the account alone."""

    account: str
    source: str
    raw: bytes = b""


def sent_part(server: Server, match: str, version: int, sent: Sent) -> NewPart:
    """Orders from a mail and from the site have it alike, so that nobody can tell them apart."""
    content = {"source": sent.source, "raw_base64": base64.b64encode(sent.raw).decode()}
    return unit_of_work.part(server, match, version, "sent", sent.account, content)


def seal_text(server: Server, match: str, seat: str, exchange: int, text: str, **more: Any) -> Receipt:
    """Read a player's lines and seal them."""
    position = load(server, match)
    ask = check_open(position, seat, exchange)
    submission = position.rules.read(position.run.view(seat), ask, text)
    return seal(server, match, seat, exchange, submission, text=text, **more)


def check_text(position: Position, seat: str, exchange: int, text: str) -> Submission:
    """The canonical reading of a player's lines; a refusal if they cannot be sealed."""
    ask = check_open(position, seat, exchange)
    return check(position, seat, exchange, position.rules.read(position.run.view(seat), ask, text))


def check(position: Position, seat: str, exchange: int, submission: Submission) -> Submission:
    """The canonical reading of a submission; a refusal if the seat's view shows that it is not legal."""
    ask = check_open(position, seat, exchange)
    view = position.run.view(seat)
    return Submission(
        position.rules.check(view, ask, submission.answer), position.rules.check_plan(view, ask, submission.plan)
    )


def seal(
    server: Server,
    match: str,
    seat: str,
    exchange: int,
    submission: Submission,
    *,
    text: str = "",
    final: bool = False,
    sent: Sent | None = None,
    accepted: int | None = None,
    with_it: Callable[[Transaction, Receipt], None] | None = None,
) -> Receipt:
    """Seal an answer until closing; it replaces the seat's last one. `with_it` joins the same transaction.

    `accepted` is when a listener accepted the email; it is put on record if the deadline has fallen since.
    """

    def act() -> Receipt:
        position = load(server, match)
        checked, record = check(position, seat, exchange, submission), position.record
        content = {"answer": checked.answer, "plan": checked.plan, "text": text}
        sealed = unit_of_work.part(server, match, record.version + 1, "order", order_audience(record, seat), content)
        parts = (sealed, *((sent_part(server, match, record.version + 1, sent),) if sent else ()))
        payload: dict[str, Any] = {"seat": seat, "exchange": exchange}
        if accepted is not None and is_late(record, server.store.clock()):
            payload["accepted"] = accepted
        events = [NewEvent("order.sealed", payload, parts=parts)]
        if final:
            events.append(NewEvent("order.final", {"seat": seat, "exchange": exchange}))
        with server.store.transaction("seal") as transaction:
            event = transaction.append(record.stream, events, expected=record.version)[0]
            receipt = sign_receipt(server, match, event, sealed, record)
            if with_it is not None:
                with_it(transaction, receipt)
        return receipt

    return unit_of_work.retry(act)


def order_audience(record: Record, seat: str) -> str:
    """Who may read a seat's sealed orders: the seat, or its whole side where the title says that it is one team."""
    shared = record.created.get("shares_orders", False) and seat in record.sides
    return side_audience(record.sides[seat]) if shared else seat


def sign_receipt(server: Server, match: str, event: Event, sealed: NewPart, record: Record) -> Receipt:
    """The receipt of a sealed order; `record` is the match as it stood then."""
    content, deadline = msgspec.json.decode(sealed.content), deadline_of(record)
    receipt = Receipt(
        server=server.id,
        match=match,
        exchange=event.payload["exchange"],
        seat=event.payload["seat"],
        orders={"answer": content["answer"], "plan": content["plan"]},
        text=content["text"],
        commitment=event.parts[0].commitment,
        salt=sealed.salt.hex(),
        sealed_at=event.recorded_at,
        event=event.hash,
        deadline=None if deadline is None else deadline.at,
    )
    return msgspec.structs.replace(receipt, signature=server.signer.sign(receipt.body()))


def finalise(server: Server, match: str, seat: str, exchange: int) -> None:
    """Say that the sealed orders are final. When all are, the exchange closes."""

    def act() -> None:
        position = load(server, match)
        unit_of_work.append(server, position.record, final_events(position, seat, exchange), "final")

    unit_of_work.retry(act)


def final_events(position: Position, seat: str, exchange: int) -> list[NewEvent]:
    """What makes sealed orders final; nothing if they are."""
    check_open(position, seat, exchange)
    if seat not in position.record.sealed:
        raise NotOpen("nothing is sealed yet that could be final")
    is_final = seat in position.record.final
    return [] if is_final else [NewEvent("order.final", {"seat": seat, "exchange": exchange})]


def withdraw(server: Server, match: str, seat: str, exchange: int) -> None:
    """Take sealed orders back before closing. They stay on record."""

    def act() -> None:
        position = load(server, match)
        unit_of_work.append(server, position.record, [withdrawn_event(position, seat, exchange)], "withdraw")

    unit_of_work.retry(act)


def withdrawn_event(position: Position, seat: str, exchange: int) -> NewEvent:
    """What takes sealed orders back."""
    check_open(position, seat, exchange)
    if seat not in position.record.sealed:
        raise NotOpen("nothing is sealed that could be withdrawn")
    return NewEvent("order.withdrawn", {"seat": seat, "exchange": exchange})


def set_doctrine(server: Server, match: str, seat: str, doctrine: list[Any]) -> None:
    """Replace a seat's standing orders; they hold from the next automatic answer on."""

    def act() -> None:
        record = record_of(server, match)
        unit_of_work.append(server, record, [doctrine_event(server, record, seat, doctrine)], "doctrine")

    unit_of_work.retry(act)


def doctrine_event(server: Server, record: Record, seat: str, doctrine: list[Any]) -> NewEvent:
    """Standing orders as the title reads them; a refusal if it cannot."""
    rules = server.rules(record.created["title"], record.created["blobs"])
    match, content = record.stream.removeprefix("match/"), rules.check_doctrine(doctrine)
    kept = unit_of_work.part(server, match, record.version + 1, "doctrine", seat, content)
    return NewEvent("doctrine.set", {"seat": seat}, parts=(kept,))
