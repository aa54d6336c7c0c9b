"""Events, their parts, and the chain that links them.

An event is hashed over the canonical JSON of its body: stream, version, type, schema, payload, parts, recorded-at and
the previous hash. The event holds only a commitment to a part, so a part can be withheld, opened later or erased, and
the chain still verifies.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from eventstore.canonical import NotCanonical, canonical, digest

SALT_SIZE = 32
PAD_STEP = 1024
LENGTH_SIZE = 8
PAYLOAD_LIMIT = 16 * 1024
WRONG_HASH = "the content does not match the hash"
TYPE = re.compile(r"[a-z]+(\.[a-z-]+)+")


class BadEvent(ValueError):
    """An event that no store accepts, because its type is no dotted word or its schema is not a positive number."""


class PayloadTooLarge(BadEvent):
    """A payload beyond 16 KiB; longer content belongs in a part."""


class NewPart(msgspec.Struct, frozen=True):
    """Content for one audience, to be committed to by an event."""

    name: str
    audience: str
    content: bytes
    salt: bytes


class NewEvent(msgspec.Struct, frozen=True):
    """An event before it has a place in a stream."""

    type: str
    payload: dict[str, Any]
    parts: tuple[NewPart, ...] = ()
    schema: int = 1


class PartRef(msgspec.Struct, frozen=True, gc=False):
    """An event's reference to a part."""

    name: str
    audience: str
    commitment: str


class Part(msgspec.Struct, frozen=True):
    """A part that may be seen, so that anyone can recompute the commitment from its salt and content."""

    commitment: str
    salt: bytes
    content: bytes


class Body(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The fields of an event that are hashed."""

    stream: str
    version: int
    type: str
    schema: int
    payload: dict[str, Any]
    parts: tuple[PartRef, ...]
    recorded_at: int
    previous: str


class Event(msgspec.Struct, frozen=True, gc=False):
    """A recorded event. Its place among the events of other streams is decided by the feed and not hashed."""

    stream: str
    version: int
    type: str
    schema: int
    payload: dict[str, Any]
    parts: tuple[PartRef, ...]
    recorded_at: int
    previous: str
    hash: str

    def part(self, name: str, audience: str) -> PartRef | None:
        """The part with this name for this audience, if the event has one."""
        found = (part for part in self.parts if part.name == name and part.audience == audience)
        return next(found, None)


class Broken(msgspec.Struct, frozen=True):
    """The first fault in a chain: the version expected there, and what is wrong."""

    version: int
    why: str


_decode_body = msgspec.json.Decoder(Body).decode


def pad(content: bytes) -> bytes:
    """Return length, content and zeros, padded to a multiple of 1 KiB so that the size reveals almost nothing."""
    framed = len(content).to_bytes(LENGTH_SIZE, "big") + content
    return framed + bytes(-len(framed) % PAD_STEP)


def unpad(padded: bytes) -> bytes:
    """Return the content that `pad` has padded."""
    length = int.from_bytes(padded[:LENGTH_SIZE], "big")
    content = padded[LENGTH_SIZE : LENGTH_SIZE + length]
    if pad(content) != padded:
        raise ValueError("these bytes are not padded content")
    return content


def commitment(salt: bytes, content: bytes) -> str:
    """Hex SHA-256 of salt and padded content, which binds to the content and reveals nothing about it."""
    if len(salt) != SALT_SIZE:
        raise ValueError(f"a salt has {SALT_SIZE} bytes, not {len(salt)}")
    return hashlib.sha256(salt + pad(content)).hexdigest()


def genesis(server_id: str, stream: str) -> str:
    """The previous hash of a stream's first event, which ties the chain to one server and one stream."""
    return digest(server_id, stream)


def write_body(new: NewEvent, stream: str, version: int, recorded_at: int, previous: str) -> bytes:
    """The bytes that are stored and hashed for a new event."""
    check_type(new.type, new.schema)
    parts = tuple(map(commit, new.parts))
    body = canonical(Body(stream, version, new.type, new.schema, new.payload, parts, recorded_at, previous))
    if len(body) > PAYLOAD_LIMIT:  # only then is the payload worth measuring
        check_size(new)
    return body


@lru_cache
def check_type(type: str, schema: int) -> None:
    if not TYPE.fullmatch(type):
        raise BadEvent(f"{type!r} is not an event type; write dotted words such as 'order.sealed'")
    if schema < 1:
        raise BadEvent(f"schema numbers start at 1, not at {schema}")


def check_size(new: NewEvent) -> None:
    size = len(canonical(new.payload))
    if size > PAYLOAD_LIMIT:
        raise PayloadTooLarge(f"{new.type} has a payload of {size} bytes; {PAYLOAD_LIMIT} is the limit")


def commit(part: NewPart) -> PartRef:
    """The event's reference to this part."""
    return PartRef(part.name, part.audience, commitment(part.salt, part.content))


def read_body(hash: str, body: bytes) -> Event:
    """The event stored as these bytes."""
    read = _decode_body(body)
    return Event(
        read.stream,
        read.version,
        read.type,
        read.schema,
        read.payload,
        read.parts,
        read.recorded_at,
        read.previous,
        hash,
    )


def body_of(event: Event) -> bytes:
    """The bytes that are stored and hashed for an event."""
    body = Body(
        event.stream,
        event.version,
        event.type,
        event.schema,
        event.payload,
        event.parts,
        event.recorded_at,
        event.previous,
    )
    return canonical(body)


def event_hash(event: Event) -> str:
    """The correct hash of this event, recomputed from its contents."""
    return hashlib.sha256(body_of(event)).hexdigest()


def link_fault(event: Event, *, stream: str, version: int, previous: str) -> str | None:
    """Return why this event cannot be at this place in the chain, apart from its own hash; None if it can."""
    if event.stream != stream:
        return f"it belongs to stream {event.stream}"
    if event.version != version:
        return f"version {event.version} is in its place"
    if event.previous != previous:
        return "the event does not follow the one before it"
    return None


def has_its_hash(event: Event) -> bool:
    try:
        return event_hash(event) == event.hash
    except NotCanonical:  # an export can contain things that no store would accept
        return False


def verify(events: Iterable[Event], *, server_id: str, stream: str) -> Broken | None:
    """Return the first broken link of a whole stream, or None if the chain holds; every hash is recomputed."""
    previous = genesis(server_id, stream)
    for version, event in enumerate(events, start=1):
        if fault := link_fault(event, stream=stream, version=version, previous=previous):
            return Broken(version, fault)
        if not has_its_hash(event):
            return Broken(version, WRONG_HASH)
        previous = event.hash
    return None


def verify_parts(events: Iterable[Event], parts: Mapping[str, Part]) -> Broken | None:
    """Return the first given part that these events do not commit to, with version 0 if no event names it."""
    versions = {part.commitment: event.version for event in events for part in event.parts}
    for name, part in parts.items():
        if name not in versions:
            return Broken(0, f"no event commits to part {name}")
        if not is_committed(part, name):
            return Broken(versions[name], f"part {name} is not what was committed to")
    return None


def is_committed(part: Part, name: str) -> bool:
    sound = len(part.salt) == SALT_SIZE and part.commitment == name
    return sound and commitment(part.salt, part.content) == name
