"""Single words of rules, each with a test that fails if the word is left out or reversed."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, carried, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.engine.rules.happenings import Change
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.effects import Aimed, place_dm_beside_enemies, strike
from pbem.titles.aslsk.fire.morale import Aftermath, eliminate, leader_losses
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import hand_over
from pbem.titles.aslsk.movement.expenditures import expend
from pbem.titles.aslsk.orders import Attempt, FireOrder, Leg, Orders, RallyOrders, RoutOrder
from pbem.titles.aslsk.ordnance.manhandling import push_objections
from pbem.titles.aslsk.ordnance.panzerfaust import hit_modifiers as faust_modifiers
from pbem.titles.aslsk.ordnance.to_hit import firer_hit_modifiers
from pbem.titles.aslsk.player.checks import fire_objections, rally_objections
from pbem.titles.aslsk.rally.phase import recover_all, repair_all, repair_vehicles, transfer
from pbem.titles.aslsk.rally.rally import remove_dm
from pbem.titles.aslsk.rout.decision import Rout
from pbem.titles.aslsk.rout.interdiction import interdictors, must_rout
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.sequence import turn_end
from pbem.titles.aslsk.state import Charge, Weapon
from pbem.titles.aslsk.vehicles.crews import suffer
from pbem.titles.aslsk.vehicles.kill import aspect_of
from pbem.titles.aslsk.vehicles.status import crew_check
from pbem.titles.aslsk.vehicles.steps import break_up_stacks
from pbem.titles.aslsk.weapons.charges import detonate_all, place

T34, PZ4, STUG = "russian-t34-85", "german-pz4h", "german-stug3g"
SHAKEN = {"broken": True, "dm": True}


def objections(table, attack, seat=GERMAN):
    return list(attack_objections(table.situation, seat, attack))


def rules_of(found):
    return {one.rule for one in found}


# --- 3.1 rally ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.1/b-recovery")
def test_3_1_a_broken_unit_recovers_nothing():
    table = a_table({"g1": ("467", "E4")}, states={"g1": SHAKEN}, phase="rally")
    table.state.weapons["gw"] = Weapon(id="gw", card="german-lmg", at="E4")
    recover_all(table, GERMAN, RallyOrders(recover=(Attempt("g1", "gw"),)))
    assert_rule(table.findings, "3.1/b-recovery", inputs={"why": ["g1 cannot act now"]}, result="not carried out")
    assert not table.state.weapons["gw"].holder


@pytest.mark.rule("3.1/c-repair")
@pytest.mark.parametrize(("die", "result"), [(1, "repaired"), (3, "not repaired"), (6, "removed")])
def test_3_1_a_vehicle_repairs_on_1_and_loses_the_weapon_on_6_only(die, result):
    table = a_table({}, vehicles={"g1": (PZ4, "E4", 1)}, phase="rally", dice={"3.1/c-repair": [die]})
    table.state.weapons["g1bmg"].malfunctioned = True
    repair_vehicles(table, GERMAN, RallyOrders())
    assert_rule(table.findings, "3.1/c-repair", inputs={"weapon": "g1bmg"}, result=result)
    assert ("g1bmg" in table.state.weapons) is (die != 6)


@pytest.mark.rule("3.1/c-repair")
@pytest.mark.parametrize(("die", "result"), [(1, "repaired"), (3, "not repaired"), (6, "removed")])
def test_3_1_infantry_repairs_up_to_the_number_and_loses_the_weapon_on_6_only(die, result):
    table = a_table({"g1": ("467", "E4")}, weapons={"gw": ("german-lmg", "g1")}, phase="rally",
                    dice={"3.1/c-repair": [die]})  # fmt: skip
    table.state.weapons["gw"].malfunctioned = True
    repair_all(table, GERMAN, RallyOrders())
    assert_rule(table.findings, "3.1/c-repair", inputs={"weapon": "gw"}, result=result)
    assert ("gw" in table.state.weapons) is (die != 6)


@pytest.mark.rule("3.1/d-transfer")
def test_3_1_a_weapon_changes_hands_among_own_units_only():
    table = a_table(
        {"g1": ("467", "E4"), "g2": ("467", "E4"), "r1": ("447", "E6"), "r2": ("447", "E6")},
        phase="rally",
        weapons={"gw": ("german-lmg", "g1"), "rw": ("russian-lmg", "r1")},
    )
    transfer(table, GERMAN, "g2", "gw")
    assert_rule(table.findings, "3.1/d-transfer", inputs={"weapon": "gw", "unit": "g2"}, result="transferred")
    transfer(table, GERMAN, "r2", "rw")
    assert_rule(table.findings, "3.1/d-transfer", inputs={"why": ["both units must be yours"]})
    assert (table.state.weapons["gw"].holder, table.state.weapons["rw"].holder) == ("g2", "r1")


@pytest.mark.rule("3.1/h-dm-removal")
def test_3_1_only_units_under_dm_lose_it():
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E4")}, phase="rally", ground=a_ground({"woods": "E4"}),
                    states={"g1": SHAKEN, "g2": {"broken": True}})  # fmt: skip
    remove_dm(table, GERMAN, RallyOrders())
    assert_rule(table.findings, "3.1/h-dm-removal", inputs={"unit": "g1"}, result="removed")
    assert [(found.inputs["unit"], found.shows) for found in table.findings] == [("g1", (Change("g1", "dm", False),))]


@pytest.mark.rule("3.1", effect=True)
@pytest.mark.rule("3.1/f-rally")
def test_3_1_a_rally_names_a_leader_of_its_own_side_or_none():
    table = a_table({"g1": ("467", "E4"), "gl": ("g 8-0", "E4"), "rl": ("r 8-0", "E6")}, phase="rally")

    def wrong(leader):
        rally = RallyOrders(rally=(Attempt("g1", leader),))
        return list(rally_objections(table.situation, GERMAN, Orders(rally=rally)))

    assert not wrong("") and not wrong("gl")
    assert_rule(wrong("rl"), "3.1/f-rally", why="rl is not one of your leaders")
    assert_rule(wrong("g1"), "3.1/f-rally")


# --- 3.2.3 results --------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.2.3/kia")
def test_3_2_3_nobody_checks_for_a_squad_that_is_lost():
    table = a_table({"g1": ("548", "E4"), "g2": ("467", "E4")}, dice={"3.2.3/llmc": [6, 5]})
    strike(table, 4, 1, [Aimed(table.state.units["g1"], ())])
    assert_rule(table.findings, "3.2.3/kia", inputs={"unit": "g1"}, result="eliminated")
    assert not any(found.rule == "3.2.3/llmc" for found in every(table.findings))


@pytest.mark.rule("3.2.3/nmc")
def test_3_2_3_only_an_exact_pass_buttons_a_crew_up_and_a_leader_who_is_no_target_helps():
    for dice, result in (([2, 2], "passed"), ([4, 4], "pinned")):
        table = a_table({}, vehicles={"g1": (PZ4, "E4", 1)}, armour={"g1": {"ce": True}}, dice={"3.2.3/nmc": dice})
        crew_check(table, table.state.vehicles["g1"], [], "3.2.3/nmc")
        assert_rule(table.findings, "3.2.3/nmc", inputs={"unit": "g1", "morale": 8}, result=result)
        assert table.state.vehicles["g1"].ce is (result == "passed")
    table = a_table({"g1": ("467", "E4"), "gl": ("g 9-1", "E4")}, dice={"3.2.3/nmc": [4, 4]})
    strike(table, 4, 6, [Aimed(table.state.units["g1"], ())])
    told = assert_rule(table.findings, "3.2.3/nmc", inputs={"unit": "g1"}, result="pinned")
    assert [row["value"] for row in told.modifiers] == [-1]


@pytest.mark.rule("3.2.3/llmc")
def test_3_2_3_two_leaders_lost_at_once_are_two_checks():
    table = a_table({"g1": ("467", "E4"), "gl": ("g 9-1", "E4"), "gx": ("g 8-0", "E4")},
                    dice={"3.2.3/llmc": [1, 1, 1, 2]})  # fmt: skip
    aftermath = Aftermath()
    for id in ("gl", "gx"):
        eliminate(table, table.state.units[id], "3.2.3/kia", aftermath)
    leader_losses(table, aftermath)
    checks = [found for found in table.findings if found.rule == "3.2.3/llmc"]
    assert [[row["value"] for row in found.modifiers] for found in checks] == [[1], []]
    assert_rule(checks, "3.2.3/llmc", inputs={"unit": "g1"}, result="passed")


@pytest.mark.rule("3.2.3/mc")
def test_3_2_3_a_crew_checks_with_the_number_of_its_result():
    table = a_table({}, vehicles={"g1": (PZ4, "E4", 1)}, armour={"g1": {"ce": True}}, dice={"3.2.3/mc": [4, 4]})
    suffer(table, table.state.vehicles["g1"], table.data.fire_table.cell(4, 5))
    told = assert_rule(table.findings, "3.2.3/mc", inputs={"unit": "g1"}, result="failed")
    assert [row["value"] for row in told.modifiers] == [1]


@pytest.mark.rule("3.2.3/dm-placement")
def test_3_2_3_a_broken_unit_in_melee_gets_no_dm_from_its_neighbours():
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E4"), "g2": ("467", "E7"), "r2": ("447", "E8")},
                    states={"g1": {"broken": True}, "g2": {"broken": True}})  # fmt: skip
    table.state.melee = ["E4"]
    place_dm_beside_enemies(table)
    assert_rule(table.findings, "3.2.3/dm-placement", inputs={"unit": "g2"}, result="DM")
    assert not table.state.units["g1"].dm


# --- 3.2.4 ordnance, 6 Guns -----------------------------------------------------------------------------------------


@pytest.mark.rule("3.2.4/target-facing")
def test_3_2_4_flame_hits_the_rear_only_from_the_same_hex_and_a_gun_there_by_the_die():
    table = a_table({"g1": ("548", "E8")}, weapons={"gw": ("german-ft", "g1")}, vehicles={"r1": (T34, "E8", 1)},
                    dice={"7.9": [5, 6]})  # fmt: skip
    fire(table, Attack(("gw",), "E8", target="r1"))
    assert_rule(table.findings, "3.2.4/target-facing", inputs={"vehicle": "r1"}, result="rear")
    tank, situation = table.state.vehicles["r1"], table.situation
    assert [aspect_of(situation, "E8", tank, dice).facing for dice in (roll(1, 6), roll(1, 3))] == ["front", "side"]
    gun = a_table({}, vehicles={"g1": (STUG, "E8", 1)}, armour={"g1": {"tca": 4}})
    aspect = aspect_of(gun.situation, gun.situation.ground.step("E8", 0) or "", gun.state.vehicles["g1"], roll(6, 1))
    hull = aspect_of(gun.situation, gun.situation.ground.step("E8", 0) or "", gun.state.vehicles["g1"], roll(1, 6))
    assert (aspect.location, hull.location) == ("turret", "hull") and aspect.facing == hull.facing


def roll(white, coloured):
    from pbem.titles.aslsk.chance import Dice

    return Dice(white, coloured)


@pytest.mark.rule("1.2.6")
def test_1_2_6_what_fits_into_a_building():
    for card, fits in (("german-75l-at", True), ("german-50l-at", True), ("russian-76-art", False)):
        id = "r1" if card.startswith("russian") else "g1"
        table = a_table({id: ("r228" if id == "r1" else "228", "E4")}, weapons={"w": (card, id)}, facings={"w": 1},
                        ground=a_ground({"stone": "E5"}), phase="movement")  # fmt: skip
        moving_in(table, [id], spent=0)
        found = list(push_objections(table.situation, [table.state.units[id]], Leg("push", "E5", weapon="w")))
        assert ("1.2.6" in rules_of(found)) is not fits
        if not fits:
            assert_rule(found, "1.2.6", why="w does not fit into a building")
        found = list(push_objections(table.situation, [table.state.units[id]], Leg("push", "E3", weapon="w")))
        assert "1.2.6" not in rules_of(found)


@pytest.mark.rule("6.2/ap", "6.2/he")
def test_6_2_a_gun_fires_what_it_has_without_limit():
    def refused(card, how):
        table = a_table({"r1": ("r228", "E4"), "g1": ("467", "E8")}, weapons={"w": (card, "r1")}, facings={"w": 4},
                        attacker=RUSSIAN)  # fmt: skip
        return objections(table, Attack(("w",), "E8", how=how), RUSSIAN)

    assert not rules_of(refused("russian-76l-art", "AP")) & {"6.2/ap", "6.2/he"}
    assert not rules_of(refused("russian-122s-art", "")) & {"6.2/ap", "6.2/he"}
    assert_rule(refused("russian-122s-art", "AP"), "6.2/ap")
    assert_rule(refused("british-40l-at", ""), "6.2/he")


@pytest.mark.rule("6.2/heat")
def test_6_2_heat_against_men_needs_a_building_or_a_gun():
    for at, crewed, fine in (("E8", False, False), ("E7", False, True), ("E8", True, True)):
        table = a_table({"r1": ("r228", "E4"), "g1": ("228", at)}, attacker=RUSSIAN, ground=a_ground({"stone": "E7"}),
                        weapons={"w": ("russian-76s-inf", "r1"), "gw": ("german-50l-at", "g1" if crewed else "")},
                        facings={"w": 4, "gw": 1})  # fmt: skip
        found = objections(table, Attack(("w",), at, how="H"), RUSSIAN)
        assert ("6.2/heat" in rules_of(found)) is not fine
        if not fine:
            assert_rule(found, "6.2/heat")


@pytest.mark.rule("4.4.3")
def test_4_4_3_only_what_blasts_backwards_takes_2_for_a_house():
    house = a_ground({"stone": "E4"})
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E5"), "r1": ("447", "E6")}, ground=house, date="1944-08",
                    weapons={"gw": ("german-psk", "g1"), "gx": ("british-piat", "g1"), "gy": ("german-psk", "g2")},
                    vehicles={"r2": (T34, "E6", 1)}, dice={"3.2.4": [5, 5]})  # fmt: skip
    for id, value in (("gw", [2]), ("gx", []), ("gy", [])):
        found = firer_hit_modifiers(table.situation, component(table.situation, id), Attack((id,), "E6"))
        assert [row.value for row in found if row.rule == "4.4.3"] == value
    tank = table.state.vehicles["r2"]
    for unit, blast, value in (("g1", False, [2]), ("g1", True, []), ("g2", False, [])):
        shot = Attack((unit,), "E6", how="pf", target="r2", blast=blast)
        found = faust_modifiers(table.situation, table.state.units[unit], shot, tank)
        assert [row.value for row in found if row.rule == "4.4.3"] == value
    fire(table, Attack(("gw",), "E6", target="r2"))
    assert_rule(carried(table.findings), "4.4.3", inputs={"text": "no backblast"}, result=2)


# --- 3.3, 3.6 movement and rout -------------------------------------------------------------------------------------


@pytest.mark.rule("3.3.1/recovery")
def test_3_3_1_the_unit_that_is_named_recovers_the_weapon():
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E4")}, phase="movement", dice={"3.3.1/recovery": [2]})
    table.state.weapons["gw"] = Weapon(id="gw", card="german-lmg", at="E4")
    moving_in(table, ["g1", "g2"], spent=0)
    expend(table, list(table.state.units.values()), Leg("recover", weapon="gw", by=("g2",)))
    assert_rule(table.findings, "3.3.1/recovery", inputs={"unit": "g2", "weapon": "gw"}, result="recovered")


@pytest.mark.rule("3.3.2/stacking")
def test_3_3_2_only_vehicles_of_the_side_that_moved_break_up_and_none_off_the_map():
    table = a_table(
        {},
        vehicles={
            "g1": (PZ4, "E4", 1),
            "g2": (PZ4, "E4", 1),
            "r1": (T34, "E8", 1),
            "r2": (T34, "E8", 1),
            "g3": (PZ4, "", 1),
            "g4": (PZ4, "", 1),
        },
    )
    break_up_stacks(table, GERMAN)
    assert_rule(table.findings, "3.3.2/stacking", inputs={"at": "E4"}, result="destroyed")
    assert sorted(table.state.vehicles) == ["g2", "g3", "g4", "r1", "r2"]


@pytest.mark.rule("3.6/rout-restrictions", effect=True)
@pytest.mark.rule("3.6/must-rout")
def test_3_6_only_broken_men_must_rout():
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E5")}, phase="rout")
    assert must_rout(table.situation, table.state.units["g1"]) == ""
    table.state.units["g1"].broken = True
    assert must_rout(table.situation, table.state.units["g1"]) == "an unbroken enemy is adjacent"
    decision = Rout(table.data, table.state, Rout.make_ask(GERMAN, subject="g1"))
    assert_rule(list(decision.objections(None)), "3.6/must-rout")


@pytest.mark.rule("3.6/interdiction")
def test_3_6_a_leader_interdicts_with_an_anti_tank_rifle_in_range_and_never_with_a_machine_gun():
    for card, at, able in (("german-atr", "E8", True), ("german-lmg", "E8", False), ("german-atr", "R4", False)):
        table = a_table({"gl": ("g 8-0", "E4"), "r1": ("447", at)}, weapons={"gw": (card, "gl")}, phase="rout",
                        states={"r1": SHAKEN})  # fmt: skip
        assert bool(list(interdictors(table.situation, table.state.units["r1"], at))) is able
    table = a_table({"gl": ("g 8-0", "E4"), "r1": ("447", "E7")}, weapons={"gw": ("german-atr", "gl")}, phase="rout",
                    states={"r1": SHAKEN}, dice={"3.6/interdiction": [1, 1]})  # fmt: skip
    rout(table, table.state.units["r1"], RoutOrder("r1", ("E8",)))
    assert_rule(table.findings, "3.6/interdiction", inputs={"by": ["gl"]}, result="NMC")


@pytest.mark.rule("3.6/leader-rout", "def/interdiction")
def test_3_6_a_leader_routs_along_unless_pinned_and_survives_a_check_that_is_passed():
    table = a_table(
        {"g1": ("467", "E4"), "r1": ("447", "E6"), "rl": ("r 8-1", "E6"), "rx": ("r 8-0", "E6")},
        phase="rout",
        states={"r1": SHAKEN, "rx": {"pinned": True}},
        dice={"3.6/interdiction": [1, 2]},
    )
    decision = Rout(table.data, table.state, Rout.make_ask(RUSSIAN, subject="r1"))
    assert not list(decision.objections(RoutOrder("r1", ("E7",), leader="rl")))
    assert_rule(list(decision.objections(RoutOrder("r1", ("E7",), leader="rx"))), "3.6/leader-rout")
    rout(table, table.state.units["r1"], RoutOrder("r1", ("E7",), leader="rl"))
    assert_rule(table.findings, "def/interdiction", inputs={"unit": "r1"})
    assert table.state.units["rl"].at == "E7" and table.state.units["r1"].at == "E7"


@pytest.mark.rule("3.9")
def test_3_9_a_match_ends_at_once_when_a_side_is_gone():
    for gone in (False, True):
        table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")}, attacker=GERMAN)
        if gone:
            del table.state.units["r1"]
        list(turn_end(table))
        assert (table.state.outcome is not None) is gone
    assert_rule(table.findings, "3.9", inputs={"turn": table.state.turn})


# --- 4 weapons ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.0/weapon-destruction")
def test_4_0_a_unit_destroys_its_own_weapon_and_no_other():
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")},
                    weapons={"gw": ("german-lmg", "g1"), "rw": ("russian-lmg", "r1")})  # fmt: skip
    own, other = (FireOrder((id,), (), destroy=True) for id in ("gw", "rw"))
    assert not list(fire_objections(table.situation, GERMAN, own, now=True))
    assert_rule(list(fire_objections(table.situation, GERMAN, other, now=True)), "4.0/weapon-destruction")


@pytest.mark.rule("4.3/placement")
def test_4_3_a_charge_is_set_against_a_tank_only_where_it_is():
    for at, against in (("E5", "r1"), ("E9", "")):
        table = a_table({"g1": ("548", "E4")}, weapons={"gw": ("german-dc", "g1")}, vehicles={"r1": (T34, at, 1)},
                        phase="movement")  # fmt: skip
        place(table, table.state.units["g1"], table.state.weapons["gw"], "E5", "r1")
        assert_rule(table.findings, "4.3/placement", inputs={"unit": "g1", "at": "E5"}, result="placed")
        assert [charge.vehicle for charge in table.state.charges] == [against]


@pytest.mark.rule("4.3/detonation")
def test_4_3_a_charge_of_plain_men_is_a_dud_on_10_and_of_the_elite_on_12():
    for card, dice, result in (("467", [5, 5], "dud"), ("467", [4, 5], "4MC"), ("548", [5, 5], "K/4")):
        table = a_table(
            {"g1": (card, "E4"), "r1": ("447", "E5")},
            weapons={"gw": ("german-dc", "g1")},
            phase="movement",
            dice={"4.3/detonation": dice, "3.2.3/mc": [1, 1], "3.2.3/k": [1]},
        )
        place(table, table.state.units["g1"], table.state.weapons["gw"], "E5")
        table.state.phase = "advancing"
        detonate_all(table, ["gw"])
        told = assert_rule(table.findings, "4.3/detonation", inputs={"weapon": "gw", "dud": result == "dud"})
        assert told.result == result or told.result == {"r1": str(table.data.fire_table.cell(30, sum(dice)))}
        assert ("r1" in table.state.units and table.state.units["r1"].card == "russian-447") or result != "dud"


@pytest.mark.rule("4.3/vs-afv")
def test_4_3_a_tank_that_moved_is_harder_to_set_a_charge_on():
    for state, moving in (({}, False), ({"moving": True}, True), ({"motion": True}, True)):
        table = a_table(
            {"g1": ("548", "E4")},
            vehicles={"r1": (T34, "E5", 1)},
            armour={"r1": state},
            phase="advancing",
            dice={"4.3/vs-afv": [3, 4], "7.9": [6, 6]},
        )
        table.state.weapons["gw"] = Weapon(id="gw", card="german-dc")
        table.state.charges = [Charge("gw", "E5", "E4", vehicle="r1")]
        detonate_all(table, ["gw"])
        told = assert_rule(table.findings, "4.3/vs-afv", inputs={"vehicle": "r1"})
        assert ("moving, Non-Stopped or Motion" in [row["text"] for row in told.modifiers]) is moving


@pytest.mark.rule("4.0/drop-recover")
def test_3_7_nobody_drops_the_weapon_of_an_enemy():
    table = a_table(
        {"g1": ("467", "E4"), "r1": ("447", "E8")}, weapons={"rw": ("russian-lmg", "r1")}, phase="advance"
    )
    hand_over(table, GERMAN, Attempt("", "rw"))
    assert_rule(table.findings, "4.0/drop-recover", result="not carried out")
    assert table.state.weapons["rw"].holder == "r1"


@pytest.mark.rule("5.5")
def test_5_5_a_weapon_of_ones_own_nation_is_not_captured():
    for id, card, rows in (("g1", "467", 0), ("r1", "447", 1)):
        table = a_table(
            {id: (card, "E4"), "g2": ("467", "E9"), "r2": ("447", "E9")},
            weapons={"w": ("german-mortar", id)},
            attacker=GERMAN if id == "g1" else RUSSIAN,
            dice={"3.2.4": [5, 5]},
        )
        fire(table, Attack(("w",), "E9"))
        found = [row for row in carried(table.findings) if row.rule == "5.5"]
        assert len(found) == rows
    assert_rule(carried(table.findings), "5.5", result=2)
