"""Only the hash of an API token is stored, and the token expires."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.playing import NOON, entropy
from support.toy import AmbushTitle

from pbem.engine.rules.refusals import Refusal
from pbem.matches.accounts import accounts, api_tokens
from pbem.matches.accounts.api_tokens import DAY
from pbem.matches.installation import open_server
from pbem.matches.server import Server


class Clock:
    now = NOON

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(tmp_path: Path, clock: Clock) -> Server:
    return open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=clock, entropy=entropy(1))


@pytest.fixture
def ann(server: Server) -> str:
    return accounts.open_account(server, "ann@example.org").id


def test_a_word_opens_what_its_scopes_say(server: Server, ann: str) -> None:
    token, word = api_tokens.make(server, ann, "my script", ["play"])
    found = api_tokens.find(server, word)
    assert found is not None and (found.id, found.account, found.name) == (token.id, ann, "my script")
    assert found.opens("play") and found.opens("read") and not found.opens("master")
    assert not api_tokens.make(server, ann, "", ["calendar"])[0].opens("read")


def test_the_word_itself_is_nowhere_on_the_disk(server: Server, ann: str, tmp_path: Path) -> None:
    _, word = api_tokens.make(server, ann, "my script", ["play"])
    for file in tmp_path.iterdir():
        assert word.encode() not in file.read_bytes()


def test_tokens_end_are_revoked_and_forgotten(server: Server, ann: str, clock: Clock) -> None:
    short, short_word = api_tokens.make(server, ann, "", ["read"], days=1)
    long, long_word = api_tokens.make(server, ann, "", ["read"])
    clock.now += DAY
    assert api_tokens.find(server, short_word) is None
    assert api_tokens.find(server, long_word) is not None
    api_tokens.revoke(server, ann, long.id)
    assert api_tokens.find(server, long_word) is None
    assert [token.id for token in api_tokens.of_account(server, ann)] == [short.id]
    _, word = api_tokens.make(server, ann, "", ["read"])
    accounts.forget(server, ann)
    assert api_tokens.find(server, word) is None
    with server.store.transaction() as transaction:
        api_tokens.erase(transaction, ann)
    assert api_tokens.of_account(server, ann) == []


def test_nobody_revokes_the_token_of_another(server: Server, ann: str) -> None:
    bob = accounts.open_account(server, "bob@example.org").id
    token, word = api_tokens.make(server, ann, "", ["read"])
    with pytest.raises(Refusal, match="no token with that id"):
        api_tokens.revoke(server, bob, token.id)
    assert api_tokens.find(server, word) is not None


@pytest.mark.parametrize("word", ["", "pbem_", "pbem_" + "a" * 52, "é"])
def test_other_words_open_nothing(server: Server, ann: str, word: str) -> None:
    api_tokens.make(server, ann, "", ["read"])
    assert api_tokens.find(server, word) is None


@pytest.mark.parametrize(("scopes", "days"), [(["fly"], 1), ([], 1), (["read"], 0)])
def test_a_token_without_sense_is_refused(server: Server, ann: str, scopes: list[str], days: int) -> None:
    with pytest.raises(Refusal):
        api_tokens.make(server, ann, "", scopes, days=days)


def test_use_is_noted_to_the_hour(server: Server, ann: str, clock: Clock) -> None:
    _, word = api_tokens.make(server, ann, "", ["read"])
    for _ in range(2):
        api_tokens.find(server, word)
        clock.now += 1000
    [token] = api_tokens.of_account(server, ann)
    assert token.used_at == NOON


def test_there_are_not_more_than_a_person_can_oversee(server: Server, ann: str) -> None:
    for _ in range(api_tokens.MOST):
        api_tokens.make(server, ann, "", ["read"])
    with pytest.raises(Refusal, match="revoke one first"):
        api_tokens.make(server, ann, "", ["read"])
