"""Rated results of tournaments, the monthly rating lists made from them, and the balance of scenarios."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from pbem.matches.server import Server
from pbem.ratings import lists, published, tables
from pbem.ratings.balance import Balance, Played, balance, handicap_for
from pbem.ratings.glicko import Rating
from pbem.ratings.lists import Rated, RatingList
from pbem.tournaments import stream
from pbem.tournaments.model import Pairing
from pbem.tournaments.record import Record
from pbem.tournaments.results import leg_verdicts
from pbem.tournaments.rounds import player_of

SCORES = {"won": 2, "drawn": 1, "lost": 0}


def month_of(at: int) -> str:
    return f"{datetime.fromtimestamp(at // 1000, UTC):%Y-%m}"


def month_before(at: int) -> str:
    """Return the last complete month."""
    here = datetime.fromtimestamp(at // 1000, UTC)
    year, month = (here.year - 1, 12) if here.month == 1 else (here.year, here.month - 1)
    return f"{year:04}-{month:02}"


def rated_results(server: Server, title: str) -> list[Rated]:
    """Return every rated match of a title's tournaments, with the corrections that are in force."""
    return [
        result
        for one in stream.all_tournaments(server)
        if one.title == title
        for result in of_tournament(stream.read(server, one.id))
    ]


def of_tournament(record: Record) -> list[Rated]:
    """Return the rated matches of one tournament: those whose result came from the match itself."""
    found: list[Rated] = []
    for round in record.rounds.values():
        for pairing in round.pairings:
            result = round.results.get(pairing.number)
            if result is not None and result.rated and len(pairing.entrants) == 2:
                found += _of_pairing(record, round.number, pairing)
    return found


def _of_pairing(record: Record, number: int, pairing: Pairing) -> list[Rated]:
    at = record.recorded_at[number, pairing.number]
    legs = {leg.number: leg for leg in pairing.legs}
    found = []
    for report in record.reports.get((number, pairing.number), ()):
        leg = legs[report.leg]
        verdicts = leg_verdicts(leg, report.outcome)
        (first, one), (second, other) = list(leg.sides.items())[:2]
        accounts = player_of(record, one, leg.board), player_of(record, other, leg.board)
        score = SCORES[verdicts[one]]
        found.append(
            Rated(at, month_of(at), *accounts, score, report.match, leg.scenario, (first, second), leg.handicap)
        )
    return found


def publish_due(server: Server, now: int) -> list[RatingList]:
    """Publish the rating lists of all titles up to the last complete month."""
    upto = month_before(now)
    made: list[RatingList] = []
    for title in sorted({one.title for one in stream.all_tournaments(server)}):
        newest = published.latest(server, title)
        if newest is None or newest.month < upto:
            made += published.publish(server, title, lists.history(title, rated_results(server, title), upto))
        name = tables.name_of(title)
        newest = published.latest(server, name)
        if newest is None or newest.month < upto:
            made += published.publish(server, name, tables.history(title, seated_results(server, title), upto))
    return made


def seated_results(server: Server, title: str) -> list[tables.Seated]:
    """Return every rated table of several players in a title's tournaments."""
    return [
        result
        for one in stream.all_tournaments(server)
        if one.title == title
        for result in tables_of_tournament(stream.read(server, one.id))
    ]


def tables_of_tournament(record: Record) -> list[tables.Seated]:
    """Return the rated tables of one tournament; the title's score ranks the players."""
    found: list[tables.Seated] = []
    for round in record.rounds.values():
        for pairing in round.pairings:
            result = round.results.get(pairing.number)
            if result is None or not result.rated or len(pairing.entrants) < 3 or not result.scores:
                continue
            at = record.recorded_at[round.number, pairing.number]
            accounts = tuple(player_of(record, number, 1) for number in pairing.entrants)
            ranks = tuple(1 + sum(other > score for other in result.scores) for score in result.scores)
            reports = record.reports.get((round.number, pairing.number), ())
            found.append(tables.Seated(at, month_of(at), accounts, ranks, reports[0].match if reports else ""))
    return found


# Balance ----------------------------------------------------------------------------------------------------------


class ScenarioBalance(msgspec.Struct, frozen=True):
    """The balance of a scenario with one handicap, and the step that could be offered to even it out."""

    scenario: str
    sides: tuple[str, str]
    handicap: str
    found: Balance
    step: int

    @property
    def sentence(self) -> str:
        return self.found.sentence(*self.sides)


def balances(server: Server, title: str) -> list[ScenarioBalance]:
    """Return the balance of every scenario played in tournaments, with handicapped matches separate."""
    newest = published.latest(server, title)
    groups: dict[tuple[str, tuple[str, str], str], list[Played]] = {}
    for result in rated_results(server, title):
        played = Played(result.score, _rating(newest, result.one), _rating(newest, result.other), result.handicap)
        groups.setdefault((result.scenario, result.sides, result.handicap), []).append(played)
    found = []
    for (scenario, sides, handicap), results in sorted(groups.items()):
        even = balance(results, handicap)
        found.append(ScenarioBalance(scenario, sides, handicap, even, handicap_for(even, 5)))
    return found


def _rating(newest: RatingList | None, account: str) -> Rating:
    line = newest.lines.get(account) if newest else None
    return line.rating if line else Rating()
