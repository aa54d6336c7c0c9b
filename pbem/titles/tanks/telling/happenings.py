"""The happenings of TANKS: events on the table, and the fate of each order.

    report_failure    T1.1 an order, or part of one, failed: only its owner learns the reason
    show_move         T5.1 one move
    show_shot         T7 one attack, from the first roll to the hits that were not cancelled
    write_moves, write_targets    orders as players write them

A place is a point in tenths of a millimetre; a facing is a bearing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.happenings import Fail, Move, Reason, Shot
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.tanks.player.orders import MoveOrder, ShootOrder
from pbem.titles.tanks.player.words import write_conditions, write_leg
from pbem.titles.tanks.state import Tank, TanksState

FAILED: Final = "failed"
"""The result of a finding that says why an order was not carried out."""
MISSED: Final = say("its condition was not met")
EARLIER: Final = say("an earlier line for this tank was carried out")
OVERRULED: Final = say("it got another order when its turn came")


def place(at: Point) -> tuple[int, int]:
    """Convert a point to the form used in happenings."""
    return int(at.x), int(at.y)


def report_failure(
    table: Table[TanksState], tank: Tank, ordered: str, why: Reason, rule: str, *, needless: bool = False
) -> None:
    """T1.1 Tell the tank's owner, and nobody else, that an order failed or was not needed, and why."""
    if not table.shows_happenings:
        return
    inputs = {"tank": tank.id, "ordered": ordered, "why": why}
    shows = [Fail(tank.id, ordered, why, rule, needless)]
    table.find(rule, to=(tank.seat,), inputs=inputs, result=FAILED, shows=shows)


def show_move(tank: Tank, to: Point, heading: int) -> Move:
    """T5.1 Return a move as a happening, from the tank's present position and heading to where it stops."""
    return Move(tank.id, ((place(tank.at), tank.heading), (place(to), heading)))


def show_shot(shooter: Tank, target: Tank, needed: int, rolled: Sequence[int], through: tuple[int, int]) -> Shot:
    """T7 Return an attack as a happening, with its final roll and its uncancelled hits and criticals."""
    hits, criticals = through
    struck = any(die >= needed for die in rolled)
    said = [f"{count} {one if count == 1 else one + 's'}" for count, one in ((hits, "hit"), (criticals, "critical"))]
    result = " and ".join(words for words in said if not words.startswith("0 "))
    if not result:
        result = "every hit is cancelled" if struck else "missed"
    return Shot(
        shooter.id,
        target.id,
        origin=place(shooter.at),
        goal=place(target.at),
        needed=needed,
        rolled=tuple(rolled),
        result=result,
    )


def write_moves(tank: str, order: MoveOrder) -> str:
    """T5 Return one tank's moves as players write them."""
    if order.tactic is not None:
        return f"{tank}: {write_conditions(order.when)}{order.tactic} {order.prey}".rstrip()
    legs = " then ".join(f"move {write_leg(move)}" for move in order.moves) or "stay"
    use = f"use {' '.join(order.use)} then " if order.use else ""
    return f"{tank}: {write_conditions(order.when)}{use}{legs}"


def write_targets(tank: str, order: ShootOrder) -> str:
    """T7.1 Return one tank's targets as players write them."""
    what = f"shoot {', '.join(order.targets)}" if order.targets else "hold"
    return f"{tank}: {write_conditions(order.when)}{what}"
