"""11 G0 Standing orders: lines that answer later asks until they are replaced.

They are stored as text and compiled once; the first line that gives a legal answer is used. A seat that has neither
standing orders nor a fire plan for the player turn uses the stock ones.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from pbem.engine.rules.refusals import Objection, Refusal, Refusals, Unreadable
from pbem.engine.text.grammar import lines
from pbem.engine.text.messages import say
from pbem.titles.aslsk.ground.terrain import Ground
from pbem.titles.aslsk.orders import Clause
from pbem.titles.aslsk.player.language import LANGUAGE
from pbem.titles.aslsk.player.reading import Reader, clause_of

STOCK: Final = (
    "all watch vehicles if clear column 8 kill 3 pf intensive",
    "reaction all",
    "all watch infantry if clear chance 25 intensive",
    "sff all column 6",
    "fpf all column 16",
)
"""The standing orders for a seat that has none of its own."""


class StockOrders(tuple[Clause, ...]):
    """The stock standing orders, compiled."""


def check_standing_orders(given: Any) -> list[Any]:
    """Return the lines in canonical form, or refuse those that cannot be read."""
    if isinstance(given, str):
        given = given.splitlines()
    if not isinstance(given, list) or not all(isinstance(line, str) for line in given):
        raise Unreadable(
            "standing orders", [Objection("11/standing-orders", say("standing orders must be lines of text"))]
        )
    refused: list[Refusal] = []
    kept: list[str] = []
    for line in lines("\n".join(given)):
        try:
            LANGUAGE.parse(line, "standing_line")
        except Refusal as refusal:
            refused.append(refusal)
        else:
            kept.append(line.written)
    if refused:
        raise refused[0] if len(refused) == 1 else Refusals(refused)
    return kept


@lru_cache(maxsize=8)
def stock_orders(ground: Ground) -> StockOrders:
    """The stock standing orders for a map."""
    return StockOrders(clauses_of(ground, STOCK))


@lru_cache(maxsize=64)
def clauses_of(ground: Ground, given: tuple[str, ...]) -> tuple[Clause, ...]:
    """The compiled clauses; lines that name hexes not on this map are ignored."""
    found: list[Clause] = []
    reader = Reader(ground, None, "")
    for line in lines("\n".join(given)):
        words = LANGUAGE.parse(line, "standing_line").children[0]
        try:
            found.append(clause_of(reader, words, line.written))  # type: ignore[arg-type]
        except Refusal:
            continue
    return tuple(found)
