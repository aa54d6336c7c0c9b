"""Markers in films: every marker that a step changes on a unit is shown by one of the step's findings.

Rules that report a change themselves show it where it happens. Everything else is compared before and after each part
of a step, so that no rule can change a marker without a film showing it.

    watch_markers    the markers of units
    watch_step       anything else that a title compares before and after
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, Protocol, TypeAlias

import msgspec

from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding, happenings_in
from pbem.engine.rules.happenings import Change
from pbem.engine.rules.table import Table

Marks: TypeAlias = Mapping[str, tuple[Any, ...]]
"""The markers of each unit on the map, in a fixed sequence. A marker that is off is false or empty."""


def words_of(finding: Finding) -> Iterator[str]:
    """Yield every word in a finding and its children."""
    yield from words_in(finding.inputs)
    yield from words_in(finding.result)
    for child in finding.children:
        yield from words_of(child)


def words_in(value: Any) -> Iterator[str]:
    """Yield every word in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from words_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from words_in(one)


class Watch:
    """The public markers before part of a step, to compare with those after it."""

    def __init__(self, table: Table[Any], names: Sequence[str], marks: Callable[[Any], Marks], rule: str) -> None:
        self.table, self.names, self.marks, self.rule = table, names, marks, rule
        self.shown, self.kept = marks(table.state), list[Change]()
        self.begin()

    def begin(self) -> None:
        """Begin part of a step."""
        self.findings, self.told = self.table.findings, len(self.table.findings)

    def tell(self, *, last: bool) -> None:
        """Add changes not shown yet to public findings of this part, preferably to ones that name the unit."""
        new, now = self.findings[self.told :], self.marks(self.table.state)
        reported = {(one.who, one.what): one.now or False for one in happenings_in(new) if isinstance(one, Change)}
        found = [*self.kept, *self.changes(now)]
        self.kept = [one for one in found if reported.get((one.who, one.what)) != (one.now or False)]
        self.shown = now
        hosts = {
            number: frozenset(words_of(finding))
            for number, finding in enumerate(new if self.kept else (), start=self.told)
            if finding.to is None
        }
        if hosts:
            for one in self.kept:
                naming = [number for number, words in hosts.items() if one.who in words]
                self.add(one, max(naming or hosts))
            self.kept = []
        elif self.kept and last:
            self.table.find(self.rule, result="markers", shows=self.kept)

    def add(self, change: Change, number: int) -> None:
        """Let a finding show a change."""
        host = self.findings[number]
        self.findings[number] = msgspec.structs.replace(host, shows=(*host.shows, change))

    def changes(self, now: Marks) -> Iterator[Change]:
        """Yield each marker that has changed on a unit that is still on the map."""
        nothing = (False,) * len(self.names)
        for unit, marks in now.items():
            before = self.shown.get(unit, nothing)
            if marks != before:
                for name, was, value in zip(self.names, before, marks, strict=True):
                    if was != value and (was or value):
                        yield Change(unit, name, value)


class Comparing(Protocol):
    """A snapshot taken before part of a step, to compare with the situation after it."""

    def begin(self) -> None:
        """Begin part of a step."""

    def tell(self, *, last: bool) -> None:
        """Report what this part of the step has changed."""


def watch_markers(
    step: Callable[..., Step], names: Sequence[str], marks: Callable[[Any], Marks], rule: str
) -> Callable[..., Step]:
    """Return a step whose findings show every marker it changes; changes that fit no finding get one under `rule`."""
    return watch_step(step, lambda table: Watch(table, names, marks, rule))


def watch_step(step: Callable[..., Step], compare: Callable[[Table[Any]], Comparing]) -> Callable[..., Step]:
    """Return a step that is compared before and after each of its parts, if anyone reads its findings."""

    @wraps(step)
    def play(table: Table[Any], **args: Any) -> Step:
        watch = compare(table) if table.told else None
        going, answer = step(table, **args), None
        while True:
            try:
                asked = going.send(answer)
            except StopIteration as end:
                if watch is not None:
                    watch.tell(last=True)
                return end.value
            if watch is not None:
                watch.tell(last=False)
            answer = yield asked
            if not table.told:
                watch = None
            elif watch is None:
                watch = compare(table)
            else:
                watch.begin()

    return play
