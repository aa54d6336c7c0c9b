"""Account commands by email alone: players list matches, join one, start one against a bot, and change settings."""

from __future__ import annotations

import pytest
from support.postbox import ALICE, BOB, Post, text_of

from pbem.engine.rules.primer import Lesson, Primer
from pbem.matches.accounts import accounts, preferences
from pbem.matches.accounts.names import BOT
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import seats_of
from pbem.matches.history.replay import all_matches, record_of

HOST = "orders@pbem.test"


@pytest.fixture
def alice(post: Post) -> str:
    return accounts.open_account(post.server, ALICE, "Alice").id


def ask(post: Post, text: str, sender: str = ALICE, to: str = HOST) -> str:
    """Send the server an email without a token; return the text of its answer."""
    before = len(post.of(sender))
    post.send(post.write(to, text, sender))
    post.tick()
    answers = post.of(sender)[before:]
    return text_of(answers[0]) if answers else ""


def reply(post: Post, text: str, sender: str = ALICE) -> str:
    """Reply to the server's last answer; return the text of the first email that it then sends."""
    before = len(post.of(sender))
    post.reply(sender, text)
    post.tick()
    return text_of(post.of(sender)[before:][0])


def test_matches_lists_open_ones_with_a_line_that_joins_them(post: Post, alice: str) -> None:
    match = creating.new_match(post.server, "ambush", "tiny", name="The Pass", cadence=48)
    said = ask(post, "matches")
    assert f"The Pass ({match}): Ambush, Tiny, 48 hours per turn, free: red, blue" in said and f"join {match}" in said
    assert 'No open match was found for "desert"' in ask(post, "matches desert")


def test_join_needs_a_code_and_a_reply_to_the_answer_has_it(post: Post, alice: str) -> None:
    match = creating.new_match(post.server, "ambush", "tiny", name="The Pass", cadence=48)
    first = ask(post, "join The Pass as blue")
    assert "Nothing has been done yet" in first and seats_of(post.server, match, alice) == []
    assert "You have taken the seat Blue in The Pass" in reply(post, "join the pass as blue")
    assert seats_of(post.server, match, alice) == ["blue"]
    refused = reply(post, "join the pass as blue")
    assert "Reason: that seat is not free." in refused and '- "red"' in refused


def test_new_starts_a_match_against_the_bot_and_the_form_comes(post: Post, alice: str) -> None:
    assert '"new ambush' in ask(post, "new")
    answer = post.last(ALICE)
    reply(post, "new ambush tiny as blue")
    post.tick()
    assert any("against the bot has started" in text_of(message) for message in post.of(ALICE))
    assert any("Tiny (" in text_of(message) and "Your seat: Blue" in text_of(message) for message in post.of(ALICE))
    (match,) = all_matches(post.server)
    occupants = record_of(post.server, match).occupants
    assert occupants["blue"]["account"] == alice and occupants["red"]["account"].startswith(BOT)
    assert any("Your orders for turn" in text_of(message) for message in post.of(ALICE))
    assert 'You can choose from:\n\n- "ambush ' in ask(post, "new ambush nowhere", to=answer["Reply-To"])


def test_scenarios_are_listed_with_their_printed_names(post: Post, alice: str) -> None:
    assert '- "new ambush tiny": Tiny' in ask(post, "new ambush")


def test_new_names_the_scenario_of_the_guided_game_first(
    post: Post, alice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = post.server.titles["ambush"]
    other = next(one for one in title.scenarios if one != title.scenarios[0])
    primer = Primer(lesson=Lesson(other, "red", ()))
    monkeypatch.setattr(type(title), "primer", lambda self: primer)
    assert f'"new ambush {other}"' in ask(post, "new")


def test_a_code_that_is_written_into_the_letter_is_no_command(post: Post, alice: str) -> None:
    code = next(line for line in ask(post, "settings").splitlines() if line.startswith("Code:"))
    assert "Time zone: Europe/Berlin" in ask(post, f"settings zone europe/berlin\n\n{code}")


def test_settings_are_shown_and_changed_by_mail(post: Post, alice: str) -> None:
    assert "Time zone: UTC" in ask(post, "Settings")
    assert "Time zone: Europe/Berlin" in reply(post, "settings zone europe/berlin")
    assert '- "settings mails digest"' in reply(post, "settings mails often")
    reply(post, "settings mails digest\nsettings name Colonel Alice")
    assert preferences.profile(post.server, alice).mails == "digest"
    assert accounts.account(post.server, alice).name == "Colonel Alice"
    reply(post, "settings mails none")
    assert accounts.account(post.server, alice).muted


def test_a_reply_to_a_turn_may_ask_for_matches_but_orders_stay_orders(post: Post) -> None:
    post.begin()
    asked = post.last(ALICE)
    post.reply(ALICE, "matches", to=asked)
    post.tick()
    said = text_of(post.last(ALICE))
    assert "The Pass" in said and "your seat Red" in said and "waiting for your orders" in said
    post.reply(ALICE, "matches\nr1 go2", to=asked)
    post.tick()
    assert "> matches" in text_of(post.last(ALICE))  # an email with orders counts as orders


def test_strangers_and_foreign_addresses_change_nothing(post: Post, alice: str) -> None:
    assert ask(post, "matches", sender="stranger@example.org") == ""
    ask(post, "settings")
    token = post.last(ALICE)["Reply-To"]
    accounts.open_account(post.server, BOB, "Bob")
    post.send(post.write(token, "settings name Mallory", BOB))
    post.tick()
    assert accounts.account(post.server, alice).name == "Alice"
    assert "Nothing was done: the sender was" in text_of(post.last(ALICE))


def test_help_has_the_commands_of_an_account(post: Post, alice: str) -> None:
    said = ask(post, "help")
    assert "join NAME" in said and "Nothing has changed" not in said
