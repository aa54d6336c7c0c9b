"""Measure how even TANKS is: countries against each other at equal points, and sealed forms against being asked.

    python tests/titles/tanks/balance.py countries --matches 168
    python tests/titles/tanks/balance.py forms --matches 400 --seed strength

`countries` plays the given number of matches for each pair. The platoons are bought at random up to the limit of the
scenario, and each meeting is played twice, with the seats swapped. In `forms` one seat seals one form for each phase
and leaves everything else to the default standing orders; the other decides at every window, and about every move and
every shot in its turn. Bots and seeds are fixed, so a second run gives the same numbers. With `--log` every match is
kept, and a run continues from its last match.

All matches are also checked as in a soak: no exception, no violated invariant, no endless match; the decisions and
rules that occurred are listed at the end.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from pbem.engine.play.bots import Choice
from pbem.titles.tanks.data_set import SEATS, Platoon, data_set, freeze
from pbem.titles.tanks.setup.platoon import answer_of, buy_platoon
from pbem.titles.tanks.title import Tanks, TanksRules
from pbem.tools.simulate import Played, asked_of, play, wilson

SCENARIO = "village"
HEAD = ("| {} | matches | won | drawn | lost | share of the first | 95 % |", "|---|---|---|---|---|---|---|")


class Entry(msgspec.Struct):
    """One match: its pair, the points of the first platoon and of alpha, and the results of the soak checks."""

    name: str
    group: str
    first: float
    alpha: float
    turns: int
    waits: list[int]
    asks: dict[str, int]
    rules: list[str]


def entry(name: str, group: str, played: Played, first: str) -> Entry:
    """Record a match without problems; `first` is the seat whose share is measured."""
    assert played.ended and not played.flaws, (name, played.flaws)

    def points(seat: str) -> float:
        return 0.5 if played.winner is None else float(played.winner == seat)

    return Entry(name, group, points(first), points(SEATS[0]), played.turns, played.waits, played.asks, played.rules)


# Countries ---------------------------------------------------------------------------------------------------


class Meeting(Tanks):
    """The title with the platoons of one meeting instead of the scenario's."""

    def __init__(self, platoons: Mapping[str, Platoon]) -> None:
        super().__init__()
        self.platoons = [{"seat": seat, **answer_of(platoon)} for seat, platoon in platoons.items()]

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        fixed = {"choose": False, "platoon": self.platoons}
        return {**super().freeze(scenario, options), "options": msgspec.json.encode(fixed)}


def countries(matches: int, seed: str, done: set[str]) -> Iterator[Entry]:
    """Play all pairs, round after round."""
    data = data_set(freeze(SCENARIO, {}))
    for number in range(matches):
        for pair in combinations(data.countries, 2):
            name = f"{seed}/{pair[0]}/{pair[1]}/{number}"
            if name not in done:
                yield meeting(pair, number, seed, name)


def meeting(pair: tuple[str, str], number: int, seed: str, name: str) -> Entry:
    """Set up a meeting; every second match repeats the previous one with the seats swapped."""
    data = data_set(freeze(SCENARIO, {}))
    own = {country: buy_platoon(data, country, Choice(seed, country, number // 2)) for country in pair}
    seated = dict(zip(SEATS, pair if number % 2 == 0 else pair[::-1], strict=True))
    title = Meeting({seat: own[country] for seat, country in seated.items()})
    played = play(title, SCENARIO, f"{seed}/{pair}/{number // 2}")
    return entry(name, f"{pair[0]} – {pair[1]}", played, SEATS[number % 2])


# Forms -------------------------------------------------------------------------------------------------------


def forms(matches: int, seed: str, done: set[str]) -> Iterator[Entry]:
    """Play one scenario after another, each match twice with the seats swapped; `first` sends forms."""
    title = Tanks()
    for number in range(matches):
        scenario, asked = title.scenarios[number // 2 % len(title.scenarios)], SEATS[number % 2]
        name = f"{seed}/{scenario}/{number}"
        if name not in done:
            played = play(title, scenario, f"{seed}/{number // 2}", waits_for=asked_of(asked))
            yield entry(name, scenario, played, SEATS[1 - number % 2])


# Tables ------------------------------------------------------------------------------------------------------


def row(name: str, points: list[float]) -> str:
    counts = [str(points.count(value)) for value in (1, 0.5, 0)]
    low, high = wilson(sum(points), len(points))
    share, interval = f"{100 * sum(points) / len(points):.0f} %", f"{100 * low:.0f} to {100 * high:.0f} %"
    return f"| {' | '.join([name, str(len(points)), *counts, share, interval])} |"


def table(what: str, entries: list[Entry]) -> Iterator[str]:
    """Print each group, then all of them together, then the seats."""
    yield HEAD[0].format(what)
    yield HEAD[1]
    for group in dict.fromkeys(entry.group for entry in sorted(entries, key=lambda entry: entry.group)):
        yield row(group, [entry.first for entry in entries if entry.group == group])
    if what == "forms":
        yield row("all", [entry.first for entry in entries])
    yield row(f"{SEATS[0]} – {SEATS[1]}", [entry.alpha for entry in entries])


def seen(entries: list[Entry]) -> Iterator[str]:
    """Summarise the soak: the kinds of asks and the rules that did not occur."""
    asks = sum((Counter(entry.asks) for entry in entries), Counter[str]())
    text = resources.files("pbem.titles.tanks").joinpath("ledger.csv").read_text("utf-8")
    wanted = {row["id"] for row in csv.DictReader(text.splitlines()) if row["reason"] != "refusal only"}
    missing = wanted - {rule for entry in entries for rule in entry.rules}
    yield f"{len(entries)} matches; asks: {dict(sorted(asks.items()))}"
    yield f"asks that did not occur: {sorted(set(TanksRules.kinds) - set(asks)) or 'none'}"
    yield f"rules that did not occur: {sorted(missing) or 'none'} of {len(wanted)}"


MEASURES = {"countries": countries, "forms": forms}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=list(MEASURES))
    parser.add_argument("--matches", type=int, default=168)
    parser.add_argument("--minutes", type=float, default=0, help="start no new match after this many minutes")
    parser.add_argument("--seed", default="balance")
    parser.add_argument("--log", type=Path, help="keep every match here, and go on from there")
    args = parser.parse_args()
    begun, entries = time.monotonic(), list[Entry]()
    if args.log and args.log.exists():
        entries = [msgspec.json.decode(line, type=Entry) for line in args.log.read_bytes().splitlines()]
    for found in MEASURES[args.what](args.matches, args.seed, {entry.name for entry in entries}):
        entries.append(found)
        if args.log:
            with args.log.open("ab") as log:
                log.write(msgspec.json.encode(found) + b"\n")
        if args.minutes and time.monotonic() - begun > 60 * args.minutes:
            break
    for line in (*table(args.what, entries), *seen(entries)):
        print(line)


if __name__ == "__main__":
    main()
