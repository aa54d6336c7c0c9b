"""What the orders of a turn say about its later asks, as plain data.

    4.4.1       FireWish: targets in order of preference, and the weapon
    4.5.1       MoveWish: where to, which way to face, or the steps themselves
    4.4.2       WatchWish: when a vehicle on overwatch fires
    4.3.1       Plan.initiative
    4.4.3.2.2   Plan.show
    4.4.3.2.4   Plan.aspect
    4.4.1, R-11 Sequence: in which order own vehicles fire and move

A plan is sealed with the commands and answers the asks that come up while the turn is carried out (`doctrine`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from pbem.engine.rules.refusals import Objection, Unreadable

ALL: Final = "*"
"""In `show` and `aspect`: every own vehicle that is not named itself."""

WATCH_HIT: Final = 30
"""4.4.2 A vehicle on overwatch that was told nothing fires from this hit number on."""

Show = Literal["always", "never", "matters"]
Aspect = Literal["front", "rear", "stronger"]
Mode = Literal["cross", "road"]
Turn = Literal["first", "second"]
LEAVE_ANYWHERE: Final = "any"


class Wish(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What all parts of a plan share."""


class FireWish(Wish, frozen=True):
    """4.4.1 Targets, the dearest first. `weapon` counts from 0 as on the card; none is the best for the shot."""

    targets: list[str]
    weapon: int | None = None


class MoveWish(Wish, frozen=True):
    """4.5.1 A move to a goal, or off the map, or by steps; with nothing said it is a no-move (4.5.1.1.8)."""

    goal: str = ""
    facing: int = 0
    mode: Mode = "cross"
    steps: list[str] = []
    exit: str = ""
    enter: str = ""
    stop: bool = False
    """R-17 Whether it stops once it has been fired at."""


class WatchWish(Wish, frozen=True):
    """4.4.2 Fire on overwatch only up to a range, from a hit number on, at these, not at those."""

    range: int = 0
    hit: int = WATCH_HIT
    only: list[str] = []
    but_not: list[str] = []


class Sequence(Wish, frozen=True):
    """4.4.1, R-11 The order in which own vehicles fire and move."""

    fire: list[str] = []
    move: list[str] = []


class Plan(Wish, frozen=True):
    """All that the orders of a turn say beside the commands."""

    fire: dict[str, FireWish] = {}
    move: dict[str, MoveWish] = {}
    overwatch: dict[str, WatchWish] = {}
    initiative: Turn | None = None
    show: dict[str, Show] = {}
    aspect: dict[str, Aspect] = {}
    order: Sequence = Sequence()


def read_plan(plan: Mapping[str, Any]) -> Plan:
    """The plan in plain data; a refusal says what does not belong there."""
    try:
        return msgspec.convert(dict(plan), Plan)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        objection = Objection("4.2.1", f"it cannot be read: {what}")
        raise Unreadable(where.strip("`$.") or "plan", [objection], Plan.__struct_fields__) from error


def plain(plan: Plan) -> dict[str, Any]:
    """The plan as plain data, in one way only: what says nothing is left out."""
    found: dict[str, Any] = msgspec.to_builtins(plan)
    return {name: said for name, said in found.items() if said}
