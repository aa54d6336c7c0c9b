"""T3 A possible set-up of a scenario before anything is chosen, for the picture on the page for new matches.

fill_example  the table with the scenario's terrain and usual platoons, as long as the set-up has not begun
"""

from __future__ import annotations

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.state import copy
from pbem.titles.tanks.data_set import LETTER, OTHER, SEATS
from pbem.titles.tanks.ground.geometry import Corners
from pbem.titles.tanks.setup.placing import OPPOSITE, deploy_objections, free_spots, spot_corners
from pbem.titles.tanks.setup.platoon import usual_platoon
from pbem.titles.tanks.setup.room import layout
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Piece, Status, Tank, TanksState


def fill_example(situation: Situation) -> TanksState:
    """T3 Return the view; before the set-up begins, add example terrain and platoons."""
    data, view = situation.data, situation.state
    if view.turn or view.tanks or view.pieces:
        return view
    table = copy(view)
    lay_terrain(Situation(data, table))
    attacker = data.scenario.attacker or SEATS[0]
    edge = data.scenario.edge or "north"
    table.edges = {OTHER[attacker]: edge, attacker: OPPOSITE[edge]}
    for seat in SEATS:
        line_up(Situation(data, table), seat)
    return table


def lay_terrain(situation: Situation) -> None:
    """T3.1 Place the scenario's fixed pieces, then those that players would place, where there is room for all."""
    table = situation.state
    scenario = situation.data.scenario
    spots = [(piece.kind, 10 * piece.at[0], 10 * piece.at[1], piece.heading) for piece in scenario.piece]
    for kind, x, y, heading in spots:
        table.pieces.append(Piece(f"{kind}-{len(table.pieces) + 1}", kind, Point(x, y), heading))
    kinds = ("wood",) * scenario.woods + ("building",) * scenario.buildings
    for kind, (x, y, heading) in zip(kinds, layout(situation, kinds) or (), strict=False):
        table.pieces.append(Piece(f"{kind}-{len(table.pieces) + 1}", kind, Point(x, y), heading))


def line_up(situation: Situation, seat: str) -> None:
    """T3.3 Place a seat's usual platoon along its edge."""
    data, table = situation.data, situation.state
    taken: list[Corners] = []
    for number, fielded in enumerate(usual_platoon(data, seat).tanks, start=1):
        tank = Tank(id=f"{LETTER[seat]}{number}", seat=seat, model=fielded.tank)
        free = free_spots(situation, tank, taken)
        spot = next((spot for spot in free if not any(deploy_objections(situation, tank, spot))), None)
        if spot is not None:
            tank.at, tank.heading, tank.status = Point(spot[0], spot[1]), spot[2], Status.LIVE
            taken.append(spot_corners(data, tank, spot))
            table.tanks[tank.id] = tank
