"""1.4 Modifiers: a DRM with its rule, lists of DRM, and their sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec


class Modifier(msgspec.Struct, frozen=True, omit_defaults=True):
    """One DRM. `outside` marks a DRM that also reduces Residual FP (3.3.5)."""

    rule: str
    text: str
    value: int
    outside: bool = False


def rows(modifiers: Sequence[Modifier]) -> list[dict[str, Any]]:
    """The modifiers in the form in which a finding stores them."""
    return [{"rule": one.rule, "text": one.text, "value": one.value} for one in modifiers]


def total(modifiers: Sequence[Modifier]) -> int:
    return sum(one.value for one in modifiers)
