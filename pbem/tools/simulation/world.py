"""The server, the clock and the faults of a simulation.

Time jumps from one event to the next: an email arrives, a player sits down, a deadline falls. The server may crash at
any commit, and before or after any email; it is then down for a while and restarts from its database. The database
may also fail without a crash; then the act is tried again later.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from eventstore import Database, StoreTrouble
from pbem.engine.rules.title import Title
from pbem.mail.inbound import handle, listeners
from pbem.mail.outbound.compose import send_due
from pbem.mail.settings import Settings
from pbem.matches.clock import outages, tick
from pbem.matches.clock.deadlines import HOUR, MINUTE
from pbem.matches.installation import open_server
from pbem.matches.server import Server
from pbem.tools.simulation.database import FailingDatabase
from pbem.tools.simulation.network import Network

START = 1_900_000_000_000
DAY = 24 * HOUR
YEAR = 365 * DAY
CRASH = 0.004
"""The chance that the server crashes at a commit, or before or after an email. Writes fail half as often."""

SETTINGS = Settings(domain="pbem.invalid", base_url="https://pbem.invalid", pictures=False)


class Crash(BaseException):
    """The server has crashed; no handler may catch this."""


class World:
    """The simulated world. `story` records the events, newest last; `counted` counts acts and faults."""

    def __init__(self, folder: Path, titles: Mapping[str, Title], seed: object, *, crash: float = CRASH) -> None:
        self.folder, self.titles, self.seed, self.crash = folder, titles, seed, crash
        self.chance = random.Random(f"{seed}/world")
        self.faults = random.Random(f"{seed}/faults")
        self.now = START
        self.story: list[tuple[int, str]] = []
        self.counted: Counter[str] = Counter()
        self.accepted: list[int] = []
        self._agenda: list[tuple[int, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._drawn = itertools.count()
        self._armed = False
        self.network = Network(random.Random(f"{seed}/network"), self.later, self._fault)
        self.server: Server = self._open()

    # The server

    def _open(self) -> Server:
        server = open_server(
            self.folder / "pbem.db",
            self.titles,
            clock=lambda: self.now,
            entropy=self._entropy,
            failpoint=self._fault,
        )
        server.store.wrap_connections(lambda real: cast(Database, FailingDatabase(real, self._trouble)))
        return server

    def _entropy(self, label: str) -> bytes:
        return hashlib.sha256(f"{self.seed}/{label}/{next(self._drawn)}".encode()).digest()

    def _fault(self, where: str) -> None:
        """Crash here at random."""
        if self._armed and self.faults.random() < self.crash:
            self.counted["crashes"] += 1
            self.counted[f"crash {where.rpartition(':')[2]}"] += 1
            self.tell(f"the server dies at {where}")
            raise Crash(where)

    def _trouble(self, kinds: Sequence[str]) -> str:
        """Return one of these database faults at random, or nothing."""
        if not self._armed or self.faults.random() >= self.crash / 2:
            return ""
        what = self.faults.choice(kinds)
        self.counted["database faults"] += 1
        self.counted[f"database {what}"] += 1
        self.tell(f"the database fails: {what}")
        self.network.excuse()
        return what

    def survive(self, act: Callable[[], Any]) -> Any:
        """Do something with the server; None if it dies (it restarts after a while) or its database fails."""
        self._armed = True
        try:
            return act()
        except StoreTrouble:
            return None
        except Crash:
            self._armed = False
            self._restart()
            return None
        finally:
            self._armed = False

    def _restart(self) -> None:
        self.server.close()
        since = self.now
        self.now += self.chance.choice((2_000, 30_000, 5 * MINUTE, 3 * HOUR))
        self.server = self._open()
        if self.now - since > MINUTE:
            self.counted["outages"] += 1
            outages.record_outage(self.server, since, self.now, "the server was away")
        tick.recover(self.server)

    def tick(self) -> None:
        """Do one round of the server's background work."""

        def drain(now: int) -> None:
            handle.drain(self.server, SETTINGS, now)

        def send(now: int) -> None:
            send_due(self.server, SETTINGS, self.network, now)
            self.network.unmarked = None

        self.survive(lambda: tick.tick(self.server, self.now, drain=drain, send=send))

    def deliver(self, raw: bytes, recipients: Iterable[str], sender: str, attempts: int = 0) -> None:
        """Deliver an email to the server; the mail host tries again until it is acknowledged."""
        kept = self.survive(lambda: listeners.deliver(self.server, raw, sender=sender, recipients=list(recipients)))
        if kept is not None:
            self.accepted.append(kept)
            self.counted["mails in"] += 1
        elif attempts < 20:
            self.later(15 * MINUTE, lambda: self.deliver(raw, recipients, sender, attempts + 1))

    # The clock

    def later(self, delay: int, act: Callable[[], None]) -> None:
        """Schedule an act after this many milliseconds."""
        heapq.heappush(self._agenda, (self.now + delay, next(self._numbers), act))

    def step(self, until: int) -> bool:
        """Advance to the next event; return whether there was one before that time."""
        due = self._next_due()
        if self._agenda and self._agenda[0][0] <= min(due, until):
            at, _, act = heapq.heappop(self._agenda)
            self.now = max(self.now, at)
            act()
        elif due <= until:
            self.now = max(self.now, due)
        else:
            return False
        self.tick()
        return True

    def _next_due(self) -> int:
        """When the server next has background work to do."""
        row = self.server.database.execute(
            "SELECT min(CASE WHEN look_at > deadline THEN look_at ELSE deadline END), min(remind), min(resumes) "
            "FROM desk WHERE ended = 0"
        ).fetchone()
        mail = self.server.database.execute("SELECT min(next_at) FROM outbox").fetchone()[0]
        found = [value for value in (*row, mail) if value is not None]
        due = min(found, default=2**62)
        return due if due > self.now else self.now + 30 * MINUTE

    def tell(self, what: str) -> None:
        self.story.append((self.now, what))
        if len(self.story) > 400:
            del self.story[:100]

    def close(self) -> None:
        self.server.close()
