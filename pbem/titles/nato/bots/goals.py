"""The picture a bot has before it moves: enemy positions, important cities, and supply.

Outlook        worked out once for each order
pull, shield   how strongly cities draw an attacker and a defender
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.strength import ground_of
from pbem.titles.nato.map.atlas import WEST_BERLIN
from pbem.titles.nato.map.grid import HexId, distance, neighbours
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.supply.headquarters import can_supply, headquarters, reach, superior
from pbem.titles.nato.supply.units import city_links, home_links
from pbem.titles.nato.victory import city_value

FAR = 99
ALARM = 7
"""The distance at which an enemy endangers a city."""


class Outlook:
    """The situation of one side, worked out once."""

    def __init__(self, board: Board, side: Side) -> None:
        self.board, self.side = board, side
        enemies = [unit for unit in board.on_map(ENEMY[side]) if unit.maneuver and unit.at != WEST_BERLIN]
        self.enemy_at = spread(board, {unit.at for unit in enemies})
        self.goals = self.find_goals()
        self.reaches = [
            (hq, frozenset(reach(board, hq))) for hq in headquarters(board, side) if can_supply(board, hq)
        ]
        self.links = frozenset(city_links(board, side))
        self.homes: dict[str, frozenset[HexId]] = {}

    def find_goals(self) -> dict[HexId, int]:
        """The cities that decide the match: enemy cities to take and friendly ones to hold, without West Berlin."""
        board, excluded = self.board, self.board.data.scenario.victory.excluded
        wanted = [hex for hex in board.atlas.cities if board.owner(hex) is Side.NATO and hex not in excluded]
        wanted = [hex for hex in wanted if hex != WEST_BERLIN]
        if self.side is Side.WP:
            wanted = [hex for hex in wanted if board.controller(hex) is Side.NATO]
        return {hex: city_value(board, hex) for hex in wanted}

    def near_enemy(self, hex: HexId) -> int:
        """Return the distance to the nearest enemy maneuver unit."""
        return self.enemy_at.get(hex, FAR)

    def in_supply(self, unit: Unit, hex: HexId) -> bool:
        """10.1 Return whether a unit would be in supply in a hex, as the board stood."""
        board = self.board
        if any(hex in area and superior(board, unit, hq.card) for hq, area in self.reaches):
            return True
        country = board.atlas.places[hex].country
        if country is None or board.owner(hex) is not unit.side:
            return False
        if unit.side is Side.WP or country is unit.card.home:
            if str(country) not in self.homes:
                self.homes[str(country)] = frozenset(home_links(board, unit.side, country))
            return hex in self.homes[str(country)]
        return hex in self.links

    def pull(self, hex: HexId) -> int:
        """Return how strongly the cities of the enemy draw an attacker."""
        return max((3 * value - 2 * distance(hex, city) for city, value in self.goals.items()), default=0)

    def shield(self, unit: Unit, hex: HexId) -> int:
        """Return how much it is worth to stand in a hex between the enemy and the cities in danger."""
        board, side, best = self.board, self.side, -FAR
        for city, value in self.goals.items():
            away = self.near_enemy(city)
            if board.controller(city) is not side or away > ALARM:
                continue
            held = sum(other.steps for other in board.at(city, side) if other.maneuver and other.id != unit.id)
            best = max(best, 4 * value - 2 * distance(hex, city) - 3 * max(0, held - 1))
        return best if best > -FAR else -self.near_enemy(hex)


def spread(board: Board, starts: Iterable[HexId]) -> dict[HexId, int]:
    """The distance of every hex to the nearest of some hexes, over land and sea."""
    found = dict.fromkeys(sorted(starts), 0)
    edge, away = list(found), 0
    while edge:
        away += 1
        further = []
        for hex in edge:
            for near in board.atlas.neighbours.get(hex, ()):
                if near not in found:
                    found[near] = away
                    further.append(near)
        edge = further
    return found


def threatened(board: Board, hex: HexId, side: Side) -> int:
    """Return the attack strength of enemies next to a hex."""
    return sum(unit.attack for near in neighbours(hex) for unit in board.at(near, ENEMY[side]))


def cover(board: Board, hex: HexId) -> int:
    """Return how well a hex is defended by its ground."""
    ground = ground_of(board, hex)
    return -2 * ground.shift + ground.retreat
