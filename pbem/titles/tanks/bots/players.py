"""Bots: opponents that play from a seat's view, as a person would; the same seed gives the same play.

    steady_bot     hunts, takes shots that pay, makes for objectives; its forms give tactics instead of moves
    reckless_bot   gives random legal orders, to exercise the rules

Cards and dice are left to the stock standing orders. The preferences of a tactic are in `prospects`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, Final, get_args

import msgspec

from pbem.engine.play.bots import Bot, Choice, random_bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Plan, Reply, Rules, Submission
from pbem.titles.tanks.bots.prospects import best_moves, best_step
from pbem.titles.tanks.cards.crew_and_upgrades import carries
from pbem.titles.tanks.cards.criticals import cannot_move, full
from pbem.titles.tanks.command.repairs import can_blitz, command_objections
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.ground.sighting import targets
from pbem.titles.tanks.movement.moves import random_order
from pbem.titles.tanks.phases.conditions import idle_condition_objections
from pbem.titles.tanks.player.orders import (
    PREFERENCES,
    CommandOrder,
    Condition,
    Move,
    MovementForm,
    MoveOrder,
    ShootingForm,
    ShootOrder,
    Tactic,
    What,
    plain,
)
from pbem.titles.tanks.player.standing_orders import compile_orders
from pbem.titles.tanks.setup.platoon import answer_of, buy_platoon
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank, TanksState

OPENINGS: Final = 12
"""How many answers to each set-up question the bot considers."""
TACTICS: Final[tuple[Tactic, ...]] = get_args(Tactic)
CONDITIONS: Final[tuple[What, ...]] = get_args(What)


def steady_bot(seed: object) -> Bot:
    """A bot that plays to win."""

    def answer(rules: Rules, view: TanksState, ask: Ask) -> Submission:
        situation = Situation(rules.data, view)
        if ask.kind == "movement":
            return Submission(plain(movement_of(situation, ask.seat)))
        if ask.kind == "move":
            return Submission(plain(MoveOrder(moves=list(best_moves(situation, view.tanks[ask.subject])))))
        if ask.kind == "command":
            return Submission(blitz_of(situation, ask.seat))
        choice = Choice(seed, ask.seat, ask.kind, view.turn)
        if ask.kind == "platoon":
            return Submission(any_platoon(rules.data, ask, choice))
        if ask.kind in ("terrain", "role", "deploy"):
            return Submission(choice.one_of(list(islice(rules.options(view, ask), OPENINGS))))
        replies = chain(rules.from_plan(view, ask, Plan()), rules.from_standing_orders(view, ask, compile_orders(())))
        return Submission(first_legal(rules, view, ask, replies))

    return answer


def reckless_bot(seed: object) -> Bot:
    """A bot that gives random legal orders, some conditional; most of its tanks shoot if they can."""
    anything = random_bot(seed)

    def answer(rules: Rules, view: TanksState, ask: Ask) -> Submission:
        if ask.kind not in ("movement", "shooting") or rules.data.scenario.pace == "tank":
            return anything(rules, view, ask)
        choice, own = Choice(seed, ask.seat, ask.kind, view.turn), list(view.of(ask.seat))
        situation = Situation(rules.data, view)
        sequence = [choice.one_of(own).id] if choice.below(4) == 0 else []
        if ask.kind == "movement":
            moves = {tank.id: any_moves(situation, tank, choice) for tank in own}
            return Submission(plain(MovementForm(moves, sequence)))
        shots = {tank.id: any_shots(situation, tank, choice) for tank in own}
        return Submission(plain(ShootingForm(shots, sequence)))

    return answer


def any_moves(situation: Situation, tank: Tank, choice: Choice) -> list[MoveOrder]:
    """T5 Random legal moves for a tank; occasionally alternatives with a condition, or a tactic."""
    orders = [random_order(situation, tank, choice)]
    if choice.below(3) == 0:
        first = random_order(situation, tank, choice)
        orders.insert(0, msgspec.structs.replace(first, when=[any_condition(situation, choice)]))
    if choice.below(4) == 0 and orders[-1].moves:
        orders.append(MoveOrder(tactic=choice.one_of(TACTICS)))
    return orders


def any_shots(situation: Situation, tank: Tank, choice: Choice) -> list[ShootOrder]:
    """T7.1 Random targets for a tank; occasionally a longer list, or an alternative with a condition."""
    legal = targets(situation, tank)
    named = [choice.one_of(legal)] if legal and choice.below(2) == 0 else []
    found = [choice.one_of(PREFERENCES)] if not named or choice.below(2) == 0 else []
    orders = [ShootOrder([*named, *found])]
    if choice.below(3) == 0:
        orders.insert(0, ShootOrder(named, [any_condition(situation, choice)]))
    return orders


def any_condition(situation: Situation, choice: Choice) -> Condition:
    """A random condition, which may or may not be true when the tank's turn comes."""
    while True:
        what: What = choice.one_of(CONDITIONS)
        tanks = list(situation.state.tanks)
        units = [choice.one_of(tanks) for _ in range(2 if what in ("sees", "near") else 1)]
        within = situation.data.scenario.arrow * (1 + choice.below(3)) if what == "near" else 0
        condition = Condition(what, units, within, choice.below(2) == 0)
        if not any(idle_condition_objections(situation, [condition])):
            return condition


def first_legal(rules: Rules, view: TanksState, ask: Ask, replies: Iterator[Reply]) -> Any:
    """The first of the replies that the rules accept, or the default answer."""
    for reply in replies:
        try:
            return rules.check(view, ask, reply.answer)
        except Refusal:
            continue
    return ask.silence


def any_platoon(data: TanksData, ask: Ask, choice: Choice) -> Any:
    """T4 A random platoon of a random country, or the scenario's if the point limit is too low for one."""
    platoon = buy_platoon(data, choice.one_of(data.countries), choice)
    return answer_of(platoon) if platoon.tanks else ask.silence


# --- moving --------------------------------------------------------------------------------------------------


def movement_of(situation: Situation, seat: str) -> MovementForm:
    """T1.1 Order every tank to hunt; a tank whose card allows an early move makes the best one."""
    early = {tank.id: step for tank in situation.state.of(seat) if (step := early_step(situation, tank)) is not None}
    if situation.data.scenario.pace == "tank":
        return MovementForm(early=early)
    return MovementForm(
        orders={tank.id: [MoveOrder(tactic="hunt")] for tank in situation.state.of(seat)}, early=early
    )


def early_step(situation: Situation, tank: Tank) -> Move | None:
    """T2.2 The best early move, which does not count for speed; None if no card allows one or staying is as good."""
    if carries(situation.data, tank, "extra_move") is None or cannot_move(situation.data, tank) is not None:
        return None
    return best_step(situation, tank, "hunt")


# --- Blitzkrieg ----------------------------------------------------------------------------------------------


def blitz_of(situation: Situation, seat: str) -> dict[str, Any]:
    """T9.2 Move each tank that has nothing to repair out of sight: the enemy moves before that tank shoots again."""
    data = situation.data
    orders: dict[str, Any] = {}
    for tank in situation.state.of(seat):
        if not can_blitz(data, tank) or tank.criticals or full(data, tank):
            continue
        step = best_step(situation, tank, "hide")
        if step is not None and not any(command_objections(situation, tank, order := CommandOrder(move=step))):
            orders[tank.id] = plain(order)
    return orders
