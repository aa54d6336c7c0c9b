"""Pair a round by the tournament's format, and list the legs of every pairing."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import say
from pbem.tournaments.model import Leg, Pairing, Settings
from pbem.tournaments.pairing import berger, dutch, knock_out, own, several
from pbem.tournaments.pairing.field import Draw, Field, Pairer
from pbem.tournaments.pairing.large import Large
from pbem.tournaments.ranking.crosstable import field, seed_order
from pbem.tournaments.ranking.standings import pool_rounds, qualifiers, rounds_of_elimination
from pbem.tournaments.record import Paired, Record

LARGEST_DUTCH = 256


def pairer_for(players: int) -> Pairer:
    """Return the Swiss pairer for a field of this size."""
    return dutch.Dutch() if dutch.AVAILABLE and players <= LARGEST_DUTCH else Large()


def rounds_of(record: Record) -> int:
    """Return how many rounds the tournament has, by its format and its entrants."""
    settings, count = record.settings, len(record.seeds) or len(record.playing())
    if settings.format == "round_robin":
        return berger.rounds_needed(count, settings.double)
    if settings.format == "knock_out":
        return knock_out.rounds_needed(count)
    if settings.format == "pools":
        return pool_rounds(record) + knock_out.rounds_needed(settings.pools * settings.advance)
    return settings.rounds


def draw(record: Record, number: int, listed: Sequence[tuple[int, ...]] = ()) -> tuple[Draw, Field]:
    """Pair a round by the tournament's format; the format `own` uses the pairings `listed` by the director."""
    there = field(record, number)
    settings = record.settings
    if settings.format == "own":
        return own.pair(there, listed), there
    if settings.format == "ladder":
        challenge = record.challenges[number]
        return Draw(((challenge.challenger, challenge.target),), (), "ladder", "1"), there
    if settings.format == "several":
        return several.pair(there, settings.table_size), there
    if settings.format == "round_robin":
        return berger.pair(there, settings.double), there
    if settings.format == "knock_out":
        return _knock_out(record, seed_order(record), number, 0), there
    if settings.format == "pools":
        first = pool_rounds(record)
        if number <= first:
            return berger.pair_pools(there, settings.pools, settings.double), there
        return _knock_out(record, qualifiers(record), number, first), there
    return pairer_for(len(there.active())).pair(there), there


def _knock_out(record: Record, seeds: list[int], number: int, before: int) -> Draw:
    rounds = [r for r in sorted(record.rounds) if before < r < number]
    for r in rounds:
        if record.rounds[r].open_pairings():
            raise Illegal(
                "pairing", [Objection("tournament/knock-out", say("round {r} has matches without a result", r=r))]
            )
    return knock_out.pair(number - before, seeds, rounds_of_elimination(record, rounds), record.settings.third_place)


def pair_draw(record: Record, drawn: Draw, scenario: str, sides: Sequence[str]) -> Paired:
    """Return the pairings of a draw with their legs, ready for `round.paired`."""
    groups = drawn.groups or ("",) * len(drawn.pairs)
    pairings = tuple(
        Pairing(at, entrants, legs(record.settings, entrants, scenario, sides), groups[at - 1])
        for at, entrants in enumerate(drawn.pairs, 1)
    )
    return Paired(pairings, drawn.byes, tuple(seed_order(record)), drawn.reasons)


def legs(settings: Settings, entrants: Sequence[int], scenario: str, sides: Sequence[str]) -> tuple[Leg, ...]:
    """Return the matches of a pairing: one for each board, or two with sides exchanged if mirrored."""
    found: list[Leg] = []
    for board in range(1, settings.boards + 1):
        order = list(entrants) if board % 2 else list(reversed(entrants))
        found.append(Leg(len(found) + 1, dict(zip(sides, order, strict=False)), scenario, board))
        if settings.sides == "mirror":
            turned = dict(zip(sides, reversed(order), strict=False))
            found.append(Leg(len(found) + 1, turned, scenario, board))
    return tuple(found)


def problems(record: Record, number: int, pairings: Sequence[Pairing]) -> list[str]:
    """Return every hard rule that these pairings break; used by `verify` and for the director's changes."""
    names = {n: entrant.name for n, entrant in record.entrants.items()}
    found: list[str] = []
    seen: dict[int, int] = {}
    before = field(record, number)
    met = {player.number: player.met for player in before.players}
    for pairing in pairings:
        for entrant in pairing.entrants:
            if entrant not in names:
                found.append(f"board {pairing.number} names entrant {entrant}, who does not exist")
            elif entrant in seen:
                found.append(f"{names[entrant]} is on boards {seen[entrant]} and {pairing.number}")
            seen[entrant] = pairing.number
        if len(pairing.entrants) == 2:
            one, other = pairing.entrants
            if record.settings.format == "swiss" and other in met.get(one, ()):
                found.append(f"{names[one]} and {names[other]} have met before")
            if (min(one, other), max(one, other)) in record.forbidden:
                found.append(f"{names[one]} and {names[other]} must not meet")
    return found
