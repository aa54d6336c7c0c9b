"""The event store: append, read, verify and erase events, and keep data derived from them."""

from __future__ import annotations

import secrets
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias, cast

from eventstore import safekeeping, tables
from eventstore.database import Database, StoreTrouble
from eventstore.events import Broken, Event, NewEvent, Part
from eventstore.log import (
    BATCH,
    ENDLESS,
    place_of,
    read_everything,
    read_lane,
    read_last,
    read_stream,
    read_versions,
    stream_names,
    verify_stored,
)
from eventstore.tables import claim_server_id
from eventstore.transaction import NoSuchPart, Transaction
from eventstore.vault import Locked, Vault, is_sealed

PART = "SELECT salt, content FROM parts WHERE commitment = ?"
HASH = "SELECT hash FROM events WHERE stream = ? AND version = ?"
PUT_SNAPSHOT = (
    "INSERT INTO snapshots (key, fingerprint, content) VALUES (?, ?, ?) "
    "ON CONFLICT (key) DO UPDATE SET fingerprint = excluded.fingerprint, content = excluded.content"
)
GET_SNAPSHOT = "SELECT content FROM snapshots WHERE key = ? AND fingerprint = ?"
DROP_SNAPSHOTS = "DELETE FROM snapshots WHERE key >= ? AND key < ?"  # a range of the key, never a scan
POSITIONS = "SELECT lane, position FROM projected WHERE name = ?"
REMEMBER = (
    "INSERT INTO projected (name, lane, position) VALUES (?, ?, ?) "
    "ON CONFLICT (name, lane) DO UPDATE SET position = excluded.position"
)
BEHIND = (
    "SELECT lanes.lane FROM lanes LEFT JOIN projected ON projected.name = ? AND projected.lane = lanes.lane "
    "WHERE lanes.position > coalesce(projected.position, 0) ORDER BY lanes.lane"
)
SKIP = (
    "INSERT INTO projected (name, lane, position) SELECT ?, lane, position FROM lanes WHERE position > 0 "
    "ON CONFLICT (name, lane) DO UPDATE SET position = excluded.position"
)

HURRIED = 200
"""Milliseconds that a reader waits for a writer."""

BUSY_FOR = 1.0
"""Seconds during which readers do not wait for a writer, after one of them has waited in vain."""

Handler: TypeAlias = Callable[[Transaction, Event], None]


class Erased(KeyError):
    """The requested content was in this store but has been erased."""


def system_clock() -> int:
    """The current time in UTC, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def no_failpoint(name: str) -> None:
    """Do nothing; tests inject a crash instead."""


def skip_to_end(database: Database, name: str) -> None:
    """Make a projection begin after everything now in the feed."""
    database.execute(SKIP, (name,))


def take_everything(stream: str, event: NewEvent) -> None:
    """Accept every event; the owner of the events may supply a stricter check."""


class EventStore:
    """Events in one SQLite file or a PostgreSQL database. One object serves all threads, each with a connection."""

    def __init__(
        self,
        path: str | Path,
        *,
        database: str = "",
        server_id: str | None = None,
        clock: Callable[[], int] | None = None,
        failpoint: Callable[[str], None] = no_failpoint,
        check: Callable[[str, NewEvent], None] = take_everything,
        vault: Vault | None = None,
        is_resuming: bool = False,
    ) -> None:
        """Open a store. `check` examines each new event with its stream, and raises `BadEvent` to refuse it.

        `database` is a `postgresql://` address; without one the events are in the SQLite file at `path`. `vault`
        encrypts parts and snapshots; without one they are only compressed. A database that was promoted or restored
        is refused unless `is_resuming`.
        """
        self.path = Path(path)
        self.address = database
        self._engine: Any = engine_of(database)
        self._failpoint = failpoint
        self._check = check
        self.vault = vault or Vault()
        self._local = threading.local()
        self._connections: weakref.WeakSet[Database] = weakref.WeakSet()
        self._closed = False
        self._busy_until = 0.0
        self._is_resuming, self._changed = is_resuming, cast(StoreTrouble | None, None)
        self._wrap: Callable[[Database], Database] = lambda database: database
        self._engine.create_tables(self.database)
        self.clock = clock or self._engine_clock()
        self.server_id = claim_server_id(self.database, server_id or secrets.token_hex(16))
        if server_id not in (None, self.server_id):
            raise ValueError(f"{self.place_in_words} belongs to server {self.server_id}, not to {server_id}")

    # Connections and transactions

    @property
    def place_in_words(self) -> str:
        """The location of the events, without a password."""
        return address_in_words(self.address) if self.address else str(self.path)

    @property
    def database(self) -> Database:
        """This thread's connection, which the caller may also use for its own tables."""
        if self._closed:
            raise ValueError(f"the store {self.place_in_words} is closed")
        database: Database | None = getattr(self._local, "database", None)
        if database is None or database.is_broken:
            database = self._wrap(self._engine.connect(self.address or self.path))
            self._refuse_changed_history(database)
            self._local.database = database
            self._connections.add(database)
        return database

    @property
    def machines(self) -> int:
        """The number of machines that hold an appended event, which is 2 if commits wait for a replica."""
        return self.database.machines

    def _refuse_changed_history(self, database: Database) -> None:
        """Refuse a promoted or restored database; when resuming, remember the change instead."""
        problem = database.changed_history(self.path)
        if problem is not None and not self._is_resuming:
            raise problem
        self._changed = self._changed or problem

    def changed_history(self) -> StoreTrouble | None:
        """Return an error if the database was promoted or restored since it was last used from here."""
        return self._changed or self.database.changed_history(self.path)

    def accept_history(self, *, lost_nothing: bool) -> None:
        """Use a promoted or restored database from now on, and treat it as restored if it may have lost events."""
        if not lost_nothing:
            self.database.execute("INSERT INTO restorations (restored_at) VALUES (?)", (self.clock(),))
        self.database.accept_history(self.path)
        self._changed = None

    def wrap_connections(self, wrap: Callable[[Database], Database]) -> None:
        """Pass every connection from now on through `wrap`, which may make it fail."""
        self._wrap, self._local = wrap, threading.local()

    def _engine_clock(self) -> Callable[[], int]:
        """Return the engine's clock, which for a database server is the one that all its clients share."""
        if not self.address:
            return system_clock
        clock: Callable[[], int] = self._engine.DatabaseClock(lambda: self.database)
        return clock

    def transaction(self, label: str = "", *, shared: bool = False) -> Transaction:
        """Begin a transaction: `with store.transaction() as transaction:` commits everything inside, or nothing.

        It runs exclusively. With `shared` it may run alongside others, but then everything it reads and relies on
        must be guarded by an expected version or a unique key.
        """
        return Transaction(
            self.database,
            self.server_id,
            self.clock,
            self._failpoint,
            label,
            self._check,
            self.vault,
            shared,
            self._hash_at,
        )

    def _hash_at(self, stream: str, version: int) -> str | None:
        row = self.database.execute(HASH, (stream, version)).fetchone()
        return None if row is None else str(row[0])

    def close(self) -> None:
        """Close every thread's connection, after which the store cannot be used again."""
        self._closed = True
        for database in list(self._connections):
            database.close()

    # Events

    def append(self, stream: str, events: Sequence[NewEvent], *, expected: int, label: str = "append") -> list[Event]:
        """Append to one stream in its own transaction."""
        with self.transaction(label) as transaction:
            return transaction.append(stream, events, expected=expected)

    def read(self, stream: str, *, after: int = 0, upto: int | None = None) -> list[Event]:
        """The events of a stream in order, after one version and up to another."""
        return read_stream(self.database, stream, after, ENDLESS if upto is None else upto)

    def read_all(self, *, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        """The events of all streams, after a position, for programs that look at everything.

        Between lanes the order is only roughly that of the commits; a projection proceeds lane by lane.
        """
        return read_everything(self.database, after, ENDLESS if limit is None else limit)

    def read_lane(self, lane: int, *, after: int = 0, limit: int = BATCH) -> list[tuple[int, Event]]:
        """The next events of a lane with their positions; no event ever appears before one already read."""
        return read_lane(self.database, lane, after, limit)

    def place(self, event: Event) -> int:
        """The event's position in the feed, which is larger than every other until the event is committed.

        Positions within a lane are in commit order. Between lanes this holds only relative to exclusive transactions.
        """
        return place_of(self.database, event)

    def streams(self, prefix: str = "") -> list[str]:
        """The names of all streams that start with the prefix."""
        return stream_names(self.database, prefix)

    def version(self, stream: str) -> int:
        """The version of the stream's last event; 0 before the first."""
        return read_last(self.database, self.server_id, stream).version

    def versions(self, streams: Sequence[str]) -> list[int]:
        """The versions of several streams, read at once."""
        return read_versions(self.database, streams)

    def head(self, stream: str) -> str:
        """The hash that the stream's next event will follow."""
        return read_last(self.database, self.server_id, stream).hash

    def verify(self, stream: str) -> Broken | None:
        """The first broken link of a stream, hashing the stored bytes; None if the chain holds."""
        return verify_stored(self.database, self.server_id, stream)

    # Parts

    def part(self, commitment: str) -> Part:
        """The part with this commitment; otherwise `NoSuchPart` or `Erased` is raised."""
        row = self.database.execute(PART, (commitment,)).fetchone()
        if row is None:
            raise NoSuchPart(commitment)
        salt, stored = row
        if stored is None:
            raise Erased(commitment)
        return Part(commitment, *self.vault.part(commitment, salt, stored))

    def parts(self, commitments: Iterable[str]) -> dict[str, Part]:
        """Return the parts that this store holds."""
        found = {}
        for commitment in commitments:
            with suppress(NoSuchPart, Erased):
                found[commitment] = self.part(commitment)
        return found

    def erase(self, commitment: str) -> None:
        """Overwrite a part's salt and content with nothing; the chain can still be verified."""
        with self.transaction("erase") as transaction:
            transaction.erase(commitment)

    # Data that can be derived from the events

    def put_snapshot(self, key: str, fingerprint: str, content: bytes) -> None:
        """Store a snapshot in place of any older one with this key."""
        self.database.execute(PUT_SNAPSHOT, (key, fingerprint, self.vault.seal(key, content)))

    def get_snapshot(self, key: str, fingerprint: str) -> bytes | None:
        """The snapshot, if it exists and was made with this fingerprint."""
        row = self.database.execute(GET_SNAPSHOT, (key, fingerprint)).fetchone()
        if row is None:
            return None
        stored = bytes(row[0])
        try:
            return self.vault.open(key, stored) if is_sealed(stored) else stored
        except Locked:
            return None  # it can be made again

    def drop_snapshots(self, prefix: str = "", before: str = "") -> None:
        """Delete the snapshots with keys that start with the prefix, or only those before another key."""
        self.database.execute(DROP_SNAPSHOTS, (prefix, before or prefix + "\U0010ffff"))

    @contextmanager
    def skip_if_busy(self) -> Iterator[None]:
        """Skip the rest of a reader's block if a writer keeps it waiting.

        While writers are that busy, the next readers hardly wait, so a page with four such blocks does not wait four
        times.
        """
        database = self.database
        is_busy = time.monotonic() < self._busy_until
        database.set_patience(1 if is_busy else HURRIED)
        try:
            yield
        except StoreTrouble as problem:
            if problem.kind != "busy":
                raise
            if not is_busy:
                self._busy_until = time.monotonic() + BUSY_FOR
        finally:
            database.set_patience(None)

    def project(self, name: str, handle: Handler, most: int = ENDLESS) -> int:
        """Feed the events this projection has not seen to `handle`. Return their number.

        Writes by `handle` and the recorded positions are committed together, about 500 events at a time, so a
        crash neither skips nor repeats an event. After `most` events no further batch is begun.
        """
        handled = 0
        while handled < most and (lanes := self.database.execute(BEHIND, (name,)).fetchall()):
            handled += self._project_batch(name, [lane for (lane,) in lanes], handle)
        return handled

    def _project_batch(self, name: str, lanes: Sequence[int], handle: Handler) -> int:
        """Feed the next events of these lanes in one transaction; lanes that do not fit wait for the next one."""
        handled, reached = 0, list[tuple[str, int, int]]()
        with self.transaction("project") as transaction:
            known = dict(self.database.execute(POSITIONS, (name,)).fetchall())
            for lane in lanes:
                if handled >= BATCH:
                    break
                fed = self.read_lane(lane, after=known.get(lane, 0))
                for position, event in fed:
                    transaction.position = position
                    handle(transaction, event)
                reached += [(name, lane, fed[-1][0])] if fed else []
                handled += len(fed)
            if reached:
                self.database.insert_many(REMEMBER, reached)
        return handled

    def lag(self, name: str) -> int:
        """The number of lanes in which a projection is behind."""
        return len(self.database.execute(BEHIND, (name,)).fetchall())

    def drop_projection(self, name: str) -> None:
        """Forget a projection's position; its tables belong to the caller."""
        self.database.execute("DELETE FROM projected WHERE name = ?", (name,))

    # Safekeeping

    def backup(self, target: Path, check: Callable[[Database], None] | None = None) -> None:
        """Copy the whole store to a checked SQLite file while others continue writing."""
        if self.address:
            from eventstore import moving

            moving.backup(self.database, target, check, self.vault)
        else:
            safekeeping.backup(self.path, target, check, self.vault)

    @staticmethod
    def restore(source: Path, target: Path) -> None:
        """Restore a backup as a new store, if it and all its chains are sound."""
        safekeeping.restore(source, target, restored_at=system_clock())

    def restorations(self) -> int:
        """How often this store's history was restored from a backup."""
        return int(self.database.execute("SELECT count(*) FROM restorations").fetchone()[0])


def engine_of(address: str) -> Any:
    """The module for a database engine; the PostgreSQL driver is loaded only when used."""
    if not address:
        return tables
    if not address.startswith(("postgresql://", "postgres://")):
        raise ValueError(f"{address_in_words(address)} is not an address such as postgresql://localhost/pbem")
    from eventstore.postgres import connection

    return connection


@contextmanager
def read_store(path: Path, address: str = "") -> Iterator[Database]:
    """Open a store of either engine, which may be in use, for reading; `StoreTrouble` if that fails."""
    if not address:
        with safekeeping.read_only(path) as file:
            yield file
        return
    with closing(engine_of(address).connect(address)) as database:
        database.begin_snapshot()
        yield database


def address_in_words(address: str) -> str:
    """The address of a database without its password."""
    before, at, after = address.rpartition("@")
    scheme, _, user = before.partition("://")
    return f"{scheme}://{user.partition(':')[0]}{at}{after}" if at else address
