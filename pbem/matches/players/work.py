"""How much work a message costs its reader: counted where the work is done, and limited.

    with work.count_work() as spent:        # one mail
        ...
        work.spend(characters=len(text))

Each step of reading has its own limits; this is the sum over all, whatever path a message takes. It is counted and
not timed, so that a busy machine refuses nothing that an idle one reads. Outside of `count_work` nothing is limited.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import msgspec


class Work(msgspec.Struct):
    """Bytes parsed as an email, characters searched for new text, and lines read as orders or requests."""

    bytes: int = 0
    characters: int = 0
    lines: int = 0

    def add(self, other: Work) -> None:
        self.bytes += other.bytes
        self.characters += other.characters
        self.lines += other.lines


MOST = Work(bytes=3 * 1024 * 1024, characters=6_000_000, lines=10_000)
"""For one message: each of the limits that it passes on its way is a part of these."""

_active: ContextVar[tuple[Work, ...]] = ContextVar("work", default=())


class Overspent(ValueError):
    """A message costs more than any honest one."""


@contextmanager
def count_work() -> Iterator[Work]:
    """Count the work inside; a counter around this one counts it too."""
    spent = Work()
    token = _active.set((*_active.get(), spent))
    try:
        yield spent
    finally:
        _active.reset(token)


def spend(*, bytes: int = 0, characters: int = 0, lines: int = 0) -> None:
    """Note work before it is done; the innermost counter is limited, each kind of work by itself."""
    active = _active.get()
    now = Work(bytes, characters, lines)
    for spent in active:
        spent.add(now)
    if active and any(_is_over(kind, active[-1], now) for kind in Work.__struct_fields__):
        raise Overspent("reading it takes more work than any orders need")


def _is_over(kind: str, spent: Work, now: Work) -> bool:
    return bool(getattr(now, kind) and getattr(spent, kind) > getattr(MOST, kind))
