"""Ratings of tables with more than two players: a Plackett-Luce model, one list for each title and month.

Each table of a month is rated in order of time, from whole numbers to whole numbers, so a list can be computed again.
These lists are separate from the Glicko-2 lists for matches between two players.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from openskill.models import PlackettLuce

from eventstore import canonical, digest
from pbem.ratings.glicko import SMALLEST_DEVIATION, START, START_DEVIATION, Rating
from pbem.ratings.lists import Listed, RatingList, months

MODEL = PlackettLuce(
    mu=float(START), sigma=float(START_DEVIATION), beta=START_DEVIATION / 2, tau=START_DEVIATION / 100
)


class Seated(msgspec.Struct, frozen=True):
    """The result of one table: accounts with their ranks, 1 for the best; equal ranks are shared."""

    at: int
    month: str
    accounts: tuple[str, ...]
    ranks: tuple[int, ...]
    match: str = ""


def name_of(title: str) -> str:
    """Return the name under which the lists of a title's tables are published."""
    return f"{title}.tables"


def history(title: str, results: Iterable[Seated], upto: str) -> list[RatingList]:
    """Compute every monthly list of a title's tables up to a month."""
    known = sorted((one for one in results if all(one.accounts)), key=lambda one: (one.at, one.match))
    lists: list[RatingList] = []
    for month in months(sorted({result.month for result in known}), upto):
        own = [result for result in known if result.month == month]
        lists.append(publish(lists[-1] if lists else None, name_of(title), month, own))
    return lists


def publish(last: RatingList | None, name: str, month: str, results: Sequence[Seated]) -> RatingList:
    """Return the list for a month from the previous list and the tables of this month."""
    lines = {
        account: msgspec.structs.replace(line, results=0) for account, line in (last.lines if last else {}).items()
    }
    for table in results:
        for account, rating in zip(table.accounts, rate_table(lines, table), strict=True):
            lines[account] = line_of(lines.get(account), account, rating)
    active = sorted(lines[account].rating.rating for account in {one for table in results for one in table.accounts})
    median = active[len(active) // 2] if active else (last.median if last else 0)
    return RatingList(name, month, lines, digest(canonical(list(results))), median)


def rate_table(lines: dict[str, Listed], table: Seated) -> list[Rating]:
    """Return the ratings of a table's players after that table."""
    before = [lines[account].rating if account in lines else Rating() for account in table.accounts]
    teams = [[MODEL.rating(mu=float(one.rating), sigma=float(one.deviation))] for one in before]
    after = MODEL.rate(teams, ranks=[float(rank) for rank in table.ranks])
    return [
        msgspec.structs.replace(own, rating=round(new.mu), deviation=max(SMALLEST_DEVIATION, round(new.sigma)))
        for own, [new] in zip(before, after, strict=True)
    ]


def line_of(before: Listed | None, account: str, rating: Rating) -> Listed:
    """Return a player's line with one more table."""
    best = max(before.best if before else 0, 0 if rating.provisional else rating.rating)
    return Listed(account, rating, (before.results if before else 0) + 1, best)
