"""9 Stacking: a side may have four maneuver steps, one artillery step and one HQ step in a hex.

9.1.1   stack_objections, excess: violations of the limits in a hex
9.1.1   room: how many maneuver steps still fit
29.1    two HQs never stack voluntarily
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import HexId


def maneuver_steps(units: Iterable[Unit]) -> int:
    """9.1.1 Return the number of maneuver steps among these units."""
    return sum(unit.steps for unit in units if unit.maneuver)


def room(board: Board, hex: HexId, side: Side) -> int:
    """9.1.1 Return how many more maneuver steps a side may have in a hex."""
    return board.data.charts.number("stack") - maneuver_steps(board.at(hex, side))  # 6.0/stacking-limit


def stack_objections(board: Board, hex: HexId, side: Side) -> Iterator[Objection]:
    """9.1.1, 29.1 Yield every violation of the stacking limits in a hex."""
    units = board.at(hex, side)
    limit, steps = board.data.charts.number("stack"), maneuver_steps(units)
    if steps > limit:
        yield Objection(
            "9.1.1",
            say("{hex} would hold {steps} maneuver steps; the limit is {limit}", hex=hex, steps=steps, limit=limit),
        )
    if len([unit for unit in units if unit.card.artillery]) > 1:
        yield Objection("9.1.1", say("{hex} would hold two artillery units; the limit is one", hex=hex))
    if len([unit for unit in units if unit.card.hq]) > 1:
        yield Objection("29.1", say("{hex} would hold two headquarters", hex=hex))


def excess(board: Board, hex: HexId, side: Side) -> bool:
    """9.1.1 Return whether a side exceeds the stacking limits in a hex."""
    return any(stack_objections(board, hex, side))
