"""What the heavy questions cost: supply, zones, airspace, reach and one order, on the set-up of a scenario.

`pbem bench` measures each of them beside a bare copy of the state, the floor that any answer could have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.engine.rules.state import copy
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.movement.costs import MARCH, TACTICAL
from pbem.titles.nato.movement.moves import reachable_hexes
from pbem.titles.nato.movement.rehearsal import Rehearsal, move_objections, resolved
from pbem.titles.nato.player.orders import Move
from pbem.titles.nato.setup import initial_state
from pbem.titles.nato.supply.headquarters import headquarters, hq_traces
from pbem.titles.nato.supply.units import combat_source, movement_source
from pbem.titles.nato.zones.airspace import open_airspace


def probes(data: NatoData) -> Mapping[str, Callable[[], object]]:
    """Return each question with its name; every call starts without anything remembered."""
    state = initial_state(data, ())
    state.turn = max(2, state.turn)
    board = Board(data, state)
    trial = Rehearsal(data, state, Side.WP)
    unit = max(board.on_map(Side.WP), key=lambda unit: (unit.attack, unit.id))

    def supply() -> None:
        board.changed()
        for side in Side:
            for hq in headquarters(board, side):
                hq_traces(board, hq)
            for one in board.on_map(side):
                if not one.card.hq:
                    movement_source(board, one)
                    combat_source(board, one)

    def airspace() -> None:
        board.changed()
        open_airspace(board, Side.WP, contested=False)

    def order(mode: str) -> Callable[[], object]:
        ends = list(reachable_hexes(board, unit, mode).cost)
        move = resolved(board, unit, Move(unit.id, (ends[-1],), mode))

        def judged() -> object:
            trial.board.changed()
            return list(move_objections(trial.board, trial.board.units[unit.id], move))

        return judged

    def search(mode: str) -> Callable[[], object]:
        def found() -> object:
            board.changed()
            return reachable_hexes(board, unit, mode).cost

        return found

    return {
        "state_copied": lambda: copy(state),
        "board_built": lambda: Board(data, state),
        "supply_of_both_sides": supply,
        "airspace_of_the_map": airspace,
        "tactical_order": order(TACTICAL),
        "march_order": order(MARCH),
        "tactical_reach": search(TACTICAL),
        "march_reach": search(MARCH),
    }
