"""C2 A bot that leads a campaign: it repairs, buys what it can afford, and goes where the enemy is weakest."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.campaigns.rules.decisions import MoveOrders, Orders, StageOrders
from pbem.engine.play.bots import Bot
from pbem.engine.play.choice import Choice
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Rules, Submission


def campaign_bot(seed: object) -> Bot:
    """A bot that decides from its seat's view."""

    def answer(rules: Rules, view: Any, ask: Ask) -> Submission:
        choice = Choice(seed, ask.seat, ask.kind, view.turn)
        decision = (StageOrders if ask.kind == "stage" else MoveOrders)(rules.data, view, ask)
        orders = moves(decision, choice) if decision.on_map else Orders()
        if isinstance(decision, StageOrders):
            orders = outfit(decision, orders if decision.on_map else rest(decision, choice), choice)
        return Submission(decision.plain(orders))

    return answer


def rest(decision: MoveOrders, choice: Choice) -> Orders:
    """C3.6 Let a side that leads rest half of the time; a side that does not lead always attacks."""
    sides, own = decision.view.sides, decision.side
    leads = sides[own].score > sides[decision.data.other(own)].score
    return Orders(idle=decision.data.may_rest and leads and choice.below(2) == 0)


def outfit(decision: StageOrders, orders: Orders, choice: Choice) -> Orders:
    """Repair units if enough others are ready, then make legal purchases and assign units to battlegroups."""
    able = decision.data.able(decision.view, decision.side)
    spare = len(able) > decision.data.campaign.room // 2
    orders = msgspec.structs.replace(orders, repair=decision.affordable_repairs() if spare else [])
    rows = [row for row in decision.data.campaign.purchase if row.side == decision.side]
    for _ in range(4):
        row = choice.one_of(rows) if rows else None
        if row is None:
            break
        wanted = {**orders.buy, row.card: orders.buy.get(row.card, 0) + 1}
        more = msgspec.structs.replace(orders, buy=wanted)
        if not any(decision.objections(more)):
            orders = more
    idle = [unit.id for unit in decision.units.values() if not unit.group and not unit.battle]
    groups = [id for id in decision.own_groups() if not decision.view.groups[id].battle]
    if idle and groups:
        orders = msgspec.structs.replace(orders, assign={id: choice.one_of(groups) for id in idle})
    return orders


def is_guard(decision: MoveOrders, id: str) -> bool:
    """Whether a battlegroup is the only one of its side at home, so that it must stay there."""
    view, home = decision.view, decision.data.sides[decision.side].home
    others = [other for other, group in view.groups.items() if group.province == home and group.side == decision.side]
    return others == [id]


def moves(decision: MoveOrders, choice: Choice) -> Orders:
    """Move each strong battlegroup towards a province that its side does not hold; weak ones stay."""
    found, view, book = {}, decision.view, decision.data
    for id in decision.own_groups():
        if view.groups[id].battle or len(book.in_group(view, id)) < 3 or is_guard(decision, id):
            continue
        goals = list(book.campaign.place(view.groups[id].province).to)
        foreign = [goal for goal in goals if view.control.get(goal) != decision.side]
        if foreign and choice.below(4):
            found[id] = choice.one_of(foreign)
        elif goals and not choice.below(3):
            found[id] = choice.one_of(goals)
    return Orders(move=found)
