"""4 Support weapons: use, flamethrowers, charges and capture."""

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
from pbem.titles.aslsk.movement.phase import settle
from pbem.titles.aslsk.orders import Leg
from pbem.titles.aslsk.weapons.breakdown import breakdown_number
from pbem.titles.aslsk.weapons.charges import detonate_all
from pbem.titles.aslsk.weapons.possession import capacity, excess_points


def objections(table, attack, seat="german"):
    return list(attack_objections(table.situation, seat, attack))


@pytest.mark.rule("4.0/weapon-usage")
def test_4_0_a_squad_fires_one_weapon_with_its_own_fp_or_two_without():
    table = a_table(
        {"g1": ("467", "K5"), "g2": ("247", "K6"), "r1": ("447", "K8")},
        weapons={"gw1": ("german-lmg", "g1"), "gw2": ("german-lmg", "g1"), "gw3": ("german-lmg", "g2")},
    )
    assert not objections(table, Attack(("g1", "gw1"), "K8"))
    assert not objections(table, Attack(("gw1", "gw2"), "K8"))
    assert_rule(objections(table, Attack(("g1", "gw1", "gw2"), "K8")), "4.0/weapon-usage")
    assert_rule(
        objections(table, Attack(("g2", "gw3"), "K8")),
        "4.0/weapon-usage",
        why="g2 can fire its own FP or one weapon, not both",
    )


@pytest.mark.rule("4.1")
def test_4_1_a_lone_leader_halves_an_mg_two_leaders_fire_it_whole():
    table = a_table(
        {"gl1": ("g 8-1", "K5"), "gl2": ("g 8-0", "K5"), "r1": ("447", "K8")}, weapons={"gw": ("german-mmg", "gl1")}
    )
    assert total(shares(table.situation, Attack(("gw",), "K8"))) == 2.5
    assert total(shares(table.situation, Attack(("gw", "gl2"), "K8"))) == 5
    table.state.units["gl2"].fired = "prep"
    assert_rule(objections(table, Attack(("gw", "gl2"), "K8")), "4.1")


@pytest.mark.rule("4.2")
def test_4_2_a_flamethrower_ignores_terrain_fires_alone_and_endangers_its_bearer():
    table = a_table(
        {"g1": ("548", "K5"), "r1": ("447", "K6")},
        ground=a_ground({"stone": "K6"}),
        weapons={"gw": ("german-ft", "g1")},
        dice={"3.2.2": [4, 6]},
    )
    attack = Attack(("gw",), "K6")
    firers = components(table.situation, ("gw",))
    assert fire_modifiers(table.situation, attack, firers, table.state.units["r1"]) == []
    assert total(shares(table.situation, attack)) == 24
    assert_rule(objections(table, Attack(("g1", "gw"), "K6")), "4.2")
    bearer = table.state.units["g1"]
    assert [
        row.text
        for row in fire_modifiers(
            table.situation, Attack(("r1",), "K5"), components(table.situation, ("r1",)), bearer
        )
    ] == ["target carries a flamethrower"]
    fire(table, attack)
    assert "gw" not in table.state.weapons, "X10 removes it"


@pytest.mark.rule("4.3/placement", "4.3/detonation")
def test_4_3_a_charge_is_placed_and_explodes_on_everybody_in_the_hex():
    table = a_table(
        {"g1": ("548", "K5"), "r1": ("447", "K6")},
        ground=a_ground({"stone": "K6"}),
        weapons={"gw": ("german-dc", "g1")},
        phase="movement",
        dice={"4.3/detonation": [2, 3], "3.2.3/mc": [1, 1]},
    )
    moving_in(table, ["g1"], spent=0)
    settle(table, Leg("place", "K6", weapon="gw"))
    assert_rule(table.findings, "4.3/placement", inputs={"at": "K6"}, result="placed")
    detonate_all(table, [charge.weapon for charge in table.state.charges])
    found = assert_rule(table.findings, "4.3/detonation", cell={"used": 30})
    assert [row["value"] for row in found.modifiers] == [3] and "gw" not in table.state.weapons


@pytest.mark.rule("4.0/portage", effect=True)
def test_4_0_portage_of_squads_leaders_and_tired_units():
    table = a_table({"g1": ("467", "K5"), "gl": ("g 8-0", "K5")}, weapons={"gw": ("german-hmg", "g1")})
    squad, leader = table.state.units["g1"], table.state.units["gl"]
    assert (capacity(table.situation, squad), capacity(table.situation, leader)) == (3, 1)
    assert excess_points(table.situation, squad) == 1 and excess_points(table.situation, squad, help=1) == 0
    squad.cx = leader.wounded = True
    assert (capacity(table.situation, squad), capacity(table.situation, leader)) == (2, 0)


def test_5_5_a_captured_mg_breaks_down_earlier_and_an_inexperienced_user_makes_it_worse():
    table = a_table({"r1": ("426", "K5"), "r2": ("447", "K6")}, weapons={"gw": ("german-mmg", "r1")})
    weapon, units = table.state.weapons["gw"], table.state.units
    assert breakdown_number(table.situation, weapon, units["r1"]) == 12 - 2 - 1
    weapon.holder = "r2"
    assert breakdown_number(table.situation, weapon, units["r2"]) == 10
