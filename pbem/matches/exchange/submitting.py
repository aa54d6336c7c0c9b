"""Accept an occupant's submission, by email, on the site or by a program: all of it, or nothing.

take         orders and requests in a text
submit       orders, even empty ones
confirm      a held email
finalise, withdraw
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from eventstore import Conflict
from pbem.engine.rules.refusals import Objection, Refusal, Unreadable, each
from pbem.engine.text.grammar import quoted
from pbem.engine.text.messages import say
from pbem.matches.clock import deadlines, outages
from pbem.matches.exchange import advancing, sealing
from pbem.matches.exchange.checks import check_in_time, check_occupant
from pbem.matches.exchange.sealing import Orders, Sent
from pbem.matches.history.receipts import Receipt
from pbem.matches.history.replay import Position, load, record_of
from pbem.matches.players import requests, sizes
from pbem.matches.players.requests import Done, Word
from pbem.matches.post import answers, inbox, reply_tokens
from pbem.matches.post.answers import Mail
from pbem.matches.post.notifications import catch_up
from pbem.matches.post.reply_tokens import Token
from pbem.matches.server import Server
from pbem.matches.unit_of_work import Change


class Taken(msgspec.Struct, frozen=True):
    """The outcome of a submission: the receipt for the orders, if any, and the results of the requests."""

    match: str
    receipt: Receipt | None
    done: list[Done]


class Lines(msgspec.Struct, frozen=True, kw_only=True):
    """A submission for an exchange: orders, and requests to the server.

    `at` is when it arrived (None: now). `raw` is the email that contained it, if it was one, and `held` its number
    if it was held until now. `mail` is the email being handled, which gets an answer.
    """

    match: str
    seat: str
    exchange: int
    orders: str
    said: tuple[Word, ...]
    by: str
    source: str
    final: bool = False
    at: int | None = None
    message_id: str = ""
    raw: bytes = b""
    held: int = 0
    mail: Mail | None = None

    @property
    def wants_final(self) -> bool:
        return self.final or any(word.name == "final" for word in self.said)

    @property
    def requests(self) -> tuple[Word, ...]:
        """The requests other than orders; if there are orders, `final` is part of sealing them."""
        if self.orders:
            return tuple(word for word in self.said if word.name != "final")
        has_final = any(word.name == "final" for word in self.said)
        return (*self.said, Word("final")) if self.final and not has_final else self.said


def position_of(server: Server, match: str) -> Position:
    """Return the position of a match after its deadline has been adjusted for all outages."""
    outages.settle(server, match)
    return load(server, match)


def take(
    server: Server,
    match: str,
    seat: str,
    exchange: int,
    text: str,
    *,
    by: str,
    source: str,
    position: Position | None = None,
    **more: Any,
) -> Taken:
    """Accept an occupant's requests and orders, either all of them or none.

    A refusal names everything that is wrong, in the requests and in the orders. `position` is the match as just
    read, if the caller has read it.
    """
    here = position or position_of(server, match)
    sizes.check_size(here, seat, text)
    parsed = requests.parse(text)
    sizes.check_lines(parsed.rest)
    said = {"orders": parsed.rest, "said": parsed.said, "by": by, "source": source, **more}
    lines = Lines(match=match, seat=seat, exchange=exchange, **said)
    if parsed.wrong:
        requests.check([*parsed.wrong, *_refusals_of_orders(here, lines), *_refusals_of_words(server, here, lines)])
    if parsed.rest or not parsed.said or _finishes_without_orders(here, lines):
        return _seal(server, here, lines)
    return _carry_out(server, here, lines)


def _finishes_without_orders(position: Position, lines: Lines) -> bool:
    """Whether a seat that has sealed nothing sends only `final`, which counts as an empty form."""
    return [word.name for word in lines.said] == ["final"] and lines.seat not in position.record.sealed


def submit(
    server: Server, match: str, seat: str, exchange: int, text: str, *, by: str, final: bool, source: str, **more: Any
) -> Receipt:
    """Seal the orders, even empty ones, of a seat's occupant. A line `final` makes them final."""
    here = position_of(server, match)
    sizes.check_size(here, seat, text)
    said, orders = requests.split(text)
    sizes.check_lines(orders)
    if not orders and any(word.name != "final" for word in said):
        # Sealing nothing would replace the sealed orders; `take` is for requests alone.
        raise Unreadable(
            "orders", [Objection("pbem/words", say("these lines are requests to the server, not orders"))]
        )
    about = {"orders": orders, "said": said, "by": by, "source": source, "final": final, **more}
    taken = _seal(server, here, Lines(match=match, seat=seat, exchange=exchange, **about))
    assert taken.receipt is not None
    return taken.receipt


def _seal(server: Server, position: Position, lines: Lines) -> Taken:
    """Seal orders and carry out the requests among them, in one change."""
    while True:
        try:
            orders = _read_orders(server, position, lines)
            requested = _besides_final(lines)  # requests may read other matches: then no other process may write
            with server.change(position, "seal", shared=not requested) as change:
                receipt = sealing.append_sealed(change, orders)
                done = _apply(change, lines, requested)
                if lines.source == "mail":
                    answers.owe_receipt(change, lines.exchange, lines.seat, lines.by, receipt, done, lines.message_id)
                _close_mail(change, lines, done)
        except Conflict:
            position = load(server, lines.match)
            continue
        advancing.go_on(server, lines.match, change.position)
        return Taken(lines.match, receipt, done)


def _besides_final(lines: Lines) -> list[Word]:
    """The requests other than `final`, which is part of sealing when orders, even empty ones, are sent."""
    return [word for word in lines.said if word.name != "final"]


def _read_orders(server: Server, position: Position, lines: Lines) -> Orders:
    """Read and check the orders among the lines; a refusal also lists the faults in the requests."""
    check_occupant(position.record, lines.seat, lines.by)
    if lines.source != "mail":
        _refuse_quoted(lines.orders)
    if any(word.name == "cancel" for word in lines.said):
        raise Unreadable("cancel", [Objection("pbem/words", say("send orders or `cancel`, not both"))])
    try:
        checked = sealing.check_text(position, lines.seat, lines.exchange, lines.orders)
    except Refusal as refusal:
        requests.check([*each(refusal), *_refusals_of_words(server, position, lines)])
        raise
    check_in_time(server, position.record, deadlines.now(server) if lines.at is None else lines.at)
    sent = Sent(lines.by, lines.source, lines.raw)
    return Orders(lines.seat, lines.exchange, checked, lines.orders, lines.wants_final, sent, lines.at)


def _carry_out(server: Server, position: Position, lines: Lines) -> Taken:
    """Carry out requests without orders, in one change."""
    while True:
        try:
            with server.change(position, "words") as change:
                done = _apply(change, lines, lines.requests)
                _close_mail(change, lines, done)
        except Conflict:
            position = load(server, lines.match)
            continue
        advancing.go_on(server, lines.match, change.position)
        return Taken(lines.match, None, done)


def _apply(change: Change, lines: Lines, said: Sequence[Word]) -> list[Done]:
    """Carry out every request, or refuse and name every one that cannot be carried out."""
    done: list[Done] = []
    wrong: list[Refusal] = []
    for word in said:
        try:
            done.append(requests.apply(change, lines.seat, word, lines.by, exchange=lines.exchange, at=lines.at))
        except Refusal as refusal:
            wrong += each(refusal)
    requests.check(wrong)
    return done


def _close_mail(change: Change, lines: Lines, done: Sequence[Done]) -> None:
    """Record the outcome of the email and queue its answer."""
    if lines.held:
        inbox.mark_again(change.transaction, lines.held, inbox.APPLIED, "confirmed")
    if lines.mail is not None:
        place = {"match": lines.match, "seat": lines.seat, "exchange": lines.exchange}
        answers.mark_applied(change.transaction, lines.mail, done, account=lines.by, **place)
        answers.owe_done(change.transaction, lines.mail, done, bool(lines.orders), account=lines.by, **place)


def _refusals_of_orders(position: Position, lines: Lines) -> list[Refusal]:
    """Return the mistakes in the orders among these lines; nothing is sealed."""
    if not lines.orders:
        return []
    try:
        sealing.check_text(position, lines.seat, lines.exchange, lines.orders)
    except Refusal as refusal:
        return list(each(refusal))
    return []


class _TakenBack(Exception):
    """Raised to roll back a transaction that was only a trial."""


def _refusals_of_words(server: Server, position: Position, lines: Lines) -> list[Refusal]:
    """Return the objections to the requests among these lines; no request is carried out."""
    wrong: list[Refusal] = []
    with suppress(_TakenBack, Conflict), server.change(position, "try") as change:
        try:
            _apply(change, lines, [word for word in lines.said if word.name != "final" or not lines.orders])
        except Refusal as refusal:
            wrong += each(refusal)
        raise _TakenBack
    return wrong


def take_final(text: str) -> tuple[str, bool]:
    """The orders in a text that did not come by email, and whether the text says that they are final."""
    said, orders = requests.split(text)
    _refuse_quoted(orders)
    return orders, any(word.name == "final" for word in said)


def _refuse_quoted(orders: str) -> None:
    """Refuse lines marked as quoted email, because outside an email they can only have been meant as orders."""
    why = say("a line that begins with > is read as quoted email, not as an order")
    requests.check(
        [Unreadable(line, [Objection("pbem/words", why)], [line.lstrip("> ")], line) for line in quoted(orders)]
    )


def finalise(server: Server, match: str, seat: str, exchange: int, *, by: str) -> None:
    """Mark the sealed orders as final, on behalf of the seat's occupant."""
    check_occupant(record_of(server, match), seat, by)
    sealing.finalise(server, match, seat, exchange)
    advancing.go_on(server, match)


def withdraw(server: Server, match: str, seat: str, exchange: int, *, by: str) -> None:
    """Withdraw the sealed orders, on behalf of the seat's occupant."""
    outages.settle(server, match)
    record = record_of(server, match)
    check_occupant(record, seat, by)
    check_in_time(server, record, deadlines.now(server))
    sealing.withdraw(server, match, seat, exchange)
    catch_up(server)


def confirm(server: Server, token: str | Token, mail: Mail | None = None) -> Taken:
    """Accept a held email that its account has confirmed, on the site or by another email."""
    said = reply_tokens.expect(server, token, "confirm") if isinstance(token, str) else token
    held = inbox.get(server, said.number)
    position = position_of(server, said.match)
    taken = position.record.occupants.get(said.seat)
    if held is None or held.state != inbox.HELD or taken is None or taken["occupancy"] != said.occupancy:
        raise reply_tokens.NotValid
    return take(
        server,
        said.match,
        said.seat,
        held.exchange,
        held.about["text"],
        by=taken["account"],
        position=position,
        final=held.about["final"],
        source="mail",
        at=held.received_at,
        message_id=held.message_id,
        raw=held.raw,
        held=held.id,
        mail=mail,
    )
