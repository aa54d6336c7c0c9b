"""What a bot wants: cities, and ground worth standing on.

goals          the cities worth going for, or worth holding, with their value
hex_worth      what it is worth to stand in a hex
"""

from __future__ import annotations

from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.strength import ground_of
from pbem.titles.nato.map.grid import HexId, distance, neighbours
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.supply.headquarters import can_supply, headquarters, reach, superior
from pbem.titles.nato.supply.units import home_links
from pbem.titles.nato.victory import city_value

NEAR = 8
"""How far away a city still draws a unit."""


def goals(board: Board, side: Side) -> dict[HexId, int]:
    """The cities that decide the match: the enemy's to take, the own to hold."""
    excluded = board.data.scenario.victory.excluded
    wanted = [hex for hex in board.atlas.cities if board.owner(hex) is Side.NATO and hex not in excluded]
    if side is Side.WP:
        wanted = [hex for hex in wanted if board.controller(hex) is Side.NATO]
    return {hex: city_value(board, hex) for hex in wanted}


def pull(board: Board, side: Side, hex: HexId) -> int:
    """How strongly the cities draw a unit to a hex: their value, less with distance."""
    found = board.fact(("goals", side), lambda: goals(board, side))
    return max((4 * value + 3 * (NEAR - distance(hex, city)) for city, value in found.items()), default=0)


def in_supply(board: Board, unit: Unit, hex: HexId) -> bool:
    """10.1 Whether a unit would be in movement supply in a hex, as the board stands."""
    for hq in headquarters(board, unit.side):
        if can_supply(hq) and superior(board, unit, hq.card) and hex in reach(board, hq):
            return True
    country = board.atlas.places[hex].country
    home = unit.side is Side.WP or country is unit.card.home
    return (
        country is not None
        and home
        and board.owner(hex) is unit.side
        and hex in home_links(board, unit.side, country)
    )


def threatened(board: Board, hex: HexId, side: Side) -> int:
    """The attack strength of enemies next to a hex."""
    return sum(unit.attack for near in neighbours(hex) for unit in board.at(near, ENEMY[side]))


def cover(board: Board, hex: HexId) -> int:
    """How well a hex is defended by its ground."""
    ground = ground_of(board, hex)
    return -2 * ground.shift + ground.retreat
