"""Rate limits: how often something may be done from one source, counted in the database for all workers together.

A limit of `most` acts in a time `per` lets that many through at once, and after that one more each time `per / most`
has passed. Only a hash of the source and a time are stored, and only until a minute after the limit no longer
applies.
"""

from __future__ import annotations

import hashlib

import msgspec

from eventstore import Database
from pbem.matches.clock.deadlines import MINUTE, now
from pbem.matches.server import Server


class Limit(msgspec.Struct, frozen=True):
    """At most this many acts of this name within this many milliseconds."""

    name: str
    most: int
    per: int


def create_tables(database: Database) -> None:
    database.execute("CREATE TABLE IF NOT EXISTS limits (who TEXT PRIMARY KEY, free_at INTEGER NOT NULL)")
    database.execute("CREATE INDEX IF NOT EXISTS limits_free ON limits (free_at)")


SWEEP = MINUTE
"""Milliseconds after which an expired count is deleted."""

COUNT = (
    "INSERT INTO limits (who, free_at) VALUES (?, ?) ON CONFLICT (who) DO UPDATE "
    "SET free_at = CASE WHEN limits.free_at > ? THEN limits.free_at ELSE ? END + ? WHERE limits.free_at <= ?"
)
"""Counts one act in one statement, unless it exceeds the limit; two processes cannot both take the last place."""


def take(server: Server, limit: Limit, who: str) -> int:
    """Count one act. Return 0 if it is allowed, otherwise the milliseconds to wait; a refused act is not counted."""
    at, each = now(server), limit.per // limit.most
    key = hashlib.sha256(f"{server.id}/{limit.name}/{who}".encode()).hexdigest()[:32]
    database = server.database
    if not 0 <= at - server.limits_swept_at < SWEEP:  # expired counts no longer matter
        database.execute("DELETE FROM limits WHERE free_at <= ?", (at,))
        server.limits_swept_at = at
    if database.execute(COUNT, (key, at + each, at, at, each, at + limit.per - each)).rowcount:
        return 0
    row = database.execute("SELECT free_at FROM limits WHERE who = ?", (key,)).fetchone()
    return int(row[0] + each - at - limit.per) if row else 0
