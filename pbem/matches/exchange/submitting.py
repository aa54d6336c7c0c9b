"""Take what an occupant has written, by mail, on the site or by a program: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from eventstore import Transaction
from pbem.engine.rules.refusals import Objection, Refusal, Unreadable, each
from pbem.matches.clock import deadlines, outages
from pbem.matches.exchange import advancing, sealing
from pbem.matches.exchange.checks import check_in_time, check_occupant
from pbem.matches.history.receipts import Receipt
from pbem.matches.history.replay import (
    load,
    record_of,
)
from pbem.matches.players import requests, sizes
from pbem.matches.players.requests import Done, Word
from pbem.matches.post import inbox, reply_tokens
from pbem.matches.post.notifications import catch_up, owe
from pbem.matches.post.reply_tokens import Token
from pbem.matches.server import Server


class Taken(msgspec.Struct, frozen=True):
    """What became of somebody's lines: the receipt of his orders, if any, and what his words have brought."""

    match: str
    receipt: Receipt | None
    done: list[Done]


class Lines(msgspec.Struct, frozen=True, kw_only=True):
    """What an occupant has written for an exchange: orders, and words for the server.

    `at` is when it came in (None: now), `raw` the mail if it was one. `with_it` joins the transaction, and is told
    what the words have brought.
    """

    match: str
    seat: str
    exchange: int
    orders: str
    said: tuple[Word, ...]
    by: str
    source: str
    at: int | None = None
    message_id: str = ""
    raw: bytes = b""
    with_it: Callable[[Transaction, list[Done]], None] | None = None


def take(
    server: Server,
    match: str,
    seat: str,
    exchange: int,
    text: str,
    *,
    by: str,
    source: str,
    final: bool = False,
    **more: Any,
) -> Taken:
    """All that an occupant has written, words for the server and orders: whole or not at all.

    A refusal names everything that is wrong, in the words and in the orders.
    """
    sizes.check_size(server, match, seat, text)
    parsed = requests.parse(text)
    orders, said = parsed.rest, parsed.said
    sizes.check_lines(orders)
    lines = Lines(match=match, seat=seat, exchange=exchange, orders=orders, said=said, by=by, source=source, **more)
    if parsed.wrong:
        requests.check([*parsed.wrong, *_refusals_of_orders(server, lines), *_refusals_of_words(server, lines)])
    if orders or not said:
        return _seal(server, lines, final)
    said = (*said, Word("final")) if final and not parsed.has("final") else said
    outages.settle(server, match)
    with server.store.transaction("words") as transaction:
        done = _apply(server, transaction, lines, said)
        if lines.with_it is not None:
            lines.with_it(transaction, done)
    advancing.go_on(server, match)
    return Taken(match, None, done)


def submit(
    server: Server,
    match: str,
    seat: str,
    exchange: int,
    text: str,
    *,
    by: str,
    final: bool,
    source: str,
    **more: Any,
) -> Receipt:
    """Seal orders for the occupant of a seat, also if they say nothing. A line `final` makes them final."""
    sizes.check_size(server, match, seat, text)
    said, orders = requests.split(text)
    sizes.check_lines(orders)
    if not orders and any(word.name != "final" for word in said):
        # Sealing nothing would replace what was sealed before; `take` is for words alone.
        raise Unreadable("orders", [Objection("pbem/words", "these lines are words for the server and no orders")])
    lines = Lines(match=match, seat=seat, exchange=exchange, orders=orders, said=said, by=by, source=source, **more)
    taken = _seal(server, lines, final)
    assert taken.receipt is not None
    return taken.receipt


def _seal(server: Server, lines: Lines, final: bool) -> Taken:
    """Seal orders, and carry out what else was said, in one transaction."""
    outages.settle(server, lines.match)
    check_occupant(record_of(server, lines.match), lines.seat, lines.by)
    if any(word.name == "cancel" for word in lines.said):
        raise Unreadable("cancel", [Objection("pbem/words", "send either orders or the line cancel")])
    others = [word for word in lines.said if word.name != "final"]
    done: list[Done] = []
    read = False

    def join(transaction: Transaction, receipt: Receipt) -> None:
        nonlocal read
        read = True
        record = record_of(server, lines.match)
        check_occupant(record, lines.seat, lines.by)
        check_in_time(server, record, deadlines.now(server) if lines.at is None else lines.at)
        done[:] = _apply(server, transaction, lines, others)
        if lines.source == "mail":
            owe_receipt(transaction, lines, receipt, done)
        if lines.with_it is not None:
            lines.with_it(transaction, done)

    final = final or len(others) < len(lines.said)
    sent = sealing.Sent(lines.by, lines.source, lines.raw)
    place = (lines.match, lines.seat, lines.exchange)
    more: dict[str, Any] = {"final": final, "sent": sent, "accepted": lines.at, "with_it": join}
    try:
        receipt = sealing.seal_text(server, *place, lines.orders, **more)
    except Refusal as refusal:
        if not read:  # the orders are wrong; the words may be too
            requests.check([*each(refusal), *_refusals_of_words(server, lines)])
        raise
    advancing.go_on(server, lines.match)
    return Taken(lines.match, receipt, done)


def _apply(server: Server, transaction: Transaction, lines: Lines, said: Sequence[Word]) -> list[Done]:
    """Carry out every word, or refuse all that cannot be."""
    done: list[Done] = []
    wrong: list[Refusal] = []
    for word in said:
        try:
            place = (server, transaction, lines.match, lines.seat)
            done.append(requests.apply(*place, word, lines.by, exchange=lines.exchange, at=lines.at))
        except Refusal as refusal:
            wrong += each(refusal)
    requests.check(wrong)
    return done


def _refusals_of_orders(server: Server, lines: Lines) -> list[Refusal]:
    """What is wrong with the orders among these lines; nothing is sealed."""
    if not lines.orders:
        return []
    try:
        sealing.check_text(load(server, lines.match), lines.seat, lines.exchange, lines.orders)
    except Refusal as refusal:
        return list(each(refusal))
    return []


class _TakenBack(Exception):
    """A transaction that was only tried."""


def _others(lines: Lines) -> list[Word]:
    """The words besides orders; with those, `final` is part of sealing."""
    return [word for word in lines.said if word.name != "final" or not lines.orders]


def _refusals_of_words(server: Server, lines: Lines) -> list[Refusal]:
    """What would be wrong with carrying out the words among these lines; nothing is done."""
    wrong: list[Refusal] = []
    with suppress(_TakenBack), server.store.transaction("try") as transaction:
        try:
            _apply(server, transaction, lines, _others(lines))
        except Refusal as refusal:
            wrong += each(refusal)
        raise _TakenBack
    return wrong


def owe_receipt(transaction: Transaction, lines: Lines, receipt: Receipt, done: Sequence[Done]) -> None:
    """The answer to orders that came by mail; what words have brought stands in it."""
    mail = {"match": lines.match, "exchange": lines.exchange, "at": receipt.sealed_at, "key": receipt.event}
    notes = "\n".join(one.note for one in done if one.note)
    about = {"commitment": receipt.commitment, "message_id": lines.message_id, "note": notes}
    owe(transaction, "receipt", account=lines.by, seat=lines.seat, about=about, **mail)


def take_final(text: str) -> tuple[str, bool]:
    """The orders in a text, and whether it says that they are final."""
    said, orders = requests.split(text)
    return orders, any(word.name == "final" for word in said)


def finalise(server: Server, match: str, seat: str, exchange: int, *, by: str) -> None:
    """Say that what is sealed is final."""
    check_occupant(record_of(server, match), seat, by)
    sealing.finalise(server, match, seat, exchange)
    advancing.go_on(server, match)


def withdraw(server: Server, match: str, seat: str, exchange: int, *, by: str) -> None:
    """Take back what is sealed."""
    outages.settle(server, match)
    record = record_of(server, match)
    check_occupant(record, seat, by)
    check_in_time(server, record, deadlines.now(server))
    sealing.withdraw(server, match, seat, exchange)
    catch_up(server)


def confirm(
    server: Server, token: str | Token, with_it: Callable[[Transaction, list[Done]], None] | None = None
) -> Taken:
    """Take what a held mail says: its account says that it sent it. `with_it` joins the transaction."""
    said = reply_tokens.expect(server, token, "confirm") if isinstance(token, str) else token
    held = inbox.get(server, said.number)
    record = record_of(server, said.match)
    taken = record.occupants.get(said.seat)
    if held is None or held.state != inbox.HELD or taken is None or taken["occupancy"] != said.occupancy:
        raise reply_tokens.NotValid

    def join(transaction: Transaction, done: list[Done]) -> None:
        inbox.mark_again(transaction, held.id, inbox.APPLIED, "confirmed")
        if with_it is not None:
            with_it(transaction, done)

    return take(
        server,
        said.match,
        said.seat,
        held.exchange,
        held.about["text"],
        by=taken["account"],
        final=held.about["final"],
        source="mail",
        at=held.received_at,
        message_id=held.message_id,
        raw=held.raw,
        with_it=join,
    )
