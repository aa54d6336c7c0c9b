"""What becomes of the store when PostgreSQL or a process dies: nothing acknowledged is lost, and no chain breaks.

Run with `pytest -m failover tests/failover`.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from support import postgres
from support.postgres import Cluster
from support.seated import TITLES

from eventstore import Conflict, EventStore, NewEvent, StoreTrouble
from eventstore.database import NotReplicated
from pbem.cli.operating.working import Worker
from pbem.matches.accounts import accounts
from pbem.matches.clock import tick
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server

pytestmark = [pytest.mark.failover, pytest.mark.postgresql]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    made = Cluster()
    made.create()
    made.start()
    yield made
    made.stop()


class Writer(threading.Thread):
    """Appends one event after the other and remembers what was acknowledged."""

    def __init__(self, store: EventStore, stream: str, stop: threading.Event) -> None:
        super().__init__()
        self.store, self.stream, self.stop_event = store, stream, stop
        self.acknowledged: list[int] = []

    def run(self) -> None:
        number = 0
        while not self.stop_event.is_set():
            number += 1
            try:
                with self.store.transaction(shared=True) as transaction:
                    version = transaction.version(self.stream)
                    transaction.append(self.stream, [NewEvent("thing.counted", {"n": number})], expected=version)
                self.acknowledged.append(number)
            except (StoreTrouble, Conflict):
                time.sleep(0.05)


def test_kill_9_of_postgresql_loses_nothing_acknowledged(cluster: Cluster, tmp_path: Path) -> None:
    store = EventStore(tmp_path / "store.db", database=cluster.empty())
    stop = threading.Event()
    writers = [Writer(store, f"stream/{number}", stop) for number in range(6)]
    for writer in writers:
        writer.start()
    seen: list[tuple[str, int]] = []
    for _ in range(2):
        time.sleep(1.5)
        cluster.kill()
        time.sleep(0.3)
        cluster.start()
    time.sleep(1.0)
    stop.set()
    for writer in writers:
        writer.join()

    while True:
        try:
            store.project("seen", lambda transaction, event: seen.append((event.stream, event.version)))
            break
        except StoreTrouble:
            continue
    for writer in writers:
        found = [event.payload["n"] for event in store.read(writer.stream)]
        assert set(writer.acknowledged) <= set(found)
        assert len(found) == len(set(found)), "an event was written twice"
        assert store.verify(writer.stream) is None
    total = sum(store.version(writer.stream) for writer in writers)
    assert len(seen) == len(set(seen)) == total > 0
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
        assert store.version("a") == 2  # it is there, and nobody was told so
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
        restored = EventStore(tmp_path / "store.db", database=other.address(schema))
        assert {stream: restored.head(stream) for stream in restored.streams()} == heads
        seen: list[int] = []
        restored.project("all", lambda transaction, event: seen.append(event.version))
        assert len(seen) == 50
        restored.append("stream/0", [NewEvent("thing.counted", {"n": 99})], expected=10)
        assert restored.project("all", lambda transaction, event: None) == 1
        restored.close()
    finally:
        other.stop()


KILLED = """
import os, signal, sys
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/tests"]
from pathlib import Path
from support.seated import TITLES
from pbem.cli.operating.working import Worker
from pbem.matches.installation import open_server

left = [int(sys.argv[4])]

def die(name):
    if name.startswith(("resolve", "close", "project", "announce")) or ":" in name:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

server = open_server(Path(sys.argv[2]), TITLES, database=sys.argv[3], failpoint=die)
Worker(server, Path(sys.argv[2]).parent, "resolver").round()
"""


@pytest.mark.parametrize("point", range(1, 13))
def test_kill_9_of_a_resolver_at_any_commit_plays_the_turn_once(cluster: Cluster, tmp_path: Path, point: int) -> None:
    server = open_server(tmp_path / "pbem.db", TITLES, database=cluster.empty())
    tick.recover(server)
    server.later = lambda match: None
    match = creating.new_match(server, "ambush", "tiny", cadence=48)
    people = {seat: accounts.open_account(server, f"{seat}@example.org", seat).id for seat in ("red", "blue")}
    for seat, account in people.items():
        take_seat(server, match, seat, account)
    tick.work_round(server)
    exchange = record_of(server, match).open_exchange
    receipts = [
        submitting.submit(server, match, seat, exchange, "", by=account, final=True, source="web")
        for seat, account in people.items()
    ]

    arguments = [str(Path(__file__).parents[2]), str(server.store.path), server.store.address, str(point)]
    died = subprocess.run([sys.executable, "-c", KILLED, *arguments], capture_output=True, text=True)
    assert died.returncode in (0, -signal.SIGKILL), died.stderr[-1000:]
    server.database.execute("UPDATE claims SET until = 0")
    Worker(server, tmp_path, "resolver").round()

    events = record_of(server, match).events
    played = [event.payload["rung"] for event in events if event.type == "exchange.resolved"]
    assert len(played) == len(set(played)) and record_of(server, match).open_exchange > exchange
    assert server.store.verify(f"match/{match}") is None
    for receipt in receipts:
        assert receipt.genuine() and receipt.event in {event.hash for event in events}
    server.close()
