"""1.1.1.6, 1.1.1.10, 3.2.1 The rulebook's worked examples of terrain and line of sight.

Where an example depends on a picture of a board, the test lays the terrain that its text describes.
"""

from __future__ import annotations

from titles.aslsk.ground.building import DECEMBER, JULY, a_ground

from pbem.titles.aslsk.ground.explained_sight import sight

HALF_MF = 2


def test_1_1_1_6_orchard_1a_an_orchard_in_leaf_blocks_between_levels():
    """L187-L195: the German on the hill does not see the British behind the orchard."""
    assert not sight(a_ground({"orchard": "S3"}, ["S2"], month=JULY), "S2", "S4").clear


def test_1_1_1_6_orchard_1b_a_bare_orchard_hinders_between_levels():
    """L187-L195: out of season the orchard only hinders the same line, with +1."""
    found = sight(a_ground({"orchard": "S3"}, ["S2"], month=DECEMBER), "S2", "S4")
    assert (found.clear, found.hindrance) == (True, 1)


def test_1_1_1_10_hill_1_grain_below_does_not_hinder_fire_at_the_hill():
    """L278-L286: the line runs from E9 to the 6-6-6 in I7, across grain in F8."""
    found = sight(a_ground({"grain": "F8"}, ["I7", "I6", "G7"]), "E9", "I7")
    assert (found.clear, found.hindrance) == (True, 0)


def test_1_1_1_10_hill_2_and_6_climbing_doubles_the_cost():
    """L285-L295: H7 to I7 costs 2 MF, but moving into the building in G7 costs 4."""
    ground = a_ground({"stone": "G7"}, ["I7", "I6", "G7"])

    assert ground.infantry_cost("H7", "I7") == 2 * HALF_MF
    assert ground.infantry_cost("H7", "G7") == 4 * HALF_MF


def test_3_2_1_hill_4_a_unit_behind_the_crest_is_out_of_sight_both_ways():
    """L290-L291: the line between E9 and I6 is blocked by the crest in both directions."""
    ground = a_ground(hills=["I7", "I6", "G7"])
    assert not sight(ground, "E9", "I6").clear and not sight(ground, "I6", "E9").clear


def test_3_2_1_hill_5_along_the_crest_it_comes_into_sight_for_1_mf():
    """L291-L293: moving from I6 to I7 costs 1 MF and brings the unit into sight."""
    ground = a_ground(hills=["I7", "I6", "G7"])

    assert ground.infantry_cost("I6", "I7") == HALF_MF and not ground.uphill("I6", "I7")
    assert sight(ground, "E9", "I7").clear


def test_3_2_1_los_1a_a_line_over_the_road_does_not_cross_the_woods():
    """L1119-L1123: the line from I2 to F3 follows a woods-road."""
    found = sight(a_ground({"woods": "H2 G3"}, roads=["I2-H2-G3-F3"]), "I2", "F3")
    assert (found.clear, found.hindrance) == (True, 0)


def test_3_2_1_los_1b_an_orchard_on_the_line_hinders():
    """L1119-L1123: the line from I2 to J5 passes the building in J3 and is hindered by an orchard."""
    found = sight(a_ground({"stone": "J3", "orchard": "J4"}), "I2", "J5")
    assert (found.clear, found.hindrance) == (True, 1)


def test_3_2_1_los_1c_a_building_on_the_line_blocks():
    """L1119-L1123: the line from I2 over J3 crosses a building."""
    found = sight(a_ground({"stone": "J3", "orchard": "J4"}), "I2", "K5")
    assert [obstacle.hexes for obstacle in found.obstacles] == [("J3",)]


def test_3_2_1_two_units_on_the_hill_look_over_an_orchard_below_but_not_over_smoke():
    """L1645: on the line from E3 to G5 the orchard below does not hinder, but Smoke does."""
    ground = a_ground({"orchard": "E4 D4"}, ["E3", "G5"])

    assert sight(ground, "E3", "G5").hindrance == 0
    assert sight(ground, "E3", "G5", smoke={"F4": 2}).hindrance == 2
