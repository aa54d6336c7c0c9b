"""3.2 Fire attacks: the rulebook's worked examples and the rules around them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, carried, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.fire.attack import fire
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.firepower import shares, total


def objections(table, seat, attack):
    return list(attack_objections(table.situation, seat, attack))


@pytest.mark.rule("3.2.2", "3.2.3/nmc", "3.2.3/pin")
def test_3_2_2_a_group_of_two_hexes_fires_as_in_the_example_of_prep_fire():
    """pfph-1: 12 + 7 FP uses column 16, and the orchard hinders the whole group; one squad breaks, and
    the other is pinned."""
    table = a_table(
        {"g1": ("666", "O6"), "g2": ("747", "N5"), "r1": ("467", "P5"), "r2": ("467", "P5")},
        ground=a_ground({"stone": "P5", "orchard": "O5"}),
        dice={"3.2.2": [2, 4], "3.2.3/nmc": [5, 4, 3, 4]},
    )
    fire(table, Attack(("g1", "g2"), "P5"))
    assert_rule(
        table.findings,
        "3.2.2",
        inputs={"fp": "19"},
        cell={"column": 16, "used": 16},
        result={"r1": "NMC", "r2": "NMC"},
    )
    assert_rule(table.findings, "3.2.3/nmc", inputs={"unit": "r1"}, result="failed")
    assert_rule(table.findings, "3.2.3/pin", inputs={"unit": "r2"}, result="pinned")
    units = table.state.units
    assert units["r1"].broken and units["r1"].dm and units["r2"].pinned
    assert units["g1"].fired == units["g2"].fired == "prep"
    drm = sum(row["value"] for row in table.findings[-1].modifiers)
    assert drm == 4


@pytest.mark.rule("3.2.2/cowering", "3.2.3/casualty-reduction", "5.1", "5.4")
def test_3_2_2_cowering_of_a_green_squad_and_elr_as_in_the_example_of_prep_fire():
    """pfph-3: doubles cost two columns; a 12 reduces the target and its half-squad is replaced."""
    table = a_table(
        {"g1": ("536", "N4"), "r1": ("467", "O5")},
        ground=a_ground({"orchard": "O5"}),
        dice={"3.2.2": [2, 2], "3.2.3/mc": [6, 6]},
    )
    fire(table, Attack(("g1",), "O5"))
    found = assert_rule(table.findings, "3.2.2", cell={"column": 8, "used": 4, "cowered": True}, result={"r1": "1MC"})
    assert found.dice == (2, 2)
    assert_rule(table.findings, "3.2.3/casualty-reduction", inputs={"unit": "r1"}, result="2-4-7")
    assert_rule(table.findings, "5.1", inputs={"unit": "r1"}, result="2-3-7")
    target = table.state.units["r1"]
    assert target.broken and target.dm and target.card == "german-half-237"
    assert_rule(table.findings, "3.2.2/cowering", inputs={"firers": ["g1"]}, result=2)
    assert_rule(table.findings, "5.4", inputs={"units": ["g1"]}, result="inexperienced")


@pytest.mark.parametrize(("fp", "column"), [(9, 8), (1, 1), (3, 2), (40, 36), (Fraction(1, 2), 0), (19, 16)])
def test_3_2_3_the_column_is_the_rightmost_not_above_the_firepower(fp, column):
    table = a_table({})
    assert table.situation.data.fire_table.column_of(fp) == column


@pytest.mark.rule("3.2.2/fp-modification")
def test_3_2_2_nobody_fires_beyond_twice_the_normal_range():
    table = a_table({"g1": ("447g", "A5"), "r1": ("447", "J5")})
    against = objections(table, "german", Attack(("g1",), "J5"))
    assert_rule(against, "3.2.2/fp-modification", why="J5 is 9 hexes from g1, whose range is 8")


def test_3_2_2_point_blank_doubles_and_long_range_halves():
    table = a_table({"g1": ("467", "E5"), "r1": ("447", "E6"), "r2": ("447", "E12")})
    assert total(shares(table.situation, Attack(("g1",), "E6"))) == 8
    assert total(shares(table.situation, Attack(("g1",), "E12"))) == 2


@pytest.mark.rule("3.2.2/mandatory-fg")
def test_3_2_2_infantry_of_one_hex_cannot_attack_the_same_hex_one_by_one():
    table = a_table({"g1": ("467", "E5"), "g2": ("467", "E5"), "r1": ("447", "E8")}, dice={"3.2.2": [6, 5]})
    fire(table, Attack(("g1",), "E8"))
    assert_rule(objections(table, "german", Attack(("g2",), "E8")), "3.2.2/mandatory-fg")


@pytest.mark.rule("3.2.2/fire-groups")
def test_3_2_2_a_fire_group_stands_in_adjacent_hexes_and_a_lone_leader_does_not_link_it():
    table = a_table(
        {"g1": ("467", "E5"), "g2": ("467", "E7"), "g3": ("g 8-1", "E6"), "r1": ("447", "H6")},
        weapons={"gw": ("german-lmg", "g3")},
    )
    assert_rule(objections(table, "german", Attack(("g1", "g2"), "H6")), "3.2.2/fire-groups")
    assert_rule(objections(table, "german", Attack(("g1", "gw", "g2"), "H6")), "3.2.2/fire-groups")
    assert not objections(table, "german", Attack(("g1", "gw"), "H6"))


@pytest.mark.rule("3.2.2/leader-direction")
def test_3_2_2_a_leader_directs_only_in_his_hex_and_every_hex_needs_one():
    table = a_table(
        {"g1": ("467", "E5"), "g2": ("467", "E6"), "gl": ("g 9-1", "E5"), "r1": ("447", "H6")},
        dice={"3.2.2": [3, 3]},
    )
    against = objections(table, "german", Attack(("g1", "g2"), "H6", ("gl",)))
    assert_rule(
        against,
        "3.2.2/leader-direction",
        why="leaders can direct a fire group only if a leader directs in each of its hexes",
    )
    fire(table, Attack(("g1",), "H6", ("gl",)))
    assert table.findings[-1].cell["cowered"] is False
    assert table.state.units["gl"].fired == "prep"
    assert {"rule": "3.2.2/leader-direction", "text": "leadership", "value": -1} in table.findings[-1].modifiers


@pytest.mark.rule("3.4/leader-direction")
def test_3_4_a_leader_who_has_directed_one_squad_cannot_direct_another():
    table = a_table(
        {"r1": ("447", "E5"), "r2": ("447", "E5"), "rl": ("r 8-1", "E5"), "g1": ("467", "E7")},
        phase="movement",
        dice={"3.2.2": [6, 5]},
    )
    moving_in(table, ["g1"])
    fire(table, Attack(("r1",), "E7", ("rl",)))
    table.state.mover.expenditures = 2
    table.state.units["g1"].going.here = 6
    assert_rule(objections(table, "russian", Attack(("r2",), "E7", ("rl",))), "3.4/leader-direction")
    assert not objections(table, "russian", Attack(("r1",), "E7", ("rl",)))


@pytest.mark.rule("3.2.2/target-choice")
def test_3_2_2_a_unit_cannot_be_named_twice_in_one_attack():
    table = a_table({"g1": ("467", "E5"), "r1": ("447", "E8")})
    assert_rule(objections(table, "german", Attack(("g1", "g1"), "E8")), "3.2.2/target-choice")


@pytest.mark.rule("3.2.5", "3.2")
def test_3_2_5_a_unit_fires_once_in_prep_fire_and_needs_a_target():
    table = a_table({"g1": ("467", "E5"), "r1": ("447", "E8")}, dice={"3.2.2": [6, 5]})
    assert_rule(objections(table, "german", Attack(("g1",), "E9")), "3.2")
    fire(table, Attack(("g1",), "E8"))
    assert_rule(objections(table, "german", Attack(("g1",), "E8")), "3.2.5")


@pytest.mark.rule("3.2.1/declaration")
def test_3_2_1_fire_without_line_of_sight_is_wasted():
    """3.2.1 Under `los = printed`, fire may be declared without LOS: the weapon counts as fired, but
    the fire has no effect."""
    table = a_table(
        {"g1": ("467", "E5"), "r1": ("447", "E8")}, ground=a_ground({"woods": "E6 E7"}), dice={"3.2.2": [1, 1]}
    )
    assert not objections(table, "german", Attack(("g1",), "E8"))
    fire(table, Attack(("g1",), "E8"))
    assert table.findings[-1].inputs["no_sight"] == ["g1"]
    assert_rule(table.findings, "3.2.1/declaration", inputs={"firers": ["g1"]}, result="wasted")
    assert table.state.units["g1"].fired == "prep" and not table.state.units["r1"].broken


def test_3_2_1_with_open_sight_fire_without_it_is_refused():
    table = a_table({"g1": ("467", "E5"), "r1": ("447", "E8")}, ground=a_ground({"woods": "E6 E7"}), los="open")
    assert_rule(objections(table, "german", Attack(("g1",), "E8")), "3.2.1")


@pytest.mark.rule("3.2.3/llmc", "3.2.3/wounds", "3.2.3/k")
def test_3_2_3_the_death_of_a_leader_shakes_his_stack():
    table = a_table(
        {"g1": ("467", "E5"), "g2": ("467", "E5"), "rl": ("r 9-2", "E6"), "r1": ("447", "E6")},
        dice={"3.2.2": [1, 3], "3.2.3/k": [1], "3.2.3/wounds": [6], "3.2.3/mc": [1, 1], "3.2.3/llmc": [4, 4]},
    )
    fire(table, Attack(("g1", "g2"), "E6"))
    assert_rule(table.findings, "3.2.3/k", inputs={"unit": "rl"}, result="K/3")
    assert_rule(table.findings, "3.2.3/wounds", inputs={"unit": "rl"}, result="eliminated")
    found = assert_rule(table.findings, "3.2.3/llmc", inputs={"unit": "r1"}, result="failed")
    assert [row["value"] for row in found.modifiers] == [2]
    assert table.state.units["r1"].broken and "rl" not in table.state.units


@pytest.mark.rule("3.2.3/lltc", "3.2.3/mc")
def test_3_2_3_a_leader_who_breaks_may_pin_his_stack():
    table = a_table(
        {"g1": ("467", "E5"), "rl": ("r 8-1", "E6"), "r1": ("447", "E6")},
        dice={"3.2.2": [4, 1], "3.2.3/mc": [5, 6, 1, 2], "3.2.3/lltc": [4, 4]},
    )
    fire(table, Attack(("g1",), "E6"))
    assert_rule(table.findings, "3.2.3/mc", inputs={"unit": "rl"}, result="failed")
    assert_rule(table.findings, "3.2.3/lltc", inputs={"unit": "r1"}, result="pinned")
    assert table.state.units["r1"].pinned


@pytest.mark.rule("3.2.3/random-selection", effect=True)
@pytest.mark.rule("3.2.3/kia", "3.2.3/dm-placement")
def test_3_2_3_a_kia_eliminates_one_and_breaks_the_other():
    table = a_table(
        {"g1": ("467", "E5"), "g2": ("467", "E5"), "r1": ("447", "E6"), "r2": ("447", "E6")},
        dice={"3.2.2": [1, 2], "3.2.3/kia": [2]},
    )
    fire(table, Attack(("g1", "g2"), "E6"))
    assert_rule(table.findings, "3.2.3/kia", inputs={"unit": "r2"}, result="eliminated")
    assert_rule(table.findings, "3.2.3/kia", inputs={"unit": "r1"}, result="broken")
    table = a_table(
        {"g1": ("467", "E5"), "r1": ("447", "E6")},
        dice={"3.2.2": [6, 5]},
        states={"r1": {"broken": True}},
    )
    fire(table, Attack(("g1",), "E6"))
    assert_rule(table.findings, "3.2.3/dm-placement", inputs={"unit": "r1"}, result="DM")


@pytest.mark.rule("3.2.3/ptc")
def test_3_2_3_a_failed_pin_check_pins():
    table = a_table({"g1": ("467", "E5"), "r1": ("447", "E8")}, dice={"3.2.2": [3, 4], "3.2.3/ptc": [5, 4]})
    fire(table, Attack(("g1",), "E8"))
    assert_rule(table.findings, "3.2.3/ptc", inputs={"unit": "r1"}, result="pinned")


@pytest.mark.rule("3.5", "3.5/assault-fire")
def test_3_5_assault_fire_adds_one_and_rounds_up():
    """3.5/assault-fire: 7 FP gives 5 at normal range and 8 against an adjacent hex."""
    table = a_table({"g1": ("747", "E5"), "r1": ("447", "E8"), "r2": ("447", "E6")}, phase="advancing")
    assert total(shares(table.situation, Attack(("g1",), "E8"))) == 5
    assert total(shares(table.situation, Attack(("g1",), "E6"))) == 8
    fire(table, Attack(("g1",), "E6"))
    assert_rule(carried(table.findings), "3.5/assault-fire", inputs={"component": "g1"})
    table.state.units["g1"].fired = "prep"
    assert_rule(objections(table, "german", Attack(("g1",), "E8")), "3.5")
