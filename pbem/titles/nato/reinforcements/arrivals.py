"""33.2, 29.8 Units that arrive in the Joint Reinforcement Phase.

33.2.1   RS: on a reserve site of the map
33.2.2   G: in the reinforcement box of a sector
33.2.4   A and S: in the Strategic Reserve Box
29.8     reconstituted headquarters
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Appear
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.scenario import Arrival
from pbem.titles.nato.cards.units import Nation, Side, UnitType
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


class HqAbout(msgspec.Struct, frozen=True):
    """29.8 The headquarters that comes back."""

    unit: str


class HqPlace(Choosing[str], kind="hq place", rule="29.8"):
    """29.8 The city in which a headquarters is reconstituted."""

    Answer = str
    About = HqAbout
    grade = "detail"

    def options(self) -> Iterator[str]:
        yield from hq_places(self.board, self.data.units[self.about.unit])

    def default(self) -> str:
        return next(self.options())

    def objections(self, answer: str) -> Iterator[Objection]:
        if answer not in list(self.options()):
            yield Objection(
                "29.8", f"{answer} is not a supplied free city away from the enemy and other headquarters"
            )


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
        left = card.steps - convoy_losses(table, board, arrival)
        if place in state.sites_lost or place in state.nuclear or not left:
            state.lost[arrival.unit] = state.turn
            if left:
                rule = "33.2.1.1" if place in state.nuclear else "33.2.1.2"
                table.find(rule, inputs={"unit": arrival.unit, "hex": place}, result="eliminated")
        else:
            fits = entrained_steps(board, card.side) + left <= capacity(board, card.side)
            train = ENTRAINED if arrival.kind == "RR" and fits else ""  # 13.6, 13.3
            board.arrive(Piece(id=arrival.unit, at=place, train=train, reduced=left < card.steps))
            inputs = {"unit": arrival.unit, "side": card.side, "code": arrival.code}
            why = list(arrival_reasons(arrival, place))
            table.find("33.2", inputs=inputs, result=place, shows=[Appear(arrival.unit, place)], children=why)


ENTRIES = {"RS": "33.2.1", "G": "33.2.2", "RR": "33.2.3", "A": "33.2.4", "S": "33.2.5"}


def arrival_reasons(arrival: Arrival, place: str) -> Iterator[Finding]:
    """33.0, 33.2, 33.4 to 33.6 Yield what a code means for a unit that arrives."""
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
    """33.2.6 The steps of a US or Canadian sea reinforcement that are intercepted on the Atlantic."""
    card = board.data.units[arrival.unit]
    if arrival.kind != "S" or card.nation is not Nation.US:
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
    """3.2.9 The place that an entry code stands for."""
    return arrival.hex or (f"sector{arrival.sector}" if arrival.sector else SRB)


def reconstitute(table: Table[NatoState], board: Board) -> Step:
    """29.8 Eliminated headquarters come back in a supplied free city away from the enemy; else they wait."""
    state = table.state
    for id, turn in sorted(state.returning.items()):
        if turn > state.turn:
            continue
        card = board.data.units[id]
        if not hq_places(board, card):
            table.find("29.8", inputs={"unit": id}, result="waits")
            continue
        hex = yield HqPlace.asked(board.data.seat_of(card.side), subject=id, about=HqAbout(id))
        del state.returning[id]
        state.lost.pop(id, None)
        board.arrive(Piece(id=id, at=hex))
        table.find("29.8", inputs={"unit": id}, result=hex, shows=[Appear(id, hex)])


def hq_places(board: Board, card: UnitType) -> list[HexId]:
    """29.8 Return where a headquarters can be reconstituted, nearest to its own troops first."""
    side = card.side
    troops = [unit.at for unit in board.on_map(side) if unit.maneuver]
    cities = [
        hex
        for hex in sorted(free_cities_in_supply(board, side))
        if not board.adjacent_enemy(hex, side)
        and not any(unit.card.hq for unit in board.at(hex, side))
        and (not card.multinational or hex in board.atlas.baltap)
    ]
    return sorted(cities, key=lambda hex: (min((distance(hex, at) for at in troops), default=0), hex))
