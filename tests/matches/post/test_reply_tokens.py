"""§10 Reply tokens are short, lower-case, bound to everything they stand for, and refused without explanation if
invalid."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.playing import entropy
from support.toy import AmbushTitle

from pbem.matches.accounts import accounts
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.exchange import creating
from pbem.matches.installation import open_server
from pbem.matches.post import reply_tokens
from pbem.matches.server import Server


class Hours:
    now = 1_900_000_000_000


@pytest.fixture
def hours() -> Hours:
    return Hours()


@pytest.fixture
def server(tmp_path: Path, hours: Hours) -> Server:
    return open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: hours.now)


@pytest.fixture
def match(server: Server) -> str:
    return creating.new_match(server, "ambush", "tiny")


@given(number=st.integers(0, 2**24 - 1), occupancy=st.integers(0, 2**16 - 1), seat=st.sampled_from(("red", "blue")))
def test_a_token_says_again_what_it_binds(server_and_match: tuple[Server, str], **said: object) -> None:
    server, match = server_and_match
    token = reply_tokens.make(server, use="orders", match=match, **said)  # type: ignore[arg-type]
    assert re.fullmatch(r"[a-z2-7]+", token) and len(token) == reply_tokens.LENGTH <= 40
    assert reply_tokens.read(server, token) == reply_tokens.Token(use="orders", match=match, **said)  # type: ignore[arg-type]
    assert reply_tokens.read(server, f" {token.upper()} ") == reply_tokens.read(server, token), (
        "programs change the case"
    )


@pytest.fixture(scope="module")
def server_and_match(tmp_path_factory: pytest.TempPathFactory) -> tuple[Server, str]:
    path = tmp_path_factory.mktemp("tokens") / "pbem.db"
    server = open_server(path, {"ambush": AmbushTitle()}, entropy=entropy(1))
    return server, creating.new_match(server, "ambush", "tiny")


@given(place=st.integers(0, reply_tokens.LENGTH - 1), letter=st.sampled_from("abcdefghijklmnopqrstuvwxyz234567"))
def test_no_letter_of_a_token_can_be_changed(server_and_match: tuple[Server, str], place: int, letter: str) -> None:
    """Changing any letter of a token makes it invalid; only the last letter has unused bits."""
    server, match = server_and_match
    token = reply_tokens.make(server, use="orders", match=match, number=2, seat="red", occupancy=1)
    forged = token[:place] + letter + token[place + 1 :]
    if forged != token and place < reply_tokens.LENGTH - 1:
        with pytest.raises(reply_tokens.NotValid):
            reply_tokens.read(server, forged)


@pytest.mark.parametrize("text", ["", "a", "a" * 36, "?" * 36, "a" * 400, "ä" * 36])
def test_every_bad_token_meets_the_same_words(server: Server, text: str) -> None:
    with pytest.raises(reply_tokens.NotValid) as refusal:
        reply_tokens.read(server, text)
    assert str(refusal.value) == str(reply_tokens.NotValid())


def test_a_token_of_another_server_does_not_count(server: Server, match: str, tmp_path: Path) -> None:
    other = open_server(tmp_path / "other.db", {"ambush": AmbushTitle()})
    foreign = reply_tokens.make(other, use="orders", match=creating.new_match(other, "ambush", "tiny"), seat="red")
    with pytest.raises(reply_tokens.NotValid):
        reply_tokens.read(server, foreign)


def test_a_token_counts_for_its_use_alone(server: Server, match: str) -> None:
    token = reply_tokens.make(server, use="invitation", match=match, number=1, seat="red")
    with pytest.raises(reply_tokens.NotValid):
        reply_tokens.expect(server, token, "orders")


def test_a_sign_in_token_works_once_and_for_a_day(server: Server, hours: Hours) -> None:
    ann = accounts.open_account(server, "ann@example.org")
    first, second = reply_tokens.make_sign_in(server, ann.id), reply_tokens.make_sign_in(server, ann.id)
    assert reply_tokens.sign_in(server, first) == ann.id
    with pytest.raises(reply_tokens.NotValid):
        reply_tokens.sign_in(server, first)
    hours.now += 25 * HOUR
    with pytest.raises(reply_tokens.NotValid):
        reply_tokens.sign_in(server, second)


def test_tokens_are_found_in_a_text_in_order_and_once() -> None:
    first, second = "a" * 36, "b" * 36
    assert reply_tokens.find(f"Code: {second}\n> {first}, {second} and {'c' * 37}") == [second, first]
