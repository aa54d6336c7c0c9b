"""1.1 Boards: the packaged ones, how they fit together, and which are refused."""

from __future__ import annotations

from itertools import product
from random import Random

import msgspec
import pytest
from support.rules import assert_rule
from titles.aslsk.builders import board_ground
from titles.aslsk.ground.building import JULY, a_ground, board_text
from titles.aslsk.ground.referee import Referee

from pbem.titles.aslsk.cards.files import packaged
from pbem.titles.aslsk.cards.scenario_files import packaged_boards
from pbem.titles.aslsk.ground import shapes
from pbem.titles.aslsk.ground.board import read_board
from pbem.titles.aslsk.ground.explained_sight import sight
from pbem.titles.aslsk.ground.joining import Placed, join_boards, joined_hex, misfits
from pbem.titles.aslsk.ground.lattice import from_offset, name, parse
from pbem.titles.aslsk.ground.terrain import EDGES, Ground
from pbem.titles.data_files import DataError

BOARDS = {id: read_board(packaged(f"boards/{id}.toml"), id) for id in packaged_boards()}
TURNS = (False, True)


def test_1_1_there_are_four_boards_of_33_columns_and_10_rows():
    assert len(BOARDS) == 4
    for board in BOARDS.values():
        assert (board.columns, board.rows, len(board.hexes)) == (33, 10, 346)
        halves = {name(hex) for hex, found in board.hexes.items() if found.half}
        assert {"A1", "GG10", "B0", "B10", "FF0"} <= halves and not {"B1", "C1", "Q10", "FF9"} & halves


@pytest.mark.parametrize(("first", "second"), product(BOARDS, repeat=2))
def test_1_1_any_two_boards_fit_along_every_edge_in_every_turn(first, second):
    """Boards are joined side by side and one below the other, each rotated or not, in both orders."""
    other = msgspec.structs.replace(BOARDS[second], id="other")
    for turned, other_turned, (across, down) in product(TURNS, TURNS, ((1, 0), (0, 1))):
        assert misfits([Placed(BOARDS[first], 0, 0, turned), Placed(other, across, down, other_turned)]) == []


def test_1_1_four_boards_make_one_grid_without_gaps():
    layout = [Placed(board, at % 2, at // 2, bool(at % 3)) for at, board in enumerate(BOARDS.values())]
    joined = join_boards(layout)
    ground = Ground("all", joined, JULY)

    assert misfits(layout) == []
    assert len(ground) == 4 * 346 - 2 * 10 - 2 * 16
    inner = [hex for hex in ground.hexes if not ground.edges(hex)]
    assert all(len(ground.neighbours(hex)) == 6 for hex in inner)


@pytest.mark.parametrize("id", BOARDS)
def test_1_1_art_is_simple_and_stays_in_its_hex(id):
    for found in BOARDS[id].hexes.values():
        for polygons in found.art.values():
            assert all(shapes.is_simple(polygon) for polygon in polygons)
            assert all(shapes.contains(shapes.HEXAGON, point) for polygon in polygons for point in polygon)


@pytest.mark.parametrize("id", BOARDS)
def test_1_1_a_turned_board_sees_what_it_saw(id):
    board = BOARDS[id]
    upright, turned = Placed(board), Placed(board, turned=True)
    one, two = (Ground(id, join_boards([placed]), JULY) for placed in (upright, turned))
    random = Random(id)
    hexes = list(one.hexes)

    for _ in range(150):
        a, b = random.choice(hexes), random.choice(hexes)
        assert one.sees(a, b) == two.sees(a, b) and one.hindrance(a, b) == two.hindrance(a, b)
        assert joined_hex(turned, parse(a)) == two[a].hex


@pytest.mark.parametrize("id", BOARDS)
def test_3_2_1_our_boards_agree_with_the_referee(id):
    ground = board_ground(id)
    referee, random, hexes = Referee(ground), Random(id), list(ground.hexes)

    for _ in range(40):
        a, b = random.choice(hexes), random.choice(hexes)
        found = sight(ground, a, b)
        assert (found.clear, found.hindrance) == referee.answer(a, b), (a, b)


def test_3_2_1_lines_across_a_seam_agree_with_the_referee():
    layout = [Placed(BOARDS["b"]), Placed(BOARDS["d"], down=1, turned=True), Placed(BOARDS["a"], across=1)]
    ground = Ground("three", join_boards(layout), JULY)
    referee, random = Referee(ground), Random(5)
    near = [hex for hex in ground.hexes if any(name in hex for name in ("9", "10", "EE", "FF", "GG", "A"))]

    for _ in range(60):
        a = random.choice(near)
        b = random.choice(ground.within(a, 7))
        found = sight(ground, a, b)
        assert (found.clear, found.hindrance) == referee.answer(a, b), (a, b)


def test_1_3_a_joined_half_hex_has_two_names_and_counts_for_no_board():
    ground = Ground("two", join_boards([Placed(BOARDS["a"]), Placed(BOARDS["c"], down=1)]), JULY)

    assert ground.find("aB10") == ground.find("CB0") == "aB10"
    assert ground["aB10"].names == ("aB10", "cB0")
    assert ground.boards("aB10") == () and ground.boards("aB9") == ("a",) and ground.boards("cC1") == ("c",)
    assert ground.adjacent("aQ10", "cQ1") and ground.road_kind("aQ10", "cQ1") == "paved"
    assert "aB10" not in ground.board_hexes("c")


def test_1_1_edges_of_the_map_are_where_it_can_be_left():
    ground = board_ground("a")

    assert ground.edges("A1") == ("north", "west") and ground.edges("Q5") == ()
    assert set(ground.edge_hexes("east")) == {f"GG{row}" for row in range(1, 11)}
    assert {"B0", "C1", "Q1"} <= set(ground.edge_hexes("north"))
    assert all(ground.edge_hexes(edge) for edge in EDGES)


def test_1_1_1_costs_double_uphill_and_follow_the_road():
    ground = a_ground({"woods": "E5", "stone": "E7"}, ["E5", "E6"], ["E4-E5-E6"])

    assert ground.infantry_cost("E4", "E5") == 8 and ground.infantry_cost("E4", "E5", road=True) == 4
    assert ground.infantry_cost("E6", "E7") == 4 and ground.infantry_cost("E5", "E6") == 2
    assert ground.vehicle_cost("E4", "E5", tracked=True, exposed=True).halves == 1 + 4
    off_road = ground.vehicle_cost("D5", "E5", tracked=True, exposed=True)
    assert (off_road.share, off_road.bog, off_road.halves) == ("half or all", True, 8)
    assert ground.vehicle_cost("E6", "E7", tracked=False, exposed=False).prohibited
    assert (ground.tem("E7"), ground.tem("E5"), ground.tem("E6")) == (3, 1, 0)


@pytest.mark.rule("1.1.1.8", effect=True)
def test_1_1_1_8_grain_is_open_ground_out_of_season():
    summer, winter = a_ground({"grain": "E5"}), a_ground({"grain": "E5"}, month=12)

    assert (summer.infantry_cost("E4", "E5"), winter.infantry_cost("E4", "E5")) == (3, 2)
    assert not summer.is_open("E5") and winter.is_open("E5") and winter["E5"].printed == "grain"


MISTAKES = {
    "a sign that does not exist": (
        {"woods": "E5"},
        {},
        "",
        lambda text: text.replace("w", "x"),
        "not a terrain sign",
    ),
    "a road through a building": ({"stone": "E5"}, {"roads": ["E4-E5"]}, "", None, "cannot have a road"),
    "a road off the board": ({}, {"roads": ["E4-ZZ9"]}, "", None, "not on the board"),
    "a word inside a chain": ({}, {"roads": ["E4-N-E5"]}, "", None, "can only begin or end"),
    "a building of open ground": ({}, {"buildings": {"mill": ["E5-E6"]}}, "", None, "not a building hex"),
    "a polygon that crosses itself": (
        {"woods": "E5"},
        {},
        '[[art]]\nhexes = ["E5"]\nkind = "woods"\npoints = [[0, 0], [40, 0], [0, 40], [40, 40]]',
        None,
        "must not cross",
    ),
    "art of other terrain": (
        {"woods": "E5"},
        {},
        '[[art]]\nhexes = ["E5"]\nkind = "grain"\npoints = [[0, 0], [40, 0], [0, 40]]',
        None,
        "its terrain is woods",
    ),
    "an outline around the wrong hexes": (
        {},
        {"hills": ["E5"]},
        '[[outline]]\nkind = "hill"\npoints = [[0, 0], [40, 0], [0, 40]]',
        None,
        "outside the outlines",
    ),
    "a key without meaning": ({}, {}, "", lambda text: f"colour = 1\n{text}", "no meaning"),
    "broken syntax": ({}, {}, "", lambda text: f"= 1\n{text}", "syntax"),
}


@pytest.mark.rule("1.1/map-data")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_1_1_map_data_mistakes_are_explained(mistake):
    terrain, given, more, spoil, said = MISTAKES[mistake]
    text = board_text(terrain, more=more, **given)

    with pytest.raises(DataError) as caught:
        read_board(spoil(text) if spoil else text)

    assert said in str(caught.value)
    assert_rule(caught.value, "1.1/map-data")


@pytest.mark.rule("3.2.1")
def test_3_2_1_a_level_above_1_is_refused():
    text = board_text({}, ["E5"]).replace("1...", "2...")

    with pytest.raises(DataError, match="level '2' does not exist") as caught:
        read_board(text)

    assert_rule(caught.value, "3.2.1")


def test_1_1_map_data_a_slip_in_a_hex_name_gets_a_suggestion():
    with pytest.raises(DataError, match=r"hex U5 is not on the board. Did you mean U?"):
        read_board(board_text({}, roads=["T5-U5"], columns=20))


def test_1_1_default_shapes_are_whole_numbers_inside_the_hex():
    for polygon in (*shapes.building((0, 1, 2, 3, 4, 5)), *shapes.road((0, 1, 2, 3, 4, 5))):
        assert all(isinstance(part, int) for point in polygon for part in point)
        assert all(shapes.contains(shapes.HEXAGON, point) for point in polygon)
    assert shapes.is_simple(shapes.HEXAGON) and not shapes.is_simple(((0, 0), (1, 1), (2, 2)))
    assert from_offset(1, 0) == (0, 0)


@pytest.mark.rule("1.1/lattice", "1.1/hex-geometry")
def test_1_1_a_chain_is_made_of_hexes_that_touch():
    with pytest.raises(DataError) as caught:
        read_board(board_text({}, roads=["E4-E6", "E4-5E"]))

    assert_rule(caught.value, "1.1/hex-geometry", why="roads, dirt: E4 and E6 are not neighbours.")
    assert_rule(caught.value, "1.1/lattice")


@pytest.mark.rule("3.2.4/arc-arithmetic")
def test_3_2_4_a_target_outside_the_covered_arc_is_refused_with_the_facing_that_it_needs():
    ground = a_ground()

    assert_rule(
        ground.arc_objections("M3", 5, "J5"),
        "3.2.4/arc-arithmetic",
        why="J5 is outside the covered arc of a counter in M3 that faces south-east: it must face south-west",
    )
    assert ground.arc_objections("M3", 4, "J5") == []
