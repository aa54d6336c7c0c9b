"""Single words in sentences of the rules: a case that each covers, and the nearest case that it does not."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import a_table, carried, driving, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.chance import draw
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.effects import Aimed, strike
from pbem.titles.aslsk.fire.firepower import shares
from pbem.titles.aslsk.fire.modifiers import fire_modifiers
from pbem.titles.aslsk.fire.morale import Aftermath, morale_check, reduce_casualties
from pbem.titles.aslsk.fire.phases import turn_guns
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.expenditures import expend
from pbem.titles.aslsk.movement.phase import start_mover, stop
from pbem.titles.aslsk.orders import FireOrder, Leg, MoveOrder, Orders, RoutOrder
from pbem.titles.aslsk.ordnance.to_hit import effect_column, hit_modifiers
from pbem.titles.aslsk.player.checks import fire_objections
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.state import Weapon

T34, PZ4, KV, STUG = "russian-t34-85", "german-pz4h", "russian-kv-1e", "german-stug3g"
SHAKEN = {"broken": True, "dm": True}


def objections(table, attack, seat="german"):
    return list(attack_objections(table.situation, seat, attack))


def firers_of(table, attack):
    return [component(table.situation, id) for id in attack.components]


def drms(table, attack, target):
    found = fire_modifiers(table.situation, attack, firers_of(table, attack), table.state.units[target])
    return {row.text: row.value for row in found}


def to_hit(table, attack, target):
    found = hit_modifiers(table.situation, firers_of(table, attack)[0], attack, table.state.units[target])
    return {row.text: row.value for row in found}


# --- 3.2, 3.3.3 who fires at what -----------------------------------------------------------------------------------


@pytest.mark.rule("1.1", "3.2")
def test_3_2_an_attack_needs_a_hex_on_the_map_with_an_enemy_or_an_exposed_crew():
    table = a_table({"g1": ("467", "E4")}, vehicles={"r1": (T34, "E8", 1), "r2": (T34, "E7", 1)},
                    armour={"r1": {"ce": True}})  # fmt: skip
    assert_rule(objections(table, Attack(("g1",), "ZZ9")), "1.1")
    assert not objections(table, Attack(("g1",), "E8"))
    assert_rule(objections(table, Attack(("g1",), "E7")), "3.2")


@pytest.mark.rule("3.2.2/target-choice")
def test_3_2_2_only_an_enemy_in_the_hex_keeps_a_unit_from_firing_out_of_it():
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E4"), "r1": ("447", "E8")}, vehicles={"r2": (T34, "E5", 1)})
    assert not objections(table, Attack(("g1", "g2"), "E8"))
    table.state.vehicles["r2"].at = "E4"
    assert_rule(objections(table, Attack(("g1", "g2"), "E8")), "3.2.2/target-choice")


@pytest.mark.rule("3.2.2/fire-groups")
def test_3_2_2_a_tank_and_a_squad_never_fire_as_one_group():
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")}, vehicles={"g2": (PZ4, "E5", 4)})
    assert_rule(objections(table, Attack(("g1", "g2bmg"), "E8")), "3.2.2/fire-groups")
    assert not objections(table, Attack(("g2bmg", "g2cmg"), "E8"))
    assert not objections(table, Attack(("g1",), "E8"))


@pytest.mark.rule("3.2.2/mandatory-fg")
def test_3_2_2_whoever_fired_at_an_earlier_expenditure_binds_nobody_at_a_later_one():
    table = a_table(
        {"g1": ("467", "E4"), "g2": ("467", "E4"), "r1": ("447", "E8")}, phase="movement", attacker="russian",
        dice={"3.2.2": [6, 5]},
    )  # fmt: skip
    moving_in(table, ["r1"], spent=4)
    fire(table, Attack(("g1",), "E8"))
    if "r1" in table.state.units:
        assert_rule(objections(table, Attack(("g2",), "E8")), "3.2.2/mandatory-fg")
        table.state.mover.expenditures += 1
        assert not objections(table, Attack(("g2",), "E8"))


@pytest.mark.rule("3.2.2/fp-modification")
def test_3_2_2_point_blank_doubles_long_range_halves_and_twice_the_range_is_the_end():
    for at, fp, why in (("E5", 8, "point blank"), ("E8", 4, ""), ("E10", 4, ""), ("E11", 2, "long range")):
        table = a_table({"g1": ("467", "E4"), "r1": ("447", at)})
        (share,) = shares(table.situation, Attack(("g1",), at))
        assert share.fp == fp and [factor.why for factor in share.factors] == ([why] if why else [])
    long = a_table({"g1": ("467", "A1"), "r1": ("447", "N8")})
    assert long.situation.ground.distance("A1", "N8") == 14
    assert_rule(objections(long, Attack(("g1",), "N8")), "3.2.2/fp-modification")


@pytest.mark.rule("3.2.2/cowering", "5.4")
def test_3_2_2_an_mg_of_two_leaders_does_not_cower_and_green_squads_cower_twice():
    for units, ids, columns in (
        ({"gl": ("g 8-1", "E4"), "gm": ("g 8-0", "E4")}, ("gw", "gm"), 0),
        ({"gl": ("536", "E4")}, ("gl",), 2),
        ({"gl": ("467", "E4")}, ("gl",), 1),
    ):
        table = a_table({**units, "r1": ("447", "E8")}, weapons={"gw": ("german-mmg", "gl")}, dice={"3.2.2": [2, 2]})
        fire(table, Attack(ids, "E8"))
        cell = table.findings[-1].cell
        columns_left = table.situation.data.fire_table.columns
        before, after = cell["column"], cell["used"]
        assert columns_left.index(before) - (columns_left.index(after) if after else -1) == columns
        if columns:
            assert_rule(table.findings, "3.2.2/cowering", result=columns)
        if columns == 2:
            assert_rule(table.findings, "5.4", inputs={"units": ["gl"]})
        if columns == 1:
            assert not [one for one in every(table.findings) if one.rule == "5.4"]


@pytest.mark.rule("1.2.4.1")
def test_1_2_4_1_a_weapon_marked_first_fire_keeps_no_rate_in_the_defensive_fire_phase():
    for marker, at, kept in (("", "E8", True), ("first", "E5", False)):
        table = a_table(
            {"g1": ("467", "E4"), "r1": ("447", at)}, weapons={"gw": ("german-hmg", "g1")}, phase="defensive",
            attacker="russian", dice={"3.2.2": [2, 1]},
        )  # fmt: skip
        table.state.weapons["gw"].fired = marker
        assert not objections(table, Attack(("gw",), at))
        assert (fire(table, Attack(("gw",), at)) == ["gw"]) is kept
        if kept:
            assert_rule(table.findings, "1.2.4.1", inputs={"weapon": "gw"}, dice=[1])


@pytest.mark.rule("3.3.3/sff")
def test_3_3_3_subsequent_fire_within_normal_range_only():
    table = a_table(
        {"g1": ("467", "E4"), "r1": ("447", "E11")}, phase="movement", attacker="russian",
        states={"g1": {"fired": "first"}},
    )  # fmt: skip
    moving_in(table, ["r1"])
    assert_rule(objections(table, Attack(("g1",), "E11")), "3.3.3/sff")
    table.state.units["g1"].fired = ""
    assert not objections(table, Attack(("g1",), "E11"))


@pytest.mark.rule("3.4")
def test_3_4_a_unit_marked_first_fire_fires_at_its_neighbours_and_one_marked_final_fire_at_nobody():
    table = a_table(
        {"g1": ("467", "E4"), "g2": ("467", "F4"), "r1": ("447", "E5"), "r2": ("447", "E8")}, phase="defensive",
        attacker="russian", states={"g1": {"fired": "first"}, "g2": {"fired": "final"}},
    )  # fmt: skip
    assert not objections(table, Attack(("g1",), "E5"))
    assert_rule(objections(table, Attack(("g1",), "E8")), "3.4")
    assert_rule(objections(table, Attack(("g2",), "E5")), "3.4")


@pytest.mark.rule("3.3.3/fpf")
def test_3_3_3_final_protective_fire_at_an_adjacent_hex_with_everything():
    table = a_table(
        {"g1": ("467", "E4"), "r1": ("447", "E5"), "r2": ("447", "E6")}, weapons={"gw": ("german-lmg", "g1")},
        phase="movement", attacker="russian", states={"g1": {"fired": "final"}},
    )  # fmt: skip
    table.state.weapons["gw"].fired = "final"
    moving_in(table, ["r1"])
    assert_rule(
        objections(table, Attack(("g1",), "E5")), "3.3.3/fpf", why="g1 must fire with everything it has, including gw"
    )
    assert not objections(table, Attack(("g1", "gw"), "E5"))
    table.state.weapons["gw"].malfunctioned = True
    assert not objections(table, Attack(("g1",), "E5"))
    moving_in(table, ["r2"])
    assert_rule(objections(table, Attack(("g1",), "E6")), "3.3.3/fpf")


@pytest.mark.rule("3.3.3/status-during-dff")
def test_3_3_3_only_a_unit_in_assault_movement_loses_it_by_breaking():
    for assault, told in ((True, 1), (False, 0)):
        table = a_table({"r1": ("447", "E8")}, phase="movement", attacker="russian", dice={"3.2.3/nmc": [6, 5]})
        moving_in(table, ["r1"], assault=assault)
        morale_check(table, table.state.units["r1"], (), Aftermath())
        found = [one for one in table.findings if one.rule == "3.3.3/status-during-dff"]
        assert len(found) == told
        if told:
            assert_rule(found, "3.3.3/status-during-dff", inputs={"unit": "r1", "at": "E8"})
    still = a_table({"r1": ("447", "E8")}, dice={"3.2.3/nmc": [6, 5]})
    morale_check(still, still.state.units["r1"], (), Aftermath())
    assert still.state.units["r1"].broken


@pytest.mark.rule("3.3.3")
def test_3_3_3_a_tank_that_stands_still_is_no_target_of_first_fire_but_of_bounding_fire():
    table = a_table(
        {"r1": ("r228", "E8")}, weapons={"rw": ("russian-76l-art", "r1")}, facings={"rw": 1},
        vehicles={"g1": (PZ4, "E4", 4), "r2": (T34, "E9", 1)}, phase="movement", attacker="german",
    )  # fmt: skip
    driving(table, "g1", ("E4", 2), stopped=True)
    table.state.mover.stack = ["gx"]
    assert_rule(objections(table, Attack(("rw",), "E4", target="g1"), "russian"), "3.3.3")
    table.state.mover.stack = ["g1"]
    assert not objections(table, Attack(("rw",), "E4", target="g1"), "russian")
    assert not [one for one in objections(table, Attack(("g1ma",), "E9", target="r2")) if one.rule == "3.3.3"]


@pytest.mark.rule("3.5/assault-fire")
def test_3_5_assault_fire_ends_at_the_normal_range():
    near = a_table({"g1": ("548", "E4"), "r1": ("447", "E5")}, phase="advancing", dice={"3.2.2": [5, 4]})
    fire(near, Attack(("g1",), "E5"))
    shown = near.findings[-1].inputs["shares"]["g1"]
    assert "3.5/assault-fire" in shown["rules"] and shown["fp"] == "6"
    assert_rule(carried(near.findings), "3.5/assault-fire")
    far = a_table({"g1": ("548", "E4"), "r1": ("447", "E10")}, phase="advancing")
    (share,) = shares(far.situation, Attack(("g1",), "E10"))
    assert not [factor for factor in share.factors if factor.rule == "3.5/assault-fire"]


# --- 3.2.3 effects --------------------------------------------------------------------------------------------------


@pytest.mark.rule("5.1")
def test_5_1_by_more_than_the_elr_not_by_as_much_and_never_a_crew():
    """With ELR 3 and morale 7, a Final 10 fails by 3 and the unit is not replaced; a Final 11 fails by 4."""
    for dice, card in (([5, 5], "german-467"), ([6, 5], "german-447")):
        table = a_table({"g1": ("467", "E4")}, dice={"3.2.3/nmc": dice})
        morale_check(table, table.state.units["g1"], (), Aftermath())
        assert table.state.units["g1"].card == card
    assert_rule(table.findings, "5.1", inputs={"margin": 4, "elr": 3})
    crew = a_table({"g1": ("228", "E4")}, elr=0, dice={"3.2.3/nmc": [6, 5]})
    morale_check(crew, crew.state.units["g1"], (), Aftermath())
    assert crew.state.units["g1"].card == "german-crew"


@pytest.mark.rule("1.2.3", effect=True)
@pytest.mark.rule("3.2.3/wounds")
def test_3_2_3_a_wounded_leader_has_a_morale_less_leads_one_worse_and_dies_sooner():
    table = a_table({"gl": ("g 9-1", "E4"), "g1": ("467", "E4")}, dice={"3.2.3/wounds": [4, 4]})
    leader = table.state.units["gl"]
    situation = table.situation
    assert (situation.morale(leader), situation.leadership(leader)) == (9, -1)
    aftermath = Aftermath()
    reduce_casualties(table, leader, aftermath)
    assert (situation.morale(leader), situation.leadership(leader)) == (8, 0)
    assert aftermath.wounded == ["gl"]
    assert_rule(table.findings, "3.2.3/wounds", result="wounded")
    reduce_casualties(table, leader, aftermath)
    assert "gl" not in table.state.units
    last = assert_rule(table.findings, "3.2.3/wounds", result="eliminated", dice=[4])
    assert [row["value"] for row in last.modifiers] == [1]


@pytest.mark.rule("3.2.3/llmc")
def test_3_2_3_only_units_of_lower_morale_check_for_a_lost_leader_and_another_leader_helps_them():
    table = a_table(
        {"gl": ("g 9-1", "E4"), "gm": ("g 8-1", "E4"), "g1": ("467", "E4"), "g2": ("548", "E5")},
        dice={"3.2.3/kia": [1], "3.2.3/llmc": [1, 2, 3, 4]},
    )  # fmt: skip
    strike(table, 36, 0, [Aimed(table.state.units["gl"], ())])
    checked = [one for one in table.findings if one.rule == "3.2.3/llmc"]
    assert [one.inputs["unit"] for one in checked] == ["gm", "g1"]
    assert_rule(checked, "3.2.3/llmc", inputs={"unit": "g1"})
    assert [row["value"] for row in checked[0].modifiers] == [1]
    assert [row["value"] for row in checked[1].modifiers] == [1, -1]


@pytest.mark.rule("3.2.3/dm-placement")
def test_3_2_3_fire_that_could_break_somebody_disheartens_broken_targets_and_doubles_that_cower_do_not_count():
    """With 1 FP and +2, only an Original 2 gives an NMC, and it cowers off the table unless a leader directs."""
    for leaders, dm in (((), False), (("gl",), True)):
        table = a_table(
            {"g1": ("247", "E4"), "gl": ("g 8-0", "E4"), "r1": ("447", "E11")}, states={"r1": {"broken": True}},
            dice={"3.2.2": [6, 5]}, ground=a_ground({"wooden": "E11"}),
        )  # fmt: skip
        fire(table, Attack(("g1",), "E11", leaders))
        found = [one for one in every(table.findings) if one.rule == "3.2.3/dm-placement"]
        assert table.findings[-1].cell["column"] == 1 and bool(found) is dm
    assert_rule(found, "3.2.3/dm-placement", inputs={"unit": "r1"})


def test_3_2_3_a_single_target_is_chosen_without_a_die():
    table = a_table({"r1": ("447", "E8")}, dice={"3.2.3/k": [2]})
    assert draw(table, "3.2.3/k", ["only"], 1) == ["only"]
    assert draw(table, "3.2.3/k", ["first", "second"], 1) == ["second"]


# --- 4 weapons ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.0/weapon-usage")
def test_4_0_a_half_squad_fires_itself_or_its_weapon_and_a_squad_both():
    for card, refused in (("247", True), ("467", False)):
        table = a_table({"g1": (card, "E4"), "r1": ("447", "E8")}, weapons={"gw": ("german-lmg", "g1")})
        found = objections(table, Attack(("g1", "gw"), "E8"))
        assert bool(found) is refused
        if refused:
            assert_rule(found, "4.0/weapon-usage")
        table.state.units["g1"].fired = "first"
        table.state.phase, table.state.attacker = "defensive", "russian"
        later = objections(table, Attack(("gw",), "E8"))
        assert bool(later) is refused


@pytest.mark.rule("4.1/breakdown", "4.0/weapon-penalties")
def test_4_1_an_mg_breaks_down_on_its_number_and_a_penalty_is_told_only_if_there_is_one():
    for card, told in (("467", 0), ("536", 1)):
        table = a_table(
            {"g1": (card, "E4"), "r1": ("447", "E8")}, weapons={"gw": ("german-mmg", "g1")}, dice={"3.2.2": [6, 6]}
        )
        fire(table, Attack(("gw",), "E8"))
        broken = assert_rule(table.findings, "4.1/breakdown", inputs={"weapon": "gw"}, result="malfunctions")
        found = [one for one in every(table.findings) if one.rule == "4.0/weapon-penalties"]
        assert (len(found) == told and broken.inputs["number"] == 12 - (told * 3 if card == "536" else 0)) or told
    assert_rule(found, "4.0/weapon-penalties", inputs={"weapon": "gw", "printed": 12})


@pytest.mark.rule("4.0/weapon-penalties")
def test_4_2_only_a_squad_that_is_not_elite_wears_a_flamethrower_out_sooner():
    for card, dice, gone in (("548", [4, 4], False), ("467", [4, 4], True)):
        table = a_table(
            {"g1": (card, "E4"), "r1": ("447", "E5")}, weapons={"gw": ("german-ft", "g1")}, dice={"3.2.2": dice}
        )
        fire(table, Attack(("gw",), "E5"))
        assert ("gw" not in table.state.weapons) is gone
    assert_rule(table.findings, "4.0/weapon-penalties", inputs={"weapon": "gw", "printed": 10}, result=8)


@pytest.mark.rule("4.4.1")
def test_4_4_1_a_lone_leader_fires_no_bazooka_but_two_do_and_so_does_a_squad():
    table = a_table(
        {"gl": ("g 8-1", "E4"), "gm": ("g 8-0", "E4"), "g1": ("467", "E5")},
        weapons={"gw": ("german-psk", "gl"), "gx": ("german-psk", "g1")}, vehicles={"r1": (T34, "E6", 1)},
        date="1944-06",
    )  # fmt: skip
    assert_rule(objections(table, Attack(("gw",), "E6", target="r1")), "4.4.1")
    assert not objections(table, Attack(("gw", "gm"), "E6", target="r1"))
    assert not objections(table, Attack(("gx",), "E6", target="r1"))


@pytest.mark.rule("4.4.5")
def test_4_4_5_a_piat_fires_downhill_only_into_the_distance():
    table = a_table(
        {"g1": ("467", "E4")}, weapons={"gw": ("british-piat", "g1")}, ground=a_ground({}, hills=["E4"]),
        vehicles={"r1": (T34, "E5", 1), "r2": (T34, "E6", 1)},
    )  # fmt: skip
    assert_rule(objections(table, Attack(("gw",), "E5", target="r1")), "4.4.5")
    assert not [one for one in objections(table, Attack(("gw",), "E6", target="r2")) if one.rule == "4.4.5"]


@pytest.mark.rule("4.4.3")
def test_4_4_3_only_bazookas_and_their_like_blast_a_building():
    for card, found in (("german-psk", True), ("british-piat", False)):
        table = a_table(
            {"g1": ("467", "E4"), "r1": ("447", "E6")}, weapons={"gw": (card, "g1")},
            ground=a_ground({"stone": "E4 E6"}),
        )  # fmt: skip
        assert ("no backblast" in to_hit(table, Attack(("gw",), "E6"), "r1")) is found
        assert "no backblast" not in to_hit(table, Attack(("gw",), "E6", blast=True), "r1")
    table = a_table(
        {"g1": ("467", "E4"), "r1": ("447", "E6")}, weapons={"gw": ("german-psk", "g1")},
        ground=a_ground({"stone": "E4 E6"}), dice={"3.2.4": [5, 6]},
    )  # fmt: skip
    fire(table, Attack(("gw",), "E6", blast=True))
    assert_rule(table.findings, "4.4.3", dice=[6])


@pytest.mark.rule("4.4.4")
def test_4_4_4_an_anti_tank_rifle_leaves_no_residual_fp_and_a_light_mg_does():
    for card, left in (("german-atr", {}), ("german-lmg", {"E8": 1})):
        table = a_table(
            {"g1": ("467", "E4"), "r1": ("447", "E8")}, weapons={"gw": (card, "g1")}, phase="movement",
            attacker="russian", dice={"3.2.2": [3, 4]},
        )  # fmt: skip
        moving_in(table, ["r1"])
        fire(table, Attack(("gw",), "E8"))
        assert table.state.residual == left
    far = a_table({"g1": ("467", "A1"), "r1": ("447", "N8")}, weapons={"gw": ("german-atr", "g1")})
    assert_rule(objections(far, Attack(("gw",), "N8")), "4.4.4")


# --- 6 ordnance -----------------------------------------------------------------------------------------------------


def a_gun(card, target=("447", "E8"), facing=4, **more):
    """Build a German Gun in E4 that faces a target to the south."""
    return a_table({"g1": ("228", "E4"), "r1": target}, weapons={"gw": (card, "g1")}, facings={"gw": facing}, **more)


@pytest.mark.rule("6.2/heat")
def test_6_2_heat_hurts_infantry_in_a_building_or_at_a_gun_only():
    table = a_gun("german-75s-inf", date="1944-06")
    assert_rule(objections(table, Attack(("gw",), "E8", how="H")), "6.2/heat")
    house = a_gun("german-75s-inf", date="1944-06", ground=a_ground({"stone": "E8"}))
    assert not [one for one in objections(house, Attack(("gw",), "E8", how="H")) if one.rule == "6.2/heat"]
    manned = a_gun("german-75s-inf", ("r228", "E8"), date="1944-06")
    manned.state.weapons["rw"] = Weapon(id="rw", card="russian-45l-at", holder="r1", facing=1)
    assert not [one for one in objections(manned, Attack(("gw",), "E8", how="H")) if one.rule == "6.2/heat"]


def test_6_2_apcr_is_one_fp_against_men():
    table = a_gun("german-50l-at")
    one = component(table.situation, "gw")
    for how, column in (("A", 1), ("D", 1), ("AP", 2)):
        assert effect_column(table.situation, one, Attack(("gw",), "E8", how=how)) == column


# --- 3.6 rout -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.6/leader-rout")
def test_3_6_a_leader_who_is_lost_on_the_way_does_not_run_on():
    """A leader lost on the way goes no farther, and the remaining half-squad continues without him."""
    table = a_table(
        {"r1": ("447", "E6"), "rl": ("r 8-1", "E6"), "g1": ("467", "E3")}, states={"r1": SHAKEN}, phase="rout",
        dice={"3.6/interdiction": [6, 5, 1, 1]},
    )  # fmt: skip
    rout(table, table.state.units["r1"], RoutOrder("r1", ("E7", "E8"), leader="rl"))
    assert_rule(table.findings, "3.6/leader-rout", inputs={"unit": "rl", "at": "E7"}, result="eliminated")
    assert table.state.units["r1"].at == "E8" and table.state.units["r1"].card == "russian-half-237"
    last = [one for one in table.findings if one.rule == "3.6/rout-movement"][-1]
    assert [shown.who for shown in last.shows] == ["r1"]


@pytest.mark.rule("3.2.4/covered-arc", "1.1")
def test_3_2_4_what_is_off_the_map_turns_nowhere_and_nothing_turns_to_a_hex_off_the_map():
    table = a_table({}, vehicles={"g1": (PZ4, "", 1), "g2": (PZ4, "E7", 1)})
    turn_guns(table, "german", [FireOrder(("g1bmg",), (), face="E10"), FireOrder(("g2bmg",), (), face="ZZ9")])
    told = [one for one in table.findings if one.rule == "3.2.4/covered-arc"]
    assert [one.result for one in told] == ["not carried out", "not carried out"]
    assert_rule(told, "3.2.4/covered-arc")
    assert_rule(
        list(fire_objections(table.situation, "german", FireOrder(("g2bmg",), (), face="ZZ9"), now=True)), "1.1"
    )


@pytest.mark.rule("6.2", "3.3.1/declaration")
def test_6_2_the_owner_reads_of_a_shot_without_ammunition_and_of_a_unit_that_acted_in_its_hex():
    table = a_gun("german-75l-at", date="1944-06", vehicles={"r9": (T34, "E8", 1)}, dice={"3.2.4": [6, 5]})
    fire(table, Attack(("gw",), "E8", how="A", target="r9"))
    told = assert_rule(table.findings, "6.2", result="not carried out")
    assert told.to == ("german",) and [shown.who for shown in told.shows] == ["g1"]
    smoke = a_table({"g1": ("548", "E4")}, phase="movement")
    order = MoveOrder(("g1",), (Leg("smoke", "E5"),))
    smoke.state.sealed["german"] = Orders(moves=(order,))
    start_mover(smoke, order, 0)
    expend(smoke, [smoke.state.units["g1"]], order.legs[0])
    stop(smoke, order, None, [], "")
    ended = assert_rule(smoke.findings, "3.3.1/declaration", result="ends its move")
    assert [(shown.who, shown.path) for shown in ended.shows] == [("g1", (("E4", None),))]
