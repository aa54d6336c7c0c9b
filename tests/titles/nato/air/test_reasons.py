"""11.8.4, 13.4.5, 17, 18, 19, 23, 24 The reasons behind strikes, flak and interception."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, a_table, board_on, done, unit

from pbem.titles.nato.air.helicopters import brigade_objections, send
from pbem.titles.nato.air.resolution import strike
from pbem.titles.nato.air.strike_decisions import hex_objections, points_objections, reach_objections
from pbem.titles.nato.artillery.fire import fire
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.movement.segments import carry_out
from pbem.titles.nato.nuclear.chemicals import target_objections as gas_objections
from pbem.titles.nato.player.orders import AirStrike, Chemical, Move
from pbem.titles.nato.sequence import after_strikes, points_received

EVERYTHING = ("rail", "ferry", "lift", "helicopters")


def struck(
    units: dict[str, str], target: str, die: int, *, rule: str = "23.3", side: Side = Side.WP, **fields: Any
) -> Any:
    table = a_table(units, dice=[die], side=side, **fields)
    board = board_on(table)
    done(strike(table, board, side, [unit(board, target)], rule=rule))
    return table.findings


@pytest.mark.rule("6.0/strike", "6.0/drm", "11.8.4", "23.2.1", "23.2.6", "23.3.1", "23.3.3", "23.2.5")
def test_23_3_3_modifiers_of_an_air_strike() -> None:
    """L2464: there are modifiers for a small city and for enemy airspace."""
    found = struck({"3120": "7/1A", "3118": "16GT", "3114": "NEGF"}, "7/1A", 5)
    assert_rule(found, "6.0/strike", result="air")
    assert_rule(found, "23.3.3", inputs={"why": "small city"}, result=-1)
    assert_rule(found, "6.0/drm", inputs={"why": "small city"}, result=-1)
    assert_rule(found, "23.2.1", result=["7/1A"])
    assert_rule(found, "23.2.6", result=["7/1A"])
    assert_rule(found, "23.3.1", result=-1)
    deep = struck({"3828": "7/1A"}, "7/1A", 5)
    assert_rule(deep, "11.8.4", inputs={"why": "enemy airspace"}, result=-1)
    assert_rule(
        struck({"3118": "16GT", "3119": "7/1A"}, "16GT", 3, rule="23.2.2", side=Side.NATO), "23.2.5", result=["16GT"]
    )


@pytest.mark.rule("13.4.5", "35.7", "29.2.2", "24.2.3", "23.4", "23.2.3", "31.1.3")
def test_13_4_5_special_targets() -> None:
    table = a_table({"3120": "7/1A", "3118": "16GT", "3114": "NEGF"}, dice=[5])
    board = board_on(table)
    unit(board, "7/1A").piece.train = "entraining"
    done(strike(table, board, Side.WP, [unit(board, "7/1A")], rule="23.3"))
    assert_rule(table.findings, "13.4.5", result=1)
    assert "23.3.3" not in [one.rule for one in table.findings[0].children]
    assert_rule(struck({"3120": "7/1A"}, "7/1A", 2, data=a_data("surprise"), turn=1), "35.7", result=1)
    assert_rule(struck({"3220": "BR-I"}, "BR-I", 3), "29.2.2")
    assert_rule(struck({"3116": "34N", "3118": "7/1A"}, "34N", 3, side=Side.NATO), "24.2.3")
    berlin = struck({"3007": "US-Berlin"}, "US-Berlin", 3)
    assert_rule(berlin, "23.4", result="friendly")
    assert_rule(berlin, "31.1.3", result="friendly")
    assert_rule(struck({"2521": "97 3/1PZ"}, "3/1PZ", 1, assaults=["97"]), "23.2.3", result=["3/1PZ"])


@pytest.mark.rule("23.1.5", "23.1.4", "23.1.3", "23.1.7", "22.2.1")
def test_23_1_5_who_reaches_what() -> None:
    board = a_board({"3828": "7/1A 12/1A", "3220": "BR-I", "3120": "11/4A"})
    assert_rule(reach_objections(board, Side.WP, AirStrike("3828")), "23.1.3")
    assert not list(reach_objections(board, Side.WP, AirStrike("3828", True)))
    assert_rule(hex_objections(board, Side.WP, "3828", [AirStrike("3828", True)] * 2), "23.1.5")
    assert_rule(hex_objections(board, Side.WP, "3220", [AirStrike("3220")]), "23.1.4")
    assert not list(hex_objections(board, Side.WP, "3220", [AirStrike("3220", True)]))
    assert_rule(hex_objections(board, Side.WP, "3117", [AirStrike("3117")]), "23.1.5")
    board.state.tactical = {Side.NATO: 2}
    assert_rule(points_objections(board.state, Side.NATO, [AirStrike("3116")], besides=2), "23.1.7")
    assert_rule(gas_objections(board, Side.WP, Chemical("3828"), []), "22.2.1")


@pytest.mark.rule("23.1.6", "11.8.3", "23.2.7", "24.1.5")
def test_23_1_6_mixed_points_and_what_cannot_be_struck() -> None:
    from pbem.titles.nato.explain.strikes import target_reasons

    board = a_board({"3218": "7/1A 12/1A 22/1A", "3118": "16GT", "3114": "NEGF"})
    mixed = [AirStrike("3218"), AirStrike("3218", True)]
    assert not list(hex_objections(board, Side.WP, "3218", mixed))
    assert_rule(
        target_reasons(board, Side.WP, "3218"), "23.1.6", result={"tactical": True, "operational": True, "points": 2}
    )
    assert_rule(target_reasons(board, Side.WP, "3828"), "11.8.3", result=False)
    city = list(target_reasons(board, Side.WP, "3120"))
    assert_rule(city, "23.2.7", result=False)
    assert_rule(city, "24.1.5", result=False)


@pytest.mark.rule("24.1.2", "24.1.4", "24.2.4")
def test_24_1_2_artillery_tears_a_hole() -> None:
    table = a_table({"3114": "NEGF", "2918": "34N 21", "2919": "3/1PZ"}, dice=[6], battles=["2919"])
    board = board_on(table)
    done(fire(table, board, unit(board, "34N"), [unit(board, "3/1PZ")]))
    after_strikes(table, board, ["2919"])
    assert_rule(table.findings, "24.1.2", result="2919")
    from pbem.titles.nato.explain.strikes import battery_reasons

    assert_rule(battery_reasons(board, unit(board, "34N")), "24.1.4", result=1)
    unit(board, "34N").piece.disrupted = True
    assert_rule(battery_reasons(board, unit(board, "34N")), "24.1.4", result=0)
    assert_rule(
        battery_reasons(board, unit(board, "34N")), "24.2.4", result=["no response", "no attack", "no advance"]
    )


@pytest.mark.rule(
    "17.0", "17.1", "17.1.1", "17.1.4", "6.0/interception-attempt", "2.1/dice", "8.1.4", "8.1.3", "16.0", "16.3",
    "16.4", "16.1.3.1", "10.6.3", "6.0/air-movement", "17.1.3",
)  # fmt: skip
def test_17_1_the_drop_on_zealand() -> None:
    """L2083: a 5 less 1 does not exceed the value of 4, so one regiment is intercepted, but the other
    gets through."""
    data = a_data(*EVERYTHING)
    table = a_table(
        {"srb": "97 108", "1310": "1/Zee"}, dice=[2, 3, 6, 6], data=data, turn=1, lift_ready={Side.WP: {"air": 2}}
    )
    board = board_on(table)
    for id in ("97", "108"):
        carry_out(table, board, unit(board, id), Move(id, ("1410",), "drop"))
    found = table.findings
    assert_rule(found, "17.0")
    assert_rule(found, "17.1", result=4)
    assert_rule(found, "17.1.1", result="enemy")
    assert_rule(found, "17.1.4", inputs={"from": "srb"}, result=4)
    assert_rule(found, "6.0/interception-attempt", result=4)
    assert_rule(found, "2.1/dice", result=5)
    assert_rule(found, "8.1.4", result=-1)
    assert_rule(found, "16.0", result="drop")
    assert_rule(found, "16.3")
    assert_rule(found, "8.1.3")
    assert_rule(found, "16.4")
    assert_rule(found, "16.1.3.1")
    assert_rule(found, "10.6.3", result=True)
    assert_rule(found, "6.0/air-movement", result="drop")
    assert_rule(found, "17.1.3", result={"air": 1})
    assert "97" not in board.units and table.state.lift_used[Side.WP] == {"air": 1}


@pytest.mark.rule("16.2.3.1", "6.0/sea-movement", "29.6", "29.6.1")
def test_16_2_3_a_landing() -> None:
    data = a_data(*EVERYTHING)
    table = a_table({"srb": "P7 BC"}, dice=[6, 6, 6, 6], data=data, turn=1, lift_ready={Side.WP: {"sea": 2}})
    board = board_on(table)
    for id in ("P7", "BC"):
        carry_out(table, board, unit(board, id), Move(id, ("1209",), "land"))
    assert_rule(table.findings, "16.2.3.1")
    assert_rule(table.findings, "6.0/sea-movement", result="land")
    assert_rule(table.findings, "29.6", result="1209")
    assert_rule(table.findings, "29.6.1", result=["P7"])


@pytest.mark.rule(
    "18.1", "18.1.1", "18.1.2", "18.1/hex-by-hex", "18.2.3", "19.1.2", "19.1.3", "19.1.4", "8.1.5", "6.0/flak",
    "6.0/helicopter-movement",
)  # fmt: skip
def test_19_1_the_insertion_of_the_example() -> None:
    """L2204: a unit covers the flight over 2818, but no unit covers it over 2919 and 2920.

    On the way back the helicopters are shot down.
    """
    units = {"2817": "97", "2818": "16GT", "3020": "7/3PZ", "2819": "3/1PZ", "3018": "NEGF"}
    table = a_table(units, dice=[2, 1, 2, 1, 5], data=a_data(*EVERYTHING), lift_ready={Side.WP: {"helicopter": 1}})
    board = board_on(table)
    carry_out(table, board, unit(board, "97"), Move("97", ("2818", "2919", "2920"), "fly"))
    found = table.findings
    assert_rule(found, "18.1", result="insertion")
    assert_rule(found, "18.1.1", inputs={"limit": 10})
    assert_rule(found, "18.1.2", result="insertion")
    assert_rule(found, "18.1/hex-by-hex")
    assert_rule(found, "19.1.4", inputs={"hex": "2818"})
    assert_rule(found, "6.0/flak", inputs={"hex": "2919"}, result=1)
    assert_rule(found, "19.1.2", inputs={"hex": "2920"})
    assert_rule(found, "19.1.3")
    assert_rule(found, "8.1.5")
    assert_rule(found, "18.2.3", result="may attack")
    assert_rule(found, "6.0/helicopter-movement", result="2920")
    assert unit(board, "97").at == "2920" and table.state.lift_used.get(Side.WP, {}).get("helicopter", 0) == 0


@pytest.mark.rule("6.0/flak", "8.1.5", "19.1.2", effect=True)
@pytest.mark.rule("18.2.2", "19.1.5", "18.4.2", "18.4.3", "18.4.4.2", "19.1.1")
def test_18_4_2_brigades_that_defend() -> None:
    units = {"4220": "US-V", "4120": "1/3A", "4119": "39G", "4018": "57G"}
    table = a_table(units, dice=[3], brigades={"US-V": "ready"})
    board = board_on(table)
    battle = a_battle(board, "4120", "39G")
    send(table, board, battle, Side.NATO, "US-V")
    assert_rule(table.findings, "18.4.2", result="4119")
    assert_rule(table.findings, "18.4.3", result=1)
    board.state.brigades["US-V"] = "recovery"
    assert_rule(brigade_objections(board, "US-V", battle, Side.NATO), "18.4.4.2")
    assaulted = a_table(
        {"3118": "97 7/1A", "3114": "NEGF"}, dice=[6] * 3, assaults=["97"], brigades={"NEGF": "ready"}
    )
    board = board_on(assaulted)
    battle = a_battle(board, "3118", "97")
    assaulted.chance.dice = [6] * 9  # type: ignore[attr-defined]
    send(assaulted, board, battle, Side.WP, "NEGF")
    assert_rule(assaulted.findings, "19.1.5", inputs={"hex": "3118"})
    through = a_table({"3116": "NEGF", "3218": "7/1A", "3118": "16GT"}, brigades={"NEGF": "ready"})
    board = board_on(through)
    from pbem.titles.nato.air.helicopters import through_flak

    through.chance.dice = [5]  # type: ignore[attr-defined]
    assert through_flak(through, board, Side.WP, ("3117",), "brigade of NEGF", 2)
    assert_rule(through.findings, "19.1.1", inputs={"hex": "3117"}, result=2)
    fetched = a_table(
        {"1410": "97!", "1310": "1/Zee", "2211": "138T"},
        dice=[2],
        data=a_data(*EVERYTHING),
        lift_ready={Side.WP: {"helicopter": 1}},
    )
    board = board_on(fetched)
    carry_out(fetched, board, unit(board, "97"), Move("97", ("2110", "2111"), "extract"))
    assert_rule(fetched.findings, "18.2.2", result="2111")


@pytest.mark.rule("23.1.2", "21.5", "32.2.3")
def test_23_1_2_tactical_points_that_a_side_receives() -> None:
    from pbem.titles.nato.air.points import received_reasons

    board = a_board({}, turn=5, first_nuclear=3, airfields={Side.NATO: 2}, surrendered_ever=["DK", "NL"])
    assert (
        points_received(board, Side.NATO, 8) == 4
        and points_received(board, Side.NATO, 3) == 2
        and points_received(board, Side.WP, 1) == 1
    )
    found = list(received_reasons(board, Side.NATO, 8))
    assert_rule(found, "23.1.2", result=4)
    assert_rule(found, "21.5", result=-1)
    assert_rule(found, "32.2.3", result=-1)
