"""Two worlds that differ only in what the enemy has hidden look the same to a player, in every byte."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.matches import accounts, desk
from pbem.web import create_app

OWN = ("X-Request-ID", "Set-Cookie", "Date")
"""Headers that differ from one answer to the next in any case."""
PAGES = ("", "/status.json", "/map.svg", "/receipts", "/reports/1", "/replay/1", "/verify")


@pytest.fixture
def worlds(folders, world):
    """A browser of red for each order of blue's first unit."""
    return [world(folders(), order) for order in ("hold", "ambush", "go5")]


@pytest.fixture
def world(new_house, new_match, new_browser):
    def made(folder: Path, hidden: str):
        house = new_house(folder, "secrecy")
        match = new_match(house)
        red, blue = (accounts.open_account(house, f"{who}@example.org") for who in ("ann", "bob"))
        desk.submit(house, match, "red", 2, "r1 ambush", by=red.id, final=False, source="web")
        desk.submit(house, match, "blue", 2, f"b1 {hidden}", by=blue.id, final=True, source="web")
        return match, create_app(house, secret=b"the same in all worlds"), red

    return made


def masked(text: str) -> str:
    """Without what is drawn anew for every page."""
    return re.sub(r'name="csrf_token" value="[^"]+"', "", text)


@pytest.mark.parametrize("viewer", ["red", "public"])
@pytest.mark.parametrize("page", PAGES)
def test_pages_do_not_tell_what_the_enemy_has_sealed(page, viewer, worlds, new_browser):
    seen = set()
    for match, app, red in worlds:
        answer = new_browser(app, red if viewer == "red" else None).get(f"/matches/{match}{page}")
        kept = {name: value for name, value in answer.headers.items() if name not in OWN}
        number = answer.headers["X-Request-ID"]
        seen.add((answer.status_code, masked(answer.text).replace(number, ""), tuple(sorted(kept.items()))))

    assert len(seen) == 1


def test_the_worlds_do_differ(worlds, new_browser):
    """The check above can fail: blue himself sees another page in each world."""
    pages = set()
    for match, app, _ in worlds:
        house = app.extensions["pbem"]["house"]
        blue = accounts.by_address(house, "bob@example.org")
        pages.add(masked(new_browser(app, blue).get(f"/matches/{match}").text))

    assert len(pages) == len(worlds)
