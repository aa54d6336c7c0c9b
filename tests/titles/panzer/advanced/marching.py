"""Builders for moves of the advanced game: place units, and move one of them.

    table = a_field(a_leg("g1", "C9", SQUAD), signs={"C8": "s"})
    moved = moves(table, "g1", "1 1")
    assert_rule(refused(table, "g1", "1 1 1"), "6.6.4.1")

Units have a Move by default; there is always a distant enemy without a command.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from titles.panzer.advanced.builders import a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import Played, Scripted, a_board, a_hex, run_step

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.table import Table
from pbem.titles.panzer.movement.movement_step import check_move, movement_step
from pbem.titles.panzer.movement.steps.route_following import follow
from pbem.titles.panzer.movement.steps.unit_steps import March, mover_of, start
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.state import Command, Feature, PanzerState, Unit

SQUAD = "german_rifle_squad"
HALF_SQUAD = "german_rifle_half_squad"
SECTION = "german_section"
CYCLISTS = "german_motorcycle_squad"


def a_field(
    *units: Unit,
    edition: str = "2024",
    dice: Iterable[int] = (),
    features: Iterable[Feature] = (),
    scenario: Mapping[str, Any] | None = None,
    board: Mapping[str, Any] | None = None,
    signs: Mapping[str, str] | None = None,
    **more: Any,
) -> Table[PanzerState]:
    """A table on open ground: the German units move, and the Soviet units, including a distant one, are
    stationary."""
    for unit in units:
        if unit.command is None and not unit.aboard:
            unit.command = Command.MOVE if unit.side == "german" else Command.NO_COMMAND
    far = a_tank("s99", "T20", "t34_76", command=Command.NO_COMMAND)
    given: dict[str, Any] = {"sides": ("soviet", "german"), "first": "soviet", **more}
    state = an_advanced_state(*units, far, **given)
    state.features = {feature.id: feature for feature in features}
    ground = a_board(signs=signs, **(board or {}))
    data = advanced_data(ground, edition=edition, sides=state.sides, **(scenario or {}))
    return Table(state, Scripted(dice), data)


def a_feature(type: str, hex: str, **more: Any) -> Feature:
    return Feature(id=f"f-{type}-{hex}", type=type, hex=a_hex(hex), known=("german", "soviet"), **more)


def an_answer(unit: str, steps: str = "", mode: str = "cross", **more: Any) -> dict[str, Any]:
    return {"unit": unit, "mode": mode, "steps": steps.split(), **more}


def ask_of(table: Table[PanzerState], side: str = "german", **about: Any) -> Ask:
    return Ask(side, "move", "6.6", about=about)


def moves(
    table: Table[PanzerState],
    unit: str,
    steps: str = "",
    mode: str = "cross",
    answers: Mapping[Any, Any] | None = None,
    **more: Any,
) -> Played:
    """Check the move against the view of the unit's owner, and carry it out."""
    side = table.state.vehicles[unit].side
    answer = check_move(table, ask_of(table, side), an_answer(unit, steps, mode, **more))
    return run_step(table, movement_step(table, side=side, begun=True), {"move": [answer], **(answers or {})})


def refused(table: Table[PanzerState], unit: str, steps: str = "", mode: str = "cross", **more: Any) -> Refusal:
    """Return the refusal of an illegal move."""
    side = table.state.vehicles[unit].side
    with pytest.raises(Refusal) as refusal:
        check_move(table, ask_of(table, side), an_answer(unit, steps, mode, **more))
    return refusal.value


def tried(table: Table[PanzerState], unit: str, steps: str = "", mode: str = "cross") -> March:
    """Return how far a move gets when it is only tried out."""
    mover = mover_of(table, table.state.vehicles[unit], mode == "quick")
    begun = start(mover, mode)  # type: ignore[arg-type]
    strides, objections = follow(mover, begun, steps.split())
    assert not objections, objections
    end = strides[-1].progress if strides else begun
    assert isinstance(end, March)
    return end


def where(table: Table[PanzerState], unit: str) -> str:
    hex = table.state.vehicles[unit].hex
    return "" if hex is None else hex_name(hex)


def rule(table: Table[PanzerState], number: str) -> str:
    return ledger_row(table.data.edition, number)
