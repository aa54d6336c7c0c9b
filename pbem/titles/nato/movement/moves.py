"""12.2 to 12.5 Moves: modes, allowances, the cheapest path, and objections to a path.

12.2     allowance
12.5     mode_objections: the modes open to a unit
12.2     walk: the cost of a path and every objection to it
12.2     reachable_hexes, cheapest_way: where a unit can go
12.6     reserve_objections: the units that may be placed in reserve
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.geometry.paths import Paths, cheapest, route
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.map.atlas import FERRY
from pbem.titles.nato.map.grid import HexId, adjacent
from pbem.titles.nato.map.ground import Hexside
from pbem.titles.nato.movement.costs import (
    MARCH,
    MINIMUM,
    TACTICAL,
    cost_parts,
    entry_objections,
    march_objections,
    must_stop,
    step_cost,
    stop_objections,
    ways,
    zone_counts,
    zone_objections,
)
from pbem.titles.nato.supply.links import ferry_open

MODES = (TACTICAL, MARCH, MINIMUM)


@dataclass
class Walk:
    """A path with its cost and all objections to it."""

    parts: list[tuple[str, int]] = field(default_factory=list)
    """12.1 The movement costs along the path, part by part."""
    objections: list[Objection] = field(default_factory=list)

    @property
    def spent(self) -> int:
        return sum(value for _, value in self.parts)

    def rows(self) -> list[dict[str, Any]]:
        """12.1 Return each reason for the cost once, with the number of times that it applied."""
        times = Counter(self.parts)
        return [{"text": text, "value": value, "times": times[text, value]} for text, value in times]


def allowance(unit: Unit, mode: str, *, reserve: bool = False) -> int:
    """12.2, 12.4, 28.2.1 Return the movement points of a unit."""
    printed = unit.allowance
    if reserve:
        return -(-printed // 2)  # 28.2.1: half, rounded up
    if mode == MARCH:
        return 2 * printed
    halved = unit.piece.ms_out or (unit.card.hq and not unit.piece.supplied)
    return printed // 2 if halved else printed  # 10.4.2.2, 10.4.3/half-allowance, 10.4.3, 10.5.3


def points(board: Board, unit: Unit, mode: str, *, reserve: bool = False) -> int:
    """12.2, 35.3.3 The movement points of a unit, limited by its army's die roll under the general deployment
    plan.
    """
    found = allowance(unit, mode, reserve=reserve)
    return min(found, board.state.gdp_limit) if board.state.gdp_army else found


def unit_objections(unit: Unit, *, reserve: bool = False) -> Iterator[Objection]:
    """7.2 Yield the reasons why a unit cannot move at all in this segment."""
    if reserve and not unit.piece.reserve:
        yield Objection("28.2", say("the unit has no reserve marker"))
    if unit.piece.moved:  # 12.0/one-mode
        yield Objection("7.2", say("the unit has already moved"))
    if unit.piece.train:
        yield Objection("12.0", say("the unit is on a train"))
    if not unit.piece.active:
        yield Objection("35.2", say("the unit is not activated"))


def fixed_objections(board: Board, unit: Unit) -> Iterator[Objection]:
    """36 Yield an objection if the scenario does not let the unit move."""
    if unit.id in board.data.scenario.fixed:
        yield Objection("36", say("the scenario does not let the unit move"))


def mode_objections(board: Board, unit: Unit, mode: str, *, reserve: bool = False) -> Iterator[Objection]:
    """12.2.1, 12.4, 12.5.1 Yield the reasons why a unit cannot use a mode."""
    yield from fixed_objections(board, unit)
    if mode != MINIMUM and unit.piece.disrupted:  # 29.2.3
        yield Objection(
            "12.5.1",
            say("the unit is disrupted, so it can move only one hex")
            if unit.maneuver
            else say("the unit is suppressed, so it can move only one hex"),
        )
    if mode != MINIMUM and board.is_contaminated(unit.at):
        yield Objection("12.5.1", say("{at} has a strike marker, so the unit can move only one hex", at=unit.at))
    if mode != MARCH:
        return
    if reserve:
        yield Objection("12.2.2", say("reserves cannot march"))
    if unit.card.hq:
        yield Objection("12.4.2", say("headquarters cannot march"))
    if unit.piece.ms_out:
        yield Objection("12.4", say("the unit is out of movement supply"))
    yield from march_objections(board, unit, unit.at)


def hexside_of(board: Board, start: str, end: HexId) -> Hexside | None:
    """12.1.1 The hexside that ground movement crosses from one place to another; None if there is no way across."""
    return next((hexside for near, hexside in ways(board, start) if near == end), None)


def ferry_hexside(board: Board, unit: Unit, start: str, end: HexId, mode: str) -> Hexside | None:
    """12.8 Return the Danish ferry if the unit can use it: one unit each way, by minimum move, in the Ground
    Movement Segment.
    """
    crosses = mode == MINIMUM and {start, end} == set(FERRY) and end in board.atlas.places
    if crosses and ferry_open(board, unit.side) and start not in board.state.ferried:
        return board.atlas.hexside(start, end)
    return None


def step_objections(board: Board, unit: Unit, start: str, end: HexId, mode: str) -> Iterator[Objection]:
    """12.1 to 12.5 Yield the reasons why a unit cannot take one step."""
    yield from entry_objections(board, unit, end, mode)
    yield from zone_objections(board, unit, start, end, mode)
    if mode == MARCH:
        yield from march_objections(board, unit, end)


def hex_objections(board: Board, unit: Unit, end: HexId, mode: str) -> Iterator[Objection]:
    """12.1.2, 12.4 Yield the reasons why a unit cannot enter a hex, regardless of the direction."""
    yield from entry_objections(board, unit, end, mode)
    if mode == MARCH:
        yield from march_objections(board, unit, end)


def walk(board: Board, unit: Unit, path: Sequence[HexId], mode: str, *, reserve: bool = False) -> Walk:
    """12.2 Follow a path hex by hex, add up its cost and collect all objections to it."""
    found = Walk(objections=[*unit_objections(unit, reserve=reserve)])
    found.objections += mode_objections(board, unit, mode, reserve=reserve)
    here: str = unit.at
    limit = points(board, unit, mode, reserve=reserve)
    for number, end in enumerate(path):
        hexside = hexside_of(board, here, end) if end in board.atlas.places else None
        hexside = hexside or (None if reserve else ferry_hexside(board, unit, here, end, mode))
        if hexside is None:
            found.objections += no_way_objections(board, unit, here, end, mode, limit)
            return found
        if number:
            found.objections += stop_objections(board, unit, here)
        if number and mode == MINIMUM:
            found.objections.append(Objection("12.5", say("a minimum move is one hex")))
        found.objections += step_objections(board, unit, here, end, mode)
        found.parts += cost_parts(board, unit, here, end, hexside, reserve=reserve)
        here = end
    if mode != MINIMUM and found.spent > limit:
        found.objections.append(
            Objection(
                "12.2",
                say("the path costs {spent} movement points; the unit has {limit}", spent=found.spent, limit=limit),
            )
        )
    return found


def no_way_objections(board: Board, unit: Unit, here: str, end: str, mode: str, limit: int) -> Iterator[Objection]:
    """12.1.1, 12.2 Yield the reason why no step leads to a hex: a closed hexside, something in the hex, or the
    cost.
    """
    if end not in board.atlas.places or here not in board.atlas.places or adjacent(here, end):
        yield Objection("12.1.1", say("ground movement cannot go from {here} to {end}", here=here, end=end))
    elif against := list(hex_objections(board, unit, end, mode)):
        yield from against
    else:
        yield Objection(
            "12.2",
            say("no path of {limit} movement points leads from {here} to {end}", limit=limit, here=here, end=end),
        )


class Stepping:
    """12.1 The steps open to a unit in the present position; checks that concern only the hex entered are cached."""

    def __init__(self, board: Board, unit: Unit, mode: str, *, reserve: bool) -> None:
        self.board, self.unit, self.mode, self.reserve = board, unit, mode, reserve
        self._open: dict[HexId, bool] = {}
        self._costs: dict[tuple[HexId, Hexside, bool], int] = {}

    def from_(self, hex: str) -> Iterator[tuple[str, int]]:
        """12.1 Yield the hexes that can be entered from a hex, with the cost of each."""
        board, unit, mode = self.board, self.unit, self.mode
        on_map = hex in board.atlas.places
        leaving = on_map and zone_counts(board, unit, hex, reserve=self.reserve)
        bound = on_map and not unit.card.hard and board.ezoc(hex, unit.side)  # others meet no zone_objections
        for end, hexside in ways(board, hex):
            if self.may_enter(end) and not (bound and any(zone_objections(board, unit, hex, end, mode))):
                key = (end, hexside, leaving)
                cost = self._costs.get(key)
                if cost is None:
                    cost = 1 if mode == MINIMUM else step_cost(board, unit, hex, end, hexside, reserve=self.reserve)
                    self._costs[key] = cost
                yield end, cost

    def may_enter(self, end: HexId) -> bool:
        """12.1.2, 12.4 Return whether the unit may enter a hex, no matter from which direction."""
        if end not in self._open:
            self._open[end] = not any(hex_objections(self.board, self.unit, end, self.mode))
        return self._open[end]


def reachable_hexes(
    board: Board, unit: Unit, mode: str, *, reserve: bool = False, goal: HexId | None = None
) -> Paths[str]:
    """12.2 The cheapest paths of a unit to all hexes that it can reach in a mode."""
    start = unit.at
    if any(unit_objections(unit, reserve=reserve)) or any(mode_objections(board, unit, mode, reserve=reserve)):
        return Paths(start, {start: 0}, {})

    step = Stepping(board, unit, mode, reserve=reserve)

    def edges(hex: str) -> Iterator[tuple[str, int]]:
        if hex == start or not (mode == MINIMUM or must_stop(board, unit, hex, reserve=reserve)):
            yield from step.from_(hex)

    return cheapest(start, goal, edges, 1 if mode == MINIMUM else points(board, unit, mode, reserve=reserve))


def cheapest_way(
    board: Board, unit: Unit, stops: Sequence[HexId], mode: str, *, reserve: bool = False
) -> list[HexId] | None:
    """12.2 The unit's cheapest path through these hexes to the last one; None if it cannot get there in this mode."""
    if len(stops) == 1:
        found = route(reachable_hexes(board, unit, mode, reserve=reserve, goal=stops[0]), stops[0])
        return None if found is None else list(found[1:])
    way = _over(board, unit, stops, mode, reserve=reserve)
    return way if way is not None and not walk(board, unit, way, mode, reserve=reserve).objections else None


def _over(board: Board, unit: Unit, stops: Sequence[HexId], mode: str, *, reserve: bool) -> list[HexId] | None:
    way: list[HexId] = []
    here, step = unit.at, Stepping(board, unit, mode, reserve=reserve)
    for stop in stops:
        found = route(cheapest(here, stop, step.from_, points(board, unit, mode, reserve=reserve)), stop)
        if found is None:
            return None
        way += found[1:]
        here = stop
    return way


def reserve_objections(board: Board, unit: Unit, end: str, mode: str, spent: int) -> Iterator[Objection]:
    """12.6, 28.1 Yield the reasons why a unit cannot be placed in reserve where its move ends."""
    half = allowance(unit, mode) // 2
    if not unit.maneuver:
        yield Objection("28.1", say("only maneuver units can be placed in reserve"))
    if end not in board.atlas.places:
        yield Objection("28.1", say("only units on the map can be placed in reserve"))
    if mode == MINIMUM:
        yield Objection("28.1", say("a minimum move uses the whole allowance"))
    elif spent > half:
        yield Objection(
            "28.1",
            say(
                "the unit has spent {spent} movement points; the limit is half its allowance, {half}",
                spent=spent,
                half=half,
            ),
        )
    if unit.piece.ms_out or unit.piece.cs_out:
        yield Objection("28.1", say("the unit is out of supply"))
    if unit.piece.disrupted:
        yield Objection("28.1", say("the unit is disrupted"))
    if unit.piece.train:
        yield Objection("28.1", say("the unit is on a train"))
    if not unit.piece.active:
        yield Objection("35.2", say("the unit is not activated"))
    if any(hex in board.atlas.places and board.is_contaminated(hex) for hex in (unit.at, end)):
        yield Objection("28.1", say("the unit's move starts or ends in a hex with a strike marker"))
    if board.ezoc(end, unit.side):
        yield Objection("12.6", say("{at} is in an enemy zone of control", at=end))
    if board.adjacent_enemy(end, unit.side):
        yield Objection("28.1", say("an enemy unit is adjacent"))
