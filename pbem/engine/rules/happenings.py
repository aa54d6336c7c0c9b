"""Happenings: the changes a finding makes on the map, as data in a form common to all titles.

A finding carries its happenings in `shows`; they have the finding's audience. A place is a hex name or a point. The
replay of a turn, its summary and the fate of each order are made only from happenings, so three properties hold for
every viewer: the view before plus the happenings gives the view after; no happening reveals anything its viewer may
not see; every line of a sealed order ends in a happening or in a `Fail`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from pbem.engine.text.messages import Message, Several

Place: TypeAlias = str | tuple[int, ...]
Reason: TypeAlias = Message | Several | str
"""Why an order failed. Replay compares the arguments of a message, not its words; older records have plain text."""


class Move(msgspec.Struct, frozen=True, omit_defaults=True, tag="move"):
    """A unit moved along a path of places, each with the facing there (None where facing does not apply)."""

    who: str
    path: tuple[tuple[Place, int | None], ...]


class Shot(msgspec.Struct, frozen=True, omit_defaults=True, tag="shot"):
    """A unit fired: the target, the origin, the number needed and the roll; `arms` are weapons that have ids."""

    who: str
    at: str = ""
    origin: Place | None = None
    goal: Place | None = None
    needed: int | None = None
    rolled: tuple[int, ...] = ()
    result: str = ""
    arms: tuple[str, ...] = ()


class Battle(msgspec.Struct, frozen=True, omit_defaults=True, tag="battle"):
    """Units attacked a place together: the defenders, the odds, the roll and the result."""

    units: tuple[str, ...]
    place: Place
    against: tuple[str, ...] = ()
    odds: str = ""
    rolled: tuple[int, ...] = ()
    result: str = ""


class Area(msgspec.Struct, frozen=True, omit_defaults=True, tag="area"):
    """Something covered places: a barrage, smoke, strafing."""

    what: str
    places: tuple[Place, ...]
    by: str = ""


class Change(msgspec.Struct, frozen=True, omit_defaults=True, tag="change"):
    """A unit's condition changed."""

    who: str
    what: str
    now: Any = True


class Lose(msgspec.Struct, frozen=True, omit_defaults=True, tag="lose"):
    """A unit was lost."""

    who: str
    place: Place | None = None
    how: str = ""


class Appear(msgspec.Struct, frozen=True, omit_defaults=True, tag="appear"):
    """A unit came into sight or entered the map."""

    who: str
    place: Place
    facing: int | None = None


class Vanish(msgspec.Struct, frozen=True, omit_defaults=True, tag="vanish"):
    """A unit went out of sight, or left the map without being lost."""

    who: str


class Reveal(msgspec.Struct, frozen=True, omit_defaults=True, tag="reveal"):
    """Something hidden about a unit became known."""

    who: str
    what: str
    now: Any = None


class Control(msgspec.Struct, frozen=True, omit_defaults=True, tag="control"):
    """A place changed hands."""

    what: str
    side: str
    before: str = ""


class Fail(msgspec.Struct, frozen=True, omit_defaults=True, tag="fail"):
    """An order, or part of it, was not carried out, or was `needless`: no occasion for it arose."""

    who: str
    order: str
    why: Reason
    rule: str = ""
    needless: bool = False


Happening: TypeAlias = Move | Shot | Battle | Area | Change | Lose | Appear | Vanish | Reveal | Control | Fail
