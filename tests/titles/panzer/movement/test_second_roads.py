"""6.6 Entering a hex, firing or being attacked in an unusual way follows the same rules as in the usual way."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_leg, a_tank, an_advanced_table
from titles.panzer.advanced.marching import a_field, moves
from titles.panzer.builders import a_board, a_hex, run_step
from titles.panzer.close_combat.melees import assault, ground, play
from titles.panzer.close_combat.test_close_combat_declared import refused

from pbem.titles.panzer.command.morale import COHESION
from pbem.titles.panzer.end_of_turn.adjustment import take_in_commands
from pbem.titles.panzer.fire.declarations import check_fire
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.obstacles.buildings import INTO
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.sighting.camouflage import CAMOUFLAGED
from pbem.titles.panzer.state import (
    Command,
    Feature,
    HiddenCounter,
    Inside,
    Landed,
    Mission,
    Spot,
    Status,
    Unit,
)

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"
MOVE: dict[str, Any] = {"command": Command.MOVE}


def a_barrage(*hexes: str, side: str = "soviet") -> dict[str, Mission]:
    """This turn's fire on some hexes, so strong that every roll of 100 has an effect."""
    where = tuple(a_hex(hex) for hex in hexes)
    landed = Landed(firer="sb1", point=where[0], hexes=where, factor=15, column="S")
    mission = Mission(id="m1", side=side, planned=True, firers=("sb1",), point=where[0], landed=(landed,), done_in=1)
    return {"m1": mission}


def rules_named(findings: Any) -> set[str]:
    return {one.rule for one in every(findings)}


# --- 6.6.4.1 floors, closed hexes ------------------------------------------------------------------------------


@pytest.mark.rule("6.6.1.1", editions=("2016",))
@pytest.mark.rule("6.6.4.1", editions=("2016",))
def test_6_6_4_1_an_advance_to_attack_does_not_begin_on_an_upper_floor():
    board = a_board(signs={"C7": "B"}, storeys={"C7": 2})
    upstairs = a_leg("g1", "C7", SQUAD, inside=Inside.UP, **MOVE)
    table = an_advanced_table(upstairs, a_tank("s1", "C5", "t34_76"), board=board, edition="2016")
    assert_rule(
        refused(table, assault("s1", ("g1", "C6"))),
        "6.6.4.1",
        why="the unit is on an upper floor: give the step `down` first",
    )
    upstairs.inside = Inside.NO
    played = play(table_with(table, [50] * 9), assault("s1", ("g1", "C6")))
    assert_rule(played.findings, "6.6.1.1", inputs={"target": "s1"})


def table_with(table: Any, dice: list[int]) -> Any:
    return an_advanced_table(state=table.state, data=table.data, dice=dice)


@pytest.mark.rule("6.6.4.1", editions=("2016",))
def test_6_6_1_1_3_nobody_goes_into_the_hex_of_a_lost_target_from_an_upper_floor():
    board = a_board(signs={"C6": "B"}, storeys={"C6": 2})
    upstairs = a_leg("g1", "C6", SQUAD, inside=Inside.UP, **MOVE)
    truck = a_tank("s1", "C5", "zis5", bailed_out=True)
    table = an_advanced_table(upstairs, truck, board=board, edition="2016", dice=[9])
    played = play(table, assault("s1", "g1"))
    assert not played.asked("advance")
    upstairs.inside, upstairs.attacking = Inside.UP, ""
    far = a_leg("g1", "C6", SQUAD, inside=Inside.UP, **MOVE)
    table = an_advanced_table(far, a_tank("s1", "C4", "zis5"), board=board, edition="2016")
    assert_rule(
        refused(table, assault("s1", ("g1", "C5"))),
        "6.6.4.1",
        why="the unit is on an upper floor: give the step `down` first",
    )


def test_6_6_4_1_an_advance_asks_what_a_move_asks():
    """Wire keeps leg units out of a hex however they try to enter it."""
    wire = Feature(id="f1", type="wire", hex=a_hex("C6"), known=("german", "soviet"))
    squad = a_leg("g1", "C7", SQUAD, **MOVE)
    table = an_advanced_table(squad, a_tank("s1", "C5", "t34_76"), features={"f1": wire})
    refusal = refused(table, assault("s1", ("g1", "C6")))
    assert any("wire" in one.english or one.rule == "6.1.4.3.11" for one in refusal.objections)


# --- 6.6.6, 7.31.2 barrages and mines --------------------------------------------------------------------------


@pytest.mark.rule("6.6.6")
def test_6_6_6_a_vehicle_that_is_stopped_at_a_wall_has_come_into_the_barrage():
    """6.6.3: a track-hit vehicle stays in the alley of the building hex, which counts as a new hex of the barrage."""
    tank = a_tank("g1", "C9", "pz4h", facing=1, **MOVE)
    table = a_field(tank, signs={"C8": "B"}, dice=[1, 1, *[50] * 12], missions=a_barrage("C8"), turn=1)
    played = moves(table, "g1", INTO)
    assert tank.hex == a_hex("C8") and tank.track_hit
    assert_rule(played.findings, "6.6.6", inputs={"unit": "g1", "hex": "C8"})


@pytest.mark.rule("7.31.2")
def test_7_31_2_a_vehicle_that_is_stopped_at_a_wall_has_come_upon_the_mines():
    tank = a_tank("g1", "C9", "pz4h", facing=1, **MOVE)
    mines = Feature(id="f1", type="hasty_mines", hex=a_hex("C8"), side="soviet", of="vehicles", known=("soviet",))
    scenario = {"rules": (*ADVANCED_RULES, "minefields")}
    table = a_field(tank, signs={"C8": "B"}, dice=[1, 1, *[99] * 12], features=[mines], scenario=scenario)
    played = moves(table, "g1", INTO)
    assert_rule(played.findings, "7.31.2", inputs={"unit": "g1", "hex": "C8"})


@pytest.mark.rule("7.31.2.2")
def test_6_8_3_1_2_mines_are_no_fire():
    """L4115 names only AP and GP fire; a minefield neither hinders recovery nor causes a morale check."""
    squad = a_leg("g1", "C9", SQUAD, **MOVE)
    mines = Feature(id="f1", type="hasty_mines", hex=a_hex("C8"), side="soviet", of="personnel", known=("soviet",))
    table = a_field(squad, features=[mines], dice=[99], scenario={"rules": (*ADVANCED_RULES, "minefields")})
    played = moves(table, "g1", "1")
    assert_rule(played.findings, "7.31.2.2", result="none")
    assert not squad.under_fire


# --- 7.2.2.1 hidden counters -----------------------------------------------------------------------------------


def a_hidden(hex: str) -> dict[str, Any]:
    return {"hidden_counters": {"h1": HiddenCounter(id="h1", side="soviet", hex=a_hex(hex), units=())}}


HIDDEN = {"rules": (*ADVANCED_RULES, "hidden_units")}


@pytest.mark.rule("7.2.2.1/dummies", editions=("2016",))
def test_7_2_2_1_an_advance_to_attack_finds_the_counter_beside_which_it_ends():
    squad = a_leg("g1", "C7", SQUAD, **MOVE)
    board = ground(D5="woods")
    table = an_advanced_table(
        squad, a_tank("s1", "C5", "t34_76"), dice=[50] * 9, edition="2016", scenario=HIDDEN, board=board,
        **a_hidden("D5"),
    )  # fmt: skip
    played = play(table, assault("s1", ("g1", "C6")))
    assert_rule(played.findings, "7.2.2.1/dummies", inputs={"counter": "h1"}, result="removed")


def test_7_2_2_1_who_gets_off_a_vehicle_that_stays_finds_the_counter_beside_him():
    truck = a_tank("g1", "C9", "opel", command=Command.NO_COMMAND)
    squad = a_leg("g2", "C9", SQUAD, aboard="g1")
    table = a_field(truck, squad, scenario=HIDDEN, **a_hidden("C7"))
    moves(table, "g1", "dismount:g2:C8:1", "stay")
    assert table.state.hidden_counters == {}


# --- 7.1 morale ------------------------------------------------------------------------------------------------

WITH_MORALE = (*ADVANCED_RULES, "morale")


def checks(findings: Any, rule: str) -> list[str]:
    return [str(one.inputs["unit"]) for one in every(findings) if one.rule == rule and "unit" in one.inputs]


@pytest.mark.rule("7.1.2", editions=("2016",))
def test_7_1_2_the_target_of_hand_to_hand_combat_checks_its_morale():
    """Item 3 of the list makes the target of an overrun, close assault or hand-to-hand attack check its morale."""
    attacker = a_leg("g1", "C6", SQUAD, **MOVE)
    target, gone = a_leg("s1", "C5", SOVIET), a_leg("s9", "K9", SOVIET, status=Status.ELIMINATED)
    table = an_advanced_table(
        attacker, target, gone, edition="2016", scenario={"rules": WITH_MORALE}, dice=[1, 99, 1, 99, 99, 99],
        notes={COHESION: {"german": 9, "soviet": 1}},
    )  # fmt: skip
    played = play(table, assault("s1", "g1"))
    assert_rule(played.findings, "7.1.2", inputs={"unit": "s1", "reasons": ["attacked"]})
    assert target.alive and checks(played.findings, "7.1.2") == ["s1"]
    assert not target.under_fire  # 6.8.3.1.2: that is not fire


@pytest.mark.rule("7.1.3", editions=("2016",))
def test_7_1_3_a_flamethrower_in_hand_to_hand_combat_forces_a_check():
    attacker = a_leg("g1", "C6", SQUAD, weapons=("german_flamethrower",), **MOVE)
    target = a_leg("s1", "C5", SOVIET)
    table = an_advanced_table(
        attacker, target, edition="2016", scenario={"rules": WITH_MORALE}, dice=[1, 99, 1, 99, 99, 99],
        notes={COHESION: {"german": 9, "soviet": 9}},
    )  # fmt: skip
    played = play(table, assault("s1", "g1"))
    assert target.alive
    assert_rule(played.findings, "7.1.3", inputs={"unit": "s1", "reasons": ["flamethrower"]})


@pytest.mark.rule("6.6.10")
@pytest.mark.parametrize(("sign", "forced"), [(".", ["g1"]), ("B", [])])
def test_7_1_3_an_overrun_forces_no_check_inside_a_building(sign, forced):
    squad = a_leg("g1", "C8", SQUAD, command=Command.NO_COMMAND)
    tank = a_tank("s1", "C9", "t34_76", facing=1, command=Command.MOVE)
    dice = [99, 99, 3, 99] if sign == "B" else [3, 99, 99]
    table = a_field(
        squad, tank, signs={"C8": sign}, dice=[*dice, *[99] * 5], edition="2016", scenario={"rules": WITH_MORALE},
        sides=("german", "soviet"), first="german", notes={COHESION: {"german": 9, "soviet": 9}},
    )  # fmt: skip
    played = moves(table, "s1", "overrun:g1")
    assert_rule(played.findings, "6.6.10", inputs={"target": "g1"})
    assert checks(played.findings, "7.1.3") == forced


# --- 6.6.7.2, 4.6.1 one unit under another's counter -----------------------------------------------------------


def a_lorry(command: Command, **more: Any) -> tuple[Unit, Unit, Unit]:
    truck = a_tank("g1", "C3", "opel", command=command, **more)
    return truck, a_leg("g2", "C3", SQUAD, aboard="g1"), a_leg("s1", "C5", SOVIET)


def fire_from(table: Any) -> Any:
    declared = {"target": "s1", "firers": [["g2", 0, "gp"]]}
    return run_step(table, direct_fire_step(table, "german"), {"fire": [declared, None]})


@pytest.mark.rule("4.6.1/unused", effect=True)
@pytest.mark.rule("4.6.1")
def test_4_6_1_the_fire_of_its_passengers_carries_out_a_truck_s_command():
    truck, squad, enemy = a_lorry(Command.FIRE)
    table = an_advanced_table(truck, squad, enemy, dice=[50], turn=1)
    fire_from(table)
    assert truck.marker is Spot.FIRE and truck.pending_small_arms
    take_in_commands(table)
    assert_rule(table.findings, "4.6.1", result="revealed")
    assert not [one for one in every(table.findings) if one.rule == "4.6.1/unused"]
    assert (truck.spot, truck.small_arms) == (Spot.FIRE, True)


def test_7_24_the_fire_of_its_passengers_betrays_a_camouflaged_truck():
    truck, squad, enemy = a_lorry(Command.FIRE, flags=(CAMOUFLAGED,))
    rules = {"rules": (*ADVANCED_RULES, "camouflage")}
    table = an_advanced_table(truck, squad, enemy, dice=[50], turn=1, scenario=rules)
    fire_from(table)
    assert CAMOUFLAGED not in truck.flags


# --- 7.22.1 slots ----------------------------------------------------------------------------------------------


@pytest.mark.rule("7.22.1", editions=("2016",))
@pytest.mark.parametrize("slot", [0, 1])
def test_7_22_1_smoke_by_hand_stands_for_small_arms_whatever_slot_is_named(slot):
    squad = a_leg("g1", "C3", SQUAD, weapons=("german_hmg",), command=Command.FIRE)
    scenario = {"rules": (*ADVANCED_RULES, "infantry_smoke")}
    table = an_advanced_table(squad, a_leg("s1", "C5", SOVIET), edition="2016", scenario=scenario, dice=[5], turn=1)
    ask = run_step(table, direct_fire_step(table, "german"), {"fire": [None]}).asks[0]
    squad.revealed = False
    answer = check_fire(table, ask, {"target": "C3", "firers": [["g1", slot, "smoke"]]})
    assert answer["firers"][0][:3] == ["g1", 0, "smoke"]
    both = {"target": "C3", "firers": [["g1", slot, "smoke"], ["g1", 0, "gp", "s1"]]}
    with pytest.raises(Exception, match="once"):
        check_fire(table, ask, both)
    beside = {"target": "C3", "firers": [["g1", slot, "smoke"], ["g1", 1, "gp", "s1"]]}
    assert len(check_fire(table, ask, beside)["firers"]) == 2
    played = run_step(table, direct_fire_step(table, "german"), {"fire": [answer, None]})
    assert_rule(played.findings, "7.22.1", result="smoke")
    assert (squad.pending, squad.pending_small_arms) == (Spot.FIRE, True)
