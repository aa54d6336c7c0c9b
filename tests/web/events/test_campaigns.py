"""The pages of a campaign: those open to everyone, those open to one side, and refusals for everyone else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask, url_for
from support.front import Front
from support.pseudo import plain_words, pseudo_translator

from pbem.matches.accounts import accounts
from pbem.matches.exchange.submitting import submit
from pbem.matches.history.replay import record_of
from pbem.matches.server import fresh
from pbem.titles.registry import TITLES
from pbem.web import create_app
from pbem.web.http import speech


class Site:
    """The site of a campaign between Ann and Bob whose first battle is being fought, with Eve as a spectator."""

    def __init__(self, folder: Path, browser: Any, scenario: str = "battlegroup") -> None:
        self.front = Front(folder, {"panzer": TITLES["panzer"]})
        server = self.front.server
        people = {name: accounts.open_account(server, f"{name}@example.org", name.title()) for name in PEOPLE}
        self.front.open(scenario, {"german": people["ann"].id, "soviet": people["bob"].id})
        for seat, name in (("german", "ann"), ("soviet", "bob")):
            submit(server, self.front.id, seat, 2, "send all", by=people[name].id, final=True, source="web")
        self.front.tick()
        self.app: Flask = create_app(server)
        self.people = {name: browser(self.app, person) for name, person in people.items()}
        self.nobody = browser(self.app)
        [self.battle] = self.front.battles()
        self.page = f"/campaigns/{self.front.id}"


PEOPLE = ("ann", "bob", "eve")


@pytest.fixture
def site(tmp_path: Path, new_browser: Any) -> Site:
    return Site(tmp_path, new_browser)


def test_the_list_and_the_chronicle_are_public(site: Site) -> None:
    assert "The front" in site.nobody.get("/campaigns").text
    page = site.nobody.get(site.page).text
    assert "Battle 1 begins at Meeting at Krutoy Log." in page
    assert "g101" not in page and "s101" not in page


def test_a_side_reads_its_own_part_of_the_chronicle(site: Site) -> None:
    page = site.people["ann"].get(site.page).text
    assert "12 units go into battle 1" in page and "g101" in page and "s101" not in page


def test_a_roster_is_shown_to_its_own_side_only(site: Site) -> None:
    own = site.people["ann"].get(f"{site.page}/roster").text
    assert "PzIVH 101" in own and "in battle 1" in own and "T-34" not in own
    assert site.nobody.get(f"{site.page}/roster").status_code == 403
    assert site.people["eve"].get(f"{site.page}/roster").status_code == 403


def test_the_history_of_a_unit(site: Site) -> None:
    page = site.people["ann"].get(f"{site.page}/units/g101").text
    assert "Grade: seasoned, with 3 experience" in page and "Stage 1" in page
    assert site.people["ann"].get(f"{site.page}/units/s101").status_code == 404


@pytest.mark.parametrize("path", ["", "/turns/1", "/map.svg", "/status.json", "/export"])
def test_a_battle_is_closed_to_all_but_its_commanders(site: Site, path: str) -> None:
    if path in ("", "/map.svg"):
        assert site.people["ann"].get(f"/matches/{site.battle}{path}").status_code == 200
    for other in (site.people["eve"], site.nobody):
        assert site.people is not None and other.get(f"/matches/{site.battle}{path}").status_code in (403, 404)


def test_no_address_of_the_whole_site_opens_a_battle_to_others(site: Site) -> None:
    """No page or operation that takes a match shows a battle to others; every such address is requested."""
    values = {"match": site.battle, "exchange": 1, "turn": 1, "number": 1, "seat": "german", "unit": "g101"}
    tried = 0
    for rule in site.app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or "match" not in rule.arguments or rule.arguments - set(values):
            continue
        with site.app.test_request_context():
            path = url_for(rule.endpoint, **{name: values[name] for name in rule.arguments})
        tried += 1
        for other in (site.people["eve"], site.nobody):
            assert other.get(path).status_code in (302, 303, 401, 403, 404, 422), path
    assert tried > 20


def test_no_list_and_no_feed_tells_of_a_battle(site: Site) -> None:
    eve = site.people["eve"]
    ann = record_of(site.front.server, site.front.id).occupants["german"]["account"]
    for path in ("/", f"/players/{ann}", "/api/v1/matches"):
        page = eve.get(path)
        assert page.status_code == 200 and site.battle not in page.text, path
    assert eve.get(f"/matches/{site.battle}/feed.atom").status_code == 404
    assert site.battle in site.people["ann"].get("/").text


def test_the_order_page_of_a_campaign_works_in_the_browser(site: Site) -> None:
    page = site.people["ann"].get(f"/matches/{site.front.id}").text
    assert "Waiting for <strong>Battle 1</strong>" in page
    assert f'href="{site.page}"' in page
    assert f'href="{site.page}"' in site.people["ann"].get(f"/matches/{site.battle}").text


def test_the_bundle_can_be_taken_along(site: Site) -> None:
    assert site.nobody.get(f"{site.page}/bundle").status_code == 200


def test_there_is_no_campaign_of_another_name(site: Site) -> None:
    assert site.nobody.get(f"/campaigns/{site.battle}").status_code == 404
    assert site.nobody.get(f"{site.page}?stage=9").status_code == 404


def test_a_campaign_can_be_begun_on_the_site(site: Site) -> None:
    site.front.server.entropy = fresh
    ann = site.people["ann"]
    assert "The road to Vodyanoye" in ann.get("/new").text
    assert "September 1943" in ann.get("/new?play=campaign/battlegroup").text
    form = {"play": "campaign/battlegroup", "seat/german": "me", "seat/soviet": "bot", "name": "", "cadence": "48"}
    made = ann.post("/matches", **form, reactions="plan", missed="doctrine", master="false")
    assert made.status_code == 303, made.text
    page = ann.get(made.headers["Location"]).text
    assert "Your orders" in page and "send g101" in page and "The road to Vodyanoye" in page


def test_the_log_of_one_stage_is_offered_once_it_has_ended(site: Site) -> None:
    assert site.nobody.get(f"{site.page}/bundle?stage=9").status_code == 422
    assert "for checking</a></p>" not in site.nobody.get(site.page).text


PAGES = ("/campaigns", "{campaign}", "{campaign}/roster", "{campaign}/units/g101")


def test_no_page_of_a_campaign_says_anything_but_messages(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech, "translator", pseudo_translator)
    ann = site.people["ann"]
    plain = {page: plain_words(ann.get(page.format(campaign=site.page)).text, NAMES) for page in PAGES}
    found = {text: page for page, texts in plain.items() for text in texts}

    assert len(found) <= MOST_PLAIN, "\n".join(f"{page}: {text}" for text, page in found.items())


MOST_PLAIN = 8
"""Texts on these pages that bypass the layer: the inputs of findings, and grades as the campaign's file names them.
The number may only fall."""
NAMES = frozenset(
    {"pbem", "Ann", "Bob", "Eve", "UTC", "German", "Soviet", "german", "The", "the", "front", "road", "Vodyanoye"}
    | {"Commander", "battlegroup", "Battlegroup", "Ostermann", "Tank", "brigade", "Gusev", "Meeting", "Krutoy", "Log"}
    | {"Lang"}
)
"""Names of people, and of sides, places and units in the campaign's file."""
