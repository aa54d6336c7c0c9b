"""33.2, 29.8 Units that arrive in the Joint Reinforcement Phase.

33.2.1   RS: on a reserve site of the map
33.2.2   G: in the reinforcement box of a sector
33.2.4   A and S: in the Strategic Reserve Box
29.8     reconstituted headquarters
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.ask import Step
from pbem.engine.rules.happenings import Appear
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.scenario import Arrival
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import HexId, distance
from pbem.titles.nato.movement.rail import ENTRAINED, capacity, entrained_steps
from pbem.titles.nato.player.deciding import Choosing
from pbem.titles.nato.state import SRB, NatoState, Piece
from pbem.titles.nato.supply.cities import free_cities_in_supply


class RailBox(Choosing[str], kind="rail box", rule="13.6"):
    """13.6 The friendly sector in whose box a rail reinforcement waits."""

    Answer = str
    grade = "detail"

    def options(self) -> Iterator[str]:
        sectors = (1, 2) if self.side is Side.NATO else (4, 3, 5)
        yield from (f"sector{sector}" for sector in sectors if self.board.atlas.sectors.get(sector))

    def default(self) -> str:
        return next(self.options(), SRB)

    def objections(self, answer: str) -> Iterator[Objection]:
        if answer not in list(self.options()) and answer != self.default():
            yield Objection("13.6", f"{answer} is not the box of a friendly sector")


def arrive(table: Table[NatoState], board: Board) -> Step:
    """33.0 Bring in the units that are due this turn, each where its code says."""
    state = table.state
    for arrival in board.data.scenario.arrivals:
        if arrival.turn != state.turn or arrival.unit not in state.awaited:
            continue
        card = board.data.units[arrival.unit]
        place = entry(arrival)
        if arrival.kind == "RR":
            place = yield RailBox.asked(board.data.seat_of(card.side), subject=arrival.unit)
        state.awaited.remove(arrival.unit)
        if place in state.sites_lost or place in state.nuclear:  # 33.2.1.1, 33.2.1.2
            state.lost[arrival.unit] = state.turn
            table.find("33.2.1.2", inputs={"unit": arrival.unit, "hex": place}, result="eliminated")
        else:
            fits = entrained_steps(board, card.side) + card.steps <= capacity(board, card.side)
            train = ENTRAINED if arrival.kind == "RR" and fits else ""  # 13.6, 13.3
            board.arrive(Piece(id=arrival.unit, at=place, train=train))
            inputs = {"unit": arrival.unit, "side": card.side, "code": arrival.code}
            table.find("33.2", inputs=inputs, result=place, shows=[Appear(arrival.unit, place)])


def entry(arrival: Arrival) -> str:
    """3.2.9 The place that an entry code stands for."""
    return arrival.hex or (f"sector{arrival.sector}" if arrival.sector else SRB)


def reconstitute(table: Table[NatoState], board: Board) -> None:
    """29.8 Eliminated headquarters come back in a supplied free city away from the enemy; else they wait."""
    state = table.state
    for id, turn in sorted(state.returning.items()):
        if turn > state.turn:
            continue
        places = hq_places(board, board.data.units[id].side)
        if places:
            del state.returning[id]
            state.lost.pop(id, None)
            board.arrive(Piece(id=id, at=places[0]))
            table.find("29.8", inputs={"unit": id}, result=places[0], shows=[Appear(id, places[0])])


def hq_places(board: Board, side: Side) -> list[HexId]:
    """29.8 Return where a headquarters can be reconstituted, nearest to its own troops first."""
    troops = [unit.at for unit in board.on_map(side) if unit.maneuver]
    cities = [
        hex
        for hex in sorted(free_cities_in_supply(board, side))
        if not board.adjacent_enemy(hex, side) and not any(unit.card.hq for unit in board.at(hex, side))
    ]
    return sorted(cities, key=lambda hex: (min((distance(hex, at) for at in troops), default=0), hex))
