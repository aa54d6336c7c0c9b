"""2.2, 4.1, 6.0, 8, 9, 11, 30 Explanations of hexes."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board, a_data, unit

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.explain.hexes import (
    airspace_reason,
    hex_reasons,
    hexside_reason,
    projecting_reason,
    unit_zone_reason,
)
from pbem.titles.nato.map.grid import neighbours

UNITS = {"3116": "16GT 21", "3218": "22/1A 1/1PZ", "3007": "US-Berlin", "2814": "34N"}


def said(hex: str, units: dict[str, str] | None = None, data: Any = None, **fields: Any) -> list[Finding]:
    return list(hex_reasons(a_board(UNITS if units is None else units, data, **fields), hex))


@pytest.mark.rule(
    "2.2", "2.2.1", "2.2/hex-grid", "2.2/country-of-hex", "2.2.2", "2.2.3", "2.2.7", "2.2.8", "6.0/alliance"
)
def test_2_2_the_ground_and_the_areas_of_a_hex() -> None:
    """L236: a small city has priority over a forest."""
    board = a_board({})
    sector1 = board.atlas.sectors[1][0]
    assert_rule(said("3120"), "2.2.1", result="small_city")
    assert_rule(said("3117"), "2.2", result={"terrain": "major_city", "shift": -2, "retreat": 2})
    assert_rule(said("3120"), "2.2/hex-grid", result=list(neighbours("3120")))
    assert_rule(said("3007"), "2.2/country-of-hex", result="WG")
    assert_rule(said("3007"), "6.0/alliance", result="nato")
    assert all(board.atlas.hexside("3007", hex).iron_curtain for hex in neighbours("3007"))
    assert_rule(said(sector1), "2.2.2", result=1)
    assert_rule(said("2420"), "2.2.3", result="north_sea")
    assert_rule(said("2111"), "2.2.3", result="baltic")
    assert_rule(said("1310"), "2.2.7", result="baltap")
    assert_rule(said("3117"), "2.2.7", result="northag")
    assert_rule(said("5313"), "2.2.7", result="centag")
    assert_rule(said("2420"), "2.2.8", result={"port": 4})


@pytest.mark.rule(
    "6.0/all-sea-hex", "6.0/coastal-hex", "6.0/land-hex", "6.0/all-sea-hexside", "6.0/prohibited-terrain"
)
def test_6_0_land_and_sea() -> None:
    board = a_board({})
    sea = sorted(board.atlas.open_sea)[0]
    assert_rule(said(sea), "6.0/all-sea-hex", result="sea")
    assert_rule(said("2420"), "6.0/coastal-hex", result="coastal")
    assert_rule(said("3117"), "6.0/land-hex", result="inland")
    assert_rule([hexside_reason(board, "1513", "1514")], "6.0/all-sea-hexside", result="closed")
    shut = next(one for one, side in sorted(board.atlas.sides.items()) if side.barrier == "blocked")
    assert_rule([hexside_reason(board, *shut)], "6.0/prohibited-terrain", result="closed")


@pytest.mark.rule("10.1.4/map-edge", "10.1.4/port-control")
def test_10_1_4_edges_and_ports() -> None:
    board = a_board({})
    assert_rule(said(board.atlas.sectors[1][0]), "10.1.4/map-edge", result="nato")
    assert_rule(said(board.atlas.sectors[4][0]), "10.1.4/map-edge", result="wp")
    assert_rule(said("2526"), "10.1.4/port-control", result="nato")
    assert_rule(said("2526", ports={"2526": Side.WP}), "10.1.4/port-control", result="wp")
    assert_rule(said("2420", conquered={"2420": Side.WP}), "10.1.4/port-control", result="wp")


@pytest.mark.rule(
    "30.0", "30.1", "30.1.2", "30.2.2", "30.2.4", "30.3.1", "30.4.1", "30.4.2", "30.4.3", "30.4.4", "10.1.3"
)
def test_30_cities_free_and_conquered() -> None:
    assert_rule(said("3117"), "30.0", result={"class": "major", "points": 2})
    assert_rule(said("3120"), "30.1", result="nato")
    assert_rule(said("3120"), "10.1.3", result="free")
    assert_rule(said("3120"), "30.1.2", result={"blocks": "wp", "in supply": True})
    assert_rule(said("3120"), "30.4.1", result=1)
    assert_rule(said("3117"), "30.4.1", result=2)
    assert_rule(said("3120"), "30.2.2", result=True)
    assert_rule(said("3120", nuclear=["3120"]), "30.2.4", result=False)
    taken = said("3117", conquered={"3117": Side.WP})
    assert_rule(taken, "30.1", result="wp")
    assert_rule(taken, "10.1.3", result="conquered")
    assert_rule(taken, "30.3.1", result=0)
    assert_rule(taken, "30.4.4", result="wp")
    assert_rule(said("3120"), "30.4.2", result={"shift": -1, "retreat": 1, "strike": -1})
    assert_rule(taken, "30.4.3", result={"shift": -2, "retreat": 2, "strike": -2})


@pytest.mark.rule("6.0/free-city", "6.0/conquered-city", "4.1.1")
def test_6_0_free_and_conquered_cities() -> None:
    assert_rule(said("3117"), "6.0/free-city", result="nato")
    assert_rule(said("3117", conquered={"3117": Side.WP}), "6.0/conquered-city", result="wp")
    assert_rule(said("3117", conquered={"3117": Side.WP}), "4.1.1", result="wp")


@pytest.mark.rule("4.1.2", "4.1.3", "4.1.5", "4.1.6", "4.1.7", "4.1.8", "4.2.8", "25.9", "6.0/air-interdiction-zone")
def test_4_1_markers_on_a_hex() -> None:
    assert_rule(said("3218", nuclear=["3218"]), "4.1.2", result=True)
    assert_rule(said("3218", chemical={"3218": {Side.WP: True}}), "4.1.3", result={"wp": True})
    assert_rule(said("3218", interdiction={Side.NATO: ["3218"]}), "4.1.5", result=["nato"])
    assert_rule(said("3219", interdiction={Side.NATO: ["3218"]}), "6.0/air-interdiction-zone", result=["wp"])
    assert not [
        one for one in said("3220", interdiction={Side.NATO: ["3218"]}) if one.rule == "6.0/air-interdiction-zone"
    ]
    assert_rule(said("3218", breakthrough=["3218"]), "4.1.6", result=True)
    assert_rule(said("3219", breakthrough=["3218"]), "25.9", result="breakthrough zone")
    assert_rule(said("3626", sites={"3ACR": "3626"}), "4.1.7", result=["3ACR"])
    assert_rule(said("3626", sites={"3ACR": "3626"}, damaged=["3ACR"]), "4.2.8", result=["3ACR"])
    assert_rule(said("3218", resupply="3218"), "4.1.8", result=True)


@pytest.mark.rule("30.2.2", "13.4", effect=True)
@pytest.mark.rule("8.0", "6.0/ezoc", "8.5", "8.5.1", "6.0/zoc", "13.4.1", "27.3.2")
def test_8_0_zones_of_control() -> None:
    assert_rule(said("3117", {"3116": "16GT"}), "8.0", inputs={"side": Side.WP}, result=["16GT"])
    assert_rule(said("3117", {"3116": "16GT"}), "6.0/ezoc", inputs={"side": Side.NATO}, result=True)
    assert_rule(said("3117", {"3116": "16GT"}), "8.5", inputs={"side": Side.NATO}, result=False)
    assert_rule(said("3216", {"3116": "16GT"}), "8.5.1", inputs={"side": Side.NATO}, result=True)
    conquered = said("3117", {"3217": "22/1A"}, conquered={"3117": Side.WP})
    assert_rule(conquered, "8.5.1", inputs={"side": Side.WP}, result=True)
    weak = a_board({"3314": "Gr20", "3116": "16GT 34N"})
    assert_rule([unit_zone_reason(weak, "Gr20")], "6.0/zoc", result=["3314"])
    assert_rule([unit_zone_reason(weak, "16GT")], "6.0/zoc", result=["3116", *neighbours("3116")])
    assert_rule([unit_zone_reason(weak, "34N")], "6.0/zoc", result=["3116", *neighbours("3116")])
    unit(weak, "16GT").piece.train = "entrained"
    assert_rule([unit_zone_reason(weak, "16GT")], "13.4.1", result=[])
    landed = a_board({"2521": "97 31/11PG"}, assaults=["97"])
    assert_rule([unit_zone_reason(landed, "97")], "27.3.2", result=[])


def test_35_5_before_the_war_no_zone_crosses_the_border() -> None:
    board = a_board({"2815": "1/1PZ", "2814": "16GT"}, a_data("border"), turn=1)
    nato, wp = unit_zone_reason(board, "1/1PZ"), unit_zone_reason(board, "16GT")
    assert nato.rule == "35.5" and "2814" not in nato.result
    assert wp.rule == "6.0/zoc" and "2815" in wp.result


@pytest.mark.rule("35.5")
def test_35_5_on_the_first_turn_natos_zones_stop_at_the_border() -> None:
    board = a_board({"2815": "1/1PZ", "2814": "16GT"}, a_data("border"), turn=1)
    inside = [hex for hex in neighbours("2815") if not board.atlas.hexside("2815", hex).iron_curtain]
    assert_rule([unit_zone_reason(board, "1/1PZ")], "35.5", result=["2815", *inside])


@pytest.mark.rule("9.0", "9.2", "6.0/stack", "6.0/stacking-limit")
def test_9_0_stacks_are_open() -> None:
    found = said("3218")
    assert_rule(found, "9.0", result=["1/1PZ", "22/1A"])
    assert_rule(found, "9.2", result=["UK", "WG"])
    assert_rule(found, "6.0/stack", result=True)
    assert_rule(found, "6.0/stacking-limit", result=[2, 2])
    assert_rule(said("3116"), "6.0/stacking-limit", result=[4, 0])


@pytest.mark.rule("11.1", "11.2", "11.3", "6.0/airspace", "11.1/who-projects", "10.5.4")
def test_11_airspace_of_both_sides() -> None:
    """A unit projects its airspace five hexes; a unit without supply projects none."""
    board = a_board({"3116": "16GT", "3114": "NEGF"})
    assert_rule([airspace_reason(board, "3120", Side.WP)], "11.3", result="contested")
    assert_rule([airspace_reason(board, "3212", Side.WP)], "11.3" if presence_of(board, "3212") else "11.1")
    far = a_board({})
    assert_rule([airspace_reason(far, "3303", Side.WP)], "11.1", result="friendly")
    assert_rule([airspace_reason(far, "3303", Side.NATO)], "11.2", result="enemy")
    assert_rule([airspace_reason(far, "3303", Side.NATO)], "6.0/airspace", result="enemy")
    assert_rule([projecting_reason(board, "16GT", "3120")], "11.1/who-projects", result=True)
    lost = a_board({"3120": "16GT"}, conquered={"3120": Side.WP})
    assert_rule([projecting_reason(lost, "16GT", "3120")], "10.5.4", result=False)


def presence_of(board: Board, hex: str) -> bool:
    return airspace_reason(board, hex, Side.NATO).result != "enemy"


@pytest.mark.rule("11.4", "11.5", "11.6.2", "11.7", "11.0/out-of-reach")
def test_11_4_to_11_7_special_airspace() -> None:
    board = a_board({"2113": "138T", "3007": "US-Berlin", "2316": "21", "2412": "NEGF"})
    assert_rule([projecting_reason(board, "US-Berlin", "3007")], "11.5", result=False)
    east = a_board({"2112": "16GT"})
    danish = next(
        hex
        for hex in sorted(east.atlas.places)
        if str(east.atlas.places[hex].country) == "DK" and hex in _ring("2112")
    )
    assert_rule([projecting_reason(east, "16GT", danish)], "11.4", result=False)
    board.passengers.add("21")
    assert_rule([projecting_reason(board, "21", "2316")], "11.7", result=False)
    marked = a_board({"3110": "16GT"})
    unit(marked, "16GT").piece.ms_out = True
    assert_rule([projecting_reason(marked, "16GT", "3110")], "11.6.2", result=True)
    assert unit(marked, "16GT").piece.ms_out
    cut = a_board({}, conquered=dict.fromkeys(marked.atlas.cities, Side.WP), surrendered=["DK", "NL"])
    nobody = [hex for hex in sorted(cut.atlas.places) if airspace_reason(cut, hex, Side.NATO).result == "enemy"]
    assert nobody
    bare = a_board({}, nuclear=[], conquered={hex: cut.owner(hex).enemy for hex in cut.atlas.cities})
    out = next(
        hex
        for hex in sorted(bare.atlas.places)
        if airspace_reason(bare, hex, Side.WP).result == airspace_reason(bare, hex, Side.NATO).result == "enemy"
    )
    assert_rule([airspace_reason(bare, out, Side.WP)], "11.0/out-of-reach", result="enemy")


def _ring(hex: str) -> set[str]:
    from pbem.titles.nato.map.grid import within

    return set(within(hex, 5))
