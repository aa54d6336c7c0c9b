"""Append to a match: one version that is expected, and another try if somebody was faster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from eventstore import Conflict, Event, NewEvent, NewPart, canonical
from pbem.matches.history.record import Record
from pbem.matches.server import Server

T = TypeVar("T")


def part(server: Server, match: str, version: int, name: str, audience: str, content: object) -> NewPart:
    """Content that not everyone may see; its salt is drawn for it alone."""
    salt = server.entropy(f"{match}/{version}/{name}/{audience}")
    return NewPart(name=name, audience=audience, content=canonical(content), salt=salt)


def retry(act: Callable[[], T]) -> T:
    """Try again on what is there now, as long as others come first."""
    while True:
        try:
            return act()
        except Conflict:
            continue


def append(server: Server, record: Record, events: Sequence[NewEvent], label: str) -> list[Event]:
    return server.store.append(record.stream, events, expected=record.version, label=label)
