"""6.7.4 Fire at aircraft: tracking, the fire windows of a flight, and the effect of a hit.

    6.7.4.1      trackers, begin_tracking, count_tracking, hexes_to_track
    6.7.4.1.2    field_objections
    6.7.4.2      window, declare, fire, fire_rows
    6.7.4.2.1    results: suppress, damage, shoot_down, crash
    answers      check_anti_aircraft, anti_aircraft_options

A gun needs an Overwatch command. The owner is asked in every window in which a gun under an unrevealed counter could
fire if that counter were Overwatch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import distance, hex_name, neighbour, within_30
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.data_files import close_to
from pbem.titles.panzer.air.air_sight import masked_by
from pbem.titles.panzer.cards.ammunition import check_ammo
from pbem.titles.panzer.cards.basic_rows import RANGE_FACTORS, RangeFactor
from pbem.titles.panzer.cards.chart_rows import AdvancedModifier
from pbem.titles.panzer.cards.weapons import Armament, weapons_of
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.command.command_control import is_watch_used, reveal
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.actions import mark_fire, spend_command
from pbem.titles.panzer.fire.aiming import place_objections
from pbem.titles.panzer.fire.gp_defence import aircraft_defence
from pbem.titles.panzer.fire.gp_fire import resolve_gp, table_roll
from pbem.titles.panzer.fire.gp_modifiers import OPTICS, GpAttack, is_broken, is_hesitating
from pbem.titles.panzer.fire.special_fire import is_platform, turn_to
from pbem.titles.panzer.fire.turrets import SHUT, locked_direction
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.rulings import ruling_finding
from pbem.titles.panzer.sighting import hidden_units
from pbem.titles.panzer.sighting.spotting import field_of_view, lose_camouflage_by_firing
from pbem.titles.panzer.sighting.terrain import in_improved_position, is_under_a_roof
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import AircraftState, Command, Flight, Marker, PanzerState, Unit

EXAMPLE: Final = '[["g3", 0]]'
LONG_ENOUGH: Final = 99
"""6.7.4.1.1 The tracking count of a gun that saw the aircraft enter at the edge: enough at any altitude."""


# --- 6.7.4.1 tracking ----------------------------------------------------------


def guns(situation: Situation, side: str) -> Iterator[Unit]:
    """6.7.4 A side's units with an AA row, on the ground and not in a building or improved position (6.7.4.1.1)."""
    data = situation.data
    for unit in situation.state.of(side):
        if not unit.aboard and any(arm.aa for arm in weapons_of(data, unit)) and not is_shut_in(situation, unit):
            yield unit


def is_shut_in(situation: Situation, unit: Unit) -> bool:
    """6.7.4.1.1 Whether a unit is in a building or improved position, and so cannot track or fire at aircraft."""
    return is_under_a_roof(situation, unit) or in_improved_position(situation.state, unit)


def trackers(situation: Situation, aircraft: AircraftState) -> list[str]:
    """6.7.4.1 The other side's guns that have the aircraft in sight, in any direction."""
    flight = over_the_map(aircraft)
    return [
        unit.id
        for unit in guns(situation, situation.state.enemy(aircraft.side))
        if unit.hex is not None and masked_by(situation, flight.hex, flight.altitude, unit.hex) is None
    ]


def over_the_map(aircraft: AircraftState) -> Flight:
    assert aircraft.flight is not None, f"{aircraft.id} is not over the map"
    return aircraft.flight


def hexes_to_track(situation: Situation, flight: Flight, unit: Unit) -> int:
    """6.7.4.1.1 How many hexes a gun must keep an aircraft in sight to track it; doubled while it is suppressed.

    After suppression in mid-track, the 2024 book counts the hexes already tracked in full; the 2016 book doubles the
    rest.
    """
    hexes = situation.data.advanced.flight_hexes("track", flight.altitude, flight.speed)
    if not unit.suppressed:
        return hexes
    doubled = situation.data.charts.switch("aircraft_double_remainder")
    return 2 * hexes - (flight.trackers_suppressed_at.get(unit.id, 0) if doubled else 0)


def begin_tracking(situation: Situation, aircraft: AircraftState, findings: list[Finding]) -> None:
    """6.7.4.1.1 A gun that sees an aircraft appear at the map edge tracks it at once."""
    data, state = situation.data, situation.state
    flight = over_the_map(aircraft)
    for id in trackers(situation, aircraft):
        flight.tracked[id] = LONG_ENOUGH
        rule, told = ledger_row(data.edition, "6.7.4.1.1/edge"), state.vehicles[id].audience
        findings.append(Finding(rule, to=told, inputs={"gun": id, "hex": hex_name(flight.hex)}, result="tracked"))


def count_tracking(situation: Situation, aircraft: AircraftState, before: Sequence[str]) -> None:
    """6.7.4.1.1 Count a hex if the aircraft was in sight before and after it; otherwise reset the count."""
    state = situation.state
    flight = over_the_map(aircraft)
    now = trackers(situation, aircraft)
    flight.tracked = {id: flight.tracked.get(id, 0) + 1 for id in now if id in before}
    kept = flight.trackers_suppressed_at.items()
    flight.trackers_suppressed_at = {id: count for id, count in kept if id in flight.tracked}
    for id in now:
        unit = state.vehicles[id]
        if unit.suppressed:
            flight.trackers_suppressed_at.setdefault(id, max(0, flight.tracked.get(id, 0) - 1))


def is_tracked(situation: Situation, flight: Flight, unit: Unit) -> bool:
    """6.7.4.1.1 Whether a gun has had the aircraft in sight long enough."""
    return flight.tracked.get(unit.id, -1) >= hexes_to_track(situation, flight, unit)


# --- 6.7.4.2 eligibility -----------------------------------------------------------


def public_objections(situation: Situation, aircraft: AircraftState, unit: Unit, weapon: int) -> Iterator[Objection]:
    """6.7.4 The publicly known reasons why a gun cannot fire at an aircraft."""
    data, view = situation.data, situation.state
    flight = over_the_map(aircraft)
    arms = weapons_of(data, unit)
    if unit.aboard or not 0 <= weapon < len(arms) or arms[weapon].aa is None:
        yield Objection("6.7.4", say("that weapon cannot fire at aircraft"))
        return
    if unit.fired or unit.used_up == view.turn:
        yield Objection(
            ledger_row(data.edition, "6.7.4.1.1/one-fire"), say("the unit has already used its command this turn")
        )
    elif is_watch_used(view, unit):  # for ground or air targets, or by an observer
        yield Objection("6.2.1.1.4/overwatch", say("the unit's shared Overwatch command has already been used"))
    yield from place_objections(situation, unit, arms[weapon])
    if is_shut_in(situation, unit):
        rule = ledger_row(data.edition, "6.7.4.1.1/inside")
        yield Objection(rule, say("units in buildings or improved positions cannot fire at aircraft"))
    elif not is_tracked(situation, flight, unit):
        hexes = hexes_to_track(situation, flight, unit)
        yield Objection(
            "6.7.4.1.1", say("the unit must have had the aircraft in sight for {hexes} hexes", hexes=hexes)
        )
    yield from field_objections(situation, unit, arms[weapon], flight)
    if aa_factor(arms[weapon], unit, flight) is None:
        yield Objection("6.7.4.2", say("the aircraft is out of range"))


def field_objections(situation: Situation, unit: Unit, arm: Armament, flight: Flight) -> Iterator[Objection]:
    """6.7.4.1.2 Object if the aircraft is not to the front of a towed gun, or too high for the weapon.

    A suppressed vehicle looks to the front of its turret (7.8), or else of its hull. In the 2024 book some vehicles
    need an open turret; these are the ones with a machine gun outside it.
    """
    assert unit.hex is not None and arm.aa is not None
    data = situation.data
    locked = locked_direction(data, unit, arm.index)  # 7.23.2
    front = (unit.kind != "vehicle" and not is_platform(data, unit)) or unit.suppressed or locked is not None  # 7.16
    looks = field_of_view(situation, unit) if unit.suppressed and unit.kind == "vehicle" else None  # 6.1.3.1
    ahead = next((way for way in (locked, looks) if way is not None), unit.facing)
    if front and unit.hex != flight.hex and not within_30(unit.hex, flight.hex, ahead):
        rule = "6.7.4.1.2/towed" if unit.kind != "vehicle" else "6.1.3.1"
        yield Objection(rule, say("the aircraft is outside the unit's front field of fire"))
    if arm.small_arms and SHUT in unit.flags and data.charts.switch("open_for_anti_aircraft"):  # 7.8.3
        yield Objection("6.7.4.1.2", say("the unit's {arm} cannot be fired while buttoned up", arm=arm.name))
    if flight.altitude == "high" and not arm.aa.high:
        yield Objection("6.7.4.1.2/high-altitude", say("the unit cannot reach aircraft at high altitude"))


def aa_factor(arm: Armament, unit: Unit, flight: Flight) -> tuple[RangeFactor, int] | None:
    """6.7.4.2 Range factor and GP factor in the AA row; the range to an aircraft overhead is 1.

    None if the aircraft is out of range, or nearer than the weapon's minimum range (5.6).
    """
    assert arm.aa is not None and unit.hex is not None
    hexes = max(1, distance(unit.hex, flight.hex))
    if hexes < arm.minimum:
        return None
    rows = zip(RANGE_FACTORS, arm.aa.ranges.value, arm.aa.factors.value, strict=True)
    return next(((column, factor) for column, reach, factor in rows if hexes <= reach), None)


def objections(situation: Situation, aircraft: AircraftState, unit: Unit, weapon: int) -> Iterator[Objection]:
    """6.7.4 Every reason why a gun cannot fire, starting with its command."""
    if unit.command is not Command.OVERWATCH:
        yield Objection("6.7.4", say("the unit has no Overwatch command"))
    yield from public_objections(situation, aircraft, unit, weapon)


def is_window(situation: Situation, aircraft: AircraftState) -> bool:
    """R-12 Whether a gun could fire if its command were Overwatch, going by public knowledge only."""
    data = situation.data
    if any(counter.side != aircraft.side for counter in situation.state.hidden_counters.values()):
        return True  # 7.2: any of them may hide a gun
    return any(
        not any(public_objections(situation, aircraft, unit, number))
        for unit in guns(situation, situation.state.enemy(aircraft.side))
        if unit.command is not None and (not (unit.revealed or unit.shown) or unit.command is Command.OVERWATCH)
        for number, arm in enumerate(weapons_of(data, unit))
        if arm.aa
    )


# --- 6.7.4.2 firing ----------------------------------------------------------


def window(table: Table[PanzerState], aircraft: AircraftState) -> Step:
    """6.7.4 Open a fire window before the aircraft may attack; declared fire is resolved at once."""
    declared = yield from declare(table, aircraft)
    yield from fire(table, aircraft, declared)


def declare(table: Table[PanzerState], aircraft: AircraftState, *, answering: bool = False) -> Step:
    """6.7.4.1.1 Ask the other side which guns fire; fire in response to a declared attack is resolved after it."""
    state: PanzerState = table.state
    if not is_window(table, aircraft):
        return []
    about = {"aircraft": aircraft.id, "answering": answering}
    seat = state.enemy(aircraft.side)
    declared = (yield Ask(seat, "anti-aircraft", "6.7.4", subject=aircraft.id, about=about)) or []
    yield from hidden_units.reveal_fighters(table, [state.vehicles[unit] for unit, _ in declared])  # 7.2.2.3
    for unit, _ in declared:
        reveal(state, state.vehicles[unit])
        spend_command(state, state.vehicles[unit])
    return declared


def fire(table: Table[PanzerState], aircraft: AircraftState, declared: Sequence[Sequence[Any]]) -> Step:
    """6.7.4.2 Fire the guns one by one; guns left over when the aircraft is down count as having fired.

    A gun does not fire if the attack it answers has destroyed it or made its crew bail out (5.15).
    """
    for id, weapon in declared:
        unit = table.state.vehicles[id]
        if aircraft.flight is not None and unit.alive and not unit.bailed_out:
            yield from fire_one(table, aircraft, unit, weapons_of(table.data, unit)[weapon])


def fire_one(table: Table[PanzerState], aircraft: AircraftState, unit: Unit, arm: Armament) -> Step:
    """6.7.4.2 Resolve GP fire against the aircraft's GP defence, without the Overwatch modifiers."""
    data: PanzerData = table.data
    flight, event = over_the_map(aircraft), morale.begin(table)
    found = aa_factor(arm, unit, flight)
    assert found is not None and unit.hex is not None
    column, factor = found
    loaded = check_ammo(table, unit, arm, "gp")
    defence = aircraft_defence(data, aircraft)
    modifiers = modifiers_of(data, fire_rows(data, unit, arm, flight, column, limited=loaded.short > 0))
    if flight.speed == "fast" and flight.altitude == "high":
        ruling = ruling_finding(data, "fast_and_high_once")
        modifiers = msgspec.structs.replace(modifiers, children=(*modifiers.children, ruling))
    turn_to(data, unit, flight.hex)
    roll = table_roll(table, "6.7.4.2", factor, int(defence.result), modifiers, aircraft.id)
    mark_fire(table.state, unit, small_arms=arm.small_arms)
    tracked = Finding("6.7.4.1.1", inputs={"gun": unit.id}, result=hexes_to_track(table, flight, unit))
    doubled = data.charts.switch("aircraft_double_remainder")
    if unit.suppressed and doubled and flight.trackers_suppressed_at.get(unit.id):
        tracked = Finding("6.7.4.1.1/suppressed-midway", inputs={"gun": unit.id}, result=tracked.result)
    sight = Finding("6.7.4.1", inputs={"gun": unit.id, "hex": hex_name(flight.hex)}, result=True, children=(tracked,))
    outcome, effect = yield from result_of(table, aircraft, roll.result, roll.total)
    flight.fired_on.append((flight.hex, outcome))  # 7.26
    inputs = {"gun": unit.id, "weapon": arm.name, "aircraft": aircraft.id, "range": distance(unit.hex, flight.hex)}
    children = [sight, field_finding(data, unit), *loaded.findings, defence, roll.finding, effect]
    if lost := lose_camouflage_by_firing(table, unit):  # 7.24
        children.append(lost)
    table.find("6.7.4", inputs=inputs, result=outcome, children=children)
    morale.finish(table, event)  # 7.1.2: a crash attacks the units below


def field_finding(data: PanzerData, unit: Unit) -> Finding:
    """6.7.4.1.2 Explain why the gun may fire in this direction."""
    rule = ledger_row(data.edition, "6.7.4.1.2/vehicles") if unit.kind == "vehicle" else "6.7.4.1.2/towed"
    return Finding("6.7.4.1.2", inputs={"gun": unit.id}, result=True, children=(Finding(rule, result=True),))


def fire_rows(
    data: PanzerData, unit: Unit, arm: Armament, flight: Flight, column: RangeFactor, *, limited: bool
) -> list[tuple[AdvancedModifier, int]]:
    """6.7.4.2 The gun's own modifiers of 6.5.4.3, then those for the aircraft's flight and for the weapon."""
    assert arm.aa is not None
    once = data.charts.switch("fast_and_high_once")
    own = {
        "firer_damaged": int(unit.turret_damaged),
        "firer_hesitating": int(is_hesitating(unit)),
        "firer_suppressed": int(unit.suppressed),
        "firer_broken": int(is_broken(unit)),
        "ammo_limit": int(limited),
        "optics_damaged": int(OPTICS in unit.flags),
        "unit_grade": data.advanced.grades[unit.grade].gp.at(column),
    }
    against = {
        "fast": int(flight.speed == "fast"),
        "high": int(flight.altitude == "high" and not (flight.speed == "fast" and once)),  # house/2016-B14
        "low": int(flight.altitude == "low"),
        "weapon": arm.aa.modifier.value,
    }
    rows = [(row, own.get(row.when, 0)) for row in data.advanced.modifiers_for("gp", "anti_aircraft")]
    rows += [(row, against[row.when]) for row in data.advanced.modifiers["anti_aircraft"]]
    return [(row, times) for row, times in rows if times]


PARAGRAPHS: Final = {"fast": "6.7.4.2/fast-or-high", "high": "6.7.4.2/fast-or-high", "low": "6.7.4.2/low"}


def modifiers_of(data: PanzerData, rows: list[tuple[AdvancedModifier, int]]) -> Finding:
    """6.7.4.2 Add up the modifiers, citing the paragraph of each row."""
    told = tuple(
        {"when": row.when, "text": row.text, "value": row.value * times, "rule": row.rule} for row, times in rows
    )
    children = tuple(
        Finding(ledger_row(data.edition, PARAGRAPHS[row.when]), result=row.value * times)
        for row, times in rows
        if row.rule == "6.7.4.2" and row.when in PARAGRAPHS
    )
    return Finding("6.7.4.2", modifiers=told, result=sum(row.value * times for row, times in rows), children=children)


# --- 6.7.4.2.1 results ----------------------------------------------------------


def result_of(table: Table[PanzerState], aircraft: AircraftState, result: str, total: int) -> Step:
    """6.7.4.2.1 Apply the result: none, suppressed, damaged if the total ends in 5 or 0, otherwise shot down."""
    if result == "none":
        return "none", Finding("6.7.4.2.1/no-effect", inputs={"aircraft": aircraft.id}, result="none")
    if result == "suppressed":
        return "suppressed", suppress(aircraft)
    if total % 5 == 0 and not aircraft.damaged:
        return "damaged", damage(aircraft)
    second = [Finding("6.7.4.2.1/damaged", inputs={"total": total}, result="second")] if total % 5 == 0 else []
    down = yield from shoot_down(table, aircraft)
    return "shot-down", Finding("6.7.4.2.1", result="shot-down", children=(*second, down))


def suppress(aircraft: AircraftState) -> Finding:
    """6.7.4.2.1 Suppress the aircraft.

    Its fire is worse and acquiring takes twice as long; a target already acquired stays acquired.
    """
    flight = over_the_map(aircraft)
    if aircraft.suppression is Marker.NONE:
        flight.suppressed_at = flight.count
    aircraft.suppression = Marker.ON
    return Finding("6.7.4.2.1/suppressed", inputs={"aircraft": aircraft.id}, result="suppressed")


def damage(aircraft: AircraftState) -> Finding:
    """6.7.4.2.1 Damage the aircraft: it flies slowly for the rest of the match and its fire is worse."""
    flight = over_the_map(aircraft)
    inputs = {"aircraft": aircraft.id, "speed": flight.speed}
    aircraft.damaged, flight.speed = True, "slow"
    return Finding("6.7.4.2.1/damaged", inputs=inputs, result="slow")


def shoot_down(table: Table[PanzerState], aircraft: AircraftState) -> Step:
    """6.7.4.2.1 Crash the aircraft a d10 of hexes ahead, half of it if low; a crash off the map hits nothing."""
    flight = over_the_map(aircraft)
    die = table.roll(10, "6.7.4.2.1", aircraft.id)
    hexes = die // 2 if flight.altitude == "low" else die
    hex = flight.hex
    for _ in range(hexes):
        hex = neighbour(hex, flight.facing)
    aircraft.shot_down, aircraft.flight = True, None
    inputs = {
        "aircraft": aircraft.id,
        "altitude": flight.altitude,
        "from": hex_name(flight.hex),
        "facing": flight.facing,
        "hexes": hexes,
    }
    children: tuple[Finding, ...] = ()
    if table.data.board.is_on_map(hex):
        yield from hidden_units.reveal_in_pattern(table, (hex,))  # 7.2.2.3
        attack = GpAttack(
            kind="crash",
            factor=table.data.advanced.number("crash_factor"),
            rule=ledger_row(table.data.edition, "6.7.4.2.1/crash"),
            point=hex,
            hexes=(hex,),
            graded=False,
            sure=True,
        )
        hit: Finding = yield from resolve_gp(table, attack)
        children = (hit,)
    where = hex_name(hex) if children else "off the map"
    return Finding("6.7.4.2.1/eliminated", inputs=inputs, dice=(die,), result=where, children=children)


# --- answers ----------------------------------------------------------


def check_anti_aircraft(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.7.4 Accept the guns that fire now, each with a weapon; None holds fire."""
    data, view = situation.data, situation.state
    if answer is None:
        return None
    if not isinstance(answer, list) or not all(_is_pair(pair) for pair in answer):
        raise Unreadable("anti-aircraft", [Objection("6.7.4", say("name the guns and their weapons"))], [EXAMPLE])
    aircraft = view.aircraft[ask.subject]
    own = [unit.id for unit in guns(situation, ask.seat)]
    refusals: list[Refusal] = []
    for number, (id, weapon) in enumerate(answer):
        if id not in own:
            why = Objection("6.7.4", say("you have no gun of that name that can fire at aircraft"))
            refusals.append(Illegal(id, [why], close_to(id, own)))
        elif id in (earlier for earlier, _ in answer[:number]):
            rule = ledger_row(data.edition, "6.7.4.1.1/one-fire")
            refusals.append(Illegal(id, [Objection(rule, say("the unit is named twice, but can fire only once"))]))
        elif found := list(objections(situation, aircraft, view.vehicles[id], weapon)):
            refusals.append(Illegal(id, found))
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return [[id, weapon] for id, weapon in answer] or None


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and isinstance(pair[1], int)


def guns_able_to_fire(situation: Situation, ask: Ask) -> list[list[Any]]:
    """6.7.4 Every gun of the seat that may fire now, with its best weapon against aircraft."""
    data = situation.data
    aircraft = situation.state.aircraft[ask.subject]
    found = []
    for unit in guns(situation, ask.seat):
        for number, arm in enumerate(weapons_of(data, unit)):
            if arm.aa and not any(objections(situation, aircraft, unit, number)):
                found.append([unit.id, number])
                break
    return found


def anti_aircraft_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """6.7.4 Offer to hold fire, to fire each gun alone, or to fire all."""
    yield None
    ready = guns_able_to_fire(situation, ask)
    yield from ([one] for one in ready)
    if len(ready) > 1:
        yield ready
