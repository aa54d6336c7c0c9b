"""Read stored events as their classes, whatever release stored them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TypeVar

import msgspec

from eventstore import Event, Events
from pbem.matches.events.base import CATALOGUE, StoredEvent
from pbem.matches.history.upcasters import UPCASTERS

E = TypeVar("E", bound=StoredEvent)


def read(stored: Event) -> StoredEvent:
    """Return a stored event of any release as its class; raise ValueError if it is not one."""
    lifted = UPCASTERS.lift(stored)
    kind = CATALOGUE.get(lifted.type)
    if kind is None:
        raise ValueError(f"{lifted.type} is not an event of this server")
    return _convert(lifted, kind)


def content_as(stored: Event, kind: type[E]) -> E:
    """Return an event's content as this class or a subclass."""
    found = read(stored)
    if not isinstance(found, kind):
        raise ValueError(f"{stored.type} is not a {kind.__name__}")
    return found


def period_of(resolved: Event) -> str:
    """Return a result's period from its stored form, because decoding all results would cost ever more."""
    return str(resolved.payload.get("period", resolved.payload["turn"]))


def each(events: Iterable[Event], *kinds: type[E], newest_first: bool = False) -> Iterator[tuple[Event, E]]:
    """Yield the events of these kinds in order, or from the newest back, each with its content."""
    wanted = _words(kinds)
    if isinstance(events, Events):
        events = events.of(wanted, newest_first=newest_first)
    elif newest_first:
        events = reversed([*events])
    for event in events:
        if event.type in wanted:
            yield event, _convert(UPCASTERS.lift(event), wanted[event.type])


def last(events: Iterable[Event], *kinds: type[E]) -> tuple[Event, E] | None:
    """Return the newest event of these kinds with its content; None if there is none."""
    return next(each(events, *kinds, newest_first=True), None)


@cache
def _words(kinds: tuple[type[E], ...]) -> dict[str, type[E]]:
    """The event types of these classes and their subclasses."""
    return {word: kind for word, kind in CATALOGUE.items() if issubclass(kind, kinds)}


def _convert(lifted: Event, kind: type[E]) -> E:
    try:
        return msgspec.convert(lifted.payload, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"{lifted.type}: {error}") from error
