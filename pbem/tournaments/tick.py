"""The tick of tournaments: everything that happens without a director. Every step may be repeated safely.

It handles, in this order:

- overdue confirmations, and the waiting list
- challenges that were not answered, and sealed choices that are due
- missing matches of a started round
- results of matches that have ended
- players of round 1 who never appear, and pairings that are unfinished at their deadline
- matches that open with their round, and emails about rounds
"""

from __future__ import annotations

import logging

from eventstore import Conflict, NewEvent, StoreTrouble, upsert
from pbem.matches.server import Server
from pbem.tournaments import choices, director, entries, results, rounds, unfinished
from pbem.tournaments import events as said
from pbem.tournaments.post import rating_lists
from pbem.tournaments.record import Record
from pbem.tournaments.stream import catch_up, commuting, read

log = logging.getLogger("pbem.tournaments")

DAY = 24 * 3600 * 1000


def tick(server: Server, now: int) -> list[str]:
    """Advance every tournament in which something has happened or is due; return their ids."""
    catch_up(server)
    query = (
        "SELECT id FROM tournaments WHERE touched = 1 OR due <= ? "
        "OR id IN (SELECT tournament FROM tournament_matches WHERE dirty = 1) ORDER BY id"
    )
    found = [id for (id,) in server.database.execute(query, (now,)).fetchall()]
    for id in found:
        try:
            advance(server, id, now)
        except (StoreTrouble, OSError):
            raise
        except Exception:
            log.exception("tournament %s could not be advanced", id)
            server.database.execute("UPDATE tournaments SET touched = 0, due = NULL WHERE id = ?", (id,))
    publish_ratings(server, now)
    return found


def has_more(server: Server) -> bool:
    """Whether a tournament has work left: matches to create, or events that were appended in the meantime."""
    return server.database.execute("SELECT 1 FROM tournaments WHERE touched = 1 LIMIT 1").fetchone() is not None


def publish_ratings(server: Server, now: int) -> None:
    """Publish rating lists once a month is over; this is checked once a day."""
    row = server.database.execute("SELECT value FROM house WHERE name = 'ratings looked at'").fetchone()
    if row is not None and now - int(row[0]) < DAY:
        return
    try:
        rating_lists.publish_due(server, now)
    except Conflict:
        log.info("another process publishes ratings")
    server.database.execute(upsert("house", "name", "value"), ("ratings looked at", str(now)))


def advance(server: Server, id: str, now: int) -> Record:
    """Do everything that is due in one tournament."""
    catch_up(server)
    version = read(server, id).version
    commuting(server, id, lambda record: entries.overdue(record, now), "confirm")
    commuting(server, id, lambda record: decide_unanswered(record, now), "challenge")
    open_choices(server, id, now)
    left = rounds.create_matches(server, id)
    catch_up(server)
    results.record_results(server, id)
    record = read(server, id)
    unfinished.no_shows(server, record, now)
    unfinished.at_deadlines(server, record, now)
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
    """Open sealed bids and choices that are due, one pairing at a time."""
    while True:
        before = read(server, id).version
        if (
            commuting(server, id, lambda record: choices.opening_of_choices(server, record, now), "choice").version
            == before
        ):
            return


def next_due(record: Record, now: int) -> int | None:
    """Return the time when something is due next."""
    times = [e.confirm_by for e in record.entrants.values() if e.state == "invited" and e.confirm_by]
    times += [challenge.answer_by for challenge in record.challenges.values() if challenge.state == "open"]
    times.append(unfinished.no_show_day(record) or 0)
    for round in record.rounds.values():
        if round.started_at is not None and not round.closed:
            if choices.required_choices(record):
                times.append(round.started_at + choices.TIME_TO_CHOOSE)
            times += [record.deadline(round.number, p.number) or 0 for p in round.open_pairings()]
    return min((time for time in times if time > now), default=None)


def decide_unanswered(record: Record, now: int) -> list[NewEvent]:
    """Decide challenges that were not answered in time: the two swap places."""
    late = [c for c in record.challenges.values() if c.state == "open" and now >= c.answer_by]
    return [said.new(said.ChallengeAnswered(challenge.number, False)) for challenge in late]


def announce(server: Server, record: Record) -> None:
    """Queue the emails for started and closed rounds; queueing one twice sends it only once."""
    director.invite(server, record)
    for round in record.rounds.values():
        if round.started_at is not None and round.number == max(record.rounds):
            director.announce_round(server, record, round)
        if round.closed and round.number == max(record.rounds):
            director.announce_close(server, record, round)
