"""Deadlines on record: until when an exchange takes answers.

`timing` reckons them; once announced a deadline is an event with a UTC instant. Outages, holds, halts, extensions and
pauses move it by another event; an absence does not, nor do new settings.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import msgspec

from eventstore import Event, NewEvent, Transaction
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
    moved,
    remind_at,
    span_in_words,
)
from pbem.matches.history.record import Record, fold
from pbem.matches.server import Server

__all__ = ["DAY", "HOUR", "MINUTE", "SECOND", "Deadline", "Timing", "in_words", "moved", "remind_at", "span_in_words"]

log = logging.getLogger("pbem.deadlines")

SERVER_STREAM = "server"


def now(server: Server) -> int:
    """The server's clock: the same that dates its events."""
    return server.store.clock()


# What is on record -------------------------------------------------------------------------------------------


def timing_of(record: Record) -> Timing:
    """What the match has agreed on at its creation, or what its game master has set since."""
    set_since = _last_act(record, "settings")
    if set_since is not None:
        return msgspec.convert(set_since.payload["timing"], Timing)
    return msgspec.convert(
        {**record.created.get("timing", {}), "hours": int(record.created.get("cadence", 0))}, Timing
    )


def on_hold(record: Record) -> Event | None:
    """The act by which the game master lets nothing close in this match, if he does."""
    last = _last_act(record, "hold", "release")
    return last if last is not None and last.payload["act"] == "hold" and not record.ended else None


def _last_act(record: Record, *names: str) -> Event | None:
    acted = (event for event in reversed(record.events) if event.type == "master.acted")
    return next((event for event in acted if event.payload["act"] in names), None)


def kinds_asked(record: Record) -> list[str]:
    """The kinds of ask that are open, as everybody knows them."""
    return [ask["kind"] for ask in _asks(record)]


def seats_asked(record: Record) -> list[str]:
    return [ask["seat"] for ask in _asks(record)]


def _asks(record: Record) -> list[dict[str, str]]:
    last = record.resolved[-1].resolved if record.resolved else None
    return list(last.payload["asks"]) if last else []


def deadline_of(record: Record) -> Deadline | None:
    """The deadline of the open exchange, as it was last announced."""
    announced = _announced(record)
    if record.ended or not announced:
        return None
    return msgspec.convert(announced[-1].payload, Deadline)


def _announced(record: Record) -> list[Event]:
    return [
        event
        for event in record.events
        if event.type == "deadline.set" and event.payload["exchange"] == record.open_exchange
    ]


def announced_since(record: Record, event: Event) -> bool:
    """Whether a deadline of the open exchange was announced after this event."""
    return any(announced.version > event.version for announced in _announced(record))


def times_set(record: Record) -> int:
    """How often the deadline of the open exchange was announced."""
    return len(_announced(record))


def opened(record: Record) -> Event | None:
    """The event that announced the open exchange's first deadline."""
    return next(iter(_announced(record)), None)


def opened_at(record: Record) -> int:
    """When the open exchange's first deadline was announced."""
    announced = opened(record)
    return announced.recorded_at if announced else 0


def is_late(record: Record, at: int) -> bool:
    """Whether orders that came in then came too late. A match that waits for everybody takes them until it closes."""
    deadline = deadline_of(record)
    return deadline is not None and at > deadline.closes_at and timing_of(record).missed != "wait"


# Announcing --------------------------------------------------------------------------------------------------


def announce(transaction: Transaction, record: Record, opened_at: int, away: Sequence[Away] = ()) -> None:
    """Set the deadline of the exchange that was opened at this time."""
    timing = timing_of(record)
    if not set(seats_asked(record)) & set(record.seats):  # only battles, which have deadlines of their own
        timing = msgspec.structs.replace(timing, hours=int(record.created.get("battle_hours", 0)), by_kind={})
    deadline = due_at(record.open_exchange, opened_at, timing, kinds=kinds_asked(record), away=away)
    if deadline is not None and not record.ended:
        set_deadline(transaction, record.stream, deadline)


def set_deadline(transaction: Transaction, stream: str, deadline: Deadline) -> None:
    transaction.append(stream, [set_event(deadline)], expected=transaction.version(stream))


def set_event(deadline: Deadline) -> NewEvent:
    return NewEvent("deadline.set", msgspec.to_builtins(deadline))


def give_back(
    server: Server, transaction: Transaction, streams: list[str], since: int, until: int, why: str, cause: str = ""
) -> None:
    """Move the deadlines of these matches by the part of this time that they were running.

    A match that cannot be read does not cost the others their time.
    """
    for stream in streams:
        try:
            record = fold(server.store.read(stream))
            deadline = deadline_of(record)
        except Exception:
            log.exception("the deadline of %s could not be moved", stream)
            continue
        if deadline is not None and (span := until - max(since, opened_at(record))) > 0:
            set_deadline(transaction, stream, moved(deadline, span, why, cause))


# Holds -------------------------------------------------------------------------------------------------------


def server_events(server: Server) -> list[Event]:
    """What happened to the server itself; read again only when something was added."""
    head = server.store.head(SERVER_STREAM)
    if server.kept_events[0] != head:
        server.kept_events = head, server.store.read(SERVER_STREAM)
    return server.kept_events[1]


def held_since(server: Server) -> int | None:
    """Since when nothing closes."""
    for event in reversed(server_events(server)):
        if event.type == "server.held":
            return event.recorded_at
        if event.type == "server.released":
            return None
    return None


def hold(server: Server, why: str = "") -> bool:
    """From now on nothing closes. Returns whether this call did it."""
    if held_since(server) is not None:
        return False
    with server.store.transaction("hold") as transaction:
        _append(transaction, NewEvent("server.held", {"why": why}))
    return True


def release(server: Server) -> bool:
    """Closing goes on; every deadline moves by the time that was held. Returns whether this call did it."""
    since = held_since(server)
    if since is None:
        return False
    with server.store.transaction("release") as transaction:
        _append(transaction, NewEvent("server.released", {"since": since}))
    return True


def _append(transaction: Transaction, event: NewEvent) -> Event:
    version = transaction.version(SERVER_STREAM)
    return transaction.append(SERVER_STREAM, [event], expected=version)[0]
