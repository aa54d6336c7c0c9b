"""Actions within a turn: each seat orders its own units, and the side acts on the answers of its seats.

    seats_to_act   the seats to ask: all with units in play, except those whose last answer is still valid
    act            the side's answer from those of its seats
    only_of        the part of an answer about some units

A seat answers with `{"own": ...}`, an answer in the form of the ask for its own units alone. Any other answer of the
chief is one for the whole side, by its orders or standing orders; it applies to the units of the chief and of the
seats that send nothing. Where a step asks again and again (`BY_TURNS`), an answer that has not been carried out yet
stays valid for the rest of the step.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.happenings import Reason
from pbem.engine.rules.refusals import Refusal
from pbem.engine.text.messages import say
from pbem.titles.panzer.decisions.all_kinds import DECISIONS
from pbem.titles.panzer.player.plan import read_plan
from pbem.titles.panzer.seats.plans import calls, lies_over, part_about
from pbem.titles.panzer.seats.seating import Seating
from pbem.titles.panzer.state import PanzerState

BY_TURNS: Final = ("fire", "move", "mission", "assault", "demolish")
"""Kinds of ask with one action per answer; the step repeats the ask until all seats are done."""
AT_ONCE: Final = ("overwatch", "anti-aircraft", "dischargers", "keep", "hide", "sneak", "adjust")
"""Kinds of ask that are answered once, with a part for each unit."""
MAY_PASS: Final = (*BY_TURNS, "overwatch", "anti-aircraft")
"""Kinds of ask to which None is an answer: do nothing more."""
BY_SEAT: Final = ("overwatch", "anti-aircraft", "dischargers", "adjust")
"""Kinds of ask that the orders and standing orders of each seat answer for its own units."""
OWN: Final = "own"
SILENT: Final[Mapping[str, Any]] = {"silent": True}
"""The placeholder for a seat that has sent nothing in this step."""


def is_action(ask: Ask) -> bool:
    """Whether an ask is answered by all seats of a side, each for its own units."""
    return ask.kind in BY_TURNS or ask.kind in AT_ONCE


def is_own(answer: Any) -> bool:
    """Whether this is a seat's answer for its own units."""
    return isinstance(answer, dict) and set(answer) == {OWN}


def empty_answer(kind: str) -> Any:
    """The answer that does nothing."""
    return None if kind in MAY_PASS else [] if kind == "dischargers" else {}


def step_of(state: PanzerState, ask: Ask) -> str:
    """The step that an ask belongs to, so that answers from an earlier step no longer apply."""
    return f"{state.turn} {ask.kind} {ask.seat} {'+'.join(sorted(map(str, state.acting or ())))}"


def seats_to_act(seating: Seating, state: PanzerState, ask: Ask, standing: Mapping[str, Any]) -> list[str]:
    """The seats to ask for actions: all with units in play, because only the side may know which have a command."""
    seats = seating.seats[ask.seat]
    able = {seating.owner(state, unit) for unit in state.of(ask.seat) if unit.alive}
    return [seat for seat in seats if (seat in able or seat == seats[0]) and seat not in standing]


class Acting:
    """Combines the answers of a side's seats to one ask. `view` is the side's view."""

    def __init__(self, seating: Seating, data: Any, view: PanzerState, ask: Ask, given: Mapping[str, Any]) -> None:
        self.seating, self.view, self.ask, self.given = seating, view, ask, given
        self.decision = DECISIONS[ask.kind](data, view, ask)
        self.chief = seating.chief(ask.seat)
        self.said = {seat: answer[OWN] for seat, answer in given.items() if is_own(answer)}
        self.dropped: dict[str, tuple[Any, Reason]] = {}
        """The seats whose answer cannot be carried out, with that answer and the reason."""

    def units(self, seat: str) -> list[str]:
        """The units that a seat's answer applies to: its own, and for the chief those of seats that are silent."""
        silent = [one for one in self.seating.seats[self.ask.seat] if one not in self.said and one != seat]
        return [
            id for one in (seat, *(silent if seat == self.chief else ())) for id in self.seating.own(self.view, one)
        ]

    def part(self, answer: Any, seat: str, units: Collection[str]) -> Any:
        return only_of(self.ask.kind, self.view, answer, units, chief=seat == self.chief)

    def offers(self) -> Iterator[tuple[str, Any]]:
        """The action that each seat wants, the chief last; then the orders of silent seats."""
        for seat in (*(seat for seat in self.said if seat != self.chief), self.chief):
            answer = self.said.get(seat) if seat in self.said else self.given.get(seat)
            if answer is not None and answer != SILENT:
                yield seat, self.part(answer, seat, self.units(seat))
        if self.chief in self.said or self.given.get(self.chief) == SILENT:
            yield from self.orders_of_silent_seats()

    def orders_of_silent_seats(self) -> Iterator[tuple[str, Any]]:
        """4.2.1 The actions under this turn's orders for the units of seats that send nothing."""
        orders = getattr(self.view, "joint", {}).get(self.ask.seat, {})
        if not orders or getattr(self.view, "joint_turn", 0) != self.view.turn:
            return
        for seat in self.seating.seats[self.ask.seat]:
            if seat in self.said:
                continue
            for answer, _ in self.decision.by_plan(read_plan(orders)):
                if part := self.part(answer, seat, self.seating.own(self.view, seat)):
                    yield seat, part

    def check(self, answer: Any) -> Any:
        """The answer in the form the rules accept, or their refusal."""
        try:
            return self.decision.check(answer)
        except Refusal as refusal:
            return refusal

    def choose(self) -> Any:
        """The first offer that the rules allow, combined with all compatible ones; None if there is none."""
        whole: Any = None
        for seat, offer in self.offers():
            tried = offer if whole is None or offer is None else join_answers(self.ask.kind, whole, offer)
            if tried is None:
                if offer is not None and self.ask.kind not in BY_TURNS:
                    self.dropped.setdefault(seat, (offer, say("another seat on your side chose a different target")))
                continue  # nothing to do, or at another target: its turn comes
            found = self.check(tried)
            if isinstance(found, Refusal):
                self.dropped.setdefault(seat, (offer, found.message))
            else:
                whole = tried
        return whole

    def orders_dropped(self) -> Iterator[tuple[str, str, str, Reason]]:
        """The orders that cannot be carried out: the seat, the unit, the order line and the reason."""
        for seat, (offer, why) in self.dropped.items():
            lines = list(self.decision.sentence(offer))
            for id in dict.fromkeys(units_in(self.ask.kind, self.view, offer)):
                own = [line for line in lines if line.split()[0] == id]
                yield seat, id or seat, (own or lines)[0], why

    def answer(self) -> Any:
        """The side's answer: what its seats have chosen, otherwise nothing, or a default that the rules accept."""
        whole = self.choose()
        if whole is None and self.ask.kind not in MAY_PASS:
            whole = self.decision.default()
        found = self.check(whole)
        return self.check(self.decision.default()) if isinstance(found, Refusal) else found

    def remaining(self, answer: Any) -> dict[str, Any]:
        """The answers kept for the rest of the step: those not carried out now, and `SILENT` for silent seats."""
        acted = set(units_in(self.ask.kind, self.view, answer))
        found: dict[str, Any] = {}
        for seat, given in self.given.items():
            own = self.said.get(seat)
            used = set(units_in(self.ask.kind, self.view, own)) & acted
            if seat in self.said and not used and seat not in self.dropped:
                found[seat] = given
            elif seat not in self.said:
                found[seat] = dict(SILENT)
        return found


def units_in(kind: str, view: PanzerState, answer: Any) -> list[str]:
    """The units that an answer concerns; an empty name stands for a matter that only the chief decides."""
    match kind, answer:
        case _, None:
            return []
        case "fire" | "overwatch", _:
            return [entry[0] for entry in answer["firers"]]
        case "move", _:
            return [answer["unit"]]
        case "mission", _:
            mission = view.missions.get(answer.get("mission", ""))
            return [answer.get("observer") or (mission.observer if mission is not None else "")]
        case "assault", _:
            return [pair[0] for pair in answer["attackers"]]
        case "demolish", _:
            return list(answer["attackers"])
        case "anti-aircraft", _:
            return [pair[0] for pair in answer]
        case "adjust", _:
            return [id for part in answer.values() for id in part]
        case "hide", _:
            return [id for _, ids in answer.get("counters", ()) for id in ids] + [""] * bool(answer.get("dummies"))
        case "sneak", _:
            named = [*answer.get("reveal", ()), *answer.get("move", ())]
            return [id for counter in named for id in view.hidden_counters[counter].units or [""]]
    return list(answer)


# --- parts ---------------------------------------------------------------------------------------------------------


def only_of(kind: str, view: PanzerState, answer: Any, units: Collection[str], *, chief: bool) -> Any:
    """The part of an answer that concerns these units; None if there is none."""
    return None if answer is None else PARTS[kind](view, answer, units, chief) or None


def fire_part(view: PanzerState, answer: Any, units: Collection[str], chief: bool) -> Any:
    firers = [entry for entry in answer["firers"] if entry[0] in units]
    if not firers:
        return None
    targets = [entry[3] if len(entry) > 3 else answer["target"] for entry in firers]
    target = answer["target"] if answer["target"] in targets else targets[0]
    return {
        "target": target,
        "firers": [entry_with_target(entry, one, target) for entry, one in zip(firers, targets, strict=True)],
    }


def entry_with_target(entry: Sequence[Any], target: str, main: str) -> list[Any]:
    """5.14 An entry of a declaration; its target is named only if it differs from the main one."""
    return [*entry[:3], *([] if target == main else [target])]


def move_part(view: PanzerState, answer: Any, units: Collection[str], chief: bool) -> Any:
    return answer if answer["unit"] in units else None


def mission_part(view: PanzerState, answer: Any, units: Collection[str], chief: bool) -> Any:
    return answer if calls(view, answer, units, chief=chief) else None


def assault_part(view: PanzerState, answer: Any, units: Collection[str], chief: bool) -> Any:
    attackers = [pair for pair in answer["attackers"] if pair[0] in units]
    return {**answer, "attackers": attackers} if attackers else None


def demolish_part(view: PanzerState, answer: Any, units: Collection[str], chief: bool) -> Any:
    attackers = [id for id in answer["attackers"] if id in units]
    if not attackers:
        return None
    advance = part_about(answer.get("advance", {}), units)
    found = {**answer, "attackers": attackers}
    return {**found, "advance": advance} if advance else {key: found[key] for key in found if key != "advance"}


def guns_part(view: PanzerState, answer: Any, units: Collection[str], chief: bool) -> Any:
    return [pair for pair in answer if pair[0] in units]


def units_part(view: PanzerState, answer: Any, units: Collection[str], chief: bool) -> Any:
    return part_about(answer, units)


def adjust_part(view: PanzerState, answer: Any, units: Collection[str], chief: bool) -> Any:
    return {part: own for part, said in answer.items() if (own := part_about(said, units))}


def hide_part(view: PanzerState, answer: Any, units: Collection[str], chief: bool) -> Any:
    counters = [row for row in answer.get("counters", ()) if set(row[1]) <= set(units)]
    dummies = answer.get("dummies", []) if chief else []
    return {key: value for key, value in (("counters", counters), ("dummies", dummies)) if value}


def sneak_part(view: PanzerState, answer: Any, units: Collection[str], chief: bool) -> Any:
    own = {id for id in view.hidden_counters if lies_over(view, id, units, chief=chief)}
    parts = (("reveal", part_about(answer.get("reveal", []), own)), ("move", part_about(answer.get("move", {}), own)))
    return {key: value for key, value in parts if value}


Part = Callable[[PanzerState, Any, Collection[str], bool], Any]
PARTS: Final[Mapping[str, Part]] = {
    "fire": fire_part,
    "overwatch": fire_part,
    "move": move_part,
    "mission": mission_part,
    "assault": assault_part,
    "demolish": demolish_part,
    "anti-aircraft": guns_part,
    "dischargers": units_part,
    "keep": units_part,
    "adjust": adjust_part,
    "hide": hide_part,
    "sneak": sneak_part,
}


# --- together ------------------------------------------------------------------------------------------------------


def join_answers(kind: str, one: Any, other: Any) -> Any:
    """4.4.1, 6.6.1.1 Combine two answers; None if they have different targets."""
    if kind in ("fire", "overwatch"):
        return same_target(one, other, "target", "firers")
    if kind == "assault":
        return same_target(one, other, "target", "attackers")
    if kind == "demolish":
        found = same_target(one, other, "feature", "attackers")
        advance = {**one.get("advance", {}), **other.get("advance", {})}
        return {**found, "advance": advance} if found and advance else found
    if kind in BY_TURNS:
        return None
    return merge(one, other)


def same_target(one: Any, other: Any, target: str, units: str) -> Any:
    if one[target] != other[target]:
        return None
    return {**one, **other, units: [*one[units], *other[units]]}


def merge(one: Any, other: Any) -> Any:
    """Merge tables entry by entry; concatenate lists."""
    if isinstance(one, dict):
        return {**one, **{key: merge(one[key], said) if key in one else said for key, said in other.items()}}
    return [*one, *other]
