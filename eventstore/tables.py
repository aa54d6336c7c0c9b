"""The tables, the rules the database itself enforces, and how a connection is opened."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from sqlite_utils import Database

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
CREATE TABLE IF NOT EXISTS projections (name TEXT NOT NULL PRIMARY KEY, position INTEGER NOT NULL) STRICT;
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


def connect(path: Path) -> Database:
    """A connection that loses nothing it has committed, and wipes what it erases."""
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    database = Database(connection)
    switch_to_wal(database)
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA foreign_keys = ON")
    database.execute("PRAGMA secure_delete = ON")
    if database.journal_mode != "wal" or pragma(database, "synchronous") != FULL:
        raise RuntimeError(f"{path} cannot be written durably: it needs WAL and synchronous=FULL")
    return database


def switch_to_wal(database: Database) -> None:
    """SQLite does not wait for the lock that this switch needs, so we do."""
    patience = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return database.enable_wal()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > patience:
                raise
            time.sleep(0.01)


def pragma(database: Database, name: str) -> object:
    """What the connection really has set."""
    return database.execute(f"PRAGMA {name}").fetchone()[0]


def create_tables(database: Database) -> None:
    """Create what is absent; several processes may try at once."""
    database.conn.execute("BEGIN IMMEDIATE")
    with database.conn:
        database.executescript(SCHEMA)


def claim_server_id(database: Database, wanted: str) -> str:
    """The id this store has had from its first day; the wanted one if that is today."""
    database.execute("INSERT OR IGNORE INTO about (key, value) VALUES ('server_id', ?)", [wanted])
    return read_server_id(database) or wanted


def read_server_id(database: Database) -> str | None:
    """The id of the server whose events these are; None where there is no store."""
    if "about" not in database.table_names():
        return None
    row = database.execute("SELECT value FROM about WHERE key = 'server_id'").fetchone()
    return None if row is None else str(row[0])
