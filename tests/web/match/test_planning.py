"""Unit sheets and lines of sight are computed from the viewer's view, for anyone who may see the match."""

from __future__ import annotations

import json

import pytest

from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.title import Formation
from pbem.engine.text.messages import say
from pbem.engine.text.sheets import Choice
from pbem.matches.accounts import accounts
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.web import create_app
from pbem.web.pages.match import review
from pbem.web.pages.match.planning import by_number, is_deed, short_name
from pbem.web.pages.match.review import idle_units


@pytest.fixture
def duel(panzer_server, new_browser):
    """Return the browsers of both players and of an anonymous visitor, and their match."""
    match = creating.new_match(panzer_server, "panzer", "duel")
    players = {seat: accounts.open_account(panzer_server, f"{seat}@example.org") for seat in ("german", "british")}
    for seat, player in players.items():
        take_seat(panzer_server, match, seat, player.id)
    app = create_app(panzer_server)
    browsers = {seat: new_browser(app, player) for seat, player in players.items()}
    return {**browsers, "public": new_browser(app), "match": f"/matches/{match}"}


def sheet(duel, viewer, unit):
    return json.loads(duel[viewer].get(f"{duel['match']}/units/{unit}.json").data)


def test_own_units_come_with_their_orders_and_those_of_others_without(duel):
    mine, theirs, public = sheet(duel, "german", "ge1"), sheet(duel, "german", "br1"), sheet(duel, "public", "ge1")

    assert mine["own"] and {"fire", "move", "overwatch", "hold"} <= {choice["name"] for choice in mine["choices"]}
    assert "choices" not in theirs and "choices" not in public
    assert public["facts"]


def test_a_sheet_that_has_not_changed_costs_a_header(duel):
    first = duel["german"].get(f"{duel['match']}/units/ge1.json")
    again = duel["german"].get(f"{duel['match']}/units/ge1.json", **{"If-None-Match": first.headers["ETag"]})

    assert again.status_code == 304


def test_sight_is_told_and_explained(duel):
    seen = json.loads(duel["public"].get(f"{duel['match']}/sight/f6.json?to=O7").data)

    assert seen["start"] == "F6" and "F6" in seen["seen"] and seen["end"] == "O7" and seen["why"]


def test_programs_get_the_same_sheets_and_sights(duel):
    api = f"/api/v1{duel['match']}"
    seen = json.loads(duel["public"].get(f"{api}/sight/F6").data)
    line = json.loads(duel["public"].get(f"{api}/sight/F6?to=O7").data)

    assert seen == json.loads(duel["public"].get(f"{duel['match']}/sight/F6.json").data)
    assert line["end"] == "O7" and isinstance(line["clear"], bool) and line["why"]
    assert json.loads(duel["public"].get(f"{api}/units/br1").data) == sheet(duel, "public", "br1")


def test_the_check_before_sealing_names_the_units_that_could_act_and_have_no_order(duel):
    said = {"exchange": 2, "orders": "ge1 fire br3\nge2 overwatch\nge3 hold"}
    while_writing = duel["german"].post(f"{duel['match']}/check", **said)
    before_sealing = duel["german"].post(f"{duel['match']}/check", act="final", **said)

    assert while_writing.json["review"] == [] and while_writing.json["refusals"] == []
    assert before_sealing.json["review"] == ["2 of 4 units hold: ge3, ge4"]


def test_the_check_before_sealing_says_when_nobody_acts_and_nothing_else_is_awaited(duel):
    said = {"exchange": 2, "orders": "rest hold"}
    alone = "No other player's orders are awaited: if you seal these as final, they are played at once."
    first = duel["german"].post(f"{duel['match']}/check", act="final", **said)
    assert first.json["review"] == ["All 4 of your units hold; none of them would act: ge1, ge2, ge3, ge4"]
    duel["british"].post(f"{duel['match']}/orders", act="final", reviewed="1", **said)
    last = duel["german"].post(f"{duel['match']}/check", act="final", **said)
    assert last.json["review"][1:] == [alone]
    changeable = duel["german"].post(f"{duel['match']}/check", act="submit", **said)
    assert len(changeable.json["review"]) == 1


def test_a_plain_form_is_reviewed_once_before_it_is_final(duel):
    said = {"exchange": 2, "orders": "ge1 fire br3", "act": "final"}
    asked = duel["german"].post(f"{duel['match']}/orders", **said)
    again = duel["german"].post(f"{duel['match']}/orders", reviewed="1", **said)

    assert asked.status_code == 200 and "3 of 4 units hold: ge2, ge3, ge4" in asked.text
    assert 'name="reviewed" value="1"' in asked.text and "ge1 fire br3" in asked.text
    assert again.status_code == 303


def test_sealed_orders_are_reviewed_once_before_they_become_final(duel):
    duel["german"].post(f"{duel['match']}/orders", exchange=2, orders="ge1 fire br3", act="submit")
    asked = duel["german"].post(f"{duel['match']}/final", exchange=2)
    again = duel["german"].post(f"{duel['match']}/final", exchange=2, reviewed="1")

    assert asked.status_code == 200 and "3 of 4 units hold: ge2, ge3, ge4" in asked.text
    assert again.status_code == 303


@pytest.mark.parametrize(
    ("ordered", "able", "spent", "told"),
    [
        (12, 12, 4, []),
        (11, 12, 4, ["1 of 12 units holds: a12"]),
        (11, 11, 4, []),
        (12, 12, 3, []),
        (11, 12, 3, ["1 of 12 units holds: a12", "1st has 1 command left."]),
    ],
)
def test_many_units_are_reviewed_only_if_there_is_something_to_say(monkeypatch, ordered, able, spent, told):
    """Orders for many units are reviewed only if there is something to point out, such as an idle unit."""
    units = [f"a{number}" for number in range(1, 13)]
    formation = Formation("1", "1st", tuple(units), 4)
    given = {"verbs_of": ["move"], "ordered_units": units, "formations_of": [formation], "carriers_of": {}}
    for name, value in given.items():
        monkeypatch.setattr(review, name, lambda found, value=value: value)
    monkeypatch.setattr(review, "able_to_act", lambda found, idle: [unit for unit in idle if unit in units[:able]])
    reading = "\n".join(f"{unit} move K5" for unit in units[:ordered])
    assert [str(one) for one in review.review_of(None, reading, {"1": spent})] == told


@pytest.mark.parametrize(
    ("reading", "idle"),
    [
        ("", ["a1", "a2", "b1"]),
        ("a1 with a2 move Q14 face 1", ["b1"]),
        ("a1 a2 hold\nb1 overwatch", ["a1", "a2"]),
        ("attack K5 with a2, b1", ["a1"]),
        ("a1: stay\na2: hunt # and b1", ["a1", "b1"]),
    ],
)
def test_units_are_idle_if_no_line_makes_them_act(reading, idle):
    assert idle_units(reading, ["a1", "a2", "b1"]) == idle


def test_a_line_that_names_a_weapon_makes_the_unit_act_that_carries_it():
    assert idle_units("A1ma fire at K5\nb1mg b1 fire at K6", ["a1", "a2", "b1"], {"a1ma": "a1", "b1mg": "b1"}) == [
        "a2"
    ]
    assert idle_units("c1mg fire at K5", ["a1"], {"c1mg": "c1"}) == ["a1"]


@pytest.mark.parametrize(
    ("choice", "deed"),
    [
        (Choice("move", "move {hex}", hexes={"G8": ()}), True),
        (Choice("hold", "hold"), False),
        (Choice("hold", "16GT hold"), False),
        (Choice("fire", against=(Objection("4.4", say("it sees nothing")),)), False),
    ],
)
def test_to_hold_is_no_deed_and_neither_is_what_cannot_be_done(choice, deed):
    assert is_deed(choice) is deed


@pytest.mark.parametrize("path", ["units/x9.json", "sight/ZZ99.json", "sight/F6.json?to=nowhere"])
def test_what_is_not_on_the_map_is_not_found(path, duel):
    assert duel["german"].get(f"{duel['match']}/{path}").status_code == 404


def test_the_page_lists_the_units_that_want_orders(duel):
    page = duel["german"].get(duel["match"]).text

    assert [page.index(f'data-row="ge{number}"') for number in range(1, 5)] == sorted(
        page.index(f'data-row="ge{number}"') for number in range(1, 5)
    )
    assert "data-row" not in duel["public"].get(duel["match"]).text


def test_g2_comes_before_g10_and_all_of_g_before_h1():
    assert sorted(["h1", "g10", "gp1", "g2", "a1"], key=by_number) == ["a1", "g2", "g10", "gp1", "h1"]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("PzKpfw IIIJ a1 · PzKpfw IIIJ", "PzKpfw IIIJ"),
        ("PzIVF2-1 · PzKpfw IVF2", "PzIVF2-1 · PzKpfw IVF2"),
        ("a1", "a1"),
    ],
)
def test_a_name_beside_its_id_says_nothing_twice(name, short):
    assert short_name("a1", name) == short
