"""Patterns for quotations, signatures and footers of mail programs, in the languages of `data/reply_patterns.toml`.

Every pattern is for one line, or for a few that were joined, and takes time proportional to its length.
"""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from typing import Any

FIRST_CJK = 0x2E80
Languages = dict[str, dict[str, list[str]]]


def _read() -> tuple[Languages, dict[str, frozenset[str]]]:
    file = resources.files("pbem.mail.inbound") / "data" / "reply_patterns.toml"
    table: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
    marks = {kind: frozenset(words) for kind, words in table.pop("html").items()}
    return table, marks


LANGUAGES, HTML = _read()


def any_of(kind: str) -> str:
    """Return a pattern for the words of one kind in all languages, longest first."""
    words = {word for language in LANGUAGES.values() for word in language.get(kind, ())}
    return "|".join(_whole(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _whole(word: str) -> str:
    """Return a pattern for a whole word, without a word boundary for languages that have no spaces."""
    return re.escape(word) + (r"(?!\w)" if ord(word[-1]) < FIRST_CJK and word[-1].isalnum() else "")


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


FOR_US = r"accept|confirm|decline|yes|no|final|cancel|status|map|help|history|resume|resign|concede|draw"
"""Requests to the server; a greeting that contains one is not removed as a mere greeting."""

DATE = r"\d{4}\s?[年년]|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}"
TIME = re.compile(r"\d{1,2}\s?[:.h時时시点]\s?\d{2}|\d{4}\s?[年년]|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\b(?:19|20)\d\d\b")
ADDRESS = re.compile(r"[<(\[][^<>()\[\]\s]{1,250}@[^<>()\[\]\s]{1,250}[>)\]]")
ENDS_WITH_COLON = re.compile(r"[:：]\s*$")

OPENING = _pattern(rf"^(?:(?:{any_of('opening')})\s|在)")
DATED = _pattern(rf"^(?:(?:{any_of('weekdays')})[.,]*\s*,?\s*\d|{DATE}|\d{{1,2}}\.?\s[^\W\d]{{3,12}}\.?,?\s\d{{4}})")
WROTE = _pattern(rf"(?:\b|(?<=[^\x00-\x7f])|(?=[^\x00-\x7f]))(?:{any_of('wrote')})")
HEADER_FROM = _pattern(rf"^[*\s]*(?:{any_of('from')})\s?[*\s]*:")
HEADER_FIELD = _pattern(rf"^[*\s]*(?:{any_of('from')}|{any_of('fields')})\s?[*\s]*:")
SEPARATOR = _pattern(rf"^\s*+(?:[-_=]{{2,}}+\s*+(?:{any_of('separator')}).{{0,80}}?[-_=]{{2,}}|_{{20,}})\s*$")
BEGINS = _pattern(rf"^\s*(?:{any_of('begins')})\s*[:：]?\s*$")
SIGNATURE = re.compile(r"^(?:--|—|––)\s?$")
SENT_FROM = _pattern(
    rf"^\s*(?:<?(?:{any_of('sent_from')}).{{0,120}}|.{{1,60}}(?:{any_of('sent_end')})[.。]?\s*(?:<[^>]{{0,100}}>)?)\s*$"
)
ONLY_A_LINK = re.compile(r"^\s*<https?://[^>\s]{1,500}>\s*$")
GREETING = _pattern(rf"^(?!.*\b(?:{FOR_US})\b)(?:{any_of('greeting')})[^\d]{{0,60}}$")
CLOSING = re.compile(
    rf"^(?i:{any_of('closing')})\s*+[,.!。、!]*+\s*+(?:[^\W\d_a-z][^\W\d_]*+[,.]?\s*+){{0,3}}[,.!。]?\s*$",
)
MAIL = _pattern(any_of("mail"))
SECRET = _pattern(any_of("secret"))
