"""Each finished match is counted once in the dice totals of the server, and never while a page waits."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support.playing import a_match, a_server, play

from pbem.matches import dice_totals
from pbem.matches.audit.fairness import rolls_of_match
from pbem.matches.history.replay import record_of
from pbem.matches.rulings import rulings
from pbem.matches.server import Server

IDS = ("aaaaaaaa", "bbbbbbbb", "cccccccc")


def counted(server: Server) -> dict[int, list[int]]:
    return {tally.sides: tally.counts for tally in dice_totals.figures(server)["tallies"]}


def rolled(server: Server, *matches: str) -> dict[int, list[int]]:
    faces: dict[int, Counter[int]] = {}
    for match in matches:
        for roll in rolls_of_match(server, record_of(server, match)):
            faces.setdefault(roll.sides, Counter())[roll.result] += 1
    return {sides: [found[face] for face in range(1, sides + 1)] for sides, found in faces.items()}


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return a_server(tmp_path, 3)


def test_matches_that_are_over_are_counted_once(server: Server) -> None:
    first, second, running = (a_match(server, scenario="small", match=id) for id in IDS)
    for match in (first, second):
        play(server, match, 5)
    assert dice_totals.figures(server) == {"matches": 0, "rolls": 0, "tallies": []}
    assert dice_totals.catch_up(server, most=1), "the second match is waiting"
    assert not dice_totals.catch_up(server) and not dice_totals.catch_up(server)
    assert not record_of(server, running).ended
    assert dice_totals.figures(server)["matches"] == 2
    assert counted(server) == rolled(server, first, second) != {}


def test_a_match_that_a_ruling_reopens_is_counted_again(server: Server) -> None:
    match = a_match(server, scenario="small")
    play(server, match, 5)
    dice_totals.catch_up(server)
    rulings.reopen(server, match, after=1, reason="an order was misread", by="gm")
    dice_totals.catch_up(server)
    assert dice_totals.figures(server) == {"matches": 0, "rolls": 0, "tallies": []}
    play(server, match, 6)
    dice_totals.catch_up(server)
    assert dice_totals.figures(server)["matches"] == 1 and counted(server) == rolled(server, match) != {}


def test_a_match_that_cannot_be_read_stops_no_other(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, sound = (a_match(server, scenario="small", match=id) for id in IDS[:2])
    for match in (broken, sound):
        play(server, match, 5)
    read = dice_totals.record_of

    def failing(server: Server, match: str) -> object:
        if match == broken:
            raise ValueError("a part is damaged")
        return read(server, match)

    monkeypatch.setattr(dice_totals, "record_of", failing)
    assert not dice_totals.catch_up(server)
    assert counted(server) == rolled(server, sound)
