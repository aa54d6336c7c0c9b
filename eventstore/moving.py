"""Copy a whole store from one engine to another: the same events, heads, positions, parts and tables of the callers.

A backup of a store on PostgreSQL is such a copy in a SQLite file, so that it can be checked, read and restored
without a database server. Snapshots are left out: they are made again from the events.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from eventstore import tables
from eventstore.database import Database
from eventstore.log import ENDLESS
from eventstore.safekeeping import check_content, refuse_journal, sync
from eventstore.vault import Vault

OWN = frozenset({"events", "feed", "lanes", "parts", "about", "projected", "restorations", "snapshots", "shapes"})
"""The store's own tables; every other one is a caller's."""

AT_ONCE = 500
EVENTS = (
    "SELECT feed.position, e.stream, e.version, e.hash, e.body FROM feed "
    "JOIN events AS e ON (e.stream, e.version) = (feed.stream, feed.version) ORDER BY feed.position"
)
PARTS = "SELECT commitment, salt, content FROM parts ORDER BY rowid"
PUT_PART = "INSERT INTO parts (commitment, salt, content) VALUES (?, ?, ?)"
UNSEEN = (
    "SELECT min(feed.position) FROM feed LEFT JOIN projected ON projected.name = ? AND projected.lane = feed.lane "
    "WHERE feed.position > coalesce(projected.position, 0)"
)
SEEN = "SELECT lane, max(position) FROM feed WHERE position < ? GROUP BY lane"
PUT_PROJECTED = "INSERT INTO projected (name, lane, position) VALUES (?, ?, ?)"


class NotEmpty(Exception):
    """A store that already has events, which a copy never overwrites."""


def copy(source: Database, target: Database) -> dict[str, int]:
    """Copy everything to an empty store, in one transaction. Return the number of rows of each table."""
    source.begin_snapshot()
    try:
        target.begin()
        if target.execute("SELECT 1 FROM events LIMIT 1").fetchone() is not None:
            raise NotEmpty("the target has events already; a copy never overwrites")
        counted = {"events": _copy_events(source, target), "parts": _copy_parts(source, target)}
        for key, value in source.execute("SELECT key, value FROM about WHERE key <> 'history'").fetchall():
            target.execute("DELETE FROM about WHERE key = ?", (key,))
            target.execute("INSERT INTO about (key, value) VALUES (?, ?)", (key, value))
        for row in source.execute("SELECT restored_at FROM restorations").fetchall():
            target.execute("INSERT INTO restorations (restored_at) VALUES (?)", row)
        _copy_projected(source, target)
        for statement in source.shapes(OWN):
            target.execute(statement)
        for table in sorted(target.table_list() - OWN):
            if source.has_table(table):
                counted[table] = _copy_table(source, target, table)
        target.count_on()
        target.commit()
    finally:
        target.rollback()
        source.rollback()
    return counted


def _copy_events(source: Database, target: Database) -> int:
    """Copy the events in feed order, which is also the order within each stream; they keep their positions."""
    total = 0
    for rows in _pages(source.rows(EVENTS)):
        target.insert_fed(rows)
        total += len(rows)
    return total


def _copy_parts(source: Database, target: Database) -> int:
    total = 0
    for rows in _pages(source.rows(PARTS)):
        target.insert_many(PUT_PART, rows)
        total += len(rows)
    return total


def _copy_projected(source: Database, target: Database) -> None:
    """Make each projection continue with the first event that it has not seen.

    If the target has fewer lanes, some events that it has already seen are fed to it again.
    """
    for (name,) in source.execute("SELECT DISTINCT name FROM projected ORDER BY name").fetchall():
        (unseen,) = source.execute(UNSEEN, (name,)).fetchone()
        rows = target.execute(SEEN, (ENDLESS if unseen is None else unseen,)).fetchall()
        target.insert_many(PUT_PROJECTED, [(name, lane, position) for lane, position in rows])


def _copy_table(source: Database, target: Database, table: str) -> int:
    names = sorted(source.columns(table) & target.columns(table) - {"rowid"})
    if source.has_order(table) and target.has_order(table):
        names.append("rowid")
    listed = ", ".join(f'"{name}"' if name != "rowid" else name for name in names)
    total = 0
    target.execute(f"DELETE FROM {table}")  # rows inserted when the target was opened
    for rows in _pages(source.rows(f"SELECT {listed} FROM {table}")):
        target.insert_many(f"INSERT INTO {table} ({listed}) VALUES ({', '.join('?' * len(names))})", rows)
        total += len(rows)
    return total


def _pages(rows: Iterator[Any]) -> Iterator[list[Any]]:
    while page := list(islice(rows, AT_ONCE)):
        yield page


def backup(
    source: Database, target: Path, check: Callable[[Database], None] | None = None, vault: Vault | None = None
) -> None:
    """Copy a store to a SQLite file; the last good backup is replaced only if every chain and part is sound."""
    refuse_journal(target)
    folder = Path(tempfile.mkdtemp(prefix=".eventstore-", dir=target.parent))
    copied = folder / "copy.db"
    try:
        with closing(tables.connect(copied)) as database:
            tables.create_tables(database)
            copy(source, database)
            check_content(database, vault)
            if check is not None:
                check(database)
            database.disable_wal()
        sync(copied)
        os.replace(copied, target)
        sync(target.parent)
    finally:
        for left in folder.iterdir():
            left.unlink()
        folder.rmdir()
