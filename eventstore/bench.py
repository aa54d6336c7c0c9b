"""What the store costs beside bare SQLite: ratios of medians, 1.0 meaning just as fast.

Bare means: the same bytes ready-made, one table with one index, WAL and synchronous=FULL. The
contestants take turns within each round, so that a noisy machine disturbs all of them alike.
Run it with `python -m eventstore.bench`.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sqlite3
import tempfile
import uuid
from collections.abc import Callable
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from eventstore.events import NewEvent, write_body
from eventstore.store import EventStore

Contestant = Callable[[], object]

STREAM = "match/0001"
EVENT = NewEvent(
    "order.sealed",
    {"seat": "axis", "exchange": 12, "ask": "command", "final": False, "receipt": "a" * 64, "replaces": None},
)
BODY = write_body(EVENT, STREAM, 1, 1_700_000_000_000, "b" * 64)
HASH = hashlib.sha256(BODY).hexdigest()


def measure(rounds: int = 200, events: int = 10_000) -> dict[str, float]:
    """Appending one and ten events per commit, and reading many back, against bare SQLite and a peer."""
    with tempfile.TemporaryDirectory() as folder:
        return {
            "append_one": append_ratio(Path(folder) / "one", rounds, per_commit=1),
            "append_ten": append_ratio(Path(folder) / "ten", rounds, per_commit=10),
            **read_ratios(Path(folder) / "read", max(5, rounds // 20), events),
        }


def medians(contestants: dict[str, Contestant], rounds: int) -> dict[str, float]:
    """Each contestant's median time, one turn each in every round."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, run in contestants.items():
            start = perf_counter()
            run()
            times[name].append(perf_counter() - start)
    return {name: median(taken) for name, taken in times.items()}


def append_ratio(folder: Path, rounds: int, per_commit: int) -> float:
    """How fast a durable append is, as a share of the bare insert."""
    folder.mkdir()
    store, bare = EventStore(folder / "store.db"), bare_log(folder / "bare.db")
    versions = count(step=per_commit)
    taken = medians(
        {
            "bare": bare_append(bare, per_commit),
            "store": lambda: store.append(STREAM, [EVENT] * per_commit, expected=next(versions)),
        },
        rounds,
    )
    store.close()
    bare.close()
    return taken["bare"] / taken["store"]


def bare_log(path: Path) -> sqlite3.Connection:
    bare = sqlite3.connect(path, isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = FULL")
    bare.execute(
        "CREATE TABLE log (position INTEGER PRIMARY KEY, stream TEXT, version INTEGER, hash TEXT, body BLOB,"
        " UNIQUE (stream, version))"
    )
    return bare


def bare_append(bare: sqlite3.Connection, per_commit: int) -> Contestant:
    versions = count(1)

    def append() -> None:
        bare.execute("BEGIN IMMEDIATE")
        for _ in range(per_commit):
            row = (STREAM, next(versions), HASH, BODY)
            bare.execute("INSERT INTO log (stream, version, hash, body) VALUES (?, ?, ?, ?)", row)
        bare.execute("COMMIT")

    return append


def read_ratios(folder: Path, rounds: int, events: int) -> dict[str, float]:
    """How fast events are read and decoded, and verified too, as a share of bare read and SHA-256."""
    folder.mkdir()
    store = EventStore(folder / "store.db")
    store.append(STREAM, [EVENT] * events, expected=0)
    contestants: dict[str, Contestant] = {
        "bare": lambda: bare_read(store.database.conn),
        "read": lambda: store.read(STREAM),
        "verify": lambda: store.verify(STREAM),
    }
    if importlib.util.find_spec("eventsourcing"):
        contestants |= eventsourcing_reads(folder / "peer.db", events)
    taken = medians(contestants, rounds)
    store.close()
    ratios = {
        "read_and_decode": taken["bare"] / taken["read"],
        "read_verify_and_decode": taken["bare"] / taken["verify"],
    }
    peers = taken.keys() - {"bare", "read", "verify"}
    return ratios | {f"read_against_{peer}": taken[peer] / taken["read"] for peer in sorted(peers)}


def bare_read(connection: sqlite3.Connection) -> None:
    for (body,) in connection.execute("SELECT body FROM events WHERE stream = ? ORDER BY version", [STREAM]):
        hashlib.sha256(body).hexdigest()


def eventsourcing_reads(path: Path, events: int) -> dict[str, Contestant]:
    """The `eventsourcing` library's SQLite recorder, as rows only and with its own decoding."""
    persistence: Any = importlib.import_module("eventsourcing.persistence")
    sqlite: Any = importlib.import_module("eventsourcing.sqlite")
    recorder = sqlite.SQLiteAggregateRecorder(sqlite.SQLiteDatastore(str(path)))
    recorder.create_table()
    stream, decode = uuid.uuid4(), persistence.JSONTranscoder().decode
    recorder.insert_events([
        persistence.StoredEvent(stream, version, EVENT.type, BODY) for version in range(1, events + 1)
    ])
    return {
        "eventsourcing_rows": lambda: recorder.select_events(stream),
        "eventsourcing": lambda: [decode(row.state) for row in recorder.select_events(stream)],
    }


if __name__ == "__main__":
    for name, ratio in measure().items():
        print(f"{name:32} {ratio:.2f}")
