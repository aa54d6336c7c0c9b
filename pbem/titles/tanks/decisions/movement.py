"""T1.1, T5 Decisions of the Movement Phase: the sealed form, and the move of one tank when its turn comes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

import msgspec

from pbem.engine.play.choice import Choice
from pbem.engine.rules.decision import Said
from pbem.engine.rules.refusals import Illegal, Objection, Path, locate_objections
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words, part, tokens
from pbem.engine.text.messages import Name, say
from pbem.titles.tanks.bots.prospects import best_moves
from pbem.titles.tanks.cards.crew_and_upgrades import carries
from pbem.titles.tanks.decisions.base import A, SealedForm, TankLines
from pbem.titles.tanks.movement.moves import (
    after_early,
    allowance,
    early_objections,
    instead_of,
    order_objections,
    random_order,
    shape_objections,
    tactic_objections,
    waste_objections,
)
from pbem.titles.tanks.phases.conditions import condition_objections
from pbem.titles.tanks.phases.initiative import initiative
from pbem.titles.tanks.player.orders import RULE, Condition, Move, MovementForm, MoveOrder, Plan, Wish
from pbem.titles.tanks.player.standing_orders import Clause, StandingOrders
from pbem.titles.tanks.player.words import write_leg
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank, TanksState
from pbem.titles.tanks.telling.happenings import write_moves

CHOICES: Final = 60
"""How many of the countless possible platoon moves are listed."""
BEFORE: Final = say(
    "Every tank is asked for its move when its turn comes. Before that you can give: cards (a1: use, a1: "
    "keep), a card's first move (a1: first move 0), the order of tanks with equal initiative (order of a2, a1)."
)


class MoveLines(TankLines[A]):
    """T5 The base of the movement form and of the question about a single tank: one order for one tank."""

    def tell(self, tank: Tank, order: MoveOrder, said: Said) -> None:
        raise NotImplementedError

    def on_hold(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        self.tell(tank, MoveOrder([], when), said)

    def on_moving(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        self.tell(tank, MoveOrder(self.legs(tank, action), when), said)

    def charge(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> bool:
        """T2.2 Read a card and the moves it is used for; return whether the line contains a card."""
        moving, friend = part(action, "moving"), part(action, "friend")
        if moving is None:
            return False
        if friend is not None:
            raise Illegal("for", [Objection(RULE, say("a movement card works only for its own tank"))])
        card = self.card_of(tank, action)
        self.not_both(tank, card, said, "keep")
        order = MoveOrder(self.legs(tank, moving), when, [card])
        if against := list(waste_objections(self.data, tank, order)):
            raise Illegal(card, against, [write_moves(tank.id, msgspec.structs.replace(order, use=[]))])
        self.tell(tank, order, said)
        return True

    def against(self, tank_id: str, order: MoveOrder, view: TanksState) -> Iterator[Objection]:
        """T5 Every objection to an order for a tank in the given position."""
        unreadable = self.strangers(tank_id) or [
            *shape_objections(self.situation, order.moves),
            *tactic_objections(self.view, self.seat, order),
            *condition_objections(self.view, order.when),
        ]
        yield from unreadable or order_objections(Situation(self.data, view), view.tanks[tank_id], order)

    def instead_for(self, tank_id: str) -> Sequence[str]:
        if self.strangers(tank_id):
            return [f"{other}: stay" for other in self.near_own(tank_id)]
        return instead_of(self.situation, self.view.tanks[tank_id])

    def write_order(self, tank: str, order: MoveOrder) -> str:
        """T5 Return one tank's moves as a player would write them."""
        return write_moves(tank, order)


class Movement(MoveLines[MovementForm], SealedForm[MovementForm], kind="movement", rule="T1.1"):
    """T1.1 Sealed orders for all tanks of a seat: the first legal alternative with true conditions is carried out."""

    Answer = MovementForm

    def options(self) -> Iterator[MovementForm]:
        """T1.1 Yield the form in which every tank stays, then random sets of legal moves."""
        yield MovementForm()
        for number in range(CHOICES):
            yield self.sample(Choice("movement", self.seat, self.view.turn, number))

    def sample(self, choice: Choice) -> MovementForm:
        """T1.1 Draw random legal moves for every tank, including early moves where a card allows one."""
        early = {
            tank.id: Move(choice.below(360))
            for tank in self.own
            if carries(self.data, tank, "extra_move") is not None
        }
        legal = {id: move for id, move in early.items() if not any(self.against_early(id, move))}
        told = self.own if self.data.scenario.pace == "forms" else []
        then = Situation(self.data, after_early(self.situation, legal))
        orders = {tank.id: [random_order(then, then.state.tanks[tank.id], choice)] for tank in told}
        return MovementForm(orders=orders, early=legal)

    def objections(self, answer: MovementForm) -> Iterator[Objection]:
        yield from self.pace_objections(answer.orders)
        first = {tank: move for tank, move in answer.early.items() if not any(self.against_early(tank, move))}
        view = after_early(self.situation, first)
        for tank, orders in sorted(answer.orders.items()):
            for number, order in enumerate(orders):
                yield from locate_objections(("orders", tank, number), self.against(tank, order, view))
            yield from self.against_order(tank, orders)
        for tank, move in sorted(answer.early.items()):
            yield from locate_objections(("early", tank), self.against_early(tank, move))
        for tank in answer.sequence:
            yield from locate_objections(("sequence", tank), self.strangers(tank))

    def against_early(self, tank: str, move: Move) -> Iterator[Objection]:
        """T2.2 The objections to an early move, which a card must allow."""
        unreadable = self.strangers(tank) or list(shape_objections(self.situation, [move]))
        yield from unreadable or early_objections(self.situation, self.view.tanks[tank], move, "extra_move")

    def name(self, at: Path, answer: MovementForm) -> str:
        return str(at[1]) if len(at) > 1 else ", ".join(sorted(answer.orders))

    def instead(self, at: Path, answer: MovementForm) -> Sequence[str]:
        if len(at) == 1:
            return [f"order of {', '.join(tank.id for tank in self.own)}"]
        if at[0] == "sequence":
            return [f"order of {other}" for other in self.near_own(str(at[1]))]
        return self.instead_for(str(at[1]))

    def tell(self, tank: Tank, order: MoveOrder, said: Said) -> None:
        said.add(("orders", tank.id), order)

    def on_use(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        if not self.charge(tank, action, when, said):
            super().on_use(tank, action, when, said)

    def on_tactic(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        (word,), prey = tokens(action, "TACTIC"), [self.enemy(name) for name in tokens(action, "NAME")]
        self.tell(tank, MoveOrder(when=when, tactic=word, prey="".join(prey)), said)  # type: ignore[arg-type]

    def on_early(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        """T2.2 Read an order for an early move, which a card must allow."""
        self.unconditional(when, "a first move")
        self.once(said, ("early", tank.id), self.legs(tank, action)[0], f"the first move of {tank.id}")

    def form(self) -> Iterator[FormLine]:
        """T1.1 Yield a form in which every tank of the seat stays; remarks list each tank's options."""
        forms = self.data.scenario.pace == "forms"
        yield from self.head("Movement")
        for tank in self.own:
            yield from self.remark(self.describe_tank(tank))
            rank = initiative(self.situation, tank, "moving")
            yield from self.remark(
                say("initiative {rank}, up to {moves} moves", rank=rank, moves=allowance(self.data, tank))
            )
            if forms:
                yield f"{tank.id}: stay"
        for foe in self.view.enemies(self.seat):
            rank = initiative(self.situation, foe, "moving")
            yield from self.remark(say("enemy {tank}, initiative {rank}", tank=self.describe_tank(foe), rank=rank))
        if forms:
            yield from self.remark(
                say("e.g. {order}", order=Name("a1: if b1 sees a1: move 90 face left then move 0"))
            )
            yield from self.remark(say("or {order}", order=Name("a1: hunt b1, a1: hide, a1: rush")))
        else:
            yield from self.remark(BEFORE)

    def sentence(self, answer: MovementForm) -> Iterator[str]:
        yield from (self.write_order(tank, order) for tank, orders in answer.orders.items() for order in orders)
        yield from (f"{tank}: first move {write_leg(move)}" for tank, move in answer.early.items())
        yield from self.write_sequence(answer.sequence)

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[MovementForm]:
        """T1.1 Yield a form in which every tank chooses its own moves by the clause's tactic when its turn comes."""
        if clause.move is not None and clause.move != "stay":
            tanks = self.own if self.data.scenario.pace == "forms" else ()
            yield MovementForm(orders={tank.id: [MoveOrder(tactic=clause.move)] for tank in tanks})


class OneMove(MoveLines[MoveOrder], kind="move", rule="T1.1"):
    """T1.1 The move of one tank in its turn, because the pace is `tank` or its sealed order has become impossible."""

    class About(Wish, frozen=True):
        sealed: MoveOrder | None = None

    Answer = MoveOrder
    grade = "order"
    nothing: ClassVar[Any] = {}

    def options(self) -> Iterator[MoveOrder]:
        """T5 Yield the order to stay, then a sample of possible moves."""
        yield MoveOrder()
        for number in range(CHOICES):
            yield self.sample(Choice("move", self.ask.subject, self.view.turn, number))

    def sample(self, choice: Choice) -> MoveOrder:
        return random_order(self.situation, self.tank, choice)

    def objections(self, answer: MoveOrder) -> Iterator[Objection]:
        return self.against(self.ask.subject, answer, self.view)

    def instead(self, at: Path, answer: MoveOrder) -> Sequence[str]:
        return self.instead_for(self.ask.subject)

    def tell(self, tank: Tank, order: MoveOrder, said: Said) -> None:
        self.unconditional(order.when, "the order for a single tank")
        self.once(said, (), order, tank.id)

    def on_use(self, tank: Tank, action: Words, when: list[Condition], said: Said) -> None:
        if not self.charge(tank, action, when, said):
            raise Illegal(
                "use",
                [Objection(RULE, say("add the moves that use the card, e.g. `use supercharger then move 0`"))],
            )

    def form(self) -> Iterator[FormLine]:
        yield from self.remark(self.describe_tank(self.tank))
        yield from self.remark(say("up to {moves} moves", moves=allowance(self.data, self.tank)))
        yield f"{self.tank.id}: stay"

    def sentence(self, answer: MoveOrder) -> Iterator[str]:
        yield self.write_order(self.ask.subject, answer)

    def by_plan(self, plan: Plan) -> Iterator[tuple[MoveOrder, str]]:
        """T1.1 Yield the moves that a sealed tactic chooses now; without a tactic, the sealed order as it is."""
        order = self.about.sealed
        if order is not None and order.tactic is not None:
            moves = best_moves(self.situation, self.tank, order.tactic, order.prey)
            yield MoveOrder(moves=list(moves)), f"{self.tank.id} {order.tactic} {order.prey}".strip()

    def by_clause(self, clause: Clause, orders: StandingOrders) -> Iterator[MoveOrder]:
        """T5 Yield moves for a tank that has no order; a sealed order is not overruled."""
        if self.about.sealed is None and clause.move is not None and clause.move != "stay":
            yield MoveOrder(moves=list(best_moves(self.situation, self.tank, clause.move)))
