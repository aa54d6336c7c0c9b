"""25, 26 Shifts reported with their rules, windows that refuse answers, and what happens to trains in battle."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, failures
from titles.nato.builders import a_battle, a_board, a_data, a_state, a_table, board_on, played, unit

from pbem.engine.rules.findings import PUBLIC, seen_by
from pbem.engine.rules.refusals import Refusal
from pbem.titles.nato.air.helicopters import brigade_objections
from pbem.titles.nato.air.strike_decisions import AirDefense, Targets, TargetsAbout, reach_objections
from pbem.titles.nato.artillery.fire import fire_objections
from pbem.titles.nato.board import board_of
from pbem.titles.nato.cards.charts import charts
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.aftermath import FallBack, RetreatAbout
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.combat.eligibility import response_objections
from pbem.titles.nato.combat.odds import odds_of
from pbem.titles.nato.combat.orders import NextBattle
from pbem.titles.nato.map.grid import neighbours
from pbem.titles.nato.player.orders import AirStrike, Commit
from pbem.titles.nato.title import NatoRules

RING = ("16GT", "21", "94G", "10GT", "207", "35")


def die_for(units: dict[str, str], objective: str, attackers: tuple[str, ...], text: str, **fields: Any) -> int:
    board = a_board(units, **fields)
    final = odds_of(board, a_battle(board, objective, *attackers)).final
    return next(die for die in range(1, 7) if charts().combat(final, die).text.replace(" ", "") == text)


@pytest.mark.rule("25.3.4", effect=True)
@pytest.mark.rule("25.3.4.1", "25.3.4.5", "25.7.2")
def test_25_3_4_terrain_and_surprise_are_told_with_the_battle() -> None:
    """Rough ground costs one column and lets the defender hold; surprise gives one column back."""
    units = {"3114": "NEGF", "3118": "16GT", "3218": "1/1PZ"}
    data = a_data("surprise")
    table = a_table(units, dice=[3], data=data, turn=1, battles=["3218"])
    played(table, battle_cycle(table, Commit("3218", ("16GT",))))

    assert_rule(table.findings, "25.3.4.1", inputs={"shift": "rough"}, result=-1)
    assert_rule(table.findings, "25.3.4.5", result=1)
    assert_rule(table.findings, "25.7.2", inputs={"result": 1}, result=0)


@pytest.mark.rule("25.3.4.3", "25.7.4.1")
def test_25_3_4_3_a_surrounded_unit_is_attacked_from_all_sides_and_pays_for_its_retreat() -> None:
    around = dict(zip(neighbours("2919"), RING, strict=True))
    units = {"2919": "3/1PZ 2/1PZ", **around, "2621": "NEGF"}
    units.pop(neighbours("2919")[3])  # the western hex is empty, but in their zones
    attackers = tuple(id for id in RING if id in units.values())
    held = {"conquered": {"2621": Side.WP, "3117": Side.WP}}
    board = a_board(units, **held)
    final = odds_of(board, a_battle(board, "2919", *attackers)).final
    die = next(die for die in range(1, 7) if "R" in charts().combat(final, die).text)
    table = a_table(units, dice=[die], battles=["2919"], **held)
    played(table, battle_cycle(table, Commit("2919", attackers)))

    assert_rule(table.findings, "25.3.4.3", result=2)
    assert_rule(table.findings, "25.7.4.1", inputs={"why": "retreat"})


@pytest.mark.rule("25.3.4.2", "25.3.4.4", "25.4")
def test_25_3_4_2_a_flank_attack_with_support_and_helicopters() -> None:
    west = neighbours("2919")[3]
    units = {
        "2919": "3/1PZ",
        west: "2/1PZ",
        "2818": "16GT",
        "3018": "21",
        "2820": "94G",
        "3020": "35",
        "2915": "NEGF",
    }
    held = {"conquered": {"3117": Side.WP, "3115": Side.WP, "2615": Side.WP}, "brigades": {"NEGF": "ready"}}
    table = a_table(units, dice=[6, 6], battles=["2919"], **held)
    played(table, battle_cycle(table, Commit("2919", ("16GT", "21"), support="NEGF", helicopters="NEGF")))

    assert_rule(table.findings, "25.3.4.2", result=1)
    assert_rule(table.findings, "25.3.4.4", result=1)
    assert_rule(table.findings, "25.4", result=1)


def test_25_1_4_helicopters_that_were_named_and_cannot_fly_are_reported() -> None:
    units = {"3114": "NEGF", "3118": "16GT", "3218": "1/1PZ"}
    for state, dice, told in (("ready", 4, []), ("recovery", 1, ["NEGF"])):
        table = a_table(units, dice=[3] * dice, battles=["3218"], brigades={"NEGF": state})
        played(table, battle_cycle(table, Commit("3218", ("16GT",), helicopters="NEGF")))
        assert [who for who, _, _ in failures(seen_by(table.findings, "wp"))] == told
        assert not failures(seen_by(table.findings, PUBLIC))


@pytest.mark.rule("25.3.4.6")
def test_25_3_4_6_maximum_concentration_in_extended_buildup() -> None:
    units = {"3114": "NEGF", "3118": "16GT", "3218": "1/1PZ"}
    table = a_table(units, dice=[3], data=a_data("extended_buildup"), battles=["3218"])
    played(table, battle_cycle(table, Commit("3218", ("16GT",))))

    assert_rule(table.findings, "25.3.4.6", result=1)


@pytest.mark.rule("26.0/contributors", effect=True)
@pytest.mark.rule("26.2.5", "26.1.5")
def test_26_the_defender_names_who_defends() -> None:
    units = {"3114": "NEGF", "3118": "16GT 21", "3218": "1/1PZ 7/1A 1/3A"}
    table = a_table(units, dice=[2], battles=["3218"])
    chosen = ("1/3A", "7/1A")
    played(table, battle_cycle(table, Commit("3218", ("16GT", "21"))), defenders=[chosen])
    assert_rule(table.findings, "26.2.5", result=list(chosen))

    east = {"3218": "16GT 11GT", "3219": "1/1PZ 2/1PZ 3/1PZ", "3223": "WG-I"}
    other = a_table(east, dice=[2], side=Side.NATO)
    played(other, battle_cycle(other, Commit("3218", ("1/1PZ", "2/1PZ", "3/1PZ"))), defenders=[("16GT",)])
    assert_rule(other.findings, "26.1.5", result=["16GT"])


@pytest.mark.rule("13.4.3", "4.2.3", "24.2.6")
def test_13_4_3_trains_that_are_attacked_alone_are_lost() -> None:
    table = a_table({"3114": "NEGF", "3118": "16GT", "3218": "1/1PZ", "3319": "2/1PZ"}, battles=["3218"])
    board = board_on(table)
    unit(board, "1/1PZ").piece.train = "entraining"
    board.refresh(unit(board, "1/1PZ"))
    played(table, battle_cycle(table, Commit("3218", ("16GT",))), respond=None)
    assert_rule(table.findings, "13.4.3", result=["1/1PZ"])

    again = a_board({"3218": "1/1PZ", "3319": "2/1PZ", "3118": "16GT 34N"})
    unit(again, "2/1PZ").piece.train = unit(again, "34N").piece.train = "entraining"
    assert_rule(response_objections(again, unit(again, "2/1PZ"), a_battle(again, "3218", "16GT")), "4.2.3")
    assert_rule(fire_objections(again, unit(again, "34N"), "3218", ()), "24.2.6")


@pytest.mark.rule("13.4.4")
def test_13_4_4_a_retreat_costs_the_trains_in_the_hex() -> None:
    units = {"2818": "16GT 21", "2919": "1/1PZ 2/1PZ", "2921": "WG-I"}
    die = die_for({**units, "2919": "1/1PZ"}, "2919", ("16GT", "21"), "A1/R1")
    table = a_table(units, dice=[die], battles=["2919"])
    board = board_on(table)
    unit(board, "2/1PZ").piece.train = "entrained"
    board.refresh(unit(board, "2/1PZ"))
    played(table, battle_cycle(table, Commit("2919", ("16GT", "21"))))

    assert_rule(table.findings, "13.4.4", inputs={"unit": "2/1PZ"}, result="eliminated")


@pytest.mark.rule("3.6", effect=True)
@pytest.mark.rule("18.4", "18.4.1", "18.4.5", "29.8.1")
def test_18_4_what_keeps_a_brigade_at_home() -> None:
    board = a_board(
        {"3114": "NEGF", "3118": "16GT 11GT", "3218": "1/1PZ"}, brigades={"NEGF": "ready", "SEGF": "ready"}
    )
    near, far = a_battle(board, "3218", "16GT"), a_battle(board, "4220", "16GT")

    assert not list(brigade_objections(board, "NEGF", near, Side.WP))
    assert_rule(brigade_objections(board, "SEGF", near, Side.WP), "29.8.1")
    assert_rule(brigade_objections(board, "CZF", near, Side.WP), "18.4")
    assert_rule(brigade_objections(board, "NEGF", far, Side.WP), "18.4.1")
    unit(board, "NEGF").piece.supplied = False
    assert_rule(brigade_objections(board, "NEGF", near, Side.WP), "18.4.5")


def refused(decision: Any, seat: str, answer: Any, state: Any, **asked: Any) -> Refusal:
    with pytest.raises(Refusal) as found:
        NatoRules(a_data()).check(state, decision.make_ask(seat, **asked), answer)
    return found.value


@pytest.mark.rule("23.1.4", "23.2.2.1", "23.2.4")
def test_23_what_keeps_an_air_strike_from_its_target() -> None:
    state = a_state({"3114": "NEGF", "3118": "16GT 21", "3218": "1/1PZ BR-I"}, tactical={Side.NATO: 2})
    state.battle = a_battle(board_of(a_data(), state), "3218", "16GT")

    assert_rule(refused(AirDefense, "nato", [{"hex": "3118", "targets": ["21"]}], state), "23.2.2.1")
    operational = [{"hex": "3118", "targets": ["16GT"], "operational": True}]
    assert_rule(refused(AirDefense, "nato", operational, state), "23.1.4")
    about = TargetsAbout("3218")
    assert_rule(refused(Targets, "wp", ["BR-I"], state, about=about), "23.1.4")
    assert_rule(reach_objections(a_board({}), Side.WP, AirStrike("9999")), "23.2.4")


@pytest.mark.rule("25.1.1.1", "25.7.4")
def test_25_1_1_1_a_marked_battle_must_be_fought_and_a_retreat_keeps_its_priorities() -> None:
    state = a_state({"3118": "16GT", "3218": "1/1PZ"}, battles=["3218"])
    assert_rule(refused(NextBattle, "wp", None, state), "25.1.1.1")

    beaten = a_state({"2818": "16GT", "2919": "1/1PZ"})
    beaten.battle = a_battle(board_of(a_data(), beaten), "2919", "16GT")
    answer = {"paths": {"1/1PZ": ["3018"]}}
    assert_rule(refused(FallBack, "nato", answer, beaten, about=RetreatAbout(1)), "25.7.4")


@pytest.mark.rule("3.2.5.1")
def test_3_2_5_1_a_territorial_unit_does_not_respond_over_the_border() -> None:
    board = a_board({"3716": "Gr1"})
    abroad = next(hex for hex, _ in board.atlas.ground["3716"] if board.atlas[hex].country == "WG")
    board = a_board({"3716": "Gr1", abroad: "E1", "3717": "7/1A"}, side=Side.NATO)
    battle = a_battle(board, abroad, side=Side.NATO)

    assert_rule(response_objections(board, unit(board, "Gr1"), battle), "3.2.5.1")
