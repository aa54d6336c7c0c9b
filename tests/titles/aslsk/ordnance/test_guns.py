"""3.2.4, 6 Guns, mortars and light anti-tank weapons: the rulebook's worked examples."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.expenditures import expend, leg_objections
from pbem.titles.aslsk.orders import Leg
from pbem.titles.aslsk.ordnance.manhandling import push_modifiers
from pbem.titles.aslsk.ordnance.to_hit import effect_column, hit_modifiers, hit_number


def a_gun(card, at, facing, targets, ground, crew="228", **more):
    units = {"g1": (crew, at), **targets}
    return a_table(units, ground=a_ground(ground), weapons={"gw": (card, "g1")}, facings={"gw": facing}, **more)


def shot(table, at, **more):
    return Attack(("gw",), at, **more)


def numbers(table, attack, target):
    one = component(table.situation, "gw")
    drm = sum(row.value for row in hit_modifiers(table.situation, one, attack, table.state.units[target]))
    return hit_number(table.situation, one, attack), drm


def objections(table, attack):
    return list(attack_objections(table.situation, "german", attack))


@pytest.mark.rule("3.2.4", "6.10", "3.2.4/covered-arc", "3.2.4/intensive-fire")
def test_3_2_4_the_88_of_the_example():
    """th-1: the 88 first needs 8 with +2, misses and keeps its rate of fire; after turning it needs 9 with +2."""
    table = a_gun(
        "german-88l-aa",
        "M3",
        4,
        {"r1": ("747", "J5"), "r2": ("666", "O4")},
        {"woods": "J5", "grain": "L4 N3"},
        dice={"3.2.4": [6, 1, 3, 5, 6, 2]},
    )
    number, drm = numbers(table, shot(table, "J5"), "r1")
    assert number == 8 and drm in (1, 2)
    assert fire(table, shot(table, "J5")) == ["gw"]
    assert_rule(table.findings, "3.2.4", inputs={"weapon": "gw"}, result="miss")
    assert_rule(table.findings, "6.10", inputs={"at": "J5"}, result=-1)
    number, drm = numbers(table, shot(table, "O4"), "r2")
    assert (number, drm) == (9, 2)
    assert fire(table, shot(table, "O4")) == [] and table.state.weapons["gw"].fired == "prep"
    assert_rule(table.findings, "3.2.4/covered-arc", inputs={"weapon": "gw"}, result=5)
    last = shot(table, "O4", intensive=True)
    assert numbers(table, last, "r2") == (9, 2)
    fire(table, last)
    assert table.state.weapons["gw"].fired == "intensive" and table.state.weapons["gw"].acquisition == 2
    assert_rule(objections(table, last), "3.2.4/intensive-fire")


def test_3_2_4_the_75_of_the_example():
    """th-2a to th-2d: a stone building is +3; then come acquisition, area fire on column 6, and a turned NT Gun."""
    table = a_gun(
        "german-75l-at",
        "E8",
        3,
        {"r1": ("747", "C7"), "r2": ("666", "B7")},
        {"stone": "C7", "woods": "B7"},
        dice={"3.2.4": [6, 1, 5, 2], "3.2.4/effects": [3, 4], "3.2.3/mc": [6, 5]},
    )
    table.state.weapons["gw"].facing = 2
    attack = shot(table, "C7")
    assert numbers(table, attack, "r1") == (9, 3)
    area = shot(table, "C7", how="area")
    one = component(table.situation, "gw")
    assert hit_number(table.situation, one, area) == 7 and effect_column(table.situation, one, area) == 6
    assert fire(table, attack) == ["gw"]
    assert numbers(table, attack, "r1") == (9, 2)
    assert fire(table, attack) == ["gw"] and table.state.units["r1"].broken
    assert_rule(table.findings, "3.2.4/effects", cell={"used": 12}, result={"r1": "1MC"})
    assert numbers(table, shot(table, "B7"), "r2") == (
        8,
        4 if not table.situation.ground.in_arc("E8", 2, "B7") else 1,
    )


@pytest.mark.rule("3.2.4/effects", "6.9")
def test_6_9_mortars_burst_in_the_trees_as_in_the_examples():
    """th-2g, th-2h: 81 mm uses column 8 with -1, 50 mm column 2 with -1.

    Mortars cannot fire from buildings or at targets that are too near.
    """
    table = a_gun(
        "german-81s-mtr",
        "E9",
        2,
        {"r1": ("666", "B7")},
        {"woods": "B7"},
        dice={"3.2.4": [2, 4], "3.2.4/effects": [4, 4]},
    )
    assert numbers(table, shot(table, "B7"), "r1") == (7, 0)
    assert fire(table, shot(table, "B7")) == []
    assert_rule(table.findings, "3.2.4/effects", cell={"used": 8}, result={"r1": "1MC"})
    light = a_table(
        {"g1": ("467", "D8"), "r1": ("666", "B7")},
        ground=a_ground({"woods": "B7"}),
        weapons={"gw": ("german-mortar", "g1")},
        dice={"3.2.4": [2, 4], "3.2.4/effects": [1, 1]},
    )
    fire(light, shot(light, "B7"))
    assert_rule(light.findings, "3.2.4/effects", cell={"used": 2}, result={"r1": "1KIA"})
    near = a_table({"g1": ("467", "C7"), "r1": ("666", "B7")}, weapons={"gw": ("german-mortar", "g1")})
    assert_rule(objections(near, shot(near, "B7")), "6.9")


@pytest.mark.rule("6.1")
def test_6_1_a_critical_hit_of_the_105_as_in_the_example():
    """ch-1: the number is 9 and the CH number 4, so a Final 4 is a critical hit. The hit uses column 36 with -3 for
    one unit, and column 20 for the others.
    """
    table = a_gun(
        "american-105-art",
        "R6",
        5,
        {"r1": ("467", "S8"), "r2": ("467", "S8")},
        {"stone": "S8"},
        crew="227",
        dice={"3.2.4": [1, 2], "6.1": [1], "3.2.4/effects": [4, 5]},
    )
    table.state.weapons["gw"].acquired, table.state.weapons["gw"].acquisition = "S8", 2
    number, drm = numbers(table, shot(table, "S8"), "r1")
    assert number == 9 and drm in (1, 4)
    table.state.weapons["gw"].facing = next(k for k in range(6) if table.situation.ground.in_arc("R6", k, "S8"))
    assert numbers(table, shot(table, "S8"), "r1") == (9, 1)
    fire(table, shot(table, "S8"))
    found = assert_rule(table.findings, "6.1", cell={"used": 36})
    assert sum(row["value"] for row in found.modifiers) == -3
    assert_rule(table.findings, "3.2.4/effects", cell={"used": 20}) if "r2" in table.state.units else None


@pytest.mark.rule("4.4", "3.2.2/fire-groups")
def test_4_4_a_bazooka_needs_a_building_and_fires_alone():
    """latw-1: a BAZ 43 at 2 hexes against a stone building behind grain needs 8 with +4; column 8 has no DRM."""
    table = a_table(
        {"g1": ("747", "D9"), "r1": ("447", "D7"), "r2": ("447", "E8")},
        ground=a_ground({"stone": "D7", "grain": "D8"}),
        weapons={"gw": ("american-baz-43", "g1")},
    )
    assert numbers(table, shot(table, "D7"), "r1") == (8, 4)
    assert effect_column(table.situation, component(table.situation, "gw"), shot(table, "D7")) == 8
    assert_rule(
        objections(table, shot(table, "E8")), "4.4", why="gw can affect Infantry only if they are in a building"
    )
    assert_rule(objections(table, Attack(("g1", "gw"), "D7")), "3.2.2/fire-groups")
    assert not objections(table, Attack(("g1",), "E8"))


@pytest.mark.rule("6.5")
def test_6_5_manhandling_as_in_the_example():
    """manhandle-2, manhandle-4: a leader is -1; woods are +1 (TEM) and +4 (4 MF), and open ground is +2 (2 MF)."""
    table = a_gun("american-57l-at", "D6", 2, {"gl": ("a 8-1", "D6")}, {"woods": "D5"}, crew="227", phase="movement")
    moving_in(table, ["g1", "gl"], spent=0)
    units = [table.state.units["g1"], table.state.units["gl"]]
    gun = table.state.weapons["gw"]
    assert sum(row.value for row in push_modifiers(table.situation, units, gun, "D5")) == 4
    assert sum(row.value for row in push_modifiers(table.situation, units, gun, "C6")) == 1
    assert_rule(leg_objections(table.situation, units, Leg("enter", "C6")), "6.5")
    table.chance.given = {"6.5": iter([2, 4])}
    expend(table, units, Leg("push", "D5", weapon="gw"))
    assert_rule(table.findings, "6.5", inputs={"to": "D5"}, result="moves and stops")
    assert units[0].at == "D5" and units[0].hazard and units[0].going.done and not gun.emplaced


@pytest.mark.rule("6.7")
def test_6_7_a_direct_hit_destroys_the_gun_with_its_crew():
    table = a_gun(
        "german-75l-at",
        "E8",
        3,
        {"r1": ("r228", "E5")},
        {},
        dice={"3.2.4": [3, 1], "3.2.4/effects": [1, 1]},
    )
    table.state.weapons["rw"] = type(table.state.weapons["gw"])(id="rw", card="russian-45l-at", holder="r1", facing=4)
    fire(table, shot(table, "E5"))
    assert "r1" not in table.state.units and "rw" not in table.state.weapons
    assert_rule(table.findings, "6.7", inputs={"weapon": "rw"}, result="removed")


@pytest.mark.rule("6.7", effect=True)
@pytest.mark.parametrize(
    ("card", "broken", "effect", "left", "holder"),
    [("447", False, [1, 2], "russian-426", "r1"), ("r228", True, [1, 1], "", "")],
    ids=["K: its squad fails the check and is replaced", "KIA: its broken crew suffers a casualty"],
)
def test_6_7_a_gun_is_unharmed_if_another_unit_is_selected(card, broken, effect, left, holder):
    """A Gun and its unit are selected together, so if r2 is selected, r1's later losses do not affect r1's Gun."""
    table = a_table(
        {"g1": ("228", "E4"), "r1": (card, "E8"), "r2": ("447", "E8")},
        weapons={"gw": ("german-75l-at", "g1"), "rw": ("russian-45l-at", "r1")},
        facings={"gw": 4, "rw": 1},
        states={"r1": {"broken": broken, "dm": broken}},
        dice={"3.2.4": [3, 2], "3.2.4/effects": effect, "3.2.3/k": [2], "3.2.3/kia": [2], "3.2.3/mc": [6, 5]},
    )
    fire(table, shot(table, "E8"))
    assert getattr(table.state.units.get("r1"), "card", "") == left
    gun = table.state.weapons["rw"]
    assert gun.holder == holder and not gun.malfunctioned


def test_6_3_6_6_an_emplaced_gun_protects_its_crew_and_the_shield_only_from_the_front():
    from pbem.titles.aslsk.fire.components import components
    from pbem.titles.aslsk.fire.modifiers import fire_modifiers

    table = a_gun("german-75l-at", "E8", 1, {"r1": ("447", "F5"), "r2": ("447", "E11")}, {})
    crew = table.state.units["g1"]

    def told(id):
        attack = Attack((id,), "E8")
        firers = components(table.situation, (id,))
        return [(row.text, row.value) for row in fire_modifiers(table.situation, attack, firers, crew)]

    assert told("r2") == [("emplaced Gun", 2)]
    table.state.weapons["gw"].emplaced = False
    assert told("r1") == [("gunshield", 2)] and told("r2") == []


@pytest.mark.rule("6.2/smoke", "6.2")
def test_6_2_smoke_is_fired_first_and_runs_out():
    table = a_table(
        {"g1": ("467", "D8"), "g2": ("467", "D8"), "r1": ("447", "D12")},
        weapons={"gw": ("british-mortar", "g1")},
        dice={"3.2.4": [2, 3, 4, 4], "3.2.2": [6, 5]},
    )
    fire(table, shot(table, "D11", how="smoke"))
    assert_rule(table.findings, "6.2/smoke", inputs={"at": "D11"}, result="full")
    assert table.situation.smoke_in("D11") == 3
    table.state.weapons["gw"].fired = ""
    assert fire(table, shot(table, "D10", how="smoke")) == []
    assert_rule(table.findings, "6.2", inputs={"weapon": "gw"}, result="none")
    assert_rule(objections(table, shot(table, "D10", how="smoke")), "6.2")
    table.state.weapons["gw"].depleted = []
    fire(table, Attack(("g2",), "D12"))
    assert_rule(objections(table, shot(table, "D10", how="smoke")), "6.2/smoke")
