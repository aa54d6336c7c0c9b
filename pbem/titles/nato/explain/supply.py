"""10 Supply: the source of a unit, a headquarters or a city, and what blocks a line."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.atlas import COPENHAGEN, FERRY, WEST_BERLIN
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.supply.cities import berlin_linked, city_in_supply, free_cities, port_supply
from pbem.titles.nato.supply.headquarters import (
    BALTIC_CORPS,
    MULTINATIONAL,
    OVERSEAS,
    can_supply,
    copenhagen_reaches,
    friendly_country,
    home_countries,
    hq_sources,
    hq_traces,
    reach,
    supplying_hq,
)
from pbem.titles.nato.supply.links import distances, ferry_open, linked, may_pass
from pbem.titles.nato.supply.units import friendly_supply, home_supply


def supply_reasons(board: Board, unit: Unit) -> Iterator[Finding]:
    """10.1.1 Yield the movement and combat supply of a combat unit, or a headquarters' line of supply."""
    if unit.card.hq:
        yield hq_reason(board, unit)
        return
    movement, combat = movement_reason(board, unit), combat_reason(board, unit)
    yield Finding("10.0", inputs={"unit": unit.id}, result=bool(movement.result))
    yield Finding("10.1.1", inputs={"unit": unit.id}, result=[movement.result, combat.result])
    yield Finding("10.3.1", inputs={"unit": unit.id}, result=movement.result)
    yield location_reason(board, unit)
    yield movement
    yield combat


def location_reason(board: Board, unit: Unit) -> Finding:
    """10.1.5 Explain whether a unit is at home, in a friendly country or in an enemy one."""
    place = board.atlas.places.get(unit.at)
    country = place.country if place is not None else None
    where = "enemy"
    if country is not None and country in home_countries(unit.card) and country not in board.state.surrendered:
        where = "home"
    elif friendly_country(board, country, unit.side):
        where = "friendly"
    return Finding("10.1.5", inputs={"unit": unit.id, "country": country}, result=where)


def movement_reason(board: Board, unit: Unit, *, airspace: bool = False) -> Finding:
    """10.5, 10.3.1 Return a unit's source of movement supply, with its rule."""
    inputs = {"unit": unit.id, "kind": "movement"}
    if unit.at not in board.atlas.places:
        return Finding("10.5.6", inputs=inputs, result="box")
    if hq := supplying_hq(board, unit, airspace=airspace):
        children = (Finding("10.4.2", inputs={"hq": hq.id}, result=reach(board, hq)[unit.at]),)
        return Finding("10.1.9", inputs=inputs, result=hq.id, children=children)
    if home_supply(board, unit):
        rule = "10.8.4" if unit.side is Side.WP else "10.1.6"
        return Finding(rule, inputs=inputs, result="home")
    if friendly_supply(board, unit):
        return Finding("10.1.7", inputs=inputs, result="friendly")
    return special_reason(board, unit, "movement")


def combat_reason(board: Board, unit: Unit) -> Finding:
    """10.6 Return a unit's source of combat supply, with its rule."""
    inputs = {"unit": unit.id, "kind": "combat"}
    if unit.at not in board.atlas.places:
        return Finding("33.1", inputs=inputs, result="box")
    if board.surprise() and unit.side is Side.NATO and unit.at != WEST_BERLIN:
        return Finding("35.7", inputs=inputs, result="")
    if hq := supplying_hq(board, unit):
        return Finding("10.1.9", inputs=inputs, result=hq.id)
    if home_supply(board, unit):
        return Finding("10.1.6", inputs=inputs, result="home")
    return special_reason(board, unit, "combat")


def special_reason(board: Board, unit: Unit, kind: str) -> Finding:
    """10.3.3.4, 10.3.3.6 Return West Berlin or Copenhagen as a source of supply, or the reason why neither is one."""
    inputs = {"unit": unit.id, "kind": kind}
    near = unit.card.berlin and (unit.at == WEST_BERLIN or unit.at in board.atlas.neighbours[WEST_BERLIN])
    if near and board.is_unconquered(WEST_BERLIN, Side.NATO):
        return Finding("10.3.3.4", inputs=inputs, result="West Berlin")
    if unit.side is Side.WP and copenhagen_reaches(board, unit.at):
        return Finding("10.3.3.6", inputs=inputs, result="Copenhagen")
    abroad = location_reason(board, unit).result == "enemy"
    return Finding("10.1.8" if abroad else "10.2.1", inputs=inputs, result="")


def hq_reason(board: Board, hq: Unit) -> Finding:
    """10.3.2, 10.2.2 Explain whether a headquarters can trace a line of supply, with the rule for its sources."""
    rule = "10.3.2.1" if hq.card.nation in OVERSEAS else "10.3.2.2" if hq.id in MULTINATIONAL else "10.3.2"
    traces = hq_traces(board, hq)
    inputs = {"unit": hq.id, "sources": len(hq_sources(board, hq.card))}
    children = [Finding("10.2.2", inputs={"unit": hq.id}, result=traces)]
    children.append(Finding("29.4", inputs={"unit": hq.id}, result=can_supply(board, hq)))
    if hq.id == BALTIC_CORPS:
        children.append(Finding("10.9.1", inputs={"unit": hq.id}, result=traces))
        children.append(Finding("29.6.2", inputs={"unit": hq.id}, result=hq.piece.supplied and not traces))
        children.append(Finding("10.9.3", inputs={"unit": hq.id}, result=can_supply(board, hq, airspace=True)))
    if hq.piece.train:
        children += [Finding(rule, inputs={"unit": hq.id}, result=False) for rule in ("10.4.4.7", "13.4.6")]
    if hq.piece.unpaid:
        children.append(Finding("10.8.3", inputs={"unit": hq.id}, result=can_supply(board, hq, airspace=True)))
        children.append(Finding("10.4.3.1", inputs={"unit": hq.id}, result=can_supply(board, hq, airspace=True)))
    return Finding(rule, inputs=inputs, result=traces, children=tuple(children))


def city_reason(board: Board, hex: HexId) -> Finding:
    """10.3.3 Explain whether a city is in supply, with the deciding rule."""
    side = board.controller(hex)
    inputs, supplied = {"city": board.atlas.name(hex)}, city_in_supply(board, hex)
    if side is None or not supplied:
        return Finding("10.3.3", inputs=inputs, result=False)
    if not board.is_unconquered(hex, side):
        by_sea = hex == COPENHAGEN and side is Side.WP and port_supply(board, side, hex)
        return Finding("10.3.3.6" if by_sea else "10.3.3.5", inputs=inputs, result=True)
    if hex == WEST_BERLIN:
        alone = (Finding("31.1.1", inputs=inputs, result=berlin_linked(board)),)
        return Finding("10.3.3.4", inputs=inputs, result=berlin_linked(board), children=alone)
    others = frozenset(free_cities(board, side)) - {hex}
    by_land = linked(board, side, hex, others, board.data.charts.number("link"))
    return Finding("10.3.3.1" if by_land else "10.3.3.2", inputs=inputs, result=True)


def link_reason(board: Board, side: Side, start: HexId, end: HexId) -> Finding:
    """10.1.2, 10.2 Return the length of the link between two hexes; 0 if there is none."""
    limit = board.data.charts.number("link")
    found = distances(board, side, (end,), limit).get(start, 0)
    children = [passing_reason(board, hex, side) for hex in (start, end)]
    if {start, end} == set(FERRY):
        children.append(Finding("10.2.4", inputs={"side": side}, result=ferry_open(board, side)))
    inputs = {"side": side, "from": start, "to": end, "limit": limit}
    children.append(Finding("10.1.2", inputs=inputs, result=found))
    return Finding("10.2", inputs=inputs, result=found, children=tuple(children))


def passing_reason(board: Board, hex: HexId, side: Side) -> Finding:
    """10.2.3, 10.2.5, 8.3 Explain whether a link of a side may run through a hex, and what blocks it."""
    inputs, enemy = {"hex": hex, "side": side}, ENEMY[side]
    if may_pass(board, hex, side):
        if board.ezoc(hex, side):
            return Finding("8.3", inputs=inputs, result="negated")
        return Finding("10.2.5" if board.is_contaminated(hex) else "10.2.3", inputs=inputs, result="open")
    if board.holds(hex, enemy):
        return Finding("10.2.3", inputs=inputs, result="enemy unit")
    city = board.controller(hex) is enemy
    return Finding("10.2.3", inputs=inputs, result="enemy city" if city else "enemy zone of control")
