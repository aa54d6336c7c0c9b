"""6.5.1 Indirect Fire Step: missions that are called, continued, adjusted, checked, or planned in advance.

    6.5.1        indirect_fire_step, carry_out
    6.5.1.7      call, use_observer, respond_and_land
    6.5.1.8      continue_mission, adjust
    6.5.1.9      check, automatic_checks
    R-05         default_mission

Legal declarations are in `calls` and `mission_answers`, observers and firers in `observers`, the response in
`response`, the effects of fire in `landing`, planned fire in `planned_fire`, and moves into a barrage in `barrage`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery.artillery_options import (
    counter_battery_step,
)
from pbem.titles.panzer.artillery.calls import (
    Call,
    called_missions,
    continue_objections,
    observes,
    plan_objections,
    range_of,
    read_call,
    still_firing,
)
from pbem.titles.panzer.artillery.landing import (
    clear_mission,
    end_mission,
    fire_into_the_void,
    land,
    leave_clouds,
    show_counter,
)
from pbem.titles.panzer.artillery.observers import (
    Firer,
    Observer,
    called_by,
    firer_of,
    firers,
    observer_of,
    sources_of,
)
from pbem.titles.panzer.artillery.planned_fire import arrive, fire_plans
from pbem.titles.panzer.artillery.response import response
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.fire.actions import spend_command
from pbem.titles.panzer.rulings import ruling_finding
from pbem.titles.panzer.sequence import go_on
from pbem.titles.panzer.sighting import hidden_units
from pbem.titles.panzer.sighting.sight import sees
from pbem.titles.panzer.sighting.terrain import settle
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    FireType,
    Mission,
    PanzerState,
)

BY_ITSELF: Final = ("danger-close", "not-observed", "no-firers")
"""6.5.1.9 Reasons to check (end) a mission without asking its owner."""


# --- 6.5.1 the step ----------------------------------------------------------------


def indirect_fire_step(table: Table[PanzerState], side: str, begun: bool = False) -> Step:
    """6.5.1 One player fires all missions in any order, each resolved at once; then the other player does."""
    state = table.state
    state.phase = "combat"
    if not begun:
        if not table.data.plays("indirect_fire") or not can_fire_at_all(table, side):
            automatic_checks(table, side)  # its last mission may have lost all its firers
            yield from fire_plans(table, side)
            end_step(table)
            return
        table.find("6.5.1", inputs={"side": side, "turn": state.turn})
        automatic_checks(table, side)  # 6.5.1.9
        yield from fire_plans(table, side)  # 6.5.1.11
    answer = yield Ask(side, "mission", "6.5.1.1", default=default_mission(table, side))
    if answer is None:
        for mission in called_missions(state, side):
            if mission.done_in != state.turn:
                check(table, mission, "not kept up")  # 6.5.1.9
        yield from counter_battery_step(table, side)  # 7.28
        end_step(table)
        return
    yield from carry_out(table, side, answer)
    table.then("indirect_fire_step", side=side, begun=True)


def can_fire_at_all(situation: Situation, side: str) -> bool:
    """Whether a side has any units that fire indirectly, which is public knowledge."""
    return bool(firers(situation, side))


def end_step(table: Table[PanzerState]) -> None:
    """6.1.4.3.10 Smoke, barrages and wrecks of this step take effect now."""
    settle(table.state)
    go_on(table)


def carry_out(table: Table[PanzerState], side: str, answer: dict[str, Any]) -> Step:
    """6.5.1.1 Carry out one declaration."""
    state, event, logged = table.state, morale.begin(table), len(table.findings)
    match answer["do"]:
        case "call" | "recon":
            yield from call(table, side, read_call(answer), reconnaissance=answer["do"] == "recon")
        case "adjust":
            yield from adjust(table, state.missions[answer["mission"]], read_call(answer))
        case "continue":
            only = answer.get("firers", ())
            yield from continue_mission(table, state.missions[answer["mission"]], answer["type"], only)
        case "check":
            check(table, state.missions[answer["mission"]], "by its owner")
        case "arrive":
            yield from arrive(table, state.planned[answer["plan"]])
    hidden_units.veil(table, logged)  # 7.2.2.3
    morale.finish(table, event)  # 7.1.2


# --- 6.5.1.7 called fire ----------------------------------------------------------------


def call(table: Table[PanzerState], side: str, called: Call, reconnaissance: bool = False) -> Step:
    """6.5.1.7 An observer calls fire on the hex of a unit it has spotted."""
    state: PanzerState = table.state
    observer = observer_of(table.data, state.vehicles[called.observer])
    assert observer is not None
    mission = Mission(
        id=state.new_id("m"), side=side, observer=called.observer, point=called.point, started=state.turn
    )
    mission.reconnaissance = reconnaissance
    state.missions[mission.id] = mission
    children = [use_observer(table, observer), called_by(table.data, observer), *one_source(table, called)]
    children += yield from respond_and_land(table, mission, observer, called, before=())
    inputs = {"mission": mission.id, "observer": called.observer, "point": hex_name(called.point)}
    rule = "7.37" if reconnaissance else "6.5.1.7"
    table.find(rule, inputs=inputs, result=list(mission.firers), children=children)
    if not mission.firers:
        end_mission(state, mission)


def one_source(table: Table[PanzerState], called: Call) -> Iterator[Finding]:
    """6.5.1.1.4 Report units on the map that count as one source, if there are any."""
    found = [firer for id in called.firers if (firer := firer_of(table, id))]
    sources = sources_of(table.data, found)
    if sources < len(found):
        yield Finding("6.5.1.1.4", inputs={"firers": list(called.firers)}, result=sources)


def use_observer(table: Table[PanzerState], observer: Observer) -> Finding:
    """6.5.1 Reveal and use up the observer's Overwatch; observing leaves no marker."""
    unit = observer.unit
    spend_command(table.state, unit)
    holder = table.state.vehicles[unit.aboard] if unit.aboard else unit
    return show_counter(table, holder)


def respond_and_land(
    table: Table[PanzerState], mission: Mission, observer: Observer, called: Call, before: Sequence[str]
) -> Step:
    """6.5.1.12 Every firer rolls separately for its response; 6.5.1.13 fire that gets a response lands at once."""
    state: PanzerState = table.state
    mission.sheaf, mission.direction, mission.type = called.sheaf, called.direction, called.type
    mission.point, mission.done_in = called.point, state.turn
    mission.landed = ()
    findings: list[Finding] = [types_of(called)]
    landing: list[tuple[Firer, Hex]] = []
    strayed: list[Hex] = []
    for id in (*(firer for firer in before if firer not in called.firers), *called.firers):
        firer = firer_of(table, id)
        assert firer is not None
        answered, point = yield from response(table, mission, observer, firer, called, again=id in before)
        use_firer(state, firer)
        findings.append(answered)
        if point is None and answered.result == "responds":
            findings += fire_into_the_void(table, mission, firer)  # 7.26
        elif point is None:
            findings.append(no_response(firer))
        else:
            landing.append((firer, point))
            strayed += [point] if any(child.rule == "7.26" for child in answered.children) else []
    if strayed and len(strayed) == len(landing) and len(set(strayed)) == 1:
        mission.point = strayed[0]  # 7.26: the new target point
    clear_mission(state, mission)  # its old barrage hindered until now
    mission.firers = tuple(firer.id for firer, _ in landing)
    for firer, point in landing:
        hexes = range_of(firer, observer.unit, called.point)
        aimed = Call(point, (firer.id,), called.sheaf, called.direction, called.type)
        findings += yield from land(table, mission, firer, aimed, firer.fire.factor_at(hexes), hexes)
    return findings


def types_of(called: Call) -> Finding:
    """6.5.1.6 The type of fire, with the paragraph that allows its patterns."""
    rule = "6.5.1.6.2" if called.type == "illumination" else "6.5.1.6.1"
    return Finding("6.5.1.6", inputs={"sheaf": called.sheaf}, result=called.type, children=(Finding(rule),))


def use_firer(state: PanzerState, firer: Firer) -> None:
    """6.5.1 Use up a battery or unit for this turn's indirect fire, whether it responds or not."""
    if firer.battery is not None:
        firer.battery.fired_in = state.turn
    else:
        assert firer.unit is not None
        spend_command(state, firer.unit)


def no_response(firer: Firer) -> Finding:
    """6.5.1.7 A firer that fails to respond has used its command; a unit on the map can do nothing else this turn."""
    return Finding("6.5.1.7/response", inputs={"firer": firer.id}, result="used-up")


# --- 6.5.1.8, 6.5.1.9 continuing, adjusting, checking ---------------------------------------------------


def continue_mission(table: Table[PanzerState], mission: Mission, type: FireType, only: Sequence[str] = ()) -> Step:
    """6.5.1.8.1 Fire again at the same point with the same pattern, without a new response roll."""
    state: PanzerState = table.state
    observer = observer_of(table.data, state.vehicles[mission.observer])
    assert observer is not None
    children = [use_observer(table, observer)]
    going_on = still_firing(table, mission, only)
    mission.type, mission.done_in = type, state.turn
    clear_mission(state, mission)
    points = {landed.firer: landed.point for landed in mission.landed}
    if table.data.plays("scatter"):  # 7.26: only what the observer sees
        going_on = [one for one in going_on if sees(table, observer.unit, points.get(one.id, mission.point))]
    kept = [firer.id for firer in going_on]
    release(state, (id for id in mission.firers if id not in kept))
    mission.firers, mission.landed = tuple(kept), ()
    for firer in going_on:
        use_firer(state, firer)
        hexes = range_of(firer, observer.unit, mission.point)
        aimed = Call(points.get(firer.id, mission.point), (firer.id,), mission.sheaf, mission.direction, type)
        children += yield from land(table, mission, firer, aimed, firer.fire.factor_at(hexes), hexes)
    inputs = {"mission": mission.id, "point": hex_name(mission.point), "type": type}
    again = Finding("6.5.1.8.1", inputs=inputs, result=list(mission.firers), children=tuple(children))
    table.find("6.5.1.8", inputs={"mission": mission.id}, result="continued", children=[again])


def adjust(table: Table[PanzerState], mission: Mission, called: Call) -> Step:
    """6.5.1.8.2 All firers respond again, those already in the mission with an advantage."""
    state: PanzerState = table.state
    observer = observer_of(table.data, state.vehicles[mission.observer])
    assert observer is not None
    before = tuple(firer.id for firer in still_firing(table, mission))
    old = hex_name(mission.point)
    if (mission.point, mission.sheaf, mission.direction) != (called.point, called.sheaf, called.direction):
        leave_clouds(state, mission)
    children = [use_observer(table, observer)]
    children += yield from respond_and_land(table, mission, observer, called, before)
    inputs = {"mission": mission.id, "from": old, "to": hex_name(called.point), "sheaf": called.sheaf}
    shifted = Finding("6.5.1.8.2", inputs=inputs, result=list(mission.firers), children=tuple(children))
    table.find("6.5.1.8", inputs={"mission": mission.id}, result="adjusted", children=[shifted])
    if not mission.firers:
        end_mission(state, mission)


def check(table: Table[PanzerState], mission: Mission, why: str) -> None:
    """6.5.1.9 End the mission; its observer and firers take no further part in this turn's indirect fire (A-68).

    Units on the map, including the observer, may still do anything else.
    """
    state: PanzerState = table.state
    if observer := state.vehicles.get(mission.observer):
        observer.checked_in = state.turn
    freed = why in BY_ITSELF and table.data.charts.switch("automatic_check_frees")
    release(state, () if freed else mission.firers)  # house/A-68
    inputs = {"mission": mission.id, "point": hex_name(mission.point), "why": why}
    ruling = [ruling_finding(table.data, "automatic_check_frees")] if why in BY_ITSELF else []
    table.find("6.5.1.9", inputs=inputs, result="checked", children=ruling)
    end_mission(state, mission)


def release(state: PanzerState, firers: Iterable[str]) -> None:
    """6.5.1.9 Firers that leave a mission take no part in other indirect fire this turn."""
    for id in firers:
        if battery := state.batteries.get(id):
            battery.fired_in = state.turn
        elif unit := state.vehicles.get(id):
            unit.checked_in = state.turn


def automatic_checks(table: Table[PanzerState], side: str) -> None:
    """6.5.1.9 Check missions that can no longer be observed and those that fell on friendly units (6.5.1.10)."""
    state: PanzerState = table.state
    for mission in called_missions(state, side):
        if mission.danger_close:
            check(table, mission, "danger-close")
        elif mission.reconnaissance:
            end_mission(state, mission)  # 7.37: its counter is removed
        elif not observes(table, mission):
            check(table, mission, "not-observed")
        elif not still_firing(table, mission):
            check(table, mission, "no-firers")


def default_mission(situation: Situation, side: str) -> Answer:
    """R-05 The default continues missions where possible and has planned fire arrive when it is due."""
    view = situation.state
    for mission in called_missions(view, side):
        if mission.done_in != view.turn and not any(continue_objections(situation, mission, mission.type)):
            return {"do": "continue", "mission": mission.id, "type": mission.type}
    for plan in view.planned.values():
        if plan.turn == view.turn and not any(plan_objections(situation, side, plan.id)):
            return {"do": "arrive", "plan": plan.id}
    return None
