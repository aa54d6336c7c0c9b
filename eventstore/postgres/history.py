"""Detect a changed history: whether a database was promoted, restored or rolled back since it was last seen.

A database reports its cluster (system identifier), its timeline and its log position. A promotion and a restore to a
point in time begin a new timeline, another cluster has another identifier, and a disk that was rolled back has a
lower log position, or lacks the newest event. These facts are stored in two places: in the database itself (`about`),
where a restore resets them, and in a file next to the server's key, where it does not.

    judge    compare the three
    accept   an operator accepts a changed history
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

import msgspec
import psycopg

from eventstore.database import StoreTrouble, upsert
from eventstore.postgres.dialect import translate

KEY = "history"
"""The key under which a database records the history on which it was last accepted."""

OLD_PRIMARY = (
    "this database is an old primary: its timeline {now} has been left behind by timeline {seen}; "
    "correct the address, or let the cluster manager rewind it"
)
CHANGED = (
    "the database has been promoted or restored since the server last used it. After the promotion of a replica "
    "that had everything run `pbem resume --lost nothing`, otherwise `pbem resume`"
)
BEHIND = "the database has lost what it held before: it was restored or rolled back. Run `pbem resume`"

WHERE = (
    "SELECT (SELECT system_identifier FROM pg_control_system())::text, "
    "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), (pg_current_wal_flush_lsn() - '0/0')::bigint"
)


NEWEST = (
    "SELECT e.stream, e.version, e.hash FROM feed JOIN events AS e ON (e.stream, e.version) = (feed.stream, "
    "feed.version) ORDER BY feed.position DESC LIMIT 1"
)
NEVER = 2**62
HOLDS = "SELECT 1 FROM events WHERE stream = %s AND version = %s AND hash = %s"


class History(msgspec.Struct, frozen=True):
    """A cluster, its timeline, its log position, and the number of changes that an operator has accepted.

    `newest` is the stream, version and hash of the newest event; empty before the first.
    """

    system: str
    timeline: int
    reached: int = 0
    resumed: int = 0
    newest: tuple[str, int, str] = ("", 0, "")

    @property
    def branch(self) -> tuple[str, int]:
        return self.system, self.timeline


class ChangedHistory(StoreTrouble):
    """The database's history is not the one seen before; nothing is read or written until an operator decides."""

    def __init__(self, why: str, *, final: bool = False) -> None:
        super().__init__("changed", why)
        self.final = final


def read_history(connection: psycopg.Connection[Any]) -> History:
    """A primary's current position. After a promotion only the name of its log file shows the new timeline."""
    row = connection.execute(WHERE).fetchone()
    assert row is not None
    newest = connection.execute(NEWEST).fetchone() if has_table(connection) else None
    return History(row[0], int(row[1], 16), int(row[2]), newest=newest or ("", 0, ""))


def accepted_history(connection: psycopg.Connection[Any]) -> History | None:
    """Return the history stored in the database, or None before its first use."""
    if not has_table(connection):
        return None
    row = connection.execute("SELECT value FROM about WHERE key = %s", (KEY,)).fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=History)


def judge(
    now: History, accepted: History | None, seen: History | None, *, holds: bool = True
) -> ChangedHistory | None:
    """Return why this database may not be used, or None. It must not be behind either record of its position.

    `holds` says whether it still has the newest event that was seen.
    """
    if seen is not None and now.system == seen.system and now.timeline < seen.timeline:
        return ChangedHistory(OLD_PRIMARY.format(now=now.timeline, seen=seen.timeline), final=True)
    if accepted is not None and accepted.branch != now.branch:
        return ChangedHistory(CHANGED)
    if seen is None:
        return None
    resumed = 0 if accepted is None else accepted.resumed
    if resumed < seen.resumed:
        return ChangedHistory(BEHIND)
    if resumed > seen.resumed:
        return None  # an operator has accepted it, on another machine
    if seen.branch != now.branch:
        return ChangedHistory(CHANGED)
    return ChangedHistory(BEHIND) if now.reached < seen.reached or not holds else None


def still_holds(connection: psycopg.Connection[Any], seen: History | None) -> bool:
    """Whether the newest event that was seen is still there."""
    if seen is None or not seen.newest[0]:
        return True
    return has_table(connection) and connection.execute(HOLDS, seen.newest).fetchone() is not None


# The two records ----------------------------------------------------------------------------------------------


def file_beside(path: Path) -> Path:
    """The file in which a machine records how far it has seen the database."""
    return path.with_suffix(".seen")


def read_seen(path: Path) -> History | None:
    try:
        return msgspec.json.decode(file_beside(path).read_bytes(), type=History)
    except FileNotFoundError:
        return None


def write_seen(path: Path, seen: History) -> None:
    file = file_beside(path)
    temporary = file.with_suffix(f".{secrets.token_hex(4)}")
    temporary.write_bytes(msgspec.json.encode(seen))
    os.replace(temporary, file)


def look(connection: psycopg.Connection[Any], path: Path) -> ChangedHistory | None:
    """Report a changed history; otherwise record the present position."""
    seen = read_seen(path)  # before the database is queried: another process may write it in the meantime
    now, accepted = read_history(connection), accepted_history(connection)
    if problem := judge(now, accepted, seen, holds=still_holds(connection, seen)):
        if seen is not None and seen.branch == now.branch:
            write_seen(path, msgspec.structs.replace(seen, reached=NEVER))  # its log may reach that position again
        return problem
    if accepted is None and has_table(connection):
        _write_accepted(connection, now)
    now = msgspec.structs.replace(now, resumed=0 if accepted is None else accepted.resumed)
    if path.parent.is_dir() and (seen is None or now.branch != seen.branch or now.reached > seen.reached):
        write_seen(path, now)
    return None


def accept(connection: psycopg.Connection[Any], path: Path) -> None:
    """Accept the present history for every process of the server."""
    memories = (accepted_history(connection), read_seen(path))
    times = 1 + max(history.resumed if history else 0 for history in memories)
    now = msgspec.structs.replace(read_history(connection), resumed=times)
    _write_accepted(connection, now)
    write_seen(path, now)


def has_table(connection: psycopg.Connection[Any]) -> bool:
    return connection.execute("SELECT to_regclass('about')").fetchone() != (None,)


def _write_accepted(connection: psycopg.Connection[Any], now: History) -> None:
    row = (KEY, msgspec.json.encode(now).decode())
    connection.execute(translate(upsert("about", "key", "value")).encode(), row)
