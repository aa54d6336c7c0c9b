"""6.8 Adjustment Phase of the advanced game.

    6.8        adjustment_phase
    6.8.1      pivots, pivot_objections
    6.8.2      adjust_cover, cover_objections
    6.6.8      digging and occupying are in `digging`
    6.8.3      recover_from_suppression
    6.8.4      adjust_counters
    4.6.2      end_turn; burn (6.1.4.3.5)

Both players adjust at once, sealed from each other. The answer to `adjust` is `{"pivot": {unit: facing}, "cover":
{unit: true|false}, "occupy": {unit: feature or ""}, "dig": {unit: false}}`, every part of it voluntary. Units that
can dig do so unless their owner says no.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.ask import Answer, Ask, Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import Message, say
from pbem.titles.data_files import close_to, nearest
from pbem.titles.panzer.artillery.artillery_options import recover_batteries
from pbem.titles.panzer.artillery.fires import burnt_finding, start_fires
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.cards.chart_rows import AdvancedModifier, Grade
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.command.command_control import commandable
from pbem.titles.panzer.command.dischargers import fade
from pbem.titles.panzer.damage.effects import eliminate
from pbem.titles.panzer.end_of_turn.digging import (
    declare_partial,
    dig,
    dig_objections,
    had_command,
    occupy,
    occupy_objections,
    partial_objections,
)
from pbem.titles.panzer.end_of_turn.victory import end_match, is_over, note_occupants, update_control
from pbem.titles.panzer.fire.turrets import (
    OFFSETS,
    SHUT,
    adjust_turrets,
    has_turret,
    hatch_objections,
    rotation_objections,
    setting_objections,
)
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.bogging import free_bogged
from pbem.titles.panzer.sequence import go_on
from pbem.titles.panzer.sighting.hidden_orders import hide_again
from pbem.titles.panzer.sighting.spotting import marker_of
from pbem.titles.panzer.sighting.terrain import (
    ON_FIRE,
    features_in,
    full_cover_objections,
    settle,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Cloud, Command, HullDown, Marker, PanzerState, Spot, Unit

PARTS: Final = ("pivot", "cover", "occupy", "dig", "partial", "turret", "hatch")
AT_START: Final = ("turret", "hatch")
"""7.8 The adjustments made with the set-up, before the first turn."""
FADING: Final = {"hesitating-on": "hesitating-off", "broken-on": "broken-off"}
"""6.8.4 Optional markers that turn to their Off side."""


# --- 6.8 the phase ---------------------------------------------------------------------------------------------


def adjustment_phase(table: Table[PanzerState]) -> Step:
    """6.8 The five steps in printed order; only the first two require decisions."""
    state = table.state
    state.phase = "adjustment"
    answers = yield from ask_for_adjustments(table)
    table.find(table.data.cite("6.8"), inputs={"turn": state.turn})
    pivots(table, answers)  # 6.8.1
    adjust_turrets(table, answers)  # 7.8.1, 7.8.3
    adjust_cover(table, answers)  # 6.8.2, 6.6.8
    recover_from_suppression(table)  # 6.8.3
    morale.recover_morale(table, lambda unit: recovery_modifiers(table, unit))  # 7.1.6
    start_fires(table)  # 7.35.1
    adjust_counters(table)  # 6.8.4
    yield from hide_again(table)  # 7.2.3
    end_turn(table)  # 4.6.2


def ask_for_adjustments(table: Table[PanzerState]) -> Step:
    """6.8 Ask both sides at once; in the basic game there is nothing to decide here (4.6)."""
    sides = table.state.sides
    if table.data.basic:
        return {side: {} for side in sides}
    asks = tuple(Ask(side, "adjust", "6.8", default={}) for side in sides)
    return dict(zip(sides, (yield Together(asks)), strict=True))


def in_order(state: PanzerState) -> list[Unit]:
    """A-20 The units on the map, the First Player's first, ordered by id."""
    units = (unit for side in (state.first, state.second) for unit in state.of(side))
    return sorted(units, key=lambda unit: (unit.side != state.first, unit.id))


# --- 6.8.1 pivot -----------------------------------------------------------------------------------------------


def pivots(table: Table[PanzerState], answers: Mapping[str, Any]) -> None:
    """6.8.1 Leg units and guns turn in place under any command, with no cost, no marker and no overwatch fire."""
    for side in (table.state.first, table.state.second):
        for id, facing in sorted(answers[side].get("pivot", {}).items()):
            unit = table.state.vehicles[id]
            if unit.facing != facing:
                table.find("6.8.1", to=unit.audience, inputs={"unit": id, "from": unit.facing}, result=facing)
                unit.facing = facing


def pivot_objections(unit: Unit) -> Iterator[Objection]:
    """6.8.1 Object to the pivot of a vehicle or a passenger."""
    if not unit.alive:
        yield Objection("6.8.1", say("the unit is not on the map"))
    elif unit.kind == "vehicle":
        yield Objection("6.8.1", say("vehicles cannot pivot"))
    elif unit.aboard:
        yield Objection("6.8.1", say("passengers cannot pivot"))


# --- 6.8.2 full cover ------------------------------------------------------------------------------------------


def adjust_cover(table: Table[PanzerState], answers: Mapping[str, Any]) -> None:
    """6.8.2 Units dig, judged by the turn just ended; then units take or leave full cover, and occupy positions."""
    state = table.state
    declined = {id for answer in answers.values() for id, dug in answer.get("dig", {}).items() if not dug}
    for unit in in_order(state):
        if unit.id not in declined and not any(dig_objections(table, unit)):
            dig(table, unit)  # 6.6.8
    for side in (state.first, state.second):
        for id, covered in sorted(answers[side].get("cover", {}).items()):
            set_cover(table, state.vehicles[id], covered)
        for id, feature in sorted(answers[side].get("occupy", {}).items()):
            occupy(table, state.vehicles[id], feature)
        for id, partial in sorted(answers[side].get("partial", {}).items()):
            declare_partial(table, state.vehicles[id], partial)


def set_cover(table: Table[PanzerState], unit: Unit, covered: bool) -> None:
    """6.8.2 Enter or leave full cover, for the following turn."""
    if unit.full_cover != covered:
        unit.full_cover = covered
        result = "full-cover" if covered else "left-cover"
        table.find("6.8.2", to=unit.audience, inputs={"unit": unit.id}, result=result)


def cover_objections(situation: Situation, unit: Unit, covered: bool) -> Iterator[Objection]:
    """6.8.2, 6.1.4.2 Object to entering full cover where there is none; leaving it is always possible."""
    if covered:
        yield from full_cover_objections(situation, unit)
    elif not unit.full_cover:
        yield Objection("6.8.2", say("the unit is not in full cover"))


# --- 6.8.3 suppression -----------------------------------------------------------------------------------------


def recover_from_suppression(table: Table[PanzerState]) -> None:
    """6.8.3 Roll for every marker on its Off side, including passengers and aircraft."""
    state = table.state
    for unit in in_order(state):
        if unit.suppression is Marker.OFF and not unit.bailed_out:
            recover(table, unit)
    recover_batteries(table)  # 7.28.2
    for aircraft in state.aircraft.values():
        if aircraft.suppression is Marker.OFF and not aircraft.shot_down:
            found = recovery_roll(table, aircraft.id, aircraft.grade, [], None)  # 6.8.3.1
            if found.result == "recovered":
                aircraft.suppression = Marker.NONE


def recover(table: Table[PanzerState], unit: Unit) -> None:
    """6.8.3 Make one attempt to recover; terrain has no effect on it."""
    modifiers = recovery_modifiers(table, unit)
    if recovery_roll(table, unit.id, unit.grade, modifiers, unit.audience).result == "recovered":
        unit.suppression = Marker.NONE


def recovery_modifiers(table: Table[PanzerState], unit: Unit) -> list[AdvancedModifier]:
    """6.8.3.1 The rows that apply to a unit."""
    rows = table.data.advanced.modifiers["recovery"]
    return [row for row in rows if RECOVERY_CONDITIONS[row.when](table.state, unit)]


def recovery_roll(
    table: Table[PanzerState],
    id: str,
    grade: Grade,
    modifiers: list[AdvancedModifier],
    to: tuple[str, ...] | None,
) -> Finding:
    """6.8.3, 6.8.3.2 A total within the range for the unit's grade removes the marker; otherwise it stays Off."""
    limit = table.data.advanced.grades[grade].recovery.value
    die = table.roll(100, "6.8.3", id, secret=to is not None)
    total = die + sum(row.value for row in modifiers)
    result = "recovered" if total <= limit else "still-suppressed"
    children = [Finding(row.rule, inputs={"unit": id}, result=row.value) for row in modifiers]
    net = sum(row.value for row in modifiers)
    children.append(Finding("6.8.3.1", inputs={"unit": id}, result=net))
    children.append(Finding("6.8.3.2", inputs={"total": total, "upto": limit}, result=result))
    rows = [msgspec.to_builtins(row) for row in modifiers]
    return table.find(
        "6.8.3",
        to=to,
        inputs={"unit": id, "grade": grade},
        modifiers=rows,
        cell=[grade, limit],
        dice=[die],
        result=result,
        children=children,
    )


def was_under_fire(state: PanzerState, unit: Unit) -> bool:
    """6.8.3.1.2 Whether the unit was attacked this turn, regardless of how often and with what effect."""
    return unit.under_fire


RECOVERY_CONDITIONS: Final[Mapping[str, Callable[[PanzerState, Unit], bool]]] = {
    "had_command": had_command,
    "under_fire": was_under_fire,
}


# --- 6.8.4 counters --------------------------------------------------------------------------------------------


def adjust_counters(table: Table[PanzerState]) -> None:
    """6.8.4 Remove Off markers, turn On markers to Off, then reveal and collect the commands (4.6.1)."""
    state = table.state
    faded = [fade_cloud(state, cloud) for cloud in list(state.clouds.values()) if cloud.type != "barrage"]
    turned = [turn_marker(unit) for unit in in_order(state) if unit.suppression is Marker.ON]
    for unit in state.vehicles.values():
        unit.under_fire = False
        unit.flags = tuple(FADING.get(flag, flag) for flag in unit.flags)
        fade(unit)  # 7.9
    for aircraft in state.aircraft.values():
        if aircraft.suppression is Marker.ON:
            aircraft.suppression = Marker.OFF
    if not table.data.basic:
        table.find("6.8.4", inputs={"turn": state.turn}, children=[*faded, *turned])
    take_in_commands(table)  # 4.6.1
    settle(state)


def fade_cloud(state: PanzerState, cloud: Cloud) -> Finding:
    """6.1.4.3.10, 6.1.4.3.12 Smoke and dust last until the end of the turn after they were made."""
    rule = "6.1.4.3.12" if cloud.type == "dust" else "6.1.4.3.10"
    inputs = {"cloud": cloud.id, "hexes": [hex_name(hex) for hex in cloud.hexes]}
    if cloud.marker is Marker.OFF:
        del state.clouds[cloud.id]
        return Finding(rule, inputs=inputs, result="gone")
    cloud.marker = Marker.OFF
    return Finding(rule, inputs=inputs, result=Marker.OFF.value)


def turn_marker(unit: Unit) -> Finding:
    """5.10 Turn a marker to Off: suppression from this turn can be removed at the end of the next at the earliest."""
    unit.suppression = Marker.OFF
    return Finding("5.10", to=unit.audience, inputs={"unit": unit.id}, result=Marker.OFF.value)


def take_in_commands(table: Table[PanzerState]) -> None:
    """4.6.1 Reveal all hidden counters at once, mark unused commands, and collect all counters."""
    state, edition = table.state, table.data.edition
    owners = [unit for side in (state.first, state.second) for unit in commandable(state, side)]
    revealed = [
        Finding("4.6.1", to=unit.audience, inputs={"unit": unit.id}, result=unit.command.value)
        for unit in owners
        if unit.face_down and unit.command is not None
    ]
    unused = [mark_unused(edition, unit) for unit in owners if unit.alive and owes_marker(state, unit)]
    table.find("4.6.1", result="revealed", children=[*revealed, *unused])
    for unit in state.vehicles.values():
        take_in(unit)


def owes_marker(state: PanzerState, unit: Unit) -> bool:
    """4.6.1 Whether a Fire, Move or Short Halt was not carried out; calls, assaults and crawling do carry it out."""
    if unit.used_up == state.turn or unit.assaulted:
        return False
    crawls = unit.command is Command.MOVE and unit.full_cover  # 6.6.4.3
    return is_unused(unit) and not crawls


def mark_unused(edition: Edition, unit: Unit) -> Finding:
    """4.6.1 Unused Fire and Short Halt get Spot/Fire, an unused Move gets Spot/Move."""
    assert unit.command is not None
    unit.pending = Spot.MOVE if unit.command is Command.MOVE else Spot.FIRE
    unit.pending_small_arms = False
    inputs = {"unit": unit.id, "command": unit.command.value}
    return Finding(ledger_row(edition, "4.6.1/unused"), to=unit.audience, inputs=inputs, result=unit.pending.value)


def take_in(unit: Unit) -> None:
    """4.6.1 Remove the counter; a marker placed this turn becomes a normal one (A-04)."""
    unit.spot, unit.small_arms = marker_of(unit, "current")
    unit.pending, unit.pending_small_arms = Spot.NONE, False
    unit.command, unit.shares, unit.air_target = None, "", ""
    unit.revealed = unit.shown = unit.fired = unit.moved = unit.faced = unit.assaulted = unit.crawling = False
    unit.spent = 0
    free_bogged(unit)  # 7.29


# --- 4.6.2 the end of the turn ---------------------------------------------------------------------------------


def end_turn(table: Table[PanzerState]) -> None:
    """4.6.2 Resolve burning hexes and control of objectives; then end the match, or begin the next turn."""
    state = table.state
    burn(table)  # 6.1.4.3.5
    update_control(table)  # 3.6, R-03
    if is_over(table):
        end_match(table)
        return
    state.turn += 1
    state.first = ""  # unset until the next Initiative Phase
    note_occupants(table)
    table.find("4.6.2", inputs={"turn": state.turn}, result="next-turn")
    go_on(table)


def burn(table: Table[PanzerState]) -> None:
    """6.1.4.3.5 Units still in a burning hex at the end of the turn after it caught fire are eliminated (A-54)."""
    state = table.state
    burning = {fire.hex for fire in state.features.values() if fire.type == ON_FIRE and fire.turn < state.turn}
    event = morale.begin(table)
    for unit in in_order(state):
        if unit.hex in burning:
            burnt = burnt_finding(table.data, unit)  # 7.35.2
            found = eliminate(state, unit, "6.1.4.3.5")
            table.find(found.rule, inputs=found.inputs, result=found.result, children=burnt)
    morale.finish(table, event)  # 7.1.2, 7.1.3


# --- 6.8 answers -----------------------------------------------------------------------------------------------


def check_adjust(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.8.1, 6.8.2 Accept pivots, full cover, positions and digging, or refuse everything that is not possible."""
    if not isinstance(answer, dict) or any(not isinstance(part, dict) for part in answer.values()):
        example = ['{"pivot": {"g1": 3}, "cover": {"g1": true}}']
        raise Unreadable("adjust", [Objection("6.8", say("give the adjustments by kind and by unit"))], example)
    if refusals := list(adjustment_refusals(situation, ask.seat, answer, start=bool(ask.about.get("start")))):
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return {part: dict(sorted(answer[part].items())) for part in PARTS if answer.get(part)}


def adjustment_refusals(
    situation: Situation, side: str, answer: Mapping[str, Any], *, start: bool = False
) -> Iterator[Refusal]:
    """6.8 Why an adjustment cannot be made; before the first turn only turrets and hatches are set (7.8)."""
    view = situation.state
    own = [unit.id for unit in view.of(side)]
    for part in sorted(answer):
        if part not in PARTS:
            near = nearest(part, PARTS)
            yield Unreadable(part, [Objection("6.8", say("no adjustment has that name"))], [near] if near else PARTS)
            continue
        for id, value in sorted(answer[part].items()):
            unit = view.vehicles.get(id)
            if unit is None or unit.side != side:
                yield Illegal(f"{part} {id}", [Objection("3.1", say("that is not your unit"))], close_to(id, own))
            elif not isinstance(value, SHAPES[part]) or (part == "pivot" and not _is_facing(value)):
                yield Unreadable(f"{part} {id} {value}", [Objection(RULES[part], WANTED[part])])
            elif objections := list(objections_to(situation, part, unit, value, start=start)):
                yield Illegal(f"{part} {id}", objections)


SHAPES: Final[Mapping[str, type]] = {
    "pivot": int, "cover": bool, "occupy": str, "dig": bool, "partial": bool, "turret": int, "hatch": bool,
}  # fmt: skip
RULES: Final[Mapping[str, str]] = {
    "pivot": "6.8.1", "cover": "6.8.2", "occupy": "6.1.4.3.6", "dig": "6.6.8", "partial": "6.1.4.1.2",
    "turret": "7.8.1", "hatch": "7.8.3",
}  # fmt: skip
WANTED: Final[Mapping[str, Message]] = {
    "pivot": say("give a facing from 1 to 6"),
    "cover": say("full cover must be true or false"),
    "occupy": say("name a position in the unit's hex, or nothing to leave its own"),
    "dig": say("digging must be true or false"),
    "partial": say("partial hull down must be true or false"),
    "turret": say("give the turret's offset from the hull, 0 to 5 hexsides clockwise"),
    "hatch": say("shut hatches must be true or false"),
}


def _is_facing(value: Any) -> bool:
    return not isinstance(value, bool) and value in range(1, 7)


def objections_to(
    situation: Situation, part: str, unit: Unit, value: Any, *, start: bool = False
) -> Iterable[Objection]:
    """6.8 Every objection to one adjustment by one unit."""
    if start and part not in AT_START:
        return [Objection("7.8", say("before the first turn, you can only set turrets and hatches"))]
    match part:
        case "turret" if start:
            return setting_objections(situation.data, unit, value)
        case "pivot":
            return pivot_objections(unit)
        case "cover":
            return cover_objections(situation, unit, value)
        case "occupy":
            return occupy_objections(situation, unit, value)
        case "partial":
            return partial_objections(situation.state, unit)
        case "turret":
            return rotation_objections(situation, unit, value)
        case "hatch":
            return hatch_objections(situation.data, unit)
        case _:
            return dig_objections(situation, unit) if value else ()


def turret_options(situation: Situation, unit: Unit, *, start: bool) -> Iterator[Answer]:
    """7.8.1, 7.8.3 Every offset a turret can turn to, and the opposite hatch setting."""
    for offset in OFFSETS if has_turret(situation.data, unit) else ():
        if offset != unit.turret and not any(objections_to(situation, "turret", unit, offset, start=start)):
            yield {"turret": {unit.id: offset}}
    if not any(hatch_objections(situation.data, unit)):
        yield {"hatch": {unit.id: SHUT not in unit.flags}}


def adjust_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """6.8 Offer to adjust nothing, then each unit's pivots, full cover and positions, then turrets and hatches."""
    view = situation.state
    yield {}
    start = bool(ask.about.get("start"))
    for unit in view.of(ask.seat):
        yield from turret_options(situation, unit, start=start)  # 7.8
        if start:
            continue
        if not any(pivot_objections(unit)):
            yield from ({"pivot": {unit.id: facing}} for facing in range(1, 7) if facing != unit.facing)
        if not any(cover_objections(situation, unit, not unit.full_cover)):
            yield {"cover": {unit.id: not unit.full_cover}}
        if unit.hex is not None and not unit.aboard:
            here = features_in(view, unit.hex)
            free = [place.id for place in here if not any(occupy_objections(situation, unit, place.id))]
            yield from ({"occupy": {unit.id: place}} for place in free)
        if not any(partial_objections(view, unit)):
            yield {"partial": {unit.id: unit.hull_down is not HullDown.PHD}}


def is_unused(vehicle: Unit) -> bool:
    """4.6.1 Whether a command was not carried out; in practice only a Fire without a target left (A-38)."""
    if vehicle.command is Command.FIRE:
        return not vehicle.fired
    if vehicle.command is Command.MOVE:
        return not vehicle.moved
    return vehicle.command is Command.SHORT_HALT and not vehicle.fired and not vehicle.moved
