"""The rules bound to a match with several seats on a side.

    SeatedRules    the same steps; asks for a side go to its seats (`asking`), views are the side's
    seat_bot       a bot in one seat: it plans for the side and orders its own units

A seat answers an ask for commands with its commands and its plan together, because the plans of all seats of a side
are carried out as one. The answer of a seat that has sent nothing is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import msgspec

from pbem.engine.play.bots import Bot, Choice
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import MASTER, Finding
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable, each
from pbem.engine.rules.title import Formation, Plan, Proposal, Reply, Rules, Submission, Wish, Wording
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import lines
from pbem.engine.text.messages import Message, Several, say, several
from pbem.engine.text.sheets import Sheet
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.bots.bot import STANDING_ORDERS
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.decisions.base import PanzerDecision, check_plan
from pbem.titles.panzer.reading.naming import with_line
from pbem.titles.panzer.seats import plans
from pbem.titles.panzer.seats.acting import BY_SEAT, MAY_PASS, OWN, empty_answer, is_action, is_own, only_of, units_in
from pbem.titles.panzer.seats.asking import RULE, SeatedState, ask_seats, is_shared
from pbem.titles.panzer.seats.seating import Seating
from pbem.titles.panzer.state import PanzerState
from pbem.titles.proposals import read_with_proposals


class SeatedRules(PanzerRules):
    """The rules bound to one match in which a side has several seats."""

    state_type = SeatedState
    shares_orders = True

    def __init__(self, data: PanzerData, seating: Seating) -> None:
        super().__init__(data)
        self.seating = seating
        self.whole = PanzerRules(data)
        self.seats = tuple(seating.sides)
        self.sides = seating.sides
        self.steps: Mapping[str, Callable[..., Step]] = {
            name: ask_seats(seating, step) for name, step in PanzerRules.steps.items()
        }
        self.bots = {name: partial(seat_bot, make) for name, make in PanzerRules.bots.items()}

    def setup(self, switches: tuple[str, ...]) -> SeatedState:
        """2.0 The state before the first step."""
        state = super().setup(switches)
        return SeatedState(**{name: getattr(state, name) for name in PanzerState.__struct_fields__})

    def view(self, state: PanzerState, viewer: str) -> PanzerState:
        """5.0 Everything a seat's side may see, and the orders of its seats."""
        side = self.sides.get(viewer, viewer)
        seen = super().view(state, side)
        if isinstance(seen, SeatedState) and viewer != MASTER:
            seen.joint = {name: plan for name, plan in seen.joint.items() if name == side}
            seen.standing = {name: said for name, said in seen.standing.items() if name == side}
        return seen

    # --- asks ----------------------------------------------------------------------------------------------------

    def side_ask(self, ask: Ask) -> Ask:
        """Turn an ask to one seat into the same ask to its whole side."""
        side = self.sides.get(ask.seat, ask.seat)
        if side == ask.seat:
            return ask
        return msgspec.structs.replace(ask, seat=side, default={} if is_shared(ask) else ask.default)

    def divides(self, ask: Ask) -> bool:
        """Whether a seat answers this ask only for its part of the side."""
        return is_shared(ask) and self.sides.get(ask.seat, ask.seat) != ask.seat

    def acts(self, ask: Ask) -> bool:
        """Whether a seat answers for its own units within a turn."""
        return is_action(ask) and not is_shared(ask) and self.sides.get(ask.seat, ask.seat) != ask.seat

    def leads(self, seat: str) -> bool:
        """Whether a seat is the chief of its side."""
        return seat == self.seating.chief(self.sides.get(seat, seat))

    def may_order(self, view: PanzerState, ask: Ask) -> list[str]:
        """The units a seat may name: its own; the chief may name all, on behalf of seats that send nothing."""
        side = self.sides[ask.seat]
        if ask.seat != self.seating.chief(side):
            return self.seating.own(view, ask.seat)
        return [unit.id for unit in view.vehicles.values() if unit.side == side]

    def decide(self, view: Any, ask: Ask) -> PanzerDecision:
        return super().decide(view, self.side_ask(ask))

    def options(self, view: PanzerState, ask: Ask) -> Iterator[Answer]:
        for option in super().options(view, ask):
            if self.acts(ask):
                part = {OWN: self.own_part(view, ask, option)}
            elif self.divides(ask):
                part = self.part_of(view, ask, Submission(option)).answer
            else:
                yield option
                continue
            try:
                yield self.check(view, ask, part)
            except Refusal:
                continue

    def part_of(self, view: PanzerState, ask: Ask, said: Submission) -> Submission:
        """One seat's part of the orders for a whole side."""
        own, chief = self.seating.own(view, ask.seat), ask.seat == self.seating.chief(self.sides[ask.seat])
        if ask.kind == "adjust":
            parts = {name: plans.part_about(units, own) for name, units in said.answer.items()}
            return Submission({name: units for name, units in parts.items() if units})
        answer = plans.part_about(said.answer, own)
        if ask.kind != "commands":
            return Submission(answer)
        return Submission({"commands": answer, "plan": plans.own_part(view, said.plan, own, chief=chief)})

    def own_part(self, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
        """The part of a side's action that a seat's own units carry out."""
        own = self.seating.own(view, ask.seat)
        found = only_of(ask.kind, view, answer, own, chief=self.leads(ask.seat))
        return empty_answer(ask.kind) if found is None else found

    def check_action(self, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
        """A seat's action with its own units; for the chief, also with those of seats that send nothing.

        It is accepted even if other seats' units still have something to do.
        """
        if not is_own(answer) and self.leads(ask.seat):
            return super().check(view, ask, answer)
        if answer is None:
            return None
        said, units = answer[OWN] if is_own(answer) else answer, self.may_order(view, ask)
        try:
            super().check(view, ask, said)
        except Refusal as refusal:
            found = [one for one in each(refusal) if said is not None or one.part in units]
            if found:
                raise found[0] if len(found) == 1 else Refusals(found) from refusal
        strange = [id for id in units_in(ask.kind, view, said) if id not in units]
        if refusals := list(self.refuse_strangers(view, ask, [] if self.leads(ask.seat) else strange)):
            raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
        return {OWN: said}

    def check(self, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
        if self.acts(ask):
            return self.check_action(view, ask, answer)
        if not self.divides(ask):
            return super().check(view, ask, answer)
        if answer is None:
            return None
        said = commands_and_plan(ask, answer)
        found = Submission(super().check(view, ask, said.answer), said.plan)
        if ask.kind == "commands":
            found = Submission(found.answer, check_plan(view, self.sides[ask.seat], said.plan))
        refusals = list(self.refusals(view, ask, found))
        if refusals:
            raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
        return {"commands": found.answer, "plan": found.plan} if ask.kind == "commands" else found.answer

    def refusals(self, view: PanzerState, ask: Ask, said: Submission) -> Iterator[Refusal]:
        """Refuse orders for other seats' units, and matters that only the chief decides."""
        units = self.may_order(view, ask)
        named = said.answer if ask.kind != "adjust" else [id for part in said.answer.values() for id in part]
        strange = [id for id in named if id not in units]
        strange += plans.foreign_parts(view, said.plan, units, chief=self.leads(ask.seat)) if said.plan else []
        yield from self.refuse_strangers(view, ask, strange)

    def refuse_strangers(self, view: PanzerState, ask: Ask, strange: Iterable[str]) -> Iterator[Refusal]:
        """Refuse units of other seats, naming their owners, and matters that only the chief decides."""
        for word in dict.fromkeys(strange):
            unit = view.vehicles.get(word)
            if unit is not None and unit.side == self.sides[ask.seat]:
                owner = self.seating.names[self.seating.owner(view, unit)]
                reason = Objection(
                    RULE, say("{unit} is ordered by {owner}, another seat of your side", unit=word, owner=owner)
                )
            else:
                decides = self.seating.names[self.seating.chief(self.sides[ask.seat])]
                reason = Objection(RULE, say("only {decides} decides this for your side", decides=decides))
            yield Illegal(word, [reason])

    def read(self, view: PanzerState, ask: Ask, text: str) -> Submission:
        if not (self.divides(ask) or self.acts(ask)):
            return super().read(view, ask, text)
        return read_with_proposals(lambda tried: self.attempt(view, ask, tried), text)

    def attempt(self, view: PanzerState, ask: Ask, text: str) -> Submission:
        """Read a seat's lines; its commands and plan are sealed together."""
        if self.acts(ask):
            said = self.decide(view, ask).take(text)
            return Submission(self.check(view, ask, {OWN: said.answer}))
        said = super().attempt(view, self.side_ask(ask), text)
        if not self.divides(ask):
            return said
        refused = [with_text(one, text) for one in self.refusals(view, ask, said)]
        if refused:
            raise refused[0] if len(refused) == 1 else Refusals(refused)
        return Submission({"commands": said.answer, "plan": said.plan} if ask.kind == "commands" else said.answer)

    def default(self, view: Callable[[], Any], ask: Ask) -> Answer:
        silent = self.divides(ask) or (self.acts(ask) and not self.leads(ask.seat))
        return None if silent else super().default(view, ask)

    def check_plan(self, view: PanzerState, ask: Ask, plan: Any) -> dict[str, Any]:
        return super().check_plan(view, self.side_ask(ask), plan)

    def restate(self, ask: Ask, submission: Submission) -> str:
        return super().restate(self.side_ask(ask), self.open_sealed(ask, submission))

    def open_sealed(self, ask: Ask, said: Submission) -> Submission:
        """A sealed submission in the form used for a whole side."""
        if is_own(said.answer):
            return Submission(said.answer[OWN], said.plan)
        if self.acts(ask) and said.answer is None:
            return Submission(empty_answer(ask.kind), said.plan)
        if not self.divides(ask):
            return said
        return commands_and_plan(ask, said.answer) if said.answer is not None else Submission({})

    def form_lines(self, view: PanzerState, ask: Ask) -> Sequence[FormLine]:
        """The side's order form; within a turn, without the lines for other seats' units."""
        found = super().form_lines(view, ask)
        if not self.acts(ask):
            return found
        others = {unit.id for unit in view.of(self.sides[ask.seat])} - set(self.seating.own(view, ask.seat))
        kept = [line for line in found if first_word(line) not in others]
        ready = any(isinstance(line, str) and line and not line.startswith("#") for line in kept)
        return kept if ready else [*kept, "done"]

    # --- within a turn -------------------------------------------------------------------------------------------

    def whole_plan(self, view: PanzerState, ask: Ask, plan: Plan) -> Plan:
        """4.2.1 This turn's orders of all seats of a side, with the seat's additions."""
        side, orders = self.sides.get(ask.seat, ask.seat), {}
        given = view.turn - 1 if ask.kind == "dischargers" else view.turn  # 7.9: before the next turn's commands
        if isinstance(view, SeatedState) and view.joint_turn == given:
            orders = view.joint.get(side, {})
        return Plan({**orders, **plan}, used=plan.used)

    def answers_for_side(self, ask: Ask) -> bool:
        """Whether the automatic answer to an ask is for the whole side or a single unit, not for one seat's part."""
        return not self.divides(ask) and (not self.acts(ask) or self.leads(ask.seat))

    def by_seat(self, ask: Ask) -> bool:
        """Whether each seat's own orders and standing orders answer an ask for its own units."""
        return ask.kind in BY_SEAT and self.acts(ask)

    def own_plan(self, view: PanzerState, ask: Ask, plan: Plan) -> Plan:
        """4.2.1 This turn's orders for a seat's own units, also those that the chief gave while it was silent."""
        whole = self.whole_plan(view, ask, plan)
        return Plan(plans.own_part(view, whole, self.seating.own(view, ask.seat), chief=False), used=plan.used)

    def own_replies(self, view: PanzerState, ask: Ask, replies: Iterable[Reply]) -> Iterator[Reply]:
        """These answers reduced to a seat's own units; if that leaves nothing, the chief may act for them."""
        for reply in replies:
            part = self.own_part(view, ask, reply.answer)
            passes = part is None and ask.kind in MAY_PASS
            yield msgspec.structs.replace(reply, answer=None if passes else {OWN: part})

    def from_plan(self, view: Any, ask: Ask, plan: Plan) -> Iterator[Reply]:
        if self.by_seat(ask):
            yield from self.own_replies(view, ask, super().from_plan(view, ask, self.own_plan(view, ask, plan)))
        elif self.answers_for_side(ask):
            yield from super().from_plan(view, ask, self.whole_plan(view, ask, plan))

    def from_standing_orders(self, view: Any, ask: Ask, orders: Any) -> Iterator[Reply]:
        if self.by_seat(ask):
            yield from self.own_replies(view, ask, super().from_standing_orders(view, ask, orders))
        elif self.answers_for_side(ask):
            yield from super().from_standing_orders(view, ask, orders)

    def unfulfilled_orders(self, view: PanzerState, ask: Ask, answer: Answer, plan: Plan) -> Iterator[Fail]:
        if self.by_seat(ask):
            done = self.open_sealed(ask, Submission(answer)).answer
            yield from super().unfulfilled_orders(view, self.side_ask(ask), done, self.own_plan(view, ask, plan))
        elif self.answers_for_side(ask):
            yield from super().unfulfilled_orders(view, self.side_ask(ask), answer, self.whole_plan(view, ask, plan))

    # --- words and pictures --------------------------------------------------------------------------------------

    def briefing(self, seat: str) -> Wording:
        """2.0 The situation, and the units a seat commands."""
        side = self.sides.get(seat, seat)
        situation = super().briefing(side)
        return several([situation, self.standing(seat)], "lines") if side != seat else situation

    def standing(self, seat: str) -> Several:
        """The units a seat orders, and the other seats on its side."""
        side = self.sides[seat]
        others = several((self.seating.names[one] for one in self.seating.seats[side] if one != seat), "unit")
        chief = self.seating.chief(side)
        role = say("{chief} is the chief of your side.", chief=self.seating.names[chief])
        if seat == chief:
            role = say(
                "You are the chief of your side: you decide matters that concern the whole side, and your "
                "orders for units of another seat are used if that seat sends nothing."
            )
        own = say("You command {seat}. With you: {others}.", seat=self.seating.names[seat], others=others)
        return several([own, role], "sentences")

    def ordered_units(self, ask: Ask, answer: Answer) -> frozenset[str]:
        """4.2 The units that are ordered to move."""
        return super().ordered_units(ask, self.open_sealed(ask, Submission(answer)).answer)

    def questions(self, view: PanzerState, seat: str, choice: Choice) -> Iterator[Finding]:
        return super().questions(view, self.sides.get(seat, seat), choice)

    def picture(self, view: PanzerState, viewer: str = "public") -> str | None:
        """1.2 The map as a viewer's side may see it."""
        return super().picture(view, self.sides.get(viewer, viewer))

    def describe(self, view: PanzerState, viewer: str = "public") -> list[Message]:
        """1.2 The map as a viewer's side may see it, in words."""
        return super().describe(view, self.sides.get(viewer, viewer))

    def roll_call(self, view: PanzerState, ask: Ask) -> dict[str, str]:
        found = super().roll_call(view, self.side_ask(ask))
        own = self.seating.own(view, ask.seat) if self.divides(ask) or self.acts(ask) else found
        return {id: name for id, name in found.items() if id in own}

    def sheet(self, view: PanzerState, viewer: str, ask: Ask | None, unit: str) -> Sheet | None:
        asked = self.side_ask(ask) if ask is not None and self.asked_about(view, ask, unit) else None
        return super().sheet(view, self.sides.get(viewer, viewer), asked, unit)

    def asked_about(self, view: PanzerState, ask: Ask, unit: str) -> bool:
        """Whether a seat may order a unit in answer to an ask."""
        return not (self.divides(ask) or self.acts(ask)) or unit in self.may_order(view, ask)

    def formations(self, view: PanzerState, seat: str) -> tuple[Formation, ...]:
        """6.2.1 A seat's units by formation."""
        found, own = super().formations(view, self.sides.get(seat, seat)), set(self.seating.own(view, seat))
        cut = [msgspec.structs.replace(one, units=tuple(id for id in one.units if id in own)) for one in found]
        return tuple(one for one in cut if one.units)

    def count_commands(self, view: PanzerState, ask: Ask, submission: Submission) -> dict[str, int]:
        return super().count_commands(view, self.side_ask(ask), self.open_sealed(ask, submission))

    def propose(self, view: PanzerState, ask: Ask, wish: Wish) -> Proposal:
        own = self.may_order(view, ask) if self.divides(ask) else wish.units
        units = tuple(id for id in wish.units if id in own)
        found = super().propose(view, self.side_ask(ask), msgspec.structs.replace(wish, units=units))
        left = (*found.left_out, *(id for id in wish.units if id not in units))
        return msgspec.structs.replace(found, left_out=left)

    def preview(self, view: PanzerState, ask: Ask, line: str) -> dict[str, Any]:
        return super().preview(view, self.side_ask(ask), line)

    def bot(self, seed: object) -> Bot:
        """A bot that plays to win."""
        return self.bots["steady"](seed)


def first_word(line: FormLine) -> str:
    """The first word of a line in a form, even in a comment."""
    words = str(line).lstrip("# ").split()
    return words[0] if words else ""


def with_text(refusal: Refusal, text: str) -> Refusal:
    """A refusal with the line of the text that names the refused part."""
    line = next((line for line in lines(text) if refusal.part in line.text.split()), None)
    return with_line(refusal, line) if line is not None else refusal


def commands_and_plan(ask: Ask, answer: Any) -> Submission:
    """Split a seat's sealed submission into commands and plan; refuse anything else."""
    if ask.kind != "commands":
        return Submission(answer)
    if not isinstance(answer, dict) or set(answer) - {"commands", "plan"}:
        reason = Objection(RULE, say("give the commands and the plan of your seat"))
        raise Unreadable("commands", [reason], ['{"commands": {"g1": "fire"}, "plan": {}}'])
    return Submission(answer.get("commands", {}), answer.get("plan", {}))


def seat_bot(make: Callable[[object], Bot], seed: object) -> Bot:
    """A bot in one seat: it plans for its side, orders its own units, and within a turn follows its side's orders."""
    inner = make(seed)

    def answer(rules: Rules, view: PanzerState, ask: Ask) -> Submission:
        assert isinstance(rules, SeatedRules)
        side = rules.side_ask(ask)
        if rules.divides(ask):
            said = rules.part_of(view, ask, inner(rules.whole, view, side))
            return Submission(first_legal(rules, view, ask, [said.answer]))
        if ask.kind == "plot" or side is ask:
            return inner(rules.whole, view, side)
        compiled = rules.compile_standing_orders(list(STANDING_ORDERS))
        plan = rules.whole_plan(view, ask, Plan())
        replies = chain(
            rules.whole.from_plan(view, side, plan), rules.whole.from_standing_orders(view, side, compiled)
        )
        answers = (reply.answer for reply in replies)
        if rules.acts(ask):
            answers = ({OWN: rules.own_part(view, ask, answer)} for answer in answers)
        return Submission(first_legal(rules, view, ask, answers))

    return answer


def first_legal(rules: SeatedRules, view: PanzerState, ask: Ask, answers: Any) -> Answer:
    """The first of these answers that the rules accept, otherwise the default."""
    for answer in answers:
        try:
            return rules.check(view, ask, answer)
        except Refusal:
            continue
    return rules.default(lambda: view, ask)
