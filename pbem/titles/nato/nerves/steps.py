"""35.3, 39 The steps before the war: turn 0, the general deployment plan, and the peace turns of War of Nerves.

7.2/turn-0   turn_zero
35.3         gdp, army_moves
39           peace_turn, brink
35.3         war
"""

from __future__ import annotations

from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.nato.board import Board, board_of
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.commands.asking import orders_of
from pbem.titles.nato.movement.deployment import ARMIES, INVADED, GdpMove, gdp_points
from pbem.titles.nato.movement.orders import MovePhase
from pbem.titles.nato.movement.phase import enforce_stacking, make_moves
from pbem.titles.nato.movement.positions import takes_part
from pbem.titles.nato.nerves.peace import (
    GDP_ALERT,
    WAR,
    Prepare,
    advance_clocks,
    alert_roll,
    arrive_in_peace,
    outbreak,
    prepare,
)
from pbem.titles.nato.phases import begins
from pbem.titles.nato.reinforcements.activation import activate_gdp
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.victory import points_of


def turn_zero(table: Table[NatoState]) -> Step:
    """7.2/turn-0, 35.3 Let the Warsaw Pact move within its own territory before the war."""
    state, board = table.state, board_of(table.data, table.state)
    begins(table, "turn zero")
    yield from moves_in_peace(table, board, Side.WP)
    for unit in board.of(Side.WP):
        unit.piece.moved = unit.piece.reserve = False
    state.phase = "movement"
    table.then("gdp" if board.data.plays("gdp") else "war", **({"number": 0} if board.data.plays("gdp") else {}))


def moves_in_peace(table: Table[NatoState], board: Board, side: Side) -> Step:
    """35.3, 39 Ask one side for moves within its own territory."""
    state = table.state
    state.side, state.phase = side, "movement"
    orders = yield from orders_of(table, MovePhase, side)
    make_moves(table, board, orders.moves)
    enforce_stacking(table, board, side)
    for unit in board.of(side):
        unit.piece.reserve = False


def gdp(table: Table[NatoState], number: int) -> Step:
    """35.3.3 to 35.3.5 Roll for one army and move it; then go to the next army."""
    board = board_of(table.data, table.state)
    yield from army_moves(table, board, number)
    if number + 1 < len(ARMIES):
        table.then("gdp", number=number + 1)
        return
    gdp_points(table)
    table.state.deployed = True
    table.then("brink" if board.data.plays("nerves") else "war")


def army_moves(table: Table[NatoState], board: Board, number: int) -> Step:
    """35.3.3 Roll the die of one army, and move it to its battle positions."""
    state = table.state
    if number == 0:
        activate_gdp(table, board)
    state.side, state.phase, army = Side.NATO, "gdp", str(INVADED[number])
    die = table.roll(6, "35.3.3", army)
    state.gdp_army, state.gdp_limit, state.gdp_dice[army] = army, die, die
    alone = [Finding("35.3.5", inputs={"army": army}, result="moves alone")]
    table.find("35.3.3", inputs={"army": army}, dice=[die], result=die, children=alone)
    if any(str(unit.card.nation) == army and takes_part(board, unit) for unit in board.on_map(Side.NATO)):
        orders = yield from orders_of(table, GdpMove, Side.NATO, army)
        make_moves(table, board, orders.moves)
    state.gdp_army, state.gdp_limit = "", 0


def late_deployment(table: Table[NatoState], board: Board, *, danes: bool) -> Step:
    """35.3 Replace NATO's first Movement Phase in War of Nerves if the war began before NATO moved to battle
    positions; the Danes move too if they have been invaded (35.3.4).
    """
    for number in range(len(INVADED if danes else ARMIES)):
        yield from army_moves(table, board, number)
    gdp_points(table)
    table.state.deployed, table.state.phase = True, "movement"


# --- War of Nerves -------------------------------------------------------------------------------------------


def peace_turn(table: Table[NatoState]) -> Step:
    """39 Run one peace turn: clocks, early reinforcements, a measure or war, the alert roll, and moves."""
    state, board = table.state, board_of(table.data, table.state)
    state.peace, state.phase, state.side = state.peace + 1, "peace", Side.WP
    if state.peace > board.data.charts.number("peace_turns"):
        no_war(table, board)
        return
    for unit in board.units.values():
        unit.piece.moved = unit.piece.reserve = False
    advance_clocks(table, board)
    arrive_in_peace(table, board)
    measure = yield Prepare.make_ask(board.data.seat_of(Side.WP), subject=str(state.peace))
    if measure == WAR:
        outbreak(table, board)
        table.then("joint_turn")
        return
    if measure is not None:
        prepare(table, board, measure)
    alert_roll(table, board)
    if any(unit.piece.active for unit in board.of(Side.WP)):
        yield from moves_in_peace(table, board, Side.WP)
    if state.alert >= GDP_ALERT and not state.deployed:
        table.then("gdp", number=0)
    else:
        table.then("brink")


def brink(table: Table[NatoState]) -> Step:
    """39 Move NATO's activated units, then go to the next peace turn."""
    state, board = table.state, board_of(table.data, table.state)
    ready = [unit for unit in board.of(Side.NATO) if unit.piece.active and not unit.piece.moved]
    if ready and state.side is not Side.NATO:
        yield from moves_in_peace(table, board, Side.NATO)
    enforce_stacking(table, board, Side.NATO)
    table.then("peace_turn")


def no_war(table: Table[NatoState], board: Board) -> None:
    """39 End the match in peace: a marginal NATO victory."""
    why = "the Warsaw Pact has not gone to war"
    table.find("39", inputs={"peace": table.state.peace - 1}, result="peace")
    table.end("39", Side.NATO, why, score=points_of(board), level="marginal")


def war(table: Table[NatoState]) -> Step:
    """35.3 End turn 0 and begin the war."""
    board = board_of(table.data, table.state)
    enforce_stacking(table, board, Side.NATO)
    for unit in board.units.values():
        unit.piece.moved = False
    table.state.turn, table.state.side = 1, Side.WP
    board.recount()
    table.then("joint_turn")
    return
    yield
