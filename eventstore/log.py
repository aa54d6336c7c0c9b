"""Read the events table: turn stored bytes into events, and check a stored chain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

import msgspec

from eventstore.database import Database
from eventstore.events import WRONG_HASH, Broken, Event, genesis, link_fault, read_body

BATCH = 500
ENDLESS = 2**62

STREAM = "SELECT hash, body FROM events WHERE stream = ? AND version > ? AND version <= ? ORDER BY version"
FED = (
    "SELECT feed.position, e.hash, e.body FROM feed "
    "JOIN events AS e ON (e.stream, e.version) = (feed.stream, feed.version)"
)
EVERYTHING = f"{FED} WHERE feed.position > ? ORDER BY feed.position LIMIT ?"
LANE = f"{FED} WHERE feed.lane = ? AND feed.position > ? ORDER BY feed.position LIMIT ?"
PLACE = "SELECT position FROM feed WHERE stream = ? AND version = ?"
CHAIN = "SELECT version, hash, body FROM events WHERE stream = ? ORDER BY version"
LAST = "SELECT version, hash, body FROM events WHERE stream = ? ORDER BY version DESC LIMIT 1"
NEWEST = "(SELECT max(version) FROM events WHERE stream = ?)"
NAMES = "SELECT stream FROM events WHERE version = 1 AND substr(stream, 1, ?) = ? ORDER BY stream"


class Last(msgspec.Struct, frozen=True):
    """The end of a stream, which the next event follows."""

    version: int
    hash: str
    recorded_at: int


class Time(msgspec.Struct, frozen=True):
    """The only field of a body that an append must read."""

    recorded_at: int


_decode_time = msgspec.json.Decoder(Time).decode


def read_last(database: Database, server_id: str, stream: str) -> Last:
    """The end of a stream, which is version 0 and the genesis hash before the first event."""
    row = database.execute(LAST, (stream,)).fetchone()
    if row is None:
        return Last(0, genesis(server_id, stream), 0)
    version, hash, body = row
    return Last(version, hash, _decode_time(body).recorded_at)


def read_versions(database: Database, streams: Sequence[str]) -> list[int]:
    """The version of each stream's last event, or 0 if it has none, read in one statement."""
    if not streams:
        return []
    row = database.execute(f"SELECT {', '.join([NEWEST] * len(streams))}", tuple(streams)).fetchone()
    return [version or 0 for version in row]


def read_stream(database: Database, stream: str, after: int, upto: int) -> list[Event]:
    return [read_body(*row) for row in database.execute(STREAM, (stream, after, upto))]


def read_everything(database: Database, after: int, limit: int) -> Iterator[Event]:
    """Read all events page by page, so that a slow reader does not hold the database's log open."""
    while limit > 0 and (rows := database.execute(EVERYTHING, (after, min(limit, BATCH))).fetchall()):
        yield from (read_body(hash, body) for _, hash, body in rows)
        after, limit = rows[-1][0], limit - len(rows)


def read_lane(database: Database, lane: int, after: int, limit: int) -> list[tuple[int, Event]]:
    """A page of a lane's feed; no event ever appears before one that was already read."""
    rows = database.execute(LANE, (lane, after, limit))
    return [(position, read_body(hash, body)) for position, hash, body in rows]


def place_of(database: Database, event: Event) -> int:
    """An event's position in the feed, which is beyond every other position until the event is committed."""
    row = database.execute(PLACE, (event.stream, event.version)).fetchone()
    return ENDLESS if row is None else int(row[0])


def stream_names(database: Database, prefix: str = "") -> list[str]:
    return [name for (name,) in database.execute(NAMES, (len(prefix), prefix))]


def origin_key(stream: str) -> str:
    """The key under which a store records the server on which a stream began, if it began on another server."""
    return f"origin {stream}"


def origin_of(database: Database, server_id: str, stream: str) -> str:
    """The id of the server on which a stream began."""
    row = database.execute("SELECT value FROM about WHERE key = ?", (origin_key(stream),)).fetchone()
    return server_id if row is None else str(row[0])


def verify_stored(database: Database, server_id: str, stream: str) -> Broken | None:
    """The first broken link of a stored stream, found by hashing the stored bytes directly."""
    previous = genesis(origin_of(database, server_id, stream), stream)
    rows = database.execute(CHAIN, (stream,))
    for version, (found, hash, body) in enumerate(rows, start=1):
        if found != version:
            return Broken(version, f"version {found} is in its place")
        if sha256(body).hexdigest() != hash:
            return Broken(version, WRONG_HASH)
        try:
            event = read_body(hash, body)
        except msgspec.DecodeError as error:
            return Broken(version, f"its content cannot be read: {error}")
        if fault := link_fault(event, stream=stream, version=version, previous=previous):
            return Broken(version, fault)
        previous = hash
    return None
