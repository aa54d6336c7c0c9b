"""What somebody has written in a reply, without what he quoted.

Own rules come first, because orders are short lines that a general parser may take for a signature: lines marked
`>` are quoted; so is all that follows an attribution or a separator, unless the quotation is marked. The parser of
the field then takes away headers of other mail programs, signatures and disclaimers.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from mailparser_reply.constants import MAIL_LANGUAGES  # type: ignore[import-untyped]
from mailparser_reply.parser import EmailMessage as ReplyParser  # type: ignore[import-untyped]

MOST_LINES = 2000
PARSED_LINES, PARSED_LENGTH = 200, 200
"""What the parser is given at most: on long lines made for it, its patterns take minutes."""

ATTRIBUTION_LINES = 3
WROTE = re.compile(
    r"^(?:On|Am|Le|El|Em|Il|Op|Den|På|W dniu)\b.{4,300}"
    r"\b(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|schreef|skrev|napisał\(a\))\b.{0,80}:\s*$",
    re.IGNORECASE,
)
MESSAGE = r"(?:message|nachricht|mensaje|messaggio)"
SEPARATOR = re.compile(rf"^\s*(?:-{{2,}}\s*[\w ]{{0,40}}{MESSAGE}[\w ]{{0,40}}-{{2,}}|_{{10,}})\s*$", re.IGNORECASE)
SIGNATURE = re.compile(r"^--\s?$")


def new_text(text: str) -> str:
    """The new lines of a plain text."""
    lines = text.replace("\r\n", "\n").replace("\xa0", " ").split("\n")[:MOST_LINES]
    kept = _unquoted(lines)
    if len(kept) <= PARSED_LINES and max(map(len, kept), default=0) <= PARSED_LENGTH:
        kept = _parsed("\n".join(kept)).splitlines()
    return "\n".join(line.strip() for line in kept).strip()


def _parsed(text: str) -> str:
    """Without what other languages' mail programs add, signatures and disclaimers."""
    replies = ReplyParser(text=text, languages=list(MAIL_LANGUAGES), keep_hyphen_lists=True).read().replies
    return str(replies[0].body) if replies and not replies[0].headers else ""


def _unquoted(lines: list[str]) -> list[str]:
    kept: list[str] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        if SEPARATOR.match(line) or SIGNATURE.match(line):
            break
        if length := _attribution(lines, place):
            place = _next_text(lines, place + length)
            if place < len(lines) and not _quoted(lines[place]):
                break  # this program does not mark what it quotes
            continue
        if not _quoted(line):
            kept.append(line)
        place += 1
    return kept


def _quoted(line: str) -> bool:
    return line.lstrip().startswith((">", "|>"))


def _attribution(lines: list[str], place: int) -> int:
    """How many lines of "On Monday, somebody wrote:" begin here; programs wrap it."""
    for length in range(1, ATTRIBUTION_LINES + 1):
        joined = " ".join(line.strip() for line in lines[place : place + length])
        if WROTE.match(joined):
            return length
    return 0


def _next_text(lines: list[str], place: int) -> int:
    while place < len(lines) and not lines[place].strip():
        place += 1
    return place


# HTML --------------------------------------------------------------------------------------------------------

BREAKS = {"br", "p", "div", "tr", "li", "pre", "h1", "h2", "h3", "h4", "table", "ul", "ol"}
UNSEEN = {"style", "script", "head", "title", "blockquote"}
QUOTES = {"gmail_quote", "gmail_attr", "yahoo_quoted", "moz-cite-prefix", "protonmail_quote"}
REST_IS_QUOTED = {"divrplyfwdmsg", "appendonsend", "mail-editor-reference-message-container"}
VOID = {"br", "hr", "img", "meta", "link", "input", "col", "area", "base", "wbr"}
REST = "----- Original Message -----"


class _Text(HTMLParser):
    """Block elements become lines; what a mail program marks as quoted is left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self._unseen = ""
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._unseen:
            self._depth += tag == self._unseen
            return
        marks = {word.lower() for name, value in attrs if name in ("class", "id") for word in (value or "").split()}
        if marks & REST_IS_QUOTED:
            self.text.append(f"\n{REST}\n")
        elif (tag in UNSEEN or marks & QUOTES) and tag not in VOID:
            self._unseen, self._depth = tag, 1
        elif tag in BREAKS:
            self.text.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if self._unseen:
            self._depth -= tag == self._unseen
            if self._depth == 0:
                self._unseen = ""
        elif tag in BREAKS:
            self.text.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.text.append(re.sub(r"\s+", " ", data))


def text_of_html(html: str) -> str:
    """The lines that a reader sees, without marked quotations."""
    parser = _Text()
    parser.feed(html)
    parser.close()
    lines = (line.strip() for line in "".join(parser.text).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
