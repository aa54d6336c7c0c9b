"""35.8 The seat that decides for a side in a battle: the one with the most steps.

In a tie, or for a city without units, it is the seat of the objective's command zone, or else the theatre command.
"""

from __future__ import annotations

from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.commands.powers import commander_of
from pbem.titles.nato.state import Battle


def commander(board: Board, battle: Battle, side: Side) -> str:
    """35.8 Return the seat with the most steps; in a tie, that of the objective's command zone or of the theatre."""
    data, theatre = board.data, board.data.seat_of(side)
    if len(data.seats_of(side)) == 1:
        return theatre
    attacking = [board.units[id] for id in battle.attackers if id in board.units]
    units = attacking if side is battle.side else board.at(battle.objective, side)
    steps: dict[str, int] = {}
    for unit in units:
        seat = commander_of(board, unit.card)
        steps[seat] = steps.get(seat, 0) + unit.steps
    most = max(steps.values(), default=0)
    leading = [seat for seat, number in steps.items() if number == most]
    if len(leading) == 1:
        return leading[0]
    zone = str(board.atlas.places[battle.objective].zone)
    return zone if zone in data.seats_of(side) else theatre
