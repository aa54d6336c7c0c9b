"""Find the new text in a reply to one of our emails: the reply minus the email that was sent.

Mail programs introduce a quotation in any language and may not mark its lines; but we know the lines that we
sent. The text above and below them is new, and a line of the form that was edited in place is an order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from pbem.mail.inbound.reply_text import LONGEST, new_text
from pbem.matches.players import work
from pbem.matches.players.requests import is_ours

LEAST_ANCHOR = 24
"""A line of at least this length that matches our email must come from it."""

LEAST_PIECE = 12
"""The fewest characters of a piece of a line that a program has wrapped."""

ECHO = ("    ", ">")
"""Lines of our email that begin like this may be the reader's own: repeated orders, and lines of the form."""

MOST_LINES = 5_000
QUOTE = re.compile(r"^[\s>|]+")
ADDRESSED = re.compile(r"@|https?://", re.IGNORECASE)
ENDS_WITH_COLON = re.compile(r"[:：]\s*$")
FIELD = re.compile(r"^\W{0,3}[^\W\d_][^:：]{0,30}\s?[:：]\s?\S")
RULE = re.compile(r"^\W{3,}+$|^[-_=*]{3,}+$|^[-_=*]{2,}+.{1,60}?[-_=*]{2,}$")
NAME = re.compile(r"^[-–—~\s]*+(?:[^\W\d_]++['.’-]?[,!.]?\s*+){1,4}$")
PHONE = re.compile(r"^(?:[^\W\d_]{1,10}[.:]?\s*+)?[+(]?[\d\s()./+-]{6,}$")
LONGEST_SIGN_OFF = 80
"""The longest line that may be a name or a telephone number."""


class Difference(msgspec.Struct, frozen=True):
    """The text that a reply adds to our email. `unchanged` means that our email was returned as it was."""

    text: str
    unchanged: bool = False


def difference(whole: str, sent: str, form: str) -> Difference | None:
    """Return the new text in a reply to an email; None if the reply does not quote it."""
    work.spend(characters=len(whole) + len(sent))
    lines = whole.replace("\r\n", "\n").split("\n")[:MOST_LINES]
    ours = Ours(sent, form)
    marked = [place for place, line in enumerate(lines) if key(line) in ours.anchors]
    if not marked:
        return None
    start, end = marked[0], marked[-1]
    start, end = min([start, *_before(lines, start, ours)]), _after(lines, end, ours)
    above, below = _without_header(lines[:start], ours), lines[end + 1 :]
    new = [*new_text("\n".join(above)).split("\n"), *new_text("\n".join(below)).split("\n")]
    new = without_sign_off([line for line in new if line.strip()], ours.words)
    edited = ours.edited_form(lines[start : end + 1])
    if edited and not any(first_word(line) in ours.units for line in new):
        return Difference("\n".join([*edited, *new]))
    return Difference("\n".join(new), unchanged=not new)


def repeats_our_email(text: str, sent: str, form: str) -> bool:
    """Whether a text contains lines that can only come from our email, and not from its form alone."""
    anchors = Ours(sent, form).anchors
    return any(key(line) in anchors for line in text.split("\n"))


def _before(lines: Sequence[str], start: int, ours: Ours) -> list[int]:
    """Return the indices of our lines directly above the first line that can only be ours."""
    found = []
    for place in range(start - 1, -1, -1):
        if lines[place].strip() and not ours.has(lines[place]):
            break
        if lines[place].strip() and not ours.may_be_theirs(lines[place]):
            found.append(place)
    return found


def _after(lines: Sequence[str], end: int, ours: Ours) -> int:
    """Return the index of our last line; pieces of wrapped lines may follow the last whole line."""
    for place in range(end + 1, len(lines)):
        line = lines[place]
        if not line.strip():
            continue
        if ours.may_be_theirs(line) or is_ours(line) or not (ours.has(line) or ours.goes_on(lines[end], line)):
            break
        end = place
    return end


class Ours:
    """The email that was sent, and its form."""

    def __init__(self, sent: str, form: str) -> None:
        sent_lines = [key(line) for line in sent.split("\n")]
        self.form = [key(line) for line in form.split("\n") if key(line)]
        self._lines = frozenset(filter(None, sent_lines))
        self._all = " ".join(filter(None, sent_lines))
        self.echoed = {key(line) for line in sent.split("\n") if line.startswith(ECHO)}
        self.anchors = {line for line in self._lines - self.echoed - {*self.form} if len(line) >= LEAST_ANCHOR}
        self.units = {first_word(line) for line in self.form}
        self.words = {word for line in self.form for word in words_of(line)}

    def has(self, line: str) -> bool:
        """Whether a line is ours, or a piece of one of our lines that a program has wrapped."""
        known = key(line)
        return known in self._lines or (len(known) >= LEAST_PIECE and known in self._all)

    def goes_on(self, piece: str, line: str) -> bool:
        """Whether a line continues one of our lines that a program has wrapped."""
        return f"{key(piece)} {key(line)}" in self._all

    def may_be_theirs(self, line: str) -> bool:
        """Whether a line begins like an order in the form, or repeats a line that the reader had sent us."""
        return first_word(line) in self.units or key(line) in self.echoed

    def may_be_answered(self, line: str) -> bool:
        """Whether a line begins like an order in the form, or is a request to the server."""
        return first_word(line) in self.units or is_ours(line)

    def edited_form(self, quoted: Sequence[str]) -> list[str]:
        """Return the quoted form if one of its lines was changed; otherwise nothing."""
        places = [place for place, line in enumerate(quoted) if key(line) in self.form]
        changed = [
            place
            for place, line in enumerate(quoted)
            if key(line) and not self.has(line) and first_word(line) in self.units
        ]
        if not changed:
            return []
        first, last = min([*places, *changed]), max([*places, *changed])
        kept = (QUOTE.sub("", line).strip() for line in quoted[first : last + 1])
        return [line for line in kept if line and (key(line) in self.form or first_word(line) in self.units)]


def key(line: str) -> str:
    """A line without quote marks, extra spaces and capitals, for comparison with its quoted form."""
    return " ".join(QUOTE.sub("", line).split()).casefold()


def words_of(line: str) -> list[str]:
    return re.findall(r"[\w'./-]+", line.casefold())


def first_word(line: str) -> str:
    return next(iter(words_of(QUOTE.sub("", line))), "")


def _without_header(lines: Sequence[str], ours: Ours) -> list[str]:
    """Remove the paragraphs in which a program introduces the quoted email."""
    kept = list(lines)
    for _ in range(3):
        while kept and not kept[-1].strip():
            kept.pop()
        begin = len(kept)
        while begin and kept[begin - 1].strip() and not ours.may_be_answered(kept[begin - 1]):
            begin -= 1
        paragraph = kept[begin:]
        if not any(_attributes(line) for line in paragraph):
            break
        kept = kept[:begin]
    return kept


def _attributes(line: str) -> bool:
    if len(line) > LONGEST:
        return False
    signs = (ADDRESSED.search(line), ENDS_WITH_COLON.search(line), RULE.match(line), FIELD.match(line))
    return any(signs)


def without_sign_off(lines: Sequence[str], known: Iterable[str]) -> list[str]:
    """Remove a name, a telephone number or dashes below the orders; `known` are the words of the form."""
    words, kept = set(known), list(lines)
    while len(kept) > 1 and _signs_off(kept[-1], words):
        kept.pop()
    return kept


def _signs_off(line: str, known: set[str]) -> bool:
    line = line.strip()
    if len(line) > LONGEST_SIGN_OFF or is_ours(line) or known.intersection(words_of(line)):
        return False
    return any(sign.match(line) for sign in (RULE, NAME, PHONE))
