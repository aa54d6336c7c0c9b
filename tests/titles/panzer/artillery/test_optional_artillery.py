"""7.26-7.28, 7.37 Optional rules for artillery and bombs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_leg, a_tank
from titles.panzer.air import test_air
from titles.panzer.artillery.missions import a_call, a_table, legal, objections, step
from titles.panzer.artillery.test_observers import a_battery, mortar
from titles.panzer.builders import run_step

from pbem.engine.geometry.hexes import hex_name, parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal
from pbem.titles.panzer.artillery.artillery_options import (
    bombs_scatter,
    check_counter_battery,
    counter_battery_options,
    counter_battery_step,
    fire_at_battery,
    is_lit,
    located_by_fire,
    recover_batteries,
)
from pbem.titles.panzer.end_of_turn.victory import score
from pbem.titles.panzer.fire.gp_modifiers import Case, GpAttack, modifiers_that_apply
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import BatteryRow
from pbem.titles.panzer.sighting.spotting import explain_range, spots_now, spotters_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Marker, Spot


def playing(*rules: str, **more: Any) -> Any:
    return a_table(edition="2016", scenario={"rules": (*ADVANCED_RULES, *rules)}, **more)


# --- 7.26 ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.26", editions=("2016",))
def test_7_26_fire_that_just_answers_lands_off_its_target() -> None:
    for dice, landing in (([4, 6, 4, 1], "C11"), ([4, 7, 4, 1], "C12"), ([5, 1], "C10")):
        table = playing("scatter", dice=dice, batteries=[a_battery(attachment="organic")])
        played = step(table, a_call("C10", "gb1"))
        [mission] = table.state.missions.values()
        assert hex_name(mission.landed[0].point) == landing
        if landing == "C10":
            assert "7.26" not in [finding.rule for finding in every(played.findings)]
        else:
            assert_rule(played.findings, "7.26", inputs={"from": "C10", "direction": 4}, result=landing)


@pytest.mark.rule("7.26", editions=("2016",))
def test_7_26_the_hex_where_it_lands_is_the_new_target_point() -> None:
    """L4802: after scatter the mission continues from the new point if its observer sees it."""
    table = playing("scatter", dice=[4, 6, 4, 1], batteries=[a_battery(attachment="organic")])
    played = step(table, a_call("C10", "gb1"))
    assert_rule(played.findings, "7.26", result="C11")
    [mission] = table.state.missions.values()
    assert hex_name(mission.point) == "C11"
    two = [a_battery("gb1", attachment="organic"), a_battery("gb2", attachment="organic")]
    table = playing("scatter", dice=[4, 6, 4, 9, 1, 1], batteries=two)
    step(table, a_call("C10", "gb1", "gb2"))
    [mission] = table.state.missions.values()
    assert hex_name(mission.point) == "C10" and [hex_name(one.point) for one in mission.landed] == ["C11", "C10"]


def test_7_26_beyond_the_map_it_is_lost() -> None:
    units = a_tank("s1", "C1", "t34_76"), a_tank("s2", "C10", "t34_76")
    table = playing("scatter", dice=[4, 7, 1], batteries=[a_battery(attachment="organic")])
    table.state.vehicles |= {unit.id: unit for unit in units}
    table.state.spotted["g1"] = ["s1"]
    played = step(table, a_call("C1", "gb1"))
    assert table.state.missions == {}
    assert_rule(played.findings, "6.5.1.12", result="responds")
    assert located_by_fire(table.state, "german") == ["gb1"]  # 7.28.1: it has answered a call


def test_7_26_a_mortar_whose_bomb_lands_beyond_the_map_has_fired_all_the_same() -> None:
    """6.5.1: a unit that fires gets Spot/Fire at once, wherever its fire lands."""
    table = playing("scatter", dice=[2, 7, 1])
    units = a_tank("s1", "C1", "t34_76"), mortar(table.data, "g2", "J3")
    table.state.vehicles |= {unit.id: unit for unit in units}
    table.state.spotted |= {"g1": ["s1"], "g2": []}
    assert_rule(step(table, a_call("C1", "g2", sheaf="on_map")).findings, "7.26", result="lost")
    assert table.state.vehicles["g2"].pending is Spot.FIRE and table.state.missions == {}


@pytest.mark.rule("7.26/bombs", editions=("2016",))
def test_7_26_bombs_scatter_after_fire_at_the_aircraft() -> None:
    for die, grade, expected in ((2, "seasoned", "C14"), (3, "seasoned", "on target"), (2, "veteran", "on target")):
        table = test_air.a_table(
            dice=[die, 4], edition="2016", aircraft=test_air.an_aircraft(grade=grade),
            scenario={"rules": (*ADVANCED_RULES, "scatter")},
        )  # fmt: skip
        flight = test_air.over(table, "C11", altitude="high")
        hexes = (parse_hex("C12"), parse_hex("C13"))
        assert bombs_scatter(table, table.state.aircraft["a1"], flight, hexes) == (hexes, None)  # no gun fired
        flight.fired_on.append((parse_hex("C7"), "none"))
        shifted, found = bombs_scatter(table, table.state.aircraft["a1"], flight, hexes)
        assert_rule(found, "7.26/bombs", inputs={"fire": "none", "upto": 2}, result=expected)
        assert hex_name(shifted[0]) == ("C14" if expected == "C14" else "C12")


# --- 7.27 ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.27", editions=("2016",))
def test_7_27_illumination_lights_seven_hexes_from_the_next_step_on() -> None:
    table = playing("illumination", dice=[9, 3])
    played = step(table, a_call("C10", "gb1", type="illumination"))
    assert_rule(played.findings, "7.27", result="light")
    [cloud] = table.state.clouds.values()
    assert (cloud.type, cloud.marker, len(cloud.hexes)) == ("light", Marker.ON, 7)
    assert is_lit(table.state, parse_hex("C11"))
    assert not is_lit(table.state, parse_hex("C13"))
    cloud.fresh = True
    assert not is_lit(table.state, parse_hex("C11"))
    cloud.fresh = False
    tank = a_tank("s3", "C11", "t34_76")
    hidden = a_leg("s4", "C11", "soviet_rifle_squad", full_cover=True)
    for unit, before, after in ((tank, 0, 0), (hidden, -2, 0)):
        table.state.vehicles[unit.id] = unit
        assert_rule(explain_range(table, unit), "7.27", inputs={"before": before}, result=after)
    dark = explain_range(table, a_leg("s5", "C15", "soviet_rifle_squad", full_cover=True))
    assert dark.cell[1] == -2


def test_7_27_a_lit_unit_is_seen_from_as_far_away_by_everybody_who_asks() -> None:
    """7.27: full cover is lit up to row 0, ten hexes away; the queries for one spotter and for all spotters agree."""
    table = playing("illumination", dice=[9, 3])
    step(table, a_call("C10", "gb1", type="illumination"))
    for cloud in table.state.clouds.values():
        cloud.fresh = False
    watcher, hidden = a_tank("g9", "C19", "pz4h"), a_leg("s4", "C11", "soviet_rifle_squad", full_cover=True)
    table.state.vehicles |= {unit.id: unit for unit in (watcher, hidden)}

    assert spots_now(table, watcher, hidden)
    assert watcher in spotters_of(table, hidden)


# --- 7.28 ---------------------------------------------------------------------------------------------------------


def hunted(dice: list[int], *, own_asset: bool = False, **target: Any) -> Any:
    """A German battery has fired, and the Soviets have an asset for counter-battery fire."""
    batteries = [
        a_battery("gb1", landed_in=1, **target),
        a_battery("sb1", "soviet_medium", side="soviet", formation="soviet", counter=True),
    ]
    if own_asset:
        batteries.append(a_battery("gb2", counter=True))
    return playing("counter_battery", dice=dice, batteries=batteries)


@pytest.mark.rule("7.28", "7.28.1", "7.28.2", "7.28.2/results", editions=("2016",))
@pytest.mark.parametrize(
    ("dice", "result"), [([20, 50], "suppressed"), ([20, 80], "damaged"), ([1, 81], "ko"), ([21], "missed")]
)
def test_7_28_a_battery_that_fires_may_be_found(dice: list[int], result: str) -> None:
    table = hunted(dice)
    run_step(table, counter_battery_step(table, "german"))
    assert_rule(table.findings, "7.28", inputs={"side": "soviet"}, result=result)
    assert_rule(table.findings, "7.28.1", inputs={"asset": "sb1", "battery": "gb1"}, result=result)
    assert_rule(table.findings, "7.28.2", inputs={"limit": 20, "net": 0}, dice=(dice[0],))
    battery = table.state.batteries["gb1"]
    assert battery.knocked_out == (result == "ko")
    assert battery.damaged == (result == "damaged")
    assert (battery.suppression is Marker.ON) == (result == "suppressed")
    if result != "missed":
        assert_rule(table.findings, "7.28.2/results", dice=(dice[1],), result=result)
    else:
        table.chance.left = [1]
        assert_rule(fire_at_battery(table, battery), "7.28.2/results", result="suppressed")


@pytest.mark.rule("7.28.2")
def test_7_28_2_modifiers_of_the_search() -> None:
    for target, date, net in (
        ({"same_mission": 3}, "1943-07", -10),
        ({"self_propelled": True}, "1943-07", 10),
        ({}, "1941-09", 10),
        ({}, "1942-09", 5),
    ):
        table = hunted([100], **target)
        table.data = replace(table.data, scenario=msgspec.structs.replace(table.data.scenario, date=date))
        run_step(table, counter_battery_step(table, "german"))
        assert_rule(table.findings, "7.28.2", inputs={"net": net})


def test_7_28_2_a_suppressed_or_damaged_battery_fires_worse_and_recovers() -> None:
    table = hunted([], suppression=Marker.ON, damaged=True)
    case = Case(table, GpAttack(kind="if", factor=8, firer="gb1"), parse_hex("C10"))
    rows = {row.when for row, _ in modifiers_that_apply(case)}
    assert {"firer_suppressed", "firer_damaged"} <= rows
    recover_batteries(table)
    assert table.state.batteries["gb1"].suppression is Marker.OFF
    table.chance.left = [51, 50]
    recover_batteries(table)
    assert table.state.batteries["gb1"].suppression is Marker.OFF
    recover_batteries(table)
    assert table.state.batteries["gb1"].suppression is Marker.NONE


@pytest.mark.rule("7.28.2/results", editions=("2016",))
@pytest.mark.rule("7.28.3", editions=("2016",))
def test_7_28_3_assets_hunt_each_other() -> None:
    table = hunted([99, 1, 60], own_asset=True)
    run_step(table, counter_battery_step(table, "german"))
    assert_rule(table.findings, "7.28.3", inputs={"asset": "gb2", "battery": "sb1"}, result="ko")
    assert table.state.batteries["sb1"].knocked_out
    table = hunted([99, 1, 10], own_asset=True)
    run_step(table, counter_battery_step(table, "german"))
    assert_rule(table.findings, "7.28.2/results", result="ignored")


@pytest.mark.rule("7.28.1")
def test_7_28_1_who_may_be_hunted() -> None:
    table = hunted([])
    ask = Ask("soviet", "counter-battery", "7.28.1", subject="sb1", about={"asset": "sb1", "targets": ["gb1"]})
    assert list(counter_battery_options(table, ask)) == ["gb1", None]
    assert check_counter_battery(table, ask, "gb1") == "gb1"
    with pytest.raises(Illegal) as caught:
        check_counter_battery(table, ask, "gb7")
    assert_rule(caught.value, "7.28.1")
    quiet = hunted([])
    quiet.state.batteries["gb1"].landed_in = 0
    assert run_step(quiet, counter_battery_step(quiet, "german")).asks == []


@pytest.mark.rule("7.28")
def test_7_28_an_asset_answers_no_calls() -> None:
    table = playing("counter_battery", batteries=[a_battery(counter=True), a_battery("gb2")])
    assert_rule(objections(table, a_call("C10", "gb1")), "7.28")
    assert legal(table, a_call("C10", "gb2"))


# --- 7.37 ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.1.12", editions=("2016",))
@pytest.mark.rule("7.37", editions=("2016",))
def test_7_37_an_fo_may_call_fire_at_an_empty_hex() -> None:
    blind = a_call("C7", "gb1") | {"do": "recon"}
    assert_rule(objections(playing(), blind), "7.37")
    table = playing("reconnaissance_by_fire", dice=[9])
    assert_rule(objections(table, blind | {"sheaf": "open"}), "7.37")
    assert_rule(objections(playing("reconnaissance_by_fire", labels=("chq",)), blind), "7.37")
    played = step(table, legal(table, blind))
    assert_rule(played.findings, "7.37", inputs={"observer": "g1", "point": "C7"}, result=["gb1"])
    assert_rule(played.findings, "6.5.1.12", inputs={"net": -2})
    [mission] = table.state.missions
    table.state.turn += 1
    assert_rule(objections(table, {"do": "continue", "mission": mission, "type": "gp"}), "7.37")
    step(table)
    assert table.state.missions == {}


def test_7_28_2_a_battery_that_is_knocked_out_is_worth_its_points() -> None:
    table = hunted([], knocked_out=True)
    row = BatteryRow("gb1", "gb1", "german", "german_medium", "german", "attached", vp=7)
    scenario = msgspec.structs.replace(table.data.scenario, batteries=(row,))
    data = replace(table.data, scenario=scenario)
    assert (
        score(Situation(data, table.state), "soviet").total,
        score(Situation(data, table.state), "german").total,
    ) == (7, 0)
