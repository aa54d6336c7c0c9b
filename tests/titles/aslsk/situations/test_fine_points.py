"""Fine points of several rules at once; each case states its answer and the rules that give it."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, driving
from titles.aslsk.combinations.test_lawyer import defending, objections, played
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.phase import close_combat_end
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.phase import expenditure, start_mover
from pbem.titles.aslsk.orders import Leg, MoveOrder, Orders, RoutOrder
from pbem.titles.aslsk.ordnance.hidden import reveal_seen
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.vehicles.steps import stop
from pbem.titles.aslsk.weapons.charges import detonate_all, place

T34, PZ4, PZ2, KV1 = "russian-t34-85", "german-pz4h", "german-pz2f", "russian-kv-1-m41"
SHAKEN = {"broken": True, "dm": True}


def drms(found):
    return {row["text"]: row["value"] for row in found.modifiers}


@pytest.mark.rule("4.0/weapon-usage")
@pytest.mark.parametrize("card", ["german-lmg", "british-piat", "german-atr"])
def test_4_0_a_leader_never_directs_his_own_weapon(card):
    """4.0, 4.4.1: an SMC who fires an SW has no leadership left to direct that fire."""
    table = a_table({"gl": ("g 9-2", "E4"), "r1": ("447", "E5")}, weapons={"gw": (card, "gl")},
                    ground=a_ground({"stone": "E5"}))  # fmt: skip
    assert_rule(objections(table, Attack(("gw",), "E5", ("gl",))), "4.0/weapon-usage")
    assert not objections(table, Attack(("gw",), "E5"))


@pytest.mark.rule("3.2.4/covered-arc")
@pytest.mark.parametrize(("gun", "fine"), [("german-75l-at", False), ("german-88l-aa", True)])
def test_3_2_4_a_gun_without_a_turning_mount_never_fires_at_a_tank_that_stands_in_its_hex(gun, fine):
    """3.2.4/covered-arc: an NT Gun may fire into its own hex only at a unit that enters in the enemy's MPh."""
    table = a_table({"g1": ("228", "E8")}, vehicles={"r1": (T34, "E8", 1)}, weapons={"gg": (gun, "g1")},
                    facings={"gg": 1}, phase="defensive", attacker=RUSSIAN)  # fmt: skip
    found = objections(table, Attack(("gg",), "E8", target="r1"))
    assert bool(found) is not fine
    table.state.weapons["gg"].card = "german-75l-at"
    assert_rule(objections(table, Attack(("gg",), "E8", target="r1")), "3.2.4/covered-arc")


@pytest.mark.rule("1.1.1.4", "def/mortars", effect=True)
@pytest.mark.rule("7.11")
@pytest.mark.parametrize(("ce", "drm"), [(True, {"air burst": -1}), (False, {"TEM": 1})])
def test_1_1_1_4_a_shell_in_the_trees_bursts_over_an_open_tank(ce, drm):
    """1.1.1.4: mortar fire at a CE vehicle in woods has -1 instead of +1, even against the AFV itself (7.11)."""
    table = a_table({"g1": ("228", "E4")}, vehicles={"r1": (T34, "E8", 1)}, armour={"r1": {"ce": ce}},
                    weapons={"gg": ("german-81s-mtr", "g1")}, facings={"gg": 4}, ground=a_ground({"woods": "E8"}),
                    dice={"3.2.4": [1, 2], "3.2.4/effects": [6, 6]})  # fmt: skip
    fire(table, Attack(("gg",), "E8"))
    assert drms(assert_rule(table.findings, "7.11", inputs={"vehicle": "r1"})) == drm


@pytest.mark.rule("7.9", "4.3/vs-afv")
def test_4_3_a_tank_that_turns_after_a_charge_was_set_does_not_change_its_side():
    """4.3/vs-afv: the charge is set through the rear hexside; although the tank turns before the
    AFPh, rear applies.
    """
    table = a_table({"g1": ("548", "E9")}, vehicles={"r1": (T34, "E8", 1)}, weapons={"gd": ("german-dc", "g1")},
                    phase="movement", dice={"4.3/vs-afv": [4, 4], "7.9": [3, 4]})  # fmt: skip
    place(table, table.state.units["g1"], table.state.weapons["gd"], "E8", "r1")
    tank = table.state.vehicles["r1"]
    tank.vca = tank.tca = 4
    table.state.phase = "advancing"
    detonate_all(table, ["gd"])
    assert drms(assert_rule(table.findings, "4.3/vs-afv")) == {"through the hull rear": -1}
    assert_rule(table.findings, "7.9", inputs={"facing": "rear"})


# --- units on the way -----------------------------------------------------------------------------------------------


@pytest.mark.rule("3.3.1", "3.2.3/wounds")
def test_3_2_3_a_leader_wounded_on_the_way_has_3_mf_in_all():
    """3.2.3/wounds: of 3 MF, 2 are spent when Residual FP wounds the leader, who can enter only one
    more hex, not four."""
    order = MoveOrder(("gl",), tuple(Leg("enter", f"E{row}") for row in range(5, 11)))
    table = a_table({"gl": ("g 9-2", "E4"), "r1": ("447", "K2")}, phase="movement",
                    dice={"3.3.5": [1, 3], "3.2.3/wounds": [2], "3.2.3/mc": [1, 1]})  # fmt: skip
    table.state.sealed = {GERMAN: Orders(moves=(order,)), RUSSIAN: Orders()}
    assert start_mover(table, order, 0)
    table.state.residual["E6"] = 2
    while table.state.mover is not None:
        played(expenditure(table))
    assert_rule(table.findings, "3.2.3/wounds", inputs={"unit": "gl"}, result="wounded")
    assert_rule(table.findings, "3.3.1", inputs={"why": ["gl has 0 MF left and needs 1 for E8"]})
    assert table.state.units["gl"].at == "E7"


@pytest.mark.rule("6.4")
def test_6_4_a_squad_that_wins_its_melee_sees_the_gun_in_the_open():
    """6.4 case 1 needs a Good Order enemy with LOS: a squad in Melee is not in Good Order, but
    after the CCPh it is.
    """
    table = a_table({"g1": ("467", "E4"), "r1": ("r228", "E8")}, weapons={"rg": ("russian-45l-at", "r1")},
                    facings={"rg": 1}, states={"r1": {"hidden": True}}, phase="close_combat")  # fmt: skip
    table.state.melee = ["E4"]
    reveal_seen(table)
    assert table.state.units["r1"].hidden
    played(close_combat_end(table))
    assert_rule(table.findings, "6.4", inputs={"unit": "r1", "why": "in sight in the open"}, result="revealed")


# --- weapons --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.6/bogged-fire")
def test_7_6_a_bogged_tank_fires_its_bow_mg_into_its_hex_only_at_the_moment_of_entry():
    """7.6: a bogged tank fires its bow MG at a car only as it enters the tank's hex, not after it has stopped."""
    table = a_table({}, vehicles={"g1": (PZ4, "E8", 4), "r1": ("russian-ba-64b", "E8", 1)}, phase="movement",
                    armour={"g1": {"bogged": "bogged"}, "r1": {"ce": True}}, attacker=RUSSIAN)  # fmt: skip
    driving(table, "r1", ("E9", 0), ("E8", 6), came_from="E9")
    assert not objections(table, Attack(("g1bmg",), "E8"))
    stop(table, table.state.vehicles["r1"])
    assert_rule(objections(table, Attack(("g1bmg",), "E8")), "7.6/bogged-fire")


@pytest.mark.rule("3.6/interdiction")
@pytest.mark.parametrize(("second", "asked"), [({}, True), ({"pinned": True}, False), ({"cx": True}, False)])
def test_3_6_two_leaders_at_a_machine_gun_interdict_as_one_never_does(second, asked):
    """4.1: two SMC fire one MG at full FP; one SMC alone fires it at half FP and cannot interdict
    (3.6/interdiction)."""
    table = a_table({"gl": ("g 8-0", "E4"), "gm": ("g 8-0", "E4"), "r1": ("447", "E8")}, phase="rout",
                    weapons={"gw": ("german-lmg", "gl")}, states={"r1": SHAKEN, "gm": second},
                    dice={"3.6/interdiction": [1, 1]})  # fmt: skip
    rout(table, table.state.units["r1"], RoutOrder("r1", ("E9",)))
    found = [one for one in every(table.findings) if one.rule == "3.6/interdiction"]
    assert bool(found) is asked
    table.state.units["gm"].pinned = table.state.units["gm"].cx = False
    table.state.units["r1"].at = "E8"
    rout(table, table.state.units["r1"], RoutOrder("r1", ("E9",)))
    assert_rule(table.findings, "3.6/interdiction", inputs={"unit": "r1", "by": ["gl"]}, result="NMC")


@pytest.mark.rule("3.3.5")
def test_3_3_5_he_of_a_tank_in_motion_leaves_one_step_less_for_the_doubled_die():
    """152 mm HE on column 30 leaves Residual FP of 12, which CE, Motion fire +4 and No. 16 (as +1) lower to 1."""
    table = defending({}, at="E7", vehicles={"g2": ("russian-kv-2", "E4", 4)},
                      armour={"g2": {"ce": True, "motion": True}},
                      dice={"3.2.4": [1, 1], "3.2.4/effects": [6, 6]})  # fmt: skip
    fire(table, Attack(("g2ma",), "E7"))
    assert drms(assert_rule(table.findings, "3.2.4", inputs={"weapon": "g2ma"}, result="hit"))["Motion fire"] == 4
    assert_rule(table.findings, "3.3.5", inputs={"at": "E7", "column": 30}, result=1)
