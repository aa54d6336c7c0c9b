"""Every title counts scores: whole numbers for each side, from the first step on."""

from __future__ import annotations

import pytest

from pbem.titles.registry import TITLES


@pytest.mark.parametrize("title", sorted(TITLES))
def test_a_title_scores_every_side_of_a_scenario(title: str) -> None:
    game = TITLES[title]
    rules = game.rules(game.freeze(game.scenarios[0], {}))
    found = rules.score(rules.setup(tuple(game.switches)))

    assert set(found) == set(rules.sides.values())
    assert all(type(points) is int for points in found.values())
