"""The order language: from a line of text to a syntax tree, or a refusal that points at the mistake.

The grammar is `data/orders.lark`.
"""

from __future__ import annotations

from importlib import resources
from typing import Final

from pbem.engine.text.grammar import Language

RULE: Final = "11/orders"
STARTS: Final = ("order_line", "standing_line", "rout_line", "combat_line", "window_line", "setup_line", "choice")
EXPECTED: Final = {
    "FIRE": "fire",
    "MOVE": "move",
    "ADVANCE": "advance",
    "ROUT": "rout",
    "CRAWL": "crawl",
    "STAY": "stay",
    "WATCH": "watch",
    "HOLD": "hold",
    "KEEP": "keep",
    "RALLY": "rally",
    "NO": "no",
    "SELF": "self rally",
    "RECOVER": "recover",
    "GIVE": "give",
    "LATER": "later",
    "COMBAT": "combat",
    "STACK": "stack",
    "ALONE": "alone",
    "SFF": "sff",
    "FPF": "fpf",
    "PASS": "pass",
    "NONE": "none",
    "DM": "dm",
    "REPAIR": "repair",
    "TO": "to",
    "AT": "at",
    "WITH": "with",
    "BY": "by",
    "OR": "or",
    "IN": "in",
    "OF": "of",
    "IF": "if",
    "UNBROKEN": "if unbroken",
    "ONCE": "once",
    "DOUBLE": "double",
    "ASSAULT": "assault",
    "COVER": "cover",
    "OFF": "off",
    "SMOKE": "smoke",
    "AREA": "area",
    "WP": "wp",
    "AP": "ap",
    "HEAT": "heat",
    "INTENSIVE": "intensive",
    "FACE": "face",
    "HIDDEN": "hidden",
    "EXPOSED": "exposed",
    "HATCH": "open or close",
    "ANYWAY": "anyway",
    "PF": "pf",
    "BLAST": "backblast",
    "UNMARKED": "no acquisition",
    "DESTROY": "destroy",
    "DETONATE": "detonate",
    "INTERDICTION": "interdiction",
    "HE": "he",
    "APCR": "apcr",
    "APDS": "apds",
    "PLAIN": "start, stop, motion, open, close or unbog",
    "TURN": "turn",
    "TURRET": "turret",
    "WAIT": "wait",
    "DEVICE": "device",
    "WHOLE": "whole",
    "FOR": "for",
    "ON": "on",
    "DEFENCE": "sn",
    "REACTS": "reacts, device or motion",
    "HIT": "hit",
    "KILL": "kill",
    "TANKS": "vehicles",
    "MEN": "infantry",
    "MOTION": "motion",
    "REACTION": "reaction",
    "PUSH": "push",
    "DROP": "drop",
    "PLACE": "place",
    "STOP": "stop",
    "GO": "go",
    "VIA": "via",
    "AFTER": "after",
    "UNHURT": "unhurt",
    "HURT": "hurt, broken or pinned",
    "LOST": "lost",
    "LEADER": "leaders",
    "RESIDUAL": "residual",
    "ENEMY": "if enemy",
    "EMPTY": "if empty",
    "AGAINST": "against",
    "WITHIN": "within",
    "COLUMN": "column",
    "DRM": "drm",
    "SQUADS": "squads",
    "SEEN": "if seen",
    "UNTIL": "until",
    "ALL": "all",
    "ROUT_HOW": "crawl, run or stay",
    "COMBAT_HOW": "all, concentrate, spread or none",
    "PLUS": "+",
    "COMMA": ",",
    "SEMICOLON": ";",
    "NAME": "a unit, weapon or hex",
    "NUMBER": "a number",
    "$END": "the end of the line",
}
"""Descriptions of the words that may come next, by their names in the grammar."""
PLACEHOLDERS: Final = ("NAME", "NUMBER", "HURT", "HATCH", "PLAIN", "REACTS", "ROUT_HOW", "COMBAT_HOW", "$END")


def grammar() -> str:
    return resources.files("pbem.titles.aslsk").joinpath("data/orders.lark").read_text()


LANGUAGE: Final = Language(grammar, STARTS, EXPECTED, PLACEHOLDERS, RULE)
