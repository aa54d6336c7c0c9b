"""The store on PostgreSQL fulfils the contract, and gives the guarantees of this database."""

import threading

import psycopg
import pytest
from contract import EventStoreContract, a_part, an_event, fill, numbers
from support.hosts import postgres

from eventstore import Conflict, EventStore, StoreTrouble, Violated
from eventstore.postgres.connection import lane_of

pytestmark = pytest.mark.postgresql


@pytest.fixture
def address():
    return postgres.cluster().empty()


class TestPostgresStore(EventStoreContract):
    @pytest.fixture
    def make_store(self, tmp_path, address):
        opened = []

        def make(**options):
            opened.append(EventStore(tmp_path / "store.db", database=address, **options))
            return opened[-1]

        yield make
        for store in opened:
            store.close()


@pytest.fixture
def store(tmp_path, address):
    store = EventStore(tmp_path / "store.db", database=address)
    store.append("a", [an_event(1, a_part()), an_event(2)], expected=0)
    yield store
    store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = ''",
        "UPDATE events SET version = 3 WHERE version = 2",
        "DELETE FROM events",
        "TRUNCATE events CASCADE",
        "INSERT INTO events (stream, version, hash, body) VALUES ('a', 4, 'a gap', '')",
        "INSERT INTO events (stream, version, hash, body) VALUES ('a', 2, 'again', '')",
        "UPDATE feed SET position = 7",
        "DELETE FROM feed",
        "TRUNCATE feed",
        "UPDATE parts SET content = ''",
        "UPDATE parts SET commitment = 'other', salt = NULL, content = NULL",
        "DELETE FROM parts",
        "TRUNCATE parts",
    ],
)
def test_the_database_itself_refuses(store, statement):
    tables = ("events", "feed", "parts")
    before = [store.database.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables]

    with pytest.raises(Violated):
        store.database.execute(statement)

    after = [store.database.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables]
    assert after == before


def test_a_lane_is_for_ever():
    """A stream's lane never changes: databases store lane numbers, and a moved stream would be read twice or
    never."""
    assert [lane_of(name) for name in ("server", "match/1", "match/2", "")] == [51, 43, 7, 2]


def test_shared_transactions_run_beside_each_other_and_one_that_is_alone_waits(store):
    order = []
    inside, let_go = threading.Event(), threading.Event()

    def alone():
        with store.transaction() as transaction:
            order.append("alone")
            transaction.append("c", [an_event()], expected=0)

    with store.transaction(shared=True) as transaction:
        transaction.append("a", [an_event(3)], expected=2)
        beside = threading.Thread(target=lambda: store_shared(store, "b", inside, let_go))
        beside.start()
        assert inside.wait(10), "the second shared transaction had to wait"
        waiting = threading.Thread(target=alone)
        waiting.start()
        waiting.join(0.2)
        assert order == []
        let_go.set()
        beside.join()
    waiting.join()

    assert order == ["alone"]
    places = [store.place(store.read(stream)[-1]) for stream in ("b", "a", "c")]
    assert places == sorted(places)


def store_shared(store, stream, inside, let_go):
    with store.transaction(shared=True) as transaction:
        transaction.append(stream, [an_event()], expected=0)
        inside.set()
        let_go.wait(10)


def test_the_slower_of_two_shared_writers_hears_of_a_conflict(store):
    results = []

    def late():
        try:
            with store.transaction(shared=True) as transaction:
                transaction.append("a", [an_event(33)], expected=2)
        except Conflict as conflict:
            results.append(conflict.stream)

    with store.transaction(shared=True) as transaction:
        transaction.append("a", [an_event(3)], expected=2)
        other = threading.Thread(target=late)
        other.start()
        other.join(0.2)
    other.join()

    assert (results, numbers(store, "a")) == (["a"], [1, 2, 3])


def test_a_projection_beside_eight_writers_misses_nothing_and_keeps_each_streams_order(store):
    seen, failures = [], []

    def work(number):
        try:
            for version in range(25):
                with store.transaction(shared=True) as transaction:
                    transaction.append(f"writer/{number}", [an_event(version)], expected=version)
                    transaction.append(f"second/{number}", [an_event(version)], expected=version)
        except Exception as problem:
            failures.append(problem)

    threads = [threading.Thread(target=work, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        store.project("seen", lambda transaction, event: seen.append((event.stream, event.version)))
    store.project("seen", lambda transaction, event: seen.append((event.stream, event.version)))

    assert failures == []
    assert len(seen) == len(set(seen)) == 2 + 2 * 8 * 25
    for stream in store.streams():
        versions = [version for name, version in seen if name == stream]
        assert versions == sorted(versions)
    assert store.lag("seen") == 0


def test_a_connection_that_was_cut_is_replaced(store):
    cut(store, "")

    with pytest.raises(StoreTrouble):
        store.version("a")
    assert store.version("a") == 2


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_connection_lost_at_the_commit_is_looked_up(store, monkeypatch, where):
    """After a connection is lost during a commit, the action is repeated only if the log does not
    contain its event."""
    database = store.database
    real = database.commit

    def lose() -> None:
        if where == "after":
            real()
        cut(store, database._connection.info.backend_pid)
        if where == "before":
            real()
        else:
            raise psycopg.OperationalError("server closed the connection unexpectedly")

    def commit() -> None:
        from eventstore import InDoubt

        try:
            lose()
        except psycopg.OperationalError as problem:
            database.close()
            raise InDoubt(problem) from problem

    monkeypatch.setattr(database, "commit", commit)
    if where == "after":
        store.append("a", [an_event(3)], expected=2)
    else:
        with pytest.raises(Conflict):
            store.append("a", [an_event(3)], expected=2)
        store.append("a", [an_event(3)], expected=2)
    assert numbers(store, "a") == [1, 2, 3]


def cut(store, pid):
    """End a connection from outside, like a network failure."""
    found = pid or store.database._connection.info.backend_pid
    with psycopg.connect(store.address, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", (found,))


def test_the_databases_clock_is_the_clock(store):
    (there,) = store.database.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint").fetchone()

    assert abs(store.clock() - there) < 1000


def test_an_address_is_shown_without_its_password():
    from eventstore import address_in_words

    assert address_in_words("postgresql://pbem:secret@db/pbem") == "postgresql://pbem@db/pbem"
    with pytest.raises(ValueError, match="not an address"):
        EventStore("x", database="mysql://db/pbem")


def test_a_server_that_is_not_there_is_trouble(tmp_path):
    with pytest.raises(StoreTrouble) as found:
        EventStore(tmp_path / "x.db", database=f"postgresql://pbem@/pbem?host={tmp_path}")
    assert "cannot be reached" in found.value.advice


def test_a_copy_on_another_engine_has_the_same_heads_and_places(store, tmp_path):
    from eventstore.moving import NotEmpty, copy

    fill(store, "b", 700)
    store.database.execute("CREATE TABLE IF NOT EXISTS things (name TEXT PRIMARY KEY, size INTEGER, raw BLOB)")
    for number in range(3):
        store.database.execute("INSERT INTO things VALUES (?, ?, ?)", (f"z{-number}", number, bytes([number])))
    store.project("all", lambda transaction, event: None)
    fill(store, "c", 1)

    there = EventStore(tmp_path / "there.db", server_id=store.server_id)
    assert copy(store.database, there.database) == {"events": 703, "parts": 1, "things": 3}
    back = EventStore(tmp_path / "back.db", database=postgres.cluster().empty(), server_id=store.server_id)
    copy(there.database, back.database)
    with pytest.raises(NotEmpty):
        copy(store.database, there.database)

    for other in (there, back):
        for stream in ("a", "b", "c"):
            assert other.head(stream) == store.head(stream)
            assert other.verify(stream) is None
        assert [other.place(event) for event in other.read("b")] == [store.place(event) for event in store.read("b")]
        rows = other.database.execute("SELECT name, size, raw FROM things ORDER BY rowid").fetchall()
        assert [(name, size, bytes(raw)) for name, size, raw in rows] == [
            ("z0", 0, b"\0"),
            ("z-1", 1, b"\1"),
            ("z-2", 2, b"\2"),
        ]
        seen = []
        other.project("all", lambda transaction, event, seen=seen: seen.append(event.stream))
        assert seen == ["c"]
        other.append("b", [an_event()], expected=700)
        other.database.execute("INSERT INTO things VALUES ('new', 9, NULL)")
        assert other.database.execute("SELECT name FROM things ORDER BY rowid").fetchall()[-1][0] == "new"
        other.close()


def test_a_table_of_another_store_in_the_same_database_is_not_seen(store, tmp_path):
    other = EventStore(tmp_path / "other.db", database=postgres.cluster().empty())
    other.database.execute("CREATE TABLE things (name TEXT)")

    assert other.database.has_table("things") and not store.database.has_table("things")
    other.close()


def test_the_program_is_named_with_its_version(store):
    name, version = store.database.program
    assert name == "postgresql" and version.split(".")[0] in postgres.VERSIONS
