"""2.2, 8, 9, 11, 30 A hex: its terrain, its controller, and the zones and airspace it is in, each with its rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.strength import ground_of, intrinsic_strength
from pbem.titles.nato.explain.supply import city_reason
from pbem.titles.nato.map.grid import HexId, distance, neighbours
from pbem.titles.nato.movement.costs import in_breakthrough, is_interdicted
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.victory import city_value
from pbem.titles.nato.zones.airspace import airspace, counts, presence
from pbem.titles.nato.zones.stacking import maneuver_steps, room


def hex_reasons(board: Board, hex: HexId) -> Iterator[Finding]:
    """2.2 Yield everything there is to know about a hex."""
    yield from ground_reasons(board, hex)
    yield from area_reasons(board, hex)
    if board.is_city(hex):
        yield from city_reasons(board, hex)
    yield from marker_reasons(board, hex)
    for side in Side:
        yield from zone_reasons(board, hex, side)
        yield from stack_reasons(board, hex, side)
        yield airspace_reason(board, hex, side)


def about(hex: HexId, rule: str, result: Any) -> Finding:
    return Finding(rule, inputs={"hex": hex}, result=result)


def ground_reasons(board: Board, hex: HexId) -> Iterator[Finding]:
    """2.2.1 Yield the primary terrain of a hex and its other features."""
    place = board.atlas.places[hex]
    yield about(hex, "2.2.1", place.ground)
    if place.is_land:
        ground = ground_of(board, hex)
        yield about(hex, "2.2", {"terrain": ground.key, "shift": ground.shift, "retreat": ground.retreat})
    rule = "6.0/all-sea-hex" if place.is_sea else "6.0/coastal-hex" if place.is_coastal else "6.0/land-hex"
    yield about(hex, rule, str(place.water))
    special = {"port": place.port, "reserve site": place.reserve_site, "bridge": place.bridge}
    yield about(hex, "2.2/hex-grid", list(neighbours(hex)))
    if any(special.values()):
        yield about(hex, "2.2.8", {name: found for name, found in special.items() if found})


def area_reasons(board: Board, hex: HexId) -> Iterator[Finding]:
    """2.2.2, 2.2.3, 2.2.7 Yield the country, the sector, the sea area and the command zone of a hex."""
    place = board.atlas.places[hex]
    if place.country is not None:
        yield about(hex, "2.2/country-of-hex", str(place.country))
        yield about(hex, "6.0/alliance", str(board.owner(hex)))
    if place.sector:
        yield about(hex, "2.2.2", place.sector)
        yield about(hex, "10.1.4/map-edge", "wp" if place.sector > 2 else "nato")
    if place.sea_area:
        yield about(hex, "2.2.3", place.sea_area)
    yield about(hex, "2.2.7", str(place.zone))
    if place.band:
        yield about(hex, "2.2.4", place.band)
    if place.port:
        holder = next(side for side in Side if board.friendly_port(hex, side))
        yield about(hex, "10.1.4/port-control", str(holder))


def hexside_reason(board: Board, one: HexId, other: HexId) -> Finding:
    """6.0 Return the features of a hexside: whether it is closed, its river, and the border."""
    hexside = board.atlas.hexside(one, other)
    rule = "6.0/prohibited-terrain" if hexside.closed else "2.2.1"
    if hexside.barrier == "all_sea":
        rule = "6.0/all-sea-hexside"
    found = {"river": hexside.river, "barrier": hexside.barrier, "border": hexside.iron_curtain}
    open_ = not hexside.closed and not board.atlas.places[other].is_sea
    return Finding(rule, inputs={"from": one, "to": other, **found}, result="open" if open_ else "closed")


def city_reasons(board: Board, hex: HexId) -> Iterator[Finding]:
    """30 Yield the facts about a city: its class, controller, strength and supply, and whether it is free."""
    side, place = board.controller(hex), board.atlas.places[hex]
    assert side is not None
    free = board.is_unconquered(hex, side)
    yield about(hex, "30.0", {"class": str(place.city_class), "points": city_value(board, hex)})
    yield about(hex, "30.1", str(side))
    yield about(hex, "10.1.3", "free" if free else "conquered")
    yield about(hex, "30.1.2", {"blocks": str(ENEMY[side]), "in supply": bool(city_reason(board, hex).result)})
    if free:
        yield about(hex, "6.0/free-city", str(side))
        yield about(hex, "30.4.1", intrinsic_strength(board, hex, side))
        yield about(hex, "30.2.4" if hex in board.state.nuclear else "30.2.2", board.ezoc(hex, ENEMY[side]))
    else:
        yield about(hex, "6.0/conquered-city", str(side))
        yield about(hex, "30.3.1", intrinsic_strength(board, hex, side))
    rule = "30.4.2" if place.ground == "small_city" else "30.4.3"
    ground = ground_of(board, hex)
    strike = board.data.charts.terrain(place.ground).strike
    yield about(hex, rule, {"shift": ground.shift, "retreat": ground.retreat, "strike": strike})
    yield about(hex, "30.4.4", str(side))
    supplied = city_reason(board, hex)
    yield supplied
    if supplied.rule == "10.3.3":
        yield about(hex, "11.6.1", False)


def marker_reasons(board: Board, hex: HexId) -> Iterator[Finding]:
    """4.1 Yield the markers on a hex."""
    state = board.state
    sites = sorted(id for id, where in state.sites.items() if where == hex)
    taken = hex in state.conquered or hex in state.sites_lost or hex in state.forts_lost
    markers = {
        "4.1.1": taken and str(state.conquered.get(hex, "site")),
        "4.1.2": hex in state.nuclear,
        "4.1.3": {str(side): persistent for side, persistent in state.chemical.get(hex, {}).items()},
        "4.1.5": [str(side) for side in Side if hex in state.interdiction.get(side, ())],
        "4.1.6": hex in state.breakthrough,
        "4.1.7": sites,
        "4.1.8": hex == state.resupply,
        "4.2.8": [id for id in sites if id in state.damaged],
    }
    yield from (about(hex, rule, found) for rule, found in markers.items() if found)
    if in_breakthrough(board, hex):
        yield about(hex, "25.9", "breakthrough zone")
    if any(is_interdicted(board, hex, side) for side in Side):
        yield about(
            hex, "6.0/air-interdiction-zone", [str(side) for side in Side if is_interdicted(board, hex, side)]
        )


def zone_reasons(board: Board, hex: HexId, side: Side) -> Iterator[Finding]:
    """8.0, 8.5 Yield a side's zones of control in a hex, and whether the enemy negates them there."""
    enemy = ENEMY[side]
    if not board.ezoc(hex, enemy):
        return
    near = [unit for place in (hex, *neighbours(hex)) for unit in board.at(place, side)]
    exerting = [unit.id for unit in near if hex in board.zone(unit)]
    yield Finding("8.0", inputs={"hex": hex, "side": side}, result=exerting or ["city"])
    yield Finding("6.0/ezoc", inputs={"hex": hex, "side": enemy}, result=True)
    rule = "8.5" if board.is_negated(hex, enemy) else "8.5.1"
    yield Finding(rule, inputs={"hex": hex, "side": enemy}, result=board.closed(hex, enemy))
    if board.free_city(hex, enemy):
        yield Finding("30.2.3", inputs={"hex": hex, "side": enemy}, result="negated")


def unit_zone_reason(board: Board, id: str) -> Finding:
    """8.0 Return the hexes of a unit's own zone of control, and its limits."""
    unit = board.units[id]
    train, assault = bool(unit.piece.train), unit.id in board.assaulting
    rule = "13.4.1" if train else "27.3.2" if assault else "35.5" if board.border_closed(unit.side) else "6.0/zoc"
    return Finding(rule, inputs={"unit": id}, result=list(board.zone(unit)))


def stack_reasons(board: Board, hex: HexId, side: Side) -> Iterator[Finding]:
    """9.0 Yield the stack of a side in a hex."""
    units = board.at(hex, side)
    if not units:
        return
    inputs = {"hex": hex, "side": side}
    yield Finding("9.0", inputs=inputs, result=[unit.id for unit in units])
    yield Finding("6.0/stack", inputs=inputs, result=len(units) > 1)
    yield Finding("6.0/stacking-limit", inputs=inputs, result=[maneuver_steps(units), room(board, hex, side)])
    nations = sorted({str(unit.card.nation) for unit in units})
    if len(nations) > 1:
        yield Finding("9.2", inputs=inputs, result=nations)


AIRSPACE = {"friendly": "11.1", "enemy": "11.2", "contested": "11.3"}


def airspace_reason(board: Board, hex: HexId, side: Side) -> Finding:
    """11.1 to 11.3 Return the airspace of a hex for a side, with the nearby units and cities that determine it."""
    found = airspace(board, hex, side)
    nobody = not presence(board, hex, side) and not presence(board, hex, ENEMY[side])
    children = [Finding(rule, inputs={"side": side}, result=found) for rule in ("6.0/airspace", "11.0")]
    children += [
        projecting_reason(board, unit.id, hex) for unit in board.units.values() if _near(board, unit.at, hex)
    ]
    if nobody:
        children.append(Finding("11.0/out-of-reach", inputs={"hex": hex}, result=found))
    inputs = {"hex": hex, "side": side}
    return Finding(AIRSPACE[found], inputs=inputs, result=found, children=tuple(children))


def _near(board: Board, at: str, hex: HexId) -> bool:
    return at in board.atlas.places and distance(at, hex) <= board.data.charts.number("airspace")


def projecting_reason(board: Board, id: str, hex: HexId) -> Finding:
    """11.4 to 11.7 Explain whether a unit counts for the airspace of a hex, with the deciding rule."""
    unit = board.units[id]
    danish = hex in board.atlas.places and str(board.atlas.places[hex].country) == "DK"
    so = counts(board, unit, danish=danish)
    rule = "11.1/who-projects" if so else "10.5.4"
    if unit.card.berlin:
        rule = "11.5"
    elif unit.id in board.passengers:
        rule = "11.7"
    elif not so and danish and counts(board, unit):
        rule = "11.4"
    elif so and unit.piece.ms_out:
        rule = "11.6.2"
    return Finding(rule, inputs={"unit": id, "hex": hex}, result=so)
