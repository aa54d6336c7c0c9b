"""Tests of Glicko-2, rating lists and the balance of scenarios."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ratings.balance import Balance, Played, balance, handicap_for, wilson
from pbem.ratings.glicko import Encounter, Rating, rate
from pbem.ratings.lists import Rated, entry_rating, history, rated_results


def test_glickmans_worked_example() -> None:
    """A 1500 player who meets 1400, 1550 and 1700 gets rating 1464.06, deviation 151.52 and volatility 0.05999."""
    met = [Encounter(Rating(1400, 30), 2), Encounter(Rating(1550, 100), 0), Encounter(Rating(1700, 300), 0)]

    assert rate(Rating(1500, 200), met) == Rating(1464, 152, 59996)


def test_the_example_moved_up_by_a_thousand_gives_the_same_changes() -> None:
    """Glickman's example at ratings 1000 higher gives the same changes, so rating and deviation are not confused."""
    met = [Encounter(Rating(2400, 30), 2), Encounter(Rating(2550, 100), 0), Encounter(Rating(2700, 300), 0)]

    assert rate(Rating(2500, 200), met) == Rating(2464, 152, 59996)


def test_a_quiet_month_only_makes_a_rating_less_certain() -> None:
    rated = rate(Rating(1600, 100), [])

    assert rated.rating == 1600
    assert 100 < rated.deviation <= 101


@given(own=st.integers(800, 2600), other=st.integers(800, 2600), deviation=st.integers(45, 350))
def test_a_win_never_costs_points_and_more_is_never_less(own: int, other: int, deviation: int) -> None:
    player = Rating(own, deviation)
    by_score = [rate(player, [Encounter(Rating(other, 80), score)]).rating for score in (0, 1, 2)]

    assert by_score[0] <= own <= by_score[2]
    assert by_score == sorted(by_score)


def result(at: int, one: str, other: str, score: int = 2, month: str = "2030-01") -> Rated:
    return Rated(at, month, one, other, score, match=f"m{at}")


def test_at_most_four_results_a_year_count_between_the_same_two() -> None:
    many = [result(at, *(("ann", "bob") if at % 2 else ("bob", "ann"))) for at in range(7)]

    assert [r.at for r in rated_results(many)] == [0, 1, 2, 3]
    assert len(rated_results([*many, result(9, "ann", "bob", month="2031-01")])) == 5


def test_lists_computed_again_are_equal_in_any_order_of_results() -> None:
    results = [result(at, f"p{at % 5}", f"p{(at * 3 + 1) % 5}", at % 3, f"2030-0{1 + at % 3}") for at in range(40)]

    first = history("toy", results, "2030-04")
    assert first == history("toy", list(reversed(results)), "2030-04")
    assert [entry.month for entry in first] == ["2030-01", "2030-02", "2030-03", "2030-04"]


def test_a_correction_gives_a_new_list_with_another_hash() -> None:
    results = [result(1, "ann", "bob"), result(2, "ann", "cem")]
    before = history("toy", results, "2030-01")[0]
    after = history("toy", [results[0], result(2, "ann", "cem", 0)], "2030-01")[0]

    assert before.results != after.results
    assert before.lines["ann"].rating.rating > after.lines["ann"].rating.rating


def test_losing_on_purpose_lowers_the_entry_rating_by_150_at_most() -> None:
    wins = [result(at, "ann", f"q{at}", 2, f"20{30 + at // 12}-{1 + at % 12:02}") for at in range(30)]
    losses = [result(100 + at, "ann", f"r{at}", 0, f"20{33 + at // 12}-{1 + at % 12:02}") for at in range(40)]
    lists = history("toy", [*wins, *losses], "2036-12")
    best = max(entry.lines["ann"].rating.rating for entry in lists if not entry.lines["ann"].rating.provisional)

    assert entry_rating(lists[-1].lines["ann"]) >= best - 150


@pytest.mark.parametrize(("share", "count"), [(500, 20), (600, 100), (900, 30), (0, 25), (1000, 25)])
def test_the_interval_is_wilsons(share: int, count: int) -> None:
    p, z = share / 1000, 1.96
    middle = (p + z * z / (2 * count)) / (1 + z * z / count)
    spread = z / (1 + z * z / count) * sqrt(p * (1 - p) / count + z * z / (4 * count * count))

    low, high = wilson(share, 1000 * count)
    assert abs(low - 1000 * (middle - spread)) <= 1
    assert abs(high - 1000 * (middle + spread)) <= 1


def test_under_twenty_results_nothing_is_said() -> None:
    found = balance([Played(2)] * 19)

    assert found.sentence("red", "blue") == "19 results: too few to say"
    assert handicap_for(found, 4) == 0


def test_a_lopsided_scenario_is_named_and_a_handicap_offered() -> None:
    found = balance([Played(2)] * 80 + [Played(0)] * 20)

    assert found.sentence("red", "blue").endswith("favours red")
    assert handicap_for(found, 5) == 5
    assert handicap_for(Balance(50, 520, 400, 640, 50_000), 5) == 0


def test_wins_of_much_stronger_players_weigh_little_and_handicaps_are_counted_apart() -> None:
    expert, novice = Rating(2200, 50), Rating(1200, 50)
    even = [Played(at % 2 * 2) for at in range(40)]

    found = balance([*even, *[Played(2, expert, novice)] * 40])
    assert 490 <= found.share <= 520
    assert balance([*even, *[Played(0, handicap="1")] * 30]).share == balance(even).share
