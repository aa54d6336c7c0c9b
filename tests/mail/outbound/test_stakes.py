"""§10, §11 Emails say what is at stake, according to the settings of the match."""

from __future__ import annotations

from pathlib import Path

import pytest
from icalendar import Calendar
from support.postbox import ALICE, BOB, Post, text_of

from pbem.matches.accounts import accounts
from pbem.matches.clock import stakes
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.players import invitations


@pytest.fixture
def fresh(tmp_path: Path):
    post = Post(tmp_path)
    yield post
    post.server.close()


def begin(post: Post, **timing) -> str:
    match = creating.new_match(post.server, "ambush", "tiny", name="The Pass", cadence=48, timing=timing)
    for seat, address in (("red", ALICE), ("blue", BOB)):
        take_seat(post.server, match, seat, accounts.open_account(post.server, address).id)
    post.tick()
    return match


def flat(message) -> str:
    return " ".join(text_of(message).split())


@pytest.mark.parametrize(
    ("timing", "words"),
    [
        ({}, "your standing orders answer for you; where they say nothing, the rules' defaults apply."),
        ({"missed": "default"}, "If you send nothing by then, the rules' defaults answer for you."),
        ({"missed": "wait"}, "the match waits for you."),
        ({"missed": "forfeit"}, "If you send nothing by then, you forfeit the match."),
        ({"missed": "forfeit", "patience": 2}, "after the next missed deadline, you forfeit the match."),
        ({"missed": "substitute", "patience": 3}, "after 2 more missed deadlines in a row, your seat goes"),
    ],
)
def test_a_reminder_says_what_this_match_has_agreed_on(fresh: Post, timing, words):
    begin(fresh, **timing)
    fresh.tick(hours=40)
    reminder = fresh.last(ALICE)
    assert "are due" in reminder["Subject"] and words in flat(reminder)


def test_the_stakes_rise_with_every_deadline_missed(fresh: Post):
    match = begin(fresh, missed="forfeit", patience=2)
    fresh.tick(hours=49)
    assert str(stakes.sentence(record_of(fresh.server, match), "red")).endswith("you forfeit the match.")
    assert "you forfeit the match" in flat(fresh.last(ALICE))


def test_opponent_and_game_master_learn_of_a_missed_deadline(fresh: Post):
    master = accounts.open_account(fresh.server, "master@example.org")
    match = creating.new_match(
        fresh.server, "ambush", "tiny", name="The Pass", cadence=48, timing={"grace": 6}, master=master.id
    )
    for seat, address in (("red", ALICE), ("blue", BOB)):
        take_seat(fresh.server, match, seat, accounts.open_account(fresh.server, address).id)
    alice = accounts.by_address(fresh.server, ALICE)
    submitting.submit(fresh.server, match, "red", 2, "r1 hold", by=alice.id, final=False, source="web")
    fresh.tick(hours=49)
    for address in (ALICE, "master@example.org"):
        told = fresh.last(address)
        assert told["Subject"] == "The Pass: Blue missed the deadline"
        assert "without orders from Blue" in flat(told) and "You do not need to do anything." in flat(told)
        assert "If Blue sends nothing by then, the standing orders of Blue answer" in flat(told)
    assert any("You can still send orders until" in flat(mail) for mail in fresh.of(BOB))


def test_status_shows_what_is_sealed_and_no_blank_form_that_would_wipe_it(post: Post):
    post.begin()
    form = post.last(ALICE)
    post.reply(ALICE, "r1 go2\nr2 hold")
    post.tick()
    post.send(post.write(form["Reply-To"], "status", ALICE))
    post.tick()
    said = text_of(post.last(ALICE))
    assert "    r1 go2\n    r2 hold" in said and "You have sealed these orders" in said
    assert said.count("    r1 ") == 1, "the blank form is not beside it"


def test_an_invitation_names_who_invites_the_game_and_the_stakes(fresh: Post):
    match = creating.new_match(
        fresh.server, "ambush", "tiny", name="The Pass", cadence=48, timing={"missed": "forfeit", "patience": 2}
    )
    alice = accounts.open_account(fresh.server, ALICE, "Alice of York")
    invitations.invite(fresh.server, match, "blue", BOB, by=alice.id)
    fresh.tick()
    said = flat(fresh.last(BOB))
    assert "Alice of York invites you to play The Pass" in said and "The game: Ambush, Tiny" in said
    assert "If a player sends nothing 2 times in a row, they forfeit the match." in said


def test_the_entry_for_the_calendar_rings_and_a_moved_deadline_replaces_it(fresh: Post):
    match = begin(fresh)
    first = entry(fresh.last(ALICE))
    assert first["sequence"] == 0 and [one.name for one in first.subcomponents] == ["VALARM"]
    alice = accounts.by_address(fresh.server, ALICE)
    submitting.take(fresh.server, match, "red", 2, "extend 10 hours", by=alice.id, source="web")
    fresh.tick(hours=46)
    later = entry(fresh.last(ALICE))
    assert later["uid"] == first["uid"] and later["sequence"] == 1


def entry(message):
    [attached] = [part for part in message.walk() if part.get_content_type() == "text/calendar"]
    [found] = Calendar.from_ical(attached.get_payload(decode=True)).subcomponents
    return found


def test_no_mail_needs_a_host_that_takes_eight_bits(fresh: Post):
    accounts.open_account(fresh.server, ALICE, "Ålice Ж")
    begin(fresh)
    assert all(message.as_bytes().isascii() for message in fresh.sent)
