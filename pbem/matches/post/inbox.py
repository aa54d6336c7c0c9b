"""The inbox: every email that a listener has accepted, before it is handled.

A listener acknowledges an email only when it is stored here. An order is timed by its acceptance; therefore
nothing closes while emails wait. Bouncing addresses are marked here too, until an email arrives from them.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from eventstore import Database, Transaction, create_table
from pbem.matches.clock.deadlines import now
from pbem.matches.post import reply_tokens
from pbem.matches.server import Server

WAITING, APPLIED, REFUSED, HELD, REPEATED, DROPPED = "waiting", "applied", "refused", "held", "repeated", "dropped"
IS_WAITING = f"state = '{WAITING}'"
"""The condition spells out the state: with a bound value, SQLite would not use the index of waiting emails."""
MOST_HEADER, MOST_NAMED = 64 * 1024, 20
MOST_WHY = 300
NAMES_RECIPIENT = re.compile(rb"(?:delivered-to|x-original-to|envelope-to|x-envelope-to|to|cc):", re.IGNORECASE)
COLUMNS = "id, message_id, digest, account, match, seat, exchange, received_at, envelope, raw, state, why, about"


class Inbound(msgspec.Struct, frozen=True):
    """An email as received, and its outcome. `about` holds the data needed to apply a held one."""

    id: int
    message_id: str
    digest: str
    account: str
    match: str
    seat: str
    exchange: int
    received_at: int
    envelope: dict[str, Any]
    raw: bytes
    state: str
    why: str
    about: dict[str, Any]


class Returning(msgspec.Struct, frozen=True):
    """An address that bounces."""

    address: str
    account: str
    since: int
    last_at: int
    count: int
    why: str


def create_tables(database: Database) -> None:
    columns = (
        "id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT NOT NULL, digest TEXT NOT NULL, "
        "account TEXT NOT NULL, match TEXT NOT NULL, seat TEXT NOT NULL, exchange INTEGER NOT NULL, "
        "received_at INTEGER NOT NULL, envelope TEXT NOT NULL, raw BLOB NOT NULL, state TEXT NOT NULL, "
        "why TEXT NOT NULL, about TEXT NOT NULL"
    )
    create_table(database, "inbound", columns, {"wanted": "TEXT NOT NULL DEFAULT ''"})
    database.execute("CREATE INDEX IF NOT EXISTS inbound_waiting ON inbound (id) WHERE state = 'waiting'")
    database.execute("CREATE INDEX IF NOT EXISTS inbound_account ON inbound (account)")
    database.execute("CREATE INDEX IF NOT EXISTS inbound_message ON inbound (message_id)")
    # A fetched email may be delivered twice; its id at the source keeps it from being applied twice.
    database.execute("CREATE TABLE IF NOT EXISTS fetched (source TEXT PRIMARY KEY, inbound INTEGER NOT NULL)")
    database.execute(
        "CREATE TABLE IF NOT EXISTS returning_mail (address TEXT PRIMARY KEY, account TEXT NOT NULL, "
        "since INTEGER NOT NULL, last_at INTEGER NOT NULL, count INTEGER NOT NULL, why TEXT NOT NULL)"
    )


def receive(
    server: Server,
    raw: bytes,
    *,
    sender: str | None = None,
    recipients: list[str] | None = None,
    beyond: str = "",
    source: str = "",
    accepted_at: int | None = None,
) -> int:
    """Store an email durably. When this returns, the listener may acknowledge it.

    `beyond` is the limit that it breaks; then `raw` is only its head. `source` is where it was fetched from, and
    `accepted_at` when it was accepted there, because an email that arrived in time must not be late because it was
    fetched late.
    """
    said: dict[str, Any] = {"sender": sender, "recipients": recipients or []}
    envelope = msgspec.json.encode({**said, "beyond": beyond} if beyond else said).decode()
    wanted = match_named(server, recipients or [], raw)
    with server.store.transaction("receive") as transaction:
        if source and (known := _id_from_source(transaction, source)):
            return known
        # The time is read with the write lock held: `waiting` misses no earlier email.
        cursor = transaction.database.execute(
            f"INSERT INTO inbound ({COLUMNS.partition(', ')[2]}, wanted) "
            "VALUES ('', '', '', '', '', 0, ?, ?, ?, ?, '', '{}', ?) RETURNING id",
            (_received_at(server, accepted_at), envelope, raw, WAITING, wanted),
        )
        id = int(cursor.fetchone()[0])
        if source:
            transaction.database.execute("INSERT INTO fetched (source, inbound) VALUES (?, ?)", (source, id))
        return id


def _received_at(server: Server, accepted_at: int | None) -> int:
    return now(server) if accepted_at is None else min(now(server), accepted_at)


def _id_from_source(transaction: Transaction, source: str) -> int:
    row = transaction.database.execute("SELECT inbound FROM fetched WHERE source = ?", (source,)).fetchone()
    return 0 if row is None else int(row[0])


def waiting(server: Server) -> list[Inbound]:
    """Return the accepted emails that have not been handled yet, in order of arrival."""
    with server.store.transaction("drain"):
        return _select(server, f"{IS_WAITING} ORDER BY id")


def waiting_ids(server: Server) -> list[int]:
    """The ids of the waiting emails, so that the emails themselves can be read one at a time."""
    with server.store.transaction("drain"):
        rows = server.database.execute(f"SELECT id FROM inbound WHERE {IS_WAITING} ORDER BY id").fetchall()
    return [id for (id,) in rows]


def is_awaited(server: Server, match: str, until: int | None = None) -> bool:
    """Whether an unhandled email that arrived by `until` may be for this match: its text has not been read yet."""
    when, values = ("", ()) if until is None else (" AND received_at <= ?", (until,))
    query = f"SELECT 1 FROM inbound WHERE {IS_WAITING} AND wanted IN ('', ?){when} LIMIT 1"
    return server.database.execute(query, (match, *values)).fetchone() is not None


def match_named(server: Server, recipients: list[str], raw: bytes) -> str:
    """Return the match that an email is for, by the code in its addresses; empty if only its text can tell."""
    for text in (" ".join(recipients[:MOST_NAMED]), headers_of(raw)):
        for word in reply_tokens.find(text)[:MOST_NAMED]:
            try:
                return reply_tokens.read(server, word).match
            except (reply_tokens.NotValid, KeyError):
                continue
    return ""


def headers_of(raw: bytes) -> str:
    """The header lines that name recipients."""
    head = re.split(rb"\r?\n\r?\n", raw[:MOST_HEADER], maxsplit=1)[0]
    return "\n".join(line.decode("latin-1") for line in head.splitlines() if NAMES_RECIPIENT.match(line))


def get(server: Server, id: int) -> Inbound | None:
    return next(iter(_select(server, "id = ?", id)), None)


def of_account(server: Server, account: str) -> list[Inbound]:
    """Return all email from an account, in order of arrival."""
    return _select(server, "account = ? ORDER BY id", account)


def is_repeated(server: Server, id: int, account: str, message_id: str, digest: str) -> bool:
    """Whether an earlier email from this account had the same Message-ID and content.

    Without a Message-ID, a repeated email cannot be told from a player who changed their mind twice.
    """
    if not message_id:
        return False
    earlier = "id < ? AND account = ? AND message_id = ? AND digest = ? AND state <> ? LIMIT 1"
    return bool(_select(server, earlier, id, account, message_id, digest, WAITING))


def mark(
    transaction: Transaction,
    id: int,
    state: str,
    why: str = "",
    *,
    message_id: str = "",
    digest: str = "",
    account: str = "",
    match: str = "",
    seat: str = "",
    exchange: int = 0,
    about: dict[str, Any] | None = None,
) -> None:
    """Record the outcome of an email, in the same transaction as its effects."""
    values = (state, clean(why), message_id, digest, account, match, seat, exchange)
    transaction.database.execute(
        "UPDATE inbound SET state = ?, why = ?, message_id = ?, digest = ?, account = ?, match = ?, seat = ?, "
        "exchange = ?, about = ? WHERE id = ?",
        (*values, msgspec.json.encode(about or {}).decode(), id),
    )


def clean(text: str) -> str:
    """Return the text in a form that any database accepts."""
    return text.encode("utf-8", "replace").decode()[:MOST_WHY]


def mark_again(transaction: Transaction, id: int, state: str, why: str) -> None:
    """Change the outcome of a held email."""
    transaction.database.execute("UPDATE inbound SET state = ?, why = ? WHERE id = ?", (state, why, id))


def erase(transaction: Transaction, account: str) -> None:
    """Erase the emails that an account has written, and its addresses."""
    transaction.database.execute(
        "UPDATE inbound SET raw = ?, envelope = '{}', about = '{}', why = '' WHERE account = ?", (b"", account)
    )
    transaction.database.execute("DELETE FROM returning_mail WHERE account = ?", (account,))


# Bounces -----------------------------------------------------------------------------------------------------


def note_returned(transaction: Transaction, address: str, account: str, at: int, why: str) -> bool:
    """Mark an address that bounces; return whether the mark is new."""
    known = transaction.database.execute("SELECT 1 FROM returning_mail WHERE address = ?", (address,)).fetchone()
    transaction.database.execute(
        "INSERT INTO returning_mail (address, account, since, last_at, count, why) VALUES (?, ?, ?, ?, 1, ?) "
        "ON CONFLICT (address) DO UPDATE "
        "SET account = excluded.account, last_at = excluded.last_at, count = returning_mail.count + 1, "
        "why = excluded.why",
        (address, account, at, at, why),
    )
    return known is None


def heard_from(server: Server, address: str) -> None:
    """Clear the bounce mark of an address that has written to us; most have none, so usually nothing is written."""
    marked = server.database.execute("SELECT 1 FROM returning_mail WHERE address = ?", (address,)).fetchone()
    if marked is not None:
        server.database.execute("DELETE FROM returning_mail WHERE address = ?", (address,))


def returning(server: Server, account: str | None = None) -> list[Returning]:
    """The addresses marked as bouncing, of one account or of all."""
    where, values = ("", ()) if account is None else (" WHERE account = ?", (account,))
    columns = "address, account, since, last_at, count, why"
    rows = server.database.execute(f"SELECT {columns} FROM returning_mail{where} ORDER BY since", values).fetchall()
    return [Returning(*row) for row in rows]


def _select(server: Server, where: str, *values: object) -> list[Inbound]:
    rows = server.database.execute(f"SELECT {COLUMNS} FROM inbound WHERE {where}", values).fetchall()
    named = (dict(zip(COLUMNS.split(", "), row, strict=True)) for row in rows)
    decode = msgspec.json.decode
    return [Inbound(**{**row, "envelope": decode(row["envelope"]), "about": decode(row["about"])}) for row in named]
