"""3.3.3, 3.3.5 Defensive First Fire, second fire and Residual FP."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.fire.attack import fire
from pbem.titles.aslsk.fire.components import Attack, components
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.firepower import shares, total
from pbem.titles.aslsk.fire.modifiers import fire_modifiers
from pbem.titles.aslsk.fire.table import residual_of, step_residual
from pbem.titles.aslsk.movement.residual import residual_attack

MMG = {"gw": ("german-mmg", "g1")}


def objections(table, seat, attack):
    return list(attack_objections(table.situation, seat, attack))


def drm_against(table, attack, unit):
    firers = components(table.situation, attack.components)
    return [(one.text, one.value) for one in fire_modifiers(table.situation, attack, firers, table.state.units[unit])]


@pytest.mark.rule("3.3.5")
def test_3_3_5_first_fire_leaves_half_its_column_as_in_the_example():
    """dff-2: 4 FP at a stone building has +3 and FFNAM -1 and leaves 2; only the squad is marked, not its MMG."""
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "J3")},
        ground=a_ground({"stone": "J3"}),
        weapons=MMG,
        phase="movement",
        attacker="russian",
        dice={"3.2.2": [6, 5]},
    )
    moving_in(table, ["r1"], spent=4)
    attack = Attack(("g1",), "J3")
    assert drm_against(table, attack, "r1") == [("stone building", 3), ("FFNAM", -1)]
    fire(table, attack)
    assert_rule(table.findings, "3.3.5", inputs={"at": "J3", "column": 4}, result=2)
    assert table.state.units["g1"].fired == "first" and not table.state.weapons["gw"].fired


@pytest.mark.parametrize(
    ("dice", "residual", "working"),
    [([3, 4], 2, True), ([3, 3], 1, True), ([5, 6], 1, False), ([5, 5], 0, False)],
)
def test_3_3_3_subsequent_first_fire_of_squad_and_mmg_as_in_the_example(dice, residual, working):
    """dff-4: 9 FP halved uses column 4; cowering or breakdown (B10) leaves 1 Residual FP, but both
    together leave nothing."""
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("527", "I5")},
        weapons=MMG,
        phase="movement",
        attacker="russian",
        states={"g1": {"fired": "first"}},
        dice={"3.3.3/sff": dice},
    )
    table.state.weapons["gw"].fired = "first"
    moving_in(table, ["r1"])
    attack = Attack(("g1", "gw"), "I5")
    assert str(total(shares(table.situation, attack))) == "9/2"
    assert drm_against(table, attack, "r1") == [("FFMO", -1), ("FFNAM", -1)]
    fire(table, attack)
    assert table.state.residual.get("I5", 0) == residual
    assert table.state.units["g1"].fired == "final"
    assert table.state.weapons["gw"].fired == "final" and table.state.weapons["gw"].malfunctioned is not working


@pytest.mark.rule("3.3.3/fpf", "4.1/breakdown", "5.1")
def test_3_3_3_final_protective_fire_checks_the_firer_as_in_the_example():
    """dff-8: a pinned squad with an MMG has 4.5 FP; a DR of 10 breaks and replaces it.

    The MMG malfunctions, and 1 Residual FP is left.
    """
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("426", "K6")},
        weapons=MMG,
        phase="movement",
        attacker="russian",
        elr=2,
        states={"g1": {"fired": "final", "pinned": True}},
        ground=a_ground({"brush": "K6"}),
        dice={"3.3.3/fpf": [4, 6]},
    )
    table.state.weapons["gw"].fired = "final"
    moving_in(table, ["r1"])
    fire(table, Attack(("g1", "gw"), "K6"))
    assert_rule(table.findings, "3.3.3/fpf", inputs={"fp": "4.5"}, cell={"column": 4}, result={"r1": "no effect"})
    assert_rule(table.findings, "3.3.3/fpf", inputs={"unit": "g1", "nmc": True}, result="failed")
    assert_rule(table.findings, "4.1/breakdown", inputs={"weapon": "gw"}, result="malfunctions")
    assert_rule(table.findings, "5.1", inputs={"unit": "g1"}, result="4-4-7")
    assert table.state.residual == {"K6": 1} and table.state.units["g1"].broken


@pytest.mark.rule("3.3.3/sff", "3.3.3/fpf")
def test_3_3_3_second_fire_only_near_and_final_fire_only_beside():
    table = a_table(
        {"g1": ("447g", "K5"), "r1": ("447", "K10"), "r2": ("447", "K7")},
        phase="movement",
        attacker="russian",
        states={"g1": {"fired": "first"}},
    )
    moving_in(table, ["r1"])
    against = objections(table, "german", Attack(("g1",), "K10"))
    assert_rule(against, "3.3.3/sff", why="g1 can fire again only within its normal range of 4")
    assert_rule(against, "3.3.3/sff", why="g1 cannot fire at K10: it sees a nearer enemy")
    table.state.units["g1"].fired = "final"
    assert_rule(objections(table, "german", Attack(("g1",), "K10")), "3.3.3/fpf")


@pytest.mark.rule("3.3.3/shot-limit")
def test_3_3_3_a_unit_fires_at_a_mover_once_for_each_mf_spent_in_the_hex():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K8")}, phase="movement", attacker="russian", dice={"3.2.2": [6, 5]}
    )
    moving_in(table, ["r1"], spent=2)
    fire(table, Attack(("g1",), "K8"))
    assert_rule(objections(table, "german", Attack(("g1",), "K8")), "3.3.3/shot-limit")
    table.state.units["r1"].going.here = 4
    assert not objections(table, "german", Attack(("g1",), "K8"))


@pytest.mark.rule("3.3.3")
def test_3_3_3_only_units_that_move_now_can_be_fired_at():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K8"), "r2": ("447", "K9")}, phase="movement", attacker="russian"
    )
    moving_in(table, ["r1"])
    assert_rule(objections(table, "german", Attack(("g1",), "K9")), "3.3.3")


def test_3_3_3_assault_movement_avoids_ffnam_until_the_unit_breaks_and_a_pinned_mover_has_neither():
    table = a_table({"g1": ("467", "K5"), "r1": ("447", "K8")}, phase="movement", attacker="russian")
    moving_in(table, ["r1"], assault=True)
    attack = Attack(("g1",), "K8")
    assert drm_against(table, attack, "r1") == [("FFMO", -1)]
    table.state.units["r1"].broken = True
    assert drm_against(table, attack, "r1") == [("FFMO", -1), ("FFNAM", -1)]
    table.state.units["r1"].broken, table.state.units["r1"].pinned = False, True
    assert drm_against(table, attack, "r1") == []


def test_3_3_5_residual_fp_attacks_once_with_the_drm_of_the_hex_as_in_the_example():
    """dff-5: Residual FP 2 attacks in open ground with FFMO and FFNAM."""
    table = a_table({"r1": ("447", "I5")}, phase="movement", attacker="russian", dice={"3.3.5": [1, 2, 1, 1]})
    table.state.residual = {"I5": 2}
    moving_in(table, ["r1"])
    residual_attack(table, [table.state.units["r1"]])
    found = assert_rule(table.findings, "3.3.5", inputs={"attack": True}, result={"r1": "1KIA"})
    assert [row["value"] for row in found.modifiers] == [-1, -1]
    assert "r1" not in table.state.units


@pytest.mark.parametrize(
    ("column", "left"), [(1, 0), (2, 1), (4, 2), (6, 2), (8, 4), (12, 6), (16, 8), (20, 8), (24, 12), (36, 12)]
)
def test_3_3_5_half_of_each_column(column, left):
    assert residual_of(column) == left


@pytest.mark.parametrize(("strength", "steps", "left"), [(2, -1, 1), (2, -2, 0), (1, 1, 2), (12, 1, 12), (0, 1, 0)])
def test_3_3_5_outside_drm_lower_the_counter_step_by_step(strength, steps, left):
    assert step_residual(strength, steps) == left


@pytest.mark.rule("1.2.4.1")
def test_1_2_4_1_an_mg_that_keeps_its_rate_stays_unmarked_and_leaves_no_residual():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K8")},
        weapons=MMG,
        phase="movement",
        attacker="russian",
        dice={"3.2.2": [6, 2]},
    )
    moving_in(table, ["r1"])
    kept = fire(table, Attack(("gw",), "K8"))
    assert kept == ["gw"] and not table.state.weapons["gw"].fired and not table.state.residual
    assert_rule(table.findings, "1.2.4.1", inputs={"weapon": "gw"}, result="may fire again")


@pytest.mark.rule("3.4")
def test_3_4_a_unit_marked_first_fire_fires_again_only_beside_it():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K7"), "r2": ("447", "K6")},
        phase="defensive",
        attacker="russian",
        states={"g1": {"fired": "first"}},
    )
    assert_rule(objections(table, "german", Attack(("g1",), "K7")), "3.4")
    assert not objections(table, "german", Attack(("g1",), "K6"))
    assert total(shares(table.situation, Attack(("g1",), "K6"))) == 4
