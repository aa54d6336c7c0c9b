"""The progress of the turn being played, for players who wait for it.

Open dice are counted while an exchange is resolved, and compared with those of the previous exchange: nothing more is
known before the end. The counted rolls are published with the exchange anyway.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from eventstore import Database, upsert
from pbem.engine.play.dice import Dice
from pbem.matches.accounts.names import BOT
from pbem.matches.history.record import Record
from pbem.matches.history.replay import rolls_of
from pbem.matches.server import Server

EVERY = 1.0
"""Seconds between two updates of the progress."""

MOST = 95
"""The highest percentage shown before the turn is done."""


class Progress(msgspec.Struct, frozen=True):
    """When resolution of the turn began, and its rough progress in percent; None if unknown."""

    since: int
    percent: int | None


def create_tables(database: Database) -> None:
    database.execute(
        "CREATE TABLE IF NOT EXISTS playing (match TEXT PRIMARY KEY, since INTEGER NOT NULL, "
        "rolls INTEGER NOT NULL, expected INTEGER NOT NULL)"
    )


class WatchedDice(Dice):
    """Dice that report each open roll."""

    note: Callable[[], None]

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        if not secret:
            self.note()
        return super().roll(sides, rule, subjects, secret=secret)


def count_dice(dice: Dice, note: Callable[[], None]) -> Dice:
    """Return the same dice, with `note` called for each open roll."""
    found = WatchedDice.__new__(WatchedDice)
    vars(found).update(vars(dice))
    found.note = note
    return found


@contextmanager
def publish_progress(server: Server, match: str, record: Record) -> Iterator[None]:
    """Publish the progress of the resolution that runs inside this context."""
    if record.closing is None or record.halted:
        yield
        return
    before = next((entry for entry in reversed(record.resolved) if entry.exchange > 1), None)
    expected = len(rolls_of(server, before)) if before is not None else 0
    row = (match, server.store.clock(), 0, expected)
    server.database.execute(upsert("playing", "match", "since, rolls, expected"), row)
    server.watching.roll = _counter(server, match)
    try:
        yield
    finally:
        server.watching.roll = None
        server.database.execute("DELETE FROM playing WHERE match = ?", (match,))


def _counter(server: Server, match: str) -> Callable[[], None]:
    rolls, noted = 0, time.monotonic()

    def note() -> None:
        nonlocal rolls, noted
        rolls += 1
        if time.monotonic() - noted >= EVERY:
            noted = time.monotonic()
            server.database.execute("UPDATE playing SET rolls = ? WHERE match = ?", (rolls, match))

    return note


def progress_of(server: Server, match: str) -> Progress | None:
    """Return the progress of a match being resolved now."""
    query = "SELECT since, rolls, expected FROM playing WHERE match = ?"
    row = server.database.execute(query, (match,)).fetchone()
    if row is None:
        return None
    since, rolls, expected = row
    return Progress(since, min(MOST, 100 * rolls // expected) if expected else None)


def is_played(record: Record, asked: list[str]) -> bool:
    """Whether a match continues without a person: it is being resolved or started, or only bots must answer."""
    if record.ended or record.halted or record.awaits_beacon:
        return False
    if record.closing is not None or (not record.started and len(record.occupants) == len(record.seats)):
        return True
    waited_for = [seat for seat in asked if seat not in (*record.final, *record.vacant)]
    accounts = [record.occupants.get(seat, {}).get("account", "") for seat in waited_for]
    return record.started and bool(asked) and all(account.startswith(BOT) for account in accounts)
