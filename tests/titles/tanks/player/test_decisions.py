"""Decisions: orders that used to be accepted and lost are refused, and every answer can be written as lines."""

from __future__ import annotations

from itertools import islice

import pytest
from support.rules import assert_rule
from support.title_contract import TitleContract
from titles.tanks.builders import COMMAND, MOVEMENT, SHOOTING, a_data, a_state, a_tank, read
from titles.tanks.test_contract import TestTanks as Contract

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal, each
from pbem.engine.rules.title import Submission


def a_view():
    return a_state(
        a_tank("a1", 2000, 6000, 0, "sherman-76", cards=["supercharger"]),
        a_tank("a2", 4500, 6000, cards=["sandbags"]),
        a_tank("b1", 2000, 2000, 180, "panther", criticals=["busted-track"]),
        a_tank("b2", 4500, 2000, 180, "stug-g"),
    )


MOVE = Ask("alpha", "move", "T1.1", subject="a1", default={}, grade="order")
SHOOT = Ask("alpha", "shoot", "T7.1", subject="a1", grade="order")

LOST = [
    (MOVE, "a2: move 0", "T1.1", "these orders are for a1"),
    (MOVE, "a1: if b1 moved: move 0", "tanks/orders", "cannot have a condition"),
    (MOVE, "a1: move 0\na1: stay", "tanks/orders", "given twice"),
    (SHOOT, "a2: shoot b1", "T1.1", "these orders are for a1"),
    (SHOOT, "a1: shoot b1, b2", "T7.1", "one target"),
    (SHOOT, "order of a2, a1", "tanks/orders", "not an order of this phase"),
    (SHOOTING, "a1: use supercharger then move 0", "tanks/orders", "not an order of this phase"),
    (SHOOTING, "a1: if b1 moved: reroll always", "tanks/orders", "cannot have a condition"),
    (SHOOTING, "a1: reroll always\na1: reroll never", "tanks/orders", "given twice"),
    (COMMAND, "order of b2, b1", "tanks/orders", "not an order of this phase"),
    (COMMAND, "b1: if a1 moved: repair busted track", "tanks/orders", "cannot have a condition"),
    (COMMAND, "b1: repair busted track\nb1: hold", "tanks/orders", "given twice"),
    (MOVEMENT, "order of a1, a2\norder of a2, a1", "tanks/orders", "given twice"),
]


@pytest.mark.parametrize("ask, text, rule, why", LOST, ids=[f"{ask.kind}: {text}" for ask, text, _, _ in LOST])
def test_words_that_would_be_lost_are_refused(ask, text, rule, why):
    with pytest.raises(Refusal) as refused:
        read(a_data(), a_view(), ask, text)
    found = [objection for refusal in each(refused.value) for objection in refusal.objections]
    assert why in assert_rule(found, rule).english


class LongMatches(Contract):
    matches = (("crossroads", {}),)
    most_exchanges = 90


def test_every_choice_of_a_card_window_is_restated_in_words_that_read_back():
    """With reactions set to ask about everything, each card window is put to a player and can be restated."""
    contract: TitleContract = LongMatches()
    seen = set()
    for rules, stops in contract.cases("ask"):
        for stop in stops:
            for ask in stop.asks:
                view = stop.views[ask.seat]
                for option in islice(rules.options(view, ask), 6):
                    answer = rules.check(view, ask, option)
                    lines = rules.restate(ask, Submission(answer))
                    assert "{" not in lines
                    assert rules.check(view, ask, rules.read(view, ask, lines).answer) == answer
                seen.add(ask.kind)
    assert {"aim", "ward", "initiative", "cancel"} <= seen


@pytest.mark.parametrize(
    "kind, subject, about, text, answer",
    [
        (
            "cancel",
            "a1",
            {"by": "shooter", "cancel": 2, "hits": 2, "criticals": 1},
            "cancel 1 hit, 1 critical",
            (1, 1),
        ),
        ("cancel", "a1", {"by": "shooter", "cancel": 1, "hits": 2, "criticals": 1}, "cancel 1 critical", (0, 1)),
    ],
)
def test_T7_10_hits_are_cancelled_in_words(kind, subject, about, text, answer):
    ask = Ask("alpha", kind, "T7.10", subject=subject, about=about, default={"hits": 0, "criticals": 0})
    found = read(a_data(), a_view(), ask, text).answer
    assert (found["hits"], found["criticals"]) == answer


def test_T2_2_dice_are_named_by_their_places_and_the_card():
    ask = Ask("alpha", "save", "T2.4", subject="a2", about={"dice": [1, 2, 6], "threats": 3, "used": []})
    assert read(a_data(), a_view(), ask, "reroll dice 3, 1, 2 by sandbags").answer["dice"] == [0, 1, 2]
    pick = Ask(
        "alpha", "pick", "T2.2", subject="a1", about={"cards": ["busted-track", "bailed-out"]}, default="bailed-out"
    )
    assert read(a_data(), a_view(), pick, "keep busted track").answer == "busted-track"
