"""Recorded matches give the same board after each turn when replayed with the same orders and dice.

A quick run (`-m "not slow"`) replays one match in seven, the test command about 80, and `cd tests && python -m
programs.boards --check` all 200.
"""

from __future__ import annotations

import msgspec
import pytest
from programs.boards import GROUPS, Different, check, everyday, match_of, names, recorded

from pbem.titles.registry import TITLES

CASES = [
    pytest.param(name, marks=[] if number % 7 == 0 else [pytest.mark.slow]) for number, name in enumerate(everyday())
]


@pytest.mark.parametrize("name", CASES)
def test_a_recorded_match_gives_the_same_boards(name: str) -> None:
    check(match_of(name))


def test_there_are_200_matches_of_every_scenario_edition_and_value_of_reactions() -> None:
    assert len(names()) == 200 == len(set(names()))
    played = {
        (match.title, match.scenario, match.options.get("edition"), match.reactions)
        for group in GROUPS
        for match in recorded(group)
    }
    for title, editions in (("panzer", ("2024", "2016")), ("tanks", (None,))):
        for scenario in TITLES[title].scenarios:
            wanted = {(title, scenario, edition, how) for edition in editions for how in ("plan", "ask")}
            assert wanted <= played


def test_a_board_that_differs_is_told_by_match_turn_unit_and_field() -> None:
    match = msgspec.json.decode(msgspec.json.encode(match_of("panzer-duel/0")), type=type(match_of("panzer-duel/0")))
    board = match.boards[1][1]
    board["units"]["br1"]["facing"] += 6
    with pytest.raises(Different, match=r"panzer-duel/0(.|\n)*turn 2 begins:\n  units br1 facing: was \d+, is \d$"):
        check(match)


def test_orders_that_the_rules_no_longer_accept_are_told_with_the_refusal() -> None:
    match = msgspec.json.decode(msgspec.json.encode(match_of("panzer-duel/0")), type=type(match_of("panzer-duel/0")))
    asked, _ = match.orders[0]["german"]
    match.orders[0]["german"] = (asked, "ge1 fly A1")
    with pytest.raises(Different, match="turn 1, exchange 1: the orders of german are refused"):
        check(match)
