"""The queries that `pbem bench` measures work for every playable scenario, and can be repeated."""

from __future__ import annotations

import pytest

from pbem.titles.nato.title import Nato


@pytest.mark.parametrize("scenario", ["leine", "theatre"])
def test_every_probe_answers_the_same_twice(scenario: str) -> None:
    rules = Nato().rules(Nato().freeze(scenario, {}))
    asked = rules.probes()

    assert {"supply_of_both_sides", "tactical_order", "march_order"} <= set(asked)
    assert asked["tactical_order"]() == [] == asked["tactical_order"]()
    for question in asked.values():
        question()
