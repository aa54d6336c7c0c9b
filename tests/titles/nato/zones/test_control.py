"""8 Zones of control: their sources and effects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from titles.nato.builders import a_board, a_data, unit

from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import neighbours


def test_8_0_a_maneuver_unit_with_attack_strength_covers_its_hex_and_six_others() -> None:
    board = a_board({"3116": "16GT"})

    assert sorted(board.zones[Side.WP]) == sorted(("3116", *neighbours("3116")))
    assert board.ezoc("3117", Side.NATO) and not board.ezoc("3118", Side.NATO)


def test_8_0_a_unit_without_attack_strength_covers_its_own_hex_only() -> None:
    board = a_board({"3716": "Gr1"})

    assert list(board.zones[Side.WP]) == ["3716"]


@pytest.mark.parametrize("id", ["34N", "NEGF"])
def test_8_0_artillery_and_headquarters_cover_seven_hexes(id: str) -> None:
    assert len(a_board({"3116": id}).zones[Side.WP]) == 7


@pytest.mark.rule("6.0/ezoc", effect=True)
def test_8_0_a_free_city_covers_its_own_hex_and_a_conquered_one_does_not() -> None:
    assert a_board({}).ezoc("3117", Side.WP)
    assert not a_board({}).ezoc("3116", Side.WP)
    assert not a_board({}, conquered={"3117": Side.WP}).ezoc("3117", Side.NATO)
    assert not a_board({}, nuclear=["3117"]).ezoc("3117", Side.WP)  # 30.2.4


def test_8_0_a_unit_on_a_train_has_no_zone_of_control() -> None:
    """13.4.1: an entrained unit has no zone, not even in its own hex."""
    board = a_board({"3116": "16GT"})
    unit(board, "16GT").piece.train = "entraining"
    board.refresh(unit(board, "16GT"))

    assert board.zones[Side.WP] == {}


def test_8_5_a_friendly_unit_or_free_city_negates_an_enemy_zone_of_control() -> None:
    board = a_board({"3116": "16GT", "3016": "7/1A"})

    assert board.ezoc("3016", Side.NATO) and not board.closed("3016", Side.NATO)
    assert board.ezoc("3117", Side.NATO) and not board.closed("3117", Side.NATO)  # Hannover
    assert board.closed("3216", Side.NATO)


def test_35_5_no_zone_crosses_the_border_in_the_first_warsaw_pact_turn() -> None:
    """NATO's zones stop at the Iron Curtain in the Warsaw Pact's player turn of turn 1, and in no other."""
    units = {"3114": "2/1PZ"}
    first = a_board(units, a_data("border"), turn=1)
    later = a_board(units, a_data("border"), turn=2)

    assert sorted(set(later.zones[Side.NATO]) - set(first.zones[Side.NATO])) == ["3013", "3113", "3213"]


@given(st.lists(st.tuples(st.sampled_from(["16GT", "21", "94G"]), st.sampled_from(["3116", "3117", "3217", "2918"]))))
def test_8_0_zones_kept_current_are_those_counted_from_scratch(moves: list[tuple[str, str]]) -> None:
    board = a_board({"3016": "16GT 21", "3216": "94G"})
    for id, hex in moves:
        board.place(unit(board, id), hex)

    assert board.zones == Board(board.data, board.state).zones
    assert {hex: {one.id for one in stack} for hex, stack in board.stacks.items()} == {
        hex: {one.id for one in stack} for hex, stack in Board(board.data, board.state).stacks.items()
    }
