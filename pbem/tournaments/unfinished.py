"""Unfinished pairings: still being played at the deadline of their round, or with a player who never appeared.

at_deadlines   the announced steps, one after the other: extend, rule, fault, director
no_shows       in round 1, entrants who have sent nothing by the announced day leave the tournament
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from eventstore import NewEvent
from pbem.engine.rules.refusals import Refusal
from pbem.matches import unit_of_work
from pbem.matches.clock.deadlines import missed_deadlines
from pbem.matches.events import OrderSealed, each
from pbem.matches.history.replay import load, record_of
from pbem.matches.players import endings
from pbem.matches.post import notifications
from pbem.matches.server import Server
from pbem.tournaments import events as said
from pbem.tournaments.model import Leg, Pairing, ResultKind, Round, Verdict
from pbem.tournaments.record import Record
from pbem.tournaments.stream import commuting, match_id

log = logging.getLogger("pbem.tournaments")

DAY = 24 * 3600 * 1000


def at_deadlines(server: Server, record: Record, now: int) -> None:
    """Apply the announced steps, in order, to every pairing that is still being played at its deadline."""
    for number, round in record.rounds.items():
        if round.started_at is None or round.closed:
            continue
        for pairing in round.open_pairings():
            due = record.deadline(number, pairing.number)
            if due is not None and now >= due:
                decide(server, record, round, pairing)


def decide(server: Server, record: Record, round: Round, pairing: Pairing) -> None:
    """Take the first announced step that applies; `director` leaves the decision to the director."""
    for step in record.settings.unfinished.steps:
        if step == "director" or STEPS[step](server, record, round, pairing):
            return


def by_extension(server: Server, record: Record, round: Round, pairing: Pairing) -> bool:
    """Extend once if both entrants kept their deadlines; return whether that was done."""
    if (round.number, pairing.number) in record.deadlines or _at_fault(server, record, round, pairing):
        return False
    until = (round.deadline or 0) + record.settings.unfinished.extend_days * DAY
    why = "both kept their deadlines"

    def build(newest: Record) -> list[NewEvent]:
        if (round.number, pairing.number) in newest.deadlines:
            return []
        return [said.new(said.RoundExtended(round.number, until, why, (pairing.number,)))]

    commuting(server, record.id, build, "extend")
    return True


def by_rule(server: Server, record: Record, round: Round, pairing: Pairing) -> bool:
    """If half of the turns were played, decide by score, where a lead below the margin draws, and return True."""
    matches = [(leg, _match(server, record, round, pairing, leg)) for leg in pairing.legs]
    if not matches or not all(match and _half_played(server, match) for _, match in matches):
        return False
    for _, match in matches:
        assert match is not None
        _adjudicate(server, match, record.settings.unfinished.margin)
    return True


def _adjudicate(server: Server, match: str, margin: int) -> None:
    def act() -> None:
        position = load(server, match)
        if position.record.ended is None:
            scores = position.rules.score(position.run.state)
            reason = "unfinished at the deadline of its round: " + ", ".join(f"{s} {n}" for s, n in scores.items())
            events = endings.adjudicate_by_score(server, position.record, scores, margin, reason)
            unit_of_work.append(server, position.record, events, "adjudicate")

    try:
        unit_of_work.retry(act)
        notifications.catch_up(server)
    except Refusal as refusal:
        log.warning("match %s could not be adjudicated now: %s", match, refusal)


def _match(server: Server, record: Record, round: Round, pairing: Pairing, leg: Leg) -> str | None:
    match = match_id(server, record, round.number, pairing.number, leg.number)
    return match if server.store.version(f"match/{match}") else None


def _half_played(server: Server, match: str) -> bool:
    """Whether the title counts scores and half of the turns have been played."""
    position = load(server, match)
    if position.record.ended is not None:
        return True
    state = position.run.state
    if not position.record.started or not position.rules.score(state):
        return False
    turns = position.rules.turns(state)
    return turns is None or 2 * (state.turn - 1) >= turns


def by_fault(server: Server, record: Record, round: Round, pairing: Pairing) -> bool:
    """Let entrants who missed deadlines lose, or both if both did; return whether anyone had missed one."""
    guilty = _at_fault(server, record, round, pairing)
    if not guilty or len(pairing.entrants) != 2:
        return False
    names = " and ".join(record.entrants[n].name for n in sorted(guilty))
    told = forfeit_result(record, round, pairing, guilty, f"{names} missed deadlines")

    def build(newest: Record) -> list[NewEvent]:
        return [] if pairing.number in newest.rounds[round.number].results else [said.new(told)]

    commuting(server, record.id, build, "fault")
    return True


def forfeit_result(record: Record, round: Round, pairing: Pairing, guilty: set[int], why: str) -> said.ResultRecorded:
    """Return the result of a pairing that the entrants at fault lose; if both are at fault, both lose."""
    verdicts: tuple[Verdict, ...] = tuple("lost" if n in guilty else "won" for n in pairing.entrants)
    both = len(guilty) == len(pairing.entrants)
    points = tuple(0 if both else record.settings.points.of(verdict) for verdict in verdicts)
    kind: ResultKind = "double_loss" if both else "forfeit"
    return said.ResultRecorded(round.number, pairing.number, kind, verdicts, points, reason=why, rated=False)


def _at_fault(server: Server, record: Record, round: Round, pairing: Pairing) -> set[int]:
    """Return the entrants who missed a deadline of this pairing's matches, or never took their seat."""
    guilty: set[int] = set()
    for leg in pairing.legs:
        match = _match(server, record, round, pairing, leg)
        if match is None:
            continue
        own = record_of(server, match)
        sides = server.rules(own.created.title, own.created.blobs).sides
        for seat in own.seats:
            if seat not in own.occupants or missed_deadlines(own, seat):
                guilty.add(leg.sides[sides[seat]])
    return guilty


STEPS = {"extend": by_extension, "rule": by_rule, "fault": by_fault}


# Players who never appear ------------------------------------------------------------------------------------


def no_shows(server: Server, record: Record, now: int) -> None:
    """Withdraw entrants who have sent nothing in round 1 by the announced day; their opponents win by forfeit."""
    round = record.rounds.get(1)
    if round is None or round.closed or not is_no_show_day(record, now):
        return
    for pairing in round.open_pairings():
        gone = {number for number in pairing.entrants if _never_seen(server, record, round, pairing, number)}
        if gone and len(pairing.entrants) == 2:
            commuting(server, record.id, _without(round, pairing, gone), "no show")


def no_show_day(record: Record) -> int | None:
    """Return the time when entrants who have sent nothing are withdrawn."""
    round, days = record.rounds.get(1), record.settings.no_show_days
    return round.started_at + days * DAY if days and round and round.started_at is not None else None


def is_no_show_day(record: Record, now: int) -> bool:
    day = no_show_day(record)
    return day is not None and now >= day


def _never_seen(server: Server, record: Record, round: Round, pairing: Pairing, number: int) -> bool:
    """Whether an entrant has missed a deadline in a match of a pairing and has not sent a single order."""
    asked = False
    for leg in pairing.legs:
        match = _match(server, record, round, pairing, leg)
        if match is None:
            continue
        own = record_of(server, match)
        sides = server.rules(own.created.title, own.created.blobs).sides
        seats = {seat for seat in own.seats if leg.sides[sides[seat]] == number}
        if any(sealed.seat in seats for _, sealed in each(own.events, OrderSealed)):
            return False
        asked = asked or any(missed_deadlines(own, seat) for seat in seats)
    return asked


def _without(round: Round, pairing: Pairing, gone: set[int]) -> Callable[[Record], list[NewEvent]]:
    def build(newest: Record) -> list[NewEvent]:
        if pairing.number in newest.rounds[round.number].results:
            return []
        names = " and ".join(newest.entrants[n].name for n in sorted(gone))
        told = forfeit_result(newest, round, pairing, gone, f"{names} did not appear")
        left = [said.EntryWithdrawn(n, round.number, "did not appear") for n in sorted(gone)]
        return [said.new(told), *(said.new(one) for one in left)]

    return build
