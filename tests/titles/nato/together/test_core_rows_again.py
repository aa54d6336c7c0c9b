"""More core rows of the ledger, tested where a deleted line of the rules had gone unnoticed."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board, a_data, a_table, board_on, played, unit

from pbem.engine.rules.refusals import Objection
from pbem.titles.nato.air.helicopters import fly_home
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.combat.prospects import battle_of
from pbem.titles.nato.combat.retreat import legal_ways
from pbem.titles.nato.movement.lift import port_objections
from pbem.titles.nato.movement.moves import walk
from pbem.titles.nato.movement.segments import land
from pbem.titles.nato.player.orders import Commit, Move
from pbem.titles.nato.zones.coordination import attack_objections


@pytest.mark.rule("10.6.3")
def test_10_6_3_a_unit_that_drops_arrives_in_combat_supply() -> None:
    """A dropped unit arrives in combat supply, while a unit flown in by helicopters keeps its marker."""
    table = a_table({"3108": "97 119"}, data=a_data("lift", "helicopters"))
    board = board_on(table)
    for id, mode in (("97", "drop"), ("119", "fly")):
        unit(board, id).piece.cs_out = True
        land(table, board, unit(board, id), Move(id, ("3020",), mode), "3108")
    assert_rule(table.findings, "10.6.3", inputs={"unit": "97"}, result=True)
    assert not unit(board, "97").piece.cs_out and unit(board, "119").piece.cs_out


@pytest.mark.rule("25.1.8", "25.1.8/default-path")
def test_25_1_8_a_brigade_returns_through_flak_and_recovers() -> None:
    """The brigade returns to a headquarters next to a British brigade: its hex is covered by that unit,
    but the hex before it is not."""
    table = a_table({"3016": "NEGF", "3018": "22/1A", "3020": "7/1A"}, [2], brigades={"NEGF": "ready"})
    battle = battle_of(board_on(table), Side.WP, "3018", ())
    battle.flown = {"NEGF": "3018"}
    fly_home(table, board_on(table), battle)
    assert table.state.brigades["NEGF"] == "recovery"
    assert_rule(table.findings, "25.1.8", inputs={"hq": "NEGF", "path": ["3017", "3016"]}, result="recovery")
    assert_rule(table.findings, "25.1.8/default-path", result=["3017", "3016"])


@pytest.mark.rule("21.1.3")
def test_21_1_3_a_soft_unit_goes_on_through_a_struck_hex_and_a_hard_one_stops() -> None:
    around = {"3019": "16GT 21", "2920": "94G", "3120": "P5T"}
    for id, ends in (("22/1A", {"3021"}), ("49/2", {"2922", "3022", "3122"})):
        board = a_board({**around, "3020": id}, a_data("nuclear"), nuclear=["3021"])
        found = {way.path[-1] for way in legal_ways(board, [unit(board, id)], 1)}
        assert found == ends
        if id == "49/2":
            assert_rule(walk(board, unit(board, id), ["3021"], "minimum").objections, "21.1.3")


@pytest.mark.rule("26.2.2")
def test_26_2_2_a_battle_of_two_nations_uses_up_the_attack_of_both() -> None:
    units = {"3019": "22/1A 7/1A", "3119": "1/1PZ 2/1PZ", "3020": "221T*"}
    table = a_table(units, [6], side=Side.NATO)
    played(table, battle_cycle(table, Commit("3020", ("22/1A", "7/1A", "1/1PZ", "2/1PZ"))))
    assert sorted(table.state.multinational) == ["UK", "WG"]
    again = a_board(units, side=Side.NATO, multinational=table.state.multinational)
    assert_rule(attack_objections(again, Side.NATO, [unit(again, "22/1A"), unit(again, "1/1PZ")]), "26.2.2")


@pytest.mark.rule("14.2")
def test_14_2_a_port_must_be_in_friendly_hands() -> None:
    def against(**state: dict[str, Side]) -> list[Objection]:
        return list(port_objections(a_board({}, a_data("ferry"), **state), "2420", Side.NATO, lift=False))

    assert not against()
    assert_rule(against(conquered={"2420": Side.WP}), "14.2")
