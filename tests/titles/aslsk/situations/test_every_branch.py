"""Both sides of conditions: each case is followed by its opposite."""

from __future__ import annotations

import msgspec
import pytest
from support.rules import assert_rule
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.chance import draw
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.morale import in_check_order
from pbem.titles.aslsk.fire.phases import turn_guns
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.orders import FireOrder, Leg, MoveOrder, RallyOrders
from pbem.titles.aslsk.ordnance.hidden import reveal
from pbem.titles.aslsk.ordnance.shot import low_numbers
from pbem.titles.aslsk.ordnance.to_hit import hit_modifiers
from pbem.titles.aslsk.player.checks import move_objections
from pbem.titles.aslsk.rally.phase import repair_all
from pbem.titles.aslsk.vehicles.driving import vehicle_objections
from pbem.titles.aslsk.vehicles.hitting import moving_modifier
from pbem.titles.aslsk.vehicles.status import shock

T34, PZ4 = "russian-t34-85", "german-pz4h"


@pytest.mark.rule("3.3")
def test_3_3_a_tank_that_fired_in_the_prep_fire_phase_only_closes_its_hatches():
    for fired, legs, able in (("prep", "enter", False), ("prep", "close", True), ("", "enter", True)):
        table = a_table({}, vehicles={"g2": (PZ4, "E4", 4)}, armour={"g2": {"fired_in": fired}}, phase="movement")
        found = [*vehicle_objections(table.situation, table.state.vehicles["g2"], (Leg(legs, "E5"),))]
        assert bool(found) is not able
        if not able:
            assert_rule(found, "3.3", why="g2 has fired in the Prep Fire Phase")


@pytest.mark.rule("3.3.2")
def test_3_3_2_a_vehicle_neither_runs_nor_creeps_and_stays_on_the_map():
    table = a_table({}, vehicles={"g2": (PZ4, "E4", 4)}, phase="movement")
    plain = MoveOrder(("g2",), (Leg("enter", "E5"),))
    assert not [*move_objections(table.situation, GERMAN, plain, set())]
    for wrong in (msgspec.structs.replace(plain, assault=True), msgspec.structs.replace(plain, double=True)):
        assert_rule([*move_objections(table.situation, GERMAN, wrong, set())], "3.3.2")


@pytest.mark.rule("5.1", effect=True)
def test_5_1_a_unit_outside_all_groups_has_the_elr_of_its_own_side():
    table = a_table({})
    data = table.situation.data
    first, second = data.scenario.sides
    sides = (msgspec.structs.replace(first, elr=2), msgspec.structs.replace(second, elr=5))
    data.scenario = msgspec.structs.replace(data.scenario, sides=sides)
    assert (data.elr("none", first.id), data.elr("none", second.id)) == (2, 5)


def test_6_6_the_woods_around_a_shielded_gun_count_on_the_to_hit_roll():
    """6.6: a gunshield replaces TEM only on the IFT DR, so To Hit has +1 for the woods, or nothing in the open."""
    for terrain, found in (({"woods": "E8"}, [("woods", 1)]), ({}, [])):
        table = a_table({"g1": ("228", "E4"), "r1": ("r228", "E8")}, ground=a_ground(terrain), emplaced=False,
                        weapons={"gg": ("german-75l-at", "g1"), "rg": ("russian-57ll-at", "r1")},
                        facings={"gg": 4, "rg": 1})  # fmt: skip
        one = component(table.situation, "gg")
        rows = hit_modifiers(table.situation, one, Attack(("gg",), "E8"), table.state.units["r1"])
        assert [(row.text, row.value) for row in rows if row.rule.startswith("1.1.1")] == found


@pytest.mark.rule("7.10/shock")
def test_7_10_a_shocked_tank_is_no_longer_in_motion():
    table = a_table({}, vehicles={"g2": (PZ4, "E4", 4)}, armour={"g2": {"motion": True, "ce": True}})
    vehicle = table.state.vehicles["g2"]
    shock(table, vehicle)
    assert_rule(table.findings, "7.10/shock", inputs={"vehicle": "g2"}, result="Shock")
    assert (vehicle.motion, vehicle.ce, vehicle.shock) == (False, False, "shock")


@pytest.mark.rule("6.4/loss", effect=True)
@pytest.mark.rule("6.4")
def test_6_4_a_gun_that_is_found_shows_which_way_it_faces():
    table = a_table({"r1": ("r228", "E8")}, weapons={"rg": ("russian-45l-at", "r1")}, facings={"rg": 2},
                    states={"r1": {"hidden": True}})  # fmt: skip
    reveal(table, table.state.units["r1"], "it fires")
    assert_rule(table.findings, "6.4", inputs={"unit": "r1", "weapon": "rg", "facing": 2}, result="revealed")


@pytest.mark.rule("3.2.3/nmc", "3.8/melee")
def test_3_2_3_broken_men_and_men_in_melee_hold_their_fire_for_different_reasons():
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E6"), "r1": ("447", "E8"), "r2": ("447", "E6")},
                    states={"g1": {"broken": True}})  # fmt: skip
    table.state.melee.append("E6")
    assert_rule([*attack_objections(table.situation, GERMAN, Attack(("g1",), "E8"))], "3.2.3/nmc", why="g1 is broken")
    assert_rule(
        [*attack_objections(table.situation, GERMAN, Attack(("g2",), "E8"))], "3.8/melee", why="g2 is in Melee"
    )


def test_3_2_3_the_dice_choose_among_several_and_are_not_rolled_for_one():
    table = a_table({}, dice={"3.2.3/kia": [2, 1]})
    assert draw(table, "3.2.3/kia", ["a"], 1) == ["a"]
    assert draw(table, "3.2.3/kia", ["a", "b", "c"], 2) == ["b", "a"]


def test_3_2_3_leaders_check_before_their_men_and_the_best_leader_first():
    table = a_table({"g1": ("467", "E4"), "ga": ("g 8-0", "E4"), "gb": ("g 9-1", "E4"), "g2": ("548", "E4")})
    order = in_check_order(table.situation, table.state.units.values())
    assert [unit.id for unit in order] == ["gb", "ga", "g1", "g2"]


def test_3_3_2_a_tank_in_motion_is_a_moving_target_even_if_it_did_not_move_this_turn():
    for armour, value in (({"motion": True}, 2), ({"moving": True}, 2), ({}, None)):
        table = a_table({"g1": ("228", "E4")}, weapons={"gg": ("german-75l-at", "g1")}, facings={"gg": 4},
                        vehicles={"r2": (T34, "E8", 1)}, armour={"r2": armour})  # fmt: skip
        found = moving_modifier(table.situation, component(table.situation, "gg"), table.state.vehicles["r2"])
        assert (found.value if found is not None else None) == value


@pytest.mark.rule("3.2.4/ca-change-without-fire", "6.4")
def test_3_2_4_a_hidden_gun_that_turns_is_found():
    table = a_table({"r1": ("r228", "E8")}, weapons={"rg": ("russian-45l-at", "r1")}, facings={"rg": 1},
                    attacker=RUSSIAN, ground=a_ground({"brush": "E8"}), states={"r1": {"hidden": True}})  # fmt: skip
    turn_guns(table, RUSSIAN, [FireOrder(("rg",), (), face="E10")])
    assert_rule(table.findings, "6.4", inputs={"unit": "r1", "why": "it turns"}, result="revealed")
    assert_rule(table.findings, "3.2.4/ca-change-without-fire", inputs={"weapon": "rg"})
    assert not table.state.units["r1"].hidden


@pytest.mark.rule("3.1/c-repair")
def test_3_1_a_six_ruins_a_weapon_and_a_three_leaves_it_as_it_is():
    for die, result, left in ((6, "removed", False), (3, "not repaired", True)):
        table = a_table({"g1": ("467", "E4")}, weapons={"gw": ("german-mmg", "g1")}, phase="rally",
                        dice={"3.1/c-repair": [die]})  # fmt: skip
        table.state.weapons["gw"].malfunctioned = True
        repair_all(table, GERMAN, RallyOrders())
        assert_rule(table.findings, "3.1/c-repair", inputs={"weapon": "gw"}, result=result)
        assert ("gw" in table.state.weapons) is left


@pytest.mark.rule("3.2.4/red-black")
def test_3_2_4_whose_numbers_are_red():
    """3.2.4/red-black: area fire always uses red numbers; otherwise Soviet Guns use red numbers, and German Guns
    manned by a crew use black numbers."""
    cases = [("german-75l-at", "228", "", "black"), ("german-75l-at", "467", "", "red")]
    cases += [("russian-45l-at", "r228", "", "red"), ("german-75l-at", "228", "area", "red")]
    for gun, holder, how, colour in cases:
        seat = GERMAN if gun.startswith("german") else RUSSIAN
        me, other = ("g1", "r1") if seat == GERMAN else ("r1", "g1")
        units = {me: (holder, "E4"), other: ("447" if other == "r1" else "467", "E8")}
        table = a_table(units, weapons={"w1": (gun, me)}, facings={"w1": 4}, attacker=seat, dice={"3.2.4": [6, 5]})
        fire(table, Attack(("w1",), "E8", how=how))
        assert_rule(table.findings, "3.2.4/red-black", inputs={"weapon": "w1"}, result=colour)


@pytest.mark.rule("7.2.1", effect=True)
def test_7_2_1_the_numbers_of_a_circled_breakdown_number():
    """Intensive Fire lowers the number by 2 and Low Ammo by 1; either way the printed number
    eliminates the weapon.
    """
    found = [low_numbers(11, low=low, intensive=hard) for low in (False, True) for hard in (False, True)]
    assert found == [(11, 13), (9, 11), (10, 11), (8, 11)]


@pytest.mark.rule("3.3.5")
def test_4_4_4_an_anti_tank_rifle_leaves_no_residual_fp_and_its_squad_does():
    """The squad's 4 FP, doubled at point blank, leaves 4; the rifle adds 2 to the attack but not
    to the Residual FP.
    """
    for firers, left in ((("g1", "gw"), 4), (("gw",), 0)):
        table = a_table({"g1": ("467", "E4"), "r1": ("447", "E5")}, weapons={"gw": ("german-atr", "g1")},
                        phase="movement", attacker=RUSSIAN, dice={"3.2.2": [6, 5]})  # fmt: skip
        moving_in(table, ["r1"])
        fire(table, Attack(firers, "E5"))
        assert table.state.residual.get("E5", 0) == left
        if left:
            assert_rule(table.findings, "3.3.5", inputs={"at": "E5"}, result=left)
        else:
            assert_rule(table.findings, "3.2.2", inputs={"firers": ["gw"]})
