"""Start new dice ladders: at creation, when one is used up, and after a backup was restored."""

from __future__ import annotations

from eventstore import NewEvent, upsert
from pbem.matches.events import ExchangeVoided, LadderStarted, StoredEvent
from pbem.matches.history import ladders
from pbem.matches.history.ladders import RESTORED, Ladder
from pbem.matches.history.record import Record
from pbem.matches.history.replay import all_matches, record_of
from pbem.matches.server import Server
from pbem.matches.unit_of_work import Change, retrying


def draw_ladder(server: Server, match: str, base: int, label: int = 0) -> Ladder:
    """Draw the secrets of a ladder that serves the exchanges after `base`."""
    tops = (server.entropy(f"{match}/{label}/{what}") for what in ("open", "secret", "key"))
    return Ladder(base, *tops)


@retrying
def start_ladder(server: Server, match: str, why: str) -> None:
    """Draw new ladders and a new key for all future exchanges.

    A server that draws a ladder after the orders are known could draw until it likes the dice. So orders sealed
    in the open exchange are void with the old ladder, and the exchange is asked again under a new number.
    """
    with server.change(record_of(server, match), "ladder") as change:
        append_with_ladder(change, voided_events(change.record), why)


def voided_events(record: Record) -> list[StoredEvent | NewEvent]:
    """Return the event that voids the open exchange, if orders may have been sealed for it."""
    if record.closing or record.ended or not record.started:
        return []
    return [ExchangeVoided(record.open_exchange)]


def append_with_ladder(change: Change, events: list[StoredEvent | NewEvent], why: str) -> None:
    """Append events and start new ladders in one transaction, so no crash leaves a match with a published key."""
    started = new_ladder(change, change.record.last, change.record.version, why)
    change.append(*events, started)


def new_ladder(change: Change, base: int, label: int, why: str) -> LadderStarted:
    """Draw and keep new ladders; return the event that publishes their first rungs."""
    ladder = draw_ladder(change.server, change.match, base, label)
    ladders.keep(change.transaction.database, change.server.store.vault, change.match, ladder)
    return LadderStarted(ladder.published_values(), why)


def after_restore(server: Server) -> list[str]:
    """Start new ladders everywhere after a restore, because rungs published since the backup are no longer secret."""
    done = server.database.execute("SELECT value FROM house WHERE name = 'restorations'").fetchone()
    restorations = server.store.restorations()
    if restorations == (int(done[0]) if done else 0):
        return []
    running = restart_all(server)
    note_restorations(server)
    return running


def restart_all(server: Server) -> list[str]:
    """Start new ladders in all running matches; return these matches."""
    running = [match for match in all_matches(server) if not record_of(server, match).ended]
    for match in running:
        start_ladder(server, match, RESTORED)
    return running


def note_restorations(server: Server) -> None:
    """Remember that every restore so far has been followed by new ladders."""
    with server.store.transaction("restore") as transaction:
        row = ("restorations", str(server.store.restorations()))
        transaction.database.execute(upsert("house", "name", "value"), row)
