"""Asking the seats of a side, and combining their answers.

    ask_seats     a step that sends asks for a side to its seats
    seat_asks     orders and actions go to every seat, asks about one unit to its seat, all others to the chief
    join_orders   the seats' orders as the side's orders
    act           the seats' actions as the side's action

Within a turn the orders of all seats form one plan (`SeatedState.joint`), so that units of several seats fire at one
target together (4.4.1 R-09) exactly as if one player had written all lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from itertools import chain
from typing import Any, Final

import msgspec

from pbem.engine.play.resolve import ANSWERED, FAILED
from pbem.engine.rules.ask import Ask, Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail, Reason
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import Message, Several, say
from pbem.titles.panzer.command.command_control import commandable
from pbem.titles.panzer.command.commands import leader_of
from pbem.titles.panzer.decisions.all_kinds import DECISIONS
from pbem.titles.panzer.seats import plans
from pbem.titles.panzer.seats.acting import BY_TURNS, OWN, SILENT, Acting, is_action, is_own, seats_to_act, step_of
from pbem.titles.panzer.seats.seating import Seating
from pbem.titles.panzer.setup.deployment import to_place
from pbem.titles.panzer.state import PanzerState
from pbem.titles.panzer.view import view_of

RULE: Final = "pbem/seats"
"""The rule cited when orders of several seats are combined: the rulebooks have one player per side."""
SHARED: Final = ("commands", "deploy", "adjust")
"""The kinds of orders that every seat gives for its own units."""


class SeatedState(PanzerState, kw_only=True):
    """A state with each side's orders for the turn, combined from those of its seats."""

    joint: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    joint_turn: int = 0
    standing: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    """The seats' answers that remain in force for the rest of a step, by side."""
    standing_in: dict[str, str] = msgspec.field(default_factory=dict)
    """The step in which those answers remain in force, by side."""


def is_shared(ask: Ask) -> bool:
    """Whether an ask is for orders from all seats of a side."""
    return ask.grade == "order" and ask.kind in SHARED


def ask_seats(seating: Seating, step: Callable[..., Step]) -> Callable[..., Step]:
    """Wrap a step so that its asks go to a side's seats, and its findings for a side reach all of them."""

    @wraps(step)
    def play(table: Table[SeatedState], **args: Any) -> Step:
        going, answer = step(table, **args), None
        findings, told = table.findings, len(table.findings)
        while True:
            try:
                asked = going.send(answer)
            except StopIteration:
                address(seating, findings, told)
                return
            address(seating, findings, told)
            told = len(findings)
            answer = yield from answer_by_seats(table, seating, asked)
            if table.findings is not findings:
                findings, told = table.findings, 0

    return play


def address(seating: Seating, findings: list[Finding], start: int) -> None:
    """Address findings for a side, and those about a seat's automatic answers, to all seats of the side."""
    for number in range(start, len(findings)):
        findings[number] = address_to_seats(seating, findings[number])


def address_to_seats(seating: Seating, finding: Finding) -> Finding:
    """A finding addressed to a side's seats instead of the side."""
    children = tuple(address_to_seats(seating, child) for child in finding.children)
    to = finding.to
    if to is not None:
        whole = finding.rule in (ANSWERED, FAILED)
        sides = [seating.sides.get(word, word) if whole else word for word in to]
        to = tuple(dict.fromkeys(seat for word in sides for seat in seating.seats.get(word, (word,))))
    same = to == finding.to and all(new is old for new, old in zip(children, finding.children, strict=True))
    return finding if same else msgspec.structs.replace(finding, to=to, children=children)


def answer_by_seats(table: Table[SeatedState], seating: Seating, asked: Ask | Together) -> Step:
    """Send asks for sides to their seats. Return the answer the step expects."""
    if isinstance(asked, Ask) and (standing := act_on_standing(table, seating, asked)) is not None:
        return standing
    wanted = asked.asks if isinstance(asked, Together) else (asked,)
    put = [list(seat_asks(seating, table, ask)) for ask in wanted]
    asks = tuple(chain(*put))
    given: Any = ()
    if asks:
        given = yield asks[0] if len(asks) == 1 else Together(asks)
    said = dict(zip((ask.seat for ask in asks), (given,) if len(asks) == 1 else given, strict=True))
    found = []
    for ask, seats in zip(wanted, put, strict=True):
        own = {one.seat: said[one.seat] for one in seats}
        found.append(answer_of_side(table, seating, ask, own))
    return tuple(found) if isinstance(asked, Together) else found[0]


def answer_of_side(table: Table[SeatedState], seating: Seating, ask: Ask, given: Mapping[str, Any]) -> Any:
    """The side's answer, combined from those of its seats."""
    if len(seating.seats[ask.seat]) > 1 and is_shared(ask):
        return join_orders(table, seating, ask, given)
    if len(seating.seats[ask.seat]) > 1 and is_action(ask):
        return act(table, seating, ask, given)
    return next(iter(given.values()))


def seat_asks(seating: Seating, table: Table[SeatedState], ask: Ask) -> Iterator[Ask]:
    """The seats' asks that replace an ask for their side."""
    seats, state = seating.seats[ask.seat], table.state
    if len(seats) == 1:
        yield ask
    elif is_action(ask) and not is_shared(ask):
        for seat in seats_to_act(seating, state, ask, standing_answers(state, ask)):
            yield msgspec.structs.replace(ask, seat=seat, about={**ask.about, "own": seating.own(state, seat)})
    elif not is_shared(ask):
        yield msgspec.structs.replace(ask, seat=seat_concerned(seating, state, ask))
    else:
        bound = {row.id for row in to_place(table.data, ask.seat)} if ask.kind == "deploy" else None
        able = {unit.id for unit in commandable(state, ask.seat)} if ask.kind == "commands" else None
        for seat in seats:
            own = [id for id in seating.own(state, seat) if bound is None or id in bound]
            if seat == seats[0] or (own and (able is None or able & set(own))):
                yield msgspec.structs.replace(ask, seat=seat, about={**ask.about, "own": own}, default=None)


def seat_concerned(seating: Seating, state: PanzerState, ask: Ask) -> str:
    """The seat to ask within a turn: that of the single unit the ask is about, otherwise the chief."""
    named = [ask.subject] if ask.subject in state.vehicles else []
    own = [id for id in named if state.vehicles[id].side == ask.seat]
    if not own:
        listed = [id for id in ask.about.get("units", ()) if id in state.vehicles]
        own = listed if all(state.vehicles[id].side == ask.seat for id in listed) else []
    owners = {seating.owner(state, state.vehicles[id]) for id in own}
    return owners.pop() if len(owners) == 1 else seating.chief(ask.seat)


# --- actions within a turn ---------------------------------------------------------------------------------------


def standing_answers(state: SeatedState, ask: Ask) -> dict[str, Any]:
    """The answers of a side's seats that are still in force in the step of an ask."""
    return state.standing.get(ask.seat, {}) if state.standing_in.get(ask.seat) == step_of(state, ask) else {}


def act(table: Table[SeatedState], seating: Seating, ask: Ask, given: Mapping[str, Any]) -> Any:
    """The side's action; if no seat has answered, it follows the side's orders and standing orders."""
    every = {**standing_answers(table.state, ask), **given}
    chief = every[seating.chief(ask.seat)]
    if chief != SILENT and not any(map(is_own, every.values())):
        return chief
    acting = Acting(seating, table.data, view_of(table.state, ask.seat), ask, every)
    answer = acting.answer()
    settle(table, acting, answer)
    return answer


def act_on_standing(table: Table[SeatedState], seating: Seating, ask: Ask) -> Any:
    """The next action that a seat ordered earlier in the step; None if there is none, so the seats are asked."""
    standing = standing_answers(table.state, ask)
    if all(answer.get(OWN) is None for answer in standing.values()):
        return None
    acting = Acting(seating, table.data, view_of(table.state, ask.seat), ask, standing)
    answer = None if (found := acting.choose()) is None else acting.check(found)
    settle(table, acting, answer)
    return answer


def settle(table: Table[SeatedState], acting: Acting, answer: Any) -> None:
    """Keep the answers for the rest of the step, and tell each seat which of its answers cannot be carried out."""
    state, ask = table.state, acting.ask
    for seat, id, order, why in acting.orders_dropped():
        tell_failed(table, seat, id, order, why)
    if ask.kind in BY_TURNS:
        state.standing = {**state.standing, ask.seat: acting.remaining(answer)}
        state.standing_in = {**state.standing_in, ask.seat: step_of(state, ask)}


# --- one answer of several ----------------------------------------------------------------------------------------


def join_orders(table: Table[SeatedState], seating: Seating, ask: Ask, given: Mapping[str, Any]) -> Any:
    """Combine a side's orders seat by seat, the chief last; orders incompatible with the others are skipped."""
    view = view_of(table.state, ask.seat)
    check = DECISIONS[ask.kind](table.data, view, ask).check
    chief = seating.chief(ask.seat)
    whole: dict[str, Any] = {}
    kept: list[dict[str, Any]] = []
    for seat in (*(seat for seat in given if seat != chief), chief):
        answer = given[seat] or {}
        units = units_counted(seating, table.state, given, seat)
        said = answer.get("commands", {}) if ask.kind == "commands" else answer
        for part in parts_of(ask, said):
            tried = with_part(ask, whole, part)
            if not set(named_in(ask, part)) <= set(units):
                pass_over(table, seat, ask, part, say("the seat that commands the unit has given orders of its own"))
            elif why := reason_refused(check, tried):
                pass_over(table, seat, ask, part, why)
            else:
                whole = tried
        if ask.kind == "commands":
            plan = plans.named_by_unit(answer.get("plan", {}), seating.own(table.state, seat))
            kept.append(plans.own_part(view, plan, units, chief=seat == chief))
    if ask.kind == "commands":
        table.state.joint = {**table.state.joint, ask.seat: plans.join_plans(kept)}
        table.state.joint_turn = table.state.turn
    return check(whole)


def units_counted(seating: Seating, state: PanzerState, given: Mapping[str, Any], seat: str) -> list[str]:
    """The units that a seat's orders apply to: its own, and for the chief those of silent seats."""
    side = seating.sides[seat]
    silent = [other for other in seating.seats[side] if other != seat and given.get(other) is None]
    deputised = silent if seat == seating.chief(side) else []
    return [id for one in (seat, *deputised) for id in seating.own(state, one)]


def reason_refused(check: Callable[[Any], Any], answer: Any) -> Message | Several | None:
    """Why an answer is refused; None if it is accepted."""
    try:
        check(answer)
    except Refusal as refusal:
        return refusal.message
    return None


def parts_of(ask: Ask, said: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The independent parts of an answer: units under one counter, or single placements or adjustments."""
    if ask.kind == "adjust":
        yield from ({part: {id: value}} for part, units in said.items() for id, value in units.items())
        return
    groups: dict[str, dict[str, Any]] = {}
    for id, word in said.items():
        leader = leader_of(said, id) if ask.kind == "commands" else ""
        groups.setdefault(leader or id, {})[id] = word
    yield from groups.values()


def named_in(ask: Ask, part: Mapping[str, Any]) -> list[str]:
    """The units that a part of an answer concerns."""
    return [id for units in part.values() for id in units] if ask.kind == "adjust" else list(part)


def with_part(ask: Ask, whole: Mapping[str, Any], part: Mapping[str, Any]) -> dict[str, Any]:
    """An answer with one more part."""
    if ask.kind != "adjust":
        return {**whole, **part}
    return {**whole, **{name: {**whole.get(name, {}), **units} for name, units in part.items()}}


def pass_over(table: Table[SeatedState], seat: str, ask: Ask, part: Mapping[str, Any], why: Reason) -> None:
    """4.2.1 Tell a seat which of its orders are not carried out, and why."""
    for id in named_in(ask, part):
        order = str(part.get(id, ask.kind)) if ask.kind == "commands" else ask.kind
        tell_failed(table, seat, id, order, why)


def tell_failed(table: Table[SeatedState], seat: str, id: str, order: str, why: Reason) -> None:
    """4.2.1 Tell a seat which order of a unit is not carried out, and why."""
    inputs = {"unit": id, "order": order, "rule": RULE}
    table.find(FAILED, to=(seat,), inputs=inputs, result=why, shows=[Fail(id, order, why, RULE)])
