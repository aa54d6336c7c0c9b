"""Single lines of rules that no other test covers: each case shows what changes if the line is dropped."""

from __future__ import annotations

import msgspec
import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, carried, driving, moving_in
from titles.aslsk.combinations.test_lawyer import defending, objections
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.modifiers import gunshield
from pbem.titles.aslsk.fire.phases import carry_out
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.expenditures import leg_objections
from pbem.titles.aslsk.movement.first_fire_window import Window
from pbem.titles.aslsk.movement.residual import residual_on_crew
from pbem.titles.aslsk.orders import FireOrder, Leg, MoveOrder, RoutOrder
from pbem.titles.aslsk.player.checks import move_objections
from pbem.titles.aslsk.rout.interdiction import interdictors
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.state import Smoke, Wreck
from pbem.titles.aslsk.vehicles.kill import apply
from pbem.titles.aslsk.vehicles.reactions import other_objections
from pbem.titles.aslsk.vehicles.status import possible_shock
from pbem.titles.aslsk.vehicles.steps import may_stay, step_objections
from pbem.titles.aslsk.weapons.charges import detonate_all, place

T34, PZ4 = "russian-t34-85", "german-pz4h"


def drms(found):
    return {row["text"]: row["value"] for row in found.modifiers}


@pytest.mark.rule("3.2.4/effects", "6.1")
def test_6_1_a_critical_hit_on_runners_in_the_open_keeps_ffmo_and_ffnam():
    """At range 3 the ITT number is 8 and the CH number is 3; an Original 4 with -2 is a CH (6.1).

    The hit attacks with 24 FP, an Original 9 and -2.
    """
    table = defending({"g1": ("228", "E4")}, at="E7", weapons={"gg": ("german-75l-at", "g1")}, facings={"gg": 4},
                      dice={"3.2.4": [2, 2], "3.2.4/effects": [4, 5]})  # fmt: skip
    fire(table, Attack(("gg",), "E7"))
    assert drms(assert_rule(table.findings, "6.1", inputs={"against": {"r1": -2}})) == {"FFMO": -1, "FFNAM": -1}
    table = defending({"g1": ("228", "E4")}, at="E7", weapons={"gg": ("german-75l-at", "g1")}, facings={"gg": 4},
                      dice={"3.2.4": [4, 4], "3.2.4/effects": [4, 5]})  # fmt: skip
    fire(table, Attack(("gg",), "E7"))
    assert drms(assert_rule(table.findings, "3.2.4/effects", inputs={"against": {"r1": 0}})) == {}


@pytest.mark.rule("3.2.4/known-th-drm")
def test_7_7_only_a_buttoned_crew_takes_1_more_to_hit():
    for ce, told in ((True, {}), (False, {"BU": 1})):
        table = a_table({"r1": ("447", "E8")}, vehicles={"g1": (PZ4, "E4", 4)}, armour={"g1": {"ce": ce}},
                        dice={"3.2.4": [6, 5]})  # fmt: skip
        fire(table, Attack(("g1ma",), "E8"))
        assert drms(next(found for found in table.findings if found.rule == "3.2.4")) == told
    assert_rule(table.findings, "3.2.4/known-th-drm")


@pytest.mark.rule("3.3.4")
def test_3_3_4_nobody_reacts_with_the_units_of_the_enemy():
    table = a_table({"g1": ("467", "E8"), "r2": ("447", "E8")}, vehicles={"r1": (T34, "E8", 1)}, phase="movement",
                    attacker=RUSSIAN)  # fmt: skip
    driving(table, "r1", ("E9", 0), ("E8", 2))
    table.state.units["r2"].seat = RUSSIAN
    for unit, fine in (("g1", True), ("r2", False)):
        found = [*other_objections(table.situation, GERMAN, Attack((unit,), "E8", how="reaction", target="r1"))]
        assert bool(found) is not fine
        if found:
            assert_rule(found, "3.3.4", why="r2 is not in the hex of r1")


@pytest.mark.rule("3.3.5")
def test_3_3_5_residual_fp_attacks_a_crew_once_in_a_hex():
    table = a_table({}, vehicles={"r1": (T34, "E8", 1)}, armour={"r1": {"ce": True}}, phase="movement",
                    attacker=RUSSIAN, dice={"3.3.5": [6, 6, 6, 6]})  # fmt: skip
    driving(table, "r1", ("E9", 0), ("E8", 2))
    table.state.residual["E8"] = 4
    residual_on_crew(table, table.state.vehicles["r1"])
    residual_on_crew(table, table.state.vehicles["r1"])
    assert_rule(table.findings, "3.3.5", inputs={"attack": True, "against": {"r1": 2}})
    assert sum(found.rule == "3.3.5" for found in table.findings) == 1


@pytest.mark.rule("4.0/weapon-destruction")
def test_4_0_a_squad_that_destroys_a_second_weapon_gives_up_its_fp():
    """4.0: destruction counts as use, and using a second weapon costs a squad its inherent FP."""
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")}, dice={"3.2.2": [3, 4]},
                    weapons={"gm": ("german-lmg", "g1"), "gn": ("german-lmg", "g1")})  # fmt: skip
    fire(table, Attack(("gm",), "E8"))
    assert not table.state.units["g1"].gave_up
    carry_out(table, GERMAN, FireOrder(("gn",), (), destroy=True), "destroy gn")
    assert_rule(table.findings, "4.0/weapon-destruction", inputs={"weapon": "gn"}, result="removed")
    assert table.state.units["g1"].gave_up


@pytest.mark.rule("4.4.4", "3.3.5")
def test_4_4_4_an_anti_tank_rifle_in_a_group_adds_nothing_to_residual_fp():
    """A squad's 4 FP and two rifles' 2 use column 6 and leave 2, from the squad's column 4.

    Without the squad, nothing is left.
    """
    table = defending({"g1": ("467", "E4"), "g2": ("467", "E4")}, at="E7", dice={"3.2.2": [6, 5]},
                      weapons={"ga": ("german-atr", "g1"), "gb": ("german-atr", "g2")})  # fmt: skip
    fire(table, Attack(("g1", "ga", "gb"), "E7"))
    assert_rule(table.findings, "3.3.5", inputs={"column": 4}, result=2)
    far = a_table({"g1": ("467", "E1"), "r1": ("447", "R12")}, weapons={"ga": ("german-atr", "g1")})
    assert_rule(objections(far, Attack(("ga",), "R12")), "4.4.4")


@pytest.mark.rule("4.4.5")
@pytest.mark.parametrize(("at", "fine"), [("E5", False), ("E6", True)])
def test_4_4_5_a_piat_fires_downhill_only_two_hexes_away(at, fine):
    table = a_table({"g1": ("467", "E4"), "r1": ("447", at)}, weapons={"gp": ("british-piat", "g1")},
                    ground=a_ground({"stone": at}, hills=["E4"]))  # fmt: skip
    found = objections(table, Attack(("gp",), at))
    assert bool(found) is not fine
    table.state.units["r1"].at = "E5"
    table.state.units["g1"].at = "E4"
    if not fine:
        assert_rule(found, "4.4.5")
    else:
        other = a_table({"g1": ("467", "E4"), "r1": ("447", "E5")}, weapons={"gp": ("british-piat", "g1")},
                        ground=a_ground({"stone": "E5"}, hills=["E4"]))  # fmt: skip
        assert_rule(objections(other, Attack(("gp",), "E5")), "4.4.5")


@pytest.mark.rule("6.2/smoke")
def test_6_2_smoke_shells_are_not_fired_in_the_movement_phase_but_wp_is():
    table = defending({"g1": ("227", "E4")}, at="E8", weapons={"gg": ("american-81s-mtr", "g1")}, facings={"gg": 4},
                      date="1944-08")  # fmt: skip
    assert_rule(objections(table, Attack(("gg",), "E8", how="smoke")), "6.2/smoke")
    assert not any(one.rule == "6.2/smoke" for one in objections(table, Attack(("gg",), "E8", how="WP")))


@pytest.mark.rule("7.4", "3.6/rout-movement")
def test_3_6_smoke_or_a_wreck_between_keeps_an_enemy_from_interdicting():
    """In open ground at range 4 the unit is interdicted; with Smoke in between it is not."""
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")}, phase="rout",
                    states={"r1": {"broken": True, "dm": True}}, dice={"3.6/interdiction": [1, 1]})  # fmt: skip
    unit = table.state.units["r1"]
    assert [one.id for one in interdictors(table.situation, unit, "E8")] == ["g1"]
    table.state.smoke["E6"] = [Smoke("dispersed", GERMAN)]
    assert not [*interdictors(table.situation, unit, "E8")]
    table.state.smoke = {}

    table.state.wrecks = [Wreck("g9", PZ4, GERMAN, "E8")]
    assert not [*interdictors(table.situation, unit, "E8")]
    rout(table, unit, RoutOrder("r1", ("E9",)))
    assert_rule(table.findings, "3.6/rout-movement", inputs={"unit": "r1"}, result="E9")
    assert not any(found.rule == "3.6/interdiction" for found in every(table.findings))  # the wreck is between now
    unit.at, table.state.phase = "E8", "prep"
    fire(table, Attack(("g1",), "E8"))
    assert_rule(carried(table.findings), "7.4", result=1)


@pytest.mark.rule("4.3/detonation")
@pytest.mark.parametrize(("card", "limit"), [("548", 12), ("467", 10), ("436", 9)])
def test_4_3_the_number_of_a_charge_is_that_of_its_placer(card, limit):
    table = a_table({"g1": (card, "E4"), "r1": ("447", "E5")}, weapons={"gd": ("german-dc", "g1")}, phase="movement",
                    dice={"4.3/detonation": [limit // 2, limit - limit // 2]})  # fmt: skip
    place(table, table.state.units["g1"], table.state.weapons["gd"], "E5")
    table.state.phase = "advancing"
    detonate_all(table, ["gd"])
    assert_rule(table.findings, "4.3/detonation", inputs={"weapon": "gd", "limit": limit, "dud": True}, result="dud")
    assert "r1" in table.state.units and not table.state.units["r1"].broken


@pytest.mark.rule("3.3.2/enemy-afv-hex")
def test_3_3_2_a_gun_that_could_only_shock_the_turret_may_stay():
    """A 75L at range 0 has 17 + 1 - AF: against a T-34 the 7 exceeds 5, but an IS-2 is too thick."""
    table = a_table({}, vehicles={"g1": (PZ4, "E9", 1), "r1": (T34, "E8", 4)}, phase="movement")
    driving(table, "g1", ("E9", 2))
    assert may_stay(table.situation, table.state.vehicles["g1"], "E8")  # 18 - 11 = 7 > 5
    table.state.vehicles["r1"].card = "russian-is-2m"  # 18 - 26 hull; turret one step less: 18
    assert not may_stay(table.situation, table.state.vehicles["g1"], "E8")

    table.state.vehicles["g1"].at = "E8"
    table.state.vehicles["g1"].going.must_leave = True
    assert_rule([*step_objections(table.situation, table.state.vehicles["g1"], Leg("stop"))], "3.3.2/enemy-afv-hex")


@pytest.mark.rule("6.6")
def test_6_6_a_shield_does_not_help_against_fire_from_its_own_hex_or_residual_fp():
    table = a_table({"g1": ("228", "E8"), "r1": ("447", "E5")}, weapons={"gg": ("german-75l-at", "g1")},
                    facings={"gg": 1}, emplaced=False, attacker=RUSSIAN, dice={"3.2.2": [6, 5]})  # fmt: skip
    crew = table.state.units["g1"]
    assert gunshield(table.situation, crew, ["E8"]) is None and gunshield(table.situation, crew, []) is None
    fire(table, Attack(("r1",), "E8"))
    assert_rule(carried(table.findings), "6.6", result=2)


@pytest.mark.rule("3.2.4/continuous-los", "3.2.4/vtt")
def test_3_2_4_a_tank_in_motion_is_a_moving_target_even_where_it_stands():
    """No. 24: a Motion marker alone gives +2; a tank that has only started gives no modifier."""
    table = a_table({"g1": ("228", "E4")}, vehicles={"r1": (T34, "E8", 1)}, weapons={"gg": ("german-75l-at", "g1")},
                    facings={"gg": 4}, phase="defensive", attacker=RUSSIAN,
                    dice={"3.2.4": [6, 5] * 3, "7.9": [6, 6] * 3})  # fmt: skip
    tank = table.state.vehicles["r1"]
    for motion, value in ((True, 2), (False, None)):
        tank.motion, table.findings = motion, []
        table.state.weapons["gg"].fired = ""
        fire(table, Attack(("gg",), "E8", target="r1"))
        assert drms(assert_rule(table.findings, "3.2.4/vtt")).get("moving target") == value
    table.state.phase = "movement"
    driving(table, "r1", ("", 0), ("E8", 2))
    table.state.weapons["gg"].fired = ""
    fire(table, Attack(("gg",), "E8", target="r1"))
    assert_rule(carried(table.findings), "3.2.4/continuous-los", inputs={"text": "moving target"}, result=4)


@pytest.mark.rule("3.2.2/mandatory-fg")
def test_3_2_2_a_second_squad_joins_or_waits_for_the_next_expenditure():
    """def/mandatory-fg: one expenditure by one stack is one target."""
    table = defending({"g1": ("467", "E4"), "g2": ("467", "E4")}, at="E7", dice={"3.2.2": [6, 5]})
    fire(table, Attack(("g1",), "E7"))
    assert_rule(objections(table, Attack(("g2",), "E7")), "3.2.2/mandatory-fg")
    table.state.mover.expenditures += 1
    assert not objections(table, Attack(("g2",), "E7"))


@pytest.mark.rule("3.3.3")
def test_3_3_3_small_arms_are_offered_against_an_exposed_crew_and_refused_against_a_buttoned_one():
    for ce in (True, False):
        table = a_table({"g1": ("467", "E5")}, vehicles={"r1": (T34, "E8", 1)}, armour={"r1": {"ce": ce}},
                        phase="movement", attacker=RUSSIAN)  # fmt: skip
        driving(table, "r1", ("E9", 0), ("E8", 2))
        window = Window(table.data, table.state, Window.make_ask(GERMAN, subject="1.1"))
        assert [one.id for one in window.able("E8")] == (["g1"] if ce else [])
    assert_rule(objections(table, Attack(("g1",), "E8")), "3.3.3", why="no moving unit is in E8")


@pytest.mark.rule("3.3.1/recovery")
def test_3_3_1_a_recovery_by_a_unit_that_is_not_in_the_stack_does_not_end_in_an_error():
    table = a_table({"g1": ("467", "E4")}, weapons={"gm": ("german-lmg", "")}, phase="movement")
    moving_in(table, ["g1"])
    table.state.weapons["gm"].at = "E4"
    leg = Leg("recover", weapon="gm", by=("g9",))
    assert not leg_objections(table.situation, [table.state.units["g1"]], leg)
    table.state.weapons["gm"].at = "E5"
    assert_rule(
        leg_objections(table.situation, [table.state.units["g1"]], leg), "3.3.1/recovery", why="gm is not in E4"
    )


@pytest.mark.rule("7.10/crew-morale", "7.10/shock")
@pytest.mark.parametrize(("shaken", "result"), [(False, "passed"), (True, "failed")])
def test_7_10_a_shaken_crew_takes_a_possible_shock_with_1_more(shaken, result):
    """With morale 8 and an Original 8, the +1 marker makes the crew fail (7.10/stun)."""
    table = a_table({}, vehicles={"r1": (T34, "E8", 1)}, armour={"r1": {"shaken": shaken}},
                    dice={"7.10/shock": [4, 4]})  # fmt: skip
    possible_shock(table, table.state.vehicles["r1"])
    assert_rule(table.findings, "7.10/shock", inputs={"vehicle": "r1", "morale": 8}, result=result)
    assert_rule(table.findings, "7.10/crew-morale", result=8)
    assert bool(table.state.vehicles["r1"].shock) is shaken


@pytest.mark.rule("7.10")
def test_7_10_a_tank_that_is_destroyed_or_immobilized_in_motion():
    """7.10/immobilized: an immobilized tank stops at once and is no longer in Motion; a roll below the
    number destroys it."""
    table = a_table({}, vehicles={"r1": (T34, "E8", 1)}, armour={"r1": {"motion": True}})
    apply(table, table.state.vehicles["r1"], "immobilized")
    assert not table.state.vehicles["r1"].motion and table.state.vehicles["r1"].immobilized
    apply(table, table.state.vehicles["r1"], "destroyed")
    assert_rule(table.findings, "7.10", inputs={"vehicle": "r1"}, result="destroyed")


@pytest.mark.rule("6.7")
@pytest.mark.parametrize(("dice", "result"), [([1, 1], "destroyed by a critical hit"), ([1, 2], "removed")])
def test_6_7_a_panzerfaust_destroys_a_gun_by_a_critical_hit_or_a_direct_one(dice, result):
    """An Original 2 that hits is a CH; an Original 3 is an ordinary hit, and a 2 on 16 FP is a KIA,
    which counts as a direct hit."""
    table = a_table({"g1": ("467", "E4"), "r1": ("r228", "E5")}, weapons={"rg": ("russian-76s-inf", "r1")},
                    facings={"rg": 1}, emplaced=False, date="1944-08",
                    dice={"4.4.2": [1], "3.2.4": dice, "3.2.4/effects": [1, 1]})  # fmt: skip
    table.state.pf_left = {GERMAN: 3}
    fire(table, Attack(("g1",), "E5", how="pf"))
    assert_rule(table.findings, "6.7", inputs={"weapon": "rg"}, result=result)
    assert "rg" not in table.state.weapons and "r1" not in table.state.units


@pytest.mark.rule("3.3.2")
@pytest.mark.parametrize("how", ["assault", "double"])
def test_3_3_2_a_vehicle_neither_assaults_nor_runs(how):
    table = a_table({}, vehicles={"g1": (PZ4, "E4", 4)}, phase="movement")
    order = MoveOrder(("g1",), (Leg("enter", "E5"),))
    assert not [*move_objections(table.situation, GERMAN, order, set())]
    wrong = msgspec.structs.replace(order, **{how: True})
    assert_rule([*move_objections(table.situation, GERMAN, wrong, set())], "3.3.2")
