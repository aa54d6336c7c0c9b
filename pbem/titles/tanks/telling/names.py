"""T2 The names of cards, keywords, sides and countries, as readers see them.

A match may be played with its owner's cards; an id without a packaged name is shown as it is.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from pbem.engine.text.messages import Message, Name, Value, named, say, term
from pbem.titles.tanks.data_files import packaged, read_toml

KEYWORDS: Final = {
    "assault-gun": term("tanks keyword", "Assault Gun"),
    "big-gun": term("tanks keyword", "Big Gun"),
    "blitzkrieg": term("tanks keyword", "Blitzkrieg"),
    "coordinated-fire": term("tanks keyword", "Coordinated Fire"),
    "fast": term("tanks keyword", "Fast"),
    "gung-ho": term("tanks keyword", "Gung Ho"),
    "heavy": term("tanks keyword", "Heavy"),
    "semi-indirect-fire": term("tanks keyword", "Semi-Indirect Fire"),
}
COUNTRIES: Final = {
    "germany": term("country", "Germany"),
    "uk": term("country", "the United Kingdom"),
    "us": term("country", "the United States"),
    "ussr": term("country", "the Soviet Union"),
}
SIDES: Final = {"alpha": term("tanks side", "Alpha"), "bravo": term("tanks side", "Bravo")}
EDGES: Final = {
    "north": term("edge", "north"),
    "east": term("edge", "east"),
    "south": term("edge", "south"),
    "west": term("edge", "west"),
}
PHASES: Final = {
    "set-up": term("tanks phase", "Set-up"),
    "movement": term("tanks phase", "Movement"),
    "shooting": term("tanks phase", "Shooting"),
    "command": term("tanks phase", "Command"),
}
"""T1 The phases of a turn by their names in the state."""
CRITICALS: Final = term("modifier", "criticals")
COORDINATED: Final = "coordinated with "
"""T9.3 The name of this modifier in the record; the friend's id follows it."""


@cache
def names_in(file: str, table: str) -> dict[str, str]:
    """The names of packaged cards by id."""
    return {str(row["id"]): str(row["name"]) for row in read_toml(packaged(file), file)[table]}


def card_name(id: str) -> Value:
    """T2.2 The name of a crew or upgrade card, or of a keyword that is used like one."""
    name = names_in("crew_and_upgrades.toml", "card").get(id)
    return named("tanks card", name) if name else keyword(id)


def critical_name(id: str) -> Value:
    """T2.3 The name of a critical card."""
    name = names_in("criticals.toml", "critical").get(id)
    return named("tanks critical", name) if name else Name(id)


def keyword(id: str) -> Value:
    return KEYWORDS.get(id, Name(id))


def side(seat: str) -> Value:
    return SIDES.get(seat, Name(seat))


def country(id: str) -> Value:
    return COUNTRIES.get(id, Name(id))


def edge(word: str) -> Value:
    return EDGES.get(word, Name(word))


def modifier(text: str) -> Message:
    """T7.4, T7.6 The text of a dice modifier: a row of a table, a card, or a friend that fired at this target."""
    if text.startswith(COORDINATED):
        return say("coordinated with {friend}", friend=text.removeprefix(COORDINATED))
    if text == CRITICALS.text:
        return CRITICALS
    cards = names_in("crew_and_upgrades.toml", "card").values()
    return named("tanks card" if text in cards else "modifier", text)
