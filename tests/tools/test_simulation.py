"""A simulated server runs without a fault, repeats the same story from the same seed, and finds every planted bug."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.toy import AmbushTitle

from pbem.matches.accounts import accounts
from pbem.matches.clock import outages
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.tools.simulation.bugs import BUGS, plant
from pbem.tools.simulation.invariants import tempo
from pbem.tools.simulation.run import Plan, in_time, live, soak_years
from pbem.tools.simulation.world import World

TITLES = {"ambush": AmbushTitle()}
PLAN = Plan("ambush", "tiny", 25, "crashes and mail", crash=0.02)
FOUND_BY = {
    "a lost mark": "mail",
    "an early close": "closing or chains",  # the exchange closes early, or a deadline counts as missed before it is
    "a doubled send": "mail",
    "a reused rung": "dice",
    "a leaked seat": "secrets",
    "a lost mail": "acknowledged",
    "an unsigned receipt": "receipts",
    "a sooner deadline": "deadlines",
    "a silent drop": "books",
    "a forgotten deadline": "progress",
    "an unwritten mail": "mail",
}


def test_weeks_with_crashes_lost_mail_and_careless_players_break_nothing() -> None:
    outcome = live(TITLES, PLAN)

    assert (outcome.broken, outcome.story) == ("", [])
    for what in ("crashes", "outages", "wrong replies", "changed orders", "orders on the site", "database faults"):
        assert outcome.counted[what] > 0, what
    assert live(TITLES, PLAN) == outcome


@pytest.mark.parametrize("name", BUGS)
def test_a_planted_bug_is_found(name: str) -> None:
    with plant(name):
        outcome = live(TITLES, PLAN)

    assert outcome.broken.partition(":")[0] in FOUND_BY[name].split(" or ")
    assert outcome.story[-1].endswith("here it broke")


def test_the_report_names_the_seed_and_tells_the_shortened_story() -> None:
    with plant("a leaked seat"):
        report = soak_years(TITLES, [("ambush", "tiny")], 0.05, 7, lambda text: None)

    assert report["broken"].startswith("secrets") and report["broken_seed"] == "7/0"
    assert report["simplest"] == "1 matches, crashes off"
    assert report["years"] < 0.05 and report["story"]


def test_a_long_run_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    kept, quiet = tmp_path / "years.json", lambda text: None
    games = [("ambush", "tiny")]
    whole = soak_years(TITLES, games, 16 / 365, 7, quiet, days=8)

    soak_years(TITLES, games, 8 / 365, 7, quiet, days=8, kept=kept)
    rest = soak_years(TITLES, games, 16 / 365, 7, quiet, days=8, kept=kept)

    assert rest == whole and rest["worlds"] == 2
    with pytest.raises(ValueError, match="another seed"):
        soak_years(TITLES, games, 1, 8, quiet, kept=kept)


def test_the_share_in_time_is_told_by_cadence_and_policy() -> None:
    paces = [("168 h, default", True), ("24 h, forfeit", True), ("24 h, forfeit", False)]

    assert list(in_time(paces).items()) == [("24 h, forfeit", "1 of 2"), ("168 h, default", "1 of 1")]


def test_the_time_that_an_outage_gave_back_was_announced(tmp_path: Path) -> None:
    """A forfeited match ends at a deadline that an outage has postponed, and the new deadline was announced."""
    world = World(tmp_path, TITLES, "tests", crash=0.0)
    match = creating.new_match(world.server, "ambush", "tiny", cadence=48, timing={"missed": "forfeit"})
    for seat in record_of(world.server, match).seats:
        take_seat(world.server, match, seat, accounts.open_account(world.server, f"{seat}@people.invalid").id)
    world.now += 3 * HOUR
    outages.record_outage(world.server, world.now - 3 * HOUR, world.now, "the server was away")
    world.tick()
    world.now += 48 * HOUR
    world.tick()
    assert record_of(world.server, match).ended is not None
    assert tempo(world, match) == ("48 h, forfeit", True)
    world.close()
