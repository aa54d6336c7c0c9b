"""Costs of the server. Absolute numbers apply to one machine only; the ratios are portable."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter, process_time
from types import ModuleType
from typing import Any

import msgspec

from pbem.engine.play.bots import own_bot
from pbem.engine.play.choice import Choice
from pbem.engine.play.resolve import always_asked, as_the_rules_say
from pbem.engine.rules.title import Title
from pbem.matches.exchange import advancing
from pbem.matches.history.replay import load, record_of
from pbem.matches.installation import open_server
from pbem.tools.bench import server as bench_server
from pbem.tools.bench import site as site_bench
from pbem.tools.bench import store as store_bench
from pbem.tools.simulate import Playing, play
from pbem.tools.soak.matches import bot_match


class Subject(msgspec.Struct, frozen=True):
    """The subject of a measurement, and how often it is measured."""

    titles: Mapping[str, Title]
    title: str
    scenario: str
    rounds: int
    matches: int


def bench(subject: Subject, progress: Callable[[str], None], parts: Sequence[str] | None = None) -> dict[str, Any]:
    """Measure the parts named, or all of them."""
    found: dict[str, Any] = {}
    for part in parts or PARTS:
        progress(f"measuring {subject.title} {subject.scenario}: {part}")
        found |= PARTS[part](subject)
    return found


def store_rows(subject: Subject) -> dict[str, Any]:
    """Compare the event store with bare SQLite."""
    measured = store_bench.measure(rounds=subject.rounds, events=subject.rounds * 20)
    return {name: round(value, 2) for name, value in measured.items()}


def play_rows(subject: Subject) -> dict[str, Any]:
    """Measure exchanges in memory, on a server and replayed; compare an order with one of the `diplomacy` library."""
    stored, replayed = through_a_server(subject.titles, subject.title, subject.scenario)
    orders = order_ratios(subject.titles[subject.title], subject.scenario, min(subject.rounds, 7))
    return {
        "exchanges_per_second_in_memory": round(in_memory(subject), 1),
        "exchanges_per_second_on_a_server": round(stored, 1),
        "exchanges_per_second_replayed": round(replayed, 1),
        **({"order_against_diplomacy": bench_server.spread(orders)} if orders else {}),
    }


def server_rows(subject: Subject) -> dict[str, Any]:
    """Measure orders, emails, replay, lobby and start-up."""
    rounds = min(subject.rounds, 7)
    return bench_server.measure(subject.titles, subject.title, subject.scenario, rounds=rounds)


def title_rows(subject: Subject) -> dict[str, Any]:
    """Measure the heavy queries of the title."""
    title = subject.titles[subject.title]
    return {**time_probes(title, subject.scenario), **time_contests(title, subject.scenario, min(subject.rounds, 5))}


def site_rows(subject: Subject) -> dict[str, Any]:
    """Measure the largest page."""
    return site_bench.measure(subject.titles, rounds=min(subject.rounds, site_bench.ROUNDS))


PARTS: Mapping[str, Callable[[Subject], dict[str, Any]]] = {
    "store": store_rows,
    "play": play_rows,
    "server": server_rows,
    "title": title_rows,
    "site": site_rows,
}


SLOW = 1
"""Seconds after which a query is not repeated."""


def time_probes(title: Title, scenario: str) -> dict[str, float]:
    """Milliseconds of processor time for each heavy query of a title: the best of a few runs, or of one if slow."""
    rules = title.rules(title.freeze(scenario, {}))
    found: dict[str, float] = {}
    for name, question in rules.probes().items():
        spent = []
        for _ in range(5):
            start = process_time()
            question()
            spent.append(process_time() - start)
            if spent[-1] > SLOW:
                break
        found[f"{name}_ms"] = round(1000 * min(spent), 2)
    return found


def time_contests(title: Title, scenario: str, rounds: int) -> dict[str, str]:
    """How many times faster each optimised function of a title is than its plain Python version."""
    rules = title.rules(title.freeze(scenario, {}))
    pairs = rules.contests()
    return {name: bench_server.ratio(plain, ours, rounds) for name, (plain, ours) in pairs.items()}


def in_memory(subject: Subject) -> float:
    """Exchanges per second between bots that are asked everything."""
    start, title = perf_counter(), subject.titles[subject.title]
    played = (play(title, subject.scenario, number, waits_for=always_asked) for number in range(subject.matches))
    exchanges = sum(match.exchanges for match in played)
    return exchanges / (perf_counter() - start)


def through_a_server(titles: Mapping[str, Title], title: str, scenario: str) -> tuple[float, float]:
    """Exchanges per second of bots that seal, close and resolve on a server, and of a replay from the first event."""
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


# The full cost of an order, compared with the `diplomacy` library if it is installed-------------------------------
#
# Both sides play a match in memory. An order is text that is read and checked, and its share of the turn that is then
# resolved; finding the orders, and the checks of a simulation, are not counted.

PHASES = 12
"""The number of phases of Diplomacy played: about four years."""


def library() -> ModuleType | None:
    """Return the `diplomacy` library, if it is installed."""
    try:
        return importlib.import_module("diplomacy")
    except ImportError:
        return None


def order_ratios(title: Title, scenario: str, rounds: int) -> list[float]:
    """The cost of our order as a multiple of a `diplomacy` order, by round; empty without that library.

    The first match is not counted: it fills the caches that a server keeps.
    """
    theirs = library()
    if theirs is None:
        return []
    our_order(title, scenario, rounds)
    return [our_order(title, scenario, number) / diplomacy_order(theirs.Game, number) for number in range(rounds)]


def our_order(title: Title, scenario: str, seed: int) -> float:
    """The processor time of one order of a match of bots: written out, read again, and resolved."""
    rules = title.rules(title.freeze(scenario, {}))
    bots = {seat: own_bot(rules)(f"{seed}/{seat}") for seat in rules.seats}
    match = Playing(rules, tuple(title.switches), seed, as_the_rules_say)
    match.resolved({})
    orders, spent = 0, 0.0
    while not match.run.over:
        given = match.answered(bots)
        texts = [(ask, rules.restate(ask, given[ask.seat])) for ask in match.run.asks]
        begun = process_time()
        for ask, text in texts:
            rules.read(match.run.view(ask.seat), ask, text)
        match.resolved(given)
        spent += process_time() - begun
        orders += sum(bool(line.split("#")[0].strip()) for _, text in texts for line in text.splitlines())
    return spent / max(1, orders)


def diplomacy_order(new_game: Callable[[], object], seed: int) -> float:
    """The processor time of one order of a game of Diplomacy with random orders: set, and its phase processed."""
    game, orders, spent = new_game(), 0, 0.0
    for phase in range(PHASES):
        possible, places = game.get_all_possible_orders(), game.get_orderable_locations()  # type: ignore[attr-defined]
        choice = Choice(seed, phase)
        said = {
            power: [choice.one_of(sorted(possible[place])) for place in where if possible[place]]
            for power, where in sorted(places.items())
        }
        begun = process_time()
        for power, some in said.items():
            game.set_orders(power, some)  # type: ignore[attr-defined]
        game.process()  # type: ignore[attr-defined]
        spent += process_time() - begun
        orders += sum(map(len, said.values()))
    return spent / max(1, orders)
