"""Appending: all or nothing, on one stream or on several."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from types import TracebackType

from sqlite_utils import Database

from eventstore.events import Event, NewEvent, NewPart, PartRef, pad, read_body, write_body
from eventstore.log import read_last

INSERT = "INSERT INTO events (stream, version, hash, body) VALUES (?, ?, ?, ?)"
INSERT_PART = "INSERT INTO parts (commitment, salt, content) VALUES (?, ?, ?)"
ERASE = "UPDATE parts SET salt = NULL, content = NULL WHERE commitment = ?"


class Conflict(Exception):
    """Someone else appended first: read on from the actual version and try again."""

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(f"{stream} is at version {actual}, not at {expected}")
        self.stream = stream
        self.expected = expected
        self.actual = actual


class NoSuchPart(KeyError):
    """No event of this store ever committed to this content."""


class Transaction:
    """All or nothing, for several streams and for the caller's own tables."""

    def __init__(
        self,
        database: Database,
        server_id: str,
        *,
        clock: Callable[[], int],
        failpoint: Callable[[str], None],
        label: str = "",
    ) -> None:
        self.database = database
        self._server_id = server_id
        self._clock = clock
        self._failpoint = failpoint
        self._prefix = f"{label}:" if label else ""
        self._has_erased = False

    def __enter__(self) -> Transaction:
        self.database.conn.execute("BEGIN IMMEDIATE")  # a deferred one fails under several writers
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
        """Append to a stream that is still at the expected version, else `Conflict`."""
        last = read_last(self.database, self._server_id, stream)
        if last.version != expected:
            raise Conflict(stream, expected, last.version)
        previous = last.hash
        now = max(self._clock(), last.recorded_at)  # time never runs backwards within a stream
        appended = []
        for version, new in enumerate(events, start=expected + 1):
            body = write_body(new, stream=stream, version=version, recorded_at=now, previous=previous)
            event = self._insert(stream, version, body)
            for reference, part in zip(event.parts, new.parts, strict=True):
                self._insert_part(reference, part)
            appended.append(event)
            previous = event.hash
        return appended

    def erase(self, commitment: str) -> None:
        """Overwrite a part's salt and content with nothing, for good."""
        if not self.database.conn.execute(ERASE, (commitment,)).rowcount:
            raise NoSuchPart(commitment)
        self._has_erased = True

    def _insert(self, stream: str, version: int, body: bytes) -> Event:
        hash = hashlib.sha256(body).hexdigest()
        position = self.database.conn.execute(INSERT, (stream, version, hash, body)).lastrowid
        assert position is not None
        return read_body(position, hash, body)

    def _insert_part(self, reference: PartRef, part: NewPart) -> None:
        self.database.conn.execute(INSERT_PART, (reference.commitment, part.salt, pad(part.content)))

    def _commit(self) -> None:
        self._failpoint(f"{self._prefix}before-commit")
        self.database.conn.execute("COMMIT")
        self._failpoint(f"{self._prefix}after-commit")
        if self._has_erased:
            self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the log still holds the old pages
