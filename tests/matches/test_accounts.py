"""Accounts: addresses can be looked up, added and forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import NOON, entropy
from toy import AmbushTitle

from pbem.engine.refusals import Unreadable
from pbem.matches import accounts, desk
from pbem.matches.house import House


@pytest.fixture
def house(tmp_path: Path) -> House:
    return desk.open_house(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, entropy=entropy(1), clock=lambda: NOON)


def test_an_address_opens_one_account_however_it_is_written(house: House) -> None:
    ann = accounts.open_account(house, "Ann <Ann@Example.org>", "Ann")
    assert (ann.name, ann.addresses) == ("Ann", ("ann@example.org",))
    assert accounts.open_account(house, "ann@example.ORG") == ann
    assert accounts.by_address(house, " ANN@example.org ") == ann


@pytest.mark.parametrize("text", ["", "ann", "@example.org", "ann@", "a b@example.org"])
def test_what_is_no_address_is_refused_and_belongs_to_nobody(house: House, text: str) -> None:
    with pytest.raises(Unreadable, match="no mail address"):
        accounts.open_account(house, text)
    assert accounts.by_address(house, text) is None


def test_an_account_has_several_addresses_and_an_address_one_account(house: House) -> None:
    ann, bob = (accounts.open_account(house, f"{name}@example.org") for name in ("ann", "bob"))
    both = accounts.add_address(house, ann.id, "ann@work.example").addresses
    assert both == ("ann@example.org", "ann@work.example")
    with pytest.raises(Unreadable, match="another account"):
        accounts.add_address(house, bob.id, "ann@work.example")


def test_an_address_is_nowhere_in_the_log_and_can_be_forgotten(house: House) -> None:
    ann = accounts.open_account(house, "ann@example.org", "Ann")
    accounts.forget(house, ann.id)
    assert accounts.by_address(house, "ann@example.org") is None
    assert accounts.account(house, ann.id).name == ann.id
    house.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"ann@example.org" not in Path(house.store.path).read_bytes()
    assert house.store.verify(accounts.stream_of(ann.id)) is None, "the chain still holds"


def test_a_bot_has_an_account_without_an_address(house: House) -> None:
    bot = accounts.open_bot(house, "random")
    assert bot == accounts.open_bot(house, "bot-random") == accounts.account(house, "bot-random")
    assert bot.is_bot and bot.addresses == ()


def test_an_account_can_be_muted_and_unmuted(house: House) -> None:
    ann = accounts.open_account(house, "ann@example.org")
    accounts.mute(house, ann.id)
    assert accounts.account(house, ann.id).muted
    accounts.mute(house, ann.id, False)
    assert not accounts.account(house, ann.id).muted


def test_a_name_can_be_changed_and_is_not_the_whole_address_by_default(house: House) -> None:
    ann = accounts.open_account(house, "ann+games@example.org")
    assert ann.name == "ann"
    assert accounts.rename(house, ann.id, " Ann B ").name == "Ann B"
    assert accounts.rename(house, ann.id, "").name == "Ann B"


def test_an_unknown_account_is_an_error(house: House) -> None:
    with pytest.raises(KeyError):
        accounts.account(house, "nobody00")
