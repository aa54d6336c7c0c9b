"""7.30 Narrow roads and paths: no room to pass enemies, friends or wrecks.

    7.30                is_narrow; entry_objections, leaving_objections
    7.30                enter_narrow: the queue; ahead_of
    7.30/pushing        is_pushed, note_wreck, push_aside (the step is in `pushing`)
    7.30/sunken-road    sunken roads are narrow too, and lie one level lower (`scenario_reader`)

Each narrow hex has a queue. The first in is the first out: a unit may always leave through the hexside by which it
entered, but through another one only if no unit is ahead of it. Units set up there are queued by id; a gun unlimbered
there takes its vehicle's place. Leg units on foot move freely.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from pbem.engine.geometry.hexes import Hex, hex_name, opposite
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Unit

NARROW_ROADS: Final = "narrow_roads"
ORDER: Final = "narrow-order"
WAY: Final = "narrow-way"
"""7.30 The names under which a unit keeps its `Place`."""
PUSHED: Final = "pushed"
ENTRIES: Final = "7.30"
WEIGHTS: Final = "7.30 weight"
PLACES: Final = "7.30 order"
ASIDE: Final = "7.30 aside"
"""Notes in the state: the number of entries so far; by hex, a wreck's weight, queue place and removal."""
PLACES_OF_ROADS: Final = {
    "buildings": ("wood_building", "brick_building", "stone_building"),
    "woods": ("light_woods", "woods", "heavy_woods", "light_grove", "medium_grove"),
}


def is_narrow(data: PanzerData, board: Board, hex: Hex) -> bool:
    """7.30 Whether the scenario makes the road or path in a hex narrow."""
    if not data.plays(NARROW_ROADS) or not board.links(hex):  # tracks too (4.5.1.1.11)
        return False
    conditions, name = data.scenario.conditions, hex_name(hex)
    if name in conditions.narrow_hexes or is_sunken_road(data, hex):
        return True
    terrain = [type for kind in conditions.narrow for type in PLACES_OF_ROADS.get(kind, ())]
    return any(type in terrain for type in board.terrain(hex)) or (
        "bridges" in conditions.narrow and board.is_bridge(hex)
    )


def is_sunken_road(data: PanzerData, hex: Hex) -> bool:
    """7.30 Whether the road is one level lower than its hex."""
    return data.plays(NARROW_ROADS) and hex_name(hex) in data.scenario.conditions.sunken_roads


def rule_of(data: PanzerData, hex: Hex) -> str:
    """7.30 The paragraph to cite; sunken roads have their own."""
    return "7.30/sunken-road" if is_sunken_road(data, hex) else "7.30"


def takes_room(unit: Unit) -> bool:
    """7.30 Whether a unit takes up room: vehicles and guns on the ground do, unless pushed aside."""
    return unit.kind != "leg" and unit.alive and not unit.aboard and not stands_aside(unit)


def stands_aside(unit: Unit) -> bool:
    """7.30 Whether the unit was pushed off the road."""
    return PUSHED in unit.flags


# --- 7.30 entering -----------------------------------------------------------------------------------------------


def entry_objections(
    data: PanzerData, board: Board, view: PanzerState, unit: Unit, hex: Hex, overruns: str = ""
) -> Iterator[Objection]:
    """7.30 Reasons why a vehicle or gun cannot enter a narrow hex; `overruns` is any unit it overruns there."""
    if unit.kind == "leg" or not is_narrow(data, board, hex):
        return
    rule, name = rule_of(data, hex), hex_name(hex)
    here = [other for other in view.on_the_ground(hex) if other.id != unit.id and not stands_aside(other)]
    enemies = [other for other in here if other.side != unit.side]
    if any(enemy.kind == "vehicle" for enemy in enemies):
        yield Objection(rule, say("the road in {name} is narrow, and an enemy vehicle is on it", name=name))
    elif enemies and unit.kind == "vehicle" and overruns not in [enemy.id for enemy in enemies]:
        yield Objection(
            rule, say("the road in {name} is narrow; only an overrun can get past the enemy there", name=name)
        )
    yield from stacking_objections(data, board, view, unit, hex)


def stacking_objections(
    data: PanzerData, board: Board, view: PanzerState, unit: Unit, hex: Hex
) -> Iterator[Objection]:
    """7.30, 5.13 Object if a narrow hex would be overstacked."""
    if unit.kind == "leg" or not is_narrow(data, board, hex):
        return
    there = sum(takes_room(other) for other in view.on_the_ground(hex) if other.id != unit.id)
    if there + 1 >= data.charts.overstacked_from:
        yield Objection(rule_of(data, hex), say("the road in {hex} is narrow and already full", hex=hex_name(hex)))


# --- 7.30 leaving ------------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """7.30 When a unit entered its narrow hex, counted over all such entries (0: set up there), and its direction."""

    order: int = 0
    way: int = 0


def place_on_road(unit: Unit) -> Place:
    """7.30 A unit's place in its narrow hex."""
    return Place(unit.loads.get(ORDER, 0), unit.loads.get(WAY, 0))


def take_place(unit: Unit, place: Place) -> None:
    """7.30 Give a unit its place in a narrow hex, or none."""
    kept = {key: count for key, count in unit.loads.items() if key not in (ORDER, WAY)}
    unit.loads = {**kept, ORDER: place.order, WAY: place.way} if place.order else kept


def queue_place(unit: Unit) -> tuple[int, str]:
    """7.30 A unit's place in the queue of its hex; the lowest leaves first."""
    order = place_on_road(unit).order
    return order, "" if order else unit.id


def ahead_of(view: PanzerState, unit: Unit, hex: Hex, fresh: bool) -> list[str]:
    """7.30 The friendly units that entered a hex before this one; all of them if it is only entering (`fresh`)."""
    friends = [other for other in view.on_the_ground(hex) if other.side == unit.side and other.id != unit.id]
    return [other.id for other in friends if takes_room(other) and (fresh or queue_place(other) < queue_place(unit))]


def blocked_by_wreck(view: PanzerState, unit: Unit, hex: Hex, fresh: bool) -> bool:
    """7.30 Whether the road is blocked by a wreck that was there first, or whose vehicle was ahead in the queue."""
    name = hex_name(hex)
    if name not in view.wrecks or is_pushed(view, hex):
        return False
    return fresh or view.notes.get(PLACES, {}).get(name, 0) <= place_on_road(unit).order


def leaving_objections(
    data: PanzerData, board: Board, view: PanzerState, unit: Unit, hex: Hex, direction: int | None, way: int
) -> Iterator[Objection]:
    """7.30 Reasons why a vehicle or gun cannot leave a narrow hex; `way` is its entry direction this move, or 0."""
    if unit.kind == "leg" or not is_narrow(data, board, hex):
        return
    fresh = bool(way)
    came = way or place_on_road(unit).way or unit.facing
    if direction == opposite(came):
        return
    rule, name = rule_of(data, hex), hex_name(hex)
    if ahead := ahead_of(view, unit, hex, fresh):
        yield Objection(
            rule,
            say("the road in {name} is narrow, and the unit cannot pass {ahead}", name=name, ahead=", ".join(ahead)),
        )
    if blocked_by_wreck(view, unit, hex, fresh):
        yield Objection(rule, say("the road in {name} is narrow, and the unit cannot pass the wreck", name=name))


# --- 7.30 the queue ----------------------------------------------------------------------------------------------


def enter_narrow(data: PanzerData, board: Board, state: PanzerState, unit: Unit, way: int) -> Finding | None:
    """7.30 Put a unit in the queue of its new hex, and remove it from its old one."""
    if not data.plays(NARROW_ROADS) or unit.kind == "leg" or unit.hex is None:
        return None
    forget(unit)
    if not is_narrow(data, board, unit.hex):
        return None
    entries = state.notes.setdefault(ENTRIES, {})
    entries["entries"] = entries.get("entries", 0) + 1
    take_place(unit, Place(entries["entries"], way))
    inputs = {"unit": unit.id, "hex": hex_name(unit.hex), "way": way}
    return Finding(rule_of(data, unit.hex), inputs=inputs, result=ahead_of(state, unit, unit.hex, False))


def forget(unit: Unit) -> None:
    """7.30 Remove the unit from any queue."""
    take_place(unit, Place())


def unlimber(data: PanzerData, board: Board, state: PanzerState, gun: Unit, carrier: Unit) -> None:
    """7.30 Give a gun its vehicle's place in the queue, or the last place if the vehicle was set up there."""
    if not data.plays(NARROW_ROADS) or gun.kind == "leg":
        return
    forget(gun)
    place = place_on_road(carrier)
    if place.order and gun.hex == carrier.hex:
        take_place(gun, place)
    else:
        enter_narrow(data, board, state, gun, carrier.facing)


# --- 7.30 wrecks -------------------------------------------------------------------------------------------------


def is_pushed(view: PanzerState, hex: Hex) -> bool:
    """7.30 Whether the wreck in a hex no longer obstructs the road."""
    return hex_name(hex) in view.notes.get(ASIDE, {})


def note_wreck(situation: Situation, unit: Unit, hex: Hex) -> None:
    """7.30 Record that a wreck keeps the vehicle's weight and place in the queue."""
    data, state = situation.data, situation.state
    if not data.plays(NARROW_ROADS):
        return
    name = hex_name(hex)
    weights, places = state.notes.setdefault(WEIGHTS, {}), state.notes.setdefault(PLACES, {})
    weight, place = data.vehicle(unit).weight, place_on_road(unit).order
    if name in state.wrecks and not is_pushed(state, hex):  # a wreck already there counts too
        weight, place = max(weight, weights.get(name, 0)), min(place, places.get(name, 0))
    weights[name], places[name] = weight, place
    state.notes.get(ASIDE, {}).pop(name, None)


def push_aside(state: PanzerState, hex: Hex, pushed: Unit | None) -> None:
    """7.30 Push a wreck or a unit off the road; it stays in the hex, and a unit can no longer move."""
    if pushed is None:
        state.notes.setdefault(ASIDE, {})[hex_name(hex)] = 1
    else:
        pushed.flags = (*pushed.flags, PUSHED)
