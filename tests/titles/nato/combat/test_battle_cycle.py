"""25.1 Whole battle cycles with scripted dice."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, a_table, board_on, played

from pbem.engine.rules.refusals import Refusal
from pbem.titles.nato.cards.charts import charts
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.combat.odds import odds_of
from pbem.titles.nato.player.orders import Advance, AirStrike, Commit, Retreat

FRONT = {"3114": "NEGF", "3118": "16GT 21", "3218": "1/1PZ!", "3220": "BR-I"}


def fought(objective: str) -> dict[str, list[str]]:
    return {"battles": [objective]}


def die_for(units: dict[str, str], objective: str, attackers: tuple[str, ...], text: str) -> int:
    """Return the die that gives this result at the odds of a battle."""
    board = a_board(units)
    final = odds_of(board, a_battle(board, objective, *attackers)).final
    return next(die for die in range(1, 7) if charts().combat(final, die).text.replace(" ", "") == text)


@pytest.mark.rule("6.0/objective-hex", effect=True)
@pytest.mark.rule("25.1.1", "25.5.2", "25.6.3", "25.8.1", "25.9.2")
def test_25_9_the_combat_example_from_commitment_to_advance() -> None:
    """L3097: a 1 at 6:1 is A1/D1R1: the brigade is eliminated, and the 21st is flipped and consolidates."""
    table = a_table(FRONT, dice=[1], **fought("3218"))
    played(
        table,
        battle_cycle(table, Commit("3218", ("16GT", "21"), support="NEGF")),
        loss="21",
        advance=Advance({"21": ("3218",)}),
    )
    board = board_on(table)

    assert_rule(table.findings, "25.1.1", result=["16GT", "21"])
    assert_rule(table.findings, "25.5.2", cell=["6:1", 1], inputs={"attack": 13, "defense": 2}, result="A1/D1R1")
    assert_rule(table.findings, "25.6.3", inputs={"unit": "1/1PZ"}, result="eliminated")
    assert_rule(table.findings, "25.6.3", inputs={"unit": "21"}, result="reduced")
    assert_rule(table.findings, "25.8.1", inputs={"unit": "21"}, result="3218")
    assert_rule(table.findings, "25.9.2", inputs={"objective": "3218"})
    assert board.units["21"].at == "3218" and table.state.support_used == ["NEGF"]
    assert table.state.breakthrough == ["3218"] and table.state.battles == [] == [table.state.battle] * 0


@pytest.mark.rule("4.2.6", effect=True)
@pytest.mark.rule("25.6.2", "25.6.4", "25.7.3")
def test_25_6_2_a_counterattack_comes_before_all_other_results() -> None:
    """L3121, L3145: the result is -/CA D1R1, and a West German step disrupts on a 3, but not on a 2."""
    units = {"3114": "NEGF", "3118": "21 94G", "3218": "16GT", "3219": "1/1PZ 2/1PZ", "3223": "WG-I"}
    attackers = ("16GT", "21", "94G")
    table = a_table(units, dice=[die_for(units, "3219", attackers, "-/CAD1R1"), 3, 2], **fought("3219"))
    played(table, battle_cycle(table, Commit("3219", attackers)), counterattack=["94G", "21"], loss="1/1PZ")
    board = board_on(table)

    assert_rule(table.findings, "25.6.2", inputs={"unit": "1/1PZ", "target": "94G", "least": 3}, result="disrupted")
    assert_rule(table.findings, "25.6.2", inputs={"unit": "2/1PZ", "target": "21"}, result="no effect")
    assert_rule(table.findings, "25.6.4", inputs={"units": ["94G"]})
    assert_rule(table.findings, "25.7.3", inputs={"units": ["2/1PZ"]})
    assert board.units["94G"].piece.disrupted and board.units["2/1PZ"].piece.engaged


@pytest.mark.rule("25.7.1", "25.7")
def test_25_7_1_they_shall_not_pass() -> None:
    """The last step is lost instead of a retreat, so no unit advances and no marker is placed."""
    units = {"2818": "16GT 21", "2919": "1/1PZ", "2921": "WG-I"}
    table = a_table(units, dice=[die_for(units, "2919", ("16GT", "21"), "A1/R1")], **fought("2919"))
    played(table, battle_cycle(table, Commit("2919", ("16GT", "21"))), retreat=Retreat(trade=("1/1PZ",)))

    assert_rule(table.findings, "25.7", inputs={"unit": "1/1PZ"}, result="eliminated")
    assert_rule(table.findings, "25.7.1")
    assert table.state.breakthrough == [] and not board_on(table).at("2919")


@pytest.mark.rule("25.1.2")
def test_25_1_2_a_response_adds_its_strength() -> None:
    units = {"3114": "NEGF", "3118": "16GT 21", "3219": "1/1PZ", "3220": "2/1PZ"}
    table = a_table(units, dice=[1], **fought("3219"))
    played(table, battle_cycle(table, Commit("3219", ("16GT", "21"))), respond="2/1PZ", loss="21")

    assert_rule(table.findings, "25.1.2", inputs={"unit": "2/1PZ"}, result="3219")
    battle = next(finding for finding in table.findings if finding.rule == "25.5.2")
    assert battle.inputs["defense"] == 6


@pytest.mark.rule("23.2.2", "23.3.2")
def test_23_2_2_nato_strikes_the_attackers_from_the_air() -> None:
    """L3323: in an air strike on the attackers a 3 disrupts, and a 5 takes a step."""
    table = a_table(FRONT, dice=[3, 5, 1], **fought("3218"), tactical={Side.NATO: 2})
    strikes = (AirStrike("3118", targets=("16GT",)), AirStrike("3118", targets=("21",)))
    played(table, battle_cycle(table, Commit("3218", ("16GT", "21"))), air_defense=strikes, loss="16GT")

    assert_rule(table.findings, "23.2.2", inputs={"targets": ["16GT"]}, result="*")
    assert_rule(table.findings, "23.3.2", inputs={"unit": "21"}, result="reduced")
    assert table.state.tactical[Side.NATO] == 0


@pytest.mark.rule("25.1.4", "19.1", "25.1.8")
def test_25_1_4_attack_helicopters_fly_through_flak_and_home_again() -> None:
    """L3080: a friendly unit negates the zone over 3118; over 3218 only a 1 hits."""
    table = a_table(FRONT, dice=[2, 2, 1], **fought("3218"), brigades={"NEGF": "ready"})
    played(table, battle_cycle(table, Commit("3218", ("16GT", "21"), helicopters="NEGF")), loss="21")

    assert_rule(table.findings, "19.1", inputs={"hex": "3218", "hits_on": 1}, result="missed")
    assert_rule(table.findings, "25.1.4", result=True)
    assert_rule(table.findings, "25.1.8", result="recovery")
    assert table.state.brigades == {"NEGF": "recovery"}


def test_19_1_a_brigade_that_is_shot_down_gives_no_shift() -> None:
    table = a_table(FRONT, dice=[1, 3, 1], **fought("3218"), brigades={"NEGF": "ready"})
    played(table, battle_cycle(table, Commit("3218", ("16GT", "21"), helicopters="NEGF")), loss="21")

    assert table.state.brigades == {"NEGF": "lost"}
    battle = next(finding for finding in table.findings if finding.rule == "25.5.2")
    assert [row["text"] for row in battle.modifiers] == ["rough"]


@pytest.mark.rule("25.1.7", effect=True)
@pytest.mark.rule("30.2.1", "25.6.3.1")
def test_30_4_7_a_lone_city_falls_to_any_step_loss() -> None:
    """A lone city cannot absorb a D2, so the attacker's A1 is ignored."""
    units = {"3114": "NEGF", "3119": "94G 21", "3219": "207 35"}
    attackers = ("94G", "21", "207", "35")
    table = a_table(units, dice=[die_for(units, "3120", attackers, "A1/D2*R2")], **fought("3120"))
    played(table, battle_cycle(table, Commit("3120", attackers)), advance=Advance({"21": ("3120",)}))

    assert_rule(table.findings, "30.2.1", inputs={"city": "Minden"}, result="conquered")
    assert_rule(table.findings, "25.6.3.1")
    assert table.state.conquered == {"3120": Side.WP}


@pytest.mark.rule("25.1.9", effect=True)
@pytest.mark.rule("10.6")
def test_25_1_9_participants_test_combat_supply_where_they_stand() -> None:
    units = {"3114": "NEGF", "3118": "16GT 11GT", "3218": "1/1PZ!"}
    table = a_table({**units, "3119": "97"}, dice=[2], data=a_data(), **fought("3218"))
    table.state.pieces["NEGF"].supplied = False
    played(table, battle_cycle(table, Commit("3218", ("16GT",))))

    assert_rule(table.findings, "10.6", inputs={"units": ["16GT"]}, result="out of combat supply")


def test_25_7_4_an_illegal_retreat_is_refused() -> None:
    units = {"2818": "16GT 21", "2919": "1/1PZ", "2921": "WG-I"}
    table = a_table(units, dice=[die_for(units, "2919", ("16GT", "21"), "A1/R1")], **fought("2919"))
    with pytest.raises(Refusal):
        played(
            table,
            battle_cycle(table, Commit("2919", ("16GT", "21"))),
            retreat=Retreat(paths={"1/1PZ": ("2818",)}),
        )
