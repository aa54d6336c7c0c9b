"""3, 4.2, 6.0 Explanations of units, each value with its rule."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board, a_data, on, unit

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side, roster
from pbem.titles.nato.explain.units import functions, unit_reasons

UNITS = {
    "3116": "16GT 34N NEGF",
    "3218": "22/1A 4CMBG",
    "3220": "BR-I",
    "4220": "US-V",
    "2117": "LJ",
    "2415": "16/6",
    "2308": "336G",
    "2408": "97",
    "2314": "Gr6",
    "3223": "27LL",
    "5023": "6DB",
    "2111": "BAF BC",
}


def said(id: str, board: Board | None = None, **piece: Any) -> list[Finding]:
    board = board or a_board(UNITS)
    for name, value in piece.items():
        setattr(unit(board, id).piece, name, value)
    return list(unit_reasons(board, unit(board, id)))


@pytest.mark.rule("3.0", "3.1", "3.2", "3.2.1", "3.2.2", "3.2.3", "3.2.4", "3.2.7", "3.2.8", "3.2.8.1", "3.2.10")
def test_3_2_a_soviet_tank_division() -> None:
    found = said("16GT")

    assert_rule(found, "3.0", result={"side": "wp", "nation": "SU", "id": "16GT"})
    assert_rule(found, "3.1", result=["ground", "combat", "hard"])
    assert_rule(found, "3.2", result="makes ground attacks")
    assert_rule(found, "3.2.1", result=10)
    assert_rule(found, "3.2.2", result=f"[{roster(1983)['16GT'].full.defense}]")
    assert_rule(found, "3.2.3", result=str(roster(1983)["16GT"].full.move))
    assert_rule(found, "3.2.4", result="16GT")
    assert_rule(found, "3.2.7", result="division")
    assert_rule(found, "3.2.8", result="armor")
    assert_rule(found, "3.2.8.1", result={"airborne": False, "airmobile": False, "marine": False})
    assert_rule(found, "3.2.10", result=2)


@pytest.mark.rule("3.2/counter-formats", "3.2.10.1", "3.2.10.2", "3.2.10.3", "3.2.10.4")
def test_3_2_10_steps_by_size_and_side() -> None:
    assert_rule(said("16GT"), "3.2.10.1", result=2)
    assert_rule(said("336G"), "3.2.10.1", result=1)
    assert_rule(said("34N"), "3.2.10.1", result=1)
    assert_rule(said("22/1A"), "3.2.10.2", result=1)
    assert_rule(said("6DB"), "3.2.10.2", result=2)
    assert_rule(said("NEGF"), "3.2.10.3", result=1)
    card = roster(1983)["16GT"]
    assert_rule(said("16GT"), "3.2/counter-formats", result={"front": str(card.full), "back": str(card.reduced)})
    assert_rule(said("16GT", reduced=True), "3.2.10.4", result=str(card.reduced))
    board = a_board(UNITS)
    assert board.lose_step(unit(board, "16GT")) is False and unit(board, "16GT").steps == 1
    assert board.lose_step(unit(board, "16GT")) is True and "16GT" not in board.units


@pytest.mark.rule("6.0/soft-unit", effect=True)
@pytest.mark.rule("3.1.2", "3.5.1", "3.5.2", "3.5.3", "3.3", "3.3.1", "3.4", "3.4.1", "3.4.2")
def test_3_1_2_what_the_kinds_of_unit_are_for() -> None:
    assert_rule(
        said("16GT"),
        "3.1.2",
        result=["ground attack", "passes zones of control", "halved against cities and mountains"],
    )
    assert functions(roster(1983)["97"]) == ["ground attack", "passes zones of control", "flies", "drops"]
    assert_rule(said("16GT"), "3.5.1", result="armor")
    assert_rule(said("97"), "3.5.1", result="mechanized")
    assert_rule(said("27LL"), "3.5.2", result="doubled in cover")
    assert_rule(said("34N"), "3.5.3")
    assert_rule(said("34N"), "3.3", result="makes strikes")
    assert_rule(said("34N"), "3.3.1", result={"points": 1, "provisional defense": 1})
    assert_rule(said("NEGF"), "3.4", result="supplies combat units")
    assert_rule(said("NEGF"), "3.4.1", result={"range": 6, "provisional defense": 1})
    assert_rule(said("BR-I"), "3.4.2", result=3)


@pytest.mark.rule(
    "6.0/ground-unit",
    "6.0/combat-unit",
    "6.0/maneuver-unit",
    "6.0/artillery-unit",
    "6.0/hard-unit",
    "6.0/soft-unit",
    "6.0/step",
)
def test_6_0_the_words_for_units() -> None:
    assert_rule(said("NEGF"), "6.0/ground-unit", result=True)
    assert_rule(said("NEGF"), "6.0/combat-unit", result=False)
    assert_rule(said("34N"), "6.0/combat-unit", result=True)
    assert_rule(said("34N"), "6.0/maneuver-unit", result=False)
    assert_rule(said("34N"), "6.0/artillery-unit", result=True)
    assert_rule(said("16GT"), "6.0/maneuver-unit", result=True)
    assert_rule(said("16GT"), "6.0/hard-unit", result=True)
    assert_rule(said("27LL"), "6.0/soft-unit", result=True)
    assert_rule(said("16GT", reduced=True), "6.0/step", result=1)


@pytest.mark.rule("3.2.5", "3.2.5.2", "3.2.6", "3.2.6.1", "3.2.6.2", "3.2.8.2.1", "3.9.1.1", "3.7")
def test_3_2_5_formations_and_fronts() -> None:
    assert_rule(said("16GT"), "3.2.5", result="NEGF")
    assert_rule(said("16GT"), "3.2.6", result="NEGF")
    assert_rule(said("16GT"), "3.2.8.2.1", result="2GT")
    assert_rule(said("22/1A"), "3.2.5.2", result=["BR-I"])
    assert_rule(said("4CMBG"), "3.9.1.1", result="US")
    assert_rule(said("4CMBG"), "3.2.5.2", result=["US-V"])
    assert_rule(said("97"), "3.2.6.1", result="independent")
    assert_rule(said("336G"), "3.2.6.2", result=["BAF", "BC"])
    assert_rule(said("16GT"), "3.7", result="common")


@pytest.mark.rule("10.4.4", "10.4.4.1", "10.4.4.2", "10.4.4.3", "10.4.4.5", "10.4.4.6")
def test_10_4_4_superior_headquarters() -> None:
    assert_rule(said("16GT"), "10.4.4", result=["NEGF"])
    assert_rule(said("16GT"), "10.4.4.1", result=["NEGF"])
    assert_rule(said("336G"), "10.4.4.2", result=["BAF", "BC"])
    assert_rule(said("97"), "10.4.4.3", result=["BAF", "BC", "NEGF"])
    assert_rule(said("22/1A"), "10.4.4.5", result=["BR-I"])
    assert_rule(said("16/6"), "10.4.4.6", result=["LJ"])
    separate = a_board({"2216": "16GT", "2111": "BAF"}, a_data("extended_buildup"))
    assert_rule(said("16GT", separate), "10.4.4.1", result=[])
    merged = a_board({"2216": "16GT", "2111": "BAF"})
    assert_rule(said("16GT", merged), "10.4.4.1", result=["BAF"])


@pytest.mark.rule("4.2.1", "4.2.2", "4.2.3", "4.2.4", "4.2.5", "4.2.6", "4.2.7", "10.6.1", "13.4")
def test_4_2_markers() -> None:
    assert_rule(said("16GT", disrupted=True), "4.2.1", result="disrupted")
    assert_rule(said("34N", disrupted=True), "4.2.2", result="suppressed")
    assert_rule(said("16GT", train="entraining"), "4.2.3", result="entraining")
    assert_rule(said("16GT", train="entraining"), "13.4")
    assert_rule(said("NEGF", supplied=False), "4.2.4", result="unsupplied")
    assert_rule(said("16GT", ms_out=True, cs_out=True), "4.2.5", result="MS-out, CS-out")
    assert_rule(said("16GT", cs_out=True), "10.6.1", result="halved, no response")
    assert_rule(said("34N", cs_out=True), "10.6.1", result="no strikes")
    assert_rule(said("16GT", engaged=True), "4.2.6", result="engaged")
    assert_rule(said("16GT", reserve=True), "4.2.7", result="OMG")
    assert_rule(said("22/1A", reserve=True), "4.2.7", result="Reserve")


@pytest.mark.rule("10.4.2.1", "10.4.2.2", "10.4.3", "10.4.3/half-allowance", "29.2.3", "10.5.3")
def test_10_4_what_a_headquarters_may_do() -> None:
    printed = roster(1983)["NEGF"].full.move
    may = ["rail", "sea ferry", "attack helicopters", "Offensive Support"]
    assert_rule(said("NEGF"), "10.4.2.2", result={"tactical": printed, "may": may})
    assert_rule(said("NEGF", supplied=False), "10.4.3", result={"tactical": printed // 2, "may": []})
    assert_rule(said("NEGF", supplied=False), "10.4.3/half-allowance", result=printed // 2)
    assert_rule(said("NEGF", disrupted=True), "29.2.3")
    assert_rule(said("NEGF", disrupted=True), "10.4.2.1", result="supplies")
    assert_rule(
        said("16GT", ms_out=True), "10.5.3", result={"tactical": roster(1983)["16GT"].full.move // 2, "march": 0}
    )


@pytest.mark.rule("3.6", "3.6.1", "3.6.2", "3.6.3", "3.6.4", "18.4.6", "18.4.7")
def test_3_6_attack_helicopter_brigades() -> None:
    board = a_board(UNITS, brigades={"NEGF": "ready", "US-V": "recovery"})
    assert_rule(said("NEGF", board), "3.6", result="ready")
    assert_rule(said("NEGF", board), "3.6.1", result="NEGF")
    assert_rule(said("NEGF", board), "3.6.2", result=1)
    assert_rule(said("NEGF", board), "3.6.3", result=2)
    assert_rule(said("US-V", board), "18.4.6", result="US-V")
    assert_rule(said("US-V", board), "18.4.7", result=2)
    assert_rule(said("US-V", board), "3.6.4", result=1983)
    later = on(a_data(year=1988), year=1988, ahb_defense={Side.WP: 2, Side.NATO: 3})
    assert_rule(said("US-V", a_board({"4220": "US-V"}, later, brigades={"US-V": "ready"})), "18.4.7", result=3)


def test_3_7_1_a_year_has_the_common_units_and_its_own() -> None:
    early, late = roster(1983), roster(1988)
    assert {card.pool for card in early.values()} == {"common", "1983"}
    assert {card.pool for card in late.values()} == {"common", "1988"}
    assert {id for id, card in early.items() if card.pool == "common"} == {
        id for id, card in late.items() if card.pool == "common"
    }


@pytest.mark.parametrize("year", [1983, 1988])
def test_3_10_the_errata_are_in_the_data(year: int) -> None:
    """By the errata, the units of both airborne divisions are regiments, and the Polish 10th is a tank division."""
    cards = roster(year)
    for id in ("97", "108", "119", "104", "234", "237"):
        assert cards[id].size == "regiment" and cards[id].steps == 1
    assert cards["P10T"].armor if "P10T" in cards else True


@pytest.mark.rule("3.2.5.1", "35.2")
def test_3_2_5_1_border_guards_stay_at_home() -> None:
    assert_rule(said("Gr6"), "3.2.5.1", result="EG")
    assert_rule(said("Gr6", active=False), "35.2", result="not activated")
