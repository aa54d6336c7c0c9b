"""Statistics of dice agree with known tables."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.engine.play.dice import Roll
from pbem.matches.audit.fairness import by_rule, chi_square, quantile, survival, tallies, tally


@pytest.mark.parametrize(
    ("freedom", "value", "probability"),
    [(1, 3.841, 0.05), (5, 11.07, 0.05), (9, 16.919, 0.05), (9, 4.168, 0.9), (10, 23.209, 0.01), (99, 123.225, 0.05)],
)
def test_the_chi_square_distribution_agrees_with_printed_tables(freedom, value, probability):
    assert survival(value, freedom) == pytest.approx(probability, abs=1e-4)
    assert quantile(probability, freedom) == pytest.approx(value, abs=2e-3)


def test_usual_dice_are_fair_and_loaded_ones_are_not():
    usual, loaded = tally(6, Counter({1: 17, 2: 24, 3: 20, 4: 19, 5: 16, 6: 24})), tally(6, Counter({6: 60, 1: 60}))

    assert usual.fair and usual.chi_square.value == pytest.approx(2.9)
    assert not loaded.fair and loaded.chi_square.probability < 1e-6


def test_dice_that_are_too_even_to_be_true_lie_below_the_lower_bound():
    """Dice that are too even fall below the lower bound, which exposes a server that deals out results in turn."""
    dealt = tally(6, Counter(dict.fromkeys(range(1, 7), 1000)))

    assert dealt.mean == 3.5 and dealt.chi_square.probability == 1 and not dealt.fair


def test_bounds_of_the_mean_get_closer_with_more_rolls():
    few, many = (tally(100, Counter(dict.fromkeys(range(1, 101), n))) for n in (1, 100))

    assert few.low == pytest.approx(50.5 - 1.96 * 28.866 / 10, abs=0.01)
    assert many.high - many.low == pytest.approx((few.high - few.low) / 10)


@pytest.mark.parametrize(("rolls", "classes"), [(9, None), (10, 2), (24, 4), (50, 10), (499, 50), (500, 100)])
def test_classes_are_as_many_as_there_are_rolls_for(rolls, classes):
    found = chi_square([rolls, *([0] * 99)])

    assert (found and found.classes) == classes


def test_rolls_are_told_apart_by_die_and_by_rule():
    rolls = [Roll("4.4", ("g1",), 0, 100, 50), Roll("4.4", ("g1",), 1, 100, 70), Roll("4.3", (), 0, 10, 3)]

    assert [(found.sides, found.rolls) for found in tallies(rolls)] == [(100, 2), (10, 1)]
    assert by_rule(rolls) == {("4.3", 10): (1, 3), ("4.4", 100): (2, 60)}
