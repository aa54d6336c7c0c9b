"""The rulebook's worked examples that no other test covers, each under its id."""

from __future__ import annotations

import pytest
from titles.aslsk.builders import a_table, moving_in
from titles.aslsk.ground.building import JULY, a_ground

from pbem.titles.aslsk.cards.vehicles import step_on_ladder
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.ground.explained_sight import sight
from pbem.titles.aslsk.ground.lattice import distance, in_arc, parse
from pbem.titles.aslsk.movement.allowance import allowance_of
from pbem.titles.aslsk.ordnance.manhandling import push_modifiers
from pbem.titles.aslsk.ordnance.to_hit import effect_column, effect_modifiers, hit_modifiers, hit_number


def a_gun(card, at, facing, targets, ground, crew="228", **more):
    units = {"g1": (crew, at), **targets}
    return a_table(units, ground=a_ground(ground), weapons={"gw": (card, "g1")}, facings={"gw": facing}, **more)


def numbers(table, attack, target):
    one = component(table.situation, "gw")
    drm = sum(row.value for row in hit_modifiers(table.situation, one, attack, table.state.units[target]))
    return hit_number(table.situation, one, attack), drm


def the_88(**dice):
    """Return the example's 88 mm Gun in M3, whose arc covers J5."""
    return a_gun(
        "german-88l-aa", "M3", 4, {"r1": ("747", "J5"), "r2": ("666", "O4")}, {"woods": "J5", "grain": "L4 N3"},
        dice={"3.2.4": dice.get("hit", [])},
    )  # fmt: skip


def test_1_1_1_6_orchard_1c_a_line_that_touches_no_orchard_is_clear():
    found = sight(a_ground({"orchard": "A9"}, month=JULY), "S2", "S4")
    assert (found.clear, found.hindrance) == (True, 0)


@pytest.mark.parametrize(
    ("name", "a", "b", "range"),
    [
        ("geom-range-N5-P5", "N5", "P5", 2),
        ("geom-range-N5-P1", "N5", "P1", 5),
        ("geom-range-E8-C7", "E8", "C7", 2),
        ("geom-range-E9-C7", "E9", "C7", 3),
        ("geom-range-E9-I7", "E9", "I7", 4),
    ],
)
def test_1_1_ranges_between_named_hexes(name, a, b, range):
    assert distance(parse(a), parse(b)) == range, name


def test_3_2_4_geom_ca_2_the_arc_of_the_mortar_covers_both_targets():
    """geom-ca-2: a mortar in E9 that faces D8/E8 covers C7 and B7."""
    facing = next(k for k in range(6) if in_arc(parse("E9"), k, parse("D8")) and in_arc(parse("E9"), k, parse("E8")))
    assert in_arc(parse("E9"), facing, parse("C7")) and in_arc(parse("E9"), facing, parse("B7"))


def test_3_2_3_inline_ift_column_nine_fp_use_column_8():
    """inline-ift-column: 9 FP use column 8."""
    assert a_table({}).data.fire_table.column_of(9) == 8


def test_7_1_inline_af_ladder_a_squared_8_is_11_in_the_turret():
    """inline-af-ladder: a squared armour factor of 8 is 11 in the turret."""
    card = a_table({}).data.deck.vehicles["russian-kv-1e"]
    assert step_on_ladder(8, 1) == 11
    assert (card.side, card.turret_side) == (8, 11)


def test_3_2_4_th_1a_the_first_shot_of_the_88():
    """th-1a: 8 with +2 misses on a 7; the coloured 1 keeps the rate; the 7-4-7 is acquired at -1."""
    table = the_88(hit=[6, 1])
    assert numbers(table, Attack(("gw",), "J5"), "r1") == (8, 2)
    assert fire(table, Attack(("gw",), "J5")) == ["gw"]
    weapon = table.state.weapons["gw"]
    assert (weapon.acquired, weapon.acquisition, weapon.quarry) == ("J5", 1, ["r1"])


def test_3_2_4_th_1c_the_third_shot_turns_and_takes_a_new_target():
    """th-1c: 9 with +1 hindrance and +1 for one hexspine misses on an 8.

    The rate is lost, and the 6-6-6 is acquired at -1.
    """
    table = the_88(hit=[3, 5])
    weapon = table.state.weapons["gw"]
    weapon.facing, weapon.acquired, weapon.acquisition, weapon.quarry = 4, "J5", 2, ["r1"]
    assert numbers(table, Attack(("gw",), "O4"), "r2") == (9, 2)
    assert fire(table, Attack(("gw",), "O4")) == []
    assert (weapon.fired, weapon.acquired, weapon.acquisition) == ("prep", "O4", 1)


def test_3_2_4_th_1d_intensive_fire_keeps_the_acquired_target():
    """th-1d: with +2 Intensive Fire, -1 acquired and +1 hindrance an 8 misses; then the target is acquired at -2."""
    table = the_88(hit=[6, 2])
    weapon = table.state.weapons["gw"]
    weapon.facing, weapon.fired, weapon.acquired, weapon.acquisition, weapon.quarry = 5, "prep", "O4", 1, ["r2"]
    attack = Attack(("gw",), "O4", intensive=True)
    assert numbers(table, attack, "r2") == (9, 2)
    fire(table, attack)
    assert (weapon.fired, weapon.acquisition) == ("intensive", 2)


def test_3_2_4_th_1e_area_fire_has_no_tem_to_hit_but_on_the_effect():
    """th-1e: area fire has no TEM To Hit, even at a stone building; the FP of 88 mm is halved."""
    table = the_88()
    one, area = component(table.situation, "gw"), Attack(("gw",), "J5", how="area")
    number, drm = numbers(table, area, "r1")
    assert number < 8 and drm == 1
    assert effect_column(table.situation, one, area) == 8
    found = effect_modifiers(table.situation, one, area, table.state.units["r1"], ())
    assert [row.text for row in found] == ["woods"]


def mf(table, unit, *stack, double=False):
    units = [table.state.units[id] for id in (unit, *stack)]
    return allowance_of(table.situation, units[0], units, double=double) // 2


def test_3_3_1_mph_1b_a_light_machine_gun_is_within_the_capacity():
    """mph-1b: a squad with a 1 PP machine gun still has 4 MF."""
    table = a_table({"r1": ("447", "H3")}, weapons={"rw": ("russian-lmg", "r1")}, attacker="russian")
    assert mf(table, "r1") == 4


def test_3_3_1_mph_1d_a_squad_with_a_leader_has_6_mf():
    """mph-1d: a squad with a leader has 6 MF and enters three hexes at 2 MF."""
    assert mf(a_table({"r1": ("447", "F4"), "rl": ("r 9-1", "F4")}), "r1", "rl") == 6


def test_3_3_1_mph_1e_with_a_leader_at_double_time_8_mf():
    """mph-1e: with a leader and Double Time a squad has 8 MF, enters four hexes at 2 MF, and becomes CX."""
    assert mf(a_table({"r1": ("447", "E3"), "rl": ("r 8-1", "E3")}), "r1", "rl", double=True) == 8


def a_bazooka():
    return a_table(
        {"g1": ("747", "D9"), "r1": ("447", "E8"), "r2": ("447", "D7")},
        ground=a_ground({"stone": "D7", "grain": "D8"}),
        weapons={"gw": ("american-baz-43", "g1")},
        dice={"3.2.4": [6, 5]},
    )


@pytest.mark.rule("4.4", effect=True)
def test_4_4_latw_1a_1b_1d_the_bazooka_of_the_example():
    """latw-1a: a bazooka cannot fire at Infantry in the open; latw-1b: it needs 8 with +4; latw-1d: its
    squad still fires."""
    table = a_bazooka()
    assert [one.rule for one in attack_objections(table.situation, "german", Attack(("gw",), "E8"))] == ["4.4"]
    attack = Attack(("gw",), "D7")
    assert numbers(table, attack, "r2") == (8, 4)
    one = component(table.situation, "gw")
    assert effect_column(table.situation, one, attack) == 8
    assert effect_modifiers(table.situation, one, attack, table.state.units["r2"], ()) == []
    fire(table, attack)
    for hex in ("E8", "D7"):
        assert not list(attack_objections(table.situation, "german", Attack(("g1",), hex)))


def test_6_1_ch_1a_1b_the_105_near_and_far():
    """ch-1a: the number is 9 and the CH number 4 at range 2; ch-1b: red 6 and CH 2 at range 7."""
    near = a_gun("american-105-art", "R6", 5, {"r1": ("467", "S8")}, {"stone": "S8"}, crew="227")
    far = a_gun("american-105-art", "R6", 5, {"r1": ("467", "K6")}, {}, crew="227")
    charts = near.data.charts
    number = hit_number(near.situation, component(near.situation, "gw"), Attack(("gw",), "S8"))
    assert (number, charts.critical(number)) == (9, 4)
    number = hit_number(far.situation, component(far.situation, "gw"), Attack(("gw",), "K6"))
    assert (number, charts.critical(number)) == (6, 2)


def test_6_5_manhandle_4_along_the_road():
    """manhandle-4: 2 MF is +2, the leader -1, the road -2; no TEM applies (the example's +1 is taken as an error)."""
    table = a_table(
        {"g1": ("227", "D6"), "gl": ("a 8-1", "D6")},
        ground=a_ground({"woods": "D5"}, roads=["D6-C6"]),
        weapons={"gw": ("american-57l-at", "g1")},
        facings={"gw": 2},
        phase="movement",
    )
    moving_in(table, ["g1", "gl"], spent=0)
    units = [table.state.units["g1"], table.state.units["gl"]]
    found = push_modifiers(table.situation, units, table.state.weapons["gw"], "C6")
    assert sorted(row.value for row in found) == [-2, -1, 2]
