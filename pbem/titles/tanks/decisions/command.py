"""T8.3, T9.2 The decision of the Command Phase: repairs and Blitzkrieg moves. T1.4 The notice of unused lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pbem.engine.rules.decision import Said
from pbem.engine.rules.refusals import Objection, Path, locate_objections
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words
from pbem.engine.text.messages import Name, say
from pbem.titles.tanks.command.repairs import can_blitz, command_objections
from pbem.titles.tanks.decisions.base import TankLines, TanksDecision
from pbem.titles.tanks.player.orders import CommandOrder, Condition, Move, Plan
from pbem.titles.tanks.player.standing_orders import Clause, StandingOrders
from pbem.titles.tanks.player.words import followed_clause, write_leg, write_repair
from pbem.titles.tanks.state import Tank

Orders = dict[str, CommandOrder]


class Command(TankLines[Orders], kind="command", rule="T8.3"):
    """T8.3, T9.2 The decision on repairs and moves in the Command Phase."""

    Answer = Orders
    grade = "order"
    nothing: ClassVar[Any] = {}
    told = ()

    def options(self) -> Iterator[Orders]:
        """T8.3, T9.2 Yield no orders at all, then each repair, then each Blitzkrieg move in steps of 45 degrees."""
        yield {}
        for tank in self.own:
            orders = [CommandOrder(repair=card) for card in sorted(set(tank.criticals))]
            orders += (
                [CommandOrder(move=Move(way)) for way in range(0, 360, 45)] if can_blitz(self.data, tank) else []
            )
            for order in orders:
                if not any(command_objections(self.situation, tank, order)):
                    yield {tank.id: order}

    def canonical(self, answer: Orders) -> Orders:
        return dict(sorted(answer.items()))

    def objections(self, answer: Orders) -> Iterator[Objection]:
        for tank, order in answer.items():
            strangers = self.strangers(tank)
            against = strangers or command_objections(self.situation, self.view.tanks[tank], order)
            yield from locate_objections((tank,), against)

    def instead(self, at: Path, answer: Orders) -> list[str]:
        tank = str(at[0])
        if self.strangers(tank):
            return [f"{other}: hold" for other in self.near_own(tank)]
        return [*(f"{tank}: repair {card}" for card in self.view.tanks[tank].criticals), f"{tank}: hold"]

    def on_hold(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        self.unconditional(when, "the Command Phase")
        self.once(said, (tank.id,), CommandOrder(), tank.id)

    def on_repair(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        """T8.3 Read an order to repair a critical by its name."""
        self.unconditional(when, "the Command Phase")
        before = said.get((tank.id,), CommandOrder())
        if before.repair or before == CommandOrder():
            self.once(said, (tank.id,), CommandOrder(self.critical_of(tank, action)), tank.id)
        else:
            said.put((tank.id,), CommandOrder(self.critical_of(tank, action), before.move))

    def on_blitz(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        """T9.2 Read an order to move instead of making a repair."""
        self.unconditional(when, "the Command Phase")
        before, (move,) = said.get((tank.id,), CommandOrder()), self.legs(tank, action)
        if before.move is not None or before == CommandOrder():
            self.once(said, (tank.id,), CommandOrder(move=move), tank.id)
        else:
            said.put((tank.id,), CommandOrder(before.repair, move))

    def form(self) -> Iterator[FormLine]:
        """T8.3, T9.2 Yield a form with the possible repairs, and with the tanks that may move instead."""
        yield from self.head("Command")
        for tank in self.own:
            yield from self.remark(self.describe_tank(tank))
            if can_blitz(self.data, tank):
                yield from self.remark(
                    say(
                        "{tank} may move instead: {order}",
                        tank=tank.id,
                        order=Name(f"{tank.id}: blitz move 0 face back"),
                    )
                )
            yield f"{tank.id}: repair {tank.criticals[0]}" if tank.criticals else f"{tank.id}: hold"

    def sentence(self, answer: Orders) -> Iterator[str]:
        for tank, order in answer.items():
            if order.repair:
                yield f"{tank}: repair {order.repair}"
            if order.move is not None:
                yield f"{tank}: blitz move {write_leg(order.move)}"
            if order == CommandOrder():
                yield f"{tank}: hold"

    def by_plan(self, plan: Plan) -> Iterator[tuple[Orders, str]]:
        """T8.3 Yield the repairs that the player asked for in the shooting form."""
        if plan.repair:
            wanted = {
                tank.id: plan.repair[tank.id] for tank in self.own if plan.repair.get(tank.id) in tank.criticals
            }
            lines = followed_clause(*(write_repair(tank, card) for tank, card in wanted.items()))
            yield {tank: CommandOrder(repair=card) for tank, card in wanted.items()}, lines or "repairs as usual"

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[Orders]:
        if clause.repair:
            wanted = [(tank.id, card) for tank in self.own for card in clause.repair if card in tank.criticals]
            yield {tank: CommandOrder(repair=card) for tank, card in reversed(wanted)}


class Unused(TanksDecision[None], kind="unused", rule="T1.4"):
    """T1.4 A notice without a decision: which of a seat's lines about cards, dice and repairs were not needed."""

    Answer: ClassVar[Any] = None
    grade = "note"

    def options(self) -> Iterator[None]:
        yield None
