"""A server for trials: appended events can be read there and are rolled back at once.

This lets an act be tried by its own code, with its own refusals, and leave no trace.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

from eventstore import Event, EventStore, NewEvent, Part, Transaction, commitment
from eventstore.log import ENDLESS
from pbem.matches.server import Server


class NotInDryRun(Exception):
    """Raised by a second transaction in a dry run, because it would not see what the first has written."""


class DryRunTransaction(Transaction):
    """A transaction for a dry run: it carries out everything but commits nothing."""

    def __init__(self, store: DryRunStore) -> None:
        super().__init__(
            store.database, store.server_id, store.clock, store._failpoint, "", store._check, store.vault
        )
        self._store = store
        self._written: list[Event] = []
        self._kept: list[Part] = []

    def append(self, stream: str, events: Sequence[NewEvent], *, expected: int) -> list[Event]:
        written = super().append(stream, events, expected=expected)
        parts = (part for event in events for part in event.parts)
        self._written += written
        self._kept += [Part(commitment(part.salt, part.content), part.salt, part.content) for part in parts]
        return written

    def _commit(self) -> None:
        self._store.written = self._written
        self._store.kept = {part.commitment: part for part in self._kept}


class DryRunStore(EventStore):
    """Reads from the real store and from the writes of the dry run."""

    def __init__(self, real: EventStore) -> None:
        vars(self).update(vars(real))
        self.written: list[Event] = []
        self.kept: dict[str, Part] = {}

    def transaction(self, label: str = "", *, shared: bool = False) -> Transaction:
        if self.written:
            raise NotInDryRun(label)
        return DryRunTransaction(self)

    def read(self, stream: str, *, after: int = 0, upto: int | None = None) -> list[Event]:
        last = ENDLESS if upto is None else upto
        written = [event for event in self.written if event.stream == stream and after < event.version <= last]
        return super().read(stream, after=after, upto=upto) + written

    def put_snapshot(self, key: str, fingerprint: str, content: bytes) -> None:
        """Store nothing: a dry run leaves no snapshots."""

    def part(self, commitment: str) -> Part:
        return self.kept.get(commitment) or super().part(commitment)


def dry_run_of(server: Server) -> Server:
    trial_server = copy.copy(server)
    trial_server.store, trial_server.positions, trial_server._records = DryRunStore(server.store), {}, {}
    return trial_server
