"""Signals of unfair play: which behaviour raises one, and which does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.hall import Hall

from pbem.matches.accounts import accounts
from pbem.ratings import published
from pbem.ratings.glicko import Rating
from pbem.ratings.lists import Listed, Rated, RatingList
from pbem.tournaments import entries, fair_play


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


def kinds(hall: Hall) -> list[tuple[str, tuple[int, ...]]]:
    return [(signal.kind, signal.entrants) for signal in fair_play.signals(hall.server, hall.record)]


def test_an_honest_tournament_raises_nothing(hall: Hall) -> None:
    hall.open(4, rounds=1)
    hall.round()
    hall.finish_round()
    assert kinds(hall) == []


def test_two_entrants_with_one_mailbox(hall: Hall) -> None:
    hall.open(2)
    for address in ("ann.archer+pbem@gmail.com", "annarcher@googlemail.com"):
        account = accounts.open_account(hall.server, address).id
        entries.enter(hall.server, hall.id, account)
    assert kinds(hall) == [("shared mailbox", (3, 4))]


def test_an_entrant_under_the_limit_who_was_far_above_it(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    hall.open(2, highest_rating=2100)
    low = Listed(hall.player(1), Rating(1450, 60), 5, 1620)
    fine = Listed(hall.player(2), Rating(1450, 60), 5, 1500)
    newest = RatingList("ambush", "2030-02", {line.account: line for line in (low, fine)})
    monkeypatch.setattr(published, "latest", lambda server, title: newest)
    assert kinds(hall) == [("sandbagging", (1,))]


def test_matches_given_up_at_once_several_times(hall: Hall) -> None:
    hall.open(4, rounds=3)
    for _ in range(2):
        hall.round()
        last = hall.record.last_round
        assert last is not None
        for pairing in last.pairings:
            loser = next((side for side, number in pairing.legs[0].sides.items() if number == 4), "blue")
            hall.concede(pairing.number, loser)
        hall.tick()
        hall.close()
    assert ("quick concessions", (4,)) in kinds(hall)


def test_points_that_always_flow_one_way(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    hall.open(3)
    one, other, third = (hall.player(number) for number in (1, 2, 3))
    results = [Rated(at, "2030-02", one, other, 2) for at in range(4)]
    results += [Rated(at, "2030-02", one, third, score) for at, score in enumerate((2, 2, 2, 2, 0))]
    monkeypatch.setattr(fair_play, "rated_results", lambda server, title: results)
    assert kinds(hall) == [("one-way points", (1, 2))]
    drawn = [Rated(9, "2030-02", other, one, 1)]
    monkeypatch.setattr(fair_play, "rated_results", lambda server, title: results + drawn)
    assert kinds(hall) == []
