"""1.2 The map: its text format, its accessors and its error messages."""

import pytest
from support.rules import assert_rule

from pbem.engine.geometry.hexes import (
    Hex,
    distance,
    hex_name,
    hexside,
    neighbour,
    neighbours,
    parse_hex,
    side_between,
)
from pbem.titles.data_files import DataError
from pbem.titles.panzer.cards.board import EDGES, Board, expand_hexes, read_board, sides_of_chain
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.cards.files import packaged, packaged_names

MAP = """
name = "Test"
hill_edges = "slope"
terrain = '''
 0  ._._._
 1  ..l...
 2  .,u.b.
 3  .u=u..
 4  ......
'''
levels = '''
 0  ._._._
 1  ..1...
 2  ......
 3  ......
 4  ....13
'''

[legend]
"=" = ["gully", "bridge"]

[storeys]
E2 = 2

[places]
"The mill" = ["E2", "E3"]

[hexsides]
wall = ["A1:2"]
crest = ["C1:3", "A2:2"]

[links]
road = ["off1-C0-C1-C2-C3-C4-off4"]
path = ["A3-B4-C3"]
"""


def at(name: str) -> Hex:
    return parse_hex(name)


@pytest.fixture
def board() -> Board:
    return read_board(MAP, "test.toml")


def refused(text: str) -> DataError:
    with pytest.raises(DataError) as caught:
        read_board(text, "test.toml")
    return caught.value


def mistakes(text: str) -> str:
    return str(refused(text))


# --- contents of a board -------------------------------------------------------------------------------------


@pytest.mark.rule("1.2", effect=True)
def test_1_2_hexes_in_fixed_order_with_playable_half_hexes_at_the_edge(board):
    """L231: row 0 exists in those columns that lie half a hex lower."""
    assert board.hexes == tuple(sorted(board.hexes)) and len(board.hexes) == 27
    assert board.is_on_map(at("C0")) and not board.is_on_map(at("B0"))
    assert not board.is_on_map(at("G1"))


@pytest.mark.rule("1.2", effect=True)
def test_1_2_a_hex_is_named_by_column_and_row():
    """L231: a hex is named E9, or C0 for a half hex; the board's number (29E9) is left out, as a map is one board."""
    assert [hex_name(at(name)) for name in ("E9", "C0", "AA1")] == ["E9", "C0", "AA1"]
    with pytest.raises(ValueError, match="29E9"):
        at("29E9")


@pytest.mark.rule("1.2", effect=True)
def test_1_2_the_same_bytes_give_an_equal_board(board):
    again = read_board(MAP.encode(), "elsewhere.toml")
    assert again == board and hash(again) == hash(board) and again.digest == board.digest
    assert read_board(MAP.replace(".,u.b.", ".;u.b.")) != board


@pytest.mark.rule("1.2", effect=True)
def test_1_2_terrain_and_places(board):
    assert board.terrain(at("C1")) == ("light_grove",)
    assert board.terrain(at("C3")) == ("gully", "bridge")
    assert board.places["The mill"] == (at("E2"), at("E3"))
    assert board.place_of(at("E3")) == "The mill" and board.place_of(at("A1")) == ""


def test_4_1_4_1_6_gully_is_one_below_its_surroundings_and_a_bridge_is_not(board):
    """L630, L632: a gully hex is one level lower than its surroundings; a bridge over it is not."""
    assert (board.level(at("B3")), board.ground(at("B3")), board.is_sunken(at("B3"))) == (0, -1, True)
    assert (board.ground(at("C3")), board.is_sunken(at("C3")), board.is_bridge(at("C3"))) == (0, False, True)
    assert board.along_gully(at("B3")) and board.along_gully(at("C3")) and not board.along_gully(at("C4"))
    assert board.ground(at("C1")) == 1


@pytest.mark.rule("4.1.4.1.3", effect=True)
def test_4_1_4_1_3_storeys(board):
    assert board.storeys(at("E2")) == 2 and board.storeys(at("A1")) == 1
    taller = board.with_storeys({at("E2"): 3})
    assert taller.storeys(at("E2")) == 3 and board.storeys(at("E2")) == 2
    assert taller != board


@pytest.mark.rule("4.1.4.1.5", effect=True)
def test_4_1_4_1_5_hexsides_from_either_hex(board):
    """L604-618: a hill edge is a slope or a cliff; a drawn crest replaces the slope; three levels are a cliff."""
    assert board.side(at("C1"), at("C2")) == board.side(at("C2"), at("C1")) == ("slope",)
    assert board.side(at("C1"), at("D2")) == ("crest",)
    assert board.side(at("E4"), at("F4")) == ("slope",)
    assert board.side(at("F3"), at("F4")) == ("cliff",)
    assert board.side(at("A2"), at("B2")) == ("crest",)
    assert board.side(at("A1"), at("B1")) == ("wall",) == board.features(hexside(at("A1"), 2))
    assert board.side(at("A3"), at("A4")) == ()
    with pytest.raises(ValueError, match="not adjacent"):
        board.side(at("A1"), at("C1"))


@pytest.mark.rule("4.1.4.1.5", effect=True)
def test_4_1_4_1_5_hill_edges_are_cliffs_unless_the_map_says_slope():
    """L606: a hill edge that the map does not mark as a slope is a cliff."""
    board = read_board(MAP.replace('hill_edges = "slope"', ""))
    assert board.side(at("C1"), at("C2")) == ("cliff",)


@pytest.mark.rule("4.5.1.1.5", effect=True)
def test_4_5_1_1_5_links_join_neighbours_and_leave_the_map(board):
    assert board.link(at("C1"), at("C2")) == board.link(at("C2"), at("C1")) == "road"
    assert board.link(at("A3"), at("B4")) == "path"
    assert board.link(at("C1"), at("D2")) is None
    assert board.link(at("C0"), neighbour(at("C0"), 1)) == "road"
    assert board.links(at("C3")) == ((1, "road"), (4, "road"), (5, "path"))
    assert edge_links(board) == [(at("C0"), 1, "road"), (at("C4"), 4, "road")]


def edge_links(board: Board) -> list[tuple[Hex, int, str]]:
    """4.5.1.1.9 Return where roads, paths and tracks leave the map, as hex, direction and kind."""
    links = [(hex, *link) for hex in board.hexes for link in board.links(hex)]
    return [link for link in links if not board.is_on_map(neighbour(link[0], link[1]))]


@pytest.mark.rule("4.5.1.1.9", effect=True)
def test_4_5_1_1_9_edges_of_the_map(board):
    assert board.edge(at("C0"), 1) == "north" and board.edge(at("C0"), 2) == "north"
    assert board.edge(at("A3"), 5) == "west" and board.edge(at("F2"), 2) == "east"
    assert board.edge(at("D4"), 4) == "south" and board.edge(at("C2"), 4) is None
    assert at("A0") in board.edge_hexes("north") and at("A4") in board.edge_hexes("west")
    for edge in EDGES:
        assert board.edge_hexes(edge)


@pytest.mark.rule("4.5.1.1.11", effect=True)
def test_4_5_1_1_11_a_scenario_turns_a_path_into_a_track(board):
    sides = sides_of_chain("A3-B4", dict.fromkeys(board.hexes))
    tracked = board.with_tracks(sides)
    assert tracked.link(at("A3"), at("B4")) == "track" and tracked.link(at("B4"), at("C3")) == "path"
    assert board.link(at("A3"), at("B4")) == "path"


def test_expand_hexes_reads_names_and_blocks(board):
    hexes = dict.fromkeys(board.hexes)
    assert [hex_name(hex) for hex in expand_hexes(["B1..C2", "F4", "B1"], hexes)] == ["B1", "B2", "C1", "C2", "F4"]


# --- mistakes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("C1-C2-C3", "C1-C3-C3", "C1 and C3 are not adjacent. From C1 the nearest step is C2."),
        ("off4", "off2", "'off2' does not leave the map from C4. Write off3 or off4 or off5."),
        ("A3-B4-C3", "A3-B4-K9", "K9 is outside the map. The nearest hex is E4."),
        ("A3-B4-C3", "A3", "'A3' joins nothing"),
        ("A3-B4-C3", "A3-B4-AB3", "'AB3' is not a hex"),
        ("A3-B4-C3", "C1-C2", "already joined by a road"),
        ("path = ", "pth = ", "links, pth: there is no such link. Did you mean path?"),
        ("path = ", "track = ", "links, track: tracks are declared by scenarios, not by maps."),
        ("wall = ", "wal = ", "hexsides, wal: there is no such hexside. Did you mean wall?"),
        ('"A1:2"', '"A1/B1"', "'A1/B1' is not a hexside; write a hex and directions, e.g. C3:45."),
        ('"A1:2"', '"A1:5"', "beyond side 5 of A1 there is no hex"),
        ("wall = ", "slope = ", "A1 and B1 are at the same level, so there can be no slope. Did you mean crest?"),
        ('"gully", "bridge"', '"guly", "bridge"', "legend, =: there is no terrain 'guly'. Did you mean gully?"),
        ('"=" =', '"==" =', "a sign must be one character"),
        ("..l...", "..q...", "terrain, C1: the sign 'q' stands for nothing. Known: . clear"),
        (" 2  .,u.b.", " 2  .,u.b", "terrain, row 2: 5 signs; the rows above have 6."),
        (" 2  .,u.b.", " 5  .,u.b.", "terrain, row 5: row 2 is expected here."),
        (" 2  .,u.b.", " .,u.b.", "'.,u.b.' is not a row"),
        (" 1  ..1...", " 1  ..x...", "levels, C1: 'x' is not a level"),
        (" 1  ..1...", " 1  .._...", "levels, C1: the hex is in only one of the two drawings"),
        ("E2 = 2", "D2 = 2", "storeys, D2: there is no building in this hex, only clear."),
        ('"E2", "E3"', '"E2", "E9"', "places, The mill: E9 is outside the map. The nearest hex is E4."),
        ("hill_edges", "hill_edge", "hill_edge: this key has no meaning here. Did you mean hill_edges?"),
        ("C0-C1-C2-C3-C4-off4", "C0-C1", "terrain, C3: a bridge needs two road or path links, but this one has 1."),
        ('name = "Test"', 'name = "Test', "(at line 2, column 13)"),
    ],
)
def test_a_mistake_in_a_map_names_place_and_nearest_legal_thing(old, new, message):
    assert old in MAP
    told = refused(MAP.replace(old, new, 1))
    assert str(told).startswith("test.toml: ") and message in str(told)
    assert {objection.rule for objection in told.objections} <= {"1.2", "terrain-key"}


def test_every_mistake_is_told_at_once():
    text = MAP.replace("wall = ", "wal = ").replace("A3-B4-C3", "A3-C3")
    assert len(mistakes(text).splitlines()) == 2


# --- the maps that come with the title -----------------------------------------------------------------------


@pytest.fixture(params=packaged_names("maps"))
def packaged_board(request: pytest.FixtureRequest) -> Board:
    return read_board(packaged(f"maps/{request.param}.toml"), request.param)


def test_roads_and_paths_hang_together(packaged_board):
    """Every road or path hex can be reached from the edge of the map along links."""
    linked = [hex for hex in packaged_board.hexes if packaged_board.links(hex)]
    reached = {hex: None for hex, _, _ in edge_links(packaged_board)}
    queue = list(reached)
    while queue:
        here = queue.pop()
        for other in neighbours(here):
            if packaged_board.is_on_map(other) and other not in reached and packaged_board.link(here, other):
                reached[other] = None
                queue.append(other)
    assert sorted(reached) == linked


def test_gullies_are_unbroken_lines(packaged_board):
    """Every gully runs on without a gap, because a wadi with gaps would be a mistake in the drawing."""
    along = [hex for hex in packaged_board.hexes if packaged_board.along_gully(hex)]
    assert all(any(other in along for other in neighbours(hex)) for hex in along)


def test_every_terrain_of_a_map_has_a_row_in_both_editions(packaged_board):
    for hex in packaged_board.hexes:
        for edition in ("2024", "2016"):
            assert charts(edition).rows(packaged_board.terrain(hex))


def test_maps_offer_cover_within_four_hexes_nearly_everywhere(packaged_board):
    """No unit is far from shelter: cover, a slope or sunken ground is within four hexes."""
    chart = charts("2024")
    shelter = [
        hex
        for hex in packaged_board.hexes
        if chart.spotting_cover(packaged_board.terrain(hex)) != "none"
        or any(packaged_board.is_on_map(o) and packaged_board.side(hex, o) for o in neighbours(hex))
    ]
    bare = [hex for hex in packaged_board.hexes if all(distance(hex, other) > 4 for other in shelter)]
    assert len(bare) * 25 <= len(packaged_board.hexes)


def test_the_big_map_has_everything_the_terrain_rules_speak_of():
    board = read_board(packaged("maps/battalion.toml"))
    kinds = {
        kind
        for hex in board.hexes
        for other in neighbours(hex)
        if board.is_on_map(other)
        for kind in board.features(side_between(hex, other))
    }
    assert kinds == {"slope", "crest", "cliff", "wall", "defilade", "hedgerow"}
    assert {type for hex in board.hexes for type in board.terrain(hex)} >= {
        "clear",
        "brush",
        "scrub",
        "sand",
        "soft_sand",
        "rough",
        "light_grove",
        "medium_grove",
        "wood_building",
        "stone_building",
        "gully",
        "bridge",
    }
    assert max(board.level(hex) for hex in board.hexes) == 3


@pytest.mark.rule("terrain-key", editions=("2024",))
def test_terrain_key_every_type_has_a_symbol_of_its_own_and_no_other_symbol_is_read():
    """The 2024 book shows its terrain in a key; maps here use one character for each type."""
    table = charts("2024")
    signs = {row.symbol: row.id for row in table.terrains.values()}
    assert len(signs) == len(table.terrains) >= 20
    for sign, type in signs.items():
        if type != "bridge":  # a bridge needs a road across it
            board = read_board(f"name = 'key'\nterrain = '''\n 1  {sign}.\n'''", "key", table)
            assert board.terrain(parse_hex("A1")) == (type,)
    with pytest.raises(DataError) as refused:
        read_board("name = 'key'\nterrain = '''\n 1  .?\n'''", "key", table)
    assert_rule(refused.value, "terrain-key")
