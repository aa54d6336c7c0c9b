"""Transactions that append to one stream or to several: everything is written, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from types import TracebackType

from eventstore.database import Database, InDoubt, NotReplicated, Violated
from eventstore.events import (
    BadEvent,
    Event,
    NewEvent,
    Part,
    body_of,
    commitment,
    read_body,
    verify,
    verify_parts,
    write_body,
)
from eventstore.log import Last, origin_key, read_last
from eventstore.vault import Vault

INSERT = "INSERT INTO events (stream, version, hash, body) VALUES (?, ?, ?, ?)"
INSERT_PART = "INSERT INTO parts (commitment, salt, content) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
ERASE = "UPDATE parts SET salt = NULL, content = NULL WHERE commitment = ?"


class Conflict(Exception):
    """Another writer appended first, so the caller must continue from the actual version and try again."""

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(f"{stream} is at version {actual}, not at {expected}")
        self.stream = stream
        self.expected = expected
        self.actual = actual


class NoSuchPart(KeyError):
    """No event of this store ever committed to this content."""


class Transaction:
    """A change of several streams and of the caller's own tables: either all of it is written, or nothing.

    A transaction runs exclusively unless it is `shared`; a shared one relies on expected versions and unique keys.
    While a projection is fed, `position` is the current event's place in the feed.
    """

    def __init__(
        self,
        database: Database,
        server_id: str,
        clock: Callable[[], int],
        failpoint: Callable[[str], None],
        label: str,
        check: Callable[[str, NewEvent], None],
        vault: Vault | None = None,
        shared: bool = False,
        look_again: Callable[[str, int], str | None] | None = None,
    ) -> None:
        self.database = database
        self._server_id = server_id
        self._clock = clock
        self._failpoint = failpoint
        self._check = check
        self._vault = vault or Vault()
        self._prefix = f"{label}:" if label else ""
        self._shared = shared
        self._look_again = look_again
        self._appended: list[tuple[str, int, str]] = []
        self._has_erased = False
        self.position = 0

    def __enter__(self) -> Transaction:
        self.database.begin(shared=self._shared)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._commit()
        finally:
            self.database.rollback()  # nothing is left to roll back after a commit

    def version(self, stream: str) -> int:
        """The version of the stream's last event; 0 before the first."""
        return read_last(self.database, self._server_id, stream).version

    def append(self, stream: str, events: Sequence[NewEvent], *, expected: int) -> list[Event]:
        """Append to a stream that is still at the expected version; otherwise raise `Conflict`."""
        for event in events:
            self._check(stream, event)
        last = read_last(self.database, self._server_id, stream)
        if last.version != expected:
            raise Conflict(stream, expected, last.version)
        now = max(self._clock(), last.recorded_at)  # time never runs backwards within a stream
        rows = list(chain(stream, events, last, now))
        try:
            self.database.insert_many(INSERT, rows)
        except Violated as problem:
            if not self._shared:
                raise
            raise Conflict(stream, expected, expected + 1) from problem  # another shared one was faster
        self._appended += [(stream, version, hash) for _, version, hash, _ in rows]
        if any(event.parts for event in events):
            self.database.insert_many(INSERT_PART, part_rows(events, self._vault))
        return [read_body(hash, body) for _, _, hash, body in rows]

    def adopt(self, stream: str, events: Sequence[Event], parts: Sequence[Part], *, origin: str) -> int:
        """Take over a stream from another server, or the events appended there since it left this one.

        Every event keeps its hash, its time and its place in the chain. Return how many events are new here.
        """
        broken = verify(events, server_id=origin, stream=stream) or verify_parts(
            events, {p.commitment: p for p in parts}
        )
        last = read_last(self.database, origin, stream)
        known = events[last.version - 1].hash if 0 < last.version <= len(events) else last.hash
        if broken is not None or known != last.hash:
            raise BadEvent(
                f"{stream} does not follow the stored events: {broken.why if broken else 'another history'}"
            )
        new = events[last.version :]
        self.database.insert_many(INSERT, [(stream, event.version, event.hash, body_of(event)) for event in new])
        self._appended += [(stream, event.version, event.hash) for event in new]
        rows = ((part.commitment, b"", self._vault.seal(part.commitment, part.content, part.salt)) for part in parts)
        self.database.insert_many(INSERT_PART, rows)
        if origin != self._server_id:
            query = "INSERT INTO about (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING"
            self.database.execute(query, (origin_key(stream), origin))
        return len(new)

    def erase(self, commitment: str) -> None:
        """Overwrite a part's salt and content with nothing, for good."""
        if not self.database.execute(ERASE, (commitment,)).rowcount:
            raise NoSuchPart(commitment)
        self._has_erased = True

    def _commit(self) -> None:
        if self._appended:
            self.database.place(self._appended)
        self._failpoint(f"{self._prefix}before-commit")
        try:
            self.database.commit()
        except NotReplicated:
            raise  # it is in the log, and may still be lost with its machine
        except InDoubt as doubt:
            self._resolve(doubt)
        self._failpoint(f"{self._prefix}after-commit")
        if self._has_erased:
            self.database.wipe()

    def _resolve(self, doubt: InDoubt) -> None:
        """Find out from the log whether a commit succeeded although the connection was lost during it."""
        if not self._appended or self._look_again is None:
            raise doubt
        stream, version, hash = self._appended[0]
        found = self._look_again(stream, version)  # over a new connection
        if found != hash:
            raise Conflict(stream, version - 1, version if found else version - 1) from doubt


def chain(stream: str, events: Sequence[NewEvent], last: Last, now: int) -> Iterator[tuple[str, int, str, bytes]]:
    """The rows of new events, each linked to the previous one."""
    previous = last.hash
    for version, new in enumerate(events, start=last.version + 1):
        body = write_body(new, stream, version, now, previous)
        previous = sha256(body).hexdigest()
        yield stream, version, previous, body


def part_rows(events: Sequence[NewEvent], vault: Vault) -> Iterator[tuple[str, bytes, bytes]]:
    """The rows of new parts; the salt is inside the stored form, not next to it."""
    for event in events:
        for part in event.parts:
            name = commitment(part.salt, part.content)
            yield name, b"", vault.seal(name, part.content, part.salt)
