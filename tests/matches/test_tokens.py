"""§10 Tokens: short, lower-case, bound to everything, and silent when they do not count."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import entropy
from toy import AmbushTitle

from pbem.matches import accounts, desk, tokens
from pbem.matches.deadlines import HOUR
from pbem.matches.house import House


class Hours:
    now = 1_900_000_000_000


@pytest.fixture
def hours() -> Hours:
    return Hours()


@pytest.fixture
def house(tmp_path: Path, hours: Hours) -> House:
    return desk.open_house(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: hours.now)


@pytest.fixture
def match(house: House) -> str:
    return desk.new_match(house, "ambush", "tiny")


@given(number=st.integers(0, 2**24 - 1), occupancy=st.integers(0, 2**16 - 1), seat=st.sampled_from(("red", "blue")))
def test_a_token_says_again_what_it_binds(house_and_match: tuple[House, str], **said: object) -> None:
    house, match = house_and_match
    token = tokens.make(house, use="orders", match=match, **said)  # type: ignore[arg-type]
    assert re.fullmatch(r"[a-z2-7]+", token) and len(token) == tokens.LENGTH <= 40
    assert tokens.read(house, token) == tokens.Token(use="orders", match=match, **said)  # type: ignore[arg-type]
    assert tokens.read(house, f" {token.upper()} ") == tokens.read(house, token), "programs change the case"


@pytest.fixture(scope="module")
def house_and_match(tmp_path_factory: pytest.TempPathFactory) -> tuple[House, str]:
    path = tmp_path_factory.mktemp("tokens") / "pbem.db"
    house = desk.open_house(path, {"ambush": AmbushTitle()}, entropy=entropy(1))
    return house, desk.new_match(house, "ambush", "tiny")


@given(place=st.integers(0, tokens.LENGTH - 1), letter=st.sampled_from("abcdefghijklmnopqrstuvwxyz234567"))
def test_no_letter_of_a_token_can_be_changed(house_and_match: tuple[House, str], place: int, letter: str) -> None:
    """Only the last letter has bits that mean nothing."""
    house, match = house_and_match
    token = tokens.make(house, use="orders", match=match, number=2, seat="red", occupancy=1)
    forged = token[:place] + letter + token[place + 1 :]
    if forged != token and place < tokens.LENGTH - 1:
        with pytest.raises(tokens.NotValid):
            tokens.read(house, forged)


@pytest.mark.parametrize("text", ["", "a", "a" * 36, "?" * 36, "a" * 400, "ä" * 36])
def test_every_bad_token_meets_the_same_words(house: House, text: str) -> None:
    with pytest.raises(tokens.NotValid) as refusal:
        tokens.read(house, text)
    assert str(refusal.value) == str(tokens.NotValid())


def test_a_token_of_another_house_does_not_count(house: House, match: str, tmp_path: Path) -> None:
    other = desk.open_house(tmp_path / "other.db", {"ambush": AmbushTitle()})
    foreign = tokens.make(other, use="orders", match=desk.new_match(other, "ambush", "tiny"), seat="red")
    with pytest.raises(tokens.NotValid):
        tokens.read(house, foreign)


def test_a_token_counts_for_its_use_alone(house: House, match: str) -> None:
    token = tokens.make(house, use="invitation", match=match, number=1, seat="red")
    with pytest.raises(tokens.NotValid):
        tokens.expect(house, token, "orders")


def test_a_sign_in_token_works_once_and_for_a_day(house: House, hours: Hours) -> None:
    ann = accounts.open_account(house, "ann@example.org")
    first, second = tokens.make_sign_in(house, ann.id), tokens.make_sign_in(house, ann.id)
    assert tokens.sign_in(house, first) == ann.id
    with pytest.raises(tokens.NotValid):
        tokens.sign_in(house, first)
    hours.now += 25 * HOUR
    with pytest.raises(tokens.NotValid):
        tokens.sign_in(house, second)


def test_tokens_are_found_in_a_text_in_order_and_once() -> None:
    first, second = "a" * 36, "b" * 36
    assert tokens.find(f"Code: {second}\n> {first}, {second} and {'c' * 37}") == [second, first]
