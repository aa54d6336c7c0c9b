"""3.1 Rally: the worked examples and the order of the phase."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.orders import Attempt, Orders, RallyOrders
from pbem.titles.aslsk.rally.phase import rally_phase
from pbem.titles.aslsk.rally.promotion import promote
from pbem.titles.aslsk.rally.rally import rally_attempt

BROKEN = {"broken": True}
SHAKEN = {"broken": True, "dm": True}


def run(table):
    for _ in rally_phase(table):
        raise AssertionError("the Rally Phase asks nothing")


@pytest.mark.rule("3.1/e-self-rally")
def test_3_1_self_rally_in_a_building_as_in_the_example():
    """rally-1: with +1 for self-rally and -1 for the building, a 7 rallies a 5-2-7."""
    table = a_table(
        {"r1": ("527", "Q6")},
        ground=a_ground({"stone": "Q6"}),
        attacker="russian",
        states={"r1": BROKEN},
        dice={"3.1/e-self-rally": [3, 4]},
    )
    run(table)
    found = assert_rule(table.findings, "3.1/e-self-rally", inputs={"unit": "r1", "morale": 7}, result="rallied")
    assert sum(row["value"] for row in found.modifiers) == 0


@pytest.mark.rule("3.1/f-rally")
def test_3_1_a_leader_rallies_under_dm_as_in_the_example():
    """rally-2 and rally-3: a 6 fails under DM, but a 9 rallies without DM."""
    table = a_table(
        {"r1": ("527", "Q6"), "r2": ("447", "Q6"), "rl": ("r 8-1", "Q6")},
        ground=a_ground({"stone": "Q6"}),
        attacker="russian",
        states={"r1": SHAKEN, "r2": BROKEN},
        dice={"3.1/f-rally": [2, 4, 4, 5]},
    )
    units = table.state.units
    rally_attempt(table, units["r1"], units["rl"])
    rally_attempt(table, units["r2"], units["rl"])
    assert_rule(table.findings, "3.1/f-rally", inputs={"unit": "r1"}, result="still broken")
    assert_rule(table.findings, "3.1/f-rally", inputs={"unit": "r2"}, result="rallied")


@pytest.mark.rule("3.1/h-dm-removal")
def test_3_1_dm_stays_beside_an_enemy_and_may_be_kept_in_the_open():
    table = a_table(
        {"r1": ("447", "K5"), "r2": ("447", "K9"), "r3": ("447", "K1"), "g1": ("467", "K6")},
        ground=a_ground({"woods": "K1"}),
        attacker="german",
        states={"r1": SHAKEN, "r2": SHAKEN, "r3": SHAKEN},
    )
    table.state.sealed = {"russian": Orders(rally=RallyOrders(no_rally=("r1", "r2", "r3"), shed_dm=("r2",)))}
    run(table)
    assert_rule(table.findings, "3.1/h-dm-removal", inputs={"unit": "r1"}, result="kept: enemy adjacent")
    assert_rule(table.findings, "3.1/h-dm-removal", inputs={"unit": "r2"}, result="removed")
    assert_rule(table.findings, "3.1/h-dm-removal", inputs={"unit": "r3"}, result="removed")


def test_3_1_only_the_attacker_has_one_extra_self_rally():
    units = {f"r{n}": ("447", f"K{n}") for n in (1, 2)} | {f"g{n}": ("467", f"C{n}") for n in (1, 2)}
    table = a_table(units, attacker="german", states=dict.fromkeys(units, BROKEN), dice={})
    run(table)
    tried = [found.inputs["unit"] for found in table.findings if found.rule == "3.1/e-self-rally"]
    assert len(tried) == 1 and tried[0].startswith("g")


@pytest.mark.rule("3.1/b-recovery", "3.1/c-repair", "3.1/d-transfer")
def test_3_1_recovery_repair_and_transfer():
    table = a_table(
        {"g1": ("467", "K5"), "g2": ("467", "K5"), "g3": ("467", "K6"), "g4": ("467", "K6")},
        weapons={"gw1": ("german-lmg", ""), "gw2": ("german-mmg", "g2"), "gw3": ("german-lmg", "g3")},
        dice={"3.1/b-recovery": [5], "3.1/c-repair": [6]},
    )
    table.state.weapons["gw1"].at = "K5"
    table.state.weapons["gw2"].malfunctioned = True
    rally = RallyOrders(recover=(Attempt("g1", "gw1"),), transfer=(Attempt("g4", "gw3"), Attempt("g2", "gw1")))
    table.state.sealed = {"german": Orders(rally=rally)}
    run(table)
    assert_rule(table.findings, "3.1/b-recovery", inputs={"unit": "g1"}, result="recovered")
    assert_rule(table.findings, "3.1/c-repair", inputs={"weapon": "gw2"}, result="removed")
    assert_rule(table.findings, "3.1/d-transfer", inputs={"weapon": "gw3", "unit": "g4"}, result="transferred")
    assert table.state.weapons["gw1"].holder == "g1", "a unit that has acted takes no part in a transfer"


@pytest.mark.rule("5.3")
def test_5_3_a_soviet_squad_of_morale_7_gets_an_8_0_on_a_one():
    table = a_table({"r1": ("447", "K5")}, dice={"5.3": [1]})
    leader = promote(table, [table.state.units["r1"]])
    assert_rule(table.findings, "5.3", inputs={"unit": "r1"}, result="8-0")
    assert leader is not None and table.situation.name(leader) == "8-0" and leader.at == "K5"
