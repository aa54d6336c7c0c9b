"""Forms as data: order lines as text, and comments as messages, which are put into words late.

form_text       a form as text, its comments in the reader's language
Remarked        an order line with a comment
comment         a comment in lines no wider than a phone shows
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import TypeAlias

import msgspec

from pbem.engine.text.messages import ENGLISH, Message, Several, Translator

WIDTH = 46


class Remarked(msgspec.Struct, frozen=True):
    """An order line with a comment behind it, or above it where both do not fit on one line."""

    line: str
    remark: Message | Several
    above: bool = False

    def __str__(self) -> str:
        return f"{self.line} # {self.remark}"


FormLine: TypeAlias = str | Message | Several | Remarked
"""A line of a form: an order line as text, a comment, or both."""


def form_text(lines: Iterable[FormLine], width: int = WIDTH, translator: Translator = ENGLISH) -> str:
    """Return a form as text: order lines as they are, and each message as a comment."""
    return "".join(f"{line}\n" for line in _write_lines(lines, width, translator))


def _write_lines(lines: Iterable[FormLine], width: int, translator: Translator) -> Iterator[str]:
    for line in lines:
        if isinstance(line, Message | Several):
            yield from comment(translator(line), width)
        elif isinstance(line, Remarked):
            remark = translator(line.remark)
            both = f"{line.line} # {remark}"
            yield from [both] if len(both) <= width and not line.above else [*comment(remark, width), line.line]
        else:
            yield line


def comment(text: str, width: int = WIDTH) -> list[str]:
    """Return a comment in lines of this width; the second and later ones are indented."""
    return wrap(text, width, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
