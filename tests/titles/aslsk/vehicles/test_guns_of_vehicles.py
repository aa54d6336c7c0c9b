"""3.2.4/vtt, 7.9, 7.10 Shots at and by vehicles: the rulebook's examples and the destruction chart."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, carried, driving
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.chance import Dice
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.ordnance.to_hit import effect_column, hit_number
from pbem.titles.aslsk.state import Smoke
from pbem.titles.aslsk.vehicles.kill import Aspect, aspect_of, kill_number, outcome
from pbem.titles.aslsk.vehicles.target import vehicle_hit_modifiers

KV, IIIN = "russian-kv-1e", "german-pz3n"


def tanks(kv=("E3", 5), n=("G5", 0), *, phase="movement", attacker="german", turret=2, smoke=True, **more):
    """The rulebook's example: a KV-1E in E3 against a PzKpfw IIIN that has moved to G5."""
    table = a_table(
        {},
        vehicles={"r1": (KV, *kv), "g1": (IIIN, *n)},
        armour={"g1": {"tca": turret}},
        phase=phase,
        attacker=attacker,
        ground=a_ground(),
        **more,
    )
    if smoke:
        table.state.smoke["G5"] = [Smoke("dispersed", "german")]
    return table


def drm(table, weapon, target, **more):
    one = component(table.situation, weapon)
    at = table.state.vehicles[target].at
    attack = Attack((weapon,), at, target=target, **more)
    found = vehicle_hit_modifiers(table.situation, one, attack, table.state.vehicles[target])
    return hit_number(table.situation, one, attack), {row.text: row.value for row in found}


def objections(table, seat, attack):
    return list(attack_objections(table.situation, seat, attack))


@pytest.mark.rule("3.2.4/vtt", "7.9", "7.10/shock", "3.2.4/covered-arc", "7.7", "3.3.2/motion")
def test_7_9_the_kv_fires_at_the_moving_iiin():
    """thtk-1: turning the TCA one hexspine is +2, BU +1, moving +2, Smoke +2; the turret front gives 12 - 6.

    A roll one higher is a possible Shock.
    """
    table = tanks(dice={"3.2.4": [2, 1], "7.9": [3, 4], "7.10/shock": [1, 2]})
    driving(table, "g1", ("C5", 4), ("D4", 8), ("G5", 10))
    table.state.vehicles["r1"].tca = 4
    number, found = drm(table, "r1ma", "g1")
    assert number == 10
    assert found == {"changes CA": 2, "BU": 1, "moving target": 2, "Smoke in the target hex": 2}
    fire(table, Attack(("r1ma",), "G5", target="g1"))
    assert_rule(table.findings, "3.2.4/vtt", inputs={"vehicle": "g1", "number": 10}, result="hit")
    told = assert_rule(table.findings, "7.9", inputs={"location": "turret", "facing": "front", "number": 6})
    assert told.result == "possible shock"
    assert_rule(table.findings, "7.10/shock", inputs={"morale": 8}, result="passed")
    assert_rule(table.findings, "3.2.4/covered-arc", inputs={"weapon": "r1ma"}, result=5)
    assert_rule(carried(table.findings), "7.7", inputs={"text": "BU"}, result=1)
    assert_rule(carried(table.findings), "3.3.2/motion", inputs={"text": "moving target"}, result=2)


@pytest.mark.rule("3.2.4/facing-arithmetic", effect=True)
@pytest.mark.rule("3.2.4/target-facing", "3.2.4/hit-location", "7.9")
def test_3_2_4_facings_of_the_example():
    """thtk-1, geom-facing-1, geom-facing-2: hits are on the turret front or the hull rear, where 12 + 1 - 3 is 10."""
    table = tanks(dice={"3.2.4": [1, 2], "7.9": [4, 6]})
    driving(table, "g1", ("C5", 4), ("D4", 8), ("G5", 10))
    vehicle, one = table.state.vehicles["g1"], component(table.situation, "r1ma")
    turret = aspect_of(table.situation, "E3", vehicle, Dice(white=2, coloured=1))
    hull = aspect_of(table.situation, "E3", vehicle, Dice(white=1, coloured=2))
    assert turret == Aspect("turret", "front") and hull == Aspect("hull", "rear")
    assert kill_number(table.situation, one, "AP", vehicle, hull).final == 10
    fire(table, Attack(("r1ma",), "G5", target="g1"))
    told = assert_rule(table.findings, "7.9", inputs={"location": "hull", "facing": "rear", "number": 10})
    assert told.result == "immobilized"
    assert_rule([told], "3.2.4/target-facing", result="rear")
    assert_rule([told], "3.2.4/hit-location", result="hull")


@pytest.mark.rule("3.5/vehicles", "6.2", "7.3")
def test_3_5_the_iiin_answers_in_the_afph():
    """thtk-3: HEAT needs 10; Bounding Fire +4, BU +1, Smoke +2 and a large target -1 make +6. A 5 misses and
    does not deplete the HEAT.
    """
    table = tanks(phase="advancing", dice={"3.2.4": [2, 3]}, smoke=False)
    table.state.smoke["F4"] = [Smoke("dispersed", "german")]
    gun = table.state.vehicles["g1"]
    gun.new_hex = gun.moving = True
    number, found = drm(table, "g1ma", "r1", how="H")
    assert number == 10 and sum(found.values()) == 6
    assert found["Bounding Fire"] == 4 and found["target size"] == -1 and found["hindrance"] == 2
    fire(table, Attack(("g1ma",), "E3", how="H", target="r1"))
    assert table.findings[-1].result == "miss"
    assert_rule(carried(table.findings), "3.5/vehicles", inputs={"text": "Bounding Fire"}, result=4)
    assert_rule(carried(table.findings), "7.3", inputs={"text": "target size"}, result=-1)
    assert not table.state.weapons["g1ma"].depleted
    last = tanks(phase="prep", dice={"3.2.4": [4, 5, 5, 6]}, smoke=False)
    fire(last, Attack(("g1ma",), "E3", how="H", target="r1"))
    assert_rule(last.findings, "6.2", inputs={"weapon": "g1ma", "ammunition": "H"}, result="the last")


def test_6_10_the_kv_has_acquired_the_iiin():
    """thtk-4: once the KV has acquired its target, BU +1, Smoke +2 and acquisition -2 make +1."""
    table = tanks(phase="prep", attacker="russian")
    gun = table.state.weapons["r1ma"]
    gun.acquired, gun.acquisition, gun.quarry = table.state.vehicles["g1"].at, 2, ["g1"]
    number, found = drm(table, "r1ma", "g1")
    assert (number, sum(found.values())) == (10, 1)


@pytest.mark.rule("7.1")
def test_7_1_armour_against_heat_and_he():
    """thtk-5: HEAT 13 has a final number of 2 against the turret front (11) and of 5 against the hull side (8)."""
    table = tanks(phase="defensive", attacker="russian")
    kv, one = table.state.vehicles["r1"], component(table.situation, "g1ma")
    front = kill_number(table.situation, one, "H", kv, Aspect("turret", "front"))
    side = kill_number(table.situation, one, "H", kv, Aspect("hull", "side"))
    assert (front.basic, front.final, side.final) == (13, 2, 5)
    assert kill_number(table.situation, one, "HE", kv, Aspect("hull", "side")).basic == 7
    table.chance.given = {"3.2.4": iter([2, 1]), "7.9": iter([1, 1])}
    fire(table, Attack(("g1ma",), "E3", how="H", target="r1"))
    told = assert_rule(table.findings, "7.9", inputs={"armour": 11})
    assert_rule([told], "7.1", result=11)


@pytest.mark.rule("7.11", "7.10/immobilized")
def test_7_11_area_fire_on_the_kv():
    """thtk-6: on column 6 with +1 for thick armour, Originals of 2 and 3 immobilize the KV."""
    for dice, result in (([1, 1], "immobilized"), ([1, 2], "immobilized"), ([2, 2], "no effect")):
        table = tanks(phase="prep", smoke=False, dice={"3.2.4": [2, 3], "3.2.4/effects": dice})
        one = component(table.situation, "g1ma")
        attack = Attack(("g1ma",), "E3", how="area")
        assert effect_column(table.situation, one, attack) == 6
        fire(table, attack)
        assert_rule(table.findings, "7.11", inputs={"vehicle": "r1"}, cell={"used": 6}, result=result)
    assert not table.state.vehicles["r1"].immobilized
    assert_rule(
        fired(tanks(phase="prep", smoke=False, dice={"3.2.4": [2, 3], "3.2.4/effects": [1, 1]})), "7.10/immobilized"
    )


def fired(table):
    fire(table, Attack(("g1ma",), "E3", how="area"))
    return table.findings


def test_7_10_the_destruction_chart():
    """7.10 Every column and row is tested (below, equal, one more, more), for turret and hull; a 12 is a dud."""
    expected = {
        "solid": ("destroyed", "shock", "immobilized", "possible shock", "possible shock"),
        "he": ("destroyed", "shock", "immobilized", "shock", "immobilized"),
        "mg": ("destroyed", "stun", "stun", "no effect", "no effect"),
        "flame": ("destroyed", "destroyed", "destroyed", "no effect", "no effect"),
    }
    for effect, (below, turret, hull, more_turret, more_hull) in expected.items():
        assert outcome(effect, "hull", 5, 6) == below
        assert outcome(effect, "turret", 6, 6) == turret and outcome(effect, "hull", 6, 6) == hull
        assert outcome(effect, "turret", 7, 6) == more_turret and outcome(effect, "hull", 7, 6) == more_hull
        assert outcome(effect, "hull", 8, 6) == "no effect" and outcome(effect, "hull", 12, 20) == "dud"


@pytest.mark.rule("3.2.4/hit-location", effect=True)
@pytest.mark.rule("7.10", "6.1", "7.4", "3.2.4/kill-test")
def test_7_10_a_critical_hit_doubles_the_number_and_leaves_a_wreck():
    table = tanks(phase="prep", attacker="russian", smoke=False, dice={"3.2.4": [1, 1], "7.9": [5, 6]})
    fire(table, Attack(("r1ma",), "G5", target="g1"))
    assert_rule(table.findings, "6.1", inputs={"vehicle": "g1"}, result="critical hit")
    told = assert_rule(table.findings, "7.9", inputs={"basic": 12}, result="destroyed")
    assert_rule([told], "3.2.4/kill-test", result="destroyed")
    assert_rule(table.findings, "7.10", inputs={"vehicle": "g1"}, result="destroyed")
    assert [wreck.id for wreck in table.state.wrecks] == ["g1"] and "g1ma" not in table.state.weapons
    behind = a_table({"g2": ("467", "G5"), "r2": ("447", "G8")}, phase="prep", attacker="russian")
    behind.state.wrecks = table.state.wrecks
    fire(behind, Attack(("r2",), "G5"))
    assert_rule(carried(behind.findings), "7.4", inputs={"text": "AFV or wreck"}, result=1)


@pytest.mark.rule("4.1/mg-vs-afv", "7.10/stun")
def test_4_1_an_mg_can_stun_a_thin_vehicle():
    """An MG has TK 4, +1 up to 6 hexes, only at normal range and with full FP; a roll equal to it Stuns."""
    table = a_table(
        {"g1": ("467", "E8")},
        weapons={"gw": ("german-mmg", "g1")},
        vehicles={"r1": ("russian-ba-64b", "E6", 4)},
        dice={"3.2.4": [2, 3], "7.9": [1, 3]},
    )
    attack = Attack(("gw",), "E6", target="r1")
    assert not objections(table, "german", attack)
    fire(table, attack)
    assert_rule(table.findings, "7.10/recall", inputs={"vehicle": "r1"}, result="STUN")  # a one-man turret
    table.state.units["g1"].pinned = True
    table.state.weapons["gw"].fired = ""
    assert_rule(objections(table, "german", attack), "4.1/mg-vs-afv")
    light = a_table(
        {"g1": ("467", "E8")},
        weapons={"gw": ("german-mmg", "g1")},
        vehicles={"r1": ("russian-t-60", "E6", 4)},
        dice={"3.2.4": [2, 3]},
    )
    from pbem.titles.aslsk.vehicles.status import settle_stuns, stun

    stun(light, light.state.vehicles["r1"], hard=False)
    assert light.state.vehicles["r1"].stun == "STUN"
    pz = tanks(phase="prep", smoke=False)
    stun(pz, pz.state.vehicles["g1"])
    assert_rule(pz.findings, "7.10/stun", inputs={"vehicle": "g1"}, result="stun")
    settle_stuns(pz)
    assert pz.state.vehicles["g1"].shaken and not pz.state.vehicles["g1"].stun
    stun(pz, pz.state.vehicles["g1"])
    assert pz.state.vehicles["g1"].stun == "STUN"


@pytest.mark.rule("def/ma", effect=True)
@pytest.mark.rule("7.12", "3.2.3/pin")
def test_7_12_a_hit_that_does_nothing_to_the_tank_attacks_its_exposed_crew():
    table = tanks(phase="prep", attacker="russian", smoke=False, dice={"3.2.4": [1, 3], "7.9": [6, 4]})
    table.state.vehicles["g1"].ce = True
    fire(table, Attack(("r1ma",), "G5", target="g1", how="HE"))
    assert_rule(table.findings, "7.12", inputs={"vehicle": "g1"}, cell={"used": 12})
    rifle = a_table(
        {"r1": ("447", "G6")}, vehicles={"g1": (IIIN, "G5", 0)}, armour={"g1": {"ce": True}}, attacker="russian",
        dice={"3.2.2": [4, 3], "3.2.3/ptc": [6, 5]},
    )  # fmt: skip
    fire(rifle, Attack(("r1",), "G5"))
    assert_rule(rifle.findings, "3.2.3/pin", inputs={"vehicle": "g1"}, result="buttoned up")
    assert not rifle.state.vehicles["g1"].ce
    closed = tanks(phase="prep", attacker="russian", smoke=False)
    assert_rule(objections(closed, "russian", Attack(("r1cmg",), "G5")), "3.2")
    assert_rule(
        objections(
            a_table({"r1": ("447", "G6")}, vehicles={"g1": (IIIN, "G5", 0)}, attacker="russian"),
            "russian",
            Attack(("r1",), "G5", target="g1"),
        ),
        "7.12",
    )


@pytest.mark.rule("7.8", "3.3.2.2", "def/motion-fire")
def test_7_8_machine_guns_of_a_vehicle_fire_together_and_less_well_on_the_move():
    units = {"r1": ("447", "E5")}
    table = a_table(units, vehicles={"g1": (IIIN, "E8", 1)}, armour={"g1": {"ce": False}}, phase="movement")
    driving(table, "g1", ("E10", 4), ("E9", 2), ("E8", 2))
    attack = Attack(("g1bmg", "g1cmg"), "E5")
    assert not objections(table, "german", attack)
    fire(table, attack)
    told = assert_rule(table.findings, "3.2.2", inputs={"fp": "2"})
    assert set(told.inputs["firers"]) == {"g1bmg", "g1cmg"}
    assert_rule(carried(table.findings), "3.3.2.2", inputs={"component": "g1cmg", "text": "Bounding First Fire"})
    assert_rule(objections(table, "german", Attack(("g1ma",), "E12")), "3.3.2.2")
    assert_rule(objections(table, "german", Attack(("g1ma",), "E5", how="area")), "3.2.4/att")
    still = a_table(units, vehicles={"g1": (IIIN, "E8", 1)}, armour={"g1": {"motion": True}}, attacker="russian",
                    phase="defensive")  # fmt: skip
    fire(still, Attack(("g1cmg",), "E5"))
    assert_rule(carried(still.findings), "def/motion-fire", inputs={"component": "g1cmg"})
    assert_rule(
        objections(a_table(units, vehicles={"g1": (IIIN, "E8", 1)}), "german", Attack(("g1",), "E5")), "1.2.1"
    )
    stug = a_table(units, vehicles={"g1": ("german-stug3g", "E8", 1)})
    assert_rule(objections(stug, "german", Attack(("g1aamg",), "E5")), "7.8")


@pytest.mark.rule("7.2.1", "7.2", "7.10/recall")
def test_7_2_1_a_circled_number_means_low_ammunition_first():
    table = a_table({}, vehicles={"r1": ("russian-su-152", "E8", 1), "g1": (IIIN, "E5", 4)}, attacker="russian")
    card = table.situation.vehicle_card(table.state.vehicles["r1"])
    if not card.low_ammo:
        import msgspec

        changed = msgspec.structs.replace(card, low_ammo=True)
        table.data.deck = msgspec.structs.replace(
            table.data.deck, vehicles={**table.data.deck.vehicles, card.id: changed}
        )
    table.chance.given = {"3.2.4": iter([4, 6, 4, 6])}
    fire(table, Attack(("r1ma",), "E5", target="g1"))
    assert_rule(table.findings, "7.2.1", inputs={"vehicle": "r1"}, result="low")
    table.state.weapons["r1ma"].fired = ""
    fire(table, Attack(("r1ma",), "E5", target="g1"))
    assert "r1ma" not in table.state.weapons and table.state.vehicles["r1"].recalled
    assert_rule(table.findings, "7.10/recall", inputs={"vehicle": "r1"}, result="recalled")
    rst = a_table(
        {"g1": ("467", "E5")}, vehicles={"r1": (KV, "E8", 1)}, armour={"r1": {"ce": True}}, attacker="russian"
    )
    assert_rule(objections(rst, "russian", Attack(("r1ma",), "E5")), "7.2")
