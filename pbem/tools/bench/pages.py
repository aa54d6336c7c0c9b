"""The time a player waits for a page while another match's turn is being played.

In every round the page of a small match is requested while the server is idle, while a turn of the large match is
played in a thread of the same process, and while its next turn is played by a worker process. Ratios are taken within
a round.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from pbem.engine.play.bots import own_bot
from pbem.engine.rules.title import Title
from pbem.matches.accounts import sessions
from pbem.matches.clock import tick
from pbem.matches.exchange import advancing, sealing
from pbem.matches.history.replay import load
from pbem.matches.installation import open_server
from pbem.matches.server import Server
from pbem.matches.workers import ADVANCE
from pbem.matches.workers.pool import Pool
from pbem.tools.bench.battalion import decide
from pbem.tools.bench.site import a_caller, a_match
from pbem.tools.simulate import Progress
from pbem.web import create_app

NUMBERS = count()
IDLE_PAGES = 30
SET_UP = 2
"""Exchanges played before measuring: the set-up and the first turn."""
PAUSE = 0.01
"""Seconds between two page requests, as between those of two players."""


def measure(
    titles: Mapping[str, Title], title: str, scenario: str, small: str, progress: Progress, *, rounds: int = 3
) -> dict[str, Any]:
    """Milliseconds for a page of the small scenario, and how they grow while a turn of the other one is played."""
    with tempfile.TemporaryDirectory() as folder:
        server = open_server(Path(folder) / "pbem.db", titles)
        match, _ = a_match(server, title, scenario)
        other, player = a_match(server, title, small)
        server.later = lambda match: None
        caller = a_caller(create_app(server), sessions.start(server, player))
        pool = Pool(server)
        pool.start()
        for _ in range(SET_UP):
            seal_all(server, match)
            tick.advance_safely(server, match)
        ways: dict[str, Callable[[str], None]] = {
            "same_process": partial(tick.advance_safely, server),
            "worker": partial(pool.do, ADVANCE),
        }
        seen: dict[str, list[list[float]]] = {"idle": [], **{name: [] for name in ways}}
        for number in range(1, rounds + 1):
            progress(f"round {number}: pages while nothing is played")
            seen["idle"].append([time_page(caller, other) for _ in range(IDLE_PAGES)])
            for name, play in ways.items():
                seal_all(server, match)
                progress(f"round {number}: pages while a turn is played, {name}")
                seen[name].append(pages_during(partial(play, match), partial(time_page, caller, other)))
        pool.stop()
        server.close()
    return table(seen)


def seal_all(server: Server, match: str) -> None:
    """Have the title's bots seal orders for every seat, and close, so that the turn is ready to be played."""
    position = load(server, match)
    for ask in position.run.asks:
        said = decide(own_bot(position.rules)(ask.seat), position, ask)
        sealing.seal(server, match, ask.seat, position.record.open_exchange, said, final=True)
    advancing.close_if_final(server, match)


def pages_during(play: Callable[[], None], page: Callable[[], float]) -> list[float]:
    """The time for each page requested while a turn was played: at least one, however short the turn is."""
    thread = threading.Thread(target=play)
    thread.start()
    found = [page()]
    thread.join(PAUSE)
    while thread.is_alive():
        found.append(page())
        thread.join(PAUSE)
    return found


def time_page(call: Callable[[str], bytes], match: str) -> float:
    """The time for a page that has not been requested before; every such page has an address of its own."""
    path = f"/matches/{match}?asked={next(NUMBERS)}"
    start = perf_counter()
    call(path)
    return perf_counter() - start


def slow(times: list[float]) -> float:
    """The time that one page in twenty exceeds; for a single page, its own time."""
    return quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]


def table(seen: Mapping[str, list[list[float]]]) -> dict[str, Any]:
    """Medians and 95th percentiles in milliseconds, and each round's ratio to its idle pages."""
    found: dict[str, Any] = {}
    for name, rounds in seen.items():
        everything = [time for times in rounds for time in times]
        found[f"page_{name}_count"] = len(everything)
        found[f"page_{name}_ms"] = round(median(everything) * 1000, 1)
        found[f"page_{name}_slow_ms"] = round(slow(everything) * 1000, 1)
        if name != "idle":
            ratios = [median(times) / median(idle) for times, idle in zip(rounds, seen["idle"], strict=True)]
            found[f"page_{name}_against_idle"] = f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    return found
