"""34 Victory: points, margin and level.

34.1    automatic: automatic victories
34.2    prizes, wp_points: cities at the end of the game
34.3.1  nato_city_points: Warsaw Pact cities, every Joint Status Phase
34.0    margin, level, count_points
"""

from __future__ import annotations

from pbem.engine.rules.table import Table
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.map.atlas import WEST_BERLIN
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import Country, alliance
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.supply.headquarters import headquarters, hq_traces, reach, superior
from pbem.titles.nato.supply.links import is_chained


def city_value(board: Board, hex: HexId) -> int:
    """30.0 Return the victory points of a city hex."""
    kind = board.city_class(hex)
    return board.data.charts.city(kind).vp if kind is not None else 0


def prizes(data: NatoData) -> dict[HexId, int]:
    """34.2 The NATO cities that can give the Warsaw Pact points, with their points, the largest first."""
    places, excluded = data.atlas.places, data.scenario.victory.excluded
    found: dict[HexId, int] = {}
    for hex in data.atlas.cities:
        country, kind = places[hex].country, places[hex].city_class
        if country is not None and kind is not None and alliance(country) is Side.NATO and hex not in excluded:
            found[hex] = data.charts.city(kind).vp
    return dict(sorted(((hex, points) for hex, points in found.items() if points), key=lambda one: (-one[1], one[0])))


def wp_cities(board: Board) -> list[HexId]:
    """34.2 The NATO cities that score for the Warsaw Pact: those conquered, or cut off from the western edge."""
    plan = board.data.scenario.victory
    return [
        hex
        for hex in board.atlas.cities
        if board.owner(hex) is Side.NATO and hex not in plan.excluded and counts(board, hex)
    ]


def counts(board: Board, hex: HexId) -> bool:
    """34.2 Return whether a city counts; Danish cities and West Berlin count only if conquered."""
    if board.controller(hex) is Side.WP:
        return True
    if not board.data.scenario.victory.isolated:
        return False
    if hex == WEST_BERLIN or board.atlas.places[hex].country is Country.DK:
        return False
    return not is_chained(board, Side.NATO, hex, west_edge(board), board.data.charts.number("link"))


def west_edge(board: Board) -> frozenset[HexId]:
    return frozenset(hex for sector in (1, 2) for hex in board.atlas.sectors.get(sector, ()))


def wp_points(board: Board) -> int:
    """34.2 Return the Warsaw Pact's final points: those already scored, plus its cities."""
    return board.state.points.get(Side.WP, 0) + sum(city_value(board, hex) for hex in wp_cities(board))


def nato_points(board: Board) -> int:
    """34.3 NATO's final points."""
    points = board.state.points.get(Side.NATO, 0)
    points += board.data.scenario.victory.division * len(lost_divisions(board))  # 34.5
    berlin = WEST_BERLIN in board.atlas.places and board.controller(WEST_BERLIN) is Side.NATO
    return points + (board.data.charts.number("berlin_vp") if berlin else 0)  # 34.3.2


def lost_divisions(board: Board) -> list[str]:
    """The Warsaw Pact divisions that have lost both steps."""
    cards = [board.data.units[id] for id in sorted(board.state.lost)]
    return [card.id for card in cards if card.side is Side.WP and card.maneuver and card.steps > 1]


def nato_city_points(board: Board) -> int:
    """34.3.1 The points for Warsaw Pact cities in NATO's hands."""
    held = [hex for hex in board.atlas.cities if board.owner(hex) is Side.WP and board.controller(hex) is Side.NATO]
    return sum(city_value(board, hex) for hex in held)


def forward_defense(board: Board) -> bool:
    """37.6.1 Return whether the Warsaw Pact controls no West German city, not counting West Berlin (31.1.5)."""
    cities = [hex for hex in board.atlas.cities_of(Country.WG) if hex != WEST_BERLIN]  # 31.1.5
    return all(board.controller(hex) is Side.NATO for hex in cities)


def points_of(board: Board) -> dict[str, int]:
    """34.2, 34.3 Return the points that both sides would have if the match ended now."""
    return {"wp": wp_points(board), "nato": nato_points(board)}


def margin(board: Board) -> int:
    """34.0 Warsaw Pact points minus NATO points."""
    return wp_points(board) - nato_points(board)  # 5.5


def level(board: Board, found: int) -> tuple[Side | None, str]:
    """34.0 Return the winner (None for a draw) and the level of victory for a margin."""
    row = board.data.scenario.victory.level(found)
    return row.winner, row.level


def count_points(table: Table[NatoState], board: Board) -> None:
    """34.0 Determine the margin and the level of victory."""
    found = margin(board)
    winner, name = level(board, found)
    points = points_of(board)
    table.find("34.0", inputs=points, cell=found, result=f"{winner or 'draw'} {name}".strip())
    why = f"{points['wp']} to {points['nato']} points" + (f", a {name} victory" if winner else "")
    table.end("34.0", winner, why, score=points, level=name)


# --- 34.1 automatic victory ----------------------------------------------------------------------------------


def automatic(board: Board) -> list[tuple[str, Side]]:
    """34.1 Return the automatic victories whose conditions are met now, each with its rule."""
    if not board.data.scenario.victory.automatic:
        return []
    found: list[tuple[str, Side]] = []
    if any(over_the_rhine(board, unit) for unit in board.on_map(Side.WP)):
        found.append(("34.1.1", Side.WP))
    held = [hex for hex in board.atlas.cities if board.owner(hex) is Side.WP and board.controller(hex) is Side.NATO]
    if len(held) >= 2:
        found.append(("34.1.2.1", Side.NATO))
    if WEST_BERLIN in board.atlas.places and any(relieves(board, unit) for unit in board.at(WEST_BERLIN, Side.NATO)):
        found.append(("34.1.2.2", Side.NATO))
    return found


def over_the_rhine(board: Board, unit: Unit) -> bool:
    """34.1.1 Whether a supplied WP maneuver unit is west of the Rhine and south of the Waal; airborne, airmobile and
    marine units do not count.
    """
    card = unit.card
    if not unit.maneuver or card.a_unit or card.marine or not board.atlas.places[unit.at].west_of_rhine:
        return False
    return any(unit.at in reach(board, hq) for hq in tracing(board, Side.WP) if superior(board, unit, hq.card))


def relieves(board: Board, unit: Unit) -> bool:
    """34.1.2.2 Whether a NATO maneuver unit in West Berlin can trace to an HQ that itself can trace supply."""
    return unit.maneuver and any(unit.at in reach(board, hq) for hq in tracing(board, Side.NATO))


def tracing(board: Board, side: Side) -> list[Unit]:
    """34.1 Return the HQs that units can trace to and that can trace supply themselves; none is on a train
    (13.4.6).
    """
    return [hq for hq in headquarters(board, side) if not hq.piece.train and hq_traces(board, hq)]
