"""The stored form of a part can be read back, hides the size, and needs its key."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventstore import Damaged, EventStore, Locked, NewEvent, NewPart, Vault, check_content
from eventstore.events import commitment, pad
from eventstore.safekeeping import backup

KEY, OTHER, SALT = bytes(range(32)), bytes(32), b"s" * 32


@given(st.binary(max_size=5000), st.booleans())
def test_what_is_sealed_is_opened_and_takes_whole_steps(content: bytes, encrypted: bool) -> None:
    vault = Vault(KEY if encrypted else None)
    name = commitment(SALT, content)
    stored = vault.seal(name, content, SALT)
    assert len(stored) % 1024 == 0
    assert vault.part(name, b"", stored) == (SALT, content)


def test_form_1_stays_readable() -> None:
    assert Vault(KEY).part("x", SALT, pad(b"orders")) == (SALT, b"orders")


def test_another_key_or_another_place_opens_nothing() -> None:
    stored = Vault(KEY).seal("one", b"orders", SALT)
    for vault, name in ((Vault(OTHER), "one"), (Vault(), "one"), (Vault(KEY), "two")):
        with pytest.raises(Locked):
            vault.part(name, b"", stored)


def a_store(path: Path, key: bytes | None = KEY) -> EventStore:
    return EventStore(path / "store.db", server_id="s", vault=Vault(key))


def test_a_lost_file_tells_nothing_of_a_part_and_erasing_takes_its_key(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    part = NewPart("order", "red", b"the secret attack on the left", SALT)
    [event] = store.append("match/a", [NewEvent("order.sealed", {}, (part,))], expected=0)
    name = event.parts[0].commitment
    assert store.part(name).content == part.content
    store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for file in tmp_path.iterdir():
        content = file.read_bytes()
        assert b"secret attack" not in content and SALT not in content
    store.erase(name)
    assert store.parts([name]) == {}


def test_a_store_of_the_first_form_goes_on_in_the_new_one(tmp_path: Path) -> None:
    store = a_store(tmp_path, None)
    name = commitment(SALT, b"old orders")
    with store.transaction() as transaction:
        transaction.database.execute("INSERT INTO parts VALUES (?, ?, ?)", (name, SALT, pad(b"old orders")))
    store.close()
    assert a_store(tmp_path).part(name).content == b"old orders"


def test_a_backup_checks_every_part_that_its_key_opens(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    store.append("match/a", [NewEvent("order.sealed", {}, (NewPart("order", "red", b"x", SALT),))], expected=0)
    store.backup(tmp_path / "copy.db")
    raw = sqlite3.connect(store.path)
    raw.execute("DROP TRIGGER parts_stay")
    raw.execute("UPDATE parts SET content = zeroblob(length(content))")
    raw.commit()
    with pytest.raises(Damaged, match="not what was committed to"):
        backup(store.path, tmp_path / "second.db", vault=Vault(KEY))


def test_without_the_key_only_the_chain_is_checked(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    store.append("match/a", [NewEvent("order.sealed", {}, (NewPart("order", "red", b"x", SALT),))], expected=0)
    check_content(store.database)
