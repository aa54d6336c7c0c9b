"""10.9, 11 The supply and airspace examples of the rulebook."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board, a_data, a_table, board_on

from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.supply.cities import city_in_supply, free_cities_in_supply
from pbem.titles.nato.supply.headquarters import hq_traces, supplying_hq
from pbem.titles.nato.supply.resupply import resupply
from pbem.titles.nato.supply.units import combat_source, movement_source
from pbem.titles.nato.zones.airspace import airspace, counts, presence

HELD = dict.fromkeys(("2621", "2615", "3115", "3117"), Side.WP)
"""L1628: Oldenburg and Lüneburg are conquered; so are the cities between them and the border."""


def north(**more: str) -> Board:
    """Return the situation of the first supply example, as far as the text describes it."""
    units = {
        "2822": "BR-I",
        "2922": "7/1A",
        "2621": "NEGF",
        "2619": "138T",
        "2321": "P7",
        "2420": "WG-53",
        "2720": "3/2A",
        "2417": "WG-63",
        "2416": "1/1PZ",
        "2317": "97",
        "2516": "119",
        "2814": "34N",
        "2418": "16GT",
        "2318": "21",
        "2415": "94G",
        "2315": "207",
        "2520": "35",
        "2719": "E8",
        "2620": "E1",
        "2721": "10GT",
        "2421": "108",
    }
    return a_board({**units, **more}, conquered=HELD)


def test_10_9_s1_b_the_british_headquarters_traces_to_delfzijl() -> None:
    """L1626: the British corps headquarters traces supply to the port of Delfzijl."""
    board = north()

    assert hq_traces(board, board.units["BR-I"])


def test_10_9_s1_c_a_british_brigade_is_supplied_by_its_headquarters() -> None:
    """L1627: the brigade is within range of its corps headquarters."""
    board = north()

    assert movement_source(board, board.units["7/1A"]) == "BR-I"
    assert combat_source(board, board.units["7/1A"]) == "BR-I"


def test_10_9_s1_d_the_front_headquarters_traces_over_conquered_cities() -> None:
    """L1628: the cities are Oldenburg, Lüneburg and Schwerin. Units within six hexes of their headquarters are
    supplied, but the 138th, which is farther away, is not."""
    board = north()

    assert hq_traces(board, board.units["NEGF"])
    assert movement_source(board, board.units["10GT"]) == "NEGF"
    assert movement_source(board, board.units["138T"]) == ""


@pytest.mark.rule("10.1.9", effect=True)
def test_10_9_s1_e_the_polish_marines_have_no_headquarters_to_trace_to() -> None:
    """L1629: the Polish marines have no headquarters to which they could trace supply."""
    board = north()

    assert movement_source(board, board.units["P7"]) == "" == combat_source(board, board.units["P7"])


def test_10_9_s1_f_bremerhaven_is_cut_off_from_the_land_and_from_the_sea() -> None:
    """L1630: Bremerhaven can be supplied neither by land nor by sea."""
    board = north()

    assert not city_in_supply(board, "2420")
    assert movement_source(board, board.units["WG-53"]) == "" == combat_source(board, board.units["WG-53"])
    assert not counts(board, board.units["WG-53"])


def test_10_9_s1_g_an_inland_port_cannot_be_supplied_by_sea() -> None:
    """L1631: Bremen is an inland port, so it cannot be supplied by sea."""
    board = north()

    assert not city_in_supply(board, "2720")
    assert movement_source(board, board.units["3/2A"]) == "" == combat_source(board, board.units["3/2A"])


def test_10_9_s1_h_the_two_hexes_of_hamburg_supply_each_other() -> None:
    """L1637: each of Hamburg's two hexes supplies the other."""
    board = north()

    assert city_in_supply(board, "2416") and city_in_supply(board, "2417")
    for id in ("WG-63", "1/1PZ"):
        assert movement_source(board, board.units[id]) == "home" == combat_source(board, board.units[id])
        assert counts(board, board.units[id])


def test_10_9_s1_i_free_cities_do_not_supply_units_in_enemy_country() -> None:
    """L1638: Schwerin is near, but it cannot supply airborne regiments in West Germany."""
    board = a_board({"2317": "97", "2516": "119"})

    for id in ("97", "119"):
        assert movement_source(board, board.units[id]) == "" == combat_source(board, board.units[id])


def test_10_9_s1_j_artillery_in_east_germany_traces_to_schwerin() -> None:
    """L1639: artillery in East Germany can trace supply to Schwerin."""
    board = a_board({"2814": "34N"})

    assert movement_source(board, board.units["34N"]) == "home" == combat_source(board, board.units["34N"])


def test_10_9_s2_a_landzealand_traces_over_the_ferry() -> None:
    """L1647: LANDZEALAND can trace supply over the ferry until Denmark surrenders."""
    units = {"1512": "LZ", "1411": "1/Zee"}
    board = a_board(units)

    assert hq_traces(board, board.units["LZ"])
    assert movement_source(board, board.units["1/Zee"]) and combat_source(board, board.units["1/Zee"])


def test_10_9_s2_b_copenhagen_is_out_of_supply_when_it_is_surrounded() -> None:
    """L1648: Copenhagen is out of supply when it is surrounded."""
    board = a_board({"1310": "2/Zee", "1209": "P7", "1210": "336G", "1410": "97"})

    assert "1310" not in free_cities_in_supply(board, Side.NATO)
    assert movement_source(board, board.units["2/Zee"]) == "" and not counts(board, board.units["2/Zee"])


@pytest.mark.rule("10.7.1")
def test_10_9_s2_d_a_resupply_operation_gets_through() -> None:
    """L1650: the value is 5 in a zone of control; dice of 1 and 6, less 1, make 6, which exceeds 5."""
    table = a_table({"1310": "2/Zee", "1410": "97"}, dice=[1, 6], data=a_data("resupply"), turn=3)
    board = board_on(table)
    board.units["97"].piece.ms_out = True
    resupply(table, board, Side.WP, "1410")

    assert_rule(table.findings, "10.7.1", inputs={"value": 5, "zone": 1}, dice=(1, 6), result="supplied")
    assert not board.units["97"].piece.ms_out and table.state.resupply == "1410"


def test_11_3_who_contests_the_airspace_of_north_germany() -> None:
    """L1682: units that cannot trace supply do not contest the airspace."""
    board = a_board(
        {"2420": "21", "2720": "NEGF 94G", "2619": "16GT", "2421": "108", "2819": "7/1A", "2822": "BR-I"},
        conquered=dict.fromkeys(("2420", "2720", "2416", "2615", "3115", "3117"), Side.WP),
    )

    assert counts(board, board.units["21"]) and counts(board, board.units["7/1A"])
    assert airspace(board, "2620", Side.WP) == "contested"


def test_11_5_west_berlin_is_friendly_airspace_of_the_warsaw_pact() -> None:
    """L1690: West Berlin and its garrison do not contest the airspace of the Warsaw Pact."""
    board = a_board({"3007": "US-Berlin"})

    assert airspace(board, "3007", Side.WP) == "friendly" and not presence(board, "3007", Side.NATO)


@pytest.mark.rule("31.1.1", effect=True)
def test_10_3_3_4_west_berlin_supplies_its_garrison_only() -> None:
    board = a_board({"3007": "US-Berlin UK-Berlin", "3008": "FR-Berlin", "3009": "16GT", "3109": "21", "2908": "94G"})

    assert {movement_source(board, board.units[id]) for id in ("US-Berlin", "FR-Berlin")} == {"West Berlin"}
    assert supplying_hq(board, board.units["US-Berlin"]) is None


def test_10_4_4_5_any_headquarters_of_the_nation_supplies_a_nato_unit() -> None:
    board = a_board({"4125": "WG-III", "4124": "2/1PZ", "4126": "4CMBG", "4225": "US-V"})

    assert movement_source(board, board.units["2/1PZ"]) == "WG-III"
    assert movement_source(board, board.units["4CMBG"]) == "US-V"
