"""Soaking: bots of every kind play every scenario with every edition of the rules, and all errors are recorded.

    soak         matches in memory: exceptions, broken invariants, games without end, rules that never occur
    soak_server  matches through a real server that is closed and reopened after every tick; then all is checked

The games that a title's scenarios belong to (basic, advanced) take turns. Within a game every fourth match (every
second if there are many scenarios) uses the next larger scenario, so that most of the time goes into many short ones;
the largest, which would hardly ever be played, get one match in 25 each.
Options with several values, and the set-up itself, vary from match to match. A soak that is kept in a file can be
continued.
"""

from __future__ import annotations

import csv
import io
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from itertools import islice, product
from pathlib import Path
from typing import Any

import msgspec

from pbem.engine.play.bots import Choice
from pbem.engine.play.resolve import waits_for
from pbem.engine.rules.state import to_bytes
from pbem.engine.rules.title import Rules, Title
from pbem.matches.accounts import accounts
from pbem.matches.audit.verify import verify_export
from pbem.matches.clock import deadlines, tick
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import record_of, replay
from pbem.matches.installation import open_server
from pbem.matches.server import Server
from pbem.tools.simulate import MOST_EXCHANGES, Played, Progress, bots_of, play

MANY = 3
"""With more scenarios than this, a game moves up to the next larger one more often."""
FAIR = 25
"""Every scenario gets at least one in this many matches of its game."""
ENOUGH = 90
"""The percentage of rules that must occur in a soak of full length."""
REFUSAL_ONLY = "refusal only"
"""The ledger's mark for a rule that never appears in a finding because it only forbids."""


# Matches in memory -------------------------------------------------------------------------------------------


class Set(msgspec.Struct, frozen=True):
    """The settings of one match of a soak; `varied` if the set-up itself was changed at random."""

    scenario: str
    seed: str
    options: dict[str, Any]
    reactions: str
    bots: dict[str, str]
    varied: bool = False

    def __str__(self) -> str:
        chosen = [
            f"{name} {'+'.join(value)}" if isinstance(value, list) else str(value) for name, value in self.chosen()
        ]
        words = [self.scenario, *chosen, *(["varied"] if self.varied else []), f"reactions {self.reactions}"]
        return ", ".join([*words, *(f"{seat} {bot}" for seat, bot in self.bots.items()), f"seed {self.seed}"])

    def chosen(self) -> list[tuple[str, Any]]:
        return [(name, value) for name, value in self.options.items() if value]

    def words(self) -> list[str]:
        """The words under which this match is counted: scenario, each choice, reactions and bots."""
        values = [value if isinstance(value, list) else [str(value)] for _, value in self.chosen()]
        varied = ["varied"] if self.varied else []
        chosen = [word for value in values for word in value]
        return [self.scenario, *chosen, *varied, f"reactions {self.reactions}", *self.bots.values()]


class Soaked(msgspec.Struct):
    """The results of a soak so far; `done` counts the matches, and `turns` their turns."""

    done: int = 0
    turns: int = 0
    played: dict[str, int] = {}
    asks: dict[str, int] = {}
    rules: set[tuple[str, str]] = set()
    failures: list[str] = []
    flaws: list[str] = []
    endless: list[str] = []

    def count(self, given: Set, match: Played) -> None:
        self.turns += match.turns
        self.asks = Counter(self.asks) + Counter(match.asks)
        self.rules |= {(given.options.get("edition", ""), rule) for rule in match.rules}
        self.flaws += [f"{flaw} ({given})" for flaw in match.flaws]
        if not match.ended:
            self.endless.append(str(given))
        self.played = Counter(self.played) + Counter(given.words())


def soak(
    title: Title,
    matches: int,
    seed: object,
    progress: Progress,
    *,
    scenarios: tuple[str, ...] = (),
    minutes: float = 0,
    kept: Path | None = None,
) -> dict[str, Any]:
    """Play matches; report which rules occurred and which did not. With `minutes`, no match begins after that time.

    The results are kept in a file, if one is named; a soak that finds it plays only the missing matches.
    """
    begun, seen = time.monotonic(), recall(kept)
    scenarios = scenarios or by_size(title)
    for given in islice(sets(title, scenarios, seed, matches), seen.done, None):
        if minutes and time.monotonic() - begun > 60 * minutes:
            break
        try:
            seen.count(given, play_set(title, given))
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            seen.failures.append(f"{type(error).__name__} in {where.name}, line {where.lineno}: {error} ({given})")
        seen.done += 1
        keep(kept, seen)
        progress(f"{seen.done} of {matches} matches played, {len(seen.failures)} failures, {len(seen.flaws)} flaws")
    return report(title, scenarios, seen)


def recall(kept: Path | None) -> Soaked:
    return msgspec.json.decode(kept.read_bytes(), type=Soaked) if kept is not None and kept.exists() else Soaked()


def keep(kept: Path | None, seen: Soaked) -> None:
    if kept is not None:
        kept.write_bytes(msgspec.json.encode(seen))


def play_set(title: Title, given: Set) -> Played:
    return play(
        title,
        given.scenario,
        given.seed,
        options=given.options,
        waits_for=waits_for(title.rules(title.freeze(given.scenario, {})).modes[given.reactions]),
        bots=given.bots,
        curious=True,
        varied=given.varied,
    )


def by_size(title: Title) -> tuple[str, ...]:
    """The scenarios, smallest first."""

    def size(scenario: str) -> int:
        return len(to_bytes(title.rules(title.freeze(scenario, {})).setup(())))

    return tuple(sorted(title.scenarios, key=size))


def sets(title: Title, scenarios: tuple[str, ...], seed: object, matches: int) -> Iterator[Set]:
    """The settings in sequence: games in turn, scenarios by size, all single choices in turn, the rest at random."""
    rules = {scenario: title.rules(title.freeze(scenario, {})) for scenario in scenarios}
    played = games(rules)
    used: Counter[str] = Counter()
    for number in range(1, matches + 1):
        choice = Choice(seed, number)
        scenario = next_of(played[(number - 1) % len(played)], 1 + (number - 1) // len(played))
        kinds = sorted(bots_of(rules[scenario]))
        bots = {seat: choice.one_of(kinds) for seat in rules[scenario].seats}
        reactions = choice.one_of(sorted(rules[scenario].modes))
        offers = title.choices_for(scenario)
        single = {name: values for name, values in offers.items() if name not in title.several}
        options = [dict(zip(single, values, strict=True)) for values in product(*single.values())]
        chosen: dict[str, Any] = options[used[scenario] % len(options)]
        more = title.any_choice(scenario, chosen, choice)
        varied = choice.below(2) == 0
        yield Set(scenario, f"{seed}/{number}", {**chosen, **more}, reactions, bots, varied)
        used[scenario] += 1


def games(rules: Mapping[str, Rules]) -> list[list[str]]:
    """The scenarios by game; scenarios whose rules ask the same kinds of questions are one game."""
    found: dict[tuple[str, ...], list[str]] = {}
    for scenario, bound in rules.items():
        found.setdefault(tuple(bound.kinds), []).append(scenario)
    return list(found.values())


def next_of(scenarios: Sequence[str], number: int) -> str:
    """The scenario for match `number` of a game; they are ordered by size."""
    base = 2 if len(scenarios) > MANY else 4
    last = len(scenarios) - 1
    rare = [scenario for place, scenario in enumerate(scenarios) if base ** min(place + 1, last) > FAIR]
    step = FAIR // len(rare) if rare else 0
    if step and number % step == 0:
        return rare[number // step % len(rare)]
    return scenarios[min(powers(number, base), last - len(rare))]


def powers(number: int, base: int) -> int:
    """How many times the base divides the number."""
    return 0 if number % base else 1 + powers(number // base, base)


def report(title: Title, scenarios: tuple[str, ...], seen: Soaked) -> dict[str, Any]:
    played = [title.rules(title.freeze(name, {})) for name in scenarios if name in seen.played or not seen.done]
    kinds = {kind for rules in played for kind in rules.kinds}
    invariants = dict.fromkeys(line for rules in played for line in rules.invariants())
    tiers = dict.fromkeys(tier for rules in played for tier in rules.tiers)
    return {
        "title": title.name,
        "matches": seen.done,
        "turns": seen.turns,
        "played": dict(sorted(seen.played.items())),
        "invariants": list(invariants),
        "failures": seen.failures,
        "flaws": seen.flaws,
        "endless": seen.endless,
        "asks": dict(sorted(seen.asks.items())),
        "asks_missing": sorted(kinds - set(seen.asks)),
        "rules": {tier: occurrence(title, seen.rules, tier) for tier in tiers},
    }


def occurrence(title: Title, seen: set[tuple[str, str]], tier: str) -> dict[str, Any]:
    """The ledger's rules that findings can cite, and how many were cited; rules that only refuse are not expected.

    An edition that borrows a rule from another has no row of its own for it: the other's is used.
    """
    known = {(row["edition"], row["id"]) for row in ledger(title.name)}
    lenders: dict[str, set[str]] = {}
    for edition, rule in known:
        lenders.setdefault(rule, set()).add(edition)
    seen = seen | {(lender, rule) for edition, rule in seen - known for lender in lenders.get(rule, ())}
    rows = [row for row in ledger(title.name) if row["engine"] == "yes" and row["tier"] == tier]
    refusing = {(row["edition"], row["id"]) for row in rows if row["reason"] == REFUSAL_ONLY}
    wanted = {(row["edition"], row["id"]) for row in rows if row["status"] != "out"} - refusing
    return {
        "wanted": len(wanted),
        "seen": len(wanted & seen),
        "share": 100 * len(wanted & seen) // len(wanted) if wanted else 100,
        "missing": [" ".join(rule) for rule in sorted(wanted - seen)],
        "unexpected": [" ".join(rule) for rule in sorted(refusing & seen)],
    }


def ledger(title: str) -> list[dict[str, str]]:
    """The rows of a title's ledger; empty for a title without one."""
    package = resources.files("pbem.titles") / title
    file = package / "ledger.csv"
    if not title.isidentifier() or not package.is_dir() or not file.is_file():
        return []
    return list(csv.DictReader(io.StringIO(file.read_text("utf-8"))))


# Through a server ---------------------------------------------------------------------------------------------


def soak_server(
    titles: Mapping[str, Title], title: str, scenario: str, matches: int, progress: Progress
) -> dict[str, Any]:
    """Play bot matches on a real server that is closed and reopened after every tick; then check everything."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pbem.db"
        server = open_server(path, titles)
        started = [bot_match(server, title, scenario) for _ in range(matches)]
        restarts = 0
        while (left := going_on(server, started)) and restarts < MOST_EXCHANGES:
            progress(f"{len(left)} of {matches} matches still running")
            tick.tick(server, deadlines.now(server))
            server.close()
            server = open_server(path, titles)
            tick.recover(server)
            restarts += 1
        try:
            return {"matches": matches, "restarts": restarts, **checks(server, started)}
        finally:
            server.close()


def bot_match(server: Server, title: str, scenario: str) -> str:
    """Create a bot match that asks at every opportunity, which gives the largest number of exchanges."""
    match = creating.new_match(server, title, scenario, reactions="ask")
    bot = accounts.open_bot(server, title)
    for seat in record_of(server, match).seats:
        take_seat(server, match, seat, bot.id)
    return match


def going_on(server: Server, matches: list[str]) -> list[str]:
    records = {match: record_of(server, match) for match in matches}
    return [match for match, record in records.items() if not record.ended and not record.halted]


def checks(server: Server, matches: list[str]) -> dict[str, Any]:
    records = [record_of(server, match) for match in matches]
    problems: list[str] = []
    for match in matches:
        replay(server, match)
        verified = verify_export(read_export(export(server, match, "public")), server.titles)
        problems += [f"{match}: {problem}" for problem in verified.problems]
    return {
        "over": sum(record.ended is not None for record in records),
        "halted": sum(record.halted is not None for record in records),
        "events": sum(record.version for record in records),
        "problems": problems,
    }
