"""The platoon builder: a list is checked, extended and explained rule by rule."""

from __future__ import annotations

from html import unescape
from urllib.parse import urlencode

import pytest
from support.playing import NOON

from pbem.matches.installation import open_server
from pbem.titles.tanks.title import Tanks


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
    """A filter keeps the list and its limit; global cards belong to every country."""
    page = shown(nobody, of="ussr", kind="commander", most="2", points="60")
    assert "<td>IS-2" not in page and "<td>Superb Commander" in page and "<td>Sandbags" not in page
    assert 'name="points" value="60"' in page
    found = shown(nobody, find="nothing like it")
    assert "0 of 20 tanks and 0 of" in found
    assert "<td>Sandbags" in shown(nobody, find="sandbags") and 'data-shelf="tanks platoons" hidden' in page
