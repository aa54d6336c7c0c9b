"""Find the text that the sender wrote in a reply, without the quotation.

Our own rules come first, because orders are short lines that a general parser may take for a signature: lines marked
`>` are quoted; so is everything after a separator, a copied header, or an attribution whose quotation is not marked.
A general reply parser, with our table of languages, then removes the remains of headers and disclaimers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import overload

from mailparser_reply.constants import MAIL_LANGUAGES  # type: ignore[import-untyped]
from mailparser_reply.parser import EmailMessage as ReplyParser  # type: ignore[import-untyped]

from pbem.engine.text.messages import Message
from pbem.mail.inbound.limits import LONG_NEW_TEXT, MANY_NEW_LINES, MOST_NEW, MOST_NEW_LINES
from pbem.mail.inbound.reply_patterns import (
    ADDRESS,
    BEGINS,
    CLOSING,
    DATED,
    ENDS_WITH_COLON,
    GREETING,
    HEADER_FIELD,
    HEADER_FROM,
    MAIL,
    ONLY_A_LINK,
    OPENING,
    SECRET,
    SENT_FROM,
    SEPARATOR,
    SIGNATURE,
    TIME,
    WROTE,
)
from pbem.matches.players import work

SCANNED_LINES = 20_000
"""The most lines examined, including quoted ones: threads grow."""

LONGEST = 1000
"""The longest line that is examined; a longer one is neither a sign of quoting nor an order."""

NORMALIZED = 300
PARSED_LINES, PARSED_LENGTH = 100, 120
"""The most text passed to the parser: its patterns take minutes on hostile long lines."""

NARROWEST, WIDEST = 60, 80
"""The widths at which programs wrap lines."""
MOST_WRAPPED = 40
"""The most lines into which one line may be wrapped."""

ATTRIBUTION_LINES = 4
HEADER_LINES = 8
DISCLAIMER_LENGTH = 80

LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
INVISIBLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
ARMOUR = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Z]\w+: [^\n]*\n)*\n?")
ARMOUR_END = "-----BEGIN PGP SIGNATURE-----"
NEVER = "(?!)"
LAST_LINE = re.compile(r"^\W*Code:\W*[a-z2-7]{36}\W*$", re.IGNORECASE)
"""Matches the last line of our emails, which holds the code; the templates keep to this form."""


class TooMuch(ValueError):
    """The text exceeds a limit; it is refused rather than read in part."""

    def __init__(self, why: Message = MANY_NEW_LINES) -> None:
        super().__init__(str(why))


def new_text(text: str) -> str:
    """The lines of a plain-text reply that are new."""
    work.spend(characters=len(text))
    kept = _unquoted_lines(_without_armour(text).split("\n", SCANNED_LINES))
    kept = _without_courtesies(_without_disclaimers(kept))
    if len(kept) <= PARSED_LINES and max(map(len, kept), default=0) <= PARSED_LENGTH:
        kept = _remove_remains("\n".join(kept)).splitlines()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.strip() for line in kept)).strip()


def tidy(text: str) -> str:
    """Unify line ends and spaces, remove invisible characters, and convert full-width letters to normal ones."""
    lines = LINE_ENDS.sub("\n", text).split("\n", MOST_NEW_LINES)
    if len(lines) > MOST_NEW_LINES:
        raise TooMuch
    return "\n".join(_tidy_line(line) for line in lines)


def _tidy_line(line: str) -> str:
    line = INVISIBLE.sub("", line)
    if len(line) <= NORMALIZED and not line.isascii():
        # Longer lines stay: normalising combining marks in the wrong order takes quadratic time.
        line = unicodedata.normalize("NFKC", line)
    return line.replace("\xa0", " ").replace("\u3000", " ").rstrip()


def _without_armour(text: str) -> str:
    """Return inline-signed text without its PGP frame."""
    text = LINE_ENDS.sub("\n", text)
    if not (begin := ARMOUR.search(text)):
        return text
    signed = text[begin.end() :].partition(ARMOUR_END)[0]
    return "\n".join(line.removeprefix("- ") for line in signed.split("\n"))


# Quotations ----------------------------------------------------------------------------------------------


def _unquoted_lines(found: list[str]) -> list[str]:
    """The lines that are not quoted. Text beyond the last line examined is never dropped silently."""
    lines = Tidy(found[:SCANNED_LINES])
    kept = Kept()
    place, width = 0, 0
    while place < len(lines):
        line = lines[place]
        if len(line) > LONGEST:
            if not _quoted(line):
                kept.append(line)
        elif _ends_new_text(lines, place):
            return kept if _any_text(kept) else _below_ours(lines, place)
        elif length := _attribution(lines, place):
            width = _width_of_quotes(lines) if _any_text(kept) else 0
            place = _next_text(lines, place + length)
            if place < len(lines) and not _quoted(lines[place]):
                # This program does not mark what it quotes.
                return kept if _any_text(kept) else _below_ours(lines, place)
            continue
        elif width and (end := _end_of_wrapped(lines, place, width)):
            place = end
            continue
        elif not _quoted(line) and not SENT_FROM.match(line) and not ONLY_A_LINK.match(line):
            kept.append(line)
        place += 1
    if len(found) > SCANNED_LINES and not _quoted(lines[-1]):
        raise TooMuch
    return kept


class Kept(list[str]):
    """A list of the new lines that raises `TooMuch` beyond the limits."""

    def __init__(self) -> None:
        super().__init__()
        self._characters = 0

    def append(self, line: str) -> None:
        self._characters += len(line)
        if self._characters > MOST_NEW:
            raise TooMuch(LONG_NEW_TEXT)
        if len(self) > MOST_NEW_LINES:
            raise TooMuch
        super().append(line)


def _width_of_quotes(lines: Sequence[str]) -> int:
    """Return the width at which a program wrapped the quotation; 0 if the quoted lines do not look wrapped."""
    widest = max((len(line) for line in lines if _quoted(line)), default=0)
    return widest if NARROWEST <= widest <= WIDEST else 0


def _end_of_wrapped(lines: Sequence[str], place: int, width: int) -> int:
    """Return the end of a quoted line that a program has wrapped without marking the rest; 0 if none begins here.

    This applies only where there is new text above the whole quotation, and only up to the next marked or empty
    line, so that text written between quoted lines stays.
    """
    if not _quoted(lines[place]):
        return 0
    end = place + 1
    while end < len(lines) and end - place <= MOST_WRAPPED and _goes_on(lines[end - 1], lines[end], width):
        end += 1
    over = end == len(lines) or not lines[end].strip() or _quoted(lines[end])
    return end if over and end > place + 1 else 0


def _goes_on(line: str, following: str, width: int) -> bool:
    """Whether the first word of the following line did not fit on this line."""
    word = following.split(" ", 1)[0]
    return bool(word) and not _quoted(following) and len(line) + 1 + len(word) > width


def _any_text(lines: list[str]) -> bool:
    return any(line.strip() for line in lines)


def _below_ours(lines: Sequence[str], place: int) -> list[str]:
    """Return the text below an unmarked quotation of one of our emails, whose last line is the code."""
    ends = [number for number in range(place, len(lines)) if LAST_LINE.match(lines[number][:LONGEST])]
    return _unquoted_lines(list(lines[ends[-1] + 1 :])) if ends else []


class Tidy(Sequence[str]):
    """Lines that are tidied when first read."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._tidy: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        if place not in self._tidy:
            self._tidy[place] = _tidy_line(self._lines[place])
        return self._tidy[place]


def _quoted(line: str) -> bool:
    return line.lstrip().startswith((">", "|>"))


def _ends_new_text(lines: Sequence[str], place: int) -> bool:
    line = lines[place]
    signs = (SEPARATOR, SIGNATURE, BEGINS)
    return any(sign.match(line) for sign in signs) or _copied_header(lines, place)


def _copied_header(lines: Sequence[str], place: int) -> bool:
    """Whether the header of another email begins here: From, with an address or at least two more fields below."""
    if not HEADER_FROM.match(lines[place]):
        return False
    below = [line for line in lines[place + 1 : place + HEADER_LINES] if line.strip()]
    fields = sum(HEADER_FIELD.match(line[:LONGEST]) is not None for line in below)
    return fields >= 2 or (fields == 1 and "@" in lines[place])


def _attribution(lines: Sequence[str], place: int) -> int:
    """Return how many lines from here form an attribution such as "On Monday, Ann wrote:", which may be wrapped."""
    first = lines[place].strip()
    if not first or _quoted(first):
        return 0
    begins = OPENING.match(first) or DATED.match(first) or ADDRESS.search(first)
    for length in range(1, ATTRIBUTION_LINES + 1 if begins else 2):
        several = [line.strip() for line in lines[place : place + length]]
        if "" in several or _quoted(several[-1]):
            return 0
        joined = " ".join(several)[:LONGEST]
        if ENDS_WITH_COLON.search(joined):
            return length if _attributes(joined) else 0
    return 0


def _attributes(line: str) -> bool:
    """Whether a line has two of three features: a time (or a typical opening), the verb, and an address."""
    signs = (OPENING.match(line) or TIME.search(line), WROTE.search(line), ADDRESS.search(line))
    return sum(sign is not None for sign in signs) >= 2


def _next_text(lines: Sequence[str], place: int) -> int:
    while place < len(lines) and not lines[place].strip():
        place += 1
    return place


# Additions -----------------------------------------------------------------------------------------------


def _without_disclaimers(lines: list[str]) -> list[str]:
    """Remove the paragraphs that mention both an email and confidentiality."""
    kept: list[str] = []
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            paragraph.append(line)
            continue
        if not _is_disclaimer(" ".join(paragraph)[:LONGEST]):
            kept += [*paragraph, line]
        paragraph = []
    return kept


def _is_disclaimer(text: str) -> bool:
    wide = sum(2 if ord(sign) > 0x2E80 else 1 for sign in text)
    return wide >= DISCLAIMER_LENGTH and MAIL.search(text) is not None and SECRET.search(text) is not None


def _without_courtesies(lines: list[str]) -> list[str]:
    """Remove the opening greeting, and everything from a closing formula on."""
    first = _next_text(lines, 0)
    if first < len(lines) and GREETING.match(lines[first].strip()[:LONGEST]):
        lines = lines[first + 1 :]
    for place, line in enumerate(lines):
        if any(above.strip() for above in lines[:place]) and CLOSING.match(line.strip()[:LONGEST]):
            return lines[:place]
    return lines


# The general reply parser ------------------------------------------------------------------------------------


class Replies(ReplyParser):  # type: ignore[misc]
    """The general parser without the rules that would cut off orders, such as taking "Tak …" for a signature."""

    def _get_language_regex(self, language: str, regex_key: str) -> str:
        if regex_key in ("signatures", "sent_from", "wrote_header"):
            return NEVER  # our own table has already handled these
        if regex_key == "from_header" and language == "pl":
            return NEVER  # a single line "Do: " is enough for it
        return str(super()._get_language_regex(language, regex_key))


def _remove_remains(text: str) -> str:
    """Return the text without the remains of headers and disclaimers."""
    replies = Replies(text=text, languages=list(MAIL_LANGUAGES), keep_hyphen_lists=True).read().replies
    return str(replies[0].body) if replies and not replies[0].headers else ""
