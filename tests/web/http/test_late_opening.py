"""A finished tournament match keeps its secrets until its round closes: no page, feed or file reveals them."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any

import pytest

from pbem.matches import unit_of_work
from pbem.matches.accounts import accounts
from pbem.matches.clock import tick as clock
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.ending import open_match
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.players import endings
from pbem.matches.post import notifications
from pbem.matches.server import Server

SECRET = "rosebud"
PLACES = (
    *("", "/verify", "/export", "/reports/2", "/replay/2", "/replay/1", "/dice", "/feed.atom", "/status.json"),
    *("?as=master", "?as=red", "/replay/2?as=master", "/export?seat=red"),
)
API = ("", "/export", "/replay/2", "/reports", "/reports/2", "/reports/2/rolls", "/dice", "/table", "/deeds")


@pytest.fixture
def ended(server: Server, new_match: Callable[..., str]) -> str:
    """Return a match in which red sealed orders with a comment, and blue then conceded."""
    who = {
        seat: accounts.open_account(server, f"{name}@example.org").id
        for seat, name in (("red", "ann"), ("blue", "bob"))
    }
    match = creating.create(server, "ambush", "tiny", more={"opens": "round", "cadence": 0, "timing": {}})
    for seat, account in who.items():
        take_seat(server, match, seat, account)
    for seat in ("red", "blue"):
        text = f"{seat[0]}1 ambush # {SECRET if seat == 'red' else 'x'}"
        submitting.submit(server, match, seat, 2, text, by=who[seat], final=True, source="web")
    record = record_of(server, match)
    unit_of_work.append(server, record, endings.concede(server, record, "blue"), "concede")
    notifications.catch_up(server)
    while clock.keep_round(server):
        pass
    return match


def told(browser: Any, match: str) -> list[str]:
    """Return the addresses whose answer reveals the secret comment."""
    pages = [f"/matches/{match}{place}" for place in PLACES]
    pages += [f"/api/v1/matches/{match}{place}" for place in API]
    found = []
    for page in pages:
        answer = browser.get(page)
        assert answer.status_code < 500, page
        if SECRET in answer.text or SECRET in decoded(answer.text):
            found.append(page)
    return found


def decoded(text: str) -> str:
    """Return the text of all parts in an export."""
    parts = re.findall(r'"part":\{[^}]*"content":"([^"]*)"', text)
    return " ".join(base64.b64decode(part).decode("utf-8", "replace") for part in parts)


@pytest.mark.parametrize("who", ["", "bob", "eve"])
def test_nothing_is_told_before_the_round_is_over(ended: str, browsers: Callable[[str], Any], who: str) -> None:
    assert told(browsers(who), ended) == []


def test_afterwards_everything_is_there(server: Server, ended: str, browsers: Callable[[str], Any]) -> None:
    assert open_match(server, ended)

    assert f"/matches/{ended}/export" in told(browsers(""), ended)
