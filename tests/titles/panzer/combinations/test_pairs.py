"""Pairs of rules that meet in one situation; each answer was worked out by hand from the book."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import (
    a_gun,
    a_leg,
    a_tank,
    a_unit,
    advanced_data,
    an_advanced_state,
    an_advanced_table,
)
from titles.panzer.advanced.marching import a_field, moves
from titles.panzer.advanced.marching import refused as move_refused
from titles.panzer.artillery.missions import a_call, objections, step
from titles.panzer.artillery.missions import a_table as a_battery_table
from titles.panzer.artillery.test_observers import mortar
from titles.panzer.builders import a_board, a_hex
from titles.panzer.close_combat.melees import assault, play
from titles.panzer.movement.test_movement_advanced import with_entry
from titles.panzer.movement.test_second_roads import a_barrage

from pbem.titles.panzer.air.air_attacks import is_hidden
from pbem.titles.panzer.air.anti_aircraft import is_shut_in
from pbem.titles.panzer.artillery.observers import firer_objections as indirect_objections
from pbem.titles.panzer.artillery.observers import firer_of, observer_objections, observer_of
from pbem.titles.panzer.artillery.response import Responding, friends_in_danger, response_modifiers
from pbem.titles.panzer.cards.ammunition import supply
from pbem.titles.panzer.close_combat.close_combat import dismount_objections
from pbem.titles.panzer.close_combat.overrun import overrun_factor, overrun_objections
from pbem.titles.panzer.command.command_control import active_units
from pbem.titles.panzer.damage.bail_out import bail_out_checks
from pbem.titles.panzer.damage.effects import brew_up, destroy_building
from pbem.titles.panzer.end_of_turn.adjustment import recovery_modifiers
from pbem.titles.panzer.end_of_turn.digging import dig_objections
from pbem.titles.panzer.fire.aiming import Occasion, legal_shots
from pbem.titles.panzer.fire.gp_defence import gp_defence, occupied_terrain
from pbem.titles.panzer.fire.overwatch import watcher_objections
from pbem.titles.panzer.movement.steps.route_following import follow
from pbem.titles.panzer.movement.steps.unit_steps import mover_of, start
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import BOUND, Command, Damage, Feature, Inside, Marker, Mission, Spot

SQUAD, SOVIET, SECTION = "german_rifle_squad", "soviet_rifle_squad", "german_section"
MOVE: dict[str, Any] = {"command": Command.MOVE}


def with_rules(*names: str) -> tuple[str, ...]:
    return (*ADVANCED_RULES, *names)


# --- 6.5.1.9 a mission that ends by itself -----------------------------------------------------------------------


@pytest.mark.rule("6.5.1.9")
def test_6_5_1_9_an_observer_that_was_told_to_fire_fires_though_its_mission_is_checked():
    """L2239-2241: units of a checked mission join no other indirect fire this turn, but may use direct fire."""
    table = a_battery_table(dice=[9, 50], labels=("chq",))
    step(table, a_call("C10", "gb1"))
    table.state.turn += 1
    observer = table.state.vehicles["g1"]
    observer.command, observer.revealed = Command.FIRE, False
    step(table)
    assert_rule(table.findings, "6.5.1.9", inputs={"why": "not-observed"}, result="checked")
    target = a_leg("s5", "C5", SOVIET)
    table.state.vehicles["s5"] = target
    table.state.spotted["g1"] = ["s5"]
    assert legal_shots(Occasion(table, "german"), observer), "its Fire has not been used"


@pytest.mark.rule("6.5.1.9")
def test_6_5_1_9_the_observer_of_a_checked_mission_calls_no_other():
    table = a_battery_table(dice=[9, 50])
    step(table, a_call("C10", "gb1"))
    table.state.turn += 1
    table.state.vehicles["g1"].revealed = False
    [mission] = table.state.missions
    step(table, {"do": "check", "mission": mission})
    assert_rule(objections(table, a_call("C10", "gb1")), "6.5.1.9")


# --- 6.2.1.1.4, 6.5.1 a shared Overwatch and an observer ---------------------------------------------------------


@pytest.mark.rule("6.2.1.1.4/overwatch")
@pytest.mark.parametrize("holder", ["g1", "g2"])
def test_6_5_1_whoever_holds_a_shared_overwatch_it_is_used_once_one_of_them_observes(holder: str):
    """The group's one counter is revealed for all; members that do not act at that moment lose their chance."""
    squad = a_leg("g2", "C3", SQUAD, command=Command.OVERWATCH)
    table = a_battery_table(squad, a_tank("s1", "C10", "t34_76"), dice=[9, 50])
    units = table.state.vehicles
    units["g2" if holder == "g1" else "g1"].shares = holder
    step(table, a_call("C10", "gb1"))
    assert units["g1"].revealed and units["g2"].revealed
    assert_rule(list(watcher_objections(table, units["g2"])), "6.2.1.1.4/overwatch")


# --- 6.6.7.2 a carrier whose command is used ---------------------------------------------------------------------


@pytest.mark.rule("6.6.7.2")
def test_6_6_7_2_a_passenger_does_not_observe_under_an_overwatch_that_its_carrier_has_used():
    """6.7.4.1.1: the carrier has fired at an aircraft, so the Overwatch its passengers share is used."""
    data = advanced_data()
    table = a_battery_table()
    observer = table.state.vehicles["g1"]
    carrier = a_tank("g2", "C3", "spw251", command=Command.OVERWATCH, revealed=True, used_up=1)
    table.state.vehicles["g2"] = carrier
    observer.aboard, observer.command = "g2", None
    found = observer_of(data, observer)
    assert found is not None
    assert_rule(list(observer_objections(table.state, found)), "6.6.7.2")


# --- 7.25 a weapon that is out of order --------------------------------------------------------------------------


@pytest.mark.parametrize("flag", ["jammed", "ruined"])
def test_7_25_a_broken_weapon_does_not_overrun(flag: str):
    """A broken weapon cannot be used in an overrun: only the machine guns count, and without them nothing."""
    data = advanced_data(edition="2016", rules=with_rules("malfunction"))
    tank, squad = a_tank("s1", "C8", "t34_76", **MOVE), a_leg("g1", "C5", SQUAD, command=Command.OVERWATCH)
    state = an_advanced_state(tank, squad, phase="movement")
    whole = overrun_factor(Situation(data, state), tank)
    tank.flags = (f"{flag}-0",)
    broken = overrun_factor(Situation(data, state), tank)
    assert broken.result < whole.result
    tank.flags = tuple(f"{flag}-{number}" for number in range(4))
    assert_rule(
        list(overrun_objections(Situation(data, state), tank, squad)),
        "6.6.10",
        why="only vehicles with a GP weapon can overrun",
    )


@pytest.mark.rule("7.25")
def test_7_25_a_broken_mortar_answers_no_call():
    data = advanced_data(edition="2016", rules=with_rules("malfunction"))
    unit = mortar(data, "g2", "C4")
    state = an_advanced_state(unit, a_tank("s1", "C10", "t34_76"), spotted={})
    firer = firer_of(Situation(data, state), "g2")
    assert firer is not None
    assert list(indirect_objections(Situation(data, state), firer, a_hex("C10"))) == []
    unit.flags = ("jammed-1",)
    assert_rule(list(indirect_objections(Situation(data, state), firer, a_hex("C10"))), "7.25")


# --- 7.7 what a unit has not noticed -----------------------------------------------------------------------------


def test_7_7_a_vehicle_does_not_overrun_what_it_has_overlooked():
    """6.6.10: the vehicle itself must have spotted the unit before it moves; under 7.7 noticed it, or be adjacent."""
    data = advanced_data(edition="2016", rules=with_rules("limited_spotting"))
    tank, squad = (
        a_tank("s1", "C7", "t34_76", **MOVE),
        a_leg("g1", "C5", SQUAD, command=Command.OVERWATCH, spot=Spot.FIRE),
    )
    state = an_advanced_state(tank, squad, phase="movement")
    assert list(overrun_objections(Situation(data, state), tank, squad)) == []
    state.spotted = {}
    assert_rule(
        list(overrun_objections(Situation(data, state), tank, squad)),
        "6.6.10",
        why="the vehicle does not spot g1 before it moves",
    )
    squad.hex = a_hex("C6")
    assert list(overrun_objections(Situation(data, state), tank, squad)) == []


def test_7_7_nobody_dismounts_to_attack_what_was_overlooked():
    data = advanced_data(edition="2016", rules=with_rules("limited_spotting"))
    truck, squad = a_tank("g1", "C8", "spw251", **MOVE), a_leg("g2", "C8", SQUAD, aboard="g1")
    target = a_leg("s1", "C5", SOVIET, command=Command.OVERWATCH, spot=Spot.FIRE)
    state = an_advanced_state(truck, squad, target, phase="movement")
    assert list(dismount_objections(Situation(data, state), squad, target, a_hex("C6"))) == []
    state.spotted = {}
    assert any(
        "spots s1" in one.english for one in dismount_objections(Situation(data, state), squad, target, a_hex("C6"))
    )
    state.spotted = {"g1": ["s1"]}
    assert list(dismount_objections(Situation(data, state), squad, target, a_hex("C6"))) == [], (
        "its carrier has noticed it"
    )


# --- 6.6.11 one counter, one target ------------------------------------------------------------------------------


@pytest.mark.rule("6.6.11")
def test_6_6_11_passengers_attack_under_their_carrier_s_counter():
    """L3821: units under one Move attack the same unit; passengers are no exception."""
    data = advanced_data()
    tank = a_tank("g1", "C9", "pz4h", **MOVE, attacking="s2")
    truck = a_tank("g2", "C8", "opel", **MOVE, shares="g1")
    squad = a_leg("g3", "C8", SQUAD, aboard="g2")
    one = a_leg("s1", "C5", SOVIET, command=Command.OVERWATCH, spot=Spot.FIRE)
    other = a_leg("s2", "D6", SOVIET, command=Command.OVERWATCH, spot=Spot.FIRE)
    state = an_advanced_state(tank, truck, squad, one, other, phase="movement", notes={BOUND: {"g1 s2": 1}})
    assert_rule(list(dismount_objections(Situation(data, state), squad, one, a_hex("C6"))), "6.6.11")
    assert list(dismount_objections(Situation(data, state), squad, other, a_hex("D7"))) == []


@pytest.mark.rule("6.6.11")
def test_6_6_11_a_vehicle_overruns_what_the_passengers_of_its_group_attack_and_nothing_else():
    data = advanced_data()
    tank = a_tank("g1", "C9", "pz4h", **MOVE)
    truck = a_tank("g2", "C8", "opel", **MOVE, shares="g1", moved=True)
    squad = a_leg("g3", "C8", SQUAD, aboard="g2", attacking="s2")
    one = a_leg("s1", "C6", SOVIET, command=Command.OVERWATCH, spot=Spot.FIRE)
    other = a_leg("s2", "D6", SOVIET, command=Command.OVERWATCH, spot=Spot.FIRE)
    state = an_advanced_state(tank, truck, squad, one, other, phase="movement", notes={BOUND: {"g1 s2": 1}})
    assert_rule(list(overrun_objections(Situation(data, state), tank, one)), "6.6.11")
    assert list(overrun_objections(Situation(data, state), tank, other)) == []


# --- 7.1, 6.6.1.1 nerves fail on the way to the enemy -----------------------------------------------------------


@pytest.mark.parametrize("flag", ["hesitating-on", "broken-on"])
def test_7_1_5_who_loses_heart_on_the_way_attacks_no_more(flag: str):
    """6.6.1.1: an attacker must not be hesitating or broken; the check follows the mines or the fire on the way."""
    squad = a_leg("g1", "C7", SQUAD, **MOVE)
    table = an_advanced_table(
        squad, a_tank("s1", "C5", "t34_76", command=Command.NO_COMMAND), dice=[1], edition="2016"
    )

    def lose_heart(ask: Any) -> None:
        squad.flags = (flag,)

    played = play(table, assault("s1", ("g1", "C6")), overwatch=lose_heart)
    if not played.asked("overwatch"):
        pytest.fail("there was no window")
    assert any(one.result == "drops-out" for one in every(played.findings))
    assert table.state.vehicles["s1"].alive


# --- 6.6.7.1.2 emergencies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [Command.FIRE, Command.OVERWATCH, Command.NO_COMMAND])
def test_6_6_7_1_2_nobody_jumps_off_a_vehicle_that_stands(command: Command):
    """L3664: passengers jump off only from a vehicle on Move or Short Halt; from any other vehicle they dismount."""
    truck, squad = a_tank("g1", "C8", "opel", command=command), a_leg("g2", "C8", SQUAD, aboard="g1")
    table = a_field(truck, squad)
    assert_rule(move_refused(table, "g1", "bail:g2:3", "stay"), "6.6.7.1.1")


# --- 6.5.2.6.2, 6.1.4.3.9 where a passenger cannot be ------------------------------------------------------------


@pytest.mark.rule("6.5.2.6.2", effect=True)
@pytest.mark.parametrize(("card", "kind", "alive"), [("pak38", "towed", False), (SQUAD, "leg", True)])
def test_6_5_2_6_2_a_gun_that_has_to_leave_its_vehicle_among_rubble_is_lost(card: str, kind: str, alive: bool):
    """6.1.4.3.9: a gun cannot be in rubble and is lost; a leg unit can climb out into the rubble and survives."""
    rubble = {"f1": Feature(id="f1", type="brick_rubble", hex=a_hex("C5"), known=("german", "soviet"))}
    carrier, rider = a_tank("g1", "C5", "spw251", **MOVE), a_unit("g2", "C5", card, kind, aboard="g1")
    table = an_advanced_table(
        carrier, rider, a_tank("s1", "F9", "t34_76"), board=a_board(signs={"C5": "B"}), features=rubble, dice=[1]
    )
    bail_out_checks(table, carrier, ["damaged"])
    assert carrier.bailed_out and rider.alive is alive


def test_5_2_1_a_portee_gun_comes_off_only_where_a_gun_in_tow_would():
    """6.6.7.1.1: the gun cannot come off in a hex with an enemy squad, through which the truck may only pass."""
    portee = a_tank("b1", "C9", "portee_2pdr", facing=1, **MOVE)
    foe = a_leg("i1", "C8", "italian_bersaglieri_squad", command=Command.NO_COMMAND)
    table = an_advanced_table(portee, foe, sides=("italian", "british"))
    mover = mover_of(table, portee)
    strides, objections_ = follow(mover, start(mover, "cross"), ["f", "unload:1", "f"])
    assert len(strides) == 1
    assert_rule(objections_, "5.2.1", why="there is an enemy in C8")
    foe.hex = a_hex("H9")
    mover = mover_of(table, portee)
    assert len(follow(mover, start(mover, "cross"), ["f", "unload:1"])[0]) == 2


# --- 6.1.4.3.1, 6.7 on a roof in the desert ----------------------------------------------------------------------


@pytest.mark.parametrize(("desert", "shut_in"), [(True, False), (False, True)])
def test_6_7_4_1_1_whoever_is_on_a_roof_sees_aircraft_and_is_seen_by_them(desert: bool, shut_in: bool):
    """L4021 and L3921 restrict units inside buildings; a top floor counts as inside, but a roof does not."""
    data = advanced_data(a_board(signs={"C5": "B"}, storeys={"C5": 2}), desert_buildings=desert)
    section = a_leg("g1", "C5", SECTION, weapons=("german_hmg",), inside=Inside.UP)
    state = an_advanced_state(section)
    assert is_shut_in(Situation(data, state), section) is shut_in
    assert is_hidden(Situation(data, state), section) is shut_in


# --- 6.6.6, 7.31.2 however one comes to a hex --------------------------------------------------------------------


def test_6_6_6_who_crawls_into_a_barrage_is_attacked_as_one_who_crawls():
    """6.6.4.3: the unit gets the +10 for crawling, but not the -2 for moving."""
    table = a_field(a_leg("g1", "C9", SQUAD, full_cover=True, **MOVE), missions=a_barrage("C8"), turn=1, dice=[1])
    moves(table, "g1", "1", "crawl")
    rules = {one.rule for one in every(table.findings)}
    assert {"6.6.6", "6.5.4.3/leg-crawling"} <= rules and "6.5.4.2.2/moving" not in rules
    assert table.state.vehicles["g1"].full_cover


def test_6_6_6_a_reinforcement_comes_in_through_a_barrage():
    """The edge hex where a reinforcement enters counts as a new hex inside the barrage."""
    table = with_entry(a_tank("g1", None, "pz4h", **MOVE), hex="A9", missions=a_barrage("A9"), turn=1, dice=[50] * 4)
    moves(table, "g1", "enter:A9:2")
    assert_rule(table.findings, "6.6.6", inputs={"unit": "g1", "hex": "A9"})


def test_6_6_6_a_change_of_floor_is_no_change_of_hex():
    house: dict[str, Any] = {"signs": {"C8": "B"}, "board": {"storeys": {"C8": 2}}}
    table = a_field(a_leg("g1", "C8", SQUAD, **MOVE), missions=a_barrage("C8"), turn=1, **house)
    moves(table, "g1", "up")
    assert "6.6.6" not in {one.rule for one in every(table.findings)}


def test_6_6_7_1_1_a_passenger_suppressed_under_way_does_not_get_off_into_the_next_hex():
    """A suppressed squad may dismount only in the vehicle's hex, so the order is dropped and it stays aboard."""
    truck, squad = a_tank("g1", "C9", "opel", facing=1, **MOVE), a_leg("g2", "C9", SQUAD, aboard="g1")
    table = a_field(truck, squad, a_tank("s1", "H9", "t34_76", command=Command.OVERWATCH))

    def hit(ask: Any) -> None:
        squad.suppression = Marker.ON

    moves(table, "g1", "dismount:g2:C8:1", answers={"overwatch": hit})
    assert squad.aboard == "g1"


def test_6_5_2_2_1_passengers_get_off_a_vehicle_whose_track_was_hit():
    """The vehicle can no longer move, but its Move still allows passengers to dismount in its hex."""
    truck, squad = a_tank("g1", "C9", "opel", track_hit=True, **MOVE), a_leg("g2", "C9", SQUAD, aboard="g1")
    table = a_field(truck, squad)
    moves(table, "g1", "dismount:g2:C9:1")
    assert not squad.aboard


# --- 6.1.4.2, 6.6.1.1.3 full cover -------------------------------------------------------------------------------


@pytest.mark.parametrize("goes", [True, False])
def test_6_6_1_1_3_who_goes_into_the_vacated_hex_leaves_full_cover(goes: bool):
    squad = a_leg("g1", "C6", SQUAD, full_cover=True, **MOVE)
    table = an_advanced_table(squad, a_tank("s1", "C5", "zis5", bailed_out=True), dice=[9])
    play(table, assault("s1", "g1"), advance=[["g1"] if goes else []])
    assert (squad.hex == a_hex("C5")) is goes and squad.full_cover is not goes


# --- 6.5.4.4.3, 6.5.2.5 everything in one hex ----------------------------------------------------------------------


def test_6_5_4_4_3_a_falling_house_takes_those_upstairs_and_those_aboard_in_the_alley():
    upstairs = a_leg("g1", "C5", SQUAD, inside=Inside.UP)
    truck, rider = a_tank("g2", "C5", "opel"), a_leg("g3", "C5", SQUAD, aboard="g2")
    table = an_advanced_table(upstairs, truck, rider, board=a_board(signs={"C5": "B"}, storeys={"C5": 3}))
    destroy_building(table, a_hex("C5"), "brick_building")
    assert not any(unit.alive for unit in (upstairs, truck, rider))
    assert table.state.wrecks == {}


def test_6_5_2_5_a_vehicle_that_brews_up_shocks_its_hex_but_for_those_under_cover():
    """Friendly units upstairs and in an open lorry are suppressed; passengers of an armoured vehicle are not."""
    burns = a_tank("g1", "C5", "pz4h")
    upstairs = a_leg("g2", "C5", SQUAD, inside=Inside.UP)
    lorry, on_it = a_tank("g3", "C5", "opel"), a_leg("g4", "C5", SQUAD, aboard="g3")
    armoured, in_it = a_tank("g5", "C5", "spw251"), a_leg("g6", "C5", SQUAD, aboard="g5")
    table = an_advanced_table(
        burns, upstairs, lorry, on_it, armoured, in_it, board=a_board(signs={"C5": "B"}, storeys={"C5": 3})
    )
    brew_up(table, burns)
    shocked = [unit.id for unit in table.state.vehicles.values() if unit.suppressed]
    assert shocked == ["g2", "g3", "g4", "g5"]


# --- 5.15 nobody is left in it -------------------------------------------------------------------------------------


def test_5_15_an_abandoned_vehicle_neither_holds_an_objective_nor_answers_anything():
    data = advanced_data()
    left = a_tank("g1", "C5", "pz4h", bailed_out=True)
    state = an_advanced_state(left, a_tank("s1", "C9", "t34_76"))
    assert not data.armed(left)
    assert legal_shots(Occasion(Situation(data, state), "german"), left) == []
    assert_rule(
        list(overrun_objections(Situation(data, state), left, a_leg("s2", "C6", SOVIET))),
        "6.6.10",
        why="the vehicle cannot move",
    )


def test_5_16_2_4_an_abandoned_carrier_supplies_nobody():
    """A-46: a gun whose carrier is abandoned has lost its supply, at any distance."""
    data = advanced_data()
    gun = a_gun("g1", "C5", "pak38", transport="g2", command=Command.FIRE)
    truck = a_tank("g2", "C5", "sdkfz10")
    state = an_advanced_state(gun, truck, a_tank("s1", "C9", "t34_76"))
    assert supply(Situation(data, state), gun).result
    truck.bailed_out = True
    assert not supply(Situation(data, state), gun).result


# --- 6.8 the end of the turn ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "rows"), [(Command.FIRE, ["had_command"]), (Command.NO_COMMAND, [])])
def test_6_8_3_1_1_a_passenger_recovers_under_the_command_of_its_carrier(command: Command, rows: list[str]):
    truck, squad = a_tank("g1", "C5", "opel", command=command), a_leg("g2", "C5", SQUAD, aboard="g1")
    table = an_advanced_table(truck, squad)
    assert [row.when for row in recovery_modifiers(table, squad)] == rows
    squad.under_fire = True
    assert [row.when for row in recovery_modifiers(table, squad)] == [*rows, "under_fire"]


def test_6_6_8_a_digger_that_is_suppressed_by_a_burning_neighbour_makes_no_progress():
    """6.5.2.5: a brew-up suppresses the digger's hex, and digging is judged at the end of the turn."""
    squad = a_leg("g1", "C5", SQUAD, full_cover=True, command=Command.NO_COMMAND)
    table = an_advanced_table(squad, a_tank("g2", "C5", "pz4h"))
    assert list(dig_objections(table, squad)) == []
    brew_up(table, table.state.vehicles["g2"])
    assert_rule(list(dig_objections(table, squad)), "6.6.8", why="the unit is suppressed")


# --- 6.5.1 observers and friends -----------------------------------------------------------------------------------


@pytest.mark.rule("6.5.1.10", effect=True)
def test_6_5_1_10_passengers_are_in_danger_with_their_carrier_and_not_twice():
    """A-69: one counter on the map is one unit onto which stray fire can fall."""
    truck, squad = a_tank("g1", "C8", "opel"), a_leg("g2", "C8", SQUAD, aboard="g1")
    state = an_advanced_state(truck, squad, a_tank("s1", "C10", "t34_76"))
    assert friends_in_danger(Situation(advanced_data(), state), "german", a_hex("C10")) == ["g1"]


@pytest.mark.rule(
    "6.5.1.12.1",
    "6.5.1.12.1/observer-damaged",
    effect=True,
)
def test_6_5_1_12_1_the_damage_of_its_carrier_does_not_hinder_an_observer():
    table = a_battery_table()
    observer = table.state.vehicles["g1"]
    table.state.vehicles["g2"] = a_tank("g2", "C3", "spw251", command=Command.OVERWATCH, damage=Damage.HULL)
    observer.aboard, observer.command = "g2", None
    found, firer = observer_of(table.data, observer), firer_of(table, "gb1")
    assert found is not None and firer is not None
    mission = Mission(id="m1", side="german", observer="g1", point=a_hex("C10"))
    one = Responding(table, mission, found, firer, a_hex("C10"), again=False)
    assert "observer_damaged" not in [row.when for row, _ in response_modifiers(one)]


# --- 5.13, 6.5.4.2 protection --------------------------------------------------------------------------------------


@pytest.mark.rule("5.13", effect=True)
def test_5_13_in_a_crowded_wood_a_gun_loses_its_cover_and_a_squad_keeps_it():
    data = advanced_data(a_board(signs={"C5": "m"}))
    gun, squad = a_gun("g1", "C5", "pak38"), a_leg("g2", "C5", SQUAD)
    crowd = [a_tank(f"g{number}", "C5", "pz4h") for number in range(3, 8)]
    state = an_advanced_state(gun, squad, *crowd)
    alone = an_advanced_state(gun, squad)
    assert gp_defence(Situation(data, state), gun).result < gp_defence(Situation(data, alone), gun).result
    assert gp_defence(Situation(data, state), squad).result == gp_defence(Situation(data, alone), squad).result


@pytest.mark.parametrize(("inside", "attacked"), [(Inside.NO, []), (Inside.BUILDING, ["brick_building"])])
def test_6_5_4_2_5_fire_at_a_tank_shakes_the_house_only_if_it_is_inside(inside: Inside, attacked: list[str]):
    data = advanced_data(a_board(signs={"C5": "B"}))
    tank = a_tank("g1", "C5", "pz4h", inside=inside)
    state = an_advanced_state(tank)
    assert [ground.type for ground in occupied_terrain(Situation(data, state), tank)] == attacked


def test_6_5_4_2_5_fire_at_a_squad_on_a_desert_roof_shakes_the_house_below():
    data = advanced_data(a_board(signs={"C5": "B"}), desert_buildings=True)
    squad = a_leg("g1", "C5", SQUAD, inside=Inside.UP)
    assert [ground.type for ground in occupied_terrain(Situation(data, an_advanced_state(squad)), squad)] == [
        "brick_building"
    ]


# --- 6.2.1.1 who is active -----------------------------------------------------------------------------------------


def test_6_2_1_1_neither_passengers_nor_abandoned_vehicles_nor_recon_bring_commands():
    data = advanced_data()
    units = [
        a_tank("g1", "C5", "pz4h", track_hit=True, suppression=Marker.ON),
        a_tank("g2", "C5", "pz4h", bailed_out=True),
        a_tank("g3", "C5", "pz4h", labels=("recon",)),
        a_tank("g4", "C9", "spw251"),
        a_leg("g5", "C9", SQUAD, aboard="g4"),
        a_tank("g6", "C9", "opel"),
        a_tank("g7", "K9", "opel"),
    ]
    assert active_units(Situation(data, an_advanced_state(*units)), "german") == ["g1", "g4", "g6"]


# --- 6.6.9, 7.29 ---------------------------------------------------------------------------------------------------


def test_7_31_2_a_passenger_that_jumps_off_in_a_minefield_is_attacked_though_its_vehicle_was():
    """6.6.7.1.2: barrages do not attack a passenger that jumps off, but mines do."""
    truck, squad = a_tank("g1", "C9", "opel", facing=1, **MOVE), a_leg("g2", "C9", SQUAD, aboard="g1")
    mines = Feature(id="f1", type="hasty_mines", hex=a_hex("C8"), side="soviet", of="personnel", known=("soviet",))
    table = a_field(truck, squad, features=[mines], dice=[50], scenario={"rules": with_rules("minefields")})
    moves(table, "g1", "f bail:g2:1")
    assert_rule(table.findings, "7.31.2", inputs={"unit": "g2", "hex": "C8"})
    assert squad.suppressed or not squad.alive
