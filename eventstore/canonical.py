"""One representation for every value, so that a hash identifies the value itself.

Canonical JSON here is UTF-8, with ASCII keys in order, whole numbers within ±2**53, no
fractions and no space between tokens. It is what `json.dumps` of the standard library gives with
`sort_keys=True, ensure_ascii=False, separators=(",", ":")`, so anyone can check a hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from enum import Enum

import msgspec
from msgspec.structs import astuple

LARGEST = 2**53  # exact in every JSON reader
PLAIN = frozenset({str, bool, type(None)})

_encode = msgspec.json.Encoder(order="sorted").encode


class NotCanonical(ValueError):
    """A value that has no canonical JSON; `path` leads to the part that cannot be written."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path or 'the value'} {why}")
        self.path = path
        self.why = why


def canonical(value: object) -> bytes:
    """The canonical JSON of dicts, lists, text, whole numbers, truth values, None and Structs."""
    try:
        encoded = _encode(value)
    except UnicodeEncodeError as error:
        raise NotCanonical("", "holds half of a surrogate pair, which UTF-8 cannot spell") from error
    except RecursionError as error:
        raise NotCanonical("", "is nested too deeply") from error
    except (TypeError, OverflowError) as error:
        check_keys(value)
        check_values(value)
        raise NotCanonical("", f"cannot be encoded: {error}") from error
    check_values(value, ascii_keys=encoded.isascii())  # after encoding, so the value is not circular
    return encoded


def digest(*pieces: bytes | str) -> str:
    """Hex SHA-256 of the pieces, each preceded by its length, so that ("ab", "c") and ("a", "bc") differ."""
    total = hashlib.sha256()
    for piece in pieces:
        raw = piece.encode() if isinstance(piece, str) else piece
        total.update(len(raw).to_bytes(8, "big"))
        total.update(raw)
    return total.hexdigest()


def check_values(value: object, *, ascii_keys: bool = True) -> None:
    """Refuse values that the encoder accepts but canonical JSON does not, such as fractions.

    Unless all keys are known to be ASCII, they are checked too. This is a flat loop, because every append runs it.
    """
    todo = [value]
    for item in todo:  # the list grows during the loop
        kind = type(item)
        if kind in PLAIN:
            continue
        if kind is int:
            if not -LARGEST <= item <= LARGEST:  # type: ignore[operator]
                raise NotCanonical(path_to(item, value), "is beyond ±2**53")
        elif isinstance(item, dict):
            if not ascii_keys and not all(map(is_ascii_text, item)):
                check_keys(value)
            todo.extend(item.values())
        elif isinstance(item, (list, tuple)):
            todo.extend(item)
        elif isinstance(item, msgspec.Struct):
            if not ascii_keys and not all(map(is_ascii_text, item.__struct_encode_fields__)):
                check_keys(value)
            todo.extend(astuple(item))
        elif isinstance(item, Enum):
            todo.append(item.value)
        else:
            raise NotCanonical(path_to(item, value), f"is a {kind.__name__}, which canonical JSON cannot hold")


def check_keys(value: object) -> None:
    """Refuse keys that are not ASCII text."""
    for path, item in walk("", value):
        if not all(map(is_ascii_text, keys_of(item))):
            raise NotCanonical(path, "has a key that is not ASCII text")


def is_ascii_text(key: object) -> bool:
    return isinstance(key, str) and key.isascii()


def keys_of(item: object) -> Iterable[object]:
    if isinstance(item, msgspec.Struct):
        return item.__struct_encode_fields__
    return item if isinstance(item, dict) else ()


def path_to(culprit: object, value: object) -> str:
    """Return the path to the part of a value that cannot be written, such as `.orders[2].range`."""
    return next(path for path, item in walk("", value) if item is culprit)


def walk(path: str, value: object) -> Iterator[tuple[str, object]]:
    """Yield a value and everything inside it, each with its path."""
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk(f"{path}.{key}", inner)
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            yield from walk(f"{path}[{index}]", inner)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from walk(f"{path}.{name}", getattr(value, name))
    elif isinstance(value, Enum):
        yield from walk(path, value.value)
