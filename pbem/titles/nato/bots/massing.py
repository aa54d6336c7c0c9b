"""How a bot concentrates: battles are chosen before the moves, and units are sent where they give good odds.

Muster     the units that can still be sent, and the hexes that each could attack from
assault    the smallest group of one front or nation that gets good odds against a hex, each unit with its place
mass_for_assaults  moves for the best assaults, one after the other
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from pbem.engine.geometry.paths import Paths, route
from pbem.titles.nato.air.points import tactical_points
from pbem.titles.nato.air.strikes import STEPS
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.bots.goals import Outlook, least_column
from pbem.titles.nato.cards.charts import ODDS
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.eligibility import across_objections
from pbem.titles.nato.combat.odds import LIMIT, basic_odds
from pbem.titles.nato.combat.prospects import battle_of
from pbem.titles.nato.combat.strength import HALF, defense_rows, defense_total, ground_of, hexside_factors
from pbem.titles.nato.map.grid import HexId, neighbours
from pbem.titles.nato.movement.costs import TACTICAL
from pbem.titles.nato.movement.moves import reachable_hexes
from pbem.titles.nato.movement.rehearsal import Rehearsal
from pbem.titles.nato.player.orders import Move
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.supply.headquarters import front
from pbem.titles.nato.victory import city_value
from pbem.titles.nato.zones.airspace import airspace
from pbem.titles.nato.zones.stacking import room

LEAST, ENOUGH = "3:1", ODDS.index("5:1")
"""The odds below which no attack is made, and the column above which no unit is added."""
VENTURE = 12
"""The value that a unit of a side that defends may give up in order to attack."""
SOFTENED = 7
"""Tenths of its defense that a hex keeps, on average, after strikes on all its units."""
NEAR = 8
"""The distance from the enemy, in hexes, beyond which a unit takes no part this turn."""
ASSAULTS = 24
"""The most assaults that are planned in one turn."""

Worth: TypeAlias = Callable[[Outlook, Unit, HexId], int]


@dataclass(frozen=True)
class Assault:
    """A hex to attack, the expected odds column, the place of each unit, and the air points to spend."""

    objective: HexId
    column: int
    worth: int
    places: tuple[tuple[str, HexId], ...]
    points: int = 0


class Muster:
    """The units that can still be sent, and the hexes that each could attack from."""

    def __init__(self, board: Board, outlook: Outlook, units: list[Unit], cautious: Worth | None = None) -> None:
        self.board, self.outlook, self.side = board, outlook, outlook.side
        self.reach: dict[str, frozenset[HexId]] = {}
        self.ways: dict[str, Paths[str]] = {}
        for unit in units:
            able = unit.maneuver and unit.attack and unit.at in board.atlas.places and not unit.piece.train
            if able and not unit.piece.moved and outlook.near_enemy(unit.at) <= NEAR:
                found = self.ways[unit.id] = reachable_hexes(board, unit, TACTICAL)
                near = (hex for hex in found.cost if outlook.in_supply(unit, hex))
                if cautious is not None:
                    least = cautious(outlook, unit, unit.at) - VENTURE
                    near = (hex for hex in near if cautious(outlook, unit, hex) >= least)
                self.reach[unit.id] = frozenset([unit.at, *near])
        self.strengths: dict[tuple[str, HexId, HexId], Fraction] = {}
        self.points = tactical_points(board.state, self.side)

    def strikes(self, objective: HexId) -> int:
        """23.1.5 Return the points needed to strike a hex; 0 if there are too few or they cannot reach it."""
        steps = sum(unit.steps for unit in self.board.at(objective, ENEMY[self.side]) if not unit.card.hq)
        needed = 0 if not steps else 1 if steps <= STEPS else 2
        reached = needed <= self.points and airspace(self.board, objective, self.side) != "enemy"
        return needed if reached else 0

    def strength(self, unit: Unit, hex: HexId, objective: HexId) -> Fraction:
        """25.3.1.1 Return the strength that a unit would add from a hex."""
        key = (unit.id, hex, objective)
        if key not in self.strengths:
            self.strengths[key] = self._strength(unit, hex, objective)
        return self.strengths[key]

    def _strength(self, unit: Unit, hex: HexId, objective: HexId) -> Fraction:
        board, found = self.board, Fraction(unit.attack)
        if any(across_objections(board, hex, objective)):
            return Fraction(0)
        for factor in hexside_factors(board, board.atlas.hexside(hex, objective)):
            found *= factor.value
        armor = unit.card.armor and ground_of(board, objective).armor_halved
        weak = (unit.piece.cs_out, unit.piece.disrupted, board.atlas.places[objective].bridge, armor)
        return found * HALF ** sum(map(bool, weak))

    def groups(self, objective: HexId) -> Iterator[list[Unit]]:
        """26 Yield each set of units that could attack a hex together: a front with the independent units, or a
        nation.
        """
        beside = set(neighbours(objective))
        units = [self.board.units[id] for id, hexes in sorted(self.reach.items()) if hexes & beside]
        if self.side is Side.WP:
            keys = {unit.id: front(self.board, unit.card) for unit in units}
        else:
            keys = {unit.id: str(unit.card.nation) for unit in units}
        for key in sorted(set(keys.values()) - {""}) or [""]:
            yield [unit for unit in units if keys[unit.id] in ("", key)]


def targets(board: Board, outlook: Outlook) -> list[HexId]:
    """25.1.1 Return the hexes worth attacking: enemy stacks and the enemy's free cities."""
    enemy = ENEMY[outlook.side]
    held = {unit.at for unit in board.on_map(enemy)}
    cities = {hex for hex in board.atlas.cities if board.free_city(hex, enemy) and hex in outlook.goals}
    return sorted(held | cities)


def promised_column(board: Board, side: Side, objective: HexId, attack: int, *, struck: bool) -> int:
    """25.3, 25.5.1 Return the odds column of an attack with this strength, before any response."""
    battle = battle_of(board, side, objective, ())
    defense = defense_total(defense_rows(board, battle))
    basic = ODDS.index(basic_odds(attack, max(1, -(-defense * SOFTENED // 10)) if struck else defense))
    surprise = side is Side.WP and board.surprise()
    shift = max(-LIMIT, min(LIMIT, ground_of(board, objective).shift + surprise))
    return max(0, min(len(ODDS) - 1, basic + shift))


def assault(muster: Muster, objective: HexId) -> Assault | None:
    """Return the best assault on a hex with the remaining units; None if the odds would be poor."""
    board, best = muster.board, None
    for group in muster.groups(objective):
        found = gather(muster, objective, group)
        if found is not None and (best is None or found.column > best.column):
            best = found
    city = city_value(board, objective) if objective in muster.outlook.goals else 0
    if best is None or best.column < least_column(board, muster.side, objective, LEAST):
        return None
    steps = sum(unit.steps for unit in board.at(objective, ENEMY[muster.side]))
    worth = 8 * city + 2 * steps + muster.outlook.pull(objective) // 2 + 3 * min(best.column, ENOUGH)
    return Assault(objective, best.column, worth, best.places, best.points)


def gather(muster: Muster, objective: HexId, group: list[Unit]) -> Assault | None:
    """9.1.1 Place units, strongest first, each in the best spot next to the hex, until the odds are good."""
    board, side = muster.board, muster.side
    beside = [hex for hex in neighbours(objective) if hex in board.atlas.places]
    space = {hex: room(board, hex, side) for hex in beside}
    total, places, column = Fraction(0), list[tuple[str, HexId]](), 0
    points = muster.strikes(objective)
    for unit in sorted(group, key=lambda unit: (-unit.attack, unit.id)):
        own = [hex for hex in beside if hex in muster.reach[unit.id]]
        open_ = [hex for hex in own if hex == unit.at or space[hex] >= unit.steps]
        ranked = [(muster.strength(unit, hex, objective), hex == unit.at, hex) for hex in open_]
        if not ranked or not max(ranked)[0]:
            continue
        value, stays, hex = max(ranked)
        total += value
        places.append((unit.id, hex))
        space[hex] -= 0 if stays else unit.steps
        column = promised_column(board, side, objective, int(total), struck=points > 0)
        if column >= ENOUGH:
            break
    return Assault(objective, column, 0, tuple(places), points) if places else None


def mass_for_assaults(
    trial: Rehearsal, outlook: Outlook, units: list[Unit], number: int, cautious: Worth | None = None
) -> list[Move]:
    """Return moves for the best assaults; each uses only units that better assaults have not taken.

    A cautious side attacks only where its units give up little of the value that this function finds in a hex.
    """
    board, moves = trial.board, list[Move]()
    muster = Muster(board, outlook, units, cautious)
    waiting = {hex: assault(muster, hex) for hex in targets(board, outlook)}
    for _ in range(ASSAULTS):
        able = [found for found in waiting.values() if found is not None]
        if not able:
            break
        best = max(able, key=lambda found: (found.worth, found.objective))
        sent = {id for id, _ in best.places}
        moves += assault_moves(trial, muster, best, number + len(moves))
        for id in sorted(sent):
            muster.reach.pop(id, None)
        waiting.pop(best.objective)
        muster.points -= best.points
        for hex, found in waiting.items():
            if found is not None and (sent & {id for id, _ in found.places} or found.points > muster.points):
                waiting[hex] = assault(muster, hex)
    return moves


def assault_moves(trial: Rehearsal, muster: Muster, plan: Assault, number: int) -> list[Move]:
    """12.2 Return the moves of one assault that can actually be made."""
    moves: list[Move] = []
    for id, hex in plan.places:
        unit = trial.board.units[id]
        if hex == unit.at:
            unit.piece.moved = True  # it stays where it attacks from
            continue
        way = route(muster.ways[id], hex) or ("", hex)
        made, objections = trial.make(number + len(moves), Move(id, way[1:], TACTICAL))
        if not objections:
            moves.append(made)
    return moves
