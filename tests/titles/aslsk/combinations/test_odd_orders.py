"""Odd combinations of orders: leaders, second fire, smoke devices, bog, hatches, hidden Guns and capture.

Each answer was worked out by hand from the rulebook before the test was run.
"""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, driving, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.engine.rules.happenings import Change
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.modifiers import fire_modifiers, residual_modifiers
from pbem.titles.aslsk.fire.morale import Aftermath, break_unit
from pbem.titles.aslsk.fire.phases import carry_out
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import advance
from pbem.titles.aslsk.movement.eligibility import entry_objections, mover_objections
from pbem.titles.aslsk.movement.phase import movement_phase, start_mover
from pbem.titles.aslsk.movement.residual import residual_attack
from pbem.titles.aslsk.orders import AdvanceOrder, FireOrder, Leg, MoveOrder, RoutOrder
from pbem.titles.aslsk.ordnance.to_hit import hit_modifiers
from pbem.titles.aslsk.rout.phase import place_forced_dm, rout
from pbem.titles.aslsk.state import Smoke, Wreck
from pbem.titles.aslsk.vehicles.costs import entry_cost
from pbem.titles.aslsk.vehicles.steps import free_itself, step_objections

T34, PZ4 = "russian-t34-85", "german-pz4h"
SHAKEN = {"broken": True, "dm": True}


def objections(table, attack, seat="german"):
    return list(attack_objections(table.situation, seat, attack))


def drms(table, attack, target):
    firers = [component(table.situation, id) for id in attack.components]
    return {row.text: row.value for row in fire_modifiers(table.situation, attack, firers, table.state.units[target])}


def th(table, weapon, at, target):
    one = component(table.situation, weapon)
    found = hit_modifiers(table.situation, one, Attack((weapon,), at), table.state.units[target])
    return {row.text: row.value for row in found}


# --- leaders and second fire --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("directed", "firers", "refused"),
    [(["g1"], ("g1",), False), (["g1"], ("g2",), True), (["g1"], ("g1", "g2"), True), (["g1", "g2"], ("g2",), False)],
)
def test_3_4_a_leader_directs_only_whom_he_directed_before_in_this_player_turn(directed, firers, refused):
    table = a_table(
        {"g1": ("467", "E8"), "g2": ("467", "E8"), "gl": ("g 8-1", "E8"), "r1": ("447", "E7")}, phase="defensive",
        attacker="russian",
        states={"gl": {"fired": "first", "directed": directed}, "g1": {"fired": "first"}, "g2": {"fired": "first"}},
    )  # fmt: skip
    assert bool(objections(table, Attack(firers, "E7", ("gl",)))) == refused
    assert not objections(table, Attack(firers, "E7"))


def test_3_4_a_squad_marked_first_fire_does_not_reach_two_hexes_in_the_defensive_fire_phase():
    table = a_table(
        {"g1": ("467", "E8"), "r1": ("447", "E7"), "r2": ("447", "E6")}, phase="defensive", attacker="russian",
        states={"g1": {"fired": "first"}},
    )  # fmt: skip
    assert not objections(table, Attack(("g1",), "E7"))
    assert objections(table, Attack(("g1",), "E6"))


def test_3_5_after_a_move_a_medium_machine_gun_is_silent_and_its_squad_is_not():
    table = a_table(
        {"g1": ("467", "E8"), "r1": ("447", "E6")}, weapons={"gw": ("german-mmg", "g1"), "gx": ("german-lmg", "g1")},
        phase="advancing",
    )  # fmt: skip
    table.state.units["g1"].moved = True
    for weapon in table.state.weapons.values():
        weapon.carried = True
    assert objections(table, Attack(("gw",), "E6"))
    assert not objections(table, Attack(("g1", "gx"), "E6"))


def test_3_2_2_a_leader_who_fired_a_captured_machine_gun_neither_moves_nor_directs():
    table = a_table(
        {"g1": ("467", "E8"), "gl": ("g 9-1", "E8"), "r1": ("447", "E4")}, weapons={"rw": ("russian-lmg", "gl")},
        dice={"3.2.2": [3, 2]},
    )  # fmt: skip
    fire(table, Attack(("rw",), "E4"))
    assert objections(table, Attack(("g1",), "E4", ("gl",)))
    table.state.phase = "movement"
    assert list(mover_objections(table.situation, table.state.units["gl"]))


# --- smoke and wrecks ---------------------------------------------------------------------------------------------


def test_1_2_5_two_kinds_of_smoke_in_the_firers_hex_hinder_every_shot_out_of_it_and_ffmo_is_gone():
    table = a_table({"g1": ("467", "E8"), "r1": ("447", "E5")}, phase="movement", attacker="russian")
    moving_in(table, ["r1"])
    assert drms(table, Attack(("g1",), "E5"), "r1") == {"FFMO": -1, "FFNAM": -1}
    table.state.smoke = {"E8": [Smoke("grenade", "german")]}
    found = drms(table, Attack(("g1",), "E5"), "r1")
    assert "FFMO" not in found and found["FFNAM"] == -1 and found["hindrance"] == 3


def test_7_4_a_wreck_in_the_target_hex_is_cover_only_without_other_cover_and_never_a_hindrance():
    for terrain, cover in (({}, {"AFV or wreck": 1}), ({"woods": "E5"}, {"woods": 1})):
        table = a_table({"g1": ("467", "E8"), "r1": ("447", "E5")}, ground=a_ground(terrain))
        table.state.wrecks = [Wreck("r9", T34, "russian", "E5")]
        found = drms(table, Attack(("g1",), "E5"), "r1")
        assert sum(found.values()) == 1 and len(found) == 1, (found, cover)


def test_3_3_5_residual_fp_in_smoke_meets_a_stack_of_a_pinned_and_a_running_unit_each_by_itself():
    table = a_table({"r1": ("447", "E5"), "r2": ("447", "E5")}, phase="movement", attacker="russian")
    moving_in(table, ["r1", "r2"])
    table.state.smoke = {"E5": [Smoke("dispersed", "russian")]}
    table.state.units["r1"].pinned = True
    found = [
        sum(row.value for row in residual_modifiers(table.situation, table.state.units[id])) for id in ("r1", "r2")
    ]
    assert found == [2, 1]


def test_3_3_5_residual_fp_of_one_never_cowers_and_hurts_a_unit_in_a_building_hardly():
    table = a_table(
        {"r1": ("447", "E5")}, phase="movement", attacker="russian", ground=a_ground({"stone": "E5"}),
        dice={"3.3.5": [1, 1]},
    )  # fmt: skip
    moving_in(table, ["r1"], assault=True)
    table.state.residual = {"E5": 1}
    residual_attack(table, [table.state.units["r1"]])
    told = assert_rule(table.findings, "3.3.5", inputs={"at": "E5"})
    assert told.cell["used"] == 1 and sum(row["value"] for row in told.modifiers) == 3


# --- Guns ---------------------------------------------------------------------------------------------------------


def a_gun(card="german-75l-at", holder="228", **more):
    more = {"phase": "prep", **more}
    return a_table(
        {"g1": (holder, "E8"), "r1": ("447", "E5")}, weapons={"gw": (card, "g1")}, facings={"gw": 1}, **more
    )


def test_3_2_4_a_pinned_crew_fires_with_two_more_without_rate_and_not_intensively():
    table = a_gun(states={"g1": {"pinned": True}}, dice={"3.2.4": [1, 5]})
    assert th(table, "gw", "E5", "r1") == {"pinned firer": 2}
    assert fire(table, Attack(("gw",), "E5")) == [] and table.state.weapons["gw"].fired == "prep"
    assert objections(table, Attack(("gw",), "E5", intensive=True))


@pytest.mark.rule("3.2.4/arc-arithmetic", effect=True)
def test_3_2_4_a_tired_squad_at_a_gun_that_turns_two_hexspines():
    """A CX squad at a Gun that turns has +3 and +1 for two hexspines, +2 without a crew and +1 for CX: 7 in all."""
    table = a_gun(holder="467", states={"g1": {"cx": True}})
    table.state.weapons["gw"].facing = 4
    assert sum(th(table, "gw", "E5", "r1").values()) == 7


def test_6_3_a_squad_at_an_emplaced_gun_has_no_emplacement_and_a_crew_in_woods_takes_the_better():
    for holder, terrain, cover in (
        ("467", {}, 0),
        ("228", {}, 2),
        ("228", {"woods": "E8"}, 2),
        ("467", {"woods": "E8"}, 1),
    ):
        table = a_table(
            {"g1": (holder, "E8"), "r1": ("447", "E11")}, weapons={"gw": ("german-75l-at", "g1")}, facings={"gw": 1},
            ground=a_ground(terrain), attacker="russian",
        )  # fmt: skip
        assert sum(drms(table, Attack(("r1",), "E8"), "g1").values()) == cover


def test_6_10_an_acquired_target_helps_the_captured_gun_of_a_squad_but_not_after_it_fired_its_own_rifles():
    table = a_gun("russian-76l-art", "467", dice={"3.2.4": [6, 5, 6, 5], "3.2.2": [3, 4]})
    table.state.weapons["gw"].acquired, table.state.weapons["gw"].acquisition = "E5", 2
    assert -2 in th(table, "gw", "E5", "r1").values()
    fire(table, Attack(("g1",), "E5"))
    assert not table.state.weapons["gw"].acquisition


def test_6_2_heat_is_not_fired_at_men_in_the_open_but_at_a_gun_anywhere():
    table = a_table(
        {"g1": ("467", "E8"), "r1": ("447", "E7"), "r2": ("r228", "E9")},
        weapons={"gw": ("german-psk", "g1"), "rw": ("russian-45l-at", "r2")},
        facings={"rw": 1}, date="1944-07",
    )  # fmt: skip
    assert objections(table, Attack(("gw",), "E7"))
    assert not objections(table, Attack(("gw",), "E9"))


def test_6_4_infantry_that_walks_into_a_hidden_gun_is_not_refused_beforehand():
    table = a_table(
        {"g1": ("467", "E8"), "r1": ("r228", "E7")}, weapons={"rw": ("russian-45l-at", "r1")}, facings={"rw": 4},
        ground=a_ground({"woods": "E7"}), states={"r1": {"hidden": True}}, phase="movement",
    )  # fmt: skip
    moving_in(table, ["g1"], spent=0)
    assert not list(entry_objections(table.situation, [table.state.units["g1"]], "E7"))
    table.state.units["r1"].hidden = False
    assert list(entry_objections(table.situation, [table.state.units["g1"]], "E7"))


# --- vehicles -----------------------------------------------------------------------------------------------------


def test_7_7_an_exposed_crew_does_not_drive_into_a_building_and_pays_less_on_the_road():
    table = a_table(
        {}, vehicles={"g1": (PZ4, "K9", 1)}, armour={"g1": {"ce": True}}, phase="movement",
        ground=a_ground({"stone": "K8"}),
    )  # fmt: skip
    driving(table, "g1", ("K9", 2))
    tank = table.state.vehicles["g1"]
    assert list(step_objections(table.situation, tank, Leg("enter", "K8")))
    tank.ce = False
    half = entry_cost(table.situation, tank, "K8")
    assert half.half and not list(step_objections(table.situation, tank, Leg("enter", "K8")))


def test_3_3_2_a_wreck_and_smoke_in_the_hex_cost_one_mp_each():
    table = a_table({}, vehicles={"g1": (PZ4, "K9", 1)}, phase="movement")
    tank = table.state.vehicles["g1"]
    plain = entry_cost(table.situation, tank, "K8").halves
    table.state.smoke = {"K8": [Smoke("dispersed", "german")]}
    table.state.wrecks = [Wreck("r9", T34, "russian", "K8"), Wreck("r8", T34, "russian", "K8")]
    assert entry_cost(table.situation, tank, "K8").halves == plain + 2 + 2 * 2


@pytest.mark.parametrize("state", [{"shock": "shock"}, {"stun": "stun"}, {"recalled": True}])
def test_7_10_a_crew_out_of_action_fires_nothing(state):
    table = a_table({"r1": ("447", "K6")}, vehicles={"g1": (PZ4, "K9", 1)}, armour={"g1": state})
    assert objections(table, Attack(("g1cmg",), "K6"))


def test_7_8_a_tank_whose_machine_gun_fired_first_fires_no_gun_in_the_afph_but_one_that_kept_its_rate_does():
    table = a_table(
        {"r1": ("447", "K6")}, vehicles={"g1": (PZ4, "K9", 1)}, phase="advancing",
        armour={"g1": {"fired_in": "movement", "used": ["g1cmg"]}},
    )  # fmt: skip
    assert objections(table, Attack(("g1ma",), "K6"))
    table.state.vehicles["g1"].used = ["g1ma"]
    assert not objections(table, Attack(("g1ma",), "K6"))


# --- rout, advance, orders ------------------------------------------------------------------------------------------


def test_3_6_a_half_squad_reduced_by_interdiction_is_gone_and_its_machine_gun_stays_in_the_hex_entered():
    table = a_table(
        {"r1": ("247", "E6"), "g1": ("467", "E3")}, weapons={"rw": ("russian-lmg", "r1")}, states={"r1": SHAKEN},
        phase="rout", dice={"3.6/interdiction": [5, 6]},
    )  # fmt: skip
    rout(table, table.state.units["r1"], RoutOrder("r1", ("E7",)))
    assert "r1" not in table.state.units
    assert (table.state.weapons["rw"].holder, table.state.weapons["rw"].at) == ("", "E7")


def test_3_7_a_pinned_unit_and_the_pushers_of_a_gun_do_not_advance():
    table = a_table({"g1": ("467", "E8"), "g2": ("467", "E8")}, states={"g1": {"pinned": True}}, phase="advance")
    table.state.units["g2"].hazard = True
    advance(table, "german", AdvanceOrder(("g1",), "E7"))
    advance(table, "german", AdvanceOrder(("g2",), "E7"))
    assert {unit.at for unit in table.state.units.values()} == {"E8"}


def test_3_2_a_line_of_fire_loses_the_squad_that_broke_and_fires_with_the_rest():
    table = a_table(
        {"g1": ("467", "E8"), "g2": ("467", "E8"), "gl": ("g 9-1", "E8"), "r1": ("447", "E5")}, states={"g1": SHAKEN},
        dice={"3.2.2": [3, 4]},
    )  # fmt: skip
    carry_out(table, "german", FireOrder(("g1", "g2"), ("E5",), ("gl",)), "g1 g2 fire at E5 with gl")
    told = assert_rule(table.findings, "3.2.2", inputs={"at": "E5"})
    assert told.inputs["firers"] == ["g2"] and told.inputs["leaders"] == ["gl"]


# --- films ---------------------------------------------------------------------------------------------------------


def changes(table):
    return [
        (shown.who, shown.what, shown.now)
        for finding in walk(table.findings)
        for shown in finding.shows
        if isinstance(shown, Change)
    ]


def walk(findings):
    for finding in findings:
        yield finding
        yield from walk(finding.children)


def test_11_films_show_who_runs_who_rests_and_what_a_unit_loses_when_it_breaks():
    table = a_table({"g1": ("467", "E8"), "g2": ("467", "E8")}, states={"g2": {"cx": True}}, phase="prep")
    list(movement_phase(table))
    assert changes(table) == [("g2", "cx", False)]
    assert start_mover(table, MoveOrder(("g1",), (Leg("enter", "E7"),), double=True), 0)
    assert changes(table)[-1] == ("g1", "cx", True)
    table.state.units["g1"].pinned = True
    break_unit(table, table.state.units["g1"], Aftermath())
    assert changes(table)[-2:] == [("g1", "pinned", False), ("g1", "cx", False)]
    waiting = a_table({"g1": ("467", "")}, phase="movement")
    start_mover(waiting, MoveOrder(("g1",), (Leg("enter", "A1"),), double=True), 0)
    assert not changes(waiting), "a unit off the map is not shown"


def test_11_films_show_dm_of_a_unit_that_must_rout_and_a_vehicle_that_gets_free():
    table = a_table({"r1": ("447", "E8"), "g1": ("467", "E7")}, states={"r1": {"broken": True}}, phase="rout")
    place_forced_dm(table, table.state.units["r1"])
    assert changes(table) == [("r1", "dm", True)]
    bog = a_table(
        {}, vehicles={"g1": (PZ4, "K9", 1)}, armour={"g1": {"bogged": "bogged"}}, phase="movement",
        dice={"7.6/unbog": [1, 1]},
    )  # fmt: skip
    driving(bog, "g1", ("K9", 0), stopped=True, started=False)
    free_itself(bog, bog.state.vehicles["g1"])
    assert ("g1", "bogged", False) in changes(bog)
