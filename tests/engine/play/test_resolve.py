"""Answers are taken from the plan, then from standing orders, then from the default.

Each answer is recorded, legal, and explained only to its seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.toy import SEATS, AmbushRules, Data

from pbem.engine.play.bots import Choice, random_bot
from pbem.engine.play.dice import Dice
from pbem.engine.play.resolve import ANSWERED, Automatic, Diverged, Mind, by_minds, by_record, resolve, resume
from pbem.engine.play.run import Mark, Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding, seen_by
from pbem.engine.rules.refusals import Illegal, Objection, Refusals, Unreadable, each
from pbem.engine.rules.state import from_bytes, to_bytes
from pbem.engine.rules.title import Reply


def a_run() -> Run:
    rules = AmbushRules(Data(6, 3, 3, [1, 2, 3]))
    run = Run(rules, rules.setup(()))
    resolve(run, {}, dice(1), by_minds({}))
    return run


def dice(exchange: int) -> Dice:
    return Dice(bytes([exchange]) * 32, bytes([exchange + 100]) * 32, f"context {exchange}")


def test_the_plan_comes_before_doctrine_and_doctrine_before_the_default() -> None:
    run = a_run()
    answers = {seat: {} for seat in SEATS}
    minds = {"red": Mind({"card": 3}, ["card"]), "blue": Mind({}, ["card"])}
    resolution = resolve(run, answers, dice(2), by_minds(minds))
    cards = next(replies for replies in resolution.autos if replies and replies["red"].ask == "card")
    assert cards["blue"].source == "doctrine"
    held = next(finding.result for finding in resolution.findings if finding.rule == "2" and finding.to == ("red",))
    assert cards["red"].source == ("plan" if held == 3 else "doctrine")
    if held != 3:
        assert "you do not hold that card" in str(cards["red"].passed[0])


def test_a_clause_without_a_legal_answer_is_explained_once_by_its_first_reason() -> None:
    class Strict(AmbushRules):
        def from_plan(self, view: Any, ask: Ask, plan: Any) -> Iterator[Reply]:
            yield from (Reply(answer, "go on") for answer in (7, 8, 9) if ask.kind == "card")

        def check(self, view: Any, ask: Ask, answer: Any) -> Any:
            if ask.kind == "card" and answer in (7, 8, 9):
                reasons = [Objection("2", f"no card {answer}"), Objection("3", "nobody may play it")]
                raise Illegal("card", reasons, ["1", "2"])
            return super().check(view, ask, answer)

    rules = Strict(Data(6, 3, 3, [1, 2, 3]))
    run = Run(rules, rules.setup(()))
    resolve(run, {}, dice(1), by_minds({}))
    resolution = resolve(run, {seat: {} for seat in SEATS}, dice(2), by_minds({}))
    cards = next(replies for replies in resolution.autos if replies and replies["red"].ask == "card")
    assert [str(why) for why in cards["red"].passed] == ["plan “go on”: card: no card 7 (2)."]


def test_stock_standing_orders_hold_for_a_seat_that_has_said_nothing() -> None:
    class WithStock(AmbushRules):
        def from_standing_orders(self, view: Any, ask: Ask, orders: Any) -> Iterator[Reply]:
            return super().from_standing_orders(view, ask, orders or ["card"])

    rules = WithStock(Data(6, 3, 3, [1, 2, 3]))
    run = Run(rules, rules.setup(()))
    resolve(run, {}, dice(1), by_minds({}))
    resolution = resolve(run, {seat: {} for seat in SEATS}, dice(2), by_minds({}))
    cards = next(replies for replies in resolution.autos if replies and replies["red"].ask == "card")
    assert {reply.source for reply in cards.values()} == {"doctrine"}


def test_an_automatic_answer_is_explained_to_its_seat_alone() -> None:
    run = a_run()
    resolution = resolve(run, {seat: {} for seat in SEATS}, dice(2), by_minds({"red": Mind({}, ["card"])}))
    assert any(finding.rule == ANSWERED for finding in seen_by(resolution.findings, "red"))
    for viewer in ("blue", "public"):
        assert not any(finding.rule == ANSWERED for finding in seen_by(resolution.findings, viewer))


def test_who_sends_nothing_is_answered_for_and_it_is_recorded() -> None:
    run = a_run()
    resolution = resolve(run, {"red": {"r1": "go3"}}, dice(2), by_minds({}))
    assert resolution.autos[0] == {"blue": Automatic("orders", {})}


def test_a_record_that_does_not_fit_the_asks_is_said() -> None:
    run = a_run()
    with pytest.raises(Diverged, match="orders"):
        resolve(run, {"red": {}}, dice(2), by_record([{"blue": Automatic("card", None)}]))


@given(seed=st.integers(0, 10**6))
def test_resuming_from_any_mark_leads_to_the_same_state(seed: int) -> None:
    run = a_run()
    choice = Choice(seed)
    orders = {
        seat: {f"{seat[0]}{n}": choice.one_of(["ambush", "go2", "go5", "hold"]) for n in (1, 2, 3)} for seat in SEATS
    }
    legal = {seat: {u: o for u, o in orders[seat].items() if _legal(run, seat, u, o)} for seat in SEATS}
    mind = Mind({}, ["ambush", "card"])
    marks: list[Mark] = []
    whole = resolve(run, legal, dice(2), by_minds(dict.fromkeys(SEATS, mind)), on_mark=marks.append)
    assert len(marks) >= 4 and whole.mark == marks[-1]
    for mark in marks:
        again = Run.resume(run.rules, mark)
        fresh = dice(2)
        fresh.ordinals = dict(mark.ordinals)
        resume(again, mark, fresh, whole.autos)
        assert to_bytes(again.state) == to_bytes(run.state)
        assert again.asks == run.asks


def _legal(run: Run, seat: str, unit: str, order: str) -> bool:
    ask = run.ask_of(seat)
    assert ask is not None
    return {unit: order} in list(run.rules.options(run.view(seat), ask))


@given(seed=st.integers(0, 10**6))
def test_defaults_and_options_are_legal(seed: int) -> None:
    run = a_run()
    for exchange in range(2, 9):
        for ask in run.asks:
            view = run.view(ask.seat)
            run.rules.check(view, ask, ask.silence)
            for option in run.rules.options(view, ask):
                run.rules.check(view, ask, option)
        if not run.asks:
            return
        bot = random_bot((seed, exchange))
        answers = {ask.seat: bot(run.rules, run.view(ask.seat), ask).answer for ask in run.asks}
        resolve(run, answers, dice(exchange), by_minds({}), waits=lambda ask: True)


def test_a_finding_loses_what_a_viewer_may_not_know_without_a_trace() -> None:
    tree = Finding(
        "1", result="open", children=(Finding("1.1", to=("red",), result="hidden"), Finding("1.2", result=2))
    )
    assert seen_by([tree], "blue") == [Finding("1", result="open", children=(Finding("1.2", result=2),))]
    assert seen_by([tree, Finding("2", to=("red",))], "public") == seen_by([tree], "blue")


def test_a_refusal_teaches() -> None:
    refusal = Illegal("3 PzGren", [Objection("25.1.2.7", "an Engaged unit never responds")], ["1 PzGren", "nobody"])
    assert str(refusal) == ("3 PzGren: an Engaged unit never responds (25.1.2.7). You could send: 1 PzGren, nobody.")
    both = Refusals([refusal, Unreadable("x", [Objection("1", "it cannot be read")])])
    assert each(both)[1].part == "x"
    assert str(both).count("\n") == 1


def test_a_state_survives_the_round_trip() -> None:
    run = a_run()
    again = from_bytes(to_bytes(run.state), run.rules.state_type)
    assert again == run.state
