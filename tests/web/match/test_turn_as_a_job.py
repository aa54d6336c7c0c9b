"""§6 A turn is resolved in a job, never while a page is requested."""

from __future__ import annotations

import pytest

from pbem.matches.accounts import accounts
from pbem.matches.clock import tick
from pbem.matches.exchange import advancing, closing, creating, progress
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.web.pages.match import page


@pytest.fixture
def wanted(server, match, monkeypatch):
    """Return a list that collects the matches a job should advance; no job runs."""
    found: list[str] = []
    server.later = found.append
    monkeypatch.setattr(page, "PATIENCE", 0)
    monkeypatch.setattr(page.await_turn, "__defaults__", (0,))
    return found


def seal(browser, match, **more):
    return browser.post(f"/matches/{match}/orders", orders="", act="final", exchange=2, **more)


def test_the_last_final_closes_and_leaves_the_resolving_to_the_job(ann, bob, server, match, wanted):
    seal(ann, match)
    assert record_of(server, match).closing is None
    answer = seal(bob, match)
    assert answer.status_code == 303 and match in wanted
    assert record_of(server, match).closing is not None, "closed, and not resolved in the request"

    shown = bob.get(f"/matches/{match}").text
    assert "Your orders are sealed; the turn is being played." in shown and "data-playing" in shown
    assert bob.get(f"/matches/{match}/status.json").json["playing"] is True

    tick.work_round(server)
    shown = bob.get(f"/matches/{match}").text
    assert "is being played" not in shown and "turn 1" in shown.lower()
    assert bob.get(f"/matches/{match}/status.json").json["playing"] is False


def test_while_only_a_bot_is_to_answer_the_page_says_that_the_turn_is_being_played(ann, server, wanted):
    match = creating.new_match(server, "ambush", "tiny")
    server.later = None
    take_seat(server, match, "blue", accounts.open_bot(server, "ambush").id)
    take_seat(server, match, "red", accounts.by_address(server, "ann@example.org").id)
    server.later = wanted.append
    seal(ann, match)
    assert "the turn is being played" in ann.get(f"/matches/{match}").text


def test_a_match_that_has_just_been_filled_says_so_too(ann, bob, server, wanted):
    match = creating.new_match(server, "ambush", "tiny")
    ann.post(f"/matches/{match}/seats/red")
    assert "You have the seat Red." in ann.get(f"/matches/{match}").text
    bob.post(f"/matches/{match}/seats/blue")
    assert "The turn is being played" in bob.get(f"/matches/{match}").text
    tick.work_round(server)
    assert 'name="orders"' in bob.get(f"/matches/{match}").text


def test_the_api_answers_with_the_receipt_before_the_turn_is_played(ann, bob, server, match, wanted):
    seal(ann, match)
    seal(bob, match)
    assert ann.get(f"/api/v1/matches/{match}").json["status"]["state"] == "closing"


def test_progress_is_counted_in_open_dice_and_never_reaches_the_end_before_it(server, match, monkeypatch):
    for exchange in (2, 3):
        closing.close(server, match, exchange=exchange, why="deadline")
        if exchange == 2:
            advancing.advance(server, match)
    monkeypatch.setattr(progress, "EVERY", 0)
    record = record_of(server, match)
    seen = []
    with progress.publish_progress(server, match, record):
        for _ in range(50):
            server.watching.roll()
            seen.append(progress.progress_of(server, match))
    percents = [one.percent for one in seen if one is not None and one.percent is not None]
    assert percents == sorted(percents) and all(percent <= 95 for percent in percents)
    assert progress.progress_of(server, match) is None


def test_watched_dice_roll_what_the_others_roll(server, match):
    entry = record_of(server, match).resolved[0]
    rolled = []
    plain = server.dice(match, entry, "context", {})
    server.watching.roll = lambda: rolled.append(1)
    counted = server.dice(match, entry, "context", {})
    server.watching.roll = None
    for secret in (False, True):
        assert plain.roll(6, "1.1", ("a",), secret=secret) == counted.roll(6, "1.1", ("a",), secret=secret)
    assert len(rolled) == 1, "what is secret is not even counted"
