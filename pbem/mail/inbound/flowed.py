"""RFC 3676, format=flowed: a line that ends with a space continues in the next line of the same quoting depth."""

from __future__ import annotations

import re

QUOTES = re.compile(r"(>*) ?(.*)", re.DOTALL)
SIGNATURE = "-- "
MOST_LINES = 50_000


def unflow(text: str, *, delete_space: bool = False) -> str:
    """Restore the lines of a `format=flowed` text as they were written."""
    if text.count("\n") + text.count("\r") > MOST_LINES:
        return text  # not written by the sender
    written: list[tuple[str, list[str]]] = []
    goes_on = False
    for line in re.split(r"\r\n|\r|\n", text):
        quotes, content = QUOTES.fullmatch(line).groups()  # type: ignore[union-attr]
        if not (goes_on and written[-1][0] == quotes and content != SIGNATURE):
            written.append((quotes, []))
        goes_on = content.endswith(" ") and content != SIGNATURE  # 4.3 a signature line is not flowed
        written[-1][1].append(content[:-1] if goes_on and delete_space else content)
    return "\n".join(f"{quotes}{' ' if quotes else ''}{''.join(pieces)}" for quotes, pieces in written)
