"""`recompute` reports a result that does not follow from its finding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.recompute import child_of, find_unexplained, net_of

ROWS = ({"when": "cover", "value": -3}, {"when": "grade", "value": 1, "times": 2})


def hit(data: Any, finding: Finding) -> Mapping[str, Any]:
    number = data + net_of(finding)
    return {"number": number, "result": finding.dice[0] <= number}


def flaws(*findings: Finding) -> list[str]:
    return [flaw.partition(":")[0] for flaw in find_unexplained({"T1": hit}, 10, findings)]


def test_a_result_that_follows_from_its_finding_is_explained() -> None:
    assert net_of(Finding("T1", modifiers=ROWS)) == -1
    assert flaws(Finding("T1", inputs={"number": 9}, modifiers=ROWS, dice=(9,), result=True)) == []
    assert flaws(Finding("T2", modifiers=ROWS, result=-1)) == []
    assert flaws(Finding("T3", result="whatever")) == []


def test_another_die_number_or_modifier_is_found_out() -> None:
    assert flaws(Finding("T1", inputs={"number": 9}, modifiers=ROWS, dice=(10,), result=True)) == [
        "T1 has result True but its numbers give False"
    ]
    assert flaws(Finding("T1", inputs={"number": 8}, modifiers=ROWS, dice=(1,), result=True)) == [
        "T1 has number 8 but its numbers give 9"
    ]
    assert flaws(Finding("T2", modifiers=ROWS[:1], result=-1)) == ["T2 has result -1 but its numbers give -3"]


def test_children_are_worked_out_again_and_dice_need_a_recipe() -> None:
    parent = Finding("T0", children=(Finding("T4", dice=(3,), result=3),))
    assert flaws(parent) == ["T4 has dice but cannot be recomputed"]
    assert child_of(parent, "T3", "T4") == parent.children[0] and child_of(parent, "T1") is None
