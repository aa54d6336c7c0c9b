"""Advance a match until it needs a person: start it, let bots answer, close final exchanges, resolve closed ones."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from eventstore import StoreTrouble
from pbem.matches import bot_seats
from pbem.matches.clock import deadlines
from pbem.matches.events import ExchangeClosed
from pbem.matches.exchange import closing, halting, progress, resolving
from pbem.matches.exchange.checks import wanted_seats
from pbem.matches.history.record import Record
from pbem.matches.history.replay import Position, load, record_of, replay
from pbem.matches.post import inbox
from pbem.matches.post.notifications import catch_up
from pbem.matches.server import Server
from pbem.matches.unit_of_work import retrying
from pbem.matches.views import seats_asked

log = logging.getLogger("pbem.advancing")

MOST_EXCHANGES = 20
"""How many exchanges one call of `advance` may play: matches between bots must not hold up the tick."""


def go_on(server: Server, match: str, position: Position | None = None) -> None:
    """Advance a match after an act: at once, or in the resolving job if the server has one.

    `position` is the match after the act, if the caller has read it.
    """
    if server.later is None:
        return advance(server, match)
    record = record_of(server, match) if position is None else position.record
    if is_ready(record):
        start(server, match)
    elif all_final(server, match, record):
        close_final(server, match, position)
    return server.later(match)  # the job brings the tables up to date, for all matches at once


def may_go_on(server: Server, match: str) -> bool:
    """Whether the match can go on without a person: a turn is being resolved, it can start, or a bot is asked.

    The record alone decides this, because most events are orders of one seat while another is still awaited.
    """
    record = record_of(server, match)
    asked = seats_asked(server, match, record)
    return progress.is_played(record, asked) or any(bot_seats.is_bots(record, seat) for seat in asked)


def advance(server: Server, match: str, exchanges: int = MOST_EXCHANGES) -> None:
    """Resolve, let bots answer and close final exchanges, until a person is needed or the limit is reached."""
    if not is_checked(server, match):
        return
    if is_ready(record_of(server, match)):
        start(server, match)
    for _ in range(exchanges):
        with progress.publish_progress(server, match, record_of(server, match)):
            resolving.resolve(server, match)
        position = load(server, match)
        for seat in bot_seats.bot_seats(position):
            bot_seats.answer(server, position, seat)
        if not close_if_final(server, match):
            break
    catch_up(server)


@retrying
def start(server: Server, match: str) -> None:
    """Close the first exchange, which has no answers, when all seats are taken."""
    record = record_of(server, match)
    if is_ready(record):
        with server.change(record, "close") as change:
            change.append(ExchangeClosed(exchange=1, why="start", asked=[], counts={}))


def is_ready(record: Record) -> bool:
    """Whether a match with all seats taken must still be started because the process that filled it did not do so."""
    return not record.started and not wanted_seats(record)


def is_checked(server: Server, match: str) -> bool:
    """Whether the match has been replayed unchanged under the current rules; until then it waits."""
    row = server.database.execute("SELECT unchecked FROM desk WHERE match = ?", (match,)).fetchone()
    return row is None or not row[0]


def close_if_final(server: Server, match: str) -> bool:
    """Close the exchange if every asked seat is final and nothing holds it open; return whether it was closed."""
    return all_final(server, match, record_of(server, match)) and close_final(server, match)


def all_final(server: Server, match: str, record: Record) -> bool:
    """Whether every asked seat is final, and nothing keeps the exchange from closing."""
    asked = seats_asked(server, match, record)
    if not asked or set(asked) - {*record.final, *record.vacant} or inbox.is_awaited(server, match):
        return False
    return is_checked(server, match) and not deadlines.held_since(server) and not closing.is_waiting(record)


@retrying
def close_final(server: Server, match: str, position: Position | None = None) -> bool:
    """Close an exchange in which every asked seat is final; return whether this call closed it."""
    if position is None or position.record.version != server.store.version(position.record.stream):
        position = load(server, match)
    if set(position.awaited_seats) - set(position.record.vacant):
        return False
    return closing.close_position(server, position, exchange=position.record.open_exchange, why="final")


def resume_halted(server: Server, match: str) -> None:
    """Continue a halted match: its past must replay, and its closed exchange is resolved again."""
    replay(server, match)
    record = record_of(server, match)
    if record.halted:
        halting.resume(server, record)
    resolving.resolve(server, match)


@contextmanager
def safely(match: str, what: str) -> Iterator[None]:
    """Keep one failing match from stopping the others; a storage or disk failure stops them all."""
    try:
        yield
    except (StoreTrouble, OSError):
        raise
    except Exception:
        log.exception("match %s: %s", match, what)
