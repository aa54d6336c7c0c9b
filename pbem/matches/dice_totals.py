"""The dice of the whole server: how often each face has come up in the matches that are over and open.

Each match is counted once, in the background, and again after a ruling has changed it; a page only reads the totals.
"""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

import msgspec

from eventstore import Database, Event, StoreTrouble, Transaction, upsert
from pbem.matches.audit.fairness import rolls_of_match, tallies_of
from pbem.matches.events import MatchEnded, MatchOpened, RulingRecomputed, RulingReopened, read
from pbem.matches.history.replay import record_of
from pbem.matches.server import Server

log = logging.getLogger(__name__)

MOST_AT_ONCE = 20
"""The number of matches counted before other work has its turn."""
Faces = Counter[tuple[int, int]]
"""How often each face of each kind of die came up, by sides and result."""


def create_tables(database: Database) -> None:
    database.execute("CREATE TABLE IF NOT EXISTS dice_due (match TEXT PRIMARY KEY)")
    database.execute("CREATE TABLE IF NOT EXISTS dice_counted (match TEXT PRIMARY KEY, faces TEXT NOT NULL)")
    database.execute(
        "CREATE TABLE IF NOT EXISTS dice_totals (sides INTEGER NOT NULL, face INTEGER NOT NULL, "
        "rolls INTEGER NOT NULL, PRIMARY KEY (sides, face))"
    )


def catch_up(server: Server, most: int = MOST_AT_ONCE) -> bool:
    """Count some of the matches that have ended or changed since the last count; return whether more are waiting."""
    server.store.project("dice", _note)
    due = server.database.execute("SELECT match FROM dice_due ORDER BY match LIMIT ?", (most + 1,)).fetchall()
    for (match,) in due[:most]:
        _count(server, match)
    return len(due) > most


def figures(server: Server) -> dict[str, Any]:
    """Return how many matches and rolls have been counted, and a tally for each kind of die."""
    [(matches,)] = server.database.execute("SELECT count(*) FROM dice_counted").fetchall()
    found: dict[int, Counter[int]] = {}
    for sides, face, rolls in server.database.execute("SELECT sides, face, rolls FROM dice_totals WHERE rolls > 0"):
        found.setdefault(sides, Counter())[face] = rolls
    return {"matches": matches, "rolls": sum(map(Counter.total, found.values())), "tallies": tallies_of(found)}


def _note(transaction: Transaction, event: Event) -> None:
    if event.stream.startswith("match/") and isinstance(
        read(event), MatchEnded | MatchOpened | RulingReopened | RulingRecomputed
    ):
        match = event.stream.removeprefix("match/")
        transaction.database.execute("INSERT INTO dice_due (match) VALUES (?) ON CONFLICT DO NOTHING", (match,))


def _count(server: Server, match: str) -> None:
    version, faces = _faces_of(server, match)
    with server.store.transaction("dice") as transaction:
        database = transaction.database
        change = Faces(faces or {})
        change.subtract(_count_faces(database, match))
        for (sides, face), rolls in sorted(change.items()):
            database.execute(
                "INSERT INTO dice_totals (sides, face, rolls) VALUES (?, ?, ?) "
                "ON CONFLICT (sides, face) DO UPDATE SET rolls = dice_totals.rolls + excluded.rolls",
                (sides, face, rolls),
            )
        if faces is None:
            database.execute("DELETE FROM dice_counted WHERE match = ?", (match,))
        else:
            stored = msgspec.json.encode([(*place, rolls) for place, rolls in sorted(faces.items())]).decode()
            database.execute(upsert("dice_counted", "match", "faces"), (match, stored))
        if transaction.version(f"match/{match}") == version:  # otherwise it is due again
            database.execute("DELETE FROM dice_due WHERE match = ?", (match,))


def _faces_of(server: Server, match: str) -> tuple[int, Faces | None]:
    """Return the version of a match and the counts of its dice, but no counts while its secrets are sealed."""
    try:
        record = record_of(server, match)
        if record.opened is None:
            return record.version, None
        return record.version, Faces((roll.sides, roll.result) for roll in rolls_of_match(server, record))
    except StoreTrouble:
        raise
    except Exception:
        log.exception("the dice of match %s cannot be read; they are not counted", match)
        return server.store.version(f"match/{match}"), None


def _count_faces(database: Database, match: str) -> Faces:
    row = database.execute("SELECT faces FROM dice_counted WHERE match = ?", (match,)).fetchone()
    found = msgspec.json.decode(row[0], type=list[tuple[int, int, int]]) if row else []
    return Faces({(sides, face): rolls for sides, face, rolls in found})
