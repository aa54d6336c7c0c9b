"""10.3.3 City supply: which controlled cities are in supply.

10.3.3.1   free_cities_in_supply: free cities with a link to another free city of the alliance
10.3.3.2   port_supply: ports with a link to the open sea
10.3.3.4   West Berlin: berlin_linked, usable_cities
10.3.3.5   city_in_supply: conquered cities, by a chain of links
10.3.3.6   Copenhagen held by the Warsaw Pact
"""

from __future__ import annotations

from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.atlas import BERLIN_LINKS, COPENHAGEN, WEST_BERLIN
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.supply.links import is_chained, linked


def free_cities(board: Board, side: Side) -> tuple[HexId, ...]:
    """30.2 Return the free cities of an alliance."""
    return board.fact(
        ("free", side), lambda: tuple(hex for hex in board.atlas.cities if board.is_unconquered(hex, side))
    )


def free_cities_in_supply(board: Board, side: Side) -> frozenset[HexId]:
    """10.3.3.1 The free cities of an alliance that are in supply."""
    return board.fact(
        ("supplied", side),
        lambda: frozenset(hex for hex in free_cities(board, side) if _free_in_supply(board, side, hex)),
    )


def _free_in_supply(board: Board, side: Side, hex: HexId) -> bool:
    if hex == WEST_BERLIN:  # 10.3.3.4
        return True
    limit = board.data.charts.number("link")
    others = frozenset(free_cities(board, side)) - {hex}
    if not berlin_linked(board):
        others -= {WEST_BERLIN}
    return linked(board, side, hex, others, limit) or port_supply(board, side, hex)


def usable_cities(board: Board, side: Side) -> list[HexId]:
    """10.3.3, 10.3.3.4 The supplied free cities that can supply units; West Berlin is such a city only while it is
    linked.
    """
    found = sorted(free_cities_in_supply(board, side))
    return found if berlin_linked(board) else [hex for hex in found if hex != WEST_BERLIN]  # 31.1.1


def berlin_linked(board: Board) -> bool:
    """10.3.3.4 Return whether West Berlin has a link to one of the three cities that free it from its
    restrictions.
    """
    if WEST_BERLIN not in board.atlas.places or board.controller(WEST_BERLIN) is not Side.NATO:
        return False
    return board.fact(
        "berlin", lambda: linked(board, Side.NATO, WEST_BERLIN, BERLIN_LINKS, board.data.charts.number("link"))
    )


def port_supply(board: Board, side: Side, hex: HexId) -> bool:
    """10.3.3.2 Whether a city with a coastal port has a link to the open sea across coastal and all-sea hexes."""
    place = board.atlas.places[hex]
    if not place.port or not place.is_coastal:
        return False
    seen, edge = {hex}, [hex]
    for _ in range(board.data.charts.number("link")):
        further = []
        for here in edge:
            for near in board.atlas.sea.get(here, ()):
                if near not in seen:
                    seen.add(near)
                    if sea_open(board, near, side):
                        if near in board.atlas.open_sea:
                            return True
                        further.append(near)
        edge = further
    return False


def sea_open(board: Board, hex: HexId, side: Side) -> bool:
    """10.3.3.2 Return whether a link over the sea may enter a hex: zones of control matter, but hexsides do not."""
    enemy = ENEMY[side]
    return not (board.holds(hex, enemy) or board.controller(hex) is enemy or board.closed(hex, side))


def city_in_supply(board: Board, hex: HexId) -> bool:
    """10.3.3, 10.3.3.5 Return whether a city is in supply for the side that controls it."""
    side = board.controller(hex)
    if side is None:
        return False
    if board.is_unconquered(hex, side):
        return hex in free_cities_in_supply(board, side)
    if hex == COPENHAGEN and side is Side.WP and port_supply(board, side, hex):  # 10.3.3.6
        return True
    return board.fact(("chain", hex), lambda: _chain(board, side, hex))


def _chain(board: Board, side: Side, hex: HexId) -> bool:
    """10.3.3.5 Return whether a chain of links over controlled cities leads to a supplied free city."""
    return is_chained(board, side, hex, usable_cities(board, side), board.data.charts.number("link"))
