"""Plans and standing orders answer from the seat's view."""

from __future__ import annotations

import pytest
from titles.tanks.builders import a_data, a_state, a_tank, from_plan, from_standing_orders

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal, each
from pbem.titles.tanks.player.standing_orders import STOCK, check_doctrine


def duel(a_cards=(), b_cards=(), **a):
    return a_state(a_tank("a1", 1000, 5000, 90, cards=a_cards, **a), a_tank("b1", 6000, 5000, 270, cards=b_cards))


def first(state, ask, doctrine=(), plan=None):
    """Return the first answer given by the plan and the standing orders, or the default."""
    replies = [*from_plan(a_data(), state, ask, plan or {}), *from_standing_orders(a_data(), state, ask, doctrine)]
    return replies[0].answer if replies else ask.default


def reroll(dice, **more):
    return Ask("alpha", "reroll", "T7.5", subject="a1", about={"dice": dice, "again": False, "fours": 4, **more})


@pytest.mark.parametrize(
    "dice, doctrine, again",
    [
        ([1, 1, 1, 4], (), True),
        ([4, 4, 1, 1], (), False),
        ([4, 4, 1, 1], ("reroll: below 3",), True),
        ([1, 1, 1, 1], ("reroll: never",), False),
        ([6, 6, 6, 6], ("reroll: always",), True),
    ],
)
def test_T7_5_dice_are_rolled_again_as_ordered(dice, doctrine, again):
    assert (first(duel(), reroll(dice), doctrine) is not None) is again


def test_T7_5_a_plan_for_the_turn_comes_before_standing_orders():
    assert first(duel(), reroll([1, 1, 1, 1]), plan={"reroll": {"a1": "never"}}) is None
    assert first(duel(), reroll([6, 6, 6, 6]), plan={"reroll": {"*": "always"}})["by"] == "stationary"


def test_T9_6_the_best_die_is_kept_if_it_hits():
    state = a_state(a_tank("a1", 1000, 5000, 90, "sherman-v"), a_tank("b1", 6000, 5000, 270))
    assert first(state, reroll([1, 6, 2, 3]))["dice"] == [0, 2, 3]
    assert first(state, reroll([1, 3, 2, 3]))["dice"] == [0, 1, 2, 3]


@pytest.mark.parametrize("care, used", [("always", ["dead-eye-gunner"]), ("sparingly", []), ("never", [])])
def test_T2_4_cards_are_used_with_more_or_less_care(care, used):
    """The Panzer has 1 hull point left and one hit is coming; turning the hit into a critical might save the tank."""
    state = duel(["dead-eye-gunner"])
    state.tanks["b1"].damage = 4
    ask = Ask("alpha", "convert", "T2.4", subject="a1", about={"target": "b1", "hits": 1, "criticals": 0}, default=[])
    assert first(state, ask, (f"cards: {care}",)) == used


def test_T2_4_a_plan_keeps_and_uses_cards():
    state = a_state(
        a_tank("a1", 1000, 5000, 90), a_tank("b1", 6000, 5000, 270, "panther", cards=["tungsten", "wittmann"])
    )
    ask = Ask("bravo", "aim", "T2.4", subject="b1", about={"close": False})
    assert first(state, ask) == ["tungsten", "wittmann"]
    assert first(state, ask, plan={"keep": {"b1": ["tungsten"]}}) == ["wittmann"]
    assert first(state, ask, ("cards: never",), {"use": {"b1": ["tungsten"]}}) == ["tungsten", "wittmann"]


def test_T1_1_initiative_cards_are_turned_up_unless_kept():
    state, ask = duel(["superb-commander"]), Ask("alpha", "initiative", "T1.1", about={"phase": "moving"}, default=[])
    assert first(state, ask) == [["a1", "superb-commander"]]
    assert first(state, ask, plan={"keep": {"a1": ["superb-commander"]}}) == []
    assert first(state, ask, ("cards: never",)) == []


def test_T7_1_a_missed_deadline_still_shoots():
    ask = Ask("alpha", "shooting", "T1.2", default={}, grade="order")
    assert first(duel(), ask) == {"orders": {"a1": [{"targets": ["best"]}]}}


def test_T5_a_missed_deadline_still_moves_unless_told_to_stay():
    ask = Ask("alpha", "movement", "T1.1", default={}, grade="order")
    assert first(duel(), ask) == {"orders": {"a1": [{"tactic": "hunt"}]}}
    assert first(duel(), ask, ("move: hide",)) == {"orders": {"a1": [{"tactic": "hide"}]}}
    assert first(duel(), ask, ("move: stay",)) == first(duel(), ask, ("cards: never",)) == {}


@pytest.mark.parametrize(
    "by, clause, answer",
    [
        ("shooter", "concede: criticals", {"hits": 0, "criticals": 1}),
        ("shooter", "concede: hits", {"hits": 1, "criticals": 0}),
        ("target", "strike: hits", {"hits": 1, "criticals": 0}),
        ("target", "concede: hits", None),
        ("shooter", "cards: always", None),
    ],
)
def test_T7_10_standing_orders_say_what_is_cancelled_first(by, clause, answer):
    """One of two hits and a critical is cancelled; without an order the rules' default applies."""
    about = {"by": by, "cancel": 1, "hits": 2, "criticals": 1}
    ask = Ask("alpha", "cancel", "T7.10", subject="a1", about=about)
    assert first(duel(), ask, (clause,)) == answer


def test_T8_3_repairs_in_the_order_wished():
    state = duel(criticals=["busted-track", "jammed-turret"])
    ask = Ask("alpha", "command", "T8.3", default={})
    assert first(state, ask, ("repair: jammed-turret busted-track",)) == {"a1": {"repair": "jammed-turret"}}
    assert first(state, ask, plan={"repair": {"a1": "busted-track"}}) == {"a1": {"repair": "busted-track"}}


def test_T2_2_sandbags_are_spent_when_more_threatens_than_was_saved():
    state = duel(b_cards=["sandbags"])
    about = {"shooter": "a1", "dice": [1, 2], "threats": 2, "used": []}
    ask = Ask("bravo", "save", "T2.4", subject="b1", about=about)
    assert first(state, ask) == {"by": "sandbags", "dice": [0, 1]}
    assert first(state, Ask("bravo", "save", "T2.4", subject="b1", about={**about, "threats": 0})) is None
    assert first(state, ask, plan={"keep": {"b1": ["sandbags"]}}) is None


def test_T2_4_when_fired_at_cards_are_used_with_another_care():
    state = duel(b_cards=["sandbags"])
    about = {"shooter": "a1", "dice": [1, 2], "threats": 2, "used": []}
    ask = Ask("bravo", "save", "T2.4", subject="b1", about=about)
    assert first(state, ask, ("cards: never",)) is None
    spent = {"by": "sandbags", "dice": [0, 1]}
    assert first(state, ask, ("when fired at: cards sparingly", "cards: never")) == spent
    assert first(state, ask, ("When fired at, cards: never", "cards: always")) is None
    [reply] = from_standing_orders(a_data(), state, ask, ["when fired at: cards sparingly"])
    assert reply.clause == "when fired at: cards sparingly"
    with pytest.raises(Refusal, match=r"“run” cannot follow `when fired at` \(position 16\)"):
        check_doctrine(["when fired at: run"], a_data().criticals)


def test_T2_4_when_fired_at_says_nothing_of_the_one_who_fires():
    state = duel(["dead-eye-gunner"])
    ask = Ask("alpha", "convert", "T2.4", subject="a1", about={"target": "b1", "hits": 1, "criticals": 0}, default=[])
    assert first(state, ask, ("cards: always",)) == ["dead-eye-gunner"]
    assert first(state, ask, ("when fired at: cards always", "cards: never")) == []


def test_standing_orders_are_read_forgivingly_and_all_slips_are_named():
    cards = a_data().criticals
    assert check_doctrine(list(STOCK), cards) == list(STOCK)
    said = ["Cards ALWAYS", "", "# nothing", "reroll below 2", "repair Engine Fire, bailed-out"]
    assert check_doctrine(said, cards) == ["cards: always", "reroll: below 2", "repair: engine-fire bailed-out"]
    with pytest.raises(Refusal) as refused:
        check_doctrine(["card: always", "shoot: neerest"], cards)
    assert [refusal.instead for refusal in each(refused.value)] == [("cards",), ("shoot: nearest",)]


@pytest.mark.parametrize(
    "lines",
    [["cards: never", "cards: always"], ["shoot: best", "Shoot nearest"], ["repair: nonsense"], ["repair: engine"]],
)
def test_standing_orders_that_would_change_nothing_are_refused(lines):
    with pytest.raises(Refusal):
        check_doctrine(lines, a_data().criticals)
