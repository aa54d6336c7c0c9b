"""Convert HTML to the lines that a reader sees. Quotations are marked with `>`, so the rules for plain text apply.

libxml2 reads anything in linear time; the standard library's parser needs minutes for 100 KB of hostile input.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree  # type: ignore[import-untyped]

from pbem.mail.inbound.limits import MANY_ELEMENTS, MOST_ELEMENTS, TooLong
from pbem.mail.inbound.reply_patterns import HTML

BREAKS = {
    *("address", "article", "blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "fieldset", "footer"),
    *("form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section"),
    *("table", "tbody", "tr", "ul"),
}
UNSEEN = {"head", "noscript", "object", "script", "style", "template", "title"}
CELLS = {"td", "th"}
NOT_SHOWN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
AS_WRITTEN = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
SPACE = re.compile(r"[ \t\r\n\f]+")
REST = "----- Original Message -----"


class Lines:
    """Turns parser events into lines of text."""

    def __init__(self) -> None:
        self._line: list[str] = []
        self._done: list[str] = []
        self._hidden = self._quoted = self._verbatim = 0
        self._open: list[tuple[bool, bool, bool]] = []
        self._elements = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._elements += 1
        if self._elements > MOST_ELEMENTS:
            raise TooLong(str(MANY_ELEMENTS))
        marks, style = _marks(attributes), attributes.get("style", "")
        if marks & HTML["rest"]:
            self._end_line()
            self._done.append(REST)
        if tag in BREAKS:
            self._end_line()
        elif tag in CELLS:
            self._line.append(" ")
        hidden = tag in UNSEEN or bool(marks & HTML["unseen"]) or NOT_SHOWN.search(style) is not None
        quoted = tag == "blockquote" or bool(marks & HTML["quoted"])
        verbatim = tag == "pre" or AS_WRITTEN.search(style) is not None
        self._open.append((hidden, quoted, verbatim))
        if quoted:
            self._end_line()
        self._count(1)

    def end(self, tag: str) -> None:
        if tag in BREAKS or self._open[-1][1]:
            self._end_line()
        self._count(-1)
        self._open.pop()

    def data(self, data: str) -> None:
        if self._hidden:
            return
        if not self._verbatim:
            self._line.append(data)
            return
        first, *others = data.split("\n")
        self._line.append(first)
        for line in others:
            self._end_line(keep_blank=True)
            self._line.append(line)

    def comment(self, text: str) -> None:
        """Ignore a comment, because it is invisible."""

    def close(self) -> str:
        self._end_line()
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self._done)).strip()

    def _count(self, by: int) -> None:
        hidden, quoted, verbatim = self._open[-1]
        self._hidden += by * hidden
        self._quoted += by * quoted
        self._verbatim += by * verbatim

    def _end_line(self, keep_blank: bool = False) -> None:
        text = SPACE.sub(" ", "".join(self._line)).strip(" ")
        self._line.clear()
        if text or keep_blank:
            self._done.append(f"> {text}" if self._quoted else text)


def _marks(attributes: Mapping[str, str]) -> set[str]:
    """Return class, id and name in lower case, without the prefix that programs add when quoting (`x_Signature`)."""
    if not attributes:
        return set()
    words = " ".join(attributes.get(name, "") for name in ("class", "id", "name")).lower().split()
    return {re.sub(r"^(?:x_)+", "", word) for word in words[:20]}


def text_of_html(html: str) -> str:
    """The lines that a reader sees, quoted ones marked."""
    parser = etree.HTMLParser(target=Lines(), encoding="utf-8")
    try:
        parser.feed(html.replace("\0", "").encode("utf-8", "replace"))
        return str(parser.close())
    except etree.LxmlError:
        return ""
