"""8.2, 24 to 27, 29, 30 Explanations of battles: response, envelopment, coordination, support, aftermath."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, on, unit

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.explain.battles import (
    advance_reasons,
    battle_reasons,
    coordination_reasons,
    loss_reasons,
    retreat_reasons,
    support_reasons,
)
from pbem.titles.nato.map.grid import neighbours


def of(board: Board, objective: str, *attackers: str, side: Side = Side.WP, support: str = "") -> list[Finding]:
    return list(battle_reasons(board, a_battle(board, objective, *attackers, side=side, support=support)))


@pytest.mark.rule("8.2.1", "8.2.2", "25.1.2.6", "25.1.2.8", "26.1.6", "26.2.9", "27.3.6", "25.1.2.2")
def test_25_1_2_who_may_respond() -> None:
    """L2606, L2620: the rulebook's two examples of which units may respond."""
    nato = a_board(
        {"2819": "3/1PZ", "2720": "1/3A", "2820": "2/1PZ", "2919": "7/3PZ 8/3PZ", "2920": "35G", "2818": "16GT"}
    )
    found = of(nato, "2819", "16GT")
    assert_rule(found, "8.2.2", inputs={"unit": "2/1PZ"}, result=False)  # alone in a zone of control
    assert_rule(found, "8.2.2", inputs={"unit": "7/3PZ"}, result=True)
    assert_rule(found, "25.1.2.8", inputs={"unit": "3/1PZ"}, result=False)
    assert_rule(found, "26.2.9", inputs={"unit": "1/3A"}, result=False)
    wp = a_board(
        {"3318": "E8", "3317": "21*", "3218": "94G", "3119": "12/1A", "3419": "7/1A", "3417": "C1T"}, side=Side.NATO
    )
    found = of(wp, "3318", "7/1A", side=Side.NATO)
    assert_rule(found, "25.1.2.6", inputs={"unit": "21"}, result=True)
    assert_rule(found, "8.2.1", inputs={"unit": "94G"}, result=False)
    mixed = a_board({"3318": "E8", "3317": "C1T", "3419": "7/1A"}, side=Side.NATO)
    assert_rule(of(mixed, "3318", "7/1A", side=Side.NATO), "26.1.6", inputs={"unit": "C1T"}, result=False)
    assaulted = a_board({"2521": "31/11PG", "2520": "97 32/11PG"}, assaults=["97"])
    assert_rule(
        of(assaulted, "2521", "16GT" if "16GT" in assaulted.units else "97"),
        "27.3.6",
        inputs={"unit": "32/11PG"},
        result=False,
    )
    hole = a_board({"3118": "16GT", "3120": "7/1A"}, cleared=["3119"])
    assert_rule(of(hole, "3119", "16GT"), "25.1.2.2", result=False)


@pytest.mark.rule("30.4.5", "30.4.6")
def test_30_4_5_who_may_respond_into_an_empty_city() -> None:
    board = a_board({"3118": "2/1PZ 7/1A", "3116": "16GT"})
    found = of(board, "3117", "16GT")
    assert_rule(found, "30.4.6", inputs={"unit": "2/1PZ"}, result=True)
    assert_rule(found, "30.4.6", inputs={"unit": "7/1A"}, result=False)
    bank = next(near for near, hexside in board.atlas.ground["3212"] if not hexside.river and near != "3213")
    wp = a_board({"3213": "7/1A", bank: "C1T"}, side=Side.NATO)
    assert_rule(of(wp, "3212", "7/1A", side=Side.NATO), "30.4.5", inputs={"unit": "C1T"}, result=True)


@pytest.mark.rule("8.2.3", "8.2.4", "8.2.5")
def test_8_2_3_flank_and_concentric_attacks() -> None:
    ring = dict(zip(neighbours("2919")[::2], ("16GT", "21", "94G"), strict=True))
    alone = a_board({"2919": "3/1PZ", **ring})
    assert_rule(of(alone, "2919", "16GT"), "8.2.4", result=2)
    assert_rule(of(alone, "2919", "16GT"), "8.2.5", inputs={"beside": ["21", "94G"]}, result="concentric")
    beside = a_board({"2919": "3/1PZ", neighbours("2919")[1]: "2/1PZ", **ring})
    assert_rule(of(beside, "2919", "16GT"), "8.2.3", result=1)
    open_ = a_board({"2919": "3/1PZ", "2818": "16GT"})
    assert_rule(of(open_, "2919", "16GT"), "8.2.3", result=0)


@pytest.mark.rule(
    "26.0", "25.2.1", "26.1.1", "26.1.2", "26.1.4", "26.1.7", "29.5.3", "26.2.4", "26.2.6", "26.2.7", "31.1.2"
)
def test_26_who_may_fight_together() -> None:
    """L3229: three nations are too many; L3231: units of two nations in one hex attack through different hexsides."""
    board = a_board(
        {"3116": "16GT 97 C1T", "3218": "7/1A 1/1PZ", "3219": "4CMBG", "3007": "US-Berlin UK-Berlin FR-Berlin"}
    )
    wp = [unit(board, id) for id in ("16GT", "97")]
    assert_rule(coordination_reasons(board, Side.WP, wp), "26.0", result=True)
    assert_rule(coordination_reasons(board, Side.WP, wp), "26.1.2", result=["97"])
    both = [*wp, unit(board, "C1T")]
    assert_rule(coordination_reasons(board, Side.WP, both), "26.1.1", result=["CZF", "NEGF"])
    assert_rule(coordination_reasons(board, Side.WP, both), "25.2.1", result=False)
    assert_rule(coordination_reasons(board, Side.WP, both), "26.1.4", inputs={"hex": "3116"})
    nato = [unit(board, id) for id in ("7/1A", "4CMBG")]
    assert_rule(coordination_reasons(board, Side.NATO, nato), "26.2.6", result=["4CMBG"])
    assert_rule(coordination_reasons(board, Side.NATO, nato), "26.2.4", inputs={"hex": "3218"}, result=["UK", "WG"])
    berlin = [unit(board, id) for id in ("US-Berlin", "UK-Berlin", "FR-Berlin")]
    assert_rule(coordination_reasons(board, Side.NATO, berlin), "26.2.7", result=True)
    assert_rule(coordination_reasons(board, Side.NATO, berlin), "31.1.2", result=True)
    north = a_board({"2216": "16GT", "2316": "C1T"})
    merged = [unit(north, id) for id in ("16GT", "C1T")]
    assert_rule(coordination_reasons(north, Side.WP, merged), "26.1.7", result=["16GT", "C1T"])
    assert_rule(coordination_reasons(north, Side.WP, merged), "29.5.3", result=["16GT", "C1T"])
    assert_rule(coordination_reasons(north, Side.WP, merged), "26.0", result=True)


@pytest.mark.rule("26.0/contributors", "25.2.5")
def test_26_2_5_two_nations_defend() -> None:
    from pbem.titles.nato.combat.odds import odds_of, reasons

    board = a_board({"3218": "7/1A 1/1PZ 4CMBG", "3118": "16GT"})
    battle = a_battle(board, "3218", "16GT")
    groups = assert_rule(battle_reasons(board, battle), "26.0/contributors")
    assert isinstance(groups, Finding) and len(groups.result) == 3
    assert_rule(reasons(board, battle, odds_of(board, battle)), "25.2.5", result="adds nothing")


@pytest.mark.rule("25.4.2", "25.4.4", "29.3", "8.4", "29.5.2", "29.6.3")
def test_25_4_offensive_support() -> None:
    data = on(a_data(), offensive_support=("NEGF", "US-V"))
    board = a_board(
        {"4220": "US-V", "4020": "1/3A", "3114": "NEGF", "3116": "16GT", "2216": "336G", "2116": "BC", "2111": "BAF"},
        data,
    )
    us = [unit(board, "1/3A")]
    assert_rule(support_reasons(board, unit(board, "US-V"), us), "25.4.2", result=True)
    assert_rule(support_reasons(board, unit(board, "US-V"), us), "25.4.4", result=1)
    assert_rule(
        support_reasons(board, unit(board, "NEGF"), [unit(board, "16GT")]),
        "29.3",
        result={"16GT": 3},
        inputs={"range": 6},
    )
    assert_rule(support_reasons(board, unit(board, "NEGF"), [unit(board, "16GT")]), "8.4", result=["16GT"])
    marines = [unit(board, "336G")]
    assert_rule(support_reasons(board, unit(board, "BAF"), marines), "29.5.2", result=False)
    assert_rule(support_reasons(board, unit(board, "BC"), marines), "29.6.3", result=False)
    cut = a_board({"3114": "NEGF", "3116": "16GT", "3015": "7/1A", "3215": "12/1A"}, data)
    assert_rule(support_reasons(cut, unit(cut, "NEGF"), [unit(cut, "16GT")]), "8.4", result=[])


@pytest.mark.rule("25.7.5", "8.2.6", "25.7.4.2", "25.7.6")
def test_25_7_where_a_retreat_leads() -> None:
    board = a_board({"2919": "3/1PZ", "2818": "16GT"})
    found = list(retreat_reasons(board, [unit(board, "3/1PZ")], 1))
    assert_rule(found, "25.7.5", result=["NW", "SW", "W"])
    assert_rule(found, "8.2.6", result=0)
    assert_rule(found, "25.7.4.2", result=0)
    assert_rule(found, "25.7.6", result=3)
    north = a_board({"2216": "16/6", "2214": "16GT"})
    assert_rule(retreat_reasons(north, [unit(north, "16/6")], 1), "25.7.5", result=["NE", "NW", "W"])
    shut = a_board({"2919": "3/1PZ", "2818": "16GT", "3018": "21", "2820": "94G", "3020": "35"})
    assert_rule(retreat_reasons(shut, [unit(shut, "3/1PZ")], 1), "8.2.6", result=1)
    assert_rule(retreat_reasons(shut, [unit(shut, "3/1PZ")], 1), "25.7.4.2", result=1)


@pytest.mark.rule("25.8.2.2", "25.8.3", "25.8.4", "25.8.5", "25.6.6", "29.2.1")
def test_25_8_who_advances_and_how_far() -> None:
    board = a_board(
        {"3215": "97", "3115": "16GT 34N NEGF 21", "3114": "94G"}, conquered={"3115": Side.WP}, assaults=["97"]
    )
    battle = a_battle(board, "3215", "16GT", "97")
    found = list(advance_reasons(board, battle))
    assert_rule(found, "25.8.3", inputs={"unit": "16GT"}, result=True)
    assert_rule(found, "25.8.4", inputs={"unit": "34N"}, result=False)
    assert_rule(found, "29.2.1", inputs={"unit": "NEGF"}, result=False)
    assert_rule(found, "25.8.5", inputs={"unit": "97"}, result=False)
    assert_rule(found, "25.6.6", inputs={"unit": "21"}, result=False)
    unit(board, "16GT").piece.disrupted = True
    assert_rule(advance_reasons(board, battle), "25.8.2.2", inputs={"unit": "16GT", "second": []}, result=True)


@pytest.mark.rule("29.2.1", effect=True)
@pytest.mark.rule("24.2.2", "25.7.7", "25.6.3.2", "25.6.3.3")
def test_24_2_2_maneuver_units_are_lost_before_artillery_and_headquarters() -> None:
    board = a_board({"3120": "34N NEGF 21 E8", "3119": "7/1A"}, side=Side.NATO, conquered={"3120": Side.WP})
    unit(board, "E8").piece.engaged = True
    battle = a_battle(board, "3120", "7/1A", side=Side.NATO)
    battle.helicopters = {Side.NATO: "US-V"}
    found = list(loss_reasons(board, battle))
    assert_rule(found, "24.2.2", result=["21", "E8", "34N", "NEGF"])
    assert_rule(found, "25.7.7", result=["E8"])
    assert_rule(found, "25.6.3.2", result=False)
    assert_rule(found, "25.6.3.3", result=["US-V"])
