"""Whole attacks worked out by hand: every factor, modifier and result of several rules together."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, carried, driving, moving_in
from titles.aslsk.combinations.test_lawyer import defending, objections, played
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.cards.scenario import Goal
from pbem.titles.aslsk.close_combat.attacks import ambush_modifiers
from pbem.titles.aslsk.close_combat.phase import combat_hex
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import advance
from pbem.titles.aslsk.orders import AdvanceOrder, Assault, CombatOrder, RoutOrder
from pbem.titles.aslsk.rout.interdiction import must_rout
from pbem.titles.aslsk.rout.paths import Search
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.state import Smoke, Wreck
from pbem.titles.aslsk.victory import holder_of, update_control
from pbem.titles.aslsk.weapons.charges import detonate_all, place

T34, PZ4, PZ2, KV1 = "russian-t34-85", "german-pz4h", "german-pz2f", "russian-kv-1-m41"
SHAKEN = {"broken": True, "dm": True}


def drms(found):
    return {row["text"]: row["value"] for row in found.modifiers}


# --- tanks, smoke and infantry --------------------------------------------------------------------------------------


@pytest.mark.rule("3.2.2", "3.2.1")
def test_3_3_2_2_a_tank_that_drives_out_of_smoke_fires_its_machine_guns_at_a_squad_beside_it():
    """BMG 3 and CMG 5 are doubled beside the target and halved twice (MPh, Non-Stopped): 4 FP.

    Leaving dispersed smoke is +2 and +1.
    """
    table = a_table({"r1": ("447", "E5")}, vehicles={"g1": (PZ4, "E4", 4)}, phase="movement", dice={"3.2.2": [2, 5]})
    driving(table, "g1", ("E3", 0), ("E4", 2))
    table.state.smoke["E4"] = [Smoke("dispersed", GERMAN)]
    fire(table, Attack(("g1bmg", "g1cmg"), "E5"))
    told = assert_rule(table.findings, "3.2.2", inputs={"fp": "4", "against": {"r1": 3}})
    assert drms(told) == {"hindrance": 3}
    assert_rule(carried(table.findings), "3.2.1", result=3)
    assert not table.state.residual  # 3.3.2.2 Bounding First Fire leaves none


@pytest.mark.rule("3.2.4/vtt")
def test_3_2_4_a_panzerschreck_from_a_house_led_by_a_leader_at_a_tank_that_has_just_come_into_sight():
    """The number at range 2 is 8, and the DRM total +7.

    The house gives +2, the leader -1, CX +1, a T-34/85 in sight for 1 MP +4 and the wreck's hex +1.
    """
    table = a_table({"g1": ("467", "E4"), "gl": ("g 9-1", "E4")}, ground=a_ground({"stone": "E4"}),
                    vehicles={"r1": (T34, "E6", 1)}, weapons={"gp": ("german-psk", "g1")}, phase="movement",
                    states={"g1": {"cx": True}}, attacker=RUSSIAN, date="1944-08",
                    dice={"3.2.4": [1, 2]})  # fmt: skip
    driving(table, "r1", ("", 0), ("E6", 2))
    table.state.wrecks = [Wreck("r9", T34, RUSSIAN, "E5")]
    fire(table, Attack(("gp",), "E6", ("gl",), target="r1"))
    told = assert_rule(table.findings, "3.2.4/vtt", inputs={"number": 8, "vehicle": "r1"}, result="miss")
    assert drms(told) == {"leadership": -1, "CX firer": 1, "no backblast": 2, "hindrance": 1, "moving target": 4}


@pytest.mark.rule("3.2.4/vtt", "3.2.4/continuous-los")
def test_6_10_a_tank_acquired_in_the_prep_fire_phase_is_still_acquired_when_it_drives_on_in_sight():
    """The T-34 is acquired at -2, a hex in sight from the start is +2, and turning the NT Gun one hexspine is +3."""
    table = a_table({"g1": ("228", "E4")}, vehicles={"r1": (T34, "F6", 0)}, weapons={"gg": ("german-75l-at", "g1")},
                    facings={"gg": 3}, phase="movement", attacker=RUSSIAN,
                    dice={"3.2.4": [3, 3, 3, 3], "7.9": [6, 6, 6, 6]})  # fmt: skip
    driving(table, "r1", ("E6", 0), ("F6", 2))
    gun = table.state.weapons["gg"]
    gun.acquired, gun.acquisition, gun.quarry = "F6", 2, ["r1"]
    fire(table, Attack(("gg",), "F6", target="r1"))
    told = assert_rule(table.findings, "3.2.4/vtt", inputs={"vehicle": "r1"})
    assert drms(told)["acquired target"] == -2 and drms(told)["moving target"] == 2
    turned = drms(told)["changes CA"]
    assert turned in (3, 4) and gun.acquisition == 2
    table.state.vehicles["r1"].going.trail = [("", 0), ("F6", 2)]
    table.state.vehicles["r1"].going.here = 4
    table.state.weapons["gg"].fired = ""
    fire(table, Attack(("gg",), "F6", target="r1"))
    assert_rule(carried(table.findings), "3.2.4/continuous-los", inputs={"text": "moving target"}, result=4)


@pytest.mark.rule("3.2.2", "1.2.5")
def test_1_2_5_a_squad_that_throws_smoke_into_its_own_hex_loses_ffmo_but_not_ffnam():
    """Smoke in the target hex gives +2 and FFNAM -1, and FFMO does not apply, so the DRM is +1. The 4 FP attack
    leaves 2 Residual FP, which smoke in its own hex does not reduce."""
    table = defending({"g1": ("467", "E5")}, at="E7", dice={"3.2.2": [6, 5]})
    table.state.smoke["E7"] = [Smoke("grenade", RUSSIAN)]
    fire(table, Attack(("g1",), "E7"))
    assert_rule(table.findings, "3.2.2", inputs={"against": {"r1": 1}})
    assert_rule(carried(table.findings), "1.2.5", result=2)
    assert table.state.residual == {"E7": 2}


# --- terrain --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11/one-tem", effect=True)
@pytest.mark.rule("3.2.2", "1.1.1.10/height-advantage")
@pytest.mark.parametrize(
    ("came", "drm"), [("E6", {"FFMO": -1, "FFNAM": -1}), ("D6", {"height advantage": 1, "FFNAM": -1})]
)
def test_1_1_1_10_a_squad_that_climbs_a_hill_under_fire_from_below(came, drm):
    """Moving uphill across the hexside of the fire, a unit has no height advantage and FFMO applies.

    Across another hexside it has +1 and no FFMO.
    """
    table = a_table({"g1": ("467", "E9"), "r1": ("447", "E5")}, ground=a_ground(hills=["E5", "E4"]), phase="movement",
                    attacker=RUSSIAN, dice={"3.2.2": [6, 5]})  # fmt: skip
    moving_in(table, ["r1"], climbed=True, came_from=came)
    fire(table, Attack(("g1",), "E5"))
    assert drms(assert_rule(table.findings, "3.2.2")) == drm
    if "height advantage" in drm:
        assert_rule(carried(table.findings), "1.1.1.10/height-advantage", result=1)
    else:
        table.state.units["r1"].going.climbed = False
        table.state.units["g1"].fired = ""
        table.state.units["r1"].going.here = 8
        fire(table, Attack(("g1",), "E5"))
        assert_rule(carried(table.findings), "1.1.1.10/height-advantage", result=1)


@pytest.mark.rule("3.2.2", "3.2.1")
def test_7_4_1_a_wreck_on_the_plain_does_not_hinder_fire_from_hill_to_hill_but_smoke_does():
    """7.4.1: wrecks hinder only on the same level; 1.2.5: Smoke hinders at any level. E3 and E7 are
    hills, but E5 is not."""
    table = a_table({"g1": ("467", "E3"), "r1": ("447", "E7")}, ground=a_ground(hills=["E3", "E7"]),
                    dice={"3.2.2": [6, 5, 6, 5]})  # fmt: skip
    table.state.wrecks = [Wreck("r9", T34, RUSSIAN, "E5")]
    fire(table, Attack(("g1",), "E7"))
    assert drms(assert_rule(table.findings, "3.2.2")) == {}
    table.state.smoke["E5"] = [Smoke("wp_dispersed", RUSSIAN)]
    table.state.units["g1"].fired = ""
    table.state.fired_in_phase = []
    fire(table, Attack(("g1",), "E7"))
    assert_rule(carried(table.findings), "3.2.1", result=1)


# --- morale ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.2.3/mc", "3.2.3/lltc", "5.1")
def test_3_2_3_a_stack_under_a_2mc_leader_breaks_and_is_replaced_and_the_squads_check_for_him():
    """16 FP with a Final DR of 7 is a 2MC; the 8-1 rolls 11 + 2, fails by 5 > ELR 3 and becomes a broken 8-0.

    The squads take the 2MC, then an LLTC at +1.
    """
    table = a_table({"g1": ("467", "E7"), "g2": ("467", "E7"), "r1": ("447", "E8"), "rl": ("r 8-1", "E8")},
                    dice={"3.2.2": [3, 4], "3.2.3/mc": [5, 6, 2, 2], "3.2.3/lltc": [3, 4]})  # fmt: skip
    fire(table, Attack(("g1", "g2"), "E8"))
    assert_rule(table.findings, "3.2.3/mc", inputs={"unit": "rl", "morale": 8}, result="failed")
    assert_rule(table.findings, "5.1", inputs={"unit": "rl", "margin": 5}, result="8-0")
    assert drms(assert_rule(table.findings, "3.2.3/mc", inputs={"unit": "r1"}, result="passed")) == {"2MC": 2}
    told = assert_rule(table.findings, "3.2.3/lltc", inputs={"unit": "r1"}, result="pinned")
    assert drms(told) == {"leader lost": 1}


@pytest.mark.rule("3.2.2/cowering", "3.2.3/dm-placement")
def test_5_4_conscripts_cower_two_columns_and_still_frighten_broken_men_if_they_might_not_have():
    """4 + 4 FP uses column 8, cowered to column 4; the broken squad gets DM, as another roll could cause an NMC."""
    table = a_table({"r1": ("426", "E4"), "r2": ("426", "E4"), "g1": ("467", "E6")}, attacker=RUSSIAN,
                    states={"g1": {"broken": True}}, dice={"3.2.2": [5, 5]})  # fmt: skip
    fire(table, Attack(("r1", "r2"), "E6"))
    assert_rule(table.findings, "3.2.2/cowering", result=2)
    assert table.findings[-1].cell["column"] == 8 and table.findings[-1].cell["used"] == 4
    assert_rule(table.findings, "3.2.3/dm-placement", inputs={"unit": "g1"}, result="DM")


# --- rout -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.6/rout-movement", "3.6/interdiction")
def test_3_6_a_rout_between_a_broken_and_an_unbroken_enemy():
    """r1 is in E6, g1 (unbroken) adjacent in E5, g2 (broken) in sight in G7; r1 may approach neither. C8 is woods."""
    table = a_table({"g1": ("467", "E5"), "g2": ("467", "H6"), "r1": ("447", "E6")}, phase="rout", attacker=RUSSIAN,
                    ground=a_ground({"woods": "C8"}), states={"r1": SHAKEN, "g2": SHAKEN},
                    dice={"3.6/interdiction": [2, 2, 2, 2]})  # fmt: skip
    unit = table.state.units["r1"]
    assert must_rout(table.situation, unit)
    search, ground = Search(table.situation, unit), table.situation.ground
    first = {hex for hex in ground.neighbours("E6") if search.step_is_legal("E6", hex, search.seen_from("E6"))}
    away = ground.distance("E6", "H6")
    allowed = (hex for hex in ground.neighbours("E6") if ground.distance(hex, "H6") >= away)
    assert first == {hex for hex in allowed if ground.distance(hex, "E5") > 1}
    assert "C8" in search.ways
    rout(table, unit, RoutOrder("r1", search.ways["C8"].path[1:]))
    assert_rule(table.findings, "3.6/rout-movement", inputs={"unit": "r1"}, result="C8")
    by = assert_rule(table.findings, "3.6/interdiction", inputs={"unit": "r1"}, result="NMC").inputs["by"]
    assert by == ["g1"]


# --- close combat ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.8/ambush", "3.8/attacks")
def test_3_8_an_ambush_in_woods_with_a_leader_against_tired_conscripts():
    """The ATTACKER has 3 - 1 (9-1), the DEFENDER has 3 + 1 for CX + 1 for inexperience: 2 against 5 is an ambush.

    In the attack 5 : 4 is 1:1, with -3.
    """
    table = a_table({"g1": ("467", "E8"), "gl": ("g 9-1", "E8"), "r1": ("426", "E8")}, phase="close_combat",
                    ground=a_ground({"woods": "E8"}), states={"r1": {"cx": True}, "g1": {"in_cc": True}},
                    dice={"3.8/ambush": [3, 3], "3.8/attacks": [3, 4]})  # fmt: skip
    assert [one.value for one in ambush_modifiers(table.situation, "E8", GERMAN)] == [-1]
    attack = CombatOrder("E8", (Assault(("g1", "gl"), ("r1",)),))
    asked = played(combat_hex(table, ["E8"]), lambda ask: attack if ask.seat == GERMAN else CombatOrder("E8"))
    assert_rule(table.findings, "3.8/ambush", inputs={"finals": {GERMAN: 2, RUSSIAN: 5}}, result=GERMAN)
    told = assert_rule(table.findings, "3.8/attacks", inputs={"odds": "1:1"}, result="eliminated")
    assert drms(told) == {"leadership": -1, "CX target": -1, "ambusher": -1}
    assert [ask.seat for ask in asked] == [GERMAN]


@pytest.mark.rule("3.7/paatc", "3.7")
def test_3_7_conscripts_loaded_with_a_machine_gun_go_for_a_tank_uphill():
    """The hill costs 2 of the squad's 3 + 2 MF (the HMG's 4 PP fit the IPC of 3 + 1), so the squad does not become
    CX. Inexperience is +1 and the leader -1, so a 6 passes on morale 6.
    """
    table = a_table({"g1": ("436", "E8"), "gl": ("g 8-1", "E8")}, vehicles={"r1": (T34, "E7", 1)}, phase="advance",
                    ground=a_ground(hills=["E7"]), weapons={"gm": ("german-hmg", "g1")},
                    dice={"3.7/paatc": [3, 3]})  # fmt: skip
    advance(table, GERMAN, AdvanceOrder(("g1", "gl"), "E7"))
    told = assert_rule(table.findings, "3.7/paatc", inputs={"unit": "g1", "morale": 6}, result="passed")
    assert drms(told) == {"inexperienced or wary of tanks": 1, "leadership": -1}
    assert_rule(table.findings, "3.7", inputs={"units": ["g1"], "cx": []}, result="E7")


# --- charges and guns -----------------------------------------------------------------------------------------------


@pytest.mark.rule("4.3/vs-afv", "7.9")
def test_4_3_a_tired_squad_sets_a_charge_from_the_hill_on_the_rear_of_a_bogged_tank():
    """The position DRM are rear -1, CX +1, immobile -2 and from above -1: 8 - 3 = 5 is optimal.

    The AF counts as one step below the lowest.
    """
    table = a_table({"g1": ("467", "E9")}, vehicles={"r1": (T34, "E8", 1)}, ground=a_ground(hills=["E9"]),
                    armour={"r1": {"bogged": "bogged"}}, weapons={"gd": ("german-dc", "g1")}, phase="movement",
                    states={"g1": {"cx": True}}, dice={"4.3/vs-afv": [4, 4], "7.9": [4, 5]})  # fmt: skip
    place(table, table.state.units["g1"], table.state.weapons["gd"], "E8", "r1")
    table.state.phase = "advancing"
    detonate_all(table, ["gd"])
    told = assert_rule(table.findings, "4.3/vs-afv", result="optimal")
    assert drms(told) == {
        "exhausted placer": 1, "through the hull rear": -1, "immobile": -2, "from a higher level": -1,
    }  # fmt: skip
    lowest = min(table.situation.data.deck.vehicles[T34].side, table.situation.data.deck.vehicles[T34].turret_side)
    assert lowest == 6
    assert_rule(table.findings, "7.9", inputs={"armour": 4, "number": 16 + 1 - 4}, result="destroyed")


@pytest.mark.rule("6.8", "3.2.2", "3.2.4/covered-arc")
def test_6_8_an_automatic_gun_that_turns_fires_with_the_turn_on_the_fire_table():
    """A 20 mm with IFE 4 fires at range 3; its 360-degree mount turns two hexspines, +1 +1; doubles do not cower."""
    table = a_table({"g1": ("228", "E4"), "r1": ("447", "E7")}, weapons={"gg": ("german-20l-aa", "g1")},
                    facings={"gg": 1}, dice={"3.2.2": [3, 3]})  # fmt: skip
    assert_rule(objections(table, Attack(("ggife", "g1"), "E7")), "6.8")
    fire(table, Attack(("ggife",), "E7"))
    told = assert_rule(table.findings, "3.2.2", inputs={"fp": "4"})
    assert drms(told) == {"changes CA": 2} and not told.cell["cowered"]
    assert_rule(table.findings, "3.2.4/covered-arc", inputs={"weapon": "gg", "mount": "360"})


# --- the end --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("def/control")
def test_2_control_of_a_tank_ends_when_it_drives_off_and_of_a_squad_does_not():
    """def/control: an AFV controls its hex only while it is there, but a squad's control remains when
    the squad leaves."""
    goal = Goal(GERMAN, "control", 1, hexes=("E8",))
    table = a_table({"g1": ("467", "E8")}, vehicles={"r1": (T34, "F8", 1)}, goals=(goal,))
    update_control(table)
    assert_rule(table.findings, "def/control", inputs={"place": "E8"}, result=GERMAN)
    table.state.units["g1"].at = "E4"
    table.state.vehicles["r1"].at = "E8"
    assert holder_of(table.situation, "E8") == RUSSIAN
    table.state.units["g1"].at = "E8"
    assert holder_of(table.situation, "E8") == GERMAN  # contested: as before
    table.state.units["g1"].at = "E4"
    table.state.vehicles["r1"].at = "F8"
    assert holder_of(table.situation, "E8") == GERMAN
