"""Seal orders until the exchange closes, make them final, withdraw them, and set standing orders.

Sealing commutes: on a version conflict the act is retried on the current version, and the player never notices.
"""

from __future__ import annotations

import base64
from typing import Any

import msgspec

from eventstore import Event, NewEvent, NewPart
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Submission
from pbem.engine.text.messages import say
from pbem.matches.clock.deadlines import deadline_of, is_late
from pbem.matches.events import OrderFinal, OrderSealed, OrderWithdrawn, StandingOrdersSet, content_as
from pbem.matches.exchange.checks import NotOpen, check_open
from pbem.matches.history.receipts import Receipt
from pbem.matches.history.record import Record, side_audience
from pbem.matches.history.replay import Position, load, record_of
from pbem.matches.players import many, work
from pbem.matches.server import Server
from pbem.matches.unit_of_work import Change, retrying


class Sent(msgspec.Struct, frozen=True):
    """How orders arrived: the channel, and the raw email if there was one.

    Stored for disputes, readable by the account alone.
    """

    account: str
    source: str
    raw: bytes = b""


class Orders(msgspec.Struct, frozen=True):
    """Orders to be sealed for an exchange: checked, with their original lines.

    `accepted` is when a listener accepted the email; it is recorded if the deadline has passed since.
    """

    seat: str
    exchange: int
    submission: Submission
    text: str = ""
    final: bool = False
    sent: Sent | None = None
    accepted: int | None = None


def check_text(position: Position, seat: str, exchange: int, text: str) -> Submission:
    """Return the canonical reading of a player's lines; refuse lines that cannot be sealed."""
    ask = check_open(position, seat, exchange)
    return position.read_once(seat, text, lambda: read_text(position, ask, text))


def read_text(position: Position, ask: Ask, text: str) -> Submission:
    """Return the canonical reading of lines that answer an open ask."""
    view = position.run.view(ask.seat)
    lines = many.expand(position.rules, view, ask, text)
    work.spend(lines=lines.count("\n") + 1)
    return check_answer(position, ask, position.rules.read(view, ask, lines))


def check(position: Position, seat: str, exchange: int, submission: Submission) -> Submission:
    """Return the canonical reading of a submission; refuse one that the seat's own view shows to be illegal."""
    return check_answer(position, check_open(position, seat, exchange), submission)


def check_answer(position: Position, ask: Ask, submission: Submission) -> Submission:
    """Return the canonical reading of an answer to an open ask."""
    view = position.run.view(ask.seat)
    return Submission(
        position.rules.check(view, ask, submission.answer), position.rules.check_plan(view, ask, submission.plan)
    )


@retrying
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
) -> Receipt:
    """Seal an answer until the exchange closes; it replaces the seat's previous one."""
    position = load(server, match)
    checked = check(position, seat, exchange, submission)
    with server.change(position, "seal") as change:
        return append_sealed(change, Orders(seat, exchange, checked, text, final, sent, accepted))


def append_sealed(change: Change, orders: Orders) -> Receipt:
    """Seal checked orders as part of a change."""
    record, checked = change.record, orders.submission
    content = {"answer": checked.answer, "plan": checked.plan, "text": orders.text}
    sealed = change.part("order", order_audience(record, orders.seat), content)
    parts = (sealed, *((sent_part(change, orders.sent),) if orders.sent else ()))
    final = [OrderFinal(orders.seat, orders.exchange)] if orders.final else []
    late = orders.accepted is not None and is_late(record, change.server.store.clock())
    event = OrderSealed(orders.seat, orders.exchange, (orders.accepted or 0) if late else 0).new(*parts)
    recorded = change.append(event, *final)[0]
    deadline = deadline_of(record)
    return sign_receipt(change.server, change.match, recorded, sealed, None if deadline is None else deadline.at)


def sent_part(change: Change, sent: Sent) -> NewPart:
    """How the orders arrived, as a part; orders from email and from the site both have it, so they look alike."""
    content = {"source": sent.source, "raw_base64": base64.b64encode(sent.raw).decode()}
    return change.part("sent", sent.account, content)


def order_audience(record: Record, seat: str) -> str:
    """Return who may read a seat's sealed orders: the seat, or its whole side if the side is one team."""
    shared = record.created.shares_orders and seat in record.sides
    return side_audience(record.sides[seat]) if shared else seat


def sign_receipt(server: Server, match: str, event: Event, sealed: NewPart, deadline: int | None) -> Receipt:
    """Sign the receipt of a sealed order; `deadline` is the deadline of the exchange as announced at that time."""
    content = msgspec.json.decode(sealed.content)
    receipt = Receipt(
        server=server.id,
        match=match,
        exchange=content_as(event, OrderSealed).exchange,
        seat=content_as(event, OrderSealed).seat,
        orders={"answer": content["answer"], "plan": content["plan"]},
        text=content["text"],
        commitment=event.parts[0].commitment,
        salt=sealed.salt.hex(),
        sealed_at=event.recorded_at,
        event=event.hash,
        deadline=deadline,
        machines=server.store.machines,
    )
    return msgspec.structs.replace(receipt, signature=server.signer.sign(receipt.body()))


@retrying
def finalise(server: Server, match: str, seat: str, exchange: int) -> None:
    """Mark the sealed orders as final. When all seats are final, the exchange closes."""
    position = load(server, match)
    events = final_events(position, seat, exchange)
    with server.change(position, "final") as change:
        change.append(*events)


def final_events(position: Position, seat: str, exchange: int) -> list[OrderFinal]:
    """Return the event that makes sealed orders final; none if they already are."""
    check_open(position, seat, exchange)
    if seat not in position.record.sealed:
        raise NotOpen(
            say("you have no sealed orders to make final; send the lines of the form, changed or not, with `final`")
        )
    return [] if seat in position.record.final else [OrderFinal(seat, exchange)]


@retrying
def withdraw(server: Server, match: str, seat: str, exchange: int) -> None:
    """Withdraw sealed orders before the exchange closes. They stay on record."""
    position = load(server, match)
    event = withdrawn_event(position, seat, exchange)
    with server.change(position, "withdraw") as change:
        change.append(event)


def withdrawn_event(position: Position, seat: str, exchange: int) -> OrderWithdrawn:
    """Return the event that withdraws sealed orders."""
    check_open(position, seat, exchange)
    if seat not in position.record.sealed:
        raise NotOpen(say("you have no sealed orders to withdraw"))
    return OrderWithdrawn(seat, exchange)


@retrying
def set_doctrine(server: Server, match: str, seat: str, doctrine: list[Any]) -> None:
    """Replace a seat's standing orders; they apply from the next automatic answer on."""
    with server.change(record_of(server, match), "doctrine") as change:
        change.append(doctrine_event(change, seat, doctrine))


def doctrine_event(change: Change, seat: str, doctrine: list[Any]) -> NewEvent:
    """Return the event that stores standing orders as the title reads them; refuse unreadable ones."""
    created = change.record.created
    rules = change.server.rules(created.title, created.blobs)
    return StandingOrdersSet(seat).new(change.part("doctrine", seat, rules.check_doctrine(doctrine)))
