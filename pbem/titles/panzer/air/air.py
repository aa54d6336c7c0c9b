"""6.4, 6.7 Air phases: an aircraft crosses the map, acquires targets and attacks them.

    6.7          air_phase
    6.7.2        fly: hex by hex, with the windows of the guns below (`anti_aircraft`)
    6.7.2.1      appearance_objections
    6.7.2.2      speed and altitude; 6.7.2.3 move_on, turn_objections; 6.7.2.3.2 dive bombers
    6.7.3.1.1    count_acquiring, next_target; 6.7.3.1.2 observer_for
    6.7.3.2-4    Weapon patterns: strafe, bomb, fire rockets
    6.7.3.5      attack_rows
    answers      check_flight, flight_options, check_air_attack, air_attack_options

A flight is plotted as a whole: where and how it comes in, where it turns, and whom it attacks with what, in order.
Before each attack its owner may still change his mind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

import msgspec

from pbem.engine.geometry.hexes import (
    Hex,
    direction_to,
    distance,
    hex_name,
    neighbour,
    neighbours,
    parse_hex,
    turn,
    within_30,
)
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.air import anti_aircraft
from pbem.titles.panzer.air.air_sight import in_field_and_sight, sight_finding
from pbem.titles.panzer.artillery.artillery_options import bombs_scatter
from pbem.titles.panzer.cards.advanced_charts import AdvancedModifier, Altitude, Pattern, Speed
from pbem.titles.panzer.cards.charts import RangeFactor, close_to
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.command.command_control import reveal
from pbem.titles.panzer.command.radios import has_radio
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.actions import spend_command
from pbem.titles.panzer.fire.gp_fire import resolve_gp
from pbem.titles.panzer.fire.gp_modifiers import GpAttack
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.rulings import ruled
from pbem.titles.panzer.sequence import go_on
from pbem.titles.panzer.sighting import hidden_units
from pbem.titles.panzer.sighting.spotting import spots_now
from pbem.titles.panzer.sighting.terrain import board_now, in_improved_position, is_inside
from pbem.titles.panzer.sighting.weather import conditions_of
from pbem.titles.panzer.state import AircraftState, Command, Flight, Marker, PanzerState, Unit

WeaponName = Literal["strafing", "bombs", "dive", "rockets"]
WEAPONS: Final[tuple[WeaponName, ...]] = ("strafing", "bombs", "dive", "rockets")
ATTACKS: Final[dict[WeaponName, str]] = {
    "strafing": "strafing",
    "bombs": "bombing",
    "dive": "dive_bombing",
    "rockets": "rockets",
}
"""6.7.3 The rows of the pattern table."""
RULES: Final[dict[WeaponName, str]] = {
    "strafing": "6.7.3.2",
    "bombs": "6.7.3.3",
    "dive": "6.7.3.3",
    "rockets": "6.7.3.4",
}
HIDDEN_IN: Final = ("light_grove", "medium_grove", "light_woods", "woods", "heavy_woods")
"""6.7.3.1.1 Terrain in which a target cannot be acquired without an FO."""
STRAFING_COLUMN: Final[RangeFactor] = "P"
"""6.7.3.2 Small arms count as if fired at point blank."""
GRADE_COLUMN: Final[RangeFactor] = "E"
"""6.7.3.5 The column of the unit grade for strafing."""


# --- 6.7 the phase ----------------------------------------------------------


def air_phase(table: Table[PanzerState], number: int) -> Step:
    """6.4, 6.7 The side with air superiority flies one aircraft after another; nobody else has aircraft."""
    state = table.state
    state.phase = "air"
    side = table.data.scenario.air_superiority
    ready = [aircraft.id for aircraft in state.aircraft.values() if is_available(table.data, state, aircraft)]
    if not side or not ready or not table.data.plays("aircraft") or not is_flying_weather(table.data):
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
    """6.7 Aircraft fly by day and in clear weather only: not where sight is poor (7.36.1)."""
    return conditions_of(data).spotting == 0


def is_available(data: PanzerData, state: PanzerState, aircraft: AircraftState) -> bool:
    """6.7.2.1 Whether it may appear now."""
    return not any(appearance_objections(data, state, aircraft))


def appearance_objections(data: PanzerData, view: PanzerState, aircraft: AircraftState) -> Iterator[Objection]:
    """6.7.2.1 Once a turn, for five turns in a row from its first appearance, whether it flies or not."""
    if aircraft.shot_down:
        yield Objection("6.7.4.2.1", "it was shot down")
    if aircraft.last_turn == view.turn:
        yield Objection("6.7.2.1", "it has appeared in this turn")
    most = data.advanced.number("loiter_turns")
    if aircraft.first_turn and view.turn >= aircraft.first_turn + most:
        yield Objection("6.7.2.1", f"it was available for {most} turns from turn {aircraft.first_turn} on")
    row = next(row for row in data.scenario.aircraft if row.id == aircraft.id)
    if view.turn < row.earliest:
        yield Objection("6.7.2.1", f"it does not come before turn {row.earliest}")


# --- 6.7.2 the plot ----------------------------------------------------------


class Attack(msgspec.Struct, frozen=True):
    """6.7.3 Whom to attack with what."""

    target: str
    weapon: WeaponName


class Plot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """6.7.2 A flight as its owner plots it. `turn_after` counts hexes; `turn` is -1 for left, 1 for right."""

    aircraft: str
    hex: str
    facing: int
    speed: Speed
    altitude: Altitude
    turn: Literal[-1, 0, 1] = 0
    turn_after: int = 0
    attacks: tuple[Attack, ...] = ()


def entry_edges(data: PanzerData, hex: Hex, facing: int) -> set[str]:
    """6.7.2.1 The edges by which an aircraft that faces so can have come into a hex."""
    behind = [turn(facing, steps) for steps in (2, 3, 4)]
    return {edge for way in behind if (edge := data.board.edge(hex, way))}


def entry_objections(data: PanzerData, view: PanzerState, aircraft: AircraftState, plot: Plot) -> Iterator[Objection]:
    """6.7.2.1 In at an edge, over the map; in the turn after a flight by the edge at which it left."""
    try:
        hex = parse_hex(plot.hex)
    except ValueError:
        yield Objection("1.2", f"'{plot.hex}' is no hex")
        return
    if not data.board.is_on_map(hex) or plot.facing not in range(1, 7):
        yield Objection("6.7.2", "it comes in at a hex of the map's edge, facing 1 to 6")
        return
    edges = entry_edges(data, hex, plot.facing)
    if not edges or not data.board.is_on_map(neighbour(hex, plot.facing)):
        yield Objection("6.7.2", "it comes in at a hex of the map's edge and flies on over the map")
    elif aircraft.last_turn == view.turn - 1 and aircraft.exit_edge and aircraft.exit_edge not in edges:
        yield Objection("6.7.2.1", f"it left by the {aircraft.exit_edge} edge in the last turn and returns there")


def speed_objections(data: PanzerData, aircraft: AircraftState, plot: Plot) -> Iterator[Objection]:
    """6.7.2.2 The speeds of its card; a damaged aircraft is slow (6.7.4.2.1). 6.7.2.3.1 A fast one never turns."""
    if plot.speed not in data.book.aircraft[aircraft.card].speeds.value:
        yield Objection("6.7.2.2", f"it cannot fly {plot.speed}")
    if plot.speed == "fast" and aircraft.damaged:
        yield Objection("6.7.4.2.1", "a damaged aircraft flies slowly")
    if plot.turn and plot.speed == "fast":
        yield Objection("6.7.2.3.1", "a fast aircraft does not turn")
    if plot.turn_after < 0:
        yield Objection("6.7.2.3.1", "it turns after some number of hexes")


def attack_objections(
    data: PanzerData, view: PanzerState, aircraft: AircraftState, plot: Plot
) -> Iterator[Objection]:
    """6.7.3 Weapons that it has, at altitudes from which they are used, against units on the map."""
    used: dict[str, int] = {}
    altitude = plot.altitude
    for attack in plot.attacks:
        target = view.vehicles.get(attack.target)
        if target is None or not target.alive or target.side == aircraft.side or target.aboard:
            yield Objection("6.7.3", f"{attack.target} is no enemy unit on the map that can be attacked")
        used[store(attack.weapon)] = used.get(store(attack.weapon), 0) + 1
        yield from weapon_objections(data, aircraft, attack.weapon, altitude, plot.speed)
        altitude = "low" if attack.weapon == "dive" else altitude  # 6.7.2.3.2, once
    for name, times in used.items():
        if data.plays("ammo_limits") and times > attacks_left(data, aircraft, name):
            yield Objection("5.16.2.6", f"it has {attacks_left(data, aircraft, name)} left of {name}")


def store(weapon: WeaponName) -> str:
    """5.16.2.6 What an attack uses up."""
    return "bombs" if weapon == "dive" else weapon


def attacks_left(data: PanzerData, aircraft: AircraftState, name: str) -> int:
    """5.16.2.6 The printed number of runs, loads or salvos, less those made."""
    card = data.book.aircraft[aircraft.card]
    row = {"strafing": card.strafing, "bombs": card.bombs, "rockets": card.rockets}[name]
    return row.attacks.value - aircraft.spent.get(name, 0) if row else 0


def weapon_objections(
    data: PanzerData, aircraft: AircraftState, weapon: WeaponName, altitude: Altitude, speed: Speed
) -> Iterator[Objection]:
    """6.7.1, 6.7.3 Bombs or rockets as loaded; one dive from high altitude, slowly; the rest as the table says.

    After its dive an aircraft is low (6.7.2.3.2).
    """
    card = data.book.aircraft[aircraft.card]
    if weapon != "strafing" and aircraft.load != store(weapon):
        yield Objection("6.7.1", f"it does not carry {store(weapon)}")
    if weapon == "dive":
        if not card.dive.value:
            yield Objection("6.7.2.3.2", "it is no dive bomber")
        elif altitude != "high" or speed != "slow":
            yield Objection("6.7.2.3.2", "a dive bomber comes in high and slowly")
    elif pattern_row(data, weapon, altitude, speed) is None:
        yield Objection(RULES[weapon], f"{weapon} cannot be used at {altitude} altitude")


def pattern_row(data: PanzerData, weapon: WeaponName, altitude: Altitude, speed: Speed) -> Pattern | None:
    """6.7.3.2-6.7.3.4 The row of the pattern table, if the weapon can be used so."""
    rows = (row for row in data.advanced.air.pattern if row.attack == ATTACKS[weapon])
    return next((row for row in rows if altitude in row.altitudes and speed in row.speeds), None)


# --- 6.7.2 flying ----------------------------------------------------------


def fly(table: Table[PanzerState], answer: dict[str, Any]) -> Step:
    """6.7.2 One complete flight: in, hex by hex over the map, and out again or down."""
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
            break
        yield from anti_aircraft.window(table, aircraft)
        if aircraft.flight is None:
            break
        if waiting and is_passed(table.data, state, flight, plot, waiting[0]):
            waiting.pop(0)
            next_target(table, aircraft, flight, waiting)
        elif flight.acquired and in_position(table.data, state, flight, waiting[0]):
            yield from attack(table, aircraft, flight, waiting.pop(0))
            if aircraft.flight is not None:
                next_target(table, aircraft, flight, waiting)


def appear(table: Table[PanzerState], aircraft: AircraftState, plot: Plot) -> Flight:
    """6.7.2.1, 6.7.2.2 It is put at the edge, with speed and altitude declared for this turn."""
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
    anti_aircraft.begin_tracking(table.data, state, aircraft, children)
    inputs = {"aircraft": aircraft.id, "hex": hex_name(flight.hex), "facing": flight.facing}
    table.find("6.7.2", inputs=inputs, result="appears", children=children)
    return flight


def weapons_carried(data: PanzerData, aircraft: AircraftState) -> list[str]:
    """5.4 The GP weapons of an aircraft as everybody knows them: its card's, not what it has loaded (6.7.1)."""
    card = data.book.aircraft[aircraft.card]
    return ["strafing", *(["bombs"] if card.bombs else []), *(["rockets"] if card.rockets else [])]


def turn_if_plotted(table: Table[PanzerState], flight: Flight, plot: Plot) -> None:
    """6.7.2.3.1 A slow aircraft may turn once, by one hexside; one slowed down by damage may too."""
    if plot.turn and not flight.turned and flight.flown == plot.turn_after and flight.speed == "slow":
        flight.facing = turn(flight.facing, plot.turn)
        flight.turned = True
        inputs = {"aircraft": plot.aircraft, "hex": hex_name(flight.hex)}
        table.find("6.7.2.3.1", inputs=inputs, result=flight.facing)


def move_on(table: Table[PanzerState], aircraft: AircraftState, flight: Flight) -> bool:
    """6.7.2.3 One hex straight ahead; beyond the map the flight is over."""
    state: PanzerState = table.state
    ahead = neighbour(flight.hex, flight.facing)
    if edge := table.data.board.edge(flight.hex, flight.facing):
        aircraft.exit_edge, aircraft.flight = edge, None
        inputs = {"aircraft": aircraft.id, "hex": hex_name(flight.hex), "flown": flight.flown}
        table.find("6.7.2.3", inputs=inputs, result=edge)
        return False
    before = sees_target(table.data, state, flight)
    seen_by = anti_aircraft.trackers(table.data, state, aircraft)
    flight.hex, flight.flown = ahead, flight.flown + 1
    count_acquiring(table, aircraft, flight, before)
    anti_aircraft.count_tracking(table.data, state, aircraft, seen_by)
    return True


# --- 6.7.3.1 acquiring ----------------------------------------------------------


def sees_target(data: PanzerData, state: PanzerState, flight: Flight) -> bool:
    """6.7.3.1 Whether the unit being acquired is in field and sight."""
    return bool(flight.target) and in_field_and_sight(data, state, flight, state.vehicles[flight.target])


def needed(data: PanzerData, aircraft: AircraftState, flight: Flight) -> int:
    """6.7.3.1.1 Hexes to fly before a target is acquired: twice as many under suppression.

    Suppressed on the way, the hexes flown count in full in the 2024 book; the 2016 book doubles what is left.
    """
    hexes = data.advanced.flight_hexes("acquire", flight.altitude, flight.speed)
    if aircraft.suppression is Marker.NONE:
        return hexes
    return 2 * hexes - (flight.suppressed_at if data.charts.switch("aircraft_double_remainder") else 0)


def count_acquiring(table: Table[PanzerState], aircraft: AircraftState, flight: Flight, before: bool) -> None:
    """6.7.3.1.1 A hex counts if the target was in field and sight before and after it; else all is lost."""
    if not flight.target or flight.acquired:
        return
    now = sees_target(table.data, table.state, flight)
    flight.count = flight.count + 1 if before and now else 0
    if flight.count == 0:
        flight.suppressed_at = 0
    elif flight.count >= needed(table.data, aircraft, flight):
        acquire(table, aircraft, flight, [])


def acquire(table: Table[PanzerState], aircraft: AircraftState, flight: Flight, why: Sequence[Finding]) -> None:
    """6.7.3.1.1 The target is acquired."""
    flight.acquired = True
    target = table.state.vehicles[flight.target]
    inputs = {
        "aircraft": aircraft.id,
        "target": flight.target,
        "flown": flight.count,
        "needed": needed(table.data, aircraft, flight),
    }
    children = [*why, sight_finding(table.data, table.state, flight, target)]
    if aircraft.suppression is not Marker.NONE:
        midway = table.data.charts.switch("aircraft_double_remainder") and flight.suppressed_at
        rule = "6.7.3.1.1/suppressed-midway" if midway else numbered(table.data.edition, "6.7.3.1.1/suppressed")
        children.append(Finding(rule, inputs={"suppressed_at": flight.suppressed_at}, result=inputs["needed"]))
    table.find("6.7.3.1.1", inputs=inputs, result="acquired", children=children)


def next_target(
    table: Table[PanzerState],
    aircraft: AircraftState,
    flight: Flight,
    waiting: list[Attack],
    *,
    at_edge: bool = False,
) -> None:
    """6.7.3.1.1 Begin to acquire the next unit; hidden ones need an FO. At the edge the way up to it counts."""
    state: PanzerState = table.state
    flight.target, flight.count, flight.acquired, flight.suppressed_at = "", 0, False, 0
    while waiting:
        target = state.vehicles[waiting[0].target]
        if target.alive and may_acquire(table, aircraft, target):
            break
        waiting.pop(0)
    if not waiting:
        return
    flight.target = waiting[0].target
    target = state.vehicles[flight.target]
    assert target.hex is not None
    near = distance(flight.hex, target.hex) < needed(table.data, aircraft, flight)
    if at_edge and near and in_field_and_sight(table.data, state, flight, target):
        inputs = {"hex": hex_name(flight.hex), "range": distance(flight.hex, target.hex)}
        rule = numbered(table.data.edition, "6.7.3.1.1/edge")
        acquire(table, aircraft, flight, [Finding(rule, inputs=inputs, result="on the way")])


# --- 6.7.3.1.2 observers ----------------------------------------------------------


def is_hidden(data: PanzerData, state: PanzerState, target: Unit) -> bool:
    """6.7.3.1.1 In a building, an improved position or among trees; the alley of a building hex hides nobody."""
    assert target.hex is not None
    if is_inside(data, state, target) or in_improved_position(state, target):
        return True
    return any(type in HIDDEN_IN for type in board_now(data, state).terrain(target.hex))


def may_acquire(table: Table[PanzerState], aircraft: AircraftState, target: Unit) -> bool:
    """6.7.3.1.2 A hidden unit can be acquired only if an FO spots it for the aircraft."""
    data, state = table.data, table.state
    if not is_hidden(data, state, target):
        return True
    rule = numbered(data.edition, "6.7.3.1.1/hidden-terrain")
    observer = observer_for(data, state, aircraft.side, target)
    if observer is None:
        inputs = {"aircraft": aircraft.id, "target": target.id}
        table.find(rule, inputs=inputs, result="not-acquired")
        return False
    spend_command(state, observer)
    observer.air_target = target.id
    reveal(state, state.vehicles[observer.aboard] if observer.aboard else observer)
    why = Finding(rule, inputs={"target": target.id}, result="hidden")
    inputs = {"aircraft": aircraft.id, "observer": observer.id}
    table.find("6.7.3.1.2", inputs=inputs, result=target.id, children=[why])
    return True


def observer_for(data: PanzerData, state: PanzerState, side: str, target: Unit) -> Unit | None:
    """6.7.3.1.2 An FO on Overwatch that spots the target and does nothing else; one target for several aircraft."""
    for unit in state.of(side):
        free = unit.used_up != state.turn and not unit.fired
        same = unit.used_up == state.turn and unit.air_target == target.id
        watching = "fo" in unit.labels and state.order_of(unit) is Command.OVERWATCH
        watching = watching and has_radio(data, unit)  # 7.4.3
        if watching and (free or same) and spots_now(data, state, unit, target):
            return unit
    return None


# --- 6.7.3 attacks ----------------------------------------------------------


def in_position(data: PanzerData, state: PanzerState, flight: Flight, attack: Attack) -> bool:
    """6.7.3.2-6.7.3.4 The target in the hex ahead; for rockets in the row ahead, two to ten hexes away, in sight."""
    target = state.vehicles[attack.target]
    if not target.alive or target.hex is None:
        return False
    if attack.weapon != "rockets":
        return target.hex == neighbour(flight.hex, flight.facing)
    hexes = distance(flight.hex, target.hex)
    low, high = data.advanced.number("rocket_range_from"), data.advanced.number("rocket_range_to")
    ahead = low <= hexes <= high and direction_to(flight.hex, target.hex) == flight.facing
    return ahead and in_field_and_sight(data, state, flight, target)


def is_passed(data: PanzerData, state: PanzerState, flight: Flight, plot: Plot, attack: Attack) -> bool:
    """6.7.2.3 The target is gone, behind an aircraft that only flies ahead, or it has not dived as it should."""
    target = state.vehicles[attack.target]
    if not target.alive or target.hex is None:
        return True
    altitude: Altitude = "low" if attack.weapon == "dive" else flight.altitude
    if pattern_row(data, attack.weapon, altitude, flight.speed) is None:
        return True
    to_turn = plot.turn and not flight.turned and flight.flown <= plot.turn_after
    return not to_turn and not within_30(flight.hex, target.hex, flight.facing)


def attack(table: Table[PanzerState], aircraft: AircraftState, flight: Flight, planned: Attack) -> Step:
    """6.7.3 The owner declares the attack, or not; guns that answer the declaration fire after it."""
    state: PanzerState = table.state
    about = {"aircraft": aircraft.id, "weapon": planned.weapon}
    go = yield Ask(aircraft.side, "air-attack", "6.7.3", subject=planned.target, about=about, default=True)
    if not go:
        return
    children = []
    if planned.weapon == "dive":
        flight.altitude, flight.dived = "low", True
        children.append(Finding("6.7.2.3.2", inputs={"aircraft": aircraft.id}, result="low"))
    answering = yield from anti_aircraft.declare(table, aircraft, answering=True)
    name = store(planned.weapon)
    aircraft.spent[name] = aircraft.spent.get(name, 0) + 1
    if name != "strafing":
        aircraft.load_seen = True
        children.append(Finding("6.7.1", inputs={"aircraft": aircraft.id}, result=name))
    left = Finding("5.16.2.6", inputs={"weapon": name}, result=attacks_left(table.data, aircraft, name))
    made, event = gp_attack(table.data, state, aircraft, flight, planned), morale.begin(table)
    if planned.weapon == "bombs":
        children += [ruled(table.data, "high_bombs_spread_wide")] if flight.altitude == "high" else []
        hexes, scattered = bombs_scatter(table, aircraft, flight, made.hexes)  # 7.26
        children += [scattered] if scattered else []
        made = replace(made, hexes=hexes, point=hexes[0] if hexes else made.point)
    yield from hidden_units.struck(table, made.hexes)  # 7.2.2.3
    hit = yield from resolve_gp(table, made)
    inputs = {"aircraft": aircraft.id, "target": planned.target, "weapon": planned.weapon}
    shown = Finding(RULES[planned.weapon], inputs={"hexes": [hex_name(hex) for hex in made.hexes]}, result=hit.result)
    rows = [modifier_finding(row) for row, _ in attack_rows(table.data, aircraft, flight, planned)]
    total = Finding("6.7.3.5", result=sum(int(row.result) for row in rows), children=tuple(rows))
    table.find("6.7.3", inputs=inputs, result=hit.result, children=[*children, left, shown, total, hit])
    morale.finish(table, event)  # 7.1.2
    yield from anti_aircraft.fire(table, aircraft, answering)


def modifier_finding(row: AdvancedModifier) -> Finding:
    """6.7.3.5 One row, under its paragraph; the unit grade belongs to 6.5.4.3."""
    paragraph = f"/{row.when}" if row.rule == "6.7.3.5" else ""
    return Finding(f"{row.rule}{paragraph}", inputs={"text": row.text}, result=row.value)


def attack_rows(
    data: PanzerData, aircraft: AircraftState, flight: Flight, planned: Attack
) -> list[tuple[AdvancedModifier, int]]:
    """6.7.3.5 Altitude and speed; the grade counts for strafing and rockets, for strafing in column E."""
    holds = {"low": flight.altitude == "low", "medium": flight.altitude == "medium", "fast": flight.speed == "fast"}
    rows = [(row, 1) for row in data.advanced.modifiers["aircraft"] if holds[row.when]]
    if planned.weapon == "strafing":
        value = data.advanced.grades[aircraft.grade].gp.at(GRADE_COLUMN)
        row = next(row for row in data.advanced.modifiers["gp"] if row.when == "unit_grade")
        rows += [(row, value)] if value else []
    return rows


def gp_attack(
    data: PanzerData, state: PanzerState, aircraft: AircraftState, flight: Flight, planned: Attack
) -> GpAttack:
    """6.7.3.2-6.7.3.4 The attack on everybody in its pattern, friend or foe."""
    card = data.book.aircraft[aircraft.card]
    target = state.vehicles[planned.target].hex
    assert target is not None
    column, factor = STRAFING_COLUMN, 0
    match planned.weapon:
        case "strafing":
            factor, effect = card.strafing.factor.value, card.strafing.effectiveness.value
        case "rockets":
            assert card.rockets is not None
            hexes = distance(flight.hex, target)
            rows = zip(("P", "S", "M", "L", "E"), card.rockets.ranges.value, card.rockets.factors.value, strict=True)
            column, factor = next((name, value) for name, reach, value in rows if hexes <= reach)  # type: ignore[assignment]
            effect = card.rockets.effectiveness.value
        case _:
            assert card.bombs is not None
            factor, effect = card.bombs.factor.value, card.bombs.effectiveness.value
    small_arms = effect == "SA"
    return GpAttack(
        kind="air",
        factor=factor,
        column=column,
        small_arms=small_arms,
        effectiveness=0 if small_arms else int(effect),
        rule=RULES[planned.weapon],
        firer=aircraft.id,
        start=flight.hex,
        point=target,
        hexes=pattern_hexes(data, flight, planned, target),
        graded=planned.weapon == "rockets",
        more=tuple(attack_rows(data, aircraft, flight, planned)),
    )


def pattern_hexes(data: PanzerData, flight: Flight, planned: Attack, target: Hex) -> tuple[Hex, ...]:
    """6.7.3.2-6.7.3.4 The target hex, those beyond it in line, and those beside the first two; on the map only."""
    row = pattern_row(data, planned.weapon, flight.altitude, flight.speed)
    assert row is not None
    hexes = [target]
    while len(hexes) < row.ahead.value:
        hexes.append(neighbour(hexes[-1], flight.facing))
    if row.beside.value and data.charts.switch("high_bombs_spread_wide"):  # house/A46
        hexes += sorted({hex for one in hexes for hex in neighbours(one)} - set(hexes))
    elif row.beside.value:
        hexes += sorted(hex for hex in neighbours(hexes[0]) if hex in neighbours(hexes[1]))
    return tuple(hex for hex in hexes if data.board.is_on_map(hex))


# --- answers ----------------------------------------------------------

EXAMPLE: Final = (
    '{"aircraft": "a1", "hex": "A5", "facing": 3, "speed": "slow", "altitude": "low", '
    '"attacks": [{"target": "s1", "weapon": "strafing"}]}'
)


def plot_objections(data: PanzerData, view: PanzerState, side: str, plot: Plot) -> Iterator[Objection]:
    """6.7.2 Everything that is wrong with a plotted flight."""
    aircraft = view.aircraft.get(plot.aircraft)
    if aircraft is None or aircraft.side != side:
        yield Objection("6.7", "there is no such aircraft of yours")
        return
    yield from appearance_objections(data, view, aircraft)
    yield from entry_objections(data, view, aircraft, plot)
    yield from speed_objections(data, aircraft, plot)
    yield from attack_objections(data, view, aircraft, plot)


def check_flight(data: PanzerData, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """6.7.2 The flight as it will be flown, or a refusal with everything wrong in it; None: nobody flies."""
    if answer is None:
        return None
    try:
        plot = msgspec.convert(answer, Plot)
    except msgspec.ValidationError as error:
        raise Unreadable("flight", [Objection("6.7.2", f"a flight: {error}")], [EXAMPLE]) from error
    if found := list(plot_objections(data, view, ask.seat, plot)):
        own = [aircraft.id for aircraft in view.aircraft.values() if aircraft.side == ask.seat]
        raise Illegal(plot.aircraft, found, close_to(plot.aircraft, own))
    plain: Answer = msgspec.to_builtins(plot)
    return plain


def flight_options(data: PanzerData, view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """6.7.2 Nobody flies; then for each aircraft and target some flights straight at it, by each weapon."""
    yield None
    for id in ask.about["aircraft"]:
        aircraft = view.aircraft[id]
        for target in view.of(view.enemy(aircraft.side)):
            if target.aboard or target.hex is None:
                continue
            for weapon in WEAPONS:
                yield from straight_at(data, view, aircraft, target, weapon)


def serving(data: PanzerData, aircraft: AircraftState, weapon: WeaponName) -> list[tuple[Speed, Altitude]]:
    """6.7.1, 6.7.3 The speeds and altitudes at which a weapon can be used: none at all for what it does not carry."""
    altitudes: tuple[Altitude, ...] = ("high", "medium", "low")
    return [
        (speed, altitude)
        for speed in data.book.aircraft[aircraft.card].speeds.value
        for altitude in altitudes
        if not any(weapon_objections(data, aircraft, weapon, altitude, speed))
    ]


def straight_at(
    data: PanzerData, view: PanzerState, aircraft: AircraftState, target: Unit, weapon: WeaponName
) -> Iterator[Answer]:
    """6.7.2.3 Flights along the six rows that lead over a unit, at the first altitude and speed that serve."""
    assert target.hex is not None
    flights = serving(data, aircraft, weapon)
    for facing in range(1, 7) if flights else ():
        hex = target.hex
        while data.board.is_on_map(neighbour(hex, turn(facing, 3))):
            hex = neighbour(hex, turn(facing, 3))
        for speed, altitude in flights:
            attacks = (Attack(target.id, weapon),)
            plot = Plot(aircraft.id, hex_name(hex), facing, speed, altitude, attacks=attacks)
            if not any(plot_objections(data, view, aircraft.side, plot)):
                yield msgspec.to_builtins(plot)


def air_attack_options(data: PanzerData, view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """6.7.3 To attack, or not."""
    yield from (True, False)


def check_air_attack(data: PanzerData, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """6.7.3 To attack, or not."""
    if answer not in (True, False):
        raise Unreadable("air-attack", [Objection("6.7.3", "attack or not")], ["yes", "no"])
    return bool(answer)
