"""6.5.1.11 Planned fire: legal plots, and their arrival.

6.5.1.11     fire_plans, fire_plan
6.5.1.11.1   plot_objections
6.5.1.11.2   arrive
6.5.1.11.3   shifted
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from pbem.engine.geometry.hexes import distance, hex_name
from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.artillery.calls import (
    SHEAFS,
    Call,
    called_missions,
    sheaf_finding,
)
from pbem.titles.panzer.artillery.landing import end_mission, land
from pbem.titles.panzer.artillery.observers import (
    firer_of,
)
from pbem.titles.panzer.cards.basic_rows import RangeFactor
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.rulings import ruling_finding
from pbem.titles.panzer.state import (
    Leg,
    Mission,
    PanzerState,
    PlannedFire,
)

PLANNED_COLUMN: Final[RangeFactor] = "M"
"""6.5.1.13 The range factor of planned fire."""


# --- 6.5.1.11 planned fire ----------------------------------------------------------------


def fire_plans(table: Table[PanzerState], side: str) -> Step:
    """6.5.1.11 Continue planned missions that have arrived, as plotted; overdue missions arrive now (A-71)."""
    state: PanzerState = table.state
    margin = table.data.advanced.number("planned_margin")
    for plan in [plan for plan in state.planned.values() if plan.side == side]:
        event = morale.begin(table)
        if state.batteries[plan.battery].knocked_out:
            end_planned(state, plan)  # 7.28.2
        elif plan.arrived:
            yield from fire_plan(table, plan)
        elif state.turn >= plan.turn + margin:
            yield from arrive(table, plan)
        morale.finish(table, event)  # 7.1.2


def arrive(table: Table[PanzerState], plan: PlannedFire) -> Step:
    """6.5.1.11.2 Begin a plotted mission, up to a turn early or late; its battery is committed, then rests."""
    state: PanzerState = table.state
    plan.arrived = state.turn
    battery = state.batteries[plan.battery]
    battery.available_from = state.turn + len(plan.legs) + table.data.advanced.number("planned_rest")
    for mission in called_missions(state, plan.side):
        if plan.battery in mission.firers:
            mission.firers = tuple(id for id in mission.firers if id != plan.battery)
    secret = {"plotted": plan.turn, "free_again": battery.available_from}  # the duration too
    plotted = Finding("6.5.1.11.1", to=(plan.side,), inputs=secret, result=len(plan.legs))
    inputs = {"plan": plan.id, "battery": plan.battery}
    table.find("6.5.1.11.2", inputs=inputs, result=state.turn, children=[plotted])
    yield from fire_plan(table, plan)


def fire_plan(table: Table[PanzerState], plan: PlannedFire) -> Step:
    """6.5.1.11 Fire one turn of a planned mission, without observer or response, at range factor M."""
    state: PanzerState = table.state
    end_planned(state, plan)
    number = state.turn - plan.arrived
    if number >= len(plan.legs):
        return
    leg = plan.legs[number]
    mission = Mission(
        id=state.new_id("m"), side=plan.side, planned=True, firers=(plan.battery,), point=leg.point,
        sheaf=leg.sheaf, direction=leg.direction, type=leg.type, started=plan.arrived, done_in=state.turn,
    )  # fmt: skip
    state.missions[mission.id] = mission
    state.batteries[plan.battery].fired_in = state.turn
    firer = firer_of(table, plan.battery)
    assert firer is not None
    factor = dict(zip(("P", "S", "M", "L", "E"), firer.fire.factors.value, strict=True))[PLANNED_COLUMN]
    aimed = Call(leg.point, (plan.battery,), leg.sheaf, leg.direction, leg.type)
    children = [*shift_findings(table.data, plan, number), sheaf_finding(table.data, firer, aimed)]
    children += yield from land(table, mission, firer, aimed, (PLANNED_COLUMN, factor), None)
    inputs = {"plan": plan.id, "battery": plan.battery, "turn": number + 1, "type": leg.type}
    table.find("6.5.1.11", inputs=inputs, result=hex_name(leg.point), children=children)


def end_planned(state: PanzerState, plan: PlannedFire) -> None:
    """6.5.1.11 Remove the counter and the barrage of the previous turn's fire."""
    own = (mission for mission in state.missions.values() if mission.planned and plan.battery in mission.firers)
    for mission in list(own):
        end_mission(state, mission)


def shift_findings(data: PanzerData, plan: PlannedFire, number: int) -> Iterator[Finding]:
    """6.5.1.11.3 The plot may shift the target point from turn to turn."""
    if number and plan.legs[number].point != plan.legs[number - 1].point:
        before, now = plan.legs[number - 1].point, plan.legs[number].point
        yield Finding(
            "6.5.1.11.3",
            inputs={"from": hex_name(before), "to": hex_name(now)},
            result=distance(before, now),
            children=(ruling_finding(data, "plan_shifts_from_first"),),
        )


def plot_objections(data: PanzerData, battery: str, turn: int, legs: Sequence[Leg]) -> Iterator[Objection]:
    """6.5.1.11.1 Objections to a plot.

    It may last only a few turns, and each target must be on the map and near the previous one (A-72).
    """
    most = data.advanced.number("planned_turns")
    if not 1 <= len(legs) <= most:
        yield Objection("6.5.1.11.1", say("a planned mission must last 1 to {most} turns", most=most))
    if not 1 <= turn <= data.scenario.turns:
        yield Objection("6.5.1.11.1", say("the scenario has only {turns} turns", turns=data.scenario.turns))
    for leg in legs:
        if not data.board.is_on_map(leg.point):
            yield Objection("6.5.1.11.1", say("{point} is not on the map", point=hex_name(leg.point)))
        if leg.sheaf not in SHEAFS or (leg.sheaf == "closed_linear") != (leg.direction in range(1, 7)):
            yield Objection(
                "6.5.1.5", say("a battery's sheaf must be closed, open, or closed linear with a direction")
            )
        if leg.type == "illumination" and leg.sheaf != "closed":
            yield Objection("6.5.1.6.2", say("illumination must be fired in a closed sheaf"))
    shift = data.advanced.number("planned_shift")
    first = data.charts.switch("plan_shifts_from_first")  # house/A-72
    for before, now in ((legs[0], leg) for leg in legs[1:]) if first else pairwise(legs):
        if distance(before.point, now.point) > shift:
            yield Objection(
                "6.5.1.11.3",
                say("the point must stay within {shift} hexes of the point of the first turn", shift=shift)
                if first
                else say("the point can be shifted by at most {shift} hexes from turn to turn", shift=shift),
            )
