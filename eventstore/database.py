"""A store's interface to a database of either engine, and the possible failures.

Callers write one dialect: `?` for values, `ON CONFLICT (key) DO ...` for upserts, `BLOB` for bytes, and `rowid` for
the order in which rows were inserted. SQLite understands it directly; `eventstore.postgres.dialect` translates it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol


class StoreTrouble(Exception):
    """A failure of the database, not a mistake of the caller. `kind` is a key of `ADVICE`."""

    def __init__(self, kind: str, why: object = "") -> None:
        super().__init__(str(why) or ADVICE.get(kind, kind))
        self.kind = kind

    @property
    def advice(self) -> str:
        """The problem and the remedy, for an operator."""
        found = ADVICE.get(self.kind)
        return f"{found} ({self})" if found else f"the database fails: {self}"


class Violated(StoreTrouble):
    """A row that the database itself refuses; a retry would not help."""

    def __init__(self, why: object) -> None:
        super().__init__("violated", why)


class InDoubt(StoreTrouble):
    """A commit with an unknown outcome: check before repeating or reporting anything."""

    def __init__(self, why: object) -> None:
        super().__init__("in doubt", why)


class NotReplicated(InDoubt):
    """A commit that reached only one machine, because it was cancelled while it waited for a second one."""


ADVICE = {
    "readonly": "the database cannot be written: check the permissions of the data folder",
    "cannot open": "the database cannot be opened: check the data folder and its permissions",
    "full": "the disk is full: nothing was changed; make room and try again",
    "corrupt": "the database is damaged: stop the server and restore a backup with `pbem restore`",
    "not a database": "the file is not a database: restore a backup with `pbem restore`",
    "io": "the disk cannot be read or written: check whether it is full or damaged",
    "busy": "the database is busy: another process has held it for too long",
    "unreachable": "the database server cannot be reached: check that it is running, its address and the password",
    "waiting": "commits wait for a replica that does not answer: nothing was changed; check the replicas",
    "changed": "the database is not the one that the server used before",
    "in doubt": "the connection was lost during a commit, so its outcome is unknown; check it again",
}
"""The problem with a database and the remedy, by kind."""


class Cursor(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int: ...

    @property
    def description(self) -> Any: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Database(Protocol):
    """One connection. Outside a transaction every statement commits by itself."""

    @property
    def lanes(self) -> int:
        """How many lanes the feed has; a stream stays in its lane forever."""
        ...

    @property
    def program(self) -> tuple[str, str]:
        """The name and the version of the database program."""
        ...

    @property
    def is_broken(self) -> bool:
        """Whether this connection is lost for good and a new one is needed."""
        ...

    @property
    def machines(self) -> int:
        """The number of machines that hold a commit when it returns."""
        ...

    @property
    def skip_locked(self) -> str:
        """The end of a SELECT in a transaction that skips rows locked by another transaction."""
        ...

    def changed_history(self, path: Path) -> StoreTrouble | None:
        """Return an error if the database was promoted or restored since the last use recorded in the file `path`."""
        ...

    def accept_history(self, path: Path) -> None:
        """Accept a changed history from now on, on every machine."""
        ...

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Cursor:
        """Run one statement; `StoreTrouble` if the database fails."""
        ...

    def insert_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run an INSERT for each row."""
        ...

    def columns(self, table: str) -> set[str]:
        """The names of a table's columns; empty if there is no such table."""
        ...

    def has_table(self, table: str) -> bool: ...

    def begin(self, *, shared: bool = False) -> None:
        """Begin a transaction: an exclusive one, or one that may run alongside other shared ones."""
        ...

    def set_patience(self, milliseconds: int | None) -> None:
        """Set how long to wait for another writer before a statement fails as busy; None restores the default."""
        ...

    def place(self, written: Sequence[tuple[str, int, str]]) -> None:
        """Give the events appended in this transaction (stream, version, hash) their place in the feed."""
        ...

    def commit(self) -> None: ...

    def rollback(self) -> None:
        """Undo everything that is not committed; do nothing outside a transaction."""
        ...

    def wipe(self) -> None:
        """Remove erased data from the files that the database keeps next to its tables."""
        ...

    def close(self) -> None: ...

    # For copies to another engine

    def begin_snapshot(self) -> None:
        """Begin a read-only transaction with a snapshot of the present state."""
        ...

    def rows(self, sql: str) -> Iterator[Any]:
        """The rows of a query, one by one, for results of any size."""
        ...

    def table_list(self) -> set[str]:
        """The names of all tables."""
        ...

    def shapes(self, but: frozenset[str]) -> list[str]:
        """The statements that created all tables except these."""
        ...

    def has_order(self, table: str) -> bool:
        """Whether a table has a `rowid` in addition to its columns."""
        ...

    def insert_fed(self, rows: Sequence[tuple[int, str, int, str, bytes]]) -> None:
        """Insert events (position, stream, version, hash, body) that already have their places in the feed."""
        ...

    def count_on(self) -> None:
        """Make every counter continue after the largest number in use."""
        ...


def create_table(database: Database, table: str, columns: str, later: Mapping[str, str]) -> set[str]:
    """Create a table, or add the columns in `later` to one that an earlier release created; return their names."""
    whole = ", ".join([columns, *(f"{name} {kind}" for name, kind in later.items())])
    database.execute(f"CREATE TABLE IF NOT EXISTS {table} ({whole})")
    known = database.columns(table)
    added = [name for name in later if name not in known]
    for name in added:
        database.execute(f"ALTER TABLE {table} ADD COLUMN {name} {later[name]}")
    return set(added)


@cache
def upsert(table: str, key: str, more: str) -> str:
    """The statement that inserts a row with these columns (the key's first), or updates the row with its key."""
    columns = [name.strip() for name in f"{key}, {more}".split(",")]
    changes = ", ".join(f"{name.strip()} = excluded.{name.strip()}" for name in more.split(","))
    values = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values}) ON CONFLICT ({key}) DO UPDATE SET {changes}"
