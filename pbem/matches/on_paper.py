"""A house on paper: what is appended there is taken back at once, and can be read there alone.

So an act can be tried by its own code: with its own refusals, and without a trace.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from contextlib import suppress

from eventstore import Event, EventStore, NewEvent, Part, Transaction, commitment
from eventstore.log import ENDLESS
from pbem.matches.house import House


class NotOnPaper(Exception):
    """On paper only events are appended, to one stream and once."""


class PaperStore(EventStore):
    """Reads what the real store reads, and what was appended here."""

    def __init__(self, real: EventStore) -> None:
        vars(self).update(vars(real))
        self._written: list[Event] = []
        self._kept: dict[str, Part] = {}

    def append(self, stream: str, events: Sequence[NewEvent], *, expected: int, label: str = "append") -> list[Event]:
        with suppress(NotOnPaper), EventStore.transaction(self) as transaction:
            self._written = transaction.append(stream, events, expected=expected)
            raise NotOnPaper
        for part in (part for event in events for part in event.parts):
            name = commitment(part.salt, part.content)
            self._kept[name] = Part(name, part.salt, part.content)
        return self._written

    def transaction(self, label: str = "") -> Transaction:
        raise NotOnPaper(label)

    def read(self, stream: str, *, after: int = 0, upto: int | None = None) -> list[Event]:
        last = ENDLESS if upto is None else upto
        written = [event for event in self._written if event.stream == stream and after < event.version <= last]
        return super().read(stream, after=after, upto=upto) + written

    def part(self, commitment: str) -> Part:
        return self._kept.get(commitment) or super().part(commitment)


def on_paper(house: House) -> House:
    paper = copy.copy(house)
    paper.store, paper.positions = PaperStore(house.store), {}
    return paper
