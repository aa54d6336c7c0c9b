"""Backup and restore: a copy is checked before it gets its final name."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from eventstore.database import Database, StoreTrouble
from eventstore.events import commitment
from eventstore.log import verify_stored
from eventstore.tables import SQLiteDatabase, read_server_id, trouble
from eventstore.vault import ENCRYPTED, Locked, Vault

PARTS = "SELECT commitment, salt, content FROM parts WHERE content IS NOT NULL"


class Damaged(Exception):
    """A file that is not a sound event store."""


def backup(
    source: Path, target: Path, check: Callable[[Database], None] | None = None, vault: Vault | None = None
) -> None:
    """Copy a store that is in use; the last good backup is replaced only if every chain and part is sound.

    `check` examines other data in the same database, and raises `Damaged`.
    """
    refuse_journal(target)
    with checked_copy(source, target.parent) as copy:
        with sqlite_errors(source), closing(SQLiteDatabase(sqlite3.connect(copy))) as database:
            check_content(database, vault)
            if check is not None:
                check(database)
        os.replace(copy, target)


def restore(source: Path, target: Path, restored_at: int) -> None:
    """Copy a backup to a new store, if the file and every chain in it are sound."""
    if target.exists():
        raise FileExistsError(f"{target} exists; a restore never overwrites")
    refuse_journal(target)
    with checked_copy(source, target.parent) as copy:
        with sqlite_errors(source), closing(SQLiteDatabase(sqlite3.connect(copy))) as database:
            check_content(database)
            database.execute("INSERT INTO restorations (restored_at) VALUES (?)", (restored_at,))
            database.conn.commit()
        sync(copy)
        os.link(copy, target)  # fails, where a rename would overwrite


@contextmanager
def checked_copy(source: Path, folder: Path) -> Iterator[Path]:
    """Yield a sound copy on the same disk as its final place; it is deleted afterwards unless it was renamed."""
    handle, name = tempfile.mkstemp(prefix=".eventstore-", suffix=".copy", dir=folder)
    os.close(handle)
    copy = Path(name)
    try:
        copy_database(source, copy)
        sync(copy)
        yield copy
    finally:
        copy.unlink(missing_ok=True)
    sync(folder)


def copy_database(source: Path, copy: Path) -> None:
    """Copy with SQLite's online backup in a single step, which neither blocks writers nor is disturbed by them."""
    address = f"{source.absolute().as_uri()}?mode=rw"  # never creates the source
    with (
        sqlite_errors(source),
        closing(sqlite3.connect(address, uri=True)) as origin,
        closing(sqlite3.connect(copy)) as goal,
    ):
        origin.backup(goal)
        goal.execute("PRAGMA journal_mode = DELETE")  # one file, readable anywhere
        (answer,) = goal.execute("PRAGMA integrity_check").fetchone()
    if answer != "ok":
        raise Damaged(f"{source} is damaged: {answer}")


@contextmanager
def read_only(path: Path) -> Iterator[SQLiteDatabase]:
    """Open a store's file, which may be in use, for reading; `StoreTrouble` if that fails."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            yield SQLiteDatabase(connection)
    except sqlite3.Error as problem:
        raise trouble(problem) from problem


def damage(database: SQLiteDatabase) -> str:
    """The damage that SQLite itself finds in a file; empty if there is none."""
    [(answer,)] = database.execute("PRAGMA integrity_check(1)").fetchall()
    return "" if answer == "ok" else str(answer)


@contextmanager
def sqlite_errors(source: Path) -> Iterator[None]:
    """Report anything SQLite cannot read as damage."""
    try:
        yield
    except (sqlite3.DatabaseError, StoreTrouble) as error:
        raise Damaged(f"{source} cannot be read: {error}") from error


def check_content(database: Database, vault: Vault | None = None) -> None:
    """Check that every event follows the previous one, and that every part matches its commitment."""
    server_id = read_server_id(database)
    if server_id is None:
        raise Damaged("this database is not an event store")
    for (stream,) in database.execute("SELECT DISTINCT stream FROM events").fetchall():
        if broken := verify_stored(database, server_id, stream):
            raise Damaged(f"{stream} is broken at version {broken.version}: {broken.why}")
    for name, salt, stored in database.execute(PARTS):
        if vault is None and stored[:1] == bytes([ENCRYPTED]):
            continue  # without the storage key only its place can be checked
        if not is_sound(vault or Vault(), name, salt, stored):
            raise Damaged(f"part {name} is not what was committed to")


def is_sound(vault: Vault, name: str, salt: bytes, stored: bytes) -> bool:
    """Whether a stored part of any form matches its commitment."""
    try:
        return commitment(*vault.part(name, salt, stored)) == name
    except (ValueError, Locked, zlib.error):
        return False


def refuse_journal(target: Path) -> None:
    """Refuse a leftover journal, because it would be applied to any database that appears next to it."""
    for suffix in ("-wal", "-journal"):
        if Path(f"{target}{suffix}").exists():
            raise FileExistsError(f"{target}{suffix} is left from another database")


def sync(path: Path) -> None:
    """Force a file or a folder's entries to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
