"""The order language: from a line of text to a tree of words, or a refusal that says where it went wrong.

The grammar is `data/orders.lark`. What the words mean for a match is said in `orders`.
"""

from __future__ import annotations

import difflib
import re
from functools import cache
from typing import Final, Literal, NamedTuple

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from pbem.engine.refusals import Objection, Unreadable
from pbem.titles.tanks.data_set import packaged
from pbem.titles.tanks.plan import RULE

Words = Tree[Token]
Start = Literal["order", "placing", "role", "choice"]

EXPECTED: Final = {
    "HOLD": "hold", "MOVE": "move", "SHOOT": "shoot", "REPAIR": "repair", "BLITZ": "blitz", "USE": "use",
    "KEEP": "keep", "REROLL": "reroll", "AGAIN": "again", "EARLY": "first", "IF": "if", "THEN": "then",
    "FACE": "face", "TOWARD": "toward", "AWAY": "away", "SIDE": "ahead, right, back or left", "NOT": "not",
    "MOVED": "moved", "STAYED": "stayed", "SEES": "sees", "WITHIN": "within", "OUT": "out", "SHOT": "shot at",
    "ALWAYS": "always", "NEVER": "never", "BELOW": "below", "FOR": "for", "SEQUENCE": "order of", "DONE": "done",
    "ALL": "rest", "ATTACKER": "attacker", "DEFENDER": "defender", "EDGE": "north, east, south or west",
    "NO": "none", "NAME": "a name", "NUMBER": "a number", "DISTANCE": "a distance like 200 mm or 1 arrow",
    "COMPASS": "a direction like ne", "$END": "the end of the line",
}
"""What may come next, by the names of the grammar, in the words of a player."""
PLACEHOLDERS: Final = ("NAME", "NUMBER", "DISTANCE", "COMPASS", "SIDE", "EDGE", "$END")
VERBS: Final = ("hold", "move", "shoot", "repair", "blitz", "use", "keep", "reroll", "again")
COMPASS: Final = {
    "n": 0, "ne": 45, "e": 90, "se": 135, "s": 180, "sw": 225, "w": 270, "nw": 315,
    "north": 0, "east": 90, "south": 180, "west": 270,
}
SIDES: Final = {"ahead": 0, "right": 90, "back": 180, "left": 270}
PLAINER: Final = str.maketrans("–—−‘’“”\t\u00a0", "---''    ")


class Line(NamedTuple):
    """A line that says something: as written, and ready to be read."""

    written: str
    text: str


def lines(text: str) -> list[Line]:
    """The lines that say something. Comments (# or //), bullets and quoted lines (>) are left out."""
    found = []
    for written in text.splitlines():
        said = re.split(r"#|//", written, maxsplit=1)[0].translate(PLAINER)
        said = re.sub(r"^\s*[-*•]\s+", "", said).strip()
        if said and not said.startswith(">"):
            found.append(Line(said, said.lower()))
    return found


def parse(line: Line, start: Start = "order") -> Words:
    """The words of a line; a refusal names the place, what was expected there and the nearest legal line."""
    try:
        return _parser().parse(line.text, start=start)
    except UnexpectedInput as error:
        raise unreadable(line, error) from error


@cache
def _parser() -> Lark:
    starts: list[Start] = ["order", "placing", "role", "choice"]
    return Lark(packaged("orders.lark").decode(), parser="lalr", start=list(starts), maybe_placeholders=False)


# --- what went wrong -----------------------------------------------------------------------------------------


def unreadable(line: Line, error: UnexpectedInput) -> Unreadable:
    """The refusal of a line: where, what was expected, and the nearest line that can be read."""
    expected, at = expected_at(error), place_of(line, error)
    if "HOLD" in expected and (slip := verb_slip(line)) is not None:
        at, word, near = slip
    else:
        match = re.match(r"[^\s,:]+", line.text[at:])
        word = match[0] if match else ""
        near = closest(word, [EXPECTED[name] for name in expected if name not in PLACEHOLDERS]) if word else ""
    where = f"after «{line.written[:at].strip()}»" if line.text[:at].strip() else "at the beginning"
    found = f"«{word}» cannot stand {where}" if word else f"something is missing {where}"
    choice = ", ".join(EXPECTED[name] for name in expected)
    return Unreadable(
        word or line.written,
        [Objection(RULE, f"{found} (position {at + 1}); there could be: {choice}")],
        [line.written[:at] + near + line.written[at + len(word) :]] if near else [],
        line.written,
    )


def verb_slip(line: Line) -> tuple[int, str, str] | None:
    """Only names so far: one of them is probably a slip for what the tank should do."""
    for match in list(re.finditer(r"[^\s,:]+", line.text))[1:]:
        near = closest(match[0], list(VERBS))
        if near and near != match[0]:
            return match.start(), match[0], near
    return None


def expected_at(error: UnexpectedInput) -> list[str]:
    """The names of what could have come, in the order of `EXPECTED`."""
    accepted: set[str] = set()
    if isinstance(error, UnexpectedToken):
        accepted = set(error.accepts or error.expected)
    elif isinstance(error, UnexpectedCharacters):
        accepted = set(error.allowed or ())
    return [name for name in EXPECTED if name in accepted]


def place_of(line: Line, error: UnexpectedInput) -> int:
    """Where the line went wrong, from 0; its end if something is missing."""
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return len(line.text)
    return error.pos_in_stream if error.pos_in_stream is not None else len(line.text)


def closest(word: str, legal: list[str]) -> str:
    """The legal word for which this one is probably a slip, or nothing."""
    return next(iter(difflib.get_close_matches(word, legal, n=1, cutoff=0.6)), "")


# --- what the words say --------------------------------------------------------------------------------------


def tokens(words: Words | Token, *types: str) -> list[str]:
    """The words of some kinds in a tree, in order."""
    found = [words] if isinstance(words, Token) else words.scan_values(lambda value: isinstance(value, Token))
    return [str(token) for token in found if token.type in types]


def part(words: Words, *names: str) -> Words | None:
    """The first part of a tree under one of these names."""
    return next(words.find_pred(lambda tree: tree.data in names), None)


def parts(words: Words, name: str) -> list[Words]:
    """All parts under a name, in the order of the line."""
    return sorted(words.find_data(name), key=_start)


def _start(words: Words) -> int:
    found = words.scan_values(lambda value: isinstance(value, Token))
    return min(token.start_pos or 0 for token in found)


def degrees(word: str) -> int:
    """A bearing by its number or by the compass."""
    return COMPASS[word] if word in COMPASS else int(word.rstrip("°").partition(".")[0]) % 360


def tenths(word: str) -> int:
    """Millimetres as written, in tenths."""
    whole, _, rest = word.partition(".")
    return 10 * int(whole) + int(rest or 0)


def distance(word: str, arrow: int) -> int:
    """A distance with its measure, in tenths of a millimetre."""
    match = re.match(r"([0-9]+(?:\.[0-9])?) ?(mm|cm|arrow)", word)
    assert match is not None
    return tenths(match[1]) * {"mm": 10, "cm": 100, "arrow": arrow}[match[2]] // 10
