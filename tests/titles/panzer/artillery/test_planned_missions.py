"""7.28.2 A planned mission is the same mission in each of its turns."""

from __future__ import annotations

import pytest
from titles.panzer.advanced.builders import a_tank, an_advanced_table
from titles.panzer.artillery.test_observers import a_battery
from titles.panzer.builders import a_hex, run_step

from pbem.titles.panzer.artillery.indirect_fire import indirect_fire_step
from pbem.titles.panzer.state import Leg, PlannedFire


@pytest.mark.parametrize("shift", [False, True])
def test_7_28_2_planned_fire_counts_its_turns_as_one_mission(shift):
    points = ["C9", "C10", "C11"] if shift else ["C9", "C9", "C9"]
    legs = tuple(Leg(a_hex(point), "gp", "closed") for point in points)
    plan = PlannedFire(id="p1", side="german", battery="gb1", turn=1, legs=legs)
    table = an_advanced_table(
        a_tank("g1", "A1"), a_tank("s1", "T20", "t34_76"), dice=[50] * 40, turn=1, planned={"p1": plan},
        batteries={"gb1": a_battery()}, sides=("german", "soviet"),
    )  # fmt: skip
    counted = []
    for turn in (1, 2, 3):
        table.state.turn = turn
        said = {"do": "arrive", "plan": "p1"} if turn == 1 else None
        run_step(table, indirect_fire_step(table, "german"), {"mission": [said, None]})
        counted.append(table.state.batteries["gb1"].same_mission)
    assert counted == [1, 2, 3]
