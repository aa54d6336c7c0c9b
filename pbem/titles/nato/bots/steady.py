"""The steady bot, which gives the orders of the three exchanges and otherwise follows the stock standing orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pbem.engine.play.bots import Bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Rules, Submission
from pbem.titles.nato.artillery.strike_decision import NextGun
from pbem.titles.nato.board import UNREADY
from pbem.titles.nato.bots.battles import EXPLOIT, fight, next_battle, next_gun
from pbem.titles.nato.bots.moves import plan_moves
from pbem.titles.nato.bots.transport import resupply_hex
from pbem.titles.nato.bots.windows import choose
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.orders import Fight, NextBattle
from pbem.titles.nato.movement.orders import Moving
from pbem.titles.nato.movement.rehearsal import Rehearsal
from pbem.titles.nato.nerves.peace import WAR, Prepare
from pbem.titles.nato.player.orders import MoveOrders
from pbem.titles.nato.player.standing_orders import STOCK, compile_orders

QUIETLY = ("german", "bloc", "air1", "allies")
"""39.2 War preparations in the order in which the bot takes them."""


def steady_bot(seed: object) -> Bot:
    """Return a bot that plays to win. It is deterministic, because it ignores the seed."""
    return a_bot({Side.WP: "3:1", Side.NATO: "3:1"}, (Side.WP,))


def reckless_bot(seed: object) -> Bot:
    """A bot that advances and attacks at any odds that are not hopeless."""
    return a_bot({Side.WP: "1:1", Side.NATO: "1:1"}, (Side.WP, Side.NATO), ruthless=True)


def a_bot(least: Mapping[Side, str], bold: tuple[Side, ...], *, ruthless: bool = False) -> Bot:
    """Return a bot that attacks at these odds or better; bold sides move up to the enemy."""

    def answer(rules: Rules, view: Any, ask: Ask) -> Submission:
        decision = rules.decide(view, ask)  # type: ignore[attr-defined]
        if isinstance(decision, Moving):
            trial = Rehearsal(decision.data, view, decision.side, reserve=decision.reserve)
            moves = plan_moves(trial, decision.movable(), bold=decision.side in bold, reserve=decision.reserve)
            plain = (
                not decision.reserve and not view.gdp_army and decision.seat == decision.data.seat_of(decision.side)
            )
            drop = resupply_hex(decision.board, decision.side) if plain else ""
            return Submission(msgspec.to_builtins(without_faults(decision, MoveOrders(tuple(moves), drop))))
        if isinstance(decision, Prepare):
            return Submission(preparation(decision))
        if isinstance(decision, Fight):
            orders, plan = fight(decision, least[decision.side], ruthless=ruthless)
            return Submission(msgspec.to_builtins(orders), msgspec.to_builtins(plan))
        if isinstance(decision, NextBattle):
            return Submission(msgspec.to_builtins(next_battle(decision, least[decision.side])))
        if isinstance(decision, NextGun):
            return Submission(msgspec.to_builtins(next_gun(decision)))
        for chosen in choose(decision):
            if not any(decision.objections(chosen)):
                return Submission(decision.plain(chosen))
        return Submission(by_clauses(rules, view, ask, decision))

    return answer


def preparation(decision: Prepare) -> str:
    """39.2 Return the next measure that hardly raises NATO's alert; `war` once none is left or NATO gets ready."""
    wanted = [name for name in QUIETLY if not any(decision.objections(name))]
    return wanted[0] if wanted and decision.view.alert <= UNREADY else WAR


def without_faults(decision: Moving, orders: MoveOrders) -> MoveOrders:
    """Return the orders without the moves that would be refused when all are taken together."""
    while True:
        made, objections = decision.rehearse(orders)
        bad = {objection.at[1] for objection in objections if len(objection.at) > 1}
        if not bad:
            return made
        orders = MoveOrders(tuple(move for at, move in enumerate(made.moves) if at not in bad), orders.resupply)


def by_clauses(rules: Rules, view: Any, ask: Ask, decision: Any) -> Any:
    """Return the first legal answer that the bot's clauses or the stock standing orders give, otherwise the
    default.
    """
    own = EXPLOIT if decision.side is Side.WP else ()
    for reply in rules.from_standing_orders(view, ask, compile_orders((*own, *STOCK))):
        try:
            return rules.check(view, ask, reply.answer)
        except Refusal:
            continue
    return decision.plain(decision.default())
