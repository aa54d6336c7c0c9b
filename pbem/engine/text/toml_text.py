"""TOML as plain data, and plain data as TOML, every table on one line, for generated scenarios."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec


def parse_toml(text: str) -> dict[str, Any]:
    """Return TOML as plain data that the caller may change.

    A text that was parsed a short time ago, such as the charts of a title, is not parsed again.
    """
    tables: dict[str, Any] = _copied(_parsed(text))
    return tables


@lru_cache(maxsize=128)
def _parsed(text: str) -> dict[str, Any]:
    return tomllib.loads(text)


def _copied(value: Any) -> Any:
    """Return a copy of tables and lists; all other values of TOML cannot be changed."""
    if type(value) is dict:
        return {key: _copied(one) for key, one in value.items()}
    return [_copied(one) for one in value] if type(value) is list else value


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
