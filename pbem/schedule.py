"""The tick: one supervisor looks every few seconds whether something is due.

A deadline may fall only while somebody watches the clock. If the previous tick is too old, or the wall clock and
the monotonic clock disagree, the gap is recorded as an outage and the deadlines move by it; nothing closes in that
tick. Of several processes on one house the one that holds the lease row does this work.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime

from apscheduler.schedulers.background import BackgroundScheduler  # type: ignore[import-untyped]

from pbem.matches import deadlines, desk
from pbem.matches.deadlines import SECOND, span_in_words
from pbem.matches.house import House

log = logging.getLogger("pbem.schedule")

EVERY = 15
EVERY_IN_DEMO = 2
"""Seconds between ticks."""

OLDEST = 60 * SECOND
DRIFT = 5 * SECOND
LEASE = 60 * SECOND


def monotonic() -> int:
    return time.monotonic_ns() // 1_000_000


class Supervisor:
    """Runs the tick of a house while it holds the lease. `drain` and `send` come from the mail.

    `drain` returns False if a door could not be looked behind; then nothing closes.
    """

    def __init__(
        self,
        house: House,
        *,
        drain: Callable[[int], bool | None] = desk.nothing,
        send: Callable[[int], None] = desk.nothing,
        every: int = EVERY,
        monotonic: Callable[[], int] = monotonic,
    ) -> None:
        self.house, self.drain, self.send, self.every = house, drain, send, every
        self.holder = secrets.token_hex(8)
        self._monotonic = monotonic
        self._last: int | None = None
        self._scheduler: BackgroundScheduler | None = None
        with house.store.transaction() as transaction:
            transaction.database.execute(
                "CREATE TABLE IF NOT EXISTS lease (name TEXT PRIMARY KEY, holder TEXT NOT NULL, "
                "until INTEGER NOT NULL, ticked_at INTEGER)"
            )

    # One tick

    def tick(self) -> bool:
        """Whether this supervisor has the lease and did the work."""
        now, monotonic = deadlines.now(self.house), self._monotonic()
        previous = self._take_lease(now)
        if previous is NOT_MINE:
            self._last = None
            return False
        gap = self._gap(previous, now, monotonic)
        watched, self._last = self._last is not None, monotonic
        if gap is not None and previous is not None:
            log.warning("outage: %s", gap)
            desk.record_outage(self.house, previous, now, gap)
        # The first tick of a process has no monotonic clock to compare with, so it closes nothing.
        desk.tick(self.house, now, drain=self.drain, send=self.send, closing=watched and gap is None)
        return True

    def _gap(self, previous: int | None, now: int, monotonic: int) -> str | None:
        """Why the time since the previous tick does not count, in words. The first tick of all has none before it."""
        if previous is None:
            return None
        if now - previous > OLDEST:
            return f"nobody watched the clock for {span_in_words(now - previous)}"
        if self._last is not None and abs((now - previous) - (monotonic - self._last)) > DRIFT:
            return "the clock was set"
        return None

    # The lease

    def _take_lease(self, now: int) -> int | None:
        """When the previous tick was, by whomever; `NOT_MINE` if another supervisor is at work."""
        with self.house.store.transaction("lease") as transaction:
            query = "SELECT holder, until, ticked_at FROM lease WHERE name = 'tick'"
            row = transaction.database.execute(query).fetchone()
            if row is not None and row[0] != self.holder and now < row[1] and row[1] - now <= LEASE:
                return NOT_MINE
            transaction.database.execute(
                "INSERT OR REPLACE INTO lease VALUES ('tick', ?, ?, ?)", (self.holder, now + LEASE, now)
            )
            return None if row is None else row[2]

    def release_lease(self) -> None:
        """Let another supervisor begin at once."""
        self.house.database.execute("UPDATE lease SET until = 0 WHERE holder = ?", (self.holder,))

    # The clockwork

    def start(self) -> None:
        self._scheduler = BackgroundScheduler(timezone=UTC)
        job = {"max_instances": 1, "coalesce": True, "misfire_grace_time": None}
        self._scheduler.add_job(
            self._safe_tick, "interval", seconds=self.every, id="tick", next_run_time=datetime.now(UTC), **job
        )
        self._scheduler.start()

    def nudge(self) -> None:
        """Tick as soon as possible: a mail has come in."""
        if self._scheduler is not None:
            self._scheduler.modify_job("tick", next_run_time=datetime.now(UTC))

    def stop(self) -> None:
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=True)
            self._scheduler = None
            self.release_lease()

    def _safe_tick(self) -> None:
        try:
            self.tick()
        except Exception:
            log.exception("the tick failed; the next one tries again")


NOT_MINE = -1
"""In place of a time: another supervisor holds the lease."""
