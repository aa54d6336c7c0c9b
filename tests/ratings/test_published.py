"""A server publishes rating lists once a month from rated tournament matches, and corrects them by new lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.hall import Hall

from pbem.engine.rules.title import Submission
from pbem.matches import unit_of_work
from pbem.matches.exchange import closing, resolving, sealing
from pbem.matches.history.replay import load, record_of
from pbem.matches.players import endings
from pbem.matches.post import notifications
from pbem.matches.rulings import rulings
from pbem.ratings import published
from pbem.ratings.lists import history
from pbem.tournaments import entries
from pbem.tournaments.post import rating_lists


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """Make a tournament of two players with one finished match, which was conceded after the first turn."""
    hall = Hall(tmp_path)
    hall.open(2, rounds=2)
    hall.round()
    _play_a_turn(hall)
    hall.finish_round()
    return hall


def _play_a_turn(hall: Hall) -> None:
    match = hall.match(1)
    while load(hall.server, match).run.state.turn < 2:
        position = load(hall.server, match)
        exchange = position.record.open_exchange
        for seat in position.asked:
            sealing.seal(hall.server, match, seat, exchange, Submission({}), final=True)
        closing.close(hall.server, match, exchange=exchange, why="final")
        resolving.resolve(hall.server, match)


def test_a_list_is_published_when_the_month_is_over(hall: Hall) -> None:
    assert published.latest(hall.server, "ambush") is None
    hall.tick(days=40)
    newest = published.latest(hall.server, "ambush")

    assert newest is not None and newest.month == "2030-03"
    ratings = sorted(line.rating.rating for line in newest.lines.values())
    assert ratings[0] < 1500 < ratings[1]


def test_recomputed_is_published(hall: Hall) -> None:
    hall.tick(days=40)
    results = rating_lists.rated_results(hall.server, "ambush")

    assert history("ambush", results, "2030-03")[-1] == published.latest(hall.server, "ambush")


def test_nothing_is_published_twice(hall: Hall) -> None:
    hall.tick(days=40)
    before = hall.server.store.version("ratings/ambush")
    hall.tick(days=2)
    hall.tick(days=2)

    assert hall.server.store.version("ratings/ambush") == before == 1


def test_a_correction_gives_a_new_list_for_the_old_month(hall: Hall) -> None:
    hall.tick(days=40)
    before = published.lists(hall.server, "ambush")["2030-03"]
    match = hall.match(1)
    rulings.reopen(hall.server, match, after=2, reason="wrong map", by=hall.max)
    record = record_of(hall.server, match)
    unit_of_work.append(hall.server, record, endings.concede(hall.server, record, "red"), "concede")
    notifications.catch_up(hall.server)
    hall.tick()
    hall.tick(days=31)
    after = published.lists(hall.server, "ambush")["2030-03"]

    assert after.results != before.results
    events = hall.server.store.read("ratings/ambush")
    assert [event.payload["corrects"] for event in events] == [False, True, False]


def test_a_match_conceded_in_turn_one_is_not_rated(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.open(2, rounds=1)
    hall.round()
    hall.finish_round()

    assert rating_lists.rated_results(hall.server, "ambush") == []


def test_an_entry_takes_the_published_rating(hall: Hall) -> None:
    hall.tick(days=40)
    hall.open(0, name="Winter Cup")
    entries.enter(hall.server, hall.id, hall.player(1))
    line = published.line_of(hall.server, "ambush", hall.player(1))

    assert line is not None
    assert hall.record.entrants[1].rating == line.rating.rating


def test_the_balance_of_a_scenario_says_when_there_are_too_few(hall: Hall) -> None:
    [found] = rating_lists.balances(hall.server, "ambush")

    assert (found.scenario, found.sides) == ("tiny", ("blue", "red"))
    assert found.sentence == "1 result: too few to say"
