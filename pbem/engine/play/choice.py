"""Seeded choices for bots, samplers and random set-ups, the same on every machine. Dice never use them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choice:
    """A stream of seeded choices."""

    def __init__(self, *seed: object) -> None:
        self._seed = "|".join(map(str, seed)).encode()
        self._count = 0

    def below(self, limit: int) -> int:
        self._count += 1
        value = hashlib.sha256(self._seed + self._count.to_bytes(4, "big")).digest()
        return int.from_bytes(value[:8], "big") % limit

    def one_of(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]
