"""6.5.1, 6.7 Decisions about indirect fire and aircraft.

6.5.1 Missions    calls as ordered, then missions to continue 6.7 Flights
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.air.air import check_flight, flight_options
from pbem.titles.panzer.air.air_attacks import Plot
from pbem.titles.panzer.artillery.indirect_fire import default_mission
from pbem.titles.panzer.artillery.mission_answers import check_mission, legal_calls, mission_options
from pbem.titles.panzer.decisions.base import ActionAsk
from pbem.titles.panzer.player.fates import flight_fates, mission_fates
from pbem.titles.panzer.player.forms import aircraft_lines
from pbem.titles.panzer.player.plan import AdvancedPlan, Declaration
from pbem.titles.panzer.player.restating import flight_said, mission_said
from pbem.titles.panzer.player.shots_said import SHOWN
from pbem.titles.panzer.player.standing_orders import Clause
from pbem.titles.panzer.player.support_prospects import LOOKED_AT, best_flights, promise


class Missions(ActionAsk, kind="mission", rule="6.5.1.1"):
    """6.5.1.1 A mission that is called, continued, adjusted or checked, or planned fire that arrives."""

    def options(self) -> Iterator[Any]:
        return mission_options(self.data, self.view, self.ask)

    def check(self, given: Any) -> Any:
        return check_mission(self.data, self.view, self.ask, given)

    def sentence(self, answer: Any) -> Iterator[str]:
        yield "done" if answer is None else mission_said(msgspec.convert(answer, Declaration))

    def may_say(self) -> Iterator[str]:
        """6.5.1.1 The possible calls."""
        for call in islice(legal_calls(self.data, self.view, self.seat), 2 * SHOWN):
            yield f"# {mission_said(msgspec.convert(call, Declaration))}"
        yield from self.sentence(self.ask.default)

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        """6.5.1.1 The possible declarations that have not been made yet, in order."""
        for call in plan.missions:
            answer = msgspec.to_builtins(call)
            try:
                self.check(answer)
            except Refusal:
                continue
            yield answer, f"{call.observer or call.mission or call.plan} {call.do}"

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        """6.5.1 Continue missions and have planned fire arrive; `call` also calls on the best target."""
        if clause.kind != self.kind:
            return
        kept = default_mission(self.data, self.view, self.seat) if clause.word != "never" else None
        if clause.word == "never" or kept is not None:
            yield kept
        elif clause.word == "call":
            calls = list(islice(legal_calls(self.data, self.view, self.seat), LOOKED_AT))
            yield from sorted(
                (call for call in calls if call["type"] == "gp"),
                key=lambda call: -promise(self.data, self.view, self.seat, call),
            )[:1]

    def failing(self, answer: Any, plan: AdvancedPlan, used: Mapping[str, int]) -> Iterator[Fail]:
        return mission_fates(self.data, self.view, self.ask, answer, plan, used)


class Flights(ActionAsk, kind="flight", rule="6.7"):
    """6.4, 6.7 One flight, or the end of flights."""

    def options(self) -> Iterator[Any]:
        return flight_options(self.data, self.view, self.ask)

    def check(self, given: Any) -> Any:
        return check_flight(self.data, self.view, self.ask, given)

    def sentence(self, answer: Any) -> Iterator[str]:
        yield "done" if answer is None else flight_said(msgspec.convert(answer, Plot))

    def may_say(self) -> Iterator[str]:
        """6.7 A flight for each aircraft."""
        yield from (line for line in aircraft_lines(self.data, self.view, self.seat) if line.startswith("#"))
        yield from self.sentence(self.ask.default)

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
            yield from best_flights(self.data, self.view, self.ask)

    def failing(self, answer: Any, plan: AdvancedPlan, used: Mapping[str, int]) -> Iterator[Fail]:
        return flight_fates(self.data, self.view, self.ask, answer, plan, used)
