"""Reading the events table: stored bytes to events, and the check of a stored chain."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import msgspec
from sqlite_utils import Database

from eventstore.events import WRONG_HASH, Broken, Event, genesis, link_fault, read_body

BATCH = 500
ENDLESS = 2**62

ROW = "SELECT position, hash, body FROM events"
STREAM = f"{ROW} WHERE stream = ? AND version > ? AND version <= ? ORDER BY version"
EVERYTHING = f"{ROW} WHERE position > ? ORDER BY position LIMIT ?"
CHAIN = "SELECT version, position, hash, body FROM events WHERE stream = ? ORDER BY version"
LAST = "SELECT version, hash, body FROM events WHERE stream = ? ORDER BY version DESC LIMIT 1"
NAMES = (
    "SELECT stream FROM events INDEXED BY first_events WHERE version = 1 AND substr(stream, 1, ?) = ? ORDER BY stream"
)


class Last(msgspec.Struct, frozen=True):
    """The end of a stream, which the next event follows."""

    version: int
    hash: str
    recorded_at: int


class Time(msgspec.Struct, frozen=True):
    """The one field of a body that an append must look at."""

    recorded_at: int


_decode_time = msgspec.json.Decoder(Time).decode


def read_last(database: Database, server_id: str, stream: str) -> Last:
    """The end of a stream; before its first event, version 0 and the genesis hash."""
    row = database.conn.execute(LAST, (stream,)).fetchone()
    if row is None:
        return Last(0, genesis(server_id, stream), 0)
    version, hash, body = row
    return Last(version, hash, _decode_time(body).recorded_at)


def read_stream(database: Database, stream: str, after: int, upto: int) -> list[Event]:
    return [read_body(*row) for row in database.conn.execute(STREAM, (stream, after, upto))]


def read_everything(database: Database, after: int, limit: int) -> Iterator[Event]:
    """Page by page, so that a slow reader does not hold the database's log open."""
    while rows := database.conn.execute(EVERYTHING, (after, min(limit, BATCH))).fetchall():
        yield from (read_body(*row) for row in rows)
        after, limit = rows[-1][0], limit - len(rows)


def stream_names(database: Database, prefix: str = "") -> list[str]:
    return [name for (name,) in database.conn.execute(NAMES, (len(prefix), prefix))]


def verify_stored(database: Database, server_id: str, stream: str) -> Broken | None:
    """The first broken link of a stored stream: the stored bytes are hashed as they are."""
    previous = genesis(server_id, stream)
    rows = database.conn.execute(CHAIN, (stream,))
    for version, (found, position, hash, body) in enumerate(rows, start=1):
        if found != version:
            return Broken(version, f"version {found} stands in its place")
        if sha256(body).hexdigest() != hash:
            return Broken(version, WRONG_HASH)
        try:
            event = read_body(position, hash, body)
        except msgspec.DecodeError as error:
            return Broken(version, f"its content cannot be read: {error}")
        if fault := link_fault(event, stream=stream, version=version, previous=previous):
            return Broken(version, fault)
        previous = hash
    return None
