"""Check that commits reach a second machine.

With `synchronous_standby_names` a commit returns when a replica has it. If no replica is left it waits, and no
database timeout ends that; a process therefore checks for waiting commits before it begins another one.
"""

from __future__ import annotations

import threading
import time
from functools import cache
from typing import Any

import psycopg

from eventstore.database import StoreTrouble

EVERY = 1.0
"""Seconds between two checks."""

LONGEST = 3
"""The number of seconds a commit may wait for a replica before others are refused."""

LOOK = (
    "SELECT current_setting('synchronous_standby_names') <> '' AND current_setting('synchronous_commit') <> 'local', "
    "count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query_start < clock_timestamp() - %s::interval"
)
MEET = "SELECT pg_logical_emit_message(true, 'pbem', 'connected')"


class Replication:
    """The state of the replicas of one database, as seen by this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._looked_at = float("-inf")
        self.is_synchronous = False
        self.waiting = 0

    def look(self, connection: psycopg.Connection[Any]) -> None:
        """Refuse a write while earlier commits have waited too long for a replica."""
        with self._lock:
            if time.monotonic() - self._looked_at >= EVERY:
                row = connection.execute(LOOK, (f"{LONGEST} seconds",)).fetchone()
                self.is_synchronous, self.waiting = (bool(row[0]), int(row[1])) if row else (False, 0)
                self._looked_at = time.monotonic()
        if self.waiting:
            raise StoreTrouble("waiting", f"{self.waiting} commits wait for a replica")

    def meet(self, connection: psycopg.Connection[Any]) -> None:
        """Make a small commit that a replica must confirm.

        A primary that restarts alone shows commits that no replica has; after this commit, every earlier commit is on
        two machines.
        """
        self.look(connection)
        if self.is_synchronous:
            connection.execute(MEET)


@cache
def replication_of(address: str) -> Replication:
    return Replication()
