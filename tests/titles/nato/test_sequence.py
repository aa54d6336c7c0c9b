"""7.2 The sequence of play, phase by phase."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_data, a_table, board_on, on, played

from pbem.titles.nato.cards.scenario import Arrival, Level, Victory
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.player.orders import Move, MoveOrders
from pbem.titles.nato.sequence import combat, joint_turn, movement, reserves, turn_end

LINE = {"3114": "NEGF", "3116": "16GT 21", "3220": "BR-I 7/1A"}


@pytest.mark.rule("4.2.5", effect=True)
@pytest.mark.rule("10.4", "10.5.1")
def test_7_2_supply_is_determined_before_movement() -> None:
    """A front headquarters deep in the west without a line of supply is unsupplied, and so are its units."""
    table = a_table({"3826": "NEGF 16GT", "3727": "7/1A", "3926": "4/3A", "3725": "12/1A"})
    played(table, movement(table, Side.WP))

    assert_rule(table.findings, "10.4", result={"NEGF": False})
    assert_rule(table.findings, "10.5.1", inputs={"units": ["16GT"]}, result="out of movement supply")
    assert table.state.pieces["16GT"].ms_out and not table.state.pieces["NEGF"].supplied


@pytest.mark.rule("12.2", "28.1", "4.2.1")
def test_7_2_movement_reserve_and_recovery() -> None:
    table = a_table({**LINE, "3110": "E8 207!"})
    orders = MoveOrders((Move("E8", ("3111",), reserve=True),))
    played(table, movement(table, Side.WP), move=orders)

    assert_rule(table.findings, "12.2", inputs={"unit": "E8", "path": ["3111"]}, result="3111")
    assert_rule(table.findings, "28.1", inputs={"unit": "E8"})
    assert_rule(table.findings, "4.2.1", result=["207"])
    assert table.state.next is not None and table.state.next.name == "fighting"


@pytest.mark.rule("28.2.1", "4.2.2")
def test_7_2_the_reserve_phase_ends_markers_and_suppression() -> None:
    table = a_table({**LINE, "3111": "E8", "3216": "34N!"}, breakthrough=["3117"], interdiction={Side.NATO: ["3110"]})
    table.state.pieces["E8"].reserve = True
    table.state.pieces["16GT"].engaged = table.state.pieces["16GT"].fought = True
    played(table, reserves(table), reserve=MoveOrders((Move("E8", ("3112", "3113")),)))

    assert_rule(table.findings, "28.2.1", inputs={"unit": "E8"}, result="3113")
    assert_rule(table.findings, "4.2.2", result=["34N"])
    state = table.state
    assert state.breakthrough == [] and state.interdiction == {} and not state.pieces["16GT"].engaged


@pytest.mark.rule("25.0")
def test_25_0_a_marker_without_anything_to_attack_is_removed() -> None:
    table = a_table(LINE, battles=["3119"])
    played(table, combat(table))

    assert_rule(table.findings, "25.0", inputs={"removed": ["3119"]}, result=[])
    assert table.state.next is not None and table.state.next.name == "reserves"


@pytest.mark.rule("33.2", "33.2.1.2", "29.8")
def test_33_reinforcements_arrive_where_their_code_says() -> None:
    arrivals = (Arrival(2, "E1", "G4"), Arrival(2, "27LL", "RS3223"), Arrival(2, "PRG", "RS3122"))
    data = on(a_data(), arrivals=arrivals)
    table = a_table(
        LINE, dice=[3], data=data, awaited=["E1", "27LL", "PRG"], sites_lost=["3122"], returning={"SEGF": 2}
    )
    played(table, joint_turn(table))

    assert_rule(table.findings, "33.2", inputs={"unit": "E1"}, result="sector4")
    assert_rule(table.findings, "33.2", inputs={"unit": "27LL"}, result="3223")
    assert_rule(table.findings, "33.2.1.2", inputs={"unit": "PRG"}, result="eliminated")
    assert_rule(table.findings, "29.8", inputs={"unit": "SEGF"})
    board = board_on(table)
    assert board.is_city(board.units["SEGF"].at) and table.state.awaited == []


@pytest.mark.rule("30.1.1", effect=True)
@pytest.mark.rule("30.3.2", "30.2.1")
def test_30_1_1_cities_change_hands_when_they_are_entered() -> None:
    """An enemy-held conquered city is liberated by a unit that moves through it."""
    table = a_table({"3015": "7/1A"}, side=Side.NATO, conquered={"3115": Side.WP})
    played(table, movement(table, Side.NATO), move=MoveOrders((Move("7/1A", ("3115",)),)))
    assert_rule(table.findings, "30.3.2", inputs={"city": "Braunschweig"}, result="free")
    assert table.state.conquered == {}

    other = a_table({"3118": "21"}, conquered={"3117": Side.NATO, "3007": Side.NATO})
    played(other, movement(other, Side.WP), move=MoveOrders((Move("21", ("3117",)),)))
    assert_rule(other.findings, "30.2.1", inputs={"hex": "3117"}, result="conquered")


@pytest.mark.rule("34.0")
def test_34_0_the_margin_decides_at_the_end() -> None:
    levels = (Level(2, "marginal", Side.WP), Level(0, "draw"))
    data = on(a_data(), turns=2, victory=Victory(levels, isolated=False, automatic=False))
    table = a_table(LINE, data=data, conquered={"3117": Side.WP}, points={Side.WP: 0, Side.NATO: 0})
    played(table, turn_end(table))

    assert_rule(table.findings, "34.0", inputs={"wp": 2, "nato": 2}, cell=0)
    assert table.state.outcome is not None and table.state.outcome.winner is None


@pytest.mark.rule("34.1.1", "34.1.2.1", "34.3.1")
def test_34_1_automatic_victories() -> None:
    """The match ends if a supplied division is beyond the Rhine, or if NATO holds two Warsaw Pact cities."""
    beyond = a_table(
        {"3725": "NEGF", "3827": "16GT"},
        conquered={hex: Side.WP for hex in a_data().atlas.cities if a_data().atlas[hex].country == "WG"},
    )
    played(beyond, turn_end(beyond))
    assert_rule(beyond.findings, "34.1.1", result=Side.WP)

    tide = a_table(LINE, dice=[3], conquered={"3212": Side.NATO, "3511": Side.NATO})
    played(tide, joint_turn(tide))
    assert_rule(tide.findings, "34.3.1", result=2)
    played(tide, turn_end(tide))
    assert_rule(tide.findings, "34.1.2.1", result=Side.NATO)
