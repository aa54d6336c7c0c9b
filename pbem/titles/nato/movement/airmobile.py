"""18.1 to 18.3 Helicopter movement: insertion and extraction.

18.1.3   insertion_objections
18.1.4   extraction_objections
18.1.7   is_base: where a Helicopter Command may start empty and where it must return
27.1     assault_objections: landing on the enemy
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.nato.air.helicopters import flak_rolls, flight, flights
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import HexId, adjacent, distance, is_hex, within
from pbem.titles.nato.movement.costs import keep_out_objections, sector_of
from pbem.titles.nato.movement.lift import share_objections
from pbem.titles.nato.state import ENEMY, SRB
from pbem.titles.nato.supply.cities import city_in_supply
from pbem.titles.nato.supply.links import distances
from pbem.titles.nato.zones.coordination import attack_objections
from pbem.titles.nato.zones.stacking import room

FLY, EXTRACT = "fly", "extract"
HELICOPTER = "helicopter"


def leg(board: Board, *, reserve: bool) -> int:
    """18.1.1, 18.3 Return the length of one leg in hexes."""
    return board.data.charts.number("reserve_helicopter" if reserve else "helicopter")


def covered_by_others(board: Board, hex: HexId, unit: Unit) -> bool:
    """18.1.3 Return whether a free city or another ground unit negates an enemy zone of control in a hex."""
    side = unit.side
    return board.free_city(hex, side) or any(other.id != unit.id for other in board.at(hex, side))


def shut(board: Board, hex: HexId, unit: Unit) -> bool:
    """18.1.3 Return whether a hex is in an enemy zone of control that only the passenger could negate."""
    return board.ezoc(hex, unit.side) and not covered_by_others(board, hex, unit)


def base_links(board: Board, side: Side) -> dict[HexId, int]:
    """18.1.4 Return the hexes within one link of a supplied city that the side controls, free or conquered."""
    cities = [hex for hex in board.atlas.cities if board.controller(hex) is side and city_in_supply(board, hex)]
    return board.fact(("bases", side), lambda: distances(board, side, cities, board.data.charts.number("link")))


def is_base(board: Board, hex: HexId, unit: Unit) -> bool:
    """18.1.4, 18.1.7 Return whether an empty Helicopter Command may start or end in a hex."""
    place = board.atlas.places.get(hex)
    if place is None or place.is_sea or board.is_contaminated(hex) or board.controller(hex) is ENEMY[unit.side]:
        return False
    return not shut(board, hex, unit) and hex in base_links(board, unit.side)


def return_hexes(board: Board, unit: Unit, end: HexId, *, reserve: bool) -> Iterator[HexId]:
    """18.1.7 Yield the hexes to return to after an insertion: the destination, a base, or the map edge next to the
    unit's box.
    """
    if is_base(board, end, unit):
        yield end
        return
    limit, edge = leg(board, reserve=reserve), start_hexes(board, unit) if unit.at not in board.atlas.places else []
    yield from (hex for hex in within(end, limit) if is_base(board, hex, unit))
    yield from (hex for hex in edge if distance(end, hex) < limit)  # the box adds one hex


def way_home(board: Board, unit: Unit, end: HexId, *, reserve: bool) -> tuple[HexId, ...]:
    """18.1.7 Return the way back with the fewest flak rolls; of several such paths, the shortest."""
    ways = flights(board, unit.side, end, leg(board, reserve=reserve))
    homes = [ways[hex] for hex in return_hexes(board, unit, end, reserve=reserve) if hex in ways]
    return min(homes, default=(0, 0, ()))[2]


def pick_up(board: Board, unit: Unit, path: Sequence[HexId]) -> tuple[HexId, ...] | None:
    """18.1.4 Return the outbound leg of an extraction: from the base that the order names, or from the base with the
    least flak.
    """
    ways = flights(board, unit.side, unit.at, leg(board, reserve=False), unit.id, inward=True)
    named = [path[0]] if len(path) > 1 else list(ways)
    starts = [ways[hex] for hex in named if hex in ways and is_base(board, hex, unit)]
    return min(starts)[2] if starts else None


def common_objections(board: Board, unit: Unit, *, reserve: bool = False) -> Iterator[Objection]:
    """18.2, 15.1 Yield the objections to a unit as passenger and to the use of a Helicopter Command."""
    if not board.data.plays("helicopters"):
        yield Objection("18.0", say("the scenario has no Helicopter Commands"))
    if not unit.card.a_unit:
        yield Objection("18.2", say("only airborne and airmobile units can fly by helicopter"))
    if unit.piece.train:
        yield Objection("18.2.1", say("the unit is on a train"))
    if unit.piece.flown if reserve else unit.piece.moved:
        yield Objection("7.2", say("the unit has already moved"))
    if not unit.piece.active:
        yield Objection("35.2", say("the unit is not activated"))
    yield from share_objections(board, unit, HELICOPTER)
    if unit.at in board.atlas.places and board.is_contaminated(unit.at):
        yield Objection("18.2.1", say("{at} has a strike marker", at=unit.at))


def start_hexes(board: Board, unit: Unit) -> list[HexId]:
    """18.1.8 Return the starting hexes of a flight: the unit's hex, or the edge hexes of its box's sector."""
    if unit.at in board.atlas.places:
        return [unit.at]
    return list(board.atlas.sectors.get(sector_of(unit.at), ()))


def named_way(unit: Unit, path: Sequence[HexId], limit: int) -> bool:
    """18.1.5 Return whether a path named by a player leads hex by hex from the unit's hex and is within range."""
    steps = zip((unit.at, *path), path, strict=False)
    return 1 < len(path) <= limit and is_hex(unit.at) and all(adjacent(one, other) for one, other in steps)


def outbound(board: Board, unit: Unit, end: HexId, *, reserve: bool) -> tuple[HexId, ...] | None:
    """18.1.5 The path of the outbound leg with the fewest flak rolls."""
    limit, boxed = leg(board, reserve=reserve), unit.at not in board.atlas.places
    ways = []
    for start in start_hexes(board, unit):
        way = flight(board, unit.side, start, end, limit - boxed, unit.id)
        if way is not None:
            ways.append((start, *way) if boxed else way)
    return min(ways, key=lambda way: (flak_rolls(board, unit.side, way), len(way), way), default=None)


def insertion_objections(board: Board, unit: Unit, end: HexId, *, reserve: bool = False) -> Iterator[Objection]:
    """18.1.3, 18.1.6, 18.2.1 Yield the reasons why a unit cannot be flown to a hex."""
    side = unit.side
    yield from common_objections(board, unit, reserve=reserve)
    if unit.at == SRB:
        yield Objection("18.1.8", say("helicopters cannot start from the Strategic Reserve Box"))
        return
    if reserve and not unit.piece.reserve:
        yield Objection("18.3", say("the unit has no reserve marker"))
    if unit.piece.ms_out:
        yield Objection("18.2.1", say("the unit is out of movement supply"))
    if unit.piece.disrupted:
        yield Objection("18.2.1", say("the unit is disrupted"))
    if shut(board, unit.at, unit):
        yield Objection("18.1.3", say("{at} is in an enemy zone of control", at=unit.at))
    place = board.atlas.places.get(end)
    if place is None or place.is_sea or board.controller(end) is ENEMY[side] or board.is_contaminated(end):
        yield Objection("18.1.6", say("helicopters cannot land in {end}", end=end))
        return
    yield from keep_out_objections(board, unit, end)
    if board.holds(end, ENEMY[side]):
        if reserve:
            yield Objection("18.3", say("reserves cannot assault"))
        yield from assault_objections(board, unit, end)
    if outbound(board, unit, end, reserve=reserve) is None:
        yield Objection(
            "18.1.5", say("{end} is more than {leg} hexes away", end=end, leg=leg(board, reserve=reserve))
        )
    elif next(return_hexes(board, unit, end, reserve=reserve), None) is None:
        yield Objection("18.1.7", say("the helicopters could not return from {end}", end=end))


def extraction_objections(board: Board, unit: Unit, path: Sequence[HexId]) -> Iterator[Objection]:
    """18.1.4, 18.2.2 Yield the reasons why a unit cannot be picked up and flown to a hex behind the lines."""
    end = path[-1]
    yield from common_objections(board, unit)
    if unit.at not in board.atlas.places:
        yield Objection("18.1.4", say("the unit is not on the map"))
        return
    if not is_base(board, end, unit):
        yield Objection(
            "18.1.7", say("{end} is in an enemy zone of control or out of reach of a supplied city", end=end)
        )
        return
    limit = leg(board, reserve=False)
    if distance(unit.at, end) > limit:
        yield Objection("18.1.5", say("{end} is more than {limit} hexes away", end=end, limit=limit))
    if pick_up(board, unit, path) is None:
        yield Objection("18.1.4", say("no helicopters can fly from a base to the unit in {at}", at=unit.at))


def assault_objections(board: Board, unit: Unit, end: HexId) -> Iterator[Objection]:
    """27.1, 26.2.8 Yield the reasons why a unit cannot land on the enemy."""
    inside = board.at(end, unit.side)
    if board.is_city(end):
        yield Objection("27.1", say("a city cannot be assaulted"))
    if unit.maneuver and unit.steps > room(board, end, unit.side):
        yield Objection("27.1", say("at most four steps can assault {end}", end=end))
    together = [other for other in (*inside, unit) if other.maneuver]
    if unit.side is Side.NATO:
        if len({other.card.nation for other in together}) > 1:
            yield Objection("26.2.8", say("only units of one nation can assault together"))
    else:
        yield from attack_objections(board, unit.side, together)
