"""The account pages: addresses, preferences, password, sessions, all stored data, and deletion."""

from __future__ import annotations

import json
import re

import pytest
from argon2 import PasswordHasher
from support.hosts.engines import everything_in
from support.playing import NOON

from eventstore import Erased
from pbem.mail.outbound import compose as outbound
from pbem.mail.settings import Settings
from pbem.matches.accounts import accounts, api_tokens, preferences, privacy, sessions
from pbem.matches.accounts.preferences import Profile
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import leave_seat, take_seat
from pbem.matches.history.replay import record_of, stream_of
from pbem.matches.players import invitations
from pbem.matches.post import outbox, reply_tokens

GOOD = "four words in a row"


@pytest.fixture(autouse=True)
def cheap_hashes(monkeypatch):
    """Use fast password hashes, because real ones are slow on purpose."""
    monkeypatch.setattr(preferences, "HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


@pytest.fixture
def me(server, ann):
    return accounts.by_address(server, "ann@example.org")


def test_the_page_is_for_its_owner_alone(ann, nobody):
    assert "ann@example.org" in ann.get("/account").text
    assert nobody.get("/account").location.endswith("/sign-in")


def test_a_name_is_changed_for_everybody_to_see(ann, bob, match):
    ann.post("/account/name", name="Colonel Ann")

    assert "Colonel Ann" in bob.get(f"/matches/{match}").text


def test_preferences_are_kept_and_the_zone_is_used(ann, server, me):
    answer = ann.post("/account/preferences", zone="Europe/Berlin", language="de", mails="mine")

    assert answer.status_code == 303
    assert preferences.profile(server, me.id) == Profile("Europe/Berlin", "de", "mine")
    page = ann.get("/account").text
    assert 'data-zone="Europe/Berlin" data-language="de"' in page and " CET" in page


@pytest.mark.parametrize("wrong", [{"zone": "Moon/Crater"}, {"language": "tlh"}, {"mails": "hourly"}])
def test_a_preference_that_there_is_not_is_refused(wrong, ann, server, me):
    said = {"zone": "UTC", "language": "en", "mails": "turn", **wrong}

    assert ann.post("/account/preferences", **said).status_code == 422
    assert preferences.profile(server, me.id) == Profile()


def test_no_mails_at_all_is_a_preference_too(ann, server, me):
    said = {"zone": "UTC", "language": "en"}

    ann.post("/account/preferences", mails="none", **said)
    assert accounts.account(server, me.id).muted
    ann.post("/account/preferences", mails="turn", **said)
    assert not accounts.account(server, me.id).muted


# Kinds of email ----------------------------------------------------------------------------------------------


def reports_to(server, account):
    return [owed for owed in outbox.of_account(server, account.id) if owed.kind in ("orders", "report")]


def test_who_wants_only_what_is_asked_of_him_gets_no_mail_about_the_rest(ann, bob, server, me, match):
    preferences.set_profile(server, me.id, Profile(mails="mine"))
    for browser in (ann, bob):
        browser.post(f"/matches/{match}/orders", orders="", act="final", exchange=2)

    first, asked = reports_to(server, me)
    assert outbound.compose(server, Settings(), asked) is not None  # the next orders are wanted
    for browser in (ann, bob):
        browser.post(f"/matches/{match}/orders", orders="", act="final", exchange=3)
    assert outbound.compose(server, Settings(), asked) is None  # overtaken: it no longer asks her for anything
    assert first.kind == "orders"


def test_who_wants_one_mail_a_day_gets_one_in_the_evening_of_his_zone(server, me, match):
    preferences.set_profile(server, me.id, Profile(zone="America/New_York", mails="digest"))
    (owed,) = reports_to(server, me)

    assert outbound.compose(server, Settings(), owed) is None
    assert outbound.compose(server, Settings(), owed) is None
    (digest,) = [other for other in outbox.of_account(server, me.id) if other.kind == "digest"]
    assert NOON < digest.queued_at <= NOON + 24 * HOUR
    text = outbound.compose(server, Settings(), digest).get_body(("plain",)).get_content()
    assert "Ambush at noon, Red: turn 1, your orders are due" in text


# Addresses ---------------------------------------------------------------------------------------------------


def confirmation(server, me) -> tuple[str, str]:
    """Return the recipient of the confirmation email, and the token in its link."""
    owed = [owed for owed in outbox.of_account(server, me.id) if owed.kind == "address"][-1]
    mail = outbound.compose(server, Settings(), owed)
    return mail["To"], re.search(r"/addresses/([a-z2-7]{36})", mail.get_body(("plain",)).get_content())[1]


def test_an_address_counts_once_its_reader_has_confirmed_it(ann, nobody, server, me):
    ann.post("/account/addresses", address="Ann@Work.example")
    to, token = confirmation(server, me)

    assert to == "ann@work.example" and accounts.by_address(server, "ann@work.example") is None
    assert "Yes, it is mine" in nobody.get(f"/addresses/{token}").text
    assert accounts.by_address(server, "ann@work.example") is None  # a program that follows links confirms nothing
    nobody.post(f"/addresses/{token}")
    assert accounts.by_address(server, "ann@work.example").id == me.id


def test_the_address_of_another_gets_the_same_answer_and_stays_with_him(ann, bob, server, me):
    mine, others = (ann.post("/account/addresses", address=to) for to in ("x@example.org", "bob@example.org"))

    assert (mine.status_code, mine.location) == (others.status_code, others.location)
    _, token = confirmation(server, me)
    assert bob.post(f"/addresses/{token}").status_code == 422
    assert accounts.by_address(server, "bob@example.org").id != me.id


def test_addresses_are_preferred_and_removed_but_never_the_last(ann, server, me):
    accounts.add_address(server, me.id, "second@example.org")

    ann.post("/account/addresses/first", address="second@example.org")
    assert accounts.account(server, me.id).addresses == ("second@example.org", "ann@example.org")
    ann.post("/account/addresses/remove", address="ann@example.org")
    assert accounts.account(server, me.id).addresses == ("second@example.org",)
    assert ann.post("/account/addresses/remove", address="second@example.org").status_code == 422
    assert ann.post("/account/addresses/remove", address="bob@example.org").status_code == 422


def test_a_removed_address_is_erased_everywhere_in_the_account(ann, server, me):
    accounts.add_address(server, me.id, "second@example.org")
    ann.post("/account/addresses/first", address="second@example.org")
    ann.post("/account/addresses/remove", address="second@example.org")

    assert "second@example.org" not in json.dumps(privacy.own_data(server, me.id))
    assert server.store.verify(accounts.stream_of(me.id)) is None


# The password ------------------------------------------------------------------------------------------------


def test_a_password_signs_in_and_can_be_taken_away(ann, browsers, server, me):
    guest = browsers()
    sign_in = {"address": "ann@example.org", "password": GOOD}
    assert guest.post("/sign-in/password", **sign_in).status_code == 422

    assert ann.post("/account/password", password=GOOD).status_code == 303
    assert guest.post("/sign-in/password", **sign_in).status_code == 303
    assert "ann" in guest.get("/account").text
    ann.post("/account/password/remove")
    assert browsers().post("/sign-in/password", **sign_in).status_code == 422


@pytest.mark.parametrize("weak", ["short", "ann@example.org", "x" * 201])
def test_a_weak_password_is_refused(weak, ann, server, me):
    assert ann.post("/account/password", password=weak).status_code == 422
    assert not preferences.has_password(server, me.id)


def test_a_new_password_ends_the_other_sessions_and_erases_the_old_hash(ann, browsers, server, me):
    other = browsers("ann")
    ann.post("/account/password", password=GOOD)
    (old,) = [e.parts[0].commitment for e in server.store.read(f"account/{me.id}") if e.type == "password.set"]

    ann.post("/account/password", password=GOOD + "!")

    assert other.get("/account").location.endswith("/sign-in")
    assert ann.get("/account").status_code == 200
    with pytest.raises(Erased):
        server.store.part(old)


def test_an_unknown_address_costs_as_much_as_a_wrong_password(nobody, server, ann, monkeypatch):
    """An unknown address gets the same answer as a wrong password, after comparing as many hashes."""
    ann.post("/account/password", password=GOOD)
    compared = []
    hasher = preferences.HASHER

    class Counting:
        def hash(self, password):
            return hasher.hash(password)

        def verify(self, hash, password):
            compared.append(hash)
            return hasher.verify(hash, password)

    monkeypatch.setattr(preferences, "HASHER", Counting())
    unknown, wrong, none = (
        nobody.post("/sign-in/password", address=address, password="no such password")
        for address in ("nobody@example.org", "ann@example.org", "bob@example.org")
    )

    assert {answer.status_code for answer in (unknown, wrong, none)} == {422}
    token = re.compile(r'name="csrf_token" value="[^"]+"')  # it is signed with the time
    assert len({token.sub("", answer.text) for answer in (unknown, wrong, none)}) == 1
    assert len(compared) == 3


def test_asking_for_a_link_leaves_as_many_events_for_every_address(nobody, server, ann):
    """Asking for a link causes one event, one email and the same page, whether or not the address is known.

    So nobody can find out who has an account.
    """
    seen = []
    for address in ("ann@example.org", "unknown@example.org"):
        before = sum(1 for _ in server.store.read_all()), len(outbox.waiting(server))
        text = nobody.post("/sign-in", address=address).text
        after = sum(1 for _ in server.store.read_all()), len(outbox.waiting(server))
        seen.append((text, after[0] - before[0], after[1] - before[1]))

    assert seen[0] == seen[1] and seen[0][1:] == (1, 1)


# Sessions ----------------------------------------------------------------------------------------------------


def test_sessions_are_listed_and_ended(ann, browsers, server, me):
    other, third = browsers("ann"), browsers("ann")
    ids = [session.id for session in sessions.of_account(server, me.id)]
    assert len(ids) == 3 and ann.get("/account").text.count("a browser of these tests") >= 3

    with other.client.session_transaction(base_url="https://localhost") as kept:
        mine = sessions.find(server, kept["word"]).id
    ann.post("/account/sessions/end", id=mine)
    assert other.get("/account").location.endswith("/sign-in")
    assert third.get("/account").status_code == 200
    ann.post("/account/sessions/end")
    assert third.get("/account").location.endswith("/sign-in")
    assert ann.get("/account").status_code == 200


def test_nobody_ends_the_session_of_another(ann, bob, server, me):
    (mine,) = sessions.of_account(server, me.id)

    assert bob.post("/account/sessions/end", id=mine.id).status_code == 404
    assert ann.get("/account").status_code == 200


def test_signing_out_ends_the_session_for_a_stolen_cookie_too(ann, new_browser, app):
    cookie = ann.client.get_cookie("__Host-pbem").value
    ann.post("/sign-out")

    thief = new_browser(app)
    thief.client.set_cookie("__Host-pbem", cookie, secure=True)
    assert thief.get("/account").location.endswith("/sign-in")


def test_the_database_does_not_know_the_word_of_a_session(ann, server):
    with ann.client.session_transaction(base_url="https://localhost") as kept:
        word = kept["word"]

    rows = server.database.execute("SELECT * FROM sessions").fetchall()
    assert rows and word not in repr(rows)


# Tokens for programs -----------------------------------------------------------------------------------------


def test_a_token_is_shown_once_and_works_until_it_is_revoked(ann, nobody, server, me):
    page = ann.post("/account/tokens", name="my script", scopes=["read", "calendar"], days=30).text
    word = re.search(r"<pre class=.break.>(pbem_\w+)</pre>", page)[1]

    assert word not in ann.get("/account").text
    bearer = {"Authorization": f"Bearer {word}"}
    assert nobody.get("/api/v1/account", **bearer).status_code == 200
    assert nobody.get(f"/calendar/{word}.ics").status_code == 200
    (token,) = api_tokens.of_account(server, me.id)
    ann.post("/account/tokens/revoke", id=token.id)
    assert nobody.get("/api/v1/account", **bearer).status_code == 401


def test_a_token_without_a_purpose_is_refused_and_those_of_others_stay(ann, bob, server, me):
    assert ann.post("/account/tokens", name="nothing").status_code == 422
    ann.post("/account/tokens", scopes=["read"])
    (token,) = api_tokens.of_account(server, me.id)

    assert bob.post("/account/tokens/revoke", id=token.id).status_code == 422
    assert len(api_tokens.of_account(server, me.id)) == 1


# All that is kept, and its end -------------------------------------------------------------------------------


def test_everything_that_is_kept_can_be_taken_along(ann, server, me, match):
    ann.post(f"/matches/{match}/orders", orders="r1 ambush", exchange=2, act="submit")
    ann.post("/account/password", password=GOOD)

    file = ann.get("/account/export.json")

    assert "attachment" in file.headers["Content-Disposition"]
    kept = json.loads(file.data)
    assert kept["account"]["addresses"] == ["ann@example.org"]
    (seat,) = kept["seats"]
    assert (seat["match"], seat["seat"]) == (match, "red") and seat["orders"][0]["text"] == "r1 ambush"
    assert [event["type"] for event in kept["events"]] == ["account.opened", "password.set"]
    assert "argon2" not in file.text  # a hash helps nobody but a thief


def test_the_orders_of_an_opponent_and_of_a_successor_are_not_among_it(ann, bob, eve, server, me, match):
    bob.post(f"/matches/{match}/orders", orders="b1 ambush", exchange=2, act="submit")
    leave_seat(server, match, "red", "tired")
    take_seat(server, match, "red", accounts.by_address(server, "eve@example.org").id)
    eve.post(f"/matches/{match}/orders", orders="r2 ambush", exchange=2, act="submit")

    text = ann.get("/account/export.json").text
    assert "b1 ambush" not in text and "r2 ambush" not in text


def test_a_deleted_account_is_erased_and_every_chain_still_holds(ann, bob, server, me, match):
    """Deleting an account erases its parts; events and their hashes stay, so every chain remains valid."""
    preferences.set_profile(server, me.id, Profile(zone="Europe/Berlin"))
    ann.post("/account/password", password=GOOD)
    invited = creating.new_match(server, "ambush", "tiny")
    token = invitations.invite(server, invited, "blue", "ann@example.org").token
    ann.post(f"/matches/{match}/orders", orders="r1 ambush", exchange=2, act="submit")

    assert ann.post("/account/delete", name="somebody else").status_code == 422
    assert ann.post("/account/delete", name="ann").status_code == 303

    assert ann.get("/account").location.endswith("/sign-in")
    assert accounts.by_address(server, "ann@example.org") is None
    assert accounts.account(server, me.id).name == me.id
    assert record_of(server, match).occupants.keys() == {"blue"}
    assert bob.get(f"/invitations/{token}").status_code == 422
    for stream in (accounts.stream_of(me.id), stream_of(match), stream_of(invited)):
        assert server.store.verify(stream) is None
    left = privacy.own_data(server, me.id)
    assert left["preferences"] == {"zone": "UTC", "language": "en", "mails": "turn"} and not left["password"]
    assert all(not event["parts"] for event in left["events"])
    assert b"ann@example.org" not in everything_in(server)


def test_whoever_was_deleted_can_come_back_as_somebody_new(ann, server, me, nobody):
    ann.post("/account/delete", name="ann")
    nobody.post("/sign-in", address="ann@example.org")

    new = accounts.by_address(server, "ann@example.org")
    assert new.id != me.id
    assert reply_tokens.sign_in(server, reply_tokens.make_sign_in(server, new.id)) == new.id
