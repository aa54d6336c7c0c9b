"""The work of reading a message: counted where it is done, and limited.

    with work.count_work() as spent:        # one mail
        ...
        work.spend(characters=len(text))

Each step of reading has its own limits; this is the sum over all, whatever path a message takes. Work is counted, not
timed, so that a busy machine does not refuse what an idle one would read. Outside of `count_work` nothing is limited.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import msgspec

from pbem.engine.text.messages import say


class Work(msgspec.Struct):
    """The cost of a message: bytes parsed, characters searched for new text, and lines read as orders or requests."""

    bytes: int = 0
    characters: int = 0
    lines: int = 0

    def add(self, other: Work) -> None:
        self.bytes += other.bytes
        self.characters += other.characters
        self.lines += other.lines


MOST = Work(bytes=3 * 1024 * 1024, characters=6_000_000, lines=10_000)
"""The limits for one message; every other limit that applies to it along the way is within these."""

_active: ContextVar[tuple[Work, ...]] = ContextVar("work", default=())


OVERSPENT = say("this text is too complicated to be read as orders")


class Overspent(ValueError):
    """The message costs more work than any legitimate one."""


@contextmanager
def count_work() -> Iterator[Work]:
    """Count the work done inside this context; enclosing counters count it too."""
    spent = Work()
    token = _active.set((*_active.get(), spent))
    try:
        yield spent
    finally:
        _active.reset(token)


def spend(*, bytes: int = 0, characters: int = 0, lines: int = 0) -> None:
    """Record work before it is done; the limit applies to the innermost counter, for each kind of work separately."""
    active = _active.get()
    now = Work(bytes, characters, lines)
    for spent in active:
        spent.add(now)
    if active and any(_is_over(kind, active[-1], now) for kind in Work.__struct_fields__):
        raise Overspent(str(OVERSPENT))


def _is_over(kind: str, spent: Work, now: Work) -> bool:
    return bool(getattr(now, kind) and getattr(spent, kind) > getattr(MOST, kind))
