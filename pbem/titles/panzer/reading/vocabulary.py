"""The words of the order language common to both games, and their meaning.

Orders       a line without a verb; EXPECTED: the words that may come next
direction, steps_of, watch_wish, tokens_of
names_of
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.grammar import WORD, Language, Line, Words, closest, part, replace_word, tokens
from pbem.engine.text.messages import say, several
from pbem.titles.panzer.player.plan import SURE, WATCH_HIT, WatchWish
from pbem.titles.panzer.state import Unit

RULE: Final = "panzer/orders"
"""The rule cited when a line cannot be read: the page on the order language."""


EXPECTED: Final = {
    "HOLD": "hold",
    "FIRE": "fire",
    "SHORT_HALT": "short-halt",
    "MOVE": "move",
    "OVERWATCH": "overwatch",
    "ROAD": "road",
    "REVERSE": "reverse",
    "ENTER": "enter",
    "EXIT": "exit",
    "FACE": "face",
    "STOP": "stop when hit",
    "GO_ON": "go on",
    "FIRED_AT": "when fired at",
    "WITH": "with",
    "RANGE": "range",
    "HIT": "hit",
    "ONLY": "only",
    "EXCEPT": "not",
    "INITIATIVE": "initiative",
    "FIRST": "first",
    "SECOND": "second",
    "SHOW": "show",
    "ALWAYS": "always",
    "NEVER": "never",
    "MATTERS": "matters",
    "ASPECT": "aspect",
    "FRONT": "front",
    "REAR": "rear",
    "STRONGER": "stronger",
    "SEQUENCE": "order of",
    "DONE": "done",
    "YES": "yes",
    "NO": "no",
    "ALL": "rest",
    "PREFERENCE": "nearest",
    "EDGE": "west",
    "NAME": "a unit",
    "HEX": "a hex like E7",
    "STEP": "steps like f f r b",
    "NUMBER": "a number",
    "DIRECTION": "a direction 1 to 6",
    "$END": "the end of the line",
}
"""The player's word for each name in the grammar, to say what may come next in a line."""


PLACEHOLDERS: Final = ("NAME", "HEX", "STEP", "NUMBER", "DIRECTION", "EDGE", "$END")


COMPASS: Final = {"n": 1, "ne": 2, "se": 3, "s": 4, "sw": 5, "nw": 6}
"""3.3 Direction 1 is the top of the map."""


VERBS: Final = ("HOLD", "FIRE", "SHORT_HALT", "MOVE", "OVERWATCH", "ROAD", "REVERSE", "ENTER", "EXIT")


MOST_WORDS: Final = 12
"""The maximum number of words in a line that are searched for a typo."""


class Orders(Language):
    """The order language of this title: for a line with only names so far, it reports a missing verb."""

    def unreadable(self, line: Line, expected: list[str], at: int) -> Unreadable:
        return without_verb(line, at) if "HOLD" in expected else super().unreadable(line, expected, at)


def without_verb(line: Line, at: int) -> Unreadable:
    """Refuse a line with only names so far: one of them is probably a mistyped verb."""
    verbs = [EXPECTED[name] for name in VERBS]
    places = [(match.start(), match[0]) for match in WORD.finditer(line.text[:at] or line.text)]
    choice = several(verbs, "unit")
    if places and places[0][1] in verbs:
        why = say("a line begins with a unit; the order follows it")
        return Unreadable(line.written, [Objection(RULE, why)], [f"ge1 {line.written}"], line.written)
    if len(places) == 1:
        why = say("say what {unit} should do: {verbs}", unit=line.written, verbs=choice)
        return Unreadable(line.written, [Objection(RULE, why)], [f"{line.written} hold"], line.written)
    slips = [(start, word, closest(word, verbs)) for start, word in places[1:MOST_WORDS]]
    start, word, near = next((slip for slip in slips if slip[2]), slips[0] if slips else (0, line.text, ""))
    why = say(
        "“{word}” (position {at}) is not an order: a line is a unit and one of {verbs}",
        word=word,
        at=start + 1,
        verbs=choice,
    )
    return Unreadable(
        word, [Objection(RULE, why)], [replace_word(line, start, word, near)] if near else [], line.written
    )


def tokens_of(words: Words, name: str, *types: str) -> list[str]:
    """The words of certain types in one part of a parse tree."""
    found = part(words, name)
    return tokens(found, *types) if found is not None else []


def direction(word: str) -> int:
    """3.3 A facing, by number or compass point."""
    return int(word) if word.isdecimal() else COMPASS[word]


def steps_of(words: Words) -> list[str]:
    """4.5.1.1 Single steps: `2f r` is forward twice and a turn to the right; `reverse 2` is back twice."""
    back = part(words, "reverse")
    if back is not None:
        return ["b"] * int("".join(tokens(back, "NUMBER")) or 1)
    steps: list[str] = []
    for word in tokens_of(words, "steps", "STEP"):
        steps += list(word) if word[0].isalpha() else [word[-1]] * int(word[:-1])
    ways = {"EXIT": "exit", "EXIT_BACK": "exit-b"}
    return steps + [step for kind, step in ways.items() if tokens_of(words, "steps", kind)]


def watch_wish(words: Words, unit: Callable[[str], str]) -> WatchWish:
    """4.4.2 The overwatch conditions; `unit` looks up the id for a name."""
    ranges = [limit(tree, "RANGE") for tree in words.find_data("range_limit")]
    hits = [limit(tree, "HIT") for tree in words.find_data("hit_limit")]
    only = list(dict.fromkeys(unit(name) for tree in words.find_data("only") for name in tokens(tree, "NAME")))
    but_not = list(dict.fromkeys(unit(name) for tree in words.find_data("but_not") for name in tokens(tree, "NAME")))
    if len(ranges) > 1 or len(hits) > 1:
        raise Unreadable("overwatch", [Objection(RULE, say("give one range and one hit number"))], ["range <= 8"])
    if min(ranges, default=1) < 1:
        raise Unreadable("range", [Objection("4.4.2", say("the range must be 1 hex or more"))], ["range <= 8"])
    if max(hits, default=0) > SURE:
        raise Unreadable(
            "hit", [Objection("4.4.2", say("no hit number is higher than {most}", most=SURE))], ["hit >= 60"]
        )
    if excluded := [name for name in but_not if name in only]:
        raise Unreadable(
            excluded[0], [Objection(RULE, say("this unit is named both as a target and as a unit to spare"))]
        )
    pin = any(True for _ in words.find_data("pinning"))  # 7.18
    most, least = min(ranges, default=0), max(hits, default=WATCH_HIT)
    return WatchWish(range=most, hit=least, only=only, but_not=but_not, pin=pin)


def limit(words: Words, kind: str) -> int:
    """A maximum range in hexes, or a minimum hit number."""
    number = int(tokens(words, "NUMBER")[0].rstrip("%"))
    sign = "".join(tokens(words, "COMPARE")) or "="
    wrong = "≥>" if kind == "RANGE" else "≤<"
    if any(letter in wrong for letter in sign):
        example = "range <= 8" if kind == "RANGE" else "hit >= 40"
        raise Unreadable(
            sign, [Objection(RULE, say("give a range an upper limit and a hit number a lower one"))], [example]
        )
    strict = {"<": -1, ">": 1}.get(sign, 0)
    return number + strict


def names_of(vehicle: Unit) -> tuple[str, str]:
    """The names by which orders may refer to a vehicle."""
    return _squash_both(vehicle.id, vehicle.name or vehicle.id)


@lru_cache(maxsize=4096)
def _squash_both(id: str, name: str) -> tuple[str, str]:
    """Squash an id and a name. The result is cached, because every word of an order is compared with all of them."""
    return squash(id), squash(name)


def squash(name: str) -> str:
    """A name without case, spaces and punctuation: PzIIIH-1 is pziiih1."""
    return re.sub(r"[^a-z0-9]", "", name.lower())
