"""§15 Nobody can take a name that looks like another player's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.toy import AmbushTitle

from pbem.engine.rules.refusals import Illegal
from pbem.matches.accounts import accounts, names
from pbem.matches.installation import open_server

CYRILLIC_BOB = "b\u043eb"


@pytest.fixture
def server(tmp_path: Path):
    server = open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()})
    yield server
    server.close()


@pytest.mark.parametrize(
    "name", ["bob", "BOB", "b0b", CYRILLIC_BOB, "bób", "b o b", "bob\u200b", "\u202ebob", "b\u0301ob", "ｂｏｂ"]
)
def test_a_name_that_looks_like_another_is_refused_and_a_free_one_proposed(server, name):
    accounts.open_account(server, "bob@example.org")
    eve = accounts.open_account(server, "eve@example.org")
    with pytest.raises(Illegal) as refused:
        accounts.rename(server, eve.id, name)
    [instead] = refused.value.instead
    assert accounts.rename(server, eve.id, instead).name == instead


@pytest.mark.parametrize("name", ["bot-panzer", "Bot panzer", "b0t-panzer", "Operator", "game master", "MASTER"])
def test_nobody_is_called_like_a_bot_or_an_office(server, name):
    eve = accounts.open_account(server, "eve@example.org")
    with pytest.raises(Illegal):
        accounts.rename(server, eve.id, name)


def test_an_account_whose_address_gives_a_taken_name_gets_a_number(server):
    first = accounts.open_account(server, "bob@example.org")
    second = accounts.open_account(server, "bob@example.com")
    third = accounts.open_account(server, "bot-panzer@example.com")
    assert (first.name, second.name, third.name) == ("bob", "bob 2", "player bot-panzer")


def test_one_may_keep_ones_own_name_in_other_letters(server):
    bob = accounts.open_account(server, "bob@example.org")
    assert accounts.rename(server, bob.id, "Bob").name == "Bob"


def test_marks_of_direction_are_never_shown(server):
    eve = accounts.open_account(server, "eve@example.org")
    assert accounts.rename(server, eve.id, "\u202eevil\u202c  twin\u2066").name == "evil twin"


@given(st.text(max_size=60))
def test_looking_twice_sees_the_same(name):
    assert names.visible(names.visible(name)) == names.visible(name)
    assert names.look_of(names.visible(name)) == names.look_of(name)


@given(st.text(alphabet="abcdefgh -", min_size=1, max_size=20))
def test_capitals_and_spaces_make_no_difference(name):
    assert names.look_of(name) == names.look_of(name.upper()) == names.look_of(f" {name} ")
