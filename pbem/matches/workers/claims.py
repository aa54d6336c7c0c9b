"""Claims on jobs and heartbeats of workers, where several processes share one database.

A claim only saves work; correctness does not depend on it: a turn played twice meets `Conflict`, and an email sent
twice has one id. An expired claim belonged to a dead process; after the third, the job itself is taken to be the
cause.
"""

from __future__ import annotations

import os
import platform
import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from eventstore import Database, StoreTrouble, upsert
from pbem.matches.clock.deadlines import now
from pbem.matches.server import Server

CLAIM = 30_000
"""Milliseconds after which a claim expires unless it is renewed."""

RENEW = 10.0
BEAT = 5.0
"""Seconds between two renewals of a claim, and between two heartbeats."""

TAKE = (
    "INSERT INTO claims (queue, item, holder, until, dead) VALUES (?, ?, ?, ?, 0) ON CONFLICT (queue, item) "
    "DO UPDATE SET holder = excluded.holder, until = excluded.until, dead = claims.dead + 1 WHERE claims.until <= ?"
)


class Worker(msgspec.Struct, frozen=True):
    """A process as the operator sees it; `epoch` counts its starts."""

    name: str
    role: str
    place: str
    epoch: int
    beat_at: int


def create_tables(database: Database) -> None:
    database.execute(
        "CREATE TABLE IF NOT EXISTS claims (queue TEXT NOT NULL, item TEXT NOT NULL, holder TEXT NOT NULL, "
        "until INTEGER NOT NULL, dead INTEGER NOT NULL, PRIMARY KEY (queue, item))"
    )
    database.execute(
        "CREATE TABLE IF NOT EXISTS workers (name TEXT PRIMARY KEY, role TEXT NOT NULL, place TEXT NOT NULL, "
        "epoch INTEGER NOT NULL, beat_at INTEGER NOT NULL)"
    )


def holder() -> str:
    """A name for this process."""
    return f"{platform.node()}/{os.getpid()}/{secrets.token_hex(3)}"


def take(server: Server, queue: str, item: str, by: str) -> bool:
    """Claim a job; False if another process has it."""
    at = now(server)
    return server.database.execute(TAKE, (queue, item, by, at + CLAIM, at)).rowcount == 1


def take_some(server: Server, queue: str, items: Sequence[str], by: str) -> set[str]:
    """Claim jobs in one statement; return those that no other process has."""
    at = now(server)
    values = [value for item in items for value in (queue, item, by, at + CLAIM)]
    rows = ", ".join(["(?, ?, ?, ?, 0)"] * len(items))
    query = f"{TAKE.replace('(?, ?, ?, ?, 0)', rows)} RETURNING item"
    return {str(item) for (item,) in server.database.execute(query, (*values, at)).fetchall()}


def pick(server: Server, queue: str, query: str, values: Sequence[object], by: str) -> tuple[Any, ...] | None:
    """Claim the first free job of a query; None if there is none.

    The query has the job in its first column and ends with ORDER BY. Rows that another process is claiming at this
    moment are skipped, so no worker waits for another.
    """
    at = now(server)
    with server.store.transaction("claim", shared=True) as transaction:
        database = transaction.database
        row = database.execute(f"{query} LIMIT 1{database.skip_locked}", (*values, queue, at)).fetchone()
        taken = row is not None and database.execute(TAKE, (queue, row[0], by, at + CLAIM, at)).rowcount == 1
    return tuple(row) if taken else None


def give_all_back(server: Server, queue: str, by: str) -> None:
    """Give back all claims that this process holds in a queue."""
    server.database.execute("DELETE FROM claims WHERE queue = ? AND holder = ?", (queue, by))


def dead(server: Server, queue: str, item: str) -> int:
    """How many processes died while they held this job."""
    row = server.database.execute("SELECT dead FROM claims WHERE queue = ? AND item = ?", (queue, item)).fetchone()
    return 0 if row is None else int(row[0])


def renew(server: Server, queue: str, item: str, by: str) -> None:
    query = "UPDATE claims SET until = ? WHERE queue = ? AND item = ? AND holder = ?"
    server.database.execute(query, (now(server) + CLAIM, queue, item, by))


def give_back(server: Server, queue: str, item: str, by: str) -> None:
    """Give back a claim: the job is done, or did not need doing."""
    query = "DELETE FROM claims WHERE queue = ? AND item = ? AND holder = ?"
    server.database.execute(query, (queue, item, by))


@contextmanager
def hold_claim(server: Server, queue: str, item: str, by: str) -> Iterator[None]:
    """Renew a claim while the job runs, then give it back."""
    done = threading.Event()

    def go_on() -> None:
        while not done.wait(RENEW):
            try:
                renew(server, queue, item, by)
            except StoreTrouble:
                continue  # the claim expires, which only costs work

    thread = threading.Thread(target=go_on, name="pbem-claim", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        give_back(server, queue, item, by)


# Heartbeats --------------------------------------------------------------------------------------------------


def enlist(server: Server, name: str, role: str) -> int:
    """Register a worker that has started; return its epoch."""
    with server.store.transaction("worker") as transaction:
        row = transaction.database.execute("SELECT epoch FROM workers WHERE name = ?", (name,)).fetchone()
        epoch = 1 + (0 if row is None else int(row[0]))
        values = (name, role, f"{platform.node()}, process {os.getpid()}", epoch, now(server))
        transaction.database.execute(upsert("workers", "name", "role, place, epoch, beat_at"), values)
    return epoch


def beat(server: Server, name: str, epoch: int) -> bool:
    """Write the heartbeat; False if another process has taken this name since."""
    query = "UPDATE workers SET beat_at = ? WHERE name = ? AND epoch = ?"
    return server.database.execute(query, (now(server), name, epoch)).rowcount == 1


def retire(server: Server, name: str, epoch: int) -> None:
    server.database.execute("DELETE FROM workers WHERE name = ? AND epoch = ?", (name, epoch))


def workers(server: Server) -> list[Worker]:
    """Return every worker that has not signed off."""
    rows = server.database.execute("SELECT name, role, place, epoch, beat_at FROM workers ORDER BY role, name")
    return [Worker(*row) for row in rows.fetchall()]
