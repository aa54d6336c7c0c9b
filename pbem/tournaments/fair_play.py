"""Signals of unfair play, for the director's eyes: never a verdict, and never with automatic consequences.

shared mailbox       two entrants whose email goes to the same mailbox
sandbagging          a rating limit, and an entrant rated far below their own best
quick concessions    several matches given up in the first turns
one-way points       two players who met often, with the same winner every time
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.matches.history.replay import record_of
from pbem.matches.server import Server
from pbem.ratings import published
from pbem.tournaments.post.rating_lists import rated_results
from pbem.tournaments.record import Record
from pbem.tournaments.results import turns_played

FELL = 150
"""An entry under a rating limit is a signal if it is at least this far below the player's best rating."""
QUICK_TURNS, QUICK_TIMES = 2, 2
OFTEN = 4


class Signal(msgspec.Struct, frozen=True):
    """Something that a director may want to look into."""

    kind: str
    entrants: tuple[int, ...]
    what: str


def signals(server: Server, record: Record) -> list[Signal]:
    """Return all signals of a tournament."""
    return [
        *shared_mailboxes(server, record),
        *sandbagging(server, record),
        *quick_concessions(server, record),
        *one_way_points(server, record),
    ]


def mailbox(address: str) -> str:
    """Return the mailbox of an address: without its tag, and without dots where the provider ignores them."""
    local, _, domain = address.lower().partition("@")
    local = local.partition("+")[0]
    if domain in ("gmail.com", "googlemail.com"):
        local, domain = local.replace(".", ""), "gmail.com"
    return f"{local}@{domain}"


def shared_mailboxes(server: Server, record: Record) -> Iterator[Signal]:
    """Yield entrants whose addresses belong to the same mailbox."""
    holders = {entrant.account: entrant.number for entrant in record.playing() if entrant.account}
    found: dict[str, list[int]] = {}
    for address, account in server.database.execute("SELECT address, account FROM addresses ORDER BY address"):
        if account in holders and holders[account] not in (own := found.setdefault(mailbox(address), [])):
            own.append(holders[account])
    for numbers in found.values():
        if len(numbers) > 1:
            yield Signal("shared mailbox", tuple(sorted(numbers)), f"{names(record, numbers)} share a mailbox")


def sandbagging(server: Server, record: Record) -> Iterator[Signal]:
    """Yield entrants in a tournament with a rating limit whose rating is far below the best they ever had."""
    newest = published.latest(server, record.settings.title) if record.settings.highest_rating else None
    for entrant in record.playing() if newest else ():
        line = newest.lines.get(entrant.account) if newest else None
        if line is not None and line.best - line.rating.rating >= FELL:
            what = f"{entrant.name} is rated {line.rating.rating} and was once rated {line.best}"
            yield Signal("sandbagging", (entrant.number,), what)


def quick_concessions(server: Server, record: Record) -> Iterator[Signal]:
    """Yield entrants who gave up several matches in their first turns."""
    quick: dict[int, int] = {}
    for (number, pairing), reports in sorted(record.reports.items()):
        result = record.rounds[number].results[pairing]
        if result.kind != "conceded":
            continue
        entrants = next(p.entrants for p in record.rounds[number].pairings if p.number == pairing)
        if any(turns_played(record_of(server, report.match)) <= QUICK_TURNS for report in reports):
            for entrant, verdict in zip(entrants, result.verdicts, strict=True):
                quick[entrant] = quick.get(entrant, 0) + (verdict == "lost")
    for entrant, times in sorted(quick.items()):
        if times >= QUICK_TIMES:
            what = f"{record.entrants[entrant].name} gave up {times} matches within {QUICK_TURNS} turns"
            yield Signal("quick concessions", (entrant,), what)


def one_way_points(server: Server, record: Record) -> Iterator[Signal]:
    """Yield pairs that have met often on this server, in any tournament of the title, always with the same winner."""
    holders = {entrant.account: entrant.number for entrant in record.playing() if entrant.account}
    wins: dict[tuple[str, str], int] = {}
    for result in rated_results(server, record.settings.title):
        if result.one in holders and result.other in holders:
            winner, loser = (result.one, result.other) if result.score == 2 else (result.other, result.one)
            wins[winner, loser] = wins.get((winner, loser), 0) + 1
            if result.score == 1:
                wins[loser, winner] = wins.get((loser, winner), 0) + 1
    for (winner, loser), times in sorted(wins.items()):
        if times >= OFTEN and not wins.get((loser, winner)):
            numbers = (holders[winner], holders[loser])
            one, other = (record.entrants[number].name for number in numbers)
            yield Signal("one-way points", numbers, f"{one} won all {times} matches against {other}")


def names(record: Record, numbers: list[int]) -> str:
    return " and ".join(record.entrants[number].name for number in sorted(numbers))
