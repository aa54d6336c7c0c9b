"""The table: everything a step may use. State, frozen data, the only source of chance and the only log."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from pbem.engine.play.dice import Chance
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Happening
from pbem.engine.rules.situation import Situation
from pbem.engine.rules.state import NextStep, Outcome, S

T = TypeVar("T")


class Facts:
    """Facts derived from the state during a step: zones, supply, sight, occupancy. They last for one step.

    A rule that changes the basis of a fact drops it, or keeps it current by changing the value in place.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}

    def get(self, name: Hashable, work_out: Callable[[], T]) -> T:
        """Return a fact, computing it on first use."""
        if name not in self._known:
            self._known[name] = work_out()
        found: T = self._known[name]
        return found

    def put(self, name: Hashable, fact: Any) -> None:
        """Set a fact, replacing its old value."""
        self._known[name] = fact

    def drop(self, *names: Hashable) -> None:
        """Forget these facts, or all of them."""
        for name in names or tuple(self._known):
            self._known.pop(name, None)


class Table(Situation[Any, S]):
    def __init__(self, state: S, chance: Chance, data: Any = None) -> None:
        super().__init__(data, state)
        self.chance = chance
        self.facts = Facts()
        self.findings: list[Finding] = []
        self.told = True
        """Whether the findings are read; if not, a title may leave out anything that only they show."""

    def rule(self, switch: str) -> bool:
        """Whether this match plays by the named correction of the rules."""
        return switch in self.state.switches

    @property
    def shows_happenings(self) -> bool:
        """Whether findings of this match have happenings, which they lack if it began before its title added them."""
        return not self.state.happenings or self.rule(self.state.happenings)

    def roll(self, sides: int, rule: str, *subjects: str, secret: bool = False) -> int:
        """Roll one die, named by rule and subjects. `secret` if a viewer may not yet know the result."""
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
        shows: Iterable[Happening] = (),
    ) -> Finding:
        """Log one explained result for its audience, with the changes on the map."""
        finding = Finding(
            rule=rule,
            to=None if to is None else tuple(to),
            inputs=dict(inputs or {}),
            modifiers=tuple(modifiers),
            cell=cell,
            dice=tuple(dice),
            result=result,
            children=tuple(children),
            shows=tuple(shows) if self.shows_happenings else (),
        )
        self.findings.append(finding)
        return finding

    def then(self, step: str, **args: Any) -> None:
        """Set the next step. A step that sets none ends the match."""
        self.state.next = NextStep(step, args)

    def end(
        self,
        rule: str,
        winner: str | None = None,
        why: str = "",
        *,
        score: Mapping[str, int] | None = None,
        level: str = "",
    ) -> None:
        """End the match with a reason; `score` by side and `level` of victory where the rules have them."""
        self.state.next = None
        points = msgspec.UNSET if score is None else dict(score)
        self.state.outcome = Outcome(rule, winner, why, points, level or msgspec.UNSET)
