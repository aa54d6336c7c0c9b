"""6.5.1 Indirect Fire Step: missions that are called, kept up, adjusted, checked, or planned beforehand.

    6.5.1        indirect_fire_step
    6.5.1.1      the ask `mission`: check_mission, mission_options, default_mission
    6.5.1.4      a registered point helps the response of its battery
    6.5.1.5      sheaf_hexes
    6.5.1.7      call, call_objections
    6.5.1.8      continue_mission, adjust
    6.5.1.9      check, automatic_checks
    6.5.1.10     friends_in_danger; the ask `danger`: check_danger, danger_options
    6.5.1.11     planned fire: arrive, fire_plan
    6.5.1.12     response
    6.5.1.13     range_of, land

Who observes and who fires is in `observers`; how GP fire is resolved in `gp_fire`; what happens to those who move
into a barrage in `barrage`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Literal

import msgspec

from pbem.engine.geometry.hexes import Hex, disc, distance, hex_name, neighbour, opposite, parse_hex
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery.artillery_options import (
    counter_battery_step,
    illuminate,
    reconnaissance_objections,
    scatter,
)
from pbem.titles.panzer.artillery.barrage import attack_pattern
from pbem.titles.panzer.artillery.observers import (
    Firer,
    Observer,
    attachment,
    attachment_of,
    called_by,
    firer_objections,
    firer_of,
    firers,
    most_sources,
    nation_objections,
    observer_objections,
    observer_of,
    observers,
    sources_of,
)
from pbem.titles.panzer.cards.advanced_charts import AdvancedModifier
from pbem.titles.panzer.cards.ammunition import supply
from pbem.titles.panzer.cards.charts import Edition, RangeFactor, close_to
from pbem.titles.panzer.command import morale, radios
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.actions import mark_fire, spend_command, spend_fire
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.rulings import ruled
from pbem.titles.panzer.sequence import go_on
from pbem.titles.panzer.sighting import hidden_units
from pbem.titles.panzer.sighting.sight import sees
from pbem.titles.panzer.sighting.spotting import betrayed
from pbem.titles.panzer.sighting.terrain import heat_haze, hindrances, settle
from pbem.titles.panzer.state import (
    Cloud,
    Command,
    Damage,
    FireType,
    Landed,
    Leg,
    Marker,
    Mission,
    PanzerState,
    PlannedFire,
    Sheaf,
    Unit,
)

PLANNED_COLUMN: Final[RangeFactor] = "M"
"""6.5.1.13 The range factor of planned fire."""
SHEAFS: Final[tuple[Sheaf, ...]] = ("closed", "open", "closed_linear")
BY_ITSELF: Final = ("danger-close", "not-observed", "no-firers")
"""6.5.1.9 Why a mission is checked without its owner."""
CHOICES: Final = 60
"""How many calls are listed among the options."""


# --- 6.5.1 the step ----------------------------------------------------------------


def indirect_fire_step(table: Table[PanzerState], side: str, begun: bool = False) -> Step:
    """6.5.1 One player fires all his missions, in any order, each result at once; then the other."""
    state = table.state
    state.phase = "combat"
    if not begun:
        if not table.data.plays("indirect_fire") or not can_fire_at_all(table.data, state, side):
            end_step(table)
            return
        table.find("6.5.1", inputs={"side": side, "turn": state.turn})
        automatic_checks(table, side)  # 6.5.1.9
        yield from fire_plans(table, side)  # 6.5.1.11
    answer = yield Ask(side, "mission", "6.5.1.1", default=default_mission(table.data, state, side))
    if answer is None:
        for mission in called(state, side):
            if mission.done_in != state.turn:
                check(table, mission, "not kept up")  # 6.5.1.9
        yield from counter_battery_step(table, side)  # 7.28
        end_step(table)
        return
    yield from carry_out(table, side, answer)
    table.then("indirect_fire_step", side=side, begun=True)


def can_fire_at_all(data: PanzerData, state: PanzerState, side: str) -> bool:
    """Whether a side has anybody who fires indirectly; everybody knows that."""
    return bool(firers(data, state, side))


def end_step(table: Table[PanzerState]) -> None:
    """6.1.4.3.10 Smoke, barrages and wrecks of this step count from now on."""
    settle(table.state)
    go_on(table)


def carry_out(table: Table[PanzerState], side: str, answer: dict[str, Any]) -> Step:
    """6.5.1.1 One declaration."""
    state, event, logged = table.state, morale.begin(table), len(table.findings)
    match answer["do"]:
        case "call" | "recon":
            yield from call(table, side, read_call(answer), reconnaissance=answer["do"] == "recon")
        case "adjust":
            yield from adjust(table, state.missions[answer["mission"]], read_call(answer))
        case "continue":
            yield from continue_mission(table, state.missions[answer["mission"]], answer["type"])
        case "check":
            check(table, state.missions[answer["mission"]], "by its owner")
        case "arrive":
            yield from arrive(table, state.planned[answer["plan"]])
    hidden_units.veil(table, logged)  # 7.2.2.3
    morale.finish(table, event)  # 7.1.2


def called(state: PanzerState, side: str) -> list[Mission]:
    """6.5.1 The called missions of a side."""
    return [mission for mission in state.missions.values() if mission.side == side and not mission.planned]


# --- 6.5.1.5 sheaf patterns ----------------------------------------------------------------


def sheaf_hexes(data: PanzerData, point: Hex, sheaf: Sheaf, direction: int = 0) -> tuple[Hex, ...]:
    """6.5.1.5 The hexes on the map that a pattern covers, the target point first (A-63)."""
    row = data.advanced.sheafs[sheaf]
    if row.line.value and data.charts.switch("linear_both_ways"):  # house/A-63
        found = [*hex_row(point, direction, row.line.value // 2), *hex_row(point, opposite(direction), 3)[1:]]
    elif row.line.value:
        found = hex_row(point, direction, row.line.value)
    else:
        found = list(disc(point, row.radius.value))
    on_map = sorted((hex for hex in found if data.board.is_on_map(hex)), key=lambda hex: (distance(point, hex), hex))
    return tuple(on_map)


def hex_row(point: Hex, direction: int, hexes: int) -> list[Hex]:
    """6.5.1.5 A hex and so many beyond it in a row."""
    found = [point]
    for _ in range(hexes):
        found.append(neighbour(found[-1], direction))
    return found


def pattern(data: PanzerData, firer: Firer, point: Hex, sheaf: Sheaf, direction: int) -> tuple[Hex, ...]:
    """6.5.1.5 What one firer covers: units on the map always one hex."""
    return sheaf_hexes(data, point, sheaf if firer.off_map else "on_map", direction)


def sheaf_finding(data: PanzerData, firer: Firer, call: Call) -> Finding:
    """6.5.1.5 The pattern of one firer."""
    hexes = pattern(data, firer, call.point, call.sheaf, call.direction)
    inputs = {"firer": firer.id, "sheaf": call.sheaf if firer.off_map else "on_map", "point": hex_name(call.point)}
    linear = (ruled(data, "linear_both_ways"),) if inputs["sheaf"] == "closed_linear" else ()
    return Finding("6.5.1.5", inputs=inputs, result=[hex_name(hex) for hex in hexes], children=linear)


# --- 6.5.1.1 declarations ----------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """6.5.1.7 What is called or adjusted: `firers` are those called now, `observer` empty when adjusting."""

    point: Hex
    firers: tuple[str, ...]
    sheaf: Sheaf
    direction: int
    type: FireType
    observer: str = ""


def read_call(answer: dict[str, Any]) -> Call:
    """The declaration in a checked answer."""
    return Call(
        parse_hex(answer["point"]),
        tuple(answer["firers"]),
        answer["sheaf"],
        answer["direction"],
        answer["type"],
        answer.get("observer", ""),
    )


def range_of(firer: Firer, observer: Unit, point: Hex) -> int:
    """6.5.1.13 From observer to point; for units on the map the longer of this and their own range."""
    assert observer.hex is not None
    observed = distance(observer.hex, point)
    if firer.unit is None:
        return observed
    assert firer.unit.hex is not None
    return max(observed, distance(firer.unit.hex, point))


def reach_objections(firer: Firer, observer: Unit, point: Hex) -> Iterator[Objection]:
    """6.5.1.7 The point must lie within the range of every firer, and not below its minimum (5.6)."""
    hexes, row = range_of(firer, observer, point), firer.fire
    if hexes > row.ranges.value[-1]:
        why = f"{firer.id} reaches {row.ranges.value[-1]} hexes, and the range is {hexes}"
        yield Objection("6.5.1.13", why)
    if hexes < row.minimum.value:
        yield Objection("5.6", f"{firer.id} cannot fire closer than {row.minimum.value} hexes")


def type_objections(data: PanzerData, firer: Firer, call: Call) -> Iterator[Objection]:
    """6.5.1.6 The types of fire on the card, and their patterns."""
    if call.type == "smoke" and not firer.smoke:
        yield Objection("6.5.1.6", f"{firer.id} has no smoke")
    if call.type == "illumination":
        if not data.plays("illumination"):
            yield Objection("6.5.1.6.2", "illumination belongs to an optional rule that is not in use")
        elif not firer.illumination:
            yield Objection("6.5.1.6", f"{firer.id} has no illumination")


def sheaf_objections(called: Sequence[Firer], call: Call) -> Iterator[Objection]:
    """6.5.1.5 Batteries choose a pattern, units on the map have theirs; 6.5.1.6.2 illumination only closed."""
    if any(firer.off_map for firer in called):
        if call.sheaf not in SHEAFS:
            yield Objection("6.5.1.5", f"a battery fires a pattern of {', '.join(SHEAFS)}")
        if call.type == "illumination" and call.sheaf != "closed":
            yield Objection("6.5.1.6.2", "illumination is fired in a closed sheaf only")
    elif call.sheaf != "on_map":
        yield Objection("6.5.1.5", "units on the map cover their target hex only")
    if (call.sheaf == "closed_linear") != (call.direction in range(1, 7)):
        yield Objection("6.5.1.5", "a closed linear sheaf, and no other, has a direction from 1 to 6")


def point_objections(data: PanzerData, view: PanzerState, observer: Unit, point: Hex) -> Iterator[Objection]:
    """6.5.1.7 The target point is the hex of a unit that the observer itself spotted (A-88)."""
    if not data.board.is_on_map(point):
        yield Objection("6.5.1.7", f"{hex_name(point)} is not on the map")
    elif not spotted_at(view, observer, point):
        yield Objection("6.5.1.7", f"{observer.id} has spotted no unit in {hex_name(point)}")


def spotted_at(view: PanzerState, observer: Unit, point: Hex) -> list[Unit]:
    """6.5.1.7 The units in a hex that the observer spotted in the Spotting Phase."""
    seen = (view.vehicles[id] for id in view.spotted.get(observer.id, ()))
    return [unit for unit in seen if unit.alive and unit.hex == point]


def called_objections(
    data: PanzerData, view: PanzerState, observer: Observer, call: Call, mission: Mission | None = None
) -> Iterator[Objection]:
    """6.5.1.7, 6.5.1.8.2 Everything that keeps these firers from this fire under this observer."""
    found = [(id, firer_of(data, view, id)) for id in call.firers]
    kept = mission.firers if mission else ()
    legal: list[Firer] = []
    for id, firer in found:
        absent = firer is None or (firer.unit is not None and not firer.unit.alive)
        if firer is None or absent or firer.side != observer.unit.side:
            yield Objection("6.5.1.2", f"{id} is nobody of yours who can fire indirectly")
            continue
        legal.append(firer)
        if busy := next((other for other in view.missions.values() if id in other.firers and other != mission), None):
            yield Objection("6.5.1.9", f"{id} fires in {busy.id}, which must be checked first")
        yield from firer_objections(data, view, firer, call.point)
        yield from reach_objections(firer, observer.unit, call.point)
        yield from type_objections(data, firer, call)
        yield from nation_objections(data, observer, firer)
    if not call.firers:
        yield Objection("6.5.1.1", "nobody is called")
    for firer in still_firing(data, view, mission) if mission else ():
        if firer.id not in call.firers:  # whoever goes on must be able to
            yield from reach_objections(firer, observer.unit, call.point)
            yield from type_objections(data, firer, call)
    everybody = [*legal, *(firer for id in kept if id not in call.firers and (firer := firer_of(data, view, id)))]
    yield from sheaf_objections(everybody, call)
    most = most_sources(data, observer)
    if sources_of(data, everybody) > most:
        yield Objection(observer.rule, f"{observer.unit.id} may call {most} at once")


def call_objections(
    data: PanzerData, view: PanzerState, side: str, call: Call, *, reconnaissance: bool = False
) -> Iterator[Objection]:
    """6.5.1.7 Everything that keeps an observer from a call."""
    unit = view.vehicles.get(call.observer)
    observer = observer_of(data, unit) if unit is not None and unit.alive and unit.side == side else None
    if observer is None:
        yield Objection("6.5.1.1", "only FO, Command and Recon units of yours on the map may call fire")
        return
    yield from observer_objections(view, observer)
    yield from radios.observer_objections(data, observer.unit)  # 7.4.3
    if mission := next((mission for mission in view.missions.values() if mission.observer == call.observer), None):
        yield Objection("6.5.1.9", f"it observes for {mission.id}, which must be checked first")
    if reconnaissance:
        yield from reconnaissance_objections(
            data, view, observer.unit, call.point, call.firers, call.sheaf, call.type
        )
    else:
        yield from point_objections(data, view, observer.unit, call.point)
    yield from called_objections(data, view, observer, call)


def mission_objections(data: PanzerData, view: PanzerState, side: str, id: str) -> Iterator[Objection]:
    """6.5.1.8 The mission must be a called one of the own side, not yet dealt with in this turn."""
    mission = view.missions.get(id)
    if mission is None or mission.side != side or mission.planned:
        yield Objection("6.5.1.8", "there is no such called mission of yours")
    elif mission.done_in == view.turn:
        yield Objection("6.5.1", "it has been dealt with in this turn")
    elif mission.reconnaissance:
        yield Objection("7.37", "reconnaissance by fire is neither kept up nor adjusted")


def continue_objections(data: PanzerData, view: PanzerState, mission: Mission, type: FireType) -> Iterator[Objection]:
    """6.5.1.8.1 The observer sees the point, and has spotted an enemy in it or next to it (A-66)."""
    observer = view.vehicles[mission.observer]
    if not observes(data, view, mission):
        yield Objection("6.5.1.8.1", f"{observer.id} cannot observe {hex_name(mission.point)}")
    near = [id for id in view.spotted.get(observer.id, ()) if is_near(view.vehicles[id], mission.point)]
    if not near:
        why = f"{observer.id} has spotted no enemy in or next to {hex_name(mission.point)}"
        yield Objection("6.5.1.8.1", why)
    if (type == "illumination") != (mission.type == "illumination"):
        yield Objection("6.5.1.8.1", "to or from illumination the mission must be adjusted")
    if not still_firing(data, view, mission):
        yield Objection("6.5.1.8", "nobody who fires in it may fire in this turn")
    for firer in still_firing(data, view, mission):
        if type == "smoke" and not firer.smoke:
            yield Objection("6.5.1.6", f"{firer.id} has no smoke")


def is_near(unit: Unit, point: Hex) -> bool:
    return unit.alive and unit.hex is not None and distance(unit.hex, point) <= 1


def adjust_objections(data: PanzerData, view: PanzerState, mission: Mission, call: Call) -> Iterator[Objection]:
    """6.5.1.8.2 A shift of a few hexes to another spotted unit, another pattern or type, further firers."""
    unit = view.vehicles[mission.observer]
    observer = observer_of(data, unit)
    assert observer is not None
    if not observes(data, view, mission):
        yield Objection("6.5.1.9", f"{unit.id} cannot observe {hex_name(mission.point)}")
    most = data.advanced.number("adjust_shift")
    if distance(mission.point, call.point) > most:
        yield Objection("6.5.1.8.2", f"the target point may be shifted by {most} hexes at most")
    yield from point_objections(data, view, unit, call.point)
    yield from called_objections(data, view, observer, call, mission)


def observes(data: PanzerData, view: PanzerState, mission: Mission) -> bool:
    """6.5.1.9, A-66 The observer is on the map under an Overwatch command and has a line to the point."""
    observer = view.vehicles.get(mission.observer)
    if observer is None or not observer.alive or view.order_of(observer) is not Command.OVERWATCH:
        return False
    return sees(data, view, observer, mission.point)


def still_firing(data: PanzerData, view: PanzerState, mission: Mission) -> list[Firer]:
    """6.5.1.8 The firers of a mission that may fire again: batteries, and units with a Fire command."""
    found = (firer_of(data, view, id) for id in mission.firers)
    return [
        firer
        for firer in found
        if firer is not None
        and (firer.unit is None or firer.unit.alive)
        and not any(firer_objections(data, view, firer, mission.point))
    ]


def plan_objections(data: PanzerData, view: PanzerState, side: str, id: str) -> Iterator[Objection]:
    """6.5.1.11.2 A plot arrives in its turn, or one earlier or later if its owner says so."""
    plan = view.planned.get(id)
    if plan is None or plan.side != side:
        yield Objection("6.5.1.11.2", "there is no such plan of yours")
    elif plan.arrived:
        yield Objection("6.5.1.11.2", "it has arrived")
    elif view.turn < plan.turn - data.advanced.number("planned_margin"):
        yield Objection("6.5.1.11.2", f"it is plotted for turn {plan.turn}")
    elif view.batteries[plan.battery].fired_in == view.turn:
        yield Objection("6.5.1", "its battery has been used in this turn")


# --- 6.5.1.7 called fire ----------------------------------------------------------------


def call(table: Table[PanzerState], side: str, called: Call, reconnaissance: bool = False) -> Step:
    """6.5.1.7 An observer calls fire onto the hex of a unit that he has spotted."""
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
    """6.5.1.1.4 Units on the map that count together, if there are any."""
    found = [firer for id in called.firers if (firer := firer_of(table.data, table.state, id))]
    sources = sources_of(table.data, found)
    if sources < len(found):
        yield Finding("6.5.1.1.4", inputs={"firers": list(called.firers)}, result=sources)


def use_observer(table: Table[PanzerState], observer: Observer) -> Finding:
    """6.5.1 The observer's Overwatch is shown and used up; observing leaves no marker."""
    unit = observer.unit
    spend_command(table.state, unit)
    holder = table.state.vehicles[unit.aboard] if unit.aboard else unit
    return show_counter(table.data.edition, holder)


def show_counter(edition: Edition, vehicle: Unit) -> Finding:
    """4.2.1 The counter is turned up; of a Short Halt the Fire half points forward until it moves (3.4)."""
    vehicle.revealed = True
    assert vehicle.command is not None
    half = [Finding("3.4", inputs={"unit": vehicle.id}, result="fire-half")]
    return Finding(
        numbered(edition, "4.2.1/secrecy"),
        inputs={"unit": vehicle.id, "command": vehicle.command.value},
        result="revealed",
        children=tuple(half if vehicle.command is Command.SHORT_HALT else ()),
    )


def respond_and_land(
    table: Table[PanzerState], mission: Mission, observer: Observer, called: Call, before: Sequence[str]
) -> Step:
    """6.5.1.12 Every firer responds for itself; 6.5.1.13 what responds lands at once."""
    state: PanzerState = table.state
    mission.sheaf, mission.direction, mission.type = called.sheaf, called.direction, called.type
    mission.point, mission.done_in = called.point, state.turn
    mission.landed = ()
    findings: list[Finding] = [types_of(called)]
    landing: list[tuple[Firer, Hex]] = []
    strayed: list[Hex] = []
    for id in (*(firer for firer in before if firer not in called.firers), *called.firers):
        firer = firer_of(table.data, state, id)
        assert firer is not None
        answered, point = yield from response(table, mission, observer, firer, called, again=id in before)
        use_firer(state, firer)
        findings.append(answered)
        if point is None:
            findings.append(no_response(firer))
        else:
            landing.append((firer, point))
            strayed += [point] if any(child.rule == "7.26" for child in answered.children) else []
    if strayed and len(strayed) == len(landing) and len(set(strayed)) == 1:
        mission.point = strayed[0]  # 7.26: the new target point
    clear_mission(state, mission)  # until now its old barrage hindered
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
    """6.5.1 Each battery and unit fires once a turn, whether it responds or not."""
    if firer.battery is not None:
        firer.battery.fired_in = state.turn
    else:
        assert firer.unit is not None
        spend_command(state, firer.unit)


def no_response(firer: Firer) -> Finding:
    """6.5.1.7 Who fails has used its command; a unit on the map can do nothing else in this turn."""
    return Finding("6.5.1.7/response", inputs={"firer": firer.id}, result="used-up")


# --- 6.5.1.12 response ----------------------------------------------------------------


@dataclass(frozen=True)
class Responding:
    """6.5.1.12.1 All that the modifiers of a response depend on."""

    data: PanzerData
    state: PanzerState
    mission: Mission
    observer: Observer
    firer: Firer
    point: Hex
    again: bool


CONDITIONS: Final[Mapping[str, Callable[[Responding], int]]] = {
    "pre_registered": lambda one: is_registered(one.firer, one.point),
    "command_recon_observer": lambda one: one.observer.command_recon,
    "adjusted_fire": lambda one: one.again,
    "observer_suppressed": lambda one: one.observer.unit.suppressed,
    "observer_damaged": lambda one: one.observer.unit.damage is not Damage.NONE,
    "observer_hindered": lambda one: len(observer_hindered(one)),
    "heat_haze": lambda one: observer_haze(one),
    "observer_hesitating": lambda one: _flagged(one.observer.unit, "hesitating"),
    "observer_broken": lambda one: _flagged(one.observer.unit, "broken"),
    "battery_damaged": lambda one: one.firer.battery is not None and one.firer.battery.damaged,
    "reconnaissance_by_fire": lambda one: one.mission.reconnaissance,
    "observer_grade": lambda one: one.data.advanced.grades[one.observer.unit.grade].response.value,
    "soviet_1941": lambda one: soviet_communications(one, "1941"),
    "soviet_1942": lambda one: soviet_communications(one, "1942"),
}
"""6.5.1.12.1 How often each row of the chart applies. Optional rules add theirs."""

RULES: Final[Mapping[str, str]] = {
    "pre_registered": "preregistered-point",
    "command_recon_observer": "command-recon-observer",
    "adjusted_fire": "adjusted-fire",
    "observer_suppressed": "observer-suppressed",
    "observer_damaged": "observer-damaged",
    "observer_hindered": "observer-hindered",
    "heat_haze": "heat-haze",
    "observer_hesitating": "observer-hesitating",
    "observer_broken": "observer-broken",
    "observer_grade": "observer-grade",
}


def soviet_communications(one: Responding, year: str) -> bool:
    """7.5 Soviet observers of 1941 and 1942 get through less easily; planned fire needs no response."""
    soviet = one.observer.nation == "soviet" and one.data.scenario.date.startswith(year)
    return soviet and one.data.plays("soviet_communications")


def _flagged(unit: Unit, word: str) -> bool:
    return any(flag.startswith(word) for flag in unit.flags)


def is_registered(firer: Firer, point: Hex) -> bool:
    """6.5.1.4 Whether the point is a pre-registered one of this battery."""
    return firer.battery is not None and hex_name(point) in firer.battery.registered


def observer_hindered(one: Responding) -> list[str]:
    """6.5.1.12.1 Every separate smoke, barrage and fire on the observer's line, his own old one too (A-77)."""
    assert one.observer.unit.hex is not None
    met = hindrances(one.data, one.state, one.observer.unit.hex, one.point, fresh=True)
    return [hindrance.where for hindrance in met if hindrance.kind != "dust"]


def observer_haze(one: Responding) -> bool:
    """6.5.1.12.1 Heat haze by the size of the unit at which the fire is called."""
    assert one.observer.unit.hex is not None
    hexes = distance(one.observer.unit.hex, one.point)
    targets = spotted_at(one.state, one.observer.unit, one.point)
    return bool(targets) and all(heat_haze(one.data, target, hexes) for target in targets)


def registered_point(firer: Firer, point: Hex) -> Iterator[Finding]:
    """6.5.1.4 A battery that has registered points: whether this is one of them."""
    if is_registered(firer, point):
        yield Finding("6.5.1.4", inputs={"firer": firer.id, "point": hex_name(point)}, result=True)


def response_modifiers(one: Responding) -> list[tuple[AdvancedModifier, int]]:
    """6.5.1.12.1 Every row that applies, in the order of the chart, and how often."""
    rows = (
        (row, int(CONDITIONS[row.when](one)))
        for row in one.data.advanced.modifiers["response"]
        if row.when in CONDITIONS
    )
    return [(row, times) for row, times in rows if times]


def response(
    table: Table[PanzerState], mission: Mission, observer: Observer, firer: Firer, called: Call, again: bool
) -> Step:
    """6.5.1.12 Whether one firer responds, and where its fire lands: the finding and the point, None if nowhere."""
    data: PanzerData = table.data
    one = Responding(data, table.state, mission, observer, firer, called.point, again)
    rows = response_modifiers(one)
    net = sum(row.value * times for row, times in rows)
    factor = data.advanced.response_factor(observer.row, attachment_of(data, firer, observer))
    die = table.roll(10, "6.5.1.12", mission.id, firer.known_as)
    point: Hex | None = called.point if die + net >= factor else None
    scattered: Finding | None = None
    if point is not None and die != 1:
        point, scattered = scatter(table, firer.id, firer.known_as, called.point, die + net - factor)  # 7.26
    children = [
        attachment(data, firer, observer),
        modifiers_finding(data, rows, net),
        sheaf_finding(data, firer, called),
    ]
    children += [*registered_point(firer, called.point), *([scattered] if scattered else [])]
    if die == 1:
        reached = die + net >= factor
        point, danger = yield from natural_one(table, mission, firer, called.point, reached)
        children.append(danger)
    inputs = {"firer": firer.id, "observer": observer.unit.id, "row": observer.row, "factor": factor, "net": net}
    result = "responds" if point is not None else "no-response"
    finding = Finding("6.5.1.12", inputs=inputs, dice=(die,), result=result, children=tuple(children))
    return finding, point


def modifiers_finding(data: PanzerData, rows: list[tuple[AdvancedModifier, int]], net: int) -> Finding:
    """6.5.1.12.1 The modifiers of a response, each with its own paragraph."""
    children = [
        Finding(
            numbered(data.edition, f"6.5.1.12.1/{RULES[row.when]}"), inputs={"times": times}, result=row.value * times
        )
        for row, times in rows
        if row.when in RULES
    ]
    children += [Finding("7.5", result=row.value) for row, _ in rows if row.rule == "7.5"]
    told = [{"when": row.when, "text": row.text, "value": row.value * times, "rule": row.rule} for row, times in rows]
    return Finding("6.5.1.12.1", modifiers=tuple(told), result=net, children=tuple(children))


# --- 6.5.1.10 danger close ----------------------------------------------------------------


def friends_in_danger(data: PanzerData, state: PanzerState, side: str, point: Hex) -> list[str]:
    """6.5.1.10, A-69 Units of the firing side within reach of the point that an enemy on the map has spotted."""
    enemies = (enemy for enemy in state.of(state.enemy(side)) if not enemy.hidden)  # 7.2
    seen = {id for enemy in enemies for id in state.spotted.get(enemy.id, ())}
    reach = data.advanced.number("danger_close")
    return [
        unit.id
        for unit in state.of(side)
        if unit.id in seen and unit.hex is not None and not unit.aboard and distance(unit.hex, point) <= reach
    ]


def natural_one(table: Table[PanzerState], mission: Mission, firer: Firer, point: Hex, reached: bool = False) -> Step:
    """6.5.1.12 An unmodified 1: the opponent puts the fire onto a friend in danger, or nothing comes.

    By ruling house/A-70 nobody asks then whether the modified roll has `reached` the response factor.
    """
    state: PanzerState = table.state
    friends = friends_in_danger(table.data, state, mission.side, point)
    if not friends:
        return None, Finding("6.5.1.10", inputs={"firer": firer.id, "friends": []}, result="no-response")
    ruling = ruled(table.data, "stray_needs_response")
    if ruling.result == "other-reading" and not reached:
        inputs = {"firer": firer.id, "friends": friends}
        return None, Finding("6.5.1.10", inputs=inputs, result="no-response", children=(ruling,))
    about = {"firer": firer.id, "mission": mission.id, "friends": friends}
    opponent = state.enemy(mission.side)
    chosen = yield Ask(opponent, "danger", "6.5.1.12", subject=firer.id, about=about, default=friends[0])
    mission.danger_close = True
    inputs = {"firer": firer.id, "friends": friends, "chosen_by": opponent}
    return state.vehicles[chosen].hex, Finding("6.5.1.10", inputs=inputs, result=chosen, children=(ruling,))


def danger_options(data: PanzerData, view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """6.5.1.12 The friends on whom the fire may be put."""
    yield from ask.about["friends"]


def check_danger(data: PanzerData, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """6.5.1.12 One of the friends in danger."""
    if answer not in ask.about["friends"]:
        raise Illegal(
            str(answer), [Objection("6.5.1.12", "it is not one of the units in danger")], ask.about["friends"]
        )
    return answer


# --- 6.5.1.8, 6.5.1.9 keeping up, adjusting, checking ---------------------------------------------------


def continue_mission(table: Table[PanzerState], mission: Mission, type: FireType) -> Step:
    """6.5.1.8.1 The same point and pattern, without a new response."""
    state: PanzerState = table.state
    observer = observer_of(table.data, state.vehicles[mission.observer])
    assert observer is not None
    children = [use_observer(table, observer)]
    going_on = still_firing(table.data, state, mission)
    mission.type, mission.done_in = type, state.turn
    clear_mission(state, mission)
    points = {landed.firer: landed.point for landed in mission.landed}
    if table.data.plays("scatter"):  # 7.26: only what the observer sees
        going_on = [
            one for one in going_on if sees(table.data, state, observer.unit, points.get(one.id, mission.point))
        ]
    mission.firers, mission.landed = tuple(firer.id for firer in going_on), ()
    for firer in going_on:
        use_firer(state, firer)
        hexes = range_of(firer, observer.unit, mission.point)
        aimed = Call(points.get(firer.id, mission.point), (firer.id,), mission.sheaf, mission.direction, type)
        children += yield from land(table, mission, firer, aimed, firer.fire.factor_at(hexes), hexes)
    inputs = {"mission": mission.id, "point": hex_name(mission.point), "type": type}
    kept = Finding("6.5.1.8.1", inputs=inputs, result=list(mission.firers), children=tuple(children))
    table.find("6.5.1.8", inputs={"mission": mission.id}, result="continued", children=[kept])


def adjust(table: Table[PanzerState], mission: Mission, called: Call) -> Step:
    """6.5.1.8.2 All firers respond anew, those of the mission with an advantage."""
    state: PanzerState = table.state
    observer = observer_of(table.data, state.vehicles[mission.observer])
    assert observer is not None
    before = tuple(firer.id for firer in still_firing(table.data, state, mission))
    old = hex_name(mission.point)
    children = [use_observer(table, observer)]
    children += yield from respond_and_land(table, mission, observer, called, before)
    inputs = {"mission": mission.id, "from": old, "to": hex_name(called.point), "sheaf": called.sheaf}
    shifted = Finding("6.5.1.8.2", inputs=inputs, result=list(mission.firers), children=tuple(children))
    table.find("6.5.1.8", inputs={"mission": mission.id}, result="adjusted", children=[shifted])
    if not mission.firers:
        end_mission(state, mission)


def check(table: Table[PanzerState], mission: Mission, why: str) -> None:
    """6.5.1.9 The mission ends; its observer and firers take no part in other indirect fire of this turn (A-68).

    Units on the map may still fire directly.
    """
    state: PanzerState = table.state
    if observer := state.vehicles.get(mission.observer):
        spend_command(state, observer)
    freed = why in BY_ITSELF and table.data.charts.switch("automatic_check_frees")
    for id in () if freed else mission.firers:  # house/A-68
        if battery := state.batteries.get(id):
            battery.fired_in = state.turn
        elif unit := state.vehicles.get(id):
            unit.checked_in = state.turn
    inputs = {"mission": mission.id, "point": hex_name(mission.point), "why": why}
    ruling = [ruled(table.data, "automatic_check_frees")] if why in BY_ITSELF else []
    table.find("6.5.1.9", inputs=inputs, result="checked", children=ruling)
    end_mission(state, mission)


def end_mission(state: PanzerState, mission: Mission) -> None:
    """6.5.1.9 Its counter and its barrage are removed; smoke stays as long as it does (6.8.4)."""
    clear_mission(state, mission)
    del state.missions[mission.id]


def clear_mission(state: PanzerState, mission: Mission) -> None:
    """6.1.4.3.10 The barrage of its last fire ends."""
    for cloud in [
        cloud for cloud in state.clouds.values() if cloud.mission == mission.id and cloud.type == "barrage"
    ]:
        del state.clouds[cloud.id]


def automatic_checks(table: Table[PanzerState], side: str) -> None:
    """6.5.1.9 Missions that can no longer be observed, and those that fell on friends (6.5.1.10)."""
    state: PanzerState = table.state
    for mission in called(state, side):
        if mission.danger_close:
            check(table, mission, "danger-close")
        elif mission.reconnaissance:
            end_mission(state, mission)  # 7.37: its counter is removed
        elif not observes(table.data, state, mission):
            check(table, mission, "not-observed")
        elif not still_firing(table.data, state, mission):
            check(table, mission, "no-firers")


# --- 6.5.1.11 planned fire ----------------------------------------------------------------


def fire_plans(table: Table[PanzerState], side: str) -> Step:
    """6.5.1.11 Missions that have arrived go on as plotted; those that are overdue arrive now (A-71)."""
    state: PanzerState = table.state
    margin = table.data.advanced.number("planned_margin")
    for plan in [plan for plan in state.planned.values() if plan.side == side]:
        event = morale.begin(table)
        if plan.arrived:
            yield from fire_plan(table, plan)
        elif state.turn >= plan.turn + margin:
            yield from arrive(table, plan)
        morale.finish(table, event)  # 7.1.2


def arrive(table: Table[PanzerState], plan: PlannedFire) -> Step:
    """6.5.1.11.2 A plot begins, up to a turn early or late; its battery is bound to it and rests after it."""
    state: PanzerState = table.state
    plan.arrived = state.turn
    battery = state.batteries[plan.battery]
    battery.available_from = state.turn + len(plan.legs) + table.data.advanced.number("planned_rest")
    for mission in called(state, plan.side):
        if plan.battery in mission.firers:
            mission.firers = tuple(id for id in mission.firers if id != plan.battery)
    secret = {"plotted": plan.turn, "free_again": battery.available_from}  # how long it lasts too
    plotted = Finding("6.5.1.11.1", to=(plan.side,), inputs=secret, result=len(plan.legs))
    inputs = {"plan": plan.id, "battery": plan.battery}
    table.find("6.5.1.11.2", inputs=inputs, result=state.turn, children=[plotted])
    yield from fire_plan(table, plan)


def fire_plan(table: Table[PanzerState], plan: PlannedFire) -> Step:
    """6.5.1.11 One turn of a planned mission: no observer, no response, range factor M."""
    state: PanzerState = table.state
    for mission in [
        mission for mission in state.missions.values() if mission.planned and plan.battery in mission.firers
    ]:
        end_mission(state, mission)
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
    firer = firer_of(table.data, state, plan.battery)
    assert firer is not None
    factor = dict(zip(("P", "S", "M", "L", "E"), firer.fire.factors.value, strict=True))[PLANNED_COLUMN]
    aimed = Call(leg.point, (plan.battery,), leg.sheaf, leg.direction, leg.type)
    children = [*shifted(table.data, plan, number), sheaf_finding(table.data, firer, aimed)]
    children += yield from land(table, mission, firer, aimed, (PLANNED_COLUMN, factor), None)
    inputs = {"plan": plan.id, "battery": plan.battery, "turn": number + 1, "type": leg.type}
    table.find("6.5.1.11", inputs=inputs, result=hex_name(leg.point), children=children)


def shifted(data: PanzerData, plan: PlannedFire, number: int) -> Iterator[Finding]:
    """6.5.1.11.3 The plot may shift the target point from turn to turn."""
    if number and plan.legs[number].point != plan.legs[number - 1].point:
        before, now = plan.legs[number - 1].point, plan.legs[number].point
        yield Finding(
            "6.5.1.11.3",
            inputs={"from": hex_name(before), "to": hex_name(now)},
            result=distance(before, now),
            children=(ruled(data, "plan_shifts_from_first"),),
        )


def plot_objections(data: PanzerData, battery: str, turn: int, legs: Sequence[Leg]) -> Iterator[Objection]:
    """6.5.1.11.1 What a plot may be: a few turns, each on the map, each not far from the one before (A-72)."""
    most = data.advanced.number("planned_turns")
    if not 1 <= len(legs) <= most:
        yield Objection("6.5.1.11.1", f"a planned mission has 1 to {most} turns")
    if not 1 <= turn <= data.scenario.turns:
        yield Objection("6.5.1.11.1", f"the scenario has {data.scenario.turns} turns")
    for leg in legs:
        if not data.board.is_on_map(leg.point):
            yield Objection("6.5.1.11.1", f"{hex_name(leg.point)} is not on the map")
        if leg.sheaf not in SHEAFS or (leg.sheaf == "closed_linear") != (leg.direction in range(1, 7)):
            yield Objection("6.5.1.5", "a battery fires closed, open, or closed linear with a direction")
        if leg.type == "illumination" and leg.sheaf != "closed":
            yield Objection("6.5.1.6.2", "illumination is fired in a closed sheaf only")
    shift = data.advanced.number("planned_shift")
    first = data.charts.switch("plan_shifts_from_first")  # house/A-72
    for before, now in ((legs[0], leg) for leg in legs[1:]) if first else pairwise(legs):
        if distance(before.point, now.point) > shift:
            since = "from its first turn" if first else "from turn to turn"
            yield Objection("6.5.1.11.3", f"{since} the point may be shifted by {shift} hexes at most")


# --- 6.5.1.13 resolution ----------------------------------------------------------------


def land(
    table: Table[PanzerState],
    mission: Mission,
    firer: Firer,
    aimed: Call,
    column: tuple[RangeFactor, int] | None,
    hexes: int | None,
) -> Step:
    """6.5.1.13 One firer's fire takes effect: GP on everybody in the pattern, or smoke."""
    state: PanzerState = table.state
    covered = pattern(table.data, firer, aimed.point, aimed.sheaf, aimed.direction)
    findings = list(mark_firer(table, firer))
    note_mission(state, mission, firer)  # 7.28.2
    if aimed.type != "gp":
        limited = ammo_limit(table, firer, "S" if aimed.type == "smoke" else "I", planned=mission.planned)
        findings += [limited] if limited else []
        if limited is not None and limited.result == "limited":
            return findings
    if column is None:
        return findings
    landed = Landed(
        firer=firer.id, point=aimed.point, hexes=covered, factor=column[1], column=column[0],
        open=aimed.sheaf == "open" and firer.off_map, small_arms=firer.fire.small_arms,
        effectiveness=0 if firer.fire.small_arms else int(firer.fire.effectiveness.value),
    )  # fmt: skip
    findings += battery_finding(table.data, firer)
    inputs = {"firer": firer.id, "range": hexes, "column": column[0], "factor": column[1], "type": aimed.type}
    if aimed.type == "gp":
        limited = basic_limit(table, firer)
        findings += [limited] if limited else []
        mission.landed = (*mission.landed, landed)
        cover(state, mission, "barrage", covered, landed.open)
        short = limited is not None and limited.result == "limited"
        attacks: Finding = yield from attack_pattern(table, mission, landed, limited=short)
        findings.append(Finding("6.5.1.13", inputs=inputs, result="landed", children=(attacks,)))
    else:
        mission.landed = (*mission.landed, landed)
        if aimed.type == "smoke":
            cover(state, mission, "smoke", covered, landed.open)
        else:
            findings.append(illuminate(state, mission, covered))  # 7.27
        findings.append(Finding("6.5.1.13", inputs=inputs, result=aimed.type))
    return findings


def note_mission(state: PanzerState, mission: Mission, firer: Firer) -> None:
    """7.28.2 For how many turns a battery has fired the same mission."""
    battery = firer.battery
    if battery is not None:
        same = mission.started < state.turn and battery.landed_in == state.turn - 1
        battery.same_mission = battery.same_mission + 1 if same else 1
        battery.landed_in = state.turn


def battery_finding(data: PanzerData, firer: Firer) -> Iterator[Finding]:
    """5.3 Fire of a battery off the map: an impact counter marks its hexes, and it is resolved as any other."""
    if firer.battery is not None:
        row = data.book.batteries[firer.battery.card].row
        yield Finding("5.3", inputs={"battery": firer.id, "card": row.name}, result=row.class_)


def cover(
    state: PanzerState, mission: Mission, type: Literal["smoke", "barrage"], hexes: tuple[Hex, ...], open: bool
) -> None:
    """6.1.4.3.10 The pattern becomes smoke or a barrage: one occurrence for each mission; smoke is renewed."""
    same = (cloud for cloud in state.clouds.values() if cloud.mission == mission.id and cloud.type == type)
    if cloud := next(same, None):
        cloud.hexes = tuple(dict.fromkeys((*cloud.hexes, *hexes)))
        cloud.marker = Marker.ON
        return
    cloud = Cloud(id=state.new_id("c"), type=type, hexes=hexes, open=open, owner=mission.side, mission=mission.id)
    state.clouds[cloud.id] = cloud


def mark_firer(table: Table[PanzerState], firer: Firer) -> Iterator[Finding]:
    """6.5.1 A unit on the map shows its Fire command and gets Spot/Fire at once; small arms SA."""
    unit = firer.unit
    if unit is None:
        return
    spend_fire(table.state, unit)
    mark = mark_fire(table.state, unit, small_arms=firer.small_arms)
    yield show_counter(table.data.edition, unit)
    yield Finding(numbered(table.data.edition, "4.4.1/spot-fire"), inputs={"unit": unit.id}, result=mark.result)
    if lost := betrayed(table, unit):  # 7.24
        yield lost


def ammo_limit(table: Table[PanzerState], firer: Firer, letter: str, *, planned: bool) -> Finding | None:
    """5.16.2.3, 5.16.2.5 Smoke and illumination: with a roll above the limit nothing comes in this turn."""
    limit = firer.limits.get(letter)
    if limit is None or not table.data.plays("ammo_limits"):
        return None
    die = table.roll(10, "5.16.2.3", firer.known_as)
    result = "limited" if die > limit else "available"
    rule = "5.16.2.5" if firer.off_map else "5.16.2.3"
    children = [Finding("6.5.1.11.4", result=result)] if planned else []
    inputs = {"firer": firer.id, "limit": limit, "ammo": letter}
    return Finding(rule, inputs=inputs, dice=(die,), result=result, children=tuple(children))


def basic_limit(table: Table[PanzerState], firer: Firer) -> Finding | None:
    """5.16.2.1, 5.16.2.4 The basic ammunition of a unit on the map; batteries have no limit (5.16.2.5)."""
    if firer.unit is None or "basic" not in firer.limits or not table.data.plays("ammo_limits"):
        return None
    supplied = supply(table.data, table.state, firer.unit)
    if supplied.result:
        return supplied
    die = table.roll(10, "5.16.2.1", firer.known_as)
    result = "limited" if die > firer.limits["basic"] else "available"
    return Finding("5.16.2.1", inputs={"firer": firer.id, "limit": firer.limits["basic"]}, dice=(die,), result=result)


# --- answers ----------------------------------------------------------------


class _Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    do: Literal["call", "recon", "adjust", "continue", "check", "arrive"]
    observer: str = ""
    mission: str = ""
    plan: str = ""
    point: str = ""
    firers: tuple[str, ...] = ()
    sheaf: Sheaf = "on_map"
    direction: int = 0
    type: FireType = "gp"


EXAMPLE: Final = '{"do": "call", "observer": "g1", "point": "C4", "firers": ["gb1"], "sheaf": "closed", "type": "gp"}'


def check_mission(data: PanzerData, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """6.5.1.1 The declaration as it will be carried out, or a refusal with everything wrong in it."""
    if answer is None:
        return None
    try:
        read = msgspec.convert(answer, _Declaration)
    except msgspec.ValidationError as error:
        raise Unreadable("mission", [Objection("6.5.1.1", f"a declaration of fire: {error}")], [EXAMPLE]) from error
    refusals: list[Refusal] = []
    if found := list(_objections(data, view, ask.seat, read)):
        refusals.append(Illegal(_named(read), found, _instead(data, view, ask.seat, read)))
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return _canonical(read)


def _named(read: _Declaration) -> str:
    return " ".join(word for word in (read.do, read.observer, read.mission, read.plan, read.point) if word)


def _canonical(read: _Declaration) -> dict[str, Any]:
    match read.do:
        case "call" | "recon":
            return _calling(read) | {"observer": read.observer}
        case "adjust":
            return _calling(read) | {"mission": read.mission}
        case "continue":
            return {"do": "continue", "mission": read.mission, "type": read.type}
        case "check":
            return {"do": "check", "mission": read.mission}
        case "arrive":
            return {"do": "arrive", "plan": read.plan}


def _calling(read: _Declaration) -> dict[str, Any]:
    return {
        "do": read.do,
        "point": read.point,
        "firers": list(read.firers),
        "sheaf": read.sheaf,
        "direction": read.direction,
        "type": read.type,
    }


def _objections(data: PanzerData, view: PanzerState, side: str, read: _Declaration) -> Iterator[Objection]:
    if read.do == "arrive":
        yield from plan_objections(data, view, side, read.plan)
        return
    if read.do in ("call", "recon", "adjust"):
        try:
            called = read_call(_calling(read) | {"observer": read.observer})
        except ValueError:
            yield Objection("1.2", f"'{read.point}' is no hex")
            return
    if read.do in ("call", "recon"):
        yield from call_objections(data, view, side, called, reconnaissance=read.do == "recon")
        return
    wrong = list(mission_objections(data, view, side, read.mission))
    yield from wrong
    if wrong:
        return
    mission = view.missions[read.mission]
    if read.do == "adjust":
        yield from adjust_objections(data, view, mission, called)
    elif read.do == "continue":
        yield from continue_objections(data, view, mission, read.type)
    elif not observes(data, view, mission):
        yield Objection("6.5.1.9", "its observer cannot observe the target point")


def _instead(data: PanzerData, view: PanzerState, side: str, read: _Declaration) -> list[str]:
    """6.5.1.8 Who observes for a mission already shifts it or keeps it up; otherwise names that there are."""
    if read.do in ("call", "recon"):
        mission = next((mission for mission in called(view, side) if mission.observer == read.observer), None)
        if mission is not None:
            shift = f"{mission.id} adjust {read.point}{f' {read.sheaf}' if read.sheaf in ('open', 'closed') else ''}"
            near = distance(mission.point, parse_hex(read.point)) <= data.advanced.number("adjust_shift")
            return [*([shift] if near else []), f"{mission.id} continue", f"{mission.id} check"]
        return close_to(read.observer, [observer.unit.id for observer in observers(data, view, side)])
    if read.do == "arrive":
        return close_to(read.plan, [plan.id for plan in view.planned.values() if plan.side == side])
    return close_to(read.mission, [mission.id for mission in called(view, side)])


def default_mission(data: PanzerData, view: PanzerState, side: str) -> Answer:
    """R-05 Who says nothing keeps up what can be kept up, and lets planned fire arrive when it is due."""
    for mission in called(view, side):
        if mission.done_in != view.turn and not any(continue_objections(data, view, mission, mission.type)):
            return {"do": "continue", "mission": mission.id, "type": mission.type}
    for plan in view.planned.values():
        if plan.turn == view.turn and not any(plan_objections(data, view, side, plan.id)):
            return {"do": "arrive", "plan": plan.id}
    return None


def mission_options(data: PanzerData, view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """6.5.1.1 What can be kept up, checked or begun, then calls of every observer onto what he has spotted."""
    yield None
    for mission in called(view, ask.seat):
        if mission.done_in == view.turn:
            continue
        if observes(data, view, mission):
            yield {"do": "check", "mission": mission.id}
        if not any(continue_objections(data, view, mission, mission.type)):
            yield {"do": "continue", "mission": mission.id, "type": mission.type}
    for plan in view.planned.values():
        if not any(plan_objections(data, view, ask.seat, plan.id)):
            yield {"do": "arrive", "plan": plan.id}
    yield from legal_calls(data, view, ask.seat)


def legal_calls(data: PanzerData, view: PanzerState, side: str) -> Iterator[dict[str, Any]]:
    """6.5.1.7 Calls of one source each, for every observer and every hex in which he has spotted somebody."""
    found = 0
    own = firers(data, view, side)
    for observer in observers(data, view, side):
        if any(observer_objections(view, observer)) or not radios.has_radio(data, observer.unit):
            continue
        seen = dict.fromkeys(view.vehicles[id].hex for id in view.spotted.get(observer.unit.id, ()))
        for point in [hex for hex in seen if hex is not None]:
            for firer in own:
                kinds: list[tuple[Sheaf, FireType]] = (
                    [("closed", "gp"), ("open", "gp"), ("closed", "smoke")] if firer.off_map else [("on_map", "gp")]
                )
                for sheaf, type in kinds:
                    call = Call(point, (firer.id,), sheaf, 0, type, observer.unit.id)
                    if not any(call_objections(data, view, side, call)):
                        found += 1
                        yield {
                            "do": "call", "observer": observer.unit.id, "point": hex_name(point),
                            "firers": [firer.id], "sheaf": sheaf, "direction": 0, "type": type,
                        }  # fmt: skip
                        if found >= CHOICES:
                            return
