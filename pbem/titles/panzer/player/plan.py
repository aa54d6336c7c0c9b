"""A turn's orders for its later asks in the advanced game, as plain data.

    4.4.1, 5.14   FireWish: each weapon's targets, or where smoke is laid
    6.6           MarchWish: one act after another
    4.4.2         WatchWish, as in the basic game
    6.6.1         AssaultWish
    6.5.1         Declaration: missions called, continued, adjusted, checked; planned fire that arrives
    6.7           flights, as `air` plots them
    6.8           Adjustments

Acts of a move are the steps of `movement_step`, and those computed when it is made: `to:E7`, `turn:3`, `leave:west`,
`overrun:b3` from afar.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

import msgspec

from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.titles.panzer.air.air_attacks import Plot
from pbem.titles.panzer.movement.steps.acts import Mount, acts_of
from pbem.titles.panzer.movement.steps.unit_steps import MoveMode
from pbem.titles.panzer.state import FireType, Sheaf

STAY: Final = "stay"
"""6.6.7.1.1 The mode of a vehicle that only loads and unloads passengers."""

ALL: Final = "*"
"""In `show` and `aspect`: every friendly vehicle that has no entry of its own."""


WATCH_HIT: Final = 30
"""4.4.2 The minimum hit number for a vehicle on overwatch if no conditions are given."""

SURE: Final = 100
"""4.4.3.2.3 The highest hit number."""


Show = Literal["always", "never", "matters"]


Aspect = Literal["front", "rear", "stronger"]


Turn = Literal["first", "second"]


LEAVE_ANYWHERE: Final = "any"


class Wish(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The common base of all parts of a plan."""


class WatchWish(Wish, frozen=True):
    """4.4.2 Overwatch conditions: a maximum range, a minimum hit number, targets to fire at and to avoid.

    7.18 With `pin` its small arms only pin leg and towed units.
    """

    range: int = 0
    hit: int = WATCH_HIT
    only: list[str] = []
    but_not: list[str] = []
    pin: bool = False


class Sequence(Wish, frozen=True):
    """4.4.1, R-11 The order in which friendly vehicles fire and move."""

    fire: list[str] = []
    move: list[str] = []


class Part(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The common base of all parts of a plan."""


class Aim(Part, frozen=True):
    """4.4.1, 5.14 Targets by preference, or a hex for smoke; optionally a weapon and a type of fire."""

    targets: list[str] = []
    hex: str = ""
    weapon: int | None = None
    how: str = ""


class FireWish(Part, frozen=True):
    """5.14 One aim, or one for each weapon that fires."""

    aims: list[Aim]


class MarchWish(Part, frozen=True):
    """6.6 A move; without acts it is a no-move. `others` are units that overrun the same target."""

    mode: MoveMode = "cross"
    acts: list[str] = []
    others: list[str] = []
    stop: bool = False
    """R-17 Whether the unit stops once it has been fired at."""


class AssaultWish(Part, frozen=True):
    """6.6.1.1 The target of an attack, and the hex the unit advances to first."""

    target: str
    hex: str = ""


class Declaration(Part, frozen=True):
    """6.5.1.1 A declaration in the Indirect Fire Step, in the format of its answer."""

    do: Literal["call", "recon", "adjust", "continue", "check", "arrive"]
    observer: str = ""
    mission: str = ""
    plan: str = ""
    point: str = ""
    firers: list[str] = []
    sheaf: Sheaf = "on_map"
    direction: int = 0
    type: FireType = "gp"


class Adjustments(Part, frozen=True):
    """6.8 The actions for the Adjustment Phase, in the format of its answer."""

    pivot: dict[str, int] = {}
    cover: dict[str, bool] = {}
    occupy: dict[str, str] = {}
    dig: dict[str, bool] = {}
    turret: dict[str, int] = {}
    hatch: dict[str, bool] = {}
    partial: dict[str, bool] = {}


class AdvancedPlan(Part, frozen=True):
    """Everything in a turn's orders other than the commands."""

    fire: dict[str, FireWish] = {}
    move: dict[str, MarchWish] = {}
    overwatch: dict[str, WatchWish] = {}
    assault: dict[str, AssaultWish] = {}
    missions: list[Declaration] = []
    flights: list[Plot] = []
    late: list[str] = []
    """6.7 The aircraft that fly in the second air phase."""
    adjust: Adjustments = Adjustments()
    demolish: dict[str, str] = {}
    """7.19 The targets of engineers."""
    demolish_from: dict[str, str] = {}
    """7.19, 6.6.1.1 The hexes that the engineers advance to first."""
    discharge: list[str] = []
    """7.9 The vehicles that fire smoke dischargers before the next turn's commands."""
    formations: list[str] = []
    """7.42 The order in which formations fire and move, with staggered initiative."""
    sneak: dict[str, list[str]] = {}
    """7.2.2.2 The hexes through which hidden unit counters move."""
    reveal: list[str] = []
    hide: list[tuple[str, list[str]]] = []
    """7.2.3 Hexes, each with the units that go under a counter there at the end of the turn."""
    dummies: list[str] = []
    initiative: Turn | None = None
    show: dict[str, Show] = {}
    aspect: dict[str, Aspect] = {}
    order: Sequence = Sequence()


def read_plan(plan: Mapping[str, Any]) -> AdvancedPlan:
    """Read a plan from plain data; a refusal names anything that does not belong in it."""
    try:
        return msgspec.convert(dict(plan), AdvancedPlan)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        objection = Objection("4.2.1", say("this could not be read: {what}", what=what))
        raise Unreadable(where.strip("`$.") or "plan", [objection], AdvancedPlan.__struct_fields__) from error


def plain(plan: AdvancedPlan) -> dict[str, Any]:
    """The plan as canonical plain data: empty parts are left out."""
    found: dict[str, Any] = msgspec.to_builtins(canonical(plan))
    return {name: said for name, said in found.items() if said}


def canonical(plan: AdvancedPlan) -> AdvancedPlan:
    """4.2.1 The same plan in canonical form: no moves that go nowhere, no orders without effect.

    A unit picked up by a vehicle does not move by itself (6.6.7.1.1), and a unit that stays cannot stop.
    """
    taken_up = {act.unit for wish in plan.move.values() for act in acts_of(Mount, wish.acts)}
    move = {
        unit: msgspec.structs.replace(wish, stop=False) if wish.mode == STAY else wish
        for unit, wish in plan.move.items()
        if wish.acts and unit not in taken_up
    }
    move = {unit: move[unit] for unit in usual_order(move)}
    fire = {unit: FireWish([canonical_aim(aim) for aim in wish.aims]) for unit, wish in sorted(plan.fire.items())}
    order = Sequence(
        fire=order_that_counts(list(fire), plan.order.fire), move=order_that_counts(list(move), plan.order.move)
    )
    return msgspec.structs.replace(plan, fire=fire, move=move, order=order)


def usual_order(moves: Mapping[str, MarchWish]) -> list[str]:
    """R-11 The default order of movement, which is by id with stationary vehicles at the end."""
    return sorted(moves, key=lambda unit: (moves[unit].mode == STAY, unit))


def canonical_aim(aim: Aim) -> Aim:
    """6.1.4.3.10 The aim with its type of fire: only smoke can be aimed at a hex."""
    return msgspec.structs.replace(aim, how="smoke") if aim.hex else aim


def order_that_counts(units: list[str], order: list[str]) -> list[str]:
    """R-11 The requested order followed by all other units; empty if that is the default order."""
    found = list(dict.fromkeys((*order, *units)))
    return found if found != units else []


def hiding_of(kind: str, plan: AdvancedPlan) -> dict[str, Any]:
    """7.2.2, 7.2.2.2 A plan's orders for hidden counters, in the format of an answer."""
    if kind == "hide":
        said: dict[str, Any] = {"counters": [[hex, list(units)] for hex, units in plan.hide], "dummies": plan.dummies}
    else:
        said = {"reveal": plan.reveal, "move": plan.sneak}
    return {name: value for name, value in said.items() if value}


def own_in(plan: AdvancedPlan) -> Iterator[str]:
    """The friendly units named in a plan."""
    tables: tuple[Mapping[str, Any], ...] = (plan.fire, plan.move, plan.overwatch, plan.assault, plan.demolish)
    yield from (unit for table in tables for unit in table)
    yield from plan.discharge
    yield from (unit for table in (plan.show, plan.aspect) for unit in table if unit != "*")
    adjust = plan.adjust
    yield from (*adjust.pivot, *adjust.cover, *adjust.occupy, *adjust.dig)
    yield from (*adjust.turret, *adjust.hatch, *adjust.partial)
    yield from (*plan.order.fire, *plan.order.move)
    yield from (unit for wish in plan.move.values() for unit in wish.others)
    yield from (call.observer for call in plan.missions if call.observer)
    yield from (unit for _, units in plan.hide for unit in units)


def enemies_in(plan: AdvancedPlan) -> Iterator[str]:
    """The enemies named in a plan."""
    yield from (target for wish in plan.fire.values() for aim in wish.aims for target in aim.targets)
    yield from (target for wish in plan.overwatch.values() for target in (*wish.only, *wish.but_not))
    yield from (wish.target for wish in plan.assault.values())
    yield from (attack.target for plot in plan.flights for attack in plot.attacks)
