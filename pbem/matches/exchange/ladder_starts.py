"""Start new dice ladders: at creation, when one is used up, and after a backup was restored."""

from __future__ import annotations

from collections.abc import Sequence

from eventstore import NewEvent, Transaction
from pbem.matches import unit_of_work
from pbem.matches.history import ladders
from pbem.matches.history.ladders import RESTORED, Ladder
from pbem.matches.history.record import Record
from pbem.matches.history.replay import (
    all_matches,
    record_of,
)
from pbem.matches.server import Server


def draw_ladder(server: Server, match: str, base: int) -> Ladder:
    tops = (server.entropy(f"{match}/{base}/{what}") for what in ("open", "secret", "key"))
    return Ladder(base, *tops)


def start_ladder(server: Server, match: str, why: str) -> None:
    """Draw new ladders and a new key for all exchanges to come.

    Whoever draws a ladder when the orders are known can draw until the dice please them. So what is sealed in the
    open exchange falls with the old ladder, and the exchange is asked again under a new number.
    """

    def act() -> None:
        record = record_of(server, match)
        with server.store.transaction("ladder") as transaction:
            append_with_ladder(server, transaction, record, voided_events(record), why)

    unit_of_work.retry(act)


def voided_events(record: Record) -> list[NewEvent]:
    """What makes the open exchange void, if orders may have been sealed for it."""
    if record.closing or record.ended or not record.started:
        return []
    return [NewEvent("exchange.voided", {"exchange": record.open_exchange})]


def append_with_ladder(
    server: Server, transaction: Transaction, record: Record, events: Sequence[NewEvent], why: str
) -> None:
    """Append, and start new ladders in the same transaction: no crash leaves a match on a published key."""
    started = new_ladder(server, transaction, record, why)
    transaction.append(record.stream, [*events, started], expected=record.version)


def new_ladder(server: Server, transaction: Transaction, record: Record, why: str) -> NewEvent:
    """Draw and keep new ladders; return the event that publishes their first rungs."""
    match = record.stream.removeprefix("match/")
    tops = (server.entropy(f"{match}/{record.version}/{what}") for what in ("open", "secret", "key"))
    ladder = Ladder(record.last, *tops)
    ladders.keep(transaction.database, match, ladder)
    return NewEvent("ladder.started", {"ladder": ladder.published(), "why": why})


def after_restore(server: Server) -> list[str]:
    """The future that a restored backup lost may have published rungs: start new ladders everywhere."""
    done = server.database.execute("SELECT value FROM house WHERE name = 'restorations'").fetchone()
    restorations = server.store.restorations()
    if restorations == (int(done[0]) if done else 0):
        return []
    running = [match for match in all_matches(server) if not record_of(server, match).ended]
    for match in running:
        start_ladder(server, match, RESTORED)
    with server.store.transaction("restore") as transaction:
        transaction.database.execute("INSERT OR REPLACE INTO house VALUES ('restorations', ?)", (str(restorations),))
    return running
