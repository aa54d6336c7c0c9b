"""6.6 A choice of moves: where a unit can go, and other uses of its move.

    6.6        move_choices: a choice of whole moves; rest_choices: ways to continue one; stay_choices
    6.6.4.1    walks_from: the cheapest way on foot to every hex within reach

Not every legal move is listed, only a good choice; every move listed is legal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from heapq import heappop, heappush
from itertools import islice
from typing import Final, TypeAlias

from pbem.engine.geometry.hexes import Hex, hex_name, neighbour, neighbours
from pbem.titles.panzer.close_combat.overrun_moves import attack_objections, declaration_objections, declared_by
from pbem.titles.panzer.movement.steps.acts import SOUGHT, Dismount, Enter, Exit, Mount, Overrun, Search, Unload
from pbem.titles.panzer.movement.steps.driving import Stride, entry_facings
from pbem.titles.panzer.movement.steps.on_foot import DIRECTIONS
from pbem.titles.panzer.movement.steps.route_following import follow
from pbem.titles.panzer.movement.steps.terrain_costs import crawls
from pbem.titles.panzer.movement.steps.unit_steps import March, MoveMode, UnitMover, mover_of, start, units_aboard
from pbem.titles.panzer.obstacles.pushing import push_choices
from pbem.titles.panzer.obstacles.transport import is_nimble
from pbem.titles.panzer.routes.route_search import reachable, routes
from pbem.titles.panzer.state import Inside

Steps: TypeAlias = tuple[str, ...]
MOST: Final = 40
"""The maximum number of places listed for one mode."""


def is_legal(mover: UnitMover, march: March, steps: Sequence[str]) -> bool:
    """6.6 Whether a move with these steps is possible and may end there."""
    strides, objections = follow(mover, march, steps)
    end = strides[-1].progress if strides else march
    return not objections and not any(mover.finish_objections(end))


# --- destinations ------------------------------------------------------------------------------------------------


def rest_choices(mover: UnitMover, march: March, most: int = MOST) -> Iterator[Steps]:
    """6.6 Ways to continue a move: to every hex within reach, nearest first, and off the map."""
    return islice(_rests(mover, march), most)


def _rests(mover: UnitMover, march: March) -> Iterator[Steps]:
    if march.over or march.gait == "stay":
        return
    if mover.on_foot:
        yield from (steps for steps in walks_from(mover, march) if steps and is_legal(mover, march, steps))
        yield from (steps for steps in _ways_out(march) if is_legal(mover, march, steps))
    elif not mover.unit.track_hit:
        with_group = None if march.overran else mover.with_group(march.mode)
        yield from (route.steps for route in routes(mover, march, with_group) if is_legal(mover, march, route.steps))


def walks_from(mover: UnitMover, march: March) -> list[Steps]:
    """6.6.4.1 The cheapest steps on foot to every hex within reach, nearest first."""
    return [there.steps[len(march.steps) :] for there in walking_ends(mover, march)]


def walking_ends(mover: UnitMover, march: March) -> list[March]:
    """6.6.4.1 The state of the move in every hex reached on foot by the cheapest route, nearest first.

    Its earlier steps affect later ones: the levels climbed by a quickmarch, and the floor.
    """
    found: dict[tuple[Hex | None, Inside, int], March] = {}
    waiting: list[tuple[int, int, March]] = [(march.spent, 0, march)]
    count = 0
    while waiting:
        _, _, here = heappop(waiting)
        place = here.hex, here.inside, here.levels if here.gait == "quick" else 0
        if place in found:
            continue
        found[place] = here
        for step in _onward(mover, here):
            if _is_idle(mover, here, step, found):
                continue
            stride = mover.advance(here, step)
            if isinstance(stride, Stride) and isinstance(stride.progress, March):
                count += 1
                heappush(waiting, (stride.progress.spent, count, stride.progress))
    return list(found.values())


def _is_idle(mover: UnitMover, here: March, step: str, found: Collection[object]) -> bool:
    """6.6.4.1 Whether a step on foot clearly leads to nothing new: to a hex reached before, or beyond the allowance.

    The levels climbed by a quickmarch matter, so it may pass a hex twice.
    """
    if here.hex is None or step not in DIRECTIONS or not here.entered:
        return False
    target = neighbour(here.hex, int(step))
    if here.ended or not mover.land.board.is_on_map(target):
        return True
    cost = mover.land.entering(here.hex, int(step)).total
    return (isinstance(cost, int) and cost > here.left) or (here.gait != "quick" and (target, Inside.NO, 0) in found)


def _onward(mover: UnitMover, march: March) -> list[str]:
    if march.hex is not None:
        return ["down"] if march.inside is Inside.UP else list(DIRECTIONS)
    board = mover.land.board
    return [str(Enter(hex_name(hex), way)) for hex in mover.entry for way in entry_facings(board, hex)[:1]]


def _ways_out(march: March) -> Iterator[Steps]:
    if march.hex is not None:
        yield from ((str(Exit(int(direction))),) for direction in DIRECTIONS)


# --- whole moves -------------------------------------------------------------------------------------------------


def stay_choices(mover: UnitMover) -> Iterator[Steps]:
    """6.6.7.1.1 The units that can mount or dismount a stationary vehicle."""
    begun = start(mover, "stay")
    yield from (steps for steps in _passengers(mover, begun) if is_legal(mover, begun, steps))


def move_choices(mover: UnitMover, closed: Sequence[MoveMode] = ()) -> Iterator[tuple[MoveMode, Steps]]:
    """6.6 Stay, move, or do something special; `closed` are the modes the unit cannot use."""
    unit = mover.unit
    modes: list[MoveMode] = ["cross", "quick"] if mover.on_foot else ["cross", "road"]
    modes = ["crawl"] if crawls(unit) else modes
    begun = start(mover, modes[0])
    if unit.alive and is_legal(mover, start(mover, "cross"), ()):
        yield "cross", ()
    for mode in modes:
        if mode in closed:
            continue
        if mode == modes[0]:
            yield from ((mode, steps) for steps in _specials(mover, begun) if is_legal(mover, begun, steps))
            yield from _overruns(mover)
        walking = mover_of(mover.situation, unit, quick=True) if mode == "quick" else mover
        yield from ((mode, steps) for steps in rest_choices(walking, start(walking, mode)))


def _specials(mover: UnitMover, march: March) -> Iterator[Steps]:
    """6.6.3, 6.6.4.1, 6.6.7, 6.6.9 Steps for floors, buildings, passengers and hull-down positions."""
    unit = mover.unit
    if unit.kind == "leg":
        yield ("down",) if march.inside is Inside.UP else ("up",)
    if unit.kind != "vehicle":
        return
    yield from _passengers(mover, march)
    yield from (("in",), ("f-in",), ("out",))
    yield from ((str(Search(sought, march.facing)),) for sought in SOUGHT)
    yield from push_choices(mover, march)  # 7.30


def _passengers(mover: UnitMover, march: March) -> Iterator[Steps]:
    """6.6.7.1.1 Dismount units here or in the hex ahead, mount nearby units, or unload a gun from its truck."""
    if march.hex is None:
        return
    aboard = units_aboard(mover.state, mover.unit)
    here, ahead = hex_name(march.hex), neighbour(march.hex, march.facing)
    for unit in aboard:
        yield (str(Dismount(unit.id, here, march.facing)),)
        if is_nimble(mover.data, unit) and mover.land.board.is_on_map(ahead):
            yield (str(Dismount(unit.id, hex_name(ahead), march.facing)),)
    if len(aboard) > 1:
        yield tuple(str(Dismount(unit.id, here, march.facing)) for unit in aboard)
    near = (march.hex, *neighbours(march.hex))
    for unit in mover.state.of(mover.unit.side):
        if unit.kind != "vehicle" and unit.hex in near and not unit.aboard:
            yield (str(Mount(unit.id)),)
    yield (str(Unload(march.facing)),)


def _overruns(mover: UnitMover) -> Iterator[tuple[MoveMode, Steps]]:
    """6.6.10 The shortest route to each unit that the vehicle may overrun."""
    view, unit = mover.state, mover.unit
    if unit.kind != "vehicle" or unit.hex is None or unit.track_hit:
        return
    targets = [
        enemy
        for enemy in view.vehicles.values()
        if enemy.side != unit.side
        and enemy.kind != "vehicle"
        and enemy.alive
        and not any(declaration_objections(mover.situation, unit, enemy))
    ]
    if not targets:
        return
    places = reachable(mover, start(mover, "cross"))
    for enemy in targets:
        for (hex, facing), route in places.items():
            if neighbour(hex, facing) == enemy.hex:
                steps = (*route.steps, str(Overrun(enemy.id)))
                legal = is_legal(mover, start(mover, "cross", declared_by(steps)), steps)
                if legal and not any(attack_objections(mover.situation, unit, steps)):
                    yield "cross", steps
                    break
