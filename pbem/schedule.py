"""The tick: one supervisor looks every few seconds whether something is due.

A deadline may fall only while somebody watches the clock. If the previous tick is too old, or the wall clock and
the monotonic clock disagree, the gap is recorded as an outage and the deadlines move by it; nothing closes in that
tick. The same holds for the time in which a mailbox could not be read. Of several processes on one server the one
that holds the lease row does this work.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

from apscheduler.schedulers.background import BackgroundScheduler  # type: ignore[import-untyped]

from pbem.matches.clock import deadlines
from pbem.matches.clock.deadlines import SECOND, span_in_words
from pbem.matches.exchange import desk
from pbem.matches.server import Server
from pbem.tournaments import tick as tournaments
from pbem.tournaments.post import webhooks

log = logging.getLogger("pbem.schedule")

EVERY = 15
EVERY_IN_DEMO = 2
"""Seconds between ticks."""

OLDEST = 60 * SECOND
DRIFT = 5 * SECOND
LEASE = 60 * SECOND


def monotonic() -> int:
    return time.monotonic_ns() // 1_000_000


def always(now: int) -> bool:
    """No door has to be looked behind."""
    return True


class Supervisor:
    """Runs the tick of a server while it holds the lease. `look`, `drain` and `send` come from the mail.

    `look` returns False if a door could not be looked behind; then nothing closes.
    """

    def __init__(
        self,
        server: Server,
        *,
        look: Callable[[int], bool] = always,
        drain: Callable[[int], None] = desk.nothing,
        send: Callable[[int], None] = desk.nothing,
        every: int = EVERY,
        monotonic: Callable[[], int] = monotonic,
    ) -> None:
        self.server, self.look, self.drain, self.send, self.every = server, look, drain, send, every
        self.holder = secrets.token_hex(8)
        self._monotonic = monotonic
        self._last: int | None = None
        self._shut_since: int | None = None
        self._lock = threading.Lock()
        self._ticking = self._nudged = False
        self._scheduler: BackgroundScheduler | None = None
        with server.store.transaction() as transaction:
            transaction.database.execute(
                "CREATE TABLE IF NOT EXISTS lease (name TEXT PRIMARY KEY, holder TEXT NOT NULL, "
                "until INTEGER NOT NULL, ticked_at INTEGER)"
            )

    # One tick

    def tick(self) -> bool:
        """Whether this supervisor has the lease and did the work."""
        now, monotonic = deadlines.now(self.server), self._monotonic()
        previous = self._take_lease(now)
        if previous is NOT_MINE:
            self._last = self._shut_since = None
            return False
        gap = self._gap(previous, now, monotonic)
        watched, self._last = self._last is not None, monotonic
        if gap is not None and previous is not None:
            self._give_back(previous, now, gap)
        # The first tick of a process has no monotonic clock to compare with, so it closes nothing.
        desk.tick(self.server, now, drain=self._drain, send=self.send, closing=watched and gap is None)
        tournaments.tick(self.server, now)
        return True

    def _drain(self, now: int) -> bool:
        """Fetch what lies behind the doors, then handle it; whether nothing can lie there any more.

        A door that opens again gives its time back before the mails behind it are read: they may count by it.
        """
        if not self.look(now):
            self._shut_since = now if self._shut_since is None else self._shut_since
        elif self._shut_since is not None:
            if now - self._shut_since > OLDEST:
                self._give_back(now, now, "a mailbox could not be read")
            self._shut_since = None
        self.drain(now)
        return self._shut_since is None

    def _give_back(self, since: int, now: int, why: str) -> None:
        """Record an outage, together with the time for which a door was shut before it."""
        if self._shut_since is not None:
            since, self._shut_since = min(since, self._shut_since), now
        log.warning("outage of %s: %s", span_in_words(now - since), why)
        desk.record_outage(self.server, since, now, why)

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
        with self.server.store.transaction("lease") as transaction:
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
        self.server.database.execute("UPDATE lease SET until = 0 WHERE holder = ?", (self.holder,))

    # The clockwork

    def start(self) -> None:
        self._scheduler = BackgroundScheduler(timezone=UTC)
        job = {"max_instances": 1, "coalesce": True, "misfire_grace_time": None}
        self._scheduler.add_job(
            self._safe_tick, "interval", seconds=self.every, id="tick", next_run_time=datetime.now(UTC), **job
        )
        self._scheduler.add_job(self._safe_webhooks, "interval", seconds=2 * self.every, id="webhooks", **job)
        self._scheduler.start()

    def _safe_webhooks(self) -> None:
        """Call other servers in a job of its own: a slow one must not stop the clock."""
        if self._last is None:
            return  # another supervisor is at work
        try:
            webhooks.send_due(self.server, deadlines.now(self.server))
        except Exception:
            log.exception("webhooks could not be sent; the next round tries again")

    def nudge(self) -> None:
        """Tick as soon as possible, or once more after the present tick: a mail has come in."""
        with self._lock:
            self._nudged = True
            if self._scheduler is not None and not self._ticking:
                self._scheduler.modify_job("tick", next_run_time=datetime.now(UTC))

    def stop(self) -> None:
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=True)
            self._scheduler = None
            self.release_lease()

    def _safe_tick(self) -> None:
        while self._is_wanted():
            try:
                self.tick()
            except Exception:
                log.exception("the tick failed; the next one tries again")

    def _is_wanted(self) -> bool:
        """Whether to tick now: at the beginning, and again as long as somebody has nudged meanwhile."""
        with self._lock:
            self._ticking, self._nudged = not self._ticking or self._nudged, False
            return self._ticking


NOT_MINE = -1
"""In place of a time: another supervisor holds the lease."""
