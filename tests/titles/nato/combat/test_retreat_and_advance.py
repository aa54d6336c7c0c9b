"""25.7, 25.8 Retreat and advance."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, a_state, an_ask, unit

from pbem.engine.rules.refusals import Refusal
from pbem.titles.nato.board import Board, board_of
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.advance import advance_objections, second_hexes, stacking_objections
from pbem.titles.nato.combat.aftermath import FallBack, RetreatAbout
from pbem.titles.nato.combat.retreat import legal_ways, net_retreat
from pbem.titles.nato.map.grid import distance
from pbem.titles.nato.title import NatoRules


def ways(board: Board, length: int, *ids: str) -> list[tuple[str, ...]]:
    return [way.path for way in legal_ways(board, [unit(board, id) for id in ids], length)]


@pytest.mark.rule("30.4.2", "30.4.4", effect=True)
@pytest.mark.parametrize(
    ("hex", "result", "net"),
    [("3120", 2, 1), ("3120", 1, 0), ("3117", 2, 0), ("3218", 2, 1), ("3318", 2, 2), ("2919", 1, 1)],
)
def test_25_7_2_the_ground_holds_the_defender(hex: str, result: int, net: int) -> None:
    """L3604: in a small city R2 becomes R1, and R1 has no effect."""
    assert net_retreat(a_board({}), hex, result) == net


def test_25_7_4_a_retreat_leads_to_the_rear_and_away_from_the_enemy() -> None:
    board = a_board({"2919": "3/1PZ", "2818": "16GT"})
    found = ways(board, 1, "3/1PZ")

    assert found and all(not board.ezoc(path[0], Side.NATO) for path in found)
    assert all(int(path[0][2:]) >= 19 for path in found)  # to the west


def test_25_7_3_the_second_hex_is_ignored_behind_a_friendly_unit_or_holding_ground() -> None:
    """L3115: a brigade that retreated from 3218 would have stopped in the hex of the PRG."""
    board = a_board({"2919": "3/1PZ", "2920": "2/1PZ", "2818": "16GT", "2918": "21", "3018": "94G"})

    assert ("2920",) in ways(board, 2, "3/1PZ") or all(len(path) == 2 for path in ways(board, 2, "3/1PZ"))
    alone = a_board({"3221": "3/1PZ", "3220": "16GT"}, conquered={"3220": Side.WP})
    assert all(len(path) == 2 or path[0] in ("3222", "3122", "3223") for path in ways(alone, 2, "3/1PZ"))


def test_25_7_4_1_a_surrounded_unit_pays_for_zones_of_control() -> None:
    around = {"2818": "16GT", "3018": "21", "2820": "94G", "3020": "35"}
    board = a_board({"2919": "3/1PZ", **around})
    found = legal_ways(board, [unit(board, "3/1PZ")], 1)

    assert found and all(way.price == 1 for way in found)


def test_25_7_3_nowhere_to_go() -> None:
    from pbem.titles.nato.map.grid import neighbours

    divisions = ("16GT", "21", "94G", "10GT", "207", "35")
    board = a_board({"2919": "3/1PZ", **dict(zip(neighbours("2919"), divisions, strict=True))})

    assert legal_ways(board, [unit(board, "3/1PZ")], 2) == []


@given(
    st.sets(st.sampled_from(["2818", "2918", "3018", "3019", "2819", "2820", "2920", "3020"]), max_size=5),
    st.integers(1, 2),
)
def test_25_7_3_every_legal_way_has_the_right_length_and_avoids_the_enemy(hexes: set[str], length: int) -> None:
    divisions = ("16GT", "21", "94G", "10GT", "207")
    board = a_board({"2919": "3/1PZ 2/1PZ", **dict(zip(sorted(hexes), divisions, strict=False))})
    for way in legal_ways(board, board.at("2919"), length):
        assert not any(board.holds(hex, Side.WP) for hex in way.path)
        assert distance("2919", way.path[-1]) == len(way.path) <= length


@pytest.mark.rule("25.8.2", "25.8")
def test_25_8_2_exploitation_needs_hard_units_and_open_ground() -> None:
    """L3019: 3215 and the two hexes behind it are clear; L2548: a major river stops an exploitation."""
    board = a_board({"3214": "16GT 35G", "2918": "21"})
    battle = a_battle(board, "3215", "16GT", "35G")

    assert second_hexes(board, unit(board, "16GT"), battle)
    assert_rule(
        advance_objections(board, unit(board, "35G"), battle, ["3215", "3216"]),
        "25.8.2",
        why="only hard units can exploit",
    )
    assert_rule(advance_objections(board, unit(board, "21"), battle, ["3215"]), "25.8")
    river = a_battle(board, "2919", "21")
    assert_rule(
        advance_objections(board, unit(board, "21"), river, ["2919", "2920"]),
        "25.8.2",
        why="units cannot exploit across the river from 2918 to 2919",
    )
    unit(board, "16GT").piece.disrupted = True
    assert second_hexes(board, unit(board, "16GT"), battle) == []


@pytest.mark.rule("25.8.2")
@pytest.mark.parametrize(
    ("markers", "why"),
    [
        ({"nuclear": ["3216"]}, "units cannot exploit through 3216, which has a Nuclear Strike marker"),
        (
            {"chemical": {"3215": {Side.WP: False}}},
            "units cannot exploit through 3215, which has a Chemical Strike marker",
        ),
    ],
)
def test_25_8_2_a_strike_marker_in_either_hex_stops_an_exploitation(markers: dict[str, Any], why: str) -> None:
    board = a_board({"3214": "16GT"}, **markers)
    battle = a_battle(board, "3215", "16GT")

    assert_rule(advance_objections(board, unit(board, "16GT"), battle, ["3215", "3216"]), "25.8.2", why=why)


@pytest.mark.rule("25.8.2.1", "9.1.1")
def test_25_8_2_1_two_steps_where_somebody_exploits_four_where_nobody_does() -> None:
    board = a_board({"3214": "16GT 21", "3314": "94G"})
    battle = a_battle(board, "3215", "16GT", "21", "94G")

    assert not list(stacking_objections(board, battle, {"16GT": ["3215"], "21": ["3215"]}))
    assert_rule(stacking_objections(board, battle, {"16GT": ["3215"], "21": ["3215"], "94G": ["3215"]}), "9.1.1")
    crowd = {"16GT": ["3215", "3216"], "21": ["3215"], "94G": ["3215"]}
    assert_rule(stacking_objections(board, battle, crowd), "25.8.2.1")


@pytest.mark.rule("25.8.1")
def test_25_8_1_a_territorial_unit_does_not_advance_over_the_border() -> None:
    board = a_board({"3716": "Gr1", "3717": "16GT"})
    abroad = next(hex for hex, _ in board.atlas.ground["3716"] if board.atlas[hex].country == "WG")
    battle = a_battle(board, abroad, "Gr1")

    assert_rule(advance_objections(board, unit(board, "Gr1"), battle, [abroad]), "25.8.1")


def refused(units: dict[str, str], objective: str, path: tuple[str, ...], **fields: Any) -> Any:
    """Return the refusal of a retreat path for the only defender, or None if the path is legal."""
    state = a_state(units, **fields)
    for piece in state.pieces.values():
        piece.train = "entrained" if piece.id == "94G" else ""
    board = board_of(a_data(), state)
    attackers = [one.id for one in board.of(Side.WP)]
    state.battle = a_battle(board, objective, *attackers)
    ask = an_ask(FallBack, "nato", subject=objective, about=RetreatAbout(len(path)))
    [defender] = board.at(objective, Side.NATO)
    try:
        NatoRules(a_data()).check(state, ask, {"trade": [], "paths": {defender.id: list(path)}})
    except Refusal as refusal:
        return refusal
    return None


@pytest.mark.rule("25.7.4.2", effect=True)
@pytest.mark.rule("25.7.4")
@pytest.mark.parametrize(
    ("units", "fields", "legal", "barred"),
    [
        ({"2818": "3/1PZ", "2817": "16GT"}, {}, "2719", ["2819", "2919", "2817"]),  # a river, the enemy
        ({"2818": "3/1PZ", "2817": "16GT"}, {"nuclear": ["2719"]}, "2819", ["2719"]),  # a strike marker
        ({"3020": "3/1PZ", "3019": "16GT", "3022": "21"}, {}, "2921", ["3021", "3120"]),  # zones of control
        ({"3020": "3/1PZ", "3019": "16GT", "3021": "94G"}, {}, "2921", ["3021"]),  # an enemy train
        ({"3020": "3/1PZ", "3019": "16GT"}, {"conquered": {"3120": Side.WP}}, "3021", ["3120", "2920"]),  # a city
    ],
)
def test_25_7_4_the_priorities_leave_one_way(
    units: dict[str, str], fields: dict[str, Any], legal: str, barred: list[str]
) -> None:
    objective = next(hex for hex, names in units.items() if names == "3/1PZ")
    assert refused(units, objective, (legal,), **fields) is None
    for hex in barred:
        assert_rule(refused(units, objective, (hex,), **fields), "25.7.4")
