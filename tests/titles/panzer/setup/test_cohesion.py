"""7.1.1 A scenario may print the level of cohesion, the points, or both."""

from __future__ import annotations

from titles.panzer.setup.test_scenario_advanced import desert, load


def test_7_1_1_a_scenario_may_print_level_and_points_together():
    both = desert().replace('name = "Tank troops"', 'name = "Tank troops"\nlevel = "Good"\ncohesion = 9')
    row = next(row for row in load(both).formations.values() if row.name == "Tank troops")
    assert (row.level, row.cohesion) == ("Good", 9)
