"""Checkpoints: the state of a long match's record, so that opening it does not read the whole log.

A checkpoint is a cache like a snapshot of the rules: it holds the current facts, the newest entries of the history,
and the versions of all earlier events by type. It names the hash of its last event; if the event there is different,
or the code, everything is read again. Events before it are read on demand (`eventstore.lazy`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import takewhile

import msgspec

from eventstore import Event, Events, EventStore
from pbem.matches.events import ExchangeRecomputed
from pbem.matches.history.record import Closings, Entry, History, Record, Standing, extend, fold

KEPT = 12
"""The fewest history entries that a checkpoint holds; the next one is made when there are twice as many."""


class Checkpoint(msgspec.Struct, frozen=True):
    """A match up to the event `version`. Events up to `since`, and the first `before` entries, are not included.

    `unresolved` of these entries are changes of the rules and corrections.
    """

    version: int
    hash: str
    since: int
    before: int
    unresolved: int
    standing: Standing
    entries: list[Entry]
    kinds: dict[str, list[int]]


class Past:
    """The events of a match up to a checkpoint; all of them are read when they are first needed."""

    def __init__(self, store: EventStore, stream: str, version: int) -> None:
        self._store, self._stream, self._version = store, stream, version

    @cached_property
    def whole(self) -> Record:
        """The match as it was at the checkpoint."""
        return fold(self._store.read(self._stream, upto=self._version))

    @cached_property
    def _first(self) -> Event:
        return self._read(1)

    def event(self, version: int) -> Event:
        """Return the event of this version, without reading the others."""
        if "whole" in vars(self):
            return self.whole.events[version - 1]
        return self._first if version == 1 else self._read(version)

    def _read(self, version: int) -> Event:
        return self._store.read(self._stream, after=version - 1, upto=version)[0]


def is_due(record: Record) -> bool:
    """Whether a match has grown enough since its last checkpoint to be worth another one."""
    return len(record.history.recent) >= 2 * KEPT


def write_checkpoint(record: Record) -> bytes:
    """The checkpoint of a match in its stored form."""
    left, entries = record.history.recent[:-KEPT], record.history.recent[-KEPT:]
    since = min(entry.event.version for entry in entries) - 1
    checkpoint = Checkpoint(
        version=record.version,
        hash=record.events[-1].hash,
        since=since,
        before=record.history.before + len(left),
        unresolved=record.history.unresolved + sum(entry.resolved is None for entry in left),
        standing=Standing(**{name: getattr(record, name) for name in Standing.__struct_fields__}),
        entries=entries,
        kinds=_by_type(record.events.kinds, record.events.recent, since),
    )
    return msgspec.json.encode(checkpoint)


def _by_type(known: Mapping[str, Sequence[int]], events: Sequence[Event], upto: int) -> dict[str, list[int]]:
    """The versions of the events by type, up to the version `upto`."""
    found = {type: [*versions] for type, versions in known.items()}
    for event in takewhile(lambda event: event.version <= upto, events):
        found.setdefault(event.type, []).append(event.version)
    return found


def read(content: bytes, store: EventStore, stream: str) -> Record | None:
    """The match from its checkpoint and the events since; None if the checkpoint does not belong to these events."""
    made = msgspec.json.decode(content, type=Checkpoint)
    events = store.read(stream, after=made.since)
    known, later = events[: made.version - made.since], events[made.version - made.since :]
    if not known or known[-1].hash != made.hash:
        return None
    past = Past(store, stream, made.version)
    record = Record(
        **msgspec.structs.asdict(made.standing),
        events=Events(known, made.since, lambda: past.whole.events, made.kinds, past.event),
        history=History(made.entries, made.before, lambda: past.whole.history, made.unresolved),
        closings=Closings(_as_closed(made.entries), lambda: past.whole.closings),
    )
    return extend(record, later)


def _as_closed(entries: Sequence[Entry]) -> dict[int, Entry]:
    """The exchanges of these entries as they were first resolved, without those that a ruling has recomputed."""
    return {entry.exchange: entry for entry in entries if entry.exchange and not _is_recomputed(entry)}


def _is_recomputed(entry: Entry) -> bool:
    return entry.resolved is not None and entry.resolved.type == ExchangeRecomputed.word
