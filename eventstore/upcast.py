"""Upgrade old payload formats to the newest, one schema number at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from eventstore.events import Event

Payload = dict[str, Any]
Upcaster = Callable[[Payload], Payload]


class Upcasters:
    """Pure functions that turn a payload of one schema into the next, while stored events stay unchanged."""

    def __init__(self) -> None:
        self._steps: dict[tuple[str, int], Upcaster] = {}

    def register(self, type: str, from_schema: int) -> Callable[[Upcaster], Upcaster]:
        """Decorate the function that upgrades this type from this schema to the next."""

        def remember(step: Upcaster) -> Upcaster:
            if (type, from_schema) in self._steps:
                raise ValueError(f"{type} schema {from_schema} has an upcaster already")
            self._steps[type, from_schema] = step
            return step

        return remember

    def lift(self, event: Event) -> Event:
        """The event in its newest format. Its hash is still that of the stored event, so verify the event first."""
        payload, schema = event.payload, event.schema
        while step := self._steps.get((event.type, schema)):
            payload, schema = step(payload), schema + 1
        return event if schema == event.schema else replace(event, payload=payload, schema=schema)
