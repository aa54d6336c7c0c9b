"""Findings explain decisions: each is recomputed, and a wrong number is reported."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from titles.nato.builders import a_data, a_table, board_on, played

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.recompute import find_unexplained
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.explain.recomputing import RECIPES
from pbem.titles.nato.movement.phase import make_moves
from pbem.titles.nato.player.orders import AirStrike, Commit, Move


def differences(findings: Iterable[Finding], data: Any = None) -> list[str]:
    """Return the rules of findings that do not follow from their own numbers."""
    return [said.partition(" ")[0] for said in find_unexplained(RECIPES, data or a_data(), findings)]


def the(findings: Iterable[Finding], rule: str) -> Finding:
    return next(one for one in findings if one.rule == rule and (one.dice or "spent" in one.inputs))


def a_fight() -> list[Finding]:
    """Return the findings of a move and a battle with a defensive strike, shifts, multipliers and a counterattack."""
    units = {"3019": "16GT 21", "3020": "7/1A", "3118": "94G", "3114": "NEGF"}
    held = {"3117": Side.WP, "3115": Side.WP}
    table = a_table(units, [3, 4, 6], tactical={Side.NATO: 2}, conquered=held)
    board = board_on(table)
    make_moves(table, board, [Move("94G", ("3119",), "tactical")])
    strikes = (AirStrike("3019", targets=("21",)),)
    commit = Commit("3020", ("16GT", "21"))
    return played(table, battle_cycle(table, commit), air_defense=strikes, respond=None)


CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("25.5.2", {"result": "-/D2*R2"}),
    ("25.5.2", {"dice": (1,)}),
    ("25.5.2", {"cell": ["9:1", 4]}),
    ("23.2.2", {"dice": (6,)}),
    ("23.2.2", {"modifiers": [{"text": "surprise", "value": 3}]}),
    ("12.2", {"modifiers": [{"text": "clear", "value": 1}, {"text": "rough", "value": 2}]}),
]


@pytest.mark.parametrize(("rule", "change"), CHANGES)
def test_a_number_that_did_not_decide_is_named(rule: str, change: dict[str, Any]) -> None:
    findings = a_fight()
    assert differences(findings) == []
    true = the(findings, rule)
    assert rule in differences([msgspec.structs.replace(true, **change)])


@pytest.mark.parametrize("name", ["attack", "defense", "basic", "net"])
def test_25_5_2_every_number_of_a_battle_is_worked_out_again(name: str) -> None:
    true = the(a_fight(), "25.5.2")
    wrong = "9:1" if name == "basic" else true.inputs[name] + 1
    assert "25.5.2" in differences([msgspec.structs.replace(true, inputs={**true.inputs, name: wrong})])


def test_25_3_factors_shifts_and_odds_below_a_battle_are_worked_out_again() -> None:
    """Each child finding with a calculation of its own is checked separately."""
    true = the(a_fight(), "25.5.2")
    for rule in ("25.3.1", "25.3.1.3", "25.3.3", "25.3.4", "25.5.1"):
        child = next(one for one in true.children if one.rule == rule)
        assert differences([child]) == []
        assert differences([msgspec.structs.replace(child, result="wrong")]) == [rule]
