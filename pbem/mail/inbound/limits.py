"""Limits on email, so that reading one takes bounded time and memory.

Listeners check them before anything is parsed.
"""

from __future__ import annotations

import re

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


class TooLong(ValueError):
    """The text exceeds a limit; it is refused rather than read in part."""


HEADER_END = re.compile(rb"\r?\n\r?\n|\r\r")
BOUNDARY_LINE = re.compile(rb"^--", re.MULTILINE)
NESTS = re.compile(rb"boundary[*\d]*\s*=|message/", re.IGNORECASE)


def reason_not_read(raw: bytes) -> str:
    """Return why an email is not read; empty if it is."""
    if len(raw) > MOST_BYTES:
        return f"it is larger than {MOST_BYTES // 1024} KB"
    if header_length(raw) > MOST_HEADER:
        return f"its header is larger than {MOST_HEADER // 1024} KB"
    # Each part begins with such a line, and each level needs one of these words: more of them may be harmless,
    # but counting is cheap and parsing is not.
    if len(BOUNDARY_LINE.findall(raw)) > MOST_PARTS:
        return f"it has more than {MOST_PARTS} parts"
    if len(NESTS.findall(raw)) > MOST_NESTING:
        return "its parts are nested too deep"
    if raw.count(b"\n") > MOST_LINES:
        return f"it has more than {MOST_LINES} lines"
    return ""


def header_length(raw: bytes) -> int:
    end = HEADER_END.search(raw[: MOST_HEADER + 2])
    return len(raw) if end is None else end.start()


def head(raw: bytes) -> bytes:
    """Return the beginning of an email, in whole lines."""
    return raw[:HEAD].rpartition(b"\n")[0]
