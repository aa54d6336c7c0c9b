"""T1-T9 Results can be recomputed from the numbers in their findings."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import msgspec

from pbem.engine.play.resolve import Resolution
from pbem.engine.rules.findings import Finding
from pbem.titles.tanks.telling.recomputing import RECIPES
from pbem.titles.tanks.title import Tanks, TanksRules
from pbem.tools import simulate

TITLE = Tanks()
ENOUGH = 5
"""How many findings of each rule are tampered with."""


class Kept(simulate.Playing):
    """A match whose findings are kept."""

    def count(self, resolution: Resolution, marks: Any) -> None:
        self.kept = [*getattr(self, "kept", []), *resolution.findings]


@cache
def played(scenario: str, kind: str) -> tuple[TanksRules, list[Finding]]:
    """Play one match of bots and return all its findings."""
    rules = TITLE.rules(TITLE.freeze(scenario, {}))
    match = Kept(rules, TITLE.switches, scenario, simulate.as_the_rules_say)
    players = {seat: simulate.bots_of(rules)[kind](f"{scenario}/{seat}") for seat in rules.seats}
    match.go_on({})
    while not match.run.over:
        match.go_on(match.answered(players))
    return rules, match.kept


def changed(result: Any) -> Any:
    """Return another result of the same shape."""
    match result:
        case bool():
            return not result
        case int():
            return result + 1
        case dict():
            return {name: changed(value) for name, value in result.items()}
        case list():
            return [*result[1:], *result[:1]] if len(set(map(str, result))) > 1 else [*result, *result]
    return f"{result}!"


def test_matches_explain_every_result_and_a_changed_result_is_found():
    seen: Counter[str] = Counter()
    for scenario, kind in (("open-battle", "reckless"), ("bridgehead", "steady"), ("crossroads", "reckless")):
        rules, findings = played(scenario, kind)
        assert list(rules.find_unexplained(findings)) == []
        for finding in simulate.every(findings):
            recipe = RECIPES.get(finding.rule)
            if recipe is not None and seen[finding.rule] < ENOUGH and "result" in recipe(rules.data, finding):
                seen[finding.rule] += 1
                other = msgspec.structs.replace(finding, result=changed(finding.result))
                assert list(rules.find_unexplained([other])), finding
    assert set(RECIPES) - set(seen) <= {"T9.5"}


def test_a_finding_whose_inputs_were_changed_is_found():
    rules, findings = played("bridgehead", "steady")
    for finding in simulate.every(findings):
        if finding.rule == "T7.6" and "defence" in finding.inputs and 0 < finding.result < 6:
            other = msgspec.structs.replace(finding, inputs={**finding.inputs, "defence": -9})
            assert list(rules.find_unexplained([other]))
            return
    raise AssertionError("nobody was shot at")
