"""An organiser in a real browser imports 64 players from a CSV file, pairs them, and watches and closes a round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.matches import unit_of_work
from pbem.matches.accounts import accounts
from pbem.matches.history.replay import all_matches, record_of
from pbem.matches.players import endings
from pbem.matches.post import notifications
from pbem.matches.server import Server
from pbem.tournaments import stream, tick
from pbem.tournaments.ranking.standings import standings
from pbem.web import create_app

pytestmark = pytest.mark.browser

PLAYERS = 64


@pytest.fixture
def site(server: Server, serve: Callable[..., str]) -> str:
    return serve(create_app(server, demo=True))


def a_list(server: Server) -> bytes:
    lines = ["name,account,rating"]
    for number in range(1, PLAYERS + 1):
        account = accounts.open_account(server, f"p{number}@example.org", f"Player {number}")
        lines.append(f"Player {number},{account.id},{2000 - number}")
    return "\n".join(lines).encode()


def play_out(server: Server) -> None:
    """Let red win every match by concession, until the ticks have recorded the results."""
    for match in all_matches(server):
        record = record_of(server, match)
        if record.created.origin and record.ended is None:
            unit_of_work.append(server, record, endings.concede(server, record, "blue"), "concede")
    notifications.catch_up(server)
    while tick.tick(server, server.store.clock()):
        pass


def fits(page: Any) -> bool:
    """Return whether the page fits the screen, apart from tables that scroll sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def test_an_organiser_runs_a_round_of_64(
    new_page: Callable[..., Any], site: str, server: Server, tmp_path: Any
) -> None:
    page = new_page(viewport={"width": 1280, "height": 900})
    page.goto(site)
    page.click("text=Play now against a bot")
    page.wait_for_selector("[data-ready]")
    page.goto(f"{site}/tournaments")
    page.click("text=Announce a tournament")
    page.fill("#name", "Autumn Cup")
    page.click("text=Announce it")
    page.wait_for_selector("text=Taking entries")
    page.set_input_files("#file", {"name": "entrants.csv", "mimeType": "text/csv", "buffer": a_list(server)})
    page.click("text=Enter them all")
    page.wait_for_selector("text=64 entries were made.")
    page.click("text=Pair round 1")
    page.wait_for_selector("text=Round 1 is paired")
    page.click("text=Start round 1")
    page.wait_for_selector("text=0 of 32 pairings have a result")
    page.screenshot(path=str(tmp_path / "board.png"), full_page=True)
    play_out(server)
    page.reload()
    page.wait_for_selector("text=32 of 32 pairings have a result")
    page.click("text=Close it before the appeal period ends")
    page.wait_for_selector("text=The round is closed. All entrants get the standings.")
    page.goto(f"{site}/tournaments/autumn-cup")
    assert page.locator("tbody tr").count() == PLAYERS
    page.screenshot(path=str(tmp_path / "standings.png"))
    assert standings(stream.read(server, "autumn-cup"))[0].points == 10


def test_every_page_fits_a_phone(new_page: Callable[..., Any], site: str, server: Server, tmp_path: Any) -> None:
    page = new_page(viewport={"width": 390, "height": 844})
    page.goto(site)
    page.click("text=Play now against a bot")
    page.wait_for_selector("[data-ready]")
    page.goto(f"{site}/tournaments/new")
    page.fill("#name", "Autumn Cup")
    page.click("text=Announce it")
    page.fill("#list", a_list(server).decode())
    page.click("text=Enter them all")
    page.wait_for_selector("text=64 entries were made.")
    page.click("text=Pair round 1")
    page.wait_for_selector("text=The round is paired but not announced.")
    page.click("text=Start round 1")
    page.wait_for_selector("text=0 of 32 pairings have a result")
    for path in ("", "/crosstable", "/pairings", "/entrants", "/acts", "/terms", "/director", "/entrants/1"):
        page.goto(f"{site}/tournaments/autumn-cup{path}")
        assert fits(page), path
        page.screenshot(path=str(tmp_path / f"phone{path.replace('/', '-')}.png"))
