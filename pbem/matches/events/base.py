"""The common base of all events, and the register of their classes by event type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

import msgspec

from eventstore import NewEvent, NewPart

E = TypeVar("E", bound="StoredEvent")


class StoredEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The common base of all events. `parts` describes each part and its readers."""

    word: ClassVar[str] = ""
    schema: ClassVar[int] = 1
    parts: ClassVar[Mapping[str, str]] = {}

    def new(self, *parts: NewPart) -> NewEvent:
        """Return the event to be appended."""
        payload: dict[str, Any] = msgspec.to_builtins(self)
        return NewEvent(self.word, payload, parts, self.schema)


class MatchEvent(StoredEvent, frozen=True, forbid_unknown_fields=True):
    """An event of a match's stream, `match/ID`."""


class AccountEvent(StoredEvent, frozen=True, forbid_unknown_fields=True):
    """An event of an account's stream, `account/ID`."""

    id: str


class ServerEvent(StoredEvent, frozen=True, forbid_unknown_fields=True):
    """An event of the server's own stream, `server`."""


class PrivilegeEvent(StoredEvent, frozen=True, forbid_unknown_fields=True):
    """An event of the stream `privilege`: acts of operators, directors and game masters beyond playing."""


CATALOGUE: dict[str, type[StoredEvent]] = {}


def event(word: str, schema: int = 1, **parts: str) -> Callable[[type[E]], type[E]]:
    """Register a class under the name of its event type."""

    def register(kind: type[E]) -> type[E]:
        kind.word, kind.schema = word, schema
        kind.parts = {name.replace("_", "-"): said for name, said in parts.items()}
        CATALOGUE[word] = kind
        return kind

    return register
