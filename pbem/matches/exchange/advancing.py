"""Let a match go on until a person is wanted: start, let bots answer, close what is final, resolve what is closed."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from eventstore import NewEvent, Transaction
from pbem.matches import bots, unit_of_work
from pbem.matches.clock import deadlines
from pbem.matches.exchange import closing, halting, ladder_starts, progress, resolving
from pbem.matches.exchange.checks import wanted_seats
from pbem.matches.history.record import Entry, Record
from pbem.matches.history.replay import (
    Position,
    all_matches,
    load,
    record_of,
    replay,
)
from pbem.matches.post import inbox
from pbem.matches.post.notifications import announce, catch_up
from pbem.matches.server import Server
from pbem.matches.views import (
    seats_asked,
)


def start(server: Server, match: str) -> None:
    """Close the first exchange, which has no answers, when all seats are taken."""

    def act() -> None:
        record = record_of(server, match)
        if not record.started and not wanted_seats(record):
            payload = {"exchange": 1, "why": "start", "asked": [], "counts": {}}
            unit_of_work.append(server, record, [NewEvent("exchange.closed", payload)], "close")

    unit_of_work.retry(act)
    if server.later is None:
        resolving.resolve(server, match)


def resume_halted(server: Server, match: str) -> None:
    """Let a halted match go on: its past must replay, and its closed exchange is resolved again."""
    replay(server, match)
    record = record_of(server, match)
    if record.halted:
        unit_of_work.append(server, record, [NewEvent("match.resumed", {})], "resume")
    resolving.resolve(server, match)


def recover(server: Server) -> None:
    """After a start: new ladders if a backup was restored, then whatever a crash has left half done.

    A match that cannot be loaded is halted and does not keep the others waiting.
    """
    ladder_starts.after_restore(server)
    for match in all_matches(server):
        record = record_of(server, match)
        try:
            resolving.resolve(server, match)
            if not record.ended and not record.halted and not wanted_seats(record):
                start(server, match)
                closing.close_and_resolve(server, match)
        except (sqlite3.Error, OSError):
            raise
        except Exception as problem:
            halting.halt(server, match, record_of(server, match), record.last, problem)


log = logging.getLogger("pbem.desk")


MOST_EXCHANGES = 20
"""How many exchanges one call of `advance` may run through: bots among themselves must not stop the tick."""


def go_on(server: Server, match: str) -> None:
    """Let a match go on after an act: here and now, or by the job that resolves if the server has one."""
    if server.later is None:
        return advance(server, match)
    if not is_ready(record_of(server, match)):
        close_if_final(server, match)
    catch_up(server)
    return server.later(match)


def advance(server: Server, match: str) -> None:
    """Resolve what is closed, let bots answer, close what is final, and so on until a person is wanted."""
    if not is_checked(server, match):
        return
    if is_ready(record_of(server, match)):
        start(server, match)
    for _ in range(MOST_EXCHANGES):
        with progress.shown(server, match, record_of(server, match)):
            resolve(server, match)
        position = load(server, match)
        for seat in bots.bot_seats(position):
            bots.answer(server, position, seat)
        if not close_if_final(server, match):
            break
    catch_up(server)


def is_ready(record: Record) -> bool:
    """Every seat is taken and nothing has begun: whoever took the last one did not get to it."""
    return not record.started and not wanted_seats(record)


def is_checked(server: Server, match: str) -> bool:
    """Whether the past of a match comes out the same under the rules that run now; until then it waits."""
    row = server.database.execute("SELECT unchecked FROM desk WHERE match = ?", (match,)).fetchone()
    return row is None or not row[0]


def close_if_final(server: Server, match: str) -> bool:
    """Close when every asked seat is final; not during a hold, and not while mail for the match waits."""
    record = record_of(server, match)
    asked = seats_asked(server, match, record)
    if not asked or set(asked) - {*record.final, *record.vacant} or inbox.is_awaited(server, match):
        return False
    if not is_checked(server, match):
        return False
    if deadlines.held_since(server) or closing.is_waiting(record):
        return False
    return closing.close(server, match, exchange=record.open_exchange, why="final")


def resolve(server: Server, match: str) -> None:
    """Resolve what is closed; reports, forms and the next deadline belong to the same transaction."""

    def join(transaction: Transaction, position: Position, entry: Entry) -> None:
        assert entry.resolved is not None
        announce(server, transaction, entry.resolved)

    resolving.resolve(server, match, join)


def play_bots(server: Server) -> None:
    """Let every bot answer from which something is wanted."""
    for match in running(server):
        with safely(match, "its bots could not play"):
            if bots.bot_seats(load(server, match)):
                advance(server, match)


@contextmanager
def safely(match: str, what: str) -> Iterator[None]:
    """One match that cannot go on does not stop the others; trouble of the machine stops all."""
    try:
        yield
    except (sqlite3.Error, OSError):
        raise
    except Exception:
        log.exception("match %s: %s", match, what)


def running(server: Server) -> list[str]:
    """The matches that are not over."""
    catch_up(server)
    return [match for (match,) in server.database.execute("SELECT match FROM desk WHERE ended = 0 ORDER BY match")]
