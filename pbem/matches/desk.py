"""The desk: what mail, web and command line call. Occupants are checked here, and every mail is owed from here.

    open_house                                  a house with all its tables
    new_match, take_seat                        how a match comes about
    submit, finalise, withdraw, confirm         what an occupant does
    forget                                      what he may ask for
    status, open_form, report, receipt          what a viewer may know
    advance, play_bots, catch_up, tick          what the server does by itself
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from eventstore import Transaction
from pbem.engine.refusals import Illegal, Objection, Unreadable
from pbem.engine.title import Title
from pbem.matches import (
    accounts,
    acts,
    announcing,
    api_tokens,
    bots,
    deadlines,
    inbox,
    limits,
    outbox,
    profiles,
    sessions,
    tokens,
)
from pbem.matches.accounts import Account, account
from pbem.matches.announcing import announce, catch_up, owe
from pbem.matches.house import House, fingerprint
from pbem.matches.position import Position, load, stream_of
from pbem.matches.receipts import Receipt
from pbem.matches.record import Entry, Record
from pbem.matches.tokens import Token
from pbem.matches.viewing import Form, Mine, Report, Status, Told, open_form, receipt, report, status

__all__ = ["Form", "Mine", "Report", "Status", "Told", "open_form", "receipt", "report", "status"]

log = logging.getLogger("pbem.desk")

MOST_NAME = 80

MOST_EXCHANGES = 20
"""How many exchanges one call of `advance` may run through: bots among themselves must not stop the tick."""


# The house ---------------------------------------------------------------------------------------------------


def open_house(path: str | Path, titles: Mapping[str, Title], **more: Any) -> House:
    """A house with all its tables."""
    house = House(path, titles, **more)
    with house.store.transaction() as transaction:
        for module in (accounts, profiles, sessions, api_tokens, tokens, outbox, inbox, limits, announcing):
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
    options: Mapping[str, Any] | None = None,
    reactions: str = "plan",
    master: str = "",
) -> str:
    """Create a match with a cadence in hours (0: no deadline)."""
    if cadence < 0:
        raise Unreadable(str(cadence), [Objection("pbem/create", "a cadence is a number of hours")], ["0", "48"])
    return acts.create(
        house,
        title,
        scenario,
        name=one_line(name),
        options=options,
        reactions=reactions,
        master=master,
        more={"cadence": cadence},
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


def check_occupant(record: Record, seat: str, by: str) -> None:
    if record.occupants.get(seat, {}).get("account") != by:
        raise Illegal(seat, [Objection("pbem/seat", "you do not sit there")])


# What an occupant does ---------------------------------------------------------------------------------------


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
    message_id: str = "",
    with_it: Callable[[Transaction], None] | None = None,
) -> Receipt:
    """Seal orders for the occupant of a seat. A line that says only `final` makes them final.

    `with_it` joins the transaction that seals.
    """
    check_occupant(acts.read(house, match), seat, by)
    orders, said_final = take_final(text)

    def join(transaction: Transaction, receipt: Receipt) -> None:
        check_occupant(acts.read(house, match), seat, by)
        if source == "mail":
            mail = {"match": match, "exchange": exchange, "at": receipt.sealed_at, "key": receipt.event}
            about = {"commitment": receipt.commitment, "message_id": message_id}
            owe(transaction, "receipt", account=by, seat=seat, about=about, **mail)
        if with_it is not None:
            with_it(transaction)

    receipt = acts.seal_text(house, match, seat, exchange, orders, final=final or said_final, with_it=join)
    advance(house, match)
    return receipt


def take_final(text: str) -> tuple[str, bool]:
    """The orders without the line `final`, and whether it was there."""
    lines = text.splitlines()
    orders = [line for line in lines if line.strip().lower().rstrip(".!") != "final"]
    return "\n".join(orders), len(orders) < len(lines)


def finalise(house: House, match: str, seat: str, exchange: int, *, by: str) -> None:
    """Say that what is sealed is final."""
    check_occupant(acts.read(house, match), seat, by)
    acts.finalise(house, match, seat, exchange)
    advance(house, match)


def withdraw(house: House, match: str, seat: str, exchange: int, *, by: str) -> None:
    """Take back what is sealed."""
    check_occupant(acts.read(house, match), seat, by)
    acts.withdraw(house, match, seat, exchange)
    catch_up(house)


def confirm(house: House, token: str | Token) -> Receipt:
    """Seal the orders of a held mail: its account says that it sent them."""
    said = tokens.expect(house, token, "confirm") if isinstance(token, str) else token
    held = inbox.get(house, said.number)
    record = acts.read(house, said.match)
    taken = record.occupants.get(said.seat)
    if held is None or held.state != inbox.HELD or taken is None or taken["occupancy"] != said.occupancy:
        raise tokens.NotValid
    return submit(
        house,
        said.match,
        said.seat,
        held.exchange,
        held.about["text"],
        by=taken["account"],
        final=held.about["final"],
        source="mail",
        message_id=held.message_id,
        with_it=lambda transaction: inbox.mark_again(transaction, held.id, inbox.APPLIED, "confirmed"),
    )


def forget(house: House, account: str) -> None:
    """Erase who an account is and what it wrote in mails. What it played stays on record under its id."""

    def erase(transaction: Transaction) -> None:
        for module in (outbox, inbox, profiles, sessions, api_tokens):
            module.erase(transaction, account)

    accounts.forget(house, account, erase)


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
    if not position.asked or position.waited_for or inbox.any_waiting(house) or deadlines.held_since(house):
        return False
    return acts.close(house, match, exchange=position.record.open_exchange, why="final")


def resolve(house: House, match: str) -> None:
    """Resolve what is closed; reports, forms and the next deadline belong to the same transaction."""

    def join(transaction: Transaction, position: Position, entry: Entry) -> None:
        assert entry.resolved is not None
        announce(house, transaction, entry.resolved)

    acts.resolve(house, match, join)


def play_bots(house: House) -> None:
    """Let every bot answer from which something is wanted."""
    for match in acts.matches(house):
        if bots.bot_seats(load(house, match)):
            advance(house, match)


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
    drain: Callable[[int], None] = nothing,
    send: Callable[[int], None] = nothing,
    closing: bool = True,
) -> list[str]:
    """Drain the doors, close what is due, resolve, let bots play, remind, send. Returns the matches touched."""
    drain(now)
    catch_up(house)
    touched = set[str]()
    if closing and deadlines.held_since(house) is None:
        touched = {match for match in due(house, now) if close_due(house, match, now)}
    rows = house.database.execute("SELECT match FROM desk WHERE touched = 1").fetchall()
    touched |= {match for (match,) in rows}
    house.database.execute("UPDATE desk SET touched = 0")
    for match in sorted(touched):
        advance_safely(house, match)
    remind(house, now)
    send(now)
    return sorted(touched)


def advance_safely(house: House, match: str) -> None:
    """One match that cannot go on does not stop the others."""
    try:
        advance(house, match)
    except Exception:
        log.exception("match %s could not go on", match)


def due(house: House, now: int) -> list[str]:
    rows = house.database.execute("SELECT match FROM desk WHERE deadline <= ? ORDER BY match", (now,)).fetchall()
    return [match for (match,) in rows]


def close_due(house: House, match: str, now: int) -> bool:
    """The deadline has fallen: what is sealed counts, final or not."""
    record = acts.read(house, match)
    deadline = deadlines.deadline_of(record)
    if deadline is None or deadline.at > now:
        return False
    return acts.close(house, match, exchange=deadline.exchange, why="deadline")


def remind(house: House, now: int) -> None:
    """Owe a reminder, once, to each seat that has sealed nothing while the time runs out."""
    rows = house.database.execute("SELECT match FROM desk WHERE remind <= ? ORDER BY match", (now,)).fetchall()
    for (match,) in rows:
        position = load(house, match)
        record = position.record
        missing = [seat for seat in position.asked if seat not in record.sealed and seat in record.occupants]
        mail = {"match": match, "exchange": record.open_exchange, "at": now, "key": str(record.open_exchange)}
        with house.store.transaction("remind") as transaction:
            transaction.database.execute("UPDATE desk SET remind = NULL WHERE match = ?", (match,))
            for seat in missing:
                owe(transaction, "reminder", account=record.occupants[seat]["account"], seat=seat, **mail)


def recover(house: House) -> None:
    """After a start: look again where the rules' code has changed, and resolve what was closed."""
    acts.after_restore(house)
    changed = changed_titles(house)
    for match in running(house):
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

