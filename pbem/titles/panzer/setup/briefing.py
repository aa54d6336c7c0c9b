"""2.0 What a player is told before the first turn: the situation, the length of the game, and what counts.

    R-04    objectives, losses and exits that are worth points, and the levels of victory

Only what both sides know: of the units the reader's own, and no place of anybody.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.geometry.hexes import hex_name
from pbem.titles.panzer.setup.scenario_file import Objective, Scenario

MOST_HEXES = 6
"""Of a place that is named by its hexes."""


def briefing(scenario: Scenario, seat: str) -> str:
    """2.0 The scenario in a few lines, for the occupant of a seat."""
    side = next((one.side for one in scenario.seats if one.id == seat), seat)
    situation = " ".join(scenario.text.split())
    return "\n".join([scenario.name, situation, "", f"{scenario.turns} turns.", *counted(scenario, side)])


def counted(scenario: Scenario, side: str) -> Iterator[str]:
    """R-04 What is worth points, one line each."""
    for objective in scenario.objectives:
        yield f"- {objective.name}{place(objective)}: {points(objective.vp)} to who holds it at the end."
    values = sorted({unit.vp for unit in scenario.units if unit.side == side and unit.vp})
    if values:
        worth = str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"
        yield f"- For each unit of yours that is eliminated the other side gets {worth} {noun(values[-1])}."
    for exit in scenario.exits:
        yield f"- Each vehicle of {exit.side} that leaves by the {exit.edge} edge: {exit.vp} {noun(exit.vp)}."
    if scenario.levels:
        levels = sorted(scenario.levels, key=lambda level: level.lead)
        yield f"- Ahead by {', '.join(f'{level.lead} or more: {level.name}' for level in levels)}."


def place(objective: Objective) -> str:
    """Where it is, if that is short."""
    return f" ({', '.join(map(hex_name, objective.hexes))})" if len(objective.hexes) <= MOST_HEXES else ""


def points(vp: dict[str, int]) -> str:
    each = ", ".join(f"{side} {count}" for side, count in vp.items() if count)
    return f"{each} {noun(max(vp.values(), default=0))}"


def noun(count: int) -> str:
    return "point" if count == 1 else "points"
