"""The loops of a running server, each in its own thread, so that no loop waits for another.

    beat     every 5 s: write the heartbeat, judge the clock, keep the lease
    mail     fetch and handle incoming email
    close    close what is due, remind
    work     resolve, let bots play, store the pages of ended matches
    beacon   take the values of public beacons; a slow source holds up nothing else
    check    replay matches whose rules have changed
    send     send queued email
    tournaments   create the matches of rounds, record results, do what is due
    campaigns     create the matches of battles, send their reports
    webhooks      notify other servers; a slow one holds up nothing else

A deadline may pass only while a process watches the clock. Time that no heartbeat covers, and changes of the clock,
are recorded as an outage, and the deadlines are postponed by it. If several processes share a server, the
one that holds the lease does this work. Turns, bots and replays run in worker processes if there are any, so that
pages stay responsive. `Supervisor.tick` does a round of everything in a row.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

from apscheduler.schedulers.background import BackgroundScheduler  # type: ignore[import-untyped]

from eventstore import StoreTrouble
from pbem.campaigns import tick as campaigns
from pbem.matches import dice_totals, summaries, warning
from pbem.matches.accounts import reliability, traces
from pbem.matches.audit import search_index
from pbem.matches.clock import deadlines, outages, tick, watch
from pbem.matches.clock.beacon_round import beacon_round
from pbem.matches.clock.watch import BEAT, OLDEST, Beat
from pbem.matches.post.notifications import catch_up
from pbem.matches.server import Server
from pbem.matches.workers import ADVANCE, CHECK, KEEP
from pbem.matches.workers.pool import Pool, Stopped
from pbem.tournaments import tick as tournaments
from pbem.tournaments.post import webhooks

log = logging.getLogger("pbem.schedule")

EVERY = 15
EVERY_IN_DEMO = 2
"""Seconds between two checks for work that is due."""

REST = 0.25
"""Seconds between the rounds of a loop that has nothing left to do."""

MOST_AT_ONCE = 10
"""How many matches one round of work advances."""

PLANNED = (("outbox", "next_at"), ("limits", "free_at"), ("desk", "look_at"), ("webhook_calls", "next_at"))
"""The columns with times at which something is to be done or allowed again; deadlines are events instead."""


def always(now: int) -> bool:
    """Return True, because there is no mailbox to fetch from."""
    return True


class Supervisor:
    """Runs the loops of a server while it holds the lease. `look`, `drain` and `send` come from `pbem.mail`.

    `look` returns False if a mailbox could not be read; then nothing closes. `workers` is the number of processes
    that play turns; with 0 the server's own threads play them.
    """

    def __init__(
        self,
        server: Server,
        *,
        look: Callable[[int], bool] = always,
        drain: Callable[[int], None] = tick.nothing,
        send: Callable[[int], int | None] = tick.nothing,
        every: int = EVERY,
        workers: int = 0,
        steady: Callable[[], int] = watch.steady,
        boot: Callable[[], str] = watch.boot,
    ) -> None:
        self.server, self.look, self.drain, self.send, self.every = server, look, drain, send, every
        self.holder = secrets.token_hex(8)
        self._steady, self._boot = steady, boot
        self._owner = watch.this_process()
        self._last: Beat | None = None
        self._beats = 0
        self._shut_since: int | None = None
        self._looked_at = 0
        self._beating = threading.Lock()
        self._loops = {
            "mail": Loop(self.mail),
            "close": Loop(self.close),
            "work": Loop(self.work),
            "beacon": Loop(self.take_beacons),
            "check": Loop(self.check),
            "send": Loop(self.post),
            "tournaments": Loop(self.run_tournaments),
            "campaigns": Loop(self.run_campaigns),
            "webhooks": Loop(self.call_hooks),
        }
        self._heart = Every(BEAT, "beat", self._pulse)
        self._scheduler: BackgroundScheduler | None = None
        self._players = Pool(server, workers) if workers else None
        self._checkers = Pool(server) if workers else None  # a long replay must not hold up a turn

    # The clock

    def now(self) -> Beat:
        """Return the clocks as they are now, with the name of this process, for a heartbeat."""
        return Beat(deadlines.now(self.server), self._steady(), self._boot(), self.holder)

    def _pulse(self) -> None:
        """Beat, and keep the scheduler in rhythm, because it goes by the wall clock, which may have been set back."""
        self._safely("beat", self.beat)
        tick_job = self._scheduler.get_job("tick") if self._scheduler else None
        now = datetime.now(UTC)
        if tick_job is not None and tick_job.next_run_time > now + timedelta(seconds=self.every):
            tick_job.modify(next_run_time=now)

    def beat(self) -> bool:
        """Write the heartbeat and judge the time since the last one; return whether this process has the lease."""
        with self._beating:
            if problem := self.server.store.changed_history():
                raise problem
            now = self.now()
            taken = watch.take_lease(self.server, now, self._owner)
            if taken is None:
                self._last, self._beats, self._shut_since = None, 0, None
                return False
            spans = taken.previous is not None and self._deadline_between(taken.previous.wall, now.wall)
            lapse = watch.judge(taken.previous, now, spans_deadline=spans)
            if lapse is not None:
                log.warning("outage: %s", lapse.why)
                outages.record_lapse(self.server, self._with_shut_time(lapse))
                self._bring_forward(lapse)
            # After the first heartbeat of a process, or one after a lapse, nothing closes until a second one follows.
            self._beats = self._beats + 1 if lapse is None else 1
            self._last = now
            return True

    def _with_shut_time(self, lapse: watch.Lapse) -> watch.Lapse:
        """Extend an outage by the time just before it in which a mailbox could not be read."""
        if self._shut_since is None or lapse.jump < 0:
            return lapse
        since, self._shut_since = min(lapse.since, self._shut_since), lapse.until
        return watch.Lapse(since, lapse.until, lapse.until - since - lapse.jump, lapse.jump, lapse.why)

    def _bring_forward(self, lapse: watch.Lapse) -> None:
        """When a clock that was ahead has been set back, move all plans back that were made by it."""
        if lapse.jump >= 0:
            return
        with self.server.store.transaction("clock set back") as transaction:
            webhooks.create_tables(transaction.database)
            for table, column in PLANNED:
                query = f"UPDATE {table} SET {column} = {column} + ? WHERE {column} > ?"
                transaction.database.execute(query, (lapse.jump, lapse.until))

    def _deadline_between(self, since: int, until: int) -> bool:
        query = "SELECT 1 FROM desk WHERE deadline > ? AND deadline <= ? LIMIT 1"
        return self.server.database.execute(query, (since, until)).fetchone() is not None

    def _is_watched(self) -> bool:
        """Whether the clock can be trusted at this moment."""
        return self._last is not None and self._beats >= 2 and watch.agrees(self._last, self.now())

    def _may_close(self, deadline: int) -> bool:
        """Whether a deadline may close an exchange: the clock is right, and all earlier email has been taken in."""
        return self._is_watched() and self._looked_at >= deadline

    # The loops; each returns whether there is more to do at once

    def mail(self) -> bool:
        """Fetch incoming email, then handle it; return False, because the next round can wait.

        When a mailbox can be read again, deadlines are postponed by the lost time before its emails are handled,
        because that may make them valid.
        """
        now = deadlines.now(self.server)
        if not self.look(now):
            self._shut_since = now if self._shut_since is None else self._shut_since
        else:
            if self._shut_since is not None and now - self._shut_since > OLDEST:
                log.warning("outage: a mailbox could not be read")
                outages.record_outage(self.server, self._shut_since, now, "a mailbox could not be read")
            self._shut_since, self._looked_at = None, now
        self.drain(now)
        self.nudge("close", "work", "send")
        return False

    def close(self) -> bool:
        """Close due exchanges and send reminders, for a bounded number of matches; return whether more are due."""
        now = deadlines.now(self.server)
        done = tick.Round([], tick.settle_round(self.server))
        if not done.more and self._is_watched():
            done = tick.close_round(self.server, now, self._may_close)
        if self._is_watched():
            tick.remind(self.server, now)
        tick.wake(self.server, now)
        warning.look(self.server, now)
        watch.note_work(self.server, now)
        self.nudge("work", "send")
        return done.more

    def work(self) -> bool:
        """Advance matches, and store the pages of those that have ended; return whether to continue at once."""
        pool = self._players
        if pool is None:
            touched = tick.work_round(self.server, MOST_AT_ONCE)
            kept = tick.keep_round(self.server)
        else:
            touched = tick.work_round(self.server, MOST_AT_ONCE, partial(pool.do, ADVANCE), pool.each)
            kept = tick.keep_round(self.server, keep=partial(pool.do, KEEP))
        left = summaries.catch_up(self.server)
        reliability.catch_up(self.server)
        traces.catch_up(self.server)
        if touched:
            self.nudge("send")
        uncounted = dice_totals.catch_up(self.server)
        return bool(touched or kept or left or uncounted)

    def take_beacons(self) -> bool:
        """Take the public values that closed exchanges wait for; return False, because the next round can wait."""
        if beacon_round(self.server, deadlines.now(self.server)):
            self.nudge("work")
        return False

    def check(self) -> bool:
        """Replay one match with changed rules, or index some for the search; return whether to continue at once."""
        pool = self._checkers
        checked = tick.check_round(self.server, check=partial(pool.do, CHECK) if pool else None)
        if checked:
            self.nudge("close", "work")
        elif pool:
            pool.rest()
        return bool(checked) or bool(search_index.catch_up(self.server))

    def post(self) -> bool:
        """Send queued email; return whether any was sent, so that the loop continues at once."""
        return bool(self.send(deadlines.now(self.server)))

    def run_tournaments(self) -> bool:
        """Advance tournaments; return whether there is more to do."""
        if tournaments.tick(self.server, deadlines.now(self.server)):
            self.nudge("work", "send")
        return tournaments.has_more(self.server)

    def run_campaigns(self) -> bool:
        """Make the matches of battles and send their reports; return whether there is more to do."""
        done = campaigns.tick(self.server, deadlines.now(self.server))
        if done:
            self.nudge("work", "send")
        return campaigns.has_more(self.server)

    def call_hooks(self) -> bool:
        """Make the webhook calls that are due; return False, because the next round can wait."""
        webhooks.send_due(self.server, deadlines.now(self.server))
        return False

    def tick(self) -> bool:
        """Do one round of everything in a row; return whether this supervisor has the lease and did the work."""
        if not self.beat():
            return False
        try:
            self.mail()
        except Exception:
            log.exception("email could not be read; no exchange is closed")
            self._looked_at = -1
        while self.close():
            pass
        self.take_beacons()
        tick.work_round(self.server)
        tick.check_round(self.server)
        tick.keep_round(self.server)
        self.post()
        self.run_tournaments()
        self.run_campaigns()
        return True

    # The clockwork

    def start(self) -> None:
        if self._players:
            self._players.start()
        self._safely("beat", self.beat)
        self._scheduler = BackgroundScheduler(timezone=UTC)
        rhythm = {"seconds": self.every, "max_instances": 1, "coalesce": True, "misfire_grace_time": None}
        self._scheduler.add_job(self.nudge, "interval", list(self._loops), id="tick", **rhythm)
        self._scheduler.start()
        self._heart.start()
        for name, loop in self._loops.items():
            loop.start(name, self._round)

    def nudge(self, *names: str) -> None:
        """Run these loops as soon as possible, or once more after they are done, because new work has arrived."""
        for name in names or ("mail",):
            self._loops[name].nudge()

    def resolve_later(self, match: str) -> None:
        """Advance a match to which an event was added, or let the process that has the lease do so."""
        if self._last is None:
            catch_up(self.server)
        self.nudge("work")

    def stop(self) -> None:
        if self._scheduler is None:
            return
        for loop in self._loops.values():
            loop.finish()
        for pool in filter(None, (self._players, self._checkers)):
            pool.stop()
        for loop in self._loops.values():
            loop.stop()
        self._heart.stop()
        self._scheduler.shutdown(wait=True)
        self._scheduler = None
        self.release_lease()

    def release_lease(self) -> None:
        """Give up the lease, so that another supervisor can begin at once."""
        watch.release_lease(self.server, self.holder)

    def _round(self, name: str, act: Callable[[], bool]) -> bool:
        """Do one round of a loop, if the lease is ours; return whether to do another one at once."""
        return self._last is not None and self._safely(name, act)

    def _safely(self, name: str, act: Callable[[], bool]) -> bool:
        try:
            return act()
        except Stopped:
            pass
        except (StoreTrouble, OSError) as problem:
            log.error("%s: the disk or the database failed (%s); the work will be tried again", name, problem)
        except Exception:
            log.exception("%s failed and will be tried again", name)
        return False


class Every:
    """A thread that acts every so many seconds by the steady clock, so setting the wall clock does not stop it."""

    def __init__(self, seconds: float, name: str, act: Callable[[], object]) -> None:
        self.seconds, self.name, self.act = seconds, name, act
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        def run() -> None:
            while not self._stopped.wait(self.seconds):
                self.act()

        self._stopped.clear()
        self._thread = threading.Thread(target=run, name=f"pbem-every-{self.name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None


class Loop:
    """A thread that acts at the start, whenever it is nudged, and again as long as there is more to do.

    Nudges within `REST` after a round are taken together, so that under load a round handles several of them.
    """

    def __init__(self, act: Callable[[], bool]) -> None:
        self.act = act
        self._nudged, self._stopped = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, name: str, round: Callable[[str, Callable[[], bool]], bool]) -> None:
        def run() -> None:
            while not self._stopped.is_set():
                self._nudged.clear()
                if not round(name, self.act) and not self._stopped.is_set():
                    rested = time.monotonic() + REST
                    self._nudged.wait()
                    self._stopped.wait(max(0.0, rested - time.monotonic()))

        self._stopped.clear()
        self._thread = threading.Thread(target=run, name=f"pbem-{name}", daemon=True)
        self._thread.start()

    def nudge(self) -> None:
        self._nudged.set()

    def finish(self) -> None:
        """Begin no further round."""
        self._stopped.set()
        self._nudged.set()

    def stop(self) -> None:
        """Finish the current round and begin no other."""
        self.finish()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
