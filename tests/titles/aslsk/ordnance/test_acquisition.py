"""6.10, 6.11 Acquired targets: when the marker follows the target, and when it is lost."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import step_in
from pbem.titles.aslsk.movement.expenditures import expend
from pbem.titles.aslsk.orders import Leg, Orders, RoutOrder
from pbem.titles.aslsk.ordnance.acquisition import follow, level_of
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.state import Unit


def a_gun(targets, ground=None, at="K3", facing=4, **more):
    """Build a German 75 mm Gun in K3 that faces south."""
    units = {"g1": ("228", at), **targets}
    return a_table(
        units,
        ground=a_ground(ground or {}),
        weapons={"gw": ("german-75l-at", "g1"), **more.pop("arms", {})},
        facings={"gw": facing},
        **more,
    )


def level(table, at, **more):
    return level_of(table.situation, table.state.weapons["gw"], Attack(("gw",), at, **more))


def marked(table, at, *quarry, number=1, zone=False):
    weapon = table.state.weapons["gw"]
    weapon.acquired, weapon.acquisition, weapon.quarry, weapon.zone = at, number, list(quarry), zone
    return weapon


@pytest.mark.rule("6.10", "def/acquired-target")
def test_6_10_in_first_fire_the_mover_carries_the_marker_along_while_it_is_in_sight():
    table = a_gun({"r1": ("447", "K7")}, phase="movement", attacker="russian", dice={"3.2.4": [6, 5]})
    moving_in(table, ["r1"])
    fire(table, Attack(("gw",), "K7"))
    assert_rule(table.findings, "6.10", inputs={"at": "K7"}, result=-1)
    assert (level(table, "K7"), level(table, "K6")) == (1, 0)
    expend(table, [table.state.units["r1"]], Leg("enter", "K6"))
    assert_rule(table.findings, "6.10", inputs={"at": "K6", "follows": ["r1"]}, result=-1)
    assert_rule(table.findings, "def/acquired-target", inputs={"weapon": "gw"}, result=["r1"])
    assert (level(table, "K7"), level(table, "K6")) == (0, 1)


@pytest.mark.rule("def/acquired-target", effect=True)
def test_6_10_out_of_sight_the_last_hex_stays_acquired_and_the_next_enemy_to_enter_it_becomes_the_target():
    table = a_gun(
        {"r1": ("447", "K7"), "r2": ("447", "J8")},
        {"stone": "K8"},
        phase="movement",
        attacker="russian",
    )
    marked(table, "K7", "r1")
    moving_in(table, ["r1"])
    table.state.units["r1"].at = "K9"
    follow(table, [table.state.units["r1"]], "K7")
    weapon = table.state.weapons["gw"]
    assert (weapon.acquired, weapon.quarry, level(table, "K7")) == ("K7", [], 1)
    moving_in(table, ["r2"])
    expend(table, [table.state.units["r2"]], Leg("enter", "K7"))
    assert weapon.quarry == ["r2"]


def test_6_10_of_a_stack_that_splits_those_who_stay_keep_the_marker():
    table = a_gun({"r1": ("447", "K7"), "r2": ("447", "K7")}, phase="movement", attacker="russian")
    marked(table, "K7", "r1", "r2", number=2)
    table.state.units["r1"].at = "K6"
    follow(table, [table.state.units["r1"]], "K7")
    assert (level(table, "K7"), level(table, "K6")) == (2, 0)


@pytest.mark.rule("6.11", "def/att")
def test_6_11_area_acquisition_stays_on_its_hex_and_is_exchanged_at_the_same_level():
    table = a_gun({"r1": ("447", "K7")}, dice={"3.2.4": [6, 5, 6, 5]})
    fire(table, Attack(("gw",), "K7", how="area"))
    assert_rule(table.findings, "6.11", inputs={"at": "K7"}, result=-1)
    assert_rule(table.findings, "def/att", inputs={"weapon": "gw"}, result="area")
    table.state.units["r1"].at = "K6"
    follow(table, [table.state.units["r1"]], "K7")
    assert (level(table, "K7"), level(table, "K6")) == (1, 0)
    weapon = table.state.weapons["gw"]
    weapon.fired, weapon.area, weapon.swept = "", False, False
    table.state.units["r1"].at = "K7"
    fire(table, Attack(("gw",), "K7"))
    assert (weapon.acquisition, weapon.zone, weapon.quarry) == (2, False, ["r1"])


def test_6_10_another_vehicle_in_the_hex_is_another_target_and_infantry_in_it_is_not():
    table = a_gun(
        {"r1": ("447", "K7")}, vehicles={"r8": ("russian-t34-85", "K7", 4), "r9": ("russian-t34-85", "K7", 4)}
    )
    marked(table, "K7", "r8")
    assert level(table, "K7", target="r8") == 1
    assert level(table, "K7", target="r9") == 0
    assert level(table, "K7") == 1


def test_6_10_the_owner_may_place_no_marker_and_then_keeps_none_on_another_target():
    table = a_gun({"r1": ("447", "K7"), "r2": ("447", "K6")}, dice={"3.2.4": [6, 5, 6, 5]})
    fire(table, Attack(("gw",), "K7", unmarked=True))
    assert not table.state.weapons["gw"].acquisition
    marked(table, "K7", "r1", number=2)
    table.state.weapons["gw"].fired = ""
    fire(table, Attack(("gw",), "K6", unmarked=True))
    assert not table.state.weapons["gw"].acquisition


def test_6_10_a_cmg_that_fires_at_another_hex_loses_what_the_main_armament_has_acquired():
    table = a_table(
        {"r1": ("447", "K6"), "r2": ("447", "K7")},
        vehicles={"g1": ("german-pz4h", "K3", 4)},
        dice={"3.2.2": [6, 5, 6, 5]},
    )
    weapon = table.state.weapons["g1ma"]
    weapon.acquired, weapon.acquisition, weapon.quarry = "K6", 2, ["r1"]
    fire(table, Attack(("g1cmg",), "K6"))
    assert weapon.acquisition == 2
    table.state.weapons["g1cmg"].fired = ""
    fire(table, Attack(("g1cmg",), "K7"))
    assert not weapon.acquisition


@pytest.mark.rule("3.6/interdiction", "def/interdiction")
def test_6_10_an_interdicting_crew_loses_its_target_unless_another_unit_can_interdict_or_its_owner_declines():
    def routed(*spared, helper=False):
        table = a_gun(
            {"r1": ("447", "K6"), **({"g2": ("467", "J4")} if helper else {})},
            {"woods": "K9"},
            phase="rout",
            attacker="russian",
            states={"r1": {"broken": True, "dm": True}},
            dice={"3.6/interdiction": [1, 1, 1, 1, 1, 1]},
        )
        marked(table, "K8", number=2)
        table.state.sealed = {"german": Orders(spared=spared)}
        rout(table, table.state.units["r1"], RoutOrder("r1", ("K7", "K8", "K9")))
        return table

    alone = routed()
    told = assert_rule(alone.findings, "3.6/interdiction", inputs={"unit": "r1", "at": "K7", "by": ["g1"]})
    assert_rule(told, "def/interdiction", inputs={"unit": "r1"})
    assert not alone.state.weapons["gw"].acquisition
    helped = routed(helper=True)
    assert_rule(helped.findings, "3.6/interdiction", inputs={"by": ["g2"]})
    assert helped.state.weapons["gw"].acquisition == 2
    declined = routed("gw")
    assert not any(finding.rule == "3.6/interdiction" for finding in declined.findings)
    assert declined.state.weapons["gw"].acquisition == 2


def test_6_10_a_light_mortar_loses_its_target_when_its_unit_advances():
    table = a_table(
        {"g1": ("467", "K3"), "r1": ("447", "K9")}, weapons={"gw": ("german-mortar", "g1")}, phase="advance"
    )
    marked(table, "K9", zone=True)
    unit = table.state.units["g1"]
    assert isinstance(unit, Unit) and component(table.situation, "gw") is not None
    step_in(table, "german", [unit], "K4", occupied=False)
    assert not table.state.weapons["gw"].acquisition
