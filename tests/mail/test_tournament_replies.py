"""Entering and leaving a tournament by email, over a real SMTP connection."""

from __future__ import annotations

import pytest
from support.postbox import ALICE, BOB, Post, text_of

from pbem.matches.accounts import accounts
from pbem.tournaments import entries, stream, tick
from pbem.tournaments.model import Settings


@pytest.fixture
def cup(post: Post) -> str:
    """Return the id of a tournament whose director has entered Alice and Bob, who have not confirmed yet."""
    director = accounts.open_account(post.server, "max@example.org", "Max").id
    settings = Settings("Autumn Cup", "ambush", scenarios=("tiny",), confirm_days=7, rounds=3)
    cup = stream.open_tournament(post.server, settings, director).id
    ids = [accounts.open_account(post.server, address).id for address in (ALICE, BOB)]
    content = f"name,account\nAlice,{ids[0]}\nBob,{ids[1]}\n".encode()
    assert not entries.import_list(post.server, cup, content, by=director).mistakes
    tick.tick(post.server, post.now)
    post.tick()
    return cup


def states(post: Post, cup: str) -> list[str]:
    return [entrant.state for entrant in stream.read(post.server, cup).entrants.values()]


def test_an_invitation_is_confirmed_by_a_reply(post: Post, cup: str) -> None:
    assert 'reply with the line "confirm"' in text_of(post.last(ALICE))
    post.reply(ALICE, "Confirm, thanks!")
    post.tick()

    assert states(post, cup) == ["confirmed", "invited"]
    assert "Your entry is confirmed." in text_of(post.last(ALICE))


def test_byes_withdrawal_re_entry_and_standings_by_mail(post: Post, cup: str) -> None:
    for line in ("confirm", "bye 2", "withdraw too busy", "enter", "standings"):
        post.reply(ALICE, line)
        post.tick()
    alice = stream.read(post.server, cup).entrants[1]

    assert (alice.state, alice.byes) == ("confirmed", {2: "half"})
    assert "1. Alice: 0" in text_of(post.last(ALICE))


def test_what_cannot_be_done_is_told_and_changes_nothing(post: Post, cup: str) -> None:
    post.reply(ALICE, "dance")
    post.tick()
    assert "this is not a request that the server understands" in text_of(post.last(ALICE))
    post.reply(ALICE, "bye 2")
    post.tick()

    assert "you are not an entrant of this tournament" in text_of(post.last(ALICE))
    assert states(post, cup) == ["invited", "invited"]


def test_a_forwarded_code_does_not_let_another_act(post: Post, cup: str) -> None:
    mail = post.last(ALICE)
    post.send(post.write(str(mail["Reply-To"]), "withdraw", BOB))
    post.tick()

    assert states(post, cup) == ["invited", "invited"]
    assert "Write from your own address" in text_of(post.last(ALICE))
