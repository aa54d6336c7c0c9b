"""Glicko-2: one rating period, from whole numbers to whole numbers.

Ratings and deviations are published as whole points, volatility in millionths. The next period starts from the
published numbers, so a list can be recomputed years later with the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt

import msgspec

SCALE = 173.7178
TAU = 0.5
START, START_DEVIATION, START_VOLATILITY = 1500, 350, 60_000
SMALLEST_DEVIATION, PROVISIONAL = 45, 110
EPSILON = 1e-9


class Rating(msgspec.Struct, frozen=True):
    """A published rating. `volatility` is in millionths."""

    rating: int = START
    deviation: int = START_DEVIATION
    volatility: int = START_VOLATILITY

    @property
    def provisional(self) -> bool:
        """Whether too little is known about this player for the rating to be reliable."""
        return self.deviation > PROVISIONAL


class Encounter(msgspec.Struct, frozen=True):
    """One result against a rated opponent: `score` is 0 for a loss, 1 for a draw and 2 for a win."""

    opponent: Rating
    score: int


def rate(player: Rating, encounters: Sequence[Encounter]) -> Rating:
    """Return a player's rating after a period; without encounters only the deviation grows."""
    mu, phi, sigma = (player.rating - 1500) / SCALE, player.deviation / SCALE, player.volatility / 1e6
    if not encounters:
        return _publish(mu, sqrt(phi * phi + sigma * sigma), sigma)
    variance, surprise = _sums(mu, encounters)
    delta = variance * surprise
    sigma = _volatility(phi, sigma, variance, delta)
    star = phi * phi + sigma * sigma
    phi = 1 / sqrt(1 / star + 1 / variance)
    return _publish(mu + phi * phi * surprise, phi, sigma)


def _publish(mu: float, phi: float, sigma: float) -> Rating:
    deviation = min(START_DEVIATION, max(SMALLEST_DEVIATION, round(phi * SCALE)))
    return Rating(round(mu * SCALE) + 1500, deviation, round(sigma * 1e6))


def _weight(opponent: Rating) -> float:
    phi = opponent.deviation / SCALE
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def expected_score(mu: float, opponent: Rating) -> float:
    """Return the share of points expected against an opponent."""
    return 1 / (1 + exp(-_weight(opponent) * (mu - (opponent.rating - 1500) / SCALE)))


def _sums(mu: float, encounters: Sequence[Encounter]) -> tuple[float, float]:
    """Return the variance of the estimate, and the weighted sum of actual minus expected scores."""
    information = surprise = 0.0
    for encounter in encounters:
        weight, share = _weight(encounter.opponent), expected_score(mu, encounter.opponent)
        information += weight * weight * share * (1 - share)
        surprise += weight * (encounter.score / 2 - share)
    return 1 / information, surprise


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Find the new volatility by the Illinois variant of false position."""
    start = log(sigma * sigma)

    def slope(x: float) -> float:
        power = exp(x)
        spread = phi * phi + variance + power
        return power * (delta * delta - spread) / (2 * spread * spread) - (x - start) / (TAU * TAU)

    low, high = start, log(delta * delta - phi * phi - variance) if delta * delta > phi * phi + variance else None
    if high is None:
        step = 1
        while slope(start - step * TAU) < 0:
            step += 1
        high = start - step * TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > EPSILON:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
