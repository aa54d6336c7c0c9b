"""10.4 Headquarters and supply: which HQ a unit belongs to, and which HQs can trace a line of supply.

10.4.4   superior: whether a unit may trace to an HQ
10.3.2   hq_sources: the hexes where the line of an HQ may end
10.2.2   hq_traces: any number of links, from city to city
10.4     can_supply: the marker of the HQ, as it was set in the HQ Supply Phase
10.4.2   reach: the hexes from which units can trace to an HQ
"""

from __future__ import annotations

from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Nation, Side, UnitType
from pbem.titles.nato.map.atlas import COPENHAGEN
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import Country, Zone, alliance
from pbem.titles.nato.supply.cities import city_in_supply, usable_cities
from pbem.titles.nato.supply.links import distances, is_chained

BALTIC_FRONT, BALTIC_CORPS = "BAF", "BC"
MULTINATIONAL = ("LJ", "LZ")
"""3.2.5.2 The multinational headquarters LANDJUT and LANDZEALAND."""

OVERSEAS = (Nation.US, Nation.UK)
"""10.3.2.1 Nations without a home country on the map."""


def independent(board: Board, card: UnitType) -> bool:
    """3.2.6.1 Return whether a Warsaw Pact unit belongs to no front, by its counter or by the scenario."""
    return card.independent or card.id in board.data.scenario.independents


def front(board: Board, card: UnitType) -> str:
    """3.2.6 Return the front of a Warsaw Pact unit; the Baltic Corps counts as part of the Baltic Front."""
    if independent(board, card) or card.territorial:  # 26.1.2
        return ""
    return BALTIC_FRONT if card.formation == BALTIC_CORPS else card.formation


def superior(board: Board, unit: Unit, hq: UnitType) -> bool:
    """10.4.4 Return whether a unit is subordinate to an HQ."""
    card = unit.card
    if card.side is not hq.side:
        return False
    if card.side is Side.NATO:
        if hq.id in MULTINATIONAL:  # 10.4.4.6
            return card.nation in (Nation.DK, Nation.WG) or card.formation in MULTINATIONAL
        return card.nation is hq.nation  # 3.2.5.2, 10.4.4.5
    if hq.id == BALTIC_CORPS:  # 3.2.6.2, 10.4.4.2, 10.4.4.3
        return independent(board, card) or card.baltic
    if hq.id == BALTIC_FRONT and board.data.merges_baltap and in_baltap(board, unit.at):  # 29.5.3
        return True
    return not front(board, card) or front(board, card) == hq.id  # 10.4.4.1


def in_baltap(board: Board, hex: HexId) -> bool:
    """29.5.3 Return whether a hex is in the BALTAP zone, where all units may count as Baltic Front."""
    return hex in board.atlas.places and board.atlas.places[hex].zone is Zone.BALTAP


def edge_hexes(board: Board, side: Side, country: Country | None = None, sector: int = 0) -> list[HexId]:
    """10.1.4 Return the map-edge hexes of a side's sectors, in one country or one sector, that no enemy occupies."""
    sectors = (1, 2) if side is Side.NATO else (3, 4, 5)  # 10.1.4/map-edge
    return [
        hex
        for number in sectors
        if sector in (0, number)
        for hex in board.atlas.sectors.get(number, ())
        if (country is None or board.atlas.places[hex].country is country)
        and not any(unit.side is not side for unit in board.at(hex))
    ]


def friendly_country(board: Board, country: Country | None, side: Side) -> bool:
    """10.1.5, 10.1.8 Return whether a country belongs to the side and has not surrendered."""
    return country is not None and alliance(country) is side and country not in board.state.surrendered


def hq_sources(board: Board, hq: UnitType) -> frozenset[HexId]:
    """10.3.2 Return the hexes where the last link of an HQ's line may end."""
    key = hq.nation if hq.side is Side.NATO and hq.id not in MULTINATIONAL else hq.id in MULTINATIONAL
    return board.fact(("hq sources", hq.side, key), lambda: frozenset(_hq_sources(board, hq)))


def _hq_sources(board: Board, hq: UnitType) -> list[HexId]:
    side, places = hq.side, board.atlas.places
    found = [
        hex
        for hex in board.atlas.ports
        if board.friendly_port(hex, side) and friendly_country(board, places[hex].country, side)
    ]
    if hq.nation in OVERSEAS:  # 10.3.2.1
        return found + edge_hexes(board, side, sector=1)
    homes = home_countries(hq)
    found += [hex for hex in usable_cities(board, side) if places[hex].country in homes]  # 10.3.3.4
    if hq.id not in MULTINATIONAL:  # 10.3.2.2
        found += [hex for hex in edge_hexes(board, side) if places[hex].country in homes]
    return found


def home_countries(card: UnitType) -> tuple[Country, ...]:
    """10.1.6 Return the home countries of a unit; every country of the Warsaw Pact is home to all its units."""
    if card.side is Side.WP:
        return (Country.EG, Country.PL, Country.CS)
    if card.multinational:
        return (Country.WG, Country.DK)
    return (card.home,) if card.home is not None else ()


def hq_traces(board: Board, unit: Unit) -> bool:
    """10.2.2, 10.4 Return whether an HQ can trace a line of supply now."""
    if unit.at not in board.atlas.places:
        return True  # 10.5.6
    return board.fact(("hq", unit.id), lambda: _hq_traces(board, unit))


def _hq_traces(board: Board, unit: Unit) -> bool:
    ends, limit = hq_sources(board, unit.card), board.data.charts.number("link")
    if is_chained(board, unit.side, unit.at, ends, limit):
        return True
    return unit.card.id == BALTIC_CORPS and copenhagen_reaches(board, unit.at)


def copenhagen_reaches(board: Board, hex: HexId) -> bool:
    """10.3.3.6 Return whether Copenhagen, once conquered, supplies a hex on Zealand or Lolland."""
    places = board.atlas.places
    if hex not in places or COPENHAGEN not in places or places[hex].island not in ("Zealand", "Lolland"):
        return False
    if board.controller(COPENHAGEN) is not Side.WP or not city_in_supply(board, COPENHAGEN):
        return False
    limit = board.data.charts.number("link")
    return hex in board.fact("copenhagen", lambda: distances(board, Side.WP, (COPENHAGEN,), limit))


def can_supply(board: Board, hq: Unit, *, airspace: bool = False) -> bool:
    """10.4.2, 10.4.4.7 Return whether an HQ can supply others: it is marked as supplied and is not on a train."""
    if hq.piece.train:  # 10.4.4.7, 13.4.6, 29.4
        return False
    if airspace and hq.id == BALTIC_CORPS:  # 10.9.3: sea supply alone is not enough
        return hq.piece.supplied and hq_traces(board, hq)
    return hq.piece.supplied or (airspace and hq.piece.unpaid)  # 10.8.3, 10.4.3.1


def reach(board: Board, hq: Unit) -> dict[HexId, int]:
    """3.4.2, 29.3 Return the hexes within support range of an HQ along unblocked paths; none if the HQ is off the
    map.
    """
    if hq.at not in board.atlas.places:
        return {}
    return board.fact(("reach", hq.id), lambda: distances(board, hq.side, (hq.at,), hq.card.support_range))


def supplying_hq(board: Board, unit: Unit, *, airspace: bool = False) -> Unit | None:
    """10.1.9 A supplied superior HQ to which a unit can trace within the HQ's support range, or None."""
    for hq in headquarters(board, unit.side):
        if (  # 29.3
            can_supply(board, hq, airspace=airspace)
            and superior(board, unit, hq.card)
            and unit.at in reach(board, hq)
        ):
            return hq
    return None


def headquarters(board: Board, side: Side) -> list[Unit]:
    """Return the HQs of a side on the map."""
    return board.fact(("hqs", side), lambda: [unit for unit in board.on_map(side) if unit.card.hq])
