"""The order language: the grammar, and names of units and hexes as players write them.

LANGUAGE        `data/orders.lark`
unit_named      a unit by its id; case and punctuation are ignored
hex_named       a hex by its number or by the name of its city
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import resources

from pbem.engine.rules.refusals import Ambiguous, Objection, Refusal, Unreadable
from pbem.engine.text.grammar import Language, Line, Words
from pbem.engine.text.messages import say, several
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.map.grid import HexId

BOXES = ("sector1", "sector2", "sector3", "sector4", "sector5")
RULE = "7.2"
"""The rule cited when a line cannot be read."""


def _grammar() -> str:
    return resources.files("pbem.titles.nato").joinpath("data", "orders.lark").read_text(encoding="utf-8")


CLAUSE = re.compile(r"\s*[A-Za-z][A-Za-z ]*:")
"""The pattern of a clause: a topic and a colon. A ratio such as 3:1 has a number before its colon."""


class OrderLanguage(Language):
    """The grammar plus clauses: lines with a colon, which have their own syntax."""

    def parse(self, line: Line, start: str) -> Words:
        if start == "fighting" and CLAUSE.match(line.text):
            return Words("clause", [])
        return super().parse(line, start)


LANGUAGE = OrderLanguage(
    _grammar,
    starts=("moving", "fighting", "choice"),
    expected={
        "NAME": "a unit or a hex",
        "TO": "to",
        "MODE": "march",
        "RESERVE": "reserve",
        "HOLD": "hold",
        "RESUPPLY": "resupply",
        "GIVE": "give",
        "LEND": "lend",
        "UNTIL": "until",
        "RECALL": "recall",
        "DEPUTY": "deputy",
        "FOR": "for",
        "PRIORITY": "priority",
        "CEASEFIRE": "ceasefire",
        "ATTACK": "attack",
        "WITH": "with",
        "SUPPORT": "support",
        "IF": "if",
        "ODDS": "odds",
        "FATE": "taken",
        "RATIO": "3:1",
        "HELICOPTERS": "helicopters",
        "AIR": "air",
        "OPERATIONAL": "operational",
        "INTERDICT": "interdict",
        "MARK": "mark",
        "NUKE": "nuke",
        "CHEMICAL": "chemical",
        "ARTILLERY": "artillery",
        "PERSISTENT": "persistent",
        "DEEP": "deep",
        "FIRE": "fire",
        "AT": "at",
        "PASS": "none",
        "TRADE": "trade",
        "NUMBER": "a number",
        "$END": "the end of the line",
    },
    placeholders=("NAME", "NUMBER", "$END"),
    rule=RULE,
)


@contextmanager
def proposing(lines: Callable[[Sequence[str]], Sequence[str]]) -> Iterator[None]:
    """Turn the suggestions in a refusal into complete order lines."""
    try:
        yield
    except Refusal as refusal:
        raise type(refusal)(refusal.part, refusal.objections, lines(refusal.instead), refusal.line) from refusal


def squash(name: str) -> str:
    """Return a name in lower case without punctuation: 12/1A becomes 121a and BR-I becomes bri."""
    return re.sub(r"[^a-z0-9äöü]", "", name.lower())


def unit_named(word: str, units: Iterable[Unit], *, enemy: bool = False) -> Unit:
    """Return the unit that a player names by its id, ignoring case and punctuation."""
    found = {unit.id: unit for unit in units}
    exact = [unit for id, unit in found.items() if id.lower() == word.lower()]
    meant = exact or [unit for id, unit in found.items() if squash(id) == squash(word)]
    meant = meant or [unit for id, unit in found.items() if squash(id.partition("-")[2]) == squash(word) != ""]
    if len(meant) == 1:
        return meant[0]
    if meant:
        ids = [unit.id for unit in meant]
        raise Ambiguous(word, [Objection(RULE, say("this could mean {ids}", ids=several(ids, "or")))], ids)
    near = difflib.get_close_matches(word.lower(), {id.lower(): id for id in found}, n=3, cutoff=0.5)
    ids = [id for id in found if id.lower() in near]
    unknown = Objection(
        RULE, say("no enemy unit in play has that name") if enemy else say("none of your units in play has that name")
    )
    raise Unreadable(word, [unknown], ids)


def hex_named(word: str, board: Board) -> HexId:
    """Return the hex that a player names by its number or its city."""
    found = board.atlas.find(word)
    if found is not None and found in board.atlas.places:
        return found
    raise Unreadable(word, [Objection(RULE, say("no hex of the map has that number or name"))], ["3218", "Hannover"])


def place_named(word: str, board: Board) -> str:
    """Return the hex or sector box (such as `sector4`) that a player names."""
    return word if word in BOXES else hex_named(word, board)
