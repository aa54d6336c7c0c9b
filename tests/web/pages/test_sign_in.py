"""Signing in, invitations, and the other links in emails."""

from __future__ import annotations

import pytest
from support.playing import NOON

from pbem.matches.accounts import accounts, sessions
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.exchange import creating
from pbem.matches.history.replay import record_of
from pbem.matches.players import invitations
from pbem.matches.post import outbox, reply_tokens


def test_a_link_is_owed_by_mail_and_the_answer_is_the_same_for_everybody(nobody, server):
    accounts.open_account(server, "ann@example.org")

    known = nobody.post("/sign-in", address="ann@example.org")
    unknown = nobody.post("/sign-in", address="new@example.org")

    assert "We have sent you an email" in known.text and known.text == unknown.text
    assert [owed.kind for owed in outbox.waiting(server)] == ["sign-in", "sign-in"]
    nobody.post("/sign-in", address="ann@example.org")
    assert len(outbox.waiting(server)) == 2  # asking again at once sends nothing more


def test_what_is_no_address_is_refused(nobody, server):
    assert nobody.post("/sign-in", address="ann").status_code == 422
    assert outbox.waiting(server) == []


def test_the_link_shows_a_button_and_the_button_signs_in_once(browsers, server):
    ann = accounts.open_account(server, "ann@example.org")
    token = reply_tokens.make_sign_in(server, ann.id)
    first, second = browsers(), browsers()

    assert "Sign out" not in first.get(f"/sign-in/{token}").text
    assert first.post(f"/sign-in/{token}").status_code == 303
    assert "Sign out" in first.get("/").text
    assert second.post(f"/sign-in/{token}").status_code == 422
    assert "Sign out" not in second.get("/").text


def test_a_session_starts_anew_with_each_account(browsers, server):
    browser = browsers("ann")
    bob = accounts.open_account(server, "bob@example.org")
    before = browser.get("/").text

    browser.post(f"/sign-in/{reply_tokens.make_sign_in(server, bob.id)}")
    with browser.client.session_transaction(base_url="https://localhost") as session:
        assert sessions.find(server, session["word"]).account == bob.id
        assert set(session) <= {"word", "_permanent", "csrf_token", "_flashes"}
    assert ">ann</a>" in before and ">ann</a>" not in browser.get("/").text


def test_signing_out_ends_the_session(browsers):
    ann = browsers("ann")
    assert ann.post("/sign-out").status_code == 303
    assert "Sign in" in ann.get("/").text


@pytest.mark.parametrize("path", ["sign-in", "invitations", "confirm", "stop"])
def test_a_code_that_does_not_count_tells_nothing(path, nobody, server, match):
    other = reply_tokens.make(server, use="orders", match=match, number=2, seat="red", occupancy=1)

    answers = [nobody.get(f"/{path}/{word}") for word in ("x", "a" * 36, other)]

    assert {answer.status_code for answer in answers} == {422}
    assert all("wrong or has expired" in answer.text for answer in answers)


def test_an_invitation_is_shown_then_taken_and_signs_in(browsers, server):
    match = creating.new_match(server, "ambush", "tiny")
    token = invitations.invite(server, match, "red", "ann@example.org").token
    guest = browsers()

    assert "invited to take the seat <strong>Red</strong>" in guest.get(f"/invitations/{token}").text
    assert record_of(server, match).occupants == {}
    assert guest.post(f"/invitations/{token}").location.endswith(f"/matches/{match}")
    assert "your seat: <strong>Red</strong>" in guest.get(f"/matches/{match}").text
    assert "You have taken this seat" in guest.get(f"/invitations/{token}").text


def test_an_invitation_can_be_declined(browsers, server):
    match = creating.new_match(server, "ambush", "tiny")
    token = invitations.invite(server, match, "red", "ann@example.org").token
    guest = browsers()

    assert guest.post(f"/invitations/{token}/decline").status_code == 303
    assert "You have declined" in guest.get(f"/invitations/{token}").text
    assert guest.post(f"/invitations/{token}").status_code == 422


def test_one_press_stops_the_mails_without_a_session(nobody, server):
    """One press stops the emails without a session, because mail programs send that form themselves (RFC 8058)."""
    ann = accounts.open_account(server, "ann@example.org")
    token = reply_tokens.make(server, use="stop", account=ann.id)

    assert "no more email" in nobody.get(f"/stop/{token}").text
    assert not accounts.account(server, ann.id).muted
    assert nobody.client.post(f"/stop/{token}", base_url="https://localhost").status_code == 200
    assert accounts.account(server, ann.id).muted


def test_noon_is_the_clock_of_these_tests(server):
    """A sign-in link lasts a day by the server's clock, which these tests stop at noon."""
    assert (
        reply_tokens.read(server, reply_tokens.make_sign_in(server, "aaaaaaaa")).number
        == NOON // HOUR + reply_tokens.SIGN_IN_HOURS
    )
