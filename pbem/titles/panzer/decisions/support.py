"""6.5.1, 6.7 Decisions about indirect fire and aircraft.

6.5.1    Missions    calls as ordered, then missions to continue
6.7      Flights
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Refusal
from pbem.engine.text.forms import FormLine
from pbem.titles.panzer.air.air import check_flight, flight_options
from pbem.titles.panzer.air.air_attacks import Plot
from pbem.titles.panzer.artillery.calls import called_missions
from pbem.titles.panzer.artillery.indirect_fire import default_mission
from pbem.titles.panzer.artillery.mission_answers import check_mission, legal_calls, mission_options
from pbem.titles.panzer.decisions.base import ActionAsk
from pbem.titles.panzer.player.fates import flight_fates, mission_fates
from pbem.titles.panzer.player.forms import aircraft_lines
from pbem.titles.panzer.player.plan import AdvancedPlan, Declaration
from pbem.titles.panzer.player.restating import write_flight, write_mission
from pbem.titles.panzer.player.shot_texts import SHOWN
from pbem.titles.panzer.player.standing_orders import Clause
from pbem.titles.panzer.player.support_prospects import LOOKED_AT, best_flights, promise
from pbem.titles.panzer.state import PanzerState


class Missions(ActionAsk, kind="mission", rule="6.5.1.1"):
    """6.5.1.1 A mission that is called, continued, adjusted or checked, or planned fire that arrives."""

    def options(self) -> Iterator[Any]:
        return mission_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_mission(self.situation, self.ask, given)

    def sentence(self, answer: Any) -> Iterator[str]:
        yield "done" if answer is None else write_mission(msgspec.convert(answer, Declaration))

    def may_say(self) -> Iterator[str]:
        """6.5.1.1 The possible calls."""
        for call in islice(legal_calls(self.situation, self.seat), 2 * SHOWN):
            yield f"# {write_mission(msgspec.convert(call, Declaration))}"
        yield from self.sentence(self.ask.silence)

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        """6.5.1.1 The possible declarations that have not been made yet, in order."""
        for call in (*(beside_direct_fire(self.view, plan, call) for call in plan.missions), *self.left_over(plan)):
            answer = msgspec.to_builtins(call)
            try:
                self.check(answer)
            except Refusal:
                continue
            yield answer, f"{call.observer or call.mission or call.plan} {call.do}"

    def left_over(self, plan: AdvancedPlan) -> Iterator[Declaration]:
        """6.5.1.9 Unordered missions with firers that have other targets continue without those firers, or end."""
        ordered = {call.mission for call in plan.missions}
        for mission in called_missions(self.view, self.seat):
            if mission.id not in ordered and any(has_target(plan, id) for id in mission.firers):
                kept = Declaration(do="continue", mission=mission.id, type=mission.type)
                without = beside_direct_fire(self.view, plan, kept)
                yield without if without.firers else Declaration(do="check", mission=mission.id)

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        """6.5.1 Continue missions and have planned fire arrive; `call` also calls on the best target."""
        if clause.kind != self.kind:
            return
        kept = default_mission(self.situation, self.seat) if clause.word != "never" else None
        if clause.word == "never" or kept is not None:
            yield kept
        elif clause.word == "call":
            calls = list(islice(legal_calls(self.situation, self.seat), LOOKED_AT))
            yield from sorted(
                (call for call in calls if call["type"] == "gp"),
                key=lambda call: -promise(self.situation, self.seat, call),
            )[:1]

    def failing(self, answer: Any, plan: AdvancedPlan, used: Mapping[str, int]) -> Iterator[Fail]:
        return mission_fates(self.situation, self.ask, answer, plan, used)


def has_target(plan: AdvancedPlan, unit: str) -> bool:
    """4.4.1 Whether this turn's orders give a unit a target for direct fire."""
    return unit in plan.fire and any(aim.targets or aim.hex for aim in plan.fire[unit].aims)


def beside_direct_fire(view: PanzerState, plan: AdvancedPlan, call: Declaration) -> Declaration:
    """6.5.1.8 In an order to continue that names no firers, leave out those with a target for direct fire."""
    if call.do != "continue" or call.firers or call.mission not in view.missions:
        return call
    firers = view.missions[call.mission].firers
    free = [id for id in firers if not has_target(plan, id)]
    return call if len(free) == len(firers) else msgspec.structs.replace(call, firers=free)


class Flights(ActionAsk, kind="flight", rule="6.7"):
    """6.4, 6.7 One flight, or the end of flights."""

    def options(self) -> Iterator[Any]:
        return flight_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_flight(self.situation, self.ask, given)

    def sentence(self, answer: Any) -> Iterator[str]:
        yield "done" if answer is None else write_flight(msgspec.convert(answer, Plot))

    def may_say(self) -> Iterator[FormLine]:
        """6.7 List a possible flight for each aircraft."""
        yield from aircraft_lines(self.situation, self.seat)
        yield from self.sentence(self.ask.silence)

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        """6.4, 6.7 The flights in order, in the first air phase unless meant for the second."""
        for plot in plan.flights:
            late = plot.aircraft in plan.late
            if plot.aircraft in self.ask.about["aircraft"] and late == (self.ask.about["phase"] == 2):
                yield msgspec.to_builtins(plot), f"{plot.aircraft} fly"

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        """6.7 No flight, or the first aircraft against the first target it can attack with its heaviest weapon."""
        if clause.kind == self.kind and clause.word == "never":
            yield None
        elif clause.kind == self.kind:
            yield from best_flights(self.situation, self.ask)

    def failing(self, answer: Any, plan: AdvancedPlan, used: Mapping[str, int]) -> Iterator[Fail]:
        return flight_fates(self.situation, self.ask, answer, plan, used)
