"""Results: recorded from the end of the matches with their signed heads, corrected by rulings, entered by hand.

A result is provisional during the time for appeals and while one of its matches is disputed. A correction changes
standings and ratings, but never a paired round.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from eventstore import NewEvent
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import Message, say
from pbem.matches import unit_of_work
from pbem.matches.clock import deadlines
from pbem.matches.events import MatchEnded, content_as
from pbem.matches.history.receipts import SignedHead
from pbem.matches.history.record import Record as MatchRecord
from pbem.matches.history.replay import record_of
from pbem.matches.players import endings
from pbem.matches.rulings.disputes import disputes
from pbem.matches.server import Server
from pbem.tournaments import events as said
from pbem.tournaments.model import Leg, Pairing, Result, ResultKind, Round, Settings, Verdict
from pbem.tournaments.ranking.standings import pool_rounds
from pbem.tournaments.record import Record
from pbem.tournaments.stream import RULE, append_act, commuting, match_id, read, refuse

DAY = 24 * 3600 * 1000
KINDS: dict[str, ResultKind] = {
    "pbem/conceded": "conceded",
    "pbem/resigned": "conceded",
    "pbem/forfeited": "forfeit",
    "pbem/adjudicated": "adjudicated",
}


# From matches ------------------------------------------------------------------------------------------------


def record_results(server: Server, id: str) -> Record:
    """Record the results of matches that have ended since the last check; correct those that rulings changed."""
    query = "SELECT match, round, pairing FROM tournament_matches WHERE tournament = ? AND dirty = 1 ORDER BY match"
    rows = server.database.execute(query, (id,)).fetchall()
    record = read(server, id)
    for number, pairing in sorted({(number, pairing) for _, number, pairing in rows}):
        record = commuting(server, id, partial(_events_for, server, number, pairing), "result")
    for match, _, _ in rows:
        server.database.execute("UPDATE tournament_matches SET dirty = 0 WHERE match = ?", (match,))
    return record


def _events_for(server: Server, number: int, pairing_number: int, record: Record) -> list[NewEvent]:
    round = record.rounds[number]
    pairing = next(pairing for pairing in round.pairings if pairing.number == pairing_number)
    reports = reports_of(server, record, round, pairing)
    if reports is None:
        return []
    result = result_of(server, record.settings, pairing, reports)
    if pairing_number not in round.results and (again := rematch(record, round, pairing, result)):
        return again_until(record, round, pairing, again, deadlines.now(server))
    if pairing_number not in round.results:
        return [said.new(said.ResultRecorded(round=number, **_shared_fields(result), reports=reports))]
    known = record.reports.get((number, pairing_number), ())
    if not known or [report.event for report in known] == [report.event for report in reports]:
        return []  # nothing new, or a result by hand that only a director changes
    if _same(round.results[pairing_number], result):
        return []
    told = {**_shared_fields(result), "reason": "a ruling changed the match"}
    return [said.new(said.ResultCorrected(round=number, **told, reports=reports))]


def rematch(record: Record, round: Round, pairing: Pairing, result: Result) -> tuple[Leg, ...]:
    """Return the legs that decide a drawn knock-out pairing: its original legs, with the sides exchanged.

    There is one rematch. If it is drawn as well, the better seed advances.
    """
    settings, first = record.settings, [leg for leg in pairing.legs if not leg.rematch]
    is_drawn = set(result.verdicts) == {"drawn"} and result.kind == "played"
    is_knock_out = settings.format == "knock_out" or (
        settings.format == "pools" and round.number > pool_rounds(record)
    )
    if not (is_drawn and is_knock_out and settings.decider == "rematch") or len(first) < len(pairing.legs):
        return ()
    return tuple(
        Leg(len(first) + at, swap_sides(leg.sides), leg.scenario, leg.board, rematch=True)
        for at, leg in enumerate(first, 1)
    )


def swap_sides(sides: dict[str, int]) -> dict[str, int]:
    """Return the sides with the entrants in the opposite order."""
    return dict(zip(sides, reversed(list(sides.values())), strict=True))


def again_until(record: Record, round: Round, pairing: Pairing, legs: tuple[Leg, ...], now: int) -> list[NewEvent]:
    """Return the events that give a pairing a rematch with the time of a full round."""
    until = now + record.settings.round_days * DAY
    replayed = said.PairingReplayed(round.number, pairing.number, legs)
    longer = said.RoundExtended(round.number, until, "a drawn pairing is played once more", (pairing.number,))
    return [said.new(replayed), said.new(longer)]


def _shared_fields(result: Result) -> dict[str, Any]:
    """The fields that recorded and corrected results share."""
    return msgspec.structs.asdict(result)


def _same(one: Result, other: Result) -> bool:
    return (one.kind, one.verdicts, one.points, one.scores) == (
        other.kind,
        other.verdicts,
        other.points,
        other.scores,
    )


def reports_of(server: Server, record: Record, round: Round, pairing: Pairing) -> tuple[said.Report, ...] | None:
    """Return the signed reports of how a pairing's matches ended, or None while one is still being played."""
    found = []
    for leg in pairing.legs:
        match = match_id(server, record, round.number, pairing.number, leg.number)
        if not server.store.version(f"match/{match}"):
            return None
        report = report_of(server, match, leg.number)
        if report is None:
            return None
        found.append(report)
    return tuple(found)


def report_of(server: Server, match: str, leg: int) -> said.Report | None:
    """Return the signed end of a match, or None while it is still being played."""
    ended = record_of(server, match).ended
    if ended is None:
        return None
    end = content_as(ended, MatchEnded)
    unsigned = SignedHead(server=server.id, match=match, exchange=end.exchange, event=ended.hash)
    signature = server.signer.sign(unsigned.body())
    return said.Report(leg, match, end.exchange, ended.hash, signature, end.outcome)


def genuine(server: str, report: said.Report) -> bool:
    """Whether the server with this id signed this end of a match."""
    head = SignedHead(
        server=server, match=report.match, exchange=report.exchange, event=report.event, signature=report.signature
    )
    return head.genuine()


def result_of(server: Server, settings: Settings, pairing: Pairing, reports: Sequence[said.Report]) -> Result:
    """Return the result that the ends of a pairing's matches give each entrant."""
    legs = {leg.number: leg for leg in pairing.legs}
    scores = dict.fromkeys(pairing.entrants, 0)
    boards = dict.fromkeys(pairing.entrants, 0)
    for report in reports:
        leg = legs[report.leg]
        for side, score in (report.outcome.get("score") or {}).items():
            scores[leg.sides[side]] += score
        for entrant, verdict in leg_verdicts(leg, report.outcome).items():
            boards[entrant] += settings.points.of(verdict)
    kind = _kind(reports)
    told = (
        tuple(scores[n] for n in pairing.entrants) if any(report.outcome.get("score") for report in reports) else ()
    )
    several = len(pairing.legs) > 1
    verdicts = pairing_verdicts(pairing, boards) if several else _single(pairing, legs, reports[0])
    points = _points(settings, pairing, verdicts, scores, reports)
    if kind == "double_loss":
        verdicts, points = tuple("lost" for _ in verdicts), tuple(0 for _ in points)
    shared = tuple(boards[n] for n in pairing.entrants) if several else ()
    return Result(pairing.number, kind, verdicts, points, told, shared, rated=is_rated(server, reports))


def _single(pairing: Pairing, legs: dict[int, Leg], report: said.Report) -> tuple[Verdict, ...]:
    found = leg_verdicts(legs[report.leg], report.outcome)
    return tuple(found[entrant] for entrant in pairing.entrants)


def leg_verdicts(leg: Leg, outcome: dict[str, Any]) -> dict[int, Verdict]:
    """Return each entrant's verdict in one match."""
    winner = outcome["winner"]
    if winner is None:
        return dict.fromkeys(leg.sides.values(), "drawn")
    return {entrant: "won" if side == winner else "lost" for side, entrant in leg.sides.items()}


def pairing_verdicts(pairing: Pairing, boards: dict[int, int]) -> tuple[Verdict, ...]:
    """Return the verdicts of a pairing of several matches: the entrant with more points in total wins."""
    best = max(boards.values())
    if sum(points == best for points in boards.values()) > 1:
        return tuple("drawn" if boards[n] == best else "lost" for n in pairing.entrants)
    return tuple("won" if boards[n] == best else "lost" for n in pairing.entrants)


def _points(
    settings: Settings,
    pairing: Pairing,
    verdicts: Sequence[Verdict],
    scores: dict[int, int],
    reports: Sequence[said.Report],
) -> tuple[int, ...]:
    level = str(reports[0].outcome.get("level") or "") if len(reports) == 1 else ""
    if settings.points.ranks and len(pairing.entrants) > 2:
        return by_rank(settings.points.ranks, [scores[n] for n in pairing.entrants])
    return tuple(settings.points.of(verdict, level) for verdict in verdicts)


def by_rank(ranks: Sequence[int], scores: Sequence[int]) -> tuple[int, ...]:
    """Return points by rank; equal scores share the points of their ranks."""
    found = []
    for score in scores:
        ahead = sum(other > score for other in scores)
        equal = sum(other == score for other in scores)
        shared = [ranks[place] if place < len(ranks) else 0 for place in range(ahead, ahead + equal)]
        found.append(sum(shared) // equal)
    return tuple(found)


def _kind(reports: Sequence[said.Report]) -> ResultKind:
    kinds = {KINDS.get(report.outcome["rule"], "played") for report in reports}
    if kinds == {"forfeit"}:
        return "double_loss" if all(report.outcome["winner"] is None for report in reports) else "forfeit"
    for kind in ("played", "conceded", "adjudicated"):
        if kind in kinds:
            return kind
    return "played"


def is_rated(server: Server, reports: Sequence[said.Report]) -> bool:
    """Whether the matches are rated: played, or conceded after turn 1."""
    for report in reports:
        kind = KINDS.get(report.outcome["rule"], "played")
        if kind not in ("played", "conceded"):
            return False
        if kind == "conceded" and turns_played(record_of(server, report.match)) <= 1:
            return False
    return True


def turns_played(record: MatchRecord) -> int:
    """Return the turn that the last resolved exchange led to."""
    return next((entry.result.turn for entry in record.resolved[-1:]), 0)


# By hand -----------------------------------------------------------------------------------------------------


def by_hand(
    server: Server,
    id: str,
    number: int,
    pairing: int,
    verdicts: Sequence[Verdict],
    reason: str,
    *,
    by: str,
    kind: ResultKind = "by_hand",
    seen: int | None = None,
) -> Record:
    """Record or correct a result by the director's decision; the result has a reason, is marked and is not rated."""
    if not reason.strip():
        raise refuse("result", say("a result entered by hand needs a reason"))

    def build(record: Record) -> list[NewEvent]:
        round = record.rounds.get(number)
        found = None if round is None else next((p for p in round.pairings if p.number == pairing), None)
        if round is None or found is None or round.started_at is None:
            raise refuse("result", say("round {number} has no board {pairing}", number=number, pairing=pairing))
        if objection := _objection(verdicts, len(found.entrants)):
            raise refuse("result", objection, ["won lost", "drawn drawn", "lost lost"])
        double = all(verdict == "lost" for verdict in verdicts)
        points = tuple(0 if double else record.settings.points.of(verdict) for verdict in verdicts)
        what: ResultKind = "double_loss" if double else kind
        shared = (number, pairing, what, tuple(verdicts), points)
        if pairing in round.results:
            return [said.new(said.ResultCorrected(*shared, reason, rated=False, by=by))]
        return [said.new(said.ResultRecorded(*shared, reason=reason, rated=False, by=by))]

    return append_act(server, id, by, build, seen=seen, act="correct")


def _objection(verdicts: Sequence[Verdict], entrants: int) -> Message | None:
    """Return why the results at a board cannot all be true; None if they can."""
    won, drawn = list(verdicts).count("won"), list(verdicts).count("drawn")
    if len(verdicts) != entrants:
        return say("enter one result for each of the {entrants} entrants at this board", entrants=entrants)
    if won > 1:
        return say("only one entrant at a board can win")
    if won and drawn:
        return say("if one entrant at a board wins, the others lose")
    return say("a draw needs at least two entrants") if drawn == 1 else None


def adjudicate(
    server: Server, id: str, match: str, winner: str | None, reason: str, *, by: str, seen: int | None = None
) -> None:
    """End a match of this tournament by the director's decision."""
    record = read(server, id)
    append_act(server, id, by, lambda newest: [], seen=seen, act="correct")
    origin = record_of(server, match).created.origin
    if origin.get("stream") != record.stream:
        raise Illegal(match, [Objection(RULE, say("this match does not belong to the tournament"))])

    def act() -> None:
        own = record_of(server, match)
        unit_of_work.append(server, own, endings.adjudicate(server, own, winner, reason, by=by), "adjudicate")

    unit_of_work.retry(act)


# Provisional -------------------------------------------------------------------------------------------------


def provisional(server: Server, record: Record, round: Round) -> list[int]:
    """Return the boards whose results can still change: within the time for appeals, disputed, or reopened."""
    found, now = [], deadlines.now(server)
    for number in sorted(round.results):
        reports = record.reports.get((round.number, number), ())
        since = record.recorded_at[round.number, number]
        if (reports and now < since + record.settings.appeal_days * DAY) or any(
            is_disputed(record_of(server, report.match)) for report in reports
        ):
            found.append(number)
    return found


def is_disputed(record: MatchRecord) -> bool:
    """Whether a dispute in a match awaits an answer, or the match has been reopened."""
    return record.ended is None or any(not dispute.answer for dispute in disputes(record))
