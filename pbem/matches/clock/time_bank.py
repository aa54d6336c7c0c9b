"""Time banks: hours that each seat may use over a whole match when a deadline finds it without orders.

At the deadline a seat that has sealed nothing draws on its bank, a day at a time or what is left. A seat pays for the
time from the deadline to its orders, or to the closing of the exchange if none came; the rest of the day goes back
into its bank. Everyone may use the time that one seat has drawn, and only seats that draw pay.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.matches.clock.causes import Cause
from pbem.matches.clock.deadlines import DAY, HOUR, deadline_of, postpone, set_event, timing_of
from pbem.matches.events import DeadlineSet, ExchangeClosed, ExtensionGranted, MatchEvent, OrderSealed, read
from pbem.matches.history.record import Record

BY_BANK = "bank"


def draw_on_banks(record: Record, missing: Sequence[str]) -> list[MatchEvent]:
    """Return the events by which seats without orders draw on their banks; nothing if all those banks are empty."""
    deadline = deadline_of(record)
    found = {seat: hours for seat in missing if (hours := min(time_left(record, seat), DAY) // HOUR)}
    if deadline is None or not found:
        return []
    granted = [ExtensionGranted(seat, deadline.exchange, hours, BY_BANK) for seat, hours in found.items()]
    later = postpone(deadline, max(found.values()) * HOUR, Cause("bank", seats=tuple(found)), "extension")
    return [*granted, set_event(later)]


def time_left(record: Record, seat: str) -> int:
    """Return what is left in a seat's bank, in milliseconds."""
    bank = timing_of(record).bank * HOUR
    return max(0, bank - time_used(record, seat)) if bank else 0


def time_used(record: Record, seat: str) -> int:
    """Return the time that a seat has used: from the deadline at which it drew to its orders or to the closing."""
    deadlines: dict[int, int] = {}
    since: dict[int, int] = {}
    granted: dict[int, int] = {}
    until: dict[int, int] = {}
    for stored in record.events:
        event = read(stored)
        if isinstance(event, DeadlineSet):
            deadlines[event.exchange] = event.at + event.grace
        elif isinstance(event, ExtensionGranted) and (event.seat, event.by) == (seat, BY_BANK):
            since.setdefault(event.exchange, deadlines[event.exchange])
            granted[event.exchange] = granted.get(event.exchange, 0) + event.hours * HOUR
        elif isinstance(event, OrderSealed) and event.seat == seat and event.exchange in since:
            until[event.exchange] = stored.recorded_at
        elif isinstance(event, ExchangeClosed) and event.exchange in since:
            until.setdefault(event.exchange, stored.recorded_at)
    return sum(
        min(hours, max(0, until[exchange] - since[exchange])) if exchange in until else hours
        for exchange, hours in granted.items()
    )
