"""Forms as data: order lines as text, and comments as messages, which are put into words late.

form_text       a form as text, its comments in the reader's language
comment         a comment in lines no wider than a phone shows
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from pbem.engine.text.messages import ENGLISH, Message, Translator

WIDTH = 46


def form_text(lines: Iterable[str | Message], width: int = WIDTH, translator: Translator = ENGLISH) -> str:
    """Return a form as text: order lines as they are, and each message as a comment."""
    return "".join(f"{line}\n" for line in _written(lines, width, translator))


def _written(lines: Iterable[str | Message], width: int, translator: Translator) -> Iterator[str]:
    for line in lines:
        if isinstance(line, Message):
            yield from comment(translator(line), width)
        else:
            yield line


def comment(text: str, width: int = WIDTH) -> list[str]:
    """Return a comment in lines of this width; the second and later ones are indented."""
    return wrap(text, width, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
