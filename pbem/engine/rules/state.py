"""The state between two steps: plain data that goes to canonical JSON and back."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import msgspec

S = TypeVar("S", bound="State")


class NextStep(msgspec.Struct, frozen=True):
    """Which step comes next, and its arguments."""

    name: str
    args: dict[str, Any] = {}


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended: the reason is data. No winner means a draw.

    `score` gives the points of each side and `level` the level of victory, where the rules have them.
    """

    rule: str
    winner: str | None = None
    why: str = ""
    score: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
    level: str | msgspec.UnsetType = msgspec.UNSET


class State(msgspec.Struct, kw_only=True):
    """What every title's state has. A title adds its own fields."""

    happenings: ClassVar[str] = ""
    """The switch since which findings of the title carry happenings; empty if they always did."""

    turn: int = 1
    next: NextStep | None = None
    switches: tuple[str, ...] = ()
    outcome: Outcome | None = None


def to_bytes(state: State) -> bytes:
    """Canonical JSON: equal states give equal bytes."""
    return msgspec.json.encode(state, order="deterministic")


def in_order(state: State) -> bytes:
    """JSON with every dict in its order of insertion, so that what is decoded from it iterates alike."""
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
