"""2.0 The briefing before the first turn: the situation, the length of the game, and the points.

    R-04    objectives, losses and exits that are worth points, and the levels of victory

It contains only public information: the reader's own units, and no positions at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.text.messages import Message, Several, prose, say, say_n, several
from pbem.titles.panzer.setup.scenario_file import Objective, Scenario
from pbem.titles.panzer.telling.words.codes import word

MOST_HEXES = 6
"""The maximum number of hexes listed for an objective."""


def briefing(scenario: Scenario, seat: str) -> Several:
    """2.0 The scenario in a few lines, for a seat's occupant."""
    side = next((one.side for one in scenario.seats if one.id == seat), seat)
    length = say("{turns} turns.", turns=scenario.turns)
    return several([scenario.name, prose(scenario.text), "", length, *point_lines(scenario, side)], "lines")


def point_lines(scenario: Scenario, side: str) -> Iterator[Message]:
    """R-04 Yield everything worth points, one line each."""
    names = {one.id: one.name for one in scenario.sides}
    for one, count in scenario.start.items():
        if count:
            yield say_n(
                "- {side} starts with {n} point.", "- {side} starts with {n} points.", n=count, side=names[one]
            )
    for objective in scenario.objectives:
        yield say(
            "- {objective}, held at the end: {points}.",
            objective=place(objective),
            points=points(objective.vp, names),
        )
    values = sorted({unit.vp for unit in scenario.units if unit.side == side and unit.vp})
    if len(values) == 1:
        yield say_n(
            "- Each unit you lose: {n} point for the other side.",
            "- Each unit you lose: {n} points for the other side.",
            n=values[0],
        )
    elif values:
        least, most = values[0], values[-1]
        yield say("- Each unit you lose: {least} to {most} points for the other side.", least=least, most=most)
    for exit in scenario.exits:
        yield say_n(
            "- Each vehicle of {side} that leaves by the {edge} edge: {n} point.",
            "- Each vehicle of {side} that leaves by the {edge} edge: {n} points.",
            n=exit.vp,
            side=names.get(exit.side, exit.side),
            edge=word(exit.edge),
        )
    if scenario.levels:
        levels = sorted(scenario.levels, key=lambda level: level.lead)
        leads = (say("{lead} or more: {level}", lead=level.lead, level=level.name) for level in levels)
        yield say("- Ahead by {leads}.", leads=several(leads, "unit"))


def place(objective: Objective) -> Message:
    """An objective with its hexes, if the list is short."""
    if len(objective.hexes) > MOST_HEXES:
        return say("{name}", name=objective.name)
    hexes = several(map(hex_name, objective.hexes), "unit")
    return say("{name} ({hexes})", name=objective.name, hexes=hexes)


def points(vp: dict[str, int], names: Mapping[str, str]) -> Message | Several:
    """R-04 The points an objective gives each side."""
    worth = [
        say_n("{n} point for {side}", "{n} points for {side}", n=count, side=names.get(side, side))
        for side, count in vp.items()
        if count
    ]
    return several(worth, "unit") if worth else say("no points")
