"""4.5.1.1 Moves step by step: allowance, turning, path and road."""

import msgspec
import pytest
from support.rules import assert_rule
from titles.panzer.builders import a_board, a_card, a_vehicle
from titles.panzer.movement.drives import ROAD, both_editions
from titles.panzer.moving import a_mover, a_strip, driven, levels

from pbem.engine.geometry.hexes import hex_name
from pbem.titles.panzer.movement.steps.unit_steps import March
from pbem.titles.panzer.state import Command

BEND = {"road": ["C9-C8-D9-E8"]}
"""Up to C8, then two hexsides to the right into D9, and one to the left into E8."""


# --- 3.3, 4.5.1.1 steps --------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("3.3")
def test_3_3_a_vehicle_drives_forward_or_back_and_keeps_its_facing(edition):
    """L400-406: a vehicle may enter only the hex in front of it or, in reverse, the hex directly behind it."""
    mover = a_mover(facing=1, edition=edition)

    assert hex_name(driven(mover, "f").progress.hex) == "C8"
    assert hex_name(driven(mover, "b").progress.hex) == "C10"
    assert driven(mover, "b").progress.facing == 1
    assert_rule(driven(mover, "sideways").objections, "3.3")


def test_4_5_1_1_progress_is_plain_data():
    """A move's progress survives a round trip through JSON, so an ask can carry it."""
    progress = driven(a_mover(board=a_strip(links=ROAD)), "f f r").progress

    assert msgspec.json.decode(msgspec.json.encode(progress), type=March) == progress


# --- 4.5.1.1.3 exceeding the allowance -----------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.5.1.1.3")
@pytest.mark.parametrize("step", ["f", "b"])
def test_4_5_1_1_3_one_hex_may_always_be_entered(edition, step):
    """L1178-1182: rough costs 4 (8 in reverse) and Short Halt leaves 2; free turns before and after are allowed."""
    facing = 1 if step == "f" else 4
    board = a_strip("^")
    before = "r" if step == "f" else "l"
    mover = a_mover(facing=facing, board=board, edition=edition, command=Command.SHORT_HALT)

    route = driven(mover, f"{step} {before}")

    assert route.legal
    assert route.progress.spent == (4 if step == "f" else 8)
    assert_rule(route.findings[0], "4.5.1.1.3", inputs={"hex": "C8", "allowance": 2})
    assert_rule(driven(mover, f"{step} {step}").objections, "4.5.1.1.3")


@pytest.mark.rule("4.5.1.1.3")
def test_4_5_1_1_3_not_after_another_hex_or_a_paid_turn():
    """A-37: the one hex that may exceed the allowance must be the first, with no points spent on turning."""
    later = driven(a_mover("C10", board=a_strip("^")), "f f")
    turned = driven(a_mover(facing=3, board=a_strip("^")), "l l f")

    assert_rule(later.objections, "4.5.1.1.3")
    assert "C8 costs 4, but only 3 of 4 movement points are left" in later.objections[0].english
    assert_rule(turned.objections, "4.5.1.1.3")


@pytest.mark.rule("4.5.1.1.3", effect=True)
def test_4_5_1_1_3_no_paid_turn_after_the_hex():
    """A paid turn may not exceed the allowance."""
    mover = a_mover(board=a_strip("^"), command=Command.SHORT_HALT)

    assert driven(mover, "f r").legal
    assert driven(mover, "f r r").objections[0].rule == "4.5.1.1.4"


@pytest.mark.rule("4.5.1.1.3", effect=True)
def test_4_5_1_1_3_level_limit_and_enemies_still_count():
    """A-37: the one-hex move enters neither too steep a hex nor one with an enemy."""
    steep = a_mover("C2", card="daimler", board=a_board(**levels("2", "0")), damaged=True)
    held = a_mover(board=a_strip("^"), damaged=True, others=[a_vehicle("s1", "C8")])

    assert driven(steep, "f").objections
    assert not driven(held, "f").legal


@pytest.mark.rule("4.5.1.1.3", effect=True)
def test_4_5_1_1_3_there_is_no_exception_at_the_road_rate():
    """A-37: the one-hex move uses the cross-country cost, never a road rate."""
    board = a_board(**levels("2", "0"), links={"road": ["C2-C1"]})
    mover = a_mover("C2", board=board, cards=[a_card("slow", cross_country=1, path=1, road=1)], card="slow")

    assert not driven(mover, "f", "road").legal
    assert driven(mover, "f").legal


# --- 4.5.1.1.4 turning ---------------------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1.4", editions=("2024",))
def test_4_5_1_1_4_entering_a_grove_and_turning_two_hexsides_costs_five():
    """L1194, A-27: entering a grove and turning costs a tracked vehicle 5; the Panzerjaeger has only 4."""
    board = a_strip("m")
    strong = a_mover(board=board, card="strong", cards=[a_card("strong", cross_country=5)])

    route = driven(strong, "f r r")

    assert route.progress.spent == 5
    assert_rule(route.findings, "4.5.1.1.4", inputs={"step": "r", "spent": 5}, result=2)
    assert_rule(driven(a_mover(board=board, card="pzjgr1"), "f r r").objections, "4.5.1.1.4")


@pytest.mark.rule("4.5.1.1.4", editions=("2016",))
def test_4_5_1_1_4_su76_in_the_woods():
    """2016:L1362: an SU-76M enters Woods and turns three hexsides for 5 points, its whole allowance."""
    route = driven(a_mover(board=a_strip("W"), card="su76m", edition="2016"), "f l l l")

    assert route.legal
    assert route.costs == [3, 0, 2, 0]
    assert_rule(route.findings, "4.5.1.1.4", inputs={"spent": 5, "allowance": 5}, result=2)


@pytest.mark.rule("4.5.1.1.4", effect=True)
@pytest.mark.parametrize(("turns", "cost"), [("r", 0), ("l", 0), ("r r", 1), ("r r r", 1), ("r l", 1), ("r l r", 1)])
def test_4_5_1_1_4_every_hexside_counts_and_the_price_is_paid_once(turns, cost):
    """R-16: left and right turns count alike; the first is free, the second is paid for, further ones are free."""
    assert driven(a_mover(), turns).progress.spent == cost


@pytest.mark.rule("4.5.1.1.4", effect=True)
def test_4_5_1_1_4_each_hex_has_its_own_free_turn():
    """L1184-1194: every hex occupied or entered allows a free turn, even a hex that is entered again."""
    route = driven(a_mover(card="t34_76"), "r f l f r f")

    assert route.progress.spent == 3


@pytest.mark.rule("4.5.1.1.4", effect=True)
@pytest.mark.parametrize("mode", ["cross", "road"])
def test_4_5_1_1_4_turning_on_the_road_costs_what_the_road_says(mode):
    """R-16, A-84: in a grove entered along the road, a turn costs the road's 1, not the grove's 2."""
    board = a_strip("m", links=BEND)
    route = driven(a_mover(board=board), "f r r f", mode)

    assert route.costs == [1, 0, 1, 1]
    off_road = driven(a_mover(board=a_strip("m"), card="t34_76"), "f r r")
    assert off_road.costs == [3, 0, 2]


@pytest.mark.rule("4.5.1.1.4", effect=True)
def test_4_5_1_1_4_aligning_with_the_road_at_the_start():
    """A-84: one hexside is free; turning two or three costs the Turn value of the road row, at the road rate."""
    board = a_strip(links=ROAD, hexsides={})
    grove = a_board(signs={"C9": "m"}, columns=6, rows=12, links=ROAD)

    assert driven(a_mover(facing=3, board=board), "l l f", "road").costs == [0, 1, 1]
    assert driven(a_mover(facing=3, board=grove), "l l f", "road").costs == [0, 1, 1]
    assert driven(a_mover(facing=3, board=grove), "l l f", "cross").costs == [0, 2, 1]


@pytest.mark.rule("4.5.1.1.4", effect=True)
def test_4_5_1_1_4_on_a_road_through_closed_terrain_there_is_only_the_road_to_turn_on():
    board = a_board(signs={"C9": "X"}, columns=6, rows=12, links=ROAD)

    assert driven(a_mover(facing=3, board=board, edition="2016"), "l l").costs == [0, 1]


# --- 4.5.1.1.5 path and road ---------------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1.5", "4.5.1.1.5/mixed", editions=("2024",))
def test_4_5_1_1_5_six_road_and_three_path_hexes_move_at_the_road_rate():
    """L1208: a Panzerjaeger I (4T 6-9) spends all 9; on three road and six path hexes it would have only 6."""
    links = {"road": ["C11-C10-C9-C8-C7-C6-C5"], "path": ["C5-C4-C3-C2"]}
    other = {"path": ["C11-C10-C9-C8-C7-C6-C5"], "road": ["C5-C4-C3-C2"]}
    nine = " ".join("f" * 9)

    by_road = driven(a_mover("C11", "pzjgr1", board=a_strip(links=links)), nine, "road")
    by_path = driven(a_mover("C11", "pzjgr1", board=a_strip(links=other)), nine, "road")

    assert by_road.legal
    assert by_road.costs == [1] * 9
    assert_rule(by_road.findings, "4.5.1.1.5", inputs={"spent": 9, "allowance": 9}, result=1)
    assert_rule(by_path.objections, "4.5.1.1.5/mixed")


@pytest.mark.rule("4.5.1.1.5", editions=("2016",))
def test_4_5_1_1_5_six_road_and_four_path_hexes_in_2016():
    """2016:L1372: an SU-76M (5T 6-10) has the road rate of 10 on six road and four path hexes."""
    links = {"path": ["C12-C11-C10-C9-C8"], "road": ["C8-C7-C6-C5-C4-C3-C2"]}

    route = driven(a_mover("C12", "su76m", board=a_strip(links=links), edition="2016"), " ".join("f" * 10), "road")

    assert route.legal
    assert_rule(route.findings, "4.5.1.1.5", inputs={"spent": 10, "allowance": 10})


def test_4_5_1_1_5_equal_numbers_move_at_the_path_rate():
    """L1196-1218: with as many road as path hexes entered, the path rate applies (A-80)."""
    links = {"road": ["C11-C10-C9-C8-C7"], "path": ["C7-C6-C5-C4-C3"]}
    mover = a_mover("C11", "pzjgr1", board=a_strip(links=links))

    assert not driven(mover, " ".join("f" * 8), "road").legal
    assert driven(mover, " ".join("f" * 7), "road").legal


@pytest.mark.rule("4.5.1.1.5/height", editions=("2024",))
def test_4_5_1_1_5_height_costs_one_less_along_the_road():
    """L1214-L1218: along a road, two levels add 1 and one level adds nothing, at either rate (A-29)."""
    two = a_mover("C2", board=a_board(**levels("2", "0"), links={"road": ["C2-C1"]}))
    one = a_mover("C2", board=a_board(**levels("1", "0"), links={"path": ["C2-C1"]}))

    for mode in ("road", "cross"):
        assert_rule(driven(two, "f", mode).findings, "4.5.1.1.5/height", result=1)
        assert driven(two, "f", mode).costs == [2]
        assert driven(one, "f", mode).costs == [1]


@pytest.mark.rule("4.5.1.1.5/height", effect=True)
@pytest.mark.rule("4.5.1.1.5", editions=("2016",))
def test_4_5_1_1_5_height_along_the_road_in_2016():
    """2016:L1382: two levels along a road add 1."""
    mover = a_mover("C2", board=a_board(**levels("2", "0"), links={"road": ["C2-C1"]}), edition="2016")

    along = assert_rule(driven(mover, "f", "road").findings, "4.5.1.1.5", inputs={"what": "2 levels along the road"})
    assert along.result == 1


@pytest.mark.rule("4.5.1.1.2/level-limit", editions=("2024",))
def test_4_5_1_1_5_the_level_limit_is_the_real_difference_on_roads_too():
    """A-30: a wheeled vehicle cannot climb two levels, even along a road."""
    mover = a_mover("C2", "daimler", board=a_board(**levels("2", "0"), links={"road": ["C2-C1"]}))

    assert_rule(driven(mover, "f", "road").objections, "4.5.1.1.2/level-limit")


@pytest.mark.rule("4.5.1.1.5/mixed", editions=("2024",))
def test_4_5_1_1_5_off_the_road_there_is_no_rate():
    """L1204: mixed movement uses the cross-country allowance, but a hex along the road still costs 1 (A-29)."""
    board = a_strip("m", "m", links={"road": ["C9-C8"]})
    mover = a_mover(board=board)

    assert_rule(driven(mover, "f f", "road").objections, "4.5.1.1.5/mixed")
    mixed = driven(mover, "f f")
    assert mixed.costs == [1, 3]
    assert_rule(mixed.findings, "4.5.1.1.5/mixed", inputs={"what": "Road"}, result=1)


@pytest.mark.rule("4.5.1.1.5/cross-country-on-road", editions=("2016",))
def test_4_5_1_1_5_along_the_road_without_the_rate_in_2016():
    """2016:L1378 (b): each hex along the road costs one cross-country point, facing along the road."""
    board = a_board(signs={"C8": "W", "C7": "W"}, columns=6, rows=12, links={"road": ["C9-C8-C7"]})
    mover = a_mover("C10", board=board, edition="2016")

    route = driven(mover, "f f f")

    assert route.legal
    assert route.costs == [1, 1, 1]
    assert_rule(route.findings, "4.5.1.1.5/cross-country-on-road", inputs={"what": "Road"}, result=1)
    assert_rule(driven(mover, "f f r l f").objections, "4.5.1.1.5/cross-country-on-road")


def test_4_5_1_1_5_two_road_and_two_clear_hexes_across_country():
    """L1861-L1867: a PzKpfw IIIJ Lang spends 4 MP from T7 along a road to U6 and V6, then over clear W5 and X5."""
    board = a_board(columns=26, rows=10, links={"road": ["T7-U6-V6"]}, signs={"U6": ";", "V6": ";"})

    route = driven(a_mover("T7", "pz3j_lang", facing=2, board=board), "f f f f")

    assert [hex_name(stride.progress.hex) for stride in route.strides] == ["U6", "V6", "W5", "X5"]
    assert route.legal
    assert route.progress.spent == 4


@pytest.mark.rule("4.5.1.1.5/prohibited-hex", editions=("2016",))
def test_4_5_1_1_5_a_road_leads_into_closed_terrain_but_not_out_into_more_of_it():
    """2016:L1378 (a): vehicles pass through Heavy Woods along the road, but never off it into other Heavy Woods."""
    board = a_board(signs={"C8": "X", "C7": "X"}, columns=6, rows=12, links={"road": ["C9-C8"]})
    mover = a_mover(board=board, edition="2016")

    route = driven(mover, "f")

    assert_rule(route.findings, "4.5.1.1.5/prohibited-hex", inputs={"what": "Road through Heavy woods"}, result=1)
    assert driven(mover, "f f").objections[0].rule == "4.5.1.1.2"


def test_4_5_1_1_5_where_a_road_crosses_a_wall_or_hedgerow_there_is_a_gap():
    """R-14: a vehicle of any kind that follows the road ignores the wall, hedgerow or hill edge it crosses."""
    for kind in ("wall", "hedgerow", "defilade"):
        board = a_strip(links={"road": ["C9-C8"]}, hexsides={kind: ["C9:1"]})
        for card in ("pz3j", "spw251", "daimler"):
            assert driven(a_mover(board=board, card=card), "f").costs == [1]
    cliff = a_board(**levels("1", "0") | {"hill_edges": "cliff"}, links={"road": ["C2-C1"]})
    assert driven(a_mover("C2", board=cliff), "f").costs == [1]


def test_4_5_1_1_5_crest_along_the_road():
    """A-82, L1214: the rise of one level costs nothing along the road."""
    board = a_strip(links={"road": ["C9-C8"]}, hexsides={"crest": ["C9:1"]})

    assert driven(a_mover(board=board), "f", "road").costs == [1]


@pytest.mark.rule("4.5.1.1.7", "3.3", effect=True)
def test_4_5_1_1_7_reverse_along_the_road_costs_two():
    """L1200, A-31: reverse along a road costs 2 x (1 + surcharges), with the rear pointing along the road."""
    mover = a_mover("C2", facing=4, board=a_board(**levels("2", "0"), links={"road": ["C2-C1"]}))

    assert driven(mover, "b", "road").costs == [4]


# --- facing on the road --------------------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1.5/facing", editions=("2024",))
def test_4_5_1_1_5_facing_is_bound_to_the_road():
    """L1202: the facing is free at the start and then along the road, both on the way and at the end."""
    mover = a_mover(facing=2, board=a_strip(links=ROAD))

    assert driven(mover, "l f f", "road").legal
    assert_rule(driven(mover, "l f r l f", "road").objections, "4.5.1.1.5/facing")
    assert_rule(driven(mover, "l f r", "road").objections, "4.5.1.1.5/facing")


@pytest.mark.rule("4.5.1.1.5/facing", editions=("2024",))
def test_4_5_1_1_5_the_refusal_names_the_facings_along_the_road():
    """L1202, R-17: the vehicle faces onward where the road continues, and keeps its facing where it ends."""
    mover = a_mover(board=a_strip(links=BEND))
    ended = a_mover(board=a_strip(links={"road": ["C9-C8"]}))

    assert_rule(
        driven(mover, "f l", "road").objections, "4.5.1.1.5/facing", why="the unit must end facing along the road: 3"
    )
    assert_rule(
        driven(ended, "f l", "road").objections, "4.5.1.1.5/facing", why="the unit must end facing along the road: 1"
    )


@pytest.mark.rule("4.5.1.1.5", editions=("2016",))
def test_4_5_1_1_5_facing_is_bound_in_2016_too():
    """2016: no better angle may be taken during or at the end of the move."""
    mover = a_mover(board=a_strip(links=ROAD), edition="2016")

    assert_rule(driven(mover, "f r", "road").objections, "4.5.1.1.5")


def test_4_5_1_1_5_the_last_facing_is_along_an_onward_link():
    """R-17: in the bend the vehicle turns to D9, two hexsides for a point; at the road's end it does not turn."""
    mover = a_mover(board=a_strip(links=BEND))

    assert driven(mover, "f", "road").objections
    assert driven(mover, "f r r", "road").legal
    assert driven(mover, "f l", "road").objections
    assert driven(mover, "f r r f l f", "road").legal
    assert driven(mover, "f r r f l f l", "road").objections


def test_4_5_1_1_5_the_last_facing_stays_if_the_turn_cannot_be_paid():
    """R-17: with no points left for the bend, the vehicle keeps the facing with which it entered."""
    cards = [a_card("slow", cross_country=1, path=1, road=1)]
    mover = a_mover(board=a_strip(links=BEND), card="slow", cards=cards)

    assert driven(mover, "f", "road").legal


def test_4_5_1_1_5_backing_along_the_road_ends_with_the_rear_along_it():
    """R-17: a vehicle that backs along a road ends with its rear towards the onward link."""
    mover = a_mover(facing=4, board=a_strip(links=BEND))

    assert driven(mover, "b", "road").objections
    assert driven(mover, "b r r", "road").legal
    assert driven(mover, "b r r b", "road").objections
    assert driven(mover, "b r r b l", "road").legal


@pytest.mark.parametrize("steps", ["", "r", "r r"])
def test_4_5_1_1_5_whoever_stays_uses_the_cross_country_allowance(steps):
    """R-17: a vehicle that does not leave its hex uses the cross-country allowance."""
    assert driven(a_mover(board=a_strip(links=ROAD)), steps, "road").progress.rate == 4
    assert driven(a_mover(board=a_strip(links=ROAD)), steps, "road").legal
