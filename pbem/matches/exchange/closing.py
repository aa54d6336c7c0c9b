"""Close exchanges at their deadline, and deal with seats that have sealed nothing by then.

Only a seat that has sealed nothing misses a deadline. If all have sealed, the exchange closes at once. A seat that
has not is notified, and has the agreed grace period. After that it depends on the match: standing orders or the
default answer for it, the match waits, a substitute takes over, or it forfeits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from eventstore import Event, NewPart, canonical
from pbem.engine.rules.title import Submission
from pbem.matches.clock import absences, deadlines, time_bank
from pbem.matches.clock.causes import Cause
from pbem.matches.clock.deadline_rules import due_at
from pbem.matches.clock.deadlines import Deadline, deadline_of, missed_deadlines, timing_of
from pbem.matches.events import DeadlineMissed, DeadlineSet, ExchangeClosed, OrderWithdrawn, last
from pbem.matches.exchange import halting, ladder_starts
from pbem.matches.history import ladders
from pbem.matches.history.ladders import USED_UP
from pbem.matches.history.record import Record
from pbem.matches.history.replay import SERVER, Position, load, record_of
from pbem.matches.players import drafts, endings, substitutes
from pbem.matches.rulings import disputes
from pbem.matches.server import Server
from pbem.matches.unit_of_work import retrying

MISSED = DeadlineMissed.word


def close_due(server: Server, match: str, now: int) -> bool:
    """Act on a passed deadline; return whether the match must be advanced."""
    position = load(server, match)
    record = position.record
    deadline = deadline_of(record)
    if deadline is None or deadline.at > now or not position.asked or is_waiting(record):
        return False
    missing = [seat for seat in position.asked if is_missing(record, seat)]
    policy = timing_of(record).missed
    if missing and (now < deadline.closes_at or policy == "wait"):
        return note_missed(server, match, missing)
    if missing and (events := time_bank.draw_on_banks(record, missing)):
        with server.change(record, "bank") as change:
            change.append(*events)
        return True
    late = [seat for seat in missing if is_too_often(record, seat)]
    if late and policy == "substitute" and step_in(server, match, late, now):
        return True
    if late and policy == "forfeit" and forfeit(server, match, late, now):
        return True
    return close(server, match, exchange=deadline.exchange, why="deadline")


def is_missing(record: Record, seat: str) -> bool:
    """Whether a player has sealed nothing; a battle, or a seat that may stay empty, is not a player."""
    return seat not in record.sealed and seat in record.seats and seat not in record.vacant


def is_waiting(record: Record) -> bool:
    """Whether closing is suspended: the game master holds the match, or it waits for a decision on a dispute."""
    return deadlines.on_hold(record) is not None or disputes.waits(record) is not None


def is_too_often(record: Record, seat: str) -> bool:
    """Whether a seat has missed as many deadlines in a row as the match allows."""
    return len(missed_deadlines(record, seat)) + 1 >= timing_of(record).patience


@retrying
def note_missed(server: Server, match: str, seats: list[str]) -> bool:
    """Record, once per deadline, the seats that had sealed nothing when it passed; return whether this was new."""
    record = record_of(server, match)
    newest = last(record.events, DeadlineMissed, DeadlineSet)
    if newest is not None and newest[0].type == MISSED:
        return False
    with server.change(record, "missed") as change:
        change.append(DeadlineMissed(record.open_exchange, seats))
    return True


@retrying
def step_in(server: Server, match: str, seats: list[str], now: int) -> bool:
    """Give these seats to substitutes, who get the full time; return whether there were any."""
    record = record_of(server, match)
    ready = dict(zip(seats, substitutes.standing_by(record), strict=False))
    if not ready:
        return False
    with server.change(record, "substitute") as change:
        for seat, account in ready.items():
            change.append(*substitutes.change_hands(change.record, seat, account, "missed deadlines"))
        change.append(deadlines.set_event(_full_time(server, record, set(ready), now)))
    return True


def _full_time(server: Server, record: Record, taken: set[str], now: int) -> Deadline:
    """The deadline of the open exchange as if it were opened now, for substitutes who have just taken over."""
    seats = [seat for seat in deadlines.seats_asked(record) if seat not in taken]
    away = absences.sides_away(server, record, seats)
    deadline = due_at(record.open_exchange, now, timing_of(record), kinds=deadlines.kinds_asked(record), away=away)
    assert deadline is not None, "a deadline has just fallen"
    why = (Cause("substitute"), *deadline.causes)
    return msgspec.structs.replace(deadline, causes=why, cause="substitute")


@retrying
def forfeit(server: Server, match: str, seats: list[str], now: int) -> bool:
    """Declare these seats forfeited; return whether that ends the match."""
    record = record_of(server, match)
    left = [seat for seat in seats if seat not in endings.given_up(record)]
    out = [seat for seat in left if not endings.forfeit_objection(record, seat, now)]
    if not out:
        return record.ended is not None
    with server.change(record, "forfeit") as change:
        change.append(*endings.forfeit_seats(server, record, out, now))
    return change.record.ended is not None


@retrying
def close(server: Server, match: str, *, exchange: int, why: str) -> bool:
    """Close the exchange: from here on the valid answers and the dice are fixed.

    Return whether this call closed it; another process may have been faster.
    """
    return close_position(server, load(server, match), exchange=exchange, why=why)


def close_position(server: Server, position: Position, *, exchange: int, why: str) -> bool:
    """Close the exchange of a position just read, if it is open; raise `Conflict` if another process was faster."""
    record, match = position.record, position.match
    if record.open_exchange != exchange or not position.asked:
        return False
    if not ladders.serves(record.ladder, exchange):
        ladder_starts.start_ladder(server, match, USED_UP)
        return close(server, match, exchange=exchange, why=why)
    try:
        server.ladder(match, record.ladder)
    except ladders.Damaged as problem:
        halting.halt(server, record, record.last, problem)
        return False
    with server.change(position, "close") as change:
        for seat, sealed in sorted(record.sealed.items()):
            if not is_kept(server, sealed):  # its author had it erased
                change.append(OrderWithdrawn(seat, exchange, "erased"))
        kept = change.record.sealed
        counting = {seat: kept[seat] for seat in position.asked if seat in kept}
        counts = {seat: sealed.version for seat, sealed in counting.items()}
        closed = ExchangeClosed(exchange, why, position.asked, counts)
        change.append(closed.new(*answer_parts(server, record, exchange, counting)))
    drafts.close(server, match, exchange, counting)
    return True


def answer_parts(server: Server, record: Record, exchange: int, counting: Mapping[str, Event]) -> Iterator[NewPart]:
    """Return the valid answers, with new commitments whose salts nobody can choose."""
    match = record.stream.removeprefix("match/")
    ladder = server.ladder(match, record.ladder)
    for seat, sealed in counting.items():
        content = canonical(sealed_submission(server, sealed))
        yield NewPart(f"answer/{seat}", SERVER, content, ladder.salt(match, exchange, seat))


def is_kept(server: Server, sealed: Event) -> bool:
    """Whether the content of a sealed order still exists; its author may have had it erased."""
    return bool(server.store.parts([sealed.parts[0].commitment]))


def sealed_submission(server: Server, sealed: Event) -> Submission:
    """Return the orders that a seat has sealed."""
    return msgspec.json.decode(server.content(sealed.parts[0].commitment), type=Submission)
