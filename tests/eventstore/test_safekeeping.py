"""Backup, restore and erasure, checked down to the bytes of the files."""

import secrets
import sqlite3
import threading
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from contract import a_part, an_event

from eventstore import Conflict, Damaged, EventStore, NewEvent


@pytest.fixture
def store(tmp_path):
    store = EventStore(tmp_path / "store.db", server_id="server")
    store.append("a", [an_event(1, a_part()), an_event(2), an_event(3)], expected=0)
    yield store
    store.close()


@pytest.fixture
def copy(store, tmp_path) -> Path:
    store.backup(tmp_path / "backup.db")
    return tmp_path / "backup.db"


def tamper(path: Path, *statements: str) -> None:
    """Change a store behind its back, as only its operator could."""
    connection = sqlite3.connect(path)
    for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {trigger}")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def found_in_files(folder: Path, needle: bytes) -> bool:
    return any(needle in path.read_bytes() for path in folder.iterdir())


def test_a_backup_is_one_sound_file(store, copy, tmp_path):
    assert files(tmp_path) == ["backup.db", "store.db", "store.db-shm", "store.db-wal"]
    connection = sqlite3.connect(copy)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert connection.execute("SELECT count(*) FROM events").fetchone() == (3,)
    connection.close()


def test_a_backup_takes_the_place_of_the_last_one(store, copy):
    store.append("a", [an_event(4)], expected=3)

    store.backup(copy)

    with closing(EventStore(copy)) as second:
        assert second.version("a") == 4


def test_a_backup_holds_what_was_committed_and_no_more(store, tmp_path):
    """A backup taken during an open transaction of the same thread holds only committed data."""
    with store.transaction() as transaction:
        transaction.append("a", [an_event(4)], expected=3)
        store.backup(tmp_path / "backup.db")

    with closing(EventStore(tmp_path / "backup.db")) as second:
        assert second.version("a") == 3


def test_backups_during_writes_are_whole(store, tmp_path):
    """A backup made during writes is consistent: because every append writes to both streams, both have
    the same length."""
    done = threading.Event()
    failures = []

    def write():
        version = 0
        try:
            while not done.is_set():
                with store.transaction() as transaction:
                    transaction.append("left", [an_event(version)], expected=version)
                    transaction.append("right", [an_event(version)], expected=version)
                version += 1
        except Exception as error:
            failures.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    for number in range(5):
        store.backup(tmp_path / f"backup{number}.db")
    done.set()
    writer.join()

    assert failures == []
    for number in range(5):
        with closing(EventStore(tmp_path / f"backup{number}.db")) as second:
            assert second.version("left") == second.version("right")
            assert second.verify("left") is second.verify("right") is None
    assert not [name for name in files(tmp_path) if "copy" in name]


def test_a_restore_counts_itself(store, copy, tmp_path):
    EventStore.restore(copy, tmp_path / "first.db")
    with closing(EventStore(tmp_path / "first.db")) as first:
        first.backup(tmp_path / "again.db")
        EventStore.restore(tmp_path / "again.db", tmp_path / "second.db")
        with closing(EventStore(tmp_path / "second.db")) as second:
            assert (store.restorations(), first.restorations(), second.restorations()) == (0, 1, 2)


def test_a_restore_never_overwrites(store, copy, tmp_path):
    before = store.read("a")

    with pytest.raises(FileExistsError):
        EventStore.restore(copy, store.path)

    assert store.read("a") == before
    assert not [name for name in files(tmp_path) if "copy" in name]


@pytest.mark.parametrize("leftover", ["new.db-wal", "new.db-journal"])
def test_a_journal_left_from_another_database_is_not_mixed_in(store, copy, tmp_path, leftover):
    (tmp_path / leftover).write_bytes(b"old pages")

    with pytest.raises(FileExistsError, match=leftover):
        EventStore.restore(copy, tmp_path / "new.db")
    with pytest.raises(FileExistsError, match=leftover):
        store.backup(tmp_path / "new.db")


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE events SET body = x'7B7D' WHERE version = 2", "a is broken at version 2"),
        ("DELETE FROM events WHERE version = 1", "a is broken at version 1"),
        ("UPDATE events SET stream = 'b' WHERE version = 3", "b is broken at version 1"),
        ("UPDATE about SET value = 'other'", "a is broken at version 1"),
        ("UPDATE parts SET content = zeroblob(1024)", "part"),
        ("DELETE FROM about", "not an event store"),
        ("DROP TABLE about", "not an event store"),
    ],
)
def test_a_restore_refuses_a_broken_history(copy, tmp_path, statement, why):
    tamper(copy, statement)

    with pytest.raises(Damaged, match=why):
        EventStore.restore(copy, tmp_path / "new.db")

    assert not [name for name in files(tmp_path) if "copy" in name or "new" in name]


def test_a_restore_refuses_a_damaged_file(copy, tmp_path):
    content = bytearray(copy.read_bytes())
    content[4096 * 3 : 4096 * 5] = secrets.token_bytes(4096 * 2)
    copy.write_bytes(content)

    with pytest.raises(Damaged):
        EventStore.restore(copy, tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_an_index_that_lies_is_found(store, copy, tmp_path):
    """The integrity check finds a damaged index in a file whose chains are all valid."""
    lie = (
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'version = 1', 'version = 2') WHERE name = 'first_events'",
    )
    tamper(copy, *lie)
    with pytest.raises(Damaged, match="first_events"):
        EventStore.restore(copy, tmp_path / "new.db")

    tamper(store.path, *lie)
    with pytest.raises(Damaged, match="first_events"):
        store.backup(tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_a_database_of_another_kind_is_refused(tmp_path):
    connection = sqlite3.connect(tmp_path / "other.db")
    connection.executescript(
        "CREATE TABLE about (key, value); INSERT INTO about VALUES ('server_id', 'a phone book')"
    )
    connection.close()

    with pytest.raises(Damaged, match="no such table: events"):
        EventStore.restore(tmp_path / "other.db", tmp_path / "new.db")


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough to be looked at" * 100])
def test_a_restore_refuses_another_file(tmp_path, content):
    (tmp_path / "other").write_bytes(content)

    with pytest.raises(Damaged):
        EventStore.restore(tmp_path / "other", tmp_path / "new.db")


def test_a_restore_refuses_a_missing_file_and_does_not_create_it(tmp_path):
    with pytest.raises(Damaged):
        EventStore.restore(tmp_path / "missing", tmp_path / "new.db")

    assert files(tmp_path) == []


def test_a_restored_erasure_stays_erased(store, tmp_path):
    store.erase(store.read("a")[0].parts[0].commitment)
    store.backup(tmp_path / "backup.db")

    EventStore.restore(tmp_path / "backup.db", tmp_path / "new.db")

    with closing(EventStore(tmp_path / "new.db")) as restored:
        assert restored.verify("a") is None


@pytest.mark.parametrize("size", [20, 900, 30_000])
def test_erased_content_is_gone_from_the_files(store, tmp_path, size):
    """Erased salt and content disappear from the database and from its log while the store is open."""
    content, salt = secrets.token_bytes(size), secrets.token_bytes(32)
    stored = zlib.compress(salt + content)  # not always a plain copy: deflate can shorten even a few random bytes
    part = a_part(content, salt=salt)
    (event,) = store.append("a", [NewEvent("order.sealed", {}, (part,))], expected=3)
    assert found_in_files(tmp_path, stored[:40])

    store.erase(event.parts[0].commitment)

    assert not any(found_in_files(tmp_path, trace) for trace in (stored[:20], stored[-20:], salt, content[-20:]))
    assert store.verify("a") is None


def test_a_rolled_back_erasure_erases_nothing(store):
    name = store.read("a")[0].parts[0].commitment
    with pytest.raises(Conflict), store.transaction() as transaction:
        transaction.erase(name)
        transaction.append("a", [an_event()], expected=0)

    assert store.part(name).content == b"secret"
