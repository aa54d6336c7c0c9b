"""Run a simulation for years, one world after another, and report its counts and the first failure."""

from __future__ import annotations

import logging
import math
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import msgspec

from pbem.engine.rules.title import Title
from pbem.matches.accounts import accounts
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.tools.simulation.invariants import Broken, Referee, tempo
from pbem.tools.simulation.players import HABITS, Player
from pbem.tools.simulation.world import CRASH, DAY, START, World

CADENCES = (24, 48, 96, 168)
REST = 45
"""The most days between two matches of the same players."""

POLICIES = ("doctrine", "default", "forfeit")
STORY = 12
"""The most lines shown of a broken run's story."""

Progress = Callable[[str], None]


class Plan(msgspec.Struct, frozen=True):
    """The parameters of one world."""

    title: str
    scenario: str
    days: int
    seed: str
    matches: int = 2
    crash: float = CRASH


class Outcome(msgspec.Struct):
    """The result of one world; `broken` names the first broken invariant."""

    plan: Plan
    counted: dict[str, int]
    tempo: list[tuple[str, bool]]
    days: float
    broken: str = ""
    story: list[str] = []


class Life:
    """One world with its players and its matches."""

    def __init__(self, folder: Path, titles: Mapping[str, Title], plan: Plan) -> None:
        self.plan = plan
        self.world = World(folder, titles, plan.seed, crash=plan.crash)
        self.chance = random.Random(f"{plan.seed}/life")
        self.matches: list[str] = []
        self.playing: dict[int, str] = {}
        self.players: list[Player] = []
        self.world.network.arrives = self._arrives
        for number in range(2 * plan.matches):
            address = f"p{number}x{self.chance.randrange(10**6)}@people.invalid"
            account = accounts.open_account(self.world.server, address, f"Player {number}").id
            self.players.append(Player(self.world, address, account, HABITS[number % len(HABITS)], plan.seed))
        self.referee = Referee(self.world, self.players)

    def _arrives(self, message: EmailMessage) -> None:
        to = parseaddr(str(message["To"]))[1]
        for player in self.players:
            if player.address == to:
                player.reads(message)

    def begin(self, pair: int) -> None:
        """Begin a match between two of the players."""
        cadence, missed = self.chance.choice(CADENCES), self.chance.choice(POLICIES)
        timing = {"missed": missed, "grace": self.chance.choice((0, 0, 12)), "extensions": self.chance.choice((0, 1))}
        server = self.world.server
        match = creating.new_match(server, self.plan.title, self.plan.scenario, cadence=cadence, timing=timing)
        for seat, player in zip(record_of(server, match).seats, self.players[2 * pair : 2 * pair + 2], strict=False):
            take_seat(server, match, seat, player.account)
        self.matches.append(match)
        self.playing[pair] = match
        self.world.later(DAY, lambda: self._again(pair))
        self.world.counted["matches"] += 1
        self.world.tell(f"match {match} begins: {cadence} h, {missed}")

    def _again(self, pair: int) -> None:
        """Begin another match some time after the last one has ended."""
        if record_of(self.world.server, self.playing[pair]).ended is not None:
            self.world.later(self.chance.randrange(2, REST) * DAY, lambda: self.begin(pair))
        else:
            self.world.later(DAY, lambda: self._again(pair))

    def live(self) -> None:
        """Let the days of this world pass, one event after another."""
        until = START + self.plan.days * DAY
        for pair in range(self.plan.matches):
            self.begin(pair)
        while self.world.now < until:
            if not self.world.step(until):
                break
            self.world.counted["steps"] += 1
            self.referee.look()
        for _ in self.referee.settle():
            self.world.counted["exports verified"] += 1


@contextmanager
def quiet() -> Iterator[None]:
    """Silence the server's log, which records every simulated crash."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def live(titles: Mapping[str, Title], plan: Plan) -> Outcome:
    """Run one world from its first day to its last, or to the first broken invariant."""
    with quiet(), tempfile.TemporaryDirectory(prefix="pbem-life-", dir=fast_folder()) as folder:
        life = Life(Path(folder), titles, plan)
        broken, story = "", list[str]()
        try:
            life.live()
        except Broken as problem:
            broken, story = str(problem), story_lines(life.world)
        except Exception as problem:
            broken = f"failure: {type(problem).__name__}: {problem}"
            story = story_lines(life.world)
        counted = Counter(life.world.counted) + Counter(life.world.network.counted)
        pace = [] if broken else [tempo(life.world, match) for match in life.matches if _has_ended(life, match)]
        days = (life.world.now - START) / DAY
        life.world.close()
    return Outcome(plan, dict(counted), pace, days, broken, story)


def _has_ended(life: Life, match: str) -> bool:
    return record_of(life.world.server, match).ended is not None


def fast_folder() -> str | None:
    """Return a folder in memory, where there is one, because a simulated crash does not lose written data."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def story_lines(world: World) -> list[str]:
    """The last lines of a story, with their times."""
    lines = [*world.story, (world.now, "here it broke")][-STORY:]
    return [f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} {what}" for at, what in lines]


def shorten(titles: Mapping[str, Title], plan: Plan, broken: str) -> Outcome | None:
    """Find the simplest world under the same seed that still breaks the same invariant."""
    invariant = broken.partition(":")[0]
    simpler = ({"crash": 0.0, "matches": 1}, {"crash": 0.0}, {"matches": 1})
    for change in simpler:
        found = live(titles, msgspec.structs.replace(plan, **change))
        if found.broken.partition(":")[0] == invariant:
            return found
    return None


class Books(msgspec.Struct):
    """The totals of all worlds so far; stored in a file, so that a long run can be continued."""

    seed: str
    games: list[tuple[str, str]]
    days: float = 0.0
    worlds: int = 0
    counted: dict[str, int] = {}
    paces: list[tuple[str, bool]] = []
    broken: str = ""
    broken_seed: str = ""
    simplest: str = ""
    story: list[str] = []

    def enter(self, outcome: Outcome) -> None:
        self.days += outcome.days
        self.worlds += 1
        self.counted = dict(sorted((Counter(self.counted) + Counter(outcome.counted)).items()))
        self.paces += outcome.tempo

    def enter_break(self, outcome: Outcome, short: Outcome) -> None:
        self.broken, self.broken_seed, self.story = outcome.broken, outcome.plan.seed, short.story
        self.simplest = f"{short.plan.matches} matches, crashes {'on' if short.plan.crash else 'off'}"

    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = {"seed": self.seed, "broken": self.broken, "broken_seed": self.broken_seed}
        found |= {"story": self.story, "simplest": self.simplest}
        found |= {"years": round(self.days / 365, 2), "worlds": self.worlds, "counted": self.counted}
        found["finished_in_time"] = in_time(self.paces)
        return found


def in_time(paces: list[tuple[str, bool]]) -> dict[str, str]:
    """The share of matches that finished within their announced time, by cadence and policy."""
    counted = Counter(paces)
    return {
        pace: f"{counted[pace, True]} of {counted[pace, True] + counted[pace, False]}"
        for pace in sorted({pace for pace, _ in paces}, key=by_cadence)
    }


def by_cadence(pace: str) -> tuple[int, str]:
    """Sort "24 h, forfeit" before "168 h, default"."""
    hours, _, policy = pace.partition(" h, ")
    return int(hours), policy


def open_books(kept: Path | None, seed: object, games: list[tuple[str, str]]) -> Books:
    """The books of an earlier run with the same seed and games, or empty ones."""
    if kept is None or not kept.exists():
        return Books(str(seed), games)
    books = msgspec.json.decode(kept.read_bytes(), type=Books)
    if (books.seed, books.games) != (str(seed), games):
        raise ValueError(f"{kept} belongs to a run with another seed, title or scenario")
    return books


def soak_years(
    titles: Mapping[str, Title],
    games: list[tuple[str, str]],
    years: float,
    seed: object,
    progress: Progress,
    *,
    days: int = 365,
    minutes: float = 0,
    kept: Path | None = None,
) -> dict[str, Any]:
    """Simulate this many years in worlds of one year each; stop at the first broken invariant.

    No new world begins after `minutes`. The totals are stored in the file `kept`, and the next run continues from it.
    """
    books = open_books(kept, seed, games)
    until = time.monotonic() + minutes * 60 if minutes else math.inf
    while books.days < years * 365 - 0.5 and not books.broken and time.monotonic() < until:
        title, scenario = games[books.worlds % len(games)]
        plan = Plan(title, scenario, min(days, round(years * 365 - books.days)), f"{seed}/{books.worlds}")
        outcome = live(titles, plan)
        books.enter(outcome)
        if outcome.broken:
            books.enter_break(outcome, shorten(titles, plan, outcome.broken) or outcome)
        if kept is not None:
            kept.write_bytes(msgspec.json.encode(books))
        steps, crashes = books.counted.get("steps", 0), books.counted.get("crashes", 0)
        progress(f"{books.days / 365:.1f} years, {steps} steps, {crashes} crashes")
    return books.report()
