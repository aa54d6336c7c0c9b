"""A bounded sample of all combinations of places, states and procedures.

`cd tests && PYTHONPATH=.. python -m programs.combinations` goes through all of them.
"""

from __future__ import annotations

import msgspec
import pytest
from titles.panzer.combinations.playing import PROCEDURES, play
from titles.panzer.combinations.positions import Combination, combinations, drawn
from titles.panzer.referee.judge import Referee

from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.sighting.sight import sees
from pbem.titles.panzer.sighting.spotting import spots, spots_now
from pbem.titles.panzer.situation import Situation

EVERY = 53
"""The sampled share of the product: one in this many, a different one for each procedure."""
ALL = list(combinations())


def sample(procedure: str) -> list[Combination]:
    first = list(PROCEDURES).index(procedure)
    return ALL[first::EVERY]


@pytest.mark.parametrize("procedure", list(PROCEDURES))
def test_no_combination_breaks_an_invariant(procedure):
    for combination in sample(procedure):
        data, state = drawn(combination)
        assert list(play(data, state, procedure, combination)) == [], combination


def test_yes_or_no_and_the_explanation_agree_and_sight_is_mutual():
    for combination in ALL[::EVERY]:
        data, state = drawn(combination)
        units = [unit for unit in state.vehicles.values() if unit.alive]
        for one in units:
            for other in (other for other in units if other.side != one.side):
                assert spots(Situation(data, state), one, other).result == spots_now(
                    Situation(data, state), one, other
                ), combination
                assert sees(Situation(data, state), one, other) == sees(Situation(data, state), other, one), (
                    combination
                )


def test_the_referee_sees_what_the_program_sees_in_every_place_and_state():
    for combination in ALL[::5]:
        data, state = drawn(combination)
        if data.scenario.rules != ADVANCED_RULES or state.hidden_counters:
            continue
        judge = Referee(msgspec.to_builtins(state), data.board, data.book, data.scenario)
        units = [unit for unit in state.vehicles.values() if unit.alive]
        for one in units:
            for other in (other for other in units if other.side != one.side and not other.aboard):
                said = judge.spots(judge.units[one.id], judge.units[other.id])
                assert spots_now(Situation(data, state), one, other, "earlier") == said, (
                    combination,
                    one.id,
                    other.id,
                )
