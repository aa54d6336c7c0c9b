"""3.2.4, 4.4, 6.2, 6.3, 6.6, 6.11, 6.12 Numbers, ammunition, cover and breakdown of ordnance, rule by rule."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, carried
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.phases import turn_guns
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.orders import FireOrder


def a_gun(card="german-75l-at", crew="228", facing=4, target="447", at="E8", ground=None, **more):
    units = {"g1": (crew, "E4"), "r1": (target, at)}
    return a_table(units, weapons={"gw": (card, "g1")}, facings={"gw": facing}, ground=a_ground(ground or {}), **more)


def objections(table, attack, seat="german"):
    return list(attack_objections(table.situation, seat, attack))


def shot(table, at="E8", **more):
    fire(table, Attack(("gw",), at, **more))
    return table.findings


@pytest.mark.rule("3.2.4/itt", "3.2.4/att", "3.2.4/th-numbers", "3.2.4/red-black")
def test_3_2_4_target_types_and_numbers():
    """The Infantry number is black 8 at 4 hexes, and the area number is red 7; a Soviet Gun has red 6 at 7 hexes."""
    found = shot(a_gun(dice={"3.2.4": [6, 5]}))
    assert_rule(found, "3.2.4/itt", inputs={"range": 4}, result="infantry")
    assert_rule(found, "3.2.4/th-numbers", result=8)
    assert_rule(found, "3.2.4/red-black", result="black")
    area = shot(a_gun(dice={"3.2.4": [6, 5]}), how="area")
    assert_rule(area, "3.2.4/att", result="area")
    assert_rule(area, "3.2.4/th-numbers", result=7)
    table = a_table({"r1": ("r228", "E2"), "g1": ("467", "E9")}, weapons={"gw": ("russian-76l-art", "r1")},
                    facings={"gw": 4}, attacker="russian", dice={"3.2.4": [6, 5]})  # fmt: skip
    assert_rule(shot(table, "E9"), "3.2.4/red-black", result="red")
    assert_rule(table.findings, "3.2.4/th-numbers", result=6)
    again = a_gun()
    again.state.weapons["gw"].area = True
    assert_rule(objections(again, Attack(("gw",), "E8", how="area")), "3.2.4/att")


@pytest.mark.rule("3.2.4/rof-reduction", "3.2.4/non-qualified", "1.2.4.1")
def test_3_2_4_untrained_hands_and_turning_cost_the_rate_of_fire():
    found = shot(a_gun(crew="467", dice={"3.2.4": [5, 2]}))
    assert_rule(carried(found), "3.2.4/non-qualified", inputs={"text": "no crew"}, result=2)
    assert_rule(found, "3.2.4/rof-reduction", inputs={"weapon": "gw", "printed": 2}, result=1)
    turned = shot(a_gun(facing=1, dice={"3.2.4": [5, 1]}))
    assert_rule(turned, "3.2.4/rof-reduction", inputs={"printed": 2}, result=1)
    assert_rule(turned, "1.2.4.1", inputs={"weapon": "gw"}, result="may fire again")


@pytest.mark.rule("3.2.4/ca-change-without-fire", "3.2.4/covered-arc")
def test_3_2_4_a_gun_may_turn_instead_of_firing():
    table = a_gun()
    turn_guns(table, "german", [FireOrder(("gw",), (), face="E1")])
    assert_rule(table.findings, "3.2.4/ca-change-without-fire", inputs={"weapon": "gw"})
    table.state.weapons["gw"].fired = "prep"
    turn_guns(table, "german", [FireOrder(("gw",), (), face="E8")])
    assert_rule(table.findings, "3.2.4/covered-arc", result="not carried out")


@pytest.mark.rule("6.2/ap", "6.2/he", "6.2/heat", "6.2")
def test_6_2_ammunition_that_a_gun_has_or_has_not():
    two = a_gun("british-40l-at") if "british-40l-at" in a_gun().data.deck.guns else a_gun()
    no_he = next(card for card in two.data.deck.guns.values() if not card.he and card.ap)
    table = a_gun(no_he.id)
    assert_rule(objections(table, Attack(("gw",), "E8")), "6.2/he")
    no_ap = next(card for card in table.data.deck.guns.values() if not card.ap and card.he and not card.mortar)
    assert_rule(objections(a_gun(no_ap.id), Attack(("gw",), "E8", how="AP")), "6.2/ap")
    heat = next(card for card in table.data.deck.guns.values() if card.depletion("H", "1943-07") and not card.mortar)
    assert_rule(objections(a_gun(heat.id), Attack(("gw",), "E8", how="H")), "6.2/heat")
    assert_rule(objections(a_gun("german-88l-aa"), Attack(("gw",), "E8", how="D")), "6.2")


@pytest.mark.rule("6.2/wp")
def test_6_2_white_phosphorus_checks_morale():
    guns = a_gun().data.deck.guns.values()
    card = next(card for card in guns if card.depletion("WP", "1943-07") and card.mortar)
    table = a_gun(card.id, dice={"3.2.4": [1, 2], "6.2/wp": [5, 4]})
    table.data.scenario = table.data.scenario
    shot(table, how="WP")
    assert_rule(table.findings, "6.2/wp", inputs={"unit": "r1"}, result="failed")


@pytest.mark.rule("6.3", "6.6")
def test_6_3_emplacement_and_gunshield_protect_the_crew():
    """Emplacement gives +2 instead of the gunshield; a Gun that has moved has its shield, but only from the front."""
    for emplaced, rule in ((True, "6.3"), (False, "6.6")):
        table = a_table({"g1": ("228", "E4"), "r1": ("447", "E8")}, weapons={"gw": ("german-75l-at", "g1")},
                        facings={"gw": 4}, emplaced=emplaced, attacker="russian", dice={"3.2.2": [6, 5]})  # fmt: skip
        fire(table, Attack(("r1",), "E4"))
        assert_rule(carried(table.findings), rule, result=2)


@pytest.mark.rule("6.11", "6.12")
def test_6_11_mortars_acquire_hexes_and_6_12_guns_break_down():
    found = shot(a_gun("german-81s-mtr", dice={"3.2.4": [5, 5]}))
    assert_rule(found, "6.11", inputs={"at": "E8"}, result=-1)
    broken = shot(a_gun(dice={"3.2.4": [6, 6]}))
    assert_rule(broken, "6.12", inputs={"weapon": "gw"}, result="malfunctions")


@pytest.mark.rule("4.4.1", "4.4.5")
def test_4_4_who_may_fire_bazookas_and_piats():
    table = a_table({"gl": ("g 9-1", "E4"), "r1": ("447", "E6")}, weapons={"gw": ("american-baz-43", "gl")},
                    ground=a_ground({"stone": "E6"}))  # fmt: skip
    assert_rule(objections(table, Attack(("gw",), "E6")), "4.4.1")
    hill = a_table({"g1": ("467", "E4"), "r1": ("447", "E5")}, weapons={"gw": ("british-piat", "g1")},
                   ground=a_ground({"stone": "E5"}, hills=["E4"]))  # fmt: skip
    assert_rule(objections(hill, Attack(("gw",), "E5")), "4.4.5")


@pytest.mark.rule("3.2.2/fp-modification", effect=True)
@pytest.mark.rule("3.2.4/own-hex", "3.2.2.1")
def test_3_2_4_fire_inside_its_own_hex():
    """In its own hex, ordnance fires at a vehicle with +2, and small arms at an exposed crew with triple FP."""
    table = a_table({"g1": ("467", "E8")}, weapons={"gw": ("german-psk", "g1")},
                    vehicles={"r1": ("russian-t34-85", "E8", 1)}, armour={"r1": {"ce": True}},
                    dice={"3.2.4": [6, 5], "3.2.2": [6, 5]})  # fmt: skip
    shot(table, target="r1")
    assert_rule(carried(table.findings), "3.2.4/own-hex", inputs={"text": "own hex"}, result=2)
    fire(table, Attack(("g1",), "E8"))
    assert_rule(carried(table.findings), "3.2.2.1", inputs={"component": "g1"}, result="12")


@pytest.mark.rule("4.4.2/check", "4.4.2/shot-limit", "3.2.4/dud")
def test_4_4_2_checks_and_limits_of_panzerfausts():
    table = a_table({"g1": ("467", "E8"), "g2": ("467", "E8")}, vehicles={"r1": ("russian-t34-85", "E7", 4)},
                    date="1945-02", dice={"4.4.2": [4], "3.2.4": [1, 2], "7.9": [6, 6]})  # fmt: skip
    table.state.pf_left = {"german": 1}
    fire(table, Attack(("g1",), "E7", how="pf", target="r1"))
    assert_rule(table.findings, "4.4.2/check", inputs={"unit": "g1"}, result=3)
    assert_rule(table.findings, "3.2.4/dud", inputs={"vehicle": "r1"}, result="dud")
    assert_rule(objections(table, Attack(("g2",), "E7", how="pf", target="r1")), "4.4.2/shot-limit")
