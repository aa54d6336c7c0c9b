"""Rules that meet in one shot: ammunition and breakdown, cover and critical hits, turning and bog, leaders."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, failures
from titles.aslsk.builders import a_table, carried, driving, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.phases import carry_out, fire_list, mark_prep_fire
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.eligibility import mover_objections
from pbem.titles.aslsk.orders import FireOrder
from pbem.titles.aslsk.ordnance.to_hit import effect_modifiers
from pbem.titles.aslsk.state import Weapon
from pbem.titles.aslsk.vehicles.target import vehicle_hit_modifiers

T34, PZ4, STUG = "russian-t34-85", "german-pz4h", "german-stug3g"


def a_gun(card="german-75l-at", at="E8", ground=None, units=None, facing=4, **more):
    crew = {"g1": (more.pop("crew", "228"), "E4"), "r1": ("447", at), **(units or {})}
    return a_table(crew, weapons={"gw": (card, "g1")}, facings={"gw": facing}, ground=a_ground(ground or {}), **more)


def objections(table, attack, seat="german"):
    return list(attack_objections(table.situation, seat, attack))


# --- 6.2 and 6.12 ---------------------------------------------------------------------------------------------------


def test_6_2_special_ammunition_that_is_not_there_leaves_the_gun_unmarked_but_turned():
    table = a_gun("german-75l-at", facing=1, ground={"stone": "E8"}, dice={"3.2.4": [5, 5]}, date="1944-07")
    assert fire(table, Attack(("gw",), "E8", how="A")) == []
    weapon = table.state.weapons["gw"]
    assert not weapon.fired and "A" in weapon.depleted
    assert table.situation.ground.in_arc("E4", weapon.facing, "E8")


def test_6_2_a_shot_that_breaks_the_gun_without_the_ammunition_hits_nothing():
    table = a_gun("german-75l-at", ground={"stone": "E8"}, dice={"3.2.4": [6, 6]}, date="1944-07")
    fire(table, Attack(("gw",), "E8", how="A"))
    assert table.state.weapons["gw"].malfunctioned and "A" in table.state.weapons["gw"].depleted
    assert_rule(table.findings, "3.2.4", result="miss")


def test_6_2_wp_checks_the_best_leader_first_and_the_loss_of_a_leader_is_felt():
    table = a_table(
        {"g1": ("227", "E4"), "r1": ("447", "E8"), "rl": ("r 9-1", "E8")},
        weapons={"gw": ("american-81s-mtr", "g1")},
        facings={"gw": 4},
        dice={"3.2.4": [1, 3], "6.2/wp": [6, 5, 1, 1], "3.2.3/lltc": [6, 6]},
        date="1944-07",
    )
    fire(table, Attack(("gw",), "E8", how="WP"))
    checks = [found.inputs["unit"] for found in carried_checks(table.findings)]
    assert checks == ["rl", "r1"]
    assert_rule(table.findings, "3.2.3/lltc", inputs={"unit": "r1"}, result="pinned")


def carried_checks(findings):
    for finding in findings:
        if finding.rule == "6.2/wp" and "morale" in finding.inputs:
            yield finding
        yield from carried_checks(finding.children)


def test_6_2_broken_units_hit_by_wp_get_dm():
    table = a_table(
        {"g1": ("227", "E4"), "r1": ("447", "E8")},
        weapons={"gw": ("american-81s-mtr", "g1")},
        facings={"gw": 4},
        states={"r1": {"broken": True}},
        dice={"3.2.4": [1, 3], "6.2/wp": [1, 1]},
        date="1944-07",
    )
    fire(table, Attack(("gw",), "E8", how="WP"))
    assert table.state.units["r1"].dm


@pytest.mark.parametrize(
    ("low", "intensive", "rolled", "result"),
    [
        (False, False, 10, ""), (False, False, 11, "low"), (False, False, 12, "malfunctions"),
        (True, False, 9, ""), (True, False, 10, "malfunctions"), (True, False, 11, "removed"),
        (False, True, 9, "low"), (False, True, 11, "removed"), (True, True, 8, "malfunctions"),
        (True, True, 12, "removed"),
    ],
)  # fmt: skip
def test_7_2_1_low_ammo_meets_intensive_fire(low, intensive, rolled, result):
    """A circled B11 means Low Ammo on 11; after that, the weapon malfunctions on a 10 and is disabled on an 11.

    Intensive Fire lowers the number by 2.
    """
    from pbem.titles.aslsk.chance import Dice
    from pbem.titles.aslsk.ordnance.shot import runs_low

    table = a_table({}, vehicles={"g1": (PZ4, "E4", 4)}, armour={"g1": {"low_ammo": low}})
    vehicle, one = table.state.vehicles["g1"], component(table.situation, "g1ma")
    dice = Dice(rolled // 2, rolled - rolled // 2)
    found = runs_low(table, one, vehicle, dice, 11, intensive=intensive)
    assert (found or ("low" if vehicle.low_ammo and not low else "")) == result


# --- 6.1, 6.6 and cover ---------------------------------------------------------------------------------------------


def test_6_1_a_critical_hit_reverses_height_advantage_and_the_terrain_behind_a_gunshield():
    high = a_gun(ground={}, at="E8")
    high.situation.ground.hexes["E8"] = high.situation.ground.hexes["E8"]
    hill = a_table(
        {"g1": ("228", "E4"), "r1": ("447", "E8")},
        weapons={"gw": ("german-75l-at", "g1")},
        facings={"gw": 4},
        ground=a_ground({}, hills=["E8"]),
    )
    one = component(hill.situation, "gw")
    target, attack = hill.state.units["r1"], Attack(("gw",), "E8")
    assert [row.value for row in effect_modifiers(hill.situation, one, attack, target, (), critical=True)] == [-1]
    area = Attack(("gw",), "E8", how="area")
    assert [row.value for row in effect_modifiers(hill.situation, one, area, target, ())] == [1]
    shielded = a_gun(ground={"woods": "E8"})
    shielded.state.units["r1"].card = "russian-crew"
    shielded.state.weapons["rw"] = Weapon(id="rw", card="russian-45l-at", holder="r1", facing=1)
    one, target = component(shielded.situation, "gw"), shielded.state.units["r1"]
    found = effect_modifiers(shielded.situation, one, Attack(("gw",), "E8"), target, (), critical=True)
    assert [row.text for row in found] == ["woods, reversed"]


def test_6_1_an_exposed_crew_may_take_the_critical_hit():
    """At range 4 the To Hit number is 8 and the CH number 3.

    An Original 3 against a crew in the open doubles the column and reverses the CE modifier.
    """
    table = a_table(
        {"g1": ("228", "E4")},
        vehicles={"r1": (T34, "E8", 1)},
        armour={"r1": {"ce": True}},
        weapons={"gw": ("german-75l-at", "g1")},
        facings={"gw": 4},
        dice={"3.2.4": [1, 2], "3.2.4/effects": [3, 3]},
    )
    fire(table, Attack(("gw",), "E8"))
    found = assert_rule(table.findings, "6.1", inputs={"vehicle": "r1"}, result="critical hit on the crew")
    assert [row["value"] for row in found.modifiers] == [-2]
    assert table.state.vehicles["r1"].stun == "STUN"


def test_4_3_a_charge_meets_emplacement_and_gunshield():
    from pbem.titles.aslsk.state import Charge
    from pbem.titles.aslsk.weapons.charges import charge_modifiers

    table = a_gun(units={"g2": ("467", "D4")})
    crew = table.state.units["g1"]
    charge = Charge("dc", "E4", "E5")
    assert [row.text for row in charge_modifiers(table.situation, charge, crew)] == ["emplaced Gun"]
    table.state.weapons["gw"].emplaced = False
    assert [row.text for row in charge_modifiers(table.situation, charge, crew)] == ["gunshield"]
    assert charge_modifiers(table.situation, Charge("dc", "E4", "E3"), crew) == []


def test_4_4_2_a_panzerfaust_destroys_a_gun_by_a_direct_hit_not_by_the_weapon_table():
    table = a_table(
        {"g1": ("467", "E7"), "r1": ("r228", "E8")},
        weapons={"rw": ("russian-45l-at", "r1")},
        facings={"rw": 4},
        dice={"4.4.2": [1], "3.2.4": [1, 2], "3.2.4/effects": [1, 1]},
        date="1944-07",
        emplaced=False,
    )
    table.state.pf_left = {"german": 3}
    fire(table, Attack(("g1",), "E8", how="pf"))
    assert_rule(table.findings, "6.7", inputs={"weapon": "rw"}, result="removed")
    assert "r1" not in table.state.units


# --- 3.2.4, 7.8: turning --------------------------------------------------------------------------------------------


def test_7_8_the_first_shot_of_the_other_turret_weapons_bears_the_same_turn():
    table = a_table(
        {"r1": ("447", "K6")},
        vehicles={"g1": (PZ4, "K9", 4)},
        dice={"3.2.4": [6, 5], "3.2.2": [6, 5]},
    )
    fire(table, Attack(("g1ma",), "K6"))
    assert_rule(carried(table.findings), "3.2.4/covered-arc", result=2)
    fire(table, Attack(("g1cmg",), "K6"))
    told = table.findings[-1]
    assert {row["text"]: row["value"] for row in told.modifiers}["changes CA"] == 2
    table.state.weapons["g1cmg"].fired = ""
    fire(table, Attack(("g1cmg",), "K6"))
    assert "changes CA" not in {row["text"] for row in table.findings[-1].modifiers}


def test_7_8_a_bow_and_a_turret_weapon_that_turn_together_end_on_the_same_hexspine():
    table = a_table({"r1": ("447", "K6")}, vehicles={"g1": (PZ4, "K9", 4)}, dice={"3.2.2": [6, 5]})
    fire(table, Attack(("g1bmg", "g1cmg"), "K6"))
    vehicle = table.state.vehicles["g1"]
    assert vehicle.vca == vehicle.tca and table.situation.ground.in_arc("K9", vehicle.tca, "K6")


@pytest.mark.rule("7.6", "def/bog")
def test_7_6_a_bow_weapon_that_turns_its_vehicle_in_woods_may_bog_and_then_does_not_fire():
    table = a_table(
        {"r1": ("447", "K6")},
        vehicles={"g1": (STUG, "K9", 4)},
        ground=a_ground({"woods": "K9"}),
        dice={"7.6": [6, 6], "3.2.4": [1, 2]},
    )
    assert fire(table, Attack(("g1ma",), "K6")) == []
    assert_rule(table.findings, "7.6", inputs={"vehicle": "g1"}, result="bogged")
    assert_rule(table.findings, "def/bog", inputs={"vehicle": "g1"})
    assert table.state.vehicles["g1"].vca == 4 and not table.state.weapons["g1ma"].fired
    assert failures(table.findings) == [("g1", "g1ma fire at K6", "7.6")]


def test_3_2_4_intensive_fire_in_the_defensive_fire_phase_reaches_one_hex_and_never_follows_area_fire():
    table = a_gun(phase="defensive", attacker="russian", units={"r2": ("447", "E5")})
    table.state.weapons["gw"].fired = "final"
    table.state.fired_in_phase.append("E4>E8#ordnance:gw")
    assert_rule(objections(table, Attack(("gw",), "E8", intensive=True)), "3.2.4/intensive-fire")
    table.state.units.pop("r1")
    assert not objections(table, Attack(("gw",), "E5", intensive=True))
    table.state.weapons["gw"].swept = True
    assert_rule(objections(table, Attack(("gw",), "E5", intensive=True)), "3.2.4/att")


@pytest.mark.rule("3.3.3/sff", effect=True)
def test_3_3_3_intensive_fire_of_a_gun_in_the_movement_phase_marks_all_weapons_of_its_crew():
    table = a_gun(phase="movement", attacker="russian", dice={"3.2.4": [6, 5]})
    table.state.weapons["gx"] = Weapon(id="gx", card="german-lmg", holder="g1")
    table.state.weapons["gw"].fired = "first"
    moving_in(table, ["r1"])
    fire(table, Attack(("gw",), "E8", intensive=True))
    assert (table.state.weapons["gw"].fired, table.state.weapons["gx"].fired) == ("intensive", "final")
    assert table.state.units["g1"].fired == "final"


@pytest.mark.rule("3.5/vehicles", effect=True)
def test_7_10_a_vehicle_in_motion_that_stays_in_its_hex_takes_the_bounding_fire_modifier_in_the_afph():
    table = a_table(
        {}, vehicles={"g1": (PZ4, "K9", 1), "r1": (T34, "K6", 4)}, armour={"g1": {"motion": True}}, phase="advancing"
    )
    one = component(table.situation, "g1ma")
    attack = Attack(("g1ma",), "K6", target="r1")
    found = vehicle_hit_modifiers(table.situation, one, attack, table.state.vehicles["r1"])
    assert {row.text: row.value for row in found}["Bounding Fire"] == 4


# --- leaders, recall, rate of fire ----------------------------------------------------------------------------------


@pytest.mark.rule("3.2.2/leader-direction", "1.2.6")
def test_3_2_2_no_leader_directs_a_gun_a_vehicle_or_an_mg_that_fires_at_an_afv():
    table = a_gun(units={"gl": ("g 9-2", "E4"), "g2": ("467", "E4")}, vehicles={"r9": (T34, "E8", 1)})
    table.state.weapons["gx"] = Weapon(id="gx", card="german-mmg", holder="g2")
    rule = "3.2.2/leader-direction"
    assert_rule(objections(table, Attack(("gw",), "E8", ("gl",))), rule, why="no leader is directing the fire of gw")
    assert_rule(objections(table, Attack(("gx",), "E8", ("gl",), target="r9")), rule)
    assert not objections(table, Attack(("g2", "gx"), "E8", ("gl",)))
    table.state.weapons["gw"].holder = "gl"
    assert_rule(objections(table, Attack(("gw",), "E8")), "1.2.6")


@pytest.mark.rule("7.10/recall", "def/recall")
def test_7_10_a_recalled_vehicle_that_can_move_does_not_prep_fire():
    table = a_table({"r1": ("447", "K6")}, vehicles={"g1": (PZ4, "K9", 1)}, armour={"g1": {"recalled": True}})
    assert_rule(objections(table, Attack(("g1ma",), "K6")), "7.10/recall")
    table.state.vehicles["g1"].immobilized = True
    assert not objections(table, Attack(("g1ma",), "K6"))
    from pbem.titles.aslsk.vehicles.status import recall

    table.state.vehicles["g1"].recalled = False
    recall(table, table.state.vehicles["g1"])
    assert_rule(table.findings, "def/recall", inputs={"vehicle": "g1"})


def test_3_3_a_unit_that_kept_its_rate_of_fire_or_used_a_panzerfaust_in_the_pfph_has_fired():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K8")},
        weapons={"gw": ("german-mmg", "g1")},
        dice={"3.2.2": [5, 1]},
    )
    fire_list(table, "german", [FireOrder(("gw",), ("K8",), once=True)])
    mark_prep_fire(table, "german")
    assert [one.rule for one in mover_objections(table.situation, table.state.units["g1"])] == ["3.3"]
    table.state.phase = "advancing"
    assert objections(table, Attack(("g1",), "K8"))


def test_1_2_4_1_a_rate_of_fire_that_is_declined_marks_the_weapon_and_leaves_residual_fp():
    for once, residual in ((False, 2), (True, 4)):
        table = a_table(
            {"g1": ("467", "K5"), "r1": ("447", "K6")},
            weapons={"gw": ("german-mmg", "g1")},
            phase="movement",
            attacker="russian",
            dice={"3.2.2": [6, 1]},
        )
        moving_in(table, ["r1"])
        fire(table, Attack(("g1", "gw"), "K6", once=once))
        assert (table.state.weapons["gw"].fired == "first") is once
        assert table.state.residual["K6"] == (8 if once else 4), residual


def test_4_4_4_an_anti_tank_rifle_leaves_no_residual_fp():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K6")},
        weapons={"gw": ("german-atr", "g1")},
        phase="movement",
        attacker="russian",
        dice={"3.2.2": [6, 5]},
    )
    if "german-atr" not in table.data.arms:
        table.state.weapons["gw"].card = next(id for id, card in table.data.arms.items() if card.kind == "atr")
    moving_in(table, ["r1"])
    fire(table, Attack(("gw",), "K6"))
    assert not table.state.residual


def test_3_3_5_a_hindrance_lowers_the_residual_fp_that_an_exposed_crew_leaves_behind():
    table = a_table(
        {"g1": ("467", "K5")},
        vehicles={"r1": (T34, "K8", 1)},
        armour={"r1": {"ce": True}},
        ground=a_ground({"brush": "K7"}),
        phase="movement",
        attacker="russian",
        dice={"3.2.2": [6, 5]},
    )
    driving(table, "r1", ("K9", 2), ("K8", 2))
    fire(table, Attack(("g1",), "K8"))
    assert table.state.residual == {"K8": 1}


@pytest.mark.rule("4.0/weapon-destruction")
def test_4_0_a_unit_may_destroy_its_own_weapon_once_and_that_uses_it():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K8")},
        weapons={"gw": ("german-mmg", "g1"), "gx": ("german-lmg", "g1")},
    )
    carry_out(table, "german", FireOrder(("gw",), (), destroy=True), "destroy gw")
    assert_rule(table.findings, "4.0/weapon-destruction", inputs={"weapon": "gw"}, result="removed")
    assert "gw" not in table.state.weapons and table.state.units["g1"].used == ["gw"]
    table.state.weapons["gx"].fired = "prep"
    carry_out(table, "german", FireOrder(("gx",), (), destroy=True), "destroy gx")
    assert_rule(table.findings, "4.0/weapon-destruction", result="not carried out")
