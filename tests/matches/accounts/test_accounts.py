"""Accounts: their addresses can be looked up, added and erased."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.hosts.engines import everything_in
from support.playing import NOON, entropy
from support.toy import AmbushTitle

from pbem.engine.rules.refusals import Unreadable
from pbem.matches.accounts import accounts
from pbem.matches.installation import open_server
from pbem.matches.server import Server


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, entropy=entropy(1), clock=lambda: NOON)


def test_an_address_opens_one_account_however_it_is_written(server: Server) -> None:
    ann = accounts.open_account(server, "Ann <Ann@Example.org>", "Ann")
    assert (ann.name, ann.addresses) == ("Ann", ("ann@example.org",))
    assert accounts.open_account(server, "ann@example.ORG") == ann
    assert accounts.by_address(server, " ANN@example.org ") == ann


@pytest.mark.parametrize("text", ["", "ann", "@example.org", "ann@", "a b@example.org"])
def test_what_is_no_address_is_refused_and_belongs_to_nobody(server: Server, text: str) -> None:
    with pytest.raises(Unreadable, match="not a valid email address"):
        accounts.open_account(server, text)
    assert accounts.by_address(server, text) is None


def test_an_account_has_several_addresses_and_an_address_one_account(server: Server) -> None:
    ann, bob = (accounts.open_account(server, f"{name}@example.org") for name in ("ann", "bob"))
    both = accounts.add_address(server, ann.id, "ann@work.example").addresses
    assert both == ("ann@example.org", "ann@work.example")
    with pytest.raises(Unreadable, match="another account"):
        accounts.add_address(server, bob.id, "ann@work.example")


def test_an_address_is_nowhere_in_the_log_and_can_be_forgotten(server: Server) -> None:
    ann = accounts.open_account(server, "ann@example.org", "Ann")
    accounts.forget(server, ann.id)
    assert accounts.by_address(server, "ann@example.org") is None
    assert accounts.account(server, ann.id).name == ann.id
    assert b"ann@example.org" not in everything_in(server)
    assert server.store.verify(accounts.stream_of(ann.id)) is None, "the chain still holds"


def test_a_bot_has_an_account_without_an_address(server: Server) -> None:
    bot = accounts.open_bot(server, "random")
    assert bot == accounts.open_bot(server, "bot-random") == accounts.account(server, "bot-random")
    assert bot.is_bot and bot.addresses == ()


def test_an_account_can_be_muted_and_unmuted(server: Server) -> None:
    ann = accounts.open_account(server, "ann@example.org")
    accounts.mute(server, ann.id)
    assert accounts.account(server, ann.id).muted
    accounts.mute(server, ann.id, False)
    assert not accounts.account(server, ann.id).muted


def test_a_name_can_be_changed_and_is_not_the_whole_address_by_default(server: Server) -> None:
    ann = accounts.open_account(server, "ann+games@example.org")
    assert ann.name == "ann"
    assert accounts.rename(server, ann.id, " Ann B ").name == "Ann B"
    assert accounts.rename(server, ann.id, "").name == "Ann B"


def test_an_unknown_account_is_an_error(server: Server) -> None:
    with pytest.raises(KeyError):
        accounts.account(server, "nobody00")
