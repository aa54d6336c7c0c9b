"""Plain data as TOML, every table on one line, for generated scenarios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec


def to_toml(table: Mapping[str, Any]) -> bytes:
    """Return a table as TOML."""
    return "".join(f"{_key(key)} = {value_of(value)}\n" for key, value in table.items()).encode()


def value_of(value: Any) -> str:
    """Return a value in TOML: tables inline, texts in quotes."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {value_of(one)}" for key, one in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(value_of(one) for one in value) + "]"
    return msgspec.json.encode(value).decode()


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() else msgspec.json.encode(key).decode()
