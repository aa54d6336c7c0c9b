"""Limits on email, so that reading one takes bounded time and memory.

Listeners check them before anything is parsed.
"""

from __future__ import annotations

import re

from pbem.engine.text.messages import Message, as_message, say
from pbem.matches.players.work import OVERSPENT

MOST_BYTES = 1024 * 1024
MOST_HEADER = 64 * 1024
MOST_PARTS = 500
MOST_NESTING = 20
MOST_LINES = 20_000
HEAD = 16 * 1024
"""How many bytes of an email beyond the limits are stored: enough to identify the sender."""

MOST_TEXT = 600_000
"""The most characters read from all texts and files; even a thread with a year's turns has fewer."""

MOST_ELEMENTS = 12_000
"""The most HTML elements in a text that is read."""


MOST_NEW_LINES, MOST_NEW = 2_000, 200_000
"""The most new lines that are read, and characters in them: ten times the orders of a whole campaign, three times the
largest form."""

TOO_LARGE = say("it is larger than {most} KB", most=MOST_BYTES // 1024)
LARGE_HEADER = say("its header is larger than {most} KB", most=MOST_HEADER // 1024)
MANY_PARTS = say("it has more than {most} parts", most=MOST_PARTS)
TOO_DEEP = say("its parts are nested too deeply")
MANY_LINES = say("it has more than {most} lines", most=MOST_LINES)
LONG_TEXTS = say("its text is larger than {most} KB", most=MOST_TEXT // 1000)
MANY_ELEMENTS = say("its HTML has more than {most} elements", most=MOST_ELEMENTS)
MANY_NEW_LINES = say("it has more than {most} new lines", most=MOST_NEW_LINES)
LONG_NEW_TEXT = say("it has more than {most} KB of new text", most=MOST_NEW // 1000)
REASONS = {
    str(one): one
    for one in (
        *(TOO_LARGE, LARGE_HEADER, MANY_PARTS, TOO_DEEP, MANY_LINES),
        *(LONG_TEXTS, MANY_ELEMENTS, MANY_NEW_LINES, LONG_NEW_TEXT, OVERSPENT),
    )
}
"""The reasons why an email is not read, keyed by the English text that is stored with it."""


def reason(stored: str) -> Message:
    """Return why an email is not read, as a message."""
    return REASONS.get(stored) or as_message(stored)


class TooLong(ValueError):
    """The text exceeds a limit; it is refused rather than read in part."""


HEADER_END = re.compile(rb"\r?\n\r?\n|\r\r")
BOUNDARY_LINE = re.compile(rb"^--", re.MULTILINE)
NESTS = re.compile(rb"boundary[*\d]*\s*=|message/", re.IGNORECASE)


def reason_not_read(raw: bytes) -> str:
    """Return why an email is not read; empty if it is."""
    if len(raw) > MOST_BYTES:
        return str(TOO_LARGE)
    if header_length(raw) > MOST_HEADER:
        return str(LARGE_HEADER)
    # Each part begins with such a line, and each level needs one of these words: more of them may be harmless,
    # but counting is cheap and parsing is not.
    if len(BOUNDARY_LINE.findall(raw)) > MOST_PARTS:
        return str(MANY_PARTS)
    if len(NESTS.findall(raw)) > MOST_NESTING:
        return str(TOO_DEEP)
    if raw.count(b"\n") > MOST_LINES:
        return str(MANY_LINES)
    return ""


def header_length(raw: bytes) -> int:
    end = HEADER_END.search(raw[: MOST_HEADER + 2])
    return len(raw) if end is None else end.start()


def head(raw: bytes) -> bytes:
    """Return the beginning of an email, in whole lines."""
    return raw[:HEAD].rpartition(b"\n")[0]
