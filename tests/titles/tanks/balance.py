"""How even TANKS is: countries against each other at equal points, and sealed forms against being asked.

    python tests/titles/tanks/balance.py countries --matches 168
    python tests/titles/tanks/balance.py forms --matches 400 --seed strength

`countries` plays so many matches for each pair. The platoons are bought at random up to the limit of the scenario and
each meeting is played twice, with the seats changed. In `forms` one seat seals one form for each phase and leaves
everything else to the stock standing orders; the other is asked at every window, and for every move and every shot
when it is due. Bots and seeds are fixed, so that the same numbers come out again.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

import msgspec

from pbem.engine.bots import Choice
from pbem.simulate import asked_of, play, wilson
from pbem.titles.tanks.data_set import SEATS, Platoon, data_set, freeze
from pbem.titles.tanks.platoon import answer_of, bought
from pbem.titles.tanks.title import Tanks

SCENARIO = "village"


class Meeting(Tanks):
    """The title with the platoons of one meeting in place of those of the scenario."""

    def __init__(self, platoons: Mapping[str, Platoon]) -> None:
        super().__init__()
        self.platoons = [{"seat": seat, **answer_of(platoon)} for seat, platoon in platoons.items()]

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        fixed = {"choose": False, "platoon": self.platoons}
        return {**super().freeze(scenario, options), "options": msgspec.json.encode(fixed)}


def countries(matches: int, minutes: float, seed: str) -> Iterator[str]:
    """A table of all pairs: the share of the first, draws as halves, with its 95 % interval; then the seats."""
    data = data_set(freeze(SCENARIO, {}))
    pairs = list(combinations(data.countries, 2))
    points: dict[tuple[str, str], list[float]] = {pair: [] for pair in pairs}
    seats: list[float] = []
    begun = time.monotonic()
    for number in range(matches):
        if minutes and time.monotonic() - begun > 60 * minutes:
            break
        for pair in pairs:
            first, alpha = meeting(pair, number, seed)
            points[pair].append(first)
            seats.append(alpha)
    yield "| pair | matches | won | drawn | lost | share of the first | 95 % |"
    yield "|---|---|---|---|---|---|---|"
    for pair, found in points.items():
        yield f"| {pair[0]} – {pair[1]} | {row(found)} |"
    yield f"| {SEATS[0]} – {SEATS[1]} | {row(seats)} |"


def meeting(pair: tuple[str, str], number: int, seed: str) -> tuple[float, float]:
    """What the first of a pair gets, and what alpha gets: 1, a half or 0. Every second match repeats the one before
    with changed seats."""
    data = data_set(freeze(SCENARIO, {}))
    own = {country: bought(data, country, Choice(seed, country, number // 2)) for country in pair}
    seated = dict(zip(SEATS, pair if number % 2 == 0 else pair[::-1], strict=True))
    title = Meeting({seat: own[country] for seat, country in seated.items()})
    played = play(title, SCENARIO, f"{seed}/{pair}/{number // 2}")
    assert not played.flaws, played.flaws
    if played.winner is None:
        return 0.5, 0.5
    return float(seated[played.winner] == pair[0]), float(played.winner == SEATS[0])


def row(points: list[float]) -> str:
    counts = [str(points.count(value)) for value in (1, 0.5, 0)]
    low, high = wilson(sum(points), len(points))
    share = f"{100 * sum(points) / len(points):.0f} %"
    return " | ".join([str(len(points)), *counts, share, f"{100 * low:.0f} to {100 * high:.0f} %"])


# Forms -------------------------------------------------------------------------------------------------------


def forms(matches: int, minutes: float, seed: str) -> Iterator[str]:
    """The share of the seat with forms, scenario by scenario; each match is repeated with the seats changed."""
    title, begun = Tanks(), time.monotonic()
    points: dict[str, list[float]] = {scenario: [] for scenario in title.scenarios}
    for number in range(matches):
        if minutes and time.monotonic() - begun > 60 * minutes:
            break
        scenario, asked = title.scenarios[number // 2 % len(title.scenarios)], SEATS[number % 2]
        played = play(title, scenario, f"{seed}/{number // 2}", waits_for=asked_of(asked))
        points[scenario].append(0.5 if played.winner is None else float(played.winner != asked))
    yield "| scenario | matches | won | drawn | lost | share of the forms | 95 % |"
    yield "|---|---|---|---|---|---|---|"
    for scenario, found in points.items():
        if found:
            yield f"| {scenario} | {row(found)} |"
    yield f"| all | {row([each for found in points.values() for each in found])} |"


MEASURES: Mapping[str, Callable[[int, float, str], Iterator[str]]] = {"countries": countries, "forms": forms}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=list(MEASURES))
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=0, help="begin no round after so many minutes")
    parser.add_argument("--seed", default="balance")
    args = parser.parse_args()
    for line in MEASURES[args.what](args.matches, args.minutes, args.seed):
        print(line)


if __name__ == "__main__":
    main()
