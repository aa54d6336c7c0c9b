"""Asks: the decisions that the rules want from a seat."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias

import msgspec

Answer: TypeAlias = Any
"""JSON: what was decided. An option is named by its id and decoded in the state at hand."""


class Ask(msgspec.Struct, frozen=True, omit_defaults=True):
    """One decision of one seat.

    `about` and `subject` say what the decision is about, in what the seat may know. An ask that `waits`
    stops the rules until its seat has answered or the deadline falls; whether it does may depend only on
    what all seats know. The others are answered at once, from plan, doctrine or default.
    """

    seat: str
    kind: str
    rule: str
    subject: str = ""
    about: dict[str, Any] = {}
    default: Answer = None
    waits: bool = False


class Together(msgspec.Struct, frozen=True):
    """Asks of several seats at once, sealed from each other."""

    asks: tuple[Ask, ...]


Step: TypeAlias = Generator[Ask | Together, Any, Any]
"""The shortest stretch of the rules without live locals: it yields asks and receives legal answers."""
