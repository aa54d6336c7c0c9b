"""How a bot moves: one unit after the other, each to the best hex that it can reach.

attack_worth    move towards the cities, next to an enemy that can be beaten
defense_worth   hold cities and good ground between the enemy and the cities
hq_worth        keep headquarters behind their troops, out of reach of the enemy
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from pbem.engine.geometry.paths import Paths, route
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.bots.goals import FAR, Outlook, cover, last_chance, threat_at
from pbem.titles.nato.bots.massing import mass_for_assaults
from pbem.titles.nato.bots.transport import fits, transport_moves
from pbem.titles.nato.map.atlas import WEST_BERLIN
from pbem.titles.nato.map.grid import HexId, distance, neighbours
from pbem.titles.nato.movement.costs import MARCH, MINIMUM, TACTICAL
from pbem.titles.nato.movement.moves import mode_objections, reachable_hexes
from pbem.titles.nato.movement.positions import falls_back
from pbem.titles.nato.movement.rehearsal import Rehearsal
from pbem.titles.nato.movement.segments import DETRAIN
from pbem.titles.nato.player.orders import Move
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.zones.stacking import excess

Worth: TypeAlias = Callable[[Outlook, Unit, HexId], int]
STAY = 1
"""The value that a move must exceed to be made."""
STAND_OFF = 3
"""The preferred distance of a headquarters behind the front, in hexes from the enemy."""
EXPOSED = 10
"""The value that a headquarters loses in a hex without troops that the enemy can reach."""
GRADE, GOOD_ODDS = 8, 30
"""The value of even odds against a hex that a unit stands beside, and the most that odds are worth."""
QUIET = 4
"""The distance from the enemy, in hexes, beyond which a unit considers marching."""


def plan_moves(trial: Rehearsal, units: list[Unit], *, bold: bool, reserve: bool = False) -> list[Move]:
    """Return orders for all units: combat units nearest to the enemy first, headquarters last."""
    board, moves = trial.board, list[Move]()
    outlook = Outlook(board, trial.side)
    if not reserve and not board.state.gdp_army:
        moves += transport_moves(trial, units, outlook, bold=bold)
    carried = {move.unit for move in moves if move.mode != DETRAIN}
    units = [unit for unit in units if unit.id not in carried and not garrison(unit)]

    def front(unit: Unit) -> tuple[bool, int, str]:
        first = unit.card.hq if bold else unit.maneuver
        return not first, outlook.near_enemy(unit.at), unit.id

    if not bold and not reserve and board.state.turn:
        spared = None if last_chance(board, trial.side) else defense_worth
        moves += mass_for_assaults(trial, outlook, [board.units[each.id] for each in units], len(moves), spared)
    led = False
    for unit in sorted((board.units[each.id] for each in units), key=front):
        if bold and not led and not unit.card.hq:
            led, outlook = True, Outlook(board, trial.side)  # supply as it is after the headquarters have moved
            if not reserve and board.state.turn:
                moves += mass_for_assaults(trial, outlook, [board.units[each.id] for each in units], len(moves))
        if unit.piece.train or unit.piece.moved:
            continue
        worth = hq_worth if not unit.maneuver else attack_worth if bold else defense_worth
        move = best_move(outlook, unit, worth, reserve=reserve) or Move(unit.id)
        for order in (hold_back(board, unit, move, reserve=reserve), move):
            if order is not None and (order.path or order.reserve):
                made, objections = trial.make(len(moves), order)
                if not objections:
                    moves.append(made)
                    break
    return moves


def garrison(unit: Unit) -> bool:
    """31.1.1 Return whether a unit must guard West Berlin: if it left, it would have no supply and the city would
    fall.
    """
    return unit.card.berlin and unit.at == WEST_BERLIN


def hold_back(board: Board, unit: Unit, move: Move, *, reserve: bool) -> Move | None:
    """28.1 Return the same move with the unit placed in reserve; None if that is impossible."""
    if reserve or board.state.gdp_army or not unit.card.hard or board.state.turn == 0:
        return None
    return Move(unit.id, move.path, move.mode, reserve=True)


def best_move(outlook: Outlook, unit: Unit, worth: Worth, *, reserve: bool = False) -> Move | None:
    """Return the best hex in reach by tactical movement or march, or None to stay."""
    board = outlook.board
    stays = unit.at in board.atlas.places and not excess(board, unit.at, unit.side)  # 9.1.3
    best, chosen = worth(outlook, unit, unit.at) + STAY if stays else -1000, None
    for mode, found, hexes in ends(outlook, unit, reserve=reserve):
        for hex in hexes:
            if board.state.gdp_army and falls_back(board, unit, hex):
                continue
            if fits(board, unit, hex) and (value := worth(outlook, unit, hex)) > best:
                best, chosen = value, (mode, found, hex)
    return by_way(unit, *chosen) if chosen is not None else None


def by_way(unit: Unit, mode: str, found: Paths[str], hex: HexId) -> Move:
    """Return a move with its complete path, so that the path need not be searched for again."""
    return Move(unit.id, (route(found, hex) or ("", hex))[1:], mode)


def ends(outlook: Outlook, unit: Unit, *, reserve: bool) -> Iterator[tuple[str, Paths[str], list[HexId]]]:
    """Yield the modes that a unit can use, with their paths and the hexes that each can reach.

    A unit that is disrupted, suppressed or in a strike hex moves one hex at most (12.5.1).
    """
    board = outlook.board
    if any(mode_objections(board, unit, TACTICAL, reserve=reserve)):
        found = reachable_hexes(board, unit, MINIMUM, reserve=reserve)
        yield MINIMUM, found, [hex for hex in found.cost if hex != unit.at]
        return
    found = reachable_hexes(board, unit, TACTICAL, reserve=reserve)
    yield TACTICAL, found, [hex for hex in found.cost if hex != unit.at]
    away = outlook.near_enemy(unit.at) if unit.at in board.atlas.places else FAR
    if not reserve and not board.state.gdp_army and not unit.card.hq and away > QUIET:
        marched = reachable_hexes(board, unit, MARCH)
        yield MARCH, marched, [hex for hex in marched.cost if hex != unit.at and hex not in found.cost]


# --- the value of a hex -----------------------------------------------------------------------------------------


def attack_worth(outlook: Outlook, unit: Unit, hex: HexId) -> int:
    """Return the value of an attacking position: near the cities, next to an enemy that can be beaten, and in
    supply.
    """
    worth = outlook.pull(hex, outlook.aims.get(unit.id, "")) + cover(outlook.board, hex)
    worth += outlook.hold(unit, hex)
    if outlook.near_enemy(hex) <= 2 or any(near in outlook.goals for near in neighbours(hex)):
        worth += max((prize(outlook.board, unit, near) for near in neighbours(hex)), default=0)
    return worth if outlook.in_supply(unit, hex) else worth - 15


def prize(board: Board, unit: Unit, hex: HexId) -> int:
    """Return the value of a position next to an enemy hex, which is higher if friends are there already."""
    enemy = ENEMY[unit.side]
    if not board.holds(hex, enemy) and not board.free_city(hex, enemy):
        return 0
    defense = sum(other.defense for other in board.at(hex, enemy)) + 2 * board.free_city(hex, enemy)
    friends = sum(
        other.attack for near in neighbours(hex) for other in board.at(near, unit.side) if other.id != unit.id
    )
    return min(GOOD_ODDS, GRADE * (friends + unit.attack) // max(1, defense)) + 2


def defense_worth(outlook: Outlook, unit: Unit, hex: HexId) -> int:
    """Return the value of a defensive position: an endangered city or good ground, near friends and in supply."""
    board, side = outlook.board, unit.side
    worth = outlook.shield(unit, hex) + 2 * cover(board, hex)
    worth += min(3, sum(board.holds(near, side) for near in neighbours(hex)))
    if outlook.near_enemy(hex) <= 2:
        friends = sum(other.defense for other in board.at(hex, side) if other.id != unit.id)
        worth += 3 - max(0, threat_at(board, hex, side) - 5 * (friends + unit.defense)) // 3
    return worth if outlook.in_supply(unit, hex) else worth - 15


def hq_worth(outlook: Outlook, unit: Unit, hex: HexId) -> int:
    """Return the value of a hex for an HQ (behind its troops, many in range, no enemy near) or for artillery (at
    the front).
    """
    board, side = outlook.board, unit.side
    danger = 20 if board.adjacent_enemy(hex, side) or board.ezoc(hex, side) else 0
    if unit.card.artillery:
        escort = any(other.maneuver for other in board.at(hex, side))
        targets = sum(board.holds(near, ENEMY[side]) for near in neighbours(hex))
        return 8 * escort + 4 * min(1, targets) - (0 if escort else danger) - 2 * outlook.near_enemy(hex)
    followers = outlook.followers(unit)
    span = unit.card.support_range
    covered = sum(weight for other, weight in followers if distance(hex, other.at) <= span)
    guarded = 4 if any(other.maneuver for other in board.at(hex, side)) else 0
    if not guarded and outlook.near_enemy(hex) <= STAND_OFF:
        danger += EXPOSED
    total = sum(weight for _, weight in followers)
    spread = sum(weight * distance(hex, other.at) for other, weight in followers) // max(1, total)
    ahead = abs(outlook.near_enemy(hex) - STAND_OFF)
    return covered + guarded - danger - spread - 2 * ahead
