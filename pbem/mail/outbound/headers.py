"""The header policy of outgoing email, with a cache of parsed headers.

The standard library parses every header that is set, and makes a class for each. Most headers of most emails are the
same, and the result is never changed.
"""

from __future__ import annotations

from email import policy
from email.headerregistry import BaseHeader, HeaderRegistry
from functools import lru_cache


class KeepingRegistry(HeaderRegistry):
    """The standard library's header registry, with a cache."""

    def __init__(self) -> None:
        super().__init__()
        self._class_of = lru_cache(maxsize=128)(super().__getitem__)
        self._parsed = lru_cache(maxsize=1024)(super().__call__)

    def __getitem__(self, name: str) -> type[BaseHeader]:
        return self._class_of(name)

    def __call__(self, name: str, value: str) -> BaseHeader:
        return self._parsed(name, value)


POLICY = policy.default.clone(max_line_length=300, cte_type="7bit", header_factory=KeepingRegistry())
"""Emails are 7-bit, which every host accepts, with lines long enough not to break up addresses in headers."""
