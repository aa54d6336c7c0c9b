"""Vehicles whose main armament is a machine gun, to which both sets of rules apply."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, carried, driving

from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.orders import RallyOrders
from pbem.titles.aslsk.rally.phase import repair_vehicles

CARRIER, BA64, PZ4 = "british-carrier-a", "russian-ba-64b", "german-pz4h"


def objections(table, attack, seat=GERMAN):
    return list(attack_objections(table.situation, seat, attack))


def two_cars(card=CARRIER, *, phase="prep", dice=None, **armour):
    """Put a German vehicle with an MG as main armament two hexes from a thinly armoured Russian car in its arc."""
    return a_table({}, vehicles={"g1": (card, "E4", 4), "r1": (BA64, "E6", 1)}, armour={"g1": armour}, phase=phase,
                   attacker=GERMAN, dice=dice or {})  # fmt: skip


@pytest.mark.rule("7.7", "3.2.4/vtt")
def test_4_1_the_bow_mg_of_a_carrier_is_its_main_armament_and_fires_at_an_afv_without_rate_of_fire():
    """4.1, 7.8: an MG that is vehicle MA attacks an AFV as ordnance; its ROF does not matter."""
    table = two_cars(dice={"3.2.4": [2, 2], "7.9": [1, 1]})
    assert table.situation.weapon_card(table.state.weapons["g1bmg"]).rof == 0
    attack = Attack(("g1bmg",), "E6", target="r1")
    assert not objections(table, attack)
    fire(table, attack)
    assert "r1" not in table.state.vehicles
    assert_rule(table.findings, "3.2.4/vtt", inputs={"weapon": "g1bmg", "vehicle": "r1"}, result="hit")
    assert_rule(carried(table.findings), "7.7", inputs={"text": "BU"}, result=1)  # every To Hit DR of the MA


@pytest.mark.rule("7.8")
def test_7_8_the_bow_mg_of_a_tank_is_not_its_main_armament():
    tank = two_cars(PZ4)
    assert_rule(objections(tank, Attack(("g1bmg",), "E6", target="r1")), "7.8")
    assert_rule(objections(tank, Attack(("g1cmg",), "E6", target="r1")), "7.8")


@pytest.mark.rule("4.1/mg-vs-afv")
def test_4_1_a_main_mg_fires_at_an_afv_in_the_afph_but_neither_bounding_nor_in_motion():
    """The only halving allowed is that of the AFPh (7.8), but Bounding First Fire and Motion also halve (3.3.2.2)."""
    attack = Attack(("g1bmg",), "E6", target="r1")
    assert not objections(two_cars(phase="advancing"), attack)
    assert_rule(objections(two_cars(phase="advancing", motion=True), attack), "4.1/mg-vs-afv")
    for stopped in (True, False):
        bounding = two_cars(phase="movement")
        driving(bounding, "g1", ("E4", 2), stopped=stopped)
        assert_rule(objections(bounding, attack), "4.1/mg-vs-afv")


@pytest.mark.rule("6.10")
def test_6_10_a_main_mg_acquires_an_afv_and_loses_it_when_it_fires_at_another_hex():
    table = a_table({"r2": ("447", "E7")}, vehicles={"g1": (CARRIER, "E4", 4), "r1": (BA64, "E6", 1)},
                    dice={"3.2.4": [6, 5], "3.2.2": [6, 5]})  # fmt: skip
    fire(table, Attack(("g1bmg",), "E6", target="r1"))
    assert_rule(table.findings, "6.10", inputs={"weapon": "g1bmg", "at": "E6"}, result=-1)
    weapon = table.state.weapons["g1bmg"]
    assert (weapon.acquired, weapon.acquisition, weapon.quarry) == ("E6", 1, ["r1"])
    weapon.fired, table.state.vehicles["g1"].used = "", []
    fire(table, Attack(("g1bmg",), "E7"))
    assert weapon.acquisition == 0


@pytest.mark.rule("def/ordnance", effect=True)
@pytest.mark.rule("3.2.4/intensive-fire")
def test_3_2_4_intensive_fire_is_for_guns_and_main_armament_firing_as_ordnance():
    """3.2.4: Intensive Fire is not for SW or for attacks on the IFT, but an MG that is MA may use it at an AFV."""
    table = a_table({"g2": ("467", "E4"), "r2": ("447", "E7")}, weapons={"gw": ("german-mmg", "g2")},
                    vehicles={"g1": (CARRIER, "E4", 4), "r1": (BA64, "E6", 1)},
                    dice={"3.2.4": [6, 5]})  # fmt: skip
    for ids, at, target in ((("gw",), "E6", "r1"), (("g2",), "E7", ""), (("g1bmg",), "E7", "")):
        assert_rule(objections(table, Attack(ids, at, target=target, intensive=True)), "3.2.4/intensive-fire")
    shot = Attack(("g1bmg",), "E6", target="r1")
    fire(table, shot)
    assert objections(table, shot)
    again = Attack(("g1bmg",), "E6", target="r1", intensive=True)
    assert not objections(table, again)
    assert_rule(objections(table, Attack(("g1bmg",), "E7", intensive=True)), "3.2.4/intensive-fire")


@pytest.mark.rule("3.3.2.2")
def test_3_3_2_2_a_main_mg_that_kept_its_rate_needs_one_more_mp_and_may_fire_in_the_afph():
    """3.3.2.2: MA that keeps ROF fires again after one more MP, from another hex too, and once in the AFPh."""
    table = a_table({"g2": ("467", "E7")}, vehicles={"r1": (BA64, "E4", 4)}, phase="movement", attacker=RUSSIAN,
                    dice={"3.2.2": [5, 1]})  # fmt: skip
    driving(table, "r1", ("E4", 2), stopped=True)
    attack = Attack(("r1cmg",), "E7")
    assert fire(table, attack) == ["r1cmg"]
    assert_rule(objections(table, attack, RUSSIAN), "3.3.2.2")
    vehicle = table.state.vehicles["r1"]
    vehicle.going.spent += 2
    assert not objections(table, attack, RUSSIAN)
    vehicle.at = "E5"
    assert not objections(table, attack, RUSSIAN)
    vehicle.going, table.state.mover, table.state.phase = None, None, "advancing"
    assert not objections(table, attack, RUSSIAN)


@pytest.mark.rule("7.10/recall", "3.1/c-repair")
def test_7_2_a_carrier_that_loses_its_only_mg_is_recalled():
    table = two_cars(phase="rally", dice={"3.1/c-repair": [6]})
    table.state.weapons["g1bmg"].malfunctioned = True
    repair_vehicles(table, GERMAN, RallyOrders())
    assert table.state.vehicles["g1"].recalled
    assert_rule(table.findings, "7.10/recall", inputs={"vehicle": "g1"}, result="recalled")
    assert_rule(table.findings, "3.1/c-repair", inputs={"weapon": "g1bmg"}, result="removed")
