"""Put a position through every procedure that reads it, with random choices, and look for violated invariants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from titles.panzer.asking import CHECKS, OPTIONS

from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Ask, Step, Together
from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery.indirect_fire import indirect_fire_step
from pbem.titles.panzer.close_combat.close_combat import close_combat_step
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.decisions.movement import Moves
from pbem.titles.panzer.end_of_turn.adjustment import adjustment_phase
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.fire.overwatch import overwatch_step, overwatch_window
from pbem.titles.panzer.invariants import flaws
from pbem.titles.panzer.movement.movement_step import movement_step, no_move_step
from pbem.titles.panzer.sighting.hidden_units import spotting_phase
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState
from pbem.titles.panzer.view import view_of

LOOKED_AT = 40
"""How many options of an ask are examined."""


class Chance:
    """Dice with a seed."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        return self.choice.below(sides) + 1


Procedure = Callable[[Table[PanzerState]], Step]


def watched(table: Table[PanzerState]) -> Step:
    """4.5.1.1 Open a fire window at our unit, as if it had moved."""
    unit = table.state.vehicles["g1"]
    if unit.alive and not unit.aboard and not unit.hidden:
        yield from overwatch_window(table, unit)


PROCEDURES: dict[str, Procedure] = {
    "spotting": lambda table: spotting_phase(table),
    "own missions": lambda table: indirect_fire_step(table, "german"),
    "own fire": lambda table: direct_fire_step(table, "german"),
    "enemy fire": lambda table: direct_fire_step(table, "soviet"),
    "overwatch": lambda table: overwatch_step(table, "german"),
    "window": watched,
    "own assaults": lambda table: close_combat_step(table, "german"),
    "enemy assaults": lambda table: close_combat_step(table, "soviet"),
    "own moves": lambda table: movement_step(table, "german"),
    "no move": lambda table: no_move_step(table, "german"),
    "enemy moves": lambda table: movement_step(table, "soviet"),
    "adjustment": lambda table: adjustment_phase(table),
}


def answered(data: PanzerData, state: PanzerState, ask: Ask, choice: Choice) -> Any:
    """Choose one of the options, and check that it is legal and that checking it again changes nothing."""
    view = view_of(state, ask.seat)
    options = list(islice(OPTIONS[ask.kind](data, view, ask), LOOKED_AT))
    assert options, f"{ask.kind}: nothing is offered"
    picked = options[choice.below(len(options))]
    answer = CHECKS[ask.kind](data, view, ask, picked)
    assert CHECKS[ask.kind](data, view, ask, answer) == answer, f"{ask.kind}: {answer} is not canonical"
    if choice.below(4):
        return answer
    silence = Moves(data, view, ask).default() if ask.kind == Moves.kind else ask.silence
    return CHECKS[ask.kind](data, view, ask, silence)


def play(data: PanzerData, state: PanzerState, name: str, seed: object) -> Iterator[str]:
    """Play a procedure and return every invariant that was violated."""
    choice = Choice(seed, name)
    table: Table[PanzerState] = Table(state, Chance(choice), data)
    before = set(flaws(Situation(data, state)))
    step, value = PROCEDURES[name](table), None
    while True:
        try:
            pending = step.send(value)
        except StopIteration:
            break
        if isinstance(pending, Together):
            value = tuple(answered(data, state, ask, choice) for ask in pending.asks)
        else:
            value = answered(data, state, pending, choice)
    yield from sorted(set(flaws(Situation(data, state))) - before)
