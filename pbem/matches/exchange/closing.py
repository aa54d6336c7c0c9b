"""Closing at a deadline, and what becomes of those who have sealed nothing by then.

Only *nothing sealed* is a missed deadline. If all have sealed, the exchange closes at once. Who has not is told, and
has the grace that was agreed on. After that it depends on the match: doctrine or default answer for him, all wait for
him, a substitute sits down, or he has forfeited.
"""

from __future__ import annotations

import msgspec

from eventstore import Event, NewEvent, NewPart, canonical
from pbem.engine.rules.title import Submission
from pbem.matches import unit_of_work
from pbem.matches.clock import absences, deadlines, time_bank
from pbem.matches.clock.deadline_rules import due_at
from pbem.matches.clock.deadlines import Deadline, deadline_of, timing_of
from pbem.matches.exchange import halting, ladder_starts, resolving
from pbem.matches.history import ladders
from pbem.matches.history.ladders import USED_UP
from pbem.matches.history.record import Record
from pbem.matches.history.replay import SERVER, load, record_of
from pbem.matches.players import endings, substitutes
from pbem.matches.rulings import disputes
from pbem.matches.rulings.alerts import missed_deadlines
from pbem.matches.server import Server

MISSED = "deadline.missed"


def close_due(server: Server, match: str, now: int) -> bool:
    """Do what is due at the deadline, if it has fallen; whether the match has to be looked at."""
    position = load(server, match)
    record = position.record
    deadline = deadline_of(record)
    if deadline is None or deadline.at > now or not position.asked or is_waiting(record):
        return False
    missing = [seat for seat in position.asked if is_missing(record, seat)]
    policy = timing_of(record).missed
    if missing and (now < deadline.closes_at or policy == "wait"):
        return note_missed(server, match, missing)
    if missing and (events := time_bank.drawn(record, missing)):
        unit_of_work.append(server, record, events, "bank")
        return True
    late = [seat for seat in missing if is_too_often(record, seat)]
    if late and policy == "substitute" and step_in(server, match, late, now):
        return True
    if late and policy == "forfeit" and forfeit(server, match, late, now):
        return True
    return close(server, match, exchange=deadline.exchange, why="deadline")


def is_missing(record: Record, seat: str) -> bool:
    """Whether a person has sealed nothing: neither an empty seat that may be empty nor a battle is a person."""
    return seat not in record.sealed and seat in record.seats and seat not in record.vacant


def is_waiting(record: Record) -> bool:
    """Whether nothing closes: the game master holds the match, or it waits for a dispute to be decided."""
    return deadlines.on_hold(record) is not None or disputes.waits(record) is not None


def is_too_often(record: Record, seat: str) -> bool:
    """Whether a seat misses so many deadlines in a row that the match's patience ends."""
    return len(missed_deadlines(record, seat)) + 1 >= timing_of(record).patience


def note_missed(server: Server, match: str, seats: list[str]) -> bool:
    """Put on record, once for a deadline, who has sealed nothing although it has fallen."""

    def act() -> bool:
        record = record_of(server, match)
        said = [event for event in record.events if event.type in (MISSED, "deadline.set")]
        if said and said[-1].type == MISSED:
            return False
        payload = {"exchange": record.open_exchange, "seats": seats}
        unit_of_work.append(server, record, [NewEvent(MISSED, payload)], "missed")
        return True

    return unit_of_work.retry(act)


def step_in(server: Server, match: str, seats: list[str], now: int) -> bool:
    """Let those who stand by take these seats, as far as there are any; they get the full time."""

    def act() -> bool:
        record = record_of(server, match)
        events: list[NewEvent] = []
        for seat, account in zip(seats, substitutes.standing_by(record), strict=False):
            events += substitutes.changed_hands(record, seat, account, "missed deadlines")
        if events:
            taken = {event.payload["seat"] for event in events}
            events.append(deadlines.set_event(_full_time(server, record, taken, now)))
            unit_of_work.append(server, record, events, "substitute")
        return bool(events)

    return unit_of_work.retry(act)


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
        record = record_of(server, match)
        left = [seat for seat in seats if seat not in endings.given_up(record)]
        if out := [seat for seat in left if not endings.forfeit_objection(record, seat, now)]:
            unit_of_work.append(server, record, endings.forfeited(server, record, out, now), "forfeit")
        return record_of(server, match).ended is not None

    return unit_of_work.retry(act)


def close(server: Server, match: str, *, exchange: int, why: str) -> bool:
    """Close the exchange: which answers count is fixed from here on, and so are the dice.

    Returns whether this call did it; somebody else may have been faster.
    """

    def act() -> bool:
        position = load(server, match)
        record = position.record
        if record.open_exchange != exchange or not position.asked:
            return False
        if not ladders.serves(record.ladder, exchange):
            ladder_starts.start_ladder(server, match, USED_UP)
            return act()
        try:
            ladder = server.ladder(match, record.ladder)
        except ladders.Damaged as problem:
            halting.halt(server, match, record, record.last, problem)
            return False
        if erased := [seat for seat, sealed in sorted(record.sealed.items()) if not is_kept(server, sealed)]:
            said = {"exchange": exchange, "why": "erased"}
            gone = [NewEvent("order.withdrawn", {"seat": seat, **said}) for seat in erased]
            unit_of_work.append(server, record, gone, "withdraw")
            return act()
        counting = {seat: record.sealed[seat] for seat in position.asked if seat in record.sealed}
        parts = tuple(
            NewPart(
                name=f"answer/{seat}",
                audience=SERVER,
                content=canonical(sealed_submission(server, sealed)),
                salt=ladder.salt(match, exchange, seat),
            )
            for seat, sealed in counting.items()
        )
        counts = {seat: sealed.version for seat, sealed in counting.items()}
        payload = {"exchange": exchange, "why": why, "asked": position.asked, "counts": counts}
        unit_of_work.append(server, record, [NewEvent("exchange.closed", payload, parts=parts)], "close")
        return True

    return unit_of_work.retry(act)


def is_kept(server: Server, sealed: Event) -> bool:
    """Whether a sealed order still has its content: its author may have had it erased."""
    return bool(server.store.parts([sealed.parts[0].commitment]))


def sealed_submission(server: Server, sealed: Event) -> Submission:
    """What a seat has sealed."""
    return msgspec.json.decode(server.content(sealed.parts[0].commitment), type=Submission)


def close_and_resolve(server: Server, match: str) -> bool:
    """Close when every asked seat is final, and resolve what is closed."""
    position = load(server, match)
    closed = bool(position.asked) and not position.waited_for
    if closed:
        closed = close(server, match, exchange=position.record.open_exchange, why="final")
    resolving.resolve(server, match)
    return closed
