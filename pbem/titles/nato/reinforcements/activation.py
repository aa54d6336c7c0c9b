"""35.2 Activation: units that start on the map wait until the schedule or the enemy calls them.

35.2     activate_due: by the schedule
35.2.1   activate_nation: when a unit in its country is attacked or struck
35.2.1   activate_invaded: when an enemy has entered its country
35.3.1   activate_gdp: the general deployment plan
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.rules.table import Table
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Nation, Side
from pbem.titles.nato.map.atlas import WEST_BERLIN
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import Country, alliance
from pbem.titles.nato.state import NatoState


def activate(table: Table[NatoState], board: Board, rule: str, called: Callable[[Unit], bool]) -> None:
    """35.2 Activate the waiting units that the function `called` selects."""
    units = [unit for _, unit in sorted(board.units.items()) if not unit.piece.active and called(unit)]
    for unit in units:
        unit.piece.active = True
    if units:
        table.find(rule, inputs={"turn": table.state.turn}, result=[unit.id for unit in units])


def activate_due(table: Table[NatoState], board: Board) -> None:
    """35.2 Activate units on their scheduled turn."""
    scenario = board.data.scenario
    activate(table, board, "35.2", lambda unit: scenario.active_from(unit.card) <= table.state.turn)


def activate_nation(table: Table[NatoState], board: Board, hex: HexId, enemy: Side) -> None:
    """35.2.1 Activate all units of a nation at once when a unit in its country is attacked or struck."""
    place = board.atlas.places.get(hex)
    if place is None or place.country is None or hex == WEST_BERLIN or not board.data.plays("activation"):
        return
    nation = str(place.country)
    activate(table, board, "35.2.1", lambda unit: unit.side is not enemy and str(unit.card.nation) == nation)


def activate_invaded(table: Table[NatoState], board: Board, side: Side) -> None:
    """35.2.1 At the start of a player turn, activate nations whose countries an enemy has entered."""
    if not board.data.plays("activation"):
        return
    state = table.state
    entered = [country for country in state.invaded if alliance(Country(country)) is side]
    state.invaded = [country for country in state.invaded if country not in entered]
    activate(table, board, "35.2.1", lambda unit: unit.side is side and str(unit.card.nation) in entered)


def activate_gdp(table: Table[NatoState], board: Board) -> None:
    """35.3.1 Activate all NATO units in West Germany except the French and the garrison of West Berlin."""

    def called(unit: Unit) -> bool:
        place = board.atlas.places.get(unit.at)
        home = place is not None and place.country is Country.WG and unit.at != WEST_BERLIN
        return home and unit.side is Side.NATO and unit.card.nation is not Nation.FR

    activate(table, board, "35.3.1", called)
