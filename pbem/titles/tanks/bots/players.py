"""Bots: opponents that play from a seat's view, as a person would, and the same from the same seed.

    steady_bot     hunts, shoots where it pays, makes for objectives: by forms whose tactics are worked out in time
    reckless_bot   any legal orders: to try out the rules

Cards and dice are left to the stock standing orders. What a tactic prefers stands in `prospects`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, Final

from pbem.engine.play.bots import Bot, Choice, random_bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Plan, Reply, Rules, Submission
from pbem.titles.tanks.bots.prospects import best_moves, best_step
from pbem.titles.tanks.cards.crew_and_upgrades import carries
from pbem.titles.tanks.cards.criticals import cannot_move, full
from pbem.titles.tanks.command.repairs import can_blitz, command_objections
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.movement.moves import random_order
from pbem.titles.tanks.player.orders import CommandOrder, Move, MovementForm, MoveOrder, plain
from pbem.titles.tanks.player.standing_orders import compiled
from pbem.titles.tanks.setup.platoon import answer_of, bought
from pbem.titles.tanks.state import Tank, TanksState

OPENINGS: Final = 12
"""How many ways to set up are considered."""


def steady_bot(seed: object) -> Bot:
    """A bot that plays to win."""

    def answer(rules: Rules, view: TanksState, ask: Ask) -> Submission:
        if ask.kind == "movement":
            return Submission(plain(movement_of(rules.data, view, ask.seat)))
        if ask.kind == "move":
            return Submission(plain(MoveOrder(moves=list(best_moves(rules.data, view, view.tanks[ask.subject])))))
        if ask.kind == "command":
            return Submission(blitz_of(rules.data, view, ask.seat))
        choice = Choice(seed, ask.seat, ask.kind, view.turn)
        if ask.kind == "platoon":
            return Submission(any_platoon(rules.data, ask, choice))
        if ask.kind in ("terrain", "role", "deploy"):
            return Submission(choice.one_of(list(islice(rules.options(view, ask), OPENINGS))))
        replies = chain(rules.planned(view, ask, Plan()), rules.instructed(view, ask, compiled(())))
        return Submission(first_legal(rules, view, ask, replies))

    return answer


def reckless_bot(seed: object) -> Bot:
    """Any legal orders; every tank that can shoot does."""
    anything = random_bot(seed)

    def answer(rules: Rules, view: TanksState, ask: Ask) -> Submission:
        if ask.kind == "movement":
            choice = Choice(seed, ask.seat, view.turn)
            tanks = view.of(ask.seat) if rules.data.scenario.pace == "forms" else ()
            orders = {tank.id: [random_order(rules.data, view, tank, choice)] for tank in tanks}
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


def any_platoon(data: TanksData, ask: Ask, choice: Choice) -> Any:
    """T4 A platoon of some country, bought at random; where the limit is too low for it, the scenario's."""
    platoon = bought(data, choice.one_of(data.countries), choice)
    return answer_of(platoon) if platoon.tanks else ask.default


# --- moving --------------------------------------------------------------------------------------------------


def movement_of(data: TanksData, view: TanksState, seat: str) -> MovementForm:
    """T1.1 Every tank hunts when its turn comes; who has a card for it makes a good step before all others."""
    early = {tank.id: step for tank in view.of(seat) if (step := early_step(data, view, tank)) is not None}
    if data.scenario.pace == "tank":
        return MovementForm(early=early)
    return MovementForm(orders={tank.id: [MoveOrder(tactic="hunt")] for tank in view.of(seat)}, early=early)


def early_step(data: TanksData, view: TanksState, tank: Tank) -> Move | None:
    """T2.2 The best step that is not counted for speed, if any is better than none."""
    if carries(data, tank, "extra_move") is None or cannot_move(data, tank) is not None:
        return None
    return best_step(data, view, tank, "hunt")


# --- Blitzkrieg ----------------------------------------------------------------------------------------------


def blitz_of(data: TanksData, view: TanksState, seat: str) -> dict[str, Any]:
    """T9.2 A tank with nothing to repair gets out of sight: the enemy moves before it shoots again."""
    orders: dict[str, Any] = {}
    for tank in view.of(seat):
        if not can_blitz(data, tank) or tank.criticals or full(data, tank):
            continue
        step = best_step(data, view, tank, "hide")
        if step is not None and not any(command_objections(data, view, tank, order := CommandOrder(move=step))):
            orders[tank.id] = plain(order)
    return orders
