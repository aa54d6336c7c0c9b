"""Sequences whose newest items are in memory; older ones are read on demand.

A long stream is opened from a checkpoint and the events after it. A caller that needs only new events, or
events of a rare type, pays nothing for the age of the stream; a caller that needs everything gets everything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar, overload

from eventstore.events import Event

T = TypeVar("T")

FEW = 50
"""The most events that are read one by one; if a caller needs more, all events are read."""


class Lazy(Sequence[T]):
    """A sequence: `older` reads the first `before` items on demand; the others are in `recent`, which may grow."""

    def __init__(
        self, recent: Iterable[T] = (), before: int = 0, older: Callable[[], Sequence[T]] | None = None
    ) -> None:
        self.recent = list(recent)
        self.before, self._older = before, older

    def older(self) -> Sequence[T]:
        """The items before the recent ones."""
        return self._older()[: self.before] if self._older is not None and self.before else ()

    def copy(self) -> Lazy[T]:
        return Lazy(self.recent, self.before, self._older)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lazy) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return self.before + len(self.recent)

    def __iter__(self) -> Iterator[T]:
        return chain(self.older(), self.recent)

    def __reversed__(self) -> Iterator[T]:
        yield from reversed(self.recent)
        yield from reversed(self.older())

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            is_recent = step > 0 and start >= self.before
            return (
                self.recent[start - self.before : max(start, stop) - self.before : step]
                if is_recent
                else [*self][place]
            )
        index = place + len(self) if place < 0 else place
        if not 0 <= index < len(self):
            raise IndexError(place)
        return self.recent[index - self.before] if index >= self.before else self._old(index)

    def _old(self, index: int) -> T:
        return self.older()[index]


class Events(Lazy[Event]):
    """The events of a stream. `kinds` gives the versions of the older ones by type, and `read` reads some of them."""

    def __init__(
        self,
        recent: Iterable[Event] = (),
        before: int = 0,
        older: Callable[[], Sequence[Event]] | None = None,
        kinds: Mapping[str, Sequence[int]] | None = None,
        read: Callable[[int], Event] | None = None,
    ) -> None:
        super().__init__(recent, before, older)
        self.kinds, self._read = kinds or {}, read

    def copy(self) -> Events:
        return Events(self.recent, self.before, self._older, self.kinds, self._read)

    def _old(self, index: int) -> Event:
        return self._read(index + 1) if self._read is not None else super()._old(index)

    def of(self, types: Collection[str], *, newest_first: bool = False) -> Iterator[Event]:
        """The events of these types, in order or from the newest back."""
        versions = sorted(version for type in types for version in self.kinds.get(type, ()))
        recent = [event for event in self.recent if event.type in types]
        if newest_first:
            yield from reversed(recent)
            yield from (self._old(version - 1) for version in reversed(versions))
        else:
            yield from (self._old(version - 1) for version in versions[:FEW])
            if more := set(versions[FEW:]):
                yield from (event for event in self.older() if event.version in more)
            yield from recent
