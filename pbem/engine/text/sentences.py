"""Findings in words: a title's sentences, and a plain wording for the rest.

Telling a title's wording functions: tell, tell_tree plainly    a finding as plain data
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from pbem.engine.play.resolve import ANSWERED, FAILED
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail

Teller: TypeAlias = Callable[[Finding], str]


class Telling:
    """Wording functions by rule.

    A rule with a slash (`4.4.1/spot-fire`) uses the function for its paragraph, unless it has its own.
    """

    def __init__(self) -> None:
        self.tellers: dict[str, Teller] = {}

    def tells(self, *rules: str) -> Callable[[Teller], Teller]:
        """Register a wording function for these rules."""

        def register(teller: Teller) -> Teller:
            self.tellers.update(dict.fromkeys(rules, teller))
            return teller

        return register

    def teller_of(self, rule: str) -> Teller:
        if rule == FAILED:
            return failed_order
        return self.tellers.get(rule) or self.tellers.get(rule.partition("/")[0] if "/" in rule else "") or plainly

    def tell(self, finding: Finding) -> str:
        """One sentence, preceded by the rule."""
        try:
            said = fate(finding) or self.teller_of(finding.rule)(finding)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):  # stored by another release
            said = plainly(finding)
        if said.split()[0].isalpha():  # ids stay as players write them
            said = said[0].upper() + said[1:]
        number = "" if finding.rule in (ANSWERED, FAILED) else finding.rule.partition("/")[0] + " "
        return f"{number}{said}."

    def tell_tree(self, finding: Finding, depth: int = 0) -> list[str]:
        """The sentence, followed by the indented sentences of all its children."""
        lines = ["  " * depth + self.tell(finding)]
        for child in finding.children:
            lines += self.tell_tree(child, depth + 1)
        return lines


def fate(finding: Finding) -> str:
    """Why an order failed, if a finding reports that and names the order as `ordered`."""
    fails = [shown for shown in finding.shows if isinstance(shown, Fail)]
    return f"{fails[0].order} failed: {fails[0].why}" if fails and "ordered" in finding.inputs else ""


def failed_order(finding: Finding) -> str:
    """An order of a plan that failed, and why."""
    said = finding.inputs
    rule = f" ({said['rule'].partition('/')[0]})" if said["rule"] else ""
    return f"{said['unit']} {said['order']}: failed, {finding.result}{rule}"


def plainly(finding: Finding) -> str:
    """Inputs, modifiers, dice and result as plain data."""
    said = [f"{name.replace('_', ' ')} {value(found)}" for name, found in finding.inputs.items()]
    if finding.modifiers:
        said.append(f"modifiers {modifiers_of(finding)}")
    if finding.dice:
        said.append(f"rolled {value(finding.dice)}")
    result = "" if finding.result is None else f": {value(finding.result)}"
    return (", ".join(said) or "as printed") + result


def value(found: Any) -> str:
    """Plain data in words."""
    if isinstance(found, bool):
        return "yes" if found else "no"
    if isinstance(found, dict):
        return ", ".join(f"{name} {value(inner)}" for name, inner in found.items()) or "nothing"
    if isinstance(found, list | tuple):
        return listed(map(value, found))
    return str(found) if found not in (None, "") else "nothing"


def listed(words: Iterable[str]) -> str:
    """a, b and c."""
    *first, last = [*words] or ["nothing"]
    return f"{', '.join(first)} and {last}" if first else last


def signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def modifiers_of(finding: Finding) -> str:
    """Every row that applied, with its value."""
    rows = [
        f"{row['text']} {signed(row['value'] * row.get('times', 1))}" for row in finding.modifiers if "text" in row
    ]
    return ", ".join(rows) or "none"
