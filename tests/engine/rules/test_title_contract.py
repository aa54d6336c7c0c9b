"""The two toy titles fulfil the contract of a title."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import msgspec
from support.relay import RelayTitle, own
from support.title_contract import TitleContract
from support.toy import AmbushTitle

from pbem.engine.play.bots import Bot
from pbem.engine.play.choice import Choice
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Rules, Submission, Wish


class TestRelay(TitleContract):
    """The contract for a title with several seats per side, a class for each kind of ask, and plans in sections, but
    without hidden data."""

    title = RelayTitle()
    matches: ClassVar[tuple[tuple[str, Mapping[str, Any]], ...]] = (("single", {}), ("teams", {}), ("uneven", {}))

    def bot(self, rules: Rules, seed: object) -> Bot:
        def answer(rules: Rules, view: Any, ask: Ask) -> Submission:
            choice = Choice(seed, ask.seat, ask.kind, ask.subject, view.turn, view.moving)
            runners = list(own(view.runners, ask.seat))
            if ask.kind == "march":
                march = {name: choice.below(3) for name in runners}
                fits = {name: steps for name, steps in march.items() if legal(rules, view, ask, name, steps)}
                plan = {"press": {"do": choice.one_of(["on", "halt"]), "once": bool(choice.below(2))}}
                return Submission({"march": fits}, plan if choice.below(2) else {})
            if ask.kind == "stance":
                clauses = {name: {"within": 1 + choice.below(3), "once": bool(choice.below(2))} for name in runners}
                return Submission(None, {"fire": clauses} if clauses else {})
            return Submission(choice.one_of(list(rules.options(view, ask))))

        return answer

    def board(self, view: Any) -> dict[str, Any]:
        return {name: str(runner.space) for name, runner in view.runners.items()}

    def ordered_units(self, ask: Ask, answer: Any) -> set[str]:
        return (
            {name for name, steps in (answer or {}).get("march", {}).items() if steps}
            if ask.kind == "march"
            else set()
        )

    def wishes(self, rules: Rules, view: Any, ask: Ask) -> Iterator[Wish]:
        if ask.kind == "march":
            yield Wish(tuple(own(view.runners, ask.seat)), "march", goal="2")


def legal(rules: Rules, view: Any, ask: Ask, name: str, steps: int) -> bool:
    return {"march": {name: steps}} in [*rules.options(view, ask), {"march": {name: 0}}]


class TestAmbush(TitleContract):
    """The contract for a title with hidden orders and hidden cards."""

    title = AmbushTitle()
    matches: ClassVar[tuple[tuple[str, Mapping[str, Any]], ...]] = (("small", {}), ("tiny", {}), ("close", {}))

    def bot(self, rules: Rules, seed: object) -> Bot:
        def answer(rules: Rules, view: Any, ask: Ask) -> Submission:
            choice = Choice(seed, ask.seat, ask.kind, ask.subject, view["turn"])
            options = list(rules.options(view, ask))
            if ask.kind != "orders":
                return Submission(choice.one_of(options))
            orders: dict[str, str] = {}
            for _ in range(4):
                orders |= choice.one_of(options)
            return Submission(dict(sorted(orders.items())), {"card": 1} if choice.below(2) else {})

        return answer

    def board(self, view: Any) -> dict[str, Any]:
        return {name: tuple(unit["hex"]) for name, unit in view["units"].items()}

    def ordered_units(self, ask: Ask, answer: Any) -> set[str]:
        return {name for name, order in answer.items() if order.startswith("go")} if ask.kind == "orders" else set()

    def other_worlds(self, rules: Rules, state: Any, viewer: str) -> Iterator[Any]:
        for seat in rules.seats:
            if seat != viewer:
                other = msgspec.convert(msgspec.to_builtins(state), type(state))
                other.hands[seat] = [9 for _ in other.hands[seat]]
                for unit in other.units.values():
                    if unit.seat == seat and unit.order and not unit.shown:
                        unit.order = "ambush" if unit.order == "hold" else "hold"
                yield other

    def wishes(self, rules: Rules, view: Any, ask: Ask) -> Iterator[Wish]:
        if ask.kind == "orders":
            own_units = tuple(name for name, unit in view["units"].items() if unit["seat"] == ask.seat)
            yield Wish(own_units, "hold")
            yield Wish(own_units, "go", goal="2")
