"""Places, states and procedures that meet; each answer was worked out by hand from the rulebook first."""

from __future__ import annotations

import msgspec
import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, driving, enter, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.attacks import ambush_modifiers, total_strength
from pbem.titles.aslsk.fire.attack import cowering_of
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.effects import Aimed, strike
from pbem.titles.aslsk.fire.firepower import shares
from pbem.titles.aslsk.fire.modifiers import Modifier, fire_modifiers, residual_modifiers
from pbem.titles.aslsk.fire.phases import settle_cover
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import advance
from pbem.titles.aslsk.movement.phase import settle, start_mover
from pbem.titles.aslsk.orders import AdvanceOrder, Leg, MoveOrder, Orders, RallyOrders, RoutOrder
from pbem.titles.aslsk.ordnance.to_hit import hit_modifiers, hit_number
from pbem.titles.aslsk.rally.phase import repair_all
from pbem.titles.aslsk.rout.decision import Rout
from pbem.titles.aslsk.rout.interdiction import vehicle_interdicts
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.sequence import turn_end
from pbem.titles.aslsk.state import Smoke, Weapon, Wreck
from pbem.titles.aslsk.vehicles.driving import park, way_home
from pbem.titles.aslsk.vehicles.reactions import try_motion
from pbem.titles.aslsk.vehicles.status import stun
from pbem.titles.aslsk.vehicles.steps import enter as drive_into
from pbem.titles.aslsk.vehicles.steps import step_objections

T34, PZ4, KV = "russian-t34-85", "german-pz4h", "russian-kv-1e"
SHAKEN = {"broken": True, "dm": True}


def objections(table, attack, seat="german"):
    return list(attack_objections(table.situation, seat, attack))


def drms(table, attack, target):
    firers = [component(table.situation, id) for id in attack.components]
    return {row.text: row.value for row in fire_modifiers(table.situation, attack, firers, table.state.units[target])}


# --- smoke, height and hindrances -----------------------------------------------------------------------------------


def test_1_2_5_fire_out_of_smoke_into_smoke_through_a_wreck():
    """Firing out of dispersed smoke is +2 and +1, into WP +2, past a wreck +1; smoke in the target
    hex is separate.
    """
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E7")})
    table.state.smoke = {"E4": [Smoke("dispersed", "german")], "E7": [Smoke("wp", "russian")]}
    table.state.wrecks = [Wreck("r9", T34, "russian", "E6")]
    found = drms(table, Attack(("g1",), "E7"), "r1")
    assert found == {"hindrance": 4, "Smoke in the target hex": 2}
    table.state.wrecks = [msgspec.structs.replace(table.state.wrecks[0], moved=True)]
    assert drms(table, Attack(("g1",), "E7"), "r1")["hindrance"] == 3
    settle_cover(table)
    assert drms(table, Attack(("g1",), "E7"), "r1")["hindrance"] == 4


def test_1_2_5_smoke_on_a_mover_cancels_ffmo_also_for_residual_fp_but_lowers_none():
    """Residual FP has Smoke +2 and FFNAM -1, but no FFMO; 4 FP still leaves 2 despite smoke in the target hex."""
    table = a_table(
        {"g1": ("467", "E5"), "r1": ("447", "E8")}, phase="movement", attacker="russian", dice={"3.2.2": [3, 4]}
    )
    moving_in(table, ["r1"])
    table.state.smoke = {"E8": [Smoke("grenade", "russian")]}
    found = residual_modifiers(table.situation, table.state.units["r1"])
    assert {row.text: row.value for row in found} == {"Smoke in the hex": 2, "FFNAM": -1}
    fire(table, Attack(("g1",), "E8"))
    assert table.state.residual == {"E8": 2}


def test_3_3_5_a_hindrance_on_the_way_and_a_tired_firer_lower_residual_fp():
    """An attack with 8 FP leaves 4 Residual FP, one through an orchard hex leaves 2, and by a CX firer as well 1."""
    for states, residual in (({}, 2), ({"g1": {"cx": True}}, 1)):
        table = a_table(
            {"g1": ("467", "E5"), "g2": ("467", "E5"), "r1": ("447", "E8")}, phase="movement", attacker="russian",
            ground=a_ground({"orchard": "E7"}), states=states, dice={"3.2.2": [3, 4]},
        )  # fmt: skip
        moving_in(table, ["r1"])
        fire(table, Attack(("g1", "g2"), "E8"))
        assert table.state.residual == {"E8": residual}


@pytest.mark.rule("1.1.1.10/height-advantage", effect=True)
def test_1_1_1_10_a_group_on_both_levels_gives_height_advantage_unless_the_mover_has_just_climbed_that_side():
    table = a_table(
        {"g1": ("467", "E5"), "g2": ("467", "E6"), "r1": ("447", "E7")},
        ground=a_ground({}, hills=["E6", "E7"]), phase="movement", attacker="russian",
    )  # fmt: skip
    moving_in(table, ["r1"], climbed=True, came_from="E8")
    assert drms(table, Attack(("g1", "g2"), "E7"), "r1") == {"height advantage": 1, "FFNAM": -1}
    low = a_table(
        {"g1": ("467", "E5"), "r1": ("447", "E6")}, ground=a_ground({}, hills=["E6"]), phase="movement",
        attacker="russian",
    )  # fmt: skip
    moving_in(low, ["r1"], climbed=True, came_from="E5")
    assert drms(low, Attack(("g1",), "E6"), "r1") == {"FFMO": -1, "FFNAM": -1}


# --- markers, groups, leaders ---------------------------------------------------------------------------------------


def test_3_2_2_a_group_in_two_hexes_with_one_leader_cowers_and_takes_no_leadership():
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E5"), "gl": ("g 9-2", "E4"), "r1": ("447", "E8")})
    attack = Attack(("g1", "g2"), "E8")
    firers = [component(table.situation, id) for id in attack.components]
    assert cowering_of(table.situation, attack, [(one, "normal") for one in firers]) == 1
    assert objections(table, Attack(("g1", "g2"), "E8", ("gl",)))
    assert not objections(table, Attack(("g1",), "E8", ("gl",)))


def test_3_3_3_final_protective_fire_is_halved_doubled_and_paid_by_the_leader_first():
    """4 FP halved and doubled uses column 4; an Original 9 first breaks the leader (morale 8), who
    then cannot help.
    """
    table = a_table(
        {"g1": ("467", "E4"), "gl": ("g 8-1", "E4"), "r1": ("447", "E5")}, phase="movement", attacker="russian",
        states={"g1": {"fired": "final"}, "gl": {"fired": "final", "directed": ["g1"]}}, dice={"3.3.3/fpf": [4, 5]},
    )  # fmt: skip
    moving_in(table, ["r1"])
    attack = Attack(("g1",), "E5", ("gl",))
    assert not objections(table, attack)
    assert sum(share.fp for share in shares(table.situation, attack)) == 4
    fire(table, attack)
    checked = [found.inputs["unit"] for found in table.findings[-1].children if found.inputs.get("nmc")]
    assert checked == ["gl", "g1"]
    assert table.state.units["gl"].broken and table.state.units["g1"].broken


@pytest.mark.rule("3.3.3/sff")
def test_3_3_3_a_broken_enemy_that_is_nearer_forbids_subsequent_first_fire():
    table = a_table(
        {"g1": ("467", "E4"), "r1": ("447", "E7"), "r2": ("447", "E6")}, phase="movement", attacker="russian",
        states={"g1": {"fired": "first"}, "r2": SHAKEN},
    )  # fmt: skip
    moving_in(table, ["r1"])
    assert_rule(
        objections(table, Attack(("g1",), "E7")), "3.3.3/sff", why="g1 cannot fire at E7: it sees a nearer enemy"
    )
    table.state.units["r2"].at = "D6"
    assert table.situation.ground.distance("E4", "D6") == 3
    assert not objections(table, Attack(("g1",), "E7"))


@pytest.mark.rule("3.3.3/status-during-dff", effect=True)
def test_3_3_3_a_pinned_mover_is_spared_ffmo_and_ffnam_until_it_breaks():
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E7")}, phase="movement", attacker="russian")
    moving_in(table, ["r1"], assault=True)
    mover = table.state.units["r1"]
    assert drms(table, Attack(("g1",), "E7"), "r1") == {"FFMO": -1}
    mover.pinned = True
    assert drms(table, Attack(("g1",), "E7"), "r1") == {}
    mover.pinned, mover.broken = False, True
    assert drms(table, Attack(("g1",), "E7"), "r1") == {"FFMO": -1, "FFNAM": -1}


@pytest.mark.rule("1.2.4.1", effect=True)
def test_1_2_4_1_a_weapon_keeps_no_rate_when_it_cowers_or_its_user_is_pinned():
    for dice, states, fired in (([1, 1], {}, "prep"), ([2, 1], {"g1": {"pinned": True}}, "prep"), ([2, 1], {}, "")):
        table = a_table(
            {"g1": ("467", "E4"), "r1": ("447", "E8")}, weapons={"gw": ("german-hmg", "g1")}, states=states,
            dice={"3.2.2": dice},
        )  # fmt: skip
        fire(table, Attack(("gw",), "E8"))
        assert table.state.weapons["gw"].fired == fired


# --- casualties -----------------------------------------------------------------------------------------------------


def test_3_2_3_kia_takes_its_number_breaks_the_others_and_costs_the_broken_a_half():
    table = a_table(
        {"r1": ("447", "E8"), "r2": ("447", "E8"), "r3": ("447", "E8")}, states={"r3": SHAKEN},
        dice={"3.2.3/kia": [1]},
    )  # fmt: skip
    strike(table, 36, 6, [Aimed(unit, ()) for unit in list(table.state.units.values())])  # 1KIA
    alive = {unit.id: (unit.broken, unit.card) for unit in table.state.units.values()}
    assert len(alive) == 2 and all(broken for broken, _ in alive.values())
    if "r3" in alive:
        assert alive["r3"][1] == "russian-half-237"
    gone = a_table({"r1": ("447", "E8")})
    strike(gone, 36, 0, [Aimed(gone.state.units["r1"], ())])  # 7KIA against one unit
    assert not gone.state.units


def test_3_2_3_targets_with_different_modifiers_are_hit_apart():
    """Targets with different modifiers get separate results: on column 36 a Final 7 is K/4, and a Final
    10 is a 2MC."""
    table = a_table({"r1": ("447", "E8"), "r2": ("447", "E8")}, dice={"3.2.3/mc": [1, 1, 1, 1]})
    units = table.state.units
    aimed = [Aimed(units["r1"], ()), Aimed(units["r2"], (Modifier("1.1.1.2", "stone building", 3),))]
    cells = strike(table, 36, 7, aimed)
    assert {id: str(cell) for id, cell in cells.items()} == {"r1": "K/4", "r2": "2MC"}
    assert units["r1"].card == "russian-half-237" and units["r2"].card == "russian-447"


def test_6_7_a_critical_hit_on_a_gun_leaves_the_squad_beside_it_an_ordinary_hit():
    table = a_table(
        {"g1": ("228", "E4"), "r1": ("r228", "E8"), "r2": ("447", "E8")},
        weapons={"gw": ("german-75l-at", "g1"), "rw": ("russian-76l-art", "r1")}, facings={"gw": 4, "rw": 1},
        dice={"3.2.4": [1, 1], "6.1": [1], "3.2.4/effects": [6, 6]}, emplaced=False,
    )  # fmt: skip
    fire(table, Attack(("gw",), "E8"))
    if "r1" not in table.state.units:
        assert "rw" not in table.state.weapons
        assert_rule(table.findings, "6.7", inputs={"weapon": "rw"}, result="destroyed by a critical hit")
    effects = list(carried_rule(table.findings, "3.2.4/effects"))
    assert effects and effects[0].cell["column"] == 12


def carried_rule(findings, rule):
    for finding in findings:
        if finding.rule == rule:
            yield finding
        yield from carried_rule(finding.children, rule)


# --- captured and untrained -----------------------------------------------------------------------------------------


@pytest.mark.rule("def/non-qualified-use", effect=True)
def test_5_5_a_squad_that_fires_a_captured_gun_pays_for_both():
    """Red numbers apply, To Hit is +2 and +2, ROF drops by two and B12 drops to B8, and the weapon
    cannot be repaired."""
    table = a_table(
        {"g1": ("467", "E4"), "r1": ("447", "E8")}, weapons={"gw": ("russian-76l-art", "g1")}, facings={"gw": 4},
        dice={"3.2.4": [4, 4], "3.1/c-repair": [1]},
    )  # fmt: skip
    one = component(table.situation, "gw")
    found = hit_modifiers(table.situation, one, Attack(("gw",), "E8"), table.state.units["r1"])
    assert {row.text: row.value for row in found} == {"captured weapon": 2, "no crew": 2}
    assert hit_number(table.situation, one, Attack(("gw",), "E8")) == 8
    fire(table, Attack(("gw",), "E8"))
    assert table.state.weapons["gw"].malfunctioned
    repair_all(table, "german", RallyOrders())
    assert table.state.weapons["gw"].malfunctioned and not table.state.units["g1"].acted


def test_6_6_a_gunshield_does_not_help_against_a_group_with_one_member_outside_the_arc():
    table = a_table(
        {"g1": ("467", "E6"), "g2": ("467", "D6"), "r1": ("r228", "E7")}, weapons={"rw": ("russian-45l-at", "r1")},
        facings={"rw": 1}, emplaced=False,
    )  # fmt: skip
    assert drms(table, Attack(("g1",), "E7"), "r1") == {"gunshield": 2}
    outside = not table.situation.ground.in_arc("E7", 1, "D6")
    assert drms(table, Attack(("g1", "g2"), "E7"), "r1") == ({} if outside else {"gunshield": 2})


# --- rout, advance, close combat ------------------------------------------------------------------------------------


def test_3_6_a_low_crawl_in_the_open_under_guns_is_not_interdicted():
    table = a_table(
        {"g1": ("467", "E3"), "r1": ("447", "E6")},
        states={"r1": SHAKEN},
        phase="rout",
        dice={"3.6/interdiction": [6, 6]},
    )
    rout(table, table.state.units["r1"], RoutOrder("r1", ("E7",), crawl=True))
    assert table.state.units["r1"].at == "E7"
    assert not [found for found in table.findings if found.rule == "3.6/interdiction"]
    run = a_table({"g1": ("467", "E3"), "r1": ("447", "E6")}, states={"r1": SHAKEN}, phase="rout",
                  dice={"3.6/interdiction": [6, 6]})  # fmt: skip
    rout(run, run.state.units["r1"], RoutOrder("r1", ("E7",)))
    assert "r1" not in run.state.units


@pytest.mark.rule("3.6/leader-rout")
def test_3_6_a_leader_routs_with_one_unit_only():
    table = a_table(
        {"r1": ("447", "E6"), "r2": ("447", "E7"), "rl": ("r 8-1", "E6"), "g1": ("467", "E2")},
        states={"r1": SHAKEN, "r2": SHAKEN}, phase="rout", ground=a_ground({"woods": "E7 E8"}),
    )  # fmt: skip
    rout(table, table.state.units["r1"], RoutOrder("r1", ("E7",), leader="rl"))
    assert table.state.units["rl"].at == "E7"
    decision = Rout(table.data, table.state, Rout.make_ask("russian", subject="r2", about={}))
    assert_rule(list(decision.objections(RoutOrder("r2", ("E8",), leader="rl"))), "3.6/leader-rout")


def test_3_6_a_crew_that_stands_in_the_hatch_of_a_restricted_turret_interdicts_nobody_with_its_gun():
    table = a_table(
        {"g1": ("467", "K6")}, vehicles={"r1": (KV, "K9", 4)}, armour={"r1": {"ce": True, "tca": 1}}, phase="rout"
    )
    tank = table.state.vehicles["r1"]
    assert not table.situation.ground.in_arc("K9", tank.vca, "K6")
    assert not vehicle_interdicts(table.situation, tank, "K6")
    tank.ce = False
    assert vehicle_interdicts(table.situation, tank, "K6")  # its coaxial MG


def test_3_7_a_loaded_squad_that_advances_on_a_tank_with_its_leader_is_not_exhausted():
    """With an HMG (4 PP) the squad has 3 MF alone and 6 with the leader; a 2 MF hex on a hill costs 4."""
    table = a_table(
        {"g1": ("467", "E7"), "gl": ("g 9-1", "E7")}, weapons={"gw": ("german-hmg", "g1")},
        vehicles={"r1": (T34, "E8", 1)}, ground=a_ground({"woods": "E8"}, hills=["E8"]), phase="advance",
        dice={"3.7/paatc": [1, 2]},
    )  # fmt: skip
    advance(table, "german", AdvanceOrder(("g1", "gl"), "E8"))
    assert table.state.units["g1"].at == "E8" and not table.state.units["g1"].cx
    alone = a_table(
        {"g1": ("467", "E7")}, weapons={"gw": ("german-hmg", "g1")}, vehicles={"r1": (T34, "E8", 1)},
        ground=a_ground({"woods": "E8"}, hills=["E8"]), phase="advance", dice={"3.7/paatc": [1, 2]},
    )  # fmt: skip
    advance(alone, "german", AdvanceOrder(("g1",), "E8"))
    assert alone.state.units["g1"].cx


def test_3_8_ambush_counts_a_buttoned_tank_three_and_halves_a_pinned_attacker():
    table = a_table(
        {"g1": ("467", "E8"), "r2": ("447", "E8")}, vehicles={"r1": (T34, "E8", 1)}, ground=a_ground({"woods": "E8"}),
        states={"g1": {"pinned": True}},
    )  # fmt: skip
    theirs = ambush_modifiers(table.situation, "E8", "russian")
    assert {row.text: row.value for row in theirs} == {"buttoned up": 1, "vehicle": 2}
    assert {row.text for row in ambush_modifiers(table.situation, "E8", "german")} == {"pinned"}
    squad = [table.state.units["g1"]]
    assert (
        total_strength(table.situation, squad, attacks=True),
        total_strength(table.situation, squad, attacks=False),
    ) == (2, 4)


# --- movement -------------------------------------------------------------------------------------------------------


def test_5_4_a_green_squad_that_loses_its_leader_on_the_way_keeps_the_4_mf_it_started_with():
    table = a_table({"g1": ("536", "E8"), "gl": ("a 8-0", "E8")}, phase="movement")
    order = MoveOrder(("g1", "gl"), enter("E7", "E6", "E5", "E4", "E3"))
    table.state.sealed["german"] = Orders(moves=(order,))
    start_mover(table, order, 0)
    squad = table.state.units["g1"]
    assert squad.going.allowance == 12
    table.state.units["gl"].broken = True
    settle(table, order.legs[0])
    assert table.situation.is_inexperienced(squad) and squad.going.allowance == 8


@pytest.mark.rule("3.3.2/minimum-move", effect=True)
@pytest.mark.rule("3.3.2/mp-costs")
def test_3_3_2_a_tank_in_motion_that_has_turned_makes_no_minimum_move():
    table = a_table(
        {}, vehicles={"g1": (PZ4, "K9", 1)}, armour={"g1": {"motion": True}}, phase="movement",
        ground=a_ground({"woods": "K8"}, hills=["K8"]),
    )  # fmt: skip
    driving(table, "g1", ("K9", 0))
    tank = table.state.vehicles["g1"]
    leg = Leg("enter", "K8", whole=True)
    assert not list(step_objections(table.situation, tank, leg))
    tank.going.spent = 2  # one hexspine
    assert_rule(list(step_objections(table.situation, tank, leg)), "3.3.2/mp-costs")


def test_1_1_1_4_a_tank_in_motion_that_enters_woods_for_all_its_mp_may_stop_there():
    table = a_table(
        {}, vehicles={"g1": (PZ4, "K9", 1)}, armour={"g1": {"motion": True}}, phase="movement",
        ground=a_ground({"woods": "K8"}), dice={"7.6": [1, 2]},
    )  # fmt: skip
    driving(table, "g1", ("K9", 0))
    tank = table.state.vehicles["g1"]
    drive_into(table, tank, Leg("enter", "K8", whole=True))
    for _ in park(table, tank, lambda table: iter(()), motion=False):
        pass
    assert tank.going.stopped


def test_7_10_a_recalled_tank_with_its_crew_exposed_goes_round_a_building():
    table = a_table(
        {}, vehicles={"g1": (PZ4, "K3", 1)}, armour={"g1": {"recalled": True, "ce": True}}, phase="movement",
        ground=a_ground({"stone": "K1 K2"}),
    )  # fmt: skip
    way = way_home(table.situation, table.state.vehicles["g1"])
    assert way and not {"K1", "K2"} & set(way)


def test_3_3_2_1_a_tank_that_already_faces_the_mover_does_not_turn_when_it_gets_into_motion():
    for facing in (0, 1, 2):
        table = a_table(
            {"r1": ("447", "K5")}, vehicles={"g1": (PZ4, "K9", facing)}, phase="movement", attacker="russian",
            dice={"3.3.2.1": [1]},
        )  # fmt: skip
        moving_in(table, ["r1"], trail=[("K5", 4)])
        towards = table.situation.ground.arcs_to("K9", "K5")
        tank = table.state.vehicles["g1"]
        try_motion(table, tank)
        assert tank.motion and (tank.vca == facing if facing in towards else tank.vca in towards)


@pytest.mark.rule("7.10/recall")
def test_7_10_a_second_stun_in_the_same_player_turn_means_recall():
    table = a_table({}, vehicles={"g1": (PZ4, "K9", 1)})
    tank = table.state.vehicles["g1"]
    stun(table, tank)
    assert tank.stun == "stun"
    stun(table, tank)
    assert tank.stun == "STUN"
    assert_rule(table.findings, "7.10/recall", inputs={"vehicle": "g1"}, result="STUN")


# --- the end --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("half", "attacker", "over"), [(True, "german", True), (False, "german", False), (False, "russian", True)]
)
def test_3_9_a_half_last_turn_ends_after_the_first_side(half, attacker, over):
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")}, attacker=attacker)
    table.data.scenario = msgspec.structs.replace(table.data.scenario, half_turn=half)
    table.state.turn = table.data.scenario.turns
    list(turn_end(table))
    assert any(found.rule == "3.9" for found in table.findings) == over


def test_7_8_a_gun_of_a_tank_that_is_bogged_fires_by_its_turret_and_not_by_its_bow():
    table = a_table({"r1": ("447", "K6")}, vehicles={"g1": (PZ4, "K9", 4)}, armour={"g1": {"bogged": "bogged"}})
    assert not objections(table, Attack(("g1ma",), "K6"))
    assert_rule(objections(table, Attack(("g1bmg",), "K6")), "7.10/immobilized")


def test_4_0_a_weapon_of_a_broken_squad_is_silent_until_it_is_dropped_on_the_rout_and_recovered_by_the_enemy():
    table = a_table(
        {"r1": ("447", "E6"), "g1": ("467", "E4")},
        weapons={"rw": ("russian-hmg", "r1"), "rx": ("russian-lmg", "r1")},
        states={"r1": SHAKEN}, phase="rout", ground=a_ground({"woods": "E8"}), dice={"3.6/interdiction": [1, 1]},
    )  # fmt: skip
    rout(table, table.state.units["r1"], RoutOrder("r1", ("E7", "E8")))
    heavy, light = table.state.weapons["rw"], table.state.weapons["rx"]
    assert (heavy.holder, heavy.at) == ("", "E6") and light.holder == "r1"
    heavy.holder, heavy.at = "g1", ""
    assert table.situation.is_captured(heavy)
    gun = Weapon(id="gy", card="german-lmg", holder="g1")
    assert not table.situation.is_captured(gun)
