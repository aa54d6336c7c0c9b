"""Dice that anyone can check: named rolls from the rungs of two ladders.

A ladder s₀ ← s₁ ← … is made from its top: each rung is the SHA-256 of the next. s₀ is published at the start, s_k
when exchange k is resolved; with s_k one can compute down to s₀, but never up. A roll is named, not numbered: by
rule, subjects, and its ordinal among the rolls of that name in the exchange.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

import msgspec

_RANGE = 1 << 64


class Roll(msgspec.Struct, frozen=True):
    """One roll with its name; a verifier needs no rules to check it."""

    rule: str
    subjects: tuple[str, ...]
    ordinal: int
    sides: int
    result: int


STRIDE = 128
"""The number of steps between rungs that are kept on the way down, for the next descent from the same top."""


@lru_cache(maxsize=4096)
def step_down(rung: bytes, steps: int) -> bytes:
    """The rung this many steps below."""
    if steps > STRIDE:
        rest = (steps - 1) % STRIDE + 1
        rung, steps = step_down(rung, steps - rest), rest
    for _ in range(steps):
        rung = hashlib.sha256(rung).digest()
    return rung


def context(match: str, exchange: int, commitments: Iterable[tuple[str, str | None]], beacon: str = "") -> str:
    """Return c_k, the hash of match, exchange, the answers' commitments in seat order, and any beacon value.

    It contains nothing that the server could choose later: no clock, no order of events.
    """
    body = msgspec.json.encode([match, exchange, sorted(commitments, key=lambda item: item[0]), beacon])
    return hashlib.sha256(body).hexdigest()


def die(rung: bytes, context: str, rule: str, subjects: Sequence[str], ordinal: int, sides: int) -> int:
    """One unbiased die with this many sides; values past the last whole multiple of the sides are drawn again."""
    attempt = 0
    while True:
        name = msgspec.json.encode([context, rule, list(subjects), ordinal, attempt])
        value = int.from_bytes(hmac.digest(rung, name, "sha256")[:8], "big")
        if value < _RANGE - _RANGE % sides:
            return value % sides + 1
        attempt += 1


class Chance(Protocol):
    """The source of a table's rolls."""

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int: ...


class Dice:
    """The dice of one exchange. Secret rolls come from the second ladder, published at the end."""

    def __init__(
        self,
        open_rung: bytes,
        secret_rung: bytes,
        context: str,
        ordinals: Mapping[str, int] | None = None,
    ) -> None:
        self._rungs = {False: open_rung, True: secret_rung}
        self._context = context
        self.ordinals: dict[str, int] = dict(ordinals or {})
        self.rolls: list[Roll] = []
        self.secret_rolls: list[Roll] = []

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        name = msgspec.json.encode([secret, rule, subjects]).decode()
        ordinal = self.ordinals.get(name, 0)
        self.ordinals[name] = ordinal + 1
        result = die(self._rungs[secret], self._context, rule, subjects, ordinal, sides)
        rolls = self.secret_rolls if secret else self.rolls
        rolls.append(Roll(rule, subjects, ordinal, sides, result))
        return result


def wrong_roll(rolls: Iterable[Roll], rung: bytes, context: str) -> Roll | None:
    """The first roll that does not match this rung, or that skips an ordinal. No rules are needed."""
    ordinals: dict[tuple[str, ...], int] = {}
    for roll in rolls:
        name = (roll.rule, *roll.subjects)
        due = ordinals.get(name, 0)
        if roll.ordinal != due or die(rung, context, roll.rule, roll.subjects, due, roll.sides) != roll.result:
            return roll
        ordinals[name] = due + 1
    return None
