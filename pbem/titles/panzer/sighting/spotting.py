"""6.1 Spotting in the advanced game: ability, range, and the Spotting Phase.

    6.1       spotting_phase, spots (explained), spots_now (yes or no), spotters_of
    6.1.1     can_spot
    6.1.2     looks_towards: all round, but a suppressed unit and an aircraft only ahead
    6.1.3     Target, target_of, spotting_range, explain_range; marker_of: the Spot/Fire SA marker
    6.1.3.1   the rows of a suppressed spotter
    6.1.3.2   the rows of full cover, on either end
    4.1.5     remove_marker

The target's modifiers are computed once for all spotters; a spotter adds the rows for its own state. The Spotting
Phase keeps its result in `state.spotted`, including passengers as spotters; a passenger as a target is seen as its
carrier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, hex_name, opposite, within_30
from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery.artillery_options import is_lit
from pbem.titles.panzer.cards.basic_rows import Cover, Modifier, SpottingColumn
from pbem.titles.panzer.cards.chart_rows import AdvancedModifier
from pbem.titles.panzer.cards.units import is_combat_unit
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.turrets import SHUT, direction_of, has_turret
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.rules_in_use import optional_rules, words
from pbem.titles.panzer.sequence import go_on, optional_actions
from pbem.titles.panzer.sighting.camouflage import find_camouflaged, is_camouflaged, lose_camouflage
from pbem.titles.panzer.sighting.line_of_sight import OPEN
from pbem.titles.panzer.sighting.sight import Sight, Station, line_of_sight, station_of
from pbem.titles.panzer.sighting.stacking import loses_cover, stacking
from pbem.titles.panzer.sighting.terrain import (
    board_now,
    cover_of,
    explain_cover,
    place_of,
    size_letter,
)
from pbem.titles.panzer.sighting.weather import visibility, weather_finding
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Inside, PanzerState, Spot, Unit

# --- 6.1.1 ability to spot -------------------------------------------------------------------------------------


def can_spot(data: PanzerData, unit: Unit) -> bool:
    """6.1.1 Whether a unit can spot: leg and towed units always, vehicles if armed or with an observer's label."""
    return unit.alive and (unit.kind != "vehicle" or is_combat_unit(data, unit))


def can_be_spotted(unit: Unit) -> bool:
    """6.1.3 Whether a unit can be spotted: it is on the map, not hidden (7.2) and not a passenger."""
    return unit.alive and not unit.aboard and not unit.hidden


def seen_as(state: PanzerState, unit: Unit) -> Unit:
    """6.1.3 A passenger is seen as its carrier."""
    return state.vehicles[unit.aboard] if unit.aboard else unit


# --- 6.1.2 direction -------------------------------------------------------------------------------------------


def field_of_view(situation: Situation, unit: Unit) -> int | None:
    """6.1.2, 6.1.3.1 The only direction in which a suppressed unit looks: its front, or its gun's."""
    shut = SHUT in unit.flags  # 7.8.3
    if not unit.suppressed and not shut:
        return None
    if has_turret(situation.data, unit):
        return direction_of(unit)
    facing = seen_as(situation.state, unit).facing
    weapons = weapons_of(situation.data, unit)
    return opposite(facing) if weapons and weapons[0].weapon.field == "rear" else facing


def looks_towards(here: Hex, there: Hex, direction: int | None) -> bool:
    """6.1.2 Whether a hex is in the field of view; always true without a direction, and for the unit's own hex."""
    return direction is None or here == there or within_30(here, there, direction)


# --- 6.1.3 spotting range --------------------------------------------------------------------------------------


class Target(NamedTuple):
    """6.1.3 Everything about the target that affects the spotting range."""

    column: SpottingColumn
    cover: Cover
    marker: Spot
    small_arms: bool
    full_cover: bool


TARGET_CONDITIONS: Final[Mapping[str, Callable[[Target], bool]]] = {
    "target_light_cover": lambda target: target.cover is Cover.LIGHT,
    "target_medium_cover": lambda target: target.cover is Cover.MEDIUM,
    "target_heavy_cover": lambda target: target.cover is Cover.HEAVY,
    "target_spot_move": lambda target: target.marker is Spot.MOVE,
    "target_spot_fire": lambda target: target.marker is Spot.FIRE and not target.small_arms,
    "target_spot_fire_small_arms": lambda target: target.marker is Spot.FIRE and target.small_arms,
    "target_full_cover": lambda target: target.full_cover,
}
SPOTTER_CONDITIONS: Final[Mapping[str, Callable[[Unit], bool]]] = {
    "spotter_suppressed": lambda spotter: spotter.suppressed,
    "spotter_full_cover": lambda spotter: spotter.full_cover,
    "spotter_broken": lambda spotter: "broken-on" in spotter.flags or "broken-off" in spotter.flags,
    "spotter_buttoned_up": lambda spotter: "buttoned-up" in spotter.flags,
}


def marker_of(unit: Unit, markers: Markers) -> tuple[Spot, bool]:
    """6.1.3 The Spot marker that applies, and whether it is Spot/Fire SA.

    A Spot/Fire marker from earlier turns does not change, even if the unit now fires only small arms.
    """
    if markers == "earlier" or unit.pending is Spot.NONE:
        return unit.spot, unit.small_arms
    return unit.pending, unit.pending_small_arms and not (unit.spot is Spot.FIRE and not unit.small_arms)


def target_of(situation: Situation, unit: Unit, markers: Markers = "current") -> Target:
    """6.1.3 A target's current size, cover, marker and full cover."""
    marker, small_arms = marker_of(unit, markers)
    cover = cover_of(situation, unit, "spotting")
    return Target(size_letter(situation.data, unit), cover, marker, small_arms, unit.full_cover)


def target_modifiers(data: PanzerData, target: Target) -> list[Modifier | AdvancedModifier]:
    """6.1.3 The modifier rows that apply to all spotters of the target, in chart order."""
    rows = (*data.charts.spotting_modifiers, *data.advanced.modifiers["spotting"])
    held = [row for row in rows if row.when in TARGET_CONDITIONS and TARGET_CONDITIONS[row.when](target)]
    return [*held, *visibility(data)]  # 7.36.1


def spotter_modifiers(data: PanzerData, spotter: Unit) -> list[AdvancedModifier]:
    """6.1.3.1, 6.1.3.2 The modifier rows for a spotter's own state (A-48)."""
    rows = data.advanced.modifiers["spotting"]
    return [row for row in rows if row.when in SPOTTER_CONDITIONS and SPOTTER_CONDITIONS[row.when](spotter)]


def net_of(rows: Iterable[Modifier]) -> int:
    """6.1.3 The sum of all rows; the spotting table limits it to the rows it has."""
    return sum(row.value for row in rows)


def spotting_range(situation: Situation, spotter: Unit, target: Unit, markers: Markers = "current") -> int:
    """6.1.3 The range in hexes at which the spotter spots the target."""
    data = situation.data
    carrier = seen_as(situation.state, target)
    seen = target_of(situation, carrier, markers)
    net = net_of(target_modifiers(data, seen)) + net_of(spotter_modifiers(data, spotter))
    return data.charts.spotting_range(with_light(net, light_on(situation, carrier)), seen.column)


# --- 6.1 yes or no ---------------------------------------------------------------------------------------------


class Eye(NamedTuple):
    """6.1 A spotter, with everything computed that does not depend on the target."""

    unit: Unit
    at: Station
    rows: int
    direction: int | None


class Mark(NamedTuple):
    """6.1 A target, with everything computed that does not depend on the spotter."""

    unit: Unit
    at: Station
    column: SpottingColumn
    rows: int
    lit: int = 0
    """7.27 The bonus for illumination, which never raises the row above 0."""


def eye_of(situation: Situation, unit: Unit) -> Eye:
    """6.1.1, 6.1.2, 6.1.3.1 Compute everything about a spotter that does not depend on the target."""
    rows = net_of(spotter_modifiers(situation.data, unit))
    return Eye(unit, station_of(situation, unit), rows, field_of_view(situation, unit))


def mark_of(situation: Situation, unit: Unit, markers: Markers) -> Mark:
    """6.1.3 Compute everything about a target that does not depend on the spotter."""
    target = target_of(situation, unit, markers)
    rows = net_of(target_modifiers(situation.data, target))
    place = station_of(situation, unit)
    return Mark(unit, place, target.column, rows, light_on(situation, unit))


def light_on(situation: Situation, unit: Unit) -> int:
    """7.27 The bonus rows for a unit in an illuminated hex."""
    data, state = situation.data, situation.state
    if not state.clouds or not data.plays("illumination") or not is_lit(state, place_of(unit)):
        return 0
    return next(row.value for row in data.advanced.modifiers["spotting"] if row.when == "target_illuminated")


def with_light(net: int, light: int) -> int:
    """7.27 Illumination never raises the row above 0, and has no effect on a row of 0 or more."""
    return min(0, net + light) if net < 0 else net


def spots_mark(data: PanzerData, sight: Sight, eye: Eye, mark: Mark) -> bool:
    """6.1 Whether the target is in range, in the field of view and in line of sight."""
    reach = data.charts.spotting_range(with_light(eye.rows + mark.rows, mark.lit), mark.column)
    if distance(eye.at.hex, mark.at.hex) > reach:
        return False
    if not looks_towards(eye.at.hex, mark.at.hex, eye.direction):
        return False
    return sight.between(eye.at, mark.at)


def spots_now(situation: Situation, spotter: Unit, target: Unit, markers: Markers = "current") -> bool:
    """6.1 Whether the spotter spots the target at this moment (R-06); a passenger is seen as its carrier."""
    seen = seen_as(situation.state, target)
    if not (can_spot(situation.data, spotter) and can_be_spotted(seen)):
        return False
    eye, mark = eye_of(situation, spotter), mark_of(situation, seen, markers)
    return spots_mark(situation.data, Sight(situation), eye, mark)


def spotters_of(situation: Situation, target: Unit, markers: Markers = "current") -> list[Unit]:
    """6.1 The enemies that spot this unit at this moment, ordered by id."""
    data, state = situation.data, situation.state
    seen = seen_as(state, target)
    if not can_be_spotted(seen):
        return []
    sight, mark = Sight(situation), mark_of(situation, seen, markers)
    found = [
        enemy
        for enemy in in_sight(situation, mark, state.of(state.enemy(seen.side)))
        if can_spot(data, enemy) and spots_mark(data, sight, eye_of(situation, enemy), mark)
    ]
    return sorted(found, key=lambda enemy: enemy.id)


def in_sight(situation: Situation, mark: Mark, units: Iterable[Unit]) -> Iterator[Unit]:
    """6.1.3, 6.1.4 Units in range with a line of sight: a quick filter before the full check.

    A spotter's rows never add to a target's range.
    """
    farthest = situation.data.charts.spotting_range(with_light(mark.rows, mark.lit), mark.column)
    there = mark.at.hex
    near = (unit for unit in units if unit.hex is not None and distance(unit.hex, there) <= farthest)
    return in_line(situation, Sight(situation), mark.at, near)


def in_line(situation: Situation, sight: Sight, there: Station, units: Iterable[Unit]) -> Iterator[Unit]:
    """6.1.4 Units with a line of sight to a place."""
    seen = sight.seen_from(there)
    for unit in sight.perhaps_in_line(there, units):
        if unit.hex is None:
            continue
        if seen(unit.hex) if unit.inside is not Inside.UP else sight.between(station_of(situation, unit), there):
            yield unit


# --- 6.1 explained ---------------------------------------------------------------------------------------------


def spots(situation: Situation, spotter: Unit, target: Unit, markers: Markers = "current") -> Finding:
    """6.1 Whether the spotter spots the target, and why: ability, direction, range and line of sight."""
    data = situation.data
    seen = seen_as(situation.state, target)
    inputs = {"spotter": spotter.id, "target": seen.id}
    who = {"spotter": spotter.id, "kind": spotter.kind}
    able = Finding(data.cite("6.1.1"), inputs=who, result=can_spot(data, spotter))
    if not (spotter.alive and can_be_spotted(seen)):
        return Finding(data.cite("6.1"), inputs=inputs, result=False, children=(able,))
    here, there = place_of(spotter), place_of(seen)
    orientation = explain_orientation(situation, spotter, there)
    reach = explain_range(situation, seen, markers, spotter)
    line = line_of_sight(situation, spotter, seen)
    away = distance(here, there)
    spotted = able.result and orientation.result and away <= reach.result and line.result == OPEN
    friends = () if spotted else explain_friends(situation, seen, markers)
    return Finding(
        data.cite("6.1"),
        inputs={**inputs, "range": away, "limit": reach.result},
        result=bool(spotted),
        children=(able, orientation, reach, line, *friends),
    )


def explain_friends(situation: Situation, target: Unit, markers: Markers) -> Iterator[Finding]:
    """4.1.1 A target spotted by friends stays spotted, but a firer must spot it itself."""
    friends = [friend.id for friend in spotters_of(situation, target, markers) if not friend.hidden]
    if friends:
        yield Finding(
            ledger_row(situation.data.edition, "4.1.1/individual"), inputs={"spotted_by": friends}, result=False
        )


def explain_orientation(situation: Situation, spotter: Unit, there: Hex) -> Finding:
    """6.1.2 Explain the field of view: all round, except that a suppressed unit looks only ahead (6.1.3.1)."""
    direction = field_of_view(situation, spotter)
    if situation.data.basic:
        return Finding("4.1.2", inputs={"facing": spotter.facing}, result="all round")
    inputs = {"suppressed": spotter.suppressed, "direction": direction}
    return Finding(
        situation.data.cite("6.1.2"), inputs=inputs, result=looks_towards(place_of(spotter), there, direction)
    )


def explain_range(
    situation: Situation,
    unit: Unit,
    markers: Markers = "current",
    spotter: Unit | None = None,
) -> Finding:
    """6.1.3 Explain a target's spotting range with its modifier rows, including the spotter's if there is one."""
    data = situation.data
    target = target_of(situation, unit, markers)
    rows: list[Modifier] = [*target_modifiers(data, target)]
    rows += spotter_modifiers(data, spotter) if spotter else []
    lit = light_on(situation, unit)
    net = with_light(net_of(rows), lit)
    light = [Finding("7.27", inputs={"unit": unit.id, "before": net_of(rows)}, result=net)] if lit else []
    inputs: dict[str, Any] = {"target": unit.id, "cover": target.cover.value, "marker": marker_word(target)}
    inputs |= {"light": lit} if lit else {}
    return Finding(
        data.cite("6.1.3"),
        inputs=inputs,
        modifiers=tuple(msgspec.to_builtins(row) for row in rows),
        cell=[target.column, net],
        result=data.charts.spotting_range(net, target.column),
        children=(
            *light,
            explain_cover(situation, unit, "spotting"),
            *explain_terrain(situation, unit),
            *_explain_rows(data, rows),
            *explain_size(data, unit),
            *_explain_passengers(situation.state, unit),
        ),
    )


def marker_word(target: Target) -> str:
    """6.1.3 The marker in words; Spot/Fire SA is a marker of its own."""
    return "fire-sa" if target.marker is Spot.FIRE and target.small_arms else target.marker.value


def explain_terrain(situation: Situation, unit: Unit) -> Iterator[Finding]:
    """4.1.3 Explain the hex's cover, and its loss by overstacking (4.1.3.2)."""
    data, state = situation.data, situation.state
    hex, board = place_of(unit), board_now(situation)
    rows = data.charts.rows(board.terrain(hex))
    cover = data.charts.spotting_cover(board.terrain(hex)).value
    inputs = {"hex": hex_name(hex), "terrain": {row.id: row.spotting_cover.value for row in rows}}
    yield Finding(ledger_row(data.edition, "4.1.3/cover"), inputs=inputs, result=cover)
    if board.links(hex) or any(row.spotting_cover is Cover.OTHER for row in rows):
        yield Finding(ledger_row(data.edition, "4.1.3/other-cover"), inputs=inputs, result=cover)
    if len(rows) > 1:
        yield Finding(ledger_row(data.edition, "4.1.3/several-terrain-types"), inputs=inputs, result=cover)
    if loses_cover(state, data.charts, unit):
        crowd = stacking(state, data.charts, hex, data.cite("5.13"))
        yield Finding("4.1.3.2", inputs=crowd.inputs, result=Cover.NONE.value, children=(crowd,))


def explain_size(data: PanzerData, unit: Unit) -> Iterator[Finding]:
    """4.1.3.1 Explain that a vehicle's size as a target does not matter here."""
    if unit.kind == "vehicle":
        yield Finding("4.1.3.1", inputs={"size": data.cards[unit.card].size}, result=0)


MARKER_RULES: Final = {"target_spot_move": "4.1.3/spot-move", "target_spot_fire": "4.1.3/spot-fire"}


def _explain_rows(data: PanzerData, rows: Iterable[Modifier]) -> Iterator[Finding]:
    """4.1.3, 6.1.3, 6.1.3.1, 6.1.3.2 Explain the Spot marker's modifier and the rows of the advanced game."""
    for row in rows:
        if row.when in MARKER_RULES:
            yield Finding(MARKER_RULES[row.when], result=row.value)
        elif row.when == "target_spot_fire_small_arms":
            yield Finding(ledger_row(data.edition, "6.1.3/spot-fire-sa"), result=row.value)
        elif row.when in SPOTTER_CONDITIONS or row.when in ("target_full_cover", "visibility"):
            yield Finding(row.rule, inputs={"when": row.when}, result=row.value)


def _explain_passengers(state: PanzerState, unit: Unit) -> Iterator[Finding]:
    """6.1.3 Explain that passengers are spotted with their carrier."""
    if aboard := [passenger.id for passenger in state.passengers(unit)]:
        yield Finding("6.1.3", inputs={"passengers": aboard}, result="spotted with their carrier")


Limit = Callable[[Table[PanzerState], dict[str, list[str]]], Step]

# --- 6.1 the phase ---------------------------------------------------------------------------------------------


def spotting_phase(table: Table[PanzerState], limit: Limit | None = None) -> Step:
    """6.1 Determine spotting with the markers of earlier turns; then remove markers of unspotted units (4.1.5).

    `limit` selects the actual spotters among the possible ones (7.7).
    """
    yield from ()
    state = table.state
    state.phase = "spotting"
    if table.data.basic:
        begin_turn(table)  # 4.0
    begin_optional_rules(table)  # 7.0
    before = seen_before(state)
    spotters = all_spotters(table)
    if limit is not None:
        spotters = yield from limit(table, spotters)  # 7.7
    spotters = find_camouflaged(table, spotters, ranges_to_camouflaged(table, spotters))  # 7.24
    state.spotted = matrix(state, spotters)
    for id, by in spotters.items():  # after all pairs are known
        if table.told:
            report_spotting(table, state.vehicles[id], by, id in before)
        if all(state.vehicles[spotter].hidden for spotter in by):  # 7.2: a marker that stays would give them away
            remove_marker(table, state.vehicles[id])
    go_on(table)


PHASES: Final = ("spotting", "command", "initiative", "combat", "movement", "adjustment")
"""4.0 The phases of a turn in the basic game."""


def begin_turn(table: Table[PanzerState]) -> None:
    """4.0 Report the phases of the turn in their printed order, starting with the Spotting Phase."""
    table.find("4.0", inputs={"turn": table.state.turn, "of": table.data.scenario.turns}, result=list(PHASES))


def seen_before(state: PanzerState) -> frozenset[str]:
    """4.1.1 The units spotted until now by units on the map; those seen only by hidden units stay secret (7.2)."""
    hidden = {unit.id for unit in state.vehicles.values() if unit.hidden}
    return frozenset(target for id, targets in state.spotted.items() if id not in hidden for target in targets)


def ranges_to_camouflaged(situation: Situation, spotters: Mapping[str, list[str]]) -> dict[tuple[str, str], int]:
    """7.24 The range at which each spotter would spot a camouflaged unit without its camouflage."""
    data, state = situation.data, situation.state
    return {
        (spotter, id): spotting_range(situation, state.vehicles[spotter], state.vehicles[id], "earlier")
        for id, by in spotters.items()
        if is_camouflaged(data, state.vehicles[id])
        for spotter in by
    }


def lose_camouflage_by_firing(table: Table[PanzerState], firer: Unit) -> Finding | None:
    """7.24 Firing in view of an enemy ends camouflage; a Short Halt always does.

    Enemies that are hidden themselves (7.2) are ignored, as that would reveal them; they have to find the unit.
    """
    if not is_camouflaged(table.data, firer) or not firer.alive:
        return None
    halt = table.state.order_of(firer) is Command.SHORT_HALT
    seen = any(not enemy.hidden for enemy in spotters_of(table, firer))
    return lose_camouflage(table.data, firer, "fired") if halt or seen else None


def begin_optional_rules(table: Table[PanzerState]) -> None:
    """7.0 In the first turn, report the optional rules in use. Each works independently."""
    if table.state.turn > 1:
        return
    optional = [rule for rule in table.data.scenario.rules if rule in optional_rules()]
    if optional:
        texts = {rule: words(rule) for rule in optional}
        weather = weather_finding(table.data)
        places = Finding("7.0/sequence", inputs={"turn": table.state.turn}, result=optional_actions(optional))
        told = [found for found in (places, weather) if found is not None]
        table.find("7.0", inputs={"rules": texts}, result=optional, children=told)


def all_spotters(situation: Situation) -> dict[str, list[str]]:
    """6.1 For each unit that can be spotted, the enemies that spot it with the markers of earlier turns."""
    data, state = situation.data, situation.state
    sight = Sight(situation)
    units = sorted((unit for unit in state.vehicles.values() if unit.alive), key=lambda unit: unit.id)
    eyes = {unit.id: eye_of(situation, unit) for unit in units if can_spot(data, unit)}
    enemies = {
        side: sight.onlookers(eye.unit for eye in eyes.values() if eye.unit.side != side) for side in state.sides
    }
    marks = [mark_of(situation, unit, "earlier") for unit in units if can_be_spotted(unit)]
    return {
        mark.unit.id: sorted(
            unit.id for unit in enemies[mark.unit.side](mark.at) if spots_mark(data, sight, eyes[unit.id], mark)
        )
        for mark in marks
    }


def matrix(state: PanzerState, spotters: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """6.1 For each unit on the map, the enemies it spots."""
    spotted: dict[str, list[str]] = {unit.id: [] for unit in state.vehicles.values() if unit.alive}
    for target, by in spotters.items():
        for spotter in by:
            spotted[spotter].append(target)
    return spotted


def report_spotting(table: Table[PanzerState], target: Unit, by: list[str], before: bool) -> None:
    """6.1 Report each unit that becomes, stays or ceases to be spotted; nothing is reported for unseen units.

    Only their own side learns what hidden units spot (7.2).
    """
    seen = [spotter for spotter in by if not table.state.vehicles[spotter].hidden]
    if len(seen) < len(by):
        enemy = table.state.enemy(target.side)
        table.find("6.1", to=(enemy,), inputs={"target": target.id, "by": by}, result="spotted")
    report_seen(table, target, seen, before)


def report_seen(table: Table[PanzerState], target: Unit, by: list[str], before: bool) -> None:
    """4.1.1, 6.1 Report the public part: which visible units spot the target."""
    continuous = ledger_row(table.data.edition, "4.1.1/continuous")
    if by:
        reach = explain_range(table, target, "earlier")
        lit = {name: value for name, value in reach.inputs.items() if name == "light"}
        table.find(
            continuous if before else table.data.cite("6.1"),
            inputs={"target": target.id, "by": by, "limit": reach.result, **lit},
            modifiers=reach.modifiers,
            cell=reach.cell,
            result="still spotted" if before else "spotted",
        )
    elif before:
        table.find(continuous, inputs={"target": target.id}, result="lost")


def remove_marker(table: Table[PanzerState], unit: Unit) -> None:
    """4.1.5 A unit that is not spotted by any enemy loses its Spot marker."""
    if unit.spot is not Spot.NONE:
        table.find("4.1.5", inputs={"vehicle": unit.id, "marker": unit.spot.value}, result="removed")
        unit.spot, unit.small_arms = Spot.NONE, False


Markers = Literal["earlier", "current"]
"""A-04 The markers that apply: in the Spotting Phase those of earlier turns, afterwards the current ones."""
