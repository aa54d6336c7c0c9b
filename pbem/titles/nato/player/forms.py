"""The order language on one screen, and the briefing.

Each decision makes its own form.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.text.messages import Message, Several, prose, say, say_n, several
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.victory import prizes

MOST_CITIES: Final = 12
"""The most cities that the briefing names; on maps with more of them, a summary names only those conquered."""

HELP: Final = say(
    """\
Movement, one line for each unit:
16GT 3117           by the cheapest route
16GT 3117 3218      via these hexes
E1 3116 march       friendly airspace only
E8 reserve          or: E8 2919 reserve
P5T entrain         then: P5T 3101 rail
97 1410 drop        ferry lift land withdraw
83 2920 fly         97 2111 extract
resupply 3218       one hex, by air
Battles and strikes:
attack 3218 with 16GT, 21
  ... support NEGF helicopters NEGF
air 3218 at 22/1A   one air point
interdict 3220      movement costs more
fire 34N at 3218    artillery
deep 2              NATO, operational points
chemical 3218       nuke 3218
respond: best       any standing order
ceasefire           propose one, or accept it
none                nothing at all
Hexes may be called by their city: Minden.
"""
)
"""The order language on one screen."""


def briefing(data: NatoData, seat: str) -> Several:
    """35.9 Describe the situation, the length and the victory conditions of the match."""
    scenario = data.scenario
    *above, last = scenario.victory.levels
    levels = [say("- {margin} or more: {result}", margin=row.margin, result=row.message) for row in above]
    levels += [say("- less than {margin}: {result}", margin=row.margin, result=last.message) for row in above[-1:]]
    margin = say("The Warsaw Pact's points minus NATO's points decide the match:")
    length = say("{turns} turns.", turns=scenario.turns)
    points = points_to_win(data)
    return several(
        [scenario.name, prose(scenario.text), "", *command_of(data, seat), length, *points, margin, *levels], "lines"
    )


def points_to_win(data: NatoData) -> Iterator[Message]:
    """34.2, 34.5 Say which cities and losses give points."""
    found = prizes(data)
    first = [f"{data.atlas.name(hex)} ({points})" for hex, points in found.items()][:MOST_CITIES]
    more = len(found) - len(first)
    cities = several(first, "unit")
    if more:
        yield say(
            "Points for the Warsaw Pact, for NATO cities that it holds at the end: {cities} and {more} more.",
            cities=cities,
            more=more,
        )
    elif found:
        yield say("Points for the Warsaw Pact, for NATO cities that it holds at the end: {cities}.", cities=cities)
    if (lost := data.scenario.victory.division) > 0:
        yield say_n(
            "NATO scores {n} point for each Warsaw Pact division that is eliminated.",
            "NATO scores {n} points for each Warsaw Pact division that is eliminated.",
            n=lost,
        )


def command_of(data: NatoData, seat: str) -> list[Message | str]:
    """35.8 Describe the command of a seat and, if its side has several, the other commands."""
    own = next((one for one in data.seats if one.id == seat), None)
    if own is None or len(data.seats_of(own.side)) == 1:
        return []
    mates = [one for one in data.seats if one.side is own.side and one.id != seat]
    names = several((f"{one.name} ({one.id})" for one in mates), "unit")
    lines: list[Message | str] = [say("You command: {name} ({seat}).", name=own.name, seat=own.id)]
    if own.theatre:
        lines.append(say("You are the commander-in-chief: you also answer for seats that send nothing."))
    return [*lines, say("On your side: {names}.", names=names), ""]
