"""33.2, 29.8 Units that arrive in the Joint Reinforcement Phase.

33.2.1   RS: on a reserve site of the map
33.2.2   G: in the reinforcement box of a sector
33.2.4   A and S: in the Strategic Reserve Box
33.2.9   Lift Commands
29.8     reconstituted headquarters
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Appear
from pbem.engine.rules.table import Table
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.scenario import Arrival
from pbem.titles.nato.cards.units import Nation, Side, UnitType
from pbem.titles.nato.map.grid import HexId, distance
from pbem.titles.nato.movement.rail import ENTRAINED, capacity, entrained_steps
from pbem.titles.nato.nerves.markers import due
from pbem.titles.nato.state import SRB, NatoState, Piece
from pbem.titles.nato.supply.cities import free_cities_in_supply
from pbem.titles.nato.supply.headquarters import superior


def rail_boxes(board: Board, side: Side) -> list[str]:
    """13.6 Return the boxes of friendly sectors in which a rail reinforcement may wait."""
    sectors = (1, 2) if side is Side.NATO else (4, 3, 5)
    return [f"sector{sector}" for sector in sectors if board.atlas.sectors.get(sector)]


def due_by_rail(board: Board, side: Side) -> list[str]:
    """33.2.3 Return the rail reinforcements of a side that arrive this turn."""
    by_rail = [arrival for arrival in board.data.scenario.arrivals if arrival.kind == "RR" and due(board, arrival)]
    here = [arrival.unit for arrival in by_rail if arrival.unit in board.state.awaited]
    return [id for id in here if board.data.units[id].side is side]


def receive_lifts(table: Table[NatoState], board: Board) -> None:
    """33.2.9 Put the Lift Commands that arrive this turn into the Ready boxes of their side."""
    for side, lift in board.data.scenario.lift_arrivals.get(table.state.turn, {}).items():
        ready = table.state.lift_ready.setdefault(side, {})
        for kind, number in msgspec.structs.asdict(lift).items():
            if number:
                ready[kind] = ready.get(kind, 0) + number
                table.find("33.2.9", inputs={"side": side, "kind": kind}, result=number)


def arrive(table: Table[NatoState], board: Board, boxes: Mapping[str, str]) -> None:
    """33.0 Bring in the units due this turn, each as its entry code says; trains wait in the boxes chosen."""
    for arrival in board.data.scenario.arrivals:
        if arrival.unit in table.state.awaited and due(board, arrival):
            bring_in(table, board, arrival, boxes)


def bring_in(table: Table[NatoState], board: Board, arrival: Arrival, boxes: Mapping[str, str]) -> None:
    """33.2 Place one reinforcement, or eliminate it if its convoy or its site is lost."""
    state, card, place = table.state, board.data.units[arrival.unit], entry(arrival)
    if arrival.kind == "RR":
        place = boxes.get(arrival.unit) or next(iter(rail_boxes(board, card.side)), SRB)
    state.awaited.remove(arrival.unit)
    left = card.steps - convoy_losses(table, board, arrival)
    if place in state.sites_lost or place in state.nuclear or not left:
        state.lost[arrival.unit] = state.turn
        if left:
            rule = "33.2.1.1" if place in state.nuclear else "33.2.1.2"
            table.find(rule, inputs={"unit": arrival.unit, "hex": place}, result="eliminated")
        return
    fits = entrained_steps(board, card.side) + left <= capacity(board, card.side)
    train = ENTRAINED if arrival.kind == "RR" and fits else ""  # 13.6, 13.3
    board.arrive(Piece(id=arrival.unit, at=place, train=train, reduced=left < card.steps))
    inputs = {"unit": arrival.unit, "side": card.side, "code": arrival.code}
    why = list(arrival_reasons(arrival, place))
    table.find("33.2", inputs=inputs, result=place, shows=[Appear(arrival.unit, place)], children=why)


ENTRIES = {"RS": "33.2.1", "G": "33.2.2", "RR": "33.2.3", "A": "33.2.4", "S": "33.2.5"}


def arrival_reasons(arrival: Arrival, place: str) -> Iterator[Finding]:
    """33.0, 33.2, 33.4 to 33.6 Yield the meaning of the entry code of an arriving unit."""
    yield Finding("33.0", inputs={"turn": arrival.turn}, result=arrival.unit)
    yield Finding("3.2.9", inputs={"unit": arrival.unit}, result=arrival.code)
    yield Finding(ENTRIES[arrival.kind], inputs={"unit": arrival.unit}, result=place)
    yield Finding("33.5", inputs={"unit": arrival.unit}, result="supplied")
    if arrival.unit == "US-III":
        yield Finding("33.2.1.3", result=place)
    if not place.isdecimal():
        yield Finding("33.4", inputs={"unit": arrival.unit}, result="may wait")
    if place == SRB:
        yield Finding("33.6", inputs={"unit": arrival.unit}, result="cannot be attacked")


def convoy_losses(table: Table[NatoState], board: Board, arrival: Arrival) -> int:
    """33.2.6 The steps of a US or Canadian sea reinforcement that are intercepted in the Atlantic."""
    card = board.data.units[arrival.unit]
    if arrival.kind != "S" or card.nation is not Nation.US or not table.state.turn:  # 33.2.6: not in peace
        return 0
    value, lost = board.data.charts.interception(Side.NATO, "friendly", "surprise", table.state.turn), 0
    for step in range(card.steps if value is not None else 0):
        dice = [table.roll(6, "33.2.6", card.id, str(step + 1)) for _ in range(2)]
        hit = value is not None and sum(dice) <= value
        lost += hit
        inputs = {"unit": card.id, "value": value}
        table.find("33.2.6", inputs=inputs, dice=dice, result="intercepted" if hit else "through")
    return lost


def entry(arrival: Arrival) -> str:
    """3.2.9 The place of arrival that an entry code stands for."""
    return arrival.hex or (f"sector{arrival.sector}" if arrival.sector else SRB)


def reconstitute(table: Table[NatoState], board: Board, places: Mapping[str, str]) -> None:
    """29.8 Return eliminated headquarters to supplied free cities away from the enemy, where there are any."""
    state = table.state
    for id, turn in sorted(state.returning.items()):
        if turn > state.turn:
            continue
        card = board.data.units[id]
        free = hq_places(board, card)
        if not free:
            table.find("29.8", inputs={"unit": id}, result="waits")
            continue
        hex = places[id] if places.get(id) in free else free[0]
        del state.returning[id]
        state.lost.pop(id, None)
        board.arrive(Piece(id=id, at=hex))
        table.find("29.8", inputs={"unit": id}, result=hex, shows=[Appear(id, hex)])


def hq_places(board: Board, card: UnitType) -> list[HexId]:
    """29.8 Return the hexes where a headquarters can be reconstituted, nearest to its troops first."""
    side = card.side
    troops = [unit.at for unit in board.on_map(side) if unit.maneuver and superior(board, unit, card)]
    cities = [
        hex
        for hex in sorted(free_cities_in_supply(board, side))
        if not board.adjacent_enemy(hex, side)
        and hex not in board.state.nuclear  # 21.1.3: only hard units enter such a hex
        and not any(unit.card.hq for unit in board.at(hex, side))
        and (not card.multinational or hex in board.atlas.baltap)
    ]
    return sorted(cities, key=lambda hex: (sum(distance(hex, at) for at in troops), hex))
