"""12 Moves tried out one after the other on a copy of the board.

Rehearsal     a copy of the position on which orders are checked
resolve_move  a move with its complete path and mode
move_objections   every objection to one move at its place in the order
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.state import copy
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.map.atlas import FERRY
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.movement.airmobile import EXTRACT, FLY, HELICOPTER, leg
from pbem.titles.nato.movement.airmobile import named_way as named_way_by_air
from pbem.titles.nato.movement.costs import MINIMUM, TACTICAL
from pbem.titles.nato.movement.lift import command_kind, use_port
from pbem.titles.nato.movement.moves import MODES, cheapest_way, reserve_objections, walk
from pbem.titles.nato.movement.positions import gdp_objections
from pbem.titles.nato.movement.rail import flip_trains
from pbem.titles.nato.movement.segments import (
    CARRIED,
    FLOWN,
    GROUND,
    RAIL,
    order_objections,
    phase_segment,
    segment,
    shift,
    take_command,
)
from pbem.titles.nato.player.orders import Move
from pbem.titles.nato.state import ENEMY, NatoState
from pbem.titles.nato.zones.stacking import stack_objections


class Rehearsal:
    """A copy of the position on which moves are tried out; `reserve` is set for the Reserve Phase."""

    def __init__(self, data: NatoData, state: NatoState, side: Side, *, reserve: bool = False) -> None:
        self.board, self.side, self.reserve = Board(data, copy(state)), side, reserve
        self.flipped = False
        self.by_rail: list[str] = []
        """13.3 The units that are ordered to go by rail: their markers are flipped first."""
        self.starts = {id: piece.at for id, piece in state.pieces.items()}
        self.ends: dict[HexId, int] = {}
        """The highest number of the moves that ended in a hex."""
        self.entered: set[HexId] = set()
        """9.1.1 The hexes in which a move of this segment ended."""
        self.now = 0
        """7.2 The segment of the Movement Phase that is being rehearsed."""
        self.overfull: list[tuple[int, Objection]] = []
        """9.1.1 The objections to hexes that were overstacked at the end of earlier segments."""

    def unit(self, move: Move) -> Unit | None:
        unit = self.board.units.get(move.unit)
        return unit if unit is not None and unit.side is self.side else None

    def make(self, number: int, given: Move) -> tuple[Move, list[Objection]]:
        """Resolve a move, collect the objections to it, and make it if there are none."""
        unit = self.unit(given)
        if unit is None:
            return given, [Objection("12.0", say("you have no such unit in play"))]
        self.begin(phase_segment(given.mode))
        if segment(given.mode) > 0 and not self.flipped and not self.reserve:
            self.flipped = True
            flip_trains(self.board, self.side, self.by_rail)  # 13.1
        move = resolve_move(self.board, unit, given, reserve=self.reserve)
        found = list(move_objections(self.board, unit, move, reserve=self.reserve))
        if not found:
            self.apply(number, unit, move)
        return move, found

    def begin(self, number: int) -> None:
        """9.1.1 Begin a segment; the stacking limit is tested at the end of the previous one."""
        if number != self.now and not self.reserve:
            self.overfull, self.now, self.entered = list(self.stacking_objections()), number, set()

    def end(self, number: int, unit: Unit) -> None:
        """9.1.1 Record that a move ended in the unit's present hex."""
        self.ends[unit.at] = max(number, self.ends.get(unit.at, 0))
        self.entered.add(unit.at)

    def apply(self, number: int, unit: Unit, move: Move) -> None:
        if segment(move.mode) != GROUND:
            kind = HELICOPTER if move.mode in FLOWN else command_kind(unit, move.mode) if move.mode in CARRIED else ""
            if kind:
                take_command(self.board, unit, kind, unit.steps)
            if move.mode in CARRIED:
                use_port(self.board, unit, move.path[-1], move.mode)
            shift(self.board, unit, move, reserve=self.reserve)
            if move.path:
                self.end(number, unit)
            return
        if move.path:
            for hex in move.path:
                if self.board.controller(hex) is ENEMY[self.side]:
                    self.board.conquer(hex, self.side)
            if {unit.at, move.path[-1]} == set(FERRY):
                self.board.state.ferried.append(unit.at)
            self.board.place(unit, move.path[-1])
            self.end(number, unit)
            unit.piece.moved = True
        if not self.reserve:
            unit.piece.reserve = move.reserve

    def stacking_objections(self) -> Iterator[tuple[int, Objection]]:
        """9.1.1 Yield an objection for each hex that is overstacked at the end of a segment, against the last move
        into it.
        """
        yield from self.overfull
        for hex, number in sorted(self.ends.items()):
            if hex not in self.entered:
                continue
            for objection in stack_objections(self.board, hex, self.side):
                yield number, objection


def resolve_move(board: Board, unit: Unit, move: Move, *, reserve: bool = False) -> Move:
    """12.2 Complete a move with the cheapest path through the named hexes, in the first mode that gets there."""
    if segment(move.mode) != GROUND:
        whole = move.mode == FLY and named_way_by_air(unit, move.path, leg(board, reserve=reserve))
        kept = 2 if move.mode == EXTRACT else 1  # 18.1.4: from where the helicopters start, and where to
        return move if whole else msgspec.structs.replace(move, path=move.path[-kept:])
    if not move.path:
        return msgspec.structs.replace(move, mode=move.mode or TACTICAL) if move.reserve else move
    modes = (move.mode,) if move.mode else tuple(mode for mode in MODES if not (reserve and mode == "march"))
    for mode in modes:
        way = named_way(board, unit, move.path, mode, reserve=reserve)
        if way is not None:
            return msgspec.structs.replace(move, path=tuple(way), mode=mode)
    return msgspec.structs.replace(move, mode=move.mode or TACTICAL)


def named_way(board: Board, unit: Unit, path: Sequence[HexId], mode: str, *, reserve: bool) -> list[HexId] | None:
    """Return the path as named if it is legal, otherwise the cheapest path through its hexes."""
    if (len(path) > 1 or mode == MINIMUM) and not walk(board, unit, path, mode, reserve=reserve).objections:
        return list(path)
    return cheapest_way(board, unit, path, mode, reserve=reserve)


def move_objections(board: Board, unit: Unit, move: Move, *, reserve: bool = False) -> Iterator[Objection]:
    """12, 28.1 Yield all objections to one move in the present position."""
    yield from gdp_objections(board, unit, move.path, move.mode, reserve=move.reserve)
    if segment(move.mode) != GROUND:
        yield from order_objections(board, unit, move, reserve=reserve)
        if move.reserve:
            yield Objection(
                "28.1", say("a unit can be placed in reserve only if it moves on the ground or not at all")
            )
        return
    if move.mode not in ("", *MODES):
        yield Objection("12.0", say("“{mode}” is not a way of moving", mode=move.mode))
        return
    if not move.path and not move.reserve:
        if move.mode not in ("", TACTICAL):
            yield Objection("12.0", say("the order must name a destination"))
        return
    found = walk(board, unit, move.path, move.mode, reserve=reserve)
    yield from found.objections
    if move.reserve and not reserve and not found.objections:
        end = move.path[-1] if move.path else unit.at
        yield from reserve_objections(board, unit, end, move.mode, found.spent)


def untangle(
    data: NatoData, state: NatoState, side: Side, moves: Sequence[Move], *, reserve: bool = False
) -> list[Move]:
    """9.1.1, 35.8 The moves of several seats that fit together; the last move into an overstacked hex is dropped."""
    kept = list(moves)
    while True:
        trial = Rehearsal(data, state, side, reserve=reserve)
        trial.by_rail = [move.unit for move in kept if move.mode == RAIL]
        order = range(len(kept)) if reserve else sorted(range(len(kept)), key=lambda each: segment(kept[each].mode))
        for number in order:
            trial.make(number, kept[number])
        crowding = {number for number, _ in trial.stacking_objections()}
        if not crowding:
            return kept
        del kept[max(crowding)]
