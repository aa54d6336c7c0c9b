"""13 Rail movement: entraining, flipping the marker, moving up to twenty hexes, and detraining.

13.1    entrain_objections, flip_trains
13.2    rail_objections, rail_way
13.3    entrained_steps: the capacity of the railways
13.7    from the Strategic Reserve Box to a reinforcement box
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import HexId, distance
from pbem.titles.nato.movement.costs import is_interdicted, keep_out_objections, sector_of
from pbem.titles.nato.state import ENEMY, SRB
from pbem.titles.nato.zones.airspace import airspace_objections

ENTRAINING, ENTRAINED = "entraining", "entrained"


def train_objections(board: Board, unit: Unit) -> Iterator[Objection]:
    """13.1 Yield an objection for each condition that a unit fails when it entrains or when its marker is flipped."""
    if unit.piece.ms_out or (unit.card.hq and not unit.piece.supplied):
        yield Objection("13.1", say("the unit is out of supply"))
    if unit.piece.disrupted:
        yield Objection("13.1", say("the unit is disrupted or suppressed"))
    if unit.at not in board.atlas.places:
        return
    if board.is_contaminated(unit.at):
        yield Objection("13.1", say("{at} has a strike marker", at=unit.at))
    if board.ezoc(unit.at, unit.side):
        yield Objection("13.1", say("{at} is in an enemy zone of control", at=unit.at))
    yield from airspace_objections(board, unit.at, unit.side, "13.1")


def entrain_objections(board: Board, unit: Unit) -> Iterator[Objection]:
    """13.1 Yield the reasons why a unit cannot get an entraining marker."""
    if not board.data.plays("rail"):
        yield Objection("13.0", say("the scenario has no rail movement"))
    if unit.piece.train:
        yield Objection("13.1", say("the unit is already on a train"))
    if unit.piece.moved:
        yield Objection("7.2", say("the unit has already moved"))
    if not unit.piece.active:
        yield Objection("35.2", say("the unit is not activated"))
    yield from train_objections(board, unit)


def entrained_steps(board: Board, side: Side) -> int:
    """13.3 The number of a side's steps that are entrained."""
    return sum(unit.steps for unit in board.of(side) if unit.piece.train == ENTRAINED)


def capacity(board: Board, side: Side) -> int:
    """13.3 Return how many steps of a side may be entrained at a time."""
    return board.data.charts.number(f"rail_{side}")


def flip_trains(board: Board, side: Side, first: Sequence[str] = ()) -> list[str]:
    """13.1, 13.3 Flip the entraining markers of units that still meet all conditions, up to the rail capacity."""
    flipped = []
    for unit in sorted(board.of(side), key=lambda unit: (unit.id not in first, unit.id)):
        if unit.piece.train != ENTRAINING or any(train_objections(board, unit)):
            continue
        if entrained_steps(board, side) + unit.steps <= capacity(board, side):
            unit.piece.train = ENTRAINED
            flipped.append(unit.id)
    return flipped


def hex_objections(board: Board, hex: HexId, side: Side) -> Iterator[Objection]:
    """13.2 Yield the reasons why rail movement cannot enter a hex."""
    enemy = ENEMY[side]
    if board.holds(hex, enemy) or board.controller(hex) is enemy:
        yield Objection("13.2", say("the enemy holds {hex}", hex=hex))
    if board.ezoc(hex, side):
        yield Objection("13.2", say("{hex} is in an enemy zone of control", hex=hex))
    if is_interdicted(board, hex, side):
        yield Objection("13.2", say("{hex} is in an enemy air interdiction zone", hex=hex))
    if hex in board.state.nuclear:
        yield Objection("13.2", say("{hex} has a Nuclear Strike marker", hex=hex))
    yield from airspace_objections(board, hex, side, "13.2")


def rail_objections(board: Board, unit: Unit, end: str) -> Iterator[Objection]:
    """13.2, 13.7 Yield the reasons why an entrained unit cannot go to a hex, or from the reserve box to another
    box.
    """
    if unit.piece.train != ENTRAINED:
        yield Objection("13.2", say("the unit is not entrained"))
        return
    if unit.piece.moved:
        yield Objection("7.2", say("the unit has already moved"))
    if unit.at == SRB:  # 2.2.5
        friendly = (1, 2) if unit.side is Side.NATO else (3, 4, 5)
        if sector_of(end) not in friendly:
            yield Objection(
                "13.7", say("from the Strategic Reserve Box a train can only go to the box of a friendly sector")
            )
        return
    if end not in board.atlas.places:
        yield Objection("13.2", say("{end} is not on the map", end=end))
        return
    if unit.at in board.atlas.places:
        yield from hex_objections(board, unit.at, unit.side)
    if rail_way(board, unit, end) is None:
        yield Objection(
            "13.2",
            say(
                "no open rail line of up to {number} hexes leads to {end}",
                number=board.data.charts.number("rail"),
                end=end,
            ),
        )
    yield from keep_out_objections(board, unit, end)


def rail_way(board: Board, unit: Unit, end: HexId) -> list[HexId] | None:
    """13.2 Return the shortest open path to a hex; the search tries hexes in its direction first."""
    limit, side = board.data.charts.number("rail"), unit.side
    start: list[HexId] = [unit.at] if unit.at in board.atlas.places else []
    entries = [] if start else list(board.atlas.sectors.get(sector_of(unit.at), ()))
    waiting = [(distance(unit.at, end), 0, unit.at)] if start else []
    before: dict[HexId, HexId] = {}
    spent: dict[HexId, int] = dict.fromkeys(start, 0)
    for hex in entries:
        if not any(hex_objections(board, hex, side)):
            spent[hex] = 1
            heappush(waiting, (1 + distance(hex, end), 1, hex))
    while waiting:
        _, used, hex = heappop(waiting)
        if hex == end:
            return _walk_back(before, hex, unit.at)
        for near in board.data.ground_steps.get(hex, ()):
            total = used + 1
            if total + distance(near, end) > limit or total >= spent.get(near, limit + 1):
                continue
            if not any(hex_objections(board, near, side)) and not any(keep_out_objections(board, unit, near)):
                spent[near], before[near] = total, hex
                heappush(waiting, (total + distance(near, end), total, near))
    return None


def _walk_back(before: dict[HexId, HexId], hex: HexId, start: str) -> list[HexId]:
    way = [hex]
    while way[-1] in before and before[way[-1]] != start:
        way.append(before[way[-1]])
    return [hex for hex in reversed(way) if hex != start]
