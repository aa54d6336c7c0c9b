"""The table: all that a step may use. State, frozen data, the only chance and the only log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic

from pbem.engine.play.dice import Chance
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.state import NextStep, Outcome, S


class Table(Generic[S]):
    def __init__(self, state: S, chance: Chance, data: Any = None) -> None:
        self.state = state
        self.chance = chance
        self.data = data
        self.findings: list[Finding] = []

    def rule(self, switch: str) -> bool:
        """Whether this match plays by the named correction of the rules."""
        return switch in self.state.switches

    def roll(self, sides: int, rule: str, *subjects: str, secret: bool = False) -> int:
        """One die, named by rule and subjects. `secret` where someone may not yet know the result."""
        return self.chance.roll(sides, rule, subjects, secret=secret)

    def find(
        self,
        rule: str,
        *,
        to: Iterable[str] | None = None,
        inputs: Mapping[str, Any] | None = None,
        modifiers: Iterable[dict[str, Any]] = (),
        cell: Any = None,
        dice: Sequence[int] = (),
        result: Any = None,
        children: Iterable[Finding] = (),
    ) -> Finding:
        """Log one explained result for those who may know it."""
        finding = Finding(
            rule=rule,
            to=None if to is None else tuple(to),
            inputs=dict(inputs or {}),
            modifiers=tuple(modifiers),
            cell=cell,
            dice=tuple(dice),
            result=result,
            children=tuple(children),
        )
        self.findings.append(finding)
        return finding

    def then(self, step: str, **args: Any) -> None:
        """Say which step comes next. A step that says nothing ends the match."""
        self.state.next = NextStep(step, args)

    def end(self, rule: str, winner: str | None = None, why: str = "") -> None:
        """End the match with a reason."""
        self.state.next = None
        self.state.outcome = Outcome(rule, winner, why)
