"""Rules that no finding names: each test checks the effect of the rule."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import a_table, driving, enter, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.cards.notation import read_strength
from pbem.titles.aslsk.cards.terrain import terrain_chart
from pbem.titles.aslsk.close_combat.phase import contested_hexes
from pbem.titles.aslsk.close_combat.vehicles import defence_of, has_close_defence
from pbem.titles.aslsk.fire.components import component, vehicle_manner
from pbem.titles.aslsk.fire.declaration import advancing_objections
from pbem.titles.aslsk.fire.modifiers import terrain_modifier
from pbem.titles.aslsk.fire.phases import begin
from pbem.titles.aslsk.movement.advance import able_part
from pbem.titles.aslsk.movement.eligibility import mover_objections
from pbem.titles.aslsk.movement.waves import has_used_the_bonus
from pbem.titles.aslsk.orders import AdvanceOrder, MoveOrder
from pbem.titles.aslsk.ordnance.direct_hits import direct_hit
from pbem.titles.aslsk.ordnance.to_hit import is_gun
from pbem.titles.aslsk.player.checks import move_objections
from pbem.titles.aslsk.rally.rally import leaders_for
from pbem.titles.aslsk.rout.paths import path_objections
from pbem.titles.aslsk.vehicles.costs import entry_cost
from pbem.titles.aslsk.vehicles.steps import free_itself
from pbem.titles.aslsk.victory import casualty_points

T34, PANTHER = "russian-t34-85", "german-pz5g"


@pytest.mark.rule("1.1.1.6", "1.1.1.8", effect=True)
def test_1_1_1_8_grain_stands_from_june_to_september_and_orchards_are_in_leaf_from_april_to_october():
    chart = terrain_chart()
    assert [month for month in range(1, 13) if chart.in_season("grain", month)] == [6, 7, 8, 9]
    assert [month for month in range(1, 13) if chart.in_season("orchard", month)] == [4, 5, 6, 7, 8, 9, 10]


@pytest.mark.rule("1.2.3", effect=True)
def test_1_2_3_the_broken_side_has_a_morale_of_its_own():
    table = a_table({"g1": ("436", "E4"), "g2": ("436", "E5")}, states={"g2": {"broken": True}})
    card = table.situation.card(table.state.units["g1"])
    assert card.morale != card.broken
    assert [table.situation.morale(table.state.units[id]) for id in ("g1", "g2")] == [card.morale, card.broken]


@pytest.mark.rule("1.3", effect=True)
def test_1_3_casualties_count_for_the_enemy_of_those_who_fell():
    table = a_table({})
    table.state.lost = ["russian-447@russian", "russian-527@russian", "german-467@german"]
    assert (casualty_points(table.situation, "german"), casualty_points(table.situation, "russian")) == (4, 2)


@pytest.mark.rule("3.0", effect=True)
def test_3_0_a_new_phase_forgets_how_far_turrets_and_hulls_have_turned():
    table = a_table({}, vehicles={"g1": (PANTHER, "E4", 1)}, armour={"g1": {"turret_turned": 2, "hull_turned": 1}})
    begin(table, "defensive")
    tank = table.state.vehicles["g1"]
    assert (table.state.phase, tank.turret_turned, tank.hull_turned) == ("defensive", 0, 0)


@pytest.mark.rule("3.1/f-rally", effect=True)
def test_3_1_only_a_leader_in_good_order_in_the_same_hex_rallies_a_unit():
    units = {"g1": ("467", "E4"), "g2": ("467", "E4"), "g3": ("g 8-1", "E4"), "g4": ("g 9-1", "E5")}
    table = a_table(units, states={"g1": {"broken": True}})
    squad = table.state.units["g1"]
    assert [leader.id for leader in leaders_for(table.situation, squad)] == ["g3"]
    table.state.units["g3"].broken = True
    assert not leaders_for(table.situation, squad)


@pytest.mark.rule("3.3.1/mf-bonus", effect=True)
def test_3_3_1_the_road_bonus_is_no_leaders_bonus_but_only_for_those_who_have_moved():
    table = a_table({"g1": ("467", "E4")}, phase="movement")
    moving_in(table, ["g1"], spent=0)
    squad = table.state.units["g1"]
    squad.going.spent = squad.going.basic + 1
    assert not has_used_the_bonus(squad)
    squad.going.hexes = 0
    assert has_used_the_bonus(squad)


@pytest.mark.rule("3.3.1/assault-movement", "3.3.1/double-time", effect=True)
def test_3_3_1_assault_movement_enters_one_hex_and_who_does_not_hurry_needs_no_double_time():
    table = a_table({"g1": ("467", "E4")}, states={"g1": {"cx": True}}, phase="movement")

    def against(order: MoveOrder) -> set[str]:
        return {one.rule for one in every(list(move_objections(table.situation, "german", order, set())))}

    assert not against(MoveOrder(("g1",), enter("E5")))
    assert "3.3.1/double-time" in against(MoveOrder(("g1",), enter("E5"), double=True))
    assert not against(MoveOrder(("g1",), enter("E5"), assault=True))
    assert "3.3.1/assault-movement" in against(MoveOrder(("g1",), enter("E5", "E6"), assault=True))


@pytest.mark.rule("3.5")
def test_3_5_a_squad_without_weapons_that_fired_in_the_prep_fire_phase_does_not_fire_again():
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E4")}, states={"g1": {"fired": "prep"}}, phase="advancing")
    assert_rule(list(advancing_objections(table.situation, component(table.situation, "g1"))), "3.5")
    assert not list(advancing_objections(table.situation, component(table.situation, "g2")))


@pytest.mark.rule("3.6/low-crawl")
def test_3_6_low_crawl_goes_one_hex_and_only_where_a_rout_may_begin():
    search = SimpleNamespace(crawl_steps=("E5",))
    assert not list(path_objections(search, ("E5",), crawl=True))
    assert_rule(list(path_objections(search, ("E5", "E6"), crawl=True)), "3.6/low-crawl")
    assert_rule(list(path_objections(search, ("F5",), crawl=True)), "3.6/low-crawl")


@pytest.mark.rule("3.7", effect=True)
def test_3_7_a_pinned_unit_stays_and_the_others_advance():
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E4")}, states={"g2": {"pinned": True}}, phase="advance")
    order = AdvanceOrder(("g1", "g2"), "E5")
    assert able_part(table.situation, "german", order) == AdvanceOrder(("g1",), "E5")


@pytest.mark.rule("3.8", effect=True)
def test_3_8_vehicles_alone_do_not_fight_in_close_combat():
    table = a_table({}, vehicles={"g1": (PANTHER, "E4", 1), "r1": (T34, "E4", 1)})
    assert contested_hexes(table.state) == []
    table = a_table({"r2": ("447", "E4")}, vehicles={"g1": (PANTHER, "E4", 1)})
    assert contested_hexes(table.state) == ["E4"]


@pytest.mark.rule("3.8/close-defence", effect=True)
@pytest.mark.parametrize(
    ("card", "state", "has"),
    [
        (PANTHER, {}, True),
        (PANTHER, {"ce": True}, False),
        (PANTHER, {"shock": "shock"}, False),
        (PANTHER, {"stun": "stun"}, False),
        ("german-pz4h", {}, False),
    ],
)
def test_3_8_close_defence_is_for_a_buttoned_crew_in_action(card, state, has):
    table = a_table({}, vehicles={"g1": (card, "E4", 1)}, armour={"g1": state}, date="1944-08")
    tank = table.state.vehicles["g1"]
    assert has_close_defence(table.situation, tank) is has
    assert not has_close_defence(table.situation, tank, [defence_of(tank)])


@pytest.mark.rule("6.7", effect=True)
def test_6_7_a_gun_that_is_already_gone_is_not_hit_again():
    table = a_table({"g1": ("228", "E4")})
    direct_hit(table, "none", "kia")
    assert not table.findings


@pytest.mark.rule("3.3.2/vca", effect=True)
def test_3_3_2_a_vehicle_off_the_map_is_adjacent_to_nothing():
    table = a_table({}, vehicles={"g1": (PANTHER, "", 1), "g2": (PANTHER, "E4", 1)}, phase="movement")
    refused = [
        {
            one.rule
            for one in every(list(move_objections(table.situation, "german", MoveOrder((id,), enter(to)), set())))
        }
        for id, to in (("g1", "E1"), ("g2", "E5"), ("g2", "E6"))
    ]
    assert ["3.3.2/vca" in rules for rules in refused] == [False, False, True]


@pytest.mark.rule("11/one-tem", effect=True)
def test_11_height_counts_only_where_it_is_asked_for():
    table = a_table({"r1": ("447", "E5")}, ground=a_ground(hills=["E5"]))
    target = table.state.units["r1"]
    assert terrain_modifier(table.situation, target, ["E8"]).rule == "1.1.1.10/height-advantage"
    assert terrain_modifier(table.situation, target, ["E8"], high=False) is None
    assert terrain_modifier(table.situation, target, ["E8"], residual=True) is None


@pytest.mark.rule("3.3.2/mp-costs", effect=True)
def test_3_3_2_a_hexside_uphill_costs_more_than_the_flat():
    table = a_table({}, vehicles={"g1": (PANTHER, "E4", 1)}, ground=a_ground(hills=["E5"]))
    tank = table.state.vehicles["g1"]
    assert entry_cost(table.situation, tank, "E5").halves > entry_cost(table.situation, tank, "E3").halves


@pytest.mark.rule("7.8", effect=True)
@pytest.mark.parametrize(("used", "manner"), [(["g1ma"], "advancing"), (["g1ma", "g1cmg"], ""), (["g1cmg"], "")])
def test_7_8_only_a_main_armament_that_fired_alone_in_the_mph_fires_again_in_the_afph(used, manner):
    table = a_table({}, vehicles={"g1": (PANTHER, "E4", 1)}, phase="advancing",
                    armour={"g1": {"used": used, "fired_in": "movement"}})  # fmt: skip
    one = component(table.situation, used[0])
    assert vehicle_manner(table.situation, one, table.state.vehicles["g1"]) == manner


@pytest.mark.rule("7.6/unbog")
@pytest.mark.parametrize(("card", "points"), [(PANTHER, "6"), ("german-psw222", "12")])
def test_7_6_an_armoured_car_pays_double_to_get_free(card, points):
    table = a_table({}, vehicles={"g1": (card, "E4", 1)}, phase="movement", dice={"7.6/unbog": [3, 2]},
                    armour={"g1": {"bogged": "bogged"}})  # fmt: skip
    driving(table, "g1")
    free_itself(table, table.state.vehicles["g1"])
    assert_rule(table.findings, "7.6/unbog", inputs={"mp": points}, result="freed")


@pytest.mark.rule("1.2.2", effect=True)
def test_1_2_2_a_counter_shows_firepower_range_and_morale_in_this_order():
    assert read_strength("4-6-7") == (4, 6, 7)


@pytest.mark.rule("3.2.3/pin")
def test_3_2_3_a_pinned_unit_does_not_move_and_another_does():
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E4")}, states={"g1": {"pinned": True}}, phase="movement")
    assert_rule(list(mover_objections(table.situation, table.state.units["g1"])), "3.2.3/pin")
    assert not list(mover_objections(table.situation, table.state.units["g2"]))


@pytest.mark.rule("def/gun", effect=True)
def test_def_a_gun_is_a_weapon_with_a_gun_counter():
    table = a_table({"g1": ("467", "E4"), "g2": ("228", "E5")}, facings={"gat": 1},
                    weapons={"gmg": ("german-lmg", "g1"), "gat": ("german-75l-at", "g2")})  # fmt: skip
    assert [is_gun(table.situation, component(table.situation, id)) for id in ("g1", "gmg", "gat")] == [
        False, False, True,
    ]  # fmt: skip
