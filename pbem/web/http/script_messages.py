"""Messages of the site's scripts: `message("…")` and `message_n("…", "…", …)` in `pbem/web/static`.

A page for a reader whose language has a catalogue contains the translations, keyed by the English text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any, NamedTuple

from pbem.engine.text.messages import Message, Translator

SCRIPTS = Path(__file__).parents[1] / "static"
TEXT = r'"((?:[^"\\]|\\.)*)"'
CALL = re.compile(rf"\bmessage\({TEXT}|\bmessage_n\({TEXT}, {TEXT}")
SAMPLES = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}
"""For each plural category of a browser, a number that belongs to the category in the languages that use it."""


class Scripted(NamedTuple):
    """A message in a script."""

    text: str
    many: str
    file: Path
    line: int


def messages_in_scripts(folder: Path = SCRIPTS) -> Iterator[Scripted]:
    """Yield the messages of the scripts, in order."""
    for file in sorted(folder.glob("*.js")):
        source = file.read_text("utf-8")
        for found in CALL.finditer(source):
            text, one, many = found.groups()
            yield Scripted(text or one, many or "", file, source.count("\n", 0, found.start()) + 1)


@cache
def translations(translator: Translator) -> dict[str, Any]:
    """The scripts' messages in another language; plural ones by category. Empty for English."""
    if type(translator.catalogue) is NullTranslations:
        return {}
    return {
        one.text: {name: _pattern(translator, one, n) for name, n in SAMPLES.items()}
        if one.many
        else _pattern(translator, one)
        for one in messages_in_scripts()
    }


def _pattern(translator: Translator, one: Scripted, n: int = 0) -> str:
    return translator.pattern(Message(one.text, {"n": n} if one.many else {}, one.many))
