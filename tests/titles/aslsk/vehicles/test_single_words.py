"""Single words of rules about vehicles, weapons and units, each with a test that fails if the word is left out."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, carried, driving, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.vehicles import has_close_defence, vehicle_strength
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.morale import replace_by_elr
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import change
from pbem.titles.aslsk.movement.phase import settle
from pbem.titles.aslsk.orders import Hatch, Leg, MoveOrder, Orders
from pbem.titles.aslsk.ordnance.arcs import facing_of
from pbem.titles.aslsk.rally.promotion import promote
from pbem.titles.aslsk.vehicles.crews import collateral
from pbem.titles.aslsk.vehicles.driving import end_drive
from pbem.titles.aslsk.vehicles.status import recover_shock
from pbem.titles.aslsk.vehicles.steps import step_objections

T34, PZ4, STUG = "russian-t34-85", "german-pz4h", "german-stug3g"


def objections(table, attack, seat=GERMAN):
    return list(attack_objections(table.situation, seat, attack))


def rules_of(found):
    return {one.rule for one in found}


@pytest.mark.rule("7.7")
def test_7_7_a_crew_opens_or_closes_its_hatches_in_the_advance_phase_once():
    table, changed = a_table({}, vehicles={"g1": (PZ4, "E4", 1)}, phase="advance"), []
    change(table, GERMAN, Hatch("g1", open=True), changed)
    assert_rule(table.findings, "7.7", inputs={"vehicle": "g1"}, result="crew exposed")
    change(table, GERMAN, Hatch("g1", open=True), changed)
    change(table, GERMAN, Hatch("g9", open=True), changed)
    change(table, GERMAN, Hatch("g1", open=False), changed)
    failed = [found for found in table.findings if found.result == "not carried out"]
    assert len(failed) == 3
    change(table, GERMAN, Hatch("g1", open=False), [])  # in the next phase
    assert_rule(table.findings, "7.7", inputs={"vehicle": "g1"}, result="buttoned up")
    assert not table.state.vehicles["g1"].ce


@pytest.mark.rule("7.7/change")
def test_7_7_hatches_open_if_closed_and_close_if_open():
    for ce, leg, fine in (
        (False, "open", True),
        (True, "open", False),
        (True, "close", True),
        (False, "close", False),
    ):
        table = a_table({}, vehicles={"g1": (PZ4, "E4", 1)}, armour={"g1": {"ce": ce}}, phase="movement")
        driving(table, "g1", ("E4", 0))
        found = list(step_objections(table.situation, table.state.vehicles["g1"], Leg(leg)))
        assert (not found) is fine
        if not fine:
            assert_rule(found, "7.7/change")


@pytest.mark.rule("7.10/shock-recovery")
def test_7_10_only_shocked_crews_of_the_side_roll_and_uk_leaves_a_wreck_on_4():
    table = a_table(
        {},
        vehicles={"g1": (PZ4, "E4", 1), "g2": (PZ4, "E6", 1), "g3": (PZ4, "E8", 1)},
        armour={"g1": {"shock": "uk"}, "g2": {"shock": "uk"}},
        dice={"7.10/shock-recovery": [3, 4]},
    )
    recover_shock(table, GERMAN)
    assert_rule(table.findings, "7.10/shock-recovery", inputs={"vehicle": "g1"}, result="recovers")
    assert_rule(table.findings, "7.10/shock-recovery", inputs={"vehicle": "g2"}, result="lost")
    assert sorted(table.state.vehicles) == ["g1", "g3"]
    assert sum(found.rule == "7.10/shock-recovery" and bool(found.dice) for found in table.findings) == 2


@pytest.mark.rule("7.12")
def test_7_12_a_stunned_crew_is_not_attacked_again_by_the_same_hit():
    for state, attacked in (({"ce": True}, True), ({"ce": True, "stun": "stun"}, False), ({}, False)):
        table = a_table({}, vehicles={"g1": (PZ4, "E4", 1)}, armour={"g1": state}, dice={"3.2.3/mc": [1, 1]})
        collateral(table, table.state.vehicles["g1"], 4, 3)
        assert any(found.rule == "7.12" for found in table.findings) is attacked
        if attacked:
            assert_rule(table.findings, "7.12", inputs={"vehicle": "g1", "rolled": 3}, result="1MC")


@pytest.mark.rule("3.8/vehicle-attack", "3.8/close-defence")
def test_3_8_what_a_vehicle_attacks_with():
    for card, strength in ((PZ4, 5), ("german-pz2f", None), (STUG, 0)):
        table = a_table({"r1": ("447", "E4")}, vehicles={"g1": (card, "E4", 1)}, date="1944-08")
        found = vehicle_strength(table.situation, table.state.vehicles["g1"])
        assert found == (
            table.situation.vehicle_card(table.state.vehicles["g1"]).cmg if strength is None else strength
        )
    from pbem.titles.aslsk.close_combat.attacks import combat_objections
    from pbem.titles.aslsk.orders import Assault

    for date, able in (("1944-06", False), ("1944-07", True)):
        table = a_table({"r1": ("447", "E4")}, vehicles={"g1": ("german-pz5g", "E4", 1)}, date=date)
        assert has_close_defence(table.situation, table.state.vehicles["g1"]) is able
        found = list(combat_objections(table.situation, "E4", GERMAN, [Assault(("g1",), (), "sn")]))
        assert bool(found) is not able
        if not able:
            assert_rule(found, "3.8/close-defence")
    none = a_table({"r1": ("447", "E4")}, vehicles={"g1": (STUG, "E4", 1)})
    assert_rule(
        list(combat_objections(none.situation, "E4", GERMAN, [Assault(("g1",), ("r1",))])), "3.8/vehicle-attack"
    )


@pytest.mark.rule("7.2")
def test_7_2_a_restricted_turret_silences_its_own_weapons_only_and_the_bow_faces_with_the_hull():
    table = a_table({"g1": ("467", "E10")}, vehicles={"r1": ("russian-kv-1e", "E8", 4)},
                    armour={"r1": {"ce": True, "tca": 1}}, attacker=RUSSIAN)  # fmt: skip
    for weapon, silent in (("r1ma", True), ("r1bmg", False)):
        found = objections(table, Attack((weapon,), "E10"), RUSSIAN)
        assert ("7.2" in rules_of(found)) is silent
    assert_rule(objections(table, Attack(("r1ma",), "E10"), RUSSIAN), "7.2")
    assert facing_of(table.situation, table.state.weapons["r1bmg"]) == 4
    assert facing_of(table.situation, table.state.weapons["r1ma"]) == 1


@pytest.mark.rule("7.3")
def test_7_3_the_size_of_a_tank_counts_against_area_fire():
    for card, size in ((STUG, [1]), (PZ4, [])):
        table = a_table({"r1": ("r228", "E4")}, weapons={"w": ("russian-76-art", "r1")}, facings={"w": 4},
                        vehicles={"g1": (card, "E8", 1)}, armour={"g1": {"ce": True}}, attacker=RUSSIAN,
                        dice={"3.2.4": [6, 5]})  # fmt: skip
        fire(table, Attack(("w",), "E8", how="area"))
        assert [row.result for row in carried(table.findings) if row.rule == "7.3"] == size
        if size:
            assert_rule(carried(table.findings), "7.3", result=1)


@pytest.mark.rule("3.2.1/declaration")
def test_3_2_1_flame_and_fire_without_sight_are_wasted_and_only_green_men_are_called_green():
    table = a_table(
        {"g1": ("548", "E4"), "r9": ("447", "E6")},
        weapons={"gw": ("german-ft", "g1")},
        vehicles={"r1": (T34, "E6", 1)},
        ground=a_ground({"stone": "E5"}),
        dice={"7.9": [3, 4]},
    )
    fire(table, Attack(("gw",), "E6", target="r1"))
    assert_rule(table.findings, "3.2.1/declaration", inputs={"firers": ["gw"], "at": "E6"}, result="wasted")
    clear = a_table({"g1": ("548", "E4")}, weapons={"gw": ("german-ft", "g1")}, vehicles={"r1": (T34, "E6", 1)},
                    dice={"7.9": [3, 4]})  # fmt: skip
    fire(clear, Attack(("gw",), "E6", target="r1"))
    assert not any(found.rule == "3.2.1/declaration" for found in every(clear.findings))
    for card, green in (("467", False), ("436", True)):
        table = a_table({"g1": (card, "E4"), "r1": ("447", "E6")}, ground=a_ground({"stone": "E5"}),
                        dice={"3.2.2": [3, 3]})  # fmt: skip
        fire(table, Attack(("g1",), "E6"))
        assert any(found.rule == "5.4" for found in every(table.findings)) is green


@pytest.mark.rule("3.3.1/declaration")
def test_3_3_2_a_tank_that_drove_and_stopped_is_still_a_moving_target():
    table = a_table({}, vehicles={"g1": (PZ4, "E8", 1)}, phase="movement")
    driving(table, "g1", ("E9", 2), ("E8", 2), stopped=True)
    list(end_drive(table, table.state.vehicles["g1"]))
    assert_rule(table.findings, "3.3.1/declaration", inputs={"units": ["g1"]}, result="ends its move")
    assert table.state.vehicles["g1"].moving and not table.state.vehicles["g1"].motion


@pytest.mark.rule("5.3")
def test_5_3_morale_of_7_changes_nothing_8_helps_and_6_hinders():
    for card, rows in (("467", []), ("548", [-1]), ("436", [1])):
        table = a_table({"g1": (card, "E4")}, dice={"5.3": [6]})
        promote(table, [table.state.units["g1"]])
        told = assert_rule(table.findings, "5.3", inputs={"unit": "g1"})
        assert [row["value"] for row in told.modifiers if "morale" in row["text"]] == rows


@pytest.mark.rule("5.1")
def test_5_1_the_elr_is_that_of_its_own_side_and_only_more_than_it_replaces():
    for margin, card in ((3, "german-467"), (4, "german-447")):
        table = a_table({"g1": ("467", "E4")}, elr=3)
        replace_by_elr(table, table.state.units["g1"], margin)
        assert table.state.units["g1"].card == card
    assert_rule(table.findings, "5.1", inputs={"unit": "g1", "margin": 4, "elr": 3}, result="4-4-7")


@pytest.mark.rule("6.6")
def test_6_6_a_gunshield_protects_a_crew_from_the_arc_only():
    for unit, hex, rows in (("228", "E8", [2]), ("467", "E8", []), ("228", "E2", [])):
        table = a_table({"g1": (unit, "E4"), "r1": ("447", hex)}, weapons={"w": ("german-75l-at", "g1")},
                        facings={"w": 4}, emplaced=False, attacker=RUSSIAN, dice={"3.2.2": [5, 6]})  # fmt: skip
        facing = next(spine for spine in range(6) if table.situation.ground.in_arc("E4", spine, "E8"))
        table.state.weapons["w"].facing = facing
        fire(table, Attack(("r1",), hex if hex == "E4" else "E4"))
        assert [row.result for row in carried(table.findings) if row.rule == "6.6"] == rows
        if rows:
            assert_rule(carried(table.findings), "6.6", result=2)


@pytest.mark.rule("7.10/recall")
def test_7_10_only_a_recalled_vehicle_that_can_move_is_kept_from_prep_fire():
    for state, silent in (({"recalled": True}, True), ({}, False), ({"recalled": True, "immobilized": True}, False)):
        table = a_table({"r1": ("447", "E8")}, vehicles={"g1": (PZ4, "E4", 4)}, armour={"g1": state})
        found = objections(table, Attack(("g1cmg",), "E8"))
        assert ("7.10/recall" in rules_of(found)) is silent
        if silent:
            assert_rule(found, "7.10/recall")


@pytest.mark.rule("7.4")
def test_7_4_a_tank_that_has_started_gives_no_cover():
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")}, vehicles={"r2": (T34, "E8", 1)}, phase="movement",
                    attacker=RUSSIAN, dice={"3.2.2": [5, 6]})  # fmt: skip
    assert "E8" in table.situation.standing()
    driving(table, "r2", ("E8", 2))
    assert "E8" not in table.situation.standing()
    standing = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")}, vehicles={"r2": (T34, "E8", 1)},
                       dice={"3.2.2": [5, 6]})  # fmt: skip
    fire(standing, Attack(("g1",), "E8"))
    assert_rule(carried(standing.findings), "7.4", inputs={"text": "AFV or wreck"}, result=1)


@pytest.mark.rule("11/stack-losses")
def test_11_a_unit_that_was_lost_is_not_told_that_it_cannot_go_on():
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E4"), "g3": ("467", "E4")}, phase="movement")
    table.state.sealed = {GERMAN: Orders(moves=(MoveOrder(("g1", "g2", "g3"), (Leg("enter", "E3"),)),))}
    moving_in(table, ["g1", "g2", "g3"])
    del table.state.units["g1"]
    table.state.units["g2"].pinned = True
    settle(table, Leg("enter", "E4"))
    assert_rule(
        table.findings, "11/stack-losses", inputs={"why": ["g2 was pinned on the way"]}, result="carried out in part"
    )
    assert table.state.mover.units == ["g3"]


@pytest.mark.rule("6.8")
def test_6_8_a_gun_fires_directly_alone_but_the_machine_guns_of_a_vehicle_join():
    table = a_table({"g1": ("228", "E4"), "g2": ("467", "E4"), "r1": ("447", "E8")}, facings={"w": 4},
                    weapons={"w": ("german-20l-aa", "g1")}, vehicles={"g3": ("german-psw222", "E5", 4)})  # fmt: skip
    assert_rule(objections(table, Attack(("wife", "g2"), "E8")), "6.8")
    assert "6.8" not in rules_of(objections(table, Attack(("g3ife", "g3cmg"), "E8")))
    assert component(table.situation, "g2ife") is None
