"""The outbox: queued emails. A row describes an email, which is composed when it is sent.

Rows are inserted in the transaction of the act that causes them. The id is derived from the email's subject
matter, so that an email queued twice is sent once, and an email sent again after a crash keeps its Message-ID.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from typing import Any

import msgspec

from eventstore import Database, Transaction, create_table
from pbem.engine.text.messages import revive
from pbem.matches.clock.deadlines import HOUR, MINUTE
from pbem.matches.server import Server

MOST_ATTEMPTS = 20
ENDLESS = 2**62
UNWANTED = "unwanted"
"""Stored in place of an error: the email no longer has a reader."""

OVERTAKEN = "a ruling overtook it"
"""The start of the note stored for an email whose content is no longer valid."""

COLUMNS = "id, account, kind, match, exchange, seat, about, queued_at, sent_at, attempts, next_at, error"


class Owed(msgspec.Struct, frozen=True):
    """An email that is queued or was sent. `next_at` is None when it was sent or given up."""

    id: str
    account: str
    kind: str
    match: str
    exchange: int
    seat: str
    about: dict[str, Any]
    queued_at: int
    sent_at: int | None
    attempts: int
    next_at: int | None
    error: str


def create_tables(database: Database) -> None:
    columns = (
        "id TEXT PRIMARY KEY, account TEXT NOT NULL, kind TEXT NOT NULL, match TEXT NOT NULL, "
        "exchange INTEGER NOT NULL, seat TEXT NOT NULL, about TEXT NOT NULL, queued_at INTEGER NOT NULL, "
        "sent_at INTEGER, attempts INTEGER NOT NULL, next_at INTEGER, error TEXT NOT NULL"
    )
    create_table(database, "outbox", columns, {"body": "BLOB", "sent_to": "TEXT"})
    database.execute("CREATE INDEX IF NOT EXISTS outbox_sent ON outbox (sent_at) WHERE sent_at IS NOT NULL")
    sent = "WHERE sent_at IS NOT NULL"
    database.execute(f"CREATE INDEX IF NOT EXISTS outbox_account ON outbox (account, sent_at) {sent}")
    database.execute(f"CREATE INDEX IF NOT EXISTS outbox_address ON outbox (sent_to, sent_at) {sent}")
    database.execute("CREATE INDEX IF NOT EXISTS outbox_seat ON outbox (match, seat, sent_at)")
    database.execute("CREATE INDEX IF NOT EXISTS outbox_due ON outbox (next_at) WHERE next_at IS NOT NULL")


def queue(
    transaction: Transaction,
    kind: str,
    *,
    at: int,
    key: str,
    account: str = "",
    match: str = "",
    exchange: int = 0,
    seat: str = "",
    about: Mapping[str, Any] | None = None,
) -> str:
    """Queue an email. `key` distinguishes it from others of its kind: an event's hash, a message's id."""
    named = msgspec.json.encode([kind, account, match, exchange, seat, key])
    id = hashlib.sha256(named).hexdigest()[:32]
    row = (id, account, kind, match, exchange, seat, msgspec.json.encode(dict(about or {})).decode(), at, at)
    transaction.database.execute(
        f"INSERT INTO outbox ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, 0, ?, '') ON CONFLICT DO NOTHING", row
    )
    return id


def due(server: Server, now: int, most: int = ENDLESS) -> list[Owed]:
    """Return the emails to send now, oldest first.

    An event may bear a time at which the clock was ahead. An email about it does not wait for that time; only a
    digest is queued for later.
    """
    is_due = "next_at IS NOT NULL AND (next_at <= ? OR (attempts = 0 AND queued_at > ? AND kind <> 'digest'))"
    return _select(server, f"{is_due} ORDER BY queued_at, rowid LIMIT ?", now, now + MINUTE, most)


def waiting(server: Server) -> list[Owed]:
    """Return all queued emails that were not given up."""
    return _select(server, "next_at IS NOT NULL ORDER BY queued_at, rowid")


def failed_emails(server: Server) -> list[Owed]:
    """Return the emails that could not be sent and are no longer tried."""
    return _select(server, "next_at IS NULL AND sent_at IS NULL AND error <> ? ORDER BY queued_at, rowid", UNWANTED)


def of_account(server: Server, account: str) -> list[Owed]:
    """Return all emails queued for or sent to an account, oldest first."""
    return _select(server, "account = ? ORDER BY queued_at, rowid", account)


def mark_sent(server: Server, id: str, now: int, body: str = "", sent_to: str = "") -> None:
    """Mark an email as sent. Its text is stored, so that a reply that quotes it can be read.

    `sent_to` is a hash of the address, for counting only.
    """
    row = (now, zlib.compress(body.encode()), sent_to, id)
    server.database.execute(
        "UPDATE outbox SET sent_at = ?, next_at = NULL, error = '', body = ?, sent_to = ? WHERE id = ?", row
    )


def count_sent(server: Server, since: int, **to: str) -> int:
    """Count the emails sent since then: in all, to an `account`, or to the address with the hash `sent_to`."""
    more = "".join(f" AND {column} = ?" for column in to)
    query = f"SELECT count(*) FROM outbox WHERE sent_at > ?{more}"
    return int(server.database.execute(query, (since, *to.values())).fetchone()[0])


def delay(server: Server, owed: Owed, until: int, why: str) -> None:
    """Postpone an email; this can be repeated without limit."""
    server.database.execute("UPDATE outbox SET next_at = ?, error = ? WHERE id = ?", (until, why, owed.id))


def count_delayed(server: Server, why: str) -> int:
    """Count the emails that are delayed for a reason that begins with these words."""
    query = "SELECT count(*) FROM outbox WHERE next_at IS NOT NULL AND substr(error, 1, ?) = ?"
    return int(server.database.execute(query, (len(why), why)).fetchone()[0])


def text_sent_to(server: Server, match: str, seat: str, id: str = "") -> str:
    """Return the text of an email to a seat, or of the last email sent to it; empty if none is stored."""
    query = "SELECT body FROM outbox WHERE match = ? AND seat = ? AND body IS NOT NULL"
    last = (" ORDER BY sent_at DESC LIMIT 1", ())
    for where, values in ((" AND id = ?", (id,)), last) if id else (last,):
        row = server.database.execute(query + where, (match, seat, *values)).fetchone()
        if row is not None:
            return zlib.decompress(row[0]).decode()
    return ""


def put_off(server: Server, owed: Owed, now: int, error: str) -> None:
    """Retry later, doubling the delay each time, and eventually give up."""
    attempts = owed.attempts + 1
    next_at = None if attempts >= MOST_ATTEMPTS else now + backoff(attempts)
    server.database.execute(
        "UPDATE outbox SET attempts = ?, next_at = ?, error = ? WHERE id = ?", (attempts, next_at, error, owed.id)
    )


def give_up(server: Server, id: str, error: str) -> None:
    server.database.execute("UPDATE outbox SET next_at = NULL, error = ? WHERE id = ?", (error, id))


def forget_links(transaction: Transaction, account: str) -> None:
    """Forget that sign-in links were sent to an account, because one was used and the next has to be another one."""
    query = "DELETE FROM outbox WHERE kind = 'sign-in' AND account = ? AND next_at IS NULL"
    transaction.database.execute(query, (account,))


def erase(transaction: Transaction, account: str) -> None:
    """Forget the contents of emails to an account."""
    transaction.database.execute(
        "UPDATE outbox SET about = '{}', next_at = NULL, error = ?, body = NULL WHERE account = ?",
        (UNWANTED, account),
    )


def backoff(attempts: int) -> int:
    return int(min(MINUTE << (attempts - 1), 12 * HOUR))


def _select(server: Server, where: str, *values: object) -> list[Owed]:
    rows = server.database.execute(f"SELECT {COLUMNS} FROM outbox WHERE {where}", values).fetchall()
    named = (dict(zip(COLUMNS.split(", "), row, strict=True)) for row in rows)
    return [Owed(**{**row, "about": revive(msgspec.json.decode(row["about"]))}) for row in named]
