"""The secrets behind a match's dice: two ladders and the key of the closing salts.

They are stored outside the log, encrypted with the server's storage key. A new set is drawn when a ladder is used up,
when a backup was restored (rungs may have been published since) and when an ended match is reopened (its key is
public).
"""

from __future__ import annotations

import hashlib
import hmac
import zlib
from typing import Any

import msgspec

from eventstore import Database, Locked, Vault
from pbem.engine.play.dice import Dice, step_down

LENGTH = 1024
"""The number of rungs of a ladder, one for each exchange."""

USED_UP, RESTORED, REOPENED, MOVED = "used up", "restored", "reopened", "moved"
"""The reasons for starting a new ladder."""


class Damaged(Exception):
    """The secrets of a ladder are missing, or do not lead to its published values."""


def serves(published: dict[str, Any], exchange: int) -> bool:
    """Whether a published ladder has a rung for this exchange."""
    return 0 < exchange - int(published["base"]) <= LENGTH


class Ladder(msgspec.Struct, frozen=True):
    """The secrets of a ladder. Exchange k uses rung k - base."""

    base: int
    open_top: bytes
    secret_top: bytes
    key: bytes

    def rung(self, exchange: int) -> bytes:
        return step_down(self.open_top, LENGTH - (exchange - self.base))

    def secret_rung(self, exchange: int) -> bytes:
        return step_down(self.secret_top, LENGTH - (exchange - self.base))

    def salt(self, match: str, exchange: int, what: str) -> bytes:
        """The salt of a closing commitment, which is fixed by the key but unknown to players until the end."""
        return hmac.digest(self.key, msgspec.json.encode([match, exchange, what]), "sha256")

    def dice(self, exchange: int, context: str, ordinals: dict[str, int] | None = None) -> Dice:
        return Dice(self.rung(exchange), self.secret_rung(exchange), context, ordinals)

    def published_values(self) -> dict[str, Any]:
        """The values published at the start of the ladder."""
        return {
            "base": self.base,
            "open": self.rung(self.base).hex(),
            "secret": self.secret_rung(self.base).hex(),
            "key": hashlib.sha256(self.key).hexdigest(),
        }

    def opened_values(self, exchange: int) -> dict[str, Any]:
        """The values published at the end of the match."""
        return {
            "open": self.rung(self.base).hex(),
            "last": exchange,
            "secret": self.secret_rung(exchange).hex(),
            "key": self.key.hex(),
        }


# Storing them ------------------------------------------------------------------------------------------------

TABLE = "ladders"
SIZE = 32
"""The size of each of the three secrets, in bytes."""


def create_table(database: Database) -> None:
    """Create the table. `sealed` holds the secrets in the stored form of parts; older rows use three columns."""
    database.execute(
        f"CREATE TABLE IF NOT EXISTS {TABLE} (match TEXT, base INTEGER, started TEXT, open_top BLOB, "
        "secret_top BLOB, key BLOB, sealed BLOB, PRIMARY KEY (match, started))"
    )
    if "sealed" not in database.columns(TABLE):
        database.execute(f"ALTER TABLE {TABLE} ADD COLUMN sealed BLOB")


def keep(database: Database, vault: Vault, match: str, ladder: Ladder) -> None:
    """Store a ladder under its published open rung, encrypted with the server's storage key."""
    started = ladder.rung(ladder.base).hex()
    sealed = vault.seal(_name(match, started), ladder.open_top + ladder.secret_top + ladder.key)
    database.execute(
        f"INSERT INTO {TABLE} (match, base, started, sealed) VALUES (?, ?, ?, ?)",
        (match, ladder.base, started, sealed),
    )


def is_kept(database: Database, match: str, ladder: Ladder) -> bool:
    """Whether the secrets of a ladder are already stored."""
    query = f"SELECT 1 FROM {TABLE} WHERE match = ? AND started = ?"
    return database.execute(query, (match, ladder.rung(ladder.base).hex())).fetchone() is not None


def seal_plain(database: Database, vault: Vault) -> int:
    """Encrypt the ladders that an older release stored in plain form; return how many there were."""
    query = f"SELECT match, started, open_top, secret_top, key FROM {TABLE} WHERE sealed IS NULL"
    rows = database.execute(query).fetchall()
    for match, started, *secrets in rows:
        if all(isinstance(secret, bytes) and len(secret) == SIZE for secret in secrets):
            database.execute(
                f"UPDATE {TABLE} SET sealed = ?, open_top = NULL, secret_top = NULL, key = NULL "
                "WHERE match = ? AND started = ?",
                (vault.seal(_name(match, started), b"".join(secrets)), match, started),
            )
    return len(rows)


def find(database: Database, vault: Vault, match: str, published: dict[str, Any]) -> Ladder:
    """Return the secrets of the ladder with these published values; refuse a row that does not lead to them."""
    row = _row(database, match, published)
    try:
        if row.get("sealed") is None:
            secrets = [bytes(row[name]) for name in ("open_top", "secret_top", "key")]
        else:
            secrets = _thirds(vault.open(_name(match, published["open"]), bytes(row["sealed"])))
        found = Ladder(row["base"], *secrets)
        whole = found.published_values() == published
    except (TypeError, ValueError, zlib.error, Locked):
        whole = False
    if not whole:
        raise Damaged(f"the secrets of the dice ladder {published['open']} are damaged")
    return found


def check_there(database: Database, match: str, published: dict[str, Any]) -> None:
    """Refuse a missing ladder; this works even without the key to read it."""
    _row(database, match, published)


def _row(database: Database, match: str, published: dict[str, Any]) -> dict[str, Any]:
    """Return the row by column name, because a database of an older release has fewer columns."""
    cursor = database.execute(
        f"SELECT * FROM {TABLE} WHERE match = ? AND started = ?",
        (match, published["open"]),
    )
    row = cursor.fetchone()
    if row is None:
        raise Damaged(f"the secrets of the dice ladder {published['open']} are missing")
    return dict(zip((column[0] for column in cursor.description), row, strict=True))


def _name(match: str, started: str) -> str:
    """Return the context that binds the stored form, so that a row copied to another ladder does not decrypt."""
    return f"ladder/{match}/{started}"


def _thirds(content: bytes) -> list[bytes]:
    if len(content) != 3 * SIZE:
        raise ValueError(f"a ladder has {3 * SIZE} bytes, not {len(content)}")
    return [content[start : start + SIZE] for start in range(0, 3 * SIZE, SIZE)]
