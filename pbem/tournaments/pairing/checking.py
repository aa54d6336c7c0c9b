"""Check the paired rounds of a log: the hard rules of each, and the same pairing made again from the same field.

A round is judged by what the tournament knew when it was paired: results corrected later, entrants who left later and
pairs forbidden later do not matter. A round can be paired again if the program that paired it is installed here in
the same version; pairings that a director listed have no program.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from eventstore import Event
from pbem.engine.rules.refusals import Illegal
from pbem.tournaments import events as said
from pbem.tournaments.model import Pairing, Round
from pbem.tournaments.pairing import dutch, formats
from pbem.tournaments.pairing.field import Impossible
from pbem.tournaments.record import Content, Record, further

BY_HAND = ("own", "ladder")
"""Pairing methods that follow a director's list or a challenge."""


class Checked(msgspec.Struct):
    """The results of checking all rounds."""

    problems: list[str] = []
    again: int = 0
    """How many rounds were paired again with the same result."""
    not_again: list[str] = []
    """Why rounds could not be paired again."""


def check_rounds(events: Iterable[Event], content: Content) -> Checked:
    """Check every paired round of a stream as of the moment it was paired."""
    found, record = Checked(), Record()
    for event in events:
        payload = said.read(event)
        before = msgspec.structs.replace(record, rounds=dict(record.rounds), seeds=list(record.seeds))
        record = further(record, [event], content)
        if isinstance(payload, said.RoundPaired):
            round = record.rounds[payload.round]
            found.problems += hard_rules(before, round.number, round.pairings)
            pair_again(before, round, found)
        elif isinstance(payload, said.PairingChanged):
            earlier = {number: round for number, round in record.rounds.items() if number < payload.round}
            then = msgspec.structs.replace(record, rounds=earlier)
            found.problems += hard_rules(then, payload.round, record.rounds[payload.round].pairings)
    return found


def hard_rules(record: Record, number: int, pairings: Iterable[Pairing]) -> list[str]:
    """Return the hard rules that these pairings break, each with the round number."""
    return [f"round {number}: {problem}" for problem in formats.problems(record, number, list(pairings))]


def pair_again(record: Record, round: Round, found: Checked) -> None:
    """Pair a round again and compare fields, pairs and byes."""
    if round.engine in BY_HAND:
        return
    try:
        drawn, there = formats.draw(record, round.number)
    except (Impossible, Illegal) as problem:
        found.problems.append(f"round {round.number}: pairing it again is impossible: {problem}")
        return
    if (drawn.engine, drawn.version) != (round.engine, round.version):
        here = f"{drawn.engine} {drawn.version}" if dutch.AVAILABLE else f"{drawn.engine} {drawn.version}, no wheel"
        found.not_again.append(
            f"round {round.number} was paired by {round.engine} {round.version}; installed here: {here}"
        )
    elif there.hash() != round.field:
        found.problems.append(f"round {round.number}: the field does not have the recorded hash")
    elif drawn.pairs != tuple(pairing.entrants for pairing in round.pairings) or drawn.byes != round.byes:
        found.problems.append(f"round {round.number}: pairing it again gives other pairings")
    else:
        found.again += 1
