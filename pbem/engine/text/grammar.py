"""Order languages: from lines of text to trees of words, or a refusal that says where a line went wrong.

    Line, lines             the meaningful lines of a text
    Language                a grammar with players' words for its parts
    tokens, part, parts     access to a tree

The titles define the meaning of the words.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import say, several

Words: TypeAlias = Tree[Token]

PLAINER: Final = str.maketrans("–—−‘’“”\t\u00a0", "---''    ")
WORD: Final = re.compile(r"[^\s,;:<>=]+")
BULLET: Final = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.)])\s+")
BETWEEN: Final = re.compile(r"(?<=\s)-+>?(?=\s)|-+>|[→⇒!?]|(?<=[a-z0-9])\s*=(?=\s*[a-z])|[.,;]+$")
"""Punctuation that people put between a unit and its order, or after it; it has no meaning."""


class Line(NamedTuple):
    """A meaningful line: its number, its original text, and a version ready to be parsed."""

    number: int
    written: str
    text: str


def lines(text: str) -> list[Line]:
    """The meaningful lines. Comments (# or //), bullets, numbers and quoted lines (>) are left out.

    Punctuation without a meaning becomes spaces, so that a mistake's position is the one in the original line.
    """
    found = []
    for number, written in enumerate(text.splitlines(), start=1):
        said = re.split(r"#|//", written, maxsplit=1)[0].translate(PLAINER)
        said = BULLET.sub("", said).strip()
        if said and not said.startswith(">"):
            found.append(Line(number, said, readable(said)))
    return found


def quoted(text: str) -> list[str]:
    """The quoted lines (>), which are never read as orders."""
    return [line.strip() for line in text.splitlines() if line.lstrip().startswith(">")]


def readable(said: str) -> str:
    """A line in lower case, with a space for each punctuation mark without a meaning."""
    return BETWEEN.sub(lambda sign: " " * len(sign[0]), said.lower())


MOST_PARSED, SHORT = 2000, 80
"""The most lines whose words are cached, and the most characters of such a line."""

MOST_FAILED = 500
"""The most unreadable lines cached: listing the possible continuations takes ten times as long as reading a line."""


class Language:
    """A grammar; `expected` maps its names to the words that tell players what may come next.

    `placeholders` are names that describe a word instead of giving it. `rule` is cited if a line cannot be read.
    """

    def __init__(
        self,
        grammar: Callable[[], str],
        starts: Sequence[str],
        expected: Mapping[str, str],
        placeholders: Sequence[str],
        rule: str,
    ) -> None:
        self.grammar, self.starts, self.expected = grammar, list(starts), expected
        self.placeholders, self.rule = placeholders, rule
        self._failed: dict[tuple[str, str], tuple[list[str], int]] = {}
        self._parsed: dict[tuple[str, str], Words] = {}

    @cached_property
    def parser(self) -> Lark:
        return Lark(self.grammar(), parser="lalr", start=self.starts, maybe_placeholders=False)

    def parse(self, line: Line, start: str) -> Words:
        """The words of a line; a refusal names the place, the expected words and the nearest legal line.

        The words of recent lines are kept and never changed, because the same line is read on a page and once more
        when it is sent, and most lines of a form come back in every turn.
        """
        if (words := self._parsed.get((start, line.text))) is not None:
            return words
        known = self._failed.get((start, line.text))
        if known is None:
            try:
                words = self.parser.parse(line.text, start=start)
                if len(self._parsed) >= MOST_PARSED:
                    self._parsed.clear()
                if len(line.text) <= SHORT:
                    self._parsed[start, line.text] = words
                return words
            except UnexpectedInput as error:
                known = self.expected_at(error), place_of(line, error)
                if len(self._failed) >= MOST_FAILED:
                    self._failed.clear()
                self._failed[start, line.text] = known
        raise self.unreadable(line, *known)

    def expected_at(self, error: UnexpectedInput) -> list[str]:
        """The names of the possible next words, in the order of `expected`."""
        accepted: set[str] = set()
        if isinstance(error, UnexpectedToken):
            accepted = set(error.accepts or error.expected)
        elif isinstance(error, UnexpectedCharacters):
            accepted = set(error.allowed or ())
        return [name for name in self.expected if name in accepted]

    def unreadable(self, line: Line, expected: list[str], at: int) -> Unreadable:
        """The refusal of a line: where it went wrong, what was expected, and the nearest readable line."""
        word = word_at(line.text, at) or line.text[at : at + 1].strip()  # punctuation such as ";" is not a word
        legal = [self.expected[name] for name in expected if name not in self.placeholders]
        return self.refusal_of_word(line, expected, at, word, closest(word, legal) if word else "")

    def refusal_of_word(self, line: Line, expected: list[str], at: int, word: str, near: str) -> Unreadable:
        """The refusal of a word that does not fit; `near` is the probable meaning."""
        before = line.written[:at].strip()
        where = say("after “{before}”", before=before) if before else say("at the beginning")
        text = (
            say("unexpected “{word}” {where}", word=word, where=where)
            if word
            else say("missing word {where}", where=where)
        )
        choice = several([self.expected[name] for name in expected], "unit")
        why = say("{what} (position {at}); expected {choice}", what=text, at=at + 1, choice=choice)
        return Unreadable(
            word or line.written,
            [Objection(self.rule, why)],
            [replace_word(line, at, word, near)] if near else [],
            line.written,
        )


def place_of(line: Line, error: UnexpectedInput) -> int:
    """The position of a line's mistake, counted from 0, or the end of the line if something is missing."""
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return len(line.text)
    return error.pos_in_stream if error.pos_in_stream is not None else len(line.text)


def word_at(text: str, at: int) -> str:
    match = WORD.match(text, at)
    return match[0] if match else ""


def closest(word: str, legal: list[str]) -> str:
    """The legal word for which this one is probably a typo, or an empty string."""
    return next(iter(difflib.get_close_matches(word, legal, n=1, cutoff=0.6)), "")


def replace_word(line: Line, at: int, word: str, near: str) -> str:
    """The line with a word corrected."""
    return line.written[:at] + near + line.written[at + len(word) :]


# --- trees ---------------------------------------------------------------------------------------------------


def tokens(words: Words | Token, *types: str) -> list[str]:
    """The words of some kinds in a tree, in order."""
    found = [words] if isinstance(words, Token) else words.scan_values(lambda value: isinstance(value, Token))
    return [str(token) for token in found if token.type in types]


def part(words: Words, *names: str) -> Words | None:
    """The first part of a tree with one of these names, or the innermost if such parts are nested."""
    found: Words | None = None
    every = [words]
    for tree in every:  # from the top down, each level from right to left: the last one found comes first
        if tree.data in names:
            found = tree
        every += [child for child in reversed(tree.children) if not isinstance(child, Token)]
    return found


def parts(words: Words, name: str) -> list[Words]:
    """Return all parts with this name, in the order in which they appear in the line."""
    return sorted(words.find_data(name), key=_start)


def _start(words: Words) -> int:
    found = words.scan_values(lambda value: isinstance(value, Token))
    return min(token.start_pos or 0 for token in found)
