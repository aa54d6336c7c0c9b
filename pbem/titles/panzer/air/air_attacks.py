"""6.7.3 Attacks from the air: weapon loads, acquiring a target, strafing, bombs and rockets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

import msgspec

from pbem.engine.geometry.hexes import (
    Hex,
    direction_to,
    distance,
    hex_name,
    neighbour,
    neighbours,
    within_30,
)
from pbem.engine.rules.ask import Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.air import anti_aircraft
from pbem.titles.panzer.air.air_sight import in_field_and_sight, sight_finding
from pbem.titles.panzer.artillery.artillery_options import bombs_scatter
from pbem.titles.panzer.cards.basic_rows import RangeFactor
from pbem.titles.panzer.cards.chart_rows import AdvancedModifier, Altitude, Speed
from pbem.titles.panzer.cards.optional_rows import Pattern
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.command.command_control import is_watch_used, reveal
from pbem.titles.panzer.command.failed_orders import failed_order
from pbem.titles.panzer.command.radios import has_radio
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.actions import spend_command
from pbem.titles.panzer.fire.gp_fire import resolve_gp
from pbem.titles.panzer.fire.gp_modifiers import GpAttack
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.rulings import ruling_finding
from pbem.titles.panzer.sighting import hidden_units
from pbem.titles.panzer.sighting.limited_spotting import has_noticed
from pbem.titles.panzer.sighting.terrain import board_now, in_improved_position, is_under_a_roof
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import AircraftState, Command, Flight, Marker, PanzerState, Unit

WeaponName = Literal["strafing", "bombs", "dive", "rockets"]
WEAPONS: Final[tuple[WeaponName, ...]] = ("strafing", "bombs", "dive", "rockets")
ATTACKS: Final[dict[WeaponName, str]] = {
    "strafing": "strafing",
    "bombs": "bombing",
    "dive": "dive_bombing",
    "rockets": "rockets",
}
"""6.7.3 The row of the pattern table for each weapon."""
RULES: Final[dict[WeaponName, str]] = {
    "strafing": "6.7.3.2",
    "bombs": "6.7.3.3",
    "dive": "6.7.3.3",
    "rockets": "6.7.3.4",
}
ORDERS: Final[dict[WeaponName, str]] = {"strafing": "strafe", "bombs": "bomb", "dive": "dive", "rockets": "rocket"}
"""6.7.3 The attacks in the order language."""
STRAFING_COLUMN: Final[RangeFactor] = "P"
"""6.7.3.2 The range factor for strafing: small arms fire as if at point-blank range."""
GRADE_COLUMN: Final[RangeFactor] = "E"
"""6.7.3.5 The unit-grade column used for strafing."""


# --- 6.7.2 the plot ----------------------------------------------------------


class Attack(msgspec.Struct, frozen=True):
    """6.7.3 One attack: a target and a weapon."""

    target: str
    weapon: WeaponName


class Plot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """6.7.2 A flight as plotted by its owner. `turn_after` counts hexes; `turn` is -1 for left, 1 for right."""

    aircraft: str
    hex: str
    facing: int
    speed: Speed
    altitude: Altitude
    turn: Literal[-1, 0, 1] = 0
    turn_after: int = 0
    attacks: tuple[Attack, ...] = ()


def store(weapon: WeaponName) -> str:
    """5.16.2.6 The supply that an attack draws on; a dive uses up bombs."""
    return "bombs" if weapon == "dive" else weapon


def attacks_left(data: PanzerData, aircraft: AircraftState, name: str) -> int:
    """5.16.2.6 The printed number of runs, loads or salvos, less those already used."""
    card = data.book.aircraft[aircraft.card]
    row = {"strafing": card.strafing, "bombs": card.bombs, "rockets": card.rockets}[name]
    return row.attacks.value - aircraft.spent.get(name, 0) if row else 0


def pattern_row(data: PanzerData, weapon: WeaponName, altitude: Altitude, speed: Speed) -> Pattern | None:
    """6.7.3.2-6.7.3.4 The row of the pattern table, or None if this altitude or speed rules out the weapon."""
    rows = (row for row in data.advanced.air.pattern if row.attack == ATTACKS[weapon])
    return next((row for row in rows if altitude in row.altitudes and speed in row.speeds), None)


# --- 6.7.3.1 acquiring ----------------------------------------------------------


def sees_target(situation: Situation, flight: Flight) -> bool:
    """6.7.3.1 Whether the unit being acquired is in the field of view and in sight."""
    return bool(flight.target) and in_field_and_sight(situation, flight, situation.state.vehicles[flight.target])


def hexes_to_acquire(data: PanzerData, aircraft: AircraftState, flight: Flight) -> int:
    """6.7.3.1.1 The number of hexes an aircraft must fly to acquire a target; doubled while it is suppressed.

    If it is suppressed in mid-flight, the 2024 book doubles the whole number; the 2016 book doubles only the hexes
    still to be flown.
    """
    hexes = data.advanced.flight_hexes("acquire", flight.altitude, flight.speed)
    if aircraft.suppression is Marker.NONE:
        return hexes
    return 2 * hexes - (flight.suppressed_at if data.charts.switch("aircraft_double_remainder") else 0)


def count_acquiring(table: Table[PanzerState], aircraft: AircraftState, flight: Flight, before: bool) -> None:
    """6.7.3.1.1 Count a hex if the target was in view both before and after it; otherwise restart the count."""
    if not flight.target or flight.acquired:
        return
    now = sees_target(table, flight)
    flight.count = flight.count + 1 if before and now else 0
    if flight.count == 0:
        flight.suppressed_at = 0
    elif flight.count >= hexes_to_acquire(table.data, aircraft, flight):
        acquire(table, aircraft, flight, [])


def acquire(table: Table[PanzerState], aircraft: AircraftState, flight: Flight, why: Sequence[Finding]) -> None:
    """6.7.3.1.1 Mark the target as acquired."""
    flight.acquired = True
    target = table.state.vehicles[flight.target]
    inputs = {
        "aircraft": aircraft.id,
        "target": flight.target,
        "flown": flight.count,
        "needed": hexes_to_acquire(table.data, aircraft, flight),
    }
    children = [*why, sight_finding(table, flight, target)]
    if aircraft.suppression is not Marker.NONE:
        midway = table.data.charts.switch("aircraft_double_remainder") and flight.suppressed_at
        rule = "6.7.3.1.1/suppressed-midway" if midway else ledger_row(table.data.edition, "6.7.3.1.1/suppressed")
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
    """6.7.3.1.1 Start on the next target; a hidden target needs an FO. At the edge, the approach counts as well."""
    state: PanzerState = table.state
    flight.target, flight.count, flight.acquired, flight.suppressed_at = "", 0, False, 0
    while waiting:
        target = state.vehicles[waiting[0].target]
        if target.alive and may_acquire(table, aircraft, target):
            break
        report_missed(table, aircraft, flight, waiting.pop(0))
    if not waiting:
        return
    flight.target = waiting[0].target
    target = state.vehicles[flight.target]
    assert target.hex is not None
    near = distance(flight.hex, target.hex) < hexes_to_acquire(table.data, aircraft, flight)
    if at_edge and near and in_field_and_sight(table, flight, target):
        inputs = {"hex": hex_name(flight.hex), "range": distance(flight.hex, target.hex)}
        rule = ledger_row(table.data.edition, "6.7.3.1.1/edge")
        acquire(table, aircraft, flight, [Finding(rule, inputs=inputs, result="on the way")])


# --- 6.7.3.1.2 observers ----------------------------------------------------------


def is_hidden(situation: Situation, target: Unit) -> bool:
    """6.7.3.1.1 Whether a building, improved position or trees hide a unit; an alley or a roof does not."""
    assert target.hex is not None
    if is_under_a_roof(situation, target) or in_improved_position(situation.state, target):
        return True
    terrains = situation.data.advanced.terrains
    return any(terrains[type].observer.value for type in board_now(situation).terrain(target.hex))


def may_acquire(table: Table[PanzerState], aircraft: AircraftState, target: Unit) -> bool:
    """6.7.3.1.2 Whether a unit can be acquired; a hidden unit can be only if an FO spots it for the aircraft."""
    data, state = table.data, table.state
    if not is_hidden(table, target):
        return True
    rule = ledger_row(data.edition, "6.7.3.1.1/hidden-terrain")
    observer = observer_for(table, aircraft.side, target)
    if observer is None:
        inputs = {"aircraft": aircraft.id, "target": target.id}
        table.find(rule, inputs=inputs, result="not-acquired")
        return False
    spend_command(state, observer)
    observer.air_target = target.id
    reveal(state, state.vehicles[observer.aboard] if observer.aboard else observer)
    why = Finding(rule, inputs={"target": target.id}, result="hidden")
    inputs = {"aircraft": aircraft.id, "observer": observer.id}
    table.find("6.7.3.1.2", to=observer.audience, inputs=inputs, result=target.id, children=[why])  # 7.2
    return True


def observer_for(situation: Situation, side: str, target: Unit) -> Unit | None:
    """6.7.3.1.2 An unused FO on Overwatch that spots the target, or one already spotting that target for aircraft."""
    data, state = situation.data, situation.state
    for unit in state.of(side):
        free = unit.used_up != state.turn and not unit.fired and not is_watch_used(state, unit)
        same = unit.used_up == state.turn and unit.air_target == target.id
        watching = "fo" in unit.labels and state.order_of(unit) is Command.OVERWATCH
        watching = watching and has_radio(data, unit)  # 7.4.3
        if watching and (free or same) and has_noticed(situation, unit, target):
            return unit
    return None


# --- 6.7.3 attacks ----------------------------------------------------------


def in_position(situation: Situation, flight: Flight, attack: Attack) -> bool:
    """6.7.3.2-6.7.3.4 Whether the target is in the hex ahead.

    For rockets it must be 2-10 hexes straight ahead and in sight.
    """
    target = situation.state.vehicles[attack.target]
    if not target.alive or target.hex is None:
        return False
    if attack.weapon != "rockets":
        return target.hex == neighbour(flight.hex, flight.facing)
    hexes = distance(flight.hex, target.hex)
    low, high = situation.data.advanced.number("rocket_range_from"), situation.data.advanced.number("rocket_range_to")
    ahead = low <= hexes <= high and direction_to(flight.hex, target.hex) == flight.facing
    return ahead and in_field_and_sight(situation, flight, target)


def is_passed(situation: Situation, flight: Flight, plot: Plot, attack: Attack) -> bool:
    """6.7.2.3 Whether an attack is impossible: the target is gone or behind, or the plotted dive was not made."""
    target = situation.state.vehicles[attack.target]
    if not target.alive or target.hex is None:
        return True
    altitude: Altitude = "low" if attack.weapon == "dive" else flight.altitude
    if pattern_row(situation.data, attack.weapon, altitude, flight.speed) is None:
        return True
    to_turn = plot.turn and not flight.turned and flight.flown <= plot.turn_after
    return not to_turn and not within_30(flight.hex, target.hex, flight.facing)


def report_missed(table: Table[PanzerState], aircraft: AircraftState, flight: Flight, planned: Attack) -> None:
    """6.7.3 Tell the owner of an aircraft why it does not make an attack."""
    order = f"{ORDERS[planned.weapon]} {planned.target}"
    table.findings.append(failed_order(aircraft, order, why_missed(table, flight, planned)))


def why_missed(situation: Situation, flight: Flight, planned: Attack) -> Objection:
    """6.7.3 The reason why an aircraft that is still flying does not make an attack."""
    target = situation.state.vehicles[planned.target]
    if not target.alive or target.hex is None:
        return Objection("6.7.3", say("{target} was no longer on the map", target=target.id))
    if flight.target != target.id and is_hidden(situation, target):
        why = say("{target} is hidden, and no forward observer spots it for the aircraft", target=target.id)
        return Objection("6.7.3.1.2", why)
    if not flight.acquired or flight.target != target.id:
        return Objection("6.7.3.1.1", say("the aircraft did not acquire {target} in time", target=target.id))
    return Objection("6.7.2.3", say("the aircraft did not come into position to attack {target}", target=target.id))


def attack(table: Table[PanzerState], aircraft: AircraftState, flight: Flight, planned: Attack) -> Step:
    """6.7.3 Ask the owner whether to attack; guns that respond to the declaration fire after the attack."""
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
    made, event = gp_attack(table, aircraft, flight, planned), morale.begin(table)
    if planned.weapon == "bombs":
        children += [ruling_finding(table.data, "high_bombs_spread_wide")] if flight.altitude == "high" else []
        hexes, scattered = bombs_scatter(table, aircraft, flight, made.hexes)  # 7.26
        children += [scattered] if scattered else []
        made = replace(made, hexes=hexes, point=hexes[0] if hexes else made.point)
    yield from hidden_units.reveal_in_pattern(table, made.hexes)  # 7.2.2.3
    hit = yield from resolve_gp(table, made)
    inputs = {"aircraft": aircraft.id, "target": planned.target, "weapon": planned.weapon}
    shown = Finding(RULES[planned.weapon], inputs={"hexes": [hex_name(hex) for hex in made.hexes]}, result=hit.result)
    rows = [modifier_finding(row, times) for row, times in attack_rows(table.data, aircraft, flight, planned)]
    total = Finding("6.7.3.5", result=sum(int(row.result) for row in rows), children=tuple(rows))
    table.find("6.7.3", inputs=inputs, result=hit.result, children=[*children, left, shown, total, hit])
    morale.finish(table, event)  # 7.1.2
    yield from anti_aircraft.fire(table, aircraft, answering)


def modifier_finding(row: AdvancedModifier, times: int) -> Finding:
    """6.7.3.5 The finding for one modifier, citing its own paragraph; the unit grade cites 6.5.4.3."""
    paragraph = f"/{row.when}" if row.rule == "6.7.3.5" else ""
    return Finding(f"{row.rule}{paragraph}", inputs={"text": row.text}, result=row.value * times)


def attack_rows(
    data: PanzerData, aircraft: AircraftState, flight: Flight, planned: Attack
) -> list[tuple[AdvancedModifier, int]]:
    """6.7.3.5 The modifiers for altitude and speed; unit grade applies to strafing (in column E) and rockets."""
    holds = {"low": flight.altitude == "low", "medium": flight.altitude == "medium", "fast": flight.speed == "fast"}
    rows = [(row, 1) for row in data.advanced.modifiers["aircraft"] if holds[row.when]]
    if planned.weapon == "strafing":
        value = data.advanced.grades[aircraft.grade].gp.at(GRADE_COLUMN)
        row = next(row for row in data.advanced.modifiers["gp"] if row.when == "unit_grade")
        rows += [(row, value)] if value else []
    return rows


def gp_attack(situation: Situation, aircraft: AircraftState, flight: Flight, planned: Attack) -> GpAttack:
    """6.7.3.2-6.7.3.4 Resolve the GP attack on every unit in the weapon's pattern, friend or foe."""
    data = situation.data
    card = data.book.aircraft[aircraft.card]
    target = situation.state.vehicles[planned.target].hex
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
    """6.7.3.2-6.7.3.4 The target hex, the hexes beyond it in line, and those next to the first two."""
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
