"""The cost of the store relative to bare SQLite; 1.0 means just as fast.

Bare means: the same bytes ready-made, one table with one index, WAL and synchronous=FULL. The contestants take turns
within each round, so that a noisy machine affects all of them alike.

Each ratio is given twice: for medians, and `_undisturbed` for the fastest tenth. On a busy machine a commit mostly
waits for a processor, all contestants wait alike, and the medians' ratio drifts to 1.0 regardless of the store.
`…_bare_commit_microseconds` shows this: hundreds mean a wait for the disk, thousands a wait for a processor. In the
latter case only the undisturbed ratios are meaningful. Run it with `python -m pbem.tools.bench.store`.
"""

from __future__ import annotations

import hashlib
import importlib
import sqlite3
import tempfile
import uuid
from collections.abc import Callable
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from eventstore.events import NewEvent, write_body
from eventstore.store import EventStore

Contestant = Callable[[], object]
Times = dict[str, list[float]]

STREAM = "match/0001"
EVENT = NewEvent(
    "order.sealed",
    {"seat": "axis", "exchange": 12, "ask": "command", "final": False, "receipt": "a" * 64, "replaces": None},
)
BODY = write_body(EVENT, STREAM, 1, 1_700_000_000_000, "b" * 64)
HASH = hashlib.sha256(BODY).hexdigest()


def measure(rounds: int = 200, events: int = 10_000) -> dict[str, float]:
    """Compare appending one and ten events per commit, and reading many events, with bare SQLite.

    Reading is also compared with the `eventsourcing` library if it is installed.
    """
    with tempfile.TemporaryDirectory() as folder:
        return {
            **append_ratios(Path(folder) / "one", rounds, "append_one", per_commit=1),
            **append_ratios(Path(folder) / "ten", rounds, "append_ten", per_commit=10),
            **read_ratios(Path(folder) / "read", max(5, rounds // 20), events),
        }


def take_turns(contestants: dict[str, Contestant], rounds: int) -> Times:
    """The times of each contestant, which has one turn in every round."""
    times: Times = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, run in contestants.items():
            start = perf_counter()
            run()
            times[name].append(perf_counter() - start)
    return times


def ratios(name: str, times: Times, ours: str, theirs: str) -> dict[str, float]:
    """Our speed as a multiple of theirs: by median time, and undisturbed, by the fastest tenth."""
    return {
        name: median(times[theirs]) / median(times[ours]),
        f"{name}_undisturbed": fastest_tenth(times[theirs]) / fastest_tenth(times[ours]),
    }


def fastest_tenth(taken: list[float]) -> float:
    return quantiles(taken, n=10, method="inclusive")[0]


def append_ratios(folder: Path, rounds: int, name: str, per_commit: int) -> dict[str, float]:
    """The speed of a durable append relative to a bare insert."""
    folder.mkdir()
    store, bare = EventStore(folder / "store.db"), bare_log(folder / "bare.db")
    versions = count(step=per_commit)
    times = take_turns(
        {
            "bare": bare_append(bare, per_commit),
            "store": lambda: store.append(STREAM, [EVENT] * per_commit, expected=next(versions)),
        },
        rounds,
    )
    store.close()
    bare.close()
    return {
        **ratios(name, times, "store", "bare"),
        f"{name}_bare_commit_microseconds": median(times["bare"]) * 1e6,
    }


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
    """The speed of reading and decoding events, and of verifying them, relative to a bare read and SHA-256."""
    folder.mkdir()
    store = EventStore(folder / "store.db")
    store.append(STREAM, [EVENT] * events, expected=0)
    contestants: dict[str, Contestant] = {
        "bare": lambda: bare_read(store.database.conn),  # type: ignore[attr-defined]
        "read": lambda: store.read(STREAM),
        "verify": lambda: store.verify(STREAM),
    }
    peers = eventsourcing_reads(folder / "peer.db", events) if find_spec("eventsourcing") else {}
    times = take_turns(contestants | peers, rounds)
    store.close()
    found = ratios("read_and_decode", times, "read", "bare")
    found |= ratios("read_verify_and_decode", times, "verify", "bare")
    for peer in peers:
        found |= ratios(f"read_against_{peer}", times, "read", peer)
    return found


def bare_read(connection: sqlite3.Connection) -> None:
    for (body,) in connection.execute("SELECT body FROM events WHERE stream = ? ORDER BY version", [STREAM]):
        hashlib.sha256(body).hexdigest()


def eventsourcing_reads(path: Path, events: int) -> dict[str, Contestant]:
    """Return reads by the `eventsourcing` library's SQLite recorder, as rows only and with its own decoding."""
    persistence: Any = importlib.import_module("eventsourcing.persistence")
    sqlite: Any = importlib.import_module("eventsourcing.sqlite")
    recorder = sqlite.SQLiteAggregateRecorder(sqlite.SQLiteDatastore(str(path)))
    recorder.create_table()
    stream, decode = uuid.uuid4(), persistence.JSONTranscoder().decode
    recorder.insert_events(
        [persistence.StoredEvent(stream, version, EVENT.type, BODY) for version in range(1, events + 1)]
    )
    return {
        "eventsourcing_rows": lambda: recorder.select_events(stream),
        "eventsourcing": lambda: [decode(row.state) for row in recorder.select_events(stream)],
    }


if __name__ == "__main__":
    for name, ratio in measure().items():
        print(f"{name:44} {ratio:8.2f}")
