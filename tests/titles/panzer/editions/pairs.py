"""Pairs of situations on which the two books differ, played through orders as players send them.

A situation is a function of the edition. `tell` plays a turn and returns what to compare; for a refused order, that
is the rules of its objections. `by_both` asks both books.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from titles.panzer.advanced.builders import a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_board
from titles.panzer.combinations.turns import Turn, a_turn

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.state import Unit

FREE = tuple(rule for rule in ADVANCED_RULES if rule != "command_control")
"""The advanced game with a command for every unit."""
Situation = Callable[[Edition], Any]


def tell(
    edition: Edition,
    orders: str,
    *units: Unit,
    of: Callable[[Turn], Any],
    board: Mapping[str, Any] | None = None,
    dice: Mapping[str, int] | None = None,
    rules: Sequence[str] = (),
    scenario: Mapping[str, Any] | None = None,
    sides: tuple[str, str] = ("german", "soviet"),
    others: str = "",
    complete: bool = True,
    **state: Any,
) -> Any:
    """Return what a turn reports after these orders of the first side, or the rules by which they are refused.

    Unless `complete` is false, every order must be carried out.
    """
    data = advanced_data(
        a_board(**(board or {})), edition=edition, rules=(*FREE, *rules), sides=sides, **(scenario or {})
    )
    given = {sides[0]: orders} | ({sides[1]: others} if others else {})
    try:
        turn = a_turn(data, an_advanced_state(*units, sides=sides, **state), dice=dice, **given)
    except Refusal as refusal:
        return sorted({objection.rule for objection in refusal.objections})
    assert not (complete and turn.fails), turn.fails
    return of(turn)


def at(unit: str) -> Callable[[Turn], str]:
    """Return the hex in which a unit ends the turn."""

    def told(turn: Turn) -> str:
        hex = turn.state.vehicles[unit].hex
        return "" if hex is None else hex_name(hex)

    return told


def modifiers(rule: str, *wanted: str) -> Callable[[Turn], dict[str, int]]:
    """Return the modifiers of the findings under a rule, or only those asked for."""

    def told(turn: Turn) -> dict[str, int]:
        rows = [row for finding in turn.of(rule) for row in finding.modifiers]
        return {row["when"]: row["value"] for row in rows if not wanted or row["when"] in wanted}

    return told


def levels(**high: int) -> str:
    """Return a drawing of levels: those of the hexes named, and 0 everywhere else."""
    raised = {name: str(level) for name, level in high.items()}
    letters = "ABCDEFGHIJKLMNOPQRST"
    return "\n".join("".join(raised.get(f"{letter}{row}", "0") for letter in letters) for row in range(1, 21))


def far() -> Unit:
    """Return a distant enemy that plays no part."""
    return a_tank("s9", "T20", "t34_76")


def by_both(situation: Situation) -> dict[str, Any]:
    """Return what a situation reports under each book."""
    return {edition: situation(edition) for edition in EDITIONS}


def row(number: int | str, situation: Situation, new: Any, old: Any) -> Any:
    """Return a row of the comparison of the books, as a parameter of a test."""
    return pytest.param(situation, new, old, id=f"{number}-{situation.__name__}")
