"""The names that players read for seats, sides and other readers of a message."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pbem.engine.text.messages import Message, named, say
from pbem.matches.server import Server

READERS = {"all": say("everybody"), "master": say("the game master"), "public": say("the public")}


def seat_name(server: Server, word: str) -> str:
    """Return the English display name of a seat, a side, or another reader of a message."""
    return str(seat_word(server, word))


def seat_word(server: Server, word: str) -> Message:
    """Return the display name of a seat, a side, or another reader of a message, for a reader of any language."""
    return READERS.get(word) or named("seat", _seat_name(server, word))


def _seat_name(server: Server, word: str) -> str:
    for title in server.titles.values():
        if word in title.seat_names:
            return title.seat_names[word]
    return in_plain_words(word)


def with_names(server: Server, text: str, words: Iterable[str]) -> str:
    """Return a text with these seats and sides replaced by their display names."""
    known = "|".join(map(re.escape, sorted(words)))
    return (
        re.sub(rf"(?<![\w-])(?:{known})(?![\w-])", lambda found: seat_name(server, found[0]), text) if known else text
    )


def turn_name(turn: int, word: str = "turn") -> Message:
    """Return what players call a turn: `turn 3`, or the set-up before the first; a campaign has stages."""
    if not turn:
        return say("the set-up")
    return say("stage {turn}", turn=turn) if word == "stage" else say("turn {turn}", turn=turn)


def turn_heading(turn: int, word: str = "turn") -> Message:
    """Return the name of a turn at the beginning of a line."""
    if not turn:
        return say("The set-up")
    return say("Stage {turn}", turn=turn) if word == "stage" else say("Turn {turn}", turn=turn)


def turn_word(server: Server, title: str) -> str:
    """Return the word that players of a title use for a turn."""
    return server.titles[title].turn_word if title in server.titles else "turn"


def title_name(server: Server, word: str) -> str:
    """Return the display name of a title."""
    title = server.titles.get(word)
    return title.full_name if title is not None and title.full_name else in_plain_words(word)


def scenario_name(server: Server, title: str, scenario: str) -> str:
    """Return a scenario's printed name, or its file name in words if it has none or its title is not installed."""
    found = server.titles.get(title)
    return (found.scenario_name(scenario) if found is not None else "") or in_plain_words(scenario)


def in_plain_words(word: str) -> str:
    """Return an id as words that begin with a capital letter."""
    return word[:1].upper() + word[1:].replace("-", " ").replace("_", " ")
