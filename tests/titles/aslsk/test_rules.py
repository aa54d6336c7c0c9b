"""Rules that show in a modifier, an objection or the end of a phase."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, carried, enter, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.decision import CloseCombat
from pbem.titles.aslsk.close_combat.phase import close_combat_end
from pbem.titles.aslsk.fire.attack import fire
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.phases import prep_fire_phase
from pbem.titles.aslsk.fire.shooting import fire as shoot
from pbem.titles.aslsk.movement.phase import expenditure, start_mover
from pbem.titles.aslsk.orders import Attempt, CombatOrder, MoveOrder, Orders, RallyOrders, RoutOrder
from pbem.titles.aslsk.player.checks import section_objections
from pbem.titles.aslsk.player.placing import Placement, SetUp
from pbem.titles.aslsk.rout.decision import Rout
from pbem.titles.aslsk.rout.phase import rout_next
from pbem.titles.aslsk.sequence import turn_end
from pbem.titles.aslsk.state import Weapon


def objections(table, attack, seat="german"):
    return list(attack_objections(table.situation, seat, attack))


def finish(step):
    for _ in step:
        raise AssertionError("nothing is asked")


@pytest.mark.rule("1.2.1", "3.2.3")
def test_1_2_1_a_leader_has_no_firepower_and_a_shot_needs_one_fp():
    table = a_table(
        {"gl": ("g 8-1", "K5"), "g1": ("447g", "K5"), "r1": ("447", "K8"), "r2": ("447", "K13")},
        phase="advancing",
        states={"g1": {"pinned": True}},
    )
    assert_rule(objections(table, Attack(("gl",), "K8")), "1.2.1")
    table.state.units["r1"].at = "K12"
    assert_rule(objections(table, Attack(("g1",), "K12")), "3.2.3", why="an attack needs at least 1 FP")


@pytest.mark.rule("1.1.1.10/height-advantage", "3.3.1/cx")
def test_1_1_1_10_fire_from_below_at_a_hill_and_by_tired_men():
    """hill-1: the unit on the hill has +1; a CX firer adds 1."""
    table = a_table(
        {"g1": ("467", "E9"), "r1": ("666", "I7")},
        ground=a_ground({"grain": "F8"}, hills=["I7", "I6", "G7"]),
        states={"g1": {"cx": True}},
        dice={"3.2.2": [5, 6]},
    )
    fire(table, Attack(("g1",), "I7"))
    assert_rule(carried(table.findings), "1.1.1.10/height-advantage", result=1)
    assert_rule(carried(table.findings), "3.3.1/cx", result=1)


@pytest.mark.rule("1.1.1.10/height-advantage", effect=True)
def test_1_1_1_10_a_unit_that_has_just_climbed_the_hexside_has_no_height_advantage():
    table = a_table(
        {"g1": ("467", "I9"), "r1": ("666", "I7")},
        ground=a_ground({}, hills=["I7"]),
        phase="movement",
        attacker="russian",
        dice={"3.2.2": [5, 6]},
    )
    moving_in(table, ["r1"], climbed=True, came_from="I8")
    fire(table, Attack(("g1",), "I7"))
    assert sorted(row["text"] for row in table.findings[-1].modifiers) == ["FFMO", "FFNAM"]


@pytest.mark.rule("1.1.1.4", "1.1.1.2")
def test_1_1_1_woods_and_buildings_give_their_tem():
    for terrain, rule, tem in (("woods", "1.1.1.4", 1), ("stone", "1.1.1.2", 3), ("wooden", "1.1.1.2", 2)):
        table = a_table(
            {"g1": ("467", "E5"), "r1": ("447", "E6")}, ground=a_ground({terrain: "E6"}), dice={"3.2.2": [6, 5]}
        )
        fire(table, Attack(("g1",), "E6"))
        assert_rule(carried(table.findings), rule, result=tem)


@pytest.mark.rule("4.0/weapon-destruction")
def test_4_0_the_weapons_of_a_unit_in_a_kia_cell_may_be_lost():
    table = a_table(
        {"g1": ("467", "E5"), "g2": ("467", "E5"), "r1": ("447", "E6")},
        weapons={"rw": ("russian-lmg", "r1"), "rx": ("russian-lmg", "r1")},
        dice={"3.2.2": [1, 1], "4.0/weapon-destruction": [1, 6]},
    )
    fire(table, Attack(("g1", "g2"), "E6"))
    assert_rule(table.findings, "4.0/weapon-destruction", inputs={"weapon": "rw"}, result="removed")
    assert table.state.weapons["rx"].at == "E6"


@pytest.mark.rule("11/stack-losses")
def test_11_a_unit_that_is_hurt_stays_behind_and_its_owner_is_told():
    table = a_table(
        {"g1": ("467", "K5"), "g2": ("467", "K5"), "r1": ("447", "N5")},
        phase="movement",
        dice={"3.2.2": [3, 1], "3.2.3/mc": [6, 5, 1, 1], "3.2.3/nmc": [6, 5, 1, 1]},
    )
    order = MoveOrder(("g1", "g2"), enter("L5", "L6"))
    table.state.sealed = {"german": Orders(moves=(order,))}
    assert start_mover(table, order, 0)
    step = expenditure(table)
    next(step)
    with pytest.raises(StopIteration):
        step.send((Attack(("r1",), "L5"), None))
        step.send(None)
    assert_rule(table.findings, "11/stack-losses", inputs={"why": ["g1 broke on the way"]})
    assert table.state.mover.units == ["g2"]


@pytest.mark.rule("3.8/end-of-phase", "3.9", "3.0")
def test_3_8_3_9_pins_end_with_the_phase_and_the_match_with_its_last_turn():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "N9")},
        phase="close_combat",
        attacker="russian",
        states={"g1": {"pinned": True}},
    )
    finish(close_combat_end(table))
    assert_rule(table.findings, "3.8/end-of-phase", inputs={"units": ["g1"]})
    table.state.turn = 3
    finish(turn_end(table))
    assert_rule(table.findings, "3.9", result="russian")
    assert table.state.outcome is not None
    finish(prep_fire_phase(table))
    assert_rule(table.findings, "3.0", inputs={"phase": "prep"})


@pytest.mark.rule("3.6/may-rout", "3.6", "3.6/must-rout")
def test_3_6_who_may_stay_and_who_must_go():
    table = a_table(
        {"g1": ("467", "K6"), "r1": ("447", "K7"), "r2": ("447", "A1")},
        ground=a_ground({"woods": "A1 K9"}),
        phase="rout",
        states={"r1": {"broken": True, "dm": True}, "r2": {"broken": True, "dm": True}},
    )
    forced = Rout(table.situation.data, table.state, Rout.make_ask("russian", subject="r1"))
    assert_rule(list(forced.objections(None)), "3.6/must-rout")
    assert_rule(list(forced.objections(RoutOrder("r2", ("A2",)))), "3.6", why="you were asked about r1, not r2")
    table.state.units["r1"].broken = table.state.units["r1"].dm = False
    step = rout_next(table, "russian")
    next(step)
    with pytest.raises(StopIteration):
        step.send(None)
    assert_rule(table.findings, "3.6/may-rout", inputs={"unit": "r2"}, result="stays")


@pytest.mark.rule("3.8", "3.1", "4.0")
def test_orders_about_what_is_not_there_are_refused():
    table = a_table({"g1": ("467", "K5"), "r1": ("447", "K5")}, phase="close_combat")
    fight = CloseCombat(table.situation.data, table.state, CloseCombat.make_ask("german", subject="K5"))
    assert_rule(list(fight.objections(CombatOrder("K6"))), "3.8")
    orders = Orders(rally=RallyOrders(no_rally=("r1",), recover=(Attempt("g1", "zz1"),)))
    found = list(section_objections(table.situation, "german", "orders", orders))
    assert_rule(found, "3.1", why="you have no unit r1")
    assert_rule(found, "4.0", why="no weapon zz1 is in play")


@pytest.mark.rule("1.3", "4.0/portage", "3.3.1/stacking")
def test_1_3_a_set_up_is_complete_in_its_area_and_within_its_limits():
    table = a_table({f"g{n}": ("467", "") for n in range(1, 5)} | {"gl": ("g 8-0", "")}, phase="setup")
    asked = SetUp(table.situation.data, table.state, SetUp.make_ask("german"))
    crowded = Placement({f"g{n}": "K5" for n in range(1, 5)})
    found = list(asked.objections(asked.canonical(crowded)))
    assert_rule(found, "3.3.1/stacking", why="there is no room for g4 in K5")
    assert_rule(found, "1.3", why="gl has not been given a hex")
    table.state.weapons["gw"] = Weapon(id="gw", card="german-hmg", holder="")
    heavy = Placement({**{f"g{n}": f"K{n}" for n in range(1, 5)}, "gl": "K1"}, {"gw": "gl"})
    loose = SetUp(table.situation.data, table.state, SetUp.make_ask("german"))
    loose.__dict__["arms"] = [table.state.weapons["gw"]]
    assert_rule(list(loose.objections(heavy)), "4.0/portage")


@pytest.mark.rule("5.5")
def test_5_5_a_captured_mortar_hits_less():
    table = a_table(
        {"r1": ("447", "K5"), "g1": ("467", "K9")},
        weapons={"gw": ("german-mortar", "r1")},
        attacker="russian",
        dice={"3.2.4": [6, 6]},
    )
    shoot(table, Attack(("gw",), "K9"))
    assert_rule(carried(table.findings), "5.5", result=2)


def test_by_mail_the_attacker_may_rewrite_the_rest_of_a_move_while_the_defender_decides():
    table = a_table({"g1": ("467", "K5"), "r1": ("447", "T9")}, phase="movement")
    order = MoveOrder(("g1",), enter("L5", "M5"))
    table.state.sealed = {"german": Orders(moves=(order,))}
    assert start_mover(table, order, 0)
    step = expenditure(table)
    asks = next(step).asks
    assert [(ask.seat, ask.kind, ask.grade) for ask in asks] == [
        ("russian", "window", "reaction"),
        ("german", "go_on", "reaction"),
    ]
    with pytest.raises(StopIteration):
        step.send((None, Orders(moves=(MoveOrder(("g1",), enter("L6")),))))
    step = expenditure(table)
    next(step)
    assert table.state.units["g1"].at == "L6"
