"""Orders for many tanks at once: complete lines for a selection of tanks, each accepted exactly as written.

    formations    the platoon, and the tanks of each model
    verbs         the orders that many tanks can be given in a phase
    propose       T5.1 moves, T7.1 targets, T8.3 repairs and T9.2 Blitzkrieg for many

A move in formation has the same direction and the same number of arrows for all. When tanks move to one place,
each takes its own direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Final, NamedTuple

import msgspec

from pbem.engine.geometry.plane import Point, squared_distance
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Objection, Refusal, Unreadable, each
from pbem.engine.rules.title import Formation, Proposal, Wish
from pbem.engine.text.messages import Message, as_message, say, several
from pbem.titles.tanks.command.repairs import can_blitz, worst
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.decisions.base import TankLines
from pbem.titles.tanks.ground.geometry import bearing_to
from pbem.titles.tanks.ground.sighting import target_objections
from pbem.titles.tanks.movement.moves import allowance, journey, order_objections, point_of
from pbem.titles.tanks.player.language import COMPASS, compass
from pbem.titles.tanks.player.orders import PREFERENCES, RULE, Move, MoveOrder
from pbem.titles.tanks.player.words import write_leg
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Status, Tank, TanksState

VERBS: Final[Mapping[str, tuple[str, ...]]] = {
    "movement": ("move", "hunt", "rush", "hide", "stay"),
    "shooting": ("shoot", "hold"),
    "command": ("blitz", "repair", "hold"),
}
ALIKE: Final = {"fire": "shoot", "go": "move"}
"""Synonyms of verbs."""


def formations(situation: Situation, seat: str) -> tuple[Formation, ...]:
    """T4 Return the seat's platoon, and a group of tanks for each model that it has several of."""
    data = situation.data
    own = [tank for tank in situation.state.tanks.values() if tank.seat == seat and tank.status is not Status.WRECK]
    found = [Formation("platoon", "Your platoon", tuple(tank.id for tank in own))]
    for model in dict.fromkeys(tank.model for tank in own):
        alike = tuple(tank.id for tank in own if tank.model == model)
        if 1 < len(alike) < len(own):
            found.append(Formation(model, data.models[model].name, alike))
    return tuple(found)


def verbs(data: TanksData, ask: Ask) -> tuple[str, ...]:
    """T1.1, T1.2 Return the orders that can be given to many tanks at once; at the pace `tank` there are none."""
    at_once = data.scenario.pace == "forms" or ask.kind == "command"
    return VERBS.get(ask.kind, ()) if at_once else ()


class Told(msgspec.Struct):
    """The proposal so far: its lines, the tanks left out, and the reasons."""

    lines: list[str] = []
    left_out: list[str] = []
    remarks: list[str | Message] = []

    def leave(self, tank: str, why: Message) -> None:
        self.left_out.append(tank)
        self.remarks.append(say("{tank}: {why}", tank=tank, why=why))


def propose(decision: TankLines[Any], wish: Wish) -> Proposal:
    """Return lines for the named tanks that the seat can order, and the reasons why other tanks are left out."""
    own = {tank.id: tank for tank in decision.own}
    tanks, told = [own[id] for id in wish.units if id in own], Told()
    verb = ALIKE.get(wish.verb, wish.verb)
    if verb not in verbs(decision.data, decision.ask) or not tanks:
        return Proposal(left_out=wish.units)
    for unit in wish.units:
        if unit not in own:
            told.leave(unit, say("you have no such tank in play"))
    try:
        TELLERS[verb](decision, tanks, wish, told)
    except Refusal as refusal:
        against = tuple(objection for one in each(refusal) for objection in one.objections)
        return Proposal(left_out=wish.units, objections=against)
    return Proposal(tuple(told.lines), tuple(told.left_out), tuple(told.remarks))


# --- T5.1 moves --------------------------------------------------------------------------------------------------


def tell_moves(decision: TankLines[Any], tanks: Sequence[Tank], wish: Wish, told: Told) -> None:
    """T5.1 Move tanks to a goal: in formation, all with the same arrows; otherwise each in its own direction."""
    view = decision.view
    goal = way_or_goal(decision, tanks[0], wish)
    if wish.shape == "formation":
        orders = in_formation(decision.situation, tanks, goal)
    else:
        way = goal if isinstance(goal, int) else f"toward {goal}"
        orders = {tank.id: nearer(view, tank, legal_moves(decision.situation, tank, way), goal) for tank in tanks}
    for tank in tanks:
        tell_move(decision, tank, orders[tank.id], told)


def way_or_goal(decision: TankLines[Any], tank: Tank, wish: Wish) -> int | str:
    """T5.1 Return a compass direction, or a goal in the form used in orders."""
    words = (wish.goal or wish.target).lower().removeprefix("toward").strip()
    if compass(words) in COMPASS:
        return COMPASS[compass(words)]
    if not words:
        why = say("name a destination: a tank, a piece of terrain, a point such as 450 300, or north")
        raise Unreadable(wish.verb, [Objection(RULE, why)])
    return decision.goal(tank)(words)


class Way(NamedTuple):
    """The moves that a tank may make in a direction, and where each of them ends."""

    moves: list[Move]
    ends: list[Point]


def legal_moves(situation: Situation, tank: Tank, way: int | str) -> Way:
    """T5.2, T5.4 Return as many moves in a direction as a tank may make."""
    for number in range(allowance(situation.data, tank), 0, -1):
        moves = [Move(way)] * number
        if not any(order_objections(situation, tank, MoveOrder(moves))):
            return Way(moves, [arrival.at for arrival in journey(situation, tank, moves)])
    return Way([], [])


def in_formation(situation: Situation, tanks: Sequence[Tank], goal: int | str) -> dict[str, list[Move]]:
    """T5.1 Return the same moves for every tank: as many as all can make, or fewer to bring the group nearer."""
    way = (
        goal
        if isinstance(goal, int)
        else bearing_to(middle([tank.at for tank in tanks]), point_of(situation.state, goal))
    )
    ways = {tank.id: legal_moves(situation, tank, way) for tank in tanks}
    moving = [found for found in ways.values() if found.moves]
    count = min((len(found.moves) for found in moving), default=0)
    if isinstance(goal, str) and moving:
        aim = point_of(situation.state, goal)
        ends = [middle([found.ends[number] for found in moving]) for number in range(count)]
        count = 1 + min(range(count), key=lambda number: squared_distance(ends[number], aim))
    return {id: found.moves[:count] for id, found in ways.items()}


def nearer(view: TanksState, tank: Tank, way: Way, goal: int | str) -> list[Move]:
    """T5.1 Return the first moves of a way, as long as each brings the tank nearer to its goal."""
    if isinstance(goal, int):
        return way.moves
    aim = point_of(view, goal)
    gaps = [squared_distance(at, aim) for at in (tank.at, *way.ends)]
    closer = takewhile(lambda number: gaps[number] < gaps[number - 1], range(1, len(gaps)))
    return way.moves[: len(list(closer))]


def middle(places: Sequence[Point]) -> Point:
    """Return the average of some points."""
    return Point(sum(at.x for at in places) // len(places), sum(at.y for at in places) // len(places))


def tell_move(decision: TankLines[Any], tank: Tank, moves: Sequence[Move], told: Told) -> None:
    """T5.4 Add the line for a tank's moves, and what would stop it in the present position."""
    if not moves:
        told.leave(tank.id, say("the tank cannot move, would leave the table, or is already there"))
        return
    told.lines.append(f"{tank.id}: " + " then ".join(f"move {write_leg(move)}" for move in moves))
    stops = [arrival.stopped for arrival in journey(decision.situation, tank, moves) if arrival.stopped]
    told.remarks += [
        say("as things stand, {stop} would stop {tank}", stop=stop.name, tank=tank.id) for stop in stops[:1]
    ]


def tell_tactic(decision: TankLines[Any], tanks: Sequence[Tank], wish: Wish, told: Told) -> None:
    """T1.1 Order each tank to move by a tactic, hunting an enemy if one is named, or to stay."""
    named = (wish.target or wish.goal).lower()
    prey = f" {decision.enemy(named)}" if named and wish.verb in ("hunt", "rush", "hide") else ""
    told.lines += [f"{tank.id}: {wish.verb}{prey}" for tank in tanks]


# --- T7.1 targets ------------------------------------------------------------------------------------------------


def tell_targets(decision: TankLines[Any], tanks: Sequence[Tank], wish: Wish, told: Told) -> None:
    """T7.1 Order every tank that can shoot at the target to do so; `best` and other preferences suit every tank."""
    named = (wish.target or wish.goal or "best").lower()
    target = named if named in PREFERENCES else decision.enemy(named)
    for tank in tanks:
        against = [] if target in PREFERENCES else list(shot_objections(decision, tank, target))
        if against:
            told.leave(tank.id, say("{why}", why=several((as_message(one.why) for one in against), "clauses")))
        else:
            told.lines.append(f"{tank.id}: shoot {target}")


def shot_objections(decision: TankLines[Any], tank: Tank, target: str) -> Iterator[Objection]:
    return target_objections(decision.situation, tank, decision.view.tanks[target])


def tell_hold(decision: TankLines[Any], tanks: Sequence[Tank], wish: Wish, told: Told) -> None:
    """T7.1, T8.3 Order the tanks to do nothing."""
    told.lines += [f"{tank.id}: hold" for tank in tanks]


# --- T8.3, T9.2 the Command Phase -----------------------------------------------------------------------------------


def tell_repairs(decision: TankLines[Any], tanks: Sequence[Tank], wish: Wish, told: Told) -> None:
    """T8.3 Order each tank to repair its worst critical."""
    for tank in tanks:
        if tank.criticals:
            told.lines.append(f"{tank.id}: repair {worst(tank.criticals)}")
        else:
            told.leave(tank.id, say("the tank has nothing to repair"))


def tell_blitz(decision: TankLines[Any], tanks: Sequence[Tank], wish: Wish, told: Told) -> None:
    """T9.2 Order every tank that may make a Blitzkrieg move to make it towards a goal."""
    goal = way_or_goal(decision, tanks[0], wish)
    for tank in tanks:
        line = f"{tank.id}: blitz move {write_leg(Move(goal if isinstance(goal, int) else f'toward {goal}'))}"
        if not can_blitz(decision.data, tank):
            told.leave(tank.id, say("the tank cannot use Blitzkrieg now"))
        elif decision.accepts(line):
            told.lines.append(line)
        else:
            told.leave(tank.id, say("the tank would leave the table"))


TELLERS: Final[Mapping[str, Callable[[TankLines[Any], Sequence[Tank], Wish, Told], None]]] = {
    "move": tell_moves,
    "hunt": tell_tactic,
    "rush": tell_tactic,
    "hide": tell_tactic,
    "stay": tell_tactic,
    "shoot": tell_targets,
    "hold": tell_hold,
    "repair": tell_repairs,
    "blitz": tell_blitz,
}
