"""20 to 24 Strikes: the targets in a hex, and what an artillery unit can do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.air.sites import column_of
from pbem.titles.nato.air.strikes import most_points
from pbem.titles.nato.artillery.fire import battery_objections, targets_near
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.zones.airspace import airspace


def strike_finding(rule: str, result: Any, **inputs: Any) -> Finding:
    return Finding(rule, inputs=inputs, result=result)


def target_reasons(board: Board, side: Side, hex: HexId) -> Iterator[Finding]:
    """11.8.3, 23.1.5, 23.1.6, 23.2.7 Explain which air points can reach a hex, and how many."""
    tactical = airspace(board, hex, side) != "enemy"
    steps = sum(unit.steps for unit in board.at(hex, ENEMY[side]) if not unit.card.hq)
    points = most_points(steps)
    yield strike_finding("11.8.3", tactical, hex=hex, side=side)
    yield strike_finding("23.1.6", {"tactical": tactical, "operational": True, "points": points}, hex=hex)
    if board.free_city(hex, ENEMY[side]):
        yield strike_finding("23.2.7", bool(points), hex=hex)
        yield strike_finding("24.1.5", bool(points), hex=hex)


def battery_reasons(board: Board, unit: Unit) -> Iterator[Finding]:
    """24.1.4, 24.2.4 Yield the artillery points of a unit, the hexes it may strike, and its restrictions."""
    yield strike_finding("24.1.4", column_of(board, unit), unit=unit.id)
    yield strike_finding(
        "24.1", targets_near(board, unit), unit=unit.id, against=[one.rule for one in battery_objections(board, unit)]
    )
    if not unit.maneuver:
        yield strike_finding("24.2.4", ["no response", "no attack", "no advance"], unit=unit.id)
