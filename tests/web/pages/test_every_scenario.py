"""The match page of every scenario works without scripts: map, text, sheets and an order form.

The form is sent back unedited, is understood, and its orders can be carried out.
"""

from __future__ import annotations

import re
from html import unescape
from xml.etree import ElementTree

import pytest
from support.playing import NOON

from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.titles.registry import TITLES
from pbem.tools.bench.site import answer_as_the_forms_stand
from pbem.web import create_app

SCENARIOS = [(title, scenario) for title, game in sorted(TITLES.items()) for scenario in game.scenarios]
IN_PLAY = {
    ("aslsk", "first-light"): 2,
    ("aslsk", "long-fields"): 2,
    ("aslsk", "noon-in-the-orchards"): 1,
    ("panzer", "duel"): 1,
    ("panzer", "desert"): 3,
    ("panzer", "darkness"): 3,
    ("tanks", "village"): 4,
}
"""How many exchanges are played before the page is examined; otherwise it is examined at the first ask."""


@pytest.fixture
def seated(tmp_path, new_browser):
    """Return a function that seats a player in a match's first seat and plays some exchanges with unedited forms."""

    def sit(title: str, scenario: str):
        server = open_server(tmp_path / "pbem.db", {title: TITLES[title]}, clock=lambda: NOON)
        match = creating.new_match(server, title, scenario)
        for seat in record_of(server, match).seats:
            take_seat(server, match, seat, accounts.open_account(server, f"{seat}@example.org").id)
        for _ in range(IN_PLAY.get((title, scenario), 0)):
            answer_as_the_forms_stand(server, match)
        seat = sorted(views.status(server, match).asked)[0]
        browser = new_browser(create_app(server), accounts.by_address(server, f"{seat}@example.org"))
        return server, match, seat, browser

    return sit


@pytest.mark.parametrize(("title", "scenario"), SCENARIOS)
def test_a_match_of_every_scenario_can_be_read_and_played_without_scripts(title, scenario, seated):
    server, match, seat, browser = seated(title, scenario)
    page = browser.get(f"/matches/{match}").text
    exchange = views.status(server, match).exchange

    form = unescape(re.search(r'<textarea id="lines"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)[1])
    checked = browser.post(f"/matches/{match}/orders", orders=form, act="check", exchange=exchange)
    assert checked.status_code == 200 and "These orders can be carried out" in checked.text
    sending = {"orders": form, "act": "final", "exchange": exchange}
    sent = browser.post(f"/matches/{match}/orders", **sending)
    if sent.status_code == 200:  # some units have no order: the page asks once
        sent = browser.post(f"/matches/{match}/orders", reviewed="yes", **sending)
    now = views.status(server, match)
    assert sent.status_code == 303 and (seat not in now.waiting_for or now.exchange > exchange)

    page = browser.get(f"/matches/{match}").text  # as it stands now: a set-up has put units on the map
    picture = browser.get(f"/matches/{match}/map.svg")
    units = [part.get("data-unit") for part in ElementTree.fromstring(picture.data).iter() if part.get("data-unit")]
    assert f'<img src="/matches/{match}/map.svg' in page and "<summary>The map in words</summary>" in page
    words = page.partition("The map in words")[2].partition("</details>")[0]
    missing = [unit for unit in units if not re.search(rf"\b{unit}\b", words)]
    assert missing == [], "a counter without its words"
    for unit in re.findall(r'data-row="([^"]+)"', page)[:3] + units[:2]:
        sheet = browser.get(f"/matches/{match}/units/{unit}.json").json
        assert sheet["unit"] == unit and sheet["name"] and sheet["facts"]
    if (title, scenario) in IN_PLAY:
        assert units and 'data-row="' in page
