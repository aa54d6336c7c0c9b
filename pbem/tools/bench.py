"""Costs of the server. Absolute numbers apply to one machine only; the ratios are portable."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from pbem.engine.play.resolve import always_asked
from pbem.engine.rules.title import Title
from pbem.matches.exchange import advancing
from pbem.matches.history.replay import load, record_of
from pbem.matches.installation import open_server
from pbem.tools import bench_server
from pbem.tools import bench_site as site_bench
from pbem.tools import bench_store as store_bench
from pbem.tools.simulate import play
from pbem.tools.soak import bot_match


def bench(
    titles: Mapping[str, Title],
    title: str,
    scenario: str,
    progress: Callable[[str], None],
    *,
    rounds: int = 100,
    matches: int = 3,
) -> dict[str, Any]:
    """Measure the store against bare SQLite; exchanges in memory, through a server, and replayed; and the site."""
    progress("measuring the event store")
    store = store_bench.measure(rounds=rounds, events=rounds * 20)
    progress(f"playing {title} {scenario} in memory")
    bare = in_memory(titles[title], scenario, matches)
    progress(f"playing {title} {scenario} through a server")
    kept, replayed = through_a_server(titles, title, scenario)
    progress("replay, orders, mails, lobby, start; then the largest page")
    site = site_bench.measure(titles, rounds=min(rounds, site_bench.ROUNDS))
    return {
        **{name: round(value, 2) for name, value in store.items()},
        "exchanges_per_second_in_memory": round(bare, 1),
        "exchanges_per_second_in_a_house": round(kept, 1),
        "exchanges_per_second_replayed": round(replayed, 1),
        **bench_server.measure(titles, title, scenario, rounds=min(rounds, 7)),
        **probed(titles[title], scenario),
        **contested(titles[title], scenario),
        **site,
    }


def probed(title: Title, scenario: str) -> dict[str, float]:
    """Milliseconds of processor time for each heavy query that a title names; the best of a few runs."""
    rules = title.rules(title.freeze(scenario, {}))
    found: dict[str, float] = {}
    for name, question in getattr(rules, "probes", dict)().items():
        spent = []
        for _ in range(5):
            start = process_time()
            question()
            spent.append(process_time() - start)
        found[f"{name}_ms"] = round(1000 * min(spent), 2)
    return found


def contested(title: Title, scenario: str, rounds: int = 5) -> dict[str, str]:
    """How many times faster a title answers each question than its plain Python version, where it has one."""
    rules = title.rules(title.freeze(scenario, {}))
    pairs: Mapping[str, Any] = getattr(rules, "contests", dict)()
    return {name: bench_server.ratio(plain, ours, rounds) for name, (plain, ours) in pairs.items()}


def in_memory(title: Title, scenario: str, matches: int) -> float:
    start = perf_counter()
    exchanges = sum(play(title, scenario, number, waits_for=always_asked).exchanges for number in range(matches))
    return exchanges / (perf_counter() - start)


def through_a_server(titles: Mapping[str, Title], title: str, scenario: str) -> tuple[float, float]:
    """Exchanges per second: bots that seal, close and resolve on a server, and the replay from the first event."""
    with tempfile.TemporaryDirectory() as folder:
        server = open_server(Path(folder) / "pbem.db", titles)
        start = perf_counter()
        match = bot_match(server, title, scenario)
        while not record_of(server, match).ended and not record_of(server, match).halted:
            advancing.advance(server, match)
        playing = perf_counter() - start
        server.forget()
        start = perf_counter()
        exchanges = load(server, match, snapshots=False).record.last
        replaying = perf_counter() - start
        server.close()
    return exchanges / playing, exchanges / replaying
