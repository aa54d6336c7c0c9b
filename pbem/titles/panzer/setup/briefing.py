"""2.0 The briefing before the first turn: the situation, the length of the game, and the points.

    R-04    objectives, losses and exits that are worth points, and the levels of victory

It contains only public information: the reader's own units, and no positions at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.geometry.hexes import hex_name
from pbem.titles.panzer.setup.scenario_file import Objective, Scenario

MOST_HEXES = 6
"""The maximum number of hexes listed for an objective."""


def briefing(scenario: Scenario, seat: str) -> str:
    """2.0 The scenario in a few lines, for a seat's occupant."""
    side = next((one.side for one in scenario.seats if one.id == seat), seat)
    situation = " ".join(scenario.text.split())
    return "\n".join([scenario.name, situation, "", f"{scenario.turns} turns.", *point_lines(scenario, side)])


def point_lines(scenario: Scenario, side: str) -> Iterator[str]:
    """R-04 Yield everything worth points, one line each."""
    names = {one.id: one.name for one in scenario.sides}
    for objective in scenario.objectives:
        yield f"- {objective.name}{place(objective)}, held at the end: {points(objective.vp, names)}."
    values = sorted({unit.vp for unit in scenario.units if unit.side == side and unit.vp})
    if values:
        worth = str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"
        yield f"- Each unit you lose: {worth} {noun(values[-1])} for the other side."
    for exit in scenario.exits:
        owner = names.get(exit.side, exit.side)
        yield f"- Each vehicle of {owner} that leaves by the {exit.edge} edge: {exit.vp} {noun(exit.vp)}."
    if scenario.levels:
        levels = sorted(scenario.levels, key=lambda level: level.lead)
        yield f"- Ahead by {', '.join(f'{level.lead} or more: {level.name}' for level in levels)}."


def place(objective: Objective) -> str:
    """An objective's hexes, if the list is short."""
    return f" ({', '.join(map(hex_name, objective.hexes))})" if len(objective.hexes) <= MOST_HEXES else ""


def points(vp: dict[str, int], names: Mapping[str, str]) -> str:
    """R-04 The points an objective gives each side."""
    worth = [f"{count} {noun(count)} for {names.get(side, side)}" for side, count in vp.items() if count]
    return ", ".join(worth) or "no points"


def noun(count: int) -> str:
    return "point" if count == 1 else "points"
