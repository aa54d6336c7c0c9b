"""The benchmark of a whole match runs, and its counts are right; no test depends on timing."""

from __future__ import annotations

import json

import pytest

from pbem.cli import main
from pbem.titles.registry import TITLES
from pbem.tools.bench import battalion as bench_battalion
from pbem.tools.bench.battalion import Sampled, Spent, flatness, turn_by_turn


def test_flatness_is_the_last_third_against_the_first() -> None:
    assert flatness([2, 2, 9, 9, 1, 1]) == 0.5
    assert flatness([3]) == 1
    assert flatness([1, 2]) == 2


def test_the_exchanges_of_a_turn_count_together() -> None:
    spent = [Spent(1, 1.0, 2.0), Spent(1, 0.5, 1.0), Spent(2, 4.0, 5.0)]
    assert turn_by_turn(spent) == [Spent(1, 1.5, 3.0), Spent(2, 4.0, 5.0)]


def test_looks_are_counted_by_function_and_by_all_that_have_called_it() -> None:
    sampled = Sampled()

    def inner() -> None:
        sampled.look(0, __import__("sys")._getframe())

    for _ in range(4):
        inner()

    shares = sampled.shares()
    name = f"{__name__}.{inner.__qualname__}"
    assert shares["looks"] == 4
    assert shares["modules"] == {__name__: 100.0}
    assert shares["functions"] == {name: "100.0, with all that it calls 100.0"}
    assert sampled.total[f"{__name__}.test_looks_are_counted_by_function_and_by_all_that_have_called_it"] == 4


def test_two_turns_of_a_small_match_are_measured_and_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "panzer", "--battalion", "--scenario", "duel", "--turns", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["scenario"], found["turns"]) == ("duel", 2)
    assert set(found["against_a_copy_of_the_state"]) == {
        "turn",
        "turn_without_bots",
        "replay",
        "opening",
        "view",
        "mail_form",
        "all_orders_checked",
        "one_order_checked",
    }
    assert list(found["milliseconds_by_turn"]) == ["1", "2"]
    assert found["profile"]["functions"]


def test_the_battalion_has_eighty_units_a_side_and_twelve_turns() -> None:
    rules = TITLES["panzer"].rules(TITLES["panzer"].freeze("combined", {}))
    sides = [unit.side for unit in rules.setup(()).vehicles.values()]  # type: ignore[attr-defined]
    assert {side: sides.count(side) for side in sides} == dict.fromkeys(rules.seats, 80)
    assert rules.data.scenario.turns == 12


def test_every_bench_plays_the_same_match() -> None:
    one, two = bench_battalion.same_every_time(), bench_battalion.same_every_time()
    assert [one("a"), one("a")] == [two("a"), two("a")]
    assert one("a") != one("a")
