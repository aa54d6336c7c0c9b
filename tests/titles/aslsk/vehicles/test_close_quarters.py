"""3.7/paatc, 3.8, 3.3.4, 4.2, 4.3 Infantry against vehicles at close quarters."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, driving
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.attacks import combat_objections
from pbem.titles.aslsk.close_combat.decision import CloseCombat
from pbem.titles.aslsk.close_combat.melee import settle_melee
from pbem.titles.aslsk.close_combat.phase import contested_hexes, first_side
from pbem.titles.aslsk.close_combat.vehicles import (
    assault_vehicle,
    close_defence,
    combat_value,
    vehicle_attack,
    vehicle_modifiers,
)
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.phases import fire_list
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import advance
from pbem.titles.aslsk.orders import AdvanceOrder, Assault, CombatOrder, FireOrder
from pbem.titles.aslsk.player.checks import fire_objections
from pbem.titles.aslsk.state import Charge, Weapon
from pbem.titles.aslsk.vehicles.reactions import other_objections, react
from pbem.titles.aslsk.weapons.charges import detonate_all

T34 = "russian-t34-85"


def a_fight(units, *, tank=T34, armour=None, **more):
    return a_table(units, vehicles={"r1": (tank, "E8", 1)}, armour={"r1": armour or {}}, **more)


@pytest.mark.rule("3.7/paatc")
def test_3_7_infantry_needs_courage_to_advance_on_a_tank():
    table = a_fight({"g1": ("467", "E7"), "g2": ("467", "E7")}, phase="advance",
                    dice={"3.7/paatc": [3, 4, 4, 4]})  # fmt: skip
    advance(table, "german", AdvanceOrder(("g1", "g2"), "E8"))
    assert_rule(table.findings, "3.7/paatc", inputs={"unit": "g1"}, result="passed")
    assert_rule(table.findings, "3.7/paatc", inputs={"unit": "g2"}, result="pinned")
    assert table.state.units["g1"].at == "E8" and table.state.units["g2"].pinned
    led = a_fight({"g1": ("467", "E7"), "gl": ("g 9-1", "E7")}, phase="advance", dice={"3.7/paatc": [4, 4]})
    advance(led, "german", AdvanceOrder(("g1", "gl"), "E8"))
    assert led.state.units["g1"].at == led.state.units["gl"].at == "E8"


@pytest.mark.rule("3.8/vs-vehicle", "3.8/drm")
def test_3_8_close_combat_values_and_results():
    """A squad has a CCV of 5, +1 with a leader, -1 if pinned; a lower roll destroys, and an equal roll immobilizes.

    An Original 2 gets a third die, and a 12 costs a casualty.
    """
    table = a_fight({"g1": ("467", "E8"), "gl": ("g 9-1", "E8"), "g2": ("247", "E8")})
    units = table.state.units
    assert combat_value(table.situation, [units["g1"]]) == 5
    assert combat_value(table.situation, [units["g1"], units["gl"]]) == 6
    assert combat_value(table.situation, [units["g2"]], fired=True) == 2
    assert {row.text: row.value for row in vehicle_modifiers(table.situation, [units["g1"], units["gl"]],
            table.state.vehicles["r1"])} == {"leadership": -1}  # fmt: skip
    for dice, armour, result in (
        ([1, 3], {}, "destroyed"),
        ([2, 3], {}, "immobilized"),
        ([3, 3], {}, "no effect"),
        ([3, 3], {"immobilized": True}, "immobilized"),
        ([3, 4], {"motion": True}, "no effect"),
    ):
        table = a_fight({"g1": ("467", "E8")}, armour=armour, dice={"3.8/vs-vehicle": dice})
        assault_vehicle(table, [table.state.units["g1"]], table.state.vehicles["r1"])
        told = assert_rule(table.findings, "3.8/vs-vehicle", inputs={"value": 5}, result=result)
        for row in told.modifiers:
            assert row["rule"] == "3.8/drm"
    lucky = a_fight({"g1": ("247", "E8")}, armour={"motion": True}, dice={"3.8/vs-vehicle": [1, 1, 2], "5.3": [6]})
    assault_vehicle(lucky, [lucky.state.units["g1"]], lucky.state.vehicles["r1"])
    assert_rule(lucky.findings, "3.8/vs-vehicle", dice=(1, 1, 2), result="destroyed")
    unlucky = a_fight({"g1": ("467", "E8")}, dice={"3.8/vs-vehicle": [6, 6]})
    assault_vehicle(unlucky, [unlucky.state.units["g1"]], unlucky.state.vehicles["r1"])
    assert unlucky.state.units["g1"].card == "german-half-247"
    from titles.aslsk.builders import carried

    moving = a_fight({"g1": ("467", "E8")}, armour={"motion": True}, dice={"3.8/vs-vehicle": [3, 4]})
    assault_vehicle(moving, [moving.state.units["g1"]], moving.state.vehicles["r1"])
    assert_rule(carried(moving.findings), "3.8/drm", inputs={"text": "vehicle in Motion"}, result=2)


@pytest.mark.rule("3.8/vehicle-attack", "3.8/close-defence")
def test_3_8_a_vehicle_attacks_with_its_coaxial_mg():
    """CMG 4 against a squad's 5 is 1:2, kill number 4; the BMG takes no part; an sN attacks all units with 16 FP."""
    table = a_fight({"g1": ("467", "E8")}, dice={"3.8/vehicle-attack": [1, 2]})
    vehicle_attack(table, table.state.vehicles["r1"], [table.state.units["g1"]])
    assert_rule(table.findings, "3.8/vehicle-attack", inputs={"odds": "1:2"}, cell=4, result="eliminated")
    tiger = a_table({"r1": ("447", "E8")}, vehicles={"g1": ("german-pz5g", "E8", 1)}, attacker="russian",
                    date="1944-09", dice={"3.8/close-defence": [2, 3], "3.2.3/mc": [6, 5]})  # fmt: skip
    close_defence(tiger, tiger.state.vehicles["g1"])
    card = tiger.situation.vehicle_card(tiger.state.vehicles["g1"])
    told = assert_rule(tiger.findings, "3.8/close-defence", inputs={"number": card.smoke_number})
    assert told.result == ("no effect" if card.smoke_number < 5 else {"r1": "3MC"})


@pytest.mark.rule("3.8/sequence-vehicle", "3.8/vs-vehicle", "3.8/vehicle-attack")
def test_3_8_with_a_vehicle_attacks_come_one_by_one():
    table = a_fight({"g1": ("467", "E8"), "g2": ("467", "E8")})
    assert contested_hexes(table.state) == ["E8"] and first_side(table, "E8") == "german"
    table.state.attacker = "russian"
    assert first_side(table, "E8") == "german"
    ask = CloseCombat.make_ask("german", subject="E8", about={"sequential": True, "used": ["g1"]})
    decision = CloseCombat(table.data, table.state, ask)
    usual = decision.usual()
    assert usual.attacks[0] == Assault(("g2",), ("r1",))
    spent = type(usual)("E8", (Assault(("g1",), ("r1",)),))
    assert_rule(list(decision.objections(spent)), "3.8/sequence-vehicle")
    two = [Assault(("g1", "g2"), ("r1",))]
    assert_rule(list(combat_objections(table.situation, "E8", "german", two)), "3.8/vs-vehicle")
    none = [Assault(("r1",), ())]
    assert_rule(list(combat_objections(table.situation, "E8", "russian", none)), "3.8/vehicle-attack")
    settle_melee(table, "E8")
    assert table.state.melee == ["E8"] and table.situation.in_melee(table.state.units["g1"])
    table.state.vehicles["r1"].motion = True
    settle_melee(table, "E8")
    assert not table.state.melee


def test_3_8_a_leader_and_his_squad_that_have_been_attacked_are_not_offered_as_targets_again():
    table = a_fight({"g1": ("467", "E8"), "g2": ("g 8-1", "E8"), "r2": ("447", "E8"), "r3": ("447", "E8")})
    about = {"sequential": True, "used": ["r2"], "attacked": ["g1", "g2"], "ambusher": ""}
    decision = CloseCombat(table.data, table.state, CloseCombat.make_ask("russian", subject="E8", about=about))
    assert decision.concentrate() == CombatOrder("E8"), "nobody is left to attack"
    options = list(decision.options())
    assert all(not list(decision.objections(option)) for option in options)
    assert all(set(attack.targets).isdisjoint(about["attacked"]) for option in options for attack in option.attacks)


@pytest.mark.rule("3.3.4", "3.7/paatc")
def test_3_3_4_cc_reaction_fire_at_a_vehicle_that_drives_into_the_hex():
    table = a_fight({"g1": ("467", "E8")}, phase="movement", attacker="russian",
                    dice={"3.7/paatc": [2, 3], "3.8/vs-vehicle": [1, 1]})  # fmt: skip
    driving(table, "r1", ("E9", 2), ("E8", 2))
    attack = Attack(("g1",), "E8", how="reaction", target="r1")
    assert not list(other_objections(table.situation, "german", attack))
    react(table, attack)
    assert_rule(table.findings, "3.7/paatc", inputs={"unit": "g1"}, result="passed")
    told = assert_rule(table.findings, "3.3.4", inputs={"value": 5})
    assert [row["text"] for row in told.modifiers] == ["vehicle in Motion"]
    assert table.state.units["g1"].fired == "first"
    far = Attack(("g1",), "E9", how="reaction", target="r9")
    assert_rule(list(other_objections(table.situation, "german", far)), "3.3.4")


@pytest.mark.rule("4.2", "4.2/vs-afv", "7.9")
def test_4_2_a_flamethrower_ignores_armour():
    """TK is 8, +1 against an exposed crew; an equal roll destroys the vehicle, and the X# applies to the same DR."""
    table = a_fight({"g1": ("548", "E7")}, weapons={"gw": ("german-ft", "g1")}, armour={"ce": True},
                    dice={"7.9": [4, 5]})  # fmt: skip
    fire(table, Attack(("gw",), "E8", target="r1"))
    assert_rule(table.findings, "7.9", inputs={"basic": 8, "armour": 0}, result="destroyed")
    assert_rule(table.findings, "4.2/vs-afv", inputs={"vehicle": "r1", "number": 9}, result="destroyed")
    worn = a_fight({"g1": ("548", "E7")}, weapons={"gw": ("german-ft", "g1")}, dice={"7.9": [5, 5]})
    fire(worn, Attack(("gw",), "E8", target="r1"))
    assert_rule(worn.findings, "4.2", inputs={"weapon": "gw"}, result="removed")


@pytest.mark.rule("4.3/vs-afv", "4.3/detonation")
def test_4_3_a_charge_set_against_a_tank():
    for position, result in (([1, 1], "optimal"), ([3, 4], "normal"), ([5, 5], "crew"), ([6, 6], "none")):
        table = a_fight({"g1": ("548", "F7")}, phase="advancing", ground=a_ground(),
                        dice={"4.3/vs-afv": position, "7.9": [1, 2]})  # fmt: skip
        table.state.weapons["gw"] = Weapon(id="gw", card="german-dc")
        table.state.charges = [Charge("gw", "E8", "F7", limit=12, vehicle="r1")]
        detonate_all(table, [charge.weapon for charge in table.state.charges])
        told = assert_rule(table.findings, "4.3/vs-afv", inputs={"vehicle": "r1"})
        expected = result if sum(row["value"] for row in told.modifiers) == 0 else told.result
        assert told.result == expected and ("r1" in table.state.vehicles) == (
            told.result not in ("optimal", "normal")
        )
    dud = a_fight({"g1": ("548", "F7")}, phase="advancing", dice={"4.3/vs-afv": [3, 3], "7.9": [6, 5]})
    dud.state.weapons["gw"] = Weapon(id="gw", card="german-dc")
    dud.state.charges = [Charge("gw", "E8", "F7", limit=10, vehicle="r1")]
    detonate_all(dud, [charge.weapon for charge in dud.state.charges])
    assert_rule(dud.findings, "4.3/detonation", inputs={"dud": True}, result="dud")
    assert "r1" in dud.state.vehicles


@pytest.mark.rule("3.2.2", "7.12", "3.2.4/vtt", "3.2")
def test_7_7_an_order_to_fire_at_a_hex_with_only_an_exposed_crew_is_carried_out():
    """7.7, 7.12: small arms attack a CE crew at its hex; a BU crew is no target for them."""
    order = FireOrder(("g1",), ("E8",))
    table = a_fight({"g1": ("467", "E6")}, armour={"ce": True}, dice={"3.2.2": [4, 5]})
    fire_list(table, "german", [order])
    assert_rule(table.findings, "3.2.2", inputs={"against": {"r1": 2}, "firers": ["g1"]})
    closed = a_fight({"g1": ("467", "E6")}, weapons={"gw": ("german-lmg", "g1")})
    fire_list(closed, "german", [order, FireOrder(("gw",), ("E8",)), FireOrder(("g1",), (), against=("r1",))])
    assert not any(found.rule == "3.2.2" for found in closed.findings) and not closed.state.units["g1"].fired
    assert [str(found.inputs["why"][0]) for found in closed.findings] == [
        "the only enemies in E8 are AFV with buttoned-up crews",
        "the only enemies in E8 are AFV with buttoned-up crews",
        "g1 cannot harm an AFV with its own firepower",
    ]
    sent = [
        objection
        for one in (order, FireOrder(("gw",), ("E8",)), FireOrder(("gw",), ("E9",)))
        for objection in fire_objections(closed.situation, "german", one, now=True)
    ]
    assert_rule(sent, "7.12", why="the crew of r1 is buttoned up, and small arms cannot harm it")
    assert_rule(sent, "3.2.4/vtt", why="to fire at r1, name it: gw fire against r1")
    assert_rule(sent, "3.2", why="no enemy is in E9")
    assert not [*fire_objections(table.situation, "german", order, now=True)]


@pytest.mark.rule("7.11")
def test_7_11_a_mortar_ordered_to_fire_at_the_hex_of_a_tank_fires_again_while_it_keeps_its_rate():
    table = a_fight({"g1": ("467", "E4")}, weapons={"gw": ("german-mortar", "g1")},
                    dice={"3.2.4": [4, 1, 5, 6], "3.2.4/effects": [6, 5]})  # fmt: skip
    fire_list(table, "german", [FireOrder(("gw",), ("E8",))])
    assert_rule(table.findings, "7.11", inputs={"vehicle": "r1"}, result="no effect")
    assert [found.result for found in table.findings if found.rule == "3.2.4"] == ["hit", "miss"]
