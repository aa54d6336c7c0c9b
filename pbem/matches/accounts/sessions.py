"""Sessions: the browsers in which an account is signed in. Only the hash of a session's secret is stored."""

from __future__ import annotations

import base64
import hashlib

import msgspec

from eventstore import Database, Transaction, upsert
from pbem.matches.clock.deadlines import HOUR, now
from pbem.matches.server import Server

LONGEST = 30 * 24 * HOUR
"""A session that has not been used for this long has expired."""
MOST = 50
"""The most sessions an account may have; the one unused for longest ends first."""
COLUMNS = "id, account, label, started_at, seen_at"


class Session(msgspec.Struct, frozen=True):
    """A browser session. `label` names the browser; `seen_at` is accurate to the hour."""

    id: str
    account: str
    label: str
    started_at: int
    seen_at: int


def create_tables(database: Database) -> None:
    database.execute(
        "CREATE TABLE IF NOT EXISTS sessions (digest TEXT PRIMARY KEY, id TEXT NOT NULL, account TEXT NOT NULL, "
        "label TEXT NOT NULL, started_at INTEGER NOT NULL, seen_at INTEGER NOT NULL)"
    )
    database.execute("CREATE INDEX IF NOT EXISTS sessions_of_account ON sessions (account)")


def start(server: Server, account: str, label: str = "") -> str:
    """Open a session; return its secret."""
    at = now(server)
    word = base64.urlsafe_b64encode(server.entropy(f"session/{account}/{at}")).decode().rstrip("=")
    digest = digest_of(word)
    with server.store.transaction("session") as transaction:
        transaction.database.execute(
            upsert("sessions", "digest", COLUMNS),
            (digest, digest[:12], account, label, at, at),
        )
        transaction.database.execute("DELETE FROM sessions WHERE seen_at < ?", (at - LONGEST,))
        transaction.database.execute(
            "DELETE FROM sessions WHERE account = ? AND digest NOT IN "
            "(SELECT digest FROM sessions WHERE account = ? ORDER BY seen_at DESC, rowid DESC LIMIT ?)",
            (account, account, MOST),
        )
    return word


def find(server: Server, word: str) -> Session | None:
    """Return the session with this secret, if it has not expired; its use is noted once an hour."""
    query = f"SELECT {COLUMNS} FROM sessions WHERE digest = ?"
    row = server.database.execute(query, (digest_of(word),)).fetchone()
    session = Session(*row) if row else None
    at = now(server)
    if session is None or session.seen_at < at - LONGEST:
        return None
    if at - session.seen_at >= HOUR:
        server.database.execute("UPDATE sessions SET seen_at = ? WHERE digest = ?", (at, digest_of(word)))
    return session


def of_account(server: Server, account: str) -> list[Session]:
    """The sessions of an account, the one used last first."""
    query = f"SELECT {COLUMNS} FROM sessions WHERE account = ? ORDER BY seen_at DESC, rowid DESC"
    return [Session(*row) for row in server.database.execute(query, (account,)).fetchall()]


def end(server: Server, account: str, id: str) -> bool:
    """End one session of this account; return whether it existed."""
    gone = server.database.execute("DELETE FROM sessions WHERE account = ? AND id = ?", (account, id))
    return gone.rowcount > 0


def end_others(server: Server, account: str, but: str) -> int:
    """End all other sessions of this account; return how many there were."""
    return server.database.execute("DELETE FROM sessions WHERE account = ? AND id <> ?", (account, but)).rowcount


def erase(transaction: Transaction, account: str) -> None:
    """Forget all sessions of an account that is being erased."""
    transaction.database.execute("DELETE FROM sessions WHERE account = ?", (account,))


def digest_of(word: str) -> str:
    """Return a secret's hash. A secret has 256 random bits, so a plain hash reveals nothing."""
    return hashlib.sha256(word.encode()).hexdigest()
