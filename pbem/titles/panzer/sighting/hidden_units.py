"""7.2 Hidden units: counters that represent units of one formation, or nothing.

    7.2.1       make_counter; the units under a counter are in its hex
    7.2.2.1     spotting_phase, look_around: spotting a counter; dummies
    7.2.2.1     unveil: the owner places the units; placing_objections, unveil_options, check_unveil (ask `unveil`)
    7.2.2.3     reveal_fighters, reveal_in_pattern: units revealed by combat, indirect fire and air attacks
    7.2         veil: reports to the enemy about units that stay hidden

The counters are public; the units under them are their owner's secret (`view`). Actions with counters are in
`hidden_orders`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, hex_name, neighbour, parse_hex
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import PUBLIC, Finding
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.basic_rows import PROHIBITED, SpottingColumn
from pbem.titles.panzer.command.command_control import command_range
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.actions import mark_move
from pbem.titles.panzer.movement.placing import put
from pbem.titles.panzer.movement.steps.terrain_costs import ground_of, movement_of
from pbem.titles.panzer.obstacles.narrow_roads import stands_aside
from pbem.titles.panzer.sighting import spotting
from pbem.titles.panzer.sighting.limited_spotting import limit_spotting
from pbem.titles.panzer.sighting.sight import Sight, station_of
from pbem.titles.panzer.sighting.spotting import (
    Mark,
    Target,
    can_spot,
    eye_of,
    light_on,
    spots_mark,
    target_modifiers,
)
from pbem.titles.panzer.sighting.terrain import ENTRENCHMENT, cover_of, place_of, size_letter
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import HiddenCounter, Kind, PanzerState, Spot, Status, Unit

HIDDEN: Final = "hidden"
RULE: Final = "hidden_units"
EXAMPLE: Final = '{"g1": ["C4", 3], "g2": ["C5", 3]}'


# --- 7.2.1 counters --------------------------------------------------------------------------------------------


def counters_of(state: PanzerState, side: str) -> list[HiddenCounter]:
    """7.2.1 A side's counters on the map, ordered by id."""
    return [counter for counter in state.hidden_counters.values() if counter.side == side]


def counter_over(state: PanzerState, unit: Unit) -> HiddenCounter | None:
    """7.2.1 The counter over a unit or its carrier."""
    id = unit.aboard or unit.id
    return next((counter for counter in state.hidden_counters.values() if id in counter.units), None)


def units_under(state: PanzerState, counter: HiddenCounter) -> list[Unit]:
    """7.2.2 The units under a counter, without passengers."""
    return [state.vehicles[id] for id in counter.units if id in state.vehicles]


def make_counter(state: PanzerState, side: str, hex: Hex, units: Iterable[str] = ()) -> HiddenCounter:
    """7.2.1, 7.2.3 Make a counter; its units and their passengers go to its hex and lose their Spot markers.

    Enemies that had spotted them this turn lose them.
    """
    counter = HiddenCounter(id=state.new_id(letter_of(state)), side=side, hex=hex, units=tuple(sorted(units)))
    state.hidden_counters[counter.id] = counter
    for unit in units_under(state, counter):
        for one in (unit, *state.passengers(unit)):
            one.flags = (*(flag for flag in one.flags if flag != HIDDEN), HIDDEN)
            one.spot = one.pending = Spot.NONE
            one.small_arms = one.pending_small_arms = False
        carry_to(state, unit, hex)
    gone = [one.id for unit in units_under(state, counter) for one in (unit, *state.passengers(unit))]
    state.spotted = {spotter: [id for id in targets if id not in gone] for spotter, targets in state.spotted.items()}
    return counter


def letter_of(state: PanzerState) -> str:
    """7.2.1 The prefix of counter ids: h, or hu if units already use h."""
    taken = any(id[:1] == "h" and id[1:].isdigit() for id in state.vehicles)
    return "hu" if taken else "h"


def carry_to(state: PanzerState, unit: Unit, hex: Hex) -> None:
    """7.2.1 Move a hidden unit to its counter's hex; if that is a new hex, it leaves its cover and position."""
    if unit.hex != hex:
        put(state, unit, hex)


# --- 7.2.2.1 spotting ------------------------------------------------------------------------------------------


def spotting_phase(table: Table[PanzerState]) -> Step:
    """6.1, 7.2.2.1 Check for hidden counters first; those not seen lose their Spot/Move (4.1.5)."""
    if table.state.hidden_counters:
        yield from look_around(table)
        for counter in table.state.hidden_counters.values():
            counter.marker = False
    limit = limit_spotting if table.data.plays("limited_spotting") else None
    yield from spotting.spotting_phase(table, limit)  # 7.7


def look_around(table: Table[PanzerState]) -> Step:
    """7.2.2.1 Reveal every counter that an enemy spots at this moment. Return the units found."""
    found: list[str] = []
    for counter in list(table.state.hidden_counters.values()):
        if counter.id in table.state.hidden_counters:
            by, seen = seen_by_enemies(table, counter)
            if by:
                yield from unveil(table, counter, spotting_finding(table, counter, by), seen)
                found += counter.units
    return found


def spotting_finding(situation: Situation, counter: HiddenCounter, by: Sequence[str]) -> Finding:
    """7.2.2.1 Report the spotters of a counter; hidden spotters are not named."""
    data, state = situation.data, situation.state
    named = [id for id in by if not state.vehicles[id].hidden]
    kinds = [size_letter(data, unit) for unit in units_under(state, counter)] or [dummy_column(counter)]
    column = next(letter for letter in ("V", "L", "S") if letter in kinds)
    rule = "7.2.2.1" if counter.units else "7.2.2.1/dummies"
    return Finding(rule, inputs={"counter": counter.id, "by": named, "seen_as": column}, result="spotted")


def seen_by_enemies(situation: Situation, counter: HiddenCounter) -> tuple[list[str], list[str]]:
    """7.2.2.1 The enemies that spot a counter, and the units they see. An adjacent enemy always spots it."""
    data, state = situation.data, situation.state
    marks = marks_of(situation, counter)
    sight = Sight(situation)
    by: list[str] = []
    seen: list[str] = []
    for enemy in state.of(state.enemy(counter.side)):
        beside = distance(place_of(enemy), counter.hex) <= 1 and not enemy.bailed_out  # 5.15
        if not (beside or can_spot(data, enemy)):
            continue
        eye = eye_of(situation, enemy)
        visible = [mark.unit.id for mark in marks if beside or spots_mark(data, sight, eye, mark)]
        if visible:
            by.append(enemy.id)
            seen += visible
    return by, sorted(set(seen))


def marks_of(situation: Situation, counter: HiddenCounter) -> list[Mark]:
    """7.2.2.1 A counter as a spotting target: each of its units; a dummy counts as a leg unit or as it has moved."""
    data = situation.data
    units = units_under(situation.state, counter) or [stand_in(data, counter)]
    marks = []
    for unit in units:
        column = size_letter(data, unit)
        covered = all(other.full_cover for other in units if size_letter(data, other) == column)
        marker = Spot.MOVE if counter.marker else Spot.NONE
        target = Target(column, cover_of(situation, unit, "spotting"), marker, False, covered)
        rows = spotting.net_of(target_modifiers(data, target))
        marks.append(Mark(unit, station_of(situation, unit), column, rows, light_on(situation, unit)))
    return marks


def dummy_column(counter: HiddenCounter) -> SpottingColumn:
    """7.2.2.1, 7.2.2.2 The spotting column of a dummy: that of a leg unit, unless it has moved like a vehicle."""
    return "V" if counter.fast else "S"


def stand_in(data: PanzerData, counter: HiddenCounter) -> Unit:
    """7.2.2.1 The unit that a dummy counts as for spotting."""
    kind: Kind = "vehicle" if counter.fast else "leg"
    card = next(iter(sorted(data.book.vehicles if counter.fast else data.book.legs)))
    formation = next(iter(data.scenario.formations))
    return Unit(
        id=counter.id, side=counter.side, card=card, kind=kind, hex=counter.hex, name="", formation=formation,
        status=Status.ON_MAP,
    )  # fmt: skip


# --- 7.2.2.3 revealing -----------------------------------------------------------------------------------------


def unveil(
    table: Table[PanzerState],
    counter: HiddenCounter,
    why: Finding,
    seen: Sequence[str] = (),
    fixed: Sequence[str] = (),
) -> Step:
    """7.2.2.3 Remove a dummy; the owner of a real counter places its units, at least one of those seen in its hex.

    `fixed` are the units that fight and so have to be in the counter's hex. The counter stays on the map until its
    owner has answered.
    """
    state = table.state
    if not counter.units:
        del state.hidden_counters[counter.id]
        table.find("7.2.2.1/dummies", inputs={"counter": counter.id}, result="removed", children=[why])
        return
    about = {
        "hex": hex_name(counter.hex),
        "units": list(counter.units),
        "seen": [id for id in seen if id in counter.units] or list(counter.units),
        "fixed": list(fixed),
    }
    places = yield Ask(counter.side, "unveil", "7.2.2.1", subject=counter.id, about=about, default={})
    del state.hidden_counters[counter.id]
    for unit in units_under(state, counter):
        hex, facing = places.get(unit.id, (about["hex"], unit.facing))
        appear(state, unit, parse_hex(hex), facing, counter.marker)
    where = {unit.id: hex_name(place_of(unit)) for unit in units_under(state, counter)}
    inputs = {"counter": counter.id, "hex": about["hex"], "units": where}
    table.find("7.2.2.3", inputs=inputs, result="revealed", children=[why])


def appear(state: PanzerState, unit: Unit, hex: Hex, facing: int, moved: bool) -> None:
    """7.2.2.1 Place a unit on the map in the open, with Spot/Move if its counter has moved."""
    carry_to(state, unit, hex)
    unit.facing = facing
    for one in (unit, *state.passengers(unit)):
        one.flags = tuple(flag for flag in one.flags if flag != HIDDEN)
        one.facing = facing if one.aboard else one.facing
    for feature in state.features.values():
        if feature.holder == unit.id and feature.type == ENTRENCHMENT:
            feature.known = state.sides  # 6.6.8: what it has dug is seen with it
    if moved:
        mark_move(unit)


def reveal_fighters(table: Table[PanzerState], units: Iterable[Unit]) -> Step:
    """7.2.2.3 Reveal units that fight, except by indirect fire, with all units under the same counter."""
    state = table.state
    for unit in list(units):
        counter = counter_over(state, unit) if unit.hidden else None
        if counter is not None:
            fixed = [one.aboard or one.id for one in units if counter_over(state, one) is counter]
            why = Finding("7.2.2.3", inputs={"counter": counter.id, "unit": unit.id}, result="fights")
            yield from unveil(table, counter, why, fixed, fixed)


def reveal_in_pattern(table: Table[PanzerState], hexes: Collection[Hex]) -> Step:
    """7.2.2.3 Reveal the counters of both sides in a fire pattern before it takes effect."""
    for counter in list(table.state.hidden_counters.values()):
        if counter.hex in hexes:
            why = Finding("7.2.2.3", inputs={"counter": counter.id, "hex": hex_name(counter.hex)}, result="struck")
            yield from unveil(table, counter, why)


# --- 7.2.2.1 placing -------------------------------------------------------------------------------------------


def placing_objections(situation: Situation, unit: Unit, origin: Hex, hex: Hex) -> Iterator[Objection]:
    """7.2.2.1 Object unless a unit is placed in command range of the counter, by an open path, without enemies."""
    reach = command_range(situation.data, unit.formation)
    if distance(origin, hex) > reach:
        yield Objection(
            "7.2.2.1",
            say(
                "{hex} is too far from {origin}; the command range is {reach}",
                hex=hex_name(hex),
                reach=reach,
                origin=hex_name(origin),
            ),
        )
    elif hex not in hexes_around(situation, unit, origin, reach):
        yield Objection(
            "7.2.2.1",
            say("the unit could not get from {origin} to {hex}", origin=hex_name(origin), hex=hex_name(hex)),
        )
    if any(other.side != unit.side for other in situation.state.at(hex)):
        yield Objection("7.2.2.1", say("there is an enemy in {hex}", hex=hex_name(hex)))


def is_immobile(data: PanzerData, unit: Unit) -> bool:
    """6.5.2.2.1, 5.15, 6.6.5, 7.29 Whether a unit cannot leave its hex by itself, under a counter or without it."""
    if unit.kind == "vehicle":
        return unit.track_hit or unit.bailed_out or "bogged" in unit.flags or stands_aside(unit)
    too_large = unit.kind == "towed" and movement_of(data, unit).cross_country == 0
    return too_large or stands_aside(unit)


def hexes_around(situation: Situation, unit: Unit, origin: Hex, reach: int) -> list[Hex]:
    """7.2.2.1 The hexes a unit could get to within this range without entering prohibited ones; its own first."""
    data = situation.data
    found = [origin]
    if is_immobile(data, unit):
        return found
    ground = ground_of(situation, unit)
    for hex in found:
        for direction in range(1, 7):
            there = neighbour(hex, direction)
            if there in found or distance(origin, there) > reach or not data.board.is_on_map(there):
                continue
            if ground.entering(hex, direction).total != PROHIBITED:
                found.append(there)
    return found


def unveil_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """7.2.2.1 Offer all units in the counter's hex, with each facing; then one unit in each surrounding hex."""
    data, view = situation.data, situation.state
    units, origin = ask.about["units"], parse_hex(ask.about["hex"])
    yield {}
    for facing in range(1, 7):
        yield {id: [ask.about["hex"], facing] for id in units}
    for id in units:
        if id in ask.about["fixed"] or ask.about["seen"] == [id]:
            continue
        unit = view.vehicles[id]
        for hex in hexes_around(situation, unit, origin, command_range(data, unit.formation)):
            if not any(placing_objections(situation, unit, origin, hex)):
                yield {id: [hex_name(hex), unit.facing]}


def check_unveil(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """7.2.2.1 Accept a hex and facing for each revealed unit; units without one stay in the counter's hex."""
    try:
        places = msgspec.convert(answer, dict[str, tuple[str, int]])
    except msgspec.ValidationError as error:
        why = Objection("7.2.2.1", say("name a hex and a facing for each unit: {error}", error=error))
        raise Unreadable("unveil", [why], [EXAMPLE]) from error
    refusals = [refusal for id in sorted(places) for refusal in refused_place(situation, ask, id, places[id])]
    if not refusals:
        at = {id: places.get(id, (ask.about["hex"], 1))[0].strip().upper() for id in ask.about["seen"]}
        if ask.about["hex"] not in at.values():
            names = ", ".join(at)
            refusals.append(
                Illegal(
                    names,
                    [
                        Objection(
                            "7.2.2.1",
                            say(
                                "an enemy saw a unit in {hex}, so place one of these there: {names}",
                                names=names,
                                hex=ask.about["hex"],
                            ),
                        )
                    ],
                )
            )
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return {id: [places[id][0].strip().upper(), places[id][1]] for id in sorted(places)}


def refused_place(situation: Situation, ask: Ask, id: str, place: tuple[str, int]) -> Iterator[Refusal]:
    """7.2.2.1 Why a unit cannot be placed there."""
    if id not in ask.about["units"]:
        yield Illegal(
            id, [Objection("7.2.2.1", say("the unit was not under this counter"))], list(ask.about["units"])
        )
        return
    name, facing = place
    origin = parse_hex(ask.about["hex"])
    try:
        hex = parse_hex(name)
    except ValueError as error:
        yield Unreadable(f"{id} {name}", [Objection("1.2", str(error))], [ask.about["hex"]])
        return
    objections = list(placing_objections(situation, situation.state.vehicles[id], origin, hex))
    if id in ask.about["fixed"] and hex != origin:
        objections.append(Objection("7.2.2.3", say("the unit must fight from the counter's hex")))
    if facing not in range(1, 7):
        objections.append(Objection("3.3", say("give a facing from 1 to 6, not {facing}", facing=facing)))
    if objections:
        yield Illegal(f"{id} {name}", objections, [ask.about["hex"]])


# --- 7.2 reports to the enemy ----------------------------------------------------------------------------------


def veil(table: Table[PanzerState], logged: int) -> None:
    """7.2.2.3 In findings since `logged`, replace the names of units that are still hidden.

    Not even the counter is named, because that would show that it is not a dummy.
    """
    state = table.state
    names = {unit.id: HIDDEN for unit in state.vehicles.values() if unit.hidden}
    if not names:
        return
    told: list[Finding] = []
    for finding in table.findings[logged:]:
        veiled = veiled_finding(finding, names)
        if veiled == finding or finding.to is not None:
            told.append(finding)
            continue
        for side in state.sides:
            own = {id: name for id, name in names.items() if state.vehicles[id].side != side}
            told.append(msgspec.structs.replace(veiled_finding(finding, own), to=(side,)))
        told.append(msgspec.structs.replace(veiled, to=(PUBLIC,)))
    table.findings[logged:] = told


def veiled_finding(finding: Finding, names: Mapping[str, str]) -> Finding:
    """7.2 A finding without the names of these units."""
    return msgspec.structs.replace(
        finding,
        inputs=veiled_value(finding.inputs, names),
        cell=veiled_value(finding.cell, names),
        result=veiled_value(finding.result, names),
        children=tuple(veiled_finding(child, names) for child in finding.children),
    )


def veiled_value(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, dict):
        return {veiled_value(key, names): veiled_value(one, names) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(veiled_value(one, names) for one in value)
    return value
