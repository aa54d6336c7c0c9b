"""Situations about leaders, loads and second fire; each case states its answer and the rules that give it."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, carried, driving, moving_in
from titles.aslsk.combinations.test_lawyer import defending, objections, played
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.vehicles import close_defence
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.effects import Aimed, strike
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.phase import amend_on_the_way, expenditure, start_mover
from pbem.titles.aslsk.movement.waves import GoOn
from pbem.titles.aslsk.orders import Leg, MoveOrder, Orders, RoutOrder
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.vehicles.reactions import react, try_motion

T34, PZ4, PZ2, KV1 = "russian-t34-85", "german-pz4h", "german-pz2f", "russian-kv-1-m41"
SHAKEN = {"broken": True, "dm": True}


def rules_of(table):
    return [found.rule for found in every(table.findings)]


# --- leaders lost one after the other -------------------------------------------------------------------------------


@pytest.mark.rule("3.2.3/llmc", "3.2.3/lltc")
def test_3_2_3_a_leader_who_breaks_for_a_dead_one_is_missed_in_turn():
    """The 9-2 dies, so the 8-1 checks with +2, rolls 7 + 2 and breaks; the squad checks for both, +2 and then +1."""
    table = a_table({"gl": ("g 9-2", "E8"), "gm": ("g 8-1", "E8"), "g1": ("467", "E8")}, elr=5,
                    dice={"3.2.3/llmc": [3, 4, 2, 2], "3.2.3/lltc": [1, 2]})  # fmt: skip
    units = table.state.units
    strike(table, 2, 1, [Aimed(units["gl"], ())])
    assert_rule(table.findings, "3.2.3/llmc", inputs={"unit": "gm"}, result="failed")
    told = assert_rule(table.findings, "3.2.3/llmc", inputs={"unit": "g1"}, result="passed")
    assert [row["value"] for row in told.modifiers] == [2]
    told = assert_rule(table.findings, "3.2.3/lltc", inputs={"unit": "g1"}, result="passed")
    assert [row["value"] for row in told.modifiers] == [1]


# --- second fire of guns on the fire table --------------------------------------------------------------------------


@pytest.mark.rule("3.3.3/fpf")
def test_6_8_an_automatic_gun_marked_final_fire_fires_protectively_alone():
    """6.8: IFE may use FPF like an MG but joins no group: its 4 FP is halved and doubled.

    The crew checks with an 8 against morale 8.
    """
    table = defending({"g1": ("228", "E4")}, weapons={"gg": ("german-20l-aa", "g1")}, facings={"gg": 4},
                      states={"g1": {"fired": "final"}}, dice={"3.3.3/fpf": [2, 6]})  # fmt: skip
    table.state.weapons["gg"].fired = "final"
    assert not objections(table, Attack(("ggife",), "E5"))
    fire(table, Attack(("ggife",), "E5"))
    assert_rule(table.findings, "3.3.3/fpf", inputs={"firers": ["ggife"], "fp": "4"})
    assert_rule(table.findings, "3.3.3/fpf", inputs={"unit": "g1", "nmc": True}, result="pinned")


@pytest.mark.rule("3.3.3/sff", "3.3.3/fpf")
def test_7_8_the_cannon_of_a_light_tank_fires_a_second_time_once_and_then_only_beside_it():
    """7.8, 6.8: First Fire is followed by Subsequent First Fire (Final Fire marker), then only
    fire at adjacent hexes.
    """
    table = defending(
        {}, at="E7", spent=8, vehicles={"g2": (PZ2, "E4", 4)}, dice={"3.2.2": [6, 5], "3.3.3/sff": [6, 4]}
    )
    fire(table, Attack(("g2ife",), "E7"))
    assert table.state.weapons["g2ma"].fired == "first"
    fire(table, Attack(("g2ife",), "E7"))
    assert_rule(table.findings, "3.3.3/sff", inputs={"firers": ["g2ife"]})
    assert table.state.weapons["g2ma"].fired == "final"
    assert_rule(objections(table, Attack(("g2ife",), "E7")), "3.3.3/fpf")


# --- loads ----------------------------------------------------------------------------------------------------------


def walking(units, order, **more):
    """Start the move of a German stack by this order."""
    table = a_table(units, phase="movement", attacker=GERMAN, **more)
    table.state.sealed = {GERMAN: Orders(moves=(order,)), RUSSIAN: Orders()}
    assert start_mover(table, order, 0)
    return table


@pytest.mark.rule("3.3.1/declaration")
@pytest.mark.parametrize("names", [("gl", "g1"), ("g1", "gl")])
def test_4_0_a_leader_who_runs_lends_no_shoulder_in_whatever_order_they_are_named(names):
    """Double Time makes both CX: IPC 2 and 0. With 5 PP they have 4 + 2 + 2 - 3 = 5 MF (3.3.1/cx, 4.0/portage)."""
    order = MoveOrder(names, (Leg("enter", "E5"),), double=True)
    table = walking({"g1": ("467", "E4"), "gl": ("g 8-0", "E4")}, order, weapons={"gm": ("russian-mmg", "g1")})
    assert_rule(table.findings, "3.3.1/declaration", inputs={"double": True})
    assert table.state.units["g1"].going.allowance == 2 * 5


@pytest.mark.rule("4.0/drop-recover", "3.3.1")
def test_4_0_a_weapon_dropped_before_the_first_step_weighs_nothing():
    """4.0/drop-recover: the weapon counts as unpossessed from the start of the phase, so the unit has 4
    MF, not 4 - 2."""
    order = MoveOrder(("g1",), (Leg("drop", weapon="gm"), *(Leg("enter", hex) for hex in ("E5", "E6", "E7", "E8"))))
    table = walking({"g1": ("467", "E4")}, order, weapons={"gm": ("russian-mmg", "g1")})
    for _ in range(5):
        played(expenditure(table))
    assert_rule(table.findings, "4.0/drop-recover", inputs={"weapon": "gm"}, result="dropped")
    assert_rule(table.findings, "3.3.1", inputs={"units": ["g1"]}, result="E8")


@pytest.mark.rule("3.3.1/recovery", "3.3.1")
def test_4_0_a_weapon_picked_up_on_the_way_weighs_from_then_on():
    """Of its 4 MF the unit spends one on a step and one on the MMG of 5 PP; because of the 2 excess PP
    it has no more."""
    order = MoveOrder(("g1",), (Leg("enter", "E5"), Leg("recover", weapon="gm"), Leg("enter", "E6")))
    table = walking({"g1": ("467", "E4")}, order, weapons={"gm": ("russian-mmg", "")}, dice={"3.3.1/recovery": [2]})
    table.state.weapons["gm"].at = "E5"
    for _ in range(3):
        played(expenditure(table))
    assert_rule(table.findings, "3.3.1/recovery", inputs={"weapon": "gm"}, result="recovered")
    assert_rule(table.findings, "3.3.1", inputs={"units": ["g1"]}, result="E5")
    assert table.state.units["g1"].at == "E5" and table.state.units["g1"].going.allowance == 2 * 2


@pytest.mark.rule("3.6/rout-portage")
def test_3_6_a_leader_who_routs_along_carries_no_more_than_his_portage():
    """3.6/rout-portage: an SMC carries 1 PP, so an LMG of 2 PP stays behind, but an LMG of 1 PP goes along."""
    for card, dropped in (("american-lmg-2pp", True), ("german-lmg", False)):
        table = a_table({"g1": ("467", "E6"), "gl": ("g 8-0", "E6"), "r1": ("447", "E5")}, phase="rout",
                        states={"g1": SHAKEN}, weapons={"gm": (card, "gl")}, ground=a_ground({"woods": "E8"}),
                        dice={"3.6/interdiction": [1, 1, 1, 1]})  # fmt: skip
        rout(table, table.state.units["g1"], RoutOrder("g1", ("E7", "E8"), leader="gl"))
        assert (table.state.weapons["gm"].at == "E6") is dropped
        if dropped:
            assert_rule(table.findings, "3.6/rout-portage", inputs={"weapon": "gm", "unit": "gl"}, result="dropped")


# --- the rest of a move ---------------------------------------------------------------------------------------------


def on_the_way(spent):
    """Move a squad and its leader until each has spent this many of 6 MF, with the rest of their order to come."""
    order = MoveOrder(("g1", "gl"), tuple(Leg("enter", hex) for hex in ("E5", "E6", "E7", "E8", "E9", "E10")))
    table = walking({"g1": ("467", "E4"), "gl": ("g 8-0", "E4")}, order)
    for _ in range(spent):
        played(expenditure(table))
    return table


@pytest.mark.rule("3.3.1")
def test_3_3_1_a_squad_that_leaves_its_leader_on_the_way_has_only_its_own_mf():
    """3.3.1/mf-bonus: a leader's +2 applies only while the units are together; with 2 of 4 MF spent,
    the squad alone has 2 left."""
    table = on_the_way(2)
    alone = MoveOrder(("g1",), tuple(Leg("enter", f"E{row}") for row in range(7, 11)))
    amend_on_the_way(table, Orders(moves=(alone,)))
    for _ in range(3):
        played(expenditure(table))
    assert table.state.mover is None and table.state.units["g1"].at == "E8"
    assert_rule(table.findings, "3.3.1", inputs={"why": ["g1 has 0 MF left and needs 1 for E9"]})


@pytest.mark.rule("3.3.1/mf-bonus")
def test_3_3_1_a_squad_that_has_used_the_mf_of_its_leader_stays_with_him():
    """3.3.1/mf-bonus (A45): after 5 MF, with a basic allowance of 4, neither may continue without the other."""
    table = on_the_way(5)
    ask = GoOn.make_ask(GERMAN, subject="1.5")
    decision = GoOn(table.data, table.state, ask)
    for units in (("g1",), ("gl",)):
        alone = Orders(moves=(MoveOrder(units, (Leg("enter", "E10"),)),))
        assert_rule([*decision.objections(alone)], "3.3.1/mf-bonus")
    both = Orders(moves=(MoveOrder(("g1", "gl"), (Leg("enter", "E10"),)),))
    assert not [*decision.objections(both)]


@pytest.mark.rule("6.5")
def test_6_5_a_push_that_fails_spends_nothing_and_so_meets_no_residual_fp():
    """6.5: a failed attempt costs nothing; 3.3.5 attacks only units that spend MF there, but the
    window still opens.
    """
    order = MoveOrder(("g1",), (Leg("push", "E5", weapon="gg"),))
    table = walking({"g1": ("228", "E4"), "r1": ("447", "E9")}, order, weapons={"gg": ("german-75l-at", "g1")},
                    facings={"gg": 4}, dice={"6.5": [6, 6], "3.3.5": [1, 1]})  # fmt: skip
    table.state.residual["E4"] = 4
    asked = played(expenditure(table))
    assert_rule(table.findings, "6.5", inputs={"weapon": "gg"}, result="does not move")
    assert [ask.kind for ask in asked] == ["window", "go_on"]
    assert "3.3.5" not in rules_of(table)


# --- men against tanks ----------------------------------------------------------------------------------------------


@pytest.mark.rule("5.3", "3.3.4")
def test_3_3_4_a_leader_made_in_reaction_fire_carries_the_marker_of_his_unit():
    """3.3.4: the unmarked squad is marked First Fire, and so is the leader created by its Original 2."""
    table = a_table({"g1": ("467", "E8")}, vehicles={"r1": (T34, "E8", 1)}, phase="movement", attacker=RUSSIAN,
                    dice={"3.7/paatc": [1, 1], "3.8/vs-vehicle": [1, 1], "5.3": [1]})  # fmt: skip
    driving(table, "r1", ("E9", 0), ("E8", 2))
    react(table, Attack(("g1",), "E8", how="reaction", target="r1"))
    assert_rule(table.findings, "3.3.4", inputs={"units": ["g1"]}, result="destroyed")
    assert_rule(table.findings, "5.3", inputs={"unit": "g1"})
    leader = next(unit for unit in table.state.units.values() if unit.id != "g1")
    assert (table.state.units["g1"].fired, leader.fired) == ("first", "first")


@pytest.mark.rule("3.3.2.1", "3.3.2/mechanical-reliability")
def test_3_3_2_1_an_engine_that_fails_in_the_attempt_still_holds_its_enemies_in_melee():
    """3.3.2.1, 3.8/melee: the attempt fails, so the tank is not in Motion and still holds the squad in Melee."""
    table = a_table({"g1": ("467", "E8"), "g2": ("467", "E4")}, vehicles={"r1": (KV1, "E8", 1)}, phase="movement",
                    attacker=GERMAN, dice={"3.3.2.1": [1], "3.3.2/mechanical-reliability": [6, 6]})  # fmt: skip
    table.state.melee = ["E8"]
    moving_in(table, ["g2"], spent=4)
    table.state.units["g2"].going.trail = [("E4", 4)]
    try_motion(table, table.state.vehicles["r1"])
    assert_rule(table.findings, "3.3.2.1", inputs={"vehicle": "r1"}, result="in Motion")
    assert_rule(table.findings, "3.3.2/mechanical-reliability", result="breaks down")
    assert table.state.melee == ["E8"] and not table.state.vehicles["r1"].motion


@pytest.mark.rule("3.8/close-defence", "4.2")
def test_3_8_the_close_defence_weapon_finds_a_bearer_of_flame_easier():
    """16 FP with an Original 3 is a 1KIA; a target with a flamethrower has -1 in any attack (4.2), and
    a Final 2 is a 2KIA."""
    table = a_table({"r1": ("447", "E8"), "r2": ("447", "E8")}, vehicles={"g1": ("german-pz5g", "E8", 1)},
                    weapons={"rf": ("russian-ft", "r1")}, phase="close_combat", date="1944-08",
                    dice={"3.8/close-defence": [2, 1]})  # fmt: skip
    card = table.situation.vehicle_card(table.state.vehicles["g1"])
    assert card.smoke_device == "sN" and card.smoke_number >= 3
    close_defence(table, table.state.vehicles["g1"])
    assert_rule(table.findings, "3.8/close-defence", inputs={"vehicle": "g1"}, result={"r1": "2KIA", "r2": "1KIA"})
    assert_rule(carried(table.findings), "4.2", result=-1)
