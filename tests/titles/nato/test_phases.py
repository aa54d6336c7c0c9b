"""7 The sequence of play, phase by phase, as the record divides it."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board, a_data, a_table, board_on, on, played, unit

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.cards.scenario import Arrival
from pbem.titles.nato.cards.scenario import Chemical as ChemicalPlan
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.explain.tracks import match_reasons, sequence_reasons
from pbem.titles.nato.player.orders import AirStrike, Chemical, Commit, FightOrders
from pbem.titles.nato.sequence import artillery, combat, fighting, joint_turn, movement, reserves, turn_end, turn_zero

ALL = ("rail", "ferry", "lift", "helicopters", "nuclear", "chemical", "surrender", "reforger")


def headings(findings: list[Finding]) -> list[str]:
    return [found.rule for found in findings if found.rule.startswith("7.2/")]


@pytest.mark.rule("7.0", "7.1", "7.1.1", "7.1.3", "7.1.4", "7.1.6")
def test_7_1_three_player_turns_and_their_phases() -> None:
    wp, nato = list(sequence_reasons(Side.WP)), list(sequence_reasons(Side.NATO))
    assert_rule(wp, "7.0", result=["joint", "wp", "nato"])
    assert_rule(wp, "7.1.1", result=3)
    assert_rule(wp, "7.1.3", result=["Joint Status Phase", "Joint Reinforcement Phase"])
    assert_rule(wp, "7.1", result=8)
    assert_rule(nato, "7.1", result=7)  # NATO plans no battles
    planned = assert_rule(wp, "7.1.4")
    assert isinstance(planned, Finding) and planned.result[3] == "Battle Planning Phase"
    segments = assert_rule(wp, "7.1.6")
    assert isinstance(segments, Finding) and len(segments.result) == 9
    mine = next(found for found in nato if found.rule == "7.1.6")
    assert len(mine.result) == 8  # no defensive strikes
    assert {"7.0", "7.1.6"} <= {found.rule for found in match_reasons(a_board({}))}


@pytest.mark.rule(
    "7.2/I.A", "7.2/I.A.1", "7.2/I.A.3", "7.2/I.A.4", "7.2/I.A.5", "7.2/I.A.7", "7.2/I.B", "7.2/I.B.1", "7.2/I.B.2",
    "7.2/I.B.3", "18.4.4", "18.1.9",
)  # fmt: skip
def test_7_2_the_joint_player_turn() -> None:
    data = on(a_data(*ALL), arrivals=(Arrival(3, "UK-1", "S"),), chemical={Side.WP: ChemicalPlan(start=0, income=2)})
    table = a_table(
        {"3626": "16GT", "1310": "21", "1411": "1/Zee", "3114": "NEGF"},
        dice=[3],
        data=data,
        turn=3,
        conquered={"3212": Side.NATO},
        sites={"3ACR": "3626"},
        surrendering=["DK"],
        brigades={"NEGF": "recovery"},
        lift_used={Side.WP: {"helicopter": 1}},
        awaited=["UK-1"],
        points={Side.NATO: 0},
    )
    found = played(table, joint_turn(table))

    assert headings(found)[:3] == ["7.2/I.A", "7.2/I.A.1", "7.2/I.A.3"]
    assert_rule(found, "7.2/I.A", result=3)
    assert_rule(found, "7.2/I.A.1", result=3)
    assert_rule(found, "7.2/I.A.3", result=["NEGF", "wp helicopter"])
    assert_rule(found, "7.2/I.A.4", result=1)
    assert_rule(found, "7.2/I.A.5")
    assert_rule(found, "7.2/I.A.7")
    assert_rule(found, "7.2/I.B", result=3)
    assert_rule(found, "7.2/I.B.1")
    assert_rule(found, "7.2/I.B.2", result={"chemical": {Side.WP: 2}, "supply": 2})
    assert_rule(found, "7.2/I.B.3", result=1)
    assert_rule(found, "18.4.4", result="ready")
    assert_rule(found, "18.1.9", result=1)
    assert table.state.brigades["NEGF"] == "ready" and table.state.lift_ready[Side.WP]["helicopter"] == 1


@pytest.mark.rule(
    "7.2/II", "7.2/II.A", "7.2/II.B", "7.2/II.B.1", "7.2/II.B.2", "7.2/II.B.3", "7.2/II.B.4", "7.2/II.B.5", "7.2/II.C"
)  # fmt: skip
def test_7_2_the_movement_phase_of_the_warsaw_pact() -> None:
    units = {"3114": "NEGF", "3303": "16GT", "3304": "21", "3012": "97", "2503": "108", "2504": "119", "3204": "94G!"}
    table = a_table(units, dice=[6, 6], data=a_data(*ALL), lift_ready={Side.WP: {"helicopter": 1, "air": 1}})
    board = board_on(table)
    unit(board, "16GT").piece.train = "entrained"
    orders = {
        "moves": [
            {"unit": "16GT", "path": ["3305"], "mode": "rail"},
            {"unit": "21", "path": ["3305"]},
            {"unit": "97", "path": ["3013"], "mode": "fly"},
            {"unit": "119", "path": ["2505"], "mode": "lift"},
        ]
    }
    found = played(table, movement(table, Side.WP), move=orders)

    assert headings(found) == [
        "7.2/II", "7.2/II.A", "7.2/II.B.1", "7.2/II.B", "7.2/II.B.2", "7.2/II.B.3", "7.2/II.B.4", "7.2/II.B.5",
        "7.2/II.C",
    ]  # fmt: skip
    assert_rule(found, "7.2/II", result=2)
    assert_rule(found, "7.2/II.A", result={"unsupplied": []})
    assert_rule(found, "7.2/II.B", result=4)
    assert_rule(found, "7.2/II.B.1", result={"out": 0})
    for number in (2, 3, 4, 5):
        assert_rule(found, f"7.2/II.B.{number}", result=1)
    assert_rule(found, "7.2/II.C", result={"recovered": 1, "in supply again": 0})


@pytest.mark.rule(
    "7.2/III", "7.2/III.A", "7.2/III.B", "7.2/III.B.1", "7.2/III.B.2", "7.2/III.B.3", "7.2/III.B.4", "7.2/III.B.5",
    "7.2/III.C",
)  # fmt: skip
def test_7_2_the_movement_phase_of_nato() -> None:
    units = {"3220": "BR-I", "3226": "7/1A", "3227": "12/1A", "3232": "5Para", "3524": "27LL", "5023": "6DB"}
    table = a_table(
        units, dice=[6, 6], data=a_data(*ALL), side=Side.NATO, lift_ready={Side.NATO: {"helicopter": 1, "air": 1}}
    )
    board = board_on(table)
    unit(board, "7/1A").piece.train = "entrained"
    orders = {
        "moves": [
            {"unit": "7/1A", "path": ["3228"], "mode": "rail"},
            {"unit": "12/1A", "path": ["3228"]},
            {"unit": "27LL", "path": ["3525"], "mode": "fly"},
            {"unit": "5Para", "path": ["3230"], "mode": "lift"},
        ]
    }
    found = played(table, movement(table, Side.NATO), move=orders)
    assert_rule(found, "7.2/III", result=2)
    assert_rule(found, "7.2/III.A", result={"unsupplied": []})
    assert_rule(found, "7.2/III.B", result=4)
    assert_rule(found, "7.2/III.B.1", result={"out": 0})
    for number in (2, 3, 4, 5):
        assert_rule(found, f"7.2/III.B.{number}", result=1)
    assert_rule(found, "7.2/III.C")


@pytest.mark.rule(
    "7.2/II.D", "7.2/II.E", "7.2/II.E.1", "7.2/II.E.2", "7.2/II.E.3", "7.2/II.E.4", "20.1", "25.0/phase-planning"
)
def test_7_2_the_offensive_strike_phase_of_the_warsaw_pact() -> None:
    data = on(a_data(*ALL), chemical={Side.WP: ChemicalPlan(start=4, tactical=2)})
    units = {"3114": "NEGF", "3118": "16GT 21 34N", "3119": "7/1A", "3218": "22/1A", "3217": "94G"}
    table = a_table(
        units,
        dice=[6, 6, 1],
        data=data,
        tactical={Side.WP: 2},
        operational={Side.WP: 0},
        chemical_points={Side.WP: 4},
    )
    orders = FightOrders(marks=("3119",), air=(AirStrike("3119"),), nuclear=("3424",), chemical=(Chemical("3218"),))
    found = played(table, fighting(table), fight=orders)
    assert_rule(found, "7.2/II.D", result=1)
    assert_rule(found, "25.0/phase-planning", result=["3119"])
    assert_rule(found, "7.2/II.E", result={"nuclear": 1, "chemical": 1, "air strikes": 1})
    assert_rule(found, "20.1", result=["nuclear", "chemical", "air strikes"])
    for number in (1, 2, 3):
        assert_rule(found, f"7.2/II.E.{number}")
    table.chance.dice = [1]  # type: ignore[attr-defined]
    found = played(table, artillery(table), gun=[{"unit": "34N", "hex": "3119"}, None])
    assert_rule(found, "7.2/II.E.4")


@pytest.mark.rule("7.2", effect=True)
@pytest.mark.rule("7.2/III.D", "7.2/III.D.1", "7.2/III.D.2", "7.2/III.D.3")
def test_7_2_the_offensive_strike_phase_of_nato() -> None:
    data = on(a_data(*ALL), chemical={Side.NATO: ChemicalPlan(start=4, tactical=2)})
    table = a_table(
        {"3220": "BR-I", "3118": "16GT", "3119": "7/1A"},
        dice=[6, 1, 1],
        data=data,
        side=Side.NATO,
        first_use=1,
        tactical={Side.NATO: 3},
        operational={Side.NATO: 0},
        chemical_points={Side.NATO: 1},
    )
    orders = FightOrders(air=(AirStrike("3118"),), nuclear=("3214",), chemical=(Chemical("3118"),))
    found = played(table, fighting(table), fight=orders)
    assert_rule(found, "7.2/III.D", result={"nuclear": 1, "chemical": 1, "air strikes": 1})
    for number in (1, 2, 3):
        assert_rule(found, f"7.2/III.D.{number}")


def rolled(table: Any, step: Any, **answers: Any) -> list[Finding]:
    """Play a step; once the test's dice are used up, every roll is a three."""
    table.chance.dice += [3] * 20
    with contextlib.suppress(AssertionError):
        played(table, step, **answers)
    assert table.state.battle is None
    return list(table.findings)


BATTLE = {"3114": "NEGF", "3118": "16GT", "3218": "4/2PG", "3219": "5/2PG", "3316": "21"}


@pytest.mark.rule(
    "7.2/II.F", "7.2/II.F.1", "7.2/II.F.2", "7.2/II.F.3", "7.2/II.F.4", "7.2/II.F.5", "7.2/II.F.6", "7.2/II.F.7",
    "7.2/II.F.8", "7.2/II.F.9", "25.1", "25.1.5", "25.1.6", "25.1.7", "25.1.9", "25.6.1", "25.6.1.1", "25.6.1.2",
    "6.0/battle", "6.0/battle-cycle", "6.0/objective-hex", "25.1.8/default-path", "20.2",
)  # fmt: skip
def test_7_2_a_battle_of_the_warsaw_pact() -> None:
    table = a_table(
        BATTLE, dice=[1, 3, 3, 6, 3, 3], battles=["3218"], tactical={Side.NATO: 1}, brigades={"NEGF": "ready"}
    )
    answers = {"commit": Commit("3218", ("16GT",), "NEGF", "NEGF"), "respond": "5/2PG"}
    strike = [{"hex": "3118", "targets": ["16GT"]}]
    found = rolled(table, combat(table), **answers, air_defense=[strike])
    assert_rule(found, "7.2/II.F", result=1)
    for number in range(1, 10):
        assert_rule(found, f"7.2/II.F.{number}")
    assert_rule(found, "25.1", inputs={"objective": "3218"})
    assert_rule(found, "6.0/battle", result="3218")
    assert_rule(found, "6.0/battle-cycle")
    assert_rule(found, "6.0/objective-hex", result="3218")
    assert_rule(found, "25.1.5")
    assert_rule(found, "25.1.6", inputs={"objective": "3218"})
    assert_rule(found, "25.1.7")
    assert_rule(found, "25.1.8/default-path")
    assert_rule(found, "25.1.9", inputs={"objective": "3218"})
    assert_rule(found, "25.6.1", result=["CA", "defender", "attacker", "advance"])
    assert_rule(found, "25.6.1.1", result=["losses", "retreat", "disruption", "engaged"])
    assert_rule(found, "25.6.1.2", result=["losses", "disruption", "advance"])
    assert_rule(found, "20.2", result=["3118"])


@pytest.mark.rule(
    "7.2/III.E", "7.2/III.E.1", "7.2/III.E.2", "7.2/III.E.3", "7.2/III.E.4", "7.2/III.E.5", "7.2/III.E.6",
    "7.2/III.E.7", "7.2/III.E.8",
)  # fmt: skip
def test_7_2_a_battle_of_nato() -> None:
    units = {"4220": "US-V", "4020": "1/3A 2/3A 3/3A", "4019": "39G*", "4018": "57G"}
    table = a_table(units, dice=[3, 3, 6, 6, 6, 3, 3], side=Side.NATO, brigades={"US-V": "ready"})
    commit = Commit("4019", ("1/3A", "2/3A", "3/3A"), "US-V", "US-V")
    found = rolled(table, combat(table), commit=commit, respond="57G")
    assert_rule(found, "7.2/III.E")
    for number in range(1, 9):
        assert_rule(found, f"7.2/III.E.{number}")


@pytest.mark.rule("7.2/II.G", "7.2/II.H", "7.2/III.F", "7.2/III.G", "7.2/end", "7.2/turn-0", "25.9.4", "23.8.2")
def test_7_2_reserves_suppression_and_the_end() -> None:
    for side, reserve, removal in ((Side.WP, "II.G", "II.H"), (Side.NATO, "III.F", "III.G")):
        units = {"3116": "16GT", "3114": "NEGF!"} if side is Side.WP else {"3223": "27LL", "3220": "BR-I!"}
        table = a_table(units, side=side, breakthrough=["3218"], interdiction={side.enemy: ["3218"]})
        unit(board_on(table), "16GT" if side is Side.WP else "27LL").piece.reserve = True
        found = played(table, reserves(table))
        assert_rule(found, f"7.2/{reserve}", result=0)
        assert_rule(found, f"7.2/{removal}", result=1)
        assert_rule(found, "25.9.4", result=["3218"])
        assert_rule(found, "23.8.2", result=["3218"])
        assert table.state.breakthrough == [] and not table.state.interdiction
    table = a_table({}, turn=2)
    assert_rule(played(table, turn_end(table)), "7.2/end", result=2)
    zero = a_table({"3116": "16GT"}, turn=0)
    assert_rule(played(zero, turn_zero(zero)), "7.2/turn-0")


@pytest.mark.rule("25.9.1/breakthrough-battle")
def test_25_9_1_a_breakthrough_battle_is_only_an_advance() -> None:
    table = a_table({"3118": "16GT"}, cleared=["3119"], breakthrough=["3119"])
    found = played(table, battle_cycle(table, Commit("3119", ("16GT",))))
    assert_rule(found, "25.9.1/breakthrough-battle", inputs={"objective": "3119"}, result="R2")
    assert unit(board_on(table), "16GT").at == "3119"
