"""8.1, 11.8, 12 Movement: the modes open to a unit, and the cost of a path, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.map.atlas import FERRY
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.movement.costs import MARCH, border_troops, cost_parts, in_breakthrough, march_objections
from pbem.titles.nato.movement.moves import ferry_hexside, hexside_of, mode_objections, walk
from pbem.titles.nato.movement.rail import train_objections
from pbem.titles.nato.supply.links import ferry_open
from pbem.titles.nato.zones.airspace import airspace


def move_finding(rule: str, result: Any, **inputs: Any) -> Finding:
    return Finding(rule, inputs=inputs, result=result)


def mode_reasons(board: Board, unit: Unit) -> Iterator[Finding]:
    """8.1.1, 11.8, 12.2.1 Yield the movement modes open to a unit in its present hex."""
    if unit.at not in board.atlas.places:
        return
    zone, status = board.ezoc(unit.at, unit.side), airspace(board, unit.at, unit.side)
    march = [objection.rule for objection in mode_objections(board, unit, MARCH)]
    rail = [objection.rule for objection in train_objections(board, unit)]
    modes = ["tactical", *(["march"] if not march else []), *(["rail"] if not rail else [])]
    yield move_finding("12.0/one-mode", modes if not unit.piece.moved else [], unit=unit.id)
    if zone:
        yield move_finding("8.1.1", modes, unit=unit.id, hex=unit.at)
    yield move_finding("11.8.1" if status == "friendly" else "11.8.2", modes, unit=unit.id, airspace=status)
    yield move_finding("11.8", status, hex=unit.at)
    yield move_finding("12.2.1", march, unit=unit.id)
    if any(rule == "12.4.1" for rule in march):
        yield move_finding("35.4", False, unit=unit.id)


def way_reasons(
    board: Board, unit: Unit, path: Sequence[HexId], mode: str, *, reserve: bool = False
) -> Iterator[Finding]:
    """12.1, 8.1.2, 12.3.1 Yield the cost of a path hex by hex, and the objections to it."""
    here: str = unit.at
    total = walk(board, unit, path, mode, reserve=reserve)
    for end in path:
        hexside = hexside_of(board, here, end) or ferry_hexside(board, unit, here, end, mode)
        if hexside is None:
            break
        parts = dict(cost_parts(board, unit, here, end, hexside, reserve=reserve))
        yield move_finding("12.1", parts, hex=end)
        if board.ezoc(end, unit.side):
            yield from zone_reasons(board, unit, here, end, mode, reserve=reserve)
        if border_troops(board, unit, hexside, reserve=reserve):
            yield move_finding("35.6", 1, hex=end)
        if {here, end} == set(FERRY):
            yield move_finding("12.8", ferry_open(board, unit.side), hex=end)
        here = end
    yield move_finding("12.2", total.spent, unit=unit.id, against=[objection.rule for objection in total.objections])
    if reserve:
        yield move_finding("28.2.3", path[-1] if path and not total.objections else "", unit=unit.id)


def zone_reasons(board: Board, unit: Unit, start: str, end: HexId, mode: str, *, reserve: bool) -> Iterator[Finding]:
    """8.1.2, 8.1.6, 12.3.1, 24.2.1 Yield the effects of an enemy zone of control on a unit that enters it."""
    against = [objection.rule for objection in march_objections(board, unit, end)] if mode == MARCH else []
    yield move_finding("8.1.2", not against, hex=end, mode=mode)
    both = board.ezoc(start, unit.side)
    if unit.card.hard:
        yield move_finding("12.3.1", "goes on", hex=end)
    elif both:
        yield move_finding("24.2.1" if unit.card.artillery else "12.3.2", board.is_negated(end, unit.side), hex=end)
    if reserve and in_breakthrough(board, end):
        yield move_finding("25.9.3", unit.card.hard, hex=end)
        yield move_finding("8.1.6", unit.card.hard, hex=end)
