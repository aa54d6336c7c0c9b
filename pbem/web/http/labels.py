"""Words of the site for codes: orders that many units can be given, days of the week."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.text.messages import Message, term

VERBS: Mapping[str, Message] = {
    "move": term("order", "Move"),
    "fire": term("order", "Fire"),
    "overwatch": term("order", "Overwatch"),
    "hold": term("order", "Hold"),
    "attack": term("order", "Attack"),
    "shoot": term("order", "Shoot"),
}
WEEKDAYS: Mapping[str, Message] = {
    "mon": term("weekday", "Mon"),
    "tue": term("weekday", "Tue"),
    "wed": term("weekday", "Wed"),
    "thu": term("weekday", "Thu"),
    "fri": term("weekday", "Fri"),
    "sat": term("weekday", "Sat"),
    "sun": term("weekday", "Sun"),
}


def verb(code: str) -> Message | str:
    """Return the label of an order's button."""
    return VERBS.get(code, code.capitalize())


def weekday(code: str) -> Message | str:
    """Return the short name of a day."""
    return WEEKDAYS.get(code, code.title())
