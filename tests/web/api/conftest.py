"""Fixtures with a match and programs that call the API."""

from __future__ import annotations

import pytest
from support.api_client import Program

from pbem.matches import health
from pbem.matches.accounts import accounts
from pbem.matches.exchange import submitting
from pbem.tournaments import stream
from pbem.tournaments.model import Settings


@pytest.fixture
def match(server, new_match):
    """Return a match in which exchange 2 is resolved and red has sealed orders for exchange 3."""
    gm = accounts.open_account(server, "gm@example.org").id
    match = new_match(server, master=gm, cadence=48)
    for seat, who in (("red", "ann"), ("blue", "bob")):
        by = accounts.by_address(server, f"{who}@example.org").id
        submitting.submit(server, match, seat, 2, f"{seat[0]}1 hold", by=by, final=True, source="web")
    red = accounts.by_address(server, "ann@example.org").id
    submitting.submit(server, match, "red", 3, "r1 ambush", by=red, final=False, source="web")
    stream.open_tournament(server, Settings("Autumn Cup", "ambush", scenarios=("tiny",)), red)
    return match


@pytest.fixture
def programs(app, server, match):
    def program(who: str = "", *scopes: str) -> Program:
        account = accounts.open_account(server, f"{who}@example.org").id if who else ""
        if who == "op":
            health.name_operator(server, account)
        return Program(app, server, account, *scopes)

    return program


@pytest.fixture
def ann(programs):
    return programs("ann", "play")


@pytest.fixture
def bob(programs):
    return programs("bob", "play")


@pytest.fixture
def nobody(programs):
    return programs()
