"""One spelling for every value, so that a hash means the value and not its spelling.

Canonical JSON here is UTF-8, with ASCII keys in order, whole numbers within ±2**53, no
fractions and no space between tokens. It is what `json.dumps` of the standard library gives with
`sort_keys=True, ensure_ascii=False, separators=(",", ":")`, so anyone can check a hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from enum import Enum

import msgspec

LARGEST = 2**53  # what every JSON reader still holds exactly
PLAIN = frozenset({str, bool, type(None)})

_encoder = msgspec.json.Encoder(order="sorted")


class NotCanonical(ValueError):
    """A value that has no canonical JSON; `path` leads to the culprit."""

    def __init__(self, why: str, path: str = "") -> None:
        super().__init__(f"{path or 'the value'} {why}")
        self.why = why
        self.path = path

    def inside(self, step: str) -> NotCanonical:
        return NotCanonical(self.why, step + self.path)


def canonical(value: object) -> bytes:
    """The canonical JSON of plain values and msgspec Structs; `NotCanonical` for anything else."""
    try:
        check(value)
        return _encoder.encode(value)
    except UnicodeEncodeError as error:
        raise NotCanonical("holds half of a surrogate pair, which UTF-8 cannot spell") from error
    except RecursionError as error:
        raise NotCanonical("is nested too deeply") from error


def digest(*pieces: bytes | str) -> str:
    """Hex SHA-256 of the pieces, each after its length: ("ab", "c") and ("a", "bc") differ."""
    total = hashlib.sha256()
    for piece in pieces:
        raw = piece.encode() if isinstance(piece, str) else piece
        total.update(len(raw).to_bytes(8, "big"))
        total.update(raw)
    return total.hexdigest()


def check(value: object) -> None:
    """Refuse what canonical JSON cannot hold."""
    if isinstance(value, dict):
        check_members(value.items())
    elif isinstance(value, (list, tuple)):
        check_items(value)
    elif isinstance(value, msgspec.Struct):
        values = (getattr(value, name) for name in value.__struct_fields__)
        check_members(zip(value.__struct_encode_fields__, values, strict=True))
    elif isinstance(value, Enum):
        check(value.value)
    elif type(value) is int:
        if not -LARGEST <= value <= LARGEST:
            raise NotCanonical("is beyond ±2**53")
    elif type(value) not in PLAIN:
        raise NotCanonical(f"is a {type(value).__name__}, which canonical JSON does not know")


def check_members(members: Iterable[tuple[object, object]]) -> None:
    for key, inner in members:
        if not isinstance(key, str) or not key.isascii():
            raise NotCanonical(f"has the key {key!r}, and keys are ASCII text")
        if type(inner) not in PLAIN:  # spares most values the call
            try:
                check(inner)
            except NotCanonical as fault:
                raise fault.inside(f".{key}") from None


def check_items(items: Sequence[object]) -> None:
    for index, inner in enumerate(items):
        if type(inner) not in PLAIN:
            try:
                check(inner)
            except NotCanonical as fault:
                raise fault.inside(f"[{index}]") from None
