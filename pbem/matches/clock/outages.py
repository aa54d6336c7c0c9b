"""Time that does not count: recorded once for the server, and credited to each match before anything else happens.

An outage is one event, however many matches are running. The deadline of a match moves when the match is next looked
at, and in any case before it is closed, so no transaction moves thousands of deadlines at once. If a clock
that was set ahead is corrected, deadlines follow both times: none stays a year away, and none comes sooner than
announced.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import msgspec

from eventstore import Event, StoreTrouble, Transaction
from pbem.matches.clock import deadlines
from pbem.matches.clock.causes import Cause
from pbem.matches.clock.deadlines import MINUTE
from pbem.matches.clock.watch import Lapse
from pbem.matches.events import ServerHeld, ServerOutage, ServerReleased, each, read
from pbem.matches.history.record import Record, fold
from pbem.matches.post.notifications import catch_up
from pbem.matches.server import Server
from pbem.matches.unit_of_work import Change

log = logging.getLogger("pbem.outages")

OUTAGE, RELEASED = ServerOutage.word, ServerReleased.word
AWAY, HELD, SET = "outage", "held", "clock"
IMPLAUSIBLE = 10 * MINUTE
"""A jump larger than this is reported to the operator."""


class Balance(msgspec.Struct, frozen=True):
    """How far the clock is ahead or behind since it was first changed; `since` is a position in the log.

    Deadlines have moved with a clock that is ahead, but not with a clock that is behind.
    """

    ahead: int = 0
    behind: int = 0
    since: int = 0


def record_lapse(server: Server, lapse: Lapse) -> Event:
    """Record the time that did not count; `settle` then moves the deadline of each match."""
    with server.store.transaction("outage") as transaction:
        jump, gap = (lapse.jump, lapse.gap) if lapse.jump else (None, None)
        return deadlines.append(transaction, ServerOutage(lapse.since, lapse.until, lapse.why, jump, gap))


def record_outage(server: Server, since: int, until: int, why: str) -> Event:
    """Record an outage."""
    return record_lapse(server, Lapse(since, until, until - since, 0, why))


# Time for each match ----------------------------------------------------------------------------------------


class Shift(msgspec.Struct, frozen=True):
    """How far an outage moves deadlines: those announced up to position `since` by `span`, others by `fresh`."""

    event: Event
    span: int
    fresh: int
    since: int
    code: str


def shifts(server: Server) -> list[Shift]:
    """Every outage, hold and change of the clock, in order, with its effect on a deadline announced before it."""
    found: list[Shift] = []
    balance, held = Balance(), False
    for event, what in each(deadlines.server_events(server), ServerHeld, ServerReleased, ServerOutage):
        if isinstance(what, ServerReleased):
            span = event.recorded_at - what.since
            found.append(Shift(event, span, span, 0, HELD))
        elif isinstance(what, ServerOutage):
            shift, balance = _shift_of(event, server.store.place(event), what, balance)
            found += [] if held else [shift]  # at the release all the held time is given back
        held = isinstance(what, ServerHeld) or (held and not isinstance(what, ServerReleased))
    return found


def _shift_of(event: Event, place: int, outage: ServerOutage, balance: Balance) -> tuple[Shift, Balance]:
    jump = outage.jump or 0
    gap = outage.until - outage.since if outage.gap is None else outage.gap
    if not jump:
        return Shift(event, gap, gap, 0, AWAY), balance
    if jump < 0:
        undone = min(-jump, balance.ahead)
        behind = balance.behind - jump - undone
        since = balance.since if balance.behind else place
        after = Balance(balance.ahead - undone, behind, since if behind else 0)
        return Shift(event, gap - undone, gap - undone, 0, SET), after
    repaid = min(jump, balance.behind)
    after = Balance(balance.ahead + jump - repaid, balance.behind - repaid, balance.since)
    return Shift(event, gap + jump - repaid, gap + jump, balance.since, SET), after


def newest(server: Server) -> int:
    """The position of the last event that moves deadlines; 0 before the first."""
    moving = [event for event in deadlines.server_events(server) if event.type in (OUTAGE, RELEASED)]
    return server.store.place(moving[-1]) if moving else 0


def matches_to_extend(server: Server, most: int) -> list[str]:
    """Matches whose deadline has not been moved yet, the next deadline first."""
    last = newest(server)
    if not last:
        return []
    rows = server.database.execute(
        "SELECT match FROM desk WHERE settled < ? AND deadline IS NOT NULL ORDER BY deadline, match LIMIT ?",
        (last, most),
    ).fetchall()
    return [match for (match,) in rows]


def settle(server: Server, match: str) -> bool:
    """Move the deadline of a match by all outages not yet applied to it; return whether it moved."""
    row = server.database.execute("SELECT settled FROM desk WHERE match = ?", (match,)).fetchone()
    last = newest(server)
    if row is None or row[0] >= last:
        return False
    due = [shift for shift in shifts(server) if server.store.place(shift.event) > row[0]]
    with server.store.transaction("settle") as transaction:
        now = transaction.database.execute("SELECT settled FROM desk WHERE match = ?", (match,)).fetchone()[0]
        if now != row[0]:
            return False  # another process has just done it
        moved = _move(server, transaction, match, due)
        transaction.database.execute("UPDATE desk SET settled = ? WHERE match = ?", (last, match))
    return moved


def _move(server: Server, transaction: Transaction, match: str, due: Sequence[Shift]) -> bool:
    try:
        record = fold(server.store.read(f"match/{match}"))
        deadline = deadlines.deadline_of(record)
    except StoreTrouble:
        raise
    except Exception:
        log.exception("the deadline of match %s could not be moved", match)
        return False
    if deadline is None:
        return False
    moved = deadline
    for shift in due:
        span = _span(server, record, shift)
        if span:
            moved = deadlines.postpone(moved, span, Cause(shift.code), "outage")
    if moved == deadline:
        return False
    Change.joining(server, transaction, record).append(deadlines.set_event(moved))
    return True


def _span(server: Server, record: Record, shift: Shift) -> int:
    """How far an outage moves the deadline of the open exchange, if the exchange was open before the outage."""
    opened = deadlines.first_announcement(record)
    if opened is None:
        return 0
    place = server.store.place(opened)
    if place >= server.store.place(shift.event):
        return 0
    what = read(shift.event)
    if isinstance(what, ServerOutage) and what.jump is not None:
        return shift.fresh if shift.since and place > shift.since else shift.span
    assert isinstance(what, ServerOutage | ServerReleased)
    until = what.until if isinstance(what, ServerOutage) else shift.event.recorded_at
    return max(0, until - max(what.since, opened.recorded_at))


# For the operator --------------------------------------------------------------------------------------------


def jumps_since(server: Server, since: int) -> list[ServerOutage]:
    """The times at which the clock was changed by more than is plausible."""
    return [
        outage
        for event, outage in each(deadlines.server_events(server), ServerOutage)
        if abs(outage.jump or 0) > IMPLAUSIBLE and event.recorded_at >= since
    ]


MOST_SETTLED = 100


def hold(server: Server, why: str = "") -> bool:
    """Stop closing exchanges; return whether this call did it."""
    return deadlines.hold(server, why)


def release(server: Server) -> bool:
    """Resume closing; deadlines are postponed by the length of the hold. Return whether this call did it."""
    done = deadlines.release(server)
    settle_all(server)
    return done


def settle_all(server: Server) -> None:
    """Move every deadline that is still to be moved."""
    catch_up(server)
    while due := matches_to_extend(server, MOST_SETTLED):
        for match in due:
            settle(server, match)
    catch_up(server)
