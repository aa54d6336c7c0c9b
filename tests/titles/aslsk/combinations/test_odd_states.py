"""Rules that meet in odd states: pinned, wounded, green, captured, in Motion, stunned, or with an extra weapon.

Each answer was worked out by hand from the rulebook before the test was run.
"""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, driving, enter, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.attacks import ambush_modifiers, combat_modifiers, total_strength
from pbem.titles.aslsk.close_combat.vehicles import assault_vehicle, combat_value, vehicle_modifiers, vehicle_strength
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.firepower import shares, total
from pbem.titles.aslsk.fire.modifiers import fire_modifiers
from pbem.titles.aslsk.fire.morale import Aftermath, break_unit, eliminate, leader_losses, replace_by_elr
from pbem.titles.aslsk.fire.phases import carry_out
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.allowance import allowance_of, may_double
from pbem.titles.aslsk.movement.eligibility import entry_objections
from pbem.titles.aslsk.movement.expenditures import throw_smoke
from pbem.titles.aslsk.movement.paatc import task_modifiers
from pbem.titles.aslsk.movement.phase import settle
from pbem.titles.aslsk.orders import FireOrder, Leg, MoveOrder, Orders
from pbem.titles.aslsk.ordnance.manhandling import push_cost, push_modifiers
from pbem.titles.aslsk.ordnance.to_hit import hit_modifiers
from pbem.titles.aslsk.player.checks import fire_objections
from pbem.titles.aslsk.rally.rally import rally_modifiers
from pbem.titles.aslsk.rout.interdiction import can_interdict, must_rout
from pbem.titles.aslsk.state import Smoke
from pbem.titles.aslsk.weapons.breakdown import number_now, rate_now, removal_number
from pbem.titles.aslsk.weapons.possession import keeps_when_routing

T34, PZ4 = "russian-t34-85", "german-pz4h"
SHAKEN = {"broken": True, "dm": True}


def objections(table, attack, seat="german"):
    return list(attack_objections(table.situation, seat, attack))


def drms(table, attack, target):
    firers = [component(table.situation, id) for id in attack.components]
    return {row.text: row.value for row in fire_modifiers(table.situation, attack, firers, table.state.units[target])}


def fp(table, *ids, at, leaders=()):
    return total(shares(table.situation, Attack(ids, at, leaders)))


# --- Panzerfausts ---------------------------------------------------------------------------------------------------


def in_a_house(**more):
    table = a_table(
        {"g1": ("467", "E7"), "r1": ("447", "E8"), "r2": ("447", "E8"), "r3": ("447", "E8")},
        weapons={"rw": ("russian-mmg", "r3")}, ground=a_ground({"stone": "E8"}), date="1944-07", **more,
    )  # fmt: skip
    table.state.pf_left = {"german": 3}
    return table


@pytest.mark.rule("4.4", effect=True)
@pytest.mark.rule("4.4.2")
def test_4_4_2_the_firer_may_choose_a_unit_that_mans_a_weapon_and_no_other():
    """A hit affects one unit, a random one or a chosen one that mans a Gun or SW; without an AFV,
    the check has +1.
    """
    table = in_a_house(dice={"4.4.2": [2], "3.2.4": [1, 2], "3.2.4/effects": [6, 5]})
    assert_rule(objections(table, Attack(("g1",), "E8", how="pf", target="r1")), "4.4.2")
    chosen = Attack(("g1",), "E8", how="pf", target="r3")
    assert not objections(table, chosen)
    fire(table, chosen)
    told = assert_rule(table.findings, "3.2.4", inputs={"kind": "pf"})
    assert told.inputs["hit"] == ["r3"] and told.inputs["number"] == 8
    check = assert_rule(table.findings, "4.4.2/check", inputs={"unit": "g1"})
    assert [row["text"] for row in check.modifiers] == ["target is not an AFV"]


@pytest.mark.rule("3.2.4/vtt", effect=True)
def test_4_4_2_the_choice_is_ordered_by_a_line_of_fire():
    table = in_a_house(dice={"4.4.2": [2], "3.2.4": [6, 5]})
    order = FireOrder(("g1",), (), how="pf", against=("r3",))
    assert not list(fire_objections(table.situation, "german", order, now=True))
    carry_out(table, "german", order, "g1 fire against r3 pf")
    assert_rule(table.findings, "3.2.4", inputs={"kind": "pf"}, result="miss")
    plain = FireOrder(("g1",), (), against=("r3",))
    assert_rule(list(fire_objections(table.situation, "german", plain, now=True)), "3.2.4/vtt")


@pytest.mark.rule("3.3.3", effect=True)
def test_4_4_2_a_squad_under_first_fire_has_a_weapon_left_for_a_panzerfaust_but_not_under_final_fire():
    for fired, refused in (("first", False), ("final", True)):
        table = a_table(
            {"g1": ("467", "E8")}, vehicles={"r1": (T34, "E7", 4)}, phase="movement", attacker="russian",
            states={"g1": {"fired": fired}}, date="1944-07",
        )  # fmt: skip
        table.state.pf_left = {"german": 3}
        driving(table, "r1", ("E6", 2), ("E7", 2))
        assert bool(objections(table, Attack(("g1",), "E7", how="pf", target="r1"))) == refused


# --- flamethrowers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "phase", "states", "strength"),
    [("E7", "prep", {}, 24), ("E6", "prep", {}, 12), ("E7", "advancing", {}, 24), ("E6", "advancing", {}, 12)],
)
def test_4_2_flame_is_neither_doubled_beside_it_nor_halved_in_the_afph_but_at_two_hexes(at, phase, states, strength):
    table = a_table(
        {"g1": ("548", "E8"), "r1": ("447", at)}, weapons={"gw": ("german-ft", "g1")}, phase=phase, states=states
    )
    assert fp(table, "gw", at=at) == strength


def test_4_2_no_leader_directs_flame_no_stone_stops_it_but_smoke_and_weariness_do():
    table = a_table(
        {"g1": ("548", "E8"), "gl": ("g 9-2", "E8"), "r1": ("447", "E7")}, weapons={"gw": ("german-ft", "g1")},
        ground=a_ground({"stone": "E7"}), states={"g1": {"cx": True}},
    )  # fmt: skip
    table.state.smoke = {"E7": [Smoke("grenade", "russian")]}
    assert objections(table, Attack(("gw",), "E7", ("gl",)))
    assert drms(table, Attack(("gw",), "E7"), "r1") == {"CX firer": 1, "Smoke in the target hex": 2}


@pytest.mark.parametrize(("card", "number"), [("548", 10), ("467", 8), ("436", 7)])
def test_4_2_flamethrowers_in_other_hands_run_dry_sooner(card, number):
    table = a_table({"g1": (card, "E8")}, weapons={"gw": ("german-ft", "g1")})
    assert number_now(table.situation, component(table.situation, "gw"), "normal") == number


def test_4_2_flame_at_a_bearer_of_flame_cowers_and_takes_off_one():
    """24 FP with doubles and no leader uses column 20; the target carries a flamethrower itself, which is -1."""
    table = a_table(
        {"g1": ("548", "E8"), "r1": ("458", "E7")}, weapons={"gw": ("german-ft", "g1"), "rw": ("russian-ft", "r1")},
        dice={"3.2.2": [2, 2]},
    )  # fmt: skip
    assert list(drms(table, Attack(("gw",), "E7"), "r1").values()) == [-1]
    fire(table, Attack(("gw",), "E7"))
    told = assert_rule(table.findings, "3.2.2", inputs={"at": "E7"})
    assert (told.cell["column"], told.cell["used"]) == (24, 20)


# --- machine guns ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("user", "manner", "numbers"),
    [
        ("467", "normal", (10, 13)),  # captured
        ("436", "normal", (9, 13)),  # captured and inexperienced
        ("467", "subsequent", (8, 12)),  # captured, second fire: original B# 12 removes
        ("436", "subsequent", (7, 12)),
    ],
)
def test_4_0_captured_green_and_second_fire_add_up(user, manner, numbers):
    table = a_table({"g1": (user, "E8"), "r1": ("447", "E6")}, weapons={"rw": ("russian-mmg", "g1")})
    one = component(table.situation, "rw")
    table.state.weapons["rw"].fired = "first" if manner == "subsequent" else ""
    printed = table.situation.weapon_card(table.state.weapons["rw"]).breakdown
    less = 12 - printed
    found = number_now(table.situation, one, manner), removal_number(table.situation, one, manner)
    assert found == (numbers[0] - less, numbers[1] - (less if manner == "subsequent" else 0))


def test_4_1_a_wounded_leader_at_a_captured_machine_gun_is_halved_and_keeps_a_lower_rate():
    table = a_table(
        {"gl": ("g 8-1", "E8"), "r1": ("447", "E4")}, weapons={"rw": ("russian-mmg", "gl")},
        states={"gl": {"wounded": True}},
    )  # fmt: skip
    printed = table.situation.weapon_card(table.state.weapons["rw"])
    assert fp(table, "rw", at="E4") * 2 == printed.fp
    assert rate_now(table.situation, component(table.situation, "rw"), "E4") == max(0, printed.rof - 1)


def test_3_3_3_a_pinned_squad_in_subsequent_first_fire_is_halved_twice_and_doubled_beside_the_mover():
    """4 FP, halved for Pin and for second fire and doubled by PBF, is 2; the unmarked MG has 3 x 1/2 x 2 = 3."""
    table = a_table(
        {"g1": ("467", "E8"), "r1": ("447", "E7")}, weapons={"gw": ("german-lmg", "g1")}, phase="movement",
        attacker="russian", states={"g1": {"fired": "first", "pinned": True}},
    )  # fmt: skip
    moving_in(table, ["r1"])
    assert fp(table, "g1", at="E7") == 2
    assert fp(table, "gw", at="E7") == table.situation.weapon_card(table.state.weapons["gw"]).fp


def test_3_5_assault_fire_of_a_pinned_squad_beside_its_target():
    """5 underlined FP, halved for the AFPh and for Pin and doubled by PBF, is 2.5; +1 makes 3.5, rounded up to 4."""
    table = a_table({"g1": ("548", "E8"), "r1": ("447", "E7")}, phase="advancing", states={"g1": {"pinned": True}})
    assert fp(table, "g1", at="E7") == 4


# --- checks, leaders, replacement -----------------------------------------------------------------------------------


def test_5_1_a_replaced_squad_keeps_its_machine_gun_and_gets_dm():
    table = a_table({"r1": ("447", "E8")}, weapons={"rw": ("russian-mmg", "r1")}, elr=1)
    unit = table.state.units["r1"]
    break_unit(table, unit, Aftermath())
    replace_by_elr(table, unit, 3)
    (new,) = table.state.units.values()
    assert new.card != "russian-447" and new.broken and new.dm
    assert table.state.weapons["rw"].holder == new.id


def test_5_1_a_wounded_leader_who_is_replaced_is_still_wounded_and_the_lowest_has_nobody_below():
    table = a_table({"gl": ("g 8-1", "E8"), "gm": ("g 6+1", "E8")}, states={"gl": {"wounded": True}}, elr=0)
    for id in ("gl", "gm"):
        break_unit(table, table.state.units[id], Aftermath())
        replace_by_elr(table, table.state.units[id], 2)
    cards = {unit.card: unit.wounded for unit in table.state.units.values()}
    assert cards == {"german-leader-80": True, "german-leader-61": False}


def test_3_2_3_the_loss_of_the_best_leader_tests_the_others_by_their_present_morale():
    """A 9-2 dies: the 8-1 (8) and the squad (7) check with +2, but not the broken squad or an
    elite one of morale 9.
    """
    table = a_table(
        {"gl": ("g 9-2", "E8"), "gm": ("g 8-1", "E8"), "g1": ("467", "E8"), "g2": ("467", "E8")},
        states={"g2": SHAKEN}, dice={"3.2.3/llmc": [1, 1, 1, 1], "3.2.3/mc": [1, 1, 1, 1]},
    )  # fmt: skip
    aftermath = Aftermath()
    eliminate(table, table.state.units["gl"], "3.2.3/kia", aftermath)
    leader_losses(table, aftermath)
    found = [one for one in walk(table.findings) if one.rule == "3.2.3/llmc" and "unit" in one.inputs]
    checked = list(dict.fromkeys(one.inputs["unit"] for one in found))
    assert checked == ["gm", "g1"], checked


def walk(findings):
    for finding in findings:
        yield finding
        yield from walk(finding.children)


def test_3_1_a_wounded_leader_rallies_with_one_less_and_dm_in_woods_is_four_less_one():
    table = a_table(
        {"g1": ("467", "E8"), "gl": ("g 9-1", "E8")}, ground=a_ground({"woods": "E8"}), phase="rally",
        states={"g1": SHAKEN, "gl": {"wounded": True}},
    )  # fmt: skip
    units = table.state.units
    found = {row.text: row.value for row in rally_modifiers(table.situation, units["g1"], units["gl"])}
    assert sorted(found.values()) == [-1, 4], found  # 9-1 wounded leads with 0


# --- movement -------------------------------------------------------------------------------------------------------


def test_3_3_1_a_wounded_leader_carries_nothing_and_does_not_run_but_still_leads():
    """A squad with 5 PP has 3 IPC and a wounded leader has 0, so that they have 4 + 2 - 2 = 4 MF.

    With an unwounded leader they have 4 + 2 - 1 = 5 MF.
    """
    for wounded, most in ((True, 8), (False, 10)):
        table = a_table(
            {"r1": ("447", "E8"), "rl": ("r 8-1", "E8")}, weapons={"rw": ("russian-mmg", "r1")},
            states={"rl": {"wounded": wounded}}, phase="movement", attacker="russian",
        )  # fmt: skip
        units = list(table.state.units.values())
        assert table.situation.weapon_card(table.state.weapons["rw"]).pp == 5
        assert allowance_of(table.situation, table.state.units["r1"], units) == most
        assert may_double(table.state.units["rl"]) == (not wounded)


def test_3_3_1_a_crew_at_its_gun_takes_the_room_of_a_squad():
    table = a_table(
        {"g1": ("228", "E8"), "g2": ("467", "E8"), "g3": ("467", "E8"), "g4": ("247", "E7")},
        weapons={"gw": ("german-75l-at", "g1")}, facings={"gw": 1}, phase="movement",
    )  # fmt: skip
    half = [table.state.units["g4"]]
    moving_in(table, ["g4"], spent=0)
    assert_rule(list(entry_objections(table.situation, half, "E8")), "3.3.1/stacking")
    table.state.weapons["gw"].holder, table.state.weapons["gw"].at = "", "E8"  # now the crew is a half
    assert not list(entry_objections(table.situation, half, "E8"))


def test_3_3_1_an_original_six_with_smoke_ends_the_move_of_the_thrower_only():
    table = a_table({"g1": ("548", "E8"), "g2": ("548", "E8")}, phase="movement", dice={"3.3.1/smoke-grenades": [6]})
    moving_in(table, ["g1", "g2"])
    order = MoveOrder(("g1", "g2"), (Leg("smoke", "E7", by=("g1",)), *enter("E7")))
    table.state.sealed["german"] = Orders(moves=(order,))
    throw_smoke(table, list(table.state.units.values()), order.legs[0])
    settle(table, order.legs[0])
    assert table.state.mover.units == ["g2"] and not table.state.smoke


def test_4_3_a_charge_stays_with_a_unit_that_is_pinned_before_it_is_placed():
    for state, placed in (({"pinned": True}, False), ({"broken": True}, False), ({}, True)):
        table = a_table(
            {"g1": ("548", "E8"), "r1": ("447", "E7")}, weapons={"gw": ("german-dc", "g1")}, phase="movement"
        )
        moving_in(table, ["g1"])
        for name, value in state.items():
            setattr(table.state.units["g1"], name, value)
        leg = Leg("place", "E7", weapon="gw")
        table.state.sealed["german"] = Orders(moves=(MoveOrder(("g1",), (leg,)),))
        settle(table, leg)
        assert bool(table.state.charges) == placed
        assert ("gw" in table.state.weapons and table.state.weapons["gw"].holder == "g1") == (not placed)


def test_6_5_a_gun_is_pushed_into_woods_for_twice_the_cost_and_the_trees():
    """Woods cost 2 MF, doubled to 4; the DRM are +4 for the cost, +1 TEM, -1 for its squad and -2 for another."""
    table = a_table(
        {"g1": ("467", "E8"), "g2": ("467", "E8")}, weapons={"gw": ("german-37l-at", "g1")}, facings={"gw": 1},
        ground=a_ground({"woods": "E7"}), phase="movement",
    )  # fmt: skip
    units = list(table.state.units.values())
    assert push_cost(table.situation, "E8", "E7") == 8
    found = push_modifiers(table.situation, units, table.state.weapons["gw"], "E7")
    assert sum(row.value for row in found) == 4 + 1 - 1 - 2


# --- close combat ---------------------------------------------------------------------------------------------------


def test_3_7_fear_of_tanks_of_the_green_counts_once_and_leaders_help():
    table = a_table(
        {"g1": ("436", "E8"), "g2": ("467", "E8"), "gl": ("g 9-1", "E8")}, vehicles={"r1": (T34, "E7", 4)},
        phase="advance",
    )  # fmt: skip
    units = table.state.units
    assert sum(row.value for row in task_modifiers(table.situation, units["g2"])) == -1
    assert sum(row.value for row in task_modifiers(table.situation, units["g1"])) == 0  # conscripts +1, leader -1
    units["gl"].pinned = True
    assert sum(row.value for row in task_modifiers(table.situation, units["g1"])) == 1


def test_3_8_the_value_against_a_tank_of_pinned_men_with_their_leader_who_have_fired():
    table = a_table(
        {"g1": ("467", "E8"), "gl": ("g 9-1", "E8"), "g2": ("228", "E8"), "g3": ("247", "E8")},
        vehicles={"r1": (T34, "E8", 4)}, states={"g1": {"pinned": True}},
    )  # fmt: skip
    units, situation = table.state.units, table.situation
    assert combat_value(situation, [units["g1"], units["gl"]]) == 5  # 5 + 1 - 1
    assert combat_value(situation, [units["g1"]], fired=True) == 3
    assert combat_value(situation, [units["g2"]]) == 4 and combat_value(situation, [units["g3"]]) == 3
    assert combat_value(situation, [units["gl"]]) == 2


def test_3_8_an_original_two_has_a_chance_against_a_tank_that_races_past():
    """A half-squad's CCV of 3 with +2 for Motion is 1; an Original 2 is not a kill, but a third
    die of 3 immobilizes.
    """
    table = a_table(
        {"g1": ("247", "E8")}, vehicles={"r1": (T34, "E8", 4)}, armour={"r1": {"motion": True}}, phase="close_combat",
        dice={"3.8/vs-vehicle": [1, 1, 3], "5.3": [6]},
    )  # fmt: skip
    tank = table.state.vehicles["r1"]
    assault_vehicle(table, [table.state.units["g1"]], tank)
    assert tank.immobilized and "r1" in table.state.vehicles


def test_3_8_a_stunned_or_moving_tank_fights_with_nothing_or_half():
    table = a_table({"g1": ("467", "E8")}, vehicles={"r1": (T34, "E8", 4)}, phase="close_combat")
    tank, situation = table.state.vehicles["r1"], table.situation
    whole = vehicle_strength(situation, tank)
    assert whole > 0
    tank.motion = True
    assert vehicle_strength(situation, tank) * 2 == whole
    tank.motion, tank.stun = False, "stun"
    assert vehicle_strength(situation, tank) == 0


def test_3_8_a_bogged_exposed_tank_without_machine_guns_is_easy_prey():
    table = a_table(
        {"g1": ("467", "E8")}, vehicles={"r1": (T34, "E8", 4)}, armour={"r1": {"bogged": "bogged", "ce": True}},
        phase="close_combat",
    )  # fmt: skip
    for weapon in table.state.weapons.values():
        weapon.malfunctioned = weapon.card.endswith("mg")
    found = vehicle_modifiers(table.situation, [table.state.units["g1"]], table.state.vehicles["r1"])
    assert sum(row.value for row in found) == -3


def test_3_8_a_pinned_ambusher_keeps_his_defence_and_a_lone_leader_lends_nothing():
    table = a_table(
        {"g1": ("467", "E8"), "r1": ("447", "E8"), "rl": ("r 9-1", "E8")}, ground=a_ground({"woods": "E8"}),
        states={"r1": {"broken": True}}, phase="close_combat",
    )  # fmt: skip
    theirs = {row.text: row.value for row in ambush_modifiers(table.situation, "E8", "russian")}
    assert sum(theirs.values()) == 0, theirs  # broken +1, leader -1
    leader = [table.state.units["rl"]]
    found = combat_modifiers(table.situation, leader, [table.state.units["g1"]], "")
    assert sum(row.value for row in found) == 0  # no MMC attacks with the leader
    assert total_strength(table.situation, leader, attacks=True) == 1


# --- rout -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("states", "weapon", "distance", "able"),
    [
        ({}, None, 6, True),  # normal range
        ({}, None, 7, False),  # long range is halved
        ({}, "german-mmg", 8, True),  # its MG reaches
        ({"cx": True}, "german-mmg", 6, False),
        ({"fired": "final"}, None, 6, True),
        ({"pinned": True}, "german-mmg", 6, False),
    ],
)
def test_3_6_who_interdicts_from_how_far(states, weapon, distance, able):
    table = a_table(
        {"g1": ("467", "K9")}, weapons={"gw": (weapon, "g1")} if weapon else {}, states={"g1": states}, phase="rout"
    )
    hex = next(
        one for one in table.situation.ground.hexes
        if table.situation.ground.distance("K9", one) == distance and table.situation.sees("K9", one)
    )  # fmt: skip
    assert can_interdict(table.situation, table.state.units["g1"], hex) == able


def test_3_6_a_broken_unit_in_woods_beside_a_broken_enemy_need_not_rout_but_beside_a_tank_it_must():
    table = a_table(
        {"r1": ("447", "E8"), "g1": ("467", "E7")}, ground=a_ground({"woods": "E8"}),
        states={"r1": SHAKEN, "g1": SHAKEN}, phase="rout",
    )  # fmt: skip
    assert not must_rout(table.situation, table.state.units["r1"])
    tank = a_table(
        {"r1": ("447", "E8")}, vehicles={"g1": (PZ4, "E7", 4)}, ground=a_ground({"woods": "E8"}),
        states={"r1": SHAKEN}, phase="rout",
    )  # fmt: skip
    assert must_rout(tank.situation, tank.state.units["r1"])


def test_3_6_a_wounded_leader_drops_everything_and_a_squad_keeps_the_load_nearest_to_three():
    table = a_table(
        {"gl": ("g 8-1", "E8"), "g1": ("467", "E8")},
        weapons={"ga": ("german-lmg", "gl"), "gb": ("german-hmg", "g1"), "gc": ("german-lmg", "g1")},
        states={"gl": {"wounded": True, **SHAKEN}, "g1": SHAKEN}, phase="rout",
    )  # fmt: skip
    units = table.state.units
    assert not list(keeps_when_routing(table.situation, units["gl"]))
    assert [weapon.id for weapon in keeps_when_routing(table.situation, units["g1"])] == ["gc"]


# --- vehicles -------------------------------------------------------------------------------------------------------


def test_7_10_a_crew_shaken_by_a_stun_that_fires_on_the_move_adds_up_everything():
    """Bounding First Fire of a turret that began in sight is +4 (No. 14), BU +1 and the Stun marker +1: 6 in all."""
    table = a_table(
        {"r1": ("447", "K5")}, vehicles={"g1": (PZ4, "K9", 1)}, armour={"g1": {"shaken": True}}, phase="movement"
    )
    driving(table, "g1", ("K9", 4), stopped=True, started=False)
    one = component(table.situation, "g1ma")
    found = hit_modifiers(table.situation, one, Attack(("g1ma",), "K5"), table.state.units["r1"])
    assert {row.text: row.value for row in found} == {"BU": 1, "Bounding First Fire": 4, "shaken crew": 1}


def test_7_7_an_anti_aircraft_machine_gun_is_silent_while_the_crew_is_buttoned_up():
    for card in ("american-m4a3", "american-m4"):
        try:
            table = a_table({"r1": ("447", "K6")}, vehicles={"g1": (card, "K9", 1)})
        except KeyError:
            continue
        if "g1aamg" in table.state.weapons:
            assert objections(table, Attack(("g1aamg",), "K6"))
            table.state.vehicles["g1"].ce = True
            assert not objections(table, Attack(("g1aamg",), "K6"))


def test_3_2_5_a_vehicle_in_motion_does_not_prep_fire_and_halves_its_machine_guns_in_defence():
    table = a_table({"r1": ("447", "K6")}, vehicles={"g1": (PZ4, "K9", 1)}, armour={"g1": {"motion": True}})
    assert objections(table, Attack(("g1cmg",), "K6"))
    defence = a_table(
        {"r1": ("447", "K6")}, vehicles={"g1": (PZ4, "K9", 1)}, armour={"g1": {"motion": True}}, phase="defensive",
        attacker="russian",
    )  # fmt: skip
    whole = defence.situation.weapon_card(defence.state.weapons["g1cmg"]).fp
    assert fp(defence, "g1cmg", at="K6") * 2 == whole
