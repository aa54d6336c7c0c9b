"""The inbox: every mail that a door has accepted, before anything is done with it.

A door answers only when the mail is safe here. An order counts by the time its door accepted it; therefore nothing
closes while mails wait.
"""

from __future__ import annotations

from typing import Any

import msgspec
import sqlite_utils

from eventstore import Transaction
from pbem.matches.deadlines import now
from pbem.matches.house import House

WAITING, APPLIED, REFUSED, HELD, REPEATED, DROPPED = "waiting", "applied", "refused", "held", "repeated", "dropped"
COLUMNS = "id, message_id, digest, account, match, seat, exchange, received_at, envelope, raw, state, why, about"


class Inbound(msgspec.Struct, frozen=True):
    """A mail as it came in, and what became of it. `about` keeps what is needed to apply a held one."""

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


def create_tables(database: sqlite_utils.Database) -> None:
    database.execute(
        "CREATE TABLE IF NOT EXISTS inbound (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT NOT NULL, "
        "digest TEXT NOT NULL, account TEXT NOT NULL, match TEXT NOT NULL, seat TEXT NOT NULL, "
        "exchange INTEGER NOT NULL, received_at INTEGER NOT NULL, envelope TEXT NOT NULL, raw BLOB NOT NULL, "
        "state TEXT NOT NULL, why TEXT NOT NULL, about TEXT NOT NULL)"
    )
    database.execute("CREATE INDEX IF NOT EXISTS inbound_waiting ON inbound (id) WHERE state = 'waiting'")
    database.execute("CREATE INDEX IF NOT EXISTS inbound_message ON inbound (message_id)")


def receive(house: House, raw: bytes, *, sender: str | None = None, recipients: list[str] | None = None) -> int:
    """Keep a mail for good. When this returns, the door may say so."""
    envelope = msgspec.json.encode({"sender": sender, "recipients": recipients or []}).decode()
    with house.store.transaction("receive") as transaction:
        # The time is taken with the write lock held: `waiting` misses no mail that came before it.
        cursor = transaction.database.execute(
            f"INSERT INTO inbound ({COLUMNS}) VALUES (NULL, '', '', '', '', '', 0, ?, ?, ?, ?, '', '{{}}')",
            (now(house), envelope, raw, WAITING),
        )
        return int(cursor.lastrowid or 0)


def waiting(house: House) -> list[Inbound]:
    """What the doors have accepted and nobody has looked at yet, in the order it came."""
    with house.store.transaction("drain"):
        return _select(house, "state = ? ORDER BY id", WAITING)


def any_waiting(house: House) -> bool:
    found = house.database.execute("SELECT 1 FROM inbound WHERE state = ? LIMIT 1", (WAITING,)).fetchone()
    return found is not None


def get(house: House, id: int) -> Inbound | None:
    return next(iter(_select(house, "id = ?", id)), None)


def of_account(house: House, account: str) -> list[Inbound]:
    """All that an account has sent, in the order it came."""
    return _select(house, "account = ? ORDER BY id", account)


def is_repeated(house: House, id: int, account: str, message_id: str, digest: str) -> bool:
    """Whether an earlier mail of this account had the same Message-ID and the same content."""
    earlier = "id < ? AND account = ? AND message_id = ? AND digest = ? AND state <> ? LIMIT 1"
    return bool(_select(house, earlier, id, account, message_id, digest, WAITING))


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
    """Say what became of a mail, in the transaction of what it did."""
    values = (state, why, message_id, digest, account, match, seat, exchange)
    transaction.database.execute(
        "UPDATE inbound SET state = ?, why = ?, message_id = ?, digest = ?, account = ?, match = ?, seat = ?, "
        "exchange = ?, about = ? WHERE id = ?",
        (*values, msgspec.json.encode(about or {}).decode(), id),
    )


def mark_again(transaction: Transaction, id: int, state: str, why: str) -> None:
    """Change what became of a mail that was held."""
    transaction.database.execute("UPDATE inbound SET state = ?, why = ? WHERE id = ?", (state, why, id))


def erase(transaction: Transaction, account: str) -> None:
    """Forget what an account has written."""
    transaction.database.execute(
        "UPDATE inbound SET raw = x'', envelope = '{}', about = '{}', why = '' WHERE account = ?", (account,)
    )


def _select(house: House, where: str, *values: object) -> list[Inbound]:
    rows = house.database.execute(f"SELECT {COLUMNS} FROM inbound WHERE {where}", values).fetchall()
    named = (dict(zip(COLUMNS.split(", "), row, strict=True)) for row in rows)
    decode = msgspec.json.decode
    return [Inbound(**{**row, "envelope": decode(row["envelope"]), "about": decode(row["about"])}) for row in named]
