"""Fire under markers, with leaders and with other fire; each answer was worked out by hand from the rulebook."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, driving, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.melee import settle_melee
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.ordnance.to_hit import hit_modifiers
from pbem.titles.aslsk.state import Weapon
from pbem.titles.aslsk.vehicles.reactions import react

T34, PZ4 = "russian-t34-85", "german-pz4h"


def objections(table, attack, seat="german"):
    return list(attack_objections(table.situation, seat, attack))


def defending(units, at="E5", **more):
    """Set up a German defence in E4, with a Russian squad that has just entered a hex."""
    table = a_table({"r1": ("447", at), **units}, phase="movement", attacker="russian", **more)
    moving_in(table, ["r1"], spent=4)
    return table


@pytest.mark.rule("3.3.3/sff")
@pytest.mark.parametrize("card", ["german-ft", "german-atr"])
def test_3_3_3_subsequent_first_fire_is_for_rifles_and_machine_guns(card):
    table = defending({"g1": ("548", "E4")}, weapons={"gw": (card, "g1")})
    assert not objections(table, Attack(("gw",), "E5"))
    table.state.weapons["gw"].fired = table.state.units["g1"].fired = "first"
    assert_rule(
        objections(table, Attack(("gw",), "E5")), "3.3.3/sff", why="only inherent FP and machine guns can fire again"
    )
    table.state.weapons["gw"].fired = table.state.units["g1"].fired = "final"
    assert objections(table, Attack(("gw",), "E5"))


@pytest.mark.rule("3.4")
def test_3_4_a_flamethrower_marked_first_fire_does_not_fire_again_in_the_defensive_fire_phase():
    table = a_table(
        {"g1": ("548", "E4"), "r1": ("447", "E5")}, weapons={"gw": ("german-ft", "g1")},
        phase="defensive", attacker="russian",
    )  # fmt: skip
    table.state.weapons["gw"].fired = "first"
    assert_rule(objections(table, Attack(("gw",), "E5")), "3.4")


@pytest.mark.rule("4.0/weapon-usage")
def test_4_0_a_half_squad_that_has_fired_its_own_fp_does_not_fire_its_machine_gun_too():
    table = defending({"g1": ("247", "E4")}, weapons={"gw": ("german-lmg", "g1")})
    table.state.units["g1"].fired = "first"
    assert_rule(
        objections(table, Attack(("gw",), "E5")),
        "4.0/weapon-usage",
        why="g1 can fire its own FP or one weapon, not both",
    )
    assert not objections(table, Attack(("g1", "gw"), "E5"))  # as Subsequent First Fire


@pytest.mark.rule("4.0/weapon-usage")
def test_4_0_a_squad_that_has_fired_with_one_machine_gun_does_not_open_up_with_a_second():
    table = defending({"g1": ("467", "E4")}, weapons={"gw": ("german-lmg", "g1"), "gx": ("german-lmg", "g1")})
    squad = table.state.units["g1"]
    squad.fired, squad.used, table.state.weapons["gw"].fired = "first", ["gw"], "first"
    assert_rule(objections(table, Attack(("gx",), "E5")), "4.0/weapon-usage")
    assert not objections(table, Attack(("g1", "gw", "gx"), "E5"))  # as Subsequent First Fire all may join


@pytest.mark.rule("3.2.4/intensive-fire")
def test_3_2_4_a_gun_whose_crew_is_marked_final_fire_uses_no_intensive_fire_in_the_defensive_fire_phase():
    table = a_table(
        {"g1": ("228", "E4"), "r1": ("447", "E5")}, weapons={"gw": ("german-75l-at", "g1")}, facings={"gw": 4},
        phase="defensive", attacker="russian",
    )  # fmt: skip
    table.state.weapons["gw"].fired = table.state.units["g1"].fired = "final"
    attack = Attack(("gw",), "E5", intensive=True)
    assert_rule(objections(table, attack), "3.2.4/intensive-fire", why="gw cannot use Intensive Fire now")
    table.state.units["g1"].fired = ""
    table.state.fired_in_phase.append("E4>E5#ordnance:gw")  # it lost its rate of fire in this phase
    assert not objections(table, attack)


def test_3_3_3_a_leader_who_directs_subsequent_first_fire_carries_its_marker():
    table = defending({"g1": ("467", "E4"), "gl": ("g 9-1", "E4")}, dice={"3.3.3/sff": [3, 4]})
    table.state.units["g1"].fired = table.state.units["gl"].fired = "first"
    table.state.units["gl"].directed = ["g1"]
    fire(table, Attack(("g1",), "E5", ("gl",)))
    assert (table.state.units["g1"].fired, table.state.units["gl"].fired) == ("final", "final")


@pytest.mark.rule("3.2.2/mandatory-fg")
def test_4_1_a_machine_gun_fired_at_a_tank_does_not_bind_its_squad():
    table = a_table(
        {"g1": ("467", "E4"), "r2": ("447", "E5")}, weapons={"gw": ("german-mmg", "g1")},
        vehicles={"r1": (T34, "E5", 4)}, dice={"3.2.4": [6, 5]},
    )  # fmt: skip
    fire(table, Attack(("gw",), "E5", target="r1"))
    assert not objections(table, Attack(("g1",), "E5"))
    bound = a_table({"g1": ("467", "E4"), "r2": ("447", "E5")}, weapons={"gw": ("german-mmg", "g1")})
    fire(bound, Attack(("gw",), "E5"))
    assert_rule(objections(bound, Attack(("g1",), "E5")), "3.2.2/mandatory-fg")


@pytest.mark.rule("4.0/weapon-usage")
def test_4_4_2_only_a_leader_who_may_direct_helps_with_a_panzerfaust():
    table = a_table(
        {"g1": ("467", "E4"), "gl": ("g 9-2", "E4"), "g2": ("467", "E4"), "rl": ("r 9-1", "E5")},
        vehicles={"r1": (T34, "E5", 4)}, date="1944-07",
    )  # fmt: skip
    table.state.pf_left = {"german": 3}
    leader, shot = table.state.units["gl"], Attack(("g1",), "E5", ("gl",), how="pf", target="r1")
    assert not objections(table, shot)
    for state in ({"broken": True}, {"pinned": True}, {"directed": ["g2"], "fired": "prep"}, {"used": ["gw"]}):
        for name, value in state.items():
            setattr(leader, name, value)
        assert objections(table, shot), state
        leader.broken = leader.pinned = False
        leader.directed, leader.fired, leader.used = [], "", []
    own = Attack(("gl",), "E5", ("gl",), how="pf", target="r1")
    assert_rule(objections(table, own), "4.0/weapon-usage")


def test_6_10_a_crew_that_is_held_in_melee_loses_its_acquired_target():
    table = a_table(
        {"g1": ("228", "E4"), "r1": ("447", "E4")}, weapons={"gw": ("german-75l-at", "g1")}, facings={"gw": 4}
    )
    weapon = table.state.weapons["gw"]
    weapon.acquired, weapon.acquisition = "E8", 2
    settle_melee(table, "E4")
    assert table.state.melee == ["E4"] and (weapon.acquired, weapon.acquisition) == ("", 0)


@pytest.mark.rule("1.1.1.10/height-advantage", effect=True)
def test_1_1_1_10_height_is_no_cover_from_mortars_and_so_does_not_spare_a_mover_in_the_open():
    table = a_table(
        {"g1": ("467", "E4"), "r1": ("447", "E8")}, weapons={"gw": ("german-mortar", "g1")},
        ground=a_ground({}, hills=["E8"]), phase="movement", attacker="russian",
    )  # fmt: skip
    moving_in(table, ["r1"])
    target = table.state.units["r1"]
    lobbed = hit_modifiers(table.situation, component(table.situation, "gw"), Attack(("gw",), "E8"), target)
    assert {row.text: row.value for row in lobbed} == {"FFMO": -1, "FFNAM": -1}
    aimed = a_table(
        {"g1": ("228", "E4"), "r1": ("447", "E8")}, weapons={"gw": ("german-75l-at", "g1")}, facings={"gw": 4},
        ground=a_ground({}, hills=["E8"]), phase="movement", attacker="russian",
    )  # fmt: skip
    moving_in(aimed, ["r1"])
    one, target = component(aimed.situation, "gw"), aimed.state.units["r1"]
    found = hit_modifiers(aimed.situation, one, Attack(("gw",), "E8"), target)
    assert {row.text: row.value for row in found} == {"height advantage": 1, "FFNAM": -1}


def test_3_3_5_a_machine_gun_that_hits_a_tank_beside_it_leaves_half_of_its_doubled_fp():
    """A machine gun of 5 FP has 10 FP at point blank, which uses column 8 and leaves Residual FP 4."""
    table = a_table(
        {"g1": ("467", "E4")}, weapons={"gw": ("german-mmg", "g1")}, vehicles={"r1": (T34, "E5", 1)},
        phase="movement", attacker="russian", dice={"3.2.4": [3, 3], "7.9": [5, 5]},
    )  # fmt: skip
    driving(table, "r1", ("E6", 2), ("E5", 2))
    fire(table, Attack(("gw",), "E5", target="r1"))
    assert_rule(table.findings, "3.2.4/vtt", result="hit")
    assert table.state.residual == {"E5": 4}


def test_3_2_4_an_infantry_shot_at_the_crew_of_a_moving_tank_meets_the_moving_target_and_leaves_residual_fp():
    """At range 4 the number is 8, and a moving target in sight from the start is +2.

    A 75 mm leaves half of column 12.
    """
    table = a_table(
        {"g1": ("228", "E4")}, weapons={"gw": ("german-75l-at", "g1")}, facings={"gw": 4},
        vehicles={"r1": (T34, "E8", 1)}, armour={"r1": {"ce": True}},
        phase="movement", attacker="russian", dice={"3.2.4": [6, 2, 1, 5], "3.2.4/effects": [5, 6]},
    )  # fmt: skip
    driving(table, "r1", ("E9", 8), ("E8", 2))
    fire(table, Attack(("gw",), "E8"))
    assert_rule(table.findings, "3.2.4", result="miss")  # 8 + 2 > 8
    table.state.weapons["gw"].fired, table.state.shots = "", {}
    fire(table, Attack(("gw",), "E8", unmarked=True))
    assert_rule(table.findings[-1:], "3.2.4", result="hit")
    assert table.state.residual == {"E8": 6}


def test_3_3_4_a_squad_that_fails_its_check_before_a_tank_is_pinned_but_has_not_fired():
    table = a_table(
        {"g1": ("467", "E8")}, vehicles={"r1": (T34, "E8", 1)}, phase="movement", attacker="russian",
        dice={"3.7/paatc": [6, 5]},
    )  # fmt: skip
    driving(table, "r1", ("E9", 2), ("E8", 2))
    react(table, Attack(("g1",), "E8", how="reaction", target="r1"))
    squad = table.state.units["g1"]
    assert squad.pinned and not squad.fired
    assert "r1" in table.state.vehicles


def test_6_2_white_phosphorus_finds_the_crew_of_a_hidden_gun():
    """6.2/wp: All Infantry in the hex checks, and because a check is an effect (6.4), the Gun is found."""
    table = a_table(
        {"g1": ("227", "E4"), "r1": ("r228", "E8")},
        weapons={"gw": ("american-81s-mtr", "g1"), "rw": ("russian-45l-at", "r1")},
        facings={"gw": 4, "rw": 1}, states={"r1": {"hidden": True}}, ground=a_ground({"brush": "E8"}),
        dice={"3.2.4": [1, 2], "6.2/wp": [6, 5]}, date="1944-07",
    )  # fmt: skip
    fire(table, Attack(("gw",), "E8", how="WP"))
    assert not table.state.units["r1"].hidden and table.state.units["r1"].broken
    assert_rule(table.findings, "6.4", inputs={"why": "it is hit"}, result="revealed")


def test_6_10_a_vehicle_that_turns_on_the_spot_without_firing_loses_its_acquired_target():
    from pbem.titles.aslsk.vehicles.steps import turn, turn_turret

    for act in (lambda table, tank: turn(table, tank, 2), lambda table, tank: turn_turret(table, tank, 3)):
        table = a_table({}, vehicles={"g1": (PZ4, "K9", 1)}, phase="movement")
        driving(table, "g1", ("K9", 2))
        weapon = table.state.weapons["g1ma"]
        weapon.acquired, weapon.acquisition = "K5", 1
        act(table, table.state.vehicles["g1"])
        assert not weapon.acquisition
    gun = Weapon(id="x", card="y", acquired="K5", acquisition=1)
    gun.lose_target()
    assert not gun.acquired
