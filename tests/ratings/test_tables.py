"""Ratings of multi-player tables."""

from __future__ import annotations

from pbem.ratings.tables import Seated, history, name_of


def table(at: int, month: str, *ranks: int) -> Seated:
    return Seated(at, month, ("ann", "bob", "cem"), ranks, f"m{at}")


def test_the_winner_of_a_table_gains_and_the_last_loses() -> None:
    [newest] = history("ambush", [table(1, "2030-03", 1, 2, 3)], "2030-03")
    ratings = {account: line.rating.rating for account, line in newest.lines.items()}
    assert ratings["ann"] > ratings["bob"] > ratings["cem"]
    assert newest.title == name_of("ambush") == "ambush.tables"
    assert all(line.rating.deviation < 350 for line in newest.lines.values())


def test_a_shared_rank_is_rated_alike() -> None:
    [newest] = history("ambush", [table(1, "2030-03", 1, 2, 2)], "2030-03")
    assert newest.lines["bob"].rating == newest.lines["cem"].rating


def test_lists_follow_month_by_month_and_come_out_the_same_again() -> None:
    results = [table(1, "2030-03", 1, 2, 3), table(2, "2030-05", 3, 1, 2), table(3, "2030-05", 1, 3, 2)]
    lists = history("ambush", results, "2030-06")
    assert [one.month for one in lists] == ["2030-03", "2030-04", "2030-05", "2030-06"]
    assert lists == history("ambush", reversed(results), "2030-06")
    assert lists[2].lines["ann"].results == 2 and lists[3].lines["ann"].results == 0
    assert lists[1].lines["ann"].rating == lists[0].lines["ann"].rating


def test_a_table_with_somebody_without_an_account_is_not_rated() -> None:
    assert history("ambush", [Seated(1, "2030-03", ("ann", "", "cem"), (1, 2, 3))], "2030-03") == []
