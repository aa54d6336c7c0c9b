"""11 Airspace: whether each hex is friendly, contested or enemy airspace for each side.

11.1 to 11.3   airspace, presence: a supplied city or unit within five hexes
11.4           Danish airspace
11.5           West Berlin and its garrison never count
11.6           only supplied cities and units count
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.atlas import WEST_BERLIN
from pbem.titles.nato.map.grid import HexId, within
from pbem.titles.nato.map.ground import Country
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.supply.cities import city_in_supply
from pbem.titles.nato.supply.headquarters import hq_traces
from pbem.titles.nato.supply.units import movement_source

Airspace: TypeAlias = Literal["friendly", "contested", "enemy"]


def airspace(board: Board, hex: HexId, side: Side) -> Airspace:
    """11.0, 11.1 to 11.3 Return the airspace of a hex for a side: friendly, contested or enemy."""
    if board.state.turn == 0:  # before the war own territory is friendly
        return "friendly" if hex in board.atlas.places and board.atlas.places[hex].side is side else "enemy"
    own = presence(board, hex, side)
    if not own:  # 11.2, 11.0/out-of-reach
        return "enemy"
    return "contested" if presence(board, hex, ENEMY[side]) else "friendly"  # 11.3, 6.0/airspace


def airspace_objections(board: Board, hex: HexId, side: Side, rule: str) -> Iterator[Objection]:
    """11.8, 11.8.1, 11.8.2 Yield an objection, citing the given rule, if a hex is not in friendly airspace."""
    found = airspace(board, hex, side)
    if found == "contested":
        yield Objection(rule, say("{hex} is contested airspace", hex=hex))
    elif found == "enemy":
        yield Objection(rule, say("{hex} is enemy airspace", hex=hex))


def presence(board: Board, hex: HexId, side: Side) -> bool:
    """11.1 Return whether a supplied city or unit of a side is within five hexes of a hex."""
    return board.fact(("presence", hex, side), lambda: _presence(board, hex, side))


def _presence(board: Board, hex: HexId, side: Side) -> bool:
    danish = board.atlas.places[hex].country is Country.DK if hex in board.atlas.places else False
    if any(projects(board, city, side) for city in cities_near(board, hex)):
        return True
    stacks = board.stacks
    for place in within(hex, board.data.charts.number("airspace")):
        for unit in stacks.get(place, ()):
            if unit.card.side is side and counts(board, unit, danish=danish):  # 10.5.4, 11.1/who-projects
                return True
    return False


def projects(board: Board, city: HexId, side: Side) -> bool:
    """11.5, 11.6.1 Return whether a city counts for airspace: it must be in supply, and West Berlin never counts."""
    return board.controller(city) is side and city != WEST_BERLIN and city_in_supply(board, city)


def covered_hexes(board: Board, side: Side) -> frozenset[HexId]:
    """11.1 All hexes in which a side has a presence: the same as `presence`, for the whole map at once."""
    return board.fact(("covered", side), lambda: frozenset(_cover(board, side)))


def _cover(board: Board, side: Side) -> set[HexId]:
    radius, places = board.data.charts.number("airspace"), board.atlas.places
    found: set[HexId] = set()
    for city in board.atlas.cities:
        if projects(board, city, side):
            found.update(within(city, radius))
    for unit in board.on_map(side):
        if counts(board, unit):
            abroad = side is Side.WP and places[unit.at].country not in (Country.WG, Country.DK)
            reached = within(unit.at, radius)
            found.update(
                hex for hex in reached if not (abroad and hex in places and places[hex].country is Country.DK)
            )
    return found


def open_airspace(board: Board, side: Side, *, contested: bool) -> frozenset[HexId]:
    """11.1 to 11.3 The hexes in friendly airspace or, if `contested`, in friendly or contested airspace."""
    if board.state.turn == 0:  # before the war own territory is friendly
        return frozenset(hex for hex in board.atlas.places if airspace(board, hex, side) == "friendly")
    own = covered_hexes(board, side)
    closed = frozenset() if contested else covered_hexes(board, ENEMY[side])
    return frozenset(hex for hex in board.atlas.places if hex in own and hex not in closed)


def cities_near(board: Board, hex: HexId) -> tuple[HexId, ...]:
    """11.1 Return the city hexes within five hexes of a hex."""
    found = board.data.near_cities.get(hex)
    if found is None:
        radius = board.data.charts.number("airspace")
        found = tuple(city for city in within(hex, radius) if board.is_city(city))
        board.data.near_cities[hex] = found
    return found


def counts(board: Board, unit: Unit, *, danish: bool = False) -> bool:
    """11.4, 11.5, 11.6.2 Return whether a unit counts for airspace: it must be able to trace movement supply now."""
    if unit.card.berlin or unit.id in board.passengers:  # 11.5, 11.7
        return False
    abroad = board.atlas.places[unit.at].country not in (Country.WG, Country.DK)
    if danish and unit.side is Side.WP and abroad:  # 11.4
        return False
    return board.fact(("counts", unit.id), lambda: _counts(board, unit))


def _counts(board: Board, unit: Unit) -> bool:
    if unit.card.hq:
        return hq_traces(board, unit)
    return bool(movement_source(board, unit, airspace=True))
