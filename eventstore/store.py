"""The event store: append, read, verify, erase, and keep what can be made again from events."""

from __future__ import annotations

import secrets
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from sqlite_utils import Database

from eventstore import safekeeping
from eventstore.events import Broken, Event, NewEvent, Part
from eventstore.log import (
    BATCH,
    ENDLESS,
    read_everything,
    read_last,
    read_stream,
    stream_names,
    verify_stored,
)
from eventstore.tables import claim_server_id, connect, create_tables
from eventstore.transaction import NoSuchPart, Transaction
from eventstore.vault import Locked, Vault, is_sealed

PART = "SELECT salt, content FROM parts WHERE commitment = ?"
PUT_SNAPSHOT = "INSERT OR REPLACE INTO snapshots (key, fingerprint, content) VALUES (?, ?, ?)"
GET_SNAPSHOT = "SELECT content FROM snapshots WHERE key = ? AND fingerprint = ?"
DROP_SNAPSHOTS = "DELETE FROM snapshots WHERE key >= ? AND key < ?"  # a range of the key, never a scan
POSITION = "SELECT coalesce(max(position), 0) FROM projections WHERE name = ?"
REMEMBER = "INSERT OR REPLACE INTO projections (name, position) VALUES (?, ?)"


class Erased(KeyError):
    """The content was here and has been erased."""


def system_clock() -> int:
    """UTC in milliseconds."""
    return time.time_ns() // 1_000_000


def no_failpoint(name: str) -> None:
    """Nothing fails here; tests put a crash in its place."""


def take_everything(stream: str, event: NewEvent) -> None:
    """Every event is taken; whoever owns the events may look closer."""


class EventStore:
    """Events in one SQLite file. One object serves all threads, each with its own connection."""

    def __init__(
        self,
        path: str | Path,
        *,
        server_id: str | None = None,
        clock: Callable[[], int] = system_clock,
        failpoint: Callable[[str], None] = no_failpoint,
        check: Callable[[str, NewEvent], None] = take_everything,
        vault: Vault | None = None,
    ) -> None:
        """`check` looks at each new event and its stream, and raises `BadEvent` for one that must not be stored.

        `vault` encrypts parts and snapshots; without one they are compressed only.
        """
        self.path = Path(path)
        self.clock = clock
        self._failpoint = failpoint
        self._check = check
        self.vault = vault or Vault()
        self._local = threading.local()
        self._connections: weakref.WeakSet[Database] = weakref.WeakSet()
        self._closed = False
        create_tables(self.database)
        self.server_id = claim_server_id(self.database, server_id or secrets.token_hex(16))
        if server_id not in (None, self.server_id):
            raise ValueError(f"{path} belongs to server {self.server_id}, not to {server_id}")

    # Connections and transactions

    @property
    def database(self) -> Database:
        """This thread's connection, also for tables of the caller's own."""
        if self._closed:
            raise ValueError(f"the store {self.path} is closed")
        database: Database | None = getattr(self._local, "database", None)
        if database is None:
            database = self._local.database = connect(self.path)
            self._connections.add(database)
        return database

    def transaction(self, label: str = "") -> Transaction:
        """`with store.transaction() as transaction:` commits all that is done inside, or nothing."""
        return Transaction(self.database, self.server_id, self.clock, self._failpoint, label, self._check, self.vault)

    def close(self) -> None:
        """Close every thread's connection; the store cannot be used again."""
        self._closed = True
        for database in list(self._connections):
            database.close()

    # Events

    def append(self, stream: str, events: Sequence[NewEvent], *, expected: int, label: str = "append") -> list[Event]:
        """Append to one stream in a transaction of its own."""
        with self.transaction(label) as transaction:
            return transaction.append(stream, events, expected=expected)

    def read(self, stream: str, *, after: int = 0, upto: int | None = None) -> list[Event]:
        """The events of a stream in order, after one version and up to another."""
        return read_stream(self.database, stream, after, ENDLESS if upto is None else upto)

    def read_all(self, *, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        """The events of all streams in the order they were recorded, after a position."""
        return read_everything(self.database, after, ENDLESS if limit is None else limit)

    def streams(self, prefix: str = "") -> list[str]:
        """The names of all streams that start with the prefix."""
        return stream_names(self.database, prefix)

    def version(self, stream: str) -> int:
        """The version of the stream's last event; 0 before the first."""
        return read_last(self.database, self.server_id, stream).version

    def head(self, stream: str) -> str:
        """The hash that the stream's next event will follow."""
        return read_last(self.database, self.server_id, stream).hash

    def verify(self, stream: str) -> Broken | None:
        """The first broken link of a stream, hashing the stored bytes; None if the chain holds."""
        return verify_stored(self.database, self.server_id, stream)

    # Parts

    def part(self, commitment: str) -> Part:
        """The part with this commitment, else `NoSuchPart` or `Erased`."""
        row = self.database.conn.execute(PART, [commitment]).fetchone()
        if row is None:
            raise NoSuchPart(commitment)
        salt, stored = row
        if stored is None:
            raise Erased(commitment)
        return Part(commitment, *self.vault.part(commitment, salt, stored))

    def parts(self, commitments: Iterable[str]) -> dict[str, Part]:
        """Those of the parts that are here."""
        found = {}
        for commitment in commitments:
            with suppress(NoSuchPart, Erased):
                found[commitment] = self.part(commitment)
        return found

    def erase(self, commitment: str) -> None:
        """Overwrite a part's salt and content with nothing; the chain still verifies."""
        with self.transaction("erase") as transaction:
            transaction.erase(commitment)

    # What can be made again from the events

    def put_snapshot(self, key: str, fingerprint: str, content: bytes) -> None:
        """Keep a snapshot in place of any older one of this key."""
        self.database.execute(PUT_SNAPSHOT, (key, fingerprint, self.vault.seal(key, content)))

    def get_snapshot(self, key: str, fingerprint: str) -> bytes | None:
        """The snapshot, if it is there and was made under this fingerprint."""
        row = self.database.execute(GET_SNAPSHOT, (key, fingerprint)).fetchone()
        if row is None:
            return None
        stored = bytes(row[0])
        try:
            return self.vault.open(key, stored) if is_sealed(stored) else stored
        except Locked:
            return None  # it can be made again

    def drop_snapshots(self, prefix: str = "") -> None:
        """Forget the snapshots whose key starts with the prefix."""
        self.database.execute(DROP_SNAPSHOTS, (prefix, prefix + "\U0010ffff"))

    def project(self, name: str, handle: Callable[[Transaction, Event], None]) -> int:
        """Feed the events this projection has not seen to `handle`; how many there were.

        What `handle` writes and the remembered position are committed together, 500 events at a
        time, so a crash neither skips nor repeats an event.
        """
        handled = 0
        while any(self.read_all(after=self._position(name), limit=1)):
            handled += self._project_batch(name, handle)
        return handled

    def _project_batch(self, name: str, handle: Callable[[Transaction, Event], None]) -> int:
        with self.transaction("project") as transaction:
            position = self._position(name)
            events = list(self.read_all(after=position, limit=BATCH))
            for event in events:
                handle(transaction, event)
                position = event.position
            self.database.execute(REMEMBER, (name, position))
        return len(events)

    def _position(self, name: str) -> int:
        return int(self.database.execute(POSITION, [name]).fetchone()[0])

    def drop_projection(self, name: str) -> None:
        """Forget how far a projection has come; its tables are the caller's."""
        self.database.execute("DELETE FROM projections WHERE name = ?", [name])

    # Safekeeping

    def backup(self, target: Path, check: Callable[[Database], None] | None = None) -> None:
        """Copy the whole store to a checked file while others go on writing."""
        safekeeping.backup(self.path, target, check, self.vault)

    @staticmethod
    def restore(source: Path, target: Path) -> None:
        """Bring a backup back as a new store, if it and all its chains are sound."""
        safekeeping.restore(source, target, restored_at=system_clock())

    def restorations(self) -> int:
        """How often this store's history was brought back from a backup."""
        return self.database.table("restorations").count
