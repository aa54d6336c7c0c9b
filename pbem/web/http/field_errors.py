"""The mistakes that marshmallow finds in a form or a request, as messages."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from pbem.engine.text.messages import Message, Name, as_message, say, say_n, several

PLAIN = {
    "Missing data for required field.": say("this field is missing"),
    "Field may not be null.": say("this field must have a value"),
    "Invalid value.": say("this value is not allowed"),
    "Invalid input.": say("this value is not allowed"),
    "Invalid type.": say("give an object with named values"),
    "Invalid input type.": say("give an object with named values"),
    "Not a valid mapping type.": say("give an object with named values"),
    "Unknown field.": say("there is no such field"),
    "Not a valid boolean.": say("give true or false"),
    "Not a valid integer.": say("give a whole number"),
    "Not a valid number.": say("give a number"),
    "Number too large.": say("this number is too large"),
    "Special numeric values (nan or infinity) are not permitted.": say("give a number"),
    "Not a valid list.": say("give a list"),
    "Not a valid string.": say("give some text"),
    "Not a valid utf-8 string.": say("give text in UTF-8"),
    "Not a valid date.": say("give a date such as 2026-03-31"),
    "Not a valid URL.": say("give a full web address"),
    "String does not match expected pattern.": say("this does not have the right format"),
    "choose a scenario": say("choose a scenario"),
    "not a day": say("give a date such as 2026-03-31"),
}
"""Our wording of each fixed text: those of marshmallow's fields and validators, and those of our own schemas."""

Wording: TypeAlias = Callable[..., Message]
FILLED: tuple[tuple[str, Wording], ...] = (
    (r"Must be one of: (.*)\.", lambda words: say("choose one of {words}", words=choices(words))),
    (
        r"Longer than maximum length (\d+)\.",
        lambda n: say_n("at most {n} character is allowed", "at most {n} characters are allowed", n=int(n)),
    ),
    (
        r"Shorter than minimum length (\d+)\.",
        lambda n: say_n("at least {n} character is needed", "at least {n} characters are needed", n=int(n)),
    ),
    (
        r"Length must be between (\d+) and (\d+)\.",
        lambda least, most: say("give {least} to {most} characters", least=int(least), most=int(most)),
    ),
    (
        r"Must be greater than or equal to (\S+) and less than or equal to (\S+)\.",
        lambda least, most: say("give a number from {least} to {most}", least=least, most=most),
    ),
    (r"Must be greater than or equal to (\S+)\.", lambda least: say("give {least} or more", least=least)),
    (r"Must be less than or equal to (\S+)\.", lambda most: say("give {most} or less", most=most)),
)
"""Patterns of texts that contain values, with our wording."""


def choices(words: str) -> Any:
    return several((Name(word) for word in words.split(", ")), "or")


def reasons_in(said: Any) -> list[Message]:
    """The messages of a validation error, however deeply nested."""
    if isinstance(said, dict):
        return [one for inner in said.values() for one in reasons_in(inner)]
    return [in_our_words(str(one)) for one in (said if isinstance(said, list) else [said])]


def in_our_words(text: str) -> Message:
    """Return our wording of one mistake; an unknown text stays as it is."""
    if text in PLAIN:
        return PLAIN[text]
    for known, wording in FILLED:
        if found := re.fullmatch(known, text):
            return wording(*found.groups())
    return as_message(text.rstrip("."))
