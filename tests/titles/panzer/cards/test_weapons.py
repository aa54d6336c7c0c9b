"""5.1, 5.2, 5.6, 5.7 The weapons of units, and where they can fire from."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import (
    a_gun,
    a_leg,
    a_tank,
    advanced_data,
    an_advanced_state,
    both_editions,
)
from titles.panzer.builders import a_board

from pbem.titles.panzer.cards.weapons import TURRETS, attached_weapons, is_armed, most_weapons, weapons_of
from pbem.titles.panzer.fire.aiming import aim_objections
from pbem.titles.panzer.fire.declarations import beside_of, read_entries
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import HullDown, Inside, Marker

VILLAGE = a_board(signs={"C3": "b"}, legend={"b": ["stone_building"]}, storeys={"C3": 2})


def objections(
    firer: Any, target: Any, weapon: int = 0, how: str = "gp", *others: Any, edition: str = "2024", **more: Any
) -> list[Any]:
    """Return the reasons why a weapon cannot fire."""
    state = an_advanced_state(firer, target, *others)
    data = advanced_data(more.pop("board", None), edition=edition, sides=state.sides, **more)
    arm = weapons_of(data, firer)[weapon]
    return list(aim_objections(Situation(data, state), firer, arm, how, target))


# --- weapons of units ------------------------------------------------------------------------------------------


@pytest.mark.rule("6.5", effect=True)
def test_6_5_the_weapons_of_each_kind_of_unit():
    data = advanced_data()
    assert [arm.name for arm in weapons_of(data, a_tank("b1", "A1", "grant"))] == ["75mm M3", "37mm M6"]
    assert [arm.hows for arm in weapons_of(data, a_gun("g1", "A1", "pak40"))] == [
        ("ap", "ap:APCR", "ap:HEAT", "gp", "smoke")
    ]
    squad = a_leg("g1", "A1", "german_rifle_squad", weapons=("german_pzb39", "german_hmg", "german_flamethrower"))
    assert [(arm.name, arm.hows) for arm in weapons_of(data, squad)] == [
        ("small arms", ("gp",)),
        ("PzB 39", ("ap",)),
        ("German HMG", ("gp",)),
        ("German flamethrower", ()),
    ]
    assert [arm.dual for arm in weapons_of(data, squad)] == [False, True, True, True]
    assert (
        weapons_of(data, a_gun("b1", "A1", "atg_2pdr"))[0].weapon.ranges
        == weapons_of(data, a_tank("b1", "A1", "crusader1"))[0].weapon.ranges
    )
    assert not is_armed(data, a_tank("g1", "A1", "opel")) and is_armed(data, squad)


@pytest.mark.rule("5.1.3.4", effect=True)
def test_5_1_3_4_fixed_gp_factors():
    """2016:L1516: the Panzerfaust has GP factor 14 and the RPzB 43/54 has 8, at every range."""
    data = advanced_data(edition="2016")
    unit = a_leg("g1", "A1", "german_rifle_squad", weapons=("german_panzerfaust", "german_rpzb"))
    _, faust, rpzb = weapons_of(data, unit)
    assert [faust.gp_at(1)[1], rpzb.gp_at(1)[1]] == [14, 8]
    assert {factor[1] for hexes in range(1, 10) if (factor := rpzb.gp_at(hexes))} == {8}


def test_5_1_1_italian_squads_come_in_three_types():
    """L1296: Italian squads come in three types."""
    legs = advanced_data().book.legs
    assert {"italian_lmg_squad", "italian_infantry_squad", "italian_bersaglieri_squad"} <= legs.keys()


@pytest.mark.rule("5.1.2", effect=True)
@pytest.mark.parametrize("edition", ["2024", "2016"])
def test_5_1_2_sections_have_two_movement_factors(edition):
    """L1304, 2016:L1466: the movement factor is 2L 3 without an attached weapon and 1L 0 with one."""
    section = advanced_data(edition=edition).book.legs["german_section"]
    assert (section.movement.value, section.loaded.value) == ("2L 3", "1L 0")


def test_5_1_3_crew_served_weapons_stand_on_their_cards():
    """L1316-1340: crew-served weapons are listed on their units' cards."""
    attached = advanced_data().book.attached
    on_card = {
        reference: {row.name for row in attached.values() if row.reference == reference}
        for reference in ("G-8B", "B-8B", "I-8B")
    }
    assert {"8cm GrW 34", "5cm GrW 36"} <= on_card["G-8B"]
    assert {"British HMG", "Boys anti-tank rifle", "OML 3-inch mortar"} <= on_card["B-8B"]
    assert on_card["I-8B"]


def test_5_1_3_crew_served_weapons_of_2016():
    """2016:L1478: there are six German kinds on card G-8B and five Soviet kinds on card S-8B."""
    attached = advanced_data(edition="2016").book.attached
    count = {ref: sum(row.reference == ref for row in attached.values()) for ref in ("G-8B", "S-8B")}
    assert count == {"G-8B": 6, "S-8B": 5}


@pytest.mark.rule("5.1.3.5", "5.1.3.2", effect=True)
@both_editions("5.1.3", "5.1.3.1", "5.1.3.2", "5.1.3.3", "5.1.3.5")
def test_5_1_3_what_attached_weapons_do(edition):
    """L1318-1358: each attached weapon has the kinds of fire that its card names."""
    weapons = ("german_grw34", "british_hmg", "british_boys", "german_flamethrower")
    data = advanced_data(edition=edition)
    found = attached_weapons(data, a_leg("g1", "A1", "german_rifle_squad", weapons=weapons))
    assert_rule(found, "5.1.3", result=["8cm GrW 34", "British HMG", "Boys anti-tank rifle", "German flamethrower"])
    mortar = assert_rule(found, "5.1.3.1", result=["gp", "smoke"])
    assert mortar.inputs["indirect"] and mortar.inputs["small_arms"] and not mortar.inputs["in_vehicles"]
    assert_rule(found, "5.1.3.2", result=["gp"], inputs={"in_vehicles": False, "small_arms": True})
    assert_rule(found, "5.1.3.3", result=["ap"], inputs={"in_vehicles": True, "small_arms": True})
    assert_rule(found, "5.1.3.5", result=[])


@pytest.mark.rule("5.1.3.3", effect=True)
def test_5_1_3_3_only_the_fucile_has_gp_fire_and_only_in_2024():
    """Switch 11: only the Fucile has GP fire, and only in the 2024 book."""
    new = advanced_data()
    arm = weapons_of(new, a_leg("i1", "A1", "italian_lmg_squad", weapons=("italian_fucile",)))[1]
    assert arm.hows == ("ap", "gp")
    assert not [row for row in advanced_data(edition="2016").book.attached.values() if row.kind == "atr" and row.gp]


# --- restrictions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "rule"), [("german_grw34", "5.1.3.1"), ("german_hmg", "5.1.3.2"), ("us_bazooka", "5.1.3.4")]
)
@both_editions("5.1.3.1", "5.1.3.2", "5.1.3.4")
def test_5_1_3_passengers_fire_small_arms_and_anti_tank_rifles_only(edition, weapon, rule):
    """L1318-1352, L3674: passengers may fire only small arms and anti-tank rifles."""
    refused = []
    for name in ("german_grw34", "german_hmg", "us_bazooka", "british_boys"):
        squad = a_leg("g2", "C3", "german_rifle_squad", weapons=(name,), aboard="g1")
        how = "ap" if name == "british_boys" else "gp"
        target = a_tank("b1", "C5", "crusader1") if how == "ap" else a_leg("b1", "C5", "british_rifle_squad")
        refused += objections(squad, target, 1, how, a_tank("g1", "C3", "opel"), edition=edition)
    for found in ("5.1.3.1", "5.1.3.2", "5.1.3.4"):
        assert_rule(refused, found)
    assert len(refused) == 3 and rule in {one.rule for one in refused} and weapon


@both_editions("5.1.3.1", "5.1.3.4")
def test_5_1_3_mortars_and_hand_held_weapons_need_the_ground(edition):
    """L1320, L1346: an HMG may fire from an upper floor; L1718: any weapon may fire from a desert roof."""
    squad = a_leg(
        "g1", "C3", "german_rifle_squad", weapons=("german_grw34", "us_bazooka", "german_hmg"), inside=Inside.UP
    )
    target = a_leg("b1", "C5", "british_rifle_squad")
    refused = [objections(squad, target, weapon, board=VILLAGE, edition=edition) for weapon in (1, 2, 3)]
    assert_rule(refused[0], "5.1.3.1")
    assert_rule(refused[1], "5.1.3.4")
    assert not refused[2]
    assert not objections(squad, target, 1, board=VILLAGE, desert_buildings=True)


@pytest.mark.rule("6.5", effect=True)
@both_editions("5.1.3.4", "5.1.3.5", "6.5.2", "6.5.4.2.3")
def test_6_5_what_can_be_fired_at_what(edition):
    """L2408: AP is fired only at vehicles; 5.1.3.4: hand-held GP is never fired at vehicles; 5.1.3.5: a
    flamethrower never fires."""
    weapons = ("us_bazooka", "german_flamethrower")
    squad = a_leg("g1", "C3", "german_rifle_squad", weapons=weapons)
    tank, foot = a_tank("b1", "C4", "crusader1"), a_leg("b1", "C4", "british_rifle_squad")
    assert_rule(objections(squad, foot, 1, "ap", edition=edition), "6.5.2")
    assert_rule(objections(squad, tank, 0, "ap", edition=edition), "6.5.2")
    assert_rule(objections(squad, tank, 1, "gp", edition=edition), "5.1.3.4")
    assert_rule(objections(squad, foot, 2, "gp", edition=edition), "5.1.3.5")
    assert not objections(squad, foot, 1, "gp", edition=edition)
    assert not objections(squad, tank, 1, "ap", edition=edition)
    aboard = a_leg("b2", "C4", "british_rifle_squad", aboard="b1")
    assert_rule(objections(squad, aboard, 0, "gp", tank, edition=edition), "6.5.4.2.3")


@pytest.mark.rule("3.5.1", effect=True)
@both_editions("5.1.1", "5.2", "5.6", "3.5.2")
def test_5_fields_of_fire_and_ranges(edition):
    """L1290: unsuppressed leg units fire all round; L1364: guns fire ahead; L1402: minimum ranges apply."""
    foot = a_leg("b1", "C6", "british_rifle_squad")
    squad = a_leg("g1", "C3", "german_rifle_squad", facing=1)
    assert not objections(squad, foot, edition=edition)
    shaken = a_leg("g1", "C3", "german_rifle_squad", facing=1, suppression=Marker.OFF)
    assert_rule(objections(shaken, foot, edition=edition), "5.1.1")
    gun = a_gun("g1", "C3", "pak38", facing=1)
    assert_rule(objections(gun, foot, edition=edition), "5.2")
    assert not objections(a_gun("g1", "C3", "pak38", facing=4), foot, edition=edition)
    assert_rule(objections(squad, a_leg("b1", "C3", "british_rifle_squad"), edition=edition), "5.6")
    assert_rule(objections(squad, a_leg("b1", "C15", "british_rifle_squad"), edition=edition), "3.5.2")


@pytest.mark.rule("6.1.4.1.2", effect=True)
@both_editions("6.1.4.1.2/limited-weapon")
def test_6_1_4_1_2_limited_weapons_do_not_fire_hull_down(edition):
    """L1672: the hull gun of the M11/39 is limited, but may fire from a partial hull-down position."""
    tank = a_tank("b1", "C9", "crusader1")
    down = a_tank("i1", "C6", "m11_39", facing=4, hull_down=HullDown.HD)
    assert_rule(objections(down, tank, 0, "ap", edition=edition), ledger_row(edition, "6.1.4.1.2/limited-weapon"))
    assert not objections(down, tank, 1, "gp", edition=edition)
    partial = a_tank("i1", "C6", "m11_39", facing=4, hull_down=HullDown.PHD)
    assert not objections(partial, tank, 0, "ap", edition=edition)


@pytest.mark.rule("5.1.3.1", effect=True)
@pytest.mark.rule("5.1.3.1/vehicle-mortar-building", editions=("2016",))
def test_5_1_3_1_a_mortar_on_a_vehicle_does_not_fire_inside_a_building_in_2016():
    """2016:L1490, switch 10: a mortar on a vehicle inside a building does not fire."""
    inside = a_tank("g1", "C3", "spw251_2", facing=4, inside=Inside.BUILDING)
    foot = a_leg("b1", "C6", "british_rifle_squad")
    assert_rule(objections(inside, foot, 0, board=VILLAGE, edition="2016"), "5.1.3.1/vehicle-mortar-building")
    assert not objections(inside, foot, 0, board=VILLAGE)


@both_editions("5.15")
def test_5_15_an_abandoned_vehicle_does_not_fire(edition):
    empty = a_tank("g1", "C3", "pz3j", bailed_out=True)
    assert_rule(objections(empty, a_tank("b1", "C6", "crusader1"), 0, "ap", edition=edition), "5.15")


@pytest.mark.rule("5.7", effect=True)
def test_5_7_small_arms_by_card():
    """L1412: the British HMG and the SPW 251/1 fire small arms; so do mortars and anti-tank rifles (5.1.3)."""
    data = advanced_data()
    hmg = weapons_of(data, a_leg("b1", "A1", "british_rifle_squad", weapons=("british_hmg",)))[1]
    spw = weapons_of(data, a_tank("g1", "A1", "spw251"))[0]
    assert hmg.small_arms and spw.small_arms
    assert not weapons_of(data, a_tank("g1", "A1", "pz3j"))[0].small_arms


# --- 5.14 how many ---------------------------------------------------------------------------------------------


@pytest.mark.rule("5.14", effect=True)
def test_5_14_how_many_weapons_a_unit_fires_at_once():
    """L1298, L1304, L1496: a unit fires all its weapons, but sections and suppressed units fire only one weapon."""
    data = advanced_data()
    squad = {"weapons": ("german_hmg", "german_pzb39")}
    assert most_weapons(data, a_leg("g1", "A1", "german_rifle_squad", **squad)) == 3
    assert most_weapons(data, a_leg("g1", "A1", "german_rifle_half_squad", **squad)) == 3
    assert most_weapons(data, a_leg("g1", "A1", "german_section", **squad)) == 1
    assert most_weapons(data, a_leg("g1", "A1", "german_rifle_squad", suppression=Marker.ON, **squad)) == 1
    assert most_weapons(data, a_tank("b1", "A1", "grant", suppression=Marker.ON)) == 1


@pytest.mark.rule("5.14", effect=True)
@pytest.mark.parametrize(("edition", "card", "dual"), [("2024", "morris_cs9", "MMG"), ("2016", "spw251_2", "MMG")])
def test_5_14_only_the_weapon_in_reverse_print_is_modified(edition, card, dual):
    """Only the weapon in reverse print is modified: on the Morris CS9 (L1510) and the SPW 251/2 (2016, 5.14)."""
    tank = a_tank("b1", "C3", card)
    state = an_advanced_state(tank, a_tank("g1", "C4", "pz3j"), a_tank("g2", "C5", "pz3j"))
    data = advanced_data(edition=edition, sides=state.sides)
    names = [arm.name for arm in weapons_of(data, tank)]
    same = read_entries({"target": "g1", "firers": [["b1", 0, "gp"], ["b1", 1, "gp"]]})
    other = read_entries({"target": "g1", "firers": [["b1", 0, "gp"], ["b1", 1, "gp", "g2"]]})
    assert [beside_of(Situation(data, state), entry, same) for entry in same] == [
        "same" if name == dual else "" for name in names
    ]
    assert [beside_of(Situation(data, state), entry, other) for entry in other] == [
        "other" if name == dual else "" for name in names
    ]
    assert beside_of(Situation(data, state), same[1], same[1:]) == ""  # alone it fires normally


def test_7_8_1_the_weapons_of_a_turret_turn_with_it():
    """7.8.1: the turret rating belongs to the vehicle, so a machine gun beside the gun cannot turn further."""
    for id, vehicle in advanced_data().book.vehicles.items():
        ratings = {mount.weapon.turret for mount in vehicle.mounts if mount.weapon.turret in TURRETS}
        assert len(ratings) <= 1, id
