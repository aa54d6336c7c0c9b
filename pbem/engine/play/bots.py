"""Bots play like people: from a seat's view, never from the state, with throw-away chance."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Rules, Submission

T = TypeVar("T")

Bot: TypeAlias = Callable[[Rules, Any, Ask], Submission]


class Choice:
    """A stream of choices from a seed, the same on every machine."""

    def __init__(self, *seed: object) -> None:
        self._seed = "|".join(map(str, seed)).encode()
        self._count = 0

    def below(self, limit: int) -> int:
        self._count += 1
        value = hashlib.sha256(self._seed + self._count.to_bytes(4, "big")).digest()
        return int.from_bytes(value[:8], "big") % limit

    def one_of(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]


def random_bot(seed: object, most: int = 200) -> Bot:
    """Any legal answer, each as likely as the next (among the first so many)."""

    def answer(rules: Rules, view: Any, ask: Ask) -> Submission:
        choice = Choice(seed, ask.seat, ask.kind, ask.subject, ask.about)
        options = [option for option, _ in zip(rules.options(view, ask), range(most), strict=False)]
        return Submission(choice.one_of(options) if options else ask.default)

    return answer
