"""Precedents: decided disputes of all matches, by title and rule, for players and game masters to find.

They are a projection of `dispute.settled`: it holds only the public part of a decision. A decision reopened by an
appeal is not a precedent until it is decided again.
"""

from __future__ import annotations

import msgspec

from eventstore import Database, Event, Transaction, create_table, upsert
from pbem.matches.events import DisputeAppealed, DisputeSettled, content_as
from pbem.matches.history.record import Record
from pbem.matches.rulings import disputes
from pbem.matches.server import Server

MOST = 100


class Precedent(msgspec.Struct, frozen=True):
    """A decision. Other decisions refer to it by `id`: the match and the number of the dispute."""

    id: str
    match: str
    number: int
    title: str
    rule: str
    verdict: str
    answer: str
    at: int
    follows: tuple[str, ...] = ()
    departs: tuple[str, ...] = ()
    cited: int = 0
    grounds: str = ""
    """Why the decision follows or departs from these precedents."""


COLUMNS = "match, number, title, rule, verdict, answer, at, follows, departs, grounds"


def create_tables(database: Database) -> None:
    columns = (
        "id TEXT PRIMARY KEY, match TEXT NOT NULL, number INTEGER NOT NULL, title TEXT NOT NULL, rule TEXT NOT NULL, "
        "verdict TEXT NOT NULL, answer TEXT NOT NULL, at INTEGER NOT NULL, follows TEXT NOT NULL, "
        "departs TEXT NOT NULL"
    )
    create_table(database, "precedents", columns, {"grounds": "TEXT NOT NULL DEFAULT ''"})
    database.execute("CREATE INDEX IF NOT EXISTS precedents_by_rule ON precedents (title, rule)")


def publish(transaction: Transaction, record: Record, event: Event) -> None:
    """Store a decision under its rule. A decision without a rule settles a fact and is not a precedent."""
    match, settled = record.stream.removeprefix("match/"), content_as(event, DisputeSettled)
    found = next(one for one in disputes.disputes(record) if one.number == settled.number)
    if not found.rule or not found.answer:
        return
    row = (f"{match}/{found.number}", match, found.number, record.created.title, found.rule, found.verdict)
    cited = (" ".join(found.follows), " ".join(found.departs), found.grounds)
    transaction.database.execute(
        upsert("precedents", "id", COLUMNS),
        (*row, found.answer, event.recorded_at, *cited),
    )


def withdraw(transaction: Transaction, record: Record, event: Event) -> None:
    """Remove a decision that an appeal has reopened."""
    match = record.stream.removeprefix("match/")
    number = content_as(event, DisputeAppealed).number
    transaction.database.execute("DELETE FROM precedents WHERE id = ?", (f"{match}/{number}",))


def search(server: Server, *, title: str = "", rule: str = "", words: str = "") -> list[Precedent]:
    """Find precedents of a title, on a rule or its sub-rules, that contain these words, newest first."""
    where: list[str] = ["1 = 1"]
    values: list[str | int] = []
    if title:
        where.append("title = ?")
        values.append(title)
    if rule:
        where.append("(rule = ? OR substr(rule, 1, ?) = ? OR substr(?, 1, length(rule) + 1) = rule || '.')")
        values += [rule, len(rule) + 1, f"{rule}.", rule]
    for word in words.split():
        where.append("instr(lower(answer || ' ' || rule), ?) > 0")
        values.append(word.lower())
    query = f"SELECT id, {COLUMNS} FROM precedents WHERE {' AND '.join(where)} ORDER BY at DESC, id LIMIT {MOST}"
    return [_read(server, row) for row in server.database.execute(query, values).fetchall()]


def newest(server: Server) -> tuple[int, int]:
    """Identify the state of the collection: the number of precedents, and when the newest was decided."""
    count, at = server.database.execute("SELECT count(*), max(at) FROM precedents").fetchone()
    return count, at or 0


def by_rule(server: Server, title: str) -> dict[str, list[Precedent]]:
    """Return the precedents of a title under their rules, for the sheets of findings."""
    found: dict[str, list[Precedent]] = {}
    for one in search(server, title=title):
        found.setdefault(one.rule, []).append(one)
    return found


def on_rule(found: dict[str, list[Precedent]], rule: str) -> list[Precedent]:
    """Return the precedents on a rule or on one of its parent rules."""
    return [one for known, some in found.items() if rule == known or rule.startswith(f"{known}.") for one in some]


def _read(server: Server, row: tuple[object, ...]) -> Precedent:
    id, match, number, title, rule, verdict, answer, at, follows, departs, grounds = row
    cited = server.database.execute(
        "SELECT count(*) FROM precedents WHERE instr(' ' || follows || ' ', ?) > 0", (f" {id} ",)
    ).fetchone()[0]
    return Precedent(
        str(id),
        str(match),
        int(str(number)),
        str(title),
        str(rule),
        str(verdict),
        str(answer),
        int(str(at)),
        tuple(str(follows).split()),
        tuple(str(departs).split()),
        int(cited),
        str(grounds),
    )
