"""T3 Places: where terrain may be placed and where tanks may start.

T3.1    place_objections, default_spots
T3.3    deploy_objections, free_spots
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from pbem.engine.geometry.plane import Point
from pbem.engine.play.choice import Choice
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.ground.geometry import Body, Corners, corners, is_bearing, near, on_table, shares_ground
from pbem.titles.tanks.ground.terrain import card_corners, obstacles, piece_corners
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank

OPPOSITE: Final = {"north": "south", "south": "north", "east": "west", "west": "east"}


INWARD: Final = {"north": 180, "east": 270, "south": 0, "west": 90}
"""The heading away from an edge."""


Spot = tuple[int, int, int]


GRID: Final = 500
FINE_GRID: Final = 100


SPACING: Final = 1000
"""The gap between tanks that are placed automatically, while there is room."""


def default_spots(data: TanksData, kind: str) -> Iterator[Spot]:
    """T3.1 Possible places, row by row, starting one arrow from the north-west corner.

    A coarse grid comes first, then every centimetre, with the piece upright and turned.
    """
    row = data.kinds[kind]
    margin, table = data.scenario.arrow + 10, data.scenario.table
    for grid, heading in ((GRID, 0), (FINE_GRID, 0), (FINE_GRID, 90)):
        width, length = (row.width, row.length) if heading == 0 else (row.length, row.width)
        left, top = margin + 5 * width, margin + 5 * length
        rows = range(top, table - top + 1, grid)
        yield from ((x, y, heading) for y in rows for x in range(left, table - left + 1, grid))


def place_objections(situation: Situation, kind: str, spot: Spot) -> Iterator[Objection]:
    """T3.1 Object unless a piece is more than one arrow from the table edge and from every other piece."""
    data = situation.data
    arrow, table = data.scenario.arrow, data.scenario.table
    yield from heading_objections(spot)
    card = card_corners(data, kind, Point(spot[0], spot[1]), spot[2])
    if not all(arrow < corner.x < table - arrow and arrow < corner.y < table - arrow for corner in card):
        yield Objection("T3.1", say("the piece must be more than one arrow from the table edge"))
    for piece in situation.state.pieces:
        if near(card, piece_corners(data, piece), arrow):
            yield Objection("T3.1", say("the piece must be more than one arrow from {piece}", piece=piece.id))


def heading_objections(spot: Spot) -> Iterator[Objection]:
    """T3.1, T3.3 The objection to a heading that is not a bearing."""
    if not is_bearing(spot[2]):
        yield Objection("T3.3", say("give a bearing in whole degrees from 0 to 360"))


def random_spot(situation: Situation, kind: str, choice: Choice) -> Spot:
    data = situation.data
    while True:
        spot = (choice.below(data.scenario.table), choice.below(data.scenario.table), choice.below(360))
        if not any(place_objections(situation, kind, spot)):
            return spot


def spot_corners(data: TanksData, tank: Tank, spot: Spot) -> Corners:
    return corners(data.bodies[tank.model], Point(spot[0], spot[1]), spot[2])


def deploy_objections(situation: Situation, tank: Tank, spot: Spot) -> Iterator[Objection]:
    """T3.3 Object to a place that is off the table, more than one arrow from the seat's edge, or occupied."""
    data = situation.data
    hull = spot_corners(data, tank, spot)
    arrow, table = data.scenario.arrow, data.scenario.table
    yield from heading_objections(spot)
    if not on_table(hull, table):
        yield Objection("T3.3", say("the tank would not be on the table"))
    reach = {
        "north": max(corner.y for corner in hull),
        "south": table - min(corner.y for corner in hull),
        "west": max(corner.x for corner in hull),
        "east": table - min(corner.x for corner in hull),
    }
    edge = situation.state.edges[tank.seat]
    if reach[edge] > arrow:
        yield Objection("T3.3", say("the tank must be within one arrow of the {edge} edge", edge=edge))
    for obstacle in obstacles(situation, tank.id):
        if shares_ground(hull, obstacle.corners):
            yield Objection(obstacle.rule, say("the tank would overlap {obstacle}", obstacle=obstacle.name))


def free_spots(situation: Situation, tank: Tank, taken: Sequence[Corners]) -> Iterator[Spot]:
    """T3.3 Free places along the seat's edge, row by row from the middle outwards.

    Those for a tank that faces the enemy come first, then those for one that faces along the edge.
    """
    data = situation.data
    edge, half = situation.state.edges[tank.seat], data.scenario.table // 2
    for depth, turn in rows_for(data.bodies[tank.model], data.scenario.arrow):
        for step in (*range(0, half, SPACING), *range(0, half, FINE_GRID)):
            for x in dict.fromkeys((half + step, half - step)):
                spot = spot_at(edge, x, depth, turn, data.scenario.table)
                hull = spot_corners(data, tank, spot)
                if not any(shares_ground(hull, other) for other in taken):
                    yield spot


def rows_for(body: Body, arrow: int) -> Iterator[tuple[int, int]]:
    """T3.3 The rows of tanks that fit within one arrow of an edge: each row's depth, and how its tanks are turned."""
    for half, turn in ((body.length, 0), (body.width, 90)):
        depths = [*range(arrow - half, half - 1, -2 * half)]
        yield from ((depth, turn) for depth in dict.fromkeys((*depths, half) if depths else ()))


def most_tanks(data: TanksData, models: Iterable[str]) -> int:
    """T3.3 How many tanks as large as the largest of these models fit in rows along one edge."""
    bodies = [data.bodies[model] for model in models]
    length, width = max(2 * body.length for body in bodies), max(2 * body.width for body in bodies)
    arrow, table = data.scenario.arrow, data.scenario.table
    deep, broad = (length, width) if length <= arrow else (width, length)
    in_a_row = (table // SPACING) * (SPACING // (-(-broad // FINE_GRID) * FINE_GRID))
    return max(1, (arrow // deep) * in_a_row)


def spot_at(edge: str, along: int, depth: int, turn: int, table: int) -> Spot:
    """The place at given distances along an edge and from it, turned by an angle from facing inward."""
    x, y = {
        "north": (along, depth),
        "south": (along, table - depth),
        "west": (depth, along),
        "east": (table - depth, along),
    }[edge]
    return x, y, (INWARD[edge] + turn) % 360
