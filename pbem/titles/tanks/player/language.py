"""The order language: from a line of text to a syntax tree, or a refusal that points at the mistake.

The grammar is `data/orders.lark`. The meaning of an order for a match is in `orders`.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.grammar import WORD, Language, Line, Words, closest, lines, part, parts, tokens
from pbem.engine.text.messages import Message, say
from pbem.titles.tanks.data_files import packaged
from pbem.titles.tanks.player.orders import RULE

__all__ = [
    "COMPASS",
    "SIDES",
    "Line",
    "Words",
    "degrees",
    "distance",
    "lines",
    "parse",
    "part",
    "parts",
    "tenths",
    "tokens",
]

Start = Literal["order", "placing", "role", "choice", "turning"]
STARTS: Final[tuple[Start, ...]] = ("order", "placing", "role", "choice", "turning")

EXPECTED: Final = {
    "HOLD": "hold",
    "MOVE": "move",
    "SHOOT": "shoot",
    "REPAIR": "repair",
    "BLITZ": "blitz",
    "USE": "use",
    "KEEP": "keep",
    "REROLL": "reroll",
    "AGAIN": "again",
    "EARLY": "first",
    "IF": "if",
    "THEN": "then",
    "FACE": "face",
    "TOWARD": "toward",
    "AWAY": "away",
    "FROM": "from",
    "SET": "set",
    "FLANK": "left or right",
    "SIDE": "ahead, right, back or left",
    "NOT": "not",
    "MOVED": "moved",
    "STAYED": "stayed",
    "SEES": "sees",
    "WITHIN": "within",
    "OUT": "out",
    "SHOT": "shot at",
    "HURT": "hurt",
    "TACTIC": "hunt, hide or rush",
    "PREFERENCE": "best, nearest or weakest",
    "ALWAYS": "always",
    "NEVER": "never",
    "BELOW": "below",
    "FOR": "for",
    "SEQUENCE": "order of",
    "DONE": "done",
    "ALL": "rest",
    "ATTACKER": "attacker",
    "DEFENDER": "defender",
    "EDGE": "north, east, south or west",
    "NO": "none",
    "CANCEL": "cancel",
    "HITS": "hits",
    "CRITICALS": "criticals",
    "NAME": "a name",
    "NUMBER": "a number",
    "DISTANCE": "a distance like 200 mm or 1 arrow",
    "COMPASS": "a direction like ne",
    "$END": "the end of the line",
}
"""Grammar tokens as players know them."""
PLACEHOLDERS: Final = (
    "NAME",
    "NUMBER",
    "DISTANCE",
    "COMPASS",
    "SIDE",
    "FLANK",
    "EDGE",
    "TACTIC",
    "PREFERENCE",
    "$END",
)
VERBS: Final = ("hold", "move", "hunt", "hide", "rush", "shoot", "repair", "blitz", "use", "keep", "reroll", "again")
COMPASS: Final = {
    "n": 0,
    "ne": 45,
    "e": 90,
    "se": 135,
    "s": 180,
    "sw": 225,
    "w": 270,
    "nw": 315,
    "north": 0,
    "east": 90,
    "south": 180,
    "west": 270,
}
FULL_TURN: Final = 360
SIDES: Final = {"ahead": 0, "right": 90, "back": 180, "left": 270}
MOVE_TO: Final = re.compile(r"\b(move|go|drive|advance|face) to (?=[a-z0-9])")
"""The beginning of a move to a tank, a piece of terrain or a point, which players write for `move toward`."""
NEGATION: Final = re.compile(r"\s*[\w-]+\s*:?\s+(don't|dont|do not|never|not)\b")
"""A tank's name followed by a negation, which would otherwise be read as the name of another tank."""
UNIT: Final = re.compile("mm|cm|arrow")
SLASHED: Final = re.compile(r"(?<![\w./-])([0-9]+(?:\.[0-9])?)/(?=[0-9]+(?:\.[0-9])? ?(?:mm|cm)\b)")
"""The first number of a point as reports write it: 45/60 cm."""
MOVE_TO_POINT: Final = re.compile(MOVE_TO.pattern + r"(?=[0-9.]+ ?(?:mm|cm)?[ ,/]+[0-9])")


class Orders(Language):
    """The order language of TANKS: a line in which only names are recognised probably contains a misspelt verb."""

    def parse(self, line: Line, start: str) -> Words:
        """The words of a line. `move to 450 300` names a point, and is not read as two moves by bearing."""
        line = line._replace(text=SLASHED.sub(r"\1 ", line.text))
        if start == "order" and (negation := NEGATION.match(line.text)):
            why = Objection(RULE, say("write only what a tank is to do; `hold` makes it do nothing"))
            raise Unreadable(negation[1], [why], [f"{line.written[: negation.start(1)]}hold"], line.written)
        if goal := MOVE_TO_POINT.search(line.text):
            meant = f"{line.written[: goal.start()]}{goal[1]} toward {line.written[goal.end() :]}"
            why = Objection(RULE, say("write `toward` before a point; without it these would be two bearings"))
            raise Unreadable(goal[0].strip(), [why], [meant], line.written)
        return super().parse(line, start)

    def unreadable(self, line: Line, expected: list[str], at: int) -> Unreadable:
        if "TOWARD" in expected and (goal := MOVE_TO.search(line.text)):
            meant = f"{line.written[: goal.start()]}{goal[1]} toward {line.written[goal.end() :]}"
            refusal = super().unreadable(line, expected, at)
            return Unreadable(refusal.part, refusal.objections, [meant], refusal.line)
        slip = verb_slip(line) if "HOLD" in expected else None
        return self.refusal_of_word(line, expected, *slip) if slip else super().unreadable(line, expected, at)


LANGUAGE: Final = Orders(lambda: packaged("orders.lark").decode(), STARTS, EXPECTED, PLACEHOLDERS, RULE)


def parse(line: Line, start: Start = "order") -> Words:
    """Return the parsed line, or refuse it."""
    return LANGUAGE.parse(line, start)


def verb_slip(line: Line) -> tuple[int, str, str] | None:
    """The position of the misspelt word, the word, and the verb that was probably meant."""
    for match in list(WORD.finditer(line.text))[1:]:
        near = closest(match[0], list(VERBS))
        if near and near != match[0]:
            return match.start(), match[0], near
    return None


def degrees(word: str) -> int:
    """A bearing from degrees or a compass point; nothing is rounded or guessed."""
    if compass(word) in COMPASS:
        return COMPASS[compass(word)]
    bearing = whole(word.rstrip("°"), say("give a bearing in whole degrees from 0 to 360"))
    if bearing > FULL_TURN:
        raise Unreadable(word, [Objection(RULE, say("give a bearing in whole degrees from 0 to 360"))])
    return bearing % FULL_TURN


def compass(word: str) -> str:
    """A compass direction in its short form: `north-east` becomes `ne`."""
    return "".join(name[0] for name in re.findall("north|south|east|west", word)) or word


def whole(word: str, why: Message | str) -> int:
    """A whole number; a fraction is refused with the given reason."""
    if not word.isdecimal():
        raise Unreadable(word, [Objection(RULE, why)])
    return int(word)


def coordinate(word: str, arrow: int) -> int:
    """A coordinate in tenths of a millimetre, from text as players write it: 450, 450.5, 45 cm or 3 arrows."""
    return distance(word, arrow) if UNIT.search(word) else tenths(word.rstrip("°"))


def point(first: str, second: str, arrow: int) -> tuple[int, int]:
    """A point in tenths of a millimetre. A unit after the second number is for both: 45 60 cm is 45 cm 60 cm."""
    unit = UNIT.search(second)
    if unit and not UNIT.search(first):
        first = f"{first} {unit[0]}"
    elif UNIT.search(first) and not unit:
        raise Unreadable(
            f"{first} {second}", [Objection(RULE, say("give the unit after the second number, e.g. `45 60 cm`"))]
        )
    return coordinate(first, arrow), coordinate(second, arrow)


def tenths(word: str) -> int:
    """A length in tenths of a millimetre, from text in millimetres."""
    whole, _, rest = word.partition(".")
    return 10 * int(whole) + int(rest or 0)


def distance(word: str, arrow: int) -> int:
    """A distance in tenths of a millimetre, from text with a unit."""
    match = re.match(r"([0-9]+(?:\.[0-9])?) ?(mm|cm|arrow)", word)
    assert match is not None
    return tenths(match[1]) * {"mm": 10, "cm": 100, "arrow": arrow}[match[2]] // 10
