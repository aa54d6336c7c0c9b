"""Situations in which several rules meet, found and answered in a second reading of the rulebook."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, moving_in
from titles.aslsk.combinations.test_lawyer import played
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.phases import clear_markers, turn_guns
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.phase import expenditure
from pbem.titles.aslsk.orders import FireOrder, Leg, MoveOrder, Orders
from pbem.titles.aslsk.state import Charge
from pbem.titles.aslsk.vehicles.driving import start_vehicle
from pbem.titles.aslsk.vehicles.reactions import other_objections
from pbem.titles.aslsk.weapons.charges import detonate_all

T34, PZ4, PZ2 = "russian-t34-85", "german-pz4h", "german-pz2f"
SHAKEN = {"broken": True, "dm": True}


def objections(table, attack, seat=GERMAN):
    return list(attack_objections(table.situation, seat, attack))


def told(table, rule):
    return [found for found in every(table.findings) if found.rule == rule]


@pytest.mark.rule("3.8/melee", "4.3/detonation")
def test_4_3_a_charge_that_leaves_one_side_of_a_melee_ends_it():
    """3.8/melee: a Melee ends when only one side is left, even because of a charge (4.3), so the
    survivor may advance.
    """
    table = a_table(
        {"g1": ("247", "E5"), "r1": ("447", "E5")},
        phase="advancing",
        dice={"4.3/detonation": [1, 1]},
        weapons={"gd": ("german-dc", "")},
    )
    table.state.melee = ["E5"]
    table.state.charges = [Charge("gd", "E5", "E4")]
    detonate_all(table, ["gd"])
    assert len({unit.seat for unit in table.state.units.values()}) < 2
    assert table.state.melee == []
    assert_rule(table.findings, "3.8/melee", inputs={"at": "E5"}, result="Melee ends")
    assert_rule(table.findings, "4.3/detonation", inputs={"weapon": "gd"})


@pytest.mark.rule("3.3.2.1")
def test_3_3_2_1_a_tank_that_fired_and_kept_its_rate_is_not_marked_and_may_try_for_motion():
    """3.3.2.1 forbids the attempt only to a vehicle with a weapon marked First, Final or Intensive Fire."""
    for dice, able in (([4, 1], True), ([4, 6], False)):
        table = a_table(
            {"r1": ("447", "E8")},
            phase="movement",
            attacker=RUSSIAN,
            vehicles={"g2": (PZ4, "E4", 4)},
            dice={"3.2.4": dice, "3.2.4/effects": [6, 6]},
        )
        moving_in(table, ["r1"], spent=2)
        kept = fire(table, Attack(("g2ma",), "E8"))
        assert bool(kept) is able and bool(table.state.weapons["g2ma"].fired) is not able
        found = list(other_objections(table.situation, GERMAN, Attack(("g2",), "E8", how="motion")))
        assert bool(found) is not able
    assert_rule(found, "3.3.2.1", why="g2 cannot try to get into Motion")


@pytest.mark.rule("7.6/unbog")
def test_7_6_a_bogged_tank_that_is_also_immobilized_cannot_free_itself():
    """7.6/unbog: only a vehicle that is otherwise mobile may try; an immobilized vehicle would end in Motion."""
    table = a_table(
        {},
        phase="movement",
        vehicles={"g2": (PZ4, "E5", 1)},
        ground=a_ground({"woods": "E5"}),
        armour={"g2": {"bogged": "bogged", "immobilized": True}},
        dice={"7.6/unbog": [1, 1]},
    )
    order = MoveOrder(("g2",), (Leg("unbog"),))
    table.state.sealed = {GERMAN: Orders(moves=(order,))}
    assert start_vehicle(table, order, 0)
    while table.state.mover is not None:
        played(expenditure(table))
    tank = table.state.vehicles["g2"]
    assert_rule(table.findings, "7.6/unbog", inputs={"order": "g2 unbog"})
    assert not [one for one in told(table, "7.6/unbog") if one.dice]
    assert (tank.bogged, tank.motion) == ("bogged", False)


@pytest.mark.rule("3.2.4/ca-change-without-fire")
@pytest.mark.parametrize("named", ["g2ma", "g2cmg", "g2bmg"])
def test_6_10_whatever_turns_the_turret_without_firing_costs_the_main_armament_its_target(named):
    """6.10: acquisition is lost when the weapon changes its CA without firing; hull and turret
    turn together (7.8).
    """
    table = a_table({"r1": ("447", "E8"), "r2": ("447", "I6")}, vehicles={"g2": (PZ4, "E5", 4)})
    gun = table.state.weapons["g2ma"]
    gun.acquired, gun.acquisition, gun.quarry = "E8", 2, ["r1"]
    turn_guns(table, GERMAN, [FireOrder((named,), (), face="I6")])
    assert_rule(table.findings, "3.2.4/ca-change-without-fire", inputs={"weapon": named})
    assert gun.acquisition == 0


@pytest.mark.rule("3.2.4/att")
def test_3_2_4_area_fire_of_an_earlier_player_turn_does_not_bind_a_gun_that_has_lost_its_crew():
    """3.2.4/att restricts a Gun only in the player turn of its area fire, even if its crew is lost in that turn."""
    table = a_table(
        {"g1": ("228", "E4"), "r1": ("447", "E8")},
        weapons={"gg": ("german-75l-at", "g1")},
        facings={"gg": 4},
        phase="defensive",
        attacker=RUSSIAN,
        dice={"3.2.4": [6, 5], "3.2.4/effects": [6, 6]},
    )
    fire(table, Attack(("gg",), "E8", how="area"))
    gun, crew = table.state.weapons["gg"], table.state.units["g1"]
    again = Attack(("gg",), "E8", how="area", intensive=True)
    assert_rule(objections(table, again), "3.2.4/att")
    gun.holder, gun.at = "", "E4"
    clear_markers(table, GERMAN)
    gun.holder, gun.fired, crew.used = "g1", "first", []
    assert "3.2.4/att" not in [one.rule for one in objections(table, Attack(("gg",), "E5", intensive=True))]
    assert not gun.swept


@pytest.mark.rule("6.2/wp")
def test_6_2_wp_of_a_mortar_bursts_above_an_emplaced_crew_in_woods_that_keeps_its_emplacement():
    """6.3: an air burst is cumulative with emplacement: -2 for the emplacement, +1 for the burst (6.2/wp)."""
    table = a_table(
        {"g1": ("227", "E4"), "r1": ("r228", "E8")},
        ground=a_ground({"woods": "E8"}),
        weapons={"gg": ("american-81s-mtr", "g1"), "rg": ("russian-45l-at", "r1")},
        facings={"gg": 4, "rg": 1},
        dice={"3.2.4": [1, 3], "6.2/wp": [1, 1]},
        date="1944-07",
    )
    fire(table, Attack(("gg",), "E8", how="WP"))
    check = assert_rule(table.findings, "6.2/wp", inputs={"unit": "r1"})
    assert sum(row["value"] for row in check.modifiers) == -1, check
