"""The secrets behind a match's dice: two ladders and the key of the closing salts.

They lie beside the log, never in it. A new set starts when a ladder is used up, when a backup was restored (the
lost future may have published rungs) and when an ended match is reopened (its key is public).
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import msgspec
import sqlite_utils

from pbem.engine.play.dice import Dice, step_down

LENGTH = 1024
"""Rungs of a ladder: one for each exchange."""

USED_UP, RESTORED, REOPENED = "used up", "restored", "reopened"
"""Why a new ladder may start."""


class Damaged(Exception):
    """The secrets of a ladder are missing, or do not lead down to what was published of it."""


def serves(published: dict[str, Any], exchange: int) -> bool:
    """Whether a published ladder has a rung for this exchange."""
    return 0 < exchange - int(published["base"]) <= LENGTH


class Ladder(msgspec.Struct, frozen=True):
    """Exchange k uses rung k - base."""

    base: int
    open_top: bytes
    secret_top: bytes
    key: bytes

    def rung(self, exchange: int) -> bytes:
        return step_down(self.open_top, LENGTH - (exchange - self.base))

    def secret_rung(self, exchange: int) -> bytes:
        return step_down(self.secret_top, LENGTH - (exchange - self.base))

    def salt(self, match: str, exchange: int, what: str) -> bytes:
        """The salt of a closing commitment: fixed by the key, unknown to players until the end."""
        return hmac.digest(self.key, msgspec.json.encode([match, exchange, what]), "sha256")

    def dice(self, exchange: int, context: str, ordinals: dict[str, int] | None = None) -> Dice:
        return Dice(self.rung(exchange), self.secret_rung(exchange), context, ordinals)

    def published(self) -> dict[str, Any]:
        """What everybody learns at the start of the ladder."""
        return {
            "base": self.base,
            "open": self.rung(self.base).hex(),
            "secret": self.secret_rung(self.base).hex(),
            "key": hashlib.sha256(self.key).hexdigest(),
        }

    def opened(self, exchange: int) -> dict[str, Any]:
        """What everybody learns at the end of the match."""
        return {
            "open": self.rung(self.base).hex(),
            "last": exchange,
            "secret": self.secret_rung(exchange).hex(),
            "key": self.key.hex(),
        }


TABLE = "ladders"


def create_table(database: sqlite_utils.Database) -> None:
    database.execute(
        f"CREATE TABLE IF NOT EXISTS {TABLE} (match TEXT, base INTEGER, started TEXT, open_top BLOB, "
        "secret_top BLOB, key BLOB, PRIMARY KEY (match, started))"
    )


def keep(database: sqlite_utils.Database, match: str, ladder: Ladder) -> None:
    """Remember a ladder under its published open rung."""
    database.execute(
        f"INSERT INTO {TABLE} VALUES (?, ?, ?, ?, ?, ?)",
        (match, ladder.base, ladder.rung(ladder.base).hex(), ladder.open_top, ladder.secret_top, ladder.key),
    )


def find(database: sqlite_utils.Database, match: str, published: dict[str, Any]) -> Ladder:
    """Return the secrets of the ladder that was published like this; a row that does not lead there is refused."""
    row = database.execute(
        f"SELECT base, open_top, secret_top, key FROM {TABLE} WHERE match = ? AND started = ?",
        (match, published["open"]),
    ).fetchone()
    if row is None:
        raise Damaged(f"the secrets of the dice ladder {published['open']} are missing")
    try:
        found = Ladder(row[0], *map(bytes, row[1:]))
        whole = found.published() == published
    except (TypeError, ValueError):
        whole = False
    if not whole:
        raise Damaged(f"the secrets of the dice ladder {published['open']} are damaged")
    return found
