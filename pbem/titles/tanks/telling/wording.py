"""The base for telling findings, and phrases that several sentences share."""

from __future__ import annotations

from typing import Any, Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import (
    Message,
    Name,
    Signed,
    Value,
    recorded,
    say,
    say_n,
    several,
    term,
)
from pbem.engine.text.sentences import Telling
from pbem.titles.tanks.player.words import write_place
from pbem.titles.tanks.telling.names import modifier

TELLING: Final = Telling()
tells = TELLING.tells


def at(point: Any) -> Name:
    """A point in centimetres from the north-west corner."""
    return Name(write_place(point[0], point[1]))


def describe_hits(number: int) -> Message:
    return say_n("{n} hit", "{n} hits", n=number)


def describe_criticals(number: int) -> Message:
    return say_n("{n} critical", "{n} criticals", n=number)


def rows(finding: Finding) -> Value:
    """The modifiers of a number of dice, each with its value."""
    found = [
        say("{modifier} {value}", modifier=modifier(row["text"]), value=Signed(row["value"] * row.get("times", 1)))
        for row in finding.modifiers
    ]
    return several(found, "unit") if found else term("modifiers", "none")


def objection(finding: Finding) -> Message:
    """The reason why an order is not possible, in the words of its refusal."""
    return say("{why}.", why=recorded(finding.inputs["why"]))
