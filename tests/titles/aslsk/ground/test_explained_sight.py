"""3.2.1 Line of sight: values given in the rule, a second implementation, symmetry, and explanations."""

from __future__ import annotations

from random import Random

import pytest
from support.rules import assert_rule
from titles.aslsk.ground.building import DECEMBER, JULY, a_ground, a_random_board, ground_of
from titles.aslsk.ground.referee import Referee

from pbem.titles.aslsk.ground.board import read_board
from pbem.titles.aslsk.ground.explained_sight import finding, objections, sight, words
from pbem.titles.aslsk.ground.lattice import Axial, name, parse
from pbem.titles.aslsk.ground.trace import trace

HILLS = ["E3", "G5"]
ORCHARDS = {"orchard": "D4 E4"}
ROAD = ["NW-D4-SE"]
WOODS_ROAD = ["NW-D3-SE", "NW-E4-SE", "NW-F4-SE"]
BLOCKED = "blocked"


def seen(ground, a, b, **more):
    found, back = sight(ground, a, b, **more), sight(ground, b, a, **more)
    assert found.clear == back.clear
    if not more:
        assert found.hindrance == back.hindrance
    return found.hindrance if found.clear else BLOCKED


def test_3_2_1_check_values_with_orchards_below_two_hills():
    summer, winter = a_ground(ORCHARDS, HILLS, ROAD), a_ground(ORCHARDS, HILLS, ROAD, month=DECEMBER)

    assert [seen(summer, "E3", target) for target in ("C6", "C5", "D4", "E5", "F4")] == [BLOCKED] * 5
    assert seen(summer, "E3", "G5") == 0
    assert seen(winter, "E3", "C6") == 2
    assert seen(summer, "E3", "G5", smoke={"F4": 2}) == 2


def test_3_2_1_check_values_with_hindrances_along_a_hexside():
    assert seen(a_ground({"orchard": "O5"}), "N5", "P5") == 1
    assert seen(a_ground({"orchard": "O5 O6"}), "N5", "P5") == 1
    assert seen(a_ground({"grain": "O5"}), "N5", "P5") == 0
    assert seen(a_ground({"grain": "O5 O6"}), "N5", "P5") == 1
    assert seen(a_ground({"grain": "O5", "brush": "O6"}), "N5", "P5") == 1
    assert seen(a_ground({"grain": "O5 O6"}, month=DECEMBER), "N5", "P5") == 0


def test_3_2_1_check_values_with_obstacles_along_a_hexside():
    assert seen(a_ground({"woods": "O5"}), "N5", "P5") == 0
    assert seen(a_ground({"woods": "O5 O6"}), "N5", "P5") == BLOCKED
    assert seen(a_ground({"stone": "O5 O6"}), "N5", "P5") == 0
    assert seen(a_ground({"stone": "O5 O6"}, buildings={"mill": ["O5-O6"]}), "N5", "P5") == BLOCKED


def test_3_2_1_check_values_with_a_hill_beyond_grain():
    """L284-L293: the 3-3-7 in I6 is out of sight behind the crest, but the 6-6-6 in I7 is not."""
    ground = a_ground({"grain": "F8"}, ["I7", "I6", "G7"])

    assert seen(ground, "E9", "I7") == 0
    assert seen(ground, "E9", "I6") == BLOCKED


def test_3_2_1_check_values_with_a_building_that_the_line_passes():
    """L1123: the line to J5 misses the building and is hindered by the orchard."""
    assert seen(a_ground({"stone": "J3", "orchard": "J4"}), "I2", "J5") == 1


@pytest.mark.rule("1.1.1.6", effect=True)
def test_3_2_1_check_values_along_roads_through_woods_and_orchards():
    woods, orchards = {"woods": "D3 E4 F4"}, {"orchard": "D3 E4 F4"}

    assert seen(a_ground(woods, roads=WOODS_ROAD), "C3", "G5") == 0
    assert seen(a_ground(woods, roads=WOODS_ROAD), "C3", "G6") == BLOCKED
    assert seen(a_ground(orchards, roads=WOODS_ROAD), "C3", "G5") == 0
    bent = ["NW-D3-SE", "NW-E4-S", "NW-F4-SE"]
    assert seen(a_ground(orchards, roads=bent), "C3", "G5") == 1


def test_3_2_1_check_values_across_woods_between_two_hills():
    ground = a_ground({"woods": "E4"}, ["E3", "E6"])

    assert seen(ground, "E3", "E6") == 0
    assert seen(ground, "E3", "E5") == BLOCKED and sight(ground, "E3", "E5").obstacles[0].kind == "woods"
    assert seen(ground, "E5", "E7") == BLOCKED and sight(ground, "E5", "E7").obstacles[0].kind == "hill"


@pytest.mark.rule("3.2.1/trace", effect=True)
@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("E3", "C6", {"D3": "edge", "E4": "edge", "D4": "crossed", "C5": "edge", "D5": "edge"}),
        ("E9", "I6", dict.fromkeys(("F8", "G8", "G7", "H6"), "crossed") | {"F7": "vertex", "H7": "vertex"}),
    ],
)
def test_3_2_1_trace_finds_the_hexes_of_the_check_values(a, b, expected):
    (q, z), (to_q, to_z) = parse(a), parse(b)

    met = trace(to_q - q, to_z - z).met

    assert {name(Axial(item.hex.q + q, item.hex.z + z)): item.manner for item in met} == expected


@pytest.mark.parametrize("seed", range(4))
def test_3_2_1_a_whole_board_agrees_with_the_referee(seed):
    """Every pair of hexes is checked in both directions, with concave art and art that reaches beyond its hex."""
    ground = ground_of(read_board(a_random_board(seed, 7, 4)), JULY if seed % 2 else DECEMBER)
    referee = Referee(ground)
    hexes = list(ground.hexes)

    for a in hexes:
        for b in hexes:
            found = sight(ground, a, b)
            assert (found.clear, found.hindrance) == referee.answer(a, b), (a, b)


@pytest.mark.parametrize("seed", range(100, 108))
def test_3_2_1_long_lines_with_smoke_and_vehicles_agree_with_the_referee(seed):
    random = Random(seed)
    ground = ground_of(read_board(a_random_board(seed, 25, 10)), random.choice((JULY, DECEMBER)))
    referee = Referee(ground)
    hexes = list(ground.hexes)
    smoke = {hex: random.choice((1, 2, 3)) for hex in hexes if random.random() < 0.2}
    vehicles = [hex for hex in hexes if random.random() < 0.2]

    for _ in range(20):
        a, b = random.choice(hexes), random.choice(hexes)
        found = sight(ground, a, b, smoke, vehicles)
        assert (found.clear, found.hindrance) == referee.answer(a, b, smoke, vehicles), (a, b)


@pytest.mark.parametrize("seed", range(20, 24))
def test_3_2_1_all_pairs_found_at_once_equal_single_answers(seed):
    board = read_board(a_random_board(seed, 13, 7))
    at_once, single = ground_of(board), ground_of(board)
    at_once.sights.find_all()
    hexes = list(single.hexes)

    for a in hexes:
        for b in reversed(hexes):
            assert at_once.sees(a, b) == single.sees(a, b) == single.sees(b, a)
            assert at_once.hindrance(a, b) == single.hindrance(a, b) == single.hindrance(b, a)
            explained = single.sight(a, b)
            assert (explained.clear, explained.terrain) == (single.sees(a, b), single.hindrance(a, b))
            assert bool(explained.obstacles) != explained.clear


def test_3_2_1_the_explanation_names_hex_obstacle_and_rule():
    ground = a_ground({"woods": "E4", "stone": "E6", "grain": "K5"}, ["R3"])

    assert words(sight(ground, "E3", "E9")) == (
        "E3 to E9: blocked by woods in E4 (1.1.1.4); a building in E6 (1.1.1.2)"
    )
    assert words(sight(ground, "K4", "K7", smoke={"K6": 2})) == (
        "K4 to K7: clear, hindrance +3 (grain in K5 +1, smoke in K6 +2)"
    )
    assert words(sight(ground, "R2", "R5")) == "R2 to R5: blocked by the hill at R3 (1.1.1.10)"
    assert words(sight(ground, "A1", "A2")) == "A1 to A2: clear"


def test_3_2_1_the_thread_says_where_it_is_blocked():
    thread = sight(a_ground({"woods": "E5"}), "E3", "E8").thread

    assert (thread.start, thread.end) == ((480, 120), (480, 720))
    assert thread.hexes == ("E4", "E5", "E6", "E7")
    assert thread.stop == 300  # three half hexes of five whole ones


def test_1_2_5_smoke_hinders_through_into_and_out_of_its_hex():
    ground = a_ground()

    assert sight(ground, "E3", "E6", smoke={"E4": 2}).hindrance == 2
    assert sight(ground, "E3", "E6", smoke={"E6": 3}).hindrance == 3
    assert sight(ground, "E3", "E6", smoke={"E3": 3}).hindrance == 4
    assert sight(ground, "E3", "E6", smoke={"E3": 1, "E4": 2, "E6": 3}).hindrance == 7
    assert sight(ground, "E3", "E3", smoke={"E3": 2}).hindrance == 2
    assert sight(ground, "N5", "P5", smoke={"O5": 1, "O6": 2}).hindrance == 2


def test_1_2_5_smoke_at_a_vertex_hinders():
    assert sight(a_ground(), "E9", "I6", smoke={"F7": 2}).hindrance == 2


def test_7_4_1_a_standing_vehicle_hinders_once_unless_it_is_only_touched_or_unseen():
    ground = a_ground({"stone": "E5", "grain": "K5"})

    assert sight(ground, "C3", "C6", vehicles=["C4"]).hindrance == 1
    assert sight(ground, "C3", "C6", vehicles=["C3", "C6"]).hindrance == 0
    assert sight(ground, "E9", "I6", vehicles=["F7"]).hindrance == 0
    assert sight(ground, "N5", "P5", vehicles=["O5", "O6"]).hindrance == 1
    assert sight(ground, "K4", "K6", vehicles=["K5"]).hindrance == 2
    assert [part.kind for part in sight(ground, "K4", "K6", vehicles=["K5"]).hindrances] == ["grain", "vehicle"]


def test_3_2_1_road_cover_is_a_matter_of_the_line_inside_one_hex():
    ground = a_ground({"woods": "D3 E4 F4"}, roads=WOODS_ROAD)

    assert ground.road_cover("C3", "E4") and ground.road_cover("D3", "E4")
    assert not ground.road_cover("E3", "E4")
    assert ground.sights.road_cover("C3", "G5", "E4")
    assert not ground.sights.road_cover("C3", "G6", "E4")


def the_finding(ground, a, b, **more):
    return finding(sight(ground, a, b, **more))


@pytest.mark.rule("3.2.1/algorithm", "3.2.1/trace", "3.2.1/depiction-test", "1.1.1.4")
def test_3_2_1_a_blocked_line_becomes_a_finding_with_its_obstacles():
    found = the_finding(a_ground({"woods": "O5 O6"}), "N5", "P5")

    assert_rule(found, "3.2.1/algorithm", inputs={"from": "N5", "to": "P5"}, result="blocked")
    assert_rule(found, "3.2.1/trace", result=("O5", "O6"))
    assert_rule(found, "3.2.1/depiction-test", result="blocked")
    assert_rule(found, "1.1.1.4", inputs={"hexes": ("O5", "O6"), "kind": "woods"}, result="blocked")


@pytest.mark.rule("1.1.1.2")
def test_1_1_1_2_a_building_blocks_where_it_is_drawn():
    ground = a_ground({"wooden": "E5"})

    assert_rule(the_finding(ground, "E3", "E7"), "1.1.1.2", inputs={"hexes": ("E5",)}, result="blocked")
    assert_rule(
        objections(sight(ground, "E3", "E7")), "1.1.1.2", why="a building in E5 blocks the line of sight to E7"
    )
    assert objections(sight(ground, "E3", "E5")) == []


@pytest.mark.rule("def/center-hex-dot", effect=True)
@pytest.mark.rule("1.1.1.6")
def test_1_1_1_6_an_orchard_hinders_on_its_level_and_blocks_between_levels_while_in_leaf():
    flat, below = a_ground({"orchard": "E5"}), a_ground({"orchard": "E5"}, ["E4"])

    assert_rule(the_finding(flat, "E3", "E7"), "1.1.1.6", inputs={"hexes": ("E5",)}, result=1)
    assert_rule(the_finding(below, "E4", "E7"), "1.1.1.6", inputs={"hexes": ("E5",)}, result="blocked")
    bare = a_ground({"orchard": "E5"}, ["E4"], month=DECEMBER)
    assert_rule(the_finding(bare, "E4", "E7"), "1.1.1.6", result=1)


@pytest.mark.rule("1.1.1.6", effect=True)
@pytest.mark.rule("1.1.1.7", "3.2.1/road-cover")
def test_1_1_1_7_a_line_that_stays_on_the_road_is_not_hindered_by_the_orchard():
    straight, bent = ["NW-D3-SE", "NW-E4-SE", "NW-F4-SE"], ["NW-D3-SE", "NW-E4-S", "NW-F4-SE"]
    orchards = {"orchard": "D3 E4 F4"}

    kept = the_finding(a_ground(orchards, roads=straight), "C3", "G5")
    assert_rule(kept, "3.2.1/road-cover", inputs={"hexes": ("D3", "E4", "F4")}, result="on the road")
    assert_rule(kept, "1.1.1.7", result=0)
    left = the_finding(a_ground(orchards, roads=bent), "C3", "G5")
    assert_rule(left, "3.2.1/road-cover", inputs={"hexes": ("D3", "F4")})
    assert_rule(left, "1.1.1.6", inputs={"hexes": ("E4",)}, result=1)


@pytest.mark.rule("1.1.1.8", "1.1.1.9")
def test_1_1_1_8_grain_and_brush_hinder_on_their_level_only():
    ground = a_ground({"grain": "E5", "brush": "E6"}, ["C3"])

    found = the_finding(ground, "E4", "E8")
    assert_rule(found, "1.1.1.8", inputs={"hexes": ("E5",)}, result=1)
    assert_rule(found, "1.1.1.9", inputs={"hexes": ("E6",)}, result=1)
    assert sight(ground, "C3", "E6").hindrance == 0


@pytest.mark.rule("1.1.1.10", "3.2.1")
def test_1_1_1_10_a_hill_blocks_what_is_not_on_it_and_a_second_crest_what_is():
    ground = a_ground(hills=["E5", "E6"])

    assert_rule(the_finding(ground, "E4", "E8"), "1.1.1.10", inputs={"kind": "hill"}, result="blocked")
    assert_rule(the_finding(ground, "E5", "E8"), "3.2.1", inputs={"hexes": ("E6",)}, result="blocked")
    assert sight(ground, "E6", "E8").clear and sight(ground, "E5", "E6").clear


@pytest.mark.rule("3.2.1/algorithm", effect=True)
@pytest.mark.rule("1.2.5", "7.4.1")
def test_1_2_5_smoke_and_vehicles_are_named_with_their_values():
    found = the_finding(a_ground(), "E3", "E7", smoke={"E3": 2, "E5": 3}, vehicles=["E6"])

    assert_rule(found, "1.2.5", inputs={"hexes": ("E3",), "kind": "own smoke"}, result=3)
    assert_rule(found, "1.2.5", inputs={"hexes": ("E5",), "kind": "smoke"}, result=3)
    assert_rule(found, "7.4.1", inputs={"hexes": ("E6",)}, result=1)
