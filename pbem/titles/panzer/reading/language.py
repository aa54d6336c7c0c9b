"""The order language of the advanced game: that of the basic game with additions.

The grammar is `data/orders.lark` followed by `data/advanced_orders.lark`. The meaning of the words in a match is
defined in `reader` and `player.standing_orders`.
"""

from __future__ import annotations

from typing import Final, Literal

from pbem.engine.text.grammar import Line, Words
from pbem.titles.panzer.cards.files import packaged
from pbem.titles.panzer.reading.vocabulary import EXPECTED as BASIC
from pbem.titles.panzer.reading.vocabulary import PLACEHOLDERS, RULE, Orders

Start = Literal["full_order", "full_placing", "plotting", "full_choice", "full_clause"]
STARTS: Final[tuple[Start, ...]] = ("full_order", "full_placing", "plotting", "full_choice", "full_clause")

EXPECTED: Final = {
    **{name: words for name, words in BASIC.items() if name != "$END"},
    "TOGETHER": "together", "SHARES": "with", "ASSAULT": "assault", "SMOKE": "smoke", "GP": "gp", "AP": "ap",
    "QUICK": "quick", "CRAWL": "crawl", "WALK": "walk", "UP": "up", "DOWN": "down", "INSIDE": "in", "OUT": "out",
    "MOUNT": "mount", "DISMOUNT": "dismount", "BAIL": "bail", "UNLOAD": "unload", "TRUCK": "truck",
    "SEARCH": "search",
    "PARTIAL": "partial", "HULL_DOWN": "hull-down", "OVERRUN": "overrun", "FROM": "from", "CALL": "call",
    "ONTO": "at", "CONTINUE": "continue", "ADJUST": "adjust", "CHECK": "check", "ARRIVE": "arrive", "FLY": "fly",
    "CLOSED": "closed", "OPEN": "open", "LINEAR": "linear", "TYPE": "smoke", "SPEED": "slow", "ALTITUDE": "low",
    "STRAFE": "strafe", "BOMB": "bomb", "DIVE": "dive", "ROCKET": "rocket", "TURN": "turn", "LEFT": "left",
    "RIGHT": "right", "AFTER": "after", "LATE": "late", "PIVOT": "pivot", "COVER": "cover", "UNCOVER": "uncover",
    "OCCUPY": "occupy", "VACATE": "vacate", "DIG": "dig", "NO_DIG": "no digging", "ABOARD": "aboard",
    "REGISTER": "register", "PLAN": "plan", "TURN_NUMBER": "turn", "LOAD": "load", "TIMES": "a number of turns",
    "ANGLE": "front-side", "DEFAULT": "default", "MISSIONS": "missions", "KEEP": "keep", "AIRCRAFT": "aircraft",
    "ANTI_AIRCRAFT": "anti-aircraft", "SPREAD": "spread", "UNDER_FIRE": "under fire",
    "RECON": "recon", "SNEAK": "sneak", "REVEAL": "reveal", "HIDE": "hide", "DUMMY": "dummy", "DANGER": "danger",
    "WORST": "worst", "KEEPS": "keep", "FORMATIONS": "formations", "DEMOLISH": "demolish", "TURRET": "turret",
    "PIN": "pin", "SWING": "swing",
    "DISCHARGE": "discharge",
    "PUSH": "push", "WRECK": "wreck", "SHUT": "shut", "UNSHUT": "unshut", "DISCHARGERS": "dischargers",
    "$END": BASIC["$END"],
}  # fmt: skip
"""The player's word for each name in the grammar, to say what may come next in a line."""


def grammar() -> str:
    """The whole grammar: both of its parts."""
    return f"{packaged('orders.lark').decode()}\n{packaged('advanced_orders.lark').decode()}"


LANGUAGE: Final = Orders(grammar, STARTS, EXPECTED, (*PLACEHOLDERS, "TIMES"), RULE)


def parse(line: Line, start: Start = "full_order") -> Words:
    """The parse tree of a line; a line that does not fit the grammar is refused."""
    return LANGUAGE.parse(line, start)
