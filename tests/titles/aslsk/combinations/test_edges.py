"""Limits of rules, each with a case just inside and a case just outside."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, moving_in

from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.phases import aim
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.eligibility import mover_objections
from pbem.titles.aslsk.orders import FireOrder
from pbem.titles.aslsk.vehicles.crews import pin_check
from pbem.titles.aslsk.vehicles.reactions import try_motion

T34, PZ4 = "russian-t34-85", "german-pz4h"


def objections(table, attack, seat="german"):
    return list(attack_objections(table.situation, seat, attack))


@pytest.mark.rule("3.2.3/ptc")
def test_3_2_3_a_shaken_crew_takes_its_pin_check_with_1_more():
    for shaken, result in ((False, "passed"), (True, "pinned")):
        table = a_table(
            {},
            vehicles={"g1": (PZ4, "K9", 1)},
            armour={"g1": {"ce": True, "shaken": shaken}},
            dice={"3.2.3/ptc": [4, 4]},
        )
        pin_check(table, table.state.vehicles["g1"])
        assert_rule(table.findings, "3.2.3/ptc", inputs={"unit": "g1"}, result=result)
        assert table.state.vehicles["g1"].ce is not shaken


@pytest.mark.rule("3.2")
def test_3_2_a_list_fires_at_the_first_of_its_hexes_that_holds_an_enemy():
    table = a_table({"g1": ("467", "K5"), "r1": ("447", "K8")})
    attack, against = aim(table.situation, "german", FireOrder(("g1",), ("K7", "K8")))
    assert attack is not None and attack.at == "K8" and not against
    attack, against = aim(table.situation, "german", FireOrder(("g1",), ("K7", "K6")))
    assert attack is None
    assert_rule(against, "3.2", why="no enemy is in K7 or K6")


@pytest.mark.rule("3.2.4/att", "3.2.4/procedure")
def test_3_2_4_a_vehicle_in_motion_never_fires_at_an_area_and_a_standing_one_may():
    for motion in (False, True):
        table = a_table(
            {"r1": ("447", "K6")},
            vehicles={"g1": (PZ4, "K9", 1)},
            armour={"g1": {"motion": motion}},
            phase="defensive",
            attacker="russian",
            dice={"3.2.4": [6, 5]},
        )
        found = objections(table, Attack(("g1ma",), "K6", how="area"))
        if motion:
            assert_rule(found, "3.2.4/att")
        else:
            assert not found
            fire(table, Attack(("g1ma",), "K6", how="area"))
            assert_rule(table.findings, "3.2.4/procedure", inputs={"weapon": "g1ma"})


@pytest.mark.rule("6.2/smoke")
def test_6_2_the_first_smoke_of_a_phase_is_allowed_and_another_smoke_after_it():
    table = a_table(
        {"g1": ("467", "D8"), "g2": ("467", "D8"), "r1": ("447", "D12")},
        weapons={"gw": ("british-mortar", "g1"), "gx": ("british-mortar", "g2")},
        dice={"3.2.4": [1, 2]},
    )
    assert not objections(table, Attack(("gw",), "D11", how="smoke"))
    fire(table, Attack(("gw",), "D11", how="smoke"))
    assert_rule(table.findings, "6.2/smoke", inputs={"at": "D11"}, result="full")
    assert not objections(table, Attack(("gx",), "D11", how="smoke"))


@pytest.mark.rule("3.8/melee", "3.3.1/declaration")
def test_3_8_a_unit_in_melee_does_not_move_and_nothing_else_holds_it():
    table = a_table({"g1": ("467", "K5"), "r1": ("447", "K5"), "g2": ("467", "K9")}, phase="movement")
    table.state.melee = ["K5"]
    found = list(mover_objections(table.situation, table.state.units["g1"]))
    assert_rule(found, "3.8/melee", why="g1 is in Melee")
    assert len(found) == 1
    assert not list(mover_objections(table.situation, table.state.units["g2"]))
    table.state.units["g2"].moved = True
    assert_rule(list(mover_objections(table.situation, table.state.units["g2"])), "3.3.1/declaration")


@pytest.mark.rule("3.3.2/mechanical-reliability", "3.3.2.1")
def test_3_3_2_a_motion_attempt_fails_if_the_engine_breaks_down():
    for dice, motion in (([6, 6], False), ([1, 1], True)):
        table = a_table(
            {"g1": ("467", "K6")},
            vehicles={"r1": ("russian-kv-2", "K9", 1)},
            phase="movement",
            dice={"3.3.2.1": [1], "3.3.2/mechanical-reliability": dice},
        )
        moving_in(table, ["g1"], trail=[("K6", 8)])
        try_motion(table, table.state.vehicles["r1"])
        assert_rule(table.findings, "3.3.2.1", inputs={"vehicle": "r1"})
        assert_rule(table.findings, "3.3.2/mechanical-reliability", inputs={"vehicle": "r1"})
        assert table.state.vehicles["r1"].motion is motion
