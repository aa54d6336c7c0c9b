"""When PostgreSQL or a process dies, nothing acknowledged is lost, and no chain breaks.

Run with `pytest -m failover tests/failover`.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from support.hosts import postgres
from support.hosts.failover import Writers, settle
from support.hosts.postgres import Cluster

from eventstore import EventStore, NewEvent
from eventstore.database import NotReplicated
from eventstore.postgres.history import ChangedHistory

pytestmark = [pytest.mark.failover, pytest.mark.postgresql]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    made = Cluster()
    made.create()
    made.start()
    yield made
    made.stop()


def test_kill_9_of_postgresql_loses_nothing_acknowledged(cluster: Cluster, tmp_path: Path) -> None:
    store = EventStore(tmp_path / "store.db", database=cluster.empty())
    writers = Writers(store, 6)
    for _ in range(2):
        time.sleep(1.5)
        cluster.kill()
        time.sleep(0.3)
        cluster.start()
    time.sleep(1.0)
    writers.stop()

    settle(lambda: store.version("stream/0"))
    writers.check(store)
    assert writers.count > 0
    store.close()


def test_a_commit_that_was_cancelled_while_it_waited_for_a_replica_is_not_acknowledged(tmp_path: Path) -> None:
    cluster = Cluster()
    cluster.create()
    cluster.start()
    try:
        store = EventStore(tmp_path / "store.db", database=cluster.empty())
        store.append("a", [NewEvent("thing.counted", {"n": 1})], expected=0)
        with psycopg.connect(cluster.address(), autocommit=True) as other:
            other.execute("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (nobody)'")
            other.execute("SELECT pg_reload_conf()")
            time.sleep(0.5)

            def cancel() -> None:
                time.sleep(1.0)
                waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                for (pid,) in other.execute(waiting).fetchall():
                    other.execute("SELECT pg_cancel_backend(%s)", (pid,))

            thread = threading.Thread(target=cancel)
            thread.start()
            with pytest.raises(NotReplicated):
                store.append("a", [NewEvent("thing.counted", {"n": 2})], expected=1)
            thread.join()
        assert store.version("a") == 2  # it is stored, but nobody was told so
        store.close()
    finally:
        cluster.stop()


def test_dump_and_restore_show_every_event_and_count_on(cluster: Cluster, tmp_path: Path) -> None:
    address = cluster.empty()
    store = EventStore(tmp_path / "store.db", database=address)
    for number in range(50):
        store.append(f"stream/{number % 5}", [NewEvent("thing.counted", {"n": number})], expected=number // 5)
    heads = {stream: store.head(stream) for stream in store.streams()}
    schema = address.rpartition("%3D")[2]
    store.close()
    dump = tmp_path / "dump.sql"
    with open(dump, "wb") as file:
        command = [*postgres.as_nobody(), str(cluster.programs / "pg_dump"), "-n", schema, cluster.address()]
        subprocess.run(command, stdout=file, check=True, cwd="/")

    other = Cluster()
    other.create()
    other.start()
    try:
        command = [str(cluster.programs / "psql"), "-q", "-v", "ON_ERROR_STOP=1", other.address(), "-f", str(dump)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with pytest.raises(ChangedHistory, match="promoted or restored"):
            EventStore(tmp_path / "store.db", database=other.address(schema))
        restored = EventStore(tmp_path / "store.db", database=other.address(schema), is_resuming=True)
        restored.accept_history(lost_nothing=False)
        assert restored.restorations() == 1
        assert {stream: restored.head(stream) for stream in restored.streams()} == heads
        seen: list[int] = []
        restored.project("all", lambda transaction, event: seen.append(event.version))
        assert len(seen) == 50
        restored.append("stream/0", [NewEvent("thing.counted", {"n": 99})], expected=10)
        assert restored.project("all", lambda transaction, event: None) == 1
        restored.close()
    finally:
        other.stop()
