"""Sentences that are easily overlooked where chapters meet; each answer was worked out from the rulebook first."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, driving, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.vehicles import close_defence
from pbem.titles.aslsk.data_set import Options
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.effects import Aimed, strike
from pbem.titles.aslsk.fire.phases import destroy_own, turn_guns
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import hand_over
from pbem.titles.aslsk.orders import Attempt, FireOrder, Leg, MoveOrder, RallyOrders, RoutOrder
from pbem.titles.aslsk.ordnance.direct_hits import blast
from pbem.titles.aslsk.rally.phase import recover_all, repair_vehicles, transfer
from pbem.titles.aslsk.rout.decision import Rout
from pbem.titles.aslsk.rout.paths import Search
from pbem.titles.aslsk.vehicles.driving import start_vehicle
from pbem.titles.aslsk.vehicles.prospects import hit_chance
from pbem.titles.aslsk.vehicles.reactions import motion_objections, other_objections, react, try_motion
from pbem.titles.aslsk.vehicles.steps import free_itself

T34, PZ4, KV, STUG = "russian-t34-85", "german-pz4h", "russian-kv-1e", "german-stug3g"
SHAKEN = {"broken": True, "dm": True}


def objections(table, attack, seat="german"):
    return list(attack_objections(table.situation, seat, attack))


def told(findings, rule):
    return [one for one in walk(findings) if one.rule == rule]


def walk(findings):
    for one in findings:
        yield one
        yield from walk(one.children)


# --- vehicles -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.3.2.2")
def test_7_8_an_aamg_in_bounding_first_fire_stays_inside_the_turret_arc():
    """An AAMG has no arc of its own, but in its own MPh a vehicle fires all its weapons inside its present arcs."""
    american = "american-m4"
    table = a_table(
        {"r1": ("447", "E4"), "r2": ("447", "E10")}, vehicles={"g1": (american, "E7", 1)},
        armour={"g1": {"ce": True}}, phase="movement",
    )  # fmt: skip
    driving(table, "g1", ("E7", 2))
    ahead, behind = Attack(("g1aamg",), "E4"), Attack(("g1aamg",), "E10")
    assert not objections(table, ahead)
    assert_rule(objections(table, behind), "3.3.2.2")
    table.state.phase, table.state.vehicles["g1"].going = "prep", None
    assert not objections(table, behind)


@pytest.mark.rule("3.2.4/att")
def test_3_2_4_area_fire_names_a_hex_and_never_a_vehicle():
    table = a_table(
        {"g1": ("228", "E4")}, weapons={"gw": ("german-75l-at", "g1")}, facings={"gw": 4},
        vehicles={"r1": (T34, "E8", 1)},
    )  # fmt: skip
    assert_rule(objections(table, Attack(("gw",), "E8", how="area", target="r1")), "3.2.4/att")
    assert not objections(table, Attack(("gw",), "E8", how="area"))


@pytest.mark.rule("4.1/mg-vs-afv")
def test_4_4_4_an_anti_tank_rifle_fires_at_a_tank_in_the_advancing_fire_phase_with_2_more():
    table = a_table(
        {"g1": ("467", "E4")}, weapons={"gw": ("german-atr", "g1"), "gm": ("german-lmg", "g1")},
        vehicles={"r1": (T34, "E7", 1)}, phase="advancing",
    )  # fmt: skip
    assert not objections(table, Attack(("gw",), "E7", target="r1"))
    assert_rule(objections(table, Attack(("gm",), "E7", target="r1")), "4.1/mg-vs-afv")
    table.state.phase, table.state.units["g1"].pinned = "prep", True
    assert not objections(table, Attack(("gw",), "E7", target="r1"))


@pytest.mark.rule("3.8/melee")
def test_3_8_a_tank_that_gets_into_motion_holds_nobody():
    table = a_table(
        {"r1": ("447", "E7"), "r2": ("447", "E5")}, vehicles={"g1": (PZ4, "E7", 1)}, phase="movement",
        attacker="russian", dice={"3.3.2.1": [1]},
    )  # fmt: skip
    table.state.melee = ["E7"]
    moving_in(table, ["r2"], trail=[("E5", 2)])
    try_motion(table, table.state.vehicles["g1"])
    assert table.state.vehicles["g1"].motion and not table.state.melee
    assert_rule(table.findings, "3.8/melee", result="Melee ends")


@pytest.mark.rule("3.8/melee")
def test_3_8_a_tank_that_frees_itself_from_the_bog_holds_nobody():
    table = a_table(
        {"r1": ("447", "E7")}, vehicles={"g1": (PZ4, "E7", 1)}, armour={"g1": {"bogged": "bogged"}},
        ground=a_ground({"woods": "E7"}), phase="movement", dice={"7.6/unbog": [2, 2]},
    )  # fmt: skip
    table.state.melee = ["E7"]
    driving(table, "g1", stopped=True, started=False)
    free_itself(table, table.state.vehicles["g1"])
    assert not table.state.vehicles["g1"].bogged and not table.state.melee
    assert_rule(table.findings, "3.8/melee", result="Melee ends")


@pytest.mark.rule("3.3.2.1")
def test_3_3_2_1_the_rest_of_a_stack_still_brings_a_tank_into_motion():
    """The first unit of the stack is dead, but the second has spent 2 MF in sight, so a tank may attempt Motion."""
    table = a_table(
        {"r2": ("447", "E5")}, vehicles={"g1": (PZ4, "E8", 1)}, phase="movement", attacker="russian",
        dice={"3.3.2.1": [2]},
    )  # fmt: skip
    moving_in(table, ["r2"], spent=4, trail=[("E5", 4)])
    table.state.mover.stack = ["r1", "r2"]
    tank = table.state.vehicles["g1"]
    assert not list(motion_objections(table.situation, tank))
    try_motion(table, tank)
    assert_rule(table.findings, "3.3.2.1", inputs={"number": 2}, result="in Motion")


@pytest.mark.rule("3.2.4/ca-change-without-fire")
def test_3_2_4_only_what_could_still_fire_in_a_phase_turns_at_its_end():
    """A tank in Motion cannot fire in the PFPh, and the bow MG of a tank that fired then cannot fire in the AFPh."""
    table = a_table({}, vehicles={"g1": (PZ4, "E7", 1)}, armour={"g1": {"motion": True}})
    turn_guns(table, "german", [FireOrder(("g1bmg",), (), face="E10")])
    assert table.state.vehicles["g1"].vca == 1
    fired = a_table({}, vehicles={"g1": (PZ4, "E7", 1)}, phase="advancing", armour={"g1": {"fired_in": "prep"}})
    turn_guns(fired, "german", [FireOrder(("g1bmg",), (), face="E10")])
    assert fired.state.vehicles["g1"].vca == 1
    pushed = a_table(
        {"g1": ("228", "E7")}, weapons={"gw": ("german-50l-at", "g1")}, facings={"gw": 1}, phase="advancing",
        states={"g1": {"hazard": True}},
    )  # fmt: skip
    turn_guns(pushed, "german", [FireOrder(("gw",), (), face="E10")])
    assert pushed.state.weapons["gw"].facing == 1
    free = a_table({}, vehicles={"g1": (PZ4, "E7", 1)})
    turn_guns(free, "german", [FireOrder(("g1bmg",), (), face="E10")])
    assert_rule(free.findings, "3.2.4/ca-change-without-fire", inputs={"weapon": "g1bmg"}, result=5)


@pytest.mark.rule("3.3")
def test_7_7_a_tank_that_fired_in_the_prep_fire_phase_may_button_up_in_its_movement_phase():
    for leg, begins in ((Leg("close"), True), (Leg("start"), False)):
        table = a_table(
            {}, vehicles={"g1": (PZ4, "E7", 1)}, phase="movement", armour={"g1": {"fired_in": "prep", "ce": True}}
        )
        assert start_vehicle(table, MoveOrder(("g1",), (leg,)), 0) is begins
    assert_rule(table.findings, "3.3", result="not carried out")


@pytest.mark.rule("3.1/c-repair")
def test_3_1_the_main_armament_is_repaired_if_its_owner_takes_the_risk():
    for orders, repaired in ((RallyOrders(), False), (RallyOrders(repair=("g1ma",)), True)):
        table = a_table({}, vehicles={"g1": (PZ4, "E7", 1)}, phase="rally", dice={"3.1/c-repair": [1]})
        table.state.weapons["g1ma"].malfunctioned = True
        repair_vehicles(table, "german", orders)
        assert table.state.weapons["g1ma"].malfunctioned is not repaired
    assert_rule(table.findings, "3.1/c-repair", inputs={"weapon": "g1ma"}, result="repaired")


@pytest.mark.rule("3.8/close-defence")
def test_3_8_a_leader_killed_by_the_close_defence_weapon_causes_no_check_in_close_combat():
    table = a_table(
        {"r1": ("447", "E7"), "rl": ("r 9-1", "E7")}, vehicles={"g1": ("german-pz6e-late", "E7", 1)}, date="1944-08",
        phase="close_combat", dice={"3.8/close-defence": [1, 1], "3.2.3/kia": [2, 1, 1]},
    )  # fmt: skip
    close_defence(table, table.state.vehicles["g1"])
    assert_rule(table.findings, "3.8/close-defence")
    assert "rl" not in table.state.units or table.state.units["rl"].broken
    assert not told(table.findings, "3.2.3/llmc") and not told(table.findings, "3.2.3/lltc")


# --- hidden Guns --------------------------------------------------------------------------------------------------


def with_a_hidden_gun(**more):
    states = {"g1": {"hidden": True}, **more.pop("states", {})}
    units = {"g1": ("228", "E7"), **more.pop("units", {})}
    weapons = {"gw": ("german-50l-at", "g1"), **more.pop("weapons", {})}
    return a_table(units, weapons=weapons, facings={"gw": 1}, states=states, **more)


@pytest.mark.rule("6.4")
def test_6_4_a_crew_that_checks_for_a_lost_leader_is_found():
    """The check is an effect of the attack on the crew's hex; until then nothing about a hidden unit is reported."""
    table = with_a_hidden_gun(
        units={"gl": ("g 9-1", "E7"), "r1": ("447", "E9")}, attacker="russian", ground=a_ground({"woods": "E7"}),
        dice={"3.2.3/kia": [1], "3.2.3/llmc": [1, 1], "3.2.3/lltc": [1, 1]},
    )  # fmt: skip
    strike(table, 36, 0, [Aimed(table.state.units["gl"], ())])
    about = [one for one in walk(table.findings) if one.inputs.get("unit") == "g1"]
    assert about[0].rule == "6.4" and not table.state.units["g1"].hidden
    assert_rule(table.findings, "6.4", result="revealed")


@pytest.mark.rule("6.4")
def test_6_4_backblast_finds_a_hidden_crew_only_if_it_hurts():
    for coloured, hidden in ((6, True), (3, False)):
        table = with_a_hidden_gun(units={"g2": ("467", "E7")}, ground=a_ground({"stone": "E7"}))
        cells = blast(table, "E7", coloured)
        assert table.state.units["g1"].hidden is hidden
        assert ("g1" in cells) is not hidden
    assert_rule(table.findings, "6.4", result="revealed")


@pytest.mark.rule("6.4")
def test_6_4_own_area_fire_on_a_hidden_gun_tells_nothing_without_effect():
    for effect, hidden in (([6, 6], True), ([1, 2], False)):
        table = with_a_hidden_gun(
            units={"g2": ("467", "E3"), "r1": ("447", "E7")}, weapons={"gm": ("german-mortar", "g2")},
            ground=a_ground({"woods": "E7"}), dice={"3.2.4": [1, 2], "3.2.4/effects": effect, "6.1": [1]},
        )  # fmt: skip
        fire(table, Attack(("gm",), "E7"))
        crew = table.state.units.get("g1")
        assert (crew is not None and crew.hidden) is hidden
        if hidden:
            assert not [one for one in walk(table.findings) if "g1" in str(one.inputs) + str(one.result)]
    assert told(table.findings, "6.4")[0].result == "revealed"
    assert_rule(told(table.findings, "6.4"), "6.4")


@pytest.mark.rule("6.4")
@pytest.mark.parametrize("act", ["recover", "transfer", "give", "drop"])
def test_6_4_a_crew_that_handles_weapons_shows_itself(act):
    table = with_a_hidden_gun(units={"g2": ("467", "E7")}, weapons={"gm": ("german-lmg", "g2")}, phase="rally")
    if act == "recover":
        table.state.weapons["gm"].holder, table.state.weapons["gm"].at = "", "E7"
        recover_all(table, "german", RallyOrders(recover=(Attempt("g1", "gm"),)))
    elif act == "transfer":
        transfer(table, "german", "g1", "gm")
    elif act == "give":
        transfer(table, "german", "g2", "gw")
    else:
        hand_over(table, "german", Attempt("", "gw"))
    assert not table.state.units["g1"].hidden
    assert_rule(table.findings[:1], "6.4", result="revealed")


@pytest.mark.rule("6.11")
def test_6_11_only_area_fire_is_aimed_at_a_hex_where_nobody_is_known():
    table = a_table(
        {"g1": ("228", "E4"), "g2": ("467", "E4")}, weapons={"gw": ("german-75l-at", "g1")}, facings={"gw": 4}
    )
    assert_rule(objections(table, Attack(("gw",), "E8", anyway=True)), "6.11")
    assert not objections(table, Attack(("gw",), "E8", how="area"))
    assert not objections(table, Attack(("g2",), "E8", anyway=True))


# --- sight that nobody has declared -------------------------------------------------------------------------------


def test_3_2_1_the_odds_before_a_shot_do_not_tell_how_long_a_tank_was_in_sight():
    """The tank's last hex was out of sight behind woods, which is +4 To Hit, but no player knows
    that before the shot.
    """
    chances = []
    for woods in ("E6", "A1"):
        table = a_table(
            {"r1": ("r228", "E4")}, weapons={"rw": ("russian-76l-art", "r1")}, facings={"rw": 4},
            vehicles={"g1": (PZ4, "F8", 4)}, ground=a_ground({"woods": woods}), phase="movement",
        )  # fmt: skip
        driving(table, "g1", ("E9", 2), ("F8", 2))
        one = component(table.situation, "rw")
        chances.append(hit_chance(table.situation, one, Attack(("rw",), "F8", target="g1")))
        assert table.situation.sees("E4", "E9") is (woods == "A1")
    assert chances[0] == chances[1]


@pytest.mark.rule("7.5")
def test_7_5_a_smoke_mortar_that_does_not_see_its_hex_is_not_refused_but_fails():
    for los, refused in (("printed", False), ("open", True)):
        table = a_table(
            {"r1": ("447", "D8")}, vehicles={"g1": ("american-m4", "E7", 1)}, phase="movement", attacker="russian",
            ground=a_ground({"woods": "E6"}), dice={"7.5": [1, 1]}, los=los,
        )  # fmt: skip
        moving_in(table, ["r1"])
        attack = Attack(("g1",), "E5", how="device")
        assert bool(list(other_objections(table.situation, "german", attack))) is refused
    table.data.options = Options()
    react(table, attack)
    assert_rule(table.findings, "7.5", inputs={"no_sight": True}, result="not placed")
    assert not table.state.smoke


# --- other sentences ----------------------------------------------------------------------------------------------


@pytest.mark.rule("4.0/weapon-destruction")
def test_4_0_nobody_destroys_a_weapon_in_the_advancing_fire_phase():
    table = a_table({"g1": ("467", "E4")}, weapons={"gm": ("german-lmg", "g1")}, phase="advancing")
    destroy_own(table, "german", "gm")
    assert "gm" in table.state.weapons
    assert_rule(table.findings, "4.0/weapon-destruction", result="not carried out")


@pytest.mark.rule("4.0/drop-recover")
def test_4_0_a_unit_in_melee_drops_nothing():
    table = a_table({"g1": ("467", "E7"), "r1": ("447", "E7")}, weapons={"gm": ("german-lmg", "g1")}, phase="advance")
    table.state.melee = ["E7"]
    hand_over(table, "german", Attempt("", "gm"))
    assert table.state.weapons["gm"].holder == "g1"
    assert_rule(table.findings, "4.0/drop-recover", result="not carried out")


@pytest.mark.rule("3.6/rout-movement")
def test_3_6_a_unit_does_not_go_round_the_nearest_cover_into_the_next():
    """A rout may go through the woods in E8 to E9, but not round them, although both ways cost 4 MF."""
    table = a_table(
        {"r1": ("447", "E7"), "g1": ("467", "E4")}, states={"r1": SHAKEN}, phase="rout",
        ground=a_ground({"woods": "E8 E9"}),
    )  # fmt: skip
    decision = Rout(table.data, table.state, Rout.make_ask("russian", subject="r1", about={}))
    assert not list(decision.objections(RoutOrder("r1", ("E8", "E9"))))
    assert_rule(list(decision.objections(RoutOrder("r1", ("D7", "D8", "E9")))), "3.6/rout-movement")


def test_3_6_a_crawl_may_be_the_first_step_of_every_cheapest_way():
    """A crawl may go to either of two hexes that lie on a cheapest way from E7 to the woods in D9."""
    table = a_table(
        {"r1": ("447", "E7"), "g1": ("467", "E2")}, states={"r1": SHAKEN}, phase="rout",
        ground=a_ground({"woods": "D9"}),
    )  # fmt: skip
    steps = Search(table.situation, table.state.units["r1"]).crawl_steps
    ground = table.situation.ground
    cheapest = {
        hex for hex in ground.neighbours("E7") if ground.distance(hex, "D9") == ground.distance("E7", "D9") - 1
    }
    assert set(steps) == cheapest and len(cheapest) == 2


@pytest.mark.rule("6.2/wp")
def test_6_2_wp_of_a_mortar_in_woods_bursts_over_an_exposed_crew():
    """The NMC of an exposed crew in woods has -2 for CE and +1 for the air burst of WP."""
    table = a_table(
        {"g1": ("467", "E3")}, weapons={"gm": ("american-mortar", "g1")}, vehicles={"r1": (T34, "E8", 1)},
        armour={"r1": {"ce": True}}, ground=a_ground({"woods": "E8"}), date="1944-08",
        dice={"3.2.4": [1, 2], "6.2/wp": [3, 4]},
    )  # fmt: skip
    fire(table, Attack(("gm",), "E8", how="WP"))
    checked = told(table.findings, "6.2/wp")
    assert_rule(checked, "6.2/wp")
    assert sum(row["value"] for row in checked[0].modifiers) == -1
