"""Rules that meet as units close in: pushed Guns, hidden Guns, weapons handed over, close combat by turns."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, driving, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.decision import CloseCombat
from pbem.titles.aslsk.close_combat.phase import combat_hex
from pbem.titles.aslsk.close_combat.vehicles import vehicle_modifiers
from pbem.titles.aslsk.fire.components import Attack, components
from pbem.titles.aslsk.fire.modifiers import fire_modifiers
from pbem.titles.aslsk.fire.morale import Aftermath, break_unit, pin
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import hand_over
from pbem.titles.aslsk.movement.expenditures import expend, leg_objections
from pbem.titles.aslsk.orders import Assault, Attempt, CombatOrder, Leg, RallyOrders
from pbem.titles.aslsk.rally.phase import note_busy, transfer
from pbem.titles.aslsk.rally.rally import leaders_for, rally_by_leaders
from pbem.titles.aslsk.rout.interdiction import can_interdict, lies_open
from pbem.titles.aslsk.state import Weapon, Wreck
from pbem.titles.aslsk.vehicles.reactions import react

T34 = "russian-t34-85"
TIGER = "german-pz6e-late"


def a_pushed_gun(ground=None, **more):
    table = a_table(
        {"g1": ("228", "D6"), **more.pop("units", {})},
        weapons={"gw": ("german-75l-at", "g1"), **more.pop("arms", {})},
        facings={"gw": 1},
        ground=a_ground(ground or {}),
        phase="movement",
        **more,
    )
    card = next(
        id for id, gun in table.data.deck.guns.items() if gun.qsu and gun.nation == "german" and gun.type == "at"
    )
    table.state.weapons["gw"].card = card
    moving_in(table, ["g1"], spent=0)
    return table, [table.state.units["g1"]]


@pytest.mark.rule("6.5", effect=True)
def test_6_5_a_pin_ends_hazardous_movement_for_good_and_gives_the_gunshield_back():
    """6.5: a crew that pushes takes -2 "until pinned", without FFMO or FFNAM; 6.6: till then it has no gunshield."""
    table, (crew,) = a_pushed_gun(units={"r1": ("447", "D2")}, dice={"6.5": [1, 1]})
    expend(table, [crew], Leg("push", "D5", weapon="gw", number=1))

    def against():
        firers = components(table.situation, ["r1"])
        return {row.text: row.value for row in fire_modifiers(table.situation, Attack(("r1",), "D5"), firers, crew)}

    assert against() == {"Hazardous Movement": -2}
    pin(table, crew)
    assert against() == {"gunshield": 2}
    break_unit(table, crew, Aftermath())
    assert not crew.pinned and against() == {}


@pytest.mark.rule("6.5", "def/hazardous-movement")
def test_6_5_a_gun_that_is_pushed_may_turn_and_its_crew_stays_with_it_and_carries_nothing():
    table, units = a_pushed_gun(dice={"6.5": [1, 1]})
    table.state.weapons["gx"] = Weapon(id="gx", card="german-lmg", holder="g1")
    leg = Leg("push", "D5", weapon="gw", number=3)
    assert_rule(
        leg_objections(table.situation, units, leg), "6.5", why="units that push a Gun cannot carry anything: drop gx"
    )
    del table.state.weapons["gx"]
    assert not leg_objections(table.situation, units, leg)
    expend(table, units, leg)
    assert units[0].at == "D5" and table.state.weapons["gw"].facing == 3
    assert_rule(table.findings, "def/hazardous-movement", inputs={"units": ["g1"]})
    table.state.weapons["gw"].holder = ""
    found = leg_objections(table.situation, units, Leg("enter", "D4"))
    assert_rule(found, "6.5", why="g1 has pushed a Gun and must stay with it")


@pytest.mark.rule("6.4")
def test_6_4_a_gun_pushed_into_the_hex_of_a_hidden_gun_goes_back():
    table, units = a_pushed_gun(
        {"woods": "D5"}, units={"r1": ("r228", "D5")}, states={"r1": {"hidden": True}}, dice={"6.5": [1, 1]}
    )
    expend(table, units, Leg("push", "D5", weapon="gw"))
    assert_rule(table.findings, "6.4", inputs={"at": "D5"}, result="goes back")
    assert units[0].at == "D6" and not table.state.units["r1"].hidden


@pytest.mark.rule("4.0/drop-recover")
def test_4_0_a_weapon_moved_once_in_a_phase_is_not_carried_further_by_anybody():
    table = a_table(
        {"g1": ("467", "D6")}, weapons={"gw": ("german-lmg", "")}, phase="movement", dice={"3.3.1/recovery": [1]}
    )
    weapon = table.state.weapons["gw"]
    weapon.at, weapon.carried = "D6", True
    moving_in(table, ["g1"])
    expend(table, [table.state.units["g1"]], Leg("recover", weapon="gw"))
    assert weapon.holder == "g1"
    found = leg_objections(table.situation, [table.state.units["g1"]], Leg("enter", "D5"))
    assert_rule(found, "4.0/drop-recover")


@pytest.mark.rule("3.7", "3.1/d-transfer")
def test_3_7_weapons_change_hands_in_the_advance_phase_and_no_leader_takes_a_gun():
    table = a_table(
        {"g1": ("467", "D6"), "g2": ("467", "D6"), "gl": ("g 8-0", "D6")},
        weapons={"gw": ("german-mmg", "g1"), "gg": ("german-75l-at", "g1")},
        facings={"gg": 1},
        phase="advance",
        states={"g1": {"acted": True}},
    )
    hand_over(table, "german", Attempt("g2", "gw"))
    assert_rule(table.findings, "3.7", inputs={"weapon": "gw", "unit": "g2"}, result="transferred")
    hand_over(table, "german", Attempt("", "gw"))
    assert table.state.weapons["gw"].at == "D6"
    transfer(table, "german", "gl", "gg")
    assert_rule(table.findings, "3.1/d-transfer", result="not carried out")


def test_3_1_a_leader_who_has_recovered_a_weapon_rallies_nobody():
    table = a_table(
        {"g1": ("467", "D6"), "gl": ("g 8-0", "D6")},
        phase="rally",
        states={"g1": {"broken": True}, "gl": {"acted": True}},
    )
    note_busy(table)
    assert leaders_for(table.situation, table.state.units["g1"]) == []
    rally_by_leaders(table, "german", RallyOrders())
    assert table.state.units["g1"].broken


# --- 3.6 Interdiction --------------------------------------------------------------------------------------------


def test_3_6_light_mortars_and_anti_tank_rifles_interdict_and_a_wreck_gives_cover():
    table = a_table(
        {"g1": ("467", "D2"), "r1": ("447", "D12")}, weapons={"gw": ("german-mortar", "g1")}, phase="rout"
    )
    unit = table.state.units["g1"]
    assert table.situation.ground.distance("D2", "D12") > table.situation.card(unit).range
    assert can_interdict(table.situation, unit, "D12")
    table.state.weapons["gw"].malfunctioned = True
    assert not can_interdict(table.situation, unit, "D12")
    assert lies_open(table.situation, unit, "D12")
    table.state.wrecks.append(Wreck("r9", T34, "russian", "D12"))
    assert not lies_open(table.situation, unit, "D12")


# --- 3.8 by turns ------------------------------------------------------------------------------------------------


def asked(table, seat, **about):
    return CloseCombat(table.data, table.state, CloseCombat.make_ask(seat, subject="E8", about=about))


@pytest.mark.rule("3.8/sequence-vehicle", "3.8/close-defence")
def test_3_8_a_unit_that_was_attacked_may_still_attack_and_sn_waits_for_an_attack():
    table = a_table(
        {"r1": ("447", "E8"), "r2": ("447", "E8")},
        vehicles={"g1": (TIGER, "E8", 1)},
        phase="close_combat",
        date="1944-09",
    )
    sequence = {"sequential": True, "used": ["r1"], "attacked": ["r2"], "ambusher": ""}
    mine = asked(table, "russian", **sequence)
    assert_rule(
        list(mine.objections(CombatOrder("E8", (Assault(("r1",), ("g1",)),)))),
        "3.8/sequence-vehicle",
        why="r1 has already attacked in this hex",
    )
    assert not list(mine.objections(CombatOrder("E8", (Assault(("r2",), ("g1",)),))))
    theirs = asked(table, "german", **{**sequence, "used": []})
    again = CombatOrder("E8", (Assault(("g1",), ("r2",)),))
    assert_rule(list(theirs.objections(again)), "3.8/sequence-vehicle")
    defence = CombatOrder("E8", (Assault(("g1",), (), "sn"),))
    waits = asked(table, "german", **{**sequence, "used": [], "attacked": []})
    found = [one for one in waits.objections(defence) if one.rule == "3.8/close-defence"]
    assert found
    assert_rule(found, "3.8/close-defence")


def test_3_8_the_whole_fight_by_turns():
    """The side without a vehicle attacks first; then the unit that the tank attacked strikes back."""
    table = a_table(
        {"r1": ("447", "E8"), "r2": ("447", "E8")},
        vehicles={"g1": ("german-pz4h", "E8", 1)},
        phase="close_combat",
        dice={"3.8/vs-vehicle": [6, 5, 1, 2], "3.8/vehicle-attack": [6, 5]},
    )
    step = combat_hex(table, ["E8"])
    first = next(step)
    assert first.seat == "russian"
    second = step.send(CombatOrder("E8", (Assault(("r1",), ("g1",)),)))
    assert second.seat == "german" and second.about["attacked"] == ["g1"]
    third = step.send(CombatOrder("E8", (Assault(("g1",), ("r2",)),)))
    assert third.seat == "russian" and third.about["used"] == ["r1"]
    with pytest.raises(StopIteration):
        step.send(CombatOrder("E8", (Assault(("r2",), ("g1",)),)))
    assert "g1" not in table.state.vehicles and not table.state.melee


def test_3_3_4_a_vehicle_that_has_stopped_in_a_new_hex_still_counts_as_moving_in_reaction_fire():
    table = a_table({"g1": ("467", "E8")}, vehicles={"r1": (T34, "E8", 1)}, phase="movement", attacker="russian")
    driving(table, "r1", ("E9", 2), ("E8", 2), stopped=True)
    found = vehicle_modifiers(table.situation, [table.state.units["g1"]], table.state.vehicles["r1"], reaction=True)
    assert {row.text: row.value for row in found} == {"vehicle in Motion": 2}


@pytest.mark.rule("3.8/melee", "def/melee")
def test_3_8_melee_ends_as_soon_as_fire_destroys_the_vehicle_that_held_it():
    table = a_table(
        {"r1": ("447", "E8"), "r2": ("r228", "E4")},
        vehicles={"g1": ("german-pz4h", "E8", 1)},
        weapons={"rw": ("russian-76l-art", "r2")},
        facings={"rw": 4},
        attacker="russian",
        dice={"3.2.4": [1, 1], "7.9": [1, 1]},
    )
    table.state.melee = ["E8"]
    fire(table, Attack(("rw",), "E8", target="g1"))
    assert_rule(table.findings, "3.8/melee", inputs={"at": "E8"}, result="Melee ends")
    table.state.melee = []
    table.state.units["g2"] = table.state.units["r1"].__class__(
        id="g2", seat="german", card="german-467", group="g", at="E8"
    )
    from pbem.titles.aslsk.close_combat.melee import settle_melee

    settle_melee(table, "E8")
    assert_rule(table.findings, "def/melee", inputs={"at": "E8"})


@pytest.mark.rule("3.3.4", "3.3.3/fpf")
def test_3_3_4_reaction_fire_under_a_final_fire_marker_is_paid_with_a_morale_check():
    table = a_table(
        {"g1": ("467", "E8")},
        vehicles={"r1": (T34, "E8", 1)},
        phase="movement",
        attacker="russian",
        states={"g1": {"fired": "final"}},
        dice={"3.7/paatc": [1, 1], "3.8/vs-vehicle": [5, 5]},
    )
    driving(table, "r1", ("E9", 2), ("E8", 2))
    react(table, Attack(("g1",), "E8", how="reaction", target="r1"))
    assert_rule(table.findings, "3.3.4", inputs={"vehicle": "r1"}, result="no effect")
    assert_rule(table.findings, "3.3.3/fpf", inputs={"unit": "g1", "nmc": True}, result="failed")
    assert table.state.units["g1"].broken


@pytest.mark.rule("3.3.2")
def test_3_3_2_a_vehicle_that_is_stopped_before_it_leaves_its_hex_tells_its_owner():
    from pbem.titles.aslsk.vehicles.driving import drive

    table = a_table({}, vehicles={"g1": ("german-pz4h", "K9", 1)}, phase="movement")
    driving(table, "g1", ("K9", 2), over=True)
    step = drive(table, table.state.vehicles["g1"], Leg("enter", "K8"), "", lambda table: iter(()))
    with pytest.raises(StopIteration):
        next(step)
    told = assert_rule(table.findings, "3.3.2", result="carried out in part")
    assert [fate.who for fate in told.shows] == ["g1"]
