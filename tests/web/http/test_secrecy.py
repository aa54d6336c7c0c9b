"""To a player, two worlds that differ only in the enemy's secrets look the same in every byte."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from web.http.test_leaks_web import shown
from web.http.test_roles import TABLE

from pbem.matches.accounts import accounts
from pbem.matches.exchange import submitting
from pbem.web import create_app

OWN = ("X-Request-ID", "Set-Cookie", "Date")
"""Headers that differ from one response to the next in any case."""
PAGES = [route.path for route in TABLE.values() if route.form is None]
"""Every address that can be requested. It comes from the table of routes, so new routes are included."""


@pytest.fixture
def worlds(folders, world):
    """For each possible order of blue's first unit, return the match, the application and red's account."""
    return [world(folders(), order) for order in ("hold", "ambush", "go5")]


@pytest.fixture
def world(new_server, new_match, new_browser):
    def made(folder: Path, hidden: str):
        server = new_server(folder, "secrecy")
        match = new_match(server, cadence=48)
        red, blue = (accounts.open_account(server, f"{who}@example.org") for who in ("ann", "bob"))
        submitting.submit(server, match, "red", 2, "r1 ambush", by=red.id, final=False, source="web")
        submitting.submit(server, match, "blue", 2, f"b1 {hidden}", by=blue.id, final=True, source="web")
        return match, create_app(server, secret=b"the same in all worlds"), red

    return made


def masked(text: str) -> str:
    """Return a page's text without the form tokens, which are random."""
    return re.sub(r'name="csrf_token" value="[^"]+"', "", text)


@pytest.mark.parametrize("viewer", ["red", "public"])
def test_no_answer_tells_what_the_enemy_has_sealed(viewer, worlds, new_browser):
    """No response reveals what the enemy has sealed: pages, headers, ETags, API answers, maps, feeds and
    calendars."""
    browsers = [(new_browser(app, red if viewer == "red" else None), match, red) for match, app, red in worlds]
    codes = set()
    for page in PAGES:
        seen = set()
        for browser, match, red in browsers:
            answer = browser.get(filled(page, match, red))
            seen.add(shown(answer, export=True) if page.endswith("/export") else every_byte(answer))
            codes.add(answer.status_code)
        assert len(seen) == 1, page
    assert {200, 404} <= codes


def every_byte(answer: Any) -> tuple[Any, ...]:
    """Return everything that the server sends; an export's salted hashes, which differ, are left to `shown`."""
    kept = {name: value for name, value in answer.headers.items() if name not in OWN}
    text = masked(answer.text).replace(answer.headers["X-Request-ID"], "")
    return answer.status_code, text, tuple(sorted(kept.items()))


def filled(page: str, match: str, red: Any) -> str:
    known = {"match": match, "open": match, "red": red.id}
    return re.sub(r"\{(\w+)\}", lambda name: known.get(name[1], "nosuch"), page).replace("/2", "/1")


def test_the_worlds_do_differ(worlds, new_browser):
    """The comparison can fail, because blue sees a different page in each world."""
    pages = set()
    for match, app, _ in worlds:
        server = app.extensions["pbem"]["server"]
        blue = accounts.by_address(server, "bob@example.org")
        pages.add(masked(new_browser(app, blue).get(f"/matches/{match}").text))

    assert len(pages) == len(worlds)
