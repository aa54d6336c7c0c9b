"""4.4.2 Standing orders: clauses that answer asks in every turn.

STOCK                    the default standing orders
read_clause              one standing order
check_standing_orders    a player's standing orders: every word must have a meaning
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.grammar import Line, readable, tokens
from pbem.engine.text.messages import say, several
from pbem.titles.panzer.player.clauses import FIRED_AT, check_clauses, shared_clause
from pbem.titles.panzer.player.clauses import HELP as BASIC_HELP
from pbem.titles.panzer.player.clauses import Clause as BasicClause
from pbem.titles.panzer.reading.language import parse

STOCK: Final = (
    "initiative: first",
    "fire: best",
    "overwatch: hit >= 30",
    "show: matters",
    "aspect: stronger",
    "move: go on",
    "missions: keep",
    "aircraft: never",
    "anti-aircraft: best",
    "assault: never",
    "advance: never",
    "spread: best",
    "pivot: nearest",
    "cover: under fire",
    "danger: worst",
    "face: nearest",
    "dischargers: never",
)
"""The standing orders of a seat that has given none of its own."""

HELP: Final = several(
    [
        BASIC_HELP,
        say(
            """\
when fired at: cover
cover: under fire     or hold, always
missions: keep     or call, never
aircraft: never     or best
anti-aircraft: best     or always
assault: never     or odds 3
advance: never     or always
spread: best     or never
pivot: nearest     or never
danger: worst     or weakest
face: nearest     or keep
dischargers: never     or always
"""
        ),
    ],
    "joined",
)
"""Help on standing orders, on one screen."""


class Clause(BasicClause, frozen=True):
    """One standing order: as in the basic game, or with `word` to answer an ask of the advanced game."""

    kind: str = ""
    word: str = ""
    number: int = 0


KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "mission_clause": ("mission", "missions"),
    "aircraft_clause": ("flight", "aircraft"),
    "anti_aircraft_clause": ("anti-aircraft", "anti-aircraft"),
    "assault_clause": ("assault", "assault"),
    "advance_clause": ("advance", "advance"),
    "spread_clause": ("spread", "spread"),
    "pivot_clause": ("pivot", "pivot"),
    "cover_clause": ("cover", "cover"),
    "danger_clause": ("danger", "danger"),
    "facing_clause": ("facing", "face"),
    "discharger_clause": ("dischargers", "dischargers"),
}
WORDS: Final[Mapping[str, str]] = {
    "KEEP": "keep", "CALL": "call", "NEVER": "never", "ALWAYS": "always", "HOLD": "hold", "UNDER_FIRE": "under fire",
    "HIT": "odds", "WORST": "worst",
}  # fmt: skip


MEANT: Final[Mapping[str, tuple[str, ...]]] = {
    "flight": ("never", "best"),
    "anti-aircraft": ("best", "always", "never"),
    "spread": ("best", "never"),
    "pivot": ("nearest", "never"),
    "danger": ("worst", "weakest"),
    "facing": ("nearest", "keep"),
}
"""The words that have a meaning in each kind of clause; any other word would have no effect."""


def check_standing_orders(given: Any) -> list[str]:
    """Return standing orders in canonical form; a refusal names every clause that cannot be read."""
    return check_clauses(given, new_clause, STOCK)


def new_clause(text: str) -> Clause:
    """Read a clause from a player: every word must have a meaning."""
    clause = read_clause(text)
    if clause.kind in MEANT and clause.word not in MEANT[clause.kind]:
        name = clause.text.partition(":")[0]
        legal = [f"{name}: {word}" for word in MEANT[clause.kind]]
        why = Objection(
            "4.4.2", say("“{clause}” could not be read as part of “{name}”", clause=clause.word, name=name)
        )
        raise Unreadable(text, [why], legal)
    return clause


@lru_cache(maxsize=1024)
def read_clause(text: str) -> Clause:
    """Read one standing order, with its canonical text."""
    words = parse(Line(1, text, readable(text)), "full_clause")
    if words.data == "take_cover":
        return Clause(text=f"{FIRED_AT} cover", kind="cover", word=WORDS["UNDER_FIRE"])
    if words.data not in KINDS:
        return Clause(**msgspec.structs.asdict(shared_clause(words)))
    kind, name = KINDS[words.data]
    said = [WORDS[token] for token in WORDS if tokens(words, token)] or tokens(words, "PREFERENCE")
    number = int("".join(tokens(words, "NUMBER")) or 0)
    return Clause(text=f"{name}: {said[0]}{f' {number}' if number else ''}", kind=kind, word=said[0], number=number)


def compile_clauses(clauses: Sequence[str]) -> list[Clause]:
    """4.4.2 Compile standing orders into the form that decisions use; if there are none, compile the stock orders."""
    return [read_clause(text) for text in clauses or STOCK]
