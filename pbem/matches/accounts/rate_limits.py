"""Rate limits: how often an act may be done from one source. Counted in the database, so that all workers count
together.

A limit of `most` acts in a time `per` lets that many through at once, and then one each time the next one has been
earned. Only a hash of the source and a time are stored, and only until the limit no longer applies.
"""

from __future__ import annotations

import hashlib

import msgspec

from eventstore import Database, upsert
from pbem.matches.clock.deadlines import now
from pbem.matches.server import Server


class Limit(msgspec.Struct, frozen=True):
    """At most this many acts of this name within this many milliseconds."""

    name: str
    most: int
    per: int


def create_tables(database: Database) -> None:
    database.execute("CREATE TABLE IF NOT EXISTS limits (who TEXT PRIMARY KEY, free_at INTEGER NOT NULL)")
    database.execute("CREATE INDEX IF NOT EXISTS limits_free ON limits (free_at)")


def take(server: Server, limit: Limit, who: str) -> int:
    """Count one act. Return 0 if it is allowed, otherwise the milliseconds to wait; a refused act is not counted."""
    at, each = now(server), limit.per // limit.most
    key = hashlib.sha256(f"{server.id}/{limit.name}/{who}".encode()).hexdigest()[:32]
    with server.store.transaction("limit") as transaction:
        database = transaction.database
        database.execute("DELETE FROM limits WHERE free_at <= ?", (at,))
        row = database.execute("SELECT free_at FROM limits WHERE who = ?", (key,)).fetchone()
        free_at = max(at, row[0] if row else at) + each
        if free_at - at > limit.per:
            return int(free_at - at - limit.per)
        database.execute(upsert("limits", "who", "free_at"), (key, free_at))
    return 0
