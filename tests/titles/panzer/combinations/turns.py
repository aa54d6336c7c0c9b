"""Play a whole turn from any position, with orders as players send them: read, checked, planned and played.

    turn = a_turn(advanced_data(board), an_advanced_state(*units), german="g1 fire s1", dice={"6.5.4": 99})
    assert turn.state.vehicles["s1"].suppressed
    assert turn.fails == []

By default dice alternate between half of their sides and one more, so that no roll ties for ever; `dice` can fix
the rolls of a rule by its number or by the beginning of its number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from support.rules import every

from pbem.engine.play.resolve import FAILED, Mind, by_minds, resolve
from pbem.engine.play.run import Run
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.state import NextStep, copy
from pbem.engine.rules.title import Submission
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.invariants import flaws
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState


class Fixed:
    """Dice that show given values."""

    def __init__(self, dice: Mapping[str, int]) -> None:
        self.dice = dice
        self.ordinals: dict[str, int] = {}
        self.rolled = 0

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        self.rolled += 1
        assert self.rolled < 2000, f"{rule} is rolled for ever"
        told = max((number for number in self.dice if rule.startswith(number)), key=len, default="")
        return min(sides, self.dice[told] if told else sides // 2 + self.rolled % 2)


@dataclass
class Turn:
    """A turn that was played, with its orders as restated to the players."""

    state: PanzerState
    findings: list[Finding]
    receipts: dict[str, str]

    @property
    def fails(self) -> list[str]:
        """Return the orders that were not carried out, each with its reason."""
        told = (one for one in self.findings if one.rule == FAILED)
        return [f"{one.inputs['unit']} {one.inputs['order']}: {one.result}" for one in told]

    def rules(self) -> set[str]:
        return {one.rule for one in every(self.findings)}

    def of(self, rule: str) -> list[Any]:
        """Return the findings under a rule."""
        return [one for one in every(self.findings) if isinstance(one, Finding) and one.rule == rule]


def at_commands(data: PanzerData, state: PanzerState, dice: Mapping[str, int]) -> Run:
    """Return the position after its Spotting Phase, when both sides are asked for their orders."""
    state = copy(state)
    state.spotted = {}
    state.stage, state.next = 0, NextStep("spotting_phase")
    run = Run(PanzerRules(data), state)
    resolve(run, {}, Fixed(dice), by_minds({}))  # type: ignore[arg-type]
    return run


def read(run: Run, side: str, text: str) -> Submission:
    """Read orders as the server does; a refusal is raised as an exception."""
    ask = run.ask_of(side)
    assert ask is not None, f"nothing is asked of {side}"
    return run.rules.read(run.view(side), ask, text)


def a_turn(
    data: PanzerData,
    state: PanzerState,
    dice: Mapping[str, int] | None = None,
    standing: Mapping[str, Sequence[str]] | None = None,
    **orders: str,
) -> Turn:
    """Play a turn up to the next orders or the end of the match; a side without lines sends no orders.

    `standing` holds the standing orders of each side.
    """
    dice = dice or {}
    run = at_commands(data, state, dice)
    kept = {side: run.rules.check_doctrine(list(clauses)) for side, clauses in (standing or {}).items()}
    answers, receipts = {}, {}
    minds = {side: Mind(doctrine=clauses) for side, clauses in kept.items()}
    for side, text in orders.items():
        ask, view = run.ask_of(side), run.view(side)
        assert ask is not None
        submission = read(run, side, text)
        answers[side] = run.rules.check(view, ask, submission.answer)
        minds[side] = Mind(run.rules.check_plan(view, ask, submission.plan), kept.get(side, []))
        receipts[side] = run.rules.restate(ask, submission)
    before = set(flaws(Situation(data, run.state)))
    told = resolve(run, answers, Fixed(dice), by_minds(minds))  # type: ignore[arg-type]
    broken = sorted(set(flaws(Situation(data, run.state))) - before)
    assert not broken, broken
    return Turn(run.state, told.findings, receipts)
