"""Find the new text in a reply to one of our emails: the reply minus the email that was sent.

Mail programs introduce a quotation in any language and may not mark its lines; but we know the lines that we
sent. The text above and below them is new, and so is a line written between them. Where the orders in the quoted
email were edited, they count as they now stand: lines that were changed, added or left alone, without those that were
deleted.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from pbem.mail.inbound.reply_text import LONGEST, new_text
from pbem.matches.players import work
from pbem.matches.players.requests import is_ours

LEAST_ANCHOR = 24
"""A line of at least this length that matches our email must come from it."""

LEAST_PIECE = 12
"""The fewest characters of a piece of a line that a program has wrapped."""

MOST_PIECES = 40
"""The most lines into which a program wraps one of ours."""

BLOCK = re.compile(r"^ {4}\S")
"""The first line of a block in our email: a form, or the reader's own orders."""

ECHO = ("    ", ">")
"""Lines of our email that begin like this may be the reader's own: repeated orders, and lines of the form."""

PROOF = "commitment "
"""How the block with the proof of a receipt begins; nobody edits that."""

MOST_LINES = 5_000
QUOTE = re.compile(r"^[\s>|]+")
MARKED = re.compile(r"^\s*[>|]")
ADDRESSED = re.compile(r"@|https?://", re.IGNORECASE)
ENDS_WITH_COLON = re.compile(r"[:：]\s*$")
FIELD = re.compile(r"^\W{0,3}[^\W\d_][^:：]{0,30}\s?[:：]\s?\S")
RULE = re.compile(r"^\W{3,}+$|^[-_=*]{3,}+$|^[-_=*]{2,}+.{1,60}?[-_=*]{2,}$")
NAME = re.compile(r"^[-–—~\s]*+(?:[^\W\d_]++['.’-]?[,!.]?\s*+){1,4}$")
PHONE = re.compile(r"^(?:[^\W\d_]{1,10}[.:]?\s*+)?[+(]?[\d\s()./+-]{6,}$")
LONGEST_SIGN_OFF = 80
"""The longest line that may be a name or a telephone number."""
MOST_OF_SIGN_OFF = 12
"""How many lines of a sign-off are read as orders first: reading takes longer than looking for a name."""


class Difference(msgspec.Struct, frozen=True):
    """The text that a reply adds to our email. `unchanged` means that our email was returned as it was."""

    text: str
    unchanged: bool = False


IsOrder: TypeAlias = Callable[[str], bool]
"""Whether the rules can read a line: some orders look like a name."""


def never(line: str) -> bool:
    return False


def difference(whole: str, sent: str, form: str, is_order: IsOrder = never) -> Difference | None:
    """Return the new text in a reply to an email; None if the reply does not quote it."""
    work.spend(characters=len(whole) + len(sent))
    ours = Ours(sent, form)
    lines = ours.rejoined(whole.replace("\r\n", "\n").split("\n")[:MOST_LINES])
    marked = [place for place, line in enumerate(lines) if key(line) in ours.anchors]
    if not marked:
        return _difference_in_form(lines, ours, is_order)
    start, end = marked[0], marked[-1]
    start, end = min([start, *_before(lines, start, ours)]), _after(lines, end, ours)
    quotation = Quotation(lines[start : end + 1], ours)
    return _compare(_without_header(lines[:start], ours), quotation, lines[end + 1 :], is_order)


def _difference_in_form(lines: Sequence[str], ours: Ours, is_order: IsOrder) -> Difference | None:
    """Return the new text in a reply that quotes only the lines of the form and changes some; otherwise None."""
    marked = [place for place, line in enumerate(lines) if MARKED.match(line) and ours.in_block(line)]
    if not marked:
        return None
    start, end = marked[0], marked[-1]
    while start and MARKED.match(lines[start - 1]):
        start -= 1
    while end + 1 < len(lines) and MARKED.match(lines[end + 1]):
        end += 1
    quotation = Quotation(lines[start : end + 1], ours)
    if not quotation.edited or not quotation.is_one_form():
        return None
    return _compare(_without_header(lines[:start], ours), quotation, lines[end + 1 :], is_order)


def _compare(above: Sequence[str], quotation: Quotation, below: Sequence[str], is_order: IsOrder) -> Difference:
    """Put together what is new above, within and below a quotation; a unit's new line replaces its edited one."""
    ours = quotation.ours
    new = [*new_text("\n".join(above)).split("\n"), *quotation.added, *new_text("\n".join(below)).split("\n")]
    first = quotation.edited[:1]
    new = [line for line in new if line.strip()]
    new = without_sign_off([*first, *new], ours.words, is_order)[len(first) :]
    named = {first_word(line) for line in new} & ours.units
    edited = [line for line in quotation.edited if first_word(line) not in named]
    return Difference("\n".join([*edited, *new]), unchanged=not (edited or new))


def may_be_orders(text: str, sent: str, form: str) -> bool:
    """Whether a text may be for us: it repeats no line that can only be ours, but contains a word of the form."""
    ours, lines = Ours(sent, form), text.split("\n")
    if any(key(line) in ours.anchors for line in lines):
        return False
    theirs = [line for line in lines if not ours.has(line)]
    return any(ours.may_be_answered(line) or not ours.words.isdisjoint(words_of(line)) for line in theirs)


def with_typed(orders: str, typed: str, form: str) -> str:
    """Return the orders in an attached file with the requests and orders that were typed beside it."""
    ours = Ours("", form)
    return "\n".join([orders, *(line for line in typed.split("\n") if line and ours.may_be_answered(line))])


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
    """Return the index of our last line.

    Pieces of wrapped lines may follow the last whole line, and the form if the quotation was cut off within it.
    """
    form = ours.block_below(lines[end])
    for place in range(end + 1, len(lines)):
        line = lines[place]
        if not line.strip():
            continue
        if form and (key(line) in form or first_word(line) in ours.units):
            end = place
        elif ours.may_be_theirs(line) or is_ours(line) or not (ours.has(line) or ours.goes_on(lines[end], line)):
            break
        else:
            end = place
    return end


class Ours:
    """The email that was sent, and its form. Lines are known by their keys, blocks of lines by a number."""

    def __init__(self, sent: str, form: str) -> None:
        written = [line for line in sent.split("\n") if key(line)]
        self.keys = [key(line) for line in written]
        self.places: dict[str, list[int]] = defaultdict(list)
        self._longer: dict[str, list[str]] = defaultdict(list)
        for place, known in enumerate(self.keys):
            self.places[known].append(place)
            self._longer[known.partition(" ")[0]].append(known)
        form_lines = [key(line) for line in form.split("\n") if key(line) and not is_remark(line)]
        self.units = {first_word(line) for line in form_lines}
        self.words = {word for line in form_lines for word in words_of(line)}
        self.block = self._blocks(written)
        self.echoed = {key(line) for line in written if line.startswith(ECHO)}
        self.anchors = {line for line in {*self.keys} - self.echoed - {*form_lines} if len(line) >= LEAST_ANCHOR}
        self._all = " ".join(self.keys)

    def _blocks(self, written: Sequence[str]) -> list[int]:
        """Number the blocks that a reader may edit; lines outside them get 0."""
        numbers: list[int] = []
        for line in written:
            goes_on = bool(numbers and numbers[-1] and line.startswith("    "))
            begins = not goes_on and BLOCK.match(line)
            numbers.append(numbers[-1] if goes_on else max(numbers, default=0) + 1 if begins else 0)
        proof = {number for number, known in zip(numbers, self.keys, strict=True) if known.startswith(PROOF)}
        return [0 if number in proof else number for number in numbers]

    def lines_of(self, block: int) -> list[int]:
        """The places of a block's lines that are not remarks."""
        return [p for p, number in enumerate(self.block) if number == block and not is_remark(self.keys[p])]

    def largest_block(self) -> int:
        """The block with the most lines that begin like an order in the form: the form, or the sealed orders."""
        lines = zip(self.keys, self.block, strict=True)
        blocks = [number for line, number in lines if number and first_word(line) in self.units]
        return max(blocks, key=lambda number: (blocks.count(number), number), default=0)

    def in_block(self, line: str) -> bool:
        return not is_remark(line) and any(self.block[place] for place in self.places.get(key(line), ()))

    def block_below(self, line: str) -> set[str]:
        """The lines of the block that follows a line in our email."""
        below = max(self.places.get(key(line), [len(self.keys)])) + 1
        block = self.block[below] if below < len(self.block) else 0
        return {self.keys[place] for place in self.lines_of(block)} if block else set()

    def rejoined(self, lines: Sequence[str]) -> list[str]:
        """Return the lines after rejoining those of our own lines that a mail program has wrapped."""
        keys, joined, place = [key(line) for line in lines], list[str](), 0
        while place < len(lines):
            pieces = self._pieces(keys, place)
            rest = (QUOTE.sub("", line) for line in lines[place + 1 : place + pieces])
            joined.append(" ".join([lines[place], *rest]))
            place += pieces
        return joined

    def _pieces(self, keys: Sequence[str], place: int) -> int:
        """Return how many lines from this place are the pieces of one of our own lines."""
        first = keys[place]
        if first in self.places:
            return 1
        for whole in self._longer.get(first.partition(" ")[0], ()) if first else ():
            joined = first
            for end in range(place + 1, min(place + MOST_PIECES, len(keys))):
                if not whole.startswith(f"{joined} "):
                    break
                joined = f"{joined} {keys[end]}"
                if joined == whole:
                    return end + 1 - place
        return 1

    def has(self, line: str) -> bool:
        """Whether a line is ours, or a piece of one of our lines that a program has wrapped."""
        known = key(line)
        return known in self.places or (len(known) >= LEAST_PIECE and known in self._all)

    def goes_on(self, piece: str, line: str) -> bool:
        """Whether a line continues one of our lines that a program has wrapped."""
        return f"{key(piece)} {key(line)}" in self._all

    def may_be_theirs(self, line: str) -> bool:
        """Whether a line begins like an order in the form, or repeats a line that the reader had sent us."""
        return first_word(line) in self.units or key(line) in self.echoed

    def may_be_answered(self, line: str) -> bool:
        """Whether a line begins like an order in the form, or is a request to the server."""
        return first_word(line) in self.units or is_ours(line)


class Written(msgspec.Struct):
    """A line in a quotation, and its place in our email if it is there.

    `block` is the block it stands in or beside; `apart` is true if an empty line separates it from our line above.
    `goes_on` is true if it continues the line above it, and `theirs` if the reader wrote it.
    """

    line: str
    place: int | None
    apart: bool
    goes_on: bool
    block: int = 0
    theirs: bool = False


class Quotation:
    """Our email as a reply quotes it. `edited` holds the lines of its orders if they were edited, `added` those that
    the reader wrote elsewhere between ours.
    """

    def __init__(self, lines: Sequence[str], ours: Ours) -> None:
        self.ours = ours
        self._written = list(self._located(lines))
        self._marked = 2 * sum(MARKED.match(line) is not None for line in lines) > len(self._written)
        self._find_blocks()
        for one in self._written:
            one.theirs = one.place is None and self._is_theirs(one)
        theirs = [one for one in self._written if one.theirs]
        blocks = {one.block for one in theirs if one.block and self._edits(one.line)} or self._shortened()
        self.edited = [line for block in sorted(blocks) for line in self._block_as_edited(block)]
        self.added = [_bare(one.line) for one in theirs if one.block not in blocks]

    def is_one_form(self) -> bool:
        """Whether the quoted lines name the same units as the lines of one block in our email, in the same order."""
        units = [first_word(one.line) for one in self._written if not is_remark(one.line)]
        block = max((one.block for one in self._written), default=0)
        return units == [first_word(self.ours.keys[place]) for place in self.ours.lines_of(block)]

    def _located(self, lines: Sequence[str]) -> Iterator[Written]:
        """Find each line in our email, if possible below the line before it."""
        last, apart, above = -1, False, ""
        for line in lines:
            if not key(line):
                apart = True
                continue
            places = self.ours.places.get(key(line), [])
            place = next((place for place in places if place > last), places[0] if places else None)
            last = last if place is None else place
            yield Written(line, place, apart, place is None and self.ours.goes_on(above, line))
            apart, above = apart and place is None, line

    def _find_blocks(self) -> None:
        """Find for each line that is not ours the block that the lines around it belong to.

        An answer apart from a marked form and below it stands for itself, like one below the whole quotation.
        """
        block, below = self.ours.block, 0
        for one in reversed(self._written):
            below = below if one.place is None else block[one.place]
            one.block = below
        above = 0
        for one in self._written:
            if one.place is not None:
                following = block[one.place + 1] if one.place + 1 < len(block) else 0
                above = block[one.place] or following
                one.block = block[one.place]
            else:
                below, one.block = one.block, above or one.block
                if one.apart and self._marked and not MARKED.match(one.line) and below != one.block:
                    one.block = 0

    def _is_theirs(self, one: Written) -> bool:
        """Whether the reader wrote a line; it may also be ours, altered by a mail program."""
        begins_like_order = first_word(one.line) in self.ours.units
        if begins_like_order and one.block:
            return True
        if one.goes_on or self.ours.has(one.line):
            return False
        unmarked = self._marked and not MARKED.match(one.line)
        return bool(one.block) or unmarked or begins_like_order or is_ours(_bare(one.line))

    def _edits(self, line: str) -> bool:
        """Whether a line in the form changes it; `final` is the only request to the server that counts."""
        return not is_ours(_bare(line)) or words_of(line) == ["final"]

    def _shortened(self) -> set[int]:
        """Return the block with the orders if lines of it were deleted by the sender and not by a mail program."""
        block = self.ours.largest_block()
        lines = self.ours.lines_of(block) if block else []
        found = {one.place for one in self._written if one.place is not None}
        kept = [place for place in lines if place in found]
        if not kept or len(kept) == len(lines):
            return set()
        return {block} if min(found) < lines[0] and lines[-1] < max(found) else set()

    def _block_as_edited(self, block: int) -> Iterator[str]:
        """Yield the lines of a block as they now stand. An answer between marked lines replaces its unit's line."""
        written = [one for one in self._written if one.block == block and not is_remark(one.line)]
        answers = [one.line for one in written if one.theirs and self._marked and not MARKED.match(one.line)]
        answered = {first_word(line) for line in answers} & self.ours.units
        for one in written:
            if one.theirs or (one.place is not None and first_word(one.line) not in answered):
                yield _bare(one.line)


def key(line: str) -> str:
    """A line without quote marks, extra spaces and capitals, for comparison with its quoted form."""
    return " ".join(QUOTE.sub("", line).split()).casefold()


def same_lines(text: str, other: str) -> bool:
    """Whether two texts have the same lines, apart from spaces, capitals and remarks."""
    one, two = (
        [key(line) for line in lines.split("\n") if key(line) and not is_remark(line)] for lines in (text, other)
    )
    return one == two


def is_remark(line: str) -> bool:
    return key(line).startswith("#")


def words_of(line: str) -> list[str]:
    return re.findall(r"[\w'./-]+", line.casefold())


def first_word(line: str) -> str:
    return next(iter(words_of(QUOTE.sub("", line))), "")


def _bare(line: str) -> str:
    """A line without quote marks."""
    return QUOTE.sub("", line).strip()


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


def without_sign_off(lines: Sequence[str], known: Iterable[str], is_order: IsOrder = never) -> list[str]:
    """Remove a name, a telephone number or dashes below the orders; `known` are the words of the form."""
    words, kept = set(known), list(lines)
    while len(kept) > 1 and _signs_off(kept[-1], words):
        if len(lines) - len(kept) < MOST_OF_SIGN_OFF and is_order(kept[-1].strip()):
            break
        kept.pop()
    return kept


def _signs_off(line: str, known: set[str]) -> bool:
    line = line.strip()
    if len(line) > LONGEST_SIGN_OFF or is_ours(line) or known.intersection(words_of(line)):
        return False
    return any(sign.match(line) for sign in (RULE, NAME, PHONE))
