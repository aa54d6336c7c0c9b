"""by-mail The asks before a stack moves and during its move: orders that may be rewritten.

by-mail           Wave, WaveDefence: before each stack (`reactions = mover`)
by-mail           GoOn: the rest of a move (`reactions = ask`)
3.3.1/mf-bonus    parting_objections
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from pbem.engine.play.choice import Choice
from pbem.engine.rules.ask import Grade
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.movement.allowance import ROAD_BONUS
from pbem.titles.aslsk.orders import NO_ORDERS, Orders
from pbem.titles.aslsk.player.exchanges import SectionsDecision
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit


class WaveDecision(SectionsDecision[Orders | None]):
    """by-mail A decision on orders that may be rewritten before a stack moves; None leaves them as they are."""

    grade: ClassVar[Grade] = "detail"
    Answer = Orders | None
    nothing = None
    most_samples = 2

    def usual(self) -> Orders | None:
        return None

    def sample(self, choice: Choice) -> Orders | None:
        """Usually leave the orders as they are, since a move that is rewritten at every step leads nowhere."""
        found: Orders | None = None if choice.below(4) else super().sample(choice)
        return found

    def canonical(self, answer: Orders | None) -> Orders | None:
        found: Orders | None = None if answer == NO_ORDERS else super().canonical(answer)
        return found

    def objections(self, answer: Orders | None) -> Iterator[Objection]:
        if answer is not None:
            yield from super().objections(answer)

    def sentence(self, answer: Orders | None) -> Iterator[str]:
        yield from ["none"] if answer is None else super().sentence(answer)


class Wave(WaveDecision, kind="wave", rule="3.3.1/declaration"):
    """by-mail The ATTACKER's choice to rewrite any stacks that have not started."""

    sections = ("moves",)


class WaveDefence(WaveDecision, kind="wave_defence", rule="3.3.3/window"):
    """by-mail The DEFENDER's choice to send a fire plan for the stack that moves next."""

    sections = ("plan",)


class GoOn(WaveDecision, kind="go_on", rule="3.3.1/declaration"):
    """by-mail The ATTACKER's choice to rewrite the rest of a move in the same exchange, with `reactions = ask`."""

    grade = "reaction"
    sections = ("moves",)

    def objections(self, answer: Orders | None) -> Iterator[Objection]:
        yield from super().objections(answer)
        mover = self.view.mover
        stack, going = (mover.stack, mover.units) if mover is not None else ([], [])
        for number, move in enumerate(answer.moves if answer is not None else ()):
            if set(move.units) & set(going):
                yield from parting_objections(self.situation, going, move.units, number)
        for number, move in enumerate(answer.moves if answer is not None else ()):
            others = [id for id in move.units if id not in stack]
            ended = [id for id in move.units if id in stack and id not in going]
            if ended:
                yield Objection(
                    "3.3.1/declaration",
                    say("{units} can no longer move in this phase", units=" ".join(ended)),
                    ("moves", number),
                )
            if others and len(others) < len(move.units):
                yield Objection(
                    "3.3.1/declaration",
                    say("{others} is not in the stack that is moving now", others=" ".join(others)),
                    ("moves", number),
                )


def parting_objections(
    situation: Situation, going: Sequence[str], units: Sequence[str], number: int
) -> Iterator[Objection]:
    """3.3.1/mf-bonus Object if a unit that has used its leader's bonus would leave the leader behind."""
    stack = [unit for id in going if (unit := situation.state.units.get(id)) is not None]
    on, left = [one for one in stack if one.id in units], [one for one in stack if one.id not in units]
    for part, others in ((on, left), (left, on)):
        led = any(situation.is_leader(one) for one in others) and not any(situation.is_leader(one) for one in part)
        for unit in part if led else ():
            if has_used_the_bonus(unit):
                yield Objection(
                    "3.3.1/mf-bonus",
                    say("{unit} has used its leader's MF bonus and must stay with the leader", unit=unit.id),
                    ("moves", number),
                )


def has_used_the_bonus(unit: Unit) -> bool:
    """3.3.1/mf-bonus Whether a unit has spent more MF than it would have without a leader."""
    going = unit.going
    if going is None:
        return False
    return going.spent > going.basic + (ROAD_BONUS if going.by_road and going.hexes else 0)
