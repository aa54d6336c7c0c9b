"""A made-up language that accents every letter of an extracted message, so a plain word has bypassed the layer.

pseudo_translator   a translator whose catalogue holds everything that `pbem messages` extracts
plain_words         words of a page that no message holds: text, `title`, `alt`, `aria-label`, `placeholder`
plain_lines         lines of an email with such words
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from gettext import NullTranslations
from html.parser import HTMLParser

from pbem.cli import messages
from pbem.engine.text.messages import Translator

PIECES = re.compile(r"(\{\w+\}|<[^>]*>|&\w+;|<code>.*?</code>)")
ACCENTS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "åƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ"
)
WORD = re.compile(r"(?<![\w@./-])[A-Za-z][a-z]{2,}(?:'[a-z]+)?(?![\w@/-]|\.\w)")
SHOWN = ("title", "alt", "aria-label", "placeholder")
SKIPPED = {"script", "style", "code", "pre", "textarea", "time", "kbd", "svg"}
VOID = {"img", "br", "input", "meta", "link", "hr", "source", "wbr"}


def accented(text: str) -> str:
    """Return the text with accents, except in placeholders, tags and code."""
    return "".join(
        part if PIECES.fullmatch(part) else part.translate(ACCENTS)
        for part in re.split(r"(<code.*?</code>)", text)
        for part in PIECES.split(part)
        if part
    )


class Pseudo(NullTranslations):
    """A catalogue that accents extracted messages and leaves everything else unchanged."""

    def __init__(self, known: frozenset[tuple[str, str]]) -> None:
        super().__init__()
        self.known = known

    def accent(self, context: str, key: str, text: str) -> str:
        return accented(text) if (context, key) in self.known else text

    def gettext(self, message: str) -> str:
        return self.accent("", message, message)

    def pgettext(self, context: str, message: str) -> str:
        return self.accent(context, message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.accent("", msgid1, msgid1 if n == 1 else msgid2)


@cache
def pseudo_translator() -> Translator:
    known = frozenset((one.context, one.texts[0]) for one in messages.all_messages() if one.literal)
    translator = Translator("en", Pseudo(known))
    translator.lists = {
        style: (accented(between), accented(last)) for style, (between, last) in translator.lists.items()
    }
    return translator


class _Walk(HTMLParser):
    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()
        self.names, self.found = names, list[str]()
        self.stack: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        for name in SHOWN:
            if said.get(name) and not self.skipping() and said.get("translate") != "no":
                self.note(said[name] or "")
        if tag not in VOID:
            self.stack.append((tag, tag in SKIPPED or said.get("translate") == "no"))

    def handle_endtag(self, tag: str) -> None:
        while self.stack and self.stack.pop()[0] != tag:
            pass

    def skipping(self) -> bool:
        return any(skipped for _, skipped in self.stack)

    def handle_data(self, data: str) -> None:
        if not self.skipping():
            self.note(data)

    def note(self, text: str) -> None:
        text = " ".join(text.split())
        if any(word not in self.names for word in WORD.findall(text)):
            self.found.append(text)


def plain_words(page: str, names: frozenset[str] = frozenset()) -> list[str]:
    """Return the texts of a page that contain plain words; `names` lists names of people, matches and so on, which
    are allowed."""
    walk = _Walk(names)
    walk.feed(page)
    return walk.found


def plain_lines(body: str, names: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the lines of an email that contain plain words; order lines, quotations, links and quoted words are
    exempt."""
    for line in body.splitlines():
        if line.startswith(("    ", ">", "http")):
            continue
        said = re.sub(r"“[^”]*”|\"[^\"]*\"|\S{24,}", "", line)
        if any(word not in names for word in WORD.findall(said)):
            yield line.strip()
