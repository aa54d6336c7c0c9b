"""The platoon builder checks, extends and explains a list, rule by rule."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlencode

import pytest
from support.playing import NOON

from pbem.matches.accounts import accounts
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.titles.tanks.title import Tanks
from pbem.web import create_app


@pytest.fixture
def server(tmp_path):
    return open_server(tmp_path / "pbem.db", {"tanks": Tanks()}, clock=lambda: NOON)


def shown(nobody, **said: str) -> str:
    answer = nobody.get("/titles/tanks/platoon?" + urlencode(said))
    assert answer.status_code == 200
    return unescape(answer.text)


def test_it_begins_with_a_legal_platoon_and_lists_every_card(nobody):
    page = shown(nobody)
    assert "Legal: " in page and "of 80 points" in page
    for name in ("Panther", "ISU-122", "Superb Commander", "Sandbags"):
        assert f"<td>{name}" in page


def test_T4_every_objection_names_its_rule(nobody):
    page = shown(nobody, points="30", list="country: us\nSherman 76: Superb Commander, Precise Commander\nPanther")
    assert "Not yet legal" in page
    for rule, why in (
        ("T4.1", "the limit is 30"),
        ("T4.2", "tank 2, Panther, belongs to germany, not us"),
        ("T4.4", "has 2 cards of type commander"),
    ):
        assert any(why in line and f'<span class="rule">{rule}</span>' in line for line in page.splitlines())


def test_a_line_that_cannot_be_read_is_named_with_the_nearest_one(nobody):
    page = shown(nobody, list="country: us\nShermann 76")
    assert "<code>Shermann 76</code>: no tank has that name" in page and "(Sherman 76)" in page
    assert "Shermann 76</textarea>" in page  # nothing typed is lost


@pytest.mark.parametrize(
    "said, text",
    [
        ({"act": "tank", "tank": "sherman-75"}, "Sherman 76\nSherman 75\n"),
        ({"act": "card", "card": "sandbags", "to": "1"}, "Sherman 76: Sandbags\n"),
        ({"act": "card", "card": "sandbags", "to": "9"}, "Sherman 76: Sandbags\n"),
        ({"act": "check", "card": "sandbags", "tank": "sherman-75"}, "Sherman 76\n"),
    ],
)
def test_buttons_add_a_tank_or_a_card(nobody, said, text):
    assert f"country: us\n{text}</textarea>" in shown(nobody, list="Sherman 76", **said)


def test_T4_a_platoon_is_priced_and_its_faults_are_named_by_rule_for_programs(nobody):
    legal = nobody.get("/api/v1/titles/tanks/platoon").json["data"]
    assert legal["refusals"] == [] and 0 < legal["points"] <= legal["limit"] and legal["tanks"]
    poor = nobody.get("/api/v1/titles/tanks/platoon?points=30&list=country: us%0APanther").json["data"]
    assert {"T4.1", "T4.2"} <= {why["rule"] for one in poor["refusals"] for why in one["objections"]}


def test_the_lists_of_scenarios_and_the_foot_of_each_page_lead_to_it(nobody):
    assert nobody.get("/new").text.count('href="/titles/tanks/platoon"') == 2


def test_T2_2_cards_are_found_by_country_type_points_and_words(nobody):
    """T2.2: Filters find cards by country, type, points and words; global cards belong to every country.

    A filter keeps the list and its limit.
    """
    page = shown(nobody, of="ussr", kind="commander", most="2", points="60")
    assert "<td>IS-2" not in page and "<td>Superb Commander" in page and "<td>Sandbags" not in page
    assert 'name="points" value="60"' in page
    found = shown(nobody, find="nothing like it")
    assert "0 of 20 tanks and 0 of" in found
    assert "<td>Sandbags" in shown(nobody, find="sandbags") and 'data-shelf="tanks platoons" hidden' in page


@pytest.fixture
def ann(server, new_browser):
    return new_browser(create_app(server), accounts.open_account(server, "ann@example.org"))


@pytest.fixture
def open_battle(server):
    """Return a match of 100 points that asks both players for their platoons."""
    match = creating.new_match(server, "tanks", "open-battle", name="A hundred points", options={"points": 100})
    for seat, name in (("alpha", "ann"), ("bravo", "bob")):
        take_seat(server, match, seat, accounts.open_account(server, f"{name}@example.org").id)
    return match


def link_in(page: str) -> str:
    found = re.search(r'href="(/titles/tanks/platoon\?[^"]*)"', page)
    assert found is not None
    return unescape(found[1])


def test_T4_1_a_match_opens_the_builder_with_its_points_and_the_platoon_of_the_seat(ann, nobody, open_battle):
    form = unescape(ann.get(f"/matches/{open_battle}").text)
    page = unescape(ann.get(link_in(form)).text)
    assert "of 100 points" in page and 'value="100" readonly' in page
    assert "country: us\nPershing\nSherman 75\n" in form and "country: us\nPershing\nSherman 75\n" in page
    assert "Use this list in the match" in page and "A hundred points" in page
    watching = nobody.get(link_in(nobody.get(f"/matches/{open_battle}").text)).text
    assert "of 100 points" in watching and "Use this list" not in watching


def test_T4_1_the_points_of_the_match_count_whatever_the_address_says(ann, nobody, open_battle):
    said = {"match": open_battle, "points": "300", "list": "country: germany\nPanther\nPanther\nPanther\nPanther"}
    page = shown(ann, **said)
    assert "the limit is 100" in page and "Use this list" not in page
    assert "of 300 points" in shown(nobody, **said)


def test_a_list_from_the_builder_is_written_into_the_form_and_not_sealed(ann, server, open_battle):
    page = unescape(ann.get(f"/matches/{open_battle}?orders=country:+us%0ASherman+75").text)
    assert "country: us\nSherman 75</textarea>" in page and "data-refused" in page
    assert not record_of(server, open_battle).sealed
