"""4.5 The markers of War of Nerves: measures, tension, alert, mobilization clocks and air operations.

4.5.1    MEASURES: war preparations, each taken once
4.5.3    clock_of, due: reinforcements arrive when the clock of their nation shows their turn
4.5.4    upgrades: expanded frontal air operations that are in effect
23.1.1   air_table: the table that a side rolls on; interception_table: its column of the Interception Table
"""

from __future__ import annotations

from typing import Final

from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.charts import AirTable
from pbem.titles.nato.cards.scenario import Arrival
from pbem.titles.nato.cards.units import Nation, Side, UnitType

SOVIET, ALLIES, NATO = "soviet", "allies", "nato"
CLOCKS: Final = (SOVIET, ALLIES, NATO)
"""4.5.3 The mobilization clocks."""

MEASURES: Final = {
    "mobilization": "Soviet mobilization",
    "allies": "maneuvers of the Warsaw Pact allies",
    "german": "East German maneuvers",
    "bloc": "maneuvers of the bloc",
    "eastern": "Soviet reinforcements for Eastern Europe",
    "air1": "expanded frontal air operations",
    "air2": "second expansion of frontal air operations",
}
"""4.5.1 War preparations of the Warsaw Pact."""

AIR: Final = ("air1", "air2")
EARLY: Final = ("1G", "1T")
"""4.5.1 Units that arrive earlier if Soviet reinforcements for Eastern Europe are chosen."""
BY_UPGRADES: Final[tuple[AirTable, ...]] = ("extended", "nerves", "surprise")
BY_ALERT: Final[tuple[AirTable, ...]] = (
    "surprise",
    "surprise",
    "surprise",
    "nerves",
    "nerves",
    "extended",
    "extended",
)


def clock_of(card: UnitType) -> str:
    """4.5.3.1 to 4.5.3.3 Return the clock that governs a unit's arrival."""
    if card.side is Side.NATO:
        return NATO
    return SOVIET if card.nation is Nation.SU else ALLIES


def due(board: Board, arrival: Arrival) -> bool:
    """33.0, 4.5.3 Return whether a reinforcement arrives now: by its turn or, in War of Nerves, by its clock."""
    if not board.data.plays("nerves"):
        return arrival.turn == board.state.turn
    turn = arrival.turn
    if arrival.unit in EARLY and "eastern" in board.state.measures:
        turn = max(1, turn - board.data.charts.number("eastern_earlier"))
    return board.state.clocks.get(clock_of(board.data.units[arrival.unit]), 0) >= turn


def upgrades(board: Board) -> int:
    """4.5.4 Return how many expansions of air operations are in effect; the outbreak of war cancels those still
    pending.
    """
    delay = board.data.charts.number("air_delay")
    taken = [board.state.measures[name] for name in AIR if name in board.state.measures]
    return sum(turn + delay <= board.state.peace for turn in taken)


def air_table(board: Board, side: Side) -> AirTable:
    """23.1.1 Return a side's Air Campaign Table, which depends on air operations, the alert level or the scenario."""
    if not board.data.plays("nerves"):
        return board.data.scenario.air.table
    return BY_UPGRADES[upgrades(board)] if side is Side.WP else BY_ALERT[board.state.alert]


def interception_table(board: Board, side: Side) -> AirTable:
    """17.1 Return the column of the Interception Table for a side."""
    return air_table(board, side) if board.data.plays("nerves") else board.data.scenario.interception
