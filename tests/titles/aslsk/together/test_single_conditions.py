"""Single conditions of rules: each case differs from the next in only one of them."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, driving, moving_in
from titles.aslsk.cards.test_scenarios import CARD
from titles.aslsk.combinations.test_lawyer import defending, objections
from titles.aslsk.ground.building import a_ground, board_text
from titles.aslsk.player.test_orders import read

from pbem.titles.aslsk.cards.scenario import Goal
from pbem.titles.aslsk.cards.scenario_files import check_scenario
from pbem.titles.aslsk.chance import Dice
from pbem.titles.aslsk.close_combat.vehicles import vehicle_attack
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.phases import at_vehicle, carry_out
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.ground.board import read_board
from pbem.titles.aslsk.movement.eligibility import mover_objections
from pbem.titles.aslsk.movement.expenditures import expend
from pbem.titles.aslsk.movement.first_fire_window import Window
from pbem.titles.aslsk.orders import AdvanceOrder, Clause, FireOrder, Leg, MoveOrder, Orders, RallyOrders, RoutOrder
from pbem.titles.aslsk.ordnance.arcs import shared_turn
from pbem.titles.aslsk.ordnance.bystanders import strike_gun
from pbem.titles.aslsk.ordnance.direct_hits import direct_hit
from pbem.titles.aslsk.ordnance.shot import keeps_fire, marker_after
from pbem.titles.aslsk.player.checks import section_objections
from pbem.titles.aslsk.player.exchanges import TurnOrders
from pbem.titles.aslsk.player.idle_words import fire_word_objections
from pbem.titles.aslsk.player.placing import Placement, SetUp, place_units
from pbem.titles.aslsk.rally.phase import recovery_attempt, repair_vehicles
from pbem.titles.aslsk.rout.decision import Rout
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.sheets.choices import advance_choices
from pbem.titles.aslsk.sheets.unit_sheets import unit_sheet
from pbem.titles.aslsk.vehicles.driving import park
from pbem.titles.aslsk.vehicles.hitting import vehicle_terrain
from pbem.titles.aslsk.vehicles.steps import entry_objections
from pbem.titles.data_files import DataError

T34, PZ4 = "russian-t34-85", "german-pz4h"


@pytest.mark.rule("1.3", effect=True)
def test_1_3_a_board_that_is_not_on_the_map_is_a_mistake():
    with pytest.raises(DataError, match="'board q' is not a hex"):
        check_scenario(CARD.replace('entry = ["Z1..Z9"]', 'entry = ["board q"]').encode(), {})


@pytest.mark.rule("def/gun", effect=True)
def test_def_gun_a_leader_may_fire_a_support_weapon_but_not_a_gun():
    for card, barred in (("german-psk", False), ("german-75l-at", True)):
        table = a_table({"g1": ("g 8-1", "E4")}, weapons={"gw": (card, "g1")}, vehicles={"r1": (T34, "E6", 1)},
                        facings={"gw": 4} if barred else {}, date="1944-08")  # fmt: skip
        found = objections(table, Attack(("gw",), "E6", target="r1"))
        assert any(one.rule == "1.2.6" for one in found) is barred


@pytest.mark.rule("3.2.3/pin")
def test_3_2_3_only_a_pinned_unit_is_kept_from_moving():
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E5")}, phase="movement", states={"g1": {"pinned": True}})
    assert_rule(list(mover_objections(table.situation, table.state.units["g1"])), "3.2.3/pin")
    assert not list(mover_objections(table.situation, table.state.units["g2"]))


@pytest.mark.rule("3.2.2", "3.2.4/intensive-fire", effect=True)
@pytest.mark.parametrize(("at", "shots"), [("E5", 2), ("E6", 1)])
def test_3_2_4_an_order_for_intensive_fire_ends_with_the_first_shot_where_it_is_not_allowed(at, shots):
    """3.2.4: in the Defensive Fire Phase Intensive Fire reaches only the Gun's own hex and adjacent hexes."""
    table = a_table({"g1": ("228", "E4"), "r1": ("447", at)}, weapons={"gg": ("german-75l-at", "g1")},
                    facings={"gg": 4}, phase="defensive", attacker=RUSSIAN, dice={"3.2.4": [6, 5, 6, 5]})  # fmt: skip
    carry_out(table, GERMAN, FireOrder(("gg",), (at,), intensive=True), "gg fire at it")
    assert sum(found.rule == "3.2.4" for found in table.findings) == shots


@pytest.mark.rule("3.2.4/intensive-fire")
def test_3_2_4_a_light_anti_tank_weapon_that_has_fired_uses_no_intensive_fire():
    table = a_table({"g1": ("467", "E4")}, weapons={"gw": ("german-psk", "g1")}, vehicles={"r1": (T34, "E5", 1)},
                    date="1944-08", phase="defensive", attacker=RUSSIAN)  # fmt: skip
    table.state.weapons["gw"].fired = "first"
    assert_rule(objections(table, Attack(("gw",), "E5", target="r1", intensive=True)), "3.2.4/intensive-fire")


@pytest.mark.rule("3.2.4/intensive-fire", effect=True)
@pytest.mark.parametrize(("card", "marker"), [("russian-is-2", "prep"), ("russian-su-122", "intensive")])
def test_3_2_4_only_a_gun_that_turns_its_hull_cannot_fire_again_after_turning(card, marker):
    table = a_table({}, vehicles={"r1": (card, "E6", 1)}, attacker=RUSSIAN)
    one = component(table.situation, "r1ma")
    assert marker_after(table, one, Attack(("r1ma",), "E4"), turns=True) == marker


@pytest.mark.rule("3.2.4/vtt")
def test_3_2_4_nobody_aims_at_a_vehicle_of_his_own():
    table = a_table({"g1": ("228", "E4")}, weapons={"gg": ("german-75l-at", "g1")}, facings={"gg": 4},
                    vehicles={"g2": (PZ4, "E7", 1), "r1": (T34, "E8", 1)})  # fmt: skip
    attack, against = at_vehicle(table.situation, GERMAN, FireOrder(("gg",), (), against=("g2",)))
    assert attack is None
    assert_rule(against, "3.2.4/vtt", why="g2 is not an enemy vehicle in play")
    attack, against = at_vehicle(table.situation, GERMAN, FireOrder(("gg",), (), against=("r1",)))
    assert attack is not None and not against


@pytest.mark.rule("3.2.4/vtt", effect=True)
def test_3_2_4_a_squad_beside_a_moving_tank_may_try_a_panzerfaust():
    table = a_table({"g1": ("467", "E7")}, vehicles={"r1": (T34, "E8", 1)}, phase="movement", attacker=RUSSIAN,
                    date="1944-08")  # fmt: skip
    driving(table, "r1", ("E9", 0), ("E8", 2))
    table.state.pf_left = {GERMAN: 3}
    window = Window(table.data, table.state, Window.make_ask(GERMAN))
    assert [(shot.components, shot.how) for shot in window.shots_at_prey] == [(("g1",), "pf")]


@pytest.mark.rule("3.3/entry-exit")
def test_3_3_a_vehicle_leaves_the_map_only_where_its_side_may():
    for at, fine in (("E4", True), ("E5", False)):
        table = a_table({}, vehicles={"r1": (T34, at, 1)}, phase="movement", attacker=RUSSIAN,
                        goals=(Goal(RUSSIAN, "exit", 3, hexes=("E4",)),))  # fmt: skip
        driving(table, "r1", (at, 0))
        found = [*entry_objections(table.situation, table.state.vehicles["r1"], Leg("enter", "off"))]
        assert (not found) is fine
    assert_rule(found, "3.3/entry-exit", why="r1 cannot leave the map from E5")


@pytest.mark.rule("3.3.1/cx", effect=True)
@pytest.mark.parametrize("cx", [False, True])
def test_3_3_1_cx_counts_1_against_smoke_grenades_and_recovery(cx):
    table = a_table({"g1": ("548", "I4")}, weapons={"gw": ("german-lmg", "I4")}, phase="movement",
                    states={"g1": {"cx": cx}}, dice={"3.3.1/smoke-grenades": [1], "3.3.1/recovery": [5]})  # fmt: skip
    moving_in(table, ["g1"], spent=0)
    unit = table.state.units["g1"]
    assert recovery_attempt(table, unit, table.state.weapons["gw"], "3.3.1/recovery") is not cx
    expend(table, [unit], Leg("smoke", "I5"))
    told = [(found.rule, [row["rule"] for row in found.modifiers]) for found in table.findings if found.dice]
    wanted = ["3.3.1/cx"] if cx else []
    assert told == [("3.3.1/recovery", wanted), ("3.3.1/smoke-grenades", wanted)]


@pytest.mark.rule("3.3.2/motion", effect=True)
@pytest.mark.parametrize(("spent", "windows"), [(0, 0), (2, 1)])
def test_3_3_2_a_vehicle_that_does_nothing_spends_no_mp_and_is_not_fired_at(spent, windows):
    table = a_table({}, vehicles={"g1": (PZ4, "E4", 4)}, phase="movement")
    driving(table, "g1", ("E4", spent), stopped=True, started=spent > 0)
    seen = []
    for _ in park(table, table.state.vehicles["g1"], lambda table: iter([seen.append(table)]), motion=False):
        pass
    assert len(seen) == windows


@pytest.mark.rule("3.6/must-rout")
def test_3_6_only_a_unit_that_must_rout_may_not_stay():
    for enemy, fine in (("E9", False), ("R9", True)):
        table = a_table({"r1": ("447", "E8"), "g1": ("467", enemy)}, phase="rout",
                        states={"r1": {"broken": True, "dm": True}})  # fmt: skip
        decision = Rout(table.data, table.state, Rout.make_ask(RUSSIAN, subject="r1"))
        assert decision.search.ways or decision.search.crawl_steps
        found = list(decision.objections(None))
        assert (not found) is fine
        if not fine:
            assert_rule(found, "3.6/must-rout")


@pytest.mark.rule("3.7", effect=True)
def test_3_7_the_sheet_offers_an_advance_to_men_but_not_to_a_vehicle():
    table = a_table({"g1": ("467", "E4")}, vehicles={"g2": (PZ4, "E8", 4)}, phase="advance")
    assert list(advance_choices(table.situation, table.state.units["g1"]))
    assert not list(advance_choices(table.situation, table.state.vehicles["g2"]))


@pytest.mark.rule("1.1.1.2", effect=True)
@pytest.mark.parametrize(("terrain", "rule"), [("woods", "1.1.1.4"), ("stone", "1.1.1.2"), ("wooden", "1.1.1.2")])
def test_1_1_1_2_the_tem_of_a_vehicle_names_the_rule_of_its_terrain(terrain, rule):
    table = a_table({}, vehicles={"r1": (T34, "E8", 1)}, ground=a_ground({terrain: "E8"}))
    assert vehicle_terrain(table.situation, table.state.vehicles["r1"], "E4").rule == rule


@pytest.mark.rule("1.1.1.10", effect=True)
@pytest.mark.parametrize(("gun", "how", "told"), [("german-81s-mtr", "", {}), ("german-75s-inf", "area", {"TEM": 1})])
def test_1_1_1_10_height_covers_a_tank_from_area_fire_of_a_gun_but_not_from_a_mortar(gun, how, told):
    table = a_table({"g1": ("228", "E4")}, vehicles={"r1": (T34, "E8", 1)}, weapons={"gg": (gun, "g1")},
                    facings={"gg": 4}, ground=a_ground(hills=["E8"]),
                    dice={"3.2.4": [1, 2], "3.2.4/effects": [6, 6]})  # fmt: skip
    fire(table, Attack(("gg",), "E8", how=how))
    (found,) = [one for one in every(table.findings) if one.rule == "7.11"]
    assert {row["text"]: row["value"] for row in found.modifiers} == told


@pytest.mark.rule("4.5", effect=True)
@pytest.mark.parametrize(("others", "again"), [((), False), (("gl",), True)])
def test_4_5_a_leader_keeps_the_rate_of_fire_of_a_mortar_only_with_a_second_man(others, again):
    table = a_table({"gk": ("g 8-1", "E4"), "gl": ("g 8-0", "E4")}, weapons={"gw": ("german-mortar", "gk")})
    one = component(table.situation, "gw")
    dice = Dice(6, 1)
    assert keeps_fire(table, one, Attack(("gw", *others), "E8"), dice, turns=False) is again
    squad = a_table({"g1": ("467", "E4")}, weapons={"gw": ("german-mortar", "g1")})
    assert keeps_fire(squad, component(squad.situation, "gw"), Attack(("gw",), "E8"), dice, turns=False)


@pytest.mark.rule("6.3", effect=True)
@pytest.mark.parametrize(("card", "facings", "emplaced"),
                         [("german-75l-at", {"gw": 1}, True), ("german-lmg", {}, False)])  # fmt: skip
def test_6_3_a_gun_with_its_crew_is_emplaced_and_a_machine_gun_is_not(card, facings, emplaced):
    table = a_table({"g1": ("228", "")}, weapons={"gw": (card, "g1")})
    place_units(table, GERMAN, Placement({"g1": "E4"}, {"gw": "g1"}, facings))
    assert table.state.weapons["gw"].emplaced is emplaced


@pytest.mark.rule("4.1/breakdown")
def test_4_1_only_a_weapon_that_has_malfunctioned_is_kept_from_firing():
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")}, weapons={"gw": ("german-lmg", "g1")})
    assert not objections(table, Attack(("gw",), "E8"))
    table.state.weapons["gw"].malfunctioned = True
    assert_rule(objections(table, Attack(("gw",), "E8")), "4.1/breakdown")


@pytest.mark.rule("3.3.3/fpf", effect=True)
def test_3_3_3_a_buttoned_crew_takes_no_check_for_its_protective_fire():
    table = defending({}, vehicles={"g2": ("german-pz2f", "E4", 4)}, dice={"3.3.3/fpf": [6, 4]})
    table.state.weapons["g2ma"].fired = "final"
    fire(table, Attack(("g2ife",), "E5"))
    assert "3.3.3/fpf" in [one.rule for one in table.findings]
    assert not [one for one in every(table.findings) if one.inputs.get("nmc") or one.rule == "3.2.3/nmc"]


@pytest.mark.rule("3.1", effect=True)
@pytest.mark.parametrize(
    ("line", "field", "unit", "other"),
    [
        ("rally g1 by gl1", "rally", "g1", "gl1"),
        ("rally g1", "rally", "g1", ""),
        ("give gw1 to g1", "transfer", "g1", "gw1"),
    ],
)
def test_3_1_a_rally_line_names_a_unit_and_perhaps_a_leader_or_a_weapon(line, field, unit, other):
    (found,) = getattr(read(TurnOrders, line).rally, field)
    assert (found.unit, found.other) == (unit, other)


@pytest.mark.rule("4.0", effect=True)
@pytest.mark.parametrize(
    ("gun", "fits"),
    [("british-57l-at", True), ("british-76ll-at", True), ("british-76s-mtr", True), ("british-88-art", False)],
)
def test_4_0_a_gun_of_this_size_is_set_up_in_a_building(gun, fits):
    """1.2.6: a small Gun of any type, or an AT or INF Gun of normal size, can be set up in a building."""
    weapons = 'weapons = ["british-lmg x3"'
    card = CARD.replace(weapons, f'guns = ["{gun} @P4"]\n{weapons}')
    with pytest.raises(DataError) as caught:
        check_scenario(card.replace('"1943-07"', '"July"').encode(), {})
    assert ("too large for the building" in str(caught.value)) is not fits
    assert "no unit to possess them" not in str(caught.value)


@pytest.mark.rule("4.0", effect=True)
@pytest.mark.parametrize(("facing", "rules"), [(5, []), (6, ["3.2.4/covered-arc"])])
def test_4_0_a_gun_faces_one_of_six_hexspines_at_set_up(facing, rules):
    table = a_table({"g1": ("228", "")}, weapons={"gw": ("german-75l-at", "")}, phase="setup")
    asked = SetUp(table.data, table.state, SetUp.make_ask(GERMAN))
    asked.__dict__["arms"] = [table.state.weapons["gw"]]
    answer = Placement({"g1": "E4"}, {"gw": "g1"}, {"gw": facing})
    assert [one.rule for one in asked.weapon_objections(answer)] == rules


@pytest.mark.rule("6.4", effect=True)
def test_6_4_a_leader_who_runs_into_a_hidden_crew_with_his_squad_may_still_rout():
    table = a_table({"r1": ("447", "E8"), "rl": ("r 8-1", "E8"), "g1": ("228", "E9")}, phase="rout",
                    states={"r1": {"broken": True}, "g1": {"hidden": True}})  # fmt: skip
    units = table.state.units
    rout(table, units["r1"], RoutOrder("r1", ("E9",), leader="rl"))
    assert (units["r1"].at, units["r1"].routed, units["rl"].routed) == ("E8", False, False)


@pytest.mark.rule("6.7", effect=True)
def test_6_7_a_gun_that_is_already_gone_is_not_destroyed_again():
    table = a_table({"r1": ("r228", "E8")}, weapons={"rg": ("russian-45l-at", "r1")}, facings={"rg": 1})
    direct_hit(table, "gone", "kia")
    assert not table.findings and "rg" in table.state.weapons
    direct_hit(table, "rg", "kia")
    assert "rg" not in table.state.weapons


@pytest.mark.rule("6.7", effect=True)
@pytest.mark.parametrize(("terrain", "told"), [("open", {}), ("woods", {"TEM of the Gun": 1})])
def test_6_7_an_unmanned_gun_has_the_tem_of_its_hex_against_area_fire(terrain, told):
    table = a_table({"g1": ("228", "E4")}, weapons={"gg": ("german-81s-mtr", "g1"), "rg": ("russian-45l-at", "")},
                    facings={"gg": 4}, ground=a_ground({terrain: "E8"}))  # fmt: skip
    gun = table.state.weapons["rg"]
    gun.at = "E8"
    strike_gun(table, Attack(("gg",), "E8"), gun, 12, Dice(6, 6), component(table.situation, "gg"))
    (found,) = table.findings
    assert {row["text"]: row["value"] for row in found.modifiers} == told


@pytest.mark.rule("7.0", effect=True)
def test_7_0_the_sheet_of_a_vehicle_shows_odds_and_choices_only_to_the_seat_that_is_asked():
    table = a_table({"r1": ("447", "E8")}, vehicles={"g2": (PZ4, "E4", 4)})
    asked = unit_sheet(table.situation, GERMAN, TurnOrders.make_ask(GERMAN), "g2")
    waits = unit_sheet(table.situation, GERMAN, TurnOrders.make_ask(RUSSIAN), "g2")
    assert asked.choices and not waits.choices
    assert len(asked.facts) > len(waits.facts)


@pytest.mark.rule("7.8", effect=True)
@pytest.mark.parametrize(("gun", "ce", "tried"), [("aamg", False, False), ("aamg", True, True), ("bmg", False, True)])
def test_7_8_an_aamg_is_repaired_only_by_an_exposed_crew(gun, ce, tried):
    table = a_table({}, vehicles={"g1": ("german-pz4j", "E4", 1)}, armour={"g1": {"ce": ce}}, phase="rally")
    table.state.weapons[f"g1{gun}"].malfunctioned = True
    repair_vehicles(table, GERMAN, RallyOrders())
    assert any(found.rule == "3.1/c-repair" for found in table.findings) is tried


@pytest.mark.rule("7.8", effect=True)
@pytest.mark.parametrize(("gun", "turned"), [("g1cmg", 2), ("g1aamg", 0)])
def test_7_8_a_turn_of_the_turret_counts_for_the_cmg_and_not_for_the_aamg(gun, turned):
    table = a_table({}, vehicles={"g1": ("german-pz4j", "E4", 1)},
                    armour={"g1": {"turret_turned": 2, "hull_turned": 1}})  # fmt: skip
    assert shared_turn(table.situation, table.state.weapons[gun]) == turned


@pytest.mark.rule("7.10/stun", effect=True)
@pytest.mark.parametrize(("shaken", "told"), [(False, {}), (True, {"shaken crew": 1})])
def test_7_10_a_crew_that_was_stunned_fights_close_combat_with_1_more(shaken, told):
    table = a_table({"g1": ("467", "E8")}, vehicles={"r1": (T34, "E8", 1)}, armour={"r1": {"shaken": shaken}},
                    dice={"3.8/vehicle-attack": [3, 3]})  # fmt: skip
    vehicle_attack(table, table.state.vehicles["r1"], [table.state.units["g1"]])
    (found,) = [one for one in table.findings if one.rule == "3.8/vehicle-attack"]
    assert {row["text"]: row["value"] for row in found.modifiers} == told


@pytest.mark.rule("1.1/map-data", effect=True)
def test_1_1_outlines_around_exactly_the_hills_are_accepted():
    outline = '[[outline]]\nkind = "hill"\npoints = [[470, 350], [490, 350], [480, 380]]'
    assert read_board(board_text({}, ["E5"], more=outline))
    with pytest.raises(DataError, match="inside the outlines"):
        read_board(board_text({}, [], more=outline))


@pytest.mark.rule("3.2.4", effect=True)
def test_3_2_4_a_machine_gun_ordered_to_fire_smoke_at_a_vehicle_is_told_one_reason():
    """Smoke is fired at a hex (3.2.4/att); the rule on the order of smoke attacks (6.2) does not concern an MG."""
    table = a_table({"g1": ("467", "E4")}, weapons={"gw": ("german-mmg", "g1")}, vehicles={"r1": (T34, "E6", 1)})
    table.state.fired_in_phase.append("E4 E8:g9")
    found = objections(table, Attack(("gw",), "E6", how="smoke", target="r1"))
    assert [one.rule for one in found if one.rule in ("3.2.4/att", "6.2/smoke")] == ["3.2.4/att"]


@pytest.mark.rule("6.2/smoke")
@pytest.mark.parametrize("firer", ["g1", "gw"])
def test_6_2_a_squad_or_a_machine_gun_that_is_ordered_to_fire_smoke_is_refused(firer):
    """Only Guns, mortars and main armament have smoke, and the order is not treated as an ordinary attack either."""
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E6")}, weapons={"gw": ("german-mmg", "g1")})
    assert not objections(table, Attack((firer,), "E6"))
    for how in ("smoke", "WP"):
        assert_rule(objections(table, Attack((firer,), "E6", how=how)), "6.2/smoke")


@pytest.mark.rule("6.2", "3.2.4/att")
@pytest.mark.parametrize("firer", ["g1", "gw", "ggife"])
def test_6_2_squads_machine_guns_and_direct_fire_have_no_shells_and_no_area_target(firer):
    """Squads, machine guns and direct fire have no shells, so orders for special shells or area fire are refused."""
    table = a_table(
        {"g1": ("467", "E4"), "g2": ("228", "E4"), "r1": ("447", "E6")},
        weapons={"gw": ("german-mmg", "g1"), "gg": ("german-20l-aa", "g2")},
        facings={"gg": 1},
    )
    assert not objections(table, Attack((firer,), "E6"))
    for how, rule in (("AP", "6.2"), ("HE", "6.2"), ("H", "6.2"), ("A", "6.2"), ("D", "6.2"), ("area", "3.2.4/att")):
        assert_rule(objections(table, Attack((firer,), "E6", how=how)), rule)
        order = Orders(prep=(FireOrder((firer,), ("E6",), how=how),))
        assert_rule(list(section_objections(table.situation, GERMAN, "orders", order)), rule)


@pytest.mark.rule("6.2")
def test_6_2_a_machine_gun_has_no_shells_against_a_vehicle_either():
    table = a_table({"g1": ("467", "E4")}, weapons={"gw": ("german-mmg", "g1")}, vehicles={"r1": (T34, "E6", 1)})
    assert_rule(objections(table, Attack(("gw",), "E6", how="AP", target="r1")), "6.2")


@pytest.mark.rule("6.2", "3.2.2/fire-groups")
def test_6_2_shells_do_not_bind_a_squad_to_the_gun_that_fires_them():
    """A Gun fires alone, and a squad named along with it has no AP, so the order is refused."""
    table = a_table({"g1": ("467", "E4"), "g2": ("228", "E4"), "r1": ("447", "E6")},
                    weapons={"gg": ("german-50l-at", "g2")}, facings={"gg": 1})  # fmt: skip
    order = Orders(prep=(FireOrder(("g1", "gg"), ("E6",), how="AP"),))
    found = list(section_objections(table.situation, GERMAN, "orders", order))
    assert_rule(found, "6.2", why="g1 has no ammunition of that kind")
    assert_rule(found, "3.2.2/fire-groups", why="gg must fire alone")


@pytest.mark.rule("3.7")
def test_3_7_a_vehicle_is_not_ordered_to_advance():
    table = a_table({"g1": ("467", "E5")}, vehicles={"g2": (PZ4, "E5", 1)}, phase="advance")
    order = Orders(advances=(AdvanceOrder(("g1", "g2"), "E6"),))
    found = list(section_objections(table.situation, GERMAN, "close", order))
    assert_rule(found, "3.7", why="g2 is a vehicle, but only Infantry can advance")


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ({"intensive": True}, dict.fromkeys(("g1", "gw", "gm", "gp"), "3.2.4/intensive-fire")),
        ({"blast": True}, {"g1": "4.4.3", "gw": "4.4.3", "gg": "4.4.3", "gm": "4.4.3"}),
        ({"unmarked": True}, {"g1": "6.10", "gw": "6.10", "gp": "6.10"}),
        ({"once": True}, {"g1": "1.2.4.1", "gp": "1.2.4.1"}),
    ],
)
def test_words_after_fire_are_refused_for_every_weapon_that_they_do_not_concern(words, rules):
    """Each order word is accepted only for the weapons that it concerns: Guns, and weapons with ROF,
    backblast or acquisition."""
    weapons = {"gw": "german-mmg", "gg": "german-50l-at", "gm": "german-mortar", "gp": "german-psk"}
    units = {"g1": ("467", "E4"), "g2": ("228", "E4"), "g3": ("467", "E4"), "g4": ("467", "E4"), "r1": ("447", "E6")}
    holders = {"gw": "g1", "gg": "g2", "gm": "g3", "gp": "g4"}
    table = a_table(units, weapons={id: (card, holders[id]) for id, card in weapons.items()}, facings={"gg": 1},
                    ground=a_ground({"wooden": "E6"}))  # fmt: skip
    for firer in ("g1", *weapons):
        order = FireOrder((firer,), ("E6",), **words)
        found = {one.rule for one in fire_word_objections(table.situation, order)}
        assert found == ({rules[firer]} if firer in rules else set()), firer


@pytest.mark.rule("3.3.2", "1.1.1.5")
def test_3_3_2_parts_of_a_move_are_refused_for_units_that_cannot_carry_them_out():
    table = a_table({"g1": ("467", "E5")}, vehicles={"g2": (PZ4, "E5", 1)}, phase="movement")

    def found(unit, *legs):
        return list(section_objections(table.situation, GERMAN, "orders", Orders(moves=(MoveOrder((unit,), legs),))))

    assert not found("g1", Leg("enter", "E6")) and not found("g2", Leg("enter", "E6", whole=True, extra=2))
    assert_rule(found("g1", Leg("enter", "E6", whole=True)), "3.3.2")
    assert_rule(found("g1", Leg("enter", "E6", extra=2)), "3.3.2")
    assert_rule(found("g2", Leg("enter", "E6", cover=True)), "1.1.1.5")
    for do in ("start", "stop", "turn", "turret", "delay", "motion", "open", "close", "device", "unbog", "fire"):
        assert_rule(found("g1", Leg("enter", "E6"), Leg(do)), "3.3.2")
    assert_rule(found("g2", Leg("enter", "E6"), Leg("smoke", "E6")), "3.3.2")


@pytest.mark.rule("3.3.3", "6.2", "3.2.4/intensive-fire", "1.2.4.1")
def test_3_3_3_a_fire_plan_names_own_units_and_words_that_suit_them():
    table = a_table({"g1": ("467", "E4"), "g2": ("228", "E4"), "r1": ("447", "E6")},
                    weapons={"gg": ("german-50l-at", "g2")}, facings={"gg": 1}, attacker=RUSSIAN)  # fmt: skip

    def found(**clause):
        plan = Orders(plan=(Clause("fire", **clause),))
        return list(section_objections(table.situation, GERMAN, "defence", plan))

    assert not found(units=("gg",), how="AP", intensive=True) and not found(how="AP") and not found(units=("g1",))
    assert not found(units=("g1", "gg"), how="AP"), "the Gun fires it"
    assert_rule(found(units=("r1",)), "3.3.3", why="you have no r1 on the board")
    assert_rule(found(units=("g1",), how="AP"), "6.2")
    assert_rule(found(units=("g1",), intensive=True), "3.2.4/intensive-fire")
    assert_rule(found(units=("g1",), once=True), "1.2.4.1")
