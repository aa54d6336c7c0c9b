"""A marker that a rule changes without reporting it is shown by the findings of that step."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from pbem.engine.rules.ask import Ask, Step
from pbem.engine.rules.findings import Finding, happenings_in
from pbem.engine.rules.happenings import Change
from pbem.engine.rules.watching import watch_markers

MARKERS = ("pinned", "stun")
ASK = Ask("red", "react", "1")


class Table:
    """A fake of the kernel's table: units with two markers each, and a log of findings."""

    told = True

    def __init__(self, **units: tuple[Any, ...]) -> None:
        self.state = SimpleNamespace(units=dict(units))
        self.findings: list[Finding] = []

    def find(self, rule: str, **more: Any) -> None:
        self.findings.append(Finding(rule, **{**more, "shows": tuple(more.get("shows", ()))}))


def watched(table: Table, step: Callable[..., Step]) -> list[tuple[str, list[Change]]]:
    """Return the rule of each finding of a step, with the changes that the finding shows."""
    play = watch_markers(step, MARKERS, lambda state: dict(state.units), "9")
    for _ in play(table):
        pass
    return [
        (one.rule, [shown for shown in happenings_in([one]) if isinstance(shown, Change)]) for one in table.findings
    ]


def test_a_change_is_shown_by_the_last_public_finding_that_names_its_unit() -> None:
    def step(table: Table) -> Step:
        table.state.units["a"] = (True, "")
        table.find("1", inputs={"unit": "a"})
        table.find("2", inputs={"unit": "b"})
        table.find("3", inputs={"unit": "a"}, to=("red",))
        yield ASK

    assert watched(Table(a=(False, ""), b=(False, "")), step) == [
        ("1", [Change("a", "pinned")]),
        ("2", []),
        ("3", []),
    ]


def test_a_change_that_its_rule_shows_is_not_shown_again() -> None:
    def step(table: Table) -> Step:
        table.state.units["a"] = (True, "stun")
        table.find("1", inputs={"unit": "a"}, shows=[Change("a", "pinned")])
        yield ASK

    told = [Change("a", "pinned"), Change("a", "stun", "stun")]
    assert watched(Table(a=(False, "")), step) == [("1", told)]


def test_a_change_before_a_question_waits_for_a_finding_and_is_never_forgotten() -> None:
    def step(table: Table) -> Step:
        table.state.units["a"] = (True, "")
        yield ASK
        table.find("2")
        yield ASK
        table.state.units["a"] = (False, "")
        table.state.units["new"] = (True, "")

    assert watched(Table(a=(False, "")), step) == [
        ("2", [Change("a", "pinned")]),
        ("9", [Change("a", "pinned", now=False), Change("new", "pinned")]),
    ]


def test_a_unit_that_is_gone_has_no_markers_to_lose() -> None:
    def step(table: Table) -> Step:
        del table.state.units["a"]
        yield ASK

    assert watched(Table(a=(True, "")), step) == []
