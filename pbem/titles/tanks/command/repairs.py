"""T8.3, T9.2 Repairs, Blitzkrieg moves and the points for wrecks, as the Command Phase uses them."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.tanks.cards.crew_and_upgrades import carries
from pbem.titles.tanks.cards.criticals import cannot_move
from pbem.titles.tanks.cards.keywords import BLITZKRIEG, has
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.movement.moves import shape_objections, table_objections, touch_objections
from pbem.titles.tanks.player.orders import CommandOrder
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Status, Tank


def points_lost(situation: Situation, seat: str) -> int:
    """The total points on the cards of a side's wrecked tanks."""
    data = situation.data
    wrecks = [tank for tank in situation.state.tanks.values() if tank.seat == seat and tank.status is Status.WRECK]
    return sum(data.models[tank.model].points + sum(held.points for held in tank.cards) for tank in wrecks)


def can_blitz(data: TanksData, tank: Tank) -> bool:
    """T9.2 Whether a tank may move instead of making a repair."""
    return has(data, tank, BLITZKRIEG) and cannot_move(data, tank) is None


SEVERITY = (
    "engine-fire",
    "bailed-out",
    "stunned-crew",
    "busted-track",
    "jammed-turret",
    "damaged-engine",
    "injured-crew",
    "shell-shocked",
)
"""T8.3 The order in which criticals are repaired if the player gives no order."""


def worst(cards: list[str]) -> str:
    return min(cards, key=lambda card: (SEVERITY.index(card) if card in SEVERITY else len(SEVERITY), card))


def command_objections(situation: Situation, tank: Tank, order: CommandOrder) -> Iterator[Objection]:
    """T8.3, T9.2 Every objection to a repair or a move in the Command Phase."""
    data = situation.data
    if order.repair and order.repair not in tank.criticals:
        yield Objection("T8.3", say("{tank} has no {repair} to repair", tank=tank.id, repair=order.repair))
    if order.move is None:
        return
    if not has(data, tank, BLITZKRIEG):
        yield Objection("T9.2", say("only a tank with Blitzkrieg can move in the Command Phase"))
    if (critical := cannot_move(data, tank)) is not None:
        yield Objection("T2.3", say("{critical} prevents the tank from moving", critical=critical.name))
    if order.repair and carries(data, tank, "repairs_in_blitzkrieg") is None:
        yield Objection("T9.2", say("a tank can move or repair, not both"))
    unreadable = list(shape_objections(situation, [order.move]))
    yield from unreadable or touch_objections(situation, tank, [order.move])
    if not unreadable:
        yield from table_objections(situation, tank, [order.move])
