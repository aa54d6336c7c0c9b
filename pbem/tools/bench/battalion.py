"""The cost of a whole match: played by bots through a server, replayed, opened from a snapshot, its orders checked.

    measure     the match, its costs and a profile
    flatness    how the last third of a match compares with the first
    Sampled     the functions at work, sampled every few milliseconds

Times are processor times, so that other processes do not matter. They apply to one machine only; the ratios are
portable. All are relative to one copy of the state, made in the same run.
"""

from __future__ import annotations

import hashlib
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from statistics import fmean, median
from time import process_time
from types import FrameType, TracebackType
from typing import Any, NamedTuple

from pbem.engine.play.bots import Bot, own_bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.state import copy
from pbem.engine.rules.title import Submission, Title
from pbem.matches.exchange import advancing, resolving, sealing
from pbem.matches.history.replay import Position, load, record_of
from pbem.matches.installation import open_server
from pbem.matches.server import Server
from pbem.tools.bench.server import floor, ratio
from pbem.tools.bench.site import a_match
from pbem.tools.simulate import Progress

EVERY = 0.004
"""Seconds of work between two samples."""
SHOWN = 15
REPLAYS = 3
"""How many times a whole match is replayed, alternating with the minimum work of any replay."""
ROUNDS = 15
"""How many times a short operation is measured; the best time is used."""


def measure(
    titles: Mapping[str, Title], title: str, scenario: str, progress: Progress, *, turns: int = 0
) -> dict[str, Any]:
    """Play a match of bots with plans, to its end or for this many turns, and measure the cost of each part."""
    with tempfile.TemporaryDirectory() as folder:
        server = open_server(Path(folder) / "pbem.db", titles, entropy=same_every_time())
        match, _ = a_match(server, title, scenario)
        with Sampled() as sampled:
            spent = list(play_on(server, match, progress, turns))
        progress("replaying from the first event")
        replay = once(lambda: reopen(server, match, snapshots=False))
        against_floor = ratio(lambda: reopen(server, match, snapshots=False), lambda: floor(server, match), REPLAYS)
        progress("opening from snapshots")
        record = record_of(server, match)
        versions = [entry.resolved.version for entry in record.resolved if entry.resolved]
        openings = [best(lambda upto=upto: reopen(server, match, upto=upto), 3) for upto in versions]  # type: ignore[misc]
        progress("checking orders")
        parts = parts_of(reopen(server, match, upto=versions[len(versions) // 2]))
        server.close()
    bare, opening = parts.pop("copy"), median(openings)
    by_turn = turn_by_turn(spent)
    return {
        "scenario": scenario,
        "turns": len(by_turn),
        "exchanges": len(versions),
        "events": record.version,
        "replay_against_floor": against_floor,
        "replay_against_opening": round(replay / opening, 1),
        "last_third_against_first": {
            "turn": flatness([turn.bots + turn.server for turn in by_turn]),
            "turn_without_bots": flatness([turn.server for turn in by_turn]),
            "opening": flatness(openings),
        },
        "against_a_copy_of_the_state": {
            name: round(cost / bare, 1)
            for name, cost in {
                "turn": median(turn.bots + turn.server for turn in by_turn),
                "turn_without_bots": median(turn.server for turn in by_turn),
                "replay": replay,
                "opening": opening,
                **parts,
            }.items()
        },
        "milliseconds": {
            "copy_of_the_state": ms(bare),
            "replay": ms(replay),
            "opening": ms(opening),
            "slowest_opening": ms(max(openings)),
        },
        "milliseconds_by_turn": {
            f"{turn.number}": f"bots {ms(turn.bots):.0f}, server {ms(turn.server):.0f}" for turn in by_turn
        },
        "profile": sampled.shares(),
    }


def same_every_time() -> Callable[[str], bytes]:
    """A source of fixed bytes instead of random ones, so that every benchmark plays the same match."""
    numbers = count()
    return lambda label: hashlib.sha256(f"{label}/{next(numbers)}".encode()).digest()


def ms(seconds: float) -> float:
    return round(seconds * 1000, 2)


# The match ---------------------------------------------------------------------------------------------------


class Spent(NamedTuple):
    """The cost of one turn, or part of it: its bots, and everything else."""

    number: int
    bots: float
    server: float


def play_on(server: Server, match: str, progress: Progress, turns: int) -> Iterator[Spent]:
    """Play exchange by exchange: bots decide, and their orders are checked and sealed, closed and resolved."""
    position = load(server, match)
    bots = {seat: own_bot(position.rules)(seat) for seat in position.rules.seats}
    while position.run.asks and not (turns and position.run.state.turn > turns):
        number = position.run.state.turn
        progress(f"turn {number}, {len(position.record.resolved)} exchanges")
        begun = process_time()
        said = {ask.seat: decide(bots[ask.seat], position, ask) for ask in position.run.asks}
        deciding = process_time() - begun
        exchange = position.record.open_exchange
        for seat, submission in said.items():
            sealing.seal(server, match, seat, exchange, submission, final=True)
        advancing.close_if_final(server, match)
        resolving.resolve(server, match)
        position = load(server, match)
        yield Spent(number, deciding, process_time() - begun - deciding)


def decide(bot: Bot, position: Position, ask: Ask) -> Submission:
    return bot(position.rules, position.run.view(ask.seat), ask)


def turn_by_turn(spent: Sequence[Spent]) -> list[Spent]:
    """Add up the costs of the exchanges of each turn."""
    numbers = dict.fromkeys(one.number for one in spent)
    groups = [[one for one in spent if one.number == number] for number in numbers]
    return [
        Spent(group[0].number, sum(one.bots for one in group), sum(one.server for one in group)) for group in groups
    ]


def flatness(costs: Sequence[float]) -> float:
    """The mean cost in the last third of a match relative to its first third: 1 means no growth."""
    third = max(1, len(costs) // 3)
    return round(fmean(costs[-third:]) / fmean(costs[:third]), 2)


# Its parts ---------------------------------------------------------------------------------------------------


def reopen(server: Server, match: str, *, upto: int | None = None, snapshots: bool = True) -> Position:
    """The position as loaded by a process that has not opened the match before."""
    server.forget()
    return load(server, match, upto=upto, snapshots=snapshots)


def once(call: Callable[[], object]) -> float:
    begun = process_time()
    call()
    return process_time() - begun


def best(call: Callable[[], object], rounds: int = ROUNDS) -> float:
    return min(once(call) for _ in range(rounds))


def parts_of(position: Position) -> dict[str, float]:
    """The costs of a seat's orders: its view, its form, and reading and checking all of its orders or just one."""
    run, rules = position.run, position.rules
    ask = run.asks[0]
    view = run.view(ask.seat)
    found = {
        "copy": best(lambda: copy(run.state)),
        "view": best(lambda: run.view(ask.seat)),
        "mail_form": best(lambda: rules.form(view, ask), 5),
    }
    lines = orders_of(position, ask)
    if lines:
        found["all_orders_checked"] = best(lambda: rules.read(view, ask, "\n".join(lines)), 5)
        alone = [line for line in lines if is_accepted(position, ask, line)]
        found["one_order_checked"] = median(best(lambda line=line: rules.read(view, ask, line), 3) for line in alone)  # type: ignore[misc]
    return found


def orders_of(position: Position, ask: Ask) -> list[str]:
    """A bot's answer to an ask, as a player's order lines; empty if the title cannot restate answers."""
    said = decide(own_bot(position.rules)(ask.seat), position, ask)
    text = position.rules.restate(ask, said)
    return [line for line in text.splitlines() if line.strip() and is_accepted(position, ask, line)]


def is_accepted(position: Position, ask: Ask, line: str) -> bool:
    """Whether a line can be sent on its own."""
    try:
        position.rules.read(position.run.view(ask.seat), ask, line)
    except Refusal:
        return False
    return True


# Where the time goes -----------------------------------------------------------------------------------------


class Sampled:
    """Samples the running code after every few milliseconds of work; the overhead is negligible."""

    def __init__(self) -> None:
        self.looks = 0
        self.own: Counter[str] = Counter()
        self.total: Counter[str] = Counter()
        self.modules: Counter[str] = Counter()

    def __enter__(self) -> Sampled:
        self.before = signal.signal(signal.SIGPROF, self.look)
        signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        # A signal already on its way would end the process if it were not ignored.
        signal.signal(signal.SIGPROF, signal.SIG_IGN if self.before == signal.SIG_DFL else self.before)

    def look(self, number: int, frame: FrameType | None) -> None:
        if frame is None:
            return
        self.looks += 1
        self.own[name_of(frame)] += 1
        self.modules[module_of(frame)] += 1
        within: set[str] = set()
        while frame is not None:
            within.add(name_of(frame))
            frame = frame.f_back
        self.total.update(within)

    def shares(self) -> dict[str, Any]:
        """The share of time in percent for each module, and for each function together with its callees."""
        looks = max(1, self.looks)

        def share(looked: int) -> float:
            return round(100 * looked / looks, 1)

        return {
            "looks": self.looks,
            "modules": {name: share(looked) for name, looked in self.modules.most_common(SHOWN)},
            "functions": {
                name: f"{share(looked)}, with all that it calls {share(self.total[name])}"
                for name, looked in self.own.most_common(SHOWN)
            },
        }


def module_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "?"))


def name_of(frame: FrameType) -> str:
    return f"{module_of(frame)}.{frame.f_code.co_qualname}"
