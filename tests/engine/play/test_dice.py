"""Named rolls from two ladders are unbiased, do not depend on order, and can be verified by anyone."""

from __future__ import annotations

import collections

from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.play.dice import Dice, context, die, step_down, wrong_roll

rungs = st.binary(min_size=32, max_size=32)
names = st.tuples(st.sampled_from(["4.3.1", "4.4.3.2.3", "6.5"]), st.lists(st.sampled_from("abcd"), max_size=2))
rolls = st.lists(st.tuples(st.sampled_from([6, 10, 100]), names, st.booleans()), max_size=20)


def roll_all(rung: bytes, wanted: list[tuple[int, tuple[str, list[str]], bool]]) -> Dice:
    dice = Dice(rung, rung[::-1], "context")
    for sides, (rule, subjects), secret in wanted:
        dice.roll(sides, rule, tuple(subjects), secret=secret)
    return dice


@given(rung=rungs, wanted=rolls)
def test_every_roll_is_on_its_die_and_checks_without_the_rules(rung: bytes, wanted: list[object]) -> None:
    dice = roll_all(rung, wanted)  # type: ignore[arg-type]
    assert all(1 <= roll.result <= roll.sides for roll in dice.rolls + dice.secret_rolls)
    assert wrong_roll(dice.rolls, rung, "context") is None
    assert wrong_roll(dice.secret_rolls, rung[::-1], "context") is None


@given(rung=rungs)
def test_a_roll_is_named_not_counted(rung: bytes) -> None:
    """A die depends on the name of its roll, so a corrected rule that adds one roll changes no other."""
    plain, more = Dice(rung, rung, "c"), Dice(rung, rung, "c")
    more.roll(10, "new rule", (), secret=False)
    assert plain.roll(100, "4.4.3.2.3", ("a", "b"), secret=False) == more.roll(
        100, "4.4.3.2.3", ("a", "b"), secret=False
    )


def test_rolls_of_one_name_in_one_exchange_differ() -> None:
    dice = Dice(bytes(32), bytes(32), "c")
    results = [dice.roll(10**9, "4.3.1", ("axis",), secret=False) for _ in range(50)]
    assert len(set(results)) == 50


def test_open_and_secret_rolls_of_one_name_do_not_betray_each_other() -> None:
    dice = Dice(bytes(32), bytes([1]) * 32, "c")
    pairs = [
        (dice.roll(100, "2", ("red",), secret=False), dice.roll(100, "2", ("red",), secret=True)) for _ in range(40)
    ]
    assert sum(a == b for a, b in pairs) < 8


def test_a_die_is_fair() -> None:
    """Six thousand rolls of a d6 stay below the 0.1 % bound of chi-square for 5 degrees of freedom (20.5)."""
    counts = collections.Counter(die(bytes(32), "c", "fair", (), ordinal, 6) for ordinal in range(6000))
    assert sum((counts[face] - 1000) ** 2 / 1000 for face in range(1, 7)) < 20.5


@given(top=rungs, high=st.integers(0, 40), low=st.integers(0, 40))
def test_a_rung_leads_down_and_never_up(top: bytes, high: int, low: int) -> None:
    assert step_down(step_down(top, high), low) == step_down(top, high + low)


def test_the_context_depends_on_every_answer_and_on_nothing_else() -> None:
    base = context("m", 3, [("red", "aa"), ("blue", None)])
    assert base == context("m", 3, [("blue", None), ("red", "aa")])
    others = [
        context("n", 3, [("red", "aa"), ("blue", None)]),
        context("m", 4, [("red", "aa"), ("blue", None)]),
        context("m", 3, [("red", "ab"), ("blue", None)]),
        context("m", 3, [("red", "aa"), ("blue", "aa")]),
        context("m", 3, [("red", "aa"), ("blue", None)], beacon="x"),
    ]
    assert base not in others
    assert len(set(others)) == len(others)
