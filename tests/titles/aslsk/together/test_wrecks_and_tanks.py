"""Wrecks, bogged and immobilized vehicles, small turret guns and crews where several rules meet: worked by hand."""

from __future__ import annotations

import msgspec
import pytest
from support.rules import assert_rule
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, driving, moving_in
from titles.aslsk.combinations.test_lawyer import objections
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.close_combat.decision import CloseCombat
from pbem.titles.aslsk.close_combat.phase import close_combat_end, combat_hex
from pbem.titles.aslsk.close_combat.vehicles import assault_vehicle, spent_by, vehicle_strength
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.modifiers import residual_modifiers, terrain_modifier
from pbem.titles.aslsk.fire.morale import replace_by_elr
from pbem.titles.aslsk.fire.phases import settle_cover
from pbem.titles.aslsk.movement.residual import residual_attack, residual_on_crew
from pbem.titles.aslsk.orders import Assault, CombatOrder
from pbem.titles.aslsk.vehicles.status import destroy, stun

T34, PZ4, PSW = "russian-t34-85", "german-pz4h", "german-psw222"


@pytest.mark.rule("7.4", effect=True)
@pytest.mark.parametrize(
    ("phase", "armour", "cover"),
    [
        ("prep", {}, True),
        ("prep", {"motion": True}, True),
        ("movement", {"motion": True}, False),
        ("defensive", {"moving": True}, False),
        ("advancing", {"motion": True}, False),
        ("close_combat", {"motion": True}, True),
    ],
)
def test_7_4_a_wreck_gives_cover_unless_it_moved_in_the_mph_of_this_player_turn(phase, armour, cover):
    """A wreck gives cover, but the wreck of a vehicle that moved gives none from its MPh to the end of the AFPh."""
    table = a_table({"g1": ("467", "E8")}, vehicles={"r1": (T34, "E8", 1)}, phase=phase, attacker=RUSSIAN,
                    armour={"r1": armour})  # fmt: skip
    destroy(table, table.state.vehicles["r1"], "7.9")
    found = terrain_modifier(table.situation, table.state.units["g1"], ("E5",))
    assert (found is not None and found.rule == "7.4") == cover


@pytest.mark.rule("7.4", effect=True)
def test_7_4_a_wreck_of_a_moving_tank_gives_cover_from_the_end_of_the_afph_on():
    table = a_table({"g1": ("467", "E8")}, vehicles={"r1": (T34, "E8", 1)}, phase="movement", attacker=RUSSIAN,
                    armour={"r1": {"moving": True}})  # fmt: skip
    destroy(table, table.state.vehicles["r1"], "7.9")
    assert terrain_modifier(table.situation, table.state.units["g1"], ("E5",)) is None
    settle_cover(table)
    assert terrain_modifier(table.situation, table.state.units["g1"], ("E5",)).value == 1


@pytest.mark.rule("3.3.5", effect=True)
def test_3_3_5_a_wreck_shelters_infantry_from_residual_fp_and_from_ffmo():
    """The wreck adds +1 and cancels FFMO, so with FFNAM the sum is 0; without the wreck it is -2."""
    table = a_table({"g1": ("467", "E8")}, vehicles={"r1": (T34, "E8", 1)}, phase="prep")
    destroy(table, table.state.vehicles["r1"], "7.9")
    table.state.phase = "movement"
    moving_in(table, ["g1"])
    found = {row.text: row.value for row in residual_modifiers(table.situation, table.state.units["g1"])}
    assert found == {"AFV or wreck": 1, "FFNAM": -1}
    table.state.wrecks.clear()
    found = {row.text: row.value for row in residual_modifiers(table.situation, table.state.units["g1"])}
    assert found == {"FFMO": -1, "FFNAM": -1}


@pytest.mark.rule("3.3.5")
def test_3_3_5_residual_fp_attacks_an_exposed_crew_and_infantry_alike_but_once_in_a_hex():
    """On column 4, with +2 for CE, an Original 5 is a Final 7, which is a PTC; only an 8 or more has no effect."""
    table = a_table({"g1": ("467", "E8")}, vehicles={"g2": (PZ4, "E8", 1)}, phase="movement",
                    armour={"g2": {"ce": True}}, dice={"3.3.5": [2, 3, 5, 6], "3.2.3/ptc": [6, 6]})  # fmt: skip
    table.state.residual["E8"] = 4
    driving(table, "g2", ("E9", 2), ("E8", 2))
    residual_on_crew(table, table.state.vehicles["g2"])
    assert_rule(table.findings, "3.3.5", inputs={"units": ["g2"], "against": {"g2": 2}})
    assert not table.state.vehicles["g2"].ce, "the failed PTC buttons it up"
    before = len(table.findings)
    table.state.vehicles["g2"].ce = True
    residual_on_crew(table, table.state.vehicles["g2"])
    assert len(table.findings) == before
    table.state.vehicles["g2"].at = "E7"
    moving_in(table, ["g1"])
    residual_attack(table, [table.state.units["g1"]])
    assert_rule(table.findings, "3.3.5", inputs={"units": ["g1"], "against": {"g1": -2}})


@pytest.mark.rule("7.10/immobilized", effect=True)
@pytest.mark.parametrize("state", [{"immobilized": True}, {"bogged": "bogged"}, {"bogged": "mired"}])
def test_7_10_bow_weapons_of_a_vehicle_that_cannot_turn_fire_only_inside_its_vca(state):
    """The turret of such a vehicle still turns, so its CMG can fire to the rear."""
    units = {"r1": ("447", "E5"), "r2": ("447", "E11")}
    table = a_table(units, vehicles={"g1": (PZ4, "E8", 1)}, armour={"g1": state})
    ahead = next(hex for hex in ("E5", "E11") if table.situation.ground.in_arc("E8", 1, hex))
    behind = "E11" if ahead == "E5" else "E5"
    assert not objections(table, Attack(("g1bmg",), ahead)) and not objections(table, Attack(("g1cmg",), behind))
    assert objections(table, Attack(("g1bmg",), behind))
    assert objections(table, Attack(("g1bmg", "g1cmg"), behind))


def with_small_gun(table):
    """Make the armoured car's gun a 15 mm one, as an owner's card may."""
    card = table.data.deck.vehicles[PSW]
    table.data.deck = msgspec.structs.replace(
        table.data.deck, vehicles=table.data.deck.vehicles | {PSW: msgspec.structs.replace(card, calibre=15)}
    )


@pytest.mark.rule("3.8/vehicle-attack", effect=True)
def test_3_8_a_small_turret_gun_attacks_once_and_not_after_a_malfunction():
    """CMG 5 and IFE 4 are 9 FP; once they have attacked, nothing is left; a broken gun gives nothing."""
    table = a_table({"r1": ("447", "E8"), "r2": ("447", "E8")}, vehicles={"g1": (PSW, "E8", 1)}, phase="close_combat",
                    dice={"3.8/vehicle-attack": [6, 6], "3.8/vs-vehicle": [5, 6] * 4})  # fmt: skip
    with_small_gun(table)
    car = table.state.vehicles["g1"]
    assert vehicle_strength(table.situation, car) == 9
    used = spent_by(table.situation, Assault(("g1",), ("r1",)), [])
    assert vehicle_strength(table.situation, car, used) == 0
    table.state.weapons["g1ma"].malfunctioned = True
    assert vehicle_strength(table.situation, car) == 5


@pytest.mark.rule("3.8/sequence-vehicle", effect=True)
def test_3_8_a_car_with_a_small_turret_gun_attacks_one_squad_and_then_passes():
    table = a_table({"r1": ("447", "E8"), "r2": ("447", "E8")}, vehicles={"g1": (PSW, "E8", 1)}, phase="close_combat",
                    dice={"3.8/vehicle-attack": [6, 6], "3.8/vs-vehicle": [5, 6] * 4})  # fmt: skip
    with_small_gun(table)
    step, seats = combat_hex(table, ["E8"]), []
    ask = next(step)
    with pytest.raises(StopIteration):
        while True:
            seats.append(ask.seat)
            ask = step.send(CloseCombat(table.data, table.state, ask).usual())
    assert seats == [RUSSIAN, GERMAN, RUSSIAN]


@pytest.mark.rule("7.10/recall")
def test_7_10_a_crew_stunned_twice_in_one_player_turn_is_recalled_at_its_end():
    table = a_table({}, vehicles={"g1": (PZ4, "E8", 1)}, armour={"g1": {"ce": True}}, phase="close_combat")
    car = table.state.vehicles["g1"]
    stun(table, car)
    assert car.stun == "stun" and not car.ce
    stun(table, car)
    assert car.stun == "STUN"
    with pytest.raises(StopIteration):
        next(close_combat_end(table))
    assert car.recalled and car.shaken and not car.stun
    assert_rule(table.findings, "7.10/recall", inputs={"vehicle": "g1"}, result="recalled")


@pytest.mark.rule("5.1", effect=True)
@pytest.mark.parametrize(("card", "replaced"), [("228", False), ("467", True)])
def test_5_1_crews_are_exempt_from_elr(card, replaced):
    """A crew and a squad each fail by 5 against an ELR of 3; only the squad is replaced."""
    table = a_table({"g1": (card, "E8")}, elr=3)
    before = table.state.units["g1"].card
    replace_by_elr(table, table.state.units["g1"], 5)
    assert (table.state.units["g1"].card != before) == replaced


@pytest.mark.rule("3.8/vs-vehicle")
@pytest.mark.parametrize(
    ("state", "drm"),
    [
        ({}, 0),
        ({"ce": True}, -1),
        ({"motion": True}, 2),
        ({"bogged": "bogged"}, -1),
        ({"immobilized": True, "bogged": "mired"}, -1),
        ({"ce": True, "immobilized": True}, -2),
        ({"shock": "shock"}, 0),
    ],
)
def test_3_8_the_state_of_a_tank_changes_the_attack_on_it(state, drm):
    """A squad has CCV 5: a Final 4 destroys the tank, a 5 immobilizes it. Shock alone gives no DRM for immobility."""
    table = a_table({"g1": ("467", "E8")}, vehicles={"r1": (T34, "E8", 1)}, armour={"r1": state},
                    phase="close_combat", dice={"3.8/vs-vehicle": [2, 3]})  # fmt: skip
    assault_vehicle(table, [table.state.units["g1"]], table.state.vehicles["r1"])
    final = 5 + drm
    result = "destroyed" if final < 5 else "immobilized" if final == 5 else "no effect"
    assert_rule(table.findings, "3.8/vs-vehicle", inputs={"value": 5, "vehicle": "r1"}, result=result)


@pytest.mark.rule("3.8/melee", effect=True)
def test_3_8_a_tank_immobilized_in_motion_stops_and_holds_its_attackers_in_melee():
    """Motion is +2, so an Original 3 equals the CCV of 5: the tank stops and holds the squad in Melee."""
    table = a_table({"g1": ("467", "E8")}, vehicles={"r1": (T34, "E8", 1)}, armour={"r1": {"motion": True}},
                    phase="close_combat", dice={"3.8/vs-vehicle": [1, 2], "3.8/vehicle-attack": [6, 6]})  # fmt: skip
    step = combat_hex(table, ["E8"])
    next(step)
    with pytest.raises(StopIteration):
        step.send(CombatOrder("E8", (Assault(("g1",), ("r1",)),)))
        step.send(CombatOrder("E8"))
    tank = table.state.vehicles["r1"]
    assert tank.immobilized and not tank.motion and table.state.melee == ["E8"]


@pytest.mark.rule("7.4.1", effect=True)
def test_7_4_1_a_wreck_hinders_fire_through_its_hex_but_not_into_it():
    table = a_table({"g1": ("467", "E8")}, vehicles={"r1": (T34, "E6", 1)}, phase="prep", ground=a_ground())
    destroy(table, table.state.vehicles["r1"], "7.9")
    assert table.situation.sight("E8", "E4").hindrance == 1
    assert table.situation.sight("E8", "E6").hindrance == 0 == table.situation.sight("E6", "E4").hindrance
