"""12 Ground movement: costs, modes and zones of control."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.nato.builders import a_board, a_data, unit

from pbem.engine.rules.refusals import Objection
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import neighbours
from pbem.titles.nato.movement.costs import MARCH, MINIMUM, TACTICAL, cost_parts
from pbem.titles.nato.movement.moves import allowance, cheapest_way, reachable_hexes, reserve_objections, walk


def against(board: Board, id: str, *path: str, mode: str = TACTICAL, reserve: bool = False) -> list[Objection]:
    return walk(board, unit(board, id), path, mode, reserve=reserve).objections


def spent(board: Board, id: str, *path: str, reserve: bool = False) -> int:
    found = walk(board, unit(board, id), path, TACTICAL, reserve=reserve)
    assert found.objections == []
    return found.spent


def a_river_crossing(board: Board) -> tuple[str, str]:
    """Return a forest hex behind a major river, and the hex before it."""
    return next(
        (start, end)
        for start, steps in sorted(board.atlas.ground.items())
        for end, side in steps
        if side.river == "major" and board.atlas[end].ground == "forest" and not side.iron_curtain
    )


def test_12_1_cost_of_a_forest_hex_behind_a_major_river() -> None:
    """L1732: the hex costs 2 points, 3 into a zone of control, and 4 if the unit also leaves one."""
    start, end = a_river_crossing(a_board({}))
    beyond = next(hex for hex in neighbours(end) if hex != start and hex not in neighbours(start))
    plain, into = a_board({start: "16GT"}), a_board({start: "16GT", beyond: "7/1A"})

    def cost(board: Board) -> int:
        return sum(
            part for _, part in cost_parts(board, unit(board, "16GT"), start, end, board.atlas.hexside(start, end))
        )

    assert (cost(plain), cost(into)) == (2, 3)
    both = next(hex for hex in neighbours(end) if hex in neighbours(start))
    assert cost(a_board({start: "16GT", both: "7/1A"})) == 4


@pytest.mark.rule("12.3.2")
def test_12_3_a_a_soft_unit_does_not_go_from_zone_to_zone() -> None:
    """L1766: from 3220 a soft unit may not enter the empty 3320, but it may enter Minden for 3
    points and stops there.
    """
    board = a_board({"3220": "WG-63", "3219": "97"})

    assert_rule(against(board, "WG-63", "3320"), "12.3.2")
    assert against(board, "WG-63", "3120", mode=MINIMUM) == []
    assert walk(board, unit(board, "WG-63"), ["3120"], MINIMUM).spent == 3


@pytest.mark.rule("12.3.1", effect=True)
def test_12_3_b_a_hard_unit_goes_from_zone_to_zone() -> None:
    """L1770: 3321, 3320 and 3319 cost 1, 2 and 3 points, the brigade's whole allowance."""
    board = a_board({"3322": "2/1PZ", "3219": "97"})

    assert spent(board, "2/1PZ", "3321", "3320", "3319") == 6 == allowance(unit(board, "2/1PZ"), TACTICAL)


@pytest.mark.rule("12.3")
def test_12_3_all_but_hard_units_stop_in_the_first_zone_they_enter() -> None:
    board = a_board({"3321": "WG-63", "3219": "97"})

    assert_rule(against(board, "WG-63", "3320", "3420"), "12.3")


@pytest.mark.rule("12.1.1")
def test_12_1_1_nobody_goes_to_sea_or_across_a_closed_hexside() -> None:
    board = a_board({"2420": "WG-53", "1513": "1/Zee"})

    assert_rule(against(board, "WG-53", "2421"), "12.1.1")
    assert_rule(against(board, "1/Zee", "1514"), "12.1.1")


@pytest.mark.rule("12.1.2")
def test_12_1_2_enemy_units_and_free_cities_keep_a_unit_out() -> None:
    board = a_board({"3116": "16GT", "3016": "7/1A"})

    assert_rule(against(board, "16GT", "3016"), "12.1.2", why="an enemy unit is in 3016")
    assert_rule(
        against(board, "16GT", "3117"), "12.1.2", why="Hannover 3117 is an enemy free city: it must be attacked"
    )


@pytest.mark.rule("12.1.2", effect=True)
def test_12_1_2_an_enemy_conquered_city_is_entered_by_tactical_movement_only() -> None:
    board = a_board({"3015": "7/1A"}, conquered={"3115": Side.WP})

    assert against(board, "7/1A", "3115") == []
    assert_rule(against(board, "7/1A", "3115", mode=MARCH), "12.1.2")


@pytest.mark.rule("12.2")
def test_12_2_a_way_that_costs_too_much_is_refused_with_the_numbers() -> None:
    board = a_board({"3116": "21"})
    found = assert_rule(against(board, "21", "3115", "3114", "3113", "3112", "3111", "3110"), "12.2")

    assert isinstance(found, Objection) and "it has 5" in found.english


@pytest.mark.rule("12.4", "12.4.2")
def test_12_4_a_march_needs_friendly_airspace_supply_and_no_zones() -> None:
    board = a_board({"3208": "21 NEGF", "3116": "16GT", "3016": "7/1A"})

    assert against(board, "21", "3207", "3206", mode=MARCH) == []
    assert_rule(against(board, "16GT", "3115", mode=MARCH), "12.4", why="3116 is in an enemy zone of control")
    assert_rule(against(board, "NEGF", "3207", mode=MARCH), "12.4.2")
    unit(board, "21").piece.ms_out = True
    assert_rule(against(board, "21", "3207", mode=MARCH), "12.4", why="the unit is out of movement supply")


@pytest.mark.rule("12.4.1")
def test_12_4_1_refugees_keep_nato_from_marching_in_west_germany() -> None:
    data = a_data("refugees")
    board, later = a_board({"3825": "7/1A"}, data, turn=3), a_board({"3825": "7/1A"}, data, turn=4)

    assert_rule(against(board, "7/1A", "3824", mode=MARCH), "12.4.1")
    assert against(later, "7/1A", "3824", mode=MARCH) == []


@pytest.mark.rule("29.2.3", effect=True)
@pytest.mark.rule("12.5", "12.5.1")
def test_12_5_1_a_disrupted_unit_moves_one_hex() -> None:
    board = a_board({"3110": "21!"})

    assert_rule(against(board, "21", "3109"), "12.5.1")
    assert against(board, "21", "3109", mode=MINIMUM) == []
    assert_rule(against(board, "21", "3109", "3108", mode=MINIMUM), "12.5")


@pytest.mark.rule("12.7")
def test_12_7_territorial_units_stay_at_home() -> None:
    board = a_board({"3716": "Gr1"})
    abroad = next(hex for hex, _ in board.atlas.ground["3716"] if board.atlas[hex].country != "EG")

    assert_rule(against(board, "Gr1", abroad), "12.7")
    unit(board, "Gr1").piece.freed = True  # 25.7.8
    assert against(board, "Gr1", abroad) == []


@pytest.mark.rule("29.5.1", "29.7")
def test_29_5_1_29_7_headquarters_are_bound_to_their_areas() -> None:
    board = a_board({"2314": "NEGF", "2415": "LJ"})
    north = next(hex for hex, _ in board.atlas.ground["2314"] if board.atlas[hex].zone == "baltap")
    south = next(hex for hex, _ in board.atlas.ground["2415"] if board.atlas[hex].zone != "baltap")

    assert_rule(against(board, "NEGF", north), "29.5.1")
    assert board.atlas[south].country == "EG" or assert_rule(against(board, "LJ", south), "29.7")
    assert_rule(against(a_board({"2716": "LJ"}), "LJ", "2717"), "29.7")


def test_12_2_half_allowances_round_down_and_reserves_round_up() -> None:
    board = a_board({"3110": "21 NEGF"})
    division, hq = unit(board, "21"), unit(board, "NEGF")
    division.piece.ms_out, hq.piece.supplied = True, False

    assert allowance(division, TACTICAL) == 2 and allowance(hq, TACTICAL) == 2
    assert allowance(division, TACTICAL, reserve=True) == 3  # 28.2.1
    assert allowance(division, MARCH) == 10


@pytest.mark.rule("28.1")
def test_28_1_half_the_allowance_may_be_spent_before_a_unit_is_placed_in_reserve() -> None:
    """L3387: E8 moves from 2918 to 2919, a clear hex across a major river, for 2 of its 5 points."""
    board = a_board({"2918": "E8"})

    assert spent(board, "E8", "2919") == 2
    assert not list(reserve_objections(board, unit(board, "E8"), "2918", TACTICAL, 2))
    assert_rule(reserve_objections(board, unit(board, "E8"), "2918", TACTICAL, 3), "28.1")
    assert_rule(reserve_objections(board, unit(board, "E8"), "2918", MINIMUM, 1), "28.1")


def test_28_2_1_hard_units_pass_a_breakthrough_zone_freely() -> None:
    """L3393: 2920, 2921 and 2922 cost one point each, although NATO units are adjacent."""
    units = {"2919": "E8", "2822": "3/1PZ", "3022": "2/1PZ"}
    board = a_board(units, breakthrough=["2921"])
    unit(board, "E8").piece.reserve = True

    assert spent(board, "E8", "2920", "2921", "2922", reserve=True) == 3
    plain = a_board(units)
    unit(plain, "E8").piece.reserve = True
    assert against(plain, "E8", "2920", "2921", "2922", reserve=True)


@given(st.sampled_from(["21", "16GT", "34N", "NEGF", "WG-63", "2/1PZ", "7/1A"]), st.sampled_from([TACTICAL, MARCH]))
def test_12_2_everything_in_reach_can_be_walked_and_costs_what_the_search_says(id: str, mode: str) -> None:
    board = a_board({"3116": "16GT 21", "3114": "34N NEGF", "3219": "7/1A", "3320": "WG-63", "3322": "2/1PZ BR-I"})
    found = reachable_hexes(board, unit(board, id), mode)
    for hex, cost in found.cost.items():
        if hex != found.start:
            way = cheapest_way(board, unit(board, id), [hex], mode)
            assert way is not None
            trodden = walk(board, unit(board, id), way, mode)
            assert trodden.objections == [] and trodden.spent == cost <= allowance(unit(board, id), mode)
