"""One match in a browser, as its occupants, other players and the public see it."""

from __future__ import annotations

import gzip
import json
import re

import msgspec
import pytest
from support import toy
from support.playing import NOON

from pbem.matches.accounts import accounts
from pbem.matches.exchange import creating, halting
from pbem.matches.exchange.seats import seats_of
from pbem.matches.history.export import read_export
from pbem.matches.history.receipts import Receipt
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.titles.registry import TITLES
from pbem.web import create_app


def send(browser, match, orders, act="submit", exchange=2, **more):
    return browser.post(f"/matches/{match}/orders", orders=orders, act=act, exchange=exchange, **more)


def test_an_occupant_finds_his_form_the_map_and_whom_the_match_waits_for(ann, match):
    page = ann.get(f"/matches/{match}").text

    assert "your seat: <strong>Red</strong>" in page
    assert "r1 hold" in page and 'name="orders"' in page
    assert "Waiting for <strong>Blue, Red</strong>" in page
    assert f'src="/matches/{match}/map.svg' in page
    assert "<li>r1 at [0, 2]" in page


def test_others_and_the_public_see_no_form_and_no_secrets(ann, eve, nobody, match):
    send(ann, match, "r1 ambush")

    for viewer in (eve, nobody):
        page = viewer.get(f"/matches/{match}").text
        assert 'name="orders"' not in page
        assert "r1 ambush" not in page
        assert "you are watching" in page


def test_a_match_that_does_not_exist_is_not_found(nobody):
    assert nobody.get("/matches/nosuch").status_code == 404


# Orders ------------------------------------------------------------------------------------------------------


def test_checking_seals_nothing(ann, server, match):
    answer = send(ann, match, "r1 ambush", act="check")

    assert answer.status_code == 200
    assert "These orders can be carried out" in answer.text
    assert "r1 ambush" in answer.text
    assert not record_of(server, match).sealed


def test_a_script_checks_while_orders_are_written_and_nothing_is_sealed(ann, server, match):
    before = record_of(server, match).version
    good = ann.post(f"/matches/{match}/check", orders="r1 ambush", exchange=2)
    bad = ann.post(f"/matches/{match}/check", orders="r1 go6\nr2 dance", exchange=2)

    assert good.json["refusals"] == [] and "ambush" in good.json["reading"]
    first, second = bad.json["refusals"]
    assert first["objections"] == [{"rule": "1.1", "why": "that leaves the map"}]
    assert second["kind"] == "unreadable" and "go3" in second["instead"]
    assert record_of(server, match).version == before


def test_a_refusal_keeps_the_text_and_names_every_mistake_with_its_rule(ann, server, match):
    answer = send(ann, match, "r1 go6\nr2 dance", act="submit")

    assert answer.status_code == 422
    assert "that leaves the map" in answer.text and '<span class="rule">1.1</span>' in answer.text
    assert "dance is no order" in answer.text and 'data-instead="go3"' in answer.text
    assert re.search(r"<textarea[^>]*>\s*r1 go6\nr2 dance</textarea>", answer.text)
    assert not record_of(server, match).sealed


@pytest.mark.parametrize("path", ["check", "submit", "final"])
def test_a_line_marked_as_quoted_email_is_refused_rather_than_dropped(path, ann, server, match):
    answer = send(ann, match, "> r1 ambush", act=path)
    assert "begins with &gt; is read as quoted email" in answer.text
    assert 'data-instead="r1 ambush"' in answer.text
    assert not record_of(server, match).sealed


def test_submitting_seals_and_shows_the_receipt(ann, server, match):
    answer = send(ann, match, "r1 ambush")

    assert answer.status_code == 303
    page = ann.get(answer.location).text
    record = record_of(server, match)
    assert record.sealed["red"].parts[0].commitment[:16] in page
    assert "red" not in record.final
    assert "Your orders are sealed." in page
    assert "Make the sealed orders final" in page


def test_final_orders_of_both_close_the_exchange_and_the_report_appears(ann, bob, match):
    send(ann, match, "r1 go3", act="final")
    assert "Waiting for <strong>Blue</strong>" in ann.get(f"/matches/{match}").text
    send(bob, match, "", act="final")

    page = ann.get(f"/matches/{match}").text
    assert "Full record" in page and f"/matches/{match}/reports/2" in page
    assert 'data-exchange="3"' in page  # the next form


def test_sealed_orders_can_be_made_final_or_withdrawn(ann, server, match):
    send(ann, match, "r1 ambush")
    assert ann.post(f"/matches/{match}/final", exchange=2).status_code == 303
    assert "red" in record_of(server, match).final
    assert ann.post(f"/matches/{match}/withdraw", exchange=2).status_code == 303
    assert "red" not in record_of(server, match).sealed


def test_a_late_order_is_refused_with_the_present_form(ann, bob, match):
    send(ann, match, "", act="final")
    send(bob, match, "", act="final")

    answer = send(ann, match, "r1 ambush", exchange=2)

    assert answer.status_code == 422
    assert "orders for exchange 2 are closed" in answer.text
    assert 'name="exchange" value="3"' in answer.text


@pytest.mark.parametrize("path", ["orders", "final", "withdraw", "invitations"])
def test_nobody_acts_for_a_seat_that_is_not_his(path, eve, nobody, server, match):
    before = len(record_of(server, match).events)
    for stranger in (eve, nobody):
        assert stranger.post(f"/matches/{match}/{path}", orders="r1 hold", exchange=2, seat="red").status_code == 403
    assert len(record_of(server, match).events) == before


def test_naming_the_other_seat_does_not_open_it(ann, bob, match):
    send(bob, match, "b1 ambush")

    page = ann.get(f"/matches/{match}?seat=blue").text

    assert "your seat: <strong>Red</strong>" in page
    assert "b1 ambush" not in page


def test_who_sits_in_two_seats_chooses_which_one_he_looks_from(browsers, server):
    match = creating.new_match(server, "ambush", "tiny")
    both = browsers("solo")
    for seat in ("red", "blue"):
        assert both.post(f"/matches/{match}/seats/{seat}").status_code == 303

    assert "b1 hold" in both.get(f"/matches/{match}?seat=blue").text
    send(both, match, "b1 ambush", seat="blue")
    assert list(record_of(server, match).sealed) == ["blue"]


# The map and the status --------------------------------------------------------------------------------------


def test_the_map_is_stored_and_named_by_the_hash_of_the_view(ann, match):
    first = ann.get(f"/matches/{match}/map.svg")

    assert first.mimetype == "image/svg+xml" and b"data-own" in first.data
    again = ann.get(f"/matches/{match}/map.svg", **{"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304 and not again.data


def test_the_map_is_packed_for_those_who_can_unpack(ann, match):
    plain = ann.get(f"/matches/{match}/map.svg")
    packed = ann.get(f"/matches/{match}/map.svg", **{"Accept-Encoding": "gzip"})

    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] != plain.headers["ETag"]
    assert "private" in packed.headers["Cache-Control"]


def test_what_others_seal_changes_neither_map_nor_its_name(ann, bob, match):
    before = ann.get(f"/matches/{match}/map.svg").headers["ETag"]
    send(bob, match, "b1 ambush")

    assert ann.get(f"/matches/{match}/map.svg").headers["ETag"] == before


def test_each_viewer_has_a_map_of_his_own(ann, bob, nobody, match):
    tags = {viewer.get(f"/matches/{match}/map.svg").headers["ETag"] for viewer in (ann, bob, nobody)}

    assert len(tags) == 3


def test_a_poll_that_finds_nothing_new_costs_a_header(ann, bob, match):
    first = ann.get(f"/matches/{match}/status.json")
    stand = json.loads(first.data)
    assert stand["waiting_for"] == ["blue", "red"] and stand["mine"]["sealed"] is False

    assert ann.get(f"/matches/{match}/status.json", **{"If-None-Match": first.headers["ETag"]}).status_code == 304
    send(bob, match, "b1 ambush")
    assert ann.get(f"/matches/{match}/status.json", **{"If-None-Match": first.headers["ETag"]}).status_code == 304
    send(bob, match, "b1 ambush", act="final")
    later = ann.get(f"/matches/{match}/status.json", **{"If-None-Match": first.headers["ETag"]})
    assert json.loads(later.data)["waiting_for"] == ["red"]


# Downloads ---------------------------------------------------------------------------------------------------


def test_receipts_are_shown_to_their_seat_alone_and_are_genuine(ann, bob, nobody, server, match):
    send(ann, match, "r1 ambush")
    send(ann, match, "r1 hold")
    commitment = record_of(server, match).sealed["red"].parts[0].commitment

    page = ann.get(f"/matches/{match}/receipts").text
    assert page.count("Commitment") == 2 and "r1 ambush" in page
    file = ann.get(f"/matches/{match}/receipts/{commitment}.json")
    assert msgspec.json.decode(file.data, type=Receipt).genuine()
    assert "attachment" in file.headers["Content-Disposition"]
    assert "Commitment" not in bob.get(f"/matches/{match}/receipts").text
    assert bob.get(f"/matches/{match}/receipts/{commitment}.json").status_code == 404
    assert nobody.get(f"/matches/{match}/receipts").status_code == 403
    assert nobody.get(f"/matches/{match}/receipts/{commitment}.json").status_code == 404


def test_an_export_holds_what_its_viewer_may_see(ann, nobody, match):
    send(ann, match, "r1 ambush")

    mine = read_export(ann.get(f"/matches/{match}/export").data)
    public = read_export(nobody.get(f"/matches/{match}/export").data)
    assert (mine.viewer, public.viewer) == ("red", "public")
    assert any(b"ambush" in part.content for part in mine.parts.values())
    assert not any(b"ambush" in part.content for part in public.parts.values())


def test_the_page_on_checking_says_what_it_does_not_prove(nobody, match):
    page = nobody.get(f"/matches/{match}/verify").text

    assert "pbem verify" in page
    assert "does not protect you from an operator who plays" in page


# Seats -------------------------------------------------------------------------------------------------------


def test_a_free_seat_is_taken_by_who_is_signed_in(browsers, server):
    match = creating.new_match(server, "ambush", "tiny")

    assert browsers().post(f"/matches/{match}/seats/red").location.endswith("/sign-in")
    assert browsers("ann").post(f"/matches/{match}/seats/red").status_code == 303
    assert seats_of(server, match, record_of(server, match).occupants["red"]["account"]) == ["red"]
    assert browsers("bob").post(f"/matches/{match}/seats/red").status_code == 422


def test_a_seat_that_is_offered_to_somebody_is_not_open_to_others(browsers, server):
    match = creating.new_match(server, "ambush", "tiny")
    ann, eve = browsers("ann"), browsers("eve")
    ann.post(f"/matches/{match}/seats/red")
    assert ann.post(f"/matches/{match}/invitations", to_seat="blue", address="bob@example.org").status_code == 303

    assert eve.post(f"/matches/{match}/seats/blue").status_code == 403
    assert "offered to a player" in eve.get(f"/matches/{match}").text


# A match that is over ----------------------------------------------------------------------------------------


@pytest.fixture
def ended(ann, bob, server, match):
    """Return a match in which blue waited in ambush until both sides agreed to a draw."""
    send(ann, match, "r1 go3", act="final")
    send(bob, match, "b1 ambush", act="final")
    send(bob, match, "b2 ambush", exchange=3)
    for browser in (ann, bob):
        browser.post(f"/matches/{match}/words", word="draw")
    assert record_of(server, match).ended
    return match


def test_a_match_that_is_over_is_open_to_everybody(ann, nobody, ended):
    for viewer in (ann, nobody):
        page = viewer.get(f"/matches/{ended}").text
        assert "<li>b1 at" in page and "ambush" in page
        assert "as Blue knew it" in page
        assert "<dt>unit</dt><dd>b1</dd>" in viewer.get(f"/matches/{ended}/reports/2").text


def test_it_shows_no_card_for_talk_when_nothing_can_be_said_any_more(ann, bob, match):
    send(ann, match, "r1 go3", act="final")
    assert 'id="talk"' in ann.get(f"/matches/{match}").text
    for browser in (ann, bob):
        browser.post(f"/matches/{match}/words", word="draw")
    assert 'id="talk"' not in ann.get(f"/matches/{match}").text


def test_it_can_be_seen_with_the_eyes_of_each_side_now_and_then(nobody, ended):
    address = f"/matches/{ended}/map.svg?after=1&as="
    maps = {eyes: nobody.get(address + eyes).data for eyes in ("red", "blue", "public")}

    assert len(set(maps.values())) == 3 and b"data-own" in maps["red"]
    page = nobody.get(f"/matches/{ended}/replay/1?as=red").text
    assert f'href="/matches/{ended}/replay/2?as=red"' in page
    assert 'aria-current="page">as Red knew it</a>' in page


@pytest.mark.parametrize("eyes", ["blue", "master", "public", "everything"])
def test_as_long_as_it_goes_on_nobody_borrows_eyes(eyes, ann, bob, match):
    send(bob, match, "b1 ambush")
    plain = ann.get(f"/matches/{match}/map.svg").data

    assert ann.get(f"/matches/{match}/map.svg?as={eyes}").data == plain
    assert "knew it" not in ann.get(f"/matches/{match}?as={eyes}").text
    assert read_export(ann.get(f"/matches/{match}/export?as={eyes}").data).viewer == "red"


def test_when_it_is_over_nothing_can_be_ordered_any_more(ann, ended):
    assert 'name="orders"' not in ann.get(f"/matches/{ended}").text
    assert send(ann, ended, "r1 hold", exchange=3).status_code == 422


def test_7_0_the_page_lists_the_rules_that_were_added_or_left_out(tmp_path, new_browser):
    """7.0: The page lists the rules that the scenario or the creator of the match added or left out."""
    server = open_server(tmp_path / "pbem.db", {"panzer": TITLES["panzer"]}, clock=lambda: NOON)
    options = {"rules": ["turrets"], "without": ["bail_out"]}
    match = creating.new_match(server, "panzer", "breach", name="Breach", options=options)
    page = new_browser(create_app(server)).get(f"/matches/{match}").text
    assert "7.31 Mines and minefields; 7.8 Turrets; without 5.15 Bailing out" in page
    server.close()


# A match that cannot go on -----------------------------------------------------------------------------------


def test_a_match_whose_past_cannot_be_played_again_holds_up_no_other_page(ann, bob, server, match, monkeypatch):
    """If a release no longer knows the rules of a match, that match is halted, and every other page works as
    before."""
    for browser, orders in ((ann, "r1 go3"), (bob, "b1 hold")):
        send(browser, match, orders, act="final")
    other = creating.new_match(server, "ambush", "small", name="Another one", cadence=24)
    monkeypatch.setattr(toy, "move", broken)
    server.positions.clear()
    server.database.execute("DELETE FROM snapshots")
    app = create_app(server)
    assert halting.shadow_replay(server, match) is not None

    me = accounts.by_address(server, "ann@example.org")
    ann, nobody = type(ann)(app, me), type(ann)(app)
    lobby = nobody.get("/").text
    assert "Ambush at noon" in lobby and "halted, all orders are safe" in lobby and "Another one" in lobby
    paths = (f"/players/{me.id}", f"/matches/{match}/feed.atom", f"/matches/{other}", "/api/v1/matches", "/health")
    for path in paths:
        assert nobody.get(path).status_code == 200, path
    assert ann.get("/calendar.ics").status_code == 200
    stopped = ann.get(f"/matches/{match}")
    assert stopped.status_code == 503 and "Orders and dice are safe" in stopped.text
    assert nobody.get(f"/api/v1/matches/{match}").json["advice"].startswith("Try again later")


def broken(*_):
    raise KeyError("a rule that is gone")
