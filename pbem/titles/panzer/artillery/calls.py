"""6.5.1.5, 6.5.1.7, 6.5.1.8 Calls for fire: their patterns, and objections to an observer or a firer.

6.5.1.5      sheaf_hexes, pattern, sheaf_finding
6.5.1.7      Call, read_call, call_objections, called_objections
6.5.1.8      continue_objections, adjust_objections; observes, still_firing
6.5.1.11.2   plan_objections
6.5.1.13     range_of, reach_objections
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pbem.engine.geometry.hexes import Hex, disc, distance, hex_name, neighbour, opposite, parse_hex
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.artillery.artillery_options import (
    reconnaissance_objections,
)
from pbem.titles.panzer.artillery.observers import (
    Firer,
    Observer,
    firer_objections,
    firer_of,
    most_sources,
    nation_objections,
    observer_objections,
    observer_of,
    sources_of,
)
from pbem.titles.panzer.command import radios
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.rulings import ruling_finding
from pbem.titles.panzer.sighting.sight import sees
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    FireType,
    Mission,
    PanzerState,
    Sheaf,
    Unit,
)

SHEAFS: Final[tuple[Sheaf, ...]] = ("closed", "open", "closed_linear")


def called_missions(state: PanzerState, side: str) -> list[Mission]:
    """6.5.1 A side's called missions."""
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
    """6.5.1.5 A hex and this many hexes beyond it in a row."""
    found = [point]
    for _ in range(hexes):
        found.append(neighbour(found[-1], direction))
    return found


def pattern(data: PanzerData, firer: Firer, point: Hex, sheaf: Sheaf, direction: int) -> tuple[Hex, ...]:
    """6.5.1.5 The hexes one firer covers; always a single hex for units on the map."""
    return sheaf_hexes(data, point, sheaf if firer.off_map else "on_map", direction)


def sheaf_finding(data: PanzerData, firer: Firer, call: Call) -> Finding:
    """6.5.1.5 The pattern of one firer."""
    hexes = pattern(data, firer, call.point, call.sheaf, call.direction)
    inputs = {"firer": firer.id, "sheaf": call.sheaf if firer.off_map else "on_map", "point": hex_name(call.point)}
    linear = (ruling_finding(data, "linear_both_ways"),) if inputs["sheaf"] == "closed_linear" else ()
    return Finding("6.5.1.5", inputs=inputs, result=[hex_name(hex) for hex in hexes], children=linear)


# --- 6.5.1.1 declarations ----------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """6.5.1.7 A call or an adjustment. `firers` are those called now; `observer` is empty when adjusting."""

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
    """6.5.1.13 The range from observer to point; for a firer on the map, its own range to the point if longer."""
    assert observer.hex is not None
    observed = distance(observer.hex, point)
    if firer.unit is None:
        return observed
    assert firer.unit.hex is not None
    return max(observed, distance(firer.unit.hex, point))


def reach_objections(firer: Firer, observer: Unit, point: Hex) -> Iterator[Objection]:
    """6.5.1.7 Object unless the point is within every firer's range, and not inside its minimum range (5.6).

    The observer's distance can make the range longer (6.5.1.13), but no weapon fires nearer than its own minimum.
    """
    hexes, row = range_of(firer, observer, point), firer.fire
    if hexes > row.ranges.value[-1]:
        why = say(
            "{firer} has a range of {ranges} hexes; the target is {hexes} hexes away",
            firer=firer.id,
            ranges=row.ranges.value[-1],
            hexes=hexes,
        )
        yield Objection("6.5.1.13", why)
    own = hexes if firer.unit is None else distance(place_of(firer.unit), point)
    if min(hexes, own) < row.minimum.value:
        yield Objection(
            "5.6", say("{firer} cannot fire closer than {minimum} hexes", firer=firer.id, minimum=row.minimum.value)
        )


def type_objections(data: PanzerData, firer: Firer, type: FireType) -> Iterator[Objection]:
    """6.5.1.6 Object unless the firer has the type of shell called or planned, and the match uses it."""
    if type == "smoke" and not firer.smoke:
        yield Objection("6.5.1.6", say("{firer} has no smoke ammunition", firer=firer.id))
    if type == "illumination":
        if not data.plays("illumination"):
            yield Objection("6.5.1.6.2", say("this match does not use the optional rule for illumination"))
        elif not firer.illumination:
            yield Objection("6.5.1.6", say("{firer} has no illumination rounds", firer=firer.id))


def sheaf_objections(called: Sequence[Firer], call: Call) -> Iterator[Objection]:
    """6.5.1.5 Object to a pattern for units on the map, and (6.5.1.6.2) to illumination without a closed sheaf."""
    if any(firer.off_map for firer in called):
        if call.sheaf not in SHEAFS:
            yield Objection("6.5.1.5", say("a battery's sheaf must be one of {sheafs}", sheafs=", ".join(SHEAFS)))
        if call.type == "illumination" and call.sheaf != "closed":
            yield Objection("6.5.1.6.2", say("illumination must be fired in a closed sheaf"))
    elif call.sheaf != "on_map":
        yield Objection("6.5.1.5", say("fire from units on the map has no sheaf: it covers only the target hex"))
    if (call.sheaf == "closed_linear") != (call.direction in range(1, 7)):
        yield Objection(
            "6.5.1.5", say("a closed linear sheaf needs a direction from 1 to 6; other sheaves have none")
        )


def point_objections(situation: Situation, observer: Unit, point: Hex) -> Iterator[Objection]:
    """6.5.1.7 Object unless the target point is the hex of a unit that this observer has spotted (A-88)."""
    if not situation.data.board.is_on_map(point):
        yield Objection("6.5.1.7", say("{point} is not on the map", point=hex_name(point)))
    elif not spotted_at(situation.state, observer, point):
        yield Objection(
            "6.5.1.7",
            say("{observer} has not spotted a unit in {point}", observer=observer.id, point=hex_name(point)),
        )


def spotted_at(view: PanzerState, observer: Unit, point: Hex) -> list[Unit]:
    """6.5.1.7 The units in a hex that the observer spotted in the Spotting Phase."""
    seen = (view.vehicles[id] for id in view.spotted.get(observer.id, ()))
    return [unit for unit in seen if unit.alive and unit.hex == point]


def called_objections(
    situation: Situation, observer: Observer, call: Call, mission: Mission | None = None
) -> Iterator[Objection]:
    """6.5.1.7, 6.5.1.8.2 Every reason why these firers cannot fire for this observer."""
    data, view = situation.data, situation.state
    found = [(id, firer_of(situation, id)) for id in call.firers]
    kept = [one for one in still_firing(situation, mission) if one.id not in call.firers] if mission else []
    legal: list[Firer] = []
    for id, firer in found:
        absent = firer is None or (firer.unit is not None and not firer.unit.alive)
        if firer is None or absent or firer.side != observer.unit.side:
            yield Objection("6.5.1.2", say("you have no {id} that can fire indirectly", id=id))
            continue
        legal.append(firer)
        if busy := next((other for other in view.missions.values() if id in other.firers and other != mission), None):
            yield Objection(
                "6.5.1.9",
                say(
                    "{id} is firing in mission {busy}; continue, adjust or end that mission first",
                    id=id,
                    busy=busy.id,
                ),
            )
        yield from firer_objections(situation, firer, call.point)
        yield from reach_objections(firer, observer.unit, call.point)
        yield from type_objections(data, firer, call.type)
        yield from nation_objections(data, observer, firer)
    if not call.firers:
        yield Objection("6.5.1.1", say("name the batteries or units that fire"))
    for id in dict.fromkeys(id for id in call.firers if call.firers.count(id) > 1):
        yield Objection("6.5.1", say("{id} is named twice, but can fire only once a turn", id=id))
    for firer in kept:  # firers that continue must be able to
        yield from firer_objections(situation, firer, call.point)
        yield from reach_objections(firer, observer.unit, call.point)
        yield from type_objections(data, firer, call.type)
    everybody = [*legal, *kept]
    yield from sheaf_objections(everybody, call)
    most = most_sources(data, observer)
    if sources_of(data, everybody) > most:
        yield Objection(
            observer.rule,
            say("{unit} can call at most {most} batteries or units at once", unit=observer.unit.id, most=most),
        )


def call_objections(
    situation: Situation, side: str, call: Call, *, reconnaissance: bool = False
) -> Iterator[Objection]:
    """6.5.1.7 Every reason why an observer cannot make this call."""
    data, view = situation.data, situation.state
    unit = view.vehicles.get(call.observer)
    observer = observer_of(data, unit) if unit is not None and unit.alive and unit.side == side else None
    if observer is None:
        yield Objection("6.5.1.1", say("only your FO, Command and Recon units on the map can call fire"))
        return
    yield from observer_objections(view, observer)
    yield from radios.observer_objections(data, observer.unit)  # 7.4.3
    if mission := next((mission for mission in view.missions.values() if mission.observer == call.observer), None):
        yield Objection(
            "6.5.1.9",
            say(
                "the unit is observing for mission {mission}; continue, adjust or end that mission first",
                mission=mission.id,
            ),
        )
    if reconnaissance:
        yield from reconnaissance_objections(situation, observer.unit, call.point, call.firers, call.sheaf, call.type)
    else:
        yield from point_objections(situation, observer.unit, call.point)
    yield from called_objections(situation, observer, call)


def mission_objections(situation: Situation, side: str, id: str) -> Iterator[Objection]:
    """6.5.1.8 Object unless this is a called mission of the side that has not been handled this turn."""
    mission = situation.state.missions.get(id)
    if mission is None or mission.side != side or mission.planned:
        yield Objection("6.5.1.8", say("you have no such mission"))
    elif mission.done_in == situation.state.turn:
        yield Objection("6.5.1", say("this mission has already been handled this turn"))
    elif mission.reconnaissance:
        yield Objection("7.37", say("reconnaissance by fire cannot be sustained or adjusted"))


def continue_objections(
    situation: Situation, mission: Mission, type: FireType, only: Sequence[str] = ()
) -> Iterator[Objection]:
    """6.5.1.8.1 Object unless the observer sees the point and has spotted an enemy in it or next to it (A-66)."""
    view = situation.state
    observer = view.vehicles[mission.observer]
    if not observes(situation, mission):
        yield Objection(
            "6.5.1.8.1", say("{observer} cannot observe {point}", observer=observer.id, point=hex_name(mission.point))
        )
    near = [id for id in view.spotted.get(observer.id, ()) if is_near(view.vehicles[id], mission.point)]
    if not near:
        why = say(
            "{observer} has not spotted an enemy in or next to {point}",
            observer=observer.id,
            point=hex_name(mission.point),
        )
        yield Objection("6.5.1.8.1", why)
    if (type == "illumination") != (mission.type == "illumination"):
        yield Objection("6.5.1.8.1", say("adjust the mission to change to or from illumination"))
    for id in only:
        if id not in mission.firers:
            yield Objection("6.5.1.8", say("{id} is not firing in this mission; adjust it to add firers", id=id))
    going_on = still_firing(situation, mission, only)
    if not going_on:
        yield Objection("6.5.1.8", say("none of the mission's firing units can fire this turn"))
    for firer in going_on:
        if type == "smoke" and not firer.smoke:
            yield Objection("6.5.1.6", say("{firer} has no smoke ammunition", firer=firer.id))


def is_near(unit: Unit, point: Hex) -> bool:
    return unit.alive and unit.hex is not None and distance(unit.hex, point) <= 1


def adjust_objections(situation: Situation, mission: Mission, call: Call) -> Iterator[Objection]:
    """6.5.1.8.2 Object unless the observer may shift the fire: a short way, to a spotted unit, with able firers."""
    unit = situation.state.vehicles[mission.observer]
    observer = observer_of(situation.data, unit)
    assert observer is not None
    if not observes(situation, mission):
        yield Objection("6.5.1.9", say("{unit} cannot observe {point}", unit=unit.id, point=hex_name(mission.point)))
    most = situation.data.advanced.number("adjust_shift")
    if distance(mission.point, call.point) > most:
        yield Objection("6.5.1.8.2", say("the target point can be shifted by at most {most} hexes", most=most))
    yield from point_objections(situation, unit, call.point)
    yield from called_objections(situation, observer, call, mission)


def observes(situation: Situation, mission: Mission) -> bool:
    """6.5.1.9, A-66 Whether the observer is on the map, has an unused Overwatch and can see the point."""
    unit = situation.state.vehicles.get(mission.observer)
    observer = observer_of(situation.data, unit) if unit is not None and unit.alive else None
    if observer is None or any(observer_objections(situation.state, observer)):
        return False
    return sees(situation, observer.unit, mission.point)


def still_firing(situation: Situation, mission: Mission, only: Sequence[str] = ()) -> list[Firer]:
    """6.5.1.8 The mission's firers that may fire again: batteries, and units with a Fire command.

    `only` names the firers that the owner keeps in the mission; if it is empty, all stay.
    """
    found = (firer_of(situation, id) for id in mission.firers if not only or id in only)
    return [
        firer
        for firer in found
        if firer is not None
        and (firer.unit is None or firer.unit.alive)
        and not any(firer_objections(situation, firer, mission.point))
    ]


def plan_objections(situation: Situation, side: str, id: str) -> Iterator[Objection]:
    """6.5.1.11.2 Object unless a plot arrives in its turn, or one turn earlier or later if its owner says so."""
    view = situation.state
    plan = view.planned.get(id)
    if plan is None or plan.side != side:
        yield Objection("6.5.1.11.2", say("you have no such plan"))
    elif view.batteries[plan.battery].knocked_out:
        yield Objection("7.28.2", say("the battery for this planned fire is knocked out"))
    elif plan.arrived:
        yield Objection("6.5.1.11.2", say("the planned fire has already arrived"))
    elif view.turn < plan.turn - situation.data.advanced.number("planned_margin"):
        yield Objection("6.5.1.11.2", say("the planned fire is plotted for turn {turn}", turn=plan.turn))
    elif view.batteries[plan.battery].available_from > view.turn:
        free = view.batteries[plan.battery].available_from  # its earlier plan came late
        yield Objection(
            "6.5.1.11.1", say("the battery is not available before turn {available_from}", available_from=free)
        )
    elif view.batteries[plan.battery].fired_in == view.turn:
        yield Objection("6.5.1", say("the battery for this planned fire has already been used this turn"))
