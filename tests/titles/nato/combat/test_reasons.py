"""25.3, 25.5, 25.6 Every number of a battle is in its finding, with its rule."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, a_table, board_on, on, played, unit

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.charts import charts
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import battle_cycle, end_assault, result_reason
from pbem.titles.nato.combat.eligibility import integrity_objections, support_objections
from pbem.titles.nato.combat.losses import disrupt
from pbem.titles.nato.combat.odds import odds_of, reasons
from pbem.titles.nato.combat.orders import Fight, NextBattle
from pbem.titles.nato.data_set import NatoData, Options
from pbem.titles.nato.player.orders import Commit, Plan, read_plan, write_battle
from pbem.titles.nato.title import NatoRules


def why(board: Board, objective: str, *attackers: str, side: Side = Side.WP, support: str = "") -> list[Finding]:
    battle = a_battle(board, objective, *attackers, side=side, support=support)
    return reasons(board, battle, odds_of(board, battle))


@pytest.mark.rule("25.2.3", "25.3.1", "25.3.1.1", "25.3.1.2", "25.3.1.3", "25.3.2", "25.3.3", "25.5.1", "27.3.4")
def test_27_3_the_assault_example_number_by_number() -> None:
    """L3323: (8 + 8 + 10 x 1/2) x 1/2 across the river, and two regiments inside counted double, make 18 to 3."""
    units = {"2520": "21 94G", "2620": "16GT!", "2521": "97 119 3/1PZ"}
    board = a_board(units, assaults=["97", "119"], battles=["2521"])
    found = why(board, "2521", "21", "94G", "16GT", "97", "119")

    assert_rule(found, "25.2.3", inputs={"who": "16GT", "why": "disrupted"}, result="1/2")
    assert_rule(found, "25.3.1.1", inputs={"who": "21", "why": "across a major river"}, result="1/2")
    assert_rule(found, "25.3.1.2", inputs={"who": "97"}, result="2")
    assert_rule(found, "27.3.4", inputs={"who": "97"}, result="2")
    assert_rule(found, "25.3.1", inputs={"who": "16GT", "printed": 10}, result="2 1/2")
    assert_rule(found, "25.3.1.3", inputs={"attack": "18 1/2"}, result=[18, 3])
    assert_rule(found, "25.3.2", inputs={"who": "3/1PZ"}, result="3")
    assert_rule(found, "25.3.3", inputs={"attack": 18, "defense": 3}, result="6:1")
    assert_rule(found, "25.5.1", result="6:1")


@pytest.mark.rule("25.2.5", effect=True)
@pytest.mark.rule("25.3.2.1", "25.3.2.2", "25.3.2.3", "25.2.7", "25.3.2.4", "25.2.6")
def test_25_3_2_what_defenders_add() -> None:
    """L2664, L2706: the rulebook's two examples of defending strength."""
    city = a_board({"3120": "BR-I", "3119": "16GT"})
    assert_rule(why(city, "3120", "16GT"), "25.3.2.3", inputs={"who": "Minden"}, result="1")
    assert_rule(why(city, "3120", "16GT"), "25.2.7", inputs={"who": "BR-I"}, result="1")
    field = a_board({"3218": "WG-63 1/1PZ! BR-I 7/1A 12/1A", "3118": "16GT"}, chemical={"3218": {Side.WP: True}})
    unit(field, "7/1A").piece.train = "entrained"
    unit(field, "12/1A").piece.engaged = True
    found = why(field, "3218", "16GT")
    assert_rule(found, "25.3.2.1", inputs={"who": "1/1PZ", "why": "disrupted"}, result="1/2")
    assert_rule(found, "25.3.2.1", inputs={"who": "WG-63", "why": "strike marker"}, result="1/2")
    assert_rule(found, "25.3.2.2", inputs={"who": "WG-63"}, result="2")
    assert_rule(found, "25.3.2.4", inputs={"unit": "7/1A", "why": "on a train"}, result="adds nothing")
    assert_rule(found, "25.3.2.4", inputs={"unit": "BR-I", "why": "behind maneuver units"}, result="adds nothing")
    assert_rule(found, "25.2.6", inputs={"unit": "12/1A"}, result="adds nothing")


@pytest.mark.rule("25.3.1.3", effect=True)
@pytest.mark.rule("25.3.4", "25.5.1", "25.5.1.1", "25.5.1.2", "6.0/column-shift")
def test_25_5_1_shifts_and_their_limit() -> None:
    data = on(a_data("surprise"), offensive_support=("NEGF",))
    units = {"2919": "3/1PZ", "2818": "16GT", "3018": "21", "2820": "94G", "3020": "35", "2817": "NEGF"}
    for turn, rule, moved in ((2, "25.5.1.1", 2), (1, "25.5.1.2", 4)):
        board = a_board(units, data, turn=turn)
        found = why(board, "2919", "35", support="NEGF")
        net = assert_rule(found, "25.3.4")
        assert isinstance(net, Finding) and net.result == (3 if turn == 2 else 4)
        assert_rule(found, rule, inputs={"net": net.result}, result=moved)
        assert_rule(found, "25.5.1")
        assert_rule(found, "6.0/column-shift")


@pytest.mark.rule("25.6")
def test_25_6_the_codes_of_a_result() -> None:
    """L2811: the explanation gives the meaning of each result code."""
    found = [result_reason(charts().combat(column, die)) for column in ("6:1", "10:1") for die in range(1, 7)]
    assert_rule(
        found, "25.6", inputs={"result": "A1/D1R1"}, result={"attacker steps": 1, "defender steps": 1, "retreat": 1}
    )


@pytest.mark.rule("25.6.4.3", "25.6.4.4", "25.6.4")
def test_25_6_4_disruption_and_suppression() -> None:
    table = a_table({"3116": "16GT! 34N NEGF"})
    board = board_on(table)
    disrupt(table, board, [unit(board, id) for id in ("16GT", "34N", "NEGF")], "25.6.4")
    assert_rule(table.findings, "25.6.4", inputs={"units": ["34N", "NEGF"]})
    assert_rule(table.findings, "25.6.4.4", result=["34N", "NEGF"])
    assert_rule(table.findings, "25.6.4.3", result=["16GT"])


def fought(table: Any, commit: Commit, dice: list[int], **answers: Any) -> list[Finding]:
    table.chance.dice = dice + [2] * 20
    with contextlib.suppress(AssertionError):
        played(table, battle_cycle(table, commit), **answers)
    assert table.state.battle is None
    return list(table.findings)


@pytest.mark.rule("25.6.5", "25.6.4.1", "25.6.4.2")
def test_25_6_4_1_attackers_are_disrupted_before_they_advance_and_disrupted_units_retreat() -> None:
    table = a_table({"2919": "3/1PZ!", "2818": "16GT", "3018": "21"}, battles=["2919"])
    found = fought(table, Commit("2919", ("16GT", "21")), [2])
    assert_rule(found, "25.6.5")
    before = [one.rule for one in found]
    assert before.index("25.1.7") > before.index("25.1.6")
    assert_rule(found, "25.6.4.1")
    again = a_table({"2919": "3/1PZ! 2/1PZ!", "2818": "16GT", "3018": "21"}, battles=["2919"])
    found = fought(again, Commit("2919", ("16GT", "21")), [5])
    assert_rule(found, "25.6.4.2")


@pytest.mark.rule("27.3.3", effect=True)
@pytest.mark.rule("30.4.7", "30.4.8", "30.4.9", "30.4.7.1", "23.2.2.2")
def test_30_4_7_a_lone_city_and_a_city_with_units() -> None:
    lone = a_table({"3119": "16GT 21"}, battles=["3120"], tactical={Side.NATO: 1}, conquered={"3117": Side.WP})
    found = fought(lone, Commit("3120", ("16GT", "21")), [1, 6], air_defense=[[{"hex": "3119", "targets": ["16GT"]}]])
    assert_rule(found, "30.4.7", inputs={"city": "Minden"})
    assert_rule(found, "30.4.7.1", result=["3119"])
    assert_rule(found, "23.2.2.2", result=["3119"])
    assert_rule(found, "30.4.9", inputs={"city": "Minden"})
    held = a_table({"3120": "7/1A", "3119": "16GT 21"}, battles=["3120"])
    found = fought(held, Commit("3120", ("16GT", "21")), [6])
    assert_rule(found, "30.4.8", inputs={"city": "Minden"})


@pytest.mark.rule("23.2.2.2", effect=True)
@pytest.mark.rule("27.0", "27.3", "27.3.7", "27.3.3", "27.1.1")
def test_27_3_an_assault_that_clears_its_hex() -> None:
    units = {"2521": "97 BC P7 3/1PZ", "2522": "21 94G"}
    table = a_table(units, battles=["2521"], assaults=["97", "BC", "P7"], tactical={Side.NATO: 1})
    commit = Commit("2521", ("97", "P7", "21", "94G"))
    found = fought(table, commit, [1, 6], air_defense=[[{"hex": "2521", "targets": ["97"]}]])
    assert_rule(found, "27.0", result="2521")
    assert_rule(found, "27.3", result=["97", "P7"])
    assert_rule(found, "27.3.3", result=["2521"])
    assert_rule(found, "27.3.7")
    assert_rule(found, "27.1.1", result="adds nothing")


@pytest.mark.rule("27.3/they-shall-not-pass", "27.3.5")
def test_27_3_5_an_assault_that_fails_and_one_that_nobody_survives() -> None:
    table = a_table({"2521": "97 3/1PZ"}, battles=["2521"], assaults=["97"])
    board = board_on(table)
    battle = a_battle(board, "2521", "97")
    end_assault(table, board, battle)
    assert_rule(table.findings, "27.3.5", result=["97"])
    stood = a_table({"2521": "97"}, battles=["2521"], assaults=["97"])
    board = board_on(stood)
    battle = a_battle(board, "2521", "97")
    battle.stood = True
    end_assault(stood, board, battle)
    assert_rule(stood.findings, "27.3/they-shall-not-pass", result=["97"])


@pytest.mark.rule("25.4.5")
def test_25_4_5_formation_integrity_if_it_is_chosen() -> None:
    bare = on(a_data(), offensive_support=("NEGF", "US-V"))
    data = NatoData(bare.atlas, bare.units, bare.charts, bare.scenario, Options(integrity="on"))
    units = {"3114": "NEGF", "3116": "16GT 21 207", "4220": "US-V", "4020": "1/3A 4/2PG"}
    board = a_board(units, data)
    one, other = unit(board, "16GT"), unit(board, "207")
    assert one.card.army != other.card.army
    assert_rule(support_objections(board, unit(board, "NEGF"), [one, other]), "25.4.5")
    assert not list(support_objections(board, unit(board, "NEGF"), [one, unit(board, "21")]))
    both = [unit(board, "1/3A"), unit(board, "4/2PG")]
    assert_rule(integrity_objections(board, unit(board, "US-V"), both), "25.4.5")
    assert not list(support_objections(a_board(units, bare), unit(a_board(units, bare), "NEGF"), [one, other]))


def test_7_2_a_battle_may_hang_on_another_or_on_its_odds() -> None:
    """With `if 3018 taken` or `if odds 3:1`, the first plan whose condition holds is fought."""
    rules = NatoRules(a_data())
    board = a_board(
        {"3116": "16GT 21", "3118": "94G", "3119": "7/1A", "3218": "12/1A"}, battles=["3119"], phase="combat"
    )
    ask = Fight.make_ask("wp")
    said = rules.decide(board.state, ask).read_text(
        "attack 3119 with 94G if 3218 taken\nattack 3119 with 94G if odds 10:1"
    )
    plan = read_plan(said.plan).battles
    assert [one.when for one in plan] == ["3218 taken", "odds 10:1"]
    assert write_battle(plan[0]) == "attack 3119 with 94G if 3218 taken"
    decision = rules.decide(board.state, NextBattle.make_ask("wp", subject="1"))
    assert isinstance(decision, NextBattle)
    assert not decision.holds(plan[0]) and not decision.holds(plan[1])
    assert decision.holds(Commit("3119", ("94G",), when="odds 1:4"))
    board.state.fought.append("3218")
    assert decision.holds(Commit("3119", ("94G",), when="3218 held"))
    assert not list(decision.from_plan({"battles": [{"objective": "3119", "units": ["94G"], "when": "3218 taken"}]}))
    assert Plan(battles=tuple(plan)).battles[0].when
