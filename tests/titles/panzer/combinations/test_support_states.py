"""Indirect fire and aircraft with units that are abandoned, used up or knocked out; worked out from the book."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_leg, a_tank, an_advanced_table
from titles.panzer.air.test_air import a_table as an_air_table
from titles.panzer.air.test_air import fly, over, plot
from titles.panzer.artillery.test_indirect_fire import a_call, a_table, legal, objections, step
from titles.panzer.artillery.test_observers import a_battery, mortar
from titles.panzer.builders import a_board, a_hex, run_step

from pbem.engine.rules.findings import seen_by
from pbem.titles.panzer.air.air_attacks import may_acquire, observer_for
from pbem.titles.panzer.air.anti_aircraft import guns_able_to_fire, shoot_down
from pbem.titles.panzer.artillery.indirect_fire import indirect_fire_step
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.sighting.hidden_units import make_counter
from pbem.titles.panzer.state import Command, Leg, PlannedFire, Status, Unit

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"


def an_observing_tank(**more: Any) -> Unit:
    return a_tank("g5", "C4", "pz4h", labels=("fo",), command=Command.OVERWATCH, **more)


# --- 5.15 a crew that has left ------------------------------------------------------------------------------------


@pytest.mark.parametrize("left", [False, True])
def test_5_15_an_abandoned_observer_calls_no_fire(left: bool):
    """The crew was driven out by the First Player, so its Overwatch cannot be used to call fire."""
    table = a_table(an_observing_tank(bailed_out=left), a_tank("s1", "C10", "t34_76"))
    call = a_call("C10", "gb1", observer="g5")
    if left:
        assert_rule(objections(table, call), "5.15")
    else:
        assert legal(table, call)


def test_5_15_the_mission_of_an_abandoned_observer_is_checked():
    table = a_table(an_observing_tank(), a_tank("s1", "C10", "t34_76"), dice=[9, 50])
    step(table, a_call("C10", "gb1", observer="g5"))
    table.state.turn += 1
    tank = table.state.vehicles["g5"]
    tank.used_up, tank.bailed_out = 0, True
    step(table)
    assert_rule(table.findings, "6.5.1.9", inputs={"why": "not-observed"}, result="checked")


def test_5_15_an_abandoned_mortar_carrier_answers_no_call():
    table = a_table(a_tank("s1", "C10", "t34_76"))
    data = table.data
    card = next(
        id for id, row in sorted(data.book.vehicles.items()) if any(mount.gun.indirect for mount in row.mounts)
    )
    table.state.vehicles["g7"] = a_tank("g7", "C2", card, facing=4, command=Command.FIRE)
    call = a_call("C10", "g7", sheaf="on_map")
    assert legal(table, call)
    table.state.vehicles["g7"].bailed_out = True
    assert_rule(objections(table, call), "5.15")


# --- 6.5.1 an Overwatch that was used for something else ----------------------------------------------------------


@pytest.mark.parametrize("used", ["aircraft", "anti-aircraft", "not"])
def test_6_7_3_1_2_who_has_used_its_overwatch_in_the_air_phase_sustains_no_mission(used: str):
    """L3931: an FO that spots for aircraft, or fires at them, cannot observe for indirect fire that turn."""
    table = a_table(dice=[9, 50, 50])
    step(table, a_call("C10", "gb1"))
    table.state.turn += 1
    observer = table.state.vehicles["g1"]
    if used != "not":
        observer.used_up = table.state.turn
    observer.air_target = "s1" if used == "aircraft" else ""
    [mission] = table.state.missions
    if used == "not":
        assert legal(table, {"do": "continue", "mission": mission, "type": "gp"})
        return
    assert objections(table, {"do": "continue", "mission": mission, "type": "gp"})
    step(table)
    assert_rule(table.findings, "6.5.1.9", inputs={"why": "not-observed"}, result="checked")


def test_6_5_1_two_observers_that_share_an_overwatch_observe_once():
    """Two observers that share an Overwatch have one counter, which is used once one of them observes."""
    other = a_leg("g2", "C3", "german_section", labels=("chq",), command=Command.OVERWATCH, shares="g1")
    table = a_table(other, a_tank("s1", "C10", "t34_76"), dice=[9, 50], batteries=[a_battery(), a_battery("gb2")])
    assert legal(table, a_call("C10", "gb2", observer="g2"))
    step(table, a_call("C10", "gb1"))
    assert_rule(objections(table, a_call("C10", "gb2", observer="g2")), "6.2.1.1.4/overwatch")


@pytest.mark.parametrize("fired", [False, True])
def test_6_7_3_1_2_a_passenger_spots_for_no_aircraft_once_its_carrier_has_fired(fired: bool):
    """The passenger shares its carrier's Overwatch, which may have been used by the second Air Phase."""
    signs = {"C10": "m"}
    table = an_air_table(a_tank("s1", "C10", "t34_76"), board=a_board(signs=signs))
    carrier = a_tank("g2", "C8", "spw251", command=Command.OVERWATCH, fired=fired, revealed=fired)
    watching = a_leg("g3", "C8", "german_section", labels=("fo",), aboard="g2")
    table.state.vehicles |= {"g2": carrier, "g3": watching}
    found = observer_for(table, "german", table.state.vehicles["s1"])
    assert (found is None) is fired


@pytest.mark.parametrize("fired", [False, True])
def test_6_7_3_1_2_a_shared_overwatch_that_was_fired_spots_for_no_aircraft(fired: bool):
    signs = {"C10": "m"}
    table = an_air_table(a_tank("s1", "C10", "t34_76"), board=a_board(signs=signs))
    tank = a_tank("g2", "C8", "pz4h", command=Command.OVERWATCH, fired=fired, revealed=fired)
    watching = a_leg(
        "g3", "C8", "german_section", labels=("fo",), command=Command.OVERWATCH, shares="g2", revealed=fired
    )
    table.state.vehicles |= {"g2": tank, "g3": watching}
    found = observer_for(table, "german", table.state.vehicles["s1"])
    assert (found is None) is fired


# --- 6.5.1.8.2 adjusting ------------------------------------------------------------------------------------------


def test_6_5_1_8_2_the_old_smoke_of_an_adjusted_mission_fades():
    """Smoke of turn n lasts until the end of turn n+1; the new counter does not renew the old smoke."""
    enemies = a_tank("s1", "C10", "t34_76"), a_tank("s2", "C13", "t34_76")
    table = a_table(*enemies, dice=[9, 1, 9, 1])
    step(table, a_call("C10", "gb1", type="smoke"))
    state = table.state
    [old] = state.clouds.values()
    before = set(old.hexes)
    state.turn += 1
    state.vehicles["g1"].used_up = 0
    [mission] = state.missions
    shift = {"do": "adjust", "mission": mission, "point": "C13", "firers": ["gb1"], "sheaf": "closed"}
    step(table, shift | {"direction": 0, "type": "smoke"})
    renewed = {
        hex
        for cloud in state.clouds.values()
        if cloud.marker.value == "on" and not cloud.fresh
        for hex in cloud.hexes
    }
    assert a_hex("C13") in renewed
    assert len(state.clouds) == 2 and set(old.hexes) == before
    open_one = state.clouds[max(state.clouds)]
    assert not open_one.open


def test_6_5_1_8_2_a_lost_mortar_no_longer_counts_among_the_sources():
    """An FO can call two sources; if one is lost, another battery may join the mission."""
    table = a_table(dice=[9, 9, 50, 50], batteries=[a_battery(), a_battery("gb2")])
    lost = mortar(table.data, "g4", "C2")
    table.state.vehicles["g4"] = lost
    step(table, a_call("C10", "gb1", "g4"))
    assert set(next(iter(table.state.missions.values())).firers) == {"gb1", "g4"}
    table.state.turn += 1
    table.state.vehicles["g1"].used_up = 0
    lost.status, lost.hex = Status.ELIMINATED, None
    [mission] = table.state.missions
    more = {"do": "adjust", "mission": mission, "point": "C10", "firers": ["gb1", "gb2"], "sheaf": "closed"}
    assert legal(table, more | {"direction": 0, "type": "gp"})


# --- 7.28.2 a battery that was knocked out ------------------------------------------------------------------------


def a_plan_under_way(**more: Any) -> Any:
    legs = tuple(Leg(a_hex("C9"), "gp", "closed") for _ in range(3))
    plan = PlannedFire(id="p1", side="german", battery="gb1", turn=1, legs=legs)
    return an_advanced_table(
        a_tank("g1", "A1"), a_tank("s1", "T20", "t34_76"), dice=[50] * 40, turn=1, planned={"p1": plan},
        batteries={"gb1": a_battery(**more)}, sides=("german", "soviet"),
        scenario={"rules": (*ADVANCED_RULES, "counter_battery")},
    )  # fmt: skip


def test_7_28_2_planned_fire_of_a_battery_that_is_knocked_out_ends():
    """The battery no longer fires; its barrage and the counter of its mission leave the map."""
    table = a_plan_under_way()
    run_step(table, indirect_fire_step(table, "german"), {"mission": [{"do": "arrive", "plan": "p1"}]})
    run_step(table, indirect_fire_step(table, "german", begun=True), {"mission": [None]})
    assert table.state.clouds and table.state.missions
    table.state.turn, table.state.batteries["gb1"].knocked_out = 2, True
    before = len(table.findings)
    run_step(table, indirect_fire_step(table, "german"), {"mission": [None]})
    assert "6.5.1.13" not in {found.rule for found in every(table.findings[before:])}
    assert not table.state.missions and not table.state.clouds


def test_7_28_2_planned_fire_of_a_knocked_out_battery_does_not_arrive():
    table = a_plan_under_way(knocked_out=True)
    assert_rule(objections(table, {"do": "arrive", "plan": "p1"}), "7.28.2")
    table.state.turn = 2
    run_step(table, indirect_fire_step(table, "german"), {"mission": [None]})
    assert not table.state.missions


@pytest.mark.rule("6.5.1.9", effect=True)
def test_6_5_1_9_the_barrage_of_the_last_mortar_ends_with_it():
    """No firer is left, so the mission is checked, and its barrage does not stay on the map forever."""
    table = a_table(dice=[9, 50], batteries=[])
    lost = mortar(table.data, "g4", "C2")
    table.state.vehicles["g4"] = lost
    step(table, a_call("C10", "g4", sheaf="on_map"))
    assert table.state.clouds
    table.state.turn += 1
    lost.status, lost.hex = Status.ELIMINATED, None
    table.state.vehicles["g1"].used_up = 0
    step(table)
    assert not table.state.missions and not table.state.clouds


# --- 6.7.4 a shared Overwatch that was fired ----------------------------------------------------------------------


@pytest.mark.parametrize("fired", [False, True])
def test_6_7_4_a_gun_whose_shared_overwatch_was_fired_at_the_ground_fires_at_no_aircraft(fired: bool):
    """6.2.1.1.4: once a shared Overwatch is carried out, every unit that shares it has used its own."""
    table = an_air_table(dice=[1] * 40)
    card = next(
        card
        for card, row in sorted(table.data.book.vehicles.items())
        if row.nation == "german" and any(mount.gun.aa for mount in row.mounts)
    )
    gun = a_tank("g2", "C12", card, facing=1, command=Command.OVERWATCH, revealed=fired)
    mate = a_tank("g3", "C12", "pz4h", command=Command.OVERWATCH, shares="g2", revealed=fired, fired=fired)
    table.state.vehicles |= {"g2": gun, "g3": mate}
    played = fly(table, plot(), **{"anti-aircraft": lambda ask: guns_able_to_fire(table, ask) or None})
    assert ("6.7.4" in [found.rule for found in played.findings]) is not fired


# --- 7.2, 6.7.3.1.2 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [False, True])
def test_7_2_the_enemy_is_not_told_which_hidden_fo_spots_for_an_aircraft(hidden: bool):
    """7.2.2.3: only fighting reveals a counter; an observer is named only to its own side."""
    target = a_tank("g1", "C10")
    watching = a_leg("s3", "C8", "soviet_section", labels=("fo",), command=Command.OVERWATCH)
    table = an_air_table(target, watching, board=a_board(signs={"C10": "m"}))
    if hidden:
        watching.flags = ("hidden",)
    assert may_acquire(table, table.state.aircraft["a1"], target)
    for seat, told in (("soviet", True), ("german", not hidden)):
        named = [found.inputs.get("observer") for found in every(seen_by(table.findings, seat))]
        assert ("s3" in named) is told, seat


def test_7_2_2_3_a_hidden_gun_that_fires_at_an_aircraft_is_revealed():
    """Any combat but indirect fire reveals the counter, with all units under it."""
    rules = {"rules": (*ADVANCED_RULES, "hidden_units")}
    table = an_air_table(dice=[50] * 40, scenario=rules)
    card = next(
        card
        for card, row in sorted(table.data.book.vehicles.items())
        if row.nation == "german" and any(mount.gun.aa for mount in row.mounts)
    )
    table.state.vehicles["g2"] = a_tank("g2", "C12", card, facing=1, command=Command.OVERWATCH)
    table.state.vehicles["g3"] = a_leg("g3", "C12", SQUAD, command=Command.NO_COMMAND)
    make_counter(table.state, "german", a_hex("C12"), ["g2", "g3"])
    played = fly(table, plot(), **{"anti-aircraft": lambda ask: guns_able_to_fire(table, ask) or None})
    assert "6.7.4" in [found.rule for found in played.findings]
    assert not table.state.hidden_counters
    assert not table.state.vehicles["g2"].hidden and not table.state.vehicles["g3"].hidden


def test_7_2_2_3_a_counter_onto_which_an_aircraft_crashes_is_revealed_first():
    """6.7.4.2.1: the crash attacks every ground unit in the hex, so the units under the counter are placed first."""
    table = an_air_table(dice=[2, *[50] * 40], scenario={"rules": (*ADVANCED_RULES, "hidden_units")})
    table.state.vehicles["g3"] = a_leg("g3", "C6", SQUAD)
    make_counter(table.state, "german", a_hex("C6"), ["g3"])
    over(table, "C5")
    run_step(table, shoot_down(table, table.state.aircraft["a1"]))
    assert not table.state.hidden_counters
