"""A player's reliability, computed from events: players do not rate each other.

The figures are in a table that can be rebuilt from the events at any time.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from eventstore import Database, Event, Transaction, upsert
from pbem.engine.text.messages import Several, say, say_n, several
from pbem.matches.accounts.names import BOT
from pbem.matches.events import (
    ExchangeClosed,
    MatchEnded,
    SeatForfeited,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    read,
)
from pbem.matches.server import Server

COUNTED = ("asked", "answered", "missed", "finished", "resigned", "forfeited", "replaced")


class Figures(msgspec.Struct, frozen=True):
    """Totals over all seats of an account.

    `asked` counts the exchanges in which it had a decision to make, `answered` those for which it sealed orders, and
    `missed` the deadlines that passed without orders. `finished` counts matches in which it held a seat at the end.
    """

    asked: int = 0
    answered: int = 0
    missed: int = 0
    finished: int = 0
    resigned: int = 0
    forfeited: int = 0
    replaced: int = 0

    @property
    def percent(self) -> int | None:
        """Return the percentage of asks that were answered; None before the first."""
        return 100 * self.answered // self.asked if self.asked else None

    def in_words(self) -> Several:
        if self.percent is None:
            return several([say("has not been asked for orders yet")], "unit")
        said = [
            say_n(
                "answered {percent}% of {n} request for orders",
                "answered {percent}% of {n} requests for orders",
                n=self.asked,
                percent=self.percent,
            ),
            say_n("finished {n} match", "finished {n} matches", n=self.finished),
        ]
        if self.resigned:
            said.append(say_n("resigned {n} time", "resigned {n} times", n=self.resigned))
        if self.forfeited:
            said.append(say_n("forfeited {n} match", "forfeited {n} matches", n=self.forfeited))
        if self.replaced:
            said.append(say_n("was replaced {n} time", "was replaced {n} times", n=self.replaced))
        return several(said, "unit")

    def __str__(self) -> str:
        return str(self.in_words())


def create_tables(database: Database) -> None:
    columns = ", ".join(f"{name} INTEGER NOT NULL DEFAULT 0" for name in COUNTED)
    database.execute(f"CREATE TABLE IF NOT EXISTS reliability (account TEXT PRIMARY KEY, {columns})")
    database.execute(
        "CREATE TABLE IF NOT EXISTS sittings (match TEXT NOT NULL, seat TEXT NOT NULL, account TEXT NOT NULL, "
        "PRIMARY KEY (match, seat))"
    )


def figures(server: Server, account: str) -> Figures:
    return figures_of(server, [account])[account]


def figures_of(server: Server, accounts: Sequence[str]) -> dict[str, Figures]:
    """The figures of several accounts at once."""
    glance(server)
    found = dict.fromkeys(accounts, Figures())
    for chunk in (accounts[start : start + 500] for start in range(0, len(accounts), 500)):
        marks = ", ".join("?" * len(chunk))
        query = f"SELECT account, {', '.join(COUNTED)} FROM reliability WHERE account IN ({marks})"
        for account, *counts in server.database.execute(query, tuple(chunk)).fetchall():
            found[account] = Figures(*counts)
    return found


def catch_up(server: Server) -> None:
    """Count the events since the last update."""
    server.store.project("reliability", _count)


def glance(server: Server) -> None:
    """Count only as much as a page request has time for; the rest is done in the background."""
    if server.store.lag("reliability"):
        with server.store.skip_if_busy():
            server.store.project("reliability", _count, most=1)


def _count(transaction: Transaction, event: Event) -> None:
    if not event.stream.startswith("match/"):
        return
    match, database = event.stream.removeprefix("match/"), transaction.database
    match read(event):
        case SeatTaken(seat=seat, account=account):
            database.execute(upsert("sittings", "match, seat", "account"), (match, seat, account))
        case SeatLeft(seat=seat, why=why):
            if why == "missed deadlines":
                _add(database, _sitting(database, match, seat), "replaced")
            database.execute("DELETE FROM sittings WHERE match = ? AND seat = ?", (match, seat))
        case ExchangeClosed(asked=asked, counts=counts):
            for seat in asked:
                account = _sitting(database, match, seat)
                _add(database, account, "asked", "answered" if seat in counts else "missed")
        case (SeatResigned() | SeatForfeited()) as gone:
            _add(database, gone.account, event.type.removeprefix("seat."))
        case MatchEnded():
            rows = database.execute("SELECT DISTINCT account FROM sittings WHERE match = ?", (match,)).fetchall()
            for (account,) in rows:
                _add(database, account, "finished")
        case _:
            pass


def _sitting(database: Database, match: str, seat: str) -> str:
    query = "SELECT account FROM sittings WHERE match = ? AND seat = ?"
    row = database.execute(query, (match, seat)).fetchone()
    return str(row[0]) if row else ""


def _add(database: Database, account: str, *names: str) -> None:
    if account and not account.startswith(BOT):
        database.execute("INSERT INTO reliability (account) VALUES (?) ON CONFLICT DO NOTHING", (account,))
        more = ", ".join(f"{name} = {name} + 1" for name in names)
        database.execute(f"UPDATE reliability SET {more} WHERE account = ?", (account,))
