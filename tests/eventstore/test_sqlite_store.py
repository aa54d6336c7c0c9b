"""The SQLite store fulfils the contract, and gives the guarantees of this database."""

import gc
import os
import sqlite3
import threading
from hashlib import sha256

import pytest
from contract import EventStoreContract, a_part, an_event, fill, numbers

from eventstore import EventStore, StoreTrouble
from eventstore.tables import pragma


class TestSQLiteStore(EventStoreContract):
    @pytest.fixture
    def make_store(self, tmp_path):
        opened = []

        def make(**options):
            opened.append(EventStore(tmp_path / "store.db", **options))
            return opened[-1]

        yield make
        for store in opened:
            store.close()


@pytest.fixture
def store(tmp_path):
    store = EventStore(tmp_path / "store.db")
    store.append("a", [an_event(1, a_part()), an_event(2)], expected=0)
    yield store
    store.close()


@pytest.fixture
def raw(store):
    """Open a connection as another program would, with SQLite's own defaults."""
    connection = sqlite3.connect(store.path, isolation_level=None)
    yield connection
    connection.close()


def test_a_commit_is_on_the_disk(store):
    """A commit reaches the disk, because the connection has the required durability settings."""
    assert store.database.journal_mode == "wal"
    assert pragma(store.database, "synchronous") == 2
    assert pragma(store.database, "secure_delete") == 1
    assert pragma(store.database, "foreign_keys") == 1
    assert pragma(store.database, "busy_timeout") == 30_000


def test_a_store_that_cannot_be_durable_is_refused():
    with pytest.raises(RuntimeError, match="durably"):
        EventStore(":memory:")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = x'00'",
        "UPDATE events SET version = 3 WHERE version = 2",
        "UPDATE OR REPLACE events SET version = 2 WHERE version = 1",
        "DELETE FROM events",
        "DELETE FROM events WHERE version = 2",
        "INSERT OR REPLACE INTO events (stream, version, hash, body) VALUES ('a', 2, 'forged', x'00')",
        "REPLACE INTO events (position, stream, version, hash, body) VALUES (2, 'b', 1, 'forged', x'00')",
        "INSERT INTO events (stream, version, hash, body) VALUES ('a', 4, 'a gap', x'00')",
        "INSERT INTO events (stream, version, hash, body) VALUES ('a', 2, 'again', x'00')",
        "UPDATE parts SET content = x'00'",
        "UPDATE parts SET content = NULL",
        "UPDATE parts SET commitment = 'other', salt = NULL, content = NULL",
        "DELETE FROM parts",
    ],
)
def test_the_database_itself_refuses(store, raw, statement):
    before = [raw.execute(f"SELECT * FROM {table}").fetchall() for table in ("events", "parts")]

    for connection in (raw, store.database.conn):
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(statement)

    assert [raw.execute(f"SELECT * FROM {table}").fetchall() for table in ("events", "parts")] == before


def test_a_part_is_not_replaced(store, raw):
    """A part cannot be replaced, neither with other content nor, after its erasure, with its own content."""
    before = raw.execute("SELECT * FROM parts").fetchall()

    raw.execute("INSERT OR REPLACE INTO parts SELECT commitment, x'00', x'00' FROM parts")

    assert raw.execute("SELECT * FROM parts").fetchall() == before


def test_an_erased_part_cannot_be_filled_again(store, raw):
    raw.execute("UPDATE parts SET salt = NULL, content = NULL")

    with pytest.raises(sqlite3.IntegrityError):
        raw.execute("UPDATE parts SET salt = x'00', content = x'00'")


def test_parts_are_stored_in_steps_of_1_kib(store, raw):
    """The stored size reveals almost nothing, because 1 byte and 900 bytes take the same space, however
    well they compress."""
    for version, size in enumerate((0, 1, 900, 1100, 5000), start=2):
        store.append("a", [an_event(1, a_part(os.urandom(size)))], expected=version)
    store.append("a", [an_event(1, a_part(b"x" * 100_000))], expected=7)

    sizes = [size for (size,) in raw.execute("SELECT length(content) FROM parts ORDER BY rowid")]

    assert sizes == [1024, 1024, 1024, 1024, 2048, 5120, 1024]


def test_a_server_id_is_drawn_once(tmp_path):
    first, second = EventStore(tmp_path / "1.db"), EventStore(tmp_path / "2.db")

    assert first.server_id != second.server_id
    assert EventStore(tmp_path / "1.db", server_id=first.server_id).server_id == first.server_id
    with pytest.raises(ValueError, match="belongs to server"):
        EventStore(tmp_path / "1.db", server_id="another")


def test_each_thread_has_its_own_connection(store):
    databases = [store.database]
    failures = []

    def work(number):
        databases.append(store.database)
        try:
            fill(store, f"thread/{number}", 20)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    assert len(set(map(id, databases))) == 5
    assert [numbers(store, f"thread/{number}") for number in range(4)] == [list(range(1, 21))] * 4


def test_a_closed_store_says_so(store):
    store.close()

    with pytest.raises(ValueError, match="closed"):
        store.read("a")


def test_closing_closes_the_connections_of_other_threads(store):
    databases = []
    thread = threading.Thread(target=lambda: databases.append(store.database))
    thread.start()
    thread.join()

    store.close()

    with pytest.raises(StoreTrouble):
        databases[0].execute("SELECT 1")


def test_a_thread_that_ends_leaves_no_connection_behind(store):
    thread = threading.Thread(target=lambda: store.version("a"))
    thread.start()
    thread.join()
    gc.collect()

    assert list(store._connections) == [store.database]


def test_the_callers_own_tables_share_the_transaction(store):
    store.database.table("outbox").create({"id": int, "text": str}, pk="id")

    with pytest.raises(OSError, match="down"), store.transaction() as transaction:
        transaction.append("a", [an_event(3)], expected=2)
        transaction.database.table("outbox").insert({"id": 1, "text": "lost"})
        raise OSError("the power is down")
    with store.transaction() as transaction:
        transaction.append("a", [an_event(4)], expected=2)
        transaction.database.table("outbox").insert({"id": 1, "text": "kept"})

    assert numbers(store, "a") == [1, 2, 4]
    assert list(store.database.table("outbox").rows) == [{"id": 1, "text": "kept"}]


@pytest.mark.parametrize(
    ("damage", "version", "why"),
    [
        ("UPDATE events SET body = x'7B7D' WHERE version = 2", 2, "hash"),
        ("UPDATE events SET hash = upper(hash) WHERE version = 1", 1, "hash"),
        ("DELETE FROM events WHERE version = 1", 1, "version 2 is in its place"),
        ("DELETE FROM events WHERE version = 2", 2, "version 3 is in its place"),
        ("UPDATE events SET version = 9 WHERE version = 3", 3, "version 9 is in its place"),
        ("UPDATE events SET stream = 'a' WHERE stream = 'b'", 4, "stream b"),
        (f"UPDATE events SET body = x'7B7D', hash = '{sha256(b'{}').hexdigest()}' WHERE version = 3", 3, "read"),
    ],
)
def test_damage_behind_the_triggers_is_found(store, raw, damage, version, why):
    store.append("a", [an_event(3)], expected=2)
    store.append("b", [an_event(number) for number in range(1, 5)], expected=0)
    for trigger in ("events_stay", "events_remain"):
        raw.execute(f"DROP TRIGGER {trigger}")
    raw.execute("DELETE FROM events WHERE stream = 'b' AND version < 4")

    raw.execute(damage)

    broken = store.verify("a")
    assert broken.version == version
    assert why in broken.why


def test_positions_from_before_there_were_lanes_are_taken_over_once_and_stay_readable(store, raw, tmp_path):
    """Positions stored before there were lanes are copied once and stay in the old table, where an older release may
    read them."""
    raw.execute("DROP TABLE projected")
    raw.execute("CREATE TABLE projections (name TEXT PRIMARY KEY, position INTEGER NOT NULL)")
    raw.execute("INSERT INTO projections VALUES ('all', 1)")
    raw.commit()
    for expected in (1, 0):
        again = EventStore(tmp_path / "store.db")
        assert again.project("all", lambda transaction, event: None) == expected
        again.close()
    assert raw.execute("SELECT * FROM projections").fetchall() == [("all", 1)]
