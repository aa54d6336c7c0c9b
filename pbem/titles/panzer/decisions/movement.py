"""6.6 Decisions about movement: which unit moves next and how, and how it continues after fire.

6.6          Moves      unit by unit, to the goal in the situation at that time
4.5.1.1.5    Reroute    the rest of a move, after something has happened to the unit
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.rules.title import Submission
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words, part
from pbem.engine.text.messages import say
from pbem.titles.panzer.close_combat.overrun_moves import target_of
from pbem.titles.panzer.decisions.base import NO_ANSWER, ActionAsk, SmallAsk
from pbem.titles.panzer.movement.movement_step import (
    check_move,
    check_named,
    check_reroute,
    due_move,
    movable,
    move_options,
    reroute_options,
)
from pbem.titles.panzer.movement.steps.acts import Dismount, Mount, Unload, read_act
from pbem.titles.panzer.player.clauses import in_order
from pbem.titles.panzer.player.fates import move_fates
from pbem.titles.panzer.player.forms import describe_kind, describe_place
from pbem.titles.panzer.player.plan import STAY, AdvancedPlan, MarchWish, usual_order
from pbem.titles.panzer.player.restating import write_moves
from pbem.titles.panzer.player.standing_orders import Clause
from pbem.titles.panzer.reading.naming import raise_all
from pbem.titles.panzer.reading.reader import Reader
from pbem.titles.panzer.reading.remarks import remark
from pbem.titles.panzer.routes.itineraries import check_march, marches, with_the_others, write_acts
from pbem.titles.panzer.state import PanzerState, Unit


class Moves(ActionAsk, kind="move", rule="6.6"):
    """6.6 One unit's move, or the end of movement."""

    def default(self) -> Any:
        """6.2.1.1.4 The move a straggler must make to follow its group; computed only when the default is needed."""
        return due_move(self.situation, self.seat)

    def options(self) -> Iterator[Any]:
        return move_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_move(self.situation, self.ask, given)

    def sentence(self, answer: Any) -> Iterator[str]:
        if answer is None:
            yield "done"
        else:
            wish = MarchWish(answer["mode"], answer["steps"], answer.get("with", []))
            yield from write_moves(answer["unit"], wish)

    def may_say(self) -> Iterator[FormLine]:
        """6.6 Each unit that has yet to move, with a commented-out line to edit, and the default."""
        for unit in movable(self.view, self.seat):
            kind, place = describe_kind(self.situation, unit), describe_place(self.data, unit)
            yield from remark(say("{unit} {kind}, {place}", unit=unit.id, kind=kind, place=place))
            yield f"# {unit.id} move HEX"
        yield from self.sentence(self.default())

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        """6.6 The next move in order, as close to its ordered destination as possible; other units do not move."""
        if not plan.move and not plan.order.move:
            return
        following = self.ask.about.get("next", [])
        named = dict.fromkeys((*usual_order(plan.move), *plan.order.move))
        for id in following or in_order(named, plan.order.move):
            wish = plan.move.get(id) or (MarchWish() if id in plan.order.move else None)
            unit = self.view.vehicles.get(id)
            if wish is None or unit is None or (wish.mode == STAY and not is_loading(self.view, unit, wish.acts)):
                continue
            if id in plan.move:
                wish = with_the_others(self.situation, unit, plan.move)
            for answer in marches(self.situation, unit, wish):
                yield answer, f"{id} move"
        yield None, "all moves as ordered"

    def take_orders(self, reader: Reader, plan: AdvancedPlan) -> Submission:
        """6.6 Refuse a move that cannot be made as it is written, instead of making the nearest one."""
        said = super().take_orders(reader, plan)
        id = "" if said.answer is None else said.answer["unit"]
        if wish := plan.move.get(id):
            with reader.at(reader.line_for_move(id, wish)):
                check_march(self.situation, self.view.vehicles[id], wish)
                check_named(self.situation, self.view.vehicles[id], target_of(wish.acts), wish.others)  # 6.6.10
        raise_all(reader.refusals)
        return said

    def failing(self, answer: Any, plan: AdvancedPlan, used: Mapping[str, int]) -> Iterator[Fail]:
        return move_fates(self.situation, self.ask, answer, plan, used)


def is_loading(view: PanzerState, carrier: Unit, acts: Sequence[str]) -> bool:
    """6.6.7.1.1 Whether a stationary vehicle still has units to load or unload."""
    for act in map(read_act, acts):
        if isinstance(act, Unload):
            return True
        unit = view.vehicles.get(act.unit) if isinstance(act, Mount | Dismount) else None
        if unit is not None and unit.alive and (unit.aboard == carrier.id) != isinstance(act, Mount):
            return True
    return False


class Reroute(SmallAsk, kind="reroute", rule="4.5.1.1.5"):
    """4.5.1.1.5 Continue, stop, or replace the rest of the move (R-17)."""

    says = ("go on", "stop", "move f r f")

    def options(self) -> Iterator[Any]:
        return reroute_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_reroute(self.situation, self.ask, given)

    def read_answer(self, reader: Reader, words: Words) -> Any:
        if words.data == "go_on":
            return None
        if (march := part(words, "march")) is not None:
            wish = reader.march(self.view.vehicles[self.ask.subject], march)
            if wish != MarchWish(acts=wish.acts):
                objection = Objection(
                    "4.5.1.1.5", say("the rest of a move keeps the mode of its beginning; give only the steps")
                )
                raise Illegal(self.ask.subject, [objection], self.says)
            return {"steps": wish.acts}
        return {"steps": []} if part(words, "stop") is not None else NO_ANSWER

    def sentence(self, answer: Any) -> Iterator[str]:
        steps = [] if answer is None else answer["steps"]
        yield "go on" if answer is None else f"move {write_acts(steps)}" if steps else "stop"

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        wish = plan.move.get(self.ask.subject)
        if wish is not None and wish.stop:
            yield {"steps": []}, f"{self.ask.subject} stop when hit"

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        if clause.stop:
            yield {"steps": []}
