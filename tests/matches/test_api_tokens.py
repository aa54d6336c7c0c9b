"""Tokens of the API: only their hash is kept, and they end."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import NOON, entropy
from toy import AmbushTitle

from pbem.engine.refusals import Refusal
from pbem.matches import accounts, api_tokens, desk
from pbem.matches.api_tokens import DAY
from pbem.matches.house import House


class Clock:
    now = NOON

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> House:
    return desk.open_house(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=clock, entropy=entropy(1))


@pytest.fixture
def ann(house: House) -> str:
    return accounts.open_account(house, "ann@example.org").id


def test_a_word_opens_what_its_scopes_say(house: House, ann: str) -> None:
    token, word = api_tokens.make(house, ann, "my script", ["play"])
    found = api_tokens.find(house, word)
    assert found is not None and (found.id, found.account, found.name) == (token.id, ann, "my script")
    assert found.opens("play") and found.opens("read") and not found.opens("master")
    assert not api_tokens.make(house, ann, "", ["calendar"])[0].opens("read")


def test_the_word_itself_is_nowhere_on_the_disk(house: House, ann: str, tmp_path: Path) -> None:
    _, word = api_tokens.make(house, ann, "my script", ["play"])
    for file in tmp_path.iterdir():
        assert word.encode() not in file.read_bytes()


def test_tokens_end_are_revoked_and_forgotten(house: House, ann: str, clock: Clock) -> None:
    short, short_word = api_tokens.make(house, ann, "", ["read"], days=1)
    long, long_word = api_tokens.make(house, ann, "", ["read"])
    clock.now += DAY
    assert api_tokens.find(house, short_word) is None
    assert api_tokens.find(house, long_word) is not None
    api_tokens.revoke(house, ann, long.id)
    assert api_tokens.find(house, long_word) is None
    assert [token.id for token in api_tokens.of_account(house, ann)] == [short.id]
    _, word = api_tokens.make(house, ann, "", ["read"])
    accounts.forget(house, ann)
    assert api_tokens.find(house, word) is None
    with house.store.transaction() as transaction:
        api_tokens.erase(transaction, ann)
    assert api_tokens.of_account(house, ann) == []


def test_nobody_revokes_the_token_of_another(house: House, ann: str) -> None:
    bob = accounts.open_account(house, "bob@example.org").id
    token, word = api_tokens.make(house, ann, "", ["read"])
    with pytest.raises(Refusal, match="no such token"):
        api_tokens.revoke(house, bob, token.id)
    assert api_tokens.find(house, word) is not None


@pytest.mark.parametrize("word", ["", "pbem_", "pbem_" + "a" * 52, "é"])
def test_other_words_open_nothing(house: House, ann: str, word: str) -> None:
    api_tokens.make(house, ann, "", ["read"])
    assert api_tokens.find(house, word) is None


@pytest.mark.parametrize(("scopes", "days"), [(["fly"], 1), ([], 1), (["read"], 0)])
def test_a_token_without_sense_is_refused(house: House, ann: str, scopes: list[str], days: int) -> None:
    with pytest.raises(Refusal):
        api_tokens.make(house, ann, "", scopes, days=days)


def test_use_is_noted_to_the_hour(house: House, ann: str, clock: Clock) -> None:
    _, word = api_tokens.make(house, ann, "", ["read"])
    for _ in range(2):
        api_tokens.find(house, word)
        clock.now += 1000
    [token] = api_tokens.of_account(house, ann)
    assert token.used_at == NOON


def test_there_are_not_more_than_a_person_can_oversee(house: House, ann: str) -> None:
    for _ in range(api_tokens.MOST):
        api_tokens.make(house, ann, "", ["read"])
    with pytest.raises(Refusal, match="revoke one first"):
        api_tokens.make(house, ann, "", ["read"])
