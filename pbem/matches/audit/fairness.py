"""Are the dice fair? Counts, means and chi-squares of a match's rolls, each with the bounds that fair dice keep to.

Fair dice fall outside the 95% bounds one time in twenty: one such figure proves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import erfc, exp, gamma, sqrt
from statistics import NormalDist
from typing import Any

import msgspec

from pbem.engine.play.dice import Roll
from pbem.matches.history.record import Record
from pbem.matches.history.replay import rolls_of
from pbem.matches.server import Server

CONFIDENCE = 0.95
ENOUGH = 5
"""The least number of expected rolls in each class for a chi-square."""


class ChiSquare(msgspec.Struct, frozen=True):
    """How unevenly the results fall into classes of equal width, with the bounds for fair dice."""

    classes: int
    value: float
    low: float
    high: float
    probability: float
    """The probability that fair dice fall at least this unevenly."""


class Tally(msgspec.Struct, frozen=True):
    """All rolls of dice with the same number of sides. `counts` are by result, from 1."""

    sides: int
    counts: list[int]
    mean: float
    expected: float
    low: float
    high: float
    chi_square: ChiSquare | None

    @property
    def rolls(self) -> int:
        return sum(self.counts)

    @property
    def fair(self) -> bool:
        """Whether every figure is within its bounds."""
        found = self.chi_square
        return self.low <= self.mean <= self.high and (found is None or found.low <= found.value <= found.high)


def rolls_of_match(server: Server, record: Record) -> list[Roll]:
    """All public rolls and, once the match is over, all secret rolls too."""
    found: list[Roll] = []
    for entry in record.resolved:
        found += rolls_of(server, entry)
        if record.opened is not None:
            found += rolls_of(server, entry, secret=True)
    return found


class Luck(msgspec.Struct, frozen=True):
    """How high the rolls for one seat's units came out, from 0 (all lowest) to 1 (all highest); 0.5 is expected."""

    owner: str
    rolls: int
    height: float
    low: float
    high: float


def luck(rolls: Iterable[Roll], owners: Mapping[str, str]) -> list[Luck]:
    """The luck of each seat or side; a roll belongs to the owner of its first subject. High is not always good."""
    heights: dict[str, list[float]] = {}
    for roll in rolls:
        owner = next((owners[subject] for subject in roll.subjects if subject in owners), "")
        if owner and roll.sides > 1:
            heights.setdefault(owner, []).append((roll.result - 1) / (roll.sides - 1))
    edge = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    found = []
    for owner, values in sorted(heights.items()):
        margin = edge * sqrt(7 / 60 / len(values))  # the variance of a d6; that of larger dice is smaller
        found.append(Luck(owner, len(values), sum(values) / len(values), 0.5 - margin, 0.5 + margin))
    return found


def owners_in(view: Any) -> dict[str, str]:
    """Return the seat or side that owns each named thing that a viewer may see."""
    plain = msgspec.to_builtins(view)
    found: dict[str, str] = {}
    for group in plain.values() if isinstance(plain, dict) else ():
        for name, one in group.items() if isinstance(group, dict) else ():
            owner = next((one[key] for key in ("seat", "side") if isinstance(one, dict) and key in one), None)
            if isinstance(owner, str):
                found[str(name)] = owner
                found.setdefault(owner, owner)
    return found


def tallies(rolls: Iterable[Roll]) -> list[Tally]:
    """One tally for each kind of die, larger dice first."""
    results: dict[int, Counter[int]] = {}
    for roll in rolls:
        results.setdefault(roll.sides, Counter())[roll.result] += 1
    return tallies_of(results)


def tallies_of(results: Mapping[int, Counter[int]]) -> list[Tally]:
    """One tally for each kind of die whose results are given, larger dice first."""
    return [tally(sides, results[sides]) for sides in sorted(results, reverse=True)]


def by_rule(rolls: Iterable[Roll]) -> dict[tuple[str, int], tuple[int, float]]:
    """How often each rule has rolled each kind of die, and the mean result."""
    results: dict[tuple[str, int], list[int]] = {}
    for roll in rolls:
        results.setdefault((roll.rule, roll.sides), []).append(roll.result)
    return {place: (len(found), sum(found) / len(found)) for place, found in sorted(results.items())}


def tally(sides: int, results: Counter[int]) -> Tally:
    counts = [results[face] for face in range(1, sides + 1)]
    rolls, expected = sum(counts), (sides + 1) / 2
    margin = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * sqrt((sides * sides - 1) / 12 / rolls)
    return Tally(
        sides=sides,
        counts=counts,
        mean=sum(face * count for face, count in enumerate(counts, start=1)) / rolls,
        expected=expected,
        low=expected - margin,
        high=expected + margin,
        chi_square=chi_square(counts),
    )


def chi_square(counts: list[int]) -> ChiSquare | None:
    """The chi-square over as many classes as the rolls allow; None if there are too few rolls for two classes."""
    rolls, sides = sum(counts), len(counts)
    classes = max((n for n in range(2, sides + 1) if sides % n == 0 and rolls >= ENOUGH * n), default=0)
    if not classes:
        return None
    width, expected = sides // classes, rolls / classes
    found = [sum(counts[start : start + width]) for start in range(0, sides, width)]
    value = sum((count - expected) ** 2 for count in found) / expected
    tail = (1 - CONFIDENCE) / 2
    return ChiSquare(
        classes=classes,
        value=value,
        low=quantile(1 - tail, classes - 1),
        high=quantile(tail, classes - 1),
        probability=survival(value, classes - 1),
    )


def survival(value: float, freedom: int) -> float:
    """The probability of a chi-square above a value, a finite sum for whole degrees of freedom."""
    half = value / 2
    if freedom % 2 == 0:
        term = total = 1.0
        for k in range(1, freedom // 2):
            term *= half / k
            total += term
        return exp(-half) * total
    steps = [sqrt(half) * half ** (k - 1) / gamma(k + 0.5) for k in range(1, (freedom - 1) // 2 + 1)]
    return erfc(sqrt(half)) + exp(-half) * sum(steps)


def quantile(probability: float, freedom: int) -> float:
    """The value above which a chi-square lies with this probability."""
    low, high = 0.0, 10.0 * freedom + 50
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if survival(middle, freedom) > probability else (low, middle)
    return (low + high) / 2
