"""T5.1, T5.4 The effect of order lines in the present position: where moves end, obstacles, possible targets.

    preview          lines as data: the arrow, outline and end of each move, with sentences
    foresee_moves    T5.1 the moves of one tank
    outlook          T7.1 the shots that a tank could make and face from a place

The forecast uses the code of the Movement Phase on the seat's view. A move that would leave the table is also
shown, with the objection to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import msgspec

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.decision import Decision, Said
from pbem.engine.rules.refusals import Objection, Refusal, each
from pbem.engine.text.compass import COMPASS
from pbem.engine.text.grammar import lines
from pbem.engine.text.messages import Message, as_message, say, say_n, several, term
from pbem.titles.tanks.bots.prospects import attack_strength
from pbem.titles.tanks.command.repairs import command_objections
from pbem.titles.tanks.ground.arrow import Course, Obstacle, reach_to_edge
from pbem.titles.tanks.ground.geometry import corners
from pbem.titles.tanks.ground.sighting import targets
from pbem.titles.tanks.movement.moves import (
    after_early,
    early_objections,
    journey,
    order_objections,
    resolve_touch,
    resolve_turn,
    resolve_way,
)
from pbem.titles.tanks.player.orders import CommandOrder, Move, MovementForm, MoveOrder
from pbem.titles.tanks.player.words import mm, write_condition, write_place
from pbem.titles.tanks.shooting.shots import defence_dice, shot_at
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank, TanksState
from pbem.titles.tanks.telling.stands import compass

CIRCUMSTANCES: Final = {
    "cover": term("tanks shot", "cover"),
    "close": term("tanks shot", "close"),
    "side": term("tanks shot", "side"),
}
"""T7.4, T7.6 The facts that change the dice of a shot."""


def preview(situation: Situation, decision: Decision[Any], text: str) -> dict[str, Any]:
    """T5.1 Return what these lines would do together: the moves of each tank's first line, or the refusals."""
    said = Said()
    try:
        for one in sorted(lines(text), key=decision.comes_last):
            said.line = one
            decision.read(decision.parse(one), said)
        answer = decision.decode(said.answer) if said.answer is not None else None
    except Refusal as refusal:
        return {
            "said": [],
            "refused": [as_message(objection.why) for single in each(refusal) for objection in single.objections],
        }
    found: dict[str, Any] = {"said": [], "refused": [], "tanks": {}}
    for told in orders_in(situation, answer, decision.ask.subject):
        add_to(found, situation, told)
    return found


class Told(NamedTuple):
    """An order for one tank: its moves, an early move that a card allows, and the objections to them."""

    tank: Tank
    order: MoveOrder
    against: list[Objection]
    early: tuple[Move, ...] = ()
    counted: bool = True
    """T5.3 Whether the moves count for speed."""


def orders_in(situation: Situation, answer: Any, subject: str) -> Iterator[Told]:
    """T1.1, T2.2, T9.2 Every order in an answer, whatever kind of question is answered."""
    view = situation.state
    if isinstance(answer, MovementForm):
        for id in dict.fromkeys((*answer.orders, *answer.early)):
            early = {id: answer.early[id]} if id in answer.early else {}
            for order in answer.orders.get(id) or [MoveOrder()]:
                yield Told(view.tanks[id], order, against_both(situation, id, early, order), tuple(early.values()))
    elif isinstance(answer, MoveOrder):
        tank = view.tanks[subject]
        yield Told(tank, answer, list(order_objections(situation, tank, answer)))
    elif isinstance(answer, dict):
        for id, order in answer.items():
            if isinstance(order, CommandOrder) and order.move is not None:
                against = list(command_objections(situation, view.tanks[id], order))
                yield Told(view.tanks[id], MoveOrder([order.move]), against, counted=False)


def against_both(situation: Situation, id: str, early: Mapping[str, Move], order: MoveOrder) -> list[Objection]:
    """T2.2 The objections to an early move and to the order after it."""
    view = situation.state
    against = [
        one for move in early.values() for one in early_objections(situation, view.tanks[id], move, "extra_move")
    ]
    there = view if against else after_early(situation, early)
    return [*against, *order_objections(Situation(situation.data, there), there.tanks[id], order)]


def add_to(found: dict[str, Any], situation: Situation, told: Told) -> None:
    """T5.1 Add what one tank would do: its arrows and outlines, sentences, and the objections to its order."""
    tank, moves = told.tank, [*told.early, *told.order.moves]
    found["tanks"].setdefault(tank.id, list(foresee_moves(situation, tank, moves)))
    found["refused"] += [say("{tank}: {why}", tank=tank.id, why=as_message(one.why)) for one in told.against]
    said: list[Message] = []
    if told.order.tactic is not None:
        said = [say("{tank} finds its own way when its turn comes.", tank=tank.id)]
    elif moves and not told.against:
        said = list(sentences(situation, told))
    if said and told.order.when:
        conditions = several(map(write_condition, told.order.when))
        said[0] = say("If {conditions}: {sentence}", conditions=conditions, sentence=said[0])
    found["said"] += said


def foresee_moves(situation: Situation, tank: Tank, moves: Sequence[Move]) -> Iterator[dict[str, Any]]:
    """T5.1 Yield each move: the arrow from `tail` to `tip`, the hull's outline and position, and what stops it."""
    data, view = situation.data, situation.state
    body, at, heading = data.bodies[tank.model], tank.at, tank.heading
    table = data.scenario.table
    for move, arrival in zip(moves, journey(situation, tank, moves), strict=True):
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


def sentences(situation: Situation, told: Told) -> Iterator[Message]:
    """T5.4, T7.1 Say where the moves end, what stops them, and which shots the tank could make and face there."""
    tank, arrivals = told.tank, journey(situation, told.tank, [*told.early, *told.order.moves])
    for number, (at, _, stopped) in enumerate(arrivals[:-1], start=1 - len(told.early)):
        if stopped is not None:
            yield say_stop(tank.id, number, at, stopped)
    at, heading, stopped = arrivals[-1]
    yield say_end(tank.id, at, heading, stopped)
    places = [tank.at, *(arrival.at for arrival in arrivals)]
    made = sum(before != after for before, after in list(pairwise(places))[len(told.early) :])
    yield from outlook(
        Situation(situation.data, with_tank_at(situation.state, tank, at, heading, made if told.counted else 0)),
        tank.id,
    )


def say_stop(tank: str, number: int, at: Point, by: Obstacle) -> Message:
    """T5.4 Say what stops a move before the last one; an early move that a card allows is number 0."""
    about = {"obstacle": by.name, "tank": tank, "place": write_place(at.x, at.y), "rule": by.rule}
    if number < 1:
        return say("{obstacle} stops the first move of {tank} at {place} ({rule}).", **about)
    return say("{obstacle} stops move {number} of {tank} at {place} ({rule}).", number=number, **about)


def say_end(tank: str, at: Point, heading: int, by: Obstacle | None) -> Message:
    """T5.1, T5.4 Say where the last move ends, and what stops it."""
    point = COMPASS[compass(heading)]
    about = {"tank": tank, "place": write_place(at.x, at.y), "compass": point, "heading": heading}
    if by is None:
        return say("{tank} ends at {place} facing {compass} ({heading}°).", **about)
    return say(
        "{tank} ends at {place} facing {compass} ({heading}°), stopped by {obstacle} ({rule}).",
        obstacle=by.name,
        rule=by.rule,
        **about,
    )


def with_tank_at(view: TanksState, tank: Tank, at: Point, heading: int, speed: int) -> TanksState:
    """T5.3 The view with a tank at another position and with the speed that its moves give it."""
    moved = msgspec.structs.replace(tank, at=at, heading=heading, speed=speed, moved=speed > 0)
    return msgspec.structs.replace(view, tanks={**view.tanks, tank.id: moved})


def outlook(situation: Situation, id: str) -> Iterator[Message]:
    """T7.1, T7.4, T7.6 List the shots that a tank could make and face from its position, with both sides' dice."""
    view = situation.state
    tank = view.tanks[id]
    given = [
        dice(situation, tank, foe, named=foe.id) for foe in map(view.tanks.__getitem__, targets(situation, tank))
    ]
    foes = [foe for foe in view.enemies(tank.seat) if id in targets(situation, foe)]
    taken = [dice(situation, foe, tank, named=foe.id) for foe in foes]
    if given:
        yield say("From there {tank} could shoot at {targets}.", tank=id, targets=several(given, "unit"))
    if taken:
        yield say("There {tank} could be shot at by {shooters}.", tank=id, shooters=several(taken, "unit"))
    if not given and not taken:
        yield say("From there {tank} would see no enemy, and no enemy would see it.", tank=id)


def dice(situation: Situation, shooter: Tank, target: Tank, *, named: str) -> Message:
    """T7.4, T7.6 Summarise a shot: attack dice against defence dice, with the reasons."""
    shot = shot_at(situation, shooter, target)
    true = {"cover": shot.cover, "close": shot.close, "side": shot.side}
    why = several([CIRCUMSTANCES[name] for name, holds in true.items() if holds], "unit")
    attack, defence = attack_strength(situation, shot), defence_dice(situation.data, shot)
    about = {"tank": named, "defence": defence}
    if not why.items:
        return say_n("{tank} ({n} die against {defence})", "{tank} ({n} dice against {defence})", n=attack, **about)
    return say_n(
        "{tank} ({n} die against {defence}, {why})",
        "{tank} ({n} dice against {defence}, {why})",
        n=attack,
        why=why,
        **about,
    )
