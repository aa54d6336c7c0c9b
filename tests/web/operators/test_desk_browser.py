"""The game master's page in a real browser: every action has a button, and a ruling is previewed before it is
made."""

from __future__ import annotations

import pytest

from pbem.matches.accounts import accounts, sessions
from pbem.matches.clock import deadlines
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.exchange import submitting
from pbem.matches.history.replay import load, record_of
from pbem.web import create_app
from pbem.web.http.entry import WORD

pytestmark = pytest.mark.browser


@pytest.fixture
def match(server, new_match) -> str:
    """Return a match in which exchange 2 has been played and red has sealed orders for exchange 3."""
    match = new_match(server, master=accounts.open_account(server, "gm@example.org").id, cadence=48)
    for seat, who, orders in (("red", "ann", "r1 go3"), ("blue", "bob", "b1 go5")):
        by = accounts.by_address(server, f"{who}@example.org").id
        submitting.submit(server, match, seat, 2, orders, by=by, final=True, source="web")
    red = accounts.by_address(server, "ann@example.org").id
    submitting.submit(server, match, "red", 3, "r1 ambush", by=red, final=False, source="web")
    return match


@pytest.fixture
def page(new_page, serve, server, match):
    """Open the game master's page as the game master."""
    app = create_app(server, demo=True)
    site = serve(app)
    word = sessions.start(server, accounts.by_address(server, "gm@example.org").id)
    signed = app.session_interface.get_signing_serializer(app).dumps({WORD: word})
    page = new_page(viewport={"width": 1280, "height": 900})
    page.context.add_cookies([{"name": "pbem", "value": signed, "url": site}])
    page.goto(site)
    page.click("text=Game master's page for Ambush at noon")
    return page


def test_the_clock_is_held_extended_and_set_otherwise(page, server, match):
    def deadline() -> int:
        found = deadlines.deadline_of(record_of(server, match))
        assert found is not None
        return found.at

    before = deadline()
    page.fill("#hours", "12")
    page.fill("#extend-why", "a storm")
    page.click('button:text-is("Extend")')
    page.wait_for_selector("text=All players have more time")
    assert deadline() == before + 12 * HOUR

    page.click("text=Hold the match")
    page.fill("#hold-why", "a dispute must be decided first")
    page.click('button:text-is("Hold")')
    page.wait_for_selector("text=You put this match on hold")
    assert deadlines.on_hold(record_of(server, match))
    page.click('button:text-is("Release the match")')
    page.wait_for_selector("text=The match continues")

    page.click("text=New deadlines")
    page.fill("#cadence", "24")
    page.uncheck('[name="weekdays"][value="sun"]')
    page.check('[name="missed"][value="wait"]')
    page.fill("#settings-why", "all agreed")
    page.click("text=Change the deadlines")
    page.wait_for_selector("text=24 hours per turn, mon tue wed thu fri sat")
    agreed = deadlines.timing_of(record_of(server, match))
    assert (agreed.hours, agreed.missed, len(agreed.weekdays)) == (24, "wait", 6)


def test_an_exchange_is_closed_at_once(page, server, match):
    page.fill("#process-why", "all agreed")
    page.click("text=Close exchange 3 now")
    page.wait_for_selector("text=The exchange has been closed and played")
    assert record_of(server, match).last == 3


def test_a_ruling_shows_its_difference_before_it_is_made(page, server, match):
    stood = load(server, match).run.view("public")["units"]["r1"]["hex"]
    page.click('section:has(h3:text-is("Correct")) summary')
    page.fill("#changes", "r1 hex 0.2")
    page.fill("#correct-reason", "a slip")
    page.click('section:has(h3:text-is("Correct")) button')
    page.wait_for_selector("text=What this ruling changes")
    assert page.inner_text("tbody tr").split("\t") == ["units/r1/hex", "1, 3", "0, 2"]
    assert load(server, match).run.view("public")["units"]["r1"]["hex"] == stood  # nothing has changed yet

    page.click("text=Make this ruling")
    page.wait_for_selector("text=The ruling has been made")
    assert load(server, match).run.view("public")["units"]["r1"]["hex"] == [0, 2]
    page.click("text=The whole record, which everyone can read")
    page.wait_for_selector("text=ruled: correct")
