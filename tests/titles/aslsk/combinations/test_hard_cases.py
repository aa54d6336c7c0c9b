"""Rules of several chapters that meet at one moment; each answer was worked out by hand from the rulebook first."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, driving, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.attacks import combat_modifiers
from pbem.titles.aslsk.close_combat.decision import CloseCombat
from pbem.titles.aslsk.close_combat.vehicles import attack_weapons, spent_by, vehicle_modifiers, vehicle_strength
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.effects import Aimed, strike
from pbem.titles.aslsk.fire.firepower import shares
from pbem.titles.aslsk.fire.modifiers import crew_modifiers, residual_modifiers
from pbem.titles.aslsk.fire.morale import Aftermath, eliminate, leader_losses, note_leaders
from pbem.titles.aslsk.fire.phases import advancing_fire_phase
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import advance
from pbem.titles.aslsk.movement.residual import residual_attack
from pbem.titles.aslsk.orders import AdvanceOrder, Assault, CombatOrder, Leg, Orders, RoutOrder
from pbem.titles.aslsk.ordnance.bystanders import asides
from pbem.titles.aslsk.ordnance.to_hit import hit_modifiers
from pbem.titles.aslsk.player.exchanges import AdvancingFire
from pbem.titles.aslsk.rout.interdiction import is_interdicted, vehicle_interdicts
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.state import Charge, Smoke, Wreck
from pbem.titles.aslsk.vehicles.reactions import try_motion
from pbem.titles.aslsk.vehicles.status import recover_shock, settle_stuns, shock, stun
from pbem.titles.aslsk.vehicles.steps import free_itself, step_objections, turn_turret
from pbem.titles.aslsk.weapons.breakdown import number_now, removal_number
from pbem.titles.aslsk.weapons.charges import detonate_all

T34, PZ4, BA64, PZ2 = "russian-t34-85", "german-pz4h", "russian-ba-64b", "german-pz2f"
SHAKEN = {"broken": True, "dm": True}


def objections(table, attack, seat="german"):
    return list(attack_objections(table.situation, seat, attack))


def texts(modifiers):
    return {row.text: row.value for row in modifiers}


def every(findings):
    for finding in findings:
        yield finding
        yield from every(finding.children)


def defending(units, at="E5", spent=4, **more):
    """Set up a German defence, with a Russian squad that has just entered a hex."""
    table = a_table({"r1": ("447", at), **units}, phase="movement", attacker="russian", **more)
    moving_in(table, ["r1"], spent=spent)
    return table


# --- fire groups, leaders, markers ----------------------------------------------------------------------------------


def test_3_2_2_a_leader_stays_with_the_part_of_a_group_that_still_sees_the_target():
    """Woods in D5 hide E8 from D4: g2 and the +1 leader there add nothing, but g1 keeps the -2 of its own leader."""
    ground = a_ground({"woods": "D5 D6 D7"})
    table = a_table(
        {"g1": ("467", "E4"), "gl": ("g 9-2", "E4"), "g2": ("467", "D4"), "gm": ("g 6+1", "D4"), "r1": ("447", "E8")},
        ground=ground, dice={"3.2.2": [3, 4]},
    )  # fmt: skip
    assert table.situation.sees("E4", "E8") and not table.situation.sees("D4", "E8")
    fire(table, Attack(("g1", "g2"), "E8", ("gl", "gm")))
    shot = next(found for found in table.findings if found.rule == "3.2.2")
    assert shot.inputs["no_sight"] == ["g2"] and shot.inputs["against"] == {"r1": -2}


def test_4_1_two_leaders_at_a_machine_gun_fire_it_whole_again_while_it_keeps_its_rate():
    table = a_table(
        {"gl": ("g 8-1", "E4"), "gm": ("g 8-0", "E4"), "r1": ("447", "E8")}, weapons={"gw": ("german-hmg", "gl")},
        dice={"3.2.2": [4, 1]},
    )  # fmt: skip
    attack = Attack(("gw", "gm"), "E8")
    assert fire(table, attack) == ["gw"]
    assert not objections(table, attack)
    assert shares(table.situation, attack)[0].fp == 7
    other = Attack(("gw", "gm"), "E9")
    table.state.units["r1"].at = "E9"
    assert not objections(table, other)  # the same gun, another target


def test_3_3_3_a_leader_who_directs_ordinary_fire_in_the_next_hex_takes_no_fpf_check():
    """On an Original 9, g1 (using FPF) and its leader check; gm in D4, who directs the unmarked g2,
    does not check."""
    table = defending(
        {"g1": ("467", "E4"), "gl": ("g 8-1", "E4"), "g2": ("467", "D4"), "gm": ("g 8-1", "D4")},
        states={"g1": {"fired": "final"}, "gl": {"fired": "final", "directed": ["g1"]}},
        dice={"3.3.3/fpf": [4, 5]},
    )  # fmt: skip
    attack = Attack(("g1", "g2"), "E5", ("gl", "gm"))
    assert not objections(table, attack)
    fire(table, attack)
    checked = [found.inputs["unit"] for found in every(table.findings) if found.inputs.get("nmc")]
    assert checked == ["gl", "g1"]
    assert not table.state.units["gm"].broken


def test_3_3_3_a_machine_gun_that_joins_subsequent_first_fire_keeps_no_rate_and_leaves_its_residual_fp():
    """4 FP halved and the unmarked LMG's full 3 FP, both doubled, make 10.

    Column 8 leaves 4 Residual FP, although the coloured die is a 1.
    """
    table = defending(
        {"g1": ("467", "E4")}, weapons={"gw": ("german-lmg", "g1")}, states={"g1": {"fired": "first"}},
        dice={"3.3.3/sff": [5, 1]},
    )  # fmt: skip
    assert fire(table, Attack(("g1", "gw"), "E5")) == []
    assert table.state.weapons["gw"].fired == "final"
    assert table.state.residual == {"E5": 4}


@pytest.mark.rule("4.0/weapon-usage")
def test_4_0_a_squad_that_gave_up_its_own_fp_for_two_machine_guns_has_it_back_halved_in_subsequent_first_fire():
    table = defending(
        {"g1": ("467", "E4")}, weapons={"gw": ("german-lmg", "g1"), "gx": ("german-lmg", "g1")},
        states={"g1": {"gave_up": True, "used": ["gw", "gx"]}},
    )  # fmt: skip
    for id in ("gw", "gx"):
        table.state.weapons[id].fired = "first"
    attack = Attack(("g1", "gw", "gx"), "E5")
    assert not objections(table, attack)
    assert [share.fp for share in shares(table.situation, attack)] == [4, 3, 3]  # 4/2*2, 3/2*2, 3/2*2
    table.state.phase = "defensive"
    assert_rule(objections(table, Attack(("g1",), "E5")), "4.0/weapon-usage")


def test_3_2_3_a_leader_wounded_by_the_same_result_helps_nobody_in_it():
    """A K/2 hits the leader, who is wounded (dr 2) and passes the check; the squad checks without leadership."""
    table = a_table(
        {"rl": ("r 9-2", "E8"), "r1": ("447", "E8")},
        dice={"3.2.3/k": [1], "3.2.3/wounds": [2], "3.2.3/mc": [1, 2, 1, 2]},
    )  # fmt: skip
    units = table.state.units
    strike(table, 36, 7, [Aimed(units["rl"], ()), Aimed(units["r1"], ())])
    assert units["rl"].wounded
    check = next(f for f in table.findings if f.rule == "3.2.3/mc" and f.inputs["unit"] == "r1")
    assert [row["text"] for row in check.modifiers] == ["K/4"]


# --- ordnance -------------------------------------------------------------------------------------------------------


def test_6_2_smoke_of_a_light_mortar_takes_cx_and_leadership_on_its_to_hit_roll():
    table = a_table(
        {"g1": ("467", "E4"), "gl": ("g 9-2", "E4")}, weapons={"gw": ("german-mortar", "g1")},
        states={"g1": {"cx": True}},
    )  # fmt: skip
    one = component(table.situation, "gw")
    found = texts(hit_modifiers(table.situation, one, Attack(("gw",), "E8", ("gl",), how="smoke"), None))
    assert found == {"leadership": -2, "CX firer": 1}


def test_7_10_a_shaken_crew_adds_one_to_hit_infantry_and_not_two():
    table = a_table({"r1": ("447", "K5")}, vehicles={"g1": (PZ4, "K9", 1)}, armour={"g1": {"shaken": True}})
    one = component(table.situation, "g1ma")
    found = hit_modifiers(table.situation, one, Attack(("g1ma",), "K5"), table.state.units["r1"])
    assert sum(row.value for row in found if row.text == "shaken crew") == 1


def test_4_5_area_fire_of_a_tired_squad_counts_cx_and_leader_against_the_tank_in_the_hex_too():
    table = a_table(
        {"g1": ("467", "E4"), "gl": ("g 8-1", "E4"), "r2": ("447", "E8")}, weapons={"gw": ("german-mortar", "g1")},
        states={"g1": {"cx": True}}, vehicles={"r1": (T34, "E8", 1)},
    )  # fmt: skip
    one = component(table.situation, "gw")
    found = asides(table.situation, one, Attack(("gw",), "E8", ("gl",)))
    assert texts(found[0].hits) == {"leadership": -1, "CX firer": 1}


def test_3_2_4_he_at_an_exposed_crew_meets_woods_only_off_the_road_and_height_only_from_below():
    ground = a_ground({"woods": "K6"}, roads=["K9-K8-K7-K6-K5"])
    table = a_table(
        {"g1": ("228", "K9"), "g2": ("228", "M7")},
        weapons={"gw": ("german-75l-at", "g1"), "gx": ("german-75l-at", "g2")},
        facings={"gw": 1, "gx": 3}, vehicles={"r1": (T34, "K6", 1)}, armour={"r1": {"ce": True}}, ground=ground,
    )  # fmt: skip

    def tem(id, at="K6"):
        one = component(table.situation, id)
        found = asides(table.situation, one, Attack((id,), at))[0].hits
        return sum(row.value for row in found if row.rule in ("1.1.1", "1.1.1.4", "1.1.1.10/height-advantage"))

    assert tem("gw") == 0
    assert tem("gx") == 1
    high = a_table(
        {"g1": ("228", "K9")}, weapons={"gw": ("german-75l-at", "g1")}, facings={"gw": 1},
        vehicles={"r1": (T34, "K6", 1)}, armour={"r1": {"ce": True}}, ground=a_ground({}, hills=["K6"]),
    )  # fmt: skip
    table = high
    assert tem("gw") == 1


def test_4_2_flame_at_infantry_in_a_stone_house_meets_the_crew_of_the_tank_beside_it_with_2_not_3():
    table = a_table(
        {"g1": ("548", "E7"), "r2": ("447", "E8")}, weapons={"gw": ("german-ft", "g1")},
        vehicles={"r1": (T34, "E8", 1)}, armour={"r1": {"ce": True}}, ground=a_ground({"stone": "E8"}),
    )  # fmt: skip
    one = component(table.situation, "gw")
    found = crew_modifiers(table.situation, Attack(("gw",), "E8"), [one], table.state.vehicles["r1"])
    assert texts(found) == {"CE crew": 2}
    rifles = component(table.situation, "g1")
    found = crew_modifiers(table.situation, Attack(("g1",), "E8"), [rifles], table.state.vehicles["r1"])
    assert sum(row.value for row in found) == 3


def test_6_12_a_captured_automatic_gun_that_fires_directly_breaks_down_on_9_and_is_lost_on_11():
    table = a_table(
        {"r1": ("r228", "E4"), "g1": ("467", "E8")}, weapons={"rw": ("german-20l-aa", "r1")}, facings={"rw": 4},
        attacker="russian",
    )  # fmt: skip
    one = component(table.situation, "rwife")
    for manner, number in (("normal", 9), ("subsequent", 7)):
        assert number_now(table.situation, one, manner) == number
        assert removal_number(table.situation, one, manner) == 11
    own = a_table(
        {"g1": ("228", "E4"), "r1": ("447", "E8")}, weapons={"gw": ("german-20l-aa", "g1")}, facings={"gw": 4}
    )
    one = component(own.situation, "gwife")
    assert (number_now(own.situation, one, "normal"), removal_number(own.situation, one, "normal")) == (11, 13)


def test_6_2_smoke_after_a_panzerfaust_is_too_late():
    table = a_table(
        {"g1": ("467", "E7"), "g2": ("467", "E4"), "r2": ("447", "E8")}, weapons={"gw": ("german-mortar", "g2")},
        vehicles={"r1": (T34, "E8", 1)}, date="1944-08", dice={"4.4.2": [1], "3.2.4": [3, 4]},
    )  # fmt: skip
    table.state.pf_left = {"german": 3}
    smoke = Attack(("gw",), "E10", how="smoke")
    before = [found for found in objections(table, smoke) if "before all other" in str(found.english)]
    fire(table, Attack(("g1",), "E8", how="pf", target="r1"))
    after = [found for found in objections(table, smoke) if "before all other" in str(found.english)]
    assert not before and after


def test_6_4_machine_guns_of_a_tank_on_the_move_can_find_a_hidden_gun_beside_a_squad():
    """Bounding First Fire attacks all units in the hex, and an Original 2 affects the hidden crew at half FP."""
    table = a_table(
        {"r1": ("447", "K7"), "r2": ("r228", "K7")}, weapons={"rw": ("russian-45l-at", "r2")}, facings={"rw": 1},
        states={"r2": {"hidden": True}}, vehicles={"g1": (PZ4, "K9", 1)}, phase="movement",
        dice={"3.2.2": [1, 2]}, emplaced=False,
    )  # fmt: skip
    driving(table, "g1", ("K9", 8), stopped=True)
    attack = Attack(("g1bmg", "g1cmg"), "K7")
    assert not objections(table, attack)
    fire(table, attack)
    assert not table.state.units["r2"].hidden


# --- rout -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.6/interdiction", effect=True)
def test_3_6_a_buttoned_up_light_tank_interdicts_with_its_cannon_fired_directly_but_not_by_hitting():
    """BU affects only To Hit rolls: the 20 mm interdicts with 4 FP up to 16 hexes, but the Pz IV
    interdicts only with its MG."""
    table = a_table({"r1": ("447", "K1")}, vehicles={"g1": (PZ2, "K12", 1), "g2": (PZ4, "A12", 1)}, phase="rout")
    light = table.state.vehicles["g1"]
    for weapon in table.situation.weapons(light):
        weapon.malfunctioned = weapon.card.endswith("mg")
    assert vehicle_interdicts(table.situation, light, "K3")
    heavy = table.state.vehicles["g2"]
    for weapon in table.situation.weapons(heavy):
        weapon.malfunctioned = weapon.card.endswith("mg")
    assert not vehicle_interdicts(table.situation, heavy, "A3")
    heavy.ce = True
    assert vehicle_interdicts(table.situation, heavy, "A3")


@pytest.mark.parametrize(("smoke", "asked"), [("E5", False), ("E3", False), ("E6", False), ("K9", True)])
def test_3_6_smoke_before_behind_or_on_the_router_saves_it_from_interdiction(smoke, asked):
    table = a_table({"g1": ("467", "E3"), "r1": ("447", "E5")}, states={"r1": SHAKEN}, phase="rout")
    table.state.smoke = {smoke: [Smoke("wp_dispersed", "german")]}
    assert is_interdicted(table.situation, table.state.units["r1"], "E6", "E5") == asked


@pytest.mark.parametrize(
    ("states", "asked"),
    [({}, True), ({"cx": True}, False), ({"pinned": True}, False), (SHAKEN, False), ({"fired": "final"}, True)],
)
def test_3_6_only_rested_steady_units_interdict_but_fire_markers_do_not_matter(states, asked):
    table = a_table({"g1": ("467", "E3"), "r1": ("447", "E5")}, states={"r1": SHAKEN, "g1": states}, phase="rout")
    assert is_interdicted(table.situation, table.state.units["r1"], "E6", "E5") == asked


def test_3_6_a_router_under_fire_costs_1_more_in_smoke_and_keeps_3_pp():
    table = a_table(
        {"g1": ("467", "E2"), "r1": ("447", "E5")},
        weapons={"rw": ("russian-mmg", "r1"), "rx": ("russian-lmg", "r1")},
        states={"r1": SHAKEN}, phase="rout", ground=a_ground({"woods": "E8"}), dice={"3.6/interdiction": [1, 2]},
    )  # fmt: skip
    table.state.smoke = {"E6": [Smoke("dispersed", "russian")]}
    rout(table, table.state.units["r1"], RoutOrder("r1", ("E6", "E7", "E8")))
    unit = table.state.units["r1"]
    assert unit.at == "E8" and unit.rout_spent == 2 * (2 + 1 + 2)
    assert table.state.weapons["rw"].at == "E5" and table.state.weapons["rx"].holder == "r1"


# --- close combat ---------------------------------------------------------------------------------------------------


def test_3_8_a_leader_of_plus_1_directs_nobody_in_close_combat_against_his_will():
    table = a_table(
        {"g1": ("467", "E8"), "gl": ("g 6+1", "E8"), "r1": ("447", "E8")}, vehicles={"r2": (T34, "E8", 1)}
    )  # fmt: skip
    units = table.state.units
    own = [units["g1"], units["gl"]]
    assert texts(combat_modifiers(table.situation, own, [units["r1"]], "")) == {}
    assert "leadership" not in texts(vehicle_modifiers(table.situation, own, table.state.vehicles["r2"]))


def test_3_7_a_leader_named_first_helps_his_squad_to_go_for_a_tank_before_he_goes_himself():
    """With morale 7 and leadership -2, the squad passes its check on an Original 9."""
    table = a_table(
        {"gl": ("g 9-2", "E7"), "g1": ("467", "E7")}, vehicles={"r1": (T34, "E8", 1)}, phase="advance",
        dice={"3.7/paatc": [4, 5]},
    )  # fmt: skip
    advance(table, "german", AdvanceOrder(("gl", "g1"), "E8"))
    assert table.state.units["g1"].at == "E8" and table.state.units["gl"].at == "E8"


SHERMAN, PANTHER = "american-m4a1", "german-pz5g"


def in_turn(table, seat, used=(), attacked=()):
    about = {"sequential": True, "used": list(used), "attacked": list(attacked), "ambusher": ""}
    return CloseCombat(table.data, table.state, CloseCombat.make_ask(seat, subject="E8", about=about))


@pytest.mark.rule("3.8/sequence-vehicle", "3.8/vehicle-attack")
def test_3_8_the_machine_guns_of_a_tank_attack_together_or_apart_but_each_once():
    table = a_table(
        {"g1": ("467", "E8"), "g2": ("247", "E8")}, vehicles={"r1": (SHERMAN, "E8", 1)}, armour={"r1": {"ce": True}}
    )
    tank, whole = table.state.vehicles["r1"], Assault(("r1",), ("g1",))
    guns = [weapon.id for weapon in attack_weapons(table.situation, tank)]
    assert guns == ["r1cmg", "r1aamg"] and vehicle_strength(table.situation, tank) == 8
    apart = Assault(("r1cmg",), ("g2",))
    assert not list(in_turn(table, "russian").objections(CombatOrder("E8", (apart,))))
    used = spent_by(table.situation, apart, [])
    assert used == ["r1cmg"] and vehicle_strength(table.situation, tank, used) == 4
    left = in_turn(table, "russian", used, ["g2"])
    assert_rule(list(left.objections(CombatOrder("E8", (apart,)))), "3.8/sequence-vehicle")
    assert not list(left.objections(CombatOrder("E8", (whole,))))
    used += spent_by(table.situation, whole, used)
    assert used == guns
    over = in_turn(table, "russian", used)
    assert_rule(list(over.objections(CombatOrder("E8", (whole,)))), "3.8/sequence-vehicle")
    bow = CombatOrder("E8", (Assault(("r1bmg",), ("g1",)),))
    assert_rule(list(left.objections(bow)), "3.8/vehicle-attack")


def test_3_8_a_tank_alone_answers_with_its_close_defence_and_otherwise_fires_at_the_strongest_enemy():
    table = a_table({"r1": ("447", "E8"), "r2": ("458", "E8")}, vehicles={"g1": (PANTHER, "E8", 1)}, date="1944-08")
    assert in_turn(table, "german", (), ["g1"]).usual().attacks[0].how == "sn"
    first = in_turn(table, "german").usual().attacks[0]
    assert first.how == "" and first.units == ("g1",)
    after = in_turn(table, "german", ["g1sn"], ["g1"]).usual().attacks[0]
    assert after.how == ""


def test_3_8_sealed_attacks_against_a_tank_are_made_one_after_the_other_and_then_no_more():
    table = a_table({"g1": ("467", "E8"), "g2": ("467", "E8")}, vehicles={"r1": (T34, "E8", 1)})
    attacks = (Assault(("g1",), ("r1",)), Assault(("g2",), ("r1",)))
    table.state.sealed["german"] = Orders(combats=(CombatOrder("E8", attacks),))
    for used, wanted in (((), ("g1",)), (("g1",), ("g2",)), (("g1", "g2"), None)):
        asked = in_turn(table, "german", used)
        legal = [answer for answer, _ in asked.sealed_answers() if not any(asked.objections(answer))]
        assert (legal[0].attacks[0].units if legal[0].attacks else None) == wanted


# --- vehicles -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.3.2/mp-costs")
def test_3_3_2_a_turret_turns_once_with_the_mp_just_spent():
    table = a_table({}, vehicles={"g1": (PZ4, "K9", 1)}, phase="movement")
    driving(table, "g1", ("K9", 2))
    tank = table.state.vehicles["g1"]
    assert not list(step_objections(table.situation, tank, Leg("turret", number=2)))
    turn_turret(table, tank, 2)
    assert_rule(list(step_objections(table.situation, tank, Leg("turret", number=1))), "3.3.2/mp-costs")
    tank.going.spent += 2
    tank.going.here += 2
    assert not list(step_objections(table.situation, tank, Leg("turret", number=1)))


def test_4_3_a_charge_that_proves_a_dud_is_not_told_to_have_destroyed_the_tank():
    """The position number is 7; then a To Kill roll of 10 is a dud because of X10, whatever the number."""
    dice = {"4.3/vs-afv": [3, 4], "7.9": [4, 6]}
    table = a_table({}, vehicles={"r1": (T34, "E8", 1)}, phase="advancing", dice=dice)
    table.state.charges = [Charge("gw", "E8", "E9", False, 10, "r1")]
    detonate_all(table, [charge.weapon for charge in table.state.charges])
    assert "r1" in table.state.vehicles
    assert not [found for found in every(table.findings) if found.result == "destroyed"]


def test_3_3_2_1_an_engine_that_fails_in_the_attempt_is_never_shown_in_motion():
    card = "russian-kv-1-m41"
    table = a_table(
        {"g1": ("467", "K5")}, vehicles={"r1": (card, "K9", 1)}, phase="movement",
        dice={"3.3.2.1": [1], "3.3.2/mechanical-reliability": [6, 6]},
    )  # fmt: skip
    moving_in(table, ["g1"], trail=[("K5", 4)])
    assert table.situation.vehicle_card(table.state.vehicles["r1"]).unreliable
    try_motion(table, table.state.vehicles["r1"])
    shown = [show for found in every(table.findings) for show in found.shows]
    last = {(one.who, one.what): one.now for one in shown if type(one).__name__ == "Change"}
    assert not table.state.vehicles["r1"].motion and not last.get(("r1", "motion"))


def test_7_10_a_new_shock_under_uk_starts_again_and_a_stun_survives_it():
    table = a_table({}, vehicles={"r1": (T34, "E8", 1)}, dice={"7.10/shock-recovery": [4, 3, 6]}, phase="rally")
    tank = table.state.vehicles["r1"]
    shock(table, tank)
    recover_shock(table, "russian")
    assert tank.shock == "uk"
    shock(table, tank)
    assert tank.shock == "shock"
    recover_shock(table, "russian")  # 3: UK again, not cured
    assert tank.shock == "uk"
    recover_shock(table, "russian")
    assert "r1" not in table.state.vehicles and table.state.wrecks


@pytest.mark.rule("7.10/stun", "3.8/end-of-phase", effect=True)
def test_7_10_a_one_man_turret_that_is_stunned_is_recalled_shaken_and_never_opens_again():
    table = a_table({"g1": ("467", "E4")}, vehicles={"r1": (BA64, "E8", 1)}, armour={"r1": {"ce": True}})
    car = table.state.vehicles["r1"]
    assert not objections(table, Attack(("g1",), "E8"))
    stun(table, car)
    settle_stuns(table)
    assert car.recalled and car.shaken and car.no_ce and not car.ce


def test_3_3_5_residual_fp_attacks_again_only_when_the_mover_is_worse_off():
    """Assault Movement in the open gives -1, and nothing changes when smoke clears.

    Once the unit is broken, FFMO and FFNAM give -2, and it is attacked again.
    """
    table = defending({"g1": ("467", "E2")}, dice={"3.3.5": [6, 5] * 4})
    table.state.residual = {"E5": 2}
    unit = table.state.units["r1"]
    unit.going.assault = True
    residual_attack(table, [unit])
    residual_attack(table, [unit])
    attacks = [found for found in table.findings if found.rule == "3.3.5"]
    assert len(attacks) == 1
    unit.going.assault = False
    residual_attack(table, [unit])
    assert len([found for found in table.findings if found.rule == "3.3.5"]) == 2


# --- more of several chapters ---------------------------------------------------------------------------------------


def test_3_3_5_a_pinned_mover_meets_residual_fp_without_ffmo_and_ffnam_and_a_flamethrower_still_counts():
    table = defending({"g1": ("467", "E2")}, weapons={"rw": ("russian-ft", "r1")})
    unit = table.state.units["r1"]
    assert texts(residual_modifiers(table.situation, unit)) == {
        "FFMO": -1, "FFNAM": -1, "target carries a flamethrower": -1,
    }  # fmt: skip
    unit.pinned = True
    assert texts(residual_modifiers(table.situation, unit)) == {"target carries a flamethrower": -1}


def test_3_3_5_behind_a_wreck_residual_fp_meets_cover_and_no_ffmo_until_the_wreck_itself_moved():
    table = defending({"g1": ("467", "E2")})
    table.state.wrecks = [Wreck("r9", T34, "russian", "E5")]
    assert texts(residual_modifiers(table.situation, table.state.units["r1"])) == {"AFV or wreck": 1, "FFNAM": -1}
    table.state.wrecks = [Wreck("r9", T34, "russian", "E5", moved=True)]
    assert texts(residual_modifiers(table.situation, table.state.units["r1"])) == {"FFMO": -1, "FFNAM": -1}


@pytest.mark.rule("3.2.2/leader-direction", "6.9")
def test_6_9_a_pinned_leader_directs_no_mortar_and_a_mortar_has_a_least_range_and_no_roof():
    table = a_table(
        {"g1": ("467", "E4"), "gl": ("g 9-2", "E4"), "r1": ("447", "E5"), "r2": ("447", "E8")},
        weapons={"gw": ("german-mortar", "g1")}, states={"gl": {"pinned": True}},
    )  # fmt: skip
    assert_rule(objections(table, Attack(("gw",), "E8", ("gl",))), "3.2.2/leader-direction")
    assert_rule(objections(table, Attack(("gw",), "E5")), "6.9")
    roofed = a_table(
        {"g1": ("467", "E4"), "r2": ("447", "E8")}, weapons={"gw": ("german-mortar", "g1")},
        ground=a_ground({"stone": "E4"}),
    )  # fmt: skip
    assert_rule(objections(roofed, Attack(("gw",), "E8")), "6.9")


def test_4_3_a_charge_spares_no_friend_and_a_tired_placer_adds_one_behind_stone():
    """30 FP and an Original 5 with +3 and +1 make 9, a 3MC on column 30; the German in the building is hit too."""
    table = a_table(
        {"r1": ("447", "E8"), "g2": ("467", "E8")}, phase="advancing", ground=a_ground({"stone": "E8"}),
        dice={"4.3/detonation": [2, 3], "3.2.3/mc": [1, 1, 1, 1]},
    )  # fmt: skip
    table.state.charges = [Charge("gw", "E8", "E9", True, 12, "")]
    detonate_all(table, [charge.weapon for charge in table.state.charges])
    blast = next(found for found in table.findings if found.rule == "4.3/detonation")
    assert blast.inputs["against"] == {"r1": 4, "g2": 4}
    assert set(blast.result) == {"r1", "g2"}


@pytest.mark.parametrize(("bogged", "dice", "state"), [("bogged", [1, 5], "mired"), ("mired", [1, 5], "immobilized")])
def test_7_6_a_tank_that_is_mired_adds_one_when_it_tries_again(bogged, dice, state):
    table = a_table({}, vehicles={"g1": (PZ4, "K9", 1)}, armour={"g1": {"bogged": bogged}}, phase="movement",
                    dice={"7.6/unbog": dice})  # fmt: skip
    driving(table, "g1", ("K9", 0), stopped=True, started=False)
    tank = table.state.vehicles["g1"]
    free_itself(table, tank)
    assert (tank.bogged or "immobilized") == state and tank.immobilized == (state == "immobilized")


def test_7_6_a_tank_freed_for_all_its_mp_stays_in_motion_in_the_hex_and_is_a_moving_target():
    """Freeing the tank with a white 4 and a coloured 4 costs 16 MP, more than the 13 that it has."""
    table = a_table({}, vehicles={"g1": (PZ4, "K9", 1)}, armour={"g1": {"bogged": "bogged"}}, phase="movement",
                    dice={"7.6/unbog": [4, 4]})  # fmt: skip
    driving(table, "g1", ("K9", 0), stopped=True, started=False)
    tank = table.state.vehicles["g1"]
    free_itself(table, tank)
    assert not tank.bogged and not tank.stopped and tank.going.over and tank.going.spent == tank.going.allowance


@pytest.mark.rule("3.3.2.2")
def test_3_3_2_2_a_tank_that_has_fired_its_machine_gun_on_the_way_fires_its_gun_only_from_there():
    table = a_table({"r1": ("447", "K5")}, vehicles={"g1": (PZ4, "K8", 1)}, phase="movement")
    driving(table, "g1", ("K9", 2), ("K8", 2))
    tank = table.state.vehicles["g1"]
    fire(table, Attack(("g1cmg",), "K5"))
    assert tank.fired_from == "K8"
    assert not objections(table, Attack(("g1ma",), "K5"))
    tank.at, tank.going.spent = "K7", 6
    assert_rule(objections(table, Attack(("g1ma",), "K5")), "3.3.2.2")


@pytest.mark.rule("def/latw", effect=True)
def test_4_4_3_backblast_in_a_house_strikes_the_leader_who_directed_it_and_breaks_him_by_the_coloured_die():
    """A coloured 4 on column 1 is an NMC for all units in the building, and the leader (morale 8) rolls an 11."""
    table = a_table(
        {"g1": ("467", "E4"), "gl": ("g 8-0", "E4")}, weapons={"gw": ("german-psk", "g1")},
        vehicles={"r1": (T34, "E6", 1)}, ground=a_ground({"stone": "E4"}),
        dice={"3.2.4": [6, 4], "3.2.3/nmc": [5, 6, 1, 2]}, date="1944-08",
    )  # fmt: skip
    attack = Attack(("gw",), "E6", ("gl",), target="r1", blast=True)
    assert not objections(table, attack)
    fire(table, attack)
    assert table.state.units["gl"].broken and not table.state.units["g1"].broken


def test_3_7_a_tired_squad_does_not_advance_uphill_into_woods_and_smoke_costs_nothing_in_an_advance():
    table = a_table(
        {"g1": ("467", "E7")}, states={"g1": {"cx": True}}, phase="advance",
        ground=a_ground({"woods": "E8"}, hills=["E8"]),
    )  # fmt: skip
    advance(table, "german", AdvanceOrder(("g1",), "E8"))
    assert table.state.units["g1"].at == "E7"
    free = a_table(
        {"g1": ("467", "E7")}, states={"g1": {"cx": True}}, phase="advance", ground=a_ground({"woods": "E8"})
    )
    free.state.smoke = {"E8": [Smoke("full", "russian")]}
    advance(free, "german", AdvanceOrder(("g1",), "E8"))
    assert free.state.units["g1"].at == "E8"


def test_5_1_a_stack_that_loses_its_leader_checks_and_a_squad_that_fails_by_more_than_its_elr_is_replaced_reduced():
    """The 9-2 dies, so the squad checks with +2; an Original 12 breaks and reduces it, and its
    half-squad is replaced.
    """
    table = a_table(
        {"rl": ("r 9-2", "E8"), "r1": ("458", "E8")}, elr=2,
        dice={"3.2.3/kia": [1], "3.2.3/llmc": [6, 6]},
    )  # fmt: skip
    eliminated = Aftermath(before=note_leaders(table.situation, [table.state.units["rl"]]))
    eliminate(table, table.state.units["rl"], "3.2.3/kia", eliminated)
    leader_losses(table, eliminated)
    squad = table.state.units["r1"]
    assert squad.broken and squad.dm and table.situation.card(squad).kind == "half"
    assert any(found.rule == "5.1" for found in table.findings)


@pytest.mark.rule("4.3/detonation")
@pytest.mark.parametrize(("lines", "first"), [((), "4.3/detonation"), (("g1 fire at E8", "detonate gw1"), "3.2.2")])
def test_4_3_a_charge_goes_off_before_advancing_fire_or_where_the_list_says(lines, first):
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")}, weapons={"gw1": ("german-dc", "")}, phase="advancing")
    table.state.charges = [Charge("gw1", "E8", "E9", False, 12, "")]
    asked = AdvancingFire(table.data, table.state, AdvancingFire.make_ask("german"))
    orders = asked.decode(asked.read_text("\n".join(lines or ("g1 fire at E8",))).answer)
    assert list(asked.sentence(orders)) == list(lines or ("g1 fire at E8",))
    table.state.sealed["german"] = orders
    list(advancing_fire_phase(table))
    rules = [found.rule for found in table.findings if found.rule in ("4.3/detonation", "3.2.2")]
    assert rules[0] == first and "4.3/detonation" in rules and not table.state.charges
    assert_rule(table.findings, "4.3/detonation")
