"""The contract of every title, played with the one-corps introduction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from support.title_contract import TitleContract

from pbem.engine.play.bots import Bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Rules, Wish
from pbem.titles.nato.title import Nato


class TestNato(TitleContract):
    title = Nato()
    matches = (("leine", {}), ("leine", {"table": "commands"}))
    seeds = (1,)

    def bot(self, rules: Rules, seed: object) -> Bot:
        return rules.bot(seed)  # type: ignore[attr-defined, no-any-return]

    def board(self, view: Any) -> dict[str, Any]:
        pieces = view.pieces if hasattr(view, "pieces") else view["pieces"]
        return {id: piece.at if hasattr(piece, "at") else piece["at"] for id, piece in pieces.items()}

    def ordered_units(self, ask: Ask, answer: Any) -> set[str]:
        moves = answer.get("moves", ()) if isinstance(answer, dict) else ()
        return {move["unit"] for move in moves if move.get("path")}

    def wishes(self, rules: Rules, view: Any, ask: Ask) -> Iterator[Wish]:
        units = tuple(unit for group in rules.formations(view, ask.seat) for unit in group.units)
        yield Wish(units, "move", goal="Minden")
        yield Wish(units, "attack", target="3218")
