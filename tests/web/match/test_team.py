"""Several seats on a side: on the match page, in messages within the side, in the lobby and when creating a match."""

from __future__ import annotations

import pytest
from support.playing import NOON
from support.relay import RelayTitle
from web.conftest import Browser

from pbem.matches.accounts import accounts
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import load, record_of
from pbem.matches.installation import open_server
from pbem.matches.players import press
from pbem.titles.nato.title import Nato
from pbem.web import create_app

TEAM = {"north-1": "ann", "north-2": "bob", "south-1": "cas", "south-2": "dee"}


@pytest.fixture(scope="module")
def table(folders):
    """Return a match of two against two, in which north-1 has sealed orders."""
    server = open_server(folders() / "team.db", {"relay": RelayTitle(), "nato": Nato()}, clock=lambda: NOON)
    match = creating.new_match(server, "relay", "teams", name="Two against two")
    for seat, who in TEAM.items():
        take_seat(server, match, seat, accounts.open_account(server, f"{who}@example.org", who.title()).id)
    ann = accounts.by_address(server, "ann@example.org").id
    ask = load(server, match).run.ask_of("north-1")
    text = load(server, match).rules.form(load(server, match).run.view("north-1"), ask)
    submitting.submit(server, match, "north-1", 2, f"{text}\n# rosebud", by=ann, final=False, source="web")
    app = create_app(server)
    people = {who: Browser(app, accounts.by_address(server, f"{who}@example.org")) for who in TEAM.values()}
    return server, match, people


def test_the_page_shows_the_sealed_orders_of_ones_own_side_and_no_others(table):
    _, match, people = table
    page = people["bob"].get(f"/matches/{match}").text
    assert "Your side" in page and "rosebud" in page and '<option value="side">my side: North 1</option>' in page
    assert "rosebud" not in people["cas"].get(f"/matches/{match}").text


def test_a_letter_to_the_side_reaches_the_side_alone(table):
    server, match, people = table
    people["cas"].post(f"/matches/{match}/words", word="press", to="side", text="we hold the ford")
    record = record_of(server, match)
    assert [letter.text for letter in press.letters(server, record, "south-2")] == ["we hold the ford"]
    assert press.letters(server, record, "north-1") == []
    assert press.addressees(server, record, "south-1", ["side"]) == ["south-2"]


def test_the_lobby_lists_each_free_seat_of_a_side(table):
    server, _, people = table
    match = creating.new_match(server, "relay", "teams", name="Wanted: four")
    take_seat(server, match, "north-1", accounts.by_address(server, "ann@example.org").id)
    assert "free: North 2, South 1, South 2 of 4 seats." in people["dee"].get("/").text


def test_a_new_match_with_a_seat_for_each_command_spreads_what_was_said_of_a_side(table):
    server, _, people = table
    form = {"play": "nato/leine", "option/table": "commands", "seat/wp": "me", "seat/nato": "bot"}
    answer = people["ann"].post("/matches", **form)
    assert answer.status_code == 303
    record = record_of(server, answer.location.rsplit("/", 1)[1])
    assert record.occupants["front"]["account"] == accounts.by_address(server, "ann@example.org").id
    assert {seat for seat in record.occupants if seat != "front"} == {"corps", "first", "fourth"}
    assert record.sides["army"] == "wp" and "army" not in record.occupants
