"""Buttons on the page can do everything that emails can in the talk between players, and reach the same readers."""

from __future__ import annotations

import pytest

from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.history.replay import record_of
from pbem.matches.players import press, standing_orders, substitutes
from pbem.matches.rulings import disputes


def say(browser, match, word, **more):
    return browser.post(f"/matches/{match}/words", word=word, **more)


def test_a_letter_reaches_its_reader_and_nobody_else(ann, bob, nobody, match):
    assert say(ann, match, "press", to="blue", text="Shall we meet at the well?").status_code == 303

    assert "Shall we meet at the well?" in ann.get(f"/matches/{match}").text
    assert "Shall we meet at the well?" in bob.get(f"/matches/{match}").text
    assert "Shall we meet" not in nobody.get(f"/matches/{match}").text


def test_a_letter_to_everybody_is_on_the_page_of_the_match(ann, nobody, match):
    say(ann, match, "press", to="public", text="<b>Good luck</b>")

    assert "&lt;b&gt;Good luck&lt;/b&gt;" in nobody.get(f"/matches/{match}").text


def test_what_is_refused_says_why_beside_the_other_words(ann, server, match):
    answer = say(ann, match, "press", to="yellow", text="Who is there?")

    assert answer.status_code == 422
    assert "no seat or person has that name" in answer.text
    assert press.letters(server, record_of(server, match), "red") == []


def test_more_time_is_asked_for_and_absences_are_told(ann, bob, server, new_match):
    match = new_match(server, cadence=24)
    before = views.status(server, match).deadline.at

    assert say(ann, match, "extend", number=12).status_code == 303
    assert views.status(server, match).deadline.at == before + 12 * 3_600_000
    assert say(ann, match, "absent", since="2027-02-01", until="2027-02-08").status_code == 303
    assert "Red is away from" in bob.get(f"/matches/{match}").text


def test_standing_orders_are_kept_and_shown_to_their_seat_alone(ann, bob, server, match):
    assert say(ann, match, "doctrine", text="ambush\ncard").status_code == 303

    assert standing_orders.doctrine_text(server, match, "red") == "ambush\ncard"
    assert ">ambush\ncard</textarea>" in ann.get(f"/matches/{match}").text
    assert ">ambush\ncard</textarea>" not in bob.get(f"/matches/{match}").text


def test_a_dispute_is_on_record_and_its_words_are_not_for_the_opponent(ann, bob, server, match):
    for browser in (ann, bob):
        browser.post(f"/matches/{match}/orders", orders="", act="final", exchange=2)
    say(ann, match, "dispute", place="1", text="b1 was never there")

    assert len(disputes.disputes(record_of(server, match))) == 1
    page = bob.get(f"/matches/{match}").text
    assert "Red disputes" in page and "b1 was never there" not in page


def test_a_draw_that_both_want_ends_the_match_and_opens_it(ann, bob, nobody, server, match):
    ann.post(f"/matches/{match}/orders", orders="r1 ambush", act="submit", exchange=2)
    say(ann, match, "draw")
    assert "Red offers a draw" in bob.get(f"/matches/{match}").text
    say(bob, match, "draw")

    assert record_of(server, match).ended
    page = nobody.get(f"/matches/{match}").text
    assert "A draw" in page and "as Red knew it" in page


def test_who_resigns_has_lost(ann, server, match):
    say(ann, match, "resign")

    assert record_of(server, match).ended.payload["outcome"]["winner"] == "blue"


@pytest.mark.parametrize("word", ["final", "cancel", "status", "shout"])
def test_other_words_are_not_for_this_form(word, ann, match):
    assert say(ann, match, word).status_code == 422


def test_only_occupants_speak(eve, nobody, server, match):
    before = record_of(server, match).version
    for stranger in (eve, nobody):
        assert say(stranger, match, "press", to="red", text="Hello").status_code == 403
    assert record_of(server, match).version == before


def test_who_stands_by_can_be_given_a_seat(ann, eve, server, match):
    assert eve.post(f"/matches/{match}/stand-by").status_code == 303
    assert "Substitutes: eve" in ann.get(f"/matches/{match}").text
    successor = accounts.by_address(server, "eve@example.org").id

    assert ann.post(f"/matches/{match}/hand-over", to="nobody").status_code == 422
    assert ann.post(f"/matches/{match}/hand-over", to=successor).status_code == 303
    assert record_of(server, match).occupants["red"]["account"] == successor
    assert "you are watching" in ann.get(f"/matches/{match}").text


def test_who_stands_by_can_change_his_mind(eve, server, match):
    for _ in range(2):
        eve.post(f"/matches/{match}/stand-by")

    assert substitutes.standing_by(record_of(server, match)) == []
