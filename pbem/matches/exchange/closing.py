"""Closing at a deadline, and what becomes of those who have sealed nothing by then.

Only *nothing sealed* is a missed deadline. If all have sealed, the exchange closes at once. Who has not is told, and
has the grace that was agreed on. After that it depends on the match: doctrine or default answer for him, all wait for
him, a substitute sits down, or he has forfeited.
"""

from __future__ import annotations

import msgspec

from eventstore import NewEvent
from pbem.matches.clock import absences, deadlines
from pbem.matches.clock.deadline_rules import due_at
from pbem.matches.clock.deadlines import Deadline, deadline_of, timing_of
from pbem.matches.exchange import acts
from pbem.matches.history.record import Record
from pbem.matches.history.replay import load
from pbem.matches.players import endings, substitutes
from pbem.matches.rulings.alerts import missed_deadlines
from pbem.matches.server import Server

MISSED = "deadline.missed"


def close_due(server: Server, match: str, now: int) -> bool:
    """Do what is due at the deadline, if it has fallen; whether the match has to be looked at."""
    position = load(server, match)
    record = position.record
    deadline = deadline_of(record)
    if deadline is None or deadline.at > now or not position.asked or deadlines.on_hold(record):
        return False
    missing = [seat for seat in position.asked if seat not in record.sealed]
    policy = timing_of(record).missed
    if missing and (now < deadline.closes_at or policy == "wait"):
        return note_missed(server, match, missing)
    late = [seat for seat in missing if is_too_often(record, seat)]
    if late and policy == "substitute" and step_in(server, match, late, now):
        return True
    if late and policy == "forfeit" and forfeit(server, match, late, now):
        return True
    return acts.close(server, match, exchange=deadline.exchange, why="deadline")


def is_too_often(record: Record, seat: str) -> bool:
    """Whether a seat misses so many deadlines in a row that the match's patience ends."""
    return len(missed_deadlines(record, seat)) + 1 >= timing_of(record).patience


def note_missed(server: Server, match: str, seats: list[str]) -> bool:
    """Put on record, once for a deadline, who has sealed nothing although it has fallen."""

    def act() -> bool:
        record = acts.read(server, match)
        said = [event for event in record.events if event.type in (MISSED, "deadline.set")]
        if said and said[-1].type == MISSED:
            return False
        payload = {"exchange": record.open_exchange, "seats": seats}
        acts.append(server, record, [NewEvent(MISSED, payload)], "missed")
        return True

    return acts.retry(act)


def step_in(server: Server, match: str, seats: list[str], now: int) -> bool:
    """Let those who stand by take these seats, as far as there are any; they get the full time."""

    def act() -> bool:
        record = acts.read(server, match)
        events: list[NewEvent] = []
        for seat, account in zip(seats, substitutes.standing_by(record), strict=False):
            events += substitutes.changed_hands(record, seat, account, "missed deadlines")
        if events:
            taken = {event.payload["seat"] for event in events}
            events.append(deadlines.set_event(_full_time(server, record, taken, now)))
            acts.append(server, record, events, "substitute")
        return bool(events)

    return acts.retry(act)


def _full_time(server: Server, record: Record, taken: set[str], now: int) -> Deadline:
    """The deadline of the open exchange as if it were opened now, for substitutes who have just come."""
    seats = [seat for seat in deadlines.seats_asked(record) if seat not in taken]
    away = absences.away_of(server, record, seats)
    deadline = due_at(record.open_exchange, now, timing_of(record), kinds=deadlines.kinds_asked(record), away=away)
    assert deadline is not None, "a deadline has just fallen"
    why = f"a substitute sits down; {deadline.why}"
    return msgspec.structs.replace(deadline, why=why, cause="substitute")


def forfeit(server: Server, match: str, seats: list[str], now: int) -> bool:
    """Put these seats out. Returns whether that ends the match."""

    def act() -> bool:
        record = acts.read(server, match)
        left = [seat for seat in seats if seat not in endings.given_up(record)]
        if out := [seat for seat in left if not endings.forfeit_objection(record, seat, now)]:
            acts.append(server, record, endings.forfeited(server, record, out, now), "forfeit")
        return acts.read(server, match).ended is not None

    return acts.retry(act)
