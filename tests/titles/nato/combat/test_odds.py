"""25.3, 25.5 Strengths, odds and shifts, with every worked example of the rulebook."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from titles.nato.builders import a_battle, a_board, a_data, unit

from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.charts import ODDS, charts
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.odds import basic_odds, envelopment, final_odds, odds_of, shifts
from pbem.titles.nato.combat.strength import (
    attack_rows,
    attack_total,
    defense_factors,
    defense_rows,
    defense_total,
    fraction_in_words,
    ground_of,
)
from pbem.titles.nato.map.grid import neighbours


@pytest.mark.parametrize(
    ("attack", "defense", "odds"),
    [
        (28, 8, "3:1"),
        (13, 2, "6:1"),
        (18, 3, "6:1"),
        (200, 3, "10:1"),
        (0, 1, "1:4"),
        (2, 9, "1:4"),
        (3, 4, "1:2"),
        (4, 4, "1:1"),
    ],
)
def test_25_3_3_basic_odds_round_in_the_defenders_favour(attack: int, defense: int, odds: str) -> None:
    """L2710: 28 to 8 counts as 3:1."""
    assert basic_odds(attack, defense) == odds


@pytest.mark.parametrize(
    ("basic", "net", "final"),
    [
        ("3:1", 1, "4:1"),
        ("9:1", 2, "10:1"),
        ("1:3", -2, "1:4"),
        ("1:1", 5, "3:1"),
        ("1:1", -5, "1:3"),
        ("4:1", 2, "6:1"),
    ],
)
def test_25_5_1_final_odds_stay_within_two_columns_and_on_the_table(basic: str, net: int, final: str) -> None:
    """L2787, L2789, 25.5.1.1: odds shift by at most two columns and never leave the table."""
    assert final_odds(basic, net) == final


def test_25_5_1_2_surprise_lifts_the_upper_limit_only() -> None:
    assert final_odds("1:1", 5, unlimited=True) == "6:1" and final_odds("4:1", -5, unlimited=True) == "2:1"


@given(st.integers(0, 300), st.integers(1, 60), st.integers(-6, 6))
def test_25_3_3_more_attack_never_makes_odds_worse(attack: int, defense: int, net: int) -> None:
    columns = [ODDS.index(final_odds(basic_odds(attack + more, defense), net)) for more in (0, 1, 5)]

    assert columns == sorted(columns)


def test_25_3_1_1_attack_across_a_minor_river_into_rough() -> None:
    """L3103: 16GT and 21 attack 3218 from 3118 with (10 + 8) x 3/4 = 13 1/2, which counts as 13."""
    board = a_board({"3118": "16GT 21", "3218": "1/1PZ!"})
    rows = attack_rows(board, a_battle(board, "3218", "16GT", "21"))

    assert sum(row.value for row in rows) == Fraction(27, 2) and attack_total(rows) == 13
    assert fraction_in_words(Fraction(27, 2)) == "13 1/2"


def test_25_9_the_first_battle_of_the_combat_example() -> None:
    """L3097: 13 to 2 is 6:1; helicopters and rough ground cancel out; a 1 gives A1/D1R1."""
    board = a_board({"3118": "16GT 21", "3218": "1/1PZ!"})
    battle = a_battle(board, "3218", "16GT", "21")
    battle.helicopters = {Side.WP: "NEGF"}
    odds = odds_of(board, battle)

    assert (odds.attack, odds.defense, odds.net, odds.final) == (13, 2, 0, "6:1")
    assert charts().combat(odds.final, 1).text == "A1/D1R1"


def test_22_3_4_a_chemical_marker_halves_both_sides_exactly() -> None:
    """The note to L3097: with a chemical marker both sides are halved, and 6 to 1 is still 6:1."""
    board = a_board({"3118": "16GT 21", "3218": "1/1PZ!"}, chemical={"3218": {Side.WP: False}})
    odds = odds_of(board, a_battle(board, "3218", "16GT", "21"))

    assert (odds.attack, odds.defense, odds.basic) == (6, 1, "6:1")


def test_25_3_2_defense_fractions_are_added_before_they_are_rounded_up() -> None:
    """L2706: 1/4 alone counts as 1; 1/4 and 1 1/2 count as 2, and with a small city as 3."""
    hex = "2919"  # clear
    board = a_board({hex: "BE-1/1! 2/1PZ"}, chemical={hex: {Side.WP: False}})
    unit(board, "BE-1/1").piece.cs_out = True
    rows = defense_rows(board, a_battle(board, hex))

    assert sorted(row.value for row in rows) == [Fraction(1, 4), Fraction(3, 2)] and defense_total(rows) == 2
    assert defense_total([row for row in rows if row.who == "BE-1/1"]) == 1
    city = a_board({"3120": "BE-1/1! 2/1PZ"}, chemical={"3120": {Side.WP: False}})
    unit(city, "BE-1/1").piece.cs_out = True
    assert defense_total(defense_rows(city, a_battle(city, "3120"))) == 3


def test_25_2_7_one_provisional_strength_counts_beside_the_city() -> None:
    """L2664: a major city with artillery and a headquarters has a strength of 2 + 1."""
    board = a_board({"3006": "34N NEGF"})
    battle = a_battle(board, "3006", side=Side.NATO)

    assert defense_total(defense_rows(board, battle)) == 3
    with_troops = a_board({"3110": "34N 21"})
    assert [row.who for row in defense_rows(with_troops, a_battle(with_troops, "3110", side=Side.NATO))] == ["21"]


@pytest.mark.rule("25.3.2.2", effect=True)
def test_25_3_2_2_soft_units_count_double_in_cover_and_hard_ones_do_not() -> None:
    board = a_board({"3218": "WG-63 1/1PZ", "2919": "WG-61"})

    assert [(one.why, one.value) for one in defense_factors(board, unit(board, "WG-63"))] == [
        ("soft unit in rough", 2)
    ]
    assert not list(defense_factors(board, unit(board, "1/1PZ")))
    assert not list(defense_factors(board, unit(board, "WG-61")))


def test_25_3_1_1_armor_attacks_cities_at_half_strength() -> None:
    board = a_board({"3116": "16GT 21"})
    rows = attack_rows(board, a_battle(board, "3117", "16GT", "21"))

    assert [row.value for row in rows] == [5, 8]


def test_27_3_assault_battle() -> None:
    """L3323: three divisions across the Weser and two regiments inside have 10 1/2 + 8 to 3, which is 6:1."""
    board = a_board({"2520": "94G 21", "2620": "16GT!", "2521": "108 119 3/1PZ"})
    board.assault(frozenset({"108", "119"}))
    odds = odds_of(board, a_battle(board, "2521", "94G", "21", "16GT", "108", "119"))

    assert (odds.attack, odds.defense, odds.final) == (18, 3, "6:1")
    assert sum(row.value for row in odds.attack_rows) == Fraction(37, 2)


def surrounded(objective: str, **more: str) -> Board:
    """Put Soviet divisions on all sides of a hex."""
    divisions = ("16GT", "21", "94G", "10GT", "207", "35")
    ring = dict(zip(neighbours(objective), divisions, strict=True))
    return a_board({objective: "31/11PG", **ring, **more})


def test_25_3_4_2_25_3_4_3_flank_and_concentric_attacks() -> None:
    """L2736, L2745, 8.2.3, 8.2.4: the rulebook's examples of flank and concentric attacks."""
    alone = surrounded("2717")
    assert envelopment(alone, "2717", Side.WP) == "concentric"
    hexes = list(neighbours("2717"))
    beside = a_board({"2717": "31/11PG", hexes[0]: "32/11PG", hexes[2]: "16GT", hexes[4]: "21", hexes[5]: "94G"})
    assert envelopment(beside, "2717", Side.WP) == "flank"
    open_side = a_board({"2717": "31/11PG", hexes[0]: "16GT", hexes[1]: "21"})
    assert envelopment(open_side, "2717", Side.WP) == ""


def test_25_3_4_3_no_bonus_against_a_lone_city() -> None:
    divisions = ("16GT", "21", "94G", "10GT", "207", "35")
    board = a_board(dict(zip(neighbours("3117"), divisions, strict=True)))

    assert envelopment(board, "3117", Side.WP) == ""


def test_27_3_2_assaulting_units_do_not_help_to_envelop() -> None:
    board = surrounded("2717")
    board.assault(frozenset({"16GT", "21", "94G", "10GT", "207", "35"}))
    board.place(unit(board, "16GT"), "2520")

    assert envelopment(board, "2717", Side.WP) == ""


@pytest.mark.rule("3.6.2", effect=True)
def test_25_3_4_every_shift_is_told_with_its_rule() -> None:
    board = a_board({"3118": "16GT 21", "3218": "1/1PZ"}, a_data("surprise"), turn=1)
    battle = a_battle(board, "3218", "16GT", support="NEGF")
    battle.helicopters = {Side.WP: "NEGF", Side.NATO: "US-V"}
    found = {shift.rule: shift.value for shift in shifts(board, battle) if shift.rule != "25.3.4.4"}

    assert found == {"25.3.4.1": -1, "25.3.4.5": 1, "25.4": 1}
    assert sum(shift.value for shift in shifts(board, battle) if shift.rule == "25.3.4.4") == 0


@pytest.mark.parametrize(
    ("hex", "shift", "retreat"), [("3120", -1, 1), ("3117", -2, 2), ("3218", -1, 1), ("3318", -1, 0), ("2919", 0, 0)]
)
def test_25_3_4_1_25_7_2_the_ground_of_the_examples(hex: str, shift: int, retreat: int) -> None:
    ground = ground_of(a_board({}), hex)

    assert (ground.shift, ground.retreat) == (shift, retreat)
