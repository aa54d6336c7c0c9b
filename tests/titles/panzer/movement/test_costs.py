"""4.5.1.1.1, 4.5.1.1.2 Allowances and the cost of a step, with the numbers printed in both books."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.builders import a_board, a_card, brewed_up, knocked_out
from titles.panzer.moving import a_mover, a_strip, driven, levels

from pbem.engine.geometry.hexes import parse_hex
from pbem.titles.panzer.cards.basic_rows import EDITIONS, PROHIBITED, TRACTIONS, WHOLE, Cover
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.movement.steps.costs import Ground, halve, in_reverse
from pbem.titles.panzer.movement.steps.unit_steps import allowance_finding
from pbem.titles.panzer.state import Command

both_editions = pytest.mark.parametrize("edition", EDITIONS)


# --- 4.5.1.1.1 allowances ------------------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1.1")
def test_4_5_1_1_1_movement_factor_of_the_panzerjaeger():
    """L1136-L1140: 4T 6-9 means 4 cross-country on tracks, 6 on a path and 9 on a road."""
    mover = a_mover(card="pzjgr1")

    finding = allowance_finding(mover.situation, mover.unit)

    expected = {"cross": 4, "path": 6, "road": 9}
    assert_rule(finding, "4.5.1.1.1", inputs={"cross_country": 4, "mode": "T", "path": 6, "road": 9}, result=expected)


@pytest.mark.rule("3.7", "4.5.1.1.1")
@pytest.mark.parametrize(
    ("command", "damaged", "usable", "reasons"),
    [
        (Command.SHORT_HALT, False, 2, ["Short Halt"]),
        (Command.MOVE, True, 2, ["Damaged"]),
        (Command.SHORT_HALT, True, 1, ["Short Halt", "Damaged"]),
    ],
)
def test_3_7_five_points_are_two_at_a_half_and_one_at_a_quarter(command, damaged, usable, reasons):
    """L460, 2016:L607: an allowance of 5 is 2 when halved and 1 when quartered."""
    mover = a_mover(card="t34_76", command=command, damaged=damaged)

    finding = allowance_finding(mover.situation, mover.unit)

    assert_rule(finding, "3.7", inputs={"halved_for": reasons}, result={"cross": usable})
    assert_rule(finding, "4.5.1.1.1", result={"cross": usable})


def test_3_7_an_allowance_is_never_below_one():
    """L452-460: at least one point remains, however often the allowance is halved."""
    card = a_card("slow", cross_country=1, path=2, road=3)
    usable = a_mover(card="slow", cards=[card], command=Command.SHORT_HALT, damaged=True).allowances

    assert (usable.cross, usable.path, usable.road) == (1, 1, 1)


@given(allowance=st.integers(1, 30), times=st.integers(0, 3))
def test_3_7_halving_twice_is_quartering_once(allowance, times):
    assert halve(allowance, times) == max(1, allowance // 2**times)
    assert halve(halve(allowance, times), 1) == halve(allowance, times + 1)


# --- 4.5.1.1.2 terrain ---------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.5.1.1.2")
@pytest.mark.parametrize(("sign", "name", "cost"), [(".", "Clear", 1), ("^", "Rough", 4), (";", "Scrub", 2)])
def test_4_5_1_1_2_printed_costs_of_tracked_vehicles(edition, sign, name, cost):
    """L1158, L1168, 2016:L1322: for tracked vehicles Clear costs 1, Rough 4 and Scrub 2."""
    found = driven(a_mover(board=a_strip(sign), edition=edition), "f").findings

    assert_rule(found, "4.5.1.1.2", inputs={"what": name}, result=cost)
    assert_rule(found, "4.5.1.1.2", inputs={"hex": "C8", "spent": cost}, result=cost)


@pytest.mark.rule("4.5.1.1.2", editions=("2016",))
@pytest.mark.parametrize("card", ["daimler", "pz3j", "spw251"])
def test_4_5_1_1_2_heavy_woods_are_closed_in_2016(card):
    """2016:L1324, L793: vehicles can enter Heavy Woods only along a road."""
    route = driven(a_mover(board=a_strip("X"), card=card, edition="2016"), "f")

    assert_rule(route.objections, "4.5.1.1.2")
    assert "Heavy woods is closed" in route.objections[0].english


@pytest.mark.rule("4.5.1.1.2/prohibited", editions=("2024",))
@pytest.mark.parametrize("card", ["daimler", "pz3j", "spw251"])
def test_4_5_1_1_2_water_is_closed_and_stays_closed_for_a_single_hex(card):
    """L1160, L1178-1182: the right to enter one hex at any cost does not open prohibited terrain."""
    route = driven(a_mover(board=a_strip("o"), card=card), "f")

    assert_rule(route.objections, "4.5.1.1.2/prohibited")


def test_4_5_1_1_2_the_dearest_of_several_terrain_types_counts():
    """R-14: scrub and a medium grove in one hex cost 3, the higher of the two."""
    board = a_strip("x", legend={"x": ["scrub", "medium_grove"]})

    assert driven(a_mover(board=board), "f").costs == [3]


@both_editions
@pytest.mark.rule("4.5.1.1.2/slope-crest")
def test_4_5_1_1_2_over_a_slope_into_scrub(edition):
    """L1166-L1168, 2016:L1330-L1334: from height 0 over a slope into scrub at height 1 costs 2 + 1 = 3."""
    board = a_board(**levels("1", "0") | {"terrain": ";;;;;\n....."})

    route = driven(a_mover("C2", board=board, edition=edition), "f")

    assert route.costs == [3]
    assert_rule(route.findings, "4.5.1.1.2/slope-crest", inputs={"what": "1 level"}, result=1)


@pytest.mark.rule("4.1.4.1.4", effect=True)
@both_editions
def test_4_1_4_1_4_rough_on_a_hill_is_rough_terrain(edition):
    """L596, 2016:L755-L761: a hill is not a terrain type; a rough hex on level 1 costs 4, plus 1 for the level."""
    board = a_board(**levels("1", "0") | {"terrain": "^^^^^\n....."})
    mover = a_mover("C2", board=board, edition=edition)

    assert [(item.what, item.cost) for item in mover.ground.entering(parse_hex("C2"), 1).items] == [
        ("Rough", 4),
        ("1 level", 1),
    ]
    assert mover.ground.charts.spotting_cover(board.terrain(parse_hex("C1"))) is Cover.LIGHT


@both_editions
@pytest.mark.parametrize(("start", "facing"), [("C2", 1), ("C1", 4)])
def test_4_5_1_1_2_up_and_down_cost_the_same(edition, start, facing):
    """L1166: two levels add 2 to the cost, up or down."""
    board = a_board(**levels("2", "0"))

    assert driven(a_mover(start, facing=facing, board=board, edition=edition), "f").costs == [3]


@pytest.mark.rule("4.5.1.1.2/level-limit", editions=("2024",))
def test_4_5_1_1_2_wheels_climb_one_level_at_a_time():
    """L1166: tracked and half-tracked vehicles climb at most two levels at a time, wheeled ones one."""
    board = a_board(**levels("2", "0"))

    assert driven(a_mover("C2", card="spw251", board=board), "f").costs == [3]
    assert_rule(driven(a_mover("C2", card="daimler", board=board), "f").objections, "4.5.1.1.2/level-limit")


@pytest.mark.rule("4.5.1.1.2/level-limit", effect=True)
@pytest.mark.rule("4.5.1.1.2/slope-crest", editions=("2016",))
def test_4_5_1_1_2_level_limit_of_2016():
    """2016:L1330: a wheeled vehicle climbs at most one level per hex."""
    board = a_board(**levels("2", "0"))

    route = driven(a_mover("C2", card="daimler", board=board, edition="2016"), "f")

    assert_rule(route.objections, "4.5.1.1.2/slope-crest")


@pytest.mark.rule("4.5.1.1.2/slope-crest", "4.5.1.1.2/level-limit", editions=("2024",))
def test_4_5_1_1_2_three_levels_and_hill_edges_without_slope_are_closed():
    """L606, L1166: vehicles cannot climb three levels at once or cross a hill edge without a slope."""
    cliff = a_board(**levels("1", "0") | {"hill_edges": "cliff"})
    steep = a_board(**levels("3", "0"))

    assert_rule(driven(a_mover("C2", board=cliff), "f").objections, "4.5.1.1.2/slope-crest")
    assert_rule(driven(a_mover("C2", board=steep), "f").objections, "4.5.1.1.2/level-limit")


@pytest.mark.rule("4.5.1.1.2/level-limit", effect=True)
@both_editions
@pytest.mark.rule("4.5.1.1.2/slope-crest")
def test_4_5_1_1_2_a_crest_costs_one_between_equal_levels_only(edition):
    """A-82: a crest counts as a rise of one level; if the levels differ, only the change of level is paid."""
    flat = a_board(hexsides={"crest": ["C9:1"]})
    uphill = a_board(**levels("1", "0"), hexsides={"crest": ["C2:1"]})

    over_flat = driven(a_mover("C9", board=flat, edition=edition), "f")

    assert over_flat.costs == [2]
    assert_rule(over_flat.findings, "4.5.1.1.2/slope-crest", inputs={"what": "Crest"}, result=1)
    assert driven(a_mover("C2", board=uphill, edition=edition), "f").costs == [2]


@both_editions
def test_4_5_1_1_5_a_crest_on_the_road_costs_less_and_a_closed_one_nothing(edition):
    """L1214: levels cost one point less along a road; R-14: a road that crosses a closed hexside makes a gap."""
    board = a_board(hexsides={"crest": ["C9:1"]}, links={"road": ["C9-C8"]})
    plain = charts(edition)
    dear, closed = (
        msgspec.structs.replace(
            plain,
            hexsides=plain.hexsides
            | {"crest": msgspec.structs.replace(plain.hexside("crest"), crossing=dict.fromkeys(TRACTIONS, cost))},
        )
        for cost in (3, PROHIBITED)
    )
    prices = [Ground(board, table, "T").entering(parse_hex("C9"), 1).total for table in (plain, dear, closed)]
    assert prices == [1, 1 + 2, 1]


def test_4_5_1_1_2_gully_banks_are_no_change_of_height():
    """R-15: entering or leaving a gully costs only its terrain row and does not count as a change of level."""
    board = a_strip("u", ".")

    assert driven(a_mover(board=board), "f f").costs == [3, 1]


# --- hexsides ------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1.2/wall", editions=("2024",))
def test_4_5_1_1_2_only_tracks_cross_a_wall():
    """L1162, L1172: tracked vehicles pay extra to cross a wall; half-tracked and wheeled ones cannot cross."""
    board = a_strip(hexsides={"wall": ["C9:1"]})

    tracked = driven(a_mover(board=board), "f")

    assert tracked.costs == [3]
    assert_rule(tracked.findings, "4.5.1.1.2/wall", inputs={"what": "Wall"}, result=2)
    for card in ("spw251", "daimler"):
        assert_rule(driven(a_mover(card=card, board=board), "f").objections, "4.5.1.1.2/wall")


@pytest.mark.rule("4.5.1.1.2/wall", effect=True)
@pytest.mark.rule("4.5.1.1.2/wall-hedgerow", editions=("2016",))
def test_4_5_1_1_2_walls_of_2016():
    """2016:L1326: a wall stops a half-track, but not a tracked vehicle."""
    board = a_strip(hexsides={"wall": ["C9:1"]})

    assert_rule(driven(a_mover(board=board, edition="2016"), "f").findings, "4.5.1.1.2/wall-hedgerow", result=2)
    half_track = driven(a_mover(card="spw251", board=board, edition="2016"), "f")
    assert_rule(half_track.objections, "4.5.1.1.2/wall-hedgerow")


@pytest.mark.rule("4.5.1.1.2/wall-hedgerow", editions=("2016",))
def test_4_5_1_1_2_a_hedgerow_takes_the_whole_allowance():
    """2016:L1338: hexside and hex together cost the full allowance, as the only hex; turns may be free."""
    board = a_strip("^", hexsides={"hedgerow": ["C9:1"]})
    mover = a_mover(board=board, edition="2016")

    crossing = driven(mover, "f r")

    assert crossing.legal
    assert crossing.costs == [WHOLE, 0]
    assert crossing.progress.spent == 4
    assert driven(mover, "f f").objections[0].rule == "4.5.1.1.3"
    later = driven(a_mover("C10", board=board, edition="2016"), "f f")
    assert_rule(later.objections, "4.5.1.1.2/wall-hedgerow")
    for card in ("spw251", "daimler"):
        closed = driven(a_mover(card=card, board=board, edition="2016"), "f")
        assert_rule(closed.objections, "4.5.1.1.2/wall-hedgerow")


def test_4_5_1_1_2_hedgerow_after_a_paid_turn_is_too_late():
    """R-14: crossing a hedgerow takes the whole allowance, so nothing may be spent before it."""
    board = a_strip(hexsides={"hedgerow": ["C9:1"]})

    assert driven(a_mover(facing=3, board=board), "l l f").objections
    assert driven(a_mover(facing=2, board=board), "l f").legal


@pytest.mark.rule("4.5.1.1.2/defilade", editions=("2024",))
def test_4_5_1_1_2_defilade():
    """A defilade costs tracked and half-tracked vehicles one more, and is closed to wheeled ones."""
    board = a_strip(hexsides={"defilade": ["C9:1"]})

    assert_rule(driven(a_mover(board=board), "f").findings, "4.5.1.1.2/defilade", result=1)
    assert driven(a_mover(card="spw251", board=board), "f").costs == [2]
    assert_rule(driven(a_mover(card="daimler", board=board), "f").objections, "4.5.1.1.2/defilade")


# --- brew-up smoke -------------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.5.1.1.2/brew-up-smoke")
@pytest.mark.parametrize("fresh", [True, False])
def test_4_5_1_1_2_brew_up_smoke_costs_one_to_enter_and_one_to_turn_in(edition, fresh):
    """L1176, 2016:L1342: the smoke counts at once, even in the step that made it; A-83: the free turn stays free."""
    route = driven(a_mover(wrecks={"C8": brewed_up(fresh=fresh)}, edition=edition), "f r r")

    assert route.costs == [2, 0, 2]
    assert_rule(route.findings[0], "4.5.1.1.2/brew-up-smoke", result=1)
    assert_rule(route.findings[2], "4.5.1.1.2/brew-up-smoke", result=1)


def test_4_5_1_1_2_a_knocked_out_wreck_does_not_smoke():
    assert driven(a_mover(wrecks={"C8": knocked_out()}), "f").costs == [1]


# --- reverse -------------------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.5.1.1.7")
def test_4_5_1_1_7_reverse_doubles_the_whole_price(edition):
    """L1224-1226, A-31: scrub up a slope, with smoke in it, costs 2 x (2 + 1 + 1) in reverse."""
    board = a_board(**levels("1", "0") | {"terrain": ";;;;;\n....."})
    mover = a_mover("C2", facing=4, board=board, edition=edition, wrecks={"C1": brewed_up()})

    route = driven(mover, "b")

    assert route.costs == [8]
    assert route.progress.facing == 4
    assert_rule(route.findings, "4.5.1.1.7", inputs={"times": 2}, result=8)


@given(steps=st.integers(1, 3), facing=st.integers(1, 6))
def test_4_5_1_1_7_backing_out_of_a_straight_drive_in_the_clear_costs_twice(steps, facing):
    mover = a_mover("J10", card="fast", facing=facing, cards=[a_card("fast", cross_country=20)])
    there = driven(mover, " ".join("f" * steps))

    back = driven(mover, " ".join("b" * steps), begun=there.progress)

    assert back.progress.hex == mover.vehicle.hex
    assert sum(back.costs) == 2 * sum(there.costs)


@pytest.mark.rule("4.5.1.1.7", effect=True)
def test_4_5_1_1_7_what_is_closed_forwards_is_closed_backwards():
    ground = Ground(a_strip("o"), charts("2024"), "T")
    assert in_reverse(ground.entering(parse_hex("C9"), 1)).total == PROHIBITED


# --- properties ----------------------------------------------------------------------------------------------

SIGNS = ".,;^lmbusSofXv:c"


@given(data=st.data(), edition=st.sampled_from(EDITIONS), traction=st.sampled_from(TRACTIONS))
def test_4_5_1_1_2_no_price_is_ever_below_one(data, edition, traction):
    """Every hex costs at least one point, whatever terrain is in or around it, and the parts add up to the cost."""
    rows = [data.draw(st.text(alphabet=SIGNS, min_size=4, max_size=4)) for _ in range(3)]
    heights = [data.draw(st.text(alphabet=".12", min_size=4, max_size=4)) for _ in range(3)]
    edges = data.draw(st.sampled_from(["slope", "cliff"]))
    board = a_board("\n".join(rows), levels="\n".join(heights), hill_edges=edges, links={"road": ["B1-B2-B3"]})
    ground = Ground(board, charts(edition), traction)
    for hex in board.hexes:
        for way in ground.ways(hex):
            assert way is None or way.total in (PROHIBITED, WHOLE) or way.total >= 1
        assert ground.turning(hex, None).total in (PROHIBITED, *range(1, 5))
