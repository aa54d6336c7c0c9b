"""Close and resolve many matches, all past their deadlines, in order, while pages are served.

cd tests && PYTHONPATH=.. python -m programs.due_at_once 4000
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median
from typing import Any

from support.toy import AmbushTitle

from pbem.matches.accounts import accounts
from pbem.matches.clock import watch
from pbem.matches.clock.deadlines import HOUR, SECOND
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.server import Server
from pbem.schedule import Supervisor
from pbem.web import create_app

START = 1_900_000_000_000


class Clock:
    """A wall clock and a monotonic clock, both set by hand."""

    def __init__(self) -> None:
        self.wall, self.steady = START, 7_000_000

    def go_on(self, span: int) -> None:
        self.wall += span
        self.steady += span


def created(server: Server, clock: Clock, count: int) -> list[str]:
    """Create this many matches between the same two players; each deadline is later than the one before."""
    players = {seat: accounts.open_account(server, f"{seat}@example.org").id for seat in ("red", "blue")}
    found = []
    for _ in range(count):
        match = creating.new_match(server, "ambush", "tiny", cadence=24)
        for seat, account in players.items():
            take_seat(server, match, seat, account)
        found.append(match)
        clock.go_on(SECOND)
    return found


def positions(server: Server, word: str, exchange: int) -> list[str]:
    """Return the matches in the order in which an event of this type was written for an exchange."""
    events = (event for event in server.store.read_all() if event.type == word)
    return [event.stream.removeprefix("match/") for event in events if event.payload["exchange"] == exchange]


class Visitors:
    """A visitor who keeps requesting the lobby and a match page."""

    def __init__(self, server: Server, match: str) -> None:
        self.client = create_app(server).test_client()
        self.paths = ("/", f"/matches/{match}")
        self.times: list[float] = []
        self.wrong: list[int] = []
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    def __enter__(self) -> Visitors:
        self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._done.set()
        self._thread.join()

    def _ask(self) -> None:
        while not self._done.is_set():
            for path in self.paths:
                start = time.perf_counter()
                answer = self.client.get(path, base_url="https://localhost")
                self.times.append(time.perf_counter() - start)
                if answer.status_code != 200:
                    self.wrong.append(answer.status_code)


def run(folder: Path, count: int, workers: int = 0) -> dict[str, Any]:
    """Let all deadlines pass at once and work until nothing is left; return the observations."""
    clock = Clock()
    server = open_server(folder / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: clock.wall)
    begun = time.perf_counter()
    matches = created(server, clock, count)
    creating_took = time.perf_counter() - begun
    supervisor = Supervisor(server, steady=lambda: clock.steady, boot=lambda: "one", workers=workers)
    clock.go_on(25 * HOUR)
    server.database.execute("DELETE FROM lease")
    for _ in range(3):  # the clock is watched from here on
        supervisor.beat()
        clock.go_on(watch.BEAT * SECOND)
    begun, rounds = time.perf_counter(), 0
    with Visitors(server, matches[-1]) as visitors:
        supervisor.mail()
        while supervisor.close() or supervisor.work():
            rounds += 1
            supervisor.beat()
        working = time.perf_counter() - begun
    closed, resolved = positions(server, "exchange.closed", 2), positions(server, "exchange.resolved", 2)
    found = {
        "matches": count,
        "closed": len(closed),
        "resolved": len(resolved),
        "closed_in_order": closed == matches,
        "resolved_in_order": resolved == matches,
        "halted": sum(record_of(server, match).halted is not None for match in matches[:100]),
        "rounds": rounds,
        "seconds_creating": round(creating_took, 1),
        "seconds_working": round(working, 1),
        "pages": len(visitors.times),
        "pages_refused": len(visitors.wrong),
        "page_median_ms": round(median(visitors.times) * 1000, 1),
        "page_slowest_ms": round(max(visitors.times) * 1000, 1),
    }
    server.close()
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        print(json.dumps(run(Path(place), int(sys.argv[1])), indent=1))
