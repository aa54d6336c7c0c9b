"""A test covers a ledger row if it is marked with the rule, and asserts on a finding or refusal that cites the rule.

    @pytest.mark.rule("4.4.3.2.3")                       both editions
    @pytest.mark.rule("4.1.4.1.5.1", editions=("2024",))  one edition
    def test_4_4_3_2_3_...():
        ...
        assert_rule(table.findings, "4.4.3.2.3", result="hit")

A marked test that makes no such assertion for one of its rules fails. A test that asserts on an effect of a rule,
which no finding shows, is marked as below. It does not cover the row, but is run on the mutants of the rule:

    @pytest.mark.rule("4.4.3.2.3", effect=True)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pbem.engine.rules.findings import Finding, happenings_in
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Objection, Refusal
from pbem.engine.text.messages import Message, Several

asserted: set[str] = set()
"""The rules that the running test has asserted on."""


def every(thing: Any) -> Iterator[Finding | Objection]:
    """Yield all findings and objections in a finding, a refusal, or a nested collection of these."""
    if isinstance(thing, Finding):
        yield thing
        yield from every(thing.children)
    elif isinstance(thing, Refusal):
        yield from every(thing.objections)
    elif isinstance(thing, Objection):
        yield thing
    elif isinstance(thing, Iterable):
        for item in thing:
            yield from every(item)


def assert_rule(thing: Any, rule: str, **expected: Any) -> Finding | Objection:
    """Check that a finding or objection cites the rule and has these values (`inputs` and others as a subset); return
    it."""
    carrying = [item for item in every(thing) if item.rule == rule]
    assert carrying, f"no finding or objection carries {rule}: {sorted({item.rule for item in every(thing)})}"
    for item in carrying:
        if all(_fits(getattr(item, name), value) for name, value in expected.items()):
            asserted.add(rule)
            return item
    raise AssertionError(f"{rule} is there, but not with {expected}: {carrying}")


def failures(findings: Iterable[Finding]) -> list[tuple[str, str, str]]:
    """Return the orders that failed, each as its unit, order and rule."""
    return [(one.who, one.order, one.rule) for one in happenings_in(findings) if isinstance(one, Fail)]


def _fits(actual: Any, wanted: Any) -> bool:
    if isinstance(actual, Message | Several):
        actual = str(actual)
    if isinstance(wanted, dict) and isinstance(actual, dict):
        return all(name in actual and _fits(actual[name], value) for name, value in wanted.items())
    if isinstance(wanted, list | tuple) and isinstance(actual, list | tuple):
        return len(actual) == len(wanted) and all(map(_fits, actual, wanted))
    return bool(actual == wanted)
