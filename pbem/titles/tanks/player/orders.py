"""Orders as plain data: the forms with the orders of each tank, and the plan for cards and dice.

T5.1    Move: a direction and a facing
T1.1    MoveOrder: one of the alternatives for a tank, with its conditions
T1.2    ShootOrder
----    Condition: a fact that must hold when the tank's turn comes
----    MovementForm, ShootingForm, DeployForm: answers to the forms of a phase
----    Plan: cards, dice and follow-ups, for asks that the match does not wait for
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeVar, get_args

import msgspec

from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import say

RULE = "tanks/orders"
"""The rule that a refusal cites for unreadable text: the page on the order language."""
ALL = "*"


class Wish(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The base class of all parts of an order."""


PHASES_LEFT: Final[Mapping[str, tuple[str, ...]]] = {"movement": ("moving", "shooting"), "shooting": ("shooting",)}
"""T1 The phases still to come when a form is submitted."""

Flank = Literal["left", "right"]


class Move(Wish, frozen=True):
    """T5.1 A move: `way` is a bearing, `toward b2` or `away b2`; `face` is the facing at its end.

    `face` is measured from the arrow: 0 ahead, 90 right, 180 back, 270 left; `toward b2` and `bearing 45` mean the
    nearest square facing. `leave` is the distance to the right of the hull's middle at which the arrow leaves it,
    and `shift` the distance of the hull's middle to the right of the arrow at its end, in tenths of a millimetre;
    negative is left. `left` and `right` mean as far as possible to that side.
    """

    way: int | str
    face: int | str = 0
    leave: int | Flank = 0
    shift: int | Flank = 0


What = Literal["moved", "sees", "near", "out", "shot", "hurt"]
Tactic = Literal["hunt", "hide", "rush"]
Preference = Literal["best", "nearest", "weakest"]
PREFERENCES: Final[tuple[Preference, ...]] = get_args(Preference)


class Condition(Wish, frozen=True):
    """A public fact, checked when a tank's turn comes: b2 moved, b2 sees a1, b2 within 1500 of a1, a1 hurt etc."""

    what: What
    units: list[str]
    within: int = 0
    no: bool = False


class MoveOrder(Wish, frozen=True):
    """T5.2 The moves of a tank, if all conditions are true; `use` names cards such as a Supercharger.

    With a `tactic`, the tank chooses its own moves when its turn comes; `prey` is the enemy that it hunts.
    """

    moves: list[Move] = []
    when: list[Condition] = []
    use: list[str] = []
    tactic: Tactic | None = None
    prey: str = ""


class ShootOrder(Wish, frozen=True):
    """T7.1 Targets, best first, if all conditions are true.

    `best`, `nearest` and `weakest` are decided when the tank's turn comes.
    """

    targets: list[str] = []
    when: list[Condition] = []


class MovementForm(Wish, frozen=True):
    """T1.1 Orders for all tanks of a seat. The first legal alternative with true conditions is carried out."""

    orders: dict[str, list[MoveOrder]] = {}
    sequence: list[str] = []
    early: dict[str, Move] = {}
    """Early moves, which cards allow."""


class ShootingForm(Wish, frozen=True):
    """T1.2 Shooting orders for all tanks of a seat."""

    orders: dict[str, list[ShootOrder]] = {}
    sequence: list[str] = []


class DeployForm(Wish, frozen=True):
    """T3.3 Where the tanks start: x and y in tenths of a millimetre, and the heading."""

    places: dict[str, tuple[int, int, int]] = {}
    early: dict[str, Move] = {}


class CommandOrder(Wish, frozen=True):
    """T8.3, T9.2 A repair, or a Blitzkrieg move."""

    repair: str = ""
    move: Move | None = None


def never_reached(orders: Sequence[MoveOrder | ShootOrder]) -> Iterator[int]:
    """T1.1 The positions of alternatives that can never be carried out because an earlier one always comes first.

    Only moves can become illegal, so a tank falls back on a later line only if the earlier one gives moves.
    """
    for number, later in enumerate(orders):
        for earlier in orders[:number]:
            if all(condition in later.when for condition in earlier.when) and settles(earlier, later):
                yield number
                break


def settles(earlier: MoveOrder | ShootOrder, later: MoveOrder | ShootOrder) -> bool:
    """T1.1 Whether the earlier order keeps the later one from being tried: it is legal whenever the later one is."""
    if not isinstance(earlier, MoveOrder) or not isinstance(later, MoveOrder):
        return True
    return not earlier.moves or (earlier.moves, earlier.use) == (later.moves, later.use)


Reroll = Literal["always", "never"] | int


class Plan(Wish, frozen=True):
    """Orders for decisions that the match does not wait for.

    `lend` names the friend that a card helps; a number in `reroll` means: reroll if fewer dice than that hit.
    """

    use: dict[str, list[str]] = {}
    keep: dict[str, list[str]] = {}
    lend: dict[str, dict[str, str]] = {}
    reroll: dict[str, Reroll] = {}
    again: dict[str, list[str]] = {}
    repair: dict[str, str] = {}


def loans(plan: Plan) -> list[tuple[str, str, str]]:
    """T2.2 The loans in a plan: each tank that helps another, with the card and the friend it helps."""
    return [(tank, card, friend) for tank, lent in plan.lend.items() for card, friend in lent.items()]


W = TypeVar("W")


def read_as(given: Any, shape: type[W], what: str) -> W:
    """Convert plain data to a struct; a refusal names the part that does not fit."""
    try:
        return msgspec.convert(given, shape)
    except msgspec.ValidationError as error:
        why, _, where = str(error).partition(" - at ")
        objection = Objection(RULE, say("this could not be read: {why}", why=why))
        raise Unreadable(where.strip("`$.") or what, [objection]) from error


def plain(wish: Any) -> Any:
    """The wish as plain data in one canonical JSON form, without empty parts."""
    return msgspec.json.decode(msgspec.json.encode(wish))


def read_plan(plan: Mapping[str, Any]) -> Plan:
    return read_as(dict(plan), Plan, "plan")
