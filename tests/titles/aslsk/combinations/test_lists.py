"""Lists, charts and procedures that other rules use, each cited by a finding or a refusal."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, driving, enter, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.phase import declared_fights, fight
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.morale import Aftermath, break_unit, replace_by_elr
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.eligibility import entry_objections, exit_objections
from pbem.titles.aslsk.movement.phase import expenditure, start_mover
from pbem.titles.aslsk.orders import Assault, Leg, MoveOrder, Orders
from pbem.titles.aslsk.player.placing import Placement, place_units
from pbem.titles.aslsk.rally.phase import announce_reinforcements
from pbem.titles.aslsk.vehicles.steps import enter as drive_into
from pbem.titles.aslsk.weapons.charges import place

T34, PZ4 = "russian-t34-85", "german-pz4h"


@pytest.mark.rule("11/ift-drm", "11/one-tem", "3.2.3/random-selection", "3.2.3/check-order")
def test_11_the_drm_of_an_attack_one_tem_a_random_casualty_and_leaders_first():
    table = a_table(
        {"g1": ("467", "K5"), "g2": ("467", "K5"), "r1": ("447", "K6"), "rl": ("r 9-1", "K6")},
        ground=a_ground({"woods": "K6"}),
        dice={"3.2.2": [1, 2], "3.2.3/k": [1], "3.2.3/mc": [1, 1, 1, 1], "3.2.3/wounds": [1]},
    )
    fire(table, Attack(("g1", "g2"), "K6"))
    assert_rule(table.findings, "11/ift-drm", inputs={"at": "K6"})
    assert_rule(table.findings, "11/one-tem", inputs={"at": "K6"})
    assert_rule(table.findings, "3.2.3/random-selection")
    checks = [found for found in walk(table.findings) if found.rule == "3.2.3/mc"]
    assert [found.inputs["unit"] for found in checks] == ["rl", "r1"]
    assert_rule(checks, "3.2.3/check-order", inputs={"unit": "rl"})


def walk(findings):
    for finding in findings:
        yield finding
        yield from walk(finding.children)


@pytest.mark.rule("1.1.1.1", "3.3.3/window", "11/expenditure-order")
def test_3_3_3_each_expenditure_opens_a_window_and_open_ground_exposes_the_mover():
    table = a_table({"g1": ("467", "K5"), "r1": ("447", "N5")}, phase="movement", dice={"3.2.2": [6, 5]})
    order = MoveOrder(("g1",), enter("L5"))
    table.state.sealed = {"german": Orders(moves=(order,))}
    assert start_mover(table, order, 0)
    step = expenditure(table)
    asks = next(step).asks
    assert [ask.kind for ask in asks] == ["window", "go_on"]
    assert table.state.mover.expenditures == 1
    for rule in ("3.3.3/window", "11/expenditure-order"):
        assert_rule(table.findings, rule, inputs={"units": ["g1"]})
    with pytest.raises(StopIteration):
        step.send((Attack(("r1",), "L5"), None))
        step.send(None)
    assert_rule(table.findings, "1.1.1.1", inputs={"at": "L5"})


@pytest.mark.rule("3.2.4/procedure", "3.2.4/known-th-drm", "6.0", "4.5", "6.2/apcr-apds", "3.2.4/facing-arithmetic")
def test_3_2_4_a_shot_follows_the_hit_procedure():
    light = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K8")}, weapons={"gw": ("german-mortar", "g1")}, dice={"3.2.4": [6, 5]}
    )
    fire(light, Attack(("gw",), "K8"))
    for rule in ("3.2.4/procedure", "6.0", "4.5"):
        assert_rule(light.findings, rule, inputs={"weapon": "gw"})
    table = a_table(
        {"g1": ("228", "K9")},
        vehicles={"r1": (T34, "K6", 4)},
        armour={"r1": {"moving": True}},
        weapons={"gw": ("german-75l-at", "g1")},
        facings={"gw": 1},
        dice={"3.2.4": [1, 1], "7.9": [6, 5]},
        date="1944-07",
    )
    fire(table, Attack(("gw",), "K6", target="r1", how="A"))
    assert_rule(table.findings, "3.2.4/known-th-drm", inputs={"vehicle": "r1"})
    assert_rule(table.findings, "6.2/apcr-apds", inputs={"weapon": "gw"})
    assert_rule(table.findings, "3.2.4/facing-arithmetic", inputs={"vehicle": "r1"})


@pytest.mark.rule("11/fire-state")
def test_11_a_unit_under_a_final_fire_marker_fires_protectively():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K6")},
        phase="movement",
        attacker="russian",
        states={"g1": {"fired": "final"}},
        dice={"3.3.3/fpf": [3, 2]},
    )
    moving_in(table, ["r1"])
    fire(table, Attack(("g1",), "K6"))
    assert_rule(table.findings, "11/fire-state", inputs={"at": "K6"})


@pytest.mark.rule("3.3.3/status-during-dff", "5.1/nationality-chart")
def test_3_3_3_a_unit_that_breaks_is_no_longer_in_assault_movement_and_may_be_replaced():
    table = a_table({"g1": ("467", "K5")}, phase="movement")
    moving_in(table, ["g1"], assault=True)
    unit = table.state.units["g1"]
    break_unit(table, unit, Aftermath())
    assert_rule(table.findings, "3.3.3/status-during-dff", inputs={"unit": "g1"})
    assert not unit.going.assault
    replace_by_elr(table, unit, 9)
    assert_rule(table.findings, "5.1/nationality-chart", inputs={"unit": "g1"})
    assert unit.card == "german-447"


@pytest.mark.rule("4.0/weapon-penalties", "4.4.4")
def test_4_0_weapons_in_strange_hands_break_down_sooner_and_an_atr_has_no_long_range():
    table = a_table(
        {"r1": ("426", "K5"), "g1": ("467", "K8")},
        weapons={"gw": ("german-mmg", "r1")},
        attacker="russian",
        dice={"3.2.2": [4, 5]},
    )
    fire(table, Attack(("gw",), "K8"))
    assert_rule(table.findings, "4.0/weapon-penalties", inputs={"weapon": "gw", "printed": 12}, result=9)
    rifle = next(card.id for card in table.data.deck.weapons.values() if card.kind == "atr")
    far = a_table({"g1": ("467", "A1"), "r1": ("447", "N5")}, weapons={"gw": (rifle, "g1")})
    assert far.situation.ground.distance("A1", "N5") > 12
    assert_rule(list(attack_objections(far.situation, "german", Attack(("gw",), "N5"))), "4.4.4")


@pytest.mark.rule("3.8/sequence-infantry", "1.4")
def test_3_8_both_sides_attack_at_once_and_two_dice_decide():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K5")}, phase="close_combat", dice={"3.8/attacks": [1, 2, 1, 2]}
    )
    fights = declared_fights(table, [Assault(("g1",), ("r1",)), Assault(("r1",), ("g1",))])
    fight(table, "K5", fights, "")
    assert_rule(table.findings, "3.8/sequence-infantry", inputs={"at": "K5"})
    found = assert_rule(table.findings, "1.4", inputs={"at": "K5"})
    assert found and not table.state.units


@pytest.mark.rule("4.3", "7.0", "11/set-up", "11/hidden-information")
def test_4_3_7_0_11_charges_vehicles_and_secret_set_ups():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("r228", "")},
        weapons={"gw": ("german-dc", "g1"), "rw": ("russian-45l-at", "")},
        facings={"rw": 1},
        vehicles={"g9": (PZ4, "N9", 1)},
        phase="movement",
    )
    place(table, table.state.units["g1"], table.state.weapons["gw"], "K6")
    assert_rule(table.findings, "4.3", inputs={"weapon": "gw"})
    driving(table, "g9", ("N9", 0))
    drive_into(table, table.state.vehicles["g9"], Leg("enter", "N8"))
    assert_rule(table.findings, "7.0", inputs={"vehicle": "g9"})
    place_units(table, "russian", Placement({"r1": "K9"}, {"rw": "r1"}, {"rw": 1}, ("r1",)))
    secret = assert_rule(table.findings, "6.4", inputs={"seat": "russian"})
    assert secret.to == ("russian",)
    assert_rule(secret, "11/hidden-information")
    place_units(table, "german", Placement({"g1": "K4"}))
    assert_rule(table.findings, "11/set-up", inputs={"units": {"g1": "K4"}})


@pytest.mark.rule("3.3/entry-exit", "3.1/a-reinforcements")
def test_3_3_units_enter_where_their_scenario_says_and_are_announced():
    table = a_table({"g1": ("467", "")}, phase="movement")
    table.data.__dict__["may_enter"] = lambda piece, turn: True
    announce_reinforcements(table)
    assert_rule(table.findings, "3.1/a-reinforcements", inputs={"units": ["g1"]}, result="may enter")
    moving_in_units = [table.state.units["g1"]]
    assert_rule(list(entry_objections(table.situation, moving_in_units, "K5")), "3.3/entry-exit")
    table.state.units["g1"].at = "K5"
    assert_rule(list(exit_objections(table.situation, moving_in_units)), "3.3/entry-exit")


@pytest.mark.rule("7.6/bogged-fire")
def test_7_6_a_bogged_vehicle_fires_its_bow_gun_into_its_hex_only_at_what_came_through_its_arc():
    for came_from, legal in (("K8", True), ("K10", False)):
        table = a_table(
            {},
            vehicles={"g1": ("german-stug3g", "K9", 1), "r1": (T34, "K9", 4)},
            armour={"g1": {"bogged": "bogged"}},
            phase="movement",
            attacker="russian",
        )
        driving(table, "r1", (came_from, 2), ("K9", 2), came_from=came_from)
        found = list(attack_objections(table.situation, "german", Attack(("g1ma",), "K9", target="r1")))
        if legal:
            assert not found
        else:
            assert_rule(found, "7.6/bogged-fire")


@pytest.mark.rule("11/standing-orders")
def test_11_standing_orders_are_lines_of_text():
    from pbem.engine.rules.refusals import Refusal
    from pbem.titles.aslsk.player.standing_orders import check_standing_orders

    with pytest.raises(Refusal) as refused:
        check_standing_orders(5)
    assert_rule(refused.value, "11/standing-orders")
    assert check_standing_orders("all watch within 6 once no acquisition") == [
        "all watch within 6 once no acquisition"
    ]
