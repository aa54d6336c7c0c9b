"""What an event means to the occupants: mails that are owed, and deadlines.

The desk owes the mails of an exchange in the transaction that resolves it. `catch_up` reads every event once more,
so that nothing is missed that came about in another way, and keeps the table that the tick looks at.
"""

from __future__ import annotations

from typing import Any

import sqlite_utils

from eventstore import Event, Transaction
from pbem.matches import accounts, deadlines, outbox
from pbem.matches.deadlines import Deadline
from pbem.matches.house import House
from pbem.matches.record import fold


def create_tables(database: sqlite_utils.Database) -> None:
    """What the tick looks at instead of reading every match."""
    database.execute(
        "CREATE TABLE IF NOT EXISTS desk (match TEXT PRIMARY KEY, ended INTEGER NOT NULL DEFAULT 0, "
        "touched INTEGER NOT NULL DEFAULT 1, deadline INTEGER, remind INTEGER)"
    )


def announce(house: House, transaction: Transaction, event: Event) -> None:
    """Owe every occupant what this event means to him, and set the next deadline. Doing it again does nothing."""
    match = event.stream.removeprefix("match/")
    record = fold(house.store.read(event.stream))
    is_latest = bool(record.resolved) and record.resolved[-1].resolved == event
    if event.type == "exchange.recomputed" and not is_latest:
        return
    if is_latest and not record.closing and deadlines.deadline_of(record) is None:
        deadlines.announce(transaction, record, event)
    exchange = event.payload["exchange"]
    kind = "over" if is_latest and record.ended else "orders" if exchange == 1 else "report"
    mail = {"match": match, "exchange": exchange, "at": event.recorded_at, "key": event.hash}
    for seat, taken in sorted(record.occupants.items()):
        owe(transaction, kind, account=taken["account"], seat=seat, **mail)


def owe(transaction: Transaction, kind: str, *, account: str, **more: Any) -> None:
    """Owe a mail to an account; bots get none."""
    if not account.startswith(accounts.BOT):
        outbox.queue(transaction, kind, account=account, **more)


def catch_up(house: House) -> None:
    """Bring the desk's table up to date, and announce what was resolved by another way than this desk's."""
    house.store.project("desk", lambda transaction, event: _handle(house, transaction, event))


def _handle(house: House, transaction: Transaction, event: Event) -> None:
    if not event.stream.startswith("match/"):
        return
    match, database = event.stream.removeprefix("match/"), transaction.database
    database.execute("INSERT INTO desk (match) VALUES (?) ON CONFLICT DO UPDATE SET touched = 1", (match,))
    match event.type:
        case "exchange.resolved" | "exchange.recomputed":
            announce(house, transaction, event)
        case "deadline.set":
            record = fold(house.store.read(event.stream, upto=event.version))
            deadline = Deadline(event.payload["exchange"], event.payload["at"], "")
            times = (deadline.at, deadlines.remind_at(deadline, deadlines.opened_at(record)), match)
            database.execute("UPDATE desk SET deadline = ?, remind = ? WHERE match = ?", times)
        case "exchange.closed":
            database.execute("UPDATE desk SET deadline = NULL, remind = NULL WHERE match = ?", (match,))
        case "match.ended":
            database.execute("UPDATE desk SET ended = 1, deadline = NULL, remind = NULL WHERE match = ?", (match,))
        case "ruling.reopened" | "ruling.recomputed" | "ruling.corrected":
            database.execute("UPDATE desk SET ended = 0 WHERE match = ?", (match,))
            announce_ruling(house, transaction, event)
        case "match.resumed":
            give_back_halt(house, transaction, event)
        case _:
            pass


def announce_ruling(house: House, transaction: Transaction, event: Event) -> None:
    """Tell every occupant of a ruling; what is answered again gets the full time."""
    match, record = event.stream.removeprefix("match/"), fold(house.store.read(event.stream))
    if event.type == "ruling.reopened" and not deadlines.announced_since(record, event):
        deadlines.announce(transaction, record, event)
    said = {"what": event.type.partition(".")[2], "reason": event.payload["reason"]}
    said["after"] = event.payload.get("after", 0)
    mail = {"match": match, "exchange": record.open_exchange, "at": event.recorded_at, "key": event.hash}
    for seat, taken in sorted(record.occupants.items()):
        owe(transaction, "ruling", account=taken["account"], seat=seat, about=said, **mail)


def give_back_halt(house: House, transaction: Transaction, event: Event) -> None:
    """While a match is halted nobody can send orders: that time does not count."""
    record = fold(house.store.read(event.stream))
    halts = [e for e in record.events if e.type == "match.halted" and e.version < event.version]
    if halts and not deadlines.announced_since(record, event):
        span = (halts[-1].recorded_at, event.recorded_at)
        deadlines.give_back(house, transaction, [event.stream], *span, "the match was halted")
