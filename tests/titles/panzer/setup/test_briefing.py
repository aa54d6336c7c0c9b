"""2.0 The briefing that players get before the first turn."""

from __future__ import annotations

import pytest
from titles.panzer.builders import packaged_scenario

from pbem.titles.panzer.setup.briefing import briefing
from pbem.titles.panzer.setup.scenario_file import packaged_scenarios


def test_2_0_the_situation_the_length_and_what_counts() -> None:
    told = str(briefing(packaged_scenario("duel"), "german"))
    assert told.startswith("Duel at Bir Hasan\nTwo patrols meet at a well.")
    assert told.splitlines()[3:] == [
        "4 turns.",
        "- The well of Bir Hasan (J6, K5), held at the end: 6 points for German patrol, 2 points for British patrol.",
        "- Each unit you lose: 3 points for the other side.",
        "- Ahead by 1 or more: a narrow victory, 6 or more: a clear victory.",
    ]


@pytest.mark.parametrize("name", packaged_scenarios())
def test_2_0_every_scenario_says_what_counts_and_nothing_of_the_other_sides_units(name: str) -> None:
    scenario = packaged_scenario(name)
    for side in scenario.sides:
        told = str(briefing(scenario, side.id))
        assert "points" in told and f"{scenario.turns} turns." in told
        counted = told.split("turns.")[1]
        assert not [unit.name for unit in scenario.units if unit.side != side.id and unit.name in counted]
