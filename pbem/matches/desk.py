"""The desk: what mail, web and command line call. Occupants are checked here, and every mail is owed from here.

open_house                                  a house with all its tables
new_match, take_seat                        how a match comes about
take, submit, finalise, withdraw, confirm   what an occupant does
forget                                      what he may ask for
status, open_form, report, receipt, story   what a viewer may know
advance, play_bots, catch_up, tick          what the server does by itself
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
from pbem.engine.refusals import Objection, Refusal, Unreadable, each
from pbem.engine.title import Title
from pbem.matches import (
    accounts,
    acts,
    announcing,
    api_tokens,
    bots,
    closing,
    deadlines,
    inbox,
    limits,
    outbox,
    press,
    profiles,
    reliability,
    sessions,
    tokens,
    words,
)
from pbem.matches.accounts import Account, account
from pbem.matches.acts import check_occupant
from pbem.matches.announcing import announce, catch_up, owe
from pbem.matches.house import House, fingerprint
from pbem.matches.position import Position, load, stream_of
from pbem.matches.receipts import Receipt
from pbem.matches.record import Entry, Record
from pbem.matches.timing import read_timing
from pbem.matches.tokens import Token
from pbem.matches.viewing import (
    Form,
    Mine,
    Report,
    Status,
    Told,
    open_form,
    reading,
    receipt,
    report,
    status,
    story,
)
from pbem.matches.words import Done, Word

__all__ = ["Done", "Form", "Mine", "Report", "Status", "Told"]
__all__ += ["open_form", "reading", "receipt", "report", "status", "story"]

log = logging.getLogger("pbem.desk")

MOST_NAME = 80

MOST_EXCHANGES = 20
"""How many exchanges one call of `advance` may run through: bots among themselves must not stop the tick."""


# The house ---------------------------------------------------------------------------------------------------

TABLES = (accounts, profiles, sessions, api_tokens, tokens, outbox, inbox, limits, announcing, reliability)


def open_house(path: str | Path, titles: Mapping[str, Title], **more: Any) -> House:
    """A house with all its tables."""
    house = House(path, titles, **more)
    with house.store.transaction() as transaction:
        for module in TABLES:
            module.create_tables(transaction.database)
    return house


# How a match comes about -------------------------------------------------------------------------------------


def new_match(
    house: House,
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
        house,
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


def take_seat(house: House, match: str, seat: str, account: str) -> None:
    """Put an account into a free seat; with the last one the match starts and forms are owed."""
    acts.take_seat(house, match, seat, account)
    catch_up(house)
    advance(house, match)


def occupant(house: House, match: str, seat: str) -> Account | None:
    taken = acts.read(house, match).occupants.get(seat)
    return None if taken is None else account(house, taken["account"])


def seats_of(house: House, match: str, account: str) -> list[str]:
    """The seats in which an account sits."""
    return [s for s, taken in sorted(acts.read(house, match).occupants.items()) if taken["account"] == account]


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
    house: House,
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
    parsed = words.parse(text)
    orders, said = parsed.rest, parsed.said
    lines = Lines(match=match, seat=seat, exchange=exchange, orders=orders, said=said, by=by, source=source, **more)
    if parsed.wrong:
        words.check([*parsed.wrong, *_refusals_of_orders(house, lines), *_refusals_of_words(house, lines)])
    if orders or not said:
        return _seal(house, lines, final)
    said = (*said, Word("final")) if final and not parsed.has("final") else said
    with house.store.transaction("words") as transaction:
        done = _apply(house, transaction, lines, said)
        if lines.with_it is not None:
            lines.with_it(transaction, done)
    advance(house, match)
    return Taken(match, None, done)


def submit(
    house: House,
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
    said, orders = words.split(text)
    if not orders and any(word.name != "final" for word in said):
        # Sealing nothing would replace what was sealed before; `take` is for words alone.
        raise Unreadable("orders", [Objection("pbem/words", "these lines are words for the server and no orders")])
    lines = Lines(match=match, seat=seat, exchange=exchange, orders=orders, said=said, by=by, source=source, **more)
    taken = _seal(house, lines, final)
    assert taken.receipt is not None
    return taken.receipt


def _seal(house: House, lines: Lines, final: bool) -> Taken:
    """Seal orders, and carry out what else was said, in one transaction."""
    check_occupant(acts.read(house, lines.match), lines.seat, lines.by)
    if any(word.name == "cancel" for word in lines.said):
        raise Unreadable("cancel", [Objection("pbem/words", "send either orders or the line cancel")])
    others = [word for word in lines.said if word.name != "final"]
    done: list[Done] = []
    read = False

    def join(transaction: Transaction, receipt: Receipt) -> None:
        nonlocal read
        read = True
        record = acts.read(house, lines.match)
        check_occupant(record, lines.seat, lines.by)
        acts.check_in_time(house, record, deadlines.now(house) if lines.at is None else lines.at)
        done[:] = _apply(house, transaction, lines, others)
        if lines.source == "mail":
            owe_receipt(transaction, lines, receipt, done)
        if lines.with_it is not None:
            lines.with_it(transaction, done)

    final = final or len(others) < len(lines.said)
    sent = acts.Sent(lines.by, lines.source, lines.raw)
    place = (lines.match, lines.seat, lines.exchange)
    try:
        receipt = acts.seal_text(house, *place, lines.orders, final=final, sent=sent, with_it=join)
    except Refusal as refusal:
        if not read:  # the orders are wrong; the words may be too
            words.check([*each(refusal), *_refusals_of_words(house, lines)])
        raise
    advance(house, lines.match)
    return Taken(lines.match, receipt, done)


def _apply(house: House, transaction: Transaction, lines: Lines, said: Sequence[Word]) -> list[Done]:
    """Carry out every word, or refuse all that cannot be."""
    done: list[Done] = []
    wrong: list[Refusal] = []
    for word in said:
        try:
            place = (house, transaction, lines.match, lines.seat)
            done.append(words.apply(*place, word, lines.by, exchange=lines.exchange, at=lines.at))
        except Refusal as refusal:
            wrong += each(refusal)
    words.check(wrong)
    return done


def _refusals_of_orders(house: House, lines: Lines) -> list[Refusal]:
    """What is wrong with the orders among these lines; nothing is sealed."""
    if not lines.orders:
        return []
    try:
        acts.check_text(load(house, lines.match), lines.seat, lines.exchange, lines.orders)
    except Refusal as refusal:
        return list(each(refusal))
    return []


class _TakenBack(Exception):
    """A transaction that was only tried."""


def _others(lines: Lines) -> list[Word]:
    """The words besides orders; with those, `final` is part of sealing."""
    return [word for word in lines.said if word.name != "final" or not lines.orders]


def _refusals_of_words(house: House, lines: Lines) -> list[Refusal]:
    """What would be wrong with carrying out the words among these lines; nothing is done."""
    wrong: list[Refusal] = []
    with suppress(_TakenBack), house.store.transaction("try") as transaction:
        try:
            _apply(house, transaction, lines, _others(lines))
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
    said, orders = words.split(text)
    return orders, any(word.name == "final" for word in said)


def finalise(house: House, match: str, seat: str, exchange: int, *, by: str) -> None:
    """Say that what is sealed is final."""
    check_occupant(acts.read(house, match), seat, by)
    acts.finalise(house, match, seat, exchange)
    advance(house, match)


def withdraw(house: House, match: str, seat: str, exchange: int, *, by: str) -> None:
    """Take back what is sealed."""
    record = acts.read(house, match)
    check_occupant(record, seat, by)
    acts.check_in_time(house, record, deadlines.now(house))
    acts.withdraw(house, match, seat, exchange)
    catch_up(house)


def confirm(
    house: House, token: str | Token, with_it: Callable[[Transaction, list[Done]], None] | None = None
) -> Taken:
    """Take what a held mail says: its account says that it sent it. `with_it` joins the transaction."""
    said = tokens.expect(house, token, "confirm") if isinstance(token, str) else token
    held = inbox.get(house, said.number)
    record = acts.read(house, said.match)
    taken = record.occupants.get(said.seat)
    if held is None or held.state != inbox.HELD or taken is None or taken["occupancy"] != said.occupancy:
        raise tokens.NotValid

    def join(transaction: Transaction, done: list[Done]) -> None:
        inbox.mark_again(transaction, held.id, inbox.APPLIED, "confirmed")
        if with_it is not None:
            with_it(transaction, done)

    return take(
        house,
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


def forget(house: House, account: str) -> None:
    """Erase who an account is and what it wrote in mails. What it played stays on record under its id."""

    def erase(transaction: Transaction) -> None:
        for module in (outbox, inbox, profiles, sessions, api_tokens):
            module.erase(transaction, account)
        press.erase(house, transaction, account)
        for commitment in _own_parts(house, account):
            transaction.erase(commitment)

    accounts.forget(house, account, erase)


def _own_parts(house: House, account: str) -> list[str]:
    """What was kept in matches for an account alone: how its orders came in."""
    streams = house.store.streams("match/")
    refs = (ref for stream in streams for event in house.store.read(stream) for ref in event.parts)
    return [ref.commitment for ref in refs if ref.audience == account]


# What the server does by itself ------------------------------------------------------------------------------


def advance(house: House, match: str) -> None:
    """Resolve what is closed, let bots answer, close what is final, and so on until a person is wanted."""
    if is_ready(acts.read(house, match)):
        acts.start(house, match)
    for _ in range(MOST_EXCHANGES):
        resolve(house, match)
        position = load(house, match)
        for seat in bots.bot_seats(position):
            bots.answer(house, position, seat)
        if not close_if_final(house, match):
            break
    catch_up(house)


def is_ready(record: Record) -> bool:
    """Every seat is taken and nothing has begun: whoever took the last one did not get to it."""
    return not record.started and not acts.free_seats(record)


def close_if_final(house: House, match: str) -> bool:
    """Close when every asked seat is final; not during a hold, and not while mails wait at the doors."""
    position = load(house, match)
    record = position.record
    if not position.asked or position.waited_for or inbox.any_waiting(house):
        return False
    if deadlines.held_since(house) or deadlines.on_hold(record):
        return False
    return acts.close(house, match, exchange=record.open_exchange, why="final")


def resolve(house: House, match: str) -> None:
    """Resolve what is closed; reports, forms and the next deadline belong to the same transaction."""

    def join(transaction: Transaction, position: Position, entry: Entry) -> None:
        assert entry.resolved is not None
        announce(house, transaction, entry.resolved)

    acts.resolve(house, match, join)


def play_bots(house: House) -> None:
    """Let every bot answer from which something is wanted."""
    for match in running(house):
        with safely(match, "its bots could not play"):
            if bots.bot_seats(load(house, match)):
                advance(house, match)


@contextmanager
def safely(match: str, what: str) -> Iterator[None]:
    """One match that cannot go on does not stop the others; trouble of the machine stops all."""
    try:
        yield
    except (sqlite3.Error, OSError):
        raise
    except Exception:
        log.exception("match %s: %s", match, what)


def hold(house: House, why: str = "") -> bool:
    """From now on nothing closes."""
    return deadlines.hold(house, why)


def release(house: House) -> bool:
    """Closing goes on; deadlines move by the held time."""
    done = deadlines.release(house, [stream_of(match) for match in running(house)])
    catch_up(house)
    return done


def record_outage(house: House, since: int, until: int, why: str) -> None:
    """Nobody watched the clock: note it, and move every deadline by that time."""
    deadlines.record_outage(house, [stream_of(match) for match in running(house)], since, until, why)
    catch_up(house)


def running(house: House) -> list[str]:
    """The matches that are not over."""
    catch_up(house)
    return [match for (match,) in house.database.execute("SELECT match FROM desk WHERE ended = 0 ORDER BY match")]


def nothing(now: int) -> None:
    """No doors to drain, no post to send to."""


def tick(
    house: House,
    now: int,
    *,
    drain: Callable[[int], bool | None] = nothing,
    send: Callable[[int], None] = nothing,
    closing: bool = True,
) -> list[str]:
    """Drain the doors, close what is due, resolve, let bots play, remind, send. Returns the matches touched.

    Nothing closes if a door could not be drained: behind it an order may lie that came in time.
    """
    drained = drain_safely(now, drain)
    catch_up(house)
    touched = set[str]()
    if closing and drained and deadlines.held_since(house) is None:
        touched = {match for match in due(house, now) if close_due(house, match, now)}
    rows = house.database.execute("SELECT match FROM desk WHERE touched = 1").fetchall()
    touched |= {match for (match,) in rows}
    house.database.execute("UPDATE desk SET touched = 0")
    for match in sorted(touched):
        advance_safely(house, match)
    remind(house, now)
    wake(house, now)
    send(max(now, deadlines.now(house)))  # also what this tick itself has owed
    return sorted(touched)


def drain_safely(now: int, drain: Callable[[int], bool | None]) -> bool:
    """Whether nothing lies behind the doors any more."""
    try:
        return drain(now) is not False
    except Exception:
        log.exception("the doors could not be drained; nothing closes")
        return False


def advance_safely(house: House, match: str) -> None:
    with safely(match, "it could not go on"):
        advance(house, match)


def due(house: House, now: int) -> list[str]:
    rows = house.database.execute("SELECT match FROM desk WHERE deadline <= ? ORDER BY match", (now,)).fetchall()
    return [match for (match,) in rows]


def close_due(house: House, match: str, now: int) -> bool:
    """Do what is due at a deadline that has fallen."""
    with safely(match, "it could not be closed"):
        return closing.close_due(house, match, now)
    return False


def remind(house: House, now: int) -> None:
    """Owe a reminder, once, to each seat that has sealed nothing while the time runs out."""
    rows = house.database.execute("SELECT match FROM desk WHERE remind <= ? ORDER BY match", (now,)).fetchall()
    for (match,) in rows:
        with safely(match, "nobody could be reminded"):
            remind_seats(house, match, now)
        # Afterwards: dying in between owes the same reminders again, which is owing them once.
        house.database.execute("UPDATE desk SET remind = NULL WHERE match = ?", (match,))


def remind_seats(house: House, match: str, now: int) -> None:
    position = load(house, match)
    record = position.record
    missing = [seat for seat in position.asked if seat not in record.sealed and seat in record.occupants]
    mail = {"match": match, "exchange": record.open_exchange, "at": now, "key": str(record.open_exchange)}
    with house.store.transaction("remind") as transaction:
        for seat in missing:
            owe(transaction, "reminder", account=record.occupants[seat]["account"], seat=seat, **mail)


def wake(house: House, now: int) -> None:
    """A pause has ended by itself: owe everybody the story so far."""
    query = "SELECT match, resumes FROM desk WHERE resumes <= ? ORDER BY match"
    for match, resumes in house.database.execute(query, (now,)).fetchall():
        with safely(match, "nobody could be told that it goes on"):
            record = acts.read(house, match)
            mail = {"match": match, "exchange": record.open_exchange, "at": now, "key": f"resumed/{resumes}"}
            with house.store.transaction("resume") as transaction:
                for seat, taken in sorted(record.occupants.items()):
                    owe(transaction, "resumed", account=taken["account"], seat=seat, about={"reason": ""}, **mail)
        house.database.execute("UPDATE desk SET resumes = NULL WHERE match = ?", (match,))


def recover(house: House) -> None:
    """After a start: look again where the rules' code has changed, and resolve what was closed."""
    acts.after_restore(house)
    announcing.try_again(house)
    changed = changed_titles(house)
    for match in running(house):
        with safely(match, "its past could not be looked at"):
            if acts.read(house, match).created["title"] in changed:
                look_again(house, match)
        advance_safely(house, match)
    for title, found in changed.items():
        house.database.execute("INSERT OR REPLACE INTO house VALUES (?, ?)", (f"fingerprint/{title}", found))
    catch_up(house)


def changed_titles(house: House) -> dict[str, str]:
    """The titles whose code or data is not what it was at the last start, with their fingerprints."""
    found = {name: fingerprint(type(title).__module__) for name, title in house.titles.items()}
    known = dict(house.database.execute("SELECT name, value FROM house WHERE name LIKE 'fingerprint/%'").fetchall())
    return {name: value for name, value in found.items() if known.get(f"fingerprint/{name}") != value}


def look_again(house: House, match: str) -> None:
    """The past must come out the same, else this match is halted; a halted one whose past does goes on."""
    if acts.shadow_replay(house, match) is None and acts.read(house, match).halted:
        acts.resume_halted(house, match)
