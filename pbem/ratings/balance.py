"""The balance of a scenario: wins by side with a 95% Wilson interval, in whole thousandths.

A result between players of very different strength says little about the scenario, so its weight is lower: four times
the product of both players' expected shares. Handicapped matches are counted separately. Fewer than twenty results
are too few for a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from pbem.engine.rules.balance import wilson
from pbem.ratings.glicko import SCALE, Rating, expected_score

FEWEST = 20


class Played(msgspec.Struct, frozen=True):
    """One result of a scenario: `score` is the first side's, from 0 to 2."""

    score: int
    first: Rating = Rating()
    second: Rating = Rating()
    handicap: str = ""


class Balance(msgspec.Struct, frozen=True):
    """How often the first side wins: share and interval in thousandths; a draw counts as half a win."""

    results: int
    share: int
    low: int
    high: int
    weight: int
    """The total weight of all results, in thousandths of a result between equals."""

    @property
    def enough(self) -> bool:
        return self.results >= FEWEST

    def sentence(self, first: str, second: str) -> str:
        """Describe the balance in words."""
        if not self.enough:
            return f"{self.results} {'result' if self.results == 1 else 'results'}: too few to say"
        interval = f"{_percent(self.low)} to {_percent(self.high)}%"
        if self.low > 500:
            verdict = f"favours {first}"
        elif self.high < 500:
            verdict = f"favours {second}"
        else:
            verdict = "no side is clearly favoured"
        return f"{first} scores {_percent(self.share)}% of {self.results} results ({interval}): {verdict}"


def _percent(thousandths: int) -> str:
    return f"{thousandths // 10}.{thousandths % 10}"


def balance(results: Iterable[Played], handicap: str = "") -> Balance:
    """Return the balance over all results played with this handicap (or with none)."""
    own = [played for played in results if played.handicap == handicap]
    weights = [weight(played) for played in own]
    total = sum(weights)
    if not total:
        return Balance(len(own), 500, 0, 1000, 0)
    wins = sum(weight * played.score for weight, played in zip(weights, own, strict=True))
    share = wins * 500 // total
    low, high = wilson(share, total)
    return Balance(len(own), share, low, high, total)


def weight(played: Played) -> int:
    """Return the weight of a result in thousandths: 1000 between equals, less the further apart the players are."""
    share = expected_score((played.first.rating - 1500) / SCALE, played.second)
    return round(4000 * share * (1 - share))


def handicap_for(found: Balance, steps: int) -> int:
    """Suggest a step of the scenario's balance list: one step for each 5% between the interval and the middle."""
    if not found.enough or found.low <= 500 <= found.high:
        return 0
    off = found.low - 500 if found.low > 500 else 500 - found.high
    return min(steps, 1 + off // 50)
