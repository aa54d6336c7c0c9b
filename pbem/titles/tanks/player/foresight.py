"""T5.1, T5.4 The effect of an order line in the present position: ends of moves, obstacles, possible targets.

    preview     a line as data: the arrow, the outline and the place of each move, and sentences
    foreseen    T5.1 the moves of one tank
    outlook     T7.1 the shots that a place gives and takes

It uses the code of the Movement Phase itself, on the view of the seat. A move that would leave the table
is shown as well, with the reason against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.decision import Decision, Said
from pbem.engine.rules.refusals import Refusal, each
from pbem.engine.text.grammar import lines
from pbem.titles.tanks.bots.prospects import attack_strength
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.ground.arrow import Course, reach_to_edge
from pbem.titles.tanks.ground.geometry import corners
from pbem.titles.tanks.ground.sighting import targets
from pbem.titles.tanks.movement.moves import (
    journey,
    order_objections,
    resolve_touch,
    resolve_turn,
    resolve_way,
)
from pbem.titles.tanks.player.orders import CommandOrder, Move, MovementForm, MoveOrder
from pbem.titles.tanks.player.stands import compass
from pbem.titles.tanks.player.words import mm
from pbem.titles.tanks.shooting.shots import defence_dice, shot_at
from pbem.titles.tanks.state import Tank, TanksState


def preview(data: TanksData, view: TanksState, decision: Decision[Any], line: str) -> dict[str, Any]:
    """T5.1 Return what a line would do: each tank's moves, and sentences; if the line cannot be read, the reason."""
    said = Said()
    try:
        for one in lines(line):
            said.line = one
            decision.read(decision.parse(one), said)
        answer = decision.decode(said.answer) if said.answer is not None else None
    except Refusal as refusal:
        return {
            "said": [],
            "refused": [objection.english for single in each(refusal) for objection in single.objections],
        }
    found: dict[str, Any] = {"said": [], "refused": [], "tanks": {}}
    for id, order in orders_in(answer, decision.ask.subject).items():
        tank = view.tanks[id]
        moves, tactic = order.moves, order.tactic
        against = [objection.english for objection in order_objections(data, view, tank, order)]
        found["tanks"][id] = list(foreseen(data, view, tank, moves))
        found["refused"] += [f"{id}: {why}" for why in against]
        if tactic is not None:
            found["said"].append(f"{id} finds its own way when its turn comes.")
        elif moves and not against:
            found["said"] += sentences(data, view, tank, moves)
    return found


def orders_in(answer: Any, subject: str) -> Mapping[str, MoveOrder]:
    """T1.1, T9.2 The first alternative for each tank, whatever kind of question is answered."""
    if isinstance(answer, MovementForm):
        return {id: orders[0] for id, orders in answer.orders.items() if orders}
    if isinstance(answer, MoveOrder):
        return {subject: answer}
    if isinstance(answer, dict):
        moves = {id: order.move for id, order in answer.items() if isinstance(order, CommandOrder)}
        return {id: MoveOrder([move]) for id, move in moves.items() if move is not None}
    return {}


def foreseen(data: TanksData, view: TanksState, tank: Tank, moves: Sequence[Move]) -> Iterator[dict[str, Any]]:
    """T5.1 Yield each move: the arrow from `tail` to `tip`, the outline of the hull, its position, and what
    stops it.
    """
    body, at, heading = data.bodies[tank.model], tank.at, tank.heading
    table = data.scenario.table
    for move, arrival in zip(moves, journey(data, view, tank, moves), strict=True):
        way = resolve_way(view, at, move.way)
        leave, _ = resolve_touch(body, heading, way, resolve_turn(view, at, way, move.face), move)
        course, start = Course(at, way, leave), reach_to_edge(body, way - heading, leave)
        hull = corners(body, arrival.at, arrival.heading)
        yield {
            "way": way,
            "tail": point(course.at(start)),
            "tip": point(course.at(start + data.scenario.arrow)),
            "outline": [point(corner) for corner in hull],
            "at": point(arrival.at),
            "heading": arrival.heading,
            "stopped": arrival.stopped.name if arrival.stopped is not None else "",
            "rule": arrival.stopped.rule if arrival.stopped is not None else "",
            "off": any(not (0 <= corner.x <= table and 0 <= corner.y <= table) for corner in hull),
        }
        at, heading = arrival.at, arrival.heading


def point(at: Point) -> list[str]:
    """T3 A point in millimetres, as players write it."""
    return [mm(at.x) if at.x >= 0 else f"-{mm(-at.x)}", mm(at.y) if at.y >= 0 else f"-{mm(-at.y)}"]


def sentences(data: TanksData, view: TanksState, tank: Tank, moves: Sequence[Move]) -> Iterator[str]:
    """T5.4, T7.1 Say where the moves end, what stops them, and which shots the tank could make and face there."""
    arrivals = journey(data, view, tank, moves)
    for number, (at, _, stopped) in enumerate(arrivals[:-1], start=1):
        if stopped is not None:
            yield f"{stopped.name} stops move {number} of {tank.id} at {mm(at.x)}/{mm(at.y)} ({stopped.rule})."
    at, heading, stopped = arrivals[-1]
    why = f", stopped by {stopped.name} ({stopped.rule})" if stopped is not None else ""
    yield f"{tank.id} ends at {mm(at.x)}/{mm(at.y)} facing {compass(heading)} ({heading}°){why}."
    yield from outlook(data, with_tank_at(view, tank, at, heading, len(moves)), tank.id)


def with_tank_at(view: TanksState, tank: Tank, at: Point, heading: int, speed: int) -> TanksState:
    """T5.3 The view with a tank at another position, with the speed that its moves give it."""
    moved = msgspec.structs.replace(tank, at=at, heading=heading, speed=speed, moved=speed > 0)
    return msgspec.structs.replace(view, tanks={**view.tanks, tank.id: moved})


def outlook(data: TanksData, view: TanksState, id: str) -> Iterator[str]:
    """T7.1, T7.4, T7.6 List the shots that a tank could make and face from its position, with the dice of both
    sides.
    """
    tank = view.tanks[id]
    given = [dice(data, view, tank, view.tanks[target]) for target in targets(data, view, tank)]
    foes = [foe for foe in view.enemies(tank.seat) if id in targets(data, view, foe)]
    taken = [dice(data, view, foe, tank, named=foe.id) for foe in foes]
    if given:
        yield f"From there {id} could shoot at {', '.join(given)}."
    if taken:
        yield f"There {id} could be shot at by {', '.join(taken)}."
    if not given and not taken:
        yield f"There {id} sees no enemy, and none sees it."


def dice(data: TanksData, view: TanksState, shooter: Tank, target: Tank, *, named: str = "") -> str:
    """T7.4, T7.6 Summarise a shot: attack dice against defence dice, and why."""
    shot = shot_at(data, view, shooter, target)
    facts = [word for word, true in (("cover", shot.cover), ("close", shot.close), ("side", shot.side)) if true]
    why = f", {', '.join(facts)}" if facts else ""
    return f"{named or target.id} ({attack_strength(data, view, shot)} dice against {defence_dice(data, shot)}{why})"
