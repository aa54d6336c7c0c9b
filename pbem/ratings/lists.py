"""Rating lists: one for each title and month, from the results that count.

    rated_results  the rated results: at most four a year between the same two players
    publish      the next list from the last one and the results of a month

These functions are pure. A list names the hash of the results it was made from; a correction makes a new list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from eventstore import canonical, digest
from pbem.ratings.glicko import Encounter, Rating, rate

A_YEAR_BETWEEN_TWO = 4


class Rated(msgspec.Struct, frozen=True):
    """One result between two accounts: `score` is the first account's, from 0 to 2."""

    at: int
    month: str
    one: str
    other: str
    score: int
    match: str = ""
    scenario: str = ""
    sides: tuple[str, str] = ("", "")
    handicap: str = ""


class Listed(msgspec.Struct, frozen=True):
    """A player's line in a list."""

    account: str
    rating: Rating
    results: int
    """The number of results in this month."""
    best: int
    """The best rating so far that was not provisional; used for entry limits."""


class RatingList(msgspec.Struct, frozen=True):
    """The ratings of a title after a month."""

    title: str
    month: str
    lines: dict[str, Listed] = {}
    results: str = ""
    """The hash of the results of this month."""
    median: int = 0
    """The median rating of active players, which shows inflation."""


def rated_results(results: Iterable[Rated]) -> list[Rated]:
    """Return the results that are rated, in chronological order."""
    pairs: dict[tuple[str, frozenset[str]], int] = {}
    found: list[Rated] = []
    for result in sorted(results, key=lambda result: (result.at, result.match, result.one)):
        if result.one == result.other or not result.one or not result.other:
            continue
        pair = (result.month[:4], frozenset((result.one, result.other)))
        pairs[pair] = pairs.get(pair, 0) + 1
        if pairs[pair] <= A_YEAR_BETWEEN_TWO:
            found.append(result)
    return found


def publish(last: RatingList | None, title: str, month: str, results: Sequence[Rated]) -> RatingList:
    """Return the list of a month. `results` are all counted results; only those of the month are used."""
    own = [result for result in results if result.month == month]
    before = last.lines if last else {}
    encounters = _encounters(before, own)
    accounts = sorted({*before, *encounters})
    lines = {account: _line(before.get(account), account, encounters.get(account, [])) for account in accounts}
    active = sorted(lines[account].rating.rating for account in encounters)
    median = active[len(active) // 2] if active else (last.median if last else 0)
    return RatingList(title, month, lines, digest(canonical(own)), median)


def _encounters(before: Mapping[str, Listed], results: Sequence[Rated]) -> dict[str, list[Encounter]]:
    found: dict[str, list[Encounter]] = {}
    for result in results:
        one, other = _rating(before, result.one), _rating(before, result.other)
        found.setdefault(result.one, []).append(Encounter(other, result.score))
        found.setdefault(result.other, []).append(Encounter(one, 2 - result.score))
    return found


def _rating(before: Mapping[str, Listed], account: str) -> Rating:
    return before[account].rating if account in before else Rating()


def _line(before: Listed | None, account: str, encounters: list[Encounter]) -> Listed:
    rating = rate(before.rating if before else Rating(), encounters)
    best = max(before.best if before else 0, 0 if rating.provisional else rating.rating)
    return Listed(account, rating, len(encounters), best)


def history(title: str, results: Iterable[Rated], upto: str) -> list[RatingList]:
    """Compute every monthly list up to a month from all results."""
    rated = rated_results(results)
    lists: list[RatingList] = []
    for month in months(sorted({result.month for result in rated}), upto):
        lists.append(publish(lists[-1] if lists else None, title, month, rated))
    return lists


def months(known: Sequence[str], upto: str) -> Iterable[str]:
    """Every month from the first with a result up to the last, including quiet ones."""
    if not known or known[0] > upto:
        return
    year, month = map(int, known[0].split("-"))
    while (name := f"{year:04}-{month:02}") <= upto:
        yield name
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)


def entry_rating(listed: Listed | None) -> int:
    """Return the rating used for entry limits: at most 150 below the best, to prevent sandbagging."""
    if listed is None:
        return 0
    return max(listed.rating.rating, listed.best - 150)
