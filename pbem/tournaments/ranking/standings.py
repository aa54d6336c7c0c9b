"""Standings: places by points and tie-breaks, every number explained. Pure and in whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from pbem.tournaments.pairing.berger import rounds_needed, snake
from pbem.tournaments.ranking.crosstable import Line, Lines, lines, seed_order
from pbem.tournaments.ranking.tie_breaks import TIE_BREAKS, Context, Value, context, hundredths_in_words
from pbem.tournaments.record import Record


class Standing(msgspec.Struct, frozen=True):
    """A place in the standings. Entrants who are still equal after all tie-breaks share a place."""

    place: int
    entrant: int
    name: str
    points: int
    played: int
    tie_breaks: tuple[Value, ...]
    lines: tuple[Line, ...]
    note: str = ""

    def explained(self) -> list[str]:
        """Return every number of this standing written out as a sum."""
        terms = " + ".join(hundredths_in_words(10 * line.points) for line in self.lines if line.kind != "open") or "0"
        return [
            f"Points: {hundredths_in_words(10 * self.points)} = {terms}",
            *(value.explained() for value in self.tie_breaks),
        ]


def standings(record: Record, upto: int | None = None) -> list[Standing]:
    """Return all places after a round (by default after the last one)."""
    table = lines(record, upto)
    names = {number: entrant.name for number, entrant in record.entrants.items()}
    there = context(table, record.settings.points, names, record.settings.margin_cap)
    entrants = [entrant.number for entrant in record.took_part()]
    if record.settings.format == "knock_out":
        return _in_order(there, record, _knock_out_groups(record, entrants))
    if record.settings.format == "ladder":
        return _in_order(there, record, [[number] for number in record.places])
    if record.settings.format == "pools":
        return _in_order(there, record, _pool_groups(there, record, entrants, table))
    return _in_order(there, record, _by_points(there, record, entrants))


def _by_points(there: Context, record: Record, entrants: Sequence[int]) -> list[list[int]]:
    groups = _split(entrants, lambda number: there.totals[number])
    for name in record.settings.tie_breaks:
        groups = [part for group in groups for part in _break_tie(there, name, group)]
    if record.settings.lots and record.lots:
        groups = [[number] for group in groups for number in sorted(group, key=record.lots.index)]
    return groups


def _break_tie(there: Context, name: str, group: list[int]) -> list[list[int]]:
    """Split a group of equal entrants by one tie-break."""
    if len(group) == 1:
        return [group]
    if name == "direct_encounter":
        there.tied.update(dict.fromkeys(group, tuple(group)))
    return _split(group, lambda number: TIE_BREAKS[name](there, number, group).value)


def _split(entrants: Sequence[int], key: Callable[[int], int]) -> list[list[int]]:
    """Return groups of entrants with equal keys, highest first; within a group by entry number."""
    groups: dict[int, list[int]] = {}
    for number in sorted(entrants):
        groups.setdefault(key(number), []).append(number)
    return [groups[value] for value in sorted(groups, reverse=True)]


def _in_order(there: Context, record: Record, groups: list[list[int]]) -> list[Standing]:
    found: list[Standing] = []
    for group in groups:
        place = len(found) + 1
        found += [_standing(there, record, place, number) for number in group]
    return found


def _standing(there: Context, record: Record, place: int, number: int) -> Standing:
    entrant, own = record.entrants[number], there.lines[number]
    tied = there.tied.get(number, (number,))
    values = tuple(TIE_BREAKS[name](there, number, tied) for name in record.settings.tie_breaks)
    notes = []
    if entrant.replaced:
        notes.append("replacement")
    if entrant.state == "withdrawn":
        notes.append("withdrawn")
    played = sum(line.played for line in own)
    return Standing(place, number, entrant.name, there.totals[number], played, values, own, ", ".join(notes))


# Knock-out and pools -------------------------------------------------------------------------------------------


def rounds_of_elimination(record: Record, rounds: Sequence[int]) -> dict[int, int]:
    """Return the round in which each entrant went out, counting the first knock-out round as 1."""
    out: dict[int, int] = {}
    for at, number in enumerate(rounds, 1):
        round = record.rounds[number]
        for pairing in round.pairings:
            if pairing.group == "third place" or pairing.number not in round.results:
                continue
            through = advancing(record, number, pairing.number)
            for entrant in pairing.entrants:
                if entrant != through:
                    out.setdefault(entrant, at)
    for left in record.entrants.values():
        if left.state == "withdrawn" and left.gone_after is not None:
            out.setdefault(left.number, sum(number <= left.gone_after for number in rounds))
    return out


def advancing(record: Record, number: int, pairing: int) -> int | None:
    """Return who advances from a pairing, by its verdict or by the announced decider; None after a double loss."""
    round = record.rounds[number]
    pair = next(p for p in round.pairings if p.number == pairing)
    result = round.results[pairing]
    for entrant, verdict in zip(pair.entrants, result.verdicts, strict=True):
        if verdict == "won":
            return entrant
    if "drawn" not in result.verdicts:
        return None
    return winner_of_drawn(record, pair.entrants, result.scores)


def winner_of_drawn(record: Record, entrants: Sequence[int], scores: Sequence[int]) -> int:
    """Return the entrant who advances from a drawn pairing: by margin, by lot or by seed."""
    if record.settings.decider == "margin" and scores and len(set(scores)) > 1:
        return entrants[max(range(len(scores)), key=lambda at: scores[at])]
    if record.settings.decider == "lots" and record.lots:
        return min(entrants, key=record.lots.index)
    return min(entrants, key=seed_order(record).index)


def _knock_out_groups(record: Record, entrants: Sequence[int]) -> list[list[int]]:
    """Group entrants by how far they got, furthest first; third place is played for or shared."""
    rounds = sorted(record.rounds)
    out = rounds_of_elimination(record, rounds)
    groups = _split(entrants, lambda number: out.get(number, len(rounds) + 1))
    third = {
        number
        for round in record.rounds.values()
        for p in round.pairings
        if p.group == "third place" and p.number in round.results
        for number in [advancing(record, round.number, p.number)]
        if number is not None
    }
    return [part for group in groups for part in _with_third(group, third)]


def _with_third(group: list[int], third: set[int]) -> list[list[int]]:
    if not third & set(group) or len(group) == 1:
        return [group]
    return [[n for n in group if n in third], [n for n in group if n not in third]]


def pool_members(record: Record) -> list[list[int]]:
    """Return the entrants of each pool in seed order."""
    return snake(list(record.seeds) or seed_order(record), record.settings.pools)


def pool_rounds(record: Record) -> int:
    """Return how many rounds the pools play before the final stage."""
    largest = max((len(pool) for pool in pool_members(record)), default=0)
    return rounds_needed(largest, record.settings.double)


def qualifiers(record: Record) -> list[int]:
    """Return the entrants who advance from the pools, as seeded in the final stage: by their place in the pool."""
    table = lines(record, pool_rounds(record))
    names = {number: entrant.name for number, entrant in record.entrants.items()}
    there = context(table, record.settings.points, names, record.settings.margin_cap)
    ranked = [[n for group in _by_points(there, record, pool) for n in group] for pool in pool_members(record)]
    return [pool[place] for place in range(record.settings.advance) for pool in ranked if place < len(pool)]


def _pool_groups(there: Context, record: Record, entrants: Sequence[int], table: Lines) -> list[list[int]]:
    first = pool_rounds(record)
    late = [number for number in sorted(record.rounds) if number > first]
    if not late:
        return _by_points(there, record, entrants)
    through = set(qualifiers(record))
    final = _knock_out_groups_of(record, [n for n in entrants if n in through], late)
    return final + _by_points(there, record, [n for n in entrants if n not in through])


def _knock_out_groups_of(record: Record, entrants: Sequence[int], rounds: list[int]) -> list[list[int]]:
    out = rounds_of_elimination(record, rounds)
    return _split(entrants, lambda number: out.get(number, len(rounds) + 1))
