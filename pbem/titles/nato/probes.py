"""Benchmarks of the expensive queries on a scenario's set-up: supply, zones, airspace, reach and one order.

`pbem bench` compares each with the time for a plain copy of the state, which is the lower bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.engine.play.dice import Dice
from pbem.engine.play.resolve import Mind, by_minds, resolve
from pbem.engine.play.run import Run
from pbem.engine.rules.state import NextStep, copy
from pbem.engine.rules.title import Rules, Submission
from pbem.titles.nato.board import Board
from pbem.titles.nato.bots.steady import steady_bot
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.movement.costs import MARCH, TACTICAL
from pbem.titles.nato.movement.moves import reachable_hexes
from pbem.titles.nato.movement.rehearsal import Rehearsal, move_objections, resolve_move
from pbem.titles.nato.player.orders import Move
from pbem.titles.nato.setup import initial_state
from pbem.titles.nato.supply.headquarters import headquarters, hq_traces
from pbem.titles.nato.supply.units import combat_source, movement_source
from pbem.titles.nato.zones.airspace import open_airspace

RUNG = bytes(32)
"""The fixed dice seed for measurements."""


def player_turn(rules: Rules, data: NatoData) -> Callable[[], object]:
    """7.2 Return a function that resolves a whole Warsaw Pact player turn with orders recorded from a bot."""
    start = initial_state(data, ())
    start.turn, start.next = max(2, start.turn), NextStep("movement", {"side": "wp"})
    start.tactical, start.operational = dict.fromkeys(Side, 4), dict.fromkeys(Side, 1)
    for piece in start.pieces.values():
        piece.active = True
    given: list[dict[str, Submission]] = []

    def resolved_turn() -> object:
        run, number = Run(rules, copy(start)), 0
        minds: dict[str, Mind] = {seat: Mind() for seat in rules.seats}
        answers: dict[str, Any] = {}
        while True:
            resolve(run, answers, Dice(RUNG, RUNG, str(number)), by_minds(minds))
            if run.over or (run.state.side is Side.NATO and run.state.phase == "movement"):
                return run.state.turn
            if number == len(given):
                bot = steady_bot(0)
                given.append({ask.seat: bot(rules, run.view(ask.seat), ask) for ask in run.asks})
            answers = {seat: said.answer for seat, said in given[number].items()}
            minds |= {seat: Mind(dict(said.plan)) for seat, said in given[number].items() if said.plan}
            number += 1

    return resolved_turn


def probes(data: NatoData, rules: Rules) -> Mapping[str, Callable[[], object]]:
    """Return the benchmarks by name; every call starts with empty caches."""
    state = initial_state(data, ())
    state.turn = max(2, state.turn)
    board = Board(data, state)
    trial = Rehearsal(data, state, Side.WP)
    unit = max(board.on_map(Side.WP), key=lambda unit: (unit.attack, unit.id))

    def supply() -> None:
        board.forget_facts()
        for side in Side:
            for hq in headquarters(board, side):
                hq_traces(board, hq)
            for one in board.on_map(side):
                if not one.card.hq:
                    movement_source(board, one)
                    combat_source(board, one)

    def airspace() -> None:
        board.forget_facts()
        open_airspace(board, Side.WP, contested=False)

    def order(mode: str) -> Callable[[], object]:
        ends = list(reachable_hexes(board, unit, mode).cost)
        move = resolve_move(board, unit, Move(unit.id, (ends[-1],), mode))

        def judged() -> object:
            trial.board.forget_facts()
            return list(move_objections(trial.board, trial.board.units[unit.id], move))

        return judged

    def search(mode: str) -> Callable[[], object]:
        def found() -> object:
            board.forget_facts()
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
        "player_turn": player_turn(rules, data),
    }
