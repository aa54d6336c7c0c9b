"""10.3.1, 10.5, 10.6 Movement supply and combat supply of combat units.

10.3.1    the sources: home cities and map edge, friendly cities, superior HQs
10.5      movement_source
10.6      combat_source
10.6/35.7 no combat supply for NATO on the turn of surprise
"""

from __future__ import annotations

from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.atlas import WEST_BERLIN
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import Country
from pbem.titles.nato.supply.cities import usable_cities
from pbem.titles.nato.supply.headquarters import (
    copenhagen_reaches,
    edge_hexes,
    friendly_country,
    home_countries,
    supplying_hq,
)
from pbem.titles.nato.supply.links import distances


def movement_source(board: Board, unit: Unit, *, airspace: bool = False) -> str:
    """10.0, 10.1, 10.1.1 The source of a unit's movement supply: an HQ, `home`, `friendly`, a special source, or
    none.
    """
    if unit.at not in board.atlas.places:  # 10.5.6
        return "box"
    if hq := supplying_hq(board, unit, airspace=airspace):
        return hq.id
    if home_supply(board, unit):
        return "home"
    if friendly_supply(board, unit):
        return "friendly"
    return special_source(board, unit)


def combat_source(board: Board, unit: Unit) -> str:
    """10.6 Return a unit's combat supply source, or an empty string."""
    if unit.at not in board.atlas.places:
        return "box"
    if board.surprise() and unit.side is Side.NATO and unit.at != WEST_BERLIN:
        return ""  # 35.7
    if hq := supplying_hq(board, unit):
        return hq.id
    return "home" if home_supply(board, unit) else special_source(board, unit)


def home_supply(board: Board, unit: Unit) -> bool:
    """10.1.6, 10.3.1 rows 1 and 2 Whether a unit at home is within one link of a supplied city or the map edge
    there.
    """
    country = board.atlas.places[unit.at].country
    if country is None or country not in home_countries(unit.card) or country in board.state.surrendered:
        return False
    return unit.at in home_links(board, unit.side, country)


def home_links(board: Board, side: Side, country: Country) -> dict[HexId, int]:
    """10.1.6 The hexes within one link of the home sources in a country; for the Warsaw Pact, in all its
    countries.
    """
    if side is Side.WP:  # 10.8.4
        return board.fact("home wp", lambda: _links(board, side, [Country.EG, Country.PL, Country.CS]))
    return board.fact(("home", country), lambda: _links(board, side, [country]))


def _links(board: Board, side: Side, countries: list[Country]) -> dict[HexId, int]:
    cities = [hex for hex in sorted(usable_cities(board, side)) if board.atlas.places[hex].country in countries]
    edges = [hex for country in countries for hex in edge_hexes(board, side, country)]
    return distances(board, side, [*cities, *edges], board.data.charts.number("link"))


def friendly_supply(board: Board, unit: Unit) -> bool:
    """10.1.7, 10.3.1 row 3 Whether a unit in an allied country is within one link of any supplied free city."""
    if not friendly_country(board, board.atlas.places[unit.at].country, unit.side):
        return False
    return unit.at in city_links(board, unit.side)


def city_links(board: Board, side: Side) -> dict[HexId, int]:
    """10.1.7 Return the hexes within one link of any supplied free city of an alliance."""
    limit = board.data.charts.number("link")
    return board.fact(("cities", side), lambda: distances(board, side, usable_cities(board, side), limit))


def berlin_links(board: Board) -> dict[HexId, int]:
    """10.3.3.4 Return West Berlin and the hexes next to it from which a link can enter it."""
    return board.fact("next to Berlin", lambda: distances(board, Side.NATO, (WEST_BERLIN,), 1))


def special_source(board: Board, unit: Unit) -> str:
    """10.3.3.4, 10.3.3.6 A special source: West Berlin for its garrison, conquered Copenhagen for the islands."""
    if unit.card.berlin and board.is_unconquered(WEST_BERLIN, Side.NATO) and unit.at in berlin_links(board):
        return "West Berlin"
    return "Copenhagen" if unit.side is Side.WP and copenhagen_reaches(board, unit.at) else ""
