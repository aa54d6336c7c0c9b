"""The contract of every title, tested with the one-corps introduction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from support.title_contract import TitleContract

from pbem.engine.play.bots import Bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Rules, Submission, Wish
from pbem.titles.nato.title import Nato


class TestNato(TitleContract):
    title = Nato()
    matches = (("leine", {}), ("leine", {"table": "commands"}))
    seeds = (1,)
    may_wait_for_others = frozenset({"9.1.1"})

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

    def test_every_window_is_restated_in_words_that_are_read_as_the_same_answer(self) -> None:
        """With every choice asked, receipts and forms state the decision in one line."""
        for rules, stops in self.cases("ask"):
            for stop in stops:
                for ask in stop.asks:
                    view = stop.views[ask.seat]
                    for option, _ in zip(rules.options(view, ask), range(6), strict=False):
                        sealed = Submission(rules.check(view, ask, option))
                        again = rules.read(view, ask, rules.restate(ask, sealed))
                        assert rules.check(view, ask, again.answer) == sealed.answer, (ask, sealed.answer)
                    form = rules.read(view, ask, rules.form(view, ask))
                    assert rules.check(view, ask, form.answer) == rules.check(
                        view,
                        ask,
                        rules.default(lambda view=view: view, ask),  # type: ignore[misc]
                    )
