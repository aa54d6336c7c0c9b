"""Deadlines on record: until when an exchange takes answers.

`deadline_rules` computes them; once announced, a deadline is an event with a UTC instant. Outages, holds, halts,
extensions and pauses move it by another event; an absence does not, nor do new settings.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from itertools import takewhile

import msgspec

from eventstore import Event, Transaction
from pbem.matches.clock.causes import Cause
from pbem.matches.clock.deadline_rules import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    Away,
    Deadline,
    Timing,
    due_at,
    in_words,
    postpone,
    remind_at,
)
from pbem.matches.events import (
    DeadlineSet,
    ExchangeClosed,
    MasterActed,
    ServerEvent,
    ServerHeld,
    ServerReleased,
    each,
)
from pbem.matches.history.record import Record
from pbem.matches.server import Server
from pbem.matches.unit_of_work import Change

__all__ = [
    "DAY",
    "HOUR",
    "MINUTE",
    "SECOND",
    "Deadline",
    "Timing",
    "in_words",
    "postpone",
    "remind_at",
]

log = logging.getLogger("pbem.deadlines")

SERVER_STREAM = "server"


def now(server: Server) -> int:
    """The time by the server's clock, which also dates its events."""
    return server.store.clock()


# From the record -------------------------------------------------------------------------------------------


def timing_of(record: Record) -> Timing:
    """Return the settings made at the creation of the match, or by its game master since."""
    set_since = _last_act(record, "settings")
    if set_since is not None:
        return msgspec.convert(set_since[1].timing, Timing)
    return msgspec.convert({**record.created.timing, "hours": record.created.cadence}, Timing)


def on_hold(record: Record) -> Event | None:
    """Return the game master's act that keeps this match from closing, if there is one."""
    last = _last_act(record, "hold", "release")
    return last[0] if last is not None and last[1].act == "hold" and not record.ended else None


def _last_act(record: Record, *names: str) -> tuple[Event, MasterActed] | None:
    acted = each(record.events, MasterActed, newest_first=True)
    return next(((event, what) for event, what in acted if what.act in names), None)


def kinds_asked(record: Record) -> list[str]:
    """The kinds of ask that are open; this is public."""
    return [ask["kind"] for ask in _asks(record)]


def seats_asked(record: Record) -> list[str]:
    return [ask["seat"] for ask in _asks(record)]


def _asks(record: Record) -> list[dict[str, str]]:
    last = record.resolved[-1] if record.resolved else None
    return list(last.result.asks) if last else []


def deadline_of(record: Record) -> Deadline | None:
    """The deadline of the open exchange, as it was last announced."""
    newest = next(_announcements(record), None)
    if record.ended or newest is None:
        return None
    said = newest[1]
    return Deadline(said.exchange, said.at, said.causes, said.grace, said.cause, said.why)


def _announcements(record: Record) -> Iterator[tuple[Event, DeadlineSet]]:
    """The deadlines announced for the open exchange, newest first. Exchange numbers only increase."""
    now, newest_first = record.open_exchange, each(record.events, DeadlineSet, newest_first=True)
    newest = takewhile(lambda found: found[1].exchange >= now, newest_first)
    return (found for found in newest if found[1].exchange == now)


def announced_since(record: Record, event: Event) -> bool:
    """Whether a deadline of the open exchange was announced after this event."""
    return any(announced.version > event.version for announced, _ in _announcements(record))


def announced_before(record: Record, exchange: int, event: Event) -> int | None:
    """The deadline of an exchange as it was last announced before this event."""
    newest_first = each(record.events, DeadlineSet, newest_first=True)
    earlier = (what for said, what in newest_first if said.version < event.version)
    return next((what.at for what in earlier if what.exchange == exchange), None)


def times_set(record: Record) -> int:
    """How often the deadline of the open exchange was announced."""
    return len(list(_announcements(record)))


def first_announcement(record: Record) -> Event | None:
    """The event that announced the open exchange's first deadline."""
    announced = [event for event, _ in _announcements(record)]
    return announced[-1] if announced else None


def opened_at(record: Record) -> int:
    """When the open exchange's first deadline was announced."""
    announced = first_announcement(record)
    return announced.recorded_at if announced else 0


def is_late(record: Record, at: int) -> bool:
    """Whether orders that arrived then were too late. A match that waits for everybody takes them until it closes."""
    deadline = deadline_of(record)
    return deadline is not None and at > deadline.closes_at and timing_of(record).missed != "wait"


def missed_deadlines(record: Record, seat: str) -> list[int]:
    """Count the exchanges that closed without orders from a seat's current occupant, since their last orders."""
    since = record.occupants.get(seat, {}).get("since", record.version)
    missed: list[int] = []
    for event, closed in each(record.events, ExchangeClosed, newest_first=True):
        if event.version < since or (seat in closed.asked and seat in closed.counts):
            break
        if seat in closed.asked:
            missed.insert(0, closed.exchange)
    return missed


# Announcing --------------------------------------------------------------------------------------------------


def announce(change: Change, opened_at: int, away: Sequence[Away] = ()) -> None:
    """Set the deadline of the exchange that was opened at this time."""
    record = change.record
    timing = timing_of(record)
    if not set(seats_asked(record)) & set(record.seats):  # only battles, which have deadlines of their own
        timing = msgspec.structs.replace(timing, hours=record.created.battle_hours, by_kind={})
    deadline = due_at(record.open_exchange, opened_at, timing, kinds=kinds_asked(record), away=away)
    if deadline is not None and not record.ended:
        change.append(set_event(deadline))


def set_event(deadline: Deadline) -> DeadlineSet:
    """Return the event that announces a deadline or moves it."""
    kept = {"grace": deadline.grace, "cause": deadline.cause, "causes": deadline.causes}
    return DeadlineSet(deadline.exchange, deadline.at, deadline.stored, **kept)  # type: ignore[arg-type]


def give_back(change: Change, since: int, until: int, why: Cause, cause: str = "") -> None:
    """Postpone a match's deadline by the part of this time during which it was running."""
    deadline = deadline_of(change.record)
    if deadline is not None and (span := until - max(since, opened_at(change.record))) > 0:
        change.append(set_event(postpone(deadline, span, why, cause)))


# Holds -------------------------------------------------------------------------------------------------------


def server_events(server: Server) -> list[Event]:
    """Return the server's own events; they are read again only when one was added."""
    head = server.store.head(SERVER_STREAM)
    if server.kept_events[0] != head:
        server.kept_events = head, server.store.read(SERVER_STREAM)
    return server.kept_events[1]


def held_since(server: Server) -> int | None:
    """Return since when no exchange closes; None if the server is not on hold."""
    for event in reversed(server_events(server)):
        if event.type == "server.held":
            return event.recorded_at
        if event.type == "server.released":
            return None
    return None


def hold(server: Server, why: str = "") -> bool:
    """Stop closing exchanges; return whether this call did it."""
    if held_since(server) is not None:
        return False
    with server.store.transaction("hold") as transaction:
        append(transaction, ServerHeld(why))
    return True


def release(server: Server) -> bool:
    """Resume closing; every deadline moves by the time of the hold. Return whether this call did it."""
    since = held_since(server)
    if since is None:
        return False
    with server.store.transaction("release") as transaction:
        append(transaction, ServerReleased(since))
    return True


def append(transaction: Transaction, event: ServerEvent) -> Event:
    """Record an event about the server itself."""
    version = transaction.version(SERVER_STREAM)
    return transaction.append(SERVER_STREAM, [event.new()], expected=version)[0]
