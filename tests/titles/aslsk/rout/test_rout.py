"""3.6 Rout: the worked examples, Interdiction and elimination."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import GERMAN, a_table
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.invariants import broken_invariants
from pbem.titles.aslsk.orders import RoutOrder
from pbem.titles.aslsk.rout.decision import Rout
from pbem.titles.aslsk.rout.interdiction import must_rout
from pbem.titles.aslsk.rout.paths import Search, path_objections
from pbem.titles.aslsk.rout.phase import rout, rout_end

SHAKEN = {"broken": True, "dm": True}
ENEMIES = {"g1": ("467", "O6"), "g2": ("467", "M6"), "g3": ("467", "L7")}


def a_rout(at, **more):
    return a_table(
        ENEMIES | {"r1": ("447", at)},
        ground=a_ground({"woods": "M9 N9 O8 N10 O10"}),
        phase="rout",
        states={"r1": SHAKEN},
        **more,
    )


def search(table):
    return Search(table.situation, table.state.units["r1"])


def test_3_6_a_unit_in_woods_may_stay_or_go_on_as_in_the_example():
    """rout-1: from M9 the unit can never go to L8 or M8; N9 may be ignored because it is no farther from O6."""
    table = a_rout("M9")
    assert not must_rout(table.situation, table.state.units["r1"])
    found = search(table)
    assert {"N9", "N10", "O10"} <= set(found.ways) and not {"L8", "M8"} & set(found.ways)


def test_3_6_a_unit_in_the_open_must_rout_as_in_the_example():
    """rout-2: from N7 the unit goes to O8, or by N8 to N9 or M9, either by Low Crawl or under Interdiction."""
    table = a_rout("N7")
    assert must_rout(table.situation, table.state.units["r1"])
    found = search(table)
    assert {"O8", "N9", "M9"} <= set(found.ways) and "N8" in found.crawl_steps


@pytest.mark.rule("3.6/rout-restrictions", "3.6/low-crawl")
def test_3_6_a_unit_between_two_enemies_may_leave_only_one_way_as_in_the_example():
    """rout-3: from N6 the unit can leave only by N7."""
    table = a_rout("N6")
    found = search(table)
    assert all(way.path[1] == "N7" for way in found.ways.values())
    assert_rule(list(path_objections(found, ("N5",), crawl=False)), "3.6/rout-restrictions")
    assert_rule(list(path_objections(found, ("N5",), crawl=True)), "3.6/low-crawl")


@pytest.mark.rule("3.6/rout-movement", "3.6/interdiction")
def test_3_6_interdiction_in_the_open_costs_a_casualty():
    table = a_rout("N7", dice={"3.6/interdiction": [5, 6]})
    rout(table, table.state.units["r1"], RoutOrder("r1", ("N8", "N9")))
    assert_rule(table.findings, "3.6/interdiction", inputs={"unit": "r1", "at": "N8"}, result="NMC")
    assert_rule(table.findings, "3.6/interdiction", inputs={"unit": "r1"}, result="failed")
    assert_rule(table.findings, "3.6/rout-movement", inputs={"to": "N9"}, result="N9")
    assert table.situation.name(table.state.units["r1"]) == "2-3-7" and table.state.units["r1"].at == "N9"


@pytest.mark.rule("3.6/low-crawl")
def test_3_6_low_crawl_is_never_interdicted():
    table = a_rout("N7")
    rout(table, table.state.units["r1"], RoutOrder("r1", ("N8",), crawl=True))
    assert_rule(table.findings, "3.6/low-crawl", result="N8")
    assert not [found for found in table.findings if found.rule == "3.6/interdiction"]


@pytest.mark.rule("3.6/must-rout")
def test_3_6_a_unit_left_beside_an_enemy_is_eliminated():
    table = a_table(
        {"g1": ("467", "K6"), "r1": ("447", "K5")},
        phase="rout",
        states={"r1": {**SHAKEN, "routed": True, "acted": True}},
    )
    assert next(rout_end(table), None) is None
    assert_rule(table.findings, "3.6/must-rout", inputs={"unit": "r1"}, result="eliminated")


@pytest.mark.rule("3.6/rout-portage")
def test_3_6_a_routing_squad_keeps_three_pp_and_drops_the_rest():
    table = a_table(
        {"r1": ("447", "K5")},
        weapons={"rw1": ("russian-mmg", "r1"), "rw2": ("russian-lmg", "r1")},
        phase="rout",
        states={"r1": SHAKEN},
    )
    rout(table, table.state.units["r1"], RoutOrder("r1", ("K6",)))
    assert_rule(table.findings, "3.6/rout-portage", inputs={"weapon": "rw1", "at": "K5"}, result="dropped")
    assert table.state.weapons["rw2"].holder == "r1"


@pytest.mark.rule("3.6/leader-rout")
def test_3_6_a_leader_who_goes_along_shares_the_fate_of_a_unit_that_fails():
    table = a_table(
        ENEMIES | {"r1": ("447", "N7"), "rl": ("r 7-0", "N7")},
        ground=a_ground({"woods": "N9"}),
        phase="rout",
        states={"r1": SHAKEN},
        dice={"3.6/interdiction": [5, 6]},
    )
    rout(table, table.state.units["r1"], RoutOrder("r1", ("N8", "N9"), leader="rl"))
    assert_rule(table.findings, "3.6/leader-rout", inputs={"unit": "rl"}, result="eliminated")


# --- 3.8/melee broken units of both sides in one hex ----------------------------------------------------------------


def released(phase="rout", **more):
    """Put broken units of both sides in one hex, after fire has ended their Melee."""
    return a_table(
        {"g1": ("467", "E8"), "r1": ("447", "E8")}, phase=phase, states={"g1": SHAKEN, "r1": SHAKEN}, **more
    )


@pytest.mark.rule("3.6/must-rout")
def test_3_8_broken_units_of_both_sides_may_not_stay_together():
    """3.8/melee: the broken units must rout; once the ATTACKER's unit has left, the DEFENDER's unit may stay."""
    table = released(ground=a_ground({"woods": "E8 E9"}))
    units = table.state.units
    assert must_rout(table.situation, units["g1"]) == must_rout(table.situation, units["r1"]) != ""
    assert "broken enemies share its hex" in must_rout(table.situation, units["g1"])
    decision = Rout(table.data, table.state, Rout.make_ask(GERMAN, subject="g1"))
    assert_rule(list(decision.objections(None)), "3.6/must-rout")
    rout(table, units["g1"], RoutOrder("g1", ("E9",)))
    assert units["g1"].at == "E9" and must_rout(table.situation, units["r1"]) == ""


def test_3_8_units_held_in_melee_need_not_rout():
    table = released()
    table.state.units["r1"].broken = table.state.units["r1"].dm = False
    table.state.melee = ["E8"]
    assert must_rout(table.situation, table.state.units["g1"]) == ""


def test_3_8_both_sides_share_a_hex_outside_melee_only_broken_or_rallied():
    """3.8/melee, 3.1: after a close combat that leaves only broken units, either side may rally there.

    A unit that was never broken, or that routs into the hex, may not be there.
    """
    flaw = "3.8/melee both sides are in E8 outside Melee"
    for phase in ("rally", "prep", "movement", "defensive", "advancing"):
        table = released(phase)
        unit = table.state.units["g1"]
        assert flaw not in broken_invariants(table.situation)
        unit.broken = unit.dm = False
        assert flaw in broken_invariants(table.situation)
        unit.acted = True
        assert flaw not in broken_invariants(table.situation)
        unit.busy = True
        assert flaw in broken_invariants(table.situation)
        table.state.melee = ["E8"]
        assert flaw not in broken_invariants(table.situation)
    table = released("rout")
    assert flaw not in broken_invariants(table.situation)
    table.state.units["g1"].routed = True
    assert flaw in broken_invariants(table.situation)
    table.state.phase = "advance"
    assert flaw not in broken_invariants(table.situation)


@pytest.mark.rule("3.6/rout-restrictions")
def test_6_4_a_unit_that_met_a_hidden_gun_still_remembers_the_enemies_it_has_left_behind():
    """3.6: a routing unit may not move towards an enemy "after having left its LOS during this RtPh".

    The woods of E5 hide E6 from g1; the way back to E5 is nearer to g1, and E5 is where the rout began.
    """
    table = a_table(
        {"g1": ("467", "E2"), "g2": ("228", "E7"), "r1": ("447", "E5")},
        ground=a_ground({"woods": "E5"}),
        phase="rout",
        weapons={"gw": ("german-50l-at", "g2")},
        facings={"gw": 1},
        states={"r1": SHAKEN, "g2": {"hidden": True}},
    )
    rout(table, table.state.units["r1"], RoutOrder("r1", ("E6", "E7")))
    assert table.state.units["r1"].at == "E6" and not table.state.units["g2"].hidden
    found = search(table)
    assert "E5" not in found.ways and {"F5", "D5"} <= set(found.ways)
    assert_rule(list(path_objections(found, ("E5",), crawl=False)), "3.6/rout-restrictions")


@pytest.mark.rule("3.6/low-crawl")
def test_3_6_a_wounded_leader_cannot_crawl_into_a_hex_that_costs_more_than_his_three_mf():
    """Low Crawl is one legal step, whose cost fits the MF: uphill into woods is 4 MF."""
    table = a_table(
        {"g1": ("467", "E11"), "r1": ("r 8-0", "E8")},
        ground=a_ground({"woods": "E7"}, hills=["E7"]),
        phase="rout",
        states={"r1": SHAKEN | {"wounded": True}},
    )
    found = search(table)
    assert "E7" not in found.crawl_steps and "D7" in found.crawl_steps
    assert_rule(list(path_objections(found, ("E7",), crawl=True)), "3.6/low-crawl")
