"""The knowledge of a bot before it moves: enemy positions, important cities and supply.

Outlook        computed once for each order
pull, shield   how strongly cities draw an attacker and a defender
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.charts import ODDS
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.strength import ground_of
from pbem.titles.nato.map.atlas import WEST_BERLIN
from pbem.titles.nato.map.grid import HexId, distance, neighbours
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.supply.headquarters import can_supply, front, headquarters, reach, superior
from pbem.titles.nato.supply.units import city_links, home_links
from pbem.titles.nato.victory import city_value

FAR = 99
ALARM = 7
"""The distance at which an enemy endangers a city."""
GARRISON = 4
"""The distance at which an enemy endangers a conquered city."""
WANTED = 4
"""The steps sent against any city, in addition to those for its value."""

AT_LAST = "2:1"
"""The odds that are enough when nothing can go wrong afterwards."""
OWN, OTHER = 3, 1
"""The weight that a headquarters gives to a unit of its own front, and to one that any headquarters may supply."""


class Outlook:
    """One side's goals, supply and enemies nearby, computed once for all moves of a phase."""

    def __init__(self, board: Board, side: Side) -> None:
        self.board, self.side = board, side
        enemies = [unit for unit in board.on_map(ENEMY[side]) if unit.maneuver and unit.at != WEST_BERLIN]
        self.enemy_at = spread(board, {unit.at for unit in enemies})
        self.goals = self.find_goals()
        self.aims = assign_cities(board, side, self.goals)
        held = [city for city in self.goals if board.controller(city) is side]
        self.endangered = [city for city in held if self.near_enemy(city) <= ALARM]
        self._guards: tuple[str, dict[HexId, int]] = "", {}
        self.reaches = [
            (hq, frozenset(reach(board, hq))) for hq in headquarters(board, side) if can_supply(board, hq)
        ]
        self.links = frozenset(city_links(board, side))
        self.homes: dict[str, frozenset[HexId]] = {}
        self._followers: dict[str, list[tuple[Unit, int]]] = {}

    def find_goals(self) -> dict[HexId, int]:
        """Return the cities that decide the match, except West Berlin: enemy cities to take and friendly ones to
        hold.
        """
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
        """10.1 Return whether a unit would be in supply in a hex, given the position when this outlook was made."""
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

    def followers(self, hq: Unit) -> list[tuple[Unit, int]]:
        """10.4.4 Return the fighting units that an HQ may supply, each with its weight.

        The units of its own front weigh most, and those that find no other supply where they are.
        """
        if hq.id not in self._followers:
            board = self.board
            found = []
            for unit in board.on_map(self.side):
                if unit.maneuver and unit.attack and not unit.card.home_bound and superior(board, unit, hq.card):
                    own = self.side is Side.NATO or front(board, unit.card) == hq.id
                    found.append((unit, OWN if own else OTHER))
            self._followers[hq.id] = found
        return self._followers[hq.id]

    def pull(self, hex: HexId, aim: HexId = "") -> int:
        """Return how strongly a hex attracts an attacker: by its distance from the goal cities, or from the unit's
        own goal.
        """
        cities = [aim] if aim else list(self.goals)
        return max((3 * self.goals[city] - 2 * distance(hex, city) for city in cities), default=0)

    def hold(self, unit: Unit, hex: HexId) -> int:
        """Return the value of staying in a conquered city that no other unit garrisons."""
        board, side = self.board, self.side
        if board.owner(hex) is side or board.controller(hex) is not side or self.near_enemy(hex) > GARRISON:
            return 0
        others = [other for other in board.at(hex, side) if other.maneuver and other.id != unit.id]
        return 0 if others else 4 * city_value(board, hex)

    def guards(self, unit: Unit) -> dict[HexId, int]:
        """Return the steps of other units in each endangered city, counted once and used for all hexes considered."""
        if self._guards[0] != unit.id:
            at = {city: self.board.at(city, self.side) for city in self.endangered}
            found = {
                city: sum(other.steps for other in others if other.maneuver and other.id != unit.id)
                for city, others in at.items()
            }
            self._guards = unit.id, found
        return self._guards[1]

    def shield(self, unit: Unit, hex: HexId) -> int:
        """Return the value of a hex for shielding the endangered cities."""
        best = -FAR
        for city, held in self.guards(unit).items():
            best = max(best, 4 * self.goals[city] - 2 * distance(hex, city) - 3 * max(0, held - 1))
        return best if best > -FAR else -self.near_enemy(hex)


def last_chance(board: Board, side: Side) -> bool:
    """7.0 Return whether this is NATO's last player turn, after which the Warsaw Pact cannot answer any more."""
    return side is Side.NATO and board.state.turn >= board.data.scenario.turns


def least_column(board: Board, side: Side, objective: HexId, least: str) -> int:
    """Return the odds column that an attack needs; at the last chance to score points, lower columns are enough."""
    divisions = [unit for unit in board.at(objective, ENEMY[side]) if unit.maneuver and unit.card.steps > unit.steps]
    scores = bool(divisions) or (board.owner(objective) is side and city_value(board, objective) > 0)
    return min(ODDS.index(least), ODDS.index(AT_LAST)) if last_chance(board, side) and scores else ODDS.index(least)


def assign_cities(board: Board, side: Side, goals: Mapping[HexId, int]) -> dict[str, HexId]:
    """Return the city that each attacking unit aims at: near the unit and its front, and weakly held.

    Each city gets only a few steps; otherwise all units would go to the nearest one, and the rest of the front would
    stand still.
    """
    units = [unit for unit in board.on_map(side) if unit.maneuver and unit.attack]
    fronts: dict[str, list[Unit]] = {}
    for unit in units:
        fronts.setdefault(front(board, unit.card) if side is Side.WP else str(unit.card.nation), []).append(unit)
    offers: list[tuple[int, str, HexId]] = []
    for name, members in sorted(fronts.items()):
        for city, value in sorted(goals.items()):
            away = [distance(unit.at, city) for unit in members]
            price = held_by(board, city, ENEMY[side]) - 3 * value + (sum(away) // len(away) if name else 0)
            offers += [(2 * far + price, unit.id, city) for unit, far in zip(members, away, strict=True)]
    needed = {city: WANTED + 2 * value + held_by(board, city, ENEMY[side]) // 2 for city, value in goals.items()}
    found: dict[str, HexId] = {}
    for _, id, city in sorted(offers):
        if id not in found and needed[city] > 0:
            found[id] = city
            needed[city] -= board.units[id].steps
    return found


def held_by(board: Board, hex: HexId, side: Side) -> int:
    """Return how many maneuver steps a side has in and next to a hex."""
    return sum(unit.steps for near in (hex, *neighbours(hex)) for unit in board.at(near, side) if unit.maneuver)


def spread(board: Board, starts: Iterable[HexId]) -> dict[HexId, int]:
    """The distance from every hex to the nearest of these hexes, over land and sea."""
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


def threat_at(board: Board, hex: HexId, side: Side) -> int:
    """Return the attack strength of enemies next to a hex."""
    return sum(unit.attack for near in neighbours(hex) for unit in board.at(near, ENEMY[side]))


def cover(board: Board, hex: HexId) -> int:
    """Return how much the terrain of a hex helps its defender."""
    ground = ground_of(board, hex)
    return -2 * ground.shift + ground.retreat
