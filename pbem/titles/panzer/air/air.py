"""6.4, 6.7 Air phases: an aircraft crosses the map, acquires targets and attacks them.

    6.7          air_phase
    6.7.2        fly: hex by hex, with fire windows for the guns below (`anti_aircraft`)
    6.7.2.1      appearance_objections
    6.7.2.2      speed and altitude; 6.7.2.3 move_on, turn_objections; 6.7.2.3.2 dive bombers
    6.7.3.1.1    count_acquiring, next_target; 6.7.3.1.2 observer_for
    6.7.3.2-4    Weapon patterns: strafe, bomb, fire rockets
    6.7.3.5      attack_rows
    answers      check_flight, flight_options, check_air_attack, air_attack_options

A flight is plotted as a whole: where and how it enters, where it turns, and its attacks in order (target and weapon).
The owner may still call off each attack just before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import (
    Hex,
    hex_name,
    neighbour,
    parse_hex,
    turn,
)
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.data_files import close_to
from pbem.titles.panzer.air import anti_aircraft
from pbem.titles.panzer.air.air_attacks import (
    RULES,
    WEAPONS,
    Attack,
    Plot,
    WeaponName,
    attack,
    attacks_left,
    count_acquiring,
    in_position,
    is_passed,
    next_target,
    pattern_row,
    report_missed,
    sees_target,
    store,
)
from pbem.titles.panzer.cards.chart_rows import Altitude, Speed
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.sequence import go_on
from pbem.titles.panzer.sighting.weather import conditions_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import AircraftState, Flight, Marker, PanzerState, Unit

# --- 6.7 the phase ----------------------------------------------------------


def air_phase(table: Table[PanzerState], number: int) -> Step:
    """6.4, 6.7 The side with air superiority flies its aircraft one after another; the other side has no aircraft."""
    state = table.state
    state.phase = "air"
    side = table.data.scenario.air_superiority
    ready = [aircraft.id for aircraft in state.aircraft.values() if is_available(table, aircraft)]
    if not side or not ready:
        go_on(table)
        return
    rule = "6.4" if number == 1 else "6.7"
    answer = yield Ask(side, "flight", rule, about={"phase": number, "aircraft": ready})
    if answer is None:
        table.find(rule, inputs={"side": side, "phase": number}, result="no-flight")
        go_on(table)
        return
    table.find(rule, inputs={"side": side, "phase": number}, result=answer["aircraft"])
    yield from fly(table, answer)
    table.then("air_phase", number=number)


def is_flying_weather(data: PanzerData) -> bool:
    """6.7 Whether aircraft can fly; they can only by day in clear weather, not in poor visibility (7.36.1)."""
    return conditions_of(data).spotting == 0


def is_available(situation: Situation, aircraft: AircraftState) -> bool:
    """6.7.2.1 Whether the aircraft may appear now."""
    return not any(appearance_objections(situation, aircraft))


def appearance_objections(situation: Situation, aircraft: AircraftState) -> Iterator[Objection]:
    """6.7, 6.7.2.1 Object to a flight in bad weather, to a second one in a turn, or outside the aircraft's turns."""
    data, view = situation.data, situation.state
    if not data.plays("aircraft"):
        yield Objection("6.7", say("this match is played without aircraft"))
    elif not is_flying_weather(data):
        yield Objection("6.7", say("aircraft fly only by day and in clear weather"))
    if aircraft.shot_down:
        yield Objection("6.7.4.2.1", say("the aircraft was shot down"))
    if aircraft.last_turn == view.turn:
        yield Objection("6.7.2.1", say("the aircraft has already appeared this turn"))
    most = data.advanced.number("loiter_turns")
    if aircraft.first_turn and view.turn >= aircraft.first_turn + most:
        yield Objection(
            "6.7.2.1",
            say(
                "the aircraft was available only for {most} turns, starting with turn {first_turn}",
                most=most,
                first_turn=aircraft.first_turn,
            ),
        )
    row = next(row for row in data.scenario.aircraft if row.id == aircraft.id)
    if view.turn < row.earliest:
        yield Objection("6.7.2.1", say("the aircraft is not available before turn {earliest}", earliest=row.earliest))


def entry_edges(data: PanzerData, hex: Hex, facing: int) -> set[str]:
    """6.7.2.1 The map edges over which an aircraft with this facing could have entered a hex."""
    behind = [turn(facing, steps) for steps in (2, 3, 4)]
    return {edge for way in behind if (edge := data.board.edge(hex, way))}


def entry_objections(situation: Situation, aircraft: AircraftState, plot: Plot) -> Iterator[Objection]:
    """6.7.2.1 Object unless the aircraft enters across an edge; if it flew last turn, by the edge where it left."""
    data = situation.data
    try:
        hex = parse_hex(plot.hex)
    except ValueError:
        yield Objection("1.2", say("'{hex}' is not a hex", hex=plot.hex))
        return
    if not data.board.is_on_map(hex) or plot.facing not in range(1, 7):
        yield Objection("6.7.2", say("the aircraft must enter at a map-edge hex, with a facing from 1 to 6"))
        return
    edges = entry_edges(data, hex, plot.facing)
    if not edges or not data.board.is_on_map(neighbour(hex, plot.facing)):
        yield Objection("6.7.2", say("the aircraft must enter at a map-edge hex and fly onto the map"))
    elif aircraft.last_turn == situation.state.turn - 1 and aircraft.exit_edge and aircraft.exit_edge not in edges:
        yield Objection(
            "6.7.2.1",
            say(
                "the aircraft left by the {exit_edge} edge last turn and must return there",
                exit_edge=aircraft.exit_edge,
            ),
        )


def speed_objections(data: PanzerData, aircraft: AircraftState, plot: Plot) -> Iterator[Objection]:
    """6.7.2.2 Object to a speed not on the card, a damaged aircraft that is not slow, and (6.7.2.3.1) fast turns."""
    if plot.speed not in data.book.aircraft[aircraft.card].speeds.value:
        yield Objection("6.7.2.2", say("the aircraft cannot fly at {speed} speed", speed=plot.speed))
    if plot.speed == "fast" and aircraft.damaged:
        yield Objection("6.7.4.2.1", say("a damaged aircraft can only fly slowly"))
    if plot.turn and plot.speed == "fast":
        yield Objection("6.7.2.3.1", say("a fast aircraft cannot turn"))
    if plot.turn_after < 0:
        yield Objection("6.7.2.3.1", say("say how many hexes the aircraft flies before it turns"))


def attack_objections(situation: Situation, aircraft: AircraftState, plot: Plot) -> Iterator[Objection]:
    """6.7.3 Yield the objections to attacks.

    Each needs a weapon that is carried, a permitted altitude, and an enemy unit on the map.
    """
    data, view = situation.data, situation.state
    used: dict[str, int] = {}
    altitude = plot.altitude
    for one in plot.attacks:
        target = view.vehicles.get(one.target)
        if target is None or not target.alive or target.side == aircraft.side or target.aboard:
            yield Objection(
                "6.7.3",
                say("{target} is not an enemy unit on the map that the aircraft can attack", target=one.target),
            )
        used[store(one.weapon)] = used.get(store(one.weapon), 0) + 1
        yield from weapon_objections(data, aircraft, one.weapon, altitude, plot.speed)
        altitude = "low" if one.weapon == "dive" else altitude  # 6.7.2.3.2, once
    for name, times in used.items():
        if data.plays("ammo_limits") and times > attacks_left(data, aircraft, name):
            yield Objection(
                "5.16.2.6",
                say(
                    "the aircraft has {attacks_left} attacks left with {name}",
                    attacks_left=attacks_left(data, aircraft, name),
                    name=name,
                ),
            )


def weapon_objections(
    data: PanzerData, aircraft: AircraftState, weapon: WeaponName, altitude: Altitude, speed: Speed
) -> Iterator[Objection]:
    """6.7.1, 6.7.3 Objections to a weapon: bombs and rockets must be loaded, and a dive must start high and slow.

    After its dive an aircraft is low (6.7.2.3.2).
    """
    card = data.book.aircraft[aircraft.card]
    if weapon != "strafing" and aircraft.load != store(weapon):
        yield Objection("6.7.1", say("the aircraft does not carry {store}", store=store(weapon)))
    if weapon == "dive":
        if not card.dive.value:
            yield Objection("6.7.2.3.2", say("the aircraft is not a dive bomber"))
        elif altitude != "high" or speed != "slow":
            yield Objection("6.7.2.3.2", say("a dive bomber must approach at high altitude and low speed"))
    elif pattern_row(data, weapon, altitude, speed) is None:
        yield Objection(
            RULES[weapon], say("{weapon} cannot be used at {altitude} altitude", weapon=weapon, altitude=altitude)
        )


# --- 6.7.2 flying ----------------------------------------------------------


def fly(table: Table[PanzerState], answer: dict[str, Any]) -> Step:
    """6.7.2 Fly one flight: enter the map and fly on hex by hex until the aircraft leaves or is shot down."""
    state: PanzerState = table.state
    plot = msgspec.convert(answer, Plot)
    aircraft = state.aircraft[plot.aircraft]
    flight = appear(table, aircraft, plot)
    waiting = list(plot.attacks)
    next_target(table, aircraft, flight, waiting, at_edge=True)
    yield from anti_aircraft.window(table, aircraft)
    while aircraft.flight is not None:
        turn_if_plotted(table, flight, plot)
        if not move_on(table, aircraft, flight):
            for planned in waiting:
                report_missed(table, aircraft, flight, planned)
            break
        yield from anti_aircraft.window(table, aircraft)
        if aircraft.flight is None:
            break
        if waiting and is_passed(table, flight, plot, waiting[0]):
            report_missed(table, aircraft, flight, waiting.pop(0))
            next_target(table, aircraft, flight, waiting)
        elif flight.acquired and in_position(table, flight, waiting[0]):
            yield from attack(table, aircraft, flight, waiting.pop(0))
            if aircraft.flight is not None:
                next_target(table, aircraft, flight, waiting)


def appear(table: Table[PanzerState], aircraft: AircraftState, plot: Plot) -> Flight:
    """6.7.2.1, 6.7.2.2 Place the aircraft at the edge with the speed and altitude declared for this turn."""
    state: PanzerState = table.state
    flight = Flight(hex=parse_hex(plot.hex), facing=plot.facing, altitude=plot.altitude, speed=plot.speed)
    aircraft.flight = flight
    aircraft.first_turn = aircraft.first_turn or state.turn
    aircraft.last_turn = state.turn
    edges = sorted(entry_edges(table.data, flight.hex, flight.facing))
    children = [
        Finding("5.4", inputs={"aircraft": aircraft.id}, result=weapons_carried(table.data, aircraft)),
        Finding("6.7.2.1", inputs={"edges": edges, "first_turn": aircraft.first_turn}, result=state.turn),
        Finding("6.7.2.2", inputs={"speed": flight.speed}, result=flight.altitude),
    ]
    if aircraft.suppression is not Marker.NONE:
        flight.suppressed_at = 0
    anti_aircraft.begin_tracking(table, aircraft, children)
    inputs = {"aircraft": aircraft.id, "hex": hex_name(flight.hex), "facing": flight.facing}
    table.find("6.7.2", inputs=inputs, result="appears", children=children)
    return flight


def weapons_carried(data: PanzerData, aircraft: AircraftState) -> list[str]:
    """5.4 The aircraft's GP weapons as shown to both sides: those on its card, not its actual load (6.7.1)."""
    card = data.book.aircraft[aircraft.card]
    return ["strafing", *(["bombs"] if card.bombs else []), *(["rockets"] if card.rockets else [])]


def turn_if_plotted(table: Table[PanzerState], flight: Flight, plot: Plot) -> None:
    """6.7.2.3.1 A slow aircraft, or one slowed down by damage, may turn once by one hexside."""
    if plot.turn and not flight.turned and flight.flown == plot.turn_after and flight.speed == "slow":
        flight.facing = turn(flight.facing, plot.turn)
        flight.turned = True
        inputs = {"aircraft": plot.aircraft, "hex": hex_name(flight.hex)}
        table.find("6.7.2.3.1", inputs=inputs, result=flight.facing)


def move_on(table: Table[PanzerState], aircraft: AircraftState, flight: Flight) -> bool:
    """6.7.2.3 Fly one hex straight ahead; the flight ends beyond the map edge. Return whether it continues."""
    ahead = neighbour(flight.hex, flight.facing)
    if edge := table.data.board.edge(flight.hex, flight.facing):
        aircraft.exit_edge, aircraft.flight = edge, None
        inputs = {"aircraft": aircraft.id, "hex": hex_name(flight.hex), "flown": flight.flown}
        table.find("6.7.2.3", inputs=inputs, result=edge)
        return False
    before = sees_target(table, flight)
    seen_by = anti_aircraft.trackers(table, aircraft)
    flight.hex, flight.flown = ahead, flight.flown + 1
    count_acquiring(table, aircraft, flight, before)
    anti_aircraft.count_tracking(table, aircraft, seen_by)
    return True


# --- answers ----------------------------------------------------------

EXAMPLE: Final = (
    '{"aircraft": "a1", "hex": "A5", "facing": 3, "speed": "slow", "altitude": "low", '
    '"attacks": [{"target": "s1", "weapon": "strafing"}]}'
)


def plot_objections(situation: Situation, side: str, plot: Plot) -> Iterator[Objection]:
    """6.7.2 Everything that is wrong with a plotted flight."""
    aircraft = situation.state.aircraft.get(plot.aircraft)
    if aircraft is None or aircraft.side != side:
        yield Objection("6.7", say("you have no such aircraft"))
        return
    yield from appearance_objections(situation, aircraft)
    yield from entry_objections(situation, aircraft, plot)
    yield from speed_objections(situation.data, aircraft, plot)
    yield from attack_objections(situation, aircraft, plot)


def check_flight(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.7.2 Return the flight as it will be flown, or refuse it, listing everything that is wrong.

    None means that no aircraft flies.
    """
    if answer is None:
        return None
    try:
        plot = msgspec.convert(answer, Plot)
    except msgspec.ValidationError as error:
        raise Unreadable(
            "flight", [Objection("6.7.2", say("this flight could not be read: {error}", error=error))], [EXAMPLE]
        ) from error
    if found := list(plot_objections(situation, ask.seat, plot)):
        own = [aircraft.id for aircraft in situation.state.aircraft.values() if aircraft.side == ask.seat]
        raise Illegal(plot.aircraft, found, close_to(plot.aircraft, own))
    plain: Answer = msgspec.to_builtins(plot)
    return plain


def flight_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """6.7.2 Offer not to fly, then for each aircraft and target some flights straight at it with each weapon."""
    view = situation.state
    yield None
    for id in ask.about["aircraft"]:
        aircraft = view.aircraft[id]
        if any(appearance_objections(situation, aircraft)):
            continue
        for target in view.of(view.enemy(aircraft.side)):
            if target.aboard or target.hex is None:
                continue
            for weapon in WEAPONS:
                yield from straight_at(situation, aircraft, target, weapon)


def speeds_and_altitudes(
    data: PanzerData, aircraft: AircraftState, weapon: WeaponName
) -> list[tuple[Speed, Altitude]]:
    """6.7.1, 6.7.3 The speeds and altitudes at which a weapon can be used; empty for a weapon not carried."""
    altitudes: tuple[Altitude, ...] = ("high", "medium", "low")
    return [
        (speed, altitude)
        for speed in data.book.aircraft[aircraft.card].speeds.value
        for altitude in altitudes
        if not any(weapon_objections(data, aircraft, weapon, altitude, speed))
    ]


def straight_at(situation: Situation, aircraft: AircraftState, target: Unit, weapon: WeaponName) -> Iterator[Answer]:
    """6.7.2.3 Flights along the six hex rows that lead over a unit, at the first usable altitude and speed."""
    data = situation.data
    assert target.hex is not None
    flights = speeds_and_altitudes(data, aircraft, weapon)
    for facing in range(1, 7) if flights else ():
        hex = target.hex
        while data.board.is_on_map(neighbour(hex, turn(facing, 3))):
            hex = neighbour(hex, turn(facing, 3))
        for speed, altitude in flights:
            attacks = (Attack(target.id, weapon),)
            plot = Plot(aircraft.id, hex_name(hex), facing, speed, altitude, attacks=attacks)
            if not any(plot_objections(situation, aircraft.side, plot)):
                yield msgspec.to_builtins(plot)


def air_attack_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """6.7.3 Offer to attack, or not."""
    yield from (True, False)


def check_air_attack(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.7.3 Accept yes or no."""
    if answer not in (True, False):
        raise Unreadable("air-attack", [Objection("6.7.3", say("answer `yes` to attack, or `no`"))], ["yes", "no"])
    return bool(answer)
