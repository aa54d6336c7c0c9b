"""SQLite: the tables, the rules the database itself enforces, and how a connection is opened.

There is one lane: a transaction has the only write lock, so the position of an event is the order of its commit.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import sqlite_utils

from eventstore.database import Database, StoreTrouble, Violated

BUSY_SECONDS = 30
FULL = 2  # what `PRAGMA synchronous` answers for FULL

SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    hash TEXT NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (stream, version)
) STRICT;

CREATE INDEX IF NOT EXISTS first_events ON events (stream) WHERE version = 1;

CREATE TABLE IF NOT EXISTS parts (
    commitment TEXT NOT NULL PRIMARY KEY,
    salt BLOB,
    content BLOB,
    CHECK ((salt IS NULL) = (content IS NULL))
) STRICT;

CREATE TABLE IF NOT EXISTS about (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS restorations (restored_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS projected (
    name TEXT NOT NULL,
    lane INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (name, lane)
) STRICT;
CREATE VIEW IF NOT EXISTS feed AS SELECT 0 AS lane, position, stream, version FROM events;
CREATE VIEW IF NOT EXISTS lanes AS SELECT 0 AS lane, coalesce(max(position), 0) AS position FROM events;
CREATE TABLE IF NOT EXISTS snapshots (
    key TEXT NOT NULL PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    content BLOB NOT NULL
) STRICT;

CREATE TRIGGER IF NOT EXISTS events_stay BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;

CREATE TRIGGER IF NOT EXISTS events_remain BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;

-- INSERT OR REPLACE would delete without asking the trigger above
CREATE TRIGGER IF NOT EXISTS events_follow BEFORE INSERT ON events
WHEN NEW.version <> 1 + (SELECT coalesce(max(version), 0) FROM events WHERE stream = NEW.stream)
  OR EXISTS (SELECT 1 FROM events WHERE position = NEW.position)
BEGIN SELECT RAISE(ABORT, 'an event follows the last of its stream'); END;

CREATE TRIGGER IF NOT EXISTS parts_stay BEFORE UPDATE ON parts
WHEN NEW.commitment <> OLD.commitment OR NEW.content IS NOT NULL OR NEW.salt IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a part is never changed, only erased'); END;

CREATE TRIGGER IF NOT EXISTS parts_remain BEFORE DELETE ON parts
BEGIN SELECT RAISE(ABORT, 'a part is never deleted, only erased'); END;

-- the same commitment is the same content, and what was erased stays erased
CREATE TRIGGER IF NOT EXISTS parts_once BEFORE INSERT ON parts
WHEN EXISTS (SELECT 1 FROM parts WHERE commitment = NEW.commitment)
BEGIN SELECT RAISE(IGNORE); END;
"""


TROUBLES = {
    "SQLITE_READONLY": "readonly",
    "SQLITE_PERM": "readonly",
    "SQLITE_CANTOPEN": "cannot open",
    "SQLITE_FULL": "full",
    "SQLITE_CORRUPT": "corrupt",
    "SQLITE_NOTADB": "not a database",
    "SQLITE_IOERR": "io",
    "SQLITE_BUSY": "busy",
    "SQLITE_LOCKED": "busy",
}


def trouble(problem: sqlite3.Error) -> StoreTrouble:
    """Translate a driver error into the store's own error."""
    if isinstance(problem, sqlite3.IntegrityError):
        return Violated(problem)
    name = getattr(problem, "sqlite_errorname", None) or ""
    return StoreTrouble(next((kind for code, kind in TROUBLES.items() if name.startswith(code)), "other"), problem)


class SQLiteDatabase(sqlite_utils.Database):
    """A connection to one SQLite file."""

    lanes = 1
    program = ("sqlite", sqlite3.sqlite_version)
    machines = 1
    skip_locked = ""
    is_broken = False

    def execute(self, sql: str, parameters: Sequence[Any] | dict[str, Any] | None = None, /) -> sqlite3.Cursor:
        try:
            return self.conn.execute(sql, () if parameters is None else parameters)
        except sqlite3.Error as problem:
            raise trouble(problem) from problem

    def insert_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        try:
            self.conn.executemany(sql, rows)
        except sqlite3.Error as problem:
            raise trouble(problem) from problem

    def changed_history(self, path: Path) -> StoreTrouble | None:
        """Return None, because a SQLite file cannot be promoted, and a restore is recorded in the file itself."""
        return None

    def accept_history(self, path: Path) -> None:
        """Do nothing: there is nothing to accept."""

    def columns(self, table: str) -> set[str]:
        return {str(row[1]) for row in self._info(table)}

    def has_table(self, table: str) -> bool:
        return bool(self.columns(table))

    def begin(self, *, shared: bool = False) -> None:
        """Begin a transaction. There is one write lock, so a shared transaction waits like any other."""
        self.execute("BEGIN IMMEDIATE")  # a deferred one fails under several writers

    def set_patience(self, milliseconds: int | None) -> None:
        self.execute(f"PRAGMA busy_timeout = {1000 * BUSY_SECONDS if milliseconds is None else milliseconds}")

    def place(self, written: Sequence[tuple[str, int, str]]) -> None:
        """Do nothing, because events get their places when they are inserted."""

    def commit(self) -> None:
        self.execute("COMMIT")

    def rollback(self) -> None:
        self.conn.rollback()

    def wipe(self) -> None:
        self.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the log still holds the old pages

    # For copies to another engine

    def begin_snapshot(self) -> None:
        self.execute("BEGIN")

    def rows(self, sql: str) -> Iterator[Any]:
        return iter(self.execute(sql))

    def table_list(self) -> set[str]:
        names = self.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {name for (name,) in names}

    def shapes(self, but: frozenset[str]) -> list[str]:
        rows = self.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall()
        found = [sql for name, sql in rows if name not in but and not name.startswith("sqlite_")]
        return [f"CREATE TABLE IF NOT EXISTS {sql.removeprefix('CREATE TABLE ')}" for sql in found]

    def has_order(self, table: str) -> bool:
        return not any(type == "INTEGER" and key for _, _, type, _, _, key in self._info(table))

    def _info(self, table: str) -> list[Any]:
        return self.execute(f"PRAGMA table_info({table})").fetchall()

    def insert_fed(self, rows: Sequence[tuple[int, str, int, str, bytes]]) -> None:
        self.insert_many("INSERT INTO events (position, stream, version, hash, body) VALUES (?, ?, ?, ?, ?)", rows)

    def count_on(self) -> None:
        """Do nothing, because SQLite continues counting by itself."""


def connect(path: Path) -> SQLiteDatabase:
    """A connection that loses nothing it has committed, and wipes erased data."""
    try:
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as problem:
        raise trouble(problem) from problem
    database = SQLiteDatabase(connection)
    switch_to_wal(database)
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA foreign_keys = ON")
    database.execute("PRAGMA secure_delete = ON")
    if pragma(database, "journal_mode") != "wal" or pragma(database, "synchronous") != FULL:
        raise RuntimeError(f"{path} cannot be written durably: it needs WAL and synchronous=FULL")
    return database


def switch_to_wal(database: SQLiteDatabase) -> None:
    """Switch to WAL mode; SQLite does not wait for the lock that this needs, so we wait here."""
    patience = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return database.enable_wal()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > patience:
                raise trouble(error) from error
            time.sleep(0.01)
        except sqlite3.Error as error:
            raise trouble(error) from error


def pragma(database: SQLiteDatabase, name: str) -> object:
    """The connection's actual setting."""
    return database.execute(f"PRAGMA {name}").fetchone()[0]


def create_tables(database: SQLiteDatabase) -> None:
    """Create missing tables; several processes may try at once."""
    database.begin()
    try:
        with database.conn:
            is_old = database.has_table("projections") and not database.has_table("projected")
            for statement in schema_statements():
                database.execute(statement)
            if is_old:  # the old table stays: the earlier release may still serve pages
                columns = "projected (name, lane, position)"
                database.execute(f"INSERT INTO {columns} SELECT name, 0, position FROM projections")
    except sqlite3.Error as problem:
        raise trouble(problem) from problem


@cache
def schema_statements() -> tuple[str, ...]:
    """Split the schema into statements; the semicolons inside a trigger do not end one."""
    found, current = [], ""
    for line in SCHEMA.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            found.append(current)
            current = ""
    return tuple(found)


def claim_server_id(database: Database, wanted: str) -> str:
    """The id with which this store was created, or the wanted one for a new store."""
    query = "INSERT INTO about (key, value) VALUES ('server_id', ?) ON CONFLICT (key) DO NOTHING"
    database.execute(query, (wanted,))
    return read_server_id(database) or wanted


def read_server_id(database: Database) -> str | None:
    """The id of the server that owns these events; None if there is no store."""
    if not database.has_table("about"):
        return None
    row = database.execute("SELECT value FROM about WHERE key = 'server_id'").fetchone()
    return None if row is None else str(row[0])
