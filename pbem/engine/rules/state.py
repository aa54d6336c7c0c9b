"""The state between two steps: plain data with a canonical JSON form."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import msgspec

S = TypeVar("S", bound="State")


class NextStep(msgspec.Struct, frozen=True):
    """The next step and its arguments."""

    name: str
    args: dict[str, Any] = {}


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended; the reason is data. No winner means a draw.

    `score` gives each side's points and `level` the level of victory, where the rules have them.
    """

    rule: str
    winner: str | None = None
    why: str = ""
    score: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
    level: str | msgspec.UnsetType = msgspec.UNSET


class State(msgspec.Struct, kw_only=True):
    """The fields common to every title's state. A title adds its own."""

    happenings: ClassVar[str] = ""
    """The switch since which the title's findings have happenings; empty if they always did."""

    turn: int = 1
    next: NextStep | None = None
    switches: tuple[str, ...] = ()
    outcome: Outcome | None = None


def to_bytes(state: State) -> bytes:
    """Canonical JSON: equal states give equal bytes."""
    return msgspec.json.encode(state, order="deterministic")


def in_order(state: State) -> bytes:
    """JSON with every dict in insertion order, so that the decoded data iterate in the same order."""
    return msgspec.json.encode(state)


def as_data(args: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a step as plain data, as a resumed run finds them in the state."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(args))
    return found


def from_bytes(content: bytes, kind: type[S]) -> S:
    return msgspec.json.decode(content, type=kind)


def copy(state: S) -> S:
    """A copy by round trip, many times faster than `copy.deepcopy`."""
    return from_bytes(to_bytes(state), type(state))
