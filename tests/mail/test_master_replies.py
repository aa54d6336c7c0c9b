"""A game master works by email, over a real SMTP connection: more time, a pause, and decisions on disputes."""

from __future__ import annotations

import pytest
from support.postbox import ALICE, BOB, Post, text_of

from pbem.matches.accounts import accounts
from pbem.matches.audit.lines_of_play import disputed_sentences
from pbem.matches.clock.deadlines import HOUR, deadline_of
from pbem.matches.exchange import creating, seats
from pbem.matches.film.turns import film
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.rulings import disputes, panels, powers, precedents

MAX = "max@example.org"


@pytest.fixture
def match(post: Post) -> str:
    """Start a match between Alice and Bob, with Max as game master, and play its first turn."""
    return begun(post, "tiny", "ambush")


def begun(post: Post, scenario: str, orders: str) -> str:
    master = accounts.open_account(post.server, MAX, "Max").id
    found = creating.new_match(post.server, "ambush", scenario, cadence=48, master=master, timing={"extensions": 0})
    for seat, address in (("red", ALICE), ("blue", BOB)):
        seats.take_seat(post.server, found, seat, accounts.open_account(post.server, address).id)
    post.tick()
    for address, order in ((ALICE, f"r1 {orders}"), (BOB, "b1 ambush")):
        post.reply(address, f"{order}\nfinal")
        post.tick()
    assert record_of(post.server, found).open_exchange == 3
    return found


def record(post: Post, match: str) -> Record:
    return record_of(post.server, match)


def deadline(post: Post, match: str) -> int:
    found = deadline_of(record(post, match))
    assert found is not None
    return found.at


def test_a_request_for_more_time_is_granted_by_reply(post: Post, match: str) -> None:
    before = deadline(post, match)
    post.reply(ALICE, "extend 12 hours")
    post.tick()
    assert 'reply with the line "grant"' in text_of(post.last(MAX))
    post.reply(MAX, "Grant.")
    post.tick()
    assert deadline(post, match) == before + 12 * HOUR
    assert "All players have 12 more hours." in text_of(post.last(MAX))


def test_the_clock_is_extended_stopped_and_started_by_reply(post: Post, match: str) -> None:
    post.reply(ALICE, "extend 12 hours")
    post.tick()
    before = deadline(post, match)
    post.reply(MAX, "extend 24 hours")
    post.tick()
    assert deadline(post, match) == before + 24 * HOUR
    post.reply(MAX, "pause 3 days")
    post.tick()
    assert powers.current_pause(record(post, match), post.now) is not None
    post.reply(MAX, "go on")
    post.tick()
    assert powers.current_pause(record(post, match), post.now) is None


def test_a_dispute_goes_from_a_mail_to_a_precedent_by_mail(post: Post, match: str) -> None:
    post.reply(ALICE, "dispute 1.0.1 (rule 4.2): b1 could not see r1")
    post.tick()
    assert "b1 could not see r1" in text_of(post.last(MAX))
    assert "statement 1:" in text_of(post.last(BOB))
    post.reply(BOB, "statement 1: it was adjacent")
    post.tick()
    assert "it was adjacent" in text_of(post.last(MAX))
    post.reply(MAX, "rule 1: dismissed: adjacent units always see each other.\n\nMax")
    post.tick()
    [found] = disputes.disputes(record(post, match))
    assert (found.verdict, found.answer) == ("dismissed", "adjacent units always see each other.")
    assert "dismissed" in text_of(post.last(ALICE))
    assert [one.rule for one in precedents.search(post.server)] == ["4.2"]


def test_the_scene_that_an_email_prints_is_the_one_that_a_reply_disputes(post: Post) -> None:
    match = begun(post, "small", "go3")
    report = next(mail for mail in reversed(post.of(ALICE)) if "turn 1" in str(mail["Subject"]))
    [line] = [line for line in text_of(report).splitlines() if line.startswith("  1.1 ")]
    shown = film(post.server, match, "red", 1)
    assert shown is not None and line.split(maxsplit=1)[1].startswith(str(shown.scenes[0].say)[:20])
    post.reply(ALICE, "dispute 1.1: r1 could not move")
    post.tick()
    [found] = disputes.disputes(record(post, match))
    told = disputed_sentences(post.server, match, found)
    record_of_turn = next(
        part.get_content() for part in report.iter_attachments() if part.get_filename() == "record-turn-1.txt"
    )
    assert told and all(f"[{one.place}]" in record_of_turn and str(one.body) in record_of_turn for one in told)
    text = text_of(post.last(MAX))
    assert "Red disputes scene 1.1:" in text and all(f"[{one.place}]" in text for one in told)
    assert "Red disputes scene 1.1" in text_of(post.last(BOB)) and "your report may number" in text_of(post.last(BOB))


def test_an_answer_of_another_address_changes_nothing(post: Post, match: str) -> None:
    post.reply(ALICE, "dispute 1: wrong")
    post.tick()
    mail = post.last(MAX)
    post.send(post.write(str(mail["Reply-To"]), "answer 1: no", BOB))
    post.tick()
    assert disputes.disputes(record(post, match))[0].answer == ""
    assert "Write from your own address" in text_of(post.last(MAX))


def test_what_is_not_a_request_is_refused_with_examples(post: Post, match: str) -> None:
    post.reply(ALICE, "dispute 1: wrong")
    post.tick()
    post.reply(MAX, "do something")
    post.tick()
    assert "this is not a request that the server understands" in text_of(post.last(MAX))
    post.reply(MAX, "rule 1: maybe")
    post.tick()
    assert "begin with `dismissed` or `upheld`" in text_of(post.last(MAX))


def test_the_game_master_is_told_of_the_end(post: Post, match: str) -> None:
    post.reply(ALICE, "resign")
    post.tick()
    assert "the match is over" in str(post.last(MAX)["Subject"])
    assert "The winner is Blue. Reason: Red has resigned." in text_of(post.last(MAX))


def test_the_game_master_is_told_of_a_missed_deadline_though_the_match_goes_on(post: Post, match: str) -> None:
    post.reply(ALICE, "r1 ambush")
    post.tick()
    post.tick(hours=49)
    assert any("Blue missed the deadline" in str(mail["Subject"]) for mail in post.of(MAX))


# Panels ------------------------------------------------------------------------------------------------------

JUDGES = ("pat@example.org", "per@example.org", "pia@example.org")


@pytest.fixture
def panel(post: Post, match: str) -> list[str]:
    """Appoint three judges for the first dispute; each of them receives an email about it."""
    post.reply(ALICE, "dispute 1.0.1 (rule 4.2): b1 could not see r1")
    post.tick()
    members = [accounts.open_account(post.server, address).id for address in JUDGES]
    panels.name(post.server, match, 1, members, by=record(post, match).created.master)
    post.tick()
    return members


def test_judges_vote_by_reply_and_all_are_told_when_the_majority_is_in(
    post: Post, match: str, panel: list[str]
) -> None:
    first = text_of(post.last(JUDGES[0]))
    assert "b1 could not see r1" in first and "one of the 3 members" in first and "rule 1: upheld: why" in first
    post.reply(JUDGES[0], "Rule 1: upheld: there are woods between them.\n\nPat")
    post.tick()
    assert "has been counted. You will get an email" in text_of(post.last(JUDGES[0]))
    post.reply(JUDGES[1], "rule 1: dismissed: they were adjacent")
    post.tick()
    assert disputes.disputes(record(post, match))[0].answer == ""
    post.reply(JUDGES[2], "rule 1: upheld: I agree with Pat")
    post.tick()
    [found] = disputes.disputes(record(post, match))
    assert found.verdict == "upheld" and "2 of 3 votes" in found.answer
    for address in (ALICE, BOB, MAX, *JUDGES[:2]):
        assert "The panel has decided: upheld" in text_of(post.last(address)), address
    assert "appeal 1:" in text_of(post.last(BOB)) and "appeal 1:" not in text_of(post.last(JUDGES[0]))


def test_a_vote_by_mail_is_refused_where_the_page_would_refuse_it(post: Post, match: str, panel: list[str]) -> None:
    mail = post.last(JUDGES[0])
    for text, why in (
        ("answer 1: no", "write your vote on one line"),
        ("rule 2: upheld: x", "write your vote on one line"),
        ("rule 1: maybe", "begin with `dismissed` or `upheld`"),
    ):
        post.send(post.write(str(mail["Reply-To"]), text, JUDGES[0]))
        post.tick()
        assert why in text_of(post.last(JUDGES[0])), text
    post.send(post.write(str(mail["Reply-To"]), "rule 1: upheld: x", JUDGES[1]))
    post.tick()
    assert "Write from your own address" in text_of(post.last(JUDGES[0]))
    for text in ("rule 1: upheld: x", "rule 1: dismissed: y"):
        post.send(post.write(str(mail["Reply-To"]), text, JUDGES[0]))
        post.tick()
    assert "already voted" in text_of(post.last(JUDGES[0]))
    assert disputes.disputes(record(post, match))[0].votes == ((panel[0], "upheld"),)


def test_a_code_of_a_former_panel_no_longer_votes(post: Post, match: str, panel: list[str]) -> None:
    mail = post.last(JUDGES[0])
    other = accounts.open_account(post.server, "pol@example.org").id
    panels.name(post.server, match, 1, [other], by=record(post, match).created.master)
    post.tick()
    post.send(post.write(str(mail["Reply-To"]), "rule 1: upheld: x", JUDGES[0]))
    post.tick()
    assert disputes.disputes(record(post, match))[0].votes == ()
    assert "You are the judge on this dispute" in text_of(post.last("pol@example.org"))
