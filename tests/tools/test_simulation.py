"""The simulation holds for a while, tells the same story again, and finds every planted bug."""

from __future__ import annotations

import pytest
from support.toy import AmbushTitle

from pbem.tools.simulation.bugs import BUGS, planted
from pbem.tools.simulation.run import Plan, live, soak_years

TITLES = {"ambush": AmbushTitle()}
PLAN = Plan("ambush", "tiny", 25, "tests", crash=0.02)
FOUND_BY = {
    "a lost mark": "mail",
    "an early close": "closing",
    "a doubled send": "mail",
    "a reused rung": "dice",
    "a leaked seat": "secrets",
    "a lost mail": "acknowledged",
    "an unsigned receipt": "receipts",
    "a sooner deadline": "deadlines",
    "a silent drop": "books",
    "a forgotten deadline": "progress",
}


def test_weeks_with_crashes_lost_mail_and_careless_players_break_nothing() -> None:
    outcome = live(TITLES, PLAN)

    assert (outcome.broken, outcome.story) == ("", [])
    for what in ("crashes", "outages", "wrong replies", "changed orders", "orders on the site"):
        assert outcome.counted[what] > 0, what
    assert live(TITLES, PLAN) == outcome


@pytest.mark.parametrize("name", BUGS)
def test_a_planted_bug_is_found(name: str) -> None:
    with planted(name):
        outcome = live(TITLES, PLAN)

    assert outcome.broken.partition(":")[0] == FOUND_BY[name]
    assert outcome.story[-1].endswith("here it broke")


def test_the_report_names_the_seed_and_tells_the_shortened_story() -> None:
    with planted("a leaked seat"):
        report = soak_years(TITLES, [("ambush", "tiny")], 0.05, 7, lambda text: None)

    assert report["broken"].startswith("secrets") and report["broken_seed"] == "7/0"
    assert report["simplest"] == "1 matches, crashes off"
    assert report["years"] < 0.05 and report["story"]
