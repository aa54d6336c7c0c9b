"""Recompute results from their findings: a finding must contain the numbers that decided its result.

Recipe              recomputes one kind of finding from its inputs, modifiers, cell, dice and children only
net_of              the sum of a finding's modifiers
find_unexplained    findings with a result that does not follow from their numbers

A recipe returns the recomputed values by name: `result`, or the name of an input. A title lists its recipes by rule;
a finding with modifiers but without dice is their sum unless the title says otherwise, and a finding with dice needs
a recipe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from pbem.engine.rules.findings import Finding

Recipe: TypeAlias = Callable[[Any, Finding], Mapping[str, Any]]


def net_of(finding: Finding) -> int:
    """Return the sum of the modifiers; a modifier that applies several times has `times`."""
    return sum(int(row["value"]) * int(row.get("times", 1)) for row in finding.modifiers)


def child_of(finding: Finding, *rules: str) -> Finding | None:
    """Return the first child under one of these rules."""
    return next((child for child in finding.children if child.rule in rules), None)


def recompute_values(recipes: Mapping[str, Recipe], data: Any, finding: Finding) -> Mapping[str, Any] | None:
    """Return the values recomputed from a finding's own numbers, by name; None if that is not possible."""
    recipe = recipes.get(finding.rule)
    if recipe is not None:
        return recipe(data, finding)
    return {"result": net_of(finding)} if finding.modifiers and not finding.dice else None


def find_unexplained(recipes: Mapping[str, Recipe], data: Any, findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a sentence for each finding, or child of one, that does not follow from its own numbers."""
    for finding in findings:
        if finding.dice or finding.modifiers or finding.rule in recipes:
            yield from _differences(recipes.get(finding.rule), data, finding)
        yield from find_unexplained(recipes, data, finding.children)


def _differences(recipe: Recipe | None, data: Any, finding: Finding) -> Iterator[str]:
    if recipe is None and finding.dice:
        yield f"{finding.rule} has dice but cannot be recomputed: {finding}"
        return
    numbers = recipe(data, finding) if recipe else {"result": net_of(finding)}
    for name, value in numbers.items():
        stored = finding.result if name == "result" else finding.inputs.get(name)
        if stored != value:
            yield f"{finding.rule} has {name} {stored!r} but its numbers give {value!r}: {finding}"
