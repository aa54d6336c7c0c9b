"""Deadlines: until when an exchange takes answers, and why until then.

A deadline is a pure function of events. Once announced it is an event with a UTC instant; an outage or a hold
moves it by another event. Instants are milliseconds since 1970.
"""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from eventstore import Event, NewEvent, Transaction
from pbem.matches.house import House
from pbem.matches.record import Record, fold

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
SERVER_STREAM = "server"


class Deadline(msgspec.Struct, frozen=True):
    """When the exchange closes at the latest, and the reason in words."""

    exchange: int
    at: int
    why: str


def now(house: House) -> int:
    """The house's clock: the same that dates its events."""
    return house.store.clock()


def in_words(at: int) -> str:
    return f"{datetime.fromtimestamp(at // SECOND, UTC):%a %-d %b %Y, %H:%M} UTC"


def span_in_words(length: int) -> str:
    """2 h 5 min."""
    hours, minutes = divmod(round(length / MINUTE), 60)
    return " ".join(filter(None, (f"{hours} h" if hours else "", f"{minutes} min" if minutes or not hours else "")))


# Reckoning ---------------------------------------------------------------------------------------------------


def due_at(exchange: int, opened_at: int, cadence: int) -> Deadline | None:
    """A cadence of so many hours from the opening; 0 means no deadline."""
    if cadence <= 0:
        return None
    return Deadline(exchange, opened_at + cadence * HOUR, f"{cadence} hours after {in_words(opened_at)}")


def moved(deadline: Deadline, by: int, why: str) -> Deadline:
    return Deadline(deadline.exchange, deadline.at + by, f"{deadline.why}; {why}: {span_in_words(by)} later")


def remind_at(deadline: Deadline, cadence: int) -> int:
    """A day before, or when a quarter of the time is left if that is later."""
    return deadline.at - min(24 * HOUR, cadence * HOUR // 4)


def cadence_of(record: Record) -> int:
    return int(record.created.get("cadence", 0))


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


# Announcing --------------------------------------------------------------------------------------------------


def announce(transaction: Transaction, record: Record, opened: Event) -> None:
    """Set the deadline of the exchange that this event has opened."""
    deadline = due_at(record.open_exchange, opened.recorded_at, cadence_of(record))
    if deadline is not None and not record.ended:
        set_deadline(transaction, record.stream, deadline)


def set_deadline(transaction: Transaction, stream: str, deadline: Deadline) -> None:
    event = NewEvent("deadline.set", msgspec.to_builtins(deadline))
    transaction.append(stream, [event], expected=transaction.version(stream))


def give_back(house: House, transaction: Transaction, streams: list[str], since: int, until: int, why: str) -> None:
    """Move the deadlines of these matches by the part of this time that they were running."""
    for stream in streams:
        record = fold(house.store.read(stream))
        deadline = deadline_of(record)
        if deadline is not None and (span := until - max(since, opened_at(record))) > 0:
            set_deadline(transaction, stream, moved(deadline, span, why))


def announced_since(record: Record, event: Event) -> bool:
    """Whether a deadline of the open exchange was announced after this event."""
    return any(announced.version > event.version for announced in _announced(record))


def opened_at(record: Record) -> int:
    """When the open exchange's first deadline was announced."""
    announced = _announced(record)
    return announced[0].recorded_at if announced else 0


# Outages and holds -------------------------------------------------------------------------------------------


def record_outage(house: House, streams: list[str], since: int, until: int, why: str) -> None:
    """Note that nobody watched the clock, and give the time back; during a hold that is done at its release."""
    with house.store.transaction("outage") as transaction:
        _append(transaction, NewEvent("server.outage", {"since": since, "until": until, "why": why}))
        if held_since(house) is None:
            give_back(house, transaction, streams, since, until, "the server was away")


def held_since(house: House) -> int | None:
    """Since when nothing closes."""
    for event in reversed(house.store.read(SERVER_STREAM)):
        if event.type == "server.held":
            return event.recorded_at
        if event.type == "server.released":
            return None
    return None


def hold(house: House, why: str = "") -> bool:
    """From now on nothing closes. Returns whether this call did it."""
    if held_since(house) is not None:
        return False
    with house.store.transaction("hold") as transaction:
        _append(transaction, NewEvent("server.held", {"why": why}))
    return True


def release(house: House, streams: list[str]) -> bool:
    """Closing goes on; every deadline moves by the time that was held."""
    since = held_since(house)
    if since is None:
        return False
    with house.store.transaction("release") as transaction:
        event = _append(transaction, NewEvent("server.released", {"since": since}))
        give_back(house, transaction, streams, since, event.recorded_at, "the server was on hold")
    return True


def _append(transaction: Transaction, event: NewEvent) -> Event:
    version = transaction.version(SERVER_STREAM)
    return transaction.append(SERVER_STREAM, [event], expected=version)[0]
