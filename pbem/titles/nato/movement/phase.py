"""7.2 II.B, II.G Carrying out the orders of the Movement Phase and the Reserve Phase.

12    make_moves: makes moves in the order given; an impossible move is skipped and tried once more
9.1.3 enforce_stacking: units that still exceed the limit are eliminated
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Objection, reasons
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit, board_of
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.losses import lose_step
from pbem.titles.nato.commands.powers import orderers
from pbem.titles.nato.map.atlas import FERRY
from pbem.titles.nato.map.grid import distance, is_hex
from pbem.titles.nato.movement.entering import enter, record_path
from pbem.titles.nato.movement.moves import walk
from pbem.titles.nato.movement.rail import flip_trains
from pbem.titles.nato.movement.rehearsal import move_objections, untangle
from pbem.titles.nato.movement.segments import CARRIED, FLOWN, GROUND, RAIL, carry_out, segment
from pbem.titles.nato.phases import begins
from pbem.titles.nato.player.orders import Move
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.zones.stacking import excess, maneuver_steps, room

HEADINGS = {1: "rail", 3: "air and sea", 4: "ground", 5: "helicopters"}
"""7.2 Segments that get a heading in the record if any unit moves in them."""
LIFTED, CLUSTER = ("lift", "drop", "land", "withdraw", "fly", "extract"), 2
"""15.2 Modes that need a Lift Command, and the distance within which lifts are declared together."""
FLIP, LAST = 1, 5
"""7.2 The segment before which entraining markers are flipped, and the last segment (helicopters)."""


def make_moves(table: Table[NatoState], board: Board, moves: Sequence[Move], *, reserve: bool = False) -> None:
    """7.2 Make moves in segment order; those that fail are tried again at the end of their segment."""
    board.port_use.clear()
    if reserve:  # 28.2.2: on the ground and by helicopter in any order
        make_segment(table, board, moves, reserve=True)
        return
    if clusters := nearby_lifts(moves):
        table.find("15.2", inputs={"side": table.state.side}, result=clusters)
    for number in range(LAST + 1):
        if number == FLIP and (flipped := flip_trains(board, table.state.side, by_rail(moves))):
            table.find("13.1", inputs={"units": flipped}, result="entrained")
        here = [move for move in moves if segment(move.mode) == number]
        if number == GROUND and any(move.mode in CARRIED for move in moves):
            here = with_room(table, here)
        if here and number in HEADINGS:
            begins(table, HEADINGS[number], table.state.side, len(here))
        make_segment(table, board, here, reserve=False)
        board.passengers.clear()
        board.forget_facts()


def nearby_lifts(moves: Sequence[Move]) -> list[str]:
    """15.2 Return the units that are lifted to within two hexes of each other, and so are declared together."""
    lifted = [move for move in moves if move.mode in LIFTED and move.path and is_hex(move.path[-1])]
    return [
        move.unit
        for move in lifted
        if any(other is not move and distance(move.path[-1], other.path[-1]) <= CLUSTER for other in lifted)
    ]


def by_rail(moves: Sequence[Move]) -> list[str]:
    """13.3 Return the units ordered to move by rail, whose markers are flipped first."""
    return [move.unit for move in moves if move.mode == RAIL]


def with_room(table: Table[NatoState], moves: Sequence[Move]) -> list[Move]:
    """9.1.1 Return the moves that still fit after ferries and lifts, since an interception may have kept units in
    place.
    """
    state = table.state
    kept = untangle(table.data, state, state.side, moves)
    for move in moves:
        if move not in kept:
            report_skipped_move(
                table, move, [Objection("9.1.1", say("{hex} has no room for the unit", hex=move.path[-1]))]
            )
    return kept


def report_skipped_move(table: Table[NatoState], move: Move, against: Sequence[Objection]) -> None:
    """7.2 Tell the seats that may order a unit why its order is not carried out."""
    board = board_of(table.data, table.state)
    seats = orderers(board, board.data.units[move.unit])
    order, why = " ".join((move.mode, *move.path)).strip(), [objection.message for objection in against]
    failed = [Fail(move.unit, order, reasons(against), against[0].rule)]
    table.find("7.2", to=seats, inputs={"unit": move.unit, "why": why}, result="passed over", shows=failed)


def now_against(board: Board, unit: Unit, move: Move, *, reserve: bool) -> Iterator[Objection]:
    """12.2, 9.1.1 Yield the present objections to an order; helicopters cannot land in a hex that is still full."""
    yield from move_objections(board, unit, move, reserve=reserve)
    if move.mode in FLOWN and unit.at != move.path[-1] and unit.steps > room(board, move.path[-1], unit.side):
        yield Objection("9.1.1", say("{hex} has no room for the unit", hex=move.path[-1]))


def make_segment(table: Table[NatoState], board: Board, moves: Sequence[Move], *, reserve: bool) -> None:
    """12.0 Carry out the orders of one segment; those that fail are tried once more."""
    again = [move for move in moves if not make_move(table, board, move, reserve=reserve)]
    for move in again:
        if not make_move(table, board, move, reserve=reserve) and move.unit in board.units:
            against = list(now_against(board, board.units[move.unit], move, reserve=reserve))
            report_skipped_move(table, move, against)


def make_move(table: Table[NatoState], board: Board, move: Move, *, reserve: bool) -> bool:
    """12.2 Make one move if there is no objection to it now; return whether it was made."""
    unit = board.units.get(move.unit)
    if unit is None or any(now_against(board, unit, move, reserve=reserve)):
        return False
    if segment(move.mode) != GROUND:
        carry_out(table, board, unit, move, reserve=reserve)
        return True
    if move.path:
        travel(table, board, unit, move, reserve=reserve)
    if move.reserve and not reserve:
        unit.piece.reserve = True  # 4.2.7
        table.find("28.1", inputs={"unit": unit.id, "at": unit.at}, result="in reserve")
    return True


def travel(table: Table[NatoState], board: Board, unit: Unit, move: Move, *, reserve: bool) -> None:
    """12.2 Move along the whole path; cities and sites on it change hands."""
    cost, start = walk(board, unit, move.path, move.mode, reserve=reserve), unit.at
    board.place(unit, move.path[-1])
    for hex in move.path:
        enter(table, board, unit, hex)
    unit.piece.moved = True
    if {start, unit.at} == set(FERRY):
        table.state.ferried.append(start)  # 12.8
    rule = {"march": "12.4", "minimum": "12.5"}.get(move.mode, "28.2.1" if reserve else "12.2")
    inputs = {"unit": unit.id, "from": start, "path": list(move.path), "spent": cost.spent}
    shown = [record_path(table, unit.id, start, move.path, move.mode)]
    why = [Finding("11.1/route-test", result="before the move")] if move.mode == "march" else []
    table.find(rule, inputs=inputs, modifiers=cost.rows(), result=unit.at, shows=shown, children=why)


def enforce_stacking(table: Table[NatoState], board: Board, side: Side) -> None:
    """9.1.3 Eliminate steps over the stacking limit at the end of the owner's Movement Phase, weakest first."""
    for hex in sorted({unit.at for unit in board.on_map(side)}):
        while excess(board, hex, side):
            lose_step(table, board, surplus(board, hex, side), "9.1.3", "overstacked")


def surplus(board: Board, hex: str, side: Side) -> Unit:
    """9.1.3 The least valuable of the units that exceed the stacking limit."""
    units = board.at(hex, side)
    guns, hqs = [unit for unit in units if unit.card.artillery], [unit for unit in units if unit.card.hq]
    crowd = [unit for unit in units if unit.maneuver]
    if maneuver_steps(crowd) <= board.data.charts.number("stack"):
        crowd = guns if len(guns) > 1 else hqs
    return min(crowd, key=lambda unit: (unit.attack + unit.defense, unit.id))
