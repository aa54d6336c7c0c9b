"""Signing in, invitations, and the other links that mails carry."""

from __future__ import annotations

import pytest
from playing import NOON

from pbem.matches import accounts, acts, desk, invitations, outbox, sessions, tokens
from pbem.matches.deadlines import HOUR


def test_a_link_is_owed_by_mail_and_the_answer_is_the_same_for_everybody(nobody, house):
    accounts.open_account(house, "ann@example.org")

    known = nobody.post("/sign-in", address="ann@example.org")
    unknown = nobody.post("/sign-in", address="new@example.org")

    assert "is on its way" in known.text and known.text == unknown.text
    assert [owed.kind for owed in outbox.waiting(house)] == ["sign-in", "sign-in"]
    nobody.post("/sign-in", address="ann@example.org")
    assert len(outbox.waiting(house)) == 2  # asking again at once sends nothing more


def test_what_is_no_address_is_refused(nobody, house):
    assert nobody.post("/sign-in", address="ann").status_code == 422
    assert outbox.waiting(house) == []


def test_the_link_shows_a_button_and_the_button_signs_in_once(browsers, house):
    ann = accounts.open_account(house, "ann@example.org")
    token = tokens.make_sign_in(house, ann.id)
    first, second = browsers(), browsers()

    assert "Sign out" not in first.get(f"/sign-in/{token}").text
    assert first.post(f"/sign-in/{token}").status_code == 303
    assert "Sign out" in first.get("/").text
    assert second.post(f"/sign-in/{token}").status_code == 422
    assert "Sign out" not in second.get("/").text


def test_a_session_starts_anew_with_each_account(browsers, house):
    browser = browsers("ann")
    bob = accounts.open_account(house, "bob@example.org")
    before = browser.get("/").text

    browser.post(f"/sign-in/{tokens.make_sign_in(house, bob.id)}")
    with browser.client.session_transaction(base_url="https://localhost") as session:
        assert sessions.find(house, session["word"]).account == bob.id
        assert set(session) <= {"word", "_permanent", "csrf_token", "_flashes"}
    assert ">ann</a>" in before and ">ann</a>" not in browser.get("/").text


def test_signing_out_ends_the_session(browsers):
    ann = browsers("ann")
    assert ann.post("/sign-out").status_code == 303
    assert "Sign in" in ann.get("/").text


@pytest.mark.parametrize("path", ["sign-in", "invitations", "confirm", "stop"])
def test_a_code_that_does_not_count_tells_nothing(path, nobody, house, match):
    other = tokens.make(house, use="orders", match=match, number=2, seat="red", occupancy=1)

    answers = [nobody.get(f"/{path}/{word}") for word in ("x", "a" * 36, other)]

    assert {answer.status_code for answer in answers} == {422}
    assert all("does not count" in answer.text for answer in answers)


def test_an_invitation_is_shown_then_taken_and_signs_in(browsers, house):
    match = desk.new_match(house, "ambush", "tiny")
    token = invitations.invite(house, match, "red", "ann@example.org").token
    guest = browsers()

    assert "invited to play <strong>red</strong>" in guest.get(f"/invitations/{token}").text
    assert acts.read(house, match).occupants == {}
    assert guest.post(f"/invitations/{token}").location.endswith(f"/matches/{match}")
    assert "you are <strong>red</strong>" in guest.get(f"/matches/{match}").text
    assert "You have taken this seat" in guest.get(f"/invitations/{token}").text


def test_an_invitation_can_be_declined(browsers, house):
    match = desk.new_match(house, "ambush", "tiny")
    token = invitations.invite(house, match, "red", "ann@example.org").token
    guest = browsers()

    assert guest.post(f"/invitations/{token}/decline").status_code == 303
    assert "You have declined" in guest.get(f"/invitations/{token}").text
    assert guest.post(f"/invitations/{token}").status_code == 422


def test_one_press_stops_the_mails_without_a_session(nobody, house):
    """RFC 8058: mail programs send the form themselves, without a page and its token."""
    ann = accounts.open_account(house, "ann@example.org")
    token = tokens.make(house, use="stop", account=ann.id)

    assert "no more mails" in nobody.get(f"/stop/{token}").text
    assert not accounts.account(house, ann.id).muted
    assert nobody.client.post(f"/stop/{token}", base_url="https://localhost").status_code == 200
    assert accounts.account(house, ann.id).muted


def test_noon_is_the_clock_of_these_tests(house):
    """The day of a sign-in link is counted by the house's clock, which tests hold still."""
    assert tokens.read(house, tokens.make_sign_in(house, "aaaaaaaa")).number == NOON // HOUR + tokens.SIGN_IN_HOURS
