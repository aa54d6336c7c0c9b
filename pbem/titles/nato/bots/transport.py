"""How a bot uses trains, aircraft, ships and helicopters: reserves go to the front, marines to a weak coast.

transport_moves   orders for units that are better transported than moved on the ground
resupply_hex      the hex where a resupply operation helps most
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.bots.goals import Outlook
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import HexId, distance, neighbours
from pbem.titles.nato.movement.rail import (
    ENTRAINED,
    capacity,
    entrained_steps,
    rail_objections,
    train_objections,
)
from pbem.titles.nato.movement.rehearsal import Rehearsal
from pbem.titles.nato.player.orders import Move
from pbem.titles.nato.state import ENEMY, SRB
from pbem.titles.nato.zones.airspace import open_airspace
from pbem.titles.nato.zones.stacking import room

FAR_BEHIND = 9
"""The distance from the enemy, in hexes, at which a unit leaves its train."""
BY_ROAD = 16
"""The distance from the enemy, in hexes, beyond which rail beats road: a turn of entraining costs a march."""
RAIL_END = 5
"""How near the enemy a train stops."""
TRIED = 4
"""The number of destinations tried for one unit."""


def transport_moves(trial: Rehearsal, units: list[Unit], outlook: Outlook, *, bold: bool) -> list[Move]:
    """Return orders for trains, ferries, lifts and helicopters, each legal after the earlier ones."""
    made: list[Move] = []
    for id in [unit.id for unit in sorted(units, key=lambda unit: unit.card.hq)]:  # 16.2.4: marines land first
        unit = trial.board.units.get(id)
        if unit is None or not unit.piece.active or unit.piece.moved:
            continue
        for move in transport_orders(trial.board, unit, outlook, bold=bold):
            if move.path and not fits(trial.board, unit, move.path[-1]):
                continue
            whole, objections = trial.make(len(made), move)
            if not objections:
                made.append(whole)
                break
    return made


def transport_orders(board: Board, unit: Unit, outlook: Outlook, *, bold: bool) -> Iterator[Move]:
    """Yield the orders worth trying for one unit, best first."""
    if unit.piece.train and outlook.near_enemy(unit.at) <= FAR_BEHIND:
        yield Move(unit.id, (), "detrain")
    elif unit.piece.train == ENTRAINED:
        yield from by_rail(board, unit, outlook)
    elif unit.piece.train and crowded_out(board, unit):
        yield Move(unit.id, (), "detrain")
    elif unit.piece.train or (unit.card.a_unit and not board.data.plays("ferry")):
        return
    elif unit.card.a_unit and unit.at in (SRB, "sector1", "sector2", "sector3", "sector4", "sector5"):
        yield from by_air(board, unit, outlook)
    elif unit.card.marine and bold:
        yield from by_sea(board, unit, outlook) if unit.maneuver else behind_marines(board, unit)
    elif wants_train(board, unit, outlook):
        yield Move(unit.id, (), "entrain")


def fits(board: Board, unit: Unit, hex: HexId) -> bool:
    """9.1.1 Return whether a unit fits in a hex; a box has room for everything."""
    if hex not in board.atlas.places:
        return True
    others = board.at(hex, unit.side)
    if unit.card.hq:
        return not any(other.card.hq for other in others)
    if unit.card.artillery:
        return not any(other.card.artillery for other in others)
    return unit.steps <= room(board, hex, unit.side)


# --- 13 rail --------------------------------------------------------------------------------------------------


def wants_train(board: Board, unit: Unit, outlook: Outlook) -> bool:
    """13.1 Return whether a unit is far enough behind the front to spend a turn entraining."""
    if not board.data.plays("rail") or any(train_objections(board, unit)) or unit.card.home_bound:
        return False
    if crowded_out(board, unit):
        return False
    return unit.at == SRB or (unit.at in board.atlas.places and outlook.near_enemy(unit.at) > BY_ROAD)


def crowded_out(board: Board, unit: Unit) -> bool:
    """13.3 Return whether the railways have no capacity left for a unit that is entraining."""
    return entrained_steps(board, unit.side) + unit.steps > capacity(board, unit.side)


def by_rail(board: Board, unit: Unit, outlook: Outlook) -> Iterator[Move]:
    """13.2, 13.7 Yield rail moves towards the front: up to twenty hexes, or from the reserve box to a sector."""
    if unit.at == SRB:
        sectors = (1, 2) if unit.side is Side.NATO else (4, 3, 5)
        yield from (
            Move(unit.id, (f"sector{sector}",), "rail") for sector in sectors if board.atlas.sectors.get(sector)
        )
        return
    friendly = open_airspace(board, unit.side, contested=False)
    ends = [hex for hex in sorted(friendly) if RAIL_END <= outlook.near_enemy(hex) <= FAR_BEHIND]
    here = unit.at if unit.at in board.atlas.places else ""
    if here:
        ends = [hex for hex in ends if distance(here, hex) <= board.data.charts.number("rail")]
    free = [hex for hex in ends if board.atlas.places[hex].is_land and unit.steps <= room(board, hex, unit.side)]
    for hex in sorted(free, key=lambda hex: (-outlook.pull(hex), hex))[:TRIED]:
        if not any(rail_objections(board, unit, hex)):
            yield Move(unit.id, (hex,), "rail")
            return
    if here:
        yield Move(unit.id, (), "detrain")


# --- 14, 16 air and sea ---------------------------------------------------------------------------------------


def by_air(board: Board, unit: Unit, outlook: Outlook) -> Iterator[Move]:
    """14.1, 16.1 Yield ferries to the friendly cities nearest to the enemy, then lifts in case no ferry is legal."""
    cities = [hex for hex in board.atlas.cities if board.controller(hex) is unit.side and outlook.near_enemy(hex) > 1]
    near = sorted(cities, key=lambda hex: (outlook.near_enemy(hex), hex))[:TRIED]
    yield from (Move(unit.id, (hex,), "ferry") for hex in near)
    yield from (Move(unit.id, (hex,), "lift") for hex in near[:2])


def by_sea(board: Board, unit: Unit, outlook: Outlook) -> Iterator[Move]:
    """16.2.3 Yield landings next to weakly defended enemy cities."""
    enemy = ENEMY[unit.side]
    weak = [
        hex
        for hex in board.atlas.cities
        if board.free_city(hex, enemy) and sum(other.defense for other in board.at(hex, enemy)) <= unit.attack
    ]
    beaches = {
        near: hex
        for hex in weak
        for near in neighbours(hex)
        if near in board.atlas.places and board.atlas.places[near].is_coastal and not board.holds(near, enemy)
    }
    best = sorted(beaches, key=lambda hex: (-outlook.goals.get(beaches[hex], 0), hex))
    yield from (Move(unit.id, (hex,), "land") for hex in best[:TRIED])


def marines_ashore(board: Board, side: Side) -> list[HexId]:
    """16.2.4 Return the beaches in enemy territory that are held by marines of a side."""
    held = {unit.at for unit in board.on_map(side) if unit.card.marine and unit.maneuver}
    return [hex for hex in sorted(held) if board.atlas.places[hex].is_coastal and board.owner(hex) is not side]


def behind_marines(board: Board, unit: Unit) -> Iterator[Move]:
    """16.2.4 Yield landings of the Baltic Corps where marines hold a beach, unless it is ashore already."""
    ashore = unit.at in board.atlas.places and board.owner(unit.at) is not unit.side
    beaches = [] if ashore else marines_ashore(board, unit.side)
    most = sorted(beaches, key=lambda hex: (-len(board.at(hex, unit.side)), hex))
    yield from (Move(unit.id, (hex,), "land") for hex in most)


# --- 10.7 resupply --------------------------------------------------------------------------------------------


def resupply_hex(board: Board, side: Side) -> HexId:
    """10.7 Return the hex with the most steps out of supply, or an empty string."""
    steps: dict[HexId, int] = {}
    for unit in board.on_map(side):
        if unit.piece.ms_out and not unit.card.hq:
            steps[unit.at] = steps.get(unit.at, 0) + unit.steps
    return max(steps, key=lambda hex: (steps[hex], hex), default="") if board.data.plays("resupply") else ""
