"""Findings explain decisions: a falsified finding does not follow from its own numbers."""

from __future__ import annotations

import msgspec
import pytest
from titles.aslsk.builders import a_table

from pbem.engine.rules.recompute import find_unexplained
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.morale import Aftermath, morale_check, wound
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.telling.recomputing import RECIPES
from pbem.titles.aslsk.vehicles.steps import bog_check

T34 = "russian-t34-85"


def found(table):
    return list(find_unexplained(RECIPES, table.data, table.findings))


def falsified(table, rule, **changes):
    """Return the same findings, but with the last one under a rule falsified."""
    place = max(number for number, finding in enumerate(table.findings) if finding.rule == rule)
    table.findings[place] = msgspec.structs.replace(table.findings[place], **changes)
    return found(table)


def test_a_fire_attack_follows_from_its_firepower_modifiers_and_dice():
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E6")}, dice={"3.2.2": [1, 2]})
    fire(table, Attack(("g1",), "E6"))
    assert not found(table)
    told = table.findings[-1]
    assert falsified(table, "3.2.2", inputs={**told.inputs, "fp": "20"})
    table.findings[-1] = told
    assert falsified(table, "3.2.2", dice=(6, 6))
    table.findings[-1] = told
    assert falsified(table, "3.2.2", result={"r1": "7KIA"})


def test_a_shot_follows_from_its_number_and_modifiers():
    table = a_table(
        {"g1": ("228", "E4")}, weapons={"gw": ("german-75l-at", "g1")}, facings={"gw": 4},
        vehicles={"r1": (T34, "E8", 1)}, dice={"3.2.4": [3, 4], "7.9": [2, 3]},
    )  # fmt: skip
    fire(table, Attack(("gw",), "E8", target="r1"))
    assert not found(table)
    assert falsified(table, "3.2.4/vtt", result="miss")


@pytest.mark.parametrize("result", ["passed", "failed", "disaster"])
def test_a_morale_check_follows_from_the_morale(result):
    table = a_table({"r1": ("447", "E6")}, dice={"3.2.3/nmc": [3, 4]})
    morale_check(table, table.state.units["r1"], (), Aftermath())
    assert not found(table)
    assert table.findings[0].result == "pinned"
    table.findings = table.findings[:1]
    assert falsified(table, "3.2.3/nmc", result=result)


def test_wounds_and_bog_checks_follow_from_their_dice():
    table = a_table(
        {"rl": ("r 8-1", "E6")}, vehicles={"r1": (T34, "E8", 1)}, dice={"3.2.3/wounds": [4], "7.6": [5, 5]}
    )
    wound(table, table.state.units["rl"], Aftermath())
    bog_check(table, table.state.vehicles["r1"], "E8", None)
    assert not found(table)
    assert falsified(table, "3.2.3/wounds", result="eliminated")
    table.findings = table.findings[1:]
    assert falsified(table, "7.6", dice=(6, 6))
