"""The site's labels for codes: orders that can be given to many units, and days of the week."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.text.messages import Message, term
from pbem.matches.clock.causes import WEEKDAY_WORDS, WEEKDAYS

VERBS: Mapping[str, Message] = {
    "move": term("order", "Move"),
    "fire": term("order", "Fire"),
    "overwatch": term("order", "Overwatch"),
    "hold": term("order", "Hold"),
    "attack": term("order", "Attack"),
    "shoot": term("order", "Shoot"),
}
DAYS: Mapping[str, Message] = dict(zip(WEEKDAYS, WEEKDAY_WORDS, strict=True))


def verb(code: str) -> Message | str:
    """Return the label of an order's button."""
    return VERBS.get(code, code.capitalize())


def weekday(code: str) -> Message | str:
    """Return the short name of a day."""
    return DAYS.get(code, code.title())
