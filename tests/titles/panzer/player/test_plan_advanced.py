"""4.2.1 Plans of the advanced game are plain data in one standard form, about units that exist."""

from __future__ import annotations

from typing import Any

import pytest
from titles.panzer.player.test_orders_advanced import a_field, read

from pbem.engine.rules.refusals import Illegal, Unreadable
from pbem.titles.panzer.decisions.base import check_plan
from pbem.titles.panzer.player.plan import AdvancedPlan, plain, read_plan


def test_4_2_1_a_plan_has_one_form() -> None:
    said = read("g1 fire s1\ng2 move E4 stop when hit\ng3 pivot 4\nsecond").plan
    assert plain(read_plan(said)) == said
    assert check_plan(a_field()[1], "german", said) == said
    assert plain(AdvancedPlan()) == {}


@pytest.mark.parametrize(
    "plan",
    [
        {"fire": {"s1": {"aims": [{"targets": ["s2"]}]}}},
        {"fire": {"g1": {"aims": [{"targets": ["g2"]}]}}},
        {"move": {"g99": {}}},
        {"assault": {"g3": {"target": "g1"}}},
        {"adjust": {"pivot": {"s2": 3}}},
        {"missions": [{"do": "call", "observer": "s2", "point": "C3"}]},
    ],
)
def test_3_1_a_plan_names_own_units_and_enemies_in_their_places(plan: dict[str, Any]) -> None:
    with pytest.raises(Illegal):
        check_plan(a_field()[1], "german", plan)


@pytest.mark.parametrize("plan", [[], {"wait": {}}, {"fire": 3}, {"move": {"g1": {"mode": "x"}}}, {"flights": [{}]}])
def test_4_2_1_what_is_no_plan_is_refused_with_its_place(plan: Any) -> None:
    with pytest.raises(Unreadable) as refused:
        check_plan(a_field()[1], "german", plan)
    assert "move" in refused.value.instead
