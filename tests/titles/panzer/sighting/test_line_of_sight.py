"""4.1.4 Line of sight: the line, buildings, hills, slopes and gullies, in both editions."""

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.builders import a_board
from titles.panzer.sighting.lines import a_column, both_editions, look

from pbem.engine.geometry.hexes import (
    Hex,
    hex_name,
    parse4,
    parse_hex,
    to_offset,
)
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.charts import charts, with_switches
from pbem.titles.panzer.sighting.line_of_sight import line_of_sight
from pbem.titles.panzer.state import Wreck

# --- 4.1.4 the line ------------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.1.4", "4.1.4.1", "4.1.4.1.1", "4.1.4.2")
def test_4_1_4_low_terrain_never_blocks(edition):
    """L570: clear, rough, scrub, brush and gully hexes have height 0 or less."""
    finding = look(a_column(".^;,u."), "A1", "A6", edition)

    assert_rule(finding, "4.1.4", result="open", inputs={"from": "A1", "to": "A6", "range": 5, "heights": [0, 0]})
    assert_rule(finding, "4.1.4.1.1", result="open", inputs={"hexes": ["A2", "A3", "A4", "A5"]})
    assert_rule(finding, "4.1.4.1", result=[])
    assert_rule(finding, "4.1.4.2", result="open", inputs={"low": 0, "high": 0})


@both_editions
@pytest.mark.rule("4.1.4")
def test_4_1_4_a_unit_sees_its_own_hex(edition):
    assert_rule(look(a_column("m"), "A1", "A1", edition), "4.1.4", result="open", inputs={"range": 0})


@pytest.mark.rule("4.1.4.1", effect=True)
@both_editions
@pytest.mark.rule("4.1.4.1.2", "4.1.4.1.7", "4.1.4.2.1")
def test_4_1_4_1_7_a_grove_is_3_high_and_blocks_between_lower_units(edition):
    """L642, 2016:L795: groves and woods of both kinds have height 3; units are on the ground."""
    for sign in "lmwW":
        finding = look(a_column(f".{sign}."), "A1", "A3", edition)

        assert_rule(finding, "4.1.4.1.2", inputs={"places": ["A2"]}, result="may block")
        assert_rule(finding, "4.1.4.1.7", inputs={"ground": 0, "adds": 3}, result=3)
        assert_rule(finding, "4.1.4.2.1", inputs={"where": "A2", "height": 3}, result="blocked")


@pytest.mark.rule("4.1.4.1.7", editions=("2016",))
def test_4_1_4_1_7_heavy_woods_are_4_high():
    """2016:L793: Heavy Woods have height 4."""
    assert_rule(look(a_column(".X."), "A1", "A3", "2016"), "4.1.4.1.7", result=4)


@both_editions
@pytest.mark.rule("4.1.4.1.8", "4.1.4.1.9")
def test_4_1_4_1_8_wrecks_and_their_smoke_do_not_block(edition):
    """L654, L658: a wreck has height 0; brew-up smoke has height 2 and hinders only fire."""
    wrecks = {"A2": Wreck(brewed_up=False), "A3": Wreck(brewed_up=True)}
    finding = look(a_column("....."), "A1", "A5", edition, wrecks=wrecks)

    assert finding.result == "open"
    assert_rule(finding, "4.1.4.1.8", inputs={"hex": "A2", "height": 0}, result="open")
    assert_rule(finding, "4.1.4.1.9", inputs={"hex": "A3", "height": 2}, result="open")
    assert not [child for child in every(finding) if child.rule == "4.1.4.1.9" and child.inputs["hex"] == "A2"]


# --- 4.1.4.1.3 buildings and roads ---------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.1.4.1.3")
def test_4_1_4_1_3_a_building_is_1_high_for_each_storey(edition):
    """L582, L588, 2016:L743: a building has one storey unless the scenario gives more; each is one level high."""
    for sign in "bB#":
        assert_rule(look(a_column(f".{sign}."), "A1", "A3", edition), "4.1.4.1.3", result=1)
    assert_rule(look(a_column(".B.", storeys={"A2": 2}), "A1", "A3", edition), "4.1.4.1.3", result=2)


@pytest.mark.rule("4.1.4.1.3.1", editions=("2024",))
def test_4_1_4_1_3_1_flat_roofs_leave_the_height_as_it_is():
    """L590: a desert building differs only by its roof, and exists only if the scenario says so."""
    board = a_column(".B.", storeys={"A2": 2})
    flat = with_switches(charts("2024"), {"desert_buildings": True})
    pitched = charts("2024")
    finding = line_of_sight(board, flat, parse_hex("A1"), parse_hex("A3"))

    assert_rule(finding, "4.1.4.1.3.1", result=2)
    without = line_of_sight(board, pitched, parse_hex("A1"), parse_hex("A3"))
    assert without.result == finding.result == "blocked"
    assert "4.1.4.1.3.1" not in {item.rule for item in every(without)}


def houses_along_a_road(row: list[Hex], leaves: Hex) -> Board:
    """Put buildings in all hexes of a row but the first; a road runs through them and leaves before the last."""
    width, height = max(to_offset(hex)[0] for hex in row) + 1, max(to_offset(hex)[1] for hex in row) + 1
    signs = [["."] * width for _ in range(height + 1)]
    for hex in row[1:]:
        column, number = to_offset(hex)
        signs[number][column - 1] = "B"
    chain = "-".join(hex_name(hex) for hex in [*row[:-1], leaves])
    drawing = "\n".join(f"{number} {''.join(signs[number])}" for number in range(height + 1))
    return a_board(drawing, links={"road": [chain]})


@pytest.mark.rule("4.1.4.1.3", "4.1.4.2", effect=True)
@pytest.mark.rule("4.1.4.1.3/road-exception", "4.1.4.2.1", editions=("2024",))
def test_4_1_4_1_3_a_road_opens_the_houses_it_runs_through():
    """L586: X3 sees along the road to AA1; the road leaves the row there, so BB1 is hidden."""
    row = [parse_hex(name) for name in ("X3", "Y2", "Z2", "AA1", "BB1")]
    board = houses_along_a_road(row, leaves=parse_hex("AA2"))

    seen = look(board, "X3", "AA1")
    assert_rule(seen, "4.1.4.1.3/road-exception", inputs={"where": "Y2"}, result="open")
    assert_rule(seen, "4.1.4.1.3/road-exception", inputs={"where": "Z2"}, result="open")
    assert seen.result == "open"

    hidden = look(board, "X3", "BB1")
    assert hidden.result == "blocked"
    assert_rule(hidden, "4.1.4.2.1", inputs={"where": "AA1"}, result="blocked")


@pytest.mark.rule("4.1.4.1.3", editions=("2016",))
def test_4_1_4_1_3_a_road_opens_the_houses_it_runs_through_2016():
    """2016:L749: the line is open from 3116 to 3415 along the road, but not on to 3514."""
    row = [parse4(name) for name in ("3116", "3216", "3315", "3415", "3514")]
    board = houses_along_a_road(row, leaves=parse4("3414"))
    start, last, beyond = (hex_name(parse4(name)) for name in ("3116", "3415", "3514"))

    seen = look(board, start, last, "2016")
    assert seen.result == "open"
    assert_rule(seen, "4.1.4.1.3", result="open")
    assert look(board, start, beyond, "2016").result == "blocked"


@both_editions
def test_4_1_4_1_7_a_path_opens_groves_only_straight_along_the_line(edition):
    """L644: a path through groves works like a road through buildings.

    A gap in the path, a bend, or a line that is not a straight row gets no exception.
    """
    straight = a_column(".mm.", links={"path": ["A1-A2-A3-A4"]})
    broken = a_column(".mm.", links={"path": ["A1-A2", "A3-A4"]})
    bent = a_board("...\n.m.\n.m.\n...", links={"road": ["B1-B2-B3-C3"]})

    assert look(straight, "A1", "A4", edition).result == "open"
    assert look(broken, "A1", "A4", edition).result == "blocked"
    assert look(bent, "B1", "B3", edition).result == "open"
    assert look(bent, "B1", "B4", edition).result == "blocked"
    assert look(bent, "A1", "C2", edition).result == "blocked"


@pytest.mark.rule("4.1.4.1.3", effect=True)
@both_editions
@pytest.mark.rule("4.1.4.1.4")
def test_4_1_4_1_3_a_road_does_not_open_the_ground_below_the_houses(edition):
    """A-07: the road exception does not remove the ground level of the hex."""
    board = a_column(".B.", "010", links={"road": ["A1-A2-A3"]})
    finding = look(board, "A1", "A3", edition)

    assert finding.result == "blocked"
    assert_rule(finding, "4.1.4.1.4", inputs={"ground": 1, "adds": 0}, result=1)


@pytest.mark.rule("4.1.4.1.3", effect=True)
@pytest.mark.rule("4.1.4.1.4")
@both_editions
def test_4_1_4_1_3_a_road_over_a_bare_hill_opens_nothing(edition):
    """L586, A-07: the exception is for terrain along the road; a bare hill blocks as usual."""
    finding = look(a_column("...", "010", links={"road": ["A1-A2-A3"]}), "A1", "A3", edition)

    assert finding.result == "blocked"
    named = {item.rule for item in every(finding)}
    assert named.isdisjoint({"4.1.4.1.3", "4.1.4.1.7"}) and not any("road-exception" in rule for rule in named)
    assert_rule(finding, "4.1.4.1.4", inputs={"what": "hill", "ground": 1, "adds": 0}, result=1)


# --- 4.1.4.1.4 hills, 4.1.4.1.5 slopes and crests ------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.1.4.1.4")
def test_4_1_4_1_4_rough_on_a_hill_is_as_high_as_the_hill(edition):
    """L596, 2016:L755: rough ground adds no height to a hill of one or two levels."""
    for level in (1, 2):
        finding = look(a_column(".^.", f"0{level}0"), "A1", "A3", edition)
        assert_rule(finding, "4.1.4.1.4", inputs={"ground": level, "adds": 0}, result=level)


@both_editions
@pytest.mark.rule("4.1.4.1.5", "4.1.4.2.1", "4.1.4.2.6")
def test_4_1_4_1_5_a_crest_hides_neighbours_of_the_same_height(edition):
    """L618, 2016:L777: a crest at 2 between two hexes at height 1 hides them from each other."""
    finding = look(a_column("..", "11", hexsides={"crest": ["A1:4"]}), "A1", "A2", edition)

    assert_rule(finding, "4.1.4.1.5", inputs={"what": "crest", "ground": 1, "adds": 1}, result=2)
    assert_rule(finding, "4.1.4.2.1", inputs={"where": "A1/A2", "height": 2}, result="blocked")
    assert_rule(finding, "4.1.4.2.6", result="hexside")


@both_editions
@pytest.mark.rule("4.1.4.1.10", "4.1.4.2.1")
def test_4_1_4_1_10_a_hedgerow_is_1_high(edition):
    """L662: a hedgerow has height 1."""
    finding = look(a_column("...", hexsides={"hedgerow": ["A2:4"]}), "A1", "A3", edition)

    assert_rule(finding, "4.1.4.1.10", result=1)
    assert_rule(finding, "4.1.4.2.1", inputs={"where": "A2/A3"}, result="blocked")


@both_editions
@pytest.mark.rule("4.1.4.1.10")
def test_4_1_4_1_10_across_a_gully_a_hedgerow_stands_on_the_ground_around_it(edition):
    """A-08: a hedgerow's height is measured from the hexes' ground level, not from the bottom of the gully."""
    board = a_column("..uu", "2000", hexsides={"hedgerow": ["A3:4"]})

    assert_rule(look(board, "A1", "A4", edition), "4.1.4.1.10", inputs={"ground": 0, "adds": 1}, result=1)


@pytest.mark.rule("4.1.4.1.5", effect=True)
@both_editions
def test_4_1_4_1_5_slopes_walls_and_defilades_do_not_block_by_themselves(edition):
    """L614: slopes, walls and defilades do not block; of hill hexsides only a crest does."""
    board = a_column("....", "1100", hexsides={"slope": ["A2:4"], "wall": ["A1:4"], "defilade": ["A3:4"]})

    assert look(board, "A1", "A2", edition).result == "open"
    assert look(board, "A2", "A4", edition).result == "open"


@both_editions
@pytest.mark.rule("4.1.4.1.5")
def test_4_1_4_1_5_a_crest_stands_on_the_higher_ground(edition):
    """A-08: between levels 0 and 1 a crest reaches 2; a unit at 2 looks over the crest, except into the
    blind zone."""
    board = a_column("....", "2010", hexsides={"crest": ["A2:4"]})

    assert_rule(look(board, "A1", "A4", edition), "4.1.4.1.5", inputs={"ground": 1}, result=2)


@both_editions
@pytest.mark.rule("4.1.4.2.6")
def test_4_1_4_2_6_a_crest_has_no_gap_at_its_joints(edition):
    """A line from C3 to E3 runs along D3/D4 and meets C3/D3 only in its end point, so the crest blocks."""
    board = a_board(columns=6, rows=6, hexsides={"crest": ["C3:2"]})
    finding = look(board, "C3", "E3", edition)

    assert finding.result == "blocked"
    assert_rule(finding, "4.1.4.2.6", inputs={"where": "C3/D3"}, result="hexside")


def a_hillside(levels: str, signs: str = "", **tables: Any) -> Board:
    """Build a column of hexes whose hill edges are slopes."""
    return a_column(signs or "." * len(levels), levels, hill_edges="slope", **tables)


@pytest.mark.rule("4.1.4.1", effect=True)
@pytest.mark.rule("4.1.4.1.5.1", editions=("2024",))
def test_4_1_4_1_5_1_a_continuous_slope_does_not_block():
    """L620: each hex down from level 3 is lower than the one before; in 2016 each hill hex is a separate obstacle."""
    board = a_hillside("32100")
    finding = look(board, "A1", "A3")

    assert_rule(finding, "4.1.4.1.5.1", inputs={"where": "A2", "height": 2}, result="open")
    assert finding.result == "open"
    assert look(board, "A1", "A3", "2016").result == "blocked"


@pytest.mark.rule("4.1.4.2.1", effect=True)
@pytest.mark.parametrize(
    ("board", "to", "result"),
    [
        (a_hillside("3210"), "A4", "open"),
        (a_column("....", "3210"), "A4", "blocked"),  # cliffs are not slopes
        (a_hillside("3221"), "A4", "blocked"),  # A3 is not lower than A2
        (a_hillside("321100"), "A5", "blocked"),  # A4 for itself: it hides range 4 …
        (a_hillside("321100"), "A6", "open"),  # … and no more
        (a_hillside("3210", ".m.."), "A4", "blocked"),  # a grove on the slope
        (a_hillside("3210", hexsides={"hedgerow": ["A2:4"]}), "A4", "blocked"),
        (a_hillside("3210", hexsides={"crest": ["A1:4"]}), "A4", "blocked"),
    ],
)
def test_4_1_4_1_5_1_where_the_exemption_ends(board, to, result):
    """A-09: only ground is exempt, only through slopes, and only while the line goes down from the higher end."""
    assert look(board, "A1", to).result == result


def test_4_1_4_1_5_1_two_hexes_at_one_range_must_both_go_down():
    """A-09: from C2 to E2 the line follows D2 and D3; a cliff towards one of them ends the exemption."""
    terrain, levels = ".....\n.....\n.....\n.....", "00000\n00210\n00010\n00000"
    slopes = a_board(terrain, levels=levels, hill_edges="slope")
    cliff = a_board(terrain, levels=levels, hill_edges="slope", hexsides={"cliff": ["C2:2"]})

    assert look(slopes, "C2", "E2").result == "open"
    assert look(cliff, "C2", "E2").result == "blocked"


# --- 4.1.4.1.6 gullies ---------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.1.4.1.6", "4.1.4.2.5")
def test_4_1_4_1_6_from_a_gully_only_adjacent_ground_is_seen(edition):
    """L638, 2016:L789: a unit at -1 and the plain at 0 see each other only if adjacent, in both directions."""
    for sign in "ufv~":
        board = a_column(f"{sign}..")
        adjacent, farther = look(board, "A1", "A2", edition), look(board, "A1", "A3", edition)

        assert_rule(adjacent, "4.1.4.1.6", inputs={"case": "a", "sunken": ["A1"], "range": 1}, result="open")
        assert_rule(adjacent, "4.1.4.2.5", inputs={"adjacent": True})
        assert adjacent.result == "open"
        assert_rule(farther, "4.1.4.1.6", inputs={"case": "a", "range": 2}, result="blocked")
        assert farther.result == "blocked"


@both_editions
def test_4_1_4_1_6_a_bridge_lies_at_the_level_of_its_road(edition):
    """L632: a unit on a bridge is not in the gully."""
    board = a_column("..H..", legend={"H": ["gully", "bridge"]}, links={"road": ["A1-A2-A3-A4-A5"]})

    assert look(board, "A1", "A3", edition).result == "open"
    assert look(board, "A1", "A5", edition).result == "open"


@pytest.mark.rule("4.1.4.1.6/along", editions=("2024",))
def test_4_1_4_1_6_along_a_gully_the_line_is_open():
    """L636, A-10 (c): the line is open through gully hexes and under bridges, but not over anything else."""
    board = a_column("uuHuu.u", legend={"H": ["gully", "bridge"]}, links={"road": ["A2-A3-A4"]})

    assert_rule(look(board, "A1", "A5"), "4.1.4.1.6/along", inputs={"case": "c"}, result="open")
    blocked = look(board, "A5", "A7")
    assert_rule(blocked, "4.1.4.1.6/along", inputs={"case": "c"}, result="blocked")
    assert blocked.result == "blocked"


@pytest.mark.rule("4.1.4.1.6/along", effect=True)
@pytest.mark.rule("4.1.4.1.6/two-levels-above", editions=("2016",))
def test_4_1_4_1_6_along_streams_fords_and_gullies_2016():
    """2016:L785: the line is open along streams and fords as along gullies."""
    board = a_column("u~f~u.u")

    assert_rule(look(board, "A1", "A5", "2016"), "4.1.4.1.6/two-levels-above", inputs={"case": "c"}, result="open")
    assert_rule(look(board, "A5", "A7", "2016"), "4.1.4.1.6/two-levels-above", result="blocked")


@pytest.mark.rule("4.1.4.1.6/along", effect=True)
@both_editions
def test_4_1_4_1_6_along_a_gully_trees_and_hedgerows_still_block(edition):
    """A-10 (c): trees and hedgerows are tested as usual; units in adjacent hexes always see each other."""
    trees = a_column("utu", legend={"t": ["gully", "medium_grove"]})
    hedge = a_column("uuu", hexsides={"hedgerow": ["A1:4"]})

    assert look(trees, "A1", "A3", edition).result == "blocked"
    assert look(trees, "A1", "A2", edition).result == "open"
    assert look(hedge, "A1", "A3", edition).result == "blocked"
    assert look(hedge, "A1", "A2", edition).result == "blocked"
    assert look(hedge, "A2", "A3", edition).result == "open"


@both_editions
def test_4_1_4_1_6_a_bridge_over_a_gully_on_a_hill_counts_as_gully(edition):
    """A-10 (c): a bridge at level 1 is not an obstacle for two units at the bottom of the gully, at height 0."""
    board = a_column("uHu", "111", legend={"H": ["gully", "bridge"]}, links={"road": ["A1-A2-A3"]})

    assert look(board, "A1", "A3", edition).result == "open"


@pytest.mark.rule("4.1.4.1.6/along", effect=True)
@both_editions
def test_4_1_4_1_6_two_levels_above_the_rim_does_not_hide(edition):
    """A-10 (b): seen from level 1, the plain in front of a gully is not an obstacle, but a building is."""
    rule = "4.1.4.1.6" if edition == "2024" else "4.1.4.1.6/two-levels-above"
    board = a_column("....u", "10000")
    finding = look(board, "A1", "A5", edition)

    assert_rule(finding, rule, inputs={"case": "b", "sunken": ["A5"], "ignored_up_to": 0}, result="open")
    assert finding.result == "open"
    assert look(a_column("...Bu", "20000"), "A1", "A5", edition).result == "blocked"


@both_editions
@pytest.mark.rule("4.1.4.1.6")
def test_4_1_4_1_6_a_gully_on_a_hill_ignores_its_own_rim(edition):
    """A-10 (b): between 0 in a gully of level 1 and a unit at 2, hill hexes of height 1 are ignored."""
    finding = look(a_column("...u", "2111"), "A1", "A4", edition)

    assert finding.result == "open"
    assert_rule(finding, "4.1.4.1.6", inputs={"where": "A3", "height": 1}, result="open")
