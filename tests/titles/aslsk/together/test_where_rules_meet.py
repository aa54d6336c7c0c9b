"""Situations in which rules of different phases meet; each case states its answer and the rules that give it."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, carried, driving, enter, moving_in
from titles.aslsk.combinations.test_lawyer import defending, objections, played
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.phase import Fight, ambush_check, fight
from pbem.titles.aslsk.close_combat.vehicles import assault_vehicle, vehicle_attack
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.effects import Aimed, strike
from pbem.titles.aslsk.fire.morale import Aftermath, morale_check
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import advance
from pbem.titles.aslsk.movement.paatc import passes_task_check
from pbem.titles.aslsk.movement.phase import expenditure, start_mover
from pbem.titles.aslsk.orders import AdvanceOrder, Leg, MoveOrder, Orders, RallyOrders, RoutOrder
from pbem.titles.aslsk.rally.phase import recovery_attempt
from pbem.titles.aslsk.rally.rally import rally_by_leaders, remove_dm, self_rally
from pbem.titles.aslsk.rout.paths import Search
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.vehicles.reactions import other_objections, react, try_motion

T34, PZ4, PZ2, KV1 = "russian-t34-85", "german-pz4h", "german-pz2f", "russian-kv-1-m41"
SHAKEN = {"broken": True, "dm": True}


def told(table, rule):
    return [found for found in every(table.findings) if found.rule == rule]


# --- close combat ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.8/vehicle-attack")
def test_3_8_a_leader_adds_one_to_the_value_of_the_squad_that_a_tank_attacks():
    """3.8/vs-vehicle: a squad has 5, and an SMC combined with it adds 1 instead of its own 2.

    CMG 4 and RMG 2 against 6 is 1:1, kill number 5 (against 7 it would be 1:2).
    """
    table = a_table({"g1": ("467", "E8"), "gl": ("g 8-0", "E8")}, vehicles={"r1": (KV1, "E8", 1)},
                    phase="close_combat", dice={"3.8/vehicle-attack": [2, 2]})  # fmt: skip
    units = table.state.units
    vehicle_attack(table, table.state.vehicles["r1"], [units["g1"], units["gl"]])
    assert_rule(table.findings, "3.8/vehicle-attack", inputs={"odds": "1:1"}, cell=5, result="eliminated")


@pytest.mark.rule("3.8/vehicle-attack")
def test_3_8_two_leaders_alone_defend_with_three_against_a_tank():
    """3.8/vs-vehicle: one leader counts 2, and the other, combined with him, counts 1; 6 : 3 is 2:1
    with kill number 7."""
    table = a_table({"g1": ("g 9-1", "E8"), "gl": ("g 8-0", "E8")}, vehicles={"r1": (KV1, "E8", 1)},
                    phase="close_combat", dice={"3.8/vehicle-attack": [6, 6]})  # fmt: skip
    units = table.state.units
    vehicle_attack(table, table.state.vehicles["r1"], [units["g1"], units["gl"]])
    assert_rule(table.findings, "3.8/vehicle-attack", inputs={"odds": "2:1"}, cell=7, result="no effect")


@pytest.mark.rule("3.8/attacks")
def test_3_8_one_attack_on_a_broken_and_a_tired_squad_takes_off_three():
    """3.8/drm: -2 and -1 apply once each; two squads against two are 8:8, kill number 5; a 7
    becomes 4 and kills both.
    """
    table = a_table({"g1": ("467", "E8"), "g2": ("467", "E8"), "r1": ("447", "E8"), "r2": ("447", "E8")},
                    phase="close_combat", states={"r1": SHAKEN, "r2": {"cx": True}},
                    dice={"3.8/attacks": [3, 4]})  # fmt: skip
    units = table.state.units
    fight(table, "E8", [Fight([units["g1"], units["g2"]], [units["r1"], units["r2"]])], "")
    found = assert_rule(table.findings, "3.8/attacks", inputs={"odds": "1:1"}, cell=5, result="eliminated")
    assert sorted(row["value"] for row in found.modifiers) == [-2, -1]
    assert "r1" not in table.state.units and "r2" not in table.state.units


@pytest.mark.rule("3.8/attacks")
def test_3_8_a_leader_who_dies_in_the_same_exchange_has_still_directed():
    """3.8/sequence-infantry: effects are simultaneous.

    The 9-2 and his squad attack at 5:4 with -2; a 6 eliminates the squad that kills them with a 3 at 1:2.
    """
    table = a_table({"g1": ("467", "E8"), "gl": ("g 9-2", "E8"), "r1": ("447", "E8")}, phase="close_combat",
                    dice={"3.8/attacks": [2, 4, 1, 2]})  # fmt: skip
    units = table.state.units
    stack = [units["g1"], units["gl"]]
    fight(table, "E8", [Fight(stack, [units["r1"]]), Fight([units["r1"]], stack)], "")
    assert_rule(table.findings, "3.8/attacks", inputs={"units": ["g1", "gl"], "odds": "1:1"}, cell=5,
                result="eliminated")  # fmt: skip
    assert_rule(table.findings, "3.8/attacks", inputs={"units": ["r1"], "odds": "1:2"}, cell=4, result="eliminated")
    assert not table.state.units


@pytest.mark.rule("3.8/ambush")
def test_3_8_who_joins_a_melee_in_woods_is_neither_ambushed_nor_ambushes():
    """3.8/ambush: Infantry that joins an existing Melee does not roll for ambush; without the Melee the
    same units do roll."""
    for held in (True, False):
        table = a_table({"g1": ("467", "E8"), "g2": ("467", "E8"), "r1": ("447", "E8")}, phase="close_combat",
                        ground=a_ground({"woods": "E8"}), states={"g2": {"in_cc": True}},
                        dice={"3.8/ambush": [1, 6]})  # fmt: skip
        table.state.melee = ["E8"] if held else []
        assert ambush_check(table, "E8") == ("" if held else GERMAN)
        assert bool(told(table, "3.8/ambush")) is not held
    assert_rule(table.findings, "3.8/ambush", result=GERMAN)


@pytest.mark.rule("3.8/vs-vehicle")
def test_3_8_a_stunned_crew_hurts_nobody_with_the_attackers_twelve():
    """3.8/vs-vehicle: an Original 12 costs a casualty only against a vehicle that is neither Shocked nor Stunned."""
    for armour, hurt in (({}, True), ({"stun": "stun"}, False), ({"shock": "uk"}, False)):
        table = a_table({"g1": ("467", "E8")}, vehicles={"r1": (T34, "E8", 1)}, armour={"r1": armour},
                        phase="close_combat", dice={"3.8/vs-vehicle": [6, 6]})  # fmt: skip
        assault_vehicle(table, [table.state.units["g1"]], table.state.vehicles["r1"])
        assert_rule(table.findings, "3.8/vs-vehicle", result="no effect")
        assert (table.state.units["g1"].card == "german-half-247") is hurt


@pytest.mark.rule("3.8/vs-vehicle")
def test_3_8_two_leaders_attack_a_tank_with_three_and_without_leadership():
    """3.8/vs-vehicle: one SMC has 2, and the second adds 1; leadership needs an MMC (3.8/drm). A 3 immobilizes."""
    table = a_table({"g1": ("g 9-2", "E8"), "gl": ("g 9-1", "E8")}, vehicles={"r1": (T34, "E8", 1)},
                    phase="close_combat", dice={"3.8/vs-vehicle": [1, 2]})  # fmt: skip
    units = table.state.units
    assault_vehicle(table, [units["g1"], units["gl"]], table.state.vehicles["r1"])
    found = assert_rule(table.findings, "3.8/vs-vehicle", inputs={"value": 3}, result="immobilized")
    assert not found.modifiers and table.state.vehicles["r1"].immobilized


@pytest.mark.rule("3.3.4", "3.7/paatc")
def test_3_3_4_a_leader_goes_for_the_tank_alone_when_his_squad_does_not_dare():
    """3.7/paatc: the squad rolls 9 against 7 with a leader of -1 and is pinned; the leader needs no check.

    Alone he has CCV 2 and no leadership; the moving vehicle is +2.
    """
    table = a_table({"g1": ("467", "E8"), "gl": ("g 9-1", "E8")}, vehicles={"r1": (T34, "E8", 1)}, phase="movement",
                    attacker=RUSSIAN, dice={"3.7/paatc": [4, 5], "3.8/vs-vehicle": [2, 3]})  # fmt: skip
    driving(table, "r1", ("E9", 2), ("E8", 2))
    react(table, Attack(("g1", "gl"), "E8", how="reaction", target="r1"))
    assert_rule(table.findings, "3.7/paatc", inputs={"unit": "g1"}, result="pinned")
    found = assert_rule(table.findings, "3.3.4", inputs={"units": ["gl"], "value": 2}, result="no effect")
    assert [row["text"] for row in found.modifiers] == ["vehicle in Motion"]
    assert not table.state.units["g1"].fired and table.state.units["gl"].fired == "first"


@pytest.mark.rule("3.3.4", "3.3.3/fpf")
def test_3_3_4_a_twelve_under_a_final_fire_marker_costs_a_squad_everything():
    """3.3.4: the Original 12 costs a casualty (3.8/vs-vehicle); then the half-squad takes the NMC with the same DR.

    An Original 12 breaks and reduces it (3.2.3/nmc), so it is eliminated.
    """
    table = a_table({"g1": ("467", "E8")}, vehicles={"r1": (T34, "E8", 1)}, phase="movement", attacker=RUSSIAN,
                    states={"g1": {"fired": "final"}},
                    dice={"3.7/paatc": [1, 1], "3.8/vs-vehicle": [6, 6]})  # fmt: skip
    driving(table, "r1", ("E9", 2), ("E8", 2))
    react(table, Attack(("g1",), "E8", how="reaction", target="r1"))
    assert_rule(table.findings, "3.3.4", inputs={"value": 4}, result="no effect")
    assert_rule(table.findings, "3.3.3/fpf", inputs={"unit": "g1", "nmc": True}, result="disaster")
    assert "g1" not in table.state.units


# --- morale, quality and leaders ------------------------------------------------------------------------------------


@pytest.mark.rule("3.3.3/fpf", "5.1")
def test_5_1_a_squad_that_fails_the_check_of_its_own_protective_fire_by_too_much_is_replaced():
    """3.3.3/fpf: the attack's Original DR is the NMC; 11 against 7 fails by 4, more than ELR 2, so
    it becomes a 4-4-7.
    """
    table = defending({"g1": ("467", "E4")}, states={"g1": {"fired": "final"}}, elr=2,
                      dice={"3.3.3/fpf": [5, 6]})  # fmt: skip
    fire(table, Attack(("g1",), "E5"))
    assert_rule(table.findings, "3.3.3/fpf", inputs={"unit": "g1", "nmc": True}, result="failed")
    assert_rule(table.findings, "5.1", inputs={"unit": "g1", "margin": 4}, result="4-4-7")
    assert table.state.units["g1"].broken


@pytest.mark.rule("5.1", "3.2.3/lltc")
def test_5_1_a_leader_replaced_by_a_worse_one_is_missed_at_his_old_worth():
    """5.1: a 9-1 who rolls 11 fails by 2, more than an ELR of 1, and becomes a broken 8-1.

    The squad, which passed without him, takes a PTC with +1 for the 9-1 that he was (3.2.3/lltc).
    """
    table = a_table({"gl": ("g 9-1", "E8"), "g1": ("467", "E8")}, elr=1,
                    dice={"3.2.3/nmc": [5, 6, 2, 2], "3.2.3/lltc": [3, 4]})  # fmt: skip
    units = table.state.units
    strike(table, 4, 6, [Aimed(units["gl"], ()), Aimed(units["g1"], ())])
    assert_rule(table.findings, "5.1", inputs={"unit": "gl", "margin": 2}, result="8-1")
    found = assert_rule(table.findings, "3.2.3/lltc", inputs={"unit": "g1"}, result="pinned")
    assert [row["value"] for row in found.modifiers] == [1]


@pytest.mark.rule("3.6/interdiction")
def test_5_1_a_broken_squad_that_fails_under_interdiction_is_reduced_but_not_replaced():
    """3.6/interdiction: failure costs a casualty; ELR applies only to unbroken units (5.1)."""
    table = a_table({"g1": ("467", "E7"), "r1": ("447", "E8")}, phase="rout", elr=0, states={"g1": SHAKEN},
                    dice={"3.6/interdiction": [5, 6] * 4})  # fmt: skip
    rout(table, table.state.units["g1"], RoutOrder("g1", ("E6",)))
    assert_rule(table.findings, "3.6/interdiction", inputs={"unit": "g1", "at": "E6"}, result="NMC")
    assert table.state.units["g1"].card == "german-half-247" and not told(table, "5.1")


@pytest.mark.rule("5.3", "3.1/e-self-rally")
def test_5_3_conscripts_who_roll_two_under_dm_do_not_rally_but_find_a_broken_leader():
    """3.1: 2 + 4 (DM) + 1 (self-rally) is 7 against a broken morale of 5.

    5.3: +1 for Soviet, +1 for a morale of 6 or less and +1 for broken turn a 1 into a 4: a 7-0 emerges, broken like
    the squad.
    """
    table = a_table({"r1": ("426", "E8")}, phase="rally", attacker=RUSSIAN, states={"r1": SHAKEN},
                    dice={"3.1/e-self-rally": [1, 1], "5.3": [1]})  # fmt: skip
    self_rally(table, RUSSIAN, RallyOrders())
    assert_rule(table.findings, "3.1/e-self-rally", inputs={"unit": "r1", "morale": 5}, result="still broken")
    assert_rule(table.findings, "5.3", inputs={"unit": "r1"}, result="7-0")
    leader = table.state.units["rx1"]
    assert leader.broken and leader.dm and table.state.units["r1"].broken


@pytest.mark.rule("3.2.3/llmc")
def test_3_2_3_a_squad_that_stands_where_a_running_leader_falls_checks_too():
    """3.3.3: First Fire attacks only the mover; 3.2.3/llmc: every Good Order unit stacked with the leader checks."""
    table = a_table({"gl": ("g 9-2", "E8"), "g1": ("467", "E8"), "r1": ("447", "E6")}, phase="movement",
                    dice={"3.2.3/llmc": [4, 4]}, elr=5)  # fmt: skip
    moving_in(table, ["gl"])
    strike(table, 2, 1, [Aimed(table.state.units["gl"], ())])
    found = assert_rule(table.findings, "3.2.3/llmc", inputs={"unit": "g1"}, result="failed")
    assert [row["value"] for row in found.modifiers] == [2]


@pytest.mark.rule("3.1/h-dm-removal")
def test_3_1_units_released_from_a_melee_keep_their_dm():
    """3.1/h-dm-removal: DM stays if a Known enemy, broken or not, is adjacent or in the same hex."""
    table = a_table(
        {"g1": ("467", "E8"), "r1": ("447", "E8"), "g2": ("467", "E4")},
        phase="rally",
        states=dict.fromkeys(("g1", "r1", "g2"), SHAKEN),
        ground=a_ground({"woods": "E4 E8"}),
    )
    remove_dm(table, GERMAN, RallyOrders())
    assert_rule(table.findings, "3.1/h-dm-removal", inputs={"unit": "g1"}, result="kept: enemy adjacent")
    assert_rule(table.findings, "3.1/h-dm-removal", inputs={"unit": "g2"}, result="removed")


@pytest.mark.rule("3.2.3/nmc")
def test_3_2_3_a_wounded_leader_of_minus_one_helps_nobody_any_more():
    """3.2.3/wounds: an 8-1 becomes a 7-0; a squad of morale 7 that rolls an 8 fails, which -1
    would have prevented.
    """
    for wounded, result in ((True, "failed"), (False, "pinned")):
        table = a_table({"gl": ("g 8-1", "E8"), "g1": ("467", "E8")}, states={"gl": {"wounded": wounded}},
                        dice={"3.2.3/nmc": [4, 4]})  # fmt: skip
        aftermath = Aftermath(waiting=["g1"])
        morale_check(table, table.state.units["g1"], (), aftermath)
        assert_rule(table.findings, "3.2.3/nmc", inputs={"unit": "g1", "morale": 7}, result=result)


# --- second fire ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.3.3/sff")
def test_3_3_3_a_machine_gun_without_a_marker_joins_second_fire_whole_and_only_malfunctions_on_twelve():
    """3.2.2/fp-modification: 4 halved and doubled is 4, and the unmarked LMG's 3 doubled is 6, which makes 10 FP.

    The LMG's B12 is not reduced, so an Original 12 breaks it but does not remove it (4.1/breakdown).
    """
    table = defending({"g1": ("467", "E4")}, weapons={"gm": ("german-lmg", "g1")}, states={"g1": {"fired": "first"}},
                      dice={"3.3.3/sff": [6, 6]})  # fmt: skip
    fire(table, Attack(("g1", "gm"), "E5"))
    assert_rule(table.findings, "3.3.3/sff", inputs={"firers": ["g1", "gm"], "fp": "10"})
    assert table.state.weapons["gm"].malfunctioned
    assert table.state.units["g1"].fired == table.state.weapons["gm"].fired == "final"


@pytest.mark.rule("3.3.3/sff")
def test_3_3_3_second_fire_reaches_past_a_wreck_and_a_hidden_gun_but_not_past_a_broken_squad():
    """3.3.3/sff: second fire reaches no farther than the nearest Known enemy in LOS, even a broken one.

    A hidden Gun is not Known.
    """
    for more, able in (({}, True), ({"r2": ("447", "F5")}, False)):
        table = defending({"g1": ("467", "E4"), "r3": ("r228", "D4"), **more}, at="E7",
                          weapons={"rg": ("russian-45l-at", "r3")}, facings={"rg": 1},
                          states={"g1": {"fired": "first"}, "r3": {"hidden": True}, "r2": SHAKEN},
                          ground=a_ground({"brush": "D4"}))  # fmt: skip
        found = objections(table, Attack(("g1",), "E7"))
        assert (not found) is able
    assert_rule(found, "3.3.3/sff")


@pytest.mark.rule("4.2")
def test_4_2_a_squad_with_two_flamethrowers_is_twice_the_target():
    """4.2: each FT that the target possesses is -1; 8 FP at point blank with a 9 and -2 is 7, which is a 1MC."""
    table = a_table({"g1": ("467", "E7"), "r1": ("628", "E8")},
                    weapons={"ra": ("russian-ft", "r1"), "rb": ("russian-ft", "r1")},
                    dice={"3.2.2": [4, 5], "3.2.3/mc": [1, 1]})  # fmt: skip
    fire(table, Attack(("g1",), "E8"))
    assert_rule(carried(table.findings), "4.2", result=-2)
    assert told(table, "3.2.3/mc")


# --- movement -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.3.1/smoke-grenades")
def test_3_3_1_a_six_at_smoke_stops_the_thrower_and_the_rest_of_the_stack_goes_on():
    """3.3.1/smoke-grenades: the unit ends its MPh; 11 A3: a unit forced to end its move stays behind."""
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E4")}, phase="movement",
                    dice={"3.3.1/smoke-grenades": [6]})  # fmt: skip
    order = MoveOrder(("g1", "g2"), (Leg("smoke", "E5", by=("g1",)), *enter("F4")))
    table.state.sealed = {GERMAN: Orders(moves=(order,)), RUSSIAN: Orders()}
    assert start_mover(table, order, 0)
    for _ in range(2):
        played(expenditure(table))
    assert_rule(table.findings, "3.3.1/smoke-grenades", inputs={"unit": "g1"})
    assert (table.state.units["g1"].at, table.state.units["g2"].at) == ("E4", "F4")


@pytest.mark.rule("3.7")
def test_3_7_a_wounded_leader_climbs_into_woods_only_once():
    """3.7: with 3 MF against a cost of 4 (woods 2, doubled uphill), the leader advances and becomes CX.

    If already CX, he could not advance.
    """
    ground = a_ground({"woods": "E5"}, hills=["E5"])
    table = a_table({"g1": ("g 8-0", "E4")}, phase="advance", states={"g1": {"wounded": True}}, ground=ground)
    advance(table, GERMAN, AdvanceOrder(("g1",), "E5"))
    assert_rule(table.findings, "3.7", inputs={"cx": ["g1"]}, result="E5")
    assert table.state.units["g1"].cx
    tired = a_table({"g1": ("g 8-0", "E4")}, phase="advance", states={"g1": {"wounded": True, "cx": True}},
                    ground=ground)  # fmt: skip
    advance(tired, GERMAN, AdvanceOrder(("g1",), "E5"))
    assert tired.state.units["g1"].at == "E4"


# --- rout -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.6/rout-portage")
def test_3_6_a_crew_that_routs_leaves_its_gun_and_forgets_its_target():
    """3.6/rout-portage: Guns are always dropped; 6.10: the weapon is no longer possessed."""
    table = a_table({"g1": ("228", "E8"), "r1": ("447", "E7")}, weapons={"gg": ("german-75l-at", "g1")},
                    ground=a_ground({"woods": "E9 E8"}), facings={"gg": 1}, phase="rout",
                    states={"g1": SHAKEN})  # fmt: skip
    gun = table.state.weapons["gg"]
    gun.acquired, gun.acquisition = "E4", 2
    rout(table, table.state.units["g1"], RoutOrder("g1", ("E9",)))
    assert_rule(table.findings, "3.6/rout-portage", inputs={"weapon": "gg"})
    assert (gun.holder, gun.at, gun.acquisition) == ("", "E8", 0) and table.state.units["g1"].at == "E9"


# --- vehicles -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.3.2.1")
def test_3_3_2_1_a_tank_in_woods_that_gets_into_motion_does_not_turn_and_bog_unasked():
    """3.3.2.1: the change of VCA is free, not compulsory; in woods a change would need a bog check (7.6)."""
    table = a_table({"r1": ("447", "E9")}, vehicles={"g2": (PZ4, "E6", 1)}, phase="movement", attacker=RUSSIAN,
                    ground=a_ground({"woods": "E6"}), dice={"3.3.2.1": [1], "7.6": [6, 6]})  # fmt: skip
    moving_in(table, ["r1"], spent=4, trail=[("E9", 4)])
    tank = table.state.vehicles["g2"]
    try_motion(table, tank)
    assert_rule(table.findings, "3.3.2.1", inputs={"vehicle": "g2"}, result="in Motion")
    assert tank.motion and tank.vca == 1 and not tank.bogged and not told(table, "7.6")


@pytest.mark.rule("3.3.2.1")
def test_3_3_2_1_a_tank_that_gets_into_motion_turns_as_its_owner_says():
    """3.3.2.1, 11 G5: the owner chooses the free change of VCA and TCA; without a choice it turns to the mover."""
    for facing, vca in ((3, 3), (-1, 5)):
        table = a_table({"r1": ("447", "E9")}, vehicles={"g2": (PZ4, "E6", 1)}, phase="movement", attacker=RUSSIAN,
                        dice={"3.3.2.1": [1]})  # fmt: skip
        moving_in(table, ["r1"], spent=4, trail=[("E9", 4)])
        attempt = Attack(("g2",), "E9", how="motion", facing=facing)
        assert not list(other_objections(table.situation, GERMAN, attempt))
        react(table, attempt)
        assert_rule(table.findings, "3.3.2.1", inputs={"vehicle": "g2"}, result="in Motion")
        assert table.state.vehicles["g2"].vca == table.state.vehicles["g2"].tca == vca
    wrong = Attack(("g2",), "E9", how="motion", facing=6)
    table.state.vehicles["g2"].motion_tried = False
    assert_rule(list(other_objections(table.situation, GERMAN, wrong)), "3.3.2.1")


# --- units that a close combat has released -------------------------------------------------------------------------


def rallied_among_broken(phase, **more):
    """A German squad has rallied in the hex of a broken Russian one, after their Melee ended."""
    return a_table({"g1": ("467", "E8"), "r1": ("447", "E8"), "r2": ("447", "E6")}, phase=phase,
                   states={"g1": {"acted": True}, "r1": SHAKEN}, **more)  # fmt: skip


@pytest.mark.rule("3.2.2/target-choice", "3.2.2")
def test_3_2_2_1_a_squad_that_rallied_beside_broken_enemies_fires_only_at_them_and_tripled():
    """3.2.2.1: the squad's FP in its own hex is tripled to 12, and it cannot fire out of the hex; no
    unit is in Melee."""
    table = rallied_among_broken("prep", dice={"3.2.2": [5, 6]})
    assert_rule(objections(table, Attack(("g1",), "E6")), "3.2.2/target-choice")
    fire(table, Attack(("g1",), "E8"))
    assert_rule(table.findings, "3.2.2", inputs={"fp": "12"})


@pytest.mark.rule("3.3.1")
def test_3_8_a_squad_that_rallied_beside_broken_enemies_may_walk_away():
    """3.3: the squad is in Good Order, and only units in Melee are held."""
    table = rallied_among_broken("movement")
    order = MoveOrder(("g1",), enter("E9"))
    table.state.sealed = {GERMAN: Orders(moves=(order,)), RUSSIAN: Orders()}
    assert start_mover(table, order, 0)
    played(expenditure(table))
    assert_rule(table.findings, "3.3.1", inputs={"units": ["g1"]}, result="E9")


# --- protective fire and leaders ------------------------------------------------------------------------------------


@pytest.mark.rule("3.3.3/fpf")
@pytest.mark.parametrize(
    ("dice", "leader", "squad"),
    [([2, 6], "passed", "pinned"), ([4, 5], "pinned", "failed"), ([4, 6], "failed", "failed")],
)
def test_3_3_3_the_leader_of_protective_fire_checks_first_and_helps_only_if_he_passes_unharmed(dice, leader, squad):
    """3.3.3/fpf: a 9-1 takes the unmodified DR; on an 8 he is unharmed, and the squad has 7, exactly its morale.

    On a 9 he is pinned and does not help; on a 10 he breaks.
    """
    table = defending({"g1": ("467", "E4"), "gl": ("g 9-1", "E4")}, elr=5, dice={"3.3.3/fpf": dice},
                      states={"g1": {"fired": "final"}, "gl": {"fired": "final", "directed": ["g1"]}})  # fmt: skip
    fire(table, Attack(("g1",), "E5", ("gl",)))
    assert_rule(table.findings, "3.3.3/fpf", inputs={"unit": "gl", "nmc": True}, result=leader)
    assert_rule(table.findings, "3.3.3/fpf", inputs={"unit": "g1", "nmc": True}, result=squad)


@pytest.mark.rule("3.2.2/cowering", "3.3.3/fpf")
def test_3_2_2_protective_fire_cowers_and_its_check_is_passed_with_the_same_doubles():
    """4 FP halved and doubled is column 4; two threes without a leader cower to column 2.

    The 6 passes morale 7, and the marker stays Final Fire.
    """
    table = defending({"g1": ("467", "E4")}, states={"g1": {"fired": "final"}}, dice={"3.3.3/fpf": [3, 3]})
    fire(table, Attack(("g1",), "E5"))
    assert_rule(table.findings, "3.3.3/fpf", inputs={"firers": ["g1"], "fp": "4"}, cell={"column": 4, "used": 2})
    assert_rule(table.findings, "3.2.2/cowering")
    assert_rule(table.findings, "3.3.3/fpf", inputs={"unit": "g1", "nmc": True}, result="passed")
    assert table.state.units["g1"].fired == "final"


# --- fire -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.5/assault-fire")
@pytest.mark.parametrize(("pinned", "fp"), [(False, "6"), (True, "4")])
def test_3_5_assault_fire_of_pinned_men_is_halved_before_the_one_is_added(pinned, fp):
    """5 FP doubled and halved is 5, and +1 is 6; if pinned it is 2.5, and +1 is 3.5, rounded up to 4 (3.5)."""
    table = a_table({"g1": ("548", "E4"), "r1": ("447", "E5")}, phase="advancing", states={"g1": {"pinned": pinned}},
                    dice={"3.2.2": [5, 6]})  # fmt: skip
    fire(table, Attack(("g1",), "E5"))
    assert_rule(table.findings, "3.2.2", inputs={"fp": fp})
    assert_rule(carried(table.findings), "3.5/assault-fire")


@pytest.mark.parametrize(("second", "shielded"), [("E7", True), ("D8", False)])
def test_6_6_one_member_of_a_group_outside_the_arc_cancels_the_gunshield(second, shielded):
    """6.6: a gunshield counts only if every member of the firing group is in the Gun's CA."""
    table = a_table({"g1": ("467", "D7"), "g2": ("467", second), "r1": ("r228", "E8")},
                    weapons={"rg": ("russian-45l-at", "r1")}, facings={"rg": 2}, emplaced=False,
                    dice={"3.2.2": [5, 6]})  # fmt: skip
    fire(table, Attack(("g1", "g2"), "E8"))
    assert_rule(table.findings, "3.2.2", inputs={"firers": ["g1", "g2"]})
    shield = [row for row in carried(table.findings) if row.rule == "6.6"]
    assert [row.result for row in shield] == ([2] if shielded else [])


@pytest.mark.rule("3.3.1/recovery")
@pytest.mark.parametrize(("die", "cx", "result"), [(5, False, "recovered"), (5, True, "not recovered")])
def test_3_3_1_a_tired_squad_misses_the_weapon_with_a_five(die, cx, result):
    """3.3.1/recovery: a dr below 6 recovers a weapon, and CX adds 1, so a 5 fails."""
    table = a_table({"g1": ("467", "E4")}, weapons={"gm": ("german-lmg", "")}, states={"g1": {"cx": cx}},
                    phase="movement", dice={"3.3.1/recovery": [die]})  # fmt: skip
    table.state.weapons["gm"].at = "E4"
    recovery_attempt(table, table.state.units["g1"], table.state.weapons["gm"], "3.3.1/recovery")
    assert_rule(table.findings, "3.3.1/recovery", inputs={"weapon": "gm"}, result=result)


@pytest.mark.rule("3.7/paatc")
@pytest.mark.parametrize(
    ("card", "drm"), [("italian-447", 0), ("italian-346", 1), ("american-666", 0), ("french-457", 0)]
)
def test_3_7_only_some_nations_fear_tanks_more_and_never_their_elite(card, drm):
    """3.7/paatc: +1 for non-elite Italians and minor nations; the French are neither."""
    table = a_table({"g1": ("467", "E4")}, dice={"3.7/paatc": [1, 1]})
    unit = table.state.units["g1"]
    unit.card = card
    assert passes_task_check(table, unit)
    found = assert_rule(table.findings, "3.7/paatc", inputs={"unit": "g1"}, result="passed")
    assert sum(row["value"] for row in found.modifiers) == drm


@pytest.mark.rule("3.1/f-rally")
def test_3_1_a_leader_who_rallied_among_broken_enemies_rallies_his_squad_under_dm():
    """3.1/f-rally: +4 for DM, -1 in woods and -1 for the 8-1 turn a 4 into a 6, within a broken morale of 7."""
    table = a_table({"gl": ("g 8-1", "E8"), "g1": ("467", "E8"), "r1": ("447", "E8")}, phase="rally",
                    states={"g1": SHAKEN, "r1": SHAKEN}, ground=a_ground({"woods": "E8"}),
                    dice={"3.1/f-rally": [2, 2]})  # fmt: skip
    rally_by_leaders(table, GERMAN, RallyOrders())
    found = assert_rule(table.findings, "3.1/f-rally", inputs={"unit": "g1", "morale": 7}, result="rallied")
    assert sorted(row["value"] for row in found.modifiers) == [-1, -1, 4]


@pytest.mark.rule("3.3.3/fpf")
@pytest.mark.parametrize(("dice", "squad"), [([2, 6], "pinned"), ([4, 5], "failed")])
def test_3_3_4_a_leader_who_reacts_with_his_squad_under_final_fire_markers_helps_in_their_check(dice, squad):
    """3.3.4: as in FPF, on an 8 the 9-1 passes and the squad has 7, exactly its morale; on a 9 he is pinned."""
    table = a_table({"g1": ("467", "E8"), "gl": ("g 9-1", "E8")}, vehicles={"r1": (T34, "E8", 1)}, phase="movement",
                    attacker=RUSSIAN, states={"g1": {"fired": "final"}, "gl": {"fired": "final"}},
                    dice={"3.7/paatc": [1, 1], "3.8/vs-vehicle": dice})  # fmt: skip
    driving(table, "r1", ("E9", 2), ("E8", 2))
    react(table, Attack(("g1", "gl"), "E8", how="reaction", target="r1"))
    assert_rule(table.findings, "3.3.3/fpf", inputs={"unit": "g1", "nmc": True}, result=squad)


# --- small limits ---------------------------------------------------------------------------------------------------


def test_3_6_a_wounded_leader_who_routs_along_shortens_the_way_of_the_pair():
    """3.6/leader-rout: the leader's MF limit the pair to 3 instead of 6 (3.3.1), counted in half MF."""
    for wounded, mf in ((True, 6), (False, 12)):
        table = a_table({"g1": ("467", "E8"), "gl": ("g 8-0", "E8"), "r1": ("447", "E7")}, phase="rout",
                        states={"g1": SHAKEN, "gl": {"wounded": wounded}})  # fmt: skip
        units = table.state.units
        assert Search(table.situation, units["g1"], units["gl"]).mf == mf


@pytest.mark.rule("6.4")
def test_6_4_a_rout_into_a_hidden_gun_goes_back_pays_and_may_no_longer_crawl():
    """6.4: the unit goes back and must try another route; the 2 MF for the woods are lost, and the unit
    may not crawl."""
    table = a_table({"g1": ("467", "E8"), "r1": ("447", "E6"), "r2": ("r228", "E9")}, phase="rout",
                    weapons={"rg": ("russian-45l-at", "r2")}, facings={"rg": 1},
                    states={"g1": SHAKEN, "r2": {"hidden": True}}, ground=a_ground({"woods": "E8 E9"}))  # fmt: skip
    squad = table.state.units["g1"]
    rout(table, squad, RoutOrder("g1", ("E9",)))
    assert_rule(table.findings, "6.4", inputs={"units": ["g1"], "at": "E9"}, result="goes back")
    assert squad.at == "E8" and squad.rout_spent == 4 and not squad.routed
    again = Search(table.situation, squad)
    assert not again.crawl_steps and again.mf == 8


@pytest.mark.rule("3.3.1/assault-movement")
def test_3_3_1_assault_movement_leaves_one_mf_unspent_smoke_included():
    """Smoke into an adjacent hex costs 2 of 4 MF; with open ground the total is 3, but with woods it is
    4, the whole allowance."""
    for terrain, end in (({}, "E5"), ({"woods": "E5"}, "E4")):
        table = a_table({"g1": ("467", "E4")}, phase="movement", ground=a_ground(terrain),
                        dice={"3.3.1/smoke-grenades": [5]})  # fmt: skip
        order = MoveOrder(("g1",), (Leg("smoke", "F4", by=("g1",)), *enter("E5")), assault=True)
        table.state.sealed = {GERMAN: Orders(moves=(order,)), RUSSIAN: Orders()}
        assert start_mover(table, order, 0)
        for _ in range(2):
            played(expenditure(table))
        assert table.state.units["g1"].at == end
    assert_rule(table.findings, "3.3.1/assault-movement")


@pytest.mark.rule("3.3.1/stacking")
def test_3_3_1_a_crew_at_its_gun_takes_the_room_of_a_squad():
    """3.3.1/stacking: two squads, a crew with a Gun and a half-squad count as 3.5; without the Gun they count as
    3.
    """
    for gun, room in ((True, False), (False, True)):
        table = a_table({"g1": ("467", "E8"), "g2": ("467", "E8"), "g3": ("228", "E8"), "g4": ("247", "E7")},
                        weapons={"gg": ("german-75l-at", "g3")} if gun else {}, facings={"gg": 1} if gun else {},
                        phase="advance")  # fmt: skip
        coming = [table.state.units["g4"]]
        assert table.situation.has_room("E8", GERMAN, coming) is room
        found = list(table.situation.room_objections("E8", GERMAN, coming))
        assert bool(found) is not room
        if found:
            assert_rule(found, "3.3.1/stacking")
