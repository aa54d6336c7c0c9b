"""The desk: what mail, web and command line call. Occupants are checked here, and every mail is owed from here.

open_house                                  a server with all its tables
new_match, take_seat                        how a match comes about
take, submit, finalise, withdraw, confirm   what an occupant does
forget                                      what he may ask for
status, open_form, report, receipt, story   what a viewer may know
advance, play_bots, catch_up                what the server does by itself (see also `clock.tick`)
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from eventstore import Transaction
from pbem.engine.rules.refusals import Objection, Refusal, Unreadable, each
from pbem.engine.rules.title import Title
from pbem.matches import bots, summaries
from pbem.matches.accounts import accounts, api_tokens, preferences, rate_limits, reliability, sessions
from pbem.matches.accounts.accounts import Account, account
from pbem.matches.clock import deadlines, outages, watch
from pbem.matches.clock.deadline_rules import read_timing
from pbem.matches.exchange import acts, progress, sizes
from pbem.matches.exchange.acts import check_occupant
from pbem.matches.history import final_views
from pbem.matches.history.receipts import Receipt
from pbem.matches.history.record import Entry, Record
from pbem.matches.history.replay import Position, load
from pbem.matches.players import press, requests
from pbem.matches.players.requests import Done, Word
from pbem.matches.post import inbox, notifications, outbox, reply_tokens
from pbem.matches.post.notifications import announce, catch_up, owe
from pbem.matches.post.reply_tokens import Token
from pbem.matches.server import Server
from pbem.matches.views import (
    Form,
    Mine,
    Report,
    Status,
    Told,
    open_form,
    reading,
    receipt,
    report,
    seats_asked,
    status,
    story,
)

__all__ = ["Done", "Form", "Mine", "Report", "Status", "Told"]
__all__ += ["open_form", "reading", "receipt", "report", "status", "story"]

log = logging.getLogger("pbem.desk")

MOST_NAME = 80
MOST_SETTLED = 100

MOST_EXCHANGES = 20
"""How many exchanges one call of `advance` may run through: bots among themselves must not stop the tick."""


# The server ---------------------------------------------------------------------------------------------------

TABLES = (
    accounts,
    preferences,
    sessions,
    api_tokens,
    reply_tokens,
    outbox,
    inbox,
    rate_limits,
    notifications,
    reliability,
    watch,
    progress,
    final_views,
    summaries,
)


def open_server(path: str | Path, titles: Mapping[str, Title], **more: Any) -> Server:
    """A server with all its tables."""
    server = Server(path, titles, **more)
    server.watched_dice = progress.watched
    with server.store.transaction() as transaction:
        for module in TABLES:
            module.create_tables(transaction.database)
    return server


# How a match comes about -------------------------------------------------------------------------------------


def new_match(
    server: Server,
    title: str,
    scenario: str,
    *,
    name: str = "",
    cadence: int = 0,
    timing: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    reactions: str = "plan",
    master: str = "",
) -> str:
    """Create a match with a cadence in hours (0: no deadline); `timing` says what else `Timing` knows."""
    agreed = read_timing({**(timing or {}), "hours": cadence})
    return acts.create(
        server,
        title,
        scenario,
        name=one_line(name),
        options=options,
        reactions=reactions,
        master=master,
        more={"cadence": cadence, "timing": msgspec.to_builtins(msgspec.structs.replace(agreed, hours=0))},
    )


def one_line(name: str) -> str:
    """A name as it can stand in a subject and in a list."""
    return " ".join(name.split())[:MOST_NAME]


def take_seat(server: Server, match: str, seat: str, account: str) -> None:
    """Put an account into a free seat; with the last one the match starts and forms are owed."""
    acts.take_seat(server, match, seat, account)
    catch_up(server)
    go_on(server, match)


def occupant(server: Server, match: str, seat: str) -> Account | None:
    taken = acts.read(server, match).occupants.get(seat)
    return None if taken is None else account(server, taken["account"])


def seats_of(server: Server, match: str, account: str) -> list[str]:
    """The seats in which an account sits."""
    return [s for s, taken in sorted(acts.read(server, match).occupants.items()) if taken["account"] == account]


# What an occupant does ---------------------------------------------------------------------------------------


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
    go_on(server, match)
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
    check_occupant(acts.read(server, lines.match), lines.seat, lines.by)
    if any(word.name == "cancel" for word in lines.said):
        raise Unreadable("cancel", [Objection("pbem/words", "send either orders or the line cancel")])
    others = [word for word in lines.said if word.name != "final"]
    done: list[Done] = []
    read = False

    def join(transaction: Transaction, receipt: Receipt) -> None:
        nonlocal read
        read = True
        record = acts.read(server, lines.match)
        check_occupant(record, lines.seat, lines.by)
        acts.check_in_time(server, record, deadlines.now(server) if lines.at is None else lines.at)
        done[:] = _apply(server, transaction, lines, others)
        if lines.source == "mail":
            owe_receipt(transaction, lines, receipt, done)
        if lines.with_it is not None:
            lines.with_it(transaction, done)

    final = final or len(others) < len(lines.said)
    sent = acts.Sent(lines.by, lines.source, lines.raw)
    place = (lines.match, lines.seat, lines.exchange)
    try:
        receipt = acts.seal_text(server, *place, lines.orders, final=final, sent=sent, with_it=join)
    except Refusal as refusal:
        if not read:  # the orders are wrong; the words may be too
            requests.check([*each(refusal), *_refusals_of_words(server, lines)])
        raise
    go_on(server, lines.match)
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
        acts.check_text(load(server, lines.match), lines.seat, lines.exchange, lines.orders)
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
    check_occupant(acts.read(server, match), seat, by)
    acts.finalise(server, match, seat, exchange)
    go_on(server, match)


def withdraw(server: Server, match: str, seat: str, exchange: int, *, by: str) -> None:
    """Take back what is sealed."""
    outages.settle(server, match)
    record = acts.read(server, match)
    check_occupant(record, seat, by)
    acts.check_in_time(server, record, deadlines.now(server))
    acts.withdraw(server, match, seat, exchange)
    catch_up(server)


def confirm(
    server: Server, token: str | Token, with_it: Callable[[Transaction, list[Done]], None] | None = None
) -> Taken:
    """Take what a held mail says: its account says that it sent it. `with_it` joins the transaction."""
    said = reply_tokens.expect(server, token, "confirm") if isinstance(token, str) else token
    held = inbox.get(server, said.number)
    record = acts.read(server, said.match)
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


FORGETTERS: list[Callable[[Server, Transaction, str], None]] = []
"""What other packages erase when an account is forgotten."""


def forget(server: Server, account: str) -> None:
    """Erase who an account is and what it wrote in mails. What it played stays on record under its id."""

    def erase(transaction: Transaction) -> None:
        for module in (outbox, inbox, preferences, sessions, api_tokens):
            module.erase(transaction, account)
        press.erase(server, transaction, account)
        for erase_more in FORGETTERS:
            erase_more(server, transaction, account)
        for commitment in _own_parts(server, account):
            transaction.erase(commitment)

    accounts.forget(server, account, erase)


def _own_parts(server: Server, account: str) -> list[str]:
    """What was kept in matches for an account alone: how its orders came in."""
    streams = server.store.streams("match/")
    refs = (ref for stream in streams for event in server.store.read(stream) for ref in event.parts)
    return [ref.commitment for ref in refs if ref.audience == account]


# What the server does by itself ------------------------------------------------------------------------------


def go_on(server: Server, match: str) -> None:
    """Let a match go on after an act: here and now, or by the job that resolves if the server has one."""
    if server.later is None:
        return advance(server, match)
    if not is_ready(acts.read(server, match)):
        close_if_final(server, match)
    catch_up(server)
    return server.later(match)


def advance(server: Server, match: str) -> None:
    """Resolve what is closed, let bots answer, close what is final, and so on until a person is wanted."""
    if not is_checked(server, match):
        return
    if is_ready(acts.read(server, match)):
        acts.start(server, match)
    for _ in range(MOST_EXCHANGES):
        with progress.shown(server, match, acts.read(server, match)):
            resolve(server, match)
        position = load(server, match)
        for seat in bots.bot_seats(position):
            bots.answer(server, position, seat)
        if not close_if_final(server, match):
            break
    catch_up(server)


def is_ready(record: Record) -> bool:
    """Every seat is taken and nothing has begun: whoever took the last one did not get to it."""
    return not record.started and not acts.free_seats(record)


def is_checked(server: Server, match: str) -> bool:
    """Whether the past of a match comes out the same under the rules that run now; until then it waits."""
    row = server.database.execute("SELECT unchecked FROM desk WHERE match = ?", (match,)).fetchone()
    return row is None or not row[0]


def close_if_final(server: Server, match: str) -> bool:
    """Close when every asked seat is final; not during a hold, and not while mail for the match waits."""
    record = acts.read(server, match)
    asked = seats_asked(server, match, record)
    if not asked or set(asked) - set(record.final) or inbox.is_awaited(server, match):
        return False
    if not is_checked(server, match):
        return False
    if deadlines.held_since(server) or deadlines.on_hold(record):
        return False
    return acts.close(server, match, exchange=record.open_exchange, why="final")


def resolve(server: Server, match: str) -> None:
    """Resolve what is closed; reports, forms and the next deadline belong to the same transaction."""

    def join(transaction: Transaction, position: Position, entry: Entry) -> None:
        assert entry.resolved is not None
        announce(server, transaction, entry.resolved)

    acts.resolve(server, match, join)


def play_bots(server: Server) -> None:
    """Let every bot answer from which something is wanted."""
    for match in running(server):
        with safely(match, "its bots could not play"):
            if bots.bot_seats(load(server, match)):
                advance(server, match)


@contextmanager
def safely(match: str, what: str) -> Iterator[None]:
    """One match that cannot go on does not stop the others; trouble of the machine stops all."""
    try:
        yield
    except (sqlite3.Error, OSError):
        raise
    except Exception:
        log.exception("match %s: %s", match, what)


def hold(server: Server, why: str = "") -> bool:
    """From now on nothing closes."""
    return deadlines.hold(server, why)


def release(server: Server) -> bool:
    """Closing goes on; deadlines move by the held time."""
    done = deadlines.release(server)
    settle_all(server)
    return done


def record_outage(server: Server, since: int, until: int, why: str) -> None:
    """Nobody watched the clock: note it, and move every deadline by that time."""
    outages.record_outage(server, since, until, why)
    settle_all(server)


def settle_all(server: Server) -> None:
    """Move every deadline that is still to be moved."""
    catch_up(server)
    while due := outages.pending(server, MOST_SETTLED):
        for match in due:
            outages.settle(server, match)
    catch_up(server)


def running(server: Server) -> list[str]:
    """The matches that are not over."""
    catch_up(server)
    return [match for (match,) in server.database.execute("SELECT match FROM desk WHERE ended = 0 ORDER BY match")]
