"""The tick of tournaments: everything that happens without a director. Every step may be repeated safely.

confirmations that are overdue, the waiting list
challenges that were not answered
matches that a started round lacks
results of matches that have ended
pairings that are unfinished at their deadline, in the announced order
matches that open with their round, mails about rounds
"""

from __future__ import annotations

import logging
import sqlite3

from eventstore import Conflict, NewEvent
from pbem.engine.rules.refusals import Refusal
from pbem.matches import unit_of_work
from pbem.matches.clock.deadlines import missed_deadlines
from pbem.matches.history.replay import load, record_of
from pbem.matches.players import endings
from pbem.matches.post import notifications
from pbem.matches.server import Server
from pbem.tournaments import choices, director, entries, results, rounds
from pbem.tournaments import events as said
from pbem.tournaments.model import Leg, Pairing, Round, Verdict
from pbem.tournaments.post import rating_lists
from pbem.tournaments.record import Record
from pbem.tournaments.stream import catch_up, commuting, match_id, read

log = logging.getLogger("pbem.tournaments")

DAY = 24 * 3600 * 1000


def tick(server: Server, now: int) -> list[str]:
    """Advance every tournament in which something happened or is due. Return those that were looked at."""
    catch_up(server)
    query = (
        "SELECT id FROM tournaments WHERE touched = 1 OR due <= ? "
        "OR id IN (SELECT tournament FROM tournament_matches WHERE dirty = 1) ORDER BY id"
    )
    found = [id for (id,) in server.database.execute(query, (now,)).fetchall()]
    for id in found:
        try:
            advance(server, id, now)
        except (sqlite3.Error, OSError):
            raise
        except Exception:
            log.exception("tournament %s could not go on", id)
            server.database.execute("UPDATE tournaments SET touched = 0, due = NULL WHERE id = ?", (id,))
    publish_ratings(server, now)
    return found


def has_more(server: Server) -> bool:
    """Whether a tournament has work left: matches to create, or events that were appended meanwhile."""
    return server.database.execute("SELECT 1 FROM tournaments WHERE touched = 1 LIMIT 1").fetchone() is not None


def publish_ratings(server: Server, now: int) -> None:
    """Publish rating lists once a month has passed; looked at once a day."""
    row = server.database.execute("SELECT value FROM house WHERE name = 'ratings looked at'").fetchone()
    if row is not None and now - int(row[0]) < DAY:
        return
    try:
        rating_lists.publish_due(server, now)
    except Conflict:
        log.info("another process publishes ratings")
    server.database.execute("INSERT OR REPLACE INTO house VALUES ('ratings looked at', ?)", (str(now),))


def advance(server: Server, id: str, now: int) -> Record:
    """Do everything that is due in one tournament."""
    catch_up(server)
    version = read(server, id).version
    commuting(server, id, lambda record: entries.overdue(record, now), "confirm")
    commuting(server, id, lambda record: unanswered(record, now), "challenge")
    open_choices(server, id, now)
    left = rounds.create_matches(server, id)
    catch_up(server)
    results.record_results(server, id)
    record = read(server, id)
    unfinished(server, record, now)
    catch_up(server)
    results.record_results(server, id)
    record = read(server, id)
    rounds.open_closed(server, record)
    announce(server, record)
    catch_up(server)
    touched = int(left > 0 or record.version != version)
    server.database.execute(
        "UPDATE tournaments SET touched = ?, due = ? WHERE id = ?", (touched, next_due(record, now), id)
    )
    return record


def open_choices(server: Server, id: str, now: int) -> None:
    """Open sealed bids and choices that are due, one pairing after the other."""
    while True:
        before = read(server, id).version
        if commuting(server, id, lambda record: choices.opened(server, record, now), "choice").version == before:
            return


def next_due(record: Record, now: int) -> int | None:
    """Return when something falls due next."""
    times = [e.confirm_by for e in record.entrants.values() if e.state == "invited" and e.confirm_by]
    times += [challenge.answer_by for challenge in record.challenges.values() if challenge.state == "open"]
    for round in record.rounds.values():
        if round.started_at is not None and not round.closed:
            if choices.wanted(record):
                times.append(round.started_at + choices.TIME_TO_CHOOSE)
            times += [record.deadline(round.number, p.number) or 0 for p in round.open_pairings()]
    return min((time for time in times if time > now), default=None)


def unanswered(record: Record, now: int) -> list[NewEvent]:
    """Decide challenges that were not answered in time: the two swap places."""
    late = [c for c in record.challenges.values() if c.state == "open" and now >= c.answer_by]
    return [said.new(said.ChallengeAnswered(challenge.number, False)) for challenge in late]


def announce(server: Server, record: Record) -> None:
    """Queue the mails of started and closed rounds; queueing one twice is queueing it once."""
    director.invite(server, record)
    for round in record.rounds.values():
        if round.started_at is not None and round.number == max(record.rounds):
            director.announce_round(server, record, round)
        if round.closed and round.number == max(record.rounds):
            director.announce_close(server, record, round)


# Unfinished pairings -----------------------------------------------------------------------------------------


def unfinished(server: Server, record: Record, now: int) -> None:
    """At its deadline a pairing that is still being played meets the announced steps, one after the other."""
    for number, round in record.rounds.items():
        if round.started_at is None or round.closed:
            continue
        for pairing in round.open_pairings():
            due = record.deadline(number, pairing.number)
            if due is not None and now >= due:
                decide(server, record, round, pairing)


def decide(server: Server, record: Record, round: Round, pairing: Pairing) -> None:
    """Take the first announced step that applies; `director` leaves it to the board."""
    for step in record.settings.unfinished.steps:
        if step == "director" or STEPS[step](server, record, round, pairing):
            return


def by_extension(server: Server, record: Record, round: Round, pairing: Pairing) -> bool:
    """Extend once if both kept their deadlines."""
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
    """After half of the turns the score decides; a lead below the margin is a draw."""
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
            events = endings.adjudicated_by_score(server, position.record, scores, margin, reason)
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
    turns = getattr(position.rules, "turns", None)
    return turns is None or 2 * (state.turn - 1) >= turns(state)


def by_fault(server: Server, record: Record, round: Round, pairing: Pairing) -> bool:
    """Whoever missed deadlines loses; if both did, both lose."""
    guilty = _at_fault(server, record, round, pairing)
    if not guilty or len(pairing.entrants) != 2:
        return False
    verdicts: tuple[Verdict, ...] = tuple("lost" if n in guilty else "won" for n in pairing.entrants)
    both = len(guilty) == len(pairing.entrants)
    points = tuple(0 if both else record.settings.points.of(verdict) for verdict in verdicts)
    names = " and ".join(record.entrants[n].name for n in sorted(guilty))
    told = said.ResultRecorded(
        round.number,
        pairing.number,
        "double_loss" if both else "forfeit",
        verdicts,
        points,
        reason=f"{names} missed deadlines",
        rated=False,
    )

    def build(newest: Record) -> list[NewEvent]:
        return [] if pairing.number in newest.rounds[round.number].results else [said.new(told)]

    commuting(server, record.id, build, "fault")
    return True


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
