"""Both sides of each condition: movement, close combat, weapons, vehicles and set-up.

Each test has a case in which the condition holds, and one in which it does not.
"""

from __future__ import annotations

import msgspec
import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, carried, driving, enter, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.decision import CloseCombat
from pbem.titles.aslsk.fire.components import Attack, component, manner_of
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.modifiers import gunshield
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import hand_over, unit_objections
from pbem.titles.aslsk.movement.eligibility import mover_objections
from pbem.titles.aslsk.movement.expenditures import leg_objections
from pbem.titles.aslsk.orders import (
    Assault,
    Attempt,
    CombatOrder,
    FireOrder,
    Leg,
    MoveOrder,
    Orders,
    RoutOrder,
)
from pbem.titles.aslsk.ordnance.hidden import reveal_seen
from pbem.titles.aslsk.player.checks import section_objections
from pbem.titles.aslsk.player.exchanges import TurnOrders
from pbem.titles.aslsk.player.placing import Placement, SetUp, place_units
from pbem.titles.aslsk.rout.decision import Rout
from pbem.titles.aslsk.rout.phase import tell_other_way
from pbem.titles.aslsk.sheets.unit_sheets import unit_sheet
from pbem.titles.aslsk.state import Charge
from pbem.titles.aslsk.vehicles.driving import vehicle_objections
from pbem.titles.aslsk.vehicles.reactions import reaction_objections
from pbem.titles.aslsk.vehicles.steps import step_objections, stop
from pbem.titles.aslsk.view import view_of
from pbem.titles.aslsk.weapons.charges import detonate_all

T34, PZ4 = "russian-t34-85", "german-pz4h"
SHAKEN = {"broken": True, "dm": True}


def told(table, rule):
    return [found for found in every(table.findings) if found.rule == rule]


# --- 3.3 movement ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.3")
def test_3_3_a_broken_unit_is_offered_no_move_and_a_steady_one_is():
    for broken in (True, False):
        table = a_table({"g1": ("467", "E4")}, phase="rally", states={"g1": {"broken": broken}})
        sheet = unit_sheet(table.situation, GERMAN, TurnOrders.make_ask(GERMAN, subject=""), "g1")
        assert ("move" in [str(choice.name) for choice in sheet.choices]) is not broken
        found = list(mover_objections(table.situation, table.state.units["g1"]))
        assert_rule(found, "3.3", why="g1 is broken") if broken else None


@pytest.mark.rule("3.3/entry-exit")
def test_3_3_entry_a_unit_off_the_map_advances_only_into_its_entry_area_in_its_turn():
    table = a_table({"g1": ("467", "")}, phase="advance")
    unit, data = table.state.units["g1"], table.situation.data
    group = msgspec.structs.replace(data.scenario.groups[0], area=(), entry=("E1", "F1"), turn=1)
    data.scenario = msgspec.structs.replace(data.scenario, groups=(group, *data.scenario.groups[1:]))
    for name in ("groups", "seats"):
        data.__dict__.pop(name, None)
    assert not list(unit_objections(table.situation, unit, [unit], "E1"))
    assert_rule(list(unit_objections(table.situation, unit, [unit], "E5")), "3.3/entry-exit")


def test_3_3_2_a_player_drives_only_vehicles_of_his_own():
    table = a_table({}, vehicles={"g2": (PZ4, "E4", 4), "r2": (T34, "E9", 1)}, phase="rally")
    for vehicle, refused in (("g2", False), ("r2", True)):
        orders = Orders(moves=(MoveOrder((vehicle,), enter("E5" if vehicle == "g2" else "E8")),))
        found = list(section_objections(table.situation, GERMAN, "orders", orders))
        assert ("3.3.2" in [one.rule for one in found]) is refused


@pytest.mark.rule("3.3.2/enemy-afv-hex")
def test_3_3_2_a_tank_that_had_to_leave_may_stop_once_the_enemy_is_gone():
    """A tank may not stop beside an AFV that it cannot hurt; once that AFV has gone, it may stop in the hex."""
    table = a_table({}, phase="movement", vehicles={"g2": ("german-pz2f", "E5", 4), "r2": (T34, "E5", 1)})
    driving(table, "g2", ("E4", 0), ("E5", 2), must_leave=True)
    tank = table.state.vehicles["g2"]
    assert_rule(list(step_objections(table.situation, tank, Leg("stop"))), "3.3.2/enemy-afv-hex")
    del table.state.vehicles["r2"]
    assert not list(step_objections(table.situation, tank, Leg("stop")))


@pytest.mark.rule("3.3.4")
def test_3_3_4_only_units_in_the_hex_of_the_tank_react():
    table = a_table(
        {"g1": ("467", "E5"), "g3": ("467", "E6")},
        phase="movement",
        attacker=RUSSIAN,
        vehicles={"r2": (T34, "E5", 1)},
    )
    driving(table, "r2", ("E6", 0), ("E5", 2))
    assert not list(reaction_objections(table.situation, GERMAN, Attack(("g1",), "E5", how="reaction", target="r2")))
    far = reaction_objections(table.situation, GERMAN, Attack(("g3",), "E5", how="reaction", target="r2"))
    assert_rule(list(far), "3.3.4", why="g3 is not in the hex of r2")


# --- 3.6 to 3.8 -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.6", effect=True)
def test_3_6_a_unit_that_is_named_in_two_moves_moves_only_once():
    table = a_table({"g1": ("467", "E4")}, phase="rally")
    twice = Orders(moves=(MoveOrder(("g1",), enter("E5")), MoveOrder(("g1",), enter("E3"))))
    found = [str(one.why) for one in section_objections(table.situation, GERMAN, "orders", twice)]
    assert found == ["g1 can move only once"]


@pytest.mark.rule("3.6", effect=True)
def test_3_6_only_the_line_of_the_unit_that_routs_is_told_as_impossible():
    table = a_table(
        {"r1": ("447", "E6"), "r3": ("447", "K6"), "g1": ("467", "E5")},
        phase="rout",
        attacker=RUSSIAN,
        states={"r1": SHAKEN, "r3": SHAKEN},
    )
    table.state.sealed = {RUSSIAN: Orders(routs=(RoutOrder("r1", ("E5",)), RoutOrder("r3", ("E5",))))}
    ask = Rout.make_ask(RUSSIAN, subject="r1", about={"at": "E6", "must": True})
    decision = Rout(table.situation.data, view_of(table.state, RUSSIAN), ask)
    tell_other_way(table, RUSSIAN, decision, None)
    assert [found.inputs["order"] for found in table.findings] == ["r1 rout E5"]


@pytest.mark.rule("3.8/sequence-vehicle", effect=True)
def test_3_8_with_a_tank_in_the_hex_infantry_left_without_an_enemy_on_foot_has_nothing_more_to_attack():
    table = a_table({"g1": ("467", "E5"), "r1": ("447", "E5")}, vehicles={"r2": (T34, "E5", 1)}, phase="close_combat")

    def next_attack(used, attacked):
        about = {"sequential": True, "used": used, "attacked": attacked, "ambusher": ""}
        return CloseCombat(
            table.situation.data, table.state, CloseCombat.make_ask(GERMAN, subject="E5", about=about)
        ).usual()

    assert next_attack([], []) == CombatOrder("E5", (Assault(("g1",), ("r2",)),))
    assert next_attack(["g1"], []) == CombatOrder("E5")
    del table.state.vehicles["r2"]
    assert next_attack([], []) == CombatOrder("E5", (Assault(("g1",), ("r1",)),))


# --- 4 and 6 weapons ------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.0/drop-recover", "4.0/portage")
def test_4_0_weapons_that_do_not_exist_are_neither_dropped_nor_recovered():
    table = a_table({"g1": ("467", "E4"), "gl": ("g 8-1", "E4")}, weapons={"gw": ("german-mmg", "")}, phase="advance")
    hand_over(table, GERMAN, Attempt("", "gx"))
    assert_rule(table.findings, "4.0/drop-recover", inputs={"order": "drop gx"})
    table.state.weapons["gw"].at = "E4"
    leader = [table.state.units["gl"]]
    moving_in(table, ["gl"], spent=0)
    assert_rule(leg_objections(table.situation, leader, Leg("recover", weapon="gw")), "4.0/portage")
    missing = leg_objections(table.situation, leader, Leg("recover", weapon="gx"))
    assert "4.0/portage" not in [one.rule for one in missing] and missing


@pytest.mark.rule("4.3/detonation")
def test_4_3_a_charge_counts_hazardous_movement_as_two_and_a_dud_hurts_no_exposed_crew():
    """6.5: units pushing a Gun are attacked at -2, and a unit beside a stationary AFV is attacked at +1 (7.4).

    A dud (X10 for a first line squad) attacks no unit, not even an exposed crew.
    """
    for dice, dud in (([3, 4], False), ([6, 6], True)):
        table = a_table(
            {"g1": ("467", "E4"), "r1": ("r228", "E5")},
            phase="advancing",
            weapons={"gd": ("german-dc", ""), "rg": ("russian-45l-at", "r1")},
            facings={"rg": 4},
            emplaced=False,
            states={"r1": {"hazard": True}},
            vehicles={"r2": (T34, "E5", 1)},
            armour={"r2": {"ce": True}},
            dice={"4.3/detonation": dice, "3.2.3/mc": [1, 1] * 3},
        )
        table.state.charges = [Charge("gd", "E5", "E4", limit=10)]
        detonate_all(table, ["gd"])
        found = assert_rule(table.findings, "4.3/detonation", inputs={"dud": dud})
        assert found.inputs["against"]["r1"] == -1
        touched = [
            one for one in every(found.children) if "r2" in (one.inputs.get("unit"), one.inputs.get("vehicle"))
        ]
        assert bool(touched) is not dud


@pytest.mark.rule("6.4")
def test_6_4_a_hidden_gun_in_the_open_is_found_only_by_an_enemy_that_sees_it():

    for terrain, found in (({}, True), ({"woods": "E6"}, False)):
        table = a_table(
            {"g1": ("467", "E4"), "r1": ("r228", "E8")},
            weapons={"rg": ("russian-45l-at", "r1")},
            facings={"rg": 1},
            states={"r1": {"hidden": True}},
            ground=a_ground(terrain),
        )
        reveal_seen(table)
        assert table.state.units["r1"].hidden is not found
        if found:
            assert_rule(table.findings, "6.4", inputs={"unit": "r1"}, result="revealed")


def test_6_4_a_bazooka_strikes_no_hidden_gun_beside_its_target():
    """4.4: a hit in a building affects the units that can claim its TEM; a shaped charge does not
    affect others (6.4).
    """
    from pbem.titles.aslsk.ordnance.bystanders import asides

    table = a_table(
        {"g1": ("666", "E4"), "r1": ("447", "E5"), "r2": ("r228", "E5")},
        weapons={"gb": ("american-baz-43", "g1"), "rg": ("russian-45l-at", "r2"), "gg": ("german-75l-at", "g1")},
        facings={"rg": 1, "gg": 4},
        states={"r2": {"hidden": True}},
        ground=a_ground({"wooden": "E5"}),
    )
    shot = Attack(("gb",), "E5")
    assert not asides(table.situation, component(table.situation, "gb"), shot)
    assert asides(table.situation, component(table.situation, "gg"), Attack(("gg",), "E5"))


@pytest.mark.rule("6.6")
def test_6_6_no_shield_against_fire_from_the_guns_own_hex():

    table = a_table(
        {"g1": ("467", "E5"), "r1": ("r228", "E6")},
        weapons={"rg": ("russian-45l-at", "r1")},
        facings={"rg": 1},
        emplaced=False,
        dice={"3.2.2": [6, 5]},
    )
    crew = table.state.units["r1"]
    assert gunshield(table.situation, crew, ["E5"]) is not None
    assert gunshield(table.situation, crew, ["E6"]) is None
    fire(table, Attack(("g1",), "E6"))
    assert_rule(carried(table.findings), "6.6", result=2)


# --- 7 vehicles -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.0", effect=True)
def test_7_0_the_sheet_of_a_vehicle_shows_the_fp_and_range_of_its_machine_guns_only():
    table = a_table({}, vehicles={"g2": (PZ4, "E4", 4)})
    facts = unit_sheet(table.situation, GERMAN, None, "g2").facts
    (gun,) = [fact for fact in facts if fact.startswith("g2ma:")]
    (mg,) = [fact for fact in facts if fact.startswith("g2cmg:")]
    assert mg.endswith("-12") and not gun.rpartition(" ")[2].count("-")


@pytest.mark.rule("7.8", effect=True)
def test_7_8_a_tank_fires_in_its_mph_only_while_it_moves():
    table = a_table({"r1": ("447", "E8")}, vehicles={"g2": (PZ4, "E4", 4)}, phase="movement")
    gun = component(table.situation, "g2ma")
    assert manner_of(table.situation, gun) == ""
    driving(table, "g2", ("E4", 2))
    assert manner_of(table.situation, gun) == "bounding"


def test_7_10_a_stunned_or_shocked_vehicle_has_no_mph():
    for state, rule in (({"stun": "stun"}, "7.10/stun"), ({"shock": "shock"}, "7.10/shock"), ({}, "")):
        table = a_table({}, vehicles={"g2": (PZ4, "E4", 4)}, armour={"g2": state}, phase="movement")
        found = [one.rule for one in vehicle_objections(table.situation, table.state.vehicles["g2"], enter("E5"))]
        assert found == ([rule] if rule else [])


@pytest.mark.rule("3.3/entry-exit", effect=True)
def test_7_10_a_vehicle_off_the_map_moves_in_the_turn_in_which_it_enters():
    table = a_table({}, vehicles={"g2": (PZ4, "", 4)}, phase="movement")
    data = table.situation.data
    for turn, late in ((1, False), (2, True)):
        group = msgspec.structs.replace(data.scenario.groups[0], area=(), entry=("E1", "F1"), turn=turn)
        data.scenario = msgspec.structs.replace(data.scenario, groups=(group, *data.scenario.groups[1:]))
        data.__dict__.pop("groups", None)
        table.state.turn = 1
        found = [one.rule for one in vehicle_objections(table.situation, table.state.vehicles["g2"], enter("E1"))]
        assert found == (["3.3/entry-exit"] if late else [])


@pytest.mark.rule("7.6/bogged-fire")
def test_7_6_only_a_bogged_vehicle_is_bound_to_the_moment_of_entry_and_only_in_its_own_hex():
    """7.6: once the car has stopped in the hex, a bogged tank's bow MG cannot fire there; the bow MG of a sound tank
    can.

    At an adjacent hex in its VCA the bogged tank can still fire.
    """
    for bogged in ("bogged", ""):
        table = a_table(
            {}, vehicles={"g1": (PZ4, "E8", 4), "r1": ("russian-ba-64b", "E8", 1)}, phase="movement",
            armour={"g1": {"bogged": bogged}, "r1": {"ce": True}}, attacker=RUSSIAN,
        )  # fmt: skip
        driving(table, "r1", ("E9", 0), ("E8", 6), came_from="E9")
        stop(table, table.state.vehicles["r1"])
        found = list(attack_objections(table.situation, GERMAN, Attack(("g1bmg",), "E8")))
        if bogged:
            assert_rule(found, "7.6/bogged-fire")
        else:
            assert not found
    near = a_table({"r1": ("447", "E9")}, vehicles={"g1": (PZ4, "E8", 4)}, armour={"g1": {"bogged": "bogged"}})
    assert not list(attack_objections(near.situation, GERMAN, Attack(("g1bmg",), "E9")))


# --- set-up ---------------------------------------------------------------------------------------------------------


def test_4_0_at_set_up_a_leader_carries_a_light_machine_gun_but_no_medium_one():
    for weapon, refused in (("german-lmg", False), ("german-mmg", True)):
        table = a_table({"gl": ("g 8-1", "")}, weapons={"gw": (weapon, "")}, phase="setup")
        asked = SetUp(table.situation.data, table.state, SetUp.make_ask(GERMAN))
        asked.__dict__["arms"] = [table.state.weapons["gw"]]
        found = [one.rule for one in asked.weapon_objections(Placement(units={"gl": "E4"}, weapons={"gw": "gl"}))]
        assert found == (["4.0/portage"] if refused else [])


@pytest.mark.rule("6.3", effect=True)
def test_6_3_a_gun_is_emplaced_with_a_crew_and_not_with_a_squad():
    for card, emplaced in (("228", True), ("467", False)):
        table = a_table({"g1": (card, "")}, weapons={"gg": ("german-75l-at", "")}, facings={"gg": 1}, phase="setup",
                        emplaced=False)  # fmt: skip
        place_units(table, GERMAN, Placement(units={"g1": "E4"}, weapons={"gg": "g1"}))
        assert table.state.weapons["gg"].emplaced is emplaced


@pytest.mark.rule("3.2.2/fire-groups")
@pytest.mark.parametrize(
    ("components", "against", "refused"),
    [
        (("g2ma", "g2cmg"), (), True),  # a shell and a machine gun
        (("g2bmg", "g2cmg"), (), False),
        (("g1", "gf"), (), True),  # rifles and flame
        (("g1", "gw"), (), False),
        (("g1", "gw"), ("r2",), True),  # a machine gun fires at an AFV as ordnance
        (("g1", "g3"), (), True),  # two hexes that are not adjacent
        (("gl", "gm", "gx"), (), False),  # two leaders at a light mortar
    ],
)
def test_3_2_2_a_line_that_can_never_be_fired_together_is_refused_when_it_is_sealed(components, against, refused):
    table = a_table(
        {"g1": ("548", "E4"), "g3": ("467", "H4"), "gl": ("g 8-1", "E4"), "gm": ("g 8-0", "E4"), "r1": ("447", "E6")},
        weapons={"gf": ("german-ft", "g1"), "gw": ("german-lmg", "g1"), "gx": ("german-mortar", "gl")},
        vehicles={"g2": (PZ4, "D4", 4), "r2": (T34, "E6", 1)},
        phase="rally",
    )
    ids = tuple(id for id in components if id != "gl")
    order = FireOrder(ids, () if against else ("E6",), against=against)
    found = list(section_objections(table.situation, GERMAN, "orders", Orders(prep=(order,))))
    if refused:
        assert_rule(found, "3.2.2/fire-groups")
    else:
        assert "3.2.2/fire-groups" not in [one.rule for one in found]
        far = FireOrder(("g1", "g3"), ("E6",))
        assert_rule(
            list(section_objections(table.situation, GERMAN, "orders", Orders(prep=(far,)))), "3.2.2/fire-groups"
        )
