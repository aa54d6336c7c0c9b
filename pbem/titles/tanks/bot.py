"""Bots: opponents that play from a seat's view, as a person would, and the same from the same seed.

    steady_bot     moves where it sees much and is seen little, shoots where it pays, makes for objectives
    reckless_bot   any legal orders: to try out the rules

Cards and dice are left to the stock standing orders. What a bot prefers is taste, no rule; the weights stand below.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from pbem.engine.asks import Ask
from pbem.engine.bots import Bot, Choice, random_bot
from pbem.engine.plane import Point, root_down, squared_distance
from pbem.engine.refusals import Refusal
from pbem.engine.state import copy
from pbem.engine.title import Reply, Rules, Submission
from pbem.titles.tanks.command_phase import can_blitz, command_objections
from pbem.titles.tanks.criticals import full
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.doctrine import STOCK, instructed
from pbem.titles.tanks.geometry import corners, on_table
from pbem.titles.tanks.movement import allowance, journey, random_order, table_objections
from pbem.titles.tanks.plan import CommandOrder, Move, MovementForm, MoveOrder, plain
from pbem.titles.tanks.prospects import worth
from pbem.titles.tanks.shooting import shot_at
from pbem.titles.tanks.sighting import target_objections
from pbem.titles.tanks.state import Tank, TanksState
from pbem.titles.tanks.terrain import body_of

WAYS: Final = 45
"""Degrees between the directions that are looked at."""
FINALISTS: Final = 2
"""How many first moves are looked at for a second."""
OPENINGS: Final = 12
"""How many ways to set up are considered."""
THREAT: Final = 80
"""What the enemy's best shot counts, in hundredths of an own shot."""
NEARER: Final = 30
"""What a centimetre nearer to the goal is worth, in hundredths."""


class Stand(NamedTuple):
    """A way to move, where it leads and what it is worth."""

    value: int
    moves: tuple[Move, ...]
    at: Point
    heading: int


def steady_bot(seed: object) -> Bot:
    """A bot that plays to win."""

    def answer(rules: Rules, view: TanksState, ask: Ask) -> Submission:
        choice = Choice(seed, ask.seat, ask.kind, view.turn)
        if ask.kind == "movement":
            return Submission(plain(movement_of(rules.data, view, ask.seat, choice)))
        if ask.kind == "move":
            moves = best_moves(rules.data, view, view.tanks[ask.subject], choice)
            return Submission(plain(MoveOrder(moves=list(moves))))
        if ask.kind == "command":
            return Submission(blitz_of(rules.data, view, ask.seat, choice))
        if ask.kind in ("platoon", "terrain", "role", "deploy"):
            return Submission(choice.one_of(list(islice(rules.options(view, ask), OPENINGS))))
        return Submission(first_legal(rules, view, ask, instructed(rules.data, view, ask, STOCK)))

    return answer


def reckless_bot(seed: object) -> Bot:
    """Any legal orders; every tank that can shoot does."""
    anything = random_bot(seed)

    def answer(rules: Rules, view: TanksState, ask: Ask) -> Submission:
        if ask.kind == "movement":
            choice = Choice(seed, ask.seat, view.turn)
            orders = {tank.id: [random_order(rules.data, view, tank, choice)] for tank in view.of(ask.seat)}
            return Submission(plain(MovementForm(orders=orders)))
        return anything(rules, view, ask)

    return answer


def first_legal(rules: Rules, view: TanksState, ask: Ask, replies: Iterator[Reply]) -> Any:
    """The first answer that the rules accept, or the default."""
    for reply in replies:
        try:
            return rules.check(view, ask, reply.answer)
        except Refusal:
            continue
    return ask.default


# --- moving --------------------------------------------------------------------------------------------------


def movement_of(data: TanksData, view: TanksState, seat: str, choice: Choice) -> MovementForm:
    """T1.1 The best moves of each tank; friends that move earlier are put where they want to be."""
    orders: dict[str, list[MoveOrder]] = {}
    then = copy(view)
    for tank in sorted(then.of(seat), key=lambda tank: (data.models[tank.model].initiative, tank.id)):
        moves = best_moves(data, then, tank, choice)
        while any(table_objections(data, view, view.tanks[tank.id], moves)):
            moves = moves[:-1]                                         # orders are checked as things stand now
        orders[tank.id] = [MoveOrder(moves=list(moves))]
        if moves:
            tank.at, tank.heading, _ = journey(data, then, tank, moves)[-1]
            tank.speed = len(moves)
    return MovementForm(orders=orders)


def best_moves(data: TanksData, view: TanksState, tank: Tank, choice: Choice) -> tuple[Move, ...]:
    """T5 To stay, or the best one or two moves."""
    most, here = allowance(data, tank), stand(data, view, tank, (), tank.at, tank.heading)
    singles = sorted(steps(data, view, tank, here), key=lambda found: -found.value) if most else []
    stands = [here, *singles]
    if most > 1:
        stands += [double for single in singles[:FINALISTS] for double in steps(data, view, tank, single)]
    return max(stands, key=lambda found: (found.value, -len(found.moves), choice.below(1000))).moves


def steps(data: TanksData, view: TanksState, tank: Tank, before: Stand) -> Iterator[Stand]:
    """T5.1 One more move in each direction, facing the enemy as squarely as can be."""
    foe = nearest_foe(view, tank)
    placed = msgspec.structs.replace(tank, at=before.at, heading=before.heading)
    body = body_of(data.models[tank.model])
    for way in range(0, 360, WAYS):
        move = Move(way, f"toward {foe.id}" if foe is not None else 0)
        (arrival,) = journey(data, view, placed, [move])
        if on_table(corners(body, arrival.at, arrival.heading), data.scenario.table):
            yield stand(data, view, tank, (*before.moves, move), arrival.at, arrival.heading)


def nearest_foe(view: TanksState, tank: Tank) -> Tank | None:
    foes = list(view.enemies(tank.seat))
    return min(foes, key=lambda foe: (squared_distance(foe.at, tank.at), foe.id)) if foes else None


def stand(
    data: TanksData, view: TanksState, tank: Tank, moves: tuple[Move, ...], at: Point, heading: int
) -> Stand:
    """What a tank would be worth at the end of these moves: shots given, shots taken, way gained."""
    placed = msgspec.structs.replace(tank, at=at, heading=heading, speed=len(moves))
    view.tanks[tank.id] = placed                                       # put back below
    foes = [foe for foe in view.enemies(tank.seat) if not full(data, foe)]
    given = [shot_worth(data, view, placed, foe) for foe in foes]
    taken = [shot_worth(data, view, foe, placed) for foe in foes]
    view.tanks[tank.id] = tank
    danger = sum(taken) * (THREAT if any(given) else 100)
    goal = goal_of(data, view, tank)
    way = root_down(squared_distance(at, goal)) // 100 if goal is not None else 0
    return Stand(100 * max(given, default=0) - danger // 2 - NEARER * way, moves, at, heading)


def shot_worth(data: TanksData, view: TanksState, shooter: Tank, target: Tank) -> int:
    """T7 What one tank could do to another from where they stand; nothing if it cannot shoot at it."""
    if any(target_objections(data, view, shooter, target)):
        return 0
    return worth(data, view, shot_at(data, view, shooter, target))


def goal_of(data: TanksData, view: TanksState, tank: Tank) -> Point | None:
    """T8.2 The objective, or else the nearest enemy."""
    for objective in data.scenario.objective:
        return Point(10 * objective.at[0], 10 * objective.at[1])
    foe = nearest_foe(view, tank)
    return foe.at if foe is not None else None


# --- Blitzkrieg ----------------------------------------------------------------------------------------------


def blitz_of(data: TanksData, view: TanksState, seat: str, choice: Choice) -> dict[str, Any]:
    """T9.2 A tank without damage to repair moves if it gains by it."""
    orders: dict[str, Any] = {}
    for tank in copy(view).of(seat):
        if not can_blitz(data, tank) or tank.criticals or full(data, tank):
            continue
        here = stand(data, view, tank, (), tank.at, tank.heading)
        stands = [here, *steps(data, view, tank, here)]
        moves = max(stands, key=lambda found: (found.value, choice.below(1000))).moves
        if moves and not any(command_objections(data, view, tank, order := CommandOrder(move=moves[0]))):
            orders[tank.id] = plain(order)
    return orders

