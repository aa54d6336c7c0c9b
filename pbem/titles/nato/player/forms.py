"""The order language on one screen, and the briefing.

The forms of the asks are made by the decisions themselves.
"""

from __future__ import annotations

from typing import Final

from pbem.titles.nato.data_set import NatoData

HELP: Final = """\
Movement, one line for each unit:
16GT 3117           by the cheapest way
16GT 3117 3218      over these hexes
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
none                nothing at all
Hexes may be called by their city: Minden.
"""
"""The order language on one screen."""


def briefing(data: NatoData, seat: str) -> str:
    """35.9 Describe the situation, the length and the victory conditions of the match."""
    scenario = data.scenario
    levels = [f"  {row.margin} or more: {row}" for row in scenario.victory.levels]
    margin = "Warsaw Pact points less NATO points decide the match:"
    text = [scenario.name, " ".join(scenario.text.split()), "", *command_of(data, seat)]
    return "\n".join([*text, f"{scenario.turns} turns.", margin, *levels])


def command_of(data: NatoData, seat: str) -> list[str]:
    """35.8 Describe the command of a seat and, if there are several, the other commands of its side."""
    own = next((one for one in data.seats if one.id == seat), None)
    if own is None or len(data.seats_of(own.side)) == 1:
        return []
    mates = [one for one in data.seats if one.side is own.side and one.id != seat]
    names = ", ".join(f"{one.name} ({one.id})" for one in mates)
    chief = "You are the commander-in-chief: you also answer for seats that send nothing." if own.theatre else ""
    lines = [f"You command: {own.name} ({own.id}).", chief, f"On your side: {names}."]
    return [*filter(None, lines), ""]
