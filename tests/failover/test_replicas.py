"""With replicas, acknowledged data is on two machines, and a replaced database is noticed.

Run with `pytest -m failover tests/failover`.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from support.hosts.failover import Table, Writers, settle
from support.hosts.postgres import Cluster, as_nobody

from eventstore import EventStore, NewEvent, StoreTrouble
from eventstore.postgres.history import ChangedHistory
from pbem.cli import main

pytestmark = [pytest.mark.failover, pytest.mark.postgresql]

THING = [NewEvent("thing.counted", {"n": 1})]


@pytest.fixture
def primary() -> Iterator[Cluster]:
    made = Cluster(wal_keep_size="64MB", wal_log_hints="on")
    made.create()
    made.start()
    yield made
    made.stop()


@pytest.fixture
def replica(primary: Cluster) -> Iterator[Cluster]:
    made = primary.replica("one")
    primary.ask_for_quorum("one, two")
    yield made
    made.stop()


def store_address(cluster: Cluster) -> str:
    with psycopg.connect(cluster.address(), autocommit=True) as connection:
        connection.execute("CREATE SCHEMA IF NOT EXISTS store_of_test")
    return same_store(cluster)


def same_store(cluster: Cluster) -> str:
    """Return the address of this store on another cluster."""
    return cluster.address("store_of_test")


def test_the_primary_dies_under_load_and_the_replica_has_all_that_was_acknowledged(
    primary: Cluster, replica: Cluster, tmp_path: Path
) -> None:
    store = EventStore(tmp_path / "store.db", database=store_address(primary))
    writers = Writers(store, 6)
    time.sleep(2.0)
    primary.kill()
    writers.stop()
    store.close()
    replica.promote()

    with pytest.raises(ChangedHistory, match="promoted or restored"):
        EventStore(tmp_path / "store.db", database=same_store(replica))
    taken = EventStore(tmp_path / "store.db", database=same_store(replica), is_resuming=True)
    taken.accept_history(lost_nothing=True)
    writers.check(taken)
    assert writers.count > 0 and taken.restorations() == 0
    taken.append("after", THING, expected=0)
    taken.close()
    EventStore(tmp_path / "store.db", database=same_store(replica)).close()


def test_an_old_primary_that_comes_back_is_refused_for_good(
    primary: Cluster, replica: Cluster, tmp_path: Path
) -> None:
    store = EventStore(tmp_path / "store.db", database=store_address(primary))
    store.append("a", THING, expected=0)
    store.close()
    primary.kill()
    replica.promote()
    taken = EventStore(tmp_path / "store.db", database=same_store(replica), is_resuming=True)
    taken.accept_history(lost_nothing=True)
    taken.close()

    primary.start()
    primary.configure(synchronous_standby_names="")
    with pytest.raises(ChangedHistory, match="old primary") as refused:
        EventStore(tmp_path / "store.db", database=store_address(primary))
    assert refused.value.final

    # rewound by its cluster manager, it follows the new primary, and is refused as a replica
    primary.halt()
    primary.run("pg_rewind", "-D", primary.data, f"--source-server={replica.address()}", "-R", "--no-sync")
    primary.start()
    with pytest.raises(StoreTrouble, match="replica, not the primary"):
        EventStore(tmp_path / "store.db", database=same_store(primary))


def test_without_its_replica_a_server_refuses_to_write_and_says_so(
    primary: Cluster, replica: Cluster, tmp_path: Path
) -> None:
    store = EventStore(tmp_path / "store.db", database=store_address(primary))
    store.append("a", THING, expected=0)
    assert store.machines == 2
    connected, is_gone = threading.Event(), threading.Event()

    def write() -> None:
        store.version("b")
        connected.set()
        is_gone.wait()
        store.append("b", THING, expected=0)

    waiting = threading.Thread(target=write, daemon=True)
    waiting.start()
    connected.wait()
    replica.kill()
    is_gone.set()  # nobody knows yet that there is no replica: this commit waits
    patience, refused = time.monotonic() + 30, ""
    while not refused and time.monotonic() < patience:
        time.sleep(0.5)
        try:
            with store.transaction(shared=True):
                raise KeyError
        except StoreTrouble as problem:
            refused = problem.kind
        except KeyError:
            continue
    assert refused == "waiting"
    with pytest.raises(StoreTrouble, match="wait for a replica"):
        store.append("c", THING, expected=0)
    assert store.version("a") == 1  # reading goes on
    assert waiting.is_alive()

    replica.start()
    waiting.join(60)
    settle(lambda: store.append("c", THING, expected=0))
    assert (store.version("b"), store.version("c")) == (1, 1)
    store.close()


def test_a_primary_that_restarts_alone_shows_nothing_before_a_replica_has_it(
    primary: Cluster, replica: Cluster, tmp_path: Path
) -> None:
    store = EventStore(tmp_path / "store.db", database=store_address(primary))
    store.append("a", THING, expected=0)
    replica.kill()

    def write() -> None:
        with pytest.raises(StoreTrouble):
            store.append("b", THING, expected=0)

    waiting = threading.Thread(target=write, daemon=True)
    waiting.start()
    time.sleep(1.0)
    primary.kill()
    waiting.join(30)
    store.close()

    primary.start()  # the commit that nobody acknowledged is in its log now
    shown = threading.Event()

    def look() -> None:
        again = EventStore(tmp_path / "store.db", database=store_address(primary))
        again.version("b")
        shown.set()
        again.close()

    threading.Thread(target=look, daemon=True).start()
    assert not shown.wait(2.0)
    replica.start()
    assert shown.wait(30)


def test_a_restore_to_a_point_in_time_is_noticed_and_voids_what_is_sealed(primary: Cluster, tmp_path: Path) -> None:
    table = Table(tmp_path / "data", store_address(primary))
    primary.halt()
    saved = tmp_path / "copy"
    shutil.copytree(primary.data, saved)  # a backup of the disk
    primary.start()
    settle(lambda: table.open_exchange)
    lost = table.play_a_turn()
    table.close()

    primary.halt()
    put_back(primary, saved)
    primary.start()
    with pytest.raises(ChangedHistory, match="restored or rolled back"):
        Table(tmp_path / "data", store_address(primary), match=table.match)

    address = store_address(primary)
    command = ["resume", "--data", str(tmp_path / "data"), "--database", address]
    assert main(command, table.titles) == 0
    again = Table(tmp_path / "data", address, match=table.match)
    assert lost.event not in again.hashes(), "a receipt without its event proves the loss"
    again.check_restored(lost)
    again.close()
    assert main(command, table.titles) == 0  # nothing is left to resume


def put_back(cluster: Cluster, saved: Path) -> None:
    subprocess.run([*as_nobody(), "rm", "-rf", str(cluster.data)], check=True)
    shutil.copytree(saved, cluster.data)
    subprocess.run(["chown", "-R", "nobody", str(cluster.data)], check=False)


def test_a_new_timeline_after_recovery_is_noticed(primary: Cluster, tmp_path: Path) -> None:
    table = Table(tmp_path / "data", store_address(primary))
    receipt = table.seal("red")
    table.close()
    primary.halt()
    (primary.data / "recovery.signal").touch()
    primary.give(primary.data / "recovery.signal")
    primary.settings["restore_command"] = "false"
    primary.start()
    primary.settle_recovery()

    with pytest.raises(ChangedHistory, match="promoted or restored"):
        Table(tmp_path / "data", store_address(primary), match=table.match)
    address = store_address(primary)
    assert (
        main(["resume", "--lost", "nothing", "--data", str(tmp_path / "data"), "--database", address], table.titles)
        == 0
    )
    again = Table(tmp_path / "data", address, match=table.match)
    assert receipt.event in again.hashes() and again.open_exchange == receipt.exchange
    again.play_a_turn()
    again.close()
